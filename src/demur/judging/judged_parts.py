"""Responses judged one by one, of which several may be parts of one item."""

from typing import Any

from demur.errors import InputError, shown
from demur.judging.judgement import Judgement
from demur.outcomes.columns import objects
from demur.outcomes.records import Response, item_text

PART = "part"


class JudgedParts(Judgement):
    """As `Judgement`, with rows told apart by their part, too.

    An item has a response as soon as one part has.
    """

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._parts_of: dict[tuple[int, int], dict[str | None, None]] = {}
        self._parts: list[str | None] = []

    def add(self, response: Response, place: str) -> None:
        """Judge one part, if it has a reference and is the only one."""
        item = item_text(response.item, place)
        run = self._run(response, place)
        number = self.references.number_of.get(item)
        if number is None:
            self.odd.add("unmatched", item, run, place)
            return
        part = None if response.part is None else str(response.part)
        known = self._parts_of.setdefault((run.number, number), {})
        if known and (part is None) != (None in known):
            need, got = "be one whole or several parts", "both"
            raise InputError(place, f"the response to {shown(item)}", need, got)
        if part in known:
            self.odd.add("repeated", item, run, place, of_part(part))
            return
        known[part] = None
        if run.get(number) is None:
            run[number] = len(self.rows)
        self._append(response, number, run, place)
        self._parts.append(part)

    def _table(self, notes: list[str]) -> dict[str, Any]:
        """With the parts; an item without a response has none."""
        silent = [None] * (len(self.rows) - len(self._parts))
        parts = objects([*self._parts, *silent], len(self.rows))
        return {**super()._table(notes), PART: parts}


def of_part(part: str | None) -> str:
    """How a message names a part.

    Examples
    --------
    >>> of_part("2"), of_part(None)
    (", part '2'", '')
    """
    return "" if part is None else f", part {shown(part)}"
