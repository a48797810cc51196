"""``demur campaign``: what is printed, where it goes, and how commands end."""

import json
import shutil
from pathlib import Path

import pytest

from builders import printed, printed_json, run, stderr_of
from campaign_builders import ITEMS, TOKEN, answer_file, answers, lines_of

RULES = """
name = "Flights"
[scoring]
by = "text"
[[phases]]
name = "test"
opens = 2027-03-01T00:00:00Z
closes = 2027-03-15T00:00:00Z
submissions = 2
"""
BEFORE = ("--now", "2027-02-20T00:00:00Z")
DURING = ("--now", "2027-03-05T12:00:00Z")
ALPHA = ("--team", "alpha", "--token", TOKEN)


@pytest.fixture
def folder(tmp_path) -> Path:
    folder = tmp_path / "flights"
    printed("campaign", "new", folder, "--name", "Flights", *BEFORE)
    (folder / "campaign.toml").write_text(RULES)
    (folder / "pack").mkdir()
    (folder / "pack/questions.jsonl").write_bytes(
        lines_of({"item": item} for item in ITEMS)
    )
    printed("campaign", "team", folder, "alpha", "--token", TOKEN, *BEFORE)
    return folder


@pytest.fixture
def good(tmp_path) -> Path:
    return answer_file(tmp_path, answers(confidence=0.5))


@pytest.fixture
def broken(tmp_path) -> Path:
    return answer_file(tmp_path, answers(["q1", "q1", "q2"], min="?"), "broken")


def test_a_new_folder_has_rules_that_can_be_read(tmp_path):
    folder = tmp_path / "new"
    said = printed("campaign", "new", folder, "--name", 'Say "hi" \\ x', *BEFORE)
    assert f"{folder}/campaign.toml" in said
    names = sorted(path.name for path in folder.iterdir())
    assert names == [
        *(".gitignore", "README.md", "boards", "campaign.toml", "hidden"),
        *("log.jsonl", "questions", "submissions", "verdicts"),
    ]
    assert "hidden/" in (folder / ".gitignore").read_text("utf-8")
    status = printed_json("campaign", "status", folder, *BEFORE)
    assert status["name"] == 'Say "hi" \\ x'
    assert status["phases"][0]["opens"] == "2027-02-27T00:00:00Z"
    assert "be new, or empty" in stderr_of(
        "campaign", "new", folder, "--name", "x", code=2
    )
    assert "one line" in stderr_of("campaign", "new", tmp_path / "b", "--name", "a\nb")
    assert not (tmp_path / "b").exists()


def test_a_token_is_made_at_random_and_printed_once(folder):
    ended = run("campaign", "team", folder, "beta", "--contributor", "bbn", *BEFORE)
    token = ended.out.split()[-1]
    assert ended.code == 0
    assert len(token) > 30
    assert token.isalnum()  # --token takes no value that begins like an option
    assert "shown once" in ended.err
    assert token not in (folder / "log.jsonl").read_text("utf-8")
    other = printed("campaign", "team", folder, "beta", "--renew", *BEFORE).split()[-1]
    assert other != token
    (team,) = [
        row
        for row in printed_json("campaign", "status", folder, *DURING)["teams"]
        if row["team"] == "beta"
    ]
    assert team["contributor"] == "bbn"


def test_a_moment_years_ahead_must_be_told_twice(folder):
    """Nothing could be logged before it afterwards."""
    ahead = ("--now", "2077-03-05T12:00:00Z")
    words = ("campaign", "team", folder, "beta")
    error = stderr_of(*words, *ahead, code=2)
    assert (
        "within two years of the last entry of the log, 2027-02-20T00:00:00Z" in error
    )
    assert "be one moment" in stderr_of(*words, *ahead, *DURING, code=2)
    printed("campaign", "status", folder, *ahead)  # which logs nothing
    printed(*words, *DURING)
    printed("campaign", "team", folder, "gamma", *ahead, *ahead)
    error = stderr_of("campaign", "team", folder, "delta", *DURING)
    assert "If a --now was too late, put the folder back" in error


def test_a_file_is_checked_without_the_campaign(folder, good, broken, tmp_path):
    shutil.copytree(folder / "pack", tmp_path / "pack")
    shutil.rmtree(folder)
    assert "whole: 4 questions, 4 with a guess" in printed(
        "campaign", "check", tmp_path / "pack", good
    )
    ended = run("campaign", "check", tmp_path / "pack", broken)
    assert ended.code == 4
    assert f"{broken}:2: q1: is answered in line 1 already" in ended.out
    assert "'min' is not read" in ended.out
    ended = run("campaign", "check", tmp_path / "pack", broken, "--json")
    assert ended.code == 4
    assert json.loads(ended.out)["counts"] == {"columns": 3, "again": 1, "missing": 2}


def test_a_submission_and_its_receipt(folder, good, broken, tmp_path):
    receipt = tmp_path / "receipt.json"
    words = ("campaign", "submit", folder)
    ended = run(*words, good, *ALPHA, *DURING, "--receipt", receipt)
    assert (ended.code, "Submission 1 of alpha is taken" in ended.out) == (0, True)
    held = json.loads(receipt.read_text("utf-8"))
    assert held["head"] in ended.out
    assert (
        printed_json("campaign", "verify", folder, "--receipt", receipt)["head"]
        == (held["head"])
    )
    ended = run(*words, broken, *ALPHA, *DURING)
    assert ended.code == 4
    assert "has used no submission" in ended.err
    assert printed_json(*words, good, *ALPHA, *DURING)["number"] == 2
    assert "2 of 2 in phase test" in stderr_of(*words, good, *ALPHA, *DURING)
    wrong = ("--team", "alpha", "--token", "of somebody else")
    assert "the token must be that of" in stderr_of(*words, good, *wrong, *DURING)


def test_the_token_may_be_in_the_environment(folder, good, monkeypatch):
    words = ("campaign", "submit", folder, good, "--team", "alpha", *DURING)
    monkeypatch.delenv("DEMUR_TOKEN", raising=False)
    assert "--token must be given" in stderr_of(*words, code=2)
    monkeypatch.setenv("DEMUR_TOKEN", TOKEN)
    assert "Submission 1" in printed(*words)


def test_withdrawing_and_granting(folder, good):
    for _ in range(2):
        printed("campaign", "submit", folder, good, *ALPHA, *DURING)
    said = printed("campaign", "withdraw", folder, 1, *ALPHA, *DURING)
    assert "it stays in the log" in said
    printed("campaign", "grant", folder, "alpha", "--phase", "test", *DURING)
    status = printed_json("campaign", "status", folder, *DURING)
    (team,) = status["teams"]
    assert (team["taken"], team["withdrawn"], team["left"]) == (2, 1, 1)
    assert [row["submission"] for row in status["to_be_scored"]] == [2]
    assert run("campaign", "status", folder, *DURING, "--fail-if", "n_waiting > 0").code
    text = printed("campaign", "status", folder, *DURING)
    assert "phase test is open until 2027-03-15T00:00:00Z; 1 team, 2" in text


def test_verify_says_what_was_changed(folder, good):
    printed("campaign", "submit", folder, good, *ALPHA, *DURING)
    assert "Nothing was changed" in printed("campaign", "verify", folder)
    path = folder / "submissions/0001.jsonl"
    path.write_bytes(path.read_bytes().replace(b"a q1", b"b q1"))
    ended = run("campaign", "verify", folder)
    assert ended.code == 4
    assert "submissions/0001.jsonl: is not as in entry" in ended.out


def test_a_torn_log_is_mended_by_the_next_writer_who_says_so(folder, good):
    with (folder / "log.jsonl").open("ab") as log:
        log.write(b'{"torn')
    assert run("campaign", "verify", folder).code == 4
    ended = run("campaign", "submit", folder, good, *ALPHA, *DURING)
    assert ended.code == 0
    assert "note: " in ended.err
    assert "torn off is dropped (6 bytes)" in ended.err
    assert "Nothing was changed" in printed("campaign", "verify", folder)


@pytest.mark.parametrize(
    "moment", ["2027-03-05", "12:00", "2027-03-05T12:00:00", "now"]
)
def test_a_moment_must_be_in_utc(moment, folder):
    said = stderr_of("campaign", "status", folder, "--now", moment, code=2)
    assert "--now: now: the moment must" in said


def test_what_is_no_campaign_is_said(tmp_path, good):
    for words in (
        ("status", tmp_path),
        ("submit", tmp_path, good, *ALPHA),
        ("withdraw", tmp_path, 1, *ALPHA),
        ("team", tmp_path / "none", "x"),
    ):
        assert "be the folder of a campaign" in stderr_of("campaign", *words, *DURING)
    assert "be a file that can be read" in stderr_of("campaign", "verify", tmp_path)
    assert "be a pack" in stderr_of("campaign", "check", tmp_path, good)
    said = stderr_of("campaign", "sumbit", tmp_path, code=2)
    assert "'sumbit' is no verb; did you mean submit?" in said
