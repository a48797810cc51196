"""Curves with their outcomes, for gates on what takes both."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from demur.curves.curve_kinds import CERTIFIED, CURVE_KINDS, OUTCOMES_KINDS
from demur.curves.of_outcomes import Curves
from demur.curves.rates import NOTHING_ANSWERED
from demur.errors import InputError, UndefinedRate, shown
from demur.outcomes.fields import UNANSWERED
from demur.outcomes.parts import labelled_in_part
from demur.outcomes.table import Outcomes
from demur.results import Figure
from demur.results.gates import NAMELESS, Gate
from demur.statistics.correcting import corrected_error, labelled_part

if TYPE_CHECKING:
    from demur.decisions.counted_certificates import CountedTests


class JudgedCurves(Curves):
    """Curves that know their outcomes: gates may hold certified and corrected errors.

    Parameters
    ----------
    curves : iterable of Curve
        One for each system, or for each group of its items.
    parts : sequence of Outcomes, or of what tests counted ones
        Those of each curve.
    gold : str, optional
        The column with people's verdicts: a corrected error needs it, and a certified
        one then rests on them alone.
    at, how, common
        As for `Curves`.
    """

    KINDS: ClassVar = (*CURVE_KINDS, *OUTCOMES_KINDS)

    parts: "tuple[Outcomes | CountedTests, ...]" = ()
    gold: str | None = None

    def figures_for(self, gate: Gate) -> Iterator[Figure]:
        """The figure of each system that a gate is about."""
        kind = next((kind for kind in OUTCOMES_KINDS if kind.name == gate.name), None)
        if kind is None:
            yield from super().figures_for(gate)
            return
        for curve, part in zip(self, self.parts, strict=True):
            value, why = None, ""
            if gate.system in (None, curve.system.strip() or NAMELESS):
                try:
                    value = self._value(gate, part)
                except UndefinedRate as problem:
                    why = str(problem).removesuffix(".")
            yield Figure(kind, value, of=curve.system, why_undefined=why)

    def _value(self, gate: Gate, part: "Outcomes | CountedTests") -> float:
        key, place = gate.look_up or ("", 0.0)
        if not isinstance(part, Outcomes):
            return _counted_value(gate, part, place)
        if gate.name == "corrected_error":
            if self.gold is None and not labelled_in_part(part):
                need = "come with a column of people's verdicts on a part of the items"
                raise InputError("gate", "a corrected error", need, shown(gate.text))
            where = {key: place} if key else {}
            return corrected_error(part, self.gold, **where).corrected.value
        if self.gold is not None:
            part = labelled_part("gate", part, self.gold)
        guess, confidence = part.outcome != UNANSWERED, part.confidence
        if confidence is not None:
            guess = confidence[guess] >= place
        if not guess.any():
            raise UndefinedRate(NOTHING_ANSWERED)
        from demur.decisions.certifying import certified_error  # a page has none

        return certified_error(part, cutoff=place, certainty=gate.certainty)


def _counted_value(gate: Gate, part: "CountedTests", cutoff: float) -> float:
    """The certified error of counted outcomes."""
    if gate.name != CERTIFIED.name:
        need = "be about curves or certified errors where outcomes are counted"
        hint = "Read them into memory: demur.read_outcomes, or --engine memory."
        raise InputError("gate", "a gate", need, shown(gate.text), hint)
    if not part.answers(cutoff):
        raise UndefinedRate(NOTHING_ANSWERED)
    return part.certified_error(cutoff, gate.certainty)
