"""The verb that chooses a cutoff, and what the choice is worth on other data."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from demur.checks import choice, inner_fraction
from demur.curves.counted_outcomes import CountedOutcomes
from demur.curves.curves import Curve, _silence
from demur.curves.of_outcomes import error_return, not_alone
from demur.decisions import certificates, costs
from demur.decisions.choice_tables import (
    NONE_SO_LOW,
    OF_WHOLES,
    SIMULATED_IS_CERTIFIED,
    WHOLES,
)
from demur.decisions.choices import Choice, choice_at, with_people
from demur.decisions.chosen_points import (
    by_rates,
    certified_choice,
    check_cutoffs,
    joint_choice,
    joint_rule,
    none_found,
    price_of,
    rate_of,
    simulated_choice,
)
from demur.decisions.several_risks import certified_together
from demur.decisions.simulated_bounds import simulated_certificate
from demur.decisions.whole_choices import RULES_OF_WHOLES, choose_wholes
from demur.errors import InputError, shown
from demur.outcomes.labelling import labelled_rows
from demur.outcomes.parts import in_item_order, labelled_in_part, sample_of
from demur.outcomes.table import NO_VALUE, Outcomes, check_outcomes, grouped_parts
from demur.results import exactly
from demur.statistics.correcting import labelled_part
from demur.statistics.correcting_curves import corrected_curve

RULES: Final = (
    *("cost_ratio", "wrong_costs", "confidence_target", "score"),
    *("max_error", "nonreturn", "balance"),
)
"""The rules of `choose`, as its arguments and the options of the command name them."""


def choose(  # noqa: PLR0913  (one argument per rule; exactly one is given)
    outcomes: Outcomes | CountedOutcomes,
    *,
    cost_ratio: float | None = None,
    wrong_costs: float | None = None,
    confidence_target: float | None = None,
    score: str | None = None,
    max_error: float | None = None,
    nonreturn: float | None = None,
    balance: bool = False,
    of: str = "all",
    certainty: float | None = None,
    max_nonreturn: float | None = None,
    each: str | None = None,
    gold: str | None = None,
    bound: str = "certified",
) -> Choice:
    """The cutoff that a rule asks for.

    Ungraded answers count as errors. Exactly one rule is given.

    Parameters
    ----------
    outcomes : Outcomes or CountedOutcomes
        Judged responses of one system, with confidences.
    cost_ratio : float, optional
        Least ``error + cost_ratio * nonreturn``: what a non-return costs, the cost of
        an error being 1. At a tie the least nonreturn. From 1 upwards never decline.
    wrong_costs : float, optional
        The same, said as how many declined items a wrong answer costs as much as:
        ``cost_ratio = 1 / wrong_costs``.
    confidence_target : float, optional
        The same, said as the chance of being right that makes answering worth while:
        ``cost_ratio = 1 - confidence_target``.
    score : str, optional
        The best cutoff by a named score, such as ``"atis-1991"`` or
        ``"reliability-score(c=10)"``: see `demur.linear_score`.
    max_error : float, optional
        The smallest cutoff at which the error is at most this.
    nonreturn : float, optional
        The largest nonreturn that is at most this.
    balance : bool
        Error and missed chance as equal as can be.
    of : {"all", "answered", "wholes", "answered wholes"}
        With ``max_error``: errors over all items, or over answered ones. Where answers
        are made of parts: wholes with a wrong part that is returned, over all wholes,
        or over those of which a part is returned; the cutoff, and the nonreturn, are
        of parts. ``"wholes"`` goes with a cost or a nonreturn, too. Parts of one whole
        may depend on each other in any way; wholes, or clusters of them, are
        independent.
    certainty : float, optional
        With ``max_error``: certify it, so that the chance that the true error is
        greater is at most ``1 - certainty``. None takes the error as observed. With
        clusters, weights or partial credit it is certified by betting, see
        `demur.decisions.certificates.error_bound`.
    max_nonreturn : float, optional
        With a certified error over all items: also promise that no more is declined;
        both hold together with that certainty (Bonferroni).
    each : str, optional
        With a certified error over all items: promise it for each value of this
        column, all together (Bonferroni).
    gold : str, optional
        The column with people's verdicts on a part of the items, as for
        `demur.corrected_error`: the errors are then corrected ones, with a cost, a
        largest error or a nonreturn as the rule. With a certainty people's verdicts
        alone count, since a correction holds about, and a certificate for sure. Without
        ``gold`` verdicts are taken as they stand; where answers are unlabelled, errors
        are estimated from the labelled ones, and a certificate counts each for as many
        as its ``label_weight`` says.
    bound : {"certified", "simulated"}
        With a certainty, for clusters, weights or partial credit: "simulated" takes a
        sharper bound that holds in simulations but is not proven, see
        `demur.decisions.simulated_bounds`; it stands in ``simulated_bound``, and
        nothing is certified. With independent items that are right or wrong both are
        one.

    Returns
    -------
    Choice
        A certificate that is not to be had for any cutoff: ``found`` is False.

    Raises
    ------
    InputError
        If not exactly one rule is given, or a rate is not from 0 to 1.
    UndefinedRate
        If the system gives no confidences.

    References
    ----------
    Artstein (2011), section 5, for the weighted average of errors and non-returns.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     confidence=[0.95, 0.9, 0.9, 0.8, 0.7, 0.7, 0.7, 0.4, 0.3, 0.1],
    ...     correct=[1, 1, 0, 1, 1, 0, 1, 0, 1, 0])
    >>> demur.choose(outcomes, cost_ratio=0.4).cutoff
    0.7
    >>> demur.choose(outcomes, max_error=0.2).nonreturn
    0.3
    >>> demur.choose(outcomes, max_error=0.2, certainty=0.95).cutoff is None
    True
    >>> best = demur.choose(outcomes, score="omniscience-index")
    >>> best.cutoff, round(best.score, 1)
    (0.3, 30.0)
    """
    values = (
        *(cost_ratio, wrong_costs, confidence_target, score),
        *(max_error, nonreturn, balance or None),
    )
    promises: dict[str, Any] = {
        "certainty": certainty,
        "max_nonreturn": max_nonreturn,
        "each": each,
        "bound": bound,
    }
    if isinstance(outcomes, CountedOutcomes):
        return _on_counts(outcomes, values, of, gold, **promises)
    check_outcomes("choose", outcomes)
    choose_of = _of_wholes if of in OF_WHOLES else _of_items
    return choose_of(outcomes, values, of, gold, promises)


def _of_items(
    judged: Outcomes,
    values: Sequence[Any],
    of: str,
    gold: str | None,
    promises: dict[str, Any],
) -> Choice:
    """`choose` where the error is one of rows, each of which counts as an item."""
    certainty, bound = promises["certainty"], promises["bound"]
    also = promises["max_nonreturn"], promises["each"]
    table, notes = judged, list[str]()
    by_people = gold is not None or labelled_in_part(judged)
    if by_people and certainty is not None:
        table, *notes = _by_labels_alone(judged, gold)
    several = also != (None, None)
    rule, value = _checked_rule(values, of, certainty, bound, several=several)
    curve = _curve_of(table)
    if several:
        chosen = _together(table, curve, value, certainty, also)
    elif by_people and certainty is None:
        chosen = _by_corrected(table, curve, gold, (rule, value, of))
    elif certainty is not None:
        chosen = _certified(table, curve, value, of, (certainty, bound))
    else:
        chosen = by_rates(curve, rule, value, of)
    if by_people:
        certified = certainty is not None
        chosen = with_people(chosen, judged, gold, certified=certified)
        chosen = replace(chosen, notes=(*chosen.notes, *notes))
    if rule == "max_error":
        chosen = replace(chosen, target=float(value), certainty=certainty, of=of)
    return replace(chosen, items=judged.item)


def _of_wholes(
    outcomes: Outcomes,
    values: Sequence[Any],
    of: str,
    gold: str | None,
    promises: dict[str, Any],
) -> Choice:
    """`choose` where the error is one of wholes."""
    certainty, bound = promises["certainty"], promises["bound"]
    several = (promises["max_nonreturn"], promises["each"]) != (None, None)
    rule, value = _checked_rule(values, of, certainty, bound, several=several)
    if rule not in RULES_OF_WHOLES:
        need = f"be one of {', '.join(RULES_OF_WHOLES)} with of={shown(of)}"
        raise InputError("choose", "the rule", need, rule)
    if gold is not None:
        need = f"be left out with of={shown(of)}"
        raise InputError("choose", "gold", need, shown(gold))
    chosen = choose_wholes(outcomes, rule, value, of, promises)
    if rule != "max_error":
        return chosen
    return replace(chosen, target=float(value), certainty=certainty)


def _by_labels_alone(outcomes: Outcomes, gold: str | None) -> Sequence[Any]:
    """The outcomes that people have labelled, and notes if any were left out."""
    if gold is not None:
        return (labelled_part("choose", outcomes, gold),)
    return labelled_rows("choose", outcomes)


def _curve_of(outcomes: Outcomes) -> Curve:
    """The curve of the one system there is, if it has one."""
    parts = grouped_parts(outcomes)
    if len(parts) > 1:
        hint = "Choose for each: choose(outcomes.select(system=...), ...)."
        raise not_alone("choose", parts, hint)
    return check_cutoffs(error_return(outcomes))


def _on_counts(
    outcomes: CountedOutcomes,
    values: Sequence[Any],
    of: str,
    gold: str | None,
    **promises: Any,
) -> Choice:
    """`choose` on outcomes that are counted where they lie."""
    from demur.decisions.counted_checks import IN_MEMORY
    from demur.decisions.counted_choices import choose_counted

    column, certainty = promises.pop("each"), promises["certainty"]
    if column in ("system", "setting"):
        need = "be a column of groups within the system"
        raise InputError("choose", "each", need, shown(column))
    several = promises["max_nonreturn"] is not None or column is not None
    bound = promises["bound"]
    rule, value = _checked_rule(values, of, certainty, bound, several=several)
    if gold is not None:
        need = "be left out where outcomes are counted"
        raise InputError("choose", "gold", need, shown(gold), IN_MEMORY)
    counts, part = outcomes.counts(), outcomes.system or 0
    if of in OF_WHOLES:
        need = "be all or answered where outcomes are counted"
        raise InputError("choose", "of", need, shown(of), IN_MEMORY)
    if len(counts.parts) > 1 and (outcomes.system is None or column is not None):
        hint = "Choose for each: demur.count_outcomes(..., where={'system': ...})."
        parts = [(its.system, its.group, its) for its in counts.parts]
        raise not_alone("choose", parts, hint)
    by_column = None if column is None else outcomes.counts((column,))
    whole = rule, value, of
    return choose_counted(counts, part, whole, by_column=by_column, **promises)


def _checked_rule(
    values: Sequence[Any], of: str, certainty: Any, bound: str, *, several: bool
) -> tuple[str, Any]:
    """The one rule that is given, and its value, if what else is asked goes with it."""
    rule, value = _one_rule(dict(zip(RULES, values, strict=True)))
    choice("choose", "of", of, ["all", "answered", *OF_WHOLES])
    _check_promises(rule, of, certainty, bound, several=several)
    return rule, value


def _check_promises(
    rule: str, of: str, certainty: Any, bound: str, *, several: bool
) -> None:
    choice("choose", "bound", bound, ["certified", "simulated"])
    of_each = of in ("all", WHOLES)
    if rule != "max_error" and (certainty is not None or not of_each):
        need = "come with max_error"
        raise InputError("choose", "of and certainty", need, rule)
    if several and (rule != "max_error" or certainty is None or not of_each):
        need = "come with max_error of all items or wholes and a certainty"
        raise InputError("choose", "max_nonreturn and each", need, rule)
    if bound == "simulated" and (certainty is None or several):
        need = "come with a certainty and one promise"
        raise InputError("choose", "bound", need, "several" if several else "none")


def _one_rule(rules: dict[str, Any]) -> tuple[str, Any]:
    """The rule that is given, and its value."""
    given = {name: value for name, value in rules.items() if value is not None}
    if len(given) != 1:
        need = f"name exactly one of {', '.join(rules)}"
        raise InputError("choose", "the rule", need, " and ".join(given) or "none")
    return given.popitem()


_CORRECTED: Final = (
    *("cost_ratio", "wrong_costs", "confidence_target", "max_error", "nonreturn"),
)


def _by_corrected(
    outcomes: Outcomes, curve: Curve, gold: str | None, asked: tuple[str, Any, str]
) -> Choice:
    """The cutoff that a rule asks for, by errors corrected for a noisy judge."""
    rule, value, of = asked
    if rule not in _CORRECTED:
        where = "with gold" if gold else "where answers are unlabelled"
        need = f"be one of {', '.join(_CORRECTED)} {where}"
        raise InputError("choose", "the rule", need, rule)
    if rule == "nonreturn":
        return by_rates(curve, rule, value)
    people = corrected_curve(outcomes, gold)
    nonreturn, error = np.append(people.nonreturn, 1.0), np.append(people.error, 0.0)
    words = f"{rule}={exactly(value)}"
    ratio: float | None = None
    if rule == "max_error":
        words += f" of {of}, as corrected"
        target = float(rate_of(rule, value))
        position = costs.low_corrected(nonreturn, error, target, of=of)
        if position == len(people.error):
            return none_found(curve, words, f"{NONE_SO_LOW}, as corrected")
    else:
        ratio = float(price_of(rule, value))
        position = costs.least_corrected(nonreturn, error, ratio)
    silent = position == len(people.error)
    point = _silence(curve) if silent else curve.at(cutoff=people.cutoff[position])
    return replace(choice_at(curve, point, words), cost_ratio=ratio)


def _together(
    outcomes: Outcomes,
    curve: Curve,
    max_error: Any,
    certainty: Any,
    also: tuple[Any, str | None],
) -> Choice:
    """The cutoff of several promises, `several_risks.certified_together`."""
    target = rate_of("max_error", max_error)
    inner_fraction("choose", "certainty", certainty)
    certainty = float(certainty)
    limit, column = also
    limit = None if limit is None else rate_of("max_nonreturn", limit)
    ordered = in_item_order(outcomes)
    whole, samples = sample_of(ordered), {"error of all": sample_of(ordered)}
    if column is not None:
        samples = {
            f"error of all, {column} = {NO_VALUE if name is None else name}": sample_of(
                part
            )
            for (name,), part in ordered.parts([column])
        }
    joint = certified_together(
        samples, whole, target=target, certainty=certainty, max_nonreturn=limit
    )
    rule = joint_rule(len(joint.risks), target, certainty, column, limit)
    sized = whole.cluster is not None or whole.weight is not None
    return joint_choice(curve, joint, rule, sized=sized, limited=limit is not None)


def _certified(
    outcomes: Outcomes, curve: Curve, max_error: Any, of: str, how: tuple[Any, str]
) -> Choice:
    certainty, kind = how
    target = rate_of("max_error", max_error)
    inner_fraction("choose", "certainty", certainty)
    certainty = float(certainty)
    rule = f"max_error={exactly(target)} of {of}, certainty {exactly(certainty)}"
    sample = sample_of(outcomes)
    exact = certificates.exact(sample)
    if not exact:
        sample = sample_of(in_item_order(outcomes))
    sized = sample.cluster is not None or sample.weight is not None
    if kind == "simulated" and not exact:
        lowest = simulated_certificate(sample, target, certainty, of=of)
        return simulated_choice(curve, lowest, rule, sized=sized)
    certify = certificates.certified if of == "all" else certificates.certified_answered
    certificate = certify(sample, target, certainty)
    also = (SIMULATED_IS_CERTIFIED,) if kind == "simulated" else ()
    return certified_choice(curve, certificate, rule, (of, sized), also)
