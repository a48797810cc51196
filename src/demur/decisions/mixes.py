"""Mixes of confidences over cells: how far two are apart, and whether that is luck.

Needs no labels. With clusters, how much the shares of the cells vary together by
cluster takes the place of what independent items would give.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demur.arrays import Flags, Floats
from demur.statistics.equal_units import equal_units
from demur.statistics.units import left_out

LEAST_EXPECTED = 10
MANY = 1e9
"""So many degrees of freedom are as good as infinitely many."""

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Mix:
    """How many items are in each cell, and how much shares vary by chance.

    Parameters
    ----------
    counts : array of float64, shape (n_cells,)
        Items without a guess, then those in each bin.
    effects : tuple (declined, mix)
        Variance with clusters over variance without, of the share declined and, on
        average, of those of the cells; never below 1.
    covariances : array of float64, shape (n_cells, n_cells), or None
        Of the shares of the cells, times the items; None of independent items.
    clusters : int or None
        How many there are; None if every item stands alone.
    worth : float
        How many equal ones these are worth; infinite without clusters.
    """

    counts: Floats
    effects: tuple[float, float] = (1.0, 1.0)
    covariances: Floats | None = None
    clusters: int | None = None
    worth: float = math.inf

    @property
    def shares(self) -> Floats:
        """Items in each cell / all items."""
        shares: Floats = self.counts / self.counts.sum()
        return shares

    @property
    def triangle(self) -> tuple[float, ...]:
        """The lower triangle of the covariances, row by row; empty without any."""
        if self.covariances is None:
            return ()
        return tuple(self.covariances[np.tril_indices(len(self.counts))].tolist())

    @property
    def effective(self) -> Floats:
        """As many independent items in each cell as tell as much (Rao and Scott)."""
        counts: Floats = self.counts / self.effects[1]
        return counts

    def variances(self, member: Floats, shares: Floats) -> Floats:
        """Covariances of the shares of merged cells, over the roots of their shares.

        Parameters
        ----------
        member : array of float64, shape (n_merged, n_cells)
            1 where a cell belongs to a merged one.
        shares : array of float64, shape (n_merged,)
            As both mixes together have them.
        """
        root = np.sqrt(shares)
        alone: Floats = self.effects[1] * (np.eye(len(root)) - np.outer(root, root))
        if self.covariances is not None:
            seen = member @ self.shares
            root = np.sqrt(np.where(seen > 0, seen, 1.0))
            scaled = member @ self.covariances @ member.T / np.outer(root, root)
            # What clusters do to a cell in which nothing was seen is not known.
            none = np.where(seen > 0, 0.0, np.diag(alone))
            alone = scaled + np.diag(none)
        variances: Floats = alone / self.counts.sum()
        return variances


def mix_of(answered: Flags, cell: Counts, n_cells: int, cluster: Counts | None) -> Mix:
    """How many items are in each cell, and what their clusters do to that.

    The covariances are those of Bell and McCaffrey (`units.left_out`).
    """
    counts = np.bincount(cell, minlength=n_cells).astype(np.float64)
    if cluster is None:
        return Mix(counts)
    n_items, weight = len(cell), np.bincount(cluster).astype(np.float64)
    if len(weight) < 2:
        return Mix(counts, (float(n_items), float(n_items)), None, 1, 1.0)
    flags = np.column_stack([~answered, cell[:, None] == np.arange(n_cells)])
    shares = flags.mean(axis=0)
    covariances = _by_clusters((flags - shares) / np.sqrt(n_items), cluster)
    alone = shares[0] * (1 - shares[0])
    declined = covariances[0, 0] / alone if alone else 1.0
    among = np.diag(covariances)[1:], shares[1:]
    filled = among[1] > 0
    mix = float((among[0][filled] / among[1][filled]).sum()) / max(filled.sum() - 1, 1)
    return Mix(
        counts,
        (max(1.0, float(declined)), max(1.0, mix)),
        # Clusters that vary less than items alone do so by chance; if they do not vary
        # at all, nothing is known of how they would.
        covariances[1:, 1:] * max(1.0, 1 / mix) if mix > 0 else None,
        len(weight),
        _worth(weight, mix),
    )


def _worth(sizes: Floats, effect: float) -> float:
    """How many equal clusters they are worth, as alike within as the effect says."""
    more = float(sizes @ sizes / sizes.sum()) - 1
    alike = min(max((effect - 1) / more, 0.0), 1.0) if more > 0 else 0.0
    return equal_units(sizes, variance=sizes * (1 + (sizes - 1) * alike))


def _by_clusters(columns: Floats, cluster: Counts) -> Floats:
    """Covariances of sums over items, from what each cluster adds to them."""
    moved = np.stack(
        [left_out(column, np.ones(len(column)), cluster) for column in columns.T]
    )
    covariances: Floats = moved @ moved.T * ((moved.shape[1] - 1) / moved.shape[1])
    return covariances


# -- tests -------------------------------------------------------------------------


def declined_test(
    then: tuple[int, int], now: tuple[int, int], mixes: tuple[Mix, Mix]
) -> float:
    """Two-sided p value of the difference between two shares."""
    from scipy.special import stdtr

    if all(mix.clusters is None and max(mix.effects) == 1 for mix in mixes):
        return _fisher(*then, *now)
    # As many independent items as tell as much (Rao and Scott). How alike the items of
    # a cluster are cannot be seen where all or none are declined: as in the other mix.
    first, second = (mix.effects[0] for mix in mixes)
    effects = [
        effect if 0 < k < n else max(effect, other)
        for (k, n), effect, other in (
            (then, first, second),
            (now, second, first),
        )
    ]
    (k1, n1), (k2, n2) = (
        (k / effect, n / effect)
        for (k, n), effect in zip((then, now), effects, strict=True)
    )
    pooled = (k1 + k2) / (n1 + n2)
    variances = np.array([pooled * (1 - pooled) / n for n in (n1, n2)])
    if not variances.any():
        return 1.0
    freedom = _freedom(variances, [mix.worth - 1 for mix in mixes])
    z = abs(k1 / n1 - k2 / n2) / math.sqrt(variances.sum())
    return 2 * float(stdtr(freedom, -z)) if freedom else 1.0


def _freedom(variances: Floats, freedoms: Sequence[float]) -> float:
    """Degrees of freedom of a sum of estimates of variances (Satterthwaite)."""
    if min(freedoms) <= 0:
        return 0.0
    unknown = float((variances**2 / np.array(freedoms)).sum())
    return min(float(variances.sum()) ** 2 / unknown, MANY) if unknown else MANY


def _fisher(k1: int, n1: int, k2: int, n2: int) -> float:
    """Fisher's exact test: the chance of tables no likelier than the one seen."""
    from scipy.special import gammaln

    both = k1 + k2
    k = np.arange(max(0, both - n2), min(both, n1) + 1)
    chance = -(
        gammaln(k + 1)
        + gammaln(n1 - k + 1)
        + gammaln(both - k + 1)
        + gammaln(n2 - both + k + 1)
    )
    chance = np.exp(chance - chance.max())
    seen = chance[k1 - k[0]]
    # Tables that are as likely but for rounding are no likelier.
    return min(1.0, float(chance[chance <= seen * (1 + 1e-7)].sum() / chance.sum()))


def mix_test(then: Mix, now: Mix) -> tuple[float | None, int]:
    """P value of a test that two mixes are one, and over how many cells.

    Chi-square over merged cells; with clusters it is held against what clusters alone
    would give, by Rao and Scott's second order: its mean is the trace t of the
    covariances over the shares, and its degrees of freedom are t ** 2 over the sum of
    their squares. As t is estimated, the reference is F.
    """
    from scipy.special import chdtrc, fdtrc

    group = _merged(then.effective, now.effective)
    n_cells = int(group.max()) + 1
    if n_cells < 2 or min(then.worth, now.worth) <= 1:
        return None, n_cells
    member = 1.0 * (group == np.arange(n_cells)[:, None])
    counts = member @ then.effective, member @ now.effective
    pooled = (counts[0] + counts[1]) / (counts[0].sum() + counts[1].sum())
    apart = member @ (then.shares - now.shares)
    mixes, statistic = (then, now), float((apart**2 / pooled).sum())
    parts = [mix.variances(member, pooled) for mix in mixes]
    traces = np.array([np.trace(part) for part in parts])
    squares = [
        _square(part, mix.clusters) for part, mix in zip(parts, mixes, strict=True)
    ]
    both = sum(squares) + 2 * float((parts[0] * parts[1]).sum())
    first, *of_each = (
        min(max(trace**2 / square, 1.0), n_cells - 1.0)
        for trace, square in zip((traces.sum(), *traces), (both, *squares), strict=True)
    )
    freedoms = [
        (mix.worth - 1) * many for mix, many in zip(mixes, of_each, strict=True)
    ]
    ratio, second = statistic / traces.sum(), _freedom(traces, freedoms)
    if second >= MANY:
        return float(chdtrc(first, first * ratio)), n_cells
    return float(fdtrc(first, second, ratio)), n_cells


def _square(covariances: Floats, clusters: int | None) -> float:
    """The sum of squares of covariances, less what few clusters add to it by luck."""
    square = float((covariances**2).sum())
    if clusters is None:
        return square
    c, trace = clusters - 1, float(np.trace(covariances))
    least = trace**2 / max(len(covariances) - 1, 1)
    if c < 2:
        return max(square, least)
    return max(c**2 / ((c - 1) * (c + 2)) * (square - trace**2 / c), least)


def _merged(then: Floats, now: Floats) -> Counts:
    """Which merged cell each cell is in: neighbours, until at least 10 are expected.

    -1 if there are too few items for any.
    """
    least = LEAST_EXPECTED * (then.sum() + now.sum()) / min(then.sum(), now.sum())
    group, number, waiting = np.full(len(then), -1), 0, 0.0
    for place, both in enumerate((then + now).tolist()):
        group[place], waiting = number, waiting + both
        if waiting >= least * (1 - 1e-12):
            number, waiting = number + 1, 0.0
    merged: Counts = np.minimum(group, number - 1)
    return merged


def chance_distance(then: Floats, now: Floats) -> float:
    """About the mean total variation distance of two samples of one mix."""
    share = (then + now) / (then.sum() + now.sum())
    variance = share * (1 - share) * (1 / then.sum() + 1 / now.sum())
    # A normal deviate is on average sqrt(2 / pi) standard deviations away from 0.
    return float(np.sqrt(2 * variance / np.pi).sum() / 2)
