"""The answers of many runs, read quickly, in one order of items for each line."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from demur.arrays import Positions, Sample
from demur.errors import UndefinedRate
from demur.outcomes.fields import UNANSWERED, UNGRADED
from demur.outcomes.labelling import unlabelled
from demur.outcomes.parts import keys_of, sample_of
from demur.outcomes.table import Outcomes, part_name
from demur.store.kept_runs import KeptRun
from demur.store.shared_columns import Named, shared_columns
from demur.store.stores import Store

NUMBERS: Final = ("error at a nonreturn rate", "own error", "forced-choice error")
"""What a line shows; the first is at a rate."""

_ORDERING: Final = ("item", "part", "system", "repeat", "setting")
_READ: Final = (
    *(*_ORDERING, "outcome", "credit", "confidence", "declined", "weight"),
    *("cluster", "label_weight", "reason_code"),
)
_OF_ITEMS: Final = (
    *(*_ORDERING, "outcome", "answerable", "weight", "cluster", "reference"),
)
"""What says which items are the same."""

_MOST_ORDERS: Final = 64
"""So many orders of items are held at a time."""

Key = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, eq=False)
class SystemRows:
    """The rows of one system and setting in a run, in the order of items.

    Parameters
    ----------
    system : str
        Its name.
    name : str
        The same with its setting.
    items : tuple of (item, repeat or part)
        In order; one tuple for all runs that have the same ones.
    outcomes : Outcomes
        Its rows, with the columns that figures are made of.
    """

    system: str
    name: str
    items: Key
    outcomes: Outcomes


@dataclass(frozen=True, eq=False)
class _ItemOrder:
    system: str
    name: str
    rows: Positions | None  # None: as they are
    items: Key


class LineReader:
    """Reads the rows of many runs; what they share is read and ordered once.

    Parameters
    ----------
    store : Store
        Open.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._orders: dict[tuple[str | None, ...], list[_ItemOrder]] = {}
        self._items: dict[Key, Key] = {}

    def rows_of(self, runs: Sequence[KeptRun]) -> Iterator[list[SystemRows]]:
        """The rows of each system of each run, run by run."""
        yield from map(self._parts, shared_columns(self._store, runs, _READ))

    def items_of(self, runs: Sequence[KeptRun]) -> Iterator[list[SystemRows]]:
        """The same with the columns that belong to items, in place of answers."""
        yield from map(self._parts, shared_columns(self._store, runs, _OF_ITEMS))

    def _parts(self, named: Named) -> list[SystemRows]:
        columns: Any = {name: column for name, (_, column) in named.items()}
        outcomes = Outcomes(**columns)
        digests = (named[name][0] if name in named else None for name in _ORDERING)
        key = tuple(digests)
        if key not in self._orders:
            if len(self._orders) > _MOST_ORDERS:
                self._orders.clear()
            self._orders[key] = [*self._ordered(outcomes)]
        return [
            SystemRows(
                order.system,
                order.name,
                order.items,
                outcomes if order.rows is None else outcomes.take(order.rows),
            )
            for order in self._orders[key]
        ]

    def _ordered(self, outcomes: Outcomes) -> Iterator[_ItemOrder]:
        keys = keys_of(outcomes)
        settings = outcomes.setting
        groups: dict[tuple[Any, Any], list[int]] = {}
        columns = (
            outcomes.system.tolist(),
            [None] * len(keys) if settings is None else settings.tolist(),
        )
        for row, whose in enumerate(zip(*columns, strict=True)):
            groups.setdefault(whose, []).append(row)
        for (system, setting), rows in groups.items():
            listed = sorted(rows, key=lambda row: (keys[row][0], str(keys[row][1])))
            items = tuple(keys[row] for row in listed)
            group = {} if settings is None else {"setting": str(setting)}
            as_they_are = listed == list(range(len(keys)))
            yield _ItemOrder(
                system,
                part_name(system, group),
                None if as_they_are else np.array(listed, np.int64),
                self._items.setdefault(items, items),
            )


def answers_digest(outcomes: Outcomes) -> bytes:
    """The same for two runs whose answers come out the same, item by item.

    Verdicts, credit, confidences and own decisions count; the rows are in order.
    """
    import hashlib

    digest = hashlib.blake2b(outcomes.outcome.codes.tobytes(), digest_size=16)
    for column in (outcomes.credit, outcomes.confidence, outcomes.declined):
        digest.update(b"-" if column is None else np.ascontiguousarray(column).data)
    return digest.digest()


def samples_for(outcomes: Outcomes, number: str) -> tuple[Sample, Sample | None]:
    """What a figure is made of, if ungraded answers are wrong, and if they are right.

    Parameters
    ----------
    outcomes : Outcomes
        Of one system.
    number : str
        One of `NUMBERS`.

    Returns
    -------
    (Sample, Sample or None)
        None where nothing is ungraded. An own or a forced-choice error is that of a
        sample at nonreturn 0, in which an item is lost if it was answered wrongly.

    Raises
    ------
    UndefinedRate
        If answers are labelled in part.
    """
    ungraded = bool((outcomes.outcome == UNGRADED).any())
    if ungraded and unlabelled(outcomes).any():
        raise UndefinedRate("labelled in part")
    most = _sample(outcomes, number, "wrong")
    return most, _sample(outcomes, number, "right") if ungraded else None


def _sample(outcomes: Outcomes, number: str, ungraded: str) -> Sample:
    sample = sample_of(outcomes, ungraded=ungraded)
    if number == NUMBERS[0]:
        return sample
    lost = sample.loss
    if number == NUMBERS[1] and outcomes.declined is not None:
        lost = np.where(outcomes.declined, 0.0, lost)
    n_items = len(sample)
    return Sample(
        guess=np.ones(n_items, bool),
        confidence=np.zeros(n_items),
        loss=lost,
        weight=sample.weight,
        cluster=sample.cluster,
    )


def own_nonreturn(outcomes: Outcomes) -> float:
    """Items declined or without a guess / items, by weight."""
    silent = outcomes.outcome == UNANSWERED
    if outcomes.declined is not None:
        silent = silent | outcomes.declined
    return float(np.average(silent, weights=outcomes.weight))


def usual_number(outcomes: Outcomes) -> str:
    """What a line shows if nothing else is asked for: by its first run."""
    return NUMBERS[0] if has_curve(outcomes) else NUMBERS[1]


def has_curve(outcomes: Outcomes) -> bool:
    """Whether all guesses have confidences."""
    guess = outcomes.outcome != "unanswered"
    confidence = outcomes.confidence
    return confidence is not None and not np.isnan(confidence[guess]).any()
