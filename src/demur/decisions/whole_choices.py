"""The cutoff on parts that a rule asks for, where answers are made of parts."""

from dataclasses import replace
from typing import Any, Final

from demur import checks
from demur.curves.curves import vertex_at
from demur.curves.of_outcomes import not_alone
from demur.curves.rates import Point
from demur.decisions import costs
from demur.decisions.choice_tables import (
    ANSWERED_WHOLES,
    NONE_SO_LOW,
    OF_NOTHING,
    SIMULATED_IS_CERTIFIED,
    SIMULATED_SIZES,
    WHOLES,
)
from demur.decisions.choices import Choice, whole_choice_at
from demur.decisions.chosen_points import (
    certified_notes,
    check_cutoffs,
    joint_rule,
    price_of,
    rate_of,
)
from demur.decisions.several_risks import together
from demur.decisions.whole_certificates import WholeTests, whole_ladder
from demur.errors import InputError, UndefinedRate
from demur.outcomes.labelling import check_verdicts
from demur.outcomes.parts import in_item_order, sample_of
from demur.outcomes.table import NO_VALUE, Outcomes, grouped_parts
from demur.results import exactly
from demur.wholes.counting_wholes import whole_curve
from demur.wholes.numbering import alike, check_parts, whole_numbers
from demur.wholes.whole_curves import WholeCurve
from demur.wholes.wholes_at_cutoffs import whole_outcomes

RULES_OF_WHOLES: Final = ("max_error", "cost_ratio", "wrong_costs", "nonreturn")
"""The rules of `demur.choose` that can be of wholes."""

_BY_KIND: Final = (
    "A promise for each is one of wholes, so all parts of a whole must agree on it. A "
    "cutoff for each kind of part comes by --kinds {}, in Python choose_by_kind."
)
"""What to do where parts of a whole are of several kinds."""
_UNLABELLED: Final = "Keep the wholes whose parts all have a verdict."


def choose_wholes(
    outcomes: Outcomes, rule: str, value: Any, of: str, promises: dict[str, Any]
) -> Choice:
    """The cutoff on parts by an error of wholes.

    Parameters
    ----------
    outcomes : Outcomes
        Parts of one system.
    rule, value
        As `demur.choose` has them.
    of : {"wholes", "answered wholes"}
        What the error is a share of.
    promises : dict
        The arguments ``certainty``, ``bound``, ``max_nonreturn`` and ``each``.

    Returns
    -------
    Choice
    """
    check_parts("choose", outcomes)
    check_verdicts("choose", _UNLABELLED, outcomes)
    pieces = grouped_parts(outcomes)
    if len(pieces) > 1:
        hint = "Choose for each: choose(outcomes.select(system=...), ...)."
        raise not_alone("choose", pieces, hint)
    curve = whole_curve(outcomes)
    check_cutoffs(curve.scaled)
    certainty = promises["certainty"]
    if certainty is None:
        chosen = _as_observed(curve, rule, value, of)
    else:
        checks.inner_fraction("choose", "certainty", certainty)
        target = rate_of("max_error", value)
        if promises["max_nonreturn"] is None and promises["each"] is None:
            chosen = _certified(outcomes, curve, target, of, promises)
        else:
            chosen = _together(outcomes, curve, target, promises)
    first = whole_numbers(outcomes)[1]
    broke = int(outcomes.failed.sum()), len(outcomes)
    return replace(chosen, items=outcomes.item[first], failures=broke)


def _as_observed(curve: WholeCurve, rule: str, value: Any, of: str) -> Choice:
    """The choice by what was seen, without a promise."""
    scaled, words = curve.scaled, f"{rule}={exactly(value)} of {of}, as observed"
    ladder, total = scaled._ladder_for("choose"), scaled.totals
    if rule == "nonreturn":
        point = scaled.at(nonreturn=value, how="at_most")
        if point.error is None:
            why = f"no cutoff withholds at most {float(value):g} of the parts; "
            why += f"{scaled.start:g} of them have no guess."
            raise UndefinedRate(why, where="choose")
        return whole_choice_at(curve, point, f"{rule}={exactly(value)} of parts", of)
    if rule != "max_error":
        ratio = price_of(rule, value)
        cheapest = costs.cheapest(ladder, total, ratio)
        chosen = _at(curve, cheapest, f"{rule}={exactly(value)} of {of}", of)
        return replace(chosen, cost_ratio=float(ratio))
    target = rate_of(rule, value)
    position: int | None
    if of == WHOLES:
        position = costs.low_error(ladder, total, target)
    else:
        of_wholes = whole_ladder(curve.parts, weighted=True)
        given = of_wholes.answered(0).item()
        sums = replace(total, weight=given, no_guess=0)
        position = costs.low_error_answered(of_wholes, sums, target)
    if position is None:
        return _none_found(curve, words, of, NONE_SO_LOW)
    return _at(curve, position, words, of)


def _at(curve: WholeCurve, position: int, rule: str, of: str) -> Choice:
    return whole_choice_at(curve, vertex_at(curve.scaled, position), rule, of)


def _none_found(curve: WholeCurve, rule: str, of: str, why: str) -> Choice:
    silent = whole_choice_at(curve, _silence(curve), rule, of)
    return replace(silent, found=False, why=why, notes=(OF_NOTHING, *curve.notes))


def _silence(curve: WholeCurve) -> Point:
    return curve.scaled.at(nonreturn=1)


# -- certificates ------------------------------------------------------------------


def whole_tests(outcomes: Outcomes) -> WholeTests:
    """The wholes of one system as tests take them."""
    tests = _in_given_order(outcomes)
    if tests.exact:
        return tests
    # Sums over wholes and clusters do not hang on the order of the rows.
    return _in_given_order(in_item_order(outcomes))


def _in_given_order(outcomes: Outcomes) -> WholeTests:
    cluster = sample_of(whole_outcomes(outcomes)).cluster
    return WholeTests(whole_curve(outcomes).parts, cluster)


def _certified(
    outcomes: Outcomes,
    curve: WholeCurve,
    target: Any,
    of: str,
    promises: dict[str, Any],
) -> Choice:
    certainty, simulated = (
        float(promises["certainty"]),
        promises["bound"] == "simulated",
    )
    tests = whole_tests(outcomes)
    certificate = tests.certified(of, target, certainty, simulated=simulated)
    rule = f"max_error={exactly(target)} of {of}, certainty {exactly(certainty)}"
    rule = f"{rule}, {certificate.method}"
    simulated = simulated and not tests.exact
    if certificate.position is None:
        none = _none_found(curve, rule, of, certificate.why)
        return replace(none, simulated=simulated)
    chosen = _at(curve, certificate.position, rule, of)
    if simulated:
        return replace(
            chosen,
            simulated=True,
            simulated_bound=certificate.bound,
            notes=(*curve.notes, SIMULATED_SIZES),
        )
    also = (SIMULATED_IS_CERTIFIED,) if promises["bound"] == "simulated" else ()
    notes = certified_notes(sized=tests.sized, may_fail=of == ANSWERED_WHOLES)
    return replace(chosen, bound=certificate.bound, notes=(*curve.notes, *also, *notes))


def _together(
    outcomes: Outcomes, curve: WholeCurve, target: Any, promises: dict[str, Any]
) -> Choice:
    """The cutoff of several promises, all of which hold together."""
    certainty, column = float(promises["certainty"]), promises["each"]
    limit = promises["max_nonreturn"]
    limit = None if limit is None else rate_of("max_nonreturn", limit)
    every = whole_tests(outcomes)
    tested = {"error of wholes": every}
    if column is not None:
        whole, first = whole_numbers(outcomes)
        try:
            alike("choose", outcomes, column, outcomes.column(column), whole, first)
        except InputError as error:
            raise error.with_hint(_BY_KIND.format(column)) from None
        tested = {
            f"error of wholes, {column} = {NO_VALUE if name is None else name}": (
                whole_tests(part)
            )
            for (name,), part in outcomes.parts([column])
        }
    joint = together(
        tested, every, target=target, certainty=certainty, max_nonreturn=limit
    )
    rule = joint_rule(len(joint.risks), target, certainty, column, limit)
    rule = rule.replace("of all", "of wholes")
    if joint.why:
        none = _none_found(curve, rule, WHOLES, joint.why)
        return replace(none, risks=joint.risks)
    point = _silence(curve)
    if joint.cutoff is not None:
        point = curve.scaled.at(cutoff=joint.cutoff)
    # Parts withheld are bounded over wholes or clusters of given sizes.
    sized = every.sized or (limit is not None and every.of_parts.cluster is not None)
    return replace(
        whole_choice_at(curve, point, rule, WHOLES),
        bound=max(risk.bound for risk in joint.risks if risk.what != "nonreturn"),
        risks=joint.risks,
        notes=(*curve.notes, *certified_notes(sized=sized, may_fail=limit is not None)),
    )
