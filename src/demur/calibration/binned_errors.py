"""Calibration errors over bins, as benchmarks print them.

In each bin the mean confidence is held beside the share of right answers. Guesses of
equal confidence count alike, each as right as they are on average, so that the order of
rows changes nothing. Where guesses are ungraded, each bin is as near and as far from
calibrated as they allow: the two ends hold what is true, and may be wider than needed.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from demur.arrays import Flags, Floats, Positions
from demur.errors import UndefinedRate


def equal_counts_error(
    confidence: Floats,
    credit: Floats,
    ungraded: Flags,
    *,
    size: int = 100,
    without_last: bool = False,
) -> tuple[float, float]:
    """The root of the mean squared calibration error, over bins of equal counts.

    Parameters
    ----------
    confidence : array of float64, shape (n_guesses,)
        From 0 to 1.
    credit : array of float64, shape (n_guesses,)
        What each guess is worth; 0 if it is wrong or ungraded.
    ungraded : array of bool, shape (n_guesses,)
        Guesses that nobody could judge.
    size : int
        How many guesses a bin has; the last one has the rest too, and fewer guesses
        than that are one bin.
    without_last : bool
        Whether the last bin, of the surest guesses, is left out of the sum, though not
        of the number that it is divided by: so does the program of the benchmark.

    Returns
    -------
    tuple (low, high)
        Equal if everything is graded.

    Raises
    ------
    UndefinedRate
        If there is no guess, or no bin but the last that is left out.

    Examples
    --------
    >>> import numpy as np
    >>> confidence = np.array([0.2, 0.4, 0.9, 0.9])
    >>> none = np.zeros(4, bool)
    >>> found = equal_counts_error(confidence, np.array([0, 0, 1, 0]), none, size=2)
    >>> [round(end, 4) for end in found]
    [0.3536, 0.3536]
    """
    n_guesses = len(confidence)
    if not n_guesses:
        raise UndefinedRate("no guess has a confidence")
    starts = np.arange(0, max(n_guesses // size, 1) * size, size)
    if without_last and len(starts) < 2:
        raise UndefinedRate(f"its last bin is left out, the only one below {2 * size}")
    order = np.argsort(confidence, kind="stable")
    sure = confidence[order]
    credit, unclear = _shared(sure, [credit[order], ungraded[order].astype(float)])
    counts = np.diff(np.append(starts, n_guesses))
    nearest, farthest = _gaps(
        *(np.add.reduceat(part, starts) / counts for part in (sure, credit, unclear))
    )
    share = counts / n_guesses
    kept = slice(None, -1) if without_last else slice(None)
    low, high = (
        float(np.sqrt((share * gap**2)[kept].sum())) for gap in (nearest, farthest)
    )
    return low, high


def equal_widths_error(
    confidence: Floats,
    credit: Floats,
    ungraded: Flags,
    weight: Floats,
    *,
    bins: int = 15,
) -> tuple[float, float]:
    """The expected calibration error (ECE), over bins of equal widths from 0 to 1.

    A confidence at an edge belongs to the bin below it, and 0 to the lowest.

    Parameters
    ----------
    confidence, credit, ungraded : arrays, shape (n_guesses,)
        As for `equal_counts_error`.
    weight : array of float64, shape (n_guesses,)
        How much each guess counts.
    bins : int
        How many.

    Returns
    -------
    tuple (low, high)
        Equal if everything is graded.

    Raises
    ------
    UndefinedRate
        If there is no guess.

    Examples
    --------
    >>> import numpy as np
    >>> confidence = np.array([0.7, 0.7, 0.9, 0.9])
    >>> none = np.zeros(4, bool)
    >>> credit = np.array([1.0, 1.0, 1.0, 0.0])
    >>> round(equal_widths_error(confidence, credit, none, np.ones(4), bins=10)[0], 4)
    0.35
    """
    if not len(confidence):
        raise UndefinedRate("no guess has a confidence")
    # 0.7 is 7 / 10, whatever 0.7 x 10 is as a float.
    edges = np.array([float(Fraction(part, bins)) for part in range(1, bins)])
    place: Positions = np.searchsorted(edges.astype(confidence.dtype), confidence)
    sums = [
        np.bincount(place, weight * part, bins)
        for part in (np.ones(len(place)), confidence, credit, ungraded)
    ]
    held = sums[0] > 0
    total, *parts = (column[held] for column in sums)
    share = total / total.sum()
    nearest, farthest = _gaps(*(part / total for part in parts))
    return float(share @ nearest), float(share @ farthest)


def _shared(sure: Floats, columns: Sequence[Floats]) -> list[Floats]:
    """Each value as the mean of those of equal confidence; confidences rise."""
    first = np.append(True, sure[1:] != sure[:-1])
    starts, block = np.flatnonzero(first), np.cumsum(first) - 1
    counts = np.bincount(block)
    return [(np.add.reduceat(column, starts) / counts)[block] for column in columns]


def _gaps(sure: Floats, credit: Floats, unclear: Floats) -> tuple[Floats, Floats]:
    """The least and the greatest difference, whatever ungraded guesses are."""
    below, above = credit - sure, credit + unclear - sure
    nearest = np.maximum(np.maximum(below, -above), 0.0)
    return nearest, np.maximum(np.abs(below), np.abs(above))
