"""Cutoffs chosen on outcomes that are counted where they lie, the same as on rows."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from demur.arrays import Numbers
from demur.checks import inner_fraction
from demur.curves.blocks import Blocks
from demur.curves.counted import Counts, settle
from demur.curves.counting import Totals
from demur.curves.curves import Curve
from demur.curves.of_outcomes import counted_curve
from demur.decisions.choice_tables import SIMULATED_IS_CERTIFIED
from demur.decisions.choices import Choice
from demur.decisions.chosen_points import (
    by_rates,
    certified_choice,
    check_cutoffs,
    joint_choice,
    joint_rule,
    pick_of,
    rate_of,
    simulated_choice,
)
from demur.decisions.counted_bets import by_bets, sized
from demur.decisions.counted_certificates import (
    CountedTests,
    counted_certificate,
    counted_simulation,
)
from demur.decisions.counted_checks import check_labelled, check_tested
from demur.decisions.several_risks import Joint, together
from demur.errors import InputError, shown
from demur.outcomes.table import part_name
from demur.results import exactly


def part_named(where: str, counts: Counts, name: str) -> int:
    """The number of the part of a system.

    Raises
    ------
    InputError
        If there is none, or several, that are called so.
    """
    names = [part_name(its.system, its.group) for its in counts.parts]
    systems = [its.system for its in counts.parts]
    for listed in (names, systems):
        if listed.count(name) == 1:
            return listed.index(name)
    need = f"hold the system {shown(name)} in one setting"
    raise InputError(where, "the outcomes", need, ", ".join(names[:5]))


def choose_counted(
    counts: Counts,
    part: int,
    rule: tuple[str, Any, str],
    *,
    certainty: float | None = None,
    max_nonreturn: float | None = None,
    by_column: Counts | None = None,
    bound: str = "certified",
) -> Choice:
    """The cutoff that a rule asks for, as `demur.choose` has it.

    Parameters
    ----------
    counts : Counts
        Whose blocks become finer where the rule looks.
    part : int
        Which part of it.
    rule : tuple (name, value, of)
        As arguments of `demur.choose`, checked.
    certainty, max_nonreturn, bound
        As for `demur.choose`, checked.
    by_column : Counts, optional
        The same outcomes by the column whose values each have a promise.
    """
    name, value, of = rule
    its = counts.parts[part]
    if not its.confident or its.totals.unanswered == its.totals.items:
        _curve(counts, part)  # says why there is no cutoff
    check_labelled("choose", counts, part, "a cutoff")
    target = rate_of(name, value) if name == "max_error" else None
    if certainty is None or target is None:
        _settle(counts, part, rule)
        chosen = by_rates(_curve(counts, part), name, value, of)
    else:
        asked = target, float(inner_fraction("choose", "certainty", certainty)), of
        promised = max_nonreturn, by_column, bound
        chosen = _certified(counts, part, asked, promised)
    if target is None:
        return chosen
    return replace(chosen, target=float(target), certainty=certainty, of=of)


def _certified(
    counts: Counts,
    part: int,
    asked: tuple[Fraction, float, str],
    promised: tuple[Any, Counts | None, str],
) -> Choice:
    """The choice of one certified error, or of several promises."""
    target, certainty, of = asked
    max_nonreturn, by_column, bound = promised
    check_tested("choose", counts, part)
    sizes = sized(counts, part)
    if max_nonreturn is not None or by_column is not None:
        limits = target, certainty, max_nonreturn
        joint, rule = _together(counts, part, limits, by_column)
        curve, limited = _curve(counts, part), max_nonreturn is not None
        return joint_choice(curve, joint, rule, sized=sizes, limited=limited)
    rule = f"max_error={exactly(target)} of {of}, certainty {exactly(certainty)}"
    if bound == "simulated" and by_bets(counts, part):
        lowest = counted_simulation(counts, part, target, certainty, of=of)
        return simulated_choice(_curve(counts, part), lowest, rule, sized=sizes)
    certificate = counted_certificate(counts, part, target, certainty, of=of)
    also = (SIMULATED_IS_CERTIFIED,) if bound == "simulated" else ()
    curve = _curve(counts, part)
    return certified_choice(curve, certificate, rule, (of, sizes), also)


def _curve(counts: Counts, part: int) -> Curve:
    """The curve of a part as its blocks are now, if it has one."""
    return check_cutoffs(counted_curve(counts, part))


def _settle(counts: Counts, part: int, rule: tuple[str, Any, str]) -> None:
    """Count again the blocks inside of which a rule may take its cutoff."""
    name, value, of = rule
    total = counts.parts[part].totals
    if name == "nonreturn":
        return  # a look-up, which the curve itself makes exact
    if name == "balance":
        _settle_balance(counts, part, total)
        return
    pick = pick_of(name, value, of)
    settle(
        counts,
        part,
        lambda blocks: pick(blocks.ladder(), total, _declined(blocks, total)),
    )


def _settle_balance(counts: Counts, part: int, total: Totals) -> None:
    """Error less missed chance falls with the weight withheld, and with that alone."""
    equal = total.weight - total.no_guess - total.credit
    while True:
        weight = counts.blocks(part).of("weight")
        below = weight.cumsum() - weight
        place = int(np.searchsorted(below, equal, "right")) - 1
        if not counts.refine({part: (place, place + 1)}):
            return


def _declined(blocks: Blocks, total: Totals) -> Numbers:
    """Weight of unanswerable items not answered at each position."""
    below = np.concatenate(([0], blocks.of("hopeless").cumsum()))
    declined: Numbers = total.no_guess_unanswerable + below
    return declined


def _together(
    counts: Counts,
    part: int,
    limits: tuple[Fraction, float, Any],
    by_column: Counts | None,
) -> tuple[Joint, str]:
    """A cutoff that keeps several promises, and how they were asked for."""
    target, certainty, limit = limits
    limit = None if limit is None else rate_of("max_nonreturn", limit)
    tested, column = {"error of all": CountedTests(counts, part)}, None
    if by_column is not None:
        column = by_column.by[0]
        tested = {}
        for place, its in enumerate(by_column.parts):
            check_tested("choose", by_column, place)
            what = f"error of all, {column} = {its.group[column]}"
            tested[what] = CountedTests(by_column, place)
    joint = together(
        tested,
        CountedTests(counts, part),
        target=target,
        certainty=certainty,
        max_nonreturn=limit,
    )
    return joint, joint_rule(len(joint.risks), target, certainty, column, limit)
