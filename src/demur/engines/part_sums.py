"""The totals of a part from its different rows and how often each is there."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from demur.curves.counted import CountedPart
from demur.curves.counting import ItemKinds, Totals
from demur.errors import InputError, shown
from demur.outcomes.fields import RIGHT, UNANSWERED, UNGRADED, WRONG
from demur.outcomes.labelling import unlabelled
from demur.outcomes.reasons import BOTH_EMPTY
from demur.outcomes.table import Outcomes


def is_partial(rows: Outcomes) -> Any:
    """Which right answers have only a part of the credit."""
    right = rows.outcome.codes == RIGHT
    return np.zeros_like(right) if rows.credit is None else right & (rows.credit < 1)


OFF_NOTED: Final = 1e-9
"""It is said where rounding changes weights by more of themselves than that."""

OFF_MOST: Final = 1e-3
"""Weights that rounding would change by more of themselves are refused."""


def rounding_notes(place: str, unit: float, least: float, most: float) -> list[str]:
    """A note on weights that are rounded, where light ones are changed by it.

    Parameters
    ----------
    place : str
        Where the weights are, for messages.
    unit : float
        What weights are multiplied by before they are rounded.
    least, most : float
        The lightest and the heaviest.

    Raises
    ------
    InputError
        If the lightest would be changed by more than a thousandth.

    Examples
    --------
    >>> rounding_notes("a.csv", 2.0**40, 0.7, 0.9)
    []
    >>> print(*rounding_notes("a.csv", 2.0**40, 1e-5, 0.9))
    weights that are no short decimals are rounded: the lightest by up to 5e-08 of its
    weight
    """
    off = 0.5 / max(least * unit, OFF_MOST)
    if off > OFF_MOST:
        apart = OFF_MOST * 2 * most * unit
        need = (
            f"be at most {apart:.1g} times the lightest, {shown(least)}, where they "
            "are no short decimals and rounded to be counted"
        )
        hint = (
            "Count light and heavy items apart (--where), leave the light ones out, or "
            "read the rows into memory: demur.read_outcomes(...)."
        )
        raise InputError(place, "weight", need, shown(most), hint)
    if off <= OFF_NOTED:
        return []
    return [
        "weights that are no short decimals are rounded: the lightest by up to "
        f"{off:.0g} of its weight"
    ]


def part_of_rows(
    system: str,
    group: Mapping[str, str],
    rows: Outcomes,
    amounts: tuple[Any, Any, Any],
) -> CountedPart:
    """A part that consists of some rows, each there so many times.

    Parameters
    ----------
    system, group : str and mapping
        What the part is called.
    rows : Outcomes
        One row for each kind of rows.
    amounts : tuple of arrays (count, weight, loss), shape (n_rows,)
        How often a row is there, and sums over the rows like it.
    """
    count, weight, loss = amounts
    codes = rows.outcome.codes
    silent, unclear = codes == UNANSWERED, codes == UNGRADED
    declined = silent if rows.declined is None else silent | rows.declined
    confidence = rows.confidence
    totals = _totals(codes, amounts, rows.answerable)
    kinds: Counter[str] = Counter()
    if rows.kind is not None:
        for kind, n_rows in zip(rows.kind[declined], count[declined], strict=True):
            kinds.update({kind: int(n_rows)} if kind else {})
    return CountedPart(
        system=system,
        group=group,
        totals=totals,
        declined=(
            int(loss[~declined].sum()),
            int(weight[unclear & ~declined].sum()),
            int(weight[declined].sum()),
        ),
        confident=confidence is not None and not np.isnan(confidence).all(),
        kinds=dict(kinds),
        failed=int(count[rows.failed].sum()),
        partial=int(count[is_partial(rows)].sum()),
        unlabelled=_unlabelled(rows, count),
        became=_kinds(rows, declined, count),
    )


def _unlabelled(rows: Outcomes, count: Any) -> int:
    if "ungraded" not in rows.outcome:
        return 0
    return int(count[unlabelled(rows)].sum())


def _kinds(rows: Outcomes, declined: Any, count: Any) -> ItemKinds:
    """What became of the items: each different thing once."""
    none = np.zeros(len(rows), bool)
    empty = none if rows.reason_code is None else rows.reason_code == BOTH_EMPTY
    hopeless = none if rows.answerable is None else ~rows.answerable
    columns = [rows.outcome.codes, ~declined, hopeless, empty]
    kinds, place = np.unique(np.column_stack(columns), axis=0, return_inverse=True)
    outcome, given, hopeless, empty = kinds.T
    times = np.zeros(len(kinds), np.int64)
    np.add.at(times, place.ravel(), count.astype(np.int64))
    given, hopeless, empty = (flags.astype(bool) for flags in (given, hopeless, empty))
    return ItemKinds(outcome.astype(np.uint8), given, hopeless, empty, times)


def _totals(codes: Any, amounts: tuple[Any, Any, Any], answerable: Any) -> Totals:
    count, weight, loss = amounts
    silent, unclear = codes == UNANSWERED, codes == UNGRADED
    hopeless = (
        np.zeros(len(codes), bool) if answerable is None else silent & ~answerable
    )
    everything, no_guess = int(weight.sum()), int(weight[silent].sum())
    lost, open_ = int(loss.sum()), int(weight[unclear].sum())
    return Totals(
        items=int(count.sum()),
        right=int(count[codes == RIGHT].sum()),
        wrong=int(count[codes == WRONG].sum()),
        unanswered=int(count[silent].sum()),
        ungraded=int(count[unclear].sum()),
        weight=everything,
        credit=everything - no_guess - lost - open_,
        loss=lost,
        unclear=open_,
        no_guess=no_guess,
        no_guess_unanswerable=int(weight[hopeless].sum()),
    )
