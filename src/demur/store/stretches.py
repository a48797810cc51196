"""Where a line of runs changes beyond luck, however often one looks.

Each run is tested together with those just before it: the last one, two, four, ... runs
against all of the stretch, which finds a jump, large ones at once and small ones after
some runs; and the last one against the run that opened the stretch, which finds slow
drift. A stretch begins with the line, or where it was seen to change.

The k-th run is tested at the level risk / (k (k + 1)); these add up to the risk over
all runs that there will ever be, so that a mark, once made, stays.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from demur.arrays import Flags, Floats, Numbers
from demur.store.swap_tests import LineUnits, level_of, newest_p, swap_p

_TOGETHER: Final = 8, 256
"""So many runs are tested together after a mark, and at most."""

_LAST: Final = 32
"""So many runs are tested together against their stretch, at most."""

_MOST_HELD: Final = 1 << 23
"""So many numbers of such runs are held; of many items fewer runs."""


@dataclass(frozen=True)
class Tested:
    """A run, tested with those just before it against its stretch.

    Parameters
    ----------
    since : int
        The run that opened the stretch: its place in the line.
    last : int
        The so many last runs differ most surely from the stretch; 0 if it is this run
        from the opener.
    change : float
        The mean error of these less that of the runs before, or less that of the
        opener.
    p_value : float
        Two-sided, corrected for all that was tested of this run.
    level : float
        At which it was tested.
    """

    since: int
    last: int
    change: float
    p_value: float
    level: float

    @property
    def marked(self) -> bool:
        """Whether it changed beyond luck: a new stretch begins with the last runs."""
        return self.p_value <= self.level


@dataclass(frozen=True, eq=False)
class _StretchTests:
    """Of several runs, shape (n_runs,)."""

    last: Numbers
    change: Floats
    p_value: Floats


@dataclass(eq=False)
class _Stretch:
    """What is known of the runs of a stretch, unit by unit; shape (n_units,).

    ``recent`` holds the newest runs, the last one last.
    """

    opener: Floats
    recent: Floats
    number: int
    total: Floats
    square: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, sums: Floats) -> "_Stretch":
        """A stretch of these runs, shape (n_runs, n_units)."""
        return cls(
            opener=sums[0].copy(),
            recent=sums.copy(),
            number=len(sums),
            total=sums.sum(0),
            square=np.square(sums).sum(0),
            low=sums.min(0),
            high=sums.max(0),
        )

    def go_on(self, sums: Floats) -> None:
        """Take further runs into the stretch."""
        self.number += len(sums)
        self.total = self.total + sums.sum(0)
        self.square = self.square + np.square(sums).sum(0)
        self.low = np.minimum(self.low, sums.min(0))
        self.high = np.maximum(self.high, sums.max(0))
        held = most_last(sums.shape[1])
        self.recent = np.concatenate([self.recent, sums[-held:]])[-held:]

    def newest(self, sums: Floats, last: int) -> Floats:
        """The last runs, when further ones have come."""
        return np.concatenate([self.recent, sums])[-last:]

    def tests(self, sums: Floats) -> _StretchTests:
        """Test runs that go on with it, each against all that are before it."""
        n_runs, n_units = sums.shape
        number = self.number + 1 + np.arange(n_runs)
        mean = (self.total + np.cumsum(sums, axis=0)) / number[:, None]
        square = (self.square + np.cumsum(np.square(sums), axis=0)) / number[:, None]
        variance = np.maximum(square - mean**2, 0.0).sum(1)
        high = np.maximum(self.high, np.maximum.accumulate(sums, axis=0))
        low = np.minimum(self.low, np.minimum.accumulate(sums, axis=0))
        above, below = (high - mean).max(1), (mean - low).max(1)
        errors = np.concatenate([self.recent, sums]).sum(1)
        of_all = mean.sum(1)
        change, p_value = sums.sum(1) - self.opener.sum(), swap_p(sums - self.opener)
        last, tried = np.zeros(n_runs, np.int64), np.ones(n_runs)
        length = 1
        while length <= most_last(n_units) and 2 * length <= number[-1]:
            some = (2 * length <= number) & (number > 2)
            apart = np.where(some, _last_means(errors, length, n_runs) - of_all, 0.0)
            parts = variance / length, above / length, below / length
            p = np.where(some, newest_p(apart, *parts, n_units * length), 2.0)
            better, tried = p < p_value, tried + some
            last = np.where(better, length, last)
            # From the mean of all to that of the runs before.
            apart *= number / np.maximum(number - length, 1)
            change = np.where(better, apart, change)
            p_value = np.minimum(p, p_value)
            length *= 2
        return _StretchTests(last, change, np.minimum(tried * p_value, 1.0))


def most_last(n_units: int) -> int:
    """How many runs at most are tested together, and held."""
    last = _LAST
    while last > 1 and last * n_units > _MOST_HELD:
        last //= 2
    return last


def _last_means(errors: Floats, length: int, n_runs: int) -> Floats:
    """The mean error of so many runs up to each of the last ones."""
    ends = np.arange(len(errors) - n_runs, len(errors)) + 1
    total = np.concatenate([[0.0], np.cumsum(errors)])
    means: Floats = (total[ends] - total[np.maximum(ends - length, 0)]) / length
    return means


@dataclass
class Stretches:
    """The tests of one line, made as its runs come in.

    Parameters
    ----------
    risk : float
        The most that the chance of any mark may be if nothing ever changes.
    units : LineUnits or None
        Of the items of the line; None if there can be no test.
    """

    risk: float
    units: LineUnits | None
    _tests: int = 0
    _runs: int = 0
    _places: list[int] = field(default_factory=list)
    _now: list[_Stretch] = field(default_factory=list, repr=False)

    def take(self, readings: Sequence[Floats], known: Flags) -> list[Tested | None]:
        """Test further runs, in order.

        Parameters
        ----------
        readings : sequence of array of float64, shape (n_runs, n_items)
            What each item adds to the error: one array, or one if ungraded answers are
            wrong and one if they are right.
        known : array of bool, shape (n_runs,)
            Whether the run has an error at all.

        Returns
        -------
        list of Tested or None
            None for the run that opens the line, and for those without an error.
        """
        listed: list[Tested | None] = [None] * len(known)
        rows = np.flatnonzero(known)
        if self.units is not None and len(rows):
            if len(readings) > len(self._now) > 0:
                self._now = [*self._now, *map(_copied, self._now)]
            readings = [*readings, *readings[:1]][: max(len(self._now), len(readings))]
            sums = [self.units.sums(parts[rows]) for parts in readings]
            tested = self._tested(sums, [self._runs + row for row in rows.tolist()])
            for row, test in zip(rows.tolist(), tested, strict=True):
                listed[row] = test
        self._runs += len(known)
        return listed

    def _tested(
        self, sums: Sequence[Floats], places: Sequence[int]
    ) -> list[Tested | None]:
        listed: list[Tested | None] = []
        if not self._now:
            self._now = [_Stretch.of(part[:1]) for part in sums]
            self._places = [places[0]]
            listed.append(None)
        together = _TOGETHER[0]
        while len(listed) < len(places):
            begin = len(listed)
            now = [part[begin : begin + together] for part in sums]
            tests = self._tests_of(now)
            marks = [place for place, test in enumerate(tests) if test.marked]
            taken = marks[0] + 1 if marks else len(tests)
            now = [part[:taken] for part in now]
            self._places += places[begin : begin + taken]
            if marks:  # what comes behind it goes on with the runs that differ
                last = max(tests[marks[0]].last, 1)
                self._now = [
                    _Stretch.of(stretch.newest(part, last))
                    for stretch, part in zip(self._now, now, strict=True)
                ]
                self._places = self._places[-last:]
            else:
                for stretch, part in zip(self._now, now, strict=True):
                    stretch.go_on(part)
            together = _TOGETHER[0] if marks else min(2 * together, _TOGETHER[1])
            self._tests += taken
            listed += tests[:taken]
        return listed

    def _tests_of(self, sums: Sequence[Floats]) -> list[Tested]:
        tested, *others = (
            stretch.tests(part) for stretch, part in zip(self._now, sums, strict=True)
        )
        p_value = tested.p_value
        for other in others:  # a mark must be one whatever is taken for ungraded
            p_value = np.maximum(p_value, other.p_value)
            p_value[other.change * tested.change <= 0] = 1.0
        numbers = zip(
            tested.last.tolist(), tested.change.tolist(), p_value.tolist(), strict=True
        )
        return [
            Tested(self._places[0], *row, level_of(self._tests + number, self.risk))
            for number, row in enumerate(numbers, 1)
        ]


def _copied(stretch: _Stretch) -> _Stretch:
    return _Stretch(**vars(stretch))
