"""Pictures of error-return curves, drawn with matplotlib.

Nothing is computed here. Curves of very many vertices are thinned by less than a pixel.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

import numpy as np

from demur import checks
from demur.arrays import Numbers
from demur.checks import choice, decimal_fraction
from demur.curves.curves import Curve
from demur.curves.rates import Point, Vertices
from demur.errors import InputError, shown
from demur.plots.pens import (
    GREY,
    MISSED,
    Entry,
    add_legend,
    band_pen,
    blank,
    colour_of,
    confidence_pen,
    dot_pen,
    draw_band,
    flat,
    label_beside,
    line_pen,
    literal,
    make_room,
    marker_pen,
    missed_pen,
    new_axes,
    settle,
    share_entries,
    short_names,
    small,
    stack_shares,
    start_pen,
    thinned,
    write_values,
)
from demur.statistics.bands import Band

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

READINGS = {
    "linear": "linear between cutoffs",
    "step": "step: one cutoff for all inputs",
}
"""What lies between two vertices, in words."""

_NONRETURN = "nonreturn (share of inputs not answered)"
_ONLY_POINTS = "operating points (no confidences, so no curves)"
_OPERATING = "operating point: own decisions"
_START = "no guesses further left"
_UNGRADED = "if ungraded answers are wrong"

REGION: dict[str, Any] = {"facecolor": "#ECECEC", "linewidth": 0, "zorder": 0}
_FEW_CURVES = 3
_FEW_POINTS = 8
_PANELS_ACROSS = 3
_USUAL_NONRETURN = 0.2
_VISIBLE = 0.005
_CLOSE = 0.09
Rates = Sequence[float]
Signs = list[tuple[str, "Line2D"]]


class Wording(TypedDict, total=False):
    """Options of `plot_curves` about words."""

    label: str | None
    labels: Sequence[str] | None
    color: Any
    looks: Sequence[int] | None
    legend: bool
    title: str | None


class PlotOptions(Wording, total=False):
    """Options of `plot_curves`."""

    missed: bool | Literal["auto"]
    region: tuple[float, float] | None
    at: float | Rates
    how: str
    bands: Sequence[Band | None]


def plot_curves(
    curves: Curve | Iterable[Curve],
    *,
    ax: "Axes | None" = None,
    missed: bool | Literal["auto"] = "auto",
    region: tuple[float, float] | None = None,
    at: float | Rates = (),
    how: str = "linear",
    bands: Sequence[Band | None] = (),
    **wording: Unpack[Wording],
) -> "Axes":
    """Error-return curves of one or several systems in one picture.

    The first curve is the baseline: thick and black. A system without confidences is
    one point; so is the operating point of a system that declines by itself.

    Parameters
    ----------
    curves : Curve or iterable of Curve
        At least one.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if left out. Curves drawn before stay: the new ones
        look otherwise, and one legend inside the axes names all.
    missed : {"auto"} or bool
        Also draw missed chances, thin and dashed; "auto" does so for up to three
        curves. The vertical axis is scaled to the errors: missed chances may leave it.
    region : tuple (low, high), optional
        Nonreturn rates at which the systems will be run; shaded.
    at : float or sequence of float
        Nonreturn rates to mark, with the error there: beside the lines of up to three
        curves, else in the legend.
    how : {"linear", "step"}
        Between vertices: ``linear`` answers the tied block at random in part, ``step``
        shows what one cutoff for all inputs can do (the reading ``at_most``).
    bands : sequence of Band or None, optional
        As many as curves, of one kind and level, which stand in the legend; None for a
        curve without one. Only with ``how="linear"``, which is what they are about.
    labels : sequence of str, optional
        Names for the curves, instead of their systems. Shown literally.
    label : str, optional
        The name, if there is one curve.
    color : any colour of matplotlib, optional
        Of all these curves; by default each has its own.
    looks : sequence of int, optional
        For each curve its place in the order of looks (0, 1, ...), for a system that
        is to look the same in several pictures.
    legend : bool
        Say what is what, by default: beside the lines of a new figure if they are few
        and there is room; else to the right of the axes, in the order of the errors at
        the first rate of ``at``, or at nonreturn 0.2.
    title : str, optional
        Shown literally.

    Returns
    -------
    matplotlib Axes
        Write it with `save`.

    Raises
    ------
    InputError
        If an argument is not what it must be.
    MissingExtra
        If matplotlib is not installed.

    References
    ----------
    Artstein (2011), "Error Return Plots", sections 3-5.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[True, False, True, True], confidence=[0.9, 0.8, 0.7, 0.6])
    >>> ax = demur.plot_curves([demur.error_return(outcomes)], at=0.5)
    >>> ax.lines[0].get_ydata()
    array([0.25, 0.25, 0.  , 0.  ])
    """
    where = "plot_curves"
    curves = checks.all_of_kind(where, "curves", curves, Curve, alone=True)
    bands = checks.listed(where, "bands", bands)
    choice(where, "how", how, READINGS)
    for name in wording:
        choice(where, "each option", name, Wording.__annotations__)
    labels, label = wording.get("labels"), wording.get("label")
    if label is not None:
        labels = [label]
    before = [] if ax is None else _drawn_before(ax)
    named = _drawn(where, curves, labels, nameless="error")
    looks = wording.get("looks") or range(len(before), len(before) + len(named))
    drawn = [
        replace(each, index=look, own_colour=wording.get("color"))
        for each, look in zip(named, looks, strict=True)
    ]
    few = sum(each.has_line for each in drawn) <= _FEW_CURVES
    scene = _Scene(
        drawn,
        at=_rates("at", at),
        region=() if region is None else _rates("region", region),
        how=how,
        missed=few if missed == "auto" else missed,
        bands=tuple(bands),
    )
    scene.check()
    axes = new_axes(1, size=(5.6, 4.2))[0] if ax is None else ax
    _frame(axes, scene, again=bool(before))
    for each, band in zip(drawn, scene.bands, strict=False):
        if band is not None:
            filled = len(drawn) < _FEW_CURVES
            draw_band(axes, band, each.index, filled=filled)
    signs = [_draw(axes, each, scene) for each in drawn]
    _mark(axes, scene)
    if not before or wording.get("title") is not None:
        _write_above(axes, scene, wording.get("title"))
    explain = _explain if ax is None else _add_to_legend
    explain(axes, scene, signs, legend=wording.get("legend", True))
    return axes


def _drawn_before(ax: "Axes") -> list[Entry]:
    """The systems that earlier calls have drawn into axes, to be added to."""
    entries: list[Entry] = ax.__dict__.setdefault("_demur_systems", [])
    return entries


# -- what is drawn ------------------------------------------------------------------


@dataclass(frozen=True)
class _Drawn:
    """A curve with its name and its place in the order of pens."""

    curve: Curve
    name: str
    index: int
    own_colour: Any = None

    @property
    def colour(self) -> str:
        return colour_of(self.index) if self.own_colour is None else self.own_colour

    @property
    def pen(self) -> dict[str, Any]:
        """Properties of the line."""
        return {**line_pen(self.index), "color": self.colour}

    @property
    def marker(self) -> dict[str, Any]:
        """Properties of the marker of the operating point."""
        return {**marker_pen(self.index), "color": self.colour}

    @property
    def has_line(self) -> bool:
        return self.curve.ladder is not None

    @property
    def left_end(self) -> tuple[float, float]:
        """Where the curve starts: nonreturn and error."""
        return self.curve.start, float(self.curve.corners.error[0])

    @property
    def late_start(self) -> bool:
        """Whether the curve visibly starts to the right of nonreturn 0."""
        return self.has_line and self.curve.start > _VISIBLE

    @property
    def own_point(self) -> tuple[float, float] | None:
        """The operating point, unless it is just the curve's left end."""
        point = self.curve.operating_point
        own = (point.nonreturn, point.error or 0.0)
        if not self.has_line:
            return own
        same = np.allclose(own, self.left_end, rtol=0, atol=1e-9)
        return None if same else own

    def point(self, rate: float, how: str) -> Point | None:
        """The curve's point in a reading, if its error there is known."""
        if self.curve.ladder is None or rate < self.curve.start:
            return None
        lookup = "at_most" if how == "step" else "linear"
        return self.curve.at(nonreturn=rate, how=lookup)


@dataclass(frozen=True)
class _Scene:
    """All that a picture of curves shows."""

    drawn: list[_Drawn]
    at: Rates
    region: Rates
    how: str
    missed: bool
    bands: tuple[Band | None, ...] = ()

    def check(self) -> None:
        """Raise if an argument is not what it must be."""
        where, region = "plot_curves", self.region
        if self.missed not in (True, False):
            must = 'be True, False or "auto"'
            raise InputError(where, "missed", must, shown(self.missed))
        if region and (len(region) != 2 or region[0] >= region[1]):
            raise InputError(where, "region", "be (low, high)", shown(region))
        if self.bands and len(self.bands) != len(self.drawn):
            must = f"be one for each of {len(self.drawn)} curves"
            raise InputError(where, "bands", must, str(len(self.bands)))
        if self.band_text and self.how != "linear":
            hint = "Bands are about the linear reading."
            raise InputError(where, "how", 'be "linear" with bands', self.how, hint)

    @property
    def band_text(self) -> str:
        """What the bands are, in words; empty if there are none."""
        texts = {band.text for band in self.bands if band is not None}
        if len(texts) > 1:
            must = "be of one kind and level"
            raise InputError("plot_curves", "bands", must, shown(sorted(texts)))
        return "".join(texts)

    @property
    def lines(self) -> list[_Drawn]:
        return [each for each in self.drawn if each.has_line]

    @property
    def listed(self) -> Rates:
        """Rates whose errors have no room beside the lines."""
        gaps = np.diff(sorted(self.at))
        few = len(self.lines) <= _FEW_CURVES and not (gaps < _CLOSE).any()
        return () if few else self.at


def _rates(what: str, rates: Any) -> Rates:
    listed = np.atleast_1d(rates).tolist()
    return [float(decimal_fraction("plot_curves", what, rate)) for rate in listed]


def _drawn(
    where: str,
    curves: Curve | Iterable[Curve],
    labels: Sequence[str] | None = None,
    *,
    nameless: str = "",
) -> list[_Drawn]:
    listed = [curves] if isinstance(curves, Curve) else list(curves)
    if not listed:
        raise InputError(where, "curves", "hold at least one curve", "none")
    names = [curve.system or nameless for curve in listed]
    if labels is not None:
        names = [str(label) for label in labels]
    if len(names) != len(listed):
        must = f"name all {len(listed)} curves"
        raise InputError(where, "labels", must, f"{len(names)} names")
    named = zip(listed, short_names(names), strict=True)
    return [_Drawn(curve, name, index) for index, (curve, name) in enumerate(named)]


def _frame(ax: "Axes", scene: _Scene, *, again: bool) -> None:
    """Scales and axis labels: nonreturn from 0 to 1, error from 0 to the largest."""
    highest = 0.0
    for each in scene.drawn:
        highest = max(highest, each.curve.operating_point.bounds[1])
        if each.has_line:
            left = each.curve.corners
            highest = max(highest, float(left.error[0] + left.ungraded[0]))
    highest = max([highest, *(b.high.max() for b in scene.bands if b is not None)])
    ax.set_xlim(0, 1)
    ax.set_ylim(0, max(highest * 1.06 or 0.05, ax.get_ylim()[1] if again else 0.0))
    ax.set_xlabel(_NONRETURN)
    ax.set_ylabel("error (share of all inputs answered wrongly)")
    ax.spines[["top", "right"]].set_visible(False)
    if scene.region:
        ax.axvspan(scene.region[0], scene.region[1], **REGION)


def _draw(ax: "Axes", each: _Drawn, scene: _Scene) -> Signs:
    """One system: its line, missed chances, start and operating point, with words."""
    signs = _draw_line(ax, each, scene) if each.has_line else []
    if each.late_start:
        x, error = np.array([each.left_end]).T
        (start,) = ax.plot(x, error, **start_pen(each.colour))
        signs.append((_START, start))
    if each.own_point is not None:
        x, error = np.array([each.own_point]).T
        (marker,) = ax.plot(x, error, **each.marker)
        signs.append((_OPERATING if each.has_line else each.name, marker))
    return signs


def _draw_line(ax: "Axes", each: _Drawn, scene: _Scene) -> Signs:
    curve, colour, step = each.curve, each.colour, scene.how == "step"
    style: Any = {"drawstyle": "steps-post" if step else "default"}
    x, error, ungraded = _thinned(curve.corners, "error", "ungraded")
    (line,) = ax.plot(x, error, **each.pen, **style, label=each.name)
    signs = [(each.name, line)]
    if curve.totals.ungraded:
        band: Any = {**band_pen(colour), "step": "post" if step else None}
        ax.fill_between(x, error, error + ungraded, **band)
    if scene.missed:
        # In steps every vertex matters: missed chances rise between corners too.
        x, lost = _thinned(curve.vertices if step else curve.corners, "missed")
        (line,) = ax.plot(x, lost, **missed_pen(colour), **style)
        signs.append((MISSED, line))
    return signs


def _thinned(vertices: Vertices, *names: str) -> list[Numbers]:
    kept = thinned(vertices.nonreturn)
    return [getattr(vertices, name)[kept] for name in ("nonreturn", *names)]


def _mark(ax: "Axes", scene: _Scene) -> None:
    """Thin vertical lines at nonreturn rates, with dots and errors on the curves."""
    for rate in scene.at:
        ax.axvline(rate, color=GREY, linewidth=0.7, zorder=1)
        above = {"xy": (rate, 1), "xycoords": ax.get_xaxis_transform()}
        small(ax, f"{rate:g}", (0, 2), ha=_side(rate, scene.at), **above)
        dots = []
        for line in scene.lines:
            point = line.point(rate, scene.how)
            if point is not None:
                error = point.error or 0.0
                ax.plot([rate], [error], **dot_pen(line.colour, 4))
                dots.append((error, _value(point), line.colour))
        if not scene.listed:
            write_values(ax, rate, dots)


def _side(rate: float, rates: Rates) -> str:
    near = [other - rate for other in rates if 0 < abs(other - rate) < _CLOSE]
    if not near:
        return "center"
    return "right" if min(near, key=abs) > 0 else "left"


def _value(point: Point | None) -> str:
    if point is None:
        return "-"
    low, high = (f"{bound:.3f}" for bound in point.bounds)
    return low if low == high else f"{low}\N{EN DASH}{high}"


def _write_above(ax: "Axes", scene: _Scene, title: str | None) -> None:
    """The reading in small letters, over the marks, and the title over it."""
    lift = 15 if scene.at else 3
    reading = READINGS[scene.how] if scene.lines else _ONLY_POINTS
    small(ax, reading, (0, lift), xy=(1, 1), xycoords="axes fraction", ha="right")
    if title is not None:
        literal(ax.set_title("", pad=lift + 14), title)


# -- what is said -------------------------------------------------------------------


def _add_to_legend(
    ax: "Axes", scene: _Scene, signs: list[Signs], *, legend: bool
) -> None:
    """One legend inside the user's own axes, for all that was drawn into them."""
    before = _drawn_before(ax)
    before += _systems(scene)
    if legend:
        words = [word for sign in signs for word, _ in sign[1:]]
        entries = [*before, *_keys(scene, words)]
        add_legend(ax, entries, _listed_title(scene), inside=True)


def _explain(ax: "Axes", scene: _Scene, signs: list[Signs], *, legend: bool) -> None:
    """Name what is drawn: beside the lines if there is room, else in a legend."""
    if legend:
        _name_all(ax, scene, signs)
    settle(ax)


def _name_all(ax: "Axes", scene: _Scene, signs: list[Signs]) -> None:
    few = _FEW_CURVES if scene.lines else _FEW_POINTS
    direct = len(signs) <= few and not scene.listed
    direct = direct and label_beside(ax, _labels(signs))
    systems = [] if direct else _systems(scene)
    words = [] if direct else [word for sign in signs for word, _ in sign[1:]]
    if 0 < len(scene.lines) < len(scene.drawn):
        words.append(_OPERATING)
    keys = _keys(scene, words)
    between = [blank()] if systems and keys else []
    if systems or keys:
        entries = [*systems, *between, *keys]
        make_room(ax, add_legend(ax, entries, _listed_title(scene)))


def _listed_title(scene: _Scene) -> str:
    """What the numbers before the names are, if there are any."""
    values = ", ".join(f"{rate:g}" for rate in scene.listed)
    return f"error at nonreturn {values}" if values else ""


def _labels(signs: list[Signs]) -> Signs:
    """Words to write beside lines: names first, short words, missed chance once."""
    named = [each[0] for each in signs]
    others = [sign for each in signs for sign in each[1:]]
    missed = [line for words, line in others if words == MISSED][:1]
    points = [sign for sign in others if sign[0] != MISSED]
    return [
        *named,
        *((words.partition(":")[0], line) for words, line in points),
        *(("missed chance", line) for line in missed),
    ]


def _systems(scene: _Scene) -> list[Entry]:
    """The systems by falling error, points last, with errors at the marked rates."""
    from matplotlib.lines import Line2D

    rate = scene.at[0] if scene.at else _USUAL_NONRETURN
    drawn = sorted(scene.drawn, key=lambda each: _rank(each.curve, rate))
    columns = []
    for listed in scene.listed:
        values = [_value(each.point(listed, scene.how)) for each in drawn]
        width = max(map(len, values))
        columns.append([value.ljust(width, "\N{FIGURE SPACE}") for value in values])
    rows = zip(*columns, [each.name for each in drawn], strict=True)
    signs = [Line2D([], [], **_pen(each)) for each in drawn]
    return [("  ".join(row), sign) for row, sign in zip(rows, signs, strict=True)]


def _pen(each: _Drawn) -> dict[str, Any]:
    """Properties of the line and of the marker that stand for a system."""
    marker = {} if each.own_point is None else each.marker
    return {**marker, **(each.pen if each.has_line else {})}


def _rank(curve: Curve, rate: float) -> tuple[float, ...]:
    """Curves before points, then by error at a rate, then by that at the left end."""
    if curve.ladder is None:
        return 1, -(curve.operating_point.error or 0.0)
    left = float(curve.corners.error[0])
    error = curve.at(nonreturn=rate).error
    return 0, -(left if error is None else error), -left


def _keys(scene: _Scene, words: Sequence[str]) -> list[Entry]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    grey = GREY
    pens = {
        MISSED: missed_pen(grey),
        _OPERATING: dot_pen(grey, 8),
        _START: start_pen(grey),
    }
    keys: list[Entry] = [
        (word, Line2D([], [], **pen)) for word, pen in pens.items() if word in words
    ]
    if any(line.curve.totals.ungraded for line in scene.lines):
        keys.append((_UNGRADED, Patch(**band_pen(grey))))
    if scene.band_text:
        words = scene.band_text
        if len(scene.drawn) < _FEW_CURVES:
            keys.append((words, Patch(**confidence_pen(grey))))
        else:
            thin = Line2D([], [], color=grey, linewidth=0.7)
            keys.append((f"thin lines: {words}", thin))
    if scene.region:
        low, high = scene.region
        words = f"operating region, {low:g} to {high:g}"
        keys.append((words, Patch(**REGION)))
    return keys


# -- what becomes of the inputs -----------------------------------------------------


def plot_split(
    curves: Curve | Iterable[Curve],
    *,
    axes: "Axes | Iterable[Axes] | None" = None,
    at: float | None = None,
) -> list["Axes"]:
    """What becomes of the inputs as the nonreturn rate rises, one panel per system.

    Parameters
    ----------
    curves : Curve or iterable of Curve
        At least one. A system without confidences is one bar, whose unanswered inputs
        are left blank but for its missed chances.
    axes : matplotlib Axes or iterable of them, optional
        One per curve; a new figure if left out.
    at : float, optional
        A nonreturn rate to mark, with the error and the missed chances there.

    Returns
    -------
    list of matplotlib Axes
        One per curve; write them with `save`.

    Raises
    ------
    InputError
        If an argument is not what it must be.
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[True, False, True, True], confidence=[0.9, 0.8, 0.7, 0.6])
    >>> axes = demur.plot_split([demur.error_return(outcomes)], at=0.5)
    >>> axes[0].get_title(loc="left")
    'at 0.5: error 0.250, missed 0.500'
    """
    curves = checks.all_of_kind("plot_split", "curves", curves, Curve, alone=True)
    drawn = _drawn("plot_split", curves)
    if at is not None:
        decimal_fraction("plot_split", "at", at)
    across = min(len(drawn), _PANELS_ACROSS)
    panels = _panels(len(drawn), across) if axes is None else flat(axes)
    if len(panels) != len(drawn):
        must = f"be one for each of {len(drawn)} curves"
        raise InputError("plot_split", "axes", must, str(len(panels)))
    present = set[str]()
    for ax, each in zip(panels, drawn, strict=True):
        single = not each.has_line
        rates = each.curve.operating_point if single else each.curve.split
        present |= stack_shares(ax, rates)
        _name_panel(ax, each, at)
    entries = share_entries(present)
    legend = add_legend(panels[across - 1], entries, READINGS["linear"])
    if axes is None:
        make_room(panels[0], legend)
        settle(panels[0])
    return panels


def _panels(n: int, across: int) -> list["Axes"]:
    """Small panels on a new figure; the ones without a neighbour have labels."""
    down = math.ceil(n / across)
    size = (4.4, 3.6) if n == 1 else (2.5 * across, 2.5 * down)
    panels = new_axes(n, size=size, across=across)
    for ax in panels[::across]:
        ax.set_ylabel("share of all inputs")
    for ax in panels[-across:]:
        ax.set_xlabel("nonreturn" if n > 1 else _NONRETURN)
        ax.tick_params(labelbottom=True)
    return panels


def _name_panel(ax: "Axes", each: _Drawn, at: float | None) -> None:
    ax.set(xlim=(0, 1), ylim=(0, 1))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter("{x:g}")
    lines = [each.name] if each.name else []
    if each.curve.ladder is None:
        lines.append("no confidences: operating point only")
    if at is not None:
        ax.axvline(at, color="black", linewidth=0.9)
        point = each.point(at, "linear")
        if point is not None:
            lines.append(f"at {at:g}: error {_value(point)}, missed {point.missed:.3f}")
    literal(ax.set_title("", loc="left", fontsize="small"), "\n".join(lines))


# -- files --------------------------------------------------------------------------
