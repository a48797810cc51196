"""The column of outcomes: codes that are compared with their names, too."""

from typing import Any

import numpy as np

from demur.checks import choice
from demur.outcomes.fields import CODES, OUTCOMES


class OutcomeCodes(np.ndarray[Any, np.dtype[np.uint8]]):
    """Positions in `demur.outcomes.fields.OUTCOMES`, equal to the names there.

    Examples
    --------
    >>> import demur
    >>> outcome = demur.Outcomes.from_arrays(correct=[True, False, None]).outcome
    >>> (outcome == "wrong").tolist(), (outcome != "wrong").tolist()
    ([False, True, False], [True, False, True])
    >>> outcome == "incorrect"
    Traceback (most recent call last):
    ...
    demur.errors.InputError: outcomes: outcome must be one of right, wrong, unanswered,
    ungraded; got 'incorrect'. Choose one of these.
    """

    def __eq__(self, other: object) -> Any:
        return np.equal(np.asarray(self), _codes(other))

    def __ne__(self, other: object) -> Any:
        return np.not_equal(np.asarray(self), _codes(other))

    __hash__ = None  # as of any array

    def __array_wrap__(self, array: Any, *how: Any) -> Any:
        """What is computed of codes are none: a plain array, or a scalar."""
        # Before version 2 numpy does not say whether it wants a scalar.
        scalar = how[1] if len(how) > 1 else np.ndim(array) == 0
        return np.asarray(array)[()] if scalar else np.asarray(array)


def _codes(other: Any) -> Any:
    """Names as their codes; anything else as it is."""
    if isinstance(other, str):
        return CODES[choice("outcomes", "outcome", other, OUTCOMES)]
    if isinstance(other, (list, tuple, np.ndarray)):
        values = np.asarray(other)
        if values.dtype.kind in "UO" and values.size:
            listed = [_codes(value) for value in values.ravel().tolist()]
            return np.array(listed).reshape(values.shape)
    return other
