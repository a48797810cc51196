"""The verb that corrects the errors that a noisy judge has counted, at every cutoff."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from demur.arrays import Floats
from demur.checks import check_level
from demur.outcomes.labelling import lowest_in_reach
from demur.outcomes.parts import confidences_of
from demur.outcomes.table import Outcomes
from demur.results import Column, Result, Table, plain_values
from demur.statistics.correcting import forced_choice, recipe_of, selection_notes
from demur.statistics.noisy_curves import corrected_errors


@dataclass(frozen=True, repr=False, eq=False)
class CorrectedCurve(Result):
    """Errors against non-returns, as a noisy judge has them and corrected.

    The arrays have one entry for each cutoff, from forced choice on.

    Parameters
    ----------
    system : str
        Its name; "" if there is one alone.
    cutoff, nonreturn : array of float64, shape (n_cutoffs,)
        Least confidence that is answered; items that are not answered / all items.
    raw : array of float64, shape (n_cutoffs,)
        The error by the judge; NaN without one.
    error, low, high : array of float64, shape (n_cutoffs,)
        The corrected error and its interval, at each cutoff by itself; the error is NaN
        where no answered item is labelled, or some could not be drawn. It may fall
        where the cutoff does: people
        have found the judge too harsh there.
    labelled : int
        Guesses that people have judged.
    level : float
        Of the intervals.
    notes : tuple of str
        What a reader must know.
    recipe : mapping of str to str
        How the numbers came about.
    """

    system: str
    cutoff: Floats
    nonreturn: Floats
    raw: Floats
    error: Floats
    low: Floats
    high: Floats
    labelled: int
    level: float
    notes: tuple[str, ...] = ()
    recipe: dict[str, str] = field(default_factory=dict)

    def sentence(self) -> str:
        """The error in forced choice, by the judge and corrected."""
        name = f" of {self.system}" if self.system else ""
        if not len(self.error) or np.isnan(self.error).all():
            return f"No answer{name} is labelled, so nothing is corrected."
        if np.isnan(self.error[0]):
            return (
                f"Forced to answer all, the error{name} is not known: some answers "
                "could not be drawn to be labelled."
            )
        by = f"by the labels of {self.labelled:,} answers"
        if not np.isnan(self.raw[0]):
            by = (
                f"corrected by people's verdicts on {self.labelled} items; the judge "
                f"has {self.raw[0]:.3f}"
            )
        return (
            f"Forced to answer all, the error{name} is {self.error[0]:.3f} "
            f"({100 * self.level:g} % interval {self.low[0]:.3f} to "
            f"{self.high[0]:.3f}), {by}."
        )

    def tables(self) -> tuple[Table]:
        """A row for each cutoff."""
        names: tuple[str, ...] = ("nonreturn", "raw", "error", "low", "high")
        explained = dict.fromkeys(names, "") | {
            "raw": "the error by the judge",
            "error": "corrected by people's verdicts on items drawn at random",
            "low": "end of its interval, at each cutoff by itself",
        }
        if np.isnan(self.raw).all():
            names = tuple(name for name in names if name != "raw")
            explained["error"] = "of the labelled answers"
        columns = (
            Column("cutoff", cells="value"),
            *(Column(name, cells="share", explained=explained[name]) for name in names),
        )
        return (Table.of_arrays(columns, self),)

    def to_dict(self) -> dict[str, Any]:
        """As plain values; None where no answered item is labelled, or no judge is."""
        plain = super().to_dict()
        for name in ("raw", "error"):
            plain[name] = [
                None if np.isnan(error) else plain_values(float(error))
                for error in getattr(self, name)
            ]
        return plain


def corrected_curve(
    outcomes: Outcomes, gold: str | None = None, *, level: float = 0.95
) -> CorrectedCurve:
    """The error at every cutoff, of a system whose answers a noisy judge has judged.

    At each cutoff as `corrected_error` has it there.

    Parameters
    ----------
    outcomes : Outcomes
        Of one system, with confidences and with the verdicts of the judge.
    gold : str, optional
        The column with people's verdicts on a part of the items, drawn at random, as
        for `corrected_error`; if left out, the outcomes are people's, and answers that
        nobody has looked at are unlabelled.
    level : float
        Of the interval at each cutoff.

    Returns
    -------
    CorrectedCurve

    Raises
    ------
    InputError
        If the column is not there or holds something else, or the items have weights.
    UndefinedRate
        If fewer than ten independent guesses are labelled, or there are no confidences.

    Examples
    --------
    The judge passes two of the wrong answers, which people have seen:

    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[True] * 18 + [False] * 2, confidence=[*range(20, 0, -1)],
    ...     groups={"gold": ["right"] * 15 + ["wrong"] * 5})
    >>> found = demur.corrected_curve(outcomes, "gold")
    >>> [round(float(errors[0]), 2) for errors in (found.raw, found.error)]
    [0.1, 0.25]
    """
    where = "corrected_curve"
    check_level(where, level)
    verdicts = forced_choice(where, outcomes, gold)
    confidence = confidences_of(where, outcomes, verdicts.answered > 0)
    rates = corrected_errors(verdicts, confidence, level)
    reached = rates.cutoff >= lowest_in_reach(outcomes)
    return CorrectedCurve(
        system=outcomes.systems[0],
        cutoff=rates.cutoff[::-1],
        nonreturn=rates.nonreturn[::-1],
        raw=np.full(len(rates.raw), np.nan) if verdicts.alone else rates.raw[::-1],
        error=np.where(reached, rates.value, np.nan)[::-1],
        low=np.where(reached, rates.low, 0.0)[::-1],
        high=np.where(reached, rates.high, 1 - rates.nonreturn)[::-1],
        labelled=int(verdicts.labelled.sum()),
        level=level,
        notes=selection_notes(outcomes, verdicts),
        recipe=recipe_of(outcomes, gold, level),
    )
