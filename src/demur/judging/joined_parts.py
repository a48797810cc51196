"""Answers made of parts, joined by item and part: a name for each pair while judging.

A part is judged like an item, by any comparator. So each pair of an item and a part is
given a name of its own, under which it is judged, and is taken apart in the outcomes.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from demur.errors import InputError, shown
from demur.judging.join import References
from demur.outcomes.columns import objects
from demur.outcomes.records import (
    Reference,
    Response,
    as_reference,
    as_response,
    item_text,
    pair_name,
    with_place,
)
from demur.outcomes.values import label_text

_NAMED_HINT: Final = (
    "A row with neither part nor response says that a system gave no parts at all."
)
_PARTS_HINT: Final = (
    "Name the part of each reference; whole answers that are sets, slots or tool "
    "calls are taken apart with parts=True (--parts)."
)


class JoinedParts:
    """Which parts of which items there are, and what each pair is called.

    Examples
    --------
    >>> parts = JoinedParts()
    >>> [one, two] = parts.references([
    ...     {"item": "r1", "part": "pay", "reference": 5},
    ...     {"item": "r2", "reference": 6}])
    >>> one.item, two
    ('r1, part pay', {'item': 'r2', 'reference': 6})
    >>> [given] = parts.responses([{"item": "r1", "response": None}])
    >>> given.item, parts.split([given.item, "r2"])
    ('r1, part pay', (['r1', 'r2'], ['pay', None]))
    """

    def __init__(self) -> None:
        self._pairs: dict[str, tuple[str, str]] = {}
        self._names: dict[str, list[str]] = {}
        """Of each item with parts, what its pairs are called, as references have it."""

    @property
    def any(self) -> bool:
        """Whether there are any parts."""
        return bool(self._names)

    def both(
        self, responses: Iterable[Any], references: Iterable[Any]
    ) -> tuple[Iterator[Any], Iterator[Any]]:
        """Responses and references, to be read after these."""
        return self.responses(responses), self.references(references)

    def references(self, records: Iterable[Any]) -> Iterator[Any]:
        """References, those of a part under the name of their pair."""
        for number, record in enumerate(records, 1):
            if _part_given(record) is None:
                yield record
                continue
            place, _ = with_place(record, f"references: record {number}")
            reference = as_reference(record, place, otherwise=True)
            name = self._name(reference, place)
            self._names.setdefault(self._pairs[name][0], []).append(name)
            yield replace(reference, item=name, place=place)

    def responses(self, records: Iterable[Any]) -> Iterator[Any]:
        """Responses, those of a part under the name of their pair.

        A response without a part and without a guess, to an item with parts, stands
        for each of them.

        Raises
        ------
        InputError
            If responses name parts and no reference does, or the other way round.
        """
        for number, record in enumerate(records, 1):
            part = _part_given(record)
            if part is None and not self._names:
                yield record
                continue
            place, _ = with_place(record, f"responses: record {number}")
            response = as_response(record, place)
            if part is None:
                yield from self._of_whole(response, place)
                continue
            if not self._names:
                need = "name parts, as the responses do"
                got = f"none, and part {shown(part)} in a response at {place}"
                raise InputError("judge", "references", need, got, _PARTS_HINT)
            yield replace(response, item=self._name(response, place), place=place)

    def _of_whole(self, response: Response, place: str) -> Iterator[Response]:
        item = item_text(response.item, place)
        names = self._names.get(item)
        if names is None:
            yield replace(response, place=place)
            return
        if response.response is not None or response.error:
            need = "be named, as references of the item do"
            got = f"none for item {shown(item)}"
            raise InputError(place, "part", need, got, _NAMED_HINT)
        yield from (replace(response, item=name, place=place) for name in names)

    def _name(self, record: Response | Reference, place: str) -> str:
        item = item_text(record.item, place)
        part = str(label_text("part", record.part, place))
        name = pair_name(item, part)
        if self._pairs.setdefault(name, (item, part)) != (item, part):
            need = "be told apart by item and part, joined"
            raise InputError(place, "items and parts", need, shown(name))
        return name

    def check(self, known: References, *, parts: bool = False) -> None:
        """Refuse items that have a reference with and one without a part.

        And any part, if answers are to be taken apart.

        Raises
        ------
        InputError
            If there is one.
        """
        if parts and self._names:
            need, got = "name no parts where answers are taken apart", "some"
            raise InputError("judge", "references", need, got)
        for item, names in self._names.items():
            number = known.number_of.get(item)
            if number is not None:
                other = known.places[known.number_of[names[0]]]
                need = "be named in every reference of an item that has parts"
                got = f"none for {shown(item)}, which has parts at {other}"
                raise InputError(known.places[number], "part", need, got)

    def beside(self, name: str, known: References) -> list[int]:
        """The references of the item of a pair that has none itself."""
        if name not in self._pairs:
            return []
        item, _ = self._pairs[name]
        numbers = (known.number_of.get(one) for one in self._names.get(item, [item]))
        return [number for number in numbers if number is not None]

    def split(self, names: Iterable[str]) -> tuple[list[str], list[str | None]]:
        """Items and parts of names, those that are items alone without a part."""
        pairs = [self._pairs.get(name, (name, None)) for name in names]
        return [item for item, _ in pairs], [part for _, part in pairs]

    def columns(self, names: list[str]) -> dict[str, Any]:
        """The columns of outcomes that say what was judged."""
        if not self._pairs:
            return {"item": objects(names, len(names))}
        items, parts = self.split(names)
        return {"item": objects(items, len(items)), "part": objects(parts, len(parts))}

    def rejoined(self, outcomes: Any) -> list[str]:
        """The names under which the rows of outcomes were judged."""
        items: list[str] = outcomes.item.tolist()
        if outcomes.part is None or not self._pairs:
            return items
        pairs = zip(items, outcomes.part.tolist(), strict=True)
        return [pair_name(item, part) for item, part in pairs]


def _part_given(record: Any) -> Any:
    if isinstance(record, (Response, Reference)):
        part = record.part
    else:
        part = record.get("part") if isinstance(record, Mapping) else None
    # NaN is what a dataframe has in the place of nothing.
    return None if part is None or part != part or part == "" else part
