"""Scoring: once each, by one rule, whatever is killed meanwhile."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from campaign_cases import DURING, hand_in, played, take_in, write_lines
from demur.campaigns import judging_workers, scorer_versions, scoring_queue
from demur.campaigns.folder import REFERENCES, Campaign
from demur.campaigns.freezing import scoring_facts
from demur.campaigns.judging_workers import (
    CODES,
    JudgingProcess,
    JudgingTask,
    judged_by_processes,
)
from demur.campaigns.scoring_queue import (
    blind_floor,
    score_campaign,
    scored_by,
    verdicts_name,
)
from demur.campaigns.verifying import verify
from demur.errors import InputError
from demur.formats import read_outcomes

N = 20
HIDDEN = "hiddenword"


def questions(n: int = N) -> list[dict[str, Any]]:
    return [
        {"item": f"q{i}", "reference": f"{HIDDEN}{i % 7}", "contributor": "xy"[i % 2]}
        for i in range(n)
    ]


def answers(wrong: int, n: int = N) -> list[dict[str, Any]]:
    return [
        {
            "item": f"q{i}",
            "response": "no" if i < wrong else f"{HIDDEN}{i % 7}",
            "confidence": i / n,
        }
        for i in range(n)
    ]


def clock() -> datetime:
    return DURING


def with_teams(folder: Path, *wrong: int, n: int = N, **rules: Any) -> Campaign:
    campaign = played(folder, questions(n), **rules)
    for at in range(len(wrong)):
        take_in(campaign, f"team {at}")
    for at, number in enumerate(wrong):
        hand_in(campaign, f"team {at}", answers(number, n))
    return campaign


def in_this_process(
    tasks: list[JudgingTask], references: str, how: Any, **_: Any
) -> Iterator[Any]:
    """Judge as the processes do, without their start."""
    known: list[Any] = []
    for task in tasks:
        yield judging_workers._done(task, {"references": references, "how": how}, known)


@pytest.fixture
def processes() -> None:
    """Asked for by tests that judge in processes of their own."""


@pytest.fixture(autouse=True)
def _here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "processes" not in request.fixturenames:
        monkeypatch.setattr(scoring_queue, "judged_by_processes", in_this_process)


@pytest.mark.usefixtures("processes")
def test_all_are_judged_once(tmp_path: Path) -> None:
    campaign = with_teams(tmp_path / "c", 3, 8)
    found = score_campaign(campaign, clock=clock, workers=1)
    assert (found.version, found.judged, found.failed, found.known) == (1, 2, 0, 0)
    again = score_campaign(Campaign(tmp_path / "c"), clock=clock)
    assert (again.judged, again.known) == (0, 2)
    outcomes = read_outcomes(str(tmp_path / "c" / verdicts_name(1, 2)))
    assert (outcomes.outcome == 1).sum() == 8
    assert outcomes.systems == ("team 1",)
    assert "is right on 3 of 20" in blind_floor(campaign)


def test_verdicts_and_log_hold_nothing_of_references(tmp_path: Path) -> None:
    campaign = with_teams(tmp_path / "c", 20, 20)
    score_campaign(campaign, clock=clock, workers=1)
    for path in (tmp_path / "c").rglob("*"):
        secret = "hidden" in path.parts or "submissions" in path.parts
        if path.is_file() and not secret:
            assert HIDDEN.encode() not in path.read_bytes(), path
    ignored = (tmp_path / "c" / ".gitignore").read_text()
    assert "hidden/" in ignored
    assert "verdicts/" in ignored


def test_hashes_of_verdicts_cannot_be_guessed(tmp_path: Path) -> None:
    """The log may be public: all verdicts of few items could be tried."""
    seals = []
    for key in ("one", "two"):
        folder = tmp_path / key
        campaign = played(
            folder, [{"item": "q", "reference": "yes"}], submissions=1, key=key
        )
        take_in(campaign, "t")
        hand_in(campaign, "t", [{"item": "q", "response": "no", "confidence": 1.0}])
        score_campaign(campaign, clock=clock, workers=1)
        path = campaign.path / verdicts_name(1, 1)
        seals.append(json.loads(path.read_text())["seal"])
    assert len(seals[0]) == 32
    assert seals[0] != seals[1]


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("not json\n", "unreadable"),
        ('{"item": "q0", "response": "x", "confidence": "high"}\n', "unreadable"),
        ('{"item": "q0", "response": "x"}\n', "unreadable"),
        ("", "unreadable"),
        ('{"item": "q0", "response": ' + "[" * 100_000 + "\n", "unreadable"),
    ],
)
def test_one_that_cannot_be_judged_stops_nobody(
    tmp_path: Path, lines: str, code: str
) -> None:
    campaign = with_teams(tmp_path / "c", 3, 8)
    path = campaign.path / "submissions/0003.jsonl"
    path.write_text(lines)
    facts = dict(next(reversed([*campaign.events("submitted")])).facts)
    facts |= {"number": 3, "files": campaign.digests("submissions/0003.jsonl")}
    campaign.append("submitted", when=DURING, **facts)
    found = score_campaign(campaign, clock=clock, workers=1)
    assert (found.judged, found.failed) == (2, 1)
    assert found.failures == ((3, "team 1", code),)
    shown = str(found) + (campaign.path / "log.jsonl").read_text()
    assert HIDDEN not in shown
    again = score_campaign(campaign, clock=clock)
    assert (again.judged, again.failed, again.known) == (0, 0, 3)
    tried = score_campaign(campaign, clock=clock, retry=True)
    assert (tried.judged, tried.failed, tried.known) == (0, 1, 2)


def test_a_file_that_was_changed_is_not_judged(tmp_path: Path) -> None:
    campaign = with_teams(tmp_path / "c", 3, 8)
    write_lines(campaign.path / "submissions/0001.jsonl", answers(0))
    (campaign.path / "submissions/0002.jsonl").unlink()
    found = score_campaign(campaign, clock=clock, workers=1)
    assert [code for _, _, code in found.failures] == ["changed", "changed"]


@pytest.mark.usefixtures("processes")
def test_what_takes_too_long_has_failed(tmp_path: Path) -> None:
    campaign = with_teams(tmp_path / "c", 3)
    found = score_campaign(campaign, clock=clock, workers=1, limit=0.0)
    assert found.failures == ((1, "team 0", "time"),)
    found = score_campaign(campaign, clock=clock, workers=1, retry=True)
    assert (found.judged, found.failed) == (1, 0)


@pytest.mark.usefixtures("processes")
def test_a_process_that_dies_takes_nobody_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first process is killed before it is handed a submission."""
    write_lines(tmp_path / "r.jsonl", questions())
    write_lines(tmp_path / "a.jsonl", answers(2))
    begin, begun = JudgingProcess.begin, []

    def kill_first(process: JudgingProcess, task: JudgingTask) -> None:
        if not begun:
            process._process.kill()
        begun.append(task.number)
        begin(process, task)

    monkeypatch.setattr(JudgingProcess, "begin", kill_first)
    path = str(tmp_path / "a.jsonl")
    tasks = [JudgingTask(1, path, "a"), JudgingTask(2, path, "b")]
    replies = judged_by_processes(
        tasks, str(tmp_path / "r.jsonl"), {"by": "text"}, workers=1, limit=60.0
    )
    assert {reply.number: reply.code for reply in replies} == {1: "died", 2: ""}


def test_withdrawn_ones_are_not_judged(tmp_path: Path) -> None:
    campaign = with_teams(tmp_path / "c", 3, 8)
    campaign.append("withdrawn", when=DURING, number=1, team="team 0")
    assert score_campaign(campaign, clock=clock, workers=1).judged == 1
    assert set(scored_by(campaign, 1)) == {2}


def test_changed_references_are_refused_unless_logged(tmp_path: Path) -> None:
    campaign = with_teams(tmp_path / "c", 3)
    score_campaign(campaign, clock=clock, workers=1)
    path = campaign.path / "hidden/references.jsonl"
    write_lines(path, [{"item": "q0", "reference": "other"}, *questions()[1:]])
    with pytest.raises(InputError, match="be as it was frozen"):
        score_campaign(campaign, clock=clock)


def test_a_database_that_is_not_the_frozen_one_is_refused(tmp_path: Path) -> None:
    campaign = with_teams(tmp_path / "c", 3)
    rules = tmp_path / "c" / "campaign.toml"
    rules.write_text(
        rules.read_text().replace("[scoring]", '[scoring]\ndatabases = "../d.sqlite"')
    )
    (tmp_path / "d.sqlite").write_bytes(b"SQLite format 3\0" + bytes(84))
    campaign = Campaign(tmp_path / "c")
    frozen = {
        "references": 1,
        "scoring": scoring_facts(campaign.rules.scoring),
        "files": campaign.digests(REFERENCES),
        "databases": {"d.sqlite": "0" * 64},
    }
    first, *others = campaign.log.entries
    campaign.log.entries[:] = [
        replace(one, facts=frozen) if one.event == "frozen" else one
        for one in (first, *others)
    ]
    with pytest.raises(InputError, match=r"d.sqlite: the database must be as it was"):
        score_campaign(campaign, clock=clock)
    assert not [*campaign.events("scored")]


def test_a_decision_makes_a_version_and_scores_all_again(tmp_path: Path) -> None:
    campaign = with_teams(tmp_path / "c", 3, 8)
    score_campaign(campaign, clock=clock, workers=1)
    name = "hidden/references.2.jsonl"
    decided = [{**questions()[0], "reference": "no"}, *questions()[1:]]
    write_lines(campaign.path / name, decided)
    facts = {"references": 2, "files": campaign.digests(name)}
    campaign.append("adjudicated", when=DURING, **facts)
    found = score_campaign(campaign, clock=clock, workers=1)
    assert (found.version, found.judged, found.known) == (2, 2, 0)
    (change,) = found.changed
    assert change.startswith("the references: ")
    for number, wrong in ((1, (3, 2)), (2, (8, 7))):
        counts = tuple(
            int((read_outcomes(path).outcome == 1).sum())
            for version in (1, 2)
            for path in [campaign.path / verdicts_name(version, number)]
        )
        assert counts == wrong
    assert not verify(campaign.path).findings


def test_a_changed_comparator_makes_a_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = with_teams(tmp_path / "c", 3)
    score_campaign(campaign, clock=clock, workers=1)
    monkeypatch.setattr(scorer_versions, "JUDGING", 2)
    found = score_campaign(campaign, clock=clock, workers=1)
    assert (found.version, found.judged) == (2, 1)
    assert found.changed == ("the rules of judging: 1 -> 2",)
    assert "This version is new" in found.sentence()


def test_two_at_once_do_not_score_twice(tmp_path: Path) -> None:
    campaign = with_teams(tmp_path / "c", 3)
    with (
        scoring_queue._only_one(campaign),
        pytest.raises(InputError, match="one process at a time"),
    ):
        score_campaign(Campaign(campaign.path), clock=clock)
    assert score_campaign(Campaign(campaign.path), clock=clock, workers=1).judged == 1


def test_others_may_hand_in_meanwhile(tmp_path: Path) -> None:
    """Their entries have later moments, which the log must not run back from."""
    campaign = with_teams(tmp_path / "c", 3, 8)
    later = Campaign(campaign.path)

    def tell(_: str) -> None:
        if len(later.submissions) == 2:
            later.log = Campaign(campaign.path).log
            when = datetime.fromisoformat("2027-03-06T00:00:00+00:00")
            later.append("granted", when=when, team="team 0", phase="test", slots=1)

    found = score_campaign(campaign, clock=clock, workers=1, tell=tell)
    assert found.judged == 2
    assert not verify(campaign.path).findings


@pytest.mark.parametrize("code", CODES)
def test_codes_say_nothing_of_references(code: str) -> None:
    assert CODES[code]


# -- kills -----------------------------------------------------------------------------


def killed_scoring(folder: Path, seconds: float | None) -> float:
    """Score in a fork that is killed after so long; how long it took."""
    begun = time.monotonic()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads that the fork does not have
        child = os.fork()
    if not child:
        try:
            score_campaign(Campaign(folder), clock=clock)
        finally:
            os._exit(0)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return time.monotonic() - begun


def stormed(folder: Path, kills: int, seed: int) -> None:
    """Kill scoring again and again; in the end each submission is judged once."""
    rng = random.Random(seed)
    wrong = [rng.randrange(N) for _ in range(12)]
    campaign = with_teams(folder / "c", *wrong)
    shutil.copytree(folder / "c", folder / "whole")
    whole = killed_scoring(folder / "whole", None)
    for _ in range(kills):
        killed_scoring(campaign.path, rng.uniform(0.0, 0.6) * whole)
    killed_scoring(campaign.path, None)
    campaign = Campaign(campaign.path)
    numbers = [entry.facts["number"] for entry in campaign.events("scored")]
    assert sorted(numbers) == list(range(1, 13))
    assert len([*campaign.events("version")]) == 1
    assert not verify(campaign.path).findings
    for number, count in enumerate(wrong, 1):
        outcomes = read_outcomes(campaign.path / verdicts_name(1, number))
        assert (outcomes.outcome == 1).sum() == count


def test_killed_and_taken_up_again(tmp_path: Path) -> None:
    stormed(tmp_path, 3, seed=1)


@pytest.mark.stress
@pytest.mark.parametrize("seed", range(25))
def test_killed_at_a_hundred_moments(tmp_path: Path, seed: int) -> None:
    stormed(tmp_path, 4, seed=100 + seed)


@pytest.mark.stress
def test_the_command_is_killed_with_its_processes(tmp_path: Path) -> None:
    campaign = with_teams(tmp_path / "c", *range(6))
    words = [sys.executable, "-m", "demur", "campaign", "score", str(campaign.path)]
    words += ["--now", "2027-03-05T00:00:00Z"]
    for seconds in (1.0, 2.0, 3.0, None):
        process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
        if seconds is not None:
            time.sleep(seconds)
            process.kill()
        process.wait()
    numbers = [e.facts["number"] for e in Campaign(campaign.path).events("scored")]
    assert sorted(numbers) == list(range(1, 7))


def test_an_answer_that_looks_like_another_tools_log_is_an_answer(tmp_path):
    """What `check` has passed is read as it was checked."""
    reply = {"object": "chat.completion", "choices": [{"message": {"content": "no"}}]}
    campaign = played(tmp_path / "c", [{"item": "q0", "reference": "no"}])
    take_in(campaign, "t")
    hand_in(campaign, "t", [{"item": "q0", "response": reply, "confidence": 1.0}])
    score_campaign(campaign, clock=clock, workers=1)
    outcomes = read_outcomes(str(campaign.path / verdicts_name(1, 1)))
    assert outcomes.item.tolist() == ["q0"]
    assert outcomes.column("outcome").tolist() == ["wrong"]
