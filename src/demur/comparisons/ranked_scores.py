"""Scores that look at the order of confidences: PRR, E-AURC and their kin.

All are read off the risk (wrong / answered) after 1, 2, ..., n answered guesses. Each
is a sum over guesses, in which a wrong guess costs what its place costs; of guesses
with equal confidence each costs what their places cost on average, which is what is
expected if they are answered in random order.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from demur.arrays import Flags, Floats
from demur.errors import UndefinedRate


@dataclass(frozen=True, eq=False, slots=True)
class RankedGuesses:
    """The guesses of one system.

    Parameters
    ----------
    confidence : array, shape (n_guesses,)
        Higher is surer.
    loss : array of float64, shape (n_guesses,)
        1 less the credit; 0 if it is ungraded.
    ungraded : array of bool, shape (n_guesses,)
        RankedGuesses that nobody could judge.
    """

    confidence: Floats
    loss: Floats
    ungraded: Flags


def prediction_rejection(
    guesses: RankedGuesses, rejection: Fraction
) -> tuple[float, float]:
    """The prediction rejection ratio: of what an oracle gains over chance, how much.

    The risk is averaged over answering all guesses but 0, 1, 2, ... of the least sure;
    1 is the order that puts all wrong guesses last, 0 is no order, below 0 it misleads.

    Parameters
    ----------
    guesses : RankedGuesses
    rejection : Fraction
        The greatest share of the guesses that is rejected.

    Returns
    -------
    tuple (low, high)
        Whatever ungraded guesses are; equal if everything is graded.

    Raises
    ------
    UndefinedRate
        If no order is better than another.

    Examples
    --------
    >>> import numpy as np
    >>> confidence = np.array([0.9, 0.8, 0.7, 0.6])
    >>> loss, none = np.array([0.0, 1.0, 0.0, 1.0]), np.zeros(4, bool)
    >>> guesses = RankedGuesses(confidence, loss, none)
    >>> round(prediction_rejection(guesses, Fraction(1))[0], 4)
    0.5714
    """
    n_guesses = len(guesses.loss)
    rejected = int(rejection * n_guesses)
    if rejected < 2:
        raise UndefinedRate("fewer than two guesses may be rejected")
    risks = _Risks(guesses, _costs(n_guesses, n_guesses - rejected))
    mean = risks.mean
    if (mean == 0).any() or (mean == 1).any() or risks.all_alike:
        raise UndefinedRate("needs right and wrong guesses")
    gain = mean - risks.oracle
    low, high = (mean - risks.most) / gain, (mean - risks.least) / gain
    return float(low.min()), min(float(high.max()), 1.0)


def excess_area(guesses: RankedGuesses) -> tuple[float, float]:
    """The area under the risk-coverage curve less that of the best order: E-AURC.

    Parameters
    ----------
    guesses : RankedGuesses

    Returns
    -------
    tuple (low, high)
        Whatever ungraded guesses are; equal if everything is graded.

    Raises
    ------
    UndefinedRate
        If there is no guess.

    Examples
    --------
    >>> import numpy as np
    >>> confidence = np.array([0.9, 0.8, 0.7, 0.6])
    >>> loss, none = np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(4, bool)
    >>> round(excess_area(RankedGuesses(confidence, loss, none))[0], 4)
    0.4583
    """
    if not len(guesses.loss):
        raise UndefinedRate("no guess has a confidence")
    risks = _Risks(guesses, _costs(len(guesses.loss), 0))
    low, high = risks.least - risks.oracle, risks.most - risks.oracle
    return max(float(low.min()), 0.0), max(float(high.max()), 0.0)


def accuracy_at(
    guesses: RankedGuesses, rate: Fraction, items: int
) -> tuple[float, float]:
    """The share of right answers among the surest guesses.

    Parameters
    ----------
    guesses : RankedGuesses
    rate : Fraction
        How many items are answered / all items; a part of an item is answered.
    items : int
        How many there are, those without a guess too.

    Returns
    -------
    tuple (low, high)
        Whatever ungraded guesses are; equal if everything is graded.

    Raises
    ------
    UndefinedRate
        If fewer items have a guess.

    Examples
    --------
    >>> import numpy as np
    >>> confidence, loss = np.array([0.9, 0.8, 0.8]), np.array([0.0, 1.0, 0.0])
    >>> guesses = RankedGuesses(confidence, loss, np.zeros(3, bool))
    >>> accuracy_at(guesses, Fraction(2, 3), 3)
    (0.75, 0.75)
    """
    answered = math.ceil(rate * items)
    if answered > len(guesses.loss):
        guessed = f"{len(guesses.loss)} of {items} items have a guess"
        raise UndefinedRate(f"{answered} would have to be answered, and {guessed}")
    cost = np.zeros(len(guesses.loss))
    cost[:answered] = 1 / answered
    risks = _Risks(guesses, cost)
    low, high = 1 - float(risks.most[-1]), 1 - float(risks.least[0])
    return max(low, 0.0), max(high, 0.0)


def best_over_cutoffs(
    confidence: Floats, gain: Floats, silent: float, total: float
) -> float:
    """The most that any cutoff earns, of all weight; equal confidences move together.

    Parameters
    ----------
    confidence : array, shape (n_guesses,)
        Higher is surer.
    gain : array of float64, shape (n_guesses,)
        What it earns to give each guess, more than to withhold it.
    silent : float
        What silence earns.
    total : float
        What it is divided by.

    Examples
    --------
    A right answer that ties with one to an unanswerable question gains nothing:

    >>> import numpy as np
    >>> best_over_cutoffs(np.array([0.5, 0.5]), np.array([1.0, -1.0]), 1.0, 2.0)
    0.5
    """
    order = np.argsort(-confidence, kind="stable")
    sure, earned = confidence[order], np.cumsum(gain[order])
    last = np.append(sure[1:] != sure[:-1], True)[: len(sure)]
    return float(max(earned[last].max(initial=0.0), 0.0) + silent) / total


def _costs(n_guesses: int, fewest: int) -> Floats:
    """What a wrong guess costs at each place, the surest first.

    The risk is averaged over more than ``fewest`` answered guesses, up to all.
    """
    share = np.zeros(n_guesses)
    share[fewest:] = 1 / np.arange(fewest + 1, n_guesses + 1)
    costs: Floats = np.cumsum(share[::-1])[::-1] / (n_guesses - fewest)
    return costs


class _Risks:
    """Risks for each number of ungraded guesses that may be wrong, from none to all.

    ``least`` and ``most`` go by which of them these are; ``mean`` is that of no order.
    """

    def __init__(self, guesses: RankedGuesses, cost: Floats) -> None:
        order = np.argsort(-guesses.confidence, kind="stable")
        sure, loss = guesses.confidence[order], guesses.loss[order]
        unclear = guesses.ungraded[order]
        first = np.append(True, sure[1:] != sure[:-1])[: len(sure)]
        block = np.cumsum(first) - 1
        shared = (np.bincount(block, cost) / np.bincount(block))[block]
        known, open_ = float(shared @ loss), np.sort(shared[unclear])
        self.least = known + np.append(0.0, np.cumsum(open_))
        self.most = known + np.append(0.0, np.cumsum(open_[::-1]))
        wrong = loss.sum() + np.arange(len(open_) + 1)
        self.mean = wrong / len(loss)
        self.all_alike = not len(open_) and bool((loss == loss[0]).all())
        self._loss, self._cost, self._wrong = loss, cost, wrong

    @property
    def oracle(self) -> Floats:
        """The risks of the best order.

        Raises
        ------
        UndefinedRate
            If there are both ungraded guesses and partial credit.
        """
        loss, cost, wrong = self._loss, self._cost, self._wrong
        if len(wrong) == 1:
            return np.array([float(cost @ np.sort(loss))])
        if ((loss > 0) & (loss < 1)).any():
            reason = "not known of ungraded answers beside partial credit"
            raise UndefinedRate(reason)
        worst_last = np.append(0.0, np.cumsum(cost[::-1]))
        risks: Floats = worst_last[wrong.astype(np.int64)]
        return risks
