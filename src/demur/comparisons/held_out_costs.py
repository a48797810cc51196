"""What a cutoff, or a system's own decisions, cost on items that were held out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np

from demur.arrays import Floats, Sample
from demur.curves.curves import Curve
from demur.curves.of_outcomes import named_curve
from demur.errors import InputError, UndefinedRate, shown
from demur.outcomes.parts import check_rows, named_parts, paired, sample_of
from demur.outcomes.table import Outcomes
from demur.statistics.units import ItemValues, check_units, score_interval

LEVEL: Final = 0.95
"""Of the interval of a difference of costs."""


class Place(Protocol):
    """Where a system stands: at a cutoff, or as it decides itself."""

    @property
    def system(self) -> str | None:
        """Whose it is; None for silence, which is nobody's."""

    @property
    def choice(self) -> str:
        """What is done: "cutoff", "own decisions" or "never answer"."""

    @property
    def cutoff(self) -> float | None:
        """The cutoff, if that is the choice."""


@dataclass(frozen=True)
class HeldOutRates:
    """What was chosen for a range of prices, on items that had no part in that.

    Parameters
    ----------
    price : float
        The cost of a non-return over the cost of an error at which costs are compared.
    nonreturn, error : float
        Rates over all held-out items; the error counts ungraded answers.
    rivals : tuple of str, or None
        Who is not dearer beyond luck there, each with what was cheapest of its own;
        None where that is not known.
    """

    price: float
    nonreturn: float
    error: float
    rivals: tuple[str, ...] | None

    @property
    def cost(self) -> float:
        """``error + price * nonreturn``."""
        return self.error + self.price * self.nonreturn

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        rivals = None if self.rivals is None else list(self.rivals)
        return {**vars(self), "cost": self.cost, "rivals": rivals}


class HeldOutItems:
    """Items of several systems on which places are judged and compared.

    Parameters
    ----------
    outcomes : Outcomes
        Of the systems that were chosen from, under the same names.
    names : iterable of str
        Those systems.

    Raises
    ------
    InputError
        If a system is absent.
    """

    def __init__(self, outcomes: Outcomes, names: Iterable[str]) -> None:
        check_rows("price_list", outcomes)
        parts = dict(named_parts(outcomes))
        for name in names:
            if name not in parts:
                need, got = f"hold the system {shown(name)}", ", ".join(parts)
                hint = "Each system that is chosen from needs held-out items."
                raise InputError("price_list", "held_out", need, got, hint)
        self.n_items = len(set(outcomes.item.tolist()))
        self.why_untested = ""
        self._curves = {name: named_curve(name, part) for name, part in parts.items()}
        self._tables: dict[str, Outcomes] = {}
        self._amounts: dict[tuple[Any, ...], tuple[Any, Any]] = {}
        try:
            tables, _ = paired(list(parts.values()), items="common")
            self._sample: Sample = sample_of(tables[0])
            check_units("price_list", self._sample)
            self._tables = dict(zip(parts, tables, strict=True))
        except (InputError, UndefinedRate) as problem:
            self.why_untested = str(problem).removeprefix("price_list: ")

    def judged(
        self, place: Place, price: float, others: Sequence[tuple[str, Place]]
    ) -> HeldOutRates:
        """The rates of what was chosen, and who is not dearer beyond luck.

        Parameters
        ----------
        place : Place
            What was chosen.
        price : float
            At which costs are compared.
        others : sequence of tuple (name, Place)
            What else could be done.
        """
        rivals = None
        if self._tables:
            rivals = tuple(
                name for name, other in others if not self._dearer(other, place, price)
            )
        return HeldOutRates(price, *self._rates(place), rivals)

    def _rates(self, place: Place) -> tuple[float, float]:
        if place.system is None:
            return 1.0, 0.0
        curve: Curve = self._curves[place.system]
        point = curve.operating_point
        if place.cutoff is not None:
            point = curve.at(cutoff=place.cutoff)
        return point.nonreturn, point.bounds[1]

    def _dearer(self, other: Place, place: Place, price: float) -> bool:
        """Whether another place costs more, beyond luck."""
        (lost, silent), (least, withheld) = map(self._lost, (other, place))
        apart = lost - least + price * (silent - withheld)
        weight = self._sample.weight
        weight = np.ones(len(apart)) if weight is None else weight
        if weight @ apart <= 0:
            return False
        most = max(1.0, price)
        cluster = self._sample.cluster
        items = ItemValues(apart, weight, cluster, smallest=-most, largest=most)
        return score_interval(items, level=LEVEL)[0] > 0

    def _lost(self, place: Place) -> tuple[Floats, Floats]:
        """Of each item what answering it lost, and whether it was not answered."""
        if place.system is None:
            return np.zeros(len(self._sample)), np.ones(len(self._sample))
        key = (place.system, place.choice, place.cutoff)
        if key not in self._amounts:
            table = self._tables[place.system]
            sample = sample_of(table)
            given = sample.guess
            if place.cutoff is not None:
                given = given & (sample.confidence >= place.cutoff)
            elif table.declined is not None:
                given = given & ~table.declined
            self._amounts[key] = np.where(given, sample.loss, 0.0), 1.0 * ~given
        return self._amounts[key]
