"""Joining the items of two systems by SQL, and counting what became of them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from demur.curves.blocks import Cut
from demur.curves.paired_counts import PairedKinds, paired_kinds
from demur.engines.cells import double
from demur.engines.readings import RelationReading
from demur.engines.selecting import IN_MEMORY, AnswerTable
from demur.engines.sql_counts import block_text, name
from demur.errors import InputError, shown

FACTS: Final = ("sure", "cell", "guess", "loss", "ungraded", "declined", "failed")
"""What is told apart of each system's answer; then what belongs to the item."""

AGREE: Final = ("weight", "hopeless")
"""What belongs to an item, and must be the same for both systems."""


def side_query(
    reading: RelationReading, table: AnswerTable, cuts: Sequence[Cut], item: str
) -> str:
    """The rows of one system, with the columns in `FACTS` and `AGREE`."""
    rows = reading.rows
    guess, ungraded = _flag(reading.answered), _flag(rows.ungraded)
    loss = _flag(rows.wrong)
    if rows.loss:
        loss = f"CAST({rows.loss} AS DOUBLE) / ({rows.weight})"
    weight = table.number("weight")
    listed = {
        "item_": item,
        **_repeat(table),
        "confidence_": rows.confidence,
        "guess_": guess,
        "ungraded_": ungraded,
        "loss_": f"CASE WHEN {guess} = 1 AND {ungraded} = 0 THEN {loss} ELSE 0 END",
        "declined_": _flag(reading.declined),
        "failed_": _flag(reading.failed),
        "hopeless_": _flag(rows.hopeless),
        "weight_": "1" if weight is None else f"COALESCE({double(table, weight)}, 1)",
    }
    inner = ", ".join(f"{text} AS {one}" for one, text in listed.items())
    where = f" WHERE {rows.where}" if rows.where else ""
    sure = "guess_ = 1 AND confidence_ IS NOT NULL"
    return (
        f"SELECT *, CASE WHEN {sure} THEN 1 ELSE 0 END AS sure_, "
        f"CASE WHEN {sure} THEN {block_text(cuts)} ELSE 0 END AS cell_ "
        f"FROM (SELECT {inner} FROM {rows.relation}{where}) AS answers_"
    )


def _flag(condition: str) -> str:
    return f"(CASE WHEN {condition} THEN 1 ELSE 0 END)" if condition else "0"


def _repeat(table: AnswerTable) -> dict[str, str]:
    column = table.column("repeat")
    if column is None:
        return {}
    return {"repeat_": f"COALESCE(CAST({name(column)} AS VARCHAR), '')"}


def join_text(sides: Sequence[str], on: Sequence[str], how: str = "JOIN") -> str:
    """``FROM`` of the two sides, joined by item."""
    same = " AND ".join(f"a_.{one} = b_.{one}" for one in on)
    return f"FROM ({sides[0]}) AS a_ {how} ({sides[1]}) AS b_ ON {same}"


def kinds_query(sides: Sequence[str], on: Sequence[str]) -> str:
    """How many items there are of each kind."""
    listed = [
        f"{side}_.{one}_ AS {side}_{one}_" for side in "ab" for one in (*FACTS, *AGREE)
    ]
    by = ", ".join(str(place + 1) for place in range(len(listed)))
    return (
        f"SELECT {', '.join(listed)}, COUNT(*) AS number_ {join_text(sides, on)} "
        f"GROUP BY {by}"
    )


def alone_query(sides: Sequence[str], on: Sequence[str]) -> str:
    """One of the items that the first side alone has."""
    return (
        f"SELECT a_.item_ {join_text(sides, on, 'LEFT JOIN')} "
        "WHERE b_.item_ IS NULL LIMIT 1"
    )


def relation_beside(ours: Any, theirs: Any, relation: str) -> str:
    """A relation of another connection, as it is called in this one.

    Raises
    ------
    InputError
        If it is not to be had there.
    """
    taken = relation if ours is theirs else None
    if taken is None and hasattr(ours, "taken_over"):
        taken = ours.taken_over(theirs, relation)
    if taken is None:
        need = "be files, or of one connection, for an engine to join them"
        got = "relations of two connections"
        raise InputError("compare", "the systems", need, got, IN_MEMORY)
    return taken


class SqlPairs:
    """The join of two relations in one engine.

    Parameters
    ----------
    connection : Connection
        What runs the SQL.
    readings, tables : sequence of two
        How the rows of each read, and where they are.
    """

    def __init__(
        self,
        connection: Any,
        readings: Sequence[RelationReading],
        tables: Sequence[AnswerTable],
    ) -> None:
        self.connection, self.readings, self.tables = connection, readings, tables

    def kinds(self, cuts: Sequence[Sequence[Cut]], items: str) -> PairedKinds:
        """Kinds of the items that both have."""
        self._check_forms()
        on = self._keys()
        sides = [
            side_query(reading, table, cut, item)
            for reading, table, cut, item in zip(
                self.readings, self.tables, cuts, self._items(), strict=True
            )
        ]
        answer = self.connection.columns(kinds_query(sides, on))
        number = np.asarray(answer["number_"], np.int64)
        notes = self._left_out(sides, on, int(number.sum()), items)
        _check_agreement(answer, number)
        weight = np.asarray(answer["a_weight_"], np.float64)
        pairs = paired_kinds(
            [_side(answer, side) for side in "ab"],
            number,
            None if (weight == weight[0]).all() else weight,
        )
        declines = any(reading.declines for reading in self.readings)
        return replace(pairs, notes=notes, declines=declines)

    def _check_forms(self) -> None:
        forms = [table.form for table in self.tables]
        if forms[0] != forms[1]:
            need = "be in files of one form, for an engine to join them"
            got = " and ".join(forms)
            raise InputError("compare", "the systems", need, got, IN_MEMORY)

    def _items(self) -> list[str]:
        """The item of a row, as SQL; texts where types differ."""
        columns = [table.column("item") for table in self.tables]
        for table, column in zip(self.tables, columns, strict=True):
            if column is None:
                need, got = "be there, to join systems", "no column item"
                raise InputError(table.place, "item", need, got)
        types = [
            table.types[str(column)]
            for table, column in zip(self.tables, columns, strict=True)
        ]
        form = "{}" if types[0] == types[1] else "CAST({} AS VARCHAR)"
        return [form.format(name(str(column))) for column in columns]

    def _keys(self) -> list[str]:
        both = [table.column("repeat") is not None for table in self.tables]
        return ["item_", "repeat_"] if all(both) else ["item_"]

    def _left_out(
        self, sides: Sequence[str], on: Sequence[str], common: int, items: str
    ) -> tuple[str, ...]:
        """How many items of each are not among the common ones, refused or said."""
        parts = [reading.parts[0] for reading in self.readings]
        left = [part.totals.items - common for part in parts]
        if min(left) < 0:
            need, got = (
                "give each item once",
                f"{common} pairs of {parts[0].totals.items}",
            )
            hint = "--check-items names one that is repeated."
            raise InputError("compare", "the systems", need, got, hint)
        if not common:
            need = "have items in common"
            hint = "Ids are compared as text."
            raise InputError("compare", "the systems", need, "none", hint)
        if not any(left):
            return ()
        if items == "equal":
            row = left.index(max(left))
            asked = sides if row == 0 else sides[::-1]
            ((alone,),) = self.connection.rows(alone_query(asked, on))
            who = parts[row].system or f"number {row + 1}"
            got = f"{max(left)} items only of {who}, such as {shown(str(alone))}"
            hint = "items=common compares on the items that all have."
            need = "have the same items"
            raise InputError("compare", "the systems", need, got, hint)
        named = ", ".join(
            f"{count} of {part.system or 'one'}"
            for count, part in zip(left, parts, strict=True)
        )
        return (f"{common} common items; left out: {named}",)


def _check_agreement(answer: Mapping[str, Any], number: Any) -> None:
    for one, called in zip(AGREE, ("weight", "answerable"), strict=True):
        a, b = (np.asarray(answer[f"{side}_{one}_"], np.float64) for side in "ab")
        differ = a != b
        if differ.any():
            row = int(np.argmax(differ))
            got = f"{shown(float(a[row]))} and {shown(float(b[row]))}"
            if called == "answerable":
                got = "true and false"
            need = "be the same for every system"
            hint = f"{int(number[differ].sum())} items differ."
            raise InputError("compare", called, need, got, hint)


def _side(answer: Mapping[str, Any], side: str) -> list[Any]:
    sure, cell, *what = (
        np.asarray(answer[f"{side}_{one}_"], np.float64) for one in FACTS
    )
    return [np.where(sure > 0, cell, np.nan), *what]
