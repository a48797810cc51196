"""The journal of a run that has not ended: what was answered, line by line."""

import json
import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, Self
from zlib import crc32

from demur.errors import InputError, shown
from demur.outcomes import fields
from demur.outcomes.records import Response, as_response, item_text
from demur.outcomes.values import checked
from demur.systems.protocol import System

JOURNAL: Final = ".unfinished"
"""What the name of a journal ends in."""


def plain_response(response: Response) -> dict[str, Any]:
    """A response as a record, with the fields that it has.

    Examples
    --------
    >>> plain_response(Response(item="q1", response=None, declined=True))
    {'item': 'q1', 'response': None, 'declined': True}
    >>> plain_response(Response(item="q1", response="a", confidence=float("inf")))
    {'item': 'q1', 'response': 'a', 'confidence': 'inf'}
    """
    first = ("item", "system", "response")
    names = dict.fromkeys((*first, *fields.names_of("response")))
    columns = {name: getattr(response, name) for name in names}
    kept = {
        name: value
        for name, value in columns.items()
        if name in ("item", "response") or value not in (None, "")
    }
    sure = kept.get("confidence")
    if isinstance(sure, float) and math.isinf(sure):  # JSON has no such number
        kept["confidence"] = str(sure)
    record: dict[str, Any] = _writable({**kept, **response.extra})
    return record


def _writable(value: Any) -> Any:
    """A value in which halves of a surrogate pair are question marks, as in files."""
    if isinstance(value, str):
        whole = value.isascii() or value.encode("utf-8", "replace").decode() == value
        return value if whole else value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_writable(name): _writable(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_writable(part) for part in value]
    return value


def head_of(system: System, asked: Mapping[str, str]) -> dict[str, str]:
    """What a journal is of: which system, called how, asked what."""
    # An object without a ``__str__`` of its own shows its place in memory, which no
    # later run would have.
    described = str(system) if type(system).__str__ is not object.__str__ else ""
    return {
        "system": described or type(system).__qualname__,
        "name": str(getattr(system, "name", "")),
        **asked,
    }


_SEAL: Final = b', "crc32": "%08x"}\n'


def sealed(record: bytes) -> bytes:
    r"""A line of a journal: a record with a checksum as its last field.

    Examples
    --------
    >>> sealed(b'{"item": 1}')
    b'{"item": 1, "crc32": "bc214897"}\n'
    """
    return record[:-1] + _SEAL % crc32(record)


def _unsealed(line: bytes) -> bytes:
    """The record of a line.

    Raises
    ------
    ValueError
        If its checksum is none, or of another record.
    """
    size = len(_SEAL % 0)
    record = line[:-size] + b"}"
    if sealed(record) != line:
        raise ValueError("damaged")
    return record


def lock_journal(file: int, path: Path) -> None:
    """Be the only run that writes an open journal, until it is closed.

    Raises
    ------
    InputError
        If another run writes it.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_there = os.path.samestat(os.fstat(file), path.stat())
    except (BlockingIOError, FileNotFoundError):
        is_there = False
    if not is_there:  # or its run has ended since it was opened
        need, got = "be written by one run at a time", "another run at work"
        hint = "Wait for its end, or name another output."
        raise InputError(str(path), "the journal", need, got, hint)


class Journal:
    """The responses of an unfinished run, in the order in which they came.

    Parameters
    ----------
    path : Path
        Made if it is not there.
    head : dict
        Of the run, as `head_of` gives it.

    Attributes
    ----------
    responses : dict of str to Response
        What it has kept, by item; not what failed, which is asked again.
    notes : list of str
        What was wrong with it.

    Raises
    ------
    InputError
        If another run writes it or it is of another run, or a line is no response.
    """

    def __init__(self, path: Path, head: dict[str, str]) -> None:
        self.path = path
        self.responses: dict[str, Response] = {}
        self.notes: list[str] = []
        # Opened without cutting it: another run may be writing it.
        if path.exists() and not path.is_file():
            need = "be a file, or not there"
            raise InputError(str(path), "the journal", need, "something else")
        self._file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
        try:
            lock_journal(self._file.fileno(), path)
            size = self._read_back(head)
        except BaseException:
            self._file.close()
            raise
        self._empty = not self.responses
        # What follows the last whole line was cut off by a kill, and is written anew.
        self._file.seek(size)
        self._file.truncate()
        if not size:
            self._write({"demur": "unfinished run", **head})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read_back(self, head: dict[str, str]) -> int:
        """Read what is whole; gives its size. The last line may have been cut off."""
        size = 0
        for number, line in enumerate(self._file, 1):
            if not line.endswith(b"\n"):
                break
            size += len(line)
            try:
                record = json.loads(_unsealed(line))
            except (ValueError, RecursionError):
                if number == 1:
                    raise self._foreign("system", line[:40]) from None
                self.notes.append(f"{self.path}:{number} is damaged: asked again")
                continue
            if number == 1:
                self._check(record, head)
            else:
                self._take(record, f"{self.path}:{number}")
        return size

    def _take(self, record: Any, place: str) -> None:
        if not isinstance(record, dict):
            need, got = "be a response", shown(record)
            hint = "Remove the journal to begin anew."
            raise InputError(place, "the line", need, got, hint)
        known = record.keys() & {*fields.names_of("response")} - {"item"}
        typed = {name: checked(name, record[name], place) for name in known}
        response = as_response({**record, **typed}, place)
        key = item_text(response.item, place)
        self.responses.pop(key, None)
        if not response.failed:
            self.responses[key] = response

    def _check(self, record: Any, head: dict[str, str]) -> None:
        known = record if isinstance(record, dict) else {}
        for name, value in head.items():
            if known.get(name) != value:
                raise self._foreign(name, known.get(name))

    def _foreign(self, name: str, got: Any) -> InputError:
        need = f"be of this run ({name})"
        hint = "Remove it to begin anew, or name another output."
        return InputError(str(self.path), "the journal", need, shown(got), hint)

    def _write(self, record: Mapping[str, Any]) -> None:
        text = json.dumps(record, ensure_ascii=True)
        self._file.write(sealed(text.encode()))
        self._file.flush()

    def add(self, responses: Iterable[Response]) -> None:
        """Keep responses."""
        for response in responses:
            self._write(plain_response(response))
            self._empty = False

    def close(self) -> None:
        """Close the file; it stays if it holds anything."""
        if self._empty:
            self.remove()
        self._file.close()

    def remove(self) -> None:
        """Remove the file: the run has ended."""
        self.path.unlink(missing_ok=True)
