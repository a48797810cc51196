"""Who the items are, told by hashes: whether two sites have counted some item twice.

Of each row a hash is made of who answered what. The least of them, always the same
ones whatever the order of the rows, are a sample of the items; two sites that share
items share those hashes of the sample that are below the greater of both.
"""

import hashlib
from collections.abc import Iterator
from heapq import nsmallest
from typing import Final

from demur.curves.counted import Identity
from demur.outcomes.table import Outcomes

SAMPLED: Final = 4096
"""So many hashes of items a sketch holds, if there are so many items."""

LENGTH: Final = 24
"""Hexadecimal digits of a hash: 96 bits, so that two rows never have the same."""


FIELDS: Final = ("credit", "confidence", "declined", "answerable", "weight", "kind")
"""Columns with a meaning that outcomes may have, or not."""

KEY: Final = ("system", "setting", "repeat", "item")
"""What is hashed of each row."""


def identity_of_rows(outcomes: Outcomes) -> Identity:
    """What tells rows in memory from others, whatever their order and their file.

    Examples
    --------
    >>> import demur
    >>> rows = {"item": ["a", "b"], "correct": [True, False], "confidence": [1, 2]}
    >>> turned = {name: values[::-1] for name, values in rows.items()}
    >>> one, other = (
    ...     identity_of_rows(demur.Outcomes.from_arrays(**table))
    ...     for table in (rows, turned)
    ... )
    >>> one == other, len(one.hashes), one.fields
    (True, 2, ('confidence',))
    """
    fields = tuple(name for name in FIELDS if getattr(outcomes, name) is not None)
    if is_numbered(outcomes):
        return Identity((), (), fields)
    hashes = [*_hashes(outcomes)]
    sums = (sum(int(one[at : at + 15], 16) for one in hashes) for at in (0, 15))
    least = tuple(nsmallest(SAMPLED, (one[:LENGTH] for one in hashes)))
    return Identity(least, (digest_of_sums(len(hashes), *sums),), fields)


def digest_of_sums(n_rows: int, *sums: int) -> str:
    """A hash of all rows from the sums of parts of their hashes, in any order.

    Examples
    --------
    >>> digest_of_sums(2, 5, 7) == digest_of_sums(2, 7, 5)
    False
    """
    text = " ".join(str(int(one)) for one in (n_rows, *sums))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _hashes(outcomes: Outcomes) -> Iterator[str]:
    nothing = [""] * len(outcomes)
    names = KEY if outcomes.part is None else (*KEY, "part")
    columns = (getattr(outcomes, name) for name in names)
    keys = [nothing if one is None else one.tolist() for one in columns]
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
