"""Numbers as they are written: each way, and what is right by it."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from demur import answers
from demur.answers.written_numbers import written_number
from demur.outcomes.fields import OUTCOMES
from reference_answers import QUANTITIES, SIZED, in_words, same_quantity, written


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
        ("10\u00b3", 1000),
        ("10^3", 1000),
        ("10**3", 1000),
        ("10\u207b\u00b3", "0.001"),
        ("2^10 bytes", 1024),
        ("-10^2", -100),
        ("one tenth", "0.1"),
        ("seven eighths", "0.875"),
        ("a third", "1/3"),
        ("an eighth", "0.125"),
        ("one hundredth", "0.01"),
        ("two and a half", "2.5"),
        ("2 and a half", "2.5"),
        ("-5 and a half miles", "-5.5"),
        ("5 and 1/2 miles", "5.5"),
        ("two and a half million", 2_500_000),
        ("one and three quarters", "1.75"),
        ("twenty-one and a half miles", "21.5"),
        ("half a million", 500_000),
        ("a quarter of a million", 250_000),
        ("two thirds of a mile", "2/3"),
        ("half an hour", "0.5"),
        ("one point five", "1.5"),
        ("minus one point two five", "-1.25"),
        ("minus 5", -5),
        ("negative $5", -5),
        ("2 dozens", 24),
        ("2 dozen eggs", 24),
        ("four score", 80),
        ("3 thousands", 3000),
        ("5 hundreds", 500),
        ("hundred", 100),
        ("3 lakh", 300_000),
        ("$5m", 5 * 10**6),
        ("\u00a32.5bn", 2_500_000_000),
        ("70K dollars", 70_000),
        ("5 (five)", 5),
        ("five (5) apples", 5),
        ("5 (km)", 5),
        ("$5$ km", 5),
        ("12-yard", 12),
        ("18 dollars each", 18),
        ("5 years old", 5),
        ("5 percent of GDP", 5),
        ("Five!", 5),
        ("$15/hour", 15),
        (r"20^\circ C", 20),
        (r"20^{\circ}", 20),
        ("'12'", 12),
        ("\u201c12\u201d", 12),
        ("5k$", 5000),
        ("5 MN", 5),
        ("5 mn", 5_000_000),
        ("100s", 100),
        ("one field goal", 1),
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
        *("3\u03c0", "3 pi", "2 sqrt 3", "7 squared", "5 factorial", "5!", "5 E 3"),
        *("5 x 3", "5 x", "2 over 3", "2 by 3", "2 to the 3", "2 out of 3", "2 of 3"),
        *("0x1F", "5-", "10^3.5", "10^400", "999^999", "0^-1", "2^3^4"),
        *(
            "3 eighths",
            "2 thirds",
            "third",
            "twenty-third",
            "one point",
            "two halves x",
        ),
        *("one cannot say", "one never knows", "one might say", "5 not", "5 less"),
        *("5 apples 6 pears", "5 apples or pears", "5 ft 3 kg", "5 below", "5 never"),
        *("3 fives", "2 sixes", "1 gross", "1 grand", "1990s", "1st", "3rd", "1 in 5"),
        *("5 (six)", "5 AD", "5 mb", "5 MHZ", "5% of 4", "5% of a million", "$5 km"),
        *("millions", "dozens", "a", "one or two", "5 and 3/2"),
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
        ("1 apple", "1 apples", "right"),
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
        ("300 K", "300 kelvin", "right"),
        ("300,000 mK", "300 K", "right"),
        ("70K", "70,000", "right"),
        ("70K", "$70,000", "right"),
        ("70,000", "70K", "right"),
        ("70", "70K", "wrong"),
        ("1.5M", "1.5 million", "right"),
        ("0.07M", "0.07 m", "wrong"),
        ("5B", "5 bytes", "right"),
        ("5B", "5 billion people", "right"),
        ("5 mW", "5 MW", "wrong"),
        ("5 Mb", "5 MB", "wrong"),
        ("40 Mb", "5 MB", "right"),
        ("5 mHz", "5 MHz", "wrong"),
        ("5 Mm", "5 mm", "wrong"),
        ("5 KM", "5 km", "right"),
        ("500 nm", "0.5 \u00b5m", "right"),
        ("500 nm", "0.5 \u03bcm", "right"),
        ("5 cents", "$0.05", "right"),
        ("5 cents", "\u20ac0.05", "right"),
        ("5 cents", "$5", "wrong"),
        ("\u00a35", "5 pounds", "right"),
        ("5 lb", "5 pounds", "right"),
        ("\u00a35", "5 lb", "wrong"),
        ("36 km/h", "10 m/s", "right"),
        ("36 km", "36 km/h", "wrong"),
        ("5 m2", "5 m\u00b2", "right"),
        ("5 km\u00b2", "5 km", "wrong"),
        ("5 square feet", "5 sq ft", "right"),
        ("1000 cm3", "1 litre", "right"),
        ("3 eggs per day", "3 eggs a day", "right"),
        ("3 eggs per day", "3 eggs", "wrong"),
        ("5 \u00b0C", "5 degrees Celsius", "right"),
        ("5 \u00b0C", "5 \u00b0F", "wrong"),
        ("5 degrees", "5 \u00b0F", "right"),
        ("2 centuries", "200 years", "right"),
        ("12 people", "12 persons", "right"),
        ("5 parties", "5 party", "ungraded"),
        ("6", "5 to 10 million", "wrong"),
        ("6 million", "5-10 million", "right"),
        ("6 million", "$5 to 10 million", "right"),
        ("700", "500 to 2 thousand", "right"),
        ("0.6M", "500k to 1.5M", "right"),
        ("960", "1000 \u00b1 5%", "right"),
        ("940", "1000 \u00b1 5%", "wrong"),
        ("96%", "100% \u00b1 5%", "right"),
        ("4.95 m", "5 m \u00b1 10 cm", "right"),
        ("4.95 million", "5 \u00b1 0.1 million", "right"),
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


WORDS = [
    *("5", "5,5", "1/2", "five", "one", "half", "and", "a", "minus", "point", "two"),
    *("million", "dozen", "k", "M", "$", "km", "%", "apples", "apple", "pounds", "of"),
    *("thirds", "per", "hour", "squared", "(five)", "to", "-", "^2", "cents", "K"),
]
CHANGING = [
    *("half", "halves", "third", "thirds", "tenth", "eighths", "dozen", "dozens"),
    *("score", "times", "x", "over", "squared", "cubed", "pi", "\u03c0", "point", "to"),
    *("or", "and", "minus", "plus", "hundred", "hundreds", "thousand", "millions"),
    *("not", "cannot", "times two", "over two", "or so", "minus apples", "per"),
]


@given(st.integers(-1000, 1000), st.integers(-1000, 1000), st.integers(0, 500))
def test_tolerance_is_that_of_plain_numbers(one, other, absolute):
    plain = judged(str(one), str(other), written="no", absolute=absolute)
    assert judged(str(one), str(other), absolute=absolute) == plain


@given(st.text(st.sampled_from("0123456789.,-+/ $%e½kmto±"), max_size=12))
def test_no_text_fails(text):
    read = written_number(text)
    assert read is None or read.low <= read.high


QUANTITY = st.tuples(
    st.integers(2, 999) | st.sampled_from([Fraction(5, 2), 1000, 5000, 10**6]),
    st.sampled_from(sorted(QUANTITIES)),
)


def spelt(quantity):
    number, unit = quantity
    return f"{float(number):g} {unit}".strip() if number == 2.5 else f"{number} {unit}"


@given(QUANTITY, QUANTITY)
def test_units_are_turned_into_each_other_as_the_table_says(one, other):
    expected = "right" if same_quantity(one, other) else "wrong"
    assert judged(spelt(one), spelt(other)) == expected
    assert judged(spelt(other), spelt(one)) == expected
    assert judged(spelt(one), spelt(one)) == "right"


@pytest.mark.parametrize("unit", sorted(set(QUANTITIES) - {""}))
def test_a_quantity_in_another_unit_of_its_kind_is_itself(unit):
    measure, size = QUANTITIES[unit]
    for other, (kind, amount) in QUANTITIES.items():
        if kind == measure:
            number = 12 * Fraction(size) / Fraction(amount)
            assert judged(f"12 {unit}", f"{number} {other}") == "right"


@given(
    st.integers(1, 9_999),
    st.sampled_from(sorted(SIZED)),
    st.sampled_from(["", " dollars", " people", " km"]),
)
def test_a_word_for_a_size_is_its_zeros(number, word, unit):
    text, digits = f"{number} {word}{unit}", f"{number}{'0' * SIZED[word]}{unit}"
    assert written_number(text) == written_number(digits)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join))
def test_what_is_read_is_itself_and_no_side_matters(text):
    read = written_number(text)
    if read is not None:
        assert judged(text, text) == "right"
        for other in ("1", "5", "5 km", "$5", "5%"):
            assert judged(text, other) == judged(other, text)


@given(st.sampled_from([*CHANGING]), st.integers(2, 99))
def test_a_word_that_changes_a_number_is_no_unit_of_it(word, number):
    for text in (f"{number} {word}", f"{in_words(number)} {word}"):
        read = written_number(text)
        assert read is None or read.low != number, text


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
    for pair in (
        ("5 years", "5 years"),
        ("5", "5"),
        ("12 %", "12"),
        ("5", "5 years"),
        ("5K", "5000"),
    ):
        assert notes_of(*pair) == []


@given(st.integers(0, 99), st.integers(0, 59), st.sampled_from([" ", " and ", ", "]))
def test_parts_in_smaller_units_add_up(hours, minutes, joined):
    text = f"{hours} hours{joined}{minutes} minutes"
    together = written_number(text)
    assert together == written_number(f"{60 * hours + minutes} minutes")


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("6 ft 3 in", "75 in"),
        ("$5 and 20 cents", "520 cents"),
        ("1 year, 2 months", "14 months"),
        ("2 hours, 5 minutes and 7 seconds", "7507 seconds"),
        ("5 lb. 3 oz", "83 oz"),
        ("5 km and 10 km", None),  # neither is a part of the other
        ("30 minutes 2 hours", None),
        ("3 m 50", None),
        ("5 km 3 kg", None),
        ("-2 hours 30 minutes", None),
    ],
)
def test_what_is_a_part_of_a_larger_unit(text, same):
    assert written_number(text) == (None if same is None else written_number(same))
