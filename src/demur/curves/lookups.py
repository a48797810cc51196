"""Look-ups on a curve: the point at a nonreturn rate, an error rate, or a cutoff.

Comparisons are exact: rates are read as the decimals they print as, and compared as
ratios of integers. A vertex's own rate, as a float, finds that vertex again.
"""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from demur.arrays import Numbers, shortest
from demur.curves.counting import Ladder
from demur.curves.rates import Point
from demur.curves.totals import Totals
from demur.errors import InputError, UndefinedRate, shown

READINGS = ("linear", "at_most", "at_least")


def at_nonreturn(ladder: Ladder, total: Totals, rate: Fraction, how: str) -> Point:
    """The point at a nonreturn rate, in one of the `READINGS`."""
    wanted = _withheld_at(ladder, total, rate)
    if wanted < 0:
        return _left_of_start(ladder, total, rate, how)
    low, high = ladder.tie(ladder.reach(wanted))
    level = exact(ladder.withheld(low))
    if how == "at_most" or level == wanted:
        return _vertex(ladder, total, low, how)
    if how == "at_least":
        return _vertex(ladder, total, high, how)
    share = (wanted - level) / (exact(ladder.withheld(high)) - level)
    return _inside(ladder, total, low, high, share)


def _withheld_at(ladder: Ladder, total: Totals, rate: Fraction) -> Fraction:
    """Weight of withheld guesses at a nonreturn rate; that of a vertex if equal.

    A vertex's own nonreturn, as a float, must find the vertex again.
    """
    wanted = Fraction(rate * exact(total.weight) - exact(total.no_guess))
    for amount in ladder.near(wanted):
        if (total.no_guess + amount) / total.weight == float(rate):
            return Fraction(amount)
    return wanted


def _left_of_start(ladder: Ladder, total: Totals, rate: Fraction, how: str) -> Point:
    if how == "at_least":
        return _vertex(ladder, total, 0, how)
    weight = exact(total.weight)
    missing = exact(total.no_guess) - rate * weight
    high = (exact(total.loss) + exact(total.unclear) + missing) / weight
    bounds = (float(total.loss / total.weight), float(high))
    return Point(float(rate), None, None, None, None, None, None, bounds, how)


def at_error(ladder: Ladder, total: Totals, rate: Fraction, how: str) -> Point:
    """The point of least nonreturn at which the error is low enough."""
    wanted = rate * exact(total.weight)
    rising = ladder.loss[::-1]
    index = int(np.searchsorted(rising, float(wanted)))
    for amount in rising[max(index - 1, 0) : index + 1]:
        if amount / total.weight == float(rate):
            wanted = Fraction(amount.item())
    if how == "at_least":
        return _at_least_error(ladder, total, wanted, rate)
    # Losses fall from block to block; take the first that is low enough.
    n_low = int(np.searchsorted(rising, _key(rising, wanted, math.floor), "right"))
    block = len(rising) - n_low
    if block == 0:
        return _vertex(ladder, total, 0, how)
    low, high = int(ladder.start[block - 1]), int(ladder.end[block - 1])
    after, before = exact(ladder.loss[block]), exact(ladder.loss[block - 1])
    if how == "at_most" or after == wanted:
        return _vertex(ladder, total, high, how)
    return _inside(ladder, total, low, high, (before - wanted) / (before - after))


def _at_least_error(
    ladder: Ladder, total: Totals, wanted: Fraction, rate: Fraction
) -> Point:
    rising = ladder.loss[::-1]
    n_low = int(np.searchsorted(rising, _key(rising, wanted, math.ceil), "left"))
    block = len(rising) - n_low - 1
    if block < 0:
        raise UndefinedRate(
            f"at: no vertex has error >= {float(rate):g}; the greatest is "
            f"{float(total.loss / total.weight):g}."
        )
    n = len(ladder.ranked)
    position = int(ladder.start[block]) if block < len(ladder.start) else n
    return _vertex(ladder, total, position, "at_least")


def at_cutoff(ladder: Ladder, total: Totals, cutoff: Any) -> Point:
    """The point at which every guess of at least this confidence is answered."""
    try:
        value = ladder.ranked.dtype.type(cutoff)
    except (TypeError, ValueError, OverflowError):
        value = ladder.ranked.dtype.type("nan")
    if np.isnan(value):
        raise InputError("at", "cutoff", "be a number", shown(cutoff))
    position = int(np.searchsorted(ladder.ranked, value, "left"))
    point = _vertex(ladder, total, position, "exact")
    return replace(point, cutoff=float(cutoff))


def _vertex(ladder: Ladder, total: Totals, position: int, how: str) -> Point:
    withheld, loss, missed, right, unclear = amounts_at(ladder, total, position)
    weight = total.weight
    end = position == len(ladder.ranked)
    return Point(
        nonreturn=float(withheld / weight),
        error=float(loss / weight),
        missed=_rate(missed / weight),
        right=_rate(right / weight),
        ungraded=float(unclear / weight),
        cutoff=None if end else shortest(ladder.ranked[position]),
        between=None,
        bounds=(float(loss / weight), float((loss + unclear) / weight)),
        how=how,
    )


def _inside(
    ladder: Ladder, total: Totals, low: int, high: int, share: Fraction
) -> Point:
    """A point inside a tied block, part of which is answered at random."""
    weight = exact(total.weight)
    ends = zip(amounts_at(ladder, total, low), amounts_at(ladder, total, high), strict=True)
    rates = [
        (exact(first) + share * (exact(last) - exact(first))) / weight
        for first, last in ends
    ]
    withheld, loss, missed, right, unclear = map(_rate, rates)
    end = high == len(ladder.ranked)
    upper = None if end else shortest(ladder.ranked[high])
    return Point(
        nonreturn=withheld,
        error=loss,
        missed=missed,
        right=right,
        ungraded=unclear,
        cutoff=None,
        between=(shortest(ladder.ranked[low]), upper, float(share)),
        bounds=(loss, float(rates[1] + rates[4])),
        how="linear",
    )


def amounts_at(ladder: Ladder, total: Totals, position: Any) -> tuple[Any, ...]:
    """Withheld, loss, missed, right and ungraded weight at vertex positions."""
    index = ladder.blocks_before(position)
    loss, unclear = ladder.loss[index], ladder.ungraded[index]
    withheld = total.no_guess + ladder.withheld(position)
    right = total.weight - withheld - loss - unclear
    return withheld, loss, total.credit - right, right, unclear


def _rate(value: Any) -> float:
    """A rate; rounding of odd weights never leaves [0, 1]."""
    return min(max(float(value), 0.0), 1.0)


def exact(amount: Any) -> Any:
    """An amount as a whole number or an exact ratio of whole numbers."""
    amount = amount.item() if isinstance(amount, np.generic) else amount
    return amount if isinstance(amount, int) else Fraction(amount)


def _key(rising: Numbers, wanted: Fraction, rounded: Any) -> Any:
    """``wanted`` for a search among ``rising``: rounded only for integers."""
    return rounded(wanted) if rising.dtype.kind == "i" else float(wanted)
