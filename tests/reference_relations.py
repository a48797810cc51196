"""A slow, plain comparator of tables: tries every mapping and every pairing.

Tables are lists of tuples. Written from the definitions, without looking at codes.
"""

from decimal import Decimal
from itertools import permutations, product
from typing import Any

Row = tuple[Any, ...]
Table = list[Row]


def kind(value: Any) -> str:
    for name, types in (("boolean", bool), ("number", (int, float)), ("text", str)):
        if isinstance(value, types):
            return name
    return "null"


def near(canonical: Any, other: Any, relative: str) -> bool:
    """Whether a value is right, given the canonical one."""
    if kind(canonical) != kind(other):
        return False
    if kind(canonical) == "text":
        return canonical.strip() == other.strip()
    if kind(canonical) != "number" or canonical == other:
        return canonical == other
    if isinstance(canonical, int) or isinstance(other, int):
        return False
    exact, given = Decimal(str(canonical)), Decimal(str(other))
    return abs(given - exact) <= Decimal(relative) * abs(exact)


def rows_near(canonical: Row, other: Row, relative: str) -> bool:
    pairs = zip(canonical, other, strict=True)
    return all(near(ours, theirs, relative) for ours, theirs in pairs)


def as_sets(reference: Table, response: Table, relative: str) -> bool:
    return all(
        any(rows_near(row, other, relative) for other in response) for row in reference
    ) and all(
        any(rows_near(row, other, relative) for row in reference) for other in response
    )


def as_bags(reference: Table, response: Table, relative: str) -> bool:
    return len(reference) == len(response) and any(
        all(map(rows_near, reference, order, [relative] * len(order)))
        for order in permutations(response)
    )


def in_order(
    reference: Table, response: Table, relative: str, order_by: tuple[int, ...]
) -> bool:
    """Rows in order; runs of rows that tie on the sort key are bags."""
    if len(reference) != len(response):
        return False
    runs: list[list[int]] = []
    for at, row in enumerate(reference):
        before = reference[at - 1]
        tied = at and order_by and all(near(before[c], row[c], "0") for c in order_by)
        if tied:
            runs[-1].append(at)
        else:
            runs.append([at])
    return all(
        as_bags([reference[a] for a in run], [response[a] for a in run], relative)
        for run in runs
    )


def projections(table: Table, width: int):
    """The table under every injective mapping of that many columns."""
    for mapping in permutations(range(len(table[0])), width):
        yield [tuple(row[column] for column in mapping) for row in table]


def different(table: Table) -> int:
    """How many rows there are if equal ones count once."""
    return sum(
        not any(rows_near(before, row, "0") for before in table[:at])
        for at, row in enumerate(table)
    )


def right(
    reference: Table,
    response: Table,
    *,
    rows: str = "set",
    relative: str = "0.0001",
    order_by: tuple[int, ...] = (),
    maximum: Table | None = None,
) -> bool | None:
    """The verdict in the modes of CAS; rows is set, bag or order.

    None if only a maximum that not even the reference is within makes it wrong.
    """
    if not reference or not response:
        return not reference and not response
    if len(reference[0]) > len(response[0]):
        return False

    def agree(projected: Table) -> bool:
        if rows == "set":
            return as_sets(reference, projected, relative)
        if rows == "bag":
            return as_bags(reference, projected, relative)
        return in_order(reference, projected, relative, order_by)

    if not any(map(agree, projections(response, len(reference[0])))):
        return False
    if maximum is None or within(response, maximum, relative):
        return True
    return False if within(reference, maximum, relative) else None


def within(response: Table, maximum: Table, relative: str) -> bool:
    """Whether some mapping puts every row of the response into the maximum."""
    if not maximum or len(response[0]) > len(maximum[0]):
        return False
    return any(
        all(any(rows_near(row, own, relative) for row in projected) for own in response)
        for projected in projections(maximum, len(response[0]))
    )


def first_misplaced(
    reference: Table, response: Table, relative: str = "0.0001"
) -> int | None:
    """The first row that does not match the one beside it."""
    for at, pair in enumerate(zip(reference, response, strict=True)):
        if not rows_near(*pair, relative):
            return at
    return None


def by_1990(reference: Any, response: Any, maximum: Any = None) -> bool | None:
    """YES and NO by the rules of 1990; single values are tables of one element."""
    wanted, found = truth(reference), truth(response)
    if found is None and isinstance(response, list):
        found = bool(response)
    if found != wanted:
        return False
    if maximum is None or truth(maximum) == wanted or response == []:
        return True
    reading = truth(maximum) is None and bool(maximum) == wanted
    if reading and truth(response) is not None:
        return True
    ours, theirs, most = map(as_table, (reference, response, maximum))
    if within(theirs, most, "0.0001"):
        return True
    return False if reading or within(ours, most, "0.0001") else None


def as_table(value: Any) -> Table:
    return value if isinstance(value, list) else [(value,)]


def truth(value: Any) -> bool | None:
    """The boolean of a single value, or of a table that repeats nothing else."""
    cells = {(type(cell), cell) for row in as_table(value) for cell in row}
    if len(cells) != 1 or any(len(row) != 1 for row in as_table(value)):
        return None
    ((found, cell),) = cells
    return cell if found is bool else None


def bird_ex(reference: Table, response: Table) -> bool:
    return set(reference) == set(response)


def test_suite(reference: Table, response: Table, *, ordered: bool) -> bool:
    """The published rule: bags under a permutation of columns, after a first test."""
    if not reference and not response:
        return True
    if len(reference) != len(response) or len(reference[0]) != len(response[0]):
        return False
    first, second = (
        [tuple(sorted(row, key=lambda v: str(v) + str(type(v)))) for row in table]
        for table in (reference, response)
    )
    if not (first == second if ordered else set(first) == set(second)):
        return False
    columns = range(len(reference[0]))
    for mapping in product(columns, repeat=len(columns)):
        if len(set(mapping)) < len(columns):
            continue
        table = [tuple(row[column] for column in mapping) for row in response]
        if ordered and table == reference:
            return True
        bags = all(table.count(row) == reference.count(row) for row in table)
        if not ordered and bags:
            return True
    return False
