"""Markables by items and entropy, and scores against the difficulty of a task."""

from typing import TYPE_CHECKING

from demur import checks
from demur.difficulty.measuring import Difficulty
from demur.difficulty.scaling import Scalability
from demur.figures.difficulties import difficulty_picture, scalability_picture
from demur.plots.rendering import draw

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_difficulty(difficulty: Difficulty, *, ax: "Axes | None" = None) -> "Axes":
    """Draw each markable by its items and its entropy.

    Parameters
    ----------
    difficulty : Difficulty
    ax : matplotlib Axes, optional

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
    checks.of_kind("plot_difficulty", "the difficulty", difficulty, Difficulty)
    return draw(difficulty_picture(difficulty), axes=ax)[0]


def plot_scalability(scalability: Scalability, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the score of each system against the difficulty of each version.

    Parameters
    ----------
    scalability : Scalability
    ax : matplotlib Axes, optional

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
    checks.of_kind("plot_scalability", "the scalability", scalability, Scalability)
    return draw(scalability_picture(scalability), axes=ax)[0]
