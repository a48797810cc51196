"""A campaign with references and submissions, as the other verbs leave it."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from demur.campaigns.folder import REFERENCES, Campaign
from demur.campaigns.freezing import scoring_facts
from demur.campaigns.making import make_campaign
from demur.campaigns.teams import add_team

OPENS = datetime(2027, 3, 1, tzinfo=UTC)
DURING = datetime(2027, 3, 5, tzinfo=UTC)
AFTER = datetime(2027, 4, 1, tzinfo=UTC)

RULES = """
name = "Played"
[scoring]
by = "text"
measure = "{measure}"
[board]
rates = [{rates}]
digits = {digits}
{more}
[[phases]]
name = "test"
opens = 2027-03-01T00:00:00Z
closes = 2027-03-15T00:00:00Z
submissions = {submissions}
"""


def played(  # the numbers of the rules, by name
    folder: Path,
    references: Sequence[dict[str, Any]],
    *,
    measure: str = "error@0.2",
    rates: str = "0.2",
    digits: int = 2,
    submissions: int = 5,
    more: str = 'accepts = ["leak"]',
    key: str = "a key of tests",
) -> Campaign:
    """A campaign whose references are frozen and whose phase is open."""
    campaign = make_campaign(folder, name="Played", when=OPENS, by="text", key=key)
    rules = RULES.format(
        measure=measure,
        rates=rates,
        digits=digits,
        submissions=submissions,
        more=more,
    )
    (folder / "campaign.toml").write_text(rules, "utf-8")
    write_lines(folder / REFERENCES, references)
    campaign = Campaign(folder)
    scoring = scoring_facts(campaign.rules.scoring)
    facts = {"references": 1, "scoring": scoring, "files": campaign.digests(REFERENCES)}
    campaign.append("frozen", when=OPENS, **facts)
    return campaign


def write_lines(path: Path, records: Sequence[dict[str, Any]]) -> None:
    """JSON Lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(record) + "\n" for record in records)
    path.write_text(text, "utf-8")


def take_in(campaign: Campaign, team: str, contributor: str | None = None) -> None:
    """A team, with a token that is told."""
    add_team(
        campaign,
        team,
        token="a token of tests",
        when=OPENS,
        contributor=contributor,
    )


def hand_in(campaign: Campaign, team: str, answers: Sequence[dict[str, Any]]) -> int:
    """A submission, as ``demur campaign submit`` takes it."""
    number = len(campaign.submissions) + 1
    name = f"submissions/{number:04}.jsonl"
    write_lines(campaign.path / name, answers)
    answered = sum(one.get("response") is not None for one in answers)
    facts: dict[str, Any] = {
        "number": number,
        "team": team,
        "system": "s",
        "phase": "test",
        "answers": {
            "items": len(answers),
            "answered": answered,
            "unanswered": len(answers) - answered,
            "declined": 0,
        },
        "confidences": True,
        "late": False,
        "files": campaign.digests(name),
    }
    campaign.append("submitted", when=DURING, **facts)
    return number
