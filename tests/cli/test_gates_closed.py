"""Gates of commands fail closed: what is absent or not looked at breaks them."""

import json
from pathlib import Path
from typing import Any

import pytest

from builders import printed, printed_json, run, stderr_of, write_records
from demur.cli import build_parser
from demur.cli.compare_command import _kinds


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
def lock(tmp_path: Path) -> str:
    path = write_records(tmp_path / "old.jsonl", outcomes("a", "b", wrong=1))
    lock = str(tmp_path / "lock.json")
    printed("choose", path, "--max-error", "0.3", "--lock", lock)
    return lock


def test_an_absent_system_breaks_the_gate(lock: str, tmp_path: Path) -> None:
    both = write_records(tmp_path / "both.jsonl", outcomes("a", "b", start=500))
    printed("recheck", lock, both, "--fail-if", "broken")
    renamed = write_records(tmp_path / "renamed.jsonl", outcomes("a", "B", start=500))
    err = stderr_of("recheck", lock, renamed, code=0)
    assert "not locked, so not checked: B (100 outcomes)" in err
    assert "locked but not among the outcomes: b" in err
    code, out, err = run("recheck", lock, renamed, "--fail-if", "broken", "--json")
    assert code == 1
    assert "gate broken: b: broken, locked but not among the outcomes" in err
    shown = json.loads(out)
    assert (shown["absent"], shown["not_locked"]) == (["b"], {"B": 100})
    none = write_records(tmp_path / "none.jsonl", outcomes("c", start=500))
    stderr_of("recheck", lock, none, "--fail-if", "broken")


def test_a_target_that_nothing_tests_breaks_the_gate(tmp_path: Path) -> None:
    old = write_records(tmp_path / "old.jsonl", outcomes("a", wrong=1))
    lock = str(tmp_path / "lock.json")
    command = ["choose", old, "--max-error", "0.3", "--of", "answered", "--lock", lock]
    printed(*command)
    silent = [{**each, "confidence": 0.1} for each in outcomes("a", start=500)]
    new = write_records(tmp_path / "new.jsonl", silent)
    err = stderr_of("recheck", lock, new, "--fail-if", "broken", code=1)
    said = "gate broken: a: broken, not tested, nothing is answered at the cutoff"
    assert said in err


def test_lint_gates_on_what_was_not_run_are_broken(tmp_path: Path) -> None:
    record = {"item": "q", "sql": "SELECT 1", "db": "absent.sqlite", "input": "?"}
    path = write_records(tmp_path / "g.jsonl", [record])
    err = stderr_of("lint", path, "--fail-if", "gold-fails > 0", code=1)
    assert "gate broken: gold-fails is 1" in err
    err = stderr_of("lint", path, "--fail-if", "tie-at-limit > 0", code=1)
    said = "tie-at-limit is 0 or more, not all could be looked at (gold-fails 1)"
    assert said in err
    printed("lint", path, "--fail-if", "empty-answer > 0")


def test_lint_gates_are_broken_where_a_database_is_not_named(tmp_path: Path) -> None:
    record = {"item": "q", "sql": "SELECT 1", "input": "?", "reference": "1"}
    path = write_records(tmp_path / "g.jsonl", [record])
    assert printed_json("lint", path)["checks"]["unchecked"] >= 1
    err = stderr_of("lint", path, "--fail-if", "gold-fails > 0", code=1)
    assert "could be looked at (unchecked" in err


def test_formulas_in_cells_are_said(tmp_path: Path) -> None:
    given = [{"item": "=1+1", "response": "@x"}, {"item": "q2", "response": "-1"}]
    wanted = [{"item": "=1+1", "reference": "@x"}, {"item": "q2", "reference": "y"}]
    responses = write_records(tmp_path / "r.jsonl", given)
    references = write_records(tmp_path / "g.jsonl", wanted)
    target = str(tmp_path / "o.tsv.gz")
    judge = ["judge", responses, references, "-o"]
    said = f"{target}: 3 cells begin with =, +, @ or a tab; a spreadsheet would run"
    assert said in stderr_of(*judge, target, code=0)
    assert stderr_of(*judge, tmp_path / "o.jsonl", code=0) == ""


@pytest.mark.parametrize(
    "db",
    [
        "postgresql://me:s3cret@localhost:1/air",
        "host=localhost user=me password=s3cret",
        "host=localhost password='s3cret and more' dbname=x",
    ],
)
def test_passwords_are_never_printed(db: str, tmp_path: Path) -> None:
    record = {"item": "q", "db": db, "sql": "SELECT 1", "reference": "1", "input": "?"}
    references = write_records(tmp_path / "g.jsonl", [record])
    responses = write_records(
        tmp_path / "r.jsonl", [{"item": "q", "response": "SELECT 1"}]
    )
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
        _, out, err = run(*words)
        assert "s3cret" not in out + err
    assert "s3cret" not in Path(target).read_text()


def test_each_system_against_one(tmp_path: Path) -> None:
    names = [f"s{number}" for number in range(101)]
    records = [
        {"item": row, "system": name, "outcome": "right", "confidence": 0.5}
        for name in names
        for row in range(6)
    ]
    path = write_records(tmp_path / "o.jsonl", records)
    err = stderr_of("compare", path, code=2)
    assert "--against must come with more than 100 systems" in err
    shown = printed_json("compare", path, "--against", "s0")
    assert {(pair["a"], pair["b"]) for pair in shown["pairs"]} == {
        ("s0", name) for name in names[1:]
    }
    shown = printed_json("score", path)
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
    options: list[str], gate: str, tmp_path: Path
) -> None:
    path = write_records(tmp_path / "o.jsonl", outcomes("a", "b", wrong=9))
    ended = run("compare", path, *options, "--fail-if", gate)
    assert (ended.code, ended.out) == (2, "")
    assert "--fail-if" in ended.err


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        *(("worse", 0.0, 0.7), ("error_a", 0.0, 0.7), ("error_b", 0.0, 0.7)),
        *(("difference", -0.7, 0.7), ("area", -1.0, 1.0), ("p_value", 0.0, 1.0)),
    ],
)
def test_figures_of_two_systems_are_bounded_by_what_is_answered(
    name: str, least: float, most: float
) -> None:
    words = ["compare", "a.jsonl", "--at", "0.3"]
    arguments = build_parser().parse_args(words)
    (kind,) = (kind for kind in _kinds(arguments) if kind.name == name)
    assert (kind.least, kind.most) == pytest.approx((least, most))


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
    command: str, gate: str, tmp_path: Path
) -> None:
    path = write_records(tmp_path / "o.jsonl", outcomes("a", "b", "c", wrong=9))
    calls = {
        "compare": ["compare", path],
        "judge": ["judge", path, path],
        "agree": ["agree", path, "--metric", "nominal", "--metric", "interval"],
        "no-attribution": ["pipeline", path, "--no-attribution"],
        "corrected": ["pipeline", path, "--state", "corrected"],
    }
    ended = run(*calls[command], "--fail-if", gate)
    assert (ended.code, ended.out) == (2, "")
    assert "fail-if" in ended.err


def test_gates_on_differences_hold_whatever_ungraded_answers_are(
    tmp_path: Path,
) -> None:
    rows = outcomes("a", wrong=30) + outcomes("b")
    for row in rows[100:140]:
        row["outcome"] = "ungraded"
    path = write_records(tmp_path / "o.jsonl", rows)
    gates = ["--at", "0", "--fail-if", "difference > 0.05"]
    err = stderr_of("compare", path, *gates, code=1)
    assert "difference is 0.1, must not be > 0.05" in err
    printed("compare", path, "--at", "0", "--fail-if", "difference > 0.2")


def test_gates_on_p_are_of_the_number_that_was_asked_for(tmp_path: Path) -> None:
    """The areas differ beyond luck, and the errors at nonreturn 0.2 do not at all."""
    rows = outcomes("a", "b", "c", wrong=30)
    for row in rows[100:]:
        row["confidence"] = -row["confidence"]
    path = write_records(tmp_path / "o.jsonl", rows)
    gates = ["--at", "0", "--fail-if", "adjusted_p < 0.05"]
    printed("compare", path, *gates)


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
    command: list[str], tmp_path: Path
) -> None:
    rows = [
        {"item": str(k), "unit": k, "part": "pq"[k % 2], "ref": "ab"[k % 3 == 0]}
        | {"hyp": "ab"[k % 5 == 0]}
        for k in range(30)
    ]
    path = write_records(tmp_path / "t.jsonl", rows)
    signatures = set[str]()
    for part in "pq":
        options = ["--where", f"part={part}"]
        where = 2 if command[0] == "metrics" else 1
        shown = printed_json(*command[:where], path, *command[where:], *options)
        assert f"where:part={part}" in str(shown["signature"])
        signatures.add(str(shown["signature"]))
    assert len(signatures) == 2


def _judged_files(tmp_path: Path) -> tuple[str, str]:
    given = [
        {"item": "a", "response": "x"},
        {"item": "b", "response": "", "finish_reason": "length"},
        {"item": "c", "response": None, "kind": "refusal"},
    ]
    wanted = [{"item": name, "reference": "x"} for name in "abc"]
    return (
        write_records(tmp_path / "r.jsonl", given),
        write_records(tmp_path / "g.jsonl", wanted),
    )


@pytest.mark.parametrize(
    ("gate", "value"),
    [("truncated > 0", "1"), ("refusal >= 1", "1"), ("mean_credit < 0.5", "0.333333")],
)
def test_what_judge_prints_of_no_answers_can_be_held(gate, value, tmp_path) -> None:
    files = _judged_files(tmp_path)
    err = stderr_of("judge", *files, "--fail-if", gate, code=1)
    assert f"gate broken: {gate.split()[0]} is {value}, must not be" in err
    printed("judge", *files, "--fail-if", "format > 0", "--fail-if", "idk > 0")


@pytest.mark.parametrize(
    ("gate", "hint"),
    [
        ("right_rate < 0.5", "Rates are error, nonreturn, missed, area, "),
        ("right_rate < 0.5", "mean_credit; counts are whole numbers."),
        ("error>0.1 and wrong>3", "Write each condition with a --fail-if of its own"),
        ("error>0.1, wrong>3", "Write each condition with a --fail-if of its own"),
    ],
)
def test_gates_that_nearly_read_are_told_how_to(gate, hint, tmp_path) -> None:
    files = _judged_files(tmp_path)
    assert hint in stderr_of("judge", *files, "--fail-if", gate, code=2)


@pytest.mark.parametrize("by", ["text", "sql"])
def test_files_in_the_other_order_are_named(by, tmp_path) -> None:
    said, wanted = _judged_files(tmp_path)
    if by == "sql":
        gold = {"item": "a", "sql": "SELECT 1", "db": "a.sqlite"}
        wanted = write_records(tmp_path / "g.jsonl", [gold])
    hint = "RESPONSES come first, then REFERENCES: swap the files."
    assert hint in stderr_of("judge", wanted, said, "--by", by)
    assert hint not in stderr_of("judge", said, said)
