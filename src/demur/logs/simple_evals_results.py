"""Results of simple-evals: conversations, and totals that are no single answers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import msgspec

from demur.errors import InputError
from demur.formats.json_documents import json_value
from demur.formats.streams import Stream
from demur.logs.readers import ItemReader, LogNotes

ROW: Final = "row"
INPUT: Final = "input"


class _AllResults(msgspec.Struct):
    """What is read of a file; the pages in it are skipped."""

    convos: list[list[dict[str, Any]] | None] | None = None


@dataclass(frozen=True, repr=False)
class SimpleEvalsResults(ItemReader):
    """The conversations of simple-evals (``*_allresults.json``), to be judged anew.

    Parameters
    ----------
    item : {"row", "input"}
        What items are: numbers of conversations, or the question.
    """

    name: ClassVar[str] = "simple_evals"
    title: ClassVar[str] = "results of simple-evals"
    rows: ClassVar[str] = "conversation"
    statuses: ClassVar[Mapping[str, tuple[str, ...]]] = {"item": (ROW, INPUT)}

    item: str = ROW

    def items(
        self, stream: Stream, notes: LogNotes
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """The last answer of each conversation."""
        results = json_value(stream.name, stream.whole(), _AllResults)
        if results.convos is None:
            need, got = "hold single answers", "totals of simple-evals alone"
            hint = "Take the file *_allresults.json beside it."
            raise InputError(stream.name, "the file", need, got, hint)
        notes.add(
            "simple-evals keeps no verdict on single answers but in pages: judge them "
            "(--log 'simple_evals(item=input)' joins by question)"
        )
        for number, convo in enumerate(results.convos, 1):
            asked = _last(convo, "user")
            if self.item == INPUT and not isinstance(asked, str):
                where = f"{stream.name}: conversation {number}"
                hint = "Take numbers: --log 'simple_evals(item=row)'."
                raise InputError(where, "the question", "be a text", "none", hint)
            yield (
                number,
                {
                    "item": asked if self.item == INPUT else number,
                    "input": asked,
                    "response": _last(convo, "assistant") or None,
                },
            )


def _last(convo: list[dict[str, Any]] | None, role: str) -> Any:
    contents = [turn.get("content") for turn in convo or () if turn.get("role") == role]
    return contents[-1] if contents else None
