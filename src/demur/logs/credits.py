"""What a number in a log, given to an answer by its tool, is worth."""

import math
from typing import Any

from demur.errors import InputError, shown
from demur.logs.readers import LogNotes
from demur.outcomes.values import plain_float


class Credits:
    """From scores to credits: 0 is wrong, 1 is right, between them is partly right.

    Parameters
    ----------
    reader : str
        What reads the log, for messages.
    threshold : str
        From which number on an answer is right; nothing to take numbers as credits.
    notes : LogNotes

    Raises
    ------
    InputError
        If the threshold is no number.

    Examples
    --------
    >>> credit = Credits("lm_eval", "50", LogNotes())
    >>> credit(100.0, "a.jsonl:1"), credit(0, "a.jsonl:2"), credit(True, "a.jsonl:3")
    (1.0, 0.0, 1.0)
    """

    def __init__(self, reader: str, threshold: str, notes: LogNotes) -> None:
        self._reader, self._notes = reader, notes
        self._limit = plain_float(threshold) if threshold else None
        if threshold and self._limit is None:
            raise InputError(reader, "threshold", "be a number", shown(threshold))

    def __call__(self, value: Any, place: str, what: str = "the score") -> float | None:
        """The credit of a score; None if there is none (null, NaN)."""
        if isinstance(value, bool):
            return float(value)
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return None
        if not isinstance(value, (int, float)):
            raise InputError(place, what, "be a number", shown(value))
        if self._limit is not None:
            return float(value >= self._limit)
        if not 0 <= value <= 1:
            need = "be from 0 to 1, or come with a threshold"
            hint = f"Type --log '{self._reader}(threshold=LIMIT)': right from LIMIT on."
            raise InputError(place, what, need, shown(value), hint)
        if 0 < value < 1:
            self._notes.add(
                f"scores between 0 and 1 are credits of right answers ({self._reader}"
                f"(threshold=0.5) makes them right or wrong)"
            )
        return float(value)
