"""The exact test of "B does not err more than A by a margin", for few items.

Tango's score orders what might have been seen. The chance of so much or more depends on
how often A alone errs, which nobody knows: it is first estimated for each outcome, and
these estimates are the order whose largest chance over all such rates is the p value
("E + M" of Lloyd, 2008).
"""

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from demur.arrays import Floats, Positions

MOST_ITEMS: Final = 200
"""All outcomes are enumerated; with more items the score interval holds by itself."""

RATES: Final = 150
"""So many rates at which A alone may err are tried, more closely near 0."""

ROUNDING: Final = 1e-12
"""Scores and chances that differ by less are equal."""


def margin_p(worse: int, better: int, n_items: int, margin: float) -> float:
    """The p value of "the error of B is that of A and a margin, or more".

    Parameters
    ----------
    worse, better : int
        Items on which only B errs, and only A.
    n_items : int
        All items, at most `MOST_ITEMS`.
    margin : float
        Above 0 and below 1.

    Returns
    -------
    float
        1 where the score says nothing for B.

    References
    ----------
    Tango (1998), Statistics in Medicine 17, 891-908. Lloyd (2008), Biometrics 64,
    716-723; he and Moldovan find this test the best of the exact ones (2008, Statistics
    in Medicine 27, 3540-3549).

    Examples
    --------
    B fails on 2 of 100 items, A on none. If B failed on 5 % more in truth, it would
    do as well, or better, in up to 11.9 % of samples:

    >>> round(margin_p(2, 0, 100, 0.05), 3)
    0.119
    """
    outcomes = _outcomes(n_items, margin)
    seen = (outcomes.worse == worse) & (outcomes.better == better)
    if not seen.any():
        return 1.0
    as_extreme = outcomes.estimate <= outcomes.estimate[seen] + ROUNDING
    return float(outcomes.chance[:, as_extreme].sum(axis=1).max())


class _Outcomes(NamedTuple):
    """All that may be seen and speaks for B, with its chance at each rate.

    ``worse`` and ``better`` have shape (n_outcomes,), as has ``estimate``, the chance
    of so much or more; ``chance`` has shape (RATES, n_outcomes).
    """

    worse: Positions
    better: Positions
    estimate: Floats
    chance: Floats


@lru_cache(maxsize=4)
def _outcomes(n_items: int, margin: float) -> _Outcomes:
    from scipy.special import gammaln, xlogy

    worse, better = np.indices((n_items + 1, n_items + 1)).reshape(2, -1)
    possible = (worse + better <= n_items) & (worse - better < n_items * margin)
    worse, better = worse[possible], better[possible]
    alike = n_items - worse - better
    score, restricted = _tango(worse, better, n_items, margin)
    order = np.argsort(score, kind="stable")

    largest = (1 - margin) / 2
    rates = largest * np.linspace(0, 1, RATES) ** 2
    ways = gammaln(n_items + 1) - sum(
        gammaln(count + 1) for count in (worse, better, alike)
    )
    chance = np.exp(
        ways
        + xlogy(worse, rates[:, None] + margin)
        + xlogy(better, rates[:, None])
        + xlogy(alike, np.maximum(1 - margin - 2 * rates[:, None], 0))
    )
    # Outcomes of one score are as extreme as the last of them.
    last = np.searchsorted(score[order], score + ROUNDING, "right") - 1
    tail = np.cumsum(chance[:, order], axis=1)[:, last]
    # Between the two rates next to the restricted one the tail is nearly straight.
    place = np.interp(restricted, rates, np.arange(RATES))
    below = np.minimum(place.astype(np.intp), RATES - 2)
    columns, part = np.arange(len(place)), place - below
    estimate = (1 - part) * tail[below, columns] + part * tail[below + 1, columns]
    return _Outcomes(worse, better, estimate, chance)


def _tango(
    worse: Positions, better: Positions, n_items: int, margin: float
) -> tuple[Floats, Floats]:
    """Tango's score, and the rate at which A alone errs if B errs more by the margin.

    The rate is the larger root of 2 n q² + b q - better margin (1 - margin) = 0, where
    b = (2 n - worse + better) margin - worse - better.
    """
    middle = (2 * n_items - worse + better) * margin - worse - better
    root = np.sqrt(middle**2 + 8 * n_items * better * margin * (1 - margin))
    rate = np.clip((root - middle) / (4 * n_items), 0.0, (1 - margin) / 2)
    deviation = np.sqrt(n_items * (2 * rate + margin * (1 - margin)))
    return (worse - better - n_items * margin) / deviation, rate
