"""Columns of records that are read one by one, as objects of any depth are."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from msgspec import UNSET

from demur.formats.json_lines import NEEDED, RawBlock, column_of
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
    for numbers, raw in gathered(records, wanted):
        yield block_of(raw, numbers, wanted, prefix)


def gathered(
    records: Iterable[tuple[int, Mapping[str, Any]]], wanted: Wanted
) -> Iterator[RawBlock]:
    """Records as columns, some at a time; what is not wanted may be large."""
    rows = iter(records)
    kept: dict[str, bool] = {}
    while True:
        numbers: list[int] = []
        held: dict[str, list[Any]] = {}
        for at, (number, record) in enumerate(islice(rows, _AT_ONCE)):
            for name, value in record.items():
                if name not in kept:
                    kept[name] = wanted.keeps(name) or name in wanted.selecting()
                if kept[name]:
                    _padded(held, name, at).append(value)
            numbers.append(number)
        for name in held:
            _padded(held, name, len(numbers))
        if not numbers:
            return
        yield numbers, dict(held)


def _padded(held: dict[str, list[Any]], name: str, n: int) -> list[Any]:
    """The values of a column, UNSET where the first ``n`` records have none."""
    values = held.setdefault(name, [])
    if len(values) < n:
        values += [UNSET] * (n - len(values))
    return values


def block_of(
    raw: Mapping[str, Sequence[Any]],
    numbers: Sequence[int],
    wanted: Wanted,
    prefix: str,
) -> RowBlock:
    """Columns of records as arrays.

    Parameters
    ----------
    raw : mapping of name to sequence
        UNSET where a record has no such field.
    numbers : sequence of int
        Line or number of each record.
    wanted, prefix
        As for `blocks_of`.
    """
    kept = {
        name: [None if value is UNSET else value for value in values]
        if name in wanted.selecting()
        else values
        for name, values in raw.items()
        if not _says_nothing(name, values, wanted)
    }
    return block(kept, numbers, wanted, prefix, column_of)


def _says_nothing(name: str, values: Sequence[Any], wanted: Wanted) -> bool:
    """Whether a column that need not be there, and nobody has named, is empty."""
    asked = name in NEEDED or name in wanted.named()
    return not asked and all(value is None or value is UNSET for value in values)
