"""The verb that scores: right, wrong and not answered, weighed, per system and group.

It looks at what a system decided itself to answer, not at its confidences; where a
cutoff on them should be is the business of `demur.curve_by` and `demur.choose`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any, Final, cast

import numpy as np

from demur import checks
from demur.arrays import Flags
from demur.checks import check_recipe, choice, names_shown
from demur.comparisons.geometry import compare_points
from demur.comparisons.pricing import price_list
from demur.comparisons.score_results import BestRange, Exchange, Scores, group_label
from demur.comparisons.scored_cells import UNLABELLED, Cell, ScoredCells, score_of
from demur.comparisons.selective_scores import (
    Decisions,
    SelectiveScore,
    named_score,
)
from demur.comparisons.system_scores import Score
from demur.comparisons.weighted_errors import (
    USUAL,
    Decided,
    check_weights,
)
from demur.curves.counted_outcomes import CountedOutcomes
from demur.curves.counting import ItemKinds
from demur.curves.curves import Curve
from demur.curves.of_outcomes import named_curve
from demur.decisions.choice_tables import NEVER
from demur.decisions.linear_scores import LinearScore
from demur.errors import InputError, shown
from demur.outcomes.fields import PARTS_NOTE, RIGHT, RULE_COLUMN, UNANSWERED, UNGRADED
from demur.outcomes.labelling import check_verdicts
from demur.outcomes.parts import check_rows, named_parts, sample_of
from demur.outcomes.reasons import BOTH_EMPTY
from demur.outcomes.table import NO_VALUE, Outcomes
from demur.outcomes.values import json_or_text
from demur.results import exactly
from demur.statistics.intervals import REPLICATES
from demur.statistics.units import FEWEST_UNITS

_SAME = 1e-9  # weights that differ by less, in proportion, are one


MOST_IN_PAIRS: Final = 50
_FEW_PAIRS: Final = (
    f"more than {MOST_IN_PAIRS} systems: places are compared only among those that "
    "are best at some weight"
)


def score(  # noqa: PLR0913
    outcomes: Outcomes | CountedOutcomes,
    *,
    by: str | Sequence[str] = (),
    weights: Sequence[float] = (USUAL,),
    named: Sequence[str] = (),
    leave_out: Mapping[str, str | Sequence[str]] | None = None,
    level: float = 0.95,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Scores:
    """Right, wrong and not answered per system and group, and the weighted error.

    The weighted error is ``weight * error + nonreturn``; the score of the evaluations
    of 1991 is 1 less it, from -1 to 1 at weight 2. Ungraded answers leave a low and a
    high bound; who is better at which weight goes by the high one.

    Parameters
    ----------
    outcomes : Outcomes or CountedOutcomes
        Judged responses of any number of systems.
    by : str or sequence of str
        Columns whose values are the groups, such as "class".
    weights : sequence of float
        What a wrong answer costs, if an answer not given costs 1.
    named : sequence of str
        Further scores by name, such as ``"omniscience-index"`` or
        ``"reliability-score(c=10)"`` (see `demur.linear_score`), ``"prr"`` or
        ``"c@1"``; all stand in the documentation ("Scores by name").
    leave_out : mapping of column to value or values, optional
        Rows that are not scored, even if answered, such as ``{"class": "X"}``.
    level : float
        Of the intervals.
    replicates, seed : int
        Of the bootstrap over items, or over clusters where there are clusters.

    Returns
    -------
    Scores

    Raises
    ------
    InputError
        If there are no rows, a column is absent, or no row has a value to leave out;
        of counted outcomes, if something is asked for that takes rows in memory.

    References
    ----------
    Bates, Boisen and Makhoul (1990), "Developing an Evaluation Methodology for Spoken
    Language Systems", section 4.7, which leaves the weight open; DARPA Speech and
    Natural Language Workshop 1992 for weight 2 and the left-out class X.

    Examples
    --------
    Two systems with the counts published in 1992. The second answers a little more:

    >>> import demur
    >>> correct = [1] * 331 + [0] * 102 + [None] * 254
    >>> correct += [1] * 322 + [0] * 128 + [None] * 237
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=[*range(687)] * 2, system=["NL"] * 687 + ["SLS"] * 687,
    ...     correct=correct)
    >>> scores = demur.score(outcomes)
    >>> [(each.system, round(each.weighted[0].low, 3)) for each in scores.scores]
    [('NL', 0.667), ('SLS', 0.718)]
    >>> scores.exchanges[0].weight, scores.exchanges[0].below
    (0.6538461538461539, 'SLS')
    """
    by = checks.names("score", "by", by)
    weights = checks.listed("score", "weights", weights)
    named = checks.names("score", "named", named)
    leave_out = _checked({} if leave_out is None else leave_out)
    checks.whole("score", "replicates", replicates, 1)
    checks.whole("score", "seed", seed)
    check_weights("score", weights)
    check_recipe("score", level, replicates)
    wanted = [named_score(text) for text in named]
    read = _read(outcomes, by, wanted, leave_out)
    scores = [
        score_of(cell, weights, wanted, (level, replicates, seed))
        for cell in sorted(read.cells, key=_order(read.cells))
    ]
    exchanges, best, remarks = _places(read.cells)
    remarks += _few_units(sorted(read.cells, key=_order(read.cells)), read.drawn)
    how = f", {replicates}, seed {seed}"
    recipe = {
        **outcomes.recipe,
        **({"by": "+".join(by)} if by else {}),
        **{name: ",".join(values) for name, values in _asked(leave_out)},
        "weights": ",".join(map(exactly, weights)),
        **({"scores": ",".join(named)} if named else {}),
        "level": f"{float(level)}",
        "intervals": f"bootstrap of {read.drawn}{how}",
        "items": read.items,
    }
    return Scores(
        scores=tuple(scores),
        exchanges=tuple(exchanges),
        best=tuple(best),
        by=tuple(by),
        level=float(level),
        left_out=read.left_out,
        notes=(*read.notes, *_remarks(scores), *remarks, *read.more),
        recipe=recipe,
        outcomes=read.kept,
    )


def _floor(outcomes: Outcomes) -> Iterator[str]:
    """What one answer to all items gets, unless whoever judged them has said it."""
    known = outcomes.groups.get("right_constant")
    if outcomes.reference is None and known is None:
        return
    from demur.answers.floors import BEGINS, floor_note, values_called

    names: dict[str, set[str]] = {}
    if any(note.startswith(BEGINS) for note in outcomes.notes):
        return
    items = outcomes.item.tolist()
    if known is not None:
        listed = ({*map(str, _constants(value))} for value in known)
        names = dict(zip(items, listed, strict=True))
    elif outcomes.reference is not None:
        values = outcomes.reference
        unknown = np.array([value is None for value in values])
        if outcomes.answerable is not None:
            unknown &= outcomes.answerable
        if unknown.any():
            return
        called = (values_called(_listed(value)) for value in values)
        names = dict(zip(items, called, strict=True))
    databases = outcomes.groups.get("db", ())
    of = dict(zip(items, map(str, databases), strict=False))
    if note := floor_note(names.values(), of.values()):
        yield note


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _constants(value: Any) -> list[Any]:
    """Those of a row; several come from a file as the text of a list."""
    several = isinstance(value, str) and value.startswith("[")
    return _listed(json_or_text(value) if several else value)


def _checked(
    leave_out: Mapping[str, str | Sequence[str]],
) -> Mapping[str, str | Sequence[str]]:
    checks.mapping("score", "leave_out", leave_out)
    for name, values in leave_out.items():
        checks.names("score", f"leave_out of {name}", values)
    return leave_out


# -- what is not scored --------------------------------------------------------------


def _asked(
    leave_out: Mapping[str, str | Sequence[str]],
) -> Iterator[tuple[str, list[str]]]:
    for column, values in leave_out.items():
        listed = [values] if isinstance(values, str) else [str(one) for one in values]
        yield f"without {column}", listed


def scored_rows(
    outcomes: Outcomes, leave_out: Mapping[str, str | Sequence[str]]
) -> tuple[Outcomes, list[str]]:
    """The rows that are scored, and what is said of the others.

    Parameters
    ----------
    outcomes : Outcomes
        Of any number of systems.
    leave_out : mapping of column to value or values
        As for `score`.

    Raises
    ------
    InputError
        If a column or value is absent, or nothing is left.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=[1, 2], outcome=["right", "wrong"], groups={"class": ["A", "X"]})
    >>> kept, notes = scored_rows(outcomes, {"class": "X"})
    >>> len(kept), notes
    (1, ['1 item with class=X not scored, even where answered (the system 1)'])
    """
    notes = []
    keep = np.ones(len(outcomes), bool)
    for column, (_, values) in zip(leave_out, _asked(leave_out), strict=True):
        held = [_compared_text(value) for value in outcomes.column(column).tolist()]
        for value in values:
            chosen = np.fromiter((text == value for text in held), bool, len(held))
            if not chosen.any():
                _refuse(column, value, held)
            notes.append(_left_out_note(outcomes, chosen, f"{column}={value}"))
            keep &= ~chosen
    if not keep.any():
        got = "none: everything was left out" if len(outcomes) else "none"
        raise InputError("score", "outcomes", "hold at least one row", got)
    return (outcomes if keep.all() else outcomes.take(keep)), notes


def _compared_text(value: Any) -> str:
    """A value as compared: text; booleans as JSON writes them, nothing as no text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None or value != value else str(value)


def _refuse(column: str, value: str, held: Iterable[str]) -> None:
    known = list(dict.fromkeys(held))
    if len(known) <= 20:
        choice("score: leave_out", column, value, known)
    need = f"hold {shown(value)}, which is to be left out"
    raise InputError("score", column, need, ", ".join(known[:5]) + ", ...")


def _left_out_note(outcomes: Outcomes, chosen: Flags, what: str) -> str:
    rows = outcomes.take(chosen)
    n_items = len(set(rows.item.tolist()))
    answered = rows.take(~_withheld(rows))
    text = f"{n_items} item{'' if n_items == 1 else 's'} with {what} not scored"
    if not len(answered):
        return text + ", none of them answered"
    counts = [
        f"{name or 'the system'} {len(part)}" for name, part in named_parts(answered)
    ]
    return f"{text}, even where answered ({', '.join(counts)})"


# -- one system, one group -----------------------------------------------------------


def _read(
    outcomes: Outcomes | CountedOutcomes,
    by: Sequence[str],
    wanted: Sequence[LinearScore | SelectiveScore],
    leave_out: Mapping[str, str | Sequence[str]],
) -> ScoredCells:
    """What is scored, from rows or from what an engine counts."""
    if isinstance(outcomes, CountedOutcomes):
        from demur.comparisons.counted_scores import counted_cells

        return counted_cells(outcomes, by, wanted, leave_out)
    check_rows("score", outcomes)
    kept, notes = scored_rows(outcomes, leave_out)
    if kept.repeat is not None:
        from demur.outcomes.repeated_keys import repeat_notes

        notes += repeat_notes(kept)
    notes += [PARTS_NOTE] if kept.part is not None else []
    check_verdicts("score", UNLABELLED, kept)
    sure = any(isinstance(score, SelectiveScore) for score in wanted)
    rows = kept if sure else replace(kept, confidence=None)
    parts = [*_parts(rows, by)]
    if RULE_COLUMN not in by:
        _check_rules(parts)
    return ScoredCells(
        cells=[_cell(*part, named=bool(wanted)) for part in parts],
        kept=kept,
        left_out=len(outcomes) - len(kept),
        drawn="items" if sample_of(kept).cluster is None else "clusters",
        items=str(len(set(kept.item.tolist()))),
        notes=tuple(dict.fromkeys((*outcomes.notes, *notes))),
        more=(*_one_bin(kept, wanted), *_floor(kept)),
    )


def _check_rules(parts: Iterable[tuple[str, Mapping[str, str], Outcomes]]) -> None:
    """Refuse to add up verdicts of one system under several rules of context."""
    for system, _, part in parts:
        if RULE_COLUMN not in part.groups:
            continue
        from demur.outcomes.context_rules import rules_in

        rules = rules_in(part.groups[RULE_COLUMN])
        if len(rules) > 1:
            what = f"the verdicts of {shown(system)}" if system else "the verdicts"
            need, got = "be under one rule of context", ", ".join(rules)
            hint = f"by={RULE_COLUMN} (--by {RULE_COLUMN}) tells them apart."
            raise InputError("score", what, need, got, hint)


def _few_units(cells: Iterable[Cell], what: str) -> Iterator[str]:
    """Of which groups there is no interval, and why."""
    few: dict[str, None] = {}
    for cell in cells:
        number = cell.decided.number
        units = len(cell.decided.sums) if number is None else int(number.sum())
        if units < FEWEST_UNITS:
            few[f"{group_label(cell.group)} ({units})"] = None
    if few:
        yield f"fewer than {FEWEST_UNITS} {what}, so no interval: {names_shown(few)}"


def _parts(
    outcomes: Outcomes, by: Sequence[str]
) -> Iterator[tuple[str, Mapping[str, str], Outcomes]]:
    for system, part in named_parts(outcomes):
        for values, rows in part.parts(by) if by else ():
            texts = [NO_VALUE if value is None else value for value in values]
            yield system, dict(zip(by, texts, strict=True)), rows
        yield system, {}, part


def _cell(
    system: str, group: Mapping[str, str], rows: Outcomes, *, named: bool
) -> Cell:
    plain = rows if rows.confidence is None else replace(rows, confidence=None)
    withheld, none = _withheld(rows), np.zeros(len(rows), bool)
    sample, unclear = sample_of(rows), (rows.outcome == UNGRADED) & ~withheld
    lost = np.where(withheld | unclear, 0.0, sample.loss)
    codes = rows.reason_code
    became = ItemKinds(
        outcome=rows.outcome.codes,
        given=~withheld,
        hopeless=none if rows.answerable is None else ~rows.answerable,
        both_empty=none if codes is None else codes == BOTH_EMPTY,
        times=np.ones(len(rows), np.int64),
    )
    return Cell(
        system=system,
        group=group,
        curve=named_curve(system, plain),
        became=became,
        decided=Decided(lost, unclear, withheld, sample.weight, sample.cluster).units,
        decisions=_decisions(rows, became) if named else None,
        same=partial(_keys, rows),
    )


def _order(cells: Iterable[Cell]) -> Any:
    met = dict.fromkeys(tuple(cell.group.items()) for cell in cells)
    place = {group: number for number, group in enumerate(met)}
    return lambda cell: (not cell.group, place[tuple(cell.group.items())])


def _withheld(rows: Outcomes) -> Flags:
    silent: Flags = rows.outcome == UNANSWERED
    return silent if rows.declined is None else silent | rows.declined


def _decisions(rows: Outcomes, became: ItemKinds) -> Decisions:
    """What became of each item, for named scores."""
    credit = np.ones(len(rows)) if rows.credit is None else rows.credit
    weight = rows.weight
    if weight is not None and (weight == weight[0]).all():
        weight = None
    return Decisions(
        guess=rows.outcome != UNANSWERED,
        given=became.given,
        ungraded=rows.outcome == UNGRADED,
        credit=np.where(rows.outcome == RIGHT, credit, 0.0),
        hopeless=became.hopeless,
        weight=weight,
        confidence=rows.confidence,
    )


# -- who is better at which weight ---------------------------------------------------


def _places(
    cells: Sequence[Cell],
) -> tuple[list[Exchange], list[BestRange], list[str]]:
    """Exchanges and best ranges per group; notes on groups that cannot be compared."""
    exchanges: list[Exchange] = []
    best: list[BestRange] = []
    notes: dict[str, None] = {}
    grouped: dict[tuple[Any, ...], list[Cell]] = {}
    for cell in sorted(cells, key=_order(cells)):
        grouped.setdefault(tuple(cell.group.items()), []).append(cell)
    for key, cells_there in grouped.items():
        rivals = [cell for cell in cells_there if not cell.curve.gave_nothing]
        if len(rivals) < 2:
            continue
        if len({cell.same() for cell in rivals}) > 1:
            name = group_label(dict(key))
            notes[f"{name}: systems not compared, because their items differ"] = None
            continue
        curves = [cell.curve for cell in rivals]
        ranges = list(_best(dict(key), curves))
        best += ranges
        pairs = combinations(curves, 2)
        if len(curves) > MOST_IN_PAIRS:
            pairs = combinations(_among(curves, ranges), 2)
            notes[_FEW_PAIRS] = None
        exchanges += [_exchange(dict(key), *pair) for pair in pairs]
    return exchanges, best, list(notes)


def _among(curves: Iterable[Curve], best: Iterable[BestRange]) -> list[Curve]:
    """The curves that are best at some weight."""
    names = {name for best_range in best for name in best_range.systems}
    return [curve for curve in curves if curve.system in names][:MOST_IN_PAIRS]


def _keys(rows: Outcomes) -> frozenset[Any]:
    repeat = [None] * len(rows) if rows.repeat is None else rows.repeat.tolist()
    return frozenset(zip(rows.item.tolist(), repeat, strict=True))


def _exchange(group: Mapping[str, str], a: Curve, b: Curve) -> Exchange:
    comparison = compare_points(a, b)
    (first, ea), (second, eb) = (
        (curve.operating_point.nonreturn, curve.operating_point.bounds[1])
        for curve in (a, b)
    )
    if comparison.change is None:
        gap = first + ea - second - eb  # of the same sign at every weight, or nothing
        better = None if abs(gap) < 1e-12 else a.system if gap < 0 else b.system
        return Exchange(group, a.system, b.system, None, better, better)
    below, above = (a.system, b.system) if first < second else (b.system, a.system)
    return Exchange(group, a.system, b.system, 1 / comparison.change, below, above)


def _best(group: Mapping[str, str], curves: Sequence[Curve]) -> Iterator[BestRange]:
    points = {
        curve.system: (curve.operating_point.nonreturn, curve.operating_point.bounds[1])
        for curve in curves
    }
    start = 0.0
    for price in price_list(curves):
        end = float("inf") if price.low == 0 else 1 / price.low
        if end <= start * (1 + _SAME):
            continue  # a range made by rounding: three systems meet in one point
        cheapest = (price.nonreturn, price.error)
        equal = tuple(name for name, place in points.items() if place == cheapest)
        equal = equal or (NEVER,)
        yield BestRange(group, start, end, equal)
        start = end


# -- what a reader must know ---------------------------------------------------------


def _remarks(scores: Iterable[Score]) -> Iterator[str]:
    whole = [score for score in scores if not score.group]
    if any(score.correct_declines for score in whole):
        counts = ", ".join(
            f"{score.system or 'the system'} {score.correct_declines}"
            for score in whole
        )
        yield (
            f"unanswerable items that were rightly not answered ({counts}) count as "
            "not answered; leave them out to score the answerable ones only"
        )
    undefined: dict[tuple[str, str], list[str]] = {}
    for score in whole:
        for named in score.named:
            if named.why_undefined and not score.gave_nothing:
                whose = undefined.setdefault((named.name, named.why_undefined), [])
                whose.append(score.system or "the system")
    for (name, why), whose in undefined.items():
        yield f"{name} is undefined of {names_shown(whose)}: {why}"


def _one_bin(
    outcomes: Outcomes, wanted: Sequence[LinearScore | SelectiveScore]
) -> Iterator[str]:
    """Systems with guesses for one bin alone."""
    for score in wanted:
        if not score.name.startswith("rms-calibration-error("):
            continue
        size = int(cast(SelectiveScore, score).parameter or 0)
        few = [
            system or "the system"
            for system, part in named_parts(outcomes)
            if 0 < np.sum(part.outcome != UNANSWERED) < 2 * size
        ]
        if few:
            yield (
                f"all guesses of {names_shown(few)} are one bin, so {score.name} is "
                "the difference of mean confidence and share right; name a smaller bin"
            )
