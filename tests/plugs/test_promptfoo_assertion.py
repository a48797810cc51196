"""The assertion for promptfoo: alone, and in a run of promptfoo itself."""

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import demur
from demur.plugs.promptfoo_assertion import get_assert

ROOT = Path(__file__).parents[2]
NAMED = ("right", "wrong", "unanswered", "ungraded")


def asserted(output, reference="Rome", **config):
    return get_assert(output, {"vars": {"reference": reference}, "config": config})


@pytest.mark.parametrize(
    ("output", "outcome"),
    [
        *(("Rome", "right"), ("rome", "right"), ("Milan", "wrong")),
        *(("I don't know.", "unanswered"), ("", "unanswered"), (None, "unanswered")),
        ({"city": "Rome"}, "wrong"),
    ],
)
def test_a_refusal_is_told_from_a_wrong_answer(output, outcome):
    result = asserted(output)
    assert result["namedScores"] == {name: int(name == outcome) for name in NAMED}
    assert result["pass"] is (outcome == "right")
    assert result["reason"].startswith(outcome)
    json.dumps(result)


def test_config_says_how_it_is_judged_and_what_passes():
    assert asserted("41", "42", by="number(absolute=1)")["pass"]
    assert asserted("I don't know.", passes=["right", "unanswered"])["pass"]
    assert asserted("I don't know.", no_answer=[])["namedScores"]["wrong"] == 1
    other = get_assert(
        "Oslo", {"vars": {"city": "Oslo"}, "config": {"reference": "city"}}
    )
    assert other["pass"]
    assert get_assert("Rome", {"vars": {"reference": "Rome"}})["pass"]  # no config


def test_what_is_wrongly_configured_is_said():
    with pytest.raises(demur.InputError, match="Did you mean 'reference'"):
        asserted("Rome", refrence="city")
    with pytest.raises(demur.InputError, match=r"config\.reference must be there"):
        get_assert("Rome", {"vars": {}, "config": {"reference": "city"}})
    with pytest.raises(demur.InputError, match="comparator"):
        asserted("Rome", by="vibes")


@pytest.mark.plugs
def test_promptfoo_runs_it_and_its_results_are_the_same_numbers(tmp_path):
    program = shutil.which("promptfoo", path=ROOT / ".venv-plugs/node_modules/.bin")
    program = program or shutil.which("promptfoo")
    if program is None:
        pytest.skip("promptfoo is not installed: npm comes with Node.js")
    page = (ROOT / "docs/plugs.md").read_text("utf-8")
    for name in ("demur_assert.py", "promptfooconfig.yaml"):
        text = page.split(f":caption: {name}\n\n")[1].split("```")[0]
        (tmp_path / name).write_text(text, "utf-8")
    env = {
        **os.environ,
        "PROMPTFOO_PYTHON": sys.executable,
        "PROMPTFOO_CONFIG_DIR": str(tmp_path / "state"),
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
    }
    words = [program, "eval", "-o", "results.json", "--no-cache", "--no-table"]
    done = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True)
    text = (tmp_path / "results.json").read_bytes()
    results = json.loads(text)["results"]
    sums = results["prompts"][0]["metrics"]["namedScores"]
    assert sums == {"right": 1, "wrong": 1, "unanswered": 1, "ungraded": 0}, done.stderr
    outcomes = demur.read_outcomes(
        io.BytesIO(text), log="promptfoo(no_answer=refusals)"
    )
    assert outcomes.counts() == sums
