"""One sheet of a workbook, by its name."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from demur.errors import ParseError
from demur.formats.streams import RecordFile, Stream
from demur.formats.workbook import Workbook
from demur.logs.readers import ItemReader, LogNotes


@dataclass(frozen=True, repr=False)
class WorkbookSheet(ItemReader):
    """A sheet of an Excel workbook, read as the one with the table is without it.

    Parameters
    ----------
    sheet : str
        Its name, or its number among those that can be seen.
    """

    name: ClassVar[str] = "workbook"
    title: ClassVar[str] = "a workbook"
    statuses: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    sheet: str = ""

    def items(
        self,
        stream: Stream,
        notes: LogNotes,  # noqa: ARG002  (the workbook has its own)
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows of the sheet."""
        return self.table(stream).records()

    def table(self, stream: Stream) -> RecordFile:
        """The sheet as a table, with cells as of any workbook."""
        if not Workbook.recognises(stream.head):
            need, hint = "be a workbook (.xlsx)", "Leave out --log 'workbook(...)'."
            raise ParseError(stream.name, "the file", need, "another kind", hint)
        return Workbook(stream, self.sheet)
