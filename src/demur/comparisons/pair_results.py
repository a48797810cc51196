"""Comparisons of many systems: one result for each pair, and all of them as one."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Final

from demur.checks import choice
from demur.comparisons.comparison_results import KINDS, Comparison, figure_name
from demur.comparisons.own_decisions import WEIGHTED, unknown_text
from demur.curves.curve_kinds import failures_figures
from demur.outcomes.reasons import with_failures
from demur.results import (
    Column,
    Contender,
    Figure,
    FigureKind,
    Result,
    Results,
    Standings,
    Table,
    between,
    p_text,
    plain_values,
)
from demur.results.gates import WorseGate
from demur.statistics.paired_tests import Difference

_KINDS: Final = {kind.name: kind for kind in KINDS}
_MOST_NAMES: Final = 12
CORRECTED_BY: Final = {"holm": "Holm", "bonferroni": "Bonferroni"}
"""What people call the corrections."""

_LEAST: Final = {
    "error": ("errs least", "err least", "the least error"),
    "nonreturn": ("declines least", "decline least", "the least nonreturn"),
    "area": ("has the least area", "have the least area", "the least area"),
    "own error": (
        "errs least by its own decisions",
        "err least by their own decisions",
        "the least error by their own decisions",
    ),
    "weighted error": (
        "has the least weighted error",
        "have the least weighted error",
        "the least weighted error",
    ),
    "own nonreturn": (
        "declines least by its own decisions",
        "decline least by their own decisions",
        "the least nonreturn by their own decisions",
    ),
}
"""What the best does, by the number that is compared; what two do, what more share."""


@dataclass(frozen=True, eq=False, repr=False)
class PairDifference(Result):
    """One pair out of many.

    Parameters
    ----------
    a, b : str
        The systems.
    difference : Difference
        B - A, its interval and its p value as if no other pair had been looked at.
    adjusted_p : float
        p value corrected for all pairs (Holm): what to compare with 0.05.
    value_a, value_b : float or None
        What the difference is of, for each system.
    recipe : mapping of str to str
        For the signature.
    bounds : tuple of two Difference, or empty
        With ungraded answers, which the difference takes for right: the lowest and the
        highest that it may be, whatever they are.
    bounded_p : float or None
        The greatest p of these, corrected for all pairs; 1 if they change the sign.
    bounds_a, bounds_b : tuple of float, or None
        What the number of each system may be, where ungraded answers leave it open.
    """

    KINDS: ClassVar = tuple(
        _KINDS[name] for name in ("difference", "p_value", "adjusted_p")
    )

    a: str
    b: str
    difference: Difference
    adjusted_p: float
    value_a: float | None = None
    value_b: float | None = None
    recipe: Mapping[str, str] = field(default_factory=dict)
    bounds: tuple[Difference, ...] = field(default=(), repr=False)
    bounded_p: float | None = field(default=None, repr=False)
    bounds_a: tuple[float, float] | None = field(default=None, repr=False)
    bounds_b: tuple[float, float] | None = field(default=None, repr=False)

    @property
    def better(self) -> str | None:
        """Who has less of it beyond luck, by the corrected p value; else None.

        All numbers that are compared are the better the smaller they are. With ungraded
        answers only if it is so whatever they are.
        """
        difference = self.difference
        if not self._beyond_luck or self.turned:
            return None
        return self.a if difference.value > 0 else self.b

    @property
    def _beyond_luck(self) -> bool:
        difference = self.difference
        return self.adjusted_p <= 1 - difference.level and difference.value != 0

    @property
    def bound_values(self) -> tuple[float, ...]:
        """The least and the greatest difference, whatever ungraded answers are."""
        return tuple(bound.value for bound in self.bounds)

    @property
    def equal(self) -> bool:
        """Whether both have the same number, whatever ungraded answers are."""
        readings = (self.difference, *self.bounds)
        return all(abs(difference.value) < 1e-12 for difference in readings)

    @property
    def turned(self) -> bool:
        """Whether the ungraded answers might turn what is beyond luck."""
        whatever = self.bounded_p or 0.0  # None without ungraded answers
        return self._beyond_luck and whatever > 1 - self.difference.level

    @property
    def about(self) -> tuple[str, float | None, str | None]:
        """What the difference is of: pairs of one kind are corrected together."""
        return self.difference.quantity, self.difference.at, self.difference.what

    def sentence(self) -> str:
        """The difference with its interval, and p before and after the correction."""
        difference, ends = self.difference, self.difference.interval
        interval = ""
        if ends is not None:
            level = f"{100 * difference.level:g} % interval"
            interval = f" ({level} {ends[0]:+.4f} to {ends[1]:+.4f})"
        unknown = unknown_text(difference.quantity)
        turned = f", but {unknown} might turn that" if self.turned else ""
        return (
            f"{difference.text.capitalize()}: {self.b} less {self.a} is "
            f"{difference.value:+.4f}{interval}, {p_text(difference.p_value)}; "
            f"corrected for all pairs {p_text(self.adjusted_p)}{turned}."
        )

    def figures(self) -> Iterator[Figure]:
        """The difference with its interval, and both p values."""
        difference, whose = self.difference, f"{self.b} less {self.a}"
        words = f"{100 * difference.level:g} % interval"
        kind = _KINDS[figure_name(difference)]
        low, high = difference.low, difference.high
        yield Figure(kind, difference.value, low, high, words, of=whose)
        yield Figure(_KINDS["p_value"], difference.p_value, of=whose)
        yield Figure(_KINDS["adjusted_p"], self.adjusted_p, of=whose)

    def to_dict(self) -> dict[str, Any]:
        """The pair as plain values for JSON; what it is of is ``quantity``."""
        plain = plain_values(self.difference)
        more = ("replicates", "seed", "n_items", "n_clusters", "p_error", "what")
        ends = self.difference.interval
        return {
            "a": self.a,
            "b": self.b,
            **{name: plain[name] for name in ("quantity", "at")},
            "value_a": self.value_a,
            "value_b": self.value_b,
            "difference": plain["value"],
            "interval": None if ends is None else list(ends),
            **{name: plain[name] for name in ("level", "p_value")},
            "adjusted_p": self.adjusted_p,
            "better": self.better,
            "bounds": [plain_values(bound) for bound in self.bounds],
            "method": plain["method"],
            **{name: plain[name] for name in more},
        }

    def tables(self) -> tuple[Table, ...]:
        """The pair in one row."""
        return (pairs_table([self]),)


OF_THE_TABLE: Final = "corrected by Holm for all rows of the table"


def pairs_table(
    pairs: Sequence[PairDifference], corrected: str = OF_THE_TABLE
) -> Table:
    """Pairs that are compared by one number, a row for each."""
    methods = {pair.difference.method for pair in pairs}
    level = f"{100 * pairs[0].difference.level:g} %"
    what = pairs[0].difference.text
    bounded = any(pair.bounds for pair in pairs)
    columns = (
        *(Column("a"), Column("b")),
        Column(
            *("difference", "b less a", "difference"),
            "the second system less the first",
            of="difference.value",
        ),
        Column(
            *("interval", "", "difference", f"{level}, each by itself"),
            of="difference.interval",
        ),
        Column(
            *("p", "", "p", "how often luck alone makes as large a difference"),
            of="difference.p_value",
        ),
        Column(
            *("adjusted_p", "p of all pairs", "p", corrected),
        ),
        *(
            [Column("bounds", "", "difference", _BOUNDS, of="bound_values")]
            if bounded
            else []
        ),
        Column("better", explained=_better_text(bounded=bounded)),
        Column("quantity", wide=True, of="difference.text"),
        Column("value_a", "of a", "share", "what the first system has", wide=True),
        Column("value_b", "of b", "share", "what the second system has", wide=True),
        Column(
            "method",
            explained="how p and the interval are made",
            wide=True,
            of="difference.method",
        ),
    )
    title = f"Difference of {what} (by {', '.join(sorted(methods))})"
    return Table.of(title, columns, pairs, key=2)


_BOUNDS: Final = "of b less a, whatever the ungraded answers are"


def _better_text(*, bounded: bool) -> str:
    text = "who has less of it beyond luck, by p of all pairs"
    return f"{text}, and whatever the ungraded answers are" if bounded else text


class Comparisons(Results[PairDifference]):
    """Pairs out of many systems, by one number or by several.

    A tuple of `PairDifference`, by number, then in the order of the systems.

    Parameters
    ----------
    pairs : iterable of PairDifference
        By the number that was asked for first, then by the others.
    at : float
        The nonreturn of gates that name none.
    against : str or None
        The system that all others are compared with; None for all pairs.
    correction : {"holm", "bonferroni", "none"}
        Of p values for their number.
    rates : tuple of float
        Of several, those whose pairs are corrected together; else empty.
    n_tests : int
        How many those are, with pairs that could not be tested at a rate.
    notes : sequence of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    again : callable or None
        Compares two of the systems alone at a nonreturn, for gates.
    failed : mapping of system to (int, int)
        How many of its items failed, of how many.
    """

    PLURAL = "pairs"
    KINDS = KINDS

    at: float = 0.2
    against: str | None = None
    correction: str = "holm"
    rates: tuple[float, ...] = ()
    n_tests: int = 0
    notes: tuple[str, ...] = ()
    again: Callable[[str, str, float], Comparison] | None = None
    failed: Mapping[str, tuple[int, int]] = MappingProxyType({})

    @property
    def by_number(self) -> tuple[tuple[PairDifference, ...], ...]:
        """The pairs of each number, that which was asked for first."""
        parts: dict[Any, list[PairDifference]] = {}
        for pair in self:
            parts.setdefault(pair.about, []).append(pair)
        return tuple(map(tuple, parts.values()))

    def sentence(self) -> str:
        """Who is best by the number that was asked for, and whom it beats."""
        return with_failures(self.failed, self._best_text())

    def _best_text(self) -> str:
        if not self:
            return "There is no pair of systems that can be compared."
        pairs = self.by_number[0]
        asked = pairs[0].difference
        ranking = _ranking(pairs)
        where = f" at nonreturn {asked.at:g}" if asked.quantity == "error" else ""
        where = f" for error {asked.at:g}" if asked.quantity == "nonreturn" else where
        if asked.quantity == WEIGHTED:
            where = asked.text.removeprefix(WEIGHTED)
        of = "" if asked.quantity in ("area", WEIGHTED) else " of all items"
        n_systems, words = len(ranking.ranked), _LEAST[asked.quantity]
        if ranking.known:
            who = ranking.who(*words, what="")
            first = f"Of {n_systems} systems {who}{where}: {ranking.value}{of}."
        else:
            rivals = ranking.rivals_text("{} has {}" + of, "{} {}")
            first = (
                f"Who of {n_systems} systems {words[0]}{where} is not known: {rivals}, "
                "as ungraded answers are."
            )
        return f"{first}{self._luck_text(ranking)}"

    def _luck_text(self, ranking: Standings) -> str:
        """Whom the best system beats, or the one that all are compared with."""
        pairs, tied = self.by_number[0], [contender.name for contender in ranking.best]
        names = tied if self.against is None else [self.against]
        if len(names) > 2:
            all_ = len(names) == len(ranking.ranked)
            return "" if all_ else " The table says whom each beats beyond luck."
        parts = [part for name in names for part in _luck_parts(name, pairs)]
        if not parts:
            return ""
        return f" {'. '.join(parts)}{self._how(len(pairs))}."

    def _how(self, n_pairs: int) -> str:
        """For how many tests the first number's p values are corrected."""
        if self.n_tests < 2 and n_pairs < 2:
            return ""
        if self.correction not in CORRECTED_BY:
            return " (p not corrected)"
        named = "" if self.correction == "holm" else " by Bonferroni"
        tests = f"{n_pairs} pairs"
        if self.rates:
            n_rates = len(self.rates)
            tests = f"{self.n_tests} tests: {self.n_tests // n_rates} pairs"
            tests += f" at {n_rates} rates"
        return f" (p corrected{named} for {tests})"

    def _corrected_text(self, pairs: Sequence[PairDifference]) -> str:
        """How the p values of a table are corrected."""
        if self.correction not in CORRECTED_BY:
            return "not corrected"
        rows = "rows of the table"
        difference = pairs[0].difference
        if difference.at in self.rates and difference.quantity in (
            "error",
            "nonreturn",
        ):
            rows = f"rows at {_WHERE[difference.quantity]} {listed_rates(self.rates)}"
        return f"corrected by {CORRECTED_BY[self.correction]} for all {rows}"

    def figures(self) -> Iterator[Figure]:
        """Those of the pairs; p values are of the number that was asked for.

        Of a system that answered nothing, none is defined.
        """
        kinds = dict[FigureKind, None]()
        for place, pairs in enumerate(self.by_number):
            for pair in pairs:
                figures = list(pair.figures())[: None if place == 0 else 1]
                kinds.update((figure.kind, None) for figure in figures)
                yield from figures
        yield from failures_figures(self.failed)
        compared = {name for pair in self for name in (pair.a, pair.b)}
        for name, (n_failed, items) in self.failed.items():
            if name not in compared and n_failed:
                why = "no answers to compare, "
                why += f"{n_failed:,} of {items:,} requests failed"
                for kind in kinds:
                    yield Figure(kind, None, of=name, why_undefined=why)

    def to_dict(self) -> dict[str, Any]:
        """All pairs, and how many items of each system failed."""
        failed = {name: counts[0] for name, counts in self.failed.items()}
        return super().to_dict() | {"failed": failed}

    def claim(self, gate: WorseGate) -> tuple[str, str]:
        """As `Comparison.claim`, by the test of the two systems alone.

        Raises
        ------
        InputError
            If there is no such system, or no test.
        """
        names = dict.fromkeys(name for pair in self for name in (pair.a, pair.b))
        for name in (gate.better, gate.worse):
            choice("gate", "a system", name, names)
        if self.again is None:
            return super().claim(gate)
        at = self.at if gate.at is None else gate.at  # a weight is asked for there
        return self.again(gate.better, gate.worse, at).claim(gate)

    def tables(self) -> Sequence[Table]:
        """The systems, the best first; then the pairs, a table for each number."""
        tables = [_systems_table(self.by_number)] if self else []
        for pairs in self.by_number:
            idle = pairs[0].difference.quantity == "own nonreturn" and not any(
                map(any, _values(pairs).values())
            )
            if not idle:  # else a table of zeros
                tables.append(pairs_table(pairs, self._corrected_text(pairs)))
        return tables


def _values(
    pairs: Sequence[PairDifference],
) -> dict[str, tuple[float, float]]:
    """Of each system the number that is compared, or its bounds."""
    values: dict[str, tuple[float, float]] = {}
    for pair in pairs:
        for name, value, ends in (
            (pair.a, pair.value_a, pair.bounds_a),
            (pair.b, pair.value_b, pair.bounds_b),
        ):
            if value is not None:
                values[name] = (value, value) if ends is None else ends
    return values


def _ranking(pairs: Sequence[PairDifference]) -> Standings:
    """The systems, ranked by the number that is compared."""
    return Standings(Contender(name, *ends) for name, ends in _values(pairs).items())


def _luck_parts(name: str, pairs: Sequence[PairDifference]) -> list[str]:
    """Which systems a system is beyond luck better or worse than."""
    rest = {
        pair.b if pair.a == name else pair.a: pair
        for pair in pairs
        if name in (pair.a, pair.b)
    }
    better = [other for other, pair in rest.items() if pair.better == name]
    worse = [other for other, pair in rest.items() if pair.better == other]
    turned = [other for other, pair in rest.items() if pair.turned]
    alike = [
        other
        for other, pair in rest.items()
        if pair.better is None and not pair.turned and not pair.equal
    ]
    parts = []
    if better:
        parts.append(f"{name} beats {_listed(better)} beyond luck")
    if worse:
        verb = "beats" if len(worse) == 1 else "beat"
        parts.append(f"{_listed(worse)} {verb} {name} beyond luck")
    for others, what in ((alike, "Luck may explain"), (turned, _TURNED)):
        if others:
            many = "difference" if len(others) == 1 else "differences"
            parts.append(f"{what} the {many} between {name} and {_listed(others)}")
    return parts


_WHERE: Final = {"error": "nonreturns", "nonreturn": "errors"}
_TURNED: Final = "Ungraded answers might turn"


def listed_rates(rates: Iterable[float]) -> str:
    """Rates in words: 0.1, 0.2 and 0.4."""
    return _listed([f"{rate:g}" for rate in rates])


def _listed(names: Sequence[str]) -> str:
    if len(names) > _MOST_NAMES:
        return f"{', '.join(names[:_MOST_NAMES])} and {len(names) - _MOST_NAMES} more"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _systems_table(numbers: Sequence[Sequence[PairDifference]]) -> Table:
    """A row for each system, ranked by the first number."""
    values = [_values(pairs) for pairs in numbers]
    asked = [standing.name for standing in _ranking(numbers[0]).ranked]
    names = dict.fromkeys([*asked, *(name for held in values for name in held)])
    beaten = [pair.better for pair in numbers[0] if pair.better is not None]
    columns = [Column("system")]
    for pairs in numbers:
        difference = pairs[0].difference
        head = difference.quantity
        if difference.at is not None:
            head = {"error": "error@{:g}", "nonreturn": "nonreturn for error {:g}"}[
                head
            ].format(difference.at)
        key = difference.quantity.replace(" ", "_")
        columns.append(Column(key, head, "share", _EXPLAINED[difference.quantity]))
    words = f"how many others it beats beyond luck, by {columns[1].head}"
    columns.insert(2, Column("beats", cells="count", explained=words))
    rows = []
    for name in names:
        cells: list[Any] = [
            between(*held[name]) if name in held else None for held in values
        ]
        cells.insert(1, beaten.count(name) if name in asked else None)
        rows.append((name, *cells))
    return Table("", tuple(columns), tuple(rows))


_EXPLAINED: Final = {
    "error": "wrong / all items",
    "nonreturn": "least share not answered",
    "area": "over the nonreturns that all curves have",
    "own error": "wrong / all items, as the system decides itself",
    "own nonreturn": "not answered / all items, as it decides itself",
    "weighted error": "weight x own error + own nonreturn",
}
