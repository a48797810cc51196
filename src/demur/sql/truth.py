"""Yes and no where an engine has no booleans."""

from typing import Any, Final

from demur.answers import Relation
from demur.answers.tables.relation_values import RelationColumn, replaced

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
        RelationColumn(column.values == _YES) if _says(column) else column
        for column in result.columns
    ]
    return replaced(result, columns)


def _says(column: RelationColumn) -> bool:
    texts = column.text and column.null is None and len(column)
    return bool(texts) and {_YES, _NO}.issuperset(column.values.tolist())
