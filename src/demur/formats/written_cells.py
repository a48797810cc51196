"""Cells as people write them: ``80 %``, ``0,53``, ``ja``, ``WAHR``, ``oui``, ``да``.

They are read where they can mean one thing only. Percentages beside plain numbers, and
decimal commas beside decimal points, are refused: one of the two means something else.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, Final

from demur.errors import InputError, shown
from demur.outcomes.columns import Place
from demur.outcomes.fields import NUMERIC, type_of
from demur.outcomes.values import cell_rule

Rows = Iterator[tuple[int, dict[str, Any]]]
"""Records, each with its number."""
Records = Sequence[Mapping[str, Any]]

_YES: Final = (
    *("ja", "wahr", "richtig", "korrekt", "oui", "vrai", "juste", "sí", "si"),
    *("verdadero", "correcto", "sì", "vero", "sim", "verdadeiro", "tak", "prawda"),
    *("да", "истина", "верно", "correct", "right"),
)
_NO: Final = (
    *("nein", "falsch", "non", "faux", "falso", "incorrecto", "não", "nie", "fałsz"),
    *("нет", "ложь", "неверно", "incorrect", "wrong"),
)
FLAGS: Final[Mapping[str, str]] = {
    **dict.fromkeys(_YES, "true"),
    **dict.fromkeys(_NO, "false"),
}
"""Words for true and false, in small letters."""
_VERDICTS: Final = {"right": "true", "wrong": "false", "unanswered": ""}
"""Our own words, which need no note."""
_PER_CENT: Final = re.compile(r"([-+]?\d+(?:[.,]\d+)?)\s*%")
_COMMA: Final = re.compile(r"[-+]?\d*,\d+")
_THOUSANDS: Final = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")
_POINT: Final = re.compile(r"[-+]?\d*\.\d+(?:[eE][-+]?\d+)?")
_PLAIN: Final = re.compile(r"[-+]?\d+")

_FORMS: Final = (
    ("per cent", _PER_CENT),
    ("comma", _COMMA),
    ("point", _POINT),
    ("plain", _PLAIN),
)
_APART: Final = (
    frozenset(["per cent", "comma"]),
    frozenset(["per cent", "point"]),
    frozenset(["per cent", "plain"]),
    frozenset(["comma", "point"]),
)
"""Forms of numbers that one column cannot have beside each other."""


class WrittenCells:
    """Cells of one file, each made the text that our own files have for it.

    Attributes
    ----------
    notes : list of str
        How cells were read that are written otherwise.

    Examples
    --------
    >>> cells = WrittenCells()
    >>> [cells.plain("confidence", cell, "a.csv:2") for cell in ("80 %", "7,5%")]
    ['0.8', '0.075']
    >>> cells.plain("correct", "WAHR", "a.csv:2"), cells.notes
    ('true', ['confidence is read as per cent: 80 % is 0.8', 'correct: WAHR is true'])
    """

    def __init__(self) -> None:
        self._forms: dict[str, dict[str, tuple[str, str]]] = {}
        self._read: dict[str, dict[str, str]] = {}

    @property
    def notes(self) -> list[str]:
        """How cells were read that are written otherwise."""
        notes = []
        for name, read in self._read.items():
            cell, value = next(iter(read.items()))
            if not {"true", "false"} & set(read.values()):
                way = "as per cent" if "%" in cell else "with decimal commas"
                notes.append(f"{name} is read {way}: {cell} is {value}")
            else:
                words = ", ".join(f"{word} is {flag}" for word, flag in read.items())
                notes.append(f"{name}: {words}")
        return notes

    def plain(self, name: str, cell: str, place: str) -> str:
        """A cell as our own files have it; as it is, if it is no other form.

        Raises
        ------
        InputError
            If cells of its column are of forms that cannot stand together.
        """
        kind = type_of(name)
        if kind == "correct" and cell in _VERDICTS:
            return _VERDICTS[cell]
        if kind in ("flag", "correct"):
            flag = FLAGS.get(cell.strip().casefold())
            if flag is not None:
                return self._noted(name, cell.strip(), flag)
        return self._number(name, cell, place) if kind in NUMERIC else cell

    def records(
        self,
        rows: Rows,
        prefix: str,
        beginning: Callable[[], Records],
        only: Collection[str] | None = None,
    ) -> Rows:
        """Rows whose texts are read as cells of their columns are.

        Parameters
        ----------
        rows : iterator of (int, record)
        prefix : str
            What stands before a number in messages.
        beginning : callable
            Gives the first rows again, for what the cells of a column may mean.
        only : collection of str, optional
            The columns that are so read; all.
        """
        rules: dict[str, Any] = {}
        for number, record in rows:
            place = f"{prefix}{number}"
            for name, value in record.items() if only is None else _some(record, only):
                if name not in rules:
                    rules[name] = cell_rule(name)
                if rules[name] is None or not isinstance(value, (str, type(None))):
                    continue
                try:
                    cell = self.plain(name, value or "", place)
                    record[name] = rules[name](name, cell, place)
                except InputError as error:
                    first = [*beginning(), {name: value}]
                    raise _with_forms(error, name, first, rows) from None
            yield number, record

    def column(self, name: str, cells: Sequence[str], place: Place) -> Sequence[str]:
        """All cells of a column, at once where none can be written otherwise."""
        if type_of(name) not in (*NUMERIC, "flag"):
            return cells
        if name not in self._read and type_of(name) in ("number", "weight"):
            joined = "".join(cells)
            if "," not in joined and "%" not in joined:
                self._plain_seen(name, cells, place)
                return cells
        return [self.plain(name, cell, place(row)) for row, cell in enumerate(cells)]

    def _plain_seen(self, name: str, cells: Sequence[str], place: Place) -> None:
        """Remember one plain number of a column that has only such until now."""
        for row, cell in enumerate(cells):
            if cell.strip():
                self._form(name, cell.strip(), place(row))
                return

    def _form(self, name: str, text: str, place: str) -> str:
        form = next((f for f, pattern in _FORMS if pattern.fullmatch(text)), "")
        if not form:
            return ""
        met = self._forms.setdefault(name, {})
        if form not in met:
            met[form] = (text, place)
            for pair in _APART:
                if form in pair and pair <= met.keys():
                    raise _mixed(name, *(met[f] for f in _ordered(pair)))
        return form

    def _number(self, name: str, cell: str, place: str) -> str:
        text = cell.strip()
        form = self._form(name, text, place)
        if form == "comma" and not _THOUSANDS.fullmatch(text):
            return self._noted(name, text, text.replace(",", "."))
        if form == "per cent":
            digits = text.rstrip("% \u00a0\u202f").replace(",", ".")
            return self._noted(name, text, f"{float(digits) / 100:.15g}")
        return cell

    def _noted(self, name: str, cell: str, value: str) -> str:
        read = self._read.setdefault(name, {})
        flag = value in ("true", "false")
        if not read or (flag and cell not in read):
            read[cell] = value
        return value


def _some(record: dict[str, Any], only: Collection[str]) -> list[tuple[str, Any]]:
    return [(name, record[name]) for name in only if name in record]


def _with_forms(error: InputError, name: str, first: Records, rows: Rows) -> InputError:
    """The error for a cell, with what all cells of its column may mean."""
    from demur.outcomes.proposed_forms import with_forms

    values = [record.get(name) for record in first]
    with suppress(InputError):  # of a later row, which is at fault otherwise
        values += [later.get(name) for _, later in islice(rows, _LOOKED_AT)]
    return with_forms(error, values)


_LOOKED_AT: Final = 10_000
"""Rows in which the cells of a column are gathered."""


def _ordered(pair: frozenset[str]) -> list[str]:
    return [form for form, _ in _FORMS if form in pair]


def _mixed(name: str, odd: tuple[str, str], other: tuple[str, str]) -> InputError:
    cell, place = odd
    need = "be a number"
    value = cell.rstrip("% \u00a0\u202f").replace(",", ".")
    written = f"{float(value) / 100:.12g}" if "%" in cell else value
    way = "fraction with a decimal point" if "%" in cell else "decimal point"
    hint = f"Write a {way}: {written}. {other[1]} has {other[0]}, written otherwise."
    return InputError(place, name, need, shown(cell), hint)
