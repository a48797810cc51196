"""The log of a campaign: lines that are only added, each bound to all before it.

Every line is a JSON object in one fixed spelling (sorted keys, no blanks, UTF-8) with
the SHA-256 of the line before (``before``) and of itself without that (``hash``). So
whatever is changed, removed or put between is found; only whole lines cut off the end
are not, which the receipts of teams show.

One writer at a time: the lock is the system's (``flock``), and free once its holder is
gone, also if it was killed. What a killed writer left of a line is dropped by the next.
"""

import hashlib
import json
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from demur.campaigns.moments import moment, moment_text
from demur.errors import InputError, ParseError, shown

START: Final = "0" * 64
"""What stands for the entry before the first one."""

_KEYS: Final = {"n", "when", "event", "facts", "before", "hash"}


class EntryFacts(dict[str, Any]):
    """What is known of an event; a fact that an entry lacks is refused by its name."""

    entry = "the log"

    def __missing__(self, name: str) -> Any:
        hint = "Its line was not written by demur, or by another version of it."
        raise InputError(self.entry, name, "be among its facts", "nothing", hint)


@dataclass(frozen=True)
class LogEntry:
    """A line of the log.

    Parameters
    ----------
    number : int
        Of its line, from 1.
    when : datetime
        In UTC.
    event : str
        What happened, in a word.
    facts : mapping
        What is known of it, as JSON has it. ``files`` are paths within the folder with
        their SHA-256.
    before, hash : str
        SHA-256 of the entry before, and of this one.
    """

    number: int
    when: datetime
    event: str
    facts: Mapping[str, Any]
    before: str
    hash: str

    @property
    def files(self) -> Mapping[str, str]:
        """The files that it names, each with its SHA-256."""
        files: Mapping[str, str] = self.facts.get("files", {})
        return files


class Log:
    """The log of a campaign, open for reading, and for adding to its end.

    Parameters
    ----------
    path : path
        Of the file.

    Attributes
    ----------
    entries : list of LogEntry
        In order.
    torn : int
        Bytes behind the last whole line, of a writer that was killed.
    notes : list of str
        What a writer had to mend.

    Raises
    ------
    InputError
        If the file cannot be read.
    ParseError
        If anything in it was changed, with the line.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.entries: list[LogEntry] = []
        self.notes: list[str] = []
        self.torn = 0
        self._size = 0
        self._descriptor: int | None = None
        self._latest: datetime | None = None
        descriptor = self._opened(os.O_RDONLY)
        try:
            self._read_on(descriptor)
        finally:
            os.close(descriptor)
        if self.entries:
            self._latest = max(entry.when for entry in self.entries)

    @property
    def head(self) -> str:
        """The hash of the last entry."""
        return self.entries[-1].hash if self.entries else START

    @contextmanager
    def locked(self) -> Iterator[int]:
        """The only writer for a while; what others have added is read first.

        Raises
        ------
        InputError
            If the file cannot be written to.
        """
        if self._descriptor is not None:  # held already
            yield self._descriptor
            return
        descriptor = self._locked_descriptor()
        try:
            self._read_on(descriptor)
            self._descriptor = descriptor
            self._drop_torn(descriptor)
            yield descriptor
        finally:
            self._descriptor = None
            os.close(descriptor)

    def append(self, event: str, *, when: datetime, **facts: Any) -> LogEntry:
        """Add an entry, which is on disk when this returns.

        Parameters
        ----------
        event : str
        when : datetime
            In UTC, as of `check_clock`.
        **facts
            As JSON has them.

        Raises
        ------
        InputError
            If it cannot be written.
        """
        with self.locked() as descriptor:
            self.check_clock(when)
            entry = _bound(len(self.entries) + 1, when, event, facts, self.head)
            line = _line(entry)
            with _saying(self.path):
                _write_all(descriptor, line)
            self._size += len(line)
            self.entries.append(entry)
            self._latest = max(when, self._latest or when)
            return entry

    def check_clock(self, when: datetime) -> None:
        """Refuse a moment before the entries that were there when the log was opened.

        What others add meanwhile may be a little later: they began later.

        Raises
        ------
        InputError
            With both moments.
        """
        if self._latest is not None and when < self._latest:
            last = moment_text(self._latest)
            need = f"not be before the last entry of the log, {last}"
            hint = (
                "Is the clock of this machine right? If a --now was too late, put the "
                "folder back as it was before it: no entry of the log can be changed."
            )
            raise InputError(str(self.path), "now", need, moment_text(when), hint)

    # -- the file ----------------------------------------------------------------------

    def _opened(self, flags: int) -> int:
        flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        with _saying(self.path):
            descriptor = os.open(self.path, flags | getattr(os, "O_NONBLOCK", 0))
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            need, got = "be a plain file", "a folder, a device or a pipe"
            raise InputError(str(self.path), "the log", need, got)
        return descriptor

    def _locked_descriptor(self) -> int:
        """The file, open and locked; if another took its place meanwhile, that one."""
        import fcntl

        while True:
            descriptor = self._opened(os.O_RDWR | os.O_APPEND)
            try:
                with _saying(self.path):
                    fcntl.flock(descriptor, fcntl.LOCK_EX)
                    there = self.path.lstat()
                if os.path.samestat(there, os.fstat(descriptor)):
                    return descriptor
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)

    def _read_on(self, descriptor: int) -> None:
        """Read what is behind the entries that are known."""
        os.lseek(descriptor, self._size, os.SEEK_SET)
        with os.fdopen(os.dup(descriptor), "rb") as file:
            file.seek(self._size)
            data = file.read()
        if os.fstat(descriptor).st_size < self._size:
            got = "one that became shorter while it was open"
            raise ParseError(str(self.path), "the log", "only grow", got)
        whole = data.rfind(b"\n") + 1
        for line in data[:whole].split(b"\n")[:-1]:
            number = len(self.entries) + 1
            entry = read_entry(line, f"{self.path}:{number}", number, self.head)
            self.entries.append(entry)
        self._size += whole
        self.torn = len(data) - whole

    def _drop_torn(self, descriptor: int) -> None:
        if not self.torn:
            return
        with _saying(self.path):
            os.ftruncate(descriptor, self._size)
            os.fsync(descriptor)
        self.notes.append(
            f"{self.path}:{len(self.entries) + 1}: a line that was torn off is "
            f"dropped ({self.torn} bytes): its writer was killed"
        )
        self.torn = 0


def make_log(path: str | os.PathLike[str]) -> None:
    """An empty log where there is none.

    Raises
    ------
    InputError
        If there is a file already, or it cannot be made.
    """
    with _saying(Path(path)):
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
        os.close(os.open(path, flags, 0o644))


def read_entry(
    line: bytes, place: str, number: int | None = None, before: str | None = None
) -> LogEntry:
    """A line of the log, checked by itself and, if told, for its place.

    Parameters
    ----------
    line : bytes
        Without its end.
    place : str
        For messages.
    number : int, optional
        Which it must be.
    before : str, optional
        The hash that it must follow.

    Raises
    ------
    ParseError
        If anything in it is not as it was written.
    """
    hint = "Something has changed the log; a copy of it tells what."
    try:
        held = json.loads(line)
        if not isinstance(held, dict) or set(held) != _KEYS:
            raise ValueError("not the keys of an entry")
        if not isinstance(held["facts"].get("files", {}), dict):
            raise ValueError("files with no hashes")
        when = moment(place, "when", held["when"])
        entry = _bound(held["n"], when, held["event"], held["facts"], held["before"])
        whole = _line(entry)[:-1] == line
    except (ValueError, TypeError, AttributeError, RecursionError):
        got = shown(line[:200].decode("utf-8", "replace"))
        need = "be an entry as it was written"
        raise ParseError(place, "the line", need, got, hint) from None
    if not whole or entry.hash != held["hash"]:
        need, got = f"have the hash {shown(held['hash'])}", shown(entry.hash)
        raise ParseError(place, "the entry", need, got, hint)
    if number is not None and entry.number != number:
        raise ParseError(place, "n", f"be {number}", shown(entry.number), hint)
    if before is not None and entry.before != before:
        need, got = f"follow {before[:12]}", f"after {entry.before[:12]}"
        raise ParseError(place, "the entry", need, got, hint)
    return entry


def claimed_hash(line: bytes) -> str | None:
    """The hash that a line says it has, whatever else is wrong with it."""
    try:
        held = json.loads(line)
    except (ValueError, RecursionError):
        return None
    value = held.get("hash") if isinstance(held, dict) else None
    return value if isinstance(value, str) else None


# -- one spelling ----------------------------------------------------------------------


def canonical(value: Any) -> bytes:
    """A value in the one spelling of JSON that is hashed.

    Examples
    --------
    >>> canonical({"b": [1, None], "a": "é"}).decode()
    '{"a":"é","b":[1,null]}'
    """
    how: dict[str, Any] = {"sort_keys": True, "separators": (",", ":")}
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, **how)
    return text.encode("utf-8")


def sha256(data: bytes) -> str:
    """The SHA-256 of bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def _bound(
    number: Any, when: datetime, event: Any, facts: Any, before: Any
) -> LogEntry:
    held = _plain(number, when, event, facts, before)
    # What is kept is what a reader gets back, and none of the caller's own lists.
    kept = EntryFacts(json.loads(canonical(facts)))
    kept.entry = f"the log, entry {number}, {shown(event)}"
    return LogEntry(number, when, event, kept, before, sha256(canonical(held)))


def _plain(number: Any, when: datetime, event: Any, facts: Any, before: Any) -> Any:
    plain = {"n": number, "when": moment_text(when), "event": event, "facts": facts}
    return {**plain, "before": before}


def _line(entry: LogEntry) -> bytes:
    plain = _plain(entry.number, entry.when, entry.event, entry.facts, entry.before)
    return canonical({**plain, "hash": entry.hash}) + b"\n"


def _write_all(descriptor: int, line: bytes) -> None:
    """The line on disk, or nothing of it."""
    size = os.fstat(descriptor).st_size
    try:
        written = 0
        while written < len(line):
            written += os.write(descriptor, line[written:])
        os.fsync(descriptor)
    except OSError:  # a full disk: nothing of it stays
        with suppress(OSError):
            os.ftruncate(descriptor, size)
        raise


@contextmanager
def _saying(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        got = error.strerror or str(error)
        need = "be a file that can be opened and written to"
        if path.is_symlink():
            need, got = "be a plain file", "a symbolic link"
        raise InputError(str(path), "the log", need, got) from None


def listed_files(entries: Sequence[LogEntry]) -> dict[str, tuple[str, int]]:
    """Every file that entries name, with its newest SHA-256 and the entry's number."""
    return {
        path: (digest, entry.number)
        for entry in entries
        for path, digest in entry.files.items()
    }
