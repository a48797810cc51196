"""A judge as a system: its curve, its cutoff, and what it leaves to people."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from demur.curves.curves import Curve
from demur.curves.of_outcomes import error_return
from demur.decisions.choosing import choose
from demur.errors import UndefinedRate
from demur.judge_models.arrangements import Cascade, JudgePanel, JudgeStage
from demur.judge_models.decided_errors import (
    ACCEPTS,
    REJECTS,
    PeopleLabels,
    share_wrong,
)
from demur.outcomes.labelling import labelled_rows
from demur.outcomes.parts import labelled_in_part
from demur.outcomes.table import Outcomes
from demur.results import Column, Figure, FigureKind, Result, Table
from demur.results.kinds import BOUNDS
from demur.statistics.noisy_verdicts import CorrectedRate

Span = float | tuple[float, float] | None
"""A number, what it may be where that is not known, or None if there is none."""

AT: Final = (0.1, 0.2)
"""Rates of declining at which a judge's error is shown."""


KINDS: Final = (
    FigureKind("judge_error", "the error of a judge by people's verdicts"),
    FigureKind("judge_left", "what a judge leaves to people", better="neither"),
    FigureKind("judge_area", "the area under the curve of a judge"),
)
"""What a gate may hold of each judge."""


@dataclass(frozen=True, eq=False, repr=False)
class JudgeCurve(Result):
    """One judge against people: its curve in a few numbers.

    Shares are of all judged answers, labelled or not.

    Parameters
    ----------
    system : str
        The judge.
    answers, labelled : int
        That it was asked about; those of them that it could tell and people have
        judged.
    left, n_left : float, int
        Answers that it could not tell, which are left to people: as a share, and how
        many.
    failed : int
        Those of them where the judge could not be had.
    error : CorrectedRate or None
        Wrong verdicts / answers, at its own decisions; None if nothing is labelled.
    false_accepts, false_rejects : CorrectedRate or None
        The same in two parts: right where people say wrong, and the other way round.
    area : float, (low, high) or None
        Under its error-return curve; bounds, since it is not known what it would say
        where it cannot tell. None if it has no confidences.
    at : tuple of (nonreturn, error)
        Its error where so much is left to people, as ``area`` is told.
    cutoff : float or None
        From which confidence on its error is certified to be at most ``target``; None
        if nothing was asked, or it never is.
    left_at_cutoff : float or None
        The share that is left to people there; 1 if the error is certified nowhere.
    target, certainty : float or None
        What was asked for.
    level : float
        Of the intervals.
    """

    system: str
    answers: int
    labelled: int
    left: float
    n_left: int
    failed: int
    error: CorrectedRate | None
    false_accepts: CorrectedRate | None
    false_rejects: CorrectedRate | None
    area: Span = None
    at: tuple[tuple[float, Span], ...] = ()
    cutoff: float | None = None
    left_at_cutoff: float | None = None
    target: float | None = None
    certainty: float | None = None
    level: float = field(default=0.95, repr=False)

    def figures(self) -> Iterator[Figure]:
        """Its error, what it leaves to people, and the area under its curve."""
        error, left, area = KINDS
        if self.error is not None:
            yield self.figure_of(error, self.error)
        yield self.figure_of(left, self.left)
        if isinstance(self.area, tuple):
            yield replace(
                self.figure_of(area, None),
                low=self.area[0],
                high=self.area[1],
                interval=BOUNDS,
            )
        elif self.area is not None:
            yield self.figure_of(area, self.area)

    def sentence(self) -> str:
        """How often it errs, and what it leaves to people."""
        left = f"leaves {self.n_left:,} of {self.answers:,} answers to people"
        if self.error is None:
            return f"{self.system} {left}; no verdict of it has a label."
        return (
            f"{self.system} {left} and errs on {self.error.value:.3f} of all "
            f"({self.error.low:.3f} to {self.error.high:.3f})."
        )


def judge_curve(
    panel: JudgePanel,
    labels: PeopleLabels,
    outcomes: Outcomes,
    *,
    target: float | None,
    certainty: float,
    level: float,
    at: Sequence[float] = AT,
) -> JudgeCurve:
    """One judge of a panel against people.

    Parameters
    ----------
    panel, labels : JudgePanel, PeopleLabels
        Of all judges.
    outcomes : Outcomes
        Of this judge.
    target, certainty : float or None, float
        The error of all verdicts for which a cutoff is certified.
    level : float
        Of intervals.
    at : sequence of float
        Rates at which the error is looked up.
    """
    name = outcomes.systems[0]
    decided = Cascade((JudgeStage(name),)).decide(panel).verdict
    wrong = labels.wrong(decided)
    error, accepts, rejects = (
        share_wrong(decided, wrong[kind], labels, level)
        for kind in ("", ACCEPTS, REJECTS)
    )
    by_labels = _by_labels(outcomes)
    curve = None if by_labels is None else _curve(by_labels)
    cutoff, left = _cutoff(by_labels, curve, target, certainty)
    if cutoff is not None:
        sure = panel.confidence[panel.place(name)] >= cutoff
        left = float(np.mean((decided < 0) | ~sure))
    return JudgeCurve(
        system=name,
        answers=len(outcomes),
        labelled=int(((decided >= 0) & labels.labelled).sum()),
        left=float(np.mean(decided < 0)),
        n_left=int((decided < 0).sum()),
        failed=int(outcomes.failed.sum()),
        error=error,
        false_accepts=accepts,
        false_rejects=rejects,
        area=None if curve is None else _span(curve.area()),
        at=() if curve is None else tuple((rate, _error(curve, rate)) for rate in at),
        cutoff=cutoff,
        left_at_cutoff=left,
        target=target,
        certainty=None if target is None else certainty,
        level=level,
    )


def _by_labels(outcomes: Outcomes) -> Outcomes | None:
    """Its labelled verdicts, each for as many as it stands for; None without any."""
    if not labelled_in_part(outcomes) and outcomes.label_weight is None:
        return outcomes
    with suppress(UndefinedRate):
        return labelled_rows("arrange_judges", outcomes)[0]
    return None


def _curve(outcomes: Outcomes) -> Curve | None:
    """Its error-return curve; None if it has no confidences."""
    with suppress(UndefinedRate):
        curve = error_return(outcomes)
        return None if curve.ladder is None else curve
    return None


def _span(held: Any) -> Span:
    """A number, or its bounds where it has none."""
    if held.value is not None:
        return float(held.value)
    return float(held.low), float(held.high)


def _error(curve: Curve, rate: float) -> Span:
    point = curve.at(nonreturn=rate)
    return (*point.bounds,) if point.error is None else float(point.error)


def _cutoff(
    outcomes: Outcomes | None,
    curve: Curve | None,
    target: float | None,
    certainty: float,
) -> tuple[float | None, float | None]:
    """The certified cutoff; and, unless it cannot be asked for, that silence does."""
    if target is None or outcomes is None or curve is None:
        return None, None
    with suppress(UndefinedRate):
        choice = choose(outcomes, max_error=target, certainty=certainty)
        return choice.cutoff, 1.0
    return None, None


COLUMNS: Final = (
    Column("judge", of="system"),
    Column("answers", cells="count"),
    Column("labelled", cells="count", explained="verdicts on answers people judged"),
    Column("left", "to people", "share", "answers that are left to people / all"),
    Column("n_left", "left", "count", "how many these are"),
    Column("error", "", "share", "wrong verdicts / all answers", of="error.value"),
    Column("error_interval", "interval", "share", of="error.interval"),
    Column(
        *("false_accepts", "false accepts", "share"),
        "right where people say wrong / all answers",
        of="false_accepts.value",
    ),
    Column(
        *("false_rejects", "false rejects", "share"),
        "not right where people say right / all answers",
        of="false_rejects.value",
    ),
    Column("area", "area", "bits", "under the error-return curve of the judge"),
)
"""The columns of judges, those of rates and cutoffs apart."""


def rates_table(judges: Sequence[JudgeCurve]) -> Table:
    """The errors of judges where a rate is left to people."""
    rates = dict.fromkeys(rate for judge in judges for rate, _ in judge.at)
    columns = [Column(f"error@{rate:g}", cells="share") for rate in rates]
    rows = [
        (judge.system, *(dict(judge.at).get(rate) for rate in rates))
        for judge in judges
        if judge.at
    ]
    title = "Errors of judges where so much is left to people"
    return Table(title, (Column("judge"), *columns), tuple(rows))


def cutoffs_table(judges: Sequence[JudgeCurve]) -> Table:
    """The cutoffs that certify what was asked for."""
    asked = [judge for judge in judges if judge.left_at_cutoff is not None]
    columns = (
        Column("judge", of="system"),
        Column("target", "error at most", "number", "of all answers"),
        Column("certainty", cells="number", explained="of each cutoff by itself"),
        Column("cutoff", cells="value", explained="verdicts at least this sure decide"),
        Column(
            *("left_at_cutoff", "to people", "share"),
            "what is left to people there; all, if nothing is certified",
        ),
    )
    return Table.of("Cutoffs of judges, certified", columns, asked)
