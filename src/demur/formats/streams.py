"""Files opened for reading: recognised by content, decompressed, decoded, by lines."""

import codecs
import difflib
import gzip
import io
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any, Final

from demur.errors import InputError, MissingExtra, ParseError, shown
from demur.results import printable

PARQUET: Final = b"PAR1"

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


Source = str | os.PathLike[str] | IO[bytes] | IO[str]
"""A path, ``-`` for the standard input, or an open file."""

_CHUNK: Final = 1 << 20

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass
class Stream:
    """One source, open.

    Parameters
    ----------
    name : str
        What messages call it.
    head : bytes
        What it begins with, but for blank space; nothing if there is nothing else.
    file : binary file
        For Parquet: from which it can be read at any place.
    chunks : iterator of bytes
        For all others: the whole text in UTF-8, not yet checked.
    """

    name: str
    head: bytes
    file: IO[bytes]
    chunks: Iterator[bytes]

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Whole lines of checked UTF-8, with the number of the first line."""
        line, pending = 1, []
        for chunk in self.chunks:
            cut = chunk.rfind(b"\n") + 1
            pending.append(chunk[:cut] if cut else chunk)
            if cut:
                block = b"".join(pending)
                pending = [chunk[cut:]]
                yield line, self._checked(block, line)
                line += block.count(b"\n")
        last = b"".join(pending)
        if last:
            yield line, self._checked(last, line)

    def whole(self) -> bytes:
        """The whole text, checked."""
        return b"".join(block for _, block in self.blocks())

    def _checked(self, block: bytes, line: int) -> bytes:
        at = block.find(b"\0")
        if at >= 0:
            line += block.count(b"\n", 0, at)
            hint = "Text in UTF-16 needs a byte-order mark; binary files are not read."
            raise ParseError(
                f"{self.name}:{line}", "the text", "be UTF-8", "a NUL byte", hint
            )
        if not block.isascii():
            try:
                block.decode()
            except UnicodeDecodeError as error:
                line += block.count(b"\n", 0, error.start)
                raise _not_utf8(f"{self.name}:{line}", block, error.start) from None
        return block


def _not_utf8(place: str, block: bytes, at: int) -> ParseError:
    begins = max(block.rfind(b"\n", 0, at) + 1, at - 10)
    nearby = block[begins : at + 10].splitlines()[0]
    got = f"byte 0x{block[at]:02x} in {shown(nearby)}"
    hint = "Convert it, for example with: iconv -f latin1 -t utf-8."
    return ParseError(place, "the text", "be UTF-8", got, hint)


@contextmanager
def opened(source: Source) -> Iterator[Stream]:
    """A source as a stream, closed at the end unless it was open before.

    Raises
    ------
    InputError
        If it cannot be opened.
    ParseError
        If its compression or encoding is broken.
    """
    with ExitStack() as closing:
        name, file = _file(source, closing)
        outermost = Layer(name, file, (OSError,), "file")
        layer = unpacked(outermost, closing)
        head = layer.peek()
        if head.startswith(PARQUET):
            if layer is not outermost or not _rewound(file):
                file = io.BytesIO(b"".join(_chunks(layer)))
            yield Stream(name, PARQUET, file, iter(()))
        else:
            begins, chunks = _begun(_decoded(layer, head))
            yield Stream(name, begins, file, chunks)


# -- opening -----------------------------------------------------------------------


def _file(source: Source, closing: ExitStack) -> tuple[str, IO[bytes]]:
    if isinstance(source, (str, os.PathLike)):
        if os.fspath(source) == "-":
            return "stdin", _binary(sys.stdin)
        path = Path(source)
        return printable(str(path)), closing.enter_context(_opened_path(path))
    if hasattr(source, "read"):
        name = getattr(source, "name", None)
        known = printable(name) if isinstance(name, str) else "stream"
        return known, _binary(source)
    hint = "Give several files one by one: read_outcomes(*files)."
    must = "be a path, '-' or an open file"
    raise InputError("formats", "a source", must, shown(source), hint)


def _binary(file: Any) -> IO[bytes]:
    try:
        if isinstance(file, io.TextIOBase):
            file = getattr(file, "buffer", None) or io.BytesIO(
                file.read().encode("utf-8", "surrogatepass")
            )
        got = type(file.read(0)).__name__
    except (AttributeError, OSError, ValueError) as error:
        got = printable(str(error))
    if got != "bytes":
        hint = 'Open it with mode "rb".'
        raise InputError("formats", "an open file", "give bytes", got, hint)
    return file  # type: ignore[no-any-return]


def _opened_path(path: Path) -> IO[bytes]:
    name = printable(str(path))
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise InputError(name, "the file", "exist", "nothing", _near(path)) from None
    except IsADirectoryError:
        hint = "Name the files in it."
        raise InputError(name, "the path", "be a file", "a directory", hint) from None
    except (OSError, ValueError) as error:
        got = getattr(error, "strerror", None) or str(error)
        raise InputError(name, "the file", "be readable", got) from None


def _near(path: Path) -> str:
    try:
        names = [each.name for each in path.parent.iterdir()]
    except OSError:
        return "" if path.parent.is_dir() else f"There is no directory {path.parent}."
    near = difflib.get_close_matches(path.name, names, n=1)
    return f"Did you mean {shown(near[0])}?" if near else ""


# -- decoding ----------------------------------------------------------------------


def _rewound(file: IO[bytes]) -> bool:
    seekable = getattr(file, "seekable", None)
    if seekable is None or not seekable():
        return False
    file.seek(0)
    return True


def _chunks(layer: Layer) -> Iterator[bytes]:
    return iter(lambda: layer.take(_CHUNK), b"")


def _decoded(layer: Layer, head: bytes) -> Iterator[bytes]:
    marks = [(mark, code) for mark, code in _BOMS if head.startswith(mark)]
    chunks = _chunks(layer)
    if not marks:
        return chunks
    mark, encoding = marks[0]
    if encoding == "utf-8":
        layer.take(len(mark))
        return chunks
    return _transcoded(chunks, encoding, layer.name)


def _transcoded(chunks: Iterator[bytes], encoding: str, name: str) -> Iterator[bytes]:
    decoder, line = codecs.getincrementaldecoder(encoding)(), 1
    for chunk, final in chain(((each, False) for each in chunks), [(b"", True)]):
        try:
            text = decoder.decode(chunk, final)
        except UnicodeDecodeError as error:
            must = f"be {encoding.upper()}, as its byte-order mark says"
            where = f"{name}:{line} or below"
            raise ParseError(where, "the text", must, error.reason) from None
        line += text.count("\n")
        if text:
            yield text.encode()


def _begun(chunks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """The first bytes that are not blank, and the text with them."""
    read: list[bytes] = []
    for chunk in chunks:
        read.append(chunk)
        if head := chunk.lstrip():
            return head, chain(read, chunks)
    return b"", iter(())
