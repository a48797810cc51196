"""Bytes kept under their SHA-256: what many runs share is there once."""

import hashlib
import zlib
from collections.abc import Iterable, Sequence
from typing import Final

from demur.errors import InputError
from demur.store.connections import StoreConnection

_PIECE: Final = 16 << 20
"""Bytes of one row of the table; servers refuse rows of a gigabyte."""

Blob = tuple[str, list[tuple[str, int, str, bytes]]]
"""A hash, and the rows that hold the bytes."""


def blob_of(content: bytes) -> Blob:
    """Bytes as rows of the table ``blobs``, made small where that helps."""
    digest = hashlib.sha256(content).hexdigest()
    small, coding = zlib.compress(content, 1), "zlib"
    if len(small) > 0.95 * len(content):
        small, coding = content, "plain"
    starts = range(0, len(small), _PIECE)
    pieces = [small[at : at + _PIECE] for at in starts]
    return digest, [
        (digest, number, coding, piece) for number, piece in enumerate(pieces)
    ]


def add_blobs(connection: StoreConnection, blobs: Iterable[Blob]) -> int:
    """Write those that are not there yet; how many bytes these take."""
    size = 0
    for digest, rows in blobs:
        there = connection.rows("SELECT 1 FROM blobs WHERE hash = ? LIMIT 1", digest)
        if not there:
            connection.add("INSERT INTO blobs VALUES (?, ?, ?, ?)", rows)
            size += sum(len(row[3]) for row in rows)
    return size


def content_of(connection: StoreConnection, digest: str, what: str) -> bytes:
    """The bytes under a hash, which is checked.

    Raises
    ------
    InputError
        If they are gone or changed, with what they are.
    """
    asked = "SELECT coding, content FROM blobs WHERE hash = ? ORDER BY piece"
    rows: Sequence[tuple[str, bytes]] = connection.rows(asked, digest)
    got = "nothing"
    if rows:
        try:
            content = b"".join(bytes(piece) for _, piece in rows)
            content = zlib.decompress(content) if rows[0][0] == "zlib" else content
        except (zlib.error, TypeError):
            content = b""
        if hashlib.sha256(content).hexdigest() == digest:
            return content
        got = "other bytes"
    hint = "The file is damaged there: take a copy of it from before."
    need = f"be what was kept (SHA-256 {digest[:12]})"
    raise InputError(connection.name, what, need, got, hint)
