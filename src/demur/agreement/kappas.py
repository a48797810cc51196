"""Coefficients of agreement beside alpha: Cohen, Scott, Fleiss, PARADISE."""

from collections.abc import Callable
from itertools import combinations
from typing import Any, Final

import numpy as np

from demur.agreement.alphas import NO_PAIRS, ONE_VALUE, LabelCounts
from demur.agreement.annotations import Annotations
from demur.arrays import Floats

Value = tuple[float | None, str]
"""A coefficient, or None and why it is undefined."""

NOT_TWO: Final = "it is for two annotators"
UNEQUAL: Final = "it needs equally many labels for each unit; alpha does not"


def confusion(annotations: Annotations, first: int, second: int) -> Floats:
    """How often one annotator gave a label, and another one gave a label.

    Parameters
    ----------
    first, second : int
        Positions of two annotators.

    Returns
    -------
    array, shape (n_labels, n_labels)
        Rows are the labels of the first, columns those of the second; over the units
        that both have labelled.
    """
    n_units, n_labels = len(annotations.units), len(annotations.labels)
    given = np.full((2, n_units), -1)
    for row, who in enumerate((first, second)):
        rows = annotations.annotator == who
        given[row, annotations.unit[rows]] = annotations.label[rows]
    both = (given >= 0).all(axis=0)
    key = given[0, both] * n_labels + given[1, both]
    counts = np.bincount(key, minlength=n_labels * n_labels).astype(float)
    return counts.reshape(n_labels, n_labels)


def of_confusion(counts: Floats, expected: Callable[[Floats, Floats], float]) -> Value:
    """(observed - expected) / (1 - expected) of a confusion matrix.

    Parameters
    ----------
    counts : array, shape (n_labels, n_labels)
        How often each pair of labels was given.
    expected : callable
        Of the shares of rows and of columns.
    """
    total = counts.sum()
    if not total:
        return None, NO_PAIRS
    observed = np.trace(counts) / total
    chance = expected(counts.sum(axis=1) / total, counts.sum(axis=0) / total)
    if chance >= 1:
        return None, ONE_VALUE
    return float((observed - chance) / (1 - chance)), ""


def cohen(annotations: Annotations) -> Value:
    """Cohen's kappa; of more than two annotators the mean over all pairs (Light).

    References
    ----------
    Cohen (1960), "A coefficient of agreement for nominal scales". Light (1971) for
    the mean.
    """
    values = []
    for first, second in combinations(range(len(annotations.annotators)), 2):
        counts = confusion(annotations, first, second)
        if not counts.any():
            continue  # they have no unit in common
        value, why = of_confusion(counts, lambda rows, columns: float(rows @ columns))
        if value is None:
            return None, why
        values.append(value)
    return (float(np.mean(values)), "") if values else (None, NO_PAIRS)


def scott(annotations: Annotations) -> Value:
    """Scott's pi, for two annotators: chance from their common distribution.

    References
    ----------
    Scott (1955), "Reliability of content analysis: the case of nominal scale coding".
    """
    if len(annotations.annotators) != 2:
        return None, NOT_TWO
    counts = confusion(annotations, 0, 1)
    return of_confusion(
        counts, lambda rows, columns: float(np.square((rows + columns) / 2).sum())
    )


def paradise(annotations: Annotations, key: str, judge: str) -> Value:
    """The kappa of PARADISE: chance from the key alone.

    Parameters
    ----------
    key : str
        The annotator whose labels are the scenario's.
    judge : str
        The other one.

    References
    ----------
    Walker et al. (1997), "PARADISE: a framework for evaluating spoken dialogue agents".
    """
    names = list(annotations.annotators)
    counts = confusion(annotations, names.index(judge), names.index(key))
    return of_confusion(counts, lambda _, columns: float(np.square(columns).sum()))


def fleiss(cells: LabelCounts) -> Value:
    """Fleiss' kappa, for equally many labels of each unit.

    References
    ----------
    Fleiss (1971), "Measuring nominal scale agreement among many raters".
    """
    if not len(cells.size):
        return None, NO_PAIRS
    m = cells.size[0]
    if (cells.size != m).any():
        return None, UNEQUAL
    squares = np.bincount(cells.unit, cells.count**2, len(cells.size))
    observed = float(((squares - m) / (m * (m - 1))).mean())
    shares: Any = cells.marginals() / cells.size.sum()
    chance = float(np.square(shares).sum())
    if chance >= 1:
        return None, ONE_VALUE
    return (observed - chance) / (1 - chance), ""
