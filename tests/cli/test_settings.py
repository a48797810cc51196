"""The columns that ``demur.toml`` names, by file."""

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
