"""Items that a file gives more than once: equal rows count once, others are refused."""

import json

import pytest

import demur
from demur.cli import main
from demur.outcomes.fields import RIGHT

ROWS = [f"q{n},{n % 3 > 0:d},{n / 40}" for n in range(40)]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder, *further, header="item,correct,confidence", name="a.csv"):
    (folder / name).write_text("\n".join([header, *ROWS, *further]) + "\n")
    return str(name)


def test_equal_rows_count_once_and_a_note_says_which(folder):
    outcomes = demur.read_outcomes(write(folder, ROWS[3], ROWS[5], ROWS[3]))
    assert outcomes.item.tolist() == [f"q{n}" for n in range(40)]
    [note] = outcomes.notes
    assert note == (
        "3 rows say the same as one before it and are left out: a.csv:42, 43, 44"
    )


def test_what_is_not_read_tells_rows_apart_too(folder):
    header = "item,correct,confidence,seed"
    rows = [f"{row},1" for row in ROWS] + [f"{ROWS[3]},2"]
    (folder / "a.csv").write_text("\n".join([header, *rows]) + "\n")
    with pytest.raises(demur.InputError, match=r"They differ in seed \('1', '2'\)"):
        demur.read_outcomes("a.csv")
    lines = [{"item": "q", "correct": True, "meta": {"run": run}} for run in (1, 2)]
    others = [{"item": str(n), "correct": False} for n in range(9)]
    text = "\n".join(map(json.dumps, [*others, *lines]))
    (folder / "a.jsonl").write_text(text)
    with pytest.raises(demur.InputError, match="item 'q' again"):
        demur.read_outcomes("a.jsonl")


def test_rows_that_differ_are_told_all_at_once_and_equal_ones_apart(folder):
    further = ["q3,0,0.5", ROWS[4], "q9,1,0.1", "q9,0,0.2"]
    with pytest.raises(demur.InputError) as refused:
        demur.read_outcomes(write(folder, *further))
    said = str(refused.value)
    assert (
        "2 items are given more than once: 'q3' (a.csv:5, 42), 'q9' (a.csv:11" in said
    )
    assert "q4" not in said


def test_where_most_rows_are_repeated_the_key_is_not_complete(folder):
    rows = ["math,1", "math,1", "math,1", "history,0"]
    (folder / "a.csv").write_text("\n".join(["item,correct", *rows]) + "\n")
    with pytest.raises(demur.InputError, match="Both rows are the same"):
        demur.read_outcomes("a.csv")


def test_rows_are_selected_before_equal_ones_are_looked_for(folder):
    header = "item,correct,confidence,set"
    rows = [f"{row},{'x' if n < 20 else 'y'}" for n, row in enumerate(ROWS)]
    again = [rows[30], rows[2], rows[30]]
    (folder / "a.csv").write_text("\n".join([header, *rows, *again]) + "\n")
    outcomes = demur.read_outcomes("a.csv", where={"set": "x"})
    assert len(outcomes) == 20
    assert "1 row says the same as one before it and is left out: a.csv:43" in (
        outcomes.notes
    )


def test_equal_rows_of_two_files_stay_two_systems(folder):
    write(folder, ROWS[7])
    write(folder, name="b.csv")
    outcomes = demur.read_outcomes("a.csv", "b.csv")
    assert len(outcomes) == 80
    assert outcomes.systems == ("a", "b")


def test_equal_rows_of_one_system_in_two_files_may_be_two_runs(folder):
    for name in ("a.csv", "b.csv"):
        rows = "\n".join(f"{row},s" for row in ROWS)
        (folder / name).write_text(f"item,correct,confidence,system\n{rows}\n")
    with pytest.raises(demur.InputError, match=r"40 items are given more than once"):
        demur.read_outcomes("a.csv", "b.csv")


def test_equal_rows_under_other_names_and_a_curve_of_them(folder, capsys):
    header = "qid,ok,sure"
    write(folder, ROWS[7], header=header)
    columns = "item=qid, correct=ok, confidence=sure"
    assert main(["curve", "a.csv", "--columns", columns, "--json"]) == 0
    twice = json.loads(capsys.readouterr().out)
    write(folder, header=header)
    assert main(["curve", "a.csv", "--columns", columns, "--json"]) == 0
    once = json.loads(capsys.readouterr().out)
    assert twice["systems"][0]["points"] == once["systems"][0]["points"]
    assert any("is left out: a.csv:42" in note for note in twice["notes"])


def test_very_many_repeated_items_are_told_shortly(folder):
    rows = [f"q{n},{turn}" for turn in (0, 1) for n in range(11_000)]
    (folder / "a.csv").write_text("\n".join(["item,correct", *rows]) + "\n")
    with pytest.raises(demur.InputError) as refused:
        demur.read_outcomes("a.csv")
    assert "At least 10,000 items are given more than once" in str(refused.value)
    assert len(str(refused.value)) < 700


# -- which row counts ------------------------------------------------------------------


@pytest.mark.parametrize(("which", "right"), [("first", True), ("last", False)])
def test_who_says_which_row_counts_gets_it_with_a_note(folder, which, right):
    write(folder, "q1,0,0.9", ROWS[2], "q4,0,0.1", "q4,0,0.2")
    outcomes = demur.read_outcomes("a.csv", repeated=which)
    assert len(outcomes) == 40
    [row] = [row for row, item in enumerate(outcomes.item) if item == "q1"]
    assert (outcomes.outcome[row] == RIGHT) == right
    [note] = outcomes.notes
    assert note.startswith(f"3 items are given more than once: the {which} counts;")
    assert outcomes.recipe["repeated"] == which


def test_a_file_of_retries_behind_the_first_run_takes_its_place(folder):
    write(folder)
    (folder / "retry.csv").write_text("item,correct,confidence,system\nq0,1,0.5,s\n")
    (folder / "run.csv").write_text("item,correct,confidence,system\nq0,0,0.5,s\n")
    last = demur.read_outcomes("run.csv", "retry.csv", repeated="last")
    assert last.outcome[0] == RIGHT


@pytest.mark.parametrize("command", ["curve", "score", "compare", "items"])
def test_commands_count_the_row_that_is_asked_for(folder, capsys, command):
    write(folder, "q1,0,0.9")
    write(folder, name="b.csv")
    files = ["a.csv", "b.csv"] if command == "compare" else ["a.csv"]
    assert main([command, *files, "--repeated", "first", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "repeated:first" in found["signature"]
    assert main([command, *files, "--json"]) == 4
    told = capsys.readouterr().err
    assert "They differ in " in told
    assert "--repeated last" in told
    assert "--repeated first the first." in told
    if command != "items":
        words = [command, *files, "--repeated", "last", "--engine", "duckdb"]
        assert main(words) == 2


def test_another_word_is_refused(folder):
    with pytest.raises(demur.InputError, match="repeated must be"):
        demur.read_outcomes(write(folder), repeated="best")
