"""Bounds that hold in simulations but are not proven: sharp, and order-free.

Gaffke's bound takes the units and one more, which is of the largest size and lost as a
whole, and weighs them at random, all weights that add up to 1 being as likely. The
bound is the rate below which the weighed units are with the wanted certainty. For
independent items that are right or wrong it is the exact bound of Clopper and Pearson.
That it holds for other units too is a conjecture.
"""

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from demur.arrays import Floats, Sample
from demur.decisions.betting import equal_units, least_rate, least_where
from demur.decisions.certificates import (
    TOO_FEW,
    TriedCutoffs,
    erring,
    rate_seen,
    risk_of_bets,
    tried_cutoffs,
)
from demur.decisions.exact_certificates import (
    Certificate,
    WalkEnd,
    nearest_words,
    walk_down,
)

Complexes = npt.NDArray[np.complex128]

STEP, BEND = 1 / 16, 0.4
"""Of the integral: between two nodes, and how far its line bends."""

MOST_AT_ONCE = 10**6
"""Nodes times units."""


def chance_above(
    loss: Floats, size: Floats, rate: float, times: Floats | None = None
) -> float:
    """How likely units that are weighed at random have a rate above a value.

    Parameters
    ----------
    loss, size : arrays of float64, shape (n_units,)
        Of each independent unit; ``0 <= loss <= size``.
    rate : float
        The value.
    times : array of float64, shape (n_units,), optional
        How many units are like each, where they are counted.

    Notes
    -----
    Uniform weights are exponential ones over their sum, so this is the chance that a
    sum of exponential variables times ``loss - rate * size`` is positive: an integral
    of its moment generating function over a curve through the saddle point, along
    which it falls fast and hardly turns, by the trapezoidal rule.

    Examples
    --------
    None of 59 items is wrong:

    >>> round(chance_above(np.zeros(59), np.ones(59), 0.05), 6) == round(0.95**59, 6)
    True
    """
    loss, size, times = _with_largest(loss, size, times)
    return _chance_above(loss - rate * size, times) if rate < 1 else 0.0


def _with_largest(
    loss: Floats, size: Floats, times: Floats | None
) -> tuple[Floats, Floats, Floats]:
    """The different units, with one more as large as the largest that is lost."""
    more = None if times is None else np.append(times, 1.0)
    largest = size.max()
    return equal_units(
        np.append(loss, largest) / largest, np.append(size / largest, 1.0), more
    )


def _chance_above(excess: Floats, times: Floats) -> float:
    """How likely such a sum of exponential variables is positive; one excess is."""
    order = np.argsort(times > 1, kind="stable")
    excess, times = (excess / excess.max())[order], times[order]
    low, high = 0.0, 1.0
    for _ in range(40):
        at = (low + high) / 2
        ahead = np.sum(times * excess * at / (1 - excess * at)) > 1
        low, high = (low, at) if ahead else (at, high)
    odds = excess / (1 - excess * at)
    width = 1 / math.sqrt(np.sum(times * odds**2) + at**-2)
    bend = math.copysign(BEND, np.sum(times * odds**3) - at**-3)
    total, last, step = 0.0, 0, max(1, min(16, MOST_AT_ONCE // len(excess)))
    while last < 40 / STEP:
        node = STEP * np.arange(last, last + step)
        along = bend * (np.cosh(node) - 1) + 1j * np.sinh(node)
        ahead = bend * np.sinh(node) + 1j * np.cosh(node)
        point = at + width * along
        logs = _log_product(1 - point[:, None] * excess, times) + np.log(point)
        terms = (np.exp(-logs) * ahead).imag
        terms[0] /= 1 + (last == 0)
        total += terms.sum()
        if np.abs(terms).max() < 1e-16 * total:
            break
        last += step
    return min(max(float(total) * STEP * width / math.pi, 0.0), 1.0)


def _log_product(factors: Complexes, times: Floats) -> Complexes:
    """A logarithm of the product of each row; what comes once eight at a time."""
    whole = int(np.count_nonzero(times == 1)) // 8 * 8
    blocks = factors[:, :whole].reshape(len(factors), 8, -1).prod(axis=1)
    rest = np.log(factors[:, whole:]) * times[whole:]
    logs: Complexes = np.log(blocks).sum(axis=1) + rest.sum(axis=1)
    return logs


def simulated_bound(
    loss: Floats, size: Floats, *, certainty: float, times: Floats | None = None
) -> float:
    """Upper bound of an error rate that holds in simulations, but is not proven.

    Parameters
    ----------
    loss, size : arrays of float64, shape (n_units,)
        Of each independent unit; ``0 <= loss <= size``, and none is larger than the
        largest of these.
    certainty : float
        In so many samples the true rate is at most this, as far as anybody knows.
    times : array of float64, shape (n_units,), optional
        How many units are like each, where they are counted.

    References
    ----------
    Gaffke (2005), "Three test statistics for a nonparametric one-sided hypothesis on
    the mean of a nonnegative variable", Mathematical Methods of Statistics 14;
    Learned-Miller and Thomas (2019), "A new confidence interval for the mean of a
    bounded random variable", arXiv:1905.06208, for the conjecture.

    Examples
    --------
    Ten of a hundred clusters of ten items each have five errors; bets say .095:

    >>> loss = np.tile(np.r_[np.zeros(9), 5.0], 10)
    >>> round(simulated_bound(loss, np.full(100, 10.0), certainty=0.95), 3)
    0.091
    """
    seen = rate_seen(loss, size, times)
    loss, size, times = _with_largest(loss, size, times)

    def surplus(rate: float) -> float:
        chance = _chance_above(loss - rate * size, times)
        return math.log(1 - certainty) - math.log(max(chance, 1e-300))

    return least_rate(surplus, seen)


def simulated_certificate(
    sample: Sample, target: Fraction, certainty: float, *, of: str
) -> Certificate:
    """The smallest cutoff whose error is at most a target by the simulated bound.

    Of all items the bound falls as the cutoff rises, so one test suffices. Among the
    answered the cutoffs are tested from the surest down; some of them bring a part of
    the risk, which goes on to the next cutoff as long as all pass.

    Parameters are those of `demur.decisions.certificates.certified`.

    Returns
    -------
    Certificate
        Position None if none is found among the answered.
    """
    return simulated_of(tried_cutoffs(sample, erring(sample), of), target, certainty)


def simulated_of(
    tried: TriedCutoffs, target: Fraction, certainty: float
) -> Certificate:
    """The same of cutoffs that are tried, wherever the units are counted."""
    rate, risk = float(target), 1 - certainty
    method = f"simulated bound over {tried.units}, not certified"

    def chance(place: int) -> float:
        loss, size, times = tried.amounts(place)
        return chance_above(loss, size, rate, times)

    def at_best(place: int) -> float:
        _, size, times = tried.amounts(place)
        return 1 / max(chance_above(0 * size, size, rate, times), 1e-300)

    if tried.of == "all":
        failed = least_where(lambda place: chance(place) > risk, -1, len(tried))
        end = WalkEnd(failed - 1, risk, passed=failed > 0)
        if not end.passed:
            return Certificate(tried.silence, 0.0, method)
    else:
        brought = risk_of_bets(tried.answered, at_best, risk)
        if not brought.any():
            return Certificate(None, None, method, TOO_FEW)
        end = walk_down(brought, chance)
    loss, size, times = tried.amounts(end.place)
    bound = simulated_bound(loss, size, certainty=1 - end.risk, times=times)
    if end.passed:
        return Certificate(int(tried.positions[end.place]), min(bound, rate), method)
    errors = f"with an error of {rate_seen(loss, size, times):.3g}"
    why = nearest_words(brought, int(tried.answered[end.place]), errors, bound)
    return Certificate(None, None, method, why.replace("certain", "simulated"))
