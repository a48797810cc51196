"""How the result of an answer stands to that of its case in one database."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from demur import answers
from demur.answers import Explanation, Relation
from demur.answers.tables.explanations import stated
from demur.answers.tables.relation_values import first_columns
from demur.outcomes.reasons import BAD_REFERENCE, DATABASE_UNREADABLE, SERVER_LOST
from demur.sql.cases import Case
from demur.sql.clauses import MORE_ROWS
from demur.sql.execution import QueryAnswer, SqlFailure
from demur.sql.execution.queries import FAILURES
from demur.sql.ranked_results import RankedResult
from demur.sql.truth import is_truth, with_booleans

_NOT_ITS_OWN: Final = ("unreadable", "lost")
"""Failures that are never an answer's own: its database cannot be read."""

MOST_CELLS: Final = 4_000_000
"""So many values of an answer are compared, or four times those of its reference.

To compare them takes this process some seconds, which no limit of queries holds.
"""

_CODES: Final = {
    **{kind: kind for kind in FAILURES},
    "error": "sql_error",
    "unreadable": DATABASE_UNREADABLE,
    "lost": SERVER_LOST,
}
"""The code of each way in which a query can fail."""


class Canon(NamedTuple):
    """What a case returns in one database.

    Parameters
    ----------
    minimum, maximum : Relation, SqlFailure or None
        What must be there, and what may.
    truth : bool
        Whether the minimum is yes or no.
    ranking : RankedResult, optional
        Its rows by their sort keys, if these count.
    derived : bool
        Whether the maximum was derived: then an answer may show a column twice.
    """

    minimum: Relation | SqlFailure
    maximum: Relation | SqlFailure | None
    truth: bool = False
    ranking: RankedResult | None = None
    derived: bool = False


def relation_of(answer: QueryAnswer) -> Relation | SqlFailure:
    """What a query returned, as comparisons read it."""
    result = answer.result
    if result is None:
        return answer.failure or SqlFailure("crashed", "no result")
    return Relation.from_columns(
        result.names, result.columns, result.nulls, truncated=result.truncated
    )


def explained(case: Case, canon: Canon, result: Relation | SqlFailure) -> Explanation:
    """The verdict on a result.

    Parameters
    ----------
    case : Case
        What is accepted, and how results are compared with it.
    canon : Canon
        What the case returns.
    result : Relation or SqlFailure
        What the answer returns.
    """
    minimum, maximum = canon.minimum, canon.maximum
    if isinstance(minimum, SqlFailure) or isinstance(maximum, SqlFailure):
        failed: Any = minimum if isinstance(minimum, SqlFailure) else maximum
        code = _CODES[failed.kind] if failed.kind in _NOT_ITS_OWN else BAD_REFERENCE
        return stated(case.settings, None, code, f"reference: {_why(failed)}")
    if isinstance(result, SqlFailure):
        right = None if result.kind in _NOT_ITS_OWN else False
        return stated(case.settings, right, _CODES[result.kind], _why(result))
    if reason := _too_much(case, canon, result, minimum):
        return stated(case.settings, False, "other_rows", reason)
    if case.beyond_limit and canon.ranking is not None and canon.ranking.more:
        reason = f"reference: more than {MORE_ROWS:,} rows tie where LIMIT cuts"
        return stated(case.settings, None, BAD_REFERENCE, reason)
    read: Relation = with_booleans(result) if canon.truth else result
    if canon.truth and is_truth(read):  # if right, it says no more than it must
        maximum = None
    once = read.with_columns(first_columns(read.columns)) if canon.derived else read
    if once.n_columns < read.n_columns:
        explanation = _compared(case, canon.ranking, minimum, once, maximum)
        if explanation.right:
            return explanation
    return _compared(case, canon.ranking, minimum, read, maximum)


def _too_much(case: Case, canon: Canon, result: Relation, minimum: Relation) -> str:
    """Why an answer is wrong for its size alone; nothing if it is not."""
    if _is_cut(case, canon, result, minimum):
        return f"more than {row_count(result)}; the reference has {minimum.n_rows:,}"
    cells, wanted = _n_cells(result), _n_cells(minimum)
    if cells > max(MOST_CELLS, 4 * wanted):
        return f"{cells:,} values; the reference has {wanted:,}"
    return ""


def _n_cells(relation: Relation) -> int:
    return relation.n_rows * relation.n_columns


def _compared(
    case: Case,
    ranking: RankedResult | None,
    minimum: Relation,
    result: Relation,
    maximum: Any,
) -> Explanation:
    """The first verdict that is not wrong, of all answers that are accepted."""

    def compared(reference: Relation, places: Any) -> Explanation:
        settings = case.settings
        if places is not None:
            settings, places = replace(settings, ordered=True), places.astype(np.uint64)
        return answers.compare_relations(
            response=result,
            reference=reference,
            settings=settings,
            maximum=maximum,
            places=places,
        )

    first = compared(*_canonical(case, ranking, minimum))
    if first.right is not False or ranking is None:
        return first
    for reference, groups, which in _others(case, ranking, result):
        verdict = compared(reference, groups if case.order_from_sql else None)
        if verdict.right:
            reason = f"{verdict.reason}; {which} of the tied rows"
            return replace(verdict, reason=reason)
    return first


def _canonical(
    case: Case, ranking: RankedResult | None, minimum: Relation
) -> tuple[Relation, Any]:
    """The canonical answer, with the places of its rows if order counts."""
    ordered = case.order_from_sql and ranking is not None
    if ranking is not None and ordered and ranking.gives(minimum):
        return ranking.answer()
    return minimum, np.arange(minimum.n_rows) if ordered else None


def _others(
    case: Case, ranking: RankedResult, result: Relation
) -> Iterator[tuple[Relation, Any, str]]:
    """Answers that are as right, with the places of their rows, and which they hold."""
    if case.all_tied and (whole := ranking.whole()) is not None:
        yield (*whole, "all")
    if case.any_tied:
        ordered = case.order_from_sql
        for choice in ranking.choices(result, case.settings, ordered=ordered):
            yield (*choice, "another")


def _is_cut(case: Case, canon: Canon, result: Relation, minimum: Relation) -> bool:
    """Whether an answer has more rows than are kept, and the reference has not.

    By the rules of 1990 it may have as many as it likes, if it need only have some.
    """
    reads_rows = canon.truth and case.settings.rules == "1990"
    return result.truncated and not minimum.truncated and not reads_rows


def must_be_held(case: Case, canon: Canon, n_columns: int) -> bool:
    """Whether an answer is held to a derived maximum, given how many columns it has.

    What shows no more columns than the canonical answer cannot say more. By the rules
    of 1990 any table with rows is YES, and by those of 1989 a single value may stand
    beside others.
    """
    minimum = canon.minimum
    if not case.limited or case.most is not None or not isinstance(minimum, Relation):
        return False
    rules = case.settings.rules
    if (canon.truth and rules == "1990") or (
        rules == "1989" and minimum.n_rows == minimum.n_columns == 1
    ):
        return False
    return n_columns > minimum.n_columns


def useless(maximum: Any, minimum: Relation, case: Case) -> str:
    """Why a derived maximum cannot be used; nothing if it can."""
    if isinstance(maximum, SqlFailure):
        return f"its wider query ends in {maximum.kind}"
    if maximum.truncated:
        return "its wider query is truncated"
    itself = answers.compare_relations(
        response=minimum, reference=minimum, settings=case.settings, maximum=maximum
    )
    return "" if itself.right else "its wider query lacks the canonical answer"


def _why(failure: Any) -> str:
    return f"sql {failure}" if failure.kind == "error" else str(failure)


def row_count(relation: Relation | None) -> str:
    """How many rows, in words.

    Examples
    --------
    >>> row_count(Relation.from_rows([[1], [2]]))
    '2 rows'
    """
    return counted(0 if relation is None else relation.n_rows, "row")


def counted(count: int, noun: str) -> str:
    """A number of things.

    Examples
    --------
    >>> counted(1, "item"), counted(1200, "item")
    ('1 item', '1,200 items')
    """
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
