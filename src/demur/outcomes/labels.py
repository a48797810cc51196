"""Columns of labels, made texts that are equal where the labels are the same."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from demur.errors import InputError, shown
from demur.outcomes.gaps import is_gap
from demur.outcomes.named_columns import NamedColumns
from demur.outcomes.value_kinds import (
    ADVICE,
    MEMBERS_BY_VALUE,
    PLURALS,
    ZONES_APART,
    a_kind,
    has_zone,
    json_kind,
    kind_of,
    may_be_rounded,
    name_among,
    read_as,
    reread,
    value_text,
)

_READ: Final = ("number", "flag", "date")
"""What texts are read as, in this order, where labels beside them are so."""

_ONE: Final = "be one label: a text, a number, a flag or a date"
_HINTS: Final = {
    **ADVICE,
    "list": "Several labels of one item: demur metrics sets, demur.set_scores.",
    "set": "Several labels of one item: demur metrics sets, demur.set_scores.",
    "object": "Give the field that holds the label.",
}


_NAMES: Final = "; where they are names, write a letter before (v{})"


@dataclass(frozen=True)
class LabelColumns:
    """Labels as texts that are equal where the labels are.

    Parameters
    ----------
    columns : tuple of list of str or None
        Those that were asked for, in their order; None where there is no label.
    notes : tuple of str
        What was read otherwise than it stands, and kinds that can never be equal.
    """

    columns: tuple[list[str | None], ...]
    notes: tuple[str, ...] = ()


def label_columns(table: NamedColumns, given: str, true: str) -> LabelColumns:
    """Two columns of labels, compared by one rule.

    Numbers are compared as numbers and flags as flags, whatever library they come from.
    Texts are read as numbers and flags, as all is text in CSV files, and as dates where
    a label of either column is one.

    Parameters
    ----------
    table : NamedColumns
    given, true : str
        Names of the columns.

    Returns
    -------
    LabelColumns
        The given ones, then the true ones.

    Raises
    ------
    InputError
        If a label is a list, a set or an object.

    Examples
    --------
    >>> table = NamedColumns({"hyp": [1.0, None, 2.5], "ref": ["1", "2", "2.50"]})
    >>> label_columns(table, "hyp", "ref").columns
    (['1', None, '2.5'], ['1', '2', '2.5'])
    """
    plain = {name: _plain_class(table.columns[name]) for name in (given, true)}
    distinct = [_distinct(table, name, plain[name]) for name in (given, true)]
    kinds = {key: kind for known in distinct for key, kind in known.items()}
    read_kinds = _read_kinds(kinds)
    texts = _texts(kinds, read_kinds)
    columns = tuple(
        _looked_up(table.columns[name], texts, plain[name]) for name in (given, true)
    )
    sides = [
        {_kind_read(value, kind, read_kinds) for (_, value), kind in known.items()}
        for known in distinct
    ]
    notes = (
        *_rewritten(texts),
        *_kinds_apart(*sides),
        *_rounded(kinds),
        *_named_members(distinct),
        *_zones_apart(distinct),
        *_packed(distinct),
    )
    return LabelColumns(columns, notes)


def one_writing(labels: Sequence[str]) -> dict[str, str]:
    """Texts of labels by the one writing of those that are one number, or one flag.

    Examples
    --------
    >>> one_writing(["1", "1.0", "none"]), one_writing(["1.0", "v1"])
    ({'1': '1', '1.0': '1', 'none': 'none'}, {'1.0': '1.0', 'v1': 'v1'})
    """
    kinds: _Kinds = {(str, label): "text" for label in labels}
    return {key[1]: text for key, text in _texts(kinds, _read_kinds(kinds)).items()}


def written_otherwise(writing: Mapping[str, str]) -> tuple[str, ...]:
    """A note on labels that `one_writing` made one; none if there are none.

    Examples
    --------
    >>> print(*written_otherwise(one_writing(["1", "1.0", "none"])))
    '1' and '1.0' are one label: labels are compared as numbers; where they are names,
    write a letter before (v1.0)
    """
    return tuple(_rewritten({(str, label): text for label, text in writing.items()}))


_Kinds = dict[tuple[type, Any], str]


_PLAIN: Final = {str: "text", int: "number"}


def _plain_class(values: Sequence[Any]) -> type | None:
    """The class of all labels that are there, if it is one of `_PLAIN`."""
    classes = {*map(type, values)} - {type(None)}
    return classes.pop() if len(classes) == 1 and classes <= _PLAIN.keys() else None


def _looked_up(
    values: Sequence[Any], texts: dict[Any, str], plain: type | None
) -> list[str | None]:
    """The text of each label of a column."""
    if plain is None:
        return [texts.get((value.__class__, value)) for value in values]
    of_class = {value: text for (kind, value), text in texts.items() if kind is plain}
    return [*map(of_class.get, values)]


def _distinct(table: NamedColumns, name: str, plain: type | None) -> _Kinds:
    """The kind of each different label."""
    if plain is not None:
        different = dict.fromkeys(table.columns[name])
        return {(plain, v): _PLAIN[plain] for v in different if not is_gap(v)}
    kinds: _Kinds = {}
    for row, value in enumerate(table.columns[name]):
        try:
            key = (value.__class__, value)  # True is not 1 here
            if key in kinds:
                continue
        except TypeError:
            raise _refusal(table, row, name, value) from None
        if is_gap(value):  # NaN is unequal to itself, and so never found again
            continue
        kinds[key] = kind_of(value)
        if kinds[key] not in PLURALS:
            raise _refusal(table, row, name, value)
    return kinds


def _refusal(table: NamedColumns, row: int, name: str, value: Any) -> InputError:
    hint = _HINTS.get(kind_of(value), "")
    return InputError(table.place(row), name, _ONE, a_kind(value), hint)


def _read_kinds(kinds: _Kinds) -> Sequence[str]:
    """What texts are read as; dates look too much like names to be read unasked."""
    return [kind for kind in _READ if kind != "date" or kind in kinds.values()]


def _texts(kinds: _Kinds, read_kinds: Sequence[str]) -> dict[Any, str]:
    """The text of each label; as it is written, if it is never written otherwise."""
    texts: dict[Any, str] = {}
    writings: dict[str, set[str]] = {}
    for key, kind in kinds.items():
        text = value_text(key[1])
        texts[key] = reread(text, read_kinds) if kind == "text" else text
        writings.setdefault(texts[key], set()).add(text)
    return {
        key: next(iter(writings[text])) if len(writings[text]) == 1 else text
        for key, text in texts.items()
    }


def _kind_read(value: Any, kind: str, read_kinds: Sequence[str]) -> str:
    if kind != "text":
        return kind
    text = value_text(value)
    return next((other for other in read_kinds if read_as(other, text)), kind)


def _rewritten(texts: dict[Any, str]) -> Iterator[str]:
    """That labels which are written otherwise were one number, flag or date."""
    written: dict[str, Any] = {}
    for key, text in texts.items():
        first = written.setdefault(text, key[1])
        if value_text(key[1]) != value_text(first):
            its = next(kind for kind in _READ if read_as(kind, text))
            names = isinstance(first, str) and isinstance(key[1], str)
            advice = _NAMES.format(key[1]) if names and its == "number" else ""
            yield (
                f"{shown(first)} and {shown(key[1])} are one label: labels are "
                f"compared as {its}s{advice}"
            )
            return


def _kinds_apart(given: set[Any], true: set[Any]) -> Iterator[str]:
    """That labels of both sides can never be equal."""
    if given and true and not given & true:
        named, wanted = (
            " and ".join(PLURALS[kind] for kind in PLURALS if kind in side)
            for side in (given, true)
        )
        yield (
            f"all labels that are given are {named}, and all true ones {wanted}: "
            "none can be right; give labels of one kind"
        )
    elif {"flag", "number"} <= given | true and not {"flag", "number"} <= given & true:
        yield "flags (true, false) and numbers (1, 0) are different labels"


def _rounded(kinds: _Kinds) -> Iterator[str]:
    for _, value in kinds:
        if may_be_rounded(value):
            yield (
                f"labels such as {value_text(value)} are floats of more digits than "
                "these hold exactly: numbers beside them are the same; keep them as "
                "whole numbers (pandas: Int64) or texts"
            )
            return


def _named_members(sides: Sequence[_Kinds]) -> Iterator[str]:
    """That labels of one side are the names of members of an Enum on the other."""
    for members, others in (sides, sides[::-1]):
        texts = [value for _, value in others if type(value) is str]
        for _, member in members:
            if isinstance(member, Enum) and name_among(member, texts):
                yield MEMBERS_BY_VALUE
                return


def _zones_apart(sides: Sequence[_Kinds]) -> Iterator[str]:
    """That dates of one side have a zone, and those of the other none."""
    zones = [
        {has_zone(value) for (_, value), kind in side.items() if kind == "date"}
        for side in sides
    ]
    if all(zones) and zones[0].isdisjoint(zones[1]):
        yield ZONES_APART


def _packed(sides: Sequence[_Kinds]) -> Iterator[str]:
    """That labels of one side alone are lists or objects, as texts of a CSV file."""
    packed = [
        next((v for (_, v), kind in side.items() if _is_packed(v, kind)), None)
        for side in sides
    ]
    if (packed[0] is None) is not (packed[1] is None):
        label = packed[0] if packed[1] is None else packed[1]
        yield (
            f"{shown(label)} looks like a {json_kind(label)}, and is compared as a "
            "text: give the one label alone"
        )


def _is_packed(value: Any, kind: str) -> bool:
    return kind == "text" and json_kind(value) in ("list", "object")
