"""What holds of wholes at one cutoff on their parts, and the names of these numbers."""

from dataclasses import dataclass
from typing import Any, Final

from demur.results import Column, FigureKind, Result, count, span

_LOOK_UPS: Final = ("nonreturn", "cutoff")

WHOLE_KINDS: Final = (
    FigureKind("whole_error", "the share of wholes with a wrong part", at=_LOOK_UPS),
    FigureKind("parts_withheld", "the share of parts withheld", at=("error", "cutoff")),
    FigureKind(
        "wrong_parts_per_whole",
        "wrong parts per whole",
        "number",
        most=float("inf"),
        at=_LOOK_UPS,
    ),
    FigureKind(
        "whole_complete",
        "the share of wholes that are complete and right",
        better="higher",
        at=_LOOK_UPS,
    ),
    FigureKind(
        "whole_touched", "the share of wholes with a part withheld", at=_LOOK_UPS
    ),
    FigureKind(
        "whole_error_answered",
        "the share of answered wholes with a wrong part",
        at=_LOOK_UPS,
    ),
    FigureKind(
        "whole_error_with_people",
        "the share of wholes with an error after people's work",
        at=_LOOK_UPS,
    ),
    FigureKind("whole_area", "the area under the curve of wholes"),
    count("wholes", "wholes"),
    count("parts", "parts"),
)
"""What gates may hold of wholes; without a look-up, by the system's own decisions."""

RATES: Final = {
    "wrong_parts_per_whole": "wrong_parts",
    "whole_complete": "complete",
    "whole_touched": "touched",
    "whole_error_answered": "error_answered",
    "whole_error_with_people": "error_with_people",
    "parts_withheld": "nonreturn",
}
"""Which attribute of a point each figure is."""

WHOLE_COLUMNS: Final = (
    Column("system"),
    Column("nonreturn", "withheld", "share", "parts withheld / all parts"),
    Column("cutoff", cells="value", explained="parts at least so sure are returned"),
    Column(
        "whole_error",
        cells="share",
        explained="wholes with a wrong part returned / all wholes",
        of="bounds",
    ),
    Column(
        "error_with_people",
        "with people",
        "share",
        "the same once people have done the withheld parts",
    ),
    Column(
        "wrong_parts",
        "wrong parts",
        "number",
        "wrong parts returned per whole",
        digits=3,
    ),
    Column(
        "complete",
        cells="share",
        explained="wholes all returned and right / all wholes",
    ),
    Column(
        "touched", cells="share", explained="wholes with a part withheld / all wholes"
    ),
    Column(
        "people_parts",
        "parts asked",
        "number",
        "parts that people are asked about, per whole",
        digits=3,
    ),
    Column("minutes", cells="number", explained="of people's time per whole", digits=3),
    Column(
        "answered",
        cells="share",
        explained="wholes with a part returned / all wholes",
        wide=True,
    ),
    Column(
        "error_answered",
        cells="share",
        explained="answered wholes with a wrong part returned / answered wholes",
        wide=True,
    ),
)
"""A row for each system and rate; those of people only where something is known."""


@dataclass(frozen=True, eq=False, repr=False)
class WholePoint(Result):
    """What holds of wholes where a share of their parts is withheld.

    Parameters
    ----------
    nonreturn : float
        Parts withheld / all parts, by weight.
    whole_error : float or None
        Wholes with a wrong part returned / all wholes; None left of the curve's start,
        where nobody knows what the missing guesses would have been.
    bounds : tuple (low, high)
        What that can be, given parts that nobody could judge and missing guesses.
    wrong_parts : float or None
        Wrong parts returned per whole.
    complete : float or None
        Wholes whose parts are all returned and right / all wholes.
    touched : float or None
        Wholes of which a part is withheld / all wholes.
    answered : float or None
        Wholes of which a part is returned / all wholes.
    people_parts : float
        Parts withheld, which people are asked about, per whole.
    minutes : float or None
        Of people's time per whole, if it is known how long a part takes.
    error_with_people : float or None
        Wholes with an error after people have done what was withheld / all wholes;
        None if nothing is known of people. Parts that nobody could judge are wrong.
    cutoff : float or None
        Parts with at least this confidence are returned; None if the point is no
        vertex, or is silence.
    between : tuple (lower cutoff, upper cutoff, share), or None
        How to reach a point that is no vertex: for ``share`` of the wholes, drawn at
        random, use the upper cutoff, else the lower. An upper one of None is silence.
    how : str
        The reading: "linear", "at_most", "at_least", "exact" or "own decision".
    """

    nonreturn: float
    whole_error: float | None
    bounds: tuple[float, float]
    wrong_parts: float | None
    complete: float | None
    touched: float | None
    answered: float | None
    people_parts: float
    minutes: float | None
    error_with_people: float | None
    cutoff: float | None
    between: tuple[float, float | None, float] | None
    how: str

    @property
    def error_answered(self) -> float | None:
        """Answered wholes with a wrong part / answered wholes, by the high bound."""
        if not self.answered:
            return None
        return min(self.bounds[1] / self.answered, 1.0)

    def sentence(self) -> str:
        """How many wholes hold an error there."""
        at = "" if self.cutoff is None else f" (cutoff {self.cutoff:.6g})"
        return (
            f"With {self.nonreturn:.3f} of the parts withheld{at}, "
            f"{span(*self.bounds)} of the wholes hold a wrong part."
        )

    def to_dict(self) -> dict[str, Any]:
        """As plain values, with the error among answered wholes."""
        return super().to_dict() | {"error_answered": self.error_answered}
