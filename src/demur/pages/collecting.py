"""From outcomes to the results that a page shows: every verb is called once, here."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from demur.calibration.calibrating import Calibrations, calibration_by
from demur.comparisons.comparing import compare
from demur.comparisons.comparison_results import Comparison
from demur.comparisons.pricing import price_list
from demur.comparisons.scoring import score
from demur.curves.contrasts import Contrasts, contrast
from demur.curves.curves import Curve
from demur.curves.of_outcomes import Curves, items_in_common, named_curve
from demur.errors import InputError, UndefinedRate, shown
from demur.figures.comparisons import pair_picture
from demur.outcomes.parts import named_parts, paired
from demur.outcomes.reasons import failures_text
from demur.outcomes.table import NO_VALUE, Outcomes, part_name
from demur.pages.sections import Shown
from demur.results import Result, Table
from demur.results.pictures import Picture
from demur.statistics.bands import Band, DifferenceBand
from demur.statistics.correcting_curves import CorrectedCurve, corrected_curve
from demur.statistics.estimating import band, difference_band

NAMED_SCORES = ("omniscience-index", "confidence-target(target=0.9)")
"""Named scores that a page shows beside the weighted error."""

RATES = (0.1, 0.2, 0.3, 0.5)
"""Nonreturn rates whose errors a page shows beside those where it opens."""

MOST_GROUPS = 50
"""Of so many values of a column a page has curves."""

_FEW = 12
"""Of so many systems a page draws the pictures of calibration and contrasts."""

_PICKED = (
    "these two were picked of {} systems by their areas, and p is not corrected for "
    "that: demur compare of all systems is"
)


@dataclass(frozen=True)
class ReportOptions:
    """What a page is asked to show of outcomes.

    Parameters
    ----------
    pairs : tuple of pairs of str
        Systems to compare; empty: the first two by area.
    against : str or None
        A system to compare every other one with.
    by : tuple of str
        Columns whose values have curves of their own.
    at : float
        The nonreturn at which systems are compared, and at which the page opens.
    gold : str or None
        The column with people's verdicts.
    opens : float or None
        The nonreturn at which the page opens, if that is another one.
    """

    pairs: tuple[tuple[str, str], ...] = ()
    against: str | None = None
    by: tuple[str, ...] = ()
    at: float = 0.2
    gold: str | None = None
    opens: float | None = None


@dataclass(frozen=True, eq=False, repr=False)
class SideBySide(Result):
    """A comparison with bands around its curves and around their difference.

    Parameters
    ----------
    comparison : Comparison
        Of the two, on the items that both have.
    band : DifferenceBand or None
        Around the difference; None without a curve, or with too few items.
    bands : tuple of Band
        Of both curves, if there is one of their difference.
    picked_of : int
        Of how many systems the page took these two by itself; 0 if they were asked
        for, or are all there are.
    """

    comparison: Comparison
    band: DifferenceBand | None = None
    bands: tuple[Band, ...] = ()
    picked_of: int = 0

    def sentence(self) -> str:
        """Who is better, and whether that is luck."""
        return self.comparison.sentence()

    @property
    def verdict(self) -> str:
        """The same sentence, where what failed has been said."""
        failures = failures_text(self.comparison.failed)
        return self.sentence().removeprefix(failures).lstrip()

    def tables(self) -> Sequence[Table]:
        """Those of the comparison."""
        return self.comparison.tables()

    def pictures(self) -> Sequence[Picture]:
        """The curves, and the difference of their errors, each with its band."""
        if self.band is None:
            return self.comparison.pictures()
        curves = self.comparison.curves
        return (pair_picture(*curves, band=self.band, bands=self.bands),)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the bands say and are, and what else a reader must know."""
        notes = self.comparison.notes
        if self.picked_of:
            notes = (_PICKED.format(self.picked_of), *notes)
        if self.band is None:
            return notes
        around = f"Shaded around the curves: {self.bands[0].text}."
        return (self.band.sentence(), around, *notes)

    @property
    def recipe(self) -> Mapping[str, str]:
        """That of the comparison."""
        return self.comparison.recipe

    @property
    def command(self) -> tuple[str, ...]:
        """The command that compares the two."""
        systems = self.comparison.a, self.comparison.b
        where = [f"system={name}" for name in systems if all(systems)]
        chosen = (word for name in where for word in ("--where", name))
        return ("compare", *chosen, "--at", f"{self.comparison.at:g}")


class GroupedCurves(Curves):
    """Curves of the groups of one column; the first screen draws them."""

    def pictures(self) -> Sequence[Picture]:
        """None: there may be very many."""
        return ()


@dataclass(frozen=True, eq=False)
class GroupCurves:
    """The items that share one value of one column.

    Parameters
    ----------
    column, value : str
        Which group it is.
    curves : tuple of Curve or None
        As many as systems; None where a system has no such item.
    """

    column: str
    value: str
    curves: tuple[Curve | None, ...]


@dataclass(frozen=True, eq=False)
class Explored:
    """Outcomes with everything that a page computes of them beforehand.

    Parameters
    ----------
    names : tuple of str
        Of the systems (with their settings), in order of appearance.
    parts : tuple of Outcomes
        Of each.
    curves : Curves
        Of each, with the nonreturn rates at which the page shows their errors.
    groups : tuple of GroupCurves
        Column by column.
    pairs : tuple of SideBySide
        The comparisons that the page shows.
    results : tuple of Shown
        What the sections below show.
    notes : tuple of str
        What could not be computed, and why.
    at : float
        The nonreturn at which the page opens.
    """

    names: tuple[str, ...]
    parts: tuple[Outcomes, ...]
    curves: Curves
    groups: tuple[GroupCurves, ...]
    pairs: tuple[SideBySide, ...]
    results: tuple[Shown, ...]
    notes: tuple[str, ...]
    at: float

    @property
    def order(self) -> list[int]:
        """Places of the systems, the least error where the page opens first."""
        by_least_area = [self.curves[place] for place in by_area(self.curves)]
        ranked = Curves(by_least_area, at=(self.at,)).ranked
        return [self.names.index(curve.system) for curve in ranked]


def explore(outcomes: Outcomes, wanted: ReportOptions) -> Explored:
    """Curves, comparisons, calibration, prices, scores and groups of outcomes.

    Raises
    ------
    InputError
        If there are no rows, or a system or a column is absent.
    """
    named = named_parts(outcomes)
    names, parts = zip(*named, strict=True)
    rates = tuple(dict.fromkeys((wanted.at, *RATES)))
    curves = Curves(
        (named_curve(*pair) for pair in named),
        at=rates,
        common=items_in_common(parts),
        by_judge=wanted.gold is not None,
    )
    notes: list[str] = []
    pairs = _pairs(dict(named), curves, wanted, notes)
    groups = tuple(_groups(outcomes, names, wanted.by, notes))
    best = sorted(by_area(curves)[:_FEW])  # in the order of the page, as all else
    at = ("--at", ",".join(f"{rate:g}" for rate in rates))
    gold = wanted.gold
    listed = [Shown(pair, pair.command) for pair in pairs]
    listed += [Shown(curves, ("curve", *at)), *_wholes(outcomes, rates, at)]
    if gold is not None:
        words = ("curve", "--gold", gold)
        listed += [Shown(one, words) for one in _corrected(named, gold, notes)]
    named_scores = [word for name in NAMED_SCORES for word in ("--score", name)]
    scores = score(outcomes, named=NAMED_SCORES)
    listed.append(Shown(scores, ("score", *named_scores)))
    if not all(curve.gave_nothing for curve in curves):
        listed.append(Shown(price_list(curves), ("choose", "--prices")))
    if calibrations := _calibrations([parts[i] for i in best]):
        listed.append(Shown(calibrations, ("curve", "--calibration")))
    contrasts = Contrasts(contrast(curves[i]) for i in best)
    listed.append(Shown(contrasts, ("curve", "--contrast")))
    for column in dict.fromkeys(group.column for group in groups):
        cut = [c for group in groups if group.column == column for c in group.curves]
        grouped = GroupedCurves(filter(None, cut), at=(wanted.at,))
        command = ("curve", "--by", column, "--at", f"{wanted.at:g}")
        listed.append(Shown(grouped, command))
    if len(curves) > _FEW:
        notes.append(
            f"calibration and the curves of other fields are shown for the {_FEW} "
            "systems of least area"
        )
    return Explored(
        names=names,
        parts=parts,
        curves=curves,
        groups=groups,
        pairs=tuple(pairs),
        results=tuple(listed),
        notes=tuple(dict.fromkeys(notes)),
        at=wanted.at if wanted.opens is None else wanted.opens,
    )


def _corrected(
    named: Sequence[tuple[str, Outcomes]], gold: str, notes: list[str]
) -> list[CorrectedCurve]:
    """The corrected curve of each system; why there is none is noted."""
    corrected = []
    for name, part in named[:_FEW]:
        try:
            corrected.append(replace(corrected_curve(part, gold), system=name))
        except UndefinedRate as why:
            notes.append(f"{name or 'the system'}: {why}")
    return corrected


def _wholes(
    outcomes: Outcomes, rates: Sequence[float], at: Sequence[str]
) -> list[Shown]:
    """The curves of wholes, where answers are made of parts."""
    if outcomes.part is None:
        return []
    from demur.wholes.counting_wholes import whole_curve_by

    return [Shown(whole_curve_by(outcomes, at=rates), ("curve", *at))]


def by_area(curves: Sequence[Curve]) -> list[int]:
    """Places of the curves from the least area upwards.

    Systems without a curve follow, by what wrong and missing answers cost at 2 to 1;
    last those that answered nothing because something failed.
    """

    def rank(place: int) -> tuple[bool, bool, float]:
        curve = curves[place]
        if curve.ladder is not None:
            return False, False, curve.area().high
        decided = curve.operating_point
        return True, curve.gave_nothing, 2 * decided.bounds[1] + decided.nonreturn

    return sorted(range(len(curves)), key=rank)


def _pairs(
    parts: dict[str, Outcomes],
    curves: Sequence[Curve],
    wanted: ReportOptions,
    notes: list[str],
) -> list[SideBySide]:
    """The wanted comparisons; what cannot be compared is noted."""
    for name in (*(n for pair in wanted.pairs for n in pair), wanted.against):
        if name is not None and name not in parts:
            known = ", ".join(list(parts)[:5])
            need, hint = (
                f"be a system; known: {known}",
                "Check the names to compare, and against which.",
            )
            raise InputError("report", "compare", need, shown(name), hint)
    asked = list(wanted.pairs)
    if wanted.against is not None:
        asked += [(wanted.against, name) for name in parts if name != wanted.against]
    given = bool(asked)
    if not asked and len(parts) > 1:
        first, second = by_area(curves)[:2]
        asked = [(curves[first].system, curves[second].system)]
    compared = []
    for a, b in asked:
        try:
            pair = _side_by_side(parts[a], parts[b], wanted, notes)
            picked = 0 if given or len(parts) == 2 else len(parts)
            compared.append(replace(pair, picked_of=picked))
        except InputError as problem:
            if given:
                raise
            notes.append(f"{a} and {b} are not compared: {problem}")
    return compared


def _side_by_side(
    a: Outcomes, b: Outcomes, wanted: ReportOptions, notes: list[str]
) -> SideBySide:
    try:
        comparison = compare(a, b, at=wanted.at, items="common", gold=wanted.gold)
    except UndefinedRate as why:
        notes.append(f"{a.systems[0]} and {b.systems[0]}: {why}")
        comparison = compare(a, b, at=wanted.at, items="common")
    if comparison.linear is None:
        return SideBySide(comparison)
    both, _ = paired([a, b], items="common")
    with suppress(UndefinedRate):  # too few items: the comparison says so
        bands = tuple(band(part, method="sup-t") for part in both)
        return SideBySide(comparison, difference_band(*both), bands)
    return SideBySide(comparison)


def _calibrations(parts: Sequence[Outcomes]) -> Calibrations:
    listed = [calibration for part in parts for calibration in calibration_by(part)]
    return Calibrations(one for one in listed if one.reliability is not None)


def _groups(
    outcomes: Outcomes, names: Sequence[str], columns: Sequence[str], notes: list[str]
) -> list[GroupCurves]:
    """The curves of each value of each column; of the most frequent, if many."""
    listed = []
    for column in columns:
        values = list(outcomes.parts([column]))
        by_size = sorted(range(len(values)), key=lambda i: -len(values[i][1]))
        kept = sorted(by_size[:MOST_GROUPS])
        if len(kept) < len(values):
            notes.append(
                f"{column} has {len(values)} values; the {len(kept)} with the most "
                "rows have curves"
            )
        for (value,), rows in (values[i] for i in kept):
            named = dict(named_parts(rows))
            group = {column: NO_VALUE if value is None else value}
            curves = tuple(
                named_curve(part_name(name, group), named[name], group)
                if name in named
                else None
                for name in names
            )
            listed.append(GroupCurves(column, group[column], curves))
    return listed
