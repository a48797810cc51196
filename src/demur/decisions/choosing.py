"""The verb that chooses a cutoff, and what the choice is worth on other data."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final

import numpy as np

from demur.arrays import Numbers
from demur.checks import choice, decimal_fraction
from demur.curves import counting
from demur.curves.curves import Curve, _silence, vertex_at
from demur.curves.of_outcomes import error_return
from demur.curves.rates import Point
from demur.decisions import certificates, costs
from demur.decisions.certificates import GIVEN_SIZES
from demur.decisions.choice_tables import SAME_DATA, choices_table
from demur.decisions.linear_scores import LinearScore, linear_score
from demur.decisions.several_risks import METHOD, Risk, certified_together
from demur.errors import InputError, UndefinedRate, shown
from demur.outcomes.parts import NO_VALUE, in_item_order, sample_of
from demur.outcomes.table import Outcomes, check_outcomes
from demur.results import Result, signature_of


@dataclass(frozen=True, repr=False)
class Choice(Result):
    """A cutoff, and what it costs on the data it was chosen on.

    Parameters
    ----------
    system : str
        Whose cutoff it is.
    rule : str
        How it was chosen, such as ``"max_error=0.05 of all, certainty 0.95"``.
    cutoff : float or None
        Answer every guess with at least this confidence; None is never answer.
    nonreturn, error, missed : float
        Rates over all items at the cutoff; the error counts ungraded answers.
    error_answered : float or None
        Loss of the answered items / answered items; None if nothing is answered.
    bound : float or None
        Upper bound of the certified error; None if none was asked for or found.
    found : bool
        False if no cutoff could be certified (the cutoff is then None).
    target, certainty : float or None
        The error that was asked for, and how surely; None if it was not.
    of : str
        What the target is a share of: "all" items or "answered" ones.
    risks : tuple of Risk
        What is promised together, if it is more than one thing.
    notes : tuple of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    score : float or None
        The named score at the cutoff, if it was chosen by one; ungraded answers count
        as wrong.
    items : array, shape (n_rows,), or None
        The items it was chosen on, so that `on` sees whether others are judged.
    """

    system: str
    rule: str
    cutoff: float | None
    nonreturn: float
    error: float
    missed: float
    error_answered: float | None
    bound: float | None = None
    found: bool = True
    target: float | None = None
    certainty: float | None = None
    of: str = "all"
    risks: tuple[Risk, ...] = ()
    notes: tuple[str, ...] = (SAME_DATA,)
    recipe: dict[str, str] = field(default_factory=dict)
    score: float | None = None
    scored: LinearScore | None = field(default=None, repr=False)
    items: Any = field(default=None, repr=False, compare=False)

    @property
    def answered(self) -> float:
        """Answered items / all items."""
        return 1 - self.nonreturn

    @property
    def signature(self) -> str:
        """The recipe of the choice, one line."""
        return signature_of({**self.recipe, "choose": self.rule})

    def __str__(self) -> str:
        return choices_table([self])

    def on(self, outcomes: Outcomes) -> "Choice":
        """The same cutoff on other outcomes: the honest figure.

        Parameters
        ----------
        outcomes : Outcomes
            Of the same system, with items that had no part in the choice; a note
            says how many had.

        Returns
        -------
        Choice
            With the rates on these outcomes and no bound.

        Raises
        ------
        UndefinedRate
            If the outcomes have no confidences.
        """
        curve = error_return(outcomes)
        point = _silence(curve) if self.cutoff is None else curve.at(cutoff=self.cutoff)
        notes = (_judged_on(self.items, outcomes), *curve.notes)
        judged = _choice(curve, point, self.rule)
        if self.scored is not None:
            judged = _with_score(judged, curve, point, self.scored)
        return replace(judged, notes=notes, found=self.found)


def _judged_on(chosen_on: Any, outcomes: Outcomes) -> str:
    """Whether the items of a judgement had a part in the choice, and how many."""
    items, n_rows = outcomes.item, len(outcomes)
    if chosen_on is items:
        return SAME_DATA
    known = set() if chosen_on is None else set(chosen_on.tolist())
    shared = sum(item in known for item in items.tolist())
    if shared and _numbered(chosen_on) and _numbered(items):
        return (
            f"judged on {n_rows} items, of which {shared} have numbers that items of "
            "the choice have too: if they are the same, the error is too good by an "
            "unknown amount; names of items would tell"
        )
    if shared == n_rows:
        return SAME_DATA
    if shared:
        return (
            f"{shared} of the {n_rows} items judged on had a part in the choice: the "
            "error is too good by an unknown amount; leave them out for an honest "
            "figure"
        )
    return f"judged on {n_rows} held-out items"


def _numbered(items: Any) -> bool:
    return bool(items.dtype == np.int64 and (items == np.arange(len(items))).all())


RULES: Final = (
    *("cost_ratio", "wrong_costs", "confidence_target", "score"),
    *("max_error", "nonreturn", "balance"),
)
"""The rules of `choose`, as its arguments and the options of the command name them."""


def choose(  # noqa: PLR0913  (one argument per rule; exactly one is given)
    outcomes: Outcomes,
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
) -> Choice:
    """The cutoff that a rule asks for.

    Ungraded answers count as errors. Exactly one rule is given.

    Parameters
    ----------
    outcomes : Outcomes
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
    of : {"all", "answered"}
        With ``max_error``: errors over all items, or over answered ones.
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
    check_outcomes("choose", outcomes)
    values = (
        *(cost_ratio, wrong_costs, confidence_target, score),
        *(max_error, nonreturn, balance or None),
    )
    rules = dict(zip(RULES, values, strict=True))
    given = [name for name, value in rules.items() if value is not None]
    if len(given) != 1:
        must = f"name exactly one of {', '.join(rules)}"
        raise InputError("choose", "the rule", must, " and ".join(given) or "none")
    choice("choose", "of", of, ["all", "answered"])
    if max_error is None and (certainty is not None or of != "all"):
        must = "come with max_error"
        raise InputError("choose", "of and certainty", must, given[0])
    several = max_nonreturn is not None or each is not None
    if several and (max_error is None or certainty is None or of != "all"):
        must = "come with max_error of all items and a certainty"
        raise InputError("choose", "max_nonreturn and each", must, given[0])
    curve = error_return(outcomes)
    if curve.ladder is None:
        raise UndefinedRate(
            f"choose: {curve.system or 'the system'} gives no confidences, so there "
            "is no cutoff to choose. Compare its operating point with others'."
        )
    if several:
        chosen = _together(outcomes, curve, max_error, certainty, (max_nonreturn, each))
        chosen = replace(chosen, target=float(max_error or 0), certainty=certainty)
    elif max_error is not None:
        chosen = _low_error(outcomes, curve, max_error, of, certainty)
        chosen = replace(chosen, target=float(max_error), certainty=certainty, of=of)
    else:
        chosen = _by_rates(curve, given[0], rules[given[0]])
    return replace(chosen, items=outcomes.item)


def _by_rates(curve: Curve, rule: str, value: Any) -> Choice:
    ladder, total = curve._ladder_for("choose"), curve.totals
    if rule == "nonreturn":
        point = curve.at(nonreturn=value, how="at_most")
        if point.error is None:
            raise UndefinedRate(
                f"choose: no cutoff of {curve.system or 'the system'} has nonreturn <= "
                f"{float(value):g}; its curve starts at {curve.start:g}, the share of "
                "items without a guess."
            )
        return _choice(curve, point, f"nonreturn={float(value):g}")
    if rule == "balance":
        position = costs.balance(ladder, total)
        return _choice(curve, vertex_at(curve, position), "balance")
    if rule == "score":
        return _by_score(curve, linear_score(value))
    ratio = (
        1 - _rate(rule, value) if rule == "confidence_target" else _ratio(rule, value)
    )
    position = costs.least_cost(ladder, total, ratio)
    chosen = _choice(curve, vertex_at(curve, position), f"{rule}={float(value):g}")
    if ratio < 1 or rule == "confidence_target":
        return chosen
    return replace(chosen, notes=(*chosen.notes, NEVER_DECLINES))


def _by_score(curve: Curve, named: LinearScore) -> Choice:
    """The best cutoff by a named score: of equal ones the least nonreturn."""
    ladder, total = curve._ladder_for("choose"), curve.totals
    declined = np.zeros(1, np.int64)
    if named.credits_declines:
        declined = _declined_weight(curve, curve.cutoff[:-1])
    position = costs.greatest_score(ladder, total, named.exact_penalty, declined)
    point = vertex_at(curve, position)
    chosen = _choice(curve, point, f"score={named.name}")
    if named.penalty <= 0:
        chosen = replace(chosen, notes=(*chosen.notes, NEVER_DECLINES))
    return _with_score(chosen, curve, point, named)


def _declined_weight(curve: Curve, cutoff: Any) -> Numbers:
    """Weight of unanswerable items not answered at each cutoff, and in silence."""
    given = counting.answered(*curve.unanswerable, np.asarray(cutoff))
    whole = counting.answered(*curve.unanswerable, np.array([-np.inf]))[0]
    withheld: Numbers = curve.totals.no_guess_unanswerable + whole - given
    return withheld


def _with_score(
    chosen: Choice, curve: Curve, point: Point, named: LinearScore
) -> Choice:
    silent = point.nonreturn == 1 or point.cutoff is None
    declined = _declined_weight(curve, [] if silent else [point.cutoff])[0]
    share = float(declined / curve.totals.weight)
    low, high = named.bounds(
        float(point.right or 0),
        float(point.error or 0),
        float(point.ungraded or 0),
        share,
    )
    return replace(chosen, score=high if named.is_cost else low, scored=named)


NEVER_DECLINES = (
    "a declined item costs as much as a wrong answer or more, so declining never pays: "
    "every guess is answered; if a wrong answer costs three times a declined one, say "
    "wrong_costs=3 (--wrong-costs 3), which is a cost ratio of 1/3"
)


def _ratio(rule: str, value: Any) -> Fraction:
    try:
        ratio = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        ratio = Fraction(-1)
    above = rule == "wrong_costs"
    if ratio < 0 or isinstance(value, bool) or (above and not ratio):
        must = "be a number above 0" if above else "be a number from 0 upwards"
        raise InputError("choose", rule, must, shown(value))
    return 1 / ratio if above else ratio


def _together(
    outcomes: Outcomes,
    curve: Curve,
    max_error: Any,
    certainty: Any,
    also: tuple[Any, str | None],
) -> Choice:
    """The cutoff of several promises, `several_risks.certified_together`."""
    target, certainty = _rate("max_error", max_error), _sure(certainty)
    limit, column = also
    limit = None if limit is None else _rate("max_nonreturn", limit)
    ordered = in_item_order(outcomes)
    whole, samples = sample_of(ordered), {"error of all": sample_of(ordered)}
    if column is not None:
        samples = {
            f"error of all, {column} = {NO_VALUE if name is None else name}": sample_of(
                part
            )
            for (name,), part in ordered.parts([column])
        }
    found = certified_together(
        samples, whole, target=target, certainty=certainty, max_nonreturn=limit
    )
    rule = f"max_error={float(target):g} of all"
    rule += "" if column is None else f" for each {column}"
    rule += "" if limit is None else f", max_nonreturn={float(limit):g}"
    rule += f", certainty {certainty:g} of {len(found.risks)} risks, {METHOD}"
    if found.why:
        none = _none_found(curve, rule, found.why)
        return replace(none, risks=found.risks)
    point = _silence(curve) if found.cutoff is None else curve.at(cutoff=found.cutoff)
    bound = max(risk.bound for risk in found.risks if risk.what != "nonreturn")
    sizes = () if whole.cluster is None and whole.weight is None else (GIVEN_SIZES,)
    return replace(
        _choice(curve, point, rule),
        bound=bound,
        risks=found.risks,
        notes=(*curve.notes, *sizes),
    )


def _sure(certainty: Any) -> float:
    if not 0 < _rate("certainty", certainty) < 1:
        must = "be above 0 and below 1"
        raise InputError("choose", "certainty", must, shown(certainty))
    return float(certainty)


def _rate(name: str, value: Any) -> Fraction:
    return decimal_fraction("choose", name, value)


def _low_error(
    outcomes: Outcomes, curve: Curve, max_error: Any, of: str, certainty: Any
) -> Choice:
    target = _rate("max_error", max_error)
    rule = f"max_error={float(max_error):g} of {of}"
    ladder, total = curve._ladder_for("choose"), curve.totals
    if certainty is None:
        if of == "all":
            position: int | None = costs.low_error(ladder, total, target)
        else:
            position = costs.low_error_answered(ladder, total, target)
        if position is None:
            return _none_found(curve, rule + ", as observed", "no cutoff has it")
        return _choice(curve, vertex_at(curve, position), rule + ", as observed")
    certainty = _sure(certainty)
    rule += f", certainty {certainty:g}"
    sample = sample_of(outcomes)
    exact = certificates.exact(sample)
    if not exact:
        sample = sample_of(in_item_order(outcomes))
    certify = certificates.certified if of == "all" else certificates.certified_answered
    certificate = certify(sample, target, float(certainty))
    if certificate.position is None:
        why = f"none could be certified: {certificate.why}"
        return _none_found(curve, f"{rule}, {certificate.method}", why)
    point = vertex_at(curve, certificate.position)
    chosen = _choice(curve, point, f"{rule}, {certificate.method}")
    sizes = sample.cluster is not None or sample.weight is not None
    return replace(
        chosen,
        bound=certificate.bound,
        notes=(*curve.notes, *((GIVEN_SIZES,) if sizes else ())),
    )


def _none_found(curve: Curve, rule: str, why: str) -> Choice:
    chosen = _choice(curve, _silence(curve), rule)
    note = f"no cutoff that answers anything: {why}; the rates are those of silence"
    return replace(chosen, found=False, notes=(note, *chosen.notes[1:]))


def _choice(curve: Curve, point: Point, rule: str) -> Choice:
    error, answered = point.bounds[1], 1 - point.nonreturn
    return Choice(
        system=curve.system,
        rule=rule,
        cutoff=point.cutoff,
        nonreturn=point.nonreturn,
        error=error,
        missed=float(point.missed or 0.0),
        error_answered=error / answered if point.nonreturn < 1 else None,
        notes=(SAME_DATA, *curve.notes),
        recipe={**curve.recipe, "items": str(curve.items)},
    )
