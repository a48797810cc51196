"""Does a chosen cutoff still hold? Lock it, and test it later on new outcomes."""

from dataclasses import replace

import numpy as np

from demur import checks
from demur.curves.counted_outcomes import CountedOutcomes
from demur.decisions import checked_locks
from demur.decisions.certificates import GIVEN_SIZES
from demur.decisions.checked_locks import (
    ALIKE,
    NOT_KNOWN,
    ONE_TEST,
    ONLY_ABOVE,
    RecheckCounts,
    checked,
    of_system_note,
    recipe_of,
)
from demur.decisions.choice_tables import WHOLES
from demur.decisions.drifting import Drift, drift, left_out
from demur.decisions.labelled_rates import Labels, bounds_by_labels
from demur.decisions.locking import (
    SeenItems,
    check_sizes,
    digest,
    hashes,
    how_many_err,
    judged_at,
    look,
    look_at_rows,
    whose,
)
from demur.decisions.locks import Lock
from demur.decisions.mixes import Counts
from demur.decisions.rate_bounds import RateBounds, bounds_of_rate
from demur.decisions.rechecks import Recheck
from demur.errors import InputError, shown
from demur.outcomes.fields import PARTS_NOTE
from demur.outcomes.labelling import MISSING, check_all_rows
from demur.outcomes.parts import (
    in_item_order,
)
from demur.outcomes.table import Outcomes, check_outcomes
from demur.statistics.correcting import UNLIKELY
from demur.statistics.noisy_verdicts import Verdicts, unlike
from demur.wholes.counting_wholes import WITHOUT_A_PART
from demur.wholes.numbering import part_rows, whole_numbers

CANNOT_BE_TOLD = (
    "whether these are the items that the cutoff was chosen on cannot be told: they "
    "have no names, and as many are declined and wrong"
)
TELLING = 10
"""Rows with so many different confidences do not agree by chance, one by one."""


def _check_whole(outcomes: Outcomes, cluster: Counts) -> None:
    """Raise `InputError` if rows of a cluster came after those of another one.

    Labels of an unfinished cluster change what was bet on it at earlier looks.
    """
    _, first, size = np.unique(cluster, return_index=True, return_counts=True)
    begin = np.sort(first)
    runs = np.count_nonzero(np.diff(cluster)) + 1
    if runs > len(size):
        changes = np.flatnonzero(np.diff(cluster)) + 1
        row = int(np.setdiff1d(changes, begin)[0])
        need = "stand together where one may look at any time"
        got = f"further rows after those of another one (row {row + 1})"
        hint = "Hand over whole clusters, in the order in which they were finished."
        raise InputError(
            "recheck", f"the rows of {whose(outcomes, row)}", need, got, hint
        )


def _largest(
    seen: SeenItems, outcomes: Outcomes, lock: Lock, given: int | None, *, anytime: bool
) -> int | None:
    """The most rows that a cluster may have; None without clusters or if not said."""
    if None not in (given, lock.max_cluster) and given != lock.max_cluster:
        need, hint = f"be {lock.max_cluster}, as the lock says", "Leave it out."
        raise InputError("recheck", "max_cluster", need, shown(given), hint)
    stated = lock.max_cluster if given is None else given
    check_sizes("recheck", outcomes, seen.cluster, stated)
    if seen.cluster is None:
        return None
    if anytime and seen.labels.partial:
        rows = seen.labels.labelled
        _check_whole(outcomes.take(rows), seen.cluster[rows])
    elif anytime:
        _check_whole(outcomes, seen.cluster)
    if anytime and stated is None:
        need = "be given to look at clusters at any time"
        hint = (
            "Say how many items a cluster may have at most, also later "
            "(--max-cluster; better with the lock): larger ones may still come."
        )
        raise InputError("recheck", "max_cluster", need, "nothing", hint)
    return stated


# -- rechecking -------------------------------------------------------------------


def recheck(
    lock: Lock,
    outcomes: Outcomes | CountedOutcomes,
    *,
    anytime: bool = False,
    max_cluster: int | None = None,
) -> Recheck:
    """Test a locked target at its cutoff on new labelled outcomes.

    Of answers that are labelled in part, all rows tell what is declined and how
    confidences have moved, and the labelled ones the error: each stands for as many as
    its ``label_weight`` says, one over the chance with which it was drawn, or all for
    as many. That chance, and when a label comes, may depend on what is known before
    labels, such as the confidence, and not on the verdict: complaints that come first,
    or hard ones that are skipped, make the test false.

    Once; testing again as labels come in is more than one test: with k looks the
    chance of a wrong verdict is at most k (1 - certainty); so it is with k locks. With
    ``anytime`` the bounds hold at all looks together, if outcomes are given in the
    order in which their labels came, earlier ones first and unchanged; of clusters,
    when all of their labels had come, those that wait for one are left out. Of rows
    that are labelled in part, all rows are there at the first look, and only labels
    come.

    With clusters or partial credit, and at any time, the bounds are those of betting.

    Parameters
    ----------
    lock : Lock
        The cutoff and its target.
    outcomes : Outcomes or CountedOutcomes
        Unweighted, of items that had no part in the choice. Of several systems, the
        lock's own is taken. Answers that nobody has looked at are ``unlabelled``.
    anytime : bool
        Whether the check may be looked at again and again.
    max_cluster : int, optional
        The most rows that a cluster may have, for a lock that does not say it. The
        same at every look.

    Returns
    -------
    Recheck

    Raises
    ------
    InputError
        If the outcomes have weights, or several systems without the lock's; if a
        labelled answer has no ``label_weight`` where others have one; if a
        cluster has more rows than any may have, or the lock says another number; if
        they may be looked at at any time and nobody said how large a cluster may be,
        or the rows of a cluster do not stand together.
    UndefinedRate
        If there are no confidences.

    References
    ----------
    Clopper and Pearson (1934), Biometrika 26, for independent items; Waudby-Smith and
    Ramdas (2024), JRSS B 86, for betting.

    Examples
    --------
    >>> import demur
    >>> old = demur.Outcomes.from_arrays(
    ...     confidence=[i / 100 for i in range(100)],
    ...     correct=[i > 20 for i in range(100)])
    >>> kept = demur.lock(old, demur.choose(old, max_error=0.05))
    >>> new = demur.Outcomes.from_arrays(
    ...     confidence=[i / 100 for i in range(100)],
    ...     correct=[i > 18 for i in range(100)])
    >>> found = demur.recheck(kept, new)
    >>> found.verdict, found.error, round(found.upper, 3), found.further_items
    ('inconclusive', 0.03, 0.076, 243)
    """
    checks.of_kind("recheck", "lock", lock, Lock)
    if isinstance(outcomes, CountedOutcomes):
        from demur.decisions.counted_rechecks import recheck_counted

        return recheck_counted(lock, outcomes, anytime=anytime)
    check_outcomes("recheck", outcomes)
    outcomes, notes = _of_system(lock, outcomes)
    in_order = outcomes.credit is not None or outcomes.label_weight is not None
    if in_order and not anytime:
        outcomes = in_item_order(outcomes)
    judged = judged_at("recheck", outcomes, lock.cutoff, lock.of)
    if lock.of in ("all", WHOLES):
        check_all_rows("recheck", judged)
    seen = look("recheck", judged, lock.cutoff, anytime=anytime)
    parts = look_at_rows("recheck", outcomes, lock.cutoff, lock.of, seen)
    if anytime and judged is not outcomes:
        _check_whole(outcomes, whole_numbers(outcomes)[0])
    largest = _largest(seen, judged, lock, max_cluster, anytime=anytime)
    bounds = _bounds(lock, seen, anytime=anytime, largest=largest)
    moved = drift(lock, parts.confidence, parts.guess, cluster=parts.cluster)
    same, known = _known(lock, outcomes, parts, moved, how_many_err(seen))
    numbers = _numbers(judged, seen)
    labels, unclear = seen.labels, numbers.ungraded
    notes += [*known, *_label_notes(judged, seen, unclear), *left_out(lock, moved)]
    partial = labels.partial
    result = checked(lock, numbers, bounds, moved, same=same, partial=partial)
    further = result.further_labels if partial else result.further_items
    notes += [ONE_TEST] if further and not anytime else []
    notes += _size_notes(lock, seen, largest)
    notes += _part_notes(outcomes, judged)
    recipe = recipe_of(
        lock, bounds.method, numbers.items, anytime=anytime, largest=largest
    )
    of_answers = f"{numbers.labelled} of {numbers.answered}"
    recipe |= {"labelled": of_answers} if partial else {}
    return replace(
        result,
        weighted=labels.weight is not None,
        notes=tuple(notes),
        recipe={**outcomes.recipe, **recipe},
    )


def _numbers(outcomes: Outcomes, seen: SeenItems) -> "RecheckCounts":
    """How many items there are of each sort."""
    labels = seen.labels
    return RecheckCounts(
        items=len(seen.guess),
        answered=int(seen.answered.sum()),
        labelled=int(labels.labelled.sum()),
        wrong=int((labels.labelled & seen.erring & ~seen.ungraded).sum()),
        ungraded=int((labels.labelled & seen.ungraded).sum()),
        failed=int(outcomes.failed.sum()),
        guesses=int(seen.guess.sum()),
    )


def _part_notes(outcomes: Outcomes, judged: Outcomes) -> list[str]:
    """What is counted where answers are made of parts."""
    if judged.part is not None:
        return [PARTS_NOTE]
    without = 0 if judged is outcomes else int((~part_rows(outcomes)).sum())
    if not without:
        return []
    return [f"{without:,} {WITHOUT_A_PART}"]


def _size_notes(lock: Lock, seen: SeenItems, largest: int | None) -> list[str]:
    """What bets on clusters or weights leave open."""
    unseen = seen.cluster is not None and largest is None
    if lock.target is None or not (unseen or seen.labels.weight is not None):
        return []
    return [GIVEN_SIZES.replace("certified", "tested", 1)]


def _label_notes(outcomes: Outcomes, seen: SeenItems, unclear: int) -> list[str]:
    """What is said of answers without a verdict, apart by why they have none."""
    labels, notes = seen.labels, [seen.waits] if seen.waits else []
    waiting = int((labels.answered & ~labels.labelled).sum())
    if waiting and not labels.labelled.any():
        notes.append(f"all {waiting:,} answers are unlabelled: nothing is tested")
    elif waiting:
        drawn = "each of which stands for as many as its label_weight says"
        if outcomes.label_weight is None:
            drawn = "which must have been drawn with one chance for all"
        notes.append(
            f"{waiting:,} answers are unlabelled: the error is that of the "
            f"{int(labels.labelled.sum()):,} labelled ones, {drawn}"
        )
        if outcomes.label_weight is None and _unlike_others(seen) < UNLIKELY:
            notes.append(
                "the labelled answers differ from the others in confidences (p < "
                f"{UNLIKELY:g}): they were not drawn with one chance, so that the test "
                "does not hold; a column label_weight says how they were drawn"
            )
    notes += _weight_notes(outcomes, labels)
    if unclear:
        notes.append(f"{unclear} ungraded answers {ONLY_ABOVE}")
    return notes


def _weight_notes(outcomes: Outcomes, labels: Labels) -> list[str]:
    """What is said of drawn answers without a label, and of labels without answers."""
    notes = list[str]()
    if outcomes.label_weight is None:
        return notes
    if labels.labelled.any():
        drawn_only = labels.answered & ~labels.labelled & (outcomes.label_weight > 0)
        if drawn_only.any():
            notes.append(
                f"{int(drawn_only.sum()):,} of them were drawn and have no label yet: "
                "if they were passed over, and not just not reached, the test does not "
                "hold"
            )
    for_others = float(np.nansum(outcomes.label_weight[labels.labelled]))
    n_answered = int(labels.answered.sum())
    if for_others > MISSING * n_answered:
        notes.append(
            f"the labels stand for {for_others:,.0f} answers, and there are "
            f"{n_answered:,}: if rows without a label were left out, what is declined "
            "is not seen, nor is the error of all items"
        )
    return notes


def _unlike_others(seen: SeenItems) -> float:
    """The p value that labelled and other answers have the same confidences."""
    n_items, labels = len(seen.guess), seen.labels
    ranks = np.zeros(n_items)
    given = seen.confidence[labels.answered]
    ranks[labels.answered] = np.searchsorted(np.sort(given), given) / n_items
    cluster = np.arange(n_items) if seen.cluster is None else seen.cluster
    losses, answered = np.zeros(n_items), labels.answered.astype(float)
    return unlike(Verdicts(losses, losses, labels.labelled, answered, cluster), ranks)


def _of_system(lock: Lock, outcomes: Outcomes) -> tuple[Outcomes, list[str]]:
    """The rows of the system that was locked, and what a reader must know."""
    notes = list(outcomes.notes)
    if len(outcomes.systems) > 1:
        return outcomes.select(system=lock.system), notes
    if len(outcomes):
        notes += of_system_note(lock, outcomes.systems[0])
    return outcomes, notes


def _bounds(
    lock: Lock, seen: SeenItems, *, anytime: bool, largest: int | None
) -> RateBounds:
    """The error at the locked cutoff, with one-sided bounds."""
    if lock.of in ("all", WHOLES) and lock.cutoff is None:
        return RateBounds(0.0, 0.0, 0.0, "nothing is answered")
    if seen.labels.partial:
        return bounds_by_labels(
            seen.labels,
            of="all" if lock.of in ("all", WHOLES) else "answered",
            cluster=seen.cluster,
            certainty=lock.certainty,
            anytime=anytime,
            max_cluster=largest,
        )
    of_all = lock.of in ("all", WHOLES)
    counted = np.ones_like(seen.answered) if of_all else seen.answered
    high = np.where(seen.answered, seen.loss, 0.0)
    return bounds_of_rate(
        np.where(seen.ungraded, 0.0, high),
        high,
        counted,
        cluster=seen.cluster,
        certainty=lock.certainty,
        anytime=anytime,
        largest=largest,
    )


def _known(
    lock: Lock, outcomes: Outcomes, seen: SeenItems, moved: Drift, wrong: int
) -> tuple[bool, list[str]]:
    """Whether these are the items of the lock, and what to say of those that are."""
    if not lock.sketch:  # of a lock that was made by counts
        counts = len(seen.guess), int(seen.answered.sum()), wrong
        same = checked_locks.alike(lock, *counts, moved)
        return same, [ALIKE if same else NOT_KNOWN]
    share = len(hashes(outcomes).intersection(lock.sketch)) / len(lock.sketch)
    declined = len(seen.guess) - int(seen.answered.sum())
    alike = (len(seen.guess), declined, wrong) == (
        lock.items,
        lock.declined,
        lock.wrong,
    )
    telling = len(np.unique(seen.confidence[seen.guess])) >= TELLING
    agrees = alike and telling and lock.digest == (digest(outcomes),)
    if _numbered(outcomes):
        # That others have the items 0, 1, ... too says nothing.
        if alike and not agrees and not (telling and lock.digest):
            return False, [CANNOT_BE_TOLD]
        if not agrees:
            return False, []
    if agrees or (share == 1 and alike):
        return True, [
            "these are the items that the cutoff was chosen on: they cannot test it"
        ]
    if share == 1:
        return False, [
            "these are the items that the cutoff was chosen on, answered otherwise: "
            "the test takes the answers for new ones"
        ]
    if not share:
        return False, []
    return False, [
        f"about {100 * share:.0f} % of the items that the cutoff was chosen on are "
        "among these: the error is too good by an unknown amount; leave them out"
    ]


def _numbered(outcomes: Outcomes) -> bool:
    """Whether items are numbers from 0 or 1 on, as if they had no names."""
    names = set(map(str, outcomes.item.tolist()))
    counts = (range(first, first + len(names)) for first in (0, 1))
    return any(all(str(number) in names for number in numbers) for numbers in counts)
