"""The cutoff of one module, swept inside the whole pipeline."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from demur.arrays import Floats
from demur.checks import choice
from demur.errors import InputError, shown
from demur.outcomes.target_dialogues import TargetDialogue
from demur.pipelines.cutoff_sweeps import CutoffSweep, PricedCutoff, SweptPoint
from demur.pipelines.engine import CORRECTED, STATES, Given, PipelineEngine
from demur.pipelines.matching import Wanted, acts_of, is_right, wanted_of
from demur.pipelines.modules import Module, Pipeline
from demur.pipelines.recordings import check_reacts
from demur.pipelines.runs import (
    MATCHES,
    JudgedRun,
    checked,
    given_text,
    inner_module,
    judged_run,
    recipe_of,
    targets_of,
)
from demur.pipelines.turn_parts import Running

PRICES: Final = (0.1, 0.2, 0.5, 1.0)
_GRID: Final = 11


def sweep_cutoff(  # noqa: PLR0913  (what is swept, how it is run, how judged)
    pipeline: Pipeline,
    dialogues: Sequence[TargetDialogue],
    *,
    module: str,
    state: str = CORRECTED,
    cutoffs: Sequence[float] | None = None,
    given: Given | None = None,
    match: str = "multiple",
    prices: Sequence[float] = PRICES,
    target: str = "wizard",
    running: Running = Running(),  # noqa: B008  (frozen)
) -> CutoffSweep:
    """Sweep the cutoff of one module inside the whole pipeline.

    Parameters
    ----------
    pipeline : Pipeline
        The module gives confidences (a `Response`, or a pair of output and confidence).
    dialogues : sequence of TargetDialogue
        What users said, and what should have come out; no two of one name.
    module : str
        Not the last one, whose cutoff `demur.curve` of its outcomes shows.
    state : {"corrected", "free"}
        In corrected state two runs of each turn, with the output and without it, give
        every cutoff; free-running each cutoff is a run of its own.
    cutoffs : sequence of float, optional
        The grid for ``free``; eleven quantiles of the confidences if left out.
    given : mapping of module to source or Module, optional
        What takes the place of modules. A source that takes the place of the swept one
        needs ``confidences``.
    match : {"strict", "multiple"}
        Against the target alone, or any acceptable output.
    prices : sequence of float
        Of no answer, where an error costs 1.
    target : {"wizard", "reference_run"}
        As for `run_pipeline`.
    running : Running
        How many turns at a time, how often, and where steps are kept.

    Returns
    -------
    CutoffSweep

    Raises
    ------
    InputError
        If the module gives a guess without a confidence, or an option is not known.

    Notes
    -----
    Nonreturn is the share of target acts of turns without a response, or with one of
    only acts that decline (`Pipeline.declines`) and match nothing acceptable. The
    module's own choice to decline is set aside: its guess goes on if it is sure enough.
    Cutoffs are chosen and judged on the same turns here; to promise anything, choose on
    others.

    Examples
    --------
    >>> import demur
    >>> turns = [
    ...     demur.TargetTurn(input=word, target={"nlu": act, "dm": [f"re.{act}"]})
    ...     for word, act in (("yes", "yes"), ("nope", "no"))]
    >>> nlu = demur.as_module(
    ...     lambda text: ("yes", 0.9) if text == "yes" else ("yes", 0.2), name="nlu")
    >>> dm = demur.as_module(lambda act: act and [f"re.{act}"], name="dm")
    >>> pipeline = demur.Pipeline.of([nlu, dm])
    >>> found = demur.sweep_cutoff(
    ...     pipeline, [demur.TargetDialogue("d1", turns)], module="nlu")
    >>> [(each.cutoff, each.nonreturn, each.error) for each in found.points]
    [(0.2, 0.0, 0.5), (0.9, 0.5, 0.0), (None, 1.0, 0.0)]
    """
    where = "sweep_cutoff"
    dialogues = checked(where, pipeline, dialogues)
    hint = "Of the last one, demur.curve of its outcomes is the curve."
    swept = inner_module(where, "module", pipeline, module, hint)
    choice(where, "match", match, MATCHES)
    _check_numbers(where, state, cutoffs, prices)
    fixed = dict(given or {})
    check_reacts(where, pipeline, module, fixed)
    with PipelineEngine(pipeline, dialogues, running) as engine:
        engine.check_given(where, fixed)
        sweep = _Sweep(engine, swept, fixed, match, targets_of(engine, target))
        exact = state == CORRECTED
        points = sweep.corrected() if exact else sweep.free(where, cutoffs)
        recipe = recipe_of(
            engine,
            state,
            target,
            module=module,
            given=given_text(fixed),
            match=match,
            cutoffs="all" if cutoffs is None else _listed(cutoffs),
            prices=_listed(prices),
        )
    return CutoffSweep(
        module=module,
        state=state,
        match=match,
        points=tuple(points),
        hull=_hull(points),
        best=tuple(_best(points, float(price)) for price in prices),
        items=sweep.items,
        acts=sweep.acts,
        rises=_rises(points),
        exact=exact,
        failed=sweep.failed,
        recipe=recipe,
    )


def _check_numbers(
    where: str, state: str, cutoffs: Sequence[float] | None, prices: Sequence[float]
) -> None:
    choice(where, "state", state, STATES)
    if cutoffs is not None and state == CORRECTED:
        need, hint = "be left out in corrected state", "Every cutoff is there."
        raise InputError(where, "cutoffs", need, "some", hint)
    for price in prices:
        _number(where, "a price", price, least=0.0)


def _listed(numbers: Sequence[float]) -> str:
    return ", ".join(str(number) for number in numbers)


def _number(where: str, what: str, value: Any, least: float = -math.inf) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if math.isnan(number) or isinstance(value, bool) or number < least:
        need = "be a number" if least < 0 else f"be a number from {least:g}"
        raise InputError(where, what, need, shown(value))
    return number


@dataclass
class _Sweep:
    """The runs of a sweep, and what each turn costs in them."""

    engine: PipelineEngine
    module: Module
    given: Given
    match: str
    wanted: Wanted
    items: int = 0
    acts: int = 0
    failed: int = 0

    def __post_init__(self) -> None:
        self.name = self.module.name
        self.of_module = wanted_of(self.engine, self.module)

    def run(self, state: str, cutoff: float) -> JudgedRun:
        """All turns with guesses handed on from a cutoff upwards."""
        judged = judged_run(
            self.engine, self.given, state, self.wanted, cutoffs={self.name: cutoff}
        )
        self.items = int(judged.matched.counted.sum())
        self.acts = int(judged.matched.target_acts.sum())
        self.failed = max(self.failed, judged.n_failed)
        return judged

    def amounts(self, run: JudgedRun) -> Floats:
        """Target acts of the turns that are not answered, and that are right."""
        above, below = run.ratio("recall", self.match)
        return np.array([np.where(run.matched.silent, below, 0.0), above, below])

    def confidences(self, run: JudgedRun) -> Floats:
        """Of the module's guesses; NaN where there is none."""
        confidences = np.full(len(run.flat), np.nan)
        n_turns = len(run.places)
        for row, ran in enumerate(run.flat):
            if ran is None:
                continue
            guess, confidence = ran.guesses.get(
                self.name, (ran.values[self.name], None)
            )
            if guess is None:
                continue
            if confidence is None or confidence != confidence:
                need, hint = "have a confidence", "Give (output, confidence)."
                what = f"a guess of {self.name} ({run.places[row % n_turns]})"
                raise InputError("sweep_cutoff", what, need, shown(guess), hint)
            confidences[row] = confidence
        return confidences

    def wrong(self, run: JudgedRun) -> tuple[Floats, Floats]:
        """Whether the module's guess is not acceptable, and whether that is known."""
        wrong, known = np.zeros(len(run.flat)), np.zeros(len(run.flat))
        n_turns = len(run.places)
        for row, ran in enumerate(run.flat):
            want = self.of_module[row % n_turns]
            if ran is None or want is None or not run.matched.counted[row]:
                continue
            acts = acts_of(self.module, ran.values[self.name])
            fits = (
                (want.target, *want.others) if self.match == "multiple" else (want[0],)
            )
            right = any(is_right(self.module, acts, one) for one in fits)
            known[row], wrong[row] = 1.0, not right
        return wrong, known

    def corrected(self) -> list[SweptPoint]:
        """A point for every confidence, from two runs."""
        with_it, without = (self.run(CORRECTED, c) for c in (-math.inf, math.inf))
        confidence = self.confidences(with_it)
        wrong, known = self.wrong(with_it)
        counted = with_it.matched.counted
        guessed = ~np.isnan(confidence) & counted
        of_module = np.array([wrong * known * guessed, known * guessed])
        first, base = self.amounts(with_it), self.amounts(without)
        change = first - base
        # What does not come out of the cutoff: turns without a guess.
        levels = np.unique(confidence[guessed])
        place = np.searchsorted(levels, confidence[guessed])
        sums = np.array(
            [
                np.bincount(place, amount[guessed], minlength=len(levels))
                for amount in (*change, *of_module)
            ]
        )
        # Handed on at a cutoff: all that is at least as sure.
        above = np.concatenate(
            [np.cumsum(sums[:, ::-1], axis=1)[:, ::-1], np.zeros((5, 1))], axis=1
        )
        start, total = base.sum(axis=1), float(base[2].sum())
        cutoffs: list[float | None] = [*levels.tolist(), None]
        return [
            _point(cutoff, start + moved[:3], moved[3:], total, float(known.sum()))
            for cutoff, moved in zip(cutoffs, above.T, strict=True)
        ]

    def free(self, where: str, cutoffs: Sequence[float] | None) -> list[SweptPoint]:
        """A point for each cutoff of a grid, and one with nothing handed on."""
        points = []
        for cutoff in (*self._grid(where, cutoffs), math.inf):
            run = self.run("free", cutoff)
            confidence = self.confidences(run)
            wrong, known = self.wrong(run)
            on = (confidence >= cutoff) & (cutoff < math.inf)
            of_module = np.array([(wrong * known * on).sum(), (known * on).sum()])
            amounts = self.amounts(run).sum(axis=1)
            total, turns = float(amounts[2]), float(known.sum())
            shown_as = None if cutoff == math.inf else cutoff
            points.append(_point(shown_as, amounts, of_module, total, turns))
        return points

    def _grid(self, where: str, cutoffs: Sequence[float] | None) -> list[float]:
        """The cutoffs that were asked for, or quantiles of the confidences."""
        if cutoffs is None:
            confidences = self.confidences(self.run("free", -math.inf))
            finite = confidences[np.isfinite(confidences)]
            if not len(finite):
                need, hint = "hold a finite number", "Give the cutoffs of the grid."
                raise InputError(where, "the confidences", need, "none", hint)
            shares = np.linspace(0, 1, _GRID)
            # Confidences that there are, so that a cutoff falls on a guess.
            quantiles = np.quantile(finite, shares, method="inverted_cdf")
            return [*np.unique(quantiles).tolist()]
        grid = sorted({_number(where, "a cutoff", cutoff) for cutoff in cutoffs})
        if grid and math.isinf(grid[-1]):
            need, hint = "be finite", "That nothing goes on is added anyway."
            raise InputError(where, "a cutoff", need, "inf", hint)
        if not grid:
            raise InputError(where, "cutoffs", "hold at least one", "none")
        return grid


def _point(
    cutoff: float | None, amounts: Floats, of_module: Floats, total: float, turns: float
) -> SweptPoint:
    silent, right, _ = (float(amount) / total for amount in amounts)
    return SweptPoint(
        cutoff=cutoff,
        nonreturn=silent,
        error=max(0.0, 1 - silent - right),
        right=right,
        handed_on=float(of_module[1]) / turns if turns else None,
        module_error=float(of_module[0]) / turns if turns else None,
    )


def _rises(points: Sequence[SweptPoint]) -> int:
    pairs = pairwise(points)
    return sum(after.error > before.error + 1e-12 for before, after in pairs)


def _hull(points: Sequence[SweptPoint]) -> tuple[int, ...]:
    """The points with the least error + price x nonreturn for some price from 0."""
    order = sorted(
        range(len(points)), key=lambda at: (points[at].nonreturn, points[at].error, at)
    )
    hull: list[int] = []
    for at in order:
        point = points[at]
        if hull and point.error >= points[hull[-1]].error - 1e-15:
            continue
        while len(hull) > 1 and _above(points, hull[-2], hull[-1], at):
            hull.pop()
        hull.append(at)
    return tuple(hull)


def _above(points: Sequence[SweptPoint], first: int, middle: int, last: int) -> bool:
    """Whether the middle point is on or above the line between the others."""
    a, b, c = points[first], points[middle], points[last]
    rise = (b.error - a.error) * (c.nonreturn - a.nonreturn)
    return rise >= (c.error - a.error) * (b.nonreturn - a.nonreturn) - 1e-15


def _best(points: Sequence[SweptPoint], price: float) -> PricedCutoff:
    def cost(point: SweptPoint) -> float:
        return point.error + price * point.nonreturn

    # Costs that rounding alone tells apart are equal: of these, the one that answers.
    best = min(points, key=lambda point: (round(cost(point), 12), point.nonreturn))
    alone = [
        (
            round(point.module_error + price * (1 - point.handed_on), 12),
            -point.handed_on,
            at,
        )
        for at, point in enumerate(points)
        if point.module_error is not None and point.handed_on is not None
    ]
    module_best = points[min(alone)[2]] if alone else None
    return PricedCutoff(
        price=price,
        cutoff=best.cutoff,
        cost=cost(best),
        module_cutoff=None if module_best is None else module_best.cutoff,
        module_cost=None if module_best is None else cost(module_best),
    )
