"""The verb that makes one row of each whole, for all that is done with items."""

from dataclasses import replace
from typing import Any

import numpy as np

from demur.arrays import Positions
from demur.checks import number
from demur.outcomes.fields import RIGHT, UNANSWERED, UNGRADED, WRONG
from demur.outcomes.labelling import check_verdicts
from demur.outcomes.parts import stacked
from demur.outcomes.table import Outcomes, grouped_parts
from demur.wholes.numbering import alike, check_parts, numbered_parts, whole_numbers

_KEPT = ("system", "setting", "repeat", "cluster")
"""Columns that belong to the whole."""


def whole_outcomes(
    outcomes: Outcomes,
    *,
    cutoff: float | None = None,
    without_parts: str = "answerable",
) -> Outcomes:
    """One row for each whole, wrong as long as one of its wrong parts is returned.

    The confidence of a whole is the cutoff up to which it is what its outcome says:
    that of the surest wrong part, or of the least sure part of a whole whose parts are
    all right. So errors of the table at any cutoff are the shares of wholes of which a
    wrong part is returned, right ones are complete and right, and the rest of the
    wholes holds no error and is not complete. Certificates, locks and gates on errors
    of all items then hold for wholes.

    Parameters
    ----------
    outcomes : Outcomes
        Judged parts of any number of systems, with a column ``part``.
    cutoff : float, optional
        Wholes as they are at this cutoff on parts, and at no other: what it answers are
        the wholes of which a part is returned, each wrong if one of these is. Then
        parts may be labelled in part: a whole is unlabelled if one of its returned
        parts is, and none is known to be wrong.
    without_parts : {"answerable", "right", "unanswered"}
        Which of the wholes without parts, all of which are unanswered, are not
        answerable, so that silence is right: those that are not in the table, all, or
        none.

    Returns
    -------
    Outcomes
        Without a column ``part``. Further columns that are the same in all parts of
        every whole are kept. A whole whose surest bad part could not be judged is
        ungraded; one that is not wrong and lacks a guess for a part is unanswered.

    Raises
    ------
    InputError
        If there are no parts, or parts of a whole differ in weight or cluster; if parts
        are unlabelled and there is no cutoff, or returned parts of a whole differ in
        ``label_weight``.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["r1", "r1", "r2", "r2"], part=["a", "b", "a", "b"],
    ...     correct=[1, 0, 1, 1], confidence=[0.9, 0.4, 0.8, 0.6])
    >>> wholes = demur.whole_outcomes(outcomes)
    >>> wholes.item.tolist(), wholes.confidence.tolist()
    (['r1', 'r2'], [0.4, 0.6])
    >>> demur.error_return(wholes).at(cutoff=0.4).error
    0.5
    """
    check_parts("whole_outcomes", outcomes)
    pieces = [piece for _, _, piece in grouped_parts(outcomes)]
    if cutoff is not None:
        from demur.wholes.wholes_at_cutoffs import wholes_at

        number("whole_outcomes", "cutoff", cutoff)
        at = "whole_outcomes"
        return stacked([wholes_at(at, one, cutoff, without_parts) for one in pieces])
    hint = "Name the cutoff: whole_outcomes(outcomes, cutoff=...)."
    check_verdicts("whole_outcomes", hint, outcomes)
    return stacked([whole_rows(one, without_parts) for one in pieces])


def whole_rows(piece: Outcomes, without_parts: str = "answerable") -> Outcomes:
    """The wholes of one system and setting; of unlabelled parts they know nothing."""
    parts = numbered_parts("whole_outcomes", piece, without_parts)
    whole, first = whole_numbers(piece)
    bad = parts.surest(parts.wrong | parts.ungraded)
    codes = np.full(parts.n_wholes, RIGHT, np.uint8)
    lacking = np.ones(parts.n_wholes, bool)
    lacking[parts.whole] = False  # those without parts
    lacking[parts.whole[~parts.guess]] = True
    codes[lacking] = UNANSWERED
    is_bad = bad >= 0
    codes[is_bad] = np.where(parts.wrong[bad[is_bad]], WRONG, UNGRADED)
    decides = np.where(is_bad, bad, parts.least_sure(parts.guess))
    confidence = np.full(parts.n_wholes, np.nan, parts.confidence.dtype)
    has_one = codes != UNANSWERED
    confidence[has_one] = parts.confidence[decides[has_one]]
    columns: dict[str, Any] = {
        "item": piece.item[first],
        "outcome": codes,
        "confidence": confidence,
    }
    if piece.confidence is None:
        del columns["confidence"]
    if piece.weight is not None:
        columns["weight"] = piece.weight[first]
    for name in _KEPT:
        column = getattr(piece, name)
        if column is not None:
            if name == "cluster":
                alike("whole_outcomes", piece, name, column, whole, first)
            columns[name] = column[first]
    answerable = np.ones(parts.n_wholes, bool)
    answerable[parts.silent_right] = False
    if not answerable.all():
        columns["answerable"] = answerable
    groups = {
        name: column[first]
        for name, column in piece.groups.items()
        if _is_alike(column, whole, first)
    }
    recipe = {**piece.recipe, "of": "wholes"}
    if len(parts.without):
        recipe["without_parts"] = without_parts
    table = Outcomes.from_columns(
        columns,
        groups=groups,
        recipe=recipe,
        notes=piece.notes,
    )
    return replace(table, notes=piece.notes)


def _is_alike(column: Any, whole: Positions, first: Positions) -> bool:
    return bool((column == column[first][whole]).all())
