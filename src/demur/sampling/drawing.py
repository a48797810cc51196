"""The verb that draws which answers to label."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from demur import checks
from demur.arrays import Positions, frozen
from demur.checks import choice, decimal_fraction, of_kind
from demur.decisions.locks import Lock
from demur.errors import InputError, shown
from demur.outcomes.columns import objects
from demur.outcomes.fields import UNANSWERED, UNGRADED, WRONG, columns
from demur.outcomes.parts import check_rows
from demur.outcomes.reasons import UNLABELLED
from demur.outcomes.records import Response
from demur.outcomes.table import Outcomes
from demur.results import exactly
from demur.sampling.aims import (
    FIFTHS,
    half_width,
    part_names,
    uniform_labels,
)
from demur.sampling.drawn import Drawn, DrawnPart
from demur.sampling.label_units import LABEL_KEY, system_places
from demur.sampling.plans import PLANS, DrawPlan
from demur.sampling.priorities import (
    PriorityDraw,
    mixed_chances,
    priority_draw,
    uniforms,
)
from demur.sampling.sheets import sheet_rows
from demur.sampling.unjudged import unjudged

PURPOSES: Final = {
    "recheck": ("lock", "pilot"),
    "compare": ("at", "pilot"),
    "cutoff": ("pilot", "max_error", "cost_ratio", "near"),
    "judge": ("pilot", "unsure", "gold"),
}
"""What labels may be for, and what may be said for each."""

GOLD: Final = "people"
_BLIND: Final = (
    "labelling may not depend on what the verdict would be: label from the top of the "
    "sheet, and leave none out because it is hard"
)
_EVENLY: Final = (
    "labels are drawn uniformly: that is expected to show as much as labels that "
    "count unequally, or more"
)
_EXACTLY: Final = (
    "labels are drawn uniformly: the exact bound of equal labels is expected to be "
    "narrower than that of labels that count unequally"
)
_ALIKE: Final = (
    "expected for independent items; answers of one cluster are alike, so it will be "
    "wider"
)


def sample(  # noqa: PLR0913  (each purpose has a few of its own)
    outcomes: Outcomes | Sequence[Response],
    *,
    budget: int,
    purpose: str,
    lock: Lock | None = None,
    at: float | None = None,
    pilot: Outcomes | None = None,
    max_error: float | None = None,
    cost_ratio: float | None = None,
    near: float | None = None,
    unsure: str | None = None,
    gold: str = GOLD,
    seed: int = 0,
) -> Drawn:
    """Draw which answers to label, with known chances: more where labels tell more.

    Half of the chances is the same for all answers that need a label, so that none
    is left out. What a label counts for, one over its chance, goes with the drawn
    outcomes as ``label_weight``; `recheck`, `certified_error`, `compare`,
    `corrected_error` and their like take it from there.

    Parameters
    ----------
    outcomes : Outcomes, or list of Response
        Answers with or without verdicts; these are not looked at, but for a judge's.
    budget : int
        Labels at most.
    purpose : {"recheck", "compare", "cutoff", "judge"}
        What the labels are for: to test a lock; to compare two systems; to find a
        cutoff; to correct a judge's verdicts, which the outcomes hold.
    lock : Lock, optional
        For "recheck": only what its cutoff answers is drawn.
    at : float, optional
        For "compare": the nonreturn; by default the systems' own decisions. Labels
        serve this rate and higher ones.
    pilot : Outcomes, optional
        Earlier outcomes with verdicts, from which errors are expected; for "judge"
        with people's verdicts in the column ``gold``.
    max_error, cost_ratio : float, optional
        For "cutoff", with a pilot: the rule by which the cutoff will be chosen.
    near : float, optional
        For "cutoff", without them: the nonreturn near which it will be; by default .5.
    unsure : str, optional
        For "judge": a column that is low where the judge is unsure.
    gold : str
        For "judge": the column that people's verdicts will be in.
    seed : int
        Of the draw, which depends on it, the items and what is known of them; never on
        the order of rows.

    Returns
    -------
    Drawn

    Raises
    ------
    InputError
        If the purpose lacks something, or something is given that it does not use;
        if no row needs a label, or the budget does not suffice for one item.
    UndefinedRate
        If there are no confidences where they are needed.

    References
    ----------
    Duffield, Lund and Thorup (2007), "Priority sampling for estimation of arbitrary
    subset sums", Journal of the ACM 54; see `demur.sampling.priorities`.

    Examples
    --------
    >>> import demur
    >>> rows = range(2000)
    >>> pair = demur.Outcomes.from_arrays(
    ...     item=[f"q{k}" for k in rows] * 2, system=["a"] * 2000 + ["b"] * 2000,
    ...     outcome=["unlabelled"] * 4000,
    ...     response=["yes"] * 2000 + ["no" if k < 100 else "yes" for k in rows])
    >>> drawn = demur.sample(pair, budget=300, purpose="compare")
    >>> [(part.part, part.items, part.drawn) for part in drawn.parts]
    [('differ', 100, 100), ('same', 1900, 100)]
    >>> drawn.labels, len(drawn.sheet), drawn.uniform_labels > 300
    (300, 300, True)
    """
    listed = isinstance(outcomes, list) and isinstance((*outcomes, 0)[0], Response)
    answers: Any = unjudged(outcomes) if listed else outcomes  # type: ignore[arg-type]
    check_rows("sample", answers)
    checks.whole("sample", "budget", budget, 1)
    checks.whole("sample", "seed", seed)
    choice("sample", "purpose", purpose, PURPOSES)
    given = {
        "lock": lock,
        "at": at,
        "pilot": pilot,
        "max_error": max_error,
        "cost_ratio": cost_ratio,
        "near": near,
        "unsure": unsure,
        "gold": None if gold == GOLD else gold,
    }
    asked = {name: value for name, value in given.items() if value is not None}
    _check_asked(purpose, asked)
    asked["gold"] = gold
    _check_fits(answers, gold)
    plan = PLANS[purpose](answers, asked)
    return _drawn(plan, purpose, asked, budget=budget, seed=seed)


def _check_asked(purpose: str, asked: dict[str, Any]) -> None:
    """Refuse what a purpose does not use, or values of the wrong kind."""
    for name in asked:
        if name not in PURPOSES[purpose]:
            users = [user for user, names in PURPOSES.items() if name in names]
            need = f"be left out for {purpose}"
            hint = f"It is for {' and '.join(users)}."
            raise InputError("sample", name, need, shown(asked[name]), hint)
    if purpose == "recheck" and "lock" not in asked:
        hint = "demur.lock makes one, demur choose --lock writes one."
        raise InputError("sample", "lock", "be given to recheck it", "none", hint)
    for name, value in asked.items():
        if name in ("lock", "pilot"):
            of_kind("sample", name, value, Lock if name == "lock" else Outcomes)
        elif name in ("unsure", "gold"):
            checks.filled("sample", name, value)
        elif name in ("at", "near"):
            decimal_fraction("sample", name, value)
    _check_rules(asked)


def _check_fits(outcomes: Outcomes, gold: str) -> None:
    """Refuse weights, which no estimate by labels takes, and names that are taken."""
    weight = outcomes.weight
    if weight is not None and not (weight == weight[0]).all():
        hint = "Labels are weighed by their chances alone; leave the column weight out."
        raise InputError("sample", "the outcomes", "have equal weights", "others", hint)
    if gold in (*columns(), LABEL_KEY):
        need, hint = "be a column of its own", "Such as people."
        raise InputError("sample", "gold", need, shown(gold), hint)


def _check_rules(asked: dict[str, Any]) -> None:
    """The rules for a cutoff need a pilot, and stand alone."""
    rules = [name for name in ("max_error", "cost_ratio", "near") if name in asked]
    if len(rules) > 1:
        need, hint = f"be one of {', '.join(rules)}", "Each says where the cutoff is."
        raise InputError("sample", "the cutoff", need, "several", hint)
    if rules and rules[0] != "near" and "pilot" not in asked:
        need = "come with a pilot: earlier outcomes with verdicts"
        hint = "Or say with near at which nonreturn the cutoff will be."
        raise InputError("sample", rules[0], need, "none", hint)


# -- the draw --------------------------------------------------------------------------


def _drawn(
    plan: DrawPlan, purpose: str, asked: dict[str, Any], *, budget: int, seed: int
) -> Drawn:
    units, aim = plan.units, plan.aim
    needed, cost = units.needed, units.cost
    if not needed.any():
        hint = "Nothing is answered there, or all of it is known."
        raise InputError("sample", "the outcomes", "hold what to label", "none", hint)
    evenly = _evenly(plan, budget)
    even, chances = needed.astype(float), mixed_chances(aim.emphasis, needed)
    draw, uniform = (
        priority_draw(chance, cost, uniforms(units.keys, seed), budget)
        for chance in (even if evenly else chances, even)
    )
    widths = [
        half_width(aim, one.chance, one.drawn, plan.level) for one in (draw, uniform)
    ]
    if not draw.drawn.any():
        hint = "Each different response of an item takes a label."
        raise InputError("sample", "budget", "suffice for one item", str(budget), hint)
    order = units.in_order(draw.drawn, seed)
    outcomes = _drawn_outcomes(plan, draw, order, purpose, asked["gold"])
    rows, notes = sheet_rows(outcomes, order, units.label)
    outcomes = outcomes.take(_as_in_sheet(outcomes, units.label, order))
    labels, level = len(order), plan.level
    return Drawn(
        purpose=purpose,
        budget=int(budget),
        items=int(draw.drawn.sum()),
        labels=labels,
        of=plan.of,
        needed=int(needed.sum()),
        needed_labels=int(cost.sum()),
        level=level,
        half_width=widths[0],
        uniform_half_width=widths[1],
        uniform_labels=uniform_labels(aim, needed, cost, widths[0], level),
        assumed=aim.assumed,
        parts=_parts(plan, draw),
        pair=plan.pair,
        outcomes=outcomes,
        sheet=rows,
        notes=(
            *outcomes.notes,
            *(f"expected, not seen: {aim.assumed}", *plan.notes, *notes, _BLIND),
            *_draw_notes(plan, evenly=evenly and not draw.drawn[needed].all()),
        ),
        recipe=_recipe(plan, purpose, asked, budget=budget, seed=seed),
    )


def _evenly(plan: DrawPlan, budget: int) -> bool:
    """Whether uniform chances are expected to show as much.

    By another draw than that of the seed: so chances are what they are said to be.
    """
    units, aim = plan.units, plan.aim
    widths = []
    for chance in (mixed_chances(aim.emphasis, units.needed), 1.0 * units.needed):
        trial = priority_draw(chance, units.cost, uniforms(units.keys, 0, "t"), budget)
        if not trial.drawn.any():
            return True
        widths.append(half_width(aim, trial.chance, trial.drawn, plan.level))
    return widths[1] <= widths[0]


def _draw_notes(plan: DrawPlan, *, evenly: bool) -> list[str]:
    """What clusters do to the expected width, and why a draw is uniform."""
    units = plan.units
    groups = [units.group[at] for at in np.flatnonzero(units.needed).tolist()]
    clustered = len(set(groups)) < len(groups)
    notes = [_ALIKE] if clustered else []
    if evenly:
        notes.append(
            _EXACTLY if plan.aim.error is not None and not clustered else _EVENLY
        )
    return notes


def _as_in_sheet(outcomes: Outcomes, label: Positions, order: Positions) -> Positions:
    """Of each system its drawn rows as they stand in the sheet, then its others."""
    place = np.full(int(label.max()) + 2, len(order))  # the last for rows without one
    place[order] = np.arange(len(order))
    rows: Positions = np.lexsort((place[label], system_places(outcomes)))
    return rows


def _drawn_outcomes(
    plan: DrawPlan, draw: PriorityDraw, order: Positions, purpose: str, gold: str
) -> Outcomes:
    """The outcomes with what each label stands for, and which row of the sheet it is.

    But for a judge, verdicts are taken out: they are yet to come. What could not be
    drawn stands for nothing.
    """
    outcomes, label, unit = plan.outcomes, plan.units.label, plan.units.unit
    key = plan.units.names_of(outcomes, order)
    keys = objects((key.get(at) for at in label.tolist()), len(label))
    drawn = np.array([name is not None for name in keys.tolist()])
    weight = np.full(len(outcomes), np.nan)
    weight[drawn] = 1 / draw.chance[unit[drawn]]
    groups = {**outcomes.groups, LABEL_KEY: keys}
    if purpose == "judge":
        groups[gold] = objects([None] * len(outcomes), len(outcomes))
        return replace(outcomes, label_weight=frozen(weight), groups=groups)
    known = np.zeros(len(outcomes), bool) if plan.known is None else plan.known
    weight[known] = 1.0
    weight[(outcomes.outcome != UNANSWERED) & ~known & (label < 0)] = 0.0
    codes = outcomes.outcome.codes.copy()
    codes[known] = WRONG
    waits = (codes != UNANSWERED) & ~known
    codes[waits] = UNGRADED
    reasons = outcomes.reason_code
    reasons = objects([None] * len(codes), len(codes)) if reasons is None else reasons
    reason = outcomes.reason
    if reason is not None:
        reason = reason.copy()
        reason[waits] = None
    return replace(
        outcomes,
        outcome=frozen(codes),
        credit=None,
        label_weight=frozen(weight),
        reason=None if reason is None else frozen(reason),
        reason_code=frozen(np.where(waits, UNLABELLED, reasons)),
        groups=groups,
    )


def _parts(plan: DrawPlan, draw: PriorityDraw) -> tuple[DrawnPart, ...]:
    """Where the labels go."""
    units, parts = plan.units, []
    order = (*FIFTHS, "wrong", "right", "ungraded", "differ", "same")
    for name in part_names(plan.aim.part[units.needed], order):
        here = units.needed & (plan.aim.part == name)
        drawn = here & draw.drawn
        weight = float((1 / draw.chance[drawn]).mean()) if drawn.any() else None
        labels = int(units.cost[drawn].sum())
        parts.append(DrawnPart(name, int(here.sum()), int(drawn.sum()), labels, weight))
    return tuple(parts)


def _recipe(
    plan: DrawPlan, purpose: str, asked: dict[str, Any], *, budget: int, seed: int
) -> dict[str, str]:
    options = {
        name: value if isinstance(value, str) else exactly(value)
        for name, value in asked.items()
        if name in PURPOSES[purpose] and name not in ("lock", "pilot")
    }
    if "lock" in asked:
        options["lock"] = asked["lock"].rule
        options["cutoff"] = str(asked["lock"].cutoff)
    if "pilot" in asked:
        options["pilot"] = f"{len(asked['pilot'])} items"
    return {
        **plan.outcomes.recipe,
        "sample": purpose,
        **options,
        "budget": str(budget),
        "seed": str(seed),
        "items": str(len(plan.outcomes)),
    }
