"""Pipelines on an executor: the same outputs, and modules that fail are the same."""

from concurrent.futures import ThreadPoolExecutor

import pytest

import demur
from demur.pipelines import engine
from executor_cases import EXECUTORS, Cancelling, processes
from pipeline_cases import (
    fails_first,
    nlu,
    one_turn_dialogues,
    pipeline,
    pipeline_of,
    random_dialogues,
    sure_word,
    target_dialogues,
)

DIALOGUES = target_dialogues(random_dialogues(11, 80))
FULL = target_dialogues(random_dialogues(3, 40, gaps=False))

CONFIGURATIONS = {
    "as it is": {},
    "free": {"state": "free"},
    "by a source": {"given": {"nlu": "one"}},
    "by a source, free": {"given": {"tracker": "two"}, "state": "free"},
    "by a module": {"given": {"nlu": demur.as_module(sure_word, name="other")}},
    "by the target": {"given": {"nlu": "target", "tracker": "one"}},
    "from the run as reference": {"target": "reference_run", "given": {"nlu": "one"}},
}


def outputs(run: demur.PipelineRun) -> list[object]:
    return [run.outputs(name) for name in ("nlu", "tracker", "policy")] + [
        run.to_dict(),
        run.signature,
    ]


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_shares_change_no_output(name, monkeypatch):
    how = CONFIGURATIONS[name]
    alone = outputs(demur.run_pipeline(pipeline(), DIALOGUES, **how))
    for shares in (1, 7, 80):
        monkeypatch.setattr(engine, "SHARES", shares)
        with ThreadPoolExecutor(2) as executor:
            running = demur.Running(executor=executor)
            run = demur.run_pipeline(pipeline(), DIALOGUES, running=running, **how)
        assert outputs(run) == alone


@pytest.mark.parametrize("name", ["three threads", "two processes"])
def test_no_number_of_workers_changes_an_output(name):
    alone = demur.evaluate_pipeline(pipeline(), FULL, replace="tracker")
    with EXECUTORS[name]() as executor:
        running = demur.Running(executor=executor)
        found = demur.evaluate_pipeline(
            pipeline(), FULL, replace="tracker", running=running
        )
    assert found.to_dict() == alone.to_dict()
    assert found.signature == alone.signature


def test_other_verbs_take_it_too():
    with ThreadPoolExecutor(2) as executor:
        running = demur.Running(executor=executor)
        for verb in (
            lambda **how: demur.attribute_loss(pipeline(), FULL, **how),
            lambda **how: demur.sweep_cutoff(SURE, SURE_DIALOGUES, module="nlu", **how),
        ):
            assert verb(running=running).to_dict() == verb().to_dict()


SURE = pipeline_of(nlu=sure_word, dm=nlu)
SURE_DIALOGUES = one_turn_dialogues("abcdcba", "dm")


def test_what_was_found_in_one_run_is_used_in_the_next():
    counted = Counted()
    modules = pipeline_of(nlu=nlu, dm=counted)
    with ThreadPoolExecutor(1) as executor:
        demur.evaluate_pipeline(
            modules,
            FULL_OF_TWO,
            replace="nlu",
            running=demur.Running(executor=executor),
        )
    elsewhere, counted.calls = counted.calls, 0
    demur.evaluate_pipeline(modules, FULL_OF_TWO, replace="nlu")
    assert elsewhere == counted.calls


class Counted:
    """Counts what it is asked."""

    calls = 0

    def step(self, state, given):
        self.calls += 1
        return [f"re.{given}"], (state or 0) + 1

    def observe(self, state, given, output):
        self.calls += 1
        return (state or 0) + 1


FULL_OF_TWO = [
    demur.TargetDialogue(
        dialogue.dialogue,
        [
            demur.TargetTurn(
                input=turn.input,
                target={"nlu": turn.target["nlu"], "dm": [f"re.{turn.target['nlu']}"]},
                annotations={"one": {"nlu": turn.annotations["one"]["nlu"]}},
            )
            for turn in dialogue.turns
        ],
    )
    for dialogue in FULL
]


def test_steps_are_kept_in_the_same_file(tmp_path):
    alone = demur.run_pipeline(pipeline(), DIALOGUES).outputs("policy")
    with ThreadPoolExecutor(2) as executor:
        running = demur.Running(executor=executor, cache=tmp_path / "steps.sqlite")
        for _ in range(2):
            run = demur.run_pipeline(pipeline(), DIALOGUES, running=running)
            assert run.outputs("policy") == alone


def test_progress_counts_turns():
    seen = []
    with ThreadPoolExecutor(2) as executor:
        running = demur.Running(
            executor=executor, progress=lambda *now: seen.append(now)
        )
        demur.run_pipeline(pipeline(), DIALOGUES, running=running)
    n_turns = sum(len(dialogue.turns) for dialogue in DIALOGUES)
    assert seen[-1] == (n_turns, n_turns)
    assert seen == sorted(set(seen))


@pytest.mark.parametrize("shares", [1, 2, 50])
@pytest.mark.parametrize("n_failing", [19, 20, 50])
def test_a_module_that_fails_from_the_start_ends_the_run(
    shares, n_failing, monkeypatch
):
    monkeypatch.setattr(engine, "SHARES", shares)
    dialogues = one_turn_dialogues(
        [f"fail {number}" for number in range(n_failing)] + ["a"] * (50 - n_failing)
    )
    ends = []
    for executor in (None, ThreadPoolExecutor(2)):
        running = demur.Running(executor=executor)
        try:
            run = demur.run_pipeline(
                pipeline_of(reply=fails_first), dialogues, running=running
            )
            ends.append(run.failed)
        except demur.RunError as problem:
            ends.append(str(problem))
    assert ends[0] == ends[1]
    assert isinstance(ends[0], str) == (n_failing >= 20)


def test_late_failures_end_no_run(monkeypatch):
    monkeypatch.setattr(engine, "SHARES", 2)
    dialogues = one_turn_dialogues(["a"] * 30 + ["fail"] * 30)
    with ThreadPoolExecutor(2) as executor:
        running = demur.Running(executor=executor)
        run = demur.run_pipeline(
            pipeline_of(reply=fails_first), dialogues, running=running
        )
    assert run.failed == 30


def test_what_cannot_be_sent_or_was_lost_is_said():
    lost = pytest.raises(demur.RunError, match="pipeline: the executor lost")
    with processes(1) as executor, lost as raised:
        demur.run_pipeline(
            pipeline_of(reply=lambda text: [text]),
            one_turn_dialogues("ab"),
            running=demur.Running(executor=executor),
        )
    assert "at the top of a module" in str(raised.value)
    with lost:
        demur.run_pipeline(
            pipeline(), DIALOGUES, running=demur.Running(executor=Cancelling())
        )


def test_threads_of_our_own_and_an_executor_are_too_much():
    with pytest.raises(demur.InputError, match="Running: concurrency must be left out"):
        demur.Running(executor=Cancelling(), concurrency=8)
    with pytest.raises(demur.InputError, match="Running: executor must be an Executor"):
        demur.Running(executor=8)
