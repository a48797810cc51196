"""How likely a fresh sample is certified, judging from a pilot.

What the pilot leaves open is taken into account: rates of errors are those that are
likely after so many wrong answers and right ones (Jeffreys' prior).
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final, NamedTuple

import numpy as np

from demur.arrays import Flags, Floats, Positions, Sample, frozen
from demur.decisions.betting import least_where
from demur.decisions.certificates import erring
from demur.decisions.exact_certificates import (
    STARTS,
    first_tested,
    most_wrong,
    own_risk,
    starts_at,
)

CLASSES: Final = 10
"""Classes of a pilot's ranked items."""

MOST_ERRORS: Final = {"all": 4096, "answered": 512}
"""No plan is for more items than those that are certified with so many errors."""

_FINE, _COARSE = 200, 6  # likely rates, where one decides and where classes add up
_HALF: Final = 0.5  # an answer of either kind, as in Jeffreys' prior
_CLOSE: Final = 50  # items are planned to a fiftieth
_LEAST: Final = 1e-7  # chances that do not count
_FEW: Final = 3e-4  # walks that do not count
_KINDS: Final = 5  # risks that walks may carry
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
    wrong = np.arange(most + 1)
    high = fewest_items(wrong, (wrong, wrong + 1), target, 1 - certainty)
    frozen(high)
    return high


def fewest_items(
    wrong: Positions, between: tuple[Any, Any], target: float, risk: float
) -> Positions:
    """How few items pass with so many errors each, above the first of two numbers.

    Parameters
    ----------
    wrong : array of int64
    between : tuple of int or arrays of int64
        It is above the first; from the second on it is looked for by doubling.
    target, risk : float
        The error, and the chance to be wrong about it.
    """
    from scipy.special import bdtr

    low, high = (np.broadcast_to(edge, wrong.shape) for edge in between)

    def short(items: Positions) -> Flags:
        return np.asarray(bdtr(wrong, items, target) > risk)

    while (few := short(high)).any():
        low, high = np.where(few, high, low), np.where(few, 2 * high, high)
    while (high - low > 1).any():
        middle = np.maximum((low + high) // 2, wrong + 1)
        few = short(middle)
        low, high = np.where(few, middle, low), np.where(few, high, middle)
    return np.array(high)


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
    """From how many items on a certificate is likely to reach each cutoff.

    Parameters
    ----------
    pilot : Pilot
        Its classes say how errors are spread over the confidences.
    cutoffs : sequence of int
        As `Pilot.cutoff_at` gives them.
    target, certainty, power : float
        What is to be certified, how surely, and with which chance.
    """
    tests = CertificateWalks(pilot, target, certainty)
    needed = least_items(target, certainty, MOST_ERRORS["answered"])
    sizes = _sizes(int(needed[0]), int(needed[-1]))
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


Walks = dict[tuple[float, int], Floats]
"""Chances of each number of errors, by the risk that is carried and by the last class
down to whose end a walk has been certified."""


class CertificateWalks:
    """The tests of a certificate of answered items, and where they are likely to end.

    Parameters
    ----------
    pilot : Pilot
        A fresh sample errs as its classes do.
    target, certainty : float
        What is certified, and how surely.
    """

    def __init__(self, pilot: Pilot, target: float, certainty: float) -> None:
        self.target, self.risk, self.pilot = target, 1 - certainty, pilot
        self._rates = pilot.likely_rates()
        shares = pilot.wrong / pilot.items
        self._jumps = np.append(np.abs(np.diff(shares)) > _JUMP, False)

    def chances(self, items: int) -> Floats:
        """The chance that a sample is certified down to the end of each class.

        Or further down. From the surest item on, the errors so far are distributed over
        the walks that carry some risk, and over those that carry none and have passed
        down to one class or another. How many items of a sample each class has is
        taken to be known, but where rates of errors jump: there more items on the bad
        side mean more errors.

        Parameters
        ----------
        items : int
            In the sample.

        Returns
        -------
        array of float64, shape (n_classes,)
        """
        starts = _Starts(self._vertices(items), self.target, self.risk)
        none = np.eye(1, starts.most + 2)[0]
        under_way: dict[int, Walks] = {0: {(0.0, -1): none}}
        for row in range(len(self._rates)):
            ends = self._ends(row, items)
            onward: dict[int, Walks] = {}
            for begin, walks in under_way.items():
                for stop, later in self._through(row, walks, begin, ends, starts):
                    share = float((np.maximum(ends, begin) == stop).mean())
                    for key, errors in later.items() if share else ():
                        _add(onward.setdefault(stop, {}), key, share * errors)
            under_way = onward
        last = np.zeros(len(self._rates) + 1)
        for walks in under_way.values():
            for (_, row), errors in walks.items():
                last[row] += errors.sum()  # -1, where nothing is certified, is the end
        return np.asarray(last[-2::-1].cumsum()[::-1])

    def _vertices(self, items: int) -> Positions:
        """How many guesses each cutoff of a sample answers."""
        ends = [round(self._ends(row, items).mean()) for row in range(len(self._rates))]
        pairs = zip([0, *ends], ends, self.pilot.tied.tolist(), strict=False)
        parts = [
            [end] if tied else range(begin + 1, end + 1) for begin, end, tied in pairs
        ]
        return np.unique(np.concatenate(parts).astype(int))

    def _ends(self, row: int, items: int) -> Positions:
        """Where a class may end in a sample, each as likely as the others."""
        n_items = self.pilot.n_items
        share = self.pilot.items[: row + 1].sum() / n_items
        spread = math.sqrt(items * share * (1 - share) * (1 + items / n_items))
        away = spread * _NORMAL if self._jumps[row] else np.zeros(1)
        ends: Positions = np.clip(np.rint(items * share + away), 0, items).astype(int)
        return ends

    def _through(
        self, row: int, walks: Walks, begin: int, ends: Positions, starts: "_Starts"
    ) -> Iterator[tuple[int, Walks]]:
        """Places where a class may end, and the walks that have come there.

        In a tied class there is one test, at its end.
        """
        tied, rates = self.pilot.tied[row], self._rates[row]
        stops = {*np.maximum(ends, begin).tolist()}
        inner = () if tied else starts.between(begin, max(stops))
        more = cache(lambda number: _more_errors(number, rates))
        walks = {key: np.tile(part, (len(rates), 1)) for key, part in walks.items()}
        before = begin
        for place in sorted(stops.union(inner)):
            # Those that have lost their risk wait for the next start.
            waiting = {key: walks.pop(key) for key in [*walks] if key[1] < row - 1}
            waiting = _further(waiting, more(place - before))
            for stop in () if tied else starts.hardest(walks, before, place, more):
                walks = _further(walks, more(stop - before))
                walks = starts.tested(walks, stop, 0.0, row - 1)
                before = stop
            walks = _further(walks, more(place - before)) | waiting
            brought = starts.brought(begin if tied else place - 1, place)
            if place > begin:
                ended = starts.tested(walks, place, brought, row)
            else:  # an empty class: what has passed the one before has passed it too
                ended = {
                    (risk, row if last == row - 1 and begin else last): part
                    for (risk, last), part in walks.items()
                }
            if place in stops:
                yield place, {key: part.mean(axis=0) for key, part in ended.items()}
            if begin < place < max(stops) and not tied:
                walks = _merged(starts.tested(walks, place, brought, row - 1))
            before = place


class _Starts:
    """Where the tests of a sample start, and which errors pass where."""

    def __init__(self, answered: Positions, target: float, risk: float) -> None:
        self.target = target
        guesses = int(answered[-1])
        self.most = most_wrong(guesses, target, risk)
        self.counts = np.unique(-(-guesses * np.arange(1, STARTS + 1) // STARTS))
        self._luck = cache(lambda items: own_risk(items, target, risk))
        self.left = risk - sum(map(self._luck, answered[starts_at(answered)].tolist()))
        self.first = first_tested(target, self.left, guesses)

    def between(self, before: int, last: int) -> list[int]:
        """Numbers of answered items where tests start."""
        counts = {*self.counts.tolist(), self.first}
        return [count for count in counts if before < count <= last]

    def brought(self, before: int, place: int) -> float:
        """The risk that a cutoff brings, if the one before answers so many items."""
        twentieth = ((self.counts > before) & (self.counts <= place)).any()
        alone = self._luck(place) if twentieth else 0.0
        return alone + self.left * (before < self.first <= place)

    def hardest(
        self, walks: Walks, before: int, place: int, more: Callable[[int], Floats]
    ) -> list[int]:
        """Where tests between two places are hardest: before one more error is allowed.

        As the likeliest walk has it; none if hardly any could fail there.
        """
        carrying = {key: part for key, part in walks.items() if key[0]}
        if not carrying or place - before < 2:
            return []
        there = _further(carrying, more(place - before))
        failing = self.tested(there, before, 0.0, 0)
        if sum(part.sum() for (risk, _), part in failing.items() if not risk) < _FEW:
            return []
        risk, _ = max(carrying, key=lambda key: float(carrying[key].sum()))
        least, most = (most_wrong(n, self.target, risk) for n in (before, place - 1))
        wrong = np.arange(least + 1, most + 1)
        needed = fewest_items(wrong, (before, place - 1), self.target, risk)
        hard = {*(needed - 1).tolist(), place - 1}
        return sorted(items for items in hard if items > before)

    def tested(self, walks: Walks, place: int, brought: float, row: int) -> Walks:
        """Those that pass go on with all their risk, the others without any."""
        from scipy.special import bdtr

        chance = np.append(bdtr(np.arange(self.most + 1), place, self.target), 2.0)
        tested: Walks = {}
        for (carried, last), errors in walks.items():
            risk = carried + brought
            if not risk:
                _add(tested, (0.0, last), errors)
                continue
            passing = np.where(chance <= risk, errors, 0.0)
            _add(tested, (risk, row), passing)
            _add(tested, (0.0, last), errors - passing)
        return tested


def _merged(walks: Walks) -> Walks:
    """The rarest walks that carry a risk are counted as if it were the next lower."""
    carrying = sorted(key for key in walks if key[0])
    while len(carrying) > _KINDS:
        rarest = min(carrying[1:], key=lambda key: float(walks[key].sum()))
        lower = carrying[carrying.index(rarest) - 1]
        walks[lower] = walks[lower] + walks.pop(rarest)
        carrying.remove(rarest)
    return walks


def _add(walks: Walks, key: tuple[float, int], errors: Floats) -> None:
    """More walks of one kind; very unlikely ones do not count."""
    if errors.sum() > _LEAST:
        walks[key] = walks.get(key, 0.0) + errors


def _further(walks: Walks, more: Floats) -> Walks:
    """Walks some items later; the last number of errors stands for all above it."""
    if not walks or more.shape[1] == 1:
        return walks
    errors = np.array([*walks.values()])
    width, likely = errors.shape[-1], np.flatnonzero(errors.max(axis=(0, 1)) > _LEAST)
    if not len(likely):
        return {}
    low, high = int(likely[0]), int(likely[-1]) + 1
    longer = np.zeros((*errors.shape[:-1], max(width, high + more.shape[1] - 1)))
    for number in range(more.shape[1]):
        part = more[:, number, None] * errors[..., low:high]
        longer[..., low + number : high + number] += part
    longer[..., width - 1] = longer[..., width - 1 :].sum(axis=-1)
    return dict(zip(walks, longer[..., :width], strict=True))


def _more_errors(items: int, rates: Floats) -> Floats:
    """The chance of each number of errors in so many items, a row for each rate."""
    from scipy.special import gammaln, xlog1py, xlogy

    errors = np.arange(items + 1)
    ways = gammaln(items + 1) - gammaln(errors + 1) - gammaln(items - errors + 1)
    rates = rates[:, None]
    chance = np.exp(ways + xlogy(errors, rates) + xlog1py(items - errors, -rates))
    likely = np.flatnonzero(chance.max(axis=0) > _LEAST)
    return np.asarray(chance[:, : int(likely[-1]) + 1])
