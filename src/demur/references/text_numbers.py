"""Columns of texts that are numbers: sorted, and compared, as texts."""

import operator
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Any, Final

from demur.answers.numerals import decimal
from demur.errors import shown

_MOST_WORDS: Final = 3
_OPERATORS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Numerals:
    """The cells of a column of which most are numbers, or texts that are numerals.

    Parameters
    ----------
    cells : iterable
        NULL and all other values.

    Examples
    --------
    >>> mostly = Numerals(["9", "10", None, "100", "N/A"])
    >>> mostly.found, mostly.words
    (True, ["'N/A'"])
    >>> Numerals(["9", "blue", "N/A"]).found
    False
    """

    def __init__(self, cells: Iterable[Any]) -> None:
        self.numbers: dict[Any, Decimal] = {}
        others: dict[str, None] = {}
        texts = count = strange = 0
        for cell in cells:
            if cell is None:
                continue
            number = None if isinstance(cell, bool) else decimal(cell)
            if number is not None:
                self.numbers[_key(cell)] = number
                count += 1
                texts += isinstance(cell, str)
            elif isinstance(cell, str):
                others[cell] = None
                strange += 1
            else:
                strange = 1 << 62  # of a type that is neither
        # Mostly numbers, and texts among them: all else sorts as people expect.
        self.found = count > strange and (texts > 0 or strange > 0)
        self.words = [shown(other) for other in others]

    def number(self, cell: Any) -> Decimal | None:
        """The number that a cell of the column is."""
        return self.numbers.get(_key(cell)) if cell is not None else None

    def out_of_order(
        self, cells: Sequence[Any], *, falling: bool
    ) -> tuple[str, str] | None:
        """The first two numerals in a row that stand in the wrong order.

        Examples
        --------
        >>> cells = ["97", "90", "null", "110", "100"]
        >>> Numerals(cells).out_of_order(cells, falling=True)
        ("'90'", "'110'")
        """
        before, last = None, None
        for cell in cells:
            number = self.number(cell)
            if number is None:
                continue
            wrong = last is not None and (number > last if falling else number < last)
            if wrong and (isinstance(before, str) or isinstance(cell, str)):
                return shown(before), shown(cell)
            before, last = cell, number
        return None

    def also(self) -> str:
        """What else the column holds, in words."""
        if not self.words:
            return ""
        more = len(self.words) - _MOST_WORDS
        return f"; it also holds {', '.join(self.words[:_MOST_WORDS])}" + (
            f" and {more} other texts" if more > 0 else ""
        )


def extreme(cells: Sequence[Any], *, greatest: bool) -> str:
    """What is wrong with the greatest or least of a column; "" if nothing.

    Parameters
    ----------
    cells : sequence
        Its values as the engine sorts them, the one that is taken first.
    greatest : bool
        Whether that is the greatest.

    Examples
    --------
    >>> extreme(["N/A", "9", "100", "10"], greatest=True)
    "compares texts, not numbers: '9' counts above '100'; takes the text 'N/A', above
    all numbers"
    >>> extreme([100, 10, 9], greatest=True)
    ''
    """
    numerals = Numerals(cells)
    if not numerals.found:
        return ""
    pair = numerals.out_of_order(cells, falling=greatest)
    where = "above" if greatest else "below"
    first = next(cell for cell in cells if cell is not None)
    word = ""
    if numerals.number(first) is None:
        word = f"takes the text {shown(first)}, {where} all numbers"
    if pair is not None:
        text = f"compares texts, not numbers: {pair[0]} counts {where} {pair[1]}"
        return text + (f"; {word}" if word else numerals.also())
    return word


def condition(rows: Iterable[Sequence[Any]], sign: str, literals: Sequence[str]) -> str:
    """What is wrong with a condition on a column; "" if nothing.

    Parameters
    ----------
    rows : iterable of (cell, outcome)
        Values of the column, and whether the engine found that the condition holds.
    sign : str
        ``<``, ``<=``, ``>``, ``>=`` or ``BETWEEN``.
    literals : sequence of str
        The numerals on its right side.

    Examples
    --------
    >>> condition([("9", 1), ("10", 0)], ">", ["5"])
    "compares texts, not numbers: it does not hold for '10'"
    >>> condition([("9", 1), ("10", 1), ("N/A", 1)], ">", ["5"])
    "holds for the text 'N/A', in a column of numbers"
    """
    listed = [(cell, outcome) for cell, outcome in rows if outcome is not None]
    numerals = Numerals(cell for cell, _ in listed)
    limits = [decimal(literal) for literal in literals]
    if not numerals.found or None in limits:
        return ""
    for cell, outcome in listed:
        number = numerals.number(cell)
        if number is None or not isinstance(cell, str):
            continue
        if _holds(number, sign, limits) != bool(outcome):
            verb = "holds" if outcome else "does not hold"
            text = f"compares texts, not numbers: it {verb} for {shown(cell)}"
            return text + numerals.also()
    for cell, outcome in listed:
        if outcome and numerals.number(cell) is None:
            return f"holds for the text {shown(cell)}, in a column of numbers"
    return ""


def _holds(number: Decimal, sign: str, limits: Sequence[Any]) -> bool:
    if sign == "BETWEEN":
        return bool(limits[0] <= number <= limits[1])
    return _OPERATORS[sign](number, limits[0])


def _key(cell: Any) -> tuple[type, Any]:
    return type(cell), cell
