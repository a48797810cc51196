"""Intervals and bands from counts, held against the rows that were counted."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import demur
from demur.arrays import Sample, rank
from demur.curves import counted
from demur.curves.blocks import Blocks
from demur.curves.counted_outcomes import CountedOutcomes
from demur.engines import sql_clusters
from demur.engines.memory import MemoryEngine
from demur.errors import InputError, UndefinedRate
from demur.statistics import counted_samples
from demur.statistics.equal_units import equal_units
from demur.statistics.paired_tests import paired_difference
from demur.statistics.quantities import Quantity
from demur.statistics.units import ItemValues, score_interval, score_p

CLOSE: Any = {"rel": 1e-9, "abs": 1e-12}


def tables(n: int, *, most: int = 400) -> Iterator[demur.Outcomes]:
    """Random tables with ties, infinities, ungraded, declined and missing guesses."""
    for seed in range(n):
        rng = np.random.default_rng(seed)
        rows = int(rng.integers(30, most))
        levels = int(rng.choice([3, 20, 10_000]))
        sure = rng.integers(0, levels, rows) / levels
        sure[:2] = (-np.inf, np.inf) if seed % 5 == 0 else sure[:2]
        wrong = rng.random(rows) > 0.3 + 0.6 * np.clip(sure, 0, 1)
        outcome = np.where(wrong, "wrong", "right").astype(object)
        outcome[rng.random(rows) < 0.1 * (seed % 2)] = "unanswered"
        outcome[rng.random(rows) < 0.05 * (seed % 3 == 0)] = "ungraded"
        yield demur.Outcomes.from_arrays(
            outcome=outcome.tolist(),
            confidence=np.where(outcome == "unanswered", np.nan, sure),
            declined=(rng.random(rows) < 0.1 * (seed % 4 == 0)).tolist(),
        )


def in_blocks(monkeypatch: pytest.MonkeyPatch, most: int = 8) -> None:
    monkeypatch.setattr(counted, "MOST_APART", 3)
    monkeypatch.setattr(counted, "MOST_BLOCKS", most)
    monkeypatch.setattr(counted, "LEAST_BLOCKS", most, raising=False)


def same(found: Any, wanted: Any) -> None:
    """Hold all that two results say against each other, numbers nearly."""
    ours, theirs = found.to_dict(), wanted.to_dict()
    assert ours.keys() == theirs.keys()
    for name in sorted({*ours} - {"recipe", "notes", "signature", "sentence"}):
        if isinstance(theirs[name], float | list):
            assert ours[name] == pytest.approx(theirs[name], **CLOSE), name
        else:
            assert ours[name] == theirs[name], name


def either(verb: Any, outcomes: Any, *asked: Any, **how: Any) -> Any:
    try:
        return verb(outcomes, *asked, **how)
    except UndefinedRate as why:
        return str(why)


def hold(verb: Any, rows: demur.Outcomes, *asked: Any, **how: Any) -> None:
    wanted = either(verb, rows, *asked, **how)
    found = either(verb, CountedOutcomes(MemoryEngine(rows)), *asked, **how)
    if isinstance(wanted, str):
        assert found == wanted
    else:
        same(found, wanted)


NUMBERS: list[tuple[str, float | None]] = [
    *(("error", rate) for rate in (0.0, 0.1, 0.37, 0.98)),
    ("area", None),
]


def test_intervals_of_confidences_apart() -> None:
    for number, rows in enumerate(tables(100)):
        hold(demur.interval, rows, *NUMBERS[number % len(NUMBERS)])


def test_nonreturns_of_confidences_apart() -> None:
    for number, rows in enumerate(tables(6)):
        hold(demur.interval, rows, "nonreturn", [0.2, 0.03][number % 2])


def test_intervals_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    in_blocks(monkeypatch)
    for number, rows in enumerate(tables(100)):
        hold(demur.interval, rows, *NUMBERS[number % 4])


def test_nonreturns_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The standard error rests on a stretch of the curve too long to tell apart."""
    in_blocks(monkeypatch)
    for number, rows in enumerate(tables(6)):
        asked = "nonreturn", [0.2, 0.03][number % 2]
        wanted = demur.interval(rows, *asked)
        found = demur.interval(CountedOutcomes(MemoryEngine(rows)), *asked)
        near = {"rel": 0.02, "abs": 1e-9}
        assert found.standard_error == pytest.approx(wanted.standard_error, **near)
        same(replace(found, standard_error=wanted.standard_error), wanted)


def test_an_error_of_many_items_tells_few_blocks_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(1)
    sure = rng.random(40_000)
    wrong = rng.random(40_000) > sure
    rows = demur.Outcomes.from_arrays(correct=~wrong, confidence=sure)
    monkeypatch.setattr(counted, "MOST_APART", 20_000)
    monkeypatch.setattr(counted, "MOST_BLOCKS", 512)
    outcomes = CountedOutcomes(MemoryEngine(rows))
    same(
        demur.interval(outcomes, "error", 0.2),
        demur.interval(rows, "error", 0.2),
    )
    blocks = outcomes.counts().blocks(0)
    assert 1_000 < np.count_nonzero(blocks.single) < 3_000
    assert np.count_nonzero(~blocks.single) > 300


def test_an_area_in_blocks_says_how_far_off_it_may_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(counted.Counts, "split", lambda *_: False)
    in_blocks(monkeypatch, 16)
    open_ = 0
    for rows in tables(100):
        wanted = either(demur.interval, rows)
        found = either(demur.interval, CountedOutcomes(MemoryEngine(rows)))
        within = getattr(found, "within", 0.0)
        open_ += bool(within)
        assert abs(found.value - wanted.value) <= within + 1e-12
        assert abs(found.low - wanted.low) <= 1.5 * within + 1e-9
        assert abs(found.high - wanted.high) <= 1.5 * within + 1e-9
        assert any("blocks" in note for note in found.notes) == bool(within)
    assert open_ > 30


@pytest.mark.parametrize("quantity", [("error", 0.2), ("area", None)])
def test_a_bootstrap_of_counts_is_that_of_rows(quantity: Any) -> None:
    for rows in tables(12):
        hold(demur.interval, rows, *quantity, method="bootstrap", seed=3)


@pytest.mark.parametrize("method", ["sup-t", "dkw", "influence", "bootstrap"])
def test_bands_of_confidences_apart(method: str) -> None:
    grid = np.array([0.0, 0.05, 0.2, 0.5, 0.9, 1.0])
    for rows in tables(100 if method == "dkw" else 25):
        hold(demur.band, rows, method=method, grid=grid, replicates=100)


def test_a_simultaneous_band_of_counts_needs_no_luck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_blocks(monkeypatch)
    for rows in tables(100):
        hold(demur.band, rows, method="dkw")


@pytest.mark.parametrize("method", ["sup-t", "influence", "bootstrap"])
def test_bands_in_blocks_are_nearly_as_wide(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The curve is exact; the edges are learned from blocks, and drawn from others."""
    rng = np.random.default_rng(5)
    sure = rng.random(20_000)
    correct = rng.random(20_000) < 0.5 + sure / 2
    rows = demur.Outcomes.from_arrays(correct=correct, confidence=sure)
    monkeypatch.setattr(counted, "MOST_APART", 10_000)
    monkeypatch.setattr(counted, "MOST_BLOCKS", 1_024)
    grid = np.linspace(0, 0.9, 10)
    wanted = demur.band(rows, method=method, grid=grid)
    found = demur.band(CountedOutcomes(MemoryEngine(rows)), method=method, grid=grid)
    assert found.error == pytest.approx(wanted.error, **CLOSE)
    width = wanted.high - wanted.low
    far = 5e-3 if method == "influence" else 0.1
    assert (np.abs(found.low - wanted.low) < far * width + 1e-12).all()
    assert (np.abs(found.high - wanted.high) < far * width + 1e-12).all()


def test_a_band_that_cannot_look_closer_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_blocks(monkeypatch, 16)
    monkeypatch.setattr(counted.Counts, "refine", lambda *_: False)
    open_ = 0
    for rows in tables(100):
        wanted = either(demur.band, rows, method="dkw")
        found = either(demur.band, CountedOutcomes(MemoryEngine(rows)), method="dkw")
        within = getattr(found, "within", 0.0)
        open_ += bool(within)
        for edge in ("error", "low", "high"):
            apart = np.abs(getattr(found, edge) - getattr(wanted, edge))
            assert (apart <= within + 1e-12).all()
        assert any("blocks" in note for note in found.notes) == bool(within)
    assert open_ > 30


def unlike_tables(n: int, *, most: int = 300) -> Iterator[demur.Outcomes]:
    """The tables above, with weights, partial credit, or both."""
    for seed, rows in enumerate(tables(n, most=most)):
        rng, right = np.random.default_rng(100 + seed), rows.outcome == "right"
        columns: dict[str, Any] = {}
        if seed % 3 != 1:
            columns["weight"] = rng.choice([1.0, 0.5, 3.0], len(rows))
        if seed % 3:
            credit = rng.choice([1.0, 0.5, 0.25], len(rows))
            columns["credit"] = np.where(right, credit, np.nan)
        yield replace(rows, **columns)


def test_intervals_of_weights_and_partial_credit() -> None:
    for number, rows in enumerate(unlike_tables(60)):
        hold(demur.interval, rows, *NUMBERS[number % len(NUMBERS)])
    for rows in unlike_tables(3, most=60):
        hold(demur.interval, rows, "nonreturn", 0.1)


def test_intervals_of_weights_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    in_blocks(monkeypatch)
    for number, rows in enumerate(unlike_tables(60)):
        hold(demur.interval, rows, *NUMBERS[number % 4])
        wanted, found = (
            either(demur.interval, one)
            for one in (rows, CountedOutcomes(MemoryEngine(rows)))
        )
        within = getattr(found, "within", 0.0)
        assert abs(found.value - wanted.value) <= within + 1e-12


@pytest.mark.parametrize("method", ["sup-t", "influence", "bootstrap"])
def test_bands_of_weights_and_partial_credit(method: str) -> None:
    grid = np.array([0.0, 0.05, 0.2, 0.5, 0.9, 1.0])
    for rows in unlike_tables(9):
        hold(demur.band, rows, method=method, grid=grid, replicates=100)
        hold(demur.interval, rows, "error", 0.2, method="bootstrap")


def test_weights_that_all_differ_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sql_clusters, "MOST_KINDS", 30)
    rows = demur.Outcomes.from_arrays(
        correct=[True] * 40, confidence=range(40), weight=range(1, 41)
    )
    demur.write_outcomes(rows, tmp_path / "a.jsonl")
    with pytest.raises(InputError, match=r"a\.jsonl: weights and credits .* 30 kinds"):
        demur.interval(demur.count_outcomes(tmp_path / "a.jsonl"))


def clustered_tables(n: int, *, most: int = 300) -> Iterator[demur.Outcomes]:
    """The tables above in clusters of unequal size, some with weights and credits."""
    plain_or_not = zip(tables(n, most=most), unlike_tables(n, most=most), strict=True)
    for seed, (plain, unlike) in enumerate(plain_or_not):
        rng, rows = np.random.default_rng(200 + seed), unlike if seed % 4 else plain
        many = int(rng.choice([4, 20, 90]))
        names = np.array([None, *(f"c{place}" for place in range(many))], object)
        chance = rng.dirichlet(np.ones(many + 1))
        yield replace(rows, cluster=rng.choice(names, len(rows), p=chance))


@pytest.mark.parametrize("blocks", [False, True])
def test_errors_of_clusters(blocks: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if blocks:
        in_blocks(monkeypatch)
    for number, rows in enumerate(clustered_tables(80)):
        hold(demur.interval, rows, *NUMBERS[number % 4])
        hold(demur.interval, rows, "error", (5 + number % 10) / 20)


def test_errors_of_clusters_in_duckdb(tmp_path: Path) -> None:
    for number, rows in enumerate(clustered_tables(12)):
        path = tmp_path / f"{number}.jsonl"
        demur.write_outcomes(rows, path)
        read, counted_ = demur.read_outcomes(path), demur.count_outcomes(path)
        for rate in (0.3, 0.6):
            wanted = either(demur.interval, read, "error", rate)
            found = either(demur.interval, counted_, "error", rate)
            if isinstance(wanted, str):
                assert found == wanted
            else:
                same(found, wanted)


def test_clusters_of_many_kinds_of_items_are_refused() -> None:
    rows = demur.Outcomes.from_arrays(
        correct=[True] * 80,
        confidence=range(80),
        weight=range(1, 81),
        cluster=[*range(20)] * 4,
    )
    with pytest.raises(InputError, match="at most 32 different weights"):
        demur.interval(CountedOutcomes(MemoryEngine(rows)), "error", 0.2)


def test_clusters_are_refused_where_each_item_counts() -> None:
    rows = demur.Outcomes.from_arrays(
        correct=[True, False] * 20, confidence=range(40), cluster=[*range(20)] * 2
    )
    for verb, asked in ((demur.interval, ("area",)), (demur.band, ())):
        with pytest.raises(InputError, match="20 clusters"):
            verb(CountedOutcomes(MemoryEngine(rows)), *asked)


def test_without_confidences_there_is_no_interval() -> None:
    rows = demur.Outcomes.from_arrays(correct=[True] * 10)
    for verb in (demur.interval, demur.band):
        hold(verb, rows)


def test_several_systems_are_refused() -> None:
    rows = demur.Outcomes.from_arrays(
        correct=[True, False] * 10, confidence=range(20), system=["a", "b"] * 10
    )
    with pytest.raises(InputError, match="system"):
        demur.interval(CountedOutcomes(MemoryEngine(rows)))


def test_each_of_several_systems_has_its_own_interval() -> None:
    correct = [True] * 20 + [True, False] * 10
    rows = demur.Outcomes.from_arrays(
        correct=correct, confidence=[*range(20)] * 2, system=["a"] * 20 + ["b"] * 20
    )
    alone = CountedOutcomes(MemoryEngine(rows)).systems()
    for verb, asked in ((demur.interval, ("error", 0.2)), (demur.band, ())):
        for name, one in zip("ab", alone, strict=True):
            same(verb(one, *asked), verb(rows.select(system=name), *asked))


def test_a_hundred_million_items_take_no_longer() -> None:
    low = np.arange(65_536) / 65_536
    amounts = np.zeros((65_536, 8), np.int64)
    amounts[:, 0] = 1_000 + np.arange(65_536) // 64
    amounts[:, 1] = 500 - np.arange(65_536) // 256
    amounts[:, 4] = amounts[:, :2].sum(axis=1)
    blocks = Blocks(low, low, amounts)
    assert blocks.guesses.sum() > 10**8
    number = np.concatenate([amounts[:, 0], amounts[:, 1]])
    sample = Sample(
        np.ones(2 * 65_536, bool),
        np.tile(low, 2),
        np.repeat([0.0, 1.0], 65_536),
        number=number,
    )
    assert len(rank(sample).first) == 65_536
    assert sample.n_items == blocks.guesses.sum()
    near = counted_samples.blocks_near(blocks, 0, {0.5: 1e-4})
    assert 5 < len(near) < 40


# -- samples that are counted, wherever they come from -------------------------------


def repeated(sample: Sample) -> Sample:
    assert sample.number is not None
    rows = np.repeat(np.arange(len(sample)), sample.number)
    weight = None if sample.weight is None else sample.weight[rows]
    facts = (sample.guess, sample.confidence, sample.loss)
    return Sample(*(each[rows] for each in facts), weight)


def pairs(n: int) -> Iterator[tuple[Sample, Sample]]:
    for seed in range(n):
        rng = np.random.default_rng(seed)
        rows = int(rng.integers(4, 40))
        number = rng.integers(1, 9, rows)
        weight = rng.choice([0.5, 1.0, 3.0], rows) if seed % 2 else None
        a, b = (
            Sample(
                rng.random(rows) < 0.9,
                rng.integers(0, 9, rows) / 9,
                rng.choice([0.0, 1.0, *[0.5] * (seed % 3 == 0)], rows),
                weight,
                number=number,
            )
            for _ in "ab"
        )
        for one in (a, b):
            one.loss[~one.guess] = 0.0
        yield a, b


@pytest.mark.parametrize(
    "quantity", [("error", 0.5), ("area", None), ("nonreturn", 0.2)]
)
def test_differences_of_counted_samples(quantity: tuple[str, float | None]) -> None:
    wanted = Quantity(*quantity)
    for a, b in pairs(100):
        how: Any = {"quantity": wanted, "method": "influence"}
        try:
            one = paired_difference(repeated(a), repeated(b), **how)
        except UndefinedRate as why:
            with pytest.raises(UndefinedRate, match=re.escape(str(why))):
                paired_difference(a, b, **how)
            continue
        same(paired_difference(a, b, **how), one)


@pytest.mark.parametrize("method", ["bootstrap", "permutation"])
def test_draws_of_counted_samples_follow_the_same_law(method: str) -> None:
    for a, b in list(pairs(12))[::3]:
        one, other = (
            paired_difference(*two, quantity=Quantity("area"), method=method, seed=1)
            for two in ((a, b), (repeated(a), repeated(b)))
        )
        assert one.value == pytest.approx(other.value, **CLOSE)
        assert one.p_value == pytest.approx(other.p_value, abs=0.05)


def test_scores_of_counted_items() -> None:
    for seed in range(100):
        rng = np.random.default_rng(seed)
        rows = int(rng.integers(3, 30))
        number = rng.integers(1, 9, rows)
        value = rng.choice([-1.0, 0.0, 1.0, 0.3], rows)
        weight = rng.choice([1.0, 2.5], rows)
        counted_ = ItemValues(value, weight, number=number)
        apart = ItemValues(np.repeat(value, number), np.repeat(weight, number))
        assert counted_.mean == pytest.approx(apart.mean, **CLOSE)
        assert counted_.n_units == apart.n_units
        assert counted_.worth == pytest.approx(apart.worth, **CLOSE)
        assert score_p(counted_) == pytest.approx(score_p(apart), **CLOSE)
        ends = (score_interval(one, level=0.9) for one in (counted_, apart))
        assert next(ends) == pytest.approx(next(ends), **CLOSE)
        units = equal_units(weight, number=number)
        assert units == pytest.approx(equal_units(np.repeat(weight, number)), **CLOSE)
