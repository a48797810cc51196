r"""The Common Answer Specification, version CAS 2: canonical answers as text.

::

    answer   := cas1 | "(" cas1 ("OR" cas1)+ ")"
    cas1     := scalar | relation | NO_ANSWER
    scalar   := boolean | number | string
    boolean  := YES | TRUE | NO | FALSE
    number   := [+-] digit+             (an integer)
              | [+-] digit+ "." digit*  (a real)
    string   := a run of characters     (none of them white space, ( ) or ")
              | '"' any characters but '"' '"'
    relation := "(" tuple* ")"
    tuple    := "(" value+ ")"
    value    := scalar | NIL

Distinguished words are in capitals or in small letters. White space and comments
(``/* ... */``) are those of ANSI C. All tuples of a relation have one length, and all
values of one position one type (boolean, number, string), NIL apart. A token without
quotes is a boolean or a number if it looks like one; quotes make it a string. There
are no exponents, so ``1e3`` is a string, and there is no way to write a string that
holds a quotation mark.

The ``(138860 138861)`` that is printed in one of the sources for a relation of one
column is outside of this grammar, and read only with ``lenient=True``.

Source: MADCOW (1992), Multi-site data collection for a spoken language corpus,
appendix A; in our words.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, NamedTuple, NoReturn

from demur import checks
from demur.answers.tables.relation_values import Relation
from demur.errors import InputError, ParseError, shown

_TOKEN = re.compile(
    r"""(?P<space>(?:[ \t\n\v\f\r]|/\*.*?\*/)+)
    | (?P<open>\()
    | (?P<close>\))
    | (?P<string>"[^"]*")
    | (?P<word>(?:[^ \t\n\v\f\r()"/]|/(?!\*))+)""",
    re.VERBOSE | re.DOTALL,
)
_INTEGER = re.compile(r"[+-]?[0-9]+")
_REAL = re.compile(r"[+-]?[0-9]+\.[0-9]*")
_BOOLEANS: Final = {
    **dict.fromkeys(("YES", "yes", "TRUE", "true"), True),
    **dict.fromkeys(("NO", "no", "FALSE", "false"), False),
}
_NIL: Final = ("NIL", "nil")
_OR: Final = ("OR", "or")
_NO_ANSWER: Final = ("NO_ANSWER", "no_answer")
_MOST_DIGITS: Final = 4000
_END: Final = "the end"


@dataclass(frozen=True, slots=True)
class CasAnswer:
    """What a CAS text says.

    Parameters
    ----------
    alternatives : tuple of Relation
        One, several where the text says OR, none for NO_ANSWER. A single value is a
        relation of one element that is marked as ``scalar``.
    """

    alternatives: tuple[Relation, ...]


class _Token(NamedTuple):
    kind: str
    text: str
    start: int


class _Value(NamedTuple):
    value: Any
    start: int


# -- reading -----------------------------------------------------------------------


def parse_cas(text: str, *, lenient: bool = False) -> CasAnswer:
    """Read a CAS text.

    Parameters
    ----------
    text : str
        The answer.
    lenient : bool
        Whether ``(1 2 3)`` is read as a relation of one column.

    Returns
    -------
    Answer

    Raises
    ------
    ParseError
        If the text is outside of the grammar, naming line and column.

    Examples
    --------
    >>> import demur
    >>> demur.parse_cas('(("AA" 152) ("DL" NIL))').alternatives[0].rows()
    [('AA', 152), ('DL', None)]
    >>> [each.rows() for each in demur.parse_cas("(YES OR ((5.)))").alternatives]
    [[(True,)], [(5.0,)]]
    >>> demur.parse_cas("no_answer").alternatives
    ()
    >>> demur.parse_cas("((1 2) (3))")
    Traceback (most recent call last):
    ...
    demur.errors.ParseError: CAS:1:8: the tuple must have 2 values, as the first has;
    got 1.
    """
    checks.text("parse_cas", "text", text)
    return _Reader(text, lenient).answer()


class _Reader:
    """Reads one text, token by token."""

    def __init__(self, text: str, lenient: bool) -> None:  # noqa: FBT001
        self.text, self.lenient = text, lenient
        self.tokens = list(self._tokens())
        self.tokens.append(_Token("end", _END, len(text)))
        self.at = 0

    def fail(
        self, start: int, what: str, need: str, got: str, hint: str = ""
    ) -> NoReturn:
        """Raise an error that says where."""
        line = self.text.count("\n", 0, start) + 1
        column = start - (self.text.rfind("\n", 0, start) + 1) + 1
        raise ParseError(f"CAS:{line}:{column}", what, need, got, hint)

    def _tokens(self) -> Iterator[_Token]:
        at, last = 0, ""
        while at < len(self.text):
            match = _TOKEN.match(self.text, at)
            if match is None:
                what = "a comment" if self.text[at] == "/" else "a string"
                end = "*/" if what == "a comment" else "a quotation mark"
                self.fail(at, what, f"end with {end}", _END)
            kind = str(match.lastgroup)
            if kind in ("string", "word") and last in ("string", "word"):
                need = "be set apart by white space"
                self.fail(at, "a value", need, shown(match[0]))
            if kind != "space":
                yield _Token(kind, match[0], at)
            at, last = match.end(), kind

    def next(self) -> _Token:
        """The token here, and step over it."""
        token = self.tokens[self.at]
        self.at += token.kind != "end"
        return token

    def peek(self, ahead: int = 0) -> _Token:
        """A token that is still to come."""
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    # -- the grammar ---------------------------------------------------------------

    def answer(self) -> CasAnswer:
        """All of the text."""
        token = self.peek()
        if token.kind == "word" and token.text in _NO_ANSWER:
            self.next()
            alternatives: tuple[Relation, ...] = ()
        elif token.kind == "open":
            alternatives = self._in_parentheses()
        else:
            alternatives = (self._scalar(self.next()),)
        rest = self.peek()
        if rest.kind != "end":
            self.fail(rest.start, "the answer", "end here", shown(rest.text))
        return CasAnswer(alternatives)

    def _in_parentheses(self) -> tuple[Relation, ...]:
        second, third = self.peek(1), self.peek(2)
        listed = second.kind == "open"
        if listed and third.kind in ("string", "word"):
            return self._tuples_or_alternatives()
        if second.kind == "close":
            return (self._relation(),)
        if second.kind in ("string", "word") and not self._or_follows(third):
            if not self.lenient:
                hint = "A relation of one column is ((1) (2))."
                got = shown(second.text)
                self.fail(second.start, "a relation", "hold tuples", got, hint)
            return (self._one_column(),)
        return self._alternatives()

    def _tuples_or_alternatives(self) -> tuple[Relation, ...]:
        """After ``((value``: tuples; in the lenient form perhaps alternatives."""
        ahead = 2
        while self.peek(ahead).kind in ("string", "word"):
            ahead += 1
        after = self.peek(ahead + 1)
        if self.peek(ahead).kind == "close" and self._or_follows(after):
            if self.lenient:
                return self._alternatives()
            start = self.peek(1).start
            text = " ".join(self.text[start : self.peek(ahead).start + 1].split())
            need, hint = "be an answer", f"Write ({text}) for the relation."
            self.fail(start, "an alternative", need, shown(text), hint)
        return (self._relation(),)

    @staticmethod
    def _or_follows(token: _Token) -> bool:
        return token.kind == "word" and token.text in _OR

    def _alternatives(self) -> tuple[Relation, ...]:
        begin = self.next()
        alternatives = [self._alternative()]
        while self._or_follows(self.peek()):
            self.next()
            alternatives.append(self._alternative())
        end = self.next()
        alone, closed = len(alternatives) == 1, end.kind == "close"
        if alone and closed and not alternatives[0].n_rows:
            self.fail(begin.start + 1, "a tuple", "hold at least one value", "()")
        if alone or not closed:
            need = "be followed by OR" if alone else "be followed by OR or )"
            self.fail(end.start, "an alternative", need, shown(end.text))
        return tuple(alternatives)

    def _alternative(self) -> Relation:
        token = self.peek()
        if token.kind != "open":
            return self._scalar(self.next())
        if self.lenient and self.peek(1).kind in ("string", "word"):
            return self._one_column()
        return self._relation()

    def _relation(self) -> Relation:
        self.next()
        rows: list[list[_Value]] = []
        starts: list[int] = []
        while (token := self.next()).kind == "open":
            starts.append(token.start)
            rows.append(self._values(token))
        if token.kind != "close":
            what, need = "a relation", "hold tuples and end with )"
            self.fail(token.start, what, need, shown(token.text))
        return self._of_rows(rows, starts)

    def _one_column(self) -> Relation:
        rows = [[cell] for cell in self._values(self.next())]
        return self._of_rows(rows, [row[0].start for row in rows])

    def _values(self, begin: _Token) -> list[_Value]:
        values = []
        while (token := self.next()).kind in ("string", "word"):
            null = token.kind == "word" and token.text in _NIL
            value = None if null else self._value(token)
            values.append(_Value(value, token.start))
        if token.kind != "close":
            what, need = "a tuple", "hold values and end with )"
            self.fail(token.start, what, need, shown(token.text))
        if not values:
            self.fail(begin.start, "a tuple", "hold at least one value", "()")
        return values

    def _scalar(self, token: _Token) -> Relation:
        if token.kind not in ("string", "word"):
            need = "be a value, a relation in parentheses, or NO_ANSWER"
            self.fail(token.start, "an answer", need, shown(token.text))
        if token.kind == "word" and token.text in _NIL:
            hint = "Write ((NIL)) for the relation."
            self.fail(token.start, "NIL", "stand in a tuple", "NIL alone", hint)
        if token.kind == "word" and token.text in _NO_ANSWER:
            self.fail(token.start, "NO_ANSWER", "stand alone", "an alternative")
        return Relation.from_scalar(self._value(token))

    def _value(self, token: _Token) -> Any:
        text = token.text
        if token.kind == "string":
            return text[1:-1]
        if text in _BOOLEANS:
            return _BOOLEANS[text]
        whole = _INTEGER.fullmatch(text)
        if not (whole or _REAL.fullmatch(text)):
            return text
        value = int(text) if whole and len(text) <= _MOST_DIGITS else float(text)
        if (whole and isinstance(value, float)) or math.isinf(value):
            need = f"have at most {_MOST_DIGITS} digits, a real at most about 1e308"
            self.fail(token.start, "a number", need, f"{len(text)} characters")
        return value

    def _of_rows(self, rows: list[list[_Value]], starts: list[int]) -> Relation:
        """One length for all tuples, one type for each position."""
        types: list[str | None] = [None] * len(rows[0]) if rows else []
        for row, start in zip(rows, starts, strict=True):
            if len(row) != len(types):
                need = f"have {len(types)} values, as the first has"
                self.fail(start, "the tuple", need, str(len(row)))
            for position, cell in enumerate(row):
                kind = _kind(cell.value)
                if kind is not None and kind != (types[position] or kind):
                    need = f"be a {types[position]}, as before in its column"
                    got = f"the {kind} {shown(cell.value)}"
                    hint = "Quotes make a string."
                    self.fail(cell.start, "the value", need, got, hint)
                types[position] = types[position] or kind
        return Relation.from_rows([[cell.value for cell in row] for row in rows])


def _kind(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return "boolean"
    return "string" if isinstance(value, str) else "number"


# -- writing -----------------------------------------------------------------------


def write_cas(answer: CasAnswer | Relation) -> str:
    """A CAS text that reads back as the same answer.

    Parameters
    ----------
    answer : Answer or Relation
        Strings are always quoted, so that none turns into a number.

    Raises
    ------
    InputError
        If it holds what CAS cannot say: a string with a quotation mark, a number that
        is not finite, a date, values of several types in one column.

    Examples
    --------
    >>> import demur
    >>> demur.write_cas(demur.parse_cas("((AA 152 yes) (DL nil NO))  /* two */"))
    '(("AA" 152 TRUE) ("DL" NIL FALSE))'
    >>> demur.write_cas(demur.parse_cas("(5.00 OR ())"))
    '(5.0 OR ())'
    >>> demur.write_cas(demur.parse_cas("no_answer"))
    'NO_ANSWER'
    """
    checks.of_kind("write_cas", "answer", answer, CasAnswer, Relation)
    if isinstance(answer, Relation):
        return _written(answer)
    if not answer.alternatives:
        return _NO_ANSWER[0]
    texts = [_written(alternative) for alternative in answer.alternatives]
    return texts[0] if len(texts) == 1 else f"({' OR '.join(texts)})"


def _written(relation: Relation) -> str:
    rows = relation.rows()
    for column in relation.columns:
        kinds = {_kind(cell) for cell in column.tolist()} - {None}
        if len(kinds) > 1:
            got = ", ".join(sorted(map(str, kinds)))
            raise InputError("cas", "a column", "hold values of one type", got)
    if rows and not relation.columns:
        raise InputError("cas", "a tuple", "hold at least one value", "()")
    if relation.scalar:
        if rows[0][0] is None:
            raise InputError("cas", "NIL", "stand in a tuple", "NIL alone")
        return _cell(rows[0][0])
    tuples = [f"({' '.join(map(_cell, row))})" for row in rows]
    return f"({' '.join(tuples)})"


def _cell(value: Any) -> str:
    if value is None:
        return _NIL[0]
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int) and abs(value) < 10**_MOST_DIGITS:
        return str(value)
    if isinstance(value, (float, Decimal)) and Decimal(value).is_finite():
        text = f"{Decimal(str(value)):f}"
        return text if "." in text or isinstance(value, Decimal) else f"{text}.0"
    if isinstance(value, str) and '"' not in value:
        return f'"{value}"'
    need = "be a boolean, a finite number, or a text without quotation marks"
    raise InputError("cas", "a value", need, shown(value))
