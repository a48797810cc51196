"""Locks of cutoffs, and tests of them, on outcomes that are counted where they lie."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from demur.arrays import shortest
from demur.curves.counted import CountedPart, Counts
from demur.curves.counted_curves import look_ups_settled
from demur.curves.counted_outcomes import CountedOutcomes
from demur.curves.known_cutoffs import check_cutoff
from demur.decisions.checked_locks import (
    ALIKE,
    NOT_KNOWN,
    ONE_TEST,
    ONLY_ABOVE,
    RecheckCounts,
    alike,
    checked,
    locked,
    of_system_note,
    recipe_of,
)
from demur.decisions.choice_tables import OF_WHOLES
from demur.decisions.choices import Choice
from demur.decisions.counted_certificates import counted_at
from demur.decisions.counted_checks import IN_MEMORY, check_counted
from demur.decisions.counted_choices import part_named
from demur.decisions.drifting import (
    BINS,
    drift_between,
    edge_places,
    left_out,
)
from demur.decisions.locks import Lock
from demur.decisions.mixes import Mix
from demur.decisions.rate_bounds import RateBounds, exact_bounds
from demur.decisions.rechecks import Recheck
from demur.errors import InputError, UndefinedRate, shown


def lock_counted(
    outcomes: CountedOutcomes,
    choice: Choice,
    certainty: float | None,
    max_cluster: int | None,
) -> Lock:
    """What `demur.lock` keeps; nothing of single items, which the lock then lacks."""
    if max_cluster is not None:
        need = "be left out where outcomes are counted"
        raise InputError("lock", "max_cluster", need, shown(max_cluster), IN_MEMORY)
    counts = outcomes.counts()
    part = part_named("lock", counts, choice.system)
    its = _checked_part("lock", counts, part)
    answered, wrong = counted_at(counts, part, choice.cutoff)
    edges = _edges(counts, part)
    mix = _mix(counts, part, edges)
    return locked(choice, (its.totals.items, answered, wrong), edges, mix, certainty)


def _checked_part(where: str, counts: Counts, part: int) -> CountedPart:
    """A part of independent items with confidences."""
    check_counted(where, counts, part, "a lock")
    its = counts.parts[part]
    if not its.confident and its.totals.unanswered < its.totals.items:
        raise UndefinedRate(
            f"{its.system or 'the system'} gives no confidences, so there is no cutoff "
            "to apply.",
            where=where,
        )
    return its


def _edges(counts: Counts, part: int) -> list[float]:
    """Inner edges of about ten bins with equal counts, as on rows."""
    if not counts.parts[part].confident:
        return []
    while True:
        blocks = counts.blocks(part)
        size, single = blocks.guesses, blocks.single
        places = edge_places(size)
        # Inside of a large block one confidence may be as frequent as a whole bin.
        large = np.flatnonzero(size * BINS >= size.sum())
        wanted = {*places.tolist(), *large.tolist(), *(large + 1).tolist()}
        if len(blocks) <= BINS:
            wanted = set(range(len(blocks)))
        if not counts.refine({part: {one for one in wanted if one < len(single)}}):
            return [shortest(value) for value in blocks.low[places]]


def _mix(counts: Counts, part: int, edges: Sequence[float]) -> Mix:
    """How many items are without a guess, and in each bin; no block is in two."""
    no_guess = counts.parts[part].totals.unanswered
    binned = np.zeros(len(edges) + 1)
    if counts.parts[part].confident:
        blocks = counts.blocks(part)
        place = np.searchsorted(np.asarray(edges, np.float64), blocks.low, "right")
        np.add.at(binned, place, blocks.guesses)
    return Mix(np.concatenate(([no_guess], binned)).astype(np.float64))


# -- tests -------------------------------------------------------------------------


def recheck_counted(
    lock: Lock, outcomes: CountedOutcomes, *, anytime: bool = False
) -> Recheck:
    """What `demur.recheck` says of independent items."""
    if anytime:
        need = "be left out where outcomes are counted: it takes the order of the rows"
        raise InputError("recheck", "anytime", need, "True", IN_MEMORY)
    if lock.of in OF_WHOLES:
        need, got = "be of items where outcomes are counted", shown(lock.of)
        raise InputError("recheck", "the lock", need, got, IN_MEMORY)
    counts = outcomes.counts()
    part = outcomes.system or 0
    if len(counts.parts) > 1 and outcomes.system is None:
        part = part_named("recheck", counts, lock.system)
    its = _checked_part("recheck", counts, part)
    notes = [*counts.engine.notes, *its.notes]
    notes += of_system_note(lock, its.system)
    ends = [*lock.edges, *([] if lock.cutoff is None else [lock.cutoff])]
    if its.confident:  # all ends in one pass
        look_ups_settled(counts, {part: [{"cutoff": end} for end in ends]})
        for end in ends if counts.final else ():
            check_cutoff("recheck", counts.blocks(part), end)
    answered, erring = counted_at(counts, part, lock.cutoff)
    unclear = _ungraded_at(counts, part, lock.cutoff)
    mix = _mix(counts, part, lock.edges)
    items = its.totals.items
    seen = RecheckCounts(
        items=items,
        answered=answered,
        labelled=answered,
        wrong=erring - unclear,
        ungraded=unclear,
        failed=its.failed,
        guesses=items - its.totals.unanswered,
    )
    moved = drift_between(lock, mix, items - answered)
    bounds = _bounds(lock, seen)
    same = alike(lock, items, answered, erring, moved)
    result = checked(lock, seen, bounds, moved, same=same)
    notes += [ALIKE if same else NOT_KNOWN]
    notes += [f"{unclear} ungraded answers {ONLY_ABOVE}"] if unclear else []
    notes += left_out(lock, moved)
    notes += [ONE_TEST] if result.further_items else []
    recipe = recipe_of(lock, bounds.method, items, anytime=False, largest=None)
    recipe = {**counts.engine.recipe, **recipe}
    return replace(result, notes=tuple(notes), recipe=recipe)


def _ungraded_at(counts: Counts, part: int, cutoff: float | None) -> int:
    """How many answers nobody could judge; the block of the cutoff is settled."""
    if cutoff is None or not counts.parts[part].confident:
        return 0
    blocks = counts.blocks(part)
    return int(blocks.of("ungraded")[blocks.low >= cutoff].sum())


def _bounds(lock: Lock, seen: RecheckCounts) -> RateBounds:
    """The error at the locked cutoff, with one-sided bounds."""
    if lock.of == "all" and lock.cutoff is None:
        return RateBounds(0.0, 0.0, 0.0, "nothing is answered")
    counted = seen.answered if lock.of == "answered" else seen.items
    errors = seen.wrong, seen.wrong + seen.ungraded
    return exact_bounds(counted, errors, seen.items, lock.certainty)
