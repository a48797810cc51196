"""Judging at its edges: late credits, columns that begin late, what is only counted."""

import json

import numpy as np
import pytest

import demur
from builders import refuses
from demur.outcomes.fields import WRONG


def judged(responses: list[object], **how: object) -> demur.Outcomes:
    given = [
        {"item": f"q{row}", "response": each} for row, each in enumerate(responses)
    ]
    wanted = [
        {
            "item": f"q{row}",
            "references": ["Oslo", {"value": "Christiania", "weight": 0.5}],
        }
        for row in range(len(responses))
    ]
    return demur.judge(given, wanted, **how)


def test_credits_that_begin_late_leave_those_before_as_they_were() -> None:
    outcomes = judged(["Oslo", "Rome", None, "Christiania", "Oslo"])
    assert outcomes.credit is not None
    assert outcomes.credit.tolist() == [1.0, 0.0, 0.0, 0.5, 1.0]


def test_a_database_is_shown_without_its_password_and_all_else_as_it_is() -> None:
    url, page = "postgresql://me:secret@host/air", "https://me:open@host/page"
    given = [{"item": "q0", "response": "a", "db": url, "page": page}]
    outcomes = demur.judge(given, [{"item": "q0", "reference": "a", "db": url}])
    assert outcomes.groups["db"].tolist() == ["postgresql://host/air"]
    assert outcomes.groups["page"].tolist() == [page]


def test_columns_that_begin_late_are_empty_before() -> None:
    given = [
        {"item": "q0", "response": "a"},
        {"item": "q1", "response": "a"},
        {"item": "q2", "response": "a", "topic": "x"},
        {"item": "q3", "response": "a"},
    ]
    wanted = [{"item": f"q{row}", "reference": "a"} for row in range(4)]
    outcomes = demur.judge(given, wanted)
    assert outcomes.groups["topic"].tolist() == [None, None, "x", None]


def test_only_wrong_answers_that_look_like_refusals_are_counted() -> None:
    outcomes = judged(["I don't know", "Rome", "Oslo", None, "unknown"])
    (note,) = [each for each in outcomes.notes if "refus" in each or "look" in each]
    assert note.startswith("2 wrong answers that look like a refusal or are empty")
    note, _ = judged(["Rome", "unknown"]).notes
    assert note.startswith("1 wrong answer that looks like a refusal or is empty")


def test_nine_answers_like_refusals_are_listed() -> None:
    note, _ = judged([row * " " for row in range(12)]).notes
    assert f"({', '.join(repr(row * ' ') for row in range(9))}): judged" in note


def test_columns_stay_if_one_response_or_reference_has_them() -> None:
    given = [
        {"item": "q0", "response": "a"},
        {"item": "q1", "response": "a", "gone": 1},
        {"item": "q1", "response": "a", "topic": "x"},
    ]
    wanted = [{"item": "q0", "reference": "a"}, {"item": "q1", "reference": "a"}]
    wanted[1]["level"] = 3
    groups = demur.judge(given, wanted, repeated="last").groups
    columns = {name: column.tolist() for name, column in groups.items()}
    assert columns == {"topic": [None, "x"], "level": [None, 3]}


def test_wrong_answers_that_may_not_be_meant_as_guesses_are_noted() -> None:
    unknown = "\u308f\u304b\u308a\u307e\u305b\u3093"
    said = [
        {"item": "q0", "response": unknown},
        {"item": "q1", "response": "Cannot say.", "refused": True},
        {"item": "q2", "response": "```\nOslo\n```"},
    ]
    wanted = [{"item": f"q{row}", "reference": "Oslo"} for row in range(3)]
    first, second, third, floor = demur.judge(said, wanted).notes
    assert first.startswith(
        f"2 wrong answers that look like a refusal or are empty ({unknown!r}"
    )
    assert second.startswith("1 wrong answer with refused: true, judged as guess")
    advice = "extract='fence' (--extract fence) takes the answer out of it"
    assert third == f"1 wrong answer in a code fence: {advice}"
    assert floor.startswith("floor: oslo to every item is right on 3 of 3")
    by_hand = demur.judge(said[:1], wanted[:1], no_answer=unknown)
    (counted,) = by_hand.notes
    assert counted.startswith("1 response that says that there is no answer")


@pytest.mark.parametrize(
    ("refused", "count"),
    [(True, 1), ("true", 1), ("True", 1), (False, 0), ("no", 0), (None, 0)],
)
def test_refused_is_said_in_some_ways(refused: object, count: int) -> None:
    given = [{"item": "q0", "response": "b", "refused": refused}]
    notes = demur.judge(given, [{"item": "q0", "reference": "a"}]).notes
    assert [note[:14] for note in notes] == ["1 wrong answer"] * count


@pytest.mark.parametrize("guess", ["rome", "Rome", "oslo", "OSLO"])
@pytest.mark.parametrize("known", [["rome", "OSLO"], ["OSLO", "rome"]])
def test_all_values_are_read_if_one_need_not_be(guess: str, known: list[str]) -> None:
    given = [{"item": "q", "response": guess}]
    outcomes = demur.judge(given, [{"item": "q", "references": known}])
    assert outcomes.counts()["right"] == 1


def test_numbers_of_any_size_are_confidences_or_named() -> None:
    given = [{"item": "q", "response": "a", "confidence": 2**53}]
    wanted = [{"item": "q", "reference": "a"}]
    assert demur.judge(given, wanted).confidence.tolist() == [2.0**53]
    for value in (2**53 + 1, 10**400):
        given[0]["confidence"] = value
        refuses("confidence must", demur.judge, given, wanted)


def test_columns_of_a_result_cannot_be_changed() -> None:
    outcomes = demur.judge(
        [{"item": "q", "response": "a", "topic": "x"}],
        [{"item": "q", "reference": "a"}],
    )
    for column in (outcomes.groups["topic"], outcomes.response, outcomes.outcome.codes):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = None


@pytest.mark.parametrize(
    "place", ["a.jsonl:1", "a.jsonl:10", "a.jsonl:07", "a.jsonl", "7"]
)
def test_places_come_back_as_they_were(place: str) -> None:
    from demur.judging.join import Places

    places = Places()
    for each in (place, "b.jsonl:0", place):
        places.append(each)
    assert [places[row] for row in range(3)] == [place, "b.jsonl:0", place]


def test_what_said_no_answer_has_no_credit() -> None:
    outcomes = judged(["no comment", "Christiania"], no_answer="no comment")
    assert outcomes.counts()["unanswered"] == 1
    assert outcomes.credit is not None
    assert outcomes.credit.tolist() == [0.0, 0.5]
    wanted = [{"item": "q0", "answerable": False}, {"item": "q1", "answerable": False}]
    given = [{"item": "q0", "response": "a"}, {"item": "q1", "response": None}]
    counts = demur.judge(given, wanted).counts()
    assert (counts["wrong"], counts["unanswered"]) == (1, 1)
    assert demur.judge(given, wanted).mean_credit() == 0.0


def test_many_items_of_few_responses_are_joined() -> None:
    # A run that holds a small part of the items keeps them otherwise than a whole one.
    for share in (1, 15, 16, 17, 40):
        n_items = 680
        wanted = [{"item": f"q{row}", "reference": "a"} for row in range(n_items)]
        given = [
            {"item": f"q{row}", "response": "a" if row % 2 else "b"}
            for row in range(0, n_items, share)
        ]
        outcomes = demur.judge(given, wanted, missing="unanswered")
        assert len(outcomes) == n_items
        counts = outcomes.counts()
        assert counts["unanswered"] == n_items - len(given)
        assert counts["right"] == sum(row % 2 for row in range(0, n_items, share))
        given.append(given[-1])
        with pytest.raises(demur.InputError, match=r"again|once|repeated"):
            demur.judge(given, wanted, missing="unanswered")


def test_texts_beyond_those_that_are_shared_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("demur.judging.join._SHARED", 3)
    given = [
        {"item": f"q{row}", "response": "a", "topic": f"t{row % 7}", "system": "s"}
        for row in range(20)
    ]
    wanted = [{"item": f"q{row}", "reference": "a"} for row in range(20)]
    topics = demur.judge(given, wanted).groups["topic"].tolist()
    assert topics == [f"t{row % 7}" for row in range(20)]
    assert np.all(demur.judge(given, wanted).system == "s")


def test_columns_with_gaps_stay_where_they_were() -> None:
    given = [{"item": f"q{row}", "response": "a"} for row in range(6)]
    given[0]["topic"] = "x"
    given[3]["topic"] = "y"
    given[5]["topic"] = "z"
    wanted = [{"item": f"q{row}", "reference": "a"} for row in range(6)]
    topics = demur.judge(given, wanted).groups["topic"].tolist()
    assert topics == ["x", None, None, "y", None, "z"]


def test_records_made_in_python_are_numbered_from_one() -> None:
    with pytest.raises(demur.InputError, match="responses: record 1:"):
        demur.judge([{"response": "a"}], [{"item": "q", "reference": "a"}])
    with pytest.raises(demur.InputError, match="record 2"):
        demur.judge(
            [{"item": "q", "response": "a"}, {"item": "x", "response": "a"}],
            [{"item": "q", "reference": "a"}],
        )


def test_records_are_numbered_from_one_where_all_are_prepared_first() -> None:
    class Prepared:
        version = "prepared/1"

        def prepare(self, responses: object, references: object) -> None:
            pass

        def __call__(self, response: object, reference: object) -> bool:
            return response == reference

    right = [{"item": "q", "response": "a"}], [{"item": "q", "reference": "a"}]
    assert demur.judge(*right, by=Prepared()).counts()["right"] == 1
    with pytest.raises(demur.InputError, match="responses: record 1:"):
        demur.judge([{"response": "a"}], right[1], by=Prepared())
    with pytest.raises(demur.InputError, match="references: record 1:"):
        demur.judge(right[0], [{"reference": "a"}], by=Prepared())


@pytest.mark.parametrize("letters", [70, 78, 79, 80, 81])
def test_answers_like_refusals_are_listed_while_there_is_room(letters: int) -> None:
    first = f"I do not know{18 * '.'}"
    second = f"I do not know{(letters - 50) * '.'}"
    listed = f"{first!r}, {second!r}"
    assert len(listed) == letters
    (note,) = (n for n in judged([first, second]).notes if "refusal" in n)
    assert f"({listed if letters < 80 else repr(first)}): judged as guesses" in note


def test_guesses_without_a_confidence_are_refused_or_ranked_lowest() -> None:
    answers = [
        {"item": "q0", "response": "a", "confidence": 0.5},
        {"item": "q1", "response": "a"},
        {"item": "q2", "response": None},
    ]
    wanted = [{"item": f"q{row}", "reference": "a"} for row in range(3)]
    refuses("judge with unsure=lowest", demur.judge, answers, wanted)
    found = demur.judge(answers, wanted, unsure="lowest")
    assert found.confidence.tolist()[:2] == [0.5, -np.inf]
    assert np.isnan(found.confidence[2])
    _, note = found.notes
    assert note.startswith("1 guess without a confidence: ranked lowest")
    assert demur.judge(answers[1:], wanted, missing="leave_out").confidence is None


@pytest.mark.parametrize("by", ["text", "label", "letters", "f1", "json", "number"])
@pytest.mark.parametrize("extract", [None, "json"])
@pytest.mark.parametrize("as_text", [True, False])
def test_one_answer_that_is_nested_too_deeply_is_wrong_and_stops_no_other(
    by, extract, as_text, tmp_path
):
    deep = "[" * 900 + "]" * 900
    responses = [
        {"item": "1", "response": deep if as_text else json.loads(deep)},
        {"item": "2", "response": "4"},
    ]
    references = [{"item": name, "reference": "4"} for name in ("1", "2")]
    if by == "letters":
        references = [reference | {"reference": "B"} for reference in references]
    judged = demur.judge(responses, references, by=by, extract=extract)
    assert judged.outcome[0] == WRONG
    demur.write_outcomes(judged, tmp_path / "outcomes.jsonl")


@pytest.mark.parametrize(
    ("by", "text"),
    [
        ("relation", "[" * 900 + "]" * 900),
        ("slots", '{"a":' * 900 + "1" + "}" * 900),
        ("multiset", "[" * 900 + "]" * 900),
        (
            "tool_call",
            '{"name": "f", "arguments": {"a":' + "[" * 900 + "]" * 900 + "}}",
        ),
    ],
)
def test_texts_that_are_read_as_deeply_nested_values_are_wrong(by, text):
    reference = {"relation": [["a"]], "slots": {"a": "1"}, "multiset": ["a"]}.get(by)
    reference = reference or {"name": "f", "arguments": {"a": 1}}
    responses = [{"item": "1", "response": text}]
    judged = demur.judge(responses, [{"item": "1", "reference": reference}], by=by)
    assert judged.outcome[0] == WRONG
