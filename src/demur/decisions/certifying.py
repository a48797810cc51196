"""What can be certified: the error at a given cutoff, and how many items it takes."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, Final

import numpy as np

from demur import checks
from demur.arrays import answered_at
from demur.checks import choice
from demur.curves.of_outcomes import error_return
from demur.decisions import certificates
from demur.decisions.betting import least_where
from demur.errors import InputError
from demur.outcomes.fields import OUTCOMES
from demur.outcomes.parts import (
    check_one_system,
    confidences_of,
    in_item_order,
    sample_of,
)
from demur.outcomes.table import Outcomes, check_outcomes
from demur.results import (
    Column,
    Figure,
    FigureKind,
    Result,
    Results,
    Table,
    count,
    exactly,
)
from demur.results.text import merged

ERRORS = (0, 1, 2, 3, 5, 10, 20, 50)
"""Numbers of wrong answers that a plan is made for."""

RATES = tuple(tenth / 10 for tenth in range(10))
"""Nonreturn rates of a pilot that a plan is made for."""

LARGEST = 10**9

_PRECISION = 10**7
"""Of shares that are fractions of items: theirs are recovered, whatever is rounded."""


def certified_error(
    outcomes: Outcomes, *, cutoff: float, certainty: float = 0.95
) -> float:
    """Upper bound of the error over all items at a cutoff that was fixed beforehand.

    Ungraded answers count as one error each. Exact for independent items that count
    the same; with clusters, weights or partial credit by betting, see
    `demur.decisions.certificates.error_bound`. Verdicts are taken as they stand: a
    judge who errs makes the bound false, see `demur.choose` with ``gold``.

    Parameters
    ----------
    outcomes : Outcomes
        Judged responses of one system, none of which had a part in the choice of the
        cutoff.
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
        If there are several systems, or an argument is out of range.
    UndefinedRate
        If there are no confidences.

    References
    ----------
    Clopper and Pearson (1934), Biometrika 26; Waudby-Smith and Ramdas (2024), JRSS B
    86, for betting.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[True] * 95 + [False] * 5, confidence=range(100, 0, -1))
    >>> round(demur.certified_error(outcomes, cutoff=6), 4)
    0.0295
    """
    where = "certified_error"
    checks.number(where, "cutoff", cutoff)
    check_outcomes(where, outcomes)
    check_one_system(where, outcomes)
    checks.inner_fraction(where, "certainty", certainty)
    outcomes = in_item_order(outcomes)
    sample = sample_of(outcomes)
    confidence = confidences_of(where, outcomes, sample.guess)
    answers = answered_at(confidence, sample.guess, cutoff)
    return certificates.error_bound(sample, answers, float(certainty))


@dataclass(frozen=True, eq=False, repr=False)
class CertificatePlan(Result):
    """How many items it takes before an error can be certified.

    Parameters
    ----------
    max_error, certainty : float
        What is to be certified.
    of : str
        "all": items in all; "answered": items answered at the cutoff.
    by_errors : mapping of int to int
        Items needed if so many of them are wrong.
    by_nonreturn : sequence of tuple (nonreturn, wrong, items or None)
        For a pilot system, at several nonreturn rates: the share of items answered in
        error as observed, partial credit and ungraded counting as one error each, and
        from how many items on, withheld ones included, the error is certified if that
        share stays; None if it is too high for any number.
    notes : sequence of str
        What a reader must know.
    system : str
        The pilot's.
    recipe : mapping of str to str
        For the signature.
    """

    KINDS: ClassVar = (
        count("items_needed", "the number of items needed", better="lower"),
        FigureKind(
            "items_needed_by_pilot",
            "the number of items needed as the pilot errs",
            "count",
            most=math.inf,
        ),
    )

    max_error: float
    certainty: float
    of: str
    by_errors: dict[int, int]
    by_nonreturn: list[tuple[float, float, int | None]] = field(default_factory=list)
    notes: tuple[str, ...] = ()
    system: str = ""
    recipe: dict[str, str] = field(default_factory=dict)

    @property
    def items_needed(self) -> int | None:
        """Items needed if as few are wrong as were planned for."""
        return self.by_errors[min(self.by_errors)] if self.by_errors else None

    @property
    def items_needed_by_pilot(self) -> int | None:
        """The least of `by_nonreturn`; None if its errors are too many for all."""
        needed = [items for _, _, items in self.by_nonreturn if items is not None]
        return min(needed, default=None)

    def sentence(self) -> str:
        """How many items it takes without an error, and as the pilot errs."""
        listed = [f"{n} with {wrong} wrong" for wrong, n in self.by_errors.items()][:3]
        base = "all" if self.of == "all" else "answered"
        line = (
            f"To certify an error of at most {self.max_error:g} of {base} items with "
            f"certainty {self.certainty:g} takes {self._unit}: {', '.join(listed)}."
        )
        return f"{line}\n{self.pilot_words()}" if self.by_nonreturn else line

    @property
    def _unit(self) -> str:
        return "items" if self.of == "all" else "answered items"

    def pilot_words(self) -> str:
        """At which nonreturn the pilot needs fewest items."""
        name = self.system or "the pilot"
        needed = self.items_needed_by_pilot
        if needed is None:
            return f"As {name} errs, no number of items does at any nonreturn listed."
        where = next(rate for rate, _, n in self.by_nonreturn if n == needed)
        return f"As {name} errs, it takes {needed} items, at a nonreturn of {where:g}."

    def figures(self) -> Iterator[Figure]:
        """The items needed, and those as the pilot errs if there is one."""
        for figure in super().figures():
            if self.by_nonreturn or figure.kind.name == "items_needed":
                yield replace(figure, why_undefined="its share of errors is too high")

    def tables(self) -> list[Table]:
        """Items needed by the errors among them; and at each nonreturn of the pilot."""
        explained = "independent items; partial credit and ungraded count as wrong"
        columns = (
            Column("wrong", cells="count", explained="answers that are wrong"),
            Column("items", f"{self._unit} needed", "count", explained),
        )
        tables = [Table("", columns, tuple(self.by_errors.items()))]
        if self.by_nonreturn:
            rows = tuple((self.system or None, *row) for row in self.by_nonreturn)
            tables.append(Table("As the pilot errs", _PILOT, rows, key=2))
        return tables

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain values for JSON."""
        return super().to_dict() | {
            "by_errors": [
                {"wrong": wrong, "items": items}
                for wrong, items in self.by_errors.items()
            ],
            "by_nonreturn": [
                {"nonreturn": rate, "wrong": wrong, "items": items}
                for rate, wrong, items in self.by_nonreturn
            ],
        }


_PILOT: Final = (
    Column("system"),
    Column("nonreturn", cells="share", digits=1, explained="items not answered / all"),
    Column("wrong", "share wrong", "share", "as the pilot has it"),
    Column(
        "items",
        "items in all",
        "count",
        "needed if the share stays so; - if it is too high",
    ),
)


class PilotPlans(Results[CertificatePlan]):
    """Plans for one certificate by several pilots."""

    def sentence(self) -> str:
        """What the pilots need, each in a line."""
        return "\n".join(plan.pilot_words() for plan in self)

    def figures(self) -> Iterator[Figure]:
        """The items needed as each pilot errs."""
        for figure in super().figures():
            if figure.kind.name == "items_needed_by_pilot":
                yield figure

    def tables(self) -> list[Table]:
        """The pilots' tables as one."""
        tables = [list(plan.tables())[1:] for plan in self]
        return merged(tables, self.names)


def certificate_plan(
    *,
    max_error: float,
    certainty: float = 0.95,
    of: str = "all",
    pilot: Outcomes | None = None,
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
        Errors over all items, or over answered ones. Among answered ones cutoffs are
        tried from high to low until one fails, so a few more items than planned help.
    pilot : Outcomes, optional
        Of one system with confidences, without weights: the plan then also says how
        many items each nonreturn rate needs. Clusters are taken as independent items,
        with a note.
    errors : sequence of int
        Numbers of wrong answers to plan for.

    Returns
    -------
    CertificatePlan

    Raises
    ------
    InputError
        If a rate is out of range, or the pilot has weights or several systems.
    UndefinedRate
        If the pilot gives no confidences.

    Notes
    -----
    With a share e of wrong ones, n items hold k = ceil(e n) errors, and N(k) items with
    k errors are needed. The fewest items with k errors are floor((k - 1) / e) + 1; for
    the last k for which these are fewer than N(k), all numbers from N(k) on pass.

    Examples
    --------
    >>> import demur
    >>> demur.certificate_plan(max_error=0.05).by_errors[0]
    59
    >>> demur.certificate_plan(max_error=0.05, of="answered").by_errors[0]
    59
    """
    where = "certificate_plan"
    errors = checks.listed(where, "errors", errors)
    for allowed in errors:
        checks.whole(where, "each of errors", allowed)
    if not errors:
        raise InputError(where, "errors", "name at least one number", "none")
    checks.inner_fraction(where, "certainty", certainty)
    certainty = float(certainty)
    choice(where, "of", of, ["all", "answered"])
    target = float(checks.inner_fraction(where, "max_error", max_error))
    needed = {
        wrong: certificates.items_for_certificate(target, certainty, wrong=wrong)
        for wrong in errors
    }
    recipe = {
        "plan": "exact binomial",
        "max_error": f"{exactly(target)} of {of}",
        "certainty": exactly(certainty),
        "wrong": "-".join(map(str, needed)),
    }
    plan = CertificatePlan(target, certainty, of, needed, recipe=recipe)
    if pilot is None:
        return plan
    return replace(
        plan,
        by_nonreturn=_of_pilot(pilot, plan),
        notes=(*pilot.notes, *_pilot_notes(pilot)),
        system=pilot.systems[0],
        recipe={**pilot.recipe, "items": str(len(pilot)), **recipe},
    )


def _pilot_notes(pilot: Outcomes) -> tuple[str, ...]:
    if sample_of(pilot).cluster is None:
        return ()
    return (
        "clusters of the pilot are taken as independent items: a certificate by "
        "clusters takes more",
    )


def _of_pilot(
    pilot: Outcomes, plan: CertificatePlan
) -> list[tuple[float, float, int | None]]:
    where = "certificate_plan"
    check_one_system(where, pilot)
    sample = sample_of(pilot)
    if sample.weight is not None:
        raise InputError(where, "the pilot", "have no weights", "weights")
    confidences_of(where, pilot, sample.guess)
    wrong = np.where(sample.loss > 0, OUTCOMES.index("wrong"), pilot.outcome)
    counted = replace(pilot, outcome=wrong.astype(np.uint8), credit=None)
    curve = error_return(counted)
    target = Fraction(str(plan.max_error))
    rows = []
    for tenth in RATES:
        point = curve.at(nonreturn=tenth)
        if point.error is None:
            continue
        share = Fraction(1) if plan.of == "all" else 1 - Fraction(str(tenth))
        # A few errors among so many items: the fraction before it was rounded.
        error = Fraction(point.error).limit_denominator(_PRECISION) / share
        needed = _items_at(error, target, plan.certainty)
        items = None if needed is None else math.ceil(needed / share)
        rows.append((tenth, float(error), items))
    return rows


def _items_at(error: Fraction, target: Fraction, certainty: float) -> int | None:
    """From how many items on the target is certified, a share ``error`` being wrong.

    Errors are counted whole, so a number of items may pass and a larger one fail.
    """

    def needed(wrong: int) -> int:
        return certificates.items_for_certificate(float(target), certainty, wrong=wrong)

    if not error:
        return needed(0)
    last = None if error >= target else _last_short(error, needed)
    return None if last is None else needed(last)


def _last_short(error: Fraction, needed: Callable[[int], int]) -> int | None:
    """The last number of errors that occurs among fewer items than it needs.

    None if there is none up to about `LARGEST` items.
    """

    def surely_enough(wrong: int) -> bool:
        return (wrong - 1) / error >= needed(wrong) + 1

    low, high = 0, 1
    while not surely_enough(high):
        low, high = high, 2 * high
        if high / error > LARGEST:
            return None
    low = least_where(surely_enough, low, high) - 1
    while math.floor((low - 1) / error) + 1 >= needed(low):
        low -= 1
    return low
