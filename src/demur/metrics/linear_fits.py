"""Least squares, with variance inflation, elimination and prediction."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from demur.arrays import Floats, Positions

_SMALL: Final = 1e-9  # of 1, for what a group leaves of its residuals

FEWEST_FREEDOM: Final = 2
"""With fewer degrees of freedom over groups, a weight rests on one group or two."""


@dataclass(frozen=True, eq=False)
class LinearFit:
    """A least-squares fit.

    Parameters
    ----------
    weights, errors, p_values : array of float, shape (n_predictors,)
        Of each predictor, with its standard error and the p value that it is 0; NaN of
        what rests on too few groups (`FEWEST_FREEDOM`).
    intercept : float
        What is expected where all predictors are 0.
    r_squared : float
        The share of the variance that the fit explains.
    inflation : array of float, shape (n_predictors,)
        Variance inflation: 1 / (1 - R2 of each predictor on the others).
    aic : float
        Akaike's criterion, up to a constant; lower is better.
    """

    weights: Floats
    errors: Floats
    p_values: Floats
    intercept: float
    r_squared: float
    inflation: Floats
    aic: float

    def predict(self, x: Floats) -> Floats:
        """What the fit expects."""
        expected: Floats = x @ self.weights + self.intercept
        return expected


def fit(x: Floats, y: Floats, group: Positions | None = None) -> LinearFit:
    """Least squares with an intercept; predictors must not be dependent.

    Parameters
    ----------
    x : array of float, shape (n_rows, n_predictors)
        With at least two more rows than predictors.
    y : array of float, shape (n_rows,)
        The target.
    group : array of int, shape (n_rows,), optional
        Which rows are not independent, for errors and p values; by default all are.
    """
    from scipy.special import stdtr

    n, k = x.shape
    design = np.column_stack([np.ones(n), x])
    inverse = np.linalg.pinv(design.T @ design)
    beta = inverse @ design.T @ y
    left = y - design @ beta
    squares, total = float(left @ left), float(((y - y.mean()) ** 2).sum())
    freedom: Any = n - k - 1
    variance = np.diag(inverse) * squares / freedom
    if group is not None:
        variance, freedom = _over_groups(design, left, group)
    errors = np.sqrt(np.maximum(variance, 0.0))[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        t = beta[1:] / errors
    p_values = 2 * stdtr(freedom, -np.abs(t))
    return LinearFit(
        weights=beta[1:],
        errors=errors,
        p_values=np.asarray(p_values, float),
        intercept=float(beta[0]),
        r_squared=1 - squares / total if total else np.nan,
        inflation=inflation(x),
        aic=n * float(np.log(max(squares, 1e-300) / n)) + 2 * (k + 1),
    )


def _over_groups(
    design: Floats, left: Floats, group: Positions
) -> tuple[Floats, Floats]:
    """Variances of all weights by groups of rows, and degrees of freedom but the first.

    The bias-reduced variance (CR2) and Satterthwaite's degrees of freedom of Bell and
    McCaffrey (2002): of a predictor that is the same within groups, there are hardly as
    many as groups. What rests on a group that is fitted wholly, or on hardly more than
    one, has neither: nothing is left there that shows how much the group varies.
    """
    q, r = np.linalg.qr(design)
    back = np.linalg.pinv(r).T
    variance: Floats = np.zeros(len(r))
    hidden: Floats = np.zeros(len(r))
    alone, through = [], []
    for number in np.unique(group).tolist():
        inside = group == number
        # The residuals of a group pull the fit, by as much as the hat matrix says.
        axes, pull, _ = np.linalg.svd(q[inside], full_matrices=False)
        free = 1 - pull**2
        along = axes.T @ q[inside] @ back  # a column for each weight
        hidden += np.square(along[free <= _SMALL]).sum(axis=0)
        root = np.where(free > _SMALL, 1 / np.sqrt(np.maximum(free, _SMALL)), 0.0)
        pulls = (axes * root) @ along
        variance += np.square(left[inside] @ pulls)
        alone.append(np.square(pulls).sum(axis=0))
        through.append(q[inside].T @ pulls)
    freedom = []
    for weight in range(1, len(r)):
        moved = np.array([of_group[:, weight] for of_group in through])
        shared = np.diag([of_group[weight] for of_group in alone]) - moved @ moved.T
        size = float(np.square(shared).sum())
        freedom.append(np.trace(shared) ** 2 / size if size else 0.0)
    few = np.array([np.inf, *freedom]) < FEWEST_FREEDOM - _SMALL
    few |= hidden > _SMALL * np.square(back).sum(axis=0)
    return np.where(few, np.nan, variance), np.where(few[1:], np.nan, freedom)


def inflation(x: Floats) -> Floats:
    """How much each predictor's variance is inflated by the others."""
    n, k = x.shape
    factors = np.ones(k)
    for place in range(k):
        others = np.column_stack([np.ones(n), np.delete(x, place, axis=1)])
        column = x[:, place]
        left = column - others @ np.linalg.lstsq(others, column, rcond=None)[0]
        total = ((column - column.mean()) ** 2).sum()
        rest = float(left @ left)
        factors[place] = total / rest if rest > 1e-12 * total else np.inf
    return factors


def independent(x: Floats) -> list[int]:
    """Predictors from left to right that the ones kept before do not already give."""
    kept: list[int] = []
    base = np.ones((len(x), 1))
    for place in range(x.shape[1]):
        column = x[:, [place]]
        left = column - base @ np.linalg.lstsq(base, column, rcond=None)[0]
        size = float(np.ptp(column))
        if size > 0 and float(np.abs(left).max()) > 1e-9 * size:
            kept.append(place)
            base = np.hstack([base, column])
    return kept


def eliminated(x: Floats, y: Floats) -> list[int]:
    """Predictors that stay when the weakest go as long as that lowers AIC.

    The weakest has the smallest weight by its own spread, as in Weka's M5 attribute
    selection.
    """
    kept = list(range(x.shape[1]))
    fitted = fit(x[:, kept], y)
    while len(kept) > 1:
        size = np.abs(fitted.weights) * x[:, kept].std(axis=0)
        weakest = int(np.argmin(size))
        fewer = [place for place in kept if place != kept[weakest]]
        smaller = fit(x[:, fewer], y)
        if smaller.aic >= fitted.aic:
            break
        kept, fitted = fewer, smaller
    return kept


def significant(
    x: Floats, y: Floats, level: float, group: Positions | None = None
) -> tuple[list[int], list[int]]:
    """Predictors that stay when the least significant go until all are.

    And those that went because they rested on too few groups for a p value.
    """
    kept, unknown = list(range(x.shape[1])), []
    while kept:
        fitted = fit(x[:, kept], y, group)
        worst = int(np.argmax(np.nan_to_num(fitted.p_values, nan=np.inf)))
        if fitted.p_values[worst] <= 1 - level:
            break
        gone = kept.pop(worst)
        if np.isnan(fitted.errors[worst]):
            unknown.append(gone)
    return kept, unknown


def scaled(x: Floats) -> Floats:
    """Each column less its mean, over its sample standard deviation."""
    spread = x.std(axis=0, ddof=1)
    norm: Floats = (x - x.mean(axis=0)) / spread
    return norm
