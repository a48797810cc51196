"""The first guard: only a statement that begins like a reading one gets any further.

It is coarse on purpose. What a statement may do is decided by the engine itself, from
its own parse: see the engines beside this file.
"""

import re
from collections.abc import Sequence
from typing import Final

from demur.execution.queries import QueryFailed

READING: Final = ("select", "with", "values")

_COMMANDS: Final = """
    alter analyze attach begin call checkpoint close cluster comment commit copy
    create deallocate declare delete describe detach discard do drop end execute
    explain export fetch force grant import insert install listen load lock merge
    move notify pragma prepare reassign refresh reindex release replace reset revoke
    rollback savepoint security set show start summarize table truncate unlisten
    update use vacuum
"""
COMMANDS: Final = frozenset(_COMMANDS.split())

# Blanks, comments and opening brackets; possessive, so that it is linear.
_BEFORE: Final = re.compile(r"(?:\s|\(|--[^\n]*|/\*(?s:.*?)\*/)*+")
_EMPTY: Final = "; \t\r\n\f\v"
_WORD: Final = re.compile(r"[^\W\d]\w*")


def checked_statement(sql: str, reading: Sequence[str] = READING) -> str:
    r"""A text that begins with SELECT, WITH or VALUES; others are refused.

    Parameters
    ----------
    sql : str
        The text; comments and brackets before the first word are skipped.
    reading : sequence of str
        First words that may pass, in lower case.

    Returns
    -------
    str
        The text without empty statements around it, which not all engines pass over.

    Raises
    ------
    QueryFailed
        ``forbidden`` for other SQL commands, and for NUL, behind which some engines do
        not look; ``error`` for what is no SQL.

    Examples
    --------
    >>> checked_statement("/* all */ SELECT 1;;\n")
    '/* all */ SELECT 1'
    >>> checked_statement("drop table fare")
    Traceback (most recent call last):
    ...
    demur.execution.queries.QueryFailed: forbidden: DROP is not allowed; only SELECT,
    WITH and VALUES are run
    >>> checked_statement("I do not know")
    Traceback (most recent call last):
    ...
    demur.execution.queries.QueryFailed: error: it begins with 'I'; only SELECT, WITH
    and VALUES are run
    """
    if "\0" in sql:
        raise QueryFailed("forbidden", "it holds a NUL character")
    sql = sql.strip(_EMPTY)
    *most, last = map(str.upper, reading)
    only = f"only {', '.join(most)} and {last} are run"
    before = _BEFORE.match(sql)
    start = before.end() if before else 0
    found = _WORD.match(sql, start)
    word = found.group() if found else ""
    if word.lower() in reading:
        return sql
    if word.lower() in COMMANDS:
        raise QueryFailed("forbidden", f"{word.upper()} is not allowed; {only}")
    begins = f"it begins with {word or sql[start : start + 1]!r}; {only}"
    blank = not sql[start:].strip(_EMPTY)
    raise QueryFailed("error", "it holds no statement" if blank else begins)
