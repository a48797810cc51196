"""JSON over HTTP: time-outs, retries with growing pauses, answers kept on disk."""

import hashlib
import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime
from itertools import count
from typing import TYPE_CHECKING, Any, Final, TypeVar

from demur.errors import escaped, one_line, shown
from demur.systems.adapters.address_parts import address_parts
from demur.systems.adapters.kept_answers import KeptAnswers, request_key
from demur.systems.adapters.masked_keys import MaskedKeys, read_headers, secrets_of

if TYPE_CHECKING:
    from demur.systems.adapters.http_posts import Posts
    from demur.systems.adapters.request_limits import RequestLimits

_AGAIN: Final = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
"""Answers of a server that say "later", not "no"."""

_NEVER: Final = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
"""Codes of errors that no waiting mends, whatever their status."""

_LONGEST_WAIT: Final = 60.0
_ENDED: Final = "the run has ended"

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


class _Later(Exception):
    """There is no answer yet; another attempt may help.

    Parameters
    ----------
    failed : EndpointFailed
        What there is to say if there is no other attempt.
    wait : float, optional
        Seconds that the server asks for.
    """

    def __init__(self, failed: EndpointFailed, wait: float | None = None) -> None:
        super().__init__()
        self.failed, self.wait = failed, wait
        self.is_final = failed.code in _NEVER


class JsonAddress:
    """An address to which JSON is posted, and which answers in JSON.

    It may be used from several threads, and keeps connections open between requests.

    Parameters
    ----------
    url : str
        ``http://`` or ``https://``, without a user name or password.
    timeout : float
        Seconds for all of an attempt, whatever the server sends meanwhile.
    retries : int
        How often a request is sent again.
    headers : mapping of str to str, optional
        Sent with each request; a value ``env:NAME`` is read from the environment. They
        are never shown, and where an answer holds a key that was sent, ``[key]`` stands
        in its place.
    cache : path, optional
        A file that keeps answers.
    limits : RequestLimits, optional
        Asked before each request that is sent.

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
        limits: "RequestLimits | None" = None,
    ) -> None:
        self._parts = address_parts(url)
        self.url, self.timeout, self.retries = url, timeout, retries
        self._headers, secrets = read_headers(url, headers or {})
        self._secrets = [*secrets_of(url, self._headers), *secrets]
        self._masked = MaskedKeys(self._secrets)
        self._limits = limits
        self._kept = None if cache is None else KeptAnswers(cache)
        self._made = threading.Lock()
        self._posts: Posts | None = None
        self._ended = threading.Event()
        self._here = threading.local()

    @property
    def sent_here(self) -> int:
        """How many requests of this thread were sent, and not found in the cache."""
        return getattr(self._here, "sent", 0)

    def __str__(self) -> str:
        port = f":{self._parts.port}" if self._parts.port else ""
        return f"{self._parts.scheme}://{self._parts.hostname}{port}{self._parts.path}"

    __repr__ = __str__

    @property
    def sends_key(self) -> bool:
        """Whether a key goes with each request."""
        return bool(self._secrets)

    @property
    def query(self) -> str:
        """A digest of the query, which may hold a key; empty without one."""
        query = self._parts.query
        return hashlib.sha256(query.encode()).hexdigest()[:8] if query else ""

    def close(self) -> None:
        """End what is under way or waits to be sent again, and close connections.

        The address can be asked again afterwards.
        """
        with self._made:
            ended, self._ended = self._ended, threading.Event()
            posts, self._posts = self._posts, None
        ended.set()
        if posts is not None:
            posts.close()

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
        self._here.sent = self.sent_here + 1
        answer, seconds = self._post(body)
        content = read(answer)
        if self._kept is not None:
            self._kept.keep(key, {"answer": answer, "seconds": seconds})
        return content, seconds

    def _post(self, body: bytes) -> tuple[Any, float]:
        posts, ended = self._opened()
        for attempt in count(1):
            self._wait_for_limits(ended)
            began = time.perf_counter()
            try:
                answer = self._limited(posts, body, attempt)
            except _Later as later:
                wait = _wait(attempt) if later.wait is None else later.wait
                if attempt > self.retries or later.is_final or wait > _LONGEST_WAIT:
                    raise later.failed from None
                if ended.wait(wait):
                    raise EndpointFailed(_ENDED) from None
            else:
                return answer, time.perf_counter() - began
        raise AssertionError  # it counts for ever

    def _wait_for_limits(self, ended: threading.Event) -> None:
        while self._limits is not None and (seconds := self._limits.wait()) > 0:
            if ended.wait(seconds):
                raise EndpointFailed(_ENDED)

    def _limited(self, posts: "Posts", body: bytes, attempt: int) -> Any:
        """The content of an answer, of which the limits take note."""
        answer = None
        try:
            answer = self._sent(posts, body, attempt)
        finally:
            if self._limits is not None:
                self._limits.ended(answer)
        return answer

    def _sent(self, posts: "Posts", body: bytes, attempt: int) -> Any:
        """The content of an answer that is final, good or bad."""
        from demur.systems.adapters.http_posts import AnswerTooLarge, AttemptFailed

        try:
            status, headers, sent = posts.send(body)
        except AnswerTooLarge as problem:
            raise EndpointFailed(str(problem)) from None
        except AttemptFailed as problem:
            why = f"no answer after {attempt} attempts: {problem}"
            raise _Later(EndpointFailed(self._masked(why))) from None
        # Masked as bytes, for what is no JSON, and again once escapes are read.
        answer = self._masked.of_bytes(sent)
        payload = self._masked.of_value(_json(answer))
        if payload is None:  # it may be text in UTF-16
            answer = self._masked.of_bytes(answer.replace(b"\0", b""))
        if status not in _AGAIN:
            named = {name: self._masked(value) for name, value in headers.items()}
            return _parsed(status, named, answer, payload)
        wait = asked_wait(headers.get("retry-after"))
        raise _Later(_busy(status, answer, payload, attempt, wait), wait)

    def _opened(self) -> tuple["Posts", threading.Event]:
        from demur.systems.adapters.http_posts import Posts

        with self._made:
            if self._posts is None:
                self._posts = Posts(self.url, self._headers, self.timeout)
                self._masked = MaskedKeys([*self._secrets, *self._posts.secrets])
            return self._posts, self._ended


def _wait(attempt: int) -> float:
    """Seconds before the next attempt, each time twice as many."""
    return min(0.125 * 2.0**attempt, _LONGEST_WAIT)


def asked_wait(asked: str | None) -> float | None:
    """Seconds that a server asks for in ``Retry-After``; None if that means none.

    Examples
    --------
    >>> asked_wait("3"), asked_wait("soon"), asked_wait(None)
    (3.0, None, None)
    """
    if not asked:
        return None
    seconds = -1.0
    try:
        seconds = float(asked)
    except ValueError:
        with suppress(TypeError, ValueError):  # RFC 9110 has seconds or a date
            seconds = parsedate_to_datetime(asked).timestamp() - time.time()
    return seconds if seconds >= 0 else None


def _busy(
    status: int, answer: bytes, payload: Any, attempts: int, wait: float | None
) -> EndpointFailed:
    """Why a server that says "later" gives no answer, in its own words."""
    message, code = error_of(payload)
    reason = " ".join(filter(None, (code and f"{code}:", message)))
    reason = reason or answer[:60].decode("utf-8", "replace").strip()
    why = f"status {status}" + (f", {attempts} times" if attempts > 1 else "")
    if reason:
        why += f": {quoted(reason)}"
    if wait is not None and wait > _LONGEST_WAIT:
        why += f"; it may be asked again in {wait:,.0f} seconds"
    return EndpointFailed(why, status, code)


def _parsed(
    status: int, headers: Mapping[str, str], answer: bytes, payload: Any
) -> Any:
    start = shown(answer[:60].decode("utf-8", "replace"))
    if payload is not None:  # whose escapes have been read
        start = quoted(json.dumps(payload, ensure_ascii=False))
    if status != 200:
        message, code = error_of(payload)
        why = f"status {status}: {quoted(message) if message else start}"
        if 300 <= status < 400 and "location" in headers:
            target = quoted(headers["location"])
            why += f"; it leads to {target}: name that address"
        raise EndpointFailed(why, status, code)
    if payload is None and answer.strip() != b"null":
        kind = headers.get("content-type") or "no type"
        raise EndpointFailed(f"not JSON ({kind}): {start}", status)
    return payload


def _json(answer: bytes) -> Any:
    try:
        return json.loads(answer)
    except (ValueError, RecursionError):
        return None


def quoted(text: str) -> str:
    """What a server says, in quotes."""
    return escaped(repr(one_line(text)))


def error_of(payload: Any) -> tuple[str, str]:
    """The message and the code of an error in JSON, where there are any."""
    inside = payload.get("error") if isinstance(payload, dict) else None
    if isinstance(inside, str):
        return inside, ""
    if not isinstance(inside, dict):
        return "", ""
    code = inside.get("code")
    return str(inside.get("message") or ""), code if isinstance(code, str) else ""
