"""Systems behind HTTP: asked with time-outs and retries, answers matched by item."""

import http.client
import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import Any, Final
from urllib.parse import urlsplit

from demur.checks import choice
from demur.errors import InputError, RunError, shown
from demur.outcomes.records import Response
from demur.systems.functions import response_of
from demur.systems.protocol import Input

_AGAIN: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Answers of a server that say "later", not "no"."""

_LONGEST_WAIT: Final = 60.0
_LARGEST: Final = 64 << 20  # bytes of one answer

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
        ``{"responses": [{"item": ..., "response": ..., "confidence": ...}]}``;
        ``rasa`` is ``POST /model/parse`` of Rasa, ``dialogflow`` ``detectIntent`` of
        Dialogflow CX.
    timeout : float
        Seconds for each attempt.
    retries : int
        How often a request is sent again after a time-out, a lost connection or an
        answer that says "later" (408, 425, 429, 500, 502, 503, 504).
    headers : mapping of str to str, optional
        Sent with each request. They are never shown.

    Raises
    ------
    InputError
        If the URL is none.
    """

    def __init__(
        self,
        url: str,
        *,
        name: str = "",
        shape: str = "demur",
        timeout: float = 60.0,
        retries: int = 4,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            must = "be an address such as http://host:port/path"
            raise InputError("as_system", "url", must, shown(url))
        choice("as_system", "shape", shape, SHAPES)
        self.url, self.name, self.shape = url, name, shape
        self.timeout, self.retries = timeout, retries
        self._parts, self._headers = parts, dict(headers or {})
        self._idle: list[http.client.HTTPConnection] = []

    def __str__(self) -> str:
        port = f":{self._parts.port}" if self._parts.port else ""
        where = f"{self._parts.scheme}://{self._parts.hostname}{port}{self._parts.path}"
        return f"http({where}, shape={self.shape})"

    def respond(self, inputs: Sequence[Input]) -> list[Response]:
        """Ask; what could not be had has failed, with its reason."""
        send, read = SHAPES[self.shape]
        found: list[Response] = []
        for group in [inputs] if self.shape == "demur" else [[each] for each in inputs]:
            try:
                payload = self.post(send(group))
                found += read(payload, group, self.name)
            except EndpointFailed as problem:
                found += [
                    Response(item=each.item, system=self.name, failed=str(problem))
                    for each in group
                ]
        return found

    def close(self) -> None:
        """Close all connections that are not in use."""
        while self._idle:
            self._idle.pop().close()

    def __del__(self) -> None:
        with suppress(AttributeError):  # it was never made
            self.close()

    def post(self, payload: Payload) -> Payload:
        """Send JSON and get JSON.

        Raises
        ------
        EndpointFailed
            If there is no answer after all attempts, or it is no JSON.
        """
        body = json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace")
        attempt = 0
        while True:
            attempt += 1
            try:
                status, headers, answer = self._exchange(body)
            except (OSError, http.client.HTTPException) as problem:
                why, wait = _no_answer(problem, attempt), _wait(attempt)
            else:
                if status not in _AGAIN:
                    return _parsed(status, headers, answer)
                why = f"status {status}, {attempt} times"
                wait = _wait(attempt, headers.get("retry-after"))
            if attempt > self.retries:
                raise EndpointFailed(why)
            time.sleep(wait)

    def _exchange(self, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        """One request, on a connection that is open already if there is one.

        One that the server has closed meanwhile is no failure: another is opened.
        """
        with suppress(IndexError, ConnectionError, http.client.RemoteDisconnected):
            return self._exchange_on(self._idle.pop(), body)
        kind: type[http.client.HTTPConnection] = http.client.HTTPConnection
        if self._parts.scheme == "https":
            kind = http.client.HTTPSConnection
        host = self._parts.hostname or ""
        fresh = kind(host, self._parts.port, timeout=self.timeout)
        return self._exchange_on(fresh, body)

    def _exchange_on(
        self, connection: http.client.HTTPConnection, body: bytes
    ) -> tuple[int, Mapping[str, str], bytes]:
        try:
            path = self._parts.path or "/"
            path += f"?{self._parts.query}" if self._parts.query else ""
            headers = {"Content-Type": "application/json", "Accept": "application/json"}
            connection.request("POST", path, body, {**headers, **self._headers})
            reply = connection.getresponse()
            answer = reply.read(_LARGEST + 1)
        except BaseException:
            connection.close()
            raise
        if len(answer) > _LARGEST:
            connection.close()
            raise EndpointFailed(f"an answer of more than {_LARGEST >> 20} MiB")
        self._idle.append(connection)
        named = {name.lower(): value for name, value in reply.headers.items()}
        return int(reply.status), named, bytes(answer)


class EndpointFailed(Exception):
    """An address gave no answer that can be read; the message says why."""


def _wait(attempt: int, asked: str | None = None) -> float:
    """Seconds before the next attempt: what the server asks for, else doubled."""
    seconds = 0.125 * 2.0**attempt
    if asked:
        try:
            seconds = float(asked)
        except ValueError:
            try:
                then = parsedate_to_datetime(asked).timestamp()
            except (TypeError, ValueError):
                then = 0.0
            seconds = then - time.time()
    return min(max(seconds, 0.0), _LONGEST_WAIT)


def _no_answer(problem: Exception, attempts: int) -> str:
    why = "timed out" if isinstance(problem, TimeoutError) else str(problem)
    kind = "" if isinstance(problem, TimeoutError) else f"{type(problem).__name__}: "
    text = " ".join(f"{kind}{why}".split())
    return f"no answer after {attempts} attempts: {text}"


def _parsed(status: int, headers: Mapping[str, str], answer: bytes) -> Payload:
    start = shown(answer[:60].decode("utf-8", "replace"))
    if status != 200:
        raise EndpointFailed(f"status {status}: {start}")
    try:
        return json.loads(answer)
    except (ValueError, RecursionError):
        kind = headers.get("content-type") or "no type"
        raise EndpointFailed(f"not JSON ({kind}): {start}") from None


# -- shapes --------------------------------------------------------------------------


def _send_inputs(inputs: Sequence[Input]) -> Payload:
    return {"inputs": [{"item": each.item, "input": each.input} for each in inputs]}


def _read_responses(
    payload: Payload, inputs: Sequence[Input], system: str
) -> list[Response]:
    listed = payload.get("responses") if isinstance(payload, dict) else None
    if not isinstance(listed, list) or not all(isinstance(r, dict) for r in listed):
        got = shown(payload)
        raise EndpointFailed(f'no list under "responses": {got}')
    asked = {str(each.item): each for each in inputs}
    found = []
    for record in listed:
        key = str(record.get("item"))
        if key not in asked:
            raise RunError(f"it answers item {shown(record.get('item'))}, not asked")
        given = {**record, "item": asked[key].item}
        try:
            found.append(response_of(given, asked[key], system))
        except InputError as problem:
            raise EndpointFailed(str(problem)) from None
    return found


def _send_text(inputs: Sequence[Input]) -> Payload:
    return {"text": inputs[0].input}


FALLBACK: Final = "nlu_fallback"
"""The intent by which Rasa declines; its confidence is made up."""


def _read_rasa(
    payload: Payload, inputs: Sequence[Input], system: str
) -> list[Response]:
    """The intent; behind a fallback, whose confidence is 1, the best other one."""
    try:
        ranking = [
            (each["name"], float(each["confidence"]))
            for each in payload.get("intent_ranking") or [payload["intent"]]
        ]
        chosen = payload["intent"]["name"]
    except (AttributeError, KeyError, TypeError, ValueError):
        raise EndpointFailed(f"not as Rasa answers: {shown(payload)}") from None
    guesses = [each for each in ranking if each[0] not in (FALLBACK, None)]
    declined = chosen in (FALLBACK, None)
    if not guesses:
        return [_silent(inputs[0], system)]
    guess, confidence = guesses[0]
    return [
        Response(
            item=inputs[0].item,
            system=system,
            response=guess,
            confidence=confidence,
            declined=declined,
            ranking=tuple(guesses),
        )
    ]


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
        return [_silent(inputs[0], system)]
    return [
        Response(
            item=inputs[0].item,
            system=system,
            response=intent,
            confidence=None if confidence is None else float(confidence),
        )
    ]


def _silent(asked: Input, system: str) -> Response:
    return Response(item=asked.item, system=system, declined=True, kind="idk")


_Send = Callable[[Sequence[Input]], Payload]
_Read = Callable[[Payload, Sequence[Input], str], list[Response]]

SHAPES: Final[Mapping[str, tuple[_Send, _Read]]] = {
    "demur": (_send_inputs, _read_responses),
    "rasa": (_send_text, _read_rasa),
    "dialogflow": (_send_query, _read_dialogflow),
}
"""What is sent and what is read, by the name of the shape."""
