"""Workbooks: which sheet is read, and what stands in cells that hold no plain value."""

import re
import shlex
import sys
from pathlib import Path

import pytest

import demur
from builders import run, stderr_of

openpyxl = pytest.importorskip("openpyxl")

HEADER = ["item", "correct", "confidence"]
FIRST = [HEADER, ["q1", True, 0.5], ["q2", False, 0.4]]
SECOND = [HEADER, ["q1", True, 0.5], ["q2", True, 0.4]]


def workbook(path: Path, sheets, *, merged=(), hidden=()) -> Path:
    """A workbook of sheets by name, each a list of rows."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
        for cells in merged:
            sheet.merge_cells(cells)
        if title in hidden:
            sheet.sheet_state = "hidden"
    book.save(path)
    return path


def right(path: Path, **how: str) -> int:
    return demur.read_outcomes(path, **how).counts()["right"]


def test_of_two_sheets_alike_none_is_chosen_silently(tmp_path):
    path = workbook(tmp_path / "a.xlsx", {"Run 1": FIRST, "Run 2": SECOND})
    line = stderr_of("curve", path)
    assert "the table must stand on one visible sheet; got Run 1, Run 2." in line
    way = shlex.split(re.search(r"--log '.*'", line)[0])
    assert way == ["--log", "workbook(sheet=Run 1)"]
    done = run("curve", path, *way)
    assert done.code == 0
    assert "|log:workbook(sheet=Run 1)|" in done.out
    assert right(path, log="workbook(sheet=Run 1)") == 1
    assert right(path, log="workbook(sheet=Run 2)") == 2
    assert right(path, log="workbook(sheet=2)") == 2


def test_a_sheet_is_named_by_its_number_where_its_name_cannot_be_typed(tmp_path):
    path = workbook(tmp_path / "a.xlsx", {"A (new), b": SECOND, "B": FIRST})
    line = stderr_of("curve", path)
    assert "--log 'workbook(sheet=1)'" in line
    assert right(path, log="workbook(sheet=1)") == 2


def test_a_sheet_that_is_not_there_is_named_with_those_that_are(tmp_path):
    path = workbook(
        tmp_path / "a.xlsx", {"Run 1": FIRST, "old": SECOND}, hidden=["old"]
    )
    assert right(path) == 1  # what is hidden is not meant, unless it is named
    assert right(path, log="workbook(sheet=old)") == 2
    with pytest.raises(demur.InputError, match=r"one of Run 1, old; got 'Run 3'\. Did"):
        demur.read_outcomes(path, log="workbook(sheet=Run 3)")


def test_a_named_sheet_is_read_as_any_table(tmp_path):
    rows = [["Nr", "Richtig", "Sicher"], [1, "ja", "53 %"], [2, "nein", "40 %"]]
    path = workbook(tmp_path / "a.xlsx", {"A": FIRST, "B": rows})
    columns = "item=Nr, correct=Richtig, confidence=Sicher"
    outcomes = demur.read_outcomes(path, log="workbook(sheet=B)", columns=columns)
    assert outcomes.confidence.tolist() == [0.53, 0.4]
    with pytest.raises(demur.InputError, match=r"be a workbook \(.xlsx\); got another"):
        demur.read_outcomes(Path(__file__), log="workbook(sheet=B)")


def test_a_sheet_of_other_columns_is_read_as_is_proposed(tmp_path):
    rows = [["Nr", "Richtig", "Sicher"], [1, "ja", "53 %"], [2, "\u2717", "40 %"]]
    path = workbook(tmp_path / "a.xlsx", {"A": rows})
    way = shlex.split(re.search(r"--columns '[^']*'", stderr_of("curve", path))[0])
    words = "item=Nr, correct=cases(Richtig, ja=right, \u2717=wrong), confidence=Sicher"
    assert way[1] == words
    assert right(path, columns=words) == 1


@pytest.mark.parametrize(
    ("above", "sure"),
    [([], [90, 80, 70]), ([["Report", "Q3"], []], [90, 80, 70]), ([], ["a", "b", "c"])],
)
def test_a_verdict_in_a_cell_is_not_taken_for_the_header(above, sure, tmp_path):
    header = ["Testfrage", "Korrekt", "Sicherheit"]
    verdicts = ["richtig", "falsch", "richtig"]
    rows = [
        [f"q{n}", v, s] for n, (v, s) in enumerate(zip(verdicts, sure, strict=True))
    ]
    path = workbook(tmp_path / "a.xlsx", {"Sheet": [*above, header, *rows]})
    assert "got Testfrage, Korrekt, Sicherheit." in stderr_of("curve", path)


def test_named_columns_choose_the_sheet_that_has_them(tmp_path):
    rows = [["Frage", "Urteil"], ["q1", "richtig"], ["q2", "falsch"]]
    legend = [["item", "correct", "confidence"], ["Nummer", "ja/nein", "0-1"]]
    path = workbook(tmp_path / "a.xlsx", {"Legende": legend, "Daten": rows})
    assert right(path, columns="item=Frage, correct=Urteil") == 1
    assert right(path, columns="item=row(), correct=Urteil") == 1
    twice = {"Run 1": rows, "Run 2": rows, "Legende": legend}
    path = workbook(tmp_path / "b.xlsx", twice)
    with pytest.raises(demur.InputError, match=r"got Run 1, Run 2\."):
        right(path, columns="item=Frage, correct=Urteil")


def test_what_stands_in_a_merged_cell_is_read_in_all_its_rows(tmp_path):
    rows = [
        ["The results", None, None],
        ["item", "system", "correct"],
        ["q1", "a", True],
        [None, "b", None],
        ["q2", "a", False],
        [None, "b", None],
    ]
    merged = ["A1:C1", "A3:A4", "C3:C4", "A5:A6", "C5:C6"]
    path = workbook(tmp_path / "a.xlsx", {"A": rows}, merged=merged)
    outcomes = demur.read_outcomes(path)
    assert outcomes.item.tolist() == ["q1", "q1", "q2", "q2"]
    assert outcomes.outcome.tolist() == ["right", "right", "wrong", "wrong"]
    assert "what stands in a merged cell is read in all its rows" in outcomes.notes
    alone = workbook(tmp_path / "b.xlsx", {"A": [rows[0], *FIRST]}, merged=["A1:C1"])
    assert demur.read_outcomes(alone).notes == ()


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("#N/A", "A:2: correct must be a value; got the error #N/A. Mend the formula"),
        ("#DIV/0!", "got the error #DIV/0!"),
        ("=1=1", "A:2: correct must have a value; got a formula without one. Open it"),
    ],
)
def test_cells_without_a_value_are_named(cell, message, tmp_path):
    path = workbook(tmp_path / "a.xlsx", {"A": [HEADER[:2], ["q1", cell]]})
    assert message in stderr_of("curve", path)


def test_a_workbook_without_openpyxl_names_the_extra(tmp_path, monkeypatch):
    path = workbook(tmp_path / "a.xlsx", {"A": FIRST})
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(demur.MissingExtra, match=r"pip install \"demur\[excel\]\""):
        demur.read_outcomes(path)
