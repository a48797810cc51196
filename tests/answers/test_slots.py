"""Sets of acts and slots: laws, forms of one set, credit, and what cannot be read."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import judge_files, printed_json, refuses
from demur.answers import parse_comparator, read_all, slots, verdict
from reference_answers import same_json

pair = st.tuples(st.sampled_from(["city", "day"]), st.sampled_from(["Rome", "Mon"]))
act = st.one_of(pair.map(list), st.sampled_from(["greet", "bye"]))
acts = st.lists(act, max_size=5)


def judged(response, reference, **options):
    same = slots(**options)
    return verdict(same, response, read_all(same, [(reference, 1)]))


def plain(listed):
    return {tuple(each) if isinstance(each, list) else each for each in listed}


@given(acts, acts)
def test_credit_is_that_of_sets(first, second):
    a, b = plain(first), plain(second)
    both = len(a & b)
    assert (judged(first, second).credit or 0.0) == float(a == b)
    recall = judged(first, second, credit="recall").credit or 0.0
    f1 = judged(first, second, credit="f1").credit or 0.0
    if a == b:
        assert recall == f1 == 1.0
    else:
        assert recall == (both / len(b) if b else 0.0)
        assert f1 == (2 * both / (len(a) + len(b)))
        assert f1 < 1.0
    turned = judged(second, first, credit="f1").credit or 0.0
    assert turned == f1


@given(acts, st.randoms())
def test_order_repeats_and_case_do_not_matter(listed, random):
    mixed = [*listed, *listed]
    random.shuffle(mixed)
    loud = json.loads(json.dumps(mixed).upper())
    for other in (mixed, json.dumps(mixed), loud):
        assert judged(other, listed).credit == 1.0


def test_forms_of_one_set():
    forms = (
        {"city": "Rome"},
        [["city", "Rome"]],
        '{"city": "Rome"}',
        [("CITY", "rome")],
    )
    for form in forms:
        assert judged(form, forms[0]).credit == 1.0
    assert judged("greet", ["greet"]).credit == 1.0
    assert judged("", []).reason == "both empty"
    assert judged({"people": 2}, [["people", "2"]]).credit == 1.0


SLOTS = st.dictionaries(
    st.sampled_from("ab"),
    st.sampled_from([1, 1.0, "1", True, "true", "x", 2]),
    max_size=2,
)


@given(SLOTS, SLOTS)
def test_strict_slots_are_equal_values_of_one_type(first, second):
    equal = same_json(first, second)
    assert judged(first, second, types="strict").credit == float(equal)
    assert judged(json.dumps(first), list(second.items()), types="strict").credit == (
        float(equal)
    )


def notes(response, reference, by="slots"):
    said = [{"item": "t", "response": response}, {"item": "u", "response": ["greet"]}]
    asked = [{"item": "t", "reference": reference}, {"item": "u", "reference": "greet"}]
    outcomes = demur.judge(said, asked, by=by)
    return [note for note in outcomes.notes if "strict" in note]


@pytest.mark.parametrize(
    ("response", "reference"),
    [
        ({"n": 3}, {"n": "3"}),
        ({"n": "true"}, [["n", True]]),
        ('{"n": 3}', {"n": "3"}),
        ([["h", "n", 3]], [["h", "n", "3"]]),
    ],
)
def test_a_note_says_where_types_alone_differ(response, reference):
    (note,) = notes(response, reference)
    assert note.startswith("1 right answer only because slots takes a number or a flag")
    assert notes(response, reference, "slots(types=strict)") == []


@pytest.mark.parametrize(
    ("response", "reference"),
    [({"n": 3}, {"n": 3.0}), ({"n": "3"}, {"n": "3"}), ({"n": None}, {}), ([], [])],
)
def test_equal_types_are_not_noted(response, reference):
    assert notes(response, reference) == []


def test_empty_values_are_a_policy():
    told = {"area": "none", "food": "dontcare"}
    assert judged({"food": "dontcare"}, told).credit == 1.0
    assert judged({}, told, dontcare="empty").credit == 1.0
    assert (judged({"food": "dontcare"}, told, none="value").credit or 0) == 0
    assert judged({"area": None}, {}).credit == 1.0


@pytest.mark.parametrize("value", [3, True, [3], [["a"]], [[1, 2]], "[", '{"a"'])
def test_what_is_no_set(value):
    found = judged(value, ["greet"])
    assert (found.outcome, found.reason) == (1, "no set of acts or slots")
    assert judged(["greet"], value).outcome == 3


def test_saying_everything_is_only_right_by_recall():
    everything = ["greet", "bye", ["city", "Rome"], ["city", "Oslo"]]
    asked = [["city", "Rome"]]
    assert judged(everything, asked, credit="recall").credit == 1.0
    assert judged(everything, asked, credit="f1").credit == 0.4
    assert (judged(everything, asked).credit or 0) == 0
    assert judged(everything, asked).reason == "1 of 1, and 3 others"


def test_names_and_options():
    assert str(slots()) == "slots"
    for text in (
        "slots(credit=f1, none=value, dontcare=empty)",
        "slots(dontcare=empty, types=strict)",
    ):
        assert str(parse_comparator(text)) == text
    refuses("exact, f1, recall", slots, credit="precision")


def test_judge_takes_sets(tmp_path):
    rows = [
        {"item": "t1", "response": {"city": "Rome"}},
        {"item": "t2", "response": []},
    ]
    gold = [
        {"item": "t1", "reference": {"city": "rome", "day": "Mon"}},
        {"item": "t2", "reference": []},
    ]
    command = judge_files(tmp_path, rows, gold)
    shown = printed_json(*command, "--by", "slots(credit=recall)")
    assert (shown["right"], shown["wrong"]) == (2, 0)
    outcomes = demur.judge(rows, gold, by="slots")
    assert outcomes.counts()["wrong"] == 1
    assert "slots/3" in outcomes.signature
