"""What each unit adds to observed and to expected disagreement, to first order."""

from dataclasses import dataclass, replace

import numpy as np

from demur.agreement.alphas import Disagreement, LabelCounts, pairs_within
from demur.agreement.distances import Distances, Metric
from demur.arrays import Floats, Positions


@dataclass(frozen=True)
class UnitParts:
    """The units of a coefficient: 1 - mean observed / mean expected.

    Parameters
    ----------
    observed, expected : array of float, shape (n_units,)
        Disagreement within each unit, and how far its labels add to what is expected
        by chance.
    weight : array of float, shape (n_units,)
        How much each unit counts in both means.
    least, greatest : float
        Between which the expected part of a unit that was not seen may be.
    most : float
        How far the labels of such a unit may disagree.
    """

    observed: Floats
    expected: Floats
    weight: Floats
    least: float
    greatest: float
    most: float

    @property
    def means(self) -> tuple[float, float]:
        """Mean observed and mean expected disagreement."""
        share = self.weight / self.weight.sum()
        return float(share @ self.observed), float(share @ self.expected)

    @property
    def scaled(self) -> "UnitParts":
        """The same over the mean expected disagreement, so that no unit matters."""
        mean = self.means[1]
        names = ("observed", "expected", "least", "greatest", "most")
        return replace(self, **{name: getattr(self, name) / mean for name in names})


def alpha_parts(
    cells: LabelCounts,
    labels: object,
    metric: Metric,
    apart: Disagreement,
    *,
    with_itself: bool = False,
) -> UnitParts:
    """The parts of alpha, which must be defined.

    Parameters
    ----------
    cells : LabelCounts
        Labels by unit.
    labels : sequence
        What they are.
    metric : str or callable
        The distance of two of them.
    apart : Disagreement
        By this metric.
    with_itself : bool
        Whether chance may draw one label twice, as in Fleiss' kappa.

    Notes
    -----
    Expected disagreement is a mean over pairs of labels: its first-order part of a
    label is twice the mean distance to all labels, less the whole. Ordinal distances
    are of ranks, which depend on all labels; what each label moves them by is added.
    """
    counts = cells.marginals()
    pairs = apart.n * (apart.n - (not with_itself))
    whole = apart.between / pairs
    toward = _toward_all(counts, labels, metric)
    of_label = 2 * toward * apart.n**2 / pairs - whole
    observed = apart.within / cells.size
    given = counts > 0
    expected = _mean_of_units(cells, of_label)
    # As far as two labels that differ are on average, or more, if that was seen.
    differ = apart.between / float(apart.n**2 - np.square(counts).sum())
    most = max(differ, float(observed.max()))
    least, greatest = float(of_label[given].min()), float(of_label[given].max())
    if metric == "ordinal":
        moved, moved_by_chance = _moved_ranks(cells, counts, labels, apart)
        observed = observed + _mean_of_units(cells, moved)
        expected = expected + _mean_of_units(cells, moved_by_chance)
    return UnitParts(observed, expected, cells.size, least, greatest, most)


def _mean_of_units(cells: LabelCounts, of_label: Floats) -> Floats:
    total = np.bincount(cells.unit, cells.count * of_label[cells.label])
    mean: Floats = total / cells.size
    return mean


def _toward_all(counts: Floats, labels: object, metric: Metric) -> Floats:
    """The mean distance of each label to all that were given, itself included."""
    n = counts.sum()
    if metric == "nominal":
        others: Floats = (n - counts) / n
        return others
    distances = Distances(metric, labels, counts)  # type: ignore[arg-type]
    if metric in ("ordinal", "interval"):
        off = distances.values - (counts @ distances.values) / n
        squares: Floats = off * off + (counts @ (off * off)) / n
        return squares
    blocks = [block @ counts for _, block in distances.rows()]
    means: Floats = np.concatenate(blocks) / n
    return means


def _moved_ranks(
    cells: LabelCounts, counts: Floats, labels: object, apart: Disagreement
) -> tuple[Floats, Floats]:
    """How far one more of each label moves both disagreements by moving ranks.

    A label that is given once more lies between those below and those above it, and
    parts them by one more rank, those equal to it by a half. Only the ratio counts,
    so what all ranks grow by is left out.
    """
    rank = Distances("ordinal", labels, counts).values  # type: ignore[arg-type]
    order = np.argsort(rank, kind="stable")
    place: Positions = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    between = np.zeros(len(order) + 1)
    for first, second in pairs_within(cells.unit):
        ends = place[cells.label[first]], place[cells.label[second]]
        low, high = np.minimum(*ends), np.maximum(*ends)
        gap = rank[order[high]] - rank[order[low]]
        both = cells.count[first] * cells.count[second]
        half = 2 * both * gap / (cells.size - 1)[cells.unit[first]]
        for at, sign in ((low, 1), (low + 1, 1), (high, -1), (high + 1, -1)):
            np.add.at(between, at, sign * half)
    within = np.cumsum(between)[:-1][place]
    # The same for all pairs of labels: those below times those above.
    ranked, given = rank[order], counts[order]
    below = np.cumsum(given * ranked) - given * ranked / 2
    above = (given @ ranked) - below
    chance = 4 * (ranked * above - below * (given.sum() - ranked))[place]
    n = apart.n
    grown = 2 * apart.within.sum() / n, 2 * apart.between / (n * (n - 1))
    return within - grown[0], chance / (n - 1) - grown[1]
