"""Alpha: published values, a slow plain twin, and laws that hold of any labels."""

import gzip
import itertools
import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import refuses
from demur.agreement import distances
from demur.agreement.alphas import NO_PAIRS, ONE_VALUE, cells_of, disagreement
from demur.agreement.annotations import as_annotations
from demur.agreement.distances import METRICS

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "alpha_cases.json").read_text("utf-8")
)
PUBLISHED = [
    pytest.param(case, each, id=f"{case['id']}-{each['level']}")
    for case in GOLDEN["cases"]
    for each in case["expect"]
]


def found(coders, metric="nominal"):
    told = as_annotations(coders)
    return disagreement(cells_of(told), told.labels, metric)


@pytest.mark.parametrize(("case", "expected"), PUBLISHED)
def test_published_values(case, expected):
    result = found(case["coders"], expected["level"])
    assert abs(result.alpha - expected["alpha"]) <= expected["tol"]
    for name, value in (("Do", result.observed), ("De", result.expected)):
        if name in expected:
            assert value == pytest.approx(expected[name], abs=1e-3)


OTHERS = [
    (case["coders"], level, name, value)
    for case in GOLDEN["cases"]
    for level, values in case.get("computed", {}).items()
    for name, value in values.items()
    if name not in ("Do", "De") and "irr 0.84" not in name
]


@pytest.mark.parametrize(("coders", "level", "name", "value"), OTHERS)
def test_other_packages_agree(coders, level, name, value):
    metric = {"masi-2006": "masi"}.get(level, level)
    decimals = 5 if "irrCAC" in name else 8
    assert found(coders, metric).alpha == pytest.approx(value, abs=10**-decimals)


@pytest.mark.parametrize("case", GOLDEN["edge"], ids=lambda case: case["id"])
def test_edges(case):
    result = found(case["coders"])
    wanted = {
        "one-value": (None, ONE_VALUE),
        "no-pairs": (None, NO_PAIRS),
        "one-unit": (0.0, ""),
    }
    assert (result.alpha, result.undefined) == wanted[case["id"]]


# -- a slow plain twin ---------------------------------------------------------------


def distance(metric, a, b, values):  # noqa: C901  (one branch for each metric)
    """Straight from the definitions; values are all labels of units with a pair."""
    if metric == "nominal":
        return int(a != b)
    if metric == "interval":
        return (Fraction(a) - Fraction(b)) ** 2
    if metric == "ratio":
        return Fraction(a - b, a + b) ** 2 if a + b else 0
    if metric == "ordinal":
        low, high = min(a, b), max(a, b)
        between = sum(low <= v <= high for v in values)
        ends = Fraction(values.count(a) + values.count(b), 2)
        return (between - ends) ** 2 if a != b else 0
    union = len(a | b)
    index = Fraction(len(a & b), union) if union else Fraction(1)
    if a == b:
        step = Fraction(0)
    elif a <= b or b <= a:
        step = Fraction(1, 3)
    else:
        step = Fraction(2, 3) if a & b else Fraction(1)
    if metric == "jaccard":
        return 1 - index
    if metric == "passonneau2004":
        return step
    if metric == "masi":
        return 1 - index * (1 - step) if a & b or a == b else Fraction(1)
    if not a or not b:
        return step
    return step * (1 - index)


def twin(coders, metric):
    """Pair by pair, in fractions."""
    units = [[v for v in unit if v is not None] for unit in zip(*coders, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    values = [v for unit in units for v in unit]
    n = len(values)
    if not n:
        return None
    observed = sum(
        Fraction(distance(metric, a, b, values)) / (len(unit) - 1)
        for unit in units
        for a, b in itertools.permutations(unit, 2)
    ) / Fraction(n)
    expected = sum(
        Fraction(distance(metric, a, b, values))
        for a, b in itertools.permutations(values, 2)
    ) / Fraction(n * (n - 1))
    return 1 - observed / expected if expected else None


numbers = st.none() | st.integers(0, 4)
sets = st.none() | st.frozensets(st.sampled_from("abc"))


@st.composite
def coders(draw, label):
    n_units = draw(st.integers(1, 5))
    row = st.lists(label, min_size=n_units, max_size=n_units)
    return draw(st.lists(row, min_size=2, max_size=4))


def assert_twin(rows, metric):
    wanted, result = twin(rows, metric), found(rows, metric).alpha
    if wanted is None:
        assert result is None
    else:
        assert result == pytest.approx(float(wanted), abs=1e-12)


@given(coders(numbers), st.sampled_from(["nominal", "ordinal", "interval", "ratio"]))
def test_numbers_are_those_of_the_twin(rows, metric):
    assert_twin(rows, metric)


@given(
    coders(sets),
    st.sampled_from(["nominal", "jaccard", "masi", "masi-dkpro", "passonneau2004"]),
)
def test_sets_are_those_of_the_twin(rows, metric):
    assert_twin(rows, metric)


# -- laws ----------------------------------------------------------------------------


@given(coders(numbers), st.randoms(use_true_random=False))
def test_order_and_names_do_not_matter(rows, random):
    whole = found(rows).alpha
    units = list(zip(*rows, strict=True))
    random.shuffle(units)
    turned = [list(row) for row in zip(*units, strict=True)]
    random.shuffle(turned)
    renamed = [[None if v is None else f"label {v}" for v in row] for row in turned]
    for other in (turned, renamed):
        assert found(other).alpha == (
            None if whole is None else pytest.approx(whole, abs=1e-12)
        )


@given(coders(numbers), st.sampled_from(["nominal", "ordinal", "interval"]))
def test_alpha_is_one_only_if_all_agree(rows, metric):
    alpha = found(rows, metric).alpha
    units = [{v for v in unit if v is not None} for unit in zip(*rows, strict=True)]
    if alpha is not None:
        assert alpha <= 1
        assert (alpha == 1) == all(len(unit) <= 1 for unit in units if unit)


@given(coders(numbers))
def test_interval_and_ordinal_ignore_what_they_must(rows):
    moved = [[None if v is None else 3 * v + 7 for v in row] for row in rows]
    squared = [[None if v is None else v * v for v in row] for row in rows]
    pairs = [("interval", moved), ("ordinal", moved), ("ordinal", squared)]
    for metric, other in pairs:
        one, two = found(rows, metric).alpha, found(other, metric).alpha
        assert (one is None) == (two is None)
        assert one is None or one == pytest.approx(two, abs=1e-9)


@given(coders(numbers))
def test_a_function_may_be_the_distance(rows):
    one = found(rows, lambda a, b: float(a != b)).alpha
    assert one == pytest.approx(found(rows).alpha, abs=1e-12)


def test_integer_codes_are_the_fastest_way_in():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 6, (4, 200))
    codes[rng.random((4, 200)) < 0.2] = -1
    lists = [[None if v < 0 else int(v) for v in row] for row in codes]
    assert found(codes).alpha == pytest.approx(found(lists).alpha, abs=1e-12)
    assert found(codes.astype(np.int16)).alpha == found(codes).alpha


def test_many_units_and_labels_do_not_overflow():
    n = 50_000  # their product is above 2**31
    codes = np.array([np.arange(n), np.arange(n)])
    codes[1, :5_000] = np.roll(codes[1, :5_000], 1)
    wanted = 1 - 0.1 / (1 - (4 * n - 2 * n) / (2 * n * (2 * n - 1)))
    assert found(codes).alpha == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("metric", ["ratio", "jaccard", "masi", lambda a, b: a != b])
def test_blocks_change_nothing(metric, monkeypatch):
    rng = np.random.default_rng(0)
    rows = rng.integers(1, 40, (3, 60)).tolist()
    if metric in ("jaccard", "masi"):
        rows = [[set(range(v % 5, v % 7 + 1)) for v in row] for row in rows]
    whole = found(rows, metric).alpha
    monkeypatch.setattr(distances, "_ROWS", 90)
    assert found(rows, metric).alpha == pytest.approx(whole, abs=1e-12)


def test_chance_agreement_is_none():
    codes = np.random.default_rng(1).integers(0, 5, (3, 20_000))
    assert abs(found(codes).alpha) < 0.01


@pytest.mark.parametrize(
    ("rows", "metric", "words"),
    [
        ([["a"], ["b"]], "interval", "be numbers"),
        ([["a"], ["b"]], "jaccard", "be sets"),
        ([[{"a"}], [{"b"}]], "ordinal", "be numbers"),
        ([["a"], ["b"]], "weighted", "metric"),
    ],
)
def test_labels_of_another_kind_are_refused(rows, metric, words):
    refuses(words, found, rows, metric)


def test_every_metric_has_a_twin():
    assert set(METRICS) == {
        *("nominal", "ordinal", "interval", "ratio"),
        *("jaccard", "masi", "masi-dkpro", "passonneau2004"),
    }


# -- real annotations ----------------------------------------------------------------


def test_states_of_multiwoz_as_its_readme_counts_them(demur_data):
    folder = demur_data / "multiwoz_sources"
    states = {"v20": [], "v21": [], "v24": []}
    for line in gzip.decompress((folder / "test.jsonl.gz").read_bytes()).splitlines():
        now = {name: {} for name in states}
        for turn in json.loads(line)["turns"]:
            told = turn["st"]
            for name, own in now.items():
                own.update(told.get(name, told["v21"] if name == "v20" else {}))
                state = {f"{k}={v}" for k, v in own.items() if v is not None}
                states[name].append(state)
    assert len(states["v20"]) == 7372
    wanted = {"nominal": 0.487, "masi": 0.670, "jaccard": 0.835}
    for metric, value in wanted.items():
        assert found(states, metric).alpha == pytest.approx(value, abs=6e-4)


def test_people_and_judges_of_nq301(demur_data):
    path = demur_data / "nq301_judges" / "annotations.csv.gz"
    records = [record for _, record in demur.iter_records(path)]
    people = [r for r in records if r["annotator"].startswith("human")]
    result = demur.agreement(people)
    assert result.annotators == 3
    assert result.units == 1490
    rows = {}
    for each in people:
        rows.setdefault(each["unit"], []).append(each["label"])
    pairs = [own for own in rows.values() if len(own) > 1]
    split = sum(len(set(own)) > 1 for own in pairs)
    assert result.compared == len(pairs)
    assert math.isclose(
        result.coefficients[0].observed,
        sum(2 * own.count("yes") * own.count("no") / (len(own) - 1) for own in pairs)
        / sum(map(len, pairs)),
    )
    assert sum(u.distance > 0 for u in result.units_first) == min(split, 10)
