"""What a system is: anything that answers inputs with responses.

No base class: an object with these methods is a system. What is not, `as_system` wraps.
"""

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol, Self, runtime_checkable

from demur.outcomes.records import Response

NO_ANSWER_SHOWN: Final = "(no answer)"
"""What stands for the answer to a turn that has none, where roles must alternate."""


class TurnBefore(NamedTuple):
    """A turn that was before, as a system is given it.

    Parameters
    ----------
    item : str or int
        Whose turn.
    input : Any
        The words of the user.
    response : Any
        The guess that this system gave then; None if there is none.
    state : str
        ``answered``; ``no guess``, where the system had none or declined; ``failed``;
        ``not asked``, as excluded turns are.
    confidence : float, optional
        How sure it was.
    """

    item: str | int
    input: Any
    response: Any = None
    state: str = "not asked"
    confidence: float | None = None

    def plain(self) -> dict[str, Any]:
        """As a program is told it.

        Examples
        --------
        >>> TurnBefore("q1", "Who?").plain()
        {'item': 'q1', 'input': 'Who?', 'response': None, 'state': 'not asked'}
        """
        return {name: getattr(self, name) for name in self._fields[:4]}

    def messages(self) -> list[dict[str, Any]]:
        """As chats have it: what the user said, and what the assistant said then.

        Examples
        --------
        >>> for message in TurnBefore("q1", "Who?", "Ada", "answered").messages():
        ...     print(message)
        {'role': 'user', 'content': 'Who?'}
        {'role': 'assistant', 'content': 'Ada'}
        """
        reply = self.response
        if reply is None:
            reply = NO_ANSWER_SHOWN
        elif not isinstance(reply, str):
            reply = json.dumps(reply, ensure_ascii=False, default=str)
        return [
            {"role": "user", "content": self.input},
            {"role": "assistant", "content": reply},
        ]


def turn_before(asked: "Input", response: Response | None) -> TurnBefore:
    """A turn with the response that it got; None if it was not asked.

    Examples
    --------
    >>> turn_before(Input(1, "Who?"), Response(item=1, failed="timeout")).state
    'failed'
    """
    if response is None:
        return TurnBefore(*asked)
    if response.failed:
        return TurnBefore(*asked, state="failed")
    silent = response.response is None or bool(response.declined)
    guess = None if silent else response.response
    state = "no guess" if silent else "answered"
    return TurnBefore(*asked, guess, state, None if silent else response.confidence)


class Input(NamedTuple):
    """What a system is asked, and nothing else of the item.

    Parameters
    ----------
    item : str or int
        Comes back with the response.
    input : Any
        The question: a text, or any JSON value.
    """

    item: str | int
    input: Any

    @property
    def context(self) -> tuple[TurnBefore, ...] | None:
        """The turns before it; None if the run has no rule of context."""
        return None

    @property
    def repeat(self) -> int:
        """How often the same was asked before: another number is another sample."""
        return 0

    def answered(self, system: str, response: Any = None, **more: Any) -> Response:
        """A response of a system to it."""
        return Response(item=self.item, system=system, response=response, **more)


class InputInContext(Input):
    """An input with the turns before it.

    Examples
    --------
    >>> asked = InputInContext("q2", "And on Friday?", [TurnBefore("q1", "Flights?")])
    >>> asked.context[0].input, tuple(asked)
    ('Flights?', ('q2', 'And on Friday?'))
    """

    _context: tuple[TurnBefore, ...]

    def __new__(
        cls, item: str | int, input: Any, context: Sequence[TurnBefore] = ()
    ) -> Self:
        """Beside item and input, which are all of the tuple."""
        made = super().__new__(cls, item, input)
        made._context = tuple(context)
        return made

    @property
    def context(self) -> tuple[TurnBefore, ...]:
        """The turns before it, in order."""
        return self._context


class RepeatedInput(Input):
    """An input that was asked before, and of which another sample is wanted.

    Examples
    --------
    >>> RepeatedInput("q1", "Which day?", 2).repeat, Input("q1", "Which day?").repeat
    (2, 0)
    """

    _repeat: int

    def __new__(cls, item: str | int, input: Any, repeat: int = 0) -> Self:
        """Beside item and input, which are all of the tuple."""
        made = super().__new__(cls, item, input)
        made._repeat = repeat
        return made

    @property
    def repeat(self) -> int:
        """How often it was asked before."""
        return self._repeat


def plain_input(asked: Input) -> dict[str, Any]:
    """An input as a program is told it, with its context if the run has a rule.

    Examples
    --------
    >>> plain_input(Input(1, "Who?"))
    {'item': 1, 'input': 'Who?'}
    >>> plain_input(InputInContext(1, "Who?"))
    {'item': 1, 'input': 'Who?', 'context': []}
    """
    record = asked._asdict()
    if asked.context is None:
        return record
    return {**record, "context": [turn.plain() for turn in asked.context]}


@runtime_checkable
class System(Protocol):
    """Answers inputs.

    Responses belong to inputs by their item, never by their position. One that is
    missing has failed.
    """

    def respond(self, inputs: Sequence[Input]) -> Sequence[Response]:
        """One response for each input, in any order."""


@runtime_checkable
class Trainable(Protocol):
    """What a system also has if it learns from examples."""

    def fit(self, inputs: Sequence[Any], targets: Sequence[Any]) -> Self:
        """Learn.

        Parameters
        ----------
        inputs : sequence
            As `System.respond` gets them, without items.
        targets : sequence
            For each the right response, a set of them, or None if it has none.
        """


@runtime_checkable
class Thresholded(Protocol):
    """What a system also has if it declines by a threshold of its own.

    It declines a guess if its confidence is below the threshold; None never declines.
    """

    threshold: float | None


@runtime_checkable
class Stateful(Protocol):
    """A system whose answer depends on what was said before.

    The state is plain data (JSON values), never changed in place, so that a turn can
    be answered again from any state. None is the state before the first turn.
    """

    def step(self, state: Any, input: Any) -> tuple[Any, Any]:
        """Answer one turn: the output, and the state after it."""

    def observe(self, state: Any, input: Any, outputs: Any) -> Any:
        """The state after a turn that was answered by these outputs instead."""
