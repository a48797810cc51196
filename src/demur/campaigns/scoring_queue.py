"""The queue of scoring: every submission is judged once by each version of the scorer.

What is left to do is read off the log. Verdicts are written whole before the log says
that there are any, so that a process that was killed is taken up where it ended, and
nothing is judged twice or lost.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from demur.campaigns.chain import LogEntry, canonical, listed_files, sha256
from demur.campaigns.folder import (
    HIDDEN,
    VERDICTS,
    Campaign,
    Submission,
    file_sha256,
    hidden_key,
)
from demur.campaigns.freezing import check_databases, frozen_entry
from demur.campaigns.judging_workers import (
    CODES,
    JudgingReply,
    JudgingTask,
    judged_by_processes,
)
from demur.campaigns.kept_collections import check_unchanged
from demur.campaigns.scorer_versions import (
    BoardVersion,
    changes_between,
    checked_references,
    judging_of,
    scorer_of,
    version_named,
    versions_of,
)
from demur.errors import InputError
from demur.files import new_file
from demur.results import Column, Result, Table, count

LIMIT: Final = 600.0
"""Seconds for a submission."""

_LOCK: Final = f"{HIDDEN}/scoring.lock"
_SECRET: Final = f"{HIDDEN}/scoring"
"""What only the organiser may read: what a blind guesser says, why some have failed."""


@dataclass(frozen=True)
class ScoredSubmission:
    """What scoring made of a submission by one version.

    Parameters
    ----------
    number : int
    state : str
        "judged" or "failed".
    code : str
        Why it failed: a key of `CODES`.
    """

    number: int
    state: str
    code: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class CampaignScoring(Result):
    """A run of the queue.

    Parameters
    ----------
    version : int
        Of the scorer and the references.
    judged, failed : int
        Submissions of this run.
    known : int
        Submissions that had been scored before.
    failures : tuple of (int, str, str)
        Number, team and code of those that failed.
    changed : tuple of str
        What is not as in the version before.
    notes : tuple of str
    """

    KINDS = (
        count("judged", "submissions judged"),
        count("failed", "submissions that could not be judged", better="lower"),
    )

    version: int
    judged: int
    failed: int
    known: int
    failures: tuple[tuple[int, str, str], ...] = ()
    changed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def sentence(self) -> str:
        """How many were judged, and what has made a new version."""
        text = f"Version {self.version}: {self.judged} judged, {self.failed} failed, "
        lines = [f"{text}{self.known} scored before."]
        if self.version > 1 and self.changed:
            lines.append(f"This version is new: {'; '.join(self.changed)}.")
        return "\n".join(lines)

    def tables(self) -> tuple[Table, ...]:
        """Those that failed."""
        columns = (Column("submission", cells="count"), Column("team"), Column("why"))
        rows = tuple((n, team, CODES[code]) for n, team, code in self.failures)
        return (Table("Failed", columns, rows),) if rows else ()


def score_campaign(
    campaign: Campaign,
    *,
    clock: Callable[[], datetime],
    workers: int = 2,
    limit: float = LIMIT,
    retry: bool = False,
    tell: Callable[[str], None] = lambda _: None,
) -> CampaignScoring:
    """Judge every submission that has no verdicts of the current version.

    Parameters
    ----------
    campaign : Campaign
    clock : callable
        What time it is, in UTC, for the log.
    workers : int
        Processes that judge at a time.
    limit : float
        Seconds for a submission; what takes longer has failed.
    retry : bool
        Whether those that failed are tried again.
    tell : callable
        Told each submission that is done.

    Returns
    -------
    CampaignScoring

    Raises
    ------
    InputError
        If the references are not those of the log, or another process scores.
    """
    with _only_one(campaign):
        version = _current_version(campaign, clock)
        _check_databases(campaign)
        done = scored_by(campaign, version.number)
        valid = [one for one in campaign.submissions.values() if not one.withdrawn]
        before = {
            number
            for number, scored in done.items()
            if scored.state == "judged" or not retry
        }
        todo = {one.number: one for one in valid if one.number not in before}
        failures = []
        for reply in _replies(campaign, version, todo, workers, limit):
            submission = todo[reply.number]
            _keep(campaign, version, submission, reply, clock)
            tell(f"submission {reply.number}: {CODES.get(reply.code, 'judged')}")
            if reply.code:
                failures.append((reply.number, submission.team, reply.code))
    return CampaignScoring(
        version=version.number,
        judged=len(todo) - len(failures),
        failed=len(failures),
        known=len(valid) - len(todo),
        failures=tuple(sorted(failures)),
        changed=version.changed,
        notes=tuple(_failure_notes(version, failures)),
    )


def scored_by(campaign: Campaign, version: int) -> dict[int, ScoredSubmission]:
    """What a version made of each submission that it has scored."""
    return {
        facts["number"]: ScoredSubmission(
            facts["number"], facts["state"], facts.get("code", "")
        )
        for entry in campaign.events("scored")
        for facts in [entry.facts]
        if facts["version"] == version
    }


def verdicts_name(version: int, number: int) -> str:
    """Where verdicts are, within the folder of the campaign.

    Examples
    --------
    >>> verdicts_name(2, 17)
    'verdicts/2/0017.jsonl'
    """
    return f"{VERDICTS}/{version}/{number:04}.jsonl"


def verdicts_file(campaign: Campaign, version: int, number: int) -> Path:
    """The verdicts of a submission, which are as the log has them.

    Raises
    ------
    InputError
        If the file was changed since.
    """
    name = verdicts_name(version, number)
    check_unchanged(campaign, {name: listed_files(campaign.entries)[name][0]}, "scored")
    return campaign.inside(name)


def blind_floor(campaign: Campaign, version: int | None = None) -> str:
    """What a blind guesser gets by a version, as `demur judge` says it; "" if nothing.

    It quotes the answer that is guessed, so it is for the organiser.
    """
    import json

    path = _floor_path(campaign, version_named(campaign, version))
    if not path.exists():
        return ""
    text: str = json.loads(path.read_text("utf-8"))["floor"]
    return text


def _floor_path(campaign: Campaign, version: BoardVersion) -> Path:
    return campaign.inside(f"{_SECRET}/{version.name}/floor.json")


def _failure_notes(version: BoardVersion, failures: list[Any]) -> Iterator[str]:
    if failures:
        place = f"{_SECRET}/{version.name}/NNNN.failed"
        yield f"why exactly is in {place}, which may tell what is right"


def _current_version(campaign: Campaign, clock: Callable[[], datetime]) -> BoardVersion:
    """The newest version; a new one if the scorer or the references have changed."""
    with campaign.log.locked():
        scorer, versions = scorer_of(campaign), versions_of(campaign)
        if versions and versions[-1].scorer == scorer:
            return versions[-1]
        before = versions[-1].scorer if versions else {}
        changed = changes_between(before, scorer) if versions else []
        facts = {"number": len(versions) + 1, "scorer": scorer, "changed": changed}
        append_at(campaign, clock, "version", **facts)
        return versions_of(campaign)[-1]


def append_at(
    campaign: Campaign, clock: Callable[[], datetime], event: str, **facts: Any
) -> LogEntry:
    """Add an entry now, or at the moment of the last one if that is later.

    Others write while a queue is worked off, by clocks of their own.
    """
    with campaign.log.locked():
        when = max([clock(), *(entry.when for entry in campaign.entries[-1:])])
        return campaign.append(event, when=when, **facts)


def _replies(
    campaign: Campaign,
    version: BoardVersion,
    todo: Mapping[int, Submission],
    workers: int,
    limit: float,
) -> Iterator[JudgingReply]:
    """What becomes of each submission; what a blind guesser gets is kept."""
    for place in (VERDICTS, _SECRET):
        campaign.inside(f"{place}/{version.name}").mkdir(parents=True, exist_ok=True)
    floor = _floor_path(campaign, version)
    tasks = [] if floor.exists() else [JudgingTask(0, "", "")]
    for number, submission in sorted(todo.items()):
        if _is_changed(submission):
            yield JudgingReply(number, "changed", b"", "")
        else:
            path = str(submission.path.absolute())
            tasks.append(JudgingTask(number, path, submission.team))
    references = str(checked_references(campaign)[0].absolute())
    how = judging_of(campaign)
    for reply in judged_by_processes(
        tasks, references, how, workers=workers, limit=limit
    ):
        if reply.number:
            yield reply
        elif not reply.code:
            with new_file(floor) as file:
                file.write(canonical({"floor": reply.floor}))


def _is_changed(submission: Submission) -> bool:
    try:
        return file_sha256(submission.path) != submission.sha256
    except InputError:
        return True


def _keep(
    campaign: Campaign,
    version: BoardVersion,
    submission: Submission,
    reply: JudgingReply,
    clock: Callable[[], datetime],
) -> None:
    """Verdicts on disk, then the entry that names them."""
    facts: dict[str, Any] = {"number": submission.number, "version": version.number}
    name = verdicts_name(version.number, submission.number)
    if reply.code:
        facts |= {"state": "failed", "code": reply.code}
        secret = f"{_SECRET}/{version.number}/{submission.number:04}.failed"
        with new_file(campaign.inside(secret)) as file:
            file.write(reply.reason.encode("utf-8", "backslashreplace"))
    else:
        verdicts = _sealed(reply.verdicts, _seal(campaign, name))
        with new_file(campaign.inside(name)) as file:
            file.write(verdicts)
        facts |= {"state": "judged", "files": {name: sha256(verdicts)}}
    append_at(campaign, clock, "scored", **facts)


def _check_databases(campaign: Campaign) -> None:
    """Refuse databases that are not those that were frozen."""
    from demur import formats

    entry = frozen_entry(campaign)
    if entry.facts.get("databases"):
        path, _ = checked_references(campaign)
        check_databases(campaign, (one for _, one in formats.iter_records(path)), entry)


def _seal(campaign: Campaign, name: str) -> str:
    """A text that only who has the hidden key can tell.

    The log has the hash of verdicts, and may be public: without it, the verdicts of a
    few items could be found by trying all.
    """
    import hmac

    key = hidden_key(campaign.path)
    return hmac.new(key, name.encode(), "sha256").hexdigest()[:32]


def _sealed(verdicts: bytes, seal: str) -> bytes:
    """Lines of verdicts, the seal as a further column of the first."""
    first, end, rest = verdicts.partition(b"}\n")
    return first + f',"seal":"{seal}"'.encode() + end + rest


@contextmanager
def _only_one(campaign: Campaign) -> Iterator[None]:
    """Refuse to score while another process does.

    The lock is the system's, and free once its holder is gone.
    """
    import fcntl

    place = campaign.inside(_LOCK)
    descriptor = os.open(place, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            need, hint = (
                "be scored by one process at a time",
                "It will do all there is.",
            )
            raise InputError(
                str(campaign.path), "the campaign", need, "another one", hint
            ) from None
        with campaign.log.locked():
            pass  # what others have added meanwhile is read
        yield
    finally:
        os.close(descriptor)
