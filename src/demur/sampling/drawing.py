"""The verb that draws which answers to label, and what it must know before."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from demur import checks
from demur.arrays import Flags, Floats, Positions, answered_at, frozen, rank
from demur.checks import choice, decimal_fraction, of_kind
from demur.decisions.choosing import choose
from demur.decisions.locks import Lock
from demur.errors import InputError, shown
from demur.outcomes.columns import Column, objects
from demur.outcomes.fields import OUTCOMES, RIGHT, UNANSWERED, UNGRADED, WRONG
from demur.outcomes.parts import check_one_system, check_rows, confidences_of, sample_of
from demur.outcomes.reasons import UNLABELLED
from demur.outcomes.records import Response
from demur.outcomes.table import Outcomes
from demur.outcomes.verdict_words import LOSSES, word_of
from demur.results import exactly
from demur.sampling.aims import (
    FIFTHS,
    Aim,
    compare_aim,
    cutoff_aim,
    deviation,
    errors_by_pilot,
    falling_errors,
    half_width,
    judge_aim,
    mid_ranks,
    mistakes_of_judge,
    part_names,
    recheck_aim,
    uniform_chance,
    uniform_labels,
)
from demur.sampling.drawn import Drawn, DrawnPart
from demur.sampling.label_units import LABEL_KEY, LabelUnits, label_units
from demur.sampling.priorities import (
    PriorityDraw,
    mixed_chances,
    priority_draw,
    uniforms,
)
from demur.sampling.sheets import sheet_rows
from demur.sampling.unjudged import unjudged
from demur.statistics.quantities import answered_shares

PURPOSES: Final = {
    "recheck": ("lock", "pilot"),
    "compare": ("at", "pilot"),
    "cutoff": ("pilot", "max_error", "cost_ratio", "near"),
    "judge": ("pilot", "unsure", "gold"),
}
"""What labels may be for, and what may be said for each."""

GOLD: Final = "people"
LEVEL: Final = 0.95
_BLIND: Final = (
    "labelling may not depend on what the verdict would be: label from the top of the "
    "sheet, and leave none out because it is hard"
)


def sample(  # noqa: PLR0913  (each purpose has a few of its own)
    outcomes: Outcomes | Iterable[Response],
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

    A fifth of the chances is the same for all answers that need a label, so that none
    is left out. What a label counts for, one over its chance, goes with the drawn
    outcomes as ``label_weight``; `recheck`, `certified_error`, `compare`,
    `corrected_error` and their like take it from there.

    Parameters
    ----------
    outcomes : Outcomes, or iterable of Response
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
    >>> old = demur.Outcomes.from_arrays(
    ...     confidence=range(100), correct=[k > 20 for k in range(100)])
    >>> kept = demur.lock(old, demur.choose(old, max_error=0.05))
    >>> live = demur.Outcomes.from_arrays(
    ...     item=[f"q{k}" for k in range(1000)], outcome=["ungraded"] * 1000,
    ...     confidence=[k / 10 for k in range(1000)])
    >>> drawn = demur.sample(live, budget=100, purpose="recheck", lock=kept)
    >>> drawn.items, drawn.needed, len(drawn.sheet), drawn.uniform_labels > 100
    (100, 840, 100, True)
    """
    if not isinstance(outcomes, Outcomes):
        outcomes = unjudged(outcomes)
    check_rows("sample", outcomes)
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
    plan = _PLANS[purpose](outcomes, asked)
    return _drawn(plan, purpose, asked, budget=budget, seed=seed)


@dataclass(frozen=True, eq=False)
class _Plan:
    """What is to be drawn from, and how much each unit matters."""

    outcomes: Outcomes
    units: LabelUnits
    aim: Aim
    level: float = LEVEL
    known: Flags | None = None
    notes: tuple[str, ...] = ()


def _check_asked(purpose: str, asked: dict[str, Any]) -> None:
    """Refuse what a purpose does not use, or values of the wrong kind."""
    for name in asked:
        if name not in PURPOSES[purpose]:
            users = [each for each, names in PURPOSES.items() if name in names]
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


# -- what each purpose draws from ------------------------------------------------------


def _for_recheck(outcomes: Outcomes, asked: dict[str, Any]) -> _Plan:
    lock: Lock = asked["lock"]
    if len(outcomes.systems) > 1:
        outcomes = outcomes.select(system=lock.system)
    check_one_system("sample", outcomes)
    guess = outcomes.outcome != UNANSWERED
    confidence = confidences_of("sample", outcomes, guess)
    answered = answered_at(confidence, guess, lock.cutoff)
    known = _known(outcomes, guess)
    units = label_units(outcomes, answered & ~known)
    share = answered.mean() if lock.of == "all" else 1.0
    rows = _rows_of(units)
    ranks = _ranks(confidence, answered & ~known)[rows]
    error, assumed = _expected(
        *(asked.get("pilot"), outcomes.systems[0], confidence[rows])
    )
    if error is None:
        answers = lock.items - lock.declined
        seen = (lock.wrong + 0.5) / (answers + 1)
        error = falling_errors(ranks, seen)
        assumed = (
            f"an error of {seen:.3f} among the answered, as when the cutoff was "
            "locked, falling as confidences rise"
        )
    aim = recheck_aim(ranks, error, float(share), assumed)
    aim = _over_units(aim, units)
    return _Plan(outcomes, units, aim, level=lock.certainty, known=known)


def _for_cutoff(outcomes: Outcomes, asked: dict[str, Any]) -> _Plan:
    check_one_system("sample", outcomes)
    guess = outcomes.outcome != UNANSWERED
    confidence = confidences_of("sample", outcomes, guess)
    known = _known(outcomes, guess)
    units = label_units(outcomes, guess & ~known)
    rows = _rows_of(units)
    silent = float((~guess).mean())
    ranks = _ranks(confidence, guess & ~known)[rows]
    pilot, system = asked.get("pilot"), outcomes.systems[0]
    error, assumed = _expected(pilot, system, confidence[rows])
    if error is None:
        error = falling_errors(ranks, 0.25)
        assumed = "errors that fall from a half to none as confidences rise"
    near = asked.get("near", 0.5)
    rule = {name: asked[name] for name in ("max_error", "cost_ratio") if name in asked}
    if rule:
        chosen = choose(_of_system(asked["pilot"], system), **rule)
        near = float(1 - answered_at(confidence, guess, chosen.cutoff).mean())
    nonreturn = silent + (1 - silent) * ranks
    aim = cutoff_aim(nonreturn, error, near, len(outcomes), assumed)
    return _Plan(outcomes, units, _over_units(aim, units), known=known)


def _for_compare(outcomes: Outcomes, asked: dict[str, Any]) -> _Plan:
    if len(outcomes.systems) != 2:
        got = ", ".join(outcomes.systems[:5]) or "one without a name"
        hint = "Select two, as --where system=NAME does for each."
        raise InputError("sample", "the outcomes", "be of two systems", got, hint)
    guess = outcomes.outcome != UNANSWERED
    parts = [outcomes.system == name for name in outcomes.systems]
    for part in parts:
        check_one_system("sample", outcomes.take(part))
    returned = np.zeros(len(outcomes), bool)
    for part in parts:
        returned[part] = _returned(outcomes.take(part), asked.get("at"))
    known = _known(outcomes, guess)
    units = label_units(outcomes, returned & ~known)
    both = np.logical_and.reduce([units.any_of(returned & part) for part in parts])
    kind = np.full(len(units.keys), "differ", object)
    kind[both & (units.cost == 1) & ~units.any_of(known & returned)] = "same"
    kind[~units.any_of(returned)] = "neither"
    errors, assumed = [], ""
    for part, name in zip(parts, outcomes.systems, strict=True):
        errors.append(np.full(len(units.keys), np.nan))
        if "pilot" in asked:
            found, assumed = _errors_of(outcomes, part & returned, name, asked["pilot"])
            errors[-1] = np.zeros(len(units.keys))
            errors[-1][units.unit[part & returned]] = found
    if not assumed:
        assumed = "that of the items that they differ on one alone errs in a half"
    aim = compare_aim(kind, (errors[0], errors[1]), units.cost, assumed)
    return _Plan(outcomes, units, aim, known=known, notes=_compare_notes(asked, kind))


def _compare_notes(asked: dict[str, Any], kind: Column) -> tuple[str, ...]:
    same = int((kind == "same").sum())
    notes = [
        "responses count as the same if their texts are: others may differ and still "
        "both be right"
    ]
    if same:
        notes.append(
            f"{same:,} items on which both return the same cannot make a difference: "
            "few of them are drawn"
        )
    if asked.get("at"):
        notes.append(
            f"the labels serve nonreturn {asked['at']:g} and above: what is withheld "
            "there is not drawn"
        )
    return tuple(notes)


def _for_judge(outcomes: Outcomes, asked: dict[str, Any]) -> _Plan:
    gold = asked["gold"]
    held = outcomes.groups.get(gold)
    if held is not None and any(value not in (None, "") for value in held.tolist()):
        need, hint = "be empty before labels are drawn", "Name another with gold."
        raise InputError("sample", f"the column {gold}", need, "verdicts", hint)
    guess = outcomes.outcome != UNANSWERED
    verdict = outcomes.outcome.codes
    if (guess & (verdict != UNGRADED)).sum() == 0:
        hint = "Judge them first; or name another purpose, which needs none."
        need = "hold a judge's verdicts"
        raise InputError("sample", "the outcomes", need, "none", hint)
    units = label_units(outcomes, guess)
    part = np.full(len(units.keys), "right", object)
    counts = np.bincount(verdict, minlength=len(OUTCOMES))
    # Of an item with several answers the scarcer verdict says where it belongs.
    graded = sorted((RIGHT, WRONG), key=lambda code: -counts[code])
    for code in (UNGRADED, *graded):
        part[units.any_of(guess & (verdict == code))] = OUTCOMES[code]
    part[~units.needed] = "unanswered"
    mistakes = mistakes_of_judge(int(counts[WRONG]), int(counts[RIGHT]))
    assumed = (
        "a judge that calls 90 % of right answers right and 80 % of wrong ones wrong"
    )
    if "pilot" in asked:
        mistakes, assumed = _mistakes_seen(asked["pilot"], gold, mistakes)
    unsure = None
    if "unsure" in asked:
        unsure = np.ones(len(units.keys))
        sure = _numbers(outcomes, asked["unsure"], guess)
        np.minimum.at(unsure, units.unit[guess], mid_ranks(sure[guess]))
    aim = judge_aim(part, unsure, {**mistakes, "unanswered": 0.0}, assumed)
    return _Plan(outcomes, units, aim)


_PLANS: Final = {
    "recheck": _for_recheck,
    "compare": _for_compare,
    "cutoff": _for_cutoff,
    "judge": _for_judge,
}


def _known(outcomes: Outcomes, guess: Flags) -> Flags:
    """Guesses that need no label: no answer is right, or it could not be executed."""
    known = np.zeros(len(outcomes), bool)
    if outcomes.answerable is not None:
        known |= guess & ~outcomes.answerable
    if outcomes.reason_code is not None:
        broke = np.array([code == "error" for code in outcomes.reason_code.tolist()])
        known |= broke & (outcomes.outcome == WRONG)
    return known


def _rows_of(units: LabelUnits) -> Column:
    """The row that each unit waits for a label of; of one system there is just one."""
    rows = np.zeros(len(units.keys), np.int64)
    wanted = np.flatnonzero(units.label >= 0)
    rows[units.unit[wanted]] = wanted
    return rows[units.needed]


def _over_units(aim: Aim, units: LabelUnits) -> Aim:
    """An aim at the units that need a label, as one at all units."""
    needed = units.needed

    def whole(values: Column, rest: Any) -> Column:
        every = np.full(len(needed), rest, values.dtype)
        every[needed] = values
        return every

    return replace(
        aim,
        variance=whole(aim.variance, 0.0),
        emphasis=whole(aim.emphasis, 0.0),
        part=whole(aim.part, ""),
    )


def _ranks(confidence: Floats, among: Flags) -> Floats:
    """Ranks of confidences among these rows, from 0 to 1."""
    ranks = np.zeros(len(confidence))
    ranks[among] = mid_ranks(confidence[among])
    return ranks


def _returned(part: Outcomes, at: float | None) -> Flags:
    """What one system returns: at a nonreturn, or by its own decision."""
    guess = part.outcome != UNANSWERED
    if at is None:
        decided: Flags = guess if part.declined is None else guess & ~part.declined
        return decided
    confidences_of("sample", part, guess)
    returned: Flags = answered_shares(rank(sample_of(part)), float(at)) > 0
    return returned


def _numbers(outcomes: Outcomes, name: str, guess: Flags) -> Floats:
    """A column of numbers, one for each guess."""
    values = outcomes.column(name).tolist()
    numbers = np.full(len(values), np.nan)
    for row in np.flatnonzero(guess).tolist():
        with suppress(TypeError, ValueError):
            numbers[row] = float(values[row])
        if np.isnan(numbers[row]):
            need, got = "hold a number for every guess", shown(values[row])
            where = f"sample: item {shown(str(outcomes.item[row]))}"
            raise InputError(where, name, need, got, "Low is unsure.")
    return numbers


# -- what is expected ------------------------------------------------------------------


def _of_system(pilot: Outcomes, system: str) -> Outcomes:
    """The rows of a pilot that are of a system, or all if there is one system."""
    if len(pilot.systems) > 1:
        return pilot.select(system=system)
    return pilot


def _expected(
    pilot: Outcomes | None, system: str, confidence: Floats
) -> tuple[Floats | None, str]:
    """Errors that a pilot lets expect, and what is said of that."""
    if pilot is None:
        return None, ""
    check_rows("sample", pilot)
    pilot = _of_system(pilot, system)
    check_one_system("sample", pilot)
    graded = (pilot.outcome == RIGHT) | (pilot.outcome == WRONG)
    if not graded.any():
        hint = "Earlier outcomes, with verdicts."
        raise InputError("sample", "the pilot", "hold verdicts", "none", hint)
    known = confidences_of("sample", pilot, graded)[graded].astype(float)
    loss = sample_of(pilot).loss[graded]
    error = errors_by_pilot(known, loss, confidence.astype(float))
    return error, f"errors as in {int(graded.sum()):,} verdicts of the pilot"


def _errors_of(
    outcomes: Outcomes, rows: Flags, system: str, pilot: Outcomes
) -> tuple[Floats, str]:
    guess = outcomes.outcome != UNANSWERED
    confidence = confidences_of("sample", outcomes, guess & rows)
    found, assumed = _expected(pilot, system, confidence[rows])
    if found is None:
        raise AssertionError
    return found, assumed


def _mistakes_seen(
    pilot: Outcomes, gold: str, mistakes: dict[str, float]
) -> tuple[dict[str, float], str]:
    """How often people disagreed with each verdict, one item more at a half."""
    check_rows("sample", pilot)
    choice("sample", "gold", gold, list(pilot.groups))
    losses = [LOSSES.get(word_of(value)) for value in pilot.groups[gold].tolist()]
    people = np.array([np.nan if loss is None else loss for loss in losses])
    seen = dict(mistakes)
    for name, code in (("wrong", WRONG), ("right", RIGHT)):
        off = np.abs(people - (code == WRONG))[pilot.outcome == code]
        seen[name] = (np.nansum(off) + 0.5) / (np.count_nonzero(off == off) + 1)
    n_labels = int(np.count_nonzero(people == people))
    return seen, f"a judge as {n_labels:,} labels of the pilot show it"


# -- the draw --------------------------------------------------------------------------


def _drawn(
    plan: _Plan, purpose: str, asked: dict[str, Any], *, budget: int, seed: int
) -> Drawn:
    units, aim = plan.units, plan.aim
    needed, cost = units.needed, units.cost
    if not needed.any():
        hint = "Nothing is answered there, or all of it is known."
        raise InputError("sample", "the outcomes", "hold what to label", "none", hint)
    draw = priority_draw(
        mixed_chances(aim.emphasis, needed), cost, uniforms(units.keys, seed), budget
    )
    if not draw.drawn.any():
        hint = "Each different response of an item takes a label."
        raise InputError("sample", "budget", "suffice for one item", str(budget), hint)
    order = units.in_order(draw.drawn, seed)
    outcomes = _drawn_outcomes(plan, draw, order, purpose, asked["gold"])
    rows, notes = sheet_rows(outcomes, order, units.label)
    off = deviation(aim, draw.chance)
    labels = len(order)
    uniform = uniform_chance(needed, cost, labels) * needed
    return Drawn(
        purpose=purpose,
        budget=int(budget),
        items=int(draw.drawn.sum()),
        labels=labels,
        needed=int(needed.sum()),
        needed_labels=int(cost.sum()),
        level=plan.level,
        half_width=half_width(aim, off, plan.level),
        uniform_half_width=half_width(aim, deviation(aim, uniform), plan.level),
        uniform_labels=uniform_labels(aim, needed, cost, off),
        assumed=aim.assumed,
        parts=_parts(plan, draw),
        outcomes=outcomes,
        sheet=rows,
        notes=(
            *outcomes.notes,
            *(f"expected, not seen: {aim.assumed}", *plan.notes, *notes, _BLIND),
        ),
        recipe=_recipe(plan, purpose, asked, budget=budget, seed=seed),
    )


def _drawn_outcomes(
    plan: _Plan, draw: PriorityDraw, order: Positions, purpose: str, gold: str
) -> Outcomes:
    """The outcomes with what each label stands for, and which row of the sheet it is.

    But for a judge, verdicts are taken out: they are yet to come.
    """
    outcomes, label, unit = plan.outcomes, plan.units.label, plan.units.unit
    width = max(4, len(str(len(order))))
    labels = enumerate(order.tolist(), 1)
    key = {at: f"r{place:0{width}d}" for place, at in labels}
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


def _parts(plan: _Plan, draw: PriorityDraw) -> tuple[DrawnPart, ...]:
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
    plan: _Plan, purpose: str, asked: dict[str, Any], *, budget: int, seed: int
) -> dict[str, str]:
    said = {
        name: value if isinstance(value, str) else exactly(value)
        for name, value in asked.items()
        if name in PURPOSES[purpose] and name not in ("lock", "pilot")
    }
    if "lock" in asked:
        said["lock"] = asked["lock"].rule
        said["cutoff"] = str(asked["lock"].cutoff)
    if "pilot" in asked:
        said["pilot"] = f"{len(asked['pilot'])} items"
    return {
        **plan.outcomes.recipe,
        "sample": purpose,
        **said,
        "budget": str(budget),
        "seed": str(seed),
        "items": str(len(plan.outcomes)),
    }
