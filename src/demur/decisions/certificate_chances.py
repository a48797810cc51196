"""How likely a fresh sample is certified, judging from a pilot.

What the pilot leaves open is taken into account: rates of errors are those that are
likely after so many wrong answers and right ones (Jeffreys' prior).
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Final, NamedTuple

import numpy as np

from demur.arrays import Flags, Floats, Positions, Sample, frozen
from demur.decisions.betting import least_where
from demur.decisions.certificates import erring, first_tested

CLASSES: Final = 10
"""Classes of a pilot's ranked items."""

MOST_ERRORS: Final = {"all": 4096, "answered": 512}
"""No plan is for more items than those that are certified with so many errors."""

_FINE, _COARSE = 200, 6  # likely rates, where one decides and where classes add up
_HALF: Final = 0.5  # an answer of either kind, as in Jeffreys' prior
_CLOSE: Final = 50  # items are planned to a fiftieth
_LEAST: Final = 1e-12  # chances that do not count
_JUMP: Final = 0.15  # of rates of errors, from one class to the next
_NORMAL: Final = np.array([-1.4, -0.532, 0.0, 0.532, 1.4])
"""Means of five equal parts of a normal distribution."""


class Planned(NamedTuple):
    """From how many items on a certificate is likely.

    Parameters
    ----------
    items : int or None
        None if no number of items is.
    chance : float
        That so many are certified; without a number, the greatest of any number.
    """

    items: int | None
    chance: float


@dataclass(frozen=True)
class Pilot:
    """The guesses of a pilot in classes of confidence, the surest first.

    Parameters
    ----------
    n_items : int
        With those without a guess.
    items, wrong : array of int64, shape (n_classes,)
        Guesses of each class, and wrong ones among them.
    tied : array of bool, shape (n_classes,)
        Whether all guesses of a class are equally sure.
    answered, lost : array of int64, shape (n_cutoffs + 1,)
        At each cutoff from silence down, guesses answered, and wrong ones among them.
    """

    n_items: int
    items: Positions
    wrong: Positions
    tied: Flags
    answered: Positions
    lost: Positions

    @classmethod
    def of(cls, sample: Sample) -> "Pilot":
        """Tenths of the items by rank, or the levels of confidence if they are few.

        Examples
        --------
        >>> sample = Sample(np.ones(4, bool), np.array([2, 2, 1, 1.5]), np.ones(4))
        >>> pilot = Pilot.of(sample)
        >>> pilot.items.tolist(), pilot.tied.tolist()
        ([2, 1, 1], [True, False, False])
        """
        ladder = erring(sample)
        position = ladder.vertices()[::-1]
        answered = len(ladder.ranked) - position
        lost = ladder.loss[ladder.blocks_before(position)]
        cuts = np.arange(len(answered))
        if len(cuts) > 2 * CLASSES:
            wanted = len(sample) * np.arange(1, CLASSES + 1) // CLASSES
            inner = np.searchsorted(answered, wanted, "left")
            cuts = np.unique(np.clip([0, *inner, len(cuts)], 0, len(cuts) - 1))
        items = np.diff(answered[cuts])
        return cls(
            n_items=len(sample),
            items=items,
            wrong=np.diff(lost[cuts]),
            tied=(np.diff(cuts) == 1) & (items > 1),
            answered=answered,
            lost=lost,
        )

    def cutoff_at(self, nonreturn_tenths: int) -> int | None:
        """Index of the highest cutoff that declines no more than so many tenths.

        None if more items than that have no guess.
        """
        wanted = self.n_items - nonreturn_tenths * self.n_items // 10
        index = int(np.searchsorted(self.answered, wanted, "left"))
        return None if index == len(self.answered) else index

    def likely_rates(self) -> list[Floats]:
        """Rates of errors that are likely in each class.

        To have seen no error among the surest does not show that there are none, so
        half a wrong and half a right answer are added there; of all classes from the
        surest down together that is Jeffreys' prior.
        """
        wrong, right = self.wrong.astype(float), (self.items - self.wrong).astype(float)
        wrong[:1] += _HALF
        right[:1] += _HALF
        return [
            likely_rates(*counts, many=_COARSE)
            for counts in zip(wrong, right, strict=True)
        ]


def likely_rates(wrong: float, right: float, *, many: int) -> Floats:
    """Equally likely rates after so many wrong and right answers.

    Parameters
    ----------
    wrong, right : float
        Parameters of a beta distribution; without either the rate is certain.
    many : int
        How many rates: the means of as many equal parts of the distribution.

    Examples
    --------
    >>> likely_rates(1, 1, many=4)
    array([0.125, 0.375, 0.625, 0.875])
    """
    from scipy.special import betainc, betaincinv

    if wrong == 0 or right == 0:
        return np.array([float(wrong > 0)])
    edges = betaincinv(wrong, right, np.linspace(0, 1, many + 1))
    parts = np.diff(betainc(wrong + 1, right, edges))
    return np.asarray(many * wrong / (wrong + right) * parts)


@cache
def least_items(target: float, certainty: float, most: int) -> Positions:
    """How few items are certified with 0, 1, 2 ... ``most`` wrong ones.

    Examples
    --------
    >>> least_items(0.05, 0.95, 2)
    array([ 59,  93, 124])
    """
    from scipy.special import bdtr

    wrong = np.arange(most + 1)
    low, high = wrong, wrong + 1

    def short(items: Positions) -> Flags:
        return np.asarray(bdtr(wrong, items, target) > 1 - certainty)

    while (few := short(high)).any():
        low, high = np.where(few, high, low), np.where(few, 2 * high, high)
    while (high - low > 1).any():
        middle = np.maximum((low + high) // 2, wrong + 1)
        few = short(middle)
        low, high = np.where(few, middle, low), np.where(few, high, middle)
    frozen(high)
    return high


# -- errors over all items -----------------------------------------------------------


def planned_of_all(
    wrong: int, items: int, *, target: float, certainty: float, power: float
) -> Planned:
    """From how many items on the error over all items is likely to be certified.

    The errors above the cutoff decide, in one exact test. While no further error is
    allowed the chance falls with the number of items, so it is enough that the last
    number before each step is likely enough.

    Parameters
    ----------
    wrong, items : int
        Errors of the pilot at the cutoff, and all its items.
    target, certainty, power : float
        What is to be certified, how surely, and with which chance.

    Examples
    --------
    >>> planned_of_all(1, 100, target=0.05, certainty=0.95, power=0.8).items
    234
    """
    from scipy.special import bdtr, betainc

    counts = (wrong + _HALF, items - wrong + _HALF)
    rates = likely_rates(*counts, many=_FINE)
    # However many items there are, the true rate must be below the target.
    possible = float(betainc(*counts, target))
    most = 64
    while True:
        needed = least_items(target, certainty, most)
        allowed = np.arange(most)[:, None]
        chance = bdtr(allowed, needed[1:, None] - 1, rates).mean(axis=1)
        if chance[-1] >= power or possible < power or most == MOST_ERRORS["all"]:
            break
        most *= 4
    if chance[-1] < power:
        at_best = bdtr(allowed, needed[:-1, None], rates).mean(axis=1).max()
        return Planned(None, float(max(at_best, possible * (possible < power))))
    short = np.flatnonzero(chance < power)
    first = int(short[-1]) + 1 if len(short) else 0
    at_first = bdtr(first, needed[first], rates).mean()
    return Planned(int(needed[first]), float(at_first))


# -- errors among the answered -------------------------------------------------------


def planned_of_answered(
    pilot: Pilot,
    cutoffs: Sequence[int],
    *,
    target: float,
    certainty: float,
    power: float,
) -> list[Planned]:
    """From how many items on the fixed sequence is likely to reach each cutoff.

    Parameters
    ----------
    pilot : Pilot
        Its classes say how errors are spread over the confidences.
    cutoffs : sequence of int
        As `Pilot.cutoff_at` gives them.
    target, certainty, power : float
        What is to be certified, how surely, and with which chance.
    """
    tests = FixedSequence(pilot, target, certainty)
    sizes = _sizes(int(tests.needed[0]), int(tests.needed[-1]))
    rows = np.searchsorted(pilot.items.cumsum(), pilot.answered[list(cutoffs)])
    chances = cache(tests.chances)
    table = np.array([chances(items)[rows] for items in sizes])
    return [
        _first_of(sizes, column, partial(_chance_of, chances, row), power)
        for column, row in zip(table.T, rows.tolist(), strict=True)
    ]


def _chance_of(chances: Callable[[int], Floats], row: int, items: int) -> float:
    return float(chances(items)[row])


def _sizes(least: int, largest: int) -> list[int]:
    """Numbers of items that are tried first, each about 1.4 times the last."""
    steps = math.ceil(2 * math.log2(largest / least))
    return [round(least * (largest / least) ** (k / steps)) for k in range(steps + 1)]


def _first_of(
    sizes: Sequence[int],
    chance: Floats,
    chance_of: Callable[[int], float],
    power: float,
) -> Planned:
    """The number from which on all that are tried are likely enough."""
    if chance[-1] < power:
        return Planned(None, float(chance.max()))
    short = np.flatnonzero(chance < power)
    if not len(short):
        return Planned(sizes[0], float(chance[0]))
    low, high = sizes[short[-1]], sizes[short[-1] + 1]
    step = max(low // _CLOSE, 1)
    most = math.ceil((high - low) / step)

    def enough(k: int) -> bool:
        return k >= most or chance_of(low + k * step) >= power

    items = min(low + least_where(enough, 0, most) * step, high)
    return Planned(items, chance_of(items))


class FixedSequence:
    """The tests of a certificate of answered items, and the chances to pass them.

    Parameters
    ----------
    pilot : Pilot
        A fresh sample errs as its classes do.
    target, certainty : float
        What is certified, and how surely.
    """

    def __init__(self, pilot: Pilot, target: float, certainty: float) -> None:
        self.target, self.certainty, self.pilot = target, certainty, pilot
        self.needed = least_items(target, certainty, MOST_ERRORS["answered"])
        self._rates = pilot.likely_rates()
        shares = pilot.wrong / pilot.items
        self._jumps = np.append(np.abs(np.diff(shares)) > _JUMP, False)

    def chances(self, items: int) -> Floats:
        """The chance that a sample is certified down to the end of each class.

        Or further down. From the surest item on, the distribution of the errors so far
        of those samples that have passed all tests. How many items of a sample each
        class has is taken to be known, but where rates of errors jump: there more items
        on the bad side mean more errors.

        Parameters
        ----------
        items : int
            In the sample.

        Returns
        -------
        array of float64, shape (n_classes,)
        """
        first = first_tested(self.target, self.certainty, items)
        reached, before = np.zeros((2, len(self._rates)))
        at_first = 0.0  # the chance to pass the first test, wherever that is
        passing: dict[int, Floats] = {0: np.ones(1)}
        for row, tied in enumerate(self.pilot.tied.tolist()):
            ends = self._ends(row, items)
            onward: dict[int, Floats] = {}
            before[row] = (ends < first).mean()
            for start, errors in passing.items():
                for stop, left in self._walk(errors, start, row, (ends, first, items)):
                    share = float((np.maximum(ends, start) == stop).mean())
                    if start < first <= stop and (tied or stop == first):
                        later = share if tied else float((ends >= first).mean())
                        at_first += later * float(left.sum())
                    if share:
                        onward[stop] = _sum(onward.get(stop, left[:0]), share * left)
                        reached[row] += share * float(left.sum()) * (stop >= first)
            passing = onward
        return np.asarray(reached + before * at_first)

    def _ends(self, row: int, items: int) -> Positions:
        """Where a class may end in a sample, each as likely as the others."""
        n_items = self.pilot.n_items
        share = self.pilot.items[: row + 1].sum() / n_items
        spread = math.sqrt(items * share * (1 - share) * (1 + items / n_items))
        away = spread * _NORMAL if self._jumps[row] else np.zeros(1)
        ends: Positions = np.clip(np.rint(items * share + away), 0, items).astype(int)
        return ends

    def _walk(
        self,
        errors: Floats,
        start: int,
        row: int,
        where: tuple[Positions, int, int],
    ) -> Iterator[tuple[int, Floats]]:
        """Places in a class, and the errors up to there of samples that pass.

        Between two places where one more error is allowed the last test is the hardest,
        so only that is looked at; in a tied class there is only one, at its end.
        """
        ends, first, items = where
        stops = {*np.maximum(ends, start).tolist()}
        tied, last = self.pilot.tied[row], max(stops)
        if not tied:
            low, high = np.searchsorted(self.needed - 1, [max(start, first) + 1, last])
            stops |= {*(self.needed[low:high] - 1).tolist()}
            stops |= {first} if start < first < last else set()
        rates, before = self._rates[row], start
        by_rate = np.tile(errors, (len(rates), 1))
        more = cache(lambda number: _more_errors(number, rates))
        for stop in sorted(stops):
            by_rate = _longer(by_rate, more(stop - before), self._allowed(items))
            before = stop
            tested = by_rate[:, : self._allowed(stop) + 1] if stop >= first else by_rate
            yield stop, tested.mean(axis=0)
            if not tied:
                by_rate = tested

    def _allowed(self, answered: int) -> int:
        """With how many errors so many answered items are certified; -1 is never."""
        return int(np.searchsorted(self.needed, answered, "right")) - 1


def _sum(first: Floats, second: Floats) -> Floats:
    """Two distributions of errors as one."""
    whole = np.zeros(max(len(first), len(second)))
    whole[: len(first)] += first
    whole[: len(second)] += second
    return whole


def _more_errors(items: int, rates: Floats) -> Floats:
    """The chance of each number of errors in so many items, a row for each rate."""
    from scipy.special import gammaln, xlog1py, xlogy

    errors = np.arange(items + 1)
    ways = gammaln(items + 1) - gammaln(errors + 1) - gammaln(items - errors + 1)
    rates = rates[:, None]
    chance = np.exp(ways + xlogy(errors, rates) + xlog1py(items - errors, -rates))
    likely = np.flatnonzero(chance.max(axis=0) > _LEAST)
    return np.asarray(chance[:, : int(likely[-1]) + 1])


def _longer(by_rate: Floats, more: Floats, most: int) -> Floats:
    """Distributions of at most so many errors, a row for each rate, with more items."""
    width = by_rate.shape[1]
    longer = np.zeros((len(by_rate), width + more.shape[1] - 1))
    for errors in range(min(more.shape[1], most + 1)):
        longer[:, errors : errors + width] += more[:, errors, None] * by_rate
    return longer[:, : most + 1]
