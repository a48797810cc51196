"""Systems on the same wholes: the cutoff is on parts, the difference is of wholes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from demur.arrays import Clusters, Positions, Sample, rank
from demur.comparisons.own_decisions import OWN_RATES, own_difference, own_readings
from demur.curves.curves import Curve
from demur.errors import InputError, shown
from demur.outcomes.fields import RIGHT, UNGRADED, WRONG
from demur.outcomes.parts import (
    keys_of,
    labelled_in_part,
    paired,
    refuse_nothing,
    sample_of,
)
from demur.outcomes.table import Outcomes, check_outcomes
from demur.statistics.equal_units import equal_units_of, worth_notes, worth_of
from demur.statistics.paired_tests import (
    Difference,
    by_influence,
    described,
    least_deviation,
    score_between,
)
from demur.statistics.quantities import Estimate, Quantity, error_estimate
from demur.statistics.units import check_units, left_out
from demur.wholes.counting_wholes import WITHOUT_A_PART, whole_curve
from demur.wholes.numbering import alike, numbered_parts, whole_numbers
from demur.wholes.whole_curves import WholeCurve
from demur.wholes.whole_parts import WholeParts

if TYPE_CHECKING:
    from demur.comparisons.comparing import Compared

_OF_ITEMS: Final = ("at_error", "area", "gold", "weight")


def check_of_wholes(asked: "Compared", method: str) -> None:
    """Refuse what is compared of items only.

    Raises
    ------
    InputError
        With what was asked for.
    """
    for name in _OF_ITEMS:
        value = getattr(asked, name)
        if value is not None:
            need = "be left out where errors of wholes are compared"
            raise InputError("compare", name, need, shown(value))
    if method not in ("auto", "influence"):
        need = "be auto or influence where errors of wholes are compared"
        hint = "Parts of two systems differ, so none can be exchanged."
        raise InputError("compare", "method", need, shown(method), hint)


@dataclass(frozen=True, eq=False)
class PairedWholes:
    """Systems on the same wholes in the same order, each with its curve of wholes.

    Parameters
    ----------
    tables : tuple of Outcomes
        Of each system a row for each whole, as the system decides itself.
    curves : tuple of Curve
        Parts withheld against wholes with a wrong part.
    items : {"equal", "common"}
        Whether these are all wholes of each, or those that all have.
    notes : tuple of str
        What was left out, and how few equal clusters there are.
    parts : tuple of WholeParts
        Of each system, wholes numbered alike.
    wholes : Sample
        A row for each whole, with its weight and cluster.
    """

    tables: tuple[Outcomes, ...]
    curves: tuple[Curve, ...]
    items: str
    notes: tuple[str, ...]
    parts: tuple[WholeParts, ...]
    wholes: Sample

    def sample(self, place: int, ungraded: str = "wrong") -> Sample:
        """The parts of a system: only the surest bad part of a whole loses anything.

        Losses are in a unit in which their sum over the weight of all parts is the
        share of wholes that err.
        """
        parts = self.parts[place]
        loss = np.zeros(len(parts))
        if self.curves[place].ladder is not None:  # else nothing is surest
            bad = parts.wrong | parts.ungraded if ungraded == "wrong" else parts.wrong
            surest = parts.surest(bad)
            loss[surest[surest >= 0]] = parts.part_weight / parts.whole_weight
        of_whole = self.wholes.cluster
        return Sample(
            guess=parts.guess,
            confidence=np.asarray(parts.confidence, np.float64),
            loss=loss,
            weight=None
            if parts.weight is None
            else parts.weights[parts.whole].astype(np.float64),
            cluster=parts.whole if of_whole is None else of_whole[parts.whole],
        )

    def difference(
        self,
        a: Sample,
        b: Sample,
        *,
        quantity: Quantity,
        level: float,
        method: str = "influence",
        seed: int = 0,
        executor: Any = None,
    ) -> Difference:
        """Student's t test of the difference of two errors of wholes."""
        del method, seed, executor  # there is one method, and it draws nothing
        check_units("compare", self.wholes)
        first, second = (
            whole_estimate(sample, parts, quantity)
            for sample, parts in zip((a, b), self.parts, strict=True)
        )
        apart, wholes = second - first, self.wholes
        score = score_between(wholes, wholes, apart, quantity, level=level)
        alone = wholes.weight is None and wholes.cluster is None
        weights = rank(wholes).weights()
        test = by_influence(
            apart.value,
            left_out(apart.influence, weights, wholes.cluster),
            level=level,
            worth=float(len(wholes)) if alone else equal_units_of(wholes),
            least=least_deviation(wholes, quantity),
            score=score,
        )
        how = level, "influence", None
        return replace(described(wholes, quantity, apart.value, test, how), score=score)

    def near(self, _rates: Sequence[float]) -> "PairedWholes":
        """The same, to be compared at other rates."""
        return self

    @property
    def whole(self) -> bool:
        """Whether areas are compared, too."""
        return False

    @property
    def ungraded(self) -> bool:
        """Whether there are parts that nobody could judge."""
        return any(parts.ungraded.any() for parts in self.parts)

    @property
    def declines(self) -> bool:
        """Whether a system decides itself which parts to withhold."""
        return any(parts.declined is not None for parts in self.parts)

    @property
    def by_people(self) -> bool:
        """Whether people have looked at a part of the answers; that is refused."""
        return False

    def own_tests(
        self, level: float, seed: int, _weight: float | None = None
    ) -> dict[str, list[Difference]]:
        """The test of errors as the systems decide, for all readings of the ungraded.

        Parts withheld are not compared: they are as many as each system decides.
        """
        a, b = self.tables
        error = OWN_RATES[0]
        how: Any = {"quantity": error, "level": level, "seed": seed}
        readings = own_readings(self.tables)
        return {error: [own_difference(a, b, unknown=one, **how) for one in readings]}


def whole_estimate(sample: Sample, parts: WholeParts, quantity: Quantity) -> Estimate:
    """The error of wholes at a share of parts withheld, and what each whole adds to it.

    A whole moves the error through its surest bad part; through its parts, which move
    the cutoff; and through their number: the error is a share of wholes, the cutoff
    stands at a share of parts.

    Parameters
    ----------
    sample : Sample
        The parts, as `PairedWholes.sample` gives them.
    parts : WholeParts
        The wholes that they belong to.
    quantity : Quantity
        An error.

    Returns
    -------
    Estimate
        Influence has the shape (n_wholes,) and sums to 0.
    """
    units: Clusters = np.unique(np.asarray(sample.cluster), return_inverse=True)[1]
    rate = float(quantity.at or 0)
    of_parts = error_estimate(rank(sample), rate, cluster=units)
    weight = parts.weights
    n_parts = np.bincount(parts.whole, minlength=parts.n_wholes)
    share_of_parts = n_parts * weight / parts.part_weight
    size = share_of_parts - weight / parts.whole_weight
    influence: Any = np.bincount(parts.whole, of_parts.influence, parts.n_wholes)
    return Estimate(of_parts.value, influence + of_parts.value * size)


def paired_wholes(tables: Sequence[Outcomes], *, items: str = "equal") -> PairedWholes:
    """Join systems by whole, whatever parts each has, and draw their curves.

    Parameters
    ----------
    tables : sequence of Outcomes
        Each of one system and setting, with a column ``part``.
    items : {"equal", "common"}
        As for `demur.compare`.

    Raises
    ------
    InputError
        If there are no parts, the systems have no wholes in common, or differ in the
        weight or cluster of a whole; or if parts are labelled in part.
    """
    check_outcomes("compare", *tables)
    for table in tables:
        refuse_nothing(table)
    if labelled_in_part(*tables):
        need, got = "be labelled in all parts", "unlabelled ones"
        hint = "demur.whole_outcomes makes rows of wholes; compare these at cutoffs."
        raise InputError("compare", "the wholes", need, got, hint)
    listed = [_by_own_decisions(table) for table in tables]
    aligned, notes = paired(listed, items=items)
    kept = [
        _in_order(table, whole, one)
        for table, whole, one in zip(tables, listed, aligned, strict=True)
    ]
    drawn = [whole_curve(table) for table in kept]
    curves = tuple(map(_decided, drawn))
    if curves[0].system and curves[0].system == curves[1].system:
        hint = "Rename one: the column system."
        got = shown(curves[0].system)
        raise InputError("compare", "the systems", "differ in name", got, hint)
    wholes = _wholes_of(aligned[0])
    if wholes.cluster is not None:
        notes += worth_notes(wholes.n_clusters, worth_of(wholes))
    parts = tuple(curve.parts for curve in drawn)
    notes += tuple(
        f"{curve.system}: {len(curve.parts.without):,} {WITHOUT_A_PART}"
        for curve in drawn
        if len(curve.parts.without)
    )
    return PairedWholes(tuple(aligned), curves, items, notes, parts, wholes)


def _decided(drawn: WholeCurve) -> Curve:
    """The curve of wholes, with the point at which the system itself decides."""
    decided = drawn.own
    point = replace(
        drawn.scaled.operating_point,
        nonreturn=decided.nonreturn,
        error=decided.whole_error,
        missed=None,
        right=None,
        ungraded=None,
        bounds=decided.bounds,
    )
    return replace(drawn.scaled, operating_point=point)


def _by_own_decisions(table: Outcomes) -> Outcomes:
    """A row for each whole: wrong if a wrong part is returned, else right."""
    parts = numbered_parts("compare", table)
    whole, first = whole_numbers(table)
    given = parts.guess if parts.declined is None else parts.guess & ~parts.declined
    codes = np.full(parts.n_wholes, RIGHT, np.uint8)
    codes[whole[table.failed]] = UNGRADED  # what failed might have been right or wrong
    codes[parts.whole[given & parts.ungraded]] = UNGRADED
    codes[parts.whole[given & parts.wrong]] = WRONG
    columns: dict[str, Any] = {"item": table.item[first], "outcome": codes}
    for name in ("system", "setting", "repeat", "weight", "cluster"):
        column = getattr(table, name)
        if column is not None:
            if name == "cluster":
                alike("compare", table, name, column, whole, first)
            columns[name] = column[first]
    return Outcomes.from_columns(columns)


def _in_order(table: Outcomes, listed: Outcomes, aligned: Outcomes) -> Outcomes:
    """The parts of the wholes that are kept, these in order."""
    place = {key: number for number, key in enumerate(keys_of(aligned))}
    of_whole = np.array([place.get(key, -1) for key in keys_of(listed)], np.int64)
    number: Positions = of_whole[whole_numbers(table)[0]]
    rows = np.argsort(number, kind="stable")
    return table.take(rows[number[rows] >= 0])


def _wholes_of(aligned: Outcomes) -> Sample:
    """Weights and clusters of wholes, as tests of items read them."""
    nothing, every = np.zeros(len(aligned)), np.ones(len(aligned), bool)
    return replace(sample_of(aligned), guess=every, confidence=nothing, loss=nothing)
