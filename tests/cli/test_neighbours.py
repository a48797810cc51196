"""demur neighbours: from references to further instances that judge takes."""

import json

import pytest

from builders import printed_json, read_records, run, stderr_of, write_records
from neighbour_cases import REFERENCES, air


@pytest.fixture(autouse=True)
def few_candidates(monkeypatch):
    """Each takes a process."""
    monkeypatch.setattr("demur.sql.neighbours.distilling._CANDIDATES", 2)


def test_neighbours_prints_the_counts_and_gates_hold_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    air(tmp_path)
    path = write_records(tmp_path / "g.jsonl", REFERENCES[:2])
    words = ["--instances", "1", "--fail-if", "killed_before > 0"]
    code, out, err = run("neighbours", path, "-o", "more", *words)
    assert (code, err.startswith("demur: gate broken: ")) == (1, True)
    assert out.startswith("Of ")
    assert "air-1.sqlite" in out
    told = " ".join(out.split())
    assert "living.jsonl lists them" in told
    following = "demur judge RESPONSES more/references.jsonl --by "
    following += "'sql(maximum=derived)' --db-root more"
    assert f"note: judge by the new references: {following}" in told
    records = read_records("more/references.jsonl")
    assert records[0]["db"] == ["air.sqlite", "air-1.sqlite"]


def test_a_database_that_is_missing_ends_with_one_and_is_named(tmp_path):
    air(tmp_path)
    missing = {**REFERENCES[0], "item": "m", "db": "missing.sqlite"}
    path = write_records(tmp_path / "references.jsonl", [REFERENCES[0], missing])
    code, _, err = run("neighbours", path, "-o", tmp_path / "more")
    assert code == 1
    assert "no neighbours: " in err
    assert "missing.sqlite: the database must be readable; got " in err
    assert (tmp_path / "more" / "air-1.sqlite").exists()


def test_neighbours_json_has_the_counts(tmp_path):
    air(tmp_path)
    path = write_records(tmp_path / "g.jsonl", REFERENCES[:1])
    words = ["neighbours", path, "--db-root", tmp_path, "--rows", "50", "--json"]
    told = printed_json(*words, "--instances", "1", "-o", tmp_path / "one")
    assert told["mutants"] == (
        told["killed_before"] + told["killed_after"] + told["living"]
    )
    assert told["databases"][0]["database"] == "air.sqlite"
    assert {"queries", "instances", "faults", "further", "notes"} < {*told}
    assert "rows:50|seed:0" in told["signature"]


def test_neighbours_writes_to_no_folder_that_holds_something(tmp_path):
    air(tmp_path)
    path = write_records(tmp_path / "g.jsonl", REFERENCES[:1])
    err = stderr_of("neighbours", path, "-o", tmp_path, code=2)
    assert "the folder must be new, or empty" in err
    err = stderr_of("neighbours", path, "-o", tmp_path / "no" / "x", code=2)
    assert "must lie in a directory that exists" in err
    assert json.dumps(REFERENCES[0]) in (tmp_path / "g.jsonl").read_text("utf-8")


def test_an_end_halfway_leaves_nothing(tmp_path, monkeypatch):
    air(tmp_path)
    path = write_records(tmp_path / "g.jsonl", REFERENCES[:1])
    before = sorted(tmp_path.iterdir())

    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("demur.sql.neighbours.making.write_record_files", stopped)
    stderr_of("neighbours", path, "-o", tmp_path / "more", code=130)
    assert sorted(tmp_path.iterdir()) == before


def test_a_folder_in_one_that_is_read_only_is_refused_before_any_work(
    tmp_path, monkeypatch
):
    air(tmp_path)
    path = write_records(tmp_path / "g.jsonl", REFERENCES[:1])
    monkeypatch.setattr("os.access", lambda *_: False)  # also where root may write
    err = stderr_of("neighbours", path, "-o", tmp_path / "more", code=2)
    assert "the folder must lie in a directory that can be written to; got " in err
