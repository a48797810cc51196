"""What a system is: anything that answers inputs with responses.

No base class: an object with these methods is a system. What is not, `as_system` wraps.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, Self, runtime_checkable

from demur.outcomes.records import Response


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

    def answered(self, system: str, response: Any = None, **more: Any) -> Response:
        """A response of a system to it."""
        return Response(item=self.item, system=system, response=response, **more)


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
