"""The clauses of a query, as far as its text shows them: select list, order, limit.

This reads tokens and brackets, not the grammar of an engine. Where a query is of
another form than it knows, it says so by finding nothing.
"""

import itertools
import re
from dataclasses import dataclass
from typing import Final, NamedTuple

_TOKEN: Final = re.compile(
    r"""(?P<blank>\s+|--[^\n]*|/\*.*?(?:\*/|\Z))
    |(?P<text>'(?:[^']|'')*')
    |(?P<name>"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\])
    |(?P<word>[^\W\d]\w*)
    |(?P<number>\d+(?:\.\d*)?)
    |(?P<mark>.)""",
    re.VERBOSE | re.DOTALL,
)
_COMPOUND: Final = frozenset({"UNION", "INTERSECT", "EXCEPT"})
_ENDS: Final = frozenset({"END", "NULL", "TRUE", "FALSE"})
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
    }
)
_DATE_CALLS: Final = frozenset({"DATE", "TIME", "DATETIME", "JULIANDAY", "UNIXEPOCH"})
_RANDOM_CALLS: Final = frozenset(
    {
        *("RANDOM", "RAND", "RANDOMBLOB", "NEWID", "UUID", "GEN_RANDOM_UUID"),
        *("SETSEED", "RANDOM_NORMAL"),
    }
)
_MORE_ROWS: Final = 1000


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    depth: int

    @property
    def upper(self) -> str:
        """A word in capitals; nothing for what is no word."""
        return self.text.upper() if self.kind == "word" else ""


class Item(NamedTuple):
    """One column of a select list.

    Parameters
    ----------
    expression : str
        As it stands in the query.
    alias : str
        The name that it is given there, or "".
    """

    expression: str
    alias: str


class Keyed(NamedTuple):
    """A query that also shows by what its rows are sorted.

    Parameters
    ----------
    sql : str
        The query; it stops some rows after its own limit.
    keys : tuple of int
        Positions of the sort keys among its columns; negative from the end.
    added : int
        How many columns of keys stand after the query's own.
    """

    sql: str
    keys: tuple[int, ...]
    added: int


@dataclass(frozen=True, slots=True)
class Clauses:
    """The outermost clauses of a query.

    Parameters
    ----------
    sql : str
        The text.
    items : tuple of Item
        Its select list.
    keys : tuple of str
        What it is sorted by, without directions; empty without ORDER BY.
    limit : int or None
        At most so many rows; None without a limit, or if that is no plain number.
    offset : int
        Rows that are passed over before.
    limited : bool
        Whether there is a LIMIT.
    distinct, compound : bool
        Whether it is SELECT DISTINCT; whether it unites several queries.
    from_at, limit_at : int
        Where in the text FROM and LIMIT begin; -1 and the end if there are none.
    """

    sql: str
    items: tuple[Item, ...]
    keys: tuple[str, ...] = ()
    limit: int | None = None
    offset: int = 0
    limited: bool = False
    distinct: bool = False
    compound: bool = False
    from_at: int = -1
    limit_at: int = -1

    def keyed(self) -> Keyed | None:
        """The query with its sort keys as columns, and with rows beyond its limit.

        None if it is not sorted, or if that cannot be written.

        Examples
        --------
        >>> text = "SELECT name n FROM city ORDER BY size DESC LIMIT 2"
        >>> print(clauses_of(text).keyed().sql)
        SELECT name n
        , (size)
        FROM city ORDER BY size DESC LIMIT 1002
        """
        if not self.keys or (self.limited and self.limit is None):
            return None
        shown = self._shown()
        if shown is not None:
            return Keyed(self._cut(0, ""), shown, 0)
        expressions = [self._expression(key) for key in self.keys]
        if self.distinct or self.compound or self.from_at < 0 or None in expressions:
            return None
        more = "".join(f"\n, ({each})" for each in expressions) + "\n"
        count = len(expressions)
        return Keyed(self._cut(self.from_at, more), tuple(range(-count, 0)), count)

    def _cut(self, at: int, more: str) -> str:
        """The text with something put in, and with a higher limit."""
        text = self.sql[:at].rstrip() + more + self.sql[at : self.limit_at]
        if self.limit is None:
            return text
        return f"{text.rstrip()} LIMIT {self.offset + self.limit + _MORE_ROWS}"

    @property
    def _starred(self) -> bool:
        """Whether an item stands for several columns, so that places are unknown."""
        return any(each.expression.endswith("*") for each in self.items)

    def _shown(self) -> tuple[int, ...] | None:
        """Positions of the keys in the select list, if all of them are there."""
        if self._starred:
            return None
        places = [self._place(key) for key in self.keys]
        found = tuple(at for at in places if at is not None)
        return found if len(found) == len(places) else None

    def _place(self, key: str) -> int | None:
        if key.isdecimal() and 0 < int(key) <= len(self.items):
            return int(key) - 1
        for at, item in enumerate(self.items):
            if _plain(key) in (_plain(item.alias), _plain(item.expression)):
                return at
        return None

    def _expression(self, key: str) -> str | None:
        """What a key stands for, if it is the place or the name of an item."""
        if key.isdecimal():
            at = None if self._starred else self._place(key)
            return None if at is None else self.items[at].expression
        named = [each for each in self.items if each.alias]
        same = (each for each in named if _plain(each.alias) == _plain(key))
        found = next(same, None)
        return key if found is None else found.expression


def clauses_of(sql: str) -> Clauses | None:
    """The outermost clauses of a query; None if it is of another form.

    Parameters
    ----------
    sql : str
        One statement.

    Examples
    --------
    >>> found = clauses_of("SELECT a, max(b) AS n FROM t GROUP BY a ORDER BY n LIMIT 3")
    >>> found.items[1], found.keys, found.limit
    (Item(expression='max(b)', alias='n'), ('n',), 3)
    >>> clauses_of("VALUES (1)")
    """
    tokens = [token for token in _tokens(sql) if token.kind != "blank"]
    while tokens and tokens[-1].text == ";":
        sql = sql[: tokens.pop().start]
    top = [token for token in tokens if token.depth == 0]
    if not top or top[0].upper not in ("SELECT", "WITH"):
        return None
    select = _find(top, "SELECT")
    if select is None:
        return None
    after = [token for token in tokens if token.start > select.start]
    distinct = bool(after) and after[0].upper == "DISTINCT"
    source = _find_from(top, select.start)
    limit = _find(top, "LIMIT")
    end = len(sql) if limit is None else limit.start
    order = _find(top, "ORDER")
    stop = next(
        (at for at in (source, order and order.start, end) if at is not None), end
    )
    listed = [token for token in after if token.start < stop][distinct:]
    keys = []
    if order is not None:
        listed_keys = [t for t in after if order.start < t.start < end][1:]
        keys = [_key(sql, part) for part in _parts(listed_keys)]
    count, offset = (None, 0) if limit is None else _limit(top, limit)
    return Clauses(
        sql,
        tuple(_item(sql, part) for part in _parts(listed)),
        tuple(keys),
        limit=count,
        offset=offset,
        limited=limit is not None,
        distinct=distinct,
        compound=any(token.upper in _COMPOUND for token in top),
        from_at=-1 if source is None else source,
        limit_at=end,
    )


def queries_within(sql: str) -> tuple[str, ...]:
    """The queries in brackets inside a query, each so that it could run alone.

    Those that use a column of the query around them could not, and are given, too.

    Parameters
    ----------
    sql : str
        One statement.

    Examples
    --------
    >>> queries_within("SELECT a FROM t WHERE b = (SELECT b FROM u LIMIT 1)")
    ('SELECT b FROM u LIMIT 1',)
    >>> queries_within("WITH u AS (SELECT 1 b) SELECT 2 WHERE 3 IN (SELECT b FROM u)")
    ('SELECT 1 b', 'WITH u AS (SELECT 1 b) SELECT b FROM u')
    """
    tokens = [token for token in _tokens(sql) if token.kind != "blank"]
    main = _find([token for token in tokens if token.depth == 0], "SELECT")
    named = main is not None and tokens[0].upper == "WITH"
    found = []
    for at, (before, first) in enumerate(itertools.pairwise(tokens)):
        if before.text != "(" or first.upper != "SELECT":
            continue
        rest = tokens[at + 1 :]
        same = (t for t in rest if t.text == ")" and t.depth == before.depth)
        end = next(same, None)
        text = sql[first.start : len(sql) if end is None else end.start]
        if named and main is not None and first.start > main.start:
            text = sql[: main.start] + text
        found.append(text)
    return tuple(found)


def reads_clock(sql: str) -> bool:
    """Whether a query asks what time it is, so that its result changes by itself.

    Examples
    --------
    >>> [reads_clock(text) for text in (
    ...     "SELECT date('now')", "SELECT 1 WHERE a < CURRENT_DATE",
    ...     "SELECT a FROM t WHERE a = 'now'", "SELECT date(a) FROM t")]
    [True, True, False, False]
    """
    tokens = [token for token in _tokens(sql) if token.kind != "blank"]
    for at, token in enumerate(tokens):
        follows = "".join(each.text for each in tokens[at + 1 : at + 3])
        before = tokens[at - 1].text if at else ""
        if token.upper in _CLOCK and before != "." and not follows.startswith("."):
            return True
        if token.upper in _CLOCK_CALLS and follows.startswith("("):
            return True
        if token.upper in _DATE_CALLS and follows == "()":
            return True
        if token.text.lower() == "'now'" and before in ("(", ","):
            return True
    return False


def is_random(sql: str) -> bool:
    """Whether a query draws random numbers.

    Examples
    --------
    >>> is_random("SELECT a FROM t ORDER BY random()")
    True
    >>> is_random("SELECT random FROM t")
    False
    """
    tokens = [token for token in _tokens(sql) if token.kind != "blank"]
    return any(
        token.upper in _RANDOM_CALLS and following.text == "("
        for token, following in itertools.pairwise(tokens)
    )


# -- tokens --------------------------------------------------------------------------


def _tokens(sql: str) -> list[_Token]:
    found, depth = [], 0
    for match in _TOKEN.finditer(sql):
        kind, text = match.lastgroup or "", match.group()
        depth -= text == ")"
        found.append(_Token(kind, text, match.start(), depth))
        depth += text == "("
    return found


def _find(top: list[_Token], word: str) -> _Token | None:
    """The last such word outside all brackets; of SELECT the first."""
    found = [token for token in top if token.upper == word]
    if word == "ORDER":
        following = {a.start: b.upper for a, b in itertools.pairwise(top)}
        found = [token for token in found if following.get(token.start) == "BY"]
    if not found:
        return None
    return found[0] if word == "SELECT" else found[-1]


def _find_from(top: list[_Token], start: int) -> int | None:
    """Where the first FROM after SELECT begins; that of IS DISTINCT FROM is none."""
    for before, token in itertools.pairwise(top):
        if token.start > start and token.upper == "FROM" and before.upper != "DISTINCT":
            return token.start
    return None


def _parts(tokens: list[_Token]) -> list[list[_Token]]:
    """Tokens between commas outside all brackets."""
    parts: list[list[_Token]] = [[]]
    for token in tokens:
        if token.text == "," and token.depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _text(sql: str, part: list[_Token]) -> str:
    return sql[part[0].start : part[-1].start + len(part[-1].text)] if part else ""


def _item(sql: str, part: list[_Token]) -> Item:
    last = part[-1]
    if len(part) < 2 or last.kind not in ("word", "name") or last.upper in _ENDS:
        return Item(_text(sql, part), "")
    before = part[-2]
    if before.upper == "AS":
        return Item(_text(sql, part[:-2]), last.text)
    if before.text == ")" or (before.kind != "mark" and before.upper not in _OPERATORS):
        return Item(_text(sql, part[:-1]), last.text)
    return Item(_text(sql, part), "")


_OPERATORS: Final = frozenset(
    {"AND", "OR", "NOT", "IS", "LIKE", "IN", "GLOB", "COLLATE", "DIV", "MOD", "CASE"}
)


def _key(sql: str, part: list[_Token]) -> str:
    """A sort key without its direction."""
    if len(part) > 2 and part[-2].upper == "NULLS":
        part = part[:-2]
    if len(part) > 1 and part[-1].upper in ("ASC", "DESC"):
        part = part[:-1]
    return _text(sql, part)


def _limit(top: list[_Token], limit: _Token) -> tuple[int | None, int]:
    """How many rows, after how many; None if that is not said in plain numbers."""
    said = [token.text.upper() for token in top if token.start > limit.start]
    match said:
        case [count] if count.isdecimal():
            return int(count), 0
        case [count, "OFFSET", offset] if count.isdecimal() and offset.isdecimal():
            return int(count), int(offset)
        case [offset, ",", count] if count.isdecimal() and offset.isdecimal():
            return int(count), int(offset)
    return None, 0


def _plain(text: str) -> str:
    """An expression so that two ways to write it are equal."""
    return re.sub(r"\s+", "", text).strip('"`').lower()
