"""The point of a curve that a rule takes, and the choice that is made of it.

Nothing here knows where a curve comes from: rows in memory, or counts of an engine.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

import numpy as np

from demur.arrays import Numbers
from demur.checks import decimal_fraction
from demur.curves.counting import Ladder, Totals
from demur.curves.curves import Curve, _silence, vertex_at
from demur.decisions import costs
from demur.decisions.certificates import GIVEN_SIZES
from demur.decisions.choice_tables import (
    BY_PARTIAL_CREDIT,
    NEVER_DECLINES,
    NONE_SO_LOW,
    OF_NOTHING,
    OVER_ALL_SAMPLES,
    SIMULATED_SIZES,
)
from demur.decisions.choices import (
    Choice,
    choice_at,
    declined_weight,
    with_score,
)
from demur.decisions.exact_certificates import Certificate
from demur.decisions.linear_scores import linear_score
from demur.decisions.several_risks import METHOD, Joint
from demur.errors import InputError, UndefinedRate, shown
from demur.results import exactly

Pick = Callable[[Ladder, Totals, Numbers], int | None]
"""From a ladder, sums over all items, and the weight of the unanswerable items that are
not answered at each vertex, to a position; None if no cutoff has what is asked for."""


def pick_of(rule: str, value: Any, of: str = "all") -> Pick:
    """What takes the position of a rule other than a nonreturn.

    Parameters
    ----------
    rule : str
        Its name, as an argument of `demur.choose`.
    value : any
        Its value.
    of : {"all", "answered"}
        What a largest error is a share of.
    """
    if rule == "balance":
        return lambda ladder, total, _: costs.balance(ladder, total)
    if rule == "score":
        named = linear_score(value)
        return lambda ladder, total, declined: costs.greatest_score(
            ladder, total, named.exact_penalty, declined * int(named.credits_declines)
        )
    if rule == "max_error":
        target = rate_of(rule, value)
        low = costs.low_error if of == "all" else costs.low_error_answered
        return lambda ladder, total, _: low(ladder, total, target)
    ratio = price_of(rule, value)
    return lambda ladder, total, _: costs.least_cost(ladder, total, ratio)


def check_cutoffs(curve: Curve) -> Curve:
    """The curve itself; `UndefinedRate` if there is no cutoff to choose."""
    if curve.ladder is not None:
        return curve
    why = "gives no confidences, so there is no cutoff to choose."
    why += " Compare its operating point with others'."
    if curve.gave_nothing:
        why = f"answered nothing: {curve.failed} of {curve.items} requests failed."
    raise UndefinedRate(f"{curve.system or 'the system'} {why}", where="choose")


def by_rates(curve: Curve, rule: str, value: Any, of: str = "all") -> Choice:
    """The choice by a rule that looks at rates as observed.

    Parameters
    ----------
    curve : Curve
        Of one system with confidences.
    rule, value, of
        As for `pick_of`; also a nonreturn.
    """
    if rule == "nonreturn":
        return _by_nonreturn(curve, value)
    ladder, declined = curve._ladder_for("choose"), np.zeros(1, np.int64)
    named = linear_score(value) if rule == "score" else None
    if named is not None and named.credits_declines:
        declined = declined_weight(curve, curve.cutoff[:-1])
    pick = pick_of(rule, value, of)
    words = rule if rule in ("balance", "score") else f"{rule}={exactly(value)}"
    if rule == "max_error":
        words += f" of {of}, as observed"
    position = pick(ladder, curve.totals, declined)
    if position is None:
        return none_found(curve, words, NONE_SO_LOW)
    point = vertex_at(curve, position)
    if named is not None:
        chosen = choice_at(curve, point, f"score={named.name}")
        never = named.penalty <= 0
        chosen = with_score(chosen, curve, point, named)
    elif rule in ("balance", "max_error"):
        return choice_at(curve, point, words)
    else:
        ratio = price_of(rule, value)
        chosen = replace(choice_at(curve, point, words), cost_ratio=float(ratio))
        never = ratio >= 1 and rule != "confidence_target"
    return replace(chosen, notes=(*chosen.notes, NEVER_DECLINES)) if never else chosen


def _by_nonreturn(curve: Curve, value: Any) -> Choice:
    point = curve.at(nonreturn=value, how="at_most")
    if point.error is None:
        raise UndefinedRate(
            f"no cutoff of {curve.system or 'the system'} has nonreturn <= "
            f"{float(value):g}; its curve starts at {curve.start:g}, the share of "
            "items without a guess.",
            where="choose",
        )
    return choice_at(curve, point, f"nonreturn={exactly(value)}")


def none_found(curve: Curve, rule: str, why: str) -> Choice:
    """The choice of silence, because no cutoff is as it should be."""
    chosen = choice_at(curve, _silence(curve), rule)
    notes = (OF_NOTHING, *chosen.notes[1:])
    return replace(chosen, found=False, why=why, notes=notes)


# -- certificates ------------------------------------------------------------------


def certified_choice(
    curve: Curve,
    certificate: Certificate,
    rule: str,
    whose: tuple[str, bool],
    also: tuple[str, ...] = (),
) -> Choice:
    """The choice of a certified cutoff, or of none.

    Parameters
    ----------
    curve : Curve
        On whose ladder the certificate has its position.
    certificate : Certificate
        What was found.
    rule : str
        How it was asked for.
    whose : tuple (of, sized)
        What the error is a share of; whether it holds for clusters or weights of given
        sizes.
    also : tuple of str
        What is to be said besides.
    """
    of, sized = whose
    rule = f"{rule}, {certificate.method}"
    if not sized and " of bets " in certificate.method:
        also = (*also, BY_PARTIAL_CREDIT)
    if certificate.position is None:
        none = none_found(curve, rule, certificate.why)
        return replace(none, notes=(*none.notes, *also))
    notes = certified_notes(sized=sized, may_fail=of == "answered")
    return replace(
        choice_at(curve, vertex_at(curve, certificate.position), rule),
        bound=certificate.bound,
        notes=(*curve.notes, *also, *notes),
    )


def simulated_choice(
    curve: Curve, lowest: Certificate, rule: str, *, sized: bool
) -> Choice:
    """The choice by the simulated bound, of which nothing is certified.

    Parameters are those of `certified_choice`.
    """
    rule = f"{rule}, {lowest.method}"
    if lowest.position is None:
        return replace(none_found(curve, rule, lowest.why), simulated=True)
    return replace(
        choice_at(curve, vertex_at(curve, lowest.position), rule),
        simulated=True,
        simulated_bound=lowest.bound,
        notes=(*curve.notes, *((SIMULATED_SIZES,) if sized else ())),
    )


def joint_choice(
    curve: Curve, joint: Joint, rule: str, *, sized: bool, limited: bool
) -> Choice:
    """The choice of a cutoff that keeps several promises, or of none.

    Parameters are those of `certified_choice`; with ``limited`` the nonreturn is one
    of the promises, which silence does not keep.
    """
    if joint.why:
        return replace(none_found(curve, rule, joint.why), risks=joint.risks)
    point = _silence(curve) if joint.cutoff is None else curve.at(cutoff=joint.cutoff)
    bound = max(risk.bound for risk in joint.risks if risk.what != "nonreturn")
    notes = certified_notes(sized=sized, may_fail=limited)
    return replace(
        choice_at(curve, point, rule),
        bound=bound,
        risks=joint.risks,
        notes=(*curve.notes, *notes),
    )


def joint_rule(
    n_risks: int,
    target: Fraction,
    certainty: float,
    column: str | None,
    limit: Fraction | None,
) -> str:
    """How several promises were asked for."""
    rule = f"max_error={exactly(target)} of all"
    rule += "" if column is None else f" for each {column}"
    rule += "" if limit is None else f", max_nonreturn={exactly(limit)}"
    return f"{rule}, certainty {exactly(certainty)} of {n_risks} risks, {METHOD}"


def certified_notes(*, sized: bool, may_fail: bool) -> tuple[str, ...]:
    """What must be said of a certificate, which silence may not have either."""
    sizes = (GIVEN_SIZES,) if sized else ()
    return (*sizes, *((OVER_ALL_SAMPLES,) if may_fail else ()))


# -- values of rules ---------------------------------------------------------------


def price_of(rule: str, value: Any) -> Fraction:
    """The cost of a non-return over that of an error."""
    if rule == "confidence_target":
        return 1 - rate_of(rule, value)
    return _ratio(rule, value)


def rate_of(name: str, value: Any) -> Fraction:
    """A rate from 0 to 1, read as its decimal."""
    return decimal_fraction("choose", name, value)


_LEAST: Final = Fraction(1, 10**300)
"""Of ratios, which are floats in the end."""


def _ratio(rule: str, value: Any) -> Fraction:
    try:
        ratio = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        ratio = Fraction(-1)
    above = rule == "wrong_costs"
    sound = _LEAST <= ratio <= 1 / _LEAST or (not ratio and not above)
    if not sound or isinstance(value, bool):
        need = "be a number above 0" if above else "be a number from 0 upwards"
        raise InputError("choose", rule, need, shown(value))
    return 1 / ratio if above else ratio
