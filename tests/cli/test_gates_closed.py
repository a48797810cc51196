"""Gates of commands fail closed: what is absent or not looked at breaks them."""

import json
from pathlib import Path
from typing import Any

import pytest

from demur.cli import main


def write(path: Path, records: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(each) + "\n" for each in records))
    return str(path)


def outcomes(*systems: str, wrong: int = 0, start: int = 0) -> list[dict[str, Any]]:
    return [
        {
            "item": f"q{row}",
            "system": system,
            "outcome": "wrong" if row < start + wrong else "right",
            "confidence": 0.5 + (row - start) / 200,
        }
        for system in systems
        for row in range(start, start + 100)
    ]


@pytest.fixture
def lock(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    path = write(tmp_path / "old.jsonl", outcomes("a", "b", wrong=1))
    lock = str(tmp_path / "lock.json")
    assert main(["choose", path, "--max-error", "0.3", "--lock", lock]) == 0
    capsys.readouterr()
    return lock


def test_an_absent_system_breaks_the_gate(
    lock: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both = write(tmp_path / "both.jsonl", outcomes("a", "b", start=500))
    assert main(["recheck", lock, both, "--fail-if", "broken"]) == 0
    renamed = write(tmp_path / "renamed.jsonl", outcomes("a", "B", start=500))
    capsys.readouterr()
    assert main(["recheck", lock, renamed]) == 0
    err = capsys.readouterr().err
    assert "not locked, so not checked: B (100 outcomes)" in err
    assert "locked but not among the outcomes: b" in err
    assert main(["recheck", lock, renamed, "--fail-if", "broken", "--json"]) == 1
    out, err = capsys.readouterr()
    assert "gate broken: b: broken, locked but not among the outcomes" in err
    shown = json.loads(out)
    assert (shown["absent"], shown["not_locked"]) == (["b"], {"B": 100})
    none = write(tmp_path / "none.jsonl", outcomes("c", start=500))
    assert main(["recheck", lock, none, "--fail-if", "broken"]) == 4


def test_a_target_that_nothing_tests_breaks_the_gate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = write(tmp_path / "old.jsonl", outcomes("a", wrong=1))
    lock = str(tmp_path / "lock.json")
    command = ["choose", old, "--max-error", "0.3", "--of", "answered", "--lock", lock]
    assert main(command) == 0
    silent = [{**each, "confidence": 0.1} for each in outcomes("a", start=500)]
    new = write(tmp_path / "new.jsonl", silent)
    capsys.readouterr()
    assert main(["recheck", lock, new, "--fail-if", "broken"]) == 1
    said = "gate broken: a: broken, not tested, nothing is answered at the cutoff"
    assert said in capsys.readouterr().err


def test_lint_gates_on_what_was_not_run_are_broken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = {"item": "q", "sql": "SELECT 1", "db": "absent.sqlite", "input": "?"}
    path = write(tmp_path / "g.jsonl", [record])
    assert main(["lint", path, "--fail-if", "gold-fails > 0"]) == 1
    assert "gate broken: gold-fails is 1" in capsys.readouterr().err
    assert main(["lint", path, "--fail-if", "tie-at-limit > 0"]) == 1
    said = "tie-at-limit is 0 or more, not all could be looked at (gold-fails 1)"
    assert said in capsys.readouterr().err
    assert main(["lint", path, "--fail-if", "empty-answer > 0"]) == 0


def test_lint_gates_are_broken_where_a_database_is_not_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = {"item": "q", "sql": "SELECT 1", "input": "?", "reference": "1"}
    path = write(tmp_path / "g.jsonl", [record])
    main(["lint", path, "--json"])
    checks = json.loads(capsys.readouterr().out)["checks"]
    assert checks["unchecked"] >= 1
    assert main(["lint", path, "--fail-if", "gold-fails > 0"]) == 1
    assert "could be looked at (unchecked" in capsys.readouterr().err


def test_formulas_in_cells_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [{"item": "=1+1", "response": "@x"}, {"item": "q2", "response": "-1"}]
    wanted = [{"item": "=1+1", "reference": "@x"}, {"item": "q2", "reference": "y"}]
    responses = write(tmp_path / "r.jsonl", given)
    references = write(tmp_path / "g.jsonl", wanted)
    target = str(tmp_path / "o.tsv.gz")
    assert main(["judge", responses, references, "-o", target]) == 0
    said = f"{target}: 3 cells begin with =, +, @ or a tab; a spreadsheet would run"
    assert said in capsys.readouterr().err
    assert main(["judge", responses, references, "-o", f"{tmp_path}/o.jsonl"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "db",
    [
        "postgresql://me:s3cret@localhost:1/air",
        "host=localhost user=me password=s3cret",
        "host=localhost password='s3cret and more' dbname=x",
    ],
)
def test_passwords_are_never_printed(
    db: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = {"item": "q", "db": db, "sql": "SELECT 1", "reference": "1", "input": "?"}
    references = write(tmp_path / "g.jsonl", [record])
    responses = write(tmp_path / "r.jsonl", [{"item": "q", "response": "SELECT 1"}])
    target = str(tmp_path / "o.jsonl")
    for words in (
        ["judge", responses, references, "--by", "sql", "--debug"],
        ["judge", responses, references, "--explain", "q"],
        ["judge", responses, references, "--json", "-o", target],
        ["curve", target, "--by", "db"],
        ["lint", references],
        ["lint", references, "--json"],
        ["judge", responses, references, "--by", "sql", "--db-root", db, "--debug"],
    ):
        main(words)
        out, err = capsys.readouterr()
        assert "s3cret" not in out + err
    assert "s3cret" not in Path(target).read_text()


def test_each_system_against_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [f"s{number}" for number in range(101)]
    records = [
        {"item": row, "system": name, "outcome": "right", "confidence": 0.5}
        for name in names
        for row in range(6)
    ]
    path = write(tmp_path / "o.jsonl", records)
    assert main(["compare", path]) == 2
    assert "--against must come with more than 100 systems" in capsys.readouterr().err
    assert main(["compare", path, "--against", "s0", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert {(pair["a"], pair["b"]) for pair in shown["pairs"]} == {
        ("s0", name) for name in names[1:]
    }
    assert main(["score", path, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert len(shown["scores"]) == 101
    assert len(shown["exchanges"]) == 50 * 49 // 2  # all are equally good
    assert "more than 50 systems" in " ".join(shown["notes"])


@pytest.mark.parametrize(
    ("options", "gate"),
    [
        ([], "adjusted_p < 0.05"),
        ([], "nonreturn_a > 0.1"),
        ([], "nonreturn > 0.1"),
        (["--at", "0.5"], "error_a > 0.6"),
        (["--at", "0.5"], "difference > 0.6"),
        (["--at", "0.5"], "b not worse than a by 0.6"),
        (["--at", "1"], "b worse than a"),
        (["--method", "permutation"], "b not worse than a by 0.1"),
    ],
)
def test_gates_of_two_systems_that_nothing_can_break_are_wrong_usage(
    options: list[str],
    gate: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = write(tmp_path / "o.jsonl", outcomes("a", "b", wrong=9))
    assert main(["compare", path, *options, "--fail-if", gate]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "--fail-if" in err


@pytest.mark.parametrize(
    ("command", "gate"),
    [
        ("compare", "error_a > 0.1"),
        ("judge", "corrected_error@0.2 > 0.1"),
        ("agree", "alpha ordinal < 0.5"),
        ("no-attribution", "blame_nlu > 0.1"),
        ("corrected", "strict_free < 0.5"),
    ],
)
def test_gates_on_what_this_call_does_not_give_are_wrong_usage(
    command: str, gate: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "o.jsonl", outcomes("a", "b", "c", wrong=9))
    calls = {
        "compare": ["compare", path],
        "judge": ["judge", path, path],
        "agree": ["agree", path, "--metric", "nominal", "--metric", "interval"],
        "no-attribution": ["pipeline", path, "--no-attribution"],
        "corrected": ["pipeline", path, "--state", "corrected"],
    }
    assert main([*calls[command], "--fail-if", gate]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "fail-if" in err


def test_gates_on_differences_hold_whatever_ungraded_answers_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = outcomes("a", wrong=30) + outcomes("b")
    for row in rows[100:140]:
        row["outcome"] = "ungraded"
    path = write(tmp_path / "o.jsonl", rows)
    gates = ["--at", "0", "--fail-if", "difference > 0.05"]
    assert main(["compare", path, *gates]) == 1
    assert "difference is 0.1, must not be > 0.05" in capsys.readouterr().err
    assert main(["compare", path, "--at", "0", "--fail-if", "difference > 0.2"]) == 0


def test_gates_on_p_are_of_the_number_that_was_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The areas differ beyond luck, and the errors at nonreturn 0.2 do not at all."""
    rows = outcomes("a", "b", "c", wrong=30)
    for row in rows[100:]:
        row["confidence"] = -row["confidence"]
    path = write(tmp_path / "o.jsonl", rows)
    gates = ["--at", "0", "--fail-if", "adjusted_p < 0.05"]
    assert main(["compare", path, *gates]) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    "command",
    [
        ["metrics", "labels"],
        ["metrics", "words"],
        ["difficulty", "--markable", "ref", "--value", "hyp"],
        ["agree", "--annotators", "ref,hyp"],
    ],
)
def test_signatures_name_the_rows_that_were_let_through(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"item": str(k), "unit": k, "part": "pq"[k % 2], "ref": "ab"[k % 3 == 0]}
        | {"hyp": "ab"[k % 5 == 0]}
        for k in range(30)
    ]
    path = write(tmp_path / "t.jsonl", rows)
    signatures = set[str]()
    for part in "pq":
        options = ["--where", f"part={part}", "--json"]
        where = 2 if command[0] == "metrics" else 1
        assert main([*command[:where], path, *command[where:], *options]) == 0
        shown = json.loads(capsys.readouterr().out)
        assert f"where:part={part}" in str(shown["signature"])
        signatures.add(str(shown["signature"]))
    assert len(signatures) == 2
