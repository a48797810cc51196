"""What was collected, as it lies in the folder: one folder for each time, all kept."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from demur.campaigns.chain import LogEntry
from demur.campaigns.folder import HIDDEN, QUESTIONS, Campaign
from demur.campaigns.site_files import Placed
from demur.errors import InputError
from demur.formats import iter_records
from demur.references.adjudications import Adjudication, read_adjudications
from demur.references.stipulations import Stipulation, read_stipulations

COLLECTED: Final = f"{HIDDEN}/collected"
REFERENCES_FILE: Final = "references.jsonl"
FINDINGS_FILE: Final = "findings.jsonl"
LABELS_FILE: Final = "labels.jsonl"


@dataclass(frozen=True)
class Collection:
    """What was collected at one time.

    Parameters
    ----------
    entry : LogEntry
        Which says so.
    number : int
        From 1; a number is never used twice.
    hidden, public : Path
        The folders of what holds answers, and of what does not.
    """

    entry: LogEntry
    number: int
    hidden: Path
    public: Path

    def sites(self) -> dict[str, list[Placed]]:
        """The questions of each site, as they were contributed."""
        return {
            site: _records(self.hidden / "sites" / f"{site}.jsonl")
            for site in self.entry.facts["sites"]
        }

    def meanings(self) -> dict[str, list[Stipulation]]:
        """The stipulations of each site that has some."""
        return {
            site: read_stipulations(self.hidden / "meanings" / f"{site}.jsonl")
            for site in self.entry.facts["meanings"]
        }

    def labels(self) -> list[Placed]:
        """The labels of annotators; none if there were none."""
        path = self.hidden / LABELS_FILE
        return _records(path) if path.exists() else []

    def adjudications(self) -> list[list[Adjudication]]:
        """What was decided, one list for each time."""
        paths = sorted((self.hidden / "adjudications").glob("*.jsonl"))
        return [read_adjudications(path) for path in paths]

    def references(self) -> list[Placed]:
        """All questions with their answers, as they were put together."""
        return _records(self.hidden / REFERENCES_FILE)

    def public_meanings(self) -> list[Placed]:
        """The stipulations of all sites."""
        path = self.public / "meanings.jsonl"
        return _records(path) if path.exists() else []

    def shared_stipulations(self) -> list[Stipulation]:
        """The same, to be cited."""
        path = self.public / "meanings.jsonl"
        return read_stipulations(path) if path.exists() else []


def check_unchanged(campaign: Campaign, files: Mapping[str, str], since: str) -> None:
    """Refuse files that are not as the log has them.

    Parameters
    ----------
    campaign : Campaign
    files : mapping of name to SHA-256
        As an entry of the log names them.
    since : str
        What happened to them, such as "collected".

    Raises
    ------
    InputError
        With the first that was changed.
    """
    for name, digest in files.items():
        if campaign.digests(name)[name] != digest:
            need, hint = f"be as it was {since}", "demur campaign verify tells more."
            where = str(campaign.inside(name))
            raise InputError(where, "the file", need, "another content", hint)


def newest_collection(campaign: Campaign) -> Collection | None:
    """The last collection; None if nothing was collected.

    Raises
    ------
    InputError
        If a file of it was changed by hand.
    """
    entries = [*campaign.events("collected")]
    if not entries:
        return None
    check_unchanged(campaign, entries[-1].files, "collected")
    return _collection(campaign, entries[-1])


def last_collection(campaign: Campaign) -> Collection:
    """The last collection.

    Raises
    ------
    InputError
        If nothing was collected.
    """
    collection = newest_collection(campaign)
    if collection is None:
        need, hint = "have questions", "demur campaign collect takes them in."
        raise InputError(str(campaign.path), "the campaign", need, "none", hint)
    return collection


def next_number(campaign: Campaign) -> int:
    """A number that no collection has, not even one whose writer was killed."""
    used = [0]
    for folder in (COLLECTED, QUESTIONS):
        place = campaign.inside(folder)
        for path in place.iterdir() if place.is_dir() else ():
            if path.name.isdigit():
                used.append(int(path.name))
    return max(used) + 1


def folder_names(number: int) -> tuple[str, str]:
    """The hidden and the public folder of a collection.

    Examples
    --------
    >>> folder_names(3)
    ('hidden/collected/0003', 'questions/0003')
    """
    return f"{COLLECTED}/{number:04}", f"{QUESTIONS}/{number:04}"


def stipulation_record(one: Stipulation) -> dict[str, str]:
    """A stipulation as it stands in a file."""
    record = {"id": one.id, "term": one.term, "meaning": one.meaning}
    return {name: text for name, text in record.items() if text}


def adjudication_records(
    adjudications: Iterable[Adjudication],
) -> list[Mapping[str, Any]]:
    """Adjudications as they stand in a file."""
    return [one.to_dict() for one in adjudications]


def _collection(campaign: Campaign, entry: LogEntry) -> Collection:
    number = entry.facts["number"]
    hidden, public = map(campaign.inside, folder_names(number))
    return Collection(entry, number, hidden, public)


def _records(path: Path) -> list[Placed]:
    return list(iter_records(path))
