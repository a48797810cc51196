"""What holds of wholes and of each kind of part where each kind has its cutoff."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from demur.arrays import Flags, Floats, Positions, frozen
from demur.checks import rows_shown
from demur.decisions.choice_tables import percent
from demur.decisions.kinds_of_parts import KindLevels, levels_of
from demur.errors import InputError, shown
from demur.outcomes.columns import is_missing
from demur.outcomes.fields import UNANSWERED
from demur.outcomes.parts import item_names
from demur.outcomes.table import Outcomes
from demur.results import Column, Result, Table
from demur.wholes.counting_wholes import whole_curve
from demur.wholes.numbering import numbered_parts
from demur.wholes.whole_parts import WholeParts

WHERE: Final = "choose_by_kind"

WITHHELD: Final = "always withheld"

_OF_THE_VERDICT: Final = frozenset(
    ("outcome", "correct", "credit", "reason", "reason_code", "answerable")
)
"""Columns that nobody knows when a part is returned or withheld."""


@dataclass(frozen=True, eq=False, repr=False)
class KindRates(Result):
    """What holds of one kind of part at its cutoff.

    Parameters
    ----------
    kind : str
    cutoff : float or None
        Parts of this kind with at least this confidence are returned; None withholds
        them all.
    parts : int
        How many there are.
    nonreturn : float or None
        Parts of this kind withheld / all of them, by weight; None if there are none.
    whole_error : float or None
        Wholes of which a wrong part of this kind is returned / all wholes.
    """

    kind: str
    cutoff: float | None
    parts: int
    nonreturn: float | None
    whole_error: float | None

    @property
    def choice(self) -> str:
        """What to do without a cutoff."""
        return WITHHELD if self.cutoff is None else ""

    def sentence(self) -> str:
        """What is returned of this kind, and what is withheld."""
        does = WITHHELD
        if self.cutoff is not None:
            does = f"returned at a confidence of {self.cutoff} or more"
        share = (
            "" if self.nonreturn is None else f", {percent(self.nonreturn)} withheld"
        )
        return f"{self.kind}: {does}{share}."


@dataclass(frozen=True, eq=False, repr=False)
class RatesByKind(Result):
    """What holds of wholes where each kind of part has its cutoff.

    Parameters
    ----------
    wholes, parts : int
        How many there are.
    nonreturn : float
        Parts withheld / all parts, by weight.
    whole_error : float
        Wholes of which a wrong or ungraded part is returned / all wholes.
    left_open : float
        By how much that may be better, as ungraded parts count as wrong.
    complete : float
        Wholes whose parts are all returned and right / all wholes.
    touched : float
        Wholes of which a part is withheld / all wholes.
    cost : float
        Of withheld parts, each at the cost of its kind, per whole.
    by_kind : tuple of KindRates
    """

    wholes: int
    parts: int
    nonreturn: float
    whole_error: float
    left_open: float
    complete: float
    touched: float
    cost: float
    by_kind: tuple[KindRates, ...]

    def sentence(self) -> str:
        """How much is withheld, and how many wholes hold an error."""
        return f"{self.words().capitalize()}."

    def words(self) -> str:
        """The same in the middle of a sentence."""
        return (
            f"{percent(self.nonreturn)} of the parts are withheld, and "
            f"{percent(self.whole_error)} of the wholes hold a wrong part"
        )

    def table(self, title: str) -> Table:
        """A row for each kind, and one for all."""
        every = (
            *("all kinds", None, "", self.parts),
            *(self.nonreturn, self.whole_error),
        )
        rows = [
            (
                row.kind,
                row.cutoff,
                row.choice,
                row.parts,
                row.nonreturn,
                row.whole_error,
            )
            for row in self.by_kind
        ]
        return Table(title, _COLUMNS, (*rows, every))


_COLUMNS: Final = (
    Column("kind"),
    Column("cutoff", cells="value", explained="parts at least so sure are returned"),
    Column("choice", explained="what to do without a cutoff"),
    Column("parts", cells="count"),
    Column("nonreturn", "withheld", "share", "parts withheld / parts of the kind"),
    Column(
        "whole_error",
        cells="share",
        explained="wholes with a wrong or ungraded part of it returned / all wholes",
    ),
)


# -- from outcomes -------------------------------------------------------------------


def kinds_of(outcomes: Outcomes, column: str, where: str = WHERE) -> list[str]:
    """The kind of each row that is a part.

    Examples
    --------
    >>> import demur
    >>> kinds_of(demur.Outcomes.from_arrays(
    ...     item=["a", "a", "b"], part=["x", "y", None], correct=[1, 0, None],
    ...     groups={"tool": ["pay", "search", None]}), "tool")
    ['pay', 'search']
    """
    if column in _OF_THE_VERDICT:
        need = "be known before there is a verdict"
        hint = "Name a column such as the tool that a part calls."
        raise InputError(where, "kinds", need, shown(column), hint)
    rows = np.flatnonzero(is_part(outcomes))
    values = outcomes.column(column)[rows].tolist()
    missing = [
        int(row)
        for row, value in zip(rows, values, strict=True)
        if value is None or value == "" or value != value
    ]
    if missing:
        first = item_names(outcomes.take(np.array(missing[:1])))[0]
        got = f"nothing at {rows_shown(missing)}, first for {shown(first)}"
        raise InputError(where, f"column {column}", "say the kind of each part", got)
    return [str(value) for value in values]


def is_part(outcomes: Outcomes) -> Flags:
    """Which rows are parts; the others say that a whole has none."""
    absent: Flags = is_missing(outcomes.part)  # type: ignore[arg-type]
    flags: Flags = ~absent | (outcomes.outcome != UNANSWERED)
    return flags


@dataclass(frozen=True, eq=False)
class KindedParts:
    """The parts of one system by whole, and the kind of each.

    Parameters
    ----------
    parts : WholeParts
    kind : array of int64, shape (n_parts,)
        The place of its name among names; -1 for a kind that has none.
    """

    parts: WholeParts
    kind: Positions

    @classmethod
    def of(cls, outcomes: Outcomes, column: str, names: Sequence[str]) -> "KindedParts":
        """The parts of outcomes, their kinds by a column."""
        number_of = {name: place for place, name in enumerate(names)}
        codes = [number_of.get(kind, -1) for kind in kinds_of(outcomes, column)]
        return cls(numbered_parts(WHERE, outcomes), np.array(codes, np.int64))

    @property
    def guesses(self) -> tuple[Positions, Floats]:
        """Kind and confidence of each guess."""
        guess = self.parts.guess
        return self.kind[guess], self.parts.confidence[guess]

    def levels(self, costs: Sequence[float]) -> KindLevels:
        """What it takes to clear each whole."""
        parts, guess = self.parts, self.parts.guess
        return levels_of(
            parts.whole[guess],
            *self.guesses,
            (parts.wrong | parts.ungraded)[guess],
            weight=parts.weights,
            costs=costs,
        )


def rates_by_kind(
    outcomes: Outcomes,
    column: str,
    cutoffs: Mapping[str, float | None],
    costs: Mapping[str, Any],
) -> RatesByKind:
    """What holds of outcomes where each kind has its cutoff.

    Parameters
    ----------
    outcomes : Outcomes
        Of one system.
    column : str
        Which column says the kind.
    cutoffs : mapping of str to float or None
        Of all kinds that there are.
    costs : mapping of str to float
        1 for a kind that is left out.
    """
    names = sorted(cutoffs)
    rows = KindedParts.of(outcomes, column, names)
    parts, kind = rows.parts, rows.kind
    least = np.array([_or_infinite(cutoffs[name]) for name in names])
    wanted = least.astype(parts.confidence.dtype)
    open_kind = np.array([cutoffs[name] is not None for name in names])
    returned = parts.guess & (parts.confidence >= wanted[kind]) & open_kind[kind]
    declined = np.zeros(len(outcomes), bool)
    declined[is_part(outcomes)] = ~returned
    point = whole_curve(replace(outcomes, declined=frozen(declined))).own
    weight = parts.weights[parts.whole]
    bad = returned & (parts.wrong | parts.ungraded)
    listed = []
    for code, name in enumerate(names):
        these = kind == code
        wrong = np.unique(parts.whole[bad & these])
        n_parts = weight[these].sum()
        listed.append(
            KindRates(
                kind=name,
                cutoff=cutoffs[name],
                parts=int(these.sum()),
                nonreturn=_share(weight[these & ~returned].sum(), n_parts),
                whole_error=_share(parts.weights[wrong].sum(), parts.whole_weight),
            )
        )
    cost = np.array([costs.get(name, 1) for name in names], np.float64)
    withheld = float((weight * cost[kind])[~returned].sum())
    return RatesByKind(
        wholes=parts.n_wholes,
        parts=len(parts),
        nonreturn=point.nonreturn,
        whole_error=point.bounds[1],
        left_open=point.bounds[1] - point.bounds[0],
        complete=float(point.complete or 0.0),
        touched=float(point.touched or 0.0),
        cost=withheld / parts.whole_weight,
        by_kind=tuple(listed),
    )


def _or_infinite(cutoff: float | None) -> float:
    return np.inf if cutoff is None else cutoff


def _share(amount: Any, base: Any) -> float | None:
    return float(amount / base) if base else None
