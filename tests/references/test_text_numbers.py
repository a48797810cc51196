"""Columns of texts that are numbers: what they are, how they sort and compare."""

import pytest

from demur.references.text_numbers import Numerals, condition, extreme


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ([], False),
        ([None], False),
        (["9"], True),
        ([9], False),
        ([9, "10"], True),
        (["9", "x"], False),
        (["9", "10", "x"], True),
        ([9, 10, "x"], True),
        (["9", "10", "x", "x"], False),
        (["9", "10", None, None, None], True),
        (["9", "10", "11", True], False),
        (["9", "10", b"x"], False),
    ],
)
def test_most_of_a_column_are_numerals_or_it_is_none(cells, found):
    assert Numerals(cells).found is found


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", ""),
        ("a", "; it also holds 'a'"),
        ("ab", "; it also holds 'a', 'b'"),
        ("abc", "; it also holds 'a', 'b', 'c'"),
        ("abcd", "; it also holds 'a', 'b', 'c' and 1 other texts"),
        ("abcde", "; it also holds 'a', 'b', 'c' and 2 other texts"),
    ],
)
def test_three_other_texts_are_named(words, said):
    assert Numerals([*map(str, range(9)), *words, *words]).also() == said


@pytest.mark.parametrize(
    ("cells", "rising", "falling"),
    [
        (["9", "10", "11"], None, ("'9'", "'10'")),
        (["10", "10"], None, None),
        (["10", "9"], ("'10'", "'9'"), None),
        ([10, 9], None, None),
        ([10, "9"], ("10", "'9'"), None),
        (["10", None, "x", "9"], ("'10'", "'9'"), None),
        (["9", "10", "8"], ("'10'", "'8'"), ("'9'", "'10'")),
    ],
)
def test_the_first_two_out_of_order_are_named(cells, rising, falling):
    numerals = Numerals(cells)
    assert numerals.out_of_order(cells, falling=False) == rising
    assert numerals.out_of_order(cells, falling=True) == falling


@pytest.mark.parametrize(
    ("cells", "greatest", "said"),
    [
        (["9", "10"], True, "compares texts, not numbers: '9' counts above '10'"),
        (["10", "9"], True, ""),
        (["10", "9"], False, "compares texts, not numbers: '10' counts below '9'"),
        ([None, "x", "9", "8"], True, "takes the text 'x', above all numbers"),
        (
            ["9", "10", "x"],
            True,
            "compares texts, not numbers: '9' counts above '10'; it also holds 'x'",
        ),
        (["x", "y"], True, ""),
    ],
)
def test_an_extreme_of_texts_is_not_that_of_numbers(cells, greatest, said):
    assert extreme(cells, greatest=greatest) == said


@pytest.mark.parametrize(
    ("sign", "literals", "held"),
    [
        ("<", ["10"], "yes no no"),
        ("<=", ["10"], "yes yes no"),
        (">", ["9"], "no yes yes"),
        (">=", ["9"], "yes yes yes"),
        ("BETWEEN", ["9", "10"], "yes yes no"),
        ("BETWEEN", ["10", "11"], "no yes yes"),
    ],
)
def test_a_condition_holds_for_numerals_as_for_numbers(sign, literals, held):
    truth = [word == "yes" for word in held.split()]
    rows = list(zip(["9", "10", "11"], truth, strict=True))
    assert condition(rows, sign, literals) == ""
    for row, (cell, outcome) in enumerate(rows):
        wrong = [*rows[:row], (cell, not outcome), *rows[row + 1 :]]
        verb = "does not hold" if outcome else "holds"
        said = f"compares texts, not numbers: it {verb} for '{cell}'"
        assert condition(wrong, sign, literals) == said
        unknown = [*rows[:row], (cell, None), *rows[row + 1 :]]
        assert condition(unknown, sign, literals) == ""


def test_a_condition_on_what_is_no_numeral_is_not_judged() -> None:
    rows = [("9", True), ("10", False)]
    assert condition(rows, ">", ["5"])
    assert condition(rows, ">", ["five"]) == ""
    assert condition([(9, True), (10, False)], ">", ["5"]) == ""
    mixed = [("9", True), (10, False), ("11", True)]  # 10 is a number: not by its text
    assert condition(mixed, ">", ["5"]) == ""
    odd = [("9", True), ("10", True), ("x", True), (None, True)]
    assert condition(odd, ">", ["5"]).startswith("holds for the text 'x'")
