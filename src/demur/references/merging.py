"""The verb that merges challenge sets: references of several contributors.

Every reference is kept and says who contributed it and what it was called there. Equal
questions, and references that contradict each other, are found; what becomes of them
is for a person to decide.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final

from demur import checks
from demur.errors import InputError, shown
from demur.formats import reference_of
from demur.formats.headings import unknown
from demur.outcomes.records import check_once, item_text, with_place
from demur.outcomes.values import json_or_text
from demur.references.equal_questions import repeated_questions
from demur.references.findings import Finding, findings_table
from demur.results import Column, Figure, Result, Table, count, printable

CONTRIBUTOR: Final = "contributor"
CONTRIBUTED: Final = "contributed_id"

_Placed = tuple[str, Mapping[str, Any]]


_CONTRIBUTORS: Final = (
    Column("contributor"),
    Column("items", cells="count", explained="references, all kept"),
    Column("asked_before", "", "count", "by a contributor before"),
    Column("in_conflict", "of these in conflict", "count", "with another answer"),
)


@dataclass(frozen=True, eq=False, repr=False)
class Merged(Result):
    """References of several contributors in one list.

    Parameters
    ----------
    records : tuple of mapping
        All of them, in the order of the contributors.
    contributed : mapping of contributor to int
        How many references each has.
    findings : tuple of Finding
        The checks are "same-question" and "conflicting-reference".
    notes : tuple of str
        What a reader must know.
    """

    KINDS = (
        count("items", "references"),
        count("asked_before", "references asked before", better="lower"),
        count("in_conflict", "references in conflict", better="lower"),
    )

    records: tuple[Mapping[str, Any], ...]
    contributed: Mapping[str, int]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()

    def sentence(self) -> str:
        """How many references there are, asked before, and in conflict."""
        again, conflicts = self._items(), self._items("conflicting-reference")
        whose = f"{len(self.contributed)} contributors"
        start = f"{len(self.records)} references of {whose}"
        if not again:
            return f"{start} were merged, all kept; none was asked before."
        return (
            f"{start} were merged, all kept: {len(again)} were asked before, "
            f"{len(conflicts)} of these in conflict."
        )

    def figures(self) -> Iterator[Figure]:
        """Items, and those asked before and in conflict."""
        again, conflicts = self._items(), self._items("conflicting-reference")
        numbers = len(self.records), len(again), len(conflicts)
        yield from map(Figure, self.KINDS, numbers)

    def tables(self) -> tuple[Table, Table]:
        """One row for each contributor, and what was found."""
        again, conflicts = self._items(), self._items("conflicting-reference")
        whose = {str(one["item"]): str(one["contributor"]) for one in self.records}
        rows = [
            (
                name,
                number,
                sum(whose[item] == name for item in again),
                sum(whose[item] == name for item in conflicts),
            )
            for name, number in self.contributed.items()
        ]
        return Table("", _CONTRIBUTORS, tuple(rows)), findings_table(self.findings)

    def _items(self, check: str = "") -> set[str]:
        return {one.item for one in self.findings if check in ("", one.check)}

    def to_dict(self) -> dict[str, Any]:
        """The merge as plain values for JSON, without the records."""
        return {
            "items": len(self.records),
            "contributors": dict(self.contributed),
            "findings": [finding.to_dict() for finding in self.findings],
            "notes": list(self.notes),
        }


def merge(
    sets: Mapping[str, Iterable[Mapping[str, Any] | _Placed]],
    *,
    apart: Sequence[str] = (),
    hide_references: bool = False,
) -> Merged:
    """References of several contributors as one set, with where each comes from.

    An item is called ``CONTRIBUTOR/ID``, whether or not another contributor uses that
    id, so that names do not depend on who else contributes. Clusters are kept apart in
    the same way, and ``context`` follows the new names: one item, a list, or a list as
    JSON in a cell of a table. Records that have a field ``contributor`` already,
    because they were merged before, keep their names.

    Parameters
    ----------
    sets : mapping of contributor to iterable of records
        Mappings as in a file of references; or pairs (place, record), as
        `demur.formats.iter_records` gives them, so that messages name the place.
    apart : sequence of str
        Further columns with names that hold for one contributor only: subject s1 of
        one is not subject s1 of another.
    hide_references : bool
        Let findings name the questions and quote no answer.

    Returns
    -------
    Merged

    Raises
    ------
    InputError
        If a record is no reference, or an item is listed twice.

    References
    ----------
    Bates, Boisen and Makhoul (1990), "Developing an Evaluation Methodology for Spoken
    Language Systems", section 7.1, proposes a challenge set of 500 queries from each
    site.

    Examples
    --------
    >>> import demur
    >>> ada = [{"item": "q1", "input": "Who flies?", "reference": "BF"}]
    >>> bo = [{"item": "q1", "input": "who flies", "reference": "MS"}]
    >>> merged = demur.merge({"ada": ada, "bo": bo})
    >>> merged.records[1]["item"], merged.records[1]["contributed_id"]
    ('bo/q1', 'q1')
    >>> print(merged.findings[0])
    bo: record 1: bo/q1: conflicting-reference: another answer to the question of
    ada/q1 (ada: record 1): 'BF' there, 'MS' here
    """
    checks.mapping("merge", "sets", sets)
    apart = checks.names("merge", "apart", apart)
    placed: list[_Placed] = []
    contributed: dict[str, int] = {}
    for name, records in sets.items():
        of_set: list[_Placed] = [
            with_place(record, f"{name}: record {number}")
            for number, record in enumerate(records, 1)
        ]
        items = {
            item_text(record.get("item"), place)
            for place, record in of_set
            if not _is_merged(record)
        }
        for place, record in of_set:
            reference_of(record, place)  # refuses what is no reference
            marked = _marked((place, record), name, items, apart)
            placed.append((place, marked))
            whose = str(marked[CONTRIBUTOR])
            contributed[whose] = contributed.get(whose, 0) + 1
    _check_names(placed)
    present = dict.fromkeys(name for _, record in placed for name in record)
    for column in apart:
        if column not in present:
            raise unknown("merge", "apart", column, present)
    return Merged(
        records=tuple(record for _, record in placed),
        contributed=contributed,
        findings=tuple(repeated_questions(placed, hidden=hide_references)),
        notes=tuple(_notes(placed)),
    )


def contributors_of(paths: Sequence[str], names: Sequence[str] | None) -> list[str]:
    """A name for each file: the given one, or the file's without its endings.

    Raises
    ------
    InputError
        If there are not as many names as files, or one name is given twice.

    Examples
    --------
    >>> contributors_of(["sets/bbn.jsonl.gz", "sets/sri.jsonl"], None)
    ['bbn', 'sri']
    """
    names_of = [printable(PurePath(path).name.partition(".")[0]) for path in paths]
    stems = [name or path for name, path in zip(names_of, paths, strict=True)]
    contributors = list(stems if names is None else names)
    if len(contributors) != len(paths):
        need = f"be one for each of {len(paths)} files"
        raise InputError("merge", "contributors", need, str(len(contributors)))
    if len(set(contributors)) < len(contributors):
        hint = "Name them with --contributors."
        got = ", ".join(contributors)
        raise InputError("merge", "contributors", "have different names", got, hint)
    return contributors


# -- names ---------------------------------------------------------------------------


def _marked(
    placed: _Placed, name: str, items: set[str], apart: Sequence[str]
) -> dict[str, Any]:
    """A record with its contributor, and names that hold in the whole set."""
    place, record = placed
    if _is_merged(record):
        return dict(record)
    before = [column for column in (CONTRIBUTOR, CONTRIBUTED) if record.get(column)]
    if before:
        need = f"come with {CONTRIBUTED if before[0] == CONTRIBUTOR else CONTRIBUTOR}"
        hint = "Both say where a merged reference comes from; rename the column."
        raise InputError(place, before[0], need, shown(record[before[0]]), hint)
    item = str(record["item"])
    marked = {**record, "item": f"{name}/{item}"}
    marked |= {CONTRIBUTOR: name, CONTRIBUTED: item}
    for column in ("cluster", *apart):
        if record.get(column) not in (None, ""):
            marked[column] = f"{name}/{record[column]}"
    if record.get("context") is not None:
        marked["context"] = _followed(record["context"], name, items)
    return marked


def _is_merged(record: Mapping[str, Any]) -> bool:
    return bool(record.get(CONTRIBUTOR) and record.get(CONTRIBUTED))


def _followed(context: Any, name: str, items: set[str]) -> Any:
    """A context with the new names of the items that it names."""
    if isinstance(context, str) and context not in items:
        listed = json_or_text(context)
        if not isinstance(listed, list) or items.isdisjoint(map(str, listed)):
            return context
        context = listed
    if isinstance(context, (list, tuple)):
        return [f"{name}/{item}" if str(item) in items else item for item in context]
    return f"{name}/{context}" if str(context) in items else context


def _check_names(placed: Iterable[_Placed]) -> None:
    first: dict[str, str] = {}
    for place, record in placed:
        item = str(record["item"])
        check_once(item, place, first, "Rename one, or keep one of them.")


# -- notes --------------------------------------------------------------------------


def _notes(placed: Iterable[_Placed]) -> Iterator[str]:
    records = [record for _, record in placed]
    unasked = sum(record.get("input") in (None, "") for record in records)
    if unasked:
        yield f"{unasked} references without an input were not compared with others"
    if any(record.get("db") is not None for record in records):
        yield "paths in db are kept as they are; see that they hold for the new file"
    if any(record.get("meanings") is not None for record in records):
        yield (
            "ids in meanings are kept as they are; see that all contributors mean "
            "the same by them"
        )
