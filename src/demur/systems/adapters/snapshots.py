"""Objects that keep a state inside themselves, as systems whose state is outside."""

import json
import threading
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from demur.errors import InputError, shown
from demur.systems.protocol import Stateful


class SnapshotSystem:
    """An object with ``get_state`` and ``set_state``, as a stateful system.

    Before each turn it is given the state, and after it is asked for it, so that a turn
    can be answered again from any state. One turn runs at a time.

    Parameters
    ----------
    obj : object
        With ``get_state()``, ``set_state(state)``, a method that answers one turn, and
        for `observe` a method ``observe(input, outputs)`` that takes in what was said
        in its place.
    method : str
        The name of the method that answers: it gets an input and gives the output.

    Raises
    ------
    InputError
        If it lacks one of these, or its state is not plain data.
    """

    def __init__(self, obj: Any, *, method: str = "process") -> None:
        for name in ("get_state", "set_state", method):
            if not callable(getattr(obj, name, None)):
                need = f"have a method {name}"
                raise InputError("as_stateful", "the object", need, type(obj).__name__)
        self.obj, self.method = obj, method
        self._lock = threading.Lock()
        # Objects give out the state that they go on with, and would change our copy.
        self._first = deepcopy(obj.get_state())
        try:
            json.dumps(self._first)
        except (TypeError, ValueError):
            need = "be plain data: what JSON can hold"
            got = shown(self._first)
            raise InputError("as_stateful", "its state", need, got) from None

    def __str__(self) -> str:
        return f"stateful({type(self.obj).__name__}.{self.method})"

    __repr__ = __str__

    def step(self, state: Any, input: Any) -> tuple[Any, Any]:
        """Answer one turn from a state; None is the one that it was wrapped in."""
        return self._from(state, getattr(self.obj, self.method), input)

    def observe(self, state: Any, input: Any, outputs: Any) -> Any:
        """The state after a turn that was answered by these outputs instead.

        Raises
        ------
        InputError
            If the object has no method ``observe``.
        """
        observe = getattr(self.obj, "observe", None)
        if not callable(observe):
            need = "have a method observe(input, outputs)"
            hint = "It takes in what was said in place of its own output."
            got = type(self.obj).__name__
            raise InputError("as_stateful", "the object", need, got, hint)
        return self._from(state, observe, input, outputs)[1]

    def _from(
        self, state: Any, method: Callable[..., Any], *given: Any
    ) -> tuple[Any, Any]:
        with self._lock:
            self.obj.set_state(deepcopy(self._first if state is None else state))
            output = method(*given)
            return output, deepcopy(self.obj.get_state())


def as_stateful(obj: Any, *, method: str = "process") -> Stateful:
    """What remembers a dialogue, as a system whose state is plain data outside of it.

    Parameters
    ----------
    obj : object
        What has ``step`` and ``observe`` is a stateful system already. Else an object
        with ``get_state``, ``set_state`` and a method that answers one turn.
    method : str
        The name of that method.

    Returns
    -------
    Stateful

    Raises
    ------
    InputError
        If it is neither.

    Examples
    --------
    >>> import demur
    >>> class Counter:
    ...     turns = 0
    ...     def get_state(self): return self.turns
    ...     def set_state(self, turns): self.turns = turns
    ...     def process(self, text):
    ...         self.turns += 1
    ...         return f"{self.turns}: {text}"
    >>> counter = demur.as_stateful(Counter())
    >>> said, state = counter.step(None, "hello")
    >>> counter.step(state, "again"), counter.step(None, "anew")
    (('2: again', 2), ('1: anew', 1))
    """
    if isinstance(obj, Stateful):
        return obj
    if isinstance(obj, type):
        need = "be an object, not a class"
        raise InputError("as_stateful", "the object", need, obj.__name__)
    return SnapshotSystem(obj, method=method)
