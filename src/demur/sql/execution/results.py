"""Results as columns, and their one form in bytes: on the wire and in the cache.

The process that runs the SQL writes this form with the standard library alone, so that
it starts quickly; numpy is loaded only where results are read. Nothing is pickled.
"""

import base64
import binascii
import json
import struct
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from demur.sql.execution.queries import QueryFailed, SqlFailure

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ARRAYS: Final = {int: ("int64", "q"), float: ("float64", "d"), bool: ("bool", "b")}
_CODES: Final = dict(_ARRAYS.values())
_PLAIN: Final = frozenset({int, float, bool, str, bytes, type(None)})
_LENGTH: Final = struct.Struct(">I")
_FAILED: Final = b'{"failure"'
_OBJECT: Final = 64  # bytes of a Python object beside its content, and of its place


@dataclass(frozen=True, slots=True, eq=False)
class SqlResult:
    """What a query returned, column by column.

    Parameters
    ----------
    names : tuple of str
        Names of the columns, as the engine gives them; they may repeat.
    columns : tuple of arrays, one value per row
        int64, float64 or bool where every value is of that type; else object, holding
        str, int, float, bool, bytes and None.
    nulls : tuple of bool arrays, one value per row
        Where the value is NULL; `columns` hold 0, False or None there.
    truncated : bool
        Whether rows beyond the limit were left out.
    """

    names: "tuple[str, ...]"
    columns: "tuple[NDArray[Any], ...]"
    nulls: "tuple[NDArray[np.bool_], ...]"
    truncated: bool = False

    @property
    def n_rows(self) -> int:
        """Number of rows that were kept."""
        return len(self.columns[0])

    def rows(self) -> list[tuple[Any, ...]]:
        """The rows as tuples of Python values, NULL as None."""
        lists = []
        for column, null in zip(self.columns, self.nulls, strict=True):
            values = column.tolist()
            for row in null.nonzero()[0].tolist():
                values[row] = None
            lists.append(values)
        return list(zip(*lists, strict=True))


class _Piece(NamedTuple):
    """Some consecutive values of one column; objects as JSON without its brackets."""

    kind: str  # of the column; "" if every value is NULL
    size: int
    nulls: bytes  # one byte per value; empty if none is NULL
    data: bytes


@dataclass(slots=True)
class _Collected:
    """What there is of one column."""

    pieces: list[_Piece] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)
    cells: int = 0
    packed: int = 0

    def add(self, piece: _Piece) -> None:
        self.pieces.append(piece)
        self.kinds |= {piece.kind} - {""}
        self.cells += piece.size
        self.packed += len(piece.data) + len(piece.nulls)

    @property
    def unpacked(self) -> int:
        """Bytes that it takes where it is read: every object has a head."""
        objects = len(self.kinds) > 1 or "object" in self.kinds
        return self.packed + objects * self.cells * _OBJECT


class ResultWriter:
    """Collects rows and gives them as bytes.

    Parameters
    ----------
    names : sequence of str
        Of the columns.
    max_bytes : int
        The most that the result may take; where it is read, it may take twice that,
        since a short text takes ten times as much there.

    Examples
    --------
    >>> writer = ResultWriter(["carrier", "fare"], 1000)
    >>> writer.add([("AA", 99.5), ("DL", None)])
    >>> read_payload(writer.payload(truncated=False)).rows()
    [('AA', 99.5), ('DL', None)]
    """

    def __init__(self, names: Sequence[str], max_bytes: int) -> None:
        self._names = list(names)
        self._columns = [_Collected() for _ in names]
        self._max_bytes = max_bytes
        self._packed = 0

    def add(self, rows: Sequence[Sequence[Any]]) -> None:
        """Append rows.

        Raises
        ------
        QueryFailed
            ``memory`` once the result takes too much.
        """
        if not rows:
            return
        for column, values in zip(self._columns, zip(*rows, strict=True), strict=True):
            piece = _piece(values)
            column.add(piece)
            self._packed += len(piece.data) + len(piece.nulls)
            self._check(self._packed, self._max_bytes)
        unpacked = sum(column.unpacked for column in self._columns)
        self._check(unpacked, 2 * self._max_bytes)

    def _check(self, taken: int, most: int) -> None:
        if taken > most:
            reason = f"its result takes more than {most:,} bytes"
            raise QueryFailed("memory", reason)

    def payload(self, *, truncated: bool) -> bytes:
        """The whole result."""
        head: dict[str, Any] = {"names": self._names, "truncated": truncated}
        head["columns"], parts = [], [b""]
        for column in self._columns:
            kind, nulls, data = _joined(column.pieces)
            head["columns"].append([kind, len(nulls), len(data)])
            parts += [nulls, data]
        parts[0] = _head(head)
        return b"".join(parts)


def failure_payload(failure: SqlFailure) -> bytes:
    """A failure in the same form.

    Examples
    --------
    >>> read_payload(failure_payload(SqlFailure("timeout", "after 1 s"))).kind
    'timeout'
    """
    return _head({"failure": [failure.kind, failure.message]})


def read_payload(payload: bytes) -> SqlResult | SqlFailure:
    """The result or failure that `ResultWriter` or `failure_payload` wrote.

    Parameters
    ----------
    payload : bytes
        All of it.

    Returns
    -------
    SqlResult or SqlFailure
        Its arrays are read-only.

    Raises
    ------
    ValueError
        If it is not such a text.
    """
    try:
        start, head = _read_head(payload)
        return _failure(head) or _result(head, payload, start)
    except (struct.error, KeyError, TypeError, binascii.Error) as problem:
        raise ValueError(f"no result of a query: {problem}") from problem


def failure_in(payload: bytes) -> SqlFailure | None:
    """The failure that a payload holds, if it is none of a result.

    Examples
    --------
    >>> failure_in(ResultWriter(["a"], 100).payload(truncated=False))
    """
    if not payload.startswith(_FAILED, _LENGTH.size):
        return None
    return _failure(_read_head(payload)[1])


def plain(value: Any) -> Any:
    """A value of an engine as int, float, bool, str, bytes or None.

    A decimal number without decimal places is an integer, any other a real; dates and
    times are text as SQLite writes them, and so is whatever else there is. Lists and
    records are JSON, equal ones the same text: fields sorted, 1.0 as 1.

    Examples
    --------
    >>> plain(Decimal("12")), plain(Decimal("12.0"))
    (12, 12.0)
    >>> import datetime
    >>> plain(datetime.datetime(2026, 1, 31, 7, 30))
    '2026-01-31 07:30:00'
    >>> plain({"legs": [Decimal("2.50"), 1.0], "day": datetime.date(2026, 1, 31)})
    '{"day": "2026-01-31", "legs": [2.5, 1]}'
    """
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Decimal):
        exponent = value.as_tuple().exponent
        whole = isinstance(exponent, int) and exponent >= 0
        return int(value) if whole else float(value)
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    if isinstance(value, (list, tuple, dict)):
        return json.dumps(_within(value), ensure_ascii=False, sort_keys=True)
    return str(value)


def from_json(text: str) -> Any:
    """A JSON value.

    Raises
    ------
    QueryFailed
        ``unsupported`` if it is nested too deeply, or holds too long a number.

    Examples
    --------
    >>> from_json('{"legs": [2]}')
    {'legs': [2]}
    """
    try:
        return json.loads(text)
    except (RecursionError, ValueError) as problem:
        message = f"a value cannot be read: JSON {problem}"
        raise QueryFailed("unsupported", message) from None


def _within(value: Any) -> Any:
    """A list, a record, or what one of them holds, so that equal ones look equal."""
    if isinstance(value, dict):
        return {str(plain(name)): _within(element) for name, element in value.items()}
    if isinstance(value, (list, tuple)):
        return [_within(element) for element in value]
    cell = plain(value)
    if isinstance(cell, bytes):
        return cell.hex()
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


def _head(head: dict[str, Any]) -> bytes:
    text = json.dumps(head).encode()
    return _LENGTH.pack(len(text)) + text


def _piece(values: Sequence[Any]) -> _Piece:
    types = set(map(type, values))
    if not types <= _PLAIN:
        values = [plain(value) for value in values]
        types = set(map(type, values))
    nulls = b""
    if type(None) in types:
        types.discard(type(None))
        nulls = bytes(value is None for value in values)
        if not types:
            return _Piece("", len(values), nulls, b"")
    if len(types) == 1 and (form := _ARRAYS.get(next(iter(types)))):
        filled = [value or 0 for value in values] if nulls else values
        try:
            data = array(form[1], filled).tobytes()
            return _Piece(form[0], len(values), nulls, data)
        except OverflowError:  # beyond 64 bits: kept exact, as an object
            pass
    return _Piece("object", len(values), nulls, _listed(values))


def _listed(values: Iterable[Any]) -> bytes:
    return json.dumps(list(values), default=_tagged).encode()[1:-1]


def _tagged(value: Any) -> dict[str, str]:
    """Bytes in JSON; nothing else that is stored is an object there."""
    return {"bytes": base64.b64encode(value).decode()}


def _untagged(tagged: dict[str, str]) -> bytes:
    return base64.b64decode(tagged["bytes"], validate=True)


def _joined(pieces: list[_Piece]) -> tuple[str, bytes, bytes]:
    """Kind, null marks (empty if there are none) and data of a whole column."""
    kinds = {piece.kind for piece in pieces} - {""}
    kind = kinds.pop() if len(kinds) == 1 else "object"
    nulls = b""
    if any(piece.nulls for piece in pieces):
        nulls = b"".join(piece.nulls or bytes(piece.size) for piece in pieces)
    if kind == "object":
        return kind, nulls, b"[" + b",".join(map(_as_objects, pieces)) + b"]"
    zero = array(_CODES[kind], [0]).tobytes()
    return kind, nulls, b"".join(p.data or zero * p.size for p in pieces)


def _as_objects(piece: _Piece) -> bytes:
    if piece.kind == "object":
        return piece.data
    if not piece.kind:
        return _listed([None] * piece.size)
    values: list[Any] = list(array(_CODES[piece.kind], piece.data))
    if piece.kind == "bool":
        values = list(map(bool, values))
    return _listed(values)


def _read_head(payload: bytes) -> tuple[int, dict[str, Any]]:
    start = _LENGTH.size + _LENGTH.unpack_from(payload)[0]
    return start, json.loads(payload[_LENGTH.size : start])


def _failure(head: dict[str, Any]) -> SqlFailure | None:
    return SqlFailure(*head["failure"]) if "failure" in head else None


def _result(head: dict[str, Any], payload: bytes, start: int) -> SqlResult:
    import numpy as np

    columns, nulls = [], []
    view, none = memoryview(payload), np.zeros(0, np.bool_)
    for kind, null_bytes, data_bytes in head["columns"]:
        marks = view[start : start + null_bytes]
        data = view[start + null_bytes : start + null_bytes + data_bytes]
        start += null_bytes + data_bytes
        if kind == "object":
            column = _objects(bytes(data))
        else:
            column = np.frombuffer(data, kind)
        if null_bytes:
            null = np.frombuffer(marks, np.bool_)
        else:  # most columns have no NULL, and share this
            null = none = none if len(none) == len(column) else _no_nulls(len(column))
        if len(null) != len(column):
            raise ValueError("no result of a query: its columns are cut")
        columns.append(column)
        nulls.append(null)
    return SqlResult(
        tuple(head["names"]), tuple(columns), tuple(nulls), head["truncated"]
    )


def _no_nulls(count: int) -> "NDArray[np.bool_]":
    import numpy as np

    return np.frombuffer(bytes(count), np.bool_)


def _objects(data: bytes) -> "NDArray[Any]":
    import numpy as np

    values = json.loads(data, object_hook=_untagged)
    column = np.empty(len(values), object)
    column[:] = values
    column.setflags(write=False)
    return column
