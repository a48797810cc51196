"""Does a chosen cutoff still hold? Lock it, and test it later on new outcomes."""

from dataclasses import dataclass

import numpy as np

from demur import checks
from demur.arrays import Flags, Floats, answered_at, plain
from demur.decisions.certificates import GIVEN_SIZES
from demur.decisions.choices import Choice
from demur.decisions.drifting import Drift, cells, drift, inner_edges, left_out
from demur.decisions.labelled_rates import Labels, bounds_by_labels, finished, labels_of
from demur.decisions.locks import Lock
from demur.decisions.mixes import Counts, mix_of
from demur.decisions.rate_bounds import RateBounds, bounds_of_rate
from demur.decisions.rechecks import SAME_ITEMS, Recheck
from demur.errors import InputError, shown
from demur.outcomes.fields import UNGRADED
from demur.outcomes.labelling import MISSING, check_all_rows
from demur.outcomes.parts import (
    check_one_system,
    confidences_of,
    in_item_order,
    sample_of,
)
from demur.outcomes.table import Outcomes, check_outcomes
from demur.results import exactly
from demur.statistics.correcting import UNLIKELY
from demur.statistics.noisy_verdicts import Verdicts, unlike

__all__ = ["Drift", "Lock", "Recheck", "drift", "lock", "recheck"]

CERTAINTY = 0.95
SKETCHED = 64
ONLY_ABOVE = "count as errors, but not in the lower bound"
CANNOT_BE_TOLD = (
    "whether these are the items that the cutoff was chosen on cannot be told: they "
    "have no names, and as many are declined and wrong"
)
TELLING = 10
"""Rows with so many different confidences do not agree by chance, one by one."""
ONE_TEST = (
    "get all further labels before testing again: every look is another chance of a "
    "wrong verdict"
)


# -- locking -----------------------------------------------------------------------


def lock(
    outcomes: Outcomes,
    choice: Choice,
    *,
    certainty: float | None = None,
    max_cluster: int | None = None,
) -> Lock:
    """Keep of a chosen cutoff what a later check needs.

    Parameters
    ----------
    outcomes : Outcomes
        Those that the cutoff was chosen on; unweighted.
    choice : Choice
        What `demur.choose` gave for them.
    certainty : float, optional
        One-sided, of the bounds on new outcomes; if left out that of the choice, or
        0.95 if it was chosen as observed.
    max_cluster : int, optional
        The most items that a cluster (a dialogue, say) may have, also of later ones:
        such as the cap on what is served. `recheck` needs it to hold at any time.

    Returns
    -------
    Lock

    Raises
    ------
    InputError
        If the choice found no cutoff, or was made on other outcomes, or these have
        weights.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     confidence=[0.95, 0.9, 0.9, 0.8, 0.7, 0.7, 0.7, 0.4, 0.3, 0.1],
    ...     correct=[1, 1, 0, 1, 1, 0, 1, 0, 1, 0])
    >>> kept = demur.lock(outcomes, demur.choose(outcomes, max_error=0.2))
    >>> kept.target, kept.cutoff, kept.nonreturn, kept.error
    (0.2, 0.7, 0.3, 0.2)
    >>> demur.Lock.from_dict(kept.to_dict()) == kept
    True
    """
    check_outcomes("lock", outcomes)
    checks.of_kind("lock", "choice", choice, Choice)
    if not choice.found:
        need, got = "have found a cutoff", choice.rule
        raise InputError("lock", "choice", need, got, "There is nothing to lock.")
    seen = _look("lock", outcomes, choice.cutoff)
    declined = len(seen.guess) - int(seen.answered.sum())
    share = declined / len(seen.guess)
    if abs(share - choice.nonreturn) > 1e-9:
        need = "be those that the cutoff was chosen on"
        got = f"nonreturn {share:g} at the cutoff, not {choice.nonreturn:g}"
        raise InputError("lock", "outcomes", need, got)
    if certainty is None:
        certainty = CERTAINTY if choice.certainty is None else choice.certainty
    checks.inner_fraction("lock", "certainty", certainty)
    _check_sizes("lock", outcomes, seen.cluster, max_cluster)
    stated = "" if max_cluster is None else f"|max_cluster:{max_cluster}"
    edges = inner_edges(seen.confidence[seen.guess])
    cell = cells(seen.confidence, seen.guess, edges)
    mix = mix_of(seen.answered, cell, len(edges) + 2, seen.cluster)
    no_guess, *counts = mix.counts.astype(int).tolist()
    return Lock(
        system=choice.system,
        rule=choice.rule,
        cutoff=choice.cutoff,
        target=choice.target,
        of=choice.of,
        certainty=float(certainty),
        items=len(seen.guess),
        declined=declined,
        wrong=_wrong(seen),
        no_guess=no_guess,
        edges=tuple(edges),
        counts=tuple(counts),
        design_effects=mix.effects,
        signature=f"{choice.signature}|recheck_certainty:{exactly(certainty)}{stated}",
        sketch=tuple(sorted(_hashes(outcomes))[:SKETCHED]),
        max_cluster=None if max_cluster is None else int(max_cluster),
        clusters=mix.clusters,
        worth=None if mix.clusters is None else mix.worth,
        covariances=mix.triangle,
        digest=(_digest(outcomes),),
    )


def _wrong(seen: "_Seen") -> int:
    """How many answers err, of those labelled in part about how many."""
    answered = int(seen.answered.sum())
    if not seen.labels.partial or not answered:
        return int((seen.answered & seen.erring).sum())
    among = bounds_by_labels(seen.labels, of="answered", certainty=CERTAINTY).error
    return answered if among is None else round(among * answered)


def _check_sizes(
    where: str, outcomes: Outcomes, cluster: Counts | None, max_cluster: int | None
) -> None:
    """Raise `InputError` if a cluster has more rows than any may have."""
    if max_cluster is None:
        return
    checks.whole(where, "max_cluster", max_cluster, 1)
    if cluster is None:
        return
    sizes = np.bincount(cluster)
    if sizes.max() > max_cluster:
        need = f"have at most {max_cluster} rows, as is stated"
        got, hint = f"{sizes.max()}", "The bounds hold for clusters of that size only."
        name = _whose(outcomes, int(np.argmax(cluster == sizes.argmax())))
        raise InputError(where, name, need, got, hint)


def _whose(outcomes: Outcomes, row: int) -> str:
    """The cluster of a row; of repeats without clusters these are the items."""
    if outcomes.cluster is None:
        return f"the item {shown(outcomes.item[row])}"
    return f"the cluster {shown(outcomes.cluster[row])}"


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
            "recheck", f"the rows of {_whose(outcomes, row)}", need, got, hint
        )


def _hashes(outcomes: Outcomes) -> set[str]:
    """A short hash of each item."""
    from hashlib import blake2b

    return {
        blake2b(str(item).encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
        for item in outcomes.item.tolist()
    }


def _digest(outcomes: Outcomes) -> str:
    """A hash of confidences and outcomes, row by row."""
    from hashlib import blake2b

    confidence = outcomes.confidence
    given = np.full(len(outcomes), np.nan) if confidence is None else confidence
    hashed = blake2b(outcomes.outcome.codes.tobytes(), digest_size=16)
    # -0.0 is 0.0, and a short decimal the same in 32 and 64 bits.
    with np.errstate(over="ignore"):
        hashed.update((given.astype(np.float32) + np.float32(0)).tobytes())
    return hashed.hexdigest()


@dataclass(frozen=True, eq=False, slots=True)
class _Seen:
    """What a cutoff does, item by item."""

    guess: Flags
    confidence: Floats
    answered: Flags
    erring: Flags
    loss: Floats
    ungraded: Flags
    cluster: Counts | None
    labels: Labels
    waits: str


def _look(
    where: str, outcomes: Outcomes, cutoff: float | None, *, anytime: bool = False
) -> _Seen:
    check_one_system(where, outcomes)
    sample = sample_of(outcomes)
    if sample.weight is not None:
        hint = "The tests hold for items that count the same."
        raise InputError(where, "outcomes", "have no weights", "weights", hint)
    confidence = confidences_of(where, outcomes, sample.guess)
    answered = answered_at(confidence, sample.guess, cutoff)
    labels, waits = labels_of(where, outcomes, answered, sample.loss), ""
    if anytime and sample.cluster is not None:
        labels, waits = finished(labels, sample.cluster, outcomes.label_weight)
    return _Seen(
        guess=sample.guess,
        confidence=confidence,
        answered=answered,
        erring=sample.loss > 0,
        loss=sample.loss,
        ungraded=outcomes.outcome == UNGRADED,
        cluster=sample.cluster,
        labels=labels,
        waits=waits,
    )


def _largest(
    seen: _Seen, outcomes: Outcomes, lock: Lock, given: int | None, *, anytime: bool
) -> int | None:
    """The most rows that a cluster may have; None without clusters or if not said."""
    if None not in (given, lock.max_cluster) and given != lock.max_cluster:
        need, hint = f"be {lock.max_cluster}, as the lock says", "Leave it out."
        raise InputError("recheck", "max_cluster", need, shown(given), hint)
    stated = lock.max_cluster if given is None else given
    _check_sizes("recheck", outcomes, seen.cluster, stated)
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
    outcomes: Outcomes,
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
    outcomes : Outcomes
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
    check_outcomes("recheck", outcomes)
    checks.of_kind("recheck", "lock", lock, Lock)
    outcomes, notes = _of_system(lock, outcomes)
    in_order = outcomes.credit is not None or outcomes.label_weight is not None
    if in_order and not anytime:
        outcomes = in_item_order(outcomes)
    if lock.of == "all":
        check_all_rows("recheck", outcomes)
    seen = _look("recheck", outcomes, lock.cutoff, anytime=anytime)
    same, known = _known(lock, outcomes, seen)
    largest = _largest(seen, outcomes, lock, max_cluster, anytime=anytime)
    bounds = _bounds(lock, seen, anytime=anytime, largest=largest)
    labels, items = seen.labels, len(seen.guess)
    answered, labelled = int(seen.answered.sum()), int(labels.labelled.sum())
    unclear = int((labels.labelled & seen.ungraded).sum())
    verdict, further = _tested(lock, bounds, same=same, nothing=not labelled)
    needed = None if further is None else -(-further * answered // items)
    moved = drift(lock, seen.confidence, seen.guess, cluster=seen.cluster)
    notes += [*known, *_label_notes(outcomes, seen, unclear), *left_out(lock, moved)]
    notes += [ONE_TEST] if further and not anytime else []
    notes += _size_notes(lock, seen, largest)
    recipe = _recipe(lock, bounds.method, items, anytime=anytime, largest=largest)
    recipe |= {"labelled": f"{labelled} of {answered}"} if labels.partial else {}
    return Recheck(
        lock=lock,
        verdict=verdict,
        items=items,
        answered=answered,
        labelled=labelled,
        wrong=int((labels.labelled & seen.erring & ~seen.ungraded).sum()),
        ungraded=unclear,
        error=bounds.error if seen.guess.any() or not outcomes.failed.any() else None,
        lower=bounds.lower,
        upper=bounds.upper,
        further_items=None if labels.partial else further,
        further_labels=further if labels.partial else needed,
        method=bounds.method,
        drift=moved,
        weighted=labels.weight is not None,
        notes=tuple(notes),
        recipe={**outcomes.recipe, **recipe},
        failed=int(outcomes.failed.sum()),
    )


def _size_notes(lock: Lock, seen: _Seen, largest: int | None) -> list[str]:
    """What bets on clusters or weights leave open."""
    unseen = seen.cluster is not None and largest is None
    if lock.target is None or not (unseen or seen.labels.weight is not None):
        return []
    return [GIVEN_SIZES.replace("certified", "tested", 1)]


def _label_notes(outcomes: Outcomes, seen: _Seen, unclear: int) -> list[str]:
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


def _unlike_others(seen: _Seen) -> float:
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
    if len(outcomes) and outcomes.systems[0] != lock.system:
        notes.append(
            f"locked for {shown(lock.system)}, checked on {shown(outcomes.systems[0])}"
        )
    return outcomes, notes


def _recipe(
    lock: Lock, method: str, items: int, *, anytime: bool, largest: int | None
) -> dict[str, str]:
    """Everything that the numbers of a recheck hang on."""
    return {
        "recheck": lock.rule,
        "cutoff": str(plain(lock.cutoff)),
        "target": "none"
        if lock.target is None
        else f"{exactly(lock.target)} of {lock.of}",
        "certainty": exactly(lock.certainty),
        "bounds": method,
        "looks": "any" if anytime else "one",
        "items": str(items),
        "locked_items": str(lock.items),
        **({} if largest is None else {"max_cluster": str(largest)}),
    }


def _bounds(
    lock: Lock, seen: _Seen, *, anytime: bool, largest: int | None
) -> RateBounds:
    """The error at the locked cutoff, with one-sided bounds."""
    if lock.of == "all" and lock.cutoff is None:
        return RateBounds(0.0, 0.0, 0.0, "nothing is answered")
    if seen.labels.partial:
        return bounds_by_labels(
            seen.labels,
            of=lock.of,
            cluster=seen.cluster,
            certainty=lock.certainty,
            anytime=anytime,
            max_cluster=largest,
        )
    counted = seen.answered if lock.of == "answered" else np.ones_like(seen.answered)
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


def _known(lock: Lock, outcomes: Outcomes, seen: _Seen) -> tuple[bool, list[str]]:
    """Whether these are the items of the lock, and what to say of those that are."""
    if not lock.sketch:
        return False, []
    share = len(_hashes(outcomes).intersection(lock.sketch)) / len(lock.sketch)
    declined = len(seen.guess) - int(seen.answered.sum())
    wrong = _wrong(seen)
    alike = (len(seen.guess), declined, wrong) == (
        lock.items,
        lock.declined,
        lock.wrong,
    )
    telling = len(np.unique(seen.confidence[seen.guess])) >= TELLING
    agrees = alike and telling and lock.digest == (_digest(outcomes),)
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


def _tested(
    lock: Lock, bounds: RateBounds, *, same: bool, nothing: bool
) -> tuple[str | None, int | None]:
    """The verdict, and with how many more items or labels it would be "holds"."""
    target = lock.target
    if target is None:
        return None, None
    if same:
        return SAME_ITEMS, None
    if nothing and lock.cutoff is not None:
        return "inconclusive", None
    further = bounds.further_items(target)
    if bounds.upper <= target:
        return "holds", further
    return "broken" if bounds.lower > target else "inconclusive", further
