"""The public verbs that turn outcomes into curves."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from demur import checks
from demur.curves.curves import Curve, build_curve
from demur.errors import InputError
from demur.outcomes.parts import named_parts
from demur.outcomes.table import Outcomes, check_outcomes

FOLD = "fold"
"""The column that says which of several separately fitted models has answered."""


def error_return(outcomes: Outcomes) -> Curve:
    """Error against nonreturn, as the cutoff on confidence rises.

    Items with equal confidences leave together, so row order never matters.

    Parameters
    ----------
    outcomes : Outcomes, n_items rows
        Judged responses of one system; confidence on any monotone scale, higher
        means surer.

    Returns
    -------
    Curve
        Vertices from forced choice to silence. ``nonreturn``: not answered /
        n_items. ``error``: wrong answers / n_items.

    Raises
    ------
    InputError
        If there are no rows, or rows of several systems or settings.

    References
    ----------
    R. Artstein (2011), "Error Return Plots", section 3.

    Examples
    --------
    The case "G1" of the test suite: ten answers, four of them wrong, with ties.

    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     confidence=[0.95, 0.9, 0.9, 0.8, 0.7, 0.7, 0.7, 0.4, 0.3, 0.1],
    ...     correct=[1, 1, 0, 1, 1, 0, 1, 0, 1, 0])
    >>> curve = demur.error_return(outcomes)
    >>> curve.error
    array([0.4, 0.3, 0.3, 0.2, 0.1, 0.1, 0. , 0. ])
    >>> curve.at(nonreturn=0.2).error
    0.3
    >>> curve.area().value
    0.155
    """
    check_outcomes("error_return", outcomes)
    curves = curve_by(outcomes)
    if len(curves) > 1:
        names = ", ".join(curve.system for curve in curves[:5])
        must = "be of one system and setting"
        hint = "demur.curve_by gives one curve for each."
        got = f"{len(curves)} ({names}{', ...' if len(curves) > 5 else ''})"
        raise InputError("error_return", "outcomes", must, got, hint)
    return curves[0]


def curve_by(outcomes: Outcomes, *, groups: str | Sequence[str] = ()) -> list[Curve]:
    """One curve for each system, setting and value of the named columns.

    Parameters
    ----------
    outcomes : Outcomes
        Judged responses of any number of systems.
    groups : str or sequence of str
        Columns whose values cut the items into groups.

    Returns
    -------
    list of Curve
        In order of appearance; ``curve.system`` names the part, such as
        ``"a, topic = history"``.

    Raises
    ------
    InputError
        If there are no rows, or a column is absent.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["q1", "q2", "q1", "q2"], system=["a", "a", "b", "b"],
    ...     correct=[True, False, True, True], confidence=[0.9, 0.4, 0.8, 0.7])
    >>> [(curve.system, curve.area().value) for curve in demur.curve_by(outcomes)]
    [('a', 0.125), ('b', 0.0)]
    """
    check_outcomes("curve_by", outcomes)
    groups = checks.names("curve_by", "groups", groups)
    return [named_curve(*part) for part in named_parts(outcomes, groups=groups)]


def pooling_note(outcomes: Outcomes) -> str | None:
    """What to say of a curve whose outcomes have a column ``fold``; None if nothing.

    It looks at no confidence, and so costs nothing; `demur.check_pooled` does.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[1, 0], confidence=[0.9, 0.2], groups={"fold": [1, 2]})
    >>> pooling_note(outcomes)[:37]
    'confidences of 2 folds are pooled; th'
    """
    if FOLD not in outcomes.groups or outcomes.confidence is None:
        return None
    folds = len(set(outcomes.groups[FOLD].tolist()))
    if folds < 2:
        return None
    return (
        f"confidences of {folds} folds are pooled; those of separately fitted models "
        "are not on one scale: check_pooled says what that costs, the average "
        "of the folds' curves and rank_normalised avoid it"
    )


def named_curve(name: str, part: Outcomes) -> Curve:
    """The curve of one of the `named_parts`."""
    confidence = part.confidence
    if confidence is not None and (confidence != confidence).all():
        confidence = None
    curve = build_curve(
        part.outcome,
        confidence=confidence,
        credit=part.credit,
        weight=part.weight,
        answerable=part.answerable,
        declined=part.declined,
    )
    note = pooling_note(part)
    return replace(
        curve,
        system=name,
        recipe=part.recipe,
        notes=part.notes if note is None else (*part.notes, note),
        kinds=_kinds(part.kind),
    )


def _kinds(kind: Any) -> dict[str, int]:
    return {} if kind is None else dict(Counter(filter(None, kind.tolist())))
