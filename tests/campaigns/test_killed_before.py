"""Collecting, freezing and packing, killed at any moment: all of it or nothing."""

import random
import shutil
import subprocess
import sys
import time

import pytest

from builders import printed, read_records
from demur.campaigns.folder import Campaign
from demur.campaigns.verifying import verify
from question_cases import SITES, labels_of, site_questions, written_sites
from question_cases import write as write_rows

pytestmark = pytest.mark.stress

ALL = {site: site_questions(site) for site in SITES}
NOW = ("--now", "2027-01-05T00:00:00Z")


@pytest.fixture(scope="module")
def steps(tmp_path_factory):
    """The three commands, and the campaign as it is before each of them."""
    folder = tmp_path_factory.mktemp("killed")
    sites = [f"{site}={path}" for site, [path] in written_sites(folder, ALL).items()]
    labels = write_rows(folder / "labels.jsonl", labels_of(ALL))
    made = folder / "c"
    printed("campaign", "new", made, "--name", "Flights", *NOW)
    commands = {
        "collect": [*sites, "--labels", labels],
        "freeze": ["--seed", "3"],
        "pack": [],
    }
    before = {}
    for verb, words in commands.items():
        before[verb] = folder / f"before {verb}"
        shutil.copytree(made, before[verb])
        printed("campaign", verb, made, *words, *NOW)
    return commands, before, made


def killed_after(seconds, *words):
    command = [sys.executable, "-m", "demur", "campaign", *map(str, words)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, **quiet)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    return process.returncode


@pytest.mark.parametrize("verb", ["collect", "freeze", "pack"])
def test_a_killed_step_is_done_or_undone_and_can_be_done_again(steps, tmp_path, verb):
    commands, before, made = steps
    words = [*commands[verb], *NOW]
    copy = tmp_path / "timed"
    shutil.copytree(before[verb], copy)
    start = time.monotonic()
    assert killed_after(60, verb, copy, *words) == 0
    took = time.monotonic() - start
    draw = random.Random(verb)
    ends = set()
    for number in range(25):
        folder = tmp_path / str(number)
        shutil.copytree(before[verb], folder)
        # Most of the time goes into loading; files are written near the end.
        ends.add(killed_after(took * draw.uniform(0.5, 1.05), verb, folder, *words))
        logged = len(list(Campaign(folder).events(_event(verb))))
        assert logged in (0, 1)
        assert not verify(folder).findings
        if not logged:
            printed("campaign", verb, folder, *words)
        assert not verify(folder).findings
        for name in ("questions/test.jsonl", "hidden/references.jsonl"):
            if (made / name).exists() and verb != "collect":
                assert read_records(folder / name) == read_records(made / name)
    assert len(ends) > 1, "killed too early or too late each time"


def _event(verb):
    return {"collect": "collected", "freeze": "frozen", "pack": "packed"}[verb]
