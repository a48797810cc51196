"""References that cannot be used: how many, why, and where one is."""

from collections.abc import Iterator
from typing import Final

from demur.errors import shown
from demur.outcomes.fields import UNGRADED
from demur.outcomes.reasons import BAD_REFERENCE, DATABASE_UNREADABLE
from demur.outcomes.records import Verdict
from demur.outcomes.refusals import several

_BY_REFERENCE: Final = (BAD_REFERENCE, DATABASE_UNREADABLE)


class Unusable:
    """Counts of items that their references leave ungraded.

    Examples
    --------
    >>> unusable = Unusable()
    >>> verdict = Verdict(UNGRADED, 0.0, "the reference is no list", "bad_reference")
    >>> unusable.add("q7", verdict)
    >>> print(*unusable.notes())
    1 reference could not be used, so that 1 answer is ungraded: the reference is no
    list; it is that of item 'q7'
    """

    def __init__(self) -> None:
        self.items: dict[str, str] = {}
        self._answers = 0

    def add(self, item: str, verdict: Verdict) -> None:
        """Look at a verdict on an item."""
        if verdict.outcome == UNGRADED and verdict.code in _BY_REFERENCE:
            self.items.setdefault(item, verdict.reason)
            self._answers += 1

    def notes(self) -> Iterator[str]:
        """How many references cannot be used, and the reason of one."""
        many = len(self.items)
        if many:
            item, reason = min(self.items.items())  # whatever the order of rows
            which = "it is that of item" if many == 1 else "such as that of item"
            are = "is" if self._answers == 1 else "are"
            yield (
                f"{several(many, 'reference')} could not be used, so that "
                f"{several(self._answers, 'answer')} {are} ungraded: {reason}; {which} "
                f"{shown(item)}"
            )
