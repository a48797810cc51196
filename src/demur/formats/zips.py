"""Members of zip archives, read whole and within limits; none becomes a file."""

import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, Final

from demur.errors import ParseError, shown
from demur.formats.compression import zstd_module
from demur.formats.streams import Stream, too_large
from demur.results import printable

_ZSTD: Final = 93
_LOCAL_HEADER: Final = struct.Struct("<4s22sHH")


class Archive:
    """A zip archive whose members are deflated, stored, or compressed with zstd.

    Parameters
    ----------
    stream : Stream
        Which begins as a zip archive does.

    Raises
    ------
    ParseError
        If it is cut off or damaged.
    """

    def __init__(self, stream: Stream) -> None:
        self.name, self._file = stream.name, stream.file
        self._limit, self._most = stream.max_size, stream.at_once
        self._taken = 0
        try:
            self._zip = zipfile.ZipFile(stream.file)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise self._damaged(str(error)) from None
        self._members = {info.filename: info for info in self._zip.infolist()}

    def names(self) -> list[str]:
        """The names of all members, in their order; they are never made paths."""
        return list(self._members)

    def read(self, name: str) -> bytes:
        """A member, whole.

        Raises
        ------
        ParseError
            If it is damaged, or it or all together hold more than is allowed.
        """
        info = self._members[name]
        if info.flag_bits & 1:
            raise self._damaged(f"{shown(name)} is encrypted")
        try:
            data = b"".join(self._parts(info))
        except (
            zipfile.BadZipFile,
            NotImplementedError,
            OSError,
            zlib.error,
            EOFError,
            struct.error,
        ) as error:
            raise self._damaged(f"{shown(name)}: {error}") from None
        if zlib.crc32(data) != info.CRC:
            raise self._damaged(f"{shown(name)}: another checksum")
        return data

    def _parts(self, info: zipfile.ZipInfo) -> Iterator[bytes]:
        """What a member holds, as long as that is no more than may be held."""
        held = 0
        file = self._opened(info)
        while part := file.read(1 << 20):
            held += len(part)
            self._taken += len(part)
            if held > self._most:
                where = f"{self.name}: {printable(info.filename)}"
                raise too_large(where, "a member", self._most)
            if self._taken > self._limit:
                raise too_large(self.name, "the unpacked archive", self._limit)
            yield part

    def _opened(self, info: zipfile.ZipInfo) -> "IO[bytes] | _Unzstd":
        if info.compress_type != _ZSTD:
            try:
                return self._zip.open(info)
            except (NotImplementedError, RuntimeError) as error:
                raise self._damaged(str(error)) from None
        # The library of Python before 3.14 knows no zstd; the archive says where it is.
        self._file.seek(info.header_offset)
        magic, _, of_name, of_extra = _LOCAL_HEADER.unpack(
            self._file.read(_LOCAL_HEADER.size)
        )
        if magic != b"PK\x03\x04":
            raise zipfile.BadZipFile("no member where one should begin")
        self._file.seek(of_name + of_extra, 1)
        return _Unzstd(self._file, info.compress_size, self.name)

    def _damaged(self, got: str) -> ParseError:
        hint = "It may be cut off or damaged: copy it again."
        need = "be a whole, readable zip archive"
        return ParseError(self.name, "the file", need, shown(got), hint)


class _Unzstd:
    """So many bytes of a file, with their compression undone."""

    def __init__(self, file: IO[bytes], size: int, name: str) -> None:
        self._zstd = zstd_module(f"reading {name}")
        self._file, self._left = file, size
        self._reader = self._zstd.ZstdDecompressor()
        self._at = file.tell()

    def read(self, size: int) -> bytes:
        """The next bytes, none at the end."""
        while not self._reader.eof:
            packed = b""
            if self._reader.needs_input:
                self._file.seek(self._at)
                packed = self._file.read(min(1 << 16, self._left))
                if not packed:
                    raise EOFError("it ends too early")
                self._at += len(packed)
                self._left -= len(packed)
            try:
                data: bytes = self._reader.decompress(packed, size)
            except self._zstd.ZstdError as error:
                raise zipfile.BadZipFile(str(error)) from None
            if data:
                return data
        return b""
