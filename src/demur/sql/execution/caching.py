"""Results on disk: one file each, written whole, checked when read."""

import errno
import hashlib
import os
import shutil
import sys
import threading
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path
from typing import Final

from demur.errors import InputError
from demur.sql.execution.queries import Limits

_VERSION: Final = f"demur results 3, {sys.byteorder}-endian"
_UNFINISHED: Final = "unfinished"
_NAME: Final = 2 * hashlib.sha256().digest_size
_SUM: Final = hashlib.sha256().digest_size


class Cache:
    """A folder of payloads.

    A file holds the SHA-256 of a payload, then the payload. It is put in place in one
    step, so that an interrupted run leaves whole files; one that is damaged is as good
    as absent. Several runs may share the folder.

    Parameters
    ----------
    folder : str or Path
        Made if it does not exist.

    Raises
    ------
    InputError
        If it cannot be made or written to.
    """

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)
        try:
            self._folder.mkdir(0o700, parents=True, exist_ok=True)
            writable = os.access(self._folder, os.W_OK)
        except OSError:
            writable = False
        if not writable:
            need, got = "be a folder that can be written to", str(folder)
            raise InputError("run_all", "cache", need, got)

    def get(self, key: str) -> bytes | None:
        """What is stored under a key; None if nothing is, or if it is damaged."""
        try:
            data = self._place(key).read_bytes()
        except OSError:
            return None
        payload = data[_SUM:]
        return payload if hashlib.sha256(payload).digest() == data[:_SUM] else None

    def put(self, key: str, payload: bytes) -> None:
        """Store a payload.

        Raises
        ------
        InputError
            If the disk is full, or the folder has gone.
        """
        place = self._place(key)
        mine = f".{place.name}.{os.getpid()}.{threading.get_ident()}"
        # Processes may share a cache: each writes a file of its own, then moves it.
        part = place.with_name(mine)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(hashlib.sha256(payload).digest() + payload)
            part.replace(place)
        except OSError as problem:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise disk_problem(problem, "the cache", self._folder) from None

    def _place(self, key: str) -> Path:
        start, name = key[:-_NAME], key[-_NAME:]
        return self._folder / start / name[:2] / name[2:]

    @property
    def n_unfinished(self) -> int:
        """How many results of servers are left of a run that did not end."""
        folder = self._folder / _UNFINISHED
        return sum(place.is_file() for place in folder.rglob("[0-9a-f]*"))

    def forget_unfinished(self) -> None:
        """Remove them."""
        shutil.rmtree(self._folder / _UNFINISHED, ignore_errors=True)


def unfinished(key: str) -> str:
    """The key of a result that is kept only until a run has ended.

    Examples
    --------
    >>> unfinished("ab" * 32)[:13]
    'unfinished/ab'
    """
    return f"{_UNFINISHED}/{key}"


def disk_problem(problem: OSError, what: str, folder: Path) -> InputError:
    """A full or failing disk as one line.

    Examples
    --------
    >>> full = OSError(28, "No space left on device")
    >>> print(disk_problem(full, "results", Path("c")))
    results: the folder c must have room; got 'No space left on device'. With --cache, a
    run that is started again goes on where it ended; TMPDIR names another folder.
    """
    need = "have room" if problem.errno in (errno.ENOSPC, errno.EDQUOT) else "work"
    hint = (
        "With --cache, a run that is started again goes on where it ended; TMPDIR "
        "names another folder."
    )
    got = repr(problem.strerror or str(problem))
    return InputError(what, f"the folder {folder}", need, got, hint)


def key_of(digest: str, sql: str, version: str, limits: Limits) -> str:
    """Name of a result: everything that it depends on, hashed.

    Parameters
    ----------
    digest : str
        Of the content of the database.
    sql : str
        The text.
    version : str
        Of the engine.
    limits : Limits
        It ran under.

    Examples
    --------
    >>> limits = Limits(timeout=30, max_rows=10, max_memory=1 << 30)
    >>> one = key_of("00", "SELECT 1", "sqlite 3.40.1", limits)
    >>> one == key_of("00", "SELECT 1", "sqlite 3.41.0", limits)
    False
    """
    parts = (_VERSION, digest, version, repr(astuple(limits)), sql)
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()
