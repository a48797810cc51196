"""Files held to their ends: a part of one is never taken for the whole.

DuckDB reads a file of zstd that is cut off as if it ended there, and does not compare
the checksum at the end of a file of gzip. In delimited text it takes a hole, of NUL
bytes, for a part of a cell.
"""

import gzip
import zlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Final

from demur.engines.sources.source_files import CELLS, SourceFile
from demur.errors import InputError, ParseError
from demur.formats.streams import nul_byte

_CHUNK: Final = 1 << 20
_FRAME: Final = 0xFD2FB528
_SKIPPABLE: Final = range(0x184D2A50, 0x184D2A60)
_RAW, _RUN, _COMPRESSED = range(3)
_AT_ONCE: Final = 2


def check_wholeness(files: Sequence[SourceFile]) -> None:
    """Raise where a compressed file is cut off, or one of cells has a hole.

    Files of gzip are decompressed once for that, and plain ones of cells are read; of
    zstd only the lengths of blocks are.

    Raises
    ------
    ParseError
        If one is.
    InputError
        If one is of zstd and elsewhere, where nobody can look into it.
    """
    for file in files:
        if file.packing == "zstd" and file.is_remote:
            need, hint = "be Parquet, gzip or plain", "Or copy it to this machine."
            raise InputError(file.name, "the file", need, "zstd at an address", hint)
    here = [
        file
        for file in files
        if not file.is_remote and (file.packing != "none" or file.kind == CELLS)
    ]
    if here:
        with ThreadPoolExecutor(_AT_ONCE) as threads:
            list(threads.map(_check, here))


def _check(file: SourceFile) -> None:
    line = 0
    try:
        with Path(file.path).open("rb") as opened:
            if file.packing == "zstd":
                while _passed_frame(opened):
                    pass
            elif file.packing == "gzip":
                with gzip.GzipFile(fileobj=opened) as unpacked:
                    line = _line_of_hole(unpacked)
            else:
                line = _line_of_hole(opened)
    except (EOFError, OSError, ValueError, zlib.error) as error:
        need = f"be a whole, readable {file.packing} file"
        hint = "It may be cut off or damaged: copy it again."
        raise ParseError(file.name, "the file", need, str(error), hint) from None
    if line and file.kind == CELLS:
        raise nul_byte(f"{file.name}:{line}")


def _line_of_hole(file: IO[bytes] | gzip.GzipFile) -> int:
    """The line that the first NUL of a file is on; 0 if it holds none to its end."""
    hole = passed = 0
    while chunk := file.read(_CHUNK):
        if not hole and (at := chunk.find(b"\0")) >= 0:
            hole = passed + at + 1
        passed += len(chunk)
    if not hole:
        return 0
    file.seek(0)
    line = 1
    for first in range(0, hole, _CHUNK):
        line += file.read(min(_CHUNK, hole - first)).count(b"\n")
    return line


def _passed_frame(file: IO[bytes]) -> bool:
    """Whether there was a frame, behind which the file stands now.

    A frame is its header, blocks with their lengths before them, and perhaps a
    checksum (RFC 8878, section 3.1).
    """
    mark = file.read(4)
    if not mark:
        return False
    kind = int.from_bytes(_whole(mark, 4), "little")
    if kind in _SKIPPABLE:
        _skip(file, int.from_bytes(_whole(file.read(4), 4), "little"))
        return True
    if kind != _FRAME:
        raise ValueError("something else after the data")
    (flags,) = _whole(file.read(1), 1)
    one_segment = flags >> 5 & 1
    size_field = (one_segment, 2, 4, 8)[flags >> 6]
    dictionary = (0, 1, 2, 4)[flags & 3]
    _skip(file, (1 - one_segment) + dictionary + size_field)
    last = 0
    while not last:
        header = int.from_bytes(_whole(file.read(3), 3), "little")
        last, block, size = header & 1, header >> 1 & 3, header >> 3
        if block > _COMPRESSED:
            raise ValueError("a block of a kind that there is not")
        _skip(file, 1 if block == _RUN else size)
    if flags >> 2 & 1:
        _skip(file, 4)
    return True


def _skip(file: IO[bytes], size: int) -> None:
    if size:
        file.seek(size - 1, 1)
        _whole(file.read(1), 1)


def _whole(data: bytes, size: int) -> bytes:
    if len(data) < size:
        raise EOFError("it ends before the data do")
    return data
