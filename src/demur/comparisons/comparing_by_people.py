"""Two systems compared by people's verdicts on a part of their answers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from demur.comparisons.comparison_results import Comparison
from demur.comparisons.own_decisions import OWN_RATES
from demur.outcomes.labelling import LEFT_OPEN, OutOfReach
from demur.results import Result
from demur.statistics.correcting import (
    corrected_differences,
    forced_choice,
    selection_notes,
)
from demur.statistics.paired_tests import UNTESTED, Difference

if TYPE_CHECKING:
    from demur.comparisons.comparing import Compared
    from demur.outcomes.table import Outcomes


@dataclass(frozen=True, eq=False, repr=False)
class ByJudge(Result):
    """What a noisy judge says of a comparison that people's verdicts correct.

    Parameters
    ----------
    error_a, error_b : float or None
        Errors at the nonreturn.
    difference : Difference or None
        Of these.
    """

    error_a: float | None
    error_b: float | None
    difference: Difference | None


def by_people(
    compared: Comparison, tables: Sequence["Outcomes"], asked: "Compared", level: float
) -> Comparison:
    """A comparison by people's verdicts; of several rates without what they lack."""
    try:
        return _corrected(compared, tables, asked.gold, level)
    except OutOfReach as problem:
        if not asked.several:
            raise
        note = f"{UNTESTED} at nonreturn {compared.at:g}: {problem.why}"
    errors: dict[str, Any] = dict.fromkeys(
        ["error_a", "error_b", "bounds_a", "bounds_b"]
    )
    left = _left_to_labels(compared)
    return replace(left, difference=None, notes=(note, *left.notes), **errors)


def _corrected(
    compared: Comparison, tables: Sequence["Outcomes"], gold: str | None, level: float
) -> Comparison:
    """A comparison whose errors at the nonreturn people's verdicts have corrected."""
    lines = None not in (compared.error_a, compared.error_b)
    systems = dict(zip("ab", tables, strict=True))
    at = compared.at if lines else None
    # Only where both curves reach the nonreturn; else of the systems' own decisions.
    errors, (difference,) = corrected_differences(
        systems, [("a", "b")], gold, at=at, level=level
    )
    unlike = [
        note
        for table in tables
        for note in selection_notes(table, forced_choice("compare", table, gold))
    ]
    where = f"at nonreturn {compared.at:g}" if lines else "by own decisions"
    note = _corrected_note(where, gold)
    if gold is None:
        compared = _left_to_labels(compared)
    if not lines:
        points = (compared.point_a.error, compared.point_b.error)
        return replace(
            compared,
            own=(difference, *_nonreturn_of(compared)),
            own_errors=(errors["a"], errors["b"]),
            by_judge=None
            if gold is None
            else ByJudge(*points, compared.own[0] if compared.own else None),
            bounds={n: b for n, b in compared.bounds.items() if n != "own error"},
            notes=(note, *unlike, *compared.notes),
        )
    return replace(
        compared,
        error_a=errors["a"],
        error_b=errors["b"],
        difference=difference,
        by_judge=None
        if gold is None
        else ByJudge(compared.error_a, compared.error_b, compared.difference),
        bounds={name: b for name, b in compared.bounds.items() if name != "error"},
        bounds_a=(errors["a"], errors["a"]),
        bounds_b=(errors["b"], errors["b"]),
        notes=(note, *unlike, *compared.notes),
    )


def _nonreturn_of(compared: Comparison) -> tuple[Difference, ...]:
    """The own nonreturn, if it is compared."""
    return tuple(rate for rate in compared.own if rate.quantity != OWN_RATES[0])


def _corrected_note(where: str, gold: str | None) -> str:
    if gold is None:
        return (
            f"errors {where} and their difference are those of the labelled answers; "
            "what would take a verdict on each answer is left out: areas, regions, "
            "prices"
        )
    return (
        f"errors {where} and their difference are corrected by people's verdicts in "
        f"{gold}; all else is by the verdicts as they stand"
    )


def _left_to_labels(compared: Comparison) -> Comparison:
    """A comparison without what takes every unlabelled answer for right or wrong."""
    misplaced = (LEFT_OPEN, "ungraded answers (")
    return replace(
        compared,
        area=None,
        linear=None,
        step=None,
        nonreturn=None,
        nonreturn_a=None,
        nonreturn_b=None,
        costs=replace(compared.costs, regions=()),
        bounds={},
        own=_nonreturn_of(compared),
        notes=tuple(
            note
            for note in compared.notes
            if not any(text in note for text in misplaced)
        ),
    )
