"""The verb that makes one row of each whole, at every cutoff on parts or at one."""

from dataclasses import replace
from typing import Any

import numpy as np

from demur.arrays import Flags, Floats, Positions
from demur.checks import number
from demur.errors import InputError, shown
from demur.outcomes.fields import RIGHT, UNANSWERED, UNGRADED, WRONG
from demur.outcomes.labelling import check_verdicts, unlabelled
from demur.outcomes.parts import stacked
from demur.outcomes.reasons import FAILED, UNLABELLED
from demur.outcomes.table import Outcomes, grouped_parts
from demur.results import exactly
from demur.wholes.numbering import check_parts, numbered_parts, part_rows, whole_numbers
from demur.wholes.whole_tables import whole_rows


def whole_outcomes(
    outcomes: Outcomes,
    *,
    cutoff: float | None = None,
    without_parts: str = "answerable",
) -> Outcomes:
    """One row for each whole, wrong as long as one of its wrong parts is returned.

    The confidence of a whole is the cutoff up to which it is what its outcome says:
    that of the surest wrong part, or of the least sure part of a whole whose parts are
    all right. So errors of the table at any cutoff are the shares of wholes of which a
    wrong part is returned, right ones are complete and right, and the rest of the
    wholes holds no error and is not complete. Certificates, locks and gates on errors
    of all items then hold for wholes.

    Parameters
    ----------
    outcomes : Outcomes
        Judged parts of any number of systems, with a column ``part``.
    cutoff : float, optional
        Wholes as they are at this cutoff on parts, and at no other: what it answers are
        the wholes of which a part is returned, each wrong if one of these is. Then
        parts may be labelled in part: a whole is unlabelled if one of its returned
        parts is, and none is known to be wrong.
    without_parts : {"answerable", "right", "unanswered"}
        Which of the wholes without parts, all of which are unanswered, are not
        answerable, so that silence is right: those that are not in the table, all, or
        none.

    Returns
    -------
    Outcomes
        Without a column ``part``. Further columns that are the same in all parts of
        every whole are kept. A whole whose surest bad part could not be judged is
        ungraded; one that is not wrong and lacks a guess for a part is unanswered.

    Raises
    ------
    InputError
        If there are no parts, or parts of a whole differ in weight or cluster; if parts
        are unlabelled and there is no cutoff, or returned parts of a whole differ in
        ``label_weight``.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["r1", "r1", "r2", "r2"], part=["a", "b", "a", "b"],
    ...     correct=[1, 0, 1, 1], confidence=[0.9, 0.4, 0.8, 0.6])
    >>> wholes = demur.whole_outcomes(outcomes)
    >>> wholes.item.tolist(), wholes.confidence.tolist()
    (['r1', 'r2'], [0.4, 0.6])
    >>> demur.error_return(wholes).at(cutoff=0.4).error
    0.5
    """
    check_parts("whole_outcomes", outcomes)
    pieces = [piece for _, _, piece in grouped_parts(outcomes)]
    if cutoff is not None:
        number("whole_outcomes", "cutoff", cutoff)
        at = "whole_outcomes"
        return stacked([wholes_at(at, one, cutoff, without_parts) for one in pieces])
    hint = "Name the cutoff: whole_outcomes(outcomes, cutoff=...)."
    check_verdicts("whole_outcomes", hint, outcomes)
    return stacked([whole_rows(one, without_parts) for one in pieces])


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
    least = parts.confidence.dtype.type(np.inf if cutoff is None else cutoff)
    returned = parts.guess & (parts.confidence >= least) & (cutoff is not None)
    rows = parts.least_sure(returned)
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
