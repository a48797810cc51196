"""The different rows of a relation as a file of the same form, for the readers."""

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from demur.engines.selecting import AnswerTable
from demur.errors import extra_module


class _NamedFile(io.BytesIO):
    """A file in memory that messages call by a name."""

    def __init__(self, content: bytes, name: str) -> None:
        super().__init__(content)
        self.name = name


def _arrow_table(columns: Mapping[str, Sequence[Any]]) -> Any:
    """Columns as a table of Arrow; by way of JSON, since its other ways load pandas."""
    import pyarrow
    from pyarrow import json as arrow_json

    cells = [cell for listed in columns.values() for cell in listed]
    if not cells or not all(map(_is_plain, cells)):
        return pyarrow.table({one: _array(listed) for one, listed in columns.items()})
    texts = [
        pyarrow.field(one, pyarrow.string())  # or some would be read as times
        for one, listed in columns.items()
        if any(isinstance(cell, str) for cell in listed)
    ]
    lines = (
        json.dumps(dict(zip(columns, row, strict=True)))
        for row in zip(*columns.values(), strict=True)
    )
    how = arrow_json.ParseOptions(explicit_schema=pyarrow.schema(texts))
    written = io.BytesIO("\n".join(lines).encode())
    read: Any = arrow_json.read_json(written, parse_options=how).select([*columns])
    return read


def _array(cells: Sequence[Any]) -> Any:
    """A column of Arrow, which takes no whole number beyond 2**63 by itself."""
    import pyarrow

    great = any(isinstance(cell, int) and cell >= MOST for cell in cells)
    return pyarrow.array(cells, pyarrow.uint64() if great else None)


def _is_plain(cell: Any) -> bool:
    """Whether JSON has it, and gives it back as it is."""
    if isinstance(cell, float):
        return math.isfinite(cell)
    if isinstance(cell, int):
        return abs(cell) < MOST
    return cell is None or isinstance(cell, str)


MOST: Final = 2**63
"""Arrow's whole numbers are below."""


def as_file(
    table: AnswerTable, columns: Mapping[str, Sequence[Any]], origin: Any
) -> io.BytesIO:
    """Rows as a file of the same form as where they come from, and of its name."""
    item = table.column("item")
    columns = dict(columns)
    if item is not None and item not in columns:
        columns[item] = [_number(table.form, row) for row in range(len(origin))]
    for further in table.types:
        columns.setdefault(further, [None] * len(origin))
    if table.form == "typed":
        extra_module("pyarrow", "parquet", "reading what an engine has found")
        from pyarrow import parquet

        file = _NamedFile(b"", table.place)
        parquet.write_table(_arrow_table(columns), file)
    elif table.form == "cells":
        text = io.StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
        written = text.getvalue().encode("utf-8", "surrogatepass")
        file = _NamedFile(written, table.place)
    else:
        lines = (
            ", ".join(
                f"{json.dumps(one)}: {'null' if cell is None else cell}"
                for one, cell in zip(columns, row, strict=True)
            )
            for row in zip(*columns.values(), strict=True)
        )
        written = "".join(f"{{{line}}}\n" for line in lines).encode()
        file = _NamedFile(written, table.place)
    file.seek(0)
    return file


def _number(form: str, row: int) -> str:
    """The number of a row as a cell."""
    return json.dumps(str(row)) if form == "json" else str(row)
