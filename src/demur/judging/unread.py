"""Answers that the comparator did not read, and what to type so that it does."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any, Final

from demur.answers import (
    Alternatives,
    Comparator,
    Extraction,
    Json,
    Label,
    Letters,
    Number,
    Text,
    extraction,
    verdict,
)
from demur.answers.numerals import has_decimal_comma, holds_number
from demur.answers.written_numbers import written_number
from demur.errors import shown
from demur.outcomes.fields import RIGHT
from demur.outcomes.refusals import several

_STEPS: Final = (
    *("final", "boxed", "letter", "json(field=answer)", "json", "fence"),
    *("final+boxed", "final+letter", "final+boxed+letter", "final+boxed+bold+number"),
)
"""What is tried on wrong answers; of equally good ones the first is named."""

_FENCE: Final = ("fence",)
"""What is tried on queries, which are not run again."""

_MOST_TRIED: Final = 200
_LONGEST: Final = 5_000
"""Characters of a reply on which steps are tried."""

_MANY: Final = 3


class Unread:
    """Counts of wrong answers that steps would have read.

    Parameters
    ----------
    comparator : Comparator
        Of what compares other values than these nothing is said.
    steps : Extraction
        Where some are given, no others are tried.

    Examples
    --------
    >>> from demur import answers
    >>> unread = Unread(answers.number(), answers.extraction())
    >>> for number in (5, 6, 7):
    ...     unread.add(f"The answer is {number}.", ((number, 1),))
    >>> print(*unread.notes())
    final reads an answer in 3 of 3 wrong answers, and 3 of these are right:
    extract='final' (--extract final) reads it before comparing
    """

    def __init__(self, comparator: Comparator, steps: Extraction) -> None:
        self._comparator = comparator
        named = isinstance(comparator, (Json, Label, Letters, Number, Text))
        is_sql = str(comparator).startswith("sql")
        tried = _STEPS if named else _FENCE if is_sql else ()
        self._tried = () if steps.steps else tuple(map(extraction, tried))
        self._judges = named
        self._plain = isinstance(comparator, Number) and comparator.written == "no"
        self._reads: Counter[str] = Counter()
        self._right: Counter[str] = Counter()
        self._looked = self._decimal_commas = 0
        self._written: list[str] = []

    def add(self, guess: Any, alternatives: Alternatives) -> None:
        """Look at a wrong guess, and at what would be right, as it was read."""
        if self._plain and isinstance(guess, str):
            comma = has_decimal_comma(guess)
            self._decimal_commas += comma
            if not comma and holds_number(guess) and written_number(guess) is not None:
                self._written.append(guess)
        if self._looked < _MOST_TRIED and self._tried:
            self._looked += 1
            if isinstance(guess, str) and len(guess) <= _LONGEST:
                self._try_steps(guess, alternatives)

    def _try_steps(self, guess: str, alternatives: Alternatives) -> None:
        judged = partial(verdict, self._comparator, alternatives=alternatives)
        for steps in self._tried:
            read = steps.read(guess)
            if read.trace and read.value != guess:
                self._reads[str(steps)] += 1
                with suppress(RecursionError):  # a text nested too deeply
                    right = self._judges and judged(read.value).outcome == RIGHT
                    self._right[str(steps)] += right

    @property
    def advice(self) -> str:
        """The steps that would read many of them; empty if none would."""
        steps = [str(steps) for steps in self._tried]
        best = max(steps, key=lambda name: self._right[name], default="")
        if not self._right[best] and self._judges:
            return ""
        reads = self._reads[best]
        enough = min(_MANY, self._looked)
        return best if reads >= enough and 10 * reads >= self._looked > 0 else ""

    def notes(self) -> Iterator[str]:
        """How many were written otherwise, and how each is read."""
        if self._decimal_commas:
            yield (
                f"{several(self._decimal_commas, 'wrong answer')} with a comma before "
                "the last digits: it parts thousands (1,234), and no decimals, which "
                "follow a point (1.5)"
            )
        if self._written:
            yield (
                f"{several(len(self._written), 'wrong answer')} with other signs "
                f"beside a number ({shown(self._written[0])}): number reads plain "
                "numbers alone; by='number(written=point)' reads units, per cent signs "
                "and fractions"
            )
        steps = self.advice
        if steps:
            reads, right = self._reads[steps], self._right[steps]
            those = f", and {right} of these are right" if self._judges else ""
            option = f"'{steps}'" if "(" in steps else steps
            yield (
                f"{steps} reads an answer in {reads} of "
                f"{several(self._looked, 'wrong answer')}{those}: extract='{steps}' "
                f"(--extract {option}) reads it before comparing"
            )
