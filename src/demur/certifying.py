"""What can be certified: the error at a given cutoff, and how many items it takes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from demur import decisions
from demur.checks import choice, decimal_fraction
from demur.choosing import sample_of
from demur.curves import Curve
from demur.errors import InputError, UndefinedRate, shown
from demur.operating import answered_at, check_one_system, confidences_of
from demur.outcomes import Outcomes

ERRORS = (0, 1, 2, 3, 5, 10, 20, 50)
"""Numbers of wrong answers that a plan is made for."""

RATES = tuple(tenth / 10 for tenth in range(10))
"""Nonreturn rates of a pilot that a plan is made for."""

LARGEST = 10**9


def certified_error(
    outcomes: Outcomes, *, cutoff: float, certainty: float = 0.95
) -> float:
    """Upper bound of the error over all items at a cutoff that was fixed beforehand.

    Partial credit and ungraded answers count as one error each. Exact for independent
    items; where there are clusters, a bound for independent clusters.

    Parameters
    ----------
    outcomes : Outcomes
        Judged responses of one system, without weights, none of which had a part in
        the choice of the cutoff.
    cutoff : float
        Answer every guess with at least this confidence.
    certainty : float
        The chance that the true error is greater is at most ``1 - certainty``.

    Returns
    -------
    float

    Raises
    ------
    InputError
        If there are weights or several systems, or an argument is out of range.
    UndefinedRate
        If there are no confidences.

    References
    ----------
    Clopper and Pearson (1934), Biometrika 26; Bates et al. (2021), "Distribution-free,
    risk-controlling prediction sets", section 3, for clusters.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[True] * 95 + [False] * 5, confidence=range(100, 0, -1))
    >>> round(demur.certified_error(outcomes, cutoff=6), 4)
    0.0295
    """
    where = "certified_error"
    check_one_system(where, outcomes)
    certainty = _certainty(where, certainty)
    sample = sample_of(outcomes)
    if sample.weight is not None:
        must = "have no weights where an error is certified"
        raise InputError(where, "outcomes", must, "weights")
    confidence = confidences_of(where, outcomes, sample.guess)
    answers = answered_at(confidence, sample.guess, cutoff)
    return decisions.error_bound(sample, answers, certainty)


def _certainty(where: str, certainty: Any) -> float:
    if not 0 < decimal_fraction(where, "certainty", certainty) < 1:
        must = "be above 0 and below 1"
        raise InputError(where, "certainty", must, shown(certainty))
    return float(certainty)


@dataclass(frozen=True)
class CertificatePlan:
    """How many items it takes before an error can be certified.

    Parameters
    ----------
    max_error, certainty : float
        What is to be certified.
    of : str
        "all": items in all; "answered": items answered at the cutoff.
    by_errors : mapping of int to int
        Items needed if so many of them are wrong.
    by_nonreturn : sequence of tuple (nonreturn, error, items or None)
        For a pilot system, at several nonreturn rates: its error rate as observed, and
        the items needed in all, withheld ones included, if it stays so; None if it is
        too high for any number.
    """

    max_error: float
    certainty: float
    of: str
    by_errors: dict[int, int]
    by_nonreturn: list[tuple[float, float, int | None]] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain values for JSON."""
        return {
            "max_error": self.max_error,
            "certainty": self.certainty,
            "of": self.of,
            "by_errors": [
                {"wrong": wrong, "items": items}
                for wrong, items in self.by_errors.items()
            ],
            "by_nonreturn": [
                {"nonreturn": rate, "error": error, "items": items}
                for rate, error, items in self.by_nonreturn
            ],
        }


def certificate_plan(
    *,
    max_error: float,
    certainty: float = 0.95,
    of: str = "all",
    curve: Curve | None = None,
    errors: Sequence[int] = ERRORS,
) -> CertificatePlan:
    """How many independent items it takes before an error can be certified.

    Parameters
    ----------
    max_error : float
        Above 0, below 1.
    certainty : float
        One-sided.
    of : {"all", "answered"}
        Errors over all items, or over answered ones. Among answered ones the first
        cutoff that is tested answers about four times as many as none wrong would
        need; the plan says no less.
    curve : Curve, optional
        A pilot: the plan then also says how many items each nonreturn rate needs.
    errors : sequence of int
        Numbers of wrong answers to plan for.

    Returns
    -------
    CertificatePlan

    Raises
    ------
    InputError
        If a rate is out of range.
    UndefinedRate
        If the pilot gives no confidences.

    Examples
    --------
    >>> certificate_plan(max_error=0.05).by_errors[0]
    59
    >>> certificate_plan(max_error=0.05, of="answered").by_errors[0]
    234
    """
    where = "certificate_plan"
    certainty = _certainty(where, certainty)
    choice(where, "of", of, ["all", "answered"])
    target = float(decimal_fraction(where, "max_error", max_error))
    if not 0 < target < 1:
        must = "be above 0 and below 1"
        raise InputError(where, "max_error", must, shown(max_error))
    least = 0 if of == "all" else decisions.first_tested(target, certainty)
    needed = {
        wrong: max(
            least, decisions.items_for_certificate(target, certainty, wrong=wrong)
        )
        for wrong in errors
    }
    pilot = [] if curve is None else _of_pilot(curve, target, certainty, of, least)
    return CertificatePlan(target, certainty, of, needed, pilot)


def _of_pilot(
    curve: Curve, target: float, certainty: float, of: str, least: int
) -> list[tuple[float, float, int | None]]:
    """What each nonreturn rate of a pilot needs."""
    if curve.ladder is None:
        name = curve.system or "the system"
        raise UndefinedRate(f"certificate_plan: {name} gives no confidences.")
    found = []
    for rate in RATES:
        point = curve.at(nonreturn=rate)
        if point.error is None:
            continue
        share = 1.0 if of == "all" else 1 - rate
        error = point.bounds[1] / share
        needed = _items_at(error, target, certainty)
        items = None if needed is None else math.ceil(max(needed, least) / share)
        found.append((rate, error, items))
    return found


def _items_at(error: float, target: float, certainty: float) -> int | None:
    """Items needed if a share ``error`` of them is wrong."""

    def enough(items: int) -> bool:
        wrong = math.ceil(error * items)
        return decisions.binomial_bound(wrong, items, certainty) <= target

    high = decisions.items_for_certificate(target, certainty)
    while not enough(high):
        high *= 2
        if error >= target or high > LARGEST:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
