"""The calibration of outcomes: against slow twins, its laws, and hostile tables."""

import json
import math
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
import reference_calibration as twin
from builders import by_outcome, graded, refuses
from demur.calibration.brier import PARTS

Row = tuple[float | None, str, float, float]
"""Confidence (None: no guess), outcome, credit if right, weight."""

CONFIDENCES = st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 0.7, 0.9, 1.0])
ROWS = st.lists(
    st.tuples(
        CONFIDENCES,
        st.sampled_from(["right", "right", "wrong", "wrong", "ungraded", "unanswered"]),
        st.sampled_from([1.0, 1.0, 0.5, 0.3]),
        st.sampled_from([1.0, 2.0, 0.5]),
    ),
    min_size=1,
    max_size=12,
).filter(lambda rows: any(row[1] in ("right", "wrong") for row in rows))
TARGETS = (0.0, 0.25, 0.5, 0.9, 1.0)


def table(rows: list[tuple[float, str, float, float]], **more: Any) -> demur.Outcomes:
    outcome = [row[1] for row in rows]
    guess = [name != "unanswered" for name in outcome]
    credit = [row[2] if row[1] == "right" else 0.0 for row in rows]
    confidence = [row[0] if has else None for row, has in zip(rows, guess, strict=True)]
    return by_outcome(
        outcome,
        confidence if any(guess) else None,
        credit=credit,
        weight=[row[3] for row in rows],
        **more,
    )


def guesses_of(rows: list[tuple[float, str, float, float]]) -> list[twin.Guess]:
    """Graded guesses as fractions: confidence, credit, weight."""
    return [
        (
            Fraction(str(confidence)),
            Fraction(str(credit if outcome == "right" else 0)),
            Fraction(str(weight)),
        )
        for confidence, outcome, credit, weight in rows
        if outcome in ("right", "wrong")
    ]


def quick(outcomes: demur.Outcomes, **more: Any) -> demur.Calibration:
    return demur.calibration_of(outcomes, **{"replicates": 5, **more})


def drawn(n: int, *, bend: float = 1.0, seed: int = 0, **more: Any) -> demur.Outcomes:
    """Guesses that are right with the chance confidence ** bend."""
    rng = np.random.default_rng(seed)
    confidence = rng.beta(4, 1.5, n)
    right = rng.random(n) < confidence**bend
    return graded(right, confidence, **more)


def parts_of(found: demur.Calibration) -> list[float]:
    assert found.brier is not None
    return [getattr(found.brier, name) for name in PARTS]


# -- against the twins -------------------------------------------------------------


@given(rows=ROWS)
def test_all_numbers_are_those_of_the_twins(
    rows: list[tuple[float, str, float, float]],
) -> None:
    guesses = guesses_of(rows)
    found = quick(table(rows), targets=TARGETS)
    assert parts_of(found) == pytest.approx(
        [float(each) for each in twin.brier_split(guesses)], abs=1e-14
    )
    assert found.reliability is not None
    expected = twin.isotonic(guesses)
    weights = {row[3] for row in rows}
    unit = weights.pop() if len(weights) == 1 else 1.0  # equal weights are 1 each
    blocks = found.reliability.blocks
    assert len(blocks) == len(set(expected.values()))
    for block in blocks:
        inside = {
            level: estimate
            for level, estimate in expected.items()
            if block.low <= float(level) <= block.high
        }
        assert list(inside.values()) == pytest.approx(
            [block.estimate] * len(inside), abs=1e-14
        )
        members = [each for each in guesses if each[0] in inside]
        assert block.count == len(members)
        weight = float(sum(each[2] for each in members)) / unit
        assert block.weight == pytest.approx(weight)
    every = [
        (
            None if outcome == "unanswered" else Fraction(str(confidence)),
            Fraction(str(credit if outcome == "right" else 0)),
            Fraction(str(weight)),
        )
        for confidence, outcome, credit, weight in rows
    ]
    for trust in found.trust:
        cost, least = twin.prices(every, Fraction(str(trust.target)))
        assert trust.cost == pytest.approx(float(cost))
        assert trust.best_cost == pytest.approx(float(least))
    assert [each.target for each in found.trust] == list(TARGETS)


@given(rows=ROWS)
def test_the_score_is_the_sum_of_its_parts(
    rows: list[tuple[float, str, float, float]],
) -> None:
    brier, off, gain, unsure = parts_of(quick(table(rows)))
    assert brier == pytest.approx(off - gain + unsure, abs=1e-14)
    assert min(off, gain, unsure) >= 0
    assert gain <= unsure + 1e-14


@given(confidence=CONFIDENCES, right=st.lists(st.booleans(), min_size=1, max_size=20))
def test_one_confidence_for_all_tells_nothing_apart(
    confidence: float, right: list[bool]
) -> None:
    outcomes = graded(right, [confidence] * len(right))
    found = quick(outcomes)
    share = sum(right) / len(right)
    _, off, gain, _ = parts_of(found)
    assert gain == 0
    assert off == pytest.approx((confidence - share) ** 2, abs=1e-14)
    assert found.reliability is not None
    (block,) = found.reliability.blocks
    assert (block.low, block.high, block.count) == (confidence, confidence, len(right))
    assert block.estimate == pytest.approx(share)


@given(rows=ROWS, power=st.sampled_from([0.5, 2.0, 3.0]))
def test_discrimination_asks_for_the_order_only(
    rows: list[tuple[float, str, float, float]], power: float
) -> None:
    bent = [(row[0] ** power, *row[1:]) for row in rows]
    one, other = quick(table(rows)), quick(table(bent))
    assert parts_of(one)[2:] == parts_of(other)[2:]
    assert one.reliability is not None
    assert other.reliability is not None
    assert [(block.estimate, block.count) for block in one.reliability.blocks] == [
        (block.estimate, block.count) for block in other.reliability.blocks
    ]


@given(rows=ROWS, seed=st.integers(0, 99))
def test_row_order_never_matters(
    rows: list[tuple[float, str, float, float]], seed: int
) -> None:
    mixed = [rows[at] for at in np.random.default_rng(seed).permutation(len(rows))]
    one, other = (quick(table(each), targets=[0.5]) for each in (rows, mixed))
    assert one.to_dict() == other.to_dict()


def test_weights_are_repetitions() -> None:
    rows = [(0.2, "right", 1.0, 2.0), (0.7, "wrong", 1.0, 3.0), (0.9, "right", 1.0, 1)]
    repeated = [(*row[:3], 1.0) for row in rows for _ in range(int(row[3]))]
    one, other = (quick(table(each), targets=[0.5]) for each in (rows, repeated))
    assert parts_of(one) == pytest.approx(parts_of(other))
    assert one.trust[0].cost == pytest.approx(other.trust[0].cost)


# -- inference ---------------------------------------------------------------------


def test_calibrated_confidences_have_little_miscalibration() -> None:
    good, bad = (quick(drawn(2000, bend=bend), replicates=100) for bend in (1.0, 3.0))
    assert good.brier is not None
    assert bad.brier is not None
    assert good.brier.miscalibration < 0.005
    assert good.brier.p_calibrated > 0.05  # type: ignore[operator]
    assert bad.brier.miscalibration > 0.05
    assert bad.brier.p_calibrated < 0.02  # type: ignore[operator]


def share_outside(found: demur.Calibration) -> float:
    """The share of the band's places at which the curve leaves it."""
    assert found.band is not None
    assert found.reliability is not None
    line = np.interp(
        found.band.confidence, found.reliability.confidence, found.reliability.estimate
    )
    slack = 1e-9
    out = (line < found.band.low - slack) | (line > found.band.high + slack)
    return float(out.mean())


def test_calibrated_curves_lie_in_the_band() -> None:
    shares = [
        share_outside(quick(drawn(500, seed=seed), replicates=200))
        for seed in range(20)
    ]
    assert np.mean(shares) < 0.12
    assert share_outside(quick(drawn(500, bend=3.0), replicates=200)) > 0.8


def test_clusters_widen_intervals_and_band() -> None:
    rng = np.random.default_rng(0)
    confidence = np.repeat(rng.beta(4, 1.5, 60), 10)
    right = np.repeat(rng.random(60) < confidence[::10], 10)
    names = [f"c{row // 10}" for row in range(600)]
    alone = graded(right, confidence)
    grouped = graded(right, confidence, cluster=names)
    found = [quick(each, replicates=200) for each in (alone, grouped)]
    assert [each.brier.units for each in found] == [600, 60]  # type: ignore[union-attr]
    assert parts_of(found[0]) == parts_of(found[1])
    widths = [np.diff(each.brier.intervals["brier"])[0] for each in found]  # type: ignore[union-attr,index]
    assert widths[1] > 2 * widths[0]
    bands = [np.mean(each.band.high - each.band.low) for each in found]  # type: ignore[union-attr]
    assert bands[1] > 1.5 * bands[0]


def test_seeds_repeat_and_differ() -> None:
    outcomes = drawn(100)
    one = quick(outcomes, replicates=50, seed=1)
    assert one.to_dict() == quick(outcomes, replicates=50, seed=1).to_dict()
    other = quick(outcomes, replicates=50, seed=2)
    p_values = [each.to_dict()["brier"]["p_calibrated"] for each in (one, other)]
    assert p_values[0] != p_values[1]
    assert one.to_dict()["band"]["low"] != other.to_dict()["band"]["low"]
    assert "|level:0.95|replicates:50|seed:1|guesses:100" in one.signature


# -- what is left out --------------------------------------------------------------


def test_what_is_left_out_is_counted() -> None:
    outcomes = by_outcome(
        ["right", "wrong", "ungraded", "unanswered", "right", "unanswered"],
        [0.9, 0.6, 0.5, None, 0.8, None],
        declined=[False, True, True, False, True, True],
    )
    found = quick(outcomes)
    assert found.guesses == 3
    assert found.notes[:3] == (
        "left out, without a guess: 2",
        "left out, ungraded: 1",
        "2 guesses count that the system itself declined to give",
    )
    kept = graded([1, 0, 1], [0.9, 0.6, 0.8])
    assert parts_of(found) == parts_of(quick(kept))
    assert not [note for note in quick(kept).notes if "left out" in note]


def test_answers_that_could_not_be_executed_state_nothing() -> None:
    # Judging ranks them below all others: minus infinity.
    outcomes = graded([1, 0, 1, 0], [0.9, 0.6, 0.8, -math.inf])
    found = quick(outcomes, targets=[0.7])
    assert found.guesses == 3
    assert "left out, wrong and without a confidence: 1" in found.notes
    kept = graded([1, 0, 1], [0.9, 0.6, 0.8])
    assert parts_of(found) == parts_of(quick(kept))
    # At a target it is withheld, which costs like any other nonreturn.
    assert found.trust[0].cost == pytest.approx(0.3 * 2 / 4)


@pytest.mark.parametrize(
    "confidence", [[-1.0, 0.5, 3.0], [0.1, 0.5, 1.01], [-math.inf, 0.0, math.inf]]
)
def test_confidences_that_are_no_probabilities(confidence: list[float]) -> None:
    outcomes = graded([0, 1, 1], confidence)
    found = quick(outcomes, targets=[0.5])
    assert (found.brier, found.band, found.trust) == (None, None, ())
    assert found.reliability is not None
    assert [block.estimate for block in found.reliability.blocks] == [0.0, 1.0]
    low, high = confidence[0], confidence[-1]
    assert (
        f"confidences run from {low:g} to {high:g}, so they are no probabilities"
        in (found.notes[0])
    )
    text = json.dumps(found.to_dict(), allow_nan=False)
    assert json.loads(text)["brier"] is None
    assert json.loads(text)["trust"] == []


@pytest.mark.parametrize(
    ("columns", "note"),
    [
        ({"correct": [1, 0]}, "there are no confidences"),
        ({"correct": [None, None]}, "there is no graded guess"),
        (
            {"outcome": ["ungraded"], "confidence": [0.5]},
            "there is no graded guess",
        ),
    ],
)
def test_nothing_to_calibrate_is_a_result(columns: Any, note: str) -> None:
    found = quick(demur.Outcomes.from_arrays(**columns), targets=[0.5])
    assert (found.guesses, found.reliability, found.brier) == (0, None, None)
    assert [each for each in found.notes if each.startswith(note)]
    shown = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (shown["reliability"], shown["brier"], shown["band"]) == (None, None, None)
    assert "0 graded guesses" in repr(found)


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("n", [1, 5])
def test_all_right_and_all_wrong(n: int, right: bool) -> None:
    outcomes = graded([right] * n, [0.7] * n)
    found = quick(outcomes, targets=[0.5, 0.8])
    brier, off, gain, unsure = parts_of(found)
    assert [brier, off] == pytest.approx([(0.3 if right else 0.7) ** 2] * 2)
    assert gain == unsure == 0
    # At 0.5 all is given; at 0.8 nothing is.
    assert [each.cost for each in found.trust] == [0.0 if right else 1.0, 0.2]
    assert found.brier is not None
    assert (found.brier.intervals is None) == (n == 1)
    words = "one item or cluster only" if n == 1 else "only 5 items"
    assert found.notes[0].startswith(words)
    json.dumps(found.to_dict(), allow_nan=False)


def test_few_clusters_are_said() -> None:
    names = [str(row // 10) for row in range(100)]
    assert "only 10 clusters" in quick(drawn(100, cluster=names)).notes[0]
    assert not quick(drawn(100)).notes


# -- arguments and output ----------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        ({"targets": [80]}, "a target must be a number from 0 to 1; got 80"),
        ({"level": 1}, "level must lie between 0 and 1"),
        ({"replicates": 0}, "replicates must be 1 or more"),
    ],
)
def test_bad_arguments(wrong: dict[str, Any], match: str) -> None:
    refuses(match, demur.calibration_of, drawn(10), **{"replicates": 5, **wrong})


def test_bad_targets_are_told_even_without_probabilities() -> None:
    outcomes = graded([1, 0], [3, 4])
    refuses("a target", demur.calibration_of, outcomes, targets=[-1])


def test_several_systems_are_refused_and_cut() -> None:
    columns: Any = {
        "item": ["q1", "q2", "q1", "q2"],
        "system": ["a", "a", "b", "b"],
        "correct": [1, 0, 1, 1],
        "confidence": [0.9, 0.4, 0.8, 0.7],
        "groups": {"topic": ["x", "y", "x", "y"]},
    }
    outcomes = demur.Outcomes.from_arrays(**columns)
    refuses("be of one system; got a, b", demur.calibration_of, outcomes)
    for groups in ((), "topic"):
        found = demur.calibration_by(outcomes, by=groups, replicates=5)
        curves = demur.curve_by(outcomes, by=groups)
        assert [each.system for each in found] == [curve.system for curve in curves]
        assert [each.guesses for each in found] == [curve.items for curve in curves]
    with pytest.raises(demur.InputError, match="hold at least one row"):
        demur.calibration_of(outcomes.take(np.zeros(4, bool)))


def test_the_repr_is_for_people() -> None:
    found = quick(graded([1, 0], [0.5, 0.5], system="x"), targets=[0.8])
    assert repr(found) == "Calibration(x: 2 graded guesses; brier 0.25)"


def test_plain_values_for_json() -> None:
    found = quick(drawn(30), targets=[0.7]).to_dict()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert set(found) == {
        *("system", "guesses", "reliability", "band", "brier", "trust", "notes"),
        "signature",
    }
    assert set(found["reliability"]["blocks"][0]) == {
        *("low", "high", "estimate", "count", "weight"),
    }
    assert found["band"]["kind"] == "consistency, pointwise"


def test_single_precision_is_taken_as_it_is() -> None:
    confidence = np.array([0.7, 0.7, 0.2], np.float32)
    outcomes = graded([1, 0, 1], confidence)
    trust = quick(outcomes, targets=[0.7]).trust[0]
    assert trust.trusted.nonreturn == pytest.approx(1 / 3)


def test_real_models_pay_for_trust(demur_data: Path) -> None:
    path = demur_data / "llm_mcq_confidence" / "mmlu.csv.gz"
    outcomes = demur.read_outcomes(path, where={"prompt": "first", "system": "Mistral"})
    found = quick(outcomes, targets=[0.8], replicates=100)
    assert found.guesses == 5949
    assert "left out, without a guess: 51" in found.notes
    assert parts_of(found)[1] == pytest.approx(0.2003, abs=5e-5)
    trust = found.trust[0]
    assert (trust.cost, trust.best_cost) == (
        pytest.approx(0.4305, abs=5e-5),
        pytest.approx(0.2),
    )
    assert trust.best.cutoff is None
    assert share_outside(found) > 0.9


def test_the_sentence_says_whether_confidences_are_believable() -> None:
    rng = np.random.default_rng(1)
    level = rng.choice([0.6, 0.7, 0.8, 0.9], 400)
    chances = {"not calibrated": level - 0.25, "luck may explain": level}
    told = {
        words: demur.calibration_of(graded(rng.random(400) < chance, level)).sentence()
        for words, chance in chances.items()
    }
    for words, sentence in told.items():
        assert words in sentence
        assert re.search(r"0\.7\d\d is stated on average, 0\.\d\d\d is right", sentence)
    assert "overconfident" in told["not calibrated"]
    assert "p < 0.001" in told["not calibrated"]
    under = demur.calibration_of(graded(rng.random(400) < level + 0.09, level - 0.2))
    assert "underconfident" in under.sentence()
    few = demur.calibration_of(graded([1, 0], [0.9, 0.9]), targets=[0.8])
    assert "p " not in few.sentence()
    assert f" {few.trust[0].sentence()}" in few.sentence()


@pytest.mark.parametrize(
    ("p_calibrated", "said"),
    [
        (0.125, "are not calibrated"),
        (0.25, "are not calibrated"),
        (0.375, "luck may explain"),
        (None, "."),
    ],
)
def test_luck_ends_at_the_level(p_calibrated: float | None, said: str) -> None:
    found = demur.calibration_of(graded([1, 0, 0], [0.9, 0.8, 0.7]), level=0.75)
    split = replace(found.brier, p_calibrated=p_calibrated)
    sentence = replace(found, brier=split).sentence()
    assert said in sentence
    assert ("overconfident" in sentence) == (said == "are not calibrated")


def test_a_ranking_by_miscalibration_says_that_luck_is_not_tested() -> None:
    found = demur.Calibrations(quick(drawn(each)) for each in (50, 60))
    assert found.sentence().endswith("Whether that is luck is not tested here.")
