"""What a cutoff of one module does to the whole pipeline, and the table of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from demur.errors import InputError, shown
from demur.pipelines.engine import STATE_WORDS
from demur.results import NONE, Result, table


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
    state : {"corrected", "free"}
    match : {"strict", "multiple"}
    points : tuple of SweptPoint
        By cutoff, from all guesses handed on to none.
    hull : tuple of int
        The points that are best at some price, by nonreturn.
    best : tuple of PricedCutoff
    items : int
        Turns that count.
    acts : int
        Their target acts.
    rises : int
        Points at which errors are more than at the cutoff before.
    exact : bool
        Whether there is a point for every confidence, not for a grid.
    recipe : mapping
    """

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

    def at(self, cutoff: float | None) -> SweptPoint:
        """The point of a cutoff; in corrected state of any, else of one of the grid.

        Raises
        ------
        InputError
            If the cutoff is not on the grid.
        """
        if cutoff is None:
            return self.points[-1]
        found = [p for p in self.points if p.cutoff is None or p.cutoff >= cutoff]
        if not self.exact and found[0].cutoff != cutoff:
            must, hint = "be on the grid", "Give it among the cutoffs."
            raise InputError("CutoffSweep.at", "cutoff", must, shown(cutoff), hint)
        return found[0]

    def __str__(self) -> str:
        return _text(self)


def _cutoff(value: float | None) -> str:
    return "none" if value is None else f"{value:.4g}"


def _share(value: float | None) -> str:
    return NONE if value is None else f"{value:.4f}"


def _text(found: CutoffSweep) -> str:
    shown_ = list(dict.fromkeys([0, *sorted(found.hull), len(found.points) - 1]))
    if not found.exact:
        shown_ = list(range(len(found.points)))
    elif len(shown_) > 20:
        steps = np.linspace(0, len(shown_) - 1, 20).astype(int)
        shown_ = [shown_[at] for at in steps.tolist()]
    rows = [
        [
            _cutoff(point.cutoff),
            *(f"{x:.4f}" for x in (point.nonreturn, point.error, point.right)),
            _share(point.handed_on),
            _share(point.module_error),
            "best at some price" if at in found.hull else "",
        ]
        for at, point in ((at, found.points[at]) for at in shown_)
    ]
    header = ["cutoff", "nonreturn", "error", "right", "handed on"]
    header += [f"error of {found.module}", ""]
    priced = [
        [
            f"{each.price:g}",
            _cutoff(each.cutoff),
            f"{each.cost:.4f}",
            _cutoff(each.module_cutoff),
            NONE if each.agree else _share(each.module_cost),
        ]
        for each in found.best
    ]
    names = ["price", "best cutoff", "cost", f"best for {found.module} alone"]
    kind = "every cutoff" if found.exact else "a grid of cutoffs"
    lines = [
        f"Cutoff of {found.module} in the pipeline, {STATE_WORDS[found.state]}, "
        f"{kind}, {found.match} match; {found.items:,} turns, "
        f"{found.acts:,} target acts.",
        "",
        table(header, rows),
        "",
        table([*names, "costs the pipeline"], priced),
    ]
    lines.append("")
    if found.rises:
        lines += [f"At {found.rises} cutoffs errors rise as the cutoff does."]
    apart = [each for each in found.best if not each.agree]
    if apart:
        texts = ", ".join(f"{each.price:g}" for each in apart)
        lines.append(
            f"At price {texts} the best cutoff of {found.module} alone is not the "
            "pipeline's."
        )
    lines.append("Cutoffs are chosen and judged on the same turns.")
    return "\n".join(lines)
