"""Rows of one whole are found by value, wherever they stand and lie in memory."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from demur.wholes import alike_rows
from demur.wholes.alike_rows import addresses, numbered_rows

ROWS = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.sampled_from(["x", "y", None])),
    min_size=1,
    max_size=60,
)


def numbered_by_hand(rows):
    numbers = {row: number for number, row in enumerate(dict.fromkeys(rows))}
    return [numbers[row] for row in rows], [rows.index(row) for row in numbers]


def columns(rows, *, shared):
    """The values of each key; equal texts as one object each, or apart."""

    def text(value):
        return value if value is None or shared else "".join([value, "."])

    listed = zip(*rows, strict=True)
    return [np.array([*map(text, column)], object) for column in listed]


def found(keys):
    number, first = numbered_rows(keys)
    return number.tolist(), first.tolist()


@given(ROWS, st.booleans(), st.booleans())
def test_rows_are_numbered_in_order_of_appearance(rows, ordered, shared):
    rows = sorted(rows, key=str) if ordered else rows
    assert found(columns(rows, shared=shared)) == numbered_by_hand(rows)


@given(ROWS)
def test_one_key_alone(rows):
    names = [(name,) for name, _ in rows]
    assert found(columns(names, shared=False)) == numbered_by_hand(names)


class _Clash(str):
    __slots__ = ()

    def __hash__(self):
        return 7


def test_texts_that_share_a_hash_are_told_apart():
    names = [_Clash(name) for name in "abacb"]
    assert found([np.array(names, object)]) == ([0, 1, 0, 2, 1], [0, 1, 3])


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=200), st.integers(1, 5))
def test_the_first_equal_number(numbers, times):
    listed = np.array(numbers * times, np.int64)
    wanted = [listed.tolist().index(number) for number in listed.tolist()]
    assert alike_rows._first_equal(listed).tolist() == wanted


def test_columns_with_steps_between_their_rows():
    column = np.array(["a", "-", "b", "-", "a", "-"], object)[::2]
    assert found([column]) == ([0, 1, 0], [0, 1])
    assert (addresses(column) == [id(value) for value in column]).all()
    assert found([np.broadcast_to(column[:1], 3)]) == ([0, 0, 0], [0])
