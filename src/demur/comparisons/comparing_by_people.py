"""Two systems compared by people's verdicts on a part of their answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from demur.comparisons.comparison_results import Comparison
from demur.comparisons.judge_uses import JudgeUse, judge_use
from demur.comparisons.own_decisions import OWN_RATES
from demur.outcomes.labelling import LEFT_OPEN, OutOfReach
from demur.outcomes.parts import sample_of
from demur.results import Figure, Result
from demur.statistics.correcting import forced_choice, selection_notes
from demur.statistics.correcting_differences import (
    PREDICTED,
    corrections_of,
    tested_difference,
)
from demur.statistics.paired_tests import UNTESTED, Difference

if TYPE_CHECKING:
    from demur.comparisons.comparing import Compared
    from demur.outcomes.table import Outcomes


UNCHECKED: Final = (
    "a model has judged these answers and nobody has checked it: people's verdicts on "
    "a part of them, as demur sample --for judge draws it, say whether it may be used"
)


@dataclass(frozen=True, eq=False, repr=False)
class ByJudge(Result):
    """What a noisy judge says of a comparison that people's verdicts correct.

    Parameters
    ----------
    error_a, error_b : float or None
        Errors at the nonreturn.
    difference : Difference or None
        Of these.
    use : JudgeUse or None
        Whether the judge may be used for the comparison.
    """

    error_a: float | None
    error_b: float | None
    difference: Difference | None
    use: JudgeUse | None = None

    def use_text(self) -> str:
        """The sentence on that, behind another one."""
        return "" if self.use is None else f" {self.use.sentence()}"

    def figures(self) -> Iterator[Figure]:
        """Whether the judge may not be used."""
        if self.use is not None:
            yield from self.use.figures()

    def by_p(self, p_value: float) -> "ByJudge":
        """The same by a p value that is corrected for several rates."""
        if self.use is None:
            return self
        return replace(self, use=replace(self.use, p_value=p_value))


def unchecked_notes(gold: str | None) -> Iterator[str]:
    """What to say of verdicts of a model, unless people have checked some."""
    if gold is None:
        yield UNCHECKED


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
    corrections = corrections_of(systems, gold, at)
    a, b = corrections["a"], corrections["b"]
    how = level, "labels" if gold is None else PREDICTED
    difference = tested_difference(a, b, sample_of(tables[0]), at, how)
    use = None if gold is None else judge_use(a, b, difference)
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
            own_errors=(a.error, b.error),
            by_judge=None
            if gold is None
            else ByJudge(*points, compared.own[0] if compared.own else None, use),
            bounds={n: b for n, b in compared.bounds.items() if n != "own error"},
            notes=(note, *unlike, *compared.notes),
        )
    return replace(
        compared,
        error_a=a.error,
        error_b=b.error,
        difference=difference,
        by_judge=None
        if gold is None
        else ByJudge(compared.error_a, compared.error_b, compared.difference, use),
        bounds={name: b for name, b in compared.bounds.items() if name != "error"},
        bounds_a=(a.error, a.error),
        bounds_b=(b.error, b.error),
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
