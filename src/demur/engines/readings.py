"""What the cells of a relation mean, as the readers of files decide it.

An engine lists the few different combinations of the cells that decide about an
outcome. They are read as a file of these rows would be, by the same reader, so that an
engine reads no word otherwise. Numbers alone, of which each row may hold another, are
looked at in the engine.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

import numpy as np

from demur.curves.counted import CountedPart
from demur.engines.amounts import Amounts, amounts_of
from demur.engines.cells import (
    decimal_comma,
    no_item,
    number_text,
    state_text,
    without_item,
)
from demur.engines.combinations import Combinations, Locate, refused_rows
from demur.engines.part_sums import is_partial, part_of_rows
from demur.engines.selecting import IN_MEMORY, AnswerTable, Ask, condition, unmet
from demur.engines.sql_counts import (
    AnswerRows,
    combinations_query,
    is_value,
    literal,
    name,
)
from demur.errors import InputError
from demur.outcomes.building import mixed_scales
from demur.outcomes.fields import RIGHT, UNANSWERED, UNGRADED, WRONG
from demur.outcomes.labelling import unlabelled
from demur.outcomes.table import Outcomes, grouped_parts

Ordered = Callable[[str], list[tuple[Any, ...]]]

DECIDING: Final = (
    *("outcome", "correct", "answered", "declined", "answerable", "kind", "failed"),
    "reason_code",
)
"""Fields whose cells are read from their different combinations."""

NUMBERS: Final = ("confidence", "credit", "weight")
"""Fields of which each row may hold another number."""

NAMES: Final = ("item", "system", "setting", "repeat", "cluster")
"""Fields whose values are names, which must stand in columns of their own."""

APART: Final = ("system", "setting")
"""Fields that every list of parts tells apart."""

MOST_COMBINATIONS: Final = 100_000
"""Columns of more different rows do not hold words."""


@dataclass(frozen=True)
class RelationReading:
    """How the rows of a relation read, and the parts that they make up.

    Parameters
    ----------
    rows : AnswerRows
        For the queries that count.
    parts : list of CountedPart
        Systems, settings and groups.
    part_of : mapping of key to part
        Where rows belong, by the values of the columns that tell parts apart.
    unit : list of int
        What one item weighs, where all of a part weigh the same; else 1.
    ends : tuple (low, high), or None
        The least and greatest confidence of a guess, where that is known.
    notes : tuple of str
        What a reader must know.
    answered, declined, failed : str
        Which rows have a guess, were declined and failed, as conditions; empty if none.
    declines : bool
        Whether it is said which guesses were not given.
    """

    rows: AnswerRows
    parts: list[CountedPart]
    part_of: Mapping[tuple[Any, ...], int]
    unit: list[int]
    ends: tuple[float, float] | None
    notes: tuple[str, ...]
    answered: str = ""
    declined: str = ""
    failed: str = ""
    declines: bool = False


def read(
    table: AnswerTable,
    ask: Ask,
    by: Sequence[str] = (),
    ordered: Ordered | None = None,
    locate: Locate | None = None,
) -> RelationReading:
    """Read the different rows of a relation.

    Parameters
    ----------
    table : AnswerTable
        The relation.
    ask : callable
        What queries are put to.
    by : sequence of str
        Columns whose values cut the items into groups.
    ordered : callable, optional
        Gives the rows of an answer in the order of files, of engines that know one.
    locate : callable, optional
        Gives the first rows for which a condition holds, each with where it stands.

    Raises
    ------
    InputError
        As `demur.read_outcomes` does, or if a column of words holds too many.
    """
    return _RelationReader(table, ask, by, ordered, locate).reading()


class _RelationReader:
    """The steps of `read`, which share what they find."""

    def __init__(
        self,
        table: AnswerTable,
        ask: Ask,
        by: Sequence[str],
        ordered: Ordered | None,
        locate: Locate | None,
    ) -> None:
        self.table, self.ask, self.by = table, ask, tuple(by)
        self.ordered, self.locate = ordered, locate
        self._sums: dict[str, Any] = {}
        for field, what in REFUSED.items():
            if table.deciding(field):
                raise self._refused(f"the column {field}", what)
        if table.column("part") is not None:
            raise self._refused("the column part", "several parts of one item")
        for field in (*NAMES, *by):
            table.as_it_is(field)
        self.where = condition(table, ask)

    def _refused(self, column: str, what: str) -> InputError:
        need, got = "be read into memory", f"engine counting: it cannot read {what}"
        return InputError(self.table.place, column, need, got, IN_MEMORY)

    def reading(self) -> RelationReading:
        wrong, ungraded = self.where_outcome(WRONG), self.where_outcome(UNGRADED)
        answered = self.where_outcome(RIGHT, WRONG, UNGRADED)
        rows = AnswerRows(
            relation=self.table.relation,
            where=self.where,
            confidence=self.confidence,
            guess="" if self.silent_are_unsure else answered,
            wrong=wrong,
            ungraded=ungraded,
            weight=self.amounts.weight if self.amounts.used else "",
            loss=self.amounts.loss(wrong, ungraded) if self.amounts.used else "",
            partial=self.amounts.partial if self.partial.any() else "",
            hopeless=self.hopeless,
            key=[*map(self.table.key, self.key)],
        )
        parts, part_of, unit = self.parts
        return RelationReading(
            rows,
            parts,
            part_of,
            unit,
            self.ends_of_all,
            self.notes,
            answered=answered,
            declined=self.declined,
            failed=self.failed,
            declines=self.small.declined is not None,
        )

    # -- columns -----------------------------------------------------------------

    @cached_property
    def key(self) -> list[str]:
        """The columns that tell parts apart."""
        columns = [self.table.column(field) for field in APART]
        for group in self.by:
            column = self.table.column(group)
            if column is None and group not in APART:
                known = ", ".join(sorted(self.table.types)[:8])
                hint = f"There are {known}."
                raise InputError(self.table.place, "by", "be a column", group, hint)
            if group in _NO_GROUPS:
                need, got = "be a column of groups", group
                raise InputError(self.table.place, "by", need, got, IN_MEMORY)
            columns.append(column)
        return [*dict.fromkeys(column for column in columns if column is not None)]

    @cached_property
    def states(self) -> dict[str, str]:
        """What stands for numbers: one of the same kind; by column."""
        listed = {}
        for field in (*NUMBERS, "correct"):
            if field == "correct" and (
                field in self.table.forms or self._is_word(field)
            ):
                continue
            column = self.table.as_it_is(field)
            if column is not None:
                listed[column] = state_text(self.table, field, column)
        return listed

    def _is_word(self, field: str) -> bool:
        column = self.table.column(field)
        return column is not None and self.table.is_word(column)

    @cached_property
    def deciding(self) -> list[str]:
        """Columns whose values stand among the combinations as they are."""
        listed = [one for field in DECIDING for one in self.table.deciding(field)]
        apart = {*self.states, *self.key}
        return [one for one in dict.fromkeys(listed) if one not in apart]

    # -- combinations ------------------------------------------------------------

    @cached_property
    def amounts(self) -> Amounts:
        """How weights and credits are whole numbers."""
        return amounts_of(self.table, self.ask, self.where)

    @cached_property
    def combined(self) -> list[tuple[Any, ...]]:
        """The different rows, each with aggregates over the rows that are like it."""
        columns = self._columns
        query = combinations_query(
            self.table.relation, self.where, columns, self.aggregates
        )
        answer = self.ask(f"{query} LIMIT {MOST_COMBINATIONS + 1}")
        if len(answer) > MOST_COMBINATIONS:
            self._read(answer[:SOME])  # which tells of a bad value, if there are many
            need = f"have at most {MOST_COMBINATIONS} different combinations of values"
            raise InputError(
                self.table.place, ", ".join(columns), need, "more", IN_MEMORY
            )
        self._check_items(answer)
        if not answer and self.where:
            raise unmet(self.table, self.ask)
        if not answer:
            hint = "Was it written to the end?"
            need = "hold at least one row"
            raise InputError(self.table.place, "the outcomes", need, "none", hint)
        keys = {key_of(row[: len(self.key)]) for row in answer}
        ranks = self._ranks(len(keys))
        return sorted(
            answer, key=lambda row: (ranks.get(key_of(row[: len(self.key)])), repr(row))
        )

    def _ranks(self, n_keys: int) -> dict[tuple[Any, ...], Any]:
        """Where each key first appears: parts stand in that order.

        All of many rows are looked at only if the first ones do not have all keys.
        """
        if self.ordered is None or n_keys < 2:
            return {}
        texts = map(self.table.key, self.key)
        named = {f"key{place}_": text for place, text in enumerate(texts)}
        keys, where = ", ".join(named), f" WHERE {self.where}" if self.where else ""
        listed = ", ".join(f"{text} AS {key}" for key, text in named.items())
        for limit in (f" LIMIT {LOOKED_AT}", ""):
            rows = f"SELECT {listed} FROM {self.table.relation}{where}{limit}"
            ranked = self.ordered(
                f"SELECT MIN(n_), {keys} FROM (SELECT *, ROW_NUMBER() OVER () AS n_ "
                f"FROM ({rows}) AS first_) AS numbered_ GROUP BY ALL"
            )
            if len(ranked) == n_keys:
                break
        return {key_of(values): first for first, *values in ranked}

    def _check_items(self, answer: Sequence[tuple[Any, ...]]) -> None:
        """Raise `InputError` where rows have no item, or none that can be one."""
        item = self.table.column("item")
        if item is None:
            return
        its = self.table.types[item]
        need = "be a text or a whole number, not empty"
        if self.table.form == "typed" and _NO_ITEM.match(its):
            hint = 'Write it as text, such as "1.0".'
            raise InputError(self.table.place, "item", need, its, hint)
        empty = sum(int(row[-1] or 0) for row in answer)
        if empty:
            wanted = f"{no_item(self.table, item)} = 1"
            wanted += f" AND {self.where}" if self.where else ""
            if self.locate is not None:
                refused = refused_rows(self.table, wanted, self.locate, most=1)
                if refused is not None:
                    raise refused
            got, hint = f"nothing in {empty} rows", "It says which item a row is about."
            raise InputError(self.table.place, "item", need, got, hint)

    @cached_property
    def aggregates(self) -> dict[str, str]:
        """What is found out of the rows of each combination."""
        listed = dict(self.amounts.aggregates)
        if self.ends is not None:
            text = name(self.ends)
            listed |= {"low_": f"MIN({text})", "high_": f"MAX({text})"}
        item = self.table.column("item")
        if item is not None:
            listed["items_"] = without_item(self.table, item)
        return listed

    @property
    def ends(self) -> str | None:
        """The column of confidences, if their least and greatest stand for all."""
        column = self.table.as_it_is("confidence")
        return column if self.table.form == "typed" else None

    @property
    def ends_of_all(self) -> tuple[float, float] | None:
        """The least and greatest confidence, where that is known."""
        if self.ends is None:
            return None
        low = [float(one) for one in self._aggregate("low_") if one is not None]
        high = [float(one) for one in self._aggregate("high_") if one is not None]
        return (min(low), max(high)) if low else None

    def _column(self, column: str) -> list[Any]:
        """One column of the combinations."""
        place = [*self.key, *self.deciding, *self.states].index(column)
        return [row[place] for row in self.combined]

    def _aggregate(self, which: str) -> list[Any]:
        first = len(self.key) + len(self.deciding) + len(self.states)
        place = first + [*self.aggregates].index(which)
        return [row[place] for row in self.combined]

    def aggregate(self, which: str) -> Any:
        """One aggregate of each combination, as whole numbers."""
        if which not in self._sums:
            whole = [int(value or 0) for value in self._aggregate(which)]
            self._sums[which] = np.array(whole, object)
        return self._sums[which]

    @cached_property
    def small(self) -> Outcomes:
        """The combinations as outcomes, a row each, by the reader of files."""
        small = self._read(self.combined)
        if unlabelled(small).any():
            raise self._refused("outcomes unlabelled", "labels of a part")
        object.__setattr__(small, "item", np.arange(len(small)))
        return small

    def _read(self, combined: Sequence[tuple[Any, ...]]) -> Outcomes:
        columns = self._columns
        rows = [row[: len(columns)] for row in combined]
        further = zip(*(row[len(columns) :] for row in combined), strict=True)
        of_each = dict(zip(self.aggregates, further, strict=True))
        count = np.array([int(value or 0) for value in of_each["rows_"]], object)
        ends = None
        if self.ends is not None:
            ends = self.ends, of_each["low_"], of_each["high_"]
        combinations = Combinations(self.table, self.by, columns, rows, count, ends)
        return combinations.outcomes(self.where, self.locate)

    @property
    def _columns(self) -> dict[str, str]:
        """What stands for the value of each column that tells combinations apart."""
        columns = {one: self.table.key(one) for one in self.key}
        return columns | {one: name(one) for one in self.deciding} | self.states

    # -- what they say -----------------------------------------------------------

    @cached_property
    def codes(self) -> Any:
        """The outcome of each combination."""
        return np.asarray(self.small.outcome.codes)

    @cached_property
    def partial(self) -> Any:
        """Whether only a part is credited."""
        return is_partial(self.small)

    @cached_property
    def silent_are_unsure(self) -> bool:
        """Whether no unanswered item has a confidence."""
        column = self.table.as_it_is("confidence")
        if column is None:
            return True
        silent = np.flatnonzero(self.codes == UNANSWERED)
        states = self._column(column)
        return all(states[place] in (None, False) for place in silent.tolist())

    def where_outcome(self, *codes: int) -> str:
        """The condition that the outcome of a row is one of these, as SQL."""
        fields = ("outcome", "correct", "answered")
        its = {one for field in fields for one in self.table.deciding(field)}
        columns = [one for one in (*self.deciding, *self.states) if one in its]
        return self._condition(columns, np.isin(self.codes, codes))

    def _condition(self, columns: Sequence[str], holds: Any) -> str:
        """The condition that some columns have values for which something holds."""
        values = zip(*map(self._column, columns), strict=True)
        seen = dict(zip(map(key_of, values), holds.tolist(), strict=True))
        wanted = [one for one, holds_ in seen.items() if holds_]
        texts = [self.states.get(one, name(one)) for one in columns]
        if len(columns) == 1 and len(wanted) > 1 and None not in seen:
            return f"{texts[0]} IN ({', '.join(literal(one) for (one,) in wanted)})"
        listed = [" AND ".join(map(is_value, texts, values_)) for values_ in wanted]
        return f"({' OR '.join(listed)})" if listed else ""

    @property
    def declined(self) -> str:
        """Which rows the system would not answer, as SQL."""
        declined = self.small.declined
        if declined is None:
            return ""
        return self._condition([*self.deciding, *self.states], declined)

    @property
    def failed(self) -> str:
        """Which rows failed, as SQL."""
        return self._condition([*self.deciding, *self.states], self.small.failed)

    @cached_property
    def hopeless(self) -> str:
        """Which guesses are at unanswerable items, as SQL."""
        answerable = self.small.answerable
        columns = [
            one for one in self.table.deciding("answerable") if one in self.deciding
        ]
        if answerable is None or not columns:
            return ""
        return self._condition(columns, ~answerable)

    @cached_property
    def confidence(self) -> str:
        """The confidence of a row, as SQL."""
        column = self.table.as_it_is("confidence")
        if column is None:
            return "CAST(NULL AS DOUBLE)"
        read_: dict[Any, float] = {}
        if self.small.confidence is not None:
            values = self.small.confidence.tolist()
            read_ = dict(zip(self._column(column), values, strict=True))
        return number_text(self.table, column, read_)

    # -- parts -------------------------------------------------------------------

    @cached_property
    def parts(self) -> tuple[list[CountedPart], dict[tuple[Any, ...], int], list[int]]:
        """The parts, where rows belong, and what an item weighs in each."""
        parts: list[CountedPart] = []
        part_of: dict[tuple[Any, ...], int] = {}
        units: list[int] = []
        for system, group, rows in grouped_parts(self.small, groups=self.by):
            places = np.asarray(rows.item, np.int64)
            for place in places.tolist():
                part_of[key_of(self.combined[place][: len(self.key)])] = len(parts)
            unit = self._unit(places)
            amounts = self._amounts(places, unit)
            part = part_of_rows(system, group, rows, amounts)
            worth = unit / Fraction(self.amounts.scale)
            parts.append(replace(part, unit=worth))
            units.append(unit)
        return parts, part_of, units

    def _unit(self, places: Any) -> int:
        """What an item of a part weighs, where all weigh the same; else 1."""
        if not self.amounts.used:
            return 1
        low = min(self.aggregate("least_")[places])
        high = max(self.aggregate("most_")[places])
        return int(low) if low == high and not self.partial[places].any() else 1

    def _amounts(self, places: Any, unit: int) -> tuple[Any, Any, Any]:
        """How often each of some combinations is there, its weight and its loss."""
        codes, count = self.codes[places], self.aggregate("rows_")[places]
        weight = earned = count
        if self.amounts.used:
            weight = self.aggregate("weight_")[places] // unit
            earned = self.aggregate("earned_")[places] // unit
        loss = np.where(codes == RIGHT, weight - earned, 0)
        return count, weight, np.where(codes == WRONG, weight, loss)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What the reader says, with numbers of rows in place of combinations."""
        notes = [
            re.sub(r"^\d+ rows? ha(s|ve)", "some rows have", note)
            for note in self.small.notes
            if not _COUNTED.match(note)
        ]
        notes = [self._with_a_cell(note) for note in notes]
        ignored = self._number_of(
            self._given("confidence") & (self.codes == UNANSWERED)
        )
        if ignored:
            notes.append(_of(ignored, "confidence of an unanswered item is ignored"))
        missing = self._number_of(~self._given("weight"))
        if 0 < missing < self._number_of(self.codes >= 0):
            notes.append(_of(missing, "row has no weight and count as 1"))
        return (*notes, *self.amounts.notes, *self._mixed_scales())

    def _with_a_cell(self, note: str) -> str:
        """A note on decimal commas with a cell that is there, the first one."""
        field, begins, _ = note.partition(" is read with decimal commas: ")
        column = self.table.as_it_is(field) if begins and self.ordered else None
        if column is None or self.ordered is None:
            return note
        where = " AND ".join(filter(None, [decimal_comma(name(column)), self.where]))
        query = f"SELECT {name(column)} FROM {self.table.relation} WHERE {where}"
        ((cell,),) = self.ordered(f"{query} LIMIT 1")
        return f"{field}{begins}{cell} is {cell.replace(',', '.')}"

    def _given(self, field: str) -> Any:
        """In which combinations a number is given; in all if there is no column."""
        column = self.table.as_it_is(field)
        if column is None:
            return np.full(len(self.codes), field != "confidence")
        return np.array([one not in (None, False) for one in self._column(column)])

    def _number_of(self, combinations: Any) -> int:
        """How many rows there are of some combinations."""
        return int(self.aggregate("rows_")[combinations].sum())

    def _mixed_scales(self) -> Sequence[str]:
        """A note on fractions and percents mixed, asked for only where it may be."""
        ends = self.ends_of_all
        if ends is None or not (0 <= ends[0] < 1 < 10 <= ends[1] <= 100):
            return ()
        column = name(str(self.ends))
        rows = ", ".join([*map(self.table.key, self.key), column])
        also = f" AND {self.where}" if self.where else ""
        some = [
            row
            for kind in (f"{column} > 0 AND {column} < 1", f"{column} > 1")
            for row in self.ask(
                f"SELECT {rows} FROM {self.table.relation} WHERE {kind}{also} "
                f"LIMIT {SOME}"
            )
        ]
        values = np.array([float(row[-1]) for row in some])
        systems = np.array([repr(row[:-1]) for row in some], object)
        return mixed_scales(values, systems)


LOOKED_AT: Final = 1_000_000
"""Among so many first rows it is looked for every part."""

SOME: Final = 1000
"""Of so many confidences it is seen whether they are fractions or percents."""


def _of(number: int, text: str) -> str:
    """A note about one row, or about several.

    Examples
    --------
    >>> _of(1, "row has no weight"), _of(2, "row has no weight")
    ('1 row has no weight', '2 rows have no weight')
    """
    if number == 1:
        return f"1 {text}"
    for one, several in _SEVERAL.items():
        text = text.replace(one, several)
    return f"{number} {text}"


_SEVERAL: Final = {
    "confidence of an unanswered item is": "confidences of unanswered items are",
    "row has": "rows have",
}
"""How what is said of one row is said of several."""

_COUNTED: Final = re.compile(
    r"\d+ (confidences? of (an )?unanswered|rows? ha(s|ve) no weight)"
)
"""Notes that count rows, made again from the numbers of rows."""

_NO_ITEM: Final = re.compile("DOUBLE|FLOAT|REAL|DECIMAL|BOOL|TIMESTAMP|DATE|STRUCT|MAP")
"""Types of columns that hold no items."""

_NO_GROUPS: Final = ("item", *DECIDING[:5], *NUMBERS)
"""Columns that say what became of a row, and group none."""

REFUSED: Final = {"label_weight": "labels of a part"}
"""Fields that an engine does not read, and what they are about."""


def key_of(values: Iterable[Any]) -> tuple[Any, ...]:
    """Values that tell a part apart, so that NaN is equal to NaN."""
    return tuple("nan" if value != value else value for value in values)
