"""Numbers in the cells of a relation, and what stands for them in a list of kinds.

Numbers of one kind read alike, so that one of each is enough to ask a reader about.
What is no plain number stands for itself.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from demur.engines.selecting import AnswerTable
from demur.engines.sql_counts import literal, name

PLAIN: Final = r"^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?$"
"""Numbers as every reader reads them."""

JSON_NUMBER: Final = r"^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?$"


def double(table: AnswerTable, column: str) -> str:
    """A column of plain numbers as doubles."""
    quoted, its = name(column), table.types[column].upper()
    if table.form != "typed":
        # Without TRIM the reader of DuckDB takes the cast over, and fails there.
        return f"TRY_CAST(TRIM({_text(table, column)}) AS DOUBLE)"
    if its.startswith("DECIMAL"):  # by way of its digits, for the nearest double
        return f"CAST(CAST({quoted} AS VARCHAR) AS DOUBLE)"
    return quoted if its == "DOUBLE" else f"CAST({quoted} AS DOUBLE)"


def _text(table: AnswerTable, column: str) -> str:
    if table.form == "cells":
        return name(column)
    return f"CAST({name(column)} AS VARCHAR)"


def without_item(table: AnswerTable, column: str) -> str:
    """How many rows hold no item, as an aggregate."""
    if table.form == "typed" and not table.is_text(column):
        return f"COUNT(*) - COUNT({name(column)})"
    text = _text(table, column)
    empty = "" if table.form != "json" else " OR {0} = 'null' OR {0} = '\"\"'"
    if table.is_text(column):
        empty += " OR {0} = ''"
    return f"COUNT(CASE WHEN {{0}} IS NULL{empty} THEN 1 END)".format(
        text if table.form == "json" else name(column)
    )


def state_text(table: AnswerTable, field: str, column: str) -> str:
    """A number of the same kind as that of a row, as SQL; NULL for nothing."""
    number = double(table, column)
    kinds = "".join(
        f"WHEN {test.format(number)} THEN {_written(table, value)} "
        for test, value in _KINDS[field]
    )
    if table.form == "typed" and field == "confidence":
        return f"{name(column)} IS NOT NULL"  # its ends are aggregated
    if table.form == "typed":
        # Statistics of files know nothing of NaN, and decide the conditions behind.
        odd = f"WHEN ISNAN({number}) THEN {literal(float('nan'))} "
        odd = odd if can_be_nan(table, column) else ""
        return f"CASE {odd}{kinds}ELSE {number} END"
    text = _text(table, column)
    pattern = PLAIN if table.form == "cells" else JSON_NUMBER
    nothing = f"{text} IS NULL OR {text} IN ('', 'null')"
    if table.form == "cells":
        nothing = f"{text} IS NULL OR {text} = ''"
    plain = f"REGEXP_MATCHES({text}, '{pattern}')"
    return (
        f"CASE WHEN {nothing} THEN NULL WHEN NOT {plain} THEN {text} {kinds}"
        f"ELSE {text} END"
    )


def can_be_nan(table: AnswerTable, column: str) -> bool:
    """Whether a column of types may hold NaN."""
    return table.types[column].upper() in ("DOUBLE", "FLOAT", "REAL")


def _written(table: AnswerTable, value: float) -> str:
    return literal(value) if table.form == "typed" else f"'{value:g}'"


_KINDS: Final[Mapping[str, tuple[tuple[str, float], ...]]] = {
    "confidence": (
        ("{0} > 0 AND {0} < 1", 0.5),
        ("{0} IN (0, 1)", 0.0),
        ("{0} >= 10 AND {0} <= 100 AND {0} = FLOOR({0})", 50.0),
        ("{0} > 1 AND {0} <= 1e300", 1000.0),
        ("{0} < 0 AND {0} >= -1e300", -1.0),
    ),
    "credit": (("{0} > 0 AND {0} < 1", 0.5),),
    "correct": (("{0} > 0 AND {0} < 1", 0.5),),
    "weight": (("{0} > 0 AND {0} <= 1e300", 1.0),),
}
"""Which numbers of a field read alike, and one of them."""


def number_text(table: AnswerTable, column: str, read: Mapping[Any, float]) -> str:
    """The numbers of a column as doubles, with what was read of odd cells."""
    number = double(table, column)
    if table.form == "typed":
        return number
    text = _text(table, column)
    pattern = PLAIN if table.form == "cells" else JSON_NUMBER
    odd = {
        cell: value
        for cell, value in read.items()
        if cell is not None and not re.match(pattern, cell) and value == value
    }
    whens = "".join(
        f"WHEN {text} = {literal(cell)} THEN {literal(float(value))} "
        for cell, value in odd.items()
    )
    return f"CASE {whens}ELSE {number} END" if whens else number
