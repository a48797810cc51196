"""Intervals and bands of outcomes that are counted, by the functions for samples.

An item moves a number by where its block stands and what became of it alone, so a
sample has one row for all items alike, with how many there are. Blocks of several
confidences are told apart where an interval looks.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np

from demur.arrays import AlikeClusters, Floats, Ranking, Sample, rank, units_counted
from demur.curves.blocks import Blocks
from demur.curves.counted import Counts
from demur.curves.counted_units import ItemWorth, value_of
from demur.curves.curves import Curve
from demur.errors import InputError, UndefinedRate
from demur.statistics.bands import Band, band_rates, sample_band
from demur.statistics.described import band_of_curve, interval_of_curve
from demur.statistics.intervals import Interval, error_of_few, sample_interval
from demur.statistics.quantities import (
    REACH,
    SHIFT,
    WIDTH,
    Quantity,
    answered_shares,
    cutoff_moves,
    observed,
)
from demur.statistics.units import left_out, spread

READ: Final = "Read them into memory, or a sample of them: demur.read_outcomes."
"""What to do where counts do not tell."""

MOST_CELLS: Final = 32
"""Of so many different weights and losses items of clusters are counted."""

ROUNDS: Final = 8
"""So often blocks are counted again where an interval has moved."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CountedInterval(Interval):
    """An interval of a number that blocks of several confidences leave open.

    Parameters
    ----------
    within : float
        By how much all confidences told apart may move the number.
    """

    within: float

    @property
    def notes(self) -> tuple[str, ...]:
        """As without, and by how much the number may move."""
        return (*super().notes, _within(self.within))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CountedBand(Band):
    """A band around a curve that blocks of several confidences leave open.

    Parameters
    ----------
    within : float
        By how much all confidences told apart may move the curve.
    """

    within: float

    @property
    def notes(self) -> tuple[str, ...]:
        """As without, and by how much the curve may move."""
        return (*super().notes, _within(self.within))


def _within(most: float) -> str:
    return (
        "counted in blocks of confidences: told apart, they may move it by at most "
        f"{most:.2g}"
    )


def check_alone(where: str, counts: Counts, part: int, what: str = "") -> None:
    """Refuse items that hang together, where clusters are not looked at.

    Parameters
    ----------
    where : str
        The function, for the message.
    counts : Counts
        What is counted.
    part : int
        Which part of it.
    what : str
        What is wanted, with a space behind it.

    Raises
    ------
    InputError
        If they have clusters, or are sketched in blocks of several confidences.
    """
    check_unclustered(where, counts, part, what)
    if not counts.blocks(part).settled.all() and counts.final:
        need, got = "be counted each confidence apart", "a sketch with wider blocks"
        hint = "Intervals can be had of its rows, or of a sketch without --blocks."
        raise InputError(where, "outcomes", need, got, hint)


def check_unclustered(where: str, counts: Counts, part: int, what: str = "") -> None:
    """Refuse items with clusters, as `check_alone` does."""
    clusters = counts.clusters[part]
    if clusters is not None:
        need = f"be independent items {what}where they are counted"
        raise InputError(where, "outcomes", need, f"{clusters} clusters", READ)


def counted_sample(counts: Counts, part: int, *, ungraded: str = "wrong") -> Sample:
    """The sample of one part as its blocks are: a row for each block and outcome.

    Where items have weights or a part of the credit, for each block, weight and loss.

    Parameters
    ----------
    counts : Counts
        Of independent items.
    part : int
        Which part of it.
    ungraded : {"wrong", "right"}
        What ungraded answers are taken for.
    """
    its = counts.parts[part]
    if its.weighted or its.partial:
        return _sample_of_kinds(counts, part, ungraded)
    blocks = counts.blocks(part)
    wrong, right = blocks.of("wrong"), blocks.of("right")
    if ungraded == "wrong":
        wrong = wrong + blocks.of("ungraded")
    else:
        right = right + blocks.of("ungraded")
    number = np.concatenate([right, wrong, [its.totals.unanswered]]).astype(np.int64)
    kept = number > 0
    guess = np.append(np.ones(2 * len(blocks), bool), False)
    low = np.concatenate([blocks.low, blocks.low, [np.nan]])
    loss = np.repeat([0.0, 1.0, 0.0], [len(blocks), len(blocks), 1])
    return Sample(guess[kept], low[kept], loss[kept], number=number[kept])


def _sample_of_kinds(counts: Counts, part: int, ungraded: str) -> Sample:
    """The same of items with weights or partial credit."""
    items = counts.alike(part)
    lost = items.lost if ungraded == "wrong" else items.loss
    weight = value_of(items.weight, counts.parts[part].unit)
    return Sample(
        ~np.isnan(items.low),
        items.low,
        lost / items.weight,
        None if (weight == weight[0]).all() else weight,
        number=items.number,
    )


def clustered_sample(counts: Counts, part: int, rate: float) -> Sample:
    """The sample of clusters that are counted, with the cutoff at a rate alone.

    Guesses below that cutoff have one confidence, those at it another, and those above
    it a third: more does not matter to who is answered there.

    Parameters
    ----------
    counts : Counts
        Whose block at the rate becomes finer.
    part : int
        Which part of it.
    rate : float
        A nonreturn rate.
    """
    settle_rates(counts, {part: [rate]}, luck=False)
    blocks, total = counts.blocks(part), counts.parts[part].totals
    above = total.no_guess + blocks.of("weight").cumsum()
    place = int(np.searchsorted(above / total.weight, rate, "right"))
    return sample_at(counts, part, float(blocks.low[min(place, len(blocks) - 1)]))


def sample_at(counts: Counts, part: int, cutoff: float) -> Sample:
    """The same at a cutoff: guesses have confidences 0 below it, 1 at it, 2 above."""
    its, kinds = counts.parts[part], _kinds(counts, part)
    if len(kinds) > MOST_CELLS:
        need = f"have at most {MOST_CELLS} different weights and credits, to be counted"
        raise InputError("interval", "clusters", need, str(len(kinds)), READ)
    units = counts.units.cells(counts.by, part, cutoff, kinds)
    weights = [*dict.fromkeys(kind.weight for kind in kinds)]
    cells = [(low, kind) for kind in kinds for low in (0.0, 1.0, 2.0)]
    cells += [(np.nan, ItemWorth(weight, 0, ungraded=False)) for weight in weights]
    low = np.array([place for place, _ in cells])
    weight = np.array([kind.weight for _, kind in cells])
    loss = np.array(
        [
            (kind.weight if kind.ungraded else kind.loss) / kind.weight
            for _, kind in cells
        ]
    )
    of, cell = np.nonzero(units.sums)
    alike = AlikeClusters(of, units.sums[of, cell], units.number)
    value = value_of(weight[cell], its.unit)
    return Sample(
        ~np.isnan(low[cell]),
        low[cell],
        loss[cell],
        None if (value == value[0]).all() else value,
        number=alike.number,
        alike=alike,
    )


def _kinds(counts: Counts, part: int) -> list[ItemWorth]:
    """What items of a part weigh and lose."""
    its = counts.parts[part]
    if not (its.weighted or its.partial):
        return [ItemWorth(1, 0, ungraded=False), ItemWorth(1, 1, ungraded=False)] + [
            ItemWorth(1, 0, ungraded=True)
        ] * bool(its.totals.ungraded)
    items = counts.alike(part)
    facts = (items.weight.tolist(), items.loss.tolist(), items.ungraded.tolist())
    return [*dict.fromkeys(map(ItemWorth, *facts))]


def _clustered_error(counts: Counts, part: int, rate: float, level: float) -> Interval:
    """The interval of an error by clusters, from what engines list of them."""
    sample = clustered_sample(counts, part, rate)
    ranking = rank(sample)
    total = counts.parts[part].totals
    start = total.no_guess / total.weight
    distance = distance_of_luck(sample, ranking, rate) if rate >= start else 0.0
    while counts.refine(
        {part: blocks_near(counts.blocks(part), total.no_guess, {rate: distance})}
    ):
        pass
    near = observed(rank(counted_sample(counts, part)))
    return error_of_few(sample, near, at=rate, level=level)


def blocks_near(
    blocks: Blocks, silent: float, rates: Mapping[float, float]
) -> set[int]:
    """The blocks in which cutoffs stand, or may stand but for luck.

    Parameters
    ----------
    blocks : Blocks
        Of guesses.
    silent : float
        What the items without a guess weigh.
    rates : mapping of nonreturn rate to distance
        Where, and how far to both sides.
    """
    below = silent + np.concatenate(([0], np.cumsum(blocks.of("weight"))))
    total = float(below[-1])
    near: set[int] = set()
    for rate, distance in rates.items():
        first = int(np.searchsorted(below, (rate - distance) * total, "left"))
        last = int(np.searchsorted(below, (rate + distance) * total, "right"))
        near |= set(range(max(first - 2, 0), min(last + 1, len(blocks))))
    return near


def distance_of_luck(sample: Sample, ranking: Ranking, rate: float) -> float:
    """How far from a nonreturn rate guesses count for the slope of the curve there."""
    curves = observed(ranking)
    answered = answered_shares(ranking, rate, curves)
    cluster, number = sample.clusters, sample.number
    moves = cutoff_moves(ranking, rate, answered)
    moved = left_out(moves, ranking.weights(), cluster, number)
    return (REACH * WIDTH + SHIFT) * spread(moved, units_counted(cluster, number))


def settle_rates(
    counts: Counts, wanted: Mapping[int, Sequence[float]], *, luck: bool = True
) -> None:
    """Tell confidences apart near nonreturn rates, for several parts in one pass.

    Parameters
    ----------
    counts : Counts
        Whose blocks become finer.
    wanted : mapping of part to rates
        Where; rates left of a curve's start are passed over.
    luck : bool
        Whether also where the cutoffs might stand but for luck.
    """
    for _ in range(ROUNDS):
        near = {
            part: blocks_near(
                counts.blocks(part),
                counts.parts[part].totals.no_guess,
                near_rates(counts, part, rates, luck=luck),
            )
            for part, rates in wanted.items()
        }
        if not counts.refine(near):
            return


def near_rates(
    counts: Counts, part: int, rates: Sequence[float], *, luck: bool = True
) -> dict[float, float]:
    """Rates that a curve reaches, with how far from them confidences are told apart."""
    sample = counted_sample(counts, part)
    ranking = rank(sample)
    start = float(observed(ranking).start[0])
    return {
        rate: distance_of_luck(sample, ranking, rate) if luck else 0.0
        for rate in rates
        if rate >= start
    }


def counted_interval(
    counts: Counts,
    part: int,
    quantity: Quantity,
    *,
    level: float = 0.95,
    method: str = "influence",
    seed: int = 0,
) -> Interval:
    """The interval of one number of a part, as `intervals.sample_interval` has it.

    Exact; but blocks of several confidences leave open an area, and the standard error
    of a nonreturn, which rests on a long stretch of the curve. Of clusters that of an
    error by influence alone.
    """
    by_error = quantity.name == "error" and method == "influence"
    if not by_error or counts.engine.units is None:
        what = quantity.name if method == "influence" else f"{method} intervals"
        check_alone("interval", counts, part, f"for {what} ")
    check_line("interval", counts, part)
    if counts.clusters[part] is not None:
        return _clustered_error(counts, part, float(quantity.at or 0), level)

    def made() -> Interval:
        sample = counted_sample(counts, part)
        return sample_interval(
            sample, quantity=quantity, level=level, method=method, seed=seed
        )

    if quantity.name == "error":
        settle_rates(counts, {part: [float(quantity.at or 0)]})
        return made()
    estimate = made()
    if quantity.name == "nonreturn":
        return _settled_nonreturn(counts, part, estimate, made)
    if quantity.between is not None:
        settle_rates(counts, {part: quantity.between}, luck=False)
        estimate = made()
    within = _area_slack(counts.blocks(part), counts.parts[part].totals.weight)
    return (
        estimate if not within else CountedInterval(**_fields(estimate), within=within)
    )


def _settled_nonreturn(
    counts: Counts, part: int, estimate: Interval, made: Callable[[], Interval]
) -> Interval:
    """The interval of a nonreturn, once confidences near it and its ends are apart."""
    for _ in range(ROUNDS):
        before = counts.blocks(part)
        ends = [estimate.value, estimate.low, estimate.high]
        settle_rates(counts, {part: [min(max(end, 0.0), 1.0) for end in ends]})
        if counts.blocks(part) is before:
            return estimate
        estimate = made()
    return estimate


def counted_band(
    counts: Counts,
    part: int,
    *,
    method: str = "sup-t",
    level: float = 0.95,
    grid: Floats | None = None,
    replicates: int = 1000,
    seed: int = 0,
) -> Band:
    """The band around the curve of a part, as `bands.sample_band` has it.

    The curve is exact at its rates. How far the edges are from it is learned from the
    blocks; ``dkw`` depends on the number of items alone.
    """
    check_alone("band", counts, part)
    check_line("band", counts, part)
    start = float(observed(rank(counted_sample(counts, part))).start[0])
    rates = band_rates(grid, start)
    settle_rates(counts, {part: rates.tolist()}, luck=False)
    estimate = sample_band(
        counted_sample(counts, part),
        method=method,
        level=level,
        grid=grid,
        replicates=replicates,
        seed=seed,
    )
    blocks, its = counts.blocks(part), counts.parts[part].totals
    near = blocks_near(blocks, its.no_guess, dict.fromkeys(rates.tolist(), 0.0))
    open_ = np.array(sorted(near), int)[~blocks.settled[sorted(near)]]
    within = float(_boxes(blocks)[open_].max(initial=0.0)) / its.weight
    return estimate if not within else CountedBand(**_fields(estimate), within=within)


def _fields(estimate: Any) -> dict[str, Any]:
    return {one.name: getattr(estimate, one.name) for one in fields(estimate)}


def _boxes(blocks: Blocks) -> Floats:
    """What a curve inside of a block may lose more, or less."""
    lost, weight = _lost(blocks), blocks.of("weight").astype(float)
    boxes: Floats = lost * (weight - lost) / np.maximum(weight, 1)
    return np.where(blocks.settled, 0.0, boxes)


def _lost(blocks: Blocks) -> Floats:
    lost: Floats = (blocks.of("loss") + blocks.of("unclear")).astype(float)
    return lost


def _area_slack(blocks: Blocks, weight: Any) -> float:
    """By how much blocks may move an area: half of the boxes in which curves run."""
    inside = ~blocks.settled
    lost, whole = _lost(blocks)[inside], blocks.of("weight")[inside].astype(float)
    return float(lost @ (whole - lost)) / (2.0 * float(weight) ** 2)


def check_line(where: str, counts: Counts, part: int) -> None:
    """Raise `UndefinedRate` for a part that has no curve."""
    its = counts.parts[part]
    if not its.confident or its.totals.unanswered == its.totals.items:
        raise UndefinedRate(
            f"{its.system or 'the system'} gives no confidences, so it has no curve.",
            where=where,
        )


class CountedEstimates:
    """Intervals and bands of several curves that are counted together.

    Parameters
    ----------
    counts : Counts
        Whose blocks become finer.
    curves : sequence of Curve
        Of its parts.
    level : float
        Of intervals and bands.
    """

    def __init__(self, counts: Counts, curves: Sequence[Curve], level: float) -> None:
        self.counts, self.curves, self.level = counts, curves, level

    def settle(self, rates: Sequence[float]) -> None:
        """Look closer at rates in all parts at once, where there are curves."""
        lines = [part for part, curve in enumerate(self.curves) if curve.ladder]
        settle_rates(self.counts, dict.fromkeys(lines, rates))

    def interval(self, part: int, *, quantity: str, at: float | None) -> Interval:
        """The interval of one number of a part."""
        wanted, clusters = Quantity(quantity, at), self.counts.clusters[part]
        if clusters is not None and quantity != "error":
            why = f"where outcomes are counted, {clusters} clusters have intervals of "
            raise UndefinedRate(f"{why}errors alone. {READ}", where="interval")
        estimate = counted_interval(self.counts, part, wanted, level=self.level)
        return interval_of_curve(self.curves[part], estimate, wanted.text)

    def band(self, part: int, *, method: str, seed: int) -> Band:
        """The band around the curve of a part."""
        how: Any = {"method": method, "seed": seed, "level": self.level}
        return band_of_curve(self.curves[part], counted_band(self.counts, part, **how))
