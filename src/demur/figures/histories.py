"""Errors over time, with intervals, marks where they changed, and where lines break."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np

from demur.figures.looks import MARKERS, across
from demur.results.pictures import (
    Axis,
    Dots,
    Entry,
    Level,
    Line,
    Mark,
    Panel,
    Picture,
    Shade,
)
from demur.results.text import cut, short_names
from demur.store.histories import History, HistoryLine, HistoryPoint

_SINGLE: Final = 80
"""Of so many runs each has its dot; of more only those that changed."""

_LANES: Final = 6
"""So many rows of words stand above the lines, where they cover none."""

_LETTER: Final = 0.0115
"""How much of the width a letter takes, at most."""

_LETTERS: Final = 18
"""So long may a tag be."""

_TICKS: Final = 6
"""Dates on the axis, at most."""

_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
_HOURS: Final = (1, 2, 3, 6, 12, 24, 48, 96, 168, 336)
_STEPS: Final = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200)
_DAYS_OF_MONTH: Final = 28


def history_picture(history: History) -> Picture:
    """Each line of comparable runs by itself; runs that changed are filled."""
    known = [point for point in history.points if point.error is not None]
    systems = history.systems
    when = [point.when for point in known or history.points]
    axis = date_axis(min(when), max(when))
    highest = max((point.high or 0.0 for point in known), default=0.0) or 0.05
    marks, top = _lanes(known, systems, axis, highest)
    for line in history.lines:
        points = [point for point in known if point.line == line.line]
        points.sort(key=lambda point: point.when)
        if points:
            marks += _line_marks(line, points, systems.index(line.system))
    marks += _breaks(history, known)
    numbers = [*dict.fromkeys(line.number for line in history.lines)]
    label = numbers[0] if len(numbers) == 1 else "error"
    panel = Panel(
        tuple(marks),
        axis,
        Axis(f"{label} (share of all items)", 0.0, top),
        names=tuple(_entries(history)),
        signs=tuple(_signs(history, known)),
    )
    return Picture(
        "history",
        "Errors over the runs that were kept",
        f"{history.sentence()} The table has the numbers.",
        (panel,),
        (7.2, 4.2),
        systems=systems,
    )


def _line_marks(
    line: HistoryLine, points: Sequence[HistoryPoint], look: int
) -> Iterator[Mark]:
    """A line with its intervals, and dots in the shape of the line."""
    x = np.array([_place(point.when) for point in points])
    y, low, high = (
        np.array([getattr(point, name) for point in points], np.float64)
        for name in ("error", "low", "high")
    )
    shape = shape_of_line(line)
    single = len(points) <= _SINGLE
    if len(points) == 1:
        yield Line(np.repeat(x, 2), np.append(low, high), look, "thin")
    else:
        yield Shade(x, low, high, look, "open")
    yield Line(x, y, look, "system" if single else "edge", name=line.system)
    marked = np.array([point.marked for point in points])
    if single:
        yield Dots(x[~marked], y[~marked], look, shape, 6, hollow=True)
    if marked.any():
        yield Dots(x[marked], y[marked], look, shape, 10)


def shape_of_line(line: HistoryLine) -> str:
    """The shape of the dots of a line: another one for each."""
    return MARKERS[(line.line - 1) % len(MARKERS)]


def _breaks(history: History, known: Sequence[HistoryPoint]) -> Iterator[Mark]:
    """A thin upright line where figures stop being comparable, and why they do."""
    seen: dict[tuple[float, str], None] = {}
    for line in history.lines:
        points = [point for point in known if point.line == line.line]
        if line.differs and points:
            at = _place(min(point.when for point in points))
            seen[at, cut(line.short, 2 * _LETTERS)] = None
    for at, words in seen:
        yield Level(at, "x", "note", words)


def _named(points: Sequence[HistoryPoint]) -> list[tuple[HistoryPoint, str]]:
    """Words of runs: what changed, and then tags that the run before did not bear."""
    changed, tagged = [], []
    before: dict[str, tuple[str, ...]] = {}
    for point in points:
        worn = before.get(point.system, ())
        fresh = [cut(tag, _LETTERS) for tag in point.tags if tag not in worn]
        before[point.system] = point.tags
        words = ", ".join(fresh[:2])
        if point.marked:
            mark = f"run {point.run} {point.verdict}"
            changed.append((point, f"{mark}, {words}" if words else mark))
        elif words:
            tagged.append((point, words))
    return changed + tagged[::-1]


def _in_lanes(
    named: Sequence[tuple[HistoryPoint, str]], axis: Axis
) -> list[tuple[int, float, HistoryPoint, str]]:
    """Lane and place of the words that have room there; the first have first choice."""
    taken: list[list[tuple[float, float]]] = [[] for _ in range(_LANES)]
    placed = []
    seen: set[tuple[float, str]] = set()
    for point, words in named:
        width = _LETTER * (len(words) + 2)
        begin = float(across(_place(point.when), axis))
        if (begin, words) in seen:  # several systems of one run
            continue
        seen.add((begin, words))
        begin = max(min(begin, 1 - width), 0.0)
        for lane, others in enumerate(taken):
            if all(begin >= end or begin + width <= start for start, end in others):
                others.append((begin, begin + width))
                at = axis.low + begin * (axis.high - axis.low)
                placed.append((lane, at, point, words))
                break
    return placed


def _lanes(
    points: Sequence[HistoryPoint], systems: Sequence[str], axis: Axis, highest: float
) -> tuple[list[Mark], float]:
    """Words above all lines, each with a thin line down to its run; and the top."""
    placed = _in_lanes(_named(points), axis)
    step = 0.07 * highest
    marks: list[Mark] = []
    for lane, at, point, words in placed:
        height = highest + (lane + 0.6) * step
        x = np.repeat(_place(point.when), 2)
        error = point.error or 0.0
        marks.append(Line(x, np.array([error, height]), "note", "dotted"))
        look = systems.index(point.system)
        place = np.array([at]), np.array([height])
        marks.append(Dots(*place, look, "o", 0.5, faint=True, words=(words,)))
    lanes = 1 + max((lane for lane, *_ in placed), default=-1)
    return marks, highest + (lanes + 1) * step


def _entries(history: History) -> Iterator[Entry]:
    names = short_names([system or "system" for system in history.systems])
    for look, name in enumerate(names):
        yield Entry(name, (Line(look=look),))


def _signs(history: History, known: Sequence[HistoryPoint]) -> Iterator[Entry]:
    if any(point.marked for point in known):
        yield Entry("changed beyond luck", (Dots(look="ink", shape="o", size=10),))
    if known:
        yield Entry(f"{100 * history.level:g} % interval", (Shade(style="open"),))
    broken = [line for line in history.lines if line.differs]
    for line in broken:
        sign = Dots(look="note", shape=shape_of_line(line), size=6, hollow=True)
        runs = f"from run {line.runs[0]}"
        if len(history.systems) > 1:
            runs = f"{cut(line.system, _LETTERS)} {runs}"
        yield Entry(f"{runs}: {cut(line.short, 2 * _LETTERS)}", (sign,))


# -- dates -----------------------------------------------------------------------------


def _place(when: datetime) -> float:
    """Days since 1970, in UTC."""
    return when.timestamp() / 86400


def date_axis(first: datetime, last: datetime) -> Axis:
    """An axis of days, with round dates.

    Examples
    --------
    >>> first, last = (datetime(2027, month, 5, tzinfo=UTC) for month in (1, 6))
    >>> axis = date_axis(first, last)
    >>> [words for _, words in axis.ticks], axis.label
    (['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'], '2027 (UTC)')
    """
    ends = _place(first), _place(last)
    room = 0.04 * (ends[1] - ends[0]) or 0.5
    low, high = ends[0] - room, ends[1] + room
    year = f"{first.year} " if first.year == last.year else ""
    ticks = _date_ticks(low, high, year)
    label = f"{year}(UTC)"
    return Axis(label, low, high, ticks)


def _date_ticks(low: float, high: float, year: str) -> tuple[tuple[float, str], ...]:
    hours = 24 * (high - low)
    step = next((step for step in _HOURS if hours / step <= _TICKS), None)
    if step is not None:
        hours_at = np.arange(np.ceil(24 * low / step), 24 * high / step) * step
        at_days: list[float] = (hours_at / 24).tolist()
        return tuple((at, _hour_words(at, step, year)) for at in at_days)
    months = [*_months(low, high)]
    step = next(step for step in _STEPS if len(months) / step <= _TICKS)
    ticks = [
        (at, month)
        for at, month in months
        if (month.year * 12 + month.month - 1) % step == 0
    ]
    whole = step >= 12
    words = [
        f"{month.year}"
        if whole
        else _MONTHS[month.month - 1] + f" {month.year}" * (not year)
        for _, month in ticks
    ]
    places = [at for at, _ in ticks]
    return tuple(zip(places, words, strict=True))


def _hour_words(at: float, step: int, year: str) -> str:
    moment = _moment(at + 1e-6)
    day = f"{moment.day} {_MONTHS[moment.month - 1]}"
    day += f" {moment.year}" * (not year)
    return day if step >= 24 or moment.hour == 0 else f"{moment:%H:%M}"


def _months(low: float, high: float) -> Iterator[tuple[float, datetime]]:
    """The beginnings of months between two places."""
    moment = _moment(low).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    while _place(moment) <= high:
        if _place(moment) >= low:
            yield _place(moment), moment
        later = moment.replace(day=_DAYS_OF_MONTH) + timedelta(days=7)
        moment = later.replace(day=1)


def _moment(at: float) -> datetime:
    return datetime.fromtimestamp(at * 86400, UTC)
