"""Columns of records that are read one by one, as objects of any depth are."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from msgspec import UNSET

from demur.formats.json_lines import NEEDED, column_of
from demur.formats.streams import RowBlock, Wanted, block

_AT_ONCE: Final = 10_000


def blocks_of(
    records: Iterable[tuple[int, Mapping[str, Any]]], wanted: Wanted, prefix: str
) -> Iterator[RowBlock]:
    """Records as blocks of columns.

    Parameters
    ----------
    records : iterable of (int, mapping)
        Each with its line or number.
    wanted : Wanted
        Which columns and rows are kept.
    prefix : str
        What stands before a number in messages.

    Examples
    --------
    >>> records = [(1, {"item": "q1", "correct": True}), (2, {"item": 2, "correct": 0})]
    >>> [block] = blocks_of(records, Wanted(), "a.json: sample ")
    >>> block.columns["item"].tolist(), block.columns["correct"].tolist()
    (['q1', '2'], [1.0, 0.0])
    """
    rows = iter(records)
    selecting = wanted.selecting()
    while True:
        numbers, raw = _gathered(rows, wanted)
        if not numbers:
            return
        for name in selecting:
            if name in raw:
                raw[name] = [None if v is UNSET else v for v in raw[name]]
        for name in [name for name in raw if _says_nothing(name, raw[name], wanted)]:
            del raw[name]
        yield block(raw, numbers, wanted, prefix, column_of)


def _gathered(
    rows: Iterator[tuple[int, Mapping[str, Any]]], wanted: Wanted
) -> tuple[list[int], dict[str, list[Any]]]:
    """The next rows as columns; what is not wanted may be large, and is not held."""
    kept: dict[str, bool] = {}
    numbers: list[int] = []
    raw: dict[str, list[Any]] = {}
    for number, record in islice(rows, _AT_ONCE):
        for name, value in record.items():
            if name not in kept:
                kept[name] = wanted.keeps(name) or name in wanted.selecting()
            if kept[name]:
                values = raw.setdefault(name, [])
                values += [UNSET] * (len(numbers) - len(values))
                values.append(value)
        numbers.append(number)
    for values in raw.values():
        values += [UNSET] * (len(numbers) - len(values))
    return numbers, raw


def _says_nothing(name: str, values: list[Any], wanted: Wanted) -> bool:
    """Whether a column that need not be there, and nobody has named, is empty."""
    asked = name in NEEDED or name in wanted.named()
    return not asked and all(value is None or value is UNSET for value in values)
