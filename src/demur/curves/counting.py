"""The counting function under every curve: what is answered, and wrong, at each cutoff.

Amounts are integers wherever the data allow (unit weights, and weights and credits
that are short decimals); ratios are formed by the caller, last.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from demur import arrays
from demur.arrays import Flags, Floats, Numbers, Positions, frozen, shortest
from demur.curves import counting
from demur.errors import InputError
from demur.outcomes.fields import RIGHT, UNANSWERED, UNGRADED, WRONG

CHUNK = 1 << 15
"""Places looked at together, which fit the fast memory of a processor."""

LARGEST_SQUARE = 2**30
"""Twice the square of a total weight up to this fits 64 bits."""


@dataclass(frozen=True, eq=False, slots=True)
class Ladder:
    """Guesses ranked by confidence, and the tied blocks in which something is lost.

    A *position* p stands for the cutoff that answers ``ranked[p:]``; the last
    position, ``len(ranked)``, is silence. Along a block the loss falls in a straight
    line; between blocks it stays level.

    Parameters
    ----------
    ranked : array, shape (n_guesses,)
        Confidences, rising, in their own dtype; -0.0 is 0.0.
    below : array, shape (n_guesses + 1,), or None
        Weight of the guesses below each position; None if every guess weighs 1.
    start, end : arrays of int64, shape (n_blocks,)
        Positions where each tied block holding a wrong or ungraded guess begins and
        ends.
    loss, ungraded : arrays, shape (n_blocks + 1,)
        Weighted loss, and weight of ungraded guesses, answered at each start; the
        last entry, beyond all blocks, is 0.
    """

    ranked: Floats
    below: Numbers | None
    start: Positions
    end: Positions
    loss: Numbers
    ungraded: Numbers

    def withheld(self, position: Any) -> Any:
        """Weight of the guesses below one position or an array of them."""
        return position if self.below is None else self.below[position]

    def answered(self, position: Any) -> Any:
        """Weight of the guesses that one position or an array of them answers."""
        return self.withheld(len(self.ranked)) - self.withheld(position)

    def blocks_before(self, position: Any) -> Any:
        """How many lossy blocks begin below; an index into `loss` and `ungraded`."""
        return self.start.searchsorted(position, "left")

    def lost(self, position: Any) -> Any:
        """Loss answered at positions, ungraded guesses counting as errors."""
        index = self.blocks_before(position)
        return self.loss[index] + self.ungraded[index]

    def tie(self, position: int) -> tuple[int, int]:
        """Ends of the block of equal confidences (lossy or not) around ``position``."""
        n = len(self.ranked)
        if position >= n:
            return n, n
        value = self.ranked[position]
        first = int(self.ranked.searchsorted(value, "left"))
        return first, int(self.ranked.searchsorted(value, "right"))

    def reach(self, amount: Any, unit: int) -> int:
        """Last position whose withheld weight is at most ``amount / unit``."""
        if self.below is None:
            return int(amount // unit)
        whole = self.below.dtype.kind == "i"  # then so is the amount
        least = amount // unit if whole else float(amount / unit)
        return int(np.searchsorted(self.below, least, "right")) - 1

    def near(self, amount: Any, unit: int) -> list[Any]:
        """Withheld weights that rounding may take for ``amount / unit``."""
        if self.below is None:
            return [(2 * amount + unit) // (2 * unit)]  # the nearest whole number
        index = int(np.searchsorted(self.below, float(amount / unit)))
        return [amount.item() for amount in self.below[max(index - 1, 0) : index + 1]]

    def cutoff(self, position: int) -> Any:
        """The confidence at a position, as a short decimal; None is silence."""
        if position == len(self.ranked):
            return None
        value = self.ranked[position]  # 64 bits are read alike as they stand
        return float(value) if value.itemsize == 8 else shortest(value)

    def vertices(self) -> Positions:
        """Positions of all vertices: where confidences change, and silence."""
        n = len(self.ranked)
        inner = np.flatnonzero(self.ranked[1:] != self.ranked[:-1]) + 1
        return np.concatenate(([0], inner, [n])) if n else np.zeros(1, np.int64)

    def corners(self) -> Positions:
        """Positions of the vertices at the two ends and around lossy blocks."""
        ends = np.empty(2 * len(self.start) + 2, np.int64)  # rising as it stands
        ends[0], ends[1:-1:2], ends[2:-1:2] = 0, self.start, self.end
        ends[-1] = len(self.ranked)
        first = np.append(True, ends[1:] != ends[:-1])
        return ends if first.all() else ends[first]


def count(
    confidence: Floats,
    loss: Numbers,
    *,
    ungraded: Flags | None = None,
    weight: Numbers | None = None,
) -> Ladder:
    """Rank guesses and count what is lost at and above each cutoff.

    Equal confidences move together, so the order of rows never matters.

    Parameters
    ----------
    confidence : array of float32 or float64, shape (n_guesses,)
        Higher is surer. Infinities are ordinary values.
    loss : array of bool, int64 or float64, shape (n_guesses,)
        What an answer costs: weight x (1 - credit), 0 for an ungraded guess.
    ungraded : array of bool, shape (n_guesses,), optional
        Guesses that nobody could judge.
    weight : array of int64 or float64, shape (n_guesses,), optional
        Positive; None is 1 each.

    Returns
    -------
    Ladder

    Raises
    ------
    InputError
        If a confidence is NaN.

    Examples
    --------
    Four guesses, two of them tied; the wrong one is in the tie, which spans the
    positions from 1 to 3:

    >>> import numpy as np
    >>> ladder = count(
    ...     np.array([0.9, 0.5, 0.5, 0.2]), np.array([False, True, False, False])
    ... )
    >>> ladder.start, ladder.end, ladder.loss
    (array([1]), array([3]), array([1, 0]))
    """
    # Where the least is takes half the time of what it is, for few; NaN comes first.
    lowest = confidence[confidence.argmin()] if len(confidence) else 0.0
    if lowest != lowest:
        rows = np.flatnonzero(np.isnan(confidence))
        raise InputError(
            "count",
            "confidence",
            "not hold NaN",
            f"NaN for {len(rows)} guesses, the first at row {rows[0]}",
            "Mark those items unanswered or give a confidence.",
        )
    if weight is None and ungraded is None and loss.dtype.kind == "b":
        if lowest >= 0:
            return _count_packed(confidence, loss)
        if confidence.max() <= 0:
            return _count_packed(confidence, loss, flip=True)
    return _count_amounts(confidence, loss, ungraded, weight)


def _count_packed(confidence: Floats, wrong: Flags, *, flip: bool = False) -> Ladder:
    """`count` for 0/1 losses and confidences of one sign: one plain sort.

    The sign bit of a non-negative float is free, so shifting the bits left by one
    makes room for the flag "wrong" without losing anything, and drops the sign of
    -0.0. A plain sort of these keys ranks the guesses, right before wrong in a tie.
    It drops the sign of confidences below 0 as well, whose bits are then inverted.
    """
    word: Any = np.uint32 if confidence.dtype.itemsize == 4 else np.uint64
    one = word(1)
    if not confidence.dtype.isnative:
        confidence = confidence.astype(confidence.dtype.newbyteorder("="))
    key = confidence.view(word) << one
    if flip:  # all ones but the flag's bit, less the key
        np.subtract(~one, key, out=key)
    key |= wrong
    key.sort()
    flag = key.astype(np.uint8)  # the lowest bits, in the least memory
    flag &= 1
    where = flag.view(bool).nonzero()[0]
    key >>= one
    if flip:
        np.subtract(~word(0) >> one, key, out=key)
    ranked = key.view(confidence.dtype)
    if flip:
        np.subtract(0, ranked, out=ranked)
    start, end, loss = _blocks_of_wrong(ranked, where)
    return _frozen(
        Ladder(ranked, None, start, end, loss, np.zeros(len(loss), np.int64))
    )


def _blocks_of_wrong(
    ranked: Floats, where: Positions
) -> tuple[Positions, Positions, Positions]:
    """Starts, ends and losses from the positions of wrong guesses, last in ties."""
    n_wrong = len(where)
    if not n_wrong or _are_distinct(ranked):
        return where, where + 1, np.arange(n_wrong, -1, -1)
    bound = _bounds(ranked, where).nonzero()[0]
    start, loss = where[bound[:-1]], n_wrong - bound
    bound -= 1
    end = where[bound[1:]]
    end += 1
    if 2 * len(start) < n_wrong:  # wrong guesses tie, so right ones do with most blocks
        return ranked.searchsorted(ranked[start], "left"), end, loss
    # A block starts at its first wrong guess, unless right ones tie with it.
    for at in range(0, len(start), CHUNK):
        some = start[at : at + CHUNK]
        tied = (ranked[some - 1] == ranked[some]).nonzero()[0]
        if len(tied):
            some[tied] = ranked.searchsorted(ranked[some[tied]], "left")
    return start, end, loss


def _are_distinct(ranked: Floats) -> bool:
    """Whether no two guesses tie; it looks no further than the chunk with a tie."""
    for at in range(0, len(ranked) - 1, CHUNK):
        value = ranked[at : at + CHUNK + 1]
        tied = value[1:] == value[:-1]
        if tied[tied.argmax()]:  # the first True, if any: less work than tied.any()
            return False
    return True


def _bounds(ranked: Floats, where: Positions) -> Flags:
    """Whether the value at each place differs from that before; True at both ends.

    In chunks, because memory that is touched for the first time costs more than all
    the rest.
    """
    bounds = np.empty(len(where) + 1, bool)
    bounds[0] = bounds[-1] = True
    inner = bounds[1:-1]
    for at in range(0, len(inner), CHUNK):
        value = ranked[where[at : at + CHUNK + 1]]
        np.not_equal(value[1:], value[:-1], out=inner[at : at + CHUNK])
    return bounds


def _count_amounts(
    confidence: Floats, loss: Numbers, ungraded: Flags | None, weight: Numbers | None
) -> Ladder:
    """`count` for any sign, losses, ungraded guesses and weights."""
    confidence = confidence + confidence.dtype.type(0)  # -0.0 becomes 0.0
    touched = loss != 0 if ungraded is None else (loss != 0) | ungraded
    if weight is None:
        ranked, below = np.sort(confidence), None
    else:
        order = np.lexsort((weight, confidence))
        ranked, above = confidence[order], _from_the_top(weight[order])
        below = above[0] - above
    cutoff = np.unique(confidence[touched])
    start, end = (np.searchsorted(ranked, cutoff, side) for side in ("left", "right"))
    lost = answered(confidence, loss, cutoff)
    unclear = np.zeros(len(lost), np.int64)
    if ungraded is not None:
        amount = ungraded if weight is None else weight * ungraded
        unclear = answered(confidence, amount, cutoff)
    return _frozen(Ladder(ranked, below, start, end, lost, unclear))


def _frozen(ladder: Ladder) -> Ladder:
    for name in Ladder.__slots__:
        array = getattr(ladder, name)
        if array is not None:
            array.setflags(write=False)
    return ladder


def answered(confidence: Floats, amount: Numbers, cutoff: Floats) -> Numbers:
    """Sum of ``amount`` over confidences at or above each cutoff, then silence's 0."""
    amount = amount.astype(np.int64) if amount.dtype == bool else amount
    some = np.flatnonzero(amount)
    order = some[np.lexsort((amount[some], confidence[some]))]
    total = _from_the_top(amount[order])
    position = np.searchsorted(confidence[order], cutoff, "left")
    return np.append(total[position], total[-1])


def _from_the_top(amount: Numbers) -> Numbers:
    """Suffix sums, with the empty sum last; summing downward keeps them monotone."""
    total = np.zeros(len(amount) + 1, amount.dtype)
    np.cumsum(amount[::-1], out=total[-2::-1])
    return total


Codes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Totals:
    """Sums over all items of one system, in one unit of weight.

    Parameters
    ----------
    items, right, wrong, unanswered, ungraded : int
        Counts of rows.
    weight, credit, loss, unclear : int or float
        All weight; credit and loss of graded guesses; weight of ungraded guesses.
    no_guess, no_guess_unanswerable : int or float
        Weight of items without a guess, and of the unanswerable ones among them.
    """

    items: int
    right: int
    wrong: int
    unanswered: int
    ungraded: int
    weight: Any
    credit: Any
    loss: Any
    unclear: Any
    no_guess: Any
    no_guess_unanswerable: Any


def weights_and_losses(
    outcome: npt.NDArray[np.uint8], credit: Floats | None, weight: Floats | None
) -> tuple[Numbers | None, Numbers]:
    """Weights (None: 1 each) and losses of graded guesses, integers if they can be."""
    wrong = outcome == WRONG
    if weight is not None and (weight == weight[0]).all():
        weight = None  # rates are the same, and counts are faster and exact
    if credit is not None and not (credit[outcome == RIGHT] < 1).any():
        credit = None
    if weight is None and credit is None:
        return None, wrong
    earned = np.where(wrong, 0.0, 1.0 if credit is None else credit)
    weight = np.ones(len(outcome)) if weight is None else weight
    graded = outcome <= WRONG
    weights, credits_ = arrays.as_integers(weight), arrays.as_integers(earned)
    if weights is None:  # such as thirds, which are short decimals of the greatest
        weight = weight / weight.max()
        weights = arrays.as_integers(weight)
    if weights is None or credits_ is None:
        return weight, weight * np.where(graded, 1.0 - earned, 0.0)
    amount, scale = weights[0], credits_[1]
    return amount * scale, amount * np.where(graded, scale - credits_[0], 0)


def count_outcomes(outcome: npt.NDArray[np.uint8]) -> tuple[int, ...]:
    """How many items have each outcome code."""
    if outcome[outcome.argmax()] <= WRONG:  # faster than max() for few
        wrong = int(np.count_nonzero(outcome))
        return len(outcome) - wrong, wrong, 0, 0
    return tuple(int(np.count_nonzero(outcome == code)) for code in range(4))


def sum_up(
    outcome: npt.NDArray[np.uint8],
    counts: tuple[int, ...],
    weight: Numbers | None,
    loss: Numbers,
    answerable: Flags | None,
    ladder: Ladder | None,
) -> Totals:
    """All sums; those of guesses are the ladder's own, so that they agree exactly."""
    silent = hopeless = 0
    if counts[UNANSWERED]:
        no_guess = outcome == UNANSWERED
        silent = _sum(weights_of(weight, no_guess))
        if answerable is not None:
            hopeless = _sum(weights_of(weight, no_guess & ~answerable))
    if ladder is None:
        lost = _sum(loss)
        unclear = _sum(weights_of(weight, outcome == UNGRADED))
        everything = _sum(weights_of(weight, np.ones(len(outcome), bool)))
    else:
        lost, unclear = ladder.loss[0].item(), ladder.ungraded[0].item()
        guesses = ladder.withheld(len(ladder.ranked))
        everything = silent + (guesses if ladder.below is None else guesses.item())
    credit = everything - silent - lost - unclear
    return Totals(
        items=len(outcome),
        right=counts[RIGHT],
        wrong=counts[WRONG],
        unanswered=counts[UNANSWERED],
        ungraded=counts[UNGRADED],
        weight=everything,
        credit=credit,
        loss=lost,
        unclear=unclear,
        no_guess=silent,
        no_guess_unanswerable=hopeless,
    )


def weights_of(weight: Numbers | None, chosen: Flags) -> Numbers:
    """Weights of the chosen items."""
    if weight is None:
        return np.ones(np.count_nonzero(chosen), np.int64)
    return weight[chosen]


def _sum(amounts: Numbers) -> Any:
    """A sum that does not depend on the order of rows."""
    if amounts.dtype.kind == "f":
        return math.fsum(amounts)
    return int(amounts.sum())


# -- costs -------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Hull:
    """The vertices that are cheapest for some price of a non-return.

    Parameters
    ----------
    position : array of int64, shape (n,)
        Positions on the ladder, rising.
    nonreturn, error : arrays of float64, shape (n,)
        Rates over all items; the error counts ungraded answers.
    low, high : arrays of float64, shape (n,)
        Vertex i costs least for ``low[i] <= r < high[i]``, where r is the cost of a
        non-return over the cost of an error; at a tie the least nonreturn is taken.
    """

    position: Positions
    nonreturn: Floats
    error: Floats
    low: Floats
    high: Floats


def lower_hull(ladder: Ladder, total: Totals) -> Hull:
    """The lower convex hull of an error-return curve, from the left end.

    It ends with silence, or with the first cutoff that makes no error.

    ``error + r * nonreturn`` is least at one of its vertices, whatever r.

    Parameters
    ----------
    ladder : Ladder
        Ranked guesses and losses.
    total : Totals
        Sums over all items.

    Returns
    -------
    Hull

    Examples
    --------
    The case "G1": ten answers, four wrong, with ties.

    >>> import numpy as np, demur
    >>> curve = demur.error_return(demur.Outcomes.from_arrays(
    ...     confidence=[0.95, 0.9, 0.9, 0.8, 0.7, 0.7, 0.7, 0.4, 0.3, 0.1],
    ...     correct=[1, 1, 0, 1, 1, 0, 1, 0, 1, 0]))
    >>> hull = lower_hull(curve.ladder, curve.totals)
    >>> hull.nonreturn, hull.low.round(3)
    (array([0. , 0.1, 0.3, 0.9]), array([1.   , 0.5  , 0.333, 0.   ]))
    """
    position = ladder.corners()
    withheld = ladder.withheld(position)
    index = ladder.blocks_before(position)
    lost = ladder.loss[index] + ladder.ungraded[index]
    if total.weight > counting.LARGEST_SQUARE:
        withheld, lost = withheld.astype(float), lost.astype(float)
    kept = convex(withheld, lost)
    if len(kept) > 1 and lost[kept[-2]] == 0:
        kept = kept[:-1]  # silence costs more than the first cutoff without errors
    position, withheld, lost = position[kept], withheld[kept], lost[kept]
    slope = (lost[:-1] - lost[1:]) / (withheld[1:] - withheld[:-1])
    return Hull(
        position=frozen(position),
        nonreturn=frozen((total.no_guess + withheld) / total.weight),
        error=frozen(lost / total.weight),
        low=frozen(np.append(slope, 0.0)),
        high=frozen(np.append(np.inf, slope)),
    )


def convex(x: Numbers, y: Numbers) -> Positions:
    """Indices of the vertices of the lower convex hull; x rises, y falls.

    Each pass drops every point on or above the line between its neighbours, all at
    once where no two neighbours go.
    """
    kept = np.arange(len(x))
    while len(kept) > 2:
        px, py = x[kept], y[kept]
        turn = (px[1:-1] - px[:-2]) * (py[2:] - py[:-2]) - (py[1:-1] - py[:-2]) * (
            px[2:] - px[:-2]
        )
        drop = np.flatnonzero(turn <= 0) + 1
        if not len(drop):
            break
        # Of neighbouring candidates every other one, so that each stays between two
        # points that are kept in this pass.
        run = np.cumsum(np.append(True, np.diff(drop) > 1))
        place = np.arange(len(drop)) - np.searchsorted(run, run, "left")
        kept = np.delete(kept, drop[place % 2 == 0])
    return kept


# -- what items are, and what became of them ------------------------------------------


@dataclass(frozen=True, slots=True)
class Shape:
    """Whether the items of a part are independent and count the same.

    Parameters
    ----------
    weighted : bool
        Whether items have unequal weights.
    clusters : int or None
        How many clusters they fall into; None if every item stands alone.
    """

    weighted: bool = False
    clusters: int | None = None


@dataclass(frozen=True, eq=False)
class ItemKinds:
    """The different things that became of items, and how often each did.

    Parameters
    ----------
    outcome : array of uint8, shape (n_kinds,)
        Codes of the forced choice.
    given : array of bool, shape (n_kinds,)
        Whether there is a guess that the system decided to give.
    hopeless : array of bool, shape (n_kinds,)
        Whether the item is unanswerable.
    both_empty : array of bool, shape (n_kinds,)
        Whether an answer is empty like its reference.
    times : array of int64, shape (n_kinds,)
        How many items there are of each.
    """

    outcome: npt.NDArray[np.uint8]
    given: Flags
    hopeless: Flags
    both_empty: Flags
    times: npt.NDArray[np.int64]
