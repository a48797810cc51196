"""The verb that writes decisions on disputed references back, once all is frozen.

A decision makes a new version of the hidden references; the old ones stay readable, and
scoring scores everything again.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from demur.campaigns.collecting import (
    as_references,
    databases_root,
    decided,
    lint_all,
)
from demur.campaigns.folder import HIDDEN, Campaign, references_name
from demur.campaigns.freezing import (
    TRAINING_FILE,
    check_databases,
    frozen_entry,
    references_version,
)
from demur.campaigns.kept_collections import adjudication_records, last_collection
from demur.campaigns.public_parts import ANSWERS
from demur.errors import InputError, shown
from demur.formats import iter_records, write_record_files
from demur.references.adjudications import (
    Adjudication,
    read_adjudications,
    side_effects,
)
from demur.references.findings import Finding, findings_table
from demur.results import Figure, Result, Table, count, with_noun

MAY_CHANGE: Final = ANSWERS
"""Fields that may change once questions are out: what is right, not what is asked."""

_OF_ALL: Final = ("uncited-meaning", "no-context")
"""Checks that need all questions, and say nothing of the changed ones alone."""


@dataclass(frozen=True, eq=False, repr=False)
class WrittenDecisions(Result):
    """Decisions that were written back.

    Parameters
    ----------
    version : int
        Of the hidden references.
    items : tuple of str
        Whose references have changed.
    removed : int
        Of these, those that are not judged any more.
    findings : tuple of Finding
        What lint finds in the changed references.
    notes : tuple of str
        What went with old answers.
    """

    KINDS = (
        count("decisions", "items that were decided on"),
        count("findings", "findings in changed references", better="lower"),
    )

    version: int
    items: tuple[str, ...]
    removed: int
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = field(default=())

    def figures(self) -> Iterator[Figure]:
        """How many items were decided on, and what lint finds."""
        yield from map(Figure, self.KINDS, (len(self.items), len(self.findings)))

    def sentence(self) -> str:
        """What is decided, and that all is to be scored again."""
        gone = f" ({self.removed} removed)" if self.removed else ""
        return (
            f"{with_noun(len(self.items), 'reference')} changed{gone}: version "
            f"{self.version} of the hidden references. Score again."
        )

    def tables(self) -> tuple[Table, ...]:
        """What lint finds."""
        return (findings_table(self.findings),) if self.findings else ()


def decide(
    campaign: Campaign,
    paths: Sequence[str],
    *,
    when: datetime,
    db_root: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> WrittenDecisions:
    """Write decisions on hidden references back, as a new version of them.

    Parameters
    ----------
    campaign : Campaign
        Frozen; before that, decisions are collected.
    paths : sequence of path
        Files of adjudications, as `demur.read_adjudications` reads them.
    when : datetime
        In UTC.
    db_root : path, optional
        Of the databases; by default that of the rules.
    progress : callable, optional
        Called with the numbers of queries that are done and of all.

    Raises
    ------
    InputError
        If a decision is not on a hidden reference, or changes what was asked.
    """
    with campaign.writing(when):
        entry = frozen_entry(campaign)
        version, path = references_version(campaign)
        placed = list(iter_records(path))
        check_databases(campaign, (one for _, one in placed), entry)
        decisions = read_adjudications(*paths)
        _check(campaign, decisions, {str(one["item"]) for _, one in placed})
        changed = decided(placed, decisions)
        notes = tuple(side_effects(as_references(placed), decisions))
        items = tuple(dict.fromkeys(one.item for one in decisions))
        new = [(place, one) for place, one in changed if str(one["item"]) in items]
        findings = _findings(campaign, new, databases_root(campaign, db_root), progress)
        number = version + 1
        names = [
            references_name(number),
            f"{HIDDEN}/adjudications/{number:04}.jsonl",
            f"{HIDDEN}/adjudications/{number:04}.findings.jsonl",
        ]
        rows: list[Any] = [
            [one for _, one in changed],
            adjudication_records(decisions),
            [finding.to_dict() for finding in findings],
        ]
        paths_of = [str(campaign.inside(name)) for name in names]
        campaign.inside(names[1]).parent.mkdir(exist_ok=True)
        write_record_files(dict(zip(paths_of, rows, strict=True)))
        campaign.log.append(
            "adjudicated",
            when=when,
            references=number,
            items=list(items),
            by=sorted({one.by for one in decisions}),
            findings=dict(Counter(finding.check for finding in findings)),
            files=campaign.digests(*names),
        )
        removed = sum(one.remove for one in decisions)
        return WrittenDecisions(number, items, removed, findings, notes)


def _check(
    campaign: Campaign, decisions: Sequence[Adjudication], items: set[str]
) -> None:
    if not decisions:
        raise InputError("adjudicate", "the decisions", "be at least one", "none")
    sent = {str(one["item"]) for one in _training(campaign)}
    for decision in decisions:
        if decision.item in sent and decision.item not in items:
            need, hint = "be hidden", "The training part went out with its answers."
            got = f"{shown(decision.item)}, of the training part"
            raise InputError(decision.place, "item", need, got, hint)
        for name in decision.set:
            if name not in MAY_CHANGE:
                need = "be one of what is right, not of what was asked"
                hint = f'One of {", ".join(MAY_CHANGE)}; "remove": true leaves it out.'
                where = decision.place
                raise InputError(where, "a field of set", need, shown(name), hint)


def _training(campaign: Campaign) -> Iterator[Mapping[str, Any]]:
    path = campaign.inside(TRAINING_FILE)
    if path.stat().st_size:
        yield from (record for _, record in iter_records(path))


def _findings(
    campaign: Campaign,
    new: Sequence[Any],
    root: str | Path | None,
    progress: Callable[[int, int], None] | None,
) -> tuple[Finding, ...]:
    """What lint finds in the changed references by themselves."""
    if not new:
        return ()
    stipulations = last_collection(campaign).shared_stipulations()
    alone = [(place, _alone(one)) for place, one in new]
    lints = lint_all(alone, stipulations, root, progress)
    return tuple(one for one in lints.findings if one.check not in _OF_ALL)


def _alone(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Without its context, which is not among what is linted."""
    return {name: value for name, value in record.items() if name != "context"}
