"""Adjudications: changes of references, with who made them and why.

They stay in a file beside the references, which are not touched themselves.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from demur.checks import choice, did_you_mean, filled
from demur.errors import InputError, shown
from demur.formats import iter_records
from demur.formats.streams import EmptyFile, Source
from demur.outcomes import values
from demur.outcomes.records import (
    Reference,
    as_reference,
    item_text,
    plain_reference,
)

_TABLES: Final = ("reference", "references", "min")
_QUERIES: Final = ("sql", "sqls")
_ANSWERS: Final = (*_TABLES, *_QUERIES)
_MAXIMA: Final = ("max", "max_sql", "max_sqls")
_LIKE: Final = (_TABLES, _QUERIES, _MAXIMA)
"""Fields that say the same in several ways: to set one is to replace the others."""

_ABOUT: Final = {
    **dict.fromkeys(_TABLES, ("max", "weights")),
    **dict.fromkeys(_QUERIES, (*_MAXIMA, "weights")),
}
"""What is said of an answer, and goes with it: it need not hold for another one."""

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
    >>> import demur
    >>> demur.Adjudication(item="q7", by="Ada", why="two readings",
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
    >>> import demur
    >>> import io
    >>> file = io.BytesIO(b'{"item": "q1", "by": "Ada", "why": "typo", "remove": true}')
    >>> demur.read_adjudications(file)[0].why
    'typo'
    """
    adjudications = []
    for source in sources:
        with suppress(EmptyFile):
            adjudications += [
                adjudication_of(record, place) for place, record in iter_records(source)
            ]
    return adjudications


def hash_of(adjudications: Iterable[Adjudication]) -> str:
    """A short hash of what adjudications say, whatever their order.

    Examples
    --------
    >>> hash_of([Adjudication(item="q1", by="Ada", why="typo", remove=True)])
    'a72602c686dd'
    """
    lines = sorted(_canonical(adjudication.to_dict()) for adjudication in adjudications)
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
        got, hint = ", ".join(record) or "no fields", "Say which item it is about."
        raise InputError(place, "an adjudication", "have a field item", got, hint)
    given = {name: value for name, value in record.items() if value is not None}
    for name, hint in (("by", "Say who decided so."), ("why", "Say for what reason.")):
        filled(place, name, given.get(name), hint)
    remove = values.reason("remove", given.get("remove"), place) is not None
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
        need, got = "have either set or remove", "both" if remove else "neither"
        hint = 'Such as "set": {"reference": "Oslo"}, or "remove": true.'
        raise InputError(place, "an adjudication", need, got, hint)
    if not isinstance(given, Mapping) or not given:
        need = "be an object of fields and their new values"
        hint = 'Such as {"reference": "Oslo"}; tables cannot hold it, JSON Lines can.'
        raise InputError(place, "set", need, shown(given), hint)
    if "item" in given:
        need = "not rename the item"
        raise InputError(place, "set", need, shown(given["item"]), "Remove it instead.")
    return dict(given)


# -- changed references --------------------------------------------------------------


def changed_references(
    references: Iterable[Reference],
    adjudications: Iterable[Adjudication],
) -> Iterator[Reference]:
    """All references that are left, changed where they are to be.

    Parameters
    ----------
    references : iterable of Reference
        One for each item; they are not changed themselves.
    adjudications : iterable of Adjudication
        To set a field replaces what says the same in another form, ``reference``,
        ``references`` and ``min``, or ``sql`` and ``sqls``, or ``max``, ``max_sql``
        and ``max_sqls``. With an answer goes what was said of it: with a query all
        maxima, with a table ``max``, and ``weights`` with both.

    Yields
    ------
    Reference
        A changed reference keeps its place: what ``db`` starts from stays the same.

    Raises
    ------
    InputError
        If an item or a field is unknown, a thing is decided on twice, or nothing is
        left.

    Examples
    --------
    >>> oslo = Adjudication(
    ...     item="q1", by="Ada", why="typo", set={"reference": "Oslo"})
    >>> wrong = Reference(item="q1", alternatives=(("Olso", 1.0),))
    >>> [changed] = changed_references([wrong], [oslo])
    >>> changed.alternatives
    (('Oslo', 1.0),)
    """
    records = {_item(reference): reference for reference in references}
    of_item = _by_item(adjudications, records)
    gone = sum(changes[0].remove for changes in of_item.values())
    if gone and gone == len(records):
        need, got = "leave at least one reference", "all items removed"
        raise InputError("adjudicate", "the adjudications", need, got)
    known = {name for record in records.values() for name in plain_reference(record)}
    # A misspelt field would change nothing; one that some reference has is meant.
    names = (*_FIELDS, *sorted(known - {*_FIELDS, "item"}))
    for item, record in records.items():
        if item not in of_item:
            yield record
        elif not of_item[item][0].remove:
            yield _set(plain_reference(record), record.place, of_item[item], names)


def side_effects(
    references: Iterable[Reference], adjudications: Iterable[Adjudication]
) -> Iterator[str]:
    """What a new answer does to fields that its adjudication does not name.

    Parameters
    ----------
    references : iterable of Reference
        As they were.
    adjudications : iterable of Adjudication
        Those of one item never touch the same field.

    Yields
    ------
    str
        What goes with the old answer, and what stays though it may be of the old one.

    Examples
    --------
    >>> new = Adjudication(item="q", by="Ada", why="typo", set={"sql": "SELECT a"})
    >>> query = {"sql": "SELECT b", "max_sql": "SELECT b, c", "min": "(1)", "max": "2"}
    >>> old = Reference(item="q", extra=query)
    >>> for note in side_effects([old], [new]):
    ...     print(note)
    q: setting sql drops what was said of the old one: max, max_sql
    q: setting sql does not change min, which may be of the old one
    """
    records = {_item(reference): plain_reference(reference) for reference in references}
    new: dict[str, dict[str, Any]] = {}
    for adjudication in adjudications:
        new.setdefault(adjudication.item, {}).update(adjudication.set)
    for item, settings in new.items():
        held = {name for name, value in records[item].items() if value is not None}
        for answers, others in ((_TABLES, _QUERIES), (_QUERIES, _TABLES)):
            names = [name for name in answers if name in settings]
            if not names:
                continue
            setting = f"{item}: setting {', '.join(names)}"
            went = [name for name in _ABOUT[answers[0]] if name in held - {*settings}]
            if went:
                yield f"{setting} drops what was said of the old one: {', '.join(went)}"
            stay = _staying(held, settings, others)
            if stay and any(settings[name] is not None for name in names):
                listed = ", ".join(stay)
                yield f"{setting} does not change {listed}, which may be of the old one"
        yield from _with_maxima(item, held, settings)


def _with_maxima(
    item: str, held: set[str], settings: Mapping[str, Any]
) -> Iterator[str]:
    """What goes with an old maximum: the same as a query, or as its stored result."""
    names = [name for name in _MAXIMA if name in settings]
    stored = "max" in names
    others = _MAXIMA[1:] if stored else _MAXIMA[:1]
    went = [name for name in others if name in held - {*settings}]
    # With an answer of their kind they go anyhow, and that is told already.
    dropping = _QUERIES if stored else _ANSWERS
    if went and names and settings.keys().isdisjoint(dropping):
        setting = f"{item}: setting {', '.join(names)}"
        yield f"{setting} drops what was said of the old one: {', '.join(went)}"


def _staying(
    held: set[str], settings: Mapping[str, Any], others: Sequence[str]
) -> list[str]:
    """What stays beside a new answer: the other kind of answer, and sort keys."""
    touched = {other for name in settings for other in _touched(name)}
    listed = (*others, *_ABOUT[others[0]], "order_by")
    return [name for name in listed if name in held - touched]


def blamed(
    problem: InputError, place: str, adjudications: Iterable[Adjudication]
) -> InputError:
    """A fault of a changed reference, as one of the adjudications that changed it.

    Parameters
    ----------
    problem : InputError
        What was found.
    place : str
        Where the reference was read.
    adjudications : iterable of Adjudication
        Those of its item.

    Examples
    --------
    >>> new = Adjudication(
    ...     item="q", by="Ada", why="so", set={"weight": -1}, place="a.jsonl:3")
    >>> problem = InputError("refs.jsonl:1", "weight", "be positive", "-1")
    >>> print(blamed(problem, "refs.jsonl:1", [new]))
    a.jsonl:3: weight must be positive; got -1.
    """
    listed = list(adjudications)
    places = [one.place for one in listed if problem.what in one.set]
    if not places:
        places = [", ".join(one.place for one in listed), f"of {place}"]
    where = ", ".join(places)
    return InputError(where, problem.what, problem.must, problem.got, problem.hint)


def _item(record: Reference) -> str:
    return item_text(record.item, record.place or "references")


def _by_item(
    adjudications: Iterable[Adjudication], records: Mapping[str, Any]
) -> dict[str, list[Adjudication]]:
    of_item: dict[str, list[Adjudication]] = {}
    for adjudication in adjudications:
        if adjudication.item not in records:
            hint = did_you_mean(adjudication.item, records)
            hint = hint or "It changes the reference of an item; look at the ids."
            need, got = "be one that has a reference", shown(adjudication.item)
            raise InputError(adjudication.place, "item", need, got, hint)
        for before in of_item.setdefault(adjudication.item, []):
            _check_apart(before, adjudication)
        of_item[adjudication.item].append(adjudication)
    return of_item


def _check_apart(before: Adjudication, later: Adjudication) -> None:
    """Refuse two decisions on one thing: nobody could say which of them holds."""
    both = [
        name
        for name in later.set
        if any(name in _touched(old) or old in _touched(name) for old in before.set)
    ]
    if both or later.remove or before.remove:
        what, place = ", ".join(both) or "the item", before.place
        got = f"{later.by} here and {before.by}" + (f" at {place}" if place else "")
        need = f"be decided on once for item {shown(later.item)}"
        hint = "Agree on one decision, and drop the other."
        raise InputError(later.place, what, need, got, hint)


def _touched(name: str) -> set[str]:
    like = {other for form in _LIKE if name in form for other in form}
    return {name, *like, *_ABOUT.get(name, ())}


def _set(
    record: dict[str, Any],
    place: str,
    adjudications: Sequence[Adjudication],
    names: Sequence[str],
) -> Reference:
    """A reference with all its changes, whatever their order."""
    for adjudication in adjudications:
        for name in adjudication.set:
            choice(adjudication.place, "a field of set", name, names)
            for other in _touched(name):
                record.pop(other, None)
    for adjudication in adjudications:
        record |= adjudication.set
    _check_answerable(record, adjudications)
    held = {name: value for name, value in record.items() if value is not None}
    otherwise = any(name in held for name in _INSTEAD)
    try:
        return as_reference(held, place, otherwise=otherwise)
    except InputError as problem:
        raise blamed(problem, place, adjudications) from None


def _check_answerable(
    record: Mapping[str, Any], adjudications: Iterable[Adjudication]
) -> None:
    """An answer for an item that has none would change nothing, unnoticed."""
    if record.get("answerable") is not False:
        return
    for adjudication in adjudications:
        answers = [
            name
            for name in (*_ANSWERS, "max")
            if adjudication.set.get(name) is not None
        ]
        if answers:
            need = "not be set where the item is not answerable"
            got = f"item {shown(adjudication.item)}"
            hint = "Set answerable to true as well."
            raise InputError(adjudication.place, answers[0], need, got, hint)


def _canonical(record: Mapping[str, Any]) -> str:
    return json.dumps(record, sort_keys=True, ensure_ascii=False, default=str)
