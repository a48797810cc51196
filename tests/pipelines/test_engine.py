"""What happens inside a run: failures, time, caches, threads, interruptions."""

import os
import signal
import subprocess
import sys
import threading
import time
from types import SimpleNamespace
from typing import ClassVar

import pytest

import demur
from builders import refuses
from pipeline_cases import (
    one_turn_dialogues,
    pipeline,
    pipeline_of,
    random_dialogues,
    target_dialogues,
)


def single(step, **options):
    return demur.Pipeline.of([demur.as_module(step, name="reply", **options)])


def test_a_module_that_raises_has_failed_at_that_turn_and_no_other():
    def reply(text):
        if text == "b":
            raise ValueError("no\nidea")
        return [text]

    found = demur.run_pipeline(single(reply), one_turn_dialogues("abc"))
    outcomes = found.outcomes()
    assert outcomes.to_columns()["outcome"] == ["right", "unanswered", "right"]
    assert outcomes.column("reason")[1] == "reply: ValueError: no idea"
    assert found.failed == 1


@pytest.mark.parametrize("name", ["concurrency", "repeats"])
@pytest.mark.parametrize("number", [0, -1, 1.5, "2", True, None])
def test_how_often_is_a_whole_number_from_one(name, number):
    refuses(f"{name} must be a whole number from 1", demur.Running, **{name: number})
    assert getattr(demur.Running(**{name: 1}), name) == 1


@pytest.mark.parametrize(
    ("n_repeats", "stochastic"), [(1, True), (3, True), (2, False)]
)
def test_repeats_are_numbered_if_there_are_several(n_repeats, stochastic):
    said = iter("abcabcabc")
    reply = (lambda _: [next(said)]) if stochastic else (lambda _: ["a"])
    found = demur.run_pipeline(
        single(reply, stochastic=stochastic),
        one_turn_dialogues("ab"),
        running=demur.Running(repeats=n_repeats),
    )
    outcomes = found.outcomes()
    numbers = [str(number + 1) for number in range(n_repeats) for _ in range(2)]
    several = n_repeats > 1
    assert (outcomes.repeat is not None) == several
    assert not several or outcomes.repeat.tolist() == numbers
    assert outcomes.item.tolist() == ["d0:1", "d1:1"] * n_repeats
    assert (f"repeats:{n_repeats}" in found.signature) == several


@pytest.mark.parametrize(
    ("acts", "reason", "code"),
    [
        (["x", "y"], "2 of 2 acts, and 0 others", "equal"),
        (["x", "y", "z"], "2 of 2 acts, and 1 others", "partly_equal"),
        (["x"], "1 of 2 acts, and 0 others", "partly_equal"),
        (["z"], "0 of 2 acts, and 1 others", "differs"),
        ([], "0 of 2 acts, and 0 others", "no_answer"),
        ([{"a": {}}], "the response is no set of acts", "not_an_answer"),
    ],
)
def test_a_turn_says_why_it_has_its_credit(acts, reason, code):
    turn = demur.TargetTurn(input="a", target={"reply": ["x", "y"]})
    dialogues = [demur.TargetDialogue("d", [turn])]
    outcomes = demur.run_pipeline(single(lambda _: acts), dialogues).outcomes()
    assert outcomes.reason.tolist() == [reason]
    assert outcomes.reason_code.tolist() == [code]


def test_a_step_that_is_no_pair_and_acts_that_are_no_acts_are_recorded():
    class Odd:
        def step(self, state, text):
            return [text, state] if text == "b" else ([{"not": "an act"}], state)

        def observe(self, state, text, output):
            return state

    found = demur.run_pipeline(single(Odd()), one_turn_dialogues("ab")).outcomes()
    assert found.to_columns()["outcome"] == ["wrong", "unanswered"]
    assert found.column("reason")[0] == "the response is no set of acts"
    assert "a step gives (output, state)" in found.column("reason")[1]


def test_garbage_is_no_silence_of_a_pipeline_that_declines():
    found = demur.run_pipeline(single(lambda _: [{"a": 1}]), one_turn_dialogues("a"))
    assert found.outcomes().to_columns()["outcome"] == ["wrong"]


@pytest.fixture
def hang(monkeypatch):
    """Called by a step, it hangs: its time is over then, and that of no other step."""
    end, hanging = threading.Event(), set()

    class Step(threading.Thread):
        def join(self, timeout=None):
            hang.seconds.add(timeout)
            while self.is_alive() and self not in hanging:
                super().join(0.001)

    def hang():
        hanging.add(threading.current_thread())
        end.wait(60)

    hang.seconds = set()
    steps = SimpleNamespace(**{**vars(threading), "Thread": Step})
    monkeypatch.setattr("demur.pipelines.kept_steps.threading", steps)
    yield hang
    end.set()


def test_a_step_has_as_many_seconds_as_were_said():
    end = threading.Event()
    steps = single(lambda _: end.wait(60), timeout=0.01)
    found = demur.run_pipeline(steps, one_turn_dialogues("a"))
    end.set()
    assert found.outcomes().column("reason")[0].endswith("no answer in 0.01 s")


def test_a_module_that_hangs_is_left_behind(hang):
    def reply(text):
        if text == "b":
            hang()
        return [text]

    found = demur.run_pipeline(single(reply, timeout=0.2), one_turn_dialogues("abc"))
    assert hang.seconds == {0.2}
    reasons = found.outcomes().column("reason").tolist()
    assert reasons[1] == "reply: TimeoutError: no answer in 0.2 s"
    assert found.outcomes().to_columns()["outcome"] == ["right", "unanswered", "right"]


def test_too_many_steps_left_behind_end_the_run(hang):
    def reply(text):
        if text != "first":
            hang()
        return [text]

    dialogues = one_turn_dialogues(["first", *(str(n) for n in range(60))])
    with pytest.raises(demur.RunError, match=r"50 steps took longer than 0\.01 s"):
        demur.run_pipeline(single(reply, timeout=0.01), dialogues)


def test_what_a_step_raises_in_its_thread_is_recorded():
    def reply(text):
        raise KeyError(text)

    found = demur.run_pipeline(single(reply, timeout=5), one_turn_dialogues("a"))
    assert found.outcomes().column("reason")[0] == "reply: KeyError: 'a'"


def test_a_module_that_only_fails_ends_the_run_with_its_reason():
    def reply(text):
        raise ConnectionError("refused")

    dialogues = one_turn_dialogues(map(str, range(30)))
    with pytest.raises(demur.RunError, match=r"first 20 steps all failed: .* refused"):
        demur.run_pipeline(single(reply), dialogues)


def test_failures_after_a_success_do_not_end_the_run():
    def reply(text):
        if text != "0":
            raise ConnectionError("refused")
        return [text]

    found = demur.run_pipeline(single(reply), one_turn_dialogues(map(str, range(40))))
    assert found.failed == 39


def test_a_target_that_a_module_cannot_follow_is_named():
    class Strict:
        def step(self, state, text):
            return [text], state

        def observe(self, state, text, output):
            raise ValueError("unknown act")

    turns = [demur.TargetTurn(input="a", target={"reply": ["x"]})]
    with pytest.raises(demur.RunError, match=r"d:1: module 'reply' cannot follow .*x"):
        demur.run_pipeline(single(Strict()), [demur.TargetDialogue("d", turns)])


def test_a_module_hands_on_nothing_if_it_declines_and_its_guess_is_kept_for_sweeps():
    def nlu(text):
        return demur.Response(item="", response=text, confidence=0.3, declined=True)

    heard = []
    two = pipeline_of(nlu=nlu, reply=lambda act: heard.append(act) or [])
    demur.run_pipeline(two, one_turn_dialogues("a"))
    assert heard == [None]


@pytest.mark.parametrize("state", ["corrected", "free"])
def test_threads_change_nothing(state):
    dialogues = target_dialogues(random_dialogues(11, 30))
    one, many = (
        demur.run_pipeline(
            pipeline(),
            dialogues,
            state=state,
            running=demur.Running(concurrency=concurrency),
        )
        for concurrency in (1, 8)
    )
    assert one.outputs("policy") == many.outputs("policy")


def test_slow_modules_are_asked_at_the_same_time():
    most, now, lock = [0], [0], threading.Lock()
    eight = threading.Barrier(8, timeout=60)

    def reply(text):
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        eight.wait()
        with lock:
            now[0] -= 1
        return [text]

    dialogues = one_turn_dialogues(map(str, range(40)))
    for state in ("corrected", "free"):
        most[0] = 0
        running = demur.Running(concurrency=8)
        demur.run_pipeline(single(reply), dialogues, state=state, running=running)
        assert most[0] == 8


def test_progress_counts_turns():
    seen = []
    running = demur.Running(progress=lambda done, count: seen.append((done, count)))
    demur.run_pipeline(
        single(lambda t: [t]), one_turn_dialogues("abc"), running=running
    )
    assert seen == [(1, 3), (2, 3), (3, 3)]


class Careful:
    """Leaves all it is given as it was."""

    def step(self, state, given):
        return [given["word"]], {"said": [*(state or {"said": []})["said"], 1]}

    def observe(self, state, given, output):
        return state or {"said": []}


class ChangesState(Careful):
    def step(self, state, given):
        state = state or {"said": []}
        state["said"].append(given["word"])
        return ["x"], state


class ChangesInput(Careful):
    def step(self, state, given):
        given["word"] = "changed"
        return ["x"], state


class ChangesAndFails(Careful):
    def step(self, state, given):
        given["word"] = "changed"
        raise ValueError


class ChangesOutput(Careful):
    def observe(self, state, given, output):
        output.append("changed")
        return state


class SameObject(Careful):
    acts: ClassVar[list[str]] = []

    def step(self, state, given):
        self.acts[:] = [given["word"]]
        return self.acts, state


@pytest.mark.parametrize(
    ("kind", "state", "said"),
    [
        (ChangesState, "free", "changes its state or input in place"),
        (ChangesInput, "corrected", "changes its state or input in place"),
        (ChangesAndFails, "corrected", "changes its state or input in place"),
        (ChangesOutput, "corrected", "changes its state or input in place"),
        (SameObject, "corrected", "puts out one object again and again"),
        (Careful, "free", None),
        (Careful, "corrected", None),
    ],
)
def test_a_module_that_changes_what_others_are_given_is_named(kind, state, said):
    turns = [
        demur.TargetTurn(input={"word": word}, target={"reply": [word]})
        for word in "abc"
    ]
    built = pipeline_of(reply=kind())
    dialogues = [demur.TargetDialogue("d", turns)]
    if said is None:
        assert demur.run_pipeline(built, dialogues, state=state).strict == 1
        return
    with pytest.raises(demur.RunError, match=f"module 'reply' {said}"):
        demur.run_pipeline(built, dialogues, state=state)


def test_one_output_may_be_put_out_again():
    acts = ["again"]
    built = single(lambda text: acts)
    found = demur.run_pipeline(built, one_turn_dialogues("abc"))
    assert found.outputs("reply") == [["again"]] * 3


def test_states_that_are_no_plain_data_are_handed_on():
    class Odd:
        def step(self, state, given):
            count = (state[0] if state else 0) + 1
            return [str(count)], (count, threading.Lock())

        def observe(self, state, given, output):
            return state

    built = pipeline_of(reply=Odd())
    turns = [demur.TargetTurn(input="a", target={"reply": ["1"]})] * 3
    found = demur.run_pipeline(built, [demur.TargetDialogue("d", turns)], state="free")
    assert found.outputs("reply") == [["1"], ["2"], ["3"]]


def test_a_module_that_ends_the_process_has_failed():
    def reply(text):
        if text == "b":
            raise SystemExit("usage")
        return [text]

    for timeout in (None, 5):
        one = single(reply, timeout=timeout)
        found = demur.run_pipeline(one, one_turn_dialogues("ab")).outcomes()
        assert found.column("reason")[1] == "reply: SystemExit: usage"


# -- kept steps ------------------------------------------------------------------------


def test_a_second_run_asks_nothing_and_a_substitution_only_what_changes(tmp_path):
    asked = []

    def step(name):
        def answer(given):
            asked.append(name)
            return [f"{name}.{given}"]

        return answer

    def build(version):
        return demur.Pipeline.of(
            [
                demur.as_module(step("nlu"), name="nlu", version="1"),
                demur.as_module(step("dm"), name="dm", version=version),
            ]
        )

    turns = [
        demur.TargetTurn(
            input=word,
            target={"nlu": ["x"], "dm": ["y"]},
            annotations={"s": {"nlu": ["nlu.a"]}},
        )
        for word in ("a", "b")
    ]
    dialogues = [demur.TargetDialogue("d", turns)]
    running = demur.Running(cache=tmp_path / "steps.sqlite")
    first = demur.run_pipeline(build("1"), dialogues, running=running)
    assert asked == ["nlu", "dm", "nlu", "dm"]
    again = demur.run_pipeline(build("1"), dialogues, running=running)
    assert len(asked) == 4
    assert again.outputs("dm") == first.outputs("dm")
    demur.run_pipeline(build("1"), dialogues, given={"nlu": "s"}, running=running)
    assert len(asked) == 4, "both turns now get what the first one got"
    demur.run_pipeline(build("2"), dialogues, running=running)
    assert asked[4:] == ["dm", "dm"]


def test_kept_steps_keep_confidence_declining_and_state(tmp_path):
    class Unsure:
        def step(self, state, text):
            count = (state or 0) + 1
            return (
                demur.Response(
                    item="", response=count, confidence=0.25, declined=count > 1
                ),
                count,
            )

        def observe(self, state, text, output):
            return (state or 0) + 1

    two = demur.Pipeline.of(
        [
            demur.as_module(Unsure(), name="nlu", compare="whole", version="1"),
            demur.as_module(lambda x: [str(x)], name="dm", version="1"),
        ]
    )
    turns = [demur.TargetTurn(input="a", target={"nlu": 1, "dm": ["1"]})] * 3
    dialogues = [demur.TargetDialogue("d", turns)]
    running = demur.Running(cache=tmp_path / "steps.sqlite")
    runs = [
        demur.run_pipeline(two, dialogues, state="free", running=each)
        for each in (demur.Running(), running, running)
    ]
    assert [each.outputs("dm") for each in runs] == [[["1"], ["None"], ["None"]]] * 3
    sweeps = [
        demur.sweep_cutoff(two, dialogues, module="nlu", running=each).points
        for each in (demur.Running(), running, running)
    ]
    assert sweeps[0] == sweeps[1] == sweeps[2]


def test_what_a_module_observes_is_kept_too(tmp_path):
    calls = []

    class Watched:
        def step(self, state, given):
            calls.append("step")
            return [given], [*(state or []), given]

        def observe(self, state, given, output):
            calls.append("observe")
            return [*(state or []), *(output or ["nothing"])]

    one = single(Watched(), version="1")
    turns = [demur.TargetTurn(input=word, target={"reply": [word]}) for word in "abc"]
    turns[1] = demur.TargetTurn(input="b", target={"reply": None})
    dialogues = [demur.TargetDialogue("d", turns)]
    running = demur.Running(cache=tmp_path / "steps.sqlite")
    plain = demur.run_pipeline(one, dialogues).outputs("reply")
    calls.clear()
    for _ in range(2):
        found = demur.run_pipeline(one, dialogues, running=running)
        assert found.outputs("reply") == plain
    assert sorted(calls) == ["observe"] * 3 + ["step"] * 3


def test_observing_is_limited_in_time_too(hang):
    class Slow:
        def step(self, state, given):
            return [given], state

        def observe(self, state, given, output):
            hang()

    turns = [demur.TargetTurn(input="a", target={"reply": ["a"]})] * 2
    with pytest.raises(demur.RunError, match=r"cannot follow .* no answer in 0\.1 s"):
        demur.run_pipeline(
            single(Slow(), timeout=0.1), [demur.TargetDialogue("d", turns)]
        )
    assert hang.seconds == {0.1}


def test_failures_are_not_kept(tmp_path):
    calls = []

    def reply(text):
        calls.append(text)
        if len(calls) == 1:
            raise ConnectionError("refused")
        return [text]

    one = single(reply, version="1")
    running = demur.Running(cache=tmp_path / "steps.sqlite")
    results = [
        demur.run_pipeline(one, one_turn_dialogues("a"), running=running).failed
        for _ in range(3)
    ]
    assert results == [1, 0, 0]
    assert calls == ["a", "a"]


def test_keeping_needs_a_version_and_plain_data(tmp_path):
    running = demur.Running(cache=tmp_path / "steps.sqlite")
    with pytest.raises(
        demur.InputError, match="'reply': what is kept must have a version"
    ):
        demur.run_pipeline(single(str), one_turn_dialogues("a"), running=running)
    odd = single(lambda text: [{1, 2}], version="1")
    with pytest.raises(demur.RunError, match="must be plain data"):
        demur.run_pipeline(odd, one_turn_dialogues("a"), running=running)


def test_repeats_of_stochastic_modules_are_runs_of_their_own(tmp_path):
    said = iter("abab")
    module = demur.as_module(
        lambda _: [next(said)], name="reply", version="1", stochastic=True
    )
    one = demur.Pipeline.of([module])
    running = demur.Running(repeats=4, cache=tmp_path / "steps.sqlite")
    dialogues = one_turn_dialogues("a")
    for _ in range(2):  # the second time from the file
        found = demur.run_pipeline(one, dialogues, running=running)
        outcomes = found.outcomes()
        assert outcomes.column("repeat").tolist() == ["1", "2", "3", "4"]
        assert outcomes.to_columns()["outcome"] == ["right", "wrong"] * 2
        assert (found.items, found.strict) == (4, 0.5)


def test_repeats_widen_intervals_by_the_chance_in_a_module():
    """Of one item with a fair coin, ten repeats tell what one does not."""
    import random

    rng = random.Random(3)
    coin = demur.as_module(
        lambda text: [text if rng.random() < 0.5 else "no"],
        name="dm",
        stochastic=True,
    )
    two = demur.Pipeline.of([demur.as_module(str.lower, name="nlu"), coin])
    turns = [demur.TargetTurn(input="a", target={"nlu": "a", "dm": ["a"]})]
    dialogues = [demur.TargetDialogue(f"d{n}", turns) for n in range(40)]
    widths = []
    for repeats in (1, 10):
        found = demur.evaluate_pipeline(
            two,
            dialogues,
            replace="nlu",
            states=["corrected"],
            running=demur.Running(repeats=repeats),
        )
        rate = found.row("target").strict
        widths.append(rate.high - rate.low)
        assert rate.low < 0.5 < rate.high
    assert 0.2 < widths[1] / widths[0] < 0.6  # about 1 / sqrt(10) of the width


KILLED = """
import sys, time
import demur

def reply(text):
    with open(sys.argv[2], "a") as file:
        file.write(text + "\\n")
    while text == "20" and sys.argv[3] == "wait":
        time.sleep(1)
    return [text]

turns = [demur.TargetTurn(input=str(n), target={"reply": [str(n)]}) for n in range(40)]
pipeline = demur.Pipeline.of([demur.as_module(reply, name="reply", version="1")])
running = demur.Running(cache=sys.argv[1])
dialogues = [demur.TargetDialogue("d", turns)]
found = demur.run_pipeline(pipeline, dialogues, running=running)
print(found.items, found.strict)
"""


def test_a_killed_run_goes_on_where_it_was(tmp_path):
    program = [sys.executable, "-c", KILLED]
    program += [str(tmp_path / "steps.sqlite"), str(tmp_path / "asked")]
    process = subprocess.Popen([*program, "wait"])
    deadline = time.monotonic() + 60
    asked = tmp_path / "asked"
    while not asked.exists() or len(asked.read_text().split()) < 21:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    before = len(asked.read_text().split())
    assert before == 21
    done = subprocess.run(
        [*program, "go on"], capture_output=True, text=True, check=True
    )
    assert done.stdout == "40 1.0\n"
    again = asked.read_text().split()
    assert len(again) <= 40 + 1, "at most the step that was at work is made twice"
    assert sorted(set(again), key=int) == [str(n) for n in range(40)]
