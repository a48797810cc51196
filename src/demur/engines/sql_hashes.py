"""Hashes of the items of a relation, made by SQL: the same as of rows in memory."""

import itertools
from typing import Any, Final

from demur.curves.counted import Identity
from demur.engines.item_hashes import (
    FIELDS,
    KEY,
    LENGTH,
    SAMPLED,
    digest_of_sums,
)
from demur.engines.selecting import AnswerTable, Ask
from demur.engines.sql_counts import name

MARGIN: Final = 1.5
"""So many times the hashes that are wanted are looked at, or all that there are."""


def identity_of(table: AnswerTable, where: str, items: int, ask: Ask) -> Identity:
    """What tells the rows of a relation from others, as `item_hashes` has it.

    Parameters
    ----------
    table : AnswerTable
        The relation.
    where : str
        Which rows are wanted; empty for all.
    items : int
        How many rows those are.
    ask : callable
        Runs SQL.
    """
    fields = tuple(field for field in FIELDS if table.deciding(field))
    if table.column("item") is None:
        return Identity((), (), fields)
    number = f"TRY_CAST({_text(table, 'item')} AS BIGINT)"
    plain = f"CAST({number} AS VARCHAR) = {_text(table, 'item')}"
    hashed = f"SHA256(CONCAT({_joined(table)}))"
    rows = f"SELECT {hashed} AS hash_, {number} AS number_, {plain} AS plain_ "
    rows += f"FROM {table.relation}{_wanted(where)}"
    for share in itertools.accumulate(itertools.repeat(MARGIN), lambda x, _: 4 * x):
        answer = ask(_hashes_query(rows, share * SAMPLED / items))
        *sums, low, high, n_plain, hashes = answer[0]
        if len(hashes or ()) >= min(SAMPLED, items):
            break
    numbers = n_plain == items and low in (0, 1)
    if numbers and _are_numbers(table, where, items, (low, high), ask):
        return Identity((), (), fields)
    sample = sorted(one[:LENGTH] for one in hashes)[:SAMPLED]
    return Identity(tuple(sample), (digest_of_sums(items, *sums),), fields)


def _hashes_query(rows: str, share: float) -> str:
    """Sums of hashes, how numbers lie, and a share of the hashes, the least ones."""
    sums = (
        f"SUM(CAST(CAST('0x' || SUBSTR(hash_, {start}, 15) AS BIGINT) "
        "AS DECIMAL(38, 0)))"
        for start in (1, 16)
    )
    end = "g" if share >= 1 else f"{int(share * 16**LENGTH):0{LENGTH}x}"
    return (
        f"SELECT {', '.join(sums)}, MIN(number_), MAX(number_), "
        "COUNT(*) FILTER (WHERE plain_), "
        f"ARRAY_AGG(hash_) FILTER (WHERE hash_ < '{end}') FROM ({rows}) AS rows_"
    )


def _are_numbers(
    table: AnswerTable, where: str, items: int, ends: tuple[int, int], ask: Ask
) -> bool:
    """Whether items are all whole numbers from the least up to the greatest."""
    span = ends[1] - ends[0] + 1
    if span > items:
        return False
    parts = [name(one) for field in KEY if (one := table.column(field)) is not None]
    item = parts.pop()
    if not parts:
        return span == items
    rows = f"FROM {table.relation}{_wanted(where)}"
    # No item is twice in one of the parts: one with so many rows has all numbers.
    largest = f"SELECT COUNT(*) AS n_ {rows} GROUP BY {', '.join(parts)}"
    if ask(f"SELECT MAX(n_) FROM ({largest}) AS parts_")[0][0] == span:
        return True
    return bool(ask(f"SELECT COUNT(DISTINCT {item}) {rows}")[0][0] == span)


def _joined(table: AnswerTable) -> str:
    """What is hashed of a row, as SQL."""
    texts = (_text(table, field) for field in KEY)
    return ", CHR(31), ".join(texts)


def _text(table: AnswerTable, field: str) -> str:
    """A field as text; empty where it is not given."""
    column = table.column(field)
    if column is None:
        return "''"
    text: Any = name(column)
    if table.form == "json":
        text = f"({text} ->> '$')"
    elif not table.is_text(column):
        text = f"CAST({text} AS VARCHAR)"
    return f"COALESCE({text}, '')"


def _wanted(where: str) -> str:
    return f" WHERE {where}" if where else ""
