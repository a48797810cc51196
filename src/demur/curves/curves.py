"""The error-return curve: errors against non-returns over every cutoff.

The definitions are those of R. Artstein, "Error Return Plots" (2011), section 3, with
ties, weights, partial credit, items without a guess and unanswerable items worked out
in the documentation ("Definitions").
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from demur.arrays import Flags, Floats, Numbers, Positions, frozen
from demur.checks import choice, decimal_fraction
from demur.curves import counting
from demur.curves.counting import Ladder, Totals
from demur.curves.curve_kinds import CURVE_KINDS, LookedUpFigures
from demur.curves.rates import (
    COUNTS,
    NOTHING_ANSWERED,
    RATES,
    READINGS,
    Area,
    Point,
    Split,
    Vertices,
    amounts_at,
    area_under,
    at_cutoff,
    at_error,
    at_nonreturn,
    curves_table,
    error_text,
    exact,
    operating_point,
    sentence_about,
)
from demur.errors import InputError, UndefinedRate, shown
from demur.outcomes.fields import UNANSWERED, UNGRADED, in_parts, system_alone
from demur.outcomes.reasons import with_failures
from demur.results import FigureKind, Table, between, span

USUAL: Final = 0.2
"""The nonreturn at which errors are shown unless another is asked for."""

_NOTHING = np.empty(0), np.empty(0, np.int64)


@dataclass(frozen=True, eq=False, repr=False)
class Curve(LookedUpFigures):
    """The error-return curve of one system.

    Made by `demur.error_return`. The arrays run from forced choice (left) to silence.

    Parameters
    ----------
    system : str
        The system's name; with a setting or a group if the curve is of a part.
    totals : Totals
        Counts and sums over all items.
    ladder : Ladder or None
        Ranked guesses; None for a system without confidences, which has an operating
        point but no curve.
    operating_point : Point
        Where the system stands by its own decisions; it may lie off the curve.
    unanswerable : tuple (confidences, weights)
        Guesses at unanswerable items.
    recipe : mapping
        Where the outcomes come from, for the signature.
    notes : tuple of str
        What a reader must know, such as confidences that were ignored.
    kinds : mapping of str to int
        Why items were not answered, where that is known, and how often.
    failed : int
        How many items failed, of those without a guess.
    group : mapping of str to str
        What the items have in common, by column, if the curve is of a part: the
        setting, and the groups that were asked for.
    """

    KINDS: ClassVar[tuple[FigureKind, ...]] = CURVE_KINDS

    system: str
    totals: Totals
    ladder: Ladder | None
    operating_point: Point
    unanswerable: tuple[Floats, Numbers] = field(repr=False)
    recipe: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    kinds: Mapping[str, int] = field(default_factory=dict)
    failed: int = 0
    group: Mapping[str, str] = field(default_factory=dict)

    # -- arrays -------------------------------------------------------------------

    @cached_property
    def vertices(self) -> Vertices:
        """All vertices: one per distinct confidence of a guess, then silence."""
        return self._rates(self.ladder.vertices() if self.ladder else None)

    @cached_property
    def corners(self) -> Vertices:
        """The vertices that shape the curve: the ends of each block with an error."""
        return self._rates(self.ladder.corners() if self.ladder else None)

    @property
    def cutoff(self) -> Floats:
        """Cutoffs of the vertices, shape (n_vertices,); NaN, the last, is silence."""
        return self.vertices.cutoff

    @property
    def nonreturn(self) -> Floats:
        """Items not answered / all items, shape (n_vertices,)."""
        return self.vertices.nonreturn

    @property
    def error(self) -> Floats:
        """Loss of answered items / all items, shape (n_vertices,)."""
        return self.vertices.error

    @property
    def missed(self) -> Floats:
        """Credit of withheld guesses / all items, shape (n_vertices,)."""
        return self.vertices.missed

    @property
    def right(self) -> Floats:
        """Credit of answered items / all items, shape (n_vertices,)."""
        return self.vertices.right

    @property
    def ungraded(self) -> Floats:
        """Answered items that nobody could judge / all items, shape (n_vertices,)."""
        return self.vertices.ungraded

    @cached_property
    def split(self) -> Split:
        """What becomes of the inputs at every vertex.

        Examples
        --------
        >>> import demur
        >>> outcomes = demur.Outcomes.from_arrays(
        ...     correct=[True, False, True, None], confidence=[0.9, 0.7, 0.4, None])
        >>> demur.error_return(outcomes).split.avoided
        array([0.  , 0.  , 0.25, 0.25])
        """
        all_, total = self.vertices, self.totals
        withheld = lost = np.zeros(len(all_), np.int64)
        if self.ladder:
            above = counting.answered(*self.unanswerable, all_.cutoff[:-1])
            withheld = above[0] - above
            lost = self.ladder.loss[self.ladder.blocks_before(self.ladder.vertices())]
        ratio = self._ratio
        return Split(
            cutoff=all_.cutoff,
            nonreturn=all_.nonreturn,
            right=all_.right,
            error=all_.error,
            missed=all_.missed,
            avoided=ratio(total.loss - lost - withheld),
            correct_decline=ratio(total.no_guess_unanswerable + withheld),
            no_guess=ratio(0 * withheld + total.no_guess - total.no_guess_unanswerable),
            ungraded=ratio(0 * withheld + total.unclear),
        )

    def _ratio(self, amounts: Numbers) -> Floats:
        """Amounts over all weight; rounding never leaves [0, 1]."""
        rates: Floats = amounts / self.totals.weight
        if amounts.dtype.kind == "f":
            np.clip(rates, 0.0, 1.0, out=rates)
        frozen(rates)
        return rates

    def _rates(self, position: Positions | None) -> Vertices:
        if self.ladder is None or position is None:
            return Vertices(*[frozen(np.empty(0)) for _ in range(6)])
        ranked = self.ladder.ranked
        cutoff = np.empty(len(position), ranked.dtype)
        ranked.take(position[:-1], out=cutoff[:-1], mode="clip")
        cutoff[-1] = np.nan
        rates = [np.empty(len(position)) for _ in range(5)]
        for at in range(0, len(position), counting.CHUNK):
            some = slice(at, at + counting.CHUNK)
            amounts = amounts_at(self.ladder, self.totals, position[some])
            for rate, amount in zip(rates, amounts, strict=True):
                rate[some] = self._ratio(amount)
        return Vertices(*map(frozen, (cutoff, *rates)))

    # -- numbers ------------------------------------------------------------------

    @property
    def items(self) -> int:
        """How many items there are, answered or not."""
        return self.totals.items

    @property
    def start(self) -> float:
        """Nonreturn at the left end: weight of items without a guess / all weight."""
        return float(self.totals.no_guess / self.totals.weight)

    @property
    def forced_choice_error(self) -> tuple[float, float]:
        """Least and greatest error if every item had to be answered.

        Missing guesses at unanswerable items are errors whatever they would be; those
        at answerable items, and ungraded guesses, may be right or wrong.
        """
        total = self.totals
        low = total.loss + total.no_guess_unanswerable
        high = total.loss + total.no_guess + total.unclear
        return float(low / total.weight), float(high / total.weight)

    @cached_property
    def crossing(self) -> float | None:
        """Nonreturn where missed chance first equals error, in the linear reading.

        There as many inputs are declined as the system would get wrong. Without
        ungraded items it lies at start + error at the start; None without a curve.

        References
        ----------
        Artstein (2011), section 5, leaves the meaning of the point open.
        """
        ladder, total = self.ladder, self.totals
        if ladder is None:
            return None
        # missed = error where withheld + ungraded = weight - credit.
        corner = ladder.corners()
        gone = total.no_guess + ladder.withheld(corner)
        level = gone + ladder.ungraded[ladder.blocks_before(corner)]
        goal = total.weight - total.credit
        # Of rounded sums, a level that lies that little below is still equal.
        slack = 1e-12 * total.weight if isinstance(goal, float) else 0
        after = int(np.searchsorted(level, goal - slack, "left"))
        weight = exact(total.weight)
        if after == 0 or after == len(level):
            return float(Fraction(exact(gone[min(after, len(level) - 1)])) / weight)
        (left, right), (low, high) = (
            map(exact, rising[after - 1 : after + 1]) for rising in (gone, level)
        )
        share = min(Fraction(exact(goal) - low) / (high - low), Fraction(1))
        return float((left + share * (right - left)) / weight)

    def area(self) -> Area:
        """Area under the curve, with bounds for what it does not show.

        Returns
        -------
        Area
            Without missing guesses, ungraded items, weights and partial credit the
            value equals AUGRC.

        Raises
        ------
        UndefinedRate
            If the system gives no confidences.

        References
        ----------
        Traub et al. (2024), "Overcoming common flaws in the evaluation of selective
        classification systems", arXiv 2407.01032.

        Examples
        --------
        >>> import demur
        >>> outcomes = demur.Outcomes.from_arrays(
        ...     correct=[True, False, True, True], confidence=[0.9, 0.8, 0.7, 0.6])
        >>> demur.error_return(outcomes).area().value
        0.15625
        """
        ladder, total = self._ladder_for("area"), self.totals
        weight = total.weight
        observed = area_under(ladder, ladder.loss, weight)
        extra = area_under(ladder, ladder.ungraded, weight) if total.unclear else 0.0
        start, unanswerable = self.start, total.no_guess_unanswerable / weight
        error, unclear = total.loss / weight, total.unclear / weight
        low = observed + start * error + unanswerable**2 / 2
        high = observed + extra + start * (error + unclear) + start**2 / 2
        exact = not total.unclear and total.no_guess == total.no_guess_unanswerable
        return Area(low if exact else None, observed, low, low if exact else high)

    # -- look-ups -----------------------------------------------------------------

    def at(
        self,
        *unnamed: object,
        nonreturn: float | None = None,
        error: float | None = None,
        cutoff: float | None = None,
        how: str = "linear",
    ) -> Point:
        """The point at a nonreturn rate, at an error rate, or at a cutoff.

        Parameters
        ----------
        nonreturn, error, cutoff : float
            Exactly one of them. Rates are read as the decimals they print as. An
            error asks for the least nonreturn at which the error is that low.
        how : {"linear", "at_most", "at_least"}
            Between vertices: ``linear`` answers the tied block at random in part;
            ``at_most`` and ``at_least`` take the nearest vertex at which the rate
            that was asked for is at most or at least the wanted one. A cutoff is
            always exact.

        Returns
        -------
        Point
            Left of the curve's start its error is None, with bounds.

        Raises
        ------
        UndefinedRate
            If the system gives no confidences, or no vertex has so high an error.
        InputError
            If not exactly one rate is asked for, or it is not from 0 to 1.

        Examples
        --------
        >>> import demur
        >>> outcomes = demur.Outcomes.from_arrays(
        ...     correct=[True, False, False, True], confidence=[0.9, 0.7, 0.7, 0.4])
        >>> curve = demur.error_return(outcomes)
        >>> curve.at(nonreturn=0.5).error
        0.25
        >>> curve.at(nonreturn=0.5).between
        (0.7, 0.9, 0.5)
        >>> curve.at(nonreturn=0.5, how="at_least").error
        0.0
        """
        if unnamed:
            need = "be named: nonreturn=0.2, error=0.1 or cutoff=0.7"
            raise InputError("curve.at", "the rate", need, shown(unnamed[0]))
        choice("at", "how", how, READINGS)
        wanted = {"nonreturn": nonreturn, "error": error, "cutoff": cutoff}
        given = [name for name, value in wanted.items() if value is not None]
        if len(given) != 1:
            need = "name exactly one of nonreturn, error, cutoff"
            raise InputError("at", "the arguments", need, " and ".join(given) or "none")
        ladder = self._ladder_for("at")
        if cutoff is not None:
            return at_cutoff(ladder, self.totals, cutoff)
        if error is not None:
            rate = decimal_fraction("at", "error", error)
            return at_error(ladder, self.totals, rate, how)
        rate = decimal_fraction("at", "nonreturn", nonreturn)
        return at_nonreturn(ladder, self.totals, rate, how)

    def _ladder_for(self, where: str) -> Ladder:
        if self.ladder is None:
            why = "gives no confidences, so it has an operating point but no curve."
            why += " Use .operating_point."
            if self.gave_nothing:
                failed = f"{self.failed} of {self.items} requests failed."
                why = f"answered nothing: {failed}"
            raise UndefinedRate(f"{self.system or 'the system'} {why}", where=where)
        return self.ladder

    # -- output -------------------------------------------------------------------

    @property
    def gave_nothing(self) -> bool:
        """Whether there is no guess at all, and not because all was declined."""
        return self.failed > 0 and self.totals.unanswered == self.items

    @property
    def system_alone(self) -> str:
        """The system's name without the group."""
        return system_alone(self.system, self.group)

    def _value(self, name: str, look_up: tuple[str, float] | None) -> tuple[Any, ...]:
        """A figure, and its bounds if it has any."""
        failed = {"failed": self.failed, "failed_rate": self.failed / self.items}
        if name in ("missed", "wrong") and self.totals.unanswered == self.items:
            raise UndefinedRate(NOTHING_ANSWERED)
        if name in (*COUNTS, *failed):
            return failed.get(name, getattr(self.totals, name, None)), None, None
        if name == "area":
            area = self.area()
            return area.value, area.low, area.high
        if name == "forced_choice_error":
            low, high = self.forced_choice_error
            return low if low == high else None, low, high
        point = self.operating_point
        if look_up is not None:
            point = self.at(**dict([look_up]))  # type: ignore[arg-type]
        if name == "error":
            if point.nonreturn == 1:
                raise UndefinedRate(NOTHING_ANSWERED)
            return point.error, *point.bounds
        return getattr(point, name), None, None

    def look_up(self, nonreturn: float, how: str = "linear") -> Point | None:
        """The point at a nonreturn rate; None for a system without a curve."""
        return None if self.ladder is None else self.at(nonreturn=nonreturn, how=how)

    def sentence(self, nonreturn: float = USUAL, how: str = "linear") -> str:
        """The error if some may be declined, read as by `at`, and if none may."""
        failed = {"": (self.failed, self.items)}
        return with_failures(failed, self.answer(nonreturn, how))

    def answer(self, nonreturn: float = USUAL, how: str = "linear") -> str:
        """The same sentence, where what failed has been said."""
        point, name = self.look_up(nonreturn, how), self.system or "the system"
        if self.gave_nothing:
            return sentence_about(name, "{} answered nothing, so it has no error.")
        ends, failed = self.forced_choice_error, self.failed > 0
        decided = self.operating_point
        text = error_text(nonreturn, point, decided, ends, self.start, failed=failed)
        return in_parts(sentence_about(name, text), self.notes)

    def row(self, at: Sequence[float], how: str) -> tuple[Any, ...]:
        """What stands in the table of curves: see `curves_table`."""
        points = [self.look_up(nonreturn, how) for nonreturn in at]
        area, decided = self.area() if self.ladder else None, self.operating_point
        decisions = decided.nonreturn, between(*decided.bounds)
        return (
            *(self.system_alone or None, *self.group.values()),
            *(None if point is None else between(*point.bounds) for point in points),
            between(*self.forced_choice_error),
            None if area is None else between(area.low, area.high),
            *((None, None) if self.gave_nothing else decisions),
            *(getattr(self.totals, name) for name in COUNTS),
            self.failed,
        )

    @property
    def decides(self) -> bool:
        """Whether the system decides itself what to decline."""
        return self.ladder is None or self.operating_point.nonreturn != self.start

    def tables(self) -> tuple[Table]:
        """Errors, area and counts in one row; `vertices` and `split` have tables."""
        rows, groups = [self.row([USUAL], "linear")], list(self.group)
        return (curves_table(rows, groups, [USUAL], "linear", decides=self.decides),)

    def to_dict(
        self, *, points: str = "all", at: Sequence[Point] = ()
    ) -> dict[str, Any]:
        """The curve as plain values for JSON.

        Parameters
        ----------
        points : {"all", "corners", "none"}
            Which vertices to list.
        at : sequence of Point
            Look-ups to list beside them.
        """
        choice("to_dict", "points", points, ["all", "corners", "none"])
        listed = {"all": "vertices", "corners": "corners"}.get(points)
        operating = self.operating_point
        return {
            "system": self.system,
            **{name: getattr(self.totals, name) for name in COUNTS},
            "failed": self.failed,
            "kinds": dict(self.kinds),
            "forced_choice_error": list(self.forced_choice_error),
            "start": self.start,
            "crossing": self.crossing,
            "area": self.area().to_dict() if self.ladder else None,
            "operating_point": {name: getattr(operating, name) for name in RATES},
            "points": getattr(self, listed).to_list() if listed else [],
            **({"group": dict(self.group)} if self.group else {}),
            "at": [point.to_dict() for point in at],
            "notes": list(self.notes),
            "signature": self.signature,
        }

    def __repr__(self) -> str:
        total = self.totals
        name = f"{self.system!r}: " if self.system else ""
        head = (
            f"Curve({name}{total.items} items, {total.right} right, "
            f"{total.wrong} wrong, {total.unanswered} unanswered, "
            f"{total.ungraded} ungraded; "
        )
        if self.ladder is None:
            decided = self.operating_point
            return (
                head
                + f"error {decided.error:.4g} at nonreturn {decided.nonreturn:.4g})"
            )
        area = self.area()
        forced, whole = (
            span(*ends, digits=4, form="g")
            for ends in (self.forced_choice_error, (area.low, area.high))
        )
        return head + f"forced-choice error {forced}, area {whole})"


def build_curve(
    outcome: npt.NDArray[np.uint8],
    *,
    confidence: Floats | None = None,
    credit: Floats | None = None,
    weight: Floats | None = None,
    answerable: Flags | None = None,
    declined: Flags | None = None,
    **words: Any,
) -> Curve:
    """The curve of one system from its columns.

    Parameters
    ----------
    outcome : array of uint8, shape (n_items,)
        Codes of `demur.outcomes.records`, at least one item.
    confidence : array of float32 or float64, shape (n_items,), optional
        Rows without a guess are not looked at.
    credit : array of float64, shape (n_items,), optional
        Credit of right items, in (0, 1]; 1 if left out.
    weight : array of float64, shape (n_items,), optional
        Positive and finite; 1 if left out.
    answerable, declined : arrays of bool, shape (n_items,), optional
        All answerable, none declined if left out.
    **words
        The curve's ``system``, ``recipe``, ``notes``, ``kinds`` and ``failed``.

    Returns
    -------
    Curve
        Without a name if none is given; see `demur.error_return` for outcomes.

    Raises
    ------
    InputError
        If there are no items or a guess has NaN as its confidence.

    Examples
    --------
    >>> import numpy as np
    >>> outcome = np.array([0, 1, 0], np.uint8)
    >>> curve = build_curve(outcome, confidence=np.array([0.9, 0.8, 0.1]))
    >>> curve.corners.error
    array([0.33333333, 0.33333333, 0.        , 0.        ])
    """
    if not len(outcome):
        raise InputError("error_return", "outcomes", "hold at least one item", "none")
    weight, loss = counting.weights_and_losses(outcome, credit, weight)
    counts = counting.count_outcomes(outcome)
    ladder, hopeless = None, _NOTHING
    if confidence is not None and counts[UNANSWERED] < len(outcome):
        guess = outcome != UNANSWERED if counts[UNANSWERED] else slice(None)
        ladder = counting.count(
            confidence[guess],
            loss[guess],
            ungraded=outcome[guess] == UNGRADED if counts[UNGRADED] else None,
            weight=None if weight is None else weight[guess],
        )
        if answerable is not None and not answerable.all():
            asked = (outcome != UNANSWERED) & ~answerable
            hopeless = confidence[asked], counting.weights_of(weight, asked)
    sums = counting.sum_up(outcome, counts, weight, loss, answerable, ladder)
    return Curve(
        **{"system": "", **words},
        totals=sums,
        ladder=ladder,
        operating_point=operating_point(outcome, weight, loss, declined, sums),
        unanswerable=hopeless,
    )


def vertex_at(curve: Curve, position: int) -> Point:
    """The point at a position of the ladder that begins a tied block.

    The last one is silence.
    """
    ladder = curve._ladder_for("choose")
    cutoff = ladder.cutoff(position)
    return _silence(curve) if cutoff is None else curve.at(cutoff=cutoff)


def _silence(curve: Curve) -> Point:
    return curve.at(nonreturn=1)
