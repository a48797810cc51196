"""Modules that keep their state to themselves, or stand behind HTTP."""

import hashlib
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Protocol

from demur import checks
from demur.checks import choice
from demur.errors import InputError, shown
from demur.outcomes.records import Response
from demur.pipelines.modules import Module, plain_text
from demur.systems.adapters.json_addresses import EndpointFailed, JsonAddress

_STATES: Final = ("body", "conversation")


class NoAnswer(Exception):
    """A server gave no answer that can be used; the message says why."""


class Conversation(Protocol):
    """What keeps its state to itself: one conversation, from its start."""

    def turn(self, input: Any) -> Any:
        """Answer the next turn."""


class ReplayedModule:
    """What keeps its state to itself, as a module. `replayed` makes it.

    Its state is the list of turns so far, as pairs of an input and an output.
    """

    def __init__(
        self, start: Callable[[str], Conversation], name: str, *, remote: bool = False
    ) -> None:
        self.start, self.name, self.remote = start, name, remote
        self.follows = True
        """Whether conversations are told what was put out in place of their own."""
        self._kept = threading.local()

    def __str__(self) -> str:
        return f"replayed({self.name})"

    __repr__ = __str__

    def step(self, state: Any, input: Any) -> tuple[Any, Any]:
        """Replay the turns so far, unless this has just been done, and answer."""
        before = list(state or ())
        conversation = self._at(before)
        self._kept.held = None  # a turn that fails spoils the conversation
        output = conversation.turn(input)
        response = output.response if isinstance(output, Response) else output
        after = [*before, [input, response]]
        self._kept.held = after, conversation
        return output, after

    def observe(self, state: Any, input: Any, outputs: Any) -> list[Any]:
        """The state after a turn that was answered by these outputs instead."""
        return [*(state or ()), [input, outputs]]

    def _at(self, turns: list[Any]) -> Conversation:
        held = getattr(self._kept, "held", None)
        conversation: Conversation
        if held is not None and held[0] == turns:
            _, conversation = held
            return conversation
        turns_text = plain_text(self.name, "what was said", turns)
        conversation = self.start(hashlib.sha256(turns_text.encode()).hexdigest()[:16])
        follow = getattr(conversation, "observe", None)
        self.follows = follow is not None
        for input, output in turns:
            if follow is None:
                conversation.turn(input)
            else:
                follow(input, output)
        return conversation


def unled_notes(modules: Iterable[Module]) -> Iterator[str]:
    """What corrected state means for those that cannot be told what was put out."""
    for module in modules:
        owner = getattr(module.step, "__self__", None)
        if isinstance(owner, ReplayedModule) and not owner.follows:
            yield (
                f"{module.name} is replayed without observe(input, output): in "
                "corrected state it hears what it should, but goes on from its own "
                "outputs, not from its targets"
            )


def replayed(start: Callable[[], Conversation], *, name: str = "") -> ReplayedModule:
    """A module of what cannot take a state back: its turns are replayed.

    Parameters
    ----------
    start : callable
        Begins a new conversation: an object with ``turn(input)``, which gives the
        output, and perhaps ``observe(input, output)``, which tells it what was put out
        in place of its own. Without ``observe`` it follows its own outputs, also in
        corrected state.
    name : str
        For messages; that of the class if left out.

    Returns
    -------
    ReplayedModule
        For `as_module`.

    Notes
    -----
    The turns before are replayed for each turn that does not follow the last one, so
    that N turns of a dialogue in corrected state take N (N + 1) / 2 steps.

    Examples
    --------
    >>> import demur
    >>> class Echo:
    ...     def __init__(self):
    ...         self.heard = []
    ...     def turn(self, text):
    ...         self.heard.append(text)
    ...         return " ".join(self.heard)
    >>> echo = demur.as_module(demur.replayed(Echo), name="echo")
    >>> output, state = echo.step(None, "a")
    >>> echo.step(state, "b")[0], echo.step(None, "c")[0]
    ('a b', 'c')
    """
    known_as = name or getattr(start, "__name__", "conversation")
    return ReplayedModule(lambda _: start(), known_as)


class HttpModule:
    """A module behind HTTP whose state goes in the body. `http_module` makes it."""

    remote = True

    def __init__(self, address: JsonAddress) -> None:
        self._address = address

    def __str__(self) -> str:
        return f"http({self._address}, state=body)"

    __repr__ = __str__

    def step(self, state: Any, input: Any) -> tuple[Any, Any]:
        """Ask for the output and the state after it."""
        message = {"step": {"state": state, "input": input}}
        answer: tuple[Any, Any] = _asked(self._address, message, _output_and_state)
        return answer

    def observe(self, state: Any, input: Any, outputs: Any) -> Any:
        """Ask for the state after a turn that was answered by these outputs."""
        message = {"observe": {"state": state, "input": input, "output": outputs}}
        return _asked(self._address, message, _state)


class _HttpConversation:
    """A conversation that a server holds under a name."""

    def __init__(self, address: JsonAddress, name: str) -> None:
        self._address, self._name, self._number = address, name, 0

    def turn(self, input: Any) -> Any:
        """Send the next turn."""
        return _asked(self._address, self._next_turn(input), _output)

    def observe(self, input: Any, output: Any) -> None:
        """Tell what was put out in place of the server's own output."""
        message = {**self._next_turn(input), "output": output}
        _asked(self._address, message, lambda answer: answer)

    def _next_turn(self, input: Any) -> dict[str, Any]:
        self._number += 1
        return {"conversation": self._name, "turn": self._number, "input": input}


def http_module(
    url: str,
    *,
    state: str = "body",
    timeout: float = 60.0,
    retries: int = 4,
    headers: Mapping[str, str] | None = None,
) -> HttpModule | ReplayedModule:
    """A module behind HTTP, for `as_module`.

    Parameters
    ----------
    url : str
        Where requests are posted.
    state : {"body", "conversation"}
        ``body``: each request has the state and each answer the state after it.
        ``POST {"step": {"state": S, "input": X}}`` gives
        ``{"output": Y, "state": S2, "confidence": 0.9}`` (the confidence if there is
        one), and ``{"observe": {"state": S, "input": X, "output": Y}}`` gives
        ``{"state": S2}``; the state before the first turn is null.
        ``conversation``: the server holds the state under a name that begins a new
        conversation. ``{"conversation": C, "turn": 1, "input": X}`` gives
        ``{"output": Y}``, and with ``"output"`` in the request the server takes that as
        what it has said. The turns before are sent again where the state calls for it.
    timeout : float
        Seconds for each attempt.
    retries : int
        How often a request is sent again.
    headers : mapping of str to str, optional
        Sent with each request. They are never shown.

    Returns
    -------
    HttpModule or ReplayedModule

    Raises
    ------
    InputError
        If the URL is none.

    Examples
    --------
    >>> import demur
    >>> print(demur.http_module("http://localhost:5005/dm"))
    http(http://localhost:5005/dm, state=body)
    """
    checks.text("http_module", "url", url)
    choice("http_module", "state", state, _STATES)
    address = JsonAddress(url, timeout=timeout, retries=retries, headers=headers)
    if state == "body":
        return HttpModule(address)
    return ReplayedModule(
        lambda name: _HttpConversation(address, name),
        f"{address}, conversations",
        remote=True,
    )


def _asked(address: JsonAddress, message: Any, read: Callable[[Any], Any]) -> Any:
    try:
        return address.ask(message, read)[0]
    except EndpointFailed as problem:
        raise NoAnswer(str(problem)) from None


def _fields(answer: Any, *names: str) -> dict[str, Any]:
    for name in names:
        if not isinstance(answer, dict) or name not in answer:
            raise EndpointFailed(f"no {name!r} in the answer: {shown(answer)}")
    fields: dict[str, Any] = answer
    return fields


def _output(answer: Any) -> Any:
    fields = _fields(answer, "output")
    confidence = fields.get("confidence")
    declined = fields.get("declined")
    if confidence is None and declined is None:
        return fields["output"]
    if confidence is not None and (
        isinstance(confidence, bool) or not isinstance(confidence, (int, float))
    ):
        raise EndpointFailed(f"a confidence that is no number: {shown(confidence)}")
    try:
        return Response(
            item="",
            response=fields["output"],
            confidence=None if confidence is None else float(confidence),
            declined=bool(declined),
        )
    except InputError as problem:
        raise EndpointFailed(str(problem)) from None


def _output_and_state(answer: Any) -> tuple[Any, Any]:
    return _output(answer), _fields(answer, "output", "state")["state"]


def _state(answer: Any) -> Any:
    return _fields(answer, "state")["state"]
