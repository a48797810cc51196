"""The verb that packs what is sent out, and checks that no hidden answer is in it."""

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from demur.campaigns.chain import sha256
from demur.campaigns.folder import PACK, Campaign, references_name
from demur.campaigns.freezing import (
    EXCLUDED_FILE,
    MEANINGS_FILE,
    TEST_FILE,
    TRAINING_FILE,
    check_databases,
    frozen_entry,
    references_version,
)
from demur.campaigns.kept_collections import check_unchanged
from demur.campaigns.leak_search import LeakSearch, search_leaks
from demur.campaigns.moments import moment_text
from demur.campaigns.public_parts import PUBLIC, TRAINING
from demur.campaigns.rules import Rules
from demur.errors import InputError, shown
from demur.files import new_folder
from demur.formats import iter_records
from demur.outcomes.contexts import CONTEXT_RULES
from demur.results import Column, Figure, Result, Table, count, printable

QUESTIONS_FILE: Final = "questions.jsonl"
TRAIN_FILE: Final = "train.jsonl"
SHARED_FILE: Final = "meanings.jsonl"
DESCRIBED: Final = "pack.json"

_FILES: Final = (Column("file"), Column("size", "bytes", "count"), Column("sha256"))


@dataclass(frozen=True, eq=False, repr=False)
class Packed(Result):
    """What is sent out.

    Parameters
    ----------
    path : str
        Of the folder.
    asked, excluded, train : int
        Questions that are asked, turns beside them, questions of the training part.
    sizes, hashes : mapping of file to int and to SHA-256
    search : LeakSearch
        For hidden answers.
    """

    KINDS = (
        count("asked", "questions that are asked"),
        count("excluded", "turns that are not asked"),
        count("train", "turns of the training part"),
    )

    path: str
    asked: int
    excluded: int
    train: int
    sizes: Mapping[str, int]
    hashes: Mapping[str, str]
    search: LeakSearch

    def figures(self) -> Iterator[Figure]:
        """How many are asked, excluded, and for training."""
        yield from map(Figure, self.KINDS, (self.asked, self.excluded, self.train))

    def sentence(self) -> str:
        """What is in the pack, and what was searched."""
        return (
            f"{self.path} asks {self.asked} questions, beside {self.excluded} turns "
            f"that are not asked; {self.train} turns are for training.\n"
            f"{self.search.sentence()}"
        )

    def tables(self) -> tuple[Table, ...]:
        """The files, and what was searched for."""
        rows = [
            (name, size, self.hashes[name][:12]) for name, size in self.sizes.items()
        ]
        return Table("", _FILES, tuple(rows)), *self.search.tables()

    @property
    def notes(self) -> tuple[str, ...]:
        """What could not be searched."""
        return self.search.notes

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {
            "path": self.path,
            "asked": self.asked,
            "excluded": self.excluded,
            "train": self.train,
            "files": dict(self.hashes),
            "searched": self.search.counts(),
            "notes": list(self.notes),
        }


def pack(
    campaign: Campaign,
    path: str | Path | None = None,
    *,
    when: datetime,
    further: Sequence[str] = (),
    allowed: Sequence[str] = (),
) -> Packed:
    """Write what is sent out, unless something in it tells hidden answers.

    Parameters
    ----------
    campaign : Campaign
        Frozen.
    path : path, optional
        A new or empty folder, or one with a former pack, which is replaced; by default
        ``pack`` in the campaign's.
    when : datetime
        In UTC; it is logged and not in the pack, which has the same bytes again.
    further : sequence of path
        Files that are to go out, too, such as a database; they are searched as well.
    allowed : sequence of str
        Items that the search has found to tell their answers, and that somebody has
        looked at.

    Raises
    ------
    InputError
        If the campaign is not frozen, what was frozen has changed, or something in the
        pack tells hidden answers; then nothing is written.
    """
    with campaign.writing(when):
        entry = frozen_entry(campaign)
        check_unchanged(campaign, entry.files, "frozen")
        version, _ = references_version(campaign)
        hidden = list(_hidden(campaign, version))
        check_databases(campaign, hidden, entry)
        files = _contents(campaign, further)
        _check_allowed(allowed, hidden)
        files[DESCRIBED] = _described(campaign, files, entry.facts)
        search = search_leaks(
            files,
            hidden,
            questions=QUESTIONS_FILE,
            training=TRAIN_FILE,
            further=[Path(given).name for given in further],
            allowed=allowed,
        )
        search.check()
        folder = campaign.inside(PACK) if path is None else Path(path)
        _replace(folder, files)
        counts = entry.facts["counts"]
        result = Packed(
            path=printable(str(folder)),
            asked=counts["asked"],
            excluded=counts["excluded"],
            train=counts["train"] + counts["train_excluded"],
            sizes={name: len(data) for name, data in files.items()},
            hashes={name: sha256(data) for name, data in files.items()},
            search=search,
        )
        inside = {f"{PACK}/{name}": digest for name, digest in result.hashes.items()}
        campaign.log.append(
            "packed",
            when=when,
            pack=dict(result.hashes),
            searched=search.counts(),
            allowed=list(allowed),
            files=inside if path is None else {},
        )
        return result


# -- what is in it ---------------------------------------------------------------------


def _hidden(campaign: Campaign, version: int) -> Iterator[Mapping[str, Any]]:
    """All references of the test, of every version, and of turns that are not asked."""
    names = [references_name(number) for number in range(1, version + 1)]
    for name in (*names, EXCLUDED_FILE):
        path = campaign.inside(name)
        if path.stat().st_size:
            yield from (record for _, record in iter_records(path))


def _contents(campaign: Campaign, further: Sequence[str]) -> dict[str, bytes]:
    files = {
        QUESTIONS_FILE: _only(campaign, TEST_FILE, PUBLIC),
        TRAIN_FILE: _only(campaign, TRAINING_FILE, TRAINING),
    }
    if campaign.inside(MEANINGS_FILE).exists():
        files[SHARED_FILE] = _only(campaign, MEANINGS_FILE, ("id", "term", "meaning"))
    for given in further:
        name = Path(given).name
        if name in files or name == DESCRIBED:
            need, hint = "have a name of its own", "Rename it."
            raise InputError(given, "a further file", need, shown(name), hint)
        try:
            files[name] = Path(given).read_bytes()
        except OSError as error:
            got = error.strerror or str(error)
            raise InputError(given, "the file", "be readable", got) from None
    return files


def _only(campaign: Campaign, name: str, columns: Iterable[str]) -> bytes:
    """The records of a file with the columns of a list, and no other."""
    path = campaign.inside(name)
    if not path.stat().st_size:
        return b""
    names = tuple(columns)
    rows = [
        {column: record[column] for column in names if column in record}
        for _, record in iter_records(path)
    ]
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)


def _described(
    campaign: Campaign, files: Mapping[str, bytes], facts: Mapping[str, Any]
) -> bytes:
    """``pack.json``: hashes, counts, and the rules that teams must know."""
    rules = campaign.rules
    about = {
        "campaign": rules.name,
        "questions": facts["counts"]["asked"],
        "excluded": facts["counts"]["excluded"],
        "training": facts["counts"]["train"] + facts["counts"]["train_excluded"],
        "sha256": sha256(files[QUESTIONS_FILE]),
        "files": {name: sha256(data) for name, data in files.items()},
        "databases": _public_databases(files[QUESTIONS_FILE], facts["databases"]),
        "rules": public_rules(rules),
    }
    return json.dumps(about, indent=2, ensure_ascii=False).encode() + b"\n"


def _public_databases(questions: bytes, hashes: Mapping[str, str]) -> dict[str, str]:
    """Hashes of the databases that questions name; others may be hidden ones."""
    rows = map(msgspec.json.decode, questions.splitlines())
    named = {row["db"] for row in rows if "db" in row}
    return {name: digest for name, digest in hashes.items() if name in named}


def public_rules(rules: Rules) -> dict[str, Any]:
    """The rules that teams must know, as plain values.

    What they name of the organiser's machine, such as the folder of databases, is left
    out.
    """
    scoring = asdict(rules.scoring)
    del scoring["databases"]
    return {
        "scoring": {
            name: value for name, value in scoring.items() if value is not None
        },
        "context": CONTEXT_RULES[rules.scoring.context],
        "board": {n: v for n, v in asdict(rules.board).items() if v is not None},
        "phases": [
            {
                "name": phase.name,
                "opens": moment_text(phase.opens),
                "closes": moment_text(phase.closes),
                "submissions": phase.submissions,
                "per_day": phase.per_day,
                "grace": phase.grace,
            }
            for phase in rules.phases
        ],
    }


def _check_allowed(allowed: Iterable[str], hidden: Iterable[Mapping[str, Any]]) -> None:
    items = {str(record["item"]) for record in hidden}
    for item in allowed:
        if item not in items:
            need = "be an item of the test part"
            raise InputError("pack", "what is allowed", need, shown(item))


# -- the folder ------------------------------------------------------------------------


def _replace(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a pack where there is none, or in place of a former one.

    Who is killed meanwhile leaves the former pack, the new one, or none.
    """
    former = _former(folder)
    place = folder
    if former:
        place = folder.with_name(f".demur-{os.getpid()}-{folder.name}.new")
    with new_folder(place) as part:
        for name, data in files.items():
            (part / name).write_bytes(data)
    if former:
        aside = folder.with_name(f".demur-{os.getpid()}-{folder.name}.old")
        folder.rename(aside)
        place.rename(folder)
        shutil.rmtree(aside)


def _former(folder: Path) -> set[str]:
    """The files of a former pack; an error if there is anything else."""
    try:
        there = {path.name for path in folder.iterdir()} if folder.exists() else set()
    except OSError as error:
        need, got = "be a folder", error.strerror or str(error)
        raise InputError(printable(str(folder)), "the pack", need, got) from None
    if not there:
        return set()
    listed: set[str] = set()
    if DESCRIBED in there:
        try:
            about = json.loads((folder / DESCRIBED).read_bytes())
            listed = {DESCRIBED, *about["files"]}
        except (OSError, ValueError, TypeError, KeyError):
            listed = set()
    others = sorted(there - listed)
    if others:
        need = "be new, empty, or hold nothing but a former pack"
        hint = "Name another with -o, or move what is there."
        got = f"{shown(others[0])} in it"
        raise InputError(printable(str(folder)), "the folder", need, got, hint)
    return listed
