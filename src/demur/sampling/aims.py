"""What labels are for, in arrays: how much each unit matters, and what is assumed.

How far an estimate will be off is the sum, over units, of the expected squared
difference of each from the mean, over its chance. The chance that makes that least is
in proportion to the root of what is expected.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from demur.arrays import Flags, Floats, Numbers
from demur.decisions.betting import betting_bound, least_where
from demur.sampling.priorities import UNIFORM
from demur.statistics.units import UNSEEN

SENSITIVITY, SPECIFICITY = 0.9, 0.8
"""What is assumed of a judge: how many right answers it calls right, wrong ones wrong.
"""

SIMULATED: Final = 20
"""Samples of labels by which the bound is expected."""

NEAR: Final = 0.15
"""How far the cutoff may be from where it is thought to be, in nonreturn."""

DIFFERENT: Final = 0.5
"""In how many items whose responses differ one system alone is thought to err."""


FIFTHS: Final = tuple(
    f"{name} fifth of confidences"
    for name in ("lowest", "second", "middle", "fourth", "highest")
)


@dataclass(frozen=True, eq=False)
class Aim:
    """How much the labels of each unit matter.

    Parameters
    ----------
    variance : array of float64, shape (n_units,)
        The expected square of what a unit adds to the estimate beyond its mean.
    emphasis : array of float64, shape (n_units,)
        What chances follow, beside the part that is uniform.
    base : float
        The units that the estimate is a mean of.
    part : array of str, shape (n_units,)
        What a unit is counted under.
    assumed : str
        What the expectation rests on.
    share : float
        What the estimate is multiplied by, a share that is known.
    error : array of float64, shape (n_units,), or None
        The expected error, where only an upper bound of its mean counts.
    """

    variance: Floats
    emphasis: Floats
    base: float
    part: Numbers
    assumed: str
    share: float = 1.0
    error: Floats | None = None


def mid_ranks(values: Floats) -> Floats:
    """Where each value stands from 0 to 1, equal ones at the middle of their block.

    Examples
    --------
    >>> mid_ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist()
    [0.75, 0.125, 0.75, 0.375]
    """
    ordered = np.sort(values)
    below = np.searchsorted(ordered, values, "left")
    upto = np.searchsorted(ordered, values, "right")
    ranks: Floats = (below + upto) / (2 * max(len(values), 1))
    return ranks


def falling_errors(rank: Floats, error: float) -> Floats:
    """Chances of an error that fall as ranks rise, and have this mean over all ranks.

    Examples
    --------
    >>> falling_errors(np.array([0.0, 0.5, 1.0]), 0.1)
    array([0.2, 0.1, 0. ])
    """
    return error + min(error, 1 - error) * (1 - 2 * rank)


def errors_by_pilot(known: Floats, wrong: Floats, wanted: Floats) -> Floats:
    """Chances of an error by earlier guesses with verdicts: isotonic in confidence.

    Parameters
    ----------
    known, wrong : array of float64, shape (n_pilot,)
        Confidences of the earlier guesses, and their losses.
    wanted : array of float64, shape (n_items,)
        Confidences.

    Returns
    -------
    array of float64, shape (n_items,)
        Never 0 or 1: one item more, half an error.

    Examples
    --------
    >>> errors_by_pilot(np.array([0.2, 0.9]), np.array([1.0, 0.0]), np.array([0.1, 1]))
    array([0.83333333, 0.16666667])
    """
    from demur.calibration.isotonic import isotonic

    levels, at = np.unique(known, return_inverse=True)
    number = np.bincount(at).astype(float)
    right = isotonic(np.bincount(at, 1 - wrong).astype(float), number)
    error = ((1 - right) * len(known) + 0.5) / (len(known) + 1)
    place = np.searchsorted(levels, wanted, "right") - 1
    expected: Floats = error[np.clip(place, 0, len(levels) - 1)]
    return expected


def beyond_mean(error: Floats, mean: float) -> Floats:
    """The expected square of loss - mean, where a loss of 1 has these chances."""
    square: Floats = error * (1 - error) + (error - mean) ** 2
    return square


def bands(rank: Floats) -> Numbers:
    """Fifths by rank, named for people."""
    named: Numbers = np.array(FIFTHS, object)[np.minimum((rank * 5).astype(int), 4)]
    return named


def recheck_aim(rank: Floats, error: Floats, share: float, assumed: str) -> Aim:
    """Answered items, for the upper bound of their error.

    Parameters
    ----------
    rank : array of float64, shape (n_answered,)
        Of confidences, from 0 to 1.
    error : array of float64, shape (n_answered,)
        Expected.
    share : float
        Answered items / all, for a target of all items; else 1.
    assumed : str
        Where errors are expected from.
    """
    mean = float(np.sort(error).sum()) / max(len(error), 1)
    variance = beyond_mean(error, mean)
    emphasis = np.sqrt(variance)
    where = bands(rank)
    return Aim(variance, emphasis, len(rank), where, assumed, share=share, error=error)


def cutoff_aim(
    nonreturn: Floats, error: Floats, near: float, n_items: int, assumed: str
) -> Aim:
    """Guesses, for the error at cutoffs near a nonreturn.

    Each guess counts at the cutoffs near there that answer it.

    Parameters
    ----------
    nonreturn, error : arrays of float64, shape (n_guesses,)
        What is not returned where a guess is at the cutoff; the expected error.
    near : float
        The nonreturn about which the cutoff will be.
    n_items : int
        With and without a guess.
    assumed : str
        Where errors are expected from.
    """
    answered = np.clip((nonreturn - near + NEAR) / (2 * NEAR), 0.0, 1.0)
    total = np.sort(answered).sum()
    mean = float(np.sort(error * answered).sum() / total) if total else 0.0
    variance = answered * beyond_mean(error, mean)
    base = max(float(total), 1.0)
    assumed = f"a cutoff within {NEAR:g} of nonreturn {near:.3g}, and {assumed}"
    where = bands(mid_ranks(nonreturn))
    return Aim(
        *(variance, np.sqrt(variance), base, where, assumed), share=base / n_items
    )


def compare_aim(
    kind: Numbers, errors: tuple[Floats, Floats], cost: Numbers, assumed: str
) -> Aim:
    """Items of two systems, for the difference of their errors.

    Parameters
    ----------
    kind : array of str, shape (n_items,)
        "differ", "same" or "neither": what the two return.
    errors : pair of arrays of float64, shape (n_items,)
        The chance that each returns an error, NaN where it is not known.
    cost : array of int, shape (n_items,)
        Labels that an item takes.
    assumed : str
        Where the errors are expected from.
    """
    a, b = errors
    either = a * (1 - b) + b * (1 - a)
    variance = np.where(np.isnan(either), DIFFERENT, either) * (kind == "differ")
    emphasis = np.sqrt(variance / np.maximum(cost, 1))
    return Aim(variance, emphasis, len(kind), kind, assumed)


def mistakes_of_judge(wrong: int, right: int) -> dict[str, float]:
    """How often people would disagree with each verdict of the judge that is assumed.

    Examples
    --------
    >>> {name: round(rate, 3) for name, rate in mistakes_of_judge(17, 83).items()}
    {'wrong': 0.529, 'right': 0.024, 'ungraded': 0.5}
    """
    share, false_alarms = wrong / max(wrong + right, 1), 1 - SENSITIVITY
    truly = (share - false_alarms) / (SPECIFICITY - false_alarms)
    # A judge that finds fewer errors than it should invent is not that judge.
    truly = min(max(truly, share / 2, 0.01), 0.99)
    called = truly * SPECIFICITY + (1 - truly) * false_alarms
    return {
        "wrong": (1 - truly) * false_alarms / called,
        "right": truly * (1 - SPECIFICITY) / (1 - called),
        "ungraded": 0.5,
    }


def judge_aim(
    part: Numbers, unsure: Floats | None, mistakes: dict[str, float], assumed: str
) -> Aim:
    """Guesses that a judge has judged, for errors corrected by people's verdicts.

    Half of the labels go to the lesser of the judge's two verdicts.

    Parameters
    ----------
    part : array of str, shape (n_units,)
        "wrong", "right" or "ungraded", by the judge.
    unsure : array of float64, shape (n_units,), or None
        How sure the judge is, as ranks from 0 to 1: the lower, the more labels.
    mistakes : mapping of str to float
        How often people disagree with each verdict.
    assumed : str
        Where that is from.
    """
    sizes = {name: int((part == name).sum()) for name in ("wrong", "right")}
    lesser = part == min(sizes, key=sizes.__getitem__)
    factor = np.ones(len(part)) if unsure is None else 1.75 - 1.5 * unsure
    emphasis = factor
    if lesser.any() and not lesser.all():
        uniform = UNIFORM * lesser.mean()
        mass = min(max((0.5 - uniform) / (1 - UNIFORM), 0.0), 1.0)
        emphasis = np.where(
            lesser,
            mass * factor / np.sort(factor[lesser]).sum(),
            (1 - mass) * factor / np.sort(factor[~lesser]).sum(),
        )
    off = np.array([mistakes[name] for name in part.tolist()])
    return Aim(off * (1 - off), emphasis, len(part), part, assumed)


def deviation(aim: Aim, chance: Floats) -> float:
    """The expected standard error of the estimate, units drawn with these chances.

    With what intervals allow for where weights differ: half a label that was not seen,
    and is another one.
    """
    able = chance > 0
    if not aim.base:
        return 0.0
    weight = np.sort(1 / chance[able])
    variance = float(np.sort(aim.variance[able] / chance[able]).sum()) / aim.base**2
    if np.ptp(weight):
        variance += UNSEEN * float(weight.sum() / len(weight) ** 2) ** 2
    return float(aim.share * variance**0.5)


def half_width(aim: Aim, chance: Floats, drawn: Flags, level: float) -> float:
    """How far an interval reaches to each side, or a bound beyond the error.

    An interval by the expected standard error; a bound by samples of labels as they
    are expected, with that of `recheck`.
    """
    if aim.error is None:
        from statistics import NormalDist

        return NormalDist().inv_cdf((1 + level) / 2) * deviation(aim, chance)
    error, weight = aim.error[drawn], 1 / chance[drawn]
    if np.ptp(weight) == 0:
        rate = float(np.sort(aim.error[chance > 0]).mean())
        return aim.share * bound_beyond(rate, int(drawn.sum()), level)
    rng = np.random.default_rng(0)
    beyond = []
    for _ in range(SIMULATED):
        order = rng.permutation(len(error))
        size = weight[order]
        loss = size * (rng.random(len(error)) < error[order])
        bound = betting_bound(loss, size, certainty=level)
        beyond.append(bound - float(loss.sum() / size.sum()))
    return aim.share * float(np.mean(beyond))


def bound_beyond(rate: float, n: int, level: float) -> float:
    """How far the exact bound of a rate lies beyond it, of so many equal labels."""
    from scipy.special import betaincinv

    wrong = min(rate * n, n * (1 - 1e-9))
    return float(betaincinv(wrong + 1, n - wrong, level)) - rate


def uniform_chance(needed: Flags, cost: Numbers, budget: int) -> float:
    """The chance of each unit that needs labels, where all have the same."""
    total = int(cost[needed].sum())
    return min(1.0, budget / total) if total else 1.0


def uniform_labels(
    aim: Aim, needed: Flags, cost: Numbers, width: float, level: float
) -> int | None:
    """How many labels, drawn uniformly, give that half-width; at most all."""
    total, n_units = int(cost[needed].sum()), int(needed.sum())
    if not width:
        return None
    if aim.error is None:
        once = half_width(aim, needed.astype(float), needed, level)
        return min(total, round(total * (once / width) ** 2))
    rate, wanted = float(np.sort(aim.error[needed]).mean()), width / aim.share
    if bound_beyond(rate, n_units, level) >= wanted:
        return total
    units = least_where(lambda n: bound_beyond(rate, n, level) <= wanted, 0, n_units)
    return round(units * total / n_units)


def part_names(part: Numbers, order: Sequence[str] = ()) -> list[str]:
    """The parts that there are, in an order that is the same for all data."""
    there = set(part.tolist())
    known = [name for name in order if name in there]
    return [*known, *sorted(there - {*known})]
