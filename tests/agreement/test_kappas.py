"""Kappas, against scikit-learn, fractions, and what makes them undefined."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from demur.agreement import kappas
from demur.agreement.alphas import NO_PAIRS, ONE_VALUE, cells_of
from demur.agreement.annotations import as_annotations
from demur.agreement.kappas import Kappa

labels = st.none() | st.sampled_from("abc")


@st.composite
def pairs(draw):
    n = draw(st.integers(1, 8))
    row = st.lists(labels, min_size=n, max_size=n)
    return draw(row), draw(row)


def both(one, other):
    return [
        (a, b)
        for a, b in zip(one, other, strict=True)
        if a is not None and b is not None
    ]


def twin(one, other, expected):
    """(observed - expected) / (1 - expected), in fractions."""
    told = both(one, other)
    n = len(told)
    if not n:
        return None
    rows, columns = Counter(a for a, _ in told), Counter(b for _, b in told)
    chance = sum(
        Fraction(expected(rows[label], columns[label]), 1) / (n * n) for label in "abc"
    )
    observed = Fraction(sum(a == b for a, b in told), n)
    return None if chance == 1 else (observed - chance) / (1 - chance)


def value_of(kappa):
    """Its value, which is 1 - observed / expected disagreement of its units."""
    if kappa.value is not None:
        observed, expected = kappa.parts.means
        assert 1 - observed / expected == pytest.approx(kappa.value, abs=1e-12)
    return kappa.value


KINDS = {
    "cohen": lambda a, b: a * b,
    "scott": lambda a, b: Fraction(a + b, 2) ** 2,
    "paradise": lambda _, b: b * b,
}


@given(pairs(), st.sampled_from(sorted(KINDS)))
def test_of_two_annotators_they_are_those_of_the_twin(rows, kind):
    told = as_annotations(dict(zip(("ann", "key"), rows, strict=True)))
    more = ("key", "ann") if kind == "paradise" else ()
    kappa = getattr(kappas, kind)(told, cells_of(told), *more)
    wanted = twin(*rows, KINDS[kind])
    if wanted is None:
        assert kappa == Kappa(None, ONE_VALUE if both(*rows) else NO_PAIRS)
    else:
        assert value_of(kappa) == pytest.approx(float(wanted), abs=1e-12)


@given(st.lists(st.tuples(*[st.sampled_from("abc")] * 3), min_size=1, max_size=8))
def test_fleiss_and_the_mean_of_cohens(units):
    told = as_annotations([list(row) for row in zip(*units, strict=True)])
    value = value_of(kappas.fleiss(told, cells_of(told)))
    n = 3 * len(units)
    agreed = sum(
        Fraction(sum(k * (k - 1) for k in Counter(unit).values()), 6) for unit in units
    ) / Fraction(len(units))
    counts = Counter(label for unit in units for label in unit)
    chance = Fraction(sum(k * k for k in counts.values()), n * n)
    if chance == 1:
        assert value is None
    else:
        assert value == pytest.approx(float((agreed - chance) / (1 - chance)))
    rows = list(zip(*units, strict=True))
    each = [twin(a, b, KINDS["cohen"]) for a, b in combinations(rows, 2)]
    mean = kappas.cohen(told, cells_of(told))
    if None in each:
        assert mean == Kappa(None, ONE_VALUE)
    else:
        assert value_of(mean) == pytest.approx(float(sum(each) / 3), abs=1e-12)


def test_scikit_learn_has_the_same_cohen():
    metrics = pytest.importorskip("sklearn.metrics")
    one, other = list("aabbccabca"), list("aabbcbabcc")
    told = as_annotations([one, other])
    cohen = kappas.cohen(told, cells_of(told))
    assert cohen.value == pytest.approx(metrics.cohen_kappa_score(one, other))


def test_fleiss_published():
    # Fleiss (1971), as in the English Wikipedia: 14 raters, 10 subjects, .210
    counts = [
        *([0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0]),
        *([2, 2, 8, 1, 1], [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2]),
        *([6, 5, 2, 1, 0], [0, 2, 2, 3, 7]),
    ]
    units = [[str(k) for k, n in enumerate(row) for _ in range(n)] for row in counts]
    told = as_annotations([list(row) for row in zip(*units, strict=True)])
    assert round(kappas.fleiss(told, cells_of(told)).value, 3) == 0.210


def test_what_is_not_defined_says_why():
    three = as_annotations([["a", "b"], ["a", None], ["a", "b"]])
    cells = cells_of(three)
    assert kappas.scott(three, cells) == Kappa(None, kappas.NOT_TWO)
    assert kappas.fleiss(three, cells) == Kappa(None, kappas.UNEQUAL)
    apart = as_annotations([["a", None], [None, "b"]])
    for kappa in (kappas.cohen, kappas.fleiss):
        assert kappa(apart, cells_of(apart)) == Kappa(None, NO_PAIRS)
    found = demur.agreement([["a", "b"], ["a", None], ["a", "b"]])
    assert found.value("kappa (Fleiss)") is None
    assert kappas.UNEQUAL in str(found)
