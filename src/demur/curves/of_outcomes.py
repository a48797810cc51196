"""The public verbs that turn outcomes into curves."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

import numpy as np

from demur import checks
from demur.curves.counted_outcomes import CountedOutcomes
from demur.curves.curve_kinds import CURVE_KINDS
from demur.curves.curves import USUAL, Curve, build_curve
from demur.curves.rates import Point, curves_table
from demur.errors import InputError
from demur.outcomes.fields import PARTS_NOTE, UNANSWERED, in_parts
from demur.outcomes.labelling import check_all_rows, wide_note
from demur.outcomes.reasons import with_failures
from demur.outcomes.table import (
    EVERY_GUESS,
    Outcomes,
    check_outcomes,
    grouped_parts,
    part_name,
)
from demur.results import (
    Contender,
    FigureKind,
    Results,
    Standings,
    Table,
    exactly,
    shared_recipe,
)
from demur.results.several import NO_COMMON_ITEM, common_items, items_note

if TYPE_CHECKING:
    from demur.curves.counted import Counts

FOLD = "fold"
"""The column that says which of several separately fitted models has answered."""

BOUNDS_NOTE: Final = (
    "a to b: the bounds that items without a guess and ungraded items leave"
)
FEW: Final = 30
"""Of fewer items nothing is said to be likely."""


def error_return(outcomes: Outcomes | CountedOutcomes) -> Curve:
    """Error against nonreturn, as the cutoff on confidence rises.

    Items with equal confidences leave together, so row order never matters.

    Parameters
    ----------
    outcomes : Outcomes, n_items rows
        Judged responses of one system; confidence on any monotone scale, higher
        means surer.

    Returns
    -------
    Curve
        Vertices from forced choice to silence. ``nonreturn``: not answered /
        n_items. ``error``: wrong answers / n_items.

    Raises
    ------
    InputError
        If there are no rows, or rows of several systems or settings.

    References
    ----------
    R. Artstein (2011), "Error Return Plots", section 3.

    Examples
    --------
    The case "G1" of the test suite: ten answers, four of them wrong, with ties.

    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     confidence=[0.95, 0.9, 0.9, 0.8, 0.7, 0.7, 0.7, 0.4, 0.3, 0.1],
    ...     correct=[1, 1, 0, 1, 1, 0, 1, 0, 1, 0])
    >>> curve = demur.error_return(outcomes)
    >>> curve.error
    array([0.4, 0.3, 0.3, 0.2, 0.1, 0.1, 0. , 0. ])
    >>> curve.at(nonreturn=0.2).error
    0.3
    >>> curve.area().value
    0.155
    """
    if not isinstance(outcomes, Outcomes):
        return counted_alone("error_return", outcomes)
    parts = grouped_parts(outcomes)
    if len(parts) > 1:
        hint = "demur.curve_by gives one for each."
        raise not_alone("error_return", parts, hint)
    system, group, part = parts[0]
    return named_curve(part_name(system, group), part, group)


def counted_alone(where: str, outcomes: object, *, areas: bool = True) -> Curve:
    """The curve of counted outcomes that are of one system, as `counted_curves`."""
    if not isinstance(outcomes, CountedOutcomes):
        check_outcomes(where, outcomes)
    given = cast(CountedOutcomes, outcomes)
    curves = counted_curves(given, areas=areas)
    if given.system is not None:
        return curves[given.system]
    if len(curves) > 1:
        parts = [(curve.system_alone, curve.group) for curve in curves]
        raise not_alone(where, parts, "demur.curve_by gives one for each.")
    return curves[0]


def alone_part(where: str, outcomes: CountedOutcomes) -> int:
    """Which part counted outcomes are, if they are of one system."""
    counts = outcomes.counts()
    if len(counts.parts) > 1 and outcomes.system is None:
        parts = [(its.system, its.group) for its in counts.parts]
        raise not_alone(where, parts, "Take each of CountedOutcomes.systems().")
    return outcomes.system or 0


def counted_curves(
    outcomes: CountedOutcomes,
    by: Sequence[str] = (),
    look_ups: Sequence[Any] = (),
    *,
    areas: bool = True,
) -> list[Curve]:
    """A curve for each system, setting and group, with the look-ups made exact.

    Parameters
    ----------
    outcomes : CountedOutcomes
        Of any number of systems.
    by : sequence of str
        As for `curve_by`.
    look_ups : sequence of mapping
        Arguments of `Curve.at` that will be asked for: counted again all at once.
    areas : bool
        Whether bounds of areas are to be close.
    """
    from demur.curves.counted_curves import (
        areas_settled,
        block_notes,
        look_ups_settled,
    )

    counts = outcomes.counts(by)
    if areas:
        areas_settled(counts)
    if look_ups:
        look_ups_settled(counts, dict.fromkeys(range(len(counts.parts)), look_ups))
    return [
        counted_curve(counts, number, block_notes(counts, number))
        for number in range(len(counts.parts))
    ]


def counted_curve(counts: "Counts", part: int, also: Sequence[str] = ()) -> Curve:
    """The curve of one part as its blocks are now, with where it comes from.

    Parameters
    ----------
    counts : Counts
        What is counted.
    part : int
        Which part of it.
    also : sequence of str
        Further notes.
    """
    from demur.curves.counted_curves import curve_of

    its, engine = counts.parts[part], counts.engine
    cut = {"group": ", ".join(map(" = ".join, its.group.items()))} if its.group else {}
    return curve_of(
        counts,
        part,
        system=part_name(its.system, its.group),
        recipe={**engine.recipe, **cut, **_MADE, "items": str(its.totals.items)},
        notes=(*engine.notes, *its.notes, *also),
    )


def not_alone(where: str, parts: Sequence[Any], hint: str) -> InputError:
    """The error of outcomes that are of several systems or settings."""
    names = ", ".join(part_name(*named[:2]) for named in parts[:5])
    got = f"{len(parts)} ({names}{', ...' if len(parts) > 5 else ''})"
    need = "be of one system and setting"
    return InputError(where, "outcomes", need, got, hint)


class Curves(Results[Curve]):
    """Curves of several systems or groups, shown as one table, the least error first.

    Parameters
    ----------
    curves : iterable of Curve
        In the order in which they are listed.
    at : sequence of float
        Nonreturn rates whose errors are shown; the first one ranks.
    how : {"linear", "at_most", "at_least"}
        How they are read, as for `Curve.at`.
    common : int or None
        How many items all have in common, where not all have the same: see
        `items_in_common`.
    by_judge : bool
        Whether the verdicts are those of a judge whom people's verdicts correct.
    """

    KINDS: ClassVar[tuple[FigureKind, ...]] = CURVE_KINDS

    at: tuple[float, ...] = (USUAL,)
    how: str = "linear"
    common: int | None = None
    by_judge: bool = False

    @property
    def groups(self) -> tuple[str, ...]:
        """The columns by which the items were cut."""
        return tuple(self[0].group) if self else ()

    @property
    def ranked(self) -> tuple[Curve, ...]:
        """By the greatest possible error at the first rate; last those without one."""
        return tuple(sorted(self, key=self._worst))

    def _worst(self, curve: Curve) -> tuple[float, float]:
        """The greatest error at the first rate, then the least one."""
        low, high = self._bounds(curve)
        return high, low

    def _bounds(self, curve: Curve) -> tuple[float, float]:
        """What the error at the first rate can be; infinite for one without a curve."""
        point = curve.look_up(self.at[0], self.how)
        return (math.inf, math.inf) if point is None else point.bounds

    def _inside(self, curve: Curve) -> bool:
        """Whether the first rate is inside of a block that nobody can count again."""
        point = curve.look_up(self.at[0], self.how)
        return point is not None and point.error is None and self.at[0] >= curve.start

    def sentence(self) -> str:
        """Who errs least at the first rate, by how much, and how far luck goes."""
        text = in_parts(self._answer(), self[0].notes)
        text = f"By the judge alone: {text}" if self.by_judge else text
        failed = {curve.system: (curve.failed, curve.items) for curve in self}
        return with_failures(failed, text) if any(c.failed for c in self) else text

    def _answer(self) -> str:
        if len(self) == 1:
            return self[0].answer(self.at[0], self.how)
        where = f"At nonreturn {self.at[0]:g}"
        shown = [curve for curve in self.ranked if curve.ladder is not None]
        rest = _without_curve([curve for curve in self if curve.ladder is None])
        if not shown and all(curve.gave_nothing for curve in self):
            return "No system answered anything."
        if not shown:
            return (
                "No system gives confidences, so there is no error at nonreturn "
                f"{self.at[0]:g}; what each declines by itself stands below."
            )
        if len(shown) == 1:
            first = shown[0].answer(self.at[0], self.how)
            return f"{first}{rest}"
        standings = [Contender(curve.system, *self._bounds(curve)) for curve in shown]
        if any(name != "setting" for name in self.groups):
            text = _groups_text(standings)
        elif self.common == 0:
            text = Standings(standings).listed("{} errs on {} of its items", "{} on {}")
            return f"{NO_COMMON_ITEM}: {where[0].lower()}{where[1:]} {text}.{rest}"
        else:
            text = self._ranked_text(Standings(standings), shown)
        return f"{where} {text}{rest}"

    def _ranked_text(self, ranking: Standings, shown: Sequence[Curve]) -> str:
        who = ranking.who("errs least", "err least", "the least error")
        inside = any(map(self._inside, shown))
        if not ranking.known:
            rivals = ranking.rivals_text("{} errs on {} of all items", "{} on {}")
            open_ = "missing guesses and ungraded items"
            open_ = f"the insides of blocks, {open_}" if inside else open_
            return f"{who}: {rivals}, as {open_} are."
        if len(ranking.best) > 1:
            return f"{who}, each on {ranking.value} of all items."
        start = f"{who}, on {ranking.value} of all items{ranking.follows()}"
        next_ = ranking.next_
        if next_.known and self.common is None and not inside:
            more = (next_.best[0].low or 0.0) - (ranking.best[0].low or 0.0)
            start += _apart(shown[0], more)
        if self.common is not None:
            return f"{start}. {DIFFERENT_ITEMS.format(self.common)}"
        return f"{start}. {_luck(self)}"

    def tables(self) -> tuple[Table]:
        """A row for each curve, the least error first."""
        rows = [curve.row(self.at, self.how) for curve in self.ranked]
        decides = any(curve.decides for curve in self)
        table = curves_table(rows, self.groups, self.at, self.how, decides=decides)
        return (table,)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know, and why items were not answered."""
        kinds = (
            f"not answered, {curve.system or 'by kind'}: "
            + ", ".join(f"{kind} {n}" for kind, n in sorted(curve.kinds.items()))
            for curve in self
            if curve.kinds
        )
        unknown = any(curve.totals.no_guess or curve.totals.ungraded for curve in self)
        items = items_note(self.common, "who errs least")
        further = (*((BOUNDS_NOTE,) if unknown else ()), *([items] if items else []))
        if any(curve.operating_point.nonreturn != curve.start for curve in self):
            further = (*further, EVERY_GUESS)
        return (*super().notes, *kinds, *further)

    @property
    def recipe(self) -> dict[str, str]:
        """What is common to all of them, and what was read off."""
        shared = shared_recipe(self)
        if self.groups:
            shared["by"] = ", ".join(self.groups)
        if (self.at, self.how) != ((USUAL,), "linear"):
            shared |= {
                "at": ",".join(map(exactly, self.at)),
                "read": self.how,
            }
        return shared

    def to_dict(self, *, points: str = "all") -> dict[str, Any]:
        """All curves as plain values for JSON, with the errors that were asked for.

        Parameters
        ----------
        points : {"all", "corners", "none"}
            Which vertices to list.
        """
        systems = []
        for curve in self:
            looked = [_at(curve, rate, self.how) for rate in self.at]
            systems.append(curve.to_dict(points=points) | {"at": looked})
        return {"systems": systems}


DIFFERENT_ITEMS: Final = (
    "But the systems' items differ, {} are common to all: demur compare --items common "
    "compares on those."
)
"""What stands behind a ranking of systems that have only some items in common."""


def items_in_common(parts: Iterable[Outcomes]) -> int | None:
    """How many items all parts have in common; None if all have the same."""
    return common_items([part.item.tolist() for part in parts])


def _groups_text(standings: Sequence[Contender]) -> str:
    """In which group the error is least, and in which it is greatest."""
    least, most = Standings(standings), Standings(standings, better="higher")
    last = "; groups have different items."
    if not (least.known and most.known):
        which, ranking = ("least", least) if not least.known else ("greatest", most)
        rivals = ranking.rivals_text("{} has {} of all items", "{} {}")
        return f"where the error is {which} is not known: {rivals}{last}"
    if len(least.best) == len(standings):
        return f"the error is the same for all, {least.value} of all items{last}"
    return (
        f"the error is least for {least.names(GROUPS)} ({least.value} of all items) "
        f"and greatest for {most.names(GROUPS)} ({most.value}){last}"
    )


GROUPS: Final = "groups"


def _without_curve(curves: Sequence[Curve]) -> str:
    """Sentences about systems without confidences, or answers, if there are any."""
    text = ""
    for why in ("gives no confidences", "answered nothing"):
        nothing = why == "answered nothing"
        systems = [c.system for c in curves if c.gave_nothing == nothing]
        if len(systems) == 1:
            text += f" {systems[0] or 'One'} {why}, so it has no curve."
        elif systems:
            words = why.replace("gives", "give")
            text += f" {len(systems)} systems {words}, so they have no curve."
    return text


def _apart(curve: Curve, more: float) -> str:
    """How many items a difference is, where each weighs 1 and is right or not."""
    total = curve.totals
    if total.weight != total.items or total.credit != total.right:
        return ""
    n = round(more * total.items)
    items = f"{n} item{'s' * (n > 1)}" if n else "less than one item"
    return f", {items} more of {total.items}"


def _luck(curves: Curves) -> str:
    few = min(curve.items for curve in curves)
    if few < FEW:
        return f"With only {few} items luck may be all of it; demur compare tests that."
    return "Whether that is luck is for demur compare to say."


def _at(curve: Curve, rate: float, how: str) -> dict[str, Any]:
    """A look-up as plain values; all but the rate is unknown without a curve."""
    point = curve.look_up(rate, how)
    if point is not None:
        return {"wanted": rate} | point.to_dict()
    unknown = dict.fromkeys(("error", "cutoff", "between", "bounds"))
    return {"wanted": rate, "nonreturn": rate, "how": how, **unknown}


@checks.renamed(groups="by")
def curve_by(
    outcomes: Outcomes | CountedOutcomes, *, by: str | Sequence[str] = ()
) -> Curves:
    """One curve for each system, setting and value of the named columns.

    Parameters
    ----------
    outcomes : Outcomes
        Judged responses of any number of systems.
    by : str or sequence of str
        Columns whose values cut the items into groups.

    Returns
    -------
    Curves
        A tuple in order of appearance; ``curve.system`` names the part, such as
        ``"a, topic = history"``, and ``curve.group`` has the values by column.

    Raises
    ------
    InputError
        If there are no rows, or a column is absent.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["q1", "q2", "q1", "q2"], system=["a", "a", "b", "b"],
    ...     correct=[True, False, True, True], confidence=[0.9, 0.4, 0.8, 0.7])
    >>> curves = demur.curve_by(outcomes)
    >>> [(curve.system, curve.area().value) for curve in curves]
    [('a', 0.125), ('b', 0.0)]
    >>> curves.sentence().partition(";")[0]
    'At nonreturn 0.2 b errs least, on 0.000 of all items'
    """
    groups = checks.names("curve_by", "by", by)
    if isinstance(outcomes, CountedOutcomes):
        common = None if groups else outcomes.common
        return Curves(counted_curves(outcomes, groups), common=common)
    check_outcomes("curve_by", outcomes)
    parts = grouped_parts(outcomes, groups=groups)
    return Curves(
        (
            named_curve(part_name(system, group), part, group)
            for system, group, part in parts
        ),
        common=None if groups else items_in_common(part for *_, part in parts),
    )


def pooling_note(outcomes: Outcomes) -> str | None:
    """What to say of a curve whose outcomes have a column ``fold``; None if nothing.

    It looks at no confidence, and so costs nothing; `demur.check_pooled` does.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     correct=[1, 0], confidence=[0.9, 0.2], groups={"fold": [1, 2]})
    >>> pooling_note(outcomes)[:37]
    'confidences of 2 folds are pooled; th'
    """
    if FOLD not in outcomes.groups or outcomes.confidence is None:
        return None
    folds = len(set(outcomes.groups[FOLD].tolist()))
    if folds < 2:
        return None
    return (
        f"confidences of {folds} folds are pooled; those of separately fitted models "
        "are not on one scale: check_pooled (--fold) says what that costs, the average "
        "of the folds' curves and rank_normalised avoid it"
    )


def named_curve(
    name: str, part: Outcomes, group: Mapping[str, str] | None = None
) -> Curve:
    """The curve of one of the `named_parts`, or of the `grouped_parts`."""
    left_open = ""
    if part.label_weight is not None or part.reason_code is not None:
        check_all_rows("error_return", part)
        left_open = wide_note(part)
    confidence = part.confidence
    if confidence is not None and confidence[0] != confidence[0]:  # else not all NaN
        confidence = None if np.isnan(confidence).all() else confidence
    note, group = pooling_note(part), group or {}
    of_parts = PARTS_NOTE if part.part is not None else None
    cut = {"group": ", ".join(map(" = ".join, group.items()))} if group else {}
    return build_curve(
        part.outcome.codes,
        confidence=confidence,
        credit=part.credit,
        weight=part.weight,
        answerable=part.answerable,
        declined=part.declined,
        system=name,
        recipe={**part.recipe, **cut, **_MADE, "items": str(len(part))},
        notes=(*part.notes, *filter(None, [note, left_open, of_parts])),
        **_why_silent(part),
        group=group,
    )


_MADE: Final[Mapping[str, str]] = {"ties": "together", "area": "linear"}


def origin_of(curve: Curve) -> dict[str, str]:
    """Where the outcomes of a curve come from: its recipe without its own entries."""
    here = (*_MADE, "group", "items")
    return {name: value for name, value in curve.recipe.items() if name not in here}


def _why_silent(part: Outcomes) -> dict[str, Any]:
    """Kinds of what was not answered, or declined, and how many items failed."""
    if part.kind is None and part.reason_code is None:
        return {}
    kinds = Counter[str]()
    if part.kind is not None:
        silent = part.outcome == UNANSWERED
        silent = silent if part.declined is None else silent | part.declined
        kinds.update(filter(None, part.kind[silent].tolist()))
    return {"kinds": dict(kinds), "failed": int(part.failed.sum())}


def point_at(curve: Curve, at: float) -> Point | None:
    """The point at a nonreturn; None without a curve there."""
    if curve.ladder is None:
        return None
    point = curve.at(nonreturn=at)
    return None if point.error is None else point


def curve_notes(curves: Sequence[Curve], at: float) -> list[str]:
    """What is said of two curves, and of where they begin."""
    notes = list(dict.fromkeys(note for curve in curves for note in curve.notes))
    unclear = [str(curve.totals.ungraded) for curve in curves]
    if any(curve.totals.ungraded for curve in curves):
        notes.append(
            f"ungraded answers ({' and '.join(unclear)}) are taken for right in "
            "errors, differences and regions, with bounds for whatever they are, and "
            "for wrong in costs"
        )
    for curve, name in zip(curves, "ab", strict=True):
        if curve.ladder is None:
            notes.append(
                f"{curve.system or name} gives no confidences: the systems are "
                "compared at their own operating points only"
            )
        elif at < curve.start:
            notes.append(
                f"the curve of {curve.system or name} begins at nonreturn "
                f"{curve.start:g}, right of {at:g}: no test there"
            )
    return notes
