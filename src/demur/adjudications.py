"""Adjudications: changes of references, with who made them and why.

They stay in a file beside the references, which are not touched themselves.
"""

import difflib
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from demur.checks import choice
from demur.errors import InputError, shown
from demur.formats import iter_records
from demur.formats.streams import Source
from demur.formats.tables import EmptyFile
from demur.plain_records import as_reference, item_text, reason_text
from demur.records import Reference

_FORMS: Final = (("reference", "references", "min", "max"), ("sql", "sqls"))
"""Fields that say the same in several ways: to set one is to replace the others."""

_TOGETHER: Final = {"min", "max"}
_INSTEAD: Final = ("min", "max", "sql", "sqls")
_FIELDS: Final = (
    *("reference", "references", "min", "max", "sql", "sqls", "max_sql", "max_sqls"),
    *("db", "answerable", "weight", "cluster", "input", "mode", "ordered", "order_by"),
    *("rules", "coerce_numeric_text", "relative", "weights", "meanings", "class"),
)
_KEYS: Final = ("item", "by", "why", "date", "set", "remove")


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjudication:
    """A change of one reference.

    Parameters
    ----------
    item : str
        Whose reference is changed.
    by : str
        Who has decided so.
    why : str
        For what reason.
    set : mapping of field to value
        What the reference holds instead; None takes a field away.
    remove : bool
        Whether the item is not judged any more.
    date : str, optional
        When.
    place : str
        Where it was read, such as ``FILE:LINE``.

    Examples
    --------
    >>> Adjudication(item="q7", by="Ada", why="two readings",
    ...              set={"references": ["Oslo", "Bergen"]}).remove
    False
    """

    item: str
    by: str
    why: str
    set: Mapping[str, Any] = field(default_factory=dict)
    remove: bool = False
    date: str | None = None
    place: str = field(default="", compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The adjudication as it stands in a file."""
        what = {"remove": True} if self.remove else {"set": dict(self.set)}
        when = {} if self.date is None else {"date": self.date}
        return {"item": self.item, "by": self.by, "why": self.why, **when, **what}


def read_adjudications(*sources: Source) -> list[Adjudication]:
    """Adjudications from files: JSON Lines, or a JSON array.

    Parameters
    ----------
    *sources : path, "-" for the standard input, or binary file
        An empty file holds none.

    Returns
    -------
    list of Adjudication

    Raises
    ------
    InputError
        If a record is not what it must be; the message names file and line.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO(b'{"item": "q1", "by": "Ada", "why": "typo", "remove": true}')
    >>> read_adjudications(file)[0].why
    'typo'
    """
    found = []
    for source in sources:
        with suppress(EmptyFile):
            found += [
                adjudication_of(record, place) for place, record in iter_records(source)
            ]
    return found


def hash_of(adjudications: Iterable[Adjudication]) -> str:
    """A short hash of what adjudications say, whatever their order.

    Examples
    --------
    >>> hash_of([Adjudication(item="q1", by="Ada", why="typo", remove=True)])
    'a72602c686dd'
    """
    lines = sorted(_canonical(each.to_dict()) for each in adjudications)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


# -- what an adjudication must be ----------------------------------------------------


def adjudication_of(record: Any, place: str) -> Adjudication:
    """An adjudication given as a mapping, checked.

    Parameters
    ----------
    record : Adjudication or mapping
        As in a file.
    place : str
        Where it comes from, if it does not say so itself.

    Raises
    ------
    InputError
        If it is not what it must be.

    Examples
    --------
    >>> record = {"item": 7, "by": "Ada", "why": "typo", "remove": True}
    >>> adjudication_of(record, "a.jsonl:1").item
    '7'
    """
    if isinstance(record, Adjudication):
        place, record = record.place or place, record.to_dict()
    if not isinstance(record, Mapping):
        hint = "Files are read by read_adjudications."
        raise InputError(place, "an adjudication", "be a mapping", shown(record), hint)
    for name in record:
        choice(place, "a field of an adjudication", name, _KEYS)
    if "item" not in record:
        got = ", ".join(record) or "no fields"
        raise InputError(place, "an adjudication", "have a field item", got)
    given = {name: value for name, value in record.items() if value is not None}
    for name, hint in (("by", "Say who decided so."), ("why", "Say for what reason.")):
        value = given.get(name)
        if not (isinstance(value, str) and value.strip()):
            raise InputError(place, name, "be a text, not empty", shown(value), hint)
    remove = reason_text(given.get("remove"), "remove", place) is not None
    return Adjudication(
        item=item_text(record["item"], place),
        by=given["by"],
        why=given["why"],
        date=given.get("date"),
        set=_settings(given.get("set"), remove, place),
        remove=remove,
        place=place,
    )


def _settings(given: Any, remove: bool, place: str) -> Mapping[str, Any]:  # noqa: FBT001
    if given is None and remove:
        return {}
    if given is None or remove:
        must, got = "have either set or remove", "both" if remove else "neither"
        raise InputError(place, "an adjudication", must, got)
    if not isinstance(given, Mapping) or not given:
        must = "be an object of fields and their new values"
        raise InputError(place, "set", must, shown(given))
    if "item" in given:
        must = "not rename the item"
        raise InputError(place, "set", must, shown(given["item"]), "Remove it instead.")
    return dict(given)


# -- changed references --------------------------------------------------------------


def changed_references(
    references: Sequence[Reference | Mapping[str, Any]],
    adjudications: Sequence[Adjudication],
) -> Iterator[Reference | Mapping[str, Any]]:
    """All references that are left, changed where they are to be.

    Parameters
    ----------
    references : sequence of Reference or mapping
        One for each item; they are not changed themselves.
    adjudications : sequence of Adjudication
        To set a field replaces what says the same in another form: ``reference``
        replaces ``references``, ``min`` and ``max``; ``sql`` replaces ``sqls``.

    Yields
    ------
    Reference or mapping

    Raises
    ------
    InputError
        If an item or a field is unknown, a thing is decided on twice, or nothing is
        left.

    Examples
    --------
    >>> oslo = Adjudication(
    ...     item="q1", by="Ada", why="typo", set={"reference": "Oslo"})
    >>> [changed] = changed_references([{"item": "q1", "reference": "Olso"}], [oslo])
    >>> changed.alternatives
    (('Oslo', 1.0),)
    """
    records = {_item(each): each for each in references}
    of_item = _by_item(adjudications, records)
    if sum(each[0].remove for each in of_item.values()) == len(records):
        must, got = "leave at least one reference", "all items removed"
        raise InputError("adjudicate", "the adjudications", must, got)
    known = {name for each in records.values() for name in _mapping(each)}
    names = (*_FIELDS, *sorted(known - {*_FIELDS, "item"}))
    for item, record in records.items():
        if item not in of_item:
            yield record
        elif not of_item[item][0].remove:
            place = record.place if isinstance(record, Reference) else ""
            yield _set(_mapping(record), place, of_item[item], names)


def _item(record: Reference | Mapping[str, Any]) -> str:
    item = record.item if isinstance(record, Reference) else record["item"]
    return item_text(item, "references")


def _by_item(
    adjudications: Iterable[Adjudication], records: Mapping[str, Any]
) -> dict[str, list[Adjudication]]:
    """Adjudications of each item, nothing decided twice."""
    of_item: dict[str, list[Adjudication]] = {}
    for each in adjudications:
        if each.item not in records:
            near = difflib.get_close_matches(each.item, records, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else ""
            must = "be one that has a reference"
            raise InputError(each.place, "item", must, shown(each.item), hint)
        for before in of_item.setdefault(each.item, []):
            _check_apart(before, each)
        of_item[each.item].append(each)
    return of_item


def _check_apart(before: Adjudication, each: Adjudication) -> None:
    """Refuse two decisions on one thing: nobody could say which of them holds."""
    both = [
        name
        for name in each.set
        if any(name in _touched(old) or old in _touched(name) for old in before.set)
    ]
    if both or each.remove or before.remove:
        what, place = ", ".join(both) or "the item", before.place
        got = f"{each.by} here and {before.by}" + (f" at {place}" if place else "")
        must = f"be decided on once for item {shown(each.item)}"
        hint = "Agree on one decision, and drop the other."
        raise InputError(each.place, what, must, got, hint)


def _touched(name: str) -> set[str]:
    """The fields whose old values go when a field is set: itself, and its rivals."""
    touched = {name}
    for form in _FORMS:
        if name in form:
            touched |= set(form) - (_TOGETHER if name in _TOGETHER else set())
    return touched


def _mapping(record: Reference | Mapping[str, Any]) -> dict[str, Any]:
    """A reference as a plain record."""
    if not isinstance(record, Reference):
        return dict(record)
    plain = ("item", "input", "answerable", "cluster", "weight")
    table = {name: getattr(record, name) for name in plain}
    if record.alternatives:
        table["references"] = [
            {"value": value, "weight": weight} for value, weight in record.alternatives
        ]
    return {name: value for name, value in table.items() if value is not None} | dict(
        record.extra
    )


def _set(
    record: dict[str, Any],
    place: str,
    adjudications: Iterable[Adjudication],
    names: Sequence[str],
) -> Reference:
    """A reference with all its changes."""
    for each in adjudications:
        for name in each.set:
            choice(each.place, "a field of set", name, names)
            for rival in _touched(name):
                record.pop(rival, None)
        record |= each.set
        _check_answerable(record, each)
        place = each.place
    held = {name: value for name, value in record.items() if value is not None}
    otherwise = any(name in held for name in _INSTEAD)
    return as_reference(held, place, otherwise=otherwise)


def _check_answerable(record: Mapping[str, Any], each: Adjudication) -> None:
    """An answer for an item that has none would change nothing, unnoticed."""
    answers = [name for form in _FORMS for name in form if each.set.get(name)]
    if answers and record.get("answerable") is False:
        must = "not be set where the item is not answerable"
        hint = "Set answerable to true as well."
        raise InputError(each.place, answers[0], must, f"item {shown(each.item)}", hint)


def _canonical(record: Mapping[str, Any]) -> str:
    return json.dumps(record, sort_keys=True, ensure_ascii=False, default=str)
