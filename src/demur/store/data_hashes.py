"""Whether two runs are on the same data: a hash of the items, whatever their order."""

import hashlib
import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np

from demur.outcomes.table import Outcomes
from demur.store.packing import text_bytes

_USUAL: Final = {"answerable": True, "weight": 1.0, "cluster": None}


def data_hash(outcomes: Outcomes) -> str:
    """A hash of the items with answerable, weight and cluster, and of references.

    Parts of an item count by their names. Rows of several systems on one item count
    once; the order of rows does not matter.
    A column that is absent is as one that says the usual.

    Examples
    --------
    >>> import demur
    >>> one = demur.Outcomes.from_arrays(item=["a", "b"], correct=[1, 0])
    >>> two = demur.Outcomes.from_arrays(item=["b", "a"], correct=[0, 0])
    >>> data_hash(one) == data_hash(two), data_hash(one)[:14]
    (True, 'items:b3c5a681')
    """
    names = [*map(str, outcomes.item.tolist())]
    part = outcomes.part
    parts_of = [] if part is None else [said(part.tolist(), "part=")]
    columns = [names, *parts_of]
    for name, usual in _USUAL.items():
        column = getattr(outcomes, name)
        values = [] if column is None else column.tolist()
        if any(value != usual for value in values):
            columns.append(said(values, f"{name}="))
    parts = [f"items:{_hash_of(columns)}"]
    if outcomes.reference is not None:
        references = said(outcomes.reference.tolist(), "")
        parts.append(f"references:{_hash_of([names, *parts_of, references])}")
    return "|".join(parts)


_APART: Final = "\x1f"
"""Between the fields of a row; only the first of them, the item, may hold it."""


def said(values: Sequence[Any], before: str) -> list[str]:
    """Values as text, one for all that the hash takes for equal.

    Texts have a sign before them, others are JSON.

    Examples
    --------
    >>> said(["1", 1, True, float("nan")], "")
    ["'1", '1', 'true', 'NaN']
    """
    texts = [
        f"{before}'{value}" if isinstance(value, str) else before + _json(value)
        for value in values
    ]
    if _APART in "".join(texts):
        texts = [text.replace(_APART, "\\u001f") for text in texts]
    return texts


def _json(value: Any) -> str:
    """A value as JSON with sorted keys, numbers of numpy as those they are."""
    try:
        return json.dumps(value, sort_keys=True, default=_plain)
    except TypeError:  # keys of several types, which JSON makes texts
        plain = json.loads(json.dumps(value, default=_plain))
        return json.dumps(plain, sort_keys=True)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else str(value)


def _hash_of(columns: list[list[str]]) -> str:
    """A hash of the rows that differ, in the order of their texts."""
    rows = [*map(_APART.join, zip(*columns, strict=True))]
    rows.sort()
    once = [row for row, after in pairwise(rows) if row != after] + rows[-1:]
    return hashlib.sha256(text_bytes([str(len(columns)), *once])).hexdigest()
