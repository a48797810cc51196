"""How many submissions a team has left, by phase and by UTC day."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from demur.campaigns.folder import Campaign
from demur.campaigns.moments import day_of, moment_text, next_day
from demur.campaigns.rules import Phase
from demur.errors import InputError


@dataclass(frozen=True)
class Quota:
    """What a team has used of a phase, and of a day.

    Parameters
    ----------
    team, phase : str
    used, today : int
        Valid submissions in the phase, and in this UTC day.
    most, per_day : int or None
        How many there may be, with what was granted; None is any number.
    resets : datetime
        When the next day begins.
    closes : datetime
        When the phase does.
    """

    team: str
    phase: str
    used: int
    today: int
    most: int | None
    per_day: int | None
    resets: datetime
    closes: datetime

    @property
    def left(self) -> int | None:
        """How many there may still be today; None is any number."""
        bounds = [(self.most, self.used), (self.per_day, self.today)]
        left = [most - used for most, used in bounds if most is not None]
        return max(0, min(left)) if left else None

    def sentence(self) -> str:
        """What is used and left, and when the day begins anew."""
        phase = f"{self.used} of {_number(self.most)} in phase {self.phase}"
        if self.per_day is None:
            return f"{phase}, which closes {moment_text(self.closes)}"
        day = f"{self.today} of {self.per_day} in this UTC day"
        return f"{phase}, {day}, which ends {moment_text(self.resets)}"

    def check(self) -> None:
        """Refuse another submission if there is none left.

        Raises
        ------
        InputError
            That says when there is one again.
        """
        if self.left != 0:
            return
        spent = self.most is not None and self.used >= self.most
        hint = "The organiser can grant more."
        if not spent and self.resets < self.closes:
            hint = f"There are more from {moment_text(self.resets)} on."
        need = "have a submission left"
        raise InputError("campaign submit", "the team", need, self.sentence(), hint)


def quota_of(campaign: Campaign, team: str, phase: Phase, now: datetime) -> Quota:
    """What a team has used and has left.

    A submission that was withdrawn has used its slot, unless the rules say otherwise;
    one that was refused has not.
    """
    counts = campaign.rules.withdrawn_counts
    used = [
        submission
        for submission in campaign.submissions.values()
        if submission.team == team
        and submission.phase == phase.name
        and (counts or submission.withdrawn is None)
    ]
    today = day_of(now)
    grants = [
        entry.facts
        for entry in campaign.events("granted")
        if entry.facts["team"] == team and entry.facts["phase"] == phase.name
    ]
    of_day = [grant for grant in grants if grant["day"] == today]
    return Quota(
        team=team,
        phase=phase.name,
        used=len(used),
        today=sum(day_of(submission.when) == today for submission in used),
        most=_with(phase.submissions, grants),
        per_day=_with(phase.per_day, of_day),
        resets=next_day(now),
        closes=phase.ends,
    )


def _with(most: int | None, grants: list[Mapping[str, Any]]) -> int | None:
    if most is None:
        return None
    return most + sum(int(grant["slots"]) for grant in grants)


def _number(most: int | None) -> str:
    return "any number" if most is None else str(most)
