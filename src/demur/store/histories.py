"""The error of systems over the runs that were kept, and where it changed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import groupby
from typing import Any, ClassVar, Final

from demur.results import (
    Column,
    Figure,
    FigureKind,
    Result,
    Table,
    count,
    with_noun,
)
from demur.results.text import result_text
from demur.store.kept_runs import moment_text

FIRST, BETTER, WORSE, NOT_SHOWN = "first", "better", "worse", "not shown"
NO_TEST, NO_FIGURE = "not tested", "no figure"

_SMALL: Final = 0.001
"""Smaller p are not told apart in a table."""

_MOST_TABLES: Final = 12
"""Into so many tables text is parted where figures are not comparable."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class HistoryPoint(Result):
    """The error of one system in one run, and how it changed.

    Parameters
    ----------
    run : int
        Its number.
    when : datetime
        When it was kept, in UTC; of responses that were judged anew, when these were.
    tags : tuple of str
        Those that it bears.
    system : str
        With its setting.
    line : int
        Which of `History.lines` it is in: figures of one line are comparable.
    items : int
        How many there are.
    error, low, high : float or None
        With the ends of its interval; None where there is none.
    nonreturn : float or None
        Of own decisions: items declined or without a guess / items.
    since : int or None
        The run that opened the stretch with which it is compared.
    last : int or None
        So many last runs differ most surely from those of the stretch before; 0 if it
        is this run from the one that opened it.
    change : float or None
        The mean error of these less that of the others.
    p_value, tested_at : float or None
        Two-sided, and the level at which it was tested; marked if p is not above it.
    verdict : str
        "better" or "worse" beyond luck; "not shown"; "first" of its line; "not
        tested"; or "no figure".
    why : str
        Why there is no figure or no test.
    """

    run: int
    when: datetime
    tags: tuple[str, ...]
    system: str
    line: int
    items: int
    error: float | None = None
    low: float | None = None
    high: float | None = None
    nonreturn: float | None = None
    since: int | None = None
    last: int | None = None
    change: float | None = None
    p_value: float | None = None
    tested_at: float | None = None
    verdict: str = FIRST
    why: str = ""

    @property
    def marked(self) -> bool:
        """Whether it changed beyond luck."""
        return self.verdict in (BETTER, WORSE)

    @property
    def day(self) -> str:
        """The date, in UTC."""
        return f"{self.when:%Y-%m-%d}"

    @property
    def interval(self) -> tuple[float, float] | None:
        """The ends of the interval."""
        if self.low is None or self.high is None:
            return None
        return self.low, self.high

    def sentence(self) -> str:
        """What is seen of this run."""
        name = f"{self.system}: " if self.system else ""
        error = "no error" if self.error is None else f"error {self.error:.3f}"
        return f"{name}{error} in run {self.run} of {self.day}, {self.verdict}."

    def to_dict(self) -> dict[str, Any]:
        """The point as plain values for JSON."""
        return super().to_dict() | {"when": moment_text(self.when)}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class HistoryLine(Result):
    """Runs of one system whose figures are comparable.

    Parameters
    ----------
    line : int
        Its number, by its first run.
    system : str
        With its setting.
    number : str
        What its points show, such as "error at nonreturn 0.2".
    runs : tuple of int
        Their numbers, in order of time.
    differs : tuple of str
        In what its first run differs from the run of this system before; empty for
        the first line of a system.
    """

    line: int
    system: str
    number: str
    runs: tuple[int, ...]
    differs: tuple[str, ...] = ()

    @property
    def short(self) -> str:
        """In what it differs, in a few words.

        Examples
        --------
        >>> import demur
        >>> demur.HistoryLine(
        ...     line=2, system="a", number="own error", runs=(3,),
        ...     differs=("references: those of run 2 and run 3 differ",)).short
        'other references'
        """
        names = dict.fromkeys(text.partition(":")[0] for text in self.differs)
        return " and ".join([f"other {', '.join(names)}"] if names else [])


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class History(Result):
    """Errors over the runs of a store, with marks where they changed beyond luck.

    Parameters
    ----------
    points : tuple of HistoryPoint
        By run, and in each run by system; neighbours of the same lines in order of
        time.
    lines : tuple of HistoryLine
        In the order in which they begin.
    level : float
        Of the intervals; at most 1 - level is the chance that a line in which nothing
        changes has a mark, however many runs it gets.
    at : float or None
        The nonreturn rate, if some line is at one.
    notes : tuple of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    """

    KINDS: ClassVar = (
        FigureKind("error", "the error of the newest run"),
        count("changes", "changes beyond luck"),
        FigureKind("worse", "whether the newest run is worse beyond luck", "verdict"),
    )

    points: tuple[HistoryPoint, ...]
    lines: tuple[HistoryLine, ...]
    level: float = 0.95
    at: float | None = None
    notes: tuple[str, ...] = ()
    recipe: Mapping[str, str] = field(default_factory=dict)

    @property
    def systems(self) -> tuple[str, ...]:
        """Their names, in the order in which they appear."""
        return tuple(dict.fromkeys(line.system for line in self.lines))

    @cached_property
    def shared_tags(self) -> frozenset[str]:
        """Tags that all runs bear, if there are several runs."""
        if len({point.run for point in self.points}) < 2:
            return frozenset()
        return frozenset.intersection(*(frozenset(p.tags) for p in self.points))

    @property
    def marks(self) -> tuple[HistoryPoint, ...]:
        """The points at which an error changed beyond luck."""
        return tuple(point for point in self.points if point.marked)

    def newest(self, system: str) -> HistoryPoint:
        """The last point of a system, by the day; of one moment that kept last."""
        points = [point for point in self.points if point.system == system]
        return max(points, key=lambda point: (point.when, point.run))

    def figures(self) -> Iterator[Figure]:
        """The newest error and verdict of each system, and how many changes it had."""
        error, changes, worse = self.KINDS
        for system in self.systems:
            point = self.newest(system)
            ends = point.low, point.high
            yield self.figure(error, point.error, ends, of=system)
            marks = sum(mark.system == system for mark in self.marks)
            yield Figure(changes, float(marks), of=system)
            verdict = float(point.verdict == WORSE)
            yield Figure(worse, verdict, of=system, why=point.sentence())

    def sentence(self) -> str:
        """The newest error of each system, and where it changed."""
        return "\n".join(map(self._of_system, self.systems))

    def _of_system(self, system: str) -> str:
        point = self.newest(system)
        number = next(line.number for line in self.lines if line.line == point.line)
        runs = sum(other.system == system for other in self.points)
        name = f"{system}: " if system else ""
        if point.error is None:
            value = f"no {number} ({point.why})"
        else:
            value = f"{number} {point.error:.3f}"
        marks = [mark for mark in self.marks if mark.system == system]
        newest = ", ".join(f"{mark.verdict} in run {mark.run}" for mark in marks[-3:])
        earlier = f"{len(marks) - 3} times, then " if len(marks) > 3 else ""
        changed = f"changed beyond luck: {earlier}{newest}"
        if not marks:
            changed = "no change beyond luck"
        counted = with_noun(runs, "run")
        seen = f"{value} in run {point.run} of {point.day}"
        words = f"{seen}; {changed}; {counted} in all."
        return name + (words if name else words[:1].upper() + words[1:])

    def tables(self) -> tuple[Table, ...]:
        """All points; then the changes."""
        changes = [Table.of("Changes beyond luck", self._columns(_MARKS), self.marks)]
        return self._points("", self.points), *(changes if self.marks else [])

    def _points(self, title: str, points: Sequence[HistoryPoint]) -> Table:
        shown = [_PointRow(point, self) for point in points]
        return Table.of(title, self._columns(_POINTS), shown)

    def _columns(self, columns: Sequence[Column]) -> list[Column]:
        absent = set()
        if len(self.systems) < 2:
            absent.add("system")
        if all(point.nonreturn is None for point in self.points):
            absent.add("nonreturn")
        if not any(set(point.tags) - self.shared_tags for point in self.points):
            absent.add("tags")
        return [column for column in columns if column.key not in absent]

    def to_text(self, *, wide: bool = False) -> str:
        """What the command line prints: a table up to each break, and what it is."""
        whole, *others = self.tables()
        parts = self._parted()
        listed = [whole] if len(parts) > _MOST_TABLES else parts
        return result_text(
            self.sentence(),
            [*listed, *others],
            [*self._of_all(), *self.notes],
            self.signature,
            wide=wide,
        )

    def _of_all(self) -> Iterator[str]:
        """What would stand in each row."""
        if self.shared_tags:
            yield f"all runs are tagged {', '.join(sorted(self.shared_tags))}"
        near = [
            point
            for point in self.points
            if not point.marked and point.p_value is not None and point.p_value < _SMALL
        ]
        if near:
            p, level = (
                f"{value:.1g}" for value in (near[-1].p_value, near[-1].tested_at)
            )
            yield (
                f"p < {_SMALL} is no mark in run {near[-1].run}: p is {p}, and it is "
                f"tested at {level} (--wide), corrected for looking at each run"
            )

    def _parted(self) -> list[Table]:
        """The points in several tables: each begins where figures stop being alike."""
        before: dict[str, int] = {}
        number, parts = 0, []
        titles = [""]
        for _, together in groupby(self.points, key=lambda point: point.run):
            points = [*together]
            broken = [
                point
                for point in points
                if before.get(point.system, point.line) != point.line
            ]
            if broken:
                number += 1
                titles.append(self._break_words(broken[0]))
            before |= {point.system: point.line for point in points}
            parts += [(number, point) for point in points]
        return [
            self._points(titles[place], [point for _, point in listed])
            for place, listed in groupby(parts, key=lambda part: part[0])
        ]

    def _break_words(self, point: HistoryPoint) -> str:
        line = next(line for line in self.lines if line.line == point.line)
        if point.run == line.runs[0]:
            return f"{line.short} from here: not compared with the runs above"
        earlier = line.runs[line.runs.index(point.run) - 1]
        return f"as in run {earlier} from here: compared with such runs"


@dataclass(frozen=True)
class _PointRow:
    """A point as a row of a table."""

    point: HistoryPoint
    history: History

    def __getattr__(self, name: str) -> Any:
        return getattr(self.point, name)

    @property
    def tagged(self) -> str:
        shared = self.history.shared_tags
        return " ".join(tag for tag in self.point.tags if tag not in shared)

    @property
    def number(self) -> str:
        lines = self.history.lines
        return next(line.number for line in lines if line.line == self.point.line)


_VERDICTS: Final = (
    "beyond luck, corrected for looking at each run; not shown: it may be luck"
)
_SINCE: Final = "the run that opened the stretch"
_LAST: Final = "that differ most surely from those before; 0: this one from the opener"
_CHANGE: Final = "of the last runs from those before, since the change before"
_POINTS: Final = (
    Column("run", cells="count"),
    Column("day", explained="in UTC"),
    Column("system"),
    Column("items", cells="count", wide=True),
    Column("number", "what", wide=True),
    Column("error", cells="share"),
    Column("interval", cells="share", explained="of this run by itself"),
    Column("nonreturn", cells="share", explained="declined or without a guess"),
    Column("since", cells="count", explained=_SINCE, wide=True),
    Column("last", "last runs", "count", _LAST, wide=True),
    Column("change", cells="difference", explained=_CHANGE),
    Column("p", cells="p", of="p_value"),
    Column("tested_at", "tested at", "number", "p at which it is marked", wide=True),
    Column("verdict", explained=_VERDICTS),
    Column("tags", of="tagged"),
    Column("why", wide=True),
)
_MARKS: Final = (
    Column("run", cells="count"),
    Column("day"),
    Column("system"),
    Column("verdict"),
    Column("change", cells="difference"),
    Column("since", cells="count"),
    Column("last", "last runs", "count", _LAST),
    Column("p", cells="p", of="p_value"),
    Column("tested_at", "tested at", "p"),
)


def break_note(line: HistoryLine) -> str:
    """In what a line differs from what was before it."""
    name = f"{line.system}: " if line.system else ""
    differs = "; ".join(line.differs)
    return (
        f"{name}from run {line.runs[0]} on not compared with the runs before: {differs}"
    )
