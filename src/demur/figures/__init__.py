"""Which file makes the picture of which result; none is loaded before it is needed."""

from dataclasses import replace
from importlib import import_module
from inspect import signature
from typing import Any, Final

from demur.checks import choice
from demur.errors import InputError, UndefinedRate
from demur.results import Results
from demur.results.pictures import Picture

PICTURES: Final = {
    "Agreement": "agreements.agreement_picture",
    "Attribution": "pipelines.pipeline_picture",
    "AverageCurve": "curves.average_picture",
    "Calibration": "calibrations.calibration_picture",
    "Comparison": "comparisons.comparison_picture",
    "Contrast": "contrasts.contrasts_picture",
    "CorrectedCurve": "corrected_curves.corrected_picture",
    "Curve": "curves.curves_picture",
    "CutoffSweep": "pipelines.pipeline_picture",
    "DifferenceBand": "comparisons.difference_band_picture",
    "Difficulty": "difficulties.difficulty_picture",
    "History": "histories.history_picture",
    "JudgeArrangements": "judge_arrangements.arrangements_picture",
    "LabelScores": "confusions.confusion_picture",
    "PipelineEvaluation": "pipelines.pipeline_picture",
    "PlantedErrors": "pipelines.pipeline_picture",
    "Price": "comparisons.least_cost_picture",
    "Scalability": "difficulties.scalability_picture",
    "WholeCurve": "whole_curves.whole_curves_picture",
}
"""The file and the function that make the picture of a result, by its class."""


TOGETHER: Final = (
    *("Calibration", "Contrast", "CorrectedCurve", "Curve", "Price", "WholeCurve"),
)
"""Several results of these kinds stand in one picture."""

_ONLY_TOGETHER: Final = ("Price",)

_ON_ITS_CURVE: Final = (
    "demur.error_return(outcomes).plot(at=...) marks it on the curve."
)
INSTEAD: Final = {
    "AtCutoff": _ON_ITS_CURVE,
    "Band": "demur.plot_curves(curve, bands=[band]) draws it around its curve.",
    "Choice": _ON_ITS_CURVE,
    "ComparisonAtRates": "demur.compare(a, b, at=...) of one rate has a picture.",
    "Lock": _ON_ITS_CURVE,
    "Outcomes": "demur.error_return(outcomes).plot() draws their curve.",
    "PairDifference": "demur.compare(a, b).plot() draws one pair.",
    "Point": "curve.plot(at=...) marks it.",
    "Price": "demur.price_list(curves).plot() draws several.",
    "Split": "demur.plot_split(curve) draws it.",
    "WholePoint": "demur.whole_curve(outcomes).plot(at=...) marks it.",
}
"""What draws the numbers of a result that has no picture of its own, by its class."""


def picture_of(result: Any, **options: Any) -> Picture:
    """The picture of a result, or of several that stand in one.

    Raises
    ------
    InputError
        If there is none of such results, or it has no such option.
    UndefinedRate
        If this one has no numbers to draw.

    Examples
    --------
    >>> import demur
    >>> picture_of(demur.difficulty_of_counts({"run": {"go": 3}})).name
    'difficulty'
    """
    several = isinstance(result, Results)
    kind = type(result[0] if several and len(result) else result).__name__
    if kind not in PICTURES or (kind in _ONLY_TOGETHER and not several):
        hint = INSTEAD.get(kind, "to_frame() gives its numbers.")
        article = "an" if kind[0] in "AEIOU" else "a"
        what = f"{article} {kind}"
        raise InputError("plot", "result", "be one with a picture", what, hint)
    if several and kind not in TOGETHER:
        hint = "Draw them one by one."
        raise InputError("plot", "result", "be one", f"{len(result)} of {kind}", hint)
    file, _, function = PICTURES[kind].partition(".")
    make = getattr(import_module(f"demur.figures.{file}"), function)
    for option in options:
        choice("plot", "each option", option, [*signature(make).parameters][1:])
    picture: Picture = make(tuple(result) if several else result, **options)
    return picture


def pictures_of(result: Any) -> tuple[Picture, ...]:
    """The pictures of a result, or of several; what has none is left out.

    Examples
    --------
    >>> pictures_of(3)
    ()
    """
    first = result[0] if isinstance(result, Results) and len(result) else result
    if first is not result and type(first).__name__ not in TOGETHER:
        pictures = [picture for single in result for picture in single.pictures()]
        return tuple(
            replace(picture, name=f"{picture.name}-{number}")
            for number, picture in enumerate(pictures)
        )
    try:
        return (picture_of(result),)
    except (InputError, UndefinedRate):
        return ()
