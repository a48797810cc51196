"""The clauses of a query, as far as its text shows them: select list, order, limit.

This reads tokens and brackets, not the grammar of an engine. Where a query is of
another form than it knows, it says so by finding nothing.
"""

import ast
import itertools
import logging
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

LONGEST: Final = 10_000
"""A text of more characters is not cut into tokens."""

_WORD: Final = re.compile(r"\S+")

_TEXTS: Final = frozenset({"STRING", "NATIONAL_STRING", "RAW_STRING", "HEREDOC_STRING"})


class Token(NamedTuple):
    """One token.

    Parameters
    ----------
    kind : str
        text (in single quotes), name (in other quotes), word, number or mark.
    text : str
        As it stands in the query.
    start : int
        Where.
    depth : int
        Brackets around it.
    """

    kind: str
    text: str
    start: int
    depth: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)

    @property
    def upper(self) -> str:
        """A word in capitals; nothing for what is no word."""
        return self.text.upper() if self.kind == "word" else ""


def tokens_of(sql: str, dialect: str = "sqlite") -> list[Token]:
    """The tokens of a query without blanks and comments.

    Parameters
    ----------
    sql : str
        Any text.
    dialect : str
        Of SQL, as sqlglot names it.

    Returns
    -------
    list of Token
        None at all if the text is longer than `LONGEST`, or cannot be cut.

    Examples
    --------
    >>> [(token.text, token.depth) for token in tokens_of("f('a b') -- c")]
    [('f', 0), ('(', 0), ("'a b'", 1), (')', 0)]
    """
    return list(_tokens(sql, dialect)) if len(sql) <= LONGEST else []


@lru_cache(maxsize=64)  # one query is looked at from many sides, one after the other
def _tokens(sql: str, dialect: str) -> tuple[Token, ...]:
    # Processes that run SQL come by here without it: loading it takes most of a start.
    import sqlglot

    try:
        cut = sqlglot.tokenize(sql, read=dialect)
    except sqlglot.errors.SqlglotError:
        return ()
    tokens, depth = list[Token](), 0
    for token in cut:
        text = sql[token.start : token.end + 1]
        kind = _kind(token.token_type.name, text)
        depth -= text == ")"
        if kind == "word":  # such as ORDER BY
            for word in _WORD.finditer(text):
                start = token.start + word.start()
                tokens.append(Token(kind, word.group(), start, depth))
        else:
            tokens.append(Token(kind, text, token.start, depth))
        depth += text == "("
    return tuple(tokens)


_LOGGER: Final = logging.getLogger("sqlglot")


def tree_of(sql: str, dialect: str = "sqlite") -> Any:
    """A statement as sqlglot reads it; None if it cannot."""
    import sqlglot

    if not _LOGGER.handlers:  # what it cannot read is said by what is returned
        _LOGGER.addHandler(logging.NullHandler())
    try:
        return sqlglot.parse_one(sql, read=dialect)
    except (sqlglot.errors.SqlglotError, RecursionError):
        return None


def _kind(name: str, text: str) -> str:
    if name in _TEXTS:
        return "text"
    if name in ("IDENTIFIER", "NUMBER"):
        return "name" if name == "IDENTIFIER" else "number"
    return "word" if text[0].isalpha() or text[0] == "_" else "mark"


COMPOUND: Final = frozenset({"UNION", "INTERSECT", "EXCEPT"})
_ENDS: Final = frozenset({"END", "NULL", "TRUE", "FALSE"})
MORE_ROWS: Final = 10_000
"""So many rows after the limit of a query are read, to see which tie with its last."""
_ROWS: Final = frozenset({"ROW", "ROWS", "ONLY"})
NOTHING: Final = Token("mark", "", 0, 0)
_UNLIMITED: Final = 1 << 40
_TAIL: Final = frozenset({"LIMIT", "OFFSET", "FETCH"})
_AFTER_LIST: Final = frozenset(
    {"FROM", "INTO", "WHERE", "GROUP", "HAVING", "WINDOW", "QUALIFY"}
)
_COUNT: Final = re.compile(r"[\d()*+-]{1,40}")
_SUMS: Final[dict[type, Callable[[int, int], int]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


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


class Key(NamedTuple):
    """What rows are sorted by.

    Parameters
    ----------
    text : str
        The expression.
    falling : bool
        Whether it says DESC.
    collation : str
        The name after COLLATE, in capitals, or "".
    """

    text: str
    falling: bool = False
    collation: str = ""


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
    distinct : bool
        Whether rows that the query would show once may stand there several times.
    """

    sql: str
    keys: tuple[int, ...]
    added: int
    distinct: bool = True


@dataclass(frozen=True, slots=True)
class Clauses:
    """The outermost clauses of a query.

    Parameters
    ----------
    sql : str
        The text.
    items : tuple of Item
        Its select list.
    keys : tuple of Key
        What it is sorted by; empty without ORDER BY.
    limit : int or None
        At most so many rows; None without a limit, or if that is no plain number.
    offset : int
        Rows that are passed over before.
    limited : bool
        Whether there is a limit: LIMIT, OFFSET or FETCH.
    distinct, compound : bool
        Whether it is SELECT DISTINCT; whether it unites several queries.
    list_at, list_end, from_at, limit_at : int
        Where in the text the select list begins and ends, and FROM and the limit
        begin; -1 and the end if there are none.
    """

    sql: str
    items: tuple[Item, ...]
    keys: tuple[Key, ...] = ()
    limit: int | None = None
    offset: int = 0
    limited: bool = False
    distinct: bool = False
    compound: bool = False
    list_at: int = -1
    list_end: int = -1
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
        FROM city ORDER BY size DESC LIMIT 10002
        """
        if not self.keys or (self.limited and self.limit is None):
            return None
        shown = self._shown()
        if shown is not None:
            return Keyed(self._cut(0, ""), shown, 0)
        expressions = [self._expression(key.text) for key in self.keys]
        if self.compound or self.from_at < 0 or None in expressions:
            return None
        more = "".join(f"\n, ({expression})" for expression in expressions) + "\n"
        count = len(expressions)
        places = tuple(range(-count, 0))
        text = self._cut(self.from_at, more)
        if not self.distinct:
            return Keyed(text, places, count)
        # DISTINCT would also tell rows apart by the added keys, so it is done later.
        # DISTINCT ON (...) picks rows by their order, which nothing can do later.
        if not self.items or self.items[0].expression.upper().startswith("ON"):
            return None
        without = text[: self.list_at] + text[self.list_at + len("DISTINCT") :]
        return Keyed(without, places, count, distinct=False)

    def ordering(self) -> str:
        """The sort keys as a window can sort by them; "" where none can be written.

        Examples
        --------
        >>> clauses_of("SELECT name n FROM city ORDER BY n, size DESC").ordering()
        'name, size DESC'
        """
        expressions = [self._expression(key.text) for key in self.keys]
        if self.compound or None in expressions:
            return ""
        return ", ".join(
            f"{expression}{f' COLLATE {key.collation}' if key.collation else ''}"
            f"{' DESC' if key.falling else ''}"
            for expression, key in zip(expressions, self.keys, strict=True)
        )

    def _cut(self, at: int, more: str) -> str:
        text = self.sql[:at].rstrip() + more + self.sql[at : self.limit_at]
        if self.limit is None:
            return text
        # Some rows beyond the limit show whether it cuts through a tie.
        return f"{text.rstrip()} LIMIT {self.offset + self.limit + MORE_ROWS}"

    @property
    def _starred(self) -> bool:
        """Whether an item stands for several columns, so that places are unknown."""
        return any(item.expression.endswith("*") for item in self.items)

    def _shown(self) -> tuple[int, ...] | None:
        """Positions of the keys in the select list, if all of them are there."""
        if self._starred:
            return None
        places = [self._place(key.text) for key in self.keys]
        shown = tuple(at for at in places if at is not None)
        return shown if len(shown) == len(places) else None

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
        for item in self.items:
            if item.alias and _plain(item.alias) == _plain(key):
                return item.expression
        return key


def clauses_of(sql: str, dialect: str = "sqlite") -> Clauses | None:
    """The outermost clauses of a query; None if it is of another form.

    Parameters
    ----------
    sql : str
        One statement.
    dialect : str
        Of SQL, as sqlglot names it.

    Examples
    --------
    >>> found = clauses_of("SELECT a, max(b) AS n FROM t GROUP BY a ORDER BY n LIMIT 3")
    >>> found.items[1], found.keys[0].text, found.limit
    (Item(expression='max(b)', alias='n'), 'n', 3)
    >>> clauses_of("VALUES (1)")
    """
    tokens = tokens_of(sql, dialect)
    while tokens and tokens[-1].text == ";":
        sql = sql[: tokens.pop().start]
    top = [token for token in tokens if token.depth == 0]
    begins = ("SELECT", "WITH", "FROM") if dialect == "duckdb" else ("SELECT", "WITH")
    if not top or top[0].upper not in begins:
        return None
    select = _find(top, "SELECT")
    if select is None:
        return None
    after = [token for token in tokens if token.start > select.start]
    distinct = bool(after) and after[0].upper == "DISTINCT"
    source = _first_after(top, select.start, frozenset({"FROM"}))
    order = _find(top, "ORDER")
    tail = _tail(tokens, max(select.start, order.start if order else -1))
    end = tail[0].start if tail else len(sql)
    united = next((token.start for token in top if token.upper in COMPOUND), None)
    rest = _first_after(top, select.start, _AFTER_LIST)
    stops = (rest, united, order and order.start, end)
    stop = min(at for at in stops if at is not None)
    listed = [token for token in after if token.start < stop][distinct:]
    sorted_by = [t for t in after if order and order.start < t.start < end][1:]
    count, offset = _limit(tail) if tail else (None, 0)
    return Clauses(
        sql,
        tuple(_item(sql, part) for part in _parts(listed)),
        tuple(_key(sql, part) for part in _parts(sorted_by)),
        limit=count,
        offset=offset,
        limited=bool(tail),
        distinct=distinct,
        compound=united is not None,
        list_at=after[0].start if after else -1,
        list_end=listed[-1].end if listed else -1,
        from_at=-1 if source is None else source,
        limit_at=end,
    )


def branches_of(sql: str, dialect: str = "sqlite") -> tuple[tuple[int, str], ...]:
    """The queries that a set operation unites, each with where it begins.

    Parameters
    ----------
    sql : str
        One statement.
    dialect : str
        Of SQL, as sqlglot names it.

    Examples
    --------
    >>> branches_of("SELECT 1 UNION ALL SELECT 2")
    ((0, 'SELECT 1 '), (19, 'SELECT 2'))
    """
    top = [token for token in tokens_of(sql, dialect) if token.depth == 0]
    starts, ends = [0], []
    for token, following in itertools.pairwise([*top, NOTHING]):
        if token.upper in COMPOUND:
            ends.append(token.start)
            starts.append(following.start)
        elif token.upper in ("ALL", "DISTINCT") and token.start == starts[-1]:
            starts[-1] = following.start
    pairs = zip(starts, [*ends, len(sql)], strict=True)
    return tuple((start, sql[start:end]) for start, end in pairs)


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
    tokens = tokens_of(sql)
    main = _find([token for token in tokens if token.depth == 0], "SELECT")
    head = main.start if main is not None and tokens[0].upper == "WITH" else 0
    queries: list[tuple[int, str]] = []
    opened: list[int] = []  # where each query that is still open begins, or -1

    def close(end: int) -> None:
        start = opened.pop()
        if start >= 0:
            # What a query after WITH (...) names is in the text before that SELECT.
            before = sql[:head] if start > head else ""
            queries.append((start, before + sql[start:end]))

    for token, following in itertools.pairwise([*tokens, NOTHING]):
        if token.text == "(":
            opened.append(following.start if following.upper == "SELECT" else -1)
        elif token.text == ")" and opened:
            close(token.start)
    while opened:
        close(len(sql))
    return tuple(text for _, text in sorted(queries))


# -- parts ---------------------------------------------------------------------------


def _find(top: list[Token], word: str) -> Token | None:
    """The last such word outside all brackets; of SELECT the first."""
    words = [token for token in top if token.upper == word]
    if word == "ORDER":
        following = {a.start: b.upper for a, b in itertools.pairwise(top)}
        words = [token for token in words if following.get(token.start) == "BY"]
    if not words:
        return None
    return words[0] if word == "SELECT" else words[-1]


def _first_after(top: list[Token], start: int, words: frozenset[str]) -> int | None:
    """Where the first such word after SELECT is; FROM of IS DISTINCT FROM is none."""
    for before, token in itertools.pairwise(top):
        compared = token.upper == "FROM" and before.upper == "DISTINCT"
        if token.start > start and token.upper in words and not compared:
            return token.start
    return None


def _parts(tokens: list[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.text == "," and token.depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _source_text(sql: str, part: list[Token]) -> str:
    return sql[part[0].start : part[-1].start + len(part[-1].text)] if part else ""


def _item(sql: str, part: list[Token]) -> Item:
    last = part[-1]
    if len(part) < 2 or last.kind not in ("word", "name") or last.upper in _ENDS:
        return Item(_source_text(sql, part), "")
    before = part[-2]
    if before.upper == "AS":
        return Item(_source_text(sql, part[:-2]), last.text)
    if before.text == ")" or (before.kind != "mark" and before.upper not in _OPERATORS):
        return Item(_source_text(sql, part[:-1]), last.text)
    return Item(_source_text(sql, part), "")


_OPERATORS: Final = frozenset(
    {"AND", "OR", "NOT", "IS", "LIKE", "IN", "GLOB", "COLLATE", "DIV", "MOD", "CASE"}
)


def _key(sql: str, part: list[Token]) -> Key:
    if len(part) > 2 and part[-2].upper == "NULLS":
        part = part[:-2]
    falling = part[-1].upper == "DESC"
    if len(part) > 1 and part[-1].upper in ("ASC", "DESC"):
        part = part[:-1]
    collation = ""
    if len(part) > 2 and part[-2].upper == "COLLATE":
        part, collation = part[:-2], part[-1].text.strip('"').upper()
    return Key(_source_text(sql, part), falling, collation)


def _tail(tokens: list[Token], start: int) -> list[Token]:
    for at, (token, following) in enumerate(itertools.pairwise(tokens)):
        if token.start <= start or token.depth or token.upper not in _TAIL:
            continue
        named = token.upper == "FETCH" and following.upper not in ("FIRST", "NEXT")
        column = token.upper == "OFFSET" and following.kind not in ("number", "mark")
        if not (named or column or following.text in (",", "=", ")")):
            return tokens[at:]
    return []


def _limit(tail: list[Token]) -> tuple[int | None, int]:
    """How many rows, after how many; None if that is not said in plain numbers."""
    clauses: dict[str, list[str]] = {}
    for token in tail:
        if token.depth == 0 and token.upper in _TAIL:
            clauses[token.upper] = word = []
        else:
            word.append(token.text.upper())
    count, offset = clauses.get("LIMIT", ["ALL"]), clauses.get("OFFSET", ["0"])
    if "," in count:
        at = count.index(",")
        offset, count = count[:at], count[at + 1 :]
    if "FETCH" in clauses:
        count = [word for word in clauses["FETCH"][1:] if word not in _ROWS] or ["1"]
    rows = _number([word for word in offset if word not in _ROWS])
    most = _UNLIMITED if count in (["ALL"], ["NULL"]) else _number(count)
    if most is None or rows is None:
        return None, 0
    return _UNLIMITED if most < 0 else most, max(rows, 0)


def _number(words: list[str]) -> int | None:
    """A whole number, or a sum of such; None for anything else."""
    text = "".join(words)
    if not _COUNT.fullmatch(text):
        return None
    try:
        return _sum(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError):
        return None


def _sum(node: ast.expr) -> int:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=one):
            return -_sum(one)
        case ast.BinOp(left=one, op=sign, right=other) if type(sign) in _SUMS:
            return _SUMS[type(sign)](_sum(one), _sum(other))
    raise ValueError(ast.dump(node))


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", text).strip('"`').lower()
