"""Numbers as they are written: each way, and what is right by it."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from demur import answers
from demur.answers.written_numbers import written_number
from demur.outcomes.fields import OUTCOMES
from reference_answers import in_words, written


def judged(response, reference, **options):
    same = answers.number(**{"written": "point"} | options)
    read = answers.read_all(same, [(reference, 1)])
    return OUTCOMES[answers.verdict(same, response, read).outcome]


THOUSANDTHS = st.integers(-9_999_999_999, 9_999_999_999) | st.integers(-99_999, 99_999)


@given(
    THOUSANDTHS | st.integers(-999_999, 999_999).map(lambda n: 1000 * n), st.booleans()
)
def test_every_way_to_write_a_number_is_that_number(thousandths, comma):
    number = Fraction(thousandths, 1000)
    for text in written(number, comma):
        read = written_number(text, comma=comma)
        assert read is not None, text
        assert (read.low, read.high) == (number, number), text


@pytest.mark.parametrize(
    "number", [*range(121), 345, 999, 1000, 1001, 12_345, 700_000, 999_999]
)
def test_words(number):
    for text in (in_words(number), in_words(number).replace("-", " ").capitalize()):
        assert written_number(text).low == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12 %", 12),
        ("12%", 12),
        ("12 per cent", 12),
        ("$1,234.50", "1234.5"),
        ("1.234,50 €", "1234.5"),
        ("1,5", "1.5"),
        ("12,34,567", 1234567),
        ("1.234.567", 1234567),
        ("1.234", "1.234"),
        ("1,234", 1234),
        ("0,123", "0.123"),
        (".5", "0.5"),
        ("5.", 5),
        ("007", 7),
        ("½", "0.5"),
        ("2½", "2.5"),
        ("2 1/2", "2.5"),
        ("-1/4", "-0.25"),
        (r"\dfrac{3}{4}", "0.75"),
        (r"-\frac12", "-0.5"),
        (r"\$5", 5),
        (r"50\%", 50),
        (r"1{,}234", 1234),
        (r"5 \text{ cm}", 5),
        (r"3 \times 10^{5}", 300_000),
        ("3 \u00d7 10⁵", 300_000),
        ("3 x 10^-2", "0.03"),
        ("1e3", 1000),
        ("1.5 million", 1_500_000),
        ("$2 bn", 2 * 10**9),
        ("$5M", 5 * 10**6),
        ("\u20ac5k", 5000),
        ("3 thousand people", 3000),
        ("two dozen", 24),
        ("a dozen", 12),
        ("half", "0.5"),
        ("three quarters", "0.75"),
        ("two million three hundred thousand", 2_300_000),
        ("twelve apples", 12),
        ("about 5", 5),
        ("approximately 5 km", 5),
        ("~5", 5),
        ("**5**", 5),
        ("\uff15", 5),
        (5, 5),
        (2.5, "2.5"),
    ],
)
def test_forms_of_numbers(text, number):
    read = written_number(text)
    assert (read.low, read.high) == (Fraction(number), Fraction(number))


@pytest.mark.parametrize(
    "text",
    [
        *("", "many", "one two", "twenty thirty", "hundred hundred", "and", "one and"),
        *("1/0", "1/2/3", "12:30", "2020-01-01", "1.2.3", "1,2,3", "1 2", "1 23 456"),
        *("5 or 6", "5 is not it", "5 of the many apples there", "--5", "$5 EUR"),
        *("nan", "inf", "1e9999", "x" * 300, "9" * 500, "5 - 3", "3 to many", "I"),
        *(True, None, [5], {"a": 5}),
    ],
)
def test_what_is_no_number(text):
    assert written_number(text) is None


@pytest.mark.parametrize(
    ("response", "reference", "outcome"),
    [
        ("12 %", "12 %", "right"),
        ("12 %", 12, "right"),
        ("12 %", 0.12, "right"),
        ("0.12", "12 %", "right"),
        ("12", "12 %", "right"),
        ("1.2", "12 %", "wrong"),
        ("$5", 5, "right"),
        ("$5", "5 dollars", "right"),
        ("USD 5", "$5", "right"),
        ("$5", "5 EUR", "wrong"),
        ("5 €", "EUR 5", "right"),
        ("3 km", "3000 m", "right"),
        ("3 km", "3", "right"),
        ("3", "3 km", "right"),
        ("3 kg", "3 km", "wrong"),
        ("90 minutes", "1.5 hours", "right"),
        ("12 inches", "1 foot", "right"),
        ("36 months", "3 years", "right"),
        ("20 yrs", "2 decades", "right"),
        ("5 months", "5 years", "wrong"),
        ("60 days", "2 months", "wrong"),
        ("3 apples", "3 apple", "right"),
        ("3 apples", "3 pears", "wrong"),
        ("4", "3 to 5", "right"),
        ("3", "3-5", "right"),
        ("5.1", "between 3 and 5", "wrong"),
        ("3 - 5", "3 to 5", "right"),
        ("3 to 4", "3 to 5", "right"),
        ("0 to 100", "3 to 5", "wrong"),
        ("0 to 100", 50, "wrong"),
        ("[3, 5]", "3 to 5", "right"),
        ("5", "5 ± 0.1", "right"),
        ("5.05", "5 ± 0.1", "right"),
        ("5.2", "5 ± 0.1", "wrong"),
        ("4 km", "3000 to 5000 m", "right"),
        ("1/3", "0.333", "wrong"),
        ("5k", "5", "wrong"),
        ("5M", "5 m", "wrong"),
        ("300 K", "300 K", "right"),
        ("many", 5, "wrong"),
        (5, "many", "ungraded"),
    ],
)
def test_what_is_right(response, reference, outcome):
    assert judged(response, reference) == outcome


@pytest.mark.parametrize(
    ("response", "reference", "options", "outcome"),
    [
        ("1/3", "0.333", {"absolute": 0.001}, "right"),
        ("3.1 km", "3000 m", {"absolute": 99}, "wrong"),
        ("3.1 km", "3000 m", {"absolute": 100}, "right"),
        ("3.1 km", "3000 m", {"relative": 0.05}, "right"),
        ("5 ± 0.1", 5, {"absolute": 0.1}, "right"),
        ("5.3", "3 to 5", {"relative": 0.06}, "right"),
        ("2.8", "3 to 5", {"relative": 0.06}, "wrong"),
        ("1.234", 1234, {"written": "comma"}, "right"),
        ("1,234", "1.234 ", {"written": "point"}, "wrong"),
        ("1,5", "3/2", {"written": "comma"}, "right"),
    ],
)
def test_tolerances_and_marks(response, reference, options, outcome):
    assert judged(response, reference, **options) == outcome


def test_plain_numbers_are_read_as_before():
    assert judged("12 %", 12, written="no") == "wrong"
    assert str(answers.number(written="no")) == "number"
    comma = answers.number(written="comma", absolute=1)
    assert answers.parse_comparator(str(comma)) == comma


@given(st.integers(-1000, 1000), st.integers(-1000, 1000), st.integers(0, 500))
def test_tolerance_is_that_of_plain_numbers(one, other, absolute):
    plain = judged(str(one), str(other), written="no", absolute=absolute)
    assert judged(str(one), str(other), absolute=absolute) == plain


@given(st.text(st.sampled_from("0123456789.,-+/ $%e½kmto±"), max_size=12))
def test_no_text_fails(text):
    read = written_number(text)
    assert read is None or read.low <= read.high


def test_a_unit_that_only_the_answer_names_is_said_in_a_note():
    def notes_of(reply, reference):
        outcomes = demur.judge(
            [{"item": "q", "response": reply}],
            [{"item": "q", "reference": reference}],
            by="number(written=point)",
        )
        assert OUTCOMES[outcomes.outcome[0]] == "right"
        return [note for note in outcomes.notes if "unit" in note]

    assert notes_of("5 months", "5") == [
        "1 right answer with a unit that its reference does not name, such as "
        "'5 months' for '5': write it there (5 months), and others are wrong"
    ]
    for pair in (("5 years", "5 years"), ("5", "5"), ("12 %", "12"), ("5", "5 years")):
        assert notes_of(*pair) == []
