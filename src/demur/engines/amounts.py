"""Weights and credits as whole numbers, so that sums are the same in every engine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from demur.curves.blocks import MOST_BITS, rounding_unit
from demur.engines.cells import double
from demur.engines.part_sums import rounding_notes
from demur.engines.selecting import AnswerTable, Ask
from demur.engines.sql_counts import combinations_query, literal
from demur.errors import InputError, shown
from demur.outcomes.fields import MOST_APART

LEAST: Final = 5e-324
MOST: Final = 1.7976931348623157e308
"""The least and the greatest float, so that weights are positive and finite."""

POWERS: Final = range(7)
"""Powers of ten of which numbers may be whole multiples to be short decimals."""


@dataclass(frozen=True)
class Amounts:
    """Whole amounts of a row, as SQL.

    Parameters
    ----------
    used : bool
        Whether there are weights or credits.
    weight, earned : str
        Weight, and the credit if the answer is right.
    scale : float
        What a weight of 1 is.
    partial : str
        Whether an answer that is not wrong has only a part of the credit.
    notes : sequence of str
        What must be said of their rounding.
    """

    used: bool = False
    weight: str = "1"
    earned: str = "1"
    partial: str = ""
    scale: float = 1
    notes: Sequence[str] = ()

    def loss(self, wrong: str, ungraded: str) -> str:
        """What an answer costs, from the conditions that it is wrong, or ungraded."""
        whens = f"WHEN {wrong} THEN {self.weight} " if wrong else ""
        whens += f"WHEN {ungraded} THEN 0 " if ungraded else ""
        rest = f"{self.weight} - {self.earned}"
        return f"CASE {whens}ELSE {rest} END" if whens else rest

    @property
    def aggregates(self) -> dict[str, str]:
        """What is summed up of each combination."""
        listed = {"rows_": "COUNT(*)"}
        if self.used:
            listed |= {
                "weight_": f"SUM({self.weight})",
                "earned_": f"SUM({self.earned})",
                "least_": f"MIN({self.weight})",
                "most_": f"MAX({self.weight})",
            }
        return listed


def amounts_of(table: AnswerTable, ask: Ask, where: str) -> Amounts:
    """How the weights and credits of a relation are whole numbers.

    Raises
    ------
    InputError
        If weights are so far apart that the light ones would count for nothing.
    """
    texts = {}
    weight, credit = table.as_it_is("weight"), _credit_column(table)
    if weight is not None:
        texts["weight"] = f"COALESCE({double(table, weight)}, 1)"
    if credit is not None:
        texts["credit"] = double(table, credit)
    if not texts:
        return Amounts()
    queries: dict[str, str] = {"rows_": "COUNT(*)"}
    for one, text in texts.items():
        queries |= {f"{one}_least_": f"MIN({text})", f"{one}_most_": f"MAX({text})"}
        queries |= {
            f"{one}_{power}_": (
                f"MIN(CASE WHEN {text} IS NULL OR ROUND({text} * 1e{power}) / 1e{power}"
                f" = {text} THEN 1 ELSE 0 END)"
            )
            for power in POWERS
        }
    (row,) = ask(combinations_query(table.relation, where, {}, queries))
    answer = dict(zip(queries, row, strict=True))
    if not answer["rows_"] or not _can_be(answer):
        return Amounts()  # the reader of the rows says what is wrong
    return _scaled(table, texts, answer)


def _credit_column(table: AnswerTable) -> str | None:
    column = table.as_it_is("credit")
    if column is not None or "correct" in table.forms:
        return column
    column = table.column("correct")
    return None if column is None or table.is_word(column) else column


def _can_be(answer: Mapping[str, Any]) -> bool:
    """Whether the least and the greatest are what weights and credits can be."""
    limits = {"weight": (LEAST, MOST), "credit": (0.0, 1.0)}
    for one, (low, high) in limits.items():
        ends = [answer.get(f"{one}_{end}_") for end in ("least", "most")]
        if not all(end is None or low <= float(end) <= high for end in ends):
            return False
    return True


def _scaled(
    table: AnswerTable, texts: Mapping[str, str], answer: Mapping[str, Any]
) -> Amounts:
    most = float(answer.get("weight_most_") or 1)
    least = float(answer.get("weight_least_") or 1)
    if 0 < least < most / MOST_APART:
        need = f"be at most {MOST_APART:g} times the lightest, {shown(least)}"
        hint = "The light items would count for nothing."
        raise InputError(table.place, "weight", need, shown(most), hint)
    room = 2**MOST_BITS / answer["rows_"] / max(most, 1e-300)
    scales = {one: _scale(one, answer) for one in texts}
    weight_scale, credit_scale = scales.get("weight", 1), scales.get("credit", 1)
    credit = texts.get("credit")
    partial = f"{credit} > 0 AND {credit} < 1" if credit else ""
    if weight_scale and credit_scale and weight_scale * credit_scale < room:
        weight = _whole(texts.get("weight", "1"), weight_scale)
        weight = weight if credit_scale == 1 else f"{weight} * {credit_scale}"
        earned = weight
        if credit:
            part = _whole(f"COALESCE({credit}, 1)", credit_scale)
            earned = f"{_whole(texts.get('weight', '1'), weight_scale)} * {part}"
        scale = weight_scale * credit_scale
        return Amounts(
            used=True, weight=weight, earned=earned, partial=partial, scale=scale
        )
    unit = rounding_unit(answer["rows_"], most)
    weight = _whole(texts.get("weight", "1"), unit)
    earned = weight
    if credit:
        product = f"{texts.get('weight', '1')} * COALESCE({credit}, 1)"
        earned = _whole(product, unit)
    notes = rounding_notes(table.place, unit, least, most)
    whole = Amounts(used=True, weight=weight, earned=earned, partial=partial)
    return replace(whole, scale=unit, notes=notes)


def _scale(one: str, answer: Mapping[str, Any]) -> int:
    """The least power of ten of which all are whole multiples; 0 if none is."""
    powers = (power for power in POWERS if answer[f"{one}_{power}_"])
    power = next(powers, None)
    return 0 if power is None else 10**power


def _whole(text: str, scale: float) -> str:
    if text == "1":
        return str(round(scale))
    times = "" if scale == 1 else f" * {literal(float(scale))}"
    return f"CAST(FLOOR({text}{times} + 0.5) AS BIGINT)"
