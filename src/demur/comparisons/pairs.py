"""All pairs of many systems at once, with a correction for asking often."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from demur import checks
from demur.arrays import Floats, Sample, rank
from demur.checks import check_recipe, choice
from demur.comparisons.pair_results import PairDifference
from demur.errors import InputError, shown
from demur.statistics.equal_units import equal_units_of
from demur.statistics.paired_tests import (
    REPLICATES,
    Difference,
    by_bootstrap,
    by_influence,
    check_paired,
    default_method,
    described,
    least_deviation,
    replicate_values,
    score_between,
)
from demur.statistics.quantities import Quantity
from demur.statistics.units import left_out

if TYPE_CHECKING:
    from concurrent.futures import Executor

METHODS = ("auto", "bootstrap", "influence")


def all_pairs(  # noqa: PLR0913  (those of compare_all, on samples)
    samples: Mapping[str, Sample],
    *,
    quantity: Quantity,
    method: str = "auto",
    level: float = 0.95,
    replicates: int = REPLICATES,
    seed: int = 0,
    executor: "Executor | None" = None,
    against: str | None = None,
    harmed: Mapping[str, Sample] = MappingProxyType({}),
    n_rates: int = 1,
) -> list[PairDifference]:
    """Differences of all pairs of systems on the same items, Holm-corrected.

    Everything is shared: influence values, or draws of the bootstrap. Areas are over
    the range that the curves of all systems have, so they can differ from those of a
    pair alone.

    The arguments are those of `demur.compare_all`, for samples by name; "auto" takes
    influence also where so few replicates could not show any difference among so many
    pairs. Pairs come in the order of the mapping; with ``against`` they are those of
    this system with each other one. With ``harmed``, the samples with ungraded answers
    taken for wrong, each pair also has bounds. ``n_rates`` is how many such numbers
    will be corrected together. Source of the correction: Holm
    (1979), Scandinavian Journal of Statistics 6.

    Examples
    --------
    >>> confidence, guess = np.linspace(0, 1, 100), np.ones(100, bool)
    >>> def every(n):
    ...     return Sample(guess, confidence, 1.0 * (np.arange(100) % n == 0))
    >>> found = all_pairs(
    ...     {"a": every(2), "b": every(4), "c": every(5)},
    ...     quantity=Quantity("error", 0.2))
    >>> [(pair.a, pair.b, pair.adjusted_p < 0.01) for pair in found]
    [('a', 'b', True), ('a', 'c', True), ('b', 'c', False)]
    """
    choice("all_pairs", "method", method, METHODS)
    check_recipe("all_pairs", level, None if method == "influence" else replicates)
    names, listed = list(samples), list(samples.values())
    if len(listed) < 2:
        raise InputError("all_pairs", "samples", "be two or more", shown(names))
    check_paired(listed)
    pairs = pairs_among(names, against)
    n_tests = n_rates * len(pairs)
    method = _method(method, listed[0], quantity, n_tests, replicates)
    drawn = None if method == "influence" else (replicates, seed)
    place = {name: number for number, name in enumerate(names)}
    numbers = [(place[a], place[b]) for a, b in pairs]
    n, n_pairs = len(names), len(pairs)
    if harmed:  # bounds: the one system at its worst, the other at its best
        listed += [harmed[name] for name in names]
        numbers += [(a + n, b) for a, b in numbers] + [(a, b + n) for a, b in numbers]
    values, differences = _tested(listed, numbers, quantity, level, drawn, executor)
    ends = zip(values[:n], values[n:] or values[:n], strict=True)
    return adjusted_pairs(
        pairs,
        differences[:n_pairs],
        dict(zip(names, ends, strict=True)),
        bounds=[differences[n_pairs : 2 * n_pairs], differences[2 * n_pairs :]],
    )


def adjusted_pairs(
    pairs: Sequence[tuple[str, str]],
    differences: Sequence[Difference],
    values: Mapping[str, tuple[float, float]],
    *,
    bounds: Sequence[Sequence[Difference]] = (),
) -> list[PairDifference]:
    """Differences of pairs, with p values corrected for all of them.

    Parameters
    ----------
    pairs : sequence of tuple (a, b)
        Names of two systems each.
    differences : sequence of Difference
        Of each.
    values : mapping of str to tuple (low, high)
        Of each system what is compared, as shown and with ungraded answers wrong.
    bounds : sequence of two sequences of Difference
        The least and the greatest difference of each pair, whatever ungraded answers
        are; empty without any.
    """
    adjusted = holm(np.array([one.p_value for one in differences]))
    corrected = [
        PairDifference(a, b, one, float(p), values[a][0], values[b][0])
        for (a, b), one, p in zip(pairs, differences, adjusted, strict=True)
    ]
    if not any(bounds):
        return corrected
    ends = list(zip(*bounds, strict=True))
    worst = [worst_p(one, *two) for one, two in zip(differences, ends, strict=True)]
    return [
        replace(
            pair,
            bounds=two,
            bounded_p=float(p),
            bounds_a=values[pair.a],
            bounds_b=values[pair.b],
        )
        for pair, two, p in zip(corrected, ends, holm(np.array(worst)), strict=True)
    ]


def corrected_together(
    pairs: Sequence[PairDifference], correction: str, *, untested: int = 0
) -> list[PairDifference]:
    """Pairs with p values corrected for all of them, by one method.

    Parameters
    ----------
    pairs : sequence of PairDifference
        By one number, or at several rates.
    correction : {"holm", "bonferroni", "none"}
        The method.
    untested : int
        How many more were to be tested and could not be: they count with p = 1.
    """
    adjust, left = CORRECTIONS[correction], np.ones(untested)

    def adjusted(p_values: Iterable[float]) -> list[float]:
        every = np.concatenate([list(p_values), left])
        return [float(p) for p in adjust(every)[: len(pairs)]]

    alone = adjusted(pair.difference.p_value for pair in pairs)
    worst = adjusted(worst_p(pair.difference, *pair.bounds) for pair in pairs)
    return [
        replace(pair, adjusted_p=p, bounded_p=bounded if pair.bounds else None)
        for pair, p, bounded in zip(pairs, alone, worst, strict=True)
    ]


def worst_p(*readings: Difference) -> float:
    """The greatest p of several readings; 1 if they are not of one sign."""
    signs = {np.sign(reading.value) for reading in readings}
    return 1.0 if len(signs) > 1 else max(reading.p_value for reading in readings)


def pairs_among(names: Iterable[str], against: str | None) -> list[tuple[str, str]]:
    """All pairs of systems, or those of one with each other one.

    Examples
    --------
    >>> pairs_among("abc", None)
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    >>> pairs_among("abc", "b")
    [('b', 'a'), ('b', 'c')]
    """
    listed = list(names)
    if against is None:
        return list(combinations(listed, 2))
    choice("compare", "against", against, listed)
    return [(against, name) for name in listed if name != against]


def holm(p_values: Floats) -> Floats:
    """Correct p values for their number, by Holm's method.

    Rejecting where the result is at most 0.05 keeps the chance of even one false
    rejection at 5 %, however the tests depend on each other.

    Parameters
    ----------
    p_values : array of float64, shape (n_tests,)
        Each from 0 to 1, as if it were the only one.

    Returns
    -------
    array of float64, shape (n_tests,)

    Examples
    --------
    >>> import demur
    >>> import numpy as np
    >>> demur.holm(np.array([0.01, 0.04, 0.03]))
    array([0.03, 0.06, 0.06])
    """
    p_values = checks.numbers("holm", "p_values", p_values)
    values = np.asarray(p_values, np.float64)
    if not ((values >= 0) & (values <= 1)).all():
        raise InputError("holm", "p_values", "be from 0 to 1", shown(p_values))
    order = np.argsort(values, kind="stable")
    # The least p is held against all tests, the next against all but one, and so on.
    stepped = values[order] * np.arange(len(values), 0, -1)
    adjusted = np.empty(len(values))
    adjusted[order] = np.minimum(np.maximum.accumulate(stepped), 1.0)
    return adjusted


def bonferroni(p_values: Floats) -> Floats:
    """P values times their number, at most 1.

    Examples
    --------
    >>> bonferroni(np.array([0.01, 0.04, 0.5]))
    array([0.03, 0.12, 1.  ])
    """
    return np.minimum(p_values * len(p_values), 1.0)


CORRECTIONS: Final[Mapping[str, Callable[[Floats], Floats]]] = {
    "holm": holm,
    "bonferroni": bonferroni,
    "none": lambda p_values: p_values,
}
"""How p values are corrected for their number, by name."""


def draws_needed(n_tests: int) -> int:
    """How many draws can show a difference that is corrected for so many tests."""
    return math.ceil(4 * n_tests / 0.05)


def _method(
    method: str, sample: Sample, quantity: Quantity, n_tests: int, replicates: int
) -> str:
    """The method, if the bootstrap can show p values small enough."""
    needed = draws_needed(n_tests)
    if method == "auto":
        method = default_method(sample, quantity)
        return "influence" if replicates < needed else method
    if method == "bootstrap" and replicates < needed:
        need = f"be at least {needed} for {n_tests} pairs"
        hint = "Fewer could not show any difference after the correction."
        raise InputError("all_pairs", "replicates", need, shown(replicates), hint)
    return method


def _tested(
    samples: list[Sample],
    pairs: Sequence[tuple[int, int]],
    quantity: Quantity,
    level: float,
    drawn: tuple[int, int] | None,
    executor: "Executor | None",
) -> tuple[list[float], list[Difference]]:
    """The value of each sample, and the tests of pairs: drawn, or by influence."""
    first, worth = samples[0], equal_units_of(samples[0])
    rankings = [rank(sample) for sample in samples]
    estimates = quantity.estimates(rankings, first.cluster)
    values = [estimate.value for estimate in estimates]
    method = "influence" if drawn is None else "bootstrap"
    # Made once for each system, so that a pair costs no more than a difference.
    if drawn is None:
        least = least_deviation(first, quantity)
        moved = [
            left_out(estimate.influence, rankings[0].weights(), first.cluster)
            for estimate in estimates
        ]
    else:
        how = quantity, *drawn, executor
        moved = list(replicate_values(rankings, first.cluster, *how))
    differences = []
    for a, b in pairs:
        value, apart = values[b] - values[a], moved[b] - moved[a]
        between = samples[a], samples[b], estimates[b] - estimates[a]
        score = score_between(*between, quantity, level=level)
        if drawn is None:
            tested = by_influence(
                value, apart, level=level, worth=worth, least=least, score=score
            )
        else:
            tested = by_bootstrap(apart, level=level, n_units=worth)
        found = described(first, quantity, value, tested, (level, method, drawn))
        differences.append(replace(found, score=score))
    return values, differences
