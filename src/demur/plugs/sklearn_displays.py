"""Beside scikit-learn: a Display of the curve, and a scorer for searches."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import demur
from demur.checks import decimal_fraction
from demur.errors import InputError

if TYPE_CHECKING:
    from demur import Curve, Outcomes


class ErrorReturnDisplay:
    """The error-return curve of a classifier, as scikit-learn's Displays are.

    Parameters
    ----------
    curve : Curve
        All numbers are here: ``display.curve.at(nonreturn=0.2).error``.

    Attributes
    ----------
    ax_, figure_, line_
        What `plot` has drawn on, and the line of the error.

    Examples
    --------
    >>> import demur
    >>> display = demur.ErrorReturnDisplay.from_predictions(
    ...     ["yes", "no", "no"], ["yes", "no", "yes"], [0.9, 0.8, 0.6])
    >>> display.curve.at(cutoff=0.7).error, display.line_.get_label()
    (0.0, 'error')
    """

    def __init__(self, curve: "Curve") -> None:
        self.curve = curve

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        confidence: Any,
        *,
        sample_weight: Any = None,
        name: str = "",
        **options: Any,
    ) -> "ErrorReturnDisplay":
        """Of labels, predictions, and how sure each prediction is; drawn at once."""
        outcomes = _judged(y_true, y_pred, confidence, sample_weight, name)
        return cls(demur.error_return(outcomes)).plot(**options)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,  # noqa: N803  (as scikit-learn calls it)
        y: Any,
        *,
        sample_weight: Any = None,
        name: str | None = None,
        **options: Any,
    ) -> "ErrorReturnDisplay":
        """Of a fitted classifier, which is as sure as its greatest probability."""
        outcomes = _predicted(estimator, X, y, sample_weight, name)
        return cls(demur.error_return(outcomes)).plot(**options)

    def plot(self, ax: Any = None, **options: Any) -> "ErrorReturnDisplay":
        """Draw; the options are those of `demur.plot_curves`."""
        before = 0 if ax is None else len(ax.get_lines())
        self.ax_ = self.curve.plot(ax=ax, **options)
        self.figure_ = self.ax_.figure
        self.line_ = self.ax_.get_lines()[before]
        return self


@dataclass(frozen=True)
class NegativeErrorAt:
    """Minus the error where a share is declined: a scorer for ``GridSearchCV``.

    Parameters
    ----------
    nonreturn : float
        The share that is declined, the least sure first.

    Examples
    --------
    >>> import demur
    >>> from sklearn.dummy import DummyClassifier
    >>> model = DummyClassifier().fit([[0], [0], [0]], ["a", "a", "b"])
    >>> scorer = demur.NegativeErrorAt(nonreturn=0.25)
    >>> scorer(model, [[0], [0]], ["a", "b"])
    -0.375
    """

    nonreturn: float = 0.2

    def __post_init__(self) -> None:
        decimal_fraction("NegativeErrorAt", "nonreturn", self.nonreturn)

    def __call__(
        self,
        estimator: Any,
        X: Any,  # noqa: N803
        y: Any,
        sample_weight: Any = None,
    ) -> float:
        """The score of a fitted classifier."""
        curve = demur.error_return(_predicted(estimator, X, y, sample_weight))
        return -curve.at(nonreturn=self.nonreturn).bounds[1]


def _predicted(
    estimator: Any, x: Any, y: Any, weight: Any, name: str | None = ""
) -> "Outcomes":
    """What a classifier says, and how sure it is of that."""
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
    return _judged(y, estimator.predict(x), sure, weight, name)


def _judged(
    labels: Any, predicted: Any, sure: Any, weight: Any, name: str
) -> "Outcomes":
    labels, predicted = np.asarray(labels), np.asarray(predicted)
    if labels.ndim != 1 or labels.shape != predicted.shape:
        need = "be two columns of equal length, a label for each item"
        got = f"{labels.shape} and {predicted.shape}"
        raise InputError("scikit-learn", "labels and predictions", need, got)
    return demur.Outcomes.from_arrays(
        correct=labels == predicted, confidence=sure, weight=weight, system=name or None
    )
