"""Where a row of a relation stands: its file, and its line or number there."""

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Final

from demur.engines.sources.relations import FILE
from demur.engines.sources.source_files import CELLS, JSON, TYPED, SourceFile
from demur.engines.sql_counts import literal
from demur.formats.delimited import DelimitedTable
from demur.formats.streams import opened

Ordered = Callable[[str], list[tuple[Any, ...]]]
"""Gives the rows of an answer in the order of files."""

_MOST_LINES: Final = 5_000_000
"""Beyond so many rows of delimited text they are numbered, and not their lines."""


def placed_rows(
    ordered: Ordered,
    files: Sequence[SourceFile],
    relation: str,
    where: str,
    columns: Sequence[str],
    most: int,
    place: str,
) -> list[tuple[str, tuple[Any, ...]]]:
    """The first rows for which a condition holds, each with where it stands.

    Parameters
    ----------
    ordered : callable
        Puts a query, and gives rows in the order of files.
    files : sequence of SourceFile
        What the relation is made of.
    relation, where : str
        What stands behind FROM and WHERE.
    columns : sequence of str
        What is wanted of a row, as SQL.
    most : int
        So many rows.
    place : str
        What a relation is called that is no file.
    """  # fmt: skip
    kinds = {os.path.normpath(one.path): one for one in files if one.kind in _KINDS}
    if not kinds:
        numbered = _numbered(relation, where, columns, most)
        return [(f"{place}:row {n}", tuple(row)) for n, *row in ordered(numbered)]
    query = f"SELECT {FILE} FROM {relation} WHERE {where} LIMIT {most}"
    rows: list[tuple[str, tuple[Any, ...]]] = []
    for path in dict.fromkeys(path for (path,) in ordered(query)):
        within = f"(SELECT * FROM {relation} WHERE {FILE} = {literal(path)})"
        file = kinds[os.path.normpath(path)]
        for n, *row in ordered(_numbered(within, where, columns, most - len(rows))):
            rows.append((_place(file, n), tuple(row)))
    return rows[:most]


_KINDS: Final = (TYPED, CELLS, JSON)


def _numbered(relation: str, where: str, columns: Sequence[str], most: int) -> str:
    """A query for rows with their numbers, from 1 on, before any is left out."""
    listed = ", ".join(["n_", *columns])
    return (
        f"SELECT {listed} FROM (SELECT *, ROW_NUMBER() OVER () AS n_ FROM {relation}) "
        f"AS numbered_ WHERE {where} LIMIT {most}"
    )


def _place(file: SourceFile, number: int) -> str:
    """A row as our own readers call it.

    Examples
    --------
    >>> _place(SourceFile("a.parquet", TYPED), 3)
    'a.parquet:row 3'
    """
    is_text = file.kind != TYPED and not file.is_remote
    if is_text and (file.kind == JSON or number <= _MOST_LINES):
        lines = _records(file.path) if file.kind == JSON else _rows(file.path)
        for line in islice(lines, number - 1, number):
            return f"{file.name}:{line}"
    return f"{file.name}:row {number}"


def _rows(path: str) -> Iterator[int]:
    with opened(path) as stream:
        for line, _ in DelimitedTable(stream).cells():
            yield line


def _records(path: str) -> Iterator[int]:
    with opened(path) as stream:
        for first, block in stream.blocks():
            for line, text in enumerate(block.split(b"\n"), first):
                if text.strip():
                    yield line
