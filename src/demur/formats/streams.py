"""Files opened for reading: decompressed, decoded, by lines; what each format gives.

A format is recognised by content; whatever it is, it gives blocks of columns.
"""

import codecs
import io
import os
import sys
from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain, compress
from pathlib import Path
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, ClassVar, Final, Protocol

from demur.checks import did_you_mean
from demur.errors import InputError, ParseError, shown
from demur.formats.compression import UNPACKERS
from demur.outcomes.columns import Column, Place
from demur.outcomes.fields import DISPLAY, VERDICT_CONFIDENCE, columns
from demur.results import printable

if TYPE_CHECKING:
    from demur.formats.selection import Selection

PARQUET: Final = b"PAR1"
ZIP: Final = b"PK\x03\x04"
MAX_SIZE: Final = 1 << 32
"""How many bytes a compressed file may hold, unless more is allowed: 4 GiB."""

_IN_MEMORY: Final = 16
"""What is held in memory at once may be this fraction of it: 256 MiB."""

_WAITED: Final = 10.0
"""Seconds in which a named pipe must find somebody who writes to it."""
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
    limit : int, optional
        How many bytes it may hold.
    """

    def __init__(
        self,
        name: str,
        file: IO[bytes],
        faults: tuple[type[Exception], ...],
        kind: str,
        *,
        limit: int | None = None,
    ) -> None:
        self.name, self.limit = name, limit
        self._file, self._faults, self._kind = file, faults, kind
        self._head = b""
        self._taken = 0

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
            need = f"be a whole, readable {self._kind}"
            got = shown(getattr(error, "strerror", None) or str(error))
            hint = "It may be cut off or damaged: copy it again."
            raise ParseError(self.name, "the file", need, got, hint) from None
        self._taken += len(data)
        if self.limit is not None and self._taken > self.limit:
            raise too_large(self.name, "the decompressed file", self.limit)
        return data


def nul_byte(place: str) -> ParseError:
    """The error for text that holds a NUL, as files with holes do."""
    hint = "Text in UTF-16 needs a byte-order mark; binary files are not read."
    return ParseError(place, "the text", "be UTF-8", "a NUL byte", hint)


def too_large(place: str, what: str, limit: int) -> ParseError:
    """The error for more bytes than are taken without being told to."""
    hint = "If it is meant, allow it: --max-size 20GB, or max_size= in Python."
    return ParseError(place, what, f"hold at most {limit:,} bytes", "more", hint)


def unpacked(layer: Layer, closing: ExitStack, limit: int) -> Layer:
    """The innermost layer, all compression undone."""
    for _ in range(_MOST_LAYERS):
        marks = [mark for mark in UNPACKERS if layer.peek().startswith(mark)]
        if not marks:
            return layer
        packed = io.BufferedReader(layer, _CHUNK)
        file, faults, kind = UNPACKERS[marks[0]](packed, layer.name)
        closing.enter_context(file)
        layer = Layer(layer.name, file, faults, kind, limit=limit)
    return layer


Source = str | os.PathLike[str] | IO[bytes] | IO[str]
"""A path, ``-`` for the standard input, or an open file."""

_CHUNK: Final = 1 << 20

BEGINNING: Final = 1 << 16
"""So many bytes of a file are looked at to tell what it is."""

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
        For Parquet and zip: from which it can be read at any place.
    chunks : iterator of bytes
        For all others: the whole text in UTF-8, not yet checked.
    max_size : int
        How many bytes it may hold; what is held at once is a small part of it.
    legacy : bool
        Whether text that is no UTF-8 is read as Windows-1252 where that is plausible.
    notes : list of str
        How it was decoded, if not as UTF-8.
    """

    name: str
    head: bytes
    file: IO[bytes]
    chunks: Iterator[bytes]
    max_size: int = MAX_SIZE
    legacy: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def at_once(self) -> int:
        """How many bytes may be held in memory at once."""
        return self.max_size // _IN_MEMORY

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Whole lines of checked UTF-8, with the number of the first line."""
        line, pending, held = 1, [], 0
        for chunk in self.chunks:
            cut = chunk.rfind(b"\n") + 1
            pending.append(chunk[:cut] if cut else chunk)
            held = len(chunk) - cut + (0 if cut else held)
            if cut:
                block = b"".join(pending)
                pending = [chunk[cut:]]
                yield line, self._checked(block, line)
                line += block.count(b"\n")
            if held > self.at_once:
                raise too_large(f"{self.name}:{line}", "a line", self.at_once)
        last = b"".join(pending)
        if last:
            yield line, self._checked(last, line)

    def whole(self) -> bytes:
        """The whole text, checked."""
        held = io.BytesIO()  # which, unlike a list to be joined, is there once
        for chunk in self.chunks:
            if held.tell() + len(chunk) > self.at_once:
                raise too_large(self.name, "a text that is read at once", self.at_once)
            held.write(chunk)
        return self._checked(held.getvalue(), 1)

    def _checked(self, block: bytes, line: int) -> bytes:
        at = block.find(b"\0")
        if at >= 0:
            line += block.count(b"\n", 0, at)
            raise nul_byte(f"{self.name}:{line}")
        if not block.isascii():
            from demur.formats.western_text import decode_in_pieces, legacy_text

            try:
                decode_in_pieces(block)
            except UnicodeDecodeError as error:
                text = legacy_text(block) if self.legacy else None
                line += block.count(b"\n", 0, error.start)
                if text is None:
                    raise _not_utf8(f"{self.name}:{line}", block, error.start) from None
                if not self.notes:
                    word = shown(text[max(error.start - 10, 0) :][:20].splitlines()[0])
                    self.notes.append(f"no UTF-8, read as Windows-1252 ({word})")
                return text.encode()
        return block


def _not_utf8(place: str, block: bytes, at: int) -> ParseError:
    begins = max(block.rfind(b"\n", 0, at) + 1, at - 10)
    nearby = block[begins : at + 10].splitlines()[0]
    got = f"byte 0x{block[at]:02x} in {shown(nearby)}"
    hint = "Convert it, for example with: iconv -f latin1 -t utf-8."
    return ParseError(place, "the text", "be UTF-8", got, hint)


@contextmanager
def opened(source: Source, max_size: int = MAX_SIZE) -> Iterator[Stream]:
    """A source as a stream, closed at the end unless it was open before.

    Parameters
    ----------
    source : path or file
        What is read.
    max_size : int
        How many bytes a compressed file may hold, and 16 times as many as may be in
        one line, or in a JSON array.

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
        layer = unpacked(outermost, closing, max_size)
        head = layer.peek()
        if head.startswith((PARQUET, ZIP)):
            if layer is not outermost or not _seekable(file):
                layer.limit = max_size // _IN_MEMORY
                file = io.BytesIO(b"".join(_chunks(layer)))
            yield Stream(name, head, file, iter(()), max_size)
        else:
            yield _begun(Stream(name, b"", file, _decoded(layer, head), max_size))


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
    if hasattr(source, "columns") or hasattr(source, "column_names"):
        hint = "demur.Outcomes.from_frame(frame) takes frames, demur.judge records."
    need = "be a path, '-' or an open file"
    raise InputError("formats", "a source", need, shown(source), hint)


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


_BY_ENGINES: Final = "demur curve (--page) counts patterns, folders and addresses."
_OF_DATASETS: Final = {"dataset_info.json": "", "dataset_dict.json": "['train']"}


def _opened_path(path: Path) -> IO[bytes]:
    name = printable(str(path).replace(":/", "://"))  # of which Path leaves one slash
    try:
        if not path.is_fifo():
            return path.open("rb")
    except FileNotFoundError:
        raise InputError(name, "the file", "exist", "nothing", _near(path)) from None
    except IsADirectoryError:
        hint = f"Name the files in it. {_BY_ENGINES}"
        for part, chosen in _OF_DATASETS.items():
            if (path / part).is_file():
                way = f"datasets.load_from_disk(FOLDER){chosen}.to_parquet(FILE)"
                hint = f"It is a saved data set: {way} gives a file to read."
        raise InputError(name, "the path", "be a file", "a directory", hint) from None
    except (OSError, ValueError) as error:
        got = getattr(error, "strerror", None) or str(error)
        raise InputError(name, "the file", "be readable", got) from None
    return _opened_pipe(path)


def _opened_pipe(path: Path) -> IO[bytes]:
    """A named pipe, once somebody has opened it for writing."""
    import select

    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    waiting = select.poll()
    waiting.register(descriptor, select.POLLIN)
    if not waiting.poll(_WAITED * 1000) and not _has_writer(descriptor):
        os.close(descriptor)
        need, got = "be written to", f"no writer within {_WAITED:g} seconds"
        hint = "It is a named pipe: start the program that writes to it."
        raise InputError(printable(str(path)), "the pipe", need, got, hint)
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, "rb")


def _has_writer(descriptor: int) -> bool:
    """Whether an open pipe is silent, but not for want of a writer."""
    try:
        os.read(descriptor, 1)
    except BlockingIOError:
        return True
    return False


def _near(path: Path) -> str:
    if not {*"*?["}.isdisjoint(path.name) or ":/" in str(path):
        return _BY_ENGINES
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return "" if path.parent.is_dir() else f"There is no directory {path.parent}."
    return did_you_mean(path.name, names)


# -- decoding ----------------------------------------------------------------------


def _seekable(file: IO[bytes]) -> bool:
    seekable = getattr(file, "seekable", None)
    return seekable is not None and bool(seekable())


def _chunks(layer: Layer) -> Iterator[bytes]:
    return iter(lambda: layer.take(_CHUNK), b"")


def _decoded(layer: Layer, head: bytes) -> Iterator[bytes]:
    known = (mark for mark in _BOMS if head.startswith(mark[0]))
    mark, encoding = next(known, (b"", "utf-8"))
    if encoding != "utf-8":
        return _transcoded(_chunks(layer), encoding, layer.name)
    layer.take(len(mark))
    return _chunks(layer)


def _transcoded(chunks: Iterator[bytes], encoding: str, name: str) -> Iterator[bytes]:
    decoder, line = codecs.getincrementaldecoder(encoding)(), 1
    for chunk, final in chain(((chunk, False) for chunk in chunks), [(b"", True)]):
        try:
            text = decoder.decode(chunk, final)
        except UnicodeDecodeError as error:
            need = f"be {encoding.upper()}, as its byte-order mark says"
            where = f"{name}:{line} or below"
            raise ParseError(where, "the text", need, error.reason) from None
        line += text.count("\n")
        if text:
            yield text.encode()


def _begun(stream: Stream) -> Stream:
    """A stream with what it begins with, from the first bytes that are not blank."""
    read: list[bytes] = []
    head = b""
    for chunk in stream.chunks:
        read.append(chunk)
        head = head + chunk if head else chunk.lstrip()
        if len(head) >= BEGINNING:
            break
        if not head and len(read) * _CHUNK > stream.at_once:
            raise too_large(stream.name, "the blank space", stream.at_once)
    return (
        replace(stream, head=head, chunks=chain(read, stream.chunks))
        if head
        else stream
    )


# -- what a file of any format gives ---------------------------------------------------

ALWAYS = ("fold", "failed", "right_constant", "db", "context_rule", VERDICT_CONFIDENCE)
"""Further columns kept wherever they are: of folds, failures, floors and judges."""


@dataclass(frozen=True)
class Wanted:
    """Which columns and rows of an outcomes file are wanted.

    Parameters
    ----------
    selection : Selection or None
        Which rows; None is all.
    groups : tuple of str, or None
        Further columns to keep; None keeps all.
    display : bool
        Whether to keep the columns that are only shown.
    responses : bool
        Whether to keep what was said, and what would be right, of these columns.
    """

    selection: "Selection | None" = None
    groups: tuple[str, ...] | None = ()
    display: bool = False
    responses: bool = False

    def own(self) -> tuple[str, ...]:
        """Columns with a meaning of their own, wanted where they are present."""
        known = (*columns(), *ALWAYS)
        return tuple(name for name in known if self.keeps(name))

    def keeps(self, name: str) -> bool:
        """Whether a column is kept if it is present."""
        if name in columns():
            named = name in (self.groups or ())
            named |= self.responses and name in ("response", "reference")
            return name not in DISPLAY or self.display or named
        return self.groups is None or name in (*self.groups, *ALWAYS)

    def named(self) -> dict[str, str]:
        """Columns that must be present, with the argument that names them."""
        return {
            **dict.fromkeys(self.groups or (), "groups"),
            **dict.fromkeys(self.selecting(), "where"),
        }

    def selecting(self) -> tuple[str, ...]:
        """Columns whose values say which rows are wanted."""
        return () if self.selection is None else tuple(self.selection.wanted)


@dataclass(frozen=True)
class RowBlock:
    """Some rows of an outcomes file, their columns made arrays.

    Parameters
    ----------
    columns : mapping of name to array
        As `demur.outcomes.columns` makes them; absent columns are left out.
    numbers : sequence of int
        Line or row number of each row.
    present : collection of str
        Wanted columns that these rows have, even if none of the rows is selected.
    """

    columns: Mapping[str, Column]
    numbers: Sequence[int]
    present: frozenset[str]


class RecordFile(Protocol):
    """A file of records, open for reading once."""

    words: ClassVar[str]
    """What users call files of this format."""
    of_texts: ClassVar[bool] = False
    """Whether cells are texts, which stand for numbers and flags too."""
    judged: bool = False
    """Whether it may hold verdicts of another tool, beside what was said."""
    named: Mapping[str, str] = MappingProxyType({})
    """Columns that somebody has named, with what was said of each."""
    apart: str = ""  # the reader to type where two rows have one key
    per_row: int = 1  # how many records follow each other of one row
    name: str
    prefix: str
    """What stands before the number of a row: ``FILE:`` or ``FILE:row``."""
    notes: Sequence[str] = ()
    """What a user must know of how it was read, once it is."""
    recipe: Mapping[str, str] = MappingProxyType({})
    """How it was read, for signatures, if there were several ways."""
    renamed: Collection[str] = ()
    """Fields that rows select by, and that are called otherwise afterwards."""

    def __init__(self, stream: Stream) -> None: ...

    @staticmethod
    def recognises(head: bytes) -> bool:
        """Whether a file of this format may begin so, after any blank space."""

    def names(self) -> list[str]:
        """Names of its columns, as far as they are known."""

    def beginning(self) -> Sequence[Mapping[str, Any]]:
        """Its first records, as far as they are known."""
        return ()

    def blocks(self, wanted: Wanted) -> Iterator[RowBlock]:
        """Its rows as arrays."""

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Its rows one by one, each with its line or row number."""

    def cells(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The same as they stand: of texts no value is made a number or a flag."""
        return self.records()


def places(prefix: str, numbers: Sequence[int]) -> Place:
    """From a position in a block to the place that messages name."""
    return lambda row: f"{prefix}{numbers[row]}"


def block(
    raw: Mapping[str, Sequence[Any]],
    numbers: Sequence[int],
    wanted: Wanted,
    prefix: str,
    convert: Callable[[str, Sequence[Any], Place], Column],
) -> RowBlock:
    """The selected rows of some columns, made arrays.

    Parameters
    ----------
    raw : mapping of name to sequence
        The wanted columns that are present, and those that select.
    numbers : sequence of int
        Line or row number of each row.
    wanted : Wanted
        What to keep.
    prefix : str
        What stands before a number in messages.
    convert : callable
        From a name, values and their places to an array.
    """
    present = frozenset(raw)
    selection = wanted.selection
    chosen = None if selection is None else selection.rows(raw, len(numbers))
    if chosen is not None and not chosen.all():
        raw = {name: list(compress(values, chosen)) for name, values in raw.items()}
        numbers = list(compress(numbers, chosen))
    columns = {
        name: convert(name, values, places(prefix, numbers))
        for name, values in raw.items()
        if len(numbers) and wanted.keeps(name)
    }
    return RowBlock(columns, compact(numbers), present)


def compact(numbers: Sequence[int]) -> Sequence[int]:
    """Numbers in little memory; that of a line with several records repeats."""
    lines = range(numbers[0], numbers[-1] + 1) if numbers else range(0)
    return lines if [*lines] == [*numbers] else array("q", numbers)


class EmptyFile(ParseError):
    """A file without records, which is no fault for every reader."""


def nothing(name: str, got: str) -> EmptyFile:
    """The error for a file without records."""
    hint = "Was it written to the end, or everything filtered out?"
    return EmptyFile(name, "the file", "hold at least one record", got, hint)
