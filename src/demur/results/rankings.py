"""Who is best of several by one number: ties, bounds that overlap, who has none.

Every sentence that ranks asks here, so that none names a winner who shares the
place, or who may not be one.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from math import inf, isclose, nan
from typing import Any, Final

_MOST_NAMES: Final = 2
"""So many who are equally good are named; of more, their number is told."""

_MOST_RIVALS: Final = 3
"""So many who may be best are told with their numbers."""

_MOST_DIGITS: Final = 6
"""So many more digits are shown where numbers differ and look the same."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What one of several has of the number that ranks them.

    Parameters
    ----------
    name : str
    low, high : float or None
        What the number may be, equal if it is known; None if it is undefined.
    """

    name: str
    low: float | None
    high: float | None


def decimals(value: float, more: int = 0) -> str:
    """A number with three decimals, or more."""
    return f"{value:.{3 + more}f}"


def significant(value: float, more: int = 0) -> str:
    """A number with four significant digits, or more."""
    return f"{value:.{4 + more}g}"


class Ranking:
    """Who is best of several by one number, and who may be.

    Those who cannot be told apart share a place. Where one has bounds, it ranks by the
    worse one; who is best is known only if no other can be better.

    Parameters
    ----------
    standings : iterable of Standing
    better : {"lower", "higher"}
    shown : callable
        Gives a number as text, with so many more digits.

    Examples
    --------
    >>> ranking = Ranking([Standing("a", 0.3, 0.3), Standing("b", 0.3, 0.3)])
    >>> ranking.who("errs least", "err least", "the least error")
    'a and b err least'
    >>> ranking = Ranking([Standing("a", 0.3, 0.3), Standing("b", 0.1, 0.4)])
    >>> ranking.who("errs least", "err least", "the least error")
    'who errs least is not known'
    >>> ranking.rivals_text("{} errs on {}", "{} on {}")
    'a errs on 0.300, b on 0.100 to 0.400'
    """

    def __init__(
        self,
        standings: Iterable[Standing],
        *,
        better: str = "lower",
        shown: Callable[[float, int], str] = decimals,
    ) -> None:
        listed = list(standings)
        self.better, self._shown = better, shown
        self.ranked = sorted(filter(_defined, listed), key=self._ends)
        self.undefined = [each.name for each in listed if not _defined(each)]
        self.best = self._tied()
        rest = self.ranked[len(self.best) :]
        worst = self._ends(self.best[0])[0] if self.best else nan
        self.rivals = [
            each
            for each in rest
            if self._ends(each)[1] < worst and not _same(self._ends(each)[1], worst)
        ]
        self._more = self._digits(rest[0]) if rest else 0
        self.value = self.text(self.best[0]) if self.best else ""

    @property
    def known(self) -> bool:
        """Whether it is known who is best."""
        return bool(self.best) and not self.rivals

    def _ends(self, standing: Standing) -> tuple[float, float]:
        """The worse end and the better one, the smaller the better."""
        low, high = _numbers(standing)
        return (high, low) if self.better == "lower" else (-low, -high)

    def _tied(self) -> list[Standing]:
        """The first, and all that have the same number."""
        first = self.ranked[:1]
        if not first or not _same(*self._ends(first[0])):
            return first
        value = self._ends(first[0])[0]
        return [
            each
            for each in self.ranked
            if all(_same(end, value) for end in self._ends(each))
        ]

    def _digits(self, next_: Standing) -> int:
        """How many more digits tell the best from the next, who has another number."""
        if self._ends(next_) == self._ends(self.best[0]):
            return 0
        for more in range(_MOST_DIGITS):
            if self._text(self.best[0], more) != self._text(next_, more):
                return more
        return 0

    def text(self, standing: Standing) -> str:
        """The number of one, or its bounds if they differ in what is shown."""
        return self._text(standing, self._more)

    def _text(self, standing: Standing, more: int) -> str:
        low, high = (self._shown(end, more) for end in _numbers(standing))
        return low if low == high else f"{low} to {high}"

    def who(self, one: str, two: str, shared: str, *, what: str = "systems") -> str:
        """Who is best, in words; or that it is not known.

        Parameters
        ----------
        one, two : str
            What one does, and what two do, such as "errs least" and "err least".
        shared : str
            What more than two share, such as "the least error".
        what : str
            What they are.
        """
        if not self.known:
            return f"who {one} is not known"
        if len(self.best) > _MOST_NAMES:
            return f"{self.names(what)} share {shared}"
        return f"{self.names(what)} {one if len(self.best) == 1 else two}"

    def names(self, what: str = "systems") -> str:
        """Who is best: one or two by name, of more how many they are."""
        if len(self.best) > _MOST_NAMES:
            return f"{len(self.best)} {what}".rstrip()
        return " and ".join(each.name for each in self.best)

    def listed(self, first: str, other: str) -> str:
        """The first of all, each with its number, as `rivals_text` tells them."""
        return self._told(self.ranked, first, other)

    def rivals_text(self, first: str, other: str) -> str:
        """Who may be best, each with its number.

        Parameters
        ----------
        first, other : str
            How the first is told, and each further one: a name and a number go in.
        """
        return self._told([*self.best[:1], *self.rivals, *self.best[1:]], first, other)

    def _told(self, listed: Sequence[Standing], first: str, other: str) -> str:
        told = [
            (other if place else first).format(each.name, self.text(each))
            for place, each in enumerate(listed[:_MOST_RIVALS])
        ]
        more = len(listed) - len(told)
        return f"{', '.join(told)}{f' and {more} more' if more else ''}"

    @property
    def next_(self) -> "Ranking":
        """Those who are not best, ranked."""
        rest = self.ranked[len(self.best) :]
        following = Ranking(rest, better=self.better, shown=self._shown)
        following._more = self._more
        if following.best:
            following.value = following.text(following.best[0])
        return following

    def follows(self, how: str = " with {}", *, what: str = "systems") -> str:
        """Who follows, as the end of a sentence; "" if nobody does.

        Parameters
        ----------
        how : str
            With which number, which goes in.
        """
        next_ = self.next_
        if not next_.best:
            return ""
        if not next_.known:
            return "; who follows is not known"
        verb = "follows" if len(next_.best) == 1 else "follow"
        return f"; {next_.names(what)} {verb}{how.format(next_.value)}"

    def left_out(self, without: str) -> str:
        """A sentence, with a blank before it, about those who have no number.

        Parameters
        ----------
        without : str
            What they do not have, such as "no error there".
        """
        names = self.undefined
        if not names:
            return ""
        many = len(names) > _MOST_NAMES
        who = f"{len(names)} are" if many else " and ".join(names)
        who += "" if many else " is" if len(names) == 1 else " are"
        return f" {who[:1].upper() + who[1:] if many else who} left out: {without}."


def _defined(standing: Standing) -> bool:
    ends = standing.low, standing.high
    return all(end is not None and end == end for end in ends)


def _numbers(standing: Standing) -> tuple[float, float]:
    low, high = standing.low, standing.high
    return (inf if low is None else low), (inf if high is None else high)


def _same(value: float, other: float) -> bool:
    """Whether two numbers are equal but for rounding."""
    return isclose(value, other, rel_tol=1e-9, abs_tol=1e-12)


# -- on which items --------------------------------------------------------------------


NO_COMMON_ITEM: Final = "No item is common to all systems, so none is ranked"


def common_items(sets: Sequence[Collection[Any]]) -> int | None:
    """How many items all have in common; None if all have the same.

    Examples
    --------
    >>> common_items([["q1", "q2"], ["q2", "q1"]]) is None
    True
    >>> common_items([["q1"], ["q2"]])
    0
    """
    known = [frozenset(each) for each in {id(each): each for each in sets}.values()]
    common = frozenset.intersection(*known) if known else frozenset()
    return None if all(len(each) == len(common) for each in known) else len(common)


def items_note(common: int | None, what: str, *, sizes: str = "") -> str:
    """What to say of several that were judged on different items; "" if nothing.

    Parameters
    ----------
    common : int or None
        As `common_items` has it.
    what : str
        What may be owed to the items, such as "which is best".
    sizes : str
        How many items each has.

    Examples
    --------
    >>> items_note(0, "who errs least")[-58:]
    'who errs least may be owed to the items, not to the system'
    """
    if common is None:
        return ""
    return (
        f"systems are judged on different items: {common} in common{sizes}; "
        f"{what} may be owed to the items, not to the system"
    )
