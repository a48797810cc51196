"""Chat completions and responses, as the package of OpenAI writes them: `"openai"`."""

import io
import json
import math
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import demur
from demur.formats import iter_responses

FOLDER = Path(__file__).parents[1] / "golden/formats/openai"
COMPLETIONS = (FOLDER / "chat_completions.jsonl").read_bytes()
REPLIES = [json.loads(line) for line in COMPLETIONS.splitlines()]


def read(text: bytes | list[Any], log: str | None = None) -> list[demur.Response]:
    if isinstance(text, list):
        text = b"\n".join(json.dumps(each).encode() for each in text)
    return demur.read_responses(io.BytesIO(text), log=log)


def said(text: str, **more: Any) -> dict[str, Any]:
    choice = {"message": {"content": text}, "finish_reason": "stop", **more}
    return {"choices": [choice], "model": "m"}


@pytest.mark.parametrize(
    ("name", "log", "expected"),
    [
        # right q01 q02 q04 q10; wrong q03 q07 q12; none q05 q06 q08 q11; q09 failed
        ("batch_mixed.jsonl", None, (4, 2, 6)),
        ("batch_mixed.jsonl", "openai(length=unanswered)", (4, 1, 7)),
        ("batch_mixed.jsonl", "openai(dont_know=answered)", (4, 3, 5)),
        ("responses.jsonl", None, (4, 3, 5)),
        ("responses.jsonl", "openai(error=leave_out)", (4, 3, 5)),
        ("chat_completions.jsonl", "openai(item=id)", (4, 3, 5)),
    ],
)
def test_replies_have_the_counts_that_must_come(name, log, expected):
    responses = demur.read_responses(FOLDER / name, log=log)
    references = demur.read_references(FOLDER / "references.jsonl")
    if name.startswith("chat"):
        references = [
            {"item": f"chatcmpl-{each.item}", "reference": dict(each.alternatives)}
            | ({"answerable": False} if not each.answerable else {})
            for each in references
        ]
        for each in references:
            each["reference"] = next(iter(each["reference"]), None)
    options = {"missing": "unanswered", "unsure": "lowest", "by": "text"}
    counts = demur.judge(responses, references, **options).counts()
    assert tuple(counts.values()) == (*expected, 0)


def test_answers_cut_off_count_the_same_while_a_file_is_read():
    read_one_by_one = iter_responses(FOLDER / "batch_mixed.jsonl")
    references = demur.read_references(FOLDER / "references.jsonl")
    options = {"missing": "unanswered", "unsure": "lowest", "by": "text"}
    counts = demur.judge(read_one_by_one, references, **options).counts()
    assert tuple(counts.values()) == (4, 2, 6, 0)


def test_confidences_kinds_and_failures_are_read():
    responses = {
        each.item: each for each in demur.read_responses(FOLDER / "batch_mixed.jsonl")
    }
    confidence = {"q01": 0.97, "q07": 0.4, "q06": None, "q05": None}
    for item, expected in confidence.items():
        got = responses[item].confidence
        assert got == (None if expected is None else pytest.approx(expected)), item
    kinds = {item: responses[item].kind for item in ("q05", "q06", "q08", "q11")}
    assert list(kinds.values()) == ["idk", "refusal", "filter", "format"]
    assert responses["q09"].failed == "invalid_value: Invalid value (made up)"
    assert responses["q12"].failed.startswith("batch_expired: ")
    assert {each.system for each in responses.values()} == {"gpt-invented"}


def test_objects_are_read_whether_listed_or_one_after_another():
    lines = [each.response for each in read(COMPLETIONS)]
    indented = "\n".join(json.dumps(each, indent=1) for each in REPLIES)
    assert lines[:2] == ["Paris", "4"]
    assert [each.response for each in read(indented.encode())] == lines
    assert [each.response for each in read(json.dumps(REPLIES).encode())] == lines


def test_objects_without_items_are_numbered_and_a_note_says_so():
    responses = read(COMPLETIONS)
    assert [each.item for each in responses[:2]] == ["1", "2"]
    assert "the objects name no items" in responses.notes[0]
    assert responses.recipe["log"].startswith("openai(item=row, confidence=logprobs")


def test_rows_of_our_own_hold_objects_too():
    rows = [{"item": "a", "response": REPLIES[0], "confidence": 0.3}]
    rows += [{"item": "b", "response": None}, {"item": "c", "error": "timeout"}]
    first, second, third = read(rows)
    assert (first.item, first.response, first.confidence) == ("a", "Paris", 0.3)
    assert (second.response, third.failed) == (None, "timeout")
    pair = {"id": "q", "question": "Where?", "expected": "x", "completion": REPLIES[0]}
    [response] = read([pair])
    assert response.item == "q"
    assert response.extra["input"] == "Where?"
    assert response.extra["reference"] == "x"


@pytest.mark.parametrize(
    ("text", "log", "response", "confidence"),
    [
        ("Oslo", "openai", "Oslo", None),
        ("Oslo.\nI think so.", "openai", "Oslo.\nI think so.", None),
        ("Thinking.\nAnswer: Oslo\nConfidence: 90 %", "openai", "Oslo", 0.9),
        ("Answer: Oslo", "openai(response=text)", "Answer: Oslo", None),
        ("Well.\nConfidence: 0,4", "openai", "Well.", 0.4),
        ("Answer: Oslo\nConfidence: 0.9", "openai(confidence=none)", "Oslo", None),
        ("Oslo", "openai(confidence=p)", "Oslo", 0.25),
        ("Answer: Oslo (95%)", "openai(confidence=verbalised)", "Oslo", 0.95),
        ("Answer: Oslo (95%)", "openai(confidence=none)", "Oslo (95%)", None),
        ("Answer: Oslo [confidence .9]", "openai", "Oslo", 0.9),
    ],
)
def test_answer_and_confidence_are_taken_out_of_the_text(
    text, log, response, confidence
):
    [got] = read([{"id": 1, "p": 0.25, "completion": said(text)}], log)
    assert (got.response, got.confidence) == (response, confidence)


def test_several_choices_are_repeats_with_the_answer_of_each():
    tokens = {"content": [{"token": "A", "logprob": math.log(0.5)}]}
    reply = said("A", logprobs=tokens)
    reply["choices"] += said("B")["choices"]
    first, second = read([reply], "openai")
    assert [each.repeat for each in (first, second)] == [None, "2"]
    assert (first.response, second.response) == ("A", "B")
    assert (first.confidence, second.confidence) == (pytest.approx(0.5), None)


def test_objects_with_one_choice_are_the_first_repeat_of_those_with_more():
    twice = said("Oslo")
    twice["choices"] += said("Rome")["choices"]
    rows = [{"id": n, "completion": said("Oslo")} for n in range(4)]
    rows[2]["completion"] = twice
    rows.append({"id": 4, "error": "timeout"})
    references = [{"item": n, "reference": "Oslo"} for n in range(5)]
    with pytest.raises(demur.InputError) as raised:
        demur.judge(read(rows), references)
    assert "got none for 4: '0' of system 'm', repeat '2'" in str(raised.value)
    assert "4 of these have a response in another repeat" in str(raised.value)
    outcomes = demur.judge(read(rows), references, missing="leave_out")
    assert list(outcomes.counts().values()) == [4, 1, 1, 0]
    outcomes = demur.judge(read(rows), references, missing="unanswered")
    assert len(outcomes) == 10


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"custom_id": "a", "method": "POST", "url": "", "body": {}}], "requests"),
        ([REPLIES[0], {"id": 1}], "object 2: a row must hold a chat completion"),
        ([{"id": "a", "completion": said(3)}], "object 1: it must be a chat compl"),
        (
            [
                {"id": "a", "completion": said("x")},
                {"completion": said("y")},
            ],
            "object 2: id must be an item.*got nothing.*openai.item=row",
        ),
    ],
)
def test_what_is_none_is_named(rows, message):
    with pytest.raises(demur.InputError, match=f"(?s){message}"):
        read(rows)


def test_replies_that_nobody_judged_are_not_outcomes():
    with pytest.raises(demur.InputError, match="Judge them: demur judge"):
        demur.read_outcomes(FOLDER / "batch_mixed.jsonl")


@pytest.mark.parametrize(
    "text",
    [
        b'{"item": "q1", "response": {"choices": ["a", "b"]}}',
        b'{"item": "q1", "response": "Oslo", "choices": [{"message": "a"}]}',
        b"item,response,custom_id\nq1,Oslo,x\n",
        b'[{"item": 1, "response": {"output": [1]}}]',
    ],
)
def test_files_of_ours_are_no_log(text):
    assert read(text).recipe == {}


def test_damaged_files_raise_our_errors_alone():
    dice = random.Random(31)
    lines = (FOLDER / "batch_mixed.jsonl").read_bytes().splitlines()
    for _ in range(150):
        row = json.loads(dice.choice(lines))
        damage(row, dice)
        text = json.dumps(row).encode()
        text = text[: dice.randrange(len(text))] if dice.random() < 0.2 else text
        try:
            read(text, "openai")
        except demur.DemurError:
            continue


def damage(value: Any, dice: random.Random) -> None:
    """Replace or delete something at any depth."""
    while isinstance(value, (dict, list)) and value:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = dice.choice(keys)
        if not isinstance(value[key], (dict, list)) or dice.random() < 0.3:
            new = dice.choice([None, 3, "x", [], {}, [1], {"a": 1}, math.nan, True])
            value[key] = new
            return
        value = value[key]


def test_failed_requests_in_a_file_of_their_own_are_of_the_system_of_the_answers():
    lines = (FOLDER / "batch_mixed.jsonl").read_bytes().splitlines()
    failed = [line for line in lines if b'"q09"' in line or b'"q12"' in line]
    files = {
        "output": b"\n".join(line for line in lines if line not in failed),
        "errors": b"\n".join(failed),
    }
    references = demur.read_references(FOLDER / "references.jsonl")
    for order in (("output", "errors"), ("errors", "output")):
        sources = [io.BytesIO(files[name]) for name in order]
        outcomes = demur.judge(demur.read_responses(*sources), references, by="text")
        assert len(outcomes.systems) == 1
        assert outcomes.counts()["unanswered"] == 6
    [alone] = demur.read_responses(io.BytesIO(failed[0]))
    assert alone.system is None or alone.system == ""


ERROR = {"message": "Rate limit", "type": "tokens", "code": "rate_limit"}
FAILED = "rate_limit: Rate limit"


@pytest.mark.parametrize(
    ("row", "kind", "log"),
    [
        ({"id": "b", "response": {"error": ERROR}}, "failed", None),
        ({"id": "b", "completion": {"error": ERROR}}, "failed", None),
        ({"id": "b", "error": ERROR}, "failed", None),
        ({"id": "b", "response": None}, None, None),
        ({"id": "b", "response": {"error": ERROR}}, "left out", "error=leave_out"),
        (
            {"id": "b", "response": {"error": {"code": "content_filter"}}},
            *("filter", None),
        ),
    ],
)
def test_rows_around_requests_that_failed_are_read(row, kind, log):
    rows = [{"id": "a", "response": said("Oslo")}, row]
    options = f"openai({log})" if log else "openai"
    for listed in (rows, rows[::-1]):
        responses = {each.item: each for each in read(listed, options)}
        assert responses["a"].response == "Oslo"
        if kind == "left out":
            assert list(responses) == ["a"]
        elif kind == "failed":
            assert responses["b"].failed == FAILED
        else:
            assert (responses["b"].response, responses["b"].kind) == (None, kind)


def test_batch_rows_whose_response_is_an_error_have_failed():
    rows = [{"custom_id": "a", "response": {"error": ERROR}, "error": None}]
    assert read(rows)[0].failed == FAILED


@pytest.mark.parametrize("before", [0, 1, 25])
def test_files_that_begin_with_requests_that_failed_are_recognised(before):
    rows = [{"custom_id": str(n), "error": ERROR} for n in range(before)]
    rows.append({"custom_id": "a", **said("Oslo")})
    responses = read(rows)
    assert [each.item for each in responses][-1] == "a"
    assert [each.failed for each in responses] == [FAILED] * before + [None]
    rows = [{"id": str(n), "response": {"error": ERROR}} for n in range(before)]
    rows.append({"id": "a", "response": said("Oslo")})
    assert [each.item for each in read(rows)][-1] == "a"


FLAT = [{"custom_id": f"q{n}", "id": f"chatcmpl-{n}", **said("Oslo")} for n in range(3)]


@pytest.mark.parametrize(
    ("rows", "items", "note"),
    [
        (FLAT, ["q0", "q1", "q2"], "items are custom_id"),
        ([*FLAT, {"custom_id": "q3", "error": ERROR}], ["q0", "q1", "q2", "q3"], ""),
        (
            [{"id": "c", "metadata": {"question_id": 7}, **said("Oslo")}],
            *(["7"], "items are metadata.question_id"),
        ),
        (
            [{**each, "metadata": {"doc_id": 1}} for each in FLAT],
            ["q0", "q1", "q2"],
            "items are custom_id .beside it: --log 'openai.item=metadata.doc_id.'.",
        ),
        (
            [{"id": "c", "metadata": {"session_id": "s"}, **said("Oslo")}],
            ["1"],
            "no items.*; or by id: --log 'openai.item=id.'; or by metadata.session_id",
        ),
        # Not what one row has by chance.
        ([{"nr": 1, **FLAT[0]}, *FLAT[1:]], ["q0", "q1", "q2"], "items are custom_id"),
    ],
)
def test_objects_with_ids_beside_them_have_items(rows, items, note):
    responses = read(rows)
    assert [str(each.item) for each in responses] == items
    assert any(re.search(note, each) for each in responses.notes)


def test_items_that_begin_late_are_no_reason_to_join_by_the_order():
    rows = [{"error": ERROR}] * 20 + FLAT
    said = r"object 21: an item must be in the first objects.*got custom_id.*leave_out"
    with pytest.raises(demur.InputError, match=said):
        read(rows)
    log = "openai(item=custom_id, error=leave_out)"
    assert [each.item for each in read(rows, log)] == ["q0", "q1", "q2"]
    assert len(read(rows, "openai(item=row)")) == 23


@pytest.mark.parametrize("at", [0, 1])
def test_requests_that_failed_need_an_item_unless_they_are_left_out(at):
    rows = [{"id": f"chatcmpl-{n}", **said("Oslo")} for n in range(2)]
    rows.insert(at, {"error": ERROR})
    log = "openai(item=id, error=leave_out)"
    assert [each.item for each in read(rows, log)] == ["chatcmpl-0", "chatcmpl-1"]
    with pytest.raises(demur.InputError) as raised:
        read(rows, "openai(item=id, length=unanswered)")
    assert "id must be an item" in str(raised.value)
    assert "nothing, in a request that failed" in str(raised.value)
    assert "(item=id, length=unanswered, error=leave_out)' leaves" in str(raised.value)
    assert "item=row" not in str(raised.value)
    rows[at]["custom_id"] = "q9"
    with pytest.raises(
        demur.InputError, match=r"Such as: --log 'openai.item=custom_id"
    ):
        read(rows, "openai(item=id)")


def test_numbers_that_join_nothing_lead_to_the_ids_of_the_objects():
    responses = read([{"id": "chatcmpl-a", **said("Oslo")}])
    hint = r"item=row.... Else --log 'openai.item=PATH.' names their ids, such as id"
    with pytest.raises(demur.InputError, match=hint):
        demur.judge(responses, [{"item": "chatcmpl-a", "reference": "Oslo"}])


@pytest.mark.parametrize("given", [10**9, 10**400, "a", {"a": 1}])
def test_bytes_of_a_token_are_a_list(given):
    token = {"token": "a", "logprob": -0.5, "bytes": given}
    choice = {"message": {"content": "a"}, "logprobs": {"content": [token]}}
    file = io.BytesIO(json.dumps({"choices": [choice]}).encode())
    with pytest.raises(demur.InputError, match="must be a chat completion"):
        demur.read_responses(file)


def scored(*tokens: tuple[str, list[int] | None]) -> dict[str, Any]:
    listed = [{"token": t, "logprob": -0.5, "bytes": b} for t, b in tokens]
    return said("Oslo", logprobs={"content": listed})


def test_where_no_token_has_bytes_its_text_is_taken():
    for tokens in (
        [("Os", []), ("lo", [])],
        [("Os", None), ("lo", None)],
        [("Os", [79, 115]), ("lo", [108, 111]), ("<end>", [])],
    ):
        [response] = read([scored(*tokens)])
        assert response.confidence == pytest.approx(np.exp(-1.0)), tokens


def test_no_note_claims_a_confidence_that_no_token_gives():
    responses = read([scored(("other", [1, 2]))])
    assert responses[0].confidence is None
    assert not [note for note in responses.notes if "confidence is" in note]


@pytest.mark.parametrize("model", [[], {}, ["m"]])
def test_a_model_is_a_text(model):
    held = {"model": model, "choices": [{"message": {"content": "a"}}]}
    file = io.BytesIO(json.dumps(held).encode())
    with pytest.raises(demur.InputError, match="system must be"):
        demur.judge(demur.read_responses(file), [{"item": 1, "reference": "a"}])


def test_a_note_counts_replies_without_an_answer():
    replies = ["<think>Oslo", "<think>a", "Answer: <your answer>", "Answer: Oslo"]
    rows = [{"id": n, "completion": said(text)} for n, text in enumerate(replies)]
    responses = read(rows)
    assert [response.kind for response in responses] == [
        *("truncated", "truncated", "format", None)
    ]
    assert "3 replies without an answer (truncated 2, format 1): unanswered" in (
        responses.notes
    )


def test_confidences_that_begin_late_are_read():
    tokens = {"content": [{"token": "Oslo", "logprob": math.log(0.5)}]}
    bare, sure = said("Oslo"), said("Oslo", logprobs=tokens)
    for late, p in ((sure, 0.5), (said("Answer: Oslo\nConfidence: 0.7"), 0.7)):
        rows = [{"id": n, "completion": bare} for n in range(30)]
        rows += [{"id": 30, "completion": late}, {"id": 31, "completion": bare}]
        responses = read(rows)
        given = [each.confidence for each in responses]
        assert given == [None] * 30 + [pytest.approx(p), None]
        assert [note for note in responses.notes if "confidence is" in note]
        assert "confidence=" in responses.recipe["log"]
    rows = [{"id": n, "completion": bare} for n in range(30)]
    rows.append({"id": 30, "completion": sure, "confidence": 0.9})
    assert [each.confidence for each in read(rows)] == [None] * 30 + [0.9]


def test_confidences_of_rows_that_come_after_others_are_counted():
    tokens = {"content": [{"token": "Oslo", "logprob": math.log(0.5)}]}
    rows = [
        {"id": n, "completion": said("Oslo", logprobs=tokens)}
        | ({"confidence": 0.9} if n > 22 else {})
        for n in range(25)
    ]
    unread = "rows with a confidence of their own, which is not read: 2"
    responses = read(rows)
    assert [note for note in responses.notes if unread in note]
    assert all(each.confidence == pytest.approx(0.5) for each in responses)
    notes = read(rows, "openai(confidence=logprobs)").notes
    assert not [note for note in notes if unread in note]
