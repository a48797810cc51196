"""Where a line of runs changes beyond luck, however often one looks.

Each run is tested against the stretch that it would go on with: against the mean of its
runs, which finds a jump at once, and against the run that opened it, which finds slow
drift. The opener is the first run of the line, or the last that was marked. The k-th
run is tested at the level risk / (k (k + 1)); these add up to the risk over all runs
that there will ever be, so that a mark, once made, stays.
"""

from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from demur.arrays import Flags, Floats, Numbers
from demur.store.swap_tests import LineUnits, level_of, newest_p, swap_p

_TOGETHER: Final = 8, 256
"""So many runs are tested together after a mark, and at most."""

MEAN, OPENER = "mean", "opener"
"""What a run differs from most surely: the mean of its stretch, or its first run."""


@dataclass(frozen=True)
class Tested:
    """A run, tested against the stretch before it.

    Parameters
    ----------
    since : int
        The run that opened the stretch: its place in the line.
    test : str
        "mean" or "opener": which of both has the smaller p.
    change : float
        The error of this run less that of the mean, or of the opener.
    p_value : float
        Two-sided; twice the smaller of both.
    level : float
        At which it was tested.
    """

    since: int
    test: str
    change: float
    p_value: float
    level: float

    @property
    def marked(self) -> bool:
        """Whether it changed beyond luck: it opens a new stretch."""
        return self.p_value <= self.level


@dataclass(frozen=True, eq=False)
class _Stretch:
    """What is known of the runs of a stretch, unit by unit; shape (n_units,)."""

    number: int
    opener: Floats
    total: Floats
    square: Floats
    low: Floats
    high: Floats

    @classmethod
    def opened(cls, sums: Floats) -> "_Stretch":
        return cls(1, sums.copy(), sums.copy(), np.square(sums), sums, sums)

    def longer(self, sums: Floats) -> "_Stretch":
        """The stretch with further runs."""
        return replace(
            self,
            number=self.number + len(sums),
            total=self.total + sums.sum(0),
            square=self.square + np.square(sums).sum(0),
            low=np.minimum(self.low, sums.min(0)),
            high=np.maximum(self.high, sums.max(0)),
        )

    def tests(self, sums: Floats) -> tuple[Floats, Floats, Flags]:
        """The change, p, and whether it is from the mean, of runs that go on with it.

        Each is tested against all that are before it.
        """
        from_opener = (sums - self.opener).sum(1)
        opener_p = swap_p(sums - self.opener)
        n_runs, n_units = sums.shape
        number = self.number + np.arange(n_runs)
        total = self.total + np.cumsum(sums, axis=0)  # with the newest
        mean = total / (number + 1)[:, None]
        square = self.square + np.cumsum(np.square(sums), axis=0)
        variance = np.maximum(square / (number + 1)[:, None] - mean**2, 0.0).sum(1)
        high = np.maximum(self.high, np.maximum.accumulate(sums, axis=0))
        low = np.minimum(self.low, np.minimum.accumulate(sums, axis=0))
        apart = (sums - mean).sum(1)
        above, below = (high - mean).max(1), (mean - low).max(1)
        mean_p = newest_p(apart, variance, above, below, n_units)
        mean_p[number == 1] = 2.0  # of two runs the one is the mean
        of_mean = mean_p < opener_p
        p_value = np.minimum(mean_p, opener_p)
        p_value = np.minimum(np.where(number == 1, p_value, 2 * p_value), 1.0)
        change = np.where(of_mean, apart * (number + 1) / number, from_opener)
        return change, p_value, of_mean


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
    _opener: int = -1
    _now: tuple[_Stretch, _Stretch] | None = field(default=None, repr=False)

    def take(self, most: Floats, least: Floats, known: Flags) -> list[Tested | None]:
        """Test further runs, in order.

        Parameters
        ----------
        most, least : array of float64, shape (n_runs, n_items)
            What each item adds to the error, if ungraded answers are wrong, and if they
            are right; one array where none is ungraded.
        known : array of bool, shape (n_runs,)
            Whether the run has an error at all.

        Returns
        -------
        list of Tested or None
            None for the run that opens the line, and for those without an error.
        """
        found: list[Tested | None] = [None] * len(known)
        rows: Numbers = np.flatnonzero(known)
        if self.units is not None and len(rows):
            sums = self.units.sums(most[rows])
            other = sums if least is most else self.units.sums(least[rows])
            tested = self._tested(sums, other, rows)
            for row, test in zip(rows.tolist(), tested, strict=True):
                found[row] = test
        self._runs += len(known)
        return found

    def _tested(
        self, sums: Floats, other: Floats, rows: Numbers
    ) -> list[Tested | None]:
        found: list[Tested | None] = []
        if self._now is None:
            self._open(sums, other, rows, 0)
            found.append(None)
        together = _TOGETHER[0]
        while len(found) < len(rows):
            now = slice(len(found), len(found) + together)
            tests = self._tests_of(sums[now], other[now])
            marks = [place for place, test in enumerate(tests) if test.marked]
            if marks:  # what comes behind it goes on with it
                tests = tests[: marks[0] + 1]
                self._open(sums, other, rows, len(found) + marks[0])
                together = _TOGETHER[0]
            elif self._now is not None:
                stretch = self._now[0].longer(sums[now])
                same = self._now[0] is self._now[1] and other is sums
                longer = stretch if same else self._now[1].longer(other[now])
                self._now = stretch, longer
                together = min(2 * together, _TOGETHER[1])
            self._tests += len(tests)
            found += tests
        return found

    def _open(self, sums: Floats, other: Floats, rows: Numbers, at: int) -> None:
        self._opener = self._runs + int(rows[at])
        stretch = _Stretch.opened(sums[at])
        self._now = stretch, stretch if other is sums else _Stretch.opened(other[at])

    def _tests_of(self, sums: Floats, other: Floats) -> list[Tested]:
        if self._now is None:
            return []
        most, least = self._now
        change, p_value, of_mean = most.tests(sums)
        if other is not sums or least is not most:
            # Marked only if it is one whatever the ungraded answers truly are.
            for stretch, those in ((least, sums), (most, other)):
                turned, turned_p, _ = stretch.tests(those)
                p_value = np.maximum(p_value, turned_p)
                p_value[turned * change <= 0] = 1.0
        return [
            Tested(
                self._opener,
                MEAN if of_mean[at] else OPENER,
                float(change[at]),
                float(p_value[at]),
                level_of(self._tests + 1 + at, self.risk),
            )
            for at in range(len(sums))
        ]
