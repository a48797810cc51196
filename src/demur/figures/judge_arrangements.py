"""What arrangements of judges cost, and how often they are wrong."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from demur.arrays import Floats
from demur.errors import UndefinedRate
from demur.judge_models.arranged_judges import ArrangedJudges, JudgeArrangements
from demur.results.pictures import (
    Axis,
    Dots,
    Entry,
    Level,
    Line,
    Look,
    Mark,
    Panel,
    Picture,
)

_ROOM: Final = 1.06
"""How much longer the axes are than what stands on them."""

_MOST_NAMED: Final = 6
"""Of more arrangements only the best is named beside its place."""

_BEST: Final[Look] = 0
_OTHERS: Final[Look] = 1
_DOMINATED: Final[Look] = "note"


def arrangements_picture(arrangements: JudgeArrangements) -> Picture:
    """Error against price, or against what is left to people; with intervals.

    Arrangements that another dominates are hollow, the others joined by a line.
    """
    shown = [one for one in arrangements.arrangements if one.error is not None]
    if not shown:
        raise UndefinedRate("no arrangement has an error to draw.", where="plot")
    best = [one for one in shown if one.arrangement == arrangements.best]
    others = [one for one in shown if one.dominated_by is None and one not in best]
    dominated = [
        one for one in shown if one.dominated_by is not None and one not in best
    ]
    front = sorted([*best, *others], key=lambda one: (one.cost, one.error_seen))
    price = "price of a verdict" if arrangements.prices else "left to people"
    limit = arrangements.most_error
    high = max(one.error.high for one in shown if one.error is not None)
    high = max(high, limit or 0.0) or 1.0
    dots = [_dots([one], _BEST if one in best else _OTHERS) for one in front]
    marks: list[Mark] = [_dots(dominated, _DOMINATED)]
    marks += [_interval(one, "note") for one in front]
    marks.append(Line(*_places(front), "ink", "thin", "post"))
    marks += dots
    if limit is not None:
        marks.append(Level(limit, words=f"at most {limit:g}"))
    panel = Panel(
        tuple(marks),
        Axis(price, 0.0, _ROOM * (max(one.cost for one in shown) or 1.0)),
        Axis("error: wrong verdicts / all answers", 0.0, _ROOM * high),
        signs=(
            *_entries((best, others, dominated), limit),
            Entry(
                f"{100 * arrangements.level:g} % interval, each by itself",
                (_interval(front[0], "note"),),
                always=True,
            ),
        ),
        beside=tuple(
            (one.arrangement, mark)
            for one, mark in zip(front, dots, strict=True)
            if len(front) <= _MOST_NAMED or one in best
        ),
    )
    return Picture(
        "judge-arrangements",
        "Arrangements of judges",
        f"How often arrangements of judges are wrong, against {price}. Bars are "
        f"{100 * arrangements.level:g} % intervals, each by itself.",
        (panel,),
        (6.4, 4.4),
    )


def _places(listed: Sequence[ArrangedJudges]) -> tuple[Floats, Floats]:
    cost = np.array([one.cost for one in listed], float)
    return cost, np.array([one.error_seen for one in listed], float)


def _dots(listed: Sequence[ArrangedJudges], look: Look) -> Dots:
    size, hollow = 9.0 if look == _BEST else 6.0, look == _DOMINATED
    return Dots(*_places(listed), look, "o", size, hollow=hollow)


def _interval(one: ArrangedJudges, look: str) -> Line:
    """The interval of an error, as an upright line."""
    low, high = (0.0, 0.0) if one.error is None else (one.error.low, one.error.high)
    return Line(np.full(2, one.cost), np.array([low, high]), look, "thin")


def _entries(
    groups: Sequence[Sequence[ArrangedJudges]], limit: float | None
) -> Iterator[Entry]:
    best = "the best" if limit is None else f"the best: its bound is at most {limit:g}"
    looks: tuple[Look, ...] = (_BEST, _OTHERS, _DOMINATED)
    words = (best, "not dominated", "dominated")
    for text, look, group in zip(words, looks, groups, strict=True):
        if group:
            yield Entry(text, (_dots(group[:1], look),), always=True)
