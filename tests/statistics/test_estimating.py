"""Intervals and bands of outcomes: those of the sample, with a recipe; in the CLI."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import demur
from builders import drawn, graded, printed, printed_json, refuses, stderr_of, undefined
from demur.outcomes.parts import sample_of
from demur.statistics import bands, intervals
from demur.statistics.quantities import Quantity


def system(name: str, seed: int, n: int = 200, **more: object) -> demur.Outcomes:
    return drawn(seed, n, lambda sure: 0.4 + 0.5 * sure, system=name, **more)


@pytest.mark.parametrize(("quantity", "at"), [("error", 0.2), ("area", None)])
def test_an_interval_is_that_of_the_sample(quantity: str, at: float | None) -> None:
    outcomes = system("a", 1)
    found = demur.interval(outcomes, quantity, at)
    wanted = intervals.sample_interval(
        sample_of(outcomes), quantity=Quantity(quantity, at)
    )
    assert (found.low, found.high) == (wanted.low, wanted.high)
    assert found.standard_error == wanted.standard_error
    assert found.signature.startswith(demur.error_return(outcomes).signature)
    assert Quantity(quantity, at).text in found.signature


def test_a_band_is_that_of_the_sample() -> None:
    outcomes = system("a", 1)
    found = demur.band(outcomes, method="dkw", level=0.9)
    wanted = bands.sample_band(sample_of(outcomes), method="dkw", level=0.9)
    assert np.array_equal(found.high, wanted.high)
    assert found.signature.endswith("|band:dkw|level:0.9")


def test_a_band_of_a_difference_joins_by_item() -> None:
    a, b = system("a", 1), system("b", 2)
    shuffled = b.take(np.random.default_rng(0).permutation(len(b)))
    found = demur.difference_band(a, shuffled)
    wanted = bands.paired_band(sample_of(a), sample_of(b))
    assert found.low == pytest.approx(wanted.low, abs=1e-5)
    recipe = "difference_band:b - a|level:0.95|scope:simultaneous|joined:equal|seed:0"
    assert found.signature.endswith(recipe)
    refuses("items in common", demur.difference_band, a, graded([1, 0]))


def test_without_confidences_there_is_no_curve() -> None:
    plain = graded([1, 0], item=["q0", "q1"])
    for made in (demur.interval, demur.band):
        undefined("no confidences", made, plain)
    undefined("no confidences", demur.difference_band, plain, plain)


# -- the command line ------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> str:
    target = tmp_path / "outcomes.jsonl"
    demur.write_outcomes(system("a", 1), target)
    return str(target)


def test_intervals_and_bands_in_json(path: str) -> None:
    words = ["--intervals", "--band", "sup-t", "--at", "0.1,0.3", "--level", "0.9"]
    (shown,) = printed_json("curve", path, *words)["systems"]
    outcomes = demur.read_outcomes(path)
    wanted = [
        demur.interval(outcomes, "error", 0.1, level=0.9),
        demur.interval(outcomes, "error", 0.3, level=0.9),
        demur.interval(outcomes, level=0.9),
    ]
    assert shown["intervals"] == [found.to_dict() for found in wanted]
    assert shown["band"] == demur.band(outcomes, level=0.9).to_dict()


def test_intervals_in_a_table(path: str) -> None:
    out = printed("curve", path, "--intervals")
    found = demur.interval(demur.read_outcomes(path), "error", 0.2)
    row = next(
        line for line in out.splitlines() if line.startswith("a       error@0.2")
    )
    ends = found.value, found.low, found.high, found.standard_error
    assert row.split()[2:] == [f"{value:.4f}" for value in ends]


def test_one_item_has_no_interval_and_no_nan(tmp_path: Path) -> None:
    target = tmp_path / "one.jsonl"
    target.write_text('{"item": "q", "correct": true, "confidence": 1}\n')
    words = ["curve", str(target), "--intervals", "--band", "sup-t"]
    out = printed(*words, "--json")
    assert "NaN" not in out
    (shown,) = json.loads(out)["systems"]
    assert shown["intervals"] == [None, None]
    assert shown["band"] is None
    assert not re.search(
        r"\bnan\b", printed(*words, "--plot", tmp_path / "one.png").casefold()
    )


def test_a_band_must_show_somewhere(path: str) -> None:
    err = stderr_of("curve", path, "--band", "dkw", code=2)
    assert "--band must come with --plot or --json" in err


def test_units_are_named(tmp_path: Path) -> None:
    target = tmp_path / "clustered.jsonl"
    cluster = [f"c{row % 40}" for row in range(200)]
    demur.write_outcomes(system("a", 1, cluster=cluster), target)
    assert "each by itself, by cluster" in printed("curve", target, "--intervals")


# -- folds -------------------------------------------------------------------------


def test_folds_warn_by_themselves_and_are_laid_open(tmp_path: Path) -> None:
    sure = [i / 100 for i in range(40)] + [0.6 + i / 100 for i in range(40)]
    outcomes = graded(
        [i % 40 >= 12 for i in range(80)],
        sure,
        groups={"fold": ["1"] * 40 + ["2"] * 40},
    )
    target = tmp_path / "folds.jsonl"
    demur.write_outcomes(outcomes, target)
    assert "note: confidences of 2 folds are pooled" in printed("curve", target)
    assert "are pooled" not in printed("curve", target, "--by", "fold")
    out = printed("curve", target, "--fold", "fold")
    assert "0.0975   0.0450" in out
    assert "warning: " in out
    (shown,) = printed_json("curve", target, "--fold", "fold")["systems"]
    assert shown["pooled"] == demur.check_pooled(outcomes).to_dict()
    assert "are pooled" in printed("choose", target, "--balance")


# -- weights that are far apart ----------------------------------------------------


def heavy(heaviest: float, scale: float = 1.0) -> demur.Outcomes:
    rng = np.random.default_rng(4)
    weight = np.r_[heaviest, np.ones(49)] * scale
    return graded(rng.random(50) < 0.7, rng.random(50), weight=weight)


def test_one_heavy_item_shows_no_spread() -> None:
    for made in (demur.interval, demur.band):
        undefined(r"one item has 100 % of all wei", made, heavy(1e10))
    found = demur.compare(heavy(1e10), heavy(1e10))
    assert found.difference is None
    assert "no test and no interval: one item has 100 % of all weight" in str(found)
    assert found.to_dict()["error_a"] is not None


@pytest.mark.parametrize("heaviest", [1e13, 1e15, 1e300])
def test_weights_too_far_apart_to_add_up_are_refused(heaviest: float) -> None:
    refuses(r"at most 1e.12 times the lightest, 1.0", heavy, heaviest)


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_the_scale_of_weights_changes_nothing(scale: float) -> None:
    one, other = (demur.interval(heavy(5.0, each)) for each in (1.0, scale))
    assert (one.low, one.high) == (pytest.approx(other.low), pytest.approx(other.high))
    first, second = (
        demur.compare(heavy(5.0, each), heavy(5.0, each)) for each in (1.0, scale)
    )
    assert first.difference.high == pytest.approx(second.difference.high)
