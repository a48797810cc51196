"""The verb that chooses a cutoff for each kind of part, under one promise of wholes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

import numpy as np

from demur.arrays import Flags, Floats, Positions, frozen, shortest
from demur.checks import (
    decimal_fraction,
    inner_fraction,
    names_shown,
    number,
)
from demur.decisions.choosing import choose
from demur.decisions.cutoffs_by_kind import (
    ChoiceByKind,
    unknown_note,
)
from demur.decisions.exact_certificates import binomial_bound, items_for_certificate
from demur.decisions.kind_rates import WHERE, KindedParts, kinds_of, rates_by_kind
from demur.decisions.kinds_of_parts import (
    certifiable,
    least_costly,
    path_through,
)
from demur.errors import InputError, shown
from demur.outcomes.fields import UNANSWERED
from demur.outcomes.parts import (
    check_one_system,
    confidences_of,
    halves,
    labelled_in_part,
    sample_of,
)
from demur.outcomes.table import Outcomes
from demur.results import exactly
from demur.wholes.numbering import check_parts
from demur.wholes.whole_parts import WholeParts
from demur.wholes.wholes_at_cutoffs import whole_outcomes

OPTIMISTIC: Final = (
    "the cutoffs were chosen and judged on the same wholes, a cutoff for each kind: "
    "the error is too good by an unknown amount; .on(...) of other wholes gives an "
    "honest figure"
)


def choose_by_kind(
    outcomes: Outcomes,
    *,
    kinds: str,
    max_error: float,
    certainty: float | None = None,
    share: float = 0.5,
    seed: int = 0,
    costs: Mapping[str, float] | None = None,
) -> ChoiceByKind:
    """A cutoff for each kind of part, so that few wholes hold a wrong part.

    The cutoffs are chosen together under one promise: of all wholes, at most so many
    hold a wrong part that is returned, of whatever kind. Among those that keep it, the
    cutoffs withhold at least cost. Confidences of different kinds may be on different
    scales. Ungraded parts count as wrong.

    Parameters
    ----------
    outcomes : Outcomes
        Judged parts of one system, with confidences and a column ``part``. Parts of a
        whole may depend on each other in any way.
    kinds : str
        The column with the kind of each part, such as which tool it calls.
    max_error : float
        The share of wholes of which a wrong part may be returned.
    certainty : float, optional
        Certify it, so that the chance that the true share is greater is at most
        ``1 - certainty``: cutoffs are searched on a part of the wholes and certified
        on the others. None takes the error as observed, of all wholes.
    share : float
        With a certainty: how much of the wholes (or clusters) is searched.
    seed : int
        Of the random draw of these.
    costs : mapping of str to float, optional
        What it costs to withhold a part of each kind, above 0; a kind that is left out
        costs 1.

    Returns
    -------
    ChoiceByKind
        Kinds that were not seen where cutoffs were searched are always withheld.

    Raises
    ------
    InputError
        If a part has no kind, a part of the outcomes is unlabelled, or the outcomes are
        not as `demur.whole_curve` needs them.
    UndefinedRate
        If the system gives no confidences.

    Notes
    -----
    Cutoffs are searched by pairs of kinds, see
    `demur.decisions.kinds_of_parts.least_costly`. They lie on a nested path from all
    that is returned to nothing, which depends on nothing but the searched wholes. Along
    it wrong wholes can but fall, so that the other wholes certify a place on it by the
    same test as a single cutoff (`demur.choose` with ``of="wholes"``).

    Examples
    --------
    Payments are surer than searches, and err at another confidence:

    >>> import demur
    >>> n = 40
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=[f"run{row // 2}" for row in range(2 * n)],
    ...     part=["pay", "search"] * n,
    ...     confidence=[(900 + row) / 1000 for row in range(2 * n)],
    ...     correct=[row % 2 == 1 or row > 44 for row in range(2 * n)],
    ...     groups={"tool": ["pay", "search"] * n})
    >>> chosen = demur.choose_by_kind(outcomes, kinds="tool", max_error=0)
    >>> chosen.cutoffs, chosen.parts_withheld
    ({'pay': 0.946, 'search': 0.901}, 0.2875)
    """
    target = decimal_fraction(WHERE, "max_error", max_error)
    check_parts(WHERE, outcomes)
    check_one_system(WHERE, outcomes)
    if labelled_in_part(outcomes):
        need, got = "be labelled", "unlabelled ones"
        hint = "A single cutoff for all kinds can be chosen by labels of a part."
        raise InputError(WHERE, "all parts", need, got, hint)
    confidences_of(WHERE, outcomes, outcomes.outcome != UNANSWERED)
    names = list(dict.fromkeys(kinds_of(outcomes, kinds)))
    priced = _priced(costs, names)
    if certainty is None:
        chosen = _as_observed(outcomes, kinds, target, priced)
    else:
        inner_fraction(WHERE, "certainty", certainty)
        promise = target, float(certainty)
        first, second = halves(outcomes, share=share, seed=seed)
        chosen = _certified(first, second, kinds, promise, priced)
    return replace(
        chosen,
        kinds=kinds,
        target=float(target),
        costs=None if costs is None else priced,
        items=outcomes.item,
    )


# -- kinds and costs ---------------------------------------------------------------


def _priced(costs: Any, names: Sequence[str]) -> dict[str, Any]:
    """What withholding a part of each kind costs."""
    given = {} if costs is None else costs
    if not isinstance(given, Mapping):
        need = "map kinds to what withholding one of them costs"
        raise InputError(WHERE, "costs", need, shown(costs))
    for name, cost in given.items():
        if name not in names:
            need = f"be of kinds that there are ({names_shown(names)})"
            raise InputError(WHERE, "costs", need, shown(name))
        number(WHERE, f"the cost of {name}", cost)
        if not 0 < cost < np.inf:
            need = "be above 0 and finite"
            raise InputError(WHERE, f"the cost of {name}", need, shown(cost))
    return {name: given.get(name, 1) for name in names}


# -- the choice --------------------------------------------------------------------


def _as_observed(
    outcomes: Outcomes, column: str, target: Fraction, costs: Mapping[str, Any]
) -> ChoiceByKind:
    """The cutoffs that have the error on all wholes."""
    names = sorted(costs)
    rows = KindedParts.of(outcomes, column, names)
    levels = rows.levels([costs[name] for name in names])
    vector = least_costly(levels, _budget(target, rows.parts))
    kind, confidence = rows.guesses
    least = np.array(
        [
            levels.confidence[code][level - 1] if level else -np.inf
            for code, level in enumerate(vector)
        ]
    )
    returned = (confidence > least[kind]) | (np.array(vector)[kind] == 0)
    cutoffs = _smallest(names, kind, confidence, returned)
    rule = f"max_error={exactly(target)} of wholes, by {column}, as observed"
    return ChoiceByKind(
        system=outcomes.systems[0],
        kinds=column,
        rule=rule,
        cutoffs=cutoffs,
        judged=rates_by_kind(outcomes, column, cutoffs, costs),
        notes=(*outcomes.notes, OPTIMISTIC),
        recipe=_recipe(outcomes, rule, "pairs of kinds", costs, rows.parts),
    )


def _certified(
    first: Outcomes,
    second: Outcomes,
    column: str,
    promise: tuple[Fraction, float],
    costs: Mapping[str, Any],
) -> ChoiceByKind:
    """The cutoffs of a path through the first wholes that the second ones certify."""
    target, certainty = promise
    names = sorted(dict.fromkeys(kinds_of(first, column)))
    searched = KindedParts.of(first, column, names)
    tested = KindedParts.of(second, column, names)
    levels = searched.levels([costs[name] for name in names])
    sample = sample_of(whole_outcomes(second))
    n_units = len(sample) if sample.cluster is None else sample.n_clusters
    allowed = Fraction(certifiable(n_units, target, certainty), n_units)
    path = path_through(levels, _budget(allowed, searched.parts))
    kind, confidence = (
        np.concatenate(pair)
        for pair in zip(searched.guesses, tested.guesses, strict=True)
    )
    ranks = path.ranks(kind, confidence)
    scaled = np.full(len(second), np.nan)
    guess = second.outcome != UNANSWERED
    scaled[guess] = ranks[len(ranks) - int(guess.sum()) :]
    lowest = choose(
        replace(second, confidence=frozen(scaled)),
        max_error=float(target),
        certainty=certainty,
        of="wholes",
    )
    rank = np.inf if lowest.cutoff is None else lowest.cutoff
    cutoffs = _smallest(names, kind, confidence, (ranks >= rank) & (kind >= 0))
    unknown = sorted(set(kinds_of(second, column)) - {*names})
    few = _too_few(n_units, target, certainty)
    cutoffs |= dict.fromkeys(unknown)
    rule = f"{lowest.rule}, by {column}"
    n_searched = searched.parts.n_wholes
    search = f"nested path by pairs of kinds on {n_searched} other wholes"
    return ChoiceByKind(
        system=second.systems[0],
        kinds=column,
        rule=rule,
        cutoffs=cutoffs,
        judged=rates_by_kind(second, column, cutoffs, costs),
        searched=rates_by_kind(first, column, cutoffs, costs),
        bound=lowest.bound,
        certainty=certainty,
        notes=(*lowest.notes, *few, *unknown_note(unknown)),
        recipe=_recipe(second, rule, search, costs, tested.parts),
    )


def _too_few(n_units: int, target: Fraction, certainty: float) -> tuple[str, ...]:
    """What is said where so many wholes certify nothing even without an error."""
    if not target or binomial_bound(0, n_units, certainty) <= target:
        return ()
    needed = items_for_certificate(float(target), certainty)
    return (
        f"{n_units} wholes (or clusters of them) cannot certify that even without an "
        f"error, so nothing is returned; it takes {needed}",
    )


def _recipe(
    outcomes: Outcomes,
    rule: str,
    search: str,
    costs: Mapping[str, Any],
    parts: WholeParts,
) -> dict[str, str]:
    priced = {name: cost for name, cost in costs.items() if cost != 1}
    listed = ", ".join(f"{name} {exactly(cost)}" for name, cost in priced.items())
    return {
        **outcomes.recipe,
        "of": "wholes",
        "items": str(parts.n_wholes),
        "choose": rule,
        "search": search,
        **({"costs": listed} if listed else {}),
    }


def _budget(rate: Fraction, parts: WholeParts) -> Any:
    """The weight of wrong wholes that a rate allows."""
    total = parts.whole_weight
    return int(rate * total) if isinstance(total, int) else float(rate) * total


def _smallest(
    names: Sequence[str], kind: Positions, confidence: Floats, returned: Flags
) -> dict[str, float | None]:
    """Of each kind the smallest confidence that is returned; None if none is."""
    cutoffs: dict[str, float | None] = {}
    for code, name in enumerate(names):
        those = confidence[returned & (kind == code)]
        cutoffs[name] = shortest(those.min()) if len(those) else None
    return cutoffs
