"""Who the items are, told by hashes: whether two sites have counted some item twice.

Of each row a hash is made of who answered what. The least of them, always the same
ones whatever the order of the rows, are a sample of the items; two sites that share
items share those hashes of the sample that are below the greater of both.
"""

import hashlib
from collections.abc import Iterator
from heapq import nsmallest
from typing import Final

import numpy as np

from demur.outcomes.table import Outcomes

SAMPLED: Final = 1024
"""So many hashes of items a sketch holds, if there are so many items."""

_LENGTH: Final = 24
"""Hexadecimal digits of a hash: 96 bits, so that two rows never have the same."""


def item_hashes(outcomes: Outcomes) -> tuple[str, ...]:
    """The least hashes of the items, rising; none if they are mere numbers of rows.

    Examples
    --------
    >>> import demur
    >>> table = demur.Outcomes.from_arrays(item=["a", "b"], correct=[True, False])
    >>> item_hashes(table)[0]
    '...'
    """
    if is_numbered(outcomes):
        return ()
    return tuple(nsmallest(SAMPLED, (one[:_LENGTH] for one in _hashes(outcomes))))


def data_digest(outcomes: Outcomes) -> str:
    """A hash of all rows that does not depend on their order, or on their file.

    Of items, systems, settings and repeats the sum of their hashes; of outcomes and
    confidences all that there are.

    Examples
    --------
    >>> import demur
    >>> rows = {"item": ["a", "b"], "correct": [True, False], "confidence": [1, 2]}
    >>> turned = {name: values[::-1] for name, values in rows.items()}
    >>> one, other = (
    ...     data_digest(demur.Outcomes.from_arrays(**table))
    ...     for table in (rows, turned)
    ... )
    >>> one == other
    True
    """
    total = sum(int(one, 16) for one in _hashes(outcomes)) % (1 << 256)
    hashed = hashlib.sha256(total.to_bytes(32, "big"))
    codes, given = outcomes.outcome.codes, outcomes.confidence
    confidence = np.zeros(len(outcomes)) if given is None else given.astype(np.float64)
    confidence = confidence + 0.0  # -0.0 is 0.0
    order = np.lexsort((confidence, codes))
    hashed.update(codes[order].tobytes())
    hashed.update(confidence[order].tobytes())
    return hashed.hexdigest()[:32]


def _hashes(outcomes: Outcomes) -> Iterator[str]:
    nothing = [""] * len(outcomes)
    listed = [
        nothing if column is None else column.tolist()
        for column in (outcomes.setting, outcomes.repeat)
    ]
    keys = outcomes.system.tolist(), *listed, outcomes.item.tolist()
    for row in zip(*keys, strict=True):
        text = "\x1f".join("" if part is None else str(part) for part in row)
        yield hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def is_numbered(outcomes: Outcomes) -> bool:
    """Whether items are numbers from 0 or 1 on, as if they had no names.

    That others have the items 0, 1, ... too says nothing.

    Examples
    --------
    >>> import demur
    >>> is_numbered(demur.Outcomes.from_arrays(correct=[True, False]))
    True
    """
    names = set(outcomes.item.tolist())
    counts = (range(first, first + len(names)) for first in (0, 1))
    return any(
        all(number in names or str(number) in names for number in numbers)
        for numbers in counts
    )
