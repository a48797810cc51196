"""What a reference accepts: queries or stored tables, where they run, and how compared.

One case is one acceptable answer. A reference has several with ``sqls``, with several
stored tables, and with a weight each.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from demur.answers import Relation, Sql, TableSettings
from demur.answers.tables.modes import MODES, flag
from demur.errors import InputError
from demur.outcomes.records import Reference
from demur.sql.databases import Databases
from demur.sql.execution.statements import LONGEST
from demur.sql.reference_fields import (
    credits_of,
    required_columns,
    stored_results,
    stored_table,
    texts_of,
)
from demur.sql.sources import without_distinct


class Case(NamedTuple):
    """One acceptable answer, where answers run, and how results are compared with it.

    Parameters
    ----------
    databases : tuple of str
        The results must match in each.
    sql : str
        The canonical query; "" if there is none.
    most : str, Relation or None
        The query for all that an answer may hold, or its result as stored.
    settings : TableSettings
        How they are compared.
    limited : bool
        Whether a maximum is to be derived where there is no `most`: by the rules of
        the papers only.
    stored : Relation, optional
        The canonical answer as stored, in place of a query.
    order_from_sql : bool
        Whether order counts as the query's ORDER BY says, ties in any order.
    any_tied : bool
        Whether LIMIT may take any of the rows that tie where it cuts.
    all_tied : bool
        Whether it may take all of them.
    """

    databases: tuple[str, ...]
    sql: str
    most: str | Relation | None
    settings: TableSettings
    limited: bool = False
    stored: Relation | None = None
    order_from_sql: bool = False
    any_tied: bool = False
    all_tied: bool = False

    def asked(self, sql: str) -> str:
        """A query as it is run: some modes take every DISTINCT out of it."""
        keeps = MODES[self.settings.mode].keep_distinct or len(sql) > LONGEST
        return sql if keeps else without_distinct(sql)

    @property
    def ranked(self) -> bool:
        """Whether its sort keys must be known."""
        return bool(self.sql) and (self.order_from_sql or self.beyond_limit)

    @property
    def beyond_limit(self) -> bool:
        """Whether rows after its limit may be right, too."""
        return self.any_tied or self.all_tied


class CaseReader:
    """Reads the cases of references.

    Parameters
    ----------
    comparator : Sql
        How results are compared, unless a reference says otherwise.
    databases : Databases
        Where queries run.
    """

    def __init__(self, comparator: Sql, databases: Databases) -> None:
        self.comparator, self.databases = comparator, databases
        self._stored: dict[str, list[Relation | None]] = {}
        self._tables: dict[str, Relation | None] = {}
        self._minima: dict[tuple[int, tuple[int, ...]], Relation] = {}
        self._named: dict[tuple[str, str], str] = {}

    def cases(self, reference: Reference) -> tuple[tuple[Case, float], ...]:
        """The acceptable answers of a reference, with their weights.

        Raises
        ------
        InputError
            If a field is not what it must be.

        Examples
        --------
        >>> from demur import answers
        >>> reference = Reference(item="q", extra={"db": "a.db", "sql": "SELECT 1"})
        >>> [(case, _)] = CaseReader(answers.sql(), Databases()).cases(reference)
        >>> case.databases, case.sql, case.most
        (('a.db',), 'SELECT 1', None)
        """
        extra, place = reference.extra, reference.place or "reference"
        texts = texts_of(extra, "sql", place)
        tables = [] if texts else self._kept_tables(reference)
        count = len(texts) or len(tables)
        if not count:
            return ()
        given = self._most(extra, count, place)
        most = given or [None] * count
        settings = self.comparator.settings.with_fields(place, extra)
        cas = MODES[settings.mode].cas
        limited = cas and given is None and self.comparator.maximum == "derived"
        usual = Case(
            *(self._databases(extra, place), "", None, settings, limited),
            order_from_sql=self._switch("order_from_sql", extra, place),
            any_tied=self._switch("any_tied", extra, place),
            all_tied=self._switch("all_tied", extra, place),
        )
        if texts:
            credits_ = credits_of(extra, texts, place)
            queries = [str(text) for text, _ in texts]
            return tuple(
                (_in_its_mode(usual._replace(sql=sql, most=limit)), credit)
                for sql, limit, credit in zip(queries, most, credits_, strict=True)
            )
        required = required_columns(extra, [table for table, _ in tables], place)
        kept = zip(tables, required, most, strict=True)
        return tuple(
            (self._of_table(usual, table, columns, limit), credit)
            for (table, credit), columns, limit in kept
        )

    def _of_table(
        self, case: Case, table: Relation, required: tuple[int, ...] | None, most: Any
    ) -> Case:
        """A case whose answer is stored; further columns of the table may be shown."""
        if required is None:
            return case._replace(stored=table, most=most)
        key = id(table), required
        if key not in self._minima:
            self._minima[key] = table.with_columns(required)
        limit = table if case.limited and most is None else most
        return case._replace(stored=self._minima[key], most=limit)

    def _switch(self, name: str, extra: Mapping[str, Any], place: str) -> bool:
        if extra.get(name) is not None:
            return flag(place, name, extra[name])
        return bool(getattr(self.comparator, name))

    def _databases(self, extra: Mapping[str, Any], place: str) -> tuple[str, ...]:
        listed = extra.get("db")
        names = listed if isinstance(listed, (list, tuple)) and listed else [listed]
        return tuple(dict.fromkeys(self._database(name, place) for name in names))

    def _database(self, name: Any, place: str) -> str:
        """A database; links are followed once for all references of a file."""
        if not isinstance(name, str):
            return self.databases.named(name, place)
        key = name, place.rpartition(":")[0]
        if key not in self._named:
            self._named[key] = self.databases.named(name, place)
        return self._named[key]

    def _kept_tables(self, reference: Reference) -> list[tuple[Relation, float]]:
        """The alternatives of a reference that are tables; no other values count."""
        tables = []
        for value, weight in reference.alternatives:
            key = repr(value)
            if key not in self._tables:
                place = reference.place or "reference"
                self._tables[key] = stored_table(value, place)
            table = self._tables[key]
            if table is not None:
                tables.append((table, weight))
        return tables

    def _most(
        self, extra: Mapping[str, Any], count: int, place: str
    ) -> Sequence[str | Relation | None] | None:
        """What a reference says of its maxima, one for each query; None if nothing."""
        if given := texts_of(extra, "max_sql", place):
            if len(given) != count:
                need = f"be one for each of {count} queries"
                raise InputError(place, "max_sqls", need, str(len(given)))
            return [text for text, _ in given]
        if extra.get("max") is None:
            return None
        key = repr(extra["max"])
        if key not in self._stored:
            self._stored[key] = stored_results(extra["max"], place)
        if len(self._stored[key]) != count:
            need, got = f"be one for each of {count} queries", len(self._stored[key])
            hint = "max_sqls gives queries instead, or null where there is no limit."
            raise InputError(place, "max", need, str(got), hint)
        return self._stored[key]


def _in_its_mode(case: Case) -> Case:
    """The case as the mode of another evaluator reads its SQL."""
    settings = case.settings
    mode = MODES[settings.mode]
    if mode.as_printed and settings.ordered is None:
        settings = replace(settings, ordered="order by" in case.sql.lower())
    return case._replace(settings=settings, sql=case.asked(case.sql))
