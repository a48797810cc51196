"""Work on an executor: the same results, in their order, and nothing is lost unsaid."""

import pickle
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import demur
from demur.errors import InputError, MissingExtra, ParseError, RunError, UndefinedRate
from demur.executors import OPEN, as_done, check_alone, check_executor, in_order
from executor_cases import EXECUTORS, Backwards, Cancelling, die, processes, squared


def refused(number: int) -> int:
    if number == 3:
        raise InputError("here", "a number", "not be 3", "3", "Take 4.")
    return number


def broken(number: int) -> float:
    return 1 / (number - 3)


@pytest.mark.parametrize("name", EXECUTORS)
def test_results_come_in_the_order_of_the_jobs(name):
    with EXECUTORS[name]() as executor:
        found = list(in_order("here", squared, range(200), executor))
    assert found == [number * number for number in range(200)]


def test_the_order_of_work_makes_no_difference():
    assert list(in_order("here", squared, range(200), Backwards())) == [
        number * number for number in range(200)
    ]


def test_jobs_are_read_as_there_is_room():
    read = []

    def jobs():
        for number in range(1000):
            read.append(number)
            yield number

    results = in_order("here", squared, jobs(), Backwards())
    assert [next(results), len(read)] == [0, OPEN]
    assert [next(results), len(read)] == [1, OPEN + 1]
    results.close()
    assert len(read) == OPEN + 1


def test_what_nobody_waits_for_any_more_is_dropped():
    begun, gate = [], threading.Event()

    def slow(number):
        begun.append(number)
        return number == 0 or gate.wait()

    with ThreadPoolExecutor(1) as pool:
        results = in_order("here", slow, range(50), pool)
        next(results)
        results.close()
        gate.set()
    assert len(begun) <= 2


def test_what_is_done_first_comes_first():
    gates = [threading.Event() for _ in range(3)]

    def waits(number):
        gates[number].wait()
        return number

    with ThreadPoolExecutor(3) as pool:
        results = as_done("here", waits, range(3), pool)
        gates[2].set()
        found = [next(results)]
        gates[0].set()
        found.append(next(results))
        gates[1].set()
        assert [*found, *results] == [2, 0, 1]


def test_an_executor_says_itself_how_many_there_are():
    pool = Backwards()
    for number in (None, 1):
        check_alone("run", pool, "concurrency", number)
    with pytest.raises(InputError, match=r"concurrency must be left out.*got 2"):
        check_alone("run", pool, "concurrency", 2)
    with pytest.raises(InputError, match="executor must be an Executor"):
        check_alone("run", 7, "concurrency", 1)


@pytest.mark.parametrize("name", ["a thread", "a process"])
def test_an_error_of_ours_is_the_same_error(name):
    with pytest.raises(InputError) as here:
        list(in_order("here", refused, range(9), None))
    with EXECUTORS[name]() as executor, pytest.raises(InputError) as there:
        list(in_order("here", refused, range(9), executor))
    assert str(there.value) == str(here.value)
    assert there.value.hint == "Take 4."


def test_what_a_function_raises_is_what_is_raised():
    with ThreadPoolExecutor(1) as pool, pytest.raises(ZeroDivisionError):
        list(in_order("here", broken, range(9), pool))


@pytest.mark.parametrize(
    "error",
    [
        demur.errors.DemurError("a \n b"),
        InputError("where", "what", "must", "got", "hint"),
        ParseError("where", "what", "must", "got"),
        UndefinedRate("there is none.", where="curve"),
        MissingExtra("plot", "a picture"),
        MissingExtra("torch", "a model", package=True),
        RunError("it failed"),
    ],
)
def test_errors_are_the_same_after_a_journey(error):
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error)
    assert str(back) == str(error)
    assert vars(back) == vars(error)
    assert back.args == error.args


# -- executors that fail ---------------------------------------------------------------


def test_a_worker_that_dies_is_said():
    with processes(1) as executor, pytest.raises(RunError) as raised:
        list(in_order("compare", die, range(3), executor))
    text = str(raised.value)
    assert text.startswith("compare: the executor lost a part of the work (Broken")
    assert "A worker may have died" in text


@pytest.mark.parametrize("results", [in_order, as_done])
def test_work_that_is_cancelled_is_said(results):
    with pytest.raises(RunError, match=r"lost a part of the work \(CancelledError\)"):
        list(results("compare", squared, range(3), Cancelling()))


def test_an_executor_that_was_shut_down_is_said():
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(RunError, match=r"after shutdown.*or the executor was"):
        list(in_order("compare", squared, range(3), pool))


def test_what_cannot_be_sent_is_said():
    with processes(1) as executor, pytest.raises(RunError) as raised:
        list(in_order("run", lambda number: number, range(3), executor))
    assert "must stand at the top of a module" in str(raised.value)


def test_an_error_in_the_jobs_themselves_is_nobody_elses():
    def jobs():
        yield 1
        raise InputError("here", "a job", "be one", "none")

    with ThreadPoolExecutor(1) as pool, pytest.raises(InputError, match="a job"):
        list(in_order("here", squared, jobs(), pool))


@pytest.mark.parametrize("value", [4, "processes", ThreadPoolExecutor, True])
def test_what_is_no_executor_is_refused(value):
    with pytest.raises(InputError, match="band: executor must be an Executor"):
        check_executor("band", value)
    assert check_executor("band", None) is None
