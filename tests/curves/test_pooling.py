"""Folds pooled into one curve, against plain twins, laws and simulations."""

import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
import reference
import reference_guards as twin
from builders import graded, refuses, undefined
from demur.arrays import Sample
from demur.curves.of_outcomes import pooling_note
from demur.curves.pooling import _Areas, _warning
from random_rows import curve_of, has_guess, outcomes_of, rows
from reference import Row


def in_folds(listed: list[Row], folds: list[Any]) -> demur.Outcomes:
    columns = outcomes_of(listed).to_columns()
    return demur.Outcomes.from_columns(columns, groups={"fold": folds})


@st.composite
def folded(draw: st.DrawFn) -> tuple[list[Row], list[str]]:
    """Rows in two folds, each of which has a guess."""
    parts = [draw(rows().filter(has_guess)) for _ in range(2)]
    listed = [row for part in parts for row in part]
    folds = ["a"] * len(parts[0]) + ["b"] * len(parts[1])
    return listed, folds


def parts_of(listed: list[Row], folds: list[str]) -> list[list[Row]]:
    return [
        [row for row, name in zip(listed, folds, strict=True) if name == fold]
        for fold in dict.fromkeys(folds)
    ]


def simulated(
    rng: np.random.Generator, n_items: int, n_folds: int, stretch: float
) -> demur.Outcomes:
    """Equally good folds whose confidences are stretched, each in its own way."""
    sure = rng.random(n_items)
    right = rng.random(n_items) < 0.3 + 0.7 * sure
    fold = np.arange(n_items) % n_folds
    power = np.exp(stretch * rng.normal(size=n_folds))[fold]
    return graded(right.astype(int), sure**power, groups={"fold": fold})


# -- areas and errors --------------------------------------------------------------


@given(folded(), st.sampled_from(["0", "0.1", "0.2", "0.5", "0.75", "1"]))
def test_areas_and_errors_are_those_of_the_twin(
    table: tuple[list[Row], list[str]], nonreturn: str
) -> None:
    listed, folds = table
    found = demur.check_pooled(
        in_folds(listed, folds), nonreturn=float(nonreturn), permutations=1
    )
    parts = parts_of(listed, folds)
    assert found.area == pytest.approx(float(twin.average_area([listed])), abs=1e-12)
    assert found.area_average == pytest.approx(
        float(twin.average_area(parts)), abs=1e-12
    )
    wanted = Fraction(nonreturn)
    starts = [reference.vertices(part)[0]["nonreturn"] for part in parts]
    if wanted >= max(starts):
        total = reference.total(listed)
        error = sum(
            reference.total(part) * twin.error_at(part, wanted) / total
            for part in parts
        )
        assert found.error_average == pytest.approx(float(error), abs=1e-12)
        assert found.error == pytest.approx(float(twin.error_at(listed, wanted)))
    else:
        assert found.error_average is None
    assert 0 < found.p_value <= 1
    assert (found.folds, found.items) == (2, len(listed))
    json.dumps(found.to_dict(), allow_nan=False)


@given(folded())
def test_the_average_curve_is_the_mean_at_every_bend(
    table: tuple[list[Row], list[str]],
) -> None:
    parts = parts_of(*table)
    found = demur.average_curve([curve_of(part) for part in parts])
    items = [len(part) for part in parts]
    for x, y in zip(found.nonreturn, found.error, strict=True):
        exact = [float(twin.error_at(part, Fraction(float(x)))) for part in parts]
        assert y == pytest.approx(np.average(exact, weights=items), abs=1e-9)
    assert found.nonreturn[-1] == 1
    assert found.error[-1] == 0
    assert (np.diff(found.nonreturn) > 0).all()
    assert (np.diff(found.error) <= 1e-12).all()
    assert not found.error.flags.writeable


def area_under(curve: demur.AverageCurve) -> float:
    return float(np.trapezoid(curve.error, curve.nonreturn))


@given(st.integers(0, 50))
def test_the_area_is_that_under_the_average_curve(seed: int) -> None:
    outcomes = simulated(np.random.default_rng(seed), 60, 4, 1.0)
    found = demur.check_pooled(outcomes, permutations=1)
    curves = demur.curve_by(outcomes, by=["fold"])
    assert found.area_average == pytest.approx(area_under(demur.average_curve(curves)))
    assert found.area == pytest.approx(demur.error_return(outcomes).area().value)
    ranked = demur.error_return(demur.rank_normalised(outcomes))
    assert found.area_ranked == pytest.approx(ranked.area().value)
    assert found.error_ranked == pytest.approx(ranked.at(nonreturn=0.2).error)


def test_one_curve_is_its_own_average() -> None:
    curve = demur.error_return(simulated(np.random.default_rng(0), 50, 2, 0.0))
    found = demur.average_curve([curve])
    assert found.nonreturn.tolist() == curve.corners.nonreturn.tolist()
    assert found.error.tolist() == curve.corners.error.tolist()
    twice = demur.average_curve([curve, curve], weight=[1, 5])
    assert twice.error == pytest.approx(found.error)
    other = demur.error_return(graded([0, 0], [1, 0]))
    alone = demur.average_curve([curve, other], weight=[1, 0])
    on_grid = np.interp(found.nonreturn, alone.nonreturn, alone.error)
    assert on_grid == pytest.approx(found.error)
    refuses("at least one", demur.average_curve, [])
    flat = demur.error_return(graded([1, 0]))
    undefined("no confidences", demur.average_curve, [curve, flat])


# -- ranks -------------------------------------------------------------------------


@given(folded())
def test_ranks_are_those_of_the_twin(table: tuple[list[Row], list[str]]) -> None:
    listed, folds = table
    found = demur.rank_normalised(in_folds(listed, folds)).confidence
    assert found is not None
    expected = [
        rank for part in parts_of(listed, folds) for rank in twin.mid_ranks(part)
    ]
    for value, rank in zip(found, expected, strict=True):
        assert math.isnan(value) if rank is None else value == float(rank)


BENDS: list[Any] = [
    lambda c: 3 * c + 1,
    lambda c: c**3,
    lambda c: np.arctan(c),
    lambda c: c - 100,
]


@given(folded(), st.sampled_from(BENDS), st.sampled_from(BENDS))
def test_ranks_know_nothing_of_the_folds_scales(
    table: tuple[list[Row], list[str]], first: Any, second: Any
) -> None:
    listed, folds = table
    values = np.array(
        [np.nan if row.confidence is None else row.confidence for row in listed]
    )
    steps = np.searchsorted(np.unique(values), values).astype(float)  # well apart
    bent = np.where(np.array(folds) == "a", first(steps), second(steps))
    columns = outcomes_of(listed).to_columns()
    both = [
        demur.Outcomes.from_columns(
            {
                **columns,
                "confidence": [
                    None if row.confidence is None else value
                    for row, value in zip(listed, scale.tolist(), strict=True)
                ],
            },
            groups={"fold": folds},
        )
        for scale in (steps, bent)
    ]
    one, two = (demur.rank_normalised(outcomes).confidence for outcomes in both)
    assert np.array_equal(one, two, equal_nan=True)  # type: ignore[arg-type]
    before, after = (demur.check_pooled(outcomes, permutations=3) for outcomes in both)
    assert after.area_ranked == before.area_ranked
    assert after.area_average == pytest.approx(before.area_average, abs=1e-12)
    assert after.error_average == before.error_average


def test_ranks_of_ranks_are_the_same() -> None:
    outcomes = simulated(np.random.default_rng(0), 40, 4, 1.0)
    once = demur.rank_normalised(outcomes)
    twice = demur.rank_normalised(once)
    assert np.array_equal(once.confidence, twice.confidence)  # type: ignore[arg-type]
    assert once.recipe["confidence"] == "rank within fold"
    assert "confidence:rank within fold" in demur.error_return(once).signature
    assert outcomes.recipe == {}


def test_systems_are_ranked_apart() -> None:
    outcomes = graded(
        [1] * 6,
        [1, None, 2, None, 3, None],
        item=[1, 1, 2, 2, 3, 3],
        system=["a", "b"] * 3,
        groups={"fold": [1, 1, 1, 1, 2, 2]},
    )
    found = demur.rank_normalised(outcomes).confidence
    assert found is not None
    assert found[::2].tolist() == [0.25, 0.75, 0.5]
    assert np.isnan(found[1::2]).all()


# -- the test ----------------------------------------------------------------------


def test_stretched_folds_are_found_and_said() -> None:
    outcomes = simulated(np.random.default_rng(1), 400, 5, 1.5)
    found = demur.check_pooled(outcomes)
    assert found.p_value == 1 / 200
    assert found.warning is not None
    assert "not on one scale" in found.warning
    assert found.area > found.area_average + 0.01
    assert found.excess == pytest.approx(found.area - found.area_average, abs=0.005)
    assert found.area_ranked == pytest.approx(found.area_average, abs=0.003)
    assert found.error is not None
    assert found.error_average is not None
    assert found.error > found.error_average
    # One in twenty is significant, so the fewest draws that can warn are nineteen.
    few = demur.check_pooled(outcomes, permutations=19)
    assert (few.p_value, few.warning is None) == (0.05, False)
    assert demur.check_pooled(outcomes, permutations=18).warning is None
    # Ranks within folds repair it.
    mended = demur.check_pooled(demur.rank_normalised(outcomes))
    assert mended.warning is None
    assert mended.area == found.area_ranked


def test_folds_on_one_scale_are_left_alone() -> None:
    found = demur.check_pooled(simulated(np.random.default_rng(3), 400, 5, 0.0))
    assert found.warning is None
    assert found.p_value > 0.05
    assert abs(found.excess) < 0.003


def test_small_folds_are_judged_by_what_chance_does_to_them() -> None:
    # Folds of four: an item is a large part of its own fold, which lifts the average.
    outcomes = simulated(np.random.default_rng(2), 400, 100, 0.8)
    found = demur.check_pooled(outcomes)
    assert found.area < found.area_average
    assert found.excess > 0
    assert found.warning is not None
    assert f"{found.excess:.4f} more than chance" in found.warning


def test_easier_folds_are_no_reason_to_warn() -> None:
    # One scale, but one fold's items are harder, and its model knows.
    rng = np.random.default_rng(0)
    fold = np.arange(600) % 2
    sure = np.where(fold == 1, rng.beta(1, 3, 600), rng.beta(3, 1, 600))
    right = rng.random(600) < sure
    outcomes = graded(right.astype(int), sure, groups={"fold": fold})
    found = demur.check_pooled(outcomes)
    assert found.area < found.area_average
    assert found.p_value > 0.9
    assert found.warning is None


def test_p_values_are_uniform_where_scales_are_equal() -> None:
    rng = np.random.default_rng(5)
    p_values = np.array(
        [
            demur.check_pooled(
                simulated(rng, 48, 4, 0.0), permutations=39, seed=run
            ).p_value
            for run in range(300)
        ]
    )
    for level in (0.05, 0.25, 0.5, 0.75):
        limit = 3 * math.sqrt(level * (1 - level) / len(p_values))
        assert abs((p_values <= level + 1e-9).mean() - level) <= limit


def test_clusters_move_together() -> None:
    # Each cluster is one answer given ten times: 40 answers are not 400.
    rng = np.random.default_rng(7)
    small, wide = [], []
    for run in range(60):
        sure, fold = rng.random(40), np.arange(40) % 4
        right = rng.random(40) < 0.3 + 0.7 * sure
        index = np.repeat(np.arange(40), 10)
        columns: dict[str, Any] = {
            "correct": right.astype(int)[index],
            "confidence": sure[index] + rng.random(400) * 1e-6,
            "groups": {"fold": fold[index]},
        }
        careless = demur.Outcomes.from_arrays(**columns)
        careful = demur.Outcomes.from_arrays(cluster=index, **columns)
        for listed, outcomes in [(wide, careful), (small, careless)]:
            found = demur.check_pooled(outcomes, permutations=39, seed=run)
            listed.append(found.p_value <= 0.05)
            assert found.notes == ()
    assert np.mean(wide) <= 0.05 + 3 * math.sqrt(0.0475 / 60)
    assert np.mean(small) > 0.25  # the items by themselves are far too sure


def test_clusters_across_folds_are_said() -> None:
    outcomes = graded(
        [1, 0, 1, 1],
        [1, 2, 3, 4],
        cluster=["x", "x", "y", "y"],
        groups={"fold": [1, 2, 1, 2]},
    )
    found = demur.check_pooled(outcomes, permutations=2)
    assert any("one by one" in note for note in found.notes)


def test_the_seed_is_all_there_is_to_chance() -> None:
    outcomes = simulated(np.random.default_rng(2), 60, 3, 0.3)
    one = demur.check_pooled(outcomes, seed=4)
    assert isinstance(one, demur.Pooled)
    assert one == demur.check_pooled(outcomes, seed=4)
    assert "permutations:199|seed:4|items:60" in one.signature


# -- the note, and bad input -------------------------------------------------------


def test_a_column_fold_is_noted() -> None:
    outcomes = simulated(np.random.default_rng(0), 12, 3, 0.0)
    note = pooling_note(outcomes)
    assert note is not None
    assert "3 folds" in note
    plain = graded([1, 0], [1, 2])
    assert pooling_note(plain) is None
    assert pooling_note(outcomes.take(outcomes.groups["fold"] == 1)) is None
    silent = graded([1, 0], groups={"fold": [1, 2]})
    assert pooling_note(silent) is None


def test_bad_input() -> None:
    columns: dict[str, Any] = {"correct": [1, 0, 1], "confidence": [1, 2, 3]}
    plain = demur.Outcomes.from_arrays(**columns)
    refuses("got 'fold'", demur.check_pooled, plain)
    missing = demur.Outcomes.from_arrays(**columns, groups={"fold": [1, None, 2]})
    for verb in (demur.check_pooled, demur.rank_normalised):
        refuses("nothing in row 1", verb, missing)
    one = demur.Outcomes.from_arrays(**columns, groups={"model": ["m"] * 3})
    for verb in (demur.check_pooled, demur.rank_normalised):
        refuses("at least two values; got only 'm'", verb, one, fold="model")
    good = demur.Outcomes.from_arrays(**columns, groups={"fold": [1, 1, 2]})
    with pytest.raises(demur.InputError, match="permutations must be a whole number"):
        demur.check_pooled(good, permutations=0)
    refuses("from 0 to 1", demur.check_pooled, good, nonreturn=20)


@pytest.mark.parametrize(("p_value", "warned"), [(0.05, True), (0.0501, False)])
def test_a_warning_begins_at_its_p_value(p_value: float, warned: bool) -> None:
    assert (_warning("fold", 0.2, 0.1, p_value) is not None) == warned


@pytest.mark.parametrize("n", [2**15 - 1, 2**15, 2**15 + 1])
def test_any_number_of_folds_is_told_apart(n: int) -> None:
    loss = np.arange(n) % 3 == 0
    sample = Sample(np.ones(n, bool), np.linspace(0, 1, n), loss.astype(float))
    assert _Areas(sample).average(np.arange(n)) == pytest.approx(loss.mean() / 2)


@pytest.mark.parametrize(
    ("silent", "words"),
    [
        (0, "0.400 at nonreturn 0.000, where the curves begin, and 0.200 at 0.2."),
        (1, "0.200 at nonreturn 0.200, where the curves begin."),
    ],
)
def test_an_average_curve_says_where_it_begins(silent: int, words: str) -> None:
    correct = [0, 0, 1, 1, 1] if not silent else [None, 0, 1, 1, 1]
    sure = [None if value is None else k for k, value in enumerate(correct)]
    curve = demur.error_return(graded(correct, sure))
    text = demur.average_curve([curve, curve], weight=[0, 3]).sentence()
    assert text == f"The average error is {words}"
    for weight in ([1], [1, -1], [-1, -1], [1, 1, 1]):
        need = "be 2 numbers from 0, one for each curve"
        refuses(need, demur.average_curve, [curve, curve], weight=weight)
    refuses("at least one", demur.average_curve, [])
    flat = demur.error_return(graded([1, 0]))
    undefined("no confidences", demur.average_curve, [curve, flat])


def test_no_confidences_no_curve() -> None:
    flat = graded([1, 0], groups={"fold": [1, 2]})
    undefined("no confidences", demur.check_pooled, flat)
    undefined("no confidences", demur.rank_normalised, flat)
    silent = graded([None] * 2, groups={"fold": [1, 2]})
    undefined("no guess", demur.check_pooled, silent)


def test_a_fold_without_a_guess_has_no_error_before_silence() -> None:
    outcomes = graded(
        [1, 0, None, None], [1, 2, None, None], groups={"fold": [1, 1, 2, 2]}
    )
    found = demur.check_pooled(outcomes, permutations=5)
    assert found.error_average is None
    assert found.area_average == pytest.approx(0.5 * 0.75 * 0.5)
