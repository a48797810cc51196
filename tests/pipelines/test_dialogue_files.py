"""Target dialogues in files: what is written is read, and what is wrong is named."""

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import demur
from builders import refuses

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)
names = st.text("abcxyz", min_size=1, max_size=3)
outputs = st.dictionaries(names, plain, max_size=2)
failed = st.builds(demur.Failed, st.text(max_size=5))


@st.composite
def turns(draw):
    annotations = draw(
        st.dictionaries(
            names.filter(lambda n: n != "target"),
            st.dictionaries(names, plain | failed, min_size=1, max_size=2),
            max_size=2,
        )
    )
    sure = {
        source: dict.fromkeys(own, draw(st.floats(-5, 5)))
        for source, own in annotations.items()
        if not any(isinstance(each, demur.Failed) for each in own.values())
    }
    change = st.builds(
        demur.TurnChange, st.sampled_from(["removed", "inserted"]), names
    )
    return demur.TargetTurn(
        input=draw(plain),
        target=draw(outputs),
        acceptable=draw(
            st.dictionaries(names, st.lists(plain, max_size=2), max_size=2)
        ),
        annotations=annotations,
        confidences={name: own for name, own in sure.items() if own},
        changes=draw(st.lists(change, max_size=1)),
    )


@settings(max_examples=80, deadline=None)
@given(st.lists(st.lists(turns(), min_size=1, max_size=3), min_size=1, max_size=3))
def test_what_is_written_is_read(tmp_path_factory, listed):
    made = [demur.TargetDialogue(f"d{n}", each) for n, each in enumerate(listed)]
    path = tmp_path_factory.mktemp("d") / "dialogues.jsonl"
    demur.write_dialogues(made, path)
    assert demur.read_dialogues(path) == made


def read(*records):
    text = "\n".join(
        each if isinstance(each, str) else json.dumps(each) for each in records
    )
    return demur.read_dialogues(io.BytesIO(text.encode()))


GOOD = {"dialogue": "d1", "turns": [{"input": "hi"}]}


def turn(**fields):
    return {"dialogue": "d1", "turns": [{"input": "hi", **fields}]}


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([{"turns": [{"input": 1}]}], r":1: dialogue must be a name"),
        ([GOOD, {**GOOD, "turn": []}], r":2: a field must be one of dialogue, turns"),
        ([GOOD, GOOD], r":2: dialogue must stand once; got 'd1'. It stands at .*:1"),
        ([{"dialogue": "d1"}], "turns must hold a turn"),
        ([{"dialogue": "d1", "turns": {}}], "turns must be a list"),
        ([{"dialogue": "d1", "turns": [3]}], "turns 1: the record must be an object"),
        ([{"dialogue": "d1", "turns": [{}]}], "turns 1: input must be there"),
        ([turn(targets={})], "a field must be one of .* Did you mean 'target'"),
        ([turn(target=["a"])], "target must be an object"),
        ([turn(acceptable={"dm": "a"})], "acceptable dm must be a list"),
        ([turn(annotations={"s": 3})], "annotations of s must be an object"),
        ([turn(annotations={"target": {"nlu": 1}})], "not be called target"),
        (
            [turn(annotations={"s": {"nlu": 1}}, failed={"s": {"nlu": "x"}})],
            "s must not hold nlu twice",
        ),
        ([turn(confidences={"s": {"nlu": 0.5}})], "confidence of nlu must be of an"),
        (
            [turn(annotations={"s": {"nlu": 1}}, confidences={"s": {"nlu": "high"}})],
            "confidence must be a number",
        ),
        (
            [turn(changes=[{"what": "lost", "why": "x"}])],
            "what .* must be one of removed",
        ),
        ([turn(changes=[{"what": "removed"}])], "why .* must be a text"),
        (['{"dialogue": "d1", "turns": [{"input": 1}'], ":1"),
    ],
)
def test_a_record_that_is_no_dialogue_is_named(records, said):
    with pytest.raises(demur.InputError, match=said) as raised:
        read(*records)
    assert "\n" not in str(raised.value)


# -- annotations from elsewhere --------------------------------------------------------

ROW = {"dialogue": "d1", "turn": 1, "source": "s", "module": "nlu"}


def annotated(*rows, dialogues=None):
    made = dialogues or read({"dialogue": "d1", "turns": [{"input": 1}, {"input": 2}]})
    return demur.with_annotations(
        made, [(f"rows:{n}", row) for n, row in enumerate(rows, 1)]
    )


def test_annotations_join_their_turns():
    [found] = annotated(
        {**ROW, "output": "a", "confidence": 0.5},
        {**ROW, "turn": "2", "output": None},
        {**ROW, "source": "t", "failed": "timeout"},
        {**ROW, "source": "target", "output": "b"},
    )
    first, second = found.turns
    assert first.annotations == {
        "s": {"nlu": "a"},
        "t": {"nlu": demur.Failed("timeout")},
    }
    assert first.confidences == {"s": {"nlu": 0.5}}
    assert first.target == {"nlu": "b"}
    assert second.annotations == {"s": {"nlu": None}}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"dialogue": "d2", "output": 1}, "rows:1: dialogue must be a known one"),
        ({"turn": 3, "output": 1}, "turn must be from 1 to 2"),
        ({"turn": 0, "output": 1}, "turn must be from 1 to 2"),
        ({"turn": "one", "output": 1}, "turn must be from 1 to 2"),
        ({"turn": True, "output": 1}, "turn must be from 1 to 2"),
        ({"source": "", "output": 1}, "source must be a name"),
        ({"module": None, "output": 1}, "module must be a name"),
        ({}, "must have output or failed; got neither"),
        ({"output": 1, "failed": "x"}, "must have output or failed; got both"),
        ({"output": 1, "confidence": "x"}, "confidence must be a number"),
        ({"output": 1, "mdoule": 1}, "a field must be one of"),
    ],
)
def test_annotations_of_unknown_turns_and_other_rows_are_named(row, said):
    refuses(said, annotated, {**ROW, **row})


def test_an_annotation_stands_once():
    with pytest.raises(demur.InputError, match="rows:2: s, nlu must stand once"):
        annotated({**ROW, "output": 1}, {**ROW, "output": 1})
    [found] = annotated({**ROW, "output": 1})
    with pytest.raises(demur.InputError, match="rows:1: s, nlu must stand once"):
        annotated({**ROW, "output": 2}, dialogues=[found])


# -- logs ------------------------------------------------------------------------------


def test_the_text_format():
    text = """
# dialogue first
user: who took it?
~ whq.thief
# a remark
porter: Why should I tell? Well: never.
~ elicit-offer.secrecy
~ refuse

User: hello
~ greet
~ ask.name
user: and nobody answers
"""
    first, second = demur.read_act_text(io.BytesIO(text.encode()))
    assert (first.dialogue, second.dialogue) == ("first", "d2")
    assert first.turns[0].input == "who took it?"
    assert first.turns[0].target == {
        "nlu": "whq.thief",
        "dm": ["elicit-offer.secrecy", "refuse"],
    }
    assert second.turns[0].target == {"nlu": ["greet", "ask.name"], "dm": []}
    assert second.turns[1].target == {"dm": []}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("~ greet\n", "text:1: an act must be below an utterance"),
        ("user: a\n~\n", "text:2: an act must be below"),
        ("porter: hi\n", "text:1: the system must speak after the user"),
        ("user: a\nwhat is this\n", "text:2: a line must begin with a speaker"),
        ("# dialogue d\n\n", "text:1: dialogue d must have a turn"),
        (
            "# dialogue d\nuser: a\n# dialogue d\nuser: b\n",
            "text:3: a dialogue must stand once",
        ),
        ("# nothing\n", "must hold a dialogue"),
    ],
)
def test_lines_of_the_text_that_are_wrong_are_named(text, said):
    with pytest.raises(demur.InputError, match=said):
        demur.read_act_text(io.BytesIO(text.encode()))


def wizard(*rows):
    text = "\n".join(json.dumps({"dialogue": "d", **row}) for row in rows)
    return demur.read_wizard_log(io.BytesIO(text.encode()))


def test_a_wizard_log_says_what_was_changed_and_why():
    [found] = wizard(
        {"speaker": "user", "text": "hi", "acts": "greet"},
        {"speaker": "wizard", "acts": ["greet.back"]},
        {"speaker": "user", "text": "sing!", "change": "removed", "why": "no singing"},
        {"speaker": "wizard", "acts": ["sing"]},
        {"speaker": "user", "text": "mumble", "acts": []},
        {
            "speaker": "wizard",
            "acts": ["request.repeat"],
            "change": "clarification",
            "why": "not supported",
            "was": {"acts": ["guess"]},
        },
        {"speaker": "wizard", "acts": ["joke"], "change": "removed", "why": "no jokes"},
    )
    first, second = found.turns
    assert (first.target, first.changes) == ({"nlu": "greet", "dm": ["greet.back"]}, ())
    assert [each.input for each in found.removed] == ["sing!"]
    assert found.removed[0].changes[0].why == "no singing"
    assert second.target == {"dm": ["request.repeat"]}
    assert [(c.what, c.was) for c in second.changes] == [
        ("clarification", {"acts": ["guess"]}),
        ("removed", {"text": None, "acts": ["joke"]}),
    ]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"speaker": "wizard", "acts": ["a"]}], ":1: the system must speak after"),
        ([{"speaker": "user"}], ":1: text must be there"),
        ([{"speaker": "", "text": "a"}], "speaker must be a name"),
        (
            [{"speaker": "user", "text": "a", "acts": 3}],
            "acts must be an act or a list",
        ),
        (
            [{"speaker": "user", "text": "a", "change": "gone", "why": "x"}],
            "change must be one of removed",
        ),
        ([{"speaker": "user", "text": "a", "change": "removed"}], "why must be a text"),
        ([{"speaker": "user", "text": "a", "why": "x"}], "change must stand with why"),
        (
            [{"speaker": "user", "text": "a", "change": "removed", "why": "x"}],
            "dialogue d must keep a turn",
        ),
    ],
)
def test_rows_of_a_wizard_log_that_are_wrong_are_named(rows, said):
    refuses(said, wizard, *rows)


# -- traces ----------------------------------------------------------------------------


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
    ],
)
def test_what_is_no_trace_is_named(record, said):
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
