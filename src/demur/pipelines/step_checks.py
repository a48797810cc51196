"""What a step of a module must keep to: what it gets, what it gives, what it holds."""

import marshal
from collections.abc import AsyncIterator, Awaitable, Collection, Coroutine, Iterator
from typing import Any, Final

from demur.errors import RunError, shown
from demur.outcomes.records import Response
from demur.pipelines.turn_parts import Part, snapshot

SEEN: Final = 200
"""How many steps of a module are held, to see whether it answers them again alike."""

_LATER: Final = 3
"""From how many turns on (but first ones) it tells that none has a state."""


class SeenSteps:
    """The first steps of modules: the same state and input must give the same output.

    Turns are answered again in other states, and with other modules replaced, so one
    that remembers something outside its state, or by chance, shows it.
    """

    def __init__(self) -> None:
        self._outputs: dict[int, dict[bytes, bytes]] = {}
        self.stateful: set[str] = set()
        """Modules whose step has given a state."""

    def check(
        self, part: Part, state: Any, given: Any, output: Any, after: Any
    ) -> None:
        """Raise if a module answers what it has been asked before in another way."""
        if after is not None:
            self.stateful.add(part.name)
        if part.known_as is None:
            return
        try:
            asked, answer = marshal.dumps((state, given), 2), marshal.dumps(output, 2)
        except ValueError:
            return  # no plain data
        seen = self._outputs.setdefault(part.known_as, {})
        before = seen.get(asked)
        if before is None:
            if len(seen) < SEEN:
                seen[asked] = answer
        elif before != answer and not _alike(marshal.loads(before), output):
            raise RunError(
                f"module {part.name!r} answers the same state and input in two ways: "
                f"{shown(marshal.loads(before))}, then {shown(output)}, to "
                f"{shown(given)}. What it remembers must be in the state that step "
                "takes and gives (or wrap what keeps it to itself by demur.replayed); "
                "if it answers by chance, it is stochastic = true"
            )


def _alike(before: Any, now: Any) -> bool:
    """Whether outputs are the same; the order of a list that was a set may differ."""
    if before == now:
        return True
    lists = type(before) is type(now) is list
    return lists and sorted(map(repr, before)) == sorted(map(repr, now))


def check_observed(part: Part, seen: SeenSteps, first: Collection[int]) -> None:
    """Raise if observe gives None throughout where step gives a state.

    ``first`` are the turns that begin a dialogue.
    """
    if part.observe is None or part.states is None or part.name not in seen.stateful:
        return
    later = [state for at, state in enumerate(part.states) if at not in set(first)]
    if len(later) >= _LATER and all(state is None for state in later):
        raise RunError(
            f"module {part.name!r}: observe gives None for the state after each turn, "
            "where step gives a state: it must return the state (return is missing?)"
        )


def check_given(name: str, output: Any) -> None:
    """Raise if an output is still to be waited for, or can be gone through once."""
    value = output.response if type(output) is Response else output
    if isinstance(value, Awaitable):
        if isinstance(value, Coroutine):
            value.close()  # else Python warns that nobody waited for it
        hint = "call it by a function with asyncio.run"
        raise RunError(f"module {name!r} puts out a coroutine (async def): {hint}")
    if isinstance(value, Iterator | AsyncIterator):
        kind, hint = type(value).__name__, "give a list of what it yields"
        raise RunError(f"module {name!r} puts out a {kind}: {hint}")


def check_unchanged(name: str, before: bytes | None, *given: Any) -> None:
    """Raise if a module has changed what it was given, which others are given too."""
    if before is not None and snapshot(*given) != before:
        raise RunError(
            f"module {name!r} changes its state or input in place: it must leave what "
            "it gets as it was, and give a new state (copy.deepcopy makes one)"
        )


def check_new(part: Part, output: Any) -> None:
    """Raise if a module puts out the same object as last time, with another content."""
    now = snapshot(output)
    last, then = part.last
    if last is output and now != then:
        raise RunError(
            f"module {part.name!r} puts out one object again and again, changed in "
            "between: it must give a new one for each turn"
        )
    part.last = output, now
