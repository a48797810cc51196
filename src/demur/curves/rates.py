"""What a curve gives: points, areas, vertices, and the split of all inputs."""

from dataclasses import dataclass, fields
from typing import Any

from demur.arrays import Floats, plain, shortest
from demur.results import Result

AREA_DEFINITION = (
    "integral of error over nonreturn from the left end to 1, linear between cutoffs; "
    "low and high add the least and the most that items without a guess and ungraded "
    "items can add"
)


@dataclass(frozen=True, repr=False)
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


@dataclass(frozen=True, repr=False)
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


@dataclass(frozen=True, eq=False)
class Vertices:
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

    def to_list(self) -> list[dict[str, Any]]:
        """One mapping per vertex, as plain values for JSON."""
        names = [each.name for each in fields(self)]
        columns = [getattr(self, name).tolist() for name in names[1:]]
        cutoffs = [shortest(value) for value in self.cutoff[:-1]] + [None]
        rows = zip(map(plain, cutoffs), *columns, strict=True) if len(self) else ()
        return [dict(zip(names, row, strict=True)) for row in rows]


@dataclass(frozen=True, eq=False)
class Split:
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
