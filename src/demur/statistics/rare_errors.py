"""How many errors may be expected at all rates together, where few were seen."""

import math

import numpy as np

FEW_ERRORS = 30
"""So many errors, or fewer, are taken for a Poisson process."""

HALVINGS = 30


def rising_factor(level: float, most: int) -> float:
    """So many deviations above the errors seen lie the expected ones, at all rates.

    Leftwards from silence errors come in like calls: a Poisson process. Resamples of a
    few errors do not show how many may be expected before the first one is seen, or the
    next. Of ``most`` expected in all, more than (sqrt(k + 3/8) + factor / 2) ** 2 - 3/8
    are expected where k are seen, at some k, with probability (1 - level) / 2.

    Examples
    --------
    >>> round(rising_factor(0.95, 0), 2), round(rising_factor(0.95, 10), 2)
    (2.81, 2.98)
    """
    seen = np.arange(most + 1)
    factorial = np.cumsum(np.log(np.maximum(seen, 1)))

    def missed(factor: float) -> float:
        expected = (np.sqrt(seen + 0.375) + factor / 2) ** 2 - 0.375
        expected = expected[expected <= max(most, expected[0])]
        # The chance of each number of errors where so many more are expected; of more
        # than `most` nothing is missed any longer.
        chance, share = np.eye(1, most + 1)[0], 0.0
        for k, step in enumerate(np.diff(expected, prepend=0.0)):
            further = np.exp(seen * math.log(step) - step - factorial)
            chance = np.convolve(chance, further)[: most + 1]
            share += float(chance[: k + 1].sum())
            chance[: k + 1] = 0.0
        return share

    low, high = 0.0, 20.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (
            (middle, high) if missed(middle) > (1 - level) / 2 else (low, middle)
        )
    return high
