"""The first guard: only a statement that begins like a reading one gets any further.

It is coarse on purpose. What a statement may do is decided by the engine itself, from
its own parse: see the engines beside this file.
"""

import re
from typing import Final

from demur.execution.queries import QueryFailed

READING: Final = frozenset({"select", "with", "values"})

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
_WORD: Final = re.compile(r"[^\W\d]\w*")


def check_statement(sql: str, reading: frozenset[str] = READING) -> None:
    """Refuse a text that does not begin with SELECT, WITH or VALUES.

    Parameters
    ----------
    sql : str
        The text; comments and brackets before the first word are skipped.
    reading : set of str
        First words that may pass, in lower case.

    Raises
    ------
    QueryFailed
        ``forbidden`` for other SQL commands, ``error`` for what is no SQL.

    Examples
    --------
    >>> check_statement("/* all */ SELECT 1")
    >>> check_statement("drop table fare")
    Traceback (most recent call last):
    ...
    demur.execution.queries.QueryFailed: forbidden: DROP is not allowed; only SELECT,
    WITH and VALUES are run
    >>> check_statement("I do not know")
    Traceback (most recent call last):
    ...
    demur.execution.queries.QueryFailed: error: it begins with 'I'; only SELECT, WITH
    and VALUES are run
    """
    only = "only SELECT, WITH and VALUES are run"
    before = _BEFORE.match(sql)
    start = before.end() if before else 0
    found = _WORD.match(sql, start)
    word = found.group() if found else ""
    if word.lower() in reading:
        return
    if word.lower() in COMMANDS:
        raise QueryFailed("forbidden", f"{word.upper()} is not allowed; {only}")
    begins = f"it begins with {word or sql[start : start + 1]!r}; {only}"
    blank = not sql[start:].strip("; \t\r\n")
    raise QueryFailed("error", "it holds no statement" if blank else begins)
