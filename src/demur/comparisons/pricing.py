"""Which system, at which cutoff, is cheapest at which price of a non-return."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from demur import checks
from demur.arrays import plain
from demur.comparisons.held_out_costs import LEVEL, HeldOutItems, HeldOutRates
from demur.curves import counting
from demur.curves.curve_kinds import FAILURES, failures_figures
from demur.curves.curves import Curve, vertex_at
from demur.decisions.choice_tables import NEVER, SAME_DATA
from demur.errors import InputError
from demur.outcomes.parts import check_rows, named_parts
from demur.outcomes.reasons import failures_text, with_failures
from demur.outcomes.table import Outcomes
from demur.results import (
    Column,
    Contender,
    Figure,
    FigureKind,
    Result,
    Results,
    Standings,
    Table,
    joined_recipes,
    rate,
)
from demur.results.gates import NAMELESS
from demur.results.several import NO_COMMON_ITEM, common_items, items_note
from demur.results.text import significant

_USUAL: Final = 0.5
"""The price that the answer is about: an error costs two answers not given."""

_MOST_NAMES: Final = 3
"""So many who may be as cheap are named; of more, their number is told."""

MOST_TESTED: Final = 50
"""Of more systems only those that are cheapest somewhere are tested."""

UNTESTED: Final = (
    "whether the others are dearer beyond luck is not tested on the data that the "
    "cheapest was chosen on; give held-out data for that"
)


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
    also : tuple of str
        Other systems that do as well there, with a cutoff or decisions of their own.
    held_out : HeldOutRates or None
        Its rates on held-out items, and who is not dearer there beyond luck.
    """

    low: float
    high: float
    system: str | None
    choice: str
    cutoff: float | None
    nonreturn: float
    error: float
    recipe: Mapping[str, str] = field(default_factory=dict)
    also: tuple[str, ...] = ()
    held_out: HeldOutRates | None = None

    def sentence(self) -> str:
        """From which price to which, what is cheapest."""
        end = "" if np.isinf(self.high) else f" to below {self.high:.4g}"
        also = f" (so {_do(self.also)})" if self.also else ""
        return (
            f"From r = {self.low:.4g}{end}, {self.what} is cheapest{also}: "
            f"{_rates(self)}.{_held_out_text(self)}"
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

    @property
    def also_names(self) -> str:
        """Who does as well there."""
        return ", ".join(self.also)

    @property
    def rivals(self) -> str | None:
        """Who is not dearer beyond luck on held-out items."""
        if self.held_out is None or self.held_out.rivals is None:
            return None
        return _few(self.held_out.rivals) or "nobody"

    def tables(self) -> list[Table]:
        """The range in one row, and in one on held-out items."""
        return _prices_tables([self])

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
            "also": list(self.also),
            **({} if self.held_out is None else {"held_out": self.held_out.to_dict()}),
        }


def _rates(rates: "Price | HeldOutRates") -> str:
    return (
        f"{rate(rates.error)} of all items wrong, {rate(rates.nonreturn)} not answered"
    )


def _held_out_text(price: Price) -> str:
    """What it costs on held-out items, and who is not dearer; a line of its own."""
    held_out = price.held_out
    if held_out is None:
        return ""
    line = (
        f"\nOn held-out items {price.what} costs {significant(held_out.cost)} per item "
        f"at r = {held_out.price:.4g}: {_rates(held_out)}"
    )
    if held_out.rivals is None:
        return f"{line}. Whether others are dearer there beyond luck is not tested."
    if not held_out.rivals:
        return f"{line}. All others are dearer there beyond luck."
    return f"{line}. Not dearer there beyond luck: {_few(held_out.rivals)}."


def _few(names: Sequence[str]) -> str:
    """Names, or how many there are."""
    return ", ".join(names) if len(names) <= _MOST_NAMES else f"{len(names)} others"


def _do(names: Sequence[str]) -> str:
    """Who does as well: "do a and b", by name if they are few."""
    if len(names) > 2:
        return f"are {len(names)} other systems"
    return f"{'is' if len(names) == 1 else 'are'} {' and '.join(names)}"


class PriceList(Results[Price]):
    """What is cheapest at which price, from dear non-returns to cheap ones.

    A tuple of `Price`.

    Parameters
    ----------
    prices : iterable of Price
        Ranges of prices that meet, from dear non-returns to cheap ones.
    notes : sequence of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    standings : sequence of Contender
        What each system, and silence, costs at least at the price that the sentence is
        about.
    common : int or None
        How many items all systems have in common, where not all have the same.
    failed, failed_held_out : mapping of system to (int, int)
        How many of its items failed, of how many; of the held-out ones, if there are.
    """

    PLURAL = "prices"
    KINDS = (
        FigureKind("error", f"the error of what is cheapest at r = {_USUAL:g}"),
        FigureKind("nonreturn", f"the nonreturn of what is cheapest at r = {_USUAL:g}"),
        FigureKind("cost", f"error + {_USUAL:g} x nonreturn of what is cheapest"),
        *FAILURES,
    )

    notes: tuple[str, ...] = ()
    standings: tuple[Contender, ...] = ()
    common: int | None = None
    failed: Mapping[str, tuple[int, int]] = MappingProxyType({})
    failed_held_out: Mapping[str, tuple[int, int]] = MappingProxyType({})

    def sentence(self) -> str:
        """What is cheapest if an error costs as much as two answers not given."""
        text = self._cheapest() + _held_out_text(self._usual())
        return with_failures(self.failed, text, held_out=self.failed_held_out)

    def _cheapest(self) -> str:
        usual = self._usual()
        start = (
            f"If a wrong answer costs as much as two answers not given (r = {_USUAL:g})"
        )
        ranking = Standings(self.standings)
        who = ranking.who("is cheapest", "are cheapest", "the least cost")
        if self.common == 0:
            systems = Standings(one for one in self.standings if one.name != NEVER)
            costs = systems.listed("{} costs {} per item", "{} {}")
            return f"{NO_COMMON_ITEM}: i{start[1:]}, {costs}."
        if ranking.rivals:
            costs = ranking.rivals_text("{} costs {} per item", "{} {}")
            return f"{start}, {who}: {costs}, as ungraded answers are."
        if len(ranking.best) > 1:
            return f"{start}, {who}: {ranking.value} per item each."
        return f"{start}, {usual.what} is cheapest: {_rates(usual)}."

    def figures(self) -> Iterator[Figure]:
        """The rates of what is cheapest at the price that the sentence is about.

        On held-out items, if there are any.
        """
        usual = self._usual()
        honest = usual.held_out or usual
        cost = honest.error + _USUAL * honest.nonreturn
        error = None if honest.nonreturn == 1 else honest.error
        values = (error, honest.nonreturn, cost)
        for kind, value in zip(self.KINDS, values, strict=False):
            why = "nothing is answered"
            yield Figure(kind, value, of=usual.system or "", why_undefined=why)
        yield from failures_figures(self.failed_held_out or self.failed)

    def _usual(self) -> Price:
        return next(price for price in self if price.low <= _USUAL < price.high)

    def tables(self) -> list[Table]:
        """A row for each range of prices; on held-out items too."""
        return _prices_tables(self)


def _prices_tables(prices: Sequence[Price]) -> list[Table]:
    also = any(price.also for price in prices)
    columns = (
        *_RANGE,
        Column("high", "to below r", "number", "inf is without end"),
        *([Column("also", explained=_ALSO, of="also_names")] if also else []),
        Column("choice", "do", explained="what is cheapest there"),
        Column("cutoff", cells="value", explained="the least confidence to answer"),
        Column("nonreturn", cells="share", explained="not answered / all items"),
        Column("error", cells="share", explained="wrong or ungraded / all items"),
    )
    tables = [Table.of("", columns, prices)]
    if any(price.held_out for price in prices):
        tables.append(Table.of("On held-out items", _HELD_OUT, prices))
    return tables


_RANGE: Final = (
    Column("system", explained="- is nobody's"),
    Column(
        *("low", "from r", "number"),
        "r, the cost of a non-return over the cost of an error",
    ),
)

_HELD_OUT: Final = (
    *_RANGE,
    Column(
        *("nonreturn", "nonreturn", "share", "not answered / all items"),
        of="held_out.nonreturn",
    ),
    Column(
        *("error", "error", "share", "wrong or ungraded / all items"),
        of="held_out.error",
    ),
    Column(
        *("price", "at r", "number", "where costs are compared"), of="held_out.price"
    ),
    Column(
        *("cost", "cost", "number", "error + r x nonreturn there"), of="held_out.cost"
    ),
    Column(
        "rivals",
        "not dearer",
        explained=f"beyond luck: the {100 * LEVEL:g} % interval of the difference of "
        "costs there holds 0 or less",
    ),
)

_ALSO: Final = "who does as well there, with a cutoff or decisions of its own"


def price_list(
    curves: Sequence[Curve], *, held_out: Outcomes | None = None
) -> PriceList:
    """Which system, at which cutoff, is cheapest at which price of a non-return.

    Every system enters with its curve, if it gives confidences, and with its operating
    point, as it decides itself; never to answer is on offer too, whatever the systems
    are. The answer is the lower convex hull of all of these.

    Parameters
    ----------
    curves : sequence of Curve
        Judged on the same items, which curves do not know: see `different_items`.
    held_out : Outcomes, optional
        Of the same systems, with items that had no part in the curves: what each choice
        costs there, and who else is not dearer beyond luck. Without, costs are those
        of the data that was chosen on, which are too good.

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
    if not curves:
        raise InputError("price_list", "curves", "hold at least one curve", "none")
    failed = {curve.system: (curve.failed, curve.items) for curve in curves}
    curves = [curve for curve in curves if not curve.gave_nothing]
    if not curves:
        need, got = "hold one that answers anything", failures_text(failed)
        raise InputError("price_list", "curves", need, got.removesuffix("."))
    offers = [(_NOBODY, Fraction(1), Fraction(0))]
    offers += [offer for curve in curves for offer in _offers(curve)]
    offers.sort(key=lambda offer: (offer[0].nonreturn, offer[0].error))
    points = [point for point, _, _ in offers]
    nonreturn = np.array([point.nonreturn for point in points])
    error = np.minimum.accumulate([point.error for point in points])
    lower = np.append(True, error[1:] < error[:-1])  # cheaper than all to its left
    chosen = np.flatnonzero(lower)
    hull = chosen[counting.convex(nonreturn[chosen], error[chosen])]
    rows, slope = _exact_hull([(row, *offers[row][1:]) for row in hull.tolist()])
    recipe = joined_recipes(curve.recipe for curve in curves)
    recipe |= {
        "prices": "lower convex hull",
        "systems": str(len(curves)),
        "n": ", ".join(dict.fromkeys(str(curve.items) for curve in curves)),
    }
    prices = [
        replace(
            points[row], low=low, high=high, recipe=recipe, also=_also(points, chosen)
        )
        for row, low, high in zip(rows, [*slope, 0.0], [np.inf, *slope], strict=True)
        for chosen in [points[row]]
    ]
    standings = [Contender(NEVER, _USUAL, _USUAL), *map(_usual_cost, curves)]
    notes = dict.fromkeys(note for curve in curves for note in curve.notes)
    if held_out is not None:
        judged = _judged(prices, curves, held_out, (notes, recipe, standings))
        judged.failed = failed
        return judged
    untested = [UNTESTED] if len(curves) > 1 else []
    return PriceList(
        prices,
        notes=(SAME_DATA, *untested, *notes),
        recipe=recipe,
        standings=standings,
        failed=failed,
    )


_NOBODY: Final = Price(0.0, np.inf, None, NEVER, None, 1.0, 0.0)


def _exact_hull(
    offers: Sequence[tuple[int, Fraction, Fraction]],
) -> tuple[list[int], list[float]]:
    """The rows of those that are cheapest somewhere, and the prices between them.

    Differences of rounded rates would put a price beside the one that it is.
    """
    kept: list[tuple[int, Fraction, Fraction]] = []
    slopes: list[Fraction] = []
    for offer in offers:
        while kept:
            slope = (kept[-1][2] - offer[2]) / (offer[1] - kept[-1][1])
            if not slopes or slope < slopes[-1]:
                slopes.append(slope)
                break
            kept.pop()
            slopes.pop()
        kept.append(offer)
    return [row for row, _, _ in kept], [float(slope) for slope in slopes]


def _judged(
    prices: Sequence[Price],
    curves: Sequence[Curve],
    held_out: Outcomes,
    beside: tuple[Mapping[str, None], Mapping[str, str], Sequence[Contender]],
) -> PriceList:
    """The list with what each range costs on held-out items."""
    notes, recipe, standings = beside
    names = [curve.system for curve in curves]
    items = HeldOutItems(held_out, names)
    tested = curves
    if len(curves) > MOST_TESTED:
        best = {price.system for price in prices}
        tested = [curve for curve in curves if curve.system in best]
    places = {curve.system: [p for p, _, _ in _offers(curve)] for curve in tested}
    judged = []
    for price in prices:
        at = _compared_at(price)
        others: list[tuple[str, Price]] = [
            (name or NAMELESS, min(offers, key=lambda p: p.error + at * p.nonreturn))
            for name, offers in places.items()
            if name != price.system
        ]
        if price.system is not None:
            others.append((NEVER, _NOBODY))
        judged.append(replace(price, held_out=items.judged(price, at, others)))
    more = [f"judged on {items.n_items} held-out items"]
    if items.why_untested:
        more.append(f"costs are not compared: {items.why_untested}")
    elif len(tested) < len(curves):
        more.append(
            f"of more than {MOST_TESTED} systems only the cheapest are compared"
        )
    return PriceList(
        judged,
        notes=(*more, *notes),
        recipe={**recipe, "held_out": f"{items.n_items} items"},
        standings=standings,
        failed_held_out={
            name: (int(part.failed.sum()), len(part))
            for name, part in named_parts(held_out)
            if name in names
        },
    )


def _compared_at(price: Price) -> float:
    """The usual price, or the middle of the range up to 1, or where it begins."""
    if price.low <= _USUAL < price.high:
        return _USUAL
    return price.low if price.low >= 1 else (price.low + min(price.high, 1.0)) / 2


def _also(points: Sequence[Price], chosen: Price) -> tuple[str, ...]:
    """Other systems that can stand where the chosen one does."""
    if chosen.system is None:
        return ()
    names = dict.fromkeys(
        point.system
        for point in points
        if point.system not in (None, chosen.system)
        and math.isclose(point.nonreturn, chosen.nonreturn, abs_tol=1e-12)
        and math.isclose(point.error, chosen.error, abs_tol=1e-12)
    )
    return tuple(name for name in names if name is not None)


def _usual_cost(curve: Curve) -> Contender:
    """The least cost of a system at the usual price, whatever ungraded answers are."""
    points = [point for point, _, _ in _offers(curve)]
    high = min(point.error + _USUAL * point.nonreturn for point in points)
    low = high
    if curve.totals.ungraded:
        decided = curve.operating_point
        low = decided.bounds[0] + _USUAL * decided.nonreturn
        if curve.ladder is not None:
            low = min(low, float((curve.error + _USUAL * curve.nonreturn).min()))
    return Contender(curve.system or "the system", low, high)


def _offers(curve: Curve) -> list[tuple[Price, Fraction, Fraction]]:
    """Where a system can stand: the hull of its curve, and its own decisions.

    With the nonreturn and the error before they were rounded.
    """
    places = [("own decisions", curve.operating_point)]
    if curve.ladder is not None:
        hull = counting.lower_hull(curve.ladder, curve.totals)
        at = [vertex_at(curve, int(position)) for position in hull.position]
        # First, so that a cutoff is named where both do the same.
        places = [("cutoff", point) for point in at] + places
    return [
        (
            Price(
                low=0.0,
                high=np.inf,
                system=curve.system,
                choice=choice,
                cutoff=point.cutoff if choice == "cutoff" else None,
                nonreturn=point.nonreturn,
                error=point.bounds[1],
            ),
            _exact(point.nonreturn, curve.totals.weight),
            _exact(point.bounds[1], curve.totals.weight),
        )
        for choice, point in places
    ]


def _exact(share: float, whole: Any) -> Fraction:
    """A share of a whole number as it was before it was rounded."""
    if isinstance(whole, int) and whole < _LARGEST:
        return Fraction(round(share * whole), whole)
    return Fraction(share)


_LARGEST: Final = 2**50  # of whole numbers whose shares can be told apart


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
    items = {name: part.item.tolist() for name, part in named_parts(outcomes)}
    sizes = [f"{name or 'nameless'} has {len(set(items[name]))}" for name in items]
    more = f", {len(sizes) - 5} more" if len(sizes) > 5 else ""
    listed = f" ({', '.join(sizes[:5])}{more})"
    common = common_items(list(items.values()))
    return items_note(common, "which is cheapest", sizes=listed) or None
