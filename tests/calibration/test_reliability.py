"""Calibration against fractions, scikit-learn, the hull, and worked cases."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

import demur
import reference_calibration as twin
from builders import by_outcome, graded, refuses, undefined
from demur.arrays import Sample
from demur.calibration.brier import PARTS, brier_split
from demur.calibration.reliability import consistency_band, cost_of_trust, reliability
from demur.curves.counting import lower_hull
from demur.curves.curves import build_curve
from demur.outcomes.fields import RIGHT, UNANSWERED, WRONG

Row = tuple[float | None, float, float]
"""Confidence (None: no guess), credit and weight."""

CONFIDENCES = st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 0.7, 0.9, 1.0])
CREDITS = st.sampled_from([0.0, 0.0, 1.0, 1.0, 0.5, 0.3])
ROWS = st.lists(
    st.tuples(
        st.one_of(st.none(), CONFIDENCES, CONFIDENCES, CONFIDENCES),
        CREDITS,
        st.sampled_from([1.0, 1.0, 2.0, 0.5]),
    ),
    min_size=1,
    max_size=12,
).filter(lambda rows: any(row[0] is not None for row in rows))


def sample_of(rows: list[Row], **more: Any) -> Sample:
    guess = np.array([row[0] is not None for row in rows])
    return Sample(
        guess=guess,
        confidence=np.array([np.nan if row[0] is None else row[0] for row in rows]),
        loss=np.where(guess, [1 - row[1] for row in rows], 0.0),
        weight=np.array([row[2] for row in rows]),
        **more,
    )


def guesses_of(rows: list[Row]) -> list[twin.Guess]:
    kept = [row for row in rows if row[0] is not None]
    return [tuple(Fraction(str(value)) for value in row) for row in kept]  # type: ignore[misc]


def curve_of(rows: list[Row]) -> demur.Curve:
    credit = np.array([row[1] for row in rows])
    outcome = np.where(credit > 0, RIGHT, WRONG)
    outcome[[row[0] is None for row in rows]] = UNANSWERED
    return build_curve(
        outcome.astype(np.uint8),
        confidence=np.array([row[0] or 0.0 for row in rows]),
        credit=np.where(outcome == RIGHT, credit, 0.0),
        weight=np.array([row[2] for row in rows]),
    )


def plain(confidence: list[float], correct: list[float], **more: Any) -> Sample:
    return Sample(
        guess=np.ones(len(correct), bool),
        confidence=np.array(confidence, float),
        loss=1 - np.array(correct, float),
        **more,
    )


def drawn(n_items: int, *, bend: float = 1.0, seed: int = 0) -> Sample:
    """Right with probability confidence ** bend."""
    rng = np.random.default_rng(seed)
    confidence = rng.beta(4, 1.5, n_items)
    return plain(confidence, rng.random(n_items) < confidence**bend)


# -- the diagram -------------------------------------------------------------------


@given(rows=ROWS)
def test_estimates_are_those_of_the_twin(rows: list[Row]) -> None:
    guesses = guesses_of(rows)
    found = reliability(sample_of(rows))
    expected = twin.isotonic(guesses)
    assert found.confidence.tolist() == [float(level) for level in expected]
    assert found.estimate == pytest.approx([float(each) for each in expected.values()])
    at = {level: [each for each in guesses if each[0] == level] for level in expected}
    assert found.observed == pytest.approx(
        [float(twin.mean_credit(each)) for each in at.values()]
    )
    assert found.count.tolist() == [len(each) for each in at.values()]
    weights = [float(sum(each[2] for each in some)) for some in at.values()]
    assert found.weight == pytest.approx(weights)
    assert found.no_guess == len(rows) - len(guesses)
    assert found.ungraded == 0


@pytest.mark.parametrize("seed", range(5))
def test_estimates_are_those_of_scikit_learn(seed: int) -> None:
    isotonic = pytest.importorskip("sklearn.isotonic")
    rng = np.random.default_rng(seed)
    confidence = rng.normal(size=500).round(1 + seed % 3)
    credit = np.where(rng.random(500) < 1 / (1 + np.exp(-confidence)), 1.0, 0.25)
    weight = rng.choice([1.0, 2.0, 0.5], 500)
    found = reliability(plain(confidence.tolist(), credit.tolist(), weight=weight))
    model = isotonic.IsotonicRegression()
    model.fit(confidence, credit, sample_weight=weight)
    assert found.estimate == pytest.approx(model.predict(found.confidence), abs=1e-12)


@given(rows=ROWS)
def test_hull_slopes_are_the_estimates_of_being_wrong(rows: list[Row]) -> None:
    curve, found = curve_of(rows), reliability(sample_of(rows))
    assert curve.ladder is not None
    hull = lower_hull(curve.ladder, curve.totals)
    # The segment to the right of a vertex declines confidences from its cutoff on.
    answering = hull.position < len(curve.ladder.ranked)
    cutoff = curve.ladder.ranked[hull.position[answering]]
    segment = np.searchsorted(cutoff, found.confidence, "right") - 1
    assert found.estimate == pytest.approx(1 - hull.low[segment], abs=1e-12)
    # And back: between changes of the estimate the slope of the curve is 1 - estimate.
    ends = np.flatnonzero(np.diff(found.estimate) > 1e-12) + 1
    assert np.isin(found.confidence[ends], cutoff).all()
    assert len(cutoff) == len(ends) + 1


def test_pools_of_equal_ratio_have_one_estimate() -> None:
    thirds = plain(np.repeat(np.arange(30) / 30, 3).tolist(), [1, 0, 0] * 30)
    assert set(reliability(thirds).estimate.tolist()) == {1 / 3}


@pytest.mark.parametrize(
    ("credit", "blocks"),
    [
        ([0, 0, 0, 0], [(0.1, 0.4, 0.0, 4)]),
        ([1, 1, 1, 1], [(0.1, 0.4, 1.0, 4)]),
        ([0, 1, 0, 1], [(0.1, 0.1, 0.0, 1), (0.2, 0.3, 0.5, 2), (0.4, 0.4, 1.0, 1)]),
        ([1, 0, 1, 1], [(0.1, 0.2, 0.5, 2), (0.3, 0.4, 1.0, 2)]),
    ],
)
def test_blocks_are_runs_of_one_estimate(credit: list[int], blocks: Any) -> None:
    found = reliability(plain([0.1, 0.2, 0.3, 0.4], credit)).blocks
    assert [(one.low, one.high, one.estimate, one.count) for one in found] == blocks
    assert [one.weight for one in found] == [one.count for one in found]


@given(rows=ROWS, seed=st.integers(0, 99))
def test_row_order_never_matters(rows: list[Row], seed: int) -> None:
    mixed = [rows[at] for at in np.random.default_rng(seed).permutation(len(rows))]
    one, other = (reliability(sample_of(each)) for each in (rows, mixed))
    assert one.to_dict() == other.to_dict()
    first, second = (
        brier_split(sample_of(each), replicates=20) for each in (rows, mixed)
    )
    assert first == second


@given(rows=ROWS)
def test_rescaling_changes_no_estimate(rows: list[Row]) -> None:
    rescaled = [(None if c is None else 5 * c**3 - 9, k, w) for c, k, w in rows]
    one, other = reliability(sample_of(rows)), reliability(sample_of(rescaled))
    assert one.estimate.tolist() == other.estimate.tolist()
    assert one.stated
    assert not other.stated


def test_infinite_confidences_are_ranked() -> None:
    found = reliability(plain([-np.inf, 0.2, np.inf], [0, 1, 1]))
    assert found.estimate.tolist() == [0.0, 1.0, 1.0]
    assert not found.stated


def test_negative_zero_is_zero() -> None:
    found = reliability(plain([-0.0, 0.0, 0.5], [0, 1, 1]))
    assert found.count.tolist() == [2, 1]
    assert not np.signbit(found.confidence).any()
    assert found.stated


def test_ungraded_answers_are_left_out_and_counted() -> None:
    sample = plain([0.2, 0.4, 0.4, 0.8], [0, 1, 0, 1])
    flags = np.array([False, False, True, False])
    kept = reliability(sample, ungraded=flags)
    assert (kept.ungraded, kept.no_guess) == (1, 0)
    assert kept.estimate.tolist() == [0.0, 1.0, 1.0]
    assert reliability(sample).estimate.tolist() == [0.0, 0.5, 1.0]
    assert brier_split(sample, ungraded=flags, replicates=0).items == 3


def test_what_cannot_be_judged_is_refused() -> None:
    none = Sample(np.zeros(2, bool), np.full(2, np.nan), np.zeros(2))
    undefined("no graded guess", reliability, none)
    undefined("without a confidence", brier_split, plain([np.nan, np.nan], [1, 0]))
    with pytest.raises(demur.UndefinedRate, match=r"from -1 to 0\.5.*Use reliability"):
        brier_split(plain([-1, 0.5], [1, 0]))
    with pytest.raises(demur.InputError, match="one flag for each of the 2 items"):
        reliability(plain([0.1, 0.2], [1, 0]), ungraded=np.zeros(3, bool))


# -- the band ----------------------------------------------------------------------


@pytest.mark.parametrize("level", [0.95, 0.8, 0.5])
def test_the_band_of_far_levels_is_binomial(level: float) -> None:
    stats = pytest.importorskip("scipy.stats")
    confidence = np.repeat([0.2, 0.9], [400, 100])  # too far apart to be pooled
    band = consistency_band(
        plain(confidence.tolist(), [1] * 500), level=level, replicates=4000
    )
    assert band.confidence.tolist() == [0.2, 0.9]
    chances = [(1 - level) / 2, (1 + level) / 2]
    for place, (n, chance) in enumerate([(400, 0.2), (100, 0.9)]):
        ends = [band.low[place], band.high[place]]
        expected = stats.binom(n, chance).ppf(chances) / n
        assert ends == pytest.approx(expected, abs=1.01 / n)


def test_the_band_counts_weights_and_clusters() -> None:
    stats = pytest.importorskip("scipy.stats")
    heavy = np.where(np.arange(200) < 20, 1000.0, 1.0)  # as good as 20 guesses
    whole = np.arange(200) // 10  # as good as 20 guesses too
    expected = stats.binom(20, 0.5).ppf([0.025, 0.975]) / 20
    for more in ({"weight": heavy}, {"cluster": whole}):
        band = consistency_band(plain([0.5] * 200, [1] * 200, **more), replicates=2000)
        ends = [band.low[0], band.high[0]]
        assert ends == pytest.approx(expected, abs=0.06)


def test_the_band_is_of_the_confidences_not_of_the_answers() -> None:
    sample = drawn(1000)
    wrong = Sample(sample.guess, sample.confidence, np.ones(1000))
    band, other = (consistency_band(each, replicates=300) for each in (sample, wrong))
    assert len(band.confidence) == 200
    middle = (other.low + other.high) / 2
    assert other.low == pytest.approx(band.low, abs=0.1)
    assert (np.diff(other.low) >= 0).all()
    assert np.abs(middle - other.confidence).mean() < 0.03


@pytest.mark.parametrize(
    ("sample", "more", "error", "match"),
    [
        (plain([0.2, 3], [0, 1]), {}, demur.UndefinedRate, "are no probabilities"),
        (plain([0.2, 1], [0, 1]), {"level": 1.0}, demur.InputError, "lie between"),
        (plain([0.2, 1], [0, 1]), {"replicates": 0}, demur.InputError, "1 or more"),
    ],
)
def test_no_band(sample: Sample, more: Any, error: Any, match: str) -> None:
    with pytest.raises(error, match=match):
        consistency_band(sample, **more)


# -- the Brier score ---------------------------------------------------------------


@given(rows=ROWS)
def test_parts_are_those_of_the_twin(rows: list[Row]) -> None:
    split = brier_split(sample_of(rows), replicates=0)
    expected = twin.brier_split(guesses_of(rows))
    found = [getattr(split, name) for name in PARTS]
    assert found == pytest.approx([float(each) for each in expected], abs=1e-14)
    total = split.miscalibration - split.discrimination + split.uncertainty
    assert split.brier == pytest.approx(total, abs=1e-14)
    assert split.miscalibration >= 0
    assert split.discrimination >= 0
    assert split.intervals is None
    assert split.p_calibrated is None


def test_parts_of_large_data_are_those_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    isotonic = pytest.importorskip("sklearn.isotonic")
    sample = drawn(5000, bend=2.0)
    right = 1 - sample.loss
    split = brier_split(sample, replicates=0)
    model = isotonic.IsotonicRegression().fit(sample.confidence, right)
    fitted = model.predict(sample.confidence)
    score = metrics.brier_score_loss
    best = score(right, np.clip(fitted, 0, 1))
    assert split.brier == pytest.approx(score(right, sample.confidence))
    assert split.miscalibration == pytest.approx(split.brier - best, abs=1e-12)
    flat = score(right, np.full(5000, right.mean()))
    assert split.discrimination == pytest.approx(flat - best, abs=1e-12)


def test_weights_are_repetitions() -> None:
    sample = plain([0.2, 0.5, 0.7, 0.9], [1, 0, 1, 1], weight=np.array([1.0, 3, 2, 1]))
    repeated = plain([0.2, 0.5, 0.5, 0.5, 0.7, 0.7, 0.9], [1, 0, 0, 0, 1, 1, 1])
    one, other = (brier_split(each, replicates=0) for each in (sample, repeated))
    assert [getattr(one, name) for name in PARTS] == pytest.approx(
        [getattr(other, name) for name in PARTS]
    )


def test_items_without_a_guess_are_left_out() -> None:
    rows: list[Row] = [(0.2, 0.0, 1.0), (None, 0.0, 9.0), (0.8, 1.0, 1.0)]
    split = brier_split(sample_of(rows), replicates=0)
    assert split.brier == pytest.approx(0.04)
    assert (split.items, split.no_guess, split.ungraded) == (2, 1, 0)


def test_perfect_and_worst_confidences() -> None:
    perfect = brier_split(plain([0, 0, 1, 1], [0, 0, 1, 1]), replicates=0)
    assert (perfect.brier, perfect.miscalibration) == (0, 0)
    assert perfect.discrimination == perfect.uncertainty == 0.25
    worst = brier_split(plain([0, 0, 1, 1], [1, 1, 0, 0]), replicates=0)
    assert (worst.brier, worst.miscalibration) == (1.0, 0.75)
    assert worst.discrimination == 0


def test_seeds_repeat_and_differ() -> None:
    sample = drawn(100)
    one = brier_split(sample, replicates=50, seed=1)
    assert one == brier_split(sample, replicates=50, seed=1)
    other = brier_split(sample, replicates=50, seed=2)
    assert one.p_calibrated != other.p_calibrated
    assert one.intervals == other.intervals


def test_intervals_tell_calibrated_from_overconfident() -> None:
    good, bad = drawn(600), drawn(600, bend=3.0)
    calibrated, off = (brier_split(each, replicates=200) for each in (good, bad))
    assert calibrated.intervals is not None
    assert off.intervals is not None
    assert calibrated.intervals["miscalibration"][0] == 0
    assert calibrated.p_calibrated > 0.05  # type: ignore[operator]
    low, high = off.intervals["miscalibration"]
    truth = 0.0883  # mean of (c - c^3)^2 for c ~ Beta(4, 1.5)
    assert 0.05 < low < truth < high < 0.13
    # Chance adds to the value, so the interval reaches further down than up.
    assert low + high < 2 * off.miscalibration
    assert off.p_calibrated == 1 / 201
    assert off.p_uninformative == 1 / 201
    for name in ("brier", "uncertainty"):
        low, high = off.intervals[name]
        assert low < getattr(off, name) < high


@pytest.mark.parametrize("stated", [0.15, 0.3, 0.6])
def test_replicates_as_extreme_as_the_data_count(stated: float) -> None:
    # Five equal answers are all right: the chance of being off by so much or more.
    split = brier_split(plain([stated] * 5, [1] * 5), replicates=5000, seed=1)
    right = np.arange(6)
    extreme = np.abs(right / 5 - stated) >= 1 - stated - 1e-9
    chance = binom.pmf(right, 5, stated)[extreme].sum()
    assert split.p_calibrated == pytest.approx(chance, abs=0.02)
    assert split.p_uninformative == 1


@pytest.mark.parametrize(
    ("wrong", "chance"), [(0, 1.0), (1, 1.0), (2, 0.089), (5, 0.00015)]
)
def test_near_certainty_errors_count_as_rarely_as_they_are_stated(
    wrong: int, chance: float
) -> None:
    """50 answers stated at .99: none wrong is no wonder, five wrong are one.

    By flipped signs none wrong was "miscalibrated, p = .001", and five were not.
    """
    split = brier_split(plain([0.99] * 50, [0] * wrong + [1] * (50 - wrong)))
    assert split.p_calibrated == pytest.approx(max(chance, 0.001), abs=0.03)
    off = wrong / 50 - 0.01
    assert split.miscalibration == pytest.approx(off**2)
    low, high = split.intervals["miscalibration"]
    assert (low == 0) == (wrong < 5)
    assert high > (0.07 - 0.01) ** 2  # seven in a hundred may be wrong, if none is seen
    low, high = split.intervals["brier"]
    assert (low < 0.01 * 0.99 < high) == (wrong < 2)


def test_calibrated_clusters_are_hardly_ever_called_miscalibrated() -> None:
    """Items of a cluster err together; independent draws would reject a third."""
    rng, rejected = np.random.default_rng(0), 0
    for run in range(60):
        stated = rng.choice([0.9, 0.95, 0.98], 20).repeat(5)
        right = rng.random(20).repeat(5) < stated
        clusters = np.arange(20).repeat(5)
        sample = Sample(np.ones(100, bool), stated, 1.0 * ~right, None, clusters)
        split = brier_split(sample, replicates=99, seed=run)
        rejected += split.p_calibrated <= 0.05
    assert rejected <= 8  # 3 expected


def test_uninformative_confidences_are_told() -> None:
    rng = np.random.default_rng(3)
    sample = plain(rng.random(400).tolist(), (rng.random(400) < 0.6).tolist())
    split = brier_split(sample, replicates=200)
    assert split.p_uninformative > 0.05  # type: ignore[operator]
    assert split.intervals is not None
    assert split.intervals["discrimination"][0] == 0


def test_clusters_are_drawn_whole() -> None:
    # Every answer ten times: as items the intervals are far too narrow.
    one = drawn(100, bend=2.0)
    ten = np.repeat(np.arange(100), 10)
    copies = one.take(ten)
    clustered = Sample(copies.guess, copies.confidence, copies.loss, cluster=ten)
    splits = [brier_split(each, replicates=300) for each in (one, copies, clustered)]
    assert [each.units for each in splits] == [100, 1000, 100]
    assert [each.items for each in splits] == [100, 1000, 1000]
    widths = [np.diff(each.intervals["brier"])[0] for each in splits]  # type: ignore[index]
    assert widths[2] == pytest.approx(widths[0], rel=0.2)
    assert widths[1] < widths[0] / 2


def test_one_cluster_has_no_interval() -> None:
    sample = plain([0.2, 0.8], [0, 1], cluster=np.zeros(2, np.int64))
    assert brier_split(sample).intervals is None
    assert brier_split(plain([0.4], [1])).p_calibrated is None


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        ({"level": 1.0}, "level must lie between 0 and 1"),
        ({"level": 95}, "level must be a number from 0 to 1; got 95"),
        ({"replicates": -1}, "replicates must be 0 or more"),
        ({"replicates": 1.5}, "replicates must be 0 or more"),
    ],
)
def test_bad_arguments(wrong: dict[str, Any], match: str) -> None:
    refuses(match, brier_split, plain([0.2, 0.8], [0, 1]), **wrong)


# -- trust -------------------------------------------------------------------------


@given(rows=ROWS, target=st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 0.75, 0.9, 1.0]))
def test_trust_against_every_cutoff(rows: list[Row], target: float) -> None:
    curve = curve_of(rows)
    trust = cost_of_trust(curve, target=target)
    ratio = 1 - Fraction(str(target))
    weights = [Fraction(str(row[2])) for row in rows]

    def cost(cutoff: float) -> tuple[Fraction, Fraction]:
        total = silent = Fraction(0)
        for (confidence, credit, _), weight in zip(rows, weights, strict=True):
            if confidence is None or confidence < cutoff:
                silent += weight
            else:
                total += weight * (1 - Fraction(str(credit)))
        return (total + ratio * silent) / sum(weights), silent / sum(weights)

    cutoffs = {row[0] for row in rows if row[0] is not None} | {2.0}
    best, nonreturn = min(cost(cutoff) for cutoff in cutoffs)
    assert trust.cost == pytest.approx(float(cost(target)[0]))
    assert trust.best_cost == pytest.approx(float(best))
    assert trust.difference == pytest.approx(float(cost(target)[0] - best), abs=1e-15)
    assert trust.difference >= 0
    assert trust.best.nonreturn == pytest.approx(float(nonreturn))
    for point, price in ((trust.trusted, trust.cost), (trust.best, trust.best_cost)):
        assert point.error is not None
        total = point.error + float(ratio) * point.nonreturn
        assert total == pytest.approx(price)
        assert point.how == "exact"


def test_calibrated_confidences_can_be_trusted() -> None:
    # Of ten answers at each confidence just that share is right.
    confidence = np.repeat([0.1, 0.3, 0.5, 0.7, 0.9], 10)
    correct = np.concatenate([[1] * n + [0] * (10 - n) for n in (1, 3, 5, 7, 9)])
    sample = plain(confidence.tolist(), correct.tolist())
    assert brier_split(sample, replicates=0).miscalibration == pytest.approx(0)
    curve = demur.error_return(graded(correct == 1, confidence))
    for target in np.arange(0, 101) / 100:
        assert cost_of_trust(curve, target=target).difference == 0


def test_ungraded_answers_cost_as_errors() -> None:
    curve = demur.error_return(
        by_outcome(["right", "ungraded", "right"], [0.9, 0.8, 0.7])
    )
    trust = cost_of_trust(curve, target=0.5)
    assert trust.cost == pytest.approx(1 / 3)
    assert trust.trusted.bounds == (0.0, pytest.approx(1 / 3))


def test_single_precision_is_compared_in_its_own() -> None:
    curve = build_curve(
        np.array([RIGHT, WRONG], np.uint8), confidence=np.array([0.7, 0.6], np.float32)
    )
    trust = cost_of_trust(curve, target=0.7)
    assert trust.trusted.nonreturn == 0.5
    assert trust.best.cutoff == 0.69999998  # float32 and float64 read it alike
    assert trust.difference == 0


def test_what_cannot_be_trusted() -> None:
    def curve(confidence: list[float] | None) -> demur.Curve:
        more = {} if confidence is None else {"confidence": confidence}
        return demur.error_return(graded([1, 0], system="x", **more))

    undefined("x states no confidences", cost_of_trust, curve(None), target=0.5)
    undefined("of x run from 0 to 7", cost_of_trust, curve([0, 7]), target=0.5)
    with pytest.raises(demur.InputError, match="target must be a number from 0 to 1"):
        cost_of_trust(curve([0.1, 0.7]), target=80)


# -- output and real data ----------------------------------------------------------


def test_plain_values_for_json() -> None:
    import json

    sample = drawn(30)
    for result in (reliability(sample), brier_split(sample, replicates=10)):
        assert json.loads(json.dumps(result.to_dict())) == result.to_dict()
    without = brier_split(sample, replicates=0).to_dict()
    assert without["intervals"] is None
    assert set(PARTS) < set(without)
    curve = demur.error_return(graded([0, 0], [0.9, 0.8]))
    trust = cost_of_trust(curve, target=0.7).to_dict()
    assert trust["best"]["cutoff"] is None
    assert trust["difference"] == pytest.approx(0.7)
    assert json.loads(json.dumps(trust)) == trust


def test_real_models_are_overconfident(demur_data: Path) -> None:
    path = demur_data / "llm_mcq_confidence" / "mmlu.csv.gz"
    outcomes = demur.read_outcomes(path, where={"prompt": "first"})
    splits: dict[str, demur.BrierSplit] = {}
    for name in outcomes.systems:
        part = outcomes.select(system=name)
        assert part.confidence is not None
        sample = Sample(
            part.outcome != UNANSWERED, part.confidence, 1.0 * (part.outcome == WRONG)
        )
        splits[name] = brier_split(sample, replicates=0)
    assert len(splits) == 13
    ranked = sorted(splits, key=lambda name: splits[name].miscalibration)
    assert (ranked[0], ranked[-1]) == ("Yi-34b", "Mistral")
    assert splits["Yi-34b"].miscalibration == pytest.approx(0.0091, abs=5e-5)
    assert splits["Mistral"].miscalibration == pytest.approx(0.2003, abs=5e-5)
