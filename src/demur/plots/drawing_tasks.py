"""The verbs that draw annotators, tasks and pipelines: each checks what it is given."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from demur import checks
from demur.figures import picture_of
from demur.plots.drawing import listed_results, public_class
from demur.plots.rendering import draw
from demur.results.pictures import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from demur.agreement.agreeing import Agreement
    from demur.difficulty.measuring import Difficulty
    from demur.difficulty.scaling import Scalability
    from demur.pipelines.attributions import Attribution
    from demur.pipelines.cutoff_sweeps import CutoffSweep
    from demur.pipelines.evaluations import PipelineEvaluation
    from demur.pipelines.planting import PlantedErrors

    Drawn: TypeAlias = PipelineEvaluation | Attribution | CutoffSweep | PlantedErrors


def _picture_of_one(where: str, what: str, result: Any, kind: str) -> Picture:
    checks.of_kind(where, what, result, public_class(kind))
    return picture_of(result)


def plot_agreement(agreement: "Agreement", *, axes: Any = None) -> list["Axes"]:
    """Coincidences of labels, and the mean distance of each annotator to the others.

    Parameters
    ----------
    agreement : Agreement
        Of `demur.agreement`.
    axes : iterable of two matplotlib Axes, or a figure without axes, optional
        Where to draw; a new figure if left out.

    Returns
    -------
    list of matplotlib Axes
        Two. In the first, a row is what one annotator gave, the columns what another
        annotator gave the same unit; rows add up to 1, with labels that are not drawn.
        Write them with `demur.save_picture`.

    Raises
    ------
    UndefinedRate
        If no unit has two labels.
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import demur
    >>> result = demur.agreement({"ann": [1, 2, 2], "bob": [1, 2, 1]})
    >>> panels = demur.plot_agreement(result)
    >>> [panel.get_title() for panel in panels]
    ['what another one said', 'distance to the others (nominal)']
    """
    what = "the agreement"
    picture = _picture_of_one("plot_agreement", what, agreement, "Agreement")
    return draw(picture, axes=axes)


def plot_difficulty(difficulty: "Difficulty", *, ax: "Axes | None" = None) -> "Axes":
    """Draw each markable by its items and its entropy.

    Parameters
    ----------
    difficulty : Difficulty
        Of `demur.difficulty`, pruned or not.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if left out.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import demur
    >>> axes = demur.plot_difficulty(demur.difficulty_of_counts({"run": {"go": 3}}))
    >>> axes.get_xlabel()
    'items'
    """
    what = "the difficulty"
    picture = _picture_of_one("plot_difficulty", what, difficulty, "Difficulty")
    return draw(picture, axes=ax)[0]


def plot_scalability(scalability: "Scalability", *, ax: "Axes | None" = None) -> "Axes":
    """Draw the score of each system against the difficulty of each version.

    Parameters
    ----------
    scalability : Scalability
        Of `demur.scalability`.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if left out.

    Returns
    -------
    matplotlib Axes
        With intervals as bars; names of versions stand above.

    Raises
    ------
    MissingExtra
        If matplotlib is not installed.

    Examples
    --------
    >>> import demur
    >>> tokens = {"word": ["run"] * 20, "sense": ["go"] * 15 + ["storm"] * 5}
    >>> task = demur.difficulty(tokens, markable="word", value="sense")
    >>> outcomes = demur.try_methods(task)[-1].outcomes
    >>> axes = demur.plot_scalability(demur.scalability({"all": (task, outcomes)}))
    >>> axes.get_ylabel()
    'accuracy'
    """
    what = "the scalability"
    picture = _picture_of_one("plot_scalability", what, scalability, "Scalability")
    return draw(picture, axes=ax)[0]


def plot_pipeline(
    results: "Drawn | Sequence[Drawn]", *, axes: Any = None
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
    from demur.figures.pipelines import pipeline_picture

    kinds = ("PipelineEvaluation", "Attribution", "CutoffSweep", "PlantedErrors")
    listed = listed_results("plot_pipeline", "results", results, *kinds)
    return draw(pipeline_picture(listed), axes=axes)
