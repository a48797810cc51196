"""SQL whose result changes by itself, because it reads the clock or draws at random."""

import itertools
import re
from dataclasses import dataclass
from typing import Final

from demur.sql.clauses import NOTHING, Token, tokens_of

_CLOCK: Final = frozenset(
    {
        *("CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"),
        *("LOCALTIME", "LOCALTIMESTAMP"),
    }
)
_CLOCK_CALLS: Final = frozenset(
    {
        *("NOW", "TODAY", "GETDATE", "CURDATE", "CURTIME", "CLOCK_TIMESTAMP"),
        *("STATEMENT_TIMESTAMP", "TRANSACTION_TIMESTAMP", "TIMEOFDAY"),
        *("GET_CURRENT_TIME", "GET_CURRENT_TIMESTAMP"),
        *("CURRENT_LOCALTIME", "CURRENT_LOCALTIMESTAMP"),
    }
)
_DATE_CALLS: Final = frozenset(  # of now if they are given nothing
    {"DATE", "TIME", "DATETIME", "JULIANDAY", "UNIXEPOCH", "TIMEDIFF"}
)
_FORMAT_CALLS: Final = frozenset({"STRFTIME"})  # of now if they are given no time
_DATE_TYPES: Final = frozenset({"DATE", "TIME", "TIMESTAMP", "TIMESTAMPTZ"})
_MOVING: Final = frozenset({"'now'", "'today'", "'tomorrow'", "'yesterday'"})
_RANDOM_CALLS: Final = frozenset(
    {
        *("RANDOM", "RAND", "RANDOMBLOB", "NEWID", "UUID", "GEN_RANDOM_UUID"),
        *("SETSEED", "RANDOM_NORMAL"),
    }
)
_ELSE: Final = (
    *("SYSDATE", r"SYSTIME\w*", r"GET_CURRENT_\w+", r"CURRENT_\w+", r"LOCALTIME\w*"),
    *(r"SUBSEC(?:OND)?", r"TXID_CURRENT\w*", r"RANDOM\w*", r"UUID\w*"),
    *(r"\w*RANDOM_UUID", "SAMPLE", "TABLESAMPLE"),
)
"""What is also not to be trusted with a cache, in any engine."""

_NAMES: Final = (
    *sorted(_CLOCK | _CLOCK_CALLS | _RANDOM_CALLS),
    *_ELSE,
    *sorted(word.strip("'") for word in _MOVING),
)

_UNSTABLE: Final = re.compile(
    rf"""\b(?:{"|".join(_NAMES)})\b
    |\bage\s*\(
    |\b(?:{"|".join(sorted(_DATE_CALLS))})[^\w(]*+\([^\w)]*+\)""",
    re.IGNORECASE | re.VERBOSE,
)
_FORMATS: Final = re.compile(
    rf"""\b(?:{"|".join(sorted(_FORMAT_CALLS))})[^\w(]*+\(""", re.IGNORECASE
)


def is_stable(sql: str) -> bool:
    """Whether a query returns the same whenever it runs, as far as its words tell.

    It is no parser: words in strings, and names of columns, count as well.

    Examples
    --------
    >>> [is_stable(text) for text in (
    ...     "SELECT strftime('%Y', day) FROM flight", "SELECT strftime('%s','now')",
    ...     "SELECT 1 WHERE day < CURRENT_DATE", "SELECT a FROM t ORDER BY random()")]
    [True, False, False, False]
    """
    return not (_UNSTABLE.search(sql) or _formats_now(sql))


def _formats_now(sql: str) -> bool:
    """Whether a time is formatted that is not given: no comma before the bracket."""
    for call in _FORMATS.finditer(sql):
        end = sql.find(")", call.end())
        if end < 0:
            return False
        if sql.find(",", call.end(), end) < 0:
            return True
    return False


def reads_clock(sql: str) -> bool:
    """Whether a query asks what time it is, so that its result changes by itself.

    Examples
    --------
    >>> [reads_clock(text) for text in (
    ...     "SELECT date('now')", "SELECT 1 WHERE a < CURRENT_DATE",
    ...     "SELECT strftime('%Y')", "SELECT timestamp 'today'",
    ...     "SELECT a FROM t WHERE a IN ('now')", "SELECT date(a) FROM t")]
    [True, True, True, True, False, False]
    """
    tokens = tokens_of(sql)
    calls: list[_Call] = []
    for at, token in enumerate(tokens):
        before = tokens[at - 1] if at else NOTHING
        after = tokens[at + 1] if at + 1 < len(tokens) else NOTHING
        if token.text == "(":
            calls.append(_Call(before.upper))
        elif token.text == ")":
            if calls and calls.pop().is_clock:
                return True
        elif calls:
            calls[-1].add(token)
        plain = before.text != "." and after.text != "."
        if (token.upper in _CLOCK and plain) or _is_clock_cast(tokens, at):
            return True
    return False


@dataclass(slots=True)
class _Call:
    """A call, or whatever else is in brackets, as far as it has been read."""

    name: str
    commas: int = 0
    empty: bool = True
    now: bool = False

    def add(self, token: Token) -> None:
        self.commas += token.text == ","
        self.empty = False
        self.now |= token.text.lower() in ("'now'", '"now"')

    @property
    def is_clock(self) -> bool:
        if self.name in _CLOCK_CALLS:
            return True
        if self.name in _FORMAT_CALLS:
            return self.now or not self.commas
        if self.name == "AGE":
            return not self.commas
        return self.name in _DATE_CALLS and (self.now or self.empty)


def _is_clock_cast(tokens: list[Token], at: int) -> bool:
    """Whether it is 'now' or the like as a date, in one of three ways to write it."""
    if tokens[at].text.lower() not in _MOVING:
        return False
    before = tokens[at - 1].upper if at else ""
    texts = [token.text.upper() for token in tokens[max(at - 2, 0) : at]]
    follows = [token.text.upper() for token in tokens[at + 1 : at + 3]]
    cast = texts == ["CAST", "("] and follows[:1] == ["AS"]
    return before in _DATE_TYPES or follows[:1] == ["::"] or cast


def is_random(sql: str) -> bool:
    """Whether a query draws random numbers.

    Examples
    --------
    >>> is_random("SELECT a FROM t ORDER BY random()")
    True
    >>> is_random("SELECT random FROM t")
    False
    """
    return any(
        token.upper in _RANDOM_CALLS and following.text == "("
        for token, following in itertools.pairwise(tokens_of(sql))
    )
