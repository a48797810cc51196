"""Praat's TextGrid files, long and short: intervals of a tier."""

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from demur.checks import names_shown
from demur.errors import InputError, shown
from demur.metrics.transcripts.timed_texts import Timed

_KIND: Final = re.compile(r'^\s*(?:File type\s*=\s*)?"ooTextFile', re.IGNORECASE)
_TOKEN: Final = re.compile(
    r'"(?P<text>(?:[^"]|"")*)"|(?<!\S)(?P<number>[-+]?\d[\d.]*(?:[eE][-+]?\d+)?)(?!\S)'
    r"|(?P<flag><\w+>)|!.*"
)
"""What Praat reads: texts, free-standing numbers and flags; all else is for people."""


class Tier(NamedTuple):
    """An interval tier: its name and intervals, those without text too."""

    name: str
    intervals: list[Timed]


def is_text_grid(lines: Sequence[str]) -> bool:
    """Whether lines begin as TextGrid files do.

    Examples
    --------
    >>> is_text_grid(['File type = "ooTextFile"', 'Object class = "TextGrid"'])
    True
    """
    first = [line for line in lines[:10] if line.strip()][:2]
    return len(first) == 2 and bool(_KIND.match(first[0])) and "TextGrid" in first[1]


def read_tier(name: str, lines: Sequence[str], tier: str | None = None) -> list[Timed]:
    """The intervals with text of one tier of a TextGrid file.

    Parameters
    ----------
    name : str
        Of the file, for messages.
    lines : sequence of str
        Of the file, in its long or its short form.
    tier : str, optional
        Its name; not needed if there is one interval tier alone.

    Raises
    ------
    InputError
        If there is no such tier, or more than one, or the file is cut short.

    Examples
    --------
    >>> lines = ['File type = "ooTextFile"', '"TextGrid"', "0 2 <exists> 1",
    ...          '"IntervalTier" "words" 0 2 2', '0 0.5 "" 0.5 2 "hello"']
    >>> [(i.begin, i.end, i.text) for i in read_tier("a.TextGrid", lines)]
    [(0.5, 2.0, 'hello')]
    """
    tiers = _tiers(name, lines)
    named = [one for one in tiers if tier is None or one.name == tier]
    if len(named) != 1:
        known = names_shown([one.name for one in tiers]) if tiers else "none"
        what = "the tier" if tier is None else f"the tier {shown(tier)}"
        need, hint = "be one interval tier", "Name it: --tier NAME."
        raise InputError(name, what, need, known, hint)
    return [interval for interval in named[0].intervals if interval.text]


class _Tokens:
    """What Praat reads in a file, one after another."""

    def __init__(self, name: str, lines: Sequence[str]) -> None:
        self._name, self._text = name, "\n".join(lines)
        self._line = 1
        self._found = self._next()

    def _next(self) -> Iterator[tuple[str, str]]:
        line = place = 0
        for match in _TOKEN.finditer(self._text):
            if match.lastgroup is not None:
                line += self._text.count("\n", place, match.start())
                place = match.start()
                self._line = line + 1
                yield match.lastgroup, match[match.lastgroup]

    def take(self, kind: str, what: str) -> str:
        """The next one, which must be of a kind."""
        got, value = next(self._found, ("", "the end of the file"))
        if got != kind:
            raise InputError(self.place, what, f"be a {kind}", shown(value))
        return value

    def number(self, what: str) -> float:
        """The next one as a number."""
        value = self.take("number", what)
        with suppress(ValueError):
            if math.isfinite(number := float(value)):
                return number
        raise InputError(self.place, what, "be a number", shown(value))

    @property
    def place(self) -> str:
        """Where the last one stood."""
        return f"{self._name}:{self._line}"


def _tiers(name: str, lines: Sequence[str]) -> list[Tier]:
    """All interval tiers; those of points are passed."""
    tokens = _Tokens(name, lines)
    for what in ("the file type", "the object class"):
        tokens.take("text", what)
    for what in ("the begin of the file", "the end of the file"):
        tokens.number(what)
    if tokens.take("flag", "whether there are tiers") != "<exists>":
        return []
    tiers = []
    for _ in range(int(tokens.number("how many tiers there are"))):
        of_points = tokens.take("text", "the class of the tier") != "IntervalTier"
        called = tokens.take("text", "the name of the tier").replace('""', '"')
        for what in ("the begin of the tier", "the end of the tier"):
            tokens.number(what)
        many = int(tokens.number("how many intervals there are"))
        intervals = [_interval(tokens, of_points=of_points) for _ in range(many)]
        if not of_points:
            tiers.append(Tier(called, intervals))
    return tiers


def _interval(tokens: _Tokens, *, of_points: bool) -> Timed:
    begin = tokens.number("the begin of the interval")
    end = begin if of_points else tokens.number("the end of the interval")
    if end < begin:
        need, got = "be at its begin or later", f"{end:.12g} after {begin:.12g}"
        raise InputError(tokens.place, "the end of the interval", need, got)
    text = tokens.take("text", "the text of the interval").replace('""', '"')
    text, its_name = " ".join(text.split()), f"{begin:.12g}-{end:.12g}"
    return Timed(tokens.place, ("", ""), begin, end, text, name=its_name)
