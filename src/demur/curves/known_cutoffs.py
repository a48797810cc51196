"""What is known of a curve inside of blocks that nobody can count again.

At the ends of blocks all counts are exact. Inside, a share of a block's guesses is
withheld and nobody knows which: at best all of its errors are among them, at worst as
few as the rest of the block leaves room for.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from demur.checks import decimal_fraction
from demur.curves.blocks import Blocks
from demur.curves.counting import Ladder, Totals
from demur.curves.rates import Point, amounts_at, exact
from demur.errors import UndefinedRate


def known_point(
    blocks: Blocks,
    ladder: Ladder,
    totals: Totals,
    point: Point,
    look_up: Mapping[str, Any],
) -> Point:
    """A point read from blocks as it may be said: exact, or with bounds.

    ``at_most`` and ``at_least`` take the nearest cutoff that is known, and so are
    exact as they stand.

    Parameters
    ----------
    blocks, ladder, totals : Blocks, Ladder and Totals
        Of the curve.
    point : Point
        Read as if all guesses of a block had one confidence.
    look_up : mapping
        The arguments of `Curve.at`.

    Raises
    ------
    UndefinedRate
        If a cutoff, or the nonreturn at an error, lies inside of a block.
    """
    if look_up.get("cutoff") is not None:
        check_cutoff("at", blocks, look_up["cutoff"])
    elif look_up.get("error") is not None and point.how == "linear":
        _check_error(blocks, ladder, totals, point)
    elif point.between is not None:
        place = int(np.searchsorted(blocks.low, point.between[0]))
        if not blocks.settled[place]:
            rate = decimal_fraction("at", "nonreturn", look_up["nonreturn"])
            ends = _bounds(blocks, ladder, totals, place, rate)
            return replace(
                point, error=None, missed=None, right=None, ungraded=None, bounds=ends
            )
    return point


def check_cutoff(where: str, blocks: Blocks, cutoff: float) -> None:
    """Raise `UndefinedRate` if a cutoff lies inside of a block."""
    place = int(np.searchsorted(blocks.low, cutoff, "right")) - 1
    if place < 0 or blocks.single[place] or cutoff == blocks.low[place]:
        return
    low, high = float(blocks.low[place]), float(blocks.high[place])
    if cutoff < high or high == np.inf:
        why = f"the cutoff {cutoff:g} lies inside of a block of confidences; known are "
        ends = f"{low!r} and {high!r}" if high < np.inf else f"{low!r} and silence"
        raise UndefinedRate(f"{why}{ends}.", where=where)


def _check_error(blocks: Blocks, ladder: Ladder, totals: Totals, point: Point) -> None:
    """Raise unless the error falls so low at once, and not inside of a block."""
    cutoff = point.between[0] if point.between else point.cutoff
    place = len(blocks) if cutoff is None else int(np.searchsorted(blocks.low, cutoff))
    place -= point.between is None  # the block that is just withheld
    if place < 0 or blocks.settled[place]:
        return
    least, most = (
        float((totals.no_guess + ladder.withheld(end)) / totals.weight)
        for end in (place, place + 1)
    )
    why = f"the nonreturn at that error lies inside of a block, from {least:g} to "
    hint = "how='at_most' takes the next cutoff that is known."
    raise UndefinedRate(f"{why}{most:g}; {hint}", where="at")


def _bounds(
    blocks: Blocks, ladder: Ladder, totals: Totals, place: int, rate: Fraction
) -> tuple[float, float]:
    """What the error can be where a rate lies inside of a block.

    No guess loses more than it weighs. So of the weight that is withheld there at most
    all, and at least what the block's rest does not cover, is lost or ungraded.
    """
    weight = exact(totals.weight)
    withheld, loss, _, _, unclear = map(exact, amounts_at(ladder, totals, place))
    share = rate * weight - withheld
    lost, open_, whole = (
        int(blocks.of(name)[place]) for name in ("loss", "unclear", "weight")
    )
    low = loss - min(share, lost)
    high = loss + unclear - max(share - (whole - lost - open_), 0)
    return float(Fraction(low) / weight), float(Fraction(high) / weight)
