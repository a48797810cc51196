"""``demur history`` and ``demur diff`` as commands."""

import json
from datetime import UTC, datetime, timedelta

import pytest

import demur
from builders import graded
from demur.cli import main


@pytest.fixture
def store(tmp_path, monkeypatch):
    """Six runs of two systems, of which one gets worse; the last has other items."""
    monkeypatch.chdir(tmp_path)
    with demur.Store("demur.sqlite", make=True) as opened:
        for day in range(6):
            wrong = 5 if day < 3 else 40
            names = [f"q{number}" for number in range(100 + (day == 5))]
            outcomes = graded(
                [number >= wrong for number in range(len(names))],
                [number / 101 for number in range(len(names))],
                system="bot",
                item=names,
            )
            when = datetime(2027, 3, 1 + day, tzinfo=UTC) + timedelta(hours=3)
            opened.keep(outcomes, when=when, tags=["main"] if day else ["first"])
    return tmp_path / "demur.sqlite"


def test_a_history_with_picture_and_gates(store, capsys):
    words = ["history", "--of", "own", "--plot", "history.svg"]
    assert main([*words, "--fail-if", "changes > 0"]) == 1
    printed, said = capsys.readouterr()
    assert "bot: own error" in printed
    assert "worse in run 4" in " ".join(printed.split())
    assert "other items from here: not compared with the runs above" in printed
    assert "wrote history.svg" in said
    assert "gate broken" in said
    assert b"<svg" in (store.parent / "history.svg").read_bytes()
    assert main(["history", "--of", "own", "--fail-if", "worse"]) == 0


def test_json_of_a_history(store, capsys):
    assert main(["history", "--json", "--tag", "main", "--store", str(store)]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [point["run"] for point in printed["points"]] == [2, 3, 4, 5, 6]
    assert printed["points"][0]["verdict"] == "first"
    assert printed["lines"][1]["differs"]
    assert printed["signature"]


def test_a_page_of_a_history(store):
    assert main(["history", "--page", "history.html"]) == 0
    page = (store.parent / "history.html").read_text("utf-8")
    assert "Errors over the runs that were kept" in page


@pytest.mark.usefixtures("store")
def test_a_diff(capsys):
    assert main(["diff", "first", "4", "--fail-if", "difference > 0.1"]) == 1
    printed, said = capsys.readouterr()
    assert "right → wrong" in printed
    assert "q5, q6, q7, q8, q9, ..." in printed
    assert "gate broken: bot" in said
    assert main(["diff", "5", "6"]) == 0
    assert "other data" in capsys.readouterr().out
    assert main(["diff", "5", "6", "--items", "common", "--json"]) == 0
    numbers = json.loads(capsys.readouterr().out)["numbers"]
    assert numbers[0]["items"] == 100


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["history", "--tag", "mian"], 4, "hold a run with the tag 'mian'"),
        (["history", "--at", "0.2", "--of", "own"], 2, "not allowed with"),
        (["history", "--plot", "history.doc"], 2, ".png"),
        (["history", "--fail-if", "wrose"], 2, "worse"),
        (["diff", "1"], 2, "RUN"),
        (["diff", "1", "99"], 4, "99"),
        (["history", "--store", "nowhere.sqlite"], 4, "nowhere.sqlite"),
    ],
)
@pytest.mark.usefixtures("store")
def test_what_is_wrong_is_said_in_one_line(words, code, message, capsys):
    try:
        ended = main(words)
    except SystemExit as end:
        ended = end.code
    assert ended == code
    printed, said = capsys.readouterr()
    assert not printed
    assert message in said
    assert len(said.strip().splitlines()) <= 2
