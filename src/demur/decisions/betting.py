"""Bounds by betting: for clusters, weights and partial credit, looked at at any time.

Somebody bets on every unit that the error rate is below a value r, with a stake that
was fixed beforehand: a unit of size s with a loss of x multiplies the money by
``1 + stake * (r * s - x)``. If the rate is r or more, that is 1 or less on average, so
the money of all units is multiplied by 20 with a chance of at most 1/20, in whatever
order they come, and at any time while they come. The same is true of money that is
shared out among several stakes. So a rate at which it was multiplied by
1 / (1 - certainty) is excluded.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from demur.arrays import Floats

FIRST, FACTOR = 1.45, 3
"""The stakes on a sample of known size: the least is so many times what is best for
units that are lost as a whole or not at all; each further one is thrice as bold."""

MIDDLE, STEPS = 0.18, range(-6, 5)
"""The stakes where more units may follow: this one, and its halves and doubles."""

BOLDEST = 2.0
"""No stake is bolder: with it all is at stake at every rate up to .8."""


class Stakes(NamedTuple):
    """Several stakes that share the money; neither depends on any loss.

    A stake is as bold as it says, over the standard deviation of a unit that is lost
    as a whole or not at all; but a unit can at most lose all the money.
    """

    bold: Floats
    share: Floats


def stakes_on(units: float, certainty: float) -> Stakes:
    """Stakes for so many units: half of the money on the least, the rest on all.

    Examples
    --------
    >>> stakes_on(100, 0.95).bold.round(2).tolist()
    [0.35, 1.06]
    """
    least = FIRST * math.sqrt(-2 * math.log(1 - certainty) / units)
    further = max(math.ceil(math.log(BOLDEST / least, FACTOR)), 1)
    share = np.full(further, 0.5 / further)
    share[0] += 0.5
    return Stakes(least * float(FACTOR) ** np.arange(further), share)


def stakes_at_any_time() -> Stakes:
    """Stakes for any number of units: most of the money for some hundred."""
    step = np.array(STEPS, np.float64)
    share = (1 + 4 / 3 * np.square(step)) ** -1.5
    return Stakes(MIDDLE * 2**step, share / share.sum())


def _log_factors(loss: Floats, size: Floats, rate: float, bold: Floats) -> Floats:
    """Logarithms of what each unit multiplies each stake's money by; sizes up to 1."""
    part = np.minimum(bold * math.sqrt((1 - rate) / rate), 1.0)[:, None]
    # 1 + stake * (rate * size - loss), written so that rounding makes none negative.
    with np.errstate(divide="ignore"):
        logs: Floats = np.log(1 - part * size + part / (1 - rate) * (size - loss))
    return logs


def log_money(
    loss: Floats,
    size: Floats,
    rate: float,
    *,
    certainty: float,
    anytime: bool = False,
    largest: float | None = None,
    times: Floats | None = None,
) -> float:
    """Logarithm of the money won by betting that the rate is below a value.

    The rate is the expected loss of a unit over its expected size, both taken from
    independent units of one kind, none of which is larger than the largest.

    Parameters
    ----------
    loss, size : arrays of float64, shape (n_units,)
        Of each unit; ``0 <= loss <= size``. With ``anytime`` in the order in which
        they came, else in any.
    rate : float
        The value.
    certainty : float
        What the stakes aim at.
    anytime : bool
        Whether more units may follow. Then it is the most money ever had.
    largest : float, optional
        The largest size that a unit may have; by default the largest seen, which is no
        honest bound where more units may follow and their sizes differ.
    times : array of float64, shape (n_units,), optional
        How many units are like each, where they are counted; not with ``anytime``.

    Returns
    -------
    float
        At least ``-log(1 - certainty)`` excludes the rate and all above it: it grows
        with the rate, and falls as losses grow.

    Notes
    -----
    It grows with the rate because each factor does. With a stake of
    ``bold / sqrt(rate * (1 - rate))`` the derivative of ``stake * (rate * size -
    loss)`` has the sign of ``rate * size + loss - 2 * rate * loss``, which is 0 or
    more; so has it with the largest stake, ``1 / (1 - rate)``; and the lesser of the
    two stakes is taken.

    References
    ----------
    Robbins (1970), "Statistical methods related to the law of the iterated
    logarithm", Annals of Mathematical Statistics 41, for money shared out among fixed
    stakes; Waudby-Smith and Ramdas (2024), "Estimating means of bounded random
    variables by betting", Journal of the Royal Statistical Society B 86, for bets.

    Examples
    --------
    >>> none, each = np.zeros(59), np.ones(59)
    >>> bool(np.exp(log_money(none, each, 0.07, certainty=0.95)) > 20)
    True
    """
    if rate <= 0:
        return 0.0
    if rate >= 1:
        return math.inf if (loss < size).any() else 0.0
    largest = float(size.max()) if largest is None else largest
    loss, size = loss / largest, size / largest
    if not anytime:
        times = np.ones(len(size)) if times is None else times
        stakes = stakes_on(times.sum(), certainty)
        return _at_the_end(loss, size, times, rate, stakes)
    stakes = stakes_at_any_time()
    logs = np.cumsum(_log_factors(loss, size, rate, stakes.bold), axis=1)
    return float(max(_sums(logs, stakes.share[:, None]).max(), 0.0))


def _at_the_end(
    loss: Floats, size: Floats, times: Floats, rate: float, stakes: Stakes
) -> float:
    """Logarithm of the money after all units, each so many times."""
    logs = _log_factors(loss, size, rate, stakes.bold) @ times
    return float(_sums(logs, stakes.share))


def _sums(logs: Floats, share: Floats) -> Floats:
    """Logarithms of the money of all stakes, from that of each and its share."""
    most = np.maximum(logs.max(axis=0), -1e300)
    with np.errstate(divide="ignore"):
        summed: Floats = most + np.log((share * np.exp(logs - most)).sum(axis=0))
    return summed


def log_money_of_more(
    loss: Floats,
    size: Floats,
    rate: float,
    units: int,
    *,
    certainty: float,
    anytime: bool = False,
    largest: float | None = None,
) -> float:
    """What `log_money` would be about with so many units that are like these.

    Parameters are those of `log_money`.

    Examples
    --------
    >>> few = np.zeros(30), np.ones(30)
    >>> bool(np.exp(log_money_of_more(*few, 0.06, 80, certainty=0.95)) > 20)
    True
    """
    largest = float(size.max()) if largest is None else largest
    stakes = stakes_at_any_time() if anytime else stakes_on(units, certainty)
    times = np.full(len(size), units / len(size))
    return _at_the_end(loss / largest, size / largest, times, rate, stakes)


def betting_bound(
    loss: Floats,
    size: Floats,
    *,
    certainty: float,
    anytime: bool = False,
    largest: float | None = None,
    times: Floats | None = None,
) -> float:
    """Upper confidence bound of an error rate over independent units.

    Never below the rate that was seen, even if earlier units alone excluded that.

    Parameters are those of `log_money`.

    Returns
    -------
    float
        The true rate is above it in at most ``1 - certainty`` of samples; with
        ``anytime`` in so many sequences, however often they are looked at.

    Examples
    --------
    Ten of a hundred clusters of ten items each have five errors:

    >>> loss = np.tile(np.r_[np.zeros(9), 5.0], 10)
    >>> round(betting_bound(loss, np.full(100, 10.0), certainty=0.95), 3)
    0.095
    """
    goal = -math.log(1 - certainty)
    if anytime:

        def surplus(rate: float) -> float:
            money = log_money(
                *(loss, size, rate),
                certainty=certainty,
                anytime=True,
                largest=largest,
            )
            return money - goal

        return least_rate(surplus, float(loss.sum() / size.sum()))
    largest = float(size.max()) if largest is None else largest
    loss, size, times = equal_units(loss / largest, size / largest, times)
    stakes = stakes_on(times.sum(), certainty)

    def left_over(rate: float) -> float:
        return _at_the_end(loss, size, times, rate, stakes) - goal

    return least_rate(left_over, float(np.sum(times * loss) / np.sum(times * size)))


def equal_units(
    loss: Floats, size: Floats, times: Floats | None = None
) -> tuple[Floats, Floats, Floats]:
    """The different units, in an order that no name decides, and how many of each.

    Units that are counted already, each so many times, are put together likewise.

    Examples
    --------
    >>> equal_units(np.array([1.0, 0, 1]), np.ones(3))
    (array([0., 1.]), array([1., 1.]), array([1., 2.]))
    """
    order = np.lexsort((loss, size))
    loss, size = loss[order], size[order]
    new = np.r_[True, (np.diff(loss) != 0) | (np.diff(size) != 0)]
    first = np.flatnonzero(new)
    if times is None:
        times = np.diff(np.r_[first, len(loss)]).astype(np.float64)
    else:
        times = np.add.reduceat(times[order], first)
    return loss[first], size[first], times


def least_rate(surplus: Callable[[float], float], low: float) -> float:
    """The least rate above one, to 1e-9, at which something that grows is not below 0.

    Parameters
    ----------
    surplus : callable
        Of a rate below 1; below 0 at the low one.
    low : float

    Returns
    -------
    float
        1 if there is none.

    Examples
    --------
    >>> round(least_rate(lambda rate: rate**2 - 0.25, 0.1), 8)
    0.5
    """
    high, tiny = 1 - 1e-9, 0.4e-9
    if low >= high or surplus(high) < 0:
        return 1.0
    # Regula falsi; an end that stays twice counts for half (the Illinois rule).
    above, below, last = 1.0, -1.0, 0
    while high - low > 1e-9:
        middle = low + (high - low) * below / (below - above)
        middle = min(max(middle, low + tiny), high - tiny)
        value = min(max(surplus(middle), -1.0), 1.0)
        if value < 0:
            low, below, above = middle, value, above / 2 if last < 0 else above
        else:
            high, above, below = middle, value, below / 2 if last > 0 else below
        last = -1 if value < 0 else 1
    return high


def least_where(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The least number for which something holds that holds for all above it too.

    Parameters
    ----------
    holds : callable
        Of a whole number, True or False; it changes once.
    low, high : int
        It does not hold for the first, and does for the second; neither is tried.

    Examples
    --------
    >>> least_where(lambda number: number**2 > 50, 0, 100)
    8
    """
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
