"""Errors counted item by item over reference units, such as words: rates and outcomes.

What every measure here shares that divides errors by units of the reference: items
that the system declined stand apart, and count as wholly missed where they count.
"""

import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Self

import numpy as np

from demur import checks
from demur.arrays import Flags, Floats, Positions
from demur.errors import InputError, UndefinedRate, shown
from demur.outcomes.fields import RIGHT, UNANSWERED, WRONG
from demur.outcomes.gaps import is_gap
from demur.outcomes.named_columns import (
    NamedColumns,
    cluster_codes,
    name_text,
    named_columns,
)
from demur.outcomes.row_names import aligned
from demur.outcomes.table import Outcomes
from demur.results import Column, FigureKind, Result, Table, count, exactly, with_noun
from demur.results.text import interval_text
from demur.statistics.ratios import ratio_interval
from demur.statistics.units import FEWEST_UNITS, too_few, unit_sums


@dataclass(frozen=True, eq=False)
class CountedItems:
    """Errors of each item.

    Parameters
    ----------
    errors, units : array of int, shape (n_items,)
        Errors of the answer; units of the reference. Of an item that was declined, the
        errors are its units.
    answered : array of bool, shape (n_items,)
        Whether there is an answer.
    cluster : array of int, shape (n_items,), or None
        Which items belong together, from 0; None if each stands alone.
    item : array, shape (n_items,)
        Names, or numbers of rows.
    confidence : array of float, shape (n_items,), or None
        Looked at where there is an answer.
    system : str
        Its name; "" if there is one alone.
    cluster_names : sequence, or None
        What the numbers of clusters stand for; None if for themselves.
    """

    errors: Positions
    units: Positions
    answered: Flags
    cluster: Positions | None
    item: Any
    confidence: Floats | None = None
    system: str = ""
    cluster_names: Sequence[Any] | None = None

    def __post_init__(self) -> None:
        checks.text("the measure", "system", self.system)

    def __len__(self) -> int:
        return len(self.errors)

    def rate(self, level: float, *, answered_only: bool = False) -> "UnitRate":
        """Errors over units, of all items or of those answered."""
        kept = self.answered if answered_only else np.ones(len(self), bool)
        cluster = self.cluster
        if cluster is not None:
            # Clusters that are wholly declined leave no unit of their own.
            cluster = np.unique(cluster[kept], return_inverse=True)[1]
        errors, units = self.errors[kept], self.units[kept]
        ends = ratio_interval(errors, units, cluster, level, share=False)
        wrong, total = int(errors.sum()), int(units.sum())
        return UnitRate(wrong / total if total else None, ends, wrong, total)

    def few_units(self, *, answered_only: bool = False) -> str:
        """Why the rate has no interval; "" if it has, or is undefined itself."""
        units = self.units * self.answered if answered_only else self.units
        sums = unit_sums(units.astype(float), self.cluster)
        n_units = int(np.count_nonzero(sums))
        if not 0 < n_units < FEWEST_UNITS:
            return ""
        return too_few(n_units, clustered=self.cluster is not None)

    def rows_as_in(self, other: "CountedItems") -> Positions:
        """Rows in the order of another's items; as they are if one has no names.

        Raises
        ------
        InputError
            If the items are not the same.
        """
        if self.item.dtype != object or other.item.dtype != object:
            return np.arange(len(self))
        rows = {name: row for row, name in enumerate(self.item.tolist())}
        wanted = other.item.tolist()
        if rows.keys() != set(wanted):
            strange = next(iter(rows.keys() ^ set(wanted)))
            need, got = "have the same items", f"{shown(strange)} in one alone"
            raise InputError("compare_words", "both systems", need, got)
        return np.array([rows[name] for name in wanted], np.int64)

    @property
    def empty(self) -> int:
        """Items with an empty reference."""
        return int((self.units == 0).sum())

    @property
    def clipped(self) -> int:
        """Items with more errors than units: their credit is 0, not less."""
        return int(((self.errors > self.units) & (self.units > 0)).sum())

    def outcomes(self, recipe: dict[str, str]) -> Outcomes:
        """Each item as an outcome: credit 1 - errors / units, weight units.

        Items with an empty reference have no weight and are left out.

        Raises
        ------
        UndefinedRate
            If every reference is empty.
        """
        kept = self.units > 0
        if not kept.any():
            raise UndefinedRate("every reference is empty.", where="outcomes")
        credit = np.maximum(1 - self.errors[kept] / self.units[kept], 0.0)
        answered = self.answered[kept]
        judged = np.where(credit > 0, RIGHT, WRONG)
        many = _counted(self.empty, "item", "items")
        empty = f"{many} with an empty reference left out"
        have = _counted(self.clipped, "item has", "items have")
        more = f"{have} more errors than units; as an outcome the credit is 0"
        notes = {empty: self.empty, more: self.clipped}
        confidence = None
        if self.confidence is not None:
            confidence = np.where(answered, self.confidence[kept], np.nan)
        return Outcomes(
            item=np.asarray(self.item)[kept],
            system=np.full(int(kept.sum()), self.system, object),
            outcome=np.where(answered, judged, UNANSWERED).astype(np.uint8),
            credit=np.where(answered, credit, 0.0),
            confidence=confidence,
            weight=self.units[kept].astype(float),
            cluster=self._names_of_clusters(kept),
            recipe=recipe,
            notes=tuple(note for note, many in notes.items() if many),
        )

    def _names_of_clusters(self, kept: Flags) -> Any:
        if self.cluster is None:
            return None
        names = self.cluster_names
        if names is None:
            names = range(int(self.cluster.max()) + 1)
        return np.array([*map(name_text, names)], object)[self.cluster[kept]]


@dataclass(frozen=True, eq=False, repr=False)
class UnitRate(Result):
    """Errors over units of the reference.

    Parameters
    ----------
    value : float or None
        Errors / units, which may be above 1; None without any unit.
    interval : (float, float) or None
        Over clusters; None if there are fewer than five.
    errors, units : int
        What is divided.
    """

    value: float | None
    interval: tuple[float, float] | None
    errors: int
    units: int

    def sentence(self) -> str:
        """What is divided, and the rate."""
        value = "undefined" if self.value is None else f"{self.value:.4g}"
        return (
            f"{with_noun(self.errors, 'error')} on {with_noun(self.units, 'unit')} of "
            f"the references: {value}."
        )


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CountedResult(Result):
    """What results share whose items may be taken as outcomes."""

    system: str
    recipe: dict[str, str] = field(default_factory=dict)
    counted: CountedItems = field(repr=False, compare=False)

    def outcomes(self) -> Outcomes:
        """Items as outcomes: credit 1 - errors / units, weight units."""
        return self.counted.outcomes(dict(self.recipe))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CountedErrors(CountedResult):
    """What results share that divide substitutions, deletions and insertions by units.

    Their class says what is counted, and has two fields with the rates; the rest
    follows.
    """

    SHORT: ClassVar[str]
    """The name of the rate, such as wer; a field, as with _answered behind it."""
    UNIT: ClassVar[str]
    """What is counted, such as word."""

    utterances: int
    declined: int
    substitutions: int
    deletions: int
    insertions: int
    empty_references: int
    clipped: int
    level: float

    @classmethod
    def of_edits(
        cls,
        table: NamedColumns,
        edits: Positions,
        answered: Flags,
        recipe: dict[str, str],
        **further: Any,
    ) -> Self:
        """The result of the items of a table.

        Parameters
        ----------
        table : NamedColumns
            What else there is of the items, such as clusters.
        edits : array of int, shape (n_items, 4)
            Substitutions, deletions and insertions, of an item that was declined all
            its units deleted; and the units of the reference.
        answered : array of bool, shape (n_items,)
            Whether there is an answer.
        recipe : mapping of str to str
            Of what only this measure has.
        **further : any
            ``system``, ``level``, and fields that only this measure has.
        """
        errors, system, level = edits[:, :3], further["system"], further["level"]
        items = counted_items(table, errors.sum(axis=1), edits[:, 3], answered, system)
        substitutions, deletions, insertions = errors[answered].sum(axis=0).tolist()
        further[cls.SHORT] = items.rate(level)
        further[f"{cls.SHORT}_answered"] = items.rate(level, answered_only=True)
        return cls(
            utterances=len(items),
            declined=int((~answered).sum()),
            substitutions=substitutions,
            deletions=deletions,
            insertions=insertions,
            empty_references=items.empty,
            clipped=items.clipped,
            recipe={
                "measure": f"{cls.UNIT} error rate",
                **recipe,
                "declined": "deleted",
                "level": exactly(level),
                "n": str(len(items)),
            },
            counted=items,
            **further,
        )

    def to_dict(self) -> dict[str, Any]:
        """As plain values, in the order in which they are counted."""
        plain = super().to_dict()
        first = (
            *("system", "utterances", "declined"),
            *(self.SHORT, f"{self.SHORT}_answered"),
            *("substitutions", "deletions", "insertions"),
            *(column.key for column, _ in self.further_columns()),
        )
        return {name: plain[name] for name in first} | plain

    @property
    def rates(self) -> tuple[UnitRate, UnitRate]:
        """The rate over all utterances, and over those with a hypothesis."""
        return getattr(self, self.SHORT), getattr(self, f"{self.SHORT}_answered")

    def sentence(self) -> str:
        """The rate, how sure it is, and what it is a share of."""
        whole, _ = self.rates
        if whole.value is None:
            return f"The references have no {self.UNIT}s, so there is no error rate."
        name = f" of {self.system}" if self.system else ""
        declined = f", {self.declined} declined" if self.declined else ""
        return (
            f"The {self.UNIT} error rate{name} is {whole.value:.3f}"
            f"{interval_text(whole.interval, self.level)}: "
            f"{with_noun(whole.errors, 'error')} on "
            f"{with_noun(whole.units, self.UNIT)} "
            f"({with_noun(self.utterances, 'utterance')}{declined})."
        )

    def tables(self) -> tuple[Table, ...]:
        """Counts and rates in one row."""
        whole, answered = self.rates
        short, unit = self.SHORT.upper(), self.UNIT
        pooled = (
            f"substituted, deleted and inserted {unit}s / {unit}s of the reference, "
            "pooled; a declined utterance counts as deleted"
        )
        over = "over the utterances with a hypothesis"
        columns = (
            Column("system"),
            Column("utterances", "", "count", "also those declined"),
            Column("declined", "", "count", "without a hypothesis"),
            Column(self.SHORT, short, "share", pooled),
            Column("interval", "", "share", f"of {short}, over clusters or items"),
            Column("errors", "", "count", "of all utterances"),
            Column(f"reference_{unit}s", f"{unit}s", "count", "of the references"),
            Column("substitutions", "S", "count", "substituted, where answered"),
            Column("deletions", "D", "count", "deleted, where answered"),
            Column("insertions", "I", "count", "inserted, where answered"),
            Column(f"{self.SHORT}_answered", f"{short} answered", "share", over),
            *(column for column, _ in self.further_columns()),
        )
        row = (
            *(self.system, self.utterances, self.declined, whole.value),
            *(whole.interval, whole.errors, whole.units, self.substitutions),
            *(self.deletions, self.insertions, answered.value),
            *(value for _, value in self.further_columns()),
        )
        return (Table("", columns, (row,)),)

    def further_columns(self) -> list[tuple[Column, Any]]:
        """Columns with their values that only this measure has."""
        return []

    @property
    def read_as_nothing(self) -> int:
        """References without units that are not empty as they were written."""
        return 0

    @property
    def notes(self) -> tuple[str, ...]:
        """What empty references and many errors do."""
        n_empty = self.empty_references - self.read_as_nothing
        empty = (
            f"{_counted(n_empty, 'reference is', 'references are')} "
            f"empty: {self.UNIT}s heard there are inserted; outcomes leave out such "
            "items"
        )
        clipped = (
            f"{_counted(self.clipped, 'utterance has', 'utterances have')} more errors "
            f"than {self.UNIT}s; as outcomes their credit is 0"
        )
        counts = {empty: n_empty, clipped: self.clipped}
        notes = [note for note, many in counts.items() if many]
        few = self.counted.few_units()
        if few:
            notes.append(f"no interval: {few}")
        elif few := self.counted.few_units(answered_only=True):
            notes.append(f"no interval where answered: {few}")
        return tuple(notes)


def counted_kinds(short: str, unit: str) -> tuple[FigureKind, ...]:
    """The figures of a rate of errors, and of what it counts."""
    title = f"the {unit} error rate"
    return (
        FigureKind(short, title, most=math.inf),
        FigureKind(f"{short}_answered", f"{title} of those answered", most=math.inf),
        count("utterances", "utterances"),
        count("declined", "utterances without a hypothesis", better="lower"),
        count("substitutions", f"substituted {unit}s", better="lower"),
        count("deletions", f"deleted {unit}s", better="lower"),
        count("insertions", f"inserted {unit}s", better="lower"),
        count("empty_references", "utterances with an empty reference"),
        count("clipped", f"utterances with more errors than {unit}s", better="lower"),
    )


OF_ITEMS = ("item", "system", "cluster", "confidence", "declined")
"""Columns that a table of any measure may have beside its own."""


def two_sides(
    where: str,
    table: Any,
    hypotheses: Any,
    references: Any,
    further: Sequence[str] = OF_ITEMS,
) -> NamedColumns:
    """Hypotheses and references, of one table or of two sequences.

    Parameters
    ----------
    where : str
        Who asks, for messages.
    table : table, or None
        With columns ``ref`` and ``hyp``; also taken if it is given as references alone.
    hypotheses, references : sequence, or None
        Both, or none of them.
    further : sequence of str
        Columns that a table may have beside.

    Raises
    ------
    InputError
        If there are not as many, or none; or beside a table.
    """
    if hypotheses is None:
        table, references = (references, None) if table is None else (table, references)
    if table is not None:
        if references is not None or hypotheses is not None:
            need = "be given alone, or hypotheses and references by name"
            raise InputError(where, "a table", need, "more")
        sides = named_columns(where, table, ["ref", "hyp"], further)
    else:
        given = {"references": references, "hypotheses": hypotheses}
        for name, values in given.items():
            checks.in_order(where, name, values)
        pair = aligned(where, given)
        listed = {
            "ref": _values_of(pair["references"]),
            "hyp": _values_of(pair["hypotheses"]),
        }
        if len(listed["ref"]) != len(listed["hyp"]):
            need = f"be as many as references, {len(listed['ref'])}"
            raise InputError(where, "hypotheses", need, str(len(listed["hyp"])))
        sides = NamedColumns(listed)
    if not len(sides):
        raise InputError(where, "the rows", "be at least one", "none")
    return sides


def _values_of(values: Any) -> list[Any]:
    """Values one by one; None where pyarrow or a mask of numpy has a gap."""
    if hasattr(values, "to_pylist"):
        return list(values.to_pylist())
    masked = isinstance(values, np.ma.MaskedArray)
    return list(values.tolist() if masked else values)


def answered_of(table: NamedColumns, hypotheses: Sequence[Any]) -> Flags:
    """Which items have an answer: no gap, and not declined by the system itself."""
    there: Iterable[bool] = (not is_gap(hypothesis) for hypothesis in hypotheses)
    if {*map(type, hypotheses)} <= {str, type(None)}:  # of which many may be equal
        known = {text: not is_gap(text) for text in {*hypotheses}}
        there = map(known.__getitem__, hypotheses)
    return not_declined(table, np.fromiter(there, bool, len(hypotheses)))


def not_declined(table: NamedColumns, given: Flags) -> Flags:
    """Which of the items that are given something the system did not decline itself."""
    _check_one_system(table)
    if table.has("declined"):
        column = table.columns["declined"]
        given = given & np.array(
            [not _yes(table, row, v) for row, v in enumerate(column)]
        )
    return given


def counted_items(
    table: NamedColumns, errors: Any, units: Any, answered: Flags, system: str
) -> CountedItems:
    """Errors and units of the rows of a table, with what else its columns say."""
    clustered = table.has("cluster")
    return CountedItems(
        errors=np.asarray(errors, np.int64),
        units=np.asarray(units, np.int64),
        answered=answered,
        cluster=clusters_of(table),
        item=_items_of(table),
        confidence=_confidences(table, answered),
        system=system,
        cluster_names=table.codes("cluster")[1] if clustered else None,
    )


def _check_one_system(table: NamedColumns) -> None:
    if not table.has("system"):
        return
    names = [name_text(name) for name in table.columns["system"]]
    other = next((row for row, name in enumerate(names) if name != names[0]), None)
    if other is not None:
        need = "be of one system"
        hint = "demur metrics takes several; or part the rows."
        got = f"{shown(names[0])} and {shown(names[other])}"
        raise InputError(table.place(other), "the table", need, got, hint)


def _yes(table: NamedColumns, row: int, value: Any) -> bool:
    text = "no" if is_gap(value) else str(value).strip().lower()
    if text not in (*_YES, *_NO):
        need, hint = "be true or false", "Or yes and no, 1 and 0."
        raise InputError(table.place(row), "declined", need, repr(value), hint)
    return text in _YES


_YES: Final = ("true", "yes", "1", "1.0")
_NO: Final = ("false", "no", "0", "0.0")


def _confidences(table: NamedColumns, answered: Flags) -> Floats | None:
    """The column of confidences, if there is one; each answer must have one."""
    if not table.has("confidence"):
        return None
    confidences = np.full(len(answered), np.nan)
    for row in np.flatnonzero(answered).tolist():
        value = table.columns["confidence"][row]
        with suppress(TypeError, ValueError, OverflowError):
            confidences[row] = float(value)
        if np.isnan(confidences[row]):
            need, hint = "be a number", "Every answer has one, or none has."
            raise InputError(table.place(row), "confidence", need, shown(value), hint)
    return confidences


def by_system(table: NamedColumns) -> list[tuple[str, NamedColumns]]:
    """The rows of each system, in order of appearance."""
    if not table.has("system"):
        return [("", table)]
    names = [name_text(name) for name in table.columns["system"]]
    rows_of: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        rows_of.setdefault(name, []).append(row)
    parts = []
    for system, rows in rows_of.items():
        columns = {
            name: [column[row] for row in rows]
            for name, column in table.columns.items()
        }
        places = [table.place(row) for row in rows]
        parts.append((system, NamedColumns(columns, places)))
    return parts


def _items_of(table: NamedColumns) -> Any:
    """Names of items: the column, or numbers of rows."""
    if not table.has("item"):
        return np.arange(len(table))
    names = np.empty(len(table), object)
    names[:] = [name_text(name) for name in table.columns["item"]]
    seen: set[str] = set()
    for row, name in enumerate(names.tolist()):
        if name in seen:
            need, hint = "be there once", "Give repeats names of their own."
            raise InputError(table.place(row), f"item {name}", need, "again", hint)
        seen.add(name)
    return names


def clusters_of(table: NamedColumns) -> Positions | None:
    """Codes of the column ``cluster``, if there is one."""
    return cluster_codes(table, "cluster" if table.has("cluster") else None)


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
