"""What a result shows where its class says no more: its fields, as words and rows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Final

from demur.results.kinds import Figure
from demur.results.text import (
    Column,
    Table,
    cut,
    decimals,
    printable,
    short_words,
    significant,
)

if TYPE_CHECKING:
    from demur.results.contract import Result

LONGEST: Final = 120
"""Of the line that `repr` gives."""

_NAME: Final = 24
"""Of a name in it, so that there is room for two and a number."""


def words_of_class(name: str) -> str:
    """The name of a class in words.

    Examples
    --------
    >>> words_of_class("WordErrors")
    'Word errors'
    """
    spaced = "".join(f" {mark.lower()}" if mark.isupper() else mark for mark in name)
    return spaced.strip().capitalize()


def scalars(result: "Result") -> list[tuple[str, Any]]:
    """The fields that are a text or a number, with their names."""
    listed = []
    for field in fields(result):  # type: ignore[arg-type]
        value = getattr(result, field.name)
        shown = field.repr and field.name != "signature"
        if shown and isinstance(value, (str, int, float, type(None))):
            listed.append((field.name, value))
    return listed


def scalars_text(result: "Result") -> str:
    """The fields that are a text or a number, in words."""
    words = [
        f"{name.replace('_', ' ')} {_value_text(value)}"
        for name, value in scalars(result)
        if value not in (None, "")
    ]
    return ", ".join(words) or "nothing to say"


class Spoken(dict[str, str]):
    """The fields of a result as words of a sentence."""

    def __init__(self, result: "Result") -> None:
        self.result = result

    def __missing__(self, name: str) -> str:
        value = getattr(self.result, name)
        return "undefined" if value is None else _value_text(value)


def _value_text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return printable(str(value))


def shortened(sentence: str) -> str:
    """As many words of a sentence as fit the line that ``repr`` gives."""
    lines = (printable(line) for line in sentence.split("\n"))
    return shorten(short_words(" ".join(lines)), LONGEST, placeholder=" ...")


def short_line(result: "Result") -> str:
    """What ``repr`` gives: the class, and as much of the result as fits one line."""
    name, line = type(result).__name__, ""
    for key, value in _short_fields(result).items():
        longer = f"{line}, {key}={value}" if line else f"{key}={value}"
        if len(longer) > LONGEST - len(name):
            return f"{name}({line}{', ' if line else ''}...)"
        line = longer
    return f"{name}({line})"


def _short_fields(result: "Result") -> dict[str, str]:
    """What the result is about, its figures, then other fields."""
    shown: dict[str, str] = {}
    for name, value in scalars(result):
        if isinstance(value, str) and value and name in ("system", "a", "b", "module"):
            shown[name] = repr(cut(value, _NAME))
    for figure in result.figures() if result.KINDS else ():
        value = "None" if figure.value is None else f"{figure.value:.4g}"
        if figure.low is not None and figure.high is not None:
            value += f" [{figure.low:.4g}, {figure.high:.4g}]"
        shown.setdefault(figure.called.replace(" ", "_"), value)
    for name, value in scalars(result):
        shown.setdefault(name, _plain_text(value))
    return shown


def _plain_text(value: Any) -> str:
    """A value as Python writes it; of a number that is not whole, four digits."""
    if not isinstance(value, float):
        return repr(value)
    return repr(float(value if value.is_integer() else f"{value:.4g}"))


def field_tables(result: "Result", kind: type) -> Iterator[Table]:
    """The plain fields as one row; and each tuple of results as a table of its own.

    Parameters
    ----------
    result : Result
        A dataclass.
    kind : type
        What the rows of a table are: `Result`.
    """
    if scalars(result):
        yield _rows_table("", [result])
    for field in fields(result):  # type: ignore[arg-type]
        value = getattr(result, field.name)
        rows = isinstance(value, tuple) and value and field.repr
        if rows and all(isinstance(row, kind) for row in value):
            yield _rows_table(words_of_class(field.name), value)


def _rows_table(title: str, rows: "Sequence[Result]") -> Table:
    names = list(dict.fromkeys(name for row in rows for name, _ in scalars(row)))
    cells = [dict(scalars(row)) for row in rows]
    columns = [
        Column(name, cells=_cells_of([row.get(name) for row in cells]))
        for name in names
    ]
    values = tuple(tuple(row.get(name) for name in names) for row in cells)
    return Table(title, tuple(columns), values)


def _cells_of(values: Sequence[Any]) -> str:
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int}:
        return "count"
    return "number" if kinds <= {int, float} else "text"


def figure_text(figure: Figure) -> str:
    """A figure in words: its title, its value, its interval if it has one."""
    shown = number_text(figure)
    value = "undefined" if figure.value is None else shown(figure.value, 0)
    ends = ""
    if figure.low is not None and figure.high is not None:
        ends = f" ({figure.interval} {shown(figure.low, 0)} to {shown(figure.high, 0)})"
    return f"{figure.kind.title} is {value}{ends}"


def number_text(figure: Figure) -> Callable[[float, int], str]:
    """How numbers like this are written: shares with three decimals, as in tables."""
    return decimals if figure.kind.unit == "share" else significant
