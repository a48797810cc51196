"""One file of responses and references, in which an item has several rows."""

import pytest

from builders import printed_json, read_records, stderr_of, write_records

ROWS = [
    {"item": "q1", "response": "Oslo", "reference": "Oslo", "model": "a"},
    {"item": "q2", "response": "Rome", "reference": "Bern", "model": "a"},
    {"item": "q2", "response": "Bern", "reference": "Bern", "model": "a"},
]


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "both.jsonl"
    write_records(file, ROWS)
    return file


def test_a_repeated_row_is_refused_as_that(path):
    said = stderr_of("judge", path, path)
    assert "both.jsonl:3: an item must have one row in a file of responses and" in said
    assert "got another for 'q2', first at" in said
    assert "--repeated first or --repeated last takes one of them." in said
    assert "alternatives" not in said


@pytest.mark.parametrize(("repeated", "right"), [("first", 1), ("last", 2)])
def test_a_policy_takes_one_of_the_rows(path, tmp_path, repeated, right):
    out = tmp_path / "judged.jsonl"
    made = printed_json(
        "judge", path, path, "--repeated", repeated, "-o", out, "--json"
    )
    assert (made["items"], made["right"]) == (2, right)
    assert any("1 repeated response: the" in note for note in made["notes"])
    assert [row["model"] for row in read_records(out)] == ["a", "a"]


def test_rows_of_several_systems_need_references_apart(path):
    columns = ["--columns", "system=model"]
    rows = [*ROWS[:2], ROWS[0] | {"model": "b"}]
    write_records(path, rows)
    said = stderr_of("judge", path, path, *columns, "--repeated", "first")
    assert "Rows of several systems need what is right in a file of its own" in said
