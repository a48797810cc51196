"""Graded guesses by rising confidence, and the rising estimate of their credit."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from demur.arrays import Flags, Floats, Positions, Sample
from demur.checks import decimal_fraction
from demur.errors import InputError, UndefinedRate, shown

_FEW_CREDITS = 4
_FEW_LEVELS = 200  # up to which draws are fitted faster together
_ROUNDS = 60


@dataclass(frozen=True, eq=False, slots=True)
class Graded:
    """Graded guesses by rising confidence, in rows; levels are runs of rows.

    Parameters
    ----------
    level : array of float64, shape (n_levels,)
        Distinct confidences, or the mean confidences of merged ones.
    first : array of int64, shape (n_levels,)
        The row where each level begins.
    confidence, credit, weight : arrays of float64, shape (n_rows,)
        Of each row; the weight is that of all its guesses together.
    count : array of int64, shape (n_rows,)
        Guesses in each row: 1, or several alike ones.
    unit : array of int64, shape (n_rows,), or None
        Rows of the same unit are drawn together; None if every guess stands alone.
    no_guess, ungraded : int
        Items left out.
    """

    level: Floats
    first: Positions
    confidence: Floats
    credit: Floats
    weight: Floats
    count: Positions
    unit: Positions | None
    no_guess: int
    ungraded: int

    @property
    def stated(self) -> bool:
        """Whether all confidences can be probabilities."""
        return bool(self.level[0] >= 0 and self.level[-1] <= 1)

    @property
    def items(self) -> int:
        """How many graded guesses there are."""
        return int(self.count.sum())

    @property
    def units(self) -> int:
        """How many items, or clusters, can be drawn."""
        return self.items if self.unit is None else int(self.unit.max()) + 1

    def sums(self, amount: Floats | float = 1.0) -> Floats:
        """Weighted sum of an amount at each level."""
        totals: Floats = np.add.reduceat(self.weight * amount, self.first)
        return totals

    def coarse(self, cells: int) -> "Graded":
        """The same guesses with neighbouring levels merged, for resampling.

        Alike guesses that stand alone and weigh the same become one row.

        Parameters
        ----------
        cells : int
            Merge levels into about as many, with equal numbers of guesses; fewer
            levels stay as they are.
        """
        size = np.add.reduceat(self.count, self.first)
        before = np.cumsum(size) - size
        cell = np.arange(len(size))
        if len(size) > cells:
            cell = np.unique(before * cells // self.items, return_inverse=True)[1]
        row_cell = np.repeat(cell, np.diff(np.append(self.first, len(self.credit))))
        first = np.searchsorted(row_cell, np.arange(cell[-1] + 1))
        weight = np.add.reduceat(self.weight, first)
        level: Floats = np.add.reduceat(self.weight * self.confidence, first) / weight
        if len(size) <= cells:
            level = self.level
        return replace(self, level=level, first=first)._alike(row_cell)

    def _alike(self, cell: Positions) -> "Graded":
        """Alike guesses in one row each, where that changes nothing but the speed."""
        credits, code = np.unique(self.credit, return_inverse=True)
        equal = (self.weight == self.weight[0]).all() and (self.count == 1).all()
        if self.unit is not None or not equal or len(credits) > _FEW_CREDITS:
            return self
        key, row = np.unique(cell * len(credits) + code, return_inverse=True)
        count = np.bincount(row)
        return replace(
            self,
            first=np.searchsorted(key // len(credits), np.arange(len(self.level))),
            confidence=np.bincount(row, self.confidence) / count,
            credit=credits[key % len(credits)],
            weight=count * self.weight[0],
            count=count,
        )

    # -- chance --------------------------------------------------------------------

    def flipped(self, rng: np.random.Generator) -> Floats:
        """1 or -1 for each unit, at random; the mean of each row, shape (n_rows,)."""
        signs: Floats
        if self.unit is None:
            signs = rng.binomial(self.count, 0.5) / (0.5 * self.count) - 1
        else:
            signs = (2.0 * rng.integers(0, 2, self.units) - 1)[self.unit]
        return signs

    def kept(self, rng: np.random.Generator, *, alike: float = 1.0) -> Floats:
        """Credit of each row if confidences were kept like promises, shape (n_rows,).

        A guess is right with its confidence for a chance. Those of one cluster stand
        and fall together as far as they are ``alike``, by normal variables with this
        correlation: from 0, each by itself, to 1, as far as their confidences allow.
        """
        from scipy.special import ndtr

        credit: Floats
        if self.unit is None:
            credit = rng.binomial(self.count, self.confidence) / self.count
        elif alike == 1:
            chosen = rng.random(self.units)[self.unit] < self.confidence
            credit = chosen.astype(float)
        else:
            shared = rng.standard_normal(self.units)[self.unit]
            single = rng.standard_normal(len(self.unit))
            mixed = np.sqrt(alike) * shared + np.sqrt(1 - alike) * single
            credit = (ndtr(mixed) < self.confidence).astype(float)
        return credit

    def alike(self) -> float:
        """How far the guesses of a cluster err together: the correlation of pairs.

        Of credits less confidences, over their standard deviations if confidences are
        kept; 0 where nothing is known of it.
        """
        if self.unit is None:
            return 0.0
        deviation = np.sqrt(self.confidence * (1 - self.confidence))
        some = deviation > 0
        apart = (self.credit - self.confidence)[some] / deviation[some]
        unit = self.unit[some]
        pairs = float(np.square(np.bincount(unit, apart)).sum() - apart @ apart)
        alone = float((np.bincount(unit)[unit] - 1) @ apart**2)
        return min(max(pairs / alone, 0.0), 1.0) if alone else 0.0


def graded_guesses(where: str, sample: Sample, ungraded: Flags | None) -> Graded:
    """What calibration is judged on.

    Parameters
    ----------
    where : str
        The function, for messages.
    sample : Sample
        One system's answers.
    ungraded : array of bool, shape (n_items,), or None
        Guesses to leave out.

    Raises
    ------
    UndefinedRate
        If there is no graded guess, or one without a confidence.
    """
    guess = sample.guess
    if ungraded is not None:
        if len(ungraded) != len(sample):
            need = f"have one flag for each of the {len(sample)} items"
            raise InputError(where, "ungraded", need, str(len(ungraded)))
        guess = guess & ~np.asarray(ungraded, bool)
    if not guess.any():
        raise UndefinedRate("there is no graded guess to judge.", where=where)
    confidence = sample.confidence[guess] + 0.0  # -0.0 becomes 0.0
    if np.isnan(confidence).any():
        raise UndefinedRate("there are guesses without a confidence.", where=where)
    every = np.ones(len(sample)) if sample.weight is None else sample.weight
    credit, weight = 1.0 - sample.loss[guess], every[guess]
    order = np.lexsort((weight, credit, confidence))
    confidence = confidence[order]
    unit = None
    if sample.cluster is not None:
        unit = np.unique(sample.cluster[guess][order], return_inverse=True)[1]
    first = np.flatnonzero(np.append(True, confidence[1:] != confidence[:-1]))
    return Graded(
        level=confidence[first],
        first=first,
        confidence=confidence,
        credit=credit[order],
        weight=weight[order],
        count=np.ones(len(order), np.int64),
        unit=unit,
        no_guess=int(np.count_nonzero(~sample.guess)),
        ungraded=int(np.count_nonzero(sample.guess)) - len(confidence),
    )


def chance_outside(where: str, level: Any, replicates: Any, *, least: int) -> Fraction:
    """1 - level, of what is drawn ``replicates`` times; both are checked."""
    chance = 1 - decimal_fraction(where, "level", level)
    if chance in (0, 1):
        raise InputError(where, "level", "lie between 0 and 1", shown(level))
    if not isinstance(replicates, int) or replicates < least:
        raise InputError(where, "replicates", f"be {least} or more", shown(replicates))
    return chance


def isotonic(credit: Floats, weight: Floats) -> Floats:
    """Rising estimates of credit / weight, from sums at each level.

    Pools come from scipy; their ratios are formed here from whole sums, so that pools
    of equal ratio have the same estimate.

    Parameters
    ----------
    credit, weight : arrays of float64, shape (n_levels,)
        Sums at each level, by rising confidence; weights are positive.

    Returns
    -------
    array of float64, shape (n_levels,)

    Examples
    --------
    >>> import numpy as np
    >>> isotonic(np.array([0.0, 1.0, 0.0, 1.0]), np.ones(4))
    array([0. , 0.5, 0.5, 1. ])
    """
    from scipy.optimize import isotonic_regression

    pools = isotonic_regression(credit / weight, weights=weight).blocks
    first = pools[:-1]
    ratio = np.add.reduceat(credit, first) / np.add.reduceat(weight, first)
    estimate: Floats = np.maximum.accumulate(np.repeat(ratio, np.diff(pools)))
    return estimate


def isotonic_draws(credit: Floats, weight: Floats) -> Floats:
    """`isotonic` of many draws at once, which takes a fraction of the time.

    Neighbours that fall are pooled in all draws together, some times; in which order
    they are pooled makes no difference (Barlow et al. 1972, section 1.2). Draws of many
    levels, and those that take longer, are fitted one by one.

    Parameters
    ----------
    credit : array of float64, shape (n_draws, n_levels)
        Sums at each level, by rising confidence.
    weight : array of float64, shape (n_levels,)
        Sums at each level, those of all draws; positive.

    Returns
    -------
    array of float64, shape (n_draws, n_levels)

    Examples
    --------
    >>> import numpy as np
    >>> credit = np.array([[0.0, 1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 0.0]])
    >>> isotonic_draws(credit, np.ones(4))
    array([[0. , 0.5, 0.5, 1. ],
           [0.5, 0.5, 0.5, 0.5]])
    """
    n_draws, n_levels = credit.shape
    draw = np.repeat(np.arange(n_draws), n_levels)
    every, weights = credit.ravel(), np.tile(weight, n_draws)
    first, total, size = np.arange(len(every)), every, weights
    falling = draw  # the draws in which something still falls
    for _ in range(_ROUNDS if n_levels <= _FEW_LEVELS else 0):
        ratio = total / size
        falls = (ratio[1:] < ratio[:-1]) & (draw[1:] == draw[:-1])
        falling = draw[1:][falls]
        if not len(falling):
            break
        begins = np.flatnonzero(np.append(True, ~falls))
        first, draw = first[begins], draw[begins]
        total, size = np.add.reduceat(total, begins), np.add.reduceat(size, begins)
    ratio = np.add.reduceat(every, first) / np.add.reduceat(weights, first)
    estimate = np.repeat(ratio, np.diff(np.append(first, len(every))))
    rising: Floats = np.maximum.accumulate(estimate.reshape(credit.shape), axis=1)
    for row in np.unique(falling):
        rising[row] = isotonic(credit[row], weight)
    return rising
