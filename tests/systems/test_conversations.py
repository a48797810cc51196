"""Questions asked in context: what systems are given, kills, and hostile dialogues."""

import copy
import json
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demur
from builders import printed, printed_json, read_records, stderr_of, write_records
from chat_cases import completion
from demur.outcomes.contexts import CONTEXT_RULES
from demur.systems.protocol import Input, InputInContext, TurnBefore
from local_server import server

FIVE = [
    {"item": "q1", "dialogue": "d", "class": "A", "input": "Flights?"},
    {"item": "q2", "dialogue": "d", "class": "D", "input": "To Oslo?", "context": "q1"},
    {"item": "q3", "dialogue": "d", "class": "X", "input": "Do you like me?"},
    {"item": "q4", "dialogue": "d", "class": "D", "input": "Cheap?", "context": "q2"},
    {"item": "q5", "dialogue": "d", "class": "A", "input": "To Rome?"},
]


def heard(question, context):
    """What a system was told, in one line."""
    said = [f"{turn.input}{turn.response or '-'}/{turn.state[:3]}" for turn in context]
    return f"<{' '.join([*said, question])}>"


def short(question, context):
    """An answer that depends on all that was before, and does not grow."""
    told = repr([tuple(turn) for turn in context])
    return random.Random(told + question).randrange(10**6)


def many(n_dialogues=6, n_turns=8, seed=3):
    """Interleaved dialogues with excluded turns, marks and contexts."""
    rng, records = random.Random(seed), []
    length = [0] * n_dialogues
    while min(length) < n_turns:
        which = rng.randrange(n_dialogues)
        if length[which] == n_turns:
            continue
        turn = {
            "item": f"{which}.{length[which]}",
            "dialogue": which,
            "input": f"question {length[which]} of {which}",
            "class": rng.choice("AAADDX"),
            "reset": rng.random() < 0.1,
        }
        if turn["class"] == "D" and length[which]:
            turn["context"] = [f"{which}.{rng.randrange(length[which])}"]
        length[which] += 1
        records.append(turn)
    return records


# -- what is given ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        (
            "dialogue",
            {
                "q1": "<Flights?>",
                "q2": "<Flights?A/ans To Oslo?>",
                "q4": "<Flights?A/ans To Oslo?A/ans Do you like me?-/not Cheap?>",
                "q5": "<Flights?A/ans To Oslo?A/ans Do you like me?-/not Cheap?A/ans "
                "To Rome?>",
            },
        ),
        (
            "excluded",
            {"q1": "<Flights?>", "q2": "<Flights?A/ans To Oslo?>", "q5": "<To Rome?>"},
        ),
        ("alone", {"q1": "<Flights?>", "q5": "<To Rome?>"}),
    ],
)
def test_each_rule_gives_what_it_says(rule, told):
    seen = {}

    def answer(question, context):
        seen[question] = heard(question, context)
        return "A"

    found = demur.run(demur.as_system(answer), FIVE, context=rule)
    assert [one.item for one in found] == [*told]
    inputs = {record["item"]: record["input"] for record in FIVE}
    assert {item: seen[inputs[item]] for item in told} == told


def test_what_was_not_asked_is_counted():
    found = demur.run(demur.as_system(heard), FIVE, context="excluded")
    assert found.not_asked == {"excluded": 1, "reset": 1}
    assert found.notes == [
        "context=excluded: 2 of 5 questions not asked (excluded: 1; context before a "
        "reset: 1)"
    ]
    assert demur.run(demur.as_system(str.upper), [("q", "a")]).not_asked == {}


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (("guess", 0.5), ("guess", "answered", 0.5)),
        (None, (None, "no guess", None)),
        ({"response": "guess", "declined": True}, (None, "no guess", None)),
        ({"response": None, "failed": "timeout"}, (None, "failed", None)),
        ({"response": "guess", "error": "no such table"}, ("guess", "answered", None)),
        (RuntimeError("down"), (None, "failed", None)),
    ],
)
def test_the_next_turn_sees_what_became_of_the_last(answer, shown):
    seen = []

    def respond(question, context):
        seen.extend(tuple(turn)[2:] for turn in context)
        if question == "To Oslo?":
            return "done"
        if isinstance(answer, Exception):
            raise answer
        return answer

    demur.run(demur.as_system(respond), FIVE[:2], context="dialogue")
    assert seen == [shown]


def test_a_system_of_ones_own_reads_it_from_its_inputs():
    class Own:
        def respond(self, inputs):
            return [
                asked.answered("own", [turn.item for turn in asked.context])
                for asked in inputs
            ]

    found = demur.run(Own(), FIVE, context="dialogue", batch=3)
    assert found[-1].response == ["q1", "q2", "q3", "q4"]
    for item, question in found[-1:] and [Input("q", "?")]:  # still pairs
        assert (item, question) == ("q", "?")


def test_a_list_of_questions_has_a_list_of_contexts():
    def respond(questions, context):
        return [len(turns) for _, turns in zip(questions, context, strict=True)]

    system = demur.as_system(respond, batch=True)
    found = demur.run(system, many(), context="dialogue", batch=4)
    alone = demur.run(
        demur.as_system(lambda _, context: len(context)), many(), context="dialogue"
    )
    assert [one.response for one in found] == [one.response for one in alone]


@pytest.mark.parametrize("rule", ["dialogue", "excluded"])
@pytest.mark.parametrize(
    "system", [str.upper, lambda text: text, [demur.Response(item="q1", response=1)]]
)
def test_what_has_no_place_for_turns_is_refused(system, rule):
    with pytest.raises(demur.InputError, match="must take the turns before"):
        demur.run(demur.as_system(system), FIVE, context=rule)


def test_who_is_asked_alone_needs_no_place():
    found = demur.run(demur.as_system(str.upper), FIVE, context="alone")
    assert [one.response for one in found] == ["FLIGHTS?", "TO ROME?"]


def test_shapes_of_others_have_no_place_for_turns():
    for shape in ("rasa", "dialogflow"):
        system = demur.as_system("http://127.0.0.1:9/", shape=shape)
        with pytest.raises(demur.InputError, match="must take the turns before"):
            demur.run(system, FIVE, context="dialogue")


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([("q1", "Flights?")], "q1: a turn must be a Reference or a mapping"),
        ([{"item": "q1", "dialogue": "d"}], "input 1: input must hold a value"),
        ([{"item": "q1", "class": "X"}, *FIVE[1:]], "input 1: input must hold a value"),
        ([FIVE[0], FIVE[0]], "input 2: item must be listed once"),
        ([{"input": "Flights?"}], "input 1: a turn must have a field item"),
        ([("f:3", {**FIVE[0], "reset": "x"})], "f:3: reset must be true or false"),
        ([None], "input 1: a turn must be a Reference or a mapping"),
    ],
)
def test_what_is_no_turn_is_refused(records, said):
    with pytest.raises(demur.InputError) as refused:
        demur.run(demur.as_system(heard), records, context="dialogue")
    assert str(refused.value).startswith(said)


def test_what_is_no_rule_is_refused():
    with pytest.raises(demur.InputError, match="context must be one of dialogue, exc"):
        demur.run(demur.as_system(heard), FIVE, context="all")


def test_circles_and_strangers_end_no_run():
    records = [
        {"item": 1, "dialogue": "d", "input": "a", "context": [1]},
        {"item": 2, "dialogue": "d", "input": "b", "context": [3]},
        {"item": 3, "dialogue": "d", "input": "c", "context": [2]},
        {"item": 4, "dialogue": "d", "input": "d", "context": ["none"]},
        {"item": 5, "dialogue": "e", "input": "e", "context": [1]},
        {"item": 6, "input": "f", "context": [1]},
    ]
    for rule in CONTEXT_RULES:
        found = demur.run(demur.as_system(heard), records, context=rule)
        asked = [3] if rule == "dialogue" else []
        assert [one.item for one in found] == asked
        assert sum(found.not_asked.values()) == 6 - len(asked)


def test_an_input_in_context_is_a_pair_that_travels():
    asked = InputInContext("q2", "And?", [TurnBefore("q1", "Who?")])
    for other in (pickle.loads(pickle.dumps(asked)), copy.deepcopy(asked)):
        assert (other, other.context) == (("q2", "And?"), asked.context)
    assert Input("q", 1).context is None


# -- in any order, the same conversation -----------------------------------------------


@pytest.mark.parametrize("rule", [*CONTEXT_RULES])
def test_however_many_are_open_the_conversation_is_the_same(rule):
    plain = demur.run(demur.as_system(short), many(), context=rule)
    for how in ({"concurrency": 8}, {"batch": 3}, {"concurrency": 8, "batch": 5}):
        assert demur.run(demur.as_system(short), many(), context=rule, **how) == plain
    for pool in (ThreadPoolExecutor(4), ProcessPoolExecutor(2)):
        with pool:
            found = demur.run(
                demur.as_system(short), many(), context=rule, executor=pool
            )
        assert found == plain


@given(st.randoms(use_true_random=False), st.sampled_from([*CONTEXT_RULES]))
def test_interleaving_dialogues_changes_nothing(rng, rule):
    records = many()
    rows = {name: [r for r in records if r["dialogue"] == name] for name in range(6)}
    order = [record["dialogue"] for record in records]
    rng.shuffle(order)
    mixed = [rows[name].pop(0) for name in order]
    one, other = (
        {a.item: a.response for a in demur.run(demur.as_system(short), r, context=rule)}
        for r in (records, mixed)
    )
    assert one == other


def test_turns_that_wait_for_nothing_are_asked_at_the_same_time():
    both = threading.Barrier(3, timeout=60)

    def answer(question, context):  # noqa: ARG001
        both.wait()
        return question

    records = [
        {"item": item, "dialogue": item // 2, "input": "q", "reset": item == 3}
        for item in (0, 2, 3)
    ]
    demur.run(demur.as_system(answer), records, context="dialogue", concurrency=3)


def test_a_long_dialogue_takes_memory_by_its_length():
    n_turns = 10_000
    records = [{"item": k, "dialogue": "d", "input": "q"} for k in range(n_turns)]
    lengths = set()

    class Own:
        def respond(self, inputs):
            lengths.add(len(inputs[0].context))
            return [inputs[0].answered("")]

    tracemalloc.start()
    try:
        demur.run(Own(), records, context="dialogue")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert lengths == {*range(n_turns)}
    # The turns before, as pointers, are a third of a gigabyte if all are kept.
    assert peak < n_turns * 4_000


# -- runs that are cut off -------------------------------------------------------------


class Breaking:
    """Answers by what it is told, until it breaks; what is to fail fails."""

    def __init__(self, breaks_at=None, fails=()):
        self.breaks_at, self.fails, self.asked = breaks_at, fails, []
        self.lock = threading.Lock()

    def __str__(self):
        return "breaking"

    def respond(self, inputs):
        with self.lock:
            self.asked += [asked.item for asked in inputs]
            if self.breaks_at is not None and len(self.asked) > self.breaks_at:
                raise KeyboardInterrupt
        return [
            asked.answered("", failed="down")
            if asked.item in self.fails
            else asked.answered("", short(asked.input, asked.context))
            for asked in inputs
        ]


@pytest.mark.parametrize("concurrency", [1, 8])
@pytest.mark.parametrize("rule", [*CONTEXT_RULES])
def test_a_run_goes_on_in_the_middle_of_a_dialogue(tmp_path, rule, concurrency):
    how = {"context": rule, "concurrency": concurrency}
    whole = demur.run(Breaking(), many(), **how)
    for breaks_at in range(0, len(whole), 5):
        path = tmp_path / f"{breaks_at}.jsonl"
        with pytest.raises(KeyboardInterrupt):
            demur.run(Breaking(breaks_at), many(), path=path, **how)
        journal = Path(f"{path}.unfinished")
        kept = journal.read_text().count("\n") - 1 if journal.exists() else 0
        later = Breaking()
        assert demur.run(later, many(), path=path, **how) == whole
        assert len(later.asked) == len(whole) - kept


def test_what_was_said_behind_a_failed_turn_is_asked_again(tmp_path):
    path, records = tmp_path / "r.jsonl", FIVE[:2] + FIVE[3:]
    with pytest.raises(KeyboardInterrupt):
        demur.run(Breaking(3, fails=["q2"]), records, path=path, context="dialogue")
    later = Breaking()
    found = demur.run(later, records, path=path, context="dialogue")
    assert later.asked == ["q2", "q4", "q5"]
    assert found == demur.run(Breaking(), records, context="dialogue")
    assert found.notes == [
        "1 response from before asked again, since a turn before it is"
    ]


def test_an_answer_that_is_older_than_what_was_before_it_does_not_hold(tmp_path):
    """Cut off twice: behind a turn that failed, and behind the same turn mended."""
    path, records = tmp_path / "r.jsonl", FIVE[:2] + FIVE[3:]
    for system in (Breaking(3, fails=["q1"]), Breaking(1)):
        with pytest.raises(KeyboardInterrupt):
            demur.run(system, records, path=path, context="dialogue")
    later = Breaking()
    found = demur.run(later, records, path=path, context="dialogue")
    assert later.asked == ["q2", "q4", "q5"]
    assert found == demur.run(Breaking(), records, context="dialogue")


def test_responses_from_before_hold_up_to_the_first_that_is_missing():
    whole = demur.run(Breaking(), FIVE, context="dialogue")
    for gone in whole:
        keep = [one for one in whole if one is not gone]
        later = Breaking()
        again = demur.run(later, FIVE, context="dialogue", keep=keep[::-1])
        assert again == whole
        assert later.asked == [one.item for one in whole[whole.index(gone) :]]


@pytest.mark.parametrize(
    ("asked", "now"),
    [("dialogue", "excluded"), ("alone", None), (None, "dialogue")],
)
def test_what_was_asked_otherwise_is_not_kept(asked, now):
    def answer(question, context=()):
        return heard(question, context)

    def ask(rule, **how):
        records = FIVE if rule else [(one["item"], one["input"]) for one in FIVE]
        return demur.run(demur.as_system(answer), records, **how)

    kept = ask(asked, context=asked)
    with pytest.raises(demur.InputError, match="response that is kept must be asked"):
        ask(now, context=now, keep=kept)


@pytest.mark.usefixtures("folder")
def test_what_failed_is_asked_again_by_the_command_with_what_is_behind_it():
    Path("moody.py").write_text(
        "seen = []\n"
        "def f(question, context):\n"
        "    seen.append(question)\n"
        "    if seen.count('To Oslo?') == 1 and question == 'To Oslo?':\n"
        "        raise RuntimeError('down')\n"
        "    return question\n"
    )
    command = ["run", "moody:f", "t.jsonl", "-o", "r.jsonl"]
    assert printed_json(*command, "--context", "dialogue")["failed"] == 1
    said = stderr_of(*command, "--retry", "failed")
    assert "r.jsonl:1: a response that is kept must be asked without a context" in said
    again = [*command, "--retry", "failed", "--context", "dialogue"]
    assert printed_json(*again)["failed"] == 0
    assert sys.modules["moody"].seen == [
        *("Flights?", "To Oslo?", "Cheap?", "To Rome?", "To Oslo?", "Cheap?"),
        "To Rome?",
    ]
    sys.modules.pop("moody")


def test_a_journal_belongs_to_its_rule_and_its_turns(tmp_path):
    path = tmp_path / "r.jsonl"
    with pytest.raises(KeyboardInterrupt):
        demur.run(Breaking(1), FIVE, path=path, context="excluded")
    head = json.loads(Path(f"{path}.unfinished").read_text().partition("\n")[0])
    assert head["context"] == "excluded"
    for records, rule, what in (
        (FIVE, "dialogue", "context"),
        ([*FIVE[:4], {**FIVE[4], "dialogue": "e"}], "excluded", "inputs"),
        ([{**FIVE[0], "class": "X"}, *FIVE[1:]], "excluded", "inputs"),
        (FIVE[1:], "excluded", "inputs"),
    ):
        with pytest.raises(demur.InputError, match=rf"of this run \({what}\)"):
            demur.run(Breaking(), records, path=path, context=rule)
    pairs = [(record["item"], record["input"]) for record in FIVE]
    with pytest.raises(demur.InputError, match=r"of this run \(inputs\)"):
        demur.run(Breaking(), pairs, path=path)


# -- programs, addresses and chats -----------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_records(Path("t.jsonl"), [{**r, "reference": "secret"} for r in FIVE])
    return tmp_path


PROGRAM = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    answer = {"item": asked["item"], "response": json.dumps(asked)}
    print(json.dumps(answer), flush=True)
"""


@pytest.mark.usefixtures("folder")
def test_a_program_is_told_the_turns_before():
    Path("told.py").write_text(PROGRAM)
    command = ["run", f"cmd:{sys.executable} told.py", "t.jsonl", "-o", "r.jsonl"]
    told = printed_json(*command, "--context", "dialogue")
    assert (told["context"], told["not_asked"]) == ("dialogue", {"excluded": 1})
    records = [json.loads(r["response"]) for r in read_records("r.jsonl")]
    assert records[0] == {"item": "q1", "input": "Flights?", "context": []}
    assert [turn["state"] for turn in records[2]["context"]] == [
        *("answered", "answered", "not asked"),
    ]
    assert "secret" not in Path("r.jsonl").read_text()
    printed(*command, "--replace")
    records = [json.loads(r["response"]) for r in read_records("r.jsonl")]
    assert records[0] == {"item": "q1", "input": "Flights?"}
    assert len(records) == 5


@pytest.mark.usefixtures("folder")
def test_an_address_is_told_messages():
    def answer(payload, _):
        listed = [{"item": one["item"], "response": [1]} for one in payload["inputs"]]
        return 200, {}, {"responses": listed}

    with server(answer) as (url, posted):
        printed("run", url, "t.jsonl", "-o", "r.jsonl", "--context", "dialogue")
    asked = [one for payload in posted for one in payload["inputs"]]
    assert asked[0]["messages"] == []
    assert asked[2] == {
        "item": "q4",
        "input": "Cheap?",
        "messages": [
            {"role": "user", "content": "Flights?"},
            {"role": "assistant", "content": "[1]"},
            {"role": "user", "content": "To Oslo?"},
            {"role": "assistant", "content": "[1]"},
            {"role": "user", "content": "Do you like me?"},
            {"role": "assistant", "content": "(no answer)"},
        ],
    }


def test_a_chat_is_told_what_was_said_in_the_form_of_its_replies():
    replies = ["Answer: SK4\nConfidence: 80 %", "Answer: I don't know", "Answer: SK5"]

    def answer(_, number):
        return 200, {}, completion(replies[min(number, 3) - 1])

    with server(answer) as (url, posted):
        system = demur.as_system(f"chat:m@{url}", system_role="You book flights.")
        demur.run(system, FIVE, context="dialogue")
    turns = [(one["role"], one["content"]) for one in posted[2]["messages"]]
    assert turns[0] == ("system", "You book flights.")
    assert turns[1:-1] == [
        ("user", "Question: Flights?"),
        ("assistant", "Answer: SK4\nConfidence: 80 %"),
        ("user", "Question: To Oslo?"),
        ("assistant", "Answer: I don't know"),
        ("user", "Question: Do you like me?"),
        ("assistant", "(no answer)"),
    ]
    assert turns[-1][0] == "user"
    assert turns[-1][1].startswith("Answer the question.")
    assert turns[-1][1].endswith("Question: Cheap?")
    assert [one["role"] for one in posted[0]["messages"]] == ["system", "user"]


def test_a_chat_refuses_words_that_it_cannot_be_told_before_it_is_asked():
    odd = [*FIVE[:2], {**FIVE[2], "input": {"question": "?"}}, *FIVE[3:]]
    system = demur.as_system("chat:m@http://127.0.0.1:9/v1")
    with pytest.raises(demur.InputError, match="item 'q3'"):
        demur.run(system, odd, context="dialogue")


@pytest.mark.usefixtures("folder")
def test_the_command_refuses_what_it_cannot_ask():
    Path("t.jsonl").write_text('{"item": 1, "input": "a", "excluded": "perhaps"}\n')
    Path("told.py").write_text(PROGRAM)
    command = ["run", f"cmd:{sys.executable} told.py", "t.jsonl", "-o", "r.jsonl"]
    said = stderr_of(*command, "--context", "dialogue")
    assert said.startswith("demur: t.jsonl:1: excluded must be true or false; got")
    assert "--context" in stderr_of(*command, "--context", "all", code=2)
    assert printed(*command).startswith("1 items: 1 answered")


def _lines(path):
    with suppress(FileNotFoundError):
        return Path(path).read_bytes().count(b"\n")
    return 0


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.usefixtures("folder")
def test_a_run_that_is_killed_in_a_dialogue_says_the_same_in_the_end():
    Path("talks.py").write_text(
        "import itertools, random, time\n"
        "calls = itertools.count(1)\n"
        "def f(question, context):\n"
        "    while next(calls) >= 20:\n"
        "        time.sleep(60)\n"
        "    told = repr([tuple(turn) for turn in context])\n"
        "    return random.Random(told + question).randrange(10**6)\n"
    )
    records = many(4, 12)
    write_records(Path("many.jsonl"), records)
    whole = demur.run(demur.as_system(short), records, context="dialogue")
    command = [sys.executable, "-m", "demur", "run", "talks:f", "many.jsonl"]
    command += ["-o", "r.jsonl", "--context", "dialogue", "--concurrency", "2"]
    kills = 0
    for _ in range(20):
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        before = _lines("r.jsonl.unfinished")
        while process.poll() is None and _lines("r.jsonl.unfinished") < before + 12:
            time.sleep(0.01)
        if process.poll() is not None:
            break
        process.send_signal(signal.SIGKILL)
        process.wait()
        kills += 1
    assert process.returncode == 0
    assert kills >= 1
    found = [one["response"] for one in read_records("r.jsonl")]
    assert found == [one.response for one in whole]
