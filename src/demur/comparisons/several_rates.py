"""Two systems at several nonreturn rates, whose tests are corrected together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Final

import numpy as np

from demur.checks import choice
from demur.comparisons.comparison_results import (
    Comparison,
    differences_table,
    rates_table,
    readings,
    verdict_text,
)
from demur.comparisons.pair_results import CORRECTED_BY, listed_rates
from demur.comparisons.pairs import CORRECTIONS, draws_needed, worst_p
from demur.errors import InputError
from demur.outcomes.reasons import with_failures
from demur.results import Column, Figure, FigureKind, Table
from demur.results.gates import WorseGate
from demur.statistics.paired_tests import REPLICATES, UNTESTED, draw_notes

_OF_RATES: Final = ("difference", "p_value", "error_a", "error_b", "judge_unusable")
_ADJUSTED: Final = FigureKind(
    "adjusted_p", "p of the difference of errors, of all rates", better="neither"
)


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonAtRates(Comparison):
    """Two systems at several rates: a `Comparison`, at the first, and all of them.

    Areas, own decisions, dominance and prices are of no rate, and stand once. Figures
    of errors and their differences are of each rate.

    Parameters
    ----------
    rates : tuple of Comparison
        At each rate; `Difference.adjusted_p` is corrected for all of them, and
        `better` and sentences go by it. Where nothing can be tested, there is no
        difference.
    correction : {"holm", "bonferroni", "none"}
        How.
    untested : mapping of float to str
        At which rates nothing could be tested, and why.

    Examples
    --------
    >>> import demur
    >>> a, b = (
    ...     demur.Outcomes.from_arrays(
    ...         system=name, correct=[k % every > 0 for k in range(400)],
    ...         confidence=range(400))
    ...     for name, every in [("a", 5), ("b", 8)])
    >>> found = demur.compare(a, b, at=[0.1, 0.2])
    >>> [(one.at, round(one.difference.p_value, 3), one.better) for one in found.rates]
    [(0.1, 0.006, 'b'), (0.2, 0.01, 'b')]
    >>> [round(one.difference.adjusted_p, 3) for one in found.rates]
    [0.013, 0.013]
    """

    KINDS: ClassVar = (*Comparison.KINDS, _ADJUSTED)

    rates: tuple[Comparison, ...] = field(default=(), repr=False)
    correction: str = "holm"
    untested: dict[float, str] = field(default_factory=dict, repr=False)

    def sentence(self) -> str:
        """Who errs less at each rate, and whether luck may explain that."""
        parts = [
            f"At nonreturn {one.at:g} nothing is tested: {self.untested[one.at]}."
            if one.at in self.untested
            else verdict_text(one)
            + ("" if one.by_judge is None else one.by_judge.use_text())
            for one in self.rates
        ]
        parts.append(f"p is {self._how()}.")
        if self.weight is not None:
            from demur.comparisons.weighted_claims import weighted_text

            parts.append(weighted_text(self).strip())
        if self.margin is not None:
            parts += [
                one.margin_text(f" at nonreturn {one.at:g}")
                for one in self.rates
                if one.difference is not None
            ]
        text = " ".join(parts)
        some = any(curve.failed for curve in self.curves)
        return with_failures(self.failed, text) if some else text

    def _how(self) -> str:
        named = CORRECTED_BY.get(self.correction)
        corrected = f"corrected by {named}" if named else "not corrected"
        return f"{corrected} for {len(self.rates)} rates"

    def figures(self) -> Iterator[Figure]:
        """Errors and differences of each rate, and the others once."""
        for one in self.rates:
            where = f"nonreturn {one.at:g}"
            for figure in one.figures():
                if figure.called in _OF_RATES:
                    yield replace(figure, of=where)
            p = None if one.difference is None else one.difference.adjusted_p
            yield Figure(_ADJUSTED, p, of=where)
        for figure in self.rates[0].figures():
            if figure.called not in _OF_RATES:
                yield figure

    def claim(self, gate: WorseGate) -> tuple[str, str]:
        """As `Comparison.claim`, by the corrected p; without a rate, of all rates.

        A claim with a margin is about each rate by itself: that it holds at all of them
        needs no correction.
        """
        if gate.weight is not None:
            return super().claim(gate)
        if gate.at is not None:
            here = [one for one in self.rates if one.at == gate.at]
            if here:
                return self._claim_at(here[0], gate)
            verdict, text = super().claim(gate)
            if gate.margin is None:
                text += f", not corrected: {gate.at:g} is none of the rates"
            return verdict, text
        tested = [one for one in self.rates if one.difference is not None]
        asked = self.rates if gate.margin is not None or not tested else tested
        claims = [self._claim_at(one, replace(gate, at=one.at)) for one in asked]
        verdicts = {verdict for verdict, _ in claims}
        verdicts |= {"inconclusive"} if len(asked) < len(self.rates) else set()
        worst = next(verdict for verdict in _WORST_FIRST if verdict in verdicts)
        words = [text for verdict, text in claims if verdict == worst]
        return worst, "; ".join(words or [text for _, text in claims])

    def _claim_at(self, one: Comparison, gate: WorseGate) -> tuple[str, str]:
        verdict, words = one.claim(gate)
        return verdict, words if gate.margin else f"{words}, {self._how()}"

    def tables(self) -> tuple[Table, ...]:
        """The errors at each rate, all differences; then as without rates."""
        of_first = self.rates[0].tables()
        rates, differences = self._rates(), self._differences()
        shown = rates, differences, *of_first[2 if self.rates[0].tested() else 1 :]
        return tuple(table for table in shown if table.rows)

    def _rates(self) -> Table:
        """Each system's errors, rate by rate; what is of no rate once, behind them."""
        first, *others = (rates_table(one) for one in self.rates)
        columns = list(zip(first.columns, zip(*first.rows, strict=True), strict=True))
        place = 2  # behind the system and its error at the first rate
        for number, table in enumerate(others, 2):
            for column, cells in zip(
                table.columns, zip(*table.rows, strict=True), strict=True
            ):
                if column.key in _ERRORS:
                    key = f"{column.key}_{number}"
                    columns.insert(place, (replace(column, key=key), cells))
                    place += 1
        heads, cells = zip(*columns, strict=True)
        return Table("", heads, tuple(zip(*cells, strict=True)))

    def _differences(self) -> Table:
        """A row for each tested difference, with p of all rates beside."""
        rows = [
            row
            for one in self.rates
            if one.difference is not None
            for row in readings(one, one.difference)
        ]
        rest = [one for one in self.tested() if one.quantity != "error"]
        rows += [row for one in rest for row in readings(self, one)]
        table = differences_table(f"{self.b} less {self.a}", rows)
        if self.correction not in CORRECTED_BY:
            return table
        place = [column.key for column in table.columns].index("p") + 1
        explained = f"corrected by {CORRECTED_BY[self.correction]} for all rates"
        column = Column("adjusted_p", "p of all rates", "p", explained)
        return replace(
            table,
            columns=(*table.columns[:place], column, *table.columns[place:]),
            rows=tuple(
                (*cells[:place], difference.adjusted_p, *cells[place:])
                for cells, (_, difference) in zip(table.rows, rows, strict=True)
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """As of the first rate; and of each rate what there is."""
        return super().to_dict() | {"rates": list(map(self._of_rate, self.rates))}

    def _of_rate(self, one: Comparison) -> dict[str, Any]:
        plain = one.to_dict()
        of_errors = ("at", "error_a", "error_b", "bounds_a", "bounds_b")
        of_difference = ("difference", "interval", "level", "p_value", "method")
        names = (*of_errors, *of_difference, "better", "not_worse", "by_judge")
        return {name: plain[name] for name in names} | {
            "adjusted_p": one.difference and one.difference.adjusted_p,
            "bounds": plain["bounds"].get("error", []),
            "not_tested": self.untested.get(one.at),
        }


_WORST_FIRST: Final = ("gate broken", "inconclusive", "gate holds")
_ERRORS: Final = ("error", "error_by_judge")


def at_rates(comparisons: Sequence[Comparison], correction: str) -> ComparisonAtRates:
    """Comparisons of two systems at several rates as one, p corrected for all."""
    corrected = _corrected_together(comparisons, correction)
    untested = {
        one.at: _why_untested(one) for one in corrected if one.difference is None
    }
    notes = dict.fromkeys(note for one in corrected for note in one.notes)
    first = {one.name: getattr(corrected[0], one.name) for one in fields(Comparison)}
    first["recipe"] = first["recipe"] | {
        "compare": f"error at nonreturn {', '.join(str(one.at) for one in corrected)}",
        "correction": correction,
    }
    comparison = ComparisonAtRates(
        **first, rates=tuple(corrected), correction=correction, untested=untested
    )
    return replace(comparison, notes=(*notes, *_family_notes(comparison)))


def _why_untested(comparison: Comparison) -> str:
    """Why there is no test of the errors at a rate."""
    few = [note for note in comparison.notes if note.startswith(UNTESTED)]
    if few:
        here = f"{UNTESTED} at nonreturn {comparison.at:g}: "
        return few[0].removeprefix(here).rstrip(".")
    named = list(zip("ab", comparison.curves, strict=True))
    names = {side: getattr(comparison, side) for side in "ab"}
    without = [names[side] for side, curve in named if curve.ladder is None]
    if without:
        return f"{without[0]} gives no confidences"
    return " and ".join(
        f"the curve of {names[side]} begins at nonreturn {curve.start:g}"
        for side, curve in named
        if curve.start > comparison.at
    )


def _family_notes(comparison: ComparisonAtRates) -> Iterator[str]:
    """Which tests are corrected together, and which are not."""
    rates = listed_rates(one.at for one in comparison.rates)
    apart = ["area"] if comparison.area else []
    apart += ["nonreturns"] if comparison.nonreturn else []
    apart += ["own decisions"] if comparison.own else []
    apart += ["dominance"] if comparison.linear else []
    apart += ["margins"] if comparison.margin is not None else []
    others = f"{', '.join([*apart, 'prices'])} and intervals are each by itself"
    if comparison.correction in CORRECTED_BY:
        yield f"errors at nonreturns {rates} are corrected together; {others}"
    else:
        yield f"errors at nonreturns {rates} are not corrected; {others}"
    if comparison.untested and comparison.correction in CORRECTED_BY:
        where = listed_rates(comparison.untested)
        yield f"nothing could be tested at nonreturn {where}, which counts with p = 1"


def check_correction(correction: str, n_rates: int, method: str) -> None:
    """Refuse what is none, and more rates than draws could show a difference at."""
    choice("compare", "correction", correction, CORRECTIONS)
    drawn = method in ("bootstrap", "permutation") and correction in CORRECTED_BY
    if drawn and draws_needed(n_rates) > REPLICATES:
        most = next(n for n in range(n_rates, 0, -1) if draws_needed(n) <= REPLICATES)
        need = f"be at most {most} rates with the method {method}"
        hint = f"{REPLICATES} draws could not show any difference at more."
        raise InputError("compare", "at", need, f"{n_rates}", hint)


def _corrected_together(
    comparisons: Sequence[Comparison], correction: str
) -> list[Comparison]:
    """The same with p corrected for all rates; what is not tested has p = 1."""
    adjust = CORRECTIONS[correction]
    tested = [
        [one.difference, *one.bounds.get("error", ())] if one.difference else []
        for one in comparisons
    ]
    alone = adjust(np.array([one[0].p_value if one else 1.0 for one in tested]))
    worst = adjust(np.array([worst_p(*one) if one else 1.0 for one in tested]))
    corrected = []
    for comparison, p, whatever in zip(comparisons, alone, worst, strict=True):
        if comparison.difference is None:
            corrected.append(comparison)
            continue
        difference = replace(comparison.difference, adjusted_p=float(p))
        bounds = dict(comparison.bounds)
        if "error" in bounds:
            low, high = bounds["error"]
            low = replace(low, adjusted_p=float(whatever))
            bounds["error"] = low, replace(high, adjusted_p=float(whatever))
        drawn = draw_notes(comparison.tested())
        kept = [note for note in comparison.notes if note not in drawn]
        moved = replace(comparison, difference=difference, bounds=bounds)
        if moved.by_judge is not None:
            moved = replace(moved, by_judge=moved.by_judge.by_p(float(p)))
        corrected.append(replace(moved, notes=(*kept, *draw_notes(moved.tested()))))
    return corrected
