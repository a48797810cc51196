"""The verb about what users make of dialogues: a performance function."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Final

import numpy as np

from demur.arrays import Flags, Floats, Positions
from demur.checks import check_level, choice
from demur.errors import InputError, MissingExtra, UndefinedRate
from demur.metrics import linear_fits
from demur.metrics.linear_fits import LinearFit
from demur.metrics.number_columns import complete_numbers
from demur.outcomes.named_columns import NamedColumns, name_codes, named_columns
from demur.results import (
    Column,
    Contender,
    FigureKind,
    Result,
    Standings,
    Table,
    count,
    exactly,
)
from demur.statistics.units import FEWEST_UNITS, too_few

_FOLDS: Final = 10
_LARGEST: Final = 1e100  # sums of squares of larger numbers may be infinite


@dataclass(frozen=True, eq=False, repr=False)
class Predictor(Result):
    """One predictor of a performance function.

    Parameters
    ----------
    name : str
        Its column.
    weight : float
        Of the predictor in standard deviations.
    error, p_value : float or None
        Over groups, if there are any. None for a support vector regression, of fewer
        than five groups, and where the weight rests on fewer than about two of them.
    is_test : bool
        Whether p is one: not if predictors were chosen on these dialogues.
    inflation : float
        Variance inflation: above 5 or 10, predictors say the same.
    """

    SAYS = "A standard deviation of {name} moves the target by {weight}."

    name: str
    weight: float
    error: float | None
    p_value: float | None
    is_test: bool
    inflation: float


@dataclass(frozen=True, eq=False, repr=False)
class Performance(Result):
    """What predicts how satisfied users are, or how long dialogues take.

    Parameters
    ----------
    target : str
        Its column.
    dialogues : int
        Rows of the fit.
    predictors : tuple of Predictor
        Those that stay.
    dropped : mapping of name to why
        Those that do not.
    r_squared : float
        On these dialogues.
    r_squared_held_out, rmse_held_out : float or None
        On dialogues, or groups of them, that had no part in the fit; the first may be
        below 0.
    groups : mapping of group to mean performance
        The weighted sum of the predictors; higher is better if the target is.
    units : int
        Independent dialogues, or groups of them.
    method : str
        How it was decided which stay.
    level : float
        Of the intervals.
    recipe : mapping of str to str
        How the numbers came about.
    performance : array, shape (n_dialogues,)
        Of each dialogue, in standard deviations.
    """

    KINDS = (
        FigureKind(*("r_squared", "R2 on these dialogues", "number"), better="higher"),
        FigureKind(
            *("r_squared_held_out", "R2 on held-out dialogues", "number"),
            least=-math.inf,
            better="higher",
        ),
        FigureKind(
            "rmse_held_out", "the error on held-out dialogues", "number", most=math.inf
        ),
        count("dialogues", "dialogues"),
    )

    target: str
    dialogues: int
    predictors: tuple[Predictor, ...]
    dropped: dict[str, str]
    r_squared: float
    r_squared_held_out: float | None
    rmse_held_out: float | None
    groups: dict[str, float]
    units: int
    method: str
    level: float
    recipe: dict[str, str] = field(default_factory=dict)
    performance: Any = field(repr=False, compare=False, default=None)

    def sentence(self) -> str:
        """How much of the target the predictors explain, here and held out."""
        held_out = "none is held out"
        if self.r_squared_held_out is not None:
            held_out = f"{self.r_squared_held_out:.3f} on held-out ones"
        weights = {one.name: one.weight for one in self.predictors}
        ranking = Standings(
            (Contender(name, abs(of), abs(of)) for name, of in weights.items()),
            better="higher",
        )
        most = ""
        if ranking.best:
            words = "weighs most", "weigh most", "the greatest weight"
            who = ranking.who(*words, what="predictors")
            signed = ", ".join(f"{weights[one.name]:+.3f}" for one in ranking.best[:2])
            most = f"; {who} ({signed})"
        if self.method in CHOOSING:
            most += "; they were chosen on these dialogues, so that p is not a test"
        return (
            f"The predictors explain R2 = {self.r_squared:.3f} of {self.target} on "
            f"these {self.dialogues} dialogues, {held_out}{most}."
        )

    def tables(self) -> tuple[Table, Table]:
        """The predictors; and the mean performance of each group."""
        cells = attrgetter("name", "weight", "error", "p_value", "inflation")
        columns = list(_COLUMNS)
        if self.method in CHOOSING:
            columns[3] = _NOT_A_TEST
        return (
            Table("", tuple(columns), tuple(map(cells, self.predictors))),
            Table("Mean performance", _GROUP_COLUMNS, tuple(self.groups.items())),
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Which predictors were dropped, and why; what p is, or why there is none."""
        notes = [f"dropped: {name}: {why}" for name, why in self.dropped.items()]
        if self.method in CHOOSING:
            notes.append(
                "p is not a test: the predictors that stay were chosen on the same "
                "dialogues; see R2 on held-out ones"
            )
        group = self.recipe.get("group")
        if group and self.method != "svr":
            notes += self._over_groups(group)
        return tuple(notes)

    def _over_groups(self, group: str) -> list[str]:
        """What errors are over, and of which predictors there are none."""
        if self.units < FEWEST_UNITS:
            why = too_few(self.units, clustered=True)
            return [f"no errors and p values over {group}: {why}"]
        unknown = [one.name for one in self.predictors if one.error is None]
        notes = []
        if len(unknown) < len(self.predictors):
            groups = f"the {self.units} groups of {group}"
            notes.append(f"errors and p values are over {groups}")
        if unknown:
            what = f"no errors and p values of {', '.join(unknown)}"
            notes.append(f"{what}: {_resting_on_few(group)}")
        return notes


def _resting_on_few(group: str) -> str:
    """Why nothing is known of a predictor."""
    return (
        f"the weight rests on too few groups of {group} (fewer than "
        f"{linear_fits.FEWEST_FREEDOM} degrees of freedom), as where one group stands "
        "out or there are nearly as many predictors as groups"
    )


_COLUMNS: Final = (
    Column("predictor"),
    Column(
        "weight", "", "difference", "of the predictor in standard deviations", digits=3
    ),
    Column("error", cells="number", explained="standard error of the weight", digits=3),
    Column("p_value", "p", "p", "that the weight is 0"),
    Column(
        *("inflation", "variance inflation", "number"),
        "above 5 or 10, predictors say the same",
        digits=2,
    ),
)
_NOT_A_TEST: Final = Column(
    *("p_value", "p (not a test)", "p"),
    "predictors were chosen on these dialogues",
)
_GROUP_COLUMNS: Final = (
    Column("group"),
    Column("performance", "", "difference", "weighted sum of predictors", digits=3),
)


METHODS: Final = ("all", "significant", "aic", "svr")
"""Which predictors stay: all; those that are significant; those that AIC keeps (M5
elimination); or a support vector regression with all of them."""

CHOOSING: Final = ("significant", "aic")
"""Those after which p is not a test."""


def paradise(
    dialogues: Any,
    target: str,
    predictors: Sequence[str],
    *,
    by: str | None = None,
    group: str | None = None,
    method: str = "all",
    level: float = 0.95,
) -> Performance:
    """A performance function: which measures and costs predict satisfaction.

    Target and predictors are taken in sample standard deviations over all dialogues,
    and weighed by least squares: performance = sum of weights times N(predictor). Costs
    get negative weights by themselves. Predictors without spread, and such as others
    already give (of the 13 discourse measures three), are dropped and named.

    Parameters
    ----------
    dialogues : dataframe, mapping of columns, or records
        One row for each dialogue.
    target : str
        The column of user satisfaction, or of task completion time.
    predictors : sequence of str
        Columns: task success (kappa), costs, discourse measures.
    by : str, optional
        The column of systems, whose mean performance is compared.
    group : str, optional
        The column of users or dialogues that are held out together, and over which
        errors and p values are taken (Bell and McCaffrey's); by default each row by
        itself. A predictor whose weight rests on hardly more than one group (fewer than
        two degrees of freedom) has none, and is not significant.
    method : {"all", "significant", "aic", "svr"}
        Whether predictors are dropped that are not significant, or that Akaike's
        criterion does not keep; ``svr`` is a linear support vector regression.
    level : float
        Of significance.

    Returns
    -------
    Performance

    Raises
    ------
    InputError
        If a value is missing or no number, nothing varies, or the target is one of the
        predictors.
    UndefinedRate
        If there are not two more dialogues than predictors, or too few groups to say
        what is significant.

    References
    ----------
    Walker et al. (1997), "PARADISE: A framework for evaluating spoken dialogue agents";
    Higashinaka et al. (2003) for regressions on discourse measures, whose elimination
    is taken for that of Weka's M5. PROMISE (Beringer et al. 2002) is not here: its
    formula was not found.

    Examples
    --------
    >>> import demur
    >>> rows = {"satisfaction": [1, 2, 3, 5, 4, 6], "repairs": [9, 8, 7, 3, 4, 1]}
    >>> found = demur.paradise(rows, "satisfaction", ["repairs"])
    >>> round(found.predictors[0].weight, 2), round(found.r_squared, 2)
    (-0.99, 0.97)
    """
    where = "paradise"
    check_level(where, level)
    choice(where, "method", method, METHODS)
    names = list(dict.fromkeys(predictors))
    table, y, columns = _columns_of(dialogues, target, names, (by, group))
    free, dropped = _independent(columns, len(y))
    x = np.column_stack([columns[name] for name in free])
    z, goal = linear_fits.scaled(x), linear_fits.scaled(y[:, None])[:, 0]
    codes, units = _groups(table, group, method)
    kept, unknown = _kept(z, goal, codes, (method, level))
    why = "not significant" if method == "significant" else "AIC is lower without"
    dropped |= {name: why for at, name in enumerate(free) if at not in kept}
    dropped |= {free[at]: _resting_on_few(str(group)) for at in unknown}
    if not kept:
        raise _nothing_significant(level, [free[at] for at in unknown], group)
    stay = [free[place] for place in kept]
    fitted = linear_fits.fit(z[:, kept], goal, codes)
    weights, predict = _model(z[:, kept], goal, fitted, method)
    performance = z[:, kept] @ weights
    held = _held_out(x, y, codes, (method, level, len(free)))
    return Performance(
        target=target,
        dialogues=len(y),
        predictors=_predictors(stay, weights, fitted, _inference(method, group, units)),
        dropped=dropped,
        r_squared=_r_squared(goal, predict),
        r_squared_held_out=None if held is None else _r_squared(y, held),
        rmse_held_out=None if held is None else _rmse(y, held),
        groups=_means(performance, None if by is None else table.codes(by)),
        units=units,
        method=method,
        level=level,
        recipe={
            **_asked(target, names, method, by, group),
            "level": exactly(level),
            "n": str(len(y)),
        },
        performance=performance,
    )


def _nothing_significant(
    level: float, unknown: Sequence[str], group: str | None
) -> UndefinedRate:
    why = f"no predictor is significant at {level:g}."
    if unknown:
        why += f" Of {', '.join(unknown)} {_resting_on_few(str(group))}."
    return UndefinedRate(why, where="paradise")


def _asked(
    target: str, names: list[str], method: str, by: str | None, group: str | None
) -> dict[str, str]:
    """The part of the recipe that is not of numbers."""
    columns = {"by": by, "group": group}
    return {
        "measure": "performance",
        "target": target,
        "predictors": ",".join(names),
        "method": method,
        **{name: column for name, column in columns.items() if column},
        "normalised": "sample standard deviations over all dialogues",
    }


def _columns_of(
    dialogues: Any, target: str, names: list[str], further: Sequence[str | None]
) -> tuple[NamedColumns, Floats, dict[str, Floats]]:
    """The table, its target, and its predictors."""
    where = "paradise"
    if not names:
        raise InputError(where, "predictors", "be at least one", "none")
    if target in names:
        raise InputError(where, "predictors", "be others than the target", target)
    needed = [target, *names, *filter(None, further)]
    table = named_columns(where, dialogues, needed)
    y = complete_numbers(table, target)
    columns = {name: complete_numbers(table, name) for name in names}
    for name, column in {target: y, **columns}.items():
        _check_size(table, name, column)
    if len(y) < 3 or np.ptp(y) == 0:
        need = "vary over three dialogues or more"
        raise InputError(where, target, need, f"{len(y)} of one value")
    return table, y, columns


def _check_size(table: NamedColumns, name: str, column: Floats) -> None:
    """Raise `InputError` for numbers whose squares are no longer numbers."""
    hint = "State it in another unit."
    for row in np.flatnonzero(np.abs(column) > _LARGEST).tolist():
        need = f"be between {-_LARGEST:g} and {_LARGEST:g}"
        raise InputError(table.place(row), name, need, f"{column[row]:g}", hint)
    spread = float(np.ptp(column)) if len(column) else 0.0
    if 0 < spread < 1 / _LARGEST:
        need = f"vary by {1 / _LARGEST:g} or more, or not at all"
        raise InputError("paradise", name, need, f"by {spread:g}", hint)


def _independent(
    columns: Mapping[str, Floats], n_rows: int
) -> tuple[list[str], dict[str, str]]:
    """Predictors that say something of their own; why the others are dropped."""
    dropped = {
        name: "no spread" for name, column in columns.items() if np.ptp(column) == 0
    }
    spread = [name for name in columns if name not in dropped]
    x = np.array([columns[name] for name in spread]).reshape(len(spread), n_rows).T
    free = [spread[k] for k in linear_fits.independent(x)]
    dropped |= {name: "given by the others" for name in spread if name not in free}
    if n_rows < len(free) + 2:
        raise UndefinedRate(
            f"{len(free)} predictors and {n_rows} dialogues; at least {len(free) + 2} "
            "dialogues are needed, or fewer predictors.",
            where="paradise",
        )
    if not free:
        raise InputError("paradise", "predictors", "vary", "none does")
    return free, dropped


def _groups(
    table: NamedColumns, group: str | None, method: str
) -> tuple[Positions | None, int]:
    """The groups of the dialogues, if there are any; and how many units there are."""
    if group is None:
        return None, len(table)
    codes, names = name_codes(table, group, "Leave rows out that lack one.")
    if method == "significant" and len(names) < FEWEST_UNITS:
        raise UndefinedRate(too_few(len(names), clustered=True), where="paradise")
    return codes, len(names)


def _inference(method: str, group: str | None, units: int) -> tuple[bool, bool]:
    """Whether there are errors and p values, and whether these are a test."""
    known = method != "svr" and (group is None or units >= FEWEST_UNITS)
    return known, known and method not in CHOOSING


def _predictors(
    names: Sequence[str],
    weights: Floats,
    fitted: LinearFit,
    inference: tuple[bool, bool],
) -> tuple[Predictor, ...]:
    known, is_test = inference
    has_error = known & ~np.isnan(fitted.errors)
    return tuple(
        Predictor(
            name=name,
            weight=float(weights[k]),
            error=float(fitted.errors[k]) if has_error[k] else None,
            p_value=float(fitted.p_values[k]) if has_error[k] else None,
            is_test=is_test and bool(has_error[k]),
            inflation=float(fitted.inflation[k]),
        )
        for k, name in enumerate(names)
    )


def _kept(
    z: Floats, goal: Floats, group: Positions | None, asked: tuple[str, float]
) -> tuple[list[int], list[int]]:
    """Predictors that stay; and those that went as nothing is known of them."""
    method, level = asked
    if method == "significant":
        return linear_fits.significant(z, goal, level, group)
    if method == "aic":
        return linear_fits.eliminated(z, goal), []
    return list(range(z.shape[1])), []


def _model(
    z: Floats, goal: Floats, fitted: LinearFit, method: str
) -> tuple[Floats, Floats]:
    """The weights, and what they say of the dialogues themselves."""
    if method != "svr":
        return fitted.weights, fitted.predict(z)
    model = _svr(z, goal)
    return model.coef_[0], model.predict(z)


def _svr(z: Floats, goal: Floats) -> Any:
    try:
        from sklearn.svm import SVR
    except ImportError:
        raise MissingExtra("learn", "Support vector regression") from None
    return SVR(kernel="linear", C=1.0, epsilon=0.1).fit(z, goal)


def _held_out(
    x: Floats, y: Floats, group: Positions | None, asked: tuple[str, float, int]
) -> Floats | None:
    """What models say of groups that had no part in the fit, nor in the scales."""
    method, level, n_predictors = asked
    apart = np.arange(len(y)) if group is None else group
    n_groups = len(np.unique(apart))
    folds = apart if n_groups <= _FOLDS * 3 else apart % _FOLDS
    smallest = min(int((folds != number).sum()) for number in np.unique(folds))
    if n_groups < 3 or smallest < n_predictors + 2:
        return None
    if method == "significant" and group is not None and n_groups <= FEWEST_UNITS:
        return None  # without one, nothing is known to be significant

    def expected_of(inside: Flags) -> Any:
        others, goal = x[~inside], y[~inside]
        middle, size = others.mean(axis=0), others.std(axis=0, ddof=1)
        size = np.where(size > 0, size, 1.0)
        z = (others - middle) / size
        codes = None if group is None else group[~inside]
        kept, _ = _kept(z, goal, codes, (method, level))
        if not kept:
            return np.full(int(inside.sum()), goal.mean())
        mean, spread = 0.0, 1.0
        model: Any
        if method == "svr":
            mean, spread = goal.mean(), goal.std() or 1.0
            model = _svr(z[:, kept], (goal - mean) / spread)
        else:
            model = linear_fits.fit(z[:, kept], goal)
        new = ((x[inside] - middle) / size)[:, kept]
        return model.predict(new) * spread + mean

    expected = np.empty(len(y))
    for number in np.unique(folds).tolist():
        expected[folds == number] = expected_of(folds == number)
    return expected


def _r_squared(true: Floats, expected: Floats) -> float:
    total = float(((true - true.mean()) ** 2).sum())
    return 1 - float(((true - expected) ** 2).sum()) / total


def _rmse(true: Floats, expected: Floats) -> float:
    return float(np.sqrt(((true - expected) ** 2).mean()))


def _means(performance: Floats, groups: Any) -> dict[str, float]:
    if groups is None:
        return {}
    codes, names = groups
    sums, sizes = np.bincount(codes, performance), np.bincount(codes)
    return dict(zip(map(str, names), (sums / sizes).tolist(), strict=True))
