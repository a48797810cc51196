"""The command demur gate: what it prints, writes, keeps, and how it ends."""

import json
import os
import shlex
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree as Xml

import numpy as np
import pytest

import demur
from builders import printed, printed_json, run, stderr_of

WHEN = datetime(2027, 3, 1, 12, tzinfo=UTC)
GATES = """\
[[gate]]
run = "run.jsonl"
against = "main"
require = ["not worse than main by 0.1 @0.2"]
fail_if = ["worse than main @0.2", "ungraded > 10"]
"""


def outcomes(every, n=200):
    """A system that errs on each so manieth item."""
    return demur.Outcomes.from_arrays(
        item=[f"q{k}" for k in range(n)],
        system="s",
        correct=[k % every > 0 for k in range(n)],
        confidence=np.linspace(1, 0, n),
    )


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DEMUR_STORE", raising=False)
    (tmp_path / "demur.toml").write_text(GATES)
    with demur.Store("demur.sqlite", make=True) as store:
        store.keep(outcomes(10), when=WHEN, tags=["main"])
    demur.write_outcomes(outcomes(9), tmp_path / "run.jsonl")
    return tmp_path


def make_worse(folder):
    demur.write_outcomes(outcomes(3), folder / "run.jsonl")


def kept():
    with demur.Store("demur.sqlite") as store:
        return [(kept.number, kept.tags) for kept in store.runs()]


def test_what_holds_ends_with_0_and_what_is_broken_with_1(folder):
    ended = run("gate")
    assert ended.code == 0
    assert ended.out.startswith("Of 3 gates none are broken, 1 inconclusive.\n")
    assert "note: main is run 1 of 2027-03-01 12:00 UTC" in ended.out
    make_worse(folder)
    broken = run("gate", "demur.toml")
    assert broken.code == 1
    assert broken.out.startswith("Of 3 gates 2 are broken.\n\nrun.jsonl against main\n")
    assert "  broken: s: require not worse than main by 0.1 @0.2: s less" in broken.out


def test_json_says_all():
    found = printed_json("gate")
    assert (found["broken"], found["inconclusive"], found["holds"]) == (0, 1, 2)
    assert found["runs"] == {"run.jsonl": "run.jsonl", "main": "demur.sqlite, run 1"}
    first = found["gates"][0]
    assert (first["key"], first["verdict"], first["system"]) == (
        "require",
        "holds",
        "s",
    )


def test_reports_are_written_and_summaries_added(folder):
    make_worse(folder)
    (folder / "summary.md").write_text("# Before")
    for _ in range(2):
        words = ("--junit", "gates.xml", "--summary", "summary.md", "--json")
        ended = run("gate", *words)
        assert ended.code == 1
        assert json.loads(ended.out)["broken"] == 2
    assert "wrote gates.xml" in ended.err
    root = Xml.parse(folder / "gates.xml").getroot()
    assert root.get("failures") == "2"
    text = (folder / "summary.md").read_text()
    assert text.startswith("# Before\n### demur gate: of 3 gates 2 are broken\n")
    assert text.count("### demur gate") == 2


def test_a_summary_may_be_printed_instead():
    out = printed("gate", "--summary", "-")
    assert out.startswith("### demur gate: of 3 gates none are broken")
    assert "signature" not in out


def test_what_holds_is_kept_so_that_main_moves_on():
    words = ("gate", "--keep", "--tag", "main", "--tag", "v2")
    ended = run(*words, "--now", "2027-03-02T12:00:00Z")
    assert "kept run.jsonl in demur.sqlite: run 2 as main, v2" in ended.err
    assert kept()[-1][0] == 2
    assert {"main", "v2"} <= {*kept()[-1][1]}
    with demur.Store("demur.sqlite") as store:
        assert store.run("main").when == datetime(2027, 3, 2, 12, tzinfo=UTC)
        held = demur.read_outcomes("run.jsonl", groups=None, display=True)
        assert store.outcomes("main") == held
    assert "main is run 2" in printed("gate")


def test_what_is_broken_is_not_kept(folder):
    make_worse(folder)
    ended = run("gate", "--keep", "--tag", "main")
    assert ended.code == 1
    assert "nothing is kept, since a gate is broken" in ended.err
    assert [number for number, _ in kept()] == [1]


def test_a_file_of_two_gates_is_kept_once(folder):
    more = '[[gate]]\nname = "b"\nrun = "run.jsonl"\nfail_if = ["wrong > 90"]\n'
    (folder / "demur.toml").write_text(GATES + more)
    assert run("gate", "--keep").code == 0
    assert [number for number, _ in kept()] == [1, 2]


def test_a_baseline_that_has_moved_meanwhile_is_not_replaced(monkeypatch):
    from demur.cli import gate_command

    hold = gate_command.hold_gates

    def hold_while_others_keep(runs):
        report = hold(runs)
        with demur.Store("demur.sqlite") as store:
            store.keep(outcomes(50), when=WHEN, tags=["main"])
        return report

    monkeypatch.setattr(gate_command, "hold_gates", hold_while_others_keep)
    error = stderr_of("gate", "--keep", "--tag", "main")
    assert (
        "the run main must still be run 1, which was held against; got run 2" in error
    )
    assert [number for number, _ in kept()] == [1, 2]


def test_kept_runs_are_held_where_the_store_says(folder):
    (folder / "demur.toml").write_text(GATES.replace("run.jsonl", "kept:new"))
    with demur.Store("other.sqlite", make=True) as store:
        store.keep(outcomes(10), when=WHEN, tags=["main"])
        store.keep(outcomes(10), when=WHEN, tags=["new"])
    assert "no difference" in printed("gate", "--store", "other.sqlite")
    assert "kept:new" in stderr_of("gate")
    words = ("gate", "--store", "other.sqlite", "--keep")
    assert "come with a gate whose run is a file" in stderr_of(*words, code=2)


def test_files_are_looked_for_beside_the_gates(folder, monkeypatch, tmp_path_factory):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert run("gate", folder / "demur.toml").code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--tag", "main"], "--tag must come with --keep"),
        (["--json", "--summary", "-"], "--summary must name a file with --json"),
        (["--junit", "-"], "--junit must name a file"),
        (["--junit", "no/such/a.xml"], "--junit must lie in a directory that exists"),
        (["--junit", "run.jsonl"], "--junit must not be a file that is read"),
        (["--junit", "demur.sqlite"], "--junit must not be a file that is read"),
        (["--summary", "demur.toml"], "--summary must not be a file that is read"),
        (["--junit", "a.xml", "--summary", "a.xml"], "must go to two files"),
        (["--summary", ""], "--summary must not be empty"),
    ],
)
def test_wrong_usage_is_refused_before_any_work(words, message):
    error = stderr_of("gate", *words, code=2)
    assert message in error
    assert error.count("\n") == 1


def test_hints_name_what_a_gate_has(folder):
    gate = '[[gate]]\nrun = "a.csv"\nfail_if = ["wrong > 9"]\n'
    (folder / "demur.toml").write_text(gate)
    (folder / "a.csv").write_text("id,ok\n1,1\n2,0\n")
    error = stderr_of("gate")
    line = 'columns."a.csv" = {item = "id", correct = "ok"}'
    assert f"Write at the top of demur.toml: {line}." in error
    assert "--columns" not in error
    (folder / "demur.toml").write_text(f"{line}\n{gate}")
    assert "none are broken" in printed("gate")


def test_bad_input_is_one_line_and_no_broken_gate(folder):
    (folder / "run.jsonl").write_text("")
    error = stderr_of("gate")
    assert "demur.toml:1: run = 'run.jsonl': run.jsonl: the file must hold" in error
    assert error.count("\n") == 1
    (folder / "demur.toml").unlink()
    assert "demur.toml: the file must be a file that can be read" in stderr_of("gate")


def test_other_commands_leave_the_gates_alone(folder):
    before = '[columns."x.csv"]\nitem = "id"\ncorrect = "ok"\n'
    (folder / "demur.toml").write_text(f'store = "demur.sqlite"\n{before}{GATES}')
    (folder / "x.csv").write_text("id,ok\n1,1\n2,0\n")
    assert run("curve", "x.csv").code == 0
    assert run("gate").code == 0


def test_names_with_markup_and_colours_are_shown_as_text(folder):
    table = demur.Outcomes.from_arrays(
        item=[f"q{k}" for k in range(20)], system="<b>\x1b[31m|x`", correct=[True] * 20
    )
    demur.write_outcomes(table, folder / "run.jsonl")
    gate = '[[gate]]\nrun = "run.jsonl"\nname = "<i>|"\nrequire = ["wrong < 1"]\n'
    (folder / "demur.toml").write_text(gate)
    words = ("gate", "--junit", "a.xml", "--summary", "a.md")
    out = (
        printed(*words) + (folder / "a.md").read_text() + (folder / "a.xml").read_text()
    )
    assert "\x1b" not in out
    Xml.parse(folder / "a.xml")
    assert r"\<b\>" in (folder / "a.md").read_text()


PAGE = Path(__file__).resolve().parents[2] / "docs" / "gates.md"


def workflow():
    """The workflow file on the page, as it stands."""
    return PAGE.read_text("utf-8").partition(":caption: gates.yml\n")[2].split("```")[0]


def test_the_workflow_on_the_page_is_yaml_with_steps_that_run():
    yaml = pytest.importorskip("yaml")
    steps = yaml.safe_load(workflow())["jobs"]["gate"]["steps"]
    assert all(("run" in step) != ("uses" in step) for step in steps)
    assert sum("demur gate" in step.get("run", "") for step in steps) == 2


def test_the_commands_of_the_workflow_run(folder, monkeypatch):
    lines = [line.strip() for line in workflow().splitlines()]
    commands = [shlex.split(line)[1:] for line in lines if line.startswith("demur ")]
    assert [words[0] for words in commands] == ["run", "judge", "keep", "gate", "gate"]
    (folder / "outcomes.jsonl").write_bytes((folder / "run.jsonl").read_bytes())
    (folder / "demur.toml").write_text(GATES.replace("run.jsonl", "outcomes.jsonl"))
    (folder / "demur.sqlite").unlink()
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "summary.md"))
    for words in commands[2:]:
        ended = run(*map(os.path.expandvars, words))
        assert ended.code == 0, ended.err
    assert (folder / "summary.md").read_text().count("### demur gate") == 2
    assert [tags for _, tags in kept()][-1] == ("main",)
