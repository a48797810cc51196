"""What stands for nothing: None, NaN, and the signs of dataframe libraries."""

from typing import Any

import numpy as np


def is_absent(value: Any) -> bool:
    """Whether there is no value: None, NaN, NaT, NA or masked, of whatever library.

    Examples
    --------
    >>> import numpy as np
    >>> is_absent(None), is_absent(np.datetime64("NaT")), is_absent(""), is_absent(0)
    (True, True, False, False)
    """
    if value is None or isinstance(value, (str, list, dict, tuple, set, bytes)):
        return value is None
    if isinstance(value, np.ndarray):
        return value is np.ma.masked
    if type(value).__name__ == "NAType":  # pandas.NA is neither equal to itself nor not
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError, ArithmeticError):
        return False


def is_gap(value: Any) -> bool:
    """Whether there is nothing: no value, or a text without signs.

    Examples
    --------
    >>> is_gap(float("nan")), is_gap(" "), is_gap([])
    (True, True, False)
    """
    return not value.strip() if isinstance(value, str) else is_absent(value)
