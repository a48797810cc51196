"""What verdicts depend on, and the versions of the board that a change of it makes."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from demur import answers
from demur.campaigns.chain import LogEntry
from demur.campaigns.collecting import databases_root
from demur.campaigns.folder import Campaign, references_name
from demur.campaigns.freezing import references_version
from demur.campaigns.rules import ScoringRules
from demur.errors import InputError

JUDGING: Final = 1
"""Raised when a demur gives other verdicts by the same comparator and references."""

_WORDS: Final = {
    "by": "how answers are judged",
    "comparator": "the comparator",
    "judging": "the rules of judging",
    "references": "the references",
}


@dataclass(frozen=True)
class BoardVersion:
    """A version: one scorer and one set of references, by which all are judged.

    Parameters
    ----------
    number : int
        From 1.
    scorer : mapping of str to str
        What verdicts depend on.
    changed : tuple of str
        What is not as in the version before, in words.
    entry : LogEntry
        Which made it.
    """

    number: int
    scorer: Mapping[str, str]
    changed: tuple[str, ...]
    entry: LogEntry

    @property
    def name(self) -> str:
        """As folders are called."""
        return str(self.number)


def versions_of(campaign: Campaign) -> list[BoardVersion]:
    """All versions so far, in order."""
    return [_version(entry) for entry in campaign.events("version")]


def version_named(campaign: Campaign, number: int | None) -> BoardVersion:
    """One of the versions; by default the newest.

    Raises
    ------
    InputError
        If there is no such version.
    """
    versions = versions_of(campaign)
    known = {version.number: version for version in versions}
    if not versions:
        need, hint = "be scored first", "demur campaign score FOLDER."
        raise InputError(str(campaign.path), "the campaign", need, "no version", hint)
    if number is None:
        return versions[-1]
    if number not in known:
        need = f"be one of 1 to {len(versions)}"
        raise InputError(str(campaign.path), "the version", need, str(number))
    return known[number]


def _version(entry: LogEntry) -> BoardVersion:
    facts = entry.facts
    changed = tuple(facts["changed"])
    return BoardVersion(facts["number"], dict(facts["scorer"]), changed, entry)


def judging_of(campaign: Campaign) -> dict[str, Any]:
    """The arguments of `demur.judge` by the rules of a campaign.

    What an adjudication has removed from the references is no longer judged, so that
    answers to it are left out.
    """
    return judging_by(campaign.rules.scoring, databases_root(campaign))


def judging_by(scoring: ScoringRules, databases: str | Path | None) -> dict[str, Any]:
    """The same by the rules alone, with the place where databases lie."""
    how: dict[str, Any] = {
        "by": scoring.by,
        "missing": scoring.missing or "error",
        "unmatched": scoring.unmatched or "leave_out",
        "no_answer": scoring.no_answer,
        "unsure": "lowest",
    }
    if databases is not None:
        how["databases"] = str(databases)
    return how


def scorer_of(campaign: Campaign) -> dict[str, str]:
    """What verdicts depend on now, after a look at the references.

    Raises
    ------
    InputError
        If the references are not those that the log knows.
    """
    scoring = campaign.rules.scoring
    comparator: Any = answers.comparator(scoring.by)
    how = judging_of(campaign)
    named = ("missing", "unmatched", "no_answer", "unsure")
    return {
        "by": scoring.by,
        "comparator": str(getattr(comparator, "version", "")),
        **{name: _text(how[name]) for name in named},
        "databases": scoring.databases or "",
        "context": scoring.context,
        "judging": str(JUDGING),
        "references": checked_references(campaign)[1],
    }


def _text(value: Any) -> str:
    return value if isinstance(value, str) else " + ".join(value)


def checked_references(campaign: Campaign) -> tuple[Path, str]:
    """The hidden references of the newest decisions, and their hash in the log.

    Raises
    ------
    InputError
        If they were never frozen, or are not what the log says of them.
    """
    version, path = references_version(campaign)
    name = references_name(version)
    return path, campaign.digests(name)[name]


def changes_between(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """What is not the same, in words.

    Examples
    --------
    >>> changes_between({"comparator": "text/1"}, {"comparator": "text/2"})
    ['the comparator: text/1 -> text/2']
    """
    changes = []
    for name in dict.fromkeys([*before, *after]):
        old, new = before.get(name, ""), after.get(name, "")
        if old != new:
            words = _WORDS.get(name, name)
            short = 12 if name == "references" else None
            changes.append(f"{words}: {old[:short] or '-'} -> {new[:short] or '-'}")
    return changes
