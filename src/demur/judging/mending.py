"""Another rule of comparing that would make right what only looks wrong."""

from collections.abc import Callable
from typing import Any, NamedTuple

from demur import answers


class Mending(NamedTuple):
    """A rule that may mend wrong answers.

    Parameters
    ----------
    how : str
        What to type for it.
    mends : callable
        Whether an answer and a reference are equal by it.
    """

    how: str
    mends: Callable[[str, str], bool]


def mending(comparator: Any) -> Mending | None:
    """The rule that may mend what a comparator calls wrong, if there is one.

    Examples
    --------
    >>> rule = mending(answers.text())
    >>> rule.how, rule.mends("Lisbon.", "Lisbon"), rule.mends("It's Lisbon", "Lisbon")
    ("by='text(normalise=squad)' (--by 'text(normalise=squad)')", True, False)
    >>> mending(answers.label())
    """
    if comparator != answers.text():
        return None
    squad = answers.text(normalise="squad")
    how = f"by='{squad}' (--by '{squad}')"
    return Mending(how, lambda guess, value: squad.read(guess) == squad.read(value))
