"""Annotations as integer codes: who gave which unit which label."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from demur.arrays import Floats, Positions
from demur.checks import choice, in_order, listed, names_shown, with_article
from demur.errors import InputError, shown
from demur.outcomes.columns import objects
from demur.outcomes.frames import records_of
from demur.outcomes.gaps import is_gap
from demur.outcomes.labels import one_writing, written_otherwise
from demur.outcomes.named_columns import codes_of
from demur.outcomes.row_names import aligned

NAMES = ("unit", "annotator", "label")
"""The columns of a long table; ``cluster`` is a fourth, if units belong together."""


@dataclass(frozen=True)
class Annotations:
    """One row for each label that was given; sorted by unit.

    Parameters
    ----------
    unit, annotator, label : array of int, shape (n_labels,)
        Positions in the lists below.
    units, annotators, labels : sequence
        What they stand for. Labels are texts, numbers or frozensets.
    cluster : array of int, shape (n_units,), or None
        Which units belong together, such as turns of one dialogue.
    group : array of object, shape (n_units,), or None
        By what units are to be looked at, such as the system that is judged.
    notes : tuple of str
        What was read otherwise than it stands.
    label_weight : array of float, shape (n_units,), or None
        How many units each labelled one stands for; NaN where that is not said.
    """

    unit: Positions
    annotator: Positions
    label: Positions
    units: Sequence[Any]
    annotators: Sequence[str]
    labels: Sequence[Any]
    cluster: Positions | None = None
    group: Any = None
    notes: tuple[str, ...] = ()
    label_weight: Floats | None = None

    def __len__(self) -> int:
        return len(self.unit)

    @property
    def are_sets(self) -> bool:
        """Whether the labels are sets."""
        return any(isinstance(label, frozenset) for label in self.labels)


def as_annotations(
    source: Any, annotators: Sequence[str] | None = None, by: str | None = None
) -> Annotations:
    """Annotations in any of their forms.

    Parameters
    ----------
    source : Annotations, mapping, sequence of sequences, array, dataframe or records
        - a mapping of annotator to labels, or a list of such lists: one label for each
          unit, in their order, None or NaN where there is none;
        - an array of integers of shape (n_annotators, n_units), -1 where there is none;
        - a long table: records or a dataframe with ``unit``, ``annotator``, ``label``,
          and maybe ``cluster`` and ``label_weight``;
        - a wide table: a dataframe or records with one column for each annotator, and
          maybe ``unit``, ``cluster`` and ``label_weight``.

        A label that is a set, list or tuple is a set of labels.
    annotators : sequence of str, optional
        Only these, of a table or a mapping.
    by : str, optional
        A column of a table that says which group a unit is of.

    Returns
    -------
    Annotations

    Raises
    ------
    InputError
        If it is none of these, or one annotator has given one unit two labels, or
        labels are of several types.

    Examples
    --------
    >>> found = as_annotations({"ann": ["a", "b", None], "bob": ["a", "a", "b"]})
    >>> len(found), found.labels, found.annotators
    (5, ['a', 'b'], ['ann', 'bob'])
    """
    if isinstance(source, Annotations):
        return source
    if by is not None and isinstance(source, (np.ndarray, Mapping)):
        need, got = "be a column of a table", with_article(type(source).__name__)
        raise InputError("agreement", "by", need, got)
    if isinstance(source, np.ndarray):
        return _of_codes(source)
    if isinstance(source, Mapping):
        return _of_mapping(source, annotators)
    if isinstance(source, (str, os.PathLike)):
        need, hint = "be annotations", "Read files with demur.iter_records."
        raise InputError("agreement", "the annotations", need, shown(source), hint)
    records = listed("agreement", "the annotations", records_of(source))
    numbered = list(enumerate(records, 1))
    if records and all(isinstance(labels, (list, tuple)) for labels in records):
        return _of_lists({f"annotator {n}": list(labels) for n, labels in numbered})
    placed = ((f"record {n}", record) for n, record in numbered)
    return of_records(placed, annotators, by)


def _of_mapping(
    source: Mapping[Any, Any], annotators: Sequence[str] | None
) -> Annotations:
    for name, labels in source.items():
        in_order("agreement", f"the labels of {name}", labels)
    columns = aligned("agreement", source)
    lists = {str(name): list(labels) for name, labels in columns.items()}
    for name in annotators or ():
        choice("agreement", "annotators", name, lists)
    return _of_lists({name: lists[name] for name in annotators or lists})


def _of_codes(codes: Any) -> Annotations:
    """From integer codes; the fastest way in."""
    if codes.ndim != 2 or codes.dtype.kind not in "iu":
        need = "be integers of shape (n_annotators, n_units), -1 for none"
        got = f"{codes.dtype} of shape {codes.shape}"
        raise InputError("agreement", "an array", need, got)
    given = codes.T >= 0
    annotator, unit = _places(given)
    label = codes.T[given].astype(np.int32)
    n_labels = int(label.max()) + 1 if len(label) else 0
    return Annotations(
        unit=unit,
        annotator=annotator,
        label=label,
        units=range(codes.shape[1]),
        annotators=[f"annotator {n}" for n in range(1, codes.shape[0] + 1)],
        labels=range(n_labels),
    )


def _places(given: Any) -> tuple[Positions, Positions]:
    """Annotators and units of the cells that are given, unit by unit."""
    # np.nonzero gives the same, in twice to five times the time.
    n_units, n_annotators = given.shape
    columns = np.arange(n_annotators, dtype=np.int32)
    annotator = np.broadcast_to(columns, given.shape)[given]
    unit = np.repeat(np.arange(n_units, dtype=np.int32), given.sum(axis=1))
    return annotator, unit


def _of_lists(lists: Mapping[str, list[Any]]) -> Annotations:
    sizes = {name: len(labels) for name, labels in lists.items()}
    if len(set(sizes.values())) > 1:
        need = "give each unit one place: lists of one length, None for no label"
        raise InputError("agreement", "the annotators", need, shown(sizes))
    rows: Iterator[Row] = (
        ("agreement", number, name, label, {})
        for number, labels in enumerate(zip(*lists.values(), strict=True))
        for name, label in zip(lists, labels, strict=True)
    )
    n_units = next(iter(sizes.values()), 0)
    return _coded(rows, list(lists), n_units)


def of_records(
    records: Iterable[tuple[str, Any]],
    annotators: Sequence[str] | None = None,
    by: str | None = None,
) -> Annotations:
    """Annotations of a long or a wide table.

    Without a column ``unit``, a unit is an ``item``, of each ``system`` if there are
    any, and the item is the cluster.

    Parameters
    ----------
    records : iterable of (place, mapping)
        As `demur.iter_records` gives them.
    annotators : sequence of str, optional
        Only these.
    by : str, optional
        The column of groups.

    Raises
    ------
    InputError
        With the place, if a record lacks what the others have.
    """
    listed = list(records)
    if not listed or not all(isinstance(record, Mapping) for _, record in listed):
        place = listed[0][0] if listed else "agreement"
        need = "be lists of labels, or records with unit, annotator and label"
        got = shown(listed[0][1]) if listed else "nothing"
        raise InputError(place, "the annotations", need, got, _HINT)
    first = listed[0][1]
    if by is not None:
        choice("agreement", "by", by, [str(name) for name in first])
    if "annotator" in first or "label" in first:
        return _of_long(listed, annotators, by)
    names = dict.fromkeys(str(name) for _, record in listed for name in record)
    for name in annotators or ():
        choice("agreement", "annotators", name, names)
    others = (*_OF_UNITS, by)
    columns = list(annotators or (name for name in names if name not in others))
    if not annotators and not {"unit", "item"} & names.keys():
        _refuse_identifiers(listed, columns)
    rows = (
        (place, _unit(record, number), name, record.get(name), _facts(record, by))
        for number, (place, record) in enumerate(listed)
        for name in columns
    )
    return _coded(rows, columns, 0)


def _refuse_identifiers(
    listed: Sequence[tuple[str, Any]], columns: Sequence[str]
) -> None:
    """Refuse a column that names its rows, and so is no annotator.

    In each row it has another label, and most of these are no other column's.
    """
    values = {
        name: {str(value) for _, row in listed if not is_gap(value := row.get(name))}
        for name in columns
    }
    columns_with = Counter(value for held in values.values() for value in held)
    suspects = [
        name
        for name, held in values.items()
        if len(held) == len(listed) > 1
        and 2 * sum(columns_with[value] == 1 for value in held) > len(listed)
    ]
    if 0 < len(suspects) < len(columns):
        need = "have a column unit or item, or its annotators named"
        got = f"{', '.join(columns)}; {suspects[0]} differs in every row"
        hint = f"Call {suspects[0]} unit, or name the annotators."
        raise InputError("agreement", "a wide table", need, got, hint)


_HINT = (
    "A long table has unit, annotator, label; a wide one a column for each annotator."
)
_OF_UNITS = ("unit", "item", "system", "cluster", "label_weight")


def _of_long(
    listed: Sequence[tuple[str, Any]], annotators: Sequence[str] | None, by: str | None
) -> Annotations:
    rows: list[Row] = []
    for place, record in listed:
        cells = {**record, "unit": _unit(record, None)}
        for name in NAMES:
            if name not in cells:
                need, got = f"have a column {name}", names_shown(record)
                raise InputError(place, "a long table", need, got, _HINT)
            if name != "label" and is_gap(cells[name]):
                need = f"have a {name}"
                raise InputError(place, "a record", need, shown(cells[name]), _HINT)
        unit, annotator, label = (cells[name] for name in NAMES)
        rows.append((place, unit, str(annotator), label, _facts(record, by)))
    known = dict.fromkeys(name for _, _, name, _, _ in rows)
    for name in annotators or ():
        choice("agreement", "annotators", name, known)
    kept = set(annotators or known)
    return _coded((row for row in rows if row[2] in kept), list(annotators or ()), 0)


def _unit(record: Mapping[str, Any], number: int | None) -> Any:
    """What a record is about."""
    if "unit" in record:
        return record["unit"]
    if "item" in record and "system" in record:
        return f"{record['item']} ({record['system']})"
    return record.get("item", number)


def _facts(record: Mapping[str, Any], by: str | None) -> dict[str, Any]:
    """What a record says of its unit beside labels."""
    cluster = record.get("cluster")
    if cluster is None and "unit" not in record and "system" in record:
        cluster = record.get("item")
    group = {} if by is None else {"group": record.get(by)}
    stands = record.get("label_weight")
    weight = {} if is_gap(stands) else {"label_weight": stands}
    return {"cluster": cluster, **group, **weight}


Row = tuple[str, Any, str, Any, Mapping[str, Any]]
"""Its place, the unit, the annotator, the label, and what else is known of the unit."""


def _coded(rows: Iterable[Row], annotators: list[str], n_units: int) -> Annotations:
    """Codes of rows, and of the units numbered from 0 that need not have any."""
    units: dict[str, int] = {str(number): number for number in range(n_units)}
    known = {name: number for number, name in enumerate(annotators)}
    labels: dict[Any, int] = {}
    facts: dict[str, dict[int, Any]] = {}
    cells: dict[tuple[int, int], int] = {}
    for place, unit, annotator, label, unit_facts in rows:
        number = units.setdefault(str(unit), len(units))
        who = known.setdefault(annotator, len(known))
        for name, value in unit_facts.items():
            before = facts.setdefault(name, {}).setdefault(number, value)
            if before != value:
                need, got = f"be in one {name}", f"{before} and {value}"
                raise InputError(place, f"unit {shown(unit)}", need, got)
        if is_gap(label):
            continue
        try:
            value = _value(label)
            hash(value)
        except TypeError:
            need = "be a text, a number or a set of these"
            raise InputError(place, "label", need, shown(label)) from None
        if (number, who) in cells:
            need, hint = "have one label of each annotator", "Give repeats units."
            got = f"two of {shown(annotator)}"
            raise InputError(place, f"unit {shown(unit)}", need, got, hint)
        cells[number, who] = labels.setdefault(value, len(labels))
    listed = _one_type(list(labels))
    notes: tuple[str, ...] = ()
    if all(isinstance(label, str) for label in listed):
        writing = one_writing(listed)
        notes = written_otherwise(writing)
        listed, cells = _in_one_writing(writing, cells)
    order = sorted(range(len(listed)), key=lambda place: _order(listed[place]))
    rank = np.argsort(order)
    keys = np.array(sorted(cells), np.int64).reshape(-1, 2)
    codes = np.array([cells[unit, who] for unit, who in keys.tolist()], np.int64)
    return Annotations(
        unit=keys[:, 0],
        annotator=keys[:, 1],
        label=rank[codes] if len(codes) else codes,
        units=list(units),
        annotators=list(known),
        labels=[listed[place] for place in order],
        cluster=_cluster_codes(facts.get("cluster", {}), len(units)),
        group=_groups(facts.get("group"), list(units)),
        notes=notes,
        label_weight=_label_weights(facts.get("label_weight"), list(units)),
    )


def _in_one_writing(
    writing: Mapping[str, str], cells: dict[tuple[int, int], int]
) -> tuple[list[str], dict[tuple[int, int], int]]:
    """Labels and their codes in the cells, such as "1" and "1.0" as one."""
    merged = {text: code for code, text in enumerate(dict.fromkeys(writing.values()))}
    code_of = [merged[text] for text in writing.values()]
    return list(merged), {cell: code_of[code] for cell, code in cells.items()}


def _groups(group_of: Mapping[int, Any] | None, units: Sequence[str]) -> Any:
    if group_of is None:
        return None
    for number, unit in enumerate(units):
        if is_gap(group_of.get(number)):
            raise InputError("agreement", f"unit {unit}", "have a group", "none")
    return objects([str(group_of[n]) for n in range(len(units))], len(units))


def _label_weights(
    weight_of: Mapping[int, Any] | None, units: Sequence[str]
) -> Floats | None:
    if weight_of is None:
        return None
    weights = np.full(len(units), np.nan)
    for number, given in weight_of.items():
        try:
            weights[number] = float(given)
        except (TypeError, ValueError):
            need, got = "be a number", f"{shown(given)} for {units[number]}"
            raise InputError("agreement", "label_weight", need, got) from None
    return weights


def _cluster_codes(clusters: Mapping[int, Any], n_units: int) -> Positions | None:
    if all(cluster is None for cluster in clusters.values()):
        return None
    for number in range(n_units):
        if clusters.get(number) is None:
            need, got = "have a cluster, as others have", "none"
            raise InputError("agreement", f"unit {number + 1}", need, got)
    return codes_of([str(clusters[number]) for number in range(n_units)])[0]


def with_numbers(annotations: Annotations) -> Annotations:
    """Labels that are texts of numbers, as in CSV files, as numbers.

    Texts of one number become one label. What is no number stays.
    """
    if not all(isinstance(label, str) for label in annotations.labels):
        return annotations
    values = [_as_number(label) for label in annotations.labels]
    # Numbers first: they and texts have no order among each other.
    listed = sorted({*values}, key=lambda value: (isinstance(value, str), value))
    code = np.array([listed.index(value) for value in values], np.int64)
    label = code[annotations.label] if len(annotations) else annotations.label
    return replace(annotations, label=label, labels=listed)


def _as_number(label: str) -> Any:
    """A text of a number as this; any other text as it is."""
    try:
        value = _value(float(label))
    except ValueError:
        return label
    return label if value != value else value


def _value(label: Any) -> Any:
    """A label as it is compared."""
    if isinstance(label, (set, frozenset, list, tuple)):
        return frozenset(label)
    if isinstance(label, np.generic):
        label = label.item()
    if isinstance(label, bool):
        return str(label).lower()
    if isinstance(label, float) and label.is_integer():
        return int(label)
    return label


def _one_type(labels: list[Any]) -> list[Any]:
    """Labels of one type: numbers, texts or sets."""
    kinds: dict[str, Any] = {}
    for label in labels:
        kind = "number" if isinstance(label, (int, float)) else type(label).__name__
        kinds.setdefault(kind, label)
    if len(kinds) > 1:
        need = "be of one type: texts, numbers or sets"
        got = ", ".join(shown(label) for label in kinds.values())
        raise InputError("agreement", "the labels", need, got)
    return labels


def _order(label: Any) -> Any:
    if isinstance(label, frozenset):
        return sorted(map(str, label))
    return label
