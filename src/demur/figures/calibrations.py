"""The reliability diagram beside the error-return curves."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from demur import checks
from demur.arrays import Floats
from demur.calibration.calibrating import Calibration
from demur.calibration.reliability import ConsistencyBand, Reliability
from demur.curves.rates import Point
from demur.errors import InputError
from demur.figures.curves import curves_panel
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
from demur.results.text import short_names

_TRUSTED = "cutoff = target, trusting confidences"
_BEST = "cutoff of least cost at the target"
_NOTE = "isotonic estimate, no bins"
_FIFTHS = tuple((share / 5, f"{share / 5:g}") for share in range(6))
_FEW = 3
_MOST_TOGETHER: Final = 6
"""More systems have a diagram each."""

_PANELS_ACROSS = 4
_BINS = 80
_STRIP, _ALL_STRIPS = 0.07, 0.3
_WIDEST = 1e290
"""Confidences beyond this are drawn at this place."""

_DIAGONAL = Line(np.array([0.0, 1.0]), np.array([0.0, 1.0]), "note", "dotted")


def calibration_picture(
    calibrations: Calibration | Iterable[Calibration],
    *,
    labels: Sequence[str] | None = None,
    apart: bool | None = None,
    at: float | Sequence[float] = (),
    how: str = "linear",
    region: tuple[float, float] | None = None,
    curves: bool = True,
) -> Picture:
    """Error-return curves, and how often guesses of each confidence are right.

    Parameters
    ----------
    calibrations : Calibration or iterable of Calibration
        At least one.
    apart : bool, optional
        Whether each system has a diagram of its own, with the others pale behind it;
        by default if they are more than six.
    labels, at, how, region
        As for `demur.plot_curves`.
    curves : bool
        Whether the error-return curves stand before the diagrams.
    """
    scene = _scene(calibrations, labels)
    panels = scene.diagrams(apart=apart)
    apart, signs, title = len(panels) > 1, scene.signs(apart=len(panels) > 1), ""
    if curves:
        listed = [calibration.curve for calibration in scene.calibrations]
        options: Any = {"at": at, "how": how, "region": region}
        left = curves_panel(listed, labels=scene.names, **options)
        signs, title = (*left.signs, *signs), left.signs_title
        panels = [scene.left(left, apart=apart), *panels]
    columns = min(_PANELS_ACROSS, len(panels))
    panels[columns - 1] = replace(
        panels[columns - 1], names=scene.entries(), signs=signs, signs_title=title
    )
    down = -(-len(panels) // columns)
    return Picture(
        "calibration",
        "Reliability diagram",
        scene.description,
        tuple(panels),
        (2.9 * columns, 2.8 * down) if apart else (4.7 * columns, 4.2),
        columns,
        systems=tuple(calibration.system for calibration in scene.calibrations),
    )


def _scene(
    calibrations: Calibration | Iterable[Calibration],
    labels: Sequence[str] | None,
) -> "_Reliabilities":
    single = isinstance(calibrations, Calibration)
    listed: list[Any] = [calibrations] if single else list(calibrations)  # type: ignore[arg-type]
    if not listed:
        need = "hold at least one"
        raise InputError("plot_calibration", "calibrations", need, "none")
    names = [calibration.system or "the system" for calibration in listed]
    if labels is not None:
        names = checks.texts("plot_calibration", "labels", labels)
    if len(names) != len(listed):
        need, got = f"name all {len(listed)} systems", f"{len(names)} names"
        raise InputError("plot_calibration", "labels", need, got)
    return _Reliabilities(listed, short_names(names))


@dataclass(frozen=True)
class _Reliabilities:
    """The systems with their names; the look of each is its place."""

    calibrations: Sequence[Calibration]
    names: Sequence[str]

    @property
    def description(self) -> str:
        """What a screen reader says."""
        names = ", ".join(self.names)
        if not self.stated:
            return (
                "How often guesses are right against their confidence, which is no "
                f"probability, for {names}."
            )
        return (
            f"How often guesses are right against their stated confidence, for {names}."
            " On the diagonal they are right as often as stated."
        )

    @property
    def stated(self) -> bool:
        """Whether the diagram is about probabilities: some confidences are."""
        diagrams = [
            calibration.reliability
            for calibration in self.calibrations
            if calibration.reliability
        ]
        return any(diagram.stated for diagram in diagrams) or not diagrams

    @property
    def shown(self) -> list[tuple[int, Reliability]]:
        """What the diagram shows: places of systems, and their estimates."""
        return [
            (place, calibration.reliability)
            for place, calibration in enumerate(self.calibrations)
            if calibration.reliability is not None
            and calibration.reliability.stated == self.stated
        ]

    @property
    def band(self) -> ConsistencyBand | None:
        """The band of a single system."""
        return self.calibrations[0].band if len(self.calibrations) == 1 else None

    @property
    def ends(self) -> tuple[float, float]:
        """The confidences at the ends of the horizontal axis."""
        every = np.concatenate([[], *(diagram.confidence for _, diagram in self.shown)])
        finite = every[np.isfinite(every)]
        if self.stated or not len(finite):
            return 0.0, 1.0
        low, high = float(np.min(_drawn(finite))), float(np.max(_drawn(finite)))
        # A column is no narrower than floats there can tell apart.
        least = max(1.0 if low == high else 0.0, 4 * _BINS * _step(low, high))
        more = max(0.0, least - (high - low)) / 2
        return low - more, high + more

    # -- diagrams -----------------------------------------------------------------

    def diagrams(self, *, apart: bool | None = None) -> list[Panel]:
        """One for all, or one for each if they are many."""
        many = len(self.calibrations) > _MOST_TOGETHER
        return self.apart() if (many if apart is None else apart) else [self.together()]

    def together(self) -> Panel:
        """All systems in one diagram."""
        marks = [self._line(place, diagram) for place, diagram in self.shown]
        return self._panel([*marks, *self._strips(self.shown)])

    def apart(self) -> list[Panel]:
        """A diagram for each system, the lines of the others pale behind it."""
        panels = []
        for place, diagram in self.shown:
            marks: list[Mark] = [
                replace(line, look="pale", style="thin")
                for other, estimate in self.shown
                for line in [self._line(other, estimate)]
                if other != place and isinstance(line, Line)
            ]
            marks += [self._line(place, diagram), *self._strips([(place, diagram)])]
            panel = self._panel(marks)
            panels.append(replace(panel, title=self.names[place], note=""))
        return panels

    def _panel(self, marks: Sequence[Mark]) -> Panel:
        low, high = self.ends
        margin = 0.012 * (high - low)
        band = [] if self.band is None else [_band(self.band)]
        floors = [float(m.low.min()) for m in marks if isinstance(m, Shade)]
        bottom = 1.03 * min(floors) if floors else -0.02
        diagonal = [_DIAGONAL] if self.stated else []
        words = "stated confidence" if self.stated else "confidence (not a probability)"
        targets = [Level(target, "x", "note", f"{target:g}") for target in self.targets]
        return Panel(
            (*band, *diagonal, *marks, *targets),
            Axis(words, low - margin, high + margin),
            Axis("share of guesses that are right", bottom, 1.02, _FIFTHS),
            note=_NOTE,
        )

    def _line(self, place: int, diagram: Reliability) -> Mark:
        """Level within blocks, straight between them; a single place is a dot."""
        ends = [
            (float(_drawn(np.array(confidence))), block.estimate)
            for block in diagram.blocks
            for confidence in dict.fromkeys((block.low, block.high))
            if np.isfinite(confidence)
        ]
        x, y = np.array(ends).reshape(-1, 2).T
        if len(ends) == 1:
            return Dots(x, y, place, "o", 5)
        return Line(x, y, place, name=self.names[place])

    def _strips(self, shown: Sequence[tuple[int, Reliability]]) -> list[Mark]:
        """Confidences in small columns under the diagram."""
        if len(shown) > _MOST_TOGETHER:
            return []
        height = min(_STRIP, _ALL_STRIPS / max(len(shown), 1))
        strips: list[Mark] = []
        for rank, (place, diagram) in enumerate(shown, 1):
            edges, share = _columns(diagram, self.ends)
            floor = np.full(len(edges), -rank * height)
            top = floor + 0.85 * height * np.append(share, 0)
            strips.append(Shade(edges, floor, top, place, "solid", "post"))
        return [Level(0.0, look="note"), *strips] if strips else []

    # -- targets ------------------------------------------------------------------

    @property
    def targets(self) -> list[float]:
        """The targets of all systems."""
        return sorted({t.target for one in self.calibrations for t in one.trust})

    def left(self, panel: Panel, *, apart: bool) -> Panel:
        """The curves, with the cutoffs that targets lead to; small beside many."""
        marks = (*panel.marks, *self.cutoffs())
        if not apart:
            return Panel(marks, panel.x, panel.y, note=panel.note)
        y = replace(panel.y, label="error")
        return Panel(marks, Axis("nonreturn"), y, title="error-return")

    def cutoffs(self) -> list[Mark]:
        """The cutoffs that targets lead to, on the curves.

        A hollow star is around the filled mark of trust if they are at one place.
        """
        worded = len(self.targets) > 1 and len(self.calibrations) <= _FEW
        marks: list[Mark] = []
        for look, calibration in enumerate(self.calibrations):
            for trust in calibration.trust:
                words = (f"{trust.target:g}",) if worded else ()
                best = Dots(*_place(trust.best), look, "*", 12, hollow=True)
                trusted = Dots(*_place(trust.trusted), look, "X", 6, words=words)
                marks += [best, trusted]
        return marks

    # -- what is said -------------------------------------------------------------

    def entries(self) -> tuple[Entry, ...]:
        """The systems, in the order of looks."""
        signs: list[Mark] = [
            Dots(look=look) if calibration.curve.ladder is None else Line(look=look)
            for look, calibration in enumerate(self.calibrations)
        ]
        return tuple(
            Entry(name, (sign,)) for name, sign in zip(self.names, signs, strict=True)
        )

    def signs(self, *, apart: bool) -> tuple[Entry, ...]:
        """What the signs of the diagrams mean."""
        return tuple(self._signs(apart=apart))

    def _signs(self, *, apart: bool) -> Iterable[Entry]:
        if self.targets:
            trusted = Dots(look="note", shape="X", size=6)
            best = Dots(look="note", shape="*", size=12, hollow=True)
            yield Entry(_TRUSTED, (trusted,))
            yield Entry(_BEST, (best,))
        if self.stated:
            yield Entry("perfectly calibrated", (_DIAGONAL,))
        if self.band is not None:
            words = f"{self.band.level:.0%} consistency band, pointwise"
            yield Entry(words, (_band(self.band),))
        if 0 < len(self.shown) <= _MOST_TOGETHER or apart:
            strip = Shade(style="solid")
            yield Entry("strips: guesses by confidence (root scale)", (strip,))
        places = {place for place, _ in self.shown}
        left_out = [name for i, name in enumerate(self.names) if i not in places]
        if left_out:
            many = f"{len(left_out)} systems"
            who = ", ".join(left_out) if len(left_out) < 3 else many
            yield Entry(f"not on the right: {who}")


def _band(band: ConsistencyBand) -> Shade:
    x, low, high = _drawn(band.confidence), band.low, band.high
    if len(x) == 1:  # an area without width would not be seen
        x = x + np.array([-0.004, 0.004])
        low, high = np.repeat(low, 2), np.repeat(high, 2)
    return Shade(x, low, high, "expected", "solid")


def _drawn(confidence: Floats) -> Floats:
    """Confidences that have a place on an axis."""
    return np.clip(confidence, -_WIDEST, _WIDEST)


def _step(low: float, high: float) -> float:
    """How far apart floats are there."""
    return float(np.spacing(max(abs(low), abs(high))))


def _columns(diagram: Reliability, ends: tuple[float, float]) -> tuple[Floats, Floats]:
    """Edges of narrow columns, and how high each is beside the highest.

    Heights are square roots, so that few guesses are seen beside many.
    """
    finite = np.isfinite(diagram.confidence)
    values, weight = _drawn(diagram.confidence[finite]), diagram.weight[finite]
    amounts, edges = np.histogram(values, _BINS, ends, weights=weight)
    return edges, np.sqrt(amounts / max(amounts.max(), 1e-300))


def _place(point: Point) -> tuple[Floats, Floats]:
    return np.array([point.nonreturn]), np.array([point.error or 0.0])
