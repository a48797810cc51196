"""The workflow of the docs: what it says to run, run as it stands."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from campaign_cases import write_lines
from demur.campaigns.folder import Campaign
from demur.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "campaign_servers.md"
QUESTIONS = [
    {"item": f"q{n}", "input": f"Question {n}?", "reference": f"answer number {n}"}
    for n in range(40)
]
RULES = """
name = "Open for long"
[scoring]
by = "text"
measure = "error"
[board]
accepts = ["leak"]
[[phases]]
name = "test"
opens = 2020-03-01T00:00:00Z
closes = 2099-01-01T00:00:00Z
submissions = 5
"""
TOKENS = {"octocat": "a token of tests"}


def steps() -> dict[str, str]:
    block = PAGE.read_text("utf-8").split(":caption: .github", 1)[1].split("```")[0]
    job = yaml.safe_load(block.split("\n\n", 1)[1])["jobs"]["submit"]
    return {step["name"]: step["run"] for step in job["steps"] if "name" in step}


def run(name: str, folder: Path) -> subprocess.CompletedProcess[str]:
    env = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        "TEAM": "octocat",
        "TOKENS": json.dumps(TOKENS),
    }
    words = ["bash", "-e", "-c", steps()[name]]
    return subprocess.run(
        words, cwd=folder, env=env, capture_output=True, text=True, timeout=120
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign whose phase is open, whenever the test runs; and where answers lie."""
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path / "q.jsonl", QUESTIONS)
    for number, words in enumerate(
        [
            ["new", "flights", "--name", "Open for long"],
            ["collect", "flights", "site=q.jsonl"],
            ["freeze", "flights", "--share", "0.5", "--by", "item"],
            ["pack", "flights"],
            ["team", "flights", "octocat", "--token", TOKENS["octocat"]],
        ]
    ):
        if words[0] == "collect":
            (tmp_path / "flights" / "campaign.toml").write_text(RULES, "utf-8")
        assert (
            main(["campaign", *words, "--now", f"2020-01-0{number + 1}T00:00:00Z"]) == 0
        )
    return tmp_path


def answers(folder: Path) -> list[dict]:
    lines = (folder / "flights" / "pack" / "questions.jsonl").read_text("utf-8")
    asked = [json.loads(line)["item"] for line in lines.splitlines()]
    return [{"item": item, "response": "answer number 1"} for item in asked]


def test_the_steps_take_answers_in_and_score_them(folder):
    write_lines(folder / "sent" / "answers" / "octocat.jsonl", answers(folder))
    taken = run("Take in", folder)
    assert taken.returncode == 0, taken.stderr
    assert "Submission 1 of octocat is taken." in (folder / "summary.md").read_text()
    scored = run("Score", folder)
    assert scored.returncode == 0, scored.stderr
    assert "octocat" in (folder / "flights" / "boards" / "1" / "board.csv").read_text()
    assert [one.event for one in Campaign(folder / "flights").entries][-1] == "board"


def test_a_file_that_is_not_whole_ends_the_job_and_is_logged(folder):
    write_lines(folder / "sent" / "answers" / "octocat.jsonl", answers(folder)[1:])
    assert run("Take in", folder).returncode == 4
    assert "is not whole" in (folder / "summary.md").read_text()
    assert [one.event for one in Campaign(folder / "flights").entries][-1] == "refused"


def test_a_job_reads_what_was_sent_and_runs_none_of_it():
    text = "\n".join(steps().values()).replace(" \\\n  ", " ")
    assert "sent/" in text
    assert [line for line in text.splitlines() if "sent/" in line] == [
        'demur campaign submit flights "sent/answers/$TEAM.jsonl" --team "$TEAM" '
        '>> "$GITHUB_STEP_SUMMARY"'
    ]
