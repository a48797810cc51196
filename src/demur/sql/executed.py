"""Answers that are SQL: run on databases, compared by what they return.

All queries of a run are known before the first verdict, so that equal ones run once
and in parallel. A result is compared as soon as it is there and then forgotten.
"""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path, PurePath
from typing import Any, ClassVar, Final, NamedTuple

from demur import answers
from demur.answers import Explanation, Match, Relation, Sql, TableSettings
from demur.answers.tables.relation_values import Column, replaced
from demur.errors import InputError, shown
from demur.outcomes.records import Reference, Response, item_text
from demur.sql.databases import Databases
from demur.sql.execution import Query, QueryAnswer, SqlFailure, engines_of, public_name
from demur.sql.execution.databases import find_database
from demur.sql.execution.queries import QueryFailed
from demur.sql.maxima import derived_maximum
from demur.sql.reference_fields import credits_of, stored_maxima, texts_of

_YES: Final = "YES"

_NO: Final = "NO"


def is_truth(result: Any) -> bool:
    """Whether a result is one column of nothing but booleans, or of YES and NO.

    Examples
    --------
    >>> is_truth(Relation.from_rows([["YES"], ["YES"]]))
    True
    >>> is_truth(Relation.from_rows([["yes"]])), is_truth(Relation.from_rows([[1]]))
    (False, False)
    """
    if not isinstance(result, Relation) or result.n_columns != 1:
        return False
    (column,) = result.columns
    booleans = column.values.dtype == bool and column.null is None
    return len(column) > 0 and (booleans or _says(column))


def with_booleans(result: Any) -> Any:
    """The same with booleans in columns of nothing but YES and NO.

    Parameters
    ----------
    result : Relation, or whatever stands in place of one
        What is no relation stays as it is.

    Examples
    --------
    >>> with_booleans(Relation.from_rows([["YES", "x"], ["NO", "YES"]])).rows()
    [(True, 'x'), (False, 'YES')]
    """
    if not isinstance(result, Relation):
        return result
    columns = [
        Column(column.values == _YES) if _says(column) else column
        for column in result.columns
    ]
    return replaced(result, columns)


def _says(column: Column) -> bool:
    texts = column.text and column.null is None and len(column)
    return bool(texts) and {_YES, _NO}.issuperset(column.values.tolist())


_NOT_ITS_FAULT: Final = ("unsupported", "unreadable")


class Case(NamedTuple):
    """One acceptable query, where it runs, and how results are compared with its own.

    Parameters
    ----------
    databases : tuple of str
        The results must match in each.
    sql : str
        The canonical query.
    most : str, Relation or None
        The query for all that an answer may hold, or its result as stored.
    settings : Settings
        How they are compared.
    derived : bool
        Whether `most` was derived from `sql`: if it is of no use, there is none.
    """

    databases: tuple[str, ...]
    sql: str
    most: str | Relation | None
    settings: TableSettings
    derived: bool = False


class _Canon(NamedTuple):
    """What a case returns in one database."""

    minimum: Relation | SqlFailure
    maximum: Relation | SqlFailure | None
    truth: bool


def on_databases(
    comparator: answers.Comparator, databases: object
) -> answers.Comparator:
    """A comparator ready for use: ``sql`` with its databases, any other as it is.

    Parameters
    ----------
    comparator : Comparator
    databases : Databases, or its root as str or Path, optional
        Only for ``sql``.

    Raises
    ------
    InputError
        If the comparator needs no databases and some are given, or they are none.

    Examples
    --------
    >>> on_databases(answers.label(), None)
    label
    """
    if not isinstance(comparator, Sql):
        if databases is not None:
            must, got = "be given with by='sql'", f"by={str(comparator)!r}"
            raise InputError("judge", "databases", must, got)
        return comparator
    if isinstance(databases, (str, Path)):
        databases = Databases(root=databases)
    if not isinstance(databases, Databases | None):
        must = "be a path, a URL or demur.Databases"
        raise InputError("judge", "databases", must, shown(databases))
    return Executed(comparator, databases or Databases())


class Executed:
    """The comparator ``sql`` with its databases, and what it has found in them.

    Parameters
    ----------
    comparator : Sql
        How results are compared.
    databases : Databases
        Where queries run.

    Examples
    --------
    >>> str(Executed(answers.sql(mode="bag"), Databases()))
    'sql(mode=bag)'
    """

    version: ClassVar[str] = Sql.version
    instead: ClassVar[tuple[str, ...]] = ("sql", "sqls", "min")

    def __init__(self, comparator: Sql, databases: Databases) -> None:
        self.comparator, self.databases = comparator, databases
        self._matches: dict[tuple[Case, str], dict[str, Match]] = {}
        self._without_maximum: dict[str, str] = {}
        self._stored: dict[str, list[Relation | None]] = {}
        self._maxima: dict[tuple[str, str], str | None] = {}
        self._engines: dict[str, str | SqlFailure] = {}

    def __str__(self) -> str:
        return str(self.comparator)

    @property
    def recipe(self) -> dict[str, str]:
        """What decides verdicts beside the options of the comparator."""
        limits = self.databases
        engines = {
            engine for engine in self._engines.values() if isinstance(engine, str)
        }
        return {
            "engine": ", ".join(sorted(engines)) or "none",
            "timeout": f"{limits.timeout:g}",
            "max_rows": str(limits.max_rows),
        }

    @property
    def notes(self) -> list[str]:
        """What a reader must know: how many queries have no derived maximum, and why.

        Whether one is found in time may depend on the machine, so that is never silent.
        """
        count = len(self._without_maximum)
        if not count:
            return []
        noun = "query" if count == 1 else "queries"
        causes = Counter(self._without_maximum.values()).most_common()
        text = ", ".join(
            cause if len(causes) == 1 else f"{cause} ({number})"
            for cause, number in causes
        )
        return [f"{count} canonical {noun} without a maximum: {text}"]

    # -- running -------------------------------------------------------------------

    def prepare(
        self, responses: Iterable[Response], references: Iterable[Reference]
    ) -> None:
        """Run whatever is needed to judge responses, and keep how they compare.

        Raises
        ------
        InputError
            If no reference has SQL, no database exists, or a reference is not what it
            must be.
        MissingExtra
            If a database needs a driver that is not installed.
        """
        guesses: dict[str, dict[str, None]] = {}
        for response in responses:
            said = response.response
            if isinstance(said, str) and not (response.failed or response.error):
                guesses.setdefault(item_text(response.item, response.place), {})[
                    said
                ] = None
        wanted: dict[tuple[Case, str], None] = {}
        cases: dict[Case, None] = {}
        for reference in references:
            found = self.cases(reference) if reference.answerable else ()
            cases.update((case, None) for case, _ in found)
            for guess in guesses.get(item_text(reference.item, reference.place), ()):
                wanted.update(((case, guess), None) for case, _ in found)
        self._meet(_named(cases))
        self._compare([each for each in wanted if each not in self._matches])

    def _meet(self, names: Sequence[str]) -> None:
        """Learn which engines there are; refuse a server that does not answer."""
        ask = replace(self.databases, progress=None).run
        new = [name for name in names if name not in self._engines]
        self._engines |= engines_of(new, ask)
        engines = [self._engines[name] for name in names]
        if "://" in names[0] and all(isinstance(each, SqlFailure) for each in engines):
            hint = "Is the URL right, and the server up?"
            raise InputError(
                "judge", public_name(names[0]), "answer", str(engines[0]), hint
            )

    def _compare(self, wanted: Sequence[tuple[Case, str]]) -> None:
        by_database: dict[str, dict[Query, list[tuple[Case, str]]]] = {}
        golds: dict[str, dict[Query, None]] = {}
        for case, guess in wanted:
            for database in case.databases:
                uses = by_database.setdefault(database, {})
                uses.setdefault(Query(database, guess), []).append((case, guess))
                canonical = golds.setdefault(database, {})
                canonical.update((each, None) for each in _canonical(case, database))
        queries = [
            query
            for database, uses in by_database.items()
            for query in (*golds[database], *uses)
        ]
        found = self.databases.run(queries)
        for database, group in groupby(found, lambda each: each.query.database):
            pairs = ((each.query, _relation(each)) for each in group)
            known = dict(pair for _, pair in zip(golds[database], pairs, strict=False))
            self._judge(known, by_database[database], pairs)

    def _judge(
        self,
        known: Mapping[Query, Relation | SqlFailure],
        uses: Mapping[Query, list[tuple[Case, str]]],
        pairs: Iterable[tuple[Query, Relation | SqlFailure]],
    ) -> None:
        """Compare the results of one database with those of its canonical queries."""
        canons: dict[Case, _Canon] = {}
        for query, result in pairs:
            for case, guess in uses[query]:
                if case not in canons:
                    canons[case] = self._canon(case, query.database, known)
                explanation = _explanation(case, canons[case], result)
                credit = None if explanation.right is None else float(explanation.right)
                kept = self._matches.setdefault((case, guess), {})
                kept[query.database] = Match(credit, explanation.reason)

    def _canon(
        self,
        case: Case,
        database: str,
        known: Mapping[Query, Relation | SqlFailure],
    ) -> _Canon:
        minimum = known[Query(database, case.sql)]
        truth = answers.MODES[case.settings.mode].cas and is_truth(minimum)
        if truth and case.derived:
            self._without_maximum.setdefault(case.sql, "the answer is yes or no")
            return _Canon(with_booleans(minimum), None, truth)
        maximum = self._maximum(case, database, minimum, known)
        if truth:
            minimum, maximum = with_booleans(minimum), with_booleans(maximum)
        return _Canon(minimum, maximum, truth)

    def _maximum(
        self,
        case: Case,
        database: str,
        minimum: Relation | SqlFailure,
        known: Mapping[Query, Relation | SqlFailure],
    ) -> Relation | SqlFailure | None:
        """All that an answer may hold; none if a derived one is of no use."""
        if not isinstance(case.most, str):
            return case.most
        maximum = known[Query(database, case.most)]
        if not case.derived or not isinstance(minimum, Relation):
            return maximum
        if why := _useless(maximum, minimum, case.settings):
            self._without_maximum.setdefault(case.sql, why)
            return None
        return maximum

    # -- what a comparator does ----------------------------------------------------

    def read(self, value: Any) -> Any:
        """A guess as it stands: results are known by its text."""
        return value

    def is_no_guess(self, value: Any) -> bool:  # noqa: ARG002
        """There is no other way than None and NO_ANSWER, which all comparators know."""
        return False

    def read_reference(self, reference: Reference) -> tuple[tuple[Any, float], ...]:
        """The cases of a reference; one that nothing matches if it has no SQL."""
        return self.cases(reference) or ((None, 1.0),)

    def compare(self, response: Any, reference: Any) -> Match:
        """How a guess compares with a case, in all databases together."""
        if reference is None:
            return Match(None, "reference: no sql")
        if not isinstance(response, str):
            return Match(0.0, f"not an answer: SQL must be text; got {shown(response)}")
        matches_by_database = self._matches[reference, response]
        matches = [(each, matches_by_database[each]) for each in reference.databases]
        database, match = min(matches, key=lambda it: _severity(it[1]))
        if len(matches) == 1 or match.credit:
            return match
        where = PurePath(public_name(database)).name
        return Match(match.credit, f"{match.reason} (in {where})")

    def explain(self, response: Any, reference: Reference) -> str:
        """Runs the queries of one response again, and says what they return."""
        lines = []
        for case, weight in self.cases(reference):
            for database in case.databases:
                asked = [*_canonical(case, database), Query(database, str(response))]
                known = {
                    each.query: _relation(each)
                    for each in replace(self.databases, progress=None).run(asked)
                }
                canon = self._canon(case, database, known)
                lines += [
                    f"database: {public_name(database)}",
                    f"canonical SQL: {case.sql}",
                ]
                lines += [f"weight: {weight:g}"] if weight < 1 else []
                lines += self._said_of_maximum(case, canon)
                lines.append(str(_explanation(case, canon, known[asked[-1]])))
        return "\n".join(lines) or "ungraded: reference: no sql"

    def _said_of_maximum(self, case: Case, canon: _Canon) -> list[str]:
        if case.most is None:
            return []
        if isinstance(case.most, Relation):
            return [f"maximum: as stored, {case.most.n_rows} rows"]
        lines = [f"maximum: {case.most}"]
        if canon.maximum is None:
            lines.append(f"not used: {self._without_maximum[case.sql]}")
        return lines

    # -- references ----------------------------------------------------------------

    def cases(self, reference: Reference) -> tuple[tuple[Case, float], ...]:
        """The acceptable queries of a reference, with their weights.

        Raises
        ------
        InputError
            If a field is not what it must be.

        Examples
        --------
        >>> reference = Reference(item="q", extra={"db": "a.db", "sql": "SELECT 1"})
        >>> [(case, _)] = Executed(answers.sql(), Databases()).cases(reference)
        >>> case.databases, case.sql, case.most
        (('a.db',), 'SELECT 1', None)
        """
        extra, place = reference.extra, reference.place or "reference"
        texts = texts_of(extra, "sql", place)
        if not texts:
            return ()
        given = self._most(extra, len(texts), place)
        derive = given is None and self.comparator.maximum == "derived"
        listed = extra.get("db")
        names = listed if isinstance(listed, (list, tuple)) and listed else [listed]
        databases = tuple(dict.fromkeys(self.databases.named(n, place) for n in names))
        most = [None] * len(texts) if given is None else given
        credits_ = credits_of(extra, texts, place)
        settings = self.comparator.settings.with_fields(place, extra)
        return tuple(
            (self._case(Case(databases, str(text), limit, settings), derive), credit)
            for (text, _), limit, credit in zip(texts, most, credits_, strict=True)
        )

    def _most(
        self, extra: Mapping[str, Any], count: int, place: str
    ) -> Sequence[str | Relation | None] | None:
        """What a reference says of its maxima, one for each query; None if nothing."""
        if given := texts_of(extra, "max_sql", place):
            if len(given) != count:
                must = f"be one for each of {count} queries"
                raise InputError(place, "max_sqls", must, str(len(given)))
            return [text for text, _ in given]
        if extra.get("max") is None:
            return None
        key = repr(extra["max"])
        if key not in self._stored:
            self._stored[key] = stored_maxima(extra["max"], place)
        if len(self._stored[key]) != count:
            must, got = f"be one for each of {count} queries", len(self._stored[key])
            hint = "max_sqls gives queries instead, or null where there is no limit."
            raise InputError(place, "max", must, str(got), hint)
        return self._stored[key]

    def _case(self, case: Case, derive: bool) -> Case:  # noqa: FBT001
        """The case with the order and the maximum that the comparator adds to it."""
        settings = case.settings
        if settings.mode == "test-suite" and settings.ordered is None:
            ordered = "order by" in case.sql.lower()
            case = case._replace(settings=replace(settings, ordered=ordered))
        if not derive:
            return case
        key = case.sql, _dialect(case.databases[0])
        if key not in self._maxima:
            self._maxima[key] = derived_maximum(*key)
            if self._maxima[key] is None:
                self._without_maximum[case.sql] = "none can be derived"
        return case._replace(most=self._maxima[key], derived=True)


# -- comparing -----------------------------------------------------------------------


def _explanation(
    case: Case, canon: _Canon, result: Relation | SqlFailure
) -> Explanation:
    mode = answers.MODES[case.settings.mode].version
    for failed in canon[:2]:
        if isinstance(failed, SqlFailure):
            reason = f"reference: {_why(failed)}"
            return Explanation(right=None, reason=reason, mode=mode)
    if isinstance(result, SqlFailure):
        right = None if result.kind in _NOT_ITS_FAULT else False
        return Explanation(right=right, reason=_why(result), mode=mode)
    minimum, maximum = canon.minimum, canon.maximum
    if canon.truth:
        result = with_booleans(result)
        if is_truth(result):  # if right, it says nothing beyond the canonical answer
            maximum = None
    return answers.compare_relations(minimum, result, case.settings, maximum=maximum)


def _useless(
    maximum: Relation | SqlFailure, minimum: Relation, settings: TableSettings
) -> str:
    """Why a derived maximum cannot be used; nothing if it can."""
    if isinstance(maximum, SqlFailure):
        return f"its query ends in {maximum.kind}"
    if maximum.truncated:
        return "truncated"
    explanation = answers.compare_relations(minimum, minimum, settings, maximum=maximum)
    return "" if explanation.right else "it lacks the canonical answer"


def _severity(match: Match) -> int:
    return 1 if match.credit is None else 2 * bool(match.credit)


def _why(failure: SqlFailure) -> str:
    return f"sql {failure}" if failure.kind == "error" else str(failure)


def _relation(answer: QueryAnswer) -> Relation | SqlFailure:
    result = answer.result
    if result is None:
        return answer.failure or SqlFailure("crashed", "no result")
    return Relation.from_columns(
        result.names, result.columns, result.nulls, truncated=result.truncated
    )


# -- queries -------------------------------------------------------------------------


def _canonical(case: Case, database: str) -> list[Query]:
    texts = (case.sql, case.most)
    return [Query(database, text) for text in texts if isinstance(text, str)]


def _named(cases: Iterable[Case]) -> list[str]:
    """The databases; references without SQL, and an empty root, are refused."""
    names = list(dict.fromkeys(name for case in cases for name in case.databases))
    if not names:
        must = "have sql or sqls for one item at least"
        hint = "--by sql runs the canonical query of each reference."
        raise InputError("judge", "the references", must, "none", hint)
    if not any("://" in name or os.path.exists(name) for name in names):  # noqa: PTH110
        hint = "--db-root names the folder that `db` starts from."
        got = f"none of {len(names)}, such as {shown(public_name(names[0]))}"
        raise InputError("judge", "the databases", "exist", got, hint)
    return names


def _dialect(name: str) -> str:
    try:
        engine = find_database(name).engine
    except QueryFailed:  # nothing will be asked of it
        return "sqlite"
    return "postgres" if engine == "postgresql" else engine
