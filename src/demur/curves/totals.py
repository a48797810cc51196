"""Sums over all items of one system, and where it stands by its own decisions."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from demur import arrays
from demur.arrays import Flags, Floats, Numbers
from demur.curves.counting import Ladder
from demur.curves.rates import Point
from demur.outcomes.fields import RIGHT, UNANSWERED, UNGRADED, WRONG

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
        weight = None
    if credit is not None and not (credit[outcome == RIGHT] < 1).any():
        credit = None
    if weight is None and credit is None:
        return None, wrong
    earned = np.where(wrong, 0.0, 1.0 if credit is None else credit)
    weight = np.ones(len(outcome)) if weight is None else weight
    graded = outcome <= WRONG
    weights, credits_ = arrays.as_integers(weight), arrays.as_integers(earned)
    if weights is None:
        weight = weight / weight.max()
        weights = arrays.as_integers(weight)
    if weights is None or credits_ is None:
        return weight, weight * np.where(graded, 1.0 - earned, 0.0)
    amount, scale = weights[0], credits_[1]
    return amount * scale, amount * np.where(graded, scale - credits_[0], 0)


def count_outcomes(outcome: npt.NDArray[np.uint8]) -> tuple[int, ...]:
    """How many items have each outcome code."""
    if outcome.max() <= WRONG:
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
        everything = silent + ladder.withheld(np.int64(len(ladder.ranked))).item()
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
    right = max(totals.weight - withheld - lost - unclear, 0)
    amounts = (withheld, lost, max(totals.credit - right, 0), right, unclear)
    nonreturn, error, missed, right, unclear = (
        float(amount / totals.weight) for amount in amounts
    )
    bounds = (error, float((amounts[1] + amounts[4]) / totals.weight))
    return Point(
        nonreturn, error, missed, right, unclear, None, None, bounds, "own decision"
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
