"""Which columns of a file tell its rows apart: items, or wholes and their parts."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from demur.formats.column_forms import value_of
from demur.formats.field_names import (
    Records,
    paths_called,
    paths_in,
    values_at,
)
from demur.outcomes.values import plain_float

_WHOLES: Final = (
    "run trace session conversation dialogue episode answer document doc form invoice "
    "question prompt query lauf dokument formular beleg rechnung frage antwort"
)
"""What else files call items that have several rows, beside names with id."""
_PARTS: Final = (
    "part step step_no step_id action_id action_no call_id call_no claim_id claim_no "
    "claim_nr fact_id field field_name slot slot_name sentence_id sentence_no action "
    "teil schritt schritt_nr aktion feld feldname aussage_nr satz_nr claim fact no nr"
)
"""What files call parts, the surest names first."""


def item_path(left: Mapping[str, str], apart: Sequence[str], records: Records) -> str:
    """The path that names items, if need be beside the system and the repeat."""
    paths = paths_called("item", left)
    beside = [values_at(path, records) for path in apart]
    beside = [values for values in beside if len(values) == len(records)]
    for path in paths:
        values = values_at(path, records)
        keys = zip(values, *beside, strict=False)
        if len(values) == len(records) == len({str(key) for key in keys}):
            return path
    called = next((path for path in paths if "id" in left[path]), "")
    return called or _named_like_items(left, beside, records)


def repeated_items(mapping: Mapping[str, str], records: Records) -> list[str]:
    """The items that have several rows which differ, as columns are proposed.

    Examples
    --------
    >>> rows = [{"id": 1, "ok": 1}, {"id": 1, "ok": 0}, {"id": 2, "ok": 1}]
    >>> repeated_items({"item": "id"}, rows)
    ['1']
    """
    parts = ("item", "part", "system", "setting", "repeat")
    forms = [value_of(mapping.get(name, name)) for name in parts]
    rows: dict[str, list[Any]] = {}
    for number, record in enumerate(records, 1):
        key = str([str(form(record, number)) for form in forms])
        rows.setdefault(key, []).append((forms[0](record, number), record))
    return [
        str(held[0][0])
        for held in rows.values()
        if any(record != held[0][1] for _, record in held)
    ]


def _named_like_items(
    left: Mapping[str, str], beside: Sequence[Sequence[Any]], records: Records
) -> str:
    """A column that is named as items are, or that tells all rows apart by short names.

    Of the first kind some may be repeated: these are told where they are read.
    """
    others = {path for field in _FIELDS for path in paths_called(field, left)}
    columns = {path: values_at(path, records) for path in left if path not in others}
    for path, values in columns.items():
        if not 1 < len(values) == len(records) or not all(map(_is_name, values)):
            continue
        keys = len({str(key) for key in zip(values, *beside, strict=False)})
        least = _MOSTLY if _ITEMS.search(left[path]) else 1
        if keys >= least * len(values):
            return path
    return ""


def _is_name(value: Any) -> bool:
    """Whether a value can be that of an item: a short word or a whole number."""
    if isinstance(value, str):
        is_number = "." in value and plain_float(value) is not None
        return bool(_NAME.fullmatch(value)) and not is_number
    return isinstance(value, int) and not isinstance(value, bool)


_FIELDS: Final = ("response", "reference", "correct", "confidence", "declined", "input")
_ITEMS: Final = re.compile(r"(id|nr|no|num|number|nummer|key|ref|ticket|case|vorgang)$")
_NAME: Final = re.compile(r"[\w#][\w#.:/@+-]{0,63}")
_MOSTLY: Final = 0.9


def whole_and_part(
    needed: Sequence[str], left: Mapping[str, str], records: Records
) -> dict[str, str]:
    """The paths that name wholes and parts, where only both tell rows apart."""
    beside = ("system",) if "system" in records[0] else ()
    named = item_path(left, beside, records)
    if "item" not in needed or (named and _names_all(named, beside, records)):
        return {}
    wholes = [path for path in _wholes(left) if not _names_all(path, beside, records)]
    for name in _PARTS.split():
        plain = name.replace("_", "")
        for part in (path for path in left if left[path] == plain):
            for whole in wholes:
                if whole != part and _names_all(whole, (part, *beside), records):
                    return {"item": whole, "part": part}
    return {}


def _wholes(left: Mapping[str, str], records: Records = ()) -> list[str]:
    """Paths that may name wholes; of records those that tell them apart."""
    wholes = [path for path in left if left[path].endswith("id")]
    wholes += [path for name in _WHOLES.split() for path in left if left[path] == name]
    return [path for path in wholes if not records or _names_all(path, (), records)]


def _names_all(path: str, beside: Sequence[str], records: Records) -> bool:
    """Whether values of a path, with those beside it, tell all records apart."""
    columns = [values_at(name, records) for name in (path, *beside) if name]
    if not columns or any(len(column) != len(records) for column in columns):
        return False
    return len(set(map(str, zip(*columns, strict=True)))) == len(records)


def parts_within(mapping: Mapping[str, str], records: Records) -> str:
    """What jq makes lists of parts with, where records hold them; empty if none do.

    Examples
    --------
    >>> fields = [{"name": "total", "ok": True}, {"name": "date", "ok": True}]
    >>> parts_within({"correct": "fields[0].ok"}, [{"doc": "d1", "fields": fields}])
    '{item: .doc, parts: [.fields[] | {part: .name, correct: .ok}]}'
    """
    path, sign, _ = mapping.get("correct", "").partition("[0].")
    if not sign or not _JQ.fullmatch(path):
        return ""
    lists = [held for held in values_at(path, records) if isinstance(held, list)]
    inner = {
        field: form.removeprefix(f"{path}[0].")
        for field, form in mapping.items()
        if form.startswith(f"{path}[0].") and field not in ("item", "system")
    }
    part = _name_of_parts(lists)
    item = next(iter(_wholes(dict(paths_in(records)), records)), "")
    system = mapping.get("system", "")
    outer = {"item": item, **({"system": system} if _JQ.fullmatch(system) else {})}
    named = {"part": part, **inner}
    if not all(map(_JQ.fullmatch, [*outer.values(), *named.values()])):
        return ""
    within = f"[.{path}[] | {{{_jq(named)}}}]"
    return f"{{{_jq(outer)}, parts: {within}}}"


_JQ: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII)
"""A path that jq reads with a point before it."""


def _jq(named: Mapping[str, str]) -> str:
    return ", ".join(f"{field}: .{path}" for field, path in named.items())


def _name_of_parts(lists: Sequence[list[Any]]) -> str:
    """What tells elements of a list apart, where some list has several."""
    rows = [row for held in lists for row in held if isinstance(row, Mapping)]
    if max(map(len, lists), default=0) < _SEVERAL or len(rows) < sum(map(len, lists)):
        return ""
    names = (*_PARTS.split(), "name", "key", "tool", "id")
    return next((name for name in names if _differ(name, lists)), "")


def _differ(name: str, lists: Sequence[list[Any]]) -> bool:
    return all(len({str(row.get(name)) for row in held}) == len(held) for held in lists)


_SEVERAL: Final = 2
