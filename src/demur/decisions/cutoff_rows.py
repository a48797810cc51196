"""What a system does at given cutoffs: declined, wrong, right, and the cost."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from demur import checks
from demur.arrays import Flags, Sample, answered_at, summed
from demur.curves.counted_outcomes import CountedOutcomes
from demur.curves.of_outcomes import alone_part
from demur.decisions.choice_tables import percent
from demur.decisions.group_rates import Design, grouped_rate
from demur.errors import InputError
from demur.outcomes.parts import check_one_system, confidences_of, sample_of
from demur.outcomes.table import Outcomes
from demur.results import Column, Figure, FigureKind, Result, Results, Table, exactly

if TYPE_CHECKING:
    from demur.curves.counted import Counts

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
    outcomes: Outcomes | CountedOutcomes,
    cutoffs: float | Sequence[float],
    *,
    wrong_costs: Sequence[float] = (),
    level: float = 0.95,
) -> CutoffRows:
    """What one system does where it runs: at cutoffs that are given, not chosen.

    Parameters
    ----------
    outcomes : Outcomes or CountedOutcomes
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
    given = _checked(cutoffs, wrong_costs, level)
    if isinstance(outcomes, CountedOutcomes):
        part = alone_part(_WHERE, outcomes)
        rows = counted_rows(outcomes.counts(), part, given, wrong_costs, level)
    else:
        check_one_system(_WHERE, outcomes)
        rows = [row_of(of_rows(outcomes, c), wrong_costs, level) for c in given]
    parts = {"cutoff": ", ".join(map(exactly, given))}
    if wrong_costs:
        parts["wrong_costs"] = ", ".join(map(exactly, wrong_costs))
    return CutoffRows(rows).with_recipe(**parts)


def _checked(
    cutoffs: float | Sequence[float], wrong_costs: Sequence[float], level: float
) -> list[float]:
    """The cutoffs, if all arguments are what they must be."""
    checks.inner_fraction(_WHERE, "level", level)
    given = [cutoffs] if isinstance(cutoffs, (int, float)) else list(cutoffs)
    if not given:
        raise InputError(_WHERE, "cutoffs", "name at least one cutoff", "none")
    for cutoff in given:
        checks.number(_WHERE, "a cutoff", cutoff)
    for weight in wrong_costs:
        checks.number(_WHERE, "a cost of a wrong answer", weight, 0)
    return [float(cutoff) for cutoff in given]


def counted_rows(
    counts: "Counts",
    part: int,
    cutoffs: Sequence[float],
    wrong_costs: Sequence[float],
    level: float,
) -> list[AtCutoff]:
    """The rows of one part of counted outcomes, as `at_cutoffs` has them."""
    from demur.decisions.counted_cutoffs import answered_samples

    its = counts.parts[part]
    notes = (*counts.engine.notes, *its.notes)
    facts = notes, counts.engine.recipe
    both = zip(cutoffs, answered_samples(counts, part, cutoffs), strict=True)
    answered = [Answered(its.system, cutoff, *rows, *facts) for cutoff, rows in both]
    return [row_of(one, wrong_costs, level) for one in answered]


@dataclass(frozen=True)
class Answered:
    """The items of one system, and which of them a cutoff answers.

    Parameters
    ----------
    system : str
        Who answers.
    cutoff : float
        Guesses of at least this confidence are answered.
    sample : Sample
        The items, or rows that stand for several.
    given : array of bool, shape (n_rows,)
        Which are answered.
    notes : tuple of str
        What a reader must know of the outcomes.
    recipe : mapping of str to str
        Where they come from.
    """

    system: str
    cutoff: float
    sample: Sample
    given: Flags
    notes: tuple[str, ...]
    recipe: Mapping[str, str]


def of_rows(outcomes: Outcomes, cutoff: float) -> Answered:
    """What a cutoff answers of rows in memory."""
    sample = sample_of(outcomes)
    confidence = confidences_of(_WHERE, outcomes, sample.guess)
    given = answered_at(confidence, sample.guess, cutoff)
    name = outcomes.systems[0]
    return Answered(name, cutoff, sample, given, outcomes.notes, outcomes.recipe)


def row_of(answered: Answered, wrong_costs: Sequence[float], level: float) -> AtCutoff:
    """What becomes of the items at a cutoff."""
    sample, given = answered.sample, answered.given
    one_group, every = np.zeros(len(sample), np.int64), np.ones(len(sample))
    how = sample.weight, sample.cluster, sample.number, sample.alike
    design = Design(one_group, 1, *how)

    def share(amount: Any, counted: Any) -> tuple[float, tuple[float, float]]:
        rate = grouped_rate(amount.astype(float), counted.astype(float), design)
        low, high = rate.interval(level)
        return float(rate.share[0]), (float(low[0]), float(high[0]))

    errors = np.where(given, sample.loss, 0.0)
    nonreturn, _ = share(~given, every)
    error, interval = share(errors, every)
    right, _ = share(np.where(given, 1.0 - sample.loss, 0.0), every)
    of_answered, answered_interval = share(errors, given)
    return AtCutoff(
        system=answered.system,
        cutoff=answered.cutoff,
        items=sample.n_items,
        answered=int(summed(given, sample.number)),
        nonreturn=nonreturn,
        error=error,
        right=right,
        error_answered=of_answered if given.any() else None,
        error_interval=interval,
        answered_interval=answered_interval if given.any() else None,
        costs=tuple((float(w), w * error + nonreturn) for w in wrong_costs),
        level=float(level),
        notes=tuple(answered.notes),
        recipe={
            **answered.recipe,
            "items": str(sample.n_items),
            "level": exactly(level),
        },
    )
