"""Numbers in the cells of a relation, and what stands for them in a list of kinds.

Numbers of one kind read alike, so that one of each is enough to ask a reader about.
What is no plain number stands for itself.
"""

import math
import re
from collections.abc import Mapping
from typing import Any, Final

from demur.engines.selecting import AnswerTable
from demur.engines.sql_counts import literal, name

PLAIN: Final = r"^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?$"
"""Numbers as every reader reads them."""

JSON_NUMBER: Final = r"^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?$"

JSON_ITEM: Final = r"^(\"(.|\n)+\"|-?[0-9]+)$"
"""Texts that are not empty, and whole numbers."""


def double(table: AnswerTable, column: str) -> str:
    """A column of plain numbers as doubles."""
    quoted, its = name(column), table.types[column].upper()
    if table.form != "typed":
        # Without TRIM the reader of DuckDB takes the cast over, and fails there.
        text = f"TRIM({_text(table, column)})"
        if table.form == "cells":  # with a decimal comma, of which states tell
            text = f"REPLACE({text}, ',', '.')"
        return f"TRY_CAST({text} AS DOUBLE)"
    if its.startswith("DECIMAL"):  # by way of its digits, for the nearest double
        return f"CAST(CAST({quoted} AS VARCHAR) AS DOUBLE)"
    return quoted if its == "DOUBLE" else f"CAST({quoted} AS DOUBLE)"


def _text(table: AnswerTable, column: str) -> str:
    if table.form == "cells":
        return name(column)
    return f"CAST({name(column)} AS VARCHAR)"


def no_item(table: AnswerTable, column: str) -> str:
    """1 where a cell holds no item, else NULL."""
    text = _text(table, column)
    if table.form == "json":
        is_item = f"REGEXP_MATCHES({text}, '{JSON_ITEM}')"
        return f"CASE WHEN {text} IS NULL OR NOT {is_item} THEN 1 END"
    quoted = name(column)
    empty = f" OR {quoted} = ''" if table.is_text(column) else ""
    return f"CASE WHEN {quoted} IS NULL{empty} THEN 1 END"


def without_item(table: AnswerTable, column: str) -> str:
    """How many rows hold no item, as an aggregate."""
    if table.form == "typed" and not table.is_text(column):
        return f"COUNT(*) - COUNT({name(column)})"
    return f"COUNT({no_item(table, column)})"


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
        odd = f"WHEN ISNAN({number}) THEN {literal(math.nan)} "
        odd = odd if can_be_nan(table, column) else ""
        return f"CASE {odd}{kinds}ELSE {number} END"
    text = _text(table, column)
    pattern = PLAIN if table.form == "cells" else JSON_NUMBER
    nothing = f"{text} IS NULL OR {text} IN ('', 'null')"
    if table.form == "cells":
        nothing = f"{text} IS NULL OR {text} = ''"
    with_comma = ""
    if table.form == "cells":
        written = "".join(
            f"WHEN {test.format(number)} THEN '{f'{value:.1f}'.replace('.', ',')}' "
            for test, value in _KINDS[field]
        )
        is_one = decimal_comma(name(column))
        with_comma = f"WHEN {is_one} THEN CASE {written}ELSE {text} END "
    plain = f"REGEXP_MATCHES({text}, '{pattern}')"
    odd = f"NOT {plain} OR {_loses_digits(text, number)}"
    return (
        f"CASE WHEN {nothing} THEN NULL {with_comma}WHEN {odd} THEN {text} "
        f"{kinds}ELSE {text} END"
    )


def _loses_digits(text: str, number: str) -> str:
    """The condition that a whole number of many digits is no double, as SQL.

    It stands for itself, so that the reader of the rows refuses it.
    """
    exact, its = (f"TRY_CAST({one} AS DECIMAL(38, 0))" for one in (text, number))
    return (
        f"(LENGTH({text}) > 15 AND REGEXP_MATCHES({text}, '^[+-]?[0-9]+$') "
        f"AND COALESCE({exact} <> {its}, TRUE))"
    )


def decimal_comma(text: str) -> str:
    """The condition that a cell is a number with a decimal comma, as SQL.

    Such as 1,234 may mean thousands, and stands for itself.
    """
    comma, thousands = r"^[+-]?[0-9]*,[0-9]+$", r"^[+-]?[1-9][0-9]{0,2},[0-9]{3}$"
    return (
        f"(REGEXP_MATCHES({text}, '{comma}') AND "
        f"NOT REGEXP_MATCHES({text}, '{thousands}'))"
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
    "weight": (("{0} > 0 AND {0} < CAST('Infinity' AS DOUBLE)", 1.0),),
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
