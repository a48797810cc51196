"""Whether anything of a campaign was changed since it happened, and what.

The log is read line by line, so that every fault is found, not only the first.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from demur.campaigns.chain import (
    START,
    LogEntry,
    claimed_hash,
    listed_files,
    read_entry,
)
from demur.campaigns.folder import (
    BOARDS,
    HIDDEN,
    KEY,
    LOG,
    PACK,
    RULES,
    SUBMISSIONS,
    VERDICTS,
    logged_digest,
    path_inside,
)
from demur.campaigns.moments import moment_text
from demur.campaigns.submitting import read_receipt
from demur.errors import InputError, shown
from demur.references.findings import Finding, findings_table
from demur.results import Result, Table, count, printable, with_noun

NOT_PUBLIC: Final = (HIDDEN, VERDICTS)
"""Folders that a public copy of a campaign does not have."""

_OF_STEPS: Final = (SUBMISSIONS, PACK, VERDICTS, BOARDS)
_MOST_NAMED: Final = 5


@dataclass(frozen=True, eq=False, repr=False)
class CampaignVerification(Result):
    """What was found of changes.

    Parameters
    ----------
    entries, files, receipts : int
        How many were verified.
    head : str
        The hash of the last entry.
    findings : tuple of Finding
        What was changed, removed or added.
    notes : tuple of str
        What could not be verified, or is odd and no change.
    """

    KINDS = (
        count("entries", "entries of the log"),
        count("files", "files that the log names"),
        count("changes", "what is not as it was logged", better="lower"),
    )

    entries: int
    files: int
    receipts: int
    head: str
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()

    @property
    def changes(self) -> int:
        """How much is not as it was logged."""
        return len(self.findings)

    def sentence(self) -> str:
        """Whether anything was changed, and of how much."""
        of = f"{self.entries} entries of the log, {with_noun(self.files, 'file')}"
        if self.receipts:
            of += f", {with_noun(self.receipts, 'receipt')}"
        if self.findings:
            return f"{with_noun(self.changes, 'change')} found in {of}."
        return f"Nothing was changed: {of}.\nHead: {self.head}"

    def tables(self) -> tuple[Table, ...]:
        """What was changed."""
        return (findings_table(self.findings),) if self.findings else ()


def verify(
    path: str | os.PathLike[str], receipts: Sequence[str | os.PathLike[str]] = ()
) -> CampaignVerification:
    """Compute the chain of the log anew, and the hash of every file that it names.

    Entries that were cut off the end leave a shorter log that is whole; that shows by
    a receipt, or by a head that somebody has written down.

    Parameters
    ----------
    path : path
        Of the folder of the campaign; a public copy without hidden answers will do.
    receipts : sequence of path
        As `submit` gave them.

    Raises
    ------
    InputError
        If there is no log, or it cannot be read.
    """
    folder = Path(path)
    entries, findings = _read_log(folder / LOG)
    named = listed_files(entries)
    absent = [name for name in NOT_PUBLIC if not (folder / name).is_dir()]
    public = {
        name: logged
        for name, logged in named.items()
        if name.partition("/")[0] not in absent
    }
    findings += [
        finding
        for name, logged in public.items()
        for finding in _changed_file(folder, name, *logged)
    ]
    for receipt in receipts:
        findings += _of_receipt(entries, receipt)
    hidden = len(named) - len(public)
    return CampaignVerification(
        entries=len(entries),
        files=len(public),
        receipts=len(receipts),
        head=entries[-1].hash if entries else START,
        findings=tuple(findings),
        notes=tuple(_notes(folder, entries, named, hidden)),
    )


# -- the log ---------------------------------------------------------------------------


def _read_log(path: Path) -> tuple[list[LogEntry], list[Finding]]:
    """The entries that are as they were written, and what is wrong with others."""
    data = _bytes_of(path)
    entries, findings = [], []
    *lines, rest = data.split(b"\n")
    number, before = 0, START
    for at, line in enumerate(lines, 1):
        place, number = f"{path}:{at}", number + 1
        try:
            entries.append(read_entry(line, place, number, before))
            before = entries[-1].hash
        except InputError as error:
            text = f"{error.what} must {error.must}; got {error.got}"
            findings.append(Finding("", "log", text, place))
            # What follows is held against what this line says of itself.
            before = claimed_hash(line) or before
            with suppress(InputError):
                entries.append(read_entry(line, place))
                number = entries[-1].number
    if rest:
        text = f"a torn line of {len(rest)} bytes: its writer was killed, or it was "
        text += "cut; the next writer drops it"
        findings.append(Finding("", "torn", text, f"{path}:{len(lines) + 1}"))
    return entries, findings


def _bytes_of(path: Path) -> bytes:
    got = "a symbolic link" if path.is_symlink() else "nothing"
    if got == "nothing" and path.is_file():
        try:
            return path.read_bytes()
        except OSError as error:
            got = error.strerror or str(error)
    hint = "demur campaign new FOLDER --name NAME makes a campaign."
    raise InputError(str(path), "the log", "be a file that can be read", got, hint)


# -- files -----------------------------------------------------------------------------


def _changed_file(
    folder: Path, name: str, digest: str, number: int
) -> Iterator[Finding]:
    by = f"entry {number}"
    try:
        path = path_inside(folder, name)
        if not path.is_file():
            yield Finding("", "removed", f"{by} names it, and it is not there", name)
        elif logged_digest(folder, name) != digest:
            text = f"is not as in {by}"
            if name == RULES:
                text += "; the next step logs the change"
            yield Finding("", "changed", text, name)
    except InputError as error:
        text = f"{error.what} must {error.must}; got {error.got}"
        yield Finding("", "changed", text, printable(name))


def _of_receipt(
    entries: Sequence[LogEntry], path: str | os.PathLike[str]
) -> Iterator[Finding]:
    """What a receipt and the log do not agree on."""
    receipt, place = read_receipt(path), printable(os.fspath(path))
    number = receipt["entry"]
    last = entries[-1].number if entries else 0
    entry = next((one for one in entries if one.number == number), None)
    if entry is None:
        text = f"is of entry {shown(number)}, which is not in the log; it ends at "
        yield Finding("", "receipt", f"{text}{last}", place)
        return
    if receipt["head"] != entry.hash:
        text = f"has head {str(receipt['head'])[:12]} for entry {number}, which now "
        text += f"is {entry.hash[:12]}: history was rewritten"
        yield Finding("", "receipt", text, place)
        return
    logged = _as_receipt(entry)
    for name in logged:
        if receipt.get(name) != logged[name]:
            text = f"says {name} {shown(receipt.get(name))}, and the log "
            yield Finding("", "receipt", f"{text}{shown(logged[name])}", place)


def _as_receipt(entry: LogEntry) -> dict[str, Any]:
    """What a receipt of an entry says."""
    facts = entry.facts
    names = ("number", "team", "system", "phase")
    plain = {name: facts.get(name) for name in names}
    digests = list(entry.files.values())
    sha256 = digests[0] if digests else None
    return {**plain, "when": moment_text(entry.when), "sha256": sha256}


# -- notes -----------------------------------------------------------------------------


def _notes(
    folder: Path, entries: Sequence[LogEntry], named: dict[str, Any], hidden: int
) -> Iterator[str]:
    if hidden:
        text = "is" if hidden == 1 else "are"
        yield (
            f"{with_noun(hidden, 'file')} of {' and '.join(NOT_PUBLIC)} {text} not in "
            "this copy, and not verified"
        )
    for before, after in pairwise(entries):
        if after.when < before.when:
            yield (
                f"entry {after.number} says {moment_text(after.when)}, and the one "
                f"before {moment_text(before.when)}: written at one time, or by clocks "
                "that disagree"
            )
    strays = list(_strays(folder, named))
    if strays:
        listed = ", ".join(map(printable, strays[:_MOST_NAMED]))
        more = f" and {len(strays) - _MOST_NAMED} more" * (len(strays) > _MOST_NAMED)
        yield f"no entry names {listed}{more}, so nothing tells what was there"


def _strays(folder: Path, named: dict[str, Any]) -> Iterator[str]:
    """Files of folders that steps write to, which the log does not name."""
    for part in _OF_STEPS:
        for path in sorted((folder / part).rglob("*")):
            name = path.relative_to(folder).as_posix()
            if name not in {*named, KEY} and (path.is_symlink() or not path.is_dir()):
                yield name
