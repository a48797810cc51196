"""Several files whose columns differ: one line says what to type for all of them."""

import json
import re
import shlex

import pytest

from demur.cli import main

ROWS = [
    (f"q{n}", "said", n % 3 > 0, n % 17 / 17)
    for n in range(80)
]  # fmt: skip


def table(*names, percent=False, rows=ROWS):
    lines = [",".join(names)]
    for item, said, right, sure in rows:
        shown = f"{100 * sure:.1f}%" if percent else f"{sure:.3f}"
        lines.append(f"{item},{said},{right:d},{shown}")
    return "\n".join(lines) + "\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text(table("qid", "gold", "correct", "confidence"))
    (tmp_path / "b.csv").write_text(table("qid", "gold", "correct", "conf"))
    (tmp_path / "own.csv").write_text(table("item", "gold", "correct", "confidence"))
    return tmp_path


def said(capsys, *words):
    assert main(["compare", *words]) == 4
    return capsys.readouterr().err


def typed_in(text):
    [typed] = re.findall(r"--columns '([^']+)'", " ".join(text.split()))
    return typed


def compared(capsys, *words):
    assert main(["compare", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("first", ["a.csv", "b.csv"])
def test_the_first_refusal_proposes_what_both_files_need(capsys, first):
    files = [first, "a.csv" if first == "b.csv" else "b.csv"]
    typed = typed_in(said(capsys, *files))
    assert typed == "item=qid; b.csv: confidence=conf"
    assert compared(capsys, *files, "--columns", typed)["area"]["value"] == 0


def test_only_what_counts_is_proposed_beside_the_items(capsys, folder):
    text = "qid,question,prediction,gold,correct,confidence\n1,Who?,he,he,1,0.5\n"
    (folder / "a.csv").write_text(text + "2,Who?,he,she,0,0.4\n")
    typed = typed_in(said(capsys, "a.csv", "b.csv"))
    assert typed.startswith("item=qid; ")
    assert "gold" not in typed and "question" not in typed  # noqa: PT018


def test_a_name_that_only_one_file_has_is_typed_of_that_file(capsys):
    text = said(capsys, "a.csv", "b.csv", "--columns", "item=qid, confidence=conf")
    assert "a.csv: confidence must name columns of the file; got 'conf'." in text
    assert typed_in(text) == "item=qid; b.csv: confidence=conf"


def test_the_note_on_one_file_without_confidences_can_be_followed(capsys):
    found = compared(capsys, "a.csv", "b.csv", "--columns", "item=qid")
    [note] = [note for note in found["notes"] if "--columns" in note]
    assert note.startswith("b.csv: there is no column confidence")
    typed = typed_in(note)
    assert not compared(capsys, "a.csv", "b.csv", "--columns", typed)["notes"]


def test_files_of_our_own_columns_stay_as_they_are(capsys):
    text = said(capsys, "own.csv", "b.csv")
    assert typed_in(text) == "b.csv: item=qid, confidence=conf"
    compared(capsys, "own.csv", "b.csv", "--columns", typed_in(text))


def test_values_of_one_file_are_proposed_for_that_file(capsys, folder):
    (folder / "b.csv").write_text(
        table("qid", "gold", "grade", "conf")
        .replace(",1,", ",C,")
        .replace(",0,", ",I,")
    )
    typed = "item=qid; b.csv: correct=grade, confidence=conf"
    text = said(capsys, "a.csv", "b.csv", "--columns", typed)
    proposed = typed_in(text)
    assert proposed.startswith("item=qid; b.csv: correct=cases(grade, ")
    compared(capsys, "a.csv", "b.csv", "--columns", proposed)


def test_three_files_and_names_with_signs_of_patterns(capsys, folder):
    (folder / "c[1].csv").write_text(table("id", "gold", "correct", "sure"))
    files = ["a.csv", "b.csv", "c[1].csv"]
    typed = typed_in(said(capsys, *files))
    found = compared(capsys, *files, "--columns", typed)
    assert {pair["quantity"] for pair in found["pairs"]} >= {"area"}


@pytest.mark.parametrize("name", ["x=y.csv", "x;y.csv"])
def test_what_cannot_be_typed_of_a_file_is_not_proposed(capsys, folder, name):
    (folder / name).write_text((folder / "b.csv").read_text())
    assert typed_in(said(capsys, "a.csv", name)).startswith("item=qid")
    assert ";" not in typed_in(said(capsys, "a.csv", name))


def test_a_misspelt_name_is_not_replaced(capsys):
    text = said(capsys, "a.csv", "b.csv", "--columns", "item=qid, system=modle")
    assert "--columns" not in text


# -- what would be refused next is told with it ----------------------------------------


def command_in(text):
    """What a message says is to be typed, as words of a shell."""
    [typed] = re.findall(
        r"Type (--.*?)(?:: |\.$)", text.strip().replace("csv: ", "csv:")
    )
    return shlex.split(typed)


def test_repeated_and_missing_items_are_told_with_the_columns(capsys, folder):
    rows = [row for row in ROWS if row[0] != "q7"]
    further = [ROWS[4], ("q9", "said", False, 0.9), ("q11", "said", False, 0.8)]
    text = table("qid", "gold", "correct", "conf", rows=[*rows, *further])
    (folder / "b.csv").write_text(text)
    told = said(capsys, "a.csv", "b.csv")
    assert "2 items have rows that differ (b.csv:10, 82; b.csv:12, 83)" in told
    assert "items that not all files have are left out, 1 of a.csv." in told
    words = command_in(told)
    assert words[-4:] == ["--repeated", "last", "--items", "common"]
    assert compared(capsys, "a.csv", "b.csv", *words)["area"]["value"] is not None


def test_repeated_items_alone_come_with_what_is_missing(capsys, folder):
    rows = [*ROWS[1:], ("q9", "said", False, 0.9)]
    text = table("qid", "gold", "correct", "confidence", rows=rows)
    (folder / "b.csv").write_text(text)
    columns = ("--columns", "item=qid")
    told = said(capsys, "a.csv", "b.csv", *columns)
    assert "They differ in" in told
    assert command_in(told) == ["--repeated", "last", "--items", "common"]
    compared(capsys, "a.csv", "b.csv", *columns, *command_in(told))
    told = said(capsys, "a.csv", "b.csv", *columns, "--items", "common")
    assert command_in(told) == ["--repeated", "last"]


def test_missing_items_are_told_as_they_are_typed(capsys, folder):
    (folder / "b.csv").write_text(
        table("qid", "gold", "correct", "confidence", rows=ROWS[3:])
    )
    told = said(capsys, "a.csv", "b.csv", "--columns", "item=qid")
    assert "--items common compares on the items that all have." in told
    assert "--columns 'item=qid' --items common: " in said(capsys, "a.csv", "b.csv")


@pytest.mark.parametrize("further", [[], [("q9", "said", False, 0.9)]])
def test_whatever_comes_first_the_confidences_are_told_too(capsys, folder, further):
    text = table("item", "gold", "correct", "conf", rows=[*ROWS[3:], *further])
    (folder / "b.csv").write_text(text)
    told = said(capsys, "own.csv", "b.csv")
    assert "--columns 'b.csv: confidence=conf'" in told
    assert "--items common" in told
    assert ("--repeated last" in told) == bool(further)


def test_what_only_a_user_knows_is_asked_first(capsys, folder):
    (folder / "b.csv").write_text(
        table("qid", "gold", "grade", "conf")
        .replace(",1,", ",C,")
        .replace(",0,", ",XY,")
    )
    typed = "item=qid; b.csv: correct=grade, confidence=conf"
    told = said(capsys, "a.csv", "b.csv", "--columns", typed)
    assert "MEANING" in told
    assert "--items" not in told
