"""What can be wrong with references, as far as running their SQL shows it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from demur.answers.modes import Settings
from demur.answers.numerals import decimal
from demur.answers.relation_values import Relation
from demur.answers.relations import compare_relations
from demur.answers.tabular import Canonical
from demur.errors import InputError, shown
from demur.execution import Answer, Query, SqlResult
from demur.findings import Finding
from demur.querying import Databases
from demur.records import Reference
from demur.reference_lints import (
    beyond_maximum,
    canonical_of,
    empty_places,
    equal_pairs,
    numerals,
    queries_of,
)
from demur.sql_clauses import Clauses, Keyed, clauses_of, queries_within

_GOLD: Final = "sql"
_AGAIN: Final = "again"
_MOST: Final = "max_sql"
_KEYED: Final = "keyed"

_Found = Iterator[tuple[str, str]]


class _Part(NamedTuple):
    """One query of a reference: which, and of which alternative."""

    role: str
    at: int
    sql: str


@dataclass(frozen=True, slots=True)
class Task:
    """A reference whose queries run on one database.

    Parameters
    ----------
    reference : Reference
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
    tasks, findings = [], []
    databases = Databases(root=root)
    for reference in references:
        given = reference.extra.get("db")
        names = given if isinstance(given, (list, tuple)) else [given]
        parts = _parts(reference)
        for name in names if parts else ():
            if not (name or databases.is_one):
                continue
            try:
                place = databases.named(name or None, reference.place)
            except InputError as problem:
                text = f"not run: {problem.what} must {problem.must}; got {problem.got}"
                findings.append(_finding(reference, "gold-fails", text))
                continue
            tasks.append(
                Task(reference, place, str(name) if len(names) > 1 else "", parts)
            )
    return tasks, findings


def check_results(
    tasks: Sequence[Task], run: Callable[[Iterable[Query]], Iterator[Answer]]
) -> Iterator[Finding]:
    """All checks that need results, of one task after the other.

    Parameters
    ----------
    tasks : sequence of Task
    run : callable
        Runs queries, such as `demur.execution.run_all`.

    Yields
    ------
    Finding
    """
    all_answers = run([query for task in tasks for query in task.queries()])
    for task in tasks:
        found = _Results(task, list(islice(all_answers, len(task.parts))))
        before = f"in {task.name}: " if task.name else ""
        for check, text in found.findings():
            yield _finding(task.reference, check, before + text)


def _finding(reference: Reference, check: str, text: str) -> Finding:
    return Finding(str(reference.item), check, text, reference.place)


def _parts(reference: Reference) -> tuple[_Part, ...]:
    parts = []
    for at, (sql, _) in enumerate(queries_of(reference, "sql", "sqls")):
        parts += [_Part(_GOLD, at, sql), _Part(_AGAIN, at, sql)]
        parts += [_Part(each.role, at, each.keyed.sql) for each in _sorted_within(sql)]
    for at, (sql, _) in enumerate(queries_of(reference, "max_sql", "max_sqls")):
        parts.append(_Part(_MOST, at, sql))
    return tuple(parts)


class _Sorted(NamedTuple):
    """A query, or one inside it, that can be looked at with its sort keys."""

    role: str
    clauses: Clauses
    keyed: Keyed
    inside: bool


def _sorted_within(sql: str) -> Iterator[_Sorted]:
    """A sorted query, and those in brackets within it that sort and limit."""
    for number, text in enumerate((sql, *queries_within(sql))):
        clauses = clauses_of(text)
        if clauses is None or (number and not clauses.limited):
            continue
        if (keyed := clauses.keyed()) is not None:
            yield _Sorted(f"{_KEYED} {number}", clauses, keyed, bool(number))


class _Results:
    """The results of one reference on one database."""

    def __init__(self, task: Task, given: Sequence[Answer]) -> None:
        self.reference = task.reference
        self.parts = task.parts
        self.answers = {
            (part.role, part.at): answer
            for part, answer in zip(task.parts, given, strict=True)
        }
        self.count = sum(part.role == _GOLD for part in task.parts)
        self.single = not task.name
        try:
            self.settings = Settings().with_fields("", task.reference.extra)
            self.canonical = canonical_of(task.reference)
        except InputError:  # said by the checks of texts
            self.settings, self.canonical = Settings(), ()

    def findings(self) -> _Found:
        """What is wrong with them."""
        for part in self.parts:
            if part.role in (_GOLD, _MOST):
                for check, text in self._of_query(part):
                    yield check, self._said(text, part)
        minima = [self._relation(_GOLD, at) for at in range(self.count)]
        whole = [relation for relation in minima if relation is not None]
        if len(whole) < len(minima):
            return
        for at in empty_places(whole):
            text = "the SQL returns no rows, and so may many a wrong query"
            yield "empty-result", self._said(text, _Part(_GOLD, at, ""))
        for text in equal_pairs(whole, self.settings):
            yield "equal-results", f"the results of {text}"
        yield from self._maxima(whole)
        yield from self._against_values(whole)

    def _said(self, text: str, part: _Part) -> str:
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
            yield from self._sorting(part)

    def _repeated_run(self, at: int, relation: Relation) -> _Found:
        itself = compare_relations(relation, relation, self.settings)
        if not itself.right:
            yield "gold-not-right", f"against itself: {itself.reason}"
            return
        again = self._relation(_AGAIN, at)
        if again is None:
            yield "unstable-result", "a second run of the SQL fails"
        elif not compare_relations(relation, again, self.settings).right:
            yield "unstable-result", "a second run of the SQL gives another result"

    def _sorting(self, part: _Part) -> _Found:
        for each in _sorted_within(part.sql):
            result = self.answers[each.role, part.at].result
            if result is None:  # such as one that needs the query around it
                continue
            ranking = _Ranking(each.clauses, each.keyed, result.rows())
            for check, text in ranking.findings():
                yield check, f"in a subquery, {text}" if each.inside else text

    def _maxima(self, minima: Sequence[Relation]) -> _Found:
        for at, minimum in enumerate(minima):
            maximum = self._relation(_MOST, at)
            why = (
                ""
                if maximum is None
                else beyond_maximum(minimum, maximum, self.settings)
            )
            if why:
                text = f"the result is not within that of the maximum ({why})"
                yield "min-beyond-max", self._said(text, _Part(_GOLD, at, ""))

    def _against_values(self, results: Sequence[Relation]) -> _Found:
        """Whether the SQL gives what the reference says in values."""
        if len(self.canonical) != len(results) or not self.single:
            return
        for at, (one, result) in enumerate(zip(self.canonical, results, strict=True)):
            why = _differs(one, result, self.settings)
            if why:
                text = f"the SQL does not give the answer of the reference: {why}"
                yield "sql-differs", self._said(text, _Part(_GOLD, at, ""))


def _relation(result: SqlResult) -> Relation:
    return Relation.from_columns(result.names, result.columns, result.nulls)


def _differs(canonical: Canonical, result: Relation, settings: Settings) -> str:
    minimum = canonical.minimum
    if not isinstance(minimum, Relation):
        return ""
    if _is_truth(minimum) and result.n_rows == result.n_columns == 1:
        cell = result.rows()[0][0]
        if isinstance(cell, str) and cell.upper() in ("YES", "NO"):
            result = Relation.from_scalar(cell.upper() == "YES")
    found = compare_relations(minimum, result, settings)
    return "" if found.right else found.reason


def _is_truth(relation: Relation) -> bool:
    single = relation.n_rows == relation.n_columns == 1
    return single and isinstance(relation.rows()[0][0], bool)


def _of_cells(relation: Relation) -> _Found:
    """Of the values of a result."""
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


class _Ranking:
    """The rows of a sorted query with their keys, and some rows after the last."""

    def __init__(self, clauses: Clauses, keyed: Keyed, rows: Sequence[Any]) -> None:
        width = len(rows[0]) - keyed.added if rows else 0
        self.clauses = clauses
        self.shown = [row[:width] for row in rows]
        self.keys = [tuple(row[at] for at in keyed.keys) for row in rows]
        self.begin = clauses.offset
        limit = clauses.limit
        self.end = len(rows) if limit is None else min(self.begin + limit, len(rows))

    def findings(self) -> _Found:
        """Ties at the limit, NULL before values, and numbers sorted as texts."""
        if self.clauses.limited and self.begin < self.end:
            for border in {self.begin, self.end}:
                yield from self._tie(border)
            yield from self._null_first()
        yield from self._text_order()

    def _tie(self, border: int) -> _Found:
        if (
            not 0 < border < len(self.keys)
            or self.keys[border - 1] != self.keys[border]
        ):
            return
        first, last = border - 1, border
        while first > 0 and self.keys[first - 1] == self.keys[border]:
            first -= 1
        while last + 1 < len(self.keys) and self.keys[last + 1] == self.keys[border]:
            last += 1
        if any(row != self.shown[border] for row in self.shown[first : last + 1]):
            where = f"rows {first + 1} to {last + 1} tie on {self._by()}"
            if border == self.end:
                where += f", and LIMIT cuts after row {border}"
            else:
                where += f", and OFFSET begins at row {border + 1}"
            yield "tie-at-limit", f"{where}: another choice is as right"

    def _null_first(self) -> _Found:
        first = [key[0] for key in self.keys]
        nulls = [at for at in range(self.begin, self.end) if first[at] is None]
        if nulls and any(value is not None for value in first[nulls[0] :]):
            text = f"NULL in {self._by()} sorts before values, so LIMIT takes rows "
            yield "null-first", text + "without a value"

    def _text_order(self) -> _Found:
        cells = [key[0] for key in self.keys if key[0] is not None]
        if not all(isinstance(cell, str) for cell in cells):
            return
        numbers = [number for number in map(decimal, cells) if number is not None]
        falling = bool(cells) and cells[0] > cells[-1]
        if len(numbers) < len(cells) or numbers == sorted(numbers, reverse=falling):
            return
        example = next((a, b) for a, b in pairwise(cells) if a != b)
        text = f"{self._by()} holds numerals as texts, and is not sorted as numbers: "
        yield "text-order", text + f"{shown(example[0])} before {shown(example[1])}"

    def _by(self) -> str:
        return " ".join(", ".join(self.clauses.keys).split())
