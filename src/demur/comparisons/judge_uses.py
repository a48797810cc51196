"""Whether a judge may be used for a comparison, by how many of its verdicts say so."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from demur.arrays import Flags, Floats
from demur.comparisons.comparison_results import KINDS
from demur.results import Figure, Result, p_text
from demur.statistics.correcting_differences import difference_of, items_apart
from demur.statistics.judge_bounds import (
    draw_shares,
    labels_to_show,
    most_missed,
    unseen_share,
    worst_errors,
)
from demur.statistics.noisy_verdicts import (
    Correction,
    corrected,
    unit_variance,
)
from demur.statistics.paired_tests import Difference
from demur.statistics.units import ROUNDING, t_quantile

UNUSABLE: Final = next(kind for kind in KINDS if kind.name == "judge_unusable")


@dataclass(frozen=True, eq=False, repr=False)
class JudgeUse(Result):
    """Whether a judge may be used for a comparison, and why.

    It may if people's labels show beyond luck which system errs less, the judge says
    the same and by how much they leave open, and its difference is larger than what so
    many labels can show if nobody disagrees with it on any.

    Made by `demur.compare` with ``gold``.

    Parameters
    ----------
    judged : float
        The error of b less that of a by the judge, over all items.
    corrected, low, high : float
        The same as people's labels correct it, with its interval.
    p_value : float
        Of the corrected difference; of several rates corrected for all.
    alone, alone_p : float
        The difference by people's labels without the judge, and its p.
    labels : int
        Items that people have judged for both systems, if both answer.
    shows : float
        The least difference that so many labels can show, if the judge agrees on all
        of them: it may err by so much elsewhere.
    labels_needed : int or None
        About how many items with labels would do to show what the judge sees; None if
        it sees none, or no number does.
    items : int
        On which an answer is given.
    level : float
        Of the interval; 1 - level is the risk of each test.

    References
    ----------
    See decision 0036 and `demur.statistics.judge_bounds`.

    Examples
    --------
    A judge that agrees with people on all of thirty items, of which "b" fails on none:

    >>> import demur
    >>> a, b = (
    ...     demur.Outcomes.from_arrays(
    ...         system=name, item=range(200),
    ...         correct=[k % 10 >= wrong for k in range(200)],
    ...         groups={"people": [
    ...             None if k >= 30 else "right" if k % 10 >= wrong else "wrong"
    ...             for k in range(200)]})
    ...     for name, wrong in [("a", 4), ("b", 0)])
    >>> use = demur.compare(a, b, gold="people").by_judge.use
    >>> use.usable, round(use.judged, 2), round(use.shows, 2)
    (True, -0.4, 0.21)
    """

    KINDS: ClassVar = (UNUSABLE,)

    judged: float
    corrected: float
    low: float
    high: float
    p_value: float
    alone: float
    alone_p: float
    labels: int
    shows: float
    labels_needed: int | None
    items: int
    level: float

    @property
    def usable(self) -> bool:
        """Whether it may be used."""
        return not self.why_not

    @property
    def why_not(self) -> str:
        """What speaks against it; "" if it may be used."""
        if self.judged == 0:
            return "it sees no difference"
        sees = f"it sees a difference of {self.judged:+.3f}"
        ends = f"{self.low:+.3f} to {self.high:+.3f}"
        beyond_luck = self.p_value <= 1 - self.level
        if beyond_luck and self.corrected * self.judged < 0:
            return f"{sees}, and by people's verdicts it is the other way ({ends})"
        if not self._within:
            return f"{sees}, which people's verdicts exclude ({ends})"
        if self.shows >= abs(self.judged):
            return (
                f"people's verdicts on {self.labels:,} items can show differences down "
                f"to {self.shows:.3f}, even if they agree with the judge on all; {sees}"
            )
        if not beyond_luck:
            luck = p_text(self.p_value)
            return (
                f"{sees}, but as people's verdicts correct it that may be luck ({luck})"
            )
        return ""

    @property
    def _within(self) -> bool:
        """Whether the judge's difference lies in the interval, but for rounding."""
        return self.low - ROUNDING <= self.judged <= self.high + ROUNDING

    @property
    def unneeded(self) -> bool:
        """Whether people's labels alone show which system errs less."""
        return self.alone != 0 and self.alone_p <= 1 - self.level

    def sentence(self) -> str:
        """May be used, or not, and why; how many labels would do."""
        if self.usable:
            text = (
                "The judge may be used for this comparison: people's verdicts on "
                f"{self.labels:,} items leave a difference of {self.low:+.3f} to "
                f"{self.high:+.3f}, it sees {self.judged:+.3f}, and so many can show "
                f"differences down to {self.shows:.3f}."
            )
        else:
            text = f"The judge may not be used for this comparison: {self.why_not}"
            text += f"{self._would_do()}."
        if self.unneeded:
            text += " People's verdicts alone show which errs less, without the judge."
        return text

    def _would_do(self) -> str:
        """How many labels would, where more may help."""
        needed = self.labels_needed
        if not self._within or self.judged == 0:
            return ""
        if needed is None:
            return "; no number of labels of these items would do"
        if needed <= self.labels:  # by a little luck fewer would have done
            return "; somewhat more would do"
        there_are = f", and there are {self.items:,}" if needed > self.items else ""
        return f"; labels of about {needed:,} items would do{there_are}"

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values, with whether it may be used, and why not."""
        return super().to_dict() | {"usable": self.usable, "why_not": self.why_not}

    def figures(self) -> Iterator[Figure]:
        """The verdict, with what speaks against it."""
        yield Figure(UNUSABLE, float(not self.usable), why=self.why_not)


def judge_use(a: Correction, b: Correction, difference: Difference) -> JudgeUse:
    """Whether the judge may be used, from both corrections and their difference.

    Parameters
    ----------
    a, b : Correction
        Of two systems on the same items, with a judge.
    difference : Difference
        Of b less a, tested with its interval.
    """
    level = difference.level
    judged = b.verdicts.raw - a.verdicts.raw
    alone = [corrected(one.verdicts, trust=0.0) for one in (a, b)]
    by_people, tested = difference_of(alone[0], alone[1], level)
    better, worse = (a, b) if judged >= 0 else (b, a)
    labels, shows = labels_show(better, worse, level)
    return JudgeUse(
        judged=judged,
        corrected=difference.value,
        low=float(difference.low or 0.0),
        high=float(difference.high or 0.0),
        p_value=difference.final_p,
        alone=by_people,
        alone_p=tested.p_value,
        labels=labels,
        shows=shows,
        labels_needed=labels_needed(better, worse, abs(judged), level),
        items=int(_given(a, b).sum()),
        level=level,
    )


def labels_show(
    better: Correction, worse: Correction, level: float
) -> tuple[int, float]:
    """How many items are labelled, and what they can show.

    Where each system was labelled on items of its own, each draw has half of the risk.

    Parameters
    ----------
    better, worse : Correction
        Systems, as the judge orders them.
    level : float
        Twice the risk is 1 - level, since it may err either way.

    Returns
    -------
    labels : int
        Items with labels of every answer that is given.
    shows : float
        How far off the judge may be in the difference, though it agrees on all labels.
    """
    risk, harm, given = (1 - level) / 2, _worst(better, worse), _given(better, worse)
    both = given
    for one in (better, worse):
        both = both & (one.verdicts.labelled | (one.verdicts.answered <= 0))
    # A label that both share says of both how it was drawn; else the rarer one counts.
    weight = np.maximum(better.labels, worse.labels)
    together = _shown(harm.sum(axis=0), given, both, weight, better, risk)
    alone = []
    for part, one in zip(harm, (better, worse), strict=True):
        answered = one.verdicts.answered > 0
        labelled = answered & one.verdicts.labelled
        alone.append(_shown(part, answered, labelled, one.labels, one, risk / 2))
    apart = sum(shows for _, shows in alone)
    if apart < together[1]:
        return min(labels for labels, _ in alone), apart
    return together


def _shown(
    harm: Floats,
    given: Flags,
    labelled: Flags,
    weight: Floats,
    one: Correction,
    risk: float,
) -> tuple[int, float]:
    """Labels, and the harm that agreement on all of them leaves open."""
    if not labelled.any():
        return 0, float(harm.mean())
    units = len(np.unique(one.verdicts.cluster[labelled]))
    chance = draw_shares(harm, weight, labelled, given)
    open_to_error = given & ~labelled
    # All its errors lie where no label is. As labels are drawn without replacement,
    # each meets one a little more likely than the last: half of the drawn share off.
    left = float(chance[open_to_error].sum() / chance[given].sum())
    unseen = (1 + left) / 2 * unseen_share(units, risk)
    shows = most_missed(harm, chance, open_to_error, unseen)
    return int(labelled.sum()), shows


def labels_needed(
    better: Correction, worse: Correction, size: float, level: float
) -> int | None:
    """How many show a difference, where labels and judge differ as they do here."""
    given = _given(better, worse)
    items = items_apart(better, worse)
    share = float(given.mean())
    if not share:
        return None
    return labels_to_show(
        _worst(better, worse).sum(axis=0)[given],
        size / share,
        level=level,
        variance=len(items.value) * unit_variance(items) / share**2,
        beside=items.beside / share**2,
        reach=t_quantile(level, max(items.n_units, 2)),
    )


def _given(a: Correction, b: Correction) -> Flags:
    given: Flags = (a.verdicts.answered > 0) | (b.verdicts.answered > 0)
    return given


def _worst(better: Correction, worse: Correction) -> Floats:
    """How much each system's verdict may overstate the difference, item by item."""
    first, second = better.verdicts, worse.verdicts
    return worst_errors((first.judge, second.judge), (first.answered, second.answered))
