"""How a natural input may end: with these figures, with a note, or refused.

The law behind all of them is *never silently wrong*. A case lists every end that is
acceptable; figures that are right need no note, figures that are not need one that says
what the input looks like, and a refusal says what is refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Shown:
    """What a user sees of a result: its figures, and what is noted beside them."""

    figures: dict[str, Any]
    notes: str = ""


@dataclass(frozen=True)
class Refusal:
    """What a user sees of an error."""

    message: str
    by_house: bool = True


@dataclass(frozen=True)
class End:
    """One acceptable end; words are sought in any case, ``|`` parts alternatives."""

    refusal: bool
    words: tuple[str, ...] = ()
    figures: dict[str, Any] = field(default_factory=dict)
    any_error: bool = False

    def allows(self, shown: Shown | Refusal) -> bool:
        if isinstance(shown, Refusal):
            kind = shown.by_house or self.any_error
            return self.refusal and kind and holds(shown.message, self.words)
        return self.fits(shown) and holds(shown.notes, self.words)

    def fits(self, shown: Shown) -> bool:
        """Whether the figures are these, whatever is noted."""
        return not self.refusal and all(
            name in shown.figures and alike(shown.figures[name], value)
            for name, value in self.figures.items()
        )

    def __str__(self) -> str:
        words = " and ".join(self.words)
        if self.refusal:
            return f"refused, naming {words}" if words else "refused"
        figures = ", ".join(f"{name} {value}" for name, value in self.figures.items())
        return f"{figures or 'any figures'}{f', noting {words}' if words else ''}"


@dataclass(frozen=True)
class Case:
    """A natural input under a name that stays, and the ends it may have."""

    name: str
    action: Callable[[], Any]
    ends: tuple[End, ...]


def case(name: str, action: Callable[[], Any], *ends: End) -> Case:
    return Case(name, action, ends)


def gives(**figures: Any) -> End:
    """These figures are right; no note is asked for."""
    return End(refusal=False, figures=figures)


def noted(*words: str, **figures: Any) -> End:
    """These figures (any, if none are named) beside a note that holds the words."""
    return End(refusal=False, words=words, figures=figures)


def refused(*words: str, any_error: bool = False) -> End:
    """An error of the house (or any) whose message holds the words."""
    return End(refusal=True, words=words, any_error=any_error)


def holds(text: str, words: tuple[str, ...]) -> bool:
    return all(
        any(re.search(rf"{re.escape(one)}", text, re.I) for one in word.split("|"))
        for word in words
    )


def alike(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, float) and isinstance(value, int | float):
        return math.isclose(value, wanted, rel_tol=1e-9, abs_tol=1e-9)
    return type(value) is type(wanted) and value == wanted
