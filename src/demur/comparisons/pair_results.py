"""Comparisons of many systems: one result for each pair, and all of them as one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from demur.checks import choice
from demur.comparisons.comparison_results import (
    KINDS,
    Comparison,
)
from demur.errors import InputError, shown
from demur.results import (
    Column,
    Figure,
    Result,
    Results,
    Table,
    p_text,
    plain_values,
)
from demur.results.gates import WorseGate
from demur.statistics.paired_tests import Difference

_KINDS: Final = {kind.name: kind for kind in KINDS}
_MOST_NAMES: Final = 12
_LEAST: Final = {
    "error": "errs least",
    "nonreturn": "declines least",
    "area": "has the least area",
    "own error": "errs least by its own decisions",
    "own nonreturn": "declines least by its own decisions",
}


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

    @property
    def better(self) -> str | None:
        """Who has less of it beyond luck, by the corrected p value; else None.

        All numbers that are compared are the better the smaller they are.
        """
        found = self.difference
        if self.adjusted_p > 1 - found.level or found.value == 0:
            return None
        return self.a if found.value > 0 else self.b

    @property
    def about(self) -> tuple[str, float | None, str | None]:
        """What the difference is of: pairs of one kind are corrected together."""
        return self.difference.quantity, self.difference.at, self.difference.what

    def sentence(self) -> str:
        """The difference with its interval, and p before and after the correction."""
        found, ends = self.difference, self.difference.interval
        interval = ""
        if ends is not None:
            level = f"{100 * found.level:g} % interval"
            interval = f" ({level} {ends[0]:+.4f} to {ends[1]:+.4f})"
        return (
            f"{found.text.capitalize()}: {self.b} less {self.a} is "
            f"{found.value:+.4f}{interval}, {p_text(found.p_value)}; corrected for "
            f"all pairs {p_text(self.adjusted_p)}."
        )

    def figures(self) -> Iterator[Figure]:
        """The difference with its interval, and both p values."""
        found, whose = self.difference, f"{self.b} less {self.a}"
        words = f"{100 * found.level:g} % interval"
        name = found.quantity.replace(" ", "_")
        kind = _KINDS["difference" if name == "error" else name]
        yield Figure(kind, found.value, found.low, found.high, words, of=whose)
        yield Figure(_KINDS["p_value"], found.p_value, of=whose)
        yield Figure(_KINDS["adjusted_p"], self.adjusted_p, of=whose)

    def to_dict(self) -> dict[str, Any]:
        """The pair as plain values for JSON; what it is of is ``quantity``."""
        found = plain_values(self.difference)
        more = ("replicates", "seed", "n_items", "n_clusters", "p_error", "what")
        ends = self.difference.interval
        return {
            "a": self.a,
            "b": self.b,
            **{name: found[name] for name in ("quantity", "at")},
            "value_a": self.value_a,
            "value_b": self.value_b,
            "difference": found["value"],
            "interval": None if ends is None else list(ends),
            **{name: found[name] for name in ("level", "p_value")},
            "adjusted_p": self.adjusted_p,
            "better": self.better,
            "method": found["method"],
            **{name: found[name] for name in more},
        }

    def tables(self) -> tuple[Table, ...]:
        """The pair in one row."""
        return (pairs_table([self]),)


def pairs_table(pairs: Sequence[PairDifference]) -> Table:
    """Pairs that are compared by one number, a row for each."""
    methods = {pair.difference.method for pair in pairs}
    level = f"{100 * pairs[0].difference.level:g} %"
    what = pairs[0].difference.text
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
            *("adjusted_p", "p of all pairs", "p"),
            "corrected by Holm for all rows of the table",
        ),
        Column("better", explained="who has less of it beyond luck, by p of all pairs"),
        Column("quantity", wide=True, of="difference.text"),
        Column("value_a", "of a", "share", "of a", wide=True),
        Column("value_b", "of b", "share", "of b", wide=True),
        Column("method", wide=True, explained="of the test", of="difference.method"),
    )
    title = f"Difference of {what} (by {', '.join(sorted(methods))})"
    return Table.of(title, columns, pairs, key=2)


class Comparisons(Results[PairDifference]):
    """Pairs out of many systems, by one number or by several.

    A tuple of `PairDifference`, by number, then in the order of the systems.

    Parameters
    ----------
    pairs : iterable of PairDifference
    at : float
        The nonreturn of gates that name none.
    against : str or None
        The system that all others are compared with; None for all pairs.
    notes : sequence of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    again : callable or None
        Compares two of the systems alone at a nonreturn, for gates.
    """

    PLURAL = "pairs"
    KINDS = KINDS

    at: float = 0.2
    against: str | None = None
    notes: tuple[str, ...] = ()
    again: Callable[[str, str, float], Comparison] | None = None

    @property
    def by_number(self) -> tuple[tuple[PairDifference, ...], ...]:
        """The pairs of each number, that which was asked for first."""
        parts: dict[Any, list[PairDifference]] = {}
        for pair in self:
            parts.setdefault(pair.about, []).append(pair)
        return tuple(map(tuple, parts.values()))

    def sentence(self) -> str:
        """Who is best by the number that was asked for, and whom it beats."""
        if not self:
            return "There is no pair of systems that can be compared."
        pairs = self.by_number[0]
        found = pairs[0].difference
        values = _values(pairs)
        best = min(values, key=lambda name: values[name])
        where = f" at nonreturn {found.at:g}" if found.quantity == "error" else ""
        where = f" for error {found.at:g}" if found.quantity == "nonreturn" else where
        of = "" if found.quantity == "area" else " of all items"
        first = (
            f"Of {len(values)} systems {best} {_LEAST[found.quantity]}{where}: "
            f"{values[best]:.3f}{of}."
        )
        name = best if self.against is None else self.against
        return f"{first} {_luck_text(name, pairs)}"

    def figures(self) -> Iterator[Figure]:
        """Those of the pairs; p values are of the number that was asked for."""
        for place, pairs in enumerate(self.by_number):
            for pair in pairs:
                figures = list(pair.figures())
                yield from figures if place == 0 else figures[:1]

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
            must, hint = "be about two systems", "demur.compare tests which is worse."
            raise InputError("gate", "the text", must, shown(gate.text), hint)
        at = self.at if gate.at is None else gate.at
        return self.again(gate.better, gate.worse, at).claim(gate)

    def claim_broken(self, gate: WorseGate) -> list[str]:
        """A line if the test says that the one is worse, or does not show a claim."""
        verdict, words = self.claim(gate)
        return [words] if verdict == "gate broken" else []

    def tables(self) -> Sequence[Table]:
        """The systems, the best first; then the pairs, a table for each number."""
        listed = [_systems_table(self.by_number)] if self else []
        for pairs in self.by_number:
            idle = pairs[0].difference.quantity == "own nonreturn" and not any(
                _values(pairs).values()
            )
            if not idle:  # else a table of zeros
                listed.append(pairs_table(pairs))
        return listed


def _values(pairs: Sequence[PairDifference]) -> dict[str, float]:
    """Of each system the number that is compared."""
    values: dict[str, float] = {}
    for pair in pairs:
        for name, value in ((pair.a, pair.value_a), (pair.b, pair.value_b)):
            if value is not None:
                values[name] = value
    return values


def _luck_text(name: str, pairs: Sequence[PairDifference]) -> str:
    """Which systems a system is beyond luck better or worse than."""
    rest = {
        pair.b if pair.a == name else pair.a: pair.better
        for pair in pairs
        if name in (pair.a, pair.b)
    }
    better = [other for other, who in rest.items() if who == name]
    worse = [other for other, who in rest.items() if who == other]
    alike = [other for other, who in rest.items() if who is None]
    parts = []
    if better:
        parts.append(f"{name} beats {_listed(better)} beyond luck")
    if worse:
        verb = "beats" if len(worse) == 1 else "beat"
        parts.append(f"{_listed(worse)} {verb} {name} beyond luck")
    if alike:
        what = "difference" if len(alike) == 1 else "differences"
        parts.append(f"Luck may explain the {what} between {name} and {_listed(alike)}")
    how = f" (p corrected for {len(pairs)} pairs)" if len(pairs) > 1 else ""
    return f"{'. '.join(parts)}{how}."


def _listed(names: Sequence[str]) -> str:
    if len(names) > _MOST_NAMES:
        return f"{', '.join(names[:_MOST_NAMES])} and {len(names) - _MOST_NAMES} more"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _systems_table(numbers: Sequence[Sequence[PairDifference]]) -> Table:
    """A row for each system, ranked by the first number."""
    values = [_values(pairs) for pairs in numbers]
    names = list(dict.fromkeys(name for held in values for name in held))
    asked = values[0]
    names.sort(key=lambda name: (name not in asked, asked.get(name, 0.0)))
    beaten = [pair.better for pair in numbers[0] if pair.better is not None]
    columns = [Column("system")]
    for pairs in numbers:
        found = pairs[0].difference
        head = found.quantity
        if found.at is not None:
            head = {"error": "error@{:g}", "nonreturn": "nonreturn for error {:g}"}[
                head
            ].format(found.at)
        key = found.quantity.replace(" ", "_")
        columns.append(Column(key, head, "share", _EXPLAINED[found.quantity]))
    words = f"how many others it beats beyond luck, by {columns[1].head}"
    columns.insert(2, Column("beats", cells="count", explained=words))
    rows = []
    for name in names:
        cells: list[Any] = [held.get(name) for held in values]
        cells.insert(1, beaten.count(name) if name in asked else None)
        rows.append((name, *cells))
    return Table("", tuple(columns), tuple(rows))


_EXPLAINED: Final = {
    "error": "wrong / all items",
    "nonreturn": "least share not answered",
    "area": "over the nonreturns that all curves have",
    "own error": "wrong / all items, as the system decides itself",
    "own nonreturn": "not answered / all items, as it decides itself",
}
