"""Rows that pandas names by an index: the same rows, in whatever order they stand."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from demur.errors import InputError, shown
from demur.outcomes.frames import are_texts


def aligned(where: str, columns: Mapping[str, Any]) -> dict[str, Any]:
    """Columns in the order of the first of them that has an index.

    Series whose indexes name the same rows in another order are joined by these names.
    Numbers of rows are no names: rows that were shuffled, and others that were numbered
    anew, have the same.

    Parameters
    ----------
    where : str
        Who asks, for messages.
    columns : mapping of name to sequence
        What has no index, such as a list, stays as it is.

    Raises
    ------
    InputError
        If indexes differ otherwise: nothing says which rows belong together.

    Examples
    --------
    >>> import pandas
    >>> a = pandas.Series(["yes", "no"], ["u1", "u2"])
    >>> b = pandas.Series(["no", "yes"], ["u2", "u1"])
    >>> list(aligned("words", {"references": a, "hypotheses": b})["hypotheses"])
    ['yes', 'no']
    """
    ordered = dict(columns)
    indexed = [name for name, values in ordered.items() if _has_index(values)]
    for name in indexed[1:]:
        first = ordered[indexed[0]].index
        other = ordered[name].index
        if first.equals(other):
            continue
        if not _names_alike(first, other):
            raise _of_other_rows(where, name, indexed[0], first, other)
        ordered[name] = ordered[name].reindex(first)
    return ordered


def _by_items(columns: dict[str, Any]) -> dict[str, Any]:
    """Columns with an index in the order of items that have none, such as a list.

    Raises
    ------
    InputError
        If the index names other rows: nothing says which ones belong together.
    """
    items = columns["item"]
    indexed = [name for name, values in columns.items() if _has_index(values)]
    if "item" in indexed or not indexed or len(items) != len(columns[indexed[0]]):
        return columns
    index = columns[indexed[0]].index
    wanted, names = [*map(str, items)], [*map(str, index)]
    if names == wanted:
        return columns
    places = {name: place for place, name in enumerate(names)}
    others = len(places) < len(names) or places.keys() != set(wanted)
    counted = _are_numbers_of_rows(index)
    # A series that was never ordered counts its rows; one that was sorted by its index
    # may have come to count them, and may mean items that are such numbers.
    if counted and (others or type(index).__name__ == "RangeIndex"):
        return columns
    if counted or others:
        row = next(row for row, name in enumerate(names) if name != wanted[row])
        need, what = "be that of the items", f"the index of {indexed[0]}"
        got = f"{shown(index[row])} in row {row + 1}, whose item is {shown(items[row])}"
        hint = (
            f"Give item as a series of the same frame, or {indexed[0]}.to_numpy(), "
            "which is paired by position."
        )
        raise InputError("outcomes", what, need, got, hint)
    order = [places[name] for name in wanted]
    return columns | {name: columns[name].iloc[order] for name in indexed}


def joined(
    table: Mapping[str, Any], groups: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Columns of outcomes as `aligned`, and items by the texts of their index.

    Where items are a list, series are joined by it.

    Examples
    --------
    >>> import pandas
    >>> correct = pandas.Series([True, False], ["q1", "q2"])
    >>> list(joined({"correct": correct}, {})[0]["item"])
    ['q1', 'q2']
    """
    columns = aligned("outcomes", {**table, **groups})
    if "item" in table:
        columns = _by_items(columns)
    ordered = {name: columns[name] for name in table}
    if "item" not in table:
        indexes = (values.index for values in columns.values() if _has_index(values))
        names = next(indexes, None)
        if names is not None and are_texts(names):
            ordered["item"] = names.to_numpy()
    return ordered, {name: columns[name] for name in groups}


def _has_index(values: Any) -> bool:
    """Whether it is a series of pandas, or of what is made like it; a list is none."""
    kind = type(values)
    return hasattr(kind, "index") and hasattr(kind, "reindex") and values.ndim == 1


def _names_alike(first: Any, other: Any) -> bool:
    """Whether both name the same rows, each once, and not by numbers from 0."""
    return (
        len(first) == len(other)
        and first.is_unique
        and other.is_unique
        and not _are_numbers_of_rows(first)
        and not _are_numbers_of_rows(other)
        and bool(first.isin(other).all())
    )


def _are_numbers_of_rows(index: Any) -> bool:
    numeric = index.inferred_type == "integer"
    return numeric and np.array_equal(index.to_numpy(), np.arange(len(index)))


def _of_other_rows(
    where: str, name: str, leading: str, first: Any, other: Any
) -> InputError:
    differing = [a != b for a, b in zip(first, other, strict=False)]
    row = differing.index(True) if True in differing else min(len(first), len(other))
    ends = [
        shown(index[row]) if row < len(index) else "none" for index in (other, first)
    ]
    got = f"{ends[0]} in row {row + 1}, where {leading} has {ends[1]}"
    hint = (
        f"{name}.reindex({leading}.index) joins by it; .to_numpy() of both leaves it "
        "away and pairs by position."
    )
    return InputError(where, f"the index of {name}", f"be that of {leading}", got, hint)
