"""Answers that are SQL: run on databases, compared by what they return.

All queries of a run are known before the first verdict, so that equal ones run once
and in parallel. A result is compared as soon as it is there and then forgotten. What is
right but shows more columns than the canonical answer is then held against a maximum:
only for these is one derived, so that the others cost nothing more.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path, PurePath
from typing import Any, ClassVar, Final

from demur import answers
from demur.answers import Explanation, Match, Relation, Sql
from demur.answers.floors import EMPTY, constant_of
from demur.answers.tables.modes import RULES_1989
from demur.errors import InputError, shown
from demur.outcomes.reasons import BAD_REFERENCE, BOTH_EMPTY, SERVER_LOST
from demur.outcomes.records import Reference, Response, item_text
from demur.sql.cases import Case, CaseReader
from demur.sql.databases import Databases
from demur.sql.execution import Query, QueryAnswer, SqlFailure, engines_of, public_name
from demur.sql.execution.databases import dialect_of
from demur.sql.execution.statements import LONGEST
from demur.sql.fences import without_fence
from demur.sql.made_up import shows_data
from demur.sql.maxima import derived_maximum, n_further
from demur.sql.ranked_results import RankedResult, is_limited, ranking_query
from demur.sql.schemas import CATALOGUE, Schema, schema_of
from demur.sql.truth import is_truth, with_booleans
from demur.sql.verdicts import (
    Canon,
    counted,
    explained,
    must_be_held,
    relation_of,
    row_count,
    useless,
)
from demur.sql.wide_answers import is_wide, too_wide

_ALONE: Final = "nothing can be derived"

Wanted = tuple[Case, str]
"""A case and an answer that is compared with it."""

Known = Mapping[Query, Relation | SqlFailure]


def on_databases(
    comparator: answers.Comparator, databases: object
) -> answers.Comparator:
    """A comparator ready for use: ``sql`` with its databases, any other as it is.

    Parameters
    ----------
    comparator : Comparator
        As `answers.comparator` makes it.
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
            need, got = "be given with by='sql'", f"by={str(comparator)!r}"
            raise InputError("judge", "databases", need, got)
        return comparator
    if isinstance(databases, (str, Path)):
        databases = Databases(root=databases)
    if not isinstance(databases, Databases | None):
        need = "be a path, a URL or demur.Databases"
        raise InputError("judge", "databases", need, shown(databases))
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
    'sql(mode=bag, maximum=derived)'
    """

    version: ClassVar[str] = Sql.version
    instead: ClassVar[tuple[str, ...]] = ("sql", "sqls", "min")

    def __init__(self, comparator: Sql, databases: Databases) -> None:
        self.comparator, self.databases = comparator, databases
        self._reader = CaseReader(comparator, databases)
        self._matches: dict[Wanted, dict[str, Match]] = {}
        self._items: dict[Case, set[str]] = {}
        self._engines: dict[str, str | SqlFailure] = {}
        self._schemas: dict[str, Schema] = {}
        self._maxima: dict[tuple[str, str], str | None] = {}
        self._widths: dict[tuple[str, str], int] = {}
        self._constants: dict[Case, dict[str, str | None]] = {}
        self._dialects: dict[str, str] = {}
        self._unwidened: dict[Case, str] = {}
        self._untied = set[Case]()
        self._tableless: dict[Wanted, int] = {}
        self._made_up: dict[Wanted, int] = {}  # those of them that gave a result
        self._resumed = self._lost = 0

    def __str__(self) -> str:
        return str(self.comparator)

    @property
    def recipe(self) -> dict[str, str]:
        """What decides verdicts beside the options of the comparator."""
        limits = self.databases
        return {
            "engine": ", ".join(sorted({*self._versions()})) or "none",
            "timeout": f"{limits.timeout:g}",
            "max_rows": str(limits.max_rows),
            "max_memory": str(limits.max_memory),
        }

    @property
    def notes(self) -> list[str]:
        """What a reader must know of modes, servers, maxima and made-up answers."""
        return [
            *self._note_on_modes(),
            *self._note_on_servers(),
            *self._note_on_maxima(),
            *self._note_on_ties(),
            *self._note_on_tables(),
        ]

    def _versions(self) -> list[str]:
        return [engine for engine in self._engines.values() if isinstance(engine, str)]

    def _note_on_maxima(self) -> Iterator[str]:
        """For how many items no maximum beyond the canonical answer was found.

        Whether one is found in time may depend on the machine, so that is never silent.
        """
        causes: dict[str, set[str]] = {}
        for case, why in self._unwidened.items():
            causes.setdefault(why, set()).update(self._items.get(case, ()))
        items = set[str]().union(*causes.values())
        if items:
            ranked = Counter({why: len(ids) for why, ids in causes.items()})
            listed = ", ".join(f"{why} ({n})" for why, n in ranked.most_common())
            yield (
                f"{counted(len(items), 'item')} with answers that show more than the "
                f"canonical answer, which is the maximum there: {listed}"
            )

    def _note_on_ties(self) -> Iterator[str]:
        """For how many items nobody knows which rows tie where LIMIT cuts."""
        items = set[str]().union(*(self._items.get(case, ()) for case in self._untied))
        if items:
            what = "any_tied and all_tied say nothing, since it does not show which tie"
            yield f"{counted(len(items), 'item')} with a LIMIT for which {what}"

    def _note_on_modes(self) -> Iterator[str]:
        """The modes of other evaluators were made for what SQLite's driver returns."""
        if any(case.settings.rules == "1989" for case in self._items):
            yield RULES_1989
        modes = {case.settings.mode for case in self._items}
        others = sorted(mode for mode in modes if not answers.MODES[mode].cas)
        engines = {version.split()[0] for version in self._versions()}
        foreign = sorted(engines - {"sqlite"})
        if others and foreign:
            where = f"{', '.join(others)} on {', '.join(foreign)}"
            what = "compares values as demur reads them, not as a driver gives them"
            yield f"{where}: {what}"

    def _note_on_servers(self) -> Iterator[str]:
        if self._resumed:
            yield f"resumed: {counted(self._resumed, 'result')} of an unfinished run"
        if self._lost:
            yield f"{counted(self._lost, 'answer')} ungraded: the server went down"

    def _note_on_tables(self) -> Iterator[str]:
        if self._made_up:
            right = sum(
                count
                for wanted, count in self._made_up.items()
                if all(match.credit for match in self._matches[wanted].values())
            )
            count = counted(sum(self._made_up.values()), "answer")
            yield (
                f"{count} without data of a table where the reference shows some: "
                f"{right} right"
            )

    # -- running -------------------------------------------------------------------

    def prepare(
        self, responses: Iterable[Response], references: Iterable[Reference]
    ) -> None:
        """Run whatever is needed to judge responses, and keep how they compare.

        Raises
        ------
        InputError
            If no reference has SQL, no database exists, a reference is not what it
            must be, a disk is full, or a server went down for too many answers.
        MissingExtra
            If a database needs a driver that is not installed.
        """
        guesses: dict[str, Counter[str]] = {}
        for response in responses:
            guess = response.response
            if isinstance(guess, str) and not (response.failed or response.error):
                item = item_text(response.item, response.place)
                guesses.setdefault(item, Counter())[self.read(guess)] += 1
        wanted: Counter[Wanted] = Counter()
        for reference in references:
            item = item_text(reference.item, reference.place)
            for case, _ in self.cases(reference) if reference.answerable else ():
                self._items.setdefault(case, set()).add(item)
                for guess, count in guesses.get(item, Counter()).items():
                    wanted[case, guess] += count
        names = _database_names(self._items)
        if any("://" in name for name in names):
            self._resumed = self.databases.unfinished()
        self._meet(names)
        self._note_tableless(wanted)
        new = [pair for pair in wanted if pair not in self._matches]
        wider = self._compare(new, held=False)
        self._derive(wider)
        self._compare(wider, held=True)
        self._check_lost(wanted)
        self.databases.finish()

    def _check_lost(self, wanted: Mapping[Wanted, int]) -> None:
        """Refuse a run that judges too little because a server went down."""
        self._lost = sum(
            count
            for pair, count in wanted.items()
            if any(match.code == SERVER_LOST for match in self._matches[pair].values())
        )
        total, most = sum(wanted.values()), self.databases.max_lost
        if self._lost > most * total:
            need = f"be up for all but {100 * most:g} % of the answers (max_lost)"
            got = f"{self._lost:,} of {total:,} ungraded since it went down"
            hint = "With a cache, a new run goes on where this one ended."
            raise InputError("judge", "the server", need, got, hint)

    def _meet(self, names: Sequence[str]) -> None:
        """Learn which engines there are; refuse a server that does not answer."""
        ask = replace(self.databases, progress=None).run
        new = [name for name in names if name not in self._engines]
        self._engines |= engines_of(new, ask)
        engines = [self._engines[name] for name in names]
        unreachable = all(isinstance(engine, SqlFailure) for engine in engines)
        if unreachable and "://" in names[0]:
            hint = "Is the URL right, and the server up?"
            raise InputError(
                "judge", public_name(names[0]), "answer", str(engines[0]), hint
            )

    def _note_tableless(self, wanted: Mapping[Wanted, int]) -> None:
        shows = {
            case: bool(case.sql) and not self._is_made_up(case, case.sql)
            for case in self._items
        }
        self._tableless |= {
            (case, guess): count
            for (case, guess), count in wanted.items()
            if shows[case] and self._is_made_up(case, guess)
        }

    def _is_made_up(self, case: Case, sql: str) -> bool:
        """Whether it shows no data; what is too long is not run, and not read."""
        if len(sql) > LONGEST or not sql.strip():
            return False
        return not shows_data(sql, self._dialect(case.databases[0]))

    def _derive(self, wider: Iterable[Wanted]) -> None:
        """Derive the maxima of some cases, from their SQL and their tables."""
        for case in dict.fromkeys(case for case, _ in wider):
            for database in case.databases:
                base, dialect = self._base(case, database), self._dialect(database)
                if (base, database) not in self._maxima:
                    schema = self._schemas.get(database, {})
                    widened = derived_maximum(base, dialect, schema)
                    self._maxima[base, database] = widened
                if self._maxima[base, database] is None:
                    self._unwidened[case] = _ALONE

    def _learn(self, database: str, known: Known) -> None:
        """Keep what the catalogue of a database has said."""
        for query in self._catalogue(database):
            if isinstance(catalogue := known.get(query), Relation):
                rows = catalogue.rows()
                self._schemas[database] = schema_of(rows, self._dialect(database))

    def _compare(self, wanted: Sequence[Wanted], *, held: bool) -> list[Wanted]:
        """Compare answers with their cases; gives those that must be held to a maximum.

        Parameters
        ----------
        wanted : sequence of (Case, str)
            Each answer with a case that it is compared with.
        held : bool
            Whether they are held to their maxima now.
        """
        if not wanted:
            return []
        by_database = defaultdict[str, dict[Query, list[Wanted]]](dict)
        golds = defaultdict[str, dict[Query, None]](dict)
        for case, guess in wanted:
            for database in case.databases:
                asked = Query(database, case.asked(guess))
                by_database[database].setdefault(asked, []).append((case, guess))
                gold_queries = self._canonical(case, database, held=held)
                golds[database].update(dict.fromkeys(gold_queries))
        queries = [
            query
            for database, uses in by_database.items()
            for query in (*golds[database], *uses)
        ]
        results = self.databases.run(queries)
        wider: dict[Wanted, None] = {}
        # The canonical queries of a database come first, so that each answer is judged
        # as it comes, and none is kept.
        for database, group in groupby(results, lambda answer: answer.query.database):
            known = {
                answer.query: relation_of(answer)
                for _, answer in zip(golds[database], group, strict=False)
            }
            self._learn(database, known)
            over = self._judge(known, by_database[database], group, held=held)
            wider.update(dict.fromkeys(over))
        return list(wider)

    def _canonical(self, case: Case, database: str, *, held: bool) -> list[Query]:
        """What must be run of a case itself."""
        texts = [case.sql, case.most]
        if case.ranked:
            texts.append(ranking_query(case.sql, self._dialect(database)))
        if held:
            texts.append(self._maxima[self._base(case, database), database])
        queries = [Query(database, sql) for sql in texts if sql and type(sql) is str]
        return [*queries, *(self._catalogue(database) if case.limited else ())]

    def _catalogue(self, database: str) -> list[Query]:
        """What must be run to know the tables of a database."""
        text = CATALOGUE.get(self._dialect(database))
        return [Query(database, text)] if text and database not in self._schemas else []

    def _judge(
        self,
        known: Known,
        uses: Mapping[Query, list[Wanted]],
        results: Iterable[QueryAnswer],
        *,
        held: bool,
    ) -> Iterator[Wanted]:
        """Compare the results of one database with those of its canonical queries."""
        canons: dict[Case, Canon] = {}
        for answer in results:
            query, result = answer.query, None
            for case, guess in uses[query]:
                if case not in canons:
                    canons[case] = self._canon(case, query.database, known, held=held)
                    name = constant_of(canons[case].minimum)
                    self._constants.setdefault(case, {})[query.database] = name
                canon = canons[case]
                explanation = self._for_its_width(case, canon, answer, known)
                if explanation is None:
                    result = relation_of(answer) if result is None else result
                    explanation = explained(case, canon, result)
                credit = None if explanation.right is None else float(explanation.right)
                reason = explanation.reason
                judged = credit is not None and answer.result is not None
                if judged and (case, guess) in self._tableless:
                    reason += "; shows no data"
                    self._made_up[case, guess] = self._tableless[case, guess]
                kept = self._matches.setdefault((case, guess), {})
                kept[query.database] = Match(credit, reason, explanation.code)
                if not held and _is_open(case, canon, explanation, result):
                    yield case, guess

    def _for_its_width(
        self, case: Case, canon: Canon, answer: QueryAnswer, known: Known
    ) -> Explanation | None:
        """The verdict on a result with more columns than any maximum of its case."""
        result = answer.result
        if result is None or not is_wide(case, canon, result):
            return None
        database = answer.query.database
        base = self._base(case, database)
        if (base, database) not in self._widths:
            schema, dialect = self._schemas.get(database, {}), self._dialect(database)
            shown_by_base = known.get(Query(database, base))
            least = max(
                relation.n_columns
                for relation in (canon.minimum, shown_by_base)
                if isinstance(relation, Relation)
            )
            self._widths[base, database] = least + n_further(base, dialect, schema)
        return too_wide(case, result, self._widths[base, database])

    def _canon(self, case: Case, database: str, known: Known, *, held: bool) -> Canon:
        """What a case returns, with its maximum if it has one of its own or is held."""
        minimum: Any = case.stored
        if minimum is None:
            minimum = known[Query(database, case.sql)]
        truth = answers.MODES[case.settings.mode].cas and is_truth(minimum)
        ranking = self._ranking(case, database, minimum, known)
        maximum: Any = case.most
        if isinstance(case.most, str):
            maximum = known[Query(database, case.most)]
        elif held and isinstance(minimum, Relation):
            alone = ranking.rows if ranking and case.beyond_limit else minimum
            maximum = self._widened(case, database, minimum, known) or alone
        if truth:
            minimum, maximum = with_booleans(minimum), with_booleans(maximum)
        return Canon(minimum, maximum, truth, ranking, derived=held)

    def _ranking(
        self, case: Case, database: str, minimum: Any, known: Known
    ) -> RankedResult | None:
        if not case.ranked or not isinstance(minimum, Relation):
            return None
        dialect = self._dialect(database)
        text = ranking_query(case.sql, dialect)
        ranked = None if text is None else known[Query(database, text)]
        ranking = None
        if isinstance(ranked, Relation):
            ranking = RankedResult.of(case.sql, dialect, ranked)
        if case.beyond_limit and (ranking is None or not ranking.holds(minimum)):
            if minimum.n_rows and is_limited(case.sql, dialect):
                self._untied.add(case)
            return None
        return ranking

    def _widened(
        self, case: Case, database: str, minimum: Relation, known: Known
    ) -> Relation | None:
        """What the derived query returns; None if it is of no use, which is noted."""
        text = self._maxima[self._base(case, database), database]
        if text is None:
            return None
        maximum = known[Query(database, text)]
        if why := useless(maximum, minimum, case):
            self._unwidened[case] = why
            return None
        return maximum if isinstance(maximum, Relation) else None

    def _base(self, case: Case, database: str) -> str:
        """The query that a maximum is derived from: with tied rows if they count."""
        if case.beyond_limit:
            return ranking_query(case.sql, self._dialect(database)) or case.sql
        return case.sql

    def _dialect(self, name: str) -> str:
        """The dialect of a database; that of SQLite if there is none to be asked."""
        if name not in self._dialects:
            self._dialects[name] = dialect_of(name)
        return self._dialects[name]

    # -- what a comparator does ----------------------------------------------------

    def read(self, value: Any) -> Any:
        """A guess as it stands, or out of its code fence: results are known by it."""
        if self.comparator.code_fences and isinstance(value, str):
            return without_fence(value)
        return value

    def is_no_guess(self, value: Any) -> bool:  # noqa: ARG002
        """There is no other way than None and NO_ANSWER, which all comparators know."""
        return False

    def cases(self, reference: Reference) -> tuple[tuple[Case, float], ...]:
        """The acceptable answers of a reference, with their weights.

        Raises
        ------
        InputError
            If a field is not what it must be.
        """
        return self._reader.cases(reference)

    def constants(self, reference: Reference) -> Iterator[str]:
        """The answers that would be right without a look: empty, or of one value."""
        for case, weight in self.cases(reference):
            names = {*self._constants.get(case, {}).values()}
            name = names.pop() if len(names) == 1 and weight == 1 else None
            if name is not None and (name != EMPTY or case.settings.empty == "right"):
                yield name

    def read_reference(self, reference: Reference) -> tuple[tuple[Any, float], ...]:
        """The cases of a reference; one that nothing matches if it has no SQL."""
        return self.cases(reference) or ((None, 1.0),)

    def compare(self, response: Any, reference: Any) -> Match:
        """How a guess compares with a case, in all databases together."""
        if reference is None:
            return Match(None, "reference: no sql", BAD_REFERENCE)
        if not isinstance(response, str):
            reason = f"not an answer: SQL must be text; got {shown(response)}"
            return Match(0.0, reason, "not_an_answer")
        matches_by_database = self._matches[reference, response]
        matches = [(name, matches_by_database[name]) for name in reference.databases]
        # Where both are empty nothing is shown, unless that is so in all databases.
        matches = [it for it in matches if it[1].code != BOTH_EMPTY] or matches
        # Right only if right everywhere: the worst of all databases counts.
        database, match = min(matches, key=lambda it: _severity(it[1]))
        if len(reference.databases) == 1 or match.credit:
            return match
        where = PurePath(public_name(database)).name
        return match._replace(reason=f"{match.reason} (in {where})")

    def explain(self, response: Any, reference: Reference) -> str:
        """Runs the queries of one response again, and says what they return."""
        lines = []
        response = self.read(str(response))
        for case, weight in self.cases(reference):
            held = case.limited
            for database in case.databases if held else ():
                self._learn(database, self._results_of(self._catalogue(database)))
            self._derive([(case, response)] if held else [])
            for database in case.databases:
                gold_queries = self._canonical(case, database, held=held)
                asked = [*gold_queries, Query(database, case.asked(response))]
                known = self._results_of(asked)
                canon = self._canon(case, database, known, held=held)
                lines.append(f"database: {public_name(database)}")
                stored = f"canonical answer: as stored, {row_count(case.stored)}"
                lines.append(f"canonical SQL: {case.sql}" if case.sql else stored)
                lines += [f"weight: {weight:g}"] if weight < 1 else []
                lines += self._maximum_lines(case, database)
                lines.append(str(explained(case, canon, known[asked[-1]])))
        return "\n".join(lines) or "ungraded: reference: no sql"

    def _results_of(self, asked: Iterable[Query]) -> Known:
        results = replace(self.databases, progress=None).run(asked)
        return {answer.query: relation_of(answer) for answer in results}

    def _maximum_lines(self, case: Case, database: str) -> list[str]:
        if isinstance(case.most, Relation):
            return [f"maximum: as stored, {row_count(case.most)}"]
        if case.most is not None:
            return [f"maximum: {case.most}"]
        if not case.limited:
            return []
        lines = []
        if text := self._maxima[self._base(case, database), database]:
            lines.append(f"maximum: {text}")
        if why := self._unwidened.get(case):
            lines.append(f"maximum: the canonical answer itself, since {why}")
        return lines


# -- words ---------------------------------------------------------------------------


def _is_open(case: Case, canon: Canon, explanation: Explanation, result: Any) -> bool:
    """Whether the maximum of a case decides: what is right, or was not decided."""
    undecided = explanation.code == "undecided"
    if not (explanation.right or undecided) or not isinstance(result, Relation):
        return False
    return must_be_held(case, canon, result.n_columns)


def _severity(match: Match) -> int:
    return 1 if match.credit is None else 2 * bool(match.credit)


# -- databases -----------------------------------------------------------------------


def _database_names(cases: Iterable[Case]) -> list[str]:
    """The databases; references without SQL, and an empty root, are refused."""
    names = list(dict.fromkeys(name for case in cases for name in case.databases))
    if not names:
        need = "have sql or sqls for one item at least"
        hint = "Judging by sql runs the canonical query of each reference."
        raise InputError("judge", "the references", need, "none", hint)
    if not any("://" in name or os.path.exists(name) for name in names):  # noqa: PTH110
        hint = "The place of the databases (--db-root) is where `db` starts from."
        got = f"none of {len(names)}, such as {shown(public_name(names[0]))}"
        raise InputError("judge", "the databases", "exist", got, hint)
    return names
