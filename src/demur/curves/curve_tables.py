"""Curves as a table for people."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from demur.curves.rates import Point
from demur.errors import printable
from demur.layout import NONE, rate, span, table

if TYPE_CHECKING:
    from demur.curves.curves import Curve


def at_point(point: Point | None) -> str:
    """The error at a look-up, or its bounds where it is not known."""
    if point is None:
        return NONE
    return span(*point.bounds)


def curves_table(
    curves: "Sequence[Curve]",
    points: Sequence[Sequence[Point | None]],
    at: Sequence[float],
) -> str:
    """One row per curve: counts, error when forced, at the look-ups, area, own point.

    Parameters
    ----------
    curves : sequence of Curve
        One or many.
    points : sequence of sequences of Point or None
        The look-ups of each curve, as many as ``at``.
    at : list of float
        Nonreturn rates.
    """
    header = ["system", "items", "right", "wrong", "unanswered", "ungraded"]
    header += ["forced error", *(f"error@{wanted:g}" for wanted in at), "area"]
    header += ["own nonreturn", "own error"]
    return table(
        header,
        [
            [
                curve.system or NONE,
                *(
                    str(getattr(curve.totals, name))
                    for name in ("items", "right", "wrong", "unanswered", "ungraded")
                ),
                span(*curve.forced_choice_error),
                *(at_point(point) for point in found),
                _area(curve),
                rate(curve.operating_point.nonreturn),
                span(*curve.operating_point.bounds),
            ]
            for curve, found in zip(curves, points, strict=True)
        ],
    )


def _area(curve: "Curve") -> str:
    if curve.ladder is None:
        return NONE
    area = curve.area()
    return span(area.low, area.high, digits=4)


def curve_remarks(curves: "Sequence[Curve]", how: str) -> str:
    """How to read the table, what was ignored, and the recipe of its numbers."""
    readings = {
        "linear": "linear: a tied block is answered at random in part",
        "at_most": "at most: the last single cutoff with no more nonreturn",
        "at_least": "at least: the first single cutoff with no less nonreturn",
    }
    lines = [
        "error and nonreturn are shares of all items; error@x is the error at "
        f"nonreturn x ({readings[how]}).",
        "area: under the error-return curve, linear; own: by the system's own "
        "decisions to decline.",
    ]
    if any(curve.totals.no_guess or curve.totals.ungraded for curve in curves):
        lines.append(
            "a to b: the bounds that items without a guess and ungraded items leave."
        )
    notes = {f"{curve.system}: {note}" for curve in curves for note in curve.notes}
    common = [note for note in curves[0].notes if all(note in c.notes for c in curves)]
    if common and len(curves) > 1:
        notes = {note for note in notes if note.partition(": ")[2] not in common}
    lines += [f"note: {note}" for note in common if len(curves) > 1]
    lines += [f"note: {note.removeprefix(': ')}" for note in sorted(notes)]
    lines += [
        f"not answered, {curve.system or 'by kind'}: "
        + ", ".join(f"{kind} {count}" for kind, count in sorted(curve.kinds.items()))
        for curve in curves
        if curve.kinds
    ]
    recipes = dict.fromkeys(curve.signature.rpartition("|")[0] for curve in curves)
    lines += [f"signature: {recipe}" for recipe in recipes]
    return "\n".join(printable(line) for line in lines)
