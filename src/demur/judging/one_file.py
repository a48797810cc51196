"""References that stand in the rows of the responses to them, in one file of both."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from demur.errors import InputError, shown
from demur.outcomes.records import Reference, item_text, pair_name

_OF_WHOM: Final = ("system", "setting", "repeat")
_HINT: Final = (
    "If the row is repeated, repeated=first or repeated=last takes one of them."
)
_APART: Final = (
    "Rows of several systems need what is right in a file of its own, one row for each "
    "item: give that as REFERENCES."
)


def once(references: Iterable[Reference], repeated: str) -> Iterator[Reference]:
    """The references of one file of both, one for each item.

    Parameters
    ----------
    references : iterable of Reference
        As they stand; each says in ``extra`` whose response its row holds.
    repeated : {"error", "first", "last"}
        What becomes of several rows of an item, as for responses: both take the same.

    Raises
    ------
    InputError
        If an item has several rows, and the policy takes none of them, or they are of
        different systems, settings or repeats.

    Examples
    --------
    >>> rows = [Reference(item="q1", alternatives=(("a", 1.0),), place=place)
    ...         for place in ("row 1", "row 2")]
    >>> [reference.place for reference in once(rows, "last")]
    ['row 2']
    """
    kept: dict[tuple[str, Any], Reference] = {}
    for number, reference in enumerate(references, 1):
        place = reference.place or f"references: record {number}"
        key = item_text(reference.item, place), reference.part
        first = kept.setdefault(key, reference)
        if first is reference:
            continue
        same = _whose(first) == _whose(reference)
        if repeated == "error" or not same:
            need = "have one row in a file of responses and references"
            got = f"another for {shown(pair_name(*key))}, first at {first.place}"
            raise InputError(place, "an item", need, got, _HINT if same else _APART)
        if repeated == "last":
            kept[key] = reference
    yield from kept.values()


def _whose(reference: Reference) -> list[Any]:
    return [reference.extra.get(name) for name in _OF_WHOM]
