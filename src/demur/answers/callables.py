"""Comparators that users write: any function of a response and a reference."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from demur.answers.comparators import DIFFERENT, EQUAL, Match
from demur.answers.nearness import value_distance
from demur.errors import InputError, RunError, problem_text, shown

_CANNOT: Final = Match(None, "the comparator could not judge it", "cannot_judge")


@dataclass(frozen=True, slots=True, repr=False)
class Custom:
    """A user's function as a comparator.

    Parameters
    ----------
    same : callable
        From the values of a response and a reference to True or False, to a credit
        from 0 to 1, or to None for "cannot judge".

    Examples
    --------
    >>> Custom(str.startswith).compare("Rome, Italy", "Rome")
    Match(credit=1.0, reason='equal', code='equal')
    >>> Custom(str.startswith)
    callable(str.startswith)
    """

    version: ClassVar[str] = "callable"
    same: Callable[[Any, Any], Any]

    def __str__(self) -> str:
        name = getattr(self.same, "__qualname__", type(self.same).__qualname__)
        return f"callable({name})"

    __repr__ = __str__

    def read(self, value: Any) -> Any:
        """The value as it is."""
        return value

    def compare(self, response: Any, reference: Any) -> Match:
        """Ask the function.

        Raises
        ------
        RunError
            If the function raises anything.
        InputError
            If it returns anything else than a bool, a credit or None.
        """
        try:
            result = self.same(response, reference)
        except Exception as problem:
            raise RunError(f"{self} raised {problem_text(problem)}") from problem
        return _as_match(result, self)

    def distance(self, response: Any, reference: Any) -> Any:
        """That of two texts or two numbers; the function is not asked."""
        return value_distance(response, reference)


def _as_match(result: Any, comparator: Custom) -> Match:
    if isinstance(result, np.generic):
        result = result.tolist()
    if result is None:
        return _CANNOT
    number = isinstance(result, (bool, int, float))
    if not (number and 0 <= result <= 1):
        need = "return True, False, a credit from 0 to 1, or None"
        raise InputError("by", str(comparator), need, shown(result))
    if result in (0, 1):
        return EQUAL if result else DIFFERENT
    return Match(float(result), "partly equal", "partly_equal")
