"""Beside scikit-learn: a scorer for searches over parameters."""

from dataclasses import dataclass
from typing import Any

import demur
from demur.checks import decimal_fraction
from demur.plugs.sklearn_outcomes import judged_predictions


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
        curve = demur.error_return(judged_predictions(estimator, X, y, sample_weight))
        return -curve.at(nonreturn=self.nonreturn).bounds[1]
