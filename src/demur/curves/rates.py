"""What a curve gives: points, areas, vertices, and the split of all inputs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demur.arrays import Flags, Floats, Numbers, plain, shortest
from demur.curves.counting import LARGEST_SQUARE, Ladder, Totals, _sum, weights_of
from demur.errors import InputError, UndefinedRate, shown
from demur.outcomes.fields import UNANSWERED, UNGRADED
from demur.results import Column, Result, Table, span

NOTHING_ANSWERED: Final = "nothing is answered there"
"""Why there is no error to hold against a gate."""

AREA_OF_BLOCKS = (
    "integral of error over nonreturn from the left end to 1, linear between cutoffs; "
    "low and high add the least and the most that items without a guess, ungraded "
    "items and the confidences inside of blocks, which are counted together, can add"
)

AREA_DEFINITION = (
    "integral of error over nonreturn from the left end to 1, linear between cutoffs; "
    "low and high add the least and the most that items without a guess and ungraded "
    "items can add"
)


@dataclass(frozen=True, eq=False, repr=False)
class Point(Result):
    """One point on a curve, or the operating point of a system.

    Parameters
    ----------
    nonreturn, error, missed, right, ungraded : float or None
        Rates over all items; error, missed, right and ungraded are None left of the
        curve's start, where nobody knows what the missing guesses would have been.
    cutoff : float or None
        Answers every guess with at least this confidence; None if the point is not a
        vertex, or is silence.
    between : tuple (lower cutoff, upper cutoff, share), or None
        How to reach a point that is not a vertex: use the upper cutoff for ``share``
        of the inputs, drawn at random, else the lower. An upper cutoff of None is
        silence.
    bounds : tuple (low, high)
        What the error can be, given ungraded items and missing guesses.
    how : str
        The reading: "linear", "at_most", "at_least" or "exact".
    """

    nonreturn: float
    error: float | None
    missed: float | None
    right: float | None
    ungraded: float | None
    cutoff: float | None
    between: tuple[float, float | None, float] | None
    bounds: tuple[float, float]
    how: str

    def sentence(self) -> str:
        """The error there, or what it can be."""
        at = "" if self.cutoff is None else f" (cutoff {self.cutoff:.6g})"
        error = span(*self.bounds)
        return f"At nonreturn {self.nonreturn:.3f}{at} the error is {error}."


@dataclass(frozen=True, eq=False, repr=False)
class Area(Result):
    """Area under the error-return curve, linear between cutoffs.

    Parameters
    ----------
    value : float or None
        The area, if it is known exactly; None if `low` and `high` differ.
    observed : float
        The part from the curve's left end to nonreturn 1.
    low, high : float
        Bounds that include the unseen part, where items without a guess would be
        answered, and ungraded items.
    definition : str
        The definition in words.
    """

    value: float | None
    observed: float
    low: float
    high: float
    definition: str = AREA_DEFINITION

    def sentence(self) -> str:
        """The area, or what it can be."""
        known = "" if self.value is not None else "known only to be from "
        ends = span(self.low, self.high, digits=4)
        return f"The area under the error-return curve is {known}{ends}."

    def __repr__(self) -> str:
        if self.value is not None:
            return f"Area(value={self.value:.6g})"
        return f"Area(value=None, low={self.low:.6g}, high={self.high:.6g})"


_MOST_PRINTED: Final = 20


class _AtVertices(Result):
    """Arrays with an entry for each vertex, the cutoff first."""

    cutoff: Floats

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.cutoff)} vertices)"

    def tables(self) -> tuple[Table]:
        """A row for each vertex."""
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]
        first = Column("cutoff", cells="value", explained="silence has none")
        shares = (Column(name, cells="share") for name in names[1:])
        arrays = [getattr(self, name).tolist() for name in names[1:]]
        rows = tuple(zip(self._cutoffs(), *arrays, strict=True))
        return (Table("", (first, *shares), rows, most=_MOST_PRINTED),)

    def to_dict(self) -> dict[str, Any]:
        """As plain values; silence has no cutoff."""
        return super().to_dict() | {"cutoff": self._cutoffs()}

    def _cutoffs(self) -> list[Any]:
        """Cutoffs as short decimals; None is silence, the last."""
        cutoffs = [plain(shortest(cutoff)) for cutoff in self.cutoff[:-1]]
        return cutoffs + [None] * len(self.cutoff[-1:])


@dataclass(frozen=True, eq=False, repr=False)
class Vertices(_AtVertices):
    """Rates at a list of cutoffs, from forced choice to silence.

    Parameters
    ----------
    cutoff : array, shape (n,)
        Rising; NaN in the last place stands for silence.
    nonreturn, error, missed, right, ungraded : arrays of float64, shape (n,)
        Rates over all items.
    """

    cutoff: Floats
    nonreturn: Floats
    error: Floats
    missed: Floats
    right: Floats
    ungraded: Floats

    def __len__(self) -> int:
        return len(self.cutoff)

    def sentence(self) -> str:
        """From where to where they go."""
        if not len(self):
            return "There is no vertex: the system gives no confidences."
        return (
            f"{len(self)} vertices, from error {self.error[0]:.3f} at nonreturn "
            f"{self.nonreturn[0]:.3f} to silence."
        )

    def to_list(self) -> list[dict[str, Any]]:
        """One mapping per vertex, as plain values for JSON."""
        (table,) = self.tables()
        names = [column.key for column in table.columns]
        return [dict(zip(names, row, strict=True)) for row in table.rows]


@dataclass(frozen=True, eq=False, repr=False)
class Split(_AtVertices):
    """What becomes of all inputs at each vertex; the seven shares add up to 1.

    Parameters
    ----------
    cutoff, nonreturn : arrays, shape (n,)
        As in `Vertices`.
    right, error : arrays of float64, shape (n,)
        Answered, by credit.
    missed, avoided : arrays of float64, shape (n,)
        Withheld guesses: credit that was given away, errors that were not made.
    correct_decline : array of float64, shape (n,)
        Unanswerable inputs that got no answer.
    no_guess : array of float64, shape (n,)
        Answerable inputs for which there was no guess.
    ungraded : array of float64, shape (n,)
        Guesses that nobody could judge, answered or withheld.
    """

    cutoff: Floats
    nonreturn: Floats
    right: Floats
    error: Floats
    missed: Floats
    avoided: Floats
    correct_decline: Floats
    no_guess: Floats
    ungraded: Floats

    def sentence(self) -> str:
        """What becomes of the inputs in forced choice."""
        if not len(self.cutoff):
            return "There is no cutoff: the system gives no confidences."
        return (
            f"In forced choice {self.right[0]:.3f} of the inputs are right and "
            f"{self.error[0]:.3f} are errors; {len(self.cutoff)} vertices follow."
        )


READINGS = ("linear", "at_most", "at_least")


def at_nonreturn(ladder: Ladder, total: Totals, rate: Fraction, how: str) -> Point:
    """The point at a nonreturn rate, in one of the `READINGS`."""
    asked, unit = _withheld_at(ladder, total, rate)
    if asked < 0:
        return _left_of_start(ladder, total, rate, how)
    low, high = ladder.tie(ladder.reach(asked, unit))
    level = exact(ladder.withheld(low))
    beyond = asked - level * unit
    if how == "at_most" or not beyond or low == high:  # past all sums: silence
        return _vertex(ladder, total, low, how)
    if how == "at_least":
        return _vertex(ladder, total, high, how)
    width = exact(ladder.withheld(high)) - level
    return _inside(ladder, total, (low, high), beyond, width * unit)


def _withheld_at(ladder: Ladder, total: Totals, rate: Fraction) -> tuple[Any, int]:
    """Weight of withheld guesses at a nonreturn rate; that of a vertex if equal.

    A vertex's own nonreturn, as a float, must find the vertex again. The weight is an
    amount to be divided by a whole number: fractions take their time.
    """
    parts, unit = rate.numerator, rate.denominator
    if parts == unit:  # silence, whatever sums of floats say
        return exact(ladder.withheld(len(ladder.ranked))), 1
    asked = parts * exact(total.weight) - unit * exact(total.no_guess)
    nonreturn = float(rate)
    for amount in ladder.near(asked, unit):
        if (total.no_guess + amount) / total.weight == nonreturn:
            return exact(amount), 1
    return asked, unit


def _left_of_start(ladder: Ladder, total: Totals, rate: Fraction, how: str) -> Point:
    if how == "at_least":
        return _vertex(ladder, total, 0, how)
    weight = exact(total.weight)
    missing = exact(total.no_guess) - rate * weight
    high = (exact(total.loss) + exact(total.unclear) + missing) / weight
    bounds = (float(total.loss / total.weight), float(high))
    return Point(float(rate), None, None, None, None, None, None, bounds, how)


def at_error(ladder: Ladder, total: Totals, rate: Fraction, how: str) -> Point:
    """The point of least nonreturn at which the error is low enough."""
    wanted = rate * exact(total.weight)
    rising = ladder.loss[::-1]
    index = int(np.searchsorted(rising, float(wanted)))
    for amount in rising[max(index - 1, 0) : index + 1]:
        if amount / total.weight == float(rate):
            wanted = Fraction(amount.item())
    if how == "at_least":
        return _at_least_error(ladder, total, wanted, rate)
    # Losses fall from block to block; take the first that is low enough.
    n_low = int(np.searchsorted(rising, _key(rising, wanted, math.floor), "right"))
    block = len(rising) - n_low
    if block == 0:
        return _vertex(ladder, total, 0, how)
    low, high = int(ladder.start[block - 1]), int(ladder.end[block - 1])
    after, before = exact(ladder.loss[block]), exact(ladder.loss[block - 1])
    if how == "at_most" or after == wanted:
        return _vertex(ladder, total, high, how)
    asked, unit = wanted.numerator, wanted.denominator
    part, whole = before * unit - asked, (before - after) * unit
    return _inside(ladder, total, (low, high), part, whole)


def _at_least_error(
    ladder: Ladder, total: Totals, wanted: Fraction, rate: Fraction
) -> Point:
    rising = ladder.loss[::-1]
    n_low = int(np.searchsorted(rising, _key(rising, wanted, math.ceil), "left"))
    block = len(rising) - n_low - 1
    if block < 0:
        raise UndefinedRate(
            f"no vertex has error >= {float(rate):g}; the greatest is "
            f"{float(total.loss / total.weight):g}.",
            where="at",
        )
    n = len(ladder.ranked)
    position = int(ladder.start[block]) if block < len(ladder.start) else n
    return _vertex(ladder, total, position, "at_least")


def at_cutoff(ladder: Ladder, total: Totals, cutoff: Any) -> Point:
    """The point at which every guess of at least this confidence is answered."""
    try:
        value = ladder.ranked.dtype.type(cutoff)
    except (TypeError, ValueError, OverflowError):
        value = ladder.ranked.dtype.type("nan")
    if np.isnan(value):
        raise InputError("at", "cutoff", "be a number", shown(cutoff))
    position = int(np.searchsorted(ladder.ranked, value, "left"))
    point = _vertex(ladder, total, position, "exact")
    return replace(point, cutoff=float(cutoff))


def _vertex(ladder: Ladder, total: Totals, position: int, how: str) -> Point:
    withheld, loss, missed, right, unclear = amounts_at(ladder, total, position)
    weight = float(total.weight)  # as numpy divides whole numbers in `Curve.vertices`
    error = float(loss / weight)
    return Point(
        nonreturn=float(withheld / weight),
        error=error,
        missed=_rate(missed / weight),
        right=_rate(right / weight),
        ungraded=float(unclear / weight),
        cutoff=ladder.cutoff(position),
        between=None,
        bounds=(error, float((loss + unclear) / weight)),
        how=how,
    )


def _inside(
    ladder: Ladder, total: Totals, block: tuple[int, int], part: Any, whole: Any
) -> Point:
    """A point inside a tied block, part / whole of which is withheld at random.

    Amounts are exact and divided last; whole numbers round as their fraction would.
    """
    low, high = block
    first, last = amounts_at(ladder, total, low), amounts_at(ladder, total, high)
    if isinstance(total.weight, float):  # then other amounts may be floats as well
        first, last = tuple(map(exact, first)), tuple(map(exact, last))
    amounts = [
        before * whole + part * (after - before)
        for before, after in zip(first, last, strict=True)
    ]
    weight = exact(total.weight) * whole
    withheld, loss, missed, right, unclear = (
        _rate(amount / weight) for amount in amounts
    )
    return Point(
        nonreturn=withheld,
        error=loss,
        missed=missed,
        right=right,
        ungraded=unclear,
        cutoff=None,
        between=(ladder.cutoff(low), ladder.cutoff(high), float(part / whole)),
        bounds=(loss, float((amounts[1] + amounts[4]) / weight)),
        how="linear",
    )


def amounts_at(ladder: Ladder, total: Totals, position: Any) -> tuple[Any, ...]:
    """Withheld, loss, missed, right and ungraded weight at vertex positions."""
    index = ladder.blocks_before(position)
    loss, unclear = ladder.loss[index], ladder.ungraded[index]
    below = ladder.withheld(position)
    if isinstance(position, int):  # Python's own numbers: exact, and faster one by one
        loss, unclear = loss.item(), unclear.item()
        below = position if ladder.below is None else below.item()
    withheld = total.no_guess + below
    right = total.weight - withheld - loss - unclear
    return withheld, loss, total.credit - right, right, unclear


def area_under(ladder: Ladder, amounts: Numbers, weight: Any) -> float:
    """Integral of amounts/weight over withheld/weight, from the left end to silence.

    Each block contributes its drop times the middle of its span.
    """
    drop = amounts[:-1] - amounts[1:]
    twice_middle = ladder.withheld(ladder.start) + ladder.withheld(ladder.end)
    # Drops times spans add up to twice the square of the weight at most.
    if weight > LARGEST_SQUARE:
        drop = drop.astype(np.float64)
    return float(drop.dot(twice_middle) / (2 * weight * weight))


def _rate(value: Any) -> float:
    """A rate; rounding of odd weights never leaves [0, 1]."""
    rate = float(value)
    return 0.0 if rate < 0.0 else 1.0 if rate > 1.0 else rate


def exact(amount: Any) -> Any:
    """An amount as a whole number or an exact ratio of whole numbers."""
    if isinstance(amount, int):
        return amount
    amount = amount.item() if isinstance(amount, np.generic) else amount
    return amount if isinstance(amount, int) else Fraction(amount)


def _key(rising: Numbers, wanted: Fraction, rounded: Any) -> Any:
    """``wanted`` for a search among ``rising``: rounded only for integers."""
    return rounded(wanted) if rising.dtype.kind == "i" else float(wanted)


# -- for tables and gates --------------------------------------------------------------

COUNTS: Final = ("items", "right", "wrong", "unanswered", "ungraded")
RATES: Final = ("nonreturn", "error", "missed", "right", "ungraded")

_READ: Final = {
    "linear": "a tied block is answered at random in part",
    "at_most": "at the last single cutoff with no more nonreturn",
    "at_least": "at the first single cutoff with no less nonreturn",
}


def curves_table(
    rows: Sequence[tuple[Any, ...]],
    groups: Sequence[str],
    at: Sequence[float],
    how: str,
    *,
    decides: bool,
) -> Table:
    """Rows of `Curve.row` as one table; what says nothing is for wide ones.

    Parameters
    ----------
    rows : sequence of tuples
        One for each curve, in the order in which they are shown.
    groups : sequence of str
        Columns by which the items were cut into groups.
    at, how : list of float and str
        Nonreturn rates, and how they were read.
    decides : bool
        Whether a system decides itself what to decline.
    """
    listed: tuple[str, ...] = (*COUNTS, "failed")
    if not any(row[-1] for row in rows):
        listed, rows = COUNTS, [row[:-1] for row in rows]
    counts = [row[-len(listed) :] for row in rows]
    some = {
        name: any(row[place] for row in counts) for place, name in enumerate(listed)
    }
    looked = [
        Column(
            f"error@{rate:g}",
            cells="share",
            explained=(
                f"wrong answers / all items where a share of {rate:g} is declined "
                f"({how.replace('_', ' ')}: {_READ[how]})"
            )
            if rate == at[0]
            else "",
        )
        for rate in at
    ]
    columns = (
        Column("system"),
        *map(Column, groups),
        *looked,
        Column("forced_error", cells="share", explained="error if all is answered"),
        Column(
            "area",
            cells="share",
            explained="under the error-return curve, linear",
            digits=4,
        ),
        Column(
            "own_nonreturn",
            cells="share",
            wide=not decides,
            explained="by the system's own decisions to decline",
        ),
        Column("own_error", cells="share", wide=not decides),
        *(Column(name, cells="count", wide=not some[name]) for name in listed),
    )
    return Table("", columns, tuple(rows), key=1 + len(groups))


def error_text(
    nonreturn: float,
    point: Point | None,
    decided: Point,
    forced: tuple[float, float],
    start: float,
    *,
    failed: bool = False,
) -> str:
    """The error if a share of the inputs may be declined; ``{}`` is the system.

    Parameters
    ----------
    nonreturn, start : float
        How much may be declined, and where the curve begins.
    point : Point or None
        There; None without confidences.
    decided : Point
        By the system's own decisions.
    forced : tuple (low, high)
        The error if all is answered.
    failed : bool
        Whether something failed, so that not all that is unanswered was declined.
    """
    declined = f"{100 * nonreturn:g} %"
    if point is None:
        how = "it does not answer" if failed else "by its own decisions it declines"
        return (
            f"{{}} gives no confidences: {how} {decided.nonreturn:.3f} of the inputs "
            f"and errs on {span(*decided.bounds)} of all items."
        )
    error = span(*point.bounds)
    if point.error is None and nonreturn < start:
        return (
            f"{{}} has no guess for {start:.3f} of the inputs, so if it may decline "
            f"only {declined}, its error can be {error} of all items."
        )
    return (
        f"If it may decline {declined} of the inputs, {{}} errs on {error} of all "
        f"items; forced to answer all, on {span(*forced)}."
    )


def sentence_about(name: str, text: str) -> str:
    """A text with a name in it, as a sentence."""
    filled = text.replace("{}", name)
    return (
        filled
        if text.startswith("{}") and name != "the system"
        else filled[0].upper() + filled[1:]
    )


def operating_point(
    outcome: npt.NDArray[np.uint8],
    weight: Numbers | None,
    loss: Numbers,
    declined: Flags | None,
    totals: Totals,
) -> Point:
    """Where the system stands by its own decisions to decline."""
    lost, unclear, withheld = totals.loss, totals.unclear, totals.no_guess
    if declined is not None and declined.any():
        lost = _sum(loss[~declined])
        unclear = _sum(weights_of(weight, (outcome == UNGRADED) & ~declined))
        withheld = _sum(weights_of(weight, (outcome == UNANSWERED) | declined))
    return point_of_amounts(totals, lost, unclear, withheld)


def point_of_amounts(totals: Totals, lost: Any, unclear: Any, withheld: Any) -> Point:
    """Where a system stands by its own decisions, from what is answered and declined.

    Parameters
    ----------
    totals : Totals
        Sums over all items.
    lost, unclear : int or float
        What the answered items lose, and the weight of those that nobody could judge.
    withheld : int or float
        Weight of what is declined or has no guess.
    """
    right = max(totals.weight - withheld - lost - unclear, 0)
    amounts = (withheld, lost, max(totals.credit - right, 0), right, unclear)
    nonreturn, error, missed, right, unclear = (
        float(amount / totals.weight) for amount in amounts
    )
    bounds = (error, float((amounts[1] + amounts[4]) / totals.weight))
    return Point(
        nonreturn, error, missed, right, unclear, None, None, bounds, "own decision"
    )
