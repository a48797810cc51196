"""Guesses counted in blocks of confidence, for data too large to hold row by row.

A block holds the guesses of one confidence, or of all confidences from one value up to
another. The counts at its ends are exact either way; what lies inside a block of
several confidences is known only to be in the box that these counts span.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from demur.arrays import Flags, Floats, Positions
from demur.curves.counting import Ladder, _frozen

AMOUNTS: Final = (
    *("right", "wrong", "ungraded", "partial"),
    *("weight", "loss", "unclear", "hopeless"),
)
"""What is summed in a block: counts of guesses first, then amounts in one unit.

``partial`` are right guesses of which only a part is credited; ``weight`` is that of
all guesses, ``loss`` what the graded ones cost, ``unclear`` the weight of ungraded ones
and ``hopeless`` that of guesses at unanswerable items.
"""

Amounts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Blocks:
    """Counts of one system's guesses by confidence.

    Parameters
    ----------
    low : array of float64, shape (n_blocks,)
        The least confidence that a block may hold, rising; -0.0 is 0.0.
    high : array of float64, shape (n_blocks,)
        For a block of one confidence that confidence; else the first above all that
        it may hold, infinity included in the block if that is infinite.
    amounts : array of int64, shape (n_blocks, 8)
        The sums named in `AMOUNTS`.
    """

    low: Floats
    high: Floats
    amounts: Amounts

    def __len__(self) -> int:
        return len(self.low)

    def of(self, name: str) -> Amounts:
        """One of the `AMOUNTS`, shape (n_blocks,)."""
        summed: Amounts = self.amounts[:, AMOUNTS.index(name)]
        return summed

    @property
    def guesses(self) -> Amounts:
        """How many guesses each block holds."""
        count: Amounts = self.amounts[:, :3].sum(axis=1)
        return count

    @property
    def erring(self) -> Amounts:
        """How many of them are not wholly right; ungraded ones among them."""
        count: Amounts = self.amounts[:, 1:4].sum(axis=1)
        return count

    @property
    def single(self) -> Flags:
        """Whether a block holds one confidence."""
        single: Flags = self.low == self.high
        return single

    @property
    def settled(self) -> Flags:
        """Whether nothing inside a block is unknown.

        It holds one confidence or one guess, or its guesses are all alike.
        """
        loss, unclear = self.of("loss"), self.of("unclear")
        alike = (loss + unclear == 0) & (self.of("hopeless") == 0)
        settled: Flags = self.single | (self.guesses == 1) | alike
        return settled

    def ladder(self) -> Ladder:
        """The ladder of weights and losses, with one position for each block."""
        return ladder(self.low, self.of("weight"), self.of("loss"), self.of("unclear"))

    def erring_ladder(self) -> Ladder:
        """The ladder that counts guesses, and those that are not wholly right."""
        return ladder(self.low, self.guesses, self.erring)

    def replaced(self, finer: "Blocks", low: float, high: float) -> "Blocks":
        """The blocks with those from one confidence up to another counted anew."""
        first, last = (int(np.searchsorted(self.low, end)) for end in (low, high))
        if high == np.inf:
            last = len(self)
        return Blocks(
            *(
                np.concatenate([ours[:first], theirs, ours[last:]])
                for ours, theirs in (
                    (self.low, finer.low),
                    (self.high, finer.high),
                    (self.amounts, finer.amounts),
                )
            )
        )


def ladder(
    low: Floats, weight: Amounts, loss: Amounts, unclear: Amounts | None = None
) -> Ladder:
    """The ladder of blocks: each is one tied block, and one position.

    Parameters
    ----------
    low : array of float64, shape (n_blocks,)
        The least confidence of each block, rising.
    weight, loss, unclear : arrays of int64, shape (n_blocks,)
        Sums over the guesses of each block.

    Examples
    --------
    Three confidences; in the middle one of two guesses is wrong:

    >>> counted = ladder(np.array([0.2, 0.5, 0.9]), *np.array([[1, 2, 1], [0, 1, 0]]))
    >>> counted.start, counted.loss, counted.withheld(2)
    (array([1]), array([1, 0]), np.int64(3))
    """
    unclear = np.zeros(len(low), np.int64) if unclear is None else unclear
    start = np.flatnonzero(loss + unclear)
    lost, open_ = (
        np.append(amounts[::-1].cumsum()[::-1][start], 0) for amounts in (loss, unclear)
    )
    below = np.concatenate(([0], weight.cumsum()))
    return _frozen(Ladder(low.copy(), below, start, start + 1, lost, open_))


# -- what may lie inside of a block ------------------------------------------------


@dataclass(frozen=True, eq=False)
class Spread:
    """Blocks cut in two as they would be in the best case, or in the worst.

    Parameters
    ----------
    blocks : Blocks
        With twice as many where a block is cut.
    source : array of int64, shape (n_blocks,)
        Which of the blocks before each comes from.
    inside : array of bool, shape (n_blocks + 1,)
        Whether a position lies inside of one of these; the last is silence.
    """

    blocks: Blocks
    source: Positions
    inside: Flags


def spread(blocks: Blocks, *, errors_first: bool, but: Sequence[int] = ()) -> Spread:
    """Cut each block of several confidences in its errors and the rest.

    Parameters
    ----------
    blocks : Blocks
        As they are counted.
    errors_first : bool
        Whether, as the cutoff rises, the errors are withheld first: the best case.
    but : sequence of int
        Blocks that are left whole.

    Examples
    --------
    >>> blocks = Blocks(
    ...     np.array([0.0, 0.5]), np.array([0.5, 0.5]),
    ...     np.array([[3, 1, 0, 0, 4, 1, 0, 0], [2, 0, 0, 0, 2, 0, 0, 0]]))
    >>> best = spread(blocks, errors_first=True)
    >>> best.blocks.of("wrong"), best.blocks.of("right"), best.inside
    (array([1, 0, 0]), array([0, 3, 2]), array([False,  True, False, False]))
    """
    cut = ~blocks.settled
    cut[list(but)] = False
    mixed = cut & (blocks.erring < blocks.guesses)
    source = np.repeat(np.arange(len(blocks)), 1 + mixed)
    second = np.append(False, source[1:] == source[:-1])
    first = np.append(second[1:], False)
    amounts = blocks.amounts[source]
    errs, rest = (first, second) if errors_first else (second, first)
    for place, part in ((errs, _errors_of), (rest, _rest_of)):
        amounts[place] = part(amounts[place])
    low = blocks.low[source]
    low[second] = np.nextafter(low[second], np.inf)
    finer = replace(blocks, low=low, high=blocks.high[source], amounts=amounts)
    return Spread(finer, source, np.append(second, False))


def _errors_of(amounts: Amounts) -> Amounts:
    """The sums over the guesses of a block that are not wholly right.

    Of weights the least that they may have: what they lose.
    """
    errors = amounts.copy()
    errors[:, 0] = amounts[:, 3]
    errors[:, 4] = np.minimum(amounts[:, 5] + amounts[:, 6], amounts[:, 4])
    return errors


def _rest_of(amounts: Amounts) -> Amounts:
    rest = amounts - _errors_of(amounts)
    rest[:, 7] = 0
    return rest


FINEST: Final = 40
MOST_BITS: Final = 61
GREATEST_POWER: Final = 1023


def rounding_unit(rows: int, most: float) -> float:
    """What weights that are no short decimals are multiplied by, to be whole numbers.

    They are rounded to a power of two, 2**-40 of the greatest if there are up to two
    million rows, so that sums stay below 2**61.

    Examples
    --------
    >>> rounding_unit(1000, 3.0) == 2.0**38, rounding_unit(9, 1e-300) == 2.0**1023
    (True, True)
    """
    bits = min(FINEST, MOST_BITS - math.ceil(math.log2(rows + 1)))
    return math.ldexp(1.0, min(bits - math.ceil(math.log2(most)), GREATEST_POWER))


# -- cuts --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cut:
    """How the guesses from one confidence up to another are counted.

    Parameters
    ----------
    low, high : float
        From ``low`` up to and without ``high``; infinity included if that is infinite.
    width : float
        Of the blocks: a power of two, their ends being multiples of it but where the
        cut ends; 0 counts each confidence apart, infinity all of them together.
    """

    low: float
    high: float
    width: float = 0.0

    @property
    def last(self) -> float | None:
        """The low end of the last block, where a confidence may be taken for beyond it.

        Divided by a width above 1, the least negative numbers become 0.
        """
        if not 1 < self.width < math.inf or self.high > 0:
            return None
        return (math.ceil(self.high / self.width) - 1) * self.width

    def parted(self) -> list["Cut"]:
        """The cut, or its parts below and above 0 if its blocks are wider than 1."""
        if 1 < self.width < math.inf and self.low < 0 < self.high:
            return [replace(self, high=0.0), replace(self, low=0.0)]
        return [self]


def recut(
    cuts: Sequence[Cut], spans: Sequence[tuple[float, float]], finer: Sequence[Cut]
) -> list[Cut]:
    """The cuts by which all blocks are counted, after some spans were counted again.

    Parameters
    ----------
    cuts : sequence of Cut
        Before, rising.
    spans : sequence of tuple (low, high)
        Whole blocks.
    finer : sequence of Cut
        How the spans were counted again.

    Examples
    --------
    >>> for cut in recut([Cut(0.0, 1.0, 0.5)], [(0.5, 1.0)], [Cut(0.5, 1.0)]):
    ...     print(cut.low, cut.high, cut.width)
    0.0 0.5 0.5
    0.5 1.0 0.0
    """
    kept = [*cuts]
    for low, high in spans:
        rest = []
        for cut in kept:
            ends = (cut.low, min(cut.high, low)), (max(cut.low, high), cut.high)
            rest += [replace(cut, low=a, high=b) for a, b in ends if a < b]
        kept = rest
    return sorted([*kept, *finer], key=lambda cut: (cut.low, cut.high))


def from_sums(cuts: Sequence[Cut], low: Floats, amounts: Amounts) -> Blocks:
    """Blocks from sums by the least confidence that each block may hold.

    Parameters
    ----------
    cuts : sequence of Cut
        How they were counted.
    low : array of float64, shape (n,)
        In any order; equal ones (-0.0 and 0.0) are added up.
    amounts : array of int64, shape (n, 8)
        The sums named in `AMOUNTS`.
    """
    low, place = np.unique(np.asarray(low, np.float64) + 0.0, return_inverse=True)
    total = np.zeros((len(low), len(AMOUNTS)), np.int64)
    np.add.at(total, place, amounts)
    high = low.copy()
    for cut in cuts:
        first = int(np.searchsorted(low, cut.low))
        last = len(low) if cut.high == np.inf else int(np.searchsorted(low, cut.high))
        if cut.width == np.inf:
            high[first:last] = cut.high
        elif cut.width:
            ends = np.floor(low[first:last] / cut.width) * cut.width + cut.width
            high[first:last] = np.minimum(ends, cut.high)
    return Blocks(low, high, total)


def joined(listed: Sequence[Blocks]) -> Blocks:
    """Blocks of other guesses put together; those that overlap become one.

    The counts at the ends of all that come out are exact.

    Parameters
    ----------
    listed : sequence of Blocks
        At least one.

    Examples
    --------
    One list has a block from 0 up to 0.5, the other has 0.3 and 0.5 apart:

    >>> amounts = np.ones((2, 8), np.int64)
    >>> coarse = Blocks(np.array([0.0]), np.array([0.5]), amounts[:1])
    >>> blocks = joined([coarse, Blocks(*2 * [np.array([0.3, 0.5])], amounts)])
    >>> blocks.low, blocks.high, blocks.of("right")
    (array([0. , 0.5]), array([0.5, 0.5]), array([2, 1]))
    """
    low, high, amounts = (
        np.concatenate([getattr(blocks, name) for blocks in listed])
        for name in ("low", "high", "amounts")
    )
    if not len(low):
        return Blocks(low, high, amounts)
    order = np.lexsort((high, low))
    low, high, amounts = low[order], high[order], amounts[order]
    beyond = _beyond(high, low)
    reach = np.maximum.accumulate(beyond)
    # A block that ends at infinity holds it, and whatever comes after.
    apart = (low[1:] >= reach[:-1]) & (reach[:-1] < np.inf)
    first = np.flatnonzero(np.append(True, apart))
    last = np.append(first[1:], len(low)) - 1
    alone = (low[first] == low[last]) & (reach[last] == beyond[first])
    alone &= low[first] == high[first]
    ends = np.where(alone, low[first], reach[last])
    return Blocks(low[first], ends, np.add.reduceat(amounts, first, axis=0))


def coarser(blocks: Blocks, least: int) -> Blocks:
    """Neighbouring blocks put together until each holds so many guesses.

    Parameters
    ----------
    blocks : Blocks
        Where all of them together hold fewer, one block comes out.
    least : int
        How many guesses a block must hold.

    Examples
    --------
    >>> amounts = np.ones((3, 8), np.int64)
    >>> few = coarser(Blocks(*2 * [np.array([0.1, 0.2, 0.3])], amounts), 4)
    >>> few.guesses, few.low, float(few.high[0])
    (array([9]), array([0.1]), 0.30000000000000004)
    """
    starts, held = [], least
    for place, guesses in enumerate(blocks.guesses.tolist()):
        if held >= least:
            starts.append(place)
            held = 0
        held += guesses
    if held < least and len(starts) > 1:
        starts.pop()
    if not starts:
        return blocks
    first = np.array(starts)
    last = np.append(first[1:], len(blocks)) - 1
    beyond = np.append(
        blocks.low[first[1:]], _beyond(blocks.high[-1:], blocks.low[-1:])
    )
    high = np.where(first == last, blocks.high[last], beyond)
    amounts = np.add.reduceat(blocks.amounts, first, axis=0)
    return Blocks(blocks.low[first], high, amounts)


def _beyond(high: Floats, low: Floats) -> Floats:
    """The first confidences above all that blocks may hold; infinity has none."""
    return np.where(low == high, np.nextafter(high, np.inf), high)


SPLITS: Final = 8
"""Into so many parts of about equal size, each with its own width of blocks."""


def planned_cuts(values: Floats, n_blocks: int, splits: int = SPLITS) -> list[Cut]:
    """Cut all confidences into about so many blocks of about equal size.

    Ends are multiples of powers of two, so that two lists of cuts share many of them.

    Parameters
    ----------
    values : array of float64, shape (n,)
        Confidences of some guesses.
    n_blocks : int
        About half as many come out at least.
    splits : int
        Into so many parts of equal size they are cut first, each with its own width.

    Examples
    --------
    >>> outer, inner, _ = planned_cuts(np.linspace(0.001, 0.999, 999), 1024)
    >>> outer, inner.width == 2.0**-10
    (Cut(low=-inf, high=0.0009765625, width=inf), True)
    """
    finite = values[np.isfinite(values)]
    if not len(finite):
        return [Cut(-np.inf, np.inf, np.inf)]
    ends = np.unique(
        np.quantile(finite, np.linspace(0, 1, splits + 1), method="nearest")
    )
    share = max(n_blocks // max(len(ends) - 1, 1), 1)
    runs: list[Cut] = []
    for low, high in itertools.pairwise(ends.tolist()):
        finest = 2 * max(np.spacing(abs(low)), np.spacing(abs(high)))
        width = max(_width((high - low) / share), float(finest))
        last = runs[-1] if runs else Cut(low, high, width)
        if 1 / ALIKE <= width / last.width <= ALIKE:
            low, width = last.low, min(width, last.width)
            runs = runs[:-1]
        runs.append(Cut(low, high, width))
    # Where widths change is a multiple of the finer one: a coarse block there is cut.
    fine = [min(a.width, b.width) for a, b in itertools.pairwise(runs)]
    inner = [
        math.ceil(cut.high / width) * width
        for cut, width in zip(runs[:-1], fine, strict=True)
    ]
    first, last_ = (runs[0], runs[-1]) if runs else (Cut(ends[0], ends[0], 1.0),) * 2
    outer = [math.floor(first.low / first.width) * first.width]
    beyond = (math.floor(last_.high / last_.width) + 1) * last_.width
    listed = [-np.inf, *outer, *inner, beyond, np.inf]
    places = np.maximum.accumulate(listed).tolist()
    widths = [np.inf, *(cut.width for cut in runs or [first]), np.inf]
    return [
        Cut(low, high, width)
        for (low, high), width in zip(itertools.pairwise(places), widths, strict=True)
        if low < high
    ]


ALIKE: Final = 4
"""Neighbouring parts whose widths differ by no more than that factor are cut alike."""


def up_to_ends(
    cuts: Sequence[Cut], ends: tuple[float, float] | None, n_blocks: int
) -> list[Cut]:
    """The cuts without the outer ones, where a few more blocks do in their place.

    Examples
    --------
    >>> cuts = [Cut(-np.inf, 1.0, np.inf), Cut(1.0, 2.0, 0.5), Cut(2.0, np.inf, np.inf)]
    >>> up_to_ends(cuts, (0.7, 2.5), 8)
    [Cut(low=0.5, high=3.0, width=0.5)]
    """
    listed = list(cuts)
    if ends is None or len(listed) < MOST_PLAIN or not np.isfinite(ends).all():
        return listed
    first, last = listed[1], listed[-2]
    low = math.floor(ends[0] / first.width) * first.width
    if (first.low - low) / first.width <= n_blocks:
        listed[:2] = [replace(first, low=min(low, first.low))]
    last = listed[-2]
    high = (math.floor(ends[1] / last.width) + 1) * last.width
    if ends[1] < high and (high - last.high) / last.width <= n_blocks:
        listed[-2:] = [replace(last, high=max(high, last.high))]
    return listed


MOST_PLAIN: Final = 3
"""Cuts are an outer one at each end and some between."""

LEAST_WIDTH: Final = 2.0**-1022
"""The inverse of smaller ones, by which engines multiply, would be infinite."""


def _width(wanted: float) -> float:
    """The power of two at or above."""
    if wanted < LEAST_WIDTH:
        return LEAST_WIDTH
    return float(2.0 ** np.ceil(np.log2(wanted)))
