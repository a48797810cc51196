"""Intervals of the error at a nonreturn rate, which know how few answers are left.

The error at a nonreturn rate is the share that is answered, which is fixed, times the
mean loss of the answers that are left. Only those tell about it, and luck of two kinds
is in it: in their losses, and in where the cutoff stands.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from demur.arrays import (
    AlikeClusters,
    Clusters,
    Flags,
    Positions,
    Ranking,
    Sample,
    summed,
    units_counted,
)
from demur.results import exactly
from demur.statistics.equal_units import equal_units
from demur.statistics.quantities import (
    DrawnCurves,
    answered_shares,
    cutoff_moves,
    observed,
    slopes_near,
)
from demur.statistics.units import FEWEST_UNITS, ItemValues, left_out, spread

HALVINGS: Final = 50  # of the rates at which an end may be
NO_ITEM: Final = 1e-300


@dataclass(frozen=True)
class AnswersLeft:
    """What the answers that are left at a nonreturn rate tell about their mean loss.

    Parameters
    ----------
    answers : int
        How many there are; of a tied block that is answered in part, all.
    loss : float
        Their mean loss.
    items : float
        How many independent answers, each right or wrong, would tell as much.
    beside : float
        The variance of the mean loss through the cutoff, which is read off the sample.
    n_clusters : int or None
        Of how many clusters they are; None without clusters.
    clusters : float or None
        How many equal ones these are worth.
    """

    answers: int
    loss: float
    items: float
    beside: float = 0.0
    n_clusters: int | None = None
    clusters: float | None = None

    def notes(self, nonreturn: float) -> tuple[str, ...]:
        """What is to be said where few are left.

        Examples
        --------
        >>> AnswersLeft(2, 0.5, 2.0).notes(0.95)
        ('At nonreturn 0.95 only 2 answers are left.',)
        """
        few = self.answers if self.clusters is None else self.clusters
        if few >= FEWEST_UNITS or not self.answers:
            return ()
        left = _number(self.answers, "answer")
        if self.n_clusters is not None:
            left += f" of {_number(self.n_clusters, 'cluster')}"
        left = f"At nonreturn {exactly(nonreturn)} only {left} "
        left += "is left" if self.answers == 1 else "are left"
        if self.n_clusters is None:
            return (f"{left}.",)
        if self.n_clusters == 1:
            return (
                f"{left}: how much others differ from it is not known, so that the "
                "interval is all that is possible.",
            )
        return (f"{left}: how much others differ from them is hardly known.",)

    def ends(self, level: float) -> tuple[float, float]:
        """The interval of the mean loss, by Clopper and Pearson.

        At each of its ends the loss seen, or one beyond it, has the chance
        (1 - level) / 2, of as many items, right or wrong, as have the variance that
        there would be if that end were true. How alike the items of a cluster are is
        learned from few clusters: items count as fewer there, as Student's t says, and
        those of one cluster tell nothing.

        Examples
        --------
        Of two answers one is wrong:

        >>> [round(end, 4) for end in AnswersLeft(2, 0.5, 2.0).ends(0.95)]
        [0.0126, 0.9874]
        """
        turned = replace(self, loss=1 - self.loss)
        return 1 - turned._upper(level), self._upper(level)

    def _upper(self, level: float) -> float:
        from scipy.special import betaincc

        items = self.items * counted(self.clusters, level)
        if self.loss >= 1 or not items:
            return 1.0
        if not self.beside:
            wrong = self.loss * items
            return binomial_ends(wrong, items - wrong, level)[1]
        chance, low, high = (1 - level) / 2, self.loss, 1.0
        for _ in range(HALVINGS):
            rate = (low + high) / 2
            variance = rate * (1 - rate)
            alike = items * variance / (variance + self.items * self.beside)
            wrong, right = self.loss * alike, (1 - self.loss) * alike
            near = betaincc(wrong + 1, max(right, NO_ITEM), rate) >= chance
            low, high = (rate, high) if near else (low, rate)
        return low


def binomial_ends(wrong: float, right: float, level: float) -> tuple[float, float]:
    """Clopper and Pearson's interval of a rate; numbers of items need not be whole.

    Examples
    --------
    >>> [round(end, 4) for end in binomial_ends(1, 9, 0.95)]
    [0.0025, 0.445]
    """
    from scipy.special import betainccinv, betaincinv

    chance = (1 - level) / 2
    low = betaincinv(wrong, right + 1, chance) if wrong > 0 else 0.0
    high = betainccinv(wrong + 1, right, chance) if right > 0 else 1.0
    return float(low), float(high)


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def counted(clusters: float | None, level: float) -> float:
    """For how much of an item each counts where they come from so many clusters.

    Normal deviations of so much fewer items are as wide as Student's t of the clusters.

    Examples
    --------
    >>> round(counted(10, 0.95), 3), counted(1, 0.95), counted(None, 0.95)
    (0.751, 0.0, 1.0)
    """
    from scipy.special import ndtri, stdtrit

    if clusters is None:
        return 1.0
    if clusters <= 1:
        return 0.0
    above = (1 + level) / 2
    return float(ndtri(above) / stdtrit(clusters - 1, above)) ** 2


def error_interval(
    sample: Sample,
    ranking: Ranking,
    nonreturn: float,
    level: float,
    curves: DrawnCurves | None = None,
) -> tuple[float, float]:
    """The interval of the error at a nonreturn rate, at or right of the start.

    Parameters
    ----------
    curves : DrawnCurves, optional
        `observed` of the ranking, if it is at hand.

    References
    ----------
    Clopper and Pearson (1934), Biometrika 26; Korn and Graubard (1998), Survey
    Methodology 24, for effective numbers of items in it.

    Examples
    --------
    >>> from demur.arrays import rank
    >>> sample = Sample(np.ones(40, bool), np.arange(40.0), np.zeros(40))
    >>> low, high = error_interval(sample, rank(sample), 0.9, 0.95)
    >>> low, round(high, 4)
    (0.0, 0.0602)
    """
    return error_ends(
        answers_left(sample, ranking, nonreturn, curves), nonreturn, level
    )


def error_ends(
    left: AnswersLeft, nonreturn: float, level: float
) -> tuple[float, float]:
    """The same, from the answers that are left."""
    low, high = left.ends(level) if left.answers else (0.0, 1.0)
    return (1 - nonreturn) * low, (1 - nonreturn) * high


def answers_left(
    sample: Sample,
    ranking: Ranking,
    nonreturn: float,
    curves: DrawnCurves | None = None,
    near: DrawnCurves | None = None,
) -> AnswersLeft:
    """What is left at a nonreturn rate, at or right of the curve's start.

    Parameters
    ----------
    curves : DrawnCurves, optional
        `observed` of the ranking, if it is at hand.
    near : DrawnCurves, optional
        The curve of the same items by more cutoffs, if the ranking has few; by default
        that of the ranking.
    """
    curves = curves or observed(ranking)
    answered = answered_shares(ranking, nonreturn, curves)
    kept = answered > 0
    if not kept.any():
        return AnswersLeft(0, 0.0, 0.0)
    weight, cluster = ranking.weights() * answered, sample.clusters
    inside = _inside(cluster, kept)
    number = None if sample.number is None else sample.number[kept]
    items = ItemValues(sample.loss[kept], weight[kept], inside, 0.0, 1.0, number=number)
    loss = min(items.mean, 1.0)
    moves = cutoff_moves(ranking, nonreturn, answered)
    moved = left_out(moves, ranking.weights(), cluster, sample.number)
    reach = spread(moved, units_counted(cluster, sample.number))
    slopes = slopes_near(near or curves, nonreturn, reach)
    apart = max(abs(slope - loss) for slope in slopes)
    left = AnswersLeft(
        answers=int(summed(kept, sample.number)),
        loss=loss,
        items=_whole_items(items),
        beside=(reach * apart / (1 - nonreturn)) ** 2,
    )
    if inside is None:
        return left
    worth = equal_units(weight[kept], inside, number=units_counted(inside, number))
    return replace(left, n_clusters=items.n_units, clusters=worth)


def _whole_items(items: ItemValues) -> float:
    """How many independent items, each right or wrong, tell as much as these.

    Partial credits vary less. How much less is learned with one item beside those seen
    that is right or wrong.
    """
    number, mean = items.independent_items(), items.mean
    seen = float(items.share @ (items.value - mean) ** 2)
    return number * (number * mean * (1 - mean) + 1) / (number * seen + 1)


def _inside(cluster: Clusters, kept: Flags) -> Clusters:
    """The clusters of the items that are kept."""
    if isinstance(cluster, AlikeClusters):
        return cluster.kept(kept)
    return None if cluster is None else _renumbered(cluster[kept])


def _renumbered(cluster: Positions) -> Positions:
    """Numbers of clusters without gaps."""
    present = np.zeros(int(cluster.max()) + 1, np.int64)
    present[cluster] = 1
    numbers: Positions = (np.cumsum(present) - 1)[cluster]
    return numbers
