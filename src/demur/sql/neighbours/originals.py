"""What is read of a database before others like it are made, by queries like others."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from demur.errors import InputError
from demur.sql.execution import Query, QueryAnswer
from demur.sql.execution.databases import find_database
from demur.sql.execution.queries import QueryFailed
from demur.sql.neighbours.blueprints import (
    CATALOGUES,
    Blueprint,
    ForeignKey,
    StoredTable,
    blueprint_of,
    quoted,
)
from demur.sql.neighbours.writing import orphans

_READ: Final = 2000
"""Rows that are read of a table."""

_SOUGHT: Final = 200
"""Rows of another table that are looked up by their keys, in one query."""

_LOOK_UPS: Final = 10

Run = Callable[[Iterable[Query]], Iterator[QueryAnswer]]


class Original(NamedTuple):
    """A database that others are made like.

    Parameters
    ----------
    name : str
        Its path.
    blueprint : Blueprint
        How it is built, and which foreign keys it keeps.
    contents : dict of table to rows
        What it holds, or some of it.
    broken : tuple of str
        Tables with a foreign key that it does not keep.
    """

    name: str
    blueprint: Blueprint
    contents: dict[str, list[tuple[Any, ...]]]
    broken: tuple[str, ...] = ()

    @property
    def partners(self) -> frozenset[tuple[str, str, str, str]]:
        """Its foreign keys of one column without NULL, as `Telling` takes them."""
        tables = {table.name: table for table in self.blueprint.tables}
        return frozenset(
            (
                *(table.name.lower(), table.columns[link.columns[0]].lower()),
                link.parent.lower(),
                tables[link.parent].columns[link.parent_columns[0]].lower(),
            )
            for table in self.blueprint.tables
            for link in table.links
            if link.held
            and len(link.columns) == 1
            and all(
                row[link.columns[0]] is not None for row in self.contents[table.name]
            )
        )


def read_original(name: str, run: Run) -> Original:
    """Read a database.

    Parameters
    ----------
    name : str
        A SQLite or DuckDB file.
    run : callable
        Runs queries, such as `demur.sql.execution.run_all`.

    Raises
    ------
    InputError
        If it cannot be read, or not be made anew.
    """
    try:
        database = find_database(name)
    except QueryFailed as problem:
        raise _unreadable(name, problem.failure.message) from None
    if not database.is_file or database.engine not in CATALOGUES:
        raise _unreadable(name, database.engine, "be a SQLite or DuckDB file")
    ask = _Asker(name, run)
    [catalogue] = ask.rows([CATALOGUES[database.engine]])
    blueprint = blueprint_of(database.engine, catalogue, name)
    texts = [f"{_selection(table)} LIMIT {_READ}" for table in blueprint.tables]
    links = blueprint.links
    checks = [
        f"SELECT count(*) {orphans(table, link, blueprint)}" for table, link in links
    ]
    results = ask.rows([*texts, *checks])
    counts = [rows[0][0] for rows in results[len(texts) :]]
    broken = {
        (table.name, link)
        for (table, link), number in zip(links, counts, strict=True)
        if number
    }
    names = [table.name for table in blueprint.tables]
    contents = dict(zip(names, map(list, results), strict=False))
    _look_up_parents(blueprint, contents, ask)
    tables = tuple(sorted({table for table, _ in broken}))
    return Original(name, blueprint.without(broken), contents, tables)


class _Asker:
    """Asks one database, and has no answer but rows."""

    def __init__(self, name: str, run: Run) -> None:
        self._name, self._run = name, run

    def rows(self, texts: Sequence[str]) -> list[list[tuple[Any, ...]]]:
        """The rows of each query.

        Raises
        ------
        InputError
            If one of them fails.
        """
        results = []
        for answer in self._run([Query(self._name, text) for text in texts]):
            if answer.result is None:
                raise _unreadable(self._name, str(answer.failure))
            results.append(answer.result.rows())
        return results


def _unreadable(name: str, got: str, need: str = "be readable") -> InputError:
    return InputError(name, "the database", need, got)


def _selection(table: StoredTable) -> str:
    columns = ", ".join(map(quoted, table.columns))
    return f"SELECT {columns} FROM {quoted(table.name)}"


def _look_up_parents(
    blueprint: Blueprint, contents: dict[str, list[tuple[Any, ...]]], ask: _Asker
) -> None:
    """Read the rows that foreign keys lead to, where not all rows were read."""
    tables = {table.name: table for table in blueprint.tables}
    for _ in range(_LOOK_UPS):
        wanted = {
            (link.parent, link.parent_columns): missing
            for table in blueprint.tables
            for link in table.links
            if len(contents[link.parent]) >= _READ
            and (missing := _missing(table, link, contents))
        }
        if not wanted:
            return
        texts = [
            _by_key(tables[parent], columns, keys)
            for (parent, columns), keys in wanted.items()
        ]
        for (parent, _), rows in zip(wanted, ask.rows(texts), strict=True):
            there = set(map(repr, contents[parent]))
            contents[parent] += [row for row in rows if repr(row) not in there]


def _missing(
    table: StoredTable, link: ForeignKey, contents: dict[str, list[tuple[Any, ...]]]
) -> list[tuple[Any, ...]]:
    """Keys of rows that were not read."""
    keys = (tuple(row[at] for at in link.columns) for row in contents[table.name])
    there = {
        tuple(row[at] for at in link.parent_columns) for row in contents[link.parent]
    }
    wanted = dict.fromkeys(key for key in keys if None not in key and key not in there)
    plain = [key for key in wanted if all(isinstance(one, int | str) for one in key)]
    return plain[:_SOUGHT]


def _by_key(
    table: StoredTable, columns: Sequence[int], keys: Sequence[Sequence[Any]]
) -> str:
    names = [quoted(table.columns[at]) for at in columns]
    equal = (
        " AND ".join(
            f"{name} = {_literal(cell)}" for name, cell in zip(names, key, strict=True)
        )
        for key in keys
    )
    return f"{_selection(table)} WHERE {' OR '.join(f'({one})' for one in equal)}"


def _literal(cell: Any) -> str:
    return str(cell) if isinstance(cell, int) else "'" + cell.replace("'", "''") + "'"
