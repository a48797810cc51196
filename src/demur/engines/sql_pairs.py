"""Joining the items of two systems by SQL, and counting what became of them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
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
    reading: RelationReading,
    table: AnswerTable,
    cuts: Sequence[Cut],
    key: Mapping[str, str],
) -> str:
    """The rows of one system, with their key and the columns in `FACTS` and `AGREE`."""
    rows = reading.rows
    guess, ungraded = _flag(reading.answered), _flag(rows.ungraded)
    loss = _flag(rows.wrong)
    if rows.loss:
        # As of credits in memory, to the last digit.
        earned = f"CAST(({rows.weight}) - ({rows.loss}) AS DOUBLE)"
        loss = f"1 - {earned} / ({rows.weight})"
    weight = table.number("weight")
    listed = {
        **key,
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


def _item(table: AnswerTable, *, as_text: bool) -> str:
    """The item of a row, as SQL."""
    column = name(str(table.column("item")))
    if table.form == "json":  # 5 and "5" are one item, however it is escaped
        return f"JSON_EXTRACT_STRING({column}, '$')"
    return f"CAST({column} AS VARCHAR)" if as_text else column


def _repeat(table: AnswerTable) -> str:
    """The repeat of a row, as SQL; an empty text where there is none."""
    column = table.column("repeat")
    if column is None:
        return "''"
    text = f"CAST({name(column)} AS VARCHAR)"
    if table.form == "json":
        text = f"JSON_EXTRACT_STRING({name(column)}, '$')"
    return f"COALESCE({text}, '')"


def kinds_query(sides: Sequence[str], on: Sequence[str]) -> str:
    """How many items there are of each kind."""
    listed = [
        f"{side}_.{one}_ AS {side}_{one}_" for side in "ab" for one in (*FACTS, *AGREE)
    ]
    by = ", ".join(str(place + 1) for place in range(len(listed)))
    same = " AND ".join(f"a_.{one} = b_.{one}" for one in on)
    return (
        f"SELECT {', '.join(listed)}, COUNT(*) AS number_ "
        f"FROM ({sides[0]}) AS a_ JOIN ({sides[1]}) AS b_ ON {same} GROUP BY {by}"
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

    def kinds(self, cuts: Sequence[Sequence[Cut]]) -> PairedKinds:
        """Kinds of the items that both have."""
        sides = [
            side_query(reading, table, cut, key)
            for reading, table, cut, key in zip(
                self.readings, self.tables, cuts, self.keys, strict=True
            )
        ]
        answer = self.connection.columns(kinds_query(sides, [*self.keys[0]]))
        number = np.asarray(answer["number_"], np.int64)
        _check_agreement(answer, number)
        weight = np.asarray(answer["a_weight_"], np.float64)
        pairs = paired_kinds([_side(answer, side) for side in "ab"], number, weight)
        declines = any(reading.declines for reading in self.readings)
        return replace(pairs, declines=declines)

    @cached_property
    def keys(self) -> list[dict[str, str]]:
        """What items are joined by, as SQL by name; texts where types differ."""
        for table in self.tables:
            if table.column("item") is None:
                need, got = "be there, to join systems", "no column item"
                raise InputError(table.place, "item", need, got)
        types = {table.types[str(table.column("item"))] for table in self.tables}
        as_text = len(types) > 1 or len({table.form for table in self.tables}) > 1
        keys = [{"item_": _item(table, as_text=as_text)} for table in self.tables]
        if any(table.column("repeat") is not None for table in self.tables):
            for key, table in zip(keys, self.tables, strict=True):
                key["repeat_"] = _repeat(table)
        return keys

    def common(self, place: int) -> str:
        """The rows of one side whose items the other has too, to stand behind FROM."""
        return f"(SELECT ours_.* FROM {self._joined(place, 'SEMI')}) AS common_"

    def item(self, place: int, *, alone: bool) -> str | None:
        """An item of one side, which the other has not if it is to be alone."""
        rows = self.readings[place].rows
        table = self._joined(place, "ANTI") if alone else f"{rows.relation} AS ours_"
        where = f" WHERE {rows.where}" if rows.where else ""
        query = f"SELECT {self.keys[place]['item_']} AS item_ FROM {table}{where}"
        answer = self.connection.rows(f"{query} LIMIT 1")
        return str(answer[0][0]) if answer else None

    def _joined(self, place: int, how: str) -> str:
        """One side as ``ours_``, joined by item with the rows of the other."""
        rows, key = self.readings[1 - place].rows, self.keys[1 - place]
        listed = ", ".join(f"{text} AS {one}" for one, text in key.items())
        where = f" WHERE {rows.where}" if rows.where else ""
        same = " AND ".join(
            f"{text} = theirs_.{one}" for one, text in self.keys[place].items()
        )
        return (
            f"{self.readings[place].rows.relation} AS ours_ {how} JOIN "
            f"(SELECT {listed} FROM {rows.relation}{where}) AS theirs_ ON {same}"
        )


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
