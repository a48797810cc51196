"""Answers handed in: by token, phase and quota; whole, or nothing of them stays."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from builders import refuses, storm
from campaign_builders import (
    CLOSES,
    DURING,
    ITEMS,
    MADE,
    OPENS,
    TOKEN,
    answer_file,
    answers,
    campaign_in,
    hand_in,
    played,
)
from demur.campaigns import checking, submitting
from demur.campaigns.checking import check_answers
from demur.campaigns.folder import Campaign
from demur.campaigns.quotas import quota_of
from demur.campaigns.submitting import AnswersRefused, grant, submit, withdraw
from demur.campaigns.teams import add_team, authenticate
from demur.campaigns.verifying import verify

SECOND = timedelta(seconds=1)
DAY = timedelta(days=1)


@pytest.fixture
def good(tmp_path) -> Path:
    return answer_file(tmp_path, answers(confidence=0.5))


def events(campaign: Campaign) -> list[str]:
    return [entry.event for entry in Campaign(campaign.path).entries]


def names_in(campaign: Campaign) -> list[str]:
    return sorted(path.name for path in (campaign.path / "submissions").iterdir())


# -- a submission ----------------------------------------------------------------------


def test_a_submission_is_copied_whole_and_logged(tmp_path, good):
    campaign = campaign_in(tmp_path / "c")
    receipt = hand_in(campaign, good)
    taken = Campaign(tmp_path / "c").submissions[1]
    assert taken.path.read_bytes() == good.read_bytes()
    assert (taken.team, taken.system, taken.phase) == ("alpha", "alpha", "test")
    assert (taken.when, taken.withdrawn, taken.late) == (DURING, None, False)
    assert taken.answers["answered"] == 4
    assert receipt.head == Campaign(tmp_path / "c").log.head
    assert (receipt.sha256, receipt.number) == (taken.sha256, 1)


def test_packed_files_keep_their_bytes_and_their_ending(tmp_path):
    campaign = campaign_in(tmp_path / "c")
    path = tmp_path / "answers.bin"
    path.write_bytes(gzip.compress(answer_file(tmp_path, answers()).read_bytes()))
    hand_in(campaign, path)
    assert names_in(campaign) == ["0001.jsonl.gz"]
    assert campaign.submissions[1].path.read_bytes() == path.read_bytes()


def test_the_system_is_what_the_file_or_the_team_says(tmp_path, good):
    campaign = campaign_in(tmp_path / "c")
    how = {"team": "alpha", "token": TOKEN, "now": DURING}
    assert submit(campaign, good, **how, system="big").system == "big"
    named = answer_file(tmp_path, answers(system="small"), "named")
    assert submit(campaign, named, **how).system == "small"
    refuses("be 'small', as the file says", submit, campaign, named, **how, system="b")
    refuses("on one line", submit, campaign, good, **how, system="a\nb")
    broken = answer_file(tmp_path, answers(system="a\nb"), "broken")
    refuses("on one line", submit, campaign, broken, **how)
    assert len(campaign.submissions) == 2


def test_the_same_bytes_again_are_noted(tmp_path, good):
    campaign = campaign_in(tmp_path / "c")
    first, other = hand_in(campaign, good), hand_in(campaign, good, "beta")
    again = hand_in(campaign, good)
    assert (first.same_as, other.same_as, again.same_as) == ((), (), (1,))
    assert "the same bytes as submission 1" in again.to_text()
    assert campaign.entries[-1].facts["same_as"] == [1, 2]


def test_a_file_that_is_not_whole_uses_no_submission_and_leaves_nothing(tmp_path, good):
    campaign = campaign_in(tmp_path / "c", phase="submissions = 1")
    secret = answers(["q1", "q1", "q3", "q9"], error="SECRET")
    path = answer_file(tmp_path, secret, "broken")
    for _ in range(3):
        with pytest.raises(AnswersRefused, match="used no submission") as refusal:
            hand_in(campaign, path)
    assert dict(refusal.value.check.counts) == {"foreign": 1, "again": 1, "missing": 2}
    assert names_in(campaign) == []
    text = (campaign.path / "log.jsonl").read_text("utf-8")
    assert "SECRET" not in text
    assert "a q1" not in text
    assert hand_in(campaign, good).number == 1
    assert hand_in(campaign, good, "beta").number == 2


# -- who -------------------------------------------------------------------------------


def test_a_token_is_of_one_team_and_is_not_kept(tmp_path, good):
    campaign = campaign_in(tmp_path / "c", teams=())
    add_team(campaign, "alpha", token="token of alpha", when=MADE, contributor="bbn")
    add_team(campaign, "beta", token="token of beta", when=MADE)
    assert campaign.teams["alpha"].contributor == "bbn"
    for team, token in (
        ("alpha", "token of beta"),
        ("alpha", ""),
        ("alpha", "token of alpha "),
        ("gamma", "token of alpha"),
        ("alpha\0", "token of alpha"),
        ("ALPHA", "token of alpha"),
    ):
        how = {"team": team, "token": token, "now": DURING}
        refuses(
            "the token must be that of the team; got another",
            submit,
            campaign,
            good,
            **how,
        )
    assert submit(campaign, good, team="alpha", token="token of alpha", now=DURING)
    assert "token of" not in (campaign.path / "log.jsonl").read_text("utf-8")
    assert events(campaign).count("refused") == 0  # anybody could fill the log


def test_hashes_of_one_token_differ_and_are_the_same_when_played_again(tmp_path):
    first, second = (campaign_in(tmp_path / name) for name in "ab")
    hashes = [team.token_hash for team in first.teams.values()]
    assert len(set(hashes)) == 2
    assert [team.token_hash for team in second.teams.values()] == hashes
    assert first.log.head == second.log.head


def test_a_lost_token_is_renewed(tmp_path):
    campaign = campaign_in(tmp_path / "c", teams=())
    add_team(campaign, "alpha", token="first token", when=MADE, contributor="bbn")
    add_team(campaign, "alpha", token="second token", when=MADE, renew=True)
    assert authenticate(campaign, "alpha", "second token").contributor == "bbn"
    refuses("that of the team", authenticate, campaign, "alpha", "first token")
    how = {"token": "third token", "when": MADE, "renew": True}
    refuses("Did you mean 'alpha'", add_team, campaign, "alhpa", **how)


@pytest.mark.parametrize(
    "name",
    [
        "ALPHA one",
        "alphaone",
        "\uff41lpha one",
        "\u0430lph\u0430 one",
        "ALPH\u0391 ONE",
    ],
)
def test_a_name_that_looks_like_another_is_refused(name, tmp_path):
    campaign = campaign_in(tmp_path / "c", teams=())
    add_team(campaign, "alpha one", token=TOKEN, when=MADE)
    words = "the name must be one that no team has, nor look like it; got 'alpha one'"
    refuses(words, add_team, campaign, name, token=TOKEN, when=MADE)
    for other in ("alpha 0ne", "\u0430\u043b\u044c\u0444\u0430", "alphas one"):
        add_team(campaign, other, token=TOKEN, when=MADE)


def test_once_the_campaign_is_closed_no_token_is_given(tmp_path):
    campaign = campaign_in(tmp_path / "c", teams=("alpha",))
    campaign.append("closed", when=DURING)
    for name, renew in (("beta", False), ("alpha", True)):
        how = {"token": TOKEN, "when": DURING, "renew": renew}
        words = "the campaign must be open; got closed since 2027-03-05T12:00:00Z"
        refuses(words, add_team, campaign, name, **how)


def test_no_hint_names_an_option_that_check_lacks(tmp_path, good, monkeypatch):
    packed = tmp_path / "a.jsonl.gz"
    packed.write_bytes(gzip.compress(good.read_bytes()))
    monkeypatch.setattr(checking, "MOST_BYTES", len(packed.read_bytes()) + 1)
    campaign = campaign_in(tmp_path / "c")
    check = check_answers(packed, submitting.pack_of(campaign))
    (fault,) = check.faults
    assert "the decompressed file must hold at most" in fault.message
    assert "--max-size" not in fault.message


@pytest.mark.parametrize(
    "name",
    [
        *("../x", "a/b", "a\\b", "a\nb", "", " a", "a ", ".a", "\x1b[31m", "x" * 81),
        *("(never answers)", "(One answer to all)"),
    ],
)
def test_a_name_that_is_none(name, tmp_path):
    campaign = campaign_in(tmp_path / "c", teams=())
    refuses("the name must", add_team, campaign, name, token=TOKEN, when=MADE)
    assert not campaign.teams


def test_names_that_look_alike_are_taken(tmp_path):
    campaign = campaign_in(tmp_path / "c", teams=("Team A", "<b>bold"))
    for name in ("Team A", "team a", "TeamA", "<B>bold"):
        refuses(
            "one that no team has", add_team, campaign, name, token=TOKEN, when=MADE
        )
    for token in ("short", "a token\n", " a token of tests"):
        refuses("the token must", add_team, campaign, "new", token=token, when=MADE)


# -- when ------------------------------------------------------------------------------


def test_deadlines_hold_to_the_second(tmp_path, good):
    campaign = campaign_in(tmp_path / "c")
    early = OPENS - SECOND
    refuses(
        "not yet open.*opens 2027-03-01T00:00:00Z", hand_in, campaign, good, now=early
    )
    assert not hand_in(campaign, good, now=OPENS).late
    assert not hand_in(campaign, good, now=CLOSES - SECOND).late
    late = "closed since 2027-03-15T00:00:00Z .*it is 2027-03-15T00:00:00Z"
    refuses(late, hand_in, campaign, good, now=CLOSES)
    assert events(campaign)[-1] == "refused"
    assert names_in(campaign) == ["0001.jsonl", "0002.jsonl"]


def test_in_its_grace_an_answer_is_taken_and_noted_as_late(tmp_path, good):
    campaign = campaign_in(tmp_path / "c", phase="grace = 60")
    assert not hand_in(campaign, good, now=CLOSES - SECOND).late
    late = hand_in(campaign, good, now=CLOSES)
    assert late.late
    assert "taken in its grace" in late.to_text()
    assert hand_in(campaign, good, now=CLOSES + 59 * SECOND).late
    refuses("closed since", hand_in, campaign, good, now=CLOSES + 60 * SECOND)


def test_between_two_phases_the_next_one_is_named(tmp_path, good):
    more = '[[phases]]\nname = "final"\nopens = 2027-04-01T00:00:00Z\n'
    more += "closes = 2027-04-02T00:00:00Z"
    campaign = campaign_in(tmp_path / "c", more=more)
    between = CLOSES + DAY
    message = r"\(test\).*Phase final opens 2027-04-01T00:00:00Z"
    refuses(message, hand_in, campaign, good, now=between)


def test_nothing_is_taken_once_the_campaign_is_closed(tmp_path, good):
    campaign = campaign_in(tmp_path / "c")
    campaign.append("closed", when=DURING)
    refuses("closed since 2027-03-05T12:00:00Z", hand_in, campaign, good)
    how = {"team": "alpha", "token": TOKEN, "now": DURING}
    refuses("the campaign must be open", withdraw, campaign, 1, **how)


def test_nothing_is_taken_if_the_campaign_was_closed_meanwhile(
    tmp_path, good, monkeypatch
):
    campaign = campaign_in(tmp_path / "c")

    def check(*args, **how):
        Campaign(tmp_path / "c").append("closed", when=CLOSES)
        return check_answers(*args, **how)

    monkeypatch.setattr(submitting, "check_answers", check)
    refuses("closed since", hand_in, campaign, good, now=CLOSES - SECOND)
    assert names_in(campaign) == []
    assert events(campaign)[-2:] == ["closed", "refused"]


def test_a_clock_that_goes_backwards_is_refused(tmp_path, good):
    campaign = campaign_in(tmp_path / "c")
    hand_in(campaign, good)
    refuses("before the last entry", hand_in, campaign, good, now=DURING - SECOND)
    assert hand_in(Campaign(tmp_path / "c"), good).number == 2


# -- how many --------------------------------------------------------------------------


def test_a_quota_is_of_a_team_a_phase_and_a_day_of_utc(tmp_path, good):
    campaign = campaign_in(tmp_path / "c", phase="submissions = 3\nper_day = 2")
    night = OPENS + DAY - SECOND
    hand_in(campaign, good, now=night - SECOND)
    receipt = hand_in(campaign, good, now=night)
    assert (
        "2 of 3 in phase test, 2 of 2 in this UTC day, which ends " in receipt.notes[-1]
    )
    refuses("more from 2027-03-02T00:00:00Z on", hand_in, campaign, good, now=night)
    hand_in(campaign, good, "beta", now=night)
    hand_in(campaign, good, now=night + SECOND)
    message = "3 of 3 in phase test.*The organiser can grant more"
    refuses(message, hand_in, campaign, good, now=night + DAY + SECOND)
    assert events(campaign).count("refused") == 2


def test_a_grant_is_beyond_the_quota(tmp_path, good):
    campaign = campaign_in(tmp_path / "c", phase="submissions = 1\nper_day = 1")
    hand_in(campaign, good)
    how = {"slots": 1, "phase": "test", "now": DURING}
    grant(campaign, "alpha", **how)
    refuses("1 of 2 in phase test, 1 of 1", hand_in, campaign, good)
    grant(campaign, "alpha", **how, day="2027-03-05")
    hand_in(campaign, good)
    hand_in(campaign, good, now=DURING + DAY)
    refuses("none|left", hand_in, campaign, good, now=DURING + 2 * DAY)
    refuses("Did you mean 'beta'", grant, campaign, "bta", **how)
    refuses(
        "the phase must be one of test", grant, campaign, "beta", **how | {"phase": "x"}
    )
    refuses("slots must be", grant, campaign, "beta", **how | {"slots": 0})
    over = how | {"now": CLOSES}
    refuses(
        "must not be over; got 'test', which ended", grant, campaign, "beta", **over
    )


@pytest.mark.parametrize("counts", [True, False])
def test_what_is_withdrawn_stays_and_counts_as_the_rules_say(counts, tmp_path, good):
    campaign = campaign_in(tmp_path / "c", phase="submissions = 1")
    rules = (campaign.path / "campaign.toml").read_text("utf-8")
    rules = f"withdrawn_counts = {str(counts).lower()}\n{rules}"
    (campaign.path / "campaign.toml").write_text(rules, "utf-8")
    campaign = Campaign(campaign.path)
    hand_in(campaign, good)
    how = {"team": "alpha", "token": TOKEN, "now": DURING}
    assert withdraw(campaign, 1, **how).withdrawn == DURING
    assert campaign.submissions[1].path.exists()
    left = quota_of(campaign, "alpha", campaign.rules.phases[0], DURING).left
    assert left == (0 if counts else 1)
    refuses("not be withdrawn already", withdraw, campaign, 1, **how)
    refuses("there are 1", withdraw, campaign, 2, **how)
    other = {**how, "team": "beta"}
    refuses("the team's own; got 1; there are none", withdraw, campaign, 1, **other)


def test_a_change_of_the_rules_is_logged_before_anything_else(tmp_path, good):
    campaign = campaign_in(tmp_path / "c")
    path = campaign.path / "campaign.toml"
    path.write_text(path.read_text("utf-8").replace("03-15", "03-20"), "utf-8")
    changed = Campaign(campaign.path)
    hand_in(changed, good, now=CLOSES)
    assert events(campaign)[-2:] == ["rules", "submitted"]
    texts = [entry.facts["text"] for entry in changed.events("rules")]
    assert len(texts) == 2
    assert "03-15" in texts[0]
    assert not verify(campaign.path).findings
    # Who has read the rules before does not log the old ones again.
    hand_in(campaign, good, now=DURING)
    assert events(campaign)[-1] == "submitted"
    assert len(list(campaign.events("rules"))) == 2


def test_a_pack_that_is_not_the_one_sent_out_is_not_used(tmp_path, good):
    campaign = campaign_in(tmp_path / "c")
    questions = campaign.path / "pack/questions.jsonl"
    questions.write_bytes(questions.read_bytes() + b'{"item": "q5"}\n')
    refuses("be the one of entry", hand_in, campaign, good)


# -- what else is in the folder --------------------------------------------------------


def test_strays_of_killed_submissions_are_cleared(tmp_path, good):
    campaign = campaign_in(tmp_path / "c")
    folder = campaign.path / "submissions"
    for name in ("0001.jsonl", "0007.jsonl.gz", ".arriving-1-0.part", "notes.txt"):
        (folder / name).write_text("half")
    assert hand_in(campaign, good).number == 1
    assert names_in(campaign) == ["0001.jsonl", "notes.txt"]
    assert campaign.submissions[1].path.read_bytes() == good.read_bytes()


def test_a_symbolic_link_leads_nowhere(tmp_path, good):
    campaign = campaign_in(tmp_path / "c")
    outside = tmp_path / "outside"
    outside.mkdir()
    (campaign.path / "submissions").rmdir()
    (campaign.path / "submissions").symlink_to(outside)
    refuses("be no symbolic link", hand_in, campaign, good)
    assert list(outside.iterdir()) == []


def test_a_link_in_place_of_the_next_file_is_replaced_and_not_followed(tmp_path, good):
    campaign = campaign_in(tmp_path / "c")
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (campaign.path / "submissions/0001.jsonl").symlink_to(victim)
    hand_in(campaign, good)
    assert victim.read_text() == "mine"
    assert not campaign.submissions[1].path.is_symlink()


def test_a_folder_that_cannot_be_written_to_says_so(tmp_path, good, monkeypatch):
    campaign = campaign_in(tmp_path / "c")
    opened = os.open

    def read_only(path, flags, *mode, **how):
        if flags & (os.O_WRONLY | os.O_RDWR):
            raise PermissionError(13, "Permission denied")
        return opened(path, flags, *mode, **how)

    monkeypatch.setattr(os, "open", read_only)
    refuses("Permission denied", hand_in, campaign, good)
    refuses("Permission denied", campaign.append, "x", when=DURING)
    monkeypatch.undo()
    assert not campaign.submissions


def test_a_full_disk_takes_nothing(tmp_path, good, monkeypatch):
    campaign = campaign_in(tmp_path / "c")
    before = (campaign.path / "log.jsonl").read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    words = "submissions: the disk must have room .*; got No space left.* not the file"
    refuses(words, hand_in, campaign, good)
    monkeypatch.undo()
    assert names_in(campaign) == []
    assert (campaign.path / "log.jsonl").read_bytes() == before


# -- many at once, and killed ----------------------------------------------------------

SUBMITTER = """
import sys
from demur.campaigns.folder import Campaign
from campaign_builders import DURING, TOKEN
from demur.campaigns.submitting import submit
from demur.errors import InputError
folder, path, team, n = sys.argv[1:]
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(n)):
    try:
        receipt = submit(Campaign(folder), path, team=team, token=TOKEN, now=DURING)
        print(receipt.number, receipt.head, flush=True)
    except InputError as error:
        print("refused", error, flush=True)
"""


def submitter(
    campaign: Campaign, path: Path, team: str, n: int
) -> "subprocess.Popen[str]":
    words = [str(campaign.path), str(path), team, str(n)]
    process = subprocess.Popen(
        [sys.executable, "-c", SUBMITTER, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[1],
    )
    assert process.stdout.readline() == "ready\n"
    return process


def test_several_at_once_each_get_a_number_and_no_more_than_their_quota(tmp_path, good):
    campaign = campaign_in(tmp_path / "c", phase="submissions = 3")
    teams = ("alpha", "alpha", "beta")
    processes = [submitter(campaign, good, team, 3) for team in teams]
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate()[0].splitlines() for process in processes]
    after = Campaign(campaign.path)
    assert sorted(after.submissions) == [1, 2, 3, 4, 5, 6]
    own = [one.team for one in after.submissions.values()]
    assert (own.count("alpha"), own.count("beta")) == (3, 3)
    numbers = [line.split()[0] for lines in said for line in lines]
    assert sorted(n for n in numbers if n != "refused") == [*"123456"]
    assert not verify(campaign.path).findings
    assert len(names_in(campaign)) == 6


@pytest.mark.parametrize("seed", storm(range(100), sample=2))
def test_a_killed_submission_is_whole_or_not_there(seed, tmp_path, good):
    campaign = campaign_in(tmp_path / "c")
    process = submitter(campaign, good, "alpha", 1_000)
    process.stdin.write("go\n")
    process.stdin.flush()
    time.sleep(Random(seed).random() / 2)
    process.send_signal(signal.SIGKILL)
    said = process.communicate()[0].splitlines()
    heads = {line.split()[1] for line in said if len(line) > 65}
    # The next one finds a log that is whole, and what was said is in it.
    receipt = hand_in(Campaign(campaign.path), good, "beta")
    after = Campaign(campaign.path)
    assert heads <= {entry.hash for entry in after.entries}
    assert receipt.number == len(after.submissions)
    assert [int(name[:4]) for name in names_in(campaign)] == sorted(after.submissions)
    found = verify(campaign.path)
    assert not found.findings
    assert not found.notes


def test_everything_that_was_said_can_be_computed_from_the_log_alone(tmp_path):
    campaign = played(tmp_path)
    again = Campaign(campaign.path)
    assert again.submissions == campaign.submissions
    assert again.teams == campaign.teams
    assert [one.withdrawn is None for one in again.submissions.values()] == [
        *(False, True, True)
    ]
    assert (
        json.loads((campaign.path / "log.jsonl").read_text().splitlines()[0])["n"] == 1
    )
    assert len(ITEMS) == again.submissions[1].answers["items"]
