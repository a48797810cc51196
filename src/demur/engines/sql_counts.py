"""The counting plan as SQL, written once in DuckDB's dialect.

Every query reads a relation, something that can stand behind FROM, and gives one small
table. Other engines get the same text, rendered by sqlglot.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from demur.curves.blocks import Cut


def name(column: str) -> str:
    """A column's name, quoted."""
    return '"' + column.replace('"', '""') + '"'


def literal(value: Any) -> str:
    """A value of a cell as SQL.

    Examples
    --------
    >>> literal("it's"), literal(True), literal(0.1), literal(float("inf"))
    ("'it''s'", 'TRUE', "CAST('0.1' AS DOUBLE)", "CAST('Infinity' AS DOUBLE)")
    """
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"CAST('{_float_text(value)}' AS DOUBLE)"
    return "'" + str(value).replace("'", "''") + "'"


def _float_text(value: float) -> str:
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return "NaN" if value != value else repr(float(value))


def is_value(column: str, value: Any) -> str:
    """A condition that is true where a column holds a value, or nothing."""
    return f"{column} IS NULL" if value is None else f"{column} = {literal(value)}"


@dataclass(frozen=True)
class AnswerRows:
    """How one row of a relation reads, as SQL.

    Parameters
    ----------
    relation : str
        What stands behind FROM.
    where : str
        Which rows are wanted; empty for all.
    confidence : str
        A double, NULL where there is none.
    guess, wrong, ungraded : str
        Conditions; an empty guess is every row with a confidence, and the others
        hold nowhere if they are empty.
    weight, loss : str
        Whole amounts; empty where every item weighs 1 and is right or wrong.
    partial, hopeless : str
        Conditions; empty where they hold nowhere.
    key : sequence of str
        What tells the parts apart, as SQL.
    """

    relation: str
    where: str
    confidence: str
    guess: str = ""
    wrong: str = ""
    ungraded: str = ""
    weight: str = ""
    loss: str = ""
    partial: str = ""
    hopeless: str = ""
    key: Sequence[str] = field(default_factory=tuple)

    def columns(self) -> str:
        """The row with the columns that the queries below name."""
        listed = {
            "confidence": self.confidence,
            "guess": self.guess,
            "wrong": self.wrong,
            "ungraded": self.ungraded,
            "weight": self.weight,
            "loss": self.loss,
            "partial": self.partial,
            "hopeless": self.hopeless,
        }
        named = [f"{text} AS {one}_" for one, text in listed.items() if text]
        keys = map("{} AS {}".format, self.key, self.keys)
        return ", ".join([*keys, *named])

    @property
    def keys(self) -> list[str]:
        """What queries call the columns that tell the parts apart.

        Names of their own, since a column may be called as what is counted.
        """
        return [f"key{place}_" for place in range(len(self.key))]


def from_rows(rows: AnswerRows) -> str:
    """``FROM`` and ``WHERE`` of a query over rows as they read."""
    where = f" WHERE {rows.where}" if rows.where else ""
    return f"FROM (SELECT {rows.columns()} FROM {rows.relation}{where}) AS answers_"


def count_query(
    rows: AnswerRows, cuts: Sequence[Cut], ends: tuple[float, float] | None = None
) -> str:
    """Sums of guesses by part and block, for the blocks of some cuts.

    Parameters
    ----------
    rows : AnswerRows
        The rows.
    cuts : sequence of Cut
        Which confidences are counted, and how.
    ends : tuple (low, high), optional
        The least and greatest confidence, if they are known.
    """
    by = [*rows.keys, "block_"]
    sums = ["COUNT(*) AS guesses_", *_sums(rows)]
    inner = (
        f"SELECT *, {block_text(cuts)} AS block_ {from_rows(rows)} "
        f"WHERE {_guess(rows)}{in_cuts(cuts, ends)}"
    )
    return (
        f"SELECT {', '.join([*by, *sums])} FROM ({inner}) AS blocks_ "
        f"GROUP BY {', '.join(by)}"
    )


def _guess(rows: AnswerRows) -> str:
    return "guess_ AND " if rows.guess else ""


def _sums(rows: AnswerRows) -> Iterable[str]:
    """The sums that can be something else than 0, or than the number of guesses."""
    if rows.wrong:
        yield "COUNT(*) FILTER (WHERE wrong_) AS wrong_"
    if rows.ungraded:
        yield "COUNT(*) FILTER (WHERE ungraded_) AS ungraded_"
    if rows.partial:
        yield "COUNT(*) FILTER (WHERE partial_) AS partial_"
    if rows.weight:
        yield "SUM(weight_) AS weight_"
        yield "SUM(loss_) AS loss_"
        if rows.ungraded:
            yield "SUM(weight_) FILTER (WHERE ungraded_) AS unclear_"
    if rows.hopeless:
        what = "SUM(weight_)" if rows.weight else "COUNT(*)"
        yield f"{what} FILTER (WHERE hopeless_) AS hopeless_"


MOST_IN_A_ROW = 8
"""So many cuts are tried one after the other; of more, half of them at a time."""


def block_text(cuts: Sequence[Cut]) -> str:
    """The least confidence that the block of a guess may hold."""
    if not any(cut.width for cut in cuts):
        return "confidence_"
    if len(cuts) > MOST_IN_A_ROW:
        middle = len(cuts) // 2
        below, above = block_text(cuts[:middle]), block_text(cuts[middle:])
        at = literal(cuts[middle].low)
        return f"CASE WHEN confidence_ < {at} THEN {below} ELSE {above} END"
    *first, last = cuts
    whens = "".join(
        f"WHEN confidence_ < {literal(cut.high)} THEN {_block_in(cut)} "
        for cut in first
    )
    return f"CASE {whens}ELSE {_block_in(last)} END" if whens else _block_in(last)


def _block_in(cut: Cut) -> str:
    if cut.width == math.inf:
        return literal(cut.low)
    if not cut.width:
        return "confidence_"
    floor = f"FLOOR(confidence_ * {literal(1 / cut.width)}) * {literal(cut.width)}"
    if cut.last is not None:
        floor = f"LEAST({floor}, {literal(cut.last)})"
    if math.isinf(cut.low) or not (cut.low / cut.width) % 1:
        return floor
    return f"GREATEST({floor}, {literal(cut.low)})"


def in_cuts(cuts: Sequence[Cut], ends: tuple[float, float] | None = None) -> str:
    """Whether a confidence is in one of the cuts; neighbours are one condition.

    Examples
    --------
    >>> in_cuts([Cut(0.0, 0.5, 0.25), Cut(0.5, 1.0)], (0.0, 0.75))
    'confidence_ IS NOT NULL'
    >>> in_cuts([Cut(place / 4, (place + 1) / 4) for place in range(0, 18, 2)])
    "FLOOR(confidence_ * CAST('4.0' AS DOUBLE)) IN (0, 2, 4, 6, 8, 10, 12, 14, 16)"
    """
    spans: list[tuple[float, float]] = []
    for cut in cuts:
        if spans and spans[-1][1] == cut.low:
            spans[-1] = spans[-1][0], cut.high
        else:
            spans.append((cut.low, cut.high))
    if ends and len(spans) == 1 and spans[0][0] <= ends[0] and ends[1] < spans[0][1]:
        return "confidence_ IS NOT NULL"
    return _in_blocks(spans) or f"({' OR '.join(_between(*span) for span in spans)})"


MANY_SPANS: Final = 8
"""More conditions than that take longer than a list of blocks."""

MOST_LISTED: Final = 1 << 12
"""So many blocks at most are listed."""


def _in_blocks(spans: Sequence[tuple[float, float]]) -> str:
    """Whether a confidence is in many spans, as a list of blocks of one width.

    Empty if there are few spans, or their ends are no multiples of one width.
    """
    if len(spans) <= MANY_SPANS or not np.isfinite(spans).all():
        return ""
    ends = np.array(spans)
    width = 2.0 ** np.floor(np.log2(np.diff(ends).min()))
    with np.errstate(over="ignore", invalid="ignore"):
        places, scale = ends / width, 1 / width
        exact = np.isfinite(scale) and (places % 1 == 0).all()
        exact &= np.abs(places).max() < MOST_PLACES
    if not exact or np.diff(places).sum() > MOST_LISTED:
        return ""
    listed = (str(one) for low, high in places.astype(int) for one in range(low, high))
    return f"FLOOR(confidence_ * {literal(float(scale))}) IN ({', '.join(listed)})"


MOST_PLACES: Final = 2.0**52
"""Quotients below are exact, if the width is a power of two."""


def _between(low: float, high: float) -> str:
    ends = ["confidence_ IS NOT NULL"] if math.isinf(low) else []
    if not math.isinf(low):
        ends.append(f"confidence_ >= {literal(low)}")
    if not math.isinf(high):
        ends.append(f"confidence_ < {literal(high)}")
    return " AND ".join(ends)


def clusters_query(rows: AnswerRows, column: str) -> str:
    """By part: how many rows there are, and how many different clusters.

    Parameters
    ----------
    rows : AnswerRows
        The rows.
    column : str
        That of the clusters, quoted; a row where it is NULL stands alone.
    """
    counted = f"COUNT(DISTINCT {column}) + COUNT(*) FILTER (WHERE {column} IS NULL)"
    keys = map("{} AS {}".format, rows.key, rows.keys)
    listed = [*keys, "COUNT(*) AS rows_", f"{counted} AS clusters_"]
    where = f" WHERE {rows.where}" if rows.where else ""
    by = f" GROUP BY {', '.join(rows.key)}" if rows.key else ""
    return f"SELECT {', '.join(listed)} FROM {rows.relation}{where}{by}"


def distinct_query(rows: AnswerRows, low: float, high: float) -> str:
    """About how many different confidences of guesses there are."""
    return (
        f"SELECT APPROX_COUNT_DISTINCT(confidence_) AS distinct_ {from_rows(rows)} "
        f"WHERE {_guess(rows)}{_between(low, high)}"
    )


def combinations_query(
    relation: str, where: str, columns: Mapping[str, str], sums: Mapping[str, str]
) -> str:
    """The different combinations of some values, and aggregates over their rows.

    Parameters
    ----------
    relation, where : str
        As in `AnswerRows`.
    columns, sums : mapping of name to SQL
        What is apart apart, and what is aggregated.
    """
    listed = [f"{text} AS {name(one)}" for one, text in columns.items()]
    listed += [f"{text} AS {one}" for one, text in sums.items()]
    wanted = f" WHERE {where}" if where else ""
    by = ", ".join(str(place + 1) for place in range(len(columns)))
    grouped = f" GROUP BY {by}" if columns else ""
    return f"SELECT {', '.join(listed)} FROM {relation}{wanted}{grouped}"


def sample_query(rows: AnswerRows, relation: str) -> str:
    """Confidences of guesses among the rows of a smaller relation."""
    some = replace(rows, relation=relation)
    return (
        f"SELECT confidence_ {from_rows(some)} "
        f"WHERE {_guess(some)}confidence_ IS NOT NULL"
    )


def items_query(relation: str, where: str, key: Sequence[str]) -> str:
    """About how many different rows there are by the columns that tell them apart."""
    row = key[0] if len(key) == 1 else f"MD5(CONCAT_WS('/', {', '.join(_texts(key))}))"
    wanted = f" WHERE {where}" if where else ""
    return f"SELECT APPROX_COUNT_DISTINCT({row}) AS items_ FROM {relation}{wanted}"


def _texts(key: Sequence[str]) -> list[str]:
    return [f"COALESCE(CAST({column} AS VARCHAR), '')" for column in key]


def common_query(rows: AnswerRows, item: str, n_parts: int) -> str:
    """How many items all parts have."""
    keys = ", ".join(rows.key)
    apart = keys if len(rows.key) == 1 else f"MD5(CONCAT_WS('/', {_joined(rows.key)}))"
    wanted = f" WHERE {rows.where}" if rows.where else ""
    return (
        f"SELECT COUNT(*) FROM (SELECT {item} FROM {rows.relation}{wanted} "
        f"GROUP BY {item} HAVING COUNT(DISTINCT COALESCE(CAST({apart} AS VARCHAR), "
        f"'')) = {n_parts}) AS common_"
    )


def _joined(key: Sequence[str]) -> str:
    return ", ".join(_texts(key))


def repeated_query(relation: str, where: str, key: Sequence[str]) -> str:
    """One of the rows that are there more than once, with how often."""
    wanted = f" WHERE {where}" if where else ""
    by = ", ".join(key)
    return (
        f"SELECT {by}, COUNT(*) AS times_ FROM {relation}{wanted} GROUP BY {by} "
        "HAVING COUNT(*) > 1 LIMIT 1"
    )
