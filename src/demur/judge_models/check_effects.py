"""The effect that a change has on a judge's verdicts: with interval and exact test.

Arrays in, one `JudgeEffect` out. Verdicts are paired by answer; answers to one item, or
of one cluster, are one unit, whose signs flip together. Units that do not change at all
say nothing in such a test, so where at most 12 change it is exact.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np

from demur.arrays import Flags, Floats, Numbers, Positions, unit_sums
from demur.comparisons.pairs import holm
from demur.judge_models.cases import CANNOT_TELL, FAILED_VERDICT, PARTLY, JudgeVerdict
from demur.judge_models.check_results import JudgeEffect
from demur.statistics.intervals import REPLICATES
from demur.statistics.ratio_tests import cluster_interval
from demur.statistics.ratios import ratio_interval
from demur.statistics.sign_tests import counted_flips, share_of_flips
from demur.statistics.units import (
    FEWEST_UNITS,
    ROUNDING,
    ItemValues,
    agreeing,
    score_interval,
)

FEWEST_IN_A_CELL: Final = 5
"""Items of one system and one verdict of people, of which lengths can tell anything."""


class Luck(NamedTuple):
    """What decides between an effect and luck.

    Parameters
    ----------
    level : float
        Of intervals; claims are made at 1 less it.
    seed : int
        Of random flips, where more than 12 units change.
    """

    level: float = 0.95
    seed: int = 0


# -- verdicts as arrays ------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ArmVerdicts:
    """What a judge said of all answers, asked in one way.

    Parameters
    ----------
    credit : array of float64, shape (n_answers,)
        0 where it is no verdict: what is not called right is not right.
    unsure : array of bool, shape (n_answers,)
        Where it cannot tell.
    usable : array of bool, shape (n_answers,)
        False where the judge could not be had, or was not asked.
    label : array of object, shape (n_answers,)
        The verdict in a word; "" where there is none.
    why : str
        The most frequent reason why the judge could not be had.
    """

    credit: Floats
    unsure: Flags
    usable: Flags
    label: Any
    why: str = ""

    @classmethod
    def of(cls, verdicts: Sequence[JudgeVerdict | None]) -> "ArmVerdicts":
        """From verdicts; None where the judge was not asked.

        Examples
        --------
        >>> arm = ArmVerdicts.of([JudgeVerdict(0.5, "partly_right"), None,
        ...                       JudgeVerdict(None, "cannot_tell")])
        >>> arm.credit.tolist(), arm.label.tolist(), arm.usable.tolist()
        ([0.5, 0.0, 0.0], ['partly_right 0.5', '', 'cannot_tell'], [True, False, True])
        """
        labels = [_label(verdict) for verdict in verdicts]
        credits = [(verdict and verdict.credit) or 0.0 for verdict in verdicts]
        label = np.array(labels, object)
        reasons = Counter(
            verdict.reason
            for verdict in verdicts
            if verdict is not None and verdict.code == FAILED_VERDICT
        )
        return cls(
            np.array(credits, float),
            label == CANNOT_TELL,
            label != "",
            label,
            next((reason for reason, _ in reasons.most_common(1)), ""),
        )


def _label(verdict: JudgeVerdict | None) -> str:
    if verdict is None or verdict.code == FAILED_VERDICT:
        return ""
    if verdict.code == PARTLY:
        return f"{PARTLY} {verdict.credit:g}"
    return verdict.code


# -- paired effects ----------------------------------------------------------------


def paired_p(differences: Floats, cluster: Positions, seed: int = 0) -> float:
    """Two-sided p value that differences go either way alike, units flipped whole.

    Parameters
    ----------
    differences : array of float64, shape (n_answers,)
        The one verdict less the other.
    cluster : array of int64, shape (n_answers,)
        Units, numbered from 0.
    seed : int
        Of random flips, if more than 12 units differ.

    Returns
    -------
    float
        1 if nothing differs; exact where at most 12 units do.

    Examples
    --------
    Of 40 items 6 change, all the same way: a chance of 2 in 64.

    >>> paired_p(np.repeat([1.0, 0.0], [6, 34]), np.arange(40))
    0.03125
    """
    sums = np.round(unit_sums(differences, cluster), 12)
    values, number = np.unique(sums[sums != 0], return_counts=True)
    return counted_flips(values, number, seed=seed) if len(values) else 1.0


def paired_effect(
    check: str,
    measure: str,
    pairs: tuple[Floats, Floats],
    cluster: Positions,
    luck: Luck,
) -> JudgeEffect:
    """The mean of the second less that of the first, over the same answers.

    The interval is the score interval of the mean difference, none with fewer than
    five units; the test is `paired_p`.

    Examples
    --------
    >>> as_is, turned = np.zeros(40), np.repeat([1.0, 0.0], [8, 32])
    >>> effect = paired_effect("order", "right", (as_is, turned), np.arange(40), Luck())
    >>> effect.effect, effect.p_value
    (0.2, 0.0078125)
    """
    before, after = (np.asarray(side, float) for side in pairs)
    cluster = np.unique(cluster, return_inverse=True)[1]
    apart = after - before
    low = high = None
    if cluster.max(initial=-1) + 1 >= FEWEST_UNITS:
        items = ItemValues(apart, np.ones(len(apart)), cluster)
        low, high = score_interval(items, level=luck.level)
    return JudgeEffect(
        check=check,
        measure=measure,
        answers=len(apart),
        items=int(cluster.max(initial=-1)) + 1,
        before=float(before.mean()),
        after=float(after.mean()),
        effect=float(apart.mean()),
        low=low,
        high=high,
        p_value=paired_p(apart, cluster, luck.seed),
        level=luck.level,
    )


def share_effect(
    check: str, measure: str, hits: Flags, cluster: Positions, luck: Luck
) -> JudgeEffect:
    """A share that no test is about: Wilson's interval, over units.

    Examples
    --------
    >>> changed = np.repeat([True, False], [2, 38])
    >>> effect = share_effect("repeat", "changed", changed, np.arange(40), Luck())
    >>> effect.effect, round(effect.high, 3), effect.claimed
    (0.05, 0.172, None)
    """
    cluster = np.unique(cluster, return_inverse=True)[1]
    ends = ratio_interval(hits, np.ones(len(hits)), cluster, luck.level, share=True)
    low, high = ends or (None, None)
    return JudgeEffect(
        check=check,
        measure=measure,
        answers=len(hits),
        items=int(cluster.max(initial=-1)) + 1,
        effect=float(np.mean(hits)),
        low=low,
        high=high,
        level=luck.level,
    )


# -- answers with the same verdict of people ---------------------------------------


class Matched(NamedTuple):
    """Answers that are compared within cells.

    Parameters
    ----------
    trait : array of float64, shape (n_answers,)
        1 for the judge's own model and 0 for others; or how long the answer is.
    right : array of float64, shape (n_answers,)
        What the judge makes of it.
    cell : array of int64, shape (n_answers,)
        Answers are compared with those of the same number alone.
    cluster : array of int64, shape (n_answers,)
        Independent units.
    """

    trait: Floats
    right: Floats
    cell: Positions
    cluster: Positions

    def telling(self, fewest: int = 1) -> "Matched":
        """Without cells of fewer units, or in which the trait is the same for all."""
        names, cell = np.unique(self.cell, return_inverse=True)
        least, most = np.full(len(names), np.inf), np.full(len(names), -np.inf)
        np.minimum.at(least, cell, self.trait)
        np.maximum.at(most, cell, self.trait)
        of_units = np.unique(np.column_stack([cell, self.cluster]), axis=0)[:, 0]
        units = np.bincount(of_units, minlength=len(names))
        kept = ((units >= fewest) & (most - least > ROUNDING))[cell]
        numbers = (
            np.unique(codes[kept], return_inverse=True)[1]
            for codes in (self.cell, self.cluster)
        )
        return Matched(self.trait[kept], self.right[kept], *numbers)

    @property
    def sums(self) -> Floats:
        """What each unit adds: products of trait and verdict, squares of the trait.

        Both are taken about their means in the cell.

        Returns
        -------
        array of float64, shape (n_units, 2)
        """
        trait, right = (_centred(held, self.cell) for held in self[:2])
        products = unit_sums(trait * right, self.cluster)
        return np.column_stack([products, unit_sums(trait**2, self.cluster)])


def _centred(values: Floats, cell: Positions) -> Floats:
    means = np.bincount(cell, values) / np.bincount(cell)
    centred: Floats = values - means[cell]
    return centred


def matched_effect(
    check: str, matched: Matched, luck: Luck, *, binary: bool
) -> JudgeEffect:
    """By how much verdicts rise with a trait, among answers of one cell.

    The slope of the verdict on the trait within cells; of a trait that is 0 or 1 it is
    the difference of shares that Mantel and Haenszel weigh. Its test is `matched_p`;
    its interval leaves each unit out.

    Parameters
    ----------
    check : str
        Which check it is of.
    matched : Matched
        As `Matched.telling` leaves them, at least one.
    luck : Luck
        Of interval and test.
    binary : bool
        Whether the trait is 0 or 1, so that there are shares before and after.

    Examples
    --------
    Own answers to ten questions are all called right, others' to every second:

    >>> right = np.r_[np.ones(10), np.tile([0.0, 1.0], 5)]
    >>> item = np.tile(np.arange(10), 2)
    >>> matched = Matched(np.repeat([1.0, 0.0], 10), right, item, item)
    >>> effect = matched_effect("own", matched, Luck(), binary=True)
    >>> effect.before, effect.after, effect.effect, effect.p_value
    (0.5, 1.0, 0.5, 0.0625)
    """
    sums = matched.sums
    telling = sums[sums[:, 1] > ROUNDING]
    interval = None
    if len(telling) >= FEWEST_UNITS:
        interval = cluster_interval(
            telling, _slope, luck.level, weight=telling[:, 1], bounded=binary
        )
    low, high = interval or (None, None)
    before = after = None
    if binary:
        before, after = _shares(matched)
    return JudgeEffect(
        check=check,
        measure="surplus",
        answers=len(matched.right),
        items=len(telling),
        before=before,
        after=after,
        effect=float(_slope(sums.sum(axis=0))),
        low=low,
        high=high,
        p_value=matched_p(matched, telling, luck.seed, binary=binary),
        level=luck.level,
    )


def matched_p(matched: Matched, sums: Floats, seed: int, *, binary: bool) -> float:
    """The p value of a slope within cells, by two tests of which the weaker counts.

    One flips what each unit adds. Of one own answer among many it is too bold where
    verdicts are rare: each unit without one that is right adds a little to the same
    side. The other exchanges verdicts within cells, which ignores that answers may be
    alike, as equal texts are. What both find is beyond luck. Where no cell has more
    than two answers, an exchange is a flip.

    Parameters
    ----------
    matched : Matched
        As `Matched.telling` leaves them.
    sums : array of float64, shape (n_units, 2)
        Those of `Matched.sums` of units that tell something.
    seed : int
        Of random flips and exchanges.
    binary : bool
        Whether the trait is 0 or 1.

    Examples
    --------
    Of ten answers to each of 20 questions none of its own is called right, and of
    others' one in ten, which is luck:

    >>> item = np.repeat(np.arange(20), 10)
    >>> own = np.tile(np.repeat([1.0, 0.0], [1, 9]), 20)
    >>> right = np.tile(np.repeat([0.0, 1.0], [9, 1]), 20)
    >>> matched = Matched(own, right, item, item)
    >>> flipped = paired_p(matched.sums[:, 0], np.arange(20))
    >>> both = matched_p(matched, matched.sums, 0, binary=True)
    >>> flipped < 0.001, 0.2 < both < 0.3
    (True, True)
    """
    flipped = _flipped(sums, seed, shared_means=not binary)
    if np.bincount(matched.cell).max(initial=0) <= 2:
        return flipped
    return max(flipped, _exchanged(matched, seed))


def _exchanged(matched: Matched, seed: int) -> float:
    """The p value of the slope, by random exchanges of verdicts within cells."""
    order = np.argsort(matched.cell, kind="stable")
    cell = matched.cell[order]
    trait, right = (_centred(held[order], cell) for held in matched[:2])
    varies = np.bincount(cell, np.abs(right))[cell] > ROUNDING
    cell, trait, right = cell[varies], trait[varies], right[varies]
    if not len(cell):
        return 1.0
    apart = abs(trait @ right) - ROUNDING * np.abs(trait * right).sum()
    rng, at_once = np.random.default_rng(seed), max(_EXCHANGED_AT_ONCE // len(cell), 1)
    beyond = 0
    for start in range(0, REPLICATES, at_once):
        number = min(at_once, REPLICATES - start)
        taken = np.argsort(cell + rng.random((number, len(cell))), axis=1)
        beyond += int(np.count_nonzero(np.abs(right[taken] @ trait) >= apart))
    return (beyond + 1) / (REPLICATES + 1)


_EXCHANGED_AT_ONCE: Final = 2**18
"""So many verdicts are exchanged in one go."""


def _flipped(sums: Floats, seed: int, *, shared_means: bool) -> float:
    """The p value of the slope, by flips of the sign of what each unit adds.

    Where units share the means that their verdicts are taken about, each pulls these
    towards itself and seems to add less than it does; the pull is undone in what is
    flipped, as `units.left_out` does, or too much would be claimed of few units.
    """
    added = sums[:, 0]
    if not shared_means:
        return paired_p(added, np.arange(len(added)), seed)
    share = sums[:, 1] / sums[:, 1].sum()
    pull = np.sqrt(np.maximum(1 - share, ROUNDING))
    apart = abs(added.sum()) - ROUNDING * np.abs(added).sum()
    whole = added / pull

    def extreme(flips: Numbers) -> int:
        return int(np.count_nonzero(np.abs((1 - 2 * flips) @ whole) >= apart))

    return share_of_flips(extreme, len(added), REPLICATES, seed)


def _slope(sums: Floats) -> Any:
    return sums[..., 0] / sums[..., 1]


def _shares(matched: Matched) -> tuple[float, float]:
    """Shares called right where the trait is 0 and 1, cells weighed alike for both."""
    weight = np.bincount(matched.cell, _centred(matched.trait, matched.cell) ** 2)
    shares = []
    for value in (0, 1):
        here = matched.trait == value
        number = np.bincount(matched.cell[here], minlength=len(weight))
        right = np.bincount(matched.cell[here], matched.right[here], len(weight))
        shares.append(float(weight @ (right / number) / weight.sum()))
    return shares[0], shares[1]


# -- all together ------------------------------------------------------------------


def corrected(effects: Sequence[JudgeEffect]) -> tuple[JudgeEffect, ...]:
    """The effects with p values corrected for their number, by Holm's method.

    Where an effect is not claimed its interval is widened to hold 0, and where it is,
    cut at 0: so intervals and claims agree.
    """
    tested = [effect for effect in effects if effect.p_value is not None]
    values = holm(np.array([effect.p_value for effect in tested], float))
    decided = {
        id(effect): _decided(effect, float(p))
        for effect, p in zip(tested, values, strict=True)
    }
    return tuple(decided.get(id(effect), effect) for effect in effects)


def _decided(effect: JudgeEffect, adjusted_p: float) -> JudgeEffect:
    claimed = adjusted_p <= 1 - effect.level
    ends: Any = (effect.low, effect.high)
    if effect.low is not None:
        ends = agreeing(ends, effect.effect or 0.0, rejects=claimed)
    return replace(
        effect, adjusted_p=adjusted_p, claimed=claimed, low=ends[0], high=ends[1]
    )
