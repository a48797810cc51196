"""The one comparator of tabular answers: CAS texts, results of queries, tables.

A response is right if its columns can stand for those of the reference, each for one
and the same for all rows, so that the rows agree. In mode ``cas2`` rows are a set and
further columns are free: rows that become equal once these are left out are one row.

Sources: the comparison rules of CAS (MADCOW 1992, section 2.2.3 and appendix A; Boisen,
Ramshaw, Ayuso and Bates 1989); minimal and maximal answers (MADCOW 1992, 2.2.2).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Any, Final, NamedTuple

import numpy as np

from demur.answers.cells import Codes, cells_of, numbered, same, total, with_numbers
from demur.answers.closeness import Chains, Tolerant, chains
from demur.answers.column_matching import (
    Agreement,
    Mapping,
    OutOfSteps,
    Side,
    Steps,
    mappings,
)
from demur.answers.explanations import Explanation
from demur.answers.modes import MODES, Settings
from demur.answers.relation_values import (
    Relation,
    relation_of,
    replaced,
    shown_tuple,
)
from demur.answers.row_matching import SharedCodes, Table, Tolerance, agree, lacking
from demur.answers.tallies import bird_ex, printed_alike

_USUAL: Final = Settings()
_PER_CELL: Final = 100
_SAMPLE: Final = 1000


def compare_relations(
    reference: Any,
    response: Any,
    settings: Settings = _USUAL,
    *,
    maximum: Any = None,
) -> Explanation:
    """Compare a tabular answer with one alternative of its reference.

    Parameters
    ----------
    reference : Relation, list of rows, or single value
        The canonical answer; with a ``maximum`` the least that must be there.
    response : Relation, list of rows, or single value
        What is judged.
    settings : Settings
        Mode, order, rules and tolerance.
    maximum : Relation or list of rows, optional
        All that may be there. The modes of other evaluators know none.

    Returns
    -------
    Explanation

    Raises
    ------
    InputError
        If one of them is no relation.

    Examples
    --------
    >>> reference = [["BOS", 52.5], ["ATL", None]]
    >>> compare_relations(reference, [[1, 52.501, "BOS"], [2, None, "ATL"]]).mapping
    (2, 1)
    >>> compare_relations(reference, [["BOS", 52.5], ["ATL", 0]]).missing
    ('ATL', None)
    >>> compare_relations([[1]], [[1, "x"]], maximum=[[1, "y"]]).reason
    'beyond the maximum: column 2'
    """
    given = relation_of(reference), relation_of(response)
    for relation, what in zip(given, ("reference", "response"), strict=True):
        if relation.truncated:
            reason = f"the {what} is truncated after {relation.n_rows:,} rows"
            return Explanation(
                right=None, reason=reason, mode=MODES[settings.mode].version
            )
    limit = None if maximum is None else relation_of(maximum)
    try:
        return _Comparison(*given, settings, limit).explained()
    except SharedCodes:
        return _Comparison(*given, settings, limit, numbered_=True).explained()


class _Found(NamedTuple):
    """How a search ended: the mapping if there is one, and the codes it used last."""

    mapping: Mapping | None
    chains: Chains | None


class _Comparison:
    """Two tables, ready to be compared."""

    def __init__(
        self,
        reference: Relation,
        response: Relation,
        settings: Settings,
        maximum: Relation | None = None,
        *,
        numbered_: bool = False,
    ) -> None:
        self.settings, self.mode = settings, MODES[settings.mode]
        self.numbered = numbered_
        if settings.coerce_numeric_text:
            reference, response = _with_numbers(reference), _with_numbers(response)
            maximum = None if maximum is None else _with_numbers(maximum)
        self.reference, self.response, self.maximum = reference, response, maximum

    def explained(self) -> Explanation:
        """The verdict."""
        try:
            found = self._by_shape() or self._by_content()
            if found.right and self.maximum is not None and self.mode.cas:
                return self._within(self.maximum, found)
        except OutOfSteps as problem:
            return self._said(None, str(problem))
        return found

    def _said(self, right: bool | None, reason: str, **more: Any) -> Explanation:  # noqa: FBT001
        return Explanation(
            right=right,
            reason=reason,
            mode=self.mode.version,
            names=self.reference.names,
            other_names=self.response.names,
            **more,
        )

    # -- what needs no look at columns ---------------------------------------------

    def _by_shape(self) -> Explanation | None:
        """The verdict, if the sizes of the tables or the mode give it."""
        ours, theirs = self.reference, self.response
        if not self.mode.free_columns:
            equal = bird_ex(ours.rows(), theirs.rows())
            return self._said(equal, "equal") if equal else self._differs(None)
        if self.mode.cas and (read := self._yes_or_no()) is not None:
            return read
        if not ours.n_rows and not theirs.n_rows:
            return self._said(True, "both empty", both_empty=True)
        if not ours.n_rows or not theirs.n_rows:
            return self._one_empty()
        if any(at >= ours.n_columns for at in self.settings.order_by):
            return self._said(None, "order_by names a column beyond the reference's")
        return self._by_width()

    def _yes_or_no(self) -> Explanation | None:
        """The reading of 1990: a table with rows is YES."""
        ours, theirs = self.reference, self.response
        wanted = _truth(ours) if ours.scalar else None
        if self.settings.rules != "1990" or wanted is None:
            return None
        if theirs.scalar or _truth(theirs) is not None:
            return None
        said = "a table with rows is YES" if theirs.n_rows else "an empty table is NO"
        return self._said(wanted == (theirs.n_rows > 0), said)

    def _one_empty(self) -> Explanation:
        ours, theirs = self.reference, self.response
        if ours.n_rows:
            first, n_rows = ours.rows([0])[0], ours.n_rows
            reason = "the response has no rows"
            return self._said(False, reason, missing=first, n_missing=n_rows)
        first, n_rows = theirs.rows([0])[0], theirs.n_rows
        reason = "the reference has no rows"
        return self._said(False, reason, extra=first, n_extra=n_rows)

    def _by_width(self) -> Explanation | None:
        """Whether the response has too few columns, or too many."""
        asked, has = self.reference.n_columns, self.response.n_columns
        if has < asked or (has > asked and not self.mode.cas):
            return self._said(False, f"{_columns(has)} instead of {asked}")
        single = self.reference.scalar and self.settings.rules != "1989"
        if single and has > 1 and self.mode.cas:
            return self._said(False, f"{_columns(has)} instead of a single value")
        return None

    # -- columns and rows ----------------------------------------------------------

    def _by_content(self) -> Explanation:
        ours, theirs = self.reference, self.response
        if self.settings.mode == "test-suite":
            in_order = self.settings.rows == "order"
            alike = printed_alike(ours.rows(), theirs.rows(), ordered=in_order)
            if not alike:
                return self._differs(None)
        if self.settings.rows != "set" and ours.n_rows != theirs.n_rows:
            return self._differs(None, f"{theirs.n_rows} rows instead of {ours.n_rows}")
        steps = self._steps(ours, theirs)
        how: Agreement = "set" if self.settings.rows == "set" else "bag"
        one, other = self._tables
        prefer = _by_name(ours.names, theirs.names)
        found = self._search(one, other, how, prefer, steps)
        if found.mapping is not None:
            return self._said(True, "equal", mapping=found.mapping)
        return self._differs(found.chains)

    def _steps(self, *relations: Relation) -> Steps:
        cells = sum(each.n_rows * (each.n_columns + 1) for each in relations)
        return Steps(
            self.settings.steps + (_PER_CELL * cells if self.settings.steps else 0)
        )

    @cached_property
    def _tables(self) -> tuple[Table, Table]:
        one, other = self._made(self.reference, self.response)
        if self.settings.rows == "order" and len(one.rows) == len(other.rows):
            places = self._places(one)
            one, other = replace(one, rows=places), replace(other, rows=places)
        return one, other

    def _made(self, *relations: Relation) -> Iterator[Table]:
        """Relations as tables, with codes that no cells share if that is needed."""
        cells = [
            cells_of(column, strict=self.mode.cas)
            for relation in relations
            for column in relation.columns
        ]
        columns = iter(numbered(cells) if self.numbered else cells)
        for relation in relations:
            own = list(islice(columns, relation.n_columns))
            rows = np.zeros(relation.n_rows, np.uint64)
            codes = [each.codes for each in own]
            yield Table([Tolerant(each) for each in own], codes, rows)

    def _places(self, one: Table) -> Codes:
        """For each row the number of its place; rows tied on the sort key share it."""
        n_rows = len(one.rows)
        if not self.settings.order_by or not self.mode.cas:
            return np.arange(n_rows, dtype=np.uint64)
        begins = np.zeros(n_rows, bool)
        before, after = np.arange(n_rows - 1), np.arange(1, n_rows)
        for at in self.settings.order_by:
            cells = one.columns[at].cells
            begins[1:] |= ~same(cells, before, cells, after)
        return np.cumsum(begins).astype(np.uint64)

    def _search(
        self,
        one: Table,
        other: Table,
        how: Agreement,
        prefer: Sequence[int],
        steps: Steps,
    ) -> _Found:
        """A mapping of the first table's columns under which rows agree."""
        forward = how != "subset"
        exact = Tolerance(first_is_canonical=forward)
        for mapping in _tried(one, other, how, prefer, steps):
            if agree(one, other.taken(mapping), how, exact, steps):
                return _Found(mapping, None)
        relative = Fraction(self.settings.relative) if self.mode.cas else Fraction(0)
        near = chains([*one.columns, *other.columns], float(relative))
        if near is None:
            return _Found(None, None)
        tolerance = Tolerance(relative, near.clean, forward)
        one, other = _loosened(one, near), _loosened(other, near)
        for mapping in _tried(one, other, how, prefer, steps):
            if agree(one, other.taken(mapping), how, tolerance, steps):
                return _Found(mapping, near)
        return _Found(None, near)

    # -- why not -------------------------------------------------------------------

    def _differs(self, near: Chains | None, said: str = "") -> Explanation:
        """Wrong, with the first rows that have no partner, as far as steps allow."""
        try:
            return self._detailed(near, said)
        except OutOfSteps:
            return self._said(False, said or "differs")

    def _detailed(self, near: Chains | None, said: str) -> Explanation:
        ours, theirs = self.reference, self.response
        if not (ours.n_rows and theirs.n_rows):
            return self._one_empty()
        if theirs.n_columns < ours.n_columns:
            reason = f"{_columns(theirs.n_columns)} instead of {ours.n_columns}"
            return self._said(False, reason)
        one, other = self._tables
        mapping = self._likeliest(one, other)
        steps, tolerance = self._steps(ours, theirs), Tolerance()
        if near is not None:
            one, other = _loosened(one, near), _loosened(other, near)
            tolerance = Tolerance(Fraction(self.settings.relative), near.clean)
        other = other.taken(mapping)
        missing = lacking(one, other, tolerance, steps)
        extra = lacking(other, one, tolerance.turned(), steps)
        parts = {
            "missing": (ours, missing, range(ours.n_columns)),
            "extra": (theirs, extra, mapping),
        }
        more: dict[str, Any] = {"mapping": mapping}
        if self._only_order():
            said = "the same rows in another order"
        reasons = [said] if said else []
        for what, (relation, rows, columns) in parts.items():
            if len(rows):
                whole = relation.rows(rows[:1])[0]
                first = tuple(whole[column] for column in columns)
                more |= {what: first, f"n_{what}": len(rows)}
                if not said:
                    reasons.append(f"{what} {shown_tuple(first, most=4)}")
        return self._said(False, "; ".join(reasons) or self._no_row_lacking(), **more)

    def _only_order(self) -> bool:
        """Whether the rows would agree if their order did not count."""
        if (
            self.settings.rows != "order"
            or self.reference.n_rows != self.response.n_rows
        ):
            return False
        mode = "bag" if self.mode.cas else self.settings.mode
        settings = replace(self.settings, mode=mode, ordered=False)
        return bool(compare_relations(self.reference, self.response, settings).right)

    def _no_row_lacking(self) -> str:
        if not self.mode.cas:
            return "differs"
        if self.settings.rows == "set":
            return "no mapping of columns makes the rows equal"
        return "rows come in other numbers"

    def _likeliest(self, one: Table, other: Table) -> Mapping:
        """The mapping whose columns have most in common, for an explanation."""
        if not self.mode.free_columns:
            return tuple(range(len(one.columns)))
        ours, theirs = (
            [np.unique(codes[:_SAMPLE]) for codes in table.codes]
            for table in (one, other)
        )
        prefer = _by_name(self.reference.names, self.response.names)
        named = dict(enumerate(prefer)).get
        ranked = sorted(
            (-_shared(codes, others), at != named(own), abs(own - at), own, at)
            for own, codes in enumerate(ours)
            for at, others in enumerate(theirs)
        )
        chosen: dict[int, int] = {}
        for *_, own, at in ranked:
            if own not in chosen and at not in chosen.values():
                chosen[own] = at
        return tuple(chosen[own] for own in range(len(ours)))

    # -- the maximum ---------------------------------------------------------------

    def _within(self, maximum: Relation, found: Explanation) -> Explanation:
        """Right only if the maximum has all that the response says."""
        if maximum.truncated:
            return replace(found, right=None, reason="the maximum is truncated")
        if not self.response.n_rows:
            return found
        one, other = self._made(self.response, maximum)
        steps = self._steps(self.response, maximum)
        prefer = _by_name(self.response.names, maximum.names)
        search = self._search(one, other, "subset", prefer, steps)
        if search.mapping is not None:
            return found
        return self._over(one, other, search.chains, maximum, found)

    def _over(
        self,
        one: Table,
        other: Table,
        near: Chains | None,
        maximum: Relation,
        found: Explanation,
    ) -> Explanation:
        """Wrong, because the response says more than it may."""
        if near is not None:
            one, other = _loosened(one, near), _loosened(other, near)
        steps = self._steps(self.response, maximum)
        beyond = tuple(
            at
            for at in range(len(one.columns))
            if next(_alone(one, at, other, steps), None) is None
        )
        if beyond:
            columns = ", ".join(str(at + 1) for at in beyond)
            named = "column" if len(beyond) == 1 else "columns"
            reason = f"beyond the maximum: {named} {columns}"
            return replace(found, right=False, reason=reason, beyond=beyond)
        if len(one.columns) > len(other.columns):
            allowed = _columns(len(other.columns))
            reason = f"beyond the maximum: {len(one.columns)} columns, of {allowed}"
            return replace(found, right=False, reason=reason)
        mapping = self._likeliest(one, other)
        tolerance = Tolerance(first_is_canonical=False)
        if near is not None:
            tolerance = Tolerance(
                Fraction(self.settings.relative), near.clean, first_is_canonical=False
            )
        outside = lacking(one, other.taken(mapping), tolerance, steps)
        if not len(outside):
            reason = "no mapping of columns puts the rows into the maximum"
            return replace(found, right=False, reason=reason)
        first = self.response.rows(outside[:1])[0]
        reason = f"not in the maximum: {shown_tuple(first, most=4)}"
        return replace(found, right=False, reason=reason, outside=first)


# -- tables ------------------------------------------------------------------------


def _with_numbers(relation: Relation) -> Relation:
    return replaced(relation, [with_numbers(column) for column in relation.columns])


def _loosened(table: Table, near: Chains) -> Table:
    return replace(table, codes=[near.codes(column) for column in table.columns])


def _tried(
    one: Table, other: Table, how: Agreement, prefer: Sequence[int], steps: Steps
) -> Iterator[Mapping]:
    """Mappings to try: the columns as they stand, if that looks good, then all."""
    width = len(one.columns)
    plain = tuple(range(width))
    steps.spend((width + 1) * (len(one.rows) + len(other.rows)))
    if width <= len(other.columns) and len(one.rows) == len(other.rows):
        straight = other.taken(plain)
        if total(one.row_codes) == total(straight.row_codes):
            yield plain
    sides = Side(one.codes, one.rows), Side(other.codes, other.rows, _twins(other))
    yield from mappings(*sides, how, steps, prefer)


def _twins(table: Table) -> list[int]:
    """For each column the first that is equal to it, cell by cell."""
    first: dict[int, int] = {}
    twins = []
    rows = np.arange(len(table.rows))
    for at, (column, codes) in enumerate(zip(table.columns, table.codes, strict=True)):
        earlier = first.setdefault(total(codes + rows.astype(np.uint64)), at)
        cells = table.columns[earlier].cells
        equal = earlier != at and bool(same(cells, rows, column.cells, rows).all())
        twins.append(earlier if equal else at)
    return twins


def _alone(one: Table, at: int, other: Table, steps: Steps) -> Iterator[Mapping]:
    """Columns of the other table that hold all of one column."""
    side = Side([one.codes[at]], one.rows)
    return mappings(side, Side(other.codes, other.rows), "subset", steps)


def _by_name(names: Sequence[str], others: Sequence[str]) -> list[int]:
    """For each column the one of the same name, or -1."""
    at = {name.casefold(): position for position, name in enumerate(others)}
    if not names or not others:
        return []
    return [at.get(name.casefold(), -1) for name in names]


def _shared(codes: Codes, others: Codes) -> float:
    """How much two sets of codes have in common, as a share of both together."""
    common = len(np.intersect1d(codes, others, assume_unique=True))
    return common / max(1, len(codes) + len(others) - common)


def _truth(relation: Relation) -> bool | None:
    """The boolean that a table of one element holds."""
    if relation.n_rows != 1 or relation.n_columns != 1:
        return None
    cell = relation.rows()[0][0]
    return cell if isinstance(cell, bool) else None


def _columns(count: int) -> str:
    return f"{count} column" + ("" if count == 1 else "s")
