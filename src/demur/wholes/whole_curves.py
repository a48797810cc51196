"""The verb that draws wholes: parts withheld against wholes with a wrong part."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np

from demur import checks
from demur.arrays import Floats
from demur.curves.curve_kinds import LookedUpFigures
from demur.curves.curves import USUAL, Curve
from demur.curves.rates import (
    NOTHING_ANSWERED,
    Area,
    Point,
    area_under,
)
from demur.errors import UndefinedRate
from demur.outcomes.fields import system_alone
from demur.results import (
    Column,
    Contender,
    FigureKind,
    Results,
    Standings,
    Table,
    between,
    exactly,
    shared_recipe,
    span,
)
from demur.wholes import whole_amounts
from demur.wholes.whole_amounts import PartSums
from demur.wholes.whole_parts import WholeParts
from demur.wholes.whole_points import RATES, WHOLE_COLUMNS, WHOLE_KINDS, WholePoint

RANDOM: Final = (
    "between two cutoffs, whole answers are drawn at random for the upper one"
)


@dataclass(frozen=True)
class People:
    """What people do with the parts that are withheld.

    Parameters
    ----------
    error : float or None
        The chance that a person gets a part wrong; None if it is not known.
    minutes : float or None
        How long one part takes; None if it is not known.
    """

    error: float | None = None
    minutes: float | None = None


@dataclass(frozen=True, eq=False, repr=False)
class WholeCurve(LookedUpFigures):
    """Wholes with a wrong part against parts withheld, over every cutoff on parts.

    Made by `demur.whole_curve`.

    Parameters
    ----------
    system : str
        Whose answers they are; with a setting or group if the curve is of a part.
    parts : WholeParts
        The parts, numbered by whole.
    scaled : Curve
        The curve itself: its nonreturn is that of parts, its error that of wholes.
    people : People
        What is known of those who do the withheld parts.
    recipe : mapping
        How the numbers came about.
    notes : tuple of str
        What a reader must know.
    group : mapping of str to str
        What the wholes have in common, by column, if the curve is of a part.
    """

    KINDS: ClassVar[tuple[FigureKind, ...]] = WHOLE_KINDS

    system: str
    parts: WholeParts = field(repr=False)
    scaled: Curve = field(repr=False)
    people: People = People()
    recipe: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    group: Mapping[str, str] = field(default_factory=dict)

    @property
    def wholes(self) -> int:
        """How many wholes there are."""
        return self.parts.n_wholes

    @property
    def n_parts(self) -> int:
        """How many parts they have, with those that have no guess."""
        return len(self.parts)

    @cached_property
    def own(self) -> WholePoint:
        """Where the system stands by its own decisions to withhold parts."""
        sums = whole_amounts.by_own_decisions(self.parts, self.people.error)
        whole, of_parts = self.parts.whole_weight, self.parts.part_weight
        values = {name: amount / whole for name, amount in sums.items()}
        withheld = sums["withheld"] / of_parts if of_parts else 0.0
        bounds = values["low"], values["high"]
        point = Point(
            *(withheld, bounds[0], None, None, None, None, None),
            bounds=bounds,
            how="own decision",
        )
        return self._named(point, values)

    # -- arrays ------------------------------------------------------------------------

    @property
    def cutoff(self) -> Floats:
        """Cutoffs of the vertices, shape (n_vertices,); NaN, the last, is silence."""
        return self.scaled.cutoff

    @property
    def nonreturn(self) -> Floats:
        """Parts withheld / all parts, shape (n_vertices,)."""
        return self.scaled.nonreturn

    @property
    def whole_error(self) -> Floats:
        """Wholes with a wrong part returned / all wholes, shape (n_vertices,)."""
        return self.scaled.error

    @property
    def wrong_parts(self) -> Floats:
        """Wrong parts returned per whole, shape (n_vertices,)."""
        return self._at_vertices("wrong_parts")

    @property
    def complete(self) -> Floats:
        """Wholes all of whose parts are returned and right / all wholes."""
        return self._at_vertices("complete")

    @property
    def touched(self) -> Floats:
        """Wholes of which a part is withheld / all wholes, shape (n_vertices,)."""
        return 1.0 - self._at_vertices("untouched")

    @property
    def answered(self) -> Floats:
        """Wholes of which a part is returned / all wholes, shape (n_vertices,)."""
        return self._at_vertices("answered")

    @property
    def error_with_people(self) -> Floats | None:
        """Wholes with an error after people's work / all; None if nothing is known."""
        if self.people.error is None:
            return None
        return self._at_vertices("with_people")

    def _at_vertices(self, name: str) -> Floats:
        if self.scaled.ladder is None:  # without confidences there are none
            return np.empty(0)
        sums = self._measures[name].at_each(self.cutoff[:-1])
        rates: Floats = sums / self.parts.whole_weight
        return rates

    @cached_property
    def _measures(self) -> dict[str, PartSums]:
        parts, rate = self.parts, self.people.error
        made = {
            "wrong_parts": whole_amounts.wrong_parts(parts),
            "complete": whole_amounts.complete(parts),
            "untouched": whole_amounts.untouched(parts),
            "answered": whole_amounts.answered(parts),
        }
        if rate is not None:
            made["with_people"] = whole_amounts.errors_with_people(parts, rate)
        return made

    # -- look-ups ----------------------------------------------------------------------

    def at(
        self,
        *,
        nonreturn: float | None = None,
        whole_error: float | None = None,
        cutoff: float | None = None,
        how: str = "linear",
    ) -> WholePoint:
        """What holds of wholes at a share of parts withheld, an error, or a cutoff.

        Parameters
        ----------
        nonreturn, whole_error, cutoff : float
            Exactly one of them. An error asks for the least share of parts withheld
            at which the share of wholes with a wrong part is that low.
        how : {"linear", "at_most", "at_least"}
            As for `Curve.at`; between vertices whole answers are drawn at random, all
            parts of which go by one of two cutoffs.

        Returns
        -------
        WholePoint

        Raises
        ------
        UndefinedRate
            If the system gives no confidences, or no vertex has so high an error.
        InputError
            If not exactly one rate is asked for, or it is not from 0 to 1.

        Examples
        --------
        Two runs of two actions each; withholding the least sure action of the four
        leaves one run with a wrong action:

        >>> import demur
        >>> outcomes = demur.Outcomes.from_arrays(
        ...     item=["r1", "r1", "r2", "r2"], part=["a", "b", "a", "b"],
        ...     correct=[1, 0, 0, 0], confidence=[0.9, 0.4, 0.8, 0.6])
        >>> point = demur.whole_curve(outcomes).at(nonreturn=0.25)
        >>> point.whole_error, point.complete, point.touched
        (0.5, 0.0, 0.5)
        """
        point = self.scaled.at(
            nonreturn=nonreturn, error=whole_error, cutoff=cutoff, how=how
        )
        return self.whole_point(point)

    def look_up(self, nonreturn: float, how: str = "linear") -> WholePoint | None:
        """The point at a nonreturn rate; None for a system without a curve."""
        if self.scaled.ladder is None:
            return None
        return self.at(nonreturn=nonreturn, how=how)

    def whole_point(self, point: Point) -> WholePoint:
        """What holds of wholes at a point of the curve `scaled`."""
        if point.error is None:
            return self._left_of_start(point)
        if point.between is None:
            ends: list[float | None] = [point.cutoff]
            share = 0.0
        else:
            low, high, share = point.between
            ends = [low, high]
        values = {
            name: _mixed([measure.at(cutoff) for cutoff in ends], share)
            / self.parts.whole_weight
            for name, measure in self._measures.items()
        }
        return self._named(point, values)

    def _named(self, point: Point, values: Mapping[str, float]) -> WholePoint:
        load = point.nonreturn * self.parts.part_weight / self.parts.whole_weight
        minutes = self.people.minutes
        return WholePoint(
            nonreturn=point.nonreturn,
            whole_error=point.error,
            bounds=point.bounds,
            wrong_parts=values.get("wrong_parts"),
            complete=values.get("complete"),
            touched=1.0 - values["untouched"] if "untouched" in values else None,
            answered=values.get("answered"),
            people_parts=load,
            minutes=None if minutes is None else minutes * load,
            error_with_people=values.get("with_people"),
            cutoff=point.cutoff,
            between=point.between,
            how=point.how,
        )

    def _left_of_start(self, point: Point) -> WholePoint:
        """Where parts without a guess would be returned: nobody knows what they are."""
        parts = self.parts
        low, known = self.scaled.error[0], self.scaled.totals
        high = (known.loss + known.unclear) / known.weight
        bad = np.zeros(parts.n_wholes, bool)
        bad[parts.whole[parts.wrong | parts.ungraded]] = True
        lacking = np.zeros(parts.n_wholes, bool)
        lacking[parts.whole[~parts.guess]] = True
        most = parts.weights[lacking & ~bad].sum().item() / parts.whole_weight
        more = (self.scaled.start - point.nonreturn) * (
            parts.part_weight / parts.whole_weight
        )
        bounds = float(low), float(min(high + min(most, more), 1.0))
        return self._named(replace(point, bounds=bounds), {})

    def area(self) -> Area:
        """Area under the curve of wholes, over the share of parts withheld.

        Parts without a guess leave the left of it open, within bounds.

        Raises
        ------
        UndefinedRate
            If the system gives no confidences.
        """
        inner, ladder, start = self.scaled.area(), self.scaled.ladder, self.scaled.start
        if not start or ladder is None:
            return replace(inner, definition=AREA_DEFINITION)
        total = self.scaled.totals.weight
        extra = area_under(ladder, ladder.ungraded, total)
        low = inner.observed + start * float(self.scaled.error[0])
        most = self._left_of_start(self.scaled.at(nonreturn=0.0)).bounds[1]
        high = inner.observed + extra + start * most
        return Area(None, inner.observed, low, high, AREA_DEFINITION)

    # -- output ------------------------------------------------------------------------

    @property
    def system_alone(self) -> str:
        """The system's name without the group."""
        return system_alone(self.system, self.group)

    def sentence(self, nonreturn: float = USUAL, how: str = "linear") -> str:
        """How many wholes hold a wrong part if some parts may be withheld, or none."""
        name = self.system or "the system"
        point = self.look_up(nonreturn, how)
        if point is None:
            return (
                f"{name[:1].upper()}{name[1:]} gives no confidences: by its own "
                f"decisions it withholds {self.own.nonreturn:.3f} of the parts, and "
                f"{span(*self.own.bounds)} of the wholes hold a wrong part."
            )
        first = self.at(nonreturn=min(self.scaled.start, 1.0))
        return (
            f"If {100 * nonreturn:g} % of the parts may be withheld, "
            f"{span(*point.bounds)} of the wholes of {name} hold a wrong part; if none "
            f"may, {span(*first.bounds)}."
        )

    def _value(self, name: str, look_up: tuple[str, float] | None) -> tuple[Any, ...]:
        if name in ("wholes", "parts"):
            return (self.wholes if name == "wholes" else self.n_parts), None, None
        if name == "whole_area":
            area = self.area()
            return area.value, area.low, area.high
        point = self.own
        if look_up is not None:
            by, rate = look_up
            by = "whole_error" if by == "error" else by
            point = self.at(**{by: rate})  # type: ignore[arg-type]
        if name == "whole_error":
            if point.nonreturn == 1:
                raise UndefinedRate(NOTHING_ANSWERED)
            return point.whole_error, *point.bounds
        value = getattr(point, RATES[name])
        if name == "whole_error_with_people" and self.people.error is None:
            raise UndefinedRate("how often people err (people_error) is not given")
        if name == "whole_error_answered" and point.answered == 0:
            raise UndefinedRate(NOTHING_ANSWERED)
        return value, None, None

    def rows(self, at: Sequence[float], how: str) -> list[tuple[Any, ...]]:
        """A row of `WHOLE_COLUMNS` for each rate."""
        points = [self.look_up(rate, how) for rate in at]
        listed = [point for point in points if point is not None] or [self.own]
        names = [column.key for column in WHOLE_COLUMNS[1:]]
        head = (self.system_alone or None, *self.group.values())
        return [
            (
                *head,
                *(
                    between(*point.bounds)
                    if name == "whole_error"
                    else getattr(point, name)
                    for name in names
                ),
            )
            for point in listed
        ]

    def tables(self) -> tuple[Table]:
        """What holds at the usual rate."""
        return (_table([self], [USUAL], "linear"),)

    def to_dict(
        self, *, points: str = "corners", at: Sequence[WholePoint] = ()
    ) -> dict[str, Any]:
        """The curve as plain values for JSON.

        Parameters
        ----------
        points : {"all", "corners", "none"}
            Which vertices to list: cutoff, share of parts withheld, share of wholes
            with a wrong part.
        at : sequence of WholePoint
            Look-ups to list beside them.
        """
        checks.choice("to_dict", "points", points, ["all", "corners", "none"])
        listed = {"all": "vertices", "corners": "corners"}.get(points)
        vertices = getattr(self.scaled, listed).to_list() if listed else []
        return {
            "system": self.system,
            "wholes": self.wholes,
            "parts": self.n_parts,
            "own": self.own.to_dict(),
            "area": self.area().to_dict() if self.scaled.ladder else None,
            "points": [
                {
                    "cutoff": one["cutoff"],
                    "nonreturn": one["nonreturn"],
                    "whole_error": one["error"],
                }
                for one in vertices
            ],
            **({"group": dict(self.group)} if self.group else {}),
            "at": [point.to_dict() for point in at],
            "notes": list(self.notes),
            "signature": self.signature,
        }

    def __repr__(self) -> str:
        name = f"{self.system!r}: " if self.system else ""
        first = self.scaled.totals
        return (
            f"WholeCurve({name}{self.wholes} wholes of {self.n_parts} parts, "
            f"{first.wrong} with a wrong part)"
        )


AREA_DEFINITION: Final = (
    "integral of the share of wholes with a wrong part over the share of parts "
    "withheld, linear between cutoffs; low and high add the least and the most that "
    "parts without a guess and those that nobody could judge can add"
)


class WholeCurves(Results[WholeCurve]):
    """Curves of wholes, with what was read off them."""

    KINDS: ClassVar[tuple[FigureKind, ...]] = WHOLE_KINDS

    at: tuple[float, ...] = (USUAL,)
    how: str = "linear"

    def sentence(self) -> str:
        """In whose wholes wrong parts are rarest at the first rate."""
        if len(self) == 1:
            return self[0].sentence(self.at[0], self.how)
        standings = []
        for curve in self:
            point = curve.look_up(self.at[0], self.how)
            ends = (None, None) if point is None else point.bounds
            standings.append(Contender(curve.system, *ends))
        ranking = Standings(standings)
        where = f"With {100 * self.at[0]:g} % of the parts withheld"
        without = ranking.left_out("no confidences are given")
        if not ranking.ranked:
            return f"No system gives confidences.{without}"
        if not ranking.known:
            rivals = ranking.rivals_text("{} {}", "{} {}")
            return (
                f"{where}, whose wholes least often hold a wrong part is not known: "
                f"{rivals}.{without}"
            )
        who = ranking.names()
        return (
            f"{where}, the wholes of {who} least often hold a wrong part, "
            f"{ranking.value} of them{ranking.follows()}.{without}"
        )

    def tables(self) -> tuple[Table]:
        """A row for each curve and rate."""
        return (_table(self, self.at, self.how),)

    @property
    def recipe(self) -> dict[str, str]:
        """What is common to all of them, and what was read off."""
        shared = shared_recipe(self)
        if self and self[0].group:
            shared["by"] = ", ".join(self[0].group)
        if (self.at, self.how) != ((USUAL,), "linear"):
            shared |= {"at": ",".join(map(exactly, self.at)), "read": self.how}
        return shared

    def to_dict(self, *, points: str = "corners") -> dict[str, Any]:
        """All curves as plain values for JSON, with what was asked for."""
        systems = []
        for curve in self:
            looked = [curve.look_up(rate, self.how) for rate in self.at]
            there = [point for point in looked if point is not None]
            systems.append(curve.to_dict(points=points, at=there))
        return {"systems": systems}


def _table(curves: Sequence[WholeCurve], at: Sequence[float], how: str) -> Table:
    """The columns that say something, a row for each curve and rate."""
    rows = [row for curve in curves for row in curve.rows(at, how)]
    groups = tuple(dict.fromkeys(name for curve in curves for name in curve.group))
    system, *rest = WHOLE_COLUMNS
    columns = (system, *map(Column, groups), *rest)
    always = {"nonreturn", "cutoff", "whole_error"}
    kept = [
        place
        for place, column in enumerate(columns)
        if column.key in always or any(row[place] is not None for row in rows)
    ]
    cut = tuple(tuple(row[place] for place in kept) for row in rows)
    last = len(groups) + (len(at) > 1)  # several rates are told apart by the first rate
    key = max(1, sum(place <= last for place in kept))
    return Table("Wholes", tuple(columns[place] for place in kept), cut, key)


def _mixed(values: Sequence[Any], share: float) -> float:
    """A value at one cutoff, or of a share at the upper of two."""
    if len(values) == 1:
        return float(values[0])
    low, high = values
    return float(low + share * (high - low))
