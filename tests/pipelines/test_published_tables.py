"""Percentages of published tables: those of the pipeline paper, and laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import refuses

# DeVault and Traum's tables 2 and 3, as printed: 317 utterances and 354 system acts of
# TACQ Amani, 376 and 547 of SimCoach.
TABLE_2 = {
    "target": ("100", "100", "99.4", "100"),
    "human1": ("79.3", "95.4", "84.2", "88.4"),
    "human2": ("76.7", "99.7", "86.7", "93.8"),
    "human3": ("59.3", "90.2", "69.6", "78.8"),
    "NPCEditor": ("42.3", "50.5", "55.3", "57.4"),
}
TABLE_3 = {
    "target": ("100", "100"),
    "human1": ("72.1", "93.3"),
    "mxNLU": ("75.3", "91.1"),
}


def cells(table, sizes):
    return [
        (f"{source} {place}", printed, size)
        for source, row in table.items()
        for place, (printed, size) in enumerate(zip(row, sizes, strict=True))
    ]


def test_the_impossible_cells_of_the_paper_and_no_other():
    found = demur.check_percentages(cells(TABLE_2, (317, 317, 354, 354)))
    impossible = [each.printed for each in found if not each.possible]
    assert sorted(impossible) == sorted(["79.3", "95.4", "69.6", "55.3", "57.4"])
    found = demur.check_percentages(cells(TABLE_3, (376, 547)))
    assert [each.printed for each in found if not each.possible] == ["93.3", "91.1"]


def test_other_numbers_of_units_that_would_fit():
    def fits(n):
        pair = [("a", "79.3", n), ("b", "95.4", n)]
        return all(each.possible for each in demur.check_percentages(pair))

    assert [n for n in range(300, 330) if fits(n)] == [304, 305, 323, 324, 328, 329]


@given(st.integers(1, 400), st.data(), st.integers(0, 3))
def test_a_rounded_share_is_possible(n, data, digits):
    count = data.draw(st.integers(0, n))
    [found] = demur.check_percentages([("x", f"{100 * count / n:.{digits}f}", n)])
    assert count in found.counts
    half = 0.5 * 10.0**-digits
    for k in range(n + 1):
        apart = abs(100 * k / n - float(found.printed))
        if abs(apart - half) > 1e-9:
            assert (k in found.counts) == (apart < half)


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        (("x", "many", 10), "percentage from 0 to 100"),
        (("x", "101", 10), "percentage from 0 to 100"),
        (("x", "NaN", 10), "percentage from 0 to 100"),
        (("x", "50", 0), "whole number from 1"),
        (("x", "50", 2.5), "whole number from 1"),
    ],
)
def test_cells_that_are_none(cell, words):
    refuses(words, demur.check_percentages, [cell])
