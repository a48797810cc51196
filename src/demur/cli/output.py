"""Tables and lines for people; every number in them also stands in the JSON."""

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

from demur.curves.curves import Curve
from demur.curves.rates import Point
from demur.decisions.gates import Gate
from demur.errors import InputError, printable
from demur.outcomes.table import Outcomes

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


def at_point(point: Point | None) -> str:
    """The error at a look-up, or its bounds where it is not known."""
    if point is None:
        return NONE
    return span(*point.bounds)


def curves_table(
    curves: Sequence[Curve], points: Sequence[Sequence[Point | None]], at: list[float]
) -> str:
    """One row per curve: counts, error when forced, at the look-ups, area, own point.

    Parameters
    ----------
    curves : sequence of Curve
        One or many.
    points : sequence of sequences of Point or None
        The look-ups of each curve, as many as ``at``.
    at : list of float
        Nonreturn rates.
    """
    header = ["system", "items", "right", "wrong", "unanswered", "ungraded"]
    header += ["forced error", *(f"error@{wanted:g}" for wanted in at), "area"]
    header += ["own nonreturn", "own error"]
    return table(
        header,
        [
            [
                curve.system or NONE,
                *(
                    str(getattr(curve.totals, name))
                    for name in ("items", "right", "wrong", "unanswered", "ungraded")
                ),
                span(*curve.forced_choice_error),
                *(at_point(point) for point in found),
                _area(curve),
                rate(curve.operating_point.nonreturn),
                span(*curve.operating_point.bounds),
            ]
            for curve, found in zip(curves, points, strict=True)
        ],
    )


def _area(curve: Curve) -> str:
    if curve.ladder is None:
        return NONE
    area = curve.area()
    return span(area.low, area.high, digits=4)


def remarks(curves: Sequence[Curve], how: str) -> str:
    """How to read the table, what was ignored, and the recipe of its numbers."""
    readings = {
        "linear": "linear: a tied block is answered at random in part",
        "at_most": "at most: the last single cutoff with no more nonreturn",
        "at_least": "at least: the first single cutoff with no less nonreturn",
    }
    lines = [
        "error and nonreturn are shares of all items; error@x is the error at "
        f"nonreturn x ({readings[how]}).",
        "area: under the error-return curve, linear; own: by the system's own "
        "decisions to decline.",
    ]
    if any(curve.totals.no_guess or curve.totals.ungraded for curve in curves):
        lines.append(
            "a to b: the bounds that items without a guess and ungraded items leave."
        )
    notes = {f"{curve.system}: {note}" for curve in curves for note in curve.notes}
    common = [note for note in curves[0].notes if all(note in c.notes for c in curves)]
    if common and len(curves) > 1:
        notes = {note for note in notes if note.partition(": ")[2] not in common}
    lines += [f"note: {note}" for note in common if len(curves) > 1]
    lines += [f"note: {note.removeprefix(': ')}" for note in sorted(notes)]
    lines += [
        f"not answered, {curve.system or 'by kind'}: "
        + ", ".join(f"{kind} {count}" for kind, count in sorted(curve.kinds.items()))
        for curve in curves
        if curve.kinds
    ]
    recipes = dict.fromkeys(curve.signature.rpartition("|")[0] for curve in curves)
    lines += [f"signature: {recipe}" for recipe in recipes]
    return "\n".join(printable(line) for line in lines)


def check_not_read(
    command: str, option: str, target: str, sources: Iterable[str]
) -> None:
    """Refuse to write over a file that is read.

    Raises
    ------
    InputError
    """
    for source in sources:
        if same_file(target, source):
            must, hint = "not be a file that is read", "Name another file."
            raise InputError(command, option, must, printable(target), hint)


def same_file(first: str, second: str) -> bool:
    """Whether two paths lead to one file, there or yet to be written; "-" is none.

    Examples
    --------
    >>> same_file("a.jsonl", "./b/../a.jsonl"), same_file("-", "-")
    (True, False)
    """
    if "-" in (first, second):
        return False
    with suppress(OSError):
        return Path(first).samefile(second)
    return Path(first).resolve() == Path(second).resolve()


def check_gates(
    gates: Iterable[Gate], curves: Sequence[Curve], parts: Sequence[Outcomes]
) -> int:
    """Say which gates are broken; 1 if any is."""
    broken = [(gate, line) for gate in gates for line in gate.broken_by(curves, parts)]
    for gate, line in broken:
        say(f"gate broken: {line}  [--fail-if {gate.text!r}]")
    return 1 if broken else 0


def show(text: str, stream: TextIO | None = None) -> None:
    """Print a result; a reader that has gone (``demur ... | head``) is no error.

    What is left to do, such as gates and pictures, is still done.
    """
    stream = stream or sys.stdout
    with reader_may_go(stream):
        print(text, file=stream)


@contextmanager
def reader_may_go(stream: TextIO) -> Iterator[None]:
    """Send a stream to nowhere once its reader has gone."""
    try:
        yield
        stream.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def say(text: str) -> None:
    """A line for the person at the terminal, on stderr."""
    print(f"demur: {printable(text)}", file=sys.stderr)


def as_json(value: Any) -> str:
    """One line of JSON, without what JSON does not have."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
