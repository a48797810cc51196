"""What other fields print of the same counts: ROC, DET, precision-recall, AURC, F.

Each is read off the vertices of one error-return curve, so that they can be held beside
it. None of them replaces it: what each leaves out stands in the documentation ("What
others print").
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Final

import numpy as np

from demur import checks
from demur.arrays import Floats, frozen, shortest
from demur.curves import counting
from demur.curves.counting import Ladder, Totals
from demur.curves.curves import Curve
from demur.results import (
    Column,
    Contender,
    FigureKind,
    Result,
    Results,
    Standings,
    Table,
    between,
    plain_values,
    shared_recipe,
)

AURC_DEFINITIONS: Final = {
    "mean": "mean of the error among answered over 1, 2, ..., n answered guesses",
    "constant_start": "trapezoids over coverage, level from 0 to the first guess",
    "from_zero": "trapezoids over coverage, from error 0 at coverage 0",
    "after_first": "trapezoids over coverage from 1/n to 1, divided by 1 - 1/n",
}
"""The areas under risk-coverage curves that are all called AURC."""

RECALL_OVER = "items that can be answered"

_WEIGHTED = "undefined with weights: it counts guesses one by one"
_NO_CURVE = "undefined without confidences"
_ONE_KIND = "undefined: needs right and wrong guesses"


@dataclass(frozen=True, eq=False, repr=False)
class Contrast(Result):
    """What other fields print of one system, on the counts of its error-return curve.

    Made by `demur.contrast`. An ungraded answer counts as wrong throughout, as in every
    decision. The arrays have one entry for each vertex of ``curve``, from forced choice
    (left) to silence; NaN where a ratio has nothing below the line.

    Parameters
    ----------
    system : str
        The system's name.
    curve : Curve
        The curve that everything is read off.
    auroc : float or None
        Area under the ROC curve: the chance that a right guess has a higher confidence
        than a wrong one, ties half.
    aurc : mapping of str to float, or None
        The area under the risk-coverage curve by each of `AURC_DEFINITIONS`, over the
        guesses. Inside a tie the expected number of errors is counted.
    f_own : float
        F by the system's own decisions.
    f_best : float or None
        The greatest F over all cutoffs.
    f_best_at : Mapping or None
        ``cutoff``, ``nonreturn`` and ``error`` where F is greatest.
    undefined : mapping of str to str
        What is undefined, and why.
    recall_over : str
        What recall is a share of.
    """

    KINDS: ClassVar = (
        FigureKind("auroc", "the area under the ROC curve", better="higher"),
        FigureKind("f_own", "F by the system's own decisions", better="higher"),
        FigureKind("f_best", "the greatest F", better="higher"),
    )

    system: str
    curve: Curve = field(repr=False)
    auroc: float | None
    aurc: Mapping[str, float] | None
    f_own: float
    f_best: float | None
    f_best_at: Mapping[str, Any] | None
    undefined: Mapping[str, str]
    recall_over: str = RECALL_OVER

    # -- arrays -------------------------------------------------------------------

    @cached_property
    def coverage(self) -> Floats:
        """Answered items / all items, shape (n_vertices,)."""
        return _frozen(1 - self.curve.nonreturn)

    @cached_property
    def risk(self) -> Floats:
        """Wrong answers / answers given, shape (n_vertices,): selective risk."""
        return _ratio(self._wrong, self.coverage)

    @cached_property
    def precision(self) -> Floats:
        """Right answers / answers given, shape (n_vertices,)."""
        return _ratio(self.curve.right, self.coverage)

    @cached_property
    def recall(self) -> Floats:
        """Right answers / items that can be answered, shape (n_vertices,)."""
        answerable = _answerable(self.curve)
        return _ratio(self.curve.right, np.full(len(self.coverage), answerable))

    @cached_property
    def hit(self) -> Floats:
        """Right answers / right guesses, shape (n_vertices,): the y of ROC."""
        right = self.curve.right
        return _ratio(right, np.broadcast_to(right[:1], right.shape))

    @cached_property
    def miss(self) -> Floats:
        """Right guesses withheld / right guesses, shape (n_vertices,): y of DET."""
        return _frozen(1 - self.hit)

    @cached_property
    def false_alarm(self) -> Floats:
        """Wrong answers / wrong guesses, shape (n_vertices,): x of ROC and DET."""
        wrong = self._wrong
        return _ratio(wrong, np.broadcast_to(wrong[:1], wrong.shape))

    @cached_property
    def f_measure(self) -> Floats:
        """F of SimpleQA and QALD-1, shape (n_vertices,).

        ``2 * right / (answered + all)``: the harmonic mean of right / answered and
        right / all.
        """
        return _frozen(2 * self.curve.right / (self.coverage + 1))

    @cached_property
    def own_rates(self) -> Mapping[str, float]:
        """The rates by the system's own decisions, called as the arrays are.

        NaN where a ratio has nothing below the line. They may lie off the curves, and
        are all there is of a system without confidences.
        """
        point, total = self.curve.operating_point, self.curve.totals
        coverage, right = 1 - point.nonreturn, point.right or 0.0
        wrong, weight = point.bounds[1], total.weight
        hit = _share(right, total.credit / weight)
        return MappingProxyType(
            {
                "nonreturn": point.nonreturn,
                "coverage": coverage,
                "risk": _share(wrong, coverage),
                "precision": _share(right, coverage),
                "recall": _share(right, _answerable(self.curve)),
                "hit": hit,
                "miss": 1 - hit,
                "false_alarm": _share(wrong, (total.loss + total.unclear) / weight),
                "f_measure": self.f_own,
            }
        )

    @property
    def _wrong(self) -> Floats:
        wrong: Floats = self.curve.error + self.curve.ungraded
        return wrong

    # -- output -------------------------------------------------------------------

    @property
    def recipe(self) -> dict[str, str]:
        """How the numbers came about."""
        return {**self.curve.recipe, "ties": "expected counts"}

    @property
    def notes(self) -> tuple[str, ...]:
        """What is undefined, and what the numbers do not see."""
        words = {"auroc": "AUROC", "aurc": "AURC", "f_best": "best F"}
        whys = dict.fromkeys(self.undefined.values())
        notes = [
            f"{', '.join(w for n, w in words.items() if self.undefined.get(n) == why)} "
            f"{why}"
            for why in whys
        ]
        totals = self.curve.totals
        if totals.no_guess and self.curve.ladder is not None:
            notes.append(
                f"AUROC and AURC see guesses only, not the {totals.unanswered} items "
                "without one"
            )
        if totals.ungraded:
            notes.append(f"{totals.ungraded} ungraded answers count as wrong here")
        return tuple(notes)

    def sentence(self) -> str:
        """What ranks, what is answered, and that neither says how much is wrong."""
        name = self.system or "the system"
        own_f = f"its F by its own decisions is {self.f_own:.3f}"
        if self.auroc is None:
            return f"There is no AUROC of {name}; {own_f}."
        return (
            f"A right guess of {name} ranks above a wrong one with a chance of "
            f"{self.auroc:.3f} (AUROC), which does not say how many are wrong; {own_f}."
        )

    def tables(self) -> tuple[Table]:
        """One row: accuracy, AUROC, AURC, F, and the area beside them."""
        curve, aurc = self.curve, self.aurc or {}
        low, high = curve.forced_choice_error
        area = curve.area() if curve.ladder else None
        row = (
            *(
                curve.system_alone or None,
                *curve.group.values(),
                between(1 - high, 1 - low),
            ),
            *(self.auroc, *map(aurc.get, AURC_DEFINITIONS), self.f_own, self.f_best),
            None if self.f_best_at is None else self.f_best_at["nonreturn"],
            None if area is None else between(area.low, area.high),
        )
        columns = (Column("system"), *map(Column, curve.group), *_COLUMNS)
        return (Table("What others print", columns, (row,), key=1 + len(curve.group)),)

    def to_dict(self) -> dict[str, Any]:
        """The numbers as plain values for JSON, without the arrays."""
        return {
            "system": self.system,
            "auroc": self.auroc,
            "aurc": None if self.aurc is None else dict(self.aurc),
            "aurc_definitions": dict(AURC_DEFINITIONS),
            "f_own": self.f_own,
            "f_best": self.f_best,
            "f_best_at": plain_values(self.f_best_at),
            "recall_over": self.recall_over,
            "undefined": dict(self.undefined),
            "signature": self.signature,
        }


def contrast(curve: Curve) -> Contrast:
    """What other fields print, on the same counts as an error-return curve.

    Parameters
    ----------
    curve : Curve
        Of `demur.error_return` or `demur.curve_by`.

    Returns
    -------
    Contrast
        ROC and DET, precision and recall, risk and coverage at each vertex; areas under
        ROC and risk-coverage curves; the F of SimpleQA and QALD-1.

    References
    ----------
    Artstein (2011), "Error Return Plots", section 2, for what ROC and DET leave out and
    for QALD-1; Wei et al. (2024), arXiv 2411.04368, for the F of SimpleQA, which is
    that of QALD-1; Geifman and El-Yaniv (2017) for risk and coverage.

    Examples
    --------
    Errors spread evenly over the ranks: a system that is wrong one time in ten and one
    that is wrong nine times in ten have the same ROC curve.

    >>> import numpy as np, demur
    >>> rank = np.arange(1000)
    >>> for rare, every in (True, 10), (False, 10):
    ...     correct = rank % every != 5 if rare else rank % every == 5
    ...     curve = demur.error_return(
    ...         demur.Outcomes.from_arrays(correct=correct, confidence=rank))
    ...     print(round(demur.contrast(curve).auroc, 2), curve.at(nonreturn=0.2).error)
    0.5 0.08
    0.5 0.72
    """
    checks.of_kind("contrast", "curve", curve, Curve)
    ladder, total = curve.ladder, curve.totals
    point = curve.operating_point
    f_own = 2 * (point.right or 0.0) / (2 - point.nonreturn)
    if ladder is None or not len(ladder.ranked):
        undefined = dict.fromkeys(("auroc", "aurc", "f_best"), _NO_CURVE)
        return Contrast(curve.system, curve, None, None, f_own, None, None, undefined)
    undefined = {}
    auroc = _auroc(ladder, total)
    if auroc is None:
        undefined["auroc"] = _ONE_KIND
    weight, aurc = _weight_of_each(ladder), None
    if weight is None:
        undefined["aurc"] = _WEIGHTED
    else:
        aurc = _aurc(ladder, weight)
    best, at = _best_f(curve)
    return Contrast(curve.system, curve, auroc, aurc, f_own, best, at, undefined)


# -- areas ---------------------------------------------------------------------------


def _auroc(ladder: Ladder, total: Totals) -> float | None:
    position = ladder.corners()
    lost = ladder.lost(position)
    withheld = total.no_guess + ladder.withheld(position)
    right = total.weight - withheld - lost
    if total.weight > counting.LARGEST_SQUARE:  # products leave 64 bits
        right, lost = right.astype(float), lost.astype(float)
    if not lost[0] or right[0] <= 0:
        return None
    # Trapezoids under right against lost, both as amounts, divided once at the end.
    twice = ((lost[:-1] - lost[1:]) * (right[:-1] + right[1:])).sum()
    return min(float(twice / 2 / lost[0] / right[0]), 1.0)


def _weight_of_each(ladder: Ladder) -> Any:
    """The weight of a guess if all weigh the same, else None."""
    if ladder.below is None:
        return 1
    weights = np.diff(ladder.below)
    return weights[0] if (weights == weights[0]).all() else None


def _aurc(ladder: Ladder, guess_weight: Any) -> dict[str, float]:
    """All definitions follow from the risks at 1, 2, ..., n answered guesses.

    While the answered guesses rise from a to b and the errors from e by s a guess, the
    risks add up to ``s (b - a) + (e - s a) (H(b) - H(a))``, H being harmonic numbers.
    """
    n = len(ladder.ranked)
    harmonic = np.append(0.0, np.cumsum(1 / np.arange(1, n + 1)))
    # Lossy blocks from the surest one: answered above and with each of them.
    above, upto = n - ladder.end[::-1], n - ladder.start[::-1]
    lost = (ladder.loss + ladder.ungraded)[::-1] / guess_weight
    slope = np.diff(lost) / (upto - above)
    inside = slope * (upto - above)
    inside += (lost[:-1] - slope * above) * (harmonic[upto] - harmonic[above])
    level = lost[1:] * (harmonic[np.append(above[1:], n)] - harmonic[upto])
    risks = float(inside.sum() + level.sum())
    first = float(slope[0]) if len(slope) and above[0] == 0 else 0.0
    inner = (risks - (first + float(lost[-1]) / n) / 2) / n
    return {
        "mean": risks / n,
        "constant_start": inner + first / n,
        "from_zero": inner + first / (2 * n),
        "after_first": inner / (1 - 1 / n) if n > 1 else first,
    }


def _best_f(curve: Curve) -> tuple[float, Mapping[str, Any]]:
    """The greatest F, of equal ones that with the least nonreturn.

    Between corners only right answers leave, and F falls.
    """
    corner = curve.corners
    f_values = 2 * corner.right / (2 - corner.nonreturn)
    best = int(np.argmax(f_values))
    silent = best == len(f_values) - 1
    where = {
        "cutoff": None if silent else shortest(corner.cutoff[best]),
        "nonreturn": float(corner.nonreturn[best]),
        "error": float(corner.error[best] + corner.ungraded[best]),
    }
    return float(f_values[best]), where


# -- small ---------------------------------------------------------------------------


def _answerable(curve: Curve) -> float:
    """Weight of the items that can be answered / all weight."""
    hopeless = curve.totals.no_guess_unanswerable + curve.unanswerable[1].sum()
    weight = curve.totals.weight
    return float((weight - hopeless) / weight)


def _ratio(part: Floats, whole: Floats) -> Floats:
    ratios = np.full(len(part), np.nan)
    np.divide(part, whole, out=ratios, where=whole > 0)
    return _frozen(np.minimum(ratios, 1.0))


def _share(part: float, whole: float) -> float:
    return min(part / whole, 1.0) if whole else np.nan


def _frozen(array: Any) -> Floats:
    held: Floats = frozen(array)
    return held


# -- as a table ----------------------------------------------------------------------

_COLUMNS: Final = (
    Column("accuracy", cells="share", explained="right / all items if all is answered"),
    Column(
        "auroc",
        "AUROC",
        "share",
        "the chance that a right guess ranks above a wrong one, however many are wrong",
    ),
    *(
        Column(
            f"aurc_{name}",
            "AURC" if name == "mean" else f"AURC {name.replace('_', ' ')}",
            "share",
            definition,
            wide=name != "mean",
            digits=4,
        )
        for name, definition in AURC_DEFINITIONS.items()
    ),
    Column(
        "f_own",
        "own F",
        "share",
        "F of SimpleQA and QALD-1, 2 x right / (answered + all), by the system's own "
        "decisions, which rewards guessing",
    ),
    Column("f_best", "best F", "share", "the greatest over all cutoffs"),
    Column("f_best_nonreturn", "at nonreturn", "share"),
    Column(
        "area", "", "share", "under the error-return curve, which is AUGRC", digits=4
    ),
)


class Contrasts(Results[Contrast]):
    """What other fields print of several systems."""

    KINDS: ClassVar = Contrast.KINDS
    recipe = property(shared_recipe)

    def sentence(self) -> str:
        """The order by AUROC and by the error in forced choice, which may differ."""
        if len(self) == 1 or all(one.auroc is None for one in self):
            return self[0].sentence()
        by_auroc = self._by_auroc
        by_error = Standings(
            Contender(one.system, *one.curve.forced_choice_error) for one in self
        )
        best = by_auroc.who("is best", "are best", "the first place")
        left_out = by_auroc.left_out("AUROC is undefined")
        start = (
            f"By AUROC, which does not see how many are wrong, {best} "
            f"({by_auroc.value}); "
        )
        if not by_error.known:
            rivals = by_error.rivals_text("{} on {}", "{} on {}")
            who = "who errs least in forced choice is not known"
            return f"{start}{who}: {rivals}.{left_out}"
        least = by_error.who("errs least", "err least", "the least error")
        alike = [one.name for one in by_auroc.best] == [o.name for o in by_error.best]
        also = f"{by_error.names()} also" if alike else f"but {by_error.names()}"
        least = least.removeprefix(by_error.names())
        return f"{start}{also}{least} in forced choice ({by_error.value}).{left_out}"

    @property
    def _by_auroc(self) -> Standings:
        return Standings(
            (Contender(one.system, one.auroc, one.auroc) for one in self),
            better="higher",
        )

    @property
    def ranked(self) -> list[Contrast]:
        """By AUROC, the best first; last those without one."""
        return sorted(self, key=lambda one: (one.auroc is None, -(one.auroc or 0.0)))
