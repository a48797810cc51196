"""What a system does at given cutoffs: declined, wrong, right, and the cost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import numpy as np

from demur import checks
from demur.arrays import answered_at
from demur.decisions.choice_tables import percent
from demur.decisions.group_rates import Design, grouped_rate
from demur.errors import InputError
from demur.outcomes.parts import check_one_system, confidences_of, sample_of
from demur.outcomes.table import Outcomes
from demur.results import Column, Figure, FigureKind, Result, Results, Table, exactly

_WHERE: Final = "at_cutoffs"


@dataclass(frozen=True, eq=False, repr=False)
class AtCutoff(Result):
    """What becomes of the items of one system at one cutoff.

    Parameters
    ----------
    system : str
    cutoff : float
        Guesses of at least this confidence are answered.
    items, answered : int
        How many there are, and how many are answered.
    nonreturn, error, right, error_answered : float or None
        Shares of all items that are not answered, answered in error, and answered
        rightly, by weight and credit; and the errors among what is answered, None if
        nothing is. Ungraded answers count as errors.
    error_interval, answered_interval : tuple (low, high) or None
        Of error and of error_answered: Wilson's, at the level.
    costs : tuple of (float, float)
        For each cost of a wrong answer, if one that is not given costs 1: what an item
        costs on average.
    level : float
        Of the intervals, which take the cutoff as given, not as chosen on these items.
    """

    KINDS: ClassVar = (
        FigureKind("nonreturn", "the nonreturn at the cutoff"),
        FigureKind("error", "the error at the cutoff"),
    )

    system: str
    cutoff: float
    items: int
    answered: int
    nonreturn: float
    error: float
    right: float
    error_answered: float | None
    error_interval: tuple[float, float]
    answered_interval: tuple[float, float] | None
    costs: tuple[tuple[float, float], ...]
    level: float
    notes: tuple[str, ...] = ()
    recipe: dict[str, str] = field(default_factory=dict)

    def sentence(self) -> str:
        """How much is declined, and how much of the rest is wrong."""
        name = self.system or "the system"
        start = f"At a cutoff of {exactly(self.cutoff)}, {name} declines"
        start += f" {percent(self.nonreturn)} of the items"
        if self.error_answered is None:
            return f"{start}, all there are."
        low, high = self.error_interval
        return (
            f"{start} and errs on {percent(self.error)} of all "
            f"({100 * self.level:g} % interval {percent(low)} to {percent(high)}), "
            f"{percent(self.error_answered)} of what it answers."
        )

    def tables(self) -> list[Table]:
        """One row."""
        costs = [
            Column(f"cost_{exactly(weight)}", f"cost W={exactly(weight)}", "number")
            for weight, _ in self.costs
        ]
        row = [column.value_in(self) for column in _COLUMNS]
        row += [cost for _, cost in self.costs]
        return [Table(_TITLE, (*_COLUMNS, *costs), (tuple(row),), key=2)]

    def figures(self) -> Iterator[Figure]:
        """The nonreturn and the error."""
        yield self.figure_of(self.KINDS[0], self.nonreturn)
        yield self.figure(self.KINDS[1], self.error, self.error_interval)


_TITLE: Final = "At cutoffs"
_COLUMNS: Final = (
    Column("system"),
    Column("cutoff", cells="number"),
    Column("answered", cells="count", explained="guesses of at least that confidence"),
    Column("nonreturn", cells="share", explained="items not answered / items"),
    Column("error", cells="share", explained="answered in error / items"),
    Column("error_interval", "error interval", "share"),
    Column("right", cells="share", explained="answered rightly / items", wide=True),
    Column("error_answered", "of answered", "share", "errors / items answered"),
    Column("answered_interval", "of answered interval", "share", wide=True),
)


class CutoffRows(Results[AtCutoff]):
    """What systems do at cutoffs, a row for each."""

    KINDS: ClassVar = AtCutoff.KINDS

    def sentence(self) -> str:
        """What each does, of the first few."""
        return " ".join(row.sentence() for row in self[:_SAID])


_SAID: Final = 3


def at_cutoffs(
    outcomes: Outcomes,
    cutoffs: float | Sequence[float],
    *,
    wrong_costs: Sequence[float] = (),
    level: float = 0.95,
) -> CutoffRows:
    """What one system does where it runs: at cutoffs that are given, not chosen.

    Parameters
    ----------
    outcomes : Outcomes
        Of one system with confidences.
    cutoffs : float or sequence of float
        Guesses of at least this confidence are answered.
    wrong_costs : sequence of float
        What a wrong answer costs if one that is not given costs 1: the cost of an item
        is W x error + nonreturn.
    level : float
        Of the intervals.

    Returns
    -------
    CutoffRows

    Raises
    ------
    InputError
        If a cutoff is no number, or the outcomes are of several systems.
    UndefinedRate
        If the system gives no confidences.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[True, True, False, False], confidence=[0.9, 0.8, 0.7, 0.2])
    >>> [row] = demur.at_cutoffs(outcomes, 0.7, wrong_costs=[4])
    >>> row.nonreturn, row.error, row.costs
    (0.25, 0.25, ((4.0, 1.25),))
    """
    check_one_system(_WHERE, outcomes)
    checks.inner_fraction(_WHERE, "level", level)
    given = [cutoffs] if isinstance(cutoffs, (int, float)) else list(cutoffs)
    if not given:
        raise InputError(_WHERE, "cutoffs", "name at least one cutoff", "none")
    for cutoff in given:
        checks.number(_WHERE, "a cutoff", cutoff)
    for weight in wrong_costs:
        checks.number(_WHERE, "a cost of a wrong answer", weight, 0)
    rows = CutoffRows(_row(outcomes, float(c), wrong_costs, level) for c in given)
    parts = {"cutoff": ", ".join(map(exactly, given))}
    if wrong_costs:
        parts["wrong_costs"] = ", ".join(map(exactly, wrong_costs))
    return rows.with_recipe(**parts)


def _row(
    outcomes: Outcomes, cutoff: float, wrong_costs: Sequence[float], level: float
) -> AtCutoff:
    sample = sample_of(outcomes)
    confidence = confidences_of(_WHERE, outcomes, sample.guess)
    answered = answered_at(confidence, sample.guess, cutoff)
    one_group = np.zeros(len(outcomes), np.int64)
    design = Design(one_group, 1, sample.weight, sample.cluster)
    every = np.ones(len(outcomes))

    def share(amount: Any, counted: Any) -> tuple[float, tuple[float, float]]:
        rate = grouped_rate(amount.astype(float), counted.astype(float), design)
        low, high = rate.interval(level)
        return float(rate.share[0]), (float(low[0]), float(high[0]))

    errors = np.where(answered, sample.loss, 0.0)
    nonreturn, _ = share(~answered, every)
    error, interval = share(errors, every)
    right, _ = share(np.where(answered, 1.0 - sample.loss, 0.0), every)
    of_answered, answered_interval = share(errors, answered)
    return AtCutoff(
        system=outcomes.systems[0],
        cutoff=cutoff,
        items=len(outcomes),
        answered=int(answered.sum()),
        nonreturn=nonreturn,
        error=error,
        right=right,
        error_answered=of_answered if answered.any() else None,
        error_interval=interval,
        answered_interval=answered_interval if answered.any() else None,
        costs=tuple((float(w), w * error + nonreturn) for w in wrong_costs),
        level=float(level),
        notes=tuple(outcomes.notes),
        recipe={
            **outcomes.recipe,
            "items": str(len(outcomes)),
            "level": exactly(level),
        },
    )
