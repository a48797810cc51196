"""Columns of numbers, read with care."""

import numpy as np

from demur.arrays import Floats
from demur.errors import InputError, shown
from demur.outcomes.gaps import is_gap
from demur.outcomes.named_columns import NamedColumns

_HINT = "Leave the field empty where there is none."


def numbers_of(table: NamedColumns, name: str) -> Floats:
    """A column of numbers; NaN where there is nothing."""
    numbers = np.full(len(table), np.nan)
    for row, value in enumerate(table.columns[name]):
        if is_gap(value):
            continue
        need = "be finite"
        try:
            numbers[row] = float(value)
        except OverflowError:  # a whole number beyond all that are counted with
            pass
        except (TypeError, ValueError):
            need = "be a number"
        if not np.isfinite(numbers[row]):
            raise InputError(table.place(row), name, need, shown(value), _HINT)
    return numbers


def complete_numbers(table: NamedColumns, name: str) -> Floats:
    """A column of numbers without gaps."""
    numbers = numbers_of(table, name)
    for row in np.flatnonzero(np.isnan(numbers)).tolist():
        hint = "Leave rows out that lack a number."
        raise InputError(table.place(row), name, "be a number", "nothing", hint)
    return numbers
