"""Comparators: their rules on tables of cases, and laws that hold for all of them."""

import json
import re
import string
from decimal import Decimal
from fractions import Fraction
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import refuses
from demur import InputError, ParseError, RunError, answers
from demur.answers.nearness import text_distance
from demur.answers.normalisations import BUNDLES, STEPS
from demur.answers.numerals import decimal
from demur.answers.values import json_text
from demur.outcomes.fields import OUTCOMES, RIGHT, UNGRADED, WRONG


def judged(comparator, response, *alternatives):
    """The verdict, given alternatives of weight 1 or pairs of value and weight."""
    pairs = [each if isinstance(each, tuple) else (each, 1.0) for each in alternatives]
    return answers.verdict(comparator, response, answers.read_all(comparator, pairs))


def outcome(comparator, response, *alternatives):
    return OUTCOMES[judged(comparator, response, *alternatives).outcome]


# -- JSON text ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a b", "a b"),
        ("", ""),
        (3, "3"),
        (3.0, "3"),
        (-0.0, "0"),
        (3.5, "3.5"),
        (True, "true"),
        (None, "null"),
        ([1, 2.0, "x"], '[1,2,"x"]'),
        ({"b": 1, "a": [None, {"z": 1.0}]}, '{"a":[null,{"z":1}],"b":1}'),
        (np.int64(3), "3"),
        (np.float64(2), "2"),
        (np.float32(0.1), "0.1"),
        (np.bool_(True), "true"),
        (np.array([1.0, 2.5]), "[1,2.5]"),
        (Decimal("3.00"), "3"),
        (Decimal("0.1"), "0.1"),
        (np.datetime64("2020-01-31"), "2020-01-31"),
    ],
)
def test_json_text(value, text):
    assert json_text(value) == text


# -- label -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("response", "reference", "reason"),
    [
        ("hours", "hours", "equal"),
        ("3", 3, "equal"),
        (3.0, "3", "equal"),
        (True, "true", "equal"),
        ('["a",1]', ["a", 1], "equal"),
        ("", "", "equal"),
        ("hours", "tickets", "differs"),
        ("1", True, "differs"),
        (1, True, "differs"),
        ("3.0", 3, "equal"),
        ("03", 3, "differs"),
        ("Hours", "hours", "differs only in case"),
        ("True", True, "equal"),
        ("True", "true", "differs only in case"),
        ("hours ", "hours", "differs only in outer spaces"),
        ("hours\n", "\thours", "differs only in outer spaces"),
        (" HOURS", "hours", "differs only in case and outer spaces"),
        ("open hours", "open  hours", "differs"),
        ("caf\u00e9", "cafe\u0301", "equal"),
        ("Caf\u00e9", "cafe\u0301", "differs only in case"),
        ("null", "", "differs"),
    ],
)
def test_label(response, reference, reason):
    found = judged(answers.label(), response, reference)
    assert found.reason == reason
    right = reason == "equal"
    assert (found.outcome, found.credit) == (RIGHT if right else WRONG, float(right))


# -- text --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("normalise", "response", "reference", "expected"),
    [
        ("default", "  The  Rhine\n", "the rhine", "right"),
        ("default", "the rhine.", "the rhine", "wrong"),
        ("default", "STRASSE", "straße", "right"),
        ("default", "Straẞe", "straße", "right"),
        ("default", "\uff13\uff10", "30", "right"),
        ("default", "ﬁve", "five", "right"),
        ("default", "caf\u00e9", "CAFE\u0301", "right"),
        ("default", "caf\u00e9", "cafe", "wrong"),
        ("default", "a\u00a0b", "a b", "right"),
        ("default", "\u200f\u05e9\u05dd\u200f", "\u05e9\u05dd", "right"),
        ("default", "\ufeff12", "12", "right"),
        ("default", "co\u00adop", "coop", "right"),
        ("default", "\u0131", "I", "wrong"),
        ("default", "\u0130", "i\u0307", "right"),
        ("default", "\u0130", "i", "right"),
        ("default", "\u0131", "i", "wrong"),
        ("default", "L\u2019Or\u00e9al", "l'or\u00e9al", "right"),
        ("default", "\u201eja\u201c", '"JA"', "right"),
        ("default", "\u201eja\u201c", "ja", "wrong"),
        ("squad", "p\u02bcat", "p'at", "right"),
        ("nfkc+whitespace", "\u00e9\u2019", "\u00e9'", "wrong"),
        ("default", "\u03aa\u0301", "\u0390", "right"),  # capital and small ΐ
        ("default", "ΣΊΣΥΦΟΣ", "Σίσυφος", "right"),
        (
            "default",
            "\u0645\u06cc\u200c\u062e",
            "\u0645\u06cc\u062e",
            "wrong",
        ),  # joiner
        ("default", 3, "3", "right"),
        ("default", 3.0, "3", "right"),
        ("default", True, "TRUE", "right"),
        ("default", ["A"], '["a"]', "right"),
        ("exact", "a", "a", "right"),
        ("exact", "a ", "a", "wrong"),
        ("exact", "A", "a", "wrong"),
        ("exact", "", "", "right"),
        ("exact", " ", "", "wrong"),
        ("casefold", "A ", "a ", "right"),
        ("casefold", "a ", "a", "wrong"),
        ("casefold", "\uff21", "a", "wrong"),
        ("nfkc", "\uff21", "A", "right"),
        ("nfkc", "\uff21", "a", "wrong"),
        ("accents", "\u0130", "I", "right"),
        ("accents", "résumé", "resume", "right"),
        ("accents", "й", "и", "right"),
        ("accents", "ø", "o", "wrong"),
        ("accents", "か", "が", "wrong"),  # a voicing mark is no accent
        ("accents", "कु", "क", "wrong"),  # nor is a vowel sign
        ("punctuation", "don\u2019t", "don't", "right"),
        ("punctuation", "«oui»", "oui", "right"),
        ("punctuation", "$5", "5", "right"),
        ("punctuation", "5€", "5", "wrong"),
        ("punctuation", "1.5", "15", "right"),
        ("punctuation", "?", "!", "wrong"),
        ("punctuation", "?", "", "wrong"),
        ("punctuation", "?", "?", "right"),
        ("articles", "The cat", "a cat", "right"),
        ("articles", "Thermos", "mos", "wrong"),
        ("articles", "the", "a", "wrong"),
        ("articles", "the", "THE ", "right"),
        ("squad", "The cat's here!", "cats here", "right"),
        ("squad", "the", "a", "wrong"),
        ("squad", "the", "", "wrong"),
        ("squad", "a, an & the", "?", "wrong"),
        ("squad", "well-known", "well known", "wrong"),
        ("squad+accents", "The Café.", "cafe", "right"),
        ("whitespace", "\u3000a\u2003b\x1fc", "a b c", "right"),
    ],
)
def test_text(normalise, response, reference, expected):
    comparator = answers.text(normalise=normalise)
    assert outcome(comparator, response, reference) == expected
    assert outcome(comparator, reference, response) == expected


def squad_twin(answer):
    """The documented normalisation, step by step."""
    lowered = answer.lower()
    plain = "".join(each for each in lowered if each not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", plain).split())


@given(st.text(st.characters(max_codepoint=127)))
def test_squad_normalises_ascii_as_documented(answer):
    read = answers.text(normalise="squad").read(answer)
    assert (read if isinstance(read, str) else "") == squad_twin(answer)


def test_text_prints_the_shortest_name():
    def printed(names):
        return str(answers.text(normalise=names))

    assert printed("default") == "text"
    assert printed("whitespace+nfkc+casefold+quotes") == "text"
    assert printed("exact") == "text(normalise=exact)"
    assert printed("articles+squad") == "text(normalise=squad)"
    assert printed(" whitespace + accents ") == "text(normalise=accents+whitespace)"


@pytest.mark.parametrize("names", ["", "casefold+", "exact+casefold", "lower", 3])
def test_text_refuses_unknown_normalisations(names):
    refuses("normalise must be one of quotes, nfkc", answers.text, normalise=names)


# -- number ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, "3"),
        (0.1, "0.1"),
        (10**400, str(10**400)),
        (" 3 ", "3"),
        ("+5", "5"),
        ("-0", "0"),
        ("-.5", "-0.5"),
        ("5.", "5"),
        ("1e3", "1000"),
        ("1.5E-2", "0.015"),
        ("007", "7"),
        ("1,234.5", "1234.5"),
        ("12,345,678", "12345678"),
        ("\u22123", "-3"),
        ("\u200f3\u00a0", "3"),
        ("\uff11\uff12", "12"),
        ("٣", "3"),
        (np.int8(3), "3"),
        (np.float32(0.1), "0.1"),
        (np.float64(0.1), "0.1"),
        (Decimal("1.10"), "1.1"),
    ],
)
def test_numerals(value, expected):
    assert decimal(value) == Decimal(expected)


@pytest.mark.parametrize(
    "value",
    [
        *("", " ", "three", "3 km", "12%", "12 %", "$3", "1/2", "½", "10²", "- 3"),
        *("1,23", "1,2345", "1234,567", "0,123", ",123", "1,234,56", "1.234.5"),
        *("1_000", "0x10", "1e", "e3", "1e3.5", "1e12345678", "--1", ".", "nan"),
        *("inf", "-Infinity", "3 4", True, False, None, [3], {"value": 3}),
        *(float("nan"), float("inf"), Decimal("NaN"), np.bool_(True), np.nan),
    ],
)
def test_no_numerals(value):
    assert decimal(value) is None
    assert outcome(answers.number(), value, 3) == "wrong"
    assert judged(answers.number(), value, 3).reason == "not a number"
    assert outcome(answers.number(), 3, value) == "ungraded"
    assert judged(answers.number(), 3, value).reason == "reference is not a number"


@pytest.mark.parametrize(
    ("options", "response", "reference", "expected"),
    [
        ({}, "1.0", 1, "right"),
        ({}, 1.0000000000000002, 1, "wrong"),
        ({}, "1e-400", 0, "wrong"),
        ({"absolute": 0.01}, 1.01, 1.00, "right"),
        ({"absolute": 0.01}, 0.99, 1.00, "right"),
        ({"absolute": 0.01}, "1.0100000000000000000001", 1.00, "wrong"),
        ({"absolute": 0.3}, 0.1, 0.4, "right"),
        ({"relative": 0.01}, 99, 100, "right"),
        ({"relative": 0.01}, 100, 99, "wrong"),  # relative to the reference
        ({"relative": 0.01}, -101, -100, "right"),
        ({"relative": 0.01}, 0, 0, "right"),
        ({"relative": 0.01}, 1e-9, 0, "wrong"),
        ({"relative": "0.1", "absolute": 1}, 10.5, 10, "right"),
        ({"relative": "0.1", "absolute": 1}, 2, 1, "right"),
        ({"relative": "0.1", "absolute": 1}, 109, 100, "right"),
        ({"relative": "0.1", "absolute": 1}, 111, 100, "wrong"),
        ({"absolute": 1}, "9e999999", "-9e999999", "wrong"),
        ({"relative": 0.5}, "9e999999", "9.1e999999", "right"),
    ],
)
def test_number(options, response, reference, expected):
    assert outcome(answers.number(**options), response, reference) == expected


def test_number_says_how_far_off():
    near = answers.number(absolute=1)
    assert judged(near, "10.5", 10).reason == "off by 0.5"
    assert judged(near, "1e9", 1).reason == "off by 1e+09"
    assert judged(near, 30, 10).reason == "off by 20"
    assert judged(near, "1e999999", 10).reason == "off by inf"
    assert judged(near, "10.0", 10).reason == "equal"
    assert judged(near, 10.5, 20, 10).reason == "alternative 2 of 2, off by 0.5"


def test_number_prints_as_typed():
    def printed(**options):
        return str(answers.number(**options))

    assert printed() == printed(absolute=0, relative="0.0") == "number"
    assert printed(relative="1e-2") == "number(relative=0.01)"
    assert printed(relative=0.010, absolute=10) == "number(absolute=10, relative=0.01)"
    assert printed(absolute="1e-27") == f"number(absolute=0.{'1':0>27})"
    assert printed(absolute="1e-28") == "number(absolute=1E-28)"
    assert printed(absolute="1e27") == f"number(absolute=1{27 * '0'})"
    assert printed(absolute="1e28") == "number(absolute=1E+28)"
    assert printed(absolute="1e-80") == "number(absolute=1E-80)"


@pytest.mark.parametrize(
    "options",
    [{"absolute": -1}, {"absolute": "x"}, {"absolute": float("inf")}]
    + [{"relative": each} for each in (1, "5", -0.1, True, None, float("nan"))],
)
def test_number_refuses_bad_tolerances(options):
    refuses(f"{next(iter(options))} must be a number", answers.number, **options)


amounts = st.decimals(-1000, 1000, places=3)
tolerances = st.decimals(0, 1, places=3).filter(lambda each: each < 1)


@given(amounts, amounts, tolerances, tolerances)
def test_number_agrees_with_fractions(response, reference, absolute, relative):
    gap = abs(Fraction(response) - Fraction(reference))
    within = gap <= Fraction(absolute) or gap <= Fraction(relative) * abs(
        Fraction(reference)
    )
    comparator = answers.number(absolute=absolute, relative=relative)
    assert outcome(comparator, str(response), reference) == (
        "right" if within else "wrong"
    )


# -- alternatives ------------------------------------------------------------------


def test_the_best_alternative_wins():
    rome = [("Rome", 1.0), ("Roma", 0.5), ("Latium", 0.25)]
    label = answers.label()
    assert judged(label, "Roma", *rome) == (
        answers.verdict(label, "Roma", answers.read_all(label, rome))
    )
    found = judged(label, "Roma", *rome)
    assert found.credit == 0.5
    assert found.reason == "alternative 2 of 3, credit 0.5"
    assert judged(label, "Rome", *rome).reason == "alternative 1 of 3"
    assert judged(label, "Roma", ("Roma", 0.5)).reason == "equal, credit 0.5"


def test_ties_go_to_the_first_and_more_credit_wins():
    text = answers.text()
    assert judged(text, "a", "A", "a").reason == "alternative 1 of 2"
    assert judged(text, "a", ("A", 0.5), "a").reason == "alternative 2 of 2"


def test_reasons_for_wrong():
    label = answers.label()
    assert judged(label, "x", "a", "b").reason == "none of 2 alternatives"
    assert judged(label, "B", "a", "b").reason == (
        "none of 2 alternatives (alternative 2: differs only in case)"
    )
    assert judged(answers.number(), "x", 1, 2).reason == "not a number"


@pytest.mark.parametrize(
    ("comparator", "response", "alternatives", "reason"),
    [
        ("number", 5, (1, 4, 9), "none of 3 alternatives (nearest: alternative 2: off"),
        ("number", 5, (6, 4), "off by 1"),
        ("number", 5, (6, 4, 6), "off by 1"),
        ("label", "B", ("b",), "differs only in case"),
        ("label", "B", ("b", "b"), "differs only in case"),
        ("label", "B", ("a", "b"), "none of 2 alternatives (alternative 2: differs o"),
        ("label", "Romme", ("Rome", "Roma"), "none of 2 alternatives (nearest: altern"),
        ("label", "zzz", ("a", "b"), "none of 2 alternatives"),
        ("label", "z", ("a",), "differs"),
    ],
)
def test_one_reason_for_all_alternatives_or_the_nearest(
    comparator, response, alternatives, reason
):
    found = judged(answers.comparator(comparator), response, *alternatives).reason
    assert found.startswith(reason)
    assert "(" in reason or found == reason


@pytest.mark.parametrize(
    ("first", "second", "distance"),
    [
        *(("ab", "ab", 0), ("ab", "ac", 0.5), ("abc", "ade", None), ("a", 3, None)),
        (199 * "a" + "b", 199 * "a" + "c", 1 - 398 / 400),
        (200 * "a" + "b", 200 * "a" + "c", 0),
    ],
)
def test_texts_are_near_if_half_of_them_is_the_same(first, second, distance):
    assert text_distance(first, second) == pytest.approx(distance)


def test_an_alternative_that_cannot_be_compared():
    number = answers.number()
    broken = judged(number, 3, 1, "many", 2)
    assert broken.outcome == UNGRADED
    assert broken.credit == 0
    assert broken.reason == "alternative 2 of 3: reference is not a number"
    assert outcome(number, 2, "many", 2) == "right"


# -- a user's function -------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "expected", "credit", "reason"),
    [
        (True, "right", 1, "equal"),
        (np.bool_(True), "right", 1, "equal"),
        (1, "right", 1, "equal"),
        (False, "wrong", 0, "differs"),
        (0.0, "wrong", 0, "differs"),
        (0.25, "right", 0.25, "partly equal, credit 0.25"),
        (np.float32(0.5), "right", 0.5, "partly equal, credit 0.5"),
        (None, "ungraded", 0, "the comparator could not judge it"),
    ],
)
def test_custom(result, expected, credit, reason):
    comparator = answers.comparator(lambda *_: result)
    found = judged(comparator, "a", "b")
    assert (OUTCOMES[found.outcome], found.credit) == (expected, credit)
    assert found.reason == reason


def test_custom_gets_the_values_as_they_are():
    seen = []
    comparator = answers.comparator(lambda *values: seen.append(values))
    judged(comparator, {"b": 1}, ["A "])
    assert seen == [({"b": 1}, ["A "])]


@pytest.mark.parametrize("result", ["yes", 1.5, -0.1, float("nan"), 10**400, [True]])
def test_custom_refuses_other_results(result):
    comparator = answers.comparator(lambda *_: result)
    refuses("must return True, False, a credit from 0", judged, comparator, "a", "b")


def test_custom_that_raises():
    def same(*_):
        raise ValueError("two\nlines")

    message = r"same\) raised ValueError: two lines$"
    with pytest.raises(RunError, match=message) as caught:
        judged(answers.comparator(same), "a", "b")
    assert isinstance(caught.value.__cause__, ValueError)


# -- names -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("label", "label"),
        (" label() ", "label"),
        ("text", "text"),
        ("text(normalise=default)", "text"),
        ("text(normalise = squad)", "text(normalise=squad)"),
        ("number(relative=0.010,absolute=1e0)", "number(absolute=1, relative=0.01)"),
    ],
)
def test_parse(typed, canonical):
    comparator = answers.parse_comparator(typed)
    assert str(comparator) == repr(comparator) == canonical
    assert answers.parse_comparator(canonical) == comparator


@pytest.mark.parametrize(
    ("typed", "error", "message"),
    [
        (
            "txet",
            InputError,
            f"be one of {', '.join(answers.COMPARATORS)}; .*'text'",
        ),
        ("", ParseError, "must be NAME or NAME"),
        ("text(", ParseError, "must be NAME or NAME"),
        ("text(normalise=squad) x", ParseError, "must be NAME or NAME"),
        ("text(normalize=squad)", InputError, "Did you mean 'normalise'"),
        ("text(normalise=sqad)", InputError, "Did you mean 'squad'"),
        ("text(squad)", InputError, "text: the option must be one of normalise"),
        ("text(normalise)", ParseError, "given once, as OPTION=VALUE"),
        ("number(absolute=1, absolute=2)", ParseError, "given once, as OPTION=VALUE"),
        ("number(absolute=)", ParseError, "given once, as OPTION=VALUE"),
        ("number(relative=5%)", InputError, "write 0.01 for 1 %"),
        ("label(case=no)", InputError, "must be given no options"),
    ],
)
def test_parse_refuses(typed, error, message):
    with pytest.raises(error, match=message):
        answers.parse_comparator(typed)


def test_comparator_takes_names_comparators_and_functions():
    number = answers.number(absolute=1)
    assert answers.comparator(number) is number
    assert answers.comparator("number(absolute=1)") == number
    assert str(answers.comparator(str.startswith)) == "callable(str.startswith)"
    for bad in (3, None, answers.Label):
        refuses(r"a name .*, a comparator or a function", answers.comparator, bad)


def test_versions_name_the_rule():
    judge = ("judge@http://localhost/v1",)
    needed = {"model": judge, "claims": judge}
    versions = {
        name: make(*needed.get(name, ())).version
        for name, make in answers.COMPARATORS.items()
    }
    assert versions == {
        **{name: f"{name}/1" for name in answers.COMPARATORS},
        **{
            name: f"{name}/2"
            for name in ("cas", "label", "relation", "text", "tool_call")
        },
        **{name: f"{name}/3" for name in ("slots", "sql")},
    }


# -- laws --------------------------------------------------------------------------

json_values = st.recursive(
    st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=5,
)
subsets = chain.from_iterable(combinations(STEPS, size) for size in range(7))
texts = st.sampled_from(
    [answers.text(normalise="+".join(names) or "exact") for names in subsets]
)
numbers = st.builds(
    answers.number,
    absolute=st.decimals(0, 10**9, allow_nan=False),
    relative=tolerances,
)
comparators = st.just(answers.label()) | texts | numbers
numerals = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "+", "-", " ", "\u2212"]),
    st.integers(0).map("{:,}".format) | st.integers(0).map(str),
    st.sampled_from(["", ".", ".5", ".250"]),
    st.sampled_from(["", "e3", "E-20", " ", "\u200f"]),
)
near_texts = st.text("aA\u00e9e\u0301 .\u200f?the\uff11\u01301", max_size=6)


@given(comparators)
def test_comparators_parse_back(comparator):
    assert answers.parse_comparator(str(comparator)) == comparator
    assert hash(answers.parse_comparator(str(comparator))) == hash(comparator)


@given(st.just(answers.label()) | texts, json_values | near_texts)
def test_label_and_text_are_reflexive(comparator, value):
    assert outcome(comparator, value, value) == "right"
    assert outcome(comparator, json.loads(json.dumps(value)), value) == "right"


@given(
    numbers, numerals | st.integers() | st.floats(allow_nan=False).filter(np.isfinite)
)
def test_number_is_reflexive_on_numerals(comparator, value):
    assert judged(comparator, value, value).reason == "equal"


@given(
    st.just(answers.label()) | texts,
    json_values | near_texts,
    json_values | near_texts,
)
@settings(max_examples=300)
def test_label_and_text_are_symmetric(comparator, first, second):
    assert judged(comparator, first, second) == judged(comparator, second, first)


@given(texts, near_texts, near_texts, near_texts)
@settings(max_examples=300)
def test_text_is_transitive(comparator, first, second, third):
    if outcome(comparator, first, second) == outcome(comparator, second, third):
        same = outcome(comparator, first, second) == "right"
        assert outcome(comparator, first, third) == "right" or not same


@given(
    comparators,
    st.sampled_from(["a", "A", "1", "1.5", "the a", "x"]),
    st.lists(
        st.tuples(
            st.sampled_from(["a", "A ", "1", "1.0", "2", "the"]),
            st.sampled_from([0.25, 0.5, 1.0]),
        ),
        min_size=2,
        max_size=5,
    ),
)
def test_an_alternative_more_never_lowers_the_credit(comparator, response, pairs):
    credits_ = [
        judged(comparator, response, *pairs[:size]).credit
        for size in range(1, len(pairs) + 1)
    ]
    assert credits_ == sorted(credits_)
    alone = max(judged(comparator, response, pair).credit for pair in pairs)
    assert credits_[-1] == alone


def test_bundles_are_in_the_order_of_application():
    for steps in BUNDLES.values():
        assert list(steps) == [name for name in STEPS if name in steps]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("exact", "label compares exactly;"),
        ("exact_match", "label compares exactly;"),
        ("em", "text(normalise=squad) also punctuation and articles."),
        ("case_insensitive", "text leaves case and outer spaces aside."),
        ("numeric", "number compares numbers;"),
        ("contains", "by=lambda response, reference: reference in response)."),
        ("includes(ignore_case=true)", "reference: reference in response)."),
        (
            "regex",
            "by=lambda response, reference: bool(re.search(reference, response))",
        ),
        ("token_f1", "f1 counts the words"),
        ("multiple_choice", "letters compares the letters"),
        ("ast", "tool_call compares names and arguments"),
        ("json_match", "json compares values with their types."),
        ("BLEU", "A degree of likeness is no verdict"),
        ("llm", "model(MODEL@URL) asks a model; verdicts that are in the file already"),
        ("MODEL(m@http://h/v1)", "model(MODEL@URL) asks a model;"),
        ("execution", "sql runs both queries."),
        ("texts", "Did you mean 'text'?"),
        ("xyzzy", "Choose one of these."),
    ],
)
def test_comparators_of_other_tools_lead_to_ours(name, hint):
    message = re.escape("the comparator must be one of label, text,")
    with pytest.raises(InputError, match=message) as caught:
        answers.parse_comparator(name)
    assert hint in str(caught.value)
