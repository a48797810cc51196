"""The verb that says what stated confidences are worth."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict, Unpack

import numpy as np

from demur import checks, results
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
from demur.outcomes.parts import check_one_system, check_rows, named_parts, sample_of
from demur.outcomes.table import Outcomes
from demur.results import Result, printable

FEW = 30
"""Fewer items, or clusters, make intervals that are too narrow."""


class _Drawing(TypedDict):
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
    """

    curve: Curve
    guesses: int
    reliability: Reliability | None
    band: ConsistencyBand | None
    brier: BrierSplit | None
    trust: tuple[Trust, ...]
    notes: tuple[str, ...]

    @property
    def system(self) -> str:
        """Whose confidences they are."""
        return self.curve.system

    @property
    def signature(self) -> str:
        """The recipe of these numbers, one line."""
        parts = {"calibration": "isotonic"}
        if self.brier is not None:
            names = ("level", "replicates", "seed")
            parts |= {name: f"{getattr(self.brier, name):g}" for name in names}
        parts["guesses"] = str(self.guesses)
        further = [f"{name}:{value}" for name, value in parts.items()]
        return "|".join([self.curve.signature, *further])

    def __str__(self) -> str:
        return calibrations_table([self])

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values for JSON; null is what does not exist."""
        optional = {
            name: None if (each := getattr(self, name)) is None else each.to_dict()
            for name in ("reliability", "band", "brier")
        }
        return {
            "system": self.system,
            "guesses": self.guesses,
            **optional,
            "trust": [each.to_dict() for each in self.trust],
            "notes": list(self.notes),
            "signature": self.signature,
        }

    def __repr__(self) -> str:
        name = f"{self.system}: " if self.system else ""
        plural = "" if self.guesses == 1 else "es"
        words = f"{name}{self.guesses} graded guess{plural}"
        brier = "" if self.brier is None else f"; brier {self.brier.brier:.4g}"
        return f"Calibration({words}{brier})"


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
    drawing = _Drawing(level=level, replicates=replicates, seed=seed)
    return _calibration(outcomes, error_return(outcomes), targets, drawing)


def calibration_by(
    outcomes: Outcomes,
    *,
    groups: str | Sequence[str] = (),
    **options: Unpack[CalibrationOptions],
) -> list[Calibration]:
    """The calibration of each system, setting and value of the named columns.

    Parameters
    ----------
    outcomes : Outcomes
        Judged responses of any number of systems.
    groups : str or sequence of str
        Columns whose values cut the items into groups.
    **options
        As for `calibration_of`.

    Returns
    -------
    list of Calibration
        In the order and with the names of `demur.curve_by`.

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
    groups = checks.names("calibration_by", "groups", groups)
    calibrations = []
    for name, part in named_parts(outcomes, groups=groups):
        each = calibration_of(part, **options)
        calibrations.append(replace(each, curve=replace(each.curve, system=name)))
    return calibrations


def _calibration(
    outcomes: Outcomes, curve: Curve, targets: Sequence[float], drawing: _Drawing
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
        own = int(np.count_nonzero(outcomes.declined[rows] & graded))
        notes += [f"in, though the system declined to give them: {own}"] if own else []
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
    count = int(diagram.count.sum())
    return Calibration(curve, count, diagram, band, split, trust, tuple(notes))


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


def calibrations_table(calibrations: "Sequence[Calibration]") -> str:
    """Tables of the Brier scores and of trust, and how to read them.

    Parameters
    ----------
    calibrations : sequence of Calibration
        At least one.
    """
    blocks = [_scores_table(calibrations)]
    if any(calibration.trust for calibration in calibrations):
        blocks.append(_trust_table(calibrations))
    blocks.append(
        "\n".join(printable(line) for line in _calibration_remarks(calibrations))
    )
    return "\n\n".join(blocks)


def _scores_table(calibrations: "Sequence[Calibration]") -> str:
    header = ["system", "guesses", "Brier score", *PARTS[1:]]
    return results.table(
        header,
        [
            [
                calibration.system or results.NONE,
                str(calibration.guesses),
                *(_part_text(calibration.brier, name) for name in PARTS),
            ]
            for calibration in calibrations
        ],
    )


def _part_text(split: BrierSplit | None, name: str) -> str:
    if split is None:
        return results.NONE
    value = f"{getattr(split, name):.4f}"
    if split.intervals is None:
        return value
    low, high = split.intervals[name]
    return f"{value} [{low:.4f}, {high:.4f}]"


def _trust_table(calibrations: "Sequence[Calibration]") -> str:
    header = ["system", "target", "error", "nonreturn", "cost"]
    header += ["best cutoff", "error", "nonreturn", "cost", "trust costs"]
    rows = [
        [calibration.system or results.NONE, *_trust_cells(trust)]
        for calibration in calibrations
        for trust in calibration.trust
    ]
    return results.table(header, rows)


def _trust_cells(trust: Trust) -> list[str]:
    points = trust.trusted, trust.best
    trusted, best = (
        [results.span(*point.bounds), results.rate(point.nonreturn)] for point in points
    )
    cutoff = trust.best.cutoff
    return [
        f"{trust.target:g}",
        *(*trusted, f"{trust.cost:.4f}"),
        "never answer" if cutoff is None else str(cutoff),
        *(*best, f"{trust.best_cost:.4f}"),
        f"{trust.difference:.4f}",
    ]


def _calibration_remarks(calibrations: "Sequence[Calibration]") -> list[str]:
    """What the columns are, what was left out, and the recipe."""
    lines = [
        "Brier score: mean of (confidence - credit) squared over graded guesses = "
        "miscalibration - discrimination + uncertainty.",
        "miscalibration: what recalibrating would take off (isotonic, no bins); "
        "discrimination: what it then saves against one confidence for all.",
    ]
    splits = [
        calibration.brier
        for calibration in calibrations
        if calibration.brier is not None
    ]
    if any(split.intervals for split in splits):
        drawn = "clusters" if any(each.units < each.items for each in splits) else ""
        lines.append(
            f"[low, high]: {splits[0].level:.0%} intervals, each by itself "
            f"({splits[0].replicates} draws of {drawn or 'items'})."
        )
    if any(calibration.trust for calibration in calibrations):
        lines.append(
            "trust at target t: give guesses from confidence t on; cost = error + "
            "(1 - t) x nonreturn, at that cutoff and at the one where it is least."
        )
    own = [[n for n in c.notes if n not in c.curve.notes] for c in calibrations]
    common = [note for note in own[0] if all(note in notes for notes in own)]
    lines += [f"note: {note}" for note in common]
    lines += [
        f"note: {each.system}: {note}"
        for each, notes in zip(calibrations, own, strict=True)
        for note in notes
        if note not in common
    ]
    recipes = (calibration.signature.rpartition("|")[0] for calibration in calibrations)
    recipes = (recipe.partition("|calibration:")[2] for recipe in recipes)
    lines += [f"signature: calibration:{fromkey}" for fromkey in dict.fromkeys(recipes)]
    return lines
