"""Rows split at random, sketched and put together, against a slow plain twin."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
import reference
from demur import Outcomes, Sketch
from demur.curves.counted import Counts
from demur.curves.counted_curves import curve_of
from demur.engines.merging import SketchEngine, merged
from demur.engines.sketches import read_sketch
from reference import Row

RATES = (0.05, 0.2, 0.37, 0.6, 0.81, 0.95)


def table_of(seed: int, *, plain: bool) -> dict[str, Any]:
    """Columns of a table with ties, and unless it is plain with all that may be."""
    rng = np.random.default_rng(seed)
    n_items = int(rng.integers(5, 80))
    names = ["right", "wrong", "unanswered", "ungraded"]
    chances = np.array([6, 3, 1, 0 if plain else 1], float)
    outcome = rng.choice(names, n_items, p=chances / chances.sum())
    values = rng.normal(size=n_items) if rng.random() < 0.5 else rng.random(n_items)
    if rng.random() < 0.4:
        values = values.round(int(rng.integers(1, 3)))
    if rng.random() < 0.2:
        values[rng.random(n_items) < 0.1] = rng.choice([-np.inf, np.inf])
    table = {
        "item": np.array([f"q{n}" for n in range(n_items)]),
        "outcome": outcome,
        "confidence": np.where(outcome == "unanswered", np.nan, values),
    }
    if plain:
        return table
    if rng.random() < 0.5:
        table["weight"] = rng.choice([0.5, 1.0, 2.25, 0.1], n_items)
    if rng.random() < 0.5:
        credit = rng.choice([0.5, 0.25, 1.0], n_items)
        table["credit"] = np.where(outcome == "right", credit, 0.0)
    if rng.random() < 0.5:
        table["declined"] = rng.random(n_items) < 0.2
    if rng.random() < 0.5:
        may_be = np.isin(outcome, ["right", "ungraded"])
        table["answerable"] = may_be | (rng.random(n_items) < 0.6)
    return table


def twin(table: dict[str, Any]) -> list[Row]:
    """The rows as the plain twin has them."""
    rest = ("credit", "weight", "declined", "answerable")
    columns = {name: table[name].tolist() for name in rest if name in table}
    rows = []
    for at, (outcome, value) in enumerate(
        zip(table["outcome"].tolist(), table["confidence"].tolist(), strict=True)
    ):
        more = {name: values[at] for name, values in columns.items()}
        confidence = None if outcome == "unanswered" else value + 0.0
        rows.append(Row(outcome=outcome, confidence=confidence, **more))
    return rows


def outcomes_of(table: dict[str, Any], rows: Any = slice(None)) -> Outcomes:
    return Outcomes.from_arrays(
        **{name: values[rows] for name, values in table.items()}
    )


def put_together(table: dict[str, Any], seed: int, path: Path) -> Sketch:
    """One to five shards, each sketched in its own way, written, read and merged."""
    rng = np.random.default_rng(seed)
    shard = rng.integers(0, rng.integers(1, 6), len(table["item"]))
    sketches: list[Sketch] = []
    coarse = rng.random() < 0.6
    for number in np.unique(shard):
        rows = outcomes_of(table, shard == number)
        how: dict[str, Any] = {}
        if coarse:
            guesses = int((rows.outcome != 2).sum())
            ways: list[dict[str, Any]] = [{}, {"blocks": 16}, {"blocks": 32}]
            ways.append({"like": sketches[0]} if sketches else {"blocks": 16})
            ways.append({"least_count": min(guesses, 5)})
            how = ways[rng.integers(len(ways))]
        demur.sketch(rows, **how).write(path)
        sketches.append(read_sketch(path))
    return merged(sketches, [f"{number}.sketch" for number in range(len(sketches))])


def plain(result: Any) -> dict[str, Any]:
    values = result.to_dict()
    values.pop("signature", None)
    return values


def near(value: Any) -> Any:
    return pytest.approx(float(value), abs=1e-12)


SEEDS = st.integers(0, 2**32 - 1)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("merging") / "a.sketch"


@given(SEEDS, st.booleans())
@settings(max_examples=60)
def test_curves_of_sketches_are_those_of_rows_or_have_bounds_around_them(
    path, seed, is_plain
):
    table = table_of(seed, plain=is_plain)
    rows = twin(table)
    sketch = put_together(table, seed + 1, path)
    counts = Counts(SketchEngine(sketch))
    curve = curve_of(counts, 0)
    whole = demur.error_return(outcomes_of(table))
    if sketch.exact:
        assert plain(curve) == plain(whole)
    if curve.ladder is None:
        assert plain(curve) == plain(whole)
        return
    blocks = counts.blocks(0)
    ends = [*zip(blocks.low.tolist(), curve.vertices.error, strict=False)]
    for low, error in ends[:: max(len(ends) // 5, 1)]:
        assert error == near(reference.point(rows, low)["error"])
    for rate in RATES:
        error = reference.at_nonreturn(rows, Fraction(str(rate)), "linear")
        point = curve.at(nonreturn=rate)
        if error is None:
            assert point.bounds == whole.at(nonreturn=rate).bounds
        elif point.error is not None:
            assert point.error == near(error)
            assert point.bounds == pytest.approx(whole.at(nonreturn=rate).bounds)
        else:
            assert_inside(rows, blocks, rate, point.bounds, error)
    check_area(rows, curve)


def assert_inside(
    rows: list[Row], blocks: Any, rate: float, bounds: Any, error: Fraction
) -> None:
    """The bounds are those of the plain twin, and around the error of all rows."""
    wanted = Fraction(str(rate))
    ends = [*blocks.low.tolist(), None]
    for low, above in zip(ends, ends[1:], strict=False):
        if reference.point(rows, above)["nonreturn"] > wanted:
            least, most = reference.error_inside(rows, low, above, wanted)
            assert bounds == (near(least), near(most))
            assert float(least) - 1e-12 <= float(error) <= float(most) + 1e-12
            return
    raise AssertionError(rate)


def check_area(rows: list[Row], curve: Any) -> None:
    wanted, area = reference.area(rows), curve.area()
    assert area.low <= float(wanted["low"]) + 1e-12
    assert area.high >= float(wanted["high"]) - 1e-12
    low, high = getattr(curve, "slack", (0.0, 0.0))
    if not (low or high):
        assert area.observed == near(wanted["observed"])
    error = tuple(near(one) for one in reference.forced_choice_error(rows))
    assert tuple(curve.forced_choice_error) == error


@given(SEEDS)
@settings(max_examples=40)
def test_decisions_on_sketches_are_those_on_rows_or_on_cutoffs_that_are_known(
    path, seed
):
    table = table_of(seed, plain=True)
    rows = twin(table)
    sketch = put_together(table, seed + 1, path)
    counted = demur.CountedOutcomes(SketchEngine(sketch))
    outcomes = outcomes_of(table)
    if not sketch.parts[0].confident:
        return
    known = counted.counts().blocks(0).low.tolist()
    for rule in (
        {"max_error": 0.15},
        {"cost_ratio": 0.5},
        {"max_error": 0.3, "certainty": 0.7},
        {"max_error": 0.4, "certainty": 0.7, "of": "answered"},
    ):
        choice, wanted = (demur.choose(of, **rule) for of in (counted, outcomes))
        if sketch.exact:
            assert plain(choice) == plain(wanted)
            continue
        if choice.cutoff is not None:
            assert choice.cutoff in known
            assert choice.error == near(reference.point(rows, choice.cutoff)["error"])
        if "max_error" in rule and "of" not in rule:
            # Of answered items the first cutoffs may fail, of which a sketch has fewer.
            assert (choice.nonreturn or 1) >= (wanted.nonreturn or 0) - 1e-12


@given(SEEDS, st.booleans())
@settings(max_examples=30)
def test_scores_of_sketches_are_those_of_rows_however_they_are_cut(
    path, seed, is_plain
):
    table = table_of(seed, plain=is_plain)
    sketch = put_together(table, seed + 1, path)
    counted = demur.CountedOutcomes(SketchEngine(sketch))
    fields = ("right", "wrong", "unanswered", "ungraded", "correct_declines")
    for one, other in zip(
        *(
            plain(demur.score(of, weights=[2], seed=1))["scores"]
            for of in (counted, outcomes_of(table))
        ),
        strict=True,
    ):
        if is_plain:
            assert one == other
            continue
        assert all(one[name] == other[name] for name in fields)
        assert one["error"] == pytest.approx(other["error"], abs=1e-12)
        (weighted,), (wanted,) = one["weighted"], other["weighted"]
        for end in ("low", "high"):  # intervals of unlike items need rows
            assert weighted[end] == pytest.approx(wanted[end], abs=1e-12)
