"""Error rates from verdicts that are themselves noisy, and a part that people judged.

Nothing here knows of tables: losses by the judge for all items, and by people for some.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from demur.arrays import Flags, Floats
from demur.statistics.intervals import wilson
from demur.statistics.units import t_quantile


@dataclass(frozen=True)
class CorrectedRate:
    """A rate with an interval.

    Parameters
    ----------
    value, low, high : float
        From 0 to 1.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Verdicts:
    """What the judge says of all items, and people of some, at one cutoff.

    Parameters
    ----------
    judge : array of float, shape (n_items,)
        Losses; 0 where the item is not answered.
    people : array of float, shape (n_items,)
        Losses; looked at where labelled.
    labelled : array of bool, shape (n_items,)
    answered : array of bool, shape (n_items,)
    cluster : array of int, shape (n_items,)
        Independent units.
    """

    judge: Floats
    people: Floats
    labelled: Flags
    answered: Flags
    cluster: Any

    @property
    def n_units(self) -> int:
        """Independent units among the labelled items."""
        return len(np.unique(self.cluster[self.labelled]))

    def spread(self, moved: Floats) -> float:
        """The standard error of an estimate, from what each item moves it by."""
        _, place = np.unique(self.cluster, return_inverse=True)
        sums = np.bincount(place, moved)
        n = self.n_units
        return float(np.sqrt(n / max(n - 1, 1) * (sums @ sums)))

    def estimate(self, value: float, moved: Floats, level: float) -> CorrectedRate:
        """A value and its interval, from what each item moves it by.

        Wilson's interval, with as many items as would give the standard error, so that
        it holds where there are few errors.
        """
        value, n = min(max(value, 0.0), 1.0), self.n_units
        error = self.spread(moved)
        inside = min(max(value, 0.5 / n), 1 - 0.5 / n)
        effective = inside * (1 - inside) / error**2 if error else float(n)
        return CorrectedRate(
            value, *wilson(value, effective, t_quantile(level, max(n, 2)))
        )


def labelled_only(verdicts: Verdicts, level: float) -> CorrectedRate:
    """What people alone say."""
    value, moved = _mean(verdicts.people, verdicts.labelled)
    return verdicts.estimate(value, moved, level)


def _mean(values: Floats, rows: Flags) -> tuple[float, Floats]:
    """A mean over some rows, and what each item moves it by."""
    n = max(int(rows.sum()), 1)
    mean = float(values[rows].sum() / n)
    return mean, np.where(rows, values - mean, 0.0) / n


def prediction_powered(verdicts: Verdicts, level: float) -> tuple[CorrectedRate, float]:
    """The judge's rate, moved by how far it is off where people have judged.

    mean of (people - t judge) over the labelled items + t times the mean of the judge
    over the others, with the t from 0 to 1 of the least variance over clusters: 0 is
    people alone. Unbiased whatever the judge, if the labelled items are drawn at
    random.

    Returns
    -------
    estimate : CorrectedRate
    trust : float
        The t.

    References
    ----------
    Angelopoulos et al. (2023), "Prediction-powered inference", Science 382; and, for
    the t, "PPI++: efficient prediction-powered inference" (2023).
    """
    people, by_people = _mean(verdicts.people, verdicts.labelled)
    seen, by_seen = _mean(verdicts.judge, verdicts.labelled)
    unseen, by_unseen = _mean(verdicts.judge, ~verdicts.labelled)
    by_judge = by_unseen - by_seen
    _, place = np.unique(verdicts.cluster, return_inverse=True)
    first, second = np.bincount(place, by_people), np.bincount(place, by_judge)
    size = float(second @ second)
    both = not verdicts.labelled.all() and size > 0
    trust = min(max(-float(first @ second) / size, 0.0), 1.0) if both else 0.0
    value = people + trust * (unseen - seen)
    moved = by_people + trust * by_judge
    return verdicts.estimate(value, moved, level), trust


def rogan_gladen(verdicts: Verdicts, level: float) -> CorrectedRate | None:
    """The rate that a judge of this sensitivity and specificity would see as it does.

    With s and f, the shares of truly wrong and of truly right answers that the judge
    calls wrong, and A of the items answered: (judge's rate - f A) / (s - f). None if
    people found no right or no wrong answer, or s is not above f. Standard errors by
    the delta method, over clusters.

    References
    ----------
    Rogan and Gladen (1978), "Estimating prevalence from the results of a screening
    test", American Journal of Epidemiology 107; Lang and Reiczigel (2014) for why the
    errors of s and f must be in the interval.
    """
    known = verdicts.labelled & verdicts.answered
    wrong, right = known & (verdicts.people > 0.5), known & (verdicts.people <= 0.5)
    if not wrong.any() or not right.any():
        return None
    every = np.ones(len(known), bool)
    seen, by_seen = _mean(verdicts.judge, every)
    share, by_share = _mean(verdicts.answered.astype(float), every)
    hit, by_hit = _mean(verdicts.judge, wrong)
    false, by_false = _mean(verdicts.judge, right)
    if hit <= false:
        return None
    value = (seen - false * share) / (hit - false)
    moved = by_seen - false * by_share - (share - value) * by_false - value * by_hit
    return verdicts.estimate(float(value), moved / (hit - false), level)


def labels_for(verdicts: Verdicts, level: float, half_width: float) -> int | None:
    """About how many labels give a prediction-powered interval of this half-width.

    None if no number does, since the unlabelled items alone leave more.
    """
    _, trust = prediction_powered(verdicts, level)
    _, by_people = _mean(verdicts.people - trust * verdicts.judge, verdicts.labelled)
    _, by_unseen = _mean(trust * verdicts.judge, ~verdicts.labelled)
    wanted = (half_width / t_quantile(level, max(verdicts.n_units, 2))) ** 2
    rest = wanted - verdicts.spread(by_unseen) ** 2
    if rest <= 0:
        return None
    n = int(verdicts.labelled.sum())
    return int(np.ceil(n * verdicts.spread(by_people) ** 2 / rest))
