"""The columns that ``demur.toml`` names, by file."""

import html
import json
import os

import pytest

from demur.cli import main

TOML = """\
[columns."runs/*.csv"]
item = "id"
correct = "score >= 0.5"
confidence = "percent(sure)"

[columns."gold.csv"]
item = "id"
reference = "answer"

[columns."said.csv"]
item = "id"
response = "answer"
"""
RUN = "id,score,sure\n1,1,90\n2,0,80\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "a.csv").write_text(RUN)
    (tmp_path / "gold.csv").write_text("id,answer\n1,Oslo\n2,Rome\n")
    (tmp_path / "said.csv").write_text("id,answer\n1,Oslo\n2,Bonn\n")
    (tmp_path / "own.csv").write_text("item,correct\n1,1\n2,0\n")
    (tmp_path / "demur.toml").write_text(TOML)
    return tmp_path


def document(capsys, *words):
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("path", ["runs/a.csv", "./runs/a.csv", "runs/../runs/a.csv"])
def test_a_file_that_fits_is_read_so_and_the_signature_says_it(capsys, path):
    read = document(capsys, "curve", path)
    typed = "item=id, correct=score >= 0.5, confidence=percent(sure)"
    assert f"columns:{typed}" in read["signature"]
    assert main(["curve", path, "--columns", typed, "--json"]) == 0
    assert read["systems"] == json.loads(capsys.readouterr().out)["systems"]


def test_other_files_of_the_folder_are_read_as_they_are(capsys):
    assert "columns:" not in document(capsys, "curve", "own.csv")["signature"]


def test_several_files_each_have_their_own_columns(capsys):
    read = document(capsys, "judge", "said.csv", "gold.csv", "--by", "text")
    [judged] = read["systems"]
    assert judged["right"] == judged["wrong"] == 1
    assert main(["curve", "own.csv", "runs/a.csv"]) == 0


def test_what_is_typed_goes_before_the_file(capsys):
    read = document(capsys, "curve", "runs/a.csv", "--columns", "item=id,correct=score")
    assert "columns:item=id, correct=score" in read["signature"].replace(
        "=id,c", "=id, c"
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[columns", "the file must be TOML"),
        ("[gates]\n", "a table must be columns, or gate, or store; got 'gates'"),
        ("columns = 3\n", "columns must name files"),
        ('[columns]\nitem = "id"\n', "columns must name files"),
        ('[columns."a.csv"]\nitem = 3\n', "columns must name files"),
        ('[columns."runs/*"]\nitme = "id"\n', "a column must be"),
        ('[columns."runs/*"]\n', "the mapping must name a column"),
    ],
)
def test_faults_of_the_file_are_told_in_one_line(capsys, folder, text, fault):
    (folder / "demur.toml").write_text(text)
    assert main(["curve", "runs/a.csv"]) == 4
    told = capsys.readouterr().err
    assert fault in told
    assert told.count("\n") == 1


def test_what_reads_no_file_needs_no_settings(capsys, folder):
    assert main(["keep", "own.csv", "--store", "s.sqlite"]) == 0
    (folder / "demur.toml").write_text("x = [")
    store = ["--store", "s.sqlite"]
    assert main(["keep", "--on", "1", "--tag", "main", *store]) == 0
    assert main(["keep", "--untag", "1", "--tag", "main", *store]) == 0
    assert main(["keep", "own.csv", *store]) == 4
    assert main(["keep", "--forget", "1", *store]) == 0
    assert "must be TOML" in capsys.readouterr().err


def test_a_file_that_cannot_be_read_is_told(capsys, folder):
    (folder / "demur.toml").unlink()
    (folder / "demur.toml").mkdir()
    assert main(["curve", "runs/a.csv"]) == 4
    assert "demur.toml: the file must be a file that can be read" in (
        capsys.readouterr().err
    )


def test_a_mapping_by_file_serves_in_python_too():
    import demur

    by_file = {"runs/*.csv": {"item": "id", "correct": "score"}}
    read = demur.read_outcomes("runs/a.csv", "own.csv", columns=by_file)
    assert len(read) == 4


def test_a_pipe_is_refused_and_not_waited_for(capsys, folder):
    (folder / "demur.toml").unlink()
    os.mkfifo(folder / "demur.toml")
    assert main(["curve", "own.csv"]) == 4
    assert "got a folder, a device or a pipe" in capsys.readouterr().err


def test_marks_of_editors_and_endless_digits(capsys, folder):
    (folder / "demur.toml").write_bytes(b"\xef\xbb\xbf" + TOML.encode())
    assert main(["curve", "runs/a.csv"]) == 0
    (folder / "demur.toml").write_text("x = " + "1" * 5000)
    assert main(["curve", "runs/a.csv"]) == 4
    assert "demur.toml: " in capsys.readouterr().err


# -- the same, typed -------------------------------------------------------------------


@pytest.fixture
def two_files(folder):
    (folder / "demur.toml").unlink()
    rows = "".join(f"q{n},{n % 3 > 0:d},{n % 17 / 17:.3f}\n" for n in range(80))
    (folder / "a.csv").write_text("qid,correct,confidence\n" + rows)
    (folder / "b.csv").write_text("qid,correct,conf\n" + rows)


@pytest.mark.usefixtures("two_files")
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_one_option_says_what_columns_of_each_file_are_called(capsys, engine):
    typed = "item=qid; b.csv: confidence=conf"
    words = ["compare", "a.csv", "b.csv", "--columns", typed, "--engine", engine]
    read = document(capsys, *words)
    assert read["area"]["value"] == 0
    assert "columns:item=qid" in read["signature"]


@pytest.mark.usefixtures("two_files")
def test_what_is_said_of_a_file_goes_before_what_is_said_of_all(capsys):
    typed = "item=qid, confidence=conf; a.csv: confidence=confidence"
    assert document(capsys, "compare", "a.csv", "b.csv", "--columns", typed)["area"]
    typed = "item=qid; *b.csv: confidence = conf, item=qid"
    assert document(capsys, "compare", "a.csv", "b.csv", "--columns", typed)["area"]


@pytest.mark.usefixtures("two_files")
@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ("item=qid; c.csv: confidence=conf", "--columns: what stands before ':' must "
         "fit a file (a.csv, b.csv); got c.csv."),
        ("b.csv: item=qid; b.csv: item=id", "must be said of each file once; got 'b.c"),
        ("item=qid; confidence=conf; b.csv: item=id", "said of each file once; got '*"),
        ("item=qid; b.csv: confidance=conf", "a column must be"),
    ],
)  # fmt: skip
def test_what_is_typed_of_no_file_is_refused(capsys, typed, fault):
    try:
        code = main(["compare", "a.csv", "b.csv", "--columns", typed])
    except SystemExit as ended:
        code = ended.code
    assert code in (2, 4)
    assert fault in capsys.readouterr().err


@pytest.mark.usefixtures("two_files")
def test_a_colon_or_a_semicolon_in_a_name_is_no_file(capsys, folder):
    (folder / "c.csv").write_text('item,x: y=z,"a;b"\n1,1,0.5\n2,0,0.6\n')
    typed = 'correct="x: y=z", confidence="a;b"'
    assert "systems" in document(capsys, "curve", "c.csv", "--columns", typed)


@pytest.mark.usefixtures("two_files")
def test_a_page_repeats_what_was_typed_of_each_file(folder):
    typed = "b.csv: item=qid, confidence=conf; *: item=qid"
    words = ["a.csv", "b.csv", "--columns", typed, "--repeated", "last"]
    assert main(["report", *words, "-o", "page.html"]) == 0
    page = html.unescape((folder / "page.html").read_text("utf-8"))
    assert f"--columns '{typed}'" in page
    assert "--repeated last" in page
