"""How much a live board gives away: what all its numbers together tell of verdicts.

Who sends the same answers again and again, in another order of confidences each time,
reads from every number how many of a chosen part of the items are wrong. ``K`` numbers
are ``K`` linear measurements of as many unknown verdicts as there are items. Least
squares explains the share ``r = K / items`` of each verdict's variance, and the guess
of each is right with the chance ``Phi(sqrt(r / (1 - r)))`` where right and wrong are
equally common; where they are not, less is gained. Nobody is known to do better with
few numbers; with about as many as items all verdicts fall.

Rounding protects less than it seems. It is noise to who does not look for it; but an
answer that is nonsense is wrong for certain, so that a count can be moved to where
rounding turns, and then a number still tells whether the count is above its mean: of
a normal count this keeps 2 / pi of what the number would have told, however few digits
it has.

Digits finer than one item tell more than a count: of answers that are equally sure and
lie at the rate only a part is answered, so that how many of them are wrong stands in
the further digits. Then one number is two measurements.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from demur.arrays import Floats

LEAST_TOLD: Final = 2 / math.pi
"""What a number of one binary digit, its turn at the mean, keeps of a normal count."""

_HALF: Final = 0.5
_FAR: Final = 8.0
"""Standard deviations beyond which a normal count does not lie."""


@dataclass(frozen=True)
class LeakBudget:
    """What the numbers of a live board tell at most, against what they may tell.

    Parameters
    ----------
    items : int
        With a hidden verdict.
    numbers : int or None
        That are shown for one submission and depend on verdicts.
    submissions : int or None
        Of one team over all phases; None if nothing bounds them.
    digits : int
        Decimals of each number, as a share.
    teams : int
        That might pool what they see.
    most_gain : float
        What may be learnt beyond guessing, as a share of the items.
    most : float
        What a wrong answer adds to a number at most, in items: the weight of a
        weighted error, whose digits are finer by so much.
    before : int
        Numbers that a team saw on earlier boards, and that are shown no more.
    """

    items: int
    numbers: int
    submissions: int | None
    digits: int
    teams: int
    most_gain: float
    most: float = 1.0
    before: int = 0

    @property
    def shown(self) -> int | None:
        """Numbers that one team sees of its own in all."""
        if not self.numbers:
            return self.before
        if self.submissions is None:
            return None
        return self.numbers * self.submissions + self.before

    @property
    def allowed(self) -> int:
        """How many numbers of so many digits stay within the gain."""
        kept = told_by_digits(self.items, self.digits, self.most)
        share = explained_share(self.most_gain)
        # A whole number that floating point has just missed is reached.
        return math.floor(share * self.items / kept + 1e-9)

    @property
    def gain(self) -> float:
        """What one team may learn beyond guessing."""
        return gain_of(self.items, self.shown, self.digits, self.most)

    @property
    def pooled_gain(self) -> float:
        """What all teams together may learn."""
        shown = self.shown
        pooled = None if shown is None else shown * max(self.teams, 1)
        return gain_of(self.items, pooled, self.digits, self.most)

    @property
    def holds(self) -> bool:
        """Whether one team stays within the budget."""
        return self.shown is not None and self.shown <= self.allowed

    def lines(self) -> list[str]:
        """The budget in words, for the organiser.

        Examples
        --------
        >>> budget = LeakBudget(640, 1, 5, 2, 3, 0.05)
        >>> for line in budget.lines():
        ...     print(line)
        leak budget: 5 numbers of 2 digits for a team (1 x 5 submissions) on 640 items:
        10 are allowed (most_gain 5 points)
        a team may learn at most 3.5 points beyond guessing, all 3 teams together 6.1
        """
        if self.shown is None:
            counted = "any number of numbers, since submissions have no limit"
        else:
            counted = (
                f"{self.shown:,} numbers of {self.digits} digits for a team "
                f"({self.numbers} x {self.submissions or 0:,} submissions"
                + (f", and {self.before:,} on earlier boards)" if self.before else ")")
            )
        many = self.teams > 1
        together = f", all {self.teams} teams together" if many else ""
        return [
            f"leak budget: {counted} on {self.items:,} items: {self.allowed:,} are "
            f"allowed (most_gain {100 * self.most_gain:g} points)",
            f"a team may learn at most {100 * self.gain:.1f} points beyond guessing"
            + (f"{together} {100 * self.pooled_gain:.1f}" if many else ""),
        ]


def explained_share(gain: float) -> float:
    """The share of each verdict's variance whose knowledge gains so much.

    Parameters
    ----------
    gain : float
        Share of items guessed right beyond a half, below a half.

    Examples
    --------
    >>> round(explained_share(0.05), 4)
    0.0155
    """
    from scipy.special import ndtri

    if gain >= _HALF:
        return 1.0
    odds = float(ndtri(_HALF + gain)) ** 2
    return odds / (1 + odds)


def gain_of(items: int, numbers: int | None, digits: int, most: float = 1.0) -> float:
    """What so many numbers teach beyond guessing, by least squares, at the worst.

    Examples
    --------
    >>> round(gain_of(1000, 15, 3), 3), gain_of(100, 100, 2), gain_of(100, None, 2)
    (0.049, 0.5, 0.5)
    """
    from scipy.special import ndtr

    if numbers is None:
        return _HALF
    share = numbers * told_by_digits(items, digits, most) / items
    if share >= 1:
        return _HALF
    return float(ndtr(math.sqrt(share / (1 - share)))) - _HALF


def told_by_digits(items: int, digits: int, most: float = 1.0) -> float:
    """What a number of so many digits tells, as a share of what the count would tell.

    The count is that of all items, each wrong with probability 1/2, taken as normal;
    where the steps of the number lie is the attacker's choice. Without a step between
    two counts it is 1, with steps far wider than the spread of the count 2 / pi. With
    steps of half an item and less it is 2, for two counts fit into one number; of all
    ways to choose them the best was looked for, and none tells more.

    Examples
    --------
    >>> told_by_digits(100, 2), round(told_by_digits(10_000, 2), 3)
    (1.0, 0.755)
    >>> told_by_digits(100, 3), round(told_by_digits(10_000, 2, most=10), 3)
    (2.0, 0.997)
    """
    step = items * 10.0**-digits
    spread = math.sqrt(items) / 2
    if step <= most:
        return min(max(3 - 2 * step, 1.0), 2.0)
    step /= most
    return max(_told(step / spread, place) for place in (0.0, _HALF))


def _told(width: float, place: float) -> float:
    """The variance of a normal number's mean within the steps it is told by."""
    from scipy.special import ndtr

    steps = math.ceil(_FAR / width) + 1
    ends: Floats = (np.arange(-steps, steps + 1) + place) * width
    chance = np.diff(ndtr(ends))
    mean = -np.diff(np.exp(-np.square(ends) / 2)) / math.sqrt(2 * math.pi)
    some = chance > 0
    return float((np.square(mean[some]) / chance[some]).sum())
