"""Parquet, by way of pyarrow; only the wanted columns are read."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import Any, ClassVar, Final

import numpy as np

from demur.errors import ParseError, extra_module, shown
from demur.formats.streams import (
    PARQUET,
    RecordFile,
    RowBlock,
    Stream,
    Wanted,
    compact,
    nothing,
    places,
    too_large,
)
from demur.outcomes import columns as arrays
from demur.outcomes import fields
from demur.outcomes.columns import Column, Place

_BATCH: Final = 1 << 17
_RECURRING: Final = ("label", "kind", "code", "outcome", "text")


_LOOKED_AT: Final = 100


class ParquetTable(RecordFile):
    """A Parquet file, open for reading.

    Parameters
    ----------
    stream : Stream
        Whose file is Parquet.

    Raises
    ------
    MissingExtra
        If pyarrow is not installed.
    ParseError
        If the file is damaged, has no rows, or two columns of one name.
    """

    words: ClassVar[str] = "Parquet"

    def __init__(self, stream: Stream) -> None:
        self.name = stream.name
        self.prefix = f"{stream.name}:row "
        extra_module("pyarrow", "parquet", f"reading {stream.name}")
        from pyarrow import parquet

        self._file, self._max_size = stream.file, stream.max_size
        with self._readable():
            file = parquet.ParquetFile(self._file)
            self._schema = file.schema_arrow
            self._metadata = file.metadata
        self._names: list[str] = self._schema.names
        for name, count in Counter(self._names).items():
            if count > 1:
                need, got = "have different names", f"{shown(name)} {count} times"
                raise ParseError(self.name, "the columns", need, got, "Rename one.")
        if not self._metadata.num_rows:
            raise nothing(self.name, "no rows")

    @staticmethod
    def recognises(head: bytes) -> bool:
        """Whether a file begins so."""
        return head.startswith(PARQUET)

    def names(self) -> list[str]:
        """Names of the columns."""
        return self._names

    def beginning(self) -> list[dict[str, Any]]:
        """The first rows."""
        return [record for _, record in islice(self.records(), _LOOKED_AT)]

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows one by one, each with its number."""
        number = 0
        for batch in self._batches(self._names):
            with self._readable():
                records = batch.to_pylist()
            for record in records:
                number += 1
                yield number, record

    def blocks(self, wanted: Wanted) -> Iterator[RowBlock]:
        """The rows as columns."""
        selecting = [name for name in wanted.selecting() if name in self._names]
        kept = [name for name in self._names if wanted.keeps(name)]
        present = frozenset([*kept, *selecting])
        before = 0
        for batch in self._batches([name for name in self._names if name in present]):
            with self._readable():
                raw = {name: batch[name].to_pylist() for name in selecting}
            n_rows = batch.num_rows
            numbers = np.arange(before + 1, before + n_rows + 1)
            selection = wanted.selection
            chosen = None if selection is None else selection.rows(raw, n_rows)
            if chosen is not None:
                batch, numbers = batch.take(np.flatnonzero(chosen)), numbers[chosen]
            before += n_rows
            rows = compact(numbers.tolist())
            columns = {
                name: self._converted(name, batch[name], places(self.prefix, rows))
                for name in kept
                if rows
            }
            yield RowBlock(columns, rows, present)

    def _batches(self, names: list[str]) -> Iterator[Any]:
        """Some rows at a time, texts that recur as dictionaries; all of them."""
        self._check_size(names)
        from pyarrow import parquet, types

        recurring = [
            name
            for name in names
            if fields.column_type(name) in _RECURRING
            and types.is_string(self._schema.field(name).type)
        ]
        with self._readable():
            file = parquet.ParquetFile(
                self._file,
                metadata=self._metadata,
                read_dictionary=recurring,
                page_checksum_verification=True,
            )
            batches = file.iter_batches(_BATCH, columns=names)
        n_read = 0
        # Damage in any batch is a ParseError: Arrow reads late, batch by batch.
        while True:
            with self._readable():
                batch = next(batches, None)
                if batch is None:
                    break
                batch.validate(full=True)  # damage may have passed so far
                batch = _without_views(batch)
            n_read += batch.num_rows
            yield batch
        if n_read != self._metadata.num_rows:
            need = f"hold the {self._metadata.num_rows} rows that its footer tells of"
            hint = "It may be damaged: copy it again."
            raise ParseError(self.name, "the file", need, str(n_read), hint)

    def _check_size(self, names: list[str]) -> None:
        """Raise if the wanted columns would fill the memory."""
        with self._readable():
            numbers = range(self._metadata.num_row_groups)
            groups = [self._metadata.row_group(number) for number in numbers]
            size = sum(group.total_byte_size for group in groups)
            if size > self._max_size:  # Arrow dies of some damage in what this reads
                size = sum(
                    chunk.total_uncompressed_size
                    for group in groups
                    for chunk in map(group.column, range(group.num_columns))
                    if chunk.path_in_schema.split(".")[0] in names
                )
        if size > self._max_size:
            raise too_large(self.name, "the decompressed columns", self._max_size)

    def _converted(self, name: str, column: Any, place: Place) -> Column:
        """A column as an array: at once where nothing can be wrong with it."""
        with self._readable():
            column = _simplified(name, column)
            read = _AT_ONCE_READERS[fields.column_type(name)]
            values = read(name, column)
            plain = column.to_pylist() if values is None else []
        return arrays.from_values(name, plain, place) if values is None else values

    @contextmanager
    def _readable(self) -> Iterator[None]:
        import pyarrow

        try:
            yield
        except (pyarrow.ArrowException, OSError, ValueError, OverflowError) as error:
            got = shown(str(error).splitlines()[0] if str(error) else "damage")
            hint = "It may be cut off or damaged: copy it again."
            raise ParseError(
                self.name, "the file", "be a whole, readable Parquet file", got, hint
            ) from None


# -- columns -----------------------------------------------------------------------


def _simplified(name: str, column: Any) -> Any:
    """A column of one of the types that the readers below know, if there is one."""
    from pyarrow import array, float64, string, types

    kind = column.type
    if types.is_dictionary(kind) and not _is_text(kind.value_type):
        return _simplified(name, column.dictionary_decode())
    if types.is_temporal(kind):
        return column.cast(string())
    if types.is_decimal(kind) and fields.column_type(name) in fields.NUMERIC:
        # Arrow's own cast misses the nearest float now and then.
        numbers = [None if cell is None else float(cell) for cell in column.to_pylist()]
        return array(numbers, float64())
    return column


def _without_views(batch: Any) -> Any:
    """The same rows; texts as views, which Arrow cannot select from, as texts."""
    from pyarrow import string, types

    for at, field in enumerate(batch.schema):
        if types.is_string_view(field.type):
            batch = batch.set_column(at, field.name, batch[at].cast(string()))
    return batch


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    return any(
        is_text(kind)
        for is_text in (types.is_string, types.is_large_string, types.is_string_view)
    )


def _texts(name: str, column: Any) -> Column | None:  # noqa: ARG001
    """Texts, None for null; `to_numpy` would load pandas."""
    from pyarrow import types

    if types.is_dictionary(column.type):
        values: Column = np.array([*column.dictionary.to_pylist(), None], object)
        return values[_array(column.indices, len(values) - 1)]
    if _is_text(column.type):
        return arrays.objects(column.to_pylist(), len(column))
    return None


def _words(name: str, column: Any) -> Column | None:
    """Texts of which each may stand in the column; None if something else is there."""
    texts = _texts(name, column)
    its = fields.column_type(name)
    known = texts is not None and arrays.are_known(its, texts.tolist())
    return texts if known else None


def _outcomes(name: str, column: Any) -> Column | None:  # noqa: ARG001
    from pyarrow import types

    if not types.is_dictionary(column.type) or column.null_count:
        return None
    names = column.dictionary.to_pylist()
    codes = np.array([fields.READ_AS.get(name, 255) for name in names], np.uint8)
    outcomes = codes[_array(column.indices)]
    return None if (outcomes == 255).any() else outcomes


def _array(column: Any, usual: Any = None) -> Column:
    """Numbers as a numpy array, nulls filled; Arrow's own ways would load pandas."""
    from pyarrow import Array, int8

    if not column.null_count:
        whole: Column = np.from_dlpack(column)
        return whole
    buffers = [None, column.buffers()[1]]  # without the bits that tell nulls
    data = Array.from_buffers(column.type, len(column), buffers, offset=column.offset)
    valid = np.from_dlpack(column.is_valid().cast(int8())).astype(bool)
    return np.where(valid, np.from_dlpack(data), np.asarray(usual))


def _numbers(name: str, column: Any) -> Column | None:
    """Numbers, NaN for null."""
    from pyarrow import ArrowInvalid, float64, types

    boolean = types.is_boolean(column.type) and name == "correct"
    if not (types.is_floating(column.type) or types.is_integer(column.type) or boolean):
        return None
    try:
        numbers = _array(column.cast(float64()), float("nan"))
    except ArrowInvalid:  # an integer that no float is equal to
        return None
    return numbers if arrays.are_plain(name, numbers, column.null_count) else None


def _flags(name: str, column: Any) -> Column | None:
    from pyarrow import int8, types

    if not types.is_boolean(column.type):
        return None
    return _array(column.cast(int8()), int(fields.FIELDS[name].usual)).astype(bool)


_AT_ONCE_READERS: Final[Mapping[str, Callable[[str, Any], Column | None]]] = {
    **dict.fromkeys(("item", "kind", "code"), _words),
    **dict.fromkeys(fields.NUMERIC, _numbers),
    **dict.fromkeys(("label", "text", "any"), _texts),
    "outcome": _outcomes,
    "flag": _flags,
}
