"""A cutoff that was chosen, and what it is worth on that and on other data."""

from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from demur.arrays import Numbers
from demur.curves import counting
from demur.curves.curves import Curve, _silence
from demur.curves.of_outcomes import error_return, origin_of
from demur.curves.rates import Point
from demur.decisions.choice_tables import SAME_DATA, choices_table
from demur.decisions.linear_scores import LinearScore
from demur.decisions.several_risks import Risk
from demur.errors import UndefinedRate
from demur.outcomes.table import Outcomes
from demur.results import Result, signature_of
from demur.statistics.correcting import (
    corrected_error,
    forced_choice,
    selection_notes,
)
from demur.statistics.noisy_verdicts import CorrectedRate


@dataclass(frozen=True, eq=False, repr=False)
class Choice(Result):
    """A cutoff, and what it costs on the data it was chosen on.

    Parameters
    ----------
    system : str
        Whose cutoff it is.
    rule : str
        How it was chosen, such as ``"max_error=0.05 of all, certainty 0.95"``.
    cutoff : float or None
        Answer every guess with at least this confidence; None is never answer.
    nonreturn, error, missed : float
        Rates over all items at the cutoff; the error counts ungraded answers.
    error_answered : float or None
        Loss of the answered items / answered items; None if nothing is answered.
    bound : float or None
        Upper bound of the certified error; None if none was asked for or found.
    found : bool
        False if no cutoff could be certified (the cutoff is then None).
    target, certainty : float or None
        The error that was asked for, and how surely; None if it was not.
    of : str
        What the target is a share of: "all" items or "answered" ones.
    risks : tuple of Risk
        What is promised together, if it is more than one thing.
    notes : tuple of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    score : float or None
        The named score at the cutoff, if it was chosen by one; ungraded answers count
        as wrong.
    gold : str or None
        The column with people's verdicts, if errors are corrected by them.
    corrected : CorrectedRate or None
        The error over all items, corrected; ``error`` is the judge's. None without
        ``gold``, and where nobody has judged an answered item.
    items : array, shape (n_rows,), or None
        The items it was chosen on, so that `on` sees whether others are judged.
    """

    system: str
    rule: str
    cutoff: float | None
    nonreturn: float
    error: float
    missed: float
    error_answered: float | None
    bound: float | None = None
    found: bool = True
    target: float | None = None
    certainty: float | None = None
    of: str = "all"
    risks: tuple[Risk, ...] = ()
    notes: tuple[str, ...] = (SAME_DATA,)
    recipe: dict[str, str] = field(default_factory=dict)
    score: float | None = None
    scored: LinearScore | None = field(default=None, repr=False)
    gold: str | None = None
    corrected: CorrectedRate | None = None
    items: Any = field(default=None, repr=False, compare=False)

    @property
    def answered(self) -> float:
        """Answered items / all items."""
        return 1 - self.nonreturn

    @property
    def signature(self) -> str:
        """The recipe of the choice, one line."""
        return signature_of({**self.recipe, "choose": self.rule})

    def __str__(self) -> str:
        return choices_table([self])

    def on(self, outcomes: Outcomes) -> "Choice":
        """The same cutoff on other outcomes: the honest figure.

        Parameters
        ----------
        outcomes : Outcomes
            Of the same system, with items that had no part in the choice; a note
            says how many had.

        Returns
        -------
        Choice
            With the rates on these outcomes and no bound.

        Raises
        ------
        UndefinedRate
            If the outcomes have no confidences.
        """
        curve = error_return(outcomes)
        point = _silence(curve) if self.cutoff is None else curve.at(cutoff=self.cutoff)
        notes = (_judged_on(self.items, outcomes), *curve.notes)
        judged = choice_at(curve, point, self.rule)
        if self.scored is not None:
            judged = with_score(judged, curve, point, self.scored)
        if self.gold is not None:
            judged = with_people(judged, outcomes, self.gold)
        return replace(judged, notes=notes, found=self.found)


def _judged_on(chosen_on: Any, outcomes: Outcomes) -> str:
    """Whether the items of a judgement had a part in the choice, and how many."""
    items, n_rows = outcomes.item, len(outcomes)
    if chosen_on is items:
        return SAME_DATA
    known = set() if chosen_on is None else set(chosen_on.tolist())
    shared = sum(item in known for item in items.tolist())
    if shared and _numbered(chosen_on) and _numbered(items):
        return (
            f"judged on {n_rows} items, of which {shared} have numbers that items of "
            "the choice have too: if they are the same, the error is too good by an "
            "unknown amount; names of items would tell"
        )
    if shared == n_rows:
        return SAME_DATA
    if shared:
        return (
            f"{shared} of the {n_rows} items judged on had a part in the choice: the "
            "error is too good by an unknown amount; leave them out for an honest "
            "figure"
        )
    return f"judged on {n_rows} held-out items"


def _numbered(items: Any) -> bool:
    return bool(items.dtype == np.int64 and (items == np.arange(len(items))).all())


def with_people(chosen: Choice, outcomes: Outcomes, gold: str) -> Choice:
    """A choice with the error at its cutoff as people's verdicts correct it."""
    corrected: CorrectedRate | None = None
    notes: tuple[str, ...] = ()
    with suppress(UndefinedRate):  # too few labels, or none at this cutoff
        notes = selection_notes(outcomes, forced_choice("choose", outcomes, gold))
        corrected = CorrectedRate(0.0, 0.0, 0.0)
        if chosen.cutoff is not None:
            corrected = None
            found = corrected_error(outcomes, gold, cutoff=chosen.cutoff)
            corrected = found.corrected
    return replace(
        chosen,
        gold=gold,
        corrected=corrected,
        notes=(*chosen.notes, *notes),
        recipe={**chosen.recipe, "gold": gold},
    )


def declined_weight(curve: Curve, cutoff: Any) -> Numbers:
    """Weight of unanswerable items not answered at each cutoff, and in silence."""
    given = counting.answered(*curve.unanswerable, np.asarray(cutoff))
    whole = counting.answered(*curve.unanswerable, np.array([-np.inf]))[0]
    withheld: Numbers = curve.totals.no_guess_unanswerable + whole - given
    return withheld


def with_score(
    chosen: Choice, curve: Curve, point: Point, named: LinearScore
) -> Choice:
    """A choice with its score by a named linear score."""
    silent = point.nonreturn == 1 or point.cutoff is None
    declined = declined_weight(curve, [] if silent else [point.cutoff])[0]
    share = float(declined / curve.totals.weight)
    low, high = named.bounds(
        float(point.right or 0),
        float(point.error or 0),
        float(point.ungraded or 0),
        share,
    )
    return replace(chosen, score=high if named.is_cost else low, scored=named)


def none_found(curve: Curve, rule: str, why: str) -> Choice:
    """The choice of silence, because no cutoff is as it should be."""
    chosen = choice_at(curve, _silence(curve), rule)
    note = f"no cutoff that answers anything: {why}; the rates are those of silence"
    return replace(chosen, found=False, notes=(note, *chosen.notes[1:]))


def choice_at(curve: Curve, point: Point, rule: str) -> Choice:
    """The choice of a point of the curve."""
    error, answered = point.bounds[1], 1 - point.nonreturn
    return Choice(
        system=curve.system,
        rule=rule,
        cutoff=point.cutoff,
        nonreturn=point.nonreturn,
        error=error,
        missed=float(point.missed or 0.0),
        error_answered=error / answered if point.nonreturn < 1 else None,
        notes=(SAME_DATA, *curve.notes),
        recipe={**origin_of(curve), "items": str(curve.items)},
    )
