"""What can be certified: the error at a given cutoff, and how many items it takes."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

from demur import checks
from demur.arrays import answered_at
from demur.checks import choice
from demur.curves.counted_outcomes import CountedOutcomes
from demur.curves.of_outcomes import alone_part
from demur.decisions import certificates
from demur.decisions.certificate_chances import (
    MOST_ERRORS,
    Pilot,
    Planned,
    planned_of_all,
    planned_of_answered,
)
from demur.decisions.exact_certificates import items_for_certificate
from demur.decisions.labelled_rates import bounds_by_labels, labels_of
from demur.errors import InputError, UndefinedRate
from demur.outcomes.labelling import check_all_rows
from demur.outcomes.parts import (
    check_one_system,
    confidences_of,
    in_item_order,
    labelled_in_part,
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


def certified_error(
    outcomes: Outcomes | CountedOutcomes, *, cutoff: float, certainty: float = 0.95
) -> float:
    """Upper bound of the error over all items at a cutoff that was fixed beforehand.

    Ungraded answers count as one error each. Exact for independent items that count
    the same; with clusters, weights or partial credit by betting, see
    `demur.decisions.certificates.error_bound`. Verdicts are taken as they stand: a
    judge who errs makes the bound false, see `demur.choose` with ``gold``. Of answers
    that are labelled in part it is the bound of the share answered times that of the
    error of the labelled ones, as in `demur.recheck`.

    Parameters
    ----------
    outcomes : Outcomes or CountedOutcomes
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
    checks.inner_fraction(where, "certainty", certainty)
    if isinstance(outcomes, CountedOutcomes):
        from demur.decisions.counted_certificates import CountedTests

        tests = CountedTests(outcomes.counts(), alone_part(where, outcomes))
        return tests.certified_error(float(cutoff), float(certainty))
    check_outcomes(where, outcomes)
    check_one_system(where, outcomes)
    outcomes = in_item_order(outcomes)
    check_all_rows(where, outcomes)
    sample = sample_of(outcomes)
    confidence = confidences_of(where, outcomes, sample.guess)
    answers = answered_at(confidence, sample.guess, cutoff)
    if not labelled_in_part(outcomes):
        return certificates.error_bound(sample, answers, float(certainty))
    if sample.weight is not None:
        need, hint = "have no weights", "Answers that are labelled in part weigh alike."
        raise InputError(where, "outcomes", need, "weights", hint)
    labels = labels_of(where, outcomes, answers, sample.loss)
    how: Any = {"cluster": sample.cluster, "certainty": float(certainty)}
    return bounds_by_labels(labels, of="all", **how).upper


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
        For a pilot system, at several nonreturn rates: the share of wrong answers at
        the highest cutoff that declines no more, partial credit and ungraded counting
        as one error each, and from how many items on, withheld ones included, the error
        is likely to be certified at that nonreturn or a lower one; None if no number
        of items is.
    notes : sequence of str
        What a reader must know.
    system : str
        The pilot's.
    power : float
        What "likely" is: with which chance a fresh sample is certified.
    chances : sequence of float
        Those of each row of `by_nonreturn`: that so many items are certified, and
        without a number the greatest that any number has.
    why_none : str
        Why no number of items may be likely to be certified.
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
    power: float = 0.8
    chances: tuple[float, ...] = ()
    why_none: str = field(default="", repr=False)
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
        if not self.by_nonreturn:
            return f"{name} has too few guesses for any nonreturn listed."
        if needed is None:
            best = max(range(len(self.chances)), key=self.chances.__getitem__)
            chance = math.floor(1000 * self.chances[best]) / 1000
            return (
                f"As {name} errs, there is no number of items up to {self.largest} "
                f"from which on they are certified with a chance of {self.power:g} at "
                f"any nonreturn listed (at best {chance:g}, at a nonreturn "
                f"of {self.by_nonreturn[best][0]:g}): {self.why_none}."
            )
        where = next(rate for rate, _, n in self.by_nonreturn if n == needed)
        return (
            f"As {name} errs, {needed} items are certified with a chance of "
            f"{self.power:g} or more, at a nonreturn of {where:g} or a lower one."
        )

    @property
    def largest(self) -> int:
        """No plan is for more items than this."""
        most = MOST_ERRORS[self.of]
        return items_for_certificate(self.max_error, self.certainty, wrong=most)

    def figures(self) -> Iterator[Figure]:
        """The items needed, and those as the pilot errs if there is one."""
        for figure in super().figures():
            if self.by_nonreturn or figure.kind.name == "items_needed":
                yield replace(
                    figure, why_undefined="no number of items is likely enough"
                )

    def tables(self) -> list[Table]:
        """Items needed by the errors among them; and at each nonreturn of the pilot."""
        explained = "independent items; partial credit and ungraded count as wrong"
        columns = (
            Column("wrong", cells="count", explained="answers that are wrong"),
            Column("items", f"{self._unit} needed", "count", explained),
        )
        tables = [Table("", columns, tuple(self.by_errors.items()))]
        if self.by_nonreturn:
            rows = tuple(
                (self.system or None, *row, chance)
                for row, chance in zip(self.by_nonreturn, self.chances, strict=True)
            )
            tables.append(Table("As the pilot errs", _PILOT, rows, key=2))
        return tables

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain values for JSON."""
        plain = super().to_dict()
        chances = plain.pop("chances")
        by_nonreturn = zip(self.by_nonreturn, chances, strict=True)
        return plain | {
            "by_errors": [
                {"wrong": wrong, "items": items}
                for wrong, items in self.by_errors.items()
            ],
            "by_nonreturn": [
                {"nonreturn": rate, "wrong": wrong, "items": items, "chance": chance}
                for (rate, wrong, items), chance in by_nonreturn
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
        "so many, or more, are likely to be certified there or at a lower nonreturn",
    ),
    Column(
        "chance",
        cells="share",
        explained="that so many are certified; without a number the greatest of any",
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
    power: float = 0.8,
    errors: Sequence[int] = ERRORS,
) -> CertificatePlan:
    """How many independent items it takes before an error can be certified.

    With a pilot also, at each nonreturn, from how many items on a fresh sample of the
    same traffic is certified with a chance of ``power``. What a small pilot leaves open
    counts against it: where its errors may well be too many, there is no such number.

    Parameters
    ----------
    max_error : float
        Above 0, below 1.
    certainty : float
        One-sided.
    of : {"all", "answered"}
        Errors over all items, or over answered ones.
    pilot : Outcomes, optional
        Of one system with confidences, without weights. Clusters are taken as
        independent items, with a note.
    power : float
        Wanted chance that a fresh sample is certified.
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
    Of all items: at a cutoff with X errors among m items of the pilot, the true rate is
    taken as beta(X + 1/2, m - X + 1/2), Jeffreys' posterior, and the errors of a fresh
    sample as binomial. Of answered items: the rates of ten classes of the pilot's
    confidences are taken so, and the chance that the tests from twenty starts certify
    a sample down to a cutoff is counted forward, over the errors so far and the risk
    that is carried.

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
    certainty = float(checks.inner_fraction(where, "certainty", certainty))
    power = float(checks.inner_fraction(where, "power", power))
    choice(where, "of", of, ["all", "answered"])
    target = float(checks.inner_fraction(where, "max_error", max_error))
    needed = {
        wrong: items_for_certificate(target, certainty, wrong=wrong) for wrong in errors
    }
    recipe = {
        "plan": "exact binomial",
        "max_error": f"{exactly(target)} of {of}",
        "certainty": exactly(certainty),
        "wrong": "-".join(map(str, needed)),
    }
    plan = CertificatePlan(target, certainty, of, needed, power=power, recipe=recipe)
    if pilot is None:
        return plan
    more = {"power": exactly(power)}
    return replace(
        _with_pilot(plan, pilot),
        notes=(*pilot.notes, *_pilot_notes(pilot)),
        recipe={**pilot.recipe, "items": str(len(pilot)), **recipe, **more},
    )


def _pilot_notes(pilot: Outcomes) -> tuple[str, ...]:
    if sample_of(pilot).cluster is None:
        return ()
    return (
        "clusters of the pilot are taken as independent items: a certificate by "
        "clusters takes more",
    )


def _with_pilot(plan: CertificatePlan, pilot: Outcomes) -> CertificatePlan:
    """The plan with what each nonreturn rate of the pilot takes."""
    where = "certificate_plan"
    check_one_system(where, pilot)
    sample = sample_of(pilot)
    if sample.weight is not None:
        hint = "A plan counts items; leave the column weight out."
        raise InputError(where, "the pilot", "have no weights", "weights", hint)
    confidences_of(where, pilot, sample.guess)
    if not sample.guess.any():
        name = pilot.systems[0] or "the system"
        raise UndefinedRate(f"{name} gives no confidences of a guess.", where=where)
    classes = Pilot.of(sample)
    rates = [
        (rate, cutoff)
        for tenths, rate in enumerate(RATES)
        if (cutoff := classes.cutoff_at(tenths)) is not None
    ]
    cutoffs = [cutoff for _, cutoff in rates]
    lost = classes.lost[cutoffs].tolist()
    bases = [len(pilot)] * len(rates)
    if plan.of == "answered":
        bases = classes.answered[cutoffs].tolist()
    asked: dict[str, float] = {
        "target": plan.max_error,
        "certainty": plan.certainty,
        "power": plan.power,
    }
    planned: list[Planned]
    if plan.of == "all":
        planned = [planned_of_all(wrong, len(pilot), **asked) for wrong in lost]
    else:
        planned = planned_of_answered(classes, cutoffs, **asked)
    shares = [wrong / base for wrong, base in zip(lost, bases, strict=True)]
    rows = zip(rates, shares, planned, strict=True)
    return replace(
        plan,
        by_nonreturn=[(rate, share, row.items) for (rate, _), share, row in rows],
        chances=tuple(row.chance for row in planned),
        why_none=_why_none(plan, shares, len(pilot)),
        system=pilot.systems[0],
    )


def _why_none(plan: CertificatePlan, shares: Sequence[float], n_items: int) -> str:
    """Why no number of items may be likely to be certified."""
    if all(share >= plan.max_error for share in shares):
        return "too many of its answers are wrong"
    return f"{n_items} items do not show that it errs so little"
