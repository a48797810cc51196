"""Which labels are taken for which, and measures of the whole confusion matrix."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from demur.arrays import Positions
from demur.results import Result

_FEW: Final = 4
"""Codes for each item up to which a table of all is quicker than sorting."""


@dataclass(frozen=True, eq=False, repr=False)
class Confusion(Result):
    """Items of one label that were given another.

    Parameters
    ----------
    true : str
        The label that they have.
    given : str or None
        The one that they were given; None where the system declined.
    items : int
        How many.
    share : float
        Of all items with this true label.
    """

    SAYS = "Of {true}, {items} were given {given}."

    true: str
    given: str | None
    items: int
    share: float


def confusions(
    names: Sequence[str], true: Positions, given: Positions
) -> tuple[Confusion, ...]:
    """All pairs of a true label and another that was given, the most frequent first.

    Parameters
    ----------
    names : sequence of str
        Of all labels.
    true, given : array of int64, shape (n_items,)
        Their codes; -1 is given where the system declined.

    Returns
    -------
    tuple of Confusion

    Examples
    --------
    >>> found = confusions(["a", "b"], np.array([0, 0, 0, 1]), np.array([1, 1, -1, 1]))
    >>> [(each.true, each.given, each.items) for each in found]
    [('a', 'b', 2), ('a', None, 1)]
    """
    differ = true != given
    n_given = len(names) + 1  # the last is none, for -1
    codes = true[differ] * n_given + given[differ] % n_given
    pairs, items = counted_codes(codes, len(names) * n_given)
    size = np.bincount(true, minlength=len(names))
    order = np.argsort(-items, kind="stable")
    labels = [*names, None]
    rows = zip(pairs[order].tolist(), items[order].tolist(), strict=True)
    return tuple(
        Confusion(
            names[pair // n_given],
            labels[pair % n_given],
            count,
            count / int(size[pair // n_given]),
        )
        for pair, count in rows
    )


def counted_codes(codes: Positions, most: int) -> tuple[Positions, Positions]:
    """Which codes from 0 to below ``most`` there are, and how often.

    Examples
    --------
    >>> [found.tolist() for found in counted_codes(np.array([2, 0, 2]), 3)]
    [[0, 2], [1, 2]]
    """
    if most > _FEW * len(codes):
        different, times = np.unique(codes, return_counts=True)
        return different, times
    times = np.bincount(codes, minlength=most)
    different = np.flatnonzero(times)
    return different, times[different]


def matthews(names: Sequence[str], true: Positions, given: Positions) -> float | None:
    """Correlation of the true labels with those that were given, from -1 to 1.

    Parameters
    ----------
    names : sequence of str
        Of all labels.
    true, given : array of int64, shape (n_items,)
        Their codes; what is declined (-1) is a label of its own.

    Returns
    -------
    float or None
        None where all items have one label, or were given one.

    References
    ----------
    B. W. Matthews (1975), "Comparison of the predicted and observed secondary structure
    of T4 phage lysozyme", Biochimica et Biophysica Acta 405, 442-451. J. Gorodkin
    (2004), "Comparing two K-category assignments by a K-category correlation
    coefficient", Computational Biology and Chemistry 28, 367-374.

    Examples
    --------
    >>> matthews(["a", "b"], np.array([0, 0, 1, 1]), np.array([0, 0, 1, 0]))
    0.5773502691896258
    """
    n = len(true)
    n_labels = len(names) + 1
    have = np.bincount(true, minlength=n_labels).astype(float)
    put = np.bincount(given % n_labels, minlength=n_labels).astype(float)
    right = float(np.count_nonzero(true == given))
    spread = (n * n - put @ put) * (n * n - have @ have)
    return float((right * n - put @ have) / np.sqrt(spread)) if spread else None
