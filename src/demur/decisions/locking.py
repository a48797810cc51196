"""Keep of a chosen cutoff what a later check needs."""

from dataclasses import dataclass, replace

import numpy as np

from demur import checks
from demur.arrays import Flags, Floats, answered_at
from demur.curves.counted_outcomes import CountedOutcomes
from demur.decisions.checked_locks import CERTAINTY, locked
from demur.decisions.choice_tables import OF_WHOLES
from demur.decisions.choices import Choice
from demur.decisions.drifting import cells, inner_edges
from demur.decisions.labelled_rates import Labels, bounds_by_labels, finished, labels_of
from demur.decisions.locks import Lock
from demur.decisions.mixes import Counts, mix_of
from demur.errors import InputError, shown
from demur.outcomes.fields import UNGRADED
from demur.outcomes.parts import check_one_system, confidences_of, sample_of
from demur.outcomes.table import Outcomes, check_outcomes
from demur.wholes.wholes_at_cutoffs import parts_alone, wholes_at

SKETCHED = 64


def lock(
    outcomes: Outcomes | CountedOutcomes,
    choice: Choice,
    *,
    certainty: float | None = None,
    max_cluster: int | None = None,
) -> Lock:
    """Keep of a chosen cutoff what a later check needs.

    Parameters
    ----------
    outcomes : Outcomes or CountedOutcomes
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
    checks.of_kind("lock", "choice", choice, Choice)
    if not choice.found:
        need, got = "have found a cutoff", choice.rule
        raise InputError("lock", "choice", need, got, "There is nothing to lock.")
    if isinstance(outcomes, CountedOutcomes):
        from demur.decisions.counted_rechecks import lock_counted

        return lock_counted(outcomes, choice, certainty, max_cluster)
    check_outcomes("lock", outcomes)
    judged = judged_at("lock", outcomes, choice.cutoff, choice.of)
    seen = look("lock", judged, choice.cutoff)
    parts = look_at_rows("lock", outcomes, choice.cutoff, choice.of, seen)
    check_sizes("lock", judged, seen.cluster, max_cluster)
    edges = inner_edges(parts.confidence[parts.guess])
    cell = cells(parts.confidence, parts.guess, edges)
    mix = mix_of(parts.answered, cell, len(edges) + 2, parts.cluster)
    counted = len(parts.guess), int(parts.answered.sum()), how_many_err(seen)
    made = locked(choice, counted, edges, mix, certainty)
    of_wholes = choice.of in OF_WHOLES
    return replace(
        made,
        signature=f"{made.signature}{_stated(max_cluster)}",
        sketch=tuple(sorted(hashes(outcomes))[:SKETCHED]),
        max_cluster=None if max_cluster is None else int(max_cluster),
        digest=(digest(outcomes),),
        wholes=len(judged) if of_wholes else None,
        answered_wholes=int(seen.answered.sum()) if of_wholes else None,
    )


def judged_at(
    where: str, outcomes: Outcomes, cutoff: float | None, of: str
) -> Outcomes:
    """What an error is of: the rows themselves, or wholes as a cutoff makes them."""
    if of not in OF_WHOLES:
        return outcomes
    return wholes_at(where, outcomes, cutoff)


def _stated(max_cluster: int | None) -> str:
    return "" if max_cluster is None else f"|max_cluster:{max_cluster}"


def how_many_err(seen: "SeenItems") -> int:
    """How many answers err, of those labelled in part about how many."""
    answered = int(seen.answered.sum())
    if not seen.labels.partial or not answered:
        return int((seen.answered & seen.erring).sum())
    among = bounds_by_labels(seen.labels, of="answered", certainty=CERTAINTY).error
    return answered if among is None else round(among * answered)


def check_sizes(
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
        name = whose(outcomes, int(np.argmax(cluster == sizes.argmax())))
        raise InputError(where, name, need, got, hint)


def whose(outcomes: Outcomes, row: int) -> str:
    """The cluster of a row; of repeats without clusters these are the items."""
    if outcomes.cluster is None:
        return f"the item {shown(outcomes.item[row])}"
    return f"the cluster {shown(outcomes.cluster[row])}"


def hashes(outcomes: Outcomes) -> set[str]:
    """A short hash of each item."""
    from hashlib import blake2b

    return {
        blake2b(str(item).encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
        for item in outcomes.item.tolist()
    }


def digest(outcomes: Outcomes) -> str:
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
class SeenItems:
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


def look(
    where: str, outcomes: Outcomes, cutoff: float | None, *, anytime: bool = False
) -> SeenItems:
    """What a cutoff does with unweighted outcomes of one system."""
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
    return SeenItems(
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


def look_at_rows(
    where: str, outcomes: Outcomes, cutoff: float | None, of: str, seen: SeenItems
) -> SeenItems:
    """What a cutoff does with what it withholds: items as they were seen, or parts."""
    if of not in OF_WHOLES:
        return seen
    parts = parts_alone(outcomes)
    if not len(parts):
        need, got = "have a whole with parts", f"{len(outcomes)} without"
        raise InputError(where, "outcomes", need, got)
    return look(where, parts, cutoff)
