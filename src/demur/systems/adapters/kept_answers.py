"""Answers of an address that are kept on disk, so that none is paid for twice."""

import hashlib
import json
import os
import sqlite3
import threading
from contextlib import suppress
from typing import Any

from demur.errors import InputError, RunError

_TABLE = "create table if not exists answers (request text primary key, answer text)"


class KeptAnswers:
    """A file of requests and their answers (SQLite).

    It may be shared by threads, by processes and by runs. What is sent in headers, such
    as a key, is not in it.

    Parameters
    ----------
    path : path
        Made if it is not there.

    Raises
    ------
    InputError
        If the file is something else.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._lock = threading.Lock()
        try:
            self._file = sqlite3.connect(
                self.path, timeout=60, isolation_level=None, check_same_thread=False
            )
            # Each statement is its own transaction, so that runs may share the file.
            self._file.execute(_TABLE)
            self._file.execute("pragma journal_mode = wal")  # no waiting for the disk
            self._file.execute("pragma synchronous = normal")
            self._file.execute("select request, answer from answers limit 0")
        except sqlite3.Error as problem:
            need = "be a file that can hold answers"
            hint = "Name a new file; it is made."
            raise InputError(self.path, "the cache", need, str(problem), hint) from None

    def find(self, request: str) -> dict[str, Any] | None:
        """What is kept of a request: its answer, and the seconds that it took."""
        row = self._run("select answer from answers where request = ?", request)
        if row is not None:
            with suppress(ValueError, TypeError, LookupError):  # damaged: ask again
                kept = json.loads(row[0])
                return {"answer": kept["answer"], "seconds": float(kept["seconds"])}
        return None

    def keep(self, request: str, answer: dict[str, Any]) -> None:
        """Keep an answer, and the seconds that it took."""
        text = json.dumps(answer)
        self._run("insert or replace into answers values (?, ?)", request, text)

    def __len__(self) -> int:
        """How many answers are kept."""
        return int(self._run("select count(*) from answers")[0])

    def _run(self, statement: str, *values: str) -> Any:
        try:
            with self._lock:
                return self._file.execute(statement, values).fetchone()
        except sqlite3.Error as problem:
            raise RunError(f"{self.path}: the cache failed: {problem}") from problem

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()


def request_key(url: str, body: bytes, sample: int) -> str:
    """What a request is known by: its address, its body, and which sample it is.

    Examples
    --------
    >>> request_key("http://a", b"{}", 0) == request_key("http://a", b"{}", 1)
    False
    """
    # No part holds a zero byte, so that no two requests run together into one.
    request = b"\x00".join([url.encode(), str(sample).encode(), body])
    return hashlib.sha256(request).hexdigest()
