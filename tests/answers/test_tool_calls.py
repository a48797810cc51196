"""Calls of tools, in the wrappers in which models and services give them."""

import json

import pytest

import demur
from demur.answers import read_all, tool_call, verdict

ASKED = {"name": "book", "arguments": {"seats": 2, "date": "2026-05-01"}}
ARGUMENTS = '{"seats": 2, "date": "2026-05-01"}'
CALL = json.dumps(ASKED)
OF_API = {"type": "function", "function": {"name": "book", "arguments": ARGUMENTS}}


def outcome(response, *asked):
    same = tool_call()
    read = read_all(same, [(list(asked) or [ASKED], 1)])
    found = verdict(same, response, read)
    return found.credit, found.reason


@pytest.mark.parametrize(
    "response",
    [
        f"<tool_call>\n{CALL}\n</tool_call>",
        f"I will.\n<tool_call>{CALL}</tool_call>",
        f"<tool_calls>[{CALL}]</tool_calls>",
        f"<TOOLCALL>[{CALL}]</TOOLCALL>",
        f"<|tool_call|>[{CALL}]<|/tool_call|>",
        f"<function_call>{CALL}</function_call>",
        f"<functioncall> {CALL}",
        f"[TOOL_CALLS] [{CALL}]",
        f"<|python_tag|>{CALL}<|eom_id|>",
        f"functools[{CALL}]",
        f"<function=book>{ARGUMENTS}</function>",
        f"Sure: <function=book>{ARGUMENTS}</function><|eot_id|>",
        "<function=book>\n<parameter=seats>\n2\n</parameter>\n<parameter=date>\n"
        "2026-05-01\n</parameter>\n</function>",
        "<tool_call>\n<function=book>\n<parameter=seats>2</parameter>\n"
        "<parameter=date>2026-05-01</parameter>\n</function>\n</tool_call>",
        f"```json\n{CALL}\n```",
        f"I will book that.\n```json\n{CALL}\n```\nAnything else?",
        "```python\nbook(seats=2, date='2026-05-01')\n```",
        "```tool_code\nbook(seats=2, date='2026-05-01')\n```",
        OF_API,
        json.dumps(OF_API),
        [OF_API],
        json.dumps([{"id": "c1", **OF_API}]),
        {"tool_calls": [OF_API]},
        json.dumps({"role": "assistant", "content": None, "tool_calls": [OF_API]}),
        {"function_call": {"name": "book", "arguments": ARGUMENTS}},
        {"type": "function_call", "name": "book", "arguments": ARGUMENTS},
        {"type": "tool_use", "id": "t", "name": "book", "input": ASKED["arguments"]},
        f"<|channel|>commentary to=functions.book <|constrain|>json<|message|>"
        f"{ARGUMENTS}<|call|>",
        f"<|channel|>analysis<|message|>Two?<|end|><|start|>assistant<|channel|>"
        f"commentary to=functions.book <|constrain|>json<|message|>{ARGUMENTS}<|call|>",
        f"<|channel|>analysis<|message|>Two?<|end|><|start|>assistant "
        f"to=functions.book<|channel|>commentary json<|message|>{ARGUMENTS}<|call|>",
        f"<|start|>assistant to=functions.book<|channel|>commentary"
        f"<|message|>{ARGUMENTS}",
        f"[TOOL_CALLS]book[ARGS]{ARGUMENTS}",
        f"I will.[TOOL_CALLS]book[CALL_ID]a1b2c3d4e[ARGS]{ARGUMENTS}</s>",
        "<tool_call>book\n<arg_key>seats</arg_key>\n<arg_value>2</arg_value>\n"
        "<arg_key>date</arg_key>\n<arg_value>2026-05-01</arg_value>\n</tool_call>",
        f"<|tool_calls_section_begin|><|tool_call_begin|>functions.book:0"
        f"<|tool_call_argument_begin|>{ARGUMENTS}<|tool_call_end|>"
        f"<|tool_calls_section_end|>",
        f"<\uff5ctool\u2581calls\u2581begin\uff5c><\uff5ctool\u2581call\u2581begin\uff5c>"
        f"function<\uff5ctool\u2581sep\uff5c>book\n```json\n{ARGUMENTS}\n```"
        f"<\uff5ctool\u2581call\u2581end\uff5c><\uff5ctool\u2581calls\u2581end\uff5c>",
        f"<\uff5ctool\u2581call\u2581begin\uff5c>book<\uff5ctool\u2581sep\uff5c>"
        f"{ARGUMENTS}<\uff5ctool\u2581call\u2581end\uff5c>",
        '<function_calls>\n<invoke name="book">\n<parameter name="seats">2</parameter>'
        '\n<parameter name="date">2026-05-01</parameter>\n</invoke>\n</function_calls>',
        f"functions.book({ARGUMENTS[1:-1]})".replace('"seats": ', "seats=").replace(
            '"date": ', "date="
        ),
        {"functionCall": {"name": "book", "args": ASKED["arguments"]}},
        {
            "candidates": [
                {
                    "content": {
                        "parts": [
                            {"text": "I will."},
                            {
                                "functionCall": {
                                    "name": "book",
                                    "args": {**ASKED["arguments"]},
                                }
                            },
                        ],
                        "role": "model",
                    }
                }
            ]
        },
    ],
)
def test_a_call_is_read_in_its_wrapper(response):
    assert outcome(response) == (1.0, "equal")


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        (f"<tool_call>{CALL}</tool_call>" * 2, "2 calls instead of 1"),
        (f"<function=book>{ARGUMENTS}</function>" * 2, "2 calls instead of 1"),
        ('<function=book>{"seats": 3}</function>', "the argument 'seats' is 3"),
        ("<function=book></function>", "without the argument 'seats'"),
        ("<function=look></function>", "calls 'look' instead of 'book'"),
        ("<function=book>two seats</function>", "no tool call"),
        ("<function=book>[2]</function>", "no tool call"),
        ("<function=book><parameter=seats>2", "no tool call"),
        (f"<tool_call>{CALL}</tool_call><tool_call>?</tool_call>", "no tool call"),
        ("```json\n[1]\n```", "no tool call"),
        (f"I could say {CALL}", "no tool call"),
        ("I booked two seats.", "no tool call"),
        (
            f"<|channel|>commentary to=functions.book<|message|>{ARGUMENTS}<|call|>"
            * 2,
            "2 calls instead of 1",
        ),
        ("<|channel|>commentary to=functions.book<|message|>{", "no tool call"),
        ("<|channel|>analysis<|message|>call to=functions.book", "no tool call"),
        (f"[TOOL_CALLS]book[ARGS]{ARGUMENTS}" * 2, "2 calls instead of 1"),
        ("<tool_call>book<arg_key>seats</arg_key>2</tool_call>", "no tool call"),
        ('<invoke name="look"></invoke>', "calls 'look' instead of 'book'"),
        ({"candidates": []}, "no tool call"),
        ({"candidates": [{"content": {"parts": [{"text": "x"}]}}]}, "no tool call"),
    ],
)
def test_what_is_wrong_in_a_wrapper_is_wrong(response, reason):
    found = outcome(response)
    assert found[0] == 0
    assert reason in found[1]


def message(content, **others):
    return {"role": "assistant", "content": content, "tool_calls": None, **others}


def whole(message):
    return {"id": "r", "choices": [{"index": 0, "message": message}], "usage": {}}


@pytest.mark.parametrize("wrapped", [lambda it: it, whole])
@pytest.mark.parametrize("written", [lambda it: it, json.dumps])
def test_a_message_is_what_it_calls_or_says(wrapped, written):
    def found(said, *asked):
        return outcome(written(wrapped(said)), *asked)

    for right in (
        message(None, tool_calls=[OF_API]),
        message("I will.", tool_calls=[OF_API]),
        message(f"I will.\n<tool_call>{CALL}</tool_call>"),
        message(f"```json\n{CALL}\n```", refusal=None),
        message([{"type": "text", "text": CALL}]),
        message(CALL, tool_calls=[]),
        {"role": "assistant", "content": CALL},
        message(None, tool_calls=[OF_API], refusal="No."),
    ):
        assert found(right) == (1.0, "equal")
    for wrong in (
        message("Two seats."),
        message(None, refusal="No."),
        message(None, refusal={}),
    ):
        assert found(wrong) == (0.0, "no tool call")


@pytest.mark.parametrize("wrapped", [lambda it: it, whole])
@pytest.mark.parametrize("written", [lambda it: it, json.dumps])
def test_a_message_that_refuses_is_a_refusal(wrapped, written):
    said = {
        "a": message("I'm sorry, but I cannot help with that."),
        "b": message(None, refusal="We keep no such books here."),
        "c": message("Two seats.", refusal=None),
        "d": message(None, tool_calls=[OF_API], refusal="No."),
    }
    outcomes = demur.judge(
        [{"item": it, "response": written(wrapped(said[it]))} for it in said],
        [{"item": it, "reference": [ASKED]} for it in said],
        by="tool_call",
        no_answer="refusals",
    )
    assert outcomes.outcome.tolist() == ["unanswered", "unanswered", "wrong", "right"]
    assert any("sorry, but I cannot help" in note for note in outcomes.notes)


def test_parameters_in_tags_are_json_or_texts():
    response = (
        "<function=set><parameter=on>true</parameter><parameter=name>a b</parameter>"
        '<parameter=tags>["x"]</parameter></function>'
    )
    asked = {"name": "set", "arguments": {"on": True, "name": "a b", "tags": ["x"]}}
    assert outcome(response, asked) == (1.0, "equal")


def test_several_wrappers_are_several_calls():
    other = {"name": "look", "arguments": {}}
    response = f"<function=look>{{}}</function>\n<function=book>{ARGUMENTS}</function>"
    assert outcome(response, ASKED, other) == (1.0, "equal")
    assert outcome(f"```json\n{json.dumps([other, ASKED])}\n```", ASKED, other)[0] == 1
    lines = f"```json\n{json.dumps(other)}\n{CALL}\n```"
    assert outcome(lines, ASKED, other) == (1.0, "equal")


def test_long_wrappers_end():
    for piece in (
        "<function=a>",
        "<tool_call>",
        "<parameter=a>",
        "```\n",
        "functools[",
        "to=a<|channel|>commentary",
        "to=a<|message|>",
        "[TOOL_CALLS]a[ARGS]",
        "<|tool_call_begin|>a<|tool_call_argument_begin|>",
        "<\uff5ctool\u2581call\u2581begin\uff5c>a```json",
        "<arg_key>a</arg_key><arg_value>",
        "<invoke name=a>",
    ):
        assert outcome(piece * 20_000)[0] == 0


def call_of(**arguments):
    return {"name": "f", "arguments": arguments}


@pytest.mark.parametrize(
    "inside", [lambda it: it, lambda it: [it], lambda it: {"a": it}]
)
def test_an_integer_does_for_a_real_at_every_depth_and_not_the_other_way(inside):
    assert outcome(call_of(x=inside(3)), call_of(x=inside(3.0)))[0] == 1
    assert outcome(call_of(x=inside(3.0)), call_of(x=inside(3)))[0] == 0
    assert outcome(call_of(x=inside([3.0])), call_of(x=inside([3])))[0] == 0


@pytest.mark.parametrize(
    "response",
    [
        '{"name": "f", "arguments": {"x": 4, "x": 3}}',
        '{"name": "f", "arguments": "{\\"x\\": 4, \\"x\\": 3}"}',
        '<function=f>{"x": 4, "x": 3}</function>',
        "<function=f><parameter=x>4</parameter><parameter=x>3</parameter></function>",
        "f(x=4, x=3)",
        "[f(x=4, x=3)]",
        "f(x={'a': 4, 'a': 3})",
    ],
)
def test_an_argument_that_is_given_twice_makes_no_call(response):
    assert outcome(response, call_of(x=3)) == (0.0, "gives an argument twice")


@pytest.mark.parametrize(
    ("given", "asked"),
    [("-5", "5"), ("1.5", "15"), (".5", "5"), ("at -5", "at 5"), ("1e400", "1e500")],
)
def test_signs_and_points_of_numbers_count_in_texts(given, asked):
    assert outcome(call_of(x=given), call_of(x=asked))[0] == 0
    assert outcome(call_of(x=given), call_of(x=given))[0] == 1


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ("2026-05-01", "2026/05/01"),
        ("well-known", "well known"),
        ("U.S.", "US"),
        ("No. 5", "No 5"),
        ("A - 5", "A5"),
    ],
)
def test_other_signs_do_not_count_in_texts(given, asked):
    assert outcome(call_of(x=given), call_of(x=asked))[0] == 1


def test_numbers_beyond_a_float_are_told_apart():
    response = '{"name": "f", "arguments": {"x": 1e400}}'
    assert outcome(response, json.loads(response.replace("400", "300")))[0] == 0
    asked = [{"name": "f", "arguments": '{"x": 1e500}'}]
    assert outcome(response, *asked)[0] == 0
    assert outcome(response.replace("400", "500"), *asked)[0] == 1
    small = response.replace("1e400", "1e-400")
    assert outcome(small, call_of(x=0.0))[0] == 0
    assert outcome(response.replace("400", "999999999"), call_of(x=3))[0] == 0


def test_the_output_of_a_response_is_its_calls():
    call = {"type": "function_call", "name": "book", "arguments": ARGUMENTS, "id": "f"}
    beside = [{"type": "reasoning", "summary": []}, {"type": "message", "content": []}]
    for value in ([*beside, call], {"output": [*beside, call], "status": "completed"}):
        assert outcome(value) == outcome(json.dumps(value)) == (1.0, "equal")
    assert outcome(beside) == (0.0, "no tool call")


def test_calls_within_thoughts_are_drafts():
    draft = CALL.replace("2", "3")
    assert outcome(f"<think><tool_call>{draft}</tool_call></think>{CALL}")[0] == 1
    assert outcome(f"<think><tool_call>{CALL}</tool_call>") == (0.0, "no tool call")


@pytest.mark.parametrize(
    "response",
    [
        "f(x=3)  # it's done",
        "# first\nf(x=3)",
        "print(f(x=3))",
        "```tool_code\nprint(default_api.f(x=3))\n```",
    ],
)
def test_what_python_has_about_a_call_is_passed_over(response):
    assert outcome(response, call_of(x=3)) == (1.0, "equal")


def test_several_calls_may_have_remarks():
    two = call_of(x=3), call_of(x=4)
    assert outcome("f(x=3)  # one\nf(x=4)  # two", *two) == (1.0, "equal")
    assert outcome("[f(x=3),\n f(x=4)]  # two", *two) == (1.0, "equal")


def test_names_of_json_in_python_are_its_values():
    assert outcome("f(x=[true, null])", call_of(x=[True, None])) == (1.0, "equal")
    assert outcome("f(x=false)", call_of(x="false"))[0] == 0
    assert outcome("f(x=yes)", call_of(x="yes")) == (0.0, "no tool call")


def test_arguments_beside_a_name_make_no_call():
    for asked in ({"function": "f", "x": 3}, {"name": "f", "x": 3}):
        assert outcome("f(x=3)", asked) == (0.0, "the reference is no tool call")
    assert outcome("f()", {"type": "function", "name": "f"}) == (1.0, "equal")


USE = {"type": "tool_use", "id": "t", "name": "book", "input": ASKED["arguments"]}
SAID = {"type": "text", "text": "I will."}


@pytest.mark.parametrize("steps", [None, "fence", "json"])
@pytest.mark.parametrize("written", [lambda it: it, json.dumps])
@pytest.mark.parametrize(
    "response",
    [
        [USE],
        [SAID, USE],
        {"role": "assistant", "content": [USE]},
        {"content": [SAID, USE], "stop_reason": "tool_use"},
        [{"type": "function_call", "name": "book", "arguments": ARGUMENTS}],
        [OF_API],
    ],
)
def test_parts_that_call_are_calls_with_and_without_steps(response, written, steps):
    outcomes = demur.judge(
        [{"item": "a", "response": written(response)}],
        [{"item": "a", "reference": [ASKED]}],
        by="tool_call",
        extract=steps,
        no_answer="refusals",
    )
    assert outcomes.outcome.tolist() == ["right"], outcomes.reason


@pytest.mark.parametrize("steps", [None, "fence"])
def test_a_call_behind_thoughts_in_channels_is_read(steps):
    head = "<|channel|>analysis<|message|>Two?<|end|><|start|>assistant"
    call = f"{head}<|channel|>commentary to=functions.book json<|message|>{ARGUMENTS}"
    outcomes = demur.judge(
        [{"item": "a", "response": f"{call}<|call|>"}],
        [{"item": "a", "reference": [ASKED]}],
        by="tool_call",
        extract=steps,
    )
    assert outcomes.outcome.tolist() == ["right"]


@pytest.mark.parametrize(
    ("given", "asked", "options", "is_named"),
    [
        ("1/2", "12", "", True),
        ("a.b@c.d", "ab@c.d", "", True),
        ("x-1", "x1", "", True),
        ("-", "", "", True),
        ("Oslo", "oslo", "", False),
        ("1/2", "12", "(normalise=squad)", False),
    ],
)
def test_what_is_right_only_without_signs_is_counted(given, asked, options, is_named):
    outcomes = demur.judge(
        [{"item": "a", "response": call_of(x=given)}],
        [{"item": "a", "reference": [call_of(x=asked)]}],
        by=f"tool_call{options}",
    )
    assert outcomes.outcome.tolist() == ["right"]
    named = [note for note in outcomes.notes if "as BFCL does" in note]
    assert len(named) == is_named, outcomes.notes
    assert all("1 right answer only because" in note for note in named)
