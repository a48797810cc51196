"""Outcomes that are counted where they lie, in files or in an engine, not read.

A `CountingEngine` answers one question: how many guesses are right, wrong and
ungraded, and what they weigh, for each part and each block of confidences. Everything
after the counts is what outcomes in memory have too. Where a figure lies inside of a
block of several confidences, that block alone is counted again, each confidence apart.
"""

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from demur.arrays import Floats
from demur.curves import blocks as blocks_
from demur.curves.blocks import Amounts, Blocks, Cut
from demur.curves.counted_units import AlikeItems, AlikeUnits, UnitEngine
from demur.curves.counting import ItemKinds, Shape, Totals
from demur.errors import InputError, shown

MOST_BLOCKS: Final = 1 << 16
"""Blocks that all parts together are cut into at first, about."""

LEAST_BLOCKS: Final = 1 << 9
"""Into so many at least a part is cut, however many parts there are."""

MOST_APART: Final = 1 << 20
"""So many different confidences are each counted apart."""

MANY_ALIKE: Final = 4
"""If a sample has each confidence so often, they are few."""

MOST_ENDS: Final = 1 << 12
"""So many ends of all blocks are numbers of a sample, where widths do not do."""

MOST_SPLITS: Final = 1 << 6
"""In so many parts of about equal size a block is cut, each in blocks of one width."""


@dataclass(frozen=True, eq=False)
class CountedPart:
    """What is known of the items of one curve before confidences are looked at.

    Parameters
    ----------
    system : str
        Who answered.
    group : mapping of str to str
        What the items have in common, by column.
    totals : Totals
        Sums over all items.
    declined : tuple (loss, unclear, weight)
        Of what the system decided not to give, or had no guess for: what the answered
        rest loses and leaves open, and the weight of what is not answered.
    became : ItemKinds
        What became of the items.
    confident : bool
        Whether its guesses have confidences.
    kinds : mapping of str to int
        Why items were not answered, and how often.
    failed : int
        How many items failed.
    notes : tuple of str
        What a reader must know.
    partial : int
        How many right items have only a part of the credit.
    unit : Fraction
        The weight of one in all amounts: those of other units cannot be added.
    unlabelled : int
        Answers that nobody has looked at.
    """

    system: str
    group: Mapping[str, str]
    totals: Totals
    declined: tuple[int, int, int]
    became: ItemKinds
    confident: bool = True
    kinds: Mapping[str, int] = field(default_factory=dict)
    failed: int = 0
    notes: tuple[str, ...] = ()
    partial: int = 0
    unit: Fraction = Fraction(1)
    unlabelled: int = 0

    @property
    def weighted(self) -> bool:
        """Whether items have unequal weights; of partial credit alone that is open."""
        return not self.partial and bool(self.totals.weight != self.totals.items)


@dataclass(frozen=True, eq=False)
class Sums:
    """What an engine has counted, a row for each part and block that is not empty.

    Parameters
    ----------
    part : array of int64, shape (n_rows,)
        Which of the parts.
    low : array of float64, shape (n_rows,)
        The least confidence that the block may hold.
    amounts : array of int64, shape (n_rows, 8)
        The sums named in `demur.curves.blocks.AMOUNTS`.
    high : array of float64, shape (n_rows,), or None
        The ends of the blocks, where they are not those of the cuts: an engine without
        rows gives the blocks that it has, and cannot count them again.
    """

    part: npt.NDArray[np.int64]
    low: Floats
    amounts: Amounts
    high: Floats | None = None


class Identity(NamedTuple):
    """What tells outcomes from others, without naming an item.

    Parameters
    ----------
    hashes : tuple of str
        The least hashes of items, rising; none if items are mere numbers of rows.
    data : tuple of str
        A hash of all items, of each of the tables that were put together; none if
        items are mere numbers of rows.
    fields : tuple of str
        Which of the columns with a meaning there are.
    """

    hashes: tuple[str, ...]
    data: tuple[str, ...]
    fields: tuple[str, ...]


class CountingEngine(Protocol):
    """What counts outcomes where they lie."""

    @property
    def name(self) -> str:
        """What the engine is called."""

    @property
    def recipe(self) -> Mapping[str, str]:
        """Where the outcomes come from, for signatures."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know of what was read."""

    @property
    def units(self) -> UnitEngine | None:
        """What lists items and clusters that are alike; None without rows."""

    def parts(self, by: Sequence[str]) -> Sequence[CountedPart]:
        """The systems, settings and groups, with their totals."""

    def distinct(self, low: float, high: float) -> int:
        """About how many different confidences there are from one up to another."""

    def sample(self) -> Floats:
        """Confidences of some guesses, about a hundred thousand."""

    def ends(self) -> tuple[float, float] | None:
        """The least and greatest confidence of a guess; None if that is not known."""

    def common(self) -> int | None:
        """How many items all systems have in common; None if all the same."""

    def restricted(self, values: Mapping[str, str]) -> "CountingEngine":
        """The same, of the rows of one system, setting and group."""

    def count(self, by: Sequence[str], cuts: Sequence[Cut]) -> Sums:
        """The guesses whose confidences are in the cuts, by part and block."""

    def clusters(self, by: Sequence[str]) -> Sequence[int | None]:
        """How many clusters the items of each part fall into; None: each stands alone.

        Repeats of an item are one where no clusters are named.
        """

    def identity(self) -> Identity:
        """What tells the outcomes from others, without naming an item."""


class Counts:
    """The parts of counted outcomes, each with blocks that become finer when asked.

    Parameters
    ----------
    engine : CountingEngine
        What counts.
    by : sequence of str
        Columns whose values cut the items into groups.

    Attributes
    ----------
    cuts : sequence of Cut or None
        How confidences are cut at first; None is by `first_cuts`.
    final : bool
        Whether the blocks that there are cannot be counted again.
    """

    def __init__(self, engine: CountingEngine, by: Sequence[str] = ()) -> None:
        self.engine, self.by = engine, tuple(by)
        self.parts = tuple(engine.parts(self.by))
        self.cuts: Sequence[Cut] | None = None
        self.final = False
        self._now: list[Cut] = []
        self._alike: AlikeItems | None = None

    @cached_property
    def clusters(self) -> tuple[int | None, ...]:
        """How many clusters the items of each part fall into."""
        return tuple(self.engine.clusters(self.by))

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """Whether the items of each part are independent and count the same."""
        both = zip(self.parts, self.clusters, strict=True)
        return tuple(Shape(part.weighted, clusters) for part, clusters in both)

    def blocks(self, part: int) -> Blocks:
        """The guesses of a part, by confidence."""
        return self._blocks[part]

    @cached_property
    def _blocks(self) -> list[Blocks]:
        """The guesses of each part as they are counted so far."""
        cuts = self.cuts or first_cuts(self.engine, self.parts)
        self.cuts, self._now = cuts, [*cuts]
        counted = self._counted(cuts)
        for part, blocks in zip(self.parts, counted, strict=True):
            if part.confident:
                _check_sums(part, blocks)
        return counted

    def _counted(self, cuts: Sequence[Cut]) -> list[Blocks]:
        cuts = [part for cut in cuts for part in cut.parted()]
        sums = self.engine.count(self.by, cuts)
        by_part = np.argsort(sums.part, kind="stable")
        ends_of_parts = np.searchsorted(
            sums.part, np.arange(1, len(self.parts)), sorter=by_part
        )
        rows_of_parts = np.split(by_part, ends_of_parts)
        if sums.high is not None:
            self.final = True
            low, high, amounts = sums.low, sums.high, sums.amounts
            return [Blocks(low[at], high[at], amounts[at]) for at in rows_of_parts]
        return [
            blocks_.from_sums(cuts, sums.low[rows], sums.amounts[rows])
            for rows in rows_of_parts
        ]

    def refine(self, wanted: Mapping[int, Iterable[int]]) -> bool:
        """Count some blocks again, each confidence apart if they are not too many.

        Parameters
        ----------
        wanted : mapping of part to its blocks
            Those of one confidence already are passed over.

        Returns
        -------
        bool
            Whether any were not; never where the blocks are `final`.
        """
        spans = {
            (float(blocks.low[one]), float(blocks.high[one]))
            for part, listed in wanted.items()
            for blocks, single in [(self.blocks(part), self.blocks(part).single)]
            for one in listed
            if 0 <= one < len(single) and not single[one]
        }
        if not spans or self.final:
            return False
        merged = _merged(sorted(spans))
        cuts = [cut for low, high in merged for cut in self._finer(low, high)]
        self._count_again(merged, cuts)
        return True

    def split(self, wanted: Mapping[tuple[float, float], int]) -> bool:
        """Count some blocks again, each in about so many smaller ones.

        Parameters
        ----------
        wanted : mapping of span to number
            The ends of blocks, which parts have in common.

        Returns
        -------
        bool
            Whether there were any; never where the blocks are `final`.
        """
        if not wanted or self.final:
            return False
        spans = sorted(wanted)
        share = min(MOST_ENDS / sum(wanted.values()), 1.0)
        cuts = [c for span in spans for c in self._smaller(*span, wanted[span], share)]
        self._count_again(spans, cuts)
        return True

    def _smaller(
        self, low: float, high: float, n_blocks: int, share: float
    ) -> list[Cut]:
        """A block cut finely where a sample says that much of it is."""
        held = (_inside(blocks, low, high) for blocks in self._blocks)
        values = self.engine.sample()
        values = values[(values >= low) & (values < high)]
        different = np.unique(values)
        few = 2 * n_blocks, len(values) // MANY_ALIKE
        if sum(int(blocks.guesses.sum()) for blocks in held) <= few[0] or (
            len(different) <= few[1]
        ):
            return [Cut(low, high)]
        cuts = self._as_sampled(low, high, n_blocks, MOST_SPLITS)
        if len(cuts) > 1 or cuts[0].width < (high - low) / 2:
            return cuts
        # Widths of numbers as small as these have no inverse: ends are numbers seen.
        number = max(int(n_blocks * share), 2)
        inner = np.quantile(different, np.arange(1, number) / number, method="nearest")
        ends = np.unique([low, *inner, high]).tolist()
        return [Cut(*pair, np.inf) for pair in itertools.pairwise(ends)]

    def _count_again(
        self, spans: Sequence[tuple[float, float]], cuts: Sequence[Cut]
    ) -> None:
        """Put the blocks of some spans in the place of those that are there."""
        finer = self._counted(cuts)
        self._now, self._alike = blocks_.recut(self._now, spans, cuts), None
        for part, blocks in enumerate(self._blocks):
            for low, high in spans:
                rows = _inside(finer[part], low, high)
                blocks = _replaced(blocks, rows, low, high)
            self._blocks[part] = blocks

    @property
    def units(self) -> UnitEngine:
        """What lists items and clusters that are alike.

        Raises
        ------
        InputError
            If an engine has no rows.
        """
        if self.engine.units is None:
            hint = "Count the rows themselves."
            need = "hold what each item weighs, and its cluster"
            raise InputError("count_outcomes", "the outcomes", need, "a sketch", hint)
        return self.engine.units

    @cached_property
    def decided(self) -> AlikeUnits:
        """Clusters, or items without, by what became of them as systems decided."""
        return self.units.decided(self.by)

    def alike(self, part: int) -> AlikeItems:
        """The items of a part that weigh and lose the same, in its blocks as they are.

        Raises
        ------
        InputError
            If there are too many kinds of items, or an engine has no rows.
        """
        self.blocks(part)
        if self._alike is None:
            cuts = [one for cut in self._now for one in cut.parted()]
            self._alike = self.units.alike(self.by, cuts)
        return self._alike.of(part)

    def _finer(self, low: float, high: float) -> list[Cut]:
        """How a span is counted again: in smaller blocks if it holds very many."""
        held = [
            _inside(self.blocks(part), low, high) for part in range(len(self.parts))
        ]
        guesses = sum(int(blocks.guesses.sum()) for blocks in held)
        if guesses <= MOST_APART or self.engine.distinct(low, high) <= MOST_APART:
            return [Cut(low, high)]
        widest = max(float((part.high - part.low).max(initial=0)) for part in held)
        cuts = self._as_sampled(low, high)
        if not np.isfinite(widest) or max(cut.width for cut in cuts) < widest:
            return cuts
        finest = 2 * float(np.spacing(max(abs(low), abs(high))))
        width = max(float(2.0 ** np.floor(np.log2(widest))) / FINER, finest)
        return [Cut(low, high, width if width < widest else 0.0)]

    def _as_sampled(
        self,
        low: float,
        high: float,
        n_blocks: int = MOST_BLOCKS,
        splits: int = blocks_.SPLITS,
    ) -> list[Cut]:
        """A span cut finely where a sample says that much of it is."""
        values = self.engine.sample()
        inside = values[(values >= low) & ((values < high) | (high == np.inf))]
        # Beyond all of the sample there is little, such as infinity: each value apart.
        return [
            Cut(
                max(cut.low, low),
                min(cut.high, high),
                cut.width if np.isfinite(cut.width) else 0.0,
            )
            for cut in blocks_.planned_cuts(inside, n_blocks, splits)
            if cut.low < high and low < cut.high
        ]


def first_cuts(
    engine: CountingEngine,
    parts: Sequence[CountedPart],
    n_blocks: int | None = None,
) -> list[Cut]:
    """How the confidences of all guesses are cut before anything is looked up.

    Parameters
    ----------
    engine : CountingEngine
        What counts.
    parts : sequence of CountedPart
        What its outcomes fall into.
    n_blocks : int, optional
        About how many blocks all parts have together, if there are more different
        confidences; `MOST_BLOCKS`, if there are more than `MOST_APART`, if left out.
    """
    apart, least = MOST_APART, LEAST_BLOCKS
    if n_blocks is not None:
        apart, least = n_blocks, FEWEST_BLOCKS
    if sum(part.totals.items for part in parts) <= apart:
        return [Cut(-np.inf, np.inf)]
    many = surely_more(engine.sample(), apart)
    if not many and engine.distinct(-np.inf, np.inf) <= apart:
        return [Cut(-np.inf, np.inf)]
    _check_size(engine)
    wanted = max((n_blocks or MOST_BLOCKS) // len(parts), least)
    cuts = blocks_.planned_cuts(engine.sample(), wanted)
    return blocks_.up_to_ends(cuts, engine.ends(), wanted)


MOST_SIZE: Final = 2.0**1000
"""Ends and widths of blocks of greater confidences would be beyond all floats."""


def _check_size(engine: CountingEngine) -> None:
    """Refuse confidences that are too great to be cut into blocks."""
    values = np.append(engine.sample(), engine.ends() or ())
    great = values[np.isfinite(values) & (np.abs(values) > MOST_SIZE)]
    if not len(great):
        return
    need = f"be infinite or within {MOST_SIZE:.2g} of 0, where very many are different"
    hint = (
        "Divide all by the same power of two, such as 2**64: their order is the same."
    )
    got = shown(float(great[0]))
    raise InputError("count_outcomes", "confidence", need, got, hint)


def surely_more(values: Floats, than: int) -> bool:
    """Whether a sample alone tells that there are more different confidences.

    Among n values drawn from k that are equally likely about n**2 / 2k pairs are equal,
    and more if they are not. A quarter of the pairs that ``than`` would give is enough
    to be sure; else they must be counted.

    Parameters
    ----------
    values : array of float64, shape (n,)
        Confidences of some guesses.
    than : int
        How many there may be.

    Examples
    --------
    >>> surely_more(np.arange(3000.0), 1000), surely_more(np.arange(3000.0), 10**6)
    (True, False)
    >>> surely_more(np.arange(1e5), 10**6), surely_more(np.arange(1e5) % 9e4, 10**6)
    (True, False)
    """
    different = len(np.unique(values))
    repeated = len(values) - different
    return different > than or len(values) ** 2 > 8 * than * max(repeated, MOST_CHANCE)


MOST_CHANCE: Final = 100
"""Fewer equal pairs than that may be expected by chance and not be there."""

FEWEST_BLOCKS: Final = 2 * blocks_.SPLITS
"""Into so few blocks confidences can be cut, about."""

FINER: Final = 1 << 10
"""Into so many a block is cut that holds too many different confidences."""


def _merged(spans: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Spans that touch put together."""
    merged = [spans[0]]
    for low, high in spans[1:]:
        if low <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(high, merged[-1][1])
        else:
            merged.append((low, high))
    return merged


def _places(blocks: Blocks, low: float, high: float) -> slice:
    first = int(np.searchsorted(blocks.low, low))
    last = len(blocks) if high == np.inf else int(np.searchsorted(blocks.low, high))
    return slice(first, last)


def _inside(blocks: Blocks, low: float, high: float) -> Blocks:
    rows = _places(blocks, low, high)
    return Blocks(blocks.low[rows], blocks.high[rows], blocks.amounts[rows])


def _replaced(blocks: Blocks, finer: Blocks, low: float, high: float) -> Blocks:
    rows = _places(blocks, low, high)
    before, after = blocks.amounts[rows].sum(axis=0), finer.amounts.sum(axis=0)
    if (before != after).any():
        raise _changed(int(before[:3].sum()), int(after[:3].sum()))
    return blocks.replaced(finer, low, high)


def _changed(before: int, after: int) -> InputError:
    need = "stay as they are while they are counted"
    got = f"{before} guesses in one pass, {after} in a later one"
    got += ", judged otherwise" if before == after else ""
    hint = "Count a copy, or a time range that is complete."
    return InputError("count_outcomes", "the outcomes", need, got, hint)


def _check_sums(part: CountedPart, blocks: Blocks) -> None:
    """Raise `InputError` where a later pass has counted other rows than the first."""
    total = part.totals
    names = ("right", "wrong", "ungraded", "loss", "unclear")
    before = [total.right, total.wrong, total.ungraded, total.loss, total.unclear]
    after = [int(blocks.of(name).sum()) for name in names]
    if after != before:
        raise _changed(sum(before[:3]), sum(after[:3]))


# -- figures that lie inside of blocks ---------------------------------------------


def settle(
    counts: Counts,
    part: int,
    rule: Callable[[Blocks], int | None],
    *,
    errors_first: bool = True,
) -> int | None:
    """The position that a rule takes, which no finer count would change.

    The rule is tried on blocks cut as they would be in the best case (or the worst,
    for rules that ask whether all cutoffs pass). Where it takes a position inside of a
    block, or that block's end is no confidence of a guess, the block is counted again.

    Parameters
    ----------
    counts : Counts
        Whose blocks become finer.
    part : int
        Which part.
    rule : callable
        From blocks to a position, or None.
    errors_first : bool
        As in `demur.curves.blocks.spread`.

    Returns
    -------
    int or None
        A position among ``counts.blocks(part)`` as they are afterwards.
    """
    while True:
        blocks, open_ = counts.blocks(part), set[int]()
        while True:
            cut = blocks_.spread(blocks, errors_first=errors_first, but=sorted(open_))
            position = rule(cut.blocks)
            if position is None or not cut.inside[position]:
                break
            place = int(cut.source[position])
            last = min(place + NEAR, len(blocks) - 1)
            open_ |= {*range(max(place - NEAR, 0), last + 1)}
        named = set[int]()
        if position is not None:  # the block it names, and the one just withheld
            named = {*cut.source[max(position - 1, 0) : position + 1].tolist()}
        if not counts.refine({part: open_ | named}):
            if position is None or position == len(cut.source):
                return None if position is None else len(blocks)
            return int(cut.source[position])


NEAR: Final = 4
"""Blocks on either side that are counted again with one, since they may be next."""
