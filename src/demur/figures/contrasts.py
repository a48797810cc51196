"""What other fields draw of the same counts, beside the error-return curve."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from demur.arrays import Floats
from demur.curves.contrasts import Contrast
from demur.errors import InputError
from demur.figures.curves import curves_panel
from demur.results.pictures import Axis, Dots, Entry, Line, Mark, Panel, Picture
from demur.results.text import short_names

_PERCENTS: Final = (0.1, 1, 5, 20, 50, 80, 95, 99, 99.9)
"""Where the axes of a DET plot have marks: equal steps of a normal deviate."""

_KINDS: Final = (
    ("error-return", "", "", "nonreturn", "error of all inputs"),
    ("ROC", "false_alarm", "hit", "wrong guesses answered", "right guesses answered"),
    ("DET", "false_alarm", "miss", "wrong guesses answered", "right guesses withheld"),
    (
        "precision and recall",
        "recall",
        "precision",
        "recall (of answerable items)",
        "precision",
    ),
    ("risk and coverage", "coverage", "risk", "coverage", "wrong among answered"),
    ("F of SimpleQA and QALD-1", "nonreturn", "f_measure", "nonreturn", "F"),
)
_EMPTY: Final = "needs right and wrong guesses"
_ONE_PLACE: Final = "all in one place"
_POINTS: Final = "operating points"
_MOST_TOGETHER: Final = 6
_IN_A_ROW: Final = 5
"""More than six systems stand in rows of so many, the others pale behind them."""


def contrasts_picture(
    contrasts: Contrast | Iterable[Contrast],
) -> Picture:
    """Error-return, ROC, DET, precision-recall, risk-coverage and F, side by side."""
    listed = [contrasts] if isinstance(contrasts, Contrast) else list(contrasts)
    if not listed:
        need = "hold at least one contrast"
        raise InputError("plot_contrasts", "contrasts", need, "none")
    names = short_names([contrast.system for contrast in listed])
    systems = list(zip(listed, names, range(len(listed)), strict=True))
    many = len(systems) > _MOST_TOGETHER
    columns = len(_KINDS) if many else 3
    rows = -(-len(systems) // _IN_A_ROW) if many else 1
    panels: list[Panel] = []
    for places in np.array_split(np.arange(len(systems)), rows):
        row = [systems[place] for place in places]
        others = [system for system in systems if system not in row]
        block = [_panel(kind, row, others) for kind in _KINDS]
        entries = tuple(Entry(name, (_sign(held, look),)) for held, name, look in row)
        if any(name for _, name, _ in row):
            block[columns - 1] = replace(block[columns - 1], names=entries)
        panels += block
    down = len(panels) // columns
    return Picture(
        "contrasts",
        "Curves of other fields",
        f"{', '.join(kind[0] for kind in _KINDS)}, for {', '.join(names)}, on the same "
        "counts. ROC and DET do not show how many guesses are wrong.",
        tuple(panels),
        (2.8 * columns, 2.8 * down) if many else (3.5 * columns, 3.3 * down),
        columns,
        systems=tuple(contrast.system for contrast in listed),
    )


def _panel(kind: Sequence[str], row: Sequence[Any], others: Sequence[Any]) -> Panel:
    title, x_name, _, x_words, y_words = kind
    if not x_name:
        return _curves(kind, row, others)
    behind = [_lines(contrast, "pale", kind) for contrast, _, _ in others]
    marks = [_lines(contrast, look, kind) for contrast, _, look in row]
    drawn = tuple(mark for lines in (*behind, *marks) for mark in lines)
    axis: dict[str, Any] = {"high": 1.02}
    if title == "DET":
        axis = _deviate_ticks()
    return Panel(
        drawn,
        replace(Axis(x_words, **axis), high=axis["high"] if title == "DET" else 1.0),
        Axis(y_words, **axis),
        title=title,
        note=_note(drawn),
    )


def _note(drawn: Sequence[Mark]) -> str:
    """What a reader would wonder at: that nothing is there, or less than was drawn."""
    places = {(*mark.x.tolist(), *mark.y.tolist()) for mark in drawn}  # type: ignore[union-attr]
    if len(places) == 1 < len(drawn):
        return _ONE_PLACE
    return "" if drawn else _EMPTY


def _curves(kind: Sequence[str], row: Sequence[Any], others: Sequence[Any]) -> Panel:
    curves, looks = zip(
        *((c.curve, look) for c, _, look in (*others, *row)), strict=True
    )
    panel = curves_panel(curves, looks=looks, missed=False)
    pale = looks[: len(others)]
    marks = tuple(
        replace(mark, look="pale", style="thin", name="")
        if isinstance(mark, Line) and mark.look in pale
        else mark
        for mark in panel.marks
        if isinstance(mark, Line) or getattr(mark, "look", "") not in pale
    )
    high = Axis(kind[4], 0.0, panel.y.high)
    alone = not any(isinstance(mark, Line) for mark in marks)
    note = _POINTS if alone else panel.note
    return Panel(marks, Axis(kind[3]), high, title=kind[0], note=note)


def _sign(contrast: Contrast, look: int) -> Mark:
    """What stands for a system in a legend."""
    return Dots(look=look) if contrast.curve.ladder is None else Line(look=look)


def _lines(contrast: Contrast, look: int | str, kind: Sequence[str]) -> list[Mark]:
    """The line of a system; a dot if it is one place, as by its own decisions alone."""
    title, x_name, y_name, *_ = kind
    source: Any = contrast.curve if x_name == "nonreturn" else contrast
    alone = contrast.curve.ladder is None
    if alone:
        x, y = (np.array([contrast.own_rates[name]]) for name in (x_name, y_name))
    else:
        x, y = getattr(source, x_name), getattr(contrast, y_name)
    known = ~(np.isnan(x) | np.isnan(y))
    x, y = x[known], y[known]
    if title == "DET":
        x, y = _deviates(x, within=alone), _deviates(y, within=alone)
    if alone:
        return [Dots(x, y, look)] if len(x) else []
    if len(x) == 1:
        return [Dots(x, y, look, "o", 6)]
    return [Line(x, y, look, "thin" if look == "pale" else "system")] if len(x) else []


def _deviates(rates: Floats, *, within: bool = True) -> Any:
    """Normal deviates of rates; those of 0 and 1 lie at the ends of axes, or beyond."""
    from scipy.special import ndtri

    least = _PERCENTS[0] / 100
    least = least if within else least / 2
    return ndtri(np.clip(rates, least, 1 - least))


def _deviate_ticks() -> dict[str, Any]:
    """Rates where the deviates stand, and the ends of an axis of them."""
    places = _deviates(np.array(_PERCENTS) / 100).tolist()
    labels = [f"{percent:g} %" for percent in _PERCENTS]
    ticks = tuple(zip(places, labels, strict=True))
    return {"low": places[0], "high": places[-1], "ticks": ticks}
