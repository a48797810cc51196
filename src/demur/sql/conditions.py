"""Where a query says greater or less, and a query that shows what is compared.

Like `sql_clauses`, this reads tokens and brackets. What it cannot read, or what an
engine then refuses to run, is not looked at.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from demur.sql.clauses import COMPOUND, Token, tokens_of

_GROUPED: Final = frozenset(
    {"GROUP", "HAVING", "WINDOW", "QUALIFY", "ORDER", "LIMIT", "OFFSET", "FETCH"}
)
_TURNED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_FIRM: Final = frozenset("+-*/%|&.:^~")  # marks that bind more than a comparison
_NUMERAL: Final = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)")
_MOST_ROWS: Final = 10_000


class Condition(NamedTuple):
    """A comparison in a query.

    Parameters
    ----------
    text : str
        As it stands there, such as ``max(size)`` or ``size > '5'``.
    sign : str
        ``MAX``, ``MIN``, ``BETWEEN``, or ``<``, ``<=``, ``>``, ``>=`` with the column
        on the left.
    literals : tuple of str
        What a column is compared with.
    sql : str
        A query for the values of the column: of ``MAX`` and ``MIN`` sorted, the one
        that is taken first, else each with what the engine says of the comparison.
    """

    text: str
    sign: str
    literals: tuple[str, ...]
    sql: str


@dataclass(slots=True)
class _Select:
    """One SELECT: where its parts begin."""

    start: int
    depth: int
    source: int = -1
    grouped: int = -1
    end: int = -1

    def see(self, before: Token, token: Token) -> None:
        """Note where a part begins."""
        if token.depth != self.depth:
            return
        if token.upper == "FROM" and before.upper != "DISTINCT" and self.source < 0:
            self.source = token.start
        elif token.upper in _GROUPED and self.source >= 0 > self.grouped:
            self.grouped = token.start

    @property
    def stop(self) -> int:
        """Where its rows are all there, before they are grouped or sorted."""
        return self.end if self.grouped < 0 else self.grouped


def comparisons_in(sql: str) -> tuple[Condition, ...]:
    """The greatest, the least, and comparisons of a column with a numeral.

    Parameters
    ----------
    sql : str
        One statement.

    Examples
    --------
    >>> for each in comparisons_in("SELECT max(a) FROM t WHERE b > '5' AND c = 1"):
    ...     print(each.text, "|", each.sql)
    max(a) | SELECT DISTINCT a FROM t WHERE b > '5' AND c = 1 ORDER BY 1 DESC LIMIT
    10000
    b > '5' | SELECT DISTINCT b, b > '5' FROM t WHERE 1 = 1 AND c = 1 LIMIT 10000
    """
    tokens = tokens_of(sql)
    while tokens and tokens[-1].text == ";":
        tokens.pop()
    if not tokens or tokens[0].upper not in ("SELECT", "WITH"):
        return ()
    selects = _selects(tokens)
    main = next((select for select in selects if select and select.depth == 0), None)
    head = main.start if main is not None and tokens[0].upper == "WITH" else 0
    conditions: dict[Condition, None] = {}
    for at, (token, select) in enumerate(zip(tokens, selects, strict=True)):
        if select is None or select.source < 0:
            continue
        before = sql[:head] if select.start >= head else ""
        if token.upper in ("MAX", "MIN"):
            conditions.update(_extreme(sql, tokens, at, select, before))
        elif token.start < select.stop:
            conditions.update(_condition(sql, tokens, at, select, before))
    return tuple(conditions)


def _selects(tokens: Sequence[Token]) -> list[_Select | None]:
    selects: list[_Select | None] = []
    opened: list[_Select] = []
    before = tokens[0]
    for token in tokens:
        while opened and (
            token.depth < opened[-1].depth
            or (token.upper in COMPOUND and token.depth == opened[-1].depth)
        ):
            opened.pop().end = token.start
        if token.upper == "SELECT":
            opened.append(_Select(token.start, token.depth))
        elif opened:
            opened[-1].see(before, token)
        selects.append(opened[-1] if opened else None)
        before = token
    for select in opened:
        select.end = tokens[-1].end
    return selects


_Pairs = Iterator[tuple[Condition, None]]


def _extreme(
    sql: str, tokens: Sequence[Token], at: int, select: _Select, before: str
) -> _Pairs:
    token, inside = tokens[at], list[Token]()
    if at + 1 == len(tokens) or tokens[at + 1].text != "(":
        return
    for inner in tokens[at + 2 :]:
        if inner.depth <= token.depth:
            break
        inside.append(inner)
    following = tokens[at + 2 + len(inside) :][1:2]
    windowed = bool(following) and following[0].upper in ("OVER", "FILTER")
    inside = inside[1:] if inside and inside[0].upper == "DISTINCT" else inside
    commas = [inner.depth for inner in inside if inner.text == ","]
    several = token.depth + 1 in commas
    if not inside or several or windowed:
        return
    value = sql[inside[0].start : inside[-1].end]
    falling = " DESC" if token.upper == "MAX" else ""
    rows = sql[select.source : select.stop].rstrip()
    asked = f"{before}SELECT DISTINCT {value} {rows} ORDER BY 1{falling}"
    text = f"{token.text}({' '.join(value.split())})"
    yield Condition(text, token.upper, (), f"{asked} LIMIT {_MOST_ROWS}"), None


def _condition(
    sql: str, tokens: Sequence[Token], at: int, select: _Select, before: str
) -> _Pairs:
    """A column, a sign and a numeral, or the other way round."""
    read = _read_condition(tokens, at)
    if read is None:
        return
    first, last, column, sign, literals = read
    text = sql[first.start : last.end]
    rows = sql[select.source : select.stop]
    if first.start > select.source:
        start, end = first.start - select.source, last.end - select.source
        rows = f"{rows[:start]}1 = 1{rows[end:]}"
    asked = f"{before}SELECT DISTINCT {column}, {text} {rows.rstrip()}"
    asked += f" LIMIT {_MOST_ROWS}"
    yield Condition(" ".join(text.split()), sign, literals, asked), None


class _Read(NamedTuple):
    first: Token
    last: Token
    column: str
    sign: str
    literals: tuple[str, ...]


def _read_condition(tokens: Sequence[Token], at: int) -> _Read | None:
    before = tokens[at - 1] if at else None
    if before is not None and (before.text[0] in _FIRM or _is_value(before)):
        return None
    left, after = _operand(tokens, at)
    sign, after = _sign(tokens, after)
    right, end = _operand(tokens, after)
    if not (left and right and sign):
        return None
    literals = [_literal(right)]
    if sign == "BETWEEN":
        if end >= len(tokens) or tokens[end].upper != "AND":
            return None
        more, end = _operand(tokens, end + 1)
        literals.append(_literal(more))
    if end < len(tokens) and (tokens[end].text[0] in _FIRM or tokens[end].text == "("):
        return None
    first, last = tokens[at], tokens[end - 1]
    if _is_column(left) and all(literals):
        return _Read(first, last, _joined(left), sign, tuple(literals))
    turned = _TURNED.get(sign)
    if turned and _literal(left) and _is_column(right):
        return _Read(first, last, _joined(right), turned, (_literal(left),))
    return None


def _is_value(token: Token) -> bool:
    return token.kind in ("number", "text", "name") or token.text == ")"


def _operand(tokens: Sequence[Token], at: int) -> tuple[list[Token], int]:
    start = at
    if at < len(tokens) and tokens[at].text in ("+", "-"):
        at += 1
    if at < len(tokens) and tokens[at].kind != "mark":
        at += 1
        while at + 1 < len(tokens) and tokens[at].text == "." and at > start:
            at += 2
        return list(tokens[start:at]), at
    return [], at


def _sign(tokens: Sequence[Token], at: int) -> tuple[str, int]:
    if at < len(tokens) and tokens[at].upper == "BETWEEN":
        return "BETWEEN", at + 1
    sign = tokens[at].text if at < len(tokens) else ""
    return (sign, at + 1) if sign in _TURNED else ("", at)


def _is_column(operand: Sequence[Token]) -> bool:
    # Of "a NOT BETWEEN 1 AND 2" the word before BETWEEN is no column.
    return operand[0].kind in ("word", "name") and operand[0].upper != "NOT"


def _literal(operand: Sequence[Token]) -> str:
    """The numeral of a number or a text in quotes; "" for anything else.

    SQLite reads double quotes as a text where they name no column.
    """
    if not operand or operand[-1].kind not in ("number", "text", "name"):
        return ""
    text = _joined(operand).strip("'\"")
    return text if _NUMERAL.fullmatch(text) else ""


def _joined(operand: Sequence[Token]) -> str:
    return "".join(token.text for token in operand)
