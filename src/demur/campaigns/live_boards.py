"""Boards of an open phase: a few rounded numbers, of which the leak is budgeted.

Whatever stands on such a board is made of the shown figures of `board_figures`, of the
teams' own files, and of the rules: so nothing more can be learnt from it than from
these figures.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from demur.campaigns.board_figures import (
    BoardMeasure,
    answered_share,
    independent_units,
    ranking_measure,
    shown_figures,
    shown_measures,
    to_digits,
    with_ladder,
)
from demur.campaigns.folder import Campaign, Submission
from demur.campaigns.freezing import references_version
from demur.campaigns.leaks import LeakBudget
from demur.campaigns.rank_ranges import LEVEL, ranges_of
from demur.campaigns.rules import Phase
from demur.campaigns.scorer_versions import BoardVersion, versions_of
from demur.campaigns.scoring_queue import blind_floor, scored_by, verdicts_file
from demur.campaigns.teams import BLIND, SILENT
from demur.comparisons.pairs import holm
from demur.errors import InputError
from demur.results import Column, Result, Table
from demur.statistics.sign_tests import mcnemar_exact

_FLOOR: Final = re.compile(r"is right on ([\d,]+) of ([\d,]+)")


@dataclass(frozen=True, eq=False, repr=False)
class BoardRow(Result):
    """A team, or a system that does not compete, on a board.

    Parameters
    ----------
    team : str
    submission : int or None
        The number of the one that stands for it; None of what does not compete.
    submissions : int
        How many of the team were taken.
    values : tuple of float or None
        One for each measure of the board.
    answered : float or None
        Share of items that were answered.
    ranks : tuple (best, worst), or None
        None without a rank.
    state : str
        "ranked", "scored" (no figures are shown), "no value", "failed", "withdrawn",
        "not scored" or "not competing".
    """

    team: str
    submission: int | None
    submissions: int
    values: tuple[float | None, ...]
    answered: float | None
    ranks: tuple[int, int] | None
    state: str


@dataclass(frozen=True, eq=False, repr=False)
class LiveBoard(Result):
    """The board of an open phase.

    Parameters
    ----------
    campaign, phase : str
        Their names.
    version : int
        Of the scorer and the references.
    changed : tuple of str
        What is not as in the version before.
    measures : tuple of BoardMeasure
        What is shown; the first ranks.
    digits : int
        Decimals of the numbers.
    rows : tuple of BoardRow
        By rank, then without one; what does not compete comes last.
    budget : LeakBudget
    notes : tuple of str
    recipe : mapping of str to str
    """

    campaign: str
    phase: str
    version: int
    changed: tuple[str, ...]
    measures: tuple[BoardMeasure, ...]
    digits: int
    rows: tuple[BoardRow, ...]
    budget: LeakBudget
    notes: tuple[str, ...] = ()
    recipe: Mapping[str, str] = field(default_factory=dict)

    def sentence(self) -> str:
        """Who may lead."""
        first = [row.team for row in self.rows if row.ranks and row.ranks[0] == 1]
        scored = sum(row.ranks is not None for row in self.rows)
        if not first:
            return f"{self.campaign}, phase {self.phase}: nobody is ranked yet."
        many = f"{len(first)} of {scored} teams may be first"
        who = f"{first[0]} is first" if len(first) == 1 else many
        return f"{self.campaign}, phase {self.phase}, while it is open: {who}."

    def tables(self) -> tuple[Table]:
        """A row for each team."""
        columns = [
            Column("rank", cells="text", explained="ranks that luck leaves open"),
            Column("team"),
            Column("submission", cells="count", explained="which stands for the team"),
            *(
                Column(
                    one.name,
                    f"{one.name} %" if one.most == 1 else one.name,
                    "percent" if one.most == 1 else "number",
                    explained=f"{one.words}, rounded",
                    digits=max(self.digits - 2, 0) if one.most == 1 else self.digits,
                )
                for one in self.measures
            ),
            Column("answered", "answered %", "percent", "of all items"),
            Column("submissions", cells="count", explained="taken from the team"),
            Column("state"),
        ]
        return (Table("", tuple(columns), tuple(map(row_cells, self.rows))),)

    def to_dict(self) -> dict[str, Any]:
        """The board as plain values for JSON."""
        return {
            "campaign": self.campaign,
            "phase": self.phase,
            "open": True,
            "version": self.version,
            "changed": list(self.changed),
            "measures": [one.name for one in self.measures],
            "digits": self.digits,
            "rows": [_plain(row, self.measures) for row in self.rows],
            "notes": list(self.notes),
            "signature": self.signature,
        }


def row_cells(row: BoardRow) -> tuple[Any, ...]:
    """The cells of a row: rank, team, submission, figures, answered, number, state."""
    shown = row.submission, *row.values, row.answered, row.submissions, row.state
    return ranks_text(row.ranks), row.team, *shown


def ranks_text(ranks: tuple[int, int] | None) -> str | None:
    """A range of ranks, for people.

    Examples
    --------
    >>> ranks_text((1, 3)), ranks_text((2, 2)), ranks_text(None)
    ('1-3', '2', None)
    """
    if ranks is None:
        return None
    best, worst = ranks
    return str(best) if best == worst else f"{best}-{worst}"


def _plain(row: BoardRow, measures: Sequence[BoardMeasure]) -> dict[str, Any]:
    figures = {one.name: value for one, value in zip(measures, row.values, strict=True)}
    return {
        "team": row.team,
        "submission": row.submission,
        "submissions": row.submissions,
        "figures": figures,
        "answered": row.answered,
        "ranks": None if row.ranks is None else list(row.ranks),
        "state": row.state,
    }


# -- the budget ------------------------------------------------------------------------


def leak_budget(campaign: Campaign, items: int) -> LeakBudget:
    """What open boards of a campaign may tell, over all its phases.

    Extra slots that were granted count, and so do submissions beyond the rules; what
    boards of former versions have shown of a submission is shown again. Where a
    withdrawn submission gives its slot back, nothing bounds how many are scored.
    """
    rules = campaign.rules
    slots = [_slots(phase) for phase in rules.phases]
    planned = None
    if rules.withdrawn_counts and None not in slots:
        taken = Counter(one.team for one in campaign.submissions.values())
        granted = Counter[str]()
        for entry in campaign.events("granted"):
            granted[entry.facts["team"]] += entry.facts["slots"]
        planned = sum(filter(None, slots)) + max([0, *granted.values()])
        planned = max([planned, *taken.values()]) + _shown_by_former(campaign)
    measures = shown_measures(rules.scoring, rules.board)
    before, digits = _shown_before(campaign, [one.name for one in measures])
    return LeakBudget(
        items=items,
        numbers=len(measures),
        submissions=planned,
        digits=max(digits, rules.board.digits),
        teams=len(campaign.teams),
        most_gain=rules.board.most_gain,
        most=max((one.most for one in measures), default=1.0),
        before=before,
    )


def _shown_by_former(campaign: Campaign) -> int:
    """How many submissions of a team boards of former versions have shown at most."""
    shown = {e.facts["version"] for e in campaign.events("board") if e.facts["open"]}
    former = shown - {version.number for version in versions_of(campaign)[-1:]}
    team_of = {one.number: one.team for one in campaign.submissions.values()}
    counted = Counter(
        team_of[number]
        for version in former
        for number, scored in scored_by(campaign, version).items()
        if scored.state == "judged"
    )
    return max(counted.values(), default=0)


def shown_facts(campaign: Campaign, board: LiveBoard) -> dict[str, Any]:
    """For the log: of how many submissions of a team a board has told each number."""
    taken = Counter(one.team for one in campaign.submissions.values())
    most = max([0, *taken.values()])
    return {
        "digits": board.digits,
        "shown": {one.name: most for one in board.measures},
    }


def _shown_before(campaign: Campaign, names: Sequence[str]) -> tuple[int, int]:
    """Numbers of a team on earlier boards that are shown no more; the most digits."""
    shown_of: dict[str, int] = {}
    digits = 0
    for entry in campaign.events("board"):
        shown = entry.facts.get("shown") or {}
        shown_of |= {name: max(shown_of.get(name, 0), shown[name]) for name in shown}
        digits = max(digits, entry.facts["digits"]) if shown else digits
    return sum(shown_of[name] for name in shown_of if name not in names), digits


def _slots(phase: Phase) -> int | None:
    """How many submissions a team has in a phase; None if nothing bounds them."""
    if phase.submissions is not None or phase.per_day is None:
        return phase.submissions
    days = (phase.ends.date() - phase.opens.date()).days + 1
    return days * phase.per_day


def check_budget(campaign: Campaign, budget: LeakBudget) -> None:
    """Refuse a board that may give away more than the rules allow.

    Raises
    ------
    InputError
        Unless the rules accept the leak by name.
    """
    accepted = "leak" in campaign.rules.board.accepts
    if budget.holds or accepted or not budget.numbers:
        return
    shown = "no limit" if budget.shown is None else f"{budget.shown:,}"
    hint = (
        "Fewer rates or submissions, or more items; rates = [] shows none. If it is "
        'meant, write accepts = ["leak"].'
    )
    if not campaign.rules.withdrawn_counts:
        hint = f"withdrawn_counts = false leaves submissions without a limit. {hint}"
    where = f"{campaign.path}/campaign.toml: [board]"
    need = f"be at most {budget.allowed:,} on {budget.items:,} items"
    raise InputError(where, "numbers shown to a team", need, shown, hint)


# -- the board -------------------------------------------------------------------------


@dataclass(frozen=True)
class _MayBeShown:
    """What a board may show of a submission."""

    figures: tuple[float | None, ...]
    answered: float
    items: int
    units: int


def live_board(campaign: Campaign, version: BoardVersion, phase: str) -> LiveBoard:
    """The board of a campaign that is not closed.

    Raises
    ------
    InputError
        If it would tell more than the rules allow.
    """
    rules = campaign.rules
    measures = shown_measures(rules.scoring, rules.board)
    shown = _all_shown(campaign, version, measures)
    items = max((one.items for one in shown.values()), default=0)
    budget = leak_budget(campaign, items or n_references(campaign))
    check_budget(campaign, budget)
    rows = list(_rows(campaign, version, shown))
    units = min((one.units for one in shown.values()), default=budget.items)
    rows = with_shown_ranks(rows, rules.board.digits, units, measures)
    floor = blind_floor(campaign, version.number)
    rows += baseline_rows(floor, measures, rules.board.digits)
    return LiveBoard(
        campaign=rules.name,
        phase=phase,
        version=version.number,
        changed=version.changed,
        measures=measures,
        digits=rules.board.digits,
        rows=tuple(rows),
        budget=budget,
        notes=tuple(_notes(campaign, measures)),
        recipe=board_recipe(campaign, version, budget.items),
    )


def board_recipe(
    campaign: Campaign, version: BoardVersion, items: int
) -> dict[str, str]:
    """How the numbers of a board came about, for its signature."""
    scorer = version.scorer
    named = {name: scorer[name] for name in ("by", "comparator", "references")}
    named["references"] = named["references"][:12]
    recipe = {"board": campaign.rules.name, "version": version.name, **named}
    measure = ranking_measure(campaign.rules.scoring)
    return recipe | {"measure": measure.name, "n": str(items)}


def n_references(campaign: Campaign) -> int:
    """How many items have a hidden reference."""
    from demur import formats

    _, path = references_version(campaign)
    return sum(1 for _ in formats.iter_records(path))


def _all_shown(
    campaign: Campaign, version: BoardVersion, measures: Sequence[BoardMeasure]
) -> dict[int, _MayBeShown]:
    from demur import formats

    shown = {}
    for number, scored in scored_by(campaign, version.number).items():
        if scored.state == "judged":
            path = verdicts_file(campaign, version.number, number)
            outcomes = formats.read_outcomes(path)
            shown[number] = _MayBeShown(
                shown_figures(outcomes, measures, campaign.rules.board.digits),
                round(answered_share(outcomes), 3),
                len(outcomes),
                independent_units(outcomes),
            )
    return shown


def _rows(
    campaign: Campaign, version: BoardVersion, shown: Mapping[int, _MayBeShown]
) -> Iterator[BoardRow]:
    """A row for each team, by what the rules let stand for it."""
    scored = scored_by(campaign, version.number)
    by_team: dict[str, list[Submission]] = {name: [] for name in campaign.teams}
    for submission in campaign.submissions.values():
        by_team[submission.team].append(submission)
    for team, listed in by_team.items():
        valid = [one for one in listed if not one.withdrawn]
        figures_of = _laddered(
            [one for one in listed if one.number in shown], shown, campaign
        )
        chosen = _standing(
            [one for one in valid if one.number in figures_of], figures_of, campaign
        )
        if chosen is not None:
            figures = figures_of[chosen]
            state = "scored"
            if figures:
                state = "no value" if figures[0] is None else "ranked"
            answered: float | None = shown[chosen].answered
        else:
            figures, answered = (None,) * len(_measures(campaign)), None
            failed = any(one.number in scored for one in valid)
            state = "failed" if failed else "not scored"
            if listed and not valid:
                state = "withdrawn"
        yield BoardRow(team, chosen, len(listed), figures, answered, None, state)


def _measures(campaign: Campaign) -> tuple[BoardMeasure, ...]:
    return shown_measures(campaign.rules.scoring, campaign.rules.board)


def _laddered(
    listed: Sequence[Submission], shown: Mapping[int, _MayBeShown], campaign: Campaign
) -> dict[int, tuple[float | None, ...]]:
    """Figures of a team's submissions; those that were withdrawn count for the Ladder.

    Otherwise a team would withdraw its best one to see the next.
    """
    if not listed:
        return {}
    columns = [
        with_ladder(column, campaign.rules.board.ladder)
        for column in zip(*(shown[one.number].figures for one in listed), strict=True)
    ]
    rows = zip(*columns, strict=True) if columns else (() for _ in listed)
    return {one.number: tuple(row) for one, row in zip(listed, rows, strict=True)}


def _standing(
    listed: Sequence[Submission],
    figures_of: Mapping[int, tuple[float | None, ...]],
    campaign: Campaign,
) -> int | None:
    """Which submission stands for a team: the best by what is shown, or the last."""
    if not listed:
        return None
    if campaign.rules.board.show == "last" or not figures_of[listed[0].number]:
        return listed[-1].number

    def worth(submission: Submission) -> tuple[bool, float]:
        figure = figures_of[submission.number][0]
        return figure is None, figure or 0.0

    return min(listed, key=worth).number


def with_shown_ranks(
    rows: Sequence[BoardRow], digits: int, units: int, measures: Sequence[BoardMeasure]
) -> list[BoardRow]:
    """Rows with ranges of ranks, from their shown figures alone, in order.

    Two teams are told apart only if their figures differ by more than luck would do
    even if they erred on items as different as these figures allow, and if rounding
    has made the difference seem as large as it can: McNemar's exact test of the most
    items that may be answered wrongly by one of the two alone, Holm-corrected. A
    dialogue counts as one item, that may be wrong as a whole: see `independent_units`.
    """
    ranked = [row for row in rows if row.state == "ranked"]
    others = [row for row in rows if row.state != "ranked"]
    if ranked and measures:
        figures = [float(row.values[0] or 0) / measures[0].most for row in ranked]
        step = 10.0**-digits / measures[0].most
        best, worst = _shown_ranges(figures, step, units)
        ranked = [
            replace(row, ranks=(int(low), int(high)))
            for row, low, high in zip(ranked, best, worst, strict=True)
        ]
    ordered = sorted(ranked, key=lambda row: (row.values[0], row.ranks, row.team))
    return [*ordered, *sorted(others, key=lambda row: (row.state, row.team))]


def _shown_ranges(figures: Sequence[float], step: float, items: int) -> Any:
    first, second = np.triu_indices(len(figures), 1)
    values = np.array(figures)
    apart = values[second] - values[first]
    sure = np.maximum(np.abs(apart) - step, 0.0)
    p_values = [
        least_favourable_p(
            values[a] + step / 2, values[b] + step / 2, float(difference), items
        )
        for a, b, difference in zip(first, second, sure, strict=True)
    ]
    apart_for_sure = (
        holm(np.array(p_values)) <= 1 - LEVEL if p_values else np.zeros(0, bool)
    )
    return ranges_of(first, second, np.where(apart_for_sure, apart, 0.0), len(figures))


def least_favourable_p(a: float, b: float, apart: float, items: int) -> float:
    """P of a difference of two errors, if the two agree as little as they may.

    Examples
    --------
    >>> round(least_favourable_p(0.1, 0.3, 0.2, 200), 6), least_favourable_p(0, 0, 0, 9)
    (9e-06, 1.0)
    """
    alone = min(a + b, 1.0) * items
    more = apart * items
    fewer = int(np.floor(max(alone - more, 0.0) / 2))
    return mcnemar_exact(fewer, fewer + int(np.floor(more)))


def baseline_rows(
    floor: str, measures: Sequence[BoardMeasure], digits: int | None
) -> list[BoardRow]:
    """A system that never answers, and a guesser who gives all items one answer.

    Parameters
    ----------
    floor : str
        What the guesser gets, as `demur judge` says it.
    measures : sequence of BoardMeasure
    digits : int or None
        To which its figures are rounded.
    """
    silent = {"error": 0.0, "weighted_error": 1.0}
    rows = [(SILENT, [silent.get(one.name) for one in measures], 0.0)]
    counts = _FLOOR.search(floor)
    if counts:
        right, total = (int(text.replace(",", "")) for text in counts.groups())
        wrong = 1 - right / total
        rows.append((BLIND, [_blind(one, wrong) for one in measures], 1.0))
    return [
        BoardRow(name, None, 0, rounded(figures, digits), share, None, "not competing")
        for name, figures, share in rows
    ]


def _blind(measure: BoardMeasure, wrong: float) -> float:
    """What a guesser loses who declines, if at all, whatever comes."""
    if measure.rate is not None:
        return (1 - measure.rate) * wrong
    return wrong * (measure.weight if measure.name == "weighted_error" else 1.0)


def rounded(
    figures: Iterable[float | None], digits: int | None
) -> tuple[float | None, ...]:
    """Figures to so many decimals; None leaves them as they are."""
    if digits is None:
        return tuple(figures)
    return tuple(None if one is None else to_digits(one, digits) for one in figures)


def _notes(campaign: Campaign, measures: Sequence[BoardMeasure]) -> Iterator[str]:
    board = campaign.rules.board
    if measures:
        yield (
            f"ranks by {measures[0].name}, from the shown figures alone: two teams are "
            "told apart if luck would not do it even with errors on items as different "
            "as these figures allow; closing tests item by item"
        )
    else:
        yield "numbers that depend on what is right are shown after closing"
    which = "best" if measures and board.show == "best" else "last"
    yield f"the {which} submission of a team stands for it"
    if board.ladder is not None:
        yield f"the Ladder: a number changes only if it is better by {board.ladder:g}"
    yield f"{SILENT} and {BLIND} do not compete"
