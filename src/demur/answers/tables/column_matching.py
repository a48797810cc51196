"""Which columns of one table may stand for the columns of another.

The search works on codes alone: equal cells have equal codes. It finds every injective
mapping of columns under which the coded rows agree, cheapest first, and leaves it to
whoever asks to check a mapping against the values. All work is counted in steps, and a
search that has used up its steps says so instead of guessing.

How: rows that are repeated are dropped where they do not count. If both tables have
as many columns, rows and columns are coloured by what stands in them until the colours
settle, and only columns of one colour may match. Then columns are assigned one by one,
those with the fewest candidates first, and an assignment is kept only as long as the
rows agree on the columns assigned so far.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal, TypeVar

import numpy as np

from demur.answers.tables.cells import Codes, among, distinct, joined, mixed, total
from demur.errors import DemurError

Agreement = Literal["set", "bag", "subset"]
"""How rows must agree: as sets, as bags, or all of the first side within the other."""

Mapping = tuple[int, ...]
"""For each column of one side, in order, the column of the other that stands for it."""

Preference = Callable[[int, int], tuple[bool | int, ...]]
"""How promising a pair of columns is."""

State = TypeVar("State")

_RowCodes = tuple[Codes, Codes]

_PER_TRIAL: Final = 1000  # steps that a trial costs beside the rows it looks at
_ROUNDS: Final = 4
_SAMPLE: Final = 1000


class OutOfSteps(DemurError):
    """The search has used up its steps.

    Whatever is handed `Steps` may raise it; the answer is then undecided.
    """


class Steps:
    """A count of steps that ends.

    Parameters
    ----------
    most : int
        How many there are; one is about one cell looked at.
    """

    def __init__(self, most: int) -> None:
        self.most = self.left = most

    def spend(self, steps: int) -> None:
        """Count steps.

        Raises
        ------
        OutOfSteps
            If there are not as many left.
        """
        self.left -= steps
        if self.left < 0:
            raise OutOfSteps(f"undecided after {self.most:,} steps")


@dataclass(frozen=True, slots=True, eq=False)
class CodedSide:
    """One of two tables, as codes.

    Parameters
    ----------
    columns : sequence of arrays of uint64
        The codes of each column.
    rows : array of uint64
        A code of each row that must agree beside the columns; equal for all rows if
        only the columns count.
    twins : callable, optional
        Gives for each column the first one that is equal to it cell by cell.
    """

    columns: Sequence[Codes]
    rows: Codes
    twins: Callable[[], Sequence[int]] | None = None


def mappings(
    one: CodedSide,
    other: CodedSide,
    how: Agreement,
    steps: Steps,
    prefer: Sequence[int] = (),
) -> Iterator[Mapping]:
    """Mappings of one side's columns into the other's under which coded rows agree.

    Parameters
    ----------
    one, other : Side
        The other may have further columns.
    how : {"set", "bag", "subset"}
        How rows must agree.
    steps : Steps
        What the search may cost.
    prefer : sequence of int
        For each column of ``one`` a column of ``other`` to try first, or -1.

    Yields
    ------
    tuple of int

    Examples
    --------
    >>> import numpy as np
    >>> from demur.answers.tables.cells import cells_of
    >>> from demur.answers.tables.relation_values import column_of
    >>> def side(*columns):
    ...     codes = [cells_of(column_of(c), strict=True).codes for c in columns]
    ...     return CodedSide(codes, np.zeros(len(columns[0]), np.uint64))
    >>> one, other = side([1, 2, 3], [2, 3, 1]), side([2, 3, 1], list("PQR"), [1, 2, 3])
    >>> list(mappings(one, other, "set", Steps(10**6)))
    [(2, 0)]
    """
    if len(one.columns) > len(other.columns):
        return
    promise = _preferred(one, other, prefer, steps)
    # As sets, rows that occur twice say nothing more.
    if how != "bag":
        one, other = _distinct(one, steps), _distinct(other, steps)
    even = how != "subset" and len(one.columns) == len(other.columns)
    if (even or how == "bag") and len(one.rows) != len(other.rows):
        return
    if even:
        coloured = _coloured(one, other, steps)
        if coloured is None:
            return
        one, other, colours, others = coloured
    else:
        colours, others = _signatures(one, other, how, steps)
    candidates = _candidates(colours, others, promise)
    if how == "subset":
        candidates = _containing(one, other, promise, steps)
    yield from _searched(one, other, "bag" if even else how, candidates, steps)


def row_codes(columns: Sequence[Codes], rows: Codes) -> Codes:
    """A code of each row, from the codes of its cells in order."""
    codes = rows
    for column in columns:
        codes = joined(codes, column)
    return codes


def _distinct(side: CodedSide, steps: Steps) -> CodedSide:
    steps.spend(len(side.rows) * (len(side.columns) + 4))
    codes = row_codes(side.columns, side.rows)
    if len(distinct(codes)) == len(codes):
        return side
    _, first = np.unique(codes, return_index=True)
    columns = [column[first] for column in side.columns]
    return replace(side, columns=columns, rows=side.rows[first])


# -- which columns may match -------------------------------------------------------


def _coloured(
    one: CodedSide, other: CodedSide, steps: Steps
) -> tuple[CodedSide, CodedSide, list[int], list[int]] | None:
    """Colours of rows and columns that every mapping keeps; None if there is none."""
    n_colours = 0
    for _ in range(_ROUNDS):
        steps.spend(2 * len(one.rows) * (len(one.columns) + 1))
        colours, others = _column_colours(one), _column_colours(other)
        if sorted(colours) != sorted(others):
            return None
        if len(set(colours)) in (n_colours, len(colours)):
            break
        n_colours = len(set(colours))
        one, other = _recoloured(one, colours), _recoloured(other, others)
        if total(one.rows) != total(other.rows):
            return None
    return one, other, colours, others


def _column_colours(side: CodedSide) -> list[int]:
    return [total(joined(side.rows, column)) for column in side.columns]


def _recoloured(side: CodedSide, colours: list[int]) -> CodedSide:
    """Rows coloured by what stands in them under which colour of column."""
    rows = mixed(side.rows)
    for column, colour in zip(side.columns, colours, strict=True):
        salt = np.full(1, colour, np.uint64)
        rows = rows + joined(mixed(salt), column)
    return replace(side, rows=mixed(rows))


def _signatures(
    one: CodedSide, other: CodedSide, how: Agreement, steps: Steps
) -> tuple[list[int], list[int]]:
    """What columns that match have in common, where the tables differ in width."""
    signatures = []
    for side in (one, other):
        steps.spend(2 * len(side.rows) * len(side.columns))
        if how == "bag":
            signatures.append(_column_colours(side))
        elif how == "set":
            signatures.append([total(distinct(column)) for column in side.columns])
        else:
            signatures.append([0] * len(side.columns))
    return signatures[0], signatures[1]


def _preferred(
    one: CodedSide, other: CodedSide, prefer: Sequence[int], steps: Steps
) -> Preference:
    """For each pair of columns how promising it is, the least first.

    Further columns seldom multiply rows, so columns that are equal as bags come first.
    """
    alike = len(one.rows) == len(other.rows) and len(one.columns) < len(other.columns)
    if not alike:
        return lambda column, other: promise(column, other, prefer)
    steps.spend(2 * len(one.rows) * (len(one.columns) + len(other.columns)))
    ours, theirs = _column_colours(one), _column_colours(other)
    return lambda column, other: (
        prefer[column] != other if prefer else True,
        ours[column] != theirs[other],
        abs(column - other),
    )


def promise(column: int, other: int, prefer: Sequence[int]) -> tuple[bool, int]:
    """How promising a pair of columns is by name and place, the least first."""
    return (prefer[column] != other if prefer else True, abs(column - other))


def _candidates(
    colours: list[int], others: list[int], prefer: Preference
) -> list[list[int]]:
    """For each column those of its colour, the most promising first."""
    by_colour: dict[int, list[int]] = {}
    for column, colour in enumerate(others):
        by_colour.setdefault(colour, []).append(column)
    return [
        _promising_first(by_colour.get(colour, []), column, prefer)
        for column, colour in enumerate(colours)
    ]


def _promising_first(others: list[int], column: int, prefer: Preference) -> list[int]:
    return sorted(others, key=lambda other: prefer(column, other))


def _containing(
    one: CodedSide, other: CodedSide, prefer: Preference, steps: Steps
) -> list[list[int]]:
    within = [distinct(column) for column in other.columns]
    containing = []
    for place, column in enumerate(one.columns):
        held = distinct(column)
        steps.spend(_PER_TRIAL + (len(held) + 1) * (len(within) + 1))
        holding = [at for at, codes in enumerate(within) if among(held, codes).all()]
        containing.append(_promising_first(holding, place, prefer))
    return containing


# -- assigning them ----------------------------------------------------------------


def _searched(
    one: CodedSide,
    other: CodedSide,
    how: Agreement,
    candidates: list[list[int]],
    steps: Steps,
) -> Iterator[Mapping]:
    """Mappings by which rows agree, columns assigned one by one and taken back."""

    def assigned(rows: _RowCodes, at: int, other_at: int) -> _RowCodes | None:
        steps.spend(_PER_TRIAL + len(rows[0]) + len(rows[1]))
        ours = joined(rows[0], one.columns[at])
        theirs = joined(rows[1], other.columns[other_at])
        return (ours, theirs) if _agree(ours, theirs, how) else None

    only = tuple(columns[0] for columns in candidates if len(columns) == 1)
    if not candidates:
        if _agree(one.rows, other.rows, how):
            yield ()
    elif len(only) == len(candidates):
        if len(set(only)) == len(only):
            yield only
    elif all(candidates):
        variety = [len(distinct(column[:_SAMPLE])) for column in one.columns]
        ranked = sorted(
            enumerate(candidates), key=lambda pair: (len(pair[1]), -variety[pair[0]])
        )
        twins = other.twins or (lambda: range(len(other.columns)))
        yield from assignments(ranked, (one.rows, other.rows), assigned, cache(twins))


def _agree(ours: Codes, theirs: Codes, how: Agreement) -> bool:
    if how == "bag":
        return total(ours) == total(theirs)
    codes = distinct(ours)
    if how == "set":
        return np.array_equal(codes, distinct(theirs))
    return bool(among(codes, distinct(theirs)).all())


def assignments(
    candidates: Sequence[tuple[int, Sequence[int]]],
    state: State,
    assigned: Callable[[State, int, int], State | None],
    twins: Callable[[], Sequence[int]],
) -> Iterator[Mapping]:
    """Mappings found by assigning one column after the other, depth first.

    Parameters
    ----------
    candidates : sequence of (column, columns of the other side)
        In the order in which columns are assigned, each once.
    state : anything
        What is known before any column is assigned.
    assigned : callable
        Gives from a state and a pair of columns what is known with that pair, or None
        if the pair is impossible.
    twins : callable
        Gives for each column of the other side the first that is equal to it.

    Examples
    --------
    >>> def assigned(total, own, at):
    ...     return total + own * at if own * at < 2 else None
    >>> list(assignments([(2, [0, 1]), (1, [0, 1])], 0, assigned, lambda: [0, 1]))
    [(1, 0)]
    """
    # no recursion, for tables of any width
    chosen: list[int] = []
    states = [state]
    trials = [_trials(candidates[0][1], frozenset(), twins)]
    while trials:
        column = next(trials[-1], None)
        if column is None:
            trials.pop()
            states.pop()
            if chosen:
                chosen.pop()
            continue
        known = assigned(states[-1], candidates[len(chosen)][0], column)
        if known is None:
            continue
        if len(chosen) + 1 == len(candidates):
            owners = (owner for owner, _ in candidates)
            pairs = dict(zip(owners, [*chosen, column], strict=True))
            yield tuple(pairs[owner] for owner in sorted(pairs))
            continue
        chosen.append(column)
        states.append(known)
        trials.append(_trials(candidates[len(chosen)][1], frozenset(chosen), twins))


def _trials(
    columns: Sequence[int], used: frozenset[int], twins: Callable[[], Sequence[int]]
) -> Iterator[int]:
    """Candidates that are free; of equal columns only the first."""
    tried = set()
    for column in columns:
        if column not in used and (len(columns) == 1 or twins()[column] not in tried):
            tried.add(column if len(columns) == 1 else twins()[column])
            yield column
