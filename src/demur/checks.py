"""Checks of arguments; each raises `demur.InputError` with what to do."""

import difflib
from collections.abc import Iterable
from fractions import Fraction
from numbers import Integral
from typing import Any

from demur.errors import InputError, shown

_LISTED = 20
"""Of more names a message has the first."""

_LONGEST = 60


def choice(where: str, what: str, value: object, choices: Iterable[str]) -> str:
    """``value`` if it is one of ``choices``; else an error that names the nearest.

    Examples
    --------
    >>> choice("at", "how", "linear", ["linear", "at_most"])
    'linear'
    >>> choice("at", "how", "linaer", ["linear", "at_most"])
    Traceback (most recent call last):
    ...
    demur.errors.InputError: at: how must be one of linear, at_most; got 'linaer'.
    Did you mean 'linear'?
    """
    known = list(choices)
    if isinstance(value, str) and value in known:
        return value
    near = difflib.get_close_matches(str(value), known, n=1)
    hint = f"Did you mean {near[0]!r}?" if near else "Choose one of these."
    raise InputError(where, what, f"be one of {names_shown(known)}", shown(value), hint)


def names_shown(names: Iterable[Any]) -> str:
    """Names for a message, the first of many, each in short.

    Examples
    --------
    >>> names_shown(["ref", "hyp"])
    'ref, hyp'
    >>> names_shown(range(100))[-17:]
    '8, 19 and 80 more'
    """
    known = list(names)
    more = f" and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
    texts = (str(name) for name in known[:_LISTED])
    short = (t if len(t) <= _LONGEST else f"{t[:_LONGEST]}..." for t in texts)
    return ", ".join(short) + more


def decimal_fraction(where: str, what: str, value: Any) -> Fraction:
    """A rate in [0, 1], read as the decimal it prints as.

    ``0.07`` is 7/100 here, not the nearest binary number, so that counts compare
    exactly: ``0.07 * 100`` is not 7 in floating point.

    Examples
    --------
    >>> decimal_fraction("at", "nonreturn", 0.07)
    Fraction(7, 100)
    """
    try:
        exact = value if isinstance(value, Fraction) else Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        exact = Fraction(-1)
    if isinstance(value, bool) or not 0 <= exact <= 1:
        hint = "Rates are fractions: write 0.2 for 20 %."
        raise InputError(where, what, "be a number from 0 to 1", shown(value), hint)
    return exact


def check_seed(where: str, seed: Any) -> None:
    """Refuse a seed that would not draw the same again, such as None.

    Examples
    --------
    >>> check_seed("band", None)
    Traceback (most recent call last):
    ...
    demur.errors.InputError: band: seed must be a whole number from 0 upwards; got None.
    One that is given draws the same again.
    """
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        must, hint = "be a whole number from 0 upwards", "One that is given draws"
        raise InputError(where, "seed", must, shown(seed), f"{hint} the same again.")


def rows_shown(rows: Iterable[int], *, limit: int = 3) -> str:
    """A few row numbers for a message.

    Examples
    --------
    >>> rows_shown([3, 17, 40, 41, 42])
    'rows 3, 17, 40 and 2 more'
    >>> rows_shown([3])
    'row 3'
    """
    listed = [int(row) for row in rows]
    text = ", ".join(str(row) for row in listed[:limit])
    more = f" and {len(listed) - limit} more" if len(listed) > limit else ""
    return f"{'row' if len(listed) == 1 else 'rows'} {text}{more}"
