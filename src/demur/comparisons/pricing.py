"""Which system, at which cutoff, is cheapest at which price of a non-return."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from demur import checks
from demur.arrays import plain
from demur.curves import counting
from demur.curves.curves import Curve, vertex_at
from demur.decisions.choice_tables import NEVER, SAME_DATA
from demur.outcomes.parts import check_rows, named_parts
from demur.outcomes.table import Outcomes
from demur.results import (
    Column,
    Figure,
    FigureKind,
    Result,
    Results,
    Table,
    joined_recipes,
    rate,
)
from demur.results.gates import Gate

_USUAL: Final = 0.5
"""The price that the answer is about: an error costs two answers not given."""


@dataclass(frozen=True, eq=False, repr=False)
class Price(Result):
    """Where one cutoff or operating point is the cheapest of all.

    Parameters
    ----------
    low, high : float
        For ``low <= r < high``, where r is the cost of a non-return over the cost of
        an error; the last one is without end (infinity).
    system : str or None
        Whose it is; None for silence, which is nobody's.
    choice : {"cutoff", "own decisions", "never answer"}
        What to do: use the cutoff, leave it to the system as it decides itself, or run
        none.
    cutoff : float or None
        The cutoff to use, if that is the choice.
    nonreturn, error : float
        Rates over all items; the error counts ungraded answers.
    recipe : mapping of str to str
        For the signature.
    """

    low: float
    high: float
    system: str | None
    choice: str
    cutoff: float | None
    nonreturn: float
    error: float
    recipe: Mapping[str, str] = field(default_factory=dict)

    def sentence(self) -> str:
        """From which price to which, what is cheapest."""
        end = "" if np.isinf(self.high) else f" to below {self.high:.4g}"
        return (
            f"From r = {self.low:.4g}{end}, {self.what} is cheapest: "
            f"{rate(self.error)} of all items wrong, {rate(self.nonreturn)} not "
            "answered."
        )

    @property
    def what(self) -> str:
        """Whose cutoff or own decisions, in words."""
        if self.system is None:
            return self.choice
        name = self.system or "the system"
        if self.cutoff is None:
            return f"{name} as it decides itself"
        return f"{name} at a cutoff of {self.cutoff}"

    def tables(self) -> tuple[Table, ...]:
        """The range in one row."""
        return (_prices_table([self]),)

    def to_dict(self) -> dict[str, Any]:
        """The price range as plain values for JSON; null is without end."""
        return {
            "from": self.low,
            "to": self.high if np.isfinite(self.high) else None,
            "system": self.system,
            "choice": self.choice,
            "cutoff": plain(self.cutoff),
            "nonreturn": self.nonreturn,
            "error": self.error,
        }


class PriceList(Results[Price]):
    """What is cheapest at which price, from dear non-returns to cheap ones.

    A tuple of `Price`.

    Parameters
    ----------
    prices : iterable of Price
    notes : sequence of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    """

    PLURAL = "prices"
    KINDS = (
        FigureKind("error", f"the error of what is cheapest at r = {_USUAL:g}"),
        FigureKind("nonreturn", f"the nonreturn of what is cheapest at r = {_USUAL:g}"),
        FigureKind("cost", f"error + {_USUAL:g} x nonreturn of what is cheapest"),
    )

    notes: tuple[str, ...] = ()

    def sentence(self) -> str:
        """What is cheapest if an error costs as much as two answers not given."""
        usual = self._usual()
        return (
            "If a wrong answer costs as much as two answers not given "
            f"(r = {_USUAL:g}), {usual.what} is cheapest: {rate(usual.error)} of all "
            f"items wrong, {rate(usual.nonreturn)} not answered."
        )

    def figures(self) -> Iterator[Figure]:
        """The rates of what is cheapest at the price that the sentence is about."""
        usual = self._usual()
        cost = usual.error + _USUAL * usual.nonreturn
        values = (usual.error, usual.nonreturn, cost)
        for kind, value in zip(self.KINDS, values, strict=True):
            yield Figure(kind, value, of=usual.system or "")

    def figures_for(self, gate: Gate) -> Iterator[Figure]:
        """As in `figures`: what a gate holds is what the sentence says."""
        del gate
        return self.figures()

    def _usual(self) -> Price:
        return next(price for price in self if price.low <= _USUAL < price.high)

    def tables(self) -> Sequence[Table]:
        """A row for each range of prices."""
        return [_prices_table(self)]


def _prices_table(prices: Sequence[Price]) -> Table:
    columns = (
        Column("system", explained="- is nobody's"),
        Column(
            *("low", "from r", "number"),
            "r, the cost of a non-return over the cost of an error",
        ),
        Column("high", "to below r", "number", "inf is without end"),
        Column("choice", "do", explained="what is cheapest there"),
        Column("cutoff", cells="value", explained="the least confidence to answer"),
        Column("nonreturn", cells="share", explained="not answered / all items"),
        Column("error", cells="share", explained="wrong or ungraded / all items"),
    )
    return Table.of("", columns, prices)


def price_list(curves: Sequence[Curve]) -> PriceList:
    """Which system, at which cutoff, is cheapest at which price of a non-return.

    Every system enters with its curve, if it gives confidences, and with its operating
    point, as it decides itself; never to answer is on offer too, whatever the systems
    are. The answer is the lower convex hull of all of these.

    Parameters
    ----------
    curves : sequence of Curve
        Judged on the same items, which curves do not know: see `different_items`.

    Returns
    -------
    PriceList
        Of `Price`, from dear non-returns (answer much) to cheap ones (answer little).

    Examples
    --------
    >>> import demur
    >>> curve = demur.error_return(demur.Outcomes.from_arrays(
    ...     correct=[True, True, False, False], confidence=[0.9, 0.4, 0.5, 0.1]))
    >>> for price in demur.price_list([curve]):
    ...     print(price.low, price.high, price.cutoff, price.nonreturn, price.error)
    1.0 inf 0.1 0.0 0.5
    0.5 1.0 0.4 0.25 0.25
    0.0 0.5 0.9 0.75 0.0
    """
    curves = checks.all_of_kind("price_list", "curves", curves, Curve)
    nobody = Price(0.0, np.inf, None, NEVER, None, 1.0, 0.0)
    points = [nobody]
    points += [point for curve in curves for point in _points(curve)]
    points.sort(key=lambda point: (point.nonreturn, point.error))
    nonreturn = np.array([point.nonreturn for point in points])
    error = np.minimum.accumulate([point.error for point in points])
    lower = np.append(True, error[1:] < error[:-1])  # cheaper than all to its left
    chosen = np.flatnonzero(lower)
    hull = chosen[counting.convex(nonreturn[chosen], error[chosen])]
    slope = np.diff(-error[hull]) / np.diff(nonreturn[hull])
    high = np.append(np.inf, slope)
    low = np.append(slope, 0.0)
    recipe = joined_recipes(curve.recipe for curve in curves)
    recipe |= {
        "prices": "lower convex hull",
        "systems": str(len(curves)),
        "n": ", ".join(dict.fromkeys(str(curve.items) for curve in curves)),
    }
    prices = [
        replace(points[row], low=float(low[i]), high=float(high[i]), recipe=recipe)
        for i, row in enumerate(hull)
    ]
    notes = dict.fromkeys(note for curve in curves for note in curve.notes)
    return PriceList(prices, notes=(SAME_DATA, *notes), recipe=recipe)


def _points(curve: Curve) -> list[Price]:
    """Where a system can stand: the hull of its curve, and its own decisions."""
    found = [("own decisions", curve.operating_point)]
    if curve.ladder is not None:
        hull = counting.lower_hull(curve.ladder, curve.totals)
        at = [vertex_at(curve, int(each)) for each in hull.position]
        # First, so that a cutoff is named where both do the same.
        found = [("cutoff", point) for point in at] + found
    return [
        Price(
            low=0.0,
            high=np.inf,
            system=curve.system,
            choice=choice,
            cutoff=point.cutoff if choice == "cutoff" else None,
            nonreturn=point.nonreturn,
            error=point.bounds[1],
        )
        for choice, point in found
    ]


def different_items(outcomes: Outcomes) -> str | None:
    """What to say of systems that were judged on different items; None if nothing.

    Parameters
    ----------
    outcomes : Outcomes
        Of any number of systems and settings.

    Examples
    --------
    >>> import demur
    >>> both = demur.Outcomes.from_arrays(
    ...     item=["q1", "q2", "q1"], system=["a", "a", "b"], correct=[1, 0, 1])
    >>> print(demur.different_items(both)[:69])
    systems are judged on different items: 1 in common (a has 2, b has 1)
    """
    check_rows("different_items", outcomes)
    sets = {name: set(part.item.tolist()) for name, part in named_parts(outcomes)}
    common = set.intersection(*sets.values())
    if all(len(items) == len(common) for items in sets.values()):
        return None
    shown_sets = [f"{name or 'nameless'} has {len(sets[name])}" for name in sets]
    more = f", {len(sets) - 5} more" if len(sets) > 5 else ""
    return (
        f"systems are judged on different items: {len(common)} in common "
        f"({', '.join(shown_sets[:5])}{more}); which is cheapest may be owed to the "
        "items, not to the system"
    )
