"""Intervals of coefficients of agreement: other units, clusters, or annotators."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from demur.agreement.alphas import cells_of, disagreement
from demur.agreement.annotations import Annotations
from demur.agreement.distances import Metric
from demur.agreement.unit_parts import UnitParts
from demur.arrays import Floats, Positions, effective_items
from demur.statistics.units import (
    ItemValues,
    score_p,
    t_quantile,
    unit_sums,
)

RESAMPLED: Final = ("unit", "cluster", "annotator")
FEW: Final = 2
"""Of fewer units, or annotators, there is no interval."""

LEAST: Final = -1.0
"""No coefficient is below: of two annotators who never agree."""

_CLOSE: Final = 1e-7  # of an end

Interval = tuple[tuple[float, float] | None, str]
"""The ends of an interval, or None and why there is none."""


def clusters_of(
    annotations: Annotations, units: Positions, resample: str
) -> Positions | None:
    """The clusters of units, numbered from 0; None if each unit stands alone."""
    if resample == "unit" or annotations.cluster is None:
        return None
    return np.unique(annotations.cluster[units], return_inverse=True)[1]


def score_ends(parts: UnitParts, cluster: Positions | None, level: float) -> Interval:
    """The score interval of 1 - mean observed / mean expected disagreement.

    A value is in the interval if the mean of ``observed - (1 - value) * expected`` may
    be 0: each end asks how much luck there would be if it were the truth, and units
    that were not seen may disagree, or agree on a rare label. Where few units disagree,
    or a few far more than others, as many as they are worth are counted too.

    Parameters
    ----------
    parts : UnitParts
        What each unit adds.
    cluster : array of int or None
        Which units are not independent.
    level : float
        Of the interval.

    References
    ----------
    Wilson (1927) and Fieller (1954), J. Royal Statistical Society B 16, for the idea;
    Gwet (2014), "Handbook of inter-rater reliability": units are the sample. Drawing
    single pairs of labels, as is customary, gives intervals that are far too narrow;
    drawing units does where few of them disagree.
    """
    from scipy.optimize import brentq

    n_units = len(parts.weight) if cluster is None else int(cluster.max(initial=-1)) + 1
    if n_units < FEW:
        kind = "unit" if cluster is None else "cluster"
        return None, f"{n_units} {kind}s show no spread"
    parts = parts.scaled
    observed, expected = parts.means
    value = 1 - observed / expected

    def excess(end: float) -> float:
        chance = score_p(_off(parts, cluster, end))
        if observed > 0:
            chance = max(chance, _of_rare(parts, cluster, (1 - end) / (1 - value)))
        return chance - (1 - level)

    low, high = LEAST, 1.0
    if value > LEAST and excess(LEAST) < 0:
        low = float(brentq(excess, LEAST, value, xtol=_CLOSE))
    if observed > 0 and excess(1.0) < 0:
        high = float(brentq(excess, value, 1.0, xtol=_CLOSE))
    return (low, high), ""


def _off(parts: UnitParts, cluster: Positions | None, end: float) -> ItemValues:
    """What has the mean 0 if the coefficient is ``end``."""
    share = 1 - end
    return ItemValues(
        parts.observed - share * parts.expected,
        parts.weight,
        cluster,
        smallest=-share * parts.greatest,
        largest=parts.most - share * parts.least,
    )


def _of_rare(parts: UnitParts, cluster: Positions | None, ratio: float) -> float:
    """The two-sided chance of as many units as the disagreement seen is worth.

    The binomial chance of more (or fewer), and half of that of just as many (mid-p). A
    few units that disagree by much are worth few: the next may be among them.

    Parameters
    ----------
    parts, cluster
        As in `score_ends`.
    ratio : float
        Of the disagreement that is usual to that seen.
    """
    from scipy.special import betainc

    disagreement_of = unit_sums(parts.weight * np.abs(parts.observed), cluster)
    n_units = len(disagreement_of)
    seen = min(effective_items(disagreement_of, n_units), n_units - 0.5)
    share = min(seen / n_units * ratio, 1.0)
    as_many = betainc(seen, n_units - seen + 1, share)
    chance = float(as_many + betainc(seen + 1, n_units - seen, share))
    return min(chance, 2 - chance)


Statistic = Callable[[Annotations], float | None]


def jackknife(annotations: Annotations, statistic: Statistic, level: float) -> Interval:
    """A coefficient without each annotator in turn, by Student's t.

    Annotators are left out, not drawn: drawn twice, one would agree with himself.
    """
    n = len(annotations.annotators)
    if n <= FEW:
        noun = "annotator" if n == 1 else "annotators"
        return None, f"{n} {noun}: without one there is nobody to agree with"
    whole = statistic(annotations)
    others = [statistic(kept) for kept in without_each(annotations)]
    known = [value for value in others if value is not None]
    if whole is None or len(known) < n:
        return None, "without one annotator it is undefined"
    # Tukey's pseudo-values, whose mean takes away bias of the order 1 / n.
    pseudo: Floats = n * whole - (n - 1) * np.array(known)
    reach = t_quantile(level, n) * float(pseudo.std(ddof=1)) / np.sqrt(n)
    centre = float(pseudo.mean())
    return (max(float(centre - reach), LEAST), min(float(centre + reach), 1.0)), ""


def alpha_of(metric: Metric) -> Statistic:
    """Alpha by a metric, of any annotations."""
    return lambda kept: disagreement(cells_of(kept), kept.labels, metric).alpha


def without_each(annotations: Annotations) -> Iterator[Annotations]:
    """The annotations without those of each annotator in turn."""
    names = list(annotations.annotators)
    for who in range(len(names)):
        kept = annotations.annotator != who
        number = annotations.annotator[kept]
        yield replace(
            annotations,
            unit=annotations.unit[kept],
            annotator=number - (number > who),
            label=annotations.label[kept],
            annotators=[*names[:who], *names[who + 1 :]],
        )
