"""The board of a closed campaign: everything that an open one keeps back."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from demur.campaigns.board_figures import BoardMeasure, RankedSystems, ranking_measure
from demur.campaigns.folder import Campaign
from demur.campaigns.freezing import references_version
from demur.campaigns.item_groups import (
    CampaignItems,
    ItemFacts,
    SystemsByGroup,
    by_group,
    difficulties,
    facts_of,
    interval_of,
    own_and_others,
)
from demur.campaigns.live_boards import (
    baseline_rows,
    board_recipe,
    ranks_text,
)
from demur.campaigns.rank_ranges import rank_ranges
from demur.campaigns.scorer_versions import BoardVersion
from demur.campaigns.scoring_queue import blind_floor, scored_by, verdicts_file
from demur.curves.curves import Curve
from demur.curves.of_outcomes import named_curve
from demur.outcomes.table import Outcomes
from demur.results import Column, Result, Table

LEADING: Final = 10
"""So many curves the picture of the page has."""


@dataclass(frozen=True, eq=False, repr=False)
class FinalStanding(Result):
    """A submission, or a system that does not compete, on a closed board.

    Parameters
    ----------
    team : str
    submission : int or None
    state : str
        "ranked", "ranked, late", "no value", "failed", "withdrawn", "not scored" or
        "not competing".
    ranks : tuple (best, worst), or None
        None without a rank.
    value : float or None
        Of the measure that ranks.
    low, high : float or None
        Of its 95 % interval.
    error, nonreturn : float or None
        By the system's own decisions.
    counts : tuple of int, or None
        Guesses right, wrong, unanswered and ungraded.
    """

    team: str
    submission: int | None
    state: str
    ranks: tuple[int, int] | None = None
    value: float | None = None
    low: float | None = None
    high: float | None = None
    error: float | None = None
    nonreturn: float | None = None
    counts: tuple[int, int, int, int] | None = None


@dataclass(frozen=True, eq=False, repr=False)
class ClosedBoard(Result):
    """The board of a closed campaign, of one version.

    Parameters
    ----------
    campaign : str
    version : int
    changed : tuple of str
        What is not as in the version before.
    measure : BoardMeasure
        What ranks.
    rows : tuple of FinalStanding
        By rank.
    curves : tuple of Curve
        Of the submissions that stand for their teams.
    groups : tuple of SystemsByGroup
        Own questions apart, by contributor, by class; those that there are.
    items : CampaignItems
    notes : tuple of str
    recipe : mapping of str to str
    """

    campaign: str
    version: int
    changed: tuple[str, ...]
    measure: BoardMeasure
    rows: tuple[FinalStanding, ...]
    curves: tuple[Curve, ...]
    groups: tuple[SystemsByGroup, ...]
    items: CampaignItems
    notes: tuple[str, ...] = ()
    recipe: Mapping[str, str] = field(default_factory=dict)

    @property
    def leading_curves(self) -> list[Curve]:
        """Those of the first teams, as many as a picture can tell apart."""
        place = {row.team: at for at, row in enumerate(self.rows)}
        ordered = sorted(self.curves, key=lambda curve: place[curve.system])
        return ordered[:LEADING]

    def sentence(self) -> str:
        """Who is first, or may be."""
        first = [row.team for row in self.rows if row.ranks and row.ranks[0] == 1]
        if not first:
            return f"{self.campaign} is closed; nobody is ranked."
        if len(first) == 1:
            return f"{self.campaign} is closed: {first[0]} is first."
        many = f"{len(first)} teams may be first"
        listed = ", ".join(first[:5]) + (", ..." if len(first) > 5 else "")
        return f"{self.campaign} is closed: {many}, {listed}."

    def tables(self) -> tuple[Table]:
        """A row for each team."""
        name = self.measure.name
        cells = "percent" if self.measure.most == 1 else "number"
        columns = [
            Column("rank", explained="ranks that luck leaves open"),
            Column("team"),
            Column("submission", cells="count", explained="which stands for the team"),
            Column(
                "value",
                f"{name} %" if cells == "percent" else name,
                cells,
                explained=self.measure.words,
            ),
            Column("interval", "95 %", cells, explained="interval"),
            Column(
                "error", "own error %", "percent", "as the systems decide to decline"
            ),
            Column("nonreturn", "not given %", "percent", "by their own decisions"),
            *(
                Column(outcome, cells="count", explained="guesses")
                for outcome in ("right", "wrong", "unanswered", "ungraded")
            ),
            Column("state"),
        ]
        if self.measure.name == "error":
            columns = [column for column in columns if column.key != "error"]
        rows = [self._cells(row, columns) for row in self.rows]
        return (Table("", tuple(columns), tuple(rows)),)

    def _cells(self, row: FinalStanding, columns: Sequence[Column]) -> tuple[Any, ...]:
        counts = row.counts or (None,) * 4
        names = ("right", "wrong", "unanswered", "ungraded")
        cells = {
            **dict(zip(names, counts, strict=True)),
            "rank": ranks_text(row.ranks),
            "interval": None if row.low is None else (row.low, row.high),
        }
        return tuple(
            cells[column.key] if column.key in cells else getattr(row, column.key)
            for column in columns
        )

    def to_dict(self) -> dict[str, Any]:
        """The board as plain values for JSON, without curves and items."""
        return {
            "campaign": self.campaign,
            "open": False,
            "version": self.version,
            "changed": list(self.changed),
            "measure": self.measure.name,
            "test": self.measure.test,
            "rows": [row.to_dict() for row in self.rows],
            "groups": [
                {"of": group.of, "rows": [row.to_dict() for row in group.rows]}
                for group in self.groups
            ],
            "notes": list(self.notes),
            "signature": self.signature,
        }


def closed_board(campaign: Campaign, version: BoardVersion) -> ClosedBoard:
    """The board of a campaign that is closed, by one version."""
    from demur import formats

    measure = ranking_measure(campaign.rules.scoring)
    _, references = references_version(campaign)
    facts = facts_of(formats.iter_references(references))
    chosen, left_out = _chosen(campaign, version, measure)
    tables = {team: outcomes for team, (_, outcomes) in chosen.items()}
    rows, untested = _ranked(campaign, chosen, measure)
    rows += left_out
    floor = blind_floor(campaign, version.number)
    rows += [
        FinalStanding(row.team, None, row.state, value=row.values[0])
        for row in baseline_rows(floor, (measure,), None)
    ]
    n_items = len(facts)
    notes = [*_notes(campaign, measure, untested)]
    notes += [floor] if floor else []
    if len(tables) > LEADING:
        notes.append(f"the picture has the first {LEADING} teams, curves.csv all")
    return ClosedBoard(
        campaign=campaign.rules.name,
        version=version.number,
        changed=version.changed,
        measure=measure,
        rows=tuple(rows),
        curves=tuple(named_curve(team, table) for team, table in tables.items()),
        groups=tuple(_groups(campaign, tables, facts, measure)),
        items=difficulties(list(tables.values()), facts),
        notes=tuple(notes),
        recipe=board_recipe(campaign, version, n_items) | {"test": measure.test},
    )


def _groups(
    campaign: Campaign,
    tables: Mapping[str, Outcomes],
    facts: Mapping[str, ItemFacts],
    measure: BoardMeasure,
) -> Iterator[SystemsByGroup]:
    contributors = {name: team.contributor for name, team in campaign.teams.items()}
    groups = [own_and_others(tables, facts, measure, contributors)]
    groups += [
        by_group(tables, facts, of, measure, contributors)
        for of in ("contributor", "class")
    ]
    yield from filter(None, groups)


_Chosen = dict[str, tuple[int, Outcomes]]


def _chosen(
    campaign: Campaign, version: BoardVersion, measure: BoardMeasure
) -> tuple[_Chosen, list[FinalStanding]]:
    """The submission that stands for each team; and what stands without a rank."""
    from demur import formats

    scored = scored_by(campaign, version.number)
    judged = {number for number, one in scored.items() if one.state == "judged"}
    of_team: dict[str, list[int]] = {team: [] for team in campaign.teams}
    for number, submission in sorted(campaign.submissions.items()):
        of_team[submission.team].append(number)
    chosen: _Chosen = {}
    others, withdrawn = list[FinalStanding](), list[FinalStanding]()
    for team, numbers in of_team.items():
        gone = [one for one in numbers if campaign.submissions[one].withdrawn]
        withdrawn += [FinalStanding(team, one, "withdrawn") for one in gone]
        valid = [one for one in numbers if one not in gone]
        tables = {
            one: formats.read_outcomes(verdicts_file(campaign, version.number, one))
            for one in valid
            if one in judged
        }
        if tables:
            number = _best(tables, measure, campaign.rules.board.show)
            chosen[team] = number, tables[number]
        elif any(one in scored for one in valid):
            others.append(FinalStanding(team, valid[-1], "failed"))
        elif valid or not gone:
            others.append(FinalStanding(team, None, "not scored"))
    return chosen, [*others, *withdrawn]


def _best(tables: Mapping[int, Outcomes], measure: BoardMeasure, show: str) -> int:
    """Which submission stands for its team: the first of the best, or the last."""
    if show == "last":
        return max(tables)
    values = {number: measure.value(table) for number, table in tables.items()}

    def worth(number: int) -> tuple[bool, float, int]:
        return values[number] is None, values[number] or 0.0, number

    return min(tables, key=worth)


def _ranked(
    campaign: Campaign, chosen: _Chosen, measure: BoardMeasure
) -> tuple[list[FinalStanding], str]:
    """Standings by rank, those without a value after them; why none is tested."""
    values = {team: measure.value(table) for team, (_, table) in chosen.items()}
    valued = {
        team: table for team, (_, table) in chosen.items() if values[team] is not None
    }
    ranks: dict[str, tuple[int, int]] = {team: (1, len(valued)) for team in valued}
    systems = RankedSystems(measure, valued)
    if systems.testable:
        best, worst = rank_ranges(systems.tests())
        ranks = {
            team: (int(low), int(high))
            for team, low, high in zip(valued, best, worst, strict=True)
        }
    rows = [
        _standing(campaign, team, *chosen[team], measure, ranks.get(team))
        for team in chosen
    ]
    untested = "" if systems.testable or len(valued) < 2 else "too few items for a test"

    def place(row: FinalStanding) -> tuple[bool, float, str]:
        return row.value is None, row.value or 0.0, row.team

    return sorted(rows, key=place), untested


def _standing(
    campaign: Campaign,
    team: str,
    number: int,
    outcomes: Outcomes,
    measure: BoardMeasure,
    ranks: tuple[int, int] | None,
) -> FinalStanding:
    value = measure.value(outcomes)
    ends, _ = interval_of(outcomes, measure) if value is not None else (None, "")
    low, high = ends or (None, None)
    late = campaign.submissions[number].late
    state = "ranked, late" if late else "ranked"
    point = named_curve(team, outcomes).operating_point
    counted = [int((outcomes.outcome == code).sum()) for code in range(4)]
    return FinalStanding(
        team=team,
        submission=number,
        state="no value" if value is None else state,
        ranks=None if value is None else ranks,
        value=value,
        low=low,
        high=high,
        error=BoardMeasure("error").value(outcomes),
        nonreturn=point.nonreturn,
        counts=(counted[0], counted[1], counted[2], counted[3]),
    )


def _notes(campaign: Campaign, measure: BoardMeasure, untested: str) -> Iterator[str]:
    yield (
        f"ranks by {measure.words}: ranges by {measure.test}, all pairs, corrected by "
        "Holm's method at 5 %"
    )
    if untested:
        yield f"no ranks are told apart: {untested}"
    if campaign.rules.board.show == "best":
        yield "the best submission stands for its team: it is a little lucky"
    else:
        yield "the last submission stands for its team"
    if measure.name == "error":
        yield "who never answers makes no error: look at what is not given, too"
    yield "what does not compete has no rank; an interval is for itself"
