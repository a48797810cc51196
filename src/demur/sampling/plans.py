"""What each purpose draws from, how much each label tells, and what is assumed."""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from demur.arrays import Flags, Floats, answered_at, rank
from demur.checks import choice
from demur.decisions.choice_tables import WHOLES
from demur.decisions.choosing import choose
from demur.decisions.locks import Lock
from demur.errors import InputError, shown
from demur.outcomes.columns import Column
from demur.outcomes.fields import OUTCOMES, RIGHT, UNANSWERED, UNGRADED, WRONG
from demur.outcomes.parts import check_one_system, check_rows, confidences_of, sample_of
from demur.outcomes.table import Outcomes
from demur.outcomes.verdict_words import LOSSES, word_of
from demur.sampling.aims import (
    Aim,
    compare_aim,
    cutoff_aim,
    errors_by_pilot,
    falling_errors,
    judge_aim,
    mid_ranks,
    mistakes_of_judge,
    recheck_aim,
)
from demur.sampling.judged_pairs import JudgedPair, judged_pair
from demur.sampling.label_units import LabelUnits, label_units
from demur.statistics.quantities import answered_shares
from demur.wholes.wholes_at_cutoffs import least_sure_wholes

LEVEL: Final = 0.95


@dataclass(frozen=True, eq=False)
class DrawPlan:
    """What is to be drawn from, and how much each unit matters."""

    outcomes: Outcomes
    units: LabelUnits
    aim: Aim
    of: str
    level: float = LEVEL
    known: Flags | None = None
    notes: tuple[str, ...] = ()
    pair: JudgedPair | None = None


# -- what each purpose draws from ------------------------------------------------------


def _for_recheck(outcomes: Outcomes, asked: dict[str, Any]) -> DrawPlan:
    lock: Lock = asked["lock"]
    if len(outcomes.systems) > 1:
        outcomes = outcomes.select(system=lock.system)
    check_one_system("sample", outcomes)
    guess = outcomes.outcome != UNANSWERED
    confidence = confidences_of("sample", outcomes, guess)
    answered = answered_at(confidence, guess, lock.cutoff)
    known = _known(outcomes, guess)
    units = label_units(outcomes, answered & ~known)
    if lock.wholes is not None:
        return _of_wholes(outcomes, units, answered, known, asked)
    share = answered.mean() if lock.of == "all" else 1.0
    rows = _rows_of(units)
    ranks = _ranks(confidence, answered & ~known)[rows]
    if "pilot" in asked:
        pilot, system = asked["pilot"], outcomes.systems[0]
        error, assumed = _expected(pilot, system, confidence[rows])
    else:
        answers = lock.items - lock.declined
        seen = (lock.wrong + 0.5) / (answers + 1)
        error = falling_errors(ranks, seen)
        assumed = (
            f"an error of {seen:.3f} among the answered, as when the cutoff was "
            "locked, falling as confidences rise"
        )
    aim = recheck_aim(ranks, error, float(share), assumed)
    aim = _over_units(aim, units)
    of = "the error of all items" if lock.of == "all" else "the error of the answered"
    return DrawPlan(outcomes, units, aim, of, level=lock.certainty, known=known)


def _of_wholes(
    outcomes: Outcomes,
    units: LabelUnits,
    answered: Flags,
    known: Flags,
    asked: dict[str, Any],
) -> DrawPlan:
    """Wholes are drawn, and all parts of theirs that the cutoff returns labelled.

    A whole is expected to err the more often, the less sure its least sure part is.
    """
    lock: Lock = asked["lock"]
    least = np.full(len(units.keys), np.inf)
    sure = confidences_of("sample", outcomes, outcomes.outcome != UNANSWERED)
    np.minimum.at(least, units.unit[answered], sure[answered].astype(float))
    least = least[units.needed]
    if "pilot" in asked:
        pilot = _of_system(asked["pilot"], outcomes.systems[0])
        error, assumed = _expected(
            least_sure_wholes("sample", pilot, lock.cutoff), "", least
        )
    else:
        seen = (lock.wrong + 0.5) / ((lock.answered_wholes or 0) + 1)
        error = falling_errors(mid_ranks(least), seen)
        assumed = (
            f"a wrong part in {seen:.3f} of the wholes of which one is returned, as "
            "when the cutoff was locked, less often the surer their parts are"
        )
    share = units.any_of(answered).mean() if lock.of == WHOLES else 1.0
    aim = recheck_aim(mid_ranks(least), error, float(share), assumed)
    of = f"the error of {'all' if lock.of == WHOLES else 'the answered'} wholes"
    aim = _over_units(aim, units)
    return DrawPlan(outcomes, units, aim, of, level=lock.certainty, known=known)


def _for_cutoff(outcomes: Outcomes, asked: dict[str, Any]) -> DrawPlan:
    check_one_system("sample", outcomes)
    guess = outcomes.outcome != UNANSWERED
    confidence = confidences_of("sample", outcomes, guess)
    known = _known(outcomes, guess)
    units = label_units(outcomes, guess & ~known)
    rows = _rows_of(units)
    silent = float((~guess).mean())
    ranks = _ranks(confidence, guess & ~known)[rows]
    system = outcomes.systems[0]
    if "pilot" in asked:
        error, assumed = _expected(asked["pilot"], system, confidence[rows])
    else:
        error = falling_errors(ranks, 0.25)
        assumed = "errors that fall from a half to none as confidences rise"
    near = asked.get("near", 0.5)
    rule = {name: asked[name] for name in ("max_error", "cost_ratio") if name in asked}
    if rule:
        chosen = choose(_of_system(asked["pilot"], system), **rule)
        near = float(1 - answered_at(confidence, guess, chosen.cutoff).mean())
    nonreturn = silent + (1 - silent) * ranks
    aim = cutoff_aim(nonreturn, error, near, len(outcomes), assumed)
    of = "the error near the cutoff"
    return DrawPlan(outcomes, units, _over_units(aim, units), of, known=known)


def _for_compare(outcomes: Outcomes, asked: dict[str, Any]) -> DrawPlan:
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
    errors = np.full((2, len(units.keys)), np.nan)
    assumed = "that one alone errs in half of the items that they differ on"
    if "pilot" in asked:
        errors[:] = 0.0
        for error, part, name in zip(errors, parts, outcomes.systems, strict=True):
            given = part & returned
            sure = confidences_of("sample", outcomes, given)[given]
            error[units.unit[given]], assumed = _expected(asked["pilot"], name, sure)
    aim = compare_aim(kind, (errors[0], errors[1]), units.cost, assumed)
    notes = _compare_notes(asked, kind)
    of = "the difference of errors"
    return DrawPlan(outcomes, units, aim, of, known=known, notes=notes)


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


def _for_judge(outcomes: Outcomes, asked: dict[str, Any]) -> DrawPlan:
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
    mistakes = {**mistakes, "unanswered": 0.0}
    aim = judge_aim(part, unsure, mistakes, assumed)
    pair = judged_pair(outcomes, units, mistakes, LEVEL)
    return DrawPlan(outcomes, units, aim, "the corrected error", pair=pair)


PLANS: Final = {
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
        error=None if aim.error is None else whole(aim.error, 0.0),
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


def _expected(pilot: Outcomes, system: str, confidence: Floats) -> tuple[Floats, str]:
    """Errors that a pilot lets expect, and what is said of that."""
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
