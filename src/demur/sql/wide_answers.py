"""Answers with far more columns than any maximum: wrong before they are compared."""

from collections.abc import Sequence
from typing import Any, Final

from demur.answers import Explanation, Relation
from demur.answers.tables.explanations import stated
from demur.answers.tables.relation_values import n_different_columns
from demur.answers.tables.relations import MANY_COLUMNS, beyond_width
from demur.sql.cases import Case
from demur.sql.execution.results import SqlResult
from demur.sql.verdicts import Canon, must_be_held

_FIRST: Final = 8  # columns more than may be shown, read at once


def is_wide(case: Case, canon: Canon, result: Any) -> bool:
    """Whether a result has rows, and so many columns that they are counted first.

    Only where a maximum is derived: one that a reference gives may be at fault.
    """
    return (
        isinstance(result, SqlResult)
        and len(result.columns) > MANY_COLUMNS
        and result.n_rows > 0
        and must_be_held(case, canon, len(result.columns))
        and isinstance(canon.minimum, Relation)
        and not canon.minimum.truncated
    )


def too_wide(case: Case, result: SqlResult, most: int) -> Explanation | None:
    """Wrong, if a result has more different columns than may be shown; else None.

    Parameters
    ----------
    case : Case
        What is accepted.
    result : SqlResult
        What the answer returns.
    most : int
        How many columns the maximum can have.
    """
    width, count = len(result.columns), most + _FIRST
    different = 0
    while different <= most and count < 2 * width:
        different = n_different_columns(_columns(result, count))
        count *= 2
    if different <= most:
        return None
    reason = beyond_width(width, most)
    names: dict[str, Any] = {"other_names": result.names}
    return stated(case.settings, False, "beyond_maximum", reason, **names)


def _columns(result: SqlResult, count: int) -> Sequence[Any]:
    """Some of the columns, as they are compared."""
    parts = result.names[:count], result.columns[:count], result.nulls[:count]
    return Relation.from_columns(*parts).columns
