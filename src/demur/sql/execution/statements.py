"""The first guard: only a statement that begins like a reading one gets any further.

It is coarse on purpose. What a statement may do is decided by the engine itself, from
its own parse: see the engines beside this file.
"""

import re
from collections.abc import Sequence
from typing import Final

from demur.sql.execution.queries import QueryFailed

LONGEST: Final = 100_000
"""Characters of a text that is run; no limit of time reaches an engine's parser."""

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
# Nothing but ends of statements, blanks and comments.
_BLANK: Final = "; \t\r\n\f\v\ufeff"
_EMPTY: Final = re.compile(r"(?:[;\s\ufeff]|--[^\n]*|/\*(?s:.*?)\*/)*+")
# What may hold a semicolon that ends nothing: comments, texts, names in quotes.
_QUOTED: Final = re.compile(
    r"(?:--[^\n]*|/\*(?s:.*?)(?:\*/|\Z)|'[^']*(?:'|\Z)|\"[^\"]*(?:\"|\Z)"
    r"|`[^`]*(?:`|\Z)|[^;])*+"
)
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
        not look; ``error`` for what is no SQL, or longer than `LONGEST`.

    Examples
    --------
    >>> checked_statement("/* all */ SELECT 1;;\n")
    '/* all */ SELECT 1'
    >>> checked_statement("drop table fare")
    Traceback (most recent call last):
    ...
    demur.sql.execution.queries.QueryFailed: forbidden: DROP is not allowed; only
    SELECT, WITH and VALUES are run
    >>> checked_statement("I do not know")
    Traceback (most recent call last):
    ...
    demur.sql.execution.queries.QueryFailed: error: it begins with 'I'; only SELECT,
    WITH and VALUES are run
    """
    check_length(sql)
    if "\0" in sql:
        raise QueryFailed("forbidden", "it holds a NUL character")
    sql = _one_statement(sql)
    *most, last = map(str.upper, reading)
    only = f"only {', '.join(most)} and {last} are run"
    before = _BEFORE.match(sql)
    start = before.end() if before else 0
    match = _WORD.match(sql, start)
    word = match.group() if match else ""
    if word.lower() in reading:
        return sql
    if word.lower() in COMMANDS:
        raise QueryFailed("forbidden", f"{word.upper()} is not allowed; {only}")
    begins = f"it begins with {word or sql[start : start + 1]!r}; {only}"
    blank = _EMPTY.fullmatch(sql, start)
    raise QueryFailed("error", "it holds no statement" if blank else begins)


def check_length(sql: str) -> None:
    """Refuse a text that is too long, before anything reads it.

    Raises
    ------
    QueryFailed
        ``error`` for what is longer than `LONGEST`.
    """
    if len(sql) > LONGEST:
        message = f"it has {len(sql):,} characters; at most {LONGEST:,} are run"
        raise QueryFailed("error", message)


def _one_statement(sql: str) -> str:
    """The text without empty statements before and after; comments count as empty.

    Where a dollar or a backslash may quote in ways of one engine, its end stays.
    """
    sql = sql.strip(_BLANK)
    before = _EMPTY.match(sql)
    if before and ";" in before.group():
        sql = sql[before.end() :]
    if "$" in sql or "\\" in sql:
        return sql
    match = _QUOTED.match(sql)
    end = match.end() if match else len(sql)
    return sql[:end] if _EMPTY.fullmatch(sql, end) else sql
