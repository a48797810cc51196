"""Intervals of agreement: what they hold, what is undefined, who is left out."""

import json
from pathlib import Path

import numpy as np
import pytest

import demur
from demur.agreement import kappas
from demur.agreement.alphas import cells_of, disagreement
from demur.agreement.annotations import as_annotations
from demur.agreement.intervals import score_ends, without_each
from demur.agreement.unit_parts import alpha_parts

GOLDEN = Path(__file__).parents[1] / "golden" / "alpha_cases.json"
ROWS = {"ann": ["a", "a", "b", "b", None], "bob": ["a", "b", "b", "b", "a"]}


def parts_of(told, metric="nominal"):
    cells = cells_of(told)
    return alpha_parts(
        cells, told.labels, metric, disagreement(cells, told.labels, metric)
    )


def ends_of(told, metric="nominal", cluster=None):
    return score_ends(parts_of(told, metric), cluster, 0.95)[0]


# -- what each unit adds -------------------------------------------------------------


@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval", "ratio"])
def test_parts_say_how_alpha_moves_with_the_weight_of_a_unit(metric):
    units = [(1, 2, 1), (2, 2, 2), (5, 4, None), (1, 1, 3), (3, 5, 4), (None, 2, None)]
    rows = [unit for unit in units for _ in range(300)]
    less, whole, more = (
        as_annotations([list(row) for row in zip(*some, strict=True)])
        for some in (rows[1:], rows, [units[0], *rows])
    )
    parts = parts_of(whole, metric)
    observed, expected = parts.means
    alphas = [
        disagreement(cells_of(one), one.labels, metric).alpha
        for one in (less, whole, more)
    ]
    assert 1 - observed / expected == pytest.approx(alphas[1])
    off = parts.expected[0] * observed / expected - parts.observed[0]
    moved = parts.weight[0] / parts.weight.sum() * off / expected
    assert (alphas[2] - alphas[0]) / 2 == pytest.approx(moved, rel=0.01)


# -- what the interval is ------------------------------------------------------------


def test_the_interval_is_about_other_units():
    cases = json.loads(GOLDEN.read_text("utf-8"))["cases"]
    told = as_annotations(next(c for c in cases if c["id"] == "hayes2007")["coders"])
    # R icr draws units anew: 0.633 to 0.844; drawing pairs it would be 0.714 to 0.813
    assert ends_of(told, "ordinal") == pytest.approx((0.633, 0.844), abs=0.03)


def test_the_ends_are_wilsons_where_labels_are_balanced():
    n, apart = 60, 6
    rows = [[k % 2 for k in range(n)], [(k + (k < apart)) % 2 for k in range(n)]]
    low, high = ends_of(as_annotations(rows))
    t = 2.001  # of 59 degrees of freedom
    centre = (apart / n + t * t / (2 * n)) / (1 + t * t / n)
    reach = (apart / n * (1 - apart / n) / n + t * t / (4 * n * n)) ** 0.5
    reach *= t / (1 + t * t / n)
    expected = 0.5 * 2 * n / (2 * n - 1)
    assert low == pytest.approx(1 - (centre + reach) / expected, abs=0.01)
    # Of few that disagree, chance of so many or more sets the upper end.
    assert 1 - (centre - reach) / expected <= high < 1


@pytest.mark.parametrize(("n", "low"), [(6, -0.01), (20, 0.67), (200, 0.96)])
def test_units_that_all_agree_do_not_make_it_certain(n, low):
    rows = {"ann": list("ab") * (n // 2), "bob": list("ab") * (n // 2)}
    found = demur.agreement(rows)
    for one in found.coefficients:
        assert one.value == 1.0, one.name
        assert one.interval == pytest.approx((low, 1.0), abs=0.055), one.name


def test_clusters_are_independent_and_their_units_are_not():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 60)
    one = np.repeat(truth, 6)
    noisy = np.repeat(np.where(rng.random(60) < 0.8, truth, 1 - truth), 6)
    table = [
        {"unit": k, "cluster": k // 6, "ann": int(a), "bob": int(b)}
        for k, (a, b) in enumerate(zip(one, noisy, strict=True))
    ]
    whole = demur.agreement(table)
    single = demur.agreement(table, resample="unit")
    assert whole.recipe["resample"] == "cluster"
    for clustered, alone in zip(whole.coefficients, single.coefficients, strict=True):
        widths = [high - low for low, high in (clustered.interval, alone.interval)]
        assert widths[0] == pytest.approx(6**0.5 * widths[1], rel=0.25)


@pytest.mark.parametrize("metric", ["nominal", "interval", "ordinal", "ratio"])
def test_intervals_hold_alpha_and_ignore_the_scale(metric):
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 5, 80)
    rows = [np.clip(truth + rng.integers(-1, 2, 80), 0, 5).tolist() for _ in range(3)]
    found = demur.agreement(rows, metric)
    low, high = found.interval
    assert low < found.alpha < high
    small = [[label * 1e-6 for label in row] for row in rows]
    assert ends_of(as_annotations(small), metric) == pytest.approx(found.interval)
    others = demur.agreement(rows, metric, resample="annotator")
    for one in others.coefficients:
        assert one.interval[0] < one.value < one.interval[1] <= 1, one.name


SKEWED = [
    pytest.param(60, 0.5, 0.98, id="near 1"),
    pytest.param(30, 0.1, 0.8, id="90 to 10"),
    pytest.param(100, 0.03, 0.8, id="97 to 3"),
]


@pytest.mark.parametrize(("n", "share", "alpha"), SKEWED)
def test_intervals_cover_what_they_say(n, share, alpha):
    # By benchmarks/agreement_coverage.py at least .92; drawing units, .44 to .75.
    rng, held, runs = np.random.default_rng(5), 0, 25
    for _ in range(runs):
        truth, *guesses = rng.random((3, n)) < share
        rows = [
            np.where(rng.random(n) < alpha**0.5, truth, guess).tolist()
            for guess in guesses
        ]
        if sum(map(sum, rows)) in (0, 2 * n):
            continue  # undefined
        low, high = ends_of(as_annotations(rows))
        held += low <= alpha <= high
    assert held >= 22


# -- what is undefined, and what must not move it ------------------------------------

ALIKE = {"a": [0.1] * 5 + [0.2], "b": [0.1] * 5 + [None], "c": [0.1] * 6}
METRICS = ["nominal", "ordinal", "interval", "ratio"]


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("names", ["ab", "abc"])
def test_values_that_are_alike_among_what_is_compared_have_no_alpha(metric, names):
    rows = {name: ALIKE[name][: 6 if names == "ab" else 5] for name in names}
    rows["d"] = [None] * (len(rows["a"]) - 1) + [0.3 if names == "abc" else None]
    found = demur.agreement(rows | {"e": [None] * len(rows["a"])}, metric)
    if names == "abc":  # 0.3 is compared with three times 0.1
        assert found.alpha is not None
        rows["d"] = [*rows["d"][:-1], None]
        found = demur.agreement(rows, metric)
    first = found.coefficients[0]
    assert (first.value, first.interval) == (None, None)
    assert "all labels are alike" in first.undefined
    assert found.units_first == ()


def test_labels_that_are_one_number_are_alike():
    rows = [[2**60, 2**60 + 1, 2**60], [2**60 + 1, 2**60, 2**60]]
    assert demur.agreement(rows, "interval").alpha is None


@pytest.mark.parametrize("far", [1e8, 1e9, 1e15])
def test_a_label_without_another_moves_nothing(far):
    rng = np.random.default_rng(4)
    rows = rng.integers(0, 5, (2, 40)).tolist()
    whole = demur.agreement(rows, "interval")
    rows[0].append(far)
    rows[1].append(None)
    found = demur.agreement(rows, "interval")
    assert found.alpha == whole.alpha
    assert found.interval == pytest.approx(whole.interval, abs=1e-6)


def test_there_is_none_where_nothing_varies():
    one = demur.agreement({"a": ["x"], "b": ["y"]})
    assert (one.alpha, one.interval) == (0.0, None)
    assert "show no spread" in str(one)
    two = demur.agreement(ROWS, resample="annotator")
    assert [c.interval for c in two.coefficients] == [None] * 4
    assert "nobody to agree with" in str(two)
    three = demur.agreement(
        {**ROWS, "eve": list("abbab")}, resample="annotator", key="eve"
    )
    assert "PARADISE, key eve, ann): it is of two annotators" in " ".join(
        str(three).split()
    )
    assert demur.agreement({"a": ["x", "y"], "b": ["y", "z"]}).interval is not None


def test_annotators_are_left_out_one_by_one():
    told = as_annotations([["a", "b"], ["a", "a"], ["b", "b"]])
    left = [one.annotators for one in without_each(told)]
    assert left == [told.annotators[1:], told.annotators[::2], told.annotators[:2]]
    pairs = [kappas.cohen(one, cells_of(one)).value for one in without_each(told)]
    found = demur.agreement([["a", "b"], ["a", "a"], ["b", "b"]])
    assert found.value("kappa (Cohen, mean of pairs)") == np.mean(pairs)
