"""Percentages in published tables that no count can give."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, InvalidOperation
from typing import Any

from demur import checks
from demur.errors import InputError, shown
from demur.results import Result


@dataclass(frozen=True, eq=False, repr=False)
class PrintedPercentage(Result):
    """One printed percentage, and the counts that it may stand for.

    Parameters
    ----------
    name : str
        Which cell it is.
    printed : str
        As in the table.
    n : int
        What it is said to be a share of.
    counts : tuple of int
        Every k with k / n printed so; none if it is impossible.
    nearest : tuple (count, percentage)
        Of the nearest k.
    """

    name: str
    printed: str
    n: int
    counts: tuple[int, ...]
    nearest: tuple[int, float]

    @property
    def possible(self) -> bool:
        """Whether some count gives it."""
        return bool(self.counts)


def check_percentages(
    cells: Iterable[tuple[str, str, int]],
) -> tuple[PrintedPercentage, ...]:
    """Whether printed percentages can be counts out of the number that is stated.

    A percentage stands for k / n if it is not further from 100 k / n than half a unit
    of its last digit, however a half was rounded. One that cannot be had has another
    denominator than stated: items left out, or units of another kind.

    Parameters
    ----------
    cells : iterable of (name, printed, n)
        Printed as in the table, such as ``"79.3"`` or ``"79.3%"``: its digits say how
        exact it is.

    Returns
    -------
    tuple of PrintedPercentage
        All of them; `PrintedPercentage.possible` is False where no count fits.

    Raises
    ------
    InputError
        If a cell is no percentage, or n no whole number from 1.

    Examples
    --------
    Of 317 utterances none can be 79.3 % (251 are 79.18, 252 are 79.50):

    >>> import demur
    >>> [found, other] = demur.check_percentages(
    ...     [("human1", "79.3%", 317), ("human2", "76.7%", 317)])
    >>> found.possible, found.nearest[0], other.counts
    (False, 251, (243,))
    """
    cells = checks.listed("check_percentages", "cells", cells)
    for cell in cells:
        if not isinstance(cell, tuple) or len(cell) != 3:
            need = "be (name, printed percentage, number of items)"
            raise InputError("check_percentages", "each of cells", need, shown(cell))
    return tuple(_checked(*cell) for cell in cells)


def _checked(name: str, printed: str, n: Any) -> PrintedPercentage:
    text = str(printed).strip().removesuffix("%").strip()
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = Decimal(-1)
    if not value.is_finite() or not 0 <= value <= 100:
        need, hint = "be a percentage from 0 to 100", "Write it as it is printed."
        raise InputError("check_percentages", name, need, shown(printed), hint)
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        need, hint = "be a whole number from 1", "It is what the share is of."
        raise InputError("check_percentages", f"n of {name}", need, shown(n), hint)
    half = Decimal(1).scaleb(int(value.as_tuple().exponent)) / 2
    low = ((value - half) * n / 100).to_integral_value(ROUND_CEILING)
    high = ((value + half) * n / 100).to_integral_value(ROUND_FLOOR)
    counts = tuple(k for k in range(int(low), int(high) + 1) if 0 <= k <= n)
    near = min(range(n + 1), key=lambda k: abs(100 * Decimal(k) / n - value))
    return PrintedPercentage(
        name=name,
        printed=str(printed),
        n=n,
        counts=counts,
        nearest=(near, 100 * near / n),
    )
