"""Which answers nobody has labelled, and what each label stands for."""

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from demur.arrays import Flags, Floats
from demur.errors import InputError, UndefinedRate, shown
from demur.outcomes.fields import UNANSWERED, UNGRADED
from demur.outcomes.reasons import UNLABELLED

if TYPE_CHECKING:
    from demur.outcomes.table import Outcomes


def unlabelled(outcomes: "Outcomes") -> Flags:
    """Which answers nobody has looked at.

    They are ungraded, with the reason code ``unlabelled`` or, if there is a column
    ``label_weight``, nothing in it. Any other ungraded answer was looked at by
    somebody who could not judge it.

    Parameters
    ----------
    outcomes : Outcomes
        Of any number of systems.

    Returns
    -------
    array of bool, shape (n_rows,)

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     outcome=["right", "unlabelled", "ungraded", "unanswered"])
    >>> unlabelled(outcomes).tolist()
    [False, True, False, False]
    """
    waiting: Flags = outcomes.outcome == UNGRADED
    if not waiting.any():
        return waiting
    named = np.zeros(len(waiting), bool)
    if outcomes.reason_code is not None:
        named |= np.equal(outcomes.reason_code, UNLABELLED).astype(bool)
    if outcomes.label_weight is not None:
        named |= np.isnan(outcomes.label_weight)
    return waiting & named


def labelled_in_part(*tables: "Outcomes") -> bool:
    """Whether answers of a table are unlabelled, so that errors are estimated.

    Examples
    --------
    >>> import demur
    >>> labelled_in_part(demur.Outcomes.from_arrays(outcome=["right", "unlabelled"]))
    True
    """
    return any(bool(unlabelled(table).any()) for table in tables)


LEFT_OPEN: Final = (
    "answers are unlabelled, and the bounds leave open what they are; "
    "demur.corrected_curve estimates the errors from the labelled ones"
)
"""What is said of a curve that takes no part for the whole."""


def wide_note(outcomes: "Outcomes") -> str:
    """The note on unlabelled answers of a curve; empty if there are none."""
    waiting = int(unlabelled(outcomes).sum())
    return f"{waiting:,} {LEFT_OPEN}" if waiting else ""


def label_weights(where: str, outcomes: "Outcomes", labelled: Flags) -> Floats | None:
    """How many items each label stands for; None if nothing says it.

    Parameters
    ----------
    where : str
        The function, for the message.
    outcomes : Outcomes
        Of any number of systems.
    labelled : array of bool, shape (n_rows,)
        Which rows somebody has looked at.

    Returns
    -------
    array of float64, shape (n_rows,), or None
        1 where there is no label.

    Raises
    ------
    InputError
        If the weight of a labelled row is missing, infinite or not above 0.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(correct=[1, 0], label_weight=[2, None])
    >>> label_weights("recheck", outcomes, np.array([True, False])).tolist()
    [2.0, 1.0]
    """
    weight = outcomes.label_weight
    if weight is None:
        return None
    wrong = np.flatnonzero(labelled & ~((weight > 0) & np.isfinite(weight)))
    if len(wrong):
        got = f"{weight[wrong[0]]:g} for {shown(str(outcomes.item[wrong[0]]))}"
        hint = "It is one over the chance that the item was drawn to be labelled."
        need = "be above 0 for every labelled item"
        raise InputError(where, "label_weight", need, got, hint)
    return np.where(labelled, weight, 1.0)


def labelled_rows(where: str, outcomes: "Outcomes") -> tuple["Outcomes", str]:
    """The labelled answers, weighing what they stand for, and the items without one.

    What weights are is up to a factor: they are scaled so that labelled answers stand
    for all answers there are.

    Returns
    -------
    (Outcomes, note)
        The note says what was left out.

    Raises
    ------
    UndefinedRate
        If no answer is labelled.
    """
    guess, waiting = outcomes.outcome != UNANSWERED, unlabelled(outcomes)
    labelled = guess & ~waiting
    if not labelled.any():
        raise UndefinedRate("no answer is labelled.", where=where)
    stands = label_weights(where, outcomes, labelled)
    weight = np.ones(len(outcomes)) if stands is None else stands.copy()
    weight[labelled] *= guess.sum() / weight[labelled].sum()
    weight = weight * (1.0 if outcomes.weight is None else outcomes.weight)
    note = (
        f"{int(waiting.sum()):,} unlabelled answers are left out; the "
        f"{int(labelled.sum()):,} labelled ones stand for them"
    )
    return replace(outcomes, weight=weight, label_weight=None).take(~waiting), note
