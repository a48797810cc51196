"""Traces of agents as target dialogues: steps are turns."""

import io
import json

import pytest

import demur
from demur.logs import log_reader


def attribute(key, value):
    kind = "intValue" if isinstance(value, int) else "stringValue"
    return {"key": key, "value": {kind: value}}


def span(trace, start, operation, error="", **own):
    names = {"tool": "gen_ai.tool.name", "arguments": "gen_ai.tool.call.arguments"}
    names |= {"result": "gen_ai.tool.call.result", "said": "gen_ai.output.messages"}
    names |= {"heard": "gen_ai.input.messages"}
    given_ = {names[name]: value for name, value in own.items()}
    found = {
        "traceId": trace,
        "spanId": f"s{start}",
        "name": f"{operation} {own.get('tool', '')}",
        "startTimeUnixNano": str(start),
        "attributes": [
            attribute("gen_ai.operation.name", operation),
            *(attribute(key, value) for key, value in given_.items()),
        ],
    }
    return found | ({"status": {"code": 2, "message": error}} if error else {})


def message(role, *parts):
    return json.dumps([{"role": role, "parts": list(parts)}])


def test_spans_of_otlp_become_steps_in_their_order():
    heard = message("user", {"type": "text", "content": "book a table"})
    calls = message("assistant", {"type": "tool_call", "name": "search"})
    reply = message("assistant", {"type": "text", "content": "Done."})
    both = message(
        "assistant",
        {"type": "text", "content": "Let me look."},
        {"type": "tool_call", "name": "search"},
    )
    spans = [
        span("t1", 50, "chat", said=reply),
        span("t1", 10, "invoke_agent"),
        span("t1", 20, "chat", heard=heard, said=calls),
        span("t1", 21, "chat", said=both),
        span("t1", 22, "chat", said=message("assistant")),
        span(
            "t1",
            30,
            "execute_tool",
            tool="search",
            arguments='{"q": "x"}',
            result="[1]",
        ),
        span("t1", 40, "execute_tool", tool="book", arguments="{", error="full"),
        span("t2", 5, "execute_tool", tool="ping"),
    ]
    record = {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}
    first, second = demur.read_agent_traces(io.BytesIO(json.dumps(record).encode()))
    assert (first.dialogue, second.dialogue) == ("t1", "t2")
    assert {turn.input for turn in first.turns} == {"book a table"}
    assert [turn.annotations["agent"] for turn in first.turns] == [
        {"call": {"tool": "search", "arguments": {"q": "x"}}, "result": [1]},
        {"call": {"tool": "book", "arguments": "{"}, "result": demur.Failed("full")},
        {"reply": "Done."},
    ]
    assert second.turns[0].annotations["agent"] == {
        "call": {"tool": "ping", "arguments": None}
    }
    [golden, _] = demur.read_agent_traces(
        io.BytesIO(json.dumps(record).encode()), source="target"
    )
    assert golden.turns[1].target == {"call": {"tool": "book", "arguments": "{"}}


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        ([{"role": "assistant", "content": "Hi."}], "Hi."),
        ([{"parts": [{"content": "Hi."}, {"type": "image", "content": "x"}]}], "Hi."),
        ([{"parts": [{"content": "a"}, {"content": "b"}]}], "a\nb"),
        ([{"content": "Hi.", "tool_calls": [1]}, {"content": "x"}], None),
        ([3, {"content": "Hi."}], "Hi."),
        ("no list", None),
    ],
)
def test_the_text_of_a_chat(messages, said):
    told = messages if isinstance(messages, str) else json.dumps(messages)
    spans = [span("t", 1, "chat", said=told), span("t", 2, "execute_tool", tool="a")]
    record = {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}
    [trace] = demur.read_agent_traces(io.BytesIO(json.dumps(record).encode()))
    replies = [
        turn.annotations["agent"].get("reply")
        for turn in trace.turns
        if "reply" in turn.annotations["agent"]
    ]
    assert replies == ([] if said is None else [said])


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"a": 1}, ":1: the record must be a span"),
        ({"resourceSpans": 3}, "resourceSpans must be a list of objects"),
        ({"attributes": {}, "start_time": "2026-01-01"}, "the trace id must be a text"),
        ({"attributes": {}, "traceId": "t", "start_time": "soon"}, "must be a time"),
        ({"attributes": 3, "traceId": "t", "start_time": "5"}, "attributes must be"),
        ({"attributes": {}, "traceId": "t", "start_time": "5"}, "must hold a step"),
        ({"attributes": {}, "traceId": "t", "start_time": "\u00b2"}, "must be a time"),
        ({"attributes": {}, "traceId": "t", "start_time": "9" * 5000}, "be a time"),
        *(
            (
                {"attributes": [{"key": "k", "value": value}], "traceId": "t"},
                ":1: the values must be of OTLP",
            )
            for value in (
                {"intValue": "abc"},
                {"intValue": [1]},
                {"arrayValue": None},
                {"arrayValue": {"values": None}},
                {"kvlistValue": {"values": ["a"]}},
                {"kvlistValue": {"values": [{"key": ["a"]}]}},
            )
        ),
    ],
)
def test_what_is_no_trace_is_named(record, said):
    record.setdefault("start_time", "5")
    with pytest.raises(demur.InputError, match=said):
        demur.read_agent_traces(io.BytesIO(json.dumps(record).encode()))


def test_a_trace_is_a_dialogue_of_a_pipeline():
    spans = [
        span("t", n, "execute_tool", tool=tool, arguments='{"q": 1}', result=result)
        for n, (tool, result) in enumerate((("search", "found"), ("pay", "paid")))
    ]
    record = {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}
    dialogues = demur.read_agent_traces(
        io.BytesIO(json.dumps(record).encode()), source="target"
    )
    tools = {"search": "found", "pay": "refused"}
    built = demur.Pipeline.of(
        [
            demur.as_module(
                lambda _: {"tool": "search", "arguments": {"q": 1.0}},
                name="call",
                compare="whole",
            ),
            demur.as_module(
                lambda call: tools[call["tool"]], name="result", compare="whole"
            ),
        ]
    )
    found = demur.evaluate_pipeline(built, dialogues, replace="call", states=["free"])
    assert found.row("actual", "free").strict.share == 0.5
    assert found.row("target", "free").strict.share == 0.5
    assert found.row("actual", "free").identical.share == 0.5


def test_what_an_error_of_a_span_means_is_an_option_and_stands_in_the_recipe():
    spans = [
        span("t", 1, "execute_tool", tool="pay", arguments="{}", error="full"),
        span("t", 2, "chat", error="filtered"),
        span("idle", 3, "invoke_agent"),
    ]
    record = {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}
    text = json.dumps(record).encode()
    for error, outputs in (
        ("failed", [demur.Failed("full"), demur.Failed("filtered")]),
        ("declined", [None, None]),
    ):
        log = log_reader(f"traces(error={error})").read(io.BytesIO(text))
        [trace] = log.dialogues
        first, second = (turn.annotations["agent"] for turn in trace.turns)
        assert [first["result"], second["reply"]] == outputs
        assert first["call"] == {"tool": "pay", "arguments": {}}
        assert trace.log == f"traces(error={error})"
        assert log.notes == (
            f"steps with an error (error={error}): 2",
            "traces without a step, left out: 1",
        )
    [golden] = (
        log_reader("traces(source=target, error=declined)")
        .read(io.BytesIO(text))
        .dialogues
    )
    assert golden.turns[1].target == {"reply": None}  # it should decline


def test_a_tool_without_a_name_is_a_step():
    nameless = span("t", 1, "execute_tool") | {"name": ""}
    record = {"resourceSpans": [{"scopeSpans": [{"spans": [nameless]}]}]}
    [trace] = demur.read_agent_traces(io.BytesIO(json.dumps(record).encode()))
    assert trace.turns[0].annotations["agent"]["call"]["tool"] == ""


@pytest.mark.parametrize(
    ("names", "trace"),
    [
        ({"traceId": "t", "trace_id": "u"}, "t"),
        ({"trace_id": "u", "context": {"trace_id": "v"}}, "u"),
        ({"context": {"trace_id": "v", "traceId": "w"}}, "v"),
        ({"context": {"traceId": "w"}}, "w"),
    ],
)
def test_a_trace_is_named_in_any_of_the_forms(names, trace):
    record = {**span("", 1, "execute_tool", tool="a"), **names}
    if "traceId" not in names:
        del record["traceId"]
    [found] = demur.read_agent_traces(io.BytesIO(json.dumps(record).encode()))
    assert found.dialogue == trace


TIMES = [1, "2", "1970-01-01T00:00:00.000001Z", "1970-01-01T01:00:00.000002+01:00"]


def test_steps_are_in_the_order_of_their_times_in_any_form():
    records = [
        {
            **span("t", 0, "execute_tool", tool=str(place)),
            "startTimeUnixNano": time,
        }
        for place, time in enumerate(TIMES)
    ]
    text = "\n".join(map(json.dumps, reversed(records)))
    [trace] = demur.read_agent_traces(io.BytesIO(text.encode()))
    called = [turn.annotations["agent"]["call"]["tool"] for turn in trace.turns]
    assert called == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    ("status", "why"),
    [
        ({"code": 2}, "error"),
        ({"code": "2", "message": "full"}, "full"),
        ({"status_code": "ERROR", "description": "gone"}, "gone"),
        ({"code": "STATUS_CODE_ERROR", "message": "a", "description": "b"}, "a"),
        *(({"code": code, "message": "x"}, None) for code in (0, 1, 3, "OK")),
        ({"message": "x"}, None),
        ("ERROR", None),
    ],
)
def test_a_span_failed_where_its_status_says_so(status, why):
    given = span("t", 1, "execute_tool", tool="a", result="r") | {"status": status}
    [trace] = demur.read_agent_traces(io.BytesIO(json.dumps(given).encode()))
    result = trace.turns[0].annotations["agent"]["result"]
    assert result == ("r" if why is None else demur.Failed(why))


def test_values_of_attributes_are_plain():
    values = [
        ({"stringValue": "a"}, "a"),
        ({"boolValue": False}, False),
        ({"doubleValue": 0.5}, 0.5),
        ({"intValue": "7"}, 7),
        ({"arrayValue": {"values": [{"intValue": 1}, {"stringValue": "b"}]}}, [1, "b"]),
        ({"arrayValue": {}}, []),
        (
            {"kvlistValue": {"values": [{"key": "k", "value": {"intValue": 2}}]}},
            {"k": 2},
        ),
        ({"bytesValue": "x"}, "x"),
        ({"other": "x"}, None),
        ("plain", "plain"),
    ]
    for value, plain in values:
        given = span("t", 1, "execute_tool", tool="a")
        key = "gen_ai.tool.call.arguments"
        given["attributes"] += [{"key": key, "value": value}, 3]
        [trace] = demur.read_agent_traces(io.BytesIO(json.dumps(given).encode()))
        assert trace.turns[0].annotations["agent"]["call"]["arguments"] == plain


def test_the_user_said_what_was_last_heard():
    def heard(*texts):
        return json.dumps([{"role": role, "content": text} for role, text in texts])

    tool = {"tool": "a"}
    spans = [
        span("t", 1, "execute_tool", **tool),
        span("t", 2, "execute_tool", heard=heard(("user", "x"), ("user", "y")), **tool),
        span("t", 3, "execute_tool", heard=heard(("assistant", "z")), **tool),
        span("t", 4, "execute_tool", heard=heard(("user", "v"), ("user", "")), **tool),
        span("t", 5, "execute_tool", heard=heard(("user", "w"), ("tool", "u")), **tool),
    ]
    text = "\n".join(map(json.dumps, spans))
    [trace] = demur.read_agent_traces(io.BytesIO(text.encode()))
    assert [turn.input for turn in trace.turns] == [None, "y", "y", "v", "w"]
