"""Two systems on the same items, joined by id."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from demur.checks import choice
from demur.errors import InputError, shown
from demur.outcomes.table import Outcomes

_AGREE = ("answerable", "weight", "cluster")


def paired(
    tables: Sequence[Outcomes], *, items: str = "equal"
) -> tuple[list[Outcomes], tuple[str, ...]]:
    """The rows of several systems on the same items, in the same order.

    Rows are joined by item and repeat, never by position.

    Parameters
    ----------
    tables : sequence of Outcomes
        Each of one system and setting.
    items : {"equal", "common"}
        Whether the systems must have answered the same items, or only those that all
        have are kept, and the others counted.

    Returns
    -------
    (list of Outcomes, notes)
        One table for each given one; what was left out.

    Raises
    ------
    InputError
        If there are no common items, if the items differ where they must be equal,
        or if answerable, weight or cluster of an item differ between systems.

    Examples
    --------
    >>> import demur
    >>> a = demur.Outcomes.from_arrays(item=["q1", "q2"], correct=[True, False])
    >>> b = demur.Outcomes.from_arrays(item=["q2", "q1"], correct=[True, None])
    >>> (first, second), notes = paired([a, b])
    >>> first.item.tolist() == second.item.tolist()
    True
    """
    choice("compare", "items", items, ["equal", "common"])
    keys = [_keys(table) for table in tables]
    shared = set(keys[0]).intersection(*keys[1:])
    common = [key for key in keys[0] if key in shared]
    left_out = [len(table) - len(common) for table in tables]
    if not common:
        apart = next(
            (row for row, names in enumerate(keys) if not {*names} & {*keys[0]}),
            len(tables) - 1,
        )
        names = [tables[row].systems[0] or "one" for row in (0, apart)]
        got = (
            f"none: {names[0]} has items such as {_shown(keys[0])}, {names[1]} such as "
            f"{_shown(keys[apart])}"
        )
        hint = "Ids are compared as text."
        must = "have items in common"
        raise InputError("compare", "the systems", must, got, hint)
    if any(left_out) and items == "equal":
        row = left_out.index(max(left_out))
        alone = next(key for key in keys[row] if key not in shared)
        name = tables[row].systems[0] or f"number {row + 1}"
        got = f"{max(left_out)} items only of {name}, such as {shown(alone[0])}"
        hint = "items=common compares on the items that all have."
        raise InputError("compare", "the systems", "have the same items", got, hint)
    chosen = [
        table if names == common else table.take(_rows(names, common))
        for table, names in zip(tables, keys, strict=True)
    ]
    for other in chosen[1:]:
        _check_agreement(chosen[0], other)
    if not any(left_out):
        return chosen, ()
    parts = ", ".join(
        f"{count} of {table.systems[0] or 'one'}"
        for count, table in zip(left_out, tables, strict=True)
    )
    return chosen, (f"{len(common)} common items; left out: {parts}",)


def _keys(table: Outcomes) -> list[tuple[str, Any]]:
    repeat = [None] * len(table) if table.repeat is None else table.repeat.tolist()
    return list(zip(map(str, table.item.tolist()), repeat, strict=True))


def _rows(keys: Sequence[Any], wanted: Sequence[Any]) -> npt.NDArray[np.int64]:
    """Where each wanted key stands."""
    row_of = {key: row for row, key in enumerate(keys)}
    return np.fromiter((row_of[key] for key in wanted), np.int64, len(wanted))


def _shown(keys: Sequence[tuple[str, Any]]) -> str:
    return shown(keys[0][0]) if keys else "nothing"


def _check_agreement(first: Outcomes, other: Outcomes) -> None:
    """What belongs to the item must be the same for both systems."""
    for name in _AGREE:
        a, b = _column(first, name), _column(other, name)
        differ = np.flatnonzero(a != b)
        if len(differ):
            row = int(differ[0])
            got = f"{shown(a[row])} and {shown(b[row])} for {shown(first.item[row])}"
            must = "be the same for every system"
            hint = f"{len(differ)} items differ."
            raise InputError("compare", name, must, got, hint)


def _column(table: Outcomes, name: str) -> npt.NDArray[Any]:
    usual = {"answerable": True, "weight": 1.0, "cluster": None}[name]
    values = getattr(table, name)
    if values is None:
        return np.full(len(table), usual, object)
    column: npt.NDArray[Any] = np.asarray(values, object)
    return column
