"""What counted items say of the task that they were drawn from.

Shares as seen are sharper than those they were drawn from: their entropy is too low,
and the accuracy of their most frequent values too high. So each figure here has a side
that is nearer to the truth than what was seen, and an interval of the truth that
reaches from one side to the other.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from demur.arrays import Flags, Floats, Numbers, Positions
from demur.difficulty.tasks import MarkableTask
from demur.statistics.units import (
    FEWEST_UNITS,
    ItemValues,
    score_interval,
    t_quantile,
)

MOSTLY: Final = 0.5
"""Where more than this share of items is new, nothing bounds the entropy from above."""
WORTH_A_WORD: Final = 0.05
"""From this share on a note says so of items whose markable no other unit has."""
LN2: Final = math.log(2)


@dataclass(frozen=True, eq=False)
class Parts:
    """What each independent unit has of each pair and markable.

    Parameters
    ----------
    pair, count, times : array of int, shape (n_parts,)
        So many items of a pair in one unit, and how many units are like that (items
        without clusters are alike wherever their pair is the same).
    unit : array of int, shape (n_parts,), or None
        Which unit it is in; None for items without clusters.
    whole : array of int, shape (n_parts,)
        Which part of a markable in one unit each belongs to.
    markable, size, repeats : array of int, shape (n_wholes,)
        Of these, in the same way.
    """

    pair: Positions
    count: Positions
    times: Positions
    unit: Positions | None
    whole: Positions
    markable: Positions
    size: Positions
    repeats: Positions


def parts_of(task: MarkableTask) -> Parts:
    """The parts of a task."""
    n_pairs = len(task.markable)
    if task.unit is None:
        every, ones = np.arange(n_pairs), np.ones(n_pairs, np.int64)
        return Parts(
            *(every, ones, task.count, None),
            *(every, task.markable, ones, task.count),
        )
    keys, count = np.unique(task.unit * n_pairs + task.pair, return_counts=True)
    unit, pair = np.divmod(keys, n_pairs)
    here = unit * len(task.markables) + task.markable[pair]
    # Pairs are sorted by markable, so the parts of one whole stand together.
    starts = _starts(here)
    whole = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(here)))
    size = np.add.reduceat(count, starts)
    ones = np.ones(len(pair), np.int64)
    return Parts(
        *(pair, count, ones, unit),
        *(whole, task.markable[pair[starts]], size, ones[: len(starts)]),
    )


@dataclass(frozen=True, eq=False)
class DrawnTask:
    """A task as a sample of another, of which figures are asked.

    Parameters
    ----------
    task : MarkableTask
        What was drawn: items, or clusters of them.
    parts : Parts
        Of its units.
    """

    task: MarkableTask
    parts: Parts

    @cached_property
    def units_of_pair(self) -> Positions:
        """In how many units each pair was seen."""
        parts = self.parts
        seen = np.bincount(parts.pair, parts.times, len(self.task.markable))
        return seen.astype(np.int64)

    @cached_property
    def units_of_markable(self) -> Positions:
        """In how many units each markable was seen."""
        parts = self.parts
        seen = np.bincount(parts.markable, parts.repeats, len(self.task.markables))
        return seen.astype(np.int64)

    @cached_property
    def once(self) -> Flags:
        """Whether each markable was seen in one unit: nothing says what others have."""
        alone: Flags = self.units_of_markable == 1
        return alone

    @cached_property
    def bits(self) -> Floats:
        """Bits of all items of each markable by the jackknife.

        Leaving out each unit in turn: the sum of what each adds to the bits in all is
        without the first-order bias of the shares as seen.
        """
        task, parts = self.task, self.parts
        added = parts.repeats * _added(task.items[parts.markable], parts.size)
        less = parts.times * _added(task.count[parts.pair], parts.count)
        n = len(task.markables)
        bits = _sums(added, parts.markable, n)
        bits -= _sums(less, parts.markable[parts.whole], n)
        return np.maximum(bits, 0.0)

    @cached_property
    def left(self) -> Positions:
        """Of each part, the items of its pair that are in other units."""
        return self.task.count[self.parts.pair] - self.parts.count

    @cached_property
    def best_left(self) -> Positions:
        """Of each whole, the items of the most frequent value in other units."""
        here = np.maximum.reduceat(self.left, _starts(self.parts.whole))
        return np.maximum(here, _best_elsewhere(self))

    @cached_property
    def best(self) -> Positions:
        """Items of each markable's most frequent value."""
        task = self.task
        most = np.bincount(task.markable, task.count * task.majority)
        return most.astype(np.int64)

    @cached_property
    def alike(self) -> Floats:
        """Items of each markable times the chance that two units have one value.

        That is the mean of the true shares over items, and no more than the greatest.
        """
        task, parts = self.task, self.parts
        n = len(task.markables)
        pairs = parts.count * self.left * parts.times
        same = _sums(pairs, parts.markable[parts.whole], n)
        others = task.items[parts.markable] - parts.size
        every = _sums(parts.size * others * parts.repeats, parts.markable, n)
        alike = task.items * same / np.maximum(every, 1.0)
        return np.minimum(alike, self.best)

    @cached_property
    def best_by_jackknife(self) -> Floats:
        """`best` without the first-order bias of what is so by luck."""
        parts = self.parts
        lost = parts.repeats * (self.best[parts.markable] - self.best_left)
        return _sums(lost, parts.markable, len(self.task.markables))

    @cached_property
    def learned(self) -> Floats:
        """Items of each markable that have the majority value of all other units.

        Of equally frequent values each has its share; without others none is right.
        """
        parts, best = self.parts, self.best_left
        same = (self.left == best[parts.whole]) & (self.left > 0)
        tied = np.bincount(parts.whole, same, len(best)) + _tied_elsewhere(self, best)
        right = np.where(same, parts.count / np.maximum(tied, 1)[parts.whole], 0.0)
        owner = parts.markable[parts.whole]
        return _sums(parts.times * right, owner, len(self.best))

    def new_bits(self, markables: Flags) -> tuple[float, float]:
        """Bits, in all, of values of some markables that were not seen; their error.

        The chance that a further item has a new value falls with the items seen. By how
        much is read off the values seen in one and in two units (Good and Turing), and
        from there on it is taken to fall as a power: slower than it does among any
        number of values that ends.
        """
        task = self.task
        units = np.where(markables[task.markable], self.units_of_pair, 0)
        one, two = units == 1, units == 2
        n_one, n_two = int(one.sum()), int(two.sum())
        if not n_one:
            return 0.0, 0.0
        single, double = float(task.count[one].sum()), float(task.count[two].sum())
        new = single**2 / (double + 2 * single / n_one) / LN2
        return new, new * math.sqrt(4 / n_one + 1 / (n_two + 1))


def drawn_task(task: MarkableTask) -> DrawnTask:
    """A task with the parts of its units."""
    return DrawnTask(task, parts_of(task))


def _added(total: Positions, part: Positions) -> Floats:
    """By how much n log n, in bits, falls without a part."""
    return _n_log_n(total) - _n_log_n(total - part)


def _n_log_n(n: Positions) -> Floats:
    amount: Floats = n * np.log2(np.maximum(n, 1).astype(float))
    return amount


def _sums(values: Numbers, of: Positions, n_groups: int) -> Floats:
    return np.bincount(of, values, n_groups).astype(float)


def _starts(group: Positions) -> Positions:
    return np.flatnonzero(np.append(True, group[1:] != group[:-1]))


def _best_elsewhere(drawn: DrawnTask) -> Positions:
    """For each whole, the count of the most frequent value that is not in it."""
    task, parts = drawn.task, drawn.parts
    n_pairs = len(task.markable)
    order = np.lexsort((-task.count, task.markable))
    begins = np.searchsorted(task.markable, np.arange(len(task.markables) + 1))
    keys = parts.whole * n_pairs + parts.pair
    best = np.zeros(len(parts.markable), np.int64)
    pending, place = np.arange(len(best)), 0
    while len(pending):
        at = begins[parts.markable[pending]] + place
        pending = pending[at < begins[parts.markable[pending] + 1]]
        pair = order[begins[parts.markable[pending]] + place]
        wanted = pending * n_pairs + pair
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        inside = keys[at] == wanted
        best[pending[~inside]] = task.count[pair[~inside]]
        pending, place = pending[inside], place + 1
    return best


def _tied_elsewhere(drawn: DrawnTask, best: Positions) -> Positions:
    """For each whole, how many values that are not in it have the best count."""
    task, parts = drawn.task, drawn.parts
    width = int(task.count.max()) + 1
    keys = np.sort(task.markable * width + task.count)
    wanted = parts.markable * width + best
    everywhere = np.searchsorted(keys, wanted, "right") - np.searchsorted(keys, wanted)
    inside = np.bincount(
        parts.whole, task.count[parts.pair] == best[parts.whole], len(best)
    )
    tied: Positions = everywhere - inside.astype(np.int64)
    return tied


# -- intervals -------------------------------------------------------------------------

Ends = tuple[float, float] | None
"""An interval; None where there are too few independent units."""


def true_entropy(drawn: DrawnTask, *, closed: bool) -> float:
    """Bits per item by the jackknife; closed, no more than the values allow."""
    bits = np.minimum(drawn.bits, _most(drawn)) if closed else drawn.bits
    return float(bits.sum() / len(drawn.task))


def entropy_ends(drawn: DrawnTask, level: float, *, closed: bool) -> Ends:
    """The interval of the true entropy of values, given the markable.

    It reaches from the jackknife's estimate, less what luck may do, to that estimate
    with what values add that were not seen, and luck. How hard markables are that were
    seen in one unit the sample does not say: any value may be as likely as any other.
    Without an upper end (infinite) where most items have a value, or a markable, that
    no other unit has.

    Parameters
    ----------
    drawn : DrawnTask
        The sample.
    level : float
        Of the interval.
    closed : bool
        Whether markables have no values but those seen.

    References
    ----------
    Zahl (1977), Ecology 58, for the jackknife; Good (1953), Biometrika 40, and Chao
    (1984), Scandinavian Journal of Statistics 11, for what was not seen.
    """
    task = drawn.task
    if _n_units(task) < FEWEST_UNITS:
        return None
    n_items, middle = len(task), true_entropy(drawn, closed=closed)
    hardest = _hardest_bits(drawn, closed=closed)
    largest = max(math.log2(int(task.items.max()) + 1), float(hardest.max()))
    below, _, t = _luck(drawn, task.surprisal, level, largest)
    # Where shares are nearly equal, the entropy deviates as chi squared does.
    seen = float(task.surprisal @ task.count) / n_items
    more = len(task.markable) - len(task.markables)
    curved = t * (middle - seen) * math.sqrt(2 / max(more, 1))
    # Values that were not seen need not be there: those seen may be all.
    least = min(middle, float(_most(drawn).sum()) / n_items)
    low = max(least - math.hypot(below, curved), 0.0)
    if seen:  # rare values seen by luck add many bits
        low = min(low, least * _with_rarer(drawn, level) / seen)
    if new_share(drawn) > MOSTLY and not closed:
        return low, math.inf
    once = drawn.once[task.markable]
    worst = np.where(once, hardest[task.markable], task.surprisal)
    _, above, _ = _luck(drawn, worst, level, largest)
    new, error = drawn.new_bits(~drawn.once)
    bits = float(np.where(drawn.once, task.items * hardest, drawn.bits).sum()) + new
    if closed and bits > _most(drawn).sum():
        bits, error = float(_most(drawn).sum()), 0.0
    # Corrections multiply the luck of bits seen as they do the bits.
    above *= max(bits / max(float(worst @ task.count), 1e-12), 1.0) if bits else 1.0
    high = bits / n_items + math.hypot(above, curved, t * error / n_items)
    return low, max(high, middle)


def _with_rarer(drawn: DrawnTask, level: float) -> float:
    """Bits per item if all values but the most frequent are as rare as they may be."""
    task = drawn.task
    majority = task.majority.astype(float)
    _, above, _ = _luck(drawn, majority, level, 1.0)
    others = 1 - float(majority @ task.count) / len(task)
    ratio = max(others - above, 0.0) / others
    share = task.share * ratio
    share[task.majority] += 1 - ratio
    bits = -share * np.log2(np.maximum(share, 1e-300))
    return float(bits @ task.items[task.markable]) / len(task)


def _hardest_bits(drawn: DrawnTask, *, closed: bool) -> Floats:
    """Bits per item of each markable if all values of the task are equally likely.

    Closed, all of its own values; else those of the table, and as many as Chao finds
    that were not seen.
    """
    task = drawn.task
    if closed:
        return _most(drawn) / task.items
    units = np.bincount(task.value, drawn.units_of_pair)
    one, two = int((units == 1).sum()), int((units == 2).sum())
    values = int((units > 0).sum()) + one * (one - 1) / (2 * (two + 1))
    return np.full(len(task.markables), math.log2(values))


def _most(drawn: DrawnTask) -> Floats:
    """Bits in all of each markable if all values seen were equally frequent."""
    task = drawn.task
    sizes = np.bincount(task.markable, minlength=len(task.markables))
    most: Floats = task.items * np.log2(sizes.astype(float))
    return most


def true_baseline(drawn: DrawnTask) -> float:
    """The accuracy of the truly most frequent values by the jackknife.

    At least as often as two units have one value: values that are just as frequent in
    the sample leave the jackknife nothing.
    """
    least = float(drawn.alike.sum())
    return max(float(drawn.best_by_jackknife.sum()), least) / len(drawn.task)


def baseline_ends(drawn: DrawnTask, level: float, *, closed: bool) -> Ends:
    """The interval of the true baseline: the accuracy of the truly best values.

    No rule is better than these, so what is learned on other units is right less often;
    values that are best by these very items are right too often. The interval reaches
    from the one to the other, and as far to both sides as luck goes. The best values of
    markables seen in one unit may be right on nearly all items or on nearly none;
    closed, on at least one in so many as the markable has values.
    """
    task = drawn.task
    if _n_units(task) < FEWEST_UNITS:
        return None
    n_items, once = len(task), drawn.once
    majority = task.majority.astype(float)
    _, above, t = _luck(drawn, majority, level, 1.0)
    sizes = np.bincount(task.markable, minlength=len(once))
    fewest = once / sizes if closed else np.zeros(len(once))
    worst = np.where(once[task.markable], fewest[task.markable], majority)
    below, _, _ = _luck(drawn, worst, level, 1.0)
    learned = np.minimum(drawn.learned, drawn.best - _luck_of_best(drawn))
    # Where two values are nearly equally frequent, all items of both flip.
    flips = np.square(drawn.best - drawn.learned)[~once].sum()
    reach = math.hypot(below * n_items, t * math.sqrt(flips))
    single = float(fewest @ task.items)
    right = single + max(
        float(learned[~once].sum()) - reach,
        float(drawn.alike[~once].sum()) - below * n_items,
    )
    low = max(min(right / n_items, true_baseline(drawn)), 0.0)
    return low, min(float(drawn.best.sum()) / n_items + above, 1.0)


def _luck_of_best(drawn: DrawnTask) -> Floats:
    """By how much each markable's greatest count is expected to be so by luck.

    The sum over its other values of what each, drawn anew, is expected to exceed it by.
    """
    from scipy.special import ndtr

    task = drawn.task
    best, items = drawn.best[task.markable], task.items[task.markable]
    apart = best - task.count
    deviation = np.sqrt(np.maximum(best + task.count - apart**2 / items, 1e-12))
    far = apart / deviation
    density = np.exp(-(far**2) / 2) / math.sqrt(2 * math.pi)
    exceeds = np.where(task.majority, 0, deviation * density - apart * ndtr(-far))
    return _sums(exceeds, task.markable, len(task.markables))


def new_share(drawn: DrawnTask) -> float:
    """The share of items whose value, or markable, no other unit has."""
    task = drawn.task
    alone = drawn.units_of_pair == 1
    return float(task.count[alone].sum() / len(task))


def notes_on(drawn: DrawnTask, *, closed: bool) -> list[str]:
    """What a reader must know of the intervals."""
    task = drawn.task
    kind = "item" if task.unit is None else "cluster"
    if _n_units(task) < FEWEST_UNITS:
        return [f"no intervals: {_n_units(task)} {kind}s; {FEWEST_UNITS} are needed"]
    notes, endless = [], new_share(drawn) > MOSTLY and not closed
    once = float(task.items[drawn.once].sum() / len(task))
    if once > WORTH_A_WORD:
        values = 2 ** float(_hardest_bits(drawn, closed=closed).max())
        equal = "" if endless else f", and for {values:.0f} equally likely ones"
        allowed = (
            "equally likely values"
            if closed
            else f"best values that are never right{equal}"
        )
        notes.append(
            f"{100 * once:.3g} % of the items are of markables that no other {kind} "
            "has: how hard these are the sample does not say, so the intervals allow "
            f"for {allowed}"
        )
    if endless:
        notes.append(
            f"the true bits have no upper end: {100 * new_share(drawn):.3g} % of the "
            f"items have a value, or a markable, that no other {kind} has"
        )
    return notes


def _luck(
    drawn: DrawnTask, of_pair: Floats, level: float, largest: float
) -> tuple[float, float, float]:
    """How far below and above its mean over items a figure may be, and Student's t."""
    task, parts = drawn.task, drawn.parts
    pair, weight = task.pair, np.ones(len(task))
    if parts.unit is not None:  # items of one pair in one cluster are as one
        pair, weight = parts.pair, parts.count.astype(float)
    items = ItemValues(
        *(of_pair[pair], weight, parts.unit),
        smallest=0.0,
        largest=largest,
        items=float(len(task)),
    )
    low, high = score_interval(items, level=level)
    return items.mean - low, high - items.mean, t_quantile(level, items.worth)


def _n_units(task: MarkableTask) -> int:
    return len(task) if task.unit is None else int(task.unit.max()) + 1
