"""How inputs become turns: chats, templates, examples, images, and what is refused."""

import json

import pytest

import demur
from builders import printed, refuses, stderr_of, write_records
from chat_cases import DATA, PNG, chat, completion
from demur import Input, InputError
from demur.systems.adapters.chat_images import LARGEST_IMAGE, image_of
from demur.systems.adapters.chat_prompts import Prompt
from local_server import server

TEMPLATE = "{context}\n\n{question}\n{choices}"
FIELDS = {
    "question": "Which is a capital?",
    "choices": ["Bergen", "Oslo"],
    "context": ["Norway is a country.", "It has one capital."],
}
FILLED = (
    "Norway is a country.\nIt has one capital.\n\nWhich is a capital?\n"
    "A. Bergen\nB. Oslo"
)


def turns(value, **options):
    return Prompt("Do.", **options).turns(Input("q1", value))


def texts(value, **options):
    return [(turn.role, turn.text) for turn in turns(value, **options)]


# -- texts, turns, fields --------------------------------------------------------------


def test_a_text_is_a_question():
    assert texts("Why?") == [("user", "Do.\n\nQuestion: Why?")]
    assert texts(7) == [("user", "Do.\n\nQuestion: 7")]


def test_turns_are_sent_as_turns_and_the_last_is_the_question():
    given = [
        {"role": "developer", "content": "Be kind."},
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hi"},
        {"role": "user", "content": [{"type": "text", "text": "Why?"}]},
    ]
    assert texts(given) == [
        ("system", "Be kind."),
        ("user", "Hello"),
        ("assistant", "Hi"),
        ("user", "Do.\n\nQuestion: Why?"),
    ]


def test_an_object_fills_a_template():
    assert texts(FIELDS, template=TEMPLATE) == [("user", f"Do.\n\n{FILLED}")]
    many = {"choices": [f"c{k}" for k in range(27)]}
    assert texts(many, template="{choices}")[0][1].endswith("27. c26")
    assert texts("Why?", template="Q {question} {{x}}")[0][1] == "Do.\n\nQ Why? {x}"
    sly = {"question": "{context}", "context": "no"}
    assert texts(sly, template="{question}")[0][1].endswith("{context}")


def test_the_system_role_comes_first_and_examples_before_the_question():
    examples = [
        {"input": "One?", "response": "1"},
        {"input": "Two?", "response": None},
    ]
    assert texts("Three?", system_role="Be brief.\n", examples=examples) == [
        ("system", "Be brief."),
        ("user", "Do.\n\nQuestion: One?"),
        ("assistant", "Answer: 1"),
        ("user", "Question: Two?"),
        ("assistant", "Answer: I don't know"),
        ("user", "Question: Three?"),
    ]


def test_examples_state_a_confidence_where_replies_do():
    sure = [{"input": "One?", "response": "1", "confidence": 0.9}]
    said = texts("Two?", examples=sure, states_confidence=True)
    assert said[1] == ("assistant", "Answer: 1\nConfidence: 90 %")
    assert texts("Two?", examples=sure)[1] == ("assistant", "Answer: 1")


def test_examples_may_reason_before_their_answer():
    shown = [{"input": "One?", "response": None, "reasoning": "One is one.\n"}]
    said = texts("Two?", examples=shown)
    assert said[1] == ("assistant", "One is one.\n\nAnswer: I don't know")


def test_all_that_the_model_is_told_stands_in_the_signature():
    told = [
        {},
        {"system_role": "x"},
        {"template": "{question}"},
        {"examples": [{"input": "a", "response": "b"}]},
        {"examples": [{"input": "a", "response": "c"}]},
    ]
    assert len({Prompt("Do.", **options).digest for options in told}) == len(told)


# -- images ----------------------------------------------------------------------------


def test_images_are_read_from_files_and_data_urls(tmp_path):
    path = tmp_path / "a.png"
    path.write_bytes(PNG)
    parts = [
        {"type": "text", "text": "What is this?"},
        {"type": "image", "path": str(path)},
        {"type": "image", "url": DATA},
        {"type": "image_url", "image_url": {"url": DATA}},
    ]
    [turn] = turns(parts)
    assert turn.text == "Do.\n\nQuestion: What is this?"
    assert [image.url for image in turn.content[1:]] == [DATA] * 3
    [turn] = turns(parts[1:])
    assert turn.content[0] == "Do.\n\nQuestion:"
    for mark, kind in (
        (b"\xff\xd8\xff", "jpeg"),
        (b"GIF89a", "gif"),
        (b"RIFF0000WEBP", "webp"),
    ):
        path.write_bytes(mark + PNG)
        assert image_of(parts[1], "a").kind == f"image/{kind}"


def test_a_field_of_a_template_may_be_an_image(tmp_path):
    path = tmp_path / "a.png"
    path.write_bytes(PNG)
    picture, note = {"type": "image", "path": str(path)}, {"type": "text", "text": "!"}
    fields = {"question": "What?", "picture": picture, "more": [note, picture]}
    [turn] = turns(fields, template="See {picture}\n{question}{more}")
    image = image_of(picture, "a")
    assert turn.content == ("Do.\n\nSee ", image, "\nWhat?!", image)
    [turn] = turns(fields, template="{picture}{question}")
    assert turn.content == ("Do.\n\n", image, "What?")
    [turn] = turns({"question": "", "picture": picture}, template="{question}{picture}")
    assert turn.content == ("Do.\n\n", image)
    shots = [{"input": fields, "response": "x"}]
    shot, _, _ = turns(fields | {"question": "?"}, template="{picture}", examples=shots)
    assert shot.content == ("Do.\n\n", image)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"path": "absent.png"}, "be a file"),
        ({"path": "/dev/zero"}, "be a file"),
        ({"path": "a\0b"}, "be a file"),
        ({"path": "text.png"}, "be a PNG, JPEG, GIF or WebP"),
        ({"path": "large.png"}, "at most 20 MiB"),
        ({"url": "https://example.org/a.png"}, "data:image/png;base64"),
        ({"url": "data:image/png;base64,@@@"}, "data:image/png;base64"),
        ({}, "have a path, or a url"),
    ],
)
def test_what_is_no_image_is_refused_with_its_item(part, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.png").write_text("a text")
    with (tmp_path / "large.png").open("wb") as file:
        file.write(PNG)
        file.truncate(LARGEST_IMAGE + 1)
    refuses(f"item 'q1': an image.*{words}", turns, [{"type": "image", **part}])


# -- what is refused -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"question": "x"}, "have a template for its fields"),
        ([1, 2], "have parts such as"),
        ([], "An input is a text"),
        ("", "be a question; got ''. Leave the item out"),
        (" \n", "be a question"),
        (True, "An input is a text"),
        (None, "An input is a text"),
        ([{"role": "user"}], "have a text or parts"),
        ([{"role": "tool", "content": "x"}], "role of a turn"),
        ([{"role": "assistant", "content": "x"}], "end with a turn of the user"),
        ([{"role": "user", "content": [{"type": "audio"}]}], "parts such as"),
        (
            [{"role": role, "content": "x"} for role in ("user", "system", "user")],
            "only at its beginning",
        ),
    ],
)
def test_what_cannot_be_asked_is_refused_with_its_item(value, words):
    refuses(f"item 'q1'.*{words}", turns, value)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"question": "x"}, "the field choices of the template; got question"),
        (
            {"question": "x", "choices": {"A": 1}},
            "the field choices: .*have parts such",
        ),
        (
            {"question": "x", "choices": {"type": "image", "path": "none.png"}},
            "the field choices: an image must be a file",
        ),
        ({"question": "x", "choices": ["a", {"type": "image"}]}, "the field choices: "),
        ({"question": "x", "choices": True}, "be a text, a list of texts or an image"),
        ({"question": "x", "choices": []}, "be a text, a list of texts or an image"),
        ("x", "the field choices"),
    ],
)
def test_what_does_not_fill_the_template_is_refused_with_its_item(value, words):
    refuses(f"item 'q1'.*{words}", turns, value, template="{question} {choices}")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"template": "{question"}, "closed braces"),
        ({"template": "{question.x}"}, "simple names"),
        ({"template": "{question!r}"}, "simple names"),
        ({"template": "{}"}, "simple names"),
        ({"template": "x"}, "hold a field"),
        ({"examples": ["x"]}, "have input and response"),
        ({"examples": [{"input": "x"}]}, "have input and response"),
        ({"examples": [{"input": "x", "response": [1]}]}, "be a text, or null"),
        (
            {
                "examples": [{"input": "x", "response": "y"}],
                "states_confidence": True,
            },
            "from 0 to 1.*mean-logprob",
        ),
        (
            {
                "examples": [
                    {
                        "input": [
                            {"role": "system", "content": "x"},
                            {"role": "user", "content": "y"},
                        ],
                        "response": "z",
                    }
                ]
            },
            "no turn of the system",
        ),
    ],
)
def test_templates_and_examples_that_are_none(options, words):
    refuses(words, Prompt, "Do.", **options)


def test_two_systems_are_one_too_many():
    given = [{"role": "system", "content": "a"}, {"role": "user", "content": "b"}]
    refuses("item 'q1'.*one for all", turns, given, system_role="c")


def test_an_example_does_not_tell_the_answer_of_an_item():
    prompt = Prompt("Do.", examples=[{"input": "One?", "response": "1"}])
    seen = []
    asked = [Input("q1", "Two?"), Input("q2", "One?")]
    refuses(
        "item 'q2'.*among the examples",
        prompt.check,
        asked,
        lambda text, where: seen.append((text, where)),
    )
    assert seen[0] == ("Question: Two?", "item 'q1'")


def test_a_run_asks_nothing_if_one_input_cannot_be_asked(tmp_path):
    with server(lambda *_: (200, {}, completion("Answer: x"))) as (url, posted):
        asked = [("q1", "Why?"), ("q2", {"question": "?"})]
        with pytest.raises(InputError, match="item 'q2'"):
            demur.run(chat(url), asked, path=tmp_path / "out.jsonl")
    assert posted == []
    assert list(tmp_path.iterdir()) == []


# -- the command -----------------------------------------------------------------------


def test_the_command_reads_templates_examples_and_the_system_role(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    write_records(tmp_path / "in.jsonl", [{"item": "q1", "input": FIELDS}])
    example = {"item": "e1", "input": {**FIELDS, "question": "x"}, "response": "B"}
    write_records(tmp_path / "shots.jsonl", [{**example, "confidence": 0.5}])
    (tmp_path / "form.txt").write_text(TEMPLATE)
    (tmp_path / "role.txt").write_text("Be brief.\n")
    words = ["in.jsonl", "-o", "out.jsonl", "--template", "form.txt"]
    more = ["--examples", "shots.jsonl", "--system-role", "role.txt"]
    with server(lambda *_: (200, {}, completion("Answer: B"))) as (url, posted):
        name = f"chat:m@{url.partition('/ask')[0]}/v1"
        assert "1 items: 1 answered" in printed("run", name, *words, *more)
    sent = posted[0]["messages"]
    assert [turn["role"] for turn in sent] == ["system", "user", "assistant", "user"]
    assert sent[0]["content"] == "Be brief."
    assert sent[2]["content"] == "Answer: B\nConfidence: 50 %"
    assert sent[3]["content"] == FILLED
    assert json.loads((tmp_path / "out.jsonl").read_text())["response"] == "B"
    words[2] = "other.jsonl"
    refused = stderr_of("run", "chat:m@http://127.0.0.1:1", *words[:3])
    assert "item 'q1'" in refused
    assert "--template FILE" in refused
