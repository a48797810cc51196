"""The one comparator of tabular answers: CAS texts, results of queries, tables.

A response is right if its columns can stand for those of the reference, each for one
and the same for all rows, so that the rows agree. In mode ``cas2`` rows are a set and
further columns are free: rows that become equal once these are left out are one row.

Sources: the comparison rules of CAS (MADCOW 1992, section 2.2.3 and appendix A; Boisen,
Ramshaw, Ayuso and Bates 1989); minimal and maximal answers (MADCOW 1992, 2.2.2).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Any, Final, Self

import numpy as np

from demur import checks
from demur.answers.comparators import BOTH_EMPTY, EQUAL
from demur.answers.tables.cells import (
    Codes,
    cells_of,
    in_one_form,
    numbered,
    same,
    with_numbers,
)
from demur.answers.tables.closeness import Tolerant, chains
from demur.answers.tables.column_matching import Agreement, Mapping, OutOfSteps, Steps
from demur.answers.tables.explanations import Explanation, stated
from demur.answers.tables.modes import MODES, Mode, TableSettings
from demur.answers.tables.other_evaluators import bird_ex, printed_alike
from demur.answers.tables.relation_values import (
    Relation,
    identical,
    relation_of,
    replaced,
    shown_tuple,
)
from demur.answers.tables.row_tables import CodedTable, SharedCodes, n_different
from demur.answers.tables.table_pairs import TablePair, by_name
from demur.checks import of_kind
from demur.outcomes.reasons import BAD_REFERENCE

MINIMUM_IS: Final = "reference: its minimum is "
"""How the reason begins if no answer could be within the maximum."""

MANY_COLUMNS: Final = 50
"""A response with more is first held against the width of its maximum."""

_NAMED: Final = 6  # columns beyond a maximum that a reason names

_USUAL: Final = TableSettings()
_PER_CELL: Final = 100


@checks.by_name("reference", "response", "settings")
def compare_relations(
    *,
    response: Any,
    reference: Any,
    settings: TableSettings = _USUAL,
    maximum: Any = None,
    places: Codes | None = None,
) -> Explanation:
    """Compare a tabular answer with one alternative of its reference.

    Parameters
    ----------
    response : Relation, list of rows, or single value
        What is judged.
    reference : Relation, list of rows, or single value
        The canonical answer; with a ``maximum`` the least that must be there.
    settings : TableSettings
        Mode, order, rules and tolerance.
    maximum : Relation or list of rows, optional
        All that may be there. The modes of other evaluators know none.
    places : integers, one for each row of the reference, optional
        Where order counts: rows of the same place may come in any order. In place of
        ``order_by``, for what rows are sorted by and do not show.

    Returns
    -------
    Explanation

    Raises
    ------
    InputError
        If one of them is no relation.

    Examples
    --------
    >>> import demur
    >>> reference = [["BOS", 52.5], ["ATL", None]]
    >>> response = [[1, 52.501, "BOS"], [2, None, "ATL"]]
    >>> demur.compare_relations(response=response, reference=reference).mapping
    (2, 1)
    >>> other = [["BOS", 52.5], ["ATL", 0]]
    >>> demur.compare_relations(response=other, reference=reference).missing
    ('ATL', None)
    >>> demur.compare_relations(
    ...     response=[[1, "x"]], reference=[[1]], maximum=[[1, "y"]]).reason
    'beyond the maximum: column 2'
    """
    of_kind("compare_relations", "settings", settings, TableSettings)
    ours, theirs = relation_of(reference), relation_of(response)
    for relation, what in ((ours, "reference"), (theirs, "response")):
        if relation.truncated:
            reason = f"the {what} is truncated after {relation.n_rows:,} rows"
            return stated(settings, None, "truncated", reason)
    limit = None if maximum is None else relation_of(maximum)
    if settings.coerce_numeric_text:
        ours, theirs = _with_numbers(ours), _with_numbers(theirs)
        limit = None if limit is None else _with_numbers(limit)
    comparison = _Comparison(ours, theirs, settings, limit, places)
    verdict = _explained(comparison)
    if verdict.right is not False or not comparison.mode.cas:
        return verdict
    formed = comparison.in_one_form()
    again = verdict if formed is comparison else _explained(formed)
    return again if again.right else verdict


def shared_codes(
    *, response: Relation, reference: Relation, settings: TableSettings
) -> tuple[Sequence[Codes], Sequence[Codes]]:
    """The codes of each column of either table; cells that may match share one.

    Parameters
    ----------
    response, reference : Relation
        The two tables.
    settings : TableSettings
        How cells are compared.
    """
    if settings.coerce_numeric_text:
        response, reference = _with_numbers(response), _with_numbers(reference)
    comparison = _Comparison(reference, response, settings, None, None)
    if comparison.mode.cas:
        comparison = comparison.in_one_form()
    return comparison.codes()


def _explained(comparison: "_Comparison") -> Explanation:
    try:
        return comparison.explained()
    except SharedCodes:  # with codes of their own no two cells share one
        return replace(comparison, numbered=True).explained()


@dataclass(frozen=True, eq=False)
class _Comparison:
    """Two tables, ready to be compared."""

    reference: Relation
    response: Relation
    settings: TableSettings
    maximum: Relation | None
    places: Codes | None
    numbered: bool = False

    @property
    def mode(self) -> Mode:
        """How tables are compared."""
        return MODES[self.settings.mode]

    def in_one_form(self) -> Self:
        """The same with days, moments and rounded numbers in one form each."""
        most = self.maximum
        ours = _in_one_form(self.reference, self.settings)
        theirs = _in_one_form(self.response, self.settings)
        maximum = None if most is None else _in_one_form(most, self.settings)
        if ours is self.reference and theirs is self.response and maximum is most:
            return self
        return replace(self, reference=ours, response=theirs, maximum=maximum)

    def explained(self) -> Explanation:
        """The verdict."""
        width: Explanation | None = None
        try:
            width = self._beyond_width()
            if width is not None and self.response.n_columns > MANY_COLUMNS:
                return width
            verdict = self._by_shape() or self._by_content()
            if verdict.right and self.maximum is not None and self.mode.cas:
                return self._within(self.maximum, verdict)
        except OutOfSteps as problem:
            return width or self._stated(None, "undecided", str(problem))
        return verdict

    def _beyond_width(self) -> Explanation | None:
        """Wrong for its width alone, if the response cannot be within the maximum."""
        ours, most = self.response, self.maximum
        if most is None or not self.mode.cas or most.truncated:
            return None
        unread = self._wanted is not None or not ours.n_rows
        if unread or ours.n_columns <= most.n_columns or self._broken(most):
            return None
        reason = beyond_width(ours.n_columns, most.n_columns)
        return self._stated(False, "beyond_maximum", reason)

    def _stated(
        self,
        right: bool | None,  # noqa: FBT001
        code: str,
        reason: str,
        **more: Any,
    ) -> Explanation:
        more |= {"names": self.reference.names, "other_names": self.response.names}
        return stated(self.settings, right, code, reason, **more)

    # -- what needs no look at columns ---------------------------------------------

    def _by_shape(self) -> Explanation | None:
        """The verdict, if the sizes of the tables or the mode give it."""
        ours, theirs = self.reference, self.response
        if not self.mode.free_columns:
            if not bird_ex(ours.rows(), theirs.rows()):
                return self._differs()
            return self._equal() if ours.n_rows else self._both_empty()
        if self.mode.cas and (read := self._yes_or_no()) is not None:
            return read
        if not ours.n_rows and not theirs.n_rows:
            return self._both_empty()
        if not ours.n_rows or not theirs.n_rows:
            return self._one_empty()
        if any(at >= ours.n_columns for at in self.settings.order_by):
            reason = "order_by names a column beyond the reference's"
            return self._stated(None, BAD_REFERENCE, reason)
        return self._by_width()

    @property
    def _wanted(self) -> bool | None:
        """What a table must be read as by the rules of 1990; None if they do not apply.

        A table with rows is YES, one without is NO.
        """
        return _truth(self.reference) if self.settings.rules == "1990" else None

    def _yes_or_no(self) -> Explanation | None:
        wanted, theirs = self._wanted, self.response
        if wanted is None or theirs.scalar or _truth(theirs) is not None:
            return None
        reason = "a table with rows is YES" if theirs.n_rows else "an empty table is NO"
        right = wanted == (theirs.n_rows > 0)
        return self._stated(right, "equal" if right else "differs", reason)

    def _equal(self, mapping: Mapping | None = None) -> Explanation:
        return self._stated(True, "equal", EQUAL.reason, mapping=mapping)

    def _both_empty(self) -> Explanation:
        if self.settings.empty == "wrong":
            reason = f"{BOTH_EMPTY.reason}, which is wrong by empty=wrong"
            return self._stated(False, "both_empty", reason)
        return self._stated(True, "both_empty", BOTH_EMPTY.reason)

    def _one_empty(self) -> Explanation:
        ours, theirs = self.reference, self.response
        held = ours if ours.n_rows else theirs
        sides = ("missing", "response"), ("extra", "reference")
        what, empty = sides[held is theirs]
        reason, count = f"the {empty} has no rows", held.n_rows
        if self.settings.rows == "set":
            (table,) = self._made(held)
            count = n_different(table, self._steps(held))
        more = {what: held.rows([0])[0], f"n_{what}": count}
        return self._stated(False, "other_rows", reason, **more)

    def _by_width(self) -> Explanation | None:
        asked, has = self.reference.n_columns, self.response.n_columns
        if has < asked or (has > asked and not self.mode.cas):
            return self._other_width()
        single = self.reference.scalar and self.settings.rules != "1989"
        if single and has > 1 and self.mode.cas:
            reason = f"{_columns(has)} instead of a single value"
            return self._stated(False, "other_columns", reason)
        return None

    def _other_width(self) -> Explanation:
        asked, has = self.reference.n_columns, self.response.n_columns
        reason = f"{_columns(has)} instead of {asked}"
        return self._stated(False, "other_columns", reason)

    # -- columns and rows ----------------------------------------------------------

    def _by_content(self) -> Explanation:
        ours, theirs, rows = self.reference, self.response, self.settings.rows
        if identical(ours, theirs):
            return self._equal(tuple(range(ours.n_columns)))
        if self.mode.as_printed:
            in_order = rows == "order"
            if not printed_alike(ours.rows(), theirs.rows(), ordered=in_order):
                return self._differs()
        if rows != "set" and ours.n_rows != theirs.n_rows:
            return self._differs(f"{theirs.n_rows} rows instead of {ours.n_rows}")
        how: Agreement = "set" if rows == "set" else "bag"
        mapping = self._pair.mapping(how, self._steps(ours, theirs))
        if mapping is None:
            return self._differs()
        return self._equal(mapping)

    def _steps(self, *relations: Relation) -> Steps:
        cells = sum(table.n_rows * (table.n_columns + 1) for table in relations)
        most = self.settings.steps
        # Reading every cell must not use up the steps that are for the search.
        return Steps(most + _PER_CELL * cells if most else 0)

    @cached_property
    def _pair(self) -> TablePair:
        ours, theirs = self.reference, self.response
        one, other = self._made(ours, theirs)
        if self.settings.rows == "order" and ours.n_rows == theirs.n_rows:
            places = self._places(one)
            one, other = replace(one, rows=places), replace(other, rows=places)
        prefer = by_name(ours.names, theirs.names)
        return TablePair(one, other, prefer, self._relative, integers=self._integers)

    @property
    def _relative(self) -> Fraction:
        return Fraction(self.settings.relative) if self.mode.cas else Fraction(0)

    @property
    def _integers(self) -> bool:
        """Whether the tolerance also applies between an integer and a real."""
        return self.settings.integers == "near"

    def _made(self, *relations: Relation) -> Iterator[CodedTable]:
        """Relations as tables, with codes that no cells share if that is needed."""
        cells = [
            cells_of(column, strict=self.mode.cas)
            for relation in relations
            for column in relation.columns
        ]
        columns = iter(numbered(cells) if self.numbered else cells)
        for relation in relations:
            its_cells = list(islice(columns, relation.n_columns))
            rows = np.zeros(relation.n_rows, np.uint64)
            codes = [column.codes for column in its_cells]
            yield CodedTable(list(map(Tolerant, its_cells)), codes, rows)

    def codes(self) -> tuple[Sequence[Codes], Sequence[Codes]]:
        """The codes of the response's and the reference's columns."""
        theirs, ours = self._made(self.response, self.reference)
        columns = [*theirs.columns, *ours.columns]
        near = chains(columns, float(self._relative), integers=self._integers)
        if near is None:
            return theirs.codes, ours.codes
        codes = [near.codes(column) for column in columns]
        return codes[: len(theirs.columns)], codes[len(theirs.columns) :]

    def _places(self, one: CodedTable) -> Codes:
        """For each row the number of its place; rows tied on the sort key share it."""
        n_rows = len(one.rows)
        if self.places is not None and self.mode.cas:
            return np.asarray(self.places, np.uint64)
        if not self.settings.order_by or not self.mode.cas:
            return np.arange(n_rows, dtype=np.uint64)
        begins = np.zeros(n_rows, bool)
        before, after = np.arange(n_rows - 1), np.arange(1, n_rows)
        for at in self.settings.order_by:
            cells = one.columns[at].cells
            begins[1:] |= ~same(cells, before, cells, after)
        return np.cumsum(begins).astype(np.uint64)

    # -- why not -------------------------------------------------------------------

    def _differs(self, reason: str = "") -> Explanation:
        """Wrong, with the first rows that have no partner, as far as steps allow."""
        try:
            return self._detailed(reason)
        except OutOfSteps:
            code = "other_rows" if reason else "differs"
            return self._stated(False, code, reason or "differs")

    def _detailed(self, reason: str) -> Explanation:
        ours, theirs = self.reference, self.response
        if not (ours.n_rows and theirs.n_rows):
            return self._one_empty()
        fixed = not self.mode.cas and theirs.n_columns != ours.n_columns
        if fixed or theirs.n_columns < ours.n_columns:
            return self._other_width()
        steps = self._steps(ours, theirs)
        if self.settings.rows == "order" and ours.n_rows == theirs.n_rows:
            return self._out_of_order(steps)
        mapping = tuple(range(ours.n_columns))
        if self.mode.free_columns:
            mapping = self._pair.likeliest()
        return self._lacking(self._pair, mapping, steps, reason)

    def _out_of_order(self, steps: Steps) -> Explanation:
        pair, ours, theirs = self._pair.anywhere(), self.reference, self.response
        again = self._reordered(pair, steps)
        mapping = self._pair.likeliest() if again is None else again
        order = "" if again is None else "the same rows in another order"
        explanation = self._lacking(pair, mapping, steps, order)
        if again is not None:
            explanation = replace(explanation, code="other_order")
        parted = self._pair.parted(mapping, steps)
        if parted is None:
            return explanation
        row, other_row = parted
        expected, whole = ours.rows([row])[0], theirs.rows([other_row])[0]
        got = tuple(whole[column] for column in mapping)
        if again is None and not (explanation.n_missing or explanation.n_extra):
            both = (shown_tuple(cells, most=4) for cells in (expected, got))
            reason = "row {}: expected {}, found {}".format(row + 1, *both)
            explanation = replace(explanation, reason=reason)
        return replace(explanation, row=row, expected=expected, found=got)

    def _reordered(self, pair: TablePair, steps: Steps) -> Mapping | None:
        """The mapping under which the rows agree if their order does not count."""
        if not self.mode.cas:
            settings = replace(self.settings, ordered=False)
            explanation = compare_relations(
                response=self.response, reference=self.reference, settings=settings
            )
            return explanation.mapping if explanation.right else None
        try:
            return pair.mapping("bag", steps)
        except OutOfSteps:
            return None

    def _lacking(
        self, pair: TablePair, mapping: Mapping, steps: Steps, reason: str
    ) -> Explanation:
        """Wrong, with the first rows of each table that the other lacks."""
        ours, theirs = self.reference, self.response
        left = pair.lacking(mapping, steps)
        counts = [len(rows) for rows in left]
        if self.settings.rows == "set":
            counts = pair.different(mapping, left, steps)
        more: dict[str, Any] = {"mapping": mapping}
        reasons = [reason] if reason else []
        for what, relation, rows, count, columns in zip(
            ("missing", "extra"),
            (ours, theirs),
            left,
            counts,
            (range(ours.n_columns), mapping),
            strict=True,
        ):
            if count:
                whole = relation.rows(rows[:1])[0]
                first = tuple(whole[column] for column in columns)
                more |= {what: first, f"n_{what}": count}
                if not reason:
                    reasons.append(f"{what} {shown_tuple(first, most=4)}")
        if not (reasons or self.mode.cas):
            return self._stated(False, "differs", "differs", **more)
        why = "; ".join(reasons) or self._no_row_lacking()
        return self._stated(False, "other_rows", why, **more)

    def _no_row_lacking(self) -> str:
        if self.settings.rows == "set":
            return "no mapping of columns makes the rows equal"
        return "rows come in other numbers"

    # -- the maximum ---------------------------------------------------------------

    def _within(self, maximum: Relation, explanation: Explanation) -> Explanation:
        """Right only if the maximum has all that the response says."""
        if maximum.truncated:
            reason = "the maximum is truncated"
            return replace(explanation, right=None, code="truncated", reason=reason)
        if not self.response.n_rows or self._read_alike(maximum):
            return explanation
        over = self._over(self.response, maximum)
        if over is None:
            return explanation
        if broken := self._broken(maximum):
            reason = f"{MINIMUM_IS}{broken}"
            return replace(explanation, right=None, code=BAD_REFERENCE, reason=reason)
        return replace(explanation, right=False, code="beyond_maximum", **over)

    def _over(self, relation: Relation, maximum: Relation) -> dict[str, Any] | None:
        """What a relation says beyond a maximum, as fields of an explanation."""
        one, other = self._made(relation, maximum)
        prefer = by_name(relation.names, maximum.names)
        pair = TablePair(
            *(one, other, prefer, self._relative),
            first_is_canonical=False,
            integers=self._integers,
        )
        if pair.mapping("subset", self._steps(relation, maximum)) is not None:
            return None
        return _beyond(pair, relation, maximum, self._steps(relation, maximum))

    def _read_alike(self, maximum: Relation) -> bool:
        """Whether an answer that is read as YES or NO says no more by this reading."""
        wanted, allowed = self._wanted, _truth(maximum)
        if wanted is None or allowed is not None:
            return wanted is not None and allowed == wanted
        return _truth(self.response) is not None and wanted == (maximum.n_rows > 0)

    def _broken(self, maximum: Relation) -> str:
        """How the minimum is outside of its own maximum, so that no answer is right."""
        if _truth(maximum) is None and self._wanted == (maximum.n_rows > 0):
            return ""
        over = self._over(self.reference, maximum)
        return "" if over is None else str(over["reason"])


# -- tables ------------------------------------------------------------------------


def _beyond(
    pair: TablePair, relation: Relation, maximum: Relation, steps: Steps
) -> dict[str, Any]:
    """What a relation says that its maximum does not, as fields of an explanation."""
    try:
        if beyond := pair.nowhere(steps):
            columns = ", ".join(str(at + 1) for at in beyond[:_NAMED])
            named = "column" if len(beyond) == 1 else "columns"
            more = len(beyond) - _NAMED
            columns += f" and {more} more" if more > 0 else ""
            reason = f"beyond the maximum: {named} {columns}"
            return {"reason": reason, "beyond": beyond}
        if relation.n_columns > maximum.n_columns:
            return {"reason": beyond_width(relation.n_columns, maximum.n_columns)}
        outside, _ = pair.lacking(pair.likeliest(), steps)
    except OutOfSteps:
        return {"reason": "not within the maximum"}
    if not len(outside):
        return {"reason": "not within the maximum under any mapping of columns"}
    first = relation.rows(outside[:1])[0]
    reason = f"not in the maximum: {shown_tuple(first, most=4)}"
    return {"reason": reason, "outside": first}


def beyond_width(width: int, most: int) -> str:
    """The reason that an answer has more columns than its maximum.

    Examples
    --------
    >>> beyond_width(2000, 3)
    'beyond the maximum: 2,000 columns, of 3 columns'
    """
    return f"beyond the maximum: {_columns(width)}, of {_columns(most)}"


def _with_numbers(relation: Relation) -> Relation:
    return replaced(relation, [with_numbers(column) for column in relation.columns])


def _in_one_form(relation: Relation, settings: TableSettings) -> Relation:
    columns = [
        in_one_form(column, settings.decimals, days=settings.days)
        for column in relation.columns
    ]
    pairs = zip(columns, relation.columns, strict=True)
    same_columns = all(new is old for new, old in pairs)
    return relation if same_columns else replaced(relation, columns)


def _truth(relation: Relation) -> bool | None:
    """The boolean that a table of one element holds, however often it is repeated."""
    if not relation.n_rows or relation.n_columns != 1:
        return None
    column = relation.columns[0]
    first = relation.rows([0])[0][0]
    if not isinstance(first, bool):
        return None
    alike = column.null is None and bool((column.values == first).all())
    return first if alike and {*map(type, column.tolist())} == {bool} else None


def _columns(count: int) -> str:
    return f"{count:,} column" + ("" if count == 1 else "s")
