"""A task made easier or harder: without some markables, or without some values."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

import numpy as np

from demur.arrays import Flags, Numbers
from demur.checks import choice
from demur.difficulty.entropies import plug_in
from demur.difficulty.tasks import ORDERS, MarkableTask
from demur.errors import InputError, ParseError, shown
from demur.results.gates import SIGNS

_CONDITION = re.compile(
    r"\s*(?P<name>[a-z]+)\s*(?P<sign><=|>=|==|!=|<|>)\s*"
    r"(?P<limit>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?)\s*"
)
FIGURES: Final[dict[str, Callable[[MarkableTask], Numbers]]] = {
    "majority": lambda task: np.maximum.reduceat(task.share, _begins(task)),
    "entropy": lambda task: plug_in(task.count, task.markable, len(task.markables)),
    "items": lambda task: task.items,
    "values": lambda task: np.bincount(task.markable, minlength=len(task.markables)),
}
"""What a condition may be about: figures of each markable."""

_ROUNDING = 1e-12


@dataclass(frozen=True)
class MarkableCondition:
    """A condition on markables, such as ``majority <= 0.9``.

    Parameters
    ----------
    name : {"majority", "entropy", "items", "values"}
        The share of the most frequent value; bits; counts.
    sign : str
        One of ``<= >= == != < >``.
    limit : float
        What the figure is held against.
    """

    name: str
    sign: str
    limit: float

    @property
    def text(self) -> str:
        """The condition as it is written."""
        return f"{self.name} {self.sign} {self.limit:g}"

    def kept(self, task: MarkableTask) -> Flags:
        """Whether it holds, for each markable."""
        figures = FIGURES[self.name](task).astype(float)
        equal = np.abs(figures - self.limit) <= _ROUNDING
        figures = np.where(equal, self.limit, figures)
        kept: Flags = SIGNS[self.sign](figures, self.limit)
        return kept


def parse_condition(text: str) -> MarkableCondition:
    """A condition on markables from its text.

    Raises
    ------
    ParseError
        If the text is none.
    InputError
        If it is about something that markables do not have.

    Examples
    --------
    >>> parse_condition("majority <= 0.9")
    MarkableCondition(name='majority', sign='<=', limit=0.9)
    """
    match = _CONDITION.fullmatch(text)
    if match is None:
        need = "read like 'majority <= 0.9' or 'items >= 10'"
        raise ParseError("prune", "a condition", need, shown(text))
    choice("prune", "a condition's figure", match["name"], FIGURES)
    return MarkableCondition(
        match["name"], match["sign"], float(Decimal(match["limit"]))
    )


def without_markables(
    task: MarkableTask, conditions: Sequence[MarkableCondition]
) -> MarkableTask:
    """The task with the markables on which all conditions hold."""
    kept = np.ones(len(task.markables), bool)
    for condition in conditions:
        kept &= condition.kept(task)
    if not kept.any():
        need = f"hold for some markable: {'; '.join(c.text for c in conditions)}"
        raise InputError("prune", "the conditions", need, "none of them")
    return task.take(kept[task.markable])


def without_ranks(task: MarkableTask, ranks: Sequence[int], order: str) -> MarkableTask:
    """The task without the values of these ranks, and their items."""
    choice("prune", "order", order, ORDERS)
    for rank in ranks:
        if isinstance(rank, bool) or not isinstance(rank, int) or rank < 1:
            need, hint = "be whole numbers from 1", "1 is the most frequent value."
            raise InputError("prune", "ranks", need, shown(rank), hint)
    kept = ~np.isin(task.ranked(order), ranks)
    if not kept.any():
        need, got = "leave some value", ", ".join(map(str, ranks))
        raise InputError("prune", "ranks", need, got)
    return task.take(kept)


def _begins(task: MarkableTask) -> Numbers:
    """Where the pairs of each markable begin; they are sorted by it."""
    return np.searchsorted(task.markable, np.arange(len(task.markables)))
