"""Which rows of columns are alike, found without a sort, wherever they stand."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demur.arrays import Flags, Positions
from demur.outcomes.columns import Column

_FACTOR: Final = 0x9E3779B97F4A7C15
"""2**64 / the golden ratio, odd: the high bits of its products are well mixed."""

_LOOKED_AT: Final = 4096
"""From so many rows it is told whether alike ones mostly stand together."""

_TOGETHER: Final = 0.6
"""They do if no greater share of rows begins a run."""


def numbered_rows(keys: Sequence[Column]) -> tuple[Positions, Positions]:
    """A number for each row, the same for alike ones, and the first row of each number.

    Parameters
    ----------
    keys : sequence of array of object, each of shape (n_rows,)
        Texts or None; rows are alike that have the same in every one.

    Returns
    -------
    number : array of int64, shape (n_rows,)
        In order of appearance.
    first : array of int64, shape (n_numbers,)

    Examples
    --------
    >>> items = np.array(["b", "a", "b"], object)
    >>> [numbers.tolist() for numbers in numbered_rows([items])]
    [[0, 1, 0], [0, 1]]
    """
    places = [addresses(key) for key in keys]
    rows = np.flatnonzero(_differing(places))
    looked_at = _differing([key[rows[:_LOOKED_AT]] for key in keys])
    if looked_at.sum() <= _TOGETHER * len(looked_at):
        rows = rows[_differing([key[rows] for key in keys])]
    ahead = first_alike(keys, rows)
    is_first = ahead == np.arange(len(ahead))
    number = (np.cumsum(is_first) - 1)[ahead]
    lengths = np.diff(rows, append=len(keys[0]))
    return np.repeat(number, lengths), rows[is_first]


def addresses(column: Column) -> npt.NDArray[np.int64]:
    """Where the values of a column of objects lie in memory.

    Examples
    --------
    >>> (addresses(np.array(["a", None], object)) == id(None)).tolist()
    [False, True]
    """
    column = np.ascontiguousarray(column)
    return np.ndarray(len(column), np.intp, buffer=column).astype(np.int64, copy=False)


def first_alike(keys: Sequence[Column], rows: Positions) -> Positions:
    """For each of some rows the place among them of the first that is alike."""
    ahead, *others = (_first_with_value(key, rows) for key in keys)
    for other in others:
        ahead = _first_equal(ahead * len(ahead) + other)
    return ahead


def _differing(keys: Sequence[npt.NDArray[Any]]) -> Flags:
    """Which rows begin a run of alike ones."""
    differ = np.zeros(len(keys[0]), bool)
    differ[:1] = True
    for key in keys:
        differ[1:] |= key[1:] != key[:-1]
    return differ


def _first_with_value(column: Column, rows: Positions) -> Positions:
    """For each of some rows the place among them of the first with the same value.

    One object in many rows, as readers of files share equal texts, is looked at once:
    rows that hold it have the same address. Of the objects that are left, hashes of 64
    bits tell which are equal, and those are then held against each other.
    """
    ahead = _first_equal(addresses(column)[rows])
    distinct = np.flatnonzero(ahead == np.arange(len(ahead)))
    values = column[rows[distinct]]
    hashes = np.fromiter(map(hash, values.tolist()), np.int64, len(values))
    before = _first_equal(hashes)
    later = np.flatnonzero(before != np.arange(len(before)))
    if (values[later] != values[before[later]]).any():  # two texts share a hash
        first: dict[Any, int] = {}
        listed = (first.setdefault(value, place) for place, value in enumerate(values))
        before = np.fromiter(listed, np.int64, len(values))
    if not len(later):
        return ahead
    ahead_of_all = np.empty(len(ahead), np.int64)
    ahead_of_all[distinct] = distinct[before]
    return ahead_of_all[ahead]


def _first_equal(numbers: npt.NDArray[np.int64]) -> Positions:
    """For each place the first with the same number.

    Numbers are thrown into slots. The first of a slot is the first of its own kind, for
    all of that kind are in that slot; what else is in the slot is thrown again, mixed
    in another way.

    Examples
    --------
    >>> _first_equal(np.array([7, 3, 7, 3, 3])).tolist()
    [0, 1, 0, 1, 1]
    """
    n = len(numbers)
    values = numbers.astype(np.uint64, copy=False)
    first: Positions = np.arange(n)
    bits = max(n.bit_length(), 1)
    slots = np.empty(1 << bits, np.int64)
    factor, left = _FACTOR, first
    while len(left):
        mine = values[left]
        high = mine * np.uint64(factor) >> np.uint64(64 - bits)
        slot = high.astype(np.int64)
        slots[slot[::-1]] = left[::-1]  # the first of a slot is written last, and stays
        ahead = slots[slot]
        same = values[ahead] == mine
        first[left[same]] = ahead[same]
        left = left[~same]
        factor = factor * _FACTOR % 2**64
    return first
