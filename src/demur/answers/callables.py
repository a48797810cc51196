"""Comparators that users write: any function of a response and a reference."""

import inspect
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from demur.answers.comparators import DIFFERENT, EQUAL, Match
from demur.answers.nearness import value_distance
from demur.errors import InputError, RunError, problem_text, shown
from demur.outcomes.records import Reference, Response, item_text

_CANNOT: Final = Match(None, "the comparator could not judge it", "cannot_judge")

MOST_AT_A_TIME: Final = 16
"""How many calls of an asynchronous function are open at a time."""

QUESTION: Final = "question"
"""The argument by which a function is given the question."""


def custom(function: Callable[..., Any]) -> "Custom":
    """A user's function as a comparator, by what its signature takes.

    A function with an argument ``question``, or with three arguments without a default,
    gets the question too; one that is ``async`` is called for several answers at a
    time.

    Examples
    --------
    >>> def same(response, reference, question):
    ...     return response == reference and question.endswith("?")
    >>> custom(same), custom(str.startswith)
    (callable(same), callable(str.startswith))
    >>> type(custom(same)).__name__, type(custom(str.startswith)).__name__
    ('AskedCustom', 'Custom')
    """
    how = _how_asked(function)
    called = getattr(function, "__call__", None)  # noqa: B004  (an object may be async)
    is_async = any(map(inspect.iscoroutinefunction, (function, called)))
    if how or is_async:
        return AskedCustom(function, how, is_async)
    return Custom(function)


def _how_asked(function: Callable[..., Any]) -> str:
    """How a function takes the question: by its name, as the third argument, or not."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):  # built in: nobody knows
        return ""
    named = parameters.get(QUESTION)
    if named is not None and named.kind is not named.POSITIONAL_ONLY:
        return "named"
    placed = [
        one
        for one in parameters.values()
        if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
        and one.default is one.empty
    ]
    return "third" if len(placed) == 3 else ""


@dataclass(frozen=True, slots=True, repr=False)
class Custom:
    """A user's function as a comparator.

    Parameters
    ----------
    same : callable
        From the values of a response and a reference to True or False, to a credit
        from 0 to 1, or to None for "cannot judge".

    Examples
    --------
    >>> Custom(str.startswith).compare("Rome, Italy", "Rome")
    Match(credit=1.0, reason='equal', code='equal')
    >>> Custom(str.startswith)
    callable(str.startswith)
    """

    version: ClassVar[str] = "callable"
    same: Callable[..., Any]

    def __str__(self) -> str:
        name = getattr(self.same, "__qualname__", type(self.same).__qualname__)
        return f"callable({name})"

    __repr__ = __str__

    def read(self, value: Any) -> Any:
        """The value as it is."""
        return value

    def compare(self, response: Any, reference: Any) -> Match:
        """Ask the function.

        Raises
        ------
        RunError
            If the function raises anything.
        InputError
            If it returns anything else than a bool, a credit or None.
        """
        return _match_of(self, self.same, response, reference)

    def distance(self, response: Any, reference: Any) -> Any:
        """That of two texts or two numbers; the function is not asked."""
        return value_distance(response, reference)


class AskedValue(NamedTuple):
    """An acceptable value with the question that it answers."""

    question: Any
    value: Any


@dataclass(frozen=True, slots=True, repr=False)
class AskedCustom(Custom):
    """A user's function that is given the question, or is asynchronous.

    Parameters
    ----------
    same : callable
        As in `Custom`.
    how : {"named", "third", ""}
        How it takes the question.
    is_async : bool
        Whether it is called for several answers at a time.

    Examples
    --------
    >>> async def same(response, reference):
    ...     return response == reference
    >>> AskedCustom(same, "", True).compare("Rome", "Rome").credit
    1.0
    """

    instead: ClassVar[tuple[str, ...]] = ()
    recipe: ClassVar[Mapping[str, str]] = {}
    notes: ClassVar[tuple[str, ...]] = ()
    how: str = ""
    is_async: bool = False
    results: dict[str, Any] = field(default_factory=dict, compare=False)

    __repr__ = Custom.__str__

    def is_no_guess(self, value: Any) -> bool:  # noqa: ARG002
        """There is no other way than None and NO_ANSWER, which all comparators know."""
        return False

    def read_reference(self, reference: Reference) -> tuple[tuple[Any, float], ...]:
        """The acceptable values, each with the question."""
        question = reference.input
        return tuple(
            (AskedValue(question, value), weight)
            for value, weight in reference.alternatives
        )

    def prepare(
        self, responses: Iterable[Response], references: Iterable[Reference]
    ) -> None:
        """Call an asynchronous function for all answers, several at a time."""
        if not self.is_async:
            return
        values: dict[str, list[AskedValue]] = {}
        for reference in references:
            item = item_text(reference.item, reference.place)
            if reference.answerable:
                values[item] = [one for one, _ in self.read_reference(reference)]
        calls: dict[str, tuple[Any, AskedValue]] = {}
        for response in responses:
            guess = response.response
            item = item_text(response.item, response.place)
            if guess is None or response.failed or response.error:
                continue
            for value in values.get(item, ()):
                calls.setdefault(_key(guess, value), (guess, value))
        calls = {key: call for key, call in calls.items() if key not in self.results}
        self.results.update(_in_loop(self._all(calls)))

    def compare(self, response: Any, reference: Any) -> Match:
        """As `Custom`; of an asynchronous function, what it has said."""
        if not isinstance(reference, AskedValue):
            reference = AskedValue(None, reference)
        key = _key(response, reference) if self.is_async else ""
        if key in self.results:
            result = self.results[key]
            if isinstance(result, BaseException):
                raise RunError(f"{self} raised {problem_text(result)}") from result
            return _as_match(result, self)
        return _match_of(self, self._called, response, reference)

    def distance(self, response: Any, reference: Any) -> Any:
        """That of two texts or two numbers; the function is not asked."""
        asked = isinstance(reference, AskedValue)
        return value_distance(response, reference.value if asked else reference)

    def _called(self, response: Any, asked: AskedValue) -> Any:
        if self.how == "named":
            return self.same(response, asked.value, question=asked.question)
        if self.how == "third":
            return self.same(response, asked.value, asked.question)
        return self.same(response, asked.value)

    async def _all(self, calls: Mapping[str, tuple[Any, AskedValue]]) -> dict[str, Any]:
        """What each call gives, or the exception that it raises."""
        import asyncio  # which takes long to load

        places = asyncio.Semaphore(MOST_AT_A_TIME)

        async def call(guess: Any, value: AskedValue) -> Any:
            async with places:
                try:
                    return await self._called(guess, value)
                # A client may cancel its own call.
                except (Exception, asyncio.CancelledError) as problem:  # noqa: BLE001
                    return problem

        results = await asyncio.gather(*(call(*pair) for pair in calls.values()))
        return dict(zip(calls, results, strict=True))


async def _awaited(result: Awaitable[Any]) -> Any:
    return await result


def _in_loop(coroutine: Any) -> Any:
    """What a coroutine gives, in a loop of its own: a notebook has one already.

    Whoever interrupts it does not wait for what is open.
    """
    import asyncio
    from concurrent.futures import Future, ThreadPoolExecutor

    begun: Future[Any] = Future()

    async def watched() -> Any:
        begun.set_result((asyncio.get_running_loop(), asyncio.current_task()))
        return await coroutine

    with ThreadPoolExecutor(1) as thread:
        given = thread.submit(asyncio.run, watched())
        try:
            return given.result()
        except (KeyboardInterrupt, SystemExit):
            loop, task = begun.result()
            if not given.done():
                loop.call_soon_threadsafe(task.cancel)
            raise


def _key(guess: Any, asked: AskedValue) -> str:
    """A call as a text: equal ones are made once."""
    call = [guess, asked.value, asked.question]
    try:
        return json.dumps(call, ensure_ascii=False, sort_keys=True, default=repr)
    except (TypeError, ValueError, RecursionError):
        return repr(call)


def _match_of(comparator: Custom, call: Callable[..., Any], *values: Any) -> Match:
    """What a call of a user's function says, which may hand on what is awaited."""
    try:
        result = call(*values)
        if isinstance(result, Awaitable):
            result = _in_loop(_awaited(result))
    except Exception as problem:
        raise RunError(f"{comparator} raised {problem_text(problem)}") from problem
    return _as_match(result, comparator)


def _as_match(result: Any, comparator: Custom) -> Match:
    if isinstance(result, np.generic):
        result = result.tolist()
    if result is None:
        return _CANNOT
    number = isinstance(result, (bool, int, float))
    if not (number and 0 <= result <= 1):
        need = "return True, False, a credit from 0 to 1, or None"
        raise InputError("by", str(comparator), need, shown(result))
    if result in (0, 1):
        return EQUAL if result else DIFFERENT
    return Match(float(result), "partly equal", "partly_equal")
