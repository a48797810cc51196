"""Tables whose reals are near each other in chains, and large tables, made small."""

from contextlib import contextmanager
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reference_relations as twin
from demur import Relation, TableSettings, compare_relations
from demur.answers.tables import table_pairs
from demur.answers.tables.cells import as_float, cells_of
from demur.answers.tables.closeness import Tolerant
from demur.answers.tables.column_matching import Steps
from demur.answers.tables.near_rows import grid
from demur.answers.tables.relation_values import column_of

REALS = [1.0, 1.00005, 1.0001, 1.00015, 0.9999, -1.0, 0.0, 1.0064, 1, None, "a"]
CODES = [10000, 10001, 10000.0, 10000.5, 10001.0, 10002, None]
FACTORS = st.sampled_from([1, 1, 0.9999, 0.99995, 1.00005, 1.0001, 1.00012])


@contextmanager
def all_large():
    """Every table is taken as a large one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_pairs, "_MANY", 0)
        patch.setattr(table_pairs, "_LARGE", 0)
        yield


def changed(cell, factor):
    return round(cell * factor, 8) if isinstance(cell, float) else cell


@st.composite
def pairs(draw):
    """A table, and the same with reals a little changed, columns and rows mixed."""
    values = st.sampled_from(draw(st.sampled_from([REALS, CODES])))
    width = draw(st.integers(1, 3))
    rows = st.lists(st.tuples(*[values] * width), min_size=1, max_size=4)
    reference = draw(rows)
    response = [tuple(changed(c, draw(FACTORS)) for c in row) for row in reference]
    if draw(st.booleans()):
        response = [(*row, draw(values)) for row in response]
    if draw(st.booleans()):
        response.append(draw(st.sampled_from(response)))
    order = draw(st.permutations(range(len(response[0]))))
    mixed = draw(st.permutations(response))
    return reference, [tuple(row[column] for column in order) for row in mixed]


def verdict(reference, response, maximum=None, **fields):
    made = TableSettings(**fields)
    return compare_relations(
        response=response, reference=reference, settings=made, maximum=maximum
    ).right


@given(pairs(), st.sampled_from(["0.0001", "0.00005", "0.3"]), st.integers(0, 2))
@settings(max_examples=400)
def test_large_tables_are_judged_as_by_the_twin(pair, relative, column):
    key = (column % len(pair[0][0]),)
    fields = {"relative": Decimal(relative)}
    with all_large():
        for mode, rows in (("cas2", "set"), ("bag", "bag"), ("ordered", "order")):
            expected = twin.right(*pair, rows=rows, relative=relative)
            assert verdict(*pair, mode=mode, **fields) == expected
        expected = twin.right(*pair, rows="order", relative=relative, order_by=key)
        assert verdict(*pair, mode="ordered", order_by=key, **fields) == expected


@given(pairs(), pairs())
@settings(max_examples=150)
def test_maxima_of_large_tables_are_those_of_the_twin(pair, more):
    width = len(pair[1][0])
    maximum = [tuple(changed(c, 1.00005) for c in row) for row in pair[1]]
    maximum += [row for table in more for row in table if len(row) == width]
    with all_large():
        found = verdict(*pair, maximum)
    assert found == twin.right(*pair, maximum=maximum)


@given(pairs())
@settings(max_examples=150)
def test_rows_that_lack_a_partner_are_counted(pair):
    with all_large():
        reference, response = pair
        found = compare_relations(response=response, reference=reference)
    if found.right or found.mapping is None:
        return
    projected = [tuple(row[column] for column in found.mapping) for row in response]
    near = [
        [twin.rows_near(row, other, "0.0001") for other in projected]
        for row in reference
    ]
    lacks = [row for row, each in zip(reference, near, strict=True) if not any(each)]
    columns = zip(projected, zip(*near, strict=True), strict=True)
    more = [row for row, each in columns if not any(each)]
    assert found.n_missing == twin.different(lacks)
    assert found.n_extra == twin.different(more)


SIZES = st.floats(1e-290, 1e300)
NUMBERS = SIZES | SIZES.map(lambda size: -size) | st.just(0.0)
SHARES = st.sampled_from([1e-9, 1e-4, 0.3, 0.9])


@given(st.lists(NUMBERS, min_size=1, max_size=30), SHARES, st.floats(-1, 1))
@settings(max_examples=300)
def test_no_near_row_is_missed_by_the_grid(numbers, relative, share):
    def tolerant(cells):
        return Tolerant(cells_of(column_of(cells), strict=True))

    near = [number * (1 + relative * share) for number in numbers]
    places = np.zeros(len(numbers), np.uint64)
    for one, other in ((numbers, near), (near, numbers)):
        columns = [(tolerant(one), tolerant(other))]
        found = grid(columns, (places, places), relative)
        for row in range(len(numbers)):
            assert found.others[row] in found.codes[found.rows == row]


def test_equal_columns_of_integers_and_of_reals_are_not_the_same():
    # 10001 is not near 10000, but 10001.0 is, and the columns are equal cell by cell.
    reference = [(10001, 10000, 10001), (10001, 10001, 10001.0)]
    response = [(10001, 10001, 10001.0), (10001, 10000, 10001)]
    near = {"integers": "near"}
    assert verdict(reference, response, mode="ordered", order_by=(1,), **near)
    # and so with rows: the second row of the response is near the reference's second.
    assert verdict([[10001], [10000]], [[10001], [10001.0]], **near)
    assert verdict([[10000], [10001.5]], [[10001], [10001.0]], **near)
    # An integer is exact unless it is asked for: no real is near it.
    assert not verdict([[10001], [10000]], [[10001], [10001.0]])


@pytest.mark.parametrize("mode", ["cas2", "bag", "ordered"])
def test_wide_tables_of_many_reals(mode):
    rng = np.random.default_rng(0)
    table = rng.random((300, 12)) * 100
    rows = np.arange(300) if mode == "ordered" else rng.permutation(300)
    columns = rng.permutation(12)
    near = (table * (1 + 5e-5 * rng.uniform(-1, 1, table.shape)))[rows][:, columns]
    assert not np.isin(near, table).any()
    found = compare_relations(
        response=near, reference=table, settings=TableSettings(mode=mode)
    )
    assert found.right
    assert found.mapping == tuple(np.argsort(columns))
    near[5, 3] *= 1.001
    found = compare_relations(
        response=near, reference=table, settings=TableSettings(mode=mode)
    )
    assert found.right is False
    assert (found.n_missing, found.n_extra) == (1, 1)
    assert not verdict(table, table * 1.0002, mode=mode)


def levels(n_levels):
    """Reals that are all in one chain, and the same shifted, rows and columns mixed."""
    rng = np.random.default_rng(0)
    table = 1 + rng.integers(0, n_levels, (300, 12)) * 8e-5
    return table, (table + 4e-5)[rng.permutation(300)][:, rng.permutation(12)]


@pytest.mark.parametrize("mode", ["cas2", "bag"])
def test_a_cell_is_compared_once_with_each_column(mode, monkeypatch):
    seen = []
    compared = table_pairs._Trial._may_match
    monkeypatch.setattr(
        table_pairs._Trial,
        "_may_match",
        lambda self, *cell: seen.append((id(self), *cell)) or compared(self, *cell),
    )
    assert verdict(*levels(8), mode=mode)
    assert len(seen) == len(set(seen))
    monkeypatch.setattr(table_pairs, "_MOST_BITS", 1000)  # few are kept
    assert verdict(*levels(8), mode=mode)


def test_every_trial_and_every_pair_of_rows_costs_steps():
    reference, response = levels(2)
    found = compare_relations(
        response=response, reference=reference, settings=TableSettings(steps=10**5)
    )
    assert (found.right, found.reason[:15]) == (None, "undecided after")
    # Nearly all of 400 rows are near all others, and only a pairing can decide.
    rng = np.random.default_rng(2)
    one, other = (1 + rng.integers(0, 120, (400, 2)) * 1e-6 for _ in range(2))
    for table in (one, other):
        table[0] = 1.00015
    other[1] = 1.00022
    assert verdict(one, other, mode="bag", steps=3 * 10**6)
    assert verdict(one, other, mode="bag", steps=2 * 10**6) is None


GRID = [[row * 7 % 5, row % 3, row * 3 % 7] for row in range(12)]
WIDE = [[*row, row[0] + row[2], at] for at, row in enumerate(GRID)]
BITS = [[row >> at & 1 for at in range(4)] for row in range(16)]
CHAIN = [[1 + row * 6e-5, row % 2] for row in range(8)]
LEVELS = [[1 + row * (at + 3) % 5 * 8e-5 for at in range(4)] for row in range(20)]
CROWD = [[1 + row * 37 % 61 * 1e-6, 1 + row * 17 % 53 * 1e-6] for row in range(30)]
OTHERS = [[1 + row * 41 % 59 * 1e-6, 1 + row * 19 % 47 * 1e-6] for row in range(30)]
COSTS = {
    "turned": (GRID, [row[::-1] for row in GRID[::-1]], (336, 336, 816)),
    "one row differs": (GRID, [*GRID[:-1], [9, 9, 9]], (796, 428, 668)),
    "wider": (GRID, WIDE, (240, 240, 144)),
    "no mapping": ([[*row[:2]] for row in GRID], BITS[:12], (1161, 579, 975)),
    "a flipped row": (
        BITS,
        [[1 - cell for cell in row] if at == 3 else row for at, row in enumerate(BITS)],
        (1076, 656, 1056),
    ),
    "columns alike": (
        [[1, 2], [3, 4], [5, 6]],
        [[2, 1, 2], [4, 3, 4], [6, 5, 6]],
        (2123, 2123, 2099),
    ),
    "a chain": (
        CHAIN,
        [[side, real + 6e-5] for real, side in CHAIN[::-1]],
        (15122, 15018, 24764),
    ),
    "the end of a chain": (CHAIN, [*CHAIN[:-1], [3.0, 0]], (9990, 9790, 13020)),
    "levels": (
        LEVELS,
        [[cell + 4e-5 for cell in row[::-1]] for row in LEVELS[::-1]],
        (64665, 64355, 77730),
    ),
    "some levels": ([row[:2] for row in LEVELS], LEVELS[::-1], (385, 385, 4300)),
    "a crowd": (
        [[1.00015, 1.00015], *CROWD[1:]],
        [[1.00015, 1.00015], [1.00022, 1.00022], *OTHERS[2:]],
        (25470, 69411, 75191),
    ),
}


@pytest.mark.parametrize(("one", "other", "costs"), COSTS.values(), ids=COSTS)
def test_what_a_comparison_costs_is_kept(one, other, costs, monkeypatch):
    """It decides what is ungraded: a change of it is a change of results."""
    spent = []
    spend = Steps.spend
    monkeypatch.setattr(
        Steps, "spend", lambda self, steps: spent.append(steps) or spend(self, steps)
    )
    totals = []
    for mode in ("cas2", "bag", "ordered"):
        spent.clear()
        verdict(one, other, mode=mode)
        totals.append(sum(spent))
    assert tuple(totals) == costs


def test_rows_with_equal_cells_pair_up_in_the_order_of_their_reals():
    rng = np.random.default_rng(2)
    sizes = rng.integers(0, 120, 300) * 1e-6
    sizes[:10] = 1.5e-4
    reference = [(row % 10, 1 + float(size)) for row, size in enumerate(sizes)]
    near = [(cell, number + 3e-5) for cell, number in reference]
    response = [near[row] for row in rng.permutation(300)]
    assert verdict(reference, response, mode="bag", steps=10**4)


def test_integers_that_share_a_float_with_a_real_are_told_apart():
    big = 2**53
    assert float(big) == float(big + 1)
    near = {"integers": "near"}
    for mode in ("cas2", "bag", "ordered"):
        for one, other in ((big + 1, float(big)), (float(big), big + 1)):
            assert verdict([[one]], [[other]], mode=mode, **near)
            assert not verdict([[one]], [[other]], mode=mode)
        assert not verdict([[big + 1]], [[big]], mode=mode, **near)
        reals = [[big + 1], [float(big + 2)]]
        assert verdict([[big + 1], [big]], reals, mode=mode, **near)
        mixed = [(float(big), big)], [(float(big + 2), big + 1)]
        assert verdict(*mixed, mode=mode, relative=Decimal("1e-12"), **near)


def test_numbers_beyond_all_floats_are_infinite_and_keep_their_sign():
    huge = 10**400
    assert [as_float(n) for n in (huge, -huge, 3, Decimal("-0.5"))] == [
        *(np.inf, -np.inf, 3.0, -0.5)
    ]
    for mode in ("cas2", "bag"):
        assert verdict([[huge]], [[huge]], mode=mode)
        assert not verdict([[huge]], [[-huge]], mode=mode)
        assert not verdict([[huge]], [[np.inf]], mode=mode)


def test_texts_beside_null():
    texts = ["a", None, " b", "", None]
    again = ["", "b ", None, None, "a"]
    columns = Relation.from_columns([], [texts]), Relation.from_columns([], [again])
    for mode in ("cas2", "bag"):
        assert verdict(*columns, mode=mode)
    assert not verdict([["a"], [None]], [["a"], [""]])
    assert not verdict([["a"], [""]], [["a"], [None]])
    assert not verdict([["a"], [None]], [["a "], [None]], mode="bird-ex")
    assert verdict([["a", 1], [None, 2]], [[1, "a"], [2, None]], mode="ordered")
