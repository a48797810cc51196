"""Differences of systems whose answers a noisy judge has judged, corrected by labels.

Each error is corrected by itself, as in `demur.statistics.correcting`; a difference is
tested by what the labelled items say of both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from demur.arrays import Sample
from demur.outcomes.labelling import check_reach
from demur.outcomes.parts import sample_of
from demur.outcomes.table import Outcomes
from demur.statistics.correcting import (
    at_nonreturn,
    by_own_decision,
    forced_choice,
)
from demur.statistics.noisy_verdicts import (
    Correction,
    corrected,
    items_drawn_well,
    unit_deviation,
    unit_variance,
)
from demur.statistics.paired_tests import Difference, DifferenceTest, described
from demur.statistics.quantities import Quantity
from demur.statistics.units import (
    ItemValues,
    agreeing,
    score_interval,
    score_p,
    unit_sums,
)

PREDICTED: Final = "prediction-powered"
"""How errors of a judge are tested, as people's verdicts correct them."""


def corrected_differences(
    systems: Mapping[str, Outcomes],
    pairs: Sequence[tuple[str, str]],
    gold: str | None,
    *,
    at: float | None,
    level: float,
) -> tuple[dict[str, float], list[Difference]]:
    """Corrected errors of systems on the same items, and differences of pairs.

    Each error is corrected by itself; what an item moves a difference by is what it
    moves the one error by less what it moves the other by, so that items that all
    systems have answered alike do not count as luck. Labels may come from one draw of
    items for all systems, or from one for each, with weights of its own.

    Parameters
    ----------
    systems : mapping of str to Outcomes
        With the same items in the same order.
    pairs : sequence of tuple (a, b)
        Names of systems; differences are b less a.
    gold : str or None
        The column with people's verdicts, as for `corrected_error`.
    at : float or None
        The nonreturn; None is as the systems decide themselves.
    level : float
        Of the intervals.

    Returns
    -------
    (errors by system, list of Difference)
    """
    corrections = corrections_of(systems, gold, at)
    errors = {name: found.error for name, found in corrections.items()}
    sample = sample_of(next(iter(systems.values())))
    method = "labels" if gold is None else PREDICTED
    return errors, [
        tested_difference(corrections[a], corrections[b], sample, at, (level, method))
        for a, b in pairs
    ]


def tested_difference(
    a: Correction,
    b: Correction,
    sample: Sample,
    at: float | None,
    how: tuple[float, str],
) -> Difference:
    """The difference of two corrected errors, of these items, by a level and method."""
    value, tested = difference_of(a, b, how[0])
    quantity = Quantity("error", at or 0.0)
    difference = described(sample, quantity, value, tested, (*how, None))
    if at is None:
        return replace(difference, quantity="own error", at=None)
    return difference


def corrections_of(
    systems: Mapping[str, Outcomes], gold: str | None, at: float | None
) -> dict[str, Correction]:
    """The error of each system as labels have it: see `corrected_differences`."""
    where, corrections = "compare", {}
    for name, outcomes in systems.items():
        verdicts = forced_choice(where, outcomes, gold)
        if at is None:
            verdicts = by_own_decision(outcomes, verdicts)
        else:
            verdicts = at_nonreturn(where, outcomes, verdicts, at)
        there = "" if at is None else f"at nonreturn {at:g}: "
        check_reach(where, outcomes, verdicts.answered, there)
        corrections[name] = corrected(verdicts)
    return corrections


def difference_of(
    a: Correction, b: Correction, level: float
) -> tuple[float, DifferenceTest]:
    """The difference of two corrected errors, with its score interval and p value.

    It rests on the labelled items; what is known of the others is a variance beside.
    """
    items = items_apart(a, b)
    value = b.error - a.error
    known = value - items.mean
    low, high = (known + end for end in score_interval(items, level=level))
    p_value = score_p(items, mean=-known)
    ends = agreeing((low, high), value, rejects=p_value <= 1 - level)
    return value, DifferenceTest(*ends, p_value)


def items_apart(a: Correction, b: Correction) -> ItemValues:
    """What each labelled item adds to the difference of b less a."""
    rows = np.flatnonzero(a.labels + b.labels)
    stands = np.maximum(a.labels, b.labels)[rows]
    total = stands.sum()
    apart = (b.of_labels - a.of_labels)[rows] * (total / stands)
    most = total * max(a.most, b.most)
    units, cluster = np.unique(a.verdicts.cluster[rows], return_inverse=True)
    items = ItemValues(
        apart,
        stands,
        cluster if len(units) < len(rows) else None,
        smallest=-most,
        largest=most,
    )
    items = replace(items, seen=unit_variance(items), units=items.n_units)
    moved = b.verdicts.moved(b.among, b.moved) - a.verdicts.moved(a.among, a.moved)
    whole = unit_deviation(unit_sums(moved, a.verdicts.cluster), items.n_units)
    items = replace(items, beside=max(whole**2 - (items.seen or 0.0), 0.0))
    if a.verdicts.drawn_unequally or b.verdicts.drawn_unequally:
        items = replace(items, items=items_drawn_well(items))
    return items
