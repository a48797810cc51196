"""The verb that corrects the errors that a noisy judge has counted."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from demur.arrays import Flags, Floats, answered_at
from demur.checks import choice
from demur.curves.of_outcomes import error_return
from demur.errors import InputError, UndefinedRate, shown
from demur.outcomes.parts import check_one_system, confidences_of, sample_of
from demur.outcomes.table import Outcomes, check_outcomes
from demur.results import Result, signature_of, table
from demur.statistics.noisy_verdicts import (
    CorrectedRate,
    Verdicts,
    labelled_only,
    labels_for,
    prediction_powered,
    rogan_gladen,
)
from demur.statistics.units import check_level

_LOSSES: Final = {
    **dict.fromkeys(("right", "true", "yes", "1", "correct"), 0.0),
    **dict.fromkeys(("wrong", "false", "no", "0", "incorrect"), 1.0),
}
FEWEST: Final = 10
"""Of fewer labelled units, nothing is corrected."""


@dataclass(frozen=True, repr=False)
class CorrectedError(Result):
    """An error by a noisy judge, and what people make of it.

    Parameters
    ----------
    system : str
    cutoff : float or None
        None answers every guess.
    items, labelled : int
        All, and those that people have judged.
    raw : float
        The error by the judge, over all items.
    corrected : CorrectedRate
        Prediction-powered.
    trust : float
        How much of it is the judge: 0 is people alone.
    rogan_gladen : CorrectedRate or None
        From sensitivity and specificity; None if they are not known.
    labelled_only : CorrectedRate
        What people alone say.
    labels_for_half : int or None
        About how many labels halve the width of the corrected interval; None if no
        number does.
    level : float
    recipe : mapping of str to str
    """

    system: str
    cutoff: float | None
    items: int
    labelled: int
    raw: float
    corrected: CorrectedRate
    trust: float
    rogan_gladen: CorrectedRate | None
    labelled_only: CorrectedRate
    labels_for_half: int | None
    level: float
    recipe: dict[str, str] = field(default_factory=dict)

    @property
    def signature(self) -> str:
        """The recipe of these numbers, one line."""
        return signature_of(self.recipe)

    def to_dict(self) -> dict[str, Any]:
        """As plain values; estimates as value, low, high."""
        found = super().to_dict()
        for name in ("corrected", "rogan_gladen", "labelled_only"):
            found[name] = _ends(getattr(self, name))
        return found

    def __str__(self) -> str:
        return corrected_table([self])


def _ends(each: CorrectedRate | None) -> list[float] | None:
    return None if each is None else [each.value, each.low, each.high]


def corrected_error(
    outcomes: Outcomes,
    gold: str,
    *,
    cutoff: float | None = None,
    nonreturn: float | None = None,
    level: float = 0.95,
) -> CorrectedError:
    """The error of a system whose answers a noisy judge has judged.

    People have judged a part of the items, drawn at random. Where they did, it shows
    how far the judge is off; the error over all items is moved by that. Ungraded
    answers count as wrong by the judge.

    Parameters
    ----------
    outcomes : Outcomes
        Of one system, with the verdicts of the judge.
    gold : str
        The column with people's verdicts: right or wrong (also true and false, yes and
        no, 1 and 0); empty where people have not judged. What it says of items without
        a guess is not looked at.
    cutoff, nonreturn : float, optional
        Answer only guesses with at least this confidence, or with the cutoff that
        answers at least 1 - nonreturn of the items; by default every guess.
    level : float
        Of the intervals.

    Returns
    -------
    CorrectedError

    Raises
    ------
    InputError
        If the column is not there or holds something else, or the items have weights.
    UndefinedRate
        If fewer than ten independent items are labelled, or a cutoff is asked for and
        there are no confidences.

    References
    ----------
    See `demur.statistics.noisy_verdicts` for the estimators.

    Examples
    --------
    The judge finds 2 errors in 40; where people looked, it missed one of two:

    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[False] * 2 + [True] * 38,
    ...     groups={"gold": ["wrong", None, "wrong"] + ["right"] * 18 + [None] * 19})
    >>> found = corrected_error(outcomes, "gold")
    >>> found.raw, found.labelled, found.labelled_only.value
    (0.05, 20, 0.1)
    >>> round(found.corrected.value, 3), round(found.trust, 2)
    (0.1, 0.47)
    """
    check_outcomes("corrected_error", outcomes)
    check_one_system("corrected_error", outcomes)
    check_level("corrected_error", level)
    choice("corrected_error", "gold", gold, list(outcomes.groups))
    sample = sample_of(outcomes)
    if sample.weight is not None:
        must, got = "have equal weights", "different ones"
        raise InputError("corrected_error", "the items", must, got)
    answered = _answered(outcomes, sample.guess, cutoff, nonreturn)
    people, labelled = _people(outcomes.groups[gold].tolist(), gold)
    cluster = np.arange(len(sample)) if sample.cluster is None else sample.cluster
    verdicts = Verdicts(
        judge=np.where(answered, sample.loss, 0.0),
        people=np.where(answered, people, 0.0),
        labelled=labelled,
        answered=answered,
        cluster=cluster,
    )
    if verdicts.n_units < FEWEST:
        raise UndefinedRate(
            f"corrected_error: {verdicts.n_units} independent items have a label in "
            f"{gold}; at least {FEWEST} are needed."
        )
    corrected, trust = prediction_powered(verdicts, level)
    half = (corrected.high - corrected.low) / 4
    return CorrectedError(
        system=outcomes.systems[0],
        cutoff=cutoff if nonreturn is None else _cutoff(outcomes, nonreturn),
        items=len(sample),
        labelled=int(labelled.sum()),
        raw=float(verdicts.judge.mean()),
        corrected=corrected,
        trust=trust,
        rogan_gladen=rogan_gladen(verdicts, level),
        labelled_only=labelled_only(verdicts, level),
        labels_for_half=labels_for(verdicts, level, half) if half else None,
        level=level,
        recipe={**outcomes.recipe, "gold": gold, "level": f"{level:g}"},
    )


def _answered(
    outcomes: Outcomes, guess: Flags, cutoff: float | None, nonreturn: float | None
) -> Flags:
    if cutoff is not None and nonreturn is not None:
        must = "be one of cutoff and nonreturn"
        raise InputError("corrected_error", "the cutoff", must, "both")
    if nonreturn is not None:
        cutoff = _cutoff(outcomes, nonreturn)
    if cutoff is None:
        return guess
    confidence = confidences_of("corrected_error", outcomes, guess)
    return answered_at(confidence, guess, cutoff)


def _cutoff(outcomes: Outcomes, nonreturn: float) -> float | None:
    """The highest cutoff that answers at least 1 - nonreturn of the items."""
    return error_return(outcomes).at(nonreturn=nonreturn, how="at_most").cutoff


def _people(column: Sequence[Any], gold: str) -> tuple[Floats, Flags]:
    """Losses by people, and where there are any."""
    losses = np.zeros(len(column))
    labelled = np.zeros(len(column), bool)
    for row, value in enumerate(column):
        text = "" if value is None else str(value).strip().lower()
        if not text or text in ("ungraded", "nan"):
            continue
        if text not in _LOSSES:
            must = "be right or wrong, or empty"
            got, hint = shown(value), "Also true and false, yes and no, 1 and 0."
            raise InputError("corrected_error", f"column {gold}", must, got, hint)
        losses[row], labelled[row] = _LOSSES[text], True
    return losses, labelled


def corrected_table(found: Sequence[CorrectedError]) -> str:
    """Corrected errors as a table, as the command prints them."""
    head = (
        *("system", "cutoff", "items", "labelled", "by judge", "corrected"),
        *("Rogan-Gladen", "people alone", "half with"),
    )
    rows = [
        (
            each.system,
            "all" if each.cutoff is None else f"{each.cutoff:.4g}",
            str(each.items),
            str(each.labelled),
            f"{each.raw:.3f}",
            _text(each.corrected),
            _text(each.rogan_gladen),
            _text(each.labelled_only),
            "-" if each.labels_for_half is None else str(each.labels_for_half),
        )
        for each in found
    ]
    return (
        table(head, rows)
        + "\n\nby judge: the error as the judge has it; corrected: prediction-powered, "
        "from what people say of the labelled items, which must be drawn at random; "
        "half with: about how many labels halve its interval."
        + f"\nlevel of the intervals: {found[0].level:g}"
    )


def _text(each: CorrectedRate | None) -> str:
    if each is None:
        return "-"
    return f"{each.value:.3f} ({each.low:.3f} to {each.high:.3f})"
