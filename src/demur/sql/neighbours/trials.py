"""Which mutants an instance kills: they and their queries run there, as if judged."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, NamedTuple

from demur.answers import Relation
from demur.answers.tables.modes import MODES
from demur.sql.bare_columns import bare_columns
from demur.sql.cases import Case
from demur.sql.clauses import clauses_of, queries_within
from demur.sql.execution import Query, QueryAnswer, SqlFailure
from demur.sql.neighbours.mutants import Mutant, Telling, mutants_of, rewritten
from demur.sql.neighbours.originals import Original
from demur.sql.ranked_results import RankedResult
from demur.sql.truth import is_truth, with_booleans
from demur.sql.verdicts import Canon, explained, relation_of

_NO_QUERIES: Final = frozenset({"error", "forbidden", "unsupported"})

Run = Callable[[Iterable[Query]], Iterator[QueryAnswer]]


class _Probe(NamedTuple):
    """A query that shows whether a result is due to chance.

    Parameters
    ----------
    sql : str
        What runs.
    source : str
        The query whose sort keys it shows.
    keys : tuple of int
        Where it shows them.
    bare : int
        How many of its last columns count the values of bare columns; then it shows no
        sort keys.
    """

    sql: str
    source: str
    keys: tuple[int, ...] = ()
    bare: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A canonical query, and what is run to learn of its mutants.

    Parameters
    ----------
    case : Case
        How answers are compared with it.
    dialect : str
        Of SQL, as sqlglot names it.
    mutants : tuple of Mutant
        All of them.
    itself : Mutant, optional
        The query as its mutants are written, without a fault.
    probes : tuple
        What shows whether its result is due to chance.
    """

    case: Case
    dialect: str
    mutants: tuple[Mutant, ...]
    itself: Mutant | None
    probes: tuple[_Probe, ...]

    @property
    def texts(self) -> list[str]:
        """What runs beside the mutants: the query, its maximum, and the probes."""
        most = [self.case.most] if isinstance(self.case.most, str) else []
        return [self.case.sql, *most, *(probe.sql for probe in self.probes)]

    def trial(
        self, mutants: Sequence[Mutant], answers: Iterator[QueryAnswer]
    ) -> "Trial":
        """What came of it on one instance.

        Parameters
        ----------
        mutants : sequence of Mutant
            Those that ran.
        answers : iterator of QueryAnswer
            Of its texts, then of the mutants.
        """
        texts = self.texts
        relations = map(relation_of, islice(answers, len(texts)))
        known = dict(zip(texts, relations, strict=True))
        canon = self._canon(known)
        killed, unable = list[Mutant](), list[Mutant]()
        for mutant, answer in zip(mutants, islice(answers, len(mutants)), strict=True):
            result = relation_of(answer)
            if explained(self.case, canon, result).right is False:
                killed.append(mutant)
            if isinstance(result, SqlFailure) and result.kind in _NO_QUERIES:
                unable.append(mutant)
        minimum = known[self.case.sql]
        usable = isinstance(minimum, Relation) and not minimum.truncated
        by_chance = usable and any(self._is_open(probe, known) for probe in self.probes)
        rows = minimum.n_rows if isinstance(minimum, Relation) else 0
        return Trial(usable, by_chance, rows, frozenset(killed), frozenset(unable))

    def _canon(self, known: Mapping[str, Any]) -> Canon:
        minimum, maximum = known[self.case.sql], self.case.most
        if isinstance(maximum, str):
            maximum = known[maximum]
        ranking = None
        if self.case.ranked and isinstance(minimum, Relation):
            sources = (one for one in self.probes if one.source == self.case.sql)
            probe = next(sources, None)
            ranking = None if probe is None else self._ranking(probe, known)
        truth = MODES[self.case.settings.mode].cas and is_truth(minimum)
        if truth:
            minimum, maximum = with_booleans(minimum), with_booleans(maximum)
        return Canon(minimum, maximum, truth, ranking)

    def _ranking(self, probe: _Probe, known: Mapping[str, Any]) -> RankedResult | None:
        result = known[probe.sql]
        if not isinstance(result, Relation):  # as of a query that needs one around it
            return None
        return RankedResult.of(probe.source, self.dialect, result)

    def _is_open(self, probe: _Probe, known: Mapping[str, Any]) -> bool:
        """Whether a query as good may return something else."""
        result = known[probe.sql]
        if probe.bare:
            rows = result.rows() if isinstance(result, Relation) else ()
            return any(count > 1 for row in rows for count in row[-probe.bare :])
        if self.case.any_tied and probe.source == self.case.sql:
            return False
        ranking = self._ranking(probe, known)
        if ranking is None:
            return False
        # NULL comes first in one engine, and last in another.
        cells = (row[at] for row in result.rows()[: ranking.end] for at in probe.keys)
        return ranking.is_open or None in cells


class Trial(NamedTuple):
    """What a query and its mutants gave on an instance.

    Parameters
    ----------
    usable : bool
        Whether the query gave a whole result.
    by_chance : bool
        Whether a query as good may give another, such as where LIMIT cuts a tie.
    rows : int
        Of the result.
    killed : frozenset of Mutant
        Those that would be judged wrong.
    unable : frozenset of Mutant
        Those that are no queries there.
    """

    usable: bool
    by_chance: bool
    rows: int
    killed: frozenset[Mutant]
    unable: frozenset[Mutant]


def subject_of(case: Case, original: Original) -> Subject:
    """A canonical query with its mutants.

    Parameters
    ----------
    case : Case
        With a query.
    original : Original
        Where it runs.
    """
    rows, dialect = case.settings.rows, original.blueprint.engine
    telling = Telling(
        order=rows == "order" or case.order_from_sql,
        repeated=rows != "set",
        partners=original.partners,
    )
    mutants = mutants_of(case.sql, dialect, telling)
    text = rewritten(case.sql, dialect)
    itself = None if text is None else Mutant("", text)
    return Subject(case, dialect, mutants, itself, tuple(_probes(case, dialect)))


def _probes(case: Case, dialect: str) -> Iterator[_Probe]:
    for text in (case.sql, *queries_within(case.sql)):
        clauses = clauses_of(text, dialect)
        keyed = None if clauses is None else clauses.keyed()
        whole = case.ranked and text == case.sql
        if clauses is not None and keyed is not None and (clauses.limited or whole):
            yield _Probe(keyed.sql, text, keyed.keys if clauses.limited else ())
    bare = bare_columns(case.sql) if dialect == "sqlite" else None
    if bare is not None:
        yield _Probe(bare.sql, "", bare=len(bare.names))


def trials(
    instances: Sequence[str],
    subjects: Mapping[Subject, Sequence[Mutant]],
    run: Run,
) -> Iterator[dict[Subject, Trial]]:
    """What all subjects give on each instance, in the order of the instances.

    Parameters
    ----------
    instances : sequence of str
        Paths.
    subjects : mapping of Subject to sequence of Mutant
        Which of its mutants run.
    run : callable
        Runs queries, such as `demur.sql.execution.run_all`.
    """
    queries = [
        Query(instance, text)
        for instance in instances
        for subject, mutants in subjects.items()
        for text in (*subject.texts, *(mutant.sql for mutant in mutants))
    ]
    answers = run(queries)
    for _ in instances:
        yield {
            subject: subject.trial(mutants, answers)
            for subject, mutants in subjects.items()
        }
