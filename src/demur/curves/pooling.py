"""Are confidences of separately fitted models on one scale? Folds pooled into a curve.

Models fitted apart, such as those of a cross-validation, may be sure in different
units. One cutoff for all of them then declines the wrong items, and the pooled curve
is worse than the models are.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from demur import checks
from demur.arrays import Floats, Sample, as_integers, frozen
from demur.curves import rates
from demur.curves.curves import Curve
from demur.curves.of_outcomes import FOLD, error_return
from demur.errors import InputError, UndefinedRate, shown
from demur.outcomes.fields import UNANSWERED
from demur.outcomes.parts import check_one_system, check_rows, confidences_of, sample_of
from demur.outcomes.table import Outcomes
from demur.results import (
    Column,
    FigureKind,
    Result,
    Results,
    Table,
    exactly,
    p_text,
    shared_recipe,
)

PERMUTATIONS = 199
SIGNIFICANT = 0.05
_ROUNDING = 1e-12
DEFINITION = (
    "integral of error over nonreturn, linear between cutoffs; left of its start a "
    "curve counts with its error there; ungraded answers count as errors"
)

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Pooled(Result):
    """One curve from the confidences of several models, and two ways around it.

    Parameters
    ----------
    system : str
        The system.
    fold : str
        The column that names the models.
    folds, items : int
        How many of each.
    area : float
        Of the curve of pooled confidences.
    area_average : float
        Of the average of the folds' own curves, weighted by their items.
    area_ranked : float
        Of the curve of confidences replaced by their ranks within the fold.
    nonreturn : float
        Where the three errors are read off.
    error, error_average, error_ranked : float or None
        There; None left of a curve's start.
    excess : float
        area - area_average, less what it is on average if items (or clusters) are
        assigned to folds at random.
    p_value : float
        How often the difference of areas is at least as large under such an
        assignment; one-sided.
    permutations, seed : int
        How it was found.
    warning : str or None
        What to do, if the excess is more than chance.
    notes : tuple of str
        What a reader must know.
    definition : str
        Of the areas.
    recipe : mapping of str to str
        How it came about.
    """

    KINDS: ClassVar = (
        FigureKind("excess", "the area that pooling costs beyond chance", least=-1.0),
        FigureKind("p_value", "the chance of so large an excess", better="neither"),
        FigureKind("area_average", "the area under the folds' average curve"),
        FigureKind("area_ranked", "the area with ranks within folds"),
    )

    system: str
    fold: str
    folds: int
    items: int
    area: float
    area_average: float
    area_ranked: float
    nonreturn: float
    error: float | None
    error_average: float | None
    error_ranked: float | None
    excess: float
    p_value: float
    permutations: int
    seed: int
    warning: str | None = None
    notes: tuple[str, ...] = ()
    definition: str = DEFINITION
    recipe: dict[str, str] = field(default_factory=dict)

    def sentence(self) -> str:
        """What pooling costs, and whether that is more than chance."""
        name = f" of {self.system}" if self.system else ""
        costs = "costs" if self.warning else "costs no more than chance explains:"
        return (
            f"Pooling the confidences of {self.folds} folds{name} {costs} "
            f"{self.excess:.4f} of area ({p_text(self.p_value)}): {self.area:.4f} "
            f"pooled, {self.area_average:.4f} on average over the folds' own curves."
        )

    def tables(self) -> tuple[Table]:
        """Areas and errors of the three ways, in one row."""
        title = "Confidences pooled over folds"
        return (Table.of(title, _POOLED_COLUMNS, [self]),)


class PooledAreas(Results[Pooled]):
    """What pooling folds costs several systems."""

    KINDS: ClassVar = Pooled.KINDS
    recipe = property(shared_recipe)

    def sentence(self) -> str:
        """Whom pooling costs more than chance explains."""
        if len(self) == 1:
            return self[0].sentence()
        names = ", ".join(one.system for one in self if one.warning)
        if not names:
            return "Pooling folds costs no system more area than chance explains."
        return f"Pooling folds costs area beyond chance for {names}."

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes, and what to do where pooling costs."""
        warnings = (
            f"warning: {one.system + ': ' if one.system else ''}{one.warning}"
            for one in self
            if one.warning
        )
        return (*super().notes, *dict.fromkeys(warnings))


_POOLED_COLUMNS: Final = (
    Column("system"),
    Column("folds", cells="count"),
    Column(
        "area",
        "area pooled",
        "share",
        "of one curve of all folds' confidences",
        digits=4,
    ),
    Column("area_average", "average", "share", "of the folds' own curves", digits=4),
    Column(
        "area_ranked",
        "ranked",
        "share",
        "of confidences replaced by their ranks within the fold",
        digits=4,
    ),
    Column(
        "excess",
        cells="difference",
        explained="of the pooled area beyond that of random folds, with its p value",
    ),
    Column("p_value", "p", "p"),
    Column("error", cells="share", wide=True),
    Column("error_average", cells="share", wide=True),
    Column("error_ranked", cells="share", wide=True),
)


def check_pooled(
    outcomes: Outcomes,
    *,
    fold: str = FOLD,
    nonreturn: float = 0.2,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> Pooled:
    """Compare the pooled curve with what the folds' models do on their own scales.

    Parameters
    ----------
    outcomes : Outcomes
        Judged responses of one system, with confidences.
    fold : str
        The column that names the model behind each response.
    nonreturn : float
        Where to read off errors.
    permutations : int
        How many random assignments of items to folds (199 take some seconds for 1e5
        items); clusters move as a whole if none of them reaches into two folds.
    seed : int
        Of the assignments.

    Returns
    -------
    Pooled
        With a warning if pooling costs more than chance (p at most 0.05).

    Raises
    ------
    InputError
        If there is no such column, it has one value only, or rows without one.
    UndefinedRate
        If the system gives no confidences.

    Examples
    --------
    Two models, equally good; one of them is surer of everything:

    >>> import demur
    >>> sure = [i / 100 for i in range(40)] + [0.6 + i / 100 for i in range(40)]
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     confidence=sure, correct=[i % 40 >= 12 for i in range(80)],
    ...     groups={"fold": ["1"] * 40 + ["2"] * 40})
    >>> found = demur.check_pooled(outcomes)
    >>> round(found.area, 4), round(found.area_average, 4), found.p_value
    (0.0975, 0.045, 0.005)
    >>> found.error, found.error_average, found.error_ranked
    (0.15, 0.1, 0.1)
    """
    check_one_system("check_pooled", outcomes)
    checks.whole("check_pooled", "seed", seed)
    codes = _folds("check_pooled", outcomes, fold)
    wanted = checks.decimal_fraction("check_pooled", "nonreturn", nonreturn)
    if type(permutations) is not int or permutations < 1:
        need = "be a whole number from 1 upwards"
        raise InputError("check_pooled", "permutations", need, shown(permutations))
    sample = sample_of(outcomes)
    confidences_of("check_pooled", outcomes, sample.guess)
    if not sample.guess.any():
        raise UndefinedRate(
            "there is no guess, so there is no curve.", where="check_pooled"
        )
    areas = _Areas(sample)
    area, average = areas.pooled(), areas.average(codes)
    lots, notes = _assignments(codes, sample.cluster, permutations, seed)
    excess, p_value = _beyond_chance(areas, average, lots)
    normalised = rank_normalised(outcomes, fold=fold)
    folds = [outcomes.take(codes == code) for code in np.unique(codes)]
    size = np.bincount(codes, sample.weight).astype(float)
    return Pooled(
        system=outcomes.systems[0],
        fold=fold,
        folds=len(folds),
        items=len(outcomes),
        area=area,
        area_average=average,
        area_ranked=_Areas(sample_of(normalised)).pooled(),
        nonreturn=float(wanted),
        error=_error_at([outcomes], [1], wanted),
        error_average=_error_at(folds, size, wanted),
        error_ranked=_error_at([normalised], [1], wanted),
        excess=excess,
        p_value=p_value,
        permutations=permutations,
        seed=seed,
        warning=_warning(fold, area, excess, p_value),
        notes=(*outcomes.notes, *notes),
        recipe=_recipe(outcomes, fold, wanted, permutations, seed),
    )


def _recipe(
    outcomes: Outcomes, fold: str, wanted: Fraction, permutations: int, seed: int
) -> dict[str, str]:
    return {
        **outcomes.recipe,
        "folds": fold,
        "at": exactly(wanted),
        "permutations": str(permutations),
        "seed": str(seed),
        "items": str(len(outcomes)),
    }


def _beyond_chance(
    areas: "_Areas", average: float, lots: Iterable[Codes]
) -> tuple[float, float]:
    """How much larger the average area is for folds by lot, and how often it is not."""
    chance = np.array([areas.average(lot) for lot in lots])
    lower = int(np.count_nonzero(chance <= average + _ROUNDING))
    # The folds as they are count as one of the draws, so that no p value is 0.
    return float(chance.mean() - average), (1 + lower) / (1 + len(chance))


def _folds(where: str, outcomes: Outcomes, fold: str) -> Codes:
    values = outcomes.column(fold).tolist()
    missing = [row for row, value in enumerate(values) if value is None]
    if missing:
        got = f"nothing in {checks.rows_shown(missing)}"
        need, hint = "name the model behind every response", "Fill the gaps."
        raise InputError(where, fold, need, got, hint)
    number: dict[Any, int] = {}
    codes = [number.setdefault(value, len(number)) for value in values]
    if len(number) < 2:
        got = shown(values[0])
        hint = "One model needs no column of folds."
        raise InputError(where, fold, "have at least two values", f"only {got}", hint)
    return np.array(codes, np.int64)


class _Areas:
    """Areas under the curves of parts of a sample, quickly for many partitions.

    An item's loss is answered until a cutoff passes it, so the area is the mean of
    loss times the share of items ranked below, ties counting half.
    """

    def __init__(self, sample: Sample) -> None:
        rank = np.zeros(len(sample), np.int64)
        rank[sample.guess] = 1 + _ranks(sample.confidence[sample.guess])
        self._order = np.argsort(rank, kind="stable")
        weight = np.ones(len(sample)) if sample.weight is None else sample.weight
        self._rank, self._weight = rank[self._order], weight[self._order]
        self._lost = (weight * sample.loss)[self._order]

    def pooled(self) -> float:
        """Of all items as one curve."""
        return self.average(np.zeros(len(self._order), np.int64))

    def average(self, codes: Codes) -> float:
        """Of the curves of the parts, weighted by their items."""
        n_parts = int(codes.max()) + 1
        small = np.int16 if n_parts < 2**15 else np.int64  # short keys sort faster
        part = codes[self._order].astype(small)
        order = np.argsort(part, kind="stable")
        part, rank = part[order], self._rank[order]
        new = (part[1:] != part[:-1]) | (rank[1:] != rank[:-1])
        start = np.concatenate(([0], np.flatnonzero(new) + 1))
        tied = np.add.reduceat(self._weight[order], start)
        lost = np.add.reduceat(self._lost[order], start)
        part = part[start]
        total = np.bincount(part, tied, n_parts)
        before = np.cumsum(tied) - tied - (np.cumsum(total) - total)[part]
        return float(lost @ ((before + tied / 2) / total[part]) / total.sum())


def _ranks(confidence: Floats) -> Codes:
    ranks: Codes = np.unique(confidence, return_inverse=True)[1]
    return ranks


def _assignments(
    codes: Codes, cluster: Codes | None, permutations: int, seed: int
) -> tuple[Iterator[Codes], list[str]]:
    """Random assignments to folds, and what must be said about them."""
    rng = np.random.default_rng(seed)
    if cluster is None:
        return (rng.permutation(codes) for _ in range(permutations)), []
    first = np.zeros(int(cluster.max()) + 1, np.int64)
    first[cluster] = codes
    if (first[cluster] == codes).all():
        return (rng.permutation(first)[cluster] for _ in range(permutations)), []
    note = "clusters reach into several folds; the test moved items one by one"
    return (rng.permutation(codes) for _ in range(permutations)), [note]


def _error_at(
    parts: Sequence[Outcomes], weight: Sequence[float] | Floats, wanted: Fraction
) -> float | None:
    """Weighted mean of the curves' errors at a nonreturn; None left of a start."""
    errors = []
    for curve in map(error_return, parts):
        if curve.ladder is None:
            return None
        point = rates.at_nonreturn(curve.ladder, curve.totals, wanted, "linear")
        if point.error is None:
            return None
        errors.append(point.bounds[1])
    return float(np.average(errors, weights=weight))


def _warning(fold: str, area: float, excess: float, p_value: float) -> str | None:
    if p_value > SIGNIFICANT:
        return None
    return (
        f"pooled over {fold} the area is {area:.4f}, {excess:.4f} more than chance "
        f"explains ({p_text(p_value)}): confidences of separately fitted models are "
        f"not on one scale. Average the curves of {fold}, or rank confidences within "
        "it."
    )


def rank_normalised(outcomes: Outcomes, *, fold: str = FOLD) -> Outcomes:
    """Outcomes with each confidence replaced by its rank within the fold.

    The new confidence is the share of the fold's items that rank below, ties (and the
    item itself) counting half, and items without a guess ranking below all; so a
    cutoff c declines about a share c of every fold.

    Parameters
    ----------
    outcomes : Outcomes
        Of one or several systems, which are ranked apart.
    fold : str
        The column that names the model behind each response.

    Returns
    -------
    Outcomes
        With an entry in its recipe.

    Raises
    ------
    InputError
        If there is no such column, or it has one value only.
    UndefinedRate
        If there are no confidences.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[1, 0, 1, 1], confidence=[0.9, 0.2, 17, 12],
    ...     groups={"fold": ["a", "a", "b", "b"]})
    >>> demur.rank_normalised(outcomes).confidence
    array([0.75, 0.25, 0.75, 0.25])
    """
    check_rows("rank_normalised", outcomes)
    _folds("rank_normalised", outcomes, fold)
    if outcomes.confidence is None:
        raise UndefinedRate(
            "there are no confidences to rank.", where="rank_normalised"
        )
    by = ["system", *(["setting"] if outcomes.setting is not None else []), fold]
    ranked = np.full(len(outcomes), np.nan)
    for rows in _rows_by(outcomes, by):
        ranked[rows] = _mid_ranks(outcomes.take(rows))
    ranked.setflags(write=False)
    recipe = {**outcomes.recipe, "confidence": f"rank within {fold}"}
    return replace(outcomes, confidence=ranked, recipe=recipe)


def _rows_by(outcomes: Outcomes, by: Sequence[str]) -> list[Codes]:
    rows: dict[Any, list[int]] = {}
    keys = zip(*(outcomes.column(name).tolist() for name in by), strict=True)
    for row, key in enumerate(keys):
        rows.setdefault(key, []).append(row)
    return [np.array(place, np.int64) for place in rows.values()]


def _mid_ranks(part: Outcomes) -> Floats:
    """Share of the items below each guess, ties counting half; NaN without a guess."""
    guess = part.outcome != UNANSWERED
    confidence = part.confidence
    ranks = np.full(len(part), np.nan)
    if confidence is None or np.isnan(confidence[guess]).any() or not guess.any():
        return ranks
    weight = np.ones(len(part)) if part.weight is None else part.weight
    whole = as_integers(weight)  # equal shares in two folds must stay equal
    weight = weight if whole is None else whole[0].astype(float)
    code = _ranks(confidence[guess])
    tied = np.bincount(code, weight[guess])
    below = weight[~guess].sum() + np.cumsum(tied) - tied
    ranks[guess] = ((2 * below + tied) / (2 * weight.sum()))[code]
    return ranks


@dataclass(frozen=True, eq=False, repr=False)
class AverageCurve(Result):
    """The mean of several curves at every nonreturn.

    Parameters
    ----------
    nonreturn, error : arrays of float64, shape (n,)
        Where any of the curves bends, from the rightmost of their starts to 1;
        straight in between. The error counts ungraded answers.
    recipe : mapping of str to str
        Of how many curves, and how they were weighed.
    """

    nonreturn: Floats
    error: Floats
    recipe: Mapping[str, str] = field(default_factory=dict)

    def sentence(self) -> str:
        """The average error in the left end and at a fifth."""
        shown = float(np.interp(_SHOWN, self.nonreturn, self.error))
        start, error = self.nonreturn[0], self.error[0]
        return (
            f"The average error is {error:.3f} at nonreturn {start:.3f}, where the "
            f"curves begin{f', and {shown:.3f} at {_SHOWN:g}' * bool(start < _SHOWN)}."
        )

    def tables(self) -> tuple[Table]:
        """A row for each bend."""
        columns = (Column(name, cells="share") for name in ("nonreturn", "error"))
        return (Table.of_arrays(columns, self),)


_SHOWN: Final = 0.2


def average_curve(
    curves: Sequence[Curve], *, weight: Sequence[float] | Floats | None = None
) -> AverageCurve:
    """The vertical average of curves.

    Parameters
    ----------
    curves : sequence of Curve
        Of the folds of one system, say.
    weight : sequence of float, optional
        How much each counts; if left out its number of items.

    Returns
    -------
    AverageCurve

    Raises
    ------
    InputError
        If there is no curve.
    UndefinedRate
        If one has no confidences.

    Examples
    --------
    >>> import demur
    >>> curves = [
    ...     demur.error_return(demur.Outcomes.from_arrays(
    ...         correct=correct, confidence=[0.1, 0.2]))
    ...     for correct in ([0, 1], [1, 1])]
    >>> found = demur.average_curve(curves)
    >>> found.nonreturn, found.error
    (array([0. , 0.5, 1. ]), array([0.25, 0.  , 0.  ]))
    """
    curves = checks.all_of_kind("average_curve", "curves", curves, Curve)
    if weight is not None:
        weight = checks.numbers("average_curve", "weight", weight)
        if len(weight) != len(curves) or not all(share >= 0 for share in weight):
            need = f"be {len(curves)} numbers from 0, one for each curve"
            raise InputError("average_curve", "weight", need, shown(weight))
    if not curves:
        raise InputError("average_curve", "curves", "be at least one", "none")
    if any(curve.ladder is None for curve in curves):
        raise UndefinedRate(
            "one of the curves has no confidences.", where="average_curve"
        )
    start = max(curve.start for curve in curves)
    bends = np.unique(np.concatenate([curve.corners.nonreturn for curve in curves]))
    grid = np.concatenate(([start], bends[bends > start]))
    weighed = "items"
    if weight is None:
        weight = [curve.items for curve in curves]
    else:
        weighed = ",".join(map(exactly, weight))
    errors = [
        np.interp(grid, corners.nonreturn, corners.error + corners.ungraded)
        for corners in (curve.corners for curve in curves)
    ]
    error = np.average(errors, axis=0, weights=weight)
    recipe = {
        **shared_recipe(curves),
        "average": f"{len(curves)} curves",
        "weighed": weighed,
        "items": str(sum(curve.items for curve in curves)),
    }
    return AverageCurve(frozen(grid), frozen(error), recipe)
