"""Areas of counted outcomes lie between bounds that are close, and say what from."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import demur
from demur.curves import counted
from demur.curves.counted_curves import FAR_APART
from demur.curves.counted_outcomes import CountedOutcomes
from demur.curves.rates import AREA_DEFINITION, AREA_OF_BLOCKS
from demur.engines.memory import MemoryEngine

SHAPES: dict[str, Any] = {
    "even": lambda u, _: u,
    "wide": lambda u, _: 10 ** (600 * u - 300),
    "logarithms": lambda u, rng: (
        -rng.exponential(50, len(u)) * np.where(u < 0.5, 1e-6, 1)
    ),
    "near one": lambda u, _: 1 - 10 ** (-12 * u),
    "two heaps": lambda u, rng: np.where(
        u < 0.5, np.exp(-1 / rng.random(len(u)) ** 0.5) * 1e-300, 1e300 * u
    ),
    "a few are huge": lambda u, _: np.where(u < 1e-3, 1e300 * u, u),
    "near each other": lambda u, rng: np.where(
        u < 0.6, 0.7 + 1e-9 * rng.random(len(u)), u
    ),
}


class Passes(MemoryEngine):
    """Counts how often guesses are counted."""

    passes = 0

    def count(self, *asked: Any) -> Any:
        self.passes += 1
        return super().count(*asked)


def table(shape: str, rows: int) -> demur.Outcomes:
    rng = np.random.default_rng(3)
    share = rng.random(rows)
    sure = SHAPES[shape](share, rng)
    rank = np.argsort(np.argsort(sure)) / rows
    return demur.Outcomes.from_arrays(correct=rng.random(rows) < rank, confidence=sure)


@pytest.fixture(autouse=True)
def few_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted, "MOST_APART", 2_000)


@pytest.mark.parametrize("shape", SHAPES)
def test_bounds_of_any_confidences_are_close(shape: str) -> None:
    rows = table(shape, 60_000)
    engine = Passes(rows)
    curve = demur.error_return(CountedOutcomes(engine))
    area, wanted = curve.area(), demur.error_return(rows).area().value
    assert wanted is not None
    assert area.low <= wanted <= area.high
    assert area.high - area.low <= (FAR_APART if engine.passes > 1 else 2 * FAR_APART)
    assert engine.passes == (1 if shape in ("even", "near one") else 2)


def test_even_blocks_are_not_counted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """In many groups bounds are wider, but no few blocks hold them apart."""
    monkeypatch.setattr(counted, "MOST_BLOCKS", 1 << 11)
    rows = table("even", 60_000)
    groups = {"topic": (np.arange(60_000) % 4).astype(str).tolist()}
    columns = {name: rows.to_columns()[name] for name in ("outcome", "confidence")}
    engine = Passes(demur.Outcomes.from_columns(columns, groups=groups))
    curves = demur.curve_by(CountedOutcomes(engine), by="topic")
    areas = [curve.area() for curve in curves]
    assert all(area.high - area.low > FAR_APART for area in areas)
    assert engine.passes == 1


def test_duckdb_has_the_same_bounds(tmp_path: Path) -> None:
    for shape in ("wide", "near each other"):
        rows = table(shape, 8_000)
        demur.write_outcomes(rows, tmp_path / f"{shape}.jsonl")
        found = demur.error_return(demur.count_outcomes(tmp_path / f"{shape}.jsonl"))
        wanted = demur.error_return(CountedOutcomes(MemoryEngine(rows)))
        assert found.area().high - found.area().low <= FAR_APART
        assert found.area().low == pytest.approx(wanted.area().low, abs=FAR_APART)


def test_an_area_says_what_its_bounds_are_from(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = table("a few are huge", 4_000)
    exact = demur.error_return(rows).area()
    assert exact.definition == AREA_DEFINITION
    monkeypatch.setattr(counted.Counts, "split", lambda *_: False)
    monkeypatch.setattr(counted, "MOST_BLOCKS", 512)
    curve = demur.error_return(CountedOutcomes(MemoryEngine(rows)))
    area = curve.area()
    assert area.definition == AREA_OF_BLOCKS
    assert "inside of blocks" in area.definition
    (note,) = (note for note in curve.notes if "bounds" in note)
    assert f"bounds {area.high - area.low:.1g} apart" in note


def test_groups_are_split_together() -> None:
    rows = table("wide", 20_000)
    topic = np.where(np.arange(20_000) % 3, "a", "b").tolist()
    columns = {name: rows.to_columns()[name] for name in ("outcome", "confidence")}
    rows = demur.Outcomes.from_columns(columns, groups={"topic": topic})
    found = demur.curve_by(CountedOutcomes(MemoryEngine(rows)), by="topic")
    wanted = demur.curve_by(rows, by="topic")
    for ours, theirs in zip(found, wanted, strict=True):
        area = ours.area()
        assert area.low <= theirs.area().low <= area.high
        assert area.high - area.low <= FAR_APART
