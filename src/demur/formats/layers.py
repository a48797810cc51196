"""Compression undone, with faults that name the file."""

import gzip
import io
import sys
import zlib
from collections.abc import Callable
from contextlib import ExitStack
from typing import IO, Any, Final

from demur.errors import MissingExtra, ParseError, shown

_CHUNK: Final = 1 << 20
_MAGIC_BYTES: Final = 16
_MOST_LAYERS: Final = 3


class Layer(io.RawIOBase):
    """A file whose first bytes can be looked at, and whose faults are ParseErrors.

    Parameters
    ----------
    name : str
        What messages call it.
    file : binary file
        What is beneath.
    faults : tuple of exception types
        What reading from it may raise.
    kind : str
        What messages say it should be.
    """

    def __init__(
        self,
        name: str,
        file: IO[bytes],
        faults: tuple[type[Exception], ...],
        kind: str,
    ) -> None:
        self.name = name
        self._file, self._faults, self._kind = file, faults, kind
        self._head = b""

    def peek(self) -> bytes:
        """The first bytes, fewer only if there are no more."""
        while len(self._head) < _MAGIC_BYTES:
            more = self._guarded(_MAGIC_BYTES)
            if not more:
                break
            self._head += more
        return self._head

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer as far as possible."""
        data = self.take(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def take(self, size: int) -> bytes:
        """At most ``size`` bytes; none at the end."""
        if self._head:
            data, self._head = self._head[:size], self._head[size:]
            return data
        return self._guarded(size)

    def _guarded(self, size: int) -> bytes:
        try:
            data = self._file.read(size)
        except self._faults as error:
            must = f"be a whole, readable {self._kind}"
            got = shown(getattr(error, "strerror", None) or str(error))
            hint = "It may be cut off or damaged: copy it again."
            raise ParseError(self.name, "the file", must, got, hint) from None
        return data


def unpacked(layer: Layer, closing: ExitStack) -> Layer:
    """The innermost layer, all compression undone."""
    for _ in range(_MOST_LAYERS):
        magic = layer.peek()[:4]
        unpack = next(
            (_UNPACKERS[key] for key in _UNPACKERS if magic[: len(key)] == key), None
        )
        if unpack is None:
            return layer
        layer = unpack(layer, closing)
    return layer


def _gunzipped(layer: Layer, closing: ExitStack) -> Layer:
    buffered = io.BufferedReader(layer, _CHUNK)
    file = closing.enter_context(gzip.GzipFile(fileobj=buffered, mode="rb"))
    faults = (EOFError, OSError, zlib.error)
    return Layer(layer.name, file, faults, "gzip file")  # type: ignore[arg-type]


def _unzstd(layer: Layer, closing: ExitStack) -> Layer:
    zstd = zstd_module(f"reading {layer.name}")
    file = closing.enter_context(zstd.ZstdFile(io.BufferedReader(layer, _CHUNK), "rb"))
    return Layer(layer.name, file, (EOFError, OSError, zstd.ZstdError), "zstd file")


_UNPACKERS: Final[dict[bytes, Callable[[Layer, ExitStack], Layer]]] = {
    b"\x1f\x8b": _gunzipped,
    b"\x28\xb5\x2f\xfd": _unzstd,
}


def zstd_module(purpose: str) -> Any:
    """The standard module for zstd, or its backport.

    Raises
    ------
    MissingExtra
        If there is neither.
    """
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        raise MissingExtra("zstd", purpose) from None
    return zstd
