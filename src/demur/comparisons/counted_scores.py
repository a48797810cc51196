"""What is scored of outcomes that are counted where they lie, the same as of rows."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from demur.comparisons.scored_cells import UNLABELLED, Cell, ScoredCells
from demur.comparisons.selective_scores import Decisions, SelectiveScore, needs_rows
from demur.comparisons.weighted_errors import UnitSums
from demur.curves.counted import CountedPart, Counts
from demur.curves.counted_curves import own_decisions
from demur.curves.counted_outcomes import CountedOutcomes
from demur.curves.counted_units import value_of
from demur.curves.counting import ItemKinds
from demur.curves.curves import Curve
from demur.decisions.counted_checks import IN_MEMORY
from demur.decisions.linear_scores import LinearScore
from demur.errors import InputError, shown
from demur.outcomes.fields import RIGHT, UNANSWERED, UNGRADED
from demur.outcomes.table import part_name


def counted_cells(
    outcomes: CountedOutcomes,
    by: Sequence[str],
    wanted: Sequence[LinearScore | SelectiveScore],
    leave_out: Mapping[str, Any],
) -> ScoredCells:
    """The systems and groups that an engine counts, for `demur.score`.

    Parameters
    ----------
    outcomes : CountedOutcomes
        Of any number of systems.
    by : sequence of str
        Columns of groups.
    wanted : sequence of LinearScore or SelectiveScore
        The named scores.
    leave_out : mapping
        Which is refused: counted is what was selected.

    Raises
    ------
    InputError
        If something is asked for that takes rows in memory.
    """
    _check_asked(wanted, leave_out)
    whole, grouped = outcomes.counts(), outcomes.counts(by)
    same = _Items(outcomes)
    systems = range(len(whole.parts))
    if outcomes.system is not None:
        systems = range(outcomes.system, outcomes.system + 1)
    cells = []
    for system in map(whole.parts.__getitem__, systems):
        for place, its in enumerate(grouped.parts if by else ()):
            if (its.system, _setting(its)) == (system.system, _setting(system)):
                group = {name: its.group.get(name, its.system) for name in by}
                cells.append(_cell(grouped, place, group, wanted, same))
    cells += [_cell(whole, place, {}, wanted, same) for place in systems]
    sizes = [whole.parts[place].totals.items for place in systems]
    notes = dict.fromkeys(note for one in systems for note in whole.parts[one].notes)
    return ScoredCells(
        cells=cells,
        kept=outcomes,
        left_out=0,
        drawn="clusters" if any(whole.clusters) else "items",
        items=_items_of(outcomes, sizes),
        notes=(*outcomes.notes, *notes),
        more=(),
    )


def _items_of(outcomes: CountedOutcomes, sizes: Sequence[int]) -> str:
    """How many different items there are; of three systems between which numbers."""
    if len(sizes) == 1 or outcomes.common is None:
        return str(sizes[0])
    if len(sizes) == 2:
        return str(sum(sizes) - outcomes.common)
    return f"{max(sizes)} to {sum(sizes)}"


def _check_asked(
    wanted: Sequence[LinearScore | SelectiveScore], leave_out: Mapping[str, Any]
) -> None:
    """Refuse what counts do not tell, before anything is counted."""
    if leave_out:
        need = "be left out where outcomes are counted"
        got = ", ".join(leave_out)
        hint = "Select those to be scored (where=...), or read them into memory."
        raise InputError("score", "leave_out", need, got, hint)
    for score in filter(needs_rows, wanted):
        need = "go by right, wrong and not answered where outcomes are counted"
        raise InputError("score", "a named score", need, shown(score.name), IN_MEMORY)


class _Items:
    """Whether systems have the same items, asked of the engine where that is open."""

    def __init__(self, outcomes: CountedOutcomes) -> None:
        self._outcomes = outcomes
        self._alike: dict[tuple[tuple[str, str], ...], bool] = {}

    def of(self, system: str, group: Mapping[str, str], size: int) -> Any:
        """The size, where all systems have the same items; else also the system."""
        key = tuple(group.items())
        if key not in self._alike:
            common = self._outcomes.common
            if common is not None and group:
                common = self._outcomes.engine.restricted(group).common()
            self._alike[key] = common is None
        return size if self._alike[key] else (system, size)


def _setting(its: CountedPart) -> str | None:
    return its.group.get("setting")


def _cell(
    counts: Counts,
    place: int,
    group: Mapping[str, str],
    wanted: Sequence[LinearScore | SelectiveScore],
    items: "_Items",
) -> Cell:
    its, setting = counts.parts[place], _setting(counts.parts[place])
    name = part_name(its.system, {} if setting is None else {"setting": setting})
    if its.unlabelled:
        need, got = "have a verdict on every answer", f"{its.unlabelled:,} unlabelled"
        raise InputError("score", "outcomes", need, got, UNLABELLED)
    _check_named(its, wanted)
    return Cell(
        system=name,
        group=group,
        curve=Curve(
            system=name,
            totals=its.totals,
            ladder=None,
            operating_point=own_decisions(its),
            unanswerable=(np.empty(0), np.empty(0, np.int64)),
            kinds=its.kinds,
            failed=its.failed,
        ),
        became=its.became,
        decided=_decided(counts, place),
        decisions=_decisions(its.became) if wanted else None,
        same=partial(items.of, name, group, its.totals.items),
    )


def _decided(counts: Counts, place: int) -> UnitSums:
    """What became of the clusters of a part, or of its items without any."""
    its = counts.parts[place]
    if its.weighted or its.partial or counts.clusters[place] is not None:
        units = counts.decided.of(place)
        return UnitSums(value_of(units.sums, its.unit), units.number)
    loss, unclear, silent = its.declined
    amounts = np.array(
        [its.totals.weight - loss - unclear - silent, loss, unclear, silent], np.int64
    )
    kinds = np.column_stack([np.ones(4), np.eye(4)[:, 1:]])
    return UnitSums(kinds[amounts > 0], amounts[amounts > 0])


def _check_named(
    its: CountedPart, wanted: Sequence[LinearScore | SelectiveScore]
) -> None:
    """Refuse named scores that take the weight or the credit of each item."""
    have = {"partial credit": bool(its.partial), "weights": its.weighted}
    unlike = " and ".join(what for what, there in have.items() if there)
    if not unlike:
        return
    hopeless = bool((its.became.hopeless & ~its.became.given).any())
    for score in wanted:
        if isinstance(score, LinearScore) and not (score.credits_declines and hopeless):
            continue
        need = f"come without {unlike} where outcomes are counted"
        raise InputError("score", "a named score", need, shown(score.name), IN_MEMORY)


def _decisions(became: ItemKinds) -> Decisions:
    outcome = became.outcome
    return Decisions(
        guess=outcome != UNANSWERED,
        given=became.given,
        ungraded=outcome == UNGRADED,
        credit=(outcome == RIGHT).astype(float),
        hopeless=became.hopeless,
        number=became.times,
    )
