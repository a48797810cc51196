"""Systems behind HTTP, in the shapes that servers speak; answers matched by item."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from demur.checks import choice
from demur.errors import InputError, RunError, shown
from demur.outcomes.records import Response
from demur.systems.adapters.functions import response_of
from demur.systems.adapters.json_addresses import EndpointFailed, JsonAddress
from demur.systems.adapters.request_limits import RequestLimits
from demur.systems.protocol import Input

Payload = Any


class HttpSystem:
    """An address that answers inputs, as a system.

    Parameters
    ----------
    url : str
        ``http://`` or ``https://``.
    name : str
        Of the system.
    shape : {"demur", "rasa", "dialogflow"}
        What is sent and what comes back. ``demur`` posts
        ``{"inputs": [{"item": ..., "input": ...}]}`` and gets
        ``{"responses": [{"item": ..., "response": ..., "confidence": ...}]}``, and has
        ``messages`` of user and assistant in a run with a rule of context;
        ``rasa`` is ``POST /model/parse`` of Rasa, ``dialogflow`` ``detectIntent`` of
        Dialogflow CX.
    timeout : float
        Seconds for each attempt.
    retries : int
        How often a request is sent again after a time-out, a lost connection or an
        answer that says "later" (408, 425, 429, 500, 502, 503, 504, 529).
    headers : mapping of str to str, optional
        Sent with each request; a value ``env:NAME`` is read from the environment. They
        are never shown.
    cache : path, optional
        A file that keeps answers: a request that was answered before is not sent.
    rate : float, optional
        How many requests are sent a minute, at most.

    Raises
    ------
    InputError
        If the URL is none.
    """

    def __init__(  # noqa: PLR0913  (options are independent of each other)
        self,
        url: str,
        *,
        name: str = "",
        shape: str = "demur",
        timeout: float = 60.0,
        retries: int = 4,
        headers: Mapping[str, str] | None = None,
        cache: str | os.PathLike[str] | None = None,
        rate: float | None = None,
    ) -> None:
        choice("as_system", "shape", shape, SHAPES)
        self.name, self.shape = name, shape
        self.from_cache: set[Any] = set()
        self._address = JsonAddress(
            url,
            timeout=timeout,
            retries=retries,
            headers=headers,
            cache=cache,
            limits=RequestLimits(requests=rate),
        )

    def __str__(self) -> str:
        query = f", query={self._address.query}" if self._address.query else ""
        return f"http({self._address}, shape={self.shape}{query})"

    __repr__ = __str__

    @property
    def takes_context(self) -> bool:
        """Whether the shape has a place for the turns before."""
        return self.shape == "demur"

    def respond(self, inputs: Sequence[Input]) -> list[Response]:
        """Ask; what could not be had has failed, with its reason."""
        send, read = SHAPES[self.shape]
        answers: list[Response] = []
        # Only our own shape takes several inputs at a time.
        groups = [inputs] if self.shape == "demur" else [[asked] for asked in inputs]
        for group in groups:
            reading = partial(read, inputs=group, system=self.name)
            sent = self._address.sent_here
            sample = max((asked.repeat for asked in group), default=0)
            try:
                answers += self._address.ask(send(group), reading, sample)[0]
            except EndpointFailed as problem:
                why = str(problem)
                answers += [asked.answered(self.name, failed=why) for asked in group]
            else:
                if self._address.sent_here == sent:
                    self.from_cache.update(asked.item for asked in group)
        return answers

    def close(self) -> None:
        """Close all connections that are not in use."""
        self._address.close()


# -- shapes --------------------------------------------------------------------------


def _send_inputs(inputs: Sequence[Input]) -> Payload:
    return {"inputs": [_with_messages(question) for question in inputs]}


def _with_messages(question: Input) -> dict[str, Any]:
    """An input, and what was said before it as chats have it, if there is a rule."""
    record = question._asdict()
    if question.context is None:
        return record
    messages = [message for turn in question.context for message in turn.messages()]
    return {**record, "messages": messages}


def _read_responses(
    payload: Payload, inputs: Sequence[Input], system: str
) -> list[Response]:
    listed = payload.get("responses") if isinstance(payload, dict) else None
    if not isinstance(listed, list) or not all(isinstance(r, dict) for r in listed):
        got = shown(payload)
        raise EndpointFailed(f'no list under "responses": {got}')
    asked = {str(question.item): question for question in inputs}
    answers = []
    for record in listed:
        key = str(record.get("item"))
        if key not in asked:
            raise RunError(f"it answers item {shown(record.get('item'))}, not asked")
        given = {**record, "item": asked[key].item}  # it may give back 7 as "7"
        try:
            answers.append(response_of(given, asked[key], system))
        except InputError as problem:
            raise EndpointFailed(str(problem)) from None
    return answers


def _send_text(inputs: Sequence[Input]) -> Payload:
    return {"text": inputs[0].input}


_SILENT: Final[Mapping[str, Any]] = {"declined": True, "kind": "idk"}

FALLBACK: Final = "nlu_fallback"
"""The intent by which Rasa declines; its confidence is made up."""


def _read_rasa(
    payload: Payload, inputs: Sequence[Input], system: str
) -> list[Response]:
    """The intent; behind a fallback, whose confidence is 1, the best other one."""
    try:
        ranking = [
            (intent["name"], float(intent["confidence"]))
            for intent in payload.get("intent_ranking") or [payload["intent"]]
        ]
        chosen = payload["intent"]["name"]
    except (AttributeError, KeyError, TypeError, ValueError):
        raise EndpointFailed(f"not as Rasa answers: {shown(payload)}") from None
    guesses = [pair for pair in ranking if pair[0] not in (FALLBACK, None)]
    if not guesses:
        return [inputs[0].answered(system, **_SILENT)]
    guess, confidence = guesses[0]
    fields = {"confidence": confidence, "declined": chosen in (FALLBACK, None)}
    return [inputs[0].answered(system, guess, **fields, ranking=tuple(guesses))]


def _send_query(inputs: Sequence[Input]) -> Payload:
    query = {"text": {"text": inputs[0].input}, "languageCode": "en"}
    return {"queryInput": query}


def _read_dialogflow(
    payload: Payload, inputs: Sequence[Input], system: str
) -> list[Response]:
    """The matched intent; below its own threshold it returns none, so no guess."""
    try:
        match = payload["queryResult"]["match"]
        kind = match.get("matchType", "")
        intent = match.get("intent", {}).get("displayName")
        confidence = match.get("confidence")
    except (AttributeError, KeyError, TypeError):
        raise EndpointFailed(f"not as Dialogflow answers: {shown(payload)}") from None
    if kind in ("NO_MATCH", "NO_INPUT") or intent is None:
        return [inputs[0].answered(system, **_SILENT)]
    sure = None if confidence is None else float(confidence)
    return [inputs[0].answered(system, intent, confidence=sure)]


_Send = Callable[[Sequence[Input]], Payload]
_Read = Callable[..., list[Response]]

SHAPES: Final[Mapping[str, tuple[_Send, _Read]]] = {
    "demur": (_send_inputs, _read_responses),
    "rasa": (_send_text, _read_rasa),
    "dialogflow": (_send_query, _read_dialogflow),
}
"""What is sent and what is read, by the name of the shape."""
