"""Values with their types: JSON, lists in any order, and calls of tools."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demur import answers
from demur.outcomes.fields import OUTCOMES
from reference_answers import calls_fit, common, same_json

SCALARS = st.sampled_from(
    [0, 1, 1.0, 3, "3", "", "a", "A ", True, False, None, 2.5, "true", "1.5", "15"]
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    ),
    max_leaves=5,
)


def judged(comparator, response, reference):
    read = answers.read_all(comparator, [(reference, 1)])
    found = answers.verdict(comparator, response, read)
    return OUTCOMES[found.outcome], found.credit, found.reason


# -- json --------------------------------------------------------------------------


@given(VALUES, VALUES)
@settings(max_examples=300)
def test_json_is_as_its_twin_says(one, other):
    right = judged(answers.json(), one, other)[0] == "right"
    assert right == same_json(one, other)
    assert judged(answers.json(), one, one)[0] == "right"


@given(st.lists(VALUES, max_size=3))
def test_a_text_that_begins_like_json_is_json(value):
    assert judged(answers.json(), json.dumps(value), value)[0] == "right"
    assert judged(answers.json(), f" {json.dumps(value)}\n", value)[0] == "right"


@pytest.mark.parametrize(
    ("response", "reference", "reason"),
    [
        ({"a": "3"}, {"a": 3}, "'3' is a text, not a number at .a"),
        ({"a": True}, {"a": 1}, "true is a flag, not a number at .a"),
        ([1, 2], [2, 1], "1 instead of 2 at [0]"),
        ([1], [1, 2], "1 elements instead of 2"),
        ({"b": 1}, {"a": 1}, "without 'a'"),
        ({"a": 1, "b": 1}, {"a": 1}, "with 'b'"),
        ({"a": [{"b": "x"}]}, {"a": [{"b": "y"}]}, "'x' instead of 'y' at .a[0].b"),
        ("{'a': 1}", {"a": 1}, "begins like JSON and is none"),
        ("[NaN]", [1], "begins like JSON and is none"),
        ("[NaN]", [None], "begins like JSON and is none"),
        ('{"a": 1, "a": 2}', {"a": 2}, "gives a name twice"),
        ('[{"b": {"a": 1, "a": 2}}]', [{"b": {"a": 2}}], "gives a name twice"),
        ("[" * 100_000, [1], "begins like JSON and is none"),
        ("3", 3, "'3' is a text, not a number"),
        ("1e400", "x", "'1e400' instead of 'x'"),
    ],
)
def test_why_json_differs(response, reference, reason):
    assert judged(answers.json(), response, reference) == ("wrong", 0, reason)


def test_json_that_cannot_be_read_is_no_reference():
    assert judged(answers.json(), [1], "[1")[0] == "ungraded"
    assert judged(answers.json(), "[1", "[1")[0] == "ungraded"
    twice = '{"a": 1, "a": 1}'
    assert judged(answers.json(), twice, twice)[0] == "ungraded"
    assert judged(answers.multiset(), f"[{twice}]", [{"a": 1}])[2] == (
        "gives a name twice"
    )


@pytest.mark.parametrize("wrapped", ["{}", "```json\n{}\n```", "Sure: {}."])
@pytest.mark.parametrize(
    ("text", "reference", "reason"),
    [
        ('{"x": NaN}', {"x": None}, "begins like JSON and is none"),
        ("[NaN]", [None], "begins like JSON and is none"),
        ('{"x": 1, "x": 2}', {"x": 2}, "gives a name twice"),
    ],
)
def test_what_is_no_json_is_none_behind_a_step(wrapped, text, reference, reason):
    reply = wrapped.replace("{}", text)
    for steps in ("json", "json(field=x)", "json(field=x)+number"):
        found = answers.extraction(steps)(reply)
        assert judged(answers.json(), found, reference) == ("wrong", 0, reason)


def test_texts_in_json_are_normalised_if_asked():
    same = answers.json(normalise="default")
    assert judged(same, {"a": " ROME"}, {"a": "rome"})[0] == "right"
    assert judged(same, {"A": "rome"}, {"a": "rome"})[0] == "wrong"
    assert str(same) == "json(normalise=default)"
    assert answers.parse_comparator(str(same)) == same


# -- multiset ----------------------------------------------------------------------


@given(st.lists(SCALARS, max_size=4), st.lists(SCALARS, max_size=4))
@settings(max_examples=300)
def test_multiset_is_as_its_twin_says(one, other):
    def same(a, b):
        return same_json(a, b, lambda text: text.strip().lower())

    both = common(one, other, same)
    equal = both == len(one) == len(other)
    assert judged(answers.multiset(), one, other)[1] == float(equal)
    share = 2 * both / (len(one) + len(other)) if one or other else 1.0
    assert judged(answers.multiset(credit="f1"), one, other)[1] == share


def test_a_multiset_is_a_list():
    assert judged(answers.multiset(), "x", ["x"]) == ("wrong", 0, "no list")
    assert judged(answers.multiset(), ["x"], "x")[0] == "ungraded"
    assert judged(answers.multiset(), '["x", "x"]', ["x"])[0] == "wrong"
    assert judged(answers.multiset(), [], [])[2] == "both empty"


# -- tool_call ---------------------------------------------------------------------

ARGUMENTS = st.sampled_from([1, "1", 2.0, "New York", "new york", True, [1, 2], None])
CALLS = st.builds(
    lambda name, arguments: {"name": name, "arguments": arguments},
    st.sampled_from("fg"),
    st.dictionaries(st.sampled_from("xy"), ARGUMENTS, max_size=2),
)
ASKED = st.builds(
    lambda name, arguments: {name: arguments},
    st.sampled_from("fg"),
    st.dictionaries(
        st.sampled_from("xy"),
        st.lists(ARGUMENTS | st.just(""), min_size=1, max_size=2),
        max_size=2,
    ),
)


@given(st.lists(CALLS, min_size=1, max_size=3), st.lists(ASKED, min_size=1, max_size=3))
@settings(max_examples=400)
def test_tool_calls_are_as_their_twin_says(said, asked):
    right = judged(answers.tool_call(), said, asked)[0] == "right"
    assert right == calls_fit(said, asked)


@given(
    st.lists(CALLS, min_size=1, max_size=3).flatmap(
        lambda c: st.tuples(st.just(c), st.permutations(c))
    )
)
def test_calls_are_right_in_any_order(pair):
    assert judged(answers.tool_call(), *pair)[0] == "right"


ONE = {"weather": {"city": ["Oslo", "Kristiania"], "days": [1, ""], "unit": ["C"]}}
SAID = {"city": "Oslo", "unit": "C"}


@pytest.mark.parametrize(
    "response",
    [
        {"name": "weather", "arguments": SAID},
        {"name": "weather", "arguments": json.dumps(SAID)},
        {"name": "weather", "parameters": SAID},
        {
            "type": "function",
            "function": {"name": "weather", "arguments": json.dumps(SAID)},
        },
        {"type": "tool_use", "name": "weather", "input": SAID},
        [{"name": "weather", "arguments": SAID}],
        {"weather": SAID},
        json.dumps([{"weather": SAID}]),
        "weather(city='Oslo', unit='C')",
        '[weather(city="oslo", unit="c", days=1)]',
        "weather(unit='C', days=1, city='kristiania')",
        f"<tool_call>{json.dumps({'name': 'weather', 'arguments': SAID})}</tool_call>",
        f'{{"tool_calls": [{json.dumps({"name": "weather", "arguments": SAID})}]}}',
        f"[TOOL_CALLS][{json.dumps({'name': 'weather', 'arguments': SAID})}]",
        {"function": "weather", "args": SAID},
    ],
)
def test_forms_of_a_call(response):
    assert judged(answers.tool_call(), response, ONE) == ("right", 1, "equal")


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        ("weather(city='Oslo')", "without the argument 'unit'"),
        ("weather(city='Oslo', unit='C', days='1')", "the argument 'days' is '1'"),
        ("weather(city='Oslo', unit='C', days=True)", "the argument 'days' is True"),
        ("weather(city='Oslo', unit='C', days=1.0)", "the argument 'days' is 1.0"),
        ("weather(city='Oslo', unit='C', x=1)", "with the argument 'x'"),
        ("news(city='Oslo', unit='C')", "calls 'news' instead of 'weather'"),
        ("[weather(city='Oslo', unit='C')] * 2", "no tool call"),
        (
            "weather(city='Oslo', unit='C'), weather(city='Oslo')",
            "2 calls instead of 1",
        ),
        ("weather('Oslo', unit='C')", "no tool call"),
        ("weather(**{'city': 'Oslo'})", "no tool call"),
        ("weather(city=exit(), unit='C')", "no tool call"),
        ("Oslo", "no tool call"),
        ("f(" * 5_000 + ")", "no tool call"),
        ({"name": "weather", "arguments": "x"}, "no tool call"),
        ("[]", "0 calls instead of 1"),
        (3, "no tool call"),
    ],
)
def test_what_is_wrong_with_a_call(response, reason):
    assert judged(answers.tool_call(), response, ONE) == ("wrong", 0, reason)


def test_objects_in_arguments_have_accepted_values_too():
    asked = {"f": {"who": [{"name": ["Ada", "A."], "age": [36, ""]}]}}
    for who, outcome in (
        ({"name": "ada"}, "right"),
        ({"name": "A", "age": 36}, "right"),
        ({"name": "Ada", "age": "36"}, "wrong"),
        ({"age": 36}, "wrong"),
        ({"name": "Ada", "more": 1}, "wrong"),
    ):
        said = {"name": "f", "arguments": {"who": who}}
        assert judged(answers.tool_call(), said, asked)[0] == outcome
        listed = {"name": "f", "arguments": {"who": [who, {"name": "A."}]}}
        accepted = {"f": {"who": [[*asked["f"]["who"], {"name": ["A."]}]]}}
        assert judged(answers.tool_call(), listed, accepted)[0] == outcome


def test_texts_of_arguments_are_compared_as_asked():
    said = {"name": "f", "arguments": {"x": "U.S."}}
    asked = {"name": "f", "arguments": {"x": "us"}}
    assert judged(answers.tool_call(), said, asked)[0] == "right"
    assert judged(answers.tool_call(normalise="default"), said, asked)[0] == "wrong"
    strict = answers.tool_call(normalise="exact")
    assert str(strict) == "tool_call(normalise=exact)"
    assert answers.parse_comparator(str(strict)) == strict


def test_calls_that_only_one_pairing_allows():
    either = {"f": {"x": [1, 2]}}
    said = [{"name": "f", "arguments": {"x": x}} for x in (1, 2)]
    assert judged(answers.tool_call(), said, [either, {"f": {"x": [1]}}])[0] == "right"


def test_calls_on_lines_and_in_tags_are_several():
    asked = [{"f": {"x": [1]}}, {"g": {"x": [2.0]}}]
    for said in (
        "f(x=1)\ng(x=2)",
        "<tool_call>g(x=2)</tool_call><tool_call>f(x=1)</tool_call>",
        "[f(x=1),\n g(x=2)]",
    ):
        assert judged(answers.tool_call(), said, asked)[0] == "right"
    assert judged(answers.tool_call(), "f(x=1)\nand so on", asked)[0] == "wrong"


def test_a_reference_that_is_no_call():
    assert judged(answers.tool_call(), [], "Oslo")[0] == "ungraded"
    assert judged(answers.tool_call(), [], [])[2] == "both empty"
