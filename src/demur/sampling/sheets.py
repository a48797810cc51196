"""The sheet for annotators: a row for each label, blind, and safe in spreadsheets."""

import csv
import io
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from demur import checks
from demur.arrays import Positions
from demur.checks import names_shown
from demur.errors import InputError, shown
from demur.files import new_file
from demur.formats.reading import open_own_table
from demur.outcomes.table import Outcomes
from demur.outcomes.values import as_text
from demur.outcomes.verdict_words import word_of
from demur.sampling.label_units import LABEL_KEY

SHOWN: Final = ("input", "response", "reference")
_ENDINGS: Final = {".csv": ",", ".tsv": "\t", ".jsonl": ""}
_FORMULA: Final = re.compile(r"'*[=+\-@\t\r\n]")
"""How a cell begins that a spreadsheet runs, or that has been kept from it."""

_SHEET: Final = "demur sample --sheet writes one."


def sheet_rows(
    outcomes: Outcomes, order: Positions, label: Positions
) -> tuple[tuple[dict[str, Any], ...], tuple[str, ...]]:
    """The rows of the sheet, and what is to be said of them.

    Parameters
    ----------
    outcomes : Outcomes
        All of them, with the key of each row that is drawn.
    order : array of int64
        Labels, in the order of the sheet.
    label : array of int64, shape (n_rows,)
        Which label each row waits for.
    """
    first: dict[int, int] = {}
    for row, at in enumerate(label.tolist()):
        first.setdefault(at, row)
    columns = {name: getattr(outcomes, name) for name in SHOWN}
    there = {name: held for name, held in columns.items() if held is not None}
    notes = []
    if "input" not in there:
        named = _names_apart(outcomes)
        if named:
            there = {"item": outcomes.item, **there}
        shows = "the name of the item" if named else "nothing else"
        notes.append(f"there is no column input: the sheet shows {shows} instead")
    if "response" not in there:
        notes.append("there is no column response: annotators do not see the answer")
    if outcomes.part is not None:  # "item" may say who answered, a part does not
        there = {"part": outcomes.part, **there}
    rows = []
    for at in order.tolist():
        row = first[at]
        key = outcomes.groups[LABEL_KEY][row]
        cells = {name: as_text(held[row]) for name, held in there.items()}
        rows.append({"key": key, **cells, "verdict": None, "note": None})
    return tuple(rows), tuple(notes)


def _names_apart(outcomes: Outcomes) -> bool:
    """Whether no item is named after a system, so that names may be seen."""
    systems = [name.lower() for name in outcomes.systems if name]
    items = {str(item).lower() for item in outcomes.item.tolist()}
    return not any(system in item for system in systems for item in items)


# -- files -----------------------------------------------------------------------------


def safe_cell(text: str) -> str:
    """A cell that no spreadsheet runs; `bare_cell` gives it back.

    Examples
    --------
    >>> safe_cell("=1+1"), safe_cell("'=x"), safe_cell("'tis"), safe_cell("a=b")
    ("'=1+1", "''=x", "'tis", 'a=b')
    """
    return f"'{text}" if _FORMULA.match(text) else text


def bare_cell(text: str) -> str:
    """What `safe_cell` was given.

    Examples
    --------
    >>> bare_cell("'=1+1"), bare_cell("'tis")
    ('=1+1', "'tis")
    """
    kept = text.startswith("'") and _FORMULA.match(text)
    return text[1:] if kept else text


def check_sheet_ending(path: str | os.PathLike[str]) -> str:
    """What stands between cells in a sheet of this name; nothing in JSON Lines.

    Raises
    ------
    InputError
        If the ending is none of a sheet.
    """
    checks.path("sample", path, "sheet")
    ending = Path(path).suffix.lower()
    if ending not in _ENDINGS:
        need = f"end in {', '.join(_ENDINGS)}"
        raise InputError("sample", "the sheet", need, shown(str(path)))
    return _ENDINGS[ending]


def write_sheet(
    rows: Sequence[Mapping[str, Any]], path: str | os.PathLike[str]
) -> None:
    """Write the rows of a sheet; one that holds verdicts is not written over.

    Delimited text begins with a byte order mark, by which spreadsheets know UTF-8.
    """
    delimiter = check_sheet_ending(path)
    check_no_verdicts(path)
    if not delimiter:
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        text = "".join(lines)
    else:
        cells = io.StringIO()
        writer = csv.writer(cells, delimiter=delimiter, lineterminator="\n")
        writer.writerow(rows[0])
        for row in rows:
            writer.writerow(safe_cell(str(cell or "")) for cell in row.values())
        text = "\ufeff" + cells.getvalue().replace("\0", "\ufffd")
    with new_file(path) as file:
        file.write(text.encode("utf-8", "backslashreplace"))


def check_no_verdicts(path: str | os.PathLike[str]) -> None:
    """Refuse to lose verdicts that stand in a sheet.

    Raises
    ------
    InputError
        If there are some.
    """
    if not Path(path).is_file():
        return
    try:
        filled = any(row.verdict for row in read_sheet(path))
    except InputError:  # it is no sheet
        return
    if filled:
        need, got = "not hold verdicts", "a sheet that somebody has filled in"
        hint = "Name another file, or move it."
        raise InputError(str(path), "the sheet", need, got, hint)


@dataclass(frozen=True)
class SheetRow:
    """A row of a sheet that came back.

    Parameters
    ----------
    place : str
        Where it was read.
    key, verdict, note : str
        What stands there; empty where nothing does.
    """

    place: str
    key: str
    verdict: str
    note: str


def sheet_row(place: str, record: Mapping[str, Any]) -> SheetRow:
    """A row of a sheet from a record with key, verdict and perhaps note."""
    key = record.get("key")
    note = as_text(record.get("note")) or ""
    verdict = word_of(record.get("verdict")).lstrip("'")
    return SheetRow(place, str(key or "").strip(), verdict, bare_cell(note).strip())


def read_sheet(path: str | os.PathLike[str]) -> Iterator[SheetRow]:
    """The rows of a sheet, as a spreadsheet or an editor has saved it.

    Raises
    ------
    InputError
        If there are no columns key and verdict.
    """
    with open_own_table(path) as table:
        known = [*table.names()]
        for number, record in table.records():
            known = known or [*record]
            lacking = [name for name in ("key", "verdict") if name not in known]
            if lacking:
                need, got = f"have {' and '.join(lacking)}", names_shown(known)
                raise InputError(table.name, "the columns", need, got, _SHEET)
            yield sheet_row(f"{table.prefix}{number}", record)
