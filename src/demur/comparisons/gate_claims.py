"""What the test of two systems says to a gate that claims one to be worse."""

from typing import TYPE_CHECKING

from demur.checks import choice
from demur.errors import InputError, shown
from demur.results import p_text
from demur.results.gates import WorseGate

if TYPE_CHECKING:
    from demur.comparisons.comparison_results import Comparison


def claimed(comparison: "Comparison", gate: WorseGate) -> tuple[str, str]:
    """What the test says to a gate, and the numbers in words.

    Parameters
    ----------
    comparison : Comparison
        Of the two systems.
    gate : WorseGate
        At its own nonreturn; without one, at that of the comparison.

    Returns
    -------
    ("gate broken" or "gate holds" or "inconclusive", words)

    Raises
    ------
    InputError
        If a system is another one, or there is no test or no interval.
    """
    for name in (gate.better, gate.worse):
        choice("gate", "a system", name, [comparison.a, comparison.b])
    if gate.weight is not None:
        from demur.comparisons.weighted_claims import weighted_claim

        return weighted_claim(comparison, gate)
    if gate.at in (None, comparison.at):
        return claimed_here(comparison, gate)
    if comparison.again is None:
        need = f"be about nonreturn {comparison.at:g}"
        hint = "Compare there: demur.compare(a, b, at=...)."
        raise InputError("gate", "the text", need, shown(gate.text), hint)
    return claimed_here(comparison.again(float(gate.at or 0)), gate)


def claimed_here(comparison: "Comparison", gate: WorseGate) -> tuple[str, str]:
    """The same at the nonreturn of the comparison."""
    if comparison.difference is None:
        need = f"have a tested difference at nonreturn {comparison.at:g}"
        why = "; ".join(comparison.notes) or "none"
        raise InputError("gate", "both systems", need, why)
    forward = comparison.a == gate.better
    pair = f"{gate.worse} less {gate.better} at nonreturn {comparison.at:g}"
    if gate.margin is not None:
        return _of_margin(comparison, gate, pair, forward=forward)
    better = {"a": comparison.a, "b": comparison.b, None: ""}[comparison.better]
    verdicts = {gate.better: "gate broken", gate.worse: "gate holds"}
    value = comparison.difference.value if forward else -comparison.difference.value
    p_value = p_text(comparison.difference.final_p)
    words = f"{pair}: difference {value:+.4f}, {p_value}"
    return verdicts.get(better, "inconclusive"), words


def _of_margin(
    comparison: "Comparison", gate: WorseGate, pair: str, *, forward: bool
) -> tuple[str, str]:
    """A claim that a system is not worse by a margin: broken unless it is shown."""
    margin = gate.margin or 0.0
    ends = comparison.range_of()
    if ends is None:
        need, hint = "have an interval", "The method permutation gives none."
        raise InputError("gate", "a claim with a margin", need, gate.text, hint)
    low, high = ends if forward else (-ends[1], -ends[0])
    words = f"{pair}: difference between {low:+.4f} and {high:+.4f}"
    if comparison.not_worse(margin)[1 if forward else 0]:
        return "gate holds", words
    return "gate broken", f"{words}, so not worse by {margin:g} is not shown"
