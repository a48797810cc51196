"""The workflow of the examples: its steps run as they stand."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from campaign_cases import write_lines

FOLDER = Path(__file__).parents[2] / "examples/github"
SAID = ["Rome", "Oslo", "I don't know.", "Lima", "Bern", "Paris"]


def steps():
    job = yaml.safe_load((FOLDER / "demur.yml").read_text("utf-8"))["jobs"]["gate"]
    return {step["name"]: step["run"] for step in job["steps"] if "name" in step}


@pytest.fixture
def job(tmp_path):
    """Runs steps of the workflow: their exit codes, and the summary of the job."""
    (tmp_path / "demur.toml").write_bytes((FOLDER / "demur.toml").read_bytes())

    def run(references, *names):
        asked = [f"q{number}" for number in range(len(SAID))]
        write_lines(
            tmp_path / "responses.jsonl",
            [
                {"item": item, "response": said, "confidence": 0.9 - place / 10}
                for place, (item, said) in enumerate(zip(asked, SAID, strict=True))
            ],
        )
        write_lines(
            tmp_path / "references.jsonl",
            [
                {"item": item, "reference": true}
                for item, true in zip(asked, references, strict=True)
            ],
        )
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        summary = str(tmp_path / "summary.md")
        env = {**os.environ, "PATH": path, "GITHUB_STEP_SUMMARY": summary}
        codes = {}
        for name in names:
            words = ["bash", "-e", "-c", steps()[name]]
            done = subprocess.run(
                words, cwd=tmp_path, env=env, capture_output=True, text=True
            )
            codes[name] = done.returncode
        return codes, (tmp_path / "summary.md").read_text("utf-8")

    return run


def test_a_job_that_holds_passes_and_shows_the_table(job, tmp_path):
    codes, summary = job(["Rome", "Oslo", "Kyiv", "Lima", "Bern", "Paris"], *steps())
    assert codes == {"Judge": 0, "Curve": 0, "Gate": 0}
    assert "### Errors against refusals\n```\nIf it may decline 20 %" in summary
    assert "### demur gate: of 4 gates none are broken" in summary
    lines = (tmp_path / "outcomes.jsonl").read_text("utf-8").splitlines()
    assert json.loads(lines[2])["outcome"] == "unanswered"
    assert (tmp_path / "gates.xml").exists()


def test_a_broken_gate_fails_the_job_and_is_in_the_summary(job):
    codes, summary = job(
        ["Kyiv", "Kyiv", "Kyiv", "Lima", "Bern", "Kyiv"], "Judge", "Gate"
    )
    assert codes == {"Judge": 0, "Gate": 1}
    assert "### demur gate: of 4 gates 1 is broken" in summary
    assert "require error@0.2" in next(
        line for line in summary.split("\n") if "broken |" in line
    )
