"""examples/spider.py on a small data set in both layouts; real ones: test_docs.py."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

import demur
from builders import json_lines, read_records

SCRIPT = Path(__file__).resolve().parents[2] / "examples" / "spider.py"
QUESTIONS = [
    {"db_id": "air", "question": "Which codes?", "query": "SELECT code FROM fare"},
    {"db_id": "air", "question": "The codes?", "query": "SELECT code FROM fare"},
    {"db_id": "air", "question": "How many?", "query": "SELECT count(*) FROM fare"},
]
PREDICTIONS = {
    "one": ["SELECT code FROM fare", "SELECT 'x'", "SELECT 2"],
    "two": ["SELECT code, 1 FROM fare", "SELECT code FROM fare", "SELECT 3"],
    "three": ["SELECT 'x'", "SELECT 'x'", "SELECT 2"],
}
TURNS = [
    {"interaction": 7, "turn": turn, "db_id": "air", "query": query, "prediction": "x"}
    for turn, query in enumerate(("SELECT 1", "SELECT 2", "SELECT 3"), 1)
]


@pytest.fixture(params=["published", "flat"])
def folder(request, tmp_path):
    """The data as Spider is published, or as plain files with ids."""
    folder = tmp_path / "data"
    (folder / "predictions").mkdir(parents=True)
    if request.param == "published":
        (folder / "dev.json").write_text(json.dumps(QUESTIONS), "utf-8")
        database = folder / "database" / "air" / "air.sqlite"
    else:
        questions = [{"id": number, **each} for number, each in enumerate(QUESTIONS)]
        (folder / "questions.jsonl").write_text(json_lines(questions), "utf-8")
        (folder / "sparc_turns.jsonl").write_text(json_lines(TURNS), "utf-8")
        database = folder / "database" / "air.sqlite"
    for system, queries in PREDICTIONS.items():
        path = folder / "predictions" / system
        if request.param == "published":
            path.with_suffix(".txt").write_text("\n".join(queries) + "\n", "utf-8")
        else:
            known = [{"id": number, "sql": sql} for number, sql in enumerate(queries)]
            path.with_suffix(".jsonl").write_text(json_lines(known[::-1]), "utf-8")
    database.parent.mkdir(parents=True)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("CREATE TABLE fare (code TEXT)")
        connection.execute("INSERT INTO fare VALUES ('AA'), ('BB')")
    return folder


def prepare(folder, output, *options):
    command = [sys.executable, str(SCRIPT), str(folder), "--output", str(output)]
    return subprocess.run([*command, *options], capture_output=True, check=False)


def test_files_are_made_that_demur_reads(folder, tmp_path):
    out = tmp_path / "out"
    assert prepare(folder, out).returncode == 0
    references = read_records(out / "references.jsonl")
    assert [each["cluster"] for each in references] == ["0", "0", "2"]
    outcomes = demur.judge(
        demur.read_responses(out / "responses.jsonl"),
        demur.read_references(out / "references.jsonl"),
        by="sql",
        databases=demur.Databases(root=folder),
    )
    right = {
        name: part.counts()["right"] for (name,), part in outcomes.parts(["system"])
    }
    assert right == {"one": 2, "two": 1, "three": 1}


def test_a_confidence_is_the_share_of_systems_that_agree(folder, tmp_path):
    out = tmp_path / "out"
    assert prepare(folder, out, "--agreement", "one").returncode == 0
    made = {
        each["item"]: each["confidence"]
        for each in read_records(out / "agreement.jsonl")
    }
    # Further columns are free; "three" agrees in the second and the third question.
    assert made == {"0": 0.5, "1": 0.5, "2": 0.5}
    refused = prepare(folder, out, "--agreement", "four")
    assert refused.returncode == 2
    assert b"no predictions of four" in refused.stderr


def test_turns_know_those_before_them(folder, tmp_path):
    out = tmp_path / "out"
    prepare(folder, out)
    if not (folder / "sparc_turns.jsonl").exists():
        assert not (out / "turns.jsonl").exists()
        return
    turns = read_records(out / "turns.jsonl")
    assert [each["item"] for each in turns] == ["7-1", "7-2", "7-3"]
    assert {each["cluster"] for each in turns} == {"7"}
    assert [each["class"] for each in turns] == ["A", "D", "D"]
    assert turns[2]["context"] == ["7-1", "7-2"]


def test_predictions_are_not_paired_by_guess(folder, tmp_path):
    path = folder / "predictions" / "one.txt"
    if path.exists():
        path.write_text("SELECT 1\n", "utf-8")
        done = prepare(folder, tmp_path / "out")
        assert done.returncode == 1
        assert b"one.txt: 1 lines for 3 questions" in done.stderr
    else:
        path.with_suffix(".jsonl").write_text('{"id": 9, "sql": "x"}\n', "utf-8")
        assert prepare(folder, tmp_path / "out").returncode == 0
        with pytest.raises(demur.InputError, match="every response must have a ref"):
            demur.judge(
                demur.read_responses(tmp_path / "out" / "responses.jsonl"),
                demur.read_references(tmp_path / "out" / "references.jsonl"),
                by="sql",
                databases=demur.Databases(root=folder),
            )


def test_a_folder_without_questions_is_said(tmp_path):
    done = prepare(tmp_path, tmp_path / "out")
    assert done.returncode == 1
    assert b"holds neither dev.json nor questions.jsonl" in done.stderr
