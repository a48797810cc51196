"""From a source to a table of the format that its content shows."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from demur.formats.delimited import DelimitedTable
from demur.formats.json_lines import JsonTable
from demur.formats.parquet import ParquetTable
from demur.formats.streams import Source, Stream, opened
from demur.formats.tables import RecordFile, nothing

FORMATS: Final[dict[str, Callable[[Stream], RecordFile]]] = {
    "json_lines": JsonTable,
    "json": JsonTable,
    "delimited": DelimitedTable,
    "parquet": ParquetTable,
}
"""What reads each form that `demur.formats.streams` tells apart by content."""


@contextmanager
def open_table(source: Source) -> Iterator[RecordFile]:
    """A source as a table.

    Raises
    ------
    InputError
        If it cannot be opened.
    ParseError
        If it is empty, or not what its first bytes promise.
    """
    with opened(source) as stream:
        if stream.form == "empty":
            raise nothing(stream.name, "an empty file")
        yield FORMATS[stream.form](stream)
