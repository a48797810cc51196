"""One row of each whole, as the parts that one cutoff returns make it."""

from dataclasses import replace
from typing import Any

import numpy as np

from demur.arrays import Floats, Positions
from demur.outcomes.fields import RIGHT, UNANSWERED, UNGRADED, WRONG
from demur.outcomes.labelling import unlabelled
from demur.outcomes.reasons import FAILED, UNLABELLED
from demur.outcomes.table import Outcomes
from demur.wholes.numbering import alike, numbered_parts, part_rows, whole_numbers
from demur.wholes.whole_tables import whole_outcomes


def wholes_at(where: str, outcomes: Outcomes, cutoff: float | None) -> Outcomes:
    """The wholes of one system, as the parts that a cutoff returns make them.

    Wrong if a wrong part is returned, else ungraded if one is that nobody could judge,
    else right if any is. At that cutoff, and at no other, the errors of the table are
    those of wholes, and what it answers are the answered wholes.

    Parameters
    ----------
    where : str
        The verb, for messages.
    outcomes : Outcomes
        Of one system and setting, with a column ``part``.
    cutoff : float or None
        Parts at least so sure are returned; None returns nothing.

    Returns
    -------
    Outcomes
        One row of each whole, in the order of their first rows; its confidence is that
        of the surest part.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["a", "a", "b"], part=["x", "y", "x"], correct=[1, 0, 1],
    ...     confidence=[0.9, 0.4, 0.3])
    >>> wholes = wholes_at("here", outcomes, 0.5)
    >>> wholes.outcome.tolist(), wholes.confidence.tolist()
    (['right', 'right'], [0.9, 0.3])
    """
    parts, table = numbered_parts(where, outcomes), whole_outcomes(outcomes)
    least = np.inf if cutoff is None else parts.confidence.dtype.type(cutoff)
    returned = parts.guess & (parts.confidence >= least)
    returned &= cutoff is not None
    codes = np.full(parts.n_wholes, UNANSWERED, np.uint8)
    codes[parts.whole[parts.guess]] = RIGHT
    codes[parts.whole[returned & parts.ungraded]] = UNGRADED
    codes[parts.whole[returned & parts.wrong]] = WRONG
    surest = parts.surest(parts.guess)
    confidence = np.full(parts.n_wholes, np.nan, parts.confidence.dtype)
    confidence[surest >= 0] = parts.confidence[surest[surest >= 0]]
    whole, first = whole_numbers(outcomes)
    unseen, broke = (
        np.bincount(whole[rows], minlength=len(first)) > 0
        for rows in (unlabelled(outcomes), outcomes.failed)
    )
    codes[unseen & (codes != UNANSWERED)] = UNGRADED
    reasons: Any = np.full(len(first), None)
    reasons[broke], reasons[unseen] = FAILED, UNLABELLED
    return replace(
        table,
        outcome=codes,
        confidence=confidence,
        reason_code=reasons if (unseen | broke).any() else None,
        label_weight=_label_weights(where, outcomes, whole, first),
    )


def parts_alone(outcomes: Outcomes) -> Outcomes:
    """The rows that are parts, those of one whole always in one cluster.

    Without a column ``cluster`` they are so as they stand; a missing cluster is that of
    the item.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["a", "a", "b", "c"], part=["x", "y", "x", None],
    ...     correct=[1, 0, 1, None], cluster=[None, None, "k", "k"])
    >>> parts_alone(outcomes).cluster.tolist()
    ['item a', 'item a', 'k']
    """
    parts = outcomes.take(np.flatnonzero(part_rows(outcomes)))
    if parts.cluster is None:
        return parts
    pairs = zip(parts.cluster.tolist(), parts.item.tolist(), strict=True)
    named = [f"item {item}" if name is None else name for name, item in pairs]
    return replace(parts, cluster=np.array(named, object))


def _label_weights(
    where: str, outcomes: Outcomes, whole: Positions, first: Positions
) -> Floats | None:
    """How many wholes each labelled one stands for; all parts of one say the same."""
    weight = outcomes.label_weight
    if weight is None:
        return None
    guess = np.flatnonzero(outcomes.outcome != UNANSWERED)
    stands = np.full(len(first), np.nan)
    np.fmax.at(stands, whole[guess], weight[guess])
    same = stands[whole]  # what is not answered needs no label
    same[guess] = weight[guess]
    alike(where, outcomes, "label_weight", np.nan_to_num(same), whole, first)
    return stands
