"""What all results share: plain values, a recipe, one line and a table to look at."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from html import escape
from typing import Any, Final

from demur.version import __version__

_LONGEST: Final = 80


def signature_of(recipe: Mapping[str, object]) -> str:
    """The recipe of a result on one line, with the version that made it.

    Examples
    --------
    >>> signature_of({"seed": "0"}).partition("|")[2]
    'seed:0'
    """
    parts = {"demur": __version__, **recipe}
    return "|".join(f"{name}:{value}" for name, value in parts.items())


class Result:
    """A frozen dataclass that a verb returns.

    ``repr`` is one short line, ``str`` the table that the command line shows, and a
    notebook shows the same table.
    """

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values for JSON: its fields, and the signature."""
        names = [each.name for each in fields(self) if each.repr]  # type: ignore[arg-type]
        names += ["signature"] if hasattr(self, "signature") else []
        return {
            name: plain_values(getattr(self, name))
            for name in dict.fromkeys(names)
            if name != "recipe"
        }

    def __repr__(self) -> str:
        line = ""
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if not field.repr or not isinstance(value, (str, int, float, type(None))):
                continue
            text = repr(float(value) if isinstance(value, float) else value)
            longer = f"{line}, {field.name}={text}" if line else f"{field.name}={text}"
            if len(longer) > _LONGEST - len(type(self).__name__):
                return f"{type(self).__name__}({line}{', ' if line else ''}...)"
            line = longer
        return f"{type(self).__name__}({line})"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def plain_values(value: Any) -> Any:
    """A value as JSON has it, whatever results and arrays it holds; infinity as text.

    Examples
    --------
    >>> plain_values({"ends": (0.1, None)})
    {'ends': [0.1, None]}
    """
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {key: plain_values(held) for key, held in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_values(held) for held in value]
    if isinstance(value, frozenset):
        return sorted((plain_values(held) for held in value), key=str)
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return plain_values(value.tolist()) if hasattr(value, "tolist") else value


NONE = "-"
"""What a table shows where there is no value."""


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows under a header: words and the first column to the left, numbers right.

    Examples
    --------
    >>> print(table(["system", "items"], [["a", "10"], ["longer", "9"]]))
    system  items
    ------  -----
    a          10
    longer      9
    """
    cells = [[printable(cell) for cell in row] for row in [header, *rows]]
    columns = list(zip(*cells, strict=True))
    widths = [max(map(len, column)) for column in columns]
    words = [not index or _is_words(each[1:]) for index, each in enumerate(columns)]
    cells.insert(1, ["-" * width for width in widths])
    lines = [
        "  ".join(
            cell.ljust(width) if left else cell.rjust(width)
            for cell, width, left in zip(row, widths, words, strict=True)
        )
        for row in cells
    ]
    return "\n".join(line.rstrip() for line in lines)


_NUMBER = re.compile(r"[-+]?(\d|inf\b|$)|less than ")


def _is_words(column: Sequence[str]) -> bool:
    return not all(_NUMBER.match(cell) for cell in column)


def rate(value: float | None) -> str:
    """A rate with three decimals."""
    return NONE if value is None else f"{value:.3f}"


def p_text(p_value: float) -> str:
    """A p value as precise as it deserves.

    Examples
    --------
    >>> p_text(0.03456), p_text(0.0002), p_text(1.0)
    ('p = 0.035', 'p < 0.001', 'p = 1')
    """
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.2g}"


def span(low: float, high: float, digits: int = 3) -> str:
    """A rate, or its bounds if they differ in what is shown."""
    shown = f"{low:.{digits}f}", f"{high:.{digits}f}"
    return shown[0] if shown[0] == shown[1] else f"{shown[0]} to {shown[1]}"


def printable(text: str) -> str:
    r"""Text on one line, without the control characters that a terminal obeys.

    Examples
    --------
    >>> printable("a\x1b[31mb\n")
    'a\\x1b[31mb\\n'
    """
    return "".join(
        mark if mark.isprintable() else ascii(mark)[1:-1] for mark in str(text)
    )
