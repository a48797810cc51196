"""Compressed files, gzip and zstd: how they begin and end, and what undoes them."""

import gzip
import sys
import zlib
from collections.abc import Callable
from typing import IO, Any, Final

from demur.errors import extra_module

Unpacked = tuple[Any, tuple[type[Exception], ...], str]
"""The content as an open file, what reading it may raise, what messages call it."""


def zstd_module(purpose: str) -> Any:
    """The standard module for zstd, or its backport.

    Raises
    ------
    MissingExtra
        If there is neither.
    """
    module = "compression" if sys.version_info >= (3, 14) else "backports"
    return extra_module(f"{module}.zstd", "zstd", purpose)


def _gunzipped(file: Any, name: str) -> Unpacked:  # noqa: ARG001
    inner = gzip.GzipFile(fileobj=file, mode="rb")
    return inner, (EOFError, OSError, zlib.error), "gzip file"


def _unzstd(file: Any, name: str) -> Unpacked:
    zstd = zstd_module(f"reading {name}")
    return zstd.ZstdFile(file, "rb"), (EOFError, OSError, zstd.ZstdError), "zstd file"


UNPACKERS: Final[dict[bytes, Callable[[Any, str], Unpacked]]] = {
    b"\x1f\x8b": _gunzipped,
    b"\x28\xb5\x2f\xfd": _unzstd,
}
"""What undoes a compression, of an open file and its name, by how the file begins."""


def _gzipped(file: IO[bytes]) -> Any:
    # Without name and time, so that equal content makes equal files.
    return gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0)


def _zstd(file: IO[bytes]) -> Any:
    return zstd_module("writing .zst files").ZstdFile(file, "wb")


PACKERS: Final[dict[str, Callable[[IO[bytes]], Any]]] = {
    ".gz": _gzipped,
    ".zst": _zstd,
}
"""What compresses all that is written to a file, by how its name ends."""
