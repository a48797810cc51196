"""Who gets declined: rates by group of items, at one shared cutoff."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from demur import checks
from demur.arrays import Flags, Floats, answered_at, plain
from demur.decisions.choice_tables import percent
from demur.decisions.group_rates import (
    Design,
    GroupedRate,
    Widest,
    grouped_rate,
    widest_gap,
)
from demur.outcomes.fields import UNGRADED
from demur.outcomes.labelling import check_verdicts
from demur.outcomes.parts import check_one_system, confidences_of, sample_of
from demur.outcomes.table import Outcomes
from demur.results import Column, Figure, FigureKind, Result, Table, ends_of, exactly

NOBODY = "(none)"
NEVER = "never"
"""The cutoff that answers nothing, whatever the confidences."""
SMALL = 10
LEVEL = 0.95
GAPS = ("declined", "error", "over_declined")


@dataclass(frozen=True, eq=False, repr=False)
class Rate(Result):
    """A share of items, with an interval.

    Parameters
    ----------
    amount, base : float
        Numerator and denominator: items, or their weights; half credits are halves.
    share : float or None
        amount / base; None if base is empty.
    low, high : float or None
        Wilson's interval, at the level of the whole table, for this rate alone.
    """

    SAYS = "{amount} of {base}: {share}, and truly from {low} to {high}."

    amount: float
    base: float
    share: float | None
    low: float | None
    high: float | None

    interval = property(ends_of)

    @classmethod
    def of(cls, amount: float, base: float, ends: tuple[float, float] | None) -> "Rate":
        """Amount over base; without a share or an interval if base is empty."""
        share = amount / base if base else None
        return cls(amount, base, share, *(ends if base and ends else (None, None)))

    @property
    def value(self) -> float | None:
        """The share, as what has an interval names it."""
        return self.share


@dataclass(frozen=True, eq=False, repr=False)
class GroupRates(Result):
    """What becomes of one group's items.

    The items declined are those rightly declined, over-declined, without a guess and
    declined but ungraded.

    Parameters
    ----------
    value : str
        The group; "(none)" for items without a value.
    items : int
        How many items.
    small : bool
        Fewer than 10 items: too few to compare.
    declined : Rate
        Items not answered / items.
    error : Rate
        Items answered in error / items; ungraded answers count as errors.
    error_answered : Rate
        The same errors / items answered.
    rightly_declined : Rate
        Declined guesses that are wrong, and declined unanswerable items / items.
    over_declined : Rate
        Declined guesses that are right / items.
    no_guess : Rate
        Answerable items without a guess / items: nobody knows what it would have
        been.
    declined_ungraded : Rate
        Declined guesses that nobody could judge / items.
    """

    value: str
    items: int
    small: bool
    declined: Rate
    error: Rate
    error_answered: Rate
    rightly_declined: Rate
    over_declined: Rate
    no_guess: Rate
    declined_ungraded: Rate

    @property
    def compared(self) -> str:
        """What a table says of a group that is not."""
        return "too few" if self.small else ""


RATES = tuple(rate.name for rate in fields(GroupRates) if rate.type is Rate)

_RATES: Final = (
    ("declined", "declined", "items not answered / items"),
    ("rightly_declined", "rightly", "declined wrong guesses and unanswerable / items"),
    ("over_declined", "over-declined", "declined right guesses / items"),
    ("no_guess", "no guess", "answerable items without a guess / items"),
    ("declined_ungraded", "ungraded", "declined guesses nobody could judge / items"),
    ("error", "error", "wrong or ungraded answers / items"),
    ("error_answered", "of answered", "the same / items answered"),
)
"""Name, head and meaning of each rate."""


def _rate_kinds() -> list[FigureKind]:
    return [
        FigureKind(name, f"the share {explained}", better="neither")
        for name, _, explained in _RATES
    ]


GAP_KINDS: Final = tuple(
    FigureKind(f"gap_{name}", f"the largest gap between groups in {words}")
    for name, words in zip(
        GAPS,
        ("the share declined", "the error", "the share over-declined"),
        strict=True,
    )
)
"""The figures of the largest gaps."""


@dataclass(frozen=True, eq=False, repr=False)
class Gap(Result):
    """The largest gap between two groups in one rate.

    Parameters
    ----------
    rate : str
        Which rate: "declined", "error" or "over_declined".
    high, low : str
        The groups with the highest and the lowest rate.
    difference : float
        Between their rates.
    interval : tuple (low, high)
        Covers the largest true gap between any two groups, at the level of the
        table, for all pairs together. If it begins above 0, the groups differ.
    pairs : int
        How many pairs that are.
    """

    SAYS = (
        "The share {rate} is highest for {high} and lowest for {low}; they differ by "
        "{difference}."
    )

    rate: str
    high: str
    low: str
    difference: float
    interval: tuple[float, float]
    pairs: int

    @property
    def value(self) -> float:
        """The difference, as what has an interval names it."""
        return self.difference

    @property
    def words(self) -> str:
        """Which rate, for people."""
        return self.rate.replace("_", "-")


@dataclass(frozen=True, eq=False, repr=False)
class Declining(Result):
    """Who gets declined, and with what right.

    Parameters
    ----------
    system : str
        Whose decisions they are.
    group : str
        The column whose values are the groups.
    cutoff : float, "never" or None
        Shared by all groups; None if the system's own decisions are shown.
    level : float
        Of the intervals.
    overall : GroupRates
        All items as one group.
    groups : tuple of GroupRates
        In order of appearance.
    gaps : tuple of Gap
        The largest gap in the share declined, the error and the share over-declined,
        among groups of at least 10 items; empty if there are not two of them.
    method : str
        How the intervals were made.
    notes : tuple of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    """

    KINDS: ClassVar = (*_rate_kinds(), *GAP_KINDS)

    system: str
    group: str
    cutoff: float | str | None
    level: float
    overall: GroupRates
    groups: tuple[GroupRates, ...]
    gaps: tuple[Gap, ...]
    method: str
    notes: tuple[str, ...] = ()
    recipe: dict[str, str] = field(default_factory=dict)

    def sentence(self) -> str:
        """How many are declined, and where groups differ most in it."""
        name = f"{self.system}: " if self.system else ""
        return f"{name}{self.words()}"

    def words(self) -> str:
        """The sentence without the system's name."""
        at = "by its own decisions"
        if self.cutoff is not None:
            at = f"at a cutoff of {self.cutoff}"
        if self.cutoff == NEVER:
            at = "where none is ever answered"
        share = self.overall.declined.share or 0.0
        start = f"{percent(share)} of the items are declined {at}"
        if not self.gaps:
            return f"{start}; there are no two groups of {SMALL} items to compare."
        gap = self.gaps[0]
        low, high = gap.interval
        luck = "more than luck explains" if low > 0 else "which luck can explain"
        return (
            f"{start}. The values of {self.group} that differ most in it are "
            f"{gap.high} and {gap.low}, by {gap.difference:.3f} "
            f"({100 * self.level:g} % interval {low:.3f} to {high:.3f}), {luck}."
        )

    def figures(self) -> Iterator[Figure]:
        """The rates of all items together, and the largest gaps between groups."""
        for kind in _rate_kinds():
            yield self.figure_of(kind, getattr(self.overall, kind.name))
        yield from self.gap_figures()

    def gap_figures(self) -> Iterator[Figure]:
        """The largest gaps between groups."""
        widest = {gap.rate: gap for gap in self.gaps}
        why = f"there are no two groups of {SMALL} items to compare"
        for kind, name in zip(GAP_KINDS, GAPS, strict=True):
            yield self.figure_of(kind, widest.get(name), why_undefined=why)

    def tables(self) -> list[Table]:
        """The rates of each group, and the largest gaps between groups."""
        return list(self.titled_tables(""))

    def titled_tables(self, where: str) -> Iterator[Table]:
        """The tables, and on which data they are.

        Parameters
        ----------
        where : str
            Such as "on held-out items".
        """
        rates = tuple(_rate_columns())
        taken = {"system", "items", "compared", *(column.key for column in rates)}
        columns = (
            Column(
                f"group_{self.group}" if self.group in taken else self.group, of="value"
            ),
            Column("items", cells="count"),
            Column("compared", explained=f"groups of {SMALL} items or more are"),
            *rates,
        )
        title = f"Who gets declined, {where}" if where else "Who gets declined"
        yield Table.of(title, columns, (self.overall, *self.groups))
        title = f"Largest gaps between values of {self.group}"
        if self.gaps:
            yield Table.of(title, _GAPS, self.gaps)


def _rate_columns() -> Iterator[Column]:
    for name, title, explained in _RATES:
        wide = name == "declined_ungraded"
        yield Column(name, title, "share", explained, wide=wide, of=f"{name}.share")
        yield Column(
            *(f"{name}_interval", f"{title} interval", "share"),
            wide=True,
            of=f"{name}.interval",
        )


_GAPS: Final = (
    Column("rate", of="words"),
    Column("high", explained="the group with the highest rate"),
    Column("low", explained="with the lowest"),
    Column("difference", cells="share", explained="of these two rates"),
    Column("interval", cells="share", explained="for all pairs of groups together"),
    Column("pairs", cells="count"),
)


def _plain(cutoff: float | str | None) -> float | str | None:
    return cutoff if isinstance(cutoff, str) else plain(cutoff)


@checks.renamed(group="by")
def declining_by(
    outcomes: Outcomes, by: str, *, cutoff: float | str | None, level: float = LEVEL
) -> Declining:
    """Rates by group at one shared cutoff, or at the system's own decisions.

    The cutoff is taken as given: intervals do not know what it was chosen on.

    Parameters
    ----------
    outcomes : Outcomes
        Judged responses of one system.
    by : str
        A column; items without a value form the group "(none)".
    cutoff : float, "never" or None
        Answer every guess with at least this confidence, or none at all; None takes
        the column ``declined``, the system's own decisions.
    level : float
        Two-sided, of the intervals.

    Returns
    -------
    Declining

    Raises
    ------
    InputError
        If there is no such column, outcomes of several systems, or a cutoff that is
        neither a number nor "never".
    UndefinedRate
        If a cutoff is given and the system gives no confidences.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     confidence=[i / 40 for i in range(40)],
    ...     correct=[i > 5 for i in range(40)],
    ...     groups={"age": ["old"] * 20 + ["young"] * 20})
    >>> found = demur.declining_by(outcomes, "age", cutoff=0.25)
    >>> for one in found.groups:
    ...     right, over = one.rightly_declined, one.over_declined
    ...     print(one.value, one.declined.share, right.amount, over.amount)
    old 0.5 6.0 4.0
    young 0.0 0.0 0.0
    >>> gap = found.gaps[0]
    >>> gap.rate, gap.high, gap.low, gap.difference, round(gap.interval[0], 2)
    ('declined', 'old', 'young', 0.5, 0.24)
    """
    check_one_system("declining_by", outcomes)
    hint = "Draw labels for each group, and choose for it: --where, or select()."
    check_verdicts("declining_by", hint, outcomes)
    checks.inner_fraction("declining_by", "level", level)
    names, codes = _groups(outcomes, by)
    sample = sample_of(outcomes)
    answered = _answered(outcomes, sample.guess, cutoff)
    amounts = _amounts(outcomes, sample.guess, sample.loss, answered)
    design = Design(codes, len(names), sample.weight, sample.cluster)
    whole = Design(np.zeros_like(codes), 1, sample.weight, sample.cluster)
    rates = _rates(amounts, answered, design)
    sizes = np.bincount(codes, minlength=len(names))
    everything = np.array([len(codes)])
    gaps = _gaps(rates, names, np.flatnonzero(sizes >= SMALL), level)
    return Declining(
        system=outcomes.systems[0],
        group=by,
        cutoff=cutoff,
        level=float(level),
        overall=_tables(_rates(amounts, answered, whole), ["all"], everything, level)[
            0
        ],
        groups=tuple(_tables(rates, names, sizes, level)),
        gaps=gaps,
        method=_method(design),
        notes=(*outcomes.notes, *_notes(sizes, gaps, level, outcomes, answered)),
        recipe=dict(outcomes.recipe)
        | {
            "grouped_by": by,
            "cutoff": "own" if cutoff is None else str(_plain(cutoff)),
            "intervals": _method(design),
            "items": str(len(codes)),
            "level": exactly(level),
        },
    )


def _groups(outcomes: Outcomes, group: str) -> tuple[list[str], npt.NDArray[np.int64]]:
    """Names of the groups in order of appearance, and each item's number."""
    number: dict[str, int] = {}
    codes = [
        number.setdefault(NOBODY if _absent(value) else str(value), len(number))
        for value in outcomes.column(group).tolist()
    ]
    return list(number), np.array(codes, np.int64)


def _absent(value: Any) -> bool:
    return value is None or value != value or value == ""


def _answered(outcomes: Outcomes, guess: Flags, cutoff: float | str | None) -> Flags:
    if isinstance(cutoff, str):
        checks.choice("declining_by", "a cutoff that is no number", cutoff, [NEVER])
        return np.zeros(len(guess), bool)
    if cutoff is not None:
        checks.number("declining_by", "cutoff", cutoff)
        confidence = confidences_of("declining_by", outcomes, guess)
        return answered_at(confidence, guess, cutoff)
    return guess if outcomes.declined is None else guess & ~outcomes.declined


def _amounts(
    outcomes: Outcomes, guess: Flags, loss: Floats, answered: Flags
) -> dict[str, Floats]:
    ungraded = outcomes.outcome == UNGRADED
    judged = guess & ~ungraded
    unanswerable = np.zeros(len(guess), bool)
    if outcomes.answerable is not None:
        unanswerable = ~outcomes.answerable
    declined = ~answered
    return {
        "declined": declined.astype(float),
        "error": np.where(answered, loss, 0.0),
        "rightly_declined": np.where(
            declined, np.where(judged, loss, ~guess & unanswerable), 0.0
        ),
        "over_declined": np.where(declined & guess, 1.0 - loss, 0.0),
        "no_guess": (~guess & ~unanswerable).astype(float),
        "declined_ungraded": (declined & ungraded).astype(float),
    }


def _rates(
    amounts: dict[str, Floats], answered: Flags, design: Design
) -> dict[str, GroupedRate]:
    every = np.ones(len(answered))
    rates = {
        name: grouped_rate(amount, every, design) for name, amount in amounts.items()
    }
    of_answered = grouped_rate(amounts["error"], answered.astype(float), design)
    return rates | {"error_answered": of_answered}


def _tables(
    rates: dict[str, GroupedRate],
    names: Sequence[str],
    sizes: npt.NDArray[np.int64],
    level: float,
) -> list[GroupRates]:
    """The rates turned from one array per rate into one table per group."""
    ends = {name: rate.interval(level) for name, rate in rates.items()}
    return [
        GroupRates(
            value=value,
            items=int(sizes[row]),
            small=bool(sizes[row] < SMALL),
            **{name: _rate(rate, ends[name], row) for name, rate in rates.items()},
        )
        for row, value in enumerate(names)
    ]


def _rate(rate: GroupedRate, ends: tuple[Floats, Floats], row: int) -> Rate:
    low, high = (float(end[row]) for end in ends)
    return Rate.of(float(rate.amount[row]), float(rate.base[row]), (low, high))


def _gaps(
    rates: dict[str, GroupedRate],
    names: Sequence[str],
    large: npt.NDArray[np.int64],
    level: float,
) -> tuple[Gap, ...]:
    gaps = []
    for name in GAPS:
        gap: Widest | None = widest_gap(rates[name], large, level=level)
        if gap is not None:
            high, low = names[gap.high], names[gap.low]
            gaps.append(Gap(name, high, low, gap.difference, gap.interval, gap.pairs))
    return tuple(gaps)


def _method(design: Design) -> str:
    if design.cluster is not None:
        return "Wilson with the effective number of items by clusters"
    if design.weight is not None:
        return "Wilson with the effective number of items by weights"
    return "Wilson"


def _notes(
    sizes: npt.NDArray[np.int64],
    gaps: Sequence[Gap],
    level: float,
    outcomes: Outcomes,
    answered: Flags,
) -> list[str]:
    notes = []
    if gaps:
        pairs = gaps[0].pairs
        notes.append(
            f"gaps: {level:.4g} for {pairs} pair{'s' if pairs > 1 else ''} of groups "
            "together (Bonferroni), for each of the three rates by itself; other "
            f"intervals: {level:.4g} each by itself"
        )
    small = int((sizes < SMALL).sum())
    if small:
        notes.append(
            f"{small} group{'s' if small > 1 else ''} of fewer than {SMALL} items "
            "not compared"
        )
    ungraded = int((answered & (outcomes.outcome == UNGRADED)).sum())
    if ungraded:
        notes.append(f"{ungraded} ungraded answers count as errors")
    failed = int(outcomes.failed.sum())
    if failed:
        notes.append(
            f"{failed:,} of {len(answered):,} items failed, and count as declined: who "
            "gets declined is then in part whom an outage met"
        )
    return notes
