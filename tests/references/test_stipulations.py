"""Agreed meanings: what is cited exists, once, and what exists is cited."""

import io
from pathlib import Path

import pytest

import demur
from demur.references.stipulations import cited_by

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "air_travel"
AGREED = [
    demur.Stipulation("M1", "One."),
    demur.Stipulation("M2", "Two.", "flight", "m:2"),
]


def citing(*ids, item="q1", place="r:1"):
    return demur.Reference(item=item, extra={"meanings": list(ids)}, place=place)


def test_the_air_travel_questions_cite_what_is_agreed():
    references = demur.read_references(EXAMPLE / "questions.jsonl")
    agreed = demur.read_stipulations(EXAMPLE / "meanings.jsonl")
    assert len(agreed) == 33
    assert agreed[3].term == "morning"
    assert demur.unknown_meanings(references, agreed) == []
    assert demur.repeated_meanings(agreed) == []
    assert demur.uncited_meanings(references, agreed) == []
    without = [each for each in agreed if each.id != "M4"]
    found = demur.unknown_meanings(references, without)
    cited = [each.item for each in references if "M4" in cited_by(each)]
    assert [each.item for each in found] == [str(item) for item in cited]
    assert len(cited) > 1


def test_ids_that_do_not_exist_are_found_once_for_each_item():
    found = demur.unknown_meanings(
        [citing("M1", "M9"), citing("M2", "M9", "M9", item="q2", place="r:2")], AGREED
    )
    assert [(each.item, each.check, each.place) for each in found] == [
        ("q1", "unknown-meaning", "r:1"),
        ("q2", "unknown-meaning", "r:2"),
        ("q2", "meaning-cited-twice", "r:2"),
    ]
    assert found[2].message == "cites 'M9' 2 times"


def test_ids_given_twice_are_found():
    again = demur.Stipulation("M2", "Otherwise.", place="m:7")
    assert demur.repeated_meanings([*AGREED, again, again]) == [
        demur.Finding(
            "M2", "repeated-meaning", "is a stipulation already, at m:2", "m:7"
        ),
        demur.Finding(
            "M2", "repeated-meaning", "is a stipulation already, at m:2", "m:7"
        ),
    ]


def test_what_nobody_cites_is_found():
    found = demur.uncited_meanings([citing("M1")], AGREED)
    assert [str(each) for each in found] == [
        "m:2: M2: uncited-meaning: no reference cites it (flight)"
    ]
    assert demur.uncited_meanings([citing("M1", "M2")], AGREED) == []


@pytest.mark.parametrize(
    ("given", "ids"),
    [
        (["M1", "M4"], ["M1", "M4"]),
        ("M1, M4", ["M1", "M4"]),
        ('["M1", "M4"]', ["M1", "M4"]),
        ("M1", ["M1"]),
        ([], []),
        ("", []),
        (None, []),
    ],
)
def test_ids_are_a_list_or_a_text(given, ids):
    assert cited_by(demur.Reference(item="q1", extra={"meanings": given})) == ids


@pytest.mark.parametrize("given", [7, {"M1": 1}, ["M1", 2], "[M1"])
def test_other_citations_are_refused(given):
    with pytest.raises(demur.InputError, match="r:1: meanings must be a list of ids"):
        cited_by(demur.Reference(item="q1", extra={"meanings": given}, place="r:1"))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"meaning": "x"}', ":1: id must be a text, not empty; got None"),
        (b'{"id": "M1", "meaning": " "}', ":1: meaning must be a text, not empty"),
        (b'{"id": 4, "meaning": "x"}', ":1: id must be a text, not empty; got 4"),
    ],
)
def test_a_stipulation_has_an_id_and_says_something(line, said):
    with pytest.raises(demur.InputError) as caught:
        demur.read_stipulations(io.BytesIO(line))
    assert said in str(caught.value)
