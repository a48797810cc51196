"""Plain functions as systems: of one input, or of a list of them."""

import inspect
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterator,
    Mapping,
    Sequence,
)
from typing import Any

from demur.errors import InputError, RunError, problem_text, shown
from demur.outcomes import fields
from demur.outcomes.records import Response
from demur.systems.protocol import Input


class FunctionSystem:
    """A function as a system.

    Parameters
    ----------
    function : callable
        From an input to a guess: a label or text, a pair (guess, confidence), a mapping
        with the fields of a response, a `Response`, or None for no guess. With
        ``batch`` from a list of inputs to as many of these. In a run with a rule of
        context an argument ``context`` gets the turns before, of a list a list of them.
    name : str
        Of the system.
    batch : bool
        Whether the function takes a list.

    Examples
    --------
    >>> system = FunctionSystem(lambda text: ("yes", 0.9) if "?" in text else None)
    >>> [answer] = system.respond([Input("q1", "Ready?")])
    >>> answer.response, answer.confidence
    ('yes', 0.9)
    """

    def __init__(
        self, function: Callable[[Any], Any], *, name: str = "", batch: bool = False
    ) -> None:
        self.function, self.name, self.batch = function, name, batch

    def __str__(self) -> str:
        name = getattr(self.function, "__qualname__", type(self.function).__qualname__)
        return f"function({name})"

    __repr__ = __str__

    def respond(self, inputs: Sequence[Input]) -> list[Response]:
        """Ask the function; what it raises for one input is why that one has failed."""
        if not self.batch:
            return [self._answer(question) for question in inputs]
        if not inputs:
            return []
        try:
            listed = [asked.input for asked in inputs]
            answers = list(self.function(listed, **self._more(inputs)))
        except Exception as problem:  # noqa: BLE001  (whatever the user's code raises)
            why = problem_text(problem)
            return [asked.answered(self.name, failed=why) for asked in inputs]
        if len(answers) != len(inputs):
            raise RunError(
                f"{self} gave {len(answers)} answers to {len(inputs)} inputs: a "
                "function of a list answers each of them, in their order"
            )
        return [
            response_of(answer, asked, self.name)
            for answer, asked in zip(answers, inputs, strict=True)
        ]

    @property
    def takes_context(self) -> bool:
        """Whether the function has an argument for the turns before."""
        try:
            names = inspect.signature(self.function).parameters
        except (TypeError, ValueError):  # built in: nobody knows
            return False
        return "context" in names

    def _more(self, inputs: Sequence[Input]) -> dict[str, Any]:
        """The turns before, if the run has a rule and the function a place for them."""
        contexts = [asked.context for asked in inputs]
        if contexts[0] is None or not self.takes_context:
            return {}
        turns = [list(context or ()) for context in contexts]
        return {"context": turns if self.batch else turns[0]}

    def _answer(self, question: Input) -> Response:
        try:
            answer = self.function(question.input, **self._more([question]))
        except Exception as problem:  # noqa: BLE001  (whatever the user's code raises)
            return question.answered(self.name, failed=problem_text(problem))
        return response_of(answer, question, self.name)


def response_of(answer: Any, asked: Input, system: str) -> Response:
    """What a function has returned, as a response to what it was asked.

    Raises
    ------
    InputError
        If it is none of the forms, or says that it answers another item.

    Examples
    --------
    >>> response_of({"response": "Oslo", "confidence": 0.5}, Input(7, "?"), "a").item
    7
    """
    place = f"the answer to {shown(asked.item)}"
    if isinstance(answer, Response):
        columns = {name: getattr(answer, name) for name in fields.names_of("response")}
        columns["extra"] = answer.extra
    elif isinstance(answer, Mapping):
        columns = _of_mapping(answer, place)
    elif isinstance(answer, tuple):
        if len(answer) != 2:
            need = "be a pair (guess, confidence)"
            hint = "A list is a guess of its own."
            raise InputError(place, "a tuple", need, shown(answer), hint)
        columns = {"response": _plain(answer[0]), "confidence": answer[1]}
    else:
        columns = {"response": _plain(answer)}
    if columns.get("item") not in (None, "", asked.item):
        raise InputError(place, "item", f"be {asked.item!r}", shown(columns["item"]))
    _check_plain(columns.get("response"), place)
    columns["item"] = asked.item
    columns["system"] = columns.get("system") or system
    columns["confidence"] = _number(columns.get("confidence"), place)
    return Response(**columns)


def _of_mapping(answer: Mapping[str, Any], place: str) -> dict[str, Any]:
    known = fields.names_of("response")
    columns = {name: value for name, value in answer.items() if name in known}
    if (
        not any(columns.get(name) for name in ("failed", "error"))
        and "response" not in columns
    ):
        need, got = "have a field response", ", ".join(map(str, answer)) or "no fields"
        raise InputError(place, "a mapping", need, got, "None stands for no guess.")
    columns["response"] = _plain(columns.get("response"))
    columns["extra"] = {k: v for k, v in answer.items() if k not in known}
    return columns


def _plain(value: Any) -> Any:
    """A value as JSON has it: a number of numpy is a number."""
    return value.item() if hasattr(value, "item") and hasattr(value, "dtype") else value


def _check_plain(value: Any, place: str) -> None:
    """Raise if a guess is still to be waited for, or is no text or number."""
    odd = isinstance(value, Awaitable | Iterator | AsyncIterator)
    if not odd and not isinstance(value, bytes | bytearray | memoryview):
        return
    if isinstance(value, Coroutine):
        value.close()  # else Python warns that nobody waited for it
    need = "be plain data, such as a text or a number"
    hint = "Wait for it (asyncio.run), list it, or decode it."
    raise InputError(place, "a guess", need, shown(value), hint)


def _number(value: Any, place: str) -> float | None:
    if value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if number != number or isinstance(value, (bool, str)):
        hint = "None is a guess without a confidence."
        raise InputError(place, "confidence", "be a number", shown(value), hint)
    return number
