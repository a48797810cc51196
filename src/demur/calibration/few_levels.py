"""The interval of discrimination where few levels of confidence are stated.

Of few levels it is a function of few rates. Where errors are few, too little
discrimination is seen along with too small a standard error, so that what the data
show does not say how far off they may be. Each end is tried instead: what would be
seen if it were the truth is drawn.
"""

import math
from typing import Final

import numpy as np

from demur.arrays import Floats

PRIOR: Final = 1.0
"""Each level has so many answers more, as often right as it states, or as all are."""

APART: Final = 1e-3
"""So far, in log odds, are rates taken to differ that are seen to be equal."""

GROWTH, LEAST_GROWTH, DEVIATIONS = 0.1, 1e-6, 0.5
"""From one point to the next discrimination changes by such a part of itself and so
much more, but at most by so many of its standard errors."""

MOST_ODDS: Final = 0.5
"""And log odds by so much at most."""

NOTHING: Final = 1e-3
"""Less than this part of what is seen is taken for no discrimination."""

MOST: Final = 0.2499
"""No rates have more than a quarter."""

SAME: Final = 1e-12


# -- rates of levels ---------------------------------------------------------------


class LevelRates:
    """How often each level is stated, and how often its answers are right.

    Parameters
    ----------
    share, rate : arrays of float64, shape (n_levels,)
        By rising confidence; shares add up to 1.
    """

    def __init__(self, share: Floats, rate: Floats) -> None:
        self.share, self.rate = share, rate
        self.apart: Floats = rate - share @ rate
        self.discrimination = float(share @ self.apart**2)

    def moved(self, direction: int, size: float) -> "LevelRates | None":
        """The likeliest rates with a little more discrimination (1), or less (-1).

        The odds of right and wrong answers of each level change by how much such an
        answer adds to discrimination: of all rates with as much discrimination these
        are the nearest in likelihood. None if there are no other ones.

        Parameters
        ----------
        direction : {-1, 1}
        size : float
            How many answers are seen.
        """
        apart, value = self.apart, self.discrimination
        share_adds = apart**2 - value
        square = 4 * apart**2 * self.rate * (1 - self.rate) + share_adds**2
        speed = float(self.share @ square)
        if speed <= 0 or value >= MOST:
            return None
        growth = min(
            GROWTH * value + LEAST_GROWTH, DEVIATIONS * math.sqrt(speed / size)
        )
        most = MOST_ODDS / (2 * float(np.abs(apart).max()))
        step = direction * min(growth / speed, most)
        share = self.share * np.exp(step * share_adds)
        return LevelRates(share / share.sum(), with_odds(self.rate, 2 * step * apart))

    def drawn(self, size: int, draws: int, seed: int) -> Floats:
        """Discrimination seen in samples of so many answers, shape (draws,)."""
        chances = np.concatenate([self.rate, 1 - self.rate]) * np.tile(self.share, 2)
        chances = np.maximum(chances, 0.0)
        rng = np.random.default_rng(seed)
        counts = rng.multinomial(size, chances / chances.sum(), draws).astype(float)
        right, wrong = np.split(counts, 2, axis=1)
        return discriminations(right, right + wrong)


def with_odds(rate: Floats, log_odds: Floats) -> Floats:
    """Rates whose odds are so much higher; those of 0 and 1 stay."""
    right: Floats = rate * np.exp(log_odds)
    return right / (right + 1 - rate)


def discriminations(right: Floats, number: Floats) -> Floats:
    """Discrimination of samples by their rising estimates, shape (n_samples,).

    Parameters
    ----------
    right, number : arrays of float64, shape (n_samples, n_levels)
        Answers of each level that are right, and all of them, perhaps none.
    """
    total = number.sum(axis=1)
    apart = rising(right, number) - (right.sum(axis=1) / total)[:, None]
    value: Floats = (number * apart**2).sum(axis=1) / total
    return value


def rising(right: Floats, number: Floats) -> Floats:
    """Rising estimates of right / number in many samples of few levels.

    At each level the largest, over the levels up to it, of the least rate that a
    stretch of levels has that begins there and reaches it. 0 where a sample has no
    answer up to a level.
    """
    n_levels = right.shape[1]
    sums = np.zeros((2, n_levels + 1, len(right)))
    np.cumsum(right.T, axis=0, out=sums[0, 1:])
    np.cumsum(number.T, axis=0, out=sums[1, 1:])
    estimate = np.zeros((n_levels, len(right)))
    for begin in range(n_levels):
        rights, numbers = sums[:, begin + 1 :] - sums[:, begin, None]
        rate = np.full(rights.shape, np.inf)
        np.divide(rights, numbers, out=rate, where=numbers > 0)
        least = np.minimum.accumulate(rate[::-1], axis=0)[::-1]
        least[np.isinf(least)] = 0.0
        np.maximum(estimate[begin:], least, out=estimate[begin:])
    return estimate.T


# -- ends --------------------------------------------------------------------------


def discrimination_interval(
    stated: Floats,
    number: Floats,
    right: Floats,
    *,
    level: float,
    draws: int = 2000,
    seed: int = 0,
) -> tuple[float, float]:
    """The interval of discrimination whose ends, if true, make what is seen rare.

    At an end the discrimination seen, or one beyond it, has the chance
    (1 - level) / 2; half of the draws that equal it count. The rates there are the
    likeliest with that discrimination, found by small steps from those that are seen.
    None at all is tried first: there all levels are as often right.

    Parameters
    ----------
    stated : array of float64, shape (n_levels,)
        Confidences, rising, from 0 to 1; two or more.
    number, right : arrays of float64, shape (n_levels,)
        How many answers have each level, and how many of them are right.
    level : float
        Of the interval.
    draws, seed : int
        For each end that is tried.

    Examples
    --------
    None of 25 answers stated .9, and of 25 stated 1, is wrong:

    >>> low, high = discrimination_interval(
    ...     np.array([0.9, 1.0]), np.full(2, 25.0), np.full(2, 25.0), level=0.95)
    >>> low, round(high, 3)
    (0.0, 0.004)
    """
    seen = float(discriminations(right[None], number[None])[0])
    size, recipe, least = float(number.sum()), (draws, seed), (1 - level) / 2
    start = _seen_rates(stated, number, right, stated)
    high = _Path(start, 1, seen, size, recipe).end(least)
    share, mean = number / size, np.full(len(number), right.sum() / size)
    none = LevelRates(share, mean)
    if _Path(none, -1, seen, size, recipe).chance(0) >= least:
        return 0.0, max(high, seen)
    # A level without an error may have some: it begins a little nearer to the others.
    start = _seen_rates(stated, number, right, mean)
    low = _Path(start, -1, seen, size, recipe).end(least)
    return min(low, seen), max(high, seen)


def _seen_rates(
    stated: Floats, number: Floats, right: Floats, prior: Floats
) -> LevelRates:
    """The rates that are seen, with `PRIOR` answers more, and `APART`."""
    share, more = number / number.sum(), number + PRIOR
    rates = (right + PRIOR * prior) / more
    rate = rising((rates * number)[None], number[None])[0]
    apart = stated - share @ stated
    scale = APART / float(np.sqrt(share @ apart**2))
    return LevelRates(share, with_odds(rate, scale * apart))


class _Path:
    """Rates of more and more, or of less and less, discrimination, made when needed."""

    def __init__(
        self,
        start: LevelRates,
        direction: int,
        seen: float,
        size: float,
        recipe: tuple[int, int],
    ) -> None:
        self._rates, self._direction = [start], direction
        self._seen, self._size, self._recipe = seen, size, recipe
        self._chances: dict[int, float] = {}

    def end(self, least: float) -> float:
        """The discrimination at which what is seen has the least chance."""
        inside, outside = 0, self._reached(1)
        if self.chance(inside) < least:
            return self._rates[inside].discrimination
        while self.chance(outside) >= least:
            inside, outside = outside, self._reached(2 * outside)
            if inside == outside:
                return self._rates[-1].discrimination if self._direction > 0 else 0.0
        while outside - inside > 1:
            middle = (inside + outside) // 2
            near = self.chance(middle) >= least
            inside, outside = (middle, outside) if near else (inside, middle)
        # Chances fall about as powers: a line between their logarithms.
        first, last = (self._rates[place].discrimination for place in (inside, outside))
        chance, none = self.chance(inside), min(0.5 / self._recipe[0], least / 2)
        part = math.log(chance / least)
        part /= math.log(chance / max(self.chance(outside), none))
        return first + part * (last - first)

    def _reached(self, place: int) -> int:
        """The place, or the last one before it that there is."""
        least = NOTHING * self._rates[0].discrimination
        while len(self._rates) <= place and self._rates[-1].discrimination > least:
            further = self._rates[-1].moved(self._direction, self._size)
            if further is None:
                break
            self._rates.append(further)
        return min(place, len(self._rates) - 1)

    def chance(self, place: int) -> float:
        """Of what is seen, or what is beyond it, if the rates of a place were true."""
        if place not in self._chances:
            drawn = self._rates[place].drawn(round(self._size), *self._recipe)
            beyond = self._direction * (self._seen - drawn)
            equal = np.abs(beyond) <= SAME
            self._chances[place] = float(np.where(equal, 0.5, beyond > 0).mean())
        return self._chances[place]
