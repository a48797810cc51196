"""What an experiment shows: errors, tests, crossings, and the sentence they allow.

Nothing is said that a test does not carry. A difference is called one only where the
p value, corrected for all tests of the experiment, is at most 0.05; everywhere else
"no difference is shown", which is not the same as "there is none".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from shared import Experiment, Pair

import demur
from demur.comparisons.comparison_results import Comparison
from demur.comparisons.geometry import Geometry
from demur.comparisons.pairs import holm
from demur.comparisons.power import comparison_plan
from demur.statistics.paired_tests import Difference

RATES = (0.0, 0.2, 0.3)
"""Forced choice, the paper's critical region, and the rate that it quotes."""
LIMIT = 0.05
RANGE = 0.5
"""Up to which nonreturn curves are drawn, and shares of the range are counted."""
POINT = 0.01
"""The difference for which the needed number of inputs is given."""

Question = tuple[str, str, float | None]
"""Systems a and b, and the nonreturn; None asks for the areas under the curves."""


@dataclass(frozen=True)
class Tested:
    """The error (or area) of b less that of a, with its test.

    Parameters
    ----------
    a, b : str
        The systems.
    at : float or None
        The nonreturn; None if the areas under the curves are compared instead.
    of_a, of_b, value, low, high : float
        Errors (or areas), their difference, and its 95 % interval by itself.
    p_value, adjusted_p : float
        By itself, and corrected for all tests of the experiment.
    """

    a: str
    b: str
    at: float | None
    of_a: float
    of_b: float
    value: float
    low: float
    high: float
    p_value: float
    adjusted_p: float

    @property
    def verdict(self) -> str | None:
        """Whether b makes "fewer" or "more" errors, or None if neither is shown."""
        if self.adjusted_p > LIMIT or self.value == 0:
            return None
        return "fewer" if self.value < 0 else "more"


def block(experiment: Experiment) -> str:
    """The generated part of the page: three tables, then the sentences."""
    curves = curves_of(experiment)
    compared = comparisons_of(experiment)
    tests = tested(curves, differences(experiment, compared))
    return "\n\n".join(
        [
            size(experiment),
            table_of_curves(curves),
            table_of_tests(tests),
            table_of_crossings(compared),
            sentences(experiment, tests),
        ]
    )


# -- numbers -----------------------------------------------------------------------


def curves_of(experiment: Experiment) -> dict[str, demur.Curve]:
    """The error-return curve of each system."""
    return {
        name: demur.error_return(outcomes)
        for name, outcomes in experiment.systems.items()
    }


def comparisons_of(experiment: Experiment) -> dict[Pair, Comparison]:
    """Each pair by itself, for its areas and crossings.

    The method is named to save the time of a bootstrap that nothing here reads; areas
    are compared by their standard error whatever the method.
    """
    systems = experiment.systems
    return {
        (a, b): demur.compare(systems[a], systems[b], method="influence")
        for a, b in experiment.pairs
    }


def differences(
    experiment: Experiment, compared: Mapping[Pair, Comparison]
) -> dict[Question, Difference]:
    """The difference of each pair at each of the rates, and of its areas.

    They are those that ``demur compare`` gives by default: a paired bootstrap for an
    error, by cluster where the data has clusters.
    """
    found: dict[Question, Difference] = {}
    for a, b in experiment.pairs:
        pair = experiment.systems[a], experiment.systems[b]
        for at in RATES:
            found[a, b, at] = demur.compare(*pair, at=at).difference
        found[a, b, None] = compared[a, b].area
    return found


def tested(
    curves: Mapping[str, demur.Curve], found: Mapping[Question, Difference]
) -> list[Tested]:
    """The differences, their p values corrected together by Holm."""
    adjusted = holm(np.array([each.p_value for each in found.values()]))
    return [
        Tested(
            a=a,
            b=b,
            at=at,
            of_a=_number(curves[a], at),
            of_b=_number(curves[b], at),
            value=each.value,
            low=each.low,
            high=each.high,
            p_value=each.p_value,
            adjusted_p=float(p_value),
        )
        for ((a, b, at), each), p_value in zip(found.items(), adjusted, strict=True)
    ]


def lower(found: Geometry, name: str) -> float:
    """Share of the nonreturn rates up to `RANGE` at which one curve is the lower."""
    return sum(
        max(0.0, min(each.end, RANGE) - each.start) / RANGE
        for each in found.regions
        if each.better == name
    )


def _number(curve: demur.Curve, at: float | None) -> float:
    return curve.area().value if at is None else curve.at(nonreturn=at).error


# -- tables ------------------------------------------------------------------------


def size(experiment: Experiment) -> str:
    """How many inputs there are, and how they belong together."""
    outcomes = next(iter(experiment.systems.values()))
    parts = [f"{len(outcomes):,} inputs"]
    if outcomes.cluster is not None:
        n_clusters = len(np.unique(outcomes.cluster))
        parts.append(f"of {n_clusters:,} {experiment.clusters}")
    unanswerable = int(np.count_nonzero(~outcomes.column("answerable")))
    if unanswerable:
        parts.append(f"{unanswerable:,} of them without a right answer")
    return ", ".join(parts) + "."


def table_of_curves(curves: Mapping[str, demur.Curve]) -> str:
    """Errors of each system at the rates, and the area under its curve."""
    rows = [
        [name, *(f"{_number(curve, at):.4f}" for at in (*RATES, None))]
        for name, curve in curves.items()
    ]
    return table(["error of", "forced choice", "at 0.2", "at 0.3", "area"], rows)


def table_of_tests(tests: Sequence[Tested]) -> str:
    """Every difference with its interval and p values."""
    header = ["a", "b", "of", "b less a", "from", "to", "p", "p of all"]
    rows = [
        [
            each.a,
            each.b,
            _place(each.at),
            *(f"{number:+.4f}" for number in (each.value, each.low, each.high)),
            _rounded(each.p_value),
            _rounded(each.adjusted_p),
        ]
        for each in tests
    ]
    return table(header, rows)


def table_of_crossings(compared: Mapping[Pair, Comparison]) -> str:
    """Dominance and crossings of each pair, in both readings."""
    header = ["a", "b", "reading", "never above", "crossings", "a lower", "b lower"]
    rows = []
    for (a, b), both in compared.items():
        for found in (both.linear, both.step):
            never = {"a": a, "b": b, None: "neither"}[found.dominates]
            shares = [f"{lower(found, name):.2f}" for name in ("a", "b")]
            rows.append(
                [a, b, found.reading, never, str(len(found.crossings)), *shares]
            )
    return table(header, rows)


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _place(at: float | None) -> str:
    if at is None:
        return "area"
    return f"at {at:g}" if at else "forced"


def _rounded(p_value: float) -> str:
    return f"{p_value:.3f}" if p_value >= 0.001 else "<0.001"


# -- sentences ---------------------------------------------------------------------


def sentences(experiment: Experiment, tests: Sequence[Tested]) -> str:
    """What the paper would write about each pair, as a list."""
    lines = []
    for (a, b), found in groupby(tests, key=lambda each: (each.a, each.b)):
        of_pair = list(found)
        words = sentence(of_pair)
        if any(each.at == 0.2 and each.verdict is None for each in of_pair):
            words += " " + needed(experiment.systems[a], experiment.systems[b])
        lines.append(f"- {words}")
    return "\n".join(lines)


def sentence(tests: Sequence[Tested]) -> str:
    """What the tests of one pair show, and where they show nothing."""
    a, b = f"*{tests[0].a}*", f"*{tests[0].b}*"
    said = []
    for verdict in ("fewer", "more"):
        found = [each for each in tests if each.verdict == verdict]
        if found:
            what = f"{b} makes {verdict} errors than {a}"
            said.append(f"{_places(found)}, {what}: {_listed(map(_errors, found))}.")
    rest = [each for each in tests if each.verdict is None]
    if rest:
        between = "" if said else f" between {a} and {b}"
        p_values = _least([each.adjusted_p for each in rest])
        said.append(f"{_places(rest)}, no difference{between} is shown ({p_values}).")
    return " ".join(said)


def needed(a: demur.Outcomes, b: demur.Outcomes) -> str:
    """How many inputs would show one point at the paper's critical region."""
    found = comparison_plan(a, b, difference=POINT, at=0.2)
    places = 2 - len(str(found.items))
    items = f"{round(found.items, places):,}"
    return (
        "(Tested alone, a difference of one point at 20 % is likely to show with about "
        f"{items} inputs; here are {len(a):,}.)"
    )


def _places(tests: Sequence[Tested]) -> str:
    rates = [f"{100 * each.at:g} %" for each in tests if each.at]
    places = [
        *("in forced choice" for each in tests if each.at == 0),
        *([f"at {_listed(rates)} nonreturn"] if rates else []),
        *("on average over the curve" for each in tests if each.at is None),
    ]
    said = _listed(places)
    return said[0].upper() + said[1:]


def _errors(each: Tested) -> str:
    p_value = _rounded(each.adjusted_p)
    shown = f"p = {p_value}".replace("= <", "< ")
    return f"{100 * each.of_b:.1f} % against {100 * each.of_a:.1f} % ({shown})"


def _least(p_values: Sequence[float]) -> str:
    least, greatest = _rounded(min(p_values)), _rounded(max(p_values))
    if len(p_values) == 1:
        return f"p = {least}"
    return f"all p = {least}" if least == greatest else f"all p at least {least}"


def _listed(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
