"""Two systems by their weighted errors: what is said of them, and what gates claim."""

from typing import TYPE_CHECKING, Any

from demur.comparisons.own_decisions import WEIGHTED, unknown_text
from demur.curves.rates import Point
from demur.errors import InputError, shown
from demur.results import p_text
from demur.results.gates import WorseGate
from demur.results.text import span
from demur.statistics.paired_tests import Difference

if TYPE_CHECKING:
    from demur.comparisons.comparison_results import Comparison


def weighted_ends(point: Point, weight: float) -> tuple[float, float]:
    """The weighted error of an operating point, or its bounds with ungraded answers."""
    low, high = point.bounds
    return weight * low + point.nonreturn, weight * high + point.nonreturn


def both_ends(comparison: "Comparison") -> list[tuple[float, float]]:
    """The same of each of two systems."""
    weight, points = comparison.weight or 0.0, (comparison.point_a, comparison.point_b)
    return [weighted_ends(point, weight) for point in points]


def weighted_text(comparison: "Comparison") -> str:
    """Who has the lesser weighted error, and whether luck may explain that."""
    tested = _tested(comparison)
    start = f" If a wrong answer costs {comparison.weight:g}, "
    names = comparison.a, comparison.b
    both = [span(*ends) for ends in both_ends(comparison)]
    if not tested:
        return f"{start}weighted errors are {both[0]} and {both[1]}; there is no test."
    first = tested[0]
    if first.value == 0:
        return f"{start}both have the same weighted error, {both[0]}."
    less = int(first.value < 0)
    text = f"{start}{names[less]} has the lesser weighted error, {both[less]} against "
    text += both[1 - less]
    if first.final_p > 1 - first.level:
        return f"{text}, but luck may explain that ({p_text(first.final_p)})."
    if _agreed(tested) is None:
        unknown = unknown_text(WEIGHTED)
        return f"{text} ({p_text(first.final_p)}), but {unknown} might turn that."
    return f"{text}, beyond luck ({p_text(first.final_p)})."


def weighted_claim(comparison: "Comparison", gate: WorseGate) -> tuple[str, str]:
    """What the test of weighted errors says to a gate, and the numbers in words.

    Raises
    ------
    InputError
        If there is no test.
    """
    if comparison.weight != gate.weight:
        if comparison.again is None:
            need, hint = "be about a weight that was compared", "demur.compare(weight=)"
            raise InputError("gate", "the text", need, shown(gate.text), hint)
        again: Any = comparison.again
        comparison = again(comparison.at, weight=gate.weight)
    tested = _tested(comparison)
    if not tested:
        need, why = "have tested weighted errors", "; ".join(comparison.notes) or "none"
        raise InputError("gate", "both systems", need, why)
    forward = comparison.a == gate.better
    pair = f"{gate.worse} less {gate.better} at weight {gate.weight:g}"
    if gate.margin is not None:
        low, high = comparison.range_of(WEIGHTED) or (0.0, 0.0)
        low, high = (low, high) if forward else (-high, -low)
        words = f"{pair}: difference between {low:+.4f} and {high:+.4f}"
        if high < gate.margin:
            return "gate holds", words
        return "gate broken", f"{words}, so not worse by {gate.margin:g} is not shown"
    better = {"a": comparison.a, "b": comparison.b, None: ""}[_agreed(tested)]
    verdicts = {gate.better: "gate broken", gate.worse: "gate holds"}
    value = tested[0].value if forward else -tested[0].value
    words = f"{pair}: difference {value:+.4f}, {p_text(tested[0].final_p)}"
    return verdicts.get(better, "inconclusive"), words


def _tested(comparison: "Comparison") -> list[Difference]:
    """The difference, and with unknown answers the least and the most it may be."""
    tested = [one for one in comparison.own if one.quantity == WEIGHTED]
    return [*tested, *comparison.bounds.get(WEIGHTED, ())]


def _agreed(tested: list[Difference]) -> str | None:
    """Who is better whatever the unknown answers are."""
    verdicts = {difference.better for difference in tested}
    return verdicts.pop() if len(verdicts) == 1 else None
