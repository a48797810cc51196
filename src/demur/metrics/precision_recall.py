"""Precision, recall and F: of labels, and of ways to match, one below the other."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

from demur import checks
from demur.results import Column, FigureKind, Result
from demur.statistics.ratios import Ends

NAMED: Final = {"f": "F", "precision": "precision", "recall": "recall"}
"""What a figure is called, and in words."""


def f_measure(precision: float, recall: float, alpha: float = 0.5) -> float:
    """F = 1 / (alpha / precision + (1 - alpha) / recall).

    Parameters
    ----------
    precision, recall : float
        From 0 to 1.
    alpha : float
        How much precision counts; 1 / (1 + beta ** 2) of the other notation.

    Returns
    -------
    float
        0 if either is 0 and counts.

    Raises
    ------
    InputError
        If a number is not from 0 to 1.

    References
    ----------
    Van Rijsbergen (1979), as in Porzel and Malaka (2004), section 2.

    Examples
    --------
    >>> import demur
    >>> round(demur.f_measure(0.5, 1.0), 3)
    0.667
    >>> round(demur.f_measure(0.5, 1.0, alpha=0.2), 3)
    0.833
    """
    named = {"precision": precision, "recall": recall, "alpha": alpha}
    for name, value in named.items():
        checks.number("f_measure", name, value, 0, 1)
    parts = [(alpha, precision), (1 - alpha, recall)]
    if any(weight and not value for weight, value in parts):
        return 0.0
    return 1 / sum(weight / value for weight, value in parts if weight)


def precision_recall_f(
    right: float, given: float, true: float, alpha: float
) -> tuple[float | None, float | None, float | None]:
    """Precision, recall and F; None where nothing is given, true, or either."""
    precision = right / given if given else None
    recall = right / true if true else None
    if precision is not None and recall is not None:
        return precision, recall, f_measure(precision, recall, alpha)
    return precision, recall, 0.0 if true or given else None


@dataclass(frozen=True, eq=False, repr=False)
class ClassScore(Result):
    """One label, or all of them together.

    Parameters
    ----------
    label : str
        Or ``micro`` or ``macro``, for all labels.
    right, given, true : int
        Items with this label that are given it; that are given it; that have it.
    precision, recall, f : float or None
        None if nothing is given, nothing is true, or either.
    """

    SAYS = "Label {label}: {right} right, of {given} given and {true} true; F is {f}."

    label: str
    right: int
    given: int
    true: int
    precision: float | None
    recall: float | None
    f: float | None


LABEL_COLUMNS: Final = (
    Column("label"),
    Column("true", cells="count", explained="items that have the label"),
    Column("given", cells="count", explained="items that were given it"),
    Column("right", cells="count", explained="items that have it and were given it"),
    Column("precision", cells="share", explained="right / given"),
    Column("recall", cells="share", explained="right / true; declined ones are missed"),
    Column("f", "F", "share", "of precision and recall, pooled over labels (micro)"),
)


def class_score(
    label: str, right: int, given: int, true: int, alpha: float
) -> ClassScore:
    """Precision, recall and F of one label, or of all pooled."""
    return ClassScore(
        label, right, given, true, *precision_recall_f(right, given, true, alpha)
    )


def macro_score(classes: Sequence[ClassScore]) -> ClassScore:
    """Means over the labels that are true somewhere."""
    kept = [score for score in classes if score.true]
    sums: dict[str, Any] = {
        name: sum(getattr(score, name) or 0 for score in kept)
        for name in ("right", "given", "true", "precision", "recall", "f")
    }
    n = len(kept)
    means = {k: sums[k] / n if n else None for k in ("precision", "recall", "f")}
    return ClassScore("macro", **{**sums, **means})


# -- ways to match -------------------------------------------------------------------


def score_kinds(
    ways: Mapping[str, str], named: Mapping[str, str] = NAMED
) -> tuple[FigureKind, ...]:
    """Kinds of figures such as "f strict", from each way to match in words.

    Examples
    --------
    >>> [kind.title for kind in score_kinds({"strict": "of strict matches"})][:2]
    ['F of strict matches', 'precision of strict matches']
    """
    return tuple(
        FigureKind(f"{name} {way}", f"{words} {in_words}", better="higher")
        for way, in_words in ways.items()
        for name, words in named.items()
    )


def score_figures(
    scores: Sequence[Any], way: str, named: Mapping[str, str] = NAMED
) -> Iterator[tuple[str, float | None, Ends]]:
    """The name of each figure of `score_kinds`, its value and its interval.

    ``way`` is the field of a score that names how it matches.
    """
    for score in scores:
        for name in named:
            ends = getattr(score, f"{name}_interval")
            yield f"{name} {getattr(score, way)}", getattr(score, name), ends


def score_rows(
    system: str, scores: Sequence[Any], columns: Sequence[Column]
) -> list[tuple[Any, ...]]:
    """Ways to match one below the other; the first column names the system."""
    cells = attrgetter(*(column.key for column in columns[1:]))
    return [(system, *cells(score)) for score in scores]
