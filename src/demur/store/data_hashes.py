"""Whether two runs are on the same data: a hash of the items, whatever their order."""

import hashlib
import json
from typing import Any

from demur.outcomes.table import Outcomes

_USUAL = {"answerable": True, "weight": 1.0, "cluster": None}


def data_hash(outcomes: Outcomes) -> str:
    """A hash of the items with answerable, weight and cluster, and of references.

    Rows of several systems on one item count once; the order of rows does not matter.
    A column that is absent is as one that says the usual.

    Examples
    --------
    >>> import demur
    >>> one = demur.Outcomes.from_arrays(item=["a", "b"], correct=[1, 0])
    >>> two = demur.Outcomes.from_arrays(item=["b", "a"], correct=[0, 0])
    >>> data_hash(one) == data_hash(two), data_hash(one)[:14]
    (True, 'items:700dfd19')
    """
    items = outcomes.item.astype(str) if outcomes.item.dtype != object else None
    names = outcomes.item.tolist() if items is None else items.tolist()
    columns = [names]
    for name, usual in _USUAL.items():
        column = getattr(outcomes, name)
        if column is not None:
            values = column.tolist()
            if any(value != usual for value in values):
                columns.append([f"{name}={_text(value)}" for value in values])
    parts = [f"items:{_hash_of(columns)}"]
    if outcomes.reference is not None:
        references = [_text(value) for value in outcomes.reference.tolist()]
        parts.append(f"references:{_hash_of([names, references])}")
    return "|".join(parts)


def _hash_of(columns: list[list[Any]]) -> str:
    """A hash of different rows, sorted."""
    lines: Any = columns[0]
    if len(columns) > 1:
        # With the length of the item in front, no two rows have one line.
        lines = (f"{len(row[0])} {' '.join(row)}" for row in zip(*columns, strict=True))
    digest = hashlib.sha256()
    for line in sorted(set(lines)):
        digest.update(f"{len(line)}:{line}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _text(value: Any) -> str:
    if isinstance(value, str):
        return f"'{value}"
    return json.dumps(value, sort_keys=True, default=str)
