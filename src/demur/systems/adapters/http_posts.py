"""One HTTP POST with a deadline for all of it; pools, proxies and TLS are of urllib3.

Proxies are those of the environment (``HTTPS_PROXY``, ``NO_PROXY``), and so are
certificates (``SSL_CERT_FILE``); addresses of this machine are asked without a proxy.
"""

import http.client
import socket
import ssl
import threading
import urllib.request
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Final
from urllib.parse import unquote, urlsplit, urlunsplit

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import (
    HTTPError,
    NewConnectionError,
    ProtocolError,
    ProxyError,
)

from demur.errors import InputError
from demur.systems.adapters.address_parts import is_here

LARGEST: Final = 64 << 20  # bytes of one answer
_KEPT_OPEN: Final = 256  # connections


class AttemptFailed(Exception):
    """Nothing came back, or not all of it; another attempt may help."""


class AnswerTooLarge(Exception):
    """More came back than an answer may hold."""


class _Attempt:
    """One request on its way, which can be cut off from another thread."""

    def __init__(self) -> None:
        self._socket: Any = None  # its connection may give it up before the answer ends
        self._is_cut = False

    def cut(self) -> None:
        """End it: what waits for its socket goes on at once."""
        self._is_cut = True
        with suppress(TypeError, OSError):  # there is none yet, or it is closed
            # That of TLS would first speak to the other side.
            socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def on(self, connection: HTTPConnection) -> None:
        """Take the connection that it is sent on."""
        self._socket = connection.sock
        self.check()

    def check(self) -> None:
        """Raise if it was cut: the end of what was read is none of the answer then."""
        if self._is_cut:
            raise TimeoutError("timed out")


_NOW: Final = threading.local()
"""The attempt that a thread makes."""


class _FinalReply(http.client.HTTPResponse):
    """The answer of a server behind those that only inform, such as early hints."""

    def begin(self, **how: Any) -> None:
        super().begin(**how)
        while self.status in _INFORMS:
            self.headers = self.msg = None  # type: ignore[assignment]
            super().begin(**how)


_INFORMS: Final = (102, 103)  # http.client leaves out 100; nobody has asked for 101


class _Watched(HTTPConnection):
    """A connection that its attempt knows."""

    response_class = _FinalReply

    def connect(self) -> None:
        super().connect()
        _NOW.attempt.on(self)

    def request(self, *given: Any, **named: Any) -> None:
        _NOW.attempt.on(self)
        super().request(*given, **named)


class _WatchedSafe(_Watched, HTTPSConnection):
    """The same with TLS."""


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Watched


class _SafePool(HTTPSConnectionPool):
    ConnectionCls = _WatchedSafe


_POOLS: Final = {"http": _Pool, "https": _SafePool}


class Posts:
    """Sends requests to one address; may be used from several threads.

    Parameters
    ----------
    url : str
        As `address_parts` takes it.
    headers : mapping of str to str
        Sent with each request.
    timeout : float
        Seconds for all of an attempt: to connect, to send, to get the whole answer.

    Attributes
    ----------
    secrets : list of str
        Of the proxy, which must not be shown.
    """

    def __init__(self, url: str, headers: Mapping[str, str], timeout: float) -> None:
        self._url, self._timeout = url, timeout
        of_json = {"Content-Type": "application/json", "Accept": "application/json"}
        self._headers = {**of_json, **headers}
        self.secrets: list[str] = []
        self._manager = _manager(url, self.secrets)
        self._open: set[_Attempt] = set()

    def close(self) -> None:
        """Cut off what is under way, and close what is open."""
        for attempt in list(self._open):
            attempt.cut()
        self._manager.clear()

    def send(self, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers in small letters, and content of the answer.

        Raises
        ------
        AttemptFailed
            If there is none in time, or it is cut off.
        AnswerTooLarge
            If it is longer than an answer may be.
        """
        try:
            with self._attempt():
                reply = self._manager.urlopen(
                    "POST",
                    self._url,
                    body=body,
                    headers=self._headers,
                    timeout=self._timeout,
                    **{"retries": False, "redirect": False, "preload_content": False},
                )
                packing = reply.headers.get("content-encoding", "").strip().lower()
                ours = packing in _WBITS
                try:
                    # One more than may be, to see it.
                    answer = reply.read(LARGEST + 1, decode_content=not ours)
                except BaseException:
                    reply.close()  # half read, it would be taken for the next one
                    raise
        except _FAULTS as problem:
            raise AttemptFailed(_said(problem)) from None
        if len(answer) > LARGEST:
            reply.close()
        else:
            reply.release_conn()
            answer = _unpacked(answer, _WBITS[packing]) if ours else answer
        if len(answer) > LARGEST:
            raise AnswerTooLarge(f"an answer of more than {LARGEST >> 20} MiB")
        named = {name.lower(): value for name, value in reply.headers.items()}
        return reply.status, named, answer

    @contextmanager
    def _attempt(self) -> Iterator[None]:
        """An attempt that is cut off when its time is over."""
        attempt = _NOW.attempt = _Attempt()
        deadline = threading.Timer(self._timeout, attempt.cut)
        deadline.daemon = True
        self._open.add(attempt)
        deadline.start()
        try:
            yield
            attempt.check()
        except _FAULTS:
            attempt.check()
            raise
        finally:
            deadline.cancel()
            self._open.discard(attempt)


_FAULTS: Final = (OSError, HTTPError)


_WBITS: Final = {"gzip": 31, "x-gzip": 31, "deflate": 15}
"""What urllib3 unpacks without a look at whether the end is there."""

_GZIP: Final = b"\x1f\x8b"


def _unpacked(answer: bytes, wbits: int) -> bytes:
    """A packed answer that is whole, up to one byte more than an answer may have.

    Raises
    ------
    AttemptFailed
        If its end is not there, or it is damaged.
    """
    content = b""
    while answer and len(content) <= LARGEST:
        if wbits == _WBITS["deflate"] and answer[0] & 15 != 8:
            wbits = -15  # as some servers have it, without a head
        unpack = zlib.decompressobj(wbits)
        try:
            content += unpack.decompress(answer, LARGEST + 1 - len(content))
        except zlib.error:
            raise AttemptFailed("the answer cannot be unpacked") from None
        if not unpack.eof and len(content) <= LARGEST:
            raise AttemptFailed("the answer was cut off")
        # What follows may be more of it; anything else is none.
        answer = unpack.unused_data if unpack.unused_data[:2] == _GZIP else b""
    return content


def _said(problem: Exception) -> str:
    """Why there is no answer, without the address, which may hold a key."""
    if isinstance(problem, ProxyError):
        return f"the proxy: {_said(problem.original_error)}"
    if isinstance(problem, NewConnectionError):  # which is a time-out for urllib3
        reason = getattr(problem.__cause__, "strerror", None) or problem.__cause__
        return f"no connection: {reason}"
    late = (TimeoutError, urllib3.exceptions.TimeoutError)
    if isinstance(problem, late):
        return "timed out"
    inner = problem.args[1:] if isinstance(problem, ProtocolError) else ()
    cause = next(iter(inner), problem.__cause__ or problem)
    if isinstance(cause, urllib3.exceptions.IncompleteRead):
        return "the answer was cut off"
    text = " ".join(str(cause).split())
    return f"{type(cause).__name__}: {text}"


def _manager(url: str, secrets: list[str]) -> urllib3.PoolManager:
    """What sends requests to an address; takes the secrets of its proxy."""
    parts = urlsplit(url)
    how: dict[str, Any] = {"maxsize": _KEPT_OPEN}
    if parts.scheme == "https":
        how["ssl_context"] = ssl.create_default_context()
    proxy = _proxy(parts.scheme, parts.hostname or "")
    manager = urllib3.PoolManager(**how)
    if proxy:
        shown = urlsplit(proxy)
        if shown.scheme not in ("http", "https") or not shown.hostname:
            need = "be an http:// or https:// address in the environment"
            hint = "NO_PROXY names addresses that are asked without it."
            what = f"the proxy for {parts.scheme}"
            raise InputError("as_system", what, need, f"{shown.scheme}://...", hint)
        if shown.username is not None:
            pair = f"{unquote(shown.username)}:{unquote(shown.password or '')}"
            how["proxy_headers"] = urllib3.make_headers(proxy_basic_auth=pair)
            secrets += [pair, *filter(None, (shown.password, pair.partition(":")[2]))]
            host = shown.netloc.rpartition("@")[2]
            proxy = urlunsplit(shown._replace(netloc=host))
        manager = urllib3.ProxyManager(proxy, **how)
    manager.pool_classes_by_scheme = _POOLS
    return manager


def _proxy(scheme: str, host: str) -> str:
    """The proxy that the environment names for an address; empty for none."""
    if is_here(host) or urllib.request.proxy_bypass(host):
        return ""
    proxies = urllib.request.getproxies()
    return proxies.get(scheme) or proxies.get("all") or ""
