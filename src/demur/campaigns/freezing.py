"""The verb that freezes a campaign: a part is reserved, and all of it fixed by hash."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from demur.campaigns.chain import LogEntry, canonical, sha256
from demur.campaigns.collecting import check_not_frozen, databases_root
from demur.campaigns.folder import (
    HIDDEN,
    QUESTIONS,
    REFERENCES,
    Campaign,
    file_sha256,
    references_name,
)
from demur.campaigns.kept_collections import check_unchanged, last_collection
from demur.campaigns.leak_search import searched_text
from demur.campaigns.public_parts import (
    dialogue_of,
    in_order_of_dialogues,
    public_question,
    training_question,
)
from demur.campaigns.rules import ScoringRules
from demur.campaigns.site_files import Placed
from demur.errors import InputError, shown
from demur.formats import write_record_files
from demur.outcomes.contexts import (
    NOT_ASKED,
    TurnInContext,
    context_of,
    dialogue_turns,
    in_context,
)
from demur.references.reserving import Reservation, reserve
from demur.results import Figure, Result, Table, count, with_noun
from demur.sql.databases import Databases

TEST_FILE: Final = f"{QUESTIONS}/test.jsonl"
TRAINING_FILE: Final = f"{QUESTIONS}/train.jsonl"
MEANINGS_FILE: Final = f"{QUESTIONS}/meanings.jsonl"
EXCLUDED_FILE: Final = f"{HIDDEN}/excluded.jsonl"

USUAL: Final = ("subject", "dialogue")
"""What stays together if nothing else is said."""

SIDES: Final = ("test", "train")

_LISTED: Final = 3


@dataclass(frozen=True)
class FreezingRules:
    """How a part is reserved; as of `demur.reserve`.

    Parameters
    ----------
    share : float
        Of the questions, for the test.
    by : sequence of str, optional
        Columns: what shares a value stays together. ``dialogue`` is also ``cluster``.
        By default `USUAL`, those of them that questions have; if none, each question is
        by itself.
    stratify : str, optional
        A column; the test should have that share of each of its values.
    seed : int
    """

    share: float = 0.3
    by: Sequence[str] | None = None
    stratify: str | None = None
    seed: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class Frozen(Result):
    """A campaign that is frozen.

    Parameters
    ----------
    asked, excluded, train, train_excluded : int
        Questions of the test that are asked, turns of it that are not, and the same of
        the training part. Together they are all that was collected.
    why : mapping of code to int
        Why turns of the test are not asked.
    reservation : Reservation
        Which subjects and dialogues are on which side.
    hashes : mapping of file to SHA-256
        What is fixed.
    databases : mapping of name to SHA-256
        The databases that references name.
    notes : tuple of str
        What a reader must know.
    """

    KINDS = (
        count("asked", "questions of the test that are asked"),
        count("excluded", "turns of the test that are not asked"),
        count("train", "questions of the training part"),
    )

    asked: int
    excluded: int
    train: int
    train_excluded: int
    why: Mapping[str, int]
    reservation: Reservation
    hashes: Mapping[str, str]
    databases: Mapping[str, str]
    notes: tuple[str, ...] = field(default=())

    def figures(self) -> Iterator[Figure]:
        """How many are asked, excluded, and for training."""
        numbers = self.asked, self.excluded, self.train
        yield from map(Figure, self.KINDS, numbers)

    def sentence(self) -> str:
        """What is reserved, and that it is fixed."""
        turns = f"{with_noun(self.excluded, 'turn')} that"
        turns += " is not" if self.excluded == 1 else " are not"
        lines = [
            f"Frozen: the test asks {self.asked} questions, beside {turns}; "
            f"{self.train + self.train_excluded} turns are for training.",
            self.reservation.sentence(),
        ]
        if self.why:
            reasons = (f"{n} {NOT_ASKED[code]}" for code, n in self.why.items())
            lines.append(f"Turns that are not asked: {'; '.join(reasons)}.")
        fixed = {**self.hashes, **self.databases}
        lines.append(f"Fixed by hash: {', '.join(fixed)}.")
        return "\n".join(lines)

    def tables(self) -> tuple[Table, ...]:
        """What is on which side."""
        return self.reservation.tables()

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {
            "asked": self.asked,
            "excluded": self.excluded,
            "train": self.train,
            "train_excluded": self.train_excluded,
            "not_asked": dict(self.why),
            "reserved": self.reservation.to_dict(),
            "files": dict(self.hashes),
            "databases": dict(self.databases),
            "notes": list(self.notes),
        }


def freeze(campaign: Campaign, rules: FreezingRules, *, when: datetime) -> Frozen:
    """Reserve whole subjects and dialogues for the test, and fix everything by hash.

    Parameters
    ----------
    campaign : Campaign
        With questions that were collected.
    rules : FreezingRules
        How they are parted.
    when : datetime
        In UTC.

    Raises
    ------
    InputError
        If it is frozen already, nothing was collected, a question would be parted from
        its context, nothing could be asked, or a database cannot be read.
    """
    with campaign.writing(when):
        check_not_frozen(campaign)
        collection = last_collection(campaign)
        placed = [(place, dict(one)) for place, one in collection.references()]
        reservation = _reserved(placed, rules)
        context = campaign.rules.scoring.context
        sides = {
            side: _under_rule([placed[row] for row in part.rows], context)
            for side, part in zip(
                SIDES, (reservation.test, reservation.train), strict=True
            )
        }
        asked = [one for one, under in sides["test"] if under.is_asked]
        if not asked:
            need, got = (
                "ask something",
                f"{len(sides['test'])} turns, none of them asked",
            )
            raise InputError(str(campaign.path), "the test part", need, got)
        databases = database_hashes(campaign, asked)
        files = _write(campaign, sides, collection.public_meanings())
        result = Frozen(
            **_counts(sides),
            why=_reasons(sides["test"]),
            reservation=reservation,
            hashes=campaign.digests(*files),
            databases=databases,
            notes=tuple(_notes(sides, databases)),
        )
        campaign.log.append(
            "frozen",
            when=when,
            collection=collection.number,
            references=1,
            counts=_counts(sides),
            not_asked=dict(result.why),
            reserved=dict(reservation.recipe),
            scoring=scoring_facts(campaign.rules.scoring),
            databases=databases,
            files=dict(result.hashes),
        )
        return result


# -- what is fixed ---------------------------------------------------------------------


def scoring_facts(rules: ScoringRules) -> dict[str, Any]:
    """The rules of scoring with their hash; what they are stands in the log anyhow."""
    plain = {name: value for name, value in asdict(rules).items() if value is not None}
    return {"sha256": sha256(canonical(plain))}


def frozen_entry(campaign: Campaign) -> LogEntry:
    """The entry that froze the campaign; what it has fixed is still so.

    Raises
    ------
    InputError
        If it is not frozen, or its rules of scoring are others now.
    """
    entry = next(campaign.events("frozen"), None)
    if entry is None:
        need, hint = "be frozen", "demur campaign freeze does it."
        raise InputError(str(campaign.path), "the campaign", need, "not so", hint)
    if scoring_facts(campaign.rules.scoring) != entry.facts["scoring"]:
        need = f"be as they were frozen, in entry {entry.number} of the log"
        hint = "Put [scoring] back; the log holds the former text of the rules."
        where = f"{campaign.path}/campaign.toml"
        raise InputError(where, "the rules of scoring", need, "others", hint)
    return entry


def references_version(campaign: Campaign) -> tuple[int, Path]:
    """The newest version of the hidden references, from 1, and its file.

    A decision on a disputed reference makes a new version; the old ones stay.

    Raises
    ------
    InputError
        As of `frozen_entry`, or if the file was changed by hand.
    """
    frozen_entry(campaign)
    entry = [*campaign.events("frozen", "adjudicated")][-1]
    name = references_name(entry.facts["references"])
    check_unchanged(campaign, {name: entry.files[name]}, entry.event)
    return entry.facts["references"], campaign.inside(name)


def database_hashes(
    campaign: Campaign, records: Iterable[Mapping[str, Any]]
) -> dict[str, str]:
    """The SHA-256 of each database file that references name; of servers none.

    Raises
    ------
    InputError
        If one cannot be read.
    """
    root = databases_root(campaign)
    if root is None or "://" in str(root):
        return {}
    databases = Databases(root=root)
    hashes: dict[str, str] = {}
    for record in records:
        given = record.get("db")
        for name in given if isinstance(given, list) else [given]:
            if name is None and not databases.is_one:
                continue
            path = Path(databases.named(name, f"item {shown(record['item'])}"))
            called = path.name if name is None else str(name)
            if called not in hashes:
                hashes[called] = file_sha256(path)
    return hashes


def check_databases(
    campaign: Campaign, records: Iterable[Mapping[str, Any]], entry: LogEntry
) -> None:
    """Refuse databases that are others than those that were frozen.

    Raises
    ------
    InputError
        With the name of the first.
    """
    now = database_hashes(campaign, records)
    for name, digest in entry.facts["databases"].items():
        if now.get(name, digest) != digest:
            need = f"be as it was frozen, in entry {entry.number} of the log"
            got, hint = "another content", "Put the former file back."
            raise InputError(name, "the database", need, got, hint)


# -- parts -----------------------------------------------------------------------------


_Turns = Sequence[tuple[dict[str, Any], TurnInContext]]


def _reserved(placed: Sequence[Placed], rules: FreezingRules) -> Reservation:
    named = [
        (place, {**one, **_not_none("dialogue", dialogue_of(one))})
        for place, one in placed
    ]
    by = USUAL if rules.by is None else rules.by
    if rules.by is None:
        there = {name for _, one in named for name in USUAL if one.get(name)}
        by = tuple(name for name in USUAL if name in there) or ("item",)
    reservation = reserve(named, **{**asdict(rules), "by": by})
    if reservation.torn:
        items = _torn_items(named, {*reservation.test.rows})
        listed = ", ".join(map(shown, items[:_LISTED]))
        more = f" and {len(items) - _LISTED} more" if len(items) > _LISTED else ""
        need = "lie on one side with the questions that lean on them"
        hint = "Keep dialogues whole (--by dialogue), and contexts within them."
        got = f"{listed}{more} parted from theirs"
        raise InputError("freeze", "contexts", need, got, hint)
    return reservation


def _not_none(name: str, value: Any) -> dict[str, Any]:
    return {} if value is None else {name: value}


def _torn_items(placed: Sequence[Placed], test: set[int]) -> list[str]:
    side = {str(one["item"]): row in test for row, (_, one) in enumerate(placed)}
    return [
        str(one["item"])
        for _, one in placed
        if any(
            side.get(name, side[str(one["item"])]) != side[str(one["item"])]
            for name in context_of(one.get("context"))
        )
    ]


def _under_rule(placed: Sequence[Placed], rule: str) -> _Turns:
    """Questions in the order of their dialogues, marked as the rule of context says."""
    places = {str(one["item"]): place for place, one in placed}
    records = in_order_of_dialogues(one for _, one in placed)
    turns = dialogue_turns((places[str(one["item"])], one) for one in records)
    return [
        (_with_marks(record, under), under)
        for record, under in zip(records, in_context(turns, rule), strict=True)
    ]


def _with_marks(record: Mapping[str, Any], under: TurnInContext) -> dict[str, Any]:
    marks = {"excluded": not under.is_asked, "reset": bool(under.reset)}
    plain = {name: value for name, value in record.items() if name not in marks}
    return plain | {name: True for name, is_so in marks.items() if is_so}


def _counts(sides: Mapping[str, _Turns]) -> dict[str, int]:
    asked = {side: sum(u.is_asked for _, u in turns) for side, turns in sides.items()}
    return {
        "asked": asked["test"],
        "excluded": len(sides["test"]) - asked["test"],
        "train": asked["train"],
        "train_excluded": len(sides["train"]) - asked["train"],
    }


def _reasons(turns: _Turns) -> dict[str, int]:
    counted = Counter(under.why for _, under in turns if under.why)
    return {code: counted[code] for code in NOT_ASKED if counted[code]}


def _notes(sides: Mapping[str, _Turns], hashes: Mapping[str, str]) -> Iterator[str]:
    asked = [one for one, under in sides["test"] if under.is_asked]
    if not hashes and any(one.get("db") is not None for one in asked):
        yield (
            "databases are not fixed: databases in [scoring] of campaign.toml names no "
            "folder of files"
        )
    trained = {
        searched_text(str(one.get("input")))
        for one, under in sides["train"]
        if under.is_asked and not under.turn.context
    }
    again = sum(
        searched_text(str(one.get("input"))) in trained
        for one, under in sides["test"]
        if under.is_asked and not under.turn.context
    )
    if again:
        yield (
            f"{with_noun(again, 'question')} of the test stand word for word in the "
            "training part, which goes out with answers"
        )


def _write(
    campaign: Campaign, sides: Mapping[str, _Turns], meanings: Sequence[Placed]
) -> list[str]:
    """Write all files, or none; their names."""
    test = sides["test"]
    sets: dict[str, list[Mapping[str, Any]]] = {
        REFERENCES: [_reference(one) for one, under in test if under.is_asked],
        EXCLUDED_FILE: [
            {**one, "not_asked": under.reason} for one, under in test if under.why
        ],
        TEST_FILE: [public_question(one) for one, _ in test],
        TRAINING_FILE: [training_question(one) for one, _ in sides["train"]],
    }
    if meanings:
        sets[MEANINGS_FILE] = [one for _, one in meanings]
    for name in sets:
        campaign.inside(name).parent.mkdir(exist_ok=True)
    write_record_files(
        {str(campaign.inside(name)): rows for name, rows in sets.items()}
    )
    return list(sets)


def _reference(record: Mapping[str, Any]) -> dict[str, Any]:
    """A question as it is judged: its dialogue is its cluster."""
    dialogue = dialogue_of(record)
    if record.get("cluster") in (None, "") and dialogue is not None:
        return {**record, "cluster": dialogue}
    return dict(record)
