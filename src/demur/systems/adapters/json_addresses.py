"""JSON over HTTP: time-outs, retries with growing pauses, answers kept on disk."""

import http.client
import json
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import Any, Final, TypeVar
from urllib.parse import SplitResult, urlsplit

from demur.errors import InputError, shown
from demur.systems.adapters.kept_answers import KeptAnswers, request_key

_AGAIN: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Answers of a server that say "later", not "no"."""

_LONGEST_WAIT: Final = 60.0
_LARGEST: Final = 64 << 20  # bytes of one answer

_Read = TypeVar("_Read")


class EndpointFailed(Exception):
    """An address gave no answer that can be read; the message says why.

    Parameters
    ----------
    why : str
        The message, as it stands in ``failed`` of the response.
    status : int, optional
        Of the answer, if there was one.
    code : str
        What the server calls the error, if it says so in JSON.
    """

    def __init__(self, why: str, status: int | None = None, code: str = "") -> None:
        super().__init__(why)
        self.status, self.code = status, code


class JsonAddress:
    """An address to which JSON is posted, and which answers in JSON.

    It may be used from several threads, and keeps connections open between requests.

    Parameters
    ----------
    url : str
        ``http://`` or ``https://``, without a user name or password.
    timeout : float
        Seconds for each attempt.
    retries : int
        How often a request is sent again.
    headers : mapping of str to str, optional
        Sent with each request. They are never shown.
    cache : path, optional
        A file that keeps answers.

    Raises
    ------
    InputError
        If the URL is none.
    """

    def __init__(
        self,
        url: str,
        *,
        timeout: float,
        retries: int,
        headers: Mapping[str, str] | None = None,
        cache: str | os.PathLike[str] | None = None,
    ) -> None:
        parts = address_parts(url)
        self._port = parts.port
        self.url, self.timeout, self.retries = url, timeout, retries
        self._parts, self._headers = parts, dict(headers or {})
        self._idle: list[http.client.HTTPConnection] = []
        self._kept = None if cache is None else KeptAnswers(cache)

    def __str__(self) -> str:
        port = f":{self._port}" if self._port else ""
        return f"{self._parts.scheme}://{self._parts.hostname}{port}{self._parts.path}"

    def close(self) -> None:
        """Close all connections that are not in use."""
        while self._idle:
            self._idle.pop().close()

    def __del__(self) -> None:
        with suppress(AttributeError):  # it was never made
            self.close()
            if self._kept is not None:
                self._kept.close()

    def ask(
        self, payload: Any, read: Callable[[Any], _Read], sample: int = 0
    ) -> tuple[_Read, float]:
        """Post JSON and read the JSON that comes back, or that was kept.

        Parameters
        ----------
        payload : any
            What JSON can hold; halves of a surrogate pair become question marks.
        read : callable
            From what came back to what it says; raises `EndpointFailed` for what is of
            no use. Only what it could read is kept.
        sample : int
            Which one of several answers to one request.

        Returns
        -------
        content : any
            What was read.
        seconds : float
            How long the answer took, in the attempt that gave it.

        Raises
        ------
        EndpointFailed
            If there is no answer after all attempts, or it cannot be read.
        """
        body = json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace")
        key = request_key(self.url, body, sample)
        known = None if self._kept is None else self._kept.find(key)
        if known is not None:
            return read(known["answer"]), known["seconds"]
        answer, seconds = self._post(body)
        content = read(answer)
        if self._kept is not None:
            self._kept.keep(key, {"answer": answer, "seconds": seconds})
        return content, seconds

    def _post(self, body: bytes) -> tuple[Any, float]:
        attempt = 0
        while True:
            attempt += 1
            began = time.perf_counter()
            try:
                status, headers, answer = self._sent(body)
            except (OSError, http.client.HTTPException) as problem:
                failed = EndpointFailed(_no_answer(problem, attempt))
                wait = _wait(attempt)
            else:
                seconds = time.perf_counter() - began
                if status not in _AGAIN:
                    return _parsed(status, headers, answer), seconds
                failed = EndpointFailed(f"status {status}, {attempt} times", status)
                wait = _wait(attempt, headers.get("retry-after"))
            if attempt > self.retries:
                raise failed
            time.sleep(wait)

    def _sent(self, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        """One request, on a connection that is open already if there is one.

        One that the server has closed meanwhile is no failure: another is opened.
        """
        # Servers close idle connections without a word, so the first try tells nothing.
        with suppress(IndexError, ConnectionError, http.client.RemoteDisconnected):
            return self._sent_on(self._idle.pop(), body)
        kind: type[http.client.HTTPConnection] = http.client.HTTPConnection
        if self._parts.scheme == "https":
            kind = http.client.HTTPSConnection
        host = self._parts.hostname or ""
        return self._sent_on(kind(host, self._port, timeout=self.timeout), body)

    def _sent_on(
        self, connection: http.client.HTTPConnection, body: bytes
    ) -> tuple[int, Mapping[str, str], bytes]:
        try:
            path = self._parts.path or "/"
            path += f"?{self._parts.query}" if self._parts.query else ""
            headers = {"Content-Type": "application/json", "Accept": "application/json"}
            connection.request("POST", path, body, {**headers, **self._headers})
            reply = connection.getresponse()
            answer = reply.read(_LARGEST + 1)  # one byte more than may be, to see it
        except BaseException:  # an answer half read would be taken for the next one
            connection.close()
            raise
        if len(answer) > _LARGEST:
            connection.close()
            raise EndpointFailed(f"an answer of more than {_LARGEST >> 20} MiB")
        self._idle.append(connection)
        named = {name.lower(): value for name, value in reply.headers.items()}
        return int(reply.status), named, bytes(answer)


def address_parts(url: str) -> SplitResult:
    """The parts of an address that can be spoken to.

    Raises
    ------
    InputError
        If it is none, or holds a user name or a password.
    """
    try:
        parts = urlsplit(url)
        proper = parts.scheme in ("http", "https") and bool(parts.hostname)
        proper = proper and parts.port != 0
    except ValueError:
        proper = False
    if not proper:
        need = "be an address such as http://host:port/path"
        raise InputError("as_system", "url", need, shown(url))
    if parts.username is not None or parts.password is not None:
        need = "have no user name and no password"
        hint = "Give them as a header: addresses are shown, headers are not."
        raise InputError("as_system", "url", need, "one before the host", hint)
    return parts


def _wait(attempt: int, asked: str | None = None) -> float:
    """Seconds before the next attempt: what the server asks for, else doubled."""
    seconds = 0.125 * 2.0**attempt
    if asked:
        try:
            seconds = float(asked)
        except ValueError:
            seconds = 0.0
            with suppress(TypeError, ValueError):  # RFC 9110 has seconds or a date
                seconds = parsedate_to_datetime(asked).timestamp() - time.time()
    return min(max(seconds, 0.0), _LONGEST_WAIT)


def _no_answer(problem: Exception, attempts: int) -> str:
    late = isinstance(problem, TimeoutError)
    why = "timed out" if late else f"{type(problem).__name__}: {problem}"
    text = " ".join(why.split())
    return f"no answer after {attempts} attempts: {text}"


def _parsed(status: int, headers: Mapping[str, str], answer: bytes) -> Any:
    start = shown(answer[:60].decode("utf-8", "replace"))
    try:
        payload = json.loads(answer)
    except (ValueError, RecursionError):
        payload = None
    if status != 200:
        message, code = _error_of(payload)
        why = f"status {status}: {shown(message) if message else start}"
        raise EndpointFailed(why, status, code)
    if payload is None and answer.strip() != b"null":
        kind = headers.get("content-type") or "no type"
        raise EndpointFailed(f"not JSON ({kind}): {start}", status)
    return payload


def _error_of(payload: Any) -> tuple[str, str]:
    """The message and the code of an error in JSON, where there are any."""
    inside = payload.get("error") if isinstance(payload, dict) else None
    if isinstance(inside, str):
        return inside, ""
    if not isinstance(inside, dict):
        return "", ""
    code = inside.get("code")
    return str(inside.get("message") or ""), code if isinstance(code, str) else ""
