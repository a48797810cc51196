"""Beside scikit-learn: a Display of the error-return curve."""

from typing import TYPE_CHECKING, Any

import demur
from demur.plugs.sklearn_outcomes import judged_labels, judged_predictions

if TYPE_CHECKING:
    from demur import Curve


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
        outcomes = judged_labels(y_true, y_pred, confidence, sample_weight, name)
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
        outcomes = judged_predictions(estimator, X, y, sample_weight, name)
        return cls(demur.error_return(outcomes)).plot(**options)

    def plot(self, ax: Any = None, **options: Any) -> "ErrorReturnDisplay":
        """Draw; the options are those of `demur.plot_curves`."""
        before = 0 if ax is None else len(ax.get_lines())
        self.ax_ = self.curve.plot(ax=ax, **options)
        self.figure_ = self.ax_.figure
        self.line_ = self.ax_.get_lines()[before]
        return self
