"""Locks and what a check of them says, whether items are read or counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from demur import checks
from demur.arrays import plain
from demur.decisions.choices import Choice
from demur.decisions.drifting import Drift
from demur.decisions.locks import Lock
from demur.decisions.mixes import Mix
from demur.decisions.rate_bounds import RateBounds
from demur.decisions.rechecks import SAME_ITEMS, Recheck
from demur.errors import InputError, shown
from demur.results import exactly

CERTAINTY = 0.95


ONLY_ABOVE = "count as errors, but not in the lower bound"


ONE_TEST = (
    "get all further labels before testing again: every look is another chance of a "
    "wrong verdict"
)


def locked(
    choice: Choice,
    counted: tuple[int, int, int],
    edges: Sequence[float],
    mix: Mix,
    certainty: float | None,
) -> Lock:
    """The lock of a choice, without what is kept of single items.

    Parameters
    ----------
    choice : Choice
        Which has found a cutoff.
    counted : tuple (items, answered, wrong)
        Of the outcomes that it was made on.
    edges : sequence of float
        Inner edges of the bins of confidence.
    mix : Mix
        Of these.
    certainty : float or None
        As for `lock`.

    Raises
    ------
    InputError
        If the choice was made on others.
    """
    items, answered, wrong = counted
    share = (items - answered) / items
    if abs(share - choice.nonreturn) > 1e-9:
        need = "be those that the cutoff was chosen on"
        got = f"nonreturn {share:g} at the cutoff, not {choice.nonreturn:g}"
        raise InputError("lock", "outcomes", need, got)
    if certainty is None:
        certainty = CERTAINTY if choice.certainty is None else choice.certainty
    checks.inner_fraction("lock", "certainty", certainty)
    no_guess, *counts = mix.counts.astype(int).tolist()
    return Lock(
        system=choice.system,
        rule=choice.rule,
        cutoff=choice.cutoff,
        target=choice.target,
        of=choice.of,
        certainty=float(certainty),
        items=items,
        declined=items - answered,
        wrong=wrong,
        no_guess=no_guess,
        edges=tuple(edges),
        counts=tuple(counts),
        design_effects=mix.effects,
        signature=f"{choice.signature}|recheck_certainty:{exactly(certainty)}",
        clusters=mix.clusters,
        worth=None if mix.clusters is None else mix.worth,
        covariances=mix.triangle,
    )


ALIKE: Final = (
    "as many items are declined and wrong, and as many are in each bin of confidence, "
    "as where the cutoff was chosen: they are taken for the same, which cannot test it"
)
NOT_KNOWN: Final = (
    "whether these are items that the cutoff was chosen on cannot be told: they are, "
    "or were, counted, not read"
)


def alike(lock: Lock, items: int, answered: int, wrong: int, moved: Drift) -> bool:
    """Whether all that a lock has counted is the same again."""
    same = (items, items - answered, wrong) == (lock.items, lock.declined, lock.wrong)
    return same and not moved.total_variation


def of_system_note(lock: Lock, system: str) -> list[str]:
    """A note where a lock is checked on another system than its own."""
    if system == lock.system:
        return []
    return [f"locked for {shown(lock.system)}, checked on {shown(system)}"]


@dataclass(frozen=True, slots=True)
class RecheckCounts:
    """How many new items there are of each sort; named as in `Recheck`."""

    items: int
    answered: int
    labelled: int
    wrong: int
    ungraded: int
    failed: int
    guesses: int


def checked(
    lock: Lock,
    seen: RecheckCounts,
    bounds: RateBounds,
    moved: Drift,
    *,
    same: bool = False,
    partial: bool = False,
) -> Recheck:
    """What counts and bounds at a locked cutoff say, without notes and recipe.

    Parameters
    ----------
    lock : Lock
        The cutoff and its target.
    seen : RecheckCounts
        At the cutoff.
    bounds : RateBounds
        Of the error there.
    moved : Drift
        How far confidences have moved.
    same : bool
        Whether these are the items of the lock.
    partial : bool
        Whether only a part of the answers is labelled.
    """
    verdict, further = _tested(lock, bounds, same=same, nothing=not seen.labelled)
    needed = None if further is None else -(-further * seen.answered // seen.items)
    return Recheck(
        lock=lock,
        verdict=verdict,
        items=seen.items,
        answered=seen.answered,
        labelled=seen.labelled,
        wrong=seen.wrong,
        ungraded=seen.ungraded,
        error=bounds.error if seen.guesses or not seen.failed else None,
        lower=bounds.lower,
        upper=bounds.upper,
        further_items=None if partial else further,
        further_labels=further if partial else needed,
        method=bounds.method,
        drift=moved,
        failed=seen.failed,
    )


def recipe_of(
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
        "locked_items": str(lock.items if lock.wholes is None else lock.wholes),
        **({} if largest is None else {"max_cluster": str(largest)}),
    }


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
