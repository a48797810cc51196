"""One row of each whole, for all that is done with items."""

from dataclasses import replace
from typing import Any

import numpy as np

from demur.arrays import Positions
from demur.outcomes.fields import RIGHT, UNANSWERED, UNGRADED, WRONG
from demur.outcomes.table import Outcomes
from demur.wholes.numbering import alike, numbered_parts, whole_numbers

_KEPT = ("system", "setting", "repeat", "cluster")
"""Columns that belong to the whole."""


def whole_rows(piece: Outcomes, without_parts: str = "answerable") -> Outcomes:
    """The wholes of one system and setting; of unlabelled parts they know nothing."""
    parts = numbered_parts("whole_outcomes", piece, without_parts)
    whole, first = whole_numbers(piece)
    bad = parts.surest(parts.wrong | parts.ungraded)
    codes = np.full(parts.n_wholes, RIGHT, np.uint8)
    lacking = np.ones(parts.n_wholes, bool)
    lacking[parts.whole] = False  # those without parts
    lacking[parts.whole[~parts.guess]] = True
    codes[lacking] = UNANSWERED
    is_bad = bad >= 0
    codes[is_bad] = np.where(parts.wrong[bad[is_bad]], WRONG, UNGRADED)
    decides = np.where(is_bad, bad, parts.least_sure(parts.guess))
    confidence = np.full(parts.n_wholes, np.nan, parts.confidence.dtype)
    has_one = codes != UNANSWERED
    confidence[has_one] = parts.confidence[decides[has_one]]
    columns: dict[str, Any] = {
        "item": piece.item[first],
        "outcome": codes,
        "confidence": confidence,
    }
    if piece.confidence is None:
        del columns["confidence"]
    if piece.weight is not None:
        columns["weight"] = piece.weight[first]
    for name in _KEPT:
        column = getattr(piece, name)
        if column is not None:
            if name == "cluster":
                alike("whole_outcomes", piece, name, column, whole, first)
            columns[name] = column[first]
    answerable = np.ones(parts.n_wholes, bool)
    answerable[parts.silent_right] = False
    if not answerable.all():
        columns["answerable"] = answerable
    groups = {
        name: column[first]
        for name, column in piece.groups.items()
        if _is_alike(column, whole, first)
    }
    recipe = {**piece.recipe, "of": "wholes"}
    if len(parts.without):
        recipe["without_parts"] = without_parts
    table = Outcomes.from_columns(
        columns,
        groups=groups,
        recipe=recipe,
        notes=piece.notes,
    )
    return replace(table, notes=piece.notes)


def _is_alike(column: Any, whole: Positions, first: Positions) -> bool:
    return bool((column == column[first][whole]).all())
