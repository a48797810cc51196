"""What the text of a query shows without its grammar: tables, and DISTINCT."""

import re
from itertools import pairwise
from typing import Final

_TOKEN: Final = re.compile(
    r"--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*(?:'|\Z)|\"(?:[^\"]|\"\")*(?:\"|\Z)"
    r"|`[^`]*(?:`|\Z)|\[[^\]]*(?:\]|\Z)|\w+|\S",
    re.DOTALL,
)
_DISTINCT: Final = re.compile(
    r"(--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*(?:'|\Z)|\"(?:[^\"]|\"\")*(?:\"|\Z)"
    r"|`[^`]*(?:`|\Z)|\[[^\]]*(?:\]|\Z))|\bdistinct\b",
    re.DOTALL | re.IGNORECASE,
)
_ENDS: Final = frozenset(
    {
        *("WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "FETCH", "WINDOW"),
        *("UNION", "INTERSECT", "EXCEPT", "SELECT", "VALUES", "ON", "USING"),
    }
)
_AFTER_AS: Final = ("(", "NOT", "MATERIALIZED")
_BEFORE: Final = frozenset({"LATERAL", "ONLY"})


def reads_table(sql: str) -> bool:
    """Whether a query takes rows from a table or view, or only makes up its own.

    Functions that return rows, lists of values and the names of WITH are no tables.

    Examples
    --------
    >>> [reads_table(text) for text in (
    ...     "SELECT name FROM city", "SELECT 1, 'from city'",
    ...     "SELECT a FROM (VALUES (1)) AS t(a), generate_series(1, 9)",
    ...     "WITH n AS (SELECT 1 AS a) SELECT a FROM n",
    ...     "SELECT 1 WHERE EXISTS (SELECT * FROM [city])")]
    [True, False, False, False, True]
    """
    pieces = _TOKEN.findall(sql)
    tokens = [token for token in pieces if not token.startswith(("--", "/*"))]
    with_names = _named_by_with(tokens)
    reading, wanted = [False], False  # by depth of brackets: whether FROM goes on
    for token, following in pairwise((*tokens, ";")):
        word = token.upper()
        if token == "(":
            reading.append(wanted)
        elif token == ")":
            reading = reading[:-1] or [False]
            wanted = False
        elif word in ("FROM", "JOIN") or (token == "," and reading[-1]):
            reading[-1] = wanted = True
        elif word in _ENDS:
            reading[-1] = word in ("ON", "USING") and reading[-1]
            wanted = False
        elif wanted and word not in _BEFORE:
            wanted = False
            name = token.strip('"`[]').lower()
            made_up = following == "(" or following.startswith("'")
            if not (made_up or token[0] in "'0123456789" or name in with_names):
                return True
    return False


def without_distinct(sql: str) -> str:
    """A query without the word DISTINCT, wherever it stands but in quotes.

    What the test suite evaluator does to both sides unless it is told to keep it.

    Examples
    --------
    >>> without_distinct("SELECT count(DISTINCT a), 'distinct' FROM t")
    "SELECT count( a), 'distinct' FROM t"
    """
    return _DISTINCT.sub(lambda match: match[1] or "", sql)


def _named_by_with(tokens: list[str]) -> set[str]:
    """Names that stand before AS (...), perhaps with their columns between."""
    names, opened, before = set[str](), list[str](), ""
    for token, following in pairwise((*tokens, ";")):
        if token == "(":
            opened.append(before)
        elif token == ")":
            before = opened.pop() if opened else ""
            continue
        elif token.upper() == "AS" and following.upper() in _AFTER_AS:
            names.add(before.strip('"`[]').lower())
        before = token
    return names
