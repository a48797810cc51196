"""The error at a cutoff where people have labelled a part of the answers only."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from demur.arrays import Flags, Floats
from demur.decisions.rate_bounds import RateBounds, bounds_of_rate
from demur.outcomes.fields import UNGRADED
from demur.outcomes.labelling import check_reach, label_weights, unlabelled

if TYPE_CHECKING:
    from demur.outcomes.table import Outcomes

SHARE_RISK: Final = 0.05
"""The part of the risk that is for the share of items that are answered."""

_NO_LABEL: Final = "no answer is labelled"


@dataclass(frozen=True, eq=False)
class Labels:
    """Which answers are labelled, and how many others each label stands for.

    Parameters
    ----------
    answered, labelled : array of bool, shape (n_items,)
        What the cutoff answers, and what of that somebody has looked at.
    low, high : arrays of float64, shape (n_items,)
        Losses for the lower and for the upper bound, looked at where labelled.
    weight : array of float64, shape (n_items,), or None
        One over the chance that an answer was drawn, up to a factor; looked at where
        labelled. None if all had one chance.
    largest : float or None
        The greatest weight of all that were drawn, also of those not labelled yet.
    """

    answered: Flags
    labelled: Flags
    low: Floats
    high: Floats
    weight: Floats | None = None
    largest: float | None = None

    @property
    def partial(self) -> bool:
        """Whether answers lack a label, or labels stand for unequal numbers."""
        return self.weight is not None or bool((self.answered & ~self.labelled).any())


def bounds_by_labels(
    labels: Labels,
    *,
    of: str,
    cluster: npt.NDArray[np.int64] | None = None,
    certainty: float,
    anytime: bool = False,
    max_cluster: int | None = None,
) -> RateBounds:
    """Bounds of the error among answered items, or of all, from labelled answers.

    A row is drawn with a chance that depends on what is known before labels. Then
    labelled rows are independent draws in which each kind of row is as frequent as
    chance times traffic, and weights of one over the chance undo that. So the labelled
    rows are units with a loss of weight x loss and a size of weight.

    The error of all is the share answered times the error of the answered. A twentieth
    of the risk is for bounds of that share, which all rows tell, and the rest for those
    of the error; the bounds are multiplied.

    Parameters
    ----------
    labels : Labels
        In the order in which they came, if they may be looked at at any time.
    of : {"all", "answered"}
        What the error is a share of.
    cluster : array of int64, shape (n_items,), or None
        None if items are independent.
    certainty : float
        One-sided, of each bound.
    anytime : bool
        Whether the bounds hold at all looks while labels of the same rows come in.
    max_cluster : int or None
        The most rows that a cluster may have, if that is said.

    Returns
    -------
    RateBounds
        What its items are is labels.

    Examples
    --------
    Half of 200 items are answered, and a fifth of these labelled, one of them wrong:

    >>> rows = np.arange(200)
    >>> wrong = (rows == 7).astype(float)
    >>> labels = Labels(rows < 100, rows < 20, wrong, wrong)
    >>> found = bounds_by_labels(labels, of="all", certainty=0.95)
    >>> found.error, round(found.lower, 4), round(found.upper, 4)
    (0.025, 0.001, 0.1313)
    """
    risk = 1 - certainty
    among = _among_answered(
        labels,
        cluster,
        certainty=certainty if of == "answered" else 1 - risk * (1 - SHARE_RISK),
        anytime=anytime,
        max_cluster=max_cluster,
    )
    if of == "answered":
        return among
    # All rows are there at the first look, so that the share is looked at once.
    answered = labels.answered.astype(np.float64)
    share = bounds_of_rate(
        answered,
        answered,
        np.ones_like(answered),
        cluster=cluster,
        certainty=1 - risk * SHARE_RISK,
    )
    passes = among.passes
    return replace(
        among,
        error=None if among.error is None else among.error * (share.error or 0.0),
        lower=among.lower * share.lower,
        upper=among.upper * share.upper,
        method=f"{among.method}, times the share answered",
        passes=passes and (lambda units, target: passes(units, target / share.upper)),
    )


def _among_answered(
    labels: Labels,
    cluster: npt.NDArray[np.int64] | None,
    *,
    certainty: float,
    anytime: bool,
    max_cluster: int | None,
) -> RateBounds:
    """Bounds of the error among answered items, from labelled ones."""
    rows = labels.labelled
    if not rows.any():
        return RateBounds(None, 0.0, 1.0, _NO_LABEL)
    units, largest = None, labels.largest
    if cluster is not None:
        names, units = np.unique(cluster[rows], return_inverse=True)
        units = units if len(names) < len(units) else None
    if units is not None:
        largest = None if max_cluster is None else max_cluster * (largest or 1.0)
    weight = np.ones(len(rows)) if labels.weight is None else labels.weight
    bounds = bounds_of_rate(
        labels.low[rows],
        labels.high[rows],
        weight[rows],
        cluster=units,
        certainty=certainty,
        anytime=anytime,
        largest=largest,
    )
    return replace(bounds, method=bounds.method.replace("items", "labels"))


def labels_of(
    where: str, outcomes: "Outcomes", answered: Flags, loss: Floats
) -> Labels:
    """Which answers are labelled, with weights where these differ.

    Where every answer has a verdict and only some a weight, the weights are those of
    other labels, such as people's beside a judge's.

    Parameters
    ----------
    where : str
        The function, for messages.
    outcomes : Outcomes
        Of one system.
    answered : array of bool, shape (n_items,)
        What the cutoff answers.
    loss : array of float64, shape (n_items,)
        1 for an ungraded answer.

    Raises
    ------
    InputError
        If a labelled answer has no weight where others have one.
    UndefinedRate
        If an answer could not be drawn to be labelled.
    """
    check_reach(where, outcomes, answered)
    waiting, stated = unlabelled(outcomes), outcomes.label_weight
    labelled = answered & ~waiting
    low = np.where(outcomes.outcome == UNGRADED, 0.0, loss)
    equal = Labels(answered, labelled, low, loss)
    if stated is None or (not waiting.any() and np.isnan(stated[labelled]).any()):
        return equal
    weight = label_weights(where, outcomes, labelled)
    drawn = stated[answered & (stated > 0) & np.isfinite(stated)]
    if not len(drawn) or (drawn == drawn[0]).all():
        return equal
    return replace(equal, weight=weight, largest=float(drawn.max()))


def finished(
    labels: Labels, cluster: npt.NDArray[np.int64], weight: Floats | None
) -> tuple[Labels, str]:
    """Without labels of clusters of which drawn rows wait for theirs, and a note.

    A label that came later would change what was bet on its cluster.
    """
    if weight is None:
        return labels, ""
    waits = labels.answered & ~labels.labelled & (weight > 0)
    unfinished = labels.labelled & np.isin(cluster, cluster[waits])
    if not unfinished.any():
        return labels, ""
    note = (
        f"{int(unfinished.sum()):,} labels are left out of this look: other drawn "
        "answers of their clusters are not labelled yet"
    )
    return replace(labels, labelled=labels.labelled & ~unfinished), note
