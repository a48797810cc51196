"""Where a classifier that returns every answer above a threshold has its best F1."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from demur.arrays import Floats
from demur.errors import InputError
from demur.outcomes.gaps import is_absent


def best_mean_f1(
    scores: Floats, accepted: Sequence[Collection[int]]
) -> tuple[float, float]:
    """The threshold with the highest mean F1 of what is returned to each question.

    All answers with a score above the threshold are returned. To a question without an
    acceptable answer, F1 is 1 if nothing is returned, else 0. That is how the
    characters of the error-return paper were tuned.

    Parameters
    ----------
    scores : array, shape (n_questions, n_answers)
        Of any scale; higher is better.
    accepted : sequence of collection of int
        The columns of the acceptable answers to each question.

    Returns
    -------
    threshold : float
        Midway between the two neighbouring scores; infinite if it is best to return
        nothing, or everything.
    mean_f1 : float
        From 0 to 1.

    Raises
    ------
    InputError
        If there are no questions or no answers.

    References
    ----------
    USC-ICT/jerome, the successor of NPCEditor in open source: mean F-score over
    thresholds.

    Examples
    --------
    The second question has no answer, so nothing should be returned to it:

    >>> best_mean_f1(np.array([[-1.0, -3.0], [-2.0, -2.5]]), [{0}, set()])
    (-1.5, 1.0)
    """
    scores = np.asarray(scores, float)
    n_questions, n_answers = scores.shape
    if not scores.size:
        need = "have questions and answers"
        raise InputError("best_mean_f1", "scores", need, f"shape {scores.shape}")
    right = np.zeros(scores.shape, bool)
    for row, columns in enumerate(accepted):
        right[row, list(columns)] = True
    n_right = right.sum(axis=1, keepdims=True)
    order = np.argsort(-scores, axis=1, kind="stable")
    hits = np.take_along_axis(right, order, axis=1).cumsum(axis=1)
    f1 = 2 * hits / (np.arange(1, n_answers + 1) + n_right)
    silent = (n_right == 0).astype(float)  # F1 of a question to which nothing is said
    # What F1 gains with one more answer, put in the order of all scores and summed up:
    # so all thresholds are tried in one pass.
    gains = np.diff(f1, axis=1, prepend=silent)
    ranked = np.take_along_axis(scores, order, axis=1).ravel()
    whole = np.argsort(-ranked, kind="stable")
    ranked = ranked[whole]
    totals = np.append(silent.sum(), silent.sum() + gains.ravel()[whole].cumsum())
    # Equal scores are returned together.
    reachable = np.append(np.append(True, ranked[1:] != ranked[:-1]), True)
    totals[~reachable] = -np.inf
    best = int(totals.argmax())
    bounds = np.concatenate([[np.inf], ranked, [-np.inf]])
    return _between(bounds[best], bounds[best + 1]), float(totals[best] / n_questions)


def _between(upper: float, lower: float) -> float:
    if np.isinf(upper) or np.isinf(lower):
        return float(upper if np.isinf(upper) else lower)
    middle = lower + (upper - lower) / 2  # rounding may make it the lower one
    return float(middle if middle > lower else upper)


def acceptable_columns(
    classes: Sequence[Any], targets: Sequence[Any]
) -> list[set[int]]:
    """The columns of the acceptable answers to each question.

    Parameters
    ----------
    classes : sequence
        The labels of the columns; an acceptable answer that is none of them is left
        out.
    targets : sequence
        A label, a set, list or tuple of labels, or None.

    Examples
    --------
    >>> acceptable_columns(["a", "b"], ["b", {"a", "c"}, None])
    [{1}, {0}, set()]
    """
    place = {label: number for number, label in enumerate(classes)}
    return [
        {place[label] for label in labels_of(target) if label in place}
        for target in targets
    ]


def check_targets(
    where: str, inputs: Sequence[Any], targets: Sequence[Any], what: str = "input"
) -> None:
    """Refuse targets that are not one for each input."""
    if len(inputs) != len(targets):
        need, got = f"be one for each {what}", f"{len(targets)} of {len(inputs)}"
        raise InputError(where, "the targets", need, got)


def labels_of(target: Any) -> list[Any]:
    """The labels of a target, which is a label, several, or None (also NaN) for none.

    Examples
    --------
    >>> labels_of(None), labels_of("a"), labels_of({"b", "a"})
    ([], ['a'], ['a', 'b'])
    """
    if is_absent(target):
        return []
    if isinstance(target, (set, frozenset, list, tuple)):
        return sorted(set(target), key=label_order)
    return [target]


def label_order(label: Any) -> tuple[str, str]:
    """What labels are sorted by, whatever their types."""
    return type(label).__name__, str(label)
