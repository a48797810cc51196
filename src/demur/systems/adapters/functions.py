"""Plain functions as systems: of one input, or of a list of them."""

from collections.abc import Callable, Mapping, Sequence
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
        ``batch`` from a list of inputs to as many of these.
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

    def respond(self, inputs: Sequence[Input]) -> list[Response]:
        """Ask the function; what it raises for one input is why that one has failed."""
        if not self.batch:
            return [self._one(each) for each in inputs]
        if not inputs:
            return []
        try:
            found = list(self.function([each.input for each in inputs]))
        except Exception as problem:  # noqa: BLE001  (whatever the user's code raises)
            why = problem_text(problem)
            return [asked.answered(self.name, failed=why) for asked in inputs]
        if len(found) != len(inputs):
            raise RunError(
                f"{self} gave {len(found)} answers to {len(inputs)} inputs: a function "
                "of a list answers each of them, in their order"
            )
        return [
            response_of(answer, each, self.name)
            for answer, each in zip(found, inputs, strict=True)
        ]

    def _one(self, each: Input) -> Response:
        try:
            answer = self.function(each.input)
        except Exception as problem:  # noqa: BLE001  (whatever the user's code raises)
            return each.answered(self.name, failed=problem_text(problem))
        return response_of(answer, each, self.name)


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
        own = {name: getattr(answer, name) for name in fields.names_of("response")}
        own["extra"] = answer.extra
    elif isinstance(answer, Mapping):
        own = _of_mapping(answer, place)
    elif isinstance(answer, tuple):
        if len(answer) != 2:
            need = "be a pair (guess, confidence)"
            hint = "A list is a guess of its own."
            raise InputError(place, "a tuple", need, shown(answer), hint)
        own = {"response": _plain(answer[0]), "confidence": answer[1]}
    else:
        own = {"response": _plain(answer)}
    if own.get("item") not in (None, "", asked.item):
        raise InputError(place, "item", f"be {asked.item!r}", shown(own["item"]))
    own["item"] = asked.item
    own["system"] = own.get("system") or system
    own["confidence"] = _number(own.get("confidence"), place)
    return Response(**own)


def _of_mapping(answer: Mapping[str, Any], place: str) -> dict[str, Any]:
    known = fields.names_of("response")
    own = {name: value for name, value in answer.items() if name in known}
    if not any(own.get(name) for name in ("failed", "error")) and "response" not in own:
        need, got = "have a field response", ", ".join(map(str, answer)) or "no fields"
        raise InputError(place, "a mapping", need, got, "None stands for no guess.")
    own["response"] = _plain(own.get("response"))
    own["extra"] = {k: v for k, v in answer.items() if k not in known}
    return own


def _plain(value: Any) -> Any:
    """A value as JSON has it: a number of numpy is a number."""
    return value.item() if hasattr(value, "item") and hasattr(value, "dtype") else value


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
