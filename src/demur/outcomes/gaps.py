"""What stands for nothing: None, NaN, and the signs of dataframe libraries."""

from typing import Any, Final

import numpy as np

_WRITTEN: Final = frozenset(
    ("nan", "<na>", "nat", "#n/a", "#ref!", "#value!", "#name?", "#null!", "#num!")
)


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


def is_written_gap(text: str) -> bool:
    """Whether a text is what pandas or a spreadsheet writes where there is nothing.

    Examples
    --------
    >>> is_written_gap("NaN"), is_written_gap("#N/A"), is_written_gap("none")
    (True, True, False)
    """
    return len(text) < 9 and text.strip().casefold() in _WRITTEN


def written_gap_note(text: str) -> str:
    """What to say of one among answers."""
    return (
        f"answers such as {text!r} are what programs write for nothing, and count as "
        "answers: leave the cell empty where the system declined"
    )
