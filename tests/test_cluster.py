"""The same results from the executor of a cluster: Dask's, on this machine."""

import pytest

import demur
from demur.executors import in_order
from executor_cases import capital, cluster, squared
from pipeline_cases import pipeline, random_dialogues, target_dialogues
from sql_cases import COUNT, EXPECTED, ask, sqlite_file


@pytest.fixture(scope="module")
def executor():
    with cluster() as dask:
        yield dask


def test_results_come_in_the_order_of_the_jobs(executor):
    found = list(in_order("here", squared, range(100), executor))
    assert found == [number * number for number in range(100)]


def test_draws_are_the_same(executor):
    sure = [number % 97 / 97 for number in range(400)]
    a, b = (
        demur.Outcomes.from_arrays(
            correct=[number % every > 0 for number in range(400)], confidence=sure
        )
        for every in (3, 4)
    )
    alone = demur.compare(a, b, method="bootstrap", seed=3)
    found = demur.compare(a, b, method="bootstrap", seed=3, executor=executor)
    assert found.to_dict() == alone.to_dict()


def test_responses_are_the_same(executor):
    system = demur.as_system(capital)
    inputs = [(number, "?" * (number % 9 == 4) + "xy") for number in range(60)]
    alone = demur.run(system, inputs)
    assert list(demur.run(system, inputs, executor=executor)) == list(alone)


def test_errors_are_the_same(executor):
    with pytest.raises(demur.RunError, match="the first 20 inputs all failed"):
        demur.run(
            demur.as_system(capital),
            [(number, "?") for number in range(100)],
            executor=executor,
        )


def test_outputs_of_pipelines_are_the_same(executor):
    dialogues = target_dialogues(random_dialogues(11, 12))
    how = {"given": {"nlu": "one"}, "state": "free"}
    alone = demur.run_pipeline(pipeline(), dialogues, **how)
    running = demur.Running(executor=executor)
    run = demur.run_pipeline(pipeline(), dialogues, running=running, **how)
    assert run.outputs("policy") == alone.outputs("policy")


def test_queries_give_the_same(executor, tmp_path):
    database = sqlite_file(tmp_path / "fares.sqlite")
    how = {"workers": None, "executor": executor}
    [result, failure] = ask(database, COUNT, "SELECT nothing", **how)
    assert result.rows() == EXPECTED
    assert failure == ask(database, "SELECT nothing")[0]
