"""Which file makes the picture of which result; none is loaded before it is needed."""

from contextlib import suppress
from importlib import import_module
from typing import Any, Final

from demur.errors import InputError, UndefinedRate
from demur.results.pictures import Picture

PICTURES: Final = {
    "Agreement": "agreements.agreement_picture",
    "Attribution": "pipelines.pipeline_picture",
    "Calibration": "calibrations.calibration_picture",
    "Comparison": "comparisons.comparison_picture",
    "Contrast": "contrasts.contrasts_picture",
    "CorrectedCurve": "corrected_curves.corrected_picture",
    "Curve": "curves.curves_picture",
    "CutoffSweep": "pipelines.pipeline_picture",
    "Difficulty": "difficulties.difficulty_picture",
    "PipelineEvaluation": "pipelines.pipeline_picture",
    "PlantedErrors": "pipelines.pipeline_picture",
    "Scalability": "difficulties.scalability_picture",
}
"""The file and the function that make the picture of a result, by its class."""


def picture_of(result: Any, **words: Any) -> Picture:
    """The picture of a result.

    Raises
    ------
    InputError
        If there is none of such results.
    UndefinedRate
        If this one has no numbers to draw.

    Examples
    --------
    >>> import demur
    >>> picture_of(demur.difficulty_of_counts({"run": {"go": 3}})).name
    'difficulty'
    """
    kind = type(result).__name__
    if kind not in PICTURES:
        raise InputError("plot", "result", "be one with a picture", f"a {kind}")
    file, _, function = PICTURES[kind].partition(".")
    picture: Picture = getattr(import_module(f"demur.figures.{file}"), function)(
        result, **words
    )
    return picture


def pictures_of(result: Any) -> tuple[Picture, ...]:
    """The pictures of a result: one, or none.

    Examples
    --------
    >>> pictures_of(3)
    ()
    """
    if type(result).__name__ in PICTURES:
        with suppress(UndefinedRate):
            return (picture_of(result),)
    return ()
