"""Error-return curves, what becomes of the inputs, and curves group by group."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from demur import checks
from demur.checks import choice, decimal_fraction, pair
from demur.curves.curves import Curve
from demur.curves.rates import Point
from demur.errors import InputError, shown
from demur.figures.looks import MISSED, SHARES, system_entries
from demur.results.pictures import (
    EMPTY,
    Axis,
    Dots,
    Entry,
    Level,
    Line,
    Mark,
    Panel,
    Picture,
    Shade,
    Shares,
    Spans,
)
from demur.results.text import short_names
from demur.statistics.bands import Band

if TYPE_CHECKING:
    from demur.curves.pooling import AverageCurve

READINGS: Final = {
    "linear": "ties answered in part",
    "step": "step: one cutoff for all inputs",
}
"""What lies between two vertices, in words."""

NONRETURN: Final = "nonreturn (share of inputs not answered)"
ERROR: Final = "error (share of all inputs answered wrongly)"
ERROR_AT: Final = "error at nonreturn"
_ONLY_POINTS = "operating points (no confidences, so no curves)"
_OPERATING = "operating point: own decisions"
_START = "no guesses further left"
_UNGRADED = "if ungraded answers are wrong"
_FEW_CURVES = 3
_FEW_POINTS = 8
_PANELS_ACROSS = 3
_USUAL_NONRETURN = 0.2
_VISIBLE = 0.005
_CLOSE = 0.09
_HALVES = tuple((share, f"{share:g}") for share in (0, 0.5, 1))
Rates = Sequence[float]


def curves_picture(  # noqa: PLR0913  (what a user may choose)
    curves: Curve | Iterable[Curve],
    *,
    missed: bool | Literal["auto"] = "auto",
    region: tuple[float, float] | None = None,
    at: float | Rates = (),
    how: str = "linear",
    bands: Sequence[Band | None] = (),
    label: str | None = None,
    labels: Sequence[str] | None = None,
    looks: Sequence[int] | None = None,
) -> Picture:
    """Error against nonreturn; the options are those of `demur.plot_curves`."""
    choice("plot_curves", "how", how, READINGS)
    labels = labels if label is None else [label]
    systems = _systems("plot_curves", curves, labels, looks, nameless="error")
    few = sum(system.has_line for system in systems) <= _FEW_CURVES
    scene = _Scene(
        systems,
        at=_rates("at", at),
        region=()
        if region is None
        else _rates("region", pair("plot_curves", "region", region)),
        how=how,
        missed=few if missed == "auto" else missed,
        bands=tuple(bands),
    )
    scene.check()
    names = ", ".join(system.name for system in systems)
    return Picture(
        "curves",
        "Error-return curves",
        f"Share of wrong answers against share not answered, for {names}. Lower is "
        "better. The table has the numbers.",
        (scene.panel(),),
        systems=tuple(system.curve.system for system in systems),
    )


def curves_panel(curves: Curve | Iterable[Curve], **options: Any) -> Panel:
    """The panel of `curves_picture`."""
    return curves_picture(curves, **options).panels[0]


@dataclass(frozen=True)
class _System:
    """A curve with its name and its look."""

    curve: Curve
    name: str
    look: int

    @property
    def has_line(self) -> bool:
        return self.curve.ladder is not None

    @property
    def left_end(self) -> tuple[float, float]:
        """Where the curve starts: nonreturn and error."""
        return self.curve.start, float(self.curve.corners.error[0])

    @property
    def decision(self) -> Dots | None:
        """The operating point, unless it is just the curve's left end."""
        point = self.curve.operating_point
        place = (point.nonreturn, point.error or 0.0)
        if self.has_line and np.allclose(place, self.left_end, rtol=0, atol=1e-9):
            return None
        return _dot(place, self.look)

    @property
    def start(self) -> Dots | None:
        """A mark where the curve visibly starts to the right of nonreturn 0."""
        if not self.has_line or self.curve.start <= _VISIBLE:
            return None
        return _dot(self.left_end, self.look, shape="o", size=5.5, hollow=True)

    def point(self, rate: float, how: str) -> Point | None:
        """The curve's point in a reading, if its error there is known."""
        if self.curve.ladder is None or rate < self.curve.start:
            return None
        lookup = "at_most" if how == "step" else "linear"
        return self.curve.at(nonreturn=rate, how=lookup)

    @property
    def sign(self) -> tuple[Mark, ...]:
        """What stands for it in a legend."""
        marker = (Dots(look=self.look),)
        line = (Line(look=self.look),)
        return (marker if self.decision else ()) + (line if self.has_line else ())

    def rank(self, rate: float) -> tuple[float, ...]:
        """Curves before points, by error at a rate, then by that at the left end."""
        if not self.has_line:
            return 1, -(self.curve.operating_point.error or 0.0)
        left = self.left_end[1]
        error = self.curve.at(nonreturn=rate).error
        return 0, -(left if error is None else error), -left


def _dot(place: tuple[float, float], look: int | str, **more: Any) -> Dots:
    return Dots(np.array(place[:1]), np.array(place[1:]), look, **more)


def _rates(what: str, rates: Any) -> Rates:
    listed = np.atleast_1d(rates).tolist()
    return [float(decimal_fraction("plot_curves", what, rate)) for rate in listed]


def _systems(
    where: str,
    curves: Curve | Iterable[Curve],
    labels: Sequence[str] | None = None,
    looks: Sequence[int] | None = None,
    *,
    nameless: str = "",
) -> list[_System]:
    listed = [curves] if isinstance(curves, Curve) else list(curves)
    if not listed:
        raise InputError(where, "curves", "hold at least one curve", "none")
    names = [curve.system or nameless for curve in listed]
    if labels is not None:
        names = [str(label) for label in checks.listed(where, "labels", labels)]
    if len(names) != len(listed):
        need = f"name all {len(listed)} curves"
        raise InputError(where, "labels", need, f"{len(names)} names")
    drawn = zip(listed, short_names(names), looks or range(len(listed)), strict=True)
    return [_System(*system) for system in drawn]


@dataclass(frozen=True)
class _Scene:
    """All that a panel of curves shows."""

    systems: list[_System]
    at: Rates
    region: Rates
    how: str
    missed: bool
    bands: tuple[Band | None, ...] = ()

    def check(self) -> None:
        """Raise if an argument is not what it must be."""
        where, region = "plot_curves", self.region
        if self.missed not in (True, False):
            need = 'be True, False or "auto"'
            raise InputError(where, "missed", need, shown(self.missed))
        if region and (len(region) != 2 or region[0] >= region[1]):
            raise InputError(where, "region", "be (low, high)", shown(region))
        if self.bands and len(self.bands) != len(self.systems):
            need = f"be one for each of {len(self.systems)} curves"
            raise InputError(where, "bands", need, str(len(self.bands)))
        if self.band_text and self.how != "linear":
            hint = "Bands are about the linear reading."
            raise InputError(where, "how", 'be "linear" with bands', self.how, hint)

    @property
    def band_text(self) -> str:
        """What the bands are, in words; empty if there are none."""
        texts = {band.text for band in self.bands if band is not None}
        if len(texts) > 1:
            need = "be of one kind and level"
            raise InputError("plot_curves", "bands", need, shown(sorted(texts)))
        return "".join(texts)

    @property
    def lines(self) -> list[_System]:
        return [system for system in self.systems if system.has_line]

    @property
    def listed(self) -> Rates:
        """Rates whose errors have no room beside the lines."""
        gaps = np.diff(sorted(self.at))
        few = len(self.lines) <= _FEW_CURVES and not (gaps < _CLOSE).any()
        return () if few else self.at

    # -- what is drawn ------------------------------------------------------------

    def panel(self) -> Panel:
        """Marks from the lowest to the uppermost, and what they are called."""
        marks: list[Mark] = [Spans((tuple(self.region),))] if self.region else []  # type: ignore[arg-type]
        for system, band in zip(self.systems, self.bands, strict=False):
            marks += [] if band is None else self._band(system, band)
        beside: list[list[tuple[str, Mark]]] = []
        for system in self.systems:
            signs = self._marks(system)
            marks += self._open(system) + [mark for _, mark in signs]
            beside.append(signs)
        marks += [mark for rate in self.at for mark in self._at(rate)]
        values = ", ".join(f"{rate:g}" for rate in self.listed)
        few = _FEW_CURVES if self.lines else _FEW_POINTS
        direct = len(self.systems) <= few and not self.listed
        return Panel(
            tuple(marks),
            Axis(NONRETURN),
            Axis(ERROR, 0.0, self.highest * 1.06 or 0.05),
            note=READINGS[self.how] if self.lines else _ONLY_POINTS,
            names=self._names(),
            signs=tuple(self._signs()),
            signs_title=f"{ERROR_AT} {values}" if values else "",
            beside=tuple(_beside(beside)) if direct else (),
        )

    @property
    def highest(self) -> float:
        """The largest error, as far as ungraded answers and bands reach."""
        decided = [system.curve.operating_point.bounds[1] for system in self.systems]
        left = [system.curve.corners for system in self.lines]
        lines = [float(corner.error[0] + corner.ungraded[0]) for corner in left]
        edges = [float(band.high.max()) for band in self.bands if band is not None]
        return max([0.0, *decided, *lines, *edges])

    def _band(self, system: _System, band: Band) -> list[Mark]:
        """Many bands are edges only."""
        x, low, high, look = band.nonreturn, band.low, band.high, system.look
        if len(self.systems) < _FEW_CURVES:
            return [Shade(x, low, high, look)]
        return [Line(x, edge, look, "edge") for edge in (low, high)]

    def _open(self, system: _System) -> list[Mark]:
        """What ungraded answers leave open."""
        if not (system.has_line and system.curve.totals.ungraded):
            return []
        corner = system.curve.corners
        high = corner.error + corner.ungraded
        steps: Literal["post", ""] = "post" if self.how == "step" else ""
        look = system.look
        return [Shade(corner.nonreturn, corner.error, high, look, "open", steps)]

    def _marks(self, system: _System) -> list[tuple[str, Mark]]:
        """Its line, missed chances, start and operating point, with words."""
        signs: list[tuple[str, Mark]] = []
        curve, look = system.curve, system.look
        steps: Literal["post", ""] = "post" if self.how == "step" else ""
        if system.has_line:
            corner = curve.corners
            line = Line(
                corner.nonreturn, corner.error, look, steps=steps, name=system.name
            )
            signs.append((system.name, line))
        if system.has_line and self.missed:
            # In steps every vertex matters: missed chances rise between corners too.
            lost = curve.vertices if steps else curve.corners
            missed = Line(lost.nonreturn, lost.missed, look, "missed", steps)
            signs.append((MISSED, missed))
        if system.start is not None:
            signs.append((_START, system.start))
        decision = system.decision
        if decision is not None:
            signs.append((_OPERATING if system.has_line else system.name, decision))
        return signs

    def _at(self, rate: float) -> list[Mark]:
        """A vertical line at a nonreturn rate, with dots on the curves."""
        marks: list[Mark] = [Level(rate, "x", "note", f"{rate:g}")]
        for system in self.lines:
            point = system.point(rate, self.how)
            if point is not None:
                words = () if self.listed else (_value(point),)
                curve, error = system.curve, point.error
                if error is None:  # it has bounds, and the line runs between them
                    error = float(np.interp(rate, curve.nonreturn, curve.error))
                place = (rate, error)
                marks.append(_dot(place, system.look, shape="o", size=4, words=words))
        return marks

    # -- what is said -------------------------------------------------------------

    def _names(self) -> tuple[Entry, ...]:
        """The systems by falling error, points last, with errors at marked rates."""
        rate = self.at[0] if self.at else _USUAL_NONRETURN
        ranked = sorted(self.systems, key=lambda system: system.rank(rate))
        columns = []
        for listed in self.listed:
            values = [_value(system.point(listed, self.how)) for system in ranked]
            width = max(map(len, values))
            columns.append([value.ljust(width, "\N{FIGURE SPACE}") for value in values])
        rows = zip(*columns, [system.name for system in ranked], strict=True)
        return tuple(
            Entry("  ".join(row), system.sign)
            for row, system in zip(rows, ranked, strict=True)
        )

    def _signs(self) -> Iterable[Entry]:
        """What the signs mean, of those that occur."""
        lines = self.lines
        if self.missed and lines:
            missed = Line(look="note", style="missed")
            yield Entry(MISSED, (missed,))
        mixed = 0 < len(lines) < len(self.systems)
        if mixed or any(system.decision for system in lines):
            dot = Dots(look="note")
            yield Entry(_OPERATING, (dot,), always=mixed)
        if any(system.start for system in lines):
            start = Dots(look="note", shape="o", size=5.5, hollow=True)
            yield Entry(_START, (start,))
        if any(system.curve.totals.ungraded for system in lines):
            yield Entry(_UNGRADED, (_shade("open"),), always=True)
        if self.band_text and len(self.systems) < _FEW_CURVES:
            yield Entry(self.band_text, (_shade("band"),), always=True)
        elif self.band_text:
            thin = Line(look="note", style="thin")
            yield Entry(f"thin lines: {self.band_text}", (thin,), always=True)
        if self.region:
            yield region_entry(self.region)


def region_entry(region: Rates) -> Entry:
    """What the shaded rates are."""
    low, high = region
    span = Spans(((low, high),))
    return Entry(f"operating region, {low:g} to {high:g}", (span,), always=True)


def _shade(style: Literal["open", "band"]) -> Shade:
    return Shade(style=style)


def _beside(signs: Sequence[Sequence[tuple[str, Mark]]]) -> list[tuple[str, Mark]]:
    """Words to write beside lines: names first, short words, missed chance once."""
    named = [system[0] for system in signs]
    others = [sign for system in signs for sign in system[1:]]
    missed = [mark for words, mark in others if words == MISSED][:1]
    points = [sign for sign in others if sign[0] != MISSED]
    return [
        *named,
        *((words.partition(":")[0], mark) for words, mark in points),
        *(("missed chance", mark) for mark in missed),
    ]


def _value(point: Point | None) -> str:
    if point is None:
        return "-"
    low, high = (f"{bound:.3f}" for bound in point.bounds)
    return low if low == high else f"{low}\N{EN DASH}{high}"


# -- what becomes of the inputs -----------------------------------------------------


def split_picture(
    curves: Curve | Iterable[Curve], *, at: float | None = None
) -> Picture:
    """What becomes of the inputs as the nonreturn rate rises, one panel per system."""
    systems = _systems("plot_split", curves)
    if at is not None:
        decimal_fraction("plot_split", "at", at)
    columns = min(len(systems), _PANELS_ACROSS)
    panels = [_split_panel(system, at, several=len(systems) > 1) for system in systems]
    present = {
        name
        for panel in panels
        for mark in panel.marks
        if isinstance(mark, Shares)
        for name in mark.amounts
    }
    signs = tuple(
        Entry(SHARES[name][0], (Shares(EMPTY, {name: EMPTY}),))
        for name in reversed(SHARES)
        if name in present
    )
    last = panels[columns - 1]
    panels[columns - 1] = replace(last, signs=signs, signs_title=READINGS["linear"])
    down = math.ceil(len(systems) / columns)
    return Picture(
        "split",
        "What becomes of the inputs",
        "Shares of all inputs, stacked, against the share that is not answered.",
        tuple(panels),
        (4.4, 3.6) if len(systems) == 1 else (2.5 * columns, 2.5 * down),
        columns,
        shared="xy",
    )


def _split_panel(system: _System, at: float | None, *, several: bool) -> Panel:
    curve = system.curve
    rates = curve.split if system.has_line else curve.operating_point
    amounts = {name: np.atleast_1d(getattr(rates, name, 0.0)) for name in SHARES}
    kept = {name: share for name, share in amounts.items() if share.any()}
    marks: list[Mark] = [Shares(np.atleast_1d(rates.nonreturn), kept)]
    lines = [system.name] if system.name else []
    if not system.has_line:
        lines.append("no confidences: operating point only")
    if at is not None:
        marks.append(Level(at, "x"))
        point = system.point(at, "linear")
        if point is not None:
            lines.append(f"at {at:g}: error {_value(point)}, missed {point.missed:.3f}")
    return Panel(
        tuple(marks),
        Axis("nonreturn" if several else NONRETURN, ticks=_HALVES),
        Axis("share of all inputs", ticks=_HALVES),
        heading="\n".join(lines),
    )


def average_picture(average: "AverageCurve") -> Picture:
    """The mean error of several curves at every nonreturn."""
    highest = float(average.error.max(initial=0.0))
    line = Line(average.nonreturn, average.error, 0)
    return Picture(
        "average",
        "Average error-return curve",
        "Share of wrong answers against share not answered, averaged over curves.",
        (Panel((line,), Axis(NONRETURN), Axis(ERROR, 0.0, highest * 1.06 or 0.05)),),
    )


# -- group by group -----------------------------------------------------------------


def groups_picture(
    groups: Mapping[str, Mapping[str, Curve]], **options: Any
) -> Picture:
    """One panel for each group, with the curves of all systems, on one scale."""
    if not groups:
        raise InputError("plot_groups", "groups", "hold at least one group", "none")
    columns = min(len(groups), _PANELS_ACROSS)
    down = math.ceil(len(groups) / columns)
    systems = list(dict.fromkeys(name for curves in groups.values() for name in curves))
    panels = [
        curves_panel(
            list(curves.values()),
            looks=[systems.index(name) for name in curves],
            missed=False,
            **options,
        )
        for curves in groups.values()
    ]
    highest = max(panel.y.high for panel in panels)
    every = [curve for curves in groups.values() for curve in curves.values()]
    declines = any(
        curve.operating_point.nonreturn > curve.start + 1e-9 for curve in every
    )
    names = system_entries(short_names(systems))
    sign = Entry("own decisions", (Dots(look="note"),))
    named = any(systems)
    return Picture(
        "groups",
        "Error-return curves of groups",
        f"Share of wrong answers against share not answered, by {len(groups)} groups.",
        tuple(
            Panel(
                panel.marks,
                Axis("nonreturn"),
                Axis("error", 0.0, highest),
                title=short_names([group])[0],
                note=panel.note,
                names=names if named and number == columns - 1 else (),
                signs=(sign,) if declines and named and number == columns - 1 else (),
            )
            for number, (group, panel) in enumerate(zip(groups, panels, strict=True))
        ),
        (3.2 * columns, 2.9 * down),
        columns,
        shared="xy",
    )
