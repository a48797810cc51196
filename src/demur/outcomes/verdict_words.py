"""What people write for right and wrong, said once."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from demur.arrays import Flags, Floats
from demur.errors import InputError, shown

LOSSES: Final = {
    **dict.fromkeys(("right", "true", "yes", "1", "correct"), 0.0),
    **dict.fromkeys(("wrong", "false", "no", "0", "incorrect"), 1.0),
}
"""The loss that each word stands for."""


def word_of(value: Any) -> str:
    """A cell as a word to look up; empty where there is nothing.

    Examples
    --------
    >>> word_of(" Right "), word_of(True), word_of(1.0), word_of(None), word_of("nan")
    ('right', 'true', '1', '', '')
    """
    if value is None or value != value:
        return ""
    whole = isinstance(value, float) and value.is_integer()
    text = str(int(value) if whole else value).strip().lower()
    return "" if text == "nan" else text


def losses_of_people(
    where: str, column: Sequence[Any], gold: str
) -> tuple[Floats, Flags]:
    """Losses by people, and where there are any, of a column of their verdicts."""
    losses = np.zeros(len(column))
    labelled = np.zeros(len(column), bool)
    for row, value in enumerate(column):
        text = word_of(value)
        if text in ("", "ungraded"):
            continue
        if text not in LOSSES:
            need = "be right or wrong, or empty"
            got, hint = shown(value), "Also true and false, yes and no, 1 and 0."
            raise InputError(where, f"column {gold}", need, got, hint)
        losses[row], labelled[row] = LOSSES[text], True
    return losses, labelled
