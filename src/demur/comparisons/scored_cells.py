"""Systems in groups as they are scored, from rows or from what an engine has counted.

An item is scored by what became of it, so a row here may stand for many items.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from demur.comparisons.selective_scores import Decisions, SelectiveScore
from demur.comparisons.system_scores import NamedScore, Score
from demur.comparisons.weighted_errors import UnitSums, weighted_errors
from demur.curves.counting import ItemKinds
from demur.curves.curves import Curve
from demur.curves.rates import Point
from demur.decisions.linear_scores import LinearScore
from demur.errors import UndefinedRate
from demur.outcomes.fields import OUTCOMES, RIGHT


@dataclass(frozen=True, eq=False)
class Cell:
    """What became of the items of one system in one group.

    Parameters
    ----------
    system : str
        Its name, with its setting.
    group : mapping of column to value
        Empty for all items together.
    curve : Curve
        Without vertices: its operating point is what is compared.
    became : ItemKinds
        Of each row, or of each kind of rows, for the counts.
    decided : UnitSums
        The same for weighted errors.
    decisions : Decisions or None
        The same for named scores, where there are any.
    same : callable
        Gives what is equal for systems whose items are the same.
    """

    system: str
    group: Mapping[str, str]
    curve: Curve
    became: ItemKinds
    decided: UnitSums
    decisions: Decisions | None
    same: Callable[[], Any]


@dataclass(frozen=True, eq=False)
class ScoredCells:
    """All that is scored, and what is said of it.

    Parameters
    ----------
    cells : sequence of Cell
        By system, then by group; all items of a system come last.
    kept : object
        The outcomes that are scored, for gates on curves.
    left_out : int
        How many rows are not.
    drawn : str
        What resamples draw.
    items : str
        How many different ones there are.
    notes, more : sequence of str
        Of what was read, and of what is asked.
    """

    cells: Sequence[Cell]
    kept: Any
    left_out: int
    drawn: str
    items: str
    notes: Sequence[str]
    more: Sequence[str]


UNLABELLED: Final = "demur curve estimates the error from the labels."
"""What to do where nobody has looked at some answers."""


def score_of(
    cell: Cell,
    weights: Sequence[float],
    wanted: Sequence[LinearScore | SelectiveScore],
    recipe: tuple[float, int, int],
) -> Score:
    """The score of one system in one group.

    Parameters
    ----------
    cell : Cell
        What is scored.
    weights : sequence of float
        Of wrong answers.
    wanted : sequence of LinearScore or SelectiveScore
        The named scores.
    recipe : tuple (level, replicates, seed)
        Of intervals.
    """
    became, point = cell.became, cell.curve.operating_point
    given, times = became.given, became.times
    counts = {
        name: int(times[given & (became.outcome == code)].sum())
        for code, name in enumerate(OUTCOMES)
    }
    counts["unanswered"] = int(times[~given].sum())
    empty = given & (became.outcome == RIGHT) & became.both_empty
    level, drawn = recipe[0], recipe[1:]
    return Score(
        system=cell.system,
        group=cell.group,
        items=int(times.sum()),
        **counts,
        both_empty=int(times[empty].sum()),
        correct_declines=int(times[became.hopeless & ~given].sum()),
        right_rate=point.right or 0.0,
        error=point.error or 0.0,
        nonreturn=point.nonreturn,
        ungraded_rate=point.ungraded or 0.0,
        weighted=weighted_errors(cell.decided, weights, level=level, recipe=drawn),
        named=_named_scores(cell.decisions, point, wanted),
        failed=cell.curve.failed,
    )


def _named_scores(
    decisions: Decisions | None,
    point: Point,
    wanted: Sequence[LinearScore | SelectiveScore],
) -> tuple[NamedScore, ...]:
    """The named scores of one system."""
    decided = cast(Decisions, decisions)
    declined = decided.share(~decided.given & decided.hopeless) if wanted else 0.0
    rates = point.right or 0.0, point.error or 0.0, point.ungraded or 0.0, declined
    scores = []
    for score in wanted:
        low: float | None = None
        high: float | None = None
        why = ""
        if isinstance(score, LinearScore):
            low, high = score.bounds(*rates)
        else:
            try:
                low, high = score.of(decided)
            except UndefinedRate as problem:
                why = problem.reason
        scores.append(NamedScore(score.name, low, high, score.source, why))
    return tuple(scores)
