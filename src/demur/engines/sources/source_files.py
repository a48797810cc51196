"""The files that a source names: one, a folder of them, a glob, or addresses."""

import glob
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final
from urllib.parse import urlsplit

from demur.checks import did_you_mean
from demur.engines.sources.addresses import check_address, is_remote
from demur.errors import InputError, ParseError, masked, shown
from demur.formats.compression import UNPACKERS
from demur.formats.json_lines import SKETCH
from demur.formats.streams import PARQUET, ZIP, Layer
from demur.results import printable

List = Callable[[str], list[str]]
"""Gives the addresses that an address with ``*`` stands for."""

TYPED: Final = "Parquet"
CELLS: Final = "delimited text"
JSON: Final = "JSON Lines"

PACKINGS: Final = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
"""How compressed files begin."""

_KINDS: Final = {
    **dict.fromkeys((".parquet", ".pq"), TYPED),
    **dict.fromkeys((".csv", ".tsv", ".txt"), CELLS),
    **dict.fromkeys((".jsonl", ".ndjson", ".json"), JSON),
}
_PACKED_ENDINGS: Final = {".gz": "gzip", ".zst": "zstd"}
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_GLOB: Final = re.compile(r"[*?\[]")
_PARTITION: Final = re.compile(r"([^=]+)=(.*)", re.DOTALL)
_UNREADABLE: Final = re.compile(r"[=?\\\n]")
"""What DuckDB does not read in the name of a folder that tells a value."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that rows are read from.

    Parameters
    ----------
    path : str
        Where it is: a path or an address.
    kind : str
        `TYPED`, `CELLS` or `JSON`.
    packing : str
        How it is compressed: ``gzip``, ``zstd`` or ``none``.
    partitions : tuple of str
        Columns whose values are in the names of its folders.
    state : tuple (size, time), optional
        How large it was, and when it was last written, once it was found; None if
        that is not known.
    """

    path: str
    kind: str
    packing: str = "none"
    partitions: tuple[str, ...] = ()
    state: tuple[int, int] | None = None

    @property
    def name(self) -> str:
        """What messages call it, without keys."""
        return printable(masked(self.path))

    @property
    def is_remote(self) -> bool:
        """Whether it is at an address."""
        return is_remote(self.path)


def literal_path(file: SourceFile) -> str:
    """A path as DuckDB takes it by that very name.

    Examples
    --------
    >>> literal_path(SourceFile("a[1]*.parquet", "Parquet"))
    'a[[]1][*].parquet'
    """
    if re.match("https?://", file.path, re.IGNORECASE):
        return file.path  # which are no patterns
    return re.sub(r"([*?\[])", r"[\1]", file.path)


def find_files(sources: Sequence[Any], list_remote: List) -> tuple[SourceFile, ...]:
    """The files of all sources, each once, all of one kind.

    Parameters
    ----------
    sources : sequence of paths
        Files, folders, globs, addresses.
    list_remote : callable
        What lists addresses.

    Raises
    ------
    InputError
        If there are none, one is no file of data or named twice, or they differ in
        kind or partitions.
    """
    files: list[SourceFile] = []
    seen: dict[str, str] = {}
    for source in sources:
        named = list(_files_of(_path_of(source), list_remote))
        for file in named:
            real = file.path if file.is_remote else os.path.realpath(file.path)
            if real in seen:
                need, hint = "be named once", "Its rows would be counted twice."
                raise InputError(file.name, "the file", need, "twice", hint)
            seen[real] = file.path
        files += named
    layouts = Counter((file.kind, file.partitions) for file in files)
    as_called = Counter(
        (file.kind, file.partitions) for file in files if _has_ending(file.path)
    )
    usual = max(layouts, key=lambda one: (layouts[one], as_called[one]))
    first = next(file for file in files if (file.kind, file.partitions) == usual)
    for file in files:
        if file.kind != first.kind:
            need = f"be {first.kind}, as {first.name} is"
            hint = "Name the files that are wanted: FOLDER/*.parquet."
            raise InputError(file.name, "the file", need, file.kind, hint)
        if file.partitions != first.partitions:
            need = (
                f"be in folders named {_folders(first.partitions)}, as {first.name} is"
            )
            raise InputError(file.name, "the file", need, _folders(file.partitions))
    return tuple(files)


def _folders(partitions: tuple[str, ...]) -> str:
    return "/".join(f"{name}=..." for name in partitions) or "nothing"


def _path_of(source: Any) -> str:
    if not isinstance(source, str | os.PathLike):
        need = "be a path, an address or a relation of DuckDB"
        raise InputError("count_outcomes", "a source", need, shown(source))
    path = os.fspath(source)
    if not path:
        raise InputError("count_outcomes", "a source", "be named", "an empty text")
    if path == "-":
        hint = "It is read several times: write it to a file."
        raise InputError("stdin", "the source", "be a file", "the standard input", hint)
    if "://" in path and not is_remote(path) and not os.path.lexists(path):
        need, hint = "begin with s3://, http:// or https://", "Spark may read others."
        raise InputError(path, "the address", need, path.partition("://")[0], hint)
    try:
        path.encode()
    except UnicodeEncodeError:
        need, hint = "have a name in UTF-8", "Rename it."
        raise InputError(path, "the file", need, shown(path), hint) from None
    return path


def _files_of(path: str, list_remote: List) -> Iterator[SourceFile]:
    if is_remote(path):
        yield from _remote_files(path, list_remote)
    elif Path(path).is_dir():
        yield from _in_folder(path, path)
    elif os.path.lexists(path) or not _GLOB.search(path):
        yield _file(path, ())
    else:
        base = _fixed(path)
        # That of pathlib does not take what stands in brackets before the base.
        matches = sorted(glob.glob(path, recursive=True))  # noqa: PTH207
        if not matches:
            need, hint = "match a file", _near(path)
            raise InputError(printable(path), "the glob", need, "nothing", hint)
        whole = {match for match in matches if Path(match).is_dir()}
        for match in matches:
            if not whole.isdisjoint(_above(match)):
                continue  # is in a folder that matches too
            if match in whole:
                yield from _in_folder(match, base)
            else:
                yield _file(match, _partitions(match, base))


def _above(path: str) -> Iterator[str]:
    """The folders that a path is in."""
    for parent in Path(path).parents:
        yield str(parent)


def _near(path: str) -> str:
    folder = _fixed(path) or "."
    return "" if Path(folder).is_dir() else f"There is no folder {printable(folder)}."


def _fixed(path: str) -> str:
    """The part of a glob before what may stand for several names.

    Examples
    --------
    >>> _fixed("logs/topic=*/a.parquet"), _fixed("*.csv")
    ('logs', '')
    """
    parts = path.split("/")
    first = next(at for at, part in enumerate(parts) if _GLOB.search(part))
    return "/".join(parts[:first])


def _partitions(path: str, base: str) -> tuple[str, ...]:
    """Columns whose values are in the names of folders below another.

    Examples
    --------
    >>> _partitions("logs/day=3/topic=a/p.parquet", "logs/day=3")
    ('topic',)
    """
    inner = path[len(base) :].split("/")[:-1]
    matches = [match for part in inner if (match := _PARTITION.fullmatch(part))]
    known = Counter(part.partition("=")[0].lower() for part in _folders_of(path))
    for match in matches:
        if _UNREADABLE.search(match[0].replace("=", "", 1)):
            need, hint = "be NAME=VALUE, without = ? \\ in it", "Rename it."
            raise InputError(path, "its folder", need, shown(match[0]), hint)
        if known[match[1].lower()] > 1:
            need, hint = "name each column once", "Rename one, or move the inner one."
            got = f"{shown(match[1])} {known[match[1].lower()]} times"
            raise InputError(path, "its folders", need, got, hint)
    return tuple(match[1] for match in matches)


def _folders_of(path: str) -> list[str]:
    """The folders of a path that DuckDB takes for partitions, wherever they are."""
    return [part for part in re.split(r"[/\\]", path)[:-1] if "=" in part]


def _in_folder(folder: str, base: str) -> Iterator[SourceFile]:
    """The files in a folder and those below, but for hidden ones."""
    paths = list(_walked(folder.rstrip("/") or folder))
    if not paths:
        need, hint = "hold files of data", "Is it the right one?"
        raise InputError(printable(folder), "the folder", need, "none", hint)
    for path in paths:
        yield _file(path, _partitions(path, base))


def _walked(folder: str) -> Iterator[str]:
    visited = set()

    def refuse(error: OSError) -> None:
        place = printable(str(error.filename))
        got = error.strerror or "nothing"
        raise InputError(place, "the folder", "be readable", got) from None

    for inner, folders, names in os.walk(folder, onerror=refuse, followlinks=True):
        real = os.path.realpath(inner)
        if real in visited:
            folders.clear()
            continue
        visited.add(real)
        if "_delta_log" in folders:
            hint = "Write what is wanted as Parquet."
            need = "hold files that all count"
            got = "a Delta table, with files of older states"
            raise InputError(printable(inner), "the folder", need, got, hint)
        folders[:] = sorted(name for name in folders if not _is_hidden(name))
        yield from (f"{inner}/{name}" for name in sorted(names) if not _is_hidden(name))


def _is_hidden(name: str) -> bool:
    """Whether a name is that of a file beside the data, as engines write them."""
    return name.startswith((".", "_")) and "=" not in name


def _file(path: str, partitions: tuple[str, ...]) -> SourceFile:
    kind, packing = _kind_of(path)
    return SourceFile(path, kind, packing, partitions, state_of(path))


def state_of(path: str) -> tuple[int, int]:
    """How large a file is, and when it was last written."""
    state = Path(path).stat()
    return state.st_size, state.st_mtime_ns


def _kind_of(path: str) -> tuple[str, str]:
    """What a file holds, and how it is compressed, by what it begins with."""
    shown_path = printable(path)
    head, packing = _beginning(path, shown_path)
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith(PARQUET):
        if packing != "none":
            hint = "Parquet is compressed within: unpack it."
            raise ParseError(
                shown_path, "the file", "be Parquet as it is", packing, hint
            )
        return TYPED, packing
    if head.startswith((ZIP, b"SQLite format")) or head[8:12] == b"DUCK":
        got = "a workbook or an archive" if head.startswith(ZIP) else "a database"
        hint = "Of a database of DuckDB name a table: FILE:TABLE."
        need = f"be {TYPED}, {CELLS} or {JSON}"
        raise ParseError(shown_path, "the file", need, got, hint)
    if text.startswith(SKETCH):
        got, hint = "a sketch", "Name sketches one by one: they are put together."
        need = "hold a row for each answer"
        raise ParseError(shown_path, "the file", need, got, hint)
    if head.startswith(_UTF16):
        hint = "Convert it, for example with: iconv -f utf-16 -t utf-8."
        raise ParseError(shown_path, "the text", "be UTF-8", "UTF-16", hint)
    if text.startswith(b"["):
        hint = "Convert it, for example with: jq -c '.[]'."
        need = "hold a record on each line"
        raise ParseError(shown_path, "the file", need, "a JSON array", hint)
    if not text:
        need, hint = "hold at least one record", "Was it written to the end?"
        raise ParseError(shown_path, "the file", need, "nothing", hint)
    return (JSON if text.startswith(b"{") else CELLS), packing


def _beginning(path: str, name: str) -> tuple[bytes, str]:
    """The first bytes of a file, unpacked, and how it is packed."""
    with ExitStack() as closing:
        layer = Layer(
            name, closing.enter_context(_open(path, name)), (OSError,), "file"
        )
        mark = next((mark for mark in UNPACKERS if layer.peek().startswith(mark)), None)
        if mark is None:
            return layer.peek(), "none"
        packed: Any = layer
        inner, faults, kind = UNPACKERS[mark](packed, name)
        closing.enter_context(inner)
        return Layer(name, inner, faults, kind).peek(), PACKINGS[mark]


def _open(path: str, name: str) -> IO[bytes]:
    try:
        if not Path(path).exists() or Path(path).is_file():
            return Path(path).open("rb")
    except FileNotFoundError:
        hint = _nearest(path)
        raise InputError(name, "the file", "exist", "nothing", hint) from None
    except (OSError, ValueError) as error:
        got = getattr(error, "strerror", None) or str(error)
        raise InputError(name, "the file", "be readable", got) from None
    hint = "It is read several times: write it to a file."
    raise InputError(name, "the source", "be a file", "a pipe or a device", hint)


def _nearest(path: str) -> str:
    folder = Path(path).parent
    try:
        names = [entry.name for entry in folder.iterdir()]
    except OSError:
        return f"There is no folder {printable(str(folder))}."
    return did_you_mean(Path(path).name, names)


# -- addresses ---------------------------------------------------------------------


def _remote_files(address: str, list_remote: List) -> Iterator[SourceFile]:
    """The files that an address stands for: kinds are told from their endings."""
    check_address(address)
    if not address.lower().startswith("s3://"):
        yield SourceFile(address, *_by_ending(urlsplit(address).path))
        return
    named = SourceFile(address, *_by_ending(address))
    is_glob = _GLOB.search(address) is not None
    if is_glob and not list_remote(literal_path(named)):
        base, wanted = _fixed(address), address
    elif is_glob or _has_ending(address):
        yield named
        return
    else:
        base = address.rstrip("/")
        wanted = f"{base}/**"
    listed = sorted(path for path in list_remote(wanted) if not path.endswith("/"))
    paths = [path for path in listed if not _is_beside(path, base)]
    if not paths:
        need, hint = "match a file", "Is it the right bucket and folder?"
        raise InputError(address, "the address", need, "nothing", hint)
    for path in paths:
        yield SourceFile(path, *_by_ending(path), _partitions(path, base))


def _is_beside(path: str, base: str) -> bool:
    return any(map(_is_hidden, path[len(base) :].split("/")))


def _has_ending(path: str) -> bool:
    return not _KINDS.keys().isdisjoint(_endings(path))


def _endings(path: str) -> list[str]:
    return [ending.lower() for ending in PurePosixPath(path).suffixes[-2:]]


def _by_ending(path: str) -> tuple[str, str]:
    """What a file holds that cannot be looked into, and how it is compressed.

    Examples
    --------
    >>> _by_ending("/logs/a.jsonl.gz")
    ('JSON Lines', 'gzip')
    """
    endings = _endings(path)
    packing = _PACKED_ENDINGS.get(endings[-1] if endings else "", "none")
    kinds = [_KINDS[ending] for ending in endings if ending in _KINDS]
    return (kinds[-1] if kinds else TYPED), packing
