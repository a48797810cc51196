"""Outcomes written to files, so that reading them gives the same table."""

import io
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any, Final

import msgspec
import numpy as np

from demur import checks
from demur.errors import InputError, extra_module, shown
from demur.files import new_file, new_files
from demur.formats.compression import PACKERS
from demur.outcomes.columns import Column
from demur.outcomes.table import Outcomes, check_outcomes
from demur.outcomes.values import LongDecimal, as_text
from demur.results import printable

_AT_ONCE: Final = 1 << 16
_GROUP: Final = 1 << 20
"""Rows of a group of Parquet."""

_FORMULAS: Final = ("=", "+", "@", "\t", "\r")
"""What a cell begins with that spreadsheets run."""

_Columns = Mapping[str, Column]
_Write = Callable[[_Columns, IO[bytes]], None]


def write_outcomes(
    outcomes: Outcomes, target: str | os.PathLike[str] | IO[Any]
) -> None:
    """Write outcomes to a file; what stands there before is replaced at the end.

    Absent columns are left out; groups are written as columns. All formats give back
    what was written, with these exceptions: delimited text cannot tell an empty text
    from a missing one, and there, as in Parquet, whatever is no text among the
    columns that are only shown is written as JSON; groups come back as text; and
    confidences of 32 bits come back as 64-bit numbers with the same short decimals.

    Parameters
    ----------
    outcomes : Outcomes
        The table.
    target : path or open file
        The ending of a path says the format (.jsonl, .ndjson, .json, .csv, .tsv,
        .parquet) and the compression (.gz, .zst). An open file, text or binary, gets
        JSON Lines.

    Raises
    ------
    InputError
        If the ending is unknown, the file cannot be written, or the format cannot
        hold a text.

    Examples
    --------
    >>> import demur
    >>> import sys, demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["q1", "q2"], correct=[True, None], confidence=[0.9, None])
    >>> demur.write_outcomes(outcomes, sys.stdout)
    {"item":"q1","outcome":"right","confidence":0.9}
    {"item":"q2","outcome":"unanswered","confidence":null}
    """
    check_outcomes("write_outcomes", outcomes)
    if not hasattr(target, "write"):
        checks.path("write_outcomes", target)
    if not isinstance(target, (str, os.PathLike)):
        _written(_write_lines, outcomes, _binary(target), _name(target))
        return
    path = Path(target)
    write, packed = _by_ending(path)
    with new_file(path) as file, packed(file) as inner:
        _written(write, outcomes, inner, printable(str(path)))


def write_records(
    records: Iterable[Mapping[str, Any]], target: str | os.PathLike[str] | IO[Any]
) -> None:
    """Write records as JSON Lines, each with the fields it has.

    Parameters
    ----------
    records : iterable of mapping
        Such as references.
    target : path or open file
        A path ends in .jsonl or .ndjson, with or without .gz or .zst.

    Raises
    ------
    InputError
        If the ending is another one, or the file cannot be written.

    Examples
    --------
    >>> import sys
    >>> write_records([{"item": "q1", "reference": "Oslo"}], sys.stdout)
    {"item":"q1","reference":"Oslo"}
    """
    if not isinstance(target, (str, os.PathLike)):
        _write_each(records, _binary(target))
        return
    write_record_files({os.fspath(target): records})


def write_record_files(sets: Mapping[str, Iterable[Mapping[str, Any]]]) -> None:
    """Write several sets of records, each to its path: all files or none.

    Parameters
    ----------
    sets : mapping of path to records
        Paths as for `write_records`, of different files.

    Raises
    ------
    InputError
        If a path ends otherwise, or a file cannot be written.
    """
    for path in sets:
        check_record_ending(path)
    with new_files(list(sets)) as files:
        for (path, records), file in zip(sets.items(), files, strict=True):
            with _by_ending(Path(path))[1](file) as inner:
                _write_each(records, inner)


def _write_each(records: Iterable[Mapping[str, Any]], file: IO[bytes]) -> None:
    file.writelines(line + b"\n" for line in _encoded(map(dict, records)))


def _encoded(records: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    return map(msgspec.json.Encoder(enc_hook=_unnumpy).encode, records)


def _written(write: _Write, outcomes: Outcomes, file: IO[bytes], name: str) -> None:
    try:
        write(outcomes.named_columns(), file)
    except UnicodeEncodeError as error:
        hint = "Half a character, such as \\ud83d, has no place in a file."
        got = shown(error.object[error.start : error.end])
        raise InputError(name, "a text", "be writable as UTF-8", got, hint) from None


# -- the file ----------------------------------------------------------------------


def formula_cells(outcomes: Outcomes, path: str | os.PathLike[str]) -> int:
    """How many cells of delimited text a spreadsheet would take for formulas.

    They are written as they are, so that reading gives the same table.

    Parameters
    ----------
    outcomes : Outcomes
        What is written.
    path : str or path
        Its ending says whether it is delimited text.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(item=["=1+1", "q2"], correct=[1, 0])
    >>> formula_cells(outcomes, "a.csv"), formula_cells(outcomes, "a.jsonl")
    (1, 0)
    """
    if not {".csv", ".tsv"} & {ending.lower() for ending in Path(path).suffixes}:
        return 0
    texts = (
        values for values in outcomes.named_columns().values() if values.dtype == object
    )
    return sum(
        (as_text(value) or "").startswith(_FORMULAS)
        for values in texts
        for value in values.tolist()
    )


def check_table_ending(path: str | os.PathLike[str]) -> None:
    """Raise if the ending of a path says no format."""
    _by_ending(Path(path))


def check_record_ending(path: str | os.PathLike[str]) -> None:
    """Raise if a path does not end like JSON Lines."""
    try:
        write, _ = _by_ending(Path(path))
    except InputError:
        write = None
    if write is not _write_lines:
        need = f"end in .jsonl, with or without {', '.join(PACKERS)}"
        hint = "Records may differ in their fields."
        raise InputError("write_records", "target", need, shown(str(path)), hint)


def _by_ending(path: Path) -> tuple[_Write, Callable[[IO[bytes]], Any]]:
    endings = [ending.lower() for ending in path.suffixes]
    packed: Callable[[IO[bytes]], Any] = nullcontext
    if endings and endings[-1] in PACKERS:
        packed = PACKERS[endings.pop()]
    if not endings or endings[-1] not in _WRITERS:
        need = f"end in {', '.join(_WRITERS)}, with or without {', '.join(PACKERS)}"
        raise InputError("write_outcomes", "target", need, shown(str(path)))
    return _WRITERS[endings[-1]], packed


class _AsText(io.RawIOBase):
    """A text file that takes UTF-8."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def write(self, data: Any) -> int:
        self._file.write(bytes(data).decode())
        return len(data)


def _binary(file: Any) -> Any:
    if not isinstance(file, io.TextIOBase):
        return file
    file.flush()
    beneath = getattr(file, "buffer", None)
    return _AsText(file) if beneath is None else beneath


def _name(file: Any) -> str:
    return printable(str(getattr(file, "name", "stream")))


# -- formats -----------------------------------------------------------------------


def _pieces(columns: _Columns) -> Iterator[dict[str, list[Any]]]:
    """Some rows at a time, as plain values, None where there is nothing."""
    n_rows = len(columns["item"])
    for start in range(0, n_rows, _AT_ONCE):
        yield {
            name: _plain(values[start : start + _AT_ONCE])
            for name, values in columns.items()
        }


def _plain(values: Column) -> list[Any]:
    """Plain values: NaN as None, infinities as text."""
    plain: list[Any] = values.tolist()
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        special = {np.inf: "inf", -np.inf: "-inf"}
        return [None if x != x else special.get(x, x) for x in plain]
    return plain


def _objects(columns: _Columns) -> Iterator[bytes]:
    return _encoded(
        dict(zip(piece, row, strict=True))
        for piece in _pieces(columns)
        for row in zip(*piece.values(), strict=True)
    )


def _unnumpy(value: Any) -> Any:
    """A numpy value as the plain one it stands for; anything else as text."""
    if isinstance(value, LongDecimal):
        return msgspec.Raw(value.text.encode())
    return value.tolist() if isinstance(value, (np.generic, np.ndarray)) else str(value)


def _write_lines(columns: _Columns, file: IO[bytes]) -> None:
    file.writelines(line + b"\n" for line in _objects(columns))


def _write_array(columns: _Columns, file: IO[bytes]) -> None:
    # Piece by piece: the array may not fit into memory.
    before = b"[\n"
    for line in _objects(columns):
        file.write(before + line)
        before = b",\n"
    file.write(b"\n]\n" if before == b",\n" else b"[]\n")


def _write_delimited(columns: _Columns, file: IO[bytes], delimiter: str) -> None:
    special = frozenset(delimiter + '"\r\n')

    def cell(value: Any) -> str:
        text = as_text(value) or ""
        if "\0" in text:
            hint = "Write JSON Lines or Parquet."
            got, need = shown(text), "hold no NUL"
            raise InputError("write_outcomes", "a text", need, got, hint)
        if special.isdisjoint(text):
            return text
        return '"' + text.replace('"', '""') + '"'

    file.write((delimiter.join(map(cell, columns)) + "\n").encode())
    for piece in _pieces(columns):
        rows = zip(*piece.values(), strict=True)
        lines = (delimiter.join(map(cell, row)) + "\n" for row in rows)
        file.write("".join(lines).encode())


def _write_parquet(columns: _Columns, file: IO[bytes]) -> None:
    pyarrow = extra_module("pyarrow", "parquet", "writing Parquet")
    from pyarrow import parquet

    types = {name: _parquet_type(values) for name, values in columns.items()}
    schema = pyarrow.schema(list(types.items()))
    n_rows = len(columns["item"])
    with parquet.ParquetWriter(file, schema, write_page_checksum=True) as writer:
        for start in range(0, n_rows, _GROUP):
            some = {
                name: _parquet_values(values[start : start + _GROUP])
                for name, values in columns.items()
            }
            writer.write_table(pyarrow.table(some, schema=schema))


def _parquet_type(values: Column) -> Any:
    import pyarrow

    if values.dtype == object:
        return pyarrow.string()
    return pyarrow.from_numpy_dtype(values.dtype)


def _parquet_values(values: Column) -> Any:
    import pyarrow

    if values.dtype == object:
        return pyarrow.array([as_text(value) for value in values], pyarrow.string())
    return pyarrow.array(values, from_pandas=True)  # NaN is null


_WRITERS: Final[dict[str, _Write]] = {
    ".jsonl": _write_lines,
    ".ndjson": _write_lines,
    ".json": _write_array,
    ".csv": lambda columns, file: _write_delimited(columns, file, ","),
    ".tsv": lambda columns, file: _write_delimited(columns, file, "\t"),
    ".parquet": _write_parquet,
}
