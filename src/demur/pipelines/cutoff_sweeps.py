"""What a cutoff of one module does to the whole pipeline, and the table of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from demur.errors import InputError, shown
from demur.pipelines.broken_modules import failed_notes
from demur.pipelines.engine import STATE_WORDS
from demur.results import Column, Result, Table, count


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SweptPoint(Result):
    """What the pipeline does at one cutoff of the module.

    Parameters
    ----------
    cutoff : float or None
        Guesses of the module with a confidence below are not handed on; None: none is.
    nonreturn, error, right : float
        Of the pipeline's responses, over all target acts; they add up to 1.
    handed_on : float or None
        Share of turns, of those with a target for the module, in which its guess goes
        on; None if it has no targets.
    module_error : float or None
        Share of these turns in which it goes on and is not acceptable.
    """

    SAYS = (
        "With the cutoff at {cutoff} the pipeline errs in {error} and is silent in "
        "{nonreturn} of the acts."
    )

    cutoff: float | None
    nonreturn: float
    error: float
    right: float
    handed_on: float | None
    module_error: float | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PricedCutoff(Result):
    """The best cutoff for one price, for the pipeline and for the module alone.

    Parameters
    ----------
    price : float
        What no answer costs; an error costs 1.
    cutoff : float or None
        With the least error + price x nonreturn of the pipeline; of equal ones the
        least nonreturn, then the lowest cutoff.
    cost : float
        That sum.
    module_cutoff : float or None
        With the least sum of the module's own errors and outputs held back.
    module_cost : float or None
        What the pipeline pays at that cutoff; None if the module has no targets.
    """

    SAYS = (
        "If no answer costs {price} errors, the cutoff {cutoff} is best and costs "
        "{cost} for each act."
    )

    price: float
    cutoff: float | None
    cost: float
    module_cutoff: float | None
    module_cost: float | None

    @property
    def agree(self) -> bool:
        """Whether the module's best cutoff is as good for the pipeline."""
        return self.module_cost is None or self.module_cost <= self.cost + 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class CutoffSweep(Result):
    """Errors and nonreturns of a pipeline over the cutoffs of one module.

    It is no error-return curve: a response need not get rarer, nor errors fewer, as the
    cutoff rises, so that nothing holds between its points and an area has no meaning.

    Parameters
    ----------
    module : str
        Whose cutoff is swept.
    state : {"corrected", "free"}
    match : {"strict", "multiple"}
        Against the target alone, or any acceptable output.
    points : tuple of SweptPoint
        By cutoff, from all guesses handed on to none.
    hull : tuple of int
        The points that are best at some price, by nonreturn.
    best : tuple of PricedCutoff
        The best cutoff for each price.
    items : int
        Turns that count.
    acts : int
        Their target acts.
    rises : int
        Points at which errors are more than at the cutoff before.
    exact : bool
        Whether there is a point for every confidence, not for a grid.
    recipe : mapping
        How it came about; the signature is made of it.
    failed : int
        Turns that count in which a module broke, at the cutoff with most of them.
    """

    KINDS = (
        count("items", "turns that count"),
        count("acts", "target acts"),
        count("rises", "cutoffs at which errors rise", better="lower"),
    )

    module: str
    state: str
    match: str
    points: tuple[SweptPoint, ...]
    hull: tuple[int, ...]
    best: tuple[PricedCutoff, ...]
    items: int
    acts: int
    rises: int
    exact: bool
    recipe: Mapping[str, str] = field(repr=False)
    failed: int = 0

    def at(self, cutoff: float | None) -> SweptPoint:
        """The point of a cutoff; in corrected state of any, else of one of the grid.

        Raises
        ------
        InputError
            If the cutoff is not on the grid.
        """
        if cutoff is None:
            return self.points[-1]
        from_cutoff = [p for p in self.points if p.cutoff is None or p.cutoff >= cutoff]
        if not self.exact and from_cutoff[0].cutoff != cutoff:
            need, hint = "be on the grid", "Give it among the cutoffs."
            raise InputError("CutoffSweep.at", "cutoff", need, shown(cutoff), hint)
        return from_cutoff[0]

    def sentence(self) -> str:
        """The best cutoff, and whether that of the module alone is the pipeline's."""
        grid = "every cutoff" if self.exact else "a grid of cutoffs"
        start = (
            f"Cutoff of {self.module} in the pipeline, {STATE_WORDS[self.state]}, "
            f"{grid}, {self.match} match; {self.items:,} turns, {self.acts:,} target "
            "acts."
        )
        apart = [f"{best.price:g}" for best in self.best if not best.agree]
        if apart:
            return (
                f"At price {', '.join(apart)} the best cutoff of {self.module} alone "
                f"is not the pipeline's. {start}"
            )
        first = next(iter(self.best), None)
        if first is None:
            return start
        cutoff = "none" if first.cutoff is None else f"{first.cutoff:.4g}"
        return f"At price {first.price:g} the best cutoff is {cutoff}. {start}"

    def tables(self) -> tuple[Table, Table]:
        """Points; and the best cutoff for each price."""
        points = [
            (
                *(_cutoff(point.cutoff), point.nonreturn, point.error, point.right),
                *(point.handed_on, point.module_error, place in self.hull),
            )
            for place, point in self._shown()
        ]
        prices = [
            (
                best.price,
                _cutoff(best.cutoff),
                best.cost,
                _cutoff(best.module_cutoff),
                None if best.agree else best.module_cost,
            )
            for best in self.best
        ]
        return (
            Table("Points", _POINTS, tuple(points)),
            Table("Best cutoffs", _PRICES, tuple(prices)),
        )

    def _shown(self) -> list[tuple[int, SweptPoint]]:
        """The points that are best at some price, and the ends; all of a grid."""
        places = list(dict.fromkeys([0, *sorted(self.hull), len(self.points) - 1]))
        if not self.exact:
            places = list(range(len(self.points)))
        elif len(places) > _MOST_POINTS:
            steps = np.linspace(0, len(places) - 1, _MOST_POINTS).astype(int)
            places = [places[at] for at in steps.tolist()]
        return [(place, self.points[place]) for place in places]

    @property
    def notes(self) -> tuple[str, ...]:
        """Where errors rise with the cutoff, and what the points were judged on."""
        notes = ["cutoffs are chosen and judged on the same turns"]
        if self.rises:
            notes.append(f"at {self.rises} cutoffs errors rise as the cutoff does")
        return (*notes, *failed_notes(self.failed))


def _cutoff(value: float | None) -> str:
    return "none" if value is None else f"{value:.4g}"


_MOST_POINTS: Final = 20
_POINTS: Final = (
    Column("cutoff", explained="guesses of the module below it are not handed on"),
    Column("nonreturn", "", "share", "of target acts", digits=4),
    Column("error", "", "share", "of target acts", digits=4),
    Column("right", "", "share", "of target acts", digits=4),
    Column("handed_on", "", "share", "turns whose guess goes on", digits=4),
    Column("module_error", "", "share", "turns with a guess that is wrong", digits=4),
    Column("best", "", "text", "best at some price"),
)
_PRICES: Final = (
    Column("price", "", "number", "of no answer, an error costing 1"),
    Column("best_cutoff", explained="with the least error + price x nonreturn"),
    Column("cost", "", "share", "that sum", digits=4),
    Column("module_cutoff", "best for it alone"),
    Column("module_cost", "costs the pipeline", "share", "at that cutoff", digits=4),
)
