"""The command line: what it prints, what it writes, and how it ends."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from builders import (
    DATA,
    judge_files,
    needs_data,
    printed,
    printed_json,
    run,
    stderr_of,
    write_records,
)
from demur import results

OUTCOMES = [
    {"item": "q1", "system": "a", "outcome": "right", "confidence": 0.9, "topic": "x"},
    {"item": "q2", "system": "a", "outcome": "wrong", "confidence": 0.7, "topic": "x"},
    {"item": "q3", "system": "a", "outcome": "right", "confidence": 0.6, "topic": "y"},
    {"item": "q4", "system": "a", "outcome": "wrong", "confidence": 0.2, "topic": "y"},
    {"item": "q1", "system": "b", "outcome": "right", "topic": "x"},
    {"item": "q2", "system": "b", "outcome": "unanswered", "topic": "x"},
    {"item": "q3", "system": "b", "outcome": "wrong", "topic": "y"},
    {"item": "q4", "system": "b", "outcome": "right", "topic": "y"},
]


@pytest.fixture
def outcomes(tmp_path: Path) -> str:
    return write_records(tmp_path / "outcomes.jsonl", OUTCOMES)


# -- curve -------------------------------------------------------------------------


def test_curve_json_holds_the_keys_that_scripts_rely_on(outcomes: str) -> None:
    code, out, err = run("curve", outcomes, "--json", "--at", "0.5,0.25")
    assert (code, err) == (0, "")
    shown = json.loads(out)
    assert shown["demur"] == __import__("demur").__version__
    a, b = shown["systems"]
    assert (a["system"], a["items"], a["right"], a["wrong"]) == ("a", 4, 2, 2)
    assert a["forced_choice_error"] == [0.5, 0.5]
    assert a["points"][0] == {
        "cutoff": 0.2,
        "nonreturn": 0.0,
        "error": 0.5,
        "missed": 0.0,
        "right": 0.5,
        "ungraded": 0.0,
    }
    assert a["points"][-1]["cutoff"] is None
    # wrong at withheld 0, 1, 2, 3, 4: 2 1 1 0 0
    assert a["area"]["value"] == (1.5 + 1 + 0.5 + 0) / 16
    assert "linear" in a["area"]["definition"]
    at = {point["wanted"]: point for point in a["at"]}
    assert at[0.5]["error"] == 0.25
    assert at[0.25]["error"] == 0.25
    assert at[0.25]["how"] == "linear"
    assert at[0.25]["bounds"] == [0.25, 0.25]
    assert b["points"] == []
    assert b["area"] is None
    assert b["operating_point"]["nonreturn"] == 0.25
    assert b["operating_point"]["error"] == 0.25
    assert b["at"][0]["error"] is None
    assert all("signature" in each for each in (a, b))


def test_curve_table_shows_the_same_numbers(outcomes: str) -> None:
    out = printed("curve", outcomes, "--at", "0.5")
    lines = out.splitlines()
    text = " ".join(out.split())
    assert text.startswith(
        "If it may decline 50 % of the inputs, a errs on 0.250 of all items; forced to "
        "answer all, on 0.500. b gives no confidences, so it has no curve. system"
    )
    assert max(map(len, lines)) <= 80 or lines[-1].startswith("signature: ")
    a, more = (line.split() for line in lines if line.startswith("a "))
    assert a == ["a", "0.250", "0.500", "0.1875", "0.000", "0.500", "4"]
    assert more == ["a", "2", "2", "0"]
    b, more = (line.split() for line in lines if line.startswith("b "))
    assert b == ["b", "-", "0.250", "to", "0.500", "-", "0.250", "0.250", "4"]
    assert more == ["b", "2", "1", "1"]
    assert "signature: demur:" in out


def test_curve_by_group_and_where(outcomes: str) -> None:
    shown = printed_json("curve", outcomes, "--by", "topic")
    names = [each["system"] for each in shown["systems"]]
    assert names == ["a, topic = x", "a, topic = y", "b, topic = x", "b, topic = y"]
    shown = printed_json("curve", outcomes, "--where", "system=a")
    assert [each["system"] for each in shown["systems"]] == ["a"]
    err = stderr_of("curve", outcomes, "--where", "system=c")
    assert "a" in err


def test_where_takes_any_value_of_a_column_and_all_columns(outcomes: str) -> None:
    def systems(*pairs: str) -> list[tuple[str, int]]:
        options = [word for pair in pairs for word in ("--where", pair)]
        shown = printed_json("curve", outcomes, *options)
        return [(each["system"], each["items"]) for each in shown["systems"]]

    every = dict(systems())
    assert dict(systems("topic=x", "topic=y")) == every
    assert systems("system=b", "system=a", "topic=x") == systems("topic=x")
    assert systems("system=a", "topic=x", "topic=y") == [("a", every["a"])]
    code, out, err = run(
        "curve", outcomes, "--where", "system=a", "--where", "system=bb"
    )
    assert (code, out) == (4, "")
    assert "each of several values; got system=a or bb. Values of system are" in err
    assert err.endswith("Did you mean 'b'?\n")


def test_points_can_be_left_out(outcomes: str) -> None:
    for points, number in (("all", 5), ("corners", 5), ("none", 0)):
        shown = printed_json("curve", outcomes, "--points", points)
        assert len(shown["systems"][0]["points"]) == number


def test_plots_are_written_by_ending(outcomes: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    beginnings = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    for ending, beginning in beginnings.items():
        target = tmp_path / f"curves.{ending}"
        code, _, err = run("curve", outcomes, "--plot", target, "--region", "0.1:0.3")
        assert code == 0
        assert f"wrote {target}" in err
        assert target.read_bytes().startswith(beginning)
    nowhere = str(tmp_path / "no folder" / "x.png")
    err = stderr_of("curve", outcomes, "--plot", nowhere, code=2)
    assert err == (
        "demur: curve: --plot must lie in a directory that exists; got "
        f"{nowhere}. Make it: mkdir -p {tmp_path / 'no folder'}\n"
    )


def test_split_plot(outcomes: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    target = tmp_path / "split.png"
    printed("curve", outcomes, "--plot-split", target)
    assert target.stat().st_size > 1000


# -- gates and exit codes ----------------------------------------------------------


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        ("a: error@0.5 > 0.2", 1),
        ("a: error@0.5 > 0.25", 0),
        ("ungraded > 0", 0),
        ("wrong > 1", 1),
        ("error@0.5 > 0.2", 1),  # of b, without a curve, that is said too
        ("error@0.5 > 0.3", 4),  # no verdict is no pass
        ("c: error@0.5 > 0.2", 4),
    ],
)
def test_gates_end_with_their_own_code(outcomes: str, gate: str, code: int) -> None:
    found, _, err = run("curve", outcomes, "--fail-if", gate)
    assert found == code
    assert ("gate broken" in err) == (code == 1)
    assert err.count("\n") == (2 if gate == "error@0.5 > 0.2" else code != 0)


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["curves"],
        ["curve"],
        ["curve", "x", "--at", "20"],
        ["curve", "x", "--at", "abc"],
        ["curve", "x", "--where", "system"],
        ["curve", "x", "--region", "0.3:0.1"],
        ["curve", "x", "--how", "liner"],
        ["curve", "x", "--fail-if", "error@0.5 >"],
        ["curve", "x", "--fail-if", "error@20 > 0.1"],
        ["curve", "x", "--plot", "x.bmp"],
        ["curve", "x", "--plot", "x.png", "--plot-split", "y"],
        ["judge", "x", "y", "-o", "z.txt"],
        ["judge", "x", "y", "--by", "txt"],
    ],
)
def test_wrong_usage_is_2(words: list[str]) -> None:
    stderr_of(*words, code=2)


def test_bad_input_is_4_and_one_line(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"item": "q1", "outcome": "right"}\n{"item": "q2", "outco', "utf-8")
    code, out, err = run("curve", bad)
    assert (code, out) == (4, "")
    assert err.startswith(f"demur: {bad}:2: ")
    assert err.count("\n") == 1


def test_internal_errors_are_3_without_a_traceback(
    outcomes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from demur.cli import curve_command

    def broken(*_: Any) -> None:
        raise ZeroDivisionError("two\nlines")

    monkeypatch.setattr(curve_command, "run", broken)
    err = stderr_of("curve", outcomes, code=3)
    assert err == (
        "demur: internal error: ZeroDivisionError: two lines. Run again with --debug "
        "for the traceback.\n"
    )
    err = stderr_of("curve", outcomes, "--debug", code=3)
    assert "ZeroDivisionError: two\nlines" in err

    def interrupted(_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(curve_command, "run", interrupted)
    stderr_of("curve", outcomes, code=130)


def test_a_reader_that_goes_away_is_no_error(outcomes: str) -> None:
    script = 'set -o pipefail; "$0" -m demur curve "$1" --json | head -c 1'
    done = subprocess.run(
        ["bash", "-c", script, sys.executable, outcomes],
        capture_output=True,
        check=False,
    )
    assert done.stderr == b""
    assert done.returncode == 0


def test_gates_and_pictures_outlive_the_reader(outcomes: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plot = tmp_path / "curves.svg"
    script = '"$0" -m demur curve "$1" --plot "$2" --fail-if "wrong > 1" | true'
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {script}", sys.executable, outcomes, plot],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1
    assert b"gate broken: a: wrong is 2, must not be > 1" in done.stderr
    assert plot.stat().st_size > 1000


def test_errors_stay_on_one_line(tmp_path: Path) -> None:
    path = write_records(
        tmp_path / "o.jsonl",
        [{"item": "q", "system": "x\ny\x1b[31m", "outcome": "right"}],
    )
    err = stderr_of("curve", path, "--fail-if", "z: error > 0")
    assert err.count("\n") == 1
    assert "\x1b" not in err


def test_kinds_of_silence_are_counted(tmp_path: Path) -> None:
    kinds = ["refusal", "idk", "refusal", None]
    records = [
        {"item": f"q{row}", "outcome": "unanswered", "kind": kind}
        for row, kind in enumerate(kinds)
    ]
    path = write_records(tmp_path / "o.jsonl", records)
    shown = printed_json("curve", path)
    assert shown["systems"][0]["kinds"] == {"refusal": 2, "idk": 1}
    out = printed("curve", path)
    assert "not answered, by kind: idk 1, refusal 2" in out


def test_names_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    records = [
        {"item": "q", "system": "\x1b[31mred\n<b>$x_1$", "outcome": "right"},
    ]
    out = printed("curve", write_records(tmp_path / "o.jsonl", records))
    assert "\x1b" not in out
    assert r"\x1b[31mred\n<b>$x_1$" in out


# -- choose and recheck ------------------------------------------------------------


def graded(path: Path, n_items: int, wrong: set[int], system: str = "a") -> str:
    """Items ranked by confidence, some of them wrong, in two groups."""
    records = [
        {
            "item": f"q{row}",
            "system": system,
            "outcome": "wrong" if row in wrong else "right",
            "confidence": (row + 1) / n_items,
            "topic": "even" if row % 2 == 0 else "odd",
        }
        for row in range(n_items)
    ]
    return write_records(path, records)


def test_choose_json_holds_the_keys_that_scripts_rely_on(tmp_path: Path) -> None:
    path = graded(tmp_path / "o.jsonl", 100, {0, 1, 2, 3, 50})
    code, out, err = run("choose", path, "--max-error", "0.02", "--json")
    assert (code, err) == (0, "")
    shown = json.loads(out)
    found = {k: shown[k] for k in ("system", "cutoff", "nonreturn", "error", "missed")}
    assert found == {
        "system": "a",
        "cutoff": 0.04,
        "nonreturn": 0.03,
        "error": 0.02,
        "missed": 0.0,
    }
    assert shown["bound"] is None
    assert any("same data" in note for note in shown["notes"])
    shown = printed_json("choose", path, "--max-error", "0.02", "--certainty", "0.9")
    assert shown["cutoff"] is None  # 100 items are too few
    assert shown["bound"] == 0.0


def test_choose_on_one_half_judges_on_the_other(tmp_path: Path) -> None:
    path = graded(tmp_path / "o.jsonl", 400, set(range(0, 200, 3)))
    words = ["choose", path, "--max-error", "0.05", "--split", "0.5", "--json"]
    out = printed(*words)
    shown = json.loads(out)
    assert shown["held_out"]["cutoff"] == shown["cutoff"]
    assert shown["held_out"]["error"] != shown["error"]
    assert "split:0.5|seed:0|items:200" in shown["signature"]
    again = printed(*words)
    assert again == out
    other = printed(*words, "--seed", "1")
    assert other != out
    table = printed(*words[:-1])
    assert "\nOn held-out items\n" in table
    assert "same data" not in table


def test_choose_by_group_shows_rightly_and_over_declined(tmp_path: Path) -> None:
    path = graded(tmp_path / "o.jsonl", 100, {0, 2, 4, 6})
    words = ["choose", path, "--nonreturn", "0.1", "--by", "topic"]
    even, odd = printed_json(*words)["declined"]["groups"]
    assert (even["value"], even["rightly_declined"]["amount"]) == ("even", 4)
    assert (odd["value"], odd["over_declined"]["amount"]) == ("odd", 5)
    out = printed(*words)
    assert "Largest gaps between values of topic\n" in out


def test_prices_compare_systems_without_confidences_too(tmp_path: Path) -> None:
    records = [*OUTCOMES, {"item": "q5", "system": "b", "outcome": "right"}]
    records += [{"item": "q5", "system": "a", "outcome": "wrong", "confidence": 0.8}]
    path = write_records(tmp_path / "o.jsonl", records)
    prices = printed_json("choose", path, "--prices")["prices"]
    # a: (0, .6) (.2, .4) (.6, .2) (.8, 0); b: (.2, .2). Hull: (0, .6) (.2, .2) (.8, 0).
    found = [(p["system"], p["cutoff"], p["nonreturn"], p["error"]) for p in prices]
    assert found == [("a", 0.2, 0, 0.6), ("b", None, 0.2, 0.2), ("a", 0.9, 0.8, 0)]
    assert [p["from"] for p in prices] == pytest.approx([2, 1 / 3, 0])
    assert [p["to"] for p in prices] == [None, *(p["from"] for p in prices[:-1])]


def test_lock_and_recheck(tmp_path: Path) -> None:
    path = graded(tmp_path / "o.jsonl", 400, set(range(20)))
    lock = tmp_path / "cutoff.json"
    words = ["--max-error", "0.05", "--certainty", "0.95", "--lock", str(lock)]
    code, _, err = run("choose", path, *words)
    assert code == 0
    assert f"wrote {lock}: 1 cutoff\n" in err
    verdicts = {}
    for name, wrong in {
        "same": set(range(20)),
        "worse": set(range(0, 400, 4)),
        "near": {*range(20), *range(100, 110)},
    }.items():
        new = graded(tmp_path / f"{name}.jsonl", 400, wrong)
        verdicts[name] = printed_json("recheck", lock, new)["systems"][0]["verdict"]
    assert verdicts == {
        "same": "not tested", "worse": "broken", "near": "inconclusive"
    }  # fmt: skip
    out = printed("recheck", lock, path)
    assert "note: these are the items that the cutoff was chosen on: they cannot" in out
    err = stderr_of("recheck", lock, path, "--fail-if", "broken", code=1)
    assert "gate broken: a: broken, not tested, these are the items" in err
    other = graded(tmp_path / "b.jsonl", 50, set(), system="b")
    err = stderr_of("recheck", lock, other)
    assert "hold a locked system (a)" in err


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"locks": []}', '{"locks": [1]}']
)
def test_a_lock_that_is_none_is_bad_input(
    text: str, outcomes: str, tmp_path: Path
) -> None:
    lock = tmp_path / "lock.json"
    lock.write_text(text, "utf-8")
    err = stderr_of("recheck", lock, outcomes)
    assert err.startswith(f"demur: {lock}: ")
    assert err.count("\n") == 1


# -- judge -------------------------------------------------------------------------

REFERENCES = [
    {"item": "q1", "references": ["Paris", {"value": "Île-de-France", "weight": 0.5}]},
    {"item": "q2", "reference": "4"},
    {"item": "q3", "answerable": False},
    {"item": "q4", "reference": "blue", "topic": "colour"},
]
RESPONSES = [
    {"item": "q4", "response": "red", "confidence": 0.2},
    {"item": "q1", "response": "paris", "confidence": 0.9},
    {"item": "q2", "response": None},
    {"item": "q3", "response": "a unicorn", "confidence": 0.4},
]


def test_judge_writes_what_curve_reads(tmp_path: Path) -> None:
    judge = judge_files(tmp_path, RESPONSES, REFERENCES)
    target = tmp_path / "outcomes.csv.gz"
    code, out, err = run(*judge, "-o", target, "--json")
    assert (code, err) == (0, "")
    shown = json.loads(out)
    assert [
        shown[k] for k in ("items", "right", "wrong", "unanswered", "ungraded")
    ] == [*(4, 1, 2, 1, 0)]
    assert "by:text" in shown["signature"]
    assert shown["comparator"]
    (system,) = printed_json("curve", target)["systems"]
    assert (system["right"], system["wrong"], system["unanswered"]) == (1, 2, 1)
    assert system["forced_choice_error"] == [0.5, 0.75]


def test_judge_explains_one_item(tmp_path: Path) -> None:
    judge = judge_files(tmp_path, RESPONSES, REFERENCES)
    out = printed(*judge, "--explain", "q1")
    assert "outcome: right" in out
    assert "response: paris" in out
    err = stderr_of(*judge, "--explain", "q9")
    assert "--explain" in err


def test_judge_shows_what_was_read_of_a_reply(tmp_path: Path) -> None:
    said = [
        {"item": "q1", "response": r"The answer is \boxed{paris}."},
        {"item": "q2", "response": "It is Rome."},
        {"item": "q3", "response": None},
    ]
    judge = [*judge_files(tmp_path, said, REFERENCES[:3]), "--extract", "final+boxed"]
    judge += ["--unmatched", "leave_out", "--missing", "leave_out"]
    shown = printed_json(*judge)
    assert "extract:final+boxed" in shown["signature"]
    assert "note: extract: final: 1, boxed: 1 of 2 responses" in printed(*judge)
    out = printed(*judge, "--explain", "q1")
    assert "  final reads '\\\\boxed{paris}'\n  boxed reads 'paris'" in out
    out = printed(*judge, "--explain", "q2")
    assert "final+boxed reads nothing: compared as it stands" in out
    assert "explanation" not in printed(*judge, "--explain", "q3")
    assert "must be one of reply, final" in stderr_of(
        *judge, "--extract", "boks", code=2
    )


def test_judge_refuses_what_is_not_named(tmp_path: Path) -> None:
    judge = judge_files(tmp_path, RESPONSES[:3], REFERENCES)
    err = stderr_of(*judge)
    assert "q3" in err
    assert err.count("\n") == 1
    shown = printed_json(*judge, "--missing", "unanswered")
    assert shown["unanswered"] == 2
    assert "missing:unanswered" in shown["signature"]


def test_judge_to_standard_output_and_gate(tmp_path: Path) -> None:
    judge = judge_files(tmp_path, RESPONSES, REFERENCES)
    code, out, err = run(*judge, "-o", "-", "--fail-if", "wrong > 1")
    assert code == 1
    assert len(out.splitlines()) == 4
    assert all(json.loads(line)["item"] for line in out.splitlines())
    assert "gate broken: wrong is 2, must not be > 1" in err


# -- demo, completion, standard input ----------------------------------------------


def test_demo_runs_the_whole_flow(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    folder = tmp_path / "a folder"
    out = printed("demo", "--output", folder)
    assert {path.name for path in folder.iterdir()} == {
        *("references.jsonl", "responses.jsonl", "outcomes.jsonl"),
        *("curves.png", "inputs.png", "report.html"),
    }
    assert "letters" in out
    assert "words" in out
    page = out.partition("\nOpen ")[2].split("\n")[0]
    assert page == (folder / "report.html").as_uri()


def test_a_folder_that_cannot_be_made_is_bad_input(outcomes: str) -> None:
    code, _, err = run("demo", "--output", f"{outcomes}/x")
    assert (code, err) == (4, f"demur: {outcomes}/x: Not a directory\n")


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion(shell: str) -> None:
    pytest.importorskip("shtab")
    out = printed("completion", shell)
    assert "--fail-if" in out


def test_standard_input(outcomes: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "demur", "curve", "-", "--json"],
        input=Path(outcomes).read_bytes(),
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONWARNINGS": "error"},
    )
    assert len(json.loads(done.stdout)["systems"]) == 2


# -- real data ---------------------------------------------------------------------


@needs_data
def test_thirteen_language_models(tmp_path: Path) -> None:
    path = f"{DATA}/llm_mcq_confidence/mmlu.csv.gz"
    plot = tmp_path / "mmlu.png"
    words = ["curve", path, "--where", "prompt=first", "--at", "0.2", "--json"]
    shown = printed_json(*words, "--points", "none", "--plot", plot)
    errors = {each["system"]: each["at"][0] for each in shown["systems"]}
    assert len(errors) == 13
    assert round(errors["Llama3-8b"]["error"], 3) == 0.297
    assert round(errors["Mixtral"]["error"], 3) == 0.241
    assert plot.stat().st_size > 10_000
    err = stderr_of("curve", path)
    assert "first at" in err


@needs_data
def test_five_assistants_without_confidences() -> None:
    path = f"{DATA}/czech_simpleqa/outcomes.csv.gz"
    own = {each["system"]: each for each in printed_json("curve", path)["systems"]}
    expected = {
        "claude-3-5-sonnet-20240620": (0.192, 0.295, 0.514),
        "claude-3-5-sonnet-20241022": (0.283, 0.538, 0.179),
        "gpt-4o-2024-11-20": (0.311, 0.671, 0.018),
        "claude-3-5-haiku-20241022": (0.078, 0.595, 0.327),
        "gpt-4o-mini-2024-07-18": (0.080, 0.904, 0.015),
    }
    assert own.keys() == expected.keys()
    for name, (right, wrong, unanswered) in expected.items():
        point = own[name]["operating_point"]
        found = (point["right"], point["error"], point["nonreturn"])
        assert found == pytest.approx((right, wrong, unanswered), abs=5.1e-4)
        assert own[name]["points"] == []


def test_tables_have_words_to_the_left_and_numbers_to_the_right() -> None:
    rows = [["a", "1", "no", "inf", "-0.5 [1, 2]"], ["b", "10", "never", "-", "7"]]
    assert results.table(["x", "n", "why", "cutoff", "difference"], rows) == (
        "x   n  why    cutoff   difference\n"
        "-  --  -----  ------  -----------\n"
        "a   1  no        inf  -0.5 [1, 2]\n"
        "b  10  never       -            7"
    )


# -- what is refused before any work, and what other programs read ------------------


def test_json_is_valid_on_terminals_that_do_not_know_every_letter(
    tmp_path: Path,
) -> None:
    line = {"item": "1", "outcome": "right", "confidence": 1, "system": "Modell \u00e9"}
    path = tmp_path / "u.jsonl"
    path.write_text(json.dumps(line), "utf-8")
    for encoding in ("ascii", "latin-1", "utf-8"):
        ended = subprocess.run(
            [sys.executable, "-m", "demur", "curve", path, "--json"],
            env={**os.environ, "PYTHONIOENCODING": encoding},
            capture_output=True,
            check=True,
        )
        (system,) = json.loads(ended.stdout.decode("utf-8"))["systems"]
        assert system["system"] == line["system"]


def test_a_difference_that_cannot_be_is_wrong_usage(tmp_path: Path) -> None:
    files = [graded(tmp_path / f"{name}.jsonl", 20, {1}, name) for name in "ab"]
    for option in ("--margin", "--plan"):
        said = stderr_of("compare", *files, option, "0.9", code=2)
        assert f"{option} must be a number from 1e-09 to 0.8; got 0.9" in said


def test_a_page_is_named_like_one_and_a_cache_is_made_by_who_writes(
    outcomes: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("-", "p.txt"):
        assert "must end in .html" in stderr_of(
            "curve", outcomes, "--page", name, code=2
        )
    stderr_of("judge", outcomes, outcomes, "--cache", "new", "--bogus", code=2)
    assert not (tmp_path / "new").exists()
    assert not (tmp_path / "-").exists()


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("matplotlib", "choose {} --max-error .2 --lock l.json --plot p.svg"),
        ("matplotlib", "curve {} --plot c.svg --page p.html"),
    ],
)
def test_a_missing_extra_is_noticed_before_any_work(
    module: str,
    words: str,
    outcomes: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, module, None)
    before = {*tmp_path.iterdir()}
    code, out, err = run(*words.format(outcomes).split())
    assert (code, out) == (2, "")
    assert "pip install" in err
    assert {*tmp_path.iterdir()} == before
