"""Two systems as they decide themselves to decline: differences, with tests."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from demur.arrays import Flags, Floats, Sample, summed
from demur.checks import choice
from demur.comparisons.weighted_errors import check_weights
from demur.outcomes.fields import UNGRADED
from demur.outcomes.parts import sample_of
from demur.outcomes.table import Outcomes
from demur.statistics.equal_units import equal_units_of
from demur.statistics.paired_tests import (
    REPLICATES,
    Difference,
    by_influence,
    check_paired,
)
from demur.statistics.sign_tests import (
    EXACT_UNITS,
    counted_flips,
    mcnemar_exact,
    sign_flip,
)
from demur.statistics.units import ItemValues, agreeing, left_out, score_of

OWN_RATES = ("own error", "own nonreturn")

WEIGHTED: Final = "weighted error"
"""What `demur.score` weighs: ``weight * error + nonreturn``, by own decisions."""

LEAST = 1e-15
"""A difference of no more is of how sums of weights were rounded."""


def own_difference(
    a: Outcomes,
    b: Outcomes,
    *,
    quantity: str = "own error",
    unknown: tuple[str, str] | None = None,
    weight: float | None = None,
    level: float = 0.95,
    seed: int = 0,
) -> Difference:
    """Difference of two operating points in one rate, b less a, with a paired test.

    p is that of McNemar's exact test where every item counts the same and is lost or
    not, else that of flipped signs, cluster by cluster, but never below that of the
    interval, which is Student's t, widened to hold 0 where p is above 1 - level: the
    two always agree.

    Parameters
    ----------
    a, b : Outcomes
        Of one system each, the same items in the same order.
    quantity : {"own error", "own nonreturn", "weighted error"}
        Wrong answers that were not declined / items; items without a guess or with a
        declined one / items; the first a number of times and the second once.
    unknown : tuple of {"right", "wrong"}, optional
        What the ungraded answers of a and of b are taken for, and what failed. By
        default ungraded answers are right, and what failed is not returned.
    weight : float, optional
        Of the weighted error: what a wrong answer costs, if one not given costs 1.
    level : float
        Of the interval.
    seed : int
        Of random flips, if there are more than 12 items or clusters.

    Returns
    -------
    Difference

    Raises
    ------
    InputError
        If the tables do not belong together.
    UndefinedRate
        If there are fewer than five items or clusters.

    Examples
    --------
    >>> import demur
    >>> a = demur.Outcomes.from_arrays(correct=[1, 1, 0, 0, 0, 0, 0, 0])
    >>> b = demur.Outcomes.from_arrays(correct=[1, 1, None, 1, 1, 1, 1, 1])
    >>> found = own_difference(a, b)
    >>> found.value, found.p_value, found.method
    (-0.75, 0.03125, 'McNemar, exact')
    """
    choice("own_difference", "quantity", quantity, [*OWN_RATES, WEIGHTED])
    of_a, of_b = unknown or ("", "")
    first = sample_of(a, ungraded=of_a or "right")
    second = sample_of(b, ungraded=of_b or "right")
    check_paired([first, second])
    if quantity == WEIGHTED:
        check_weights("own_difference", [weight])
    lost = (
        own_amounts(first, a.declined, a.failed, quantity, of_a, weight),
        own_amounts(second, b.declined, b.failed, quantity, of_b, weight),
    )
    apart = lost[1] - lost[0]
    if weight is None or quantity != WEIGHTED:
        return difference_of_amounts(first, apart, quantity, level, seed)
    most = max(weight, 1.0)  # what an item can lose at most: tests are of shares of it
    tested = difference_of_amounts(first, apart / most, quantity, level, seed)
    return _times(tested, most, f"{WEIGHTED} at weight {weight:g}")


def _times(tested: Difference, most: float, what: str) -> Difference:
    """The same difference, where an item can lose more than 1."""
    ends = (None if end is None else most * end for end in (tested.low, tested.high))
    low, high = ends
    value = most * tested.value
    return replace(tested, value=value, low=low, high=high, what=what, score=None)


def difference_of_amounts(
    first: Sample, apart: Floats, quantity: str, level: float, seed: int
) -> Difference:
    """The same from what each item loses more by b than by a; of either sample."""
    number = first.number
    weight = np.ones(len(first)) if first.weight is None else first.weight
    total = summed(weight, number)
    share = weight / total
    # Summed before it is divided, so that errors as many as others are no difference.
    value = summed(weight * apart, number) / total
    value = value if abs(value) > LEAST else 0.0
    moved = left_out(share * (apart - value), weight, first.cluster, number)
    # Whole answers may differ where none did; shares, by as much as any that was seen.
    most = 1.0 if _is_whole(apart) else float(np.abs(apart).max())
    items = ItemValues(
        apart, weight, first.cluster, smallest=-most, largest=most, number=number
    )
    score = score_of(items, level=level)
    worth = equal_units_of(first)
    test = by_influence(
        value, moved, level=level, worth=worth, score=score, number=number
    )
    p_value, method, drawn = _p_value(first, apart, share, seed)
    # The greater of the two, so that p and interval never say different things.
    p_value = max(p_value, test.p_value)
    ends = max(test.low or 0.0, -1.0), min(test.high or 0.0, 1.0)
    low, high = agreeing(ends, value, rejects=p_value <= 1 - level)
    return Difference(
        quantity=quantity,
        at=None,
        value=value,
        low=low,
        high=high,
        level=level,
        p_value=p_value,
        method=method,
        replicates=REPLICATES if drawn else None,
        seed=seed if drawn else None,
        n_items=first.n_items,
        n_clusters=None if first.cluster is None else first.n_clusters,
        p_error=math.sqrt(p_value * (1 - p_value) / REPLICATES) if drawn else None,
        score=score,
    )


Readings = list[tuple[str, str] | None]


def own_readings(parts: Sequence[Outcomes]) -> Readings:
    """What is unknown of both is taken for: as shown, least, most.

    Ungraded answers may be right or wrong; what failed may be right, wrong or declined.
    """
    if any((part.outcome == UNGRADED).any() or part.failed.any() for part in parts):
        return [None, ("wrong", "right"), ("right", "wrong")]
    return [None]


def unknown_text(quantity: str) -> str:
    """What might turn a verdict on a quantity."""
    failed = quantity in (*OWN_RATES, WEIGHTED)
    return f"ungraded answers{' or what failed' if failed else ''}"


def own_amounts(
    sample: Sample,
    declined: Flags | None,
    failed: Flags,
    quantity: str,
    unknown: str,
    weight: float | None = None,
) -> Floats:
    """What each item loses as the system decides, by one of `OWN_RATES`, or both."""
    answered = sample.guess
    if declined is not None:
        answered = answered & ~declined
    lost: Any = ~answered if quantity == "own nonreturn" else sample.loss * answered
    amounts: Floats = np.asarray(lost, np.float64)
    most = 1.0
    if weight is not None and quantity == WEIGHTED:
        amounts, most = weight * amounts + ~answered, max(weight, 1.0)
    if unknown:  # the most, or the least, that can be lost
        amounts[failed] = most * (unknown == "wrong")
    return amounts


def _is_whole(apart: Floats) -> bool:
    return bool(np.isin(apart, (-1.0, 0.0, 1.0)).all())


def _p_value(
    sample: Sample, apart: Floats, share: Floats, seed: int
) -> tuple[float, str, bool]:
    """The p value, how it was found, and whether signs were drawn."""
    if sample.cluster is None and sample.weight is None and _is_whole(apart):
        only_a, only_b = (
            int(summed(flags, sample.number)) for flags in (apart < 0, apart > 0)
        )
        return mcnemar_exact(only_a, only_b), "McNemar, exact", False
    drawn = sample.n_clusters > EXACT_UNITS
    method = "sign flips" if drawn else "sign flips, exact"
    if sample.number is not None:
        p_value = counted_flips(share * apart, sample.number, seed=seed)
    else:
        p_value = sign_flip(share * apart, cluster=sample.cluster, seed=seed)
    return p_value, method, drawn
