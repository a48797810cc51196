"""From a source to a table of the format that its content shows."""

from collections.abc import Iterator
from contextlib import contextmanager

from demur.formats.delimited import DelimitedTable
from demur.formats.json_lines import JsonTable
from demur.formats.parquet import ParquetTable
from demur.formats.streams import Source, opened
from demur.formats.tables import RecordFile, nothing


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
        if stream.form == "parquet":
            yield ParquetTable(stream)
        elif stream.form == "delimited":
            yield DelimitedTable(stream)
        elif stream.form == "empty":
            raise nothing(stream.name, "an empty file")
        else:
            yield JsonTable(stream)
