"""From a table of outcomes with parts to arrays of parts numbered by whole."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demur import arrays, checks
from demur.arrays import Flags, Numbers, Positions, frozen
from demur.errors import InputError, shown
from demur.outcomes.columns import is_constant
from demur.outcomes.fields import UNANSWERED, UNGRADED, WRONG
from demur.outcomes.parts import check_one_system, check_rows
from demur.outcomes.table import Outcomes
from demur.wholes.alike_rows import addresses, numbered_rows
from demur.wholes.whole_parts import WholeParts

_PARTS_HINT: Final = (
    "Give each part of an answer a row: the item, and in a column part its name."
)

WITHOUT_PARTS: Final = ("answerable", "right", "unanswered")
"""What a whole without parts may be: as its ``answerable`` says, or always the same."""


def numbered_parts(
    where: str, outcomes: Outcomes, without_parts: str = "answerable"
) -> WholeParts:
    """The parts of one system, numbered by whole.

    A whole is an item, in one repeat. A row without a part and without a guess is a
    whole that has no parts.

    Parameters
    ----------
    where : str
        The verb, for messages.
    outcomes : Outcomes
        Of one system and setting, with a column ``part``.
    without_parts : {"answerable", "right", "unanswered"}
        What a whole without parts is: complete and right if its ``answerable`` is
        false, always, or never. It never holds an error.

    Raises
    ------
    InputError
        If there are no parts, an item has rows with and without one, or parts of one
        item differ in weight.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["a", "a", "b"], part=["x", "y", None], correct=[1, 0, None],
    ...     confidence=[0.9, 0.4, None])
    >>> parts = numbered_parts("here", outcomes)
    >>> parts.whole.tolist(), parts.n_wholes, parts.without.tolist()
    ([0, 0], 2, [1])
    """
    checks.choice(where, "without_parts", without_parts, WITHOUT_PARTS)
    check_parts(where, outcomes)
    check_one_system(where, outcomes)
    whole, first = whole_numbers(outcomes)
    named = _named(outcomes)
    weight = _weights(where, outcomes, whole, first)
    is_part = part_rows(outcomes)
    _check_alone(where, outcomes, whole, named)
    none = np.flatnonzero(~is_part)
    nothing_due = none if without_parts == "right" else none[:0]
    if without_parts == "answerable" and outcomes.answerable is not None:
        nothing_due = none[~outcomes.answerable[none]]
    kept: Any = slice(None) if is_part.all() else is_part
    codes = outcomes.outcome.codes[kept]
    confidence = outcomes.confidence
    if confidence is None:
        confidence = np.full(len(outcomes), np.nan)
    return WholeParts(
        whole=frozen(whole[kept]),
        confidence=confidence[kept],
        guess=codes != UNANSWERED,
        wrong=codes == WRONG,
        ungraded=codes == UNGRADED,
        declined=None if outcomes.declined is None else outcomes.declined[kept],
        weight=weight,
        n_wholes=len(first),
        without=whole[none],
        silent_right=whole[nothing_due],
    )


def check_parts(where: str, outcomes: Outcomes) -> None:
    """Refuse outcomes without a column ``part``.

    Examples
    --------
    >>> import demur
    >>> check_parts("whole_curve", demur.Outcomes.from_arrays(correct=[True]))
    Traceback (most recent call last):
    ...
    demur.errors.InputError: whole_curve: outcomes must have parts; got no column part.
    Give each part of an answer a row: the item, and in a column part its name.
    """
    check_rows(where, outcomes)
    if outcomes.part is None:
        raise InputError(where, "outcomes", "have parts", "no column part", _PARTS_HINT)


def part_rows(outcomes: Outcomes) -> Flags:
    """Which rows are parts; the others say that a whole has none.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["a", "b"], part=["x", None], correct=[1, None])
    >>> part_rows(outcomes).tolist()
    [True, False]
    """
    rows: Flags = _named(outcomes) | (outcomes.outcome != UNANSWERED)
    return rows


def has_parts(outcomes: Any) -> bool:
    """Whether answers are made of parts.

    Examples
    --------
    >>> import demur
    >>> has_parts(demur.Outcomes.from_arrays(correct=[True], part=["x"]))
    True
    """
    return isinstance(outcomes, Outcomes) and outcomes.part is not None


def whole_numbers(outcomes: Outcomes) -> tuple[Positions, Positions]:
    """The number of the whole of each row, and the first row of each whole.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["b", "a", "b"], part=["x", "x", "y"], correct=[1, 1, 0])
    >>> [numbers.tolist() for numbers in whole_numbers(outcomes)]
    [[0, 1, 0], [0, 1]]
    """
    named = outcomes.item, outcomes.system, outcomes.setting, outcomes.repeat
    further = [key for key in named[1:] if key is not None and not is_constant(key)]
    return numbered_rows([outcomes.item, *further])


def _named(outcomes: Outcomes) -> npt.NDArray[np.bool_]:
    part: Any = outcomes.part
    named: npt.NDArray[np.bool_] = addresses(part) != id(None)
    return named


def _weights(
    where: str, outcomes: Outcomes, whole: Positions, first: Positions
) -> Numbers | None:
    """Weights of the wholes, whole numbers if they can be; None if they are alike."""
    weight = outcomes.weight
    if weight is None:
        return None
    alike(where, outcomes, "weight", weight, whole, first)
    weight = weight[first]
    if (weight == weight[0]).all():
        return None
    whole_numbers_ = arrays.as_integers(weight)
    return weight if whole_numbers_ is None else whole_numbers_[0]


def alike(
    where: str,
    outcomes: Outcomes,
    name: str,
    column: npt.NDArray[Any],
    whole: Positions,
    first: Positions,
) -> None:
    """Refuse a column in which parts of one item differ."""
    differ = np.flatnonzero(column != column[first][whole])
    if len(differ):
        row = int(differ[0])
        item = shown(str(outcomes.item[row]))
        got = f"{shown(column[first[whole[row]]])} and {shown(column[row])} for {item}"
        raise InputError(where, name, "be the same for all parts of an item", got)


def _check_alone(
    where: str, outcomes: Outcomes, whole: Positions, named: npt.NDArray[np.bool_]
) -> None:
    """A row that names no part is the only one of its whole."""
    if named.all():
        return
    size = np.bincount(whole)
    more = np.flatnonzero(~named & (size[whole] > 1))
    if len(more):
        need = "be named in every row of an item that has several"
        got = f"none in a row of {shown(str(outcomes.item[more[0]]))}"
        hint = "One row without a part, alone, says that an item has no parts."
        raise InputError(where, "part", need, got, hint)
