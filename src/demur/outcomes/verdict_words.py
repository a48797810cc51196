"""What people write for right and wrong, said once."""

from typing import Any, Final

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
