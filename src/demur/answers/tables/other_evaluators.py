"""Row comparisons of two published evaluators, so that old figures can be reproduced.

They compare rows as Python tuples. Written from the description of what they do.
"""

from collections.abc import Sequence
from typing import Any

_Row = tuple[Any, ...]


def bird_ex(reference: Sequence[_Row], response: Sequence[_Row]) -> bool:
    """Equality of two sets of rows; the order of columns counts (execution accuracy).

    Source: the evaluation script of BIRD, Li et al. (2023).

    Examples
    --------
    >>> bird_ex([(1, "a"), (1, "a")], [(1.0, "a")]), bird_ex([(1, "a")], [("a", 1)])
    (True, False)
    """
    return _distinct(reference) == _distinct(response)


def printed_alike(
    reference: Sequence[_Row], response: Sequence[_Row], *, ordered: bool
) -> bool:
    """Whether rows are equal once the values in each are sorted by their printed form.

    A test that the test suite evaluator makes first. It refuses (1, 1.5) for
    (1.0, 1.5), because 1 and 1.0 print differently.

    Source: Zhong, Yu and Klein (2020), program ``test-suite-sql-eval``.

    Examples
    --------
    >>> printed_alike([(1, "a")], [("a", 1)], ordered=False)
    True
    >>> printed_alike([(1, 1.5)], [(1.0, 1.5)], ordered=False)
    False
    """
    ours, theirs = (
        [tuple(sorted(row, key=_printed)) for row in rows]
        for rows in (reference, response)
    )
    return ours == theirs if ordered else _distinct(ours) == _distinct(theirs)


def _printed(value: Any) -> str:
    return f"{value}{type(value)}"


def _distinct(rows: Sequence[_Row]) -> set[Any]:
    try:
        return set(rows)
    except TypeError:  # a list or an object among the values
        return {repr(row) for row in rows}
