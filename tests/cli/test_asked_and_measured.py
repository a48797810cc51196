"""``demur run`` and ``demur metrics``: what options reach, what is counted and read."""

import json
import os
import shlex
from typing import Any

import pytest

import demur
from builders import printed, printed_json, refuses, run, stderr_of, write_records
from demur.cli import build_parser, run_command
from demur.cli.shared import WrongUsage
from demur.files import MOST_READ_WHOLE


def options(text: str) -> dict[str, Any]:
    words = ["run", *shlex.split(text)[:1], "i", "-o", "o.jsonl"]
    return run_command._options(
        build_parser(["run"]).parse_args([*words, *shlex.split(text)[1:]])
    )


CHAT = "chat:m@http://x"


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("m:f", {}),
        ("http://x --shape demur --cache c --timeout 3", {"shape": "demur"}),
        ("https://x --cache c", {"cache": "c"}),
        (f"{CHAT} --cache c --timeout 3", {"cache": "c", "timeout": 3.0}),
        ("cmd:x --timeout 3", {"timeout": 3.0}),
        (CHAT, {}),
        (f"{CHAT} --confidence verbalised --always-guess", {"may_decline": False}),
        (f"{CHAT} --confidence agreement --samples 2", {"samples": 2}),
        (f"{CHAT} --parameters '{{\"a\": 1}}'", {"parameters": {"a": 1}}),
        (f"{CHAT} --prices 1 2", {"prices": [1.0, 2.0]}),
        (f"{CHAT} --key-env K", {"key_env": "K"}),
    ],
)
def test_options_reach_the_systems_that_take_them(text, given):
    reached = options(text)
    assert reached.items() >= given.items()
    assert "always_guess" not in reached


@pytest.mark.parametrize(
    ("text", "need"),
    [
        ("m:f --shape demur", "--shape must come with an http address; got 'm:f'"),
        (f"{CHAT} --shape demur", "--shape must come with an http address"),
        ("cmd:x --cache c", "--cache must come with an address or a chat"),
        ("m:f --timeout 3", "--timeout must come with an address, a chat or a program"),
        ("http://x --always-guess", "--always-guess must come with chat:MODEL@URL"),
        ("m:f --prices 1 2", "--prices must come with chat:MODEL@URL"),
        (
            f"{CHAT} --samples 2",
            "--samples must come with agreement or semantic-entropy; got another",
        ),
        (f"{CHAT} --samples 2 --confidence verbalised", "come with agreement"),
        (f"{CHAT} --agree-by label", "--agree-by must come with agreement"),
        (f"{CHAT} --parameters [1]", "--parameters must be a JSON object; got '.1"),
        (f"{CHAT} --parameters {{", "--parameters must be a JSON object"),
    ],
)
def test_other_systems_refuse_them(text, need):
    with pytest.raises(WrongUsage, match=need):
        options(text)


def test_instructions_are_text(tmp_path):
    file = tmp_path / "told.txt"
    file.write_bytes("\ufeffBe brief.".encode())
    assert options(f"{CHAT} --instructions {file}")["instructions"] == "Be brief."
    file.write_bytes(b"\xff\xfe")
    refuses("the file must be text in UTF-8", options, f"{CHAT} --instructions {file}")
    file.write_bytes(b"a" * (MOST_READ_WHOLE + 1))
    refuses("must hold at most 16 MiB", options, f"{CHAT} --instructions {file}")


def test_responses_are_counted_by_what_became_of_them():
    extra = {"prompt_tokens": 2, "completion_tokens": 0.5, "cost": True}
    responses = [
        demur.Response(item=1, response="a", extra=extra),
        demur.Response(item=2, response="b", extra={"prompt_tokens": 3, "cost": None}),
        demur.Response(item=3, kind="unsure", declined=True),
        demur.Response(item=4, kind="unsure", extra={"prompt_tokens": "4"}),
        demur.Response(item=5, kind="off_topic", response="c", declined=True),
        *(demur.Response(item=6 + n, failed=f"why {min(n, 5)}") for n in range(7)),
    ]
    counts = run_command._counts(responses)
    assert counts == {
        **{"items": 12, "answered": 3, "no_guess": 2, "declined": 2, "failed": 7},
        "failures": {"why 5": 2, **{f"why {n}": 1 for n in range(4)}},
        "other_failures": {"reasons": 1, "items": 1},
        "kinds": {"unsure": 2, "off_topic": 1},
        "spent": {"prompt_tokens": 5, "completion_tokens": 0.5},
        "from_cache": 0,
    }
    assert run_command._summary(counts).split("\n") == [
        "12 items: 3 answered, 2 without a guess, 7 failed.",
        "without a guess: unsure 2, off_topic 1.",
        "failed: 2: why 5",
        *(f"failed: 1: why {n}" for n in range(4)),
        "failed: 1: 1 more reason; the responses hold all.",
        "spent: 5 prompt tokens, 0.5 completion tokens.",
    ]
    many = [demur.Response(item=n, failed=f"why {n % 7}") for n in range(21)]
    said = run_command._summary(run_command._counts(many))
    assert said.endswith("failed: 6: 2 more reasons; the responses hold all.")
    kept = run_command._counts(responses, {2, 3})
    assert (kept["spent"]["prompt_tokens"], kept["from_cache"]) == (2, 2)
    said = run_command._summary(kept)
    assert said.endswith(
        "from the cache: 2, which cost nothing.\n"
        "spent: 2 prompt tokens, 0.5 completion tokens."
    )
    none = run_command._counts(responses[:0])
    assert run_command._summary(none) == (
        "0 items: 0 answered, 0 without a guess, 0 failed."
    )
    dear = {**none, "spent": {"cost": 1234.56789012}}
    assert run_command._summary(dear).endswith("\nspent: 1,234.56789 cost.")
    unknown = run_command._summary({**none, "without_cost": 2}).split("\n")[-1]
    assert unknown == "of unknown cost: 2, whose tokens were not counted."


MODULE = """
class Class:
    pass
class inner:
    f = staticmethod(str.upper)
f = str.upper
asked = []
def counted(text):
    asked.append(text)
    if text == "b" and len(asked) < 3:
        raise ValueError("too early")
    return text
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine_here.py").write_text(MODULE)
    write_records(tmp_path / "i.jsonl", [{"item": n, "input": n} for n in "ab"])
    return tmp_path


@pytest.mark.parametrize(
    ("system", "need"),
    [
        ("mine_here:f", ""),
        ("mine_here:inner.f", ""),
        ("mine_here", "must be module:object"),
        ("mine_here:", "must be module:object"),
        (":f", "must be module:object"),
        ("mine_here:g", "must be g of a module mine_here"),
        ("not_mine:g", "must be g of a module not_mine"),
        ("a_provider:gpt-4o", "a language model is chat:MODEL@URL."),
        ("mine_here.py:f", "such as mybot for mybot.py;"),
        ("chat:m@localhost:1/v1", "URL begins with http:// or https://"),
        ("mine_here:Class", "must be an object, not a class"),
    ],
)
def test_a_system_is_an_object_of_a_module(system, need, folder):
    ended = run("run", system, "i.jsonl", "-o", "o.jsonl")
    assert ended.code == (4 if need else 0)
    assert need in ended.err
    if not need:
        lines = (folder / "o.jsonl").read_text().splitlines()
        assert [json.loads(line)["response"] for line in lines] == ["A", "B"]
        assert ended.out == "2 items: 2 answered, 0 without a guess, 0 failed.\n"
        assert ended.err == "demur: wrote o.jsonl\n"


@pytest.mark.parametrize(
    ("records", "need"),
    [
        ([{"item": 1}], "a record must have a field input; got item"),
        ([{"item": None, "input": 2}], "i.jsonl:1: item must hold a value; got null."),
        ([{"id": 1, "Question": "x"}], "Type --columns 'item=id, input=Question'."),
        ([{"ask": "x"}], "got ask. Type --columns 'item=row(), input=COLUMN'."),
        ([{"item": 1, "input": 2}, {"item": 1, "input": 3}], "must stand once"),
    ],
)
def test_inputs_have_items_of_their_own(records, need, folder):
    write_records(folder / "i.jsonl", records)
    ended = run("run", "mine_here:f", "i.jsonl", "-o", "o.jsonl")
    assert ended.code == 4
    assert need in ended.err


@pytest.mark.usefixtures("folder")
def test_responses_are_asked_again_only_if_it_is_said():
    words = ["run", "mine_here:counted", "i.jsonl", "-o", "o.jsonl"]
    retry, replace = ["--retry", "failed"], ["--replace"]
    assert "must be there for --retry" in run(*words, *retry).err
    assert printed_json(*words)["failed"] == 1
    refused = run(*words)
    assert (refused.code, "must not be there already" in refused.err) == (2, True)
    again = printed_json(*words, *retry)
    assert (again["failed"], again["answered"]) == (0, 2)
    from mine_here import asked

    assert asked == ["a", "b", "b"]
    assert printed_json(*words, *replace)["answered"] == 2
    assert asked == ["a", "b", "b", "a", "b"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_answers_stay_where_nobody_reads_the_pipe_they_go_to(folder, monkeypatch):
    os.mkfifo("o.jsonl")
    monkeypatch.setattr("demur.files._WAITED", 0.0)
    words = ["run", "mine_here:f", "i.jsonl", "-o", "o.jsonl", "--replace"]
    assert "o.jsonl: the pipe must be read; got no reader" in stderr_of(*words)
    assert len((folder / "o.jsonl.unfinished").read_text().splitlines()) == 3


# -- metrics -----------------------------------------------------------------------


@pytest.fixture
def texts(tmp_path):
    for name, lines in {
        "ref": "a b\nc\n\n",
        "one": "a b\nc\n\n",
        "two": "a x\n\n\n",
        "short": "a b\n",
    }.items():
        (tmp_path / f"{name}.txt").write_text(lines)
    return {path.stem: str(path) for path in tmp_path.iterdir()}


def test_one_recogniser_has_no_name_and_two_are_compared(texts):
    ref, one, two = (texts[name] for name in ("ref", "one", "two"))
    alone = printed_json("metrics", "words", ref, two)
    assert (alone.get("system", ""), alone["wer"]) == ("", 2 / 3)
    both = printed_json("metrics", "words", ref, one, two)
    assert [one["system"] for one in both["systems"]] == ["one", "two"]
    assert "comparison" in both
    three = printed_json("metrics", "words", ref, one, two, one)
    assert "comparison" not in three
    assert run("metrics", "words", ref, texts["short"]).code == 4
    told = run("metrics", "words", ref, one, "--where", "a=b")
    assert (told.code, "--where must come with a table" in told.err) == (2, True)
    shown = printed("metrics", "words", ref, one, two, "--align", "1")
    assert shown.startswith("one: 1\n")
    assert "\ntwo: 1\n" in shown
    assert printed("metrics", "words", ref, two, "--align", "1").startswith("1\n")
    assert printed_json("metrics", "words", ref, two, "--align", "1") == alone


def test_columns_are_named_as_they_are_called(tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("item,said,heard,group,system\n1,a b,a c,g,x\n2,,d,h,x\n")
    named = ["--ref", "said", "--hyp", "heard"]
    plain = printed_json("metrics", "words", table, *named)
    assert (plain["system"], plain["wer"]) == ("x", 1.0)
    by_group = printed_json("metrics", "words", table, *named, "--cluster", "group")
    assert "group" not in by_group
    missing = run("metrics", "words", table, *named, "--cluster", "none")
    assert missing.code == 4
    assert "none" in missing.err
    told = run("metrics", "words", table, *named, "-o", tmp_path / "o.csv")
    assert told.err.startswith(f"demur: wrote {tmp_path / 'o.csv'}\n")
    assert told.err.endswith(": x: 1 item with an empty reference left out\n")
    assert demur.read_outcomes(tmp_path / "o.csv").systems == ("x",)


def test_gates_of_a_comparison_are_those_of_words_alone(tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("ref,hyp\na,b\n")
    for measure, code in (("words", 1), ("labels", 2)):
        gate = ["--fail-if", f"{'wer' if code == 1 else 'difference'} > 0.2"]
        assert run("metrics", measure, table, *gate).code == code
