"""One row of each whole, as the parts that one cutoff returns make it."""

from dataclasses import replace
from typing import Any

import numpy as np

from demur.arrays import Flags, Floats, Positions
from demur.errors import InputError, shown
from demur.outcomes.fields import RIGHT, UNANSWERED, UNGRADED, WRONG
from demur.outcomes.labelling import unlabelled
from demur.outcomes.reasons import FAILED, UNLABELLED
from demur.outcomes.table import Outcomes
from demur.results import exactly
from demur.wholes.numbering import numbered_parts, part_rows, whole_numbers
from demur.wholes.whole_tables import whole_rows


def wholes_at(
    where: str,
    outcomes: Outcomes,
    cutoff: float | None,
    without_parts: str = "answerable",
) -> Outcomes:
    """The wholes of one system, as the parts that a cutoff returns make them.

    Wrong if a wrong part is returned, else unlabelled if nobody has looked at a part
    that is, else ungraded if one is that nobody could judge, else right if there is a
    guess. At that cutoff, and at no other, the errors of the table are those of wholes,
    and what it answers are the answered wholes.

    Parameters
    ----------
    where : str
        The verb, for messages.
    outcomes : Outcomes
        Of one system and setting, with a column ``part``.
    cutoff : float or None
        Parts at least so sure are returned; None returns nothing.
    without_parts : {"answerable", "right", "unanswered"}
        As for `whole_outcomes`.

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
    parts, table = numbered_parts(where, outcomes), whole_rows(outcomes, without_parts)
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
    at = "no cutoff" if cutoff is None else exactly(cutoff)
    whole, first = whole_numbers(outcomes)
    out = (outcomes.outcome != UNANSWERED) & (cutoff is not None)
    if outcomes.confidence is not None:
        out &= outcomes.confidence >= least
    unseen, broke = (
        np.bincount(whole[rows], minlength=len(first)) > 0
        for rows in (unlabelled(outcomes) & out, outcomes.failed)
    )
    unseen &= codes != WRONG  # one wrong part that is returned says all
    codes[unseen] = UNGRADED
    reasons: Any = np.full(len(first), None)
    reasons[broke], reasons[unseen] = FAILED, UNLABELLED
    return replace(
        table,
        outcome=codes,
        confidence=confidence,
        reason_code=reasons if (unseen | broke).any() else None,
        label_weight=_label_weights(where, outcomes, whole, out),
        recipe={**table.recipe, "of": f"wholes at {at}"},
    )


def least_sure_wholes(where: str, outcomes: Outcomes, cutoff: float | None) -> Outcomes:
    """The wholes of which a part is returned, as sure as the least sure of these.

    Parameters
    ----------
    where, outcomes, cutoff
        As for `wholes_at`.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["a", "a", "b"], part=["x", "y", "x"], correct=[1, 0, 1],
    ...     confidence=[0.9, 0.6, 0.3])
    >>> least_sure_wholes("here", outcomes, 0.5).confidence.tolist()
    [0.6]
    """
    parts, table = numbered_parts(where, outcomes), wholes_at(where, outcomes, cutoff)
    least = np.inf if cutoff is None else cutoff
    rows = parts.least_sure(parts.guess & (parts.confidence >= least))
    has_one = np.flatnonzero(rows >= 0)
    confidence = table.confidence
    if confidence is not None:
        confidence = parts.confidence[rows[has_one]]
    return replace(table.take(has_one), confidence=confidence)


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
    where: str, outcomes: Outcomes, whole: Positions, out: Flags
) -> Floats | None:
    """How many wholes each labelled one stands for; its returned parts say the same."""
    weight = outcomes.label_weight
    if weight is None:
        return None
    rows = np.flatnonzero(out)
    stands_for = np.nan_to_num(weight[rows], nan=-1.0)  # -1: not drawn
    stands = np.zeros(int(whole.max()) + 1)  # 0: nothing is returned
    stands[whole[rows]] = stands_for
    differ = np.flatnonzero(stands[whole[rows]] != stands_for)
    if len(differ):
        row = int(rows[differ[0]])
        need = "be the same for all parts of an item that are returned"
        got = f"{shown(weight[row])} and others for {shown(str(outcomes.item[row]))}"
        hint = "Labels of wholes are drawn whole: demur sample."
        raise InputError(where, "label_weight", need, got, hint)
    return np.where(stands < 0, np.nan, stands)
