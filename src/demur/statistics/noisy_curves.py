"""The error at every cutoff at once, from noisy verdicts and a part people judged.

The same estimate as `noisy_verdicts.prediction_powered` at each cutoff, from sums that
grow as one guess after the other is answered.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from demur.arrays import Floats, Numbers, Positions
from demur.statistics.noisy_verdicts import Verdicts, slope_of
from demur.statistics.units import ROUNDING, independent, upper_ends


@dataclass(frozen=True, eq=False)
class CorrectedRates:
    """The corrected error at each cutoff, from the highest cutoff to the lowest.

    Parameters
    ----------
    cutoff, nonreturn : array of float, shape (n_cutoffs,)
        Least confidence that is answered; items that are not answered / all items.
    raw : array of float, shape (n_cutoffs,)
        The error by the judge, over all items.
    value, low, high : array of float, shape (n_cutoffs,)
        The corrected one; the value is NaN where no answered item is labelled.
    trust : array of float, shape (n_cutoffs,)
        How much of it is the judge: 0 is people alone.
    """

    cutoff: Floats
    nonreturn: Floats
    raw: Floats
    value: Floats
    low: Floats
    high: Floats
    trust: Floats


MOST_KINDS: Final = 64
"""So many kinds of labelled answers are told apart before they are rounded."""

_AT_ONCE: Final = 1 << 18
"""Kinds times cutoffs that are worked out at once."""


def corrected_errors(
    verdicts: Verdicts, confidence: Floats, level: float
) -> CorrectedRates:
    """The corrected error at each cutoff, as `prediction_powered` has it there.

    Parameters
    ----------
    verdicts : Verdicts
        With every guess answered.
    confidence : array of float, shape (n_items,)
        Looked at where there is a guess.
    level : float
        Of the interval at each cutoff by itself.

    Returns
    -------
    CorrectedRates
    """
    guesses = np.flatnonzero(verdicts.answered)
    order = guesses[np.argsort(-confidence[guesses], kind="stable")]
    ranked = confidence[order]
    last = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], [True])[: len(ranked)])
    answers = _Answers(verdicts, order)
    parts = np.array_split(last, 1 + len(last) * len(answers.kinds.T) // _AT_ONCE)
    rates = [answers.until(part, level) for part in parts]
    value, low, high, trust = np.concatenate(rates, axis=1)
    n_items = len(verdicts.judge)
    return CorrectedRates(
        cutoff=ranked[last],
        nonreturn=1 - (last + 1) / n_items,
        raw=np.cumsum(verdicts.judge[order])[last] / n_items,
        value=value,
        low=low,
        high=high,
        trust=trust,
    )


class _Answers:
    """Sums over answers, as one guess after the other is answered.

    The first are, over labelled answers, of the label's weight times the loss by
    people, times that by the judge, and of the weight; then of the judge's losses over
    labelled answers and over the others, and the number of answers.
    """

    def __init__(self, verdicts: Verdicts, order: Positions) -> None:
        _, cluster = np.unique(verdicts.cluster, return_inverse=True)
        known = verdicts.labelled[order].astype(float)
        judge, weight = verdicts.judge[order], known * verdicts.label_weight[order]
        people = np.where(known > 0, verdicts.people[order], 0.0)
        steps = [weight * people, weight * judge, weight, known * judge]
        steps += [(1 - known) * judge, np.ones(len(order))]
        further = [known, weight * people * judge, weight * judge**2, weight**2]
        self.n_items = len(cluster)
        self.drawn_unequally = verdicts.drawn_unequally
        self.sums = np.cumsum(np.stack([*steps, *further]), axis=1)
        self.products = _products(np.stack(steps), cluster[order], np.bincount(cluster))
        self.units = np.cumsum(_firsts(cluster[order], known > 0))
        labelled = np.flatnonzero(known)
        columns = [people[labelled], judge[labelled], weight[labelled]]
        self.kinds, kind = _kinds(np.stack(columns))
        by_kind = np.zeros((len(self.kinds.T), len(labelled) + 1))
        by_kind[kind, np.arange(len(labelled)) + 1] = weight[labelled]
        self.by_kind = np.cumsum(by_kind, axis=1)

    def until(self, last: Positions, level: float) -> Floats:
        """Value, lower and upper end, and trust at some cutoffs, shape (4, n)."""
        people, judge, total, seen, unseen, answers = self.sums[:6, last]
        labels, both, square, _ = self.sums[6:, last]
        n_known, total = np.maximum(labels, 1), np.where(labels > 0, total, 1.0)
        scaled = (n_known / total * part for part in (people, judge, both, square))
        some = (labels > 0) & (labels < answers)
        slope = np.where(some, slope_of(n_known, *scaled), 0.0)
        off, by_judge = (people - slope * judge) / total, slope / answers
        known, share = by_judge * (seen + unseen), answers / self.n_items
        among, center = np.clip(off + known, 0.0, 1.0), off + by_judge * seen
        # What a cluster moves the mean of its labelled answers by, and the error.
        none, units = np.zeros(len(last)), self.units[last]
        products = self.products[:, :, last] * (units / np.maximum(units - 1, 1))
        first = [1 / total, -slope / total, -center / total, by_judge]
        variance = _square(np.stack([*first, none, none, none]), products)
        first[2] = -off / total
        moved = share * np.stack([*first, by_judge, -known / answers, none])
        moved[5:] += among / self.n_items * np.stack([none + 1, -share])
        beside = np.maximum(_square(moved, products) / share**2 - variance, 0.0)
        low, high = (
            off + known + self._ends(last, slope, total, variance, beside, level)
        )
        low, high = np.clip(low, 0.0, among), np.clip(high, among, 1.0)
        # As luck has it, more may be answered at a cutoff: see `Correction.rate`.
        high = np.maximum(high, among + _quantiles(level, units) * np.sqrt(beside))
        high = np.minimum(high, 1 / share)
        return np.stack(
            [
                np.where(labels > 0, share * among, np.nan),
                np.where(labels > 0, share * low, 0.0),
                np.where(labels > 0, share * high, share),
                slope * (1 - labels / answers),
            ]
        )

    def _ends(
        self,
        last: Positions,
        slope: Floats,
        total: Floats,
        variance: Floats,
        beside: Floats,
        level: float,
    ) -> Floats:
        """The score intervals of labelled answers, less their means, shape (2, n)."""
        answers, labels, *_, squares = self.sums[5:, last]
        units, n_known = self.units[last], np.maximum(labels, 1)
        shares = self.by_kind[:, labels.astype(int)] / total
        people, judge, stands = self.kinds[:, :, None]
        value = people - slope * (1 - total / (answers * stands)) * judge
        mean = (shares * value).sum(axis=0)
        size = np.where(labels > 0, self.products[2, 2, last] / total**2, 1.0)
        powers = ((value - mean) ** 2, value**2, value**4)
        means = [(shares * power).sum(axis=0) for power in powers]
        kish = total**2 / np.where(labels > 0, squares, 1.0)
        worth = kish
        if self.drawn_unequally:  # as `items_drawn_well` has it
            square = (shares * stands / total * powers[0]).sum(axis=0)
            differ = square > ROUNDING**2
            worth = np.maximum(means[0] / np.where(differ, square, np.inf), kish)
        n_items = independent(worth, variance, size, *means)
        alone = (units == labels) & np.isclose(kish, n_known, rtol=1e-12, atol=0)
        n_items = np.where(units < 2, 1.0, np.where(alone, n_known, n_items))
        reach = _quantiles(level, units) / np.sqrt(n_items)
        low = -upper_ends(-value, shares, slope, reach, beside * n_items)
        high = upper_ends(value, shares, np.ones(len(last)), reach, beside * n_items)
        ends: Floats = np.stack([low, high]) - mean
        return ends


def _quantiles(level: float, units: Numbers) -> Floats:
    """Student's t for so many units, at least two."""
    from scipy.special import stdtrit

    quantiles: Floats = stdtrit(np.maximum(units, 2) - 1, (1 + level) / 2)
    return quantiles


def _kinds(columns: Floats) -> tuple[Floats, Positions]:
    """Labelled answers that are alike in all columns, and which each one is.

    Where there are too many kinds, the judge's losses are rounded to eighths and the
    weights to powers of two.

    Returns
    -------
    kinds : array of float64, shape (3, n_kinds)
    kind : array of int64, shape (n_labelled,)
    """
    if not columns.size:
        return np.ones((3, 1)), np.zeros(0, np.int64)
    kinds, kind = np.unique(columns, axis=1, return_inverse=True)
    if len(kinds.T) > MOST_KINDS:
        people, judge, weight = columns
        rounded = [people, np.rint(8 * judge) / 8, np.exp2(np.rint(np.log2(weight)))]
        kinds, kind = np.unique(np.stack(rounded), axis=1, return_inverse=True)
    return kinds, kind.ravel()


def _square(weights: Floats, products: Floats) -> Floats:
    square: Floats = np.einsum("iv,ijv,jv->v", weights, products, weights)
    return np.maximum(square, 0.0)


def _products(steps: Floats, cluster: Positions, sizes: Positions) -> Floats:
    """Sums over clusters of the products of their own sums, as these grow.

    Parameters
    ----------
    steps : array of float, shape (n_sums, n_guesses)
        What each guess adds to the sums of its cluster.
    sizes : array of int, shape (n_clusters,)
        One more sum, which is there from the start.

    Returns
    -------
    array of float, shape (n_sums + 1, n_sums + 1, n_guesses)
    """
    before = np.stack([_before(step, cluster) for step in steps] + [sizes[cluster]])
    added = np.concatenate([steps, np.zeros((1, steps.shape[1]))])
    n_sums = len(added)
    products = np.empty((n_sums, n_sums, steps.shape[1]))
    for i in range(n_sums):
        for j in range(i, n_sums):
            grown = added[i] * before[j] + added[j] * before[i] + added[i] * added[j]
            products[i, j] = products[j, i] = np.cumsum(grown)
    products[-1, -1] += np.square(sizes).sum()
    return products


def _before(step: Floats, cluster: Positions) -> Floats:
    """What the cluster of each guess had before it."""
    order = np.argsort(cluster, kind="stable")
    ordered, units = step[order], cluster[order]
    total = np.cumsum(ordered) - ordered
    first = np.flatnonzero(np.append([True], units[1:] != units[:-1])[: len(units)])
    start = np.repeat(total[first], np.diff(first, append=len(units)))
    before = np.empty(len(step))
    before[order] = total - start
    return before


def _firsts(cluster: Positions, known: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Whether a guess is the first labelled one of its cluster."""
    first = np.zeros(len(cluster), bool)
    rows = np.flatnonzero(known)
    first[rows[np.unique(cluster[rows], return_index=True)[1]]] = True
    return first
