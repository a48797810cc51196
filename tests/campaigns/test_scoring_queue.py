"""Scoring: once each, by one rule, whatever is killed meanwhile."""

from pathlib import Path
from typing import Any

from campaign_cases import DURING, hand_in, played, take_in
from demur.campaigns.folder import Campaign
from demur.campaigns.scoring_queue import score_campaign, verdicts_name
from demur.formats import read_outcomes


def questions(n: int) -> list[dict[str, Any]]:
    return [
        {"item": f"q{i}", "reference": f"answer{i % 7}", "contributor": "xy"[i % 2]}
        for i in range(n)
    ]


def answers(n: int, wrong: int) -> list[dict[str, Any]]:
    return [
        {
            "item": f"q{i}",
            "response": "no" if i < wrong else f"answer{i % 7}",
            "confidence": i / n,
        }
        for i in range(n)
    ]


def clock() -> Any:
    return DURING


def test_all_are_judged_once(tmp_path: Path) -> None:
    campaign = played(tmp_path / "c", questions(20))
    for team in ("one", "two"):
        take_in(campaign, team)
    for team, wrong in (("one", 3), ("two", 8)):
        hand_in(campaign, team, answers(20, wrong))
    found = score_campaign(campaign, clock=clock, workers=1)
    assert (found.version, found.judged, found.failed, found.known) == (1, 2, 0, 0)
    again = score_campaign(Campaign(tmp_path / "c"), clock=clock)
    assert (again.judged, again.known) == (0, 2)
    outcomes = read_outcomes(str(tmp_path / "c" / verdicts_name(1, 2)))
    assert (outcomes.outcome == 1).sum() == 8
    assert outcomes.systems == ("two",)
