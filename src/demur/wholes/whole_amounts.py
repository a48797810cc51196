"""What adds up over returned parts: errors of wholes, complete wholes, people's load.

Each measure of wholes is a constant, for what holds at silence, and an amount for each
part, which counts where the part is returned. So all of them are read off by adding up
amounts of the parts at or above a cutoff.
"""

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from demur.arrays import Flags, Floats, Numbers, Positions, frozen
from demur.curves import counting
from demur.curves.counting import Ladder, Totals
from demur.wholes.whole_parts import WholeParts

_LARGEST: Final = 2**62
"""Whole numbers up to this fit 64 bits with a sign."""


@dataclass(frozen=True, eq=False, slots=True)
class PartSums:
    """A number per whole that falls or rises as parts are withheld.

    Parameters
    ----------
    silent : float
        What it is if no part is returned, times the weight of all wholes.
    confidence : array, shape (n_amounts,)
        Of the parts with an amount.
    amount : array, shape (n_amounts,)
        What each adds if it is returned.
    """

    silent: Any
    confidence: Floats
    amount: Numbers

    def at(self, cutoff: Any) -> Any:
        """The sum where guesses of at least this confidence are returned.

        Parameters
        ----------
        cutoff : float or None
            None returns nothing.
        """
        if cutoff is None:
            return self.silent
        least = self.confidence.dtype.type(cutoff)
        return self.silent + self.amount[self.confidence >= least].sum().item()

    def at_each(self, cutoff: Floats) -> Numbers:
        """The sums at rising cutoffs, and last the one of silence."""
        sums: Numbers = self.silent + counting.answered(
            self.confidence, self.amount, cutoff
        )
        return sums


def _measure(parts: WholeParts, rows: Any, amount: Any, silent: Any = 0) -> PartSums:
    return PartSums(silent, parts.confidence[rows] + 0.0, np.asarray(amount))


def wrong_parts(parts: WholeParts) -> PartSums:
    """Wrong parts that are returned; those that nobody could judge are none."""
    rows = np.flatnonzero(parts.wrong)
    return _measure(parts, rows, parts.weights[parts.whole[rows]])


def whole_errors(parts: WholeParts, *, ungraded: bool) -> PartSums:
    """Wholes of which a wrong part is returned.

    Parameters
    ----------
    ungraded : bool
        Whether parts that nobody could judge are taken for wrong ones.
    """
    surest = parts.surest(parts.wrong | parts.ungraded if ungraded else parts.wrong)
    some = surest >= 0
    return _measure(parts, surest[some], parts.weights[some])


def untouched(parts: WholeParts) -> PartSums:
    """Wholes of which no part is withheld; those without parts are untouched."""
    return _all_returned(parts, _complete_guesses(parts), parts.without)


def complete(parts: WholeParts) -> PartSums:
    """Wholes all of whose parts are returned and right, or that rightly have none."""
    whole = _complete_guesses(parts)
    whole[parts.whole[parts.wrong | parts.ungraded]] = False
    return _all_returned(parts, whole, parts.silent_right)


def answered(parts: WholeParts) -> PartSums:
    """Wholes of which a part is returned."""
    highest, some = parts.highest(parts.guess)
    return PartSums(0, highest[some] + 0.0, parts.weights[some])


def _complete_guesses(parts: WholeParts) -> Flags:
    """Which wholes have parts, and a guess for each of them."""
    whole = np.zeros(parts.n_wholes, bool)
    whole[parts.whole] = True
    whole[parts.whole[~parts.guess]] = False
    return whole


def _all_returned(parts: WholeParts, wholes: Flags, always: Positions) -> PartSums:
    lowest, some = parts.lowest_guess
    some = wholes & some
    weight = parts.weights
    silent = weight[always].sum().item()
    return PartSums(silent, lowest[some] + 0.0, weight[some])


def errors_with_people(parts: WholeParts, rate: float) -> PartSums:
    """Wholes that hold an error after people have done what was withheld.

    Each withheld part is done by a person, who gets it wrong with a fixed chance,
    whatever happens to other parts. Expected weight; parts that nobody could judge
    are taken for wrong.

    Parameters
    ----------
    rate : float
        The chance that a person gets a part wrong.

    Examples
    --------
    One whole of two parts, the surer one wrong; a person errs on one part of ten:

    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["a", "a"], part=["x", "y"], correct=[1, 0], confidence=[0.4, 0.9])
    >>> from demur.wholes.numbering import numbered_parts
    >>> measure = errors_with_people(numbered_parts("here", outcomes), 0.1)
    >>> round(measure.at(0.5), 6), round(measure.at(None), 6)
    (1.0, 0.19)
    """
    n_parts = np.bincount(parts.whole, minlength=parts.n_wholes)
    weight = parts.weights
    kept = 1.0 - rate
    silent = weight @ (1.0 - kept**n_parts)
    rows = np.flatnonzero(parts.guess)
    rows = rows[np.lexsort((parts.confidence[rows], parts.whole[rows]))]
    whole = parts.whole[rows]
    n_guesses = np.bincount(whole, minlength=parts.n_wholes)
    begin = np.cumsum(n_guesses) - n_guesses
    # How many of the whole's parts are withheld while this one still is returned.
    before = np.arange(len(rows)) - begin[whole] + (n_parts - n_guesses)[whole]
    bad = (parts.wrong | parts.ungraded)[rows]
    last = np.full(parts.n_wholes, -1, np.int64)
    last[whole[bad]] = np.flatnonzero(bad)  # rows rise, so the surest one stays
    place = np.arange(len(rows))
    right_before = np.where(place > last[whole], kept**before, 0.0)
    right_after = np.where(place >= last[whole], kept ** (before + 1.0), 0.0)
    amount = weight[whole] * (right_after - right_before)
    return _measure(parts, rows, amount, float(silent))


def by_own_decisions(parts: WholeParts, rate: float | None) -> dict[str, Any]:
    """All sums where the system's own decisions say which parts are returned.

    Parameters
    ----------
    parts : WholeParts
    rate : float or None
        As for `errors_with_people`.

    Returns
    -------
    dict
        By the names of measures; ``low`` and ``high`` are wholes with an error, and
        ``withheld`` the weight of parts.
    """
    given = parts.guess if parts.declined is None else parts.guess & ~parts.declined
    weight, whole = parts.weights, parts.whole

    def wholes(rows: Flags) -> Flags:
        having = np.zeros(parts.n_wholes, bool)
        having[whole[rows]] = True
        return having

    bad = given & (parts.wrong | parts.ungraded)
    held, wrong = wholes(~given), wholes(bad)
    has_parts = wholes(np.ones(len(parts), bool))
    right = has_parts & ~held & ~wrong
    right[parts.silent_right] = True
    sums = {
        "low": weight[wholes(given & parts.wrong)].sum().item(),
        "high": weight[wrong].sum().item(),
        "wrong_parts": weight[whole[given & parts.wrong]].sum().item(),
        "complete": weight[right].sum().item(),
        "untouched": weight[~held].sum().item(),
        "answered": weight[wholes(given)].sum().item(),
        "withheld": weight[whole[~given]].sum().item(),
    }
    if rate is not None:
        left = (1.0 - rate) ** np.bincount(whole[~given], minlength=parts.n_wholes)
        sums["with_people"] = float(weight @ np.where(wrong, 1.0, 1.0 - left))
    return sums


# -- as a curve --------------------------------------------------------------------


def scaled_ladder(parts: WholeParts) -> Ladder:
    """Withheld parts against wholes with a wrong returned part, in one unit.

    A part weighs as much as all wholes do, and an error as much as all parts, so that
    amounts over the product of both are shares of parts and shares of wholes. They
    are whole numbers where the weights are.
    """
    guess = parts.guess
    every = bool(guess.all())
    confidence = parts.confidence if every else parts.confidence[guess]
    flags = parts.surest(parts.wrong)
    marked = np.zeros(len(parts), bool)
    marked[flags[flags >= 0]] = True
    marked = marked if every else marked[guess]
    if parts.weight is None and not parts.ungraded.any():
        ladder = counting.count(confidence, marked)
        below: Numbers = np.arange(len(confidence) + 1)
    else:
        ladder = _with_ungraded(parts, confidence, marked)
        below = ladder.withheld(np.arange(len(confidence) + 1))
    unit_x, unit_y, _ = units(parts)
    return Ladder(
        ladder.ranked,
        frozen(below * unit_x),
        ladder.start,
        ladder.end,
        frozen(ladder.loss * unit_y),
        frozen(ladder.ungraded * unit_y),
    )


def units(parts: WholeParts) -> tuple[Any, Any, Any]:
    """What a unit of weight of a part, and of a whole, amounts to, and all of them."""
    of_parts, of_wholes = parts.part_weight or 1, parts.whole_weight
    if not isinstance(of_parts, int) or of_parts * of_wholes >= _LARGEST:
        return 1.0 / of_parts, 1.0 / of_wholes, 1.0
    shared = math.gcd(of_parts, of_wholes)
    return of_wholes // shared, of_parts // shared, of_parts * of_wholes // shared


def _with_ungraded(parts: WholeParts, confidence: Floats, marked: Flags) -> Ladder:
    """The ladder with weights, and parts that nobody could judge."""
    guess = parts.guess
    weight = parts.weights[parts.whole[guess]]
    ladder = counting.count(confidence, weight * marked, weight=weight)
    if not parts.ungraded.any():
        return ladder
    ranked, confidence = ladder.ranked, confidence + confidence.dtype.type(0)
    low, high = (whole_errors(parts, ungraded=taken) for taken in (False, True))
    cutoff = np.unique(np.concatenate((low.confidence, high.confidence)))
    lost, most = low.at_each(cutoff), high.at_each(cutoff)
    start, end = (ranked.searchsorted(cutoff, side) for side in ("left", "right"))
    return Ladder(ranked, ladder.below, start, end, lost, most - lost)


def whole_totals(parts: WholeParts, ladder: Ladder | None) -> Totals:
    """Sums over all wholes, in the unit of the ladder; counts are of wholes."""
    unit_x, unit_y, total = units(parts)
    weight = parts.weights
    silent = np.ones(parts.n_wholes, bool)
    silent[parts.whole[parts.guess]] = False
    wrong = np.zeros(parts.n_wholes, bool)
    wrong[parts.whole[parts.wrong]] = True
    unclear = np.zeros(parts.n_wholes, bool)
    unclear[parts.whole[parts.ungraded]] = True
    unclear &= ~wrong
    low, high = weight[wrong].sum().item(), weight[unclear].sum().item()
    lost = low * unit_y if ladder is None else ladder.loss[0].item()
    open_ = high * unit_y if ladder is None else ladder.ungraded[0].item()
    no_guess = weight[parts.whole[~parts.guess]].sum().item() * unit_x
    counts = (int(np.count_nonzero(of)) for of in (wrong, silent, unclear))
    n_wrong, n_silent, n_unclear = counts
    return Totals(
        items=parts.n_wholes,
        right=parts.n_wholes - n_wrong - n_silent - n_unclear,
        wrong=n_wrong,
        unanswered=n_silent,
        ungraded=n_unclear,
        weight=total,
        credit=total - lost - open_ - no_guess,
        loss=lost,
        unclear=open_,
        no_guess=no_guess,
        no_guess_unanswerable=0,
    )
