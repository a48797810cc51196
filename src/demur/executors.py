"""Jobs on somebody's executor: the same results, in the same order, or an error.

An executor is what `concurrent.futures` calls one: threads, processes, or a cluster's.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable
from itertools import islice
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, Self, TypeVar

from demur.errors import InputError, RunError, problem_text, shown

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

Job = TypeVar("Job")
Made = TypeVar("Made")

OPEN: Final = 64
"""How many jobs are handed to an executor before the first of them is back."""

_UNPICKLED: Final = "pickle"  # stands in what Python says of what it cannot send


class _Raised(NamedTuple):
    """What a function raised, as a value: so all else is raised by the executor."""

    problem: Exception


def check_executor(where: str, executor: object) -> None:
    """Refuse what is no executor.

    Parameters
    ----------
    where : str
        The verb that was given it.
    executor : object
        None will do.

    Raises
    ------
    InputError
        If it is something else.

    Examples
    --------
    >>> check_executor("band", 4)
    Traceback (most recent call last):
    ...
    demur.errors.InputError: band: executor must be an Executor; got 4.
    concurrent.futures.ProcessPoolExecutor() makes one.
    """
    if executor is None:
        return
    from concurrent.futures import Executor

    if not isinstance(executor, Executor):
        hint = "concurrent.futures.ProcessPoolExecutor() makes one."
        raise InputError(where, "executor", "be an Executor", shown(executor), hint)


def check_alone(where: str, executor: object, what: str, number: Any) -> None:
    """Refuse an executor beside a number of workers that would be our own.

    Parameters
    ----------
    where : str
    executor : object
    what : str
        The argument with that number.
    number : int or None
        None and 1 are no number.

    Raises
    ------
    InputError
        If there are both, or the executor is none.

    Examples
    --------
    >>> check_alone("run", None, "concurrency", 4)
    """
    check_executor(where, executor)
    if executor is not None and number not in (None, 1):
        need = "be left out beside an executor"
        hint = "The executor says how many there are at a time."
        raise InputError(where, what, need, shown(number), hint)


def in_order(
    where: str,
    function: Callable[[Job], Made],
    jobs: Iterable[Job],
    executor: "Executor | None",
    *,
    most: int = OPEN,
) -> Generator[Made]:
    """What a function makes of jobs, in their order.

    Parameters
    ----------
    where : str
        The verb, for messages.
    function : callable
        Sent with each job: it and what it holds must be picklable for processes.
    jobs : iterable
        Read as there is room.
    executor : Executor or None
        None calls the function here.
    most : int
        How many jobs it is handed before the first of them is back.

    Yields
    ------
    object
        Of each job; nothing is left out.

    Raises
    ------
    RunError
        If the executor loses a job: a worker died, or the job was cancelled.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as pool:
    ...     list(in_order("here", abs, [-3, 2, -1], pool))
    [3, 2, 1]
    """
    if executor is None:
        yield from map(function, jobs)
        return
    yield from _through(Jobs(where, function, executor), jobs, most)


def as_done(
    where: str,
    function: Callable[[Job], Made],
    jobs: Iterable[Job],
    executor: "Executor",
) -> Generator[Made]:
    """The same as `in_order`, each as soon as it is there.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as pool:
    ...     sorted(as_done("here", abs, [-3, 2, -1], pool))
    [1, 2, 3]
    """
    return _through(Jobs(where, function, executor, first_done=True), jobs, OPEN)


def _through(
    given: "Jobs[Job, Made]", jobs: Iterable[Job], most: int
) -> Generator[Made]:
    left = iter(jobs)
    with given:
        while True:
            for job in islice(left, most - given.n_open):
                given.give(job)
            if not given.n_open:
                return
            yield given.take()


class Jobs(Generic[Job, Made]):
    """Jobs that an executor has; a context manager, which drops those that are left.

    Parameters
    ----------
    where : str
        The verb, for messages.
    function : callable
        Sent with each job.
    executor : Executor
    first_done : bool
        Whether what is done first is taken first, or what was given first.
    """

    def __init__(
        self,
        where: str,
        function: Callable[[Job], Made],
        executor: "Executor",
        *,
        first_done: bool = False,
    ) -> None:
        self._where, self._function, self._executor = where, function, executor
        self._open: deque[Future[Made | _Raised]] = deque()
        self._done: SimpleQueue[Future[Made | _Raised]] | None = None
        if first_done:
            self._done = SimpleQueue()

    @property
    def n_open(self) -> int:
        """How many jobs are not back yet."""
        return len(self._open)

    def give(self, job: Job) -> None:
        """Hand a job to the executor.

        Raises
        ------
        RunError
            If it takes none any more.
        """
        try:
            future = self._executor.submit(_made, self._function, job)
        except Exception as problem:
            raise self._lost(problem) from problem
        self._open.append(future)
        if self._done is not None:
            future.add_done_callback(self._done.put)

    def take(self) -> Made:
        """What was made of the job that was given first, or that is done first.

        Raises
        ------
        RunError
            If the executor has lost it.
        """
        future = self._open[0] if self._done is None else self._done.get()
        self._open.remove(future)
        try:
            made = future.result()
        except Exception as problem:
            raise self._lost(problem) from problem
        if isinstance(made, _Raised):
            raise made.problem
        return made

    def _lost(self, problem: BaseException) -> RunError:
        why = problem_text(problem)
        text = f"{self._where}: the executor lost a part of the work ({why})."
        if _UNPICKLED in why.lower():
            hint = (
                "Functions that are sent to other processes must stand at the top of a "
                "module, and objects hold nothing that cannot be pickled."
            )
        else:
            hint = (
                "A worker may have died, of too little memory for instance, or the "
                "executor was shut down; nothing of the result is kept."
            )
        return RunError(f"{text} {hint}")

    def cancel(self) -> None:
        """Drop what no worker has begun; who waits for it is told so."""
        for future in tuple(self._open):
            future.cancel()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel()


def _made(function: Callable[[Any], Any], job: Any) -> Any:
    """What a worker gives back."""
    try:
        return function(job)
    except Exception as problem:  # noqa: BLE001  (raised again by who waits for it)
        return _Raised(problem)
