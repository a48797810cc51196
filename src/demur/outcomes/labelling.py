"""Which answers nobody has labelled, and what each label stands for."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from demur.arrays import Flags, Floats
from demur.errors import InputError, UndefinedRate, shown
from demur.outcomes.fields import RIGHT, UNANSWERED, UNGRADED, WRONG
from demur.outcomes.reasons import UNLABELLED

if TYPE_CHECKING:
    from demur.outcomes.table import Outcomes


def unlabelled(outcomes: "Outcomes") -> Flags:
    """Which answers nobody has looked at.

    They are ungraded, with the reason code ``unlabelled`` or, if there is a column
    ``label_weight`` in which each graded answer has a weight, nothing in it. Any other
    ungraded answer was looked at by somebody who could not judge it. Where graded
    answers have no weight, the column is about other labels, such as people's beside
    a judge's.

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
        nothing = np.isnan(outcomes.label_weight)
        graded = (outcomes.outcome == RIGHT) | (outcomes.outcome == WRONG)
        if not (nothing & graded).any():
            named |= nothing
    return waiting & named


class OutOfReach(UndefinedRate):
    """Labels say nothing of an error: some of its answers could not be drawn."""

    why: str = ""


def check_verdicts(where: str, hint: str, *tables: "Outcomes") -> None:
    """Raise `InputError` where unlabelled answers would be taken for wrong ones.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(outcome=["right", "unlabelled"])
    >>> check_verdicts("score", "demur curve estimates the error.", outcomes)
    Traceback (most recent call last):
    ...
    demur.errors.InputError: score: outcomes must have a verdict on every answer; got 1
    unlabelled. demur curve estimates the error.
    """
    waiting = sum(int(unlabelled(table).sum()) for table in tables)
    if waiting:
        need, got = "have a verdict on every answer", f"{waiting:,} unlabelled"
        raise InputError(where, "outcomes", need, got, hint)


def check_reach(where: str, outcomes: "Outcomes", answered: Any, at: str = "") -> None:
    """Refuse answers that could not be drawn to be labelled: their weight is 0.

    Parameters
    ----------
    where : str
        The function, for the message.
    outcomes : Outcomes
        Of any number of systems.
    answered : array of bool or float64, shape (n_rows,)
        What is answered at the cutoff, at least in part.
    at : str
        Where that is, to begin the message with.

    Raises
    ------
    OutOfReach
        With how many there are.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     outcome=["right", "unlabelled"], label_weight=[2, 0])
    >>> check_reach("curve", outcomes, np.array([True, True]))
    Traceback (most recent call last):
    ...
    demur.outcomes.labelling.OutOfReach: curve: 1 of the answers had no chance of being
    labelled (label_weight 0): the labels say nothing of them. Take a higher cutoff,
    or draw labels for it.
    """
    beyond = int((out_of_reach(outcomes) & (answered > 0)).sum())
    if beyond:
        why = f"{beyond:,} of the answers had no chance of being labelled"
        problem = OutOfReach(
            f"{at}{why} (label_weight 0): the labels say nothing of them. Take a "
            f"higher {'one' if at else 'cutoff'}, or draw labels for it.",
            where=where,
        )
        problem.why = why
        raise problem


def check_all_rows(where: str, outcomes: "Outcomes") -> None:
    """Refuse labelled answers without those that they stand for.

    Where each answer has a label, weights must add up to about as many as there are;
    with more, rows without a label were left out, and nobody sees what was declined.

    Raises
    ------
    InputError
        With how many answers there are, and how many they stand for.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[1, 1, 0, 1, 1], label_weight=[2, 2, 9, 9, 9])
    >>> check_all_rows("recheck", outcomes)
    Traceback (most recent call last):
    ...
    demur.errors.InputError: recheck: outcomes must hold all rows, labelled or not; got
    5 answers, all labelled, that stand for 31. Labels are weighed where the others are
    there too; were rows left out?
    """
    weight = outcomes.label_weight
    if weight is None:
        return
    stands = weight[outcomes.outcome != UNANSWERED]
    if len(stands) < FEW or not stands.min() > 0 or unlabelled(outcomes).any():
        return
    if stands.sum() > MISSING * len(stands):
        need = "hold all rows, labelled or not"
        got = f"{len(stands):,} answers, all labelled, that stand for "
        hint = "Labels are weighed where the others are there too; were rows left out?"
        raise InputError(where, "outcomes", need, f"{got}{stands.sum():,.0f}", hint)


FEW: Final = 5
"""Of fewer labelled answers, weights may add up to anything by chance."""
MISSING: Final = 1.5
"""Labels that stand for so many times the answers there are stand for others too."""


def out_of_reach(outcomes: "Outcomes") -> Flags:
    """Which rows could not be drawn to be labelled: their ``label_weight`` is 0."""
    weight = outcomes.label_weight
    nothing: Flags = np.zeros(len(outcomes), bool) if weight is None else weight == 0
    return nothing


def lowest_in_reach(outcomes: "Outcomes") -> float:
    """The lowest cutoff at which every answer could be drawn to be labelled.

    Returns
    -------
    float
        -inf if all could be drawn; inf if some of the surest could not.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     outcome=["right", "right", "unlabelled"], confidence=[0.9, 0.5, 0.2],
    ...     label_weight=[2, 2, 0])
    >>> lowest_in_reach(outcomes)
    0.5
    """
    guess = outcomes.outcome != UNANSWERED
    beyond = guess & out_of_reach(outcomes)
    if not beyond.any():
        return -np.inf
    if outcomes.confidence is None:
        return np.inf
    highest = outcomes.confidence[beyond].max()
    above = outcomes.confidence[guess & (outcomes.confidence > highest)]
    return float(above.min(initial=np.inf))


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
    for all answers that could be drawn. What could not be drawn counts as wrong.

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
    beyond = waiting & out_of_reach(outcomes)
    weight[labelled] *= (guess & ~beyond).sum() / weight[labelled].sum()
    weight = weight * (1.0 if outcomes.weight is None else outcomes.weight)
    note = (
        f"{int((waiting & ~beyond).sum()):,} unlabelled answers are left out; the "
        f"{int(labelled.sum()):,} labelled ones stand for them"
    )
    if beyond.any():
        note += f"; {int(beyond.sum()):,} that could not be drawn count as wrong"
    codes = np.where(beyond, WRONG, outcomes.outcome.codes).astype(np.uint8)
    weighed = replace(outcomes, outcome=codes, weight=weight, label_weight=None)
    return weighed.take(~waiting | beyond), note
