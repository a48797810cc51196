"""Which answers nobody has labelled, and what each label stands for."""

from typing import TYPE_CHECKING

import numpy as np

from demur.arrays import Flags
from demur.outcomes.fields import UNGRADED
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
