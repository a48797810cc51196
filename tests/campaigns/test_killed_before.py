"""Collecting, freezing and packing, killed before any change of a file: all or none."""

import os
import random
import shutil
import signal
import sys

import pytest

from builders import printed, read_records, run, storm
from demur.campaigns.folder import Campaign
from demur.campaigns.verifying import verify
from question_cases import SITES, labels_of, site_questions, write, written_sites

ALL = {site: site_questions(site, dialogues=3) for site in SITES}
NOW = ("--now", "2027-01-05T00:00:00Z")
EVENTS = {"collect": "collected", "freeze": "frozen", "pack": "packed"}
CHANGES = {"os.rename", "os.mkdir", "os.remove", "os.link", "os.truncate", "os.rmdir"}
"""What the system is asked for that changes a folder, beside files that are opened."""

MOST = 60
"""Changes that a step makes, at most."""


CASES = [(verb, number) for number in range(1, MOST) for verb in EVENTS]
random.Random(0).shuffle(CASES)


@pytest.fixture(scope="module")
def steps(tmp_path_factory):
    """The three commands, and the campaign as it is before each of them."""
    folder = tmp_path_factory.mktemp("killed")
    sites = [f"{site}={path}" for site, [path] in written_sites(folder, ALL).items()]
    labels = write(folder / "labels.jsonl", labels_of(ALL))
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
    # A pack takes the place of a former one, which is the longer way.
    before["pack"] = folder / "before pack again"
    shutil.copytree(made, before["pack"])
    return commands, before, made


def killed_before(change: int, folder, *words) -> bool:
    """Run a command that is killed before its nth change of a file; whether it was."""
    seen = 0

    def hook(event, arguments):
        nonlocal seen
        writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & 3
        if (writes or event in CHANGES) and str(folder) in str(arguments):
            seen += 1
            if seen == change:
                os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if not child:
        sys.addaudithook(hook)
        os._exit(run("campaign", *words, *NOW).code)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        assert os.waitstatus_to_exitcode(status) == 0
    return os.WIFSIGNALED(status)


@pytest.mark.parametrize(
    ("verb", "change"),
    storm(CASES, sample=15),
)
def test_a_killed_step_is_done_or_undone_and_can_be_done_again(
    steps, tmp_path, verb, change
):
    commands, before, made = steps
    folder = tmp_path / "c"
    shutil.copytree(before[verb], folder)
    former = len(list(Campaign(folder).events(EVENTS[verb])))
    killed = killed_before(change, folder, verb, folder, *commands[verb])
    logged = len(list(Campaign(folder).events(EVENTS[verb]))) - former
    assert logged in ((0, 1) if killed else (1,))
    if verb != "pack":  # a former pack may be gone, and is made again
        assert not verify(folder).findings
    if not logged:
        printed("campaign", verb, folder, *commands[verb], *NOW)
    assert not verify(folder).findings
    if verb != "collect":
        for name in ("questions/test.jsonl", "hidden/references.jsonl"):
            assert read_records(folder / name) == read_records(made / name)
    if verb == "pack":
        for path in (made / "pack").iterdir():
            assert (folder / "pack" / path.name).read_bytes() == path.read_bytes()


def test_every_step_is_killed_at_all_its_changes(steps, tmp_path):
    """The numbers above reach the end of each step."""
    commands, before, _ = steps
    for verb in EVENTS:
        folder = tmp_path / verb
        shutil.copytree(before[verb], folder)
        assert not killed_before(MOST, folder, verb, folder, *commands[verb])
        again = tmp_path / f"{verb} again"
        shutil.copytree(before[verb], again)
        assert killed_before(3, again, verb, again, *commands[verb])
