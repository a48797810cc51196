"""The verbs that draw wholes: parts withheld against wholes with a wrong part."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from demur import checks
from demur.curves.curves import USUAL, Curve
from demur.curves.rates import point_of_amounts
from demur.errors import InputError
from demur.outcomes.fields import RIGHT
from demur.outcomes.labelling import unlabelled
from demur.outcomes.table import Outcomes, grouped_parts, part_name
from demur.results import exactly
from demur.wholes.numbering import check_parts, numbered_parts, whole_numbers
from demur.wholes.whole_amounts import scaled_ladder, whole_totals
from demur.wholes.whole_curves import People, WholeCurve, WholeCurves


def whole_curve(
    outcomes: Outcomes,
    *,
    people_error: float | None = None,
    minutes: float | None = None,
    without_parts: str = "answerable",
) -> WholeCurve:
    """Parts withheld against wholes with a wrong part, as the cutoff on parts rises.

    A whole is an item, its parts the rows that have it; a part is returned if its
    confidence is at least the cutoff. A whole holds an error if one of its returned
    parts is wrong, however many there are. Parts of a whole may depend on each other
    in any way. A whole without parts (one row, without a part and a guess) counts as
    a whole that holds no error; ``without_parts`` says when it is complete and right.

    Parameters
    ----------
    outcomes : Outcomes
        Judged parts of one system, with a column ``part``; weights are of wholes.
    people_error : float, optional
        The chance that a person gets a part wrong: withheld parts are then done by
        people, and the errors that are left are counted too. 0 if people are right.
    minutes : float, optional
        How long people take for a part.
    without_parts : {"answerable", "right", "unanswered"}
        When a whole without parts is complete and right: by default if its
        ``answerable`` is false, so that there was nothing to return; "right" is always
        (by silence), "unanswered" never.

    Returns
    -------
    WholeCurve

    Raises
    ------
    InputError
        If there are no parts, or rows of several systems or settings.

    Notes
    -----
    A whole holds an error as long as the surest of its wrong parts is returned, so the
    share of wholes with one falls with the cutoff. A right part with less than full
    credit is not wrong.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["r1", "r1", "r2", "r2"], part=["a", "b", "a", "b"],
    ...     correct=[1, 0, 0, 0], confidence=[0.9, 0.4, 0.8, 0.6])
    >>> curve = demur.whole_curve(outcomes)
    >>> curve.nonreturn
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    >>> curve.whole_error
    array([1. , 0.5, 0.5, 0. , 0. ])
    """
    check_parts("whole_curve", outcomes)
    people = _people(people_error, minutes)
    pieces = grouped_parts(outcomes)
    if len(pieces) > 1:
        hint = "demur.whole_curve_by gives one for each."
        need, got = "be of one system", f"{len(pieces)}"
        raise InputError("whole_curve", "outcomes", need, got, hint)
    system, group, piece = pieces[0]
    named = part_name(system, group)
    return _named_curve(named, piece, group, people, without_parts)


def whole_curve_by(
    outcomes: Outcomes,
    *,
    by: str | Sequence[str] = (),
    at: Sequence[float] = (USUAL,),
    how: str = "linear",
    people_error: float | None = None,
    minutes: float | None = None,
    without_parts: str = "answerable",
) -> WholeCurves:
    """A curve of wholes for each system, setting and value of the named columns.

    Parameters
    ----------
    outcomes : Outcomes
        As for `whole_curve`, of any number of systems.
    by : str or sequence of str
        Columns whose values cut the wholes into groups.
    at : sequence of float
        Shares of parts withheld at which wholes are looked at.
    how : {"linear", "at_most", "at_least"}
        How they are read between cutoffs.
    people_error, minutes, without_parts
        As for `whole_curve`.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["r1", "r1", "r1", "r1"], part=["a", "b", "a", "b"],
    ...     system=["x", "x", "y", "y"], correct=[1, 0, 1, 1],
    ...     confidence=[0.9, 0.4, 0.8, 0.6])
    >>> [curve.at(nonreturn=0).whole_error for curve in demur.whole_curve_by(outcomes)]
    [1.0, 0.0]
    """
    check_parts("whole_curve_by", outcomes)
    groups, people = (
        checks.names("whole_curve_by", "by", by),
        _people(people_error, minutes),
    )
    if _torn(outcomes, groups):
        outcomes = replace(outcomes, notes=(*outcomes.notes, TORN))
    return WholeCurves(
        (
            _named_curve(part_name(system, group), piece, group, people, without_parts)
            for system, group, piece in grouped_parts(outcomes, groups=groups)
        ),
        at=list(at),
        how=how,
    )


def _torn(outcomes: Outcomes, groups: Sequence[str]) -> bool:
    """Whether parts of one whole are in several groups."""
    if not groups:
        return False
    whole, first = whole_numbers(outcomes)
    for values in map(outcomes.column, groups):
        ahead = values[first][whole]
        neither = (values != values) & (ahead != ahead)  # both NaN
        if ((values != ahead) & ~neither).any():
            return True
    return False


def _people(error: float | None, minutes: float | None) -> People:
    if error is not None:
        error = float(checks.decimal_fraction("whole_curve", "people_error", error))
    if minutes is not None:
        checks.number("whole_curve", "minutes", minutes, 0.0, np.inf)
    return People(error, minutes)


def _named_curve(
    name: str,
    piece: Outcomes,
    group: Mapping[str, str],
    people: People,
    without_parts: str,
) -> WholeCurve:
    waiting = int(unlabelled(piece).sum())
    parts = numbered_parts("whole_curve", piece, without_parts)
    has_cutoffs = parts.guess.any() and not np.isnan(parts.confidence[parts.guess][0])
    ladder = scaled_ladder(parts) if has_cutoffs else None
    totals = whole_totals(parts, ladder)
    nothing = np.empty(0), np.empty(0, np.int64)
    recipe = {**piece.recipe, "of": "wholes", "items": str(parts.n_wholes)}
    if group:
        recipe["group"] = ", ".join(map(" = ".join, group.items()))
    if people.error is not None:
        recipe["people_error"] = exactly(people.error)
    if people.minutes is not None:
        recipe["minutes"] = exactly(people.minutes)
    n_without = len(parts.without)
    if n_without:
        recipe["without_parts"] = without_parts
    forced = point_of_amounts(totals, totals.loss, totals.unclear, totals.no_guess)
    scaled = Curve(name, totals, ladder, forced, nothing, recipe)
    credit = piece.credit
    right = piece.outcome == RIGHT
    partial = credit is not None and bool((credit[right] < 1).any())
    single = 1 < parts.n_wholes == len(piece) > n_without and TORN not in piece.notes
    notes = (
        *piece.notes,
        *((PARTIAL,) if partial else ()),
        *((f"{waiting:,} {WAITING}",) if waiting else ()),
        *((SINGLE,) if single else ()),
        *((f"{n_without} {WITHOUT[without_parts]}",) if n_without else ()),
    )
    return WholeCurve(
        system=name,
        parts=parts,
        scaled=scaled,
        people=people,
        recipe=recipe,
        notes=notes,
        group=group,
    )


_WITHOUT: Final = (
    "of the wholes have no parts: they hold no error{} and count as no part; in counts "
    "of parts each is one that is unanswered"
)
WITHOUT: Final = {
    "answerable": _WITHOUT.format(
        ", are complete and right only where nothing was to be returned,"
    ),
    "right": _WITHOUT.format(", are complete and right,"),
    "unanswered": _WITHOUT.format(", are never complete and right,"),
}
"""What is said of wholes without parts, by what they are taken for."""

WAITING: Final = (
    "parts are unlabelled and may be right or wrong: bounds hold whichever they are; "
    "demur recheck, or demur.whole_outcomes at a cutoff, estimates by the labels"
)
WITHOUT_A_PART: Final = "of the wholes have no parts: they count, and hold no error"
"""The same where nobody asks what is complete."""
TORN: Final = (
    "parts of one whole are in several groups: in each of them the whole is the parts "
    "that are there, and may be right although it holds a wrong part elsewhere"
)
"""What is said of groups of parts."""
SINGLE: Final = (
    "no whole has more than one part, so errors of wholes are those of parts: is item "
    "the name of the whole?"
)
"""What is said where parts may have been taken for wholes."""
PARTIAL: Final = "right parts with less than full credit are not wrong"
