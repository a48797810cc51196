"""Asking systems: addresses that fail, runs that are cut off, the command."""

import itertools
import json
import math
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import demur
from builders import (
    printed,
    printed_json,
    read_records,
    refuses,
    stderr_of,
    write_records,
)
from demur.systems.adapters.endpoints import HttpSystem
from demur.systems.journals import sealed
from demur.systems.protocol import RepeatedInput
from local_server import server
from rude_server import rude_server

QUESTIONS = [demur.Input(f"q{k}", f"question {k}") for k in range(30)]


def echo(payload, _):
    listed = [
        {"item": each["item"], "response": each["input"].upper(), "confidence": 0.5}
        for each in payload["inputs"]
    ]
    return 200, {}, {"responses": listed[::-1]}


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    monkeypatch.setattr("demur.systems.adapters.json_addresses._wait", lambda *_: 0.0)


# -- addresses -----------------------------------------------------------------------


def test_an_address_is_asked_in_batches_and_answers_by_item():
    with server(echo) as (url, posted):
        system = demur.as_system(url, name="s")
        found = demur.run(system, QUESTIONS, concurrency=4, batch=7)
    assert [a.item for a in found] == [each.item for each in QUESTIONS]
    assert [a.response for a in found] == [each.input.upper() for each in QUESTIONS]
    assert {(a.system, a.confidence) for a in found} == {("s", 0.5)}
    assert len(posted) == 5
    assert "key" not in str(system)
    assert str(system).startswith("http(http://127.0.0.1:")


@pytest.mark.parametrize("status", [429, 503])
def test_an_address_that_says_later_is_asked_again(status):
    def moody(payload, number):
        return (status, {"Retry-After": "0"}, b"") if number < 3 else echo(payload, 0)

    with server(moody) as (url, posted):
        [found] = demur.run(demur.as_system(url), QUESTIONS[:1])
    assert (found.response, len(posted)) == ("QUESTION 0", 3)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((200, {}, b"<!DOCTYPE html><html>"), r"not JSON \(no type\): '<!DOCTYPE"),
        ((200, {"Content-Type": "text/html"}, b""), r"not JSON \(text/html\): ''"),
        ((200, {}, b'{"responses": [1'), "not JSON"),
        ((200, {}, b"[" * 100_000), "not JSON"),
        ((200, {}, {"answers": []}), 'no list under "responses"'),
        ((200, {}, {"responses": [3]}), 'no list under "responses"'),
        ((200, {}, {"responses": [{"item": "q0"}]}), "must have a field response"),
        ((403, {}, b"go away"), "status 403: 'go away'"),
        ((503, {}, b""), "status 503, 3 times"),
        ((None, {}, b""), "no answer after 3 attempts"),
    ],
)
def test_what_is_no_answer_has_failed_with_its_reason(answer, words):
    with server(lambda *_: answer) as (url, _):
        [found] = HttpSystem(url, retries=2).respond(QUESTIONS[:1])
    assert found.response is None
    assert re.search(words, found.failed)


def test_a_slow_address_times_out():
    over = threading.Event()

    def slow(payload, _):
        over.wait()
        return echo(payload, 0)

    with server(slow) as (url, _):
        [found] = HttpSystem(url, retries=1, timeout=0.1).respond(QUESTIONS[:1])
        over.set()
    assert found.failed == "no answer after 2 attempts: timed out"


def test_an_address_that_is_down_ends_the_run_at_once():
    system = demur.as_system("http://127.0.0.1:9/", retries=0)
    with pytest.raises(demur.RunError, match="the first 20 inputs all failed"):
        demur.run(system, QUESTIONS)


@pytest.mark.parametrize(
    ("n_inputs", "answered", "batch", "ends"),
    [
        *((19, (), 1, False), (20, (), 1, True), (20, (), 20, True)),
        *((30, (18,), 1, False), (30, (8,), 1, True), (22, (0,), 1, True)),
        *((20, (0,), 1, False), (20, (3,), 10, False)),
        # All were asked: there is nothing to give up.
        *((30, (9,), 1, False), (21, (0,), 1, False), (30, (3,), 10, False)),
    ],
)
def test_a_run_ends_if_twenty_inputs_in_a_row_fail(n_inputs, answered, batch, ends):
    def respond(inputs):
        kept = {n for n in answered if QUESTIONS[n] in inputs}
        if not kept:
            raise ValueError("no")
        return [demur.Response(item=QUESTIONS[n].item, response="a") for n in kept]

    system = type("Failing", (), {"respond": staticmethod(respond)})()
    if ends:
        which = "inputs failed one after another" if answered else "inputs all failed"
        with pytest.raises(demur.RunError, match=which):
            demur.run(system, QUESTIONS[:n_inputs], batch=batch)
    give_up = None if ends else 20
    found = demur.run(system, QUESTIONS[:n_inputs], batch=batch, give_up=give_up)
    assert sum(not a.failed for a in found) == len(answered)


def test_an_item_that_was_not_asked_is_an_error():
    with (
        server(lambda *_: (200, {}, {"responses": [{"item": "x", "response": 1}]})) as (
            *(url, _),
        ),
        pytest.raises(demur.RunError, match="item 'x', not asked"),
    ):
        demur.run(demur.as_system(url), QUESTIONS[:1])


def test_an_answer_that_is_missing_has_failed():
    def half(payload, _):
        whole = echo(payload, 0)[2]["responses"]
        return 200, {}, {"responses": whole[::2]}

    with server(half) as (url, _):
        found = demur.run(demur.as_system(url), QUESTIONS, batch=10)
    assert [bool(a.failed) for a in found] == [True, False] * 15
    assert {a.failed for a in found} == {None, "no response"}


def test_rasa_falls_back_with_a_confidence_that_is_made_up():
    def rasa(payload, _):
        fallback = payload["text"] == "question 0"
        ranking = [
            {"name": "greet", "confidence": 0.4},
            {"name": "bye", "confidence": 0.3},
        ]
        if fallback:
            ranking.insert(0, {"name": "nlu_fallback", "confidence": 1.0})
        return 200, {}, {"intent": ranking[0], "intent_ranking": ranking}

    with server(rasa) as (url, _):
        found = demur.as_system(url, shape="rasa").respond(QUESTIONS[:2])
    assert [(a.response, a.confidence, a.declined) for a in found] == [
        *(("greet", 0.4, True), ("greet", 0.4, False)),
    ]
    assert found[0].ranking == (("greet", 0.4), ("bye", 0.3))


def test_rasa_without_any_intent_gives_no_guess():
    body = {"intent": {"name": None, "confidence": 0.0}, "intent_ranking": []}
    with server(lambda *_: (200, {}, body)) as (url, _):
        answers = HttpSystem(url, shape="rasa").respond(QUESTIONS[:2])
    assert [(a.item, a.response, a.declined) for a in answers] == [
        ("q0", None, True),
        ("q1", None, True),
    ]


def test_dialogflow_gives_no_guess_below_its_threshold():
    def cx(payload, _):
        asked = payload["queryInput"]["text"]["text"]
        match = {"matchType": "NO_MATCH", "confidence": 0.2}
        if asked != "question 0":
            intent = {"displayName": "greet"}
            match = {"matchType": "INTENT", "intent": intent, "confidence": 0.8}
        return 200, {}, {"queryResult": {"match": match}}

    with server(cx) as (url, _):
        found = demur.as_system(url, shape="dialogflow").respond(QUESTIONS[:2])
    assert [(a.response, a.confidence, a.declined, a.kind) for a in found] == [
        *((None, None, True, "idk"), ("greet", 0.8, None, None)),
    ]


@pytest.mark.parametrize("shape", ["rasa", "dialogflow"])
def test_another_shape_has_failed(shape):
    with server(lambda *_: (200, {}, {"answer": 1})) as (url, _):
        [found] = demur.as_system(url, shape=shape).respond(QUESTIONS[:1])
    assert found.failed.startswith("not as ")


@pytest.mark.parametrize("url", ["http://", "http:///x", "https://:80"])
def test_what_is_no_address_is_refused(url):
    refuses("must be an address", demur.as_system, url)


# -- runs ----------------------------------------------------------------------------


class Counting:
    """A system that counts what it was asked, and can be told to break."""

    def __init__(self, breaks_at=None):
        self.asked, self.breaks_at = [], breaks_at
        self.lock = threading.Lock()

    def __str__(self):
        return "counting"

    def respond(self, inputs):
        with self.lock:
            self.asked += [each.item for each in inputs]
            if self.breaks_at is not None and len(self.asked) > self.breaks_at:
                raise KeyboardInterrupt
        return [
            demur.Response(
                item=each.item, system="c", response=each.input, confidence=1.0
            )
            for each in inputs
        ]


@pytest.mark.parametrize("concurrency", [1, 3])
def test_a_run_that_was_interrupted_goes_on(tmp_path, concurrency):
    path, system = tmp_path / "r.jsonl", Counting(breaks_at=12)
    with pytest.raises(KeyboardInterrupt):
        demur.run(system, QUESTIONS, path=path, concurrency=concurrency)
    assert not path.exists()
    kept = (tmp_path / "r.jsonl.unfinished").read_text().splitlines()
    later = Counting()
    seen = []
    found = demur.run(
        later,
        QUESTIONS,
        path=path,
        concurrency=concurrency,
        progress=lambda done, count: seen.append((done, count)),
    )
    assert len(later.asked) == 30 - (len(kept) - 1)
    assert len(set(later.asked)) == len(later.asked)
    assert [a.item for a in found] == [each.item for each in QUESTIONS]
    assert seen[-1] == (30, 30)
    assert [json.loads(line)["item"] for line in path.read_text().splitlines()] == [
        each.item for each in QUESTIONS
    ]
    assert not (tmp_path / "r.jsonl.unfinished").exists()
    assert demur.read_responses(path) == found


def test_a_line_that_was_cut_off_is_asked_again(tmp_path):
    path = tmp_path / "r.jsonl"
    with pytest.raises(KeyboardInterrupt):
        demur.run(Counting(breaks_at=5), QUESTIONS, path=path)
    journal = tmp_path / "r.jsonl.unfinished"
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-20])
    head = json.loads(whole.partition(b"\n")[0])
    assert (head["system"], len(head["inputs"])) == ("counting", 16)
    again = Counting(breaks_at=5)
    with pytest.raises(KeyboardInterrupt):
        demur.run(again, QUESTIONS, path=path)
    lines = journal.read_text().splitlines()
    items = [json.loads(line).get("item") for line in lines]
    assert items[0] is None
    assert len(set(items)) == len(items) > whole.count(b"\n")
    later = Counting()
    demur.run(later, QUESTIONS, path=path)
    assert len(later.asked) == 30 - (len(items) - 1)
    assert len(path.read_text().splitlines()) == 30


def test_a_journal_of_another_run_is_refused(tmp_path):
    path = tmp_path / "r.jsonl"
    with pytest.raises(KeyboardInterrupt):
        demur.run(Counting(breaks_at=5), QUESTIONS, path=path)
    with pytest.raises(demur.InputError, match=r"must be of this run \(inputs\)"):
        demur.run(Counting(), QUESTIONS[:-1], path=path)
    with pytest.raises(demur.InputError, match=r"must be of this run \(system\)"):
        demur.run(demur.as_system(str.upper), QUESTIONS, path=path)


def begun(path, n_answers=5):
    """The journal of a run that was interrupted after so many answers."""
    with pytest.raises(KeyboardInterrupt):
        demur.run(Counting(breaks_at=n_answers), QUESTIONS, path=path)
    return path.with_name(f"{path.name}.unfinished")


def test_damage_in_the_middle_of_a_journal_costs_that_line_alone(tmp_path):
    path = tmp_path / "r.jsonl"
    journal = begun(path)
    lines = journal.read_bytes().splitlines(keepends=True)
    lines[2] = b"\xff{" + lines[2][2:]
    journal.write_bytes(b"".join(lines))
    later = Counting()
    found = demur.run(later, QUESTIONS, path=path)
    damaged = json.loads(lines[2][2:].join([b'{"', b""]))["item"]
    assert later.asked == [damaged, *(f"q{k}" for k in range(5, 30))]
    assert found.notes == [f"{journal}:3 is damaged: asked again"]
    assert len(found) == 30


@pytest.mark.parametrize("damage", [(b"Oslo", b"Osmo"), (b"confi", b"coofi")])
def test_damage_that_stays_json_is_seen(tmp_path, damage):
    path = tmp_path / "r.jsonl"
    system = Counting(breaks_at=5)
    asked = [demur.Input(q.item, "Oslo") for q in QUESTIONS]
    with pytest.raises(KeyboardInterrupt):
        demur.run(system, asked, path=path)
    journal = tmp_path / "r.jsonl.unfinished"
    lines = journal.read_bytes().splitlines(keepends=True)
    lines[3] = lines[3].replace(*damage)
    journal.write_bytes(b"".join(lines))
    found = demur.run(Counting(), asked, path=path)
    assert found.notes == [f"{journal}:4 is damaged: asked again"]
    assert {(a.response, a.confidence) for a in found} == {("Oslo", 1.0)}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"{}", r":2: a record must have a field item"),
        (b'{"response": "a"}', r":2: "),
        (b'{"item": "q0"}', r":2: "),
        (b'{"item": "q0", "response": 1, "confidence": "high"}', r":2: confidence"),
    ],
)
def test_a_line_of_a_journal_that_is_no_response_is_refused(tmp_path, line, words):
    path = tmp_path / "r.jsonl"
    journal = begun(path)
    head, _, rest = journal.read_bytes().partition(b"\n")
    journal.write_bytes(head + b"\n" + sealed(line) + rest)
    before = journal.read_bytes()
    with pytest.raises(demur.InputError, match=words):
        demur.run(Counting(), QUESTIONS, path=path)
    assert journal.read_bytes() == before


def test_a_journal_belongs_to_an_address_with_its_query_and_a_name(tmp_path):
    path = tmp_path / "r.jsonl"

    def moody(payload, number):
        return echo(payload, 0) if number < 4 else (401, {}, b"")

    with server(moody) as (url, _):
        whole = url.replace("key=1", "model=A")
        with pytest.raises(demur.RunError, match="failed one after another"):
            demur.run(demur.as_system(whole, name="A"), QUESTIONS, path=path)
        for other, name in ((url, "A"), (whole, "B")):
            system = demur.as_system(other, name=name)
            with pytest.raises(demur.InputError, match="must be of this run"):
                demur.run(system, QUESTIONS, path=path)


def test_what_failed_is_asked_again_by_the_run_that_goes_on(tmp_path):
    path = tmp_path / "r.jsonl"
    broken = {"yes": True}

    def moody(text):
        if broken["yes"] and text != "question 0":
            raise OSError("away")
        return text

    system = demur.as_system(moody, name="m")
    with pytest.raises(demur.RunError, match="20 inputs failed one after another"):
        demur.run(system, QUESTIONS, path=path)
    broken["yes"] = False
    found = demur.run(system, QUESTIONS, path=path)
    assert not [answer for answer in found if answer.failed]


def test_two_runs_do_not_write_one_journal(tmp_path):
    path, going, end = tmp_path / "r.jsonl", threading.Event(), threading.Event()
    asked = []

    def wait(text):
        asked.append(text)
        going.set()
        end.wait()
        return text

    first = threading.Thread(
        target=demur.run, args=(demur.as_system(wait), QUESTIONS), kwargs={"path": path}
    )
    first.start()
    going.wait()
    try:
        with pytest.raises(demur.InputError, match="must be written by one run"):
            demur.run(demur.as_system(wait), QUESTIONS, path=path)
    finally:
        end.set()
        first.join()
    assert len(asked) == 30
    assert len(demur.read_responses(path)) == 30


def test_infinite_confidences_survive(tmp_path):
    path = tmp_path / "r.jsonl"
    sure = {"question 0": math.inf, "question 1": -math.inf}
    system = demur.as_system(lambda text: (text, sure.get(text, 0.5)))
    demur.run(system, QUESTIONS[:3], path=path)
    read = demur.read_responses(path)
    assert [answer.confidence for answer in read] == [math.inf, -math.inf, 0.5]


def test_a_function_that_ends_the_program_has_failed():
    def leave(text):
        if text == "question 1":
            sys.exit(3)
        return text

    found = demur.run(demur.as_system(leave), QUESTIONS[:3])
    assert [answer.failed for answer in found] == [None, "SystemExit: 3", None]


async def _later(text):
    return text


@pytest.mark.parametrize("odd", [_later, iter, str.encode])
def test_what_is_no_plain_guess_is_named(odd):
    with pytest.raises(demur.InputError, match="a guess must be plain data"):
        demur.run(demur.as_system(lambda text: odd(text)), QUESTIONS[:3])


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ([("a", 1), ("a", 2)], "item 'a' must stand once"),
        ([("a", 1), (None, 2)], "item"),
        (["a"], "must be a pair"),
        ([("a",)], "must be a pair"),
    ],
)
def test_inputs_that_are_none_are_refused(inputs, words):
    with pytest.raises(demur.InputError, match=words):
        demur.run(Counting(), inputs)


def test_a_system_that_answers_twice_is_an_error():
    class Twice(Counting):
        def respond(self, inputs):
            return [*super().respond(inputs), *super().respond(inputs)]

    with pytest.raises(demur.RunError, match="not asked or has answered before"):
        demur.run(Twice(), QUESTIONS[:2])


def test_a_system_that_raises_has_failed_where_it_raises():
    class Moody(Counting):
        def respond(self, inputs):
            if inputs[0].item == "q3":
                raise ValueError("no")
            return super().respond(inputs)

    found = demur.run(Moody(), QUESTIONS)
    assert [a.failed for a in found if a.failed] == ["ValueError: no"]
    assert found[3].failed


def test_texts_that_no_file_can_hold_are_written_all_the_same(tmp_path):
    path = tmp_path / "r.jsonl"
    system = demur.as_system(
        lambda text: {"response": f"a{text}", "told": [{"b\udc00": "ok\u00e9"}]}
    )
    demur.run(system, [("q", "\ud800")], path=path)
    record = json.loads(path.read_text())
    assert (record["response"], record["told"]) == ("a?", [{"b?": "ok\u00e9"}])


def test_a_run_keeps_many_requests_open():
    """Each of twenty requests waits until all twenty are open."""
    together = threading.Barrier(20)

    def meet(text):
        together.wait(600)
        return text

    found = demur.run(
        demur.as_system(meet), [(k, "x") for k in range(40)], concurrency=20
    )
    assert {each.response for each in found} == {"x"}


# -- the command ---------------------------------------------------------------------

MODULE = """
import json
seen = []
def loud(text):
    seen.append(text)
    if text == "question 2":
        raise RuntimeError("not this one")
    return (text.upper(), 0.5)
class Thing: pass
thing = Thing()
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    Path("mine_to_run.py").write_text(MODULE)
    lines = [
        {"item": q.item, "input": q.input, "reference": "secret", "sql": "SELECT 1"}
        for q in QUESTIONS[:5]
    ]
    write_records(Path("g.jsonl"), lines)
    yield tmp_path
    sys.modules.pop("mine_to_run", None)


@pytest.mark.usefixtures("folder")
def test_the_command_asks_and_what_failed_is_asked_again():
    command = ["run", "mine_to_run:loud", "g.jsonl", "-o", "r.jsonl", "--name", "me"]
    out = printed(*command)
    assert out.startswith("5 items: 4 answered, 0 without a guess, 1 failed.")
    assert "RuntimeError: not this one" in out
    first = read_records(Path("r.jsonl"))
    assert first[0] == {
        "item": "q0",
        "system": "me",
        "response": "QUESTION 0",
        "confidence": 0.5,
    }
    assert first[2]["failed"] == "RuntimeError: not this one"
    assert "must not be there already" in stderr_of(*command, code=2)
    module = sys.modules["mine_to_run"]
    module.seen.clear()
    assert printed_json(*command, "--retry", "failed")["failed"] == 1
    assert module.seen == ["question 2"]
    printed(*command, "--replace")
    assert len(module.seen) == 6


@pytest.mark.usefixtures("folder")
def test_nothing_but_item_and_input_reaches_a_system():
    with server(echo) as (url, posted):
        printed("run", url, "g.jsonl", "-o", "r.jsonl", "--batch", "2")
    sent = json.dumps(posted)
    assert "secret" not in sent
    assert "SELECT" not in sent
    assert {key for each in posted for one in each["inputs"] for key in one} == {
        *("item", "input"),
    }
    judged = ["judge", "r.jsonl", "g.jsonl", "--by", "text", "-o", "o.jsonl"]
    printed(*judged)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("run mine_to_run:nothing g.jsonl -o r.jsonl", 4, "nothing"),
        (
            "run mine_to_run:Thing g.jsonl -o r.jsonl",
            4,
            "must be an object, not a class",
        ),
        ("run mine_to_run:thing g.jsonl -o r.jsonl", 4, "must be a system"),
        ("run no_such_module:f g.jsonl -o r.jsonl", 4, "no_such_module"),
        ("run nonsense g.jsonl -o r.jsonl", 4, "must be module:object"),
        ("run mine_to_run:loud mine_to_run.py -o r.jsonl", 4, "mine_to_run.py"),
        ("run mine_to_run:loud nothing.jsonl -o r.jsonl", 4, "nothing.jsonl"),
        (
            "run mine_to_run:loud g.jsonl -o g.jsonl",
            2,
            "must not be a file that is read",
        ),
        ("run mine_to_run:loud g.jsonl -o r.jsonl --shape rasa", 2, "http address"),
        ("run mine_to_run:loud g.jsonl -o r.jsonl --timeout 3", 2, "or a program"),
        ("run mine_to_run:loud g.jsonl -o r.jsonl --retry failed", 2, "be there"),
    ],
)
def test_the_command_refuses(words, code, said):
    err = stderr_of(*words.split(), code=code)
    assert said in err
    assert err.count("\n") == 1
    assert not Path("r.jsonl").exists()


@pytest.mark.usefixtures("folder")
def test_a_run_that_is_killed_loses_nothing_and_asks_nothing_twice():
    """Killed (SIGKILL) in the middle, again and again, until it is done."""
    Path("slow_to_run.py").write_text(
        "import itertools, time\n"
        "calls = itertools.count(1)\n"
        "def f(text):\n"
        "    open('asked.txt', 'a').write(text + '\\n')\n"
        "    while next(calls) == 18:\n"
        "        time.sleep(60)\n"
        "    return text\n"
    )
    lines = [{"item": k, "input": f"t{k}"} for k in range(60)]
    write_records(Path("many.jsonl"), lines)
    command = [sys.executable, "-m", "demur", "run", "slow_to_run:f", "many.jsonl"]
    kills = 0
    for _ in range(20):
        process = subprocess.Popen(
            [*command, "-o", "r.jsonl"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        journal, before = Path("r.jsonl.unfinished"), _lines("r.jsonl.unfinished")
        while process.poll() is None and _lines(journal) < before + 15:
            time.sleep(0.01)
        if process.poll() is not None:
            break
        process.send_signal(signal.SIGKILL)
        process.wait()
        kills += 1
    assert process.returncode == 0
    assert kills >= 2
    found = read_records(Path("r.jsonl"))
    assert [each["item"] for each in found] == list(range(60))
    assert [each["response"] for each in found] == [f"t{k}" for k in range(60)]
    asked = Path("asked.txt").read_text().split()
    # What was open when it was killed, one request, is asked again; nothing else is.
    assert len(asked) <= 60 + kills
    assert set(asked) == {f"t{k}" for k in range(60)}


@pytest.mark.parametrize("concurrency", [1, 3])
def test_nothing_more_is_asked_before_an_answer_is_kept(tmp_path, concurrency):
    """Whenever it is killed, no more is asked again than was open."""
    journal, calls, unkept = tmp_path / "r.jsonl.unfinished", itertools.count(1), []

    def f(text):
        unkept.append(next(calls) - (_lines(journal) - 1))  # its first line is a head
        return text

    inputs = [(k, f"t{k}") for k in range(50)]
    demur.run(
        demur.as_system(f), inputs, path=tmp_path / "r.jsonl", concurrency=concurrency
    )
    assert len(unkept) == 50
    assert max(unkept) <= concurrency


SLOW = """
import time
def f(text):
    open("asked.txt", "a").write(text + "\\n")
    time.sleep(3600)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
@pytest.mark.parametrize("waits", ["for a function", "for a server", "to ask again"])
@pytest.mark.usefixtures("folder")
def test_one_signal_ends_a_run_whatever_it_waits_for(name, waits):
    over = threading.Event()

    def behave(connection, _request, _number):
        Path("asked.txt").write_text("asked")
        if waits == "for a server":
            over.wait()
        connection.sendall(b"HTTP/1.1 429 Slow\r\nRetry-After: 60\r\n\r\n")

    Path("slow_to_run.py").write_text(SLOW)
    number = getattr(signal, name)
    with rude_server(behave) as (url, requests):
        system = "slow_to_run:f" if waits == "for a function" else url
        command = [sys.executable, "-m", "demur", "run", system, "g.jsonl"]
        if waits == "for a server":
            command += ["--timeout", "3600"]
        process = subprocess.Popen(
            [*command, "-o", "r.jsonl", "--concurrency", "3"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
        )
        while not Path("asked.txt").exists() and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(number)
        _, said = process.communicate(timeout=600)  # by itself it waits an hour
        over.set()
    assert len(requests) <= 3  # nobody has waited for the minute to be over
    assert process.returncode == 128 + number
    assert said.count(b"\n") == 1
    assert not Path("r.jsonl").exists()


@pytest.mark.usefixtures("folder")
def test_the_exit_code_tells_that_most_inputs_failed():
    Path("mine_to_run.py").write_text("def f(text):\n    raise OSError('away')\n")
    command = ["run", "mine_to_run:f", "g.jsonl", "-o", "r.jsonl"]
    said = stderr_of(*command, code=4)
    assert "most inputs failed, 5 of 5: --retry failed asks them again" in said
    assert len(read_records(Path("r.jsonl"))) == 5


def _lines(path):
    path = Path(path)
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_a_run_whose_last_inputs_fail_is_a_whole_run(tmp_path):
    def answer(text):
        if text != "0":
            raise OSError("down")
        return "yes"

    path = tmp_path / "responses.jsonl"
    inputs = [(str(number), str(number)) for number in range(6)]
    demur.run(demur.as_system(answer), inputs, path=path, give_up=5)
    assert [one.failed is None for one in demur.read_responses(path)] == [True] + [
        False
    ] * 5
    with pytest.raises(demur.RunError, match="5 inputs failed one after another"):
        demur.run(demur.as_system(answer), [*inputs, ("6", "6")], give_up=5)


def test_an_input_that_is_another_sample_stays_one():
    class Recording:
        def respond(self, inputs):
            return [asked.answered("", asked.repeat) for asked in inputs]

    asked = [demur.Input("a", "?"), RepeatedInput("b", "?", 2)]
    assert [answer.response for answer in demur.run(Recording(), asked)] == [0, 2]
