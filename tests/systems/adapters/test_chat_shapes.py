"""The three shapes of chat endpoints: what is sent, what is read, and who is asked."""

import json
import sys

import pytest

import demur
from builders import refuses
from chat_cases import (
    DATA,
    REPLIES,
    SHAPES,
    chat,
    completion,
    message,
    response,
)
from demur import Input
from demur.systems.adapters.chat_replies import read_reply
from demur.systems.adapters.json_addresses import EndpointFailed
from demur.systems.adapters.reply_shapes import said_in, token_counts
from local_server import server

TURNS = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Hello"},
    {"role": "assistant", "content": "Hi"},
    {
        "role": "user",
        "content": [{"type": "text", "text": "Why?"}, {"type": "image", "url": DATA}],
    },
]


def asked(shape, question="Why?", answer="Answer: x\nConfidence: 90 %", **options):
    """The response to a question, and what was posted for it."""
    reply = REPLIES[shape](answer)
    with server(lambda *_: (200, {}, reply)) as (url, posted):
        [answer] = chat(url, shape, **options).respond([Input("q1", question)])
    return answer, posted[0]


# -- what is sent ----------------------------------------------------------------------


def test_chat_completions_are_asked_with_messages():
    _, sent = asked("chat/completions", TURNS)
    assert [*sent] == ["model", "messages"]
    roles = [turn["role"] for turn in sent["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    first, image = sent["messages"][-1]["content"]
    assert first["type"] == "text"
    assert first["text"].endswith("Question: Why?")
    assert image == {"type": "image_url", "image_url": {"url": DATA}}


def test_responses_are_asked_with_an_input_that_nobody_stores():
    _, sent = asked("responses", TURNS)
    assert sent["store"] is False
    assert [turn["role"] for turn in sent["input"]] == [
        *("system", "user", "assistant", "user")
    ]
    assert sent["input"][1]["content"] == "Hello"
    first, image = sent["input"][-1]["content"]
    assert first["type"] == "input_text"
    assert image == {"type": "input_image", "image_url": DATA}


def test_messages_are_asked_with_the_system_beside_them():
    _, sent = asked("messages", TURNS)
    assert sent["system"] == "Be brief."
    assert sent["max_tokens"] == 4096
    assert [turn["role"] for turn in sent["messages"]] == ["user", "assistant", "user"]
    image = sent["messages"][-1]["content"][1]
    data = DATA.partition(",")[2]
    source = {"type": "base64", "media_type": "image/png", "data": data}
    assert image == {"type": "image", "source": source}
    _, sent = asked("messages", parameters={"max_tokens": 9})
    assert sent["max_tokens"] == 9
    assert "system" not in sent


def test_keys_go_where_each_shape_has_them(monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-secret")
    seen = []

    def answer(_payload, _number, headers):
        seen.append({name.lower(): value for name, value in headers.items()})
        return 200, {}, completion("Answer: x")

    with server(answer) as (url, _):
        for shape in SHAPES:
            chat(url, shape, key_env="MY_KEY").respond([Input("q1", "?")])
    assert [headers.get("authorization") for headers in seen] == [
        *("Bearer sk-secret", "Bearer sk-secret", None)
    ]
    assert seen[2]["x-api-key"] == "sk-secret"
    assert seen[2]["anthropic-version"] == "2023-06-01"
    assert "anthropic-version" not in seen[0]


def test_services_have_a_variable_for_their_key(monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    name = "chat:m@https://api.anthropic.com/v1/messages"
    refuses("Set ANTHROPIC_API_KEY", demur.as_system, name)


def test_log_probabilities_are_asked_for_where_there_are_any():
    tokens = [{"token": "Answer: ", "logprob": -9}, {"token": "x", "logprob": -0.5}]
    reply = response("Answer: x")
    reply["output"][1]["content"][0]["logprobs"] = tokens
    with server(lambda *_: (200, {}, reply)) as (url, posted):
        system = chat(url, "responses", confidence="mean_logprob")
        [answer] = system.respond([Input("q1", "?")])
    assert answer.confidence == -0.5
    assert posted[-1]["include"] == ["message.output_text.logprobs"]
    name = "chat:m@http://127.0.0.1:1/messages"
    words = "messages, which has none. verbalised"
    refuses(words, demur.as_system, name, confidence="mean_logprob")


@pytest.mark.parametrize(
    ("shape", "name"),
    [("responses", "input"), ("messages", "system"), ("messages", "stream")],
)
def test_what_demur_sends_is_not_set_by_users(shape, name):
    url = f"chat:m@http://127.0.0.1:1/{shape}"
    refuses(f"leave model.*got {name}", demur.as_system, url, parameters={name: 1})


# -- what is read ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("payload", "kind"),
    [
        (message("Answer: x"), None),
        (message("Answer: x", "stop_sequence"), None),
        (message("Answer: x", "max_tokens"), "truncated"),
        (message("One.\nTwo.", "max_tokens"), "truncated"),
        (message("", "refusal"), "refusal"),
        (message("Answer: I don't know"), "idk"),
        (response("Answer: x"), None),
        (response("", incomplete_details={"reason": "max_output_tokens"}), "truncated"),
        (response("", incomplete_details={"reason": "content_filter"}), "filter"),
    ],
)
def test_why_there_is_no_answer_in_each_shape(payload, kind):
    reply = read_reply(payload)
    assert (reply.kind, reply.answer) == (kind, None if kind else "x")


@pytest.mark.parametrize(
    ("finish", "kind"),
    [("refusal", "refusal"), ("safety", "filter"), ("SAFETY", "filter"), (7, None)],
)
def test_other_ends_of_chat_completions(finish, kind):
    payload = completion("Answer: x")
    payload["choices"][0]["finish_reason"] = finish
    assert read_reply(payload).kind == kind


def test_content_in_parts_is_read_without_thoughts():
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "Answer: no"}]},
        {"type": "text", "text": "Answer: "},
        {"type": "text", "text": "Oslo"},
    ]
    assert read_reply(completion(parts)).answer == "Oslo"
    assert read_reply(completion([{"type": "refusal", "refusal": "No."}])).kind == (
        "refusal"
    )


@pytest.mark.parametrize(
    ("status", "options", "hint"),
    [
        (401, {}, "no'. No key was sent: --key-env NAME names the environment variable "
         "that holds it."),
        (401, {"headers": {"api-key": "wrong-key"}}, "no'"),
        (404, {}, "no'. See whether the model is known there, and how the address "
         "ends: mostly /v1, /responses or /messages."),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_refused_with_what_to_type(status, options, hint):
    with server(lambda *_: (status, {}, {"error": "no"})) as (url, _):
        system = demur.as_system(f"chat:m@{url}", **options)
        with pytest.raises(demur.RunError) as caught:
            system.respond([Input("q", "x")])
    assert str(caught.value).endswith(f"status {status}: '{hint}")


def test_an_error_in_place_of_an_answer_is_said():
    message = "Provider returned error. It is overloaded; wait a while, and ask again."
    with pytest.raises(EndpointFailed) as caught:
        said_in({"error": {"message": message, "code": "overloaded"}})
    assert str(caught.value) == f"no chat completion: {message!r}"
    assert caught.value.code == "overloaded"


def test_a_response_that_failed_has_failed():
    payload = response("", "failed", error={"message": "out of order"})
    with pytest.raises(EndpointFailed, match="out of order"):
        read_reply(payload)


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        (
            {
                "prompt_tokens": 40,
                "completion_tokens": 8,
                "prompt_tokens_details": {"cached_tokens": 30},
            },
            (40, 8, 30),
        ),
        (
            {
                "input_tokens": 40,
                "output_tokens": 8,
                "input_tokens_details": {"cached_tokens": 30},
            },
            (40, 8, 30),
        ),
        (
            {
                "input_tokens": 4,
                "output_tokens": 8,
                "cache_read_input_tokens": 30,
                "cache_creation_input_tokens": 6,
            },
            (40, 8, 30),
        ),
        ({"input_tokens": 4, "output_tokens": "8"}, (4, None, None)),
        ("many", (None, None, None)),
    ],
)
def test_tokens_are_counted_alike(usage, counts):
    found = token_counts({"usage": usage})
    names = ("prompt_tokens", "completion_tokens", "cached_tokens")
    assert tuple(found.get(name) for name in names) == counts


# -- thoughts before the answer --------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "finish", "answer", "kind"),
    [
        ("It is cold.\n\nAnswer: Oslo", "stop", "Oslo", None),
        ("<answer>Oslo</answer>", "stop", "Oslo", None),
        ('{"answer": "Oslo"}', "stop", "Oslo", None),
        ("It is Oslo.", "stop", None, "format"),
        ("Sorry, I can't help with that.", "stop", None, "idk"),
        ("Answer: Bergen\n\nBut wait", "length", None, "truncated"),
        ("One.\nTwo", "length", None, "truncated"),
        ("Hm.\nAnswer: I don't know", "stop", None, "idk"),
    ],
)
def test_among_thoughts_only_what_is_marked_is_an_answer(text, finish, answer, kind):
    payload = completion(text)
    payload["choices"][0]["finish_reason"] = finish
    reply = read_reply(payload, thinks=True)
    assert (reply.answer, reply.kind) == (answer, kind)


def test_a_model_is_asked_to_think_and_its_answer_is_read():
    answer, sent = asked("responses", answer="It is Oslo.", think=True)
    assert (answer.response, answer.kind) == (None, "format")
    told = sent["input"][0]["content"]
    assert "Think step by step first." in told
    assert "without anything else" not in told
    assert "Answer: <a short answer>\nConfidence:" in told
    assert str(chat("http://x", think=True)) != str(chat("http://x"))


# -- calls of tools --------------------------------------------------------------------


def calling(shape, *names):
    """A reply that calls these tools."""
    if shape == "messages":
        blocks = [
            {"type": "tool_use", "id": "t", "name": name, "input": {"city": "Oslo"}}
            for name in names
        ]
        return {**message(""), "content": blocks, "stop_reason": "tool_use"}
    if shape == "responses":
        calls = [
            {"type": "function_call", "name": name, "arguments": '{"city": "Oslo"}'}
            for name in names
        ]
        return {**response(""), "output": calls}
    payload = completion(None)
    payload["choices"][0]["finish_reason"] = "tool_calls"
    payload["choices"][0]["message"]["tool_calls"] = [
        {"function": {"name": name, "arguments": '{"city": "Oslo"}'}} for name in names
    ]
    return payload


@pytest.mark.parametrize("shape", SHAPES)
def test_a_call_of_a_tool_is_the_response(shape):
    with server(lambda *_: (200, {}, calling(shape, "weather"))) as (url, posted):
        tools = {"tools": [{"name": "weather"}]}
        [answer] = chat(url, shape, parameters=tools).respond([Input("q1", "?")])
    assert posted[0]["tools"] == tools["tools"]
    call = {"name": "weather", "arguments": {"city": "Oslo"}}
    assert json.loads(answer.response) == call
    assert (answer.kind, answer.declined, answer.confidence) == (None, False, None)
    several = said_in(calling(shape, "weather", "time")).call
    assert [each["name"] for each in json.loads(several)] == ["weather", "time"]
    # In a log a call is no answer: another reply came after it.
    assert read_reply(calling(shape, "weather")).answer is None


def test_arguments_that_are_no_json_stay_as_they_are():
    payload = calling("responses", "weather")
    payload["output"][0]["arguments"] = "{bad"
    assert json.loads(said_in(payload).call)["arguments"] == "{bad"


# -- all adapters ----------------------------------------------------------------------

QUESTIONS = [Input(f"q{k}", f"What is {k}?") for k in range(10)]
ANSWERS = {
    question.input: (None, None) if k in (3, 7) else (f"a{k}", k / 10)
    for k, question in enumerate(QUESTIONS)
}
PROGRAM = """
import json, sys
answers = json.loads(sys.argv[1])
for line in sys.stdin:
    asked = json.loads(line)
    guess, sure = answers[asked["input"]]
    named = {"item": asked["item"], "response": guess, "confidence": sure}
    print(json.dumps({**named, "declined": guess is None}), flush=True)
"""


def told(guess, sure):
    if guess is None:
        return {"response": None, "declined": True}
    return {"response": guess, "confidence": sure, "declined": False}


def replied(payload, *_):
    if "inputs" in payload:
        asked = payload["inputs"]
        listed = [{"item": q["item"], **told(*ANSWERS[q["input"]])} for q in asked]
        return 200, {}, {"responses": listed}
    shape = "chat/completions" if "max_tokens" not in payload else "messages"
    turns = payload.get("messages")
    if turns is None:
        shape, turns = "responses", payload["input"]
    guess, sure = ANSWERS[turns[-1]["content"].rpartition("Question: ")[2]]
    text = f"Answer: {guess}\nConfidence: {100 * (sure or 0):.0f} %"
    return 200, {}, REPLIES[shape]("Answer: I don't know" if guess is None else text)


def test_the_same_questions_have_the_same_answers_through_all_adapters(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    command = [sys.executable, str(program), json.dumps(ANSWERS)]
    with server(replied) as (url, posted):
        systems = [
            demur.as_system(lambda text: told(*ANSWERS[text])),
            demur.as_system(f"cmd:{' '.join(map(repr, command))}"),
            demur.as_system(url),
            *(chat(url, shape) for shape in SHAPES),
        ]
        runs = [demur.run(system, QUESTIONS, batch=5) for system in systems]
    assert len(posted) == 2 + 3 * len(QUESTIONS)
    answers = [
        [
            (one.item, one.response, one.confidence, one.declined, one.failed)
            for one in run
        ]
        for run in runs
    ]
    assert [response for _, response, *_ in answers[0]] == [
        guess for guess, _ in ANSWERS.values()
    ]
    for other in answers[1:]:
        assert other == answers[0]
