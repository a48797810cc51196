"""Tables and numbers as text, for people."""

import re
from collections.abc import Sequence

from demur.errors import printable

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
    """Whether a column holds anything but numbers, bounds and gaps."""
    return not all(_NUMBER.match(cell) for cell in column)


def rate(value: float | None) -> str:
    """A rate with three decimals."""
    return NONE if value is None else f"{value:.3f}"


def span(low: float, high: float, digits: int = 3) -> str:
    """A rate, or its bounds if they differ in what is shown."""
    shown = f"{low:.{digits}f}", f"{high:.{digits}f}"
    return shown[0] if shown[0] == shown[1] else f"{shown[0]} to {shown[1]}"
