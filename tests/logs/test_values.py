"""Readers of logs value by value: what is a name, a time, an act, and what is none."""

import io
import json
from typing import Any

import pytest

import demur
from builders import refuses
from demur.logs import agent_traces, trace_spans, wizard_logs
from demur.logs import dialogue_files as files
from demur.logs.readers import noted
from demur.outcomes.target_dialogues import Failed

NONE = "none"


def or_refused(function: Any, *given: Any) -> Any:
    try:
        return function(*given)
    except demur.InputError:
        return NONE


@pytest.mark.parametrize(
    ("span", "trace"),
    [
        ({"traceId": "t"}, "t"),
        ({"trace_id": "t"}, "t"),
        ({"traceId": "", "trace_id": "t"}, "t"),
        ({"context": {"trace_id": "t"}}, "t"),
        ({"context": {"traceId": "t"}}, "t"),
        ({"traceId": "t", "context": {"trace_id": "u"}}, "t"),
        ({"trace_id": ""}, NONE),
        ({"trace_id": 7}, NONE),
        ({"trace_id": 0}, NONE),
        ({"context": {"trace_id": ""}}, NONE),
        ({"context": "t"}, NONE),
        ({}, NONE),
    ],
)
def test_a_trace_has_a_name_that_is_a_text(span, trace):
    assert or_refused(trace_spans._trace, "p", span) == trace


@pytest.mark.parametrize(
    ("span", "begun"),
    [
        ({"startTimeUnixNano": 5}, 5),
        ({"startTimeUnixNano": "5", "start_time": "6"}, 5),
        ({"start_time": 6}, 6),
        ({"start_time": "1970-01-01T00:00:01+00:00"}, 10**9),
        ({"start_time": "1970-01-01T00:00:00.5Z"}, 5 * 10**8),
        ({"start_time": "-5"}, NONE),
        ({"start_time": None}, NONE),
        ({}, NONE),
    ],
)
def test_a_span_begins_at_a_time(span, begun):
    assert or_refused(trace_spans._begun, "p", span) == begun


@pytest.mark.parametrize(
    ("record", "n"),
    [
        ({"attributes": {}}, 1),
        ({"resourceSpans": []}, 0),
        ({"resourceSpans": [{}]}, 0),
        ({"resourceSpans": [{"scopeSpans": [{"spans": [{}, {}]}, {}]}]}, 2),
        ({"resourceSpans": {}}, NONE),
        ({"resourceSpans": [3]}, NONE),
        ({"resourceSpans": [{}, 3]}, NONE),
        ({"resourceSpans": [{"scopeSpans": 3}]}, NONE),
        ({"name": "x"}, NONE),
    ],
)
def test_records_hold_spans(record, n):
    def spans() -> int:
        return len([*trace_spans._spans("p", record)])

    assert or_refused(spans) == n


@pytest.mark.parametrize(
    ("messages", "text", "calls"),
    [
        ("[", "", False),
        ([], "", False),
        ([3, {"content": "a"}], "a", False),
        ([{"content": 3}], "", False),
        ([{"content": "a"}, {"content": "b"}], "a\nb", False),
        ([{"content": "a", "tool_calls": [1]}], "a", True),
        (
            [{"parts": [{"content": "a"}, {"content": ""}, {"content": "b"}]}],
            "a\nb",
            False,
        ),
        ([{"parts": [{"type": "image", "content": "a"}]}], "", False),
        ([{"parts": [3, {"type": "tool_call"}]}, {"content": "b"}], "b", True),
        ([{"content": "b"}, {"parts": [{"type": "tool_call"}]}], "b", True),
    ],
)
def test_a_reply_has_a_text_and_may_call_tools(messages, text, calls):
    given = {"gen_ai.output.messages": messages}
    assert agent_traces._reply(given) == (text, calls)


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        ('{"a": 1}', {"a": 1}),
        (" [1]", [1]),
        ("[1", "[1"),
        ("1", "1"),
        ("", ""),
        (1, 1),
        ("[" * 100_000, "[" * 100_000),
    ],
)
def test_json_in_a_text_is_read(value, plain):
    assert trace_spans.unpacked(value) == plain


def span(number: int, trace: str = "t", **attributes: Any) -> dict[str, Any]:
    named = {f"gen_ai.{name.replace('__', '.')}": of for name, of in attributes.items()}
    return {"trace_id": trace, "start_time": number, "attributes": named}


def test_notes_count_errors_and_traces_without_a_step():
    tool = {"operation__name": "execute_tool", "tool__name": "a"}
    broken = {"status": {"code": 2, "message": "m"}}
    spans = [
        span(1, **tool) | broken,
        span(2, operation__name="chat") | broken,
        span(3, operation__name="text_completion", output__messages=[{"content": "x"}]),
        span(4, operation__name="chat", output__messages=[{"content": ""}]),
        span(5, "other", operation__name="invoke_agent"),
    ]
    text = "\n".join(map(json.dumps, spans)).encode()
    for error in ("failed", "declined"):
        log = demur.logs.log_reader(f"traces(error={error})").read(io.BytesIO(text))
        (trace,) = log.dialogues
        outputs = [turn.annotations["agent"] for turn in trace.turns]
        why = Failed("m") if error == "failed" else None
        call = {"tool": "a", "arguments": None}
        assert outputs == [
            {"call": call, "result": why},
            {"reply": why},
            {"reply": "x"},
        ]
        assert log.notes == (
            f"steps with an error (error={error}): 2",
            "traces without a step, left out: 1",
        )
    (target,) = demur.read_agent_traces(io.BytesIO(text), source="target")
    assert [turn.target for turn in target.turns] == [
        {"call": call},
        {},
        {"reply": "x"},
    ]
    assert noted((0, "none"), (1234, "many")) == ("many: 1,234",)


# -- dialogues ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("d", "d"),
        (0, "0"),
        (7, "7"),
        ("", NONE),
        (True, NONE),
        (1.5, NONE),
        (None, NONE),
    ],
)
def test_names_are_texts_or_whole_numbers(name, taken):
    record = {"dialogue": name, "speaker": name}
    assert or_refused(files._dialogue_name, "p", {"dialogue": name}) == taken
    assert or_refused(wizard_logs._name, "p", record, "speaker") == taken


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (1, 0),
        ("3", 2),
        (3, 2),
        (0, NONE),
        (4, NONE),
        ("", NONE),
        (-1, NONE),
        (True, NONE),
        ("²", NONE),
        ("0" * 16 + "3", 2),
        ("0" * 17 + "3", NONE),
        (1.0, NONE),
    ],
)
def test_turns_count_from_1(value, number):
    assert or_refused(files._turn_number, "p", value, 3) == number


@pytest.mark.parametrize(
    ("value", "number"),
    [
        *((1, 1.0), (0.5, 0.5), (-1, -1.0), (float("inf"), float("inf"))),
        *((True, NONE), (float("nan"), NONE), ("1", NONE), (None, NONE)),
    ],
)
def test_confidences_are_numbers(value, number):
    assert or_refused(files._confidence, "p", value) == number


@pytest.mark.parametrize(
    ("value", "acts"),
    [(None, []), ("", []), ("a", ["a"]), ([], []), (["a", 3], ["a", 3]), (3, NONE)],
)
def test_acts_are_one_or_a_list(value, acts):
    assert or_refused(wizard_logs._acts, "p", value) == acts


@pytest.mark.parametrize(
    ("record", "changes"),
    [
        ({}, []),
        ({"change": ""}, []),
        ({"why": ""}, []),
        ({"why": "x"}, NONE),
        ({"change": "removed", "why": " "}, NONE),
        ({"change": "removed", "why": 3}, NONE),
        (
            {"change": "removed", "why": "x"},
            [("removed", {"text": None, "acts": ["a"]})],
        ),
        ({"change": "removed", "why": "x", "was": 1}, [("removed", 1)]),
        ({"change": "inserted", "why": "x"}, [("inserted", None)]),
        ({"change": "gone", "why": "x"}, NONE),
    ],
)
def test_changes_have_a_reason(record, changes):
    made = or_refused(wizard_logs._changes, "p", record, ["a"])
    assert changes == (made if made == NONE else [(one.what, one.was) for one in made])
    if record.keys() == {"change", "why"} and made != NONE:
        changed = files._change("p", {"what": record["change"], "why": "x"})
        assert (changed.what, changed.why, changed.was) == (record["change"], "x", None)


def test_what_is_empty_is_not_written():
    empty = demur.TargetTurn(input=None)
    assert files._turn_record(empty) == {"input": None}
    full = demur.TargetTurn(
        input="i",
        target={"nlu": "a"},
        annotations={"s": {"nlu": 1, "dm": Failed("x")}, "t": {"dm": Failed("y")}},
        confidences={"s": {"nlu": 0.5}},
        changes=[
            demur.TurnChange("removed", "w"),
            demur.TurnChange("inserted", "v", 0),
        ],
    )
    record = files._turn_record(full)
    assert record == {
        "input": "i",
        "target": {"nlu": "a"},
        "annotations": {"s": {"nlu": 1}, "t": {}},
        "failed": {"s": {"dm": "x"}, "t": {"dm": "y"}},
        "confidences": {"s": {"nlu": 0.5}},
        "changes": [
            {"what": "removed", "why": "w"},
            {"what": "inserted", "why": "v", "was": 0},
        ],
    }
    removed = demur.TargetDialogue("d", [full], [empty])
    assert files._dialogue_record(removed)["removed"] == [{"input": None}]
    assert "removed" not in files._dialogue_record(demur.TargetDialogue("d", [full]))


def test_what_is_added_joins_what_is_there():
    turn = demur.TargetTurn(
        input=1,
        target={"nlu": "a"},
        annotations={"s": {"nlu": "b"}},
        confidences={"s": {"nlu": 0.5}},
    )
    first, second = (demur.TargetDialogue(name, [turn, turn]) for name in ("d", "e"))
    rows = [
        {"dialogue": "e", "turn": 2, "source": source, "module": "dm", "output": "c"}
        | ({"confidence": 0.25} if source == "s" else {})
        for source in ("s", "target")
    ]
    places = [(f"row {n}", row) for n, row in enumerate(rows)]
    same, changed = demur.with_annotations([first, second], places)
    assert same == first
    assert changed.turns[0] == turn
    last = changed.turns[1]
    assert last.target == {"nlu": "a", "dm": "c"}
    assert last.annotations == {"s": {"nlu": "b", "dm": "c"}}
    assert last.confidences == {"s": {"nlu": 0.5, "dm": 0.25}}
    refuses(
        *("row 0: target, nlu must stand once", demur.with_annotations, [first]),
        [("row 0", rows[1] | {"dialogue": "d", "module": "nlu"})],
    )
