"""References and functions that cannot judge: how many items, why, and where one is."""

from collections.abc import Iterable, Iterator
from typing import Final

from demur.errors import DemurError, shown
from demur.outcomes.fields import UNGRADED
from demur.outcomes.reasons import BAD_REFERENCE, DATABASE_UNREADABLE, JUDGE_FAILED
from demur.outcomes.records import Verdict
from demur.outcomes.refusals import several

_BY_REFERENCE: Final = (BAD_REFERENCE, DATABASE_UNREADABLE)

_OF_FUNCTIONS: Final = frozenset({"equal", "differs", "partly_equal", "cannot_judge"})
"""Codes of what a user's function has judged."""


class Unusable:
    """Counts of items that their references leave ungraded, or a function that raised.

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
        self._raised = 0
        self._first: DemurError | None = None
        self._first_reason = ""

    def raised(self, located: DemurError, problem: DemurError) -> Verdict:
        """The verdict of an answer on which the user's function raised something.

        Parameters
        ----------
        located, problem : DemurError
            With and without where the answer was read.
        """
        if self._first is None:
            located.__cause__ = problem.__cause__
            self._first, self._first_reason = located, str(problem)
        return Verdict(UNGRADED, 0.0, str(problem), JUDGE_FAILED)

    def refuse_if_all_raised(self, codes: Iterable[str | None]) -> None:
        """Refuse a function that raised on all that it was given: it is no judge.

        Parameters
        ----------
        codes : iterable of str or None
            Of all verdicts, each at least once.

        Raises
        ------
        RunError
            The first of its exceptions, with where the answer was read.
        """
        if self._raised and self._first and _OF_FUNCTIONS.isdisjoint(codes):
            raise self._first

    def add(self, item: str, verdict: Verdict) -> None:
        """Look at a verdict on an item."""
        if verdict.outcome != UNGRADED:
            return
        self._raised += verdict.code == JUDGE_FAILED
        if verdict.code in _BY_REFERENCE:
            self.items.setdefault(item, verdict.reason)
            self._answers += 1

    def notes(self) -> Iterator[str]:
        """How many references cannot be used, and the reason of one."""
        if self._first is not None and self._raised:
            yield (
                f"{several(self._raised, 'answer')} ungraded since the function that "
                f"judges raised an exception, the first: {self._first_reason}"
            )
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
