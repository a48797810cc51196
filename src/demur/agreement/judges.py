"""Judges against people: how often each is right where the key says so, and not."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np

from demur.agreement.annotations import Annotations
from demur.arrays import Flags, Floats, effective_items
from demur.checks import choice
from demur.errors import InputError, shown
from demur.outcomes.fields import OUTCOMES, UNGRADED
from demur.results import Column, FigureKind, Result, Table
from demur.statistics.equal_units import equal_units
from demur.statistics.intervals import wilson
from demur.statistics.ratios import ratio_interval
from demur.statistics.units import (
    ROUNDING,
    left_out,
    spread,
    t_quantile,
)

POSITIVE: Final = ("right", "yes", "true", "correct", 1)
"""Labels that say yes, the first that there is."""

Share = tuple[float, float, float] | None
"""A share with the ends of its interval; None if it is of nothing."""


KINDS: Final = tuple(
    FigureKind(name, f"the {title} of a judge", better="higher")
    for name, title in (
        *(("sensitivity", "sensitivity"), ("specificity", "specificity")),
        *(("precision", "precision"), ("f", "F")),
        ("negative_predictive_value", "negative predictive value"),
    )
)
"""What a gate may hold of each judge, over all units."""


@dataclass(frozen=True, eq=False, repr=False)
class JudgeRates(Result):
    """One annotator against the key, over all units or one group of them.

    Parameters
    ----------
    judge : str
        The annotator.
    group : str or None
        None is all units.
    units : int
        That both have labelled.
    both, missed, wrongly, neither : int
        Units that both call positive; the key alone; the judge alone; neither.
    key_rate, judge_rate : float
        Shares of units that are not positive, for the key and for the judge: error
        rates, if positive is "right". These and all below are shares of what the units
        stand for, where they have a `label_weight`; counts are of units.
    sensitivity, specificity : (share, low, high) or None
        Of what the key calls positive, and of the rest, the share that the judge calls
        so too.
    precision, negative_predictive_value : (share, low, high) or None
        Of what the judge calls positive, and of the rest, the share that the key calls
        so too. They depend on how many units are positive.
    f : (share, low, high) or None
        The harmonic mean of precision and sensitivity, 2 both / (2 both + missed +
        wrongly).
    """

    SAYS = "{judge} says yes to {judge_rate} of {units} units, the key to {key_rate}."

    judge: str
    group: str | None
    units: int
    both: int
    missed: int
    wrongly: int
    neither: int
    key_rate: float
    judge_rate: float
    sensitivity: Share
    specificity: Share
    precision: Share = None
    negative_predictive_value: Share = None
    f: Share = None

    @property
    def prevalence(self) -> float:
        """The share of units that the key calls positive."""
        return 1 - self.key_rate


@dataclass(frozen=True, eq=False, repr=False)
class Turned(Result):
    """Two groups whose order a judge turns round.

    Parameters
    ----------
    judge, first, second : str
        The annotator, and two groups in the order of the key.
    key_rates, judge_rates : (float, float)
        Of the first and of the second group; not positive.
    """

    judge: str
    first: str
    second: str
    key_rates: tuple[float, float]
    judge_rates: tuple[float, float]


def positive_label(annotations: Annotations, named: Any = None) -> Any:
    """The label that counts as positive.

    Raises
    ------
    InputError
        If it is not named and none of the labels says yes.
    """
    by_name = {str(label): label for label in annotations.labels}
    if named is not None:
        return by_name[choice("agreement", "positive", str(named), by_name)]
    for label in POSITIVE:
        if label in annotations.labels:
            return label
    need, got = "name the label that says yes", ", ".join(list(by_name)[:5])
    raise InputError("agreement", "positive", need, got or "no labels")


def judge_rates(
    annotations: Annotations, key: str, positive: Any, level: float
) -> tuple[JudgeRates, ...]:
    """Each annotator but the key: over all units, then group by group.

    Intervals are Wilson's, with as many units as would give the standard error over
    clusters, and Student's t with as many degrees of freedom as there are clusters.
    With weights it is the mean (geometric) of that number and Kish's: a heavy unit of
    another kind that was not drawn is missing from the standard error too.
    """
    place = list(annotations.annotators).index(key)
    truth = _positive(annotations, place, positive)
    groups: list[str | None] = [None]
    if annotations.group is not None:
        groups += sorted(set(annotations.group.tolist()))
    rates = []
    for who, name in enumerate(annotations.annotators):
        if who == place:
            continue
        verdicts = _positive(annotations, who, positive)
        for group in groups:
            here = (truth >= 0) & (verdicts >= 0)
            if group is not None:
                here &= annotations.group == group
            if here.any():
                cluster = _of(annotations.cluster, here)
                both = truth[here], verdicts[here]
                weight = _weights(annotations, here, key)
                rates.append(_rates(name, group, *both, cluster, level, weight))
    return tuple(rates)


def _positive(annotations: Annotations, who: int, positive: Any) -> Any:
    """1 for each unit that an annotator calls positive, 0 for others, -1 for none.

    A verdict that could not be reached is none.
    """
    rows, labels = annotations.annotator == who, list(annotations.labels)
    verdicts = np.full(len(annotations.units), -1)
    verdicts[annotations.unit[rows]] = annotations.label[rows] == labels.index(positive)
    if OUTCOMES[UNGRADED] in labels:
        rows &= annotations.label == labels.index(OUTCOMES[UNGRADED])
        verdicts[annotations.unit[rows]] = -1
    return verdicts


def weights_differ(annotations: Annotations) -> bool:
    """Whether units stand for unequal numbers of others."""
    weight = annotations.label_weight
    known = np.zeros(0) if weight is None else weight[np.isfinite(weight)]
    return len(known) > 0 and bool(np.ptp(known))


def _weights(annotations: Annotations, here: Flags, key: str) -> Floats | None:
    """How many units each of some stands for; None if all stand for as many."""
    if annotations.label_weight is None:
        return None
    weight = annotations.label_weight[here]
    wrong = np.flatnonzero(~((weight > 0) & np.isfinite(weight)))
    if len(wrong):
        unit = annotations.units[int(np.flatnonzero(here)[wrong[0]])]
        value = weight[wrong[0]]
        got = f"{'none' if np.isnan(value) else f'{value:g}'} for {shown(str(unit))}"
        hint = "It is one over the chance that the unit was drawn to be labelled."
        need = f"be above 0 for every unit that {key} has labelled"
        raise InputError("agreement", "label_weight", need, got, hint)
    return weight if np.ptp(weight) else None


def _rates(
    judge: str,
    group: str | None,
    truth: Any,
    verdicts: Any,
    cluster: Any,
    level: float,
    weight: Floats | None,
) -> JudgeRates:
    n = len(truth)
    shares = {
        "sensitivity": (verdicts == 1, truth == 1),
        "specificity": (verdicts == 0, truth == 0),
        "precision": (truth == 1, verdicts == 1),
        "negative_predictive_value": (truth == 0, verdicts == 0),
    }
    counts = np.bincount(2 * truth + verdicts, minlength=4).tolist()
    neither, wrongly, missed, both = counts
    return JudgeRates(
        judge=judge,
        group=group,
        units=n,
        both=both,
        missed=missed,
        wrongly=wrongly,
        neither=neither,
        key_rate=_mean(truth == 0, weight),
        judge_rate=_mean(verdicts == 0, weight),
        f=_f(truth, verdicts, cluster, level, weight),
        **{
            name: _share(hits[of], _of(cluster, of), level, _of(weight, of))
            for name, (hits, of) in shares.items()
        },
    )


def _f(
    truth: Any, verdicts: Any, cluster: Any, level: float, weight: Floats | None
) -> Share:
    """F, as a share of the mean of what the key and the judge call positive."""
    both, mean = truth * verdicts, (truth + verdicts) / 2
    if not mean.any():
        return None
    if weight is not None:
        some = mean > 0
        stands = (weight * mean)[some]
        return _share(both[some], _of(cluster, some), level, stands)
    if cluster is not None:
        cluster = np.unique(cluster, return_inverse=True)[1]
    ends = ratio_interval(both, mean, cluster, level, share=True)
    return float(both.sum() / mean.sum()), *(ends or (0.0, 1.0))


def _of(cluster: Any, rows: Any) -> Any:
    return None if cluster is None else cluster[rows]


def _mean(hits: Any, weight: Floats | None) -> float:
    return float(hits.mean() if weight is None else weight @ hits / weight.sum())


def _share(
    hits: Any, cluster: Any, level: float, weight: Floats | None = None
) -> Share:
    """A share and Wilson's interval, with the effective number of units."""
    n = len(hits)
    if not n:
        return None
    share = _mean(hits, weight)
    if cluster is None:
        cluster = np.arange(n)
    _, place = np.unique(cluster, return_inverse=True)
    if not place.any():  # all in one cluster
        return share, 0.0, 1.0
    weighted = weight is not None and bool(np.ptp(weight))
    weight = np.ones(n) if weight is None else weight * (n / weight.sum())
    worth = equal_units(weight, place)
    variance = spread(left_out(weight * (hits - share) / n, weight, place)) ** 2
    effective, kish = worth, effective_items(weight if weighted else None, n)
    if 0 < share < 1:  # clusters that are all alike vary less than items could
        alike = variance <= ROUNDING**2
        effective = n if alike else min(share * (1 - share) / variance, n)
    if weighted:
        effective = min(effective, math.sqrt(effective * kish))
    low, high = wilson(share, effective, t_quantile(level, worth))
    return share, low, high


UNWEIGHTED_NOTE: Final = (
    "label_weight counts in the shares of judges against a key; alpha and kappas count "
    "every unit once, and so do the tables of labels and annotators"
)
PREVALENCE_NOTE: Final = (
    "precision, negative value and F of judges depend on how many units are positive "
    "by the key: where that differs, take sensitivity and specificity"
)


def turned_round(rates: Sequence[JudgeRates]) -> Iterator[Turned]:
    """Pairs of groups that a judge puts in another order than the key."""
    grouped = [one for one in rates if one.group is not None]
    for judge in dict.fromkeys(one.judge for one in grouped):
        groups = [one for one in grouped if one.judge == judge]
        for one, two in combinations(groups, 2):
            key = one.key_rate - two.key_rate
            if key * (one.judge_rate - two.judge_rate) < 0:
                first, second = (one, two) if key < 0 else (two, one)
                yield Turned(
                    judge=judge,
                    first=str(first.group),
                    second=str(second.group),
                    key_rates=(first.key_rate, second.key_rate),
                    judge_rates=(first.judge_rate, second.judge_rate),
                )


def turned_sentences(turned: Sequence[Turned]) -> list[str]:
    """The groups that a judge turns round, the clearest by the key first."""
    return [
        f"{pair.judge} turns {pair.first} and {pair.second} round: "
        f"{pair.judge_rates[0]:.3f} and {pair.judge_rates[1]:.3f}, by the key "
        f"{pair.key_rates[0]:.3f} and {pair.key_rates[1]:.3f}."
        for pair in _clearest(turned)[:_MOST_TURNED]
    ]


def _clearest(turned: Sequence[Turned]) -> list[Turned]:
    return sorted(turned, key=lambda pair: pair.key_rates[0] - pair.key_rates[1])


def _share_and_ends(share: Share) -> tuple[Any, Any]:
    return (None, None) if share is None else (share[0], share[1:])


def judges_tables(
    judges: Sequence[JudgeRates], turned: Sequence[Turned]
) -> list[Table]:
    """The judges against the key, what they are worth, the groups they turn round."""
    rates = [
        (
            *(one.judge, "all" if one.group is None else one.group, one.units),
            *(one.key_rate, one.judge_rate),
            *(*_share_and_ends(one.sensitivity), *_share_and_ends(one.specificity)),
        )
        for one in judges
    ]
    worth = [
        (
            *(one.judge, "all" if one.group is None else one.group, one.prevalence),
            *_share_and_ends(one.precision),
            *_share_and_ends(one.negative_predictive_value),
            *_share_and_ends(one.f),
        )
        for one in judges
    ]
    pairs = [
        (pair.judge, pair.first, pair.second, *pair.judge_rates, *pair.key_rates)
        for pair in _clearest(turned)
    ]
    title = "Groups that a judge turns round"
    return [
        Table("Judges against the key", _RATES, tuple(rates), key=2),
        Table("What their verdicts are worth", _WORTH, tuple(worth), key=2),
        Table(title, _TURNED, tuple(pairs), 3, _MOST_TURNED),
    ]


_MOST_TURNED: Final = 5
_RATES: Final = (
    Column("judge"),
    Column("group"),
    Column("units", cells="count", explained="that both have labelled"),
    Column("key_rate", "no by key", "share", "units that the key calls not positive"),
    Column("judge_rate", "no by judge", "share", "units that the judge calls so"),
    Column("sensitivity", "", "share", "of the positive by the key, those so called"),
    Column("sensitivity_interval", "its interval", "share"),
    Column("specificity", "", "share", "of the rest, what the judge does not call so"),
    Column("specificity_interval", "its interval", "share"),
)
_WORTH: Final = (
    Column("judge"),
    Column("group"),
    Column("prevalence", "positive", "share", "units that the key calls positive"),
    Column("precision", "", "share", "of what the judge calls positive, what is"),
    Column("precision_interval", "its interval", "share"),
    Column(
        *("negative_predictive_value", "negative value", "share"),
        "of what the judge does not call positive, what is not",
    ),
    Column("negative_predictive_value_interval", "its interval", "share"),
    Column("f", "F", "share", "of precision and sensitivity"),
    Column("f_interval", "its interval", "share"),
)
_TURNED: Final = (
    Column("judge"),
    Column("first"),
    Column("second"),
    Column("judge_first", "judge: first", "share", "not positive, by the judge"),
    Column("judge_second", "second", "share"),
    Column("key_first", "key: first", "share", "not positive, by the key"),
    Column("key_second", "second by key", "share"),
)
