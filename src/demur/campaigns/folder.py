"""The folder of a campaign: what is in it, and its state, computed from the log."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, Final

from demur.campaigns.chain import Log, LogEntry, listed_files, sha256
from demur.campaigns.rules import Phase, Rules, read_rules
from demur.errors import InputError, shown

RULES: Final = "campaign.toml"
LOG: Final = "log.jsonl"
QUESTIONS: Final = "questions"
HIDDEN: Final = "hidden"
REFERENCES: Final = "hidden/references.jsonl"
KEY: Final = "hidden/key"
PACK: Final = "pack"
SUBMISSIONS: Final = "submissions"
VERDICTS: Final = "verdicts"
BOARDS: Final = "boards"


@dataclass(frozen=True)
class Team:
    """A team.

    Parameters
    ----------
    name : str
        As it is shown; it is never a part of a path.
    contributor : str, optional
        The site whose questions are the team's own.
    salt, token_hash : str
        What is kept of its token, in hexadecimal digits.
    when : datetime
        Since when it takes part.
    """

    name: str
    contributor: str | None
    salt: str
    token_hash: str
    when: datetime


@dataclass(frozen=True)
class Submission:
    """A whole file of answers that was taken.

    Parameters
    ----------
    number : int
        From 1, over all teams.
    team, system, phase : str
        Whose it is, the name of what answered, and when.
    when : datetime
    path : Path
        The file.
    sha256 : str
        Of its bytes.
    answers : Mapping of str to int
        Counts: ``items``, ``answered``, ``unanswered``, ``declined``.
    confidences : bool
        Whether its guesses have confidences.
    entry : int
        The number of its entry in the log.
    late : bool
        Whether it came in the grace after the phase had closed.
    withdrawn : datetime, optional
        When it was withdrawn.
    """

    number: int
    team: str
    system: str
    phase: str
    when: datetime
    path: Path
    sha256: str
    answers: Mapping[str, int]
    confidences: bool
    entry: int
    late: bool = False
    withdrawn: datetime | None = None


class Campaign:
    """A campaign in a folder; its state is computed from its log.

    Parameters
    ----------
    path : path
        Of the folder.

    Attributes
    ----------
    rules : Rules
        From ``campaign.toml``.
    log : Log
        From ``log.jsonl``, its chain checked.

    Raises
    ------
    InputError
        If it is no folder of a campaign, or its rules or its log are at fault.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        if not (self.path / LOG).exists():
            got = "a folder without it" if self.path.is_dir() else "no folder"
            hint = "demur campaign new FOLDER --name NAME makes one."
            need = f"be the folder of a campaign, with its {LOG}"
            raise InputError(str(path), "the folder", need, got, hint)
        self.rules: Rules = read_rules(self.path / RULES)
        self.log = Log(self.path / LOG)

    # -- state -------------------------------------------------------------------------

    @property
    def entries(self) -> list[LogEntry]:
        """The entries of the log."""
        return self.log.entries

    def events(self, *names: str) -> Iterator[LogEntry]:
        """The entries of some events, in order."""
        return (entry for entry in self.log.entries if entry.event in names)

    @property
    def teams(self) -> Mapping[str, Team]:
        """The teams by name."""
        return {
            team.name: team for entry in self.events("team") for team in [_team(entry)]
        }

    @property
    def submissions(self) -> Mapping[int, Submission]:
        """The submissions that were taken, by number; withdrawn ones too."""
        taken: dict[int, Submission] = {}
        for entry in self.events("submitted", "withdrawn"):
            number = entry.facts["number"]
            if entry.event == "submitted":
                taken[number] = self._submission(entry)
            else:
                taken[number] = replace(taken[number], withdrawn=entry.when)
        return taken

    def phase(self, now: datetime) -> Phase | None:
        """The phase that is open now."""
        return self.rules.phase(now)

    @property
    def closed(self) -> LogEntry | None:
        """The entry that closed the campaign, if it is closed."""
        return next(self.events("closed"), None)

    def _submission(self, entry: LogEntry) -> Submission:
        facts = entry.facts
        ((name, digest),) = facts["files"].items()
        plain = ("number", "team", "system", "phase", "answers", "confidences", "late")
        return Submission(
            **{key: facts[key] for key in plain},
            when=entry.when,
            path=self.inside(name),
            sha256=digest,
            entry=entry.number,
        )

    # -- files -------------------------------------------------------------------------

    def inside(self, name: str) -> Path:
        """A path within the folder, which no symbolic link leads out of.

        Raises
        ------
        InputError
            If it leads out of the folder, or a part of it is a symbolic link.
        """
        return path_inside(self.path, name)

    def digests(self, *names: str) -> dict[str, str]:
        """Hashes of files in the folder, for the fact ``files`` of an entry."""
        return {name: logged_digest(self.path, name) for name in names}

    @contextmanager
    def writing(self, now: datetime) -> Iterator[None]:
        """The only writer for a while; a change of the rules is logged first.

        The rules are read anew, so that of two who write the later one does not log
        older rules.

        Raises
        ------
        InputError
            If ``now`` is before the last entry, or the log cannot be written to.
        """
        with self.log.locked():
            self.log.check_clock(now)
            self.rules = read_rules(self.path / RULES)
            digest = sha256(self.rules.text.encode())
            if listed_files(self.entries).get(RULES, ("", 0))[0] != digest:
                files = {RULES: digest}
                self.log.append("rules", when=now, files=files, text=self.rules.text)
            yield

    def append(self, event: str, *, when: datetime, **facts: Any) -> LogEntry:
        """Add an entry to the log; as of `writing` and `Log.append`."""
        with self.writing(when):
            return self.log.append(event, when=when, **facts)


def path_inside(folder: Path, name: str) -> Path:
    """A path within a folder, which no symbolic link leads out of.

    Raises
    ------
    InputError
        If it leads out of the folder, or a part of it is a symbolic link.

    Examples
    --------
    >>> path_inside(Path("c"), "../x")
    Traceback (most recent call last):
    ...
    demur.errors.InputError: c: a file must be a path within the folder of the campaign;
    got '../x'.
    """
    plain = PurePosixPath(name)
    parts = plain.parts
    if not parts or ".." in parts or "\0" in name or plain.is_absolute():
        need = "be a path within the folder of the campaign"
        raise InputError(str(folder), "a file", need, shown(name))
    place = folder
    for part in parts:
        place = place / part
        if place.is_symlink():
            need, got = "be no symbolic link", shown(str(place.readlink()))
            raise InputError(str(place), "a file of a campaign", need, got)
    return place


def _team(entry: LogEntry) -> Team:
    facts = entry.facts
    plain = {key: facts[key] for key in ("name", "contributor", "salt", "token_hash")}
    return Team(**plain, when=entry.when)


def logged_digest(folder: Path, name: str) -> str:
    """What the log says of a file: its SHA-256; of hidden ones with the hidden key.

    The log may be public, and a plain hash of a few answers could be found by trying
    all.

    Raises
    ------
    InputError
        If the file or the key cannot be read.
    """
    path = path_inside(folder, name)
    is_hidden = PurePosixPath(name).parts[0] == HIDDEN
    return file_sha256(path, hidden_key(folder) if is_hidden else None)


def hidden_key(folder: Path) -> bytes:
    """The key with which hidden files are hashed.

    Raises
    ------
    InputError
        If it is not there.
    """
    path = path_inside(folder, KEY)
    try:
        key = path.read_bytes().strip()
    except OSError as error:
        key, got = b"", error.strerror or str(error)
    else:
        got = "an empty file"
    if not key:
        hint = "Put back what demur campaign new made: nothing hidden can be held "
        hint += "against the log without it."
        raise InputError(str(path), "the key", "be there", got, hint)
    return key


def file_sha256(path: Path, key: bytes | None = None) -> str:
    """The SHA-256 of a file; with a key its HMAC.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    import hashlib
    import hmac

    digest = hashlib.sha256() if key is None else hmac.new(key, digestmod="sha256")
    try:
        with path.open("rb") as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
    except OSError as error:
        got = error.strerror or str(error)
        raise InputError(str(path), "the file", "be readable", got) from None
    return digest.hexdigest()


def references_name(version: int) -> str:
    """The file of a version of the hidden references.

    Examples
    --------
    >>> references_name(1), references_name(2)
    ('hidden/references.jsonl', 'hidden/references.2.jsonl')
    """
    return REFERENCES if version == 1 else f"{HIDDEN}/references.{version}.jsonl"
