"""The error at every cutoff at once, from noisy verdicts and a part people judged.

The same estimate as `noisy_verdicts.prediction_powered` at each cutoff, from sums that
grow as one guess after the other is answered.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demur.arrays import Floats, Positions
from demur.statistics.noisy_verdicts import LEAST_VARIANCE, Verdicts, rate_interval


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
    _, cluster = np.unique(verdicts.cluster, return_inverse=True)
    known = verdicts.labelled[order].astype(float)
    judge, rest = verdicts.judge[order], 1 - known
    people = np.where(known > 0, verdicts.people[order], 0.0)
    steps = np.stack([people, judge * known, judge * rest, known, rest])
    sums = np.cumsum(steps, axis=1)[:, last]
    products = _products(steps, cluster[order], np.bincount(cluster))[:, :, last]
    share = (last + 1) / len(cluster)
    among, trust, *moved = _estimates(sums, products, share, len(cluster))
    units = np.cumsum(_firsts(cluster[order], known > 0))[last]
    few = np.sqrt(units / np.maximum(units - 1, 1))
    errors = [few * _spread(weights, products) for weights in moved]
    pairs = zip(*errors, strict=True)
    cutoffs = zip(among, share, pairs, units.tolist(), strict=True)
    ends = np.array([rate_interval(*figures, level) for figures in cutoffs])
    low, high = ends.reshape(-1, 2).T
    return CorrectedRates(
        cutoff=ranked[last],
        nonreturn=1 - share,
        raw=(sums[1] + sums[2]) / len(cluster),
        value=np.where(units > 0, among * share, np.nan),
        low=low,
        high=high,
        trust=trust,
    )


def _estimates(
    sums: Floats, products: Floats, share: Floats, n_items: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """The errors among answered items, the trusts, and the weights of what they move.

    With P and S the losses of labelled items by people and by the judge, U those of the
    others by the judge, k and r the numbers of either, what a cluster moves the errors
    among answered and over all items by are weighted sums of its own P, S, U, k, r and
    size: the weights of both have shape (6, n_cutoffs).
    """
    known, rest = np.maximum(sums[3], 1), np.maximum(sums[4], 1)
    people, seen, unseen = sums[0] / known, sums[1] / known, sums[2] / rest
    none = np.zeros(len(share))
    first = np.stack([1 / known, none, none, -people / known, none, none])
    second = np.stack([none, -1 / known, 1 / rest, seen / known, -unseen / rest, none])
    both = np.einsum("iv,ijv,jv->v", first, products, second)
    size = np.einsum("iv,ijv,jv->v", second, products, second)
    some = (size > LEAST_VARIANCE) & (sums[3] > 0) & (sums[4] > 0)
    trust = np.where(some, np.clip(-both / np.where(some, size, 1.0), 0.0, 1.0), 0.0)
    among = np.clip(people + trust * (unseen - seen), 0.0, 1.0)
    more = np.stack([none, none, none, none + 1, none + 1, -share]) * among / n_items
    moved = first + trust * second
    return among, trust, moved, share * moved + more


def _spread(weights: Floats, products: Floats) -> Floats:
    square = np.einsum("iv,ijv,jv->v", weights, products, weights)
    root: Floats = np.sqrt(np.maximum(square, 0.0))
    return root


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
