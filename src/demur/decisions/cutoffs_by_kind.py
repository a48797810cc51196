"""Cutoffs that were chosen for each kind of part, and what they are worth."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

import numpy as np

from demur.checks import names_shown
from demur.decisions.choices import judged_on
from demur.decisions.kind_rates import RatesByKind, kinds_of, rates_by_kind
from demur.outcomes.fields import UNANSWERED
from demur.outcomes.parts import check_one_system, confidences_of
from demur.outcomes.table import Outcomes, part_name
from demur.results import Figure, FigureKind, Result, Results, Table
from demur.wholes.numbering import check_parts

_KINDS: Final = (
    FigureKind("parts_withheld", "the share of parts withheld", can_be_undefined=False),
    FigureKind("whole_error", "the share of wholes with a wrong part"),
    FigureKind("bound", "the certified bound of the share of wholes"),
    FigureKind("cost", "what is withheld costs per whole", "number", most=float("inf")),
    FigureKind("kind_withheld", "the share of the parts of a kind that is withheld"),
    FigureKind("kind_error", "the share of wholes with a wrong part of a kind"),
)


@dataclass(frozen=True, eq=False, repr=False)
class ChoiceByKind(Result):
    """A cutoff for each kind of part, and what they are worth together.

    Parameters
    ----------
    system : str
        Whose cutoffs they are.
    kinds : str
        The column that says of which kind a part is.
    rule : str
        How they were chosen.
    cutoffs : mapping of str to float or None
        Return each part with at least the cutoff of its kind; None withholds all parts
        of a kind. So are parts of kinds that are not named.
    judged : RatesByKind
        Rates on the wholes that they were certified on; without a certainty on those
        that they were chosen on.
    searched : RatesByKind or None
        Rates on the wholes that cutoffs were searched on, if these are others.
    bound : float or None
        Upper bound of the share of wholes with a wrong part, certified.
    target, certainty : float or None
        What was asked for.
    costs : mapping of str to float, or None
        What withholding a part of each kind costs, if it was said.
    elsewhere : bool
        Whether the rates are of other outcomes, see `on`.
    notes : tuple of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    items : array, shape (n_rows,), or None
        The wholes that had a part in the choice.
    """

    KINDS: ClassVar = _KINDS

    system: str
    kinds: str
    rule: str
    cutoffs: dict[str, float | None]
    judged: RatesByKind
    searched: RatesByKind | None = None
    bound: float | None = None
    target: float | None = None
    certainty: float | None = None
    costs: dict[str, float] | None = None
    elsewhere: bool = field(default=False, repr=False)
    notes: tuple[str, ...] = ()
    recipe: dict[str, str] = field(default_factory=dict)
    items: Any = field(default=None, repr=False, compare=False)

    @property
    def whole_error(self) -> float:
        """Wholes of which a wrong part is returned / all wholes."""
        return self.judged.whole_error

    @property
    def parts_withheld(self) -> float:
        """Parts withheld / all parts."""
        return self.judged.nonreturn

    @property
    def cost(self) -> float | None:
        """Of what is withheld, per whole; None if no costs were given."""
        return None if self.costs is None else self.judged.cost

    def sentence(self) -> str:
        """What to do, what comes of it, and what is promised."""
        return f"{self.does()}\n{self.promise()}"

    def does(self) -> str:
        """What to do, and what comes of it."""
        name = f"{self.system}: " if self.system else ""
        silent = all(cutoff is None for cutoff in self.cutoffs.values())
        does = "never return a part"
        if not silent:
            does = (
                "return a part at the cutoff of its kind or above: "
                f"{self.judged.words()}"
            )
        does = does if name else does[:1].upper() + does[1:]
        cost = "" if self.cost is None else f"; that costs {self.cost:.4g} per whole"
        return f"{name}{does}{cost}."

    def promise(self) -> str:
        """What is promised, and what is not."""
        if self.elsewhere:
            return "The cutoffs were chosen on other wholes; nothing is promised here."
        if self.certainty is None:
            return (
                f"At most {self.target:g} of the wholes hold a wrong part on this "
                "data; nothing is promised of other data."
            )
        return (
            f"Promised of new wholes like these, with certainty {self.certainty:g}: "
            f"in truth at most {self.target:g} of all wholes hold a wrong part, of all "
            "kinds together. "
            "Nothing is promised of a kind by itself. The promise takes the verdicts "
            "as they stand."
        )

    def figures(self) -> Iterator[Figure]:
        """The rates where they were certified; those of each kind by its name."""
        for figure in Result.figures(self):
            name = figure.kind.name
            if name == "bound" and (self.certainty is None or self.elsewhere):
                continue
            if name != "cost" or self.costs is not None:
                yield replace(figure, why_undefined="nothing is certified")
        withheld, error = _KINDS[-2:]
        for rates in self.judged.by_kind:
            called = part_name(self.system, {self.kinds: rates.kind})
            why = "there is no part of this kind"
            for kind, value in (
                (withheld, rates.nonreturn),
                (error, rates.whole_error),
            ):
                yield self.figure(kind, value, of=called, why_undefined=why)

    def tables(self) -> Sequence[Table]:
        """The cutoffs with their rates, and the rates where they were searched."""
        where = "On the wholes that certify them" if self.searched else ""
        tables = [self.judged.table(where)]
        if self.searched is not None:
            tables.append(self.searched.table("On the wholes they were searched on"))
        return tables

    def on(self, outcomes: Outcomes) -> "ChoiceByKind":
        """The same cutoffs on other outcomes: the honest figure.

        Parameters
        ----------
        outcomes : Outcomes
            Of the same system, with wholes that had no part in the choice; a note says
            how many had. Kinds that have no cutoff are withheld.

        Returns
        -------
        ChoiceByKind
            With the rates on these outcomes and no bound.
        """
        where = "ChoiceByKind.on"
        check_parts(where, outcomes)
        check_one_system(where, outcomes)
        confidences_of(where, outcomes, outcomes.outcome != UNANSWERED)
        seen = kinds_of(outcomes, self.kinds, where)
        unknown = sorted({*seen} - {*self.cutoffs})
        cutoffs: dict[str, float | None] = self.cutoffs | dict.fromkeys(unknown)
        before, now = (
            np.array([*dict.fromkeys(items.tolist())], items.dtype)
            for items in (self.items, outcomes.item)
        )
        judged = rates_by_kind(outcomes, self.kinds, cutoffs, self.costs or {})
        kept = ("of", "choose", "search", "costs")
        return replace(
            self,
            cutoffs=cutoffs,
            judged=judged,
            searched=None,
            bound=None,
            elsewhere=True,
            notes=(*outcomes.notes, judged_on(before, now), *unknown_note(unknown)),
            recipe={
                **outcomes.recipe,
                **{name: self.recipe[name] for name in kept if name in self.recipe},
                "items": str(judged.wholes),
                "chosen_on": f"{len(before)} wholes",
            },
        )


class ChoicesByKind(Results[ChoiceByKind]):
    """Cutoffs by kind of several systems, each on its own data."""

    def sentence(self) -> str:
        """What to do with each, and what is promised."""
        promises = dict.fromkeys(choice.promise() for choice in self)
        alone = ["Each is promised by itself."] if self[0].certainty else []
        return "\n".join([*(choice.does() for choice in self), *promises, *alone])


def unknown_note(unknown: Sequence[str]) -> tuple[str, ...]:
    """What is said of kinds that have no cutoff."""
    if not unknown:
        return ()
    why = "not seen where cutoffs were searched, so always withheld"
    return (f"{names_shown(unknown)}: {why}",)
