"""Responses that have been given before, as a system."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from demur.errors import InputError, shown
from demur.outcomes.records import Response, item_text
from demur.systems.protocol import Input


class RecordedSystem:
    """Responses from a file, given again.

    Parameters
    ----------
    responses : iterable of Response
        Of one system and setting, one for each item.
    name : str
        Of the system; by default the one that the responses name.

    Raises
    ------
    InputError
        If an item has two responses, or there are several systems.
    """

    takes_context = False

    def __init__(self, responses: Iterable[Response], *, name: str = "") -> None:
        self.responses: dict[str, Response] = {}
        systems = set()
        for response in responses:
            key = item_text(response.item, response.place or "a response")
            if key in self.responses:
                need, hint = "have one response", "Several runs are several systems."
                place = response.place or "responses"
                raise InputError(place, f"item {shown(key)}", need, "two", hint)
            self.responses[key] = response
            systems.add(response.system)
        if len(systems) > 1:
            need, got = "be of one system", ", ".join(sorted(systems)[:5])
            hint = "Give the responses of one."
            raise InputError("as_system", "the responses", need, got, hint)
        self.name = name or next(iter(systems), "")

    def __str__(self) -> str:
        return f"recorded({len(self.responses)} responses)"

    __repr__ = __str__

    def respond(self, inputs: Sequence[Input]) -> list[Response]:
        """The recorded responses of these items; those without one are missing."""
        keys = (item_text(asked.item, "input") for asked in inputs)
        given = [self.responses[key] for key in keys if key in self.responses]
        return [replace(response, system=self.name) for response in given]
