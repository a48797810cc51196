"""The interval of discrimination where few levels of confidence are stated.

With few levels discrimination is a function of few rates, and where errors are few it
is skewed: what is seen is too high on average, and seldom by much too low, yet where
that happens its standard error as seen is too low as well. So each end is tested by
draws from rates at which it would be the truth.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from demur.arrays import Floats

MOST_LEVELS = 10

DRAWS = 2000

PRIOR = 1.0
"""Each level is taken to have so many answers more, as often right as it states."""

STRETCH = 1e-3
"""How far apart rates are taken that are seen to be equal, in log odds."""

GROWTH, LEAST_GROWTH, DEVIATIONS = 0.1, 1e-6, 0.5
"""From one point to the next discrimination changes by such a part of itself and so
much more, at most by so many of its standard errors."""

MOST_ODDS = 0.5
"""And log odds by so much at most."""

NONE_LEFT = 1e-3
"""Less than this part of what is seen is taken for no discrimination."""

MOST = 0.2499
"""No rates have more discrimination than a quarter."""


@dataclass(frozen=True, eq=False)
class LevelRates:
    """How often levels are stated, and answers of each are right.

    Parameters
    ----------
    share, rate : arrays of float64, shape (n_levels,)
        By rising confidence; shares add up to 1.
    """

    share: Floats
    rate: Floats

    @property
    def apart(self) -> Floats:
        """Rates less their mean."""
        apart: Floats = self.rate - self.share @ self.rate
        return apart

    @property
    def discrimination(self) -> float:
        """How much better the rates are as forecasts than their mean."""
        return float(self.share @ self.apart**2)

    def moved(self, direction: int, size: float) -> "LevelRates | None":
        """The nearest rates with a little more discrimination (1), or less (-1).

        Nearest in likelihood: the odds of an answer of each level that is right, and of
        one that is wrong, change by how much such an answer adds to discrimination. None
        if there are none.

        Parameters
        ----------
        direction : {-1, 1}
        size : float
            Answers that are seen.
        """
        apart, value = self.apart, self.discrimination
        beyond = apart**2 - value
        luck = 4 * apart**2 * self.rate * (1 - self.rate) + beyond**2
        speed = float(self.share @ luck)
        if speed <= 0 or value >= MOST:
            return None
        growth = min(
            GROWTH * value + LEAST_GROWTH, DEVIATIONS * math.sqrt(speed / size)
        )
        most = MOST_ODDS / (2 * float(np.abs(apart).max()))
        step = direction * min(growth / speed, most)
        share = self.share * np.exp(step * beyond)
        return LevelRates(share / share.sum(), tilted_rates(self.rate, 2 * step * apart))


def tilted_rates(rate: Floats, log_odds: Floats) -> Floats:
    """Rates whose odds are so much higher."""
    right: Floats = rate * np.exp(log_odds)
    return right / (right + 1 - rate)


def discrimination_interval(
    stated: Floats,
    number: Floats,
    right: Floats,
    *,
    level: float,
    seed: int = 0,
) -> tuple[float, float]:
    """The interval of discrimination by draws from rates at which its ends are true.

    An end is where the discrimination seen, or one beyond it, has the chance
    (1 - level) / 2; of draws that equal it half are counted. The rates of an end are the
    likeliest with that discrimination, from those that are seen.

    Parameters
    ----------
    stated : array of float64, shape (n_levels,)
        Confidences of the levels, rising, from 0 to 1; two or more.
    number, right : arrays of float64, shape (n_levels,)
        How many answers have each level, and how many of them are right.
    level : float
        Of the interval.
    seed : int
        Of the draws.

    Examples
    --------
    None of 25 answers stated .9 and of 25 stated 1 is wrong:

    >>> low, high = discrimination_interval(
    ...     np.array([0.9, 1.0]), np.full(2, 25.0), np.full(2, 25.0), level=0.95)
    >>> low, round(high, 3)
    (0.0, 0.005)
    """
    seen = float(discriminations(right[None], number[None])[0])
    size = round(float(number.sum()))
    start = _start(stated, number, right)

    def chance(rates: LevelRates, direction: int) -> float:
        drawn = _drawn(rates, size, seed)
        beyond = direction * (seen - drawn)
        equal = np.abs(beyond) <= 1e-12
        return float(np.mean(np.where(equal, 0.5, beyond > 0)))

    least = (1 - level) / 2
    low, high = (
        _end(_Path(start, direction, size, chance), least) for direction in (-1, 1)
    )
    return min(low, seen), max(high, seen)


def _start(stated: Floats, number: Floats, right: Floats) -> LevelRates:
    """The rates that are seen, with `PRIOR` answers more, and apart."""
    share = number / number.sum()
    more = number + PRIOR
    rate = rising(((right + PRIOR * stated) / more * number)[None], number[None])[0]
    apart = stated - share @ stated
    scale = float(np.sqrt(share @ apart**2)) or 1.0
    return LevelRates(share, tilted_rates(rate, STRETCH * apart / scale))


class _Path:
    """Rates of more and more, or less and less, discrimination, made when asked for."""

    def __init__(
        self,
        start: LevelRates,
        direction: int,
        size: float,
        chance: Callable[[LevelRates, int], float],
    ) -> None:
        self.direction = direction
        self._rates, self._size, self._chance = [start], size, chance
        self._chances: dict[int, float] = {}

    def last(self, place: int) -> int:
        """The place, or the last one before it that there is."""
        least = NONE_LEFT * self._rates[0].discrimination
        while len(self._rates) <= place and self.discrimination(-1) > least:
            further = self._rates[-1].moved(self.direction, self._size)
            if further is None:
                break
            self._rates.append(further)
        return min(place, len(self._rates) - 1)

    def discrimination(self, place: int) -> float:
        """Of the rates at a place."""
        return self._rates[place].discrimination

    def chance(self, place: int) -> float:
        """Of what is seen, or what is beyond it, at a place."""
        if place not in self._chances:
            self._chances[place] = self._chance(self._rates[place], self.direction)
        return self._chances[place]


def _end(path: _Path, least: float) -> float:
    """The discrimination at which the chance falls to the least."""
    inside, outside = 0, path.last(1)
    if path.chance(0) < least:
        return path.discrimination(0)
    while path.chance(outside) >= least:
        inside, outside = outside, path.last(2 * outside)
        if inside == outside:
            return path.discrimination(outside) if path.direction > 0 else 0.0
    while outside - inside > 1:
        middle = (inside + outside) // 2
        if path.chance(middle) >= least:
            inside = middle
        else:
            outside = middle
    # Chances fall about as powers: a line between their logarithms.
    chances = path.chance(inside), max(path.chance(outside), 0.5 / DRAWS)
    part = math.log(chances[0] / least) / math.log(chances[0] / chances[1])
    ends = path.discrimination(inside), path.discrimination(outside)
    return ends[0] + part * (ends[1] - ends[0])


def _drawn(rates: LevelRates, size: int, seed: int) -> Floats:
    """Discriminations seen in draws of so many answers."""
    cells = np.concatenate(
        [rates.share * rates.rate, rates.share * (1 - rates.rate)]
    )
    cells = np.maximum(cells, 0.0)
    drawn = np.random.default_rng(seed).multinomial(size, cells / cells.sum(), DRAWS)
    right, wrong = np.split(drawn.astype(np.float64), 2, axis=1)
    return discriminations(right, right + wrong)


def discriminations(right: Floats, number: Floats) -> Floats:
    """Discrimination in samples, by their rising estimates, shape (n_samples,).

    Parameters
    ----------
    right, number : arrays of float64, shape (n_samples, n_levels)
        Answers that are right, and all, of each level; of some there may be none.
    """
    total = number.sum(axis=1)
    apart = rising(right, number) - (right.sum(axis=1) / total)[:, None]
    value: Floats = np.where(number > 0, number * apart**2, 0.0).sum(axis=1) / total
    return value


def rising(right: Floats, number: Floats) -> Floats:
    """Rising estimates of right / number in many samples of few levels.

    At each level the largest, over where a stretch begins up to it, of the smallest,
    over where it ends, of the stretch's rate. Anything where a sample has no answer.
    """
    n_levels = right.shape[1]
    ends = np.zeros((2, n_levels + 1, len(right)))
    np.cumsum(right.T, axis=0, out=ends[0, 1:])
    np.cumsum(number.T, axis=0, out=ends[1, 1:])
    estimate = np.full((n_levels, len(right)), -np.inf)
    for begin in range(n_levels):
        sums = ends[:, begin + 1 :] - ends[:, begin, None]
        with np.errstate(invalid="ignore", divide="ignore"):
            rate = np.where(sums[1] > 0, sums[0] / sums[1], np.inf)
        smallest = np.minimum.accumulate(rate[::-1], axis=0)[::-1]
        np.maximum(estimate[begin:], smallest, out=estimate[begin:])
    return np.where(np.isfinite(estimate), estimate, 0.0).T
