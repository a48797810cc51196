"""Pictures of pipelines: sources in the place of modules, blame, sweeps, echoes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from demur import checks
from demur.figures.pipelines import pipeline_picture
from demur.pipelines.attributing import Attribution
from demur.pipelines.cutoff_sweeps import CutoffSweep
from demur.pipelines.evaluations import PipelineEvaluation
from demur.pipelines.planting import PlantedErrors
from demur.plots.rendering import draw

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Drawn = PipelineEvaluation | Attribution | CutoffSweep | PlantedErrors


def plot_pipeline(
    results: Drawn | Sequence[Drawn], *, axes: Any = None
) -> list["Axes"]:
    """Draw what the verbs for pipelines find, a panel or two for each.

    Parameters
    ----------
    results : PipelineEvaluation, Attribution, CutoffSweep, PlantedErrors, or several
        An evaluation has a panel for each state: shares of outputs that are the target,
        and of matched responses, with their intervals. An attribution shows each share
        between what the module adds alone and last. A sweep has its points and their
        hull, and errors and nonreturns by cutoff; nothing is drawn between points.
        Planted errors show how many responses change, by turns later.
    axes : iterable of matplotlib Axes, or a figure without axes, optional
        Where to draw; a new figure if left out.

    Returns
    -------
    list of matplotlib Axes
        Write them with `demur.save_picture`.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import demur
    >>> turns = [demur.TargetTurn(input="a", target={"nlu": "a", "dm": ["a"]})]
    >>> pipeline = demur.Pipeline.of([
    ...     demur.as_module(str.lower, name="nlu"),
    ...     demur.as_module(str.lower, name="dm")])
    >>> found = demur.attribute_loss(pipeline, [demur.TargetDialogue("d", turns)])
    >>> [axes.get_xlabel() for axes in demur.plot_pipeline(found)]
    ['points of recall']
    """
    results = checks.all_of_kind(
        "plot_pipeline",
        "results",
        results,
        PipelineEvaluation,
        Attribution,
        CutoffSweep,
        PlantedErrors,
        alone=True,
    )
    return draw(pipeline_picture(results), axes=axes)
