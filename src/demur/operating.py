"""What one system answers at a cutoff, item by item."""

import numpy as np

from demur.counting import Flags, Floats
from demur.errors import InputError, UndefinedRate, shown
from demur.outcomes import Outcomes


def check_one_system(where: str, outcomes: Outcomes) -> None:
    """Refuse outcomes of no item, or of several systems or settings.

    Parameters
    ----------
    where : str
        The function, for the message.
    outcomes : Outcomes
        Judged responses.

    Raises
    ------
    InputError
        With what there is instead.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[1, 0], item=["q1", "q1"], system=["a", "b"])
    >>> check_one_system("recheck", outcomes)
    Traceback (most recent call last):
    ...
    demur.errors.InputError: recheck: outcomes must be of one system; got a, b. Select
    one.
    """
    if not len(outcomes):
        hint = "Was everything filtered out?"
        raise InputError(where, "outcomes", "hold at least one row", "none", hint)
    for name in ("system", "setting"):
        column = getattr(outcomes, name)
        values = [] if column is None else list(dict.fromkeys(column.tolist()))
        if len(values) > 1:
            got = ", ".join(str(value) for value in values[:5])
            got += ", ..." if len(values) > 5 else ""
            raise InputError(where, "outcomes", f"be of one {name}", got, "Select one.")


def confidences_of(where: str, outcomes: Outcomes, guess: Flags) -> Floats:
    """The confidences of one system, NaN where there is no guess.

    Raises
    ------
    UndefinedRate
        If its guesses have none.
    """
    confidence = outcomes.confidence
    if confidence is None:
        confidence = np.full(len(outcomes), np.nan)
    if np.isnan(confidence[guess]).any():
        name = outcomes.systems[0] or "the system"
        raise UndefinedRate(
            f"{where}: {name} gives no confidences, so there is no cutoff to apply."
        )
    return confidence


def answered_at(confidence: Floats, guess: Flags, cutoff: float | None) -> Flags:
    """Guesses at or above a cutoff, compared in the confidences' own precision.

    Parameters
    ----------
    confidence : array of float32 or float64, shape (n_items,)
        Not looked at where there is no guess.
    guess : array of bool, shape (n_items,)
        Whether there is a guess.
    cutoff : float or None
        None answers nothing.

    Examples
    --------
    >>> import numpy as np
    >>> values = np.array([0.7, 0.8, 0.9], np.float32)
    >>> answered_at(values, np.array([True, True, False]), 0.7)
    array([ True,  True, False])
    """
    if cutoff is None:
        return np.zeros(len(guess), bool)
    if cutoff != cutoff or isinstance(cutoff, bool):
        raise InputError("answered_at", "cutoff", "be a number", shown(cutoff))
    answered: Flags = guess & (confidence >= confidence.dtype.type(cutoff))
    return answered
