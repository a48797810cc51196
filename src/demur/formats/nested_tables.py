"""JSON whose records hold lists of parts, read as one record for each part."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, Self

from demur.formats.json_lines import JsonTable, lists_parts
from demur.formats.record_blocks import blocks_of
from demur.formats.streams import RecordFile, RowBlock, Stream, Wanted
from demur.outcomes.nested_parts import is_without_parts, unnested


class PartLine(int):
    """The number of a line, shown with that of a part in its list.

    Examples
    --------
    >>> f"a.jsonl:{PartLine.of(3, 'a.jsonl:3, part 1', 'a.jsonl:')}"
    'a.jsonl:3, part 1'
    """

    place = ""

    @classmethod
    def of(cls, line: int, place: str, prefix: str) -> Self:
        """The line of a place that begins so."""
        number = cls(line)
        number.place = place.removeprefix(prefix)
        return number

    def __format__(self, form: str) -> str:
        return self.place


class NestedTable(RecordFile):
    """A file of JSON, each part of a record as a record of its own.

    Parameters
    ----------
    stream : Stream
        Whose first records hold a list of parts.
    """

    words: ClassVar[str] = JsonTable.words

    def __init__(self, stream: Stream) -> None:
        self._table = JsonTable(stream)
        self.name, self.prefix = self._table.name, self._table.prefix

    @staticmethod
    def recognises(head: bytes) -> bool:
        """Whether a file begins so."""
        return JsonTable.recognises(head) and lists_parts(head)

    @property
    def notes(self) -> Sequence[str]:  # type: ignore[override]
        """Those of the file."""
        return self._table.notes

    def names(self) -> list[str]:
        """Names of the fields in the first records and their parts."""
        return list(dict.fromkeys(name for one in self.beginning() for name in one))

    def beginning(self) -> list[Mapping[str, Any]]:
        """The first records, one for each part."""
        first = self._table.beginning()
        return [part for record in first for _, part in unnested("", record)]

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The parts one by one, each with the line and its number in the list."""
        for number, record in self._table.records():
            for place, part in unnested(f"{self.prefix}{number}", record):
                yield PartLine.of(number, place, self.prefix), part

    def blocks(self, wanted: Wanted) -> Iterator[RowBlock]:
        """The parts as columns; a whole without parts has no answer."""
        return blocks_of(self._with_outcomes(), wanted, self.prefix)

    def _with_outcomes(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Wholes without parts say so as the parts of others do."""
        records = self.records()
        first = []
        for number, record in records:
            first.append((number, record))
            if not is_without_parts(record):
                break
        nothing: dict[str, Any] = {"outcome": "unanswered"}
        if first and "correct" in first[-1][1]:
            nothing = {"correct": None}
        for number, record in chain(first, records):
            whole = is_without_parts(record)
            yield number, {**record, **nothing} if whole else record
