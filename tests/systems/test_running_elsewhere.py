"""A system that is asked by an executor: the same responses, in the same order."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

import demur
from executor_cases import EXECUTORS, Cancelling, capital, processes

INPUTS = [
    (f"q{number}", "?" * (number % 7 == 3) + "x" * (number % 5)) for number in range(90)
]


@pytest.mark.parametrize("name", EXECUTORS)
def test_no_number_of_workers_changes_a_response(name, tmp_path):
    system = demur.as_system(capital, name="atlas")
    alone = demur.run(system, INPUTS)
    assert sum(bool(answer.failed) for answer in alone) == 13
    seen = []
    with EXECUTORS[name]() as executor:
        answers = demur.run(
            system,
            INPUTS,
            executor=executor,
            batch=4,
            path=tmp_path / "answers.jsonl",
            progress=lambda done, of: seen.append((done, of)),
        )
    assert list(answers) == list(alone)
    assert seen[-1] == (90, 90)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    lines = (tmp_path / "answers.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["item"] for line in lines] == [item for item, _ in INPUTS]


def test_a_run_that_loses_a_worker_goes_on_where_it_was(tmp_path):
    path, system = tmp_path / "answers.jsonl", demur.as_system(capital, name="atlas")
    with pytest.raises(demur.RunError, match="run: the executor lost"):
        demur.run(system, INPUTS, path=path, executor=Cancelling())
    assert not path.exists()
    with ThreadPoolExecutor(2) as pool:
        assert len(demur.run(system, INPUTS, path=path, executor=pool)) == 90


def test_too_many_failures_end_a_run_there_too():
    with (
        ThreadPoolExecutor(2) as pool,
        pytest.raises(demur.RunError, match="all failed"),
    ):
        demur.run(
            demur.as_system(capital),
            [(number, "?") for number in range(200)],
            executor=pool,
        )


def test_what_cannot_be_sent_is_said():
    system = demur.as_system(lambda text: text)
    with processes(1) as executor, pytest.raises(demur.RunError, match="at the top of"):
        demur.run(system, INPUTS, executor=executor)


def test_threads_of_our_own_and_an_executor_are_too_much():
    with pytest.raises(demur.InputError, match="run: concurrency must be left out"):
        demur.run(
            demur.as_system(capital), INPUTS, executor=Cancelling(), concurrency=2
        )
