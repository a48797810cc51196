"""The verb `demur.history`: errors over the runs of a store, and where they changed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count, groupby
from pathlib import Path
from typing import Any, Final

import numpy as np

from demur import checks
from demur.arrays import Floats, Sample
from demur.checks import choice
from demur.errors import InputError, UndefinedRate, shown
from demur.results import exactly, with_noun
from demur.statistics.units import FEWEST_UNITS, ROUNDING
from demur.store.common_items import CommonItems, SharingLine
from demur.store.comparable import differences, not_of_data
from demur.store.histories import (
    BETTER,
    NO_FIGURE,
    NO_TEST,
    NOT_SHOWN,
    WORSE,
    History,
    HistoryLine,
    HistoryPoint,
    break_note,
)
from demur.store.kept_runs import KeptRun
from demur.store.line_samples import (
    NUMBERS,
    LineReader,
    SystemRows,
    answers_digest,
    own_nonreturn,
    samples_for,
    usual_number,
)
from demur.store.run_figures import BEGINS, RunFigures, run_figures
from demur.store.stores import Store
from demur.store.stretches import Stretches, Tested
from demur.store.swap_tests import LineUnits

USUAL_RATE: Final = 0.2
"""The nonreturn rate of lines with confidences, if none is asked for."""

OF: Final = {"own": NUMBERS[1], "forced": NUMBERS[2]}
"""What else a history may be of, as it is asked for."""

_TOGETHER: Final = 1 << 17
"""So many answers of one line are held in memory; one run at least."""


def history(
    store: Store | str | Path,
    *,
    tag: str | None = None,
    system: str | None = None,
    at: float | None = None,
    of: str | None = None,
    items: str = "equal",
    level: float = 0.95,
) -> History:
    """Errors over the runs that were kept, with marks where they changed beyond luck.

    A line is made of the runs of one system that have the same items and references
    and were judged in the same way. Its stretches begin with its first run, and where
    it was seen to change. With each run the last one, two, four, ... up to 32 runs (at
    most half of the stretch) are tested against all of the stretch, and the run itself
    against the one that opened the stretch. The k-th run of a line is tested at the
    level (1 - level) / (k (k + 1)): so a line in which nothing changes has a mark with
    a chance of at most 1 - level, however many runs it gets, and no mark disappears
    when runs are added.

    Tests are by exchanged results, item by item or cluster by cluster: if nothing
    changed, each of an item's results might as well be the newest. Own and
    forced-choice errors of two runs are tested by McNemar's exact test; all else has
    upper bounds of p, which hold at any level. For a rate this is of what each item
    adds to the error, through the cutoff too (its influence).

    Ungraded answers count as errors; a change is marked only if it is one both if they
    are all wrong and if they are all right.

    Parameters
    ----------
    store : Store, str or path
        Open, or its address.
    tag : str, optional
        Only runs that bear it.
    system : str, optional
        Only this one.
    at : float, optional
        The nonreturn rate, linear between vertices; by default 0.2 for a system whose
        first run has confidences, and own decisions for any other.
    of : {"own", "forced"}, optional
        In place of a rate: wrong answers that were given / items; or all wrong guesses
        / items.
    items : {"equal", "common"}
        Whether runs of other data begin a line of their own; or a line takes all runs
        that were judged alike, on the items that all of them have with the same
        reference. Then a run that is added may leave fewer items, and change all.
    level : float
        Of the intervals and the marks.

    Returns
    -------
    History

    Raises
    ------
    InputError
        If there are no such runs, or both a rate and something else is asked for.

    Examples
    --------
    >>> import demur, tempfile
    >>> from datetime import UTC, datetime
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with demur.Store(f"{folder}/runs.sqlite", make=True) as store:
    ...         for day, wrong in enumerate((10, 12, 40), 1):
    ...             outcomes = demur.Outcomes.from_arrays(
    ...                 correct=[number >= wrong for number in range(100)])
    ...             now = datetime(2027, 3, day, tzinfo=UTC)
    ...             run = store.keep(outcomes, when=now)
    ...         found = demur.history(store)
    >>> [point.verdict for point in found.points]
    ['first', 'not shown', 'worse']
    """
    asked = number_asked("history", at, of)
    choice("history", "items", items, ["equal", "common"])
    checks.number("history", "level", level, 0.5, 0.9999)
    with opened_store(store) as opened:
        runs = opened.runs(tag=tag, system=system)
        if not runs:
            raise _nothing(opened, tag, system)
        how = _HistoryAsked(tag, system, asked, at, items, level)
        return _recounted(opened, runs, how)


def number_asked(where: str, at: float | None, of: str | None) -> str | None:
    """Which of `NUMBERS` was asked for; None if none was."""
    if of is not None:
        choice(where, "of", of, [*OF])
        if at is not None:
            need, got = "be left out with a rate", f"{shown(of)} at {at}"
            raise InputError(where, "of", need, got)
        return OF[of]
    if at is None:
        return None
    checks.decimal_fraction(where, "at", at)
    return NUMBERS[0]


@contextmanager
def opened_store(store: Store | str | Path) -> Iterator[Store]:
    """A store that is open, or is opened by its address."""
    if isinstance(store, Store):
        yield store
        return
    with Store(store) as opened:
        yield opened


def _nothing(store: Store, tag: str | None, system: str | None) -> InputError:
    wanted = [f"the tag {shown(tag)}"] if tag is not None else []
    wanted += [f"the system {shown(system)}"] if system is not None else []
    need = f"hold a run with {' and '.join(wanted)}" if wanted else "hold a run"
    there = store.runs()
    tags = dict.fromkeys(name for run in there for name in run.tags)
    systems = dict.fromkeys(part.system for run in there for part in run.systems)
    got = "none at all"
    if there:
        got = (
            f"{len(there)} others, with the tags {_few(tags)}; systems {_few(systems)}"
        )
    hint = "" if there else "demur keep puts runs into it."
    return InputError(store.name, "the store", need, got, hint)


def _few(names: Any) -> str:
    listed = [shown(name) for name in names]
    more = f" and {len(listed) - 5} more" if len(listed) > 5 else ""
    return (", ".join(listed[:5]) or "none") + more


# -- lines -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _HistoryAsked:
    """What a history is to be of."""

    tag: str | None
    system: str | None
    number: str | None
    at: float | None
    items: str
    level: float

    @property
    def rate(self) -> float:
        return USUAL_RATE if self.at is None else float(self.at)


@dataclass(eq=False)
class _ComingLine:
    """A line while its runs come in.

    ``waiting`` holds (place among the points, sample, sample if ungraded answers are
    right), until there are enough to be computed together.
    """

    line: int
    first: KeptRun
    rows: SystemRows
    number: str
    differs: tuple[str, ...]
    asked: _HistoryAsked
    sharing: SharingLine | None = None
    runs: list[int] = field(default_factory=list)
    waiting: list[tuple[int, Sample, Sample | None]] = field(default_factory=list)
    stretches: Stretches | None = None
    untested: str = ""
    places: list[int] = field(default_factory=list)
    newest: tuple[int, bytes] = (0, b"")
    copies: dict[int, int] = field(default_factory=dict)
    copied_runs: list[int] = field(default_factory=list)

    def take(self, place: int, run: KeptRun, rows: SystemRows) -> None:
        """Note a run whose answers are, item by item, those of the run before.

        Kept twice, or given again by a system that always says the same, they are no
        further evidence of how its answers come out.
        """
        given = answers_digest(rows.outcomes)
        if given == self.newest[1]:
            self.copies[place] = self.newest[0]
            self.copied_runs.append(run.number)
        else:
            self.newest = run.number, given

    def holds(self, run: KeptRun, rows: SystemRows) -> bool:
        """Whether a run belongs to it."""
        if self.sharing is not None:
            return rows.items is self.rows.items
        if rows.items is not self.rows.items and rows.items != self.rows.items:
            return False
        same = run.recipe == self.first.recipe and run.data_hash == self.first.data_hash
        return same or not differences(self.first, run)

    @property
    def full(self) -> bool:
        """Whether what waits is to be computed."""
        return len(self.waiting) * len(self.rows.items) >= _TOGETHER

    def computed(self) -> list[tuple[int, dict[str, Any]]]:
        """What is known of each point that waits."""
        waiting, self.waiting = self.waiting, []
        if not waiting:
            return []
        rate = self.asked.rate if self.number == NUMBERS[0] else 0.0
        figures = run_figures([s for _, s, _ in waiting], rate, self.asked.level)
        readings = self._readings(waiting, figures, rate)
        if self.stretches is None:
            self.stretches = Stretches(1 - self.asked.level, self._units(waiting[0][1]))
        known = ~np.isnan(figures.value)
        known &= [place not in self.copies for place, *_ in waiting]
        tested = self.stretches.take(readings, known)
        self.places += [place for place, *_ in waiting]
        return [
            (place, self._facts(figures, row, tested[row]) | self._copied(place))
            for row, (place, *_) in enumerate(waiting)
        ]

    def _copied(self, place: int) -> dict[str, Any]:
        """What is said of a run whose answers are those of the run before."""
        if place not in self.copies:
            return {}
        same = f"the same answers as in run {self.copies[place]}, item by item"
        return {"verdict": NO_TEST, "why": same}

    def _readings(
        self, waiting: Sequence[Any], figures: RunFigures, rate: float
    ) -> list[Floats]:
        """What items add; and if there are ungraded answers, what if they are right."""
        rows = [row for row, (*_, other) in enumerate(waiting) if other is not None]
        if not rows:
            return [figures.parts]
        others = run_figures([waiting[row][2] for row in rows], rate, self.asked.level)
        least = figures.parts.copy()
        least[rows] = others.parts
        return [figures.parts, least]

    def _units(self, sample: Sample) -> LineUnits | None:
        left = 1 - self.asked.rate if self.number == NUMBERS[0] else 1.0
        answered = left * sample.n_clusters
        if sample.n_clusters >= FEWEST_UNITS > answered + ROUNDING:
            self.untested = (
                f"too few answers are left at that rate ({answered:.3g}): at least "
                f"{FEWEST_UNITS} independent ones are needed"
            )
            return None
        try:
            return LineUnits.of(sample)
        except UndefinedRate as problem:
            self.untested = str(problem).partition(": ")[2] or str(problem)
            return None

    def _facts(
        self, figures: RunFigures, row: int, test: Tested | None
    ) -> dict[str, Any]:
        if figures.why[row]:
            return {"verdict": NO_FIGURE, "why": figures.why[row]}
        values = (figures.value, figures.low, figures.high)
        error, low, high = (float(array[row]) for array in values)
        facts: dict[str, Any] = {"error": error, "low": low, "high": high}
        if test is None:
            return facts
        verdict = NOT_SHOWN
        if test.marked:
            verdict = WORSE if test.change > 0 else BETTER
        return facts | {
            "since": test.since,
            "last": test.last,
            "change": test.change,
            "p_value": test.p_value,
            "tested_at": test.level,
            "verdict": verdict,
        }


def _recounted(store: Store, runs: Sequence[KeptRun], asked: _HistoryAsked) -> History:
    moments = _moments(store, runs)
    lines = _ComingLines(asked, moments)
    reader = LineReader(store)
    in_time = sorted(runs, key=lambda run: (moments[run.number], run.number))

    in_order = _SystemsInOrder(in_time, asked.system)
    if asked.items == "equal":
        for run, rows in in_order.of(reader.rows_of(in_time)):
            lines.add(run, rows)
        return lines.history()
    shared = CommonItems()
    for run, rows in in_order.of(reader.items_of(in_time)):
        shared.take(run, rows)
    for run, rows in in_order.of(reader.rows_of(in_time)):
        sharing = shared.line(run, rows)
        lines.add(run, sharing.of(rows), sharing)
    return lines.history()


@dataclass
class _SystemsInOrder:
    """The systems of each run, in the order in which they came first in any."""

    runs: Sequence[KeptRun]
    system: str | None
    _place: dict[str, int] = field(default_factory=dict)

    def of(
        self, listed: Iterator[list[SystemRows]]
    ) -> Iterator[tuple[KeptRun, SystemRows]]:
        """Those that are asked for."""
        for run, parts in zip(self.runs, listed, strict=True):
            for rows in sorted(parts, key=self._of):
                if self.system in (None, rows.system):
                    yield run, rows

    def _of(self, rows: SystemRows) -> int:
        return self._place.setdefault(rows.name, len(self._place))


def _moments(store: Store, runs: Sequence[KeptRun]) -> dict[int, datetime]:
    """When the responses of each run were kept first."""
    when = {run.number: run.when for run in runs}
    for run in runs:
        origin = run.judged_from
        if origin is not None:
            known = when.get(origin)
            when[run.number] = store.run(origin).when if known is None else known
    return when


def _as_shown(points: Sequence[HistoryPoint]) -> Iterator[HistoryPoint]:
    """By run, but in order of time among neighbours that are in the same lines."""
    of_run: dict[int, list[HistoryPoint]] = {}
    for point in points:
        of_run.setdefault(point.run, []).append(point)

    def lines(run: int) -> list[int]:
        return [point.line for point in of_run[run]]

    for _, together in groupby(sorted(of_run), key=lines):
        for run in sorted(together, key=lambda run: (of_run[run][0].when, run)):
            yield from of_run[run]


def _runs_text(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:5])) + ", ..." * (len(numbers) > 5)


def _nonreturn(run: KeptRun, rows: SystemRows, line: _ComingLine) -> float | None:
    """Of own decisions: as kept with the run, or counted on common items."""
    if line.number != NUMBERS[1]:
        return None
    if line.sharing is not None:
        return own_nonreturn(rows.outcomes)
    kept = next((part for part in run.systems if part.name == rows.name), None)
    return None if kept is None else kept.own_nonreturn


class _ComingLines:
    """All lines, while runs come in, in order of time."""

    def __init__(self, asked: _HistoryAsked, moments: dict[int, datetime]) -> None:
        self._asked = asked
        self._moments = moments
        self._of: dict[str, list[_ComingLine]] = {}
        self._before: dict[str, tuple[KeptRun, SystemRows]] = {}
        self._points: list[dict[str, Any]] = []
        self._number = count(1)

    def add(
        self, run: KeptRun, rows: SystemRows, sharing: SharingLine | None = None
    ) -> None:
        """Take the rows of one system of the next run."""
        lines = self._of.setdefault(rows.name, [])
        line = next((line for line in lines if line.holds(run, rows)), None)
        if line is None:
            line = self._opened(run, rows, sharing)
            lines.append(line)
        self._before[rows.name] = run, rows
        line.runs.append(run.number)
        point = {
            "run": run.number,
            "when": self._moments[run.number],
            "tags": run.tags,
            "system": rows.name,
            "line": line.line,
            "items": len(rows.items),
            "nonreturn": _nonreturn(run, rows, line),
        }
        self._points.append(point)
        try:
            most, least = samples_for(rows.outcomes, line.number)
        except UndefinedRate as problem:
            point |= {"verdict": NO_FIGURE, "why": str(problem)}
            return
        place = len(self._points) - 1
        line.take(place, run, rows)
        line.waiting.append((place, most, least))
        if line.full:
            self._compute(line)

    def _opened(
        self, run: KeptRun, rows: SystemRows, sharing: SharingLine | None
    ) -> _ComingLine:
        number, differs = self._asked.number or usual_number(rows.outcomes), []
        if rows.name in self._before:
            before, earlier = self._before[rows.name]
            differs = differences(before, run)
            if sharing is not None:
                none = f"items: run {run.number} shares none with all runs before"
                differs = not_of_data(differs) or [none]
            elif rows.items != earlier.items and not differs:
                words = f"items: run {run.number} has others of this system"
                differs = [words]
        return _ComingLine(
            *(next(self._number), run, rows, number, tuple(differs), self._asked),
            sharing=sharing,
        )

    def _compute(self, line: _ComingLine) -> None:
        for place, facts in line.computed():
            if "since" in facts:
                facts["since"] = self._points[line.places[facts["since"]]]["run"]
            self._points[place] |= facts

    def history(self) -> History:
        """All that came in."""
        lines = sorted(
            (line for lines in self._of.values() for line in lines),
            key=lambda line: line.line,
        )
        for line in lines:
            self._compute(line)
        points = _as_shown([HistoryPoint(**point) for point in self._untested(lines)])
        rated = any(line.number == NUMBERS[0] for line in lines)
        listed = [
            HistoryLine(
                line=line.line,
                system=line.rows.name,
                number=self._named(line),
                runs=tuple(line.runs),
                differs=line.differs,
            )
            for line in lines
        ]
        return History(
            points=tuple(points),
            lines=tuple(listed),
            level=self._asked.level,
            at=self._asked.rate if rated else None,
            notes=tuple(self._notes(lines, listed)),
            recipe=self._recipe(listed),
        )

    def _untested(self, lines: Sequence[_ComingLine]) -> Iterator[dict[str, Any]]:
        """Points, those after the first of a line that cannot be tested marked so."""
        why = {line.line: line.untested for line in lines}
        opened = set()
        for point in self._points:
            line = point["line"]
            if why[line] and line in opened and "verdict" not in point:
                point |= {"verdict": NO_TEST, "why": why[line]}
            if "error" in point:
                opened.add(line)
            yield point

    def _named(self, line: _ComingLine) -> str:
        name = line.number
        if name == NUMBERS[0]:
            name = f"error at nonreturn {exactly(self._asked.rate)}"
        if line.sharing is not None and line.sharing.words():
            name += f" on {with_noun(len(line.rows.items), 'common item')}"
        return name

    def _notes(
        self, lines: Sequence[_ComingLine], listed: Sequence[HistoryLine]
    ) -> Iterator[str]:
        yield from (break_note(line) for line in listed if line.differs)
        of_data = [
            line for line in listed if line.differs and not not_of_data(line.differs)
        ]
        if of_data and self._asked.items == "equal":
            yield (
                "items=common (--items common) makes one line of such runs, on the "
                "items that all of them have with the same reference"
            )
        for line in lines:
            name = f"{line.rows.name}: " if line.rows.name else ""
            if line.sharing is not None and line.sharing.words():
                yield f"{name}{line.sharing.words()}"
            if line.untested:
                yield f"{name}no test: {line.untested}"
            if line.copied_runs:
                same = "not tested, as the answers are those of the run before"
                yield f"{name}{same}: run {_runs_text(line.copied_runs)}"
        without = [point for point in self._points if point.get("error") is None]
        for why in dict.fromkeys(str(point.get("why")) for point in without):
            numbers = [point["run"] for point in without if point.get("why") == why]
            yield f"no figure of run {_runs_text(numbers)}: {why}"
        if any(str(point.get("why")).startswith(BEGINS) for point in without):
            yield (
                "a curve begins where nothing more is withheld: a higher --at has "
                "figures of such runs, and so has --of own, their own decisions"
            )

    def _recipe(self, listed: Sequence[HistoryLine]) -> dict[str, str]:
        numbers = dict.fromkeys(line.number for line in listed)
        chosen = {"tag": self._asked.tag, "system": self._asked.system}
        return {
            "history": " + ".join(numbers),
            **{name: value for name, value in chosen.items() if value is not None},
            "items": self._asked.items,
            "level": exactly(self._asked.level),
            "marks": "mean and opener of the stretch",
            "test": "exchanged results, k-th at (1-level)/(k(k+1))",
            "runs": str(len({point["run"] for point in self._points})),
        }
