"""ROC, DET, precision-recall, risk-coverage and F, held against slow plain twins."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import by_outcome, graded, printed, printed_json
from demur.curves.contrasts import AURC_DEFINITIONS

G1 = (
    [0.95, 0.9, 0.9, 0.8, 0.7, 0.7, 0.7, 0.4, 0.3, 0.1],
    [1, 1, 0, 1, 1, 0, 1, 0, 1, 0],
)


def contrast_of(confidence, correct, **columns):
    outcomes = graded(correct, confidence, **columns)
    return demur.contrast(demur.error_return(outcomes))


# -- twins: item by item, in exact fractions ---------------------------------------


def auroc_of_pairs(confidence, credit):
    """The chance that what is right ranks above what is wrong; ties half."""
    above = whole = Fraction(0)
    for one, right in zip(confidence, credit, strict=True):
        for other, also in zip(confidence, credit, strict=True):
            amount = Fraction(right) * (1 - Fraction(also))
            whole += amount
            above += amount * (Fraction(one > other) + Fraction(one == other, 2))
    return float(above / whole) if whole else None


def aurc_by_item(confidence, credit):
    """The risks after 1, 2, ..., n guesses, expected inside ties; four areas."""
    rows = sorted(zip(confidence, credit, strict=True), reverse=True)
    expected = [
        Fraction(sum(1 - Fraction(c) for v, c in rows if v == value))
        / sum(v == value for v, _ in rows)
        for value, _ in rows
    ]
    n, lost, risks = len(rows), Fraction(0), []
    for count, loss in enumerate(expected, 1):
        lost += loss
        risks.append(lost / count)
    inner = sum((a + b) / 2 for a, b in zip(risks, risks[1:], strict=False)) / n
    found = {
        "mean": sum(risks) / n,
        "constant_start": inner + risks[0] / n,
        "from_zero": inner + risks[0] / 2 / n,
        "after_first": inner / (1 - Fraction(1, n)) if n > 1 else risks[0],
    }
    return {name: float(value) for name, value in found.items()}


rows = st.lists(
    st.tuples(st.sampled_from([0.1, 0.2, 0.5, 0.9, 1.0]), st.sampled_from([0, 1])),
    min_size=1,
    max_size=14,
)
partial = st.lists(
    st.tuples(st.sampled_from([0.1, 0.5, 0.9]), st.sampled_from([0, 0.25, 0.5, 1])),
    min_size=1,
    max_size=10,
)


@given(rows | partial)
def test_areas_are_those_of_the_twins(listed):
    confidence, credit = zip(*listed, strict=True)
    found = contrast_of(confidence, credit)
    assert found.auroc == pytest.approx(auroc_of_pairs(confidence, credit))
    assert found.aurc == pytest.approx(aurc_by_item(confidence, credit))


@given(rows)
def test_arrays_are_counted_again_at_each_cutoff(listed):
    confidence, correct = map(np.array, zip(*listed, strict=True))
    found = contrast_of(confidence, correct)
    n, right, wrong = len(correct), correct.sum(), n_wrong(correct)
    for row, cutoff in enumerate([*found.curve.cutoff[:-1], np.inf]):
        given_ = confidence >= cutoff
        hits, errors = correct[given_].sum(), n_wrong(correct[given_])
        expected = {
            "coverage": given_.sum() / n,
            "risk": errors / given_.sum() if given_.any() else np.nan,
            "precision": hits / given_.sum() if given_.any() else np.nan,
            "recall": hits / n,
            "hit": hits / right if right else np.nan,
            "miss": 1 - hits / right if right else np.nan,
            "false_alarm": errors / wrong if wrong else np.nan,
            "f_measure": 2 * hits / (given_.sum() + n),
        }
        for name, value in expected.items():
            assert getattr(found, name)[row] == pytest.approx(value, nan_ok=True), name


def n_wrong(correct):
    return int((1 - correct).sum())


@given(rows)
def test_the_best_f_is_the_greatest_of_all_cutoffs(listed):
    confidence, correct = map(np.array, zip(*listed, strict=True))
    found = contrast_of(confidence, correct)
    assert found.f_best == pytest.approx(found.f_measure.max())
    first = int(np.flatnonzero(np.isclose(found.f_measure, found.f_best))[0])
    assert found.f_best_at["nonreturn"] == pytest.approx(found.curve.nonreturn[first])
    cutoff = found.f_best_at["cutoff"]
    given_ = confidence >= (np.inf if cutoff is None else cutoff)
    assert found.f_best == pytest.approx(
        2 * correct[given_].sum() / (given_.sum() + len(correct))
    )


# -- other tools, and cases by hand -------------------------------------------------


def test_areas_and_curves_are_those_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    draw = np.random.default_rng(3)
    confidence = draw.integers(0, 40, 500) / 40
    correct = draw.random(500) < 0.2 + 0.7 * confidence
    found = contrast_of(confidence, correct)
    assert found.auroc == pytest.approx(metrics.roc_auc_score(correct, confidence))
    alarm, hit, _ = metrics.roc_curve(correct, confidence, drop_intermediate=False)
    np.testing.assert_allclose(found.false_alarm[::-1], alarm, atol=1e-12)
    np.testing.assert_allclose(found.hit[::-1], hit, atol=1e-12)
    precision, recall, _ = metrics.precision_recall_curve(correct, confidence)
    np.testing.assert_allclose(found.precision[:-1], precision[:-1])
    np.testing.assert_allclose(found.hit, recall, atol=1e-12)


def test_four_areas_of_one_system():
    """Case G5: what four tools call AURC; the area is the fifth."""
    found = contrast_of([0.9, 0.8, 0.7, 0.6], [0, 1, 1, 1])
    rounded = {name: round(value, 4) for name, value in found.aurc.items()}
    assert rounded == {
        "mean": 0.5208,
        "constant_start": 0.6146,
        "from_zero": 0.4896,
        "after_first": 0.4861,
    }
    assert set(rounded) == set(AURC_DEFINITIONS)
    assert found.curve.area().value == 7 / 32


def test_the_area_follows_from_auroc():
    """Notes: area = (1 - AUROC) acc (1 - acc) + E^2 / 2 (AUGRC)."""
    found = contrast_of(*G1)
    assert found.auroc == 0.6875
    accuracy = 0.6
    by_auroc = (1 - found.auroc) * accuracy * 0.4 + 0.4**2 / 2
    assert found.curve.area().value == pytest.approx(by_auroc)


def test_row_order_inside_a_tie_changes_nothing():
    """Case G3: three orders, three AURC elsewhere."""
    found = {
        json.dumps(contrast_of([0.5] * 4, correct).to_dict())
        for correct in ([1, 0, 1, 0], [0, 0, 1, 1], [1, 1, 0, 0])
    }
    assert len(found) == 1
    assert json.loads(found.pop())["aurc"]["mean"] == 0.5


@pytest.mark.parametrize(("every", "rare"), [(10, True), (2, True), (10, False)])
def test_roc_does_not_see_how_many_are_wrong(every, rare):
    """Artstein (2011), section 2: errors of 10, 50, 90 per cent, spread evenly."""
    rank = np.arange(1000)
    correct = (rank % every == every // 2) != rare
    found = contrast_of(rank, correct)
    assert found.auroc == pytest.approx(0.5, abs=0.01)
    share = 1 / every if rare else 1 - 1 / every
    assert 1 - correct.mean() == pytest.approx(share)


# -- what has no place in these measures --------------------------------------------


def test_weights_have_no_aurc():
    found = contrast_of(*G1, weight=[1, 2] * 5)
    assert found.aurc is None
    assert "weights" in found.undefined["aurc"]
    assert "AURC undefined with weights" in str(found)
    assert found.auroc is not None
    assert contrast_of(*G1, weight=[3] * 10).aurc == contrast_of(*G1).aurc


def test_weights_are_counted_as_copies_are():
    confidence, correct = map(np.array, G1)
    weight = np.array([1, 2, 3, 1, 2, 1, 1, 3, 1, 2])
    found = contrast_of(confidence, correct, weight=weight)
    copied = contrast_of(confidence.repeat(weight), correct.repeat(weight))
    assert found.auroc == pytest.approx(copied.auroc)
    assert found.f_best == pytest.approx(copied.f_best)
    np.testing.assert_allclose(found.hit, copied.hit)


@pytest.mark.parametrize("correct", [[1, 1, 1], [0, 0, 0]])
def test_one_kind_of_guess_has_no_roc(correct):
    found = contrast_of([0.3, 0.2, 0.1], correct)
    assert found.auroc is None
    assert "right and wrong" in found.undefined["auroc"]
    assert found.aurc["mean"] == 1 - correct[0]


def test_without_confidences_there_is_an_f_alone():
    outcomes = graded([1, 1, 0, None])
    found = demur.contrast(demur.error_return(outcomes))
    assert found.f_own == 2 * 2 / (3 + 4)
    assert set(found.undefined) == {"auroc", "aurc", "f_best"}
    assert "undefined without confidences" in str(found)
    assert not len(found.hit)


def test_ungraded_answers_count_as_wrong_and_are_said():
    outcome = ["right", "ungraded", "wrong", "right"]
    outcomes = by_outcome(outcome, [4, 3, 2, 1])
    found = demur.contrast(demur.error_return(outcomes))
    same = contrast_of([4, 3, 2, 1], [1, 0, 0, 1])
    assert (found.auroc, found.aurc) == (same.auroc, same.aurc)
    np.testing.assert_array_equal(found.risk, same.risk)
    assert "1 ungraded answers count as wrong here" in str(found)


def test_items_without_a_guess_are_not_seen_and_that_is_said():
    """Half of the items without an answer: ROC and AURC are as if they were not."""
    few, more = [4, 3, 2, 1], [4, 3, 2, 1, None, None, None, None]
    with_none = contrast_of(more, [1, 0, 1, 0, *[None] * 4])
    without = contrast_of(few, [1, 0, 1, 0])
    assert (with_none.auroc, with_none.aurc) == (without.auroc, without.aurc)
    assert with_none.f_own == 2 * 2 / (4 + 8)
    assert "not the 4 items without one" in str(with_none)


def test_recall_is_over_what_can_be_answered():
    found = contrast_of([3, 2, 1], [1, 0, 0], answerable=[True, True, False])
    assert found.recall.tolist() == [0.5, 0.5, 0.5, 0.0]
    assert found.recall_over == "items that can be answered"


# -- what each of them hides, on real systems ----------------------------------------


def test_equal_f_for_unequal_systems():
    """Notes, section 0: 50 right and 50 wrong; 40 right, 20 wrong, 40 declined."""
    bold = graded([1] * 50 + [0] * 50)
    careful = graded([1] * 40 + [0] * 20 + [None] * 40)
    found = [demur.contrast(demur.error_return(each)).f_own for each in (bold, careful)]
    assert found == [0.5, 0.5]


def test_the_command_prints_and_draws_them(tmp_path):
    path, picture = tmp_path / "o.csv", tmp_path / "c.png"
    rows_ = [f"q{n},{c},{v}" for n, (v, c) in enumerate(zip(*G1, strict=True))]
    path.write_text("\n".join(["item,correct,confidence", *rows_]))
    assert "AUROC" in printed("curve", path, "--contrast", "--plot-contrast", picture)
    assert picture.stat().st_size > 10_000
    (system,) = printed_json("curve", path, "--contrast")["systems"]
    assert system["contrast"]["auroc"] == 0.6875
    assert set(system["contrast"]["aurc_definitions"]) == set(AURC_DEFINITIONS)
