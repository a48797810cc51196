"""The interval of the mean F of labels, of which some are rare."""

from dataclasses import dataclass

import numpy as np

from demur.arrays import Flags, Floats, Positions
from demur.metrics.confusions import counted_codes
from demur.statistics.equal_units import equal_units
from demur.statistics.intervals import wilson
from demur.statistics.ratios import Ends
from demur.statistics.units import FEWEST_UNITS, ROUNDING, t_quantile


def mean_f_interval(
    true: Positions,
    given: Positions,
    cluster: Positions | None,
    *,
    alpha: float,
    level: float,
) -> Ends:
    """The interval of the mean F of the labels that are true somewhere.

    F of a label is right / (alpha given + (1 - alpha) true). What items move the mean
    by says too little where a label is rare: of two items that are both right nothing
    varies. So each label's F gets the interval of Wilson, and what items move it by is
    stretched to its distance from either end, before labels are added up unit by unit.
    F of few items is too low on average; what leaving units out shows of that is added.

    Parameters
    ----------
    true, given : array of int, shape (n_items,)
        Labels by number, from 0; -1 where none is given.
    cluster : array of int, shape (n_items,), or None
        Numbers from 0; None if every item stands alone.
    alpha, level : float
        As for `demur.label_scores`.

    Returns
    -------
    (low, high) or None
        None for fewer than five units.

    References
    ----------
    Zou and Donner (2008), Statistics in Medicine 27, for sums of numbers from the
    interval of each; Quenouille's jackknife for the bias.

    Examples
    --------
    >>> true, given = np.array([0] * 9 + [1] * 3), np.array([0] * 10 + [1] * 2)
    >>> ends = mean_f_interval(true, given, None, alpha=0.5, level=0.95)
    >>> [round(end, 2) for end in ends]
    [0.51, 1.0]
    """
    n_items = len(true)
    n_units = n_items if cluster is None else int(cluster.max()) + 1
    if n_units < FEWEST_UNITS:
        return None
    parts = _parts(cluster, true, given, alpha)
    f, counted = parts.f, parts.counted
    # As in `units.left_out`: a large unit pulls the mean towards itself.
    size = np.ones(1) if cluster is None else np.bincount(cluster)[parts.unit]
    heavier = 1 / (1 - size / n_items)
    moved = parts.moved
    deviation = np.sqrt(parts.of_labels(moved**2 * heavier))
    varies = deviation > ROUNDING
    n = np.where(varies, f * (1 - f) / np.where(varies, deviation, 1) ** 2, parts.worth)
    quantile = t_quantile(level, equal_units(np.ones(len(true)), cluster))
    listed = zip(f.tolist(), np.maximum(n, ROUNDING).tolist(), strict=True)
    ends = np.array([wilson(*of_label, quantile) for of_label in listed])

    def reach(distance: Floats) -> float:
        distance = np.where(counted, distance, 0.0)
        stretch = np.where(varies, distance / np.where(varies, deviation, 1), 0.0)
        units = np.bincount(parts.unit, moved * stretch[parts.label] * np.sqrt(heavier))
        alone = np.square(distance[~varies]).sum()
        together = (np.square(units) * parts.many).sum()
        return float(np.sqrt(together + alone) / counted.sum())

    mean = float(f[counted].mean())
    bias = parts.bias * (n_units - 1) / n_units
    low = mean - reach(f - ends[:, 0]) - max(bias, 0.0)
    high = mean + reach(ends[:, 1] - f) - min(bias, 0.0)
    return max(low, 0.0), min(high, 1.0)


@dataclass(frozen=True, eq=False)
class _Parts:
    """What units add to labels: arrays over the pairs of both that occur.

    Units that are one item each, with the same labels, stand once.

    Parameters
    ----------
    unit, label : array of int, shape (n_pairs,)
        Numbers from 0.
    right, size, true : array of float, shape (n_pairs,)
        The numerator and denominator of F, and items that have the label.
    many : array of float, shape (n_units,)
        How many units are like this one.
    """

    unit: Positions
    label: Positions
    right: Floats
    size: Floats
    true: Floats
    many: Floats

    def of_labels(self, amounts: Floats) -> Floats:
        """The sum of each label."""
        amounts = amounts * self.many[self.unit]
        sums: Floats = np.bincount(self.label, amounts).astype(np.float64)
        return sums

    @property
    def f(self) -> Floats:
        """F of each label, 0 where nothing counts below."""
        return _over(self.of_labels(self.right), self.of_labels(self.size))

    @property
    def counted(self) -> Flags:
        """Which labels are true somewhere."""
        return self.of_labels(self.true) > 0

    @property
    def moved(self) -> Floats:
        """By how much each pair moves the F of its label."""
        size = self.of_labels(self.size)[self.label]
        return _over(self.right - self.f[self.label] * self.size, size)

    @property
    def worth(self) -> Floats:
        """How many independent items each label is worth at most."""
        size = self.of_labels(self.size)
        return np.minimum(size, _over(size**2, self.of_labels(self.size**2)))

    @property
    def bias(self) -> float:
        """The sum of what leaving out each unit adds to the mean F."""
        right, size, true = (
            self.of_labels(amounts)[self.label] - amounts
            for amounts in (self.right, self.size, self.true)
        )
        f = self.f[self.label]
        # A label that only this unit has would leave the mean.
        apart = np.where((true > 0) & (size > ROUNDING), _over(right, size) - f, 0.0)
        return float((apart * self.many[self.unit]).sum() / self.counted.sum())


def _parts(
    cluster: Positions | None, true: Positions, given: Positions, alpha: float
) -> _Parts:
    many = None
    if cluster is None:
        n = max(int(true.max()), int(given.max())) + 2
        codes, many = counted_codes(true * n + given + 1, n * n)
        true, given = codes // n, codes % n - 1
    unit = np.arange(len(true)) if cluster is None else cluster
    apart = (given >= 0) & (given != true)
    is_true = np.arange(len(true) + int(apart.sum())) < len(true)
    is_right = np.append(true == given, is_true[len(true) :])
    sides = [is_right, is_true, is_right | ~is_true]
    unit, label = np.append(unit, unit[apart]), np.append(true, given[apart])
    if cluster is not None:  # else each item has each of its labels once
        n_labels = int(label.max()) + 1
        pairs, pair = np.unique(unit * n_labels + label, return_inverse=True)
        unit, label = pairs // n_labels, pairs % n_labels
        sides = [np.bincount(pair, side) for side in sides]
    right, of, put = (side.astype(np.float64) for side in sides)
    times = np.ones(int(unit.max()) + 1) if many is None else many.astype(np.float64)
    return _Parts(unit, label, right, alpha * put + (1 - alpha) * of, of, times)


def _over(above: Floats, below: Floats) -> Floats:
    ratio: Floats = np.divide(above, below, out=np.zeros(len(above)), where=below > 0)
    return ratio
