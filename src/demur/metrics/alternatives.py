"""References with alternatives and optional words, as NIST's transcripts write them."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, reduce
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from demur.arrays import Flags, Positions
from demur.errors import InputError, shown

NOTATIONS: Final = ("as-written", "nist")
"""What {a / b}, (c) and @ are in references: words, or what sclite takes them for."""

_MOST_PATHS: Final = 32
"""So many readings are tried one by one; more go through a table."""
_PART: Final = 256
"""Of so many nodes the table is held at once, or more where alternatives hold them."""
_ERROR: Final = 10**9
"""An error weighs more than all of sclite's costs, which part what is equal."""
_INSERTED: Final = _ERROR + 3000
_SUBSTITUTED: Final = _ERROR + 4000
_LEFT_OUT: Final = 2000
_NULL: Final = 1
_NOTHING: Final = "@"

_OUTSIDE: Final = re.compile(r"\{|[^\s{(@}][^\s{}]*(?:\s+[^\s{(@}][^\s{}]*)*|\S+")
"""A brace, words without signs in a row, or another word."""
_INSIDE: Final = re.compile(r"[{}/]|[^\s{}/]+")
_ALTERNATIVES: Final = re.compile(r"\{[^{}]*/[^{}]*\}")
_UNCERTAIN: Final = re.compile(r"(?:^|\s)(%\w+|\w[^\s/]*-|-\w[^\s/]*)(?=\s|$)")


class _Arc(NamedTuple):
    """A step from one node to another: some words, or none.

    Words in a row have elements of their own, counted from the first.
    """

    start: int
    words: Sequence[str]
    left_out: Sequence[str]
    cost: int
    element: int
    in_a_row: bool


class ChosenWords(NamedTuple):
    """The reading of a reference that was chosen.

    Parameters
    ----------
    words : list of str
        Without optional words that were left out.
    left_out : list of (place, word)
        Optional words, each with how many of ``words`` stand before it.
    elements : list of int
        To which word or pair of braces of the reference each word belongs.
    n_elements : int
        How many words, or pairs of braces, the reference has.
    """

    words: list[str]
    left_out: list[tuple[int, str]]
    elements: list[int]
    n_elements: int


def has_marks(text: str) -> bool:
    """Whether a reference may hold alternatives, optional words or @.

    Examples
    --------
    >>> has_marks("a { b / @ }"), has_marks("a b")
    (True, False)
    """
    return "{" in text or "(" in text or "@" in text or "}" in text


def chosen(
    place: str, text: str, heard: Sequence[str], split: Callable[[str], list[str]]
) -> ChosenWords:
    """The reading of a reference that has the fewest errors.

    ``{ a / b c / @ }`` are alternatives, which may stand in each other, and ``@`` is
    nothing; ``(c)`` is a word that may be left out. Of readings with as few errors the
    one is chosen that costs less in sclite (4 for a substitution, 3 for a deletion or
    insertion, 2 for an optional word that is left out, .001 for @), then the first.

    Raises
    ------
    InputError
        If braces do not match, or hold nothing.

    Examples
    --------
    >>> choice = chosen(
    ...     "line 1", "I { am / 'm } (so) here", ["I", "'m", "here"], str.split)
    >>> choice.words, choice.left_out
    (['I', "'m", 'here'], [(2, 'so')])
    """
    nodes = _Parser(place, text, split).parse()
    paths = _paths(nodes)
    if paths is None:
        return _choice(nodes, _cheapest(nodes, heard))
    return _choice(nodes, min(paths, key=_costs(heard)).arcs)


def _choice(nodes: Sequence[Sequence[_Arc]], path: Sequence[_Arc]) -> ChosenWords:
    words: list[str] = []
    left_out: list[tuple[int, str]] = []
    elements: list[int] = []
    for arc in path:
        first, many = arc.element, len(arc.words)
        words += arc.words
        elements += range(first, first + many) if arc.in_a_row else [first] * many
        if arc.left_out:
            left_out += [(len(words), word) for word in arc.left_out]
    many = 0
    for last in nodes[-1][:1]:
        many = last.element + (len(last.words) if last.in_a_row else 1)
    return ChosenWords(words, left_out, elements, many)


# -- reading ---------------------------------------------------------------------------


def _tokens(text: str) -> Iterator[str]:
    """Words, braces and slashes; a slash outside of braces is part of a word."""
    depth = place = 0
    while match := (_INSIDE if depth else _OUTSIDE).search(text, place):
        token, place = match[0], match.end()
        depth += (token == "{") - (token == "}")
        yield token


class _Parser:
    """The arcs into each node, which come from nodes before it; the last is the end."""

    def __init__(self, place: str, text: str, split: Callable[[str], list[str]]):
        self._place, self._text, self._split = place, text, split
        self.nodes: list[list[_Arc]] = [[]]
        self._opened: list[tuple[int, list[int]]] = []
        self._here = self._element = 0
        self._empty = False

    def parse(self) -> list[list[_Arc]]:
        """All nodes of the reference."""
        for token in _tokens(self._text):
            if token == "{":
                self._opened.append((self._here, []))
                self._empty = True
            elif self._opened and token in "/}":
                self._end_one(is_last=token == "}")
            elif "{" in token or "}" in token:
                raise self._fault(shown(token), _HINT)
            else:
                self._append(token)
        if self._opened:
            raise self._fault("an open {", _HINT)
        return self.nodes

    def _end_one(self, *, is_last: bool) -> None:
        """Go back to the start of the alternatives; from the last to their end."""
        if self._empty:
            raise self._fault("an empty alternative", "Nothing is written @.")
        start, ends = self._opened[-1]
        ends.append(self._here)
        self._here, self._empty = start, not is_last
        if is_last:
            self._opened.pop()
            element = self._element
            self._add([_Arc(end, (), (), 0, element, False) for end in ends])
            self._element += not self._opened

    def _append(self, token: str) -> None:
        """Go on by a word or some in a row; if it is optional there are two ways."""
        optional = len(token) > 2 and token[0] == "(" and token[-1] == ")"
        nothing = token == _NOTHING
        words = [] if nothing else self._split(token[1:-1] if optional else token)
        start, element, in_a_row = self._here, self._element, not self._opened
        cost = _NULL if nothing else 0
        arcs = [_Arc(start, words, (), cost, element, in_a_row)]
        if optional:
            cost = _LEFT_OUT * len(words)
            arcs.append(_Arc(start, (), words, cost, element, False))
        self._add(arcs)
        self._empty = False
        self._element += len(words) if in_a_row else 0

    def _add(self, arcs: list[_Arc]) -> None:
        self.nodes.append(arcs)
        self._here = len(self.nodes) - 1

    def _fault(self, got: str, hint: str) -> InputError:
        what = f"the reference {shown(self._text)}"
        need = "have { and } around alternatives, parted by /"
        return InputError(self._place, what, need, got, hint)


_HINT: Final = "Such as { a / b }; or take signs as words: --notation as-written."


# -- choosing --------------------------------------------------------------------------


class _WordPath(NamedTuple):
    """A way to the end: its words, what it costs by itself, its arcs."""

    words: list[str]
    cost: int
    arcs: tuple[_Arc, ...]


def _paths(nodes: Sequence[Sequence[_Arc]]) -> list[_WordPath] | None:
    """Ways to the end; None if they are too many."""
    paths = [[_WordPath([], 0, ())]]
    for arcs in nodes[1:]:
        ways = [
            _WordPath([*words, *arc.words], cost + arc.cost, (*before, arc))
            for arc in arcs
            for words, cost, before in paths[arc.start]
        ]
        if len(ways) > _MOST_PATHS:
            return None
        paths.append(ways)
    return paths[-1]


def _costs(heard: Sequence[str]) -> Callable[[_WordPath], int]:
    distance, weights = _distance(), (_INSERTED, _INSERTED, _SUBSTITUTED)

    def cost(path: _WordPath) -> int:
        if path.words == heard:
            return path.cost
        return path.cost + distance(path.words, heard, weights=weights)

    return cost


@cache
def _distance() -> Callable[..., int]:
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.distance


def _cheapest(nodes: Sequence[Sequence[_Arc]], heard: Sequence[str]) -> list[_Arc]:
    """The cheapest path, by a table of nodes and words heard, of which parts are held.

    The row in which a part begins is kept, and its table made again on the way back.
    """
    table = _PathTable(nodes, heard)
    parts = [*pairwise(_ends_of_parts(nodes))]
    begins = [table.steps]
    for first, last in parts[:-1]:
        begins.append(table.rows(first, last, begins[-1])[last])
    path: list[_Arc] = []
    column = len(heard)
    for first, last in reversed(parts):
        arcs, column = table.way_back(first, last, begins.pop(), column)
        path += arcs
    return path[::-1]


def _ends_of_parts(nodes: Sequence[Sequence[_Arc]]) -> list[int]:
    """The first node, the last, and some that each path comes through, not too near."""
    ends = [len(nodes) - 1]
    lowest = ends[0]
    for node in range(ends[0] - 1, 0, -1):
        lowest = min([lowest, *(arc.start for arc in nodes[node + 1])])
        if lowest >= node and ends[-1] - node >= _PART:
            ends.append(node)
    return [*([0] if ends[-1] else []), *ends[::-1]]


class _PathTable:
    """Costs at nodes, in front of each word heard and behind the last."""

    def __init__(self, nodes: Sequence[Sequence[_Arc]], heard: Sequence[str]):
        self._nodes = nodes
        self._number = {word: number for number, word in enumerate(heard)}
        self._heard = np.array([self._number[word] for word in heard], np.int64)
        self.steps = _INSERTED * np.arange(len(heard) + 1)

    def _unlike(self, word: str) -> Positions:
        unlike: Flags = self._heard != self._number.get(word, -1)
        return _SUBSTITUTED * unlike.astype(np.int64)

    def _behind(self, arc: _Arc, start: Positions) -> list[Positions]:
        """The costs in front of each word of an arc, and behind the last."""
        rows = [start + arc.cost]
        for word in arc.words:
            row = rows[-1] + _INSERTED
            row[1:] = np.minimum(row[1:], rows[-1][:-1] + self._unlike(word))
            # Any number of words may be inserted.
            rows.append(np.minimum.accumulate(row - self.steps) + self.steps)
        return rows

    def rows(self, first: int, last: int, begin: Positions) -> dict[int, Positions]:
        """The costs at each node of a part, from those at its first."""
        table = {first: begin}
        for node in range(first + 1, last + 1):
            arcs = self._nodes[node]
            behind = (self._behind(arc, table[arc.start])[-1] for arc in arcs)
            table[node] = reduce(np.minimum, behind)
        return table

    def way_back(
        self, first: int, last: int, begin: Positions, column: int
    ) -> tuple[list[_Arc], int]:
        """The arcs of the cheapest path through a part, last first, and its column."""
        table = self.rows(first, last, begin)
        path: list[_Arc] = []
        node = last
        while node > first:
            best = table[node][column]
            rows_of = (
                (arc, self._behind(arc, table[arc.start])) for arc in self._nodes[node]
            )
            arc, rows = next(one for one in rows_of if one[1][-1][column] == best)
            for word, before, after in zip(
                arc.words[::-1], rows[-2::-1], rows[:0:-1], strict=True
            ):
                column = _column_before(column, before, after, self._unlike(word))
            path.append(arc)
            node = arc.start
        return path, column


def _column_before(
    column: int, before: Positions, after: Positions, unlike: Positions
) -> int:
    """How many words were heard in front of a word of the reference."""
    while True:
        cost = after[column]
        if before[column] + _INSERTED == cost:
            return column
        if column and before[column - 1] + unlike[column - 1] == cost:
            return column - 1
        column -= 1


# -- notes -----------------------------------------------------------------------------


def notation_notes(
    texts: Sequence[str], choices: Iterable[ChosenWords]
) -> Iterator[str]:
    """What is said of references in NIST's notation.

    Examples
    --------
    >>> choice = chosen("line 1", "a (b)", ["a"], str.split)
    >>> [note[:50] for note in notation_notes(["a (b)", "she- c"], [choice])]
    ['1 of 2 references has alternatives or optional wor',
    '1 reference holds fragments or hesitations, such a']
    """
    choices = [*choices]
    if choices:
        left_out = sum(len(one.left_out) for one in choices)
        have = "has" if len(choices) == 1 else "have"
        yield (
            f"{len(choices)} of {len(texts)} references {have} alternatives or "
            "optional words: the reading with the fewest errors counts, and optional "
            f"words that are left out count as right, {left_out} here (sclite -D)"
        )
    # Most texts have no such sign, and take no time.
    signed = (text for text in texts if "-" in text or "%" in text)
    having = [match[1] for text in signed if (match := _UNCERTAIN.search(text))]
    if having:
        hold = "reference holds" if len(having) == 1 else "references hold"
        yield (
            f"{len(having)} {hold} fragments or hesitations, such as "
            f"{shown(having[0])}, which count as words (sclite without -F); written "
            f"({having[0]}) they may be left out"
        )


_READ: Final = (
    ": notation='nist' (--notation nist) takes the reading with the fewest errors, as "
    "sclite does"
)


def unread_note(
    texts: Sequence[str], hint: str = _READ, noun: str = "references"
) -> Iterator[str]:
    """What is said of alternatives that are compared as they stand.

    Examples
    --------
    >>> [note[:44] for note in unread_note(["a { b / c }", "a"])]
    ['1 of 2 references has alternatives, such as ']
    """
    having = [text for text in texts if "{" in text and _ALTERNATIVES.search(text)]
    if having:
        have = "has" if len(having) == 1 else "have"
        yield (
            f"{len(having)} of {len(texts)} {noun} {have} alternatives, such as "
            f"{shown(having[0])}, whose signs count as words{hint}"
        )
