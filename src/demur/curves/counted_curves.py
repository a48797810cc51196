"""The curve of outcomes that are counted in blocks, with exact look-ups."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from demur.arrays import Floats, Numbers
from demur.curves.blocks import Blocks
from demur.curves.counted import CountedPart, Counts
from demur.curves.counting import Ladder
from demur.curves.curves import Curve
from demur.curves.known_cutoffs import known_point
from demur.curves.rates import AREA_OF_BLOCKS, Area, Point, point_of_amounts
from demur.errors import UndefinedRate


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CountedCurve(Curve):
    """A curve whose guesses are counted in blocks, most of several confidences.

    Whatever is looked up is exact: the block that holds it is counted again, each
    confidence apart; where that cannot be, it has bounds (`known_point`). Between the
    ends of other blocks the curve is drawn straight, and the area has bounds for what
    that may hide.

    Parameters
    ----------
    counts : Counts
        Whose blocks become finer where something is looked up.
    part : int
        Which part of it.
    blocks : Blocks
        As they were when the curve was made.
    """

    counts: Counts
    part: int
    blocks: Blocks

    @property
    def slack(self) -> tuple[float, float]:
        """By how much the area may be less, and more, with all confidences apart."""
        low, high = area_slack(self.blocks, self.totals.weight)
        return float(low.sum()), float(high.sum())

    def area(self) -> Area:
        """Area under the curve; its bounds hold for all confidences told apart."""
        area = super().area()
        low, high = self.slack
        if not (low or high):
            return area
        ends = max(area.low - low, 0.0), area.high + high
        return Area(None, area.observed, *ends, definition=AREA_OF_BLOCKS)

    @property
    def whole(self) -> bool:
        """Whether every confidence is counted apart, so that all figures are exact."""
        return bool(self.blocks.settled.all())

    def at(self, *unnamed: object, how: str = "linear", **look_up: Any) -> Point:
        """As `Curve.at`, exact also inside of a block."""
        super().at(*unnamed, how=how, **look_up)  # raises what is to be raised
        look_ups_settled(self.counts, {self.part: [{**look_up, "how": how}]})
        curve = curve_of(self.counts, self.part)
        point = Curve.at(curve, how=how, **look_up)
        if not self.counts.final or curve.ladder is None:
            return point
        blocks = self.counts.blocks(self.part)
        return known_point(blocks, curve.ladder, self.totals, point, look_up)

    @cached_property
    def crossing(self) -> float | None:
        """As `Curve.crossing`; ungraded guesses inside of its block are told apart."""
        crossing = plain_crossing(self)
        if crossing is None or not self.totals.ungraded:
            return crossing
        look_ups_settled(self.counts, {self.part: [{"nonreturn": crossing}]})
        if self.counts.final and self._hides(crossing):
            return None
        return plain_crossing(curve_of(self.counts, self.part))

    def _hides(self, nonreturn: float) -> bool:
        """Whether a rate lies in a block with ungraded guesses, or at its end."""
        blocks, total = self.blocks, self.totals
        gone = np.append(0, blocks.of("weight").cumsum()) + total.no_guess
        start, end = gone[:-1] / total.weight, gone[1:] / total.weight
        open_ = ~blocks.settled & (blocks.of("unclear") > 0)
        return bool((open_ & (start <= nonreturn) & (nonreturn <= end)).any())


def area_slack(blocks: Blocks, whole: Any) -> tuple[Floats, Floats]:
    """By how much each block may make the area less, and more.

    Inside of a block that weighs w and loses e, the area is e w / 2 if errors are
    spread evenly, e**2 / 2 if they are withheld first, and e w - e**2 / 2 if last.
    Ungraded guesses are no errors for the least area, and errors for the most.

    Parameters
    ----------
    blocks : Blocks
        As they are counted.
    whole : int or float
        What all items weigh.
    """
    weight, loss, unclear = (
        np.where(blocks.single, 0.0, blocks.of(name).astype(float))
        for name in ("weight", "loss", "unclear")
    )
    scale = 2.0 * float(whole) ** 2
    high = loss + unclear
    return loss * (weight - loss) / scale, high * (weight - high) / scale


def areas_settled(counts: Counts) -> None:
    """Split heavy blocks once, where they hold the bounds of an area far apart.

    Of very wide ranges of confidences, or of many close to each other, a few blocks
    hold most of the guesses. Each is cut in as many as make the sum of all bounds
    least, for as many in all. Where all blocks weigh about the same, as in many groups,
    another pass would gain little, and none is made.

    Parameters
    ----------
    counts : Counts
        Whose blocks become finer.
    """
    wanted: dict[tuple[float, float], int] = {}
    for part, its in enumerate(counts.parts):
        if not its.confident or its.totals.unanswered == its.totals.items:
            continue
        blocks = counts.blocks(part)
        width = np.add(*area_slack(blocks, its.totals.weight))
        heavy = np.argsort(-width, kind="stable")[:MOST_HEAVY]
        if 2 * width[heavy[:FEW_HEAVY]].sum() < width.sum() or (
            width.sum() <= FAR_APART
        ):
            continue
        heavy = heavy[width[heavy] > 0]
        root = np.sqrt(width[heavy])
        room = max(FAR_APART - float(width.sum() - width[heavy].sum()), FAR_APART / 2)
        number = np.ceil(3 * root * root.sum() / room)
        for block, n_blocks in zip(heavy.tolist(), number.tolist(), strict=True):
            span = float(blocks.low[block]), float(blocks.high[block])
            wanted[span] = max(wanted.get(span, 0), int(n_blocks))
    most = MOST_MORE / max(len(counts.parts) * sum(wanted.values()), MOST_MORE)
    fewer = {span: int(number * most) for span, number in wanted.items()}
    counts.split({span: number for span, number in fewer.items() if number > 1})


FAR_APART: Final = 1e-5
"""Bounds of an area that blocks leave so far apart make them finer once."""

MOST_MORE: Final = 1 << 18
"""So many further blocks all parts have at most, about."""

FEW_HEAVY: Final = 1 << 6
"""So few blocks must hold half of the distance between the bounds."""

MOST_HEAVY: Final = 1 << 8
"""So many blocks of a part are split at most."""


def plain_crossing(curve: Curve) -> float | None:
    """As the blocks of a curve stand."""
    crossing: float | None = Curve.crossing.func(curve)  # type: ignore[attr-defined]
    return crossing


def curve_of(counts: Counts, part: int, **words: Any) -> Curve:
    """The curve of one part, as its blocks are now."""
    its = counts.parts[part]
    ladder: Ladder | None = None
    hopeless: tuple[Floats, Numbers] = np.empty(0), np.empty(0, np.int64)
    if its.confident and its.totals.unanswered < its.totals.items:
        blocks = counts.blocks(part)
        ladder = blocks.ladder()
        asked = np.flatnonzero(blocks.of("hopeless"))
        hopeless = blocks.low[asked], blocks.of("hopeless")[asked]
    given: dict[str, Any] = {
        "system": its.system,
        "totals": its.totals,
        "ladder": ladder,
        "operating_point": own_decisions(its),
        "unanswerable": hopeless,
        "kinds": its.kinds,
        "failed": its.failed,
        "group": its.group,
        **words,
    }
    if ladder is None or counts.blocks(part).single.all():
        return Curve(**given)
    return CountedCurve(**given, counts=counts, part=part, blocks=counts.blocks(part))


def look_ups_settled(
    counts: Counts, wanted: Mapping[int, Sequence[Mapping[str, Any]]]
) -> bool:
    """Count again the blocks that hold look-ups until each is exact.

    Parameters
    ----------
    counts : Counts
        Whose blocks become finer.
    wanted : mapping of part to look-ups
        Each a mapping of the arguments of `Curve.at`.

    Returns
    -------
    bool
        Whether anything was counted again.
    """
    changed = False
    while counts.refine(
        {
            part: {
                block for look_up in listed for block in _holding(counts, part, look_up)
            }
            for part, listed in wanted.items()
        }
    ):
        changed = True
    return changed


def _holding(counts: Counts, part: int, look_up: Mapping[str, Any]) -> Iterator[int]:
    """The blocks whose confidences a look-up names, and those just below."""
    curve = curve_of(counts, part)
    if curve.ladder is None:
        return
    try:
        point = Curve.at(curve, **look_up)
    except UndefinedRate:
        return
    low, asked = counts.blocks(part).low, look_up.get("cutoff")
    if asked is not None:
        place = int(np.searchsorted(low, asked, "right")) - 1
        end = counts.blocks(part).high[place]
        if place >= 0 and low[place] != asked and (asked < end or end == np.inf):
            yield place
        return
    if point.cutoff is None and point.between is None and point.nonreturn < 1:
        return  # left of the curve's start
    for cutoff in point.between[:2] if point.between else (point.cutoff,):
        place = len(low) if cutoff is None else int(np.searchsorted(low, cutoff))
        yield from (place - 1, place)


def block_notes(counts: Counts, part: int) -> tuple[str, ...]:
    """What must be said of a curve whose blocks hold several confidences."""
    its = counts.parts[part]
    if not its.confident or its.totals.unanswered == its.totals.items:
        return ()
    if counts.blocks(part).settled.all() or counts.final:
        return ()  # an engine of final blocks says itself what they are
    width = sum(one.sum() for one in area_slack(counts.blocks(part), its.totals.weight))
    return (
        "counted in blocks of several confidences: what is looked up is exact, the "
        f"area lies between bounds {width:.1g} apart, and a picture joins the ends of "
        "blocks",
    )


def own_decisions(part: CountedPart) -> Point:
    """Where the system stands by its own decisions to decline."""
    return point_of_amounts(part.totals, *part.declined)
