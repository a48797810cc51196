"""What changed between two kept runs, as a result."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from demur.results import (
    Column,
    Figure,
    FigureKind,
    Result,
    Table,
    count,
    p_text,
    with_noun,
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ChangedPart(Result):
    """A part of the recipe, or of what is known of a run, that differs.

    Parameters
    ----------
    name : str
        Such as "comparator".
    a, b : str or None
        What it is in both; None where it is not said.
    """

    name: str
    a: str | None
    b: str | None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ChangedItems(Result):
    """Items that differ in one way.

    Parameters
    ----------
    what : str
        "added", "gone", "other reference", or a verdict as in "wrong → right".
    system : str
        Whose verdict it is; "" of the data.
    items : int
        How many.
    first : tuple of str
        The first of them by name.
    """

    what: str
    system: str = ""
    items: int
    first: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ChangedFigure(Result):
    """A number of one system in both runs.

    Parameters
    ----------
    system : str
        With its setting; both names where they differ.
    number : str
        What it is, such as "error at nonreturn 0.2".
    a, b : float or None
        In each run; None where it is undefined.
    change, low, high, p_value : float or None
        Of the paired test, b less a; None if there is none.
    items : int
        That both were compared on.
    why : str
        Why there is no test.
    """

    system: str
    number: str
    a: float | None
    b: float | None
    change: float | None = None
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    items: int = 0
    why: str = ""

    @property
    def interval(self) -> tuple[float, float] | None:
        """That of the change."""
        if self.low is None or self.high is None:
            return None
        return self.low, self.high


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RunDiff(Result):
    """What changed from one kept run to another.

    Parameters
    ----------
    a, b : int
        Their numbers.
    parts : tuple of ChangedPart
        Of the recipes.
    data : tuple of ChangedItems
        Items added and gone, and those with other references.
    verdicts : tuple of ChangedItems
        Items whose verdict changed, by system, the most frequent change first.
    numbers : tuple of ChangedFigure
        The error of each system in both, with a paired test where they are comparable.
    same_items : int
        How many items both have.
    level : float
        Of the intervals.
    notes : tuple of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    """

    KINDS: ClassVar = (
        count("changed", "items whose verdict changed"),
        FigureKind("difference", "the error of b less that of a", least=-1.0),
        FigureKind("p_value", "p of that difference", better="neither"),
    )

    a: int
    b: int
    parts: tuple[ChangedPart, ...]
    data: tuple[ChangedItems, ...]
    verdicts: tuple[ChangedItems, ...]
    numbers: tuple[ChangedFigure, ...]
    same_items: int
    level: float = 0.95
    notes: tuple[str, ...] = ()
    recipe: Mapping[str, str] = field(default_factory=dict)

    def figures(self) -> Iterator[Figure]:
        """Changed verdicts, and the difference of each system with its p."""
        changed, difference, p_value = self.KINDS
        for number in self.numbers:
            moved = [row for row in self.verdicts if row.system == number.system]
            total = float(sum(row.items for row in moved))
            yield Figure(changed, total, of=number.system)
            ends = number.low, number.high
            yield self.figure(difference, number.change, ends, of=number.system)
            yield Figure(p_value, number.p_value, of=number.system)

    def sentence(self) -> str:
        """How many verdicts changed, and how the errors did."""
        moved = sum(row.items for row in self.verdicts)
        clauses = [f"{with_noun(moved, 'verdict')} changed on {self.same_items} items"]
        clauses += [self._of_number(number) for number in self.numbers]
        parts = ", ".join(part.name for part in self.parts)
        clauses += [f"other {parts}"] if parts else []
        counted = [f"{row.items} {row.what}" for row in self.data]
        clauses += [f"items: {', '.join(counted)}"] if counted else []
        return f"From run {self.a} to run {self.b}: {'; '.join(clauses)}."

    def _of_number(self, number: ChangedFigure) -> str:
        name = f"{number.system}: " if number.system else ""
        ends = ["none" if end is None else f"{end:.3f}" for end in (number.a, number.b)]
        words = f"{name}{number.number} {ends[0]} and then {ends[1]}"
        if number.p_value is None:
            return words
        return f"{words} ({p_text(number.p_value)})"

    def tables(self) -> tuple[Table, ...]:
        """Recipes, data, verdicts and figures, as far as there is something."""
        listed: list[tuple[str, tuple[Column, ...], tuple[Any, ...]]] = [
            ("Errors", _NUMBERS, self.numbers),
            ("Verdicts that changed", _VERDICTS, self.verdicts),
            ("Data", _DATA, self.data),
            ("How they were judged", _PARTS, self.parts),
        ]
        return tuple(
            Table.of(title, columns, [_ChangedRow(row) for row in rows]).without_empty()
            for title, columns, rows in listed
            if rows
        )


_ROOM: Final = 40
"""So many letters of names stand in a cell, which would be cut in their midst."""


@dataclass(frozen=True)
class _ChangedRow:
    """A row whose items stand in one cell."""

    row: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.row, name)

    @property
    def named(self) -> str:
        """As many names as have room in a cell, each whole; the first in any case."""
        shown: list[str] = []
        for name in self.row.first:
            if shown and len(", ".join([*shown, name])) > _ROOM:
                break
            shown.append(name)
        more = ", ..." if self.row.items > len(shown) else ""
        return ", ".join(shown) + more


_PARTS: Final = (Column("name", "what"), Column("a"), Column("b"))
_DATA: Final = (
    Column("what", "items"),
    Column("items", "number", "count"),
    Column("first", "such as", of="named"),
)
_VERDICTS: Final = (
    Column("system"),
    Column("what", "verdict"),
    Column("items", cells="count"),
    Column("first", "such as", of="named"),
)
_NUMBERS: Final = (
    Column("system"),
    Column("number", "what"),
    Column("a", cells="share"),
    Column("b", cells="share"),
    Column("change", cells="difference"),
    Column("interval", cells="difference", explained="of the change"),
    Column("p", cells="p", of="p_value"),
    Column("items", cells="count", wide=True),
    Column("why", "no test"),
)
