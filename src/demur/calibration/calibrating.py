"""The verb that says what stated confidences are worth."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final, TypedDict, Unpack

import numpy as np

from demur import checks
from demur.arrays import Flags, Sample
from demur.calibration.brier import PARTS, BrierSplit, brier_split
from demur.calibration.reliability import (
    ConsistencyBand,
    Reliability,
    Trust,
    consistency_band,
    cost_of_trust,
    reliability,
)
from demur.checks import decimal_fraction
from demur.curves.curves import Curve
from demur.curves.of_outcomes import error_return
from demur.outcomes.fields import UNANSWERED, UNGRADED
from demur.outcomes.parts import check_one_system, check_rows, sample_of
from demur.outcomes.table import Outcomes, grouped_parts, part_name
from demur.results import (
    Column,
    Contender,
    Figure,
    FigureKind,
    Result,
    Results,
    Standings,
    Table,
    between,
    count,
    exactly,
    p_text,
    shared_recipe,
)

FEW = 30
"""Fewer items, or clusters, make intervals that are too narrow."""

_HARDLY: Final = 0.005
"""A smaller difference of what is stated and what is right has no direction."""


class _Draws(TypedDict):
    """Of intervals and bands that are drawn at random."""

    level: float
    replicates: int
    seed: int


class CalibrationOptions(TypedDict, total=False):
    """The options of `calibration_of`."""

    targets: Sequence[float]
    level: float
    replicates: int
    seed: int


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Result):
    """What the stated confidences of one system are worth.

    It speaks of guesses, as if all were given: of how often those of each confidence
    are right.

    Parameters
    ----------
    curve : Curve
        The error-return curve of the same outcomes.
    guesses : int
        Graded guesses with a confidence: those that all of this is about.
    reliability : Reliability or None
        How often guesses of each confidence are right, by the isotonic estimate; None
        without confidences or graded guesses.
    band : ConsistencyBand or None
        Where calibrated confidences would put that estimate; None if the confidences
        are no probabilities.
    brier : BrierSplit or None
        The Brier score and its parts; None if the confidences are no probabilities.
    trust : tuple of Trust
        What trusting the confidences costs at each target; empty if they are no
        probabilities.
    notes : tuple of str
        What was left out, and what a reader must know.
    drawn : mapping of str to str
        The targets, and how intervals and bands were drawn.
    """

    KINDS: ClassVar = (
        FigureKind("brier", "the Brier score"),
        FigureKind("miscalibration", "the miscalibration"),
        FigureKind("discrimination", "the discrimination", better="higher"),
        FigureKind("uncertainty", "the uncertainty", better="neither"),
        count("guesses", "graded guesses"),
    )

    curve: Curve = field(repr=False)
    guesses: int
    reliability: Reliability | None
    band: ConsistencyBand | None
    brier: BrierSplit | None
    trust: tuple[Trust, ...]
    notes: tuple[str, ...]
    drawn: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def system(self) -> str:
        """Whose confidences they are."""
        return self.curve.system

    @property
    def recipe(self) -> dict[str, str]:
        """How the numbers came about."""
        recipe = {**self.curve.recipe, "calibration": "isotonic"}
        if self.brier is not None:
            recipe |= self.drawn
        return recipe | {"guesses": str(self.guesses)}

    def figures(self) -> Iterator[Figure]:
        """The Brier score and its parts, with their intervals."""
        *parts, guesses = self.KINDS
        split = self.brier
        for kind in parts:
            if split is None:
                why = "the confidences are no probabilities"
                yield Figure(kind, None, of=self.system, why_undefined=why)
                continue
            low, high = (split.intervals or {}).get(kind.name, (None, None))
            words = "" if low is None else f"{100 * split.level:g} % interval"
            value = getattr(split, kind.name)
            yield Figure(kind, value, low, high, words, of=self.system)
        yield Figure(guesses, self.guesses, of=self.system)

    def sentence(self) -> str:
        """The Brier score, and how much of it recalibrating would take off."""
        name, split = self.system or "the system", self.brier
        if split is None:
            return f"Confidences of {name} have no Brier score; the notes say why."
        return (
            f"The Brier score of {name} is {split.brier:.4f} on {self.guesses} graded "
            f"guesses; recalibrating its confidences would take off "
            f"{split.miscalibration:.4f}. {self._belief(split)}"
        )

    def _belief(self, split: BrierSplit) -> str:
        """Whether the confidences are believable, and what it costs to trust them."""
        stated, right = self._means()
        means = f"{stated:.3f} is stated on average, {right:.3f} is right"
        p_value, start = split.p_calibrated, ""
        if p_value is not None and p_value <= 1 - split.level:
            start = f"The confidences are not calibrated ({p_text(p_value)}): "
            means += f", so they are {_over_or_under(stated, right)}"
        elif p_value is not None:
            start = f"But luck may explain that ({p_text(p_value)}): "
        costs = (trust.sentence() for trust in self.trust)
        return " ".join([f"{start}{means}.", *costs])

    def _means(self) -> tuple[float, float]:
        """Of the graded guesses: the mean confidence, and the mean credit."""
        diagram = self.reliability
        if diagram is None:
            return math.nan, math.nan
        means = (
            np.average(column, weights=diagram.weight)
            for column in (diagram.confidence, diagram.observed)
        )
        stated, right = map(float, means)
        return stated, right

    def tables(self) -> list[Table]:
        """The Brier score in its parts; and what trust costs at each target."""
        return calibration_tables([self])

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values for JSON; null is what does not exist."""
        return {"system": self.system, **super().to_dict()}

    def __repr__(self) -> str:
        name = f"{self.system}: " if self.system else ""
        plural = "" if self.guesses == 1 else "es"
        words = f"{name}{self.guesses} graded guess{plural}"
        brier = "" if self.brier is None else f"; brier {self.brier.brier:.4g}"
        return f"Calibration({words}{brier})"


class Calibrations(Results[Calibration]):
    """What the stated confidences of several systems are worth."""

    KINDS: ClassVar = Calibration.KINDS
    recipe = property(shared_recipe)

    def sentence(self) -> str:
        """Whose Brier score is lowest, and why that is not calibration alone."""
        if len(self) == 1 or all(one.brier is None for one in self):
            return self[0].sentence()
        scores = self._ranking("brier")
        truth = self._ranking("miscalibration")
        words = "has the lowest Brier score", "have the lowest Brier score"
        lowest = scores.who(*words, "the lowest Brier score")
        alike = [one.name for one in scores.best] == [one.name for one in truth.best]
        if alike and len(scores.best) == 1:
            least = "it is also the least miscalibrated"
        else:
            least = truth.who(
                *("is the least miscalibrated", "are the least miscalibrated"),
                "the least miscalibration",
            )
        left_out = scores.left_out("their confidences are no probabilities")
        ranked = f"{lowest}, {scores.value}; {least}, by {truth.value}."
        return f"{ranked} Whether that is luck is not tested here.{left_out}"

    def _ranking(self, part: str) -> Standings:
        """The systems by their Brier scores, or by a part of these."""
        values = [
            (one.system, None if one.brier is None else getattr(one.brier, part))
            for one in self
        ]
        return Standings(
            (Contender(name, value, value) for name, value in values),
            shown=lambda value, more: f"{value:.{4 + more}f}",
        )

    @property
    def ranked(self) -> list[Calibration]:
        """By the Brier score, the lowest first; last those without one."""
        return sorted(self, key=_brier)

    def tables(self) -> list[Table]:
        """A row for each system; and for each of its targets."""
        return calibration_tables(self.ranked)


def _over_or_under(stated: float, right: float) -> str:
    if abs(stated - right) < _HARDLY:
        return "too high in some places and too low in others"
    return "overconfident" if stated > right else "underconfident"


def _brier(one: Calibration) -> float:
    return math.inf if one.brier is None else one.brier.brier


def calibration_of(
    outcomes: Outcomes,
    *,
    targets: Sequence[float] = (),
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> Calibration:
    """How often guesses of each stated confidence are right, and what that costs.

    Parameters
    ----------
    outcomes : Outcomes
        Judged responses of one system. Items without a guess and ungraded guesses are
        left out, and counted; guesses that the system declined itself are in.
    targets : sequence of float
        Confidences, from 0 to 1, at which a guess is worth giving: for each, what it
        costs to take that as the cutoff, against the best cutoff.
    level : float
        Of intervals and band.
    replicates : int
        How often to draw items (clusters) anew, at least 1.
    seed : int
        Of the draws.

    Returns
    -------
    Calibration
        Confidences that are not all from 0 to 1 have a reliability curve, which asks
        only for their order, but neither a Brier score nor a cost of trust.

    Raises
    ------
    InputError
        If there are no rows, or rows of several systems or settings, or an argument
        is not what it must be.

    References
    ----------
    T. Dimitriadis, T. Gneiting, A. I. Jordan (2021), "Stable reliability diagrams for
    probabilistic classifiers", PNAS 118 (8), e2016191118.

    Examples
    --------
    Half of what is stated with 0.9 is wrong, so that silence would be cheaper if a
    guess must be right with a chance of 0.8:

    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[1, 0, 1, 0, 0, 1, 0, 0], confidence=[0.9] * 4 + [0.4] * 4)
    >>> found = demur.calibration_of(outcomes, targets=[0.8])
    >>> [(block.low, block.estimate) for block in found.reliability.blocks]
    [(0.4, 0.25), (0.9, 0.5)]
    >>> found.trust[0].cost, found.trust[0].best_cost
    (0.35, 0.2)
    """
    check_one_system("calibration_of", outcomes)
    targets = checks.listed("calibration_of", "targets", targets)
    checks.whole("calibration_of", "replicates", replicates)
    checks.whole("calibration_of", "seed", seed)
    for target in targets:
        decimal_fraction("calibration_of", "a target", target)
    drawing = _Draws(level=level, replicates=replicates, seed=seed)
    return _calibration(outcomes, error_return(outcomes), targets, drawing)


@checks.renamed(groups="by")
def calibration_by(
    outcomes: Outcomes,
    *,
    by: str | Sequence[str] = (),
    **options: Unpack[CalibrationOptions],
) -> Calibrations:
    """The calibration of each system, setting and value of the named columns.

    Parameters
    ----------
    outcomes : Outcomes
        Judged responses of any number of systems.
    by : str or sequence of str
        Columns whose values cut the items into groups.
    **options
        As for `calibration_of`.

    Returns
    -------
    Calibrations
        A tuple, in the order and with the names of `demur.curve_by`.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["q1", "q2", "q1", "q2"], system=["a", "a", "b", "b"],
    ...     correct=[True, False, True, True], confidence=[0.9, 0.4, 0.8, 0.7])
    >>> for found in demur.calibration_by(outcomes):
    ...     print(found.system, round(found.brier.brier, 3))
    a 0.085
    b 0.065
    """
    check_rows("calibration_by", outcomes)
    groups = checks.names("calibration_by", "by", by)
    calibrations = []
    for system, group, part in grouped_parts(outcomes, groups=groups):
        calibration = calibration_of(part, **options)
        name = part_name(system, group)
        curve = replace(calibration.curve, system=name, group=group)
        calibrations.append(replace(calibration, curve=curve))
    return Calibrations(calibrations)


def _calibration(
    outcomes: Outcomes, curve: Curve, targets: Sequence[float], drawing: _Draws
) -> Calibration:
    sample, ungraded = sample_of(outcomes), outcomes.outcome == UNGRADED
    unstated = _unstated(sample)
    rows = np.flatnonzero(~unstated)
    sample, ungraded = sample.take(rows), ungraded[rows]
    graded = sample.guess & ~ungraded
    counts = {
        "without a guess": int(np.count_nonzero(outcomes.outcome == UNANSWERED)),
        "ungraded": int(np.count_nonzero(ungraded)),
        "wrong and without a confidence": int(np.count_nonzero(unstated)),
    }
    notes = [f"left out, {words}: {count}" for words, count in counts.items() if count]
    if outcomes.declined is not None:
        declined = int(np.count_nonzero(outcomes.declined[rows] & graded))
        words = f"{declined} guesses count that the system itself declined to give"
        notes += [words] if declined else []
    missing = _missing(sample, graded)
    if missing:
        notes = [*notes, missing, *curve.notes]
        return Calibration(curve, 0, None, None, None, (), tuple(notes))
    diagram = reliability(sample, ungraded=ungraded)
    band = split = None
    trust: tuple[Trust, ...] = ()
    if diagram.stated:
        split = brier_split(sample, ungraded=ungraded, **drawing)
        band = consistency_band(sample, ungraded=ungraded, **drawing)
        trust = tuple(cost_of_trust(curve, target=target) for target in targets)
    notes += [*_remarks(diagram, split, trust), *curve.notes]
    guesses = int(diagram.count.sum())
    recipe = {name: exactly(value) for name, value in drawing.items()}
    if targets:
        recipe["targets"] = ",".join(map(exactly, targets))
    return Calibration(
        curve, guesses, diagram, band, split, trust, tuple(notes), recipe
    )


def _unstated(sample: Sample) -> Flags:
    """Guesses ranked below all others because the answer could not be executed.

    Judging gives them minus infinity; on a scale of probabilities that states nothing.
    """
    with np.errstate(invalid="ignore"):
        lowest: Flags = sample.guess & (sample.confidence == -np.inf)
        others = sample.confidence[sample.guess & ~lowest]
        stated = ((others >= 0) & (others <= 1)).all()
    return lowest if len(others) and stated else np.zeros_like(lowest)


def _missing(sample: Sample, graded: Flags) -> str:
    if np.isnan(sample.confidence[sample.guess]).any():
        return "there are no confidences, so there is nothing to calibrate"
    return "" if graded.any() else "there is no graded guess, so nothing to calibrate"


def _remarks(
    diagram: Reliability, split: BrierSplit | None, trust: Sequence[Trust]
) -> list[str]:
    if split is None:
        low, high = diagram.confidence[[0, -1]]
        return [
            f"confidences run from {low:g} to {high:g}, so they are no probabilities: "
            "no Brier score and no cost of trusting them"
        ]
    remarks = []
    if split.intervals is None:
        remarks.append("one item or cluster only, so there are no intervals")
    elif split.units < FEW:
        units = "items" if split.units == split.items else "clusters"
        remarks.append(f"only {split.units} {units}: the intervals are too narrow")
    if trust:
        words = "best cutoffs are found on the data they are judged on"
        remarks.append(f"{words}, so trust looks somewhat dearer than it is")
    return remarks


# -- tables ----------------------------------------------------------------------------

_EXPLAINED: Final = {
    "brier": (
        "mean of (confidence - credit) squared over graded guesses = miscalibration - "
        "discrimination + uncertainty"
    ),
    "miscalibration": "what recalibrating would take off (isotonic, no bins)",
    "discrimination": "what it then saves against one confidence for all",
}
_SURE: Final = "how often luck alone makes calibrated confidences look so far off"
_TRUST_COLUMNS: Final = (
    Column(
        "target",
        cells="number",
        explained="guesses are given from this confidence on. Cost: error + "
        "(1 - target) x nonreturn",
    ),
    Column("error", cells="share"),
    Column("nonreturn", cells="share"),
    Column("cost", cells="share", digits=4),
    Column("best_cutoff", cells="value", explained="where the cost is least"),
    Column("best_error", cells="share"),
    Column("best_nonreturn", cells="share"),
    Column("best_cost", cells="share", digits=4),
    Column("difference", "trust costs", "share", "beyond the best cutoff", digits=4),
)


def calibration_tables(calibrations: Sequence[Calibration]) -> list[Table]:
    """Tables of the Brier scores and of trust; groups have their own columns."""
    groups, drawn = list(calibrations[0].curve.group), _drawn(calibrations)
    keys = (Column("system"), *map(Column, groups))
    scores = tuple((*_keys(one), one.guesses, *_scores(one)) for one in calibrations)
    parts = [
        column
        for name in PARTS
        for column in (
            Column(
                name,
                "Brier score" if name == "brier" else name,
                "share",
                _EXPLAINED.get(name, ""),
                digits=4,
            ),
            Column(f"{name}_interval", "interval", "share", drawn, digits=4),
        )
    ]
    sure = Column("p_calibrated", "p of calibrated", "p", _SURE, wide=True)
    columns = (*keys, Column("guesses", cells="count"), *parts, sure)
    tables = [Table("Brier scores", columns, scores, key=len(keys))]
    trusts = tuple(
        (*_keys(one), *_trust_row(trust)) for one in calibrations for trust in one.trust
    )
    if trusts:
        title = "What it costs to trust stated confidences"
        tables.append(Table(title, (*keys, *_TRUST_COLUMNS), trusts, key=len(keys) + 1))
    return [*tables, *_steps(calibrations, keys)]


def _steps(
    calibrations: Sequence[Calibration], keys: tuple[Column, ...]
) -> Iterator[Table]:
    """The diagrams, step by step, where there is room."""
    title = "How often guesses of each confidence are right"
    diagrams = [
        (_keys(one), one.reliability.tables()[0])
        for one in calibrations
        if one.reliability is not None
    ]
    rows = tuple((*key, *row) for key, table in diagrams for row in table.rows)
    for _, table in diagrams[:1]:
        columns = (*keys, *table.columns)
        yield Table(title, columns, rows, key=len(keys), wide=True)


def _drawn(calibrations: Sequence[Calibration]) -> str:
    """What an interval is, and what was drawn for it."""
    splits = [one.brier for one in calibrations if one.brier is not None]
    if not any(split.intervals for split in splits):
        return ""
    clusters = any(split.units < split.items for split in splits)
    return (
        f"{splits[0].level:.0%} intervals, each by itself ({splits[0].replicates} "
        f"draws of {'clusters' if clusters else 'items'})"
    )


def _keys(calibration: Calibration) -> tuple[Any, ...]:
    curve = calibration.curve
    return curve.system_alone or None, *curve.group.values()


def _scores(calibration: Calibration) -> list[Any]:
    """Each part of the score, and its interval."""
    split = calibration.brier
    if split is None:
        return [None] * (2 * len(PARTS) + 1)
    ends = split.intervals or {}
    parts = [(getattr(split, name), ends.get(name)) for name in PARTS]
    return [*(value for part in parts for value in part), split.p_calibrated]


def _trust_row(trust: Trust) -> tuple[Any, ...]:
    points, cutoff = (trust.trusted, trust.best), trust.best.cutoff
    trusted, best = ((between(*p.bounds), p.nonreturn) for p in points)
    where = "never answer" if cutoff is None else cutoff
    last = trust.best_cost, trust.difference
    return trust.target, *trusted, trust.cost, where, *best, *last
