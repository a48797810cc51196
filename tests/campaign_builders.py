"""A small campaign with a pack, teams and files of answers, at moments one tells."""

import json
import random
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from demur.campaigns.folder import Campaign
from demur.campaigns.making import make_campaign
from demur.campaigns.submitting import Receipt, submit
from demur.campaigns.teams import add_team

MADE = datetime(2027, 2, 20, 9, tzinfo=UTC)
OPENS = datetime(2027, 3, 1, tzinfo=UTC)
CLOSES = datetime(2027, 3, 15, tzinfo=UTC)
DURING = datetime(2027, 3, 5, 12, tzinfo=UTC)
TOKEN = "a token of tests"
ITEMS = ("q1", "q2", "q3", "q4")

RULES = """
name = "Flights"
[scoring]
by = "text"
[[phases]]
name = "test"
opens = 2027-03-01T00:00:00Z
closes = 2027-03-15T00:00:00Z
{phase}
{more}
"""


def campaign_in(
    folder: Path,
    *,
    teams: Iterable[str] = ("alpha", "beta"),
    items: Iterable[str] = ITEMS,
    phase: str = "",
    more: str = "",
) -> Campaign:
    """A campaign whose pack is out and whose teams have their token."""
    make_campaign(folder, name="Flights", when=MADE, key="a key of tests")
    (folder / "campaign.toml").write_text(RULES.format(phase=phase, more=more), "utf-8")
    (folder / "pack").mkdir()
    questions = [{"item": item, "input": f"what is {item}?"} for item in items]
    (folder / "pack/questions.jsonl").write_bytes(lines_of(questions))
    campaign = Campaign(folder)
    campaign.append("packed", when=MADE, files=campaign.digests("pack/questions.jsonl"))
    for team in teams:
        add_team(campaign, team, token=TOKEN, when=MADE)
    return campaign


def lines_of(records: Iterable[Any]) -> bytes:
    """Records as JSON Lines."""
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def answers(items: Iterable[str] = ITEMS, **more: Any) -> list[dict[str, Any]]:
    """A guess for each item."""
    return [{"item": item, "response": f"a {item}", **more} for item in items]


def answer_file(folder: Path, records: Iterable[Any], name: str = "answers") -> Path:
    """A file of answers outside the campaign."""
    path = folder / f"{name}.jsonl"
    path.write_bytes(lines_of(records))
    return path


def hand_in(
    campaign: Campaign, path: Path, team: str = "alpha", now: datetime = DURING
) -> Receipt:
    """A file handed in with the team's own token."""
    return submit(campaign, path, team=team, token=TOKEN, now=now)


def played(folder: Path) -> Campaign:
    """A campaign with three submissions of two teams, one of them withdrawn."""
    from demur.campaigns.submitting import withdraw

    campaign = campaign_in(folder / "campaign")
    for number, team in enumerate(("alpha", "beta", "alpha")):
        path = answer_file(folder, answers(confidence=number / 4), f"a{number}")
        hand_in(campaign, path, team, DURING + timedelta(minutes=number))
    late = DURING + timedelta(hours=1)
    withdraw(campaign, 1, team="alpha", token=TOKEN, now=late)
    return campaign


def damaged(data: bytes, draw: random.Random) -> bytes:
    """The same with a byte flipped, removed or put in, or two lines exchanged."""
    at = draw.randrange(len(data))
    kind = draw.choice(["flip", "remove", "insert", "lines", "line", "twice"])
    if kind == "flip":
        return data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1 :]
    if kind == "remove":
        return data[:at] + data[at + 1 :]
    if kind == "insert":
        return data[:at] + bytes([draw.randrange(256)]) + data[at:]
    lines = data.splitlines(keepends=True)
    first, second = sorted(draw.sample(range(len(lines)), 2))
    if kind == "lines":
        lines[first], lines[second] = lines[second], lines[first]
    elif kind == "line":
        del lines[first]  # never the last one, which a receipt shows
    else:
        lines.insert(first, lines[second])
    return b"".join(lines)
