"""Two systems whose items an engine joins and counts, ready to be compared."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from demur.arrays import Sample
from demur.checks import choice
from demur.comparisons.own_decisions import (
    OWN_RATES,
    difference_of_amounts,
    own_amounts,
)
from demur.curves.blocks import Cut
from demur.curves.counted import Counts
from demur.curves.counted_outcomes import CountedOutcomes
from demur.curves.of_outcomes import error_return
from demur.curves.paired_counts import PairedKinds, refuse_clusters
from demur.errors import InputError, shown
from demur.statistics.counted_samples import (
    READ,
    blocks_near,
    check_alone,
    near_rates,
    settle_rates,
)
from demur.statistics.paired_tests import Difference, paired_difference
from demur.statistics.quantities import Quantity

if TYPE_CHECKING:
    from demur.comparisons.comparing import Compared
    from demur.curves.curves import Curve
    from demur.outcomes.table import Outcomes

Pair = tuple[CountedOutcomes, CountedOutcomes]

MOST_KINDS: Final = 1 << 20
"""Of so many kinds of items at most whole curves are compared."""


@dataclass(frozen=True, kw_only=True)
class CountedSystems:
    """Two systems on the same items, counted: as `PairedSystems`, without rows.

    Parameters
    ----------
    tables : tuple of Outcomes
        None.
    curves : tuple of Curve
        Of the systems.
    items : {"equal", "common"}
        Whether these are all items of each, or those that all have.
    notes : tuple of str
        What was left out.
    counted : tuple of two CountedOutcomes
        Each of one system.
    pairs : PairedKinds
        What became of items with both, in cells that are told apart near some rates.
    is_whole : bool
        Whether all confidences are told apart.
    """

    tables: "tuple[Outcomes, ...]"
    curves: "tuple[Curve, ...]"
    items: str
    notes: tuple[str, ...]
    counted: tuple[CountedOutcomes, CountedOutcomes]
    pairs: PairedKinds
    is_whole: bool

    def sample(self, place: int, ungraded: str = "wrong") -> Sample:
        """What tests read of a system; ungraded answers are wrong, or right."""
        return self.pairs.sample(place, ungraded)

    @property
    def whole(self) -> bool:
        """Whether whole curves can be compared, not only their errors at rates."""
        return self.is_whole

    @property
    def by_people(self) -> bool:
        """Whether people have looked at a part of the answers."""
        return False

    @property
    def ungraded(self) -> bool:
        """Whether there are answers that nobody could judge."""
        return any(side.ungraded.any() for side in self.pairs.sides)

    @property
    def declines(self) -> bool:
        """Whether a system decides itself which guesses to give."""
        return self.pairs.declines

    def near(self, rates: Sequence[float]) -> "CountedSystems":
        """The same, with confidences told apart near other rates."""
        if self.whole:
            return self
        return replace(joined(self.counted, rates), items=self.items, notes=self.notes)

    def difference(
        self, a: Sample, b: Sample, *, quantity: Quantity, **testing: Any
    ) -> Difference:
        """The paired test of a number of two of its samples."""
        return paired_difference(a, b, quantity=quantity, **testing)

    def own_tests(self, level: float, seed: int) -> dict[str, list[Difference]]:
        """The tests of what the systems decide, for all readings of what is unknown."""
        sides = self.pairs.sides
        unknown = self.ungraded or any(side.failed.any() for side in sides)
        readings = [("", ""), ("wrong", "right"), ("right", "wrong")]
        tests: dict[str, list[Difference]] = {}
        for rate in OWN_RATES:
            for reading in readings if unknown else readings[:1]:
                samples = [
                    self.sample(place, taken or "right")
                    for place, taken in enumerate(reading)
                ]
                a, b = (
                    own_amounts(sample, side.declined, side.failed, rate, taken)
                    for sample, side, taken in zip(samples, sides, reading, strict=True)
                )
                test = difference_of_amounts(samples[0], b - a, rate, level, seed)
                tests.setdefault(rate, []).append(test)
        return tests


def counted_systems(
    a: Any, b: Any, asked: "Compared", rates: Sequence[float], *, items: str
) -> CountedSystems:
    """Two systems that are counted, joined where they lie.

    Raises
    ------
    InputError
        If one is not counted or not of one system, or what is asked needs rows.
    """
    for name, one in (("a", a), ("b", b)):
        if not isinstance(one, CountedOutcomes):
            need, hint = "be counted as the other one is", READ
            raise InputError("compare", name, need, type(one).__name__, hint)
        _check_one(name, one)
    if asked.gold is not None:
        need = "come without counted outcomes"
        raise InputError("compare", "gold", need, shown(asked.gold), READ)
    choice("compare", "items", items, ["equal", "common"])
    _check_names(a, b)
    _check_engines([one.counts() for one in (a, b)])
    if not all(_part(one).confident for one in (a, b)):
        rates = []
    pair, left_out = in_common((a, b)) if items == "common" else ((a, b), ())
    systems = joined(pair, rates)
    systems = replace(systems, items=items, notes=(*left_out, *systems.notes))
    if not systems.whole:
        for name in ("at_error", "area"):
            if getattr(asked, name) is not None:
                need = f"come with at most {MOST_KINDS} items or kinds of them"
                got = f"{int(systems.pairs.number.sum())} items"
                raise InputError("compare", name, need, got, READ)
    return systems


def _part(one: CountedOutcomes) -> Any:
    return one.counts().parts[0]


def _check_one(name: str, one: CountedOutcomes) -> None:
    parts = one.counts().parts
    if len(parts) > 1:
        names = ", ".join(shown(part.system) for part in parts[:5])
        hint = 'Select one: count_outcomes(..., where={"system": ...}).'
        raise InputError("compare", name, "be of one system and setting", names, hint)
    totals = parts[0].totals
    if totals.unanswered == totals.items and parts[0].failed:
        system = parts[0].system or "the system"
        failed = f"{parts[0].failed:,} of {totals.items:,} requests failed"
        need, got = "have answers to compare", f"none of {shown(system)}: {failed}"
        hint = "Ask it again, or leave it out."
        raise InputError("compare", "every system", need, got, hint)


def _check_names(a: CountedOutcomes, b: CountedOutcomes) -> None:
    names = [_part(one).system for one in (a, b)]
    if names[0] and names[0] == names[1]:
        hint = "Rename one: the column system."
        raise InputError(
            "compare", "the systems", "differ in name", shown(names[0]), hint
        )


def _check_engines(counts: Sequence[Counts]) -> None:
    engines = [one.engine for one in counts]
    if not hasattr(engines[0], "pairs") or engines[0].name != engines[1].name:
        need = "be counted by one engine that joins items"
        got = " and ".join(engine.name for engine in engines)
        raise InputError("compare", "the systems", need, got, READ)
    for one in counts:
        refuse_clusters(one.clusters[0])


def in_common(counted: Pair) -> tuple[Pair, tuple[str, ...]]:
    """Two systems on the items alone that both have, and a note on what is left out."""
    engines: Any = [one.engine for one in counted]
    parts = [_part(one) for one in counted]
    common = int(engines[0].pairs(engines[1], [_TOGETHER] * 2).number.sum())
    left_out = [part.totals.items - common for part in parts]
    if not common or min(left_out) < 0:
        raise _other_items(counted, common)
    if not any(left_out):
        return counted, ()
    a, b = (
        CountedOutcomes(engine).named(part.system)
        for engine, part in zip(engines[0].in_common(engines[1]), parts, strict=True)
    )
    named = ", ".join(
        f"{count} of {part.system or 'one'}"
        for count, part in zip(left_out, parts, strict=True)
    )
    return (a, b), (f"{common} common items; left out: {named}",)


_TOGETHER: Final = [Cut(-np.inf, np.inf, np.inf)]
"""All confidences in one cell."""


def joined(counted: Pair, rates: Sequence[float]) -> CountedSystems:
    """Join two systems, with confidences told apart near some rates, or all of them."""
    counts = [one.counts() for one in counted]
    whole = _whole(counts)
    cuts = [_cuts(one, rates, whole=whole) for one in counts]
    engines: Any = [one.engine for one in counts]
    pairs = engines[0].pairs(engines[1], cuts)
    curves = tuple(error_return(one) for one in counted)
    common = int(pairs.number.sum())
    if not common or any(curve.items != common for curve in curves):
        raise _other_items(counted, common)
    return CountedSystems(
        tables=(),
        curves=curves,
        items="equal",
        notes=() if whole else (BLOCKS,),
        counted=counted,
        pairs=pairs,
        is_whole=whole,
    )


BLOCKS: Final = (
    "counted in blocks of confidences: errors at rates are compared exactly, areas are "
    "not tested, and where one system is better all over is by the ends of blocks"
)
"""What is said where not all confidences are told apart."""


def _other_items(counted: Pair, common: int) -> InputError:
    """The error of systems that have not the same items."""
    a, b = (one.engine for one in counted)
    engines: Any = [(a, b), (b, a)]
    names = [_part(one).system for one in counted]
    left_out = [_part(one).totals.items - common for one in counted]
    if not common:
        need, hint = "have items in common", "Ids are compared as text."
        first, second = (
            f"{name or 'one'} has items such as {shown(one.item(other))}"
            for name, (one, other) in zip(names, engines, strict=True)
        )
        got = f"none: {first}, {second.replace(' has items', '', 1)}"
        return InputError("compare", "the systems", need, got, hint)
    if min(left_out) < 0:
        need, hint = "give each item once", "--check-items names one that is repeated."
        got = f"{common} pairs of {_part(counted[0]).totals.items} items"
        return InputError("compare", "the systems", need, got, hint)
    row = left_out.index(max(left_out))
    one, other = engines[row]
    got = f"{left_out[row]} items only of {names[row] or f'number {row + 1}'}"
    if (item := one.item(other, alone=True)) is not None:
        got += f", such as {shown(item)}"
    hint = "items=common compares on the items that all have."
    return InputError("compare", "the systems", "have the same items", got, hint)


def _blocks(counts: Counts) -> Any:
    """The blocks of a system that gives confidences; else None."""
    its = counts.parts[0]
    silent = its.totals.unanswered == its.totals.items
    return counts.blocks(0) if its.confident and not silent else None


def _whole(counts: Sequence[Counts]) -> bool:
    """Whether there can be only so many kinds of items."""
    items = max(one.parts[0].totals.items for one in counts)
    if items <= MOST_KINDS:
        return True
    sizes = 1
    for one in counts:
        blocks = _blocks(one)
        if blocks is not None and not blocks.single.all():
            return False
        sizes *= 4 * (1 if blocks is None else len(blocks))
    return sizes <= MOST_KINDS


def _cuts(counts: Counts, rates: Sequence[float], *, whole: bool) -> list[Cut]:
    """How confidences are told apart: all of them, or those near rates."""
    if _blocks(counts) is None or whole:
        while whole and _blocks(counts) is not None and _refined(counts):
            pass
        return [Cut(-np.inf, np.inf)]
    check_alone("compare", counts, 0)
    settle_rates(counts, {0: rates})
    blocks = counts.blocks(0)
    silent = counts.parts[0].totals.no_guess
    near = sorted(blocks_near(blocks, silent, near_rates(counts, 0, rates)))
    if not near:
        return [Cut(-np.inf, np.inf, np.inf)]
    ends = np.append(blocks.low, np.inf)
    cuts, last = [], -np.inf
    for run in np.split(near, np.flatnonzero(np.diff(near) > 1) + 1):
        low, high = float(ends[run[0]]), float(ends[run[-1] + 1])
        if low > last:
            cuts.append(Cut(last, low, np.inf))
        cuts.append(Cut(low, high))
        last = high
    return cuts if last == np.inf else [*cuts, Cut(last, np.inf, np.inf)]


def _refined(counts: Counts) -> bool:
    return counts.refine({0: range(len(counts.blocks(0)))})
