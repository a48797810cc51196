"""Sheets for annotators: safe in spreadsheets, blind, and taken back however saved."""

import csv
import io
import json

import numpy as np
import openpyxl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import demur
from builders import by_outcome, read_records, refuses, run, write_records
from demur.outcomes.labelling import unlabelled
from demur.sampling.sheets import bare_cell, read_sheet, safe_cell

TEXTS = st.text(st.sampled_from("'=+-@\t\r\nab"), max_size=6)


@given(TEXTS)
@example("=1+1")
@example("''=")
def test_a_safe_cell_is_no_formula_and_gives_its_text_back(text):
    cell = safe_cell(text)
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    assert bare_cell(cell) == text


def answers(n=12, **columns):
    given = {
        "item": [f"q{k}" for k in range(n)],
        "response": ["=HYPERLINK(1)", "-1", 'a "b", c\nd', {"x": 1}] * (n // 4),
        "input": ["@SUM(A1)", "Wo? Üñ;,", None, "'tis"] * (n // 4),
    }
    sure = np.arange(n) / n
    return by_outcome(["ungraded"] * n, sure, **{**given, **columns})


def draw(budget=8, **columns):
    return demur.sample(answers(**columns), budget=budget, purpose="cutoff")


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_a_sheet_is_blind_and_read_back(tmp_path, ending):
    path = tmp_path / f"to_label.{ending}"
    drawn = draw(system="secret", groups={"grade": ["x"] * 12})
    drawn.write_sheet(path)
    text = path.read_text("utf-8")
    assert "secret" not in text
    assert "0.0833" not in text
    keys = [row.key for row in read_sheet(path)]
    assert keys == [row["key"] for row in drawn.sheet]
    assert len(set(keys)) == 8
    if ending != "jsonl":
        mark = "," if ending == "csv" else "\t"
        assert text.startswith("\ufeffkey")
        rows = [*csv.reader(io.StringIO(text[1:], newline=""), delimiter=mark)]
        assert rows[0] == ["key", "input", "response", "verdict", "note"]
        assert not [cell for row in rows for cell in row if cell[:1] in [*"=+-@"]]


def test_without_an_input_items_are_shown_unless_they_name_systems():
    bare = {"item": [f"q{k}" for k in range(4)], "response": list("abcd")}
    named = {"item": [f"GPT-{k}" for k in range(4)], "system": "gpt"}
    seen = demur.sample(
        by_outcome(["ungraded"] * 4, [1, 2, 3, 4], **bare), budget=2, purpose="cutoff"
    )
    assert list(seen.sheet[0]) == ["key", "item", "response", "verdict", "note"]
    hidden = demur.sample(
        by_outcome(["ungraded"] * 4, [1, 2, 3, 4], **bare | named),
        budget=2,
        purpose="cutoff",
    )
    assert "item" not in hidden.sheet[0]
    assert any("no column input" in note for note in hidden.notes)


def test_a_sheet_with_verdicts_is_not_written_over(tmp_path):
    path = tmp_path / "to_label.csv"
    path.write_text("key,verdict\nr0001,right\n")
    refuses("must not hold verdicts", draw().write_sheet, path)
    path.write_text("key,verdict\nr0001,\n")
    draw().write_sheet(path)
    refuses("end in .csv, .tsv, .jsonl", draw().write_sheet, tmp_path / "a.xlsx")


# -- the way back ----------------------------------------------------------------------


def saved(rows, path, kind):
    """A sheet as some program saves it, shuffled."""
    names = list(rows[0])
    body = [[safe_cell(row[name] or "") for name in names] for row in rows][::-1]
    if kind == "xlsx":
        book = openpyxl.Workbook()
        for row in [names, *body]:
            book.active.append(row)
        book.save(path)
        return
    mark, code = {"excel": (";", "utf-8-sig"), "utf-16": ("\t", "utf-16")}[kind]
    text = io.StringIO()
    csv.writer(text, delimiter=mark, lineterminator="\r\n").writerows([names, *body])
    path.write_bytes(text.getvalue().encode(code))


@pytest.mark.parametrize("kind", ["excel", "utf-16", "xlsx"])
def test_labels_come_back_from_a_shuffled_and_resaved_sheet(tmp_path, kind):
    drawn = draw()
    words = ["right", "TRUE", " No ", "ungraded", "", "1"]
    rows = [
        dict(row) | {"verdict": word, "note": f"=n{word}"}
        for row, word in zip(drawn.sheet, words + [None] * 2, strict=True)
    ]
    path = tmp_path / ("a.xlsx" if kind == "xlsx" else "a.csv")
    saved(rows, path, kind)
    taken = demur.take_labels(drawn.outcomes, path)
    keys = [row["key"] for row in drawn.sheet]
    assert taken.column("label_key")[:5].tolist() == [*keys[:4], keys[5]]
    assert taken.column("outcome")[:5].tolist() == [
        *("right", "right", "wrong", "ungraded", "right"),
    ]
    assert taken.reason[0] == "=nright"
    waits = unlabelled(taken)
    assert waits.tolist() == [False] * 5 + [True] * 7
    assert np.count_nonzero(taken.label_weight > 0) == 8  # those to come keep theirs
    counts = demur.label_counts(taken).to_dict()
    counted = [counts[name] for name in ("drawn", "labelled", "right", "wrong")]
    assert counted == [8, 5, 3, 1]
    assert counts["ungraded"] == 1
    assert any("verdict that have none: 1;" in note for note in taken.notes)


REFUSED = [
    ([("r9999", "right")], "row 1: key must be of a drawn row; got 'r9999'"),
    ([("r0001", "right"), ("r0001", "")], "row 2: key must be given once"),
    ([("r0001", "maybe")], "verdict must be right, wrong, ungraded or empty"),
    ([(None, "right")], "key must be of a drawn row; got nothing"),
    ([("r0001", "")], "the sheet must hold a verdict; got 1 rows without one"),
    ([3], "a row must be a mapping"),
]


@pytest.mark.parametrize(("rows", "words"), REFUSED)
def test_a_hostile_sheet_is_refused_in_one_line(rows, words):
    drawn = draw()
    first = {"r0001": drawn.sheet[0]["key"]}
    listed = [
        row
        if isinstance(row, int)
        else {"key": first.get(row[0], row[0]), "verdict": row[1]}
        for row in rows
    ]
    refuses(words, demur.take_labels, drawn.outcomes, listed)


def test_a_fault_of_a_file_is_named_by_its_line(tmp_path):
    path = tmp_path / "f.csv"
    one, two = (row["key"] for row in draw().sheet[:2])
    path.write_text(f"key;verdict;note\n{one};right;\n{two};rigth;\n")
    words = "f.csv:3: verdict must be right, wrong, ungraded or empty; got 'rigth'"
    refuses(words, demur.take_labels, draw().outcomes, path)
    path.write_text("kee,verdict\nr0001,right\n")
    refuses("must have key; got kee", demur.take_labels, draw().outcomes, path)
    path.write_text('{"key": "r0001"}\n')
    refuses("must have verdict", demur.take_labels, draw().outcomes, path)
    refuses("have been drawn", demur.take_labels, answers(), path)
    refuses("be a path or rows", demur.take_labels, draw().outcomes, 3)


def test_people_get_a_column_beside_the_verdicts_of_a_judge():
    judged = by_outcome(["right", "wrong", "ungraded", "unanswered"])
    drawn = demur.sample(judged, budget=3, purpose="judge", gold="lab")
    filled = [row | {"verdict": "yes"} for row in drawn.sheet[:2]]
    taken = demur.take_labels(drawn.outcomes, filled, gold="lab")
    assert taken.column("lab").tolist() == ["right", "right", None, None]
    assert demur.label_counts(taken, gold="lab").labelled == 2
    assert sorted(taken.column("outcome")) == sorted(judged.column("outcome"))


def test_one_label_serves_all_systems_that_said_the_same():
    outcomes = demur.Outcomes.from_arrays(
        item=["q1", "q1", "q2", "q2"],
        system=["a", "b"] * 2,
        outcome=["ungraded"] * 4,
        response=["x", "x", "y", "z"],
    )
    drawn = demur.sample(outcomes, budget=3, purpose="compare")
    by_text = {"x": "right", "y": "wrong", "z": "right"}
    filled = [row | {"verdict": by_text[row["response"]]} for row in drawn.sheet]
    taken = demur.take_labels(drawn.outcomes, filled)
    named = zip(taken.item, taken.system, strict=True)
    found = dict(zip(named, taken.column("outcome"), strict=True))
    assert found == {
        ("q1", "a"): "right",
        ("q1", "b"): "right",
        ("q2", "a"): "wrong",
        ("q2", "b"): "right",
    }


# -- the command -----------------------------------------------------------------------


def responses(seed, n=40):
    rng = np.random.default_rng(seed)
    return [
        {"item": f"q{k}", "input": f"={k}?", "response": str(rng.integers(3))}
        | {"confidence": round(float(rng.random()), 3), "topic": "t"}
        for k in range(n)
    ]


def test_the_command_draws_and_takes_labels_back(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, seed in (("a", 1), ("b", 2)):
        write_records(tmp_path / f"{name}.jsonl", responses(seed))
    ended = run(
        *("sample", "a.jsonl", "b.jsonl", "--budget", 20, "--for", "compare"),
        *("-o", "drawn.jsonl", "--sheet", "to_label.csv", "--json"),
    )
    assert ended.code == 0, ended.err
    found = json.loads(ended.out)
    rows = read_records("drawn.jsonl")
    assert len(rows) == 80
    assert {row["system"] for row in rows} == {"a", "b"}
    assert {row["topic"] for row in rows} == {"t"}
    text = (tmp_path / "to_label.csv").read_text("utf-8-sig")
    sheet = [*csv.DictReader(io.StringIO(text))]
    assert len(sheet) == found["labels"] <= 20
    for row in sheet:
        row["verdict"] = "right" if row["response"] == "1" else "wrong"
    saved(sheet, tmp_path / "filled.csv", "excel")
    again = ("sample", "drawn.jsonl", "--labels", "filled.csv", "-o", "labelled.csv")
    assert json.loads(run(*again, "--json").out)["labelled"] == len(sheet)
    taken = demur.read_outcomes("labelled.csv", groups=None, display=True)
    keyed = [key is not None for key in taken.column("label_key")]
    right = (taken.outcome == "right").tolist()
    said = (taken.response == "1").tolist()
    assert right == [k and s for k, s in zip(keyed, said, strict=True)]
    held = demur.read_outcomes("drawn.jsonl", groups=None)
    assert sorted(held.label_weight[held.label_weight > 0]) == pytest.approx(
        sorted(taken.label_weight[taken.label_weight > 0])
    )


WRONG_USE = [
    ("--for cutoff", "--budget must be given to draw"),
    ("--budget 3", "--for must be given to draw"),
    ("--budget 3 --for cutoff", "--sheet must be given to draw"),
    ("--labels f.csv --budget 3", "--budget must come without --labels"),
    ("--labels f.csv --for judge", "--for must come without --labels"),
    ("--budget 3 --for cutoff --sheet s.txt", "end in .csv, .tsv, .jsonl"),
]


@pytest.mark.parametrize(("words", "said"), WRONG_USE)
def test_options_that_lack_others_are_wrong_usage(tmp_path, words, said):
    path = write_records(tmp_path / "a.jsonl", responses(1))
    ended = run("sample", path, "-o", tmp_path / "d.jsonl", *words.split())
    assert ended.code == 2
    assert said in ended.err
    assert len(ended.err.splitlines()) == 1


def test_what_was_drawn_is_not_drawn_from_again(tmp_path):
    path = write_records(tmp_path / "a.jsonl", responses(1))
    out, sheet = tmp_path / "d.jsonl", tmp_path / "s.csv"
    words = ("--budget", 3, "--for", "cutoff", "--sheet", sheet)
    assert run("sample", path, "-o", out, *words).code == 0
    ended = run("sample", out, "-o", tmp_path / "e.jsonl", *words)
    assert ended.code == 4
    assert "with a larger budget" in ended.err
