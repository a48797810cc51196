"""Errors over time, with intervals, marks where they changed, and where lines break."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np


from demur.figures.looks import MARKERS
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
"""Of so many runs each has its dot and its interval; of more they are a band."""

_MOST_NAMES: Final = 24
"""So many runs at most have words beside them, those that changed first."""

_LETTERS: Final = 18
"""So long may a tag be."""

_TICKS: Final = 6
"""Dates on the axis, at most."""

_MONTHS: Final = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_HOURS: Final = (1, 2, 3, 6, 12, 24, 48, 96, 168, 336)
_STEPS: Final = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200)
_DAYS_OF_MONTH: Final = 28


def history_picture(history: History) -> Picture:
    """Each line of comparable runs by itself; runs that changed are filled."""
    known = [point for point in history.points if point.error is not None]
    systems = history.systems
    when = [point.when for point in known or history.points]
    axis = date_axis(min(when), max(when))
    marks: list[Mark] = []
    for line in history.lines:
        points = [point for point in known if point.line == line.line]
        if points:
            marks += _line_marks(line, points, systems.index(line.system))
    marks += [*_breaks(history, known), *_names(known, systems)]
    highest = max((point.high or 0.0 for point in known), default=0.0)
    numbers = [*dict.fromkeys(line.number for line in history.lines)]
    label = numbers[0] if len(numbers) == 1 else "error"
    panel = Panel(
        tuple(marks),
        axis,
        Axis(f"{label} (share of all items)", 0.0, 1.12 * highest or 0.05),
        names=tuple(_entries(history)),
        signs=tuple(_signs(history, known)),
        signs_title=f"{100 * history.level:g} % intervals",
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
    if single:
        for at, ends in zip(x.tolist(), zip(low, high, strict=True), strict=True):
            yield Line(np.array([at, at]), np.array(ends), look, "thin")
    else:
        yield Shade(x, low, high, look, "open")
    yield Line(x, y, look, name=line.system)
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
            seen[_place(points[0].when), cut(line.short, 2 * _LETTERS)] = None
    for at, words in seen:
        yield Level(at, "x", "note", words)


def _names(points: Sequence[HistoryPoint], systems: Sequence[str]) -> Iterator[Mark]:
    """Words beside runs: what changed, and tags that the run before did not bear."""
    listed: list[tuple[bool, int, HistoryPoint, str]] = []
    before: dict[str, tuple[str, ...]] = {}
    for number, point in enumerate(points):
        worn = before.get(point.system, ())
        fresh = [cut(tag, _LETTERS) for tag in point.tags if tag not in worn]
        before[point.system] = point.tags
        words = [f"run {point.run} {point.verdict}"] if point.marked else []
        words += fresh[:2]
        if words:
            listed.append((not point.marked, -number, point, ", ".join(words)))
    for _, _, point, words in sorted(listed, key=lambda row: row[:2])[:_MOST_NAMES]:
        place = np.array([_place(point.when)]), np.array([point.error])
        look = systems.index(point.system)
        yield Dots(*place, look, "o", 1, faint=True, words=(words,))


def _entries(history: History) -> Iterator[Entry]:
    names = short_names([system or "system" for system in history.systems])
    for look, name in enumerate(names):
        yield Entry(name, (Line(look=look),))


def _signs(history: History, known: Sequence[HistoryPoint]) -> Iterator[Entry]:
    if any(point.marked for point in known):
        yield Entry("changed beyond luck", (Dots(look="ink", shape="o", size=10),))
    broken = [line for line in history.lines if line.differs]
    for line in broken:
        sign = Dots(look="note", shape=shape_of_line(line), size=6, hollow=True)
        runs = f"from run {line.runs[0]}"
        yield Entry(f"{runs}: {cut(line.short, 2 * _LETTERS)}", (sign,))


# -- dates -----------------------------------------------------------------------------


def _place(when: datetime) -> float:
    """Days since 1970, in UTC."""
    return when.timestamp() / 86400


def date_axis(first: datetime, last: datetime) -> Axis:
    """An axis of days, with round dates.

    Examples
    --------
    >>> axis = date_axis(datetime(2027, 1, 5, tzinfo=UTC), datetime(2027, 6, 1, tzinfo=UTC))
    >>> [words for _, words in axis.ticks], axis.label
    (['Feb', 'Mar', 'Apr', 'May', 'Jun'], '2027 (UTC)')
    """
    ends = _place(first), _place(last)
    room = 0.04 * (ends[1] - ends[0]) or 0.5
    low, high = ends[0] - room, ends[1] + room
    ticks, label = _date_ticks(low, high)
    return Axis(label, low, high, ticks)


def _date_ticks(low: float, high: float) -> tuple[tuple[tuple[float, str], ...], str]:
    years = {_moment(low).year, _moment(high).year}
    year = f"{_moment(high).year} " if len(years) == 1 else ""
    hours = 24 * (high - low)
    step = next((step for step in _HOURS if hours / step <= _TICKS), None)
    if step is not None:
        places = np.arange(np.ceil(24 * low / step), 24 * high / step) * step / 24
        return tuple((at, _hour_words(at, step, year)) for at in places.tolist()), (
            f"{year}(UTC)"
        )
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
    return tuple(zip(places, words, strict=True)), f"{year}(UTC)"


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
