"""What can be wrong with references, as far as running their SQL shows it."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from demur.answers import Sql
from demur.answers.tables.modes import TableSettings
from demur.answers.tables.relation_values import Relation
from demur.answers.tables.relations import compare_relations
from demur.answers.tabular import Canonical
from demur.errors import InputError
from demur.outcomes.records import Reference
from demur.references.asked_columns import asks_for_several, not_shown
from demur.references.findings import Finding
from demur.references.ranked_rows import RankedRows
from demur.references.text_lints import (
    beyond_maximum,
    canonical_of,
    empty_places,
    equal_pairs,
    fault,
    numerals,
)
from demur.references.text_numbers import condition, extreme
from demur.sql.bare_columns import BareColumns, bare_columns
from demur.sql.cases import Case, CaseReader
from demur.sql.clauses import Clauses, Keyed, clauses_of, queries_within
from demur.sql.conditions import Condition, comparisons_in
from demur.sql.databases import Databases
from demur.sql.execution import Query, QueryAnswer, SqlResult
from demur.sql.execution.databases import dialect_of
from demur.sql.schemas import CATALOGUE, schema_of

_GOLD: Final = "sql"
_AGAIN: Final = "again"
_MOST: Final = "max_sql"
_KEYED: Final = "keyed"
_COMPARED: Final = "compared"
_BARE: Final = "bare"
_TABLES: Final = "tables"

_CUTS: Final = re.compile(r"\b(?:limit|offset|fetch)\b", re.IGNORECASE)

_TIED: Final = "; any_tied would accept it, all_tied all of them"

_Found = Iterator[tuple[str, str]]


class _Sorted(NamedTuple):
    """A query, or one inside it, that can be looked at with its sort keys."""

    clauses: Clauses
    keyed: Keyed
    inside: bool


class _Part(NamedTuple):
    """One query of a reference: which, of which alternative, and what it shows."""

    role: str
    at: int
    sql: str
    about: _Sorted | Condition | BareColumns | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A reference whose queries run on one database.

    Parameters
    ----------
    reference : Reference
        Answerable; its SQL has been read without a fault.
    database : str
        Its path or URL.
    name : str
        As the reference calls it, if it names several; else "".
    parts : tuple
        The queries: those of the reference, each twice, and with their sort keys.
    """

    reference: Reference
    database: str
    name: str
    parts: tuple[_Part, ...]

    def queries(self) -> list[Query]:
        """What to run."""
        return [
            Query(self.database, part.sql, fresh=part.role == _AGAIN)
            for part in self.parts
        ]


def tasks_of(
    references: Iterable[Reference], root: str | Path | None
) -> tuple[list[Task], list[Finding]]:
    """What is to be run, and what cannot be.

    Parameters
    ----------
    references : iterable of Reference
        Their field ``db`` names a database, or several.
    root : str or Path, optional
        Their folder, by default the reference's own; or one database for all, a file
        or a server, of which ``db`` may name another database.

    Examples
    --------
    >>> one = Reference(item="q1", extra={"sql": "SELECT 1", "db": "a.sqlite"})
    >>> tasks, _ = tasks_of([one], "data")
    >>> [(query.sql, query.fresh) for query in tasks[0].queries()], tasks[0].database
    ([('SELECT 1', False), ('SELECT 1', True)], 'data/a.sqlite')
    """
    tasks: list[Task] = []
    findings: list[Finding] = []
    reader = CaseReader(Sql(), Databases(root=root))
    for reference in references:
        if not reference.answerable:
            continue  # it is never run
        valued = bool(reference.alternatives) or reference.extra.get("min") is not None
        try:
            sql = any(reference.extra.get(name) is not None for name in ("sql", "sqls"))
            cases = reader.cases(reference) if sql else ()
        except InputError as problem:
            check, text = fault(problem)
            if valued and problem.what == "db" and reference.extra.get("db") is None:
                # Judging by values does not need it.
                check, text = "unchecked", f"its SQL is not run: {text}"
            findings.append(_finding(reference, check, text))
            continue
        tasks += _tasks(reference, [case for case, _ in cases], reader.databases)
        if not (cases or valued):
            text = "holds neither values nor SQL"
            findings.append(_finding(reference, "not-a-reference", text))
    return tasks, findings


def _tasks(
    reference: Reference, cases: Sequence[Case], databases: Databases
) -> Iterator[Task]:
    if not cases:
        return
    given = reference.extra.get("db")
    names = given if isinstance(given, (list, tuple)) and given else [given]
    place = reference.place or "reference"
    called = {databases.named(name, place): str(name) for name in reversed(names)}
    places = cases[0].databases
    parts = tuple(part for at, case in enumerate(cases) for part in _parts(case, at))
    asks = isinstance(reference.input, str) and asks_for_several(reference.input)
    for place in places:
        catalogue = CATALOGUE.get(dialect_of(place)) if asks else None
        tables = (_Part(_TABLES, 0, catalogue),) if catalogue else ()
        name = called[place] if len(places) > 1 else ""
        yield Task(reference, place, name, (*parts, *tables))


def check_results(
    tasks: Sequence[Task], run: Callable[[Iterable[Query]], Iterator[QueryAnswer]]
) -> Iterator[Finding]:
    """All checks that need results, of one task after the other.

    Parameters
    ----------
    tasks : sequence of Task
        As `tasks_of` gives them.
    run : callable
        Runs queries, such as `demur.sql.execution.run_all`.

    Yields
    ------
    Finding
    """
    all_answers = run([query for task in tasks for query in task.queries()])
    for task in tasks:
        results = _Results(task, list(islice(all_answers, len(task.parts))))
        before = f"in {task.name}: " if task.name else ""
        for check, text in results.findings():
            yield _finding(task.reference, check, before + text)


def _finding(reference: Reference, check: str, text: str) -> Finding:
    return Finding(str(reference.item), check, text, reference.place)


def _parts(case: Case, at: int) -> Iterator[_Part]:
    if not case.sql:
        return
    yield _Part(_GOLD, at, case.sql)
    yield _Part(_AGAIN, at, case.sql)
    yield from (part._replace(at=at) for part in _derived(case.sql))
    if isinstance(case.most, str):
        yield _Part(_MOST, at, case.most)


@lru_cache(maxsize=64)  # a question in other words often stands beside the first
def _derived(sql: str) -> tuple[_Part, ...]:
    """Queries that show more of what a query does, as if it were alternative 0."""
    keyed = [_Part(_KEYED, 0, query.keyed.sql, query) for query in _sorted_within(sql)]
    compared = [_Part(_COMPARED, 0, one.sql, one) for one in comparisons_in(sql)]
    bare = bare_columns(sql)
    counted = [] if bare is None else [_Part(_BARE, 0, bare.sql, bare)]
    return (*keyed, *compared, *counted)


def _sorted_within(sql: str) -> Iterator[_Sorted]:
    """A sorted query, and those in brackets within it that sort and limit."""
    cut = [text for text in queries_within(sql) if _CUTS.search(text)]
    for number, text in enumerate((sql, *cut)):
        clauses = clauses_of(text)
        if clauses is None or (number and not clauses.limited):
            continue
        if (keyed := clauses.keyed()) is not None:
            yield _Sorted(clauses, keyed, bool(number))


class _Results:
    """The results of one reference on one database."""

    def __init__(self, task: Task, given: Sequence[QueryAnswer]) -> None:
        self.reference = task.reference
        self._dialect = dialect_of(task.database)
        self.parts = task.parts
        pairs = list(zip(task.parts, given, strict=True))
        self.answers = {(part.role, part.at): answer for part, answer in pairs}
        self.shown = [pair for pair in pairs if pair[0].about is not None]
        self.count = sum(part.role == _GOLD for part in task.parts)
        self.single = not task.name
        self.settings = TableSettings().with_fields("", task.reference.extra)
        try:
            self.canonical = canonical_of(task.reference)
        except InputError:  # said by the checks of texts
            self.canonical = ()

    def findings(self) -> _Found:
        """What is wrong with them."""
        for part in self.parts:
            if part.role in (_GOLD, _MOST):
                for check, text in self._of_query(part):
                    yield check, self._labelled(text, part)
        minima = [self._relation(_GOLD, at) for at in range(self.count)]
        whole = [relation for relation in minima if relation is not None]
        if len(whole) < len(minima):
            return
        for at in empty_places(whole):
            text = "the SQL returns no rows, and so may many a wrong query"
            yield "empty-result", self._labelled(text, _Part(_GOLD, at, ""))
        for text in equal_pairs(whole, self.settings):
            yield "equal-results", f"the results of {text}"
        yield from self._maxima(whole)
        yield from self._against_values(whole)

    def _labelled(self, text: str, part: _Part) -> str:
        before = f"alternative {part.at + 1}: " if self.count > 1 else ""
        return before + ("the maximum: " if part.role == _MOST else "") + text

    def _relation(self, role: str, at: int) -> Relation | None:
        answer = self.answers.get((role, at))
        if answer is None or answer.result is None or answer.result.truncated:
            return None
        return _relation(answer.result)

    def _of_query(self, part: _Part) -> _Found:
        answer = self.answers[part.role, part.at]
        if answer.failure is not None:
            yield "gold-fails", str(answer.failure)
        elif answer.result is not None and answer.result.truncated:
            yield "truncated-result", f"cut after {answer.result.n_rows:,} rows"
        relation = self._relation(part.role, part.at)
        if relation is not None and part.role == _GOLD:
            yield from _of_cells(relation)
            if not (self.canonical or self.settings.coerce_numeric_text):
                yield from numerals(relation)
            yield from self._repeated_run(part.at, relation)
            yield from self._order(part.at)
            yield from self._asked(part.sql)

    def _asked(self, sql: str) -> _Found:
        tables = self._relation(_TABLES, 0)
        if tables is None:
            return
        schema = schema_of(tables.rows(), self._dialect)
        columns = not_shown(str(self.reference.input), sql, self._dialect, schema)
        if columns:
            listed = ", ".join(columns)
            text = f"the question asks for {listed}, which the SQL does not show"
            yield "asked-not-shown", text

    def _repeated_run(self, at: int, relation: Relation) -> _Found:
        itself = compare_relations(
            response=relation, reference=relation, settings=self.settings
        )
        if not itself.right:
            yield "gold-not-right", f"against itself: {itself.reason}"
            return
        again = self._relation(_AGAIN, at)
        if again is None:
            yield "unstable-result", "a second run of the SQL fails"
        elif not compare_relations(
            response=again, reference=relation, settings=self.settings
        ).right:
            yield "unstable-result", "a second run of the SQL gives another result"

    def _order(self, at: int) -> _Found:
        for part, answer in self.shown:
            if part.at != at or answer.result is None:
                continue  # such as one that needs the query around it
            rows = answer.result.rows()
            if isinstance(part.about, _Sorted):
                ranking = RankedRows(part.about.clauses, part.about.keyed, rows)
                before = "in a subquery, " if part.about.inside else ""
                for check, text in ranking.findings():
                    tied = check == "tie-at-limit" and not part.about.inside
                    yield check, before + text + (_TIED if tied else "")
            elif isinstance(part.about, Condition):
                yield from _compared(part.about, rows)
            elif isinstance(part.about, BareColumns):
                yield from _bare(part.about, rows)

    def _maxima(self, minima: Sequence[Relation]) -> _Found:
        for at, minimum in enumerate(minima):
            maximum = self._relation(_MOST, at)
            if maximum is None:
                continue
            if why := beyond_maximum(minimum, maximum, self.settings):
                text = f"the result is not within that of the maximum ({why})"
                yield "min-beyond-max", self._labelled(text, _Part(_GOLD, at, ""))

    def _against_values(self, results: Sequence[Relation]) -> _Found:
        """Whether the SQL gives what the reference says in values."""
        if len(self.canonical) != len(results) or not self.single:
            return
        for at, (one, result) in enumerate(zip(self.canonical, results, strict=True)):
            why = _differs(one, result, self.settings)
            if why:
                text = f"the SQL does not give the answer of the reference: {why}"
                yield "sql-differs", self._labelled(text, _Part(_GOLD, at, ""))


def _relation(result: SqlResult) -> Relation:
    return Relation.from_columns(result.names, result.columns, result.nulls)


def _differs(canonical: Canonical, result: Relation, settings: TableSettings) -> str:
    minimum = canonical.minimum
    if not isinstance(minimum, Relation):
        return ""
    single = minimum.n_rows == minimum.n_columns == 1
    truth = single and isinstance(minimum.rows()[0][0], bool)
    if truth and result.n_rows == result.n_columns == 1:
        cell = result.rows()[0][0]
        if isinstance(cell, str) and cell.upper() in ("YES", "NO"):
            result = Relation.from_scalar(cell.upper() == "YES")
    explanation = compare_relations(
        response=result, reference=minimum, settings=settings
    )
    return "" if explanation.right else explanation.reason


def _of_cells(relation: Relation) -> _Found:
    columns = [column.tolist() for column in relation.columns]
    if not relation.n_rows:
        return
    if all(cell is None for cells in columns for cell in cells):
        yield "only-nulls", "the SQL returns nothing but NULL"
    for other, cells in enumerate(columns):
        for one in range(other):
            if columns[one] == cells:
                text = f"columns {one + 1} and {other + 1} are equal: either will do "
                yield "repeated-columns", text + "for the other"


def _bare(about: BareColumns, rows: Sequence[Sequence[Any]]) -> _Found:
    counts = [row[-len(about.names) :] for row in rows]
    several = [
        name
        for name, column in zip(about.names, zip(*counts, strict=True), strict=False)
        if max(column) > 1
    ]
    if several:
        listed = ", ".join(several)
        text = "in neither GROUP BY nor an aggregate, with several values in a group"
        yield "bare-column", f"{listed} is {text}: any of them may be shown"


def _compared(about: Condition, rows: Sequence[Sequence[Any]]) -> _Found:
    if about.literals:
        why = condition(rows, about.sign, about.literals)
    else:
        why = extreme([cell for (cell,) in rows], greatest=about.sign == "MAX")
    if why:
        yield "text-order", f"{about.text} {why}"
