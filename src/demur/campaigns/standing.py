"""Where a campaign stands: its phases, its teams, what waits to be scored."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from demur.campaigns.folder import Campaign, Submission, references_name
from demur.campaigns.moments import moment_text
from demur.campaigns.quotas import quota_of
from demur.campaigns.rules import Phase
from demur.results import Column, Result, Table, count, printable, with_noun

_PHASES: Final = (
    Column("phase"),
    Column("opens"),
    Column("closes"),
    Column("state"),
    Column("submissions", cells="count", explained="of a team in it; - is any number"),
    Column("per_day", "per day", "count", "of a team in a UTC day"),
)
_TEAMS: Final = (
    Column("team"),
    Column("contributor", explained="whose questions are its own"),
    Column("taken", cells="count", explained="submissions, withdrawn ones too"),
    Column("withdrawn", cells="count"),
    Column("refused", cells="count", explained="files and tries that used none"),
    Column("left", cells="count", explained="that it may still hand in today"),
    Column("last", explained="when its last submission came"),
)
_WAITING: Final = (
    Column("submission", cells="count"),
    Column("team"),
    Column("system"),
    Column("when"),
)


@dataclass(frozen=True, eq=False, repr=False)
class CampaignStanding(Result):
    """Where a campaign stands.

    Parameters
    ----------
    name : str
    now : datetime
    open : Phase or None
        The phase that is open.
    phases : tuple of (Phase, str)
        Each with its state.
    teams : tuple of tuple
        A row for each team.
    waiting : tuple of Submission
        Those without verdicts by the newest references, the first to be scored first.
    closed : datetime or None
        When the campaign was closed.
    rules_changed : int
        How often the rules were changed since they were logged first.
    """

    KINDS = (
        count("n_teams", "teams"),
        count("n_submissions", "submissions, withdrawn ones too"),
        count("n_waiting", "submissions that wait to be scored", better="lower"),
    )

    name: str
    now: datetime
    open: Phase | None
    phases: tuple[tuple[Phase, str], ...]
    teams: tuple[tuple[Any, ...], ...]
    waiting: tuple[Submission, ...]
    closed: datetime | None
    rules_changed: int

    @property
    def n_teams(self) -> int:
        """How many teams there are."""
        return len(self.teams)

    @property
    def n_submissions(self) -> int:
        """How many submissions were taken."""
        return sum(row[2] for row in self.teams)

    @property
    def n_waiting(self) -> int:
        """How many submissions wait to be scored."""
        return len(self.waiting)

    def sentence(self) -> str:
        """What is open, until when, and what waits."""
        if self.closed is not None:
            state = f"closed since {moment_text(self.closed)}"
        elif self.open is not None:
            state = f"phase {self.open.name} is open until {_end(self.open)}"
        else:
            state = "no phase is open"
        waits = with_noun(self.n_submissions, "submission")
        return (
            f"{printable(self.name)}: {state}; {with_noun(self.n_teams, 'team')}, "
            f"{waits}, {self.n_waiting} to be scored. It is {moment_text(self.now)}."
        )

    def tables(self) -> tuple[Table, ...]:
        """Phases, teams, and the queue."""
        phases = [
            (
                phase.name,
                *(moment_text(phase.opens), moment_text(phase.closes), state),
                *(phase.submissions, phase.per_day),
            )
            for phase, state in self.phases
        ]
        waiting = [
            (one.number, one.team, one.system, moment_text(one.when))
            for one in self.waiting
        ]
        tables = [("Phases", _PHASES, phases), ("Teams", _TEAMS, self.teams)]
        tables += [("To be scored, in this order", _WAITING, waiting)]
        return tuple(
            Table(title, columns, tuple(rows))
            for title, columns, rows in tables
            if rows
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Whether the rules were changed."""
        if not self.rules_changed:
            return ()
        times = "once" if self.rules_changed == 1 else f"{self.rules_changed} times"
        return (f"the rules were changed {times}: each is in the log, with their text",)

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        named = {table.title.partition(",")[0]: table for table in self.tables()}
        rows = {
            title.lower().replace(" ", "_"): [
                dict(zip((column.key for column in table.columns), row, strict=True))
                for row in table.rows
            ]
            for title, table in named.items()
        }
        open_now = self.open.name if self.open else None
        plain = {"name": self.name, "now": moment_text(self.now), "open": open_now}
        closed = moment_text(self.closed) if self.closed else None
        return {**plain, "closed": closed, "rules_changed": self.rules_changed, **rows}


def standing(campaign: Campaign, now: datetime) -> CampaignStanding:
    """Where a campaign stands at a moment."""
    rules = campaign.rules
    closed = campaign.closed
    changed = sum(1 for _ in campaign.events("rules")) - 1
    return CampaignStanding(
        name=rules.name,
        now=now,
        open=campaign.phase(now) if closed is None else None,
        phases=tuple((phase, _state(phase, now)) for phase in rules.phases),
        teams=tuple(_team_rows(campaign, now)),
        waiting=tuple(submissions_waiting(campaign)),
        closed=closed.when if closed else None,
        rules_changed=max(0, changed),
    )


def _state(phase: Phase, now: datetime) -> str:
    if now < phase.opens:
        return "to come"
    if not phase.is_open(now):
        return "over"
    return "open" if now < phase.closes else "in its grace"


def _end(phase: Phase) -> str:
    grace = f", and {phase.grace} s of grace" if phase.grace else ""
    return f"{moment_text(phase.closes)}{grace}"


def _team_rows(campaign: Campaign, now: datetime) -> Iterator[tuple[Any, ...]]:
    taken: dict[str, list[Submission]] = {name: [] for name in campaign.teams}
    for submission in campaign.submissions.values():
        taken[submission.team].append(submission)
    refused = [entry.facts["team"] for entry in campaign.events("refused")]
    phase = campaign.phase(now)
    for team in campaign.teams.values():
        of_team = taken[team.name]
        left = quota_of(campaign, team.name, phase, now).left if phase else None
        yield (
            team.name,
            team.contributor,
            len(of_team),
            sum(one.withdrawn is not None for one in of_team),
            refused.count(team.name),
            left,
            moment_text(of_team[-1].when) if of_team else None,
        )


def submissions_waiting(campaign: Campaign) -> list[Submission]:
    """What has no verdicts by the newest references, but for what is withdrawn."""
    newest = _newest_version(campaign)
    scored = {
        entry.facts["number"]
        for entry in campaign.events("scored")
        if entry.facts.get("version") == newest.get("number")
    }
    behind = is_behind(campaign)
    return [
        submission
        for number, submission in campaign.submissions.items()
        if submission.withdrawn is None and (behind or number not in scored)
    ]


def is_behind(campaign: Campaign) -> bool:
    """Whether references were changed since the newest version was begun.

    It asks the log alone, so that a copy without hidden answers can tell, too.
    """
    scorer = _newest_version(campaign).get("scorer", {})
    decided = [*campaign.events("frozen", "adjudicated")]
    if not (scorer and decided):
        return False
    newest = decided[-1]
    name = references_name(newest.facts["references"])
    return bool(newest.files[name] != scorer["references"])


def _newest_version(campaign: Campaign) -> Mapping[str, Any]:
    versions = [entry.facts for entry in campaign.events("version")]
    return versions[-1] if versions else {}
