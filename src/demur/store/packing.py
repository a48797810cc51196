r"""Columns as bytes, exactly: arrays, texts, words that are repeated, and JSON.

The bytes of a column are one line of JSON that says what follows, a line feed, and the
rest:

- ``array``: the values of a numpy array of this dtype, little-endian;
- ``texts``: for each row the number of characters (``<i4``; -1 is None), then all
  texts as UTF-8, one behind the other;
- ``words``: for each row a number (``codes``), then, as ``texts``, what these stand
  for;
- ``json``: a list of JSON; NaN and infinities stand there as Python writes them.
"""

import json
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demur.errors import InputError, shown
from demur.outcomes.columns import constant, objects

Column = npt.NDArray[Any]

_REPEATED: Final = 0.5
"""Words are numbered where there are at most so many, as a share of rows."""


def packed(name: str, column: Column) -> bytes:
    """The bytes of a column.

    Raises
    ------
    InputError
        If a value is none of JSON.

    Examples
    --------
    >>> column = np.array(["a", None, "a", "a"], object)
    >>> unpacked(packed("topic", column)).tolist()
    ['a', None, 'a', 'a']
    """
    if column.dtype != object:
        array = np.ascontiguousarray(column)
        array = array.astype(array.dtype.newbyteorder("<"), copy=False)
        return _headed({"kind": "array", "dtype": array.dtype.str}, array.tobytes())
    if len(column) > 1 and column.strides == (0,):
        value = json.loads(_json(name, column[:1].tolist()))[0]
        return _headed({"kind": "constant", "rows": len(column), "value": value})
    values = column.tolist()
    if not {*map(type, values)} <= {str, type(None)}:
        return _headed({"kind": "json"}, _json(name, values))
    words = {} if _are_different(values) else dict.fromkeys(values)
    if not words or len(words) > _REPEATED * len(values):
        return _headed({"kind": "texts", "rows": len(values)}, text_bytes(values))
    dtype = f"<u{np.min_scalar_type(len(words)).itemsize}"
    code = dict(zip(words, range(len(words)), strict=True))
    codes = np.fromiter(map(code.__getitem__, values), dtype, len(values))
    head = {"kind": "words", "rows": len(values), "codes": dtype, "words": len(words)}
    return _headed(head, codes.tobytes(), text_bytes([*words]))


def unpacked(content: bytes) -> Column:
    """A column from its bytes.

    Raises
    ------
    ValueError
        If they are none.
    """
    line, _, body = content.partition(b"\n")
    head = json.loads(line)
    if head["kind"] == "array":
        return np.frombuffer(body, head["dtype"])
    if head["kind"] == "constant":
        return constant(head["value"], head["rows"])
    if head["kind"] == "json":
        values = json.loads(body)
        return objects(values, len(values))
    if head["kind"] == "texts":
        return objects(_read_texts(body, head["rows"]), head["rows"])
    codes = np.frombuffer(body, head["codes"], head["rows"])
    words = _read_texts(body[codes.nbytes :], head["words"])
    column: Column = objects(words, len(words))[codes]
    return column


_LOOKED_AT: Final = 4096
"""So many rows, drawn in the same way each time, tell whether texts are repeated."""


def _are_different(values: Sequence[str | None]) -> bool:
    """Whether hardly any two rows of many are equal, so that numbers save nothing."""
    if len(values) < 16 * _LOOKED_AT:
        return False
    # The mixing step of splitmix64: its numbers are the same on every machine.
    mixed = np.arange(1, _LOOKED_AT + 1, dtype=np.uint64) * np.uint64(_GOLDEN)
    mixed ^= mixed >> np.uint64(31)
    mixed *= np.uint64(_MIXING)
    mixed ^= mixed >> np.uint64(29)
    rows = set((mixed % np.uint64(len(values))).tolist())
    return len({values[row] for row in rows}) == len(rows)


_GOLDEN: Final = 0x9E3779B97F4A7C15
_MIXING: Final = 0xBF58476D1CE4E5B9


def _headed(head: dict[str, Any], *parts: bytes) -> bytes:
    line = json.dumps(head, separators=(",", ":")).encode()
    return b"".join([line, b"\n", *parts])


def _json(name: str, values: list[Any]) -> bytes:
    def plain(value: Any) -> Any:
        if isinstance(value, np.generic):
            return value.item()
        need, hint = "hold values of JSON", "Make them text first."
        raise InputError("keep", name, need, shown(value), hint)

    return json.dumps(values, separators=(",", ":"), default=plain).encode()


def text_bytes(values: Sequence[str | None]) -> bytes:
    """For each text its number of characters (-1 for None), then all as UTF-8."""
    try:
        lengths = np.fromiter(map(len, values), "<i4", len(values))  # type: ignore[arg-type]
        text = "".join(values)  # type: ignore[arg-type]
    except TypeError:
        counts = [-1 if text is None else len(text) for text in values]
        lengths = np.array(counts, "<i4")
        text = "".join(filter(None, values))
    return lengths.tobytes() + text.encode("utf-8", "surrogatepass")


def _read_texts(body: bytes, rows: int) -> list[str | None]:
    lengths = np.frombuffer(body, "<i4", rows)
    text = body[lengths.nbytes :].decode("utf-8", "surrogatepass")
    ends = accumulate(np.maximum(lengths, 0).tolist(), initial=0)
    texts: list[str | None] = [text[start:end] for start, end in pairwise(ends)]
    for row in np.flatnonzero(lengths < 0).tolist():
        texts[row] = None
    return texts
