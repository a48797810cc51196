"""Items and clusters that are alike, listed by SQL in whatever engine runs it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from demur.curves.blocks import Cut
from demur.curves.counted_units import (
    MOST_KINDS,
    AlikeItems,
    AlikeUnits,
    ItemWorth,
    check_few,
)
from demur.engines.readings import RelationReading
from demur.engines.selecting import AnswerTable
from demur.engines.sql_counts import block_text, is_value, literal, name
from demur.errors import InputError

NAN = literal(float("nan"))


def cluster_column(table: AnswerTable) -> str | None:
    """The column whose values items hang together by; of repeats that of items."""
    column = table.column("cluster")
    if column is None and table.column("repeat") is not None:
        column = table.column("item")
    return column


class SqlUnits:
    """Lists what is alike among the rows of an engine.

    Parameters
    ----------
    engine : SqlEngine
        Whose rows, readings and connection are used.
    """

    def __init__(self, engine: Any) -> None:
        self.engine = engine

    def alike(self, by: Sequence[str], cuts: Sequence[Cut]) -> AlikeItems:
        """Items by block of confidences, weight and loss."""
        reading = self.engine.reading(by)
        block = f"CASE WHEN guess_ = 1 THEN {block_text(cuts)} ELSE {NAN} END"
        columns = {"block_": block}
        columns |= {one: one for one in ("weight_", "loss_", "ungraded_")}
        keys = reading.rows.keys
        listed = [*keys, *(f"{text} AS {one}" for one, text in columns.items())]
        query = _counted(
            f"SELECT {', '.join(listed)} FROM ({self._rows(reading)}) AS items_",
            [*keys, *columns],
        )
        answer = self._answer(query, "weights and credits")
        part = self.engine._part_of(reading, answer, len(answer["number_"]))
        unit = np.array(reading.unit, np.int64)[part]
        weight, loss, ungraded = (
            np.asarray(answer[one], np.int64)
            for one in ("weight_", "loss_", "ungraded_")
        )
        low = np.asarray(answer["block_"], np.float64) + 0.0
        number = np.asarray(answer["number_"], np.int64)
        return AlikeItems(part, low, weight // unit, loss // unit, ungraded > 0, number)

    def decided(self, by: Sequence[str]) -> AlikeUnits:
        """Units by weight, loss, ungraded weight and weight not given."""
        reading = self.engine.reading(by)
        given = "guess_ = 1 AND declined_ = 0"
        sums = {
            "all_": "weight_",
            "lost_": f"CASE WHEN {given} THEN loss_ ELSE 0 END",
            "unclear_": f"CASE WHEN {given} THEN ungraded_ * weight_ ELSE 0 END",
            "withheld_": f"CASE WHEN {given} THEN 0 ELSE weight_ END",
        }
        units = self._units(self._rows(reading), reading.rows.keys, sums)
        query = _counted(units, [*reading.rows.keys, *sums])
        answer = self._answer(query, "clusters")
        part = self.engine._part_of(reading, answer, len(answer["number_"]))
        table = _table(answer, [*sums])
        unit = np.array(reading.unit, np.int64)[part]
        return AlikeUnits(part, table[:, :-1] // unit[:, None], table[:, -1])

    def above(
        self,
        by: Sequence[str],
        part: int,
        cutoffs: Sequence[float],
        *,
        whole: bool,
        cost: str,
    ) -> AlikeUnits:
        """What units are above each of some cutoffs, as steps from one to the next."""
        reading = self.engine.reading(by)
        zone = f"CASE WHEN guess_ = 1 THEN {_zone(cutoffs)} ELSE 0 END"
        costs = "guess_ = 1" if cost == "weight" else "ungraded_ = 1"
        lost = f"CASE WHEN {costs} THEN weight_ ELSE loss_ END"
        rows = (
            f"SELECT cluster_, {zone} AS zone_, weight_, {lost} AS loss_ "
            f"FROM ({self._rows(reading, part)}) AS items_"
        )
        size = "total_" if whole else "size_"
        before = "total_" if whole else "size_ - weight_"
        steps = {
            "zone_": "zone_",
            "after_": size,
            "lost_after_": "lost_",
            "before_": before,
            "lost_before_": "lost_ - loss_",
            "first_": "CASE WHEN size_ = weight_ THEN 1 ELSE 0 END",
        }
        listed = ", ".join(f"{text} AS {one}" for one, text in steps.items())
        query = _counted(
            f"SELECT {listed} FROM ({self._running(rows)}) AS running_", [*steps]
        )
        table = _table(self._answer(query, "clusters"), [*steps])
        sums, unit = table[:, :-1], reading.unit[part]
        sums[:, 1:5] //= unit
        return AlikeUnits(np.full(len(sums), part), sums, table[:, -1])

    def cells(
        self,
        by: Sequence[str],
        part: int,
        cutoff: float | None,
        kinds: Sequence[ItemWorth],
    ) -> AlikeUnits:
        """How many items of each kind a unit has below, at and above a cutoff."""
        reading = self.engine.reading(by)
        unit, places = reading.unit[part], _places(cutoff)
        sums = {}
        for place, kind in enumerate(kinds):
            its = f"weight_ = {kind.weight * unit}"
            lost = f"loss_ = {kind.loss * unit} AND ungraded_ = {int(kind.ungraded)}"
            for one, where in enumerate(places):
                sums[f"cell{place}_{one}_"] = f"{its} AND {lost} AND {where}"
        for place, weight in enumerate(dict.fromkeys(kind.weight for kind in kinds)):
            sums[f"silent{place}_"] = f"guess_ = 0 AND weight_ = {weight * unit}"
        sums = {
            one: f"CASE WHEN {text} THEN 1 ELSE 0 END" for one, text in sums.items()
        }
        units = self._units(self._rows(reading, part), [], sums)
        answer = self._answer(_counted(units, [*sums]), "clusters")
        table = _table(answer, [*sums])
        return AlikeUnits(np.full(len(table), part), table[:, :-1], table[:, -1])

    # -- pieces of the queries ---------------------------------------------------

    def _rows(self, reading: RelationReading, part: int | None = None) -> str:
        """The rows, each with what it weighs and loses, and its cluster."""
        rows, column = reading.rows, cluster_column(self.engine.table)
        weight, guess = rows.weight or "1", _flag(reading.answered)
        listed = {
            **dict(zip(rows.keys, rows.key, strict=True)),
            "cluster_": "NULL" if column is None else name(column),
            "confidence_": rows.confidence,
            "guess_": guess,
            "weight_": weight,
            "loss_": f"CASE WHEN {guess} = 1 THEN {rows.loss or _flag(rows.wrong)} "
            "ELSE 0 END",
            "ungraded_": _flag(rows.ungraded),
            "declined_": _flag(reading.declined),
        }
        wanted = [rows.where] if rows.where else []
        if part is not None and len(reading.parts) > 1:
            wanted.append(_is_part(reading, part))
        where = f" WHERE {' AND '.join(map('({})'.format, wanted))}" if wanted else ""
        columns = ", ".join(f"{text} AS {one}" for one, text in listed.items())
        return f"SELECT {columns} FROM {rows.relation}{where}"

    @property
    def _clustered(self) -> bool:
        return cluster_column(self.engine.table) is not None

    def _units(self, rows: str, keys: Sequence[str], sums: Mapping[str, str]) -> str:
        """One row for each cluster, and for each item that stands alone."""
        kept = ", ".join([*keys, *(f"{text} AS {one}" for one, text in sums.items())])
        if not self._clustered:
            return f"SELECT {kept} FROM ({rows}) AS items_"
        total = (f"CAST(SUM({text}) AS BIGINT) AS {one}" for one, text in sums.items())
        by = ", ".join([*keys, "cluster_"])
        return (
            f"SELECT {', '.join([*keys, *total])} FROM ({rows}) AS items_ "
            f"WHERE cluster_ IS NOT NULL GROUP BY {by} "
            f"UNION ALL SELECT {kept} FROM ({rows}) AS alone_ WHERE cluster_ IS NULL"
        )

    def _running(self, rows: str) -> str:
        """By unit and zone, from the surest: sums in the zone, and down to it."""
        alone = (
            "SELECT zone_, weight_, loss_, weight_ AS size_, loss_ AS lost_, "
            f"weight_ AS total_ FROM ({rows}) AS alone_"
        )
        if not self._clustered:
            return alone
        down = "PARTITION BY cluster_ ORDER BY zone_ DESC ROWS UNBOUNDED PRECEDING"
        sums = {
            "size_": f"SUM(weight_) OVER ({down})",
            "lost_": f"SUM(loss_) OVER ({down})",
            "total_": "SUM(weight_) OVER (PARTITION BY cluster_)",
        }
        listed = ", ".join(
            f"CAST({text} AS BIGINT) AS {one}" for one, text in sums.items()
        )
        return (
            f"SELECT zone_, weight_, loss_, {listed} FROM (SELECT cluster_, zone_, "
            "CAST(SUM(weight_) AS BIGINT) AS weight_, "
            "CAST(SUM(loss_) AS BIGINT) AS loss_ "
            f"FROM ({rows}) AS zoned_ WHERE cluster_ IS NOT NULL "
            f"GROUP BY cluster_, zone_) AS clusters_ "
            f"UNION ALL {alone} WHERE cluster_ IS NULL"
        )

    def _answer(self, query: str, what: str) -> Mapping[str, Any]:
        query = f"{query} LIMIT {MOST_KINDS + 1}"
        answer: Mapping[str, Any] = self.engine.connection.columns(query)
        check_few(self.engine.table.place, len(answer["number_"]), what, MOST_KINDS)
        return answer


def _counted(units: str, columns: Sequence[str]) -> str:
    """How many rows of a relation are alike."""
    by = ", ".join(columns)
    return f"SELECT {by}, COUNT(*) AS number_ FROM ({units}) AS units_ GROUP BY {by}"


def _table(answer: Mapping[str, Any], columns: Sequence[str]) -> Any:
    """Columns of an answer side by side, and last how many there are of each row."""
    listed = (np.asarray(answer[one], np.int64) for one in [*columns, "number_"])
    return np.stack([*listed], axis=1)


def _flag(condition: str) -> str:
    return f"(CASE WHEN {condition} THEN 1 ELSE 0 END)" if condition else "0"


def _places(cutoff: float | None) -> tuple[str, str, str]:
    """Conditions of guesses below, at and above a cutoff."""
    if cutoff is None:
        return "1 = 0", "1 = 0", "guess_ = 1"
    at = literal(float(cutoff))
    below, same, above = (
        f"guess_ = 1 AND confidence_ {sign} {at}" for sign in ("<", "=", ">")
    )
    return below, same, above


def _zone(cutoffs: Sequence[float], first: int = 0) -> str:
    """How many of rising cutoffs a confidence is at or above, found by halves."""
    if not len(cutoffs):
        return str(first)
    middle = len(cutoffs) // 2
    above = _zone(cutoffs[middle + 1 :], first + middle + 1)
    below = _zone(cutoffs[:middle], first)
    at = literal(float(cutoffs[middle]))
    return f"CASE WHEN confidence_ >= {at} THEN {above} ELSE {below} END"


def _is_part(reading: RelationReading, part: int) -> str:
    """The condition that a row belongs to a part."""
    keys = [key for key, number in reading.part_of.items() if number == part]
    if any("nan" in key for key in keys):
        need = "be told apart by texts or whole numbers, to be counted by themselves"
        raise InputError("count_outcomes", "groups", need, "NaN")
    texts = (" AND ".join(map(is_value, reading.rows.key, key)) for key in keys)
    return " OR ".join(map("({})".format, texts))
