"""Compressed files held to their ends: a part of one is never taken for the whole.

DuckDB reads a file of zstd that is cut off as if it ended there, and does not compare
the checksum at the end of a file of gzip.
"""

import gzip
import zlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Final

from demur.engines.sources.source_files import SourceFile
from demur.errors import InputError, ParseError

_CHUNK: Final = 1 << 20
_FRAME: Final = 0xFD2FB528
_SKIPPABLE: Final = range(0x184D2A50, 0x184D2A60)
_RAW, _RUN, _COMPRESSED = range(3)
_AT_ONCE: Final = 2


def check_packed(files: Sequence[SourceFile]) -> None:
    """Raise where a compressed file is cut off or damaged.

    Files of gzip are decompressed once for that; of zstd only the lengths of blocks
    are read.

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
    packed = [file for file in files if file.packing != "none" and not file.is_remote]
    if packed:
        with ThreadPoolExecutor(_AT_ONCE) as threads:
            list(threads.map(_check, packed))


def _check(file: SourceFile) -> None:
    try:
        with Path(file.path).open("rb") as opened:
            if file.packing == "gzip":
                with gzip.GzipFile(fileobj=opened) as unpacked:
                    while unpacked.read(_CHUNK):
                        pass
            else:
                while _passed_frame(opened):
                    pass
    except (EOFError, OSError, ValueError, zlib.error) as error:
        need = f"be a whole, readable {file.packing} file"
        hint = "It may be cut off or damaged: copy it again."
        raise ParseError(file.name, "the file", need, str(error), hint) from None


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
