"""The verb that judges again with changed references, and says whose verdicts change.

References are wrong now and then. Who changed one, and why, is kept in a file beside
them: the references stay as they were, all systems are judged again in the same way,
and the number and hash of the changes stand in the signature.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from demur import checks
from demur.comparisons.weighted_claims import weighted_ends
from demur.comparisons.weighted_errors import check_weights
from demur.curves.of_outcomes import named_curve
from demur.errors import InputError
from demur.judging.join import at_item
from demur.judging.judging import judge
from demur.outcomes.fields import OUTCOMES, UNGRADED
from demur.outcomes.parts import named_parts
from demur.outcomes.reasons import BAD_REFERENCE, DATABASE_UNREADABLE
from demur.outcomes.records import Reference, Response, as_reference, as_response
from demur.outcomes.table import Outcomes
from demur.references.adjudications import (
    Adjudication,
    adjudication_of,
    blamed,
    changed_references,
    hash_of,
    side_effects,
)
from demur.results import Column, Result, Table, printable

REMOVED: Final = "removed"
"""What stands for the outcome of an item that is no longer judged."""

BY_CONTEXT: Final = "what it leans on was adjudicated"
"""Why a verdict changed of an item that was not adjudicated itself."""


@dataclass(frozen=True, eq=False, repr=False)
class ChangedVerdict(Result):
    """A verdict that an adjudication has changed.

    Parameters
    ----------
    item, system : str
        The system with its setting and repeat, if there are several.
    before, after : str
        An outcome, or "removed".
    credit_before, credit_after : float
        1 for a fully right answer, 0 for all that is not right.
    reason_before, reason_after : str
        What the comparator said.
    by, why : str
        Of the adjudications of the item.
    """

    item: str
    system: str
    before: str
    after: str
    credit_before: float
    credit_after: float
    reason_before: str
    reason_after: str
    by: str
    why: str


@dataclass(frozen=True, eq=False, repr=False)
class Standing(Result):
    """One system before and after all adjudications.

    Parameters
    ----------
    system : str
        Its name.
    before, after : mapping of outcome to count
        With the number of ``items``.
    right_before, right_after : float
        Share of all items that are right, by credit and weight.
    rank_before, rank_after : int
        By that share, or by the weighted error if there is one; 1 is the best, equal
        numbers have equal ranks.
    weighted_before, weighted_after : float or None
        The weighted error, with ungraded answers taken for wrong; None without a
        weight.
    """

    system: str
    before: Mapping[str, int]
    after: Mapping[str, int]
    right_before: float
    right_after: float
    rank_before: int
    rank_after: int
    weighted_before: float | None = None
    weighted_after: float | None = None


_CHANGES: Final = tuple(map(Column, ("item", "system", "before", "after", "by", "why")))


def _outcome_text(name: str, credit: float) -> str:
    return f"{name} ({credit:g})" if name == "right" and credit < 1 else name


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _changed(before: object, after: object) -> str:
    return str(before) if before == after else f"{before} -> {after}"


@dataclass(frozen=True, eq=False, repr=False)
class Adjudicated(Result):
    """Judgements before and after references were changed, and the difference.

    Parameters
    ----------
    outcomes : Outcomes
        With the changed references.
    before : Outcomes
        With the references as they were.
    changes : tuple of ChangedVerdict
        By item, then by system, each in order of appearance.
    standings : tuple of Standing
        One for each system.
    adjudications : tuple of Adjudication
        All that were given, in their order.
    without_effect : tuple of str
        Items whose adjudications changed neither a verdict nor a weight.
    weight : float or None
        Of the weighted error that ranks; None if the share of right answers does.
    notes : tuple of str
        Weights that have changed; what was dropped with an old answer, and what stays
        though it may be of the old one; adjudications by which nothing can be judged.
    """

    outcomes: Outcomes
    before: Outcomes
    changes: tuple[ChangedVerdict, ...]
    standings: tuple[Standing, ...]
    adjudications: tuple[Adjudication, ...]
    without_effect: tuple[str, ...]
    weight: float | None = None
    notes: tuple[str, ...] = ()

    def sentence(self) -> str:
        """How many verdicts were changed, and which adjudications changed nothing."""
        items = {adjudication.item for adjudication in self.adjudications}
        lines = [
            f"{len(self.adjudications)} adjudications of {len(items)} items (hash "
            f"{hash_of(self.adjudications)}) changed {len(self.changes)} verdicts."
        ]
        if self.without_effect:
            named = ", ".join(self.without_effect)
            lines.append(f"Those of {named} changed neither a verdict nor a weight.")
        return "\n".join(lines)

    def tables(self) -> tuple[Table, Table]:
        """Each changed verdict; and each system before and after."""
        changes = [
            (
                *(change.item, change.system),
                _outcome_text(change.before, change.credit_before),
                _outcome_text(change.after, change.credit_after),
                *(change.by, change.why),
            )
            for change in self.changes
        ]
        counted = [
            name
            for name in ("items", *OUTCOMES)
            if any(one.before[name] or one.after[name] for one in self.standings)
        ]
        columns = [
            Column("system"),
            *map(Column, counted),
            Column("right_share", "right %", "text", "of all items, by credit"),
            *self._weighted_columns(),
            Column("rank", "", "text", f"by {self.ranked_by}"),
        ]
        standings = [
            (
                one.system,
                *(_changed(one.before[name], one.after[name]) for name in counted),
                _changed(_percent(one.right_before), _percent(one.right_after)),
                *_weighted_cells(one),
                _changed(one.rank_before, one.rank_after),
            )
            for one in self.standings
        ]
        return (
            Table("Changed verdicts", _CHANGES, tuple(changes), key=2),
            Table("Before -> after", tuple(columns), tuple(standings)),
        )

    @property
    def ranked_by(self) -> str:
        """By what number systems are ranked, in words."""
        if self.weight is None:
            return "right %"
        return f"weighted error % at weight {self.weight:g}"

    def _weighted_columns(self) -> list[Column]:
        if self.weight is None:
            return []
        words = f"{self.weight:g} x error + nonreturn, ungraded answers being wrong"
        return [Column("weighted_error", "weighted error %", "text", words)]

    def to_dict(self) -> dict[str, Any]:
        """The differences as plain values for JSON, without the outcomes."""
        return {
            "adjudications": len(self.adjudications),
            "hash": hash_of(self.adjudications),
            "ranked_by": self.ranked_by,
            "changes": [change.to_dict() for change in self.changes],
            "standings": [standing.to_dict() for standing in self.standings],
            "without_effect": list(self.without_effect),
            "notes": list(self.notes),
        }


def _weighted_cells(standing: Standing) -> list[str]:
    before, after = standing.weighted_before, standing.weighted_after
    if before is None or after is None:
        return []
    return [_changed(_percent(before), _percent(after))]


def adjudicate(
    responses: Iterable[Response | Mapping[str, Any]],
    references: Iterable[Reference | Mapping[str, Any]],
    adjudications: Iterable[Adjudication | Mapping[str, Any]],
    *,
    weight: float | None = None,
    **how: Any,
) -> Adjudicated:
    """Judge with the references as they are and as adjudicated, and compare.

    Parameters
    ----------
    responses : iterable of Response or mapping
        Of all systems: each is judged by the same changed references.
    references : iterable of Reference or mapping
        One for each item; they are not changed.
    adjudications : iterable of Adjudication or mapping
        A mapping has ``item``, ``by``, ``why``, ``date`` if it is known, and either
        ``set`` (fields and their new values) or ``remove``.
    weight : float, optional
        What a wrong answer costs, if one not given costs 1: systems are ranked by the
        weighted error of `demur.score`. By default by the share of right answers.
    **how : arguments of `demur.judge`
        The comparator and the policies, for both.

    Returns
    -------
    Adjudicated

    Raises
    ------
    InputError
        If an adjudication is of an unknown item, says nothing of who or why, changes
        a field that another one changes too, or leaves no reference.

    References
    ----------
    Adjudication of disputed verdicts, with all sites scored again, was part of the
    DARPA spoken language evaluations: in February 1992 12.9 % of the reference
    answers were changed.

    Examples
    --------
    >>> import demur
    >>> found = demur.adjudicate(
    ...     [{"item": "q1", "system": "a", "response": "Bergen"},
    ...      {"item": "q1", "system": "b", "response": "Oslo"}],
    ...     [{"item": "q1", "reference": "Oslo"}],
    ...     [{"item": "q1", "by": "Ada", "why": "two ships carry the name",
    ...       "set": {"references": ["Oslo", "Bergen"]}}])
    >>> [(each.system, each.before, each.after) for each in found.changes]
    [('a', 'wrong', 'right')]
    >>> [(each.system, each.rank_before, each.rank_after) for each in found.standings]
    [('a', 2, 1), ('b', 1, 1)]
    """
    if weight is not None:
        check_weights("adjudicate", [weight])
    read = _checked("responses", responses, as_response)
    known = _checked("references", references, _placed)
    if any(reference.part is not None for reference in known):
        need, got = "have no parts", "some with a field part"
        raise InputError("adjudicate", "references", need, got)
    listed = _checked("adjudications", adjudications, adjudication_of)
    changed = list(changed_references(known, listed))
    before = judge(read, known, **how)
    after = _judged_again(read, changed, listed, how)
    both = dict.fromkeys([*_items(before), *_items(after)])
    order = {item: number for number, item in enumerate(both)}
    changes = sorted(_changes(before, after, listed), key=lambda it: order[it.item])
    if how.get("hide_references"):  # why may say what is right
        changes = [replace(change, why="") for change in changes]
    weights = _changed_weights(before, after)
    moved = {*weights, *(change.item for change in changes)}
    return Adjudicated(
        outcomes=after,
        before=before,
        changes=tuple(changes),
        standings=tuple(_standings(before, after, weight)),
        weight=None if weight is None else float(weight),
        adjudications=tuple(listed),
        without_effect=tuple(
            dict.fromkeys(one.item for one in listed if one.item not in moved)
        ),
        notes=(
            *weights.values(),
            *side_effects(known, listed),
            *_cannot_run(before, after, listed),
        ),
    )


_R = TypeVar("_R")


def _checked(what: str, records: Any, check: Callable[[Any, str], _R]) -> list[_R]:
    """The records of an argument as they are judged by, each checked at its place."""
    listed = checks.listed("adjudicate", what, records)
    return [
        check(record, f"{what}: record {at}") for at, record in enumerate(listed, 1)
    ]


_BY_REFERENCE: Final = (BAD_REFERENCE, DATABASE_UNREADABLE)
"""Why an item is ungraded if its reference is at fault."""


def _cannot_run(
    before: Outcomes, after: Outcomes, adjudications: Sequence[Adjudication]
) -> Iterator[str]:
    """Adjudicated references that leave items ungraded which were graded before."""
    adjudicated = {str(adjudication.item) for adjudication in adjudications}
    rows = zip(_items(before), before.outcome, strict=True)
    graded = {item for item, outcome in rows if outcome != UNGRADED}
    notes: dict[str, str] = {}
    if after.reason is None or after.reason_code is None:
        return
    columns = (_items(after), after.reason_code, after.reason)
    for item, code, reason in zip(*columns, strict=True):
        if code in _BY_REFERENCE and item in adjudicated and item in graded:
            text = f"item {item} as adjudicated cannot be judged: {reason}"
            notes.setdefault(item, text)
    yield from map(printable, notes.values())


def _placed(record: Reference | Mapping[str, Any], place: str) -> Reference:
    """A reference that says where it comes from, also when others are removed."""
    reference = as_reference(record, place, otherwise=True)
    return reference if reference.place else replace(reference, place=place)


def _judged_again(
    responses: Iterable[Response],
    references: Sequence[Reference],
    adjudications: Sequence[Adjudication],
    how: Mapping[str, Any],
) -> Outcomes:
    """Outcomes by the changed references; their faults name who made them."""
    gone = {adjudication.item for adjudication in adjudications if adjudication.remove}
    kept = [response for response in responses if str(response.item) not in gone]
    try:
        outcomes = judge(kept, references, **how)
    except InputError as problem:
        # As they were, the same references were judged: the change is at fault.
        for reference in references:
            of_item = [one for one in adjudications if one.item == str(reference.item)]
            ending = at_item(str(reference.item))
            here = problem.where == reference.place or problem.where.endswith(ending)
            if of_item and here:
                raise blamed(problem, reference.place, of_item) from None
        raise
    count, hashed = len(adjudications), hash_of(adjudications)
    mark = {"adjudications": f"{count} {hashed}" if count else "0"}
    return replace(outcomes, recipe={**outcomes.recipe, **mark})


# -- what has changed ----------------------------------------------------------------

_Key = tuple[str, str, str | None, str | None]


def _items(outcomes: Outcomes) -> list[str]:
    return [str(item) for item in outcomes.item.tolist()]


def _rows(outcomes: Outcomes) -> dict[_Key, int]:
    nothing = [None] * len(outcomes)
    columns = [
        nothing if values is None else values.tolist()
        for values in (outcomes.system, outcomes.setting, outcomes.repeat)
    ]
    keys = zip(_items(outcomes), *columns, strict=True)
    return {key: row for row, key in enumerate(keys)}


def _verdict(outcomes: Outcomes, row: int | None) -> tuple[str, float, str]:
    """Outcome, credit and reason of a row; of none, if the item is removed."""
    if row is None:
        return REMOVED, 0.0, ""
    name = str(outcomes.outcome[row])
    credit = float(name == "right")
    if outcomes.credit is not None:
        credit = float(outcomes.credit[row])
    reason = None if outcomes.reason is None else outcomes.reason[row]
    return name, credit, reason or ""


def _changes(
    before: Outcomes, after: Outcomes, adjudications: Iterable[Adjudication]
) -> Iterator[ChangedVerdict]:
    of_item: dict[str, list[Adjudication]] = {}
    for adjudication in adjudications:
        of_item.setdefault(adjudication.item, []).append(adjudication)
    was, now = _rows(before), _rows(after)
    for key in {**was, **now}:
        old, new = _verdict(before, was.get(key)), _verdict(after, now.get(key))
        if old[:2] == new[:2]:
            continue
        item, *run = key
        listed = of_item.get(item, [])
        yield ChangedVerdict(
            item=item,
            system=", ".join(str(part) for part in run if part),
            before=old[0],
            after=new[0],
            credit_before=old[1],
            credit_after=new[1],
            reason_before=old[2],
            reason_after=new[2],
            by="; ".join(dict.fromkeys(one.by for one in listed)),
            why="; ".join(one.why for one in listed) or BY_CONTEXT,
        )


def _changed_weights(before: Outcomes, after: Outcomes) -> dict[str, str]:
    """What to say of each item that counts more or less than before."""
    old, new = (
        dict(zip(_items(outcomes), _weights(outcomes).tolist(), strict=True))
        for outcomes in (before, after)
    )
    return {
        item: f"{item}: weight {old[item]:g} -> {weight:g}"
        for item, weight in new.items()
        if weight != old.get(item, weight)
    }


def _weights(outcomes: Outcomes) -> npt.NDArray[np.floating[Any]]:
    if outcomes.weight is None:
        return np.ones(len(outcomes))
    return outcomes.weight


class _Standing(NamedTuple):
    """Counts of a system, the share that is right, and its weighted error."""

    counts: Mapping[str, int]
    right: float
    weighted: float | None

    @property
    def loss(self) -> float:
        """What ranks: less is better."""
        return -self.right if self.weighted is None else self.weighted


def _standings(
    before: Outcomes, after: Outcomes, weight: float | None
) -> Iterator[Standing]:
    old, new = (
        {name: _standing(part, weight) for name, part in named_parts(outcomes)}
        for outcomes in (before, after)
    )
    for system, was in old.items():
        nothing = None if weight is None else 0.0
        gone = _Standing(dict.fromkeys(was.counts, 0), 0.0, nothing)
        left = new.get(system, gone)
        yield Standing(
            system=system,
            before=was.counts,
            after=left.counts,
            right_before=was.right,
            right_after=left.right,
            rank_before=_rank(was, old),
            rank_after=_rank(left, new),
            weighted_before=was.weighted,
            weighted_after=left.weighted,
        )


def _standing(part: Outcomes, weight: float | None) -> _Standing:
    right = (part.outcome == 0) * (1.0 if part.credit is None else part.credit)
    weights = _weights(part)
    share = float((right * weights).sum() / weights.sum())
    weighted = None
    if weight is not None:
        # Ungraded answers for wrong, as `demur.score` ranks.
        weighted = weighted_ends(named_curve("", part).operating_point, weight)[1]
    return _Standing({"items": len(part), **part.counts()}, share, weighted)


def _rank(standing: _Standing, standings: Mapping[str, _Standing]) -> int:
    least = standing.loss - 1e-12
    return 1 + sum(other.loss < least for other in standings.values())
