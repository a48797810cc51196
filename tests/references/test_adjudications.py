"""Adjudications: what they must be, and what they make of references."""

import io
from pathlib import Path

import pytest

import demur
from builders import json_lines, refuses, write_records
from demur.outcomes.records import as_reference
from demur.references.adjudications import (
    adjudication_of,
    changed_references,
    hash_of,
    side_effects,
)

PLAIN = [
    {"item": "q1", "reference": "Oslo", "class": "A", "cluster": "d1"},
    {"item": "q2", "references": ["Rome", {"value": "Roma", "weight": 0.5}]},
    {"item": "q3", "answerable": False},
    {"item": "q4", "min": "(1)", "max": "((1 2))", "sql": "SELECT 1", "db": "x"},
    {"item": "q5", "reference": 7, "weight": 2},
    {
        "item": "q6",
        "sqls": ["SELECT 1", "SELECT 2"],
        "max_sqls": [None, "SELECT 3, 4"],
        "weights": [1, 0.5],
        "order_by": [0],
    },
    {"item": "q7", "reference": "(1)", "sql": "SELECT 1"},
]


def change(item="q1", by="Ada", why="so", **rest):
    return adjudication_of({"item": item, "by": by, "why": why, **rest}, "adj:1")


def as_references(records):
    return [
        as_reference(each, f"refs:{line}", otherwise=True)
        for line, each in enumerate(records, 1)
    ]


def changed(*changes, references=PLAIN):
    found = changed_references(as_references(references), changes)
    return {each.item: each for each in found}


def refusal(*changes, references=PLAIN):
    with pytest.raises(demur.InputError) as caught:
        changed(*changes, references=references)
    return str(caught.value)


def lines(*records):
    return io.BytesIO(json_lines(records).encode())


# -- what they change ----------------------------------------------------------------


def test_what_is_not_adjudicated_is_as_it_was():
    given = as_references(PLAIN)
    found = list(changed_references(given, [change(set={"reference": "Bergen"})]))
    assert found[1:] == given[1:]
    assert given[0] == as_references(PLAIN)[0]


def test_a_field_is_set_and_the_others_stay():
    new = changed(change(set={"reference": "Bergen"}))["q1"]
    assert new.alternatives == (("Bergen", 1.0),)
    assert (new.cluster, new.extra["class"], new.place) == ("d1", "A", "refs:1")


@pytest.mark.parametrize(
    ("item", "new", "left", "gone"),
    [
        ("q2", {"reference": "Rome"}, {}, {"max"}),
        ("q4", {"reference": "(1)"}, {"sql": "SELECT 1"}, {"min", "max"}),
        ("q4", {"max": "((1 3))"}, {"min": "(1)", "max": "((1 3))"}, {"reference"}),
        ("q4", {"min": "(1)", "max": None}, {"min": "(1)"}, {"max"}),
        ("q4", {"min": "(1)"}, {"min": "(1)", "sql": "SELECT 1"}, {"max"}),
        ("q4", {"min": "(1)", "max": "(1)"}, {"min": "(1)", "max": "(1)"}, set()),
        (
            "q4",
            {"sqls": ["SELECT 2"]},
            {"sqls": ["SELECT 2"], "min": "(1)"},
            {"sql", "max"},
        ),
        ("q4", {"max_sql": "SELECT 1, 2"}, {"min": "(1)", "sql": "SELECT 1"}, {"max"}),
        (
            "q6",
            {"max": ["(1)", "(2)"]},
            {"sqls": ["SELECT 1", "SELECT 2"]},
            {"max_sqls"},
        ),
        ("q6", {"sql": "SELECT 2"}, {"sql": "SELECT 2"}, {"sqls", "max_sqls"}),
        ("q6", {"sqls": ["SELECT 2"]}, {"order_by": [0]}, {"max_sqls", "weights"}),
        (
            "q6",
            {"sqls": ["SELECT 2"], "max_sqls": [None]},
            {"max_sqls": [None]},
            {"weights"},
        ),
        (
            "q6",
            {"max_sqls": [None, "SELECT 5"]},
            {"sqls": ["SELECT 1", "SELECT 2"], "weights": [1, 0.5]},
            {"max_sql"},
        ),
        ("q6", {"weights": [1, 1]}, {"max_sqls": [None, "SELECT 3, 4"]}, set()),
    ],
)
def test_one_form_of_an_answer_replaces_the_others(item, new, left, gone):
    found = changed(change(item, set=new))[item]
    assert {name: found.extra[name] for name in left} == left
    assert not gone & found.extra.keys()
    if "reference" in new:
        assert found.alternatives == ((new["reference"], 1.0),)


def test_a_minimum_replaces_a_reference():
    found = changed(change("q5", set={"min": "(7)", "max": "((7 8))"}))["q5"]
    assert found.alternatives == ()
    assert found.extra["min"] == "(7)"
    assert found.weight == 2


def test_a_maximum_stays_beside_a_reference():
    found = changed(change("q5", set={"max": "((7 8))"}))["q5"]
    assert found.alternatives == ((7, 1.0),)
    assert found.extra["max"] == "((7 8))"


@pytest.mark.parametrize(
    ("item", "new", "said"),
    [
        ("q1", {"reference": "Bergen"}, []),
        ("q2", {"references": ["Rome"]}, []),
        ("q4", {"class": "A", "max": "((1))", "max_sql": "SELECT 1"}, []),
        ("q4", {"answerable": False}, []),
        ("q4", {"min": None, "max": None}, []),
        (
            "q7",
            {"sql": "SELECT 2"},
            [
                "q7: setting sql does not change reference, which may be of the old "
                "one",
            ],
        ),
        (
            "q4",
            {"reference": "(1)"},
            [
                "q4: setting reference drops what was said of the old one: max",
                "q4: setting reference does not change sql, which may be of the old "
                "one",
            ],
        ),
        (
            "q4",
            {"min": "(1)", "max": "((1 2))", "sql": "SELECT 1"},
            [],
        ),
        (
            "q4",
            {"sql": "SELECT 2"},
            [
                "q4: setting sql drops what was said of the old one: max",
                "q4: setting sql does not change min, which may be of the old one",
            ],
        ),
        (
            "q4",
            {"max_sql": "SELECT 1, 2"},
            ["q4: setting max_sql drops what was said of the old one: max"],
        ),
        (
            "q6",
            {"max": ["(1)", "(2)"]},
            ["q6: setting max drops what was said of the old one: max_sqls"],
        ),
        (
            "q6",
            {"max": ["(1)"], "reference": "(1)"},
            [
                "q6: setting reference drops what was said of the old one: weights",
                "q6: setting reference does not change sqls, order_by, which may be of "
                "the old one",
                "q6: setting max drops what was said of the old one: max_sqls",
            ],
        ),
        (
            "q6",
            {"sql": "SELECT 2"},
            [
                "q6: setting sql drops what was said of the old one: max_sqls, weights",
                "q6: setting sql does not change order_by, which may be of the old one",
            ],
        ),
        (
            "q6",
            {"sqls": None, "reference": "(1)", "weights": [1], "order_by": None},
            ["q6: setting sqls drops what was said of the old one: max_sqls"],
        ),
    ],
)
def test_what_a_new_answer_does_to_other_fields_is_said(item, new, said):
    assert list(side_effects(as_references(PLAIN), [change(item, set=new)])) == said


def test_what_is_set_beside_is_not_told():
    changes = [
        change("q4", set={"sql": "SELECT 2"}),
        change("q4", by="Bo", set={"min": "(2)", "max": "((2 3))"}),
    ]
    assert list(side_effects(as_references(PLAIN), changes)) == []


def test_an_item_becomes_answerable_and_unanswerable():
    found = changed(
        change("q1", set={"answerable": False}),
        change("q3", set={"answerable": True, "reference": "x"}),
    )
    assert not found["q1"].answerable
    assert found["q3"].alternatives == (("x", 1.0),)


def test_items_are_removed():
    assert "q2" not in changed(change("q2", remove=True))


def test_references_of_files_and_plain_ones_change_alike(tmp_path: Path):
    path = tmp_path / "refs.jsonl"
    write_records(path, PLAIN)
    read = demur.read_references(path)
    changes = [
        change("q1", set={"cluster": "d2", "class": "D"}),
        change("q2", set={"weight": 3}),
        change("q4", set={"max": "((1))"}),
    ]
    ours, theirs = changed(*changes), changed(*changes, references=read)
    for item in ("q1", "q2", "q4"):
        assert ours[item] == theirs[item]
    assert ours["q2"].alternatives == (("Rome", 1.0), ("Roma", 0.5))


def test_two_people_may_change_two_things():
    found = changed(change(set={"cluster": "d9"}), change(by="Bo", set={"class": "D"}))[
        "q1"
    ]
    assert (found.cluster, found.extra["class"]) == ("d9", "D")


def test_the_order_of_adjudications_is_no_matter():
    changes = [
        change("q3", set={"reference": 0}),
        change("q3", by="Bo", set={"answerable": True}),
        change("q4", set={"sql": "SELECT 2"}),
        change("q4", by="Bo", set={"reference": "(2)"}),
    ]
    ours, theirs = changed(*changes), changed(*changes[::-1])
    assert ours == theirs
    assert ours["q3"].alternatives == ((0, 1.0),)
    assert ours["q4"].extra == {"sql": "SELECT 2", "db": "x"}


# -- what is refused -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "what"),
    [
        ({"set": {"reference": "x"}}, {"set": {"reference": "x"}}, "reference"),
        ({"set": {"reference": "x"}}, {"set": {"references": ["x"]}}, "references"),
        ({"set": {"max": "(1)"}}, {"set": {"reference": "x"}}, "reference"),
        ({"set": {"class": "A"}}, {"set": {"db": "y", "class": "A"}}, "class"),
        ({"set": {"min": "()"}}, {"set": {"max": "((1))"}}, "max"),
        ({"set": {"max_sql": "SELECT 1"}}, {"set": {"sqls": ["SELECT 1"]}}, "sqls"),
        ({"set": {"max_sql": "SELECT 1"}}, {"set": {"max_sqls": [None]}}, "max_sqls"),
        ({"set": {"class": "A"}}, {"remove": True}, "the item"),
        ({"remove": True}, {"remove": True}, "the item"),
    ],
)
def test_nothing_is_decided_on_twice(first, second, what):
    one = adjudication_of({"item": "q4", "by": "Ada", "why": "so", **first}, "adj:3")
    two = adjudication_of({"item": "q4", "by": "Bo", "why": "so", **second}, "adj:5")
    assert refusal(one, two) == (
        f"adj:5: {what} must be decided on once for item 'q4'; got Bo here and Ada at "
        "adj:3. Agree on one decision, and drop the other."
    )


def test_unknown_items_and_fields_are_refused():
    assert refusal(change("q 1", remove=True)) == (
        "adj:1: item must be one that has a reference; got 'q 1'. Did you mean 'q1'?"
    )
    said = refusal(change(set={"refernce": "x"}))
    assert "Did you mean 'reference'?" in said
    assert refusal(change("q3", set={"reference": "x"})) == (
        "adj:1: reference must not be set where the item is not answerable; got item "
        "'q3'. Set answerable to true as well."
    )


@pytest.mark.parametrize("value", ["", 0, False])
def test_an_empty_answer_is_one(value):
    for name in ("reference", "max"):
        assert "not be set where the item is not answerable" in refusal(
            change("q3", set={name: value})
        )


def test_a_fault_is_that_of_the_adjudication():
    good = change(set={"class": "A"})
    bad = adjudication_of(
        {"item": "q1", "by": "Bo", "why": "so", "set": {"weight": -1}}, "adj:2"
    )
    assert refusal(good, bad).startswith("adj:2: weight must be positive")
    assert refusal(bad, good).startswith("adj:2: weight must be positive")
    none = adjudication_of(
        {"item": "q1", "by": "Bo", "why": "so", "set": {"reference": None}}, "adj:3"
    )
    assert refusal(good, none).startswith(
        "adj:1, adj:3, of refs:1: a reference must give at least one"
    )


def test_a_change_must_leave_a_reference():
    assert "at least one acceptable value" in refusal(change(set={"reference": None}))
    said = refusal(change(remove=True), references=PLAIN[:1])
    assert "must leave at least one reference" in said


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"by": "A", "why": "b", "remove": True}, "have a field item"),
        ({"item": "", "by": "A", "why": "b", "remove": True}, "item must be"),
        ({"item": "q1", "why": "b", "remove": True}, "by must be a text, not empty"),
        ({"item": "q1", "by": " ", "why": "b", "remove": True}, "Say who decided so."),
        ({"item": "q1", "by": "A", "remove": True}, "why must be a text, not empty"),
        ({"item": "q1", "by": "A", "why": 3, "remove": True}, "why must be a text"),
        ({"item": "q1", "by": "A", "why": "b"}, "either set or remove; got neither"),
        ({"item": "q1", "by": "A", "why": "b", "remove": False}, "got neither"),
        (
            {"item": "q1", "by": "A", "why": "b", "remove": True, "set": {"db": "x"}},
            "either set or remove; got both",
        ),
        ({"item": "q1", "by": "A", "why": "b", "set": []}, "set must be an object"),
        ({"item": "q1", "by": "A", "why": "b", "set": {}}, "set must be an object"),
        (
            {"item": "q1", "by": "A", "why": "b", "set": {"item": "q2"}},
            "set must not rename the item",
        ),
        ({"item": "q1", "who": "A", "why": "b"}, "must be one of item, by, why"),
    ],
)
def test_an_adjudication_says_what_who_and_why(record, said):
    good = {"item": "q1", "by": "A", "why": "b", "remove": True}
    with pytest.raises(demur.InputError) as caught:
        demur.read_adjudications(lines(good, record))
    text = str(caught.value)
    assert ":2: " in text
    assert said in text
    assert "\n" not in text


def test_no_mapping_is_no_adjudication():
    refuses("an adjudication must be a mapping", adjudication_of, "q1", "here")


# -- files, and the hash -------------------------------------------------------------


def test_a_file_is_read_as_it_was_written():
    given = [
        change(set={"references": ["Oslo", {"value": "x", "weight": 0.5}]}),
        change("q2", date="2026-11-21", remove=True),
    ]
    again = demur.read_adjudications(lines(*[each.to_dict() for each in given]))
    assert again == given
    assert [each.place[-2:] for each in again] == [":1", ":2"]


@pytest.mark.parametrize("content", [b"", b"\n\n", b"[]"])
def test_an_empty_file_holds_none(content):
    assert demur.read_adjudications(io.BytesIO(content)) == []


def test_a_broken_file_is_refused():
    with pytest.raises(demur.ParseError):
        demur.read_adjudications(io.BytesIO(b'{"item": '))


def test_the_hash_is_of_what_is_said_in_any_order():
    one, two = change(set={"db": "x", "class": "A"}), change("q2", remove=True)
    same = demur.Adjudication(
        item="q1", by="Ada", why="so", set={"class": "A", "db": "x"}, place="else"
    )
    assert hash_of([one, two]) == hash_of([two, same])
    others = [
        change(set={"db": "x", "class": "D"}),
        change(set={"db": "x", "class": "A"}, by="Bo"),
        change(set={"db": "x", "class": "A"}, why="else"),
        change(set={"db": "x", "class": "A"}, item="q3"),
        change(set={"db": "x", "class": "A"}, date="2026-01-01"),
    ]
    assert len({hash_of([each]) for each in [one, *others]}) == 6
