"""What a classifier of scikit-learn says, as outcomes."""

from typing import TYPE_CHECKING, Any

import numpy as np

import demur
from demur.errors import InputError

if TYPE_CHECKING:
    from demur import Outcomes


def judged_predictions(
    estimator: Any, x: Any, y: Any, weight: Any, name: str | None = ""
) -> "Outcomes":
    """What a classifier says of some rows, and how sure it is: its outcomes."""
    called = type(estimator).__name__
    if hasattr(estimator, "predict_proba"):
        sure = np.max(estimator.predict_proba(x), axis=1)
    elif hasattr(estimator, "decision_function"):
        values = np.asarray(estimator.decision_function(x))
        sure = abs(values) if values.ndim == 1 else values.max(axis=1)
    else:
        need = "have predict_proba or decision_function, which say how sure it is"
        raise InputError("scikit-learn", "the estimator", need, called)
    name = called if name is None else name
    return judged_labels(y, estimator.predict(x), sure, weight, name)


def judged_labels(
    labels: Any, predicted: Any, sure: Any, weight: Any, name: str
) -> "Outcomes":
    """Labels beside predictions, each with how sure it is: their outcomes."""
    labels, predicted = np.asarray(labels), np.asarray(predicted)
    if labels.ndim != 1 or labels.shape != predicted.shape:
        need = "be two columns of equal length, a label for each item"
        got = f"{labels.shape} and {predicted.shape}"
        raise InputError("scikit-learn", "labels and predictions", need, got)
    return demur.Outcomes.from_arrays(
        correct=labels == predicted, confidence=sure, weight=weight, system=name or None
    )
