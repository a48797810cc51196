"""DuckDB, in this process: counting what does not fit into memory."""

import re
import weakref
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Final

import numpy as np

from demur.engines.sources.faults import engine_errors, fails_alone
from demur.engines.sources.row_places import placed_rows
from demur.engines.sources.source_files import SourceFile
from demur.engines.sql_counts import literal, name
from demur.errors import InputError, extra_module, shown
from demur.temporary import drop_folder, passing_folder

SETTINGS: Final[Mapping[str, Any]] = {
    "allow_community_extensions": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "enable_external_file_cache": False,
    "preserve_insertion_order": False,
}
"""Nothing is installed by itself, or kept in memory twice."""

SESSION: Final = (
    "SET enable_progress_bar = false",
    "SET python_enable_replacements = false",  # no table is a variable's name
    "SET TimeZone = 'UTC'",
)

_VIEW: Final = re.compile(r"CREATE .*?VIEW \S+ AS (.*?);?\s*$", re.DOTALL)

_SIZE: Final = re.compile(r"\d+(\.\d+)? ?[KMGT]i?B", re.IGNORECASE)

MEMORY: Final = "400MB"
"""What DuckDB may hold in memory; the rest is on disk."""


class DuckdbConnection:
    """A connection of its own to DuckDB.

    Parameters
    ----------
    memory : str
        What it may hold in memory.
    threads : int, optional
        How many it uses; one for each core if left out.
    """

    name = "duckdb"

    def __init__(self, *, memory: str = MEMORY, threads: int | None = None) -> None:
        extra_module("duckdb", "scale", "counting in DuckDB")
        import duckdb

        if not _SIZE.fullmatch(memory):
            need = "be a size with its unit, such as 2GB"
            raise InputError("DuckDB", "memory", need, shown(memory))
        settings = {**SETTINGS, "memory_limit": memory}
        try:
            folder = passing_folder("demur-")
        except OSError as error:
            need, hint = "be one that can be written in", "Set TMPDIR to such a folder."
            what = "the temporary folder"
            raise InputError("DuckDB", what, need, str(error), hint) from None
        weakref.finalize(self, drop_folder, folder)
        settings["temp_directory"] = folder
        if threads is not None:
            settings["threads"] = threads
        with engine_errors(memory=memory):
            self.connection: Any = duckdb.connect(config=settings)
            for setting in SESSION:
                self.connection.execute(setting)
        self.files: tuple[SourceFile, ...] = ()
        self._memory = memory
        self._taken: dict[tuple[DuckdbConnection, str], str | None] = {}

    def reading(self, files: Sequence[SourceFile]) -> AbstractContextManager[None]:
        """Within it, errors of DuckDB are ours, and name one of some files."""
        fails = partial(fails_alone, self.connection.execute)
        return engine_errors(files, fails, self._memory)

    def distrust_statistics(self) -> None:
        """From now on, look at values also where statistics of files tell them.

        They know nothing of NaN, and DuckDB decides ISNAN and others by them. Counting
        takes up to half as long again.
        """
        if hasattr(self.connection, "register"):  # no relation of somebody else's
            self.connection.execute(
                "SET disabled_optimizers = 'statistics_propagation'"
            )

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of an answer that is short."""
        with self.reading(self.files):
            answer = self.connection.execute(query)
            return [] if answer is None else list(answer.fetchall())

    def ordered(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of an answer that is short, in the order of files."""
        with self.reading(self.files):
            self.connection.execute("SET preserve_insertion_order = true")
            try:
                rows: list[tuple[Any, ...]] = self.connection.execute(query).fetchall()
            finally:
                self.connection.execute("SET preserve_insertion_order = false")
            return rows

    def located(
        self, relation: str, where: str, columns: Sequence[str], most: int, place: str
    ) -> list[tuple[str, tuple[Any, ...]]]:
        """The first rows for which a condition holds, each with where it stands."""
        self.distrust_statistics()
        parts = relation, where, columns, most, place
        return placed_rows(self.ordered, self.files, *parts)

    def columns(self, query: str) -> Mapping[str, Any]:
        """The columns of an answer, numbers as arrays."""
        with self.reading(self.files):
            answer = self.connection.execute(query)
            named = {str(one): str(its) for one, its, *_ in answer.description}
            if any(_OF_TIME.match(its) for its in named.values()):
                rows = [*answer.fetchall(), (None,) * len(named)]  # as `rows` has them
                columns = np.array(rows, object)[:-1].T
                return dict(zip(named, columns, strict=True))
            table = answer.fetchnumpy()
        return {one: _without_mask(values) for one, values in table.items()}

    def taken_over(self, other: Any, relation: str) -> str | None:
        """A relation of another connection as one of this one; None if it cannot be."""
        if other is self:
            return relation
        if not isinstance(other, DuckdbConnection):
            return None
        if not all(hasattr(one.connection, "register") for one in (self, other)):
            return None  # rows of a relation, seen from nowhere else
        if (other, relation) not in self._taken:
            beside = self._view_beside(other, relation)
            self._taken[other, relation] = beside or self._table_beside(other, relation)
            self.files = (*self.files, *other.files)
        return self._taken[other, relation]

    def _view_beside(self, other: "DuckdbConnection", relation: str) -> str | None:
        """A view that reads the files that one of another connection reads."""
        query = "SELECT sql FROM duckdb_views() WHERE view_name = "
        made = [_VIEW.match(text) for (text,) in other.rows(query + literal(relation))]
        if len(made) != 1 or made[0] is None:
            return None
        taken = f"demur_beside_{len(self._taken)}"
        self.rows(f"CREATE TEMP VIEW {taken} AS {made[0][1]}")
        return taken

    def _table_beside(self, other: "DuckdbConnection", relation: str) -> str | None:
        """A table of a file that another connection reads."""
        query = "SELECT database_name, path FROM duckdb_databases() WHERE path NOT NULL"
        theirs = dict(other.rows(query))
        ours = {path: database for database, path in self.rows(query)}
        for database, path in theirs.items():
            if relation.startswith(name(database) + "."):
                alias = ours.get(path, f"demur_beside_{len(self._taken)}")
                if path not in ours:
                    self.rows(f"ATTACH {literal(path)} AS {alias} (READ_ONLY)")
                return name(alias) + relation.removeprefix(name(database))
        return None

    def sampled(self, relation: str, share: float) -> str:
        """About that share of the rows: whole stretches of neighbouring ones."""
        if share >= 1:
            return relation
        percent = max(100 * share, 1e-3)
        return f"{relation} TABLESAMPLE SYSTEM({percent:.6f} PERCENT) REPEATABLE(1)"


_OF_TIME: Final = re.compile("DATE|TIME|INTERVAL")
"""Types whose values are others, as numpy has them."""


def _without_mask(values: Any) -> Any:
    """A column as a plain array, with None for what is missing."""
    plain = np.ma.getdata(values)
    if not np.ma.is_masked(values):
        return plain
    plain = plain.astype(object)
    plain[np.ma.getmaskarray(values)] = None
    return plain
