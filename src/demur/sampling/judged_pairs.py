"""Two systems as a judge has them: how many labels show the difference it sees."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from demur.arrays import Floats
from demur.outcomes.fields import OUTCOMES, RIGHT, UNANSWERED
from demur.outcomes.table import Outcomes
from demur.sampling.label_units import LabelUnits
from demur.statistics.judge_bounds import labels_to_show, worst_errors


class JudgedPair(NamedTuple):
    """The difference of two systems that a judge sees, and the labels it takes.

    Parameters
    ----------
    systems : (str, str)
        The one that errs less by the judge, and the other.
    difference : float
        Of their errors over all items, ungraded answers being wrong.
    items : int or None
        About how many items with labels, drawn uniformly, would show it; None if no
        number does, or there is no difference.
    labels : int or None
        What these take, where different responses to an item take one each.
    """

    systems: tuple[str, str]
    difference: float
    items: int | None
    labels: int | None


def judged_pair(
    outcomes: Outcomes, units: LabelUnits, mistakes: Mapping[str, float], level: float
) -> JudgedPair | None:
    """What a judge sees of two systems; None if there are not just two.

    Parameters
    ----------
    outcomes : Outcomes
        With the judge's verdicts.
    units : LabelUnits
        Of these.
    mistakes : mapping of str to float
        How often people are expected to disagree with each verdict.
    level : float
        Of the test that is to show it.
    """
    if len(outcomes.systems) != 2:
        return None
    lost, given, off = (np.zeros((2, len(units.keys))) for _ in range(3))
    variance = np.array([mistakes[name] * (1 - mistakes[name]) for name in OUTCOMES])
    for place, name in enumerate(outcomes.systems):
        rows = np.flatnonzero(outcomes.system == name)
        codes, unit = outcomes.outcome.codes[rows], units.unit[rows]
        lost[place, unit] = (codes != RIGHT) & (codes != UNANSWERED)
        given[place, unit] = codes != UNANSWERED
        off[place, unit] = variance[codes]
    # One label for both cannot tell them apart.
    together = given.all(axis=0) & (units.cost == 1)
    expected = off.sum(axis=0) * ~together
    systems = (outcomes.systems[0], outcomes.systems[1])
    return _pair(systems, (lost, given, expected), units, level)


def _pair(
    systems: tuple[str, str],
    seen: tuple[Floats, Floats, Floats],
    units: LabelUnits,
    level: float,
) -> JudgedPair:
    """The pair in the judge's order, from losses, answers and expected variances."""
    lost, given, expected = seen
    difference = float(np.mean(lost[1] - lost[0]))
    if difference < 0:
        lost, given, systems = lost[::-1], given[::-1], systems[::-1]
    some = given.any(axis=0)
    share = float(some.mean())
    apart = (lost[1] - lost[0])[some]
    items = labels_to_show(
        worst_errors((lost[0], lost[1]), (given[0], given[1])).sum(axis=0)[some],
        abs(difference) / share if share else 0.0,
        level=level,
        variance=float(np.sort(expected[some]).mean()),
        beside=float(np.var(apart)) / max(len(apart), 1),
    )
    labels = None
    if items is not None:
        labels = round(items * float(units.cost[units.needed].mean()))
    return JudgedPair(systems, abs(difference), items, labels)
