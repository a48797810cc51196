"""Systems on the same items in the same order, for all that compares them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from demur.arrays import Sample
from demur.comparisons.own_decisions import (
    OWN_RATES,
    WEIGHTED,
    own_difference,
    own_readings,
)
from demur.curves.curves import Curve
from demur.curves.of_outcomes import error_return
from demur.errors import InputError, shown
from demur.outcomes.fields import UNANSWERED, UNGRADED
from demur.outcomes.parts import labelled_in_part, paired, sample_of
from demur.outcomes.table import Outcomes, check_outcomes
from demur.statistics.equal_units import worth_notes, worth_of
from demur.statistics.paired_tests import Difference, paired_difference
from demur.statistics.quantities import Quantity


@dataclass(frozen=True)
class PairedSystems:
    """Systems on the same items in the same order, each with its curve.

    Parameters
    ----------
    tables : tuple of Outcomes
        Each of one system and setting.
    curves : tuple of Curve
        Of these.
    items : {"equal", "common"}
        Whether these are all items of each, or those that all have.
    notes : tuple of str
        What was left out, and how few equal clusters there are.
    """

    tables: tuple[Outcomes, ...]
    curves: tuple[Curve, ...]
    items: str
    notes: tuple[str, ...]

    def sample(self, place: int, ungraded: str = "wrong") -> Sample:
        """What tests read of a system; ungraded answers are wrong, or right."""
        return sample_of(self.tables[place], ungraded=ungraded)

    def difference(
        self, a: Sample, b: Sample, *, quantity: Quantity, **testing: Any
    ) -> Difference:
        """The paired test of a number of two of its samples."""
        return paired_difference(a, b, quantity=quantity, **testing)

    def near(self, _rates: Sequence[float]) -> "PairedSystems":
        """The same, to be compared at other rates."""
        return self

    @property
    def whole(self) -> bool:
        """Whether the whole curves can be compared, not only their errors at rates."""
        return True

    @property
    def ungraded(self) -> bool:
        """Whether there are answers that nobody could judge."""
        return any((part.outcome == UNGRADED).any() for part in self.tables)

    @property
    def declines(self) -> bool:
        """Whether a system decides itself which guesses to give."""
        return any(part.declined is not None for part in self.tables)

    @property
    def by_people(self) -> bool:
        """Whether people have looked at a part of the answers."""
        return labelled_in_part(*self.tables)

    def own_tests(
        self, level: float, seed: int, weight: float | None = None
    ) -> dict[str, list[Difference]]:
        """The tests of what the systems decide, for all readings of what is unknown."""
        a, b = self.tables
        how: Any = {"level": level, "seed": seed, "weight": weight}
        return {
            rate: [
                own_difference(a, b, quantity=rate, unknown=reading, **how)
                for reading in own_readings(self.tables)
            ]
            for rate in (*OWN_RATES, *([] if weight is None else [WEIGHTED]))
        }


def paired_systems(
    tables: Sequence[Outcomes], *, items: str = "equal"
) -> PairedSystems:
    """Join systems by item, and draw their curves, once for all that compares them.

    Parameters
    ----------
    tables : sequence of Outcomes
        Each of one system and setting.
    items : {"equal", "common"}
        As for `demur.compare`.

    Raises
    ------
    InputError
        If the systems have no items in common, or differ in what belongs to an item.
    """
    check_outcomes("compare", *tables)
    for table in tables:
        refuse_nothing(table)
    aligned, notes = paired(tables, items=items)
    curves = tuple(map(error_return, aligned))
    named = [curve.system for curve in curves if curve.system]
    twice = next((name for name in named if named.count(name) > 1), None)
    if twice is not None:
        hint = "Rename one: the column system."
        raise InputError("compare", "the systems", "differ in name", shown(twice), hint)
    sample = sample_of(aligned[0])
    if sample.cluster is not None:
        notes += worth_notes(sample.n_clusters, worth_of(sample))
    return PairedSystems(tuple(aligned), curves, items, notes)


def refuse_nothing(outcomes: Outcomes) -> None:
    """Refuse a system that answered nothing because all of it, or the rest, failed."""
    if gave_nothing(outcomes):
        name = outcomes.systems[0] or "the system"
        failed = f"{outcomes.failed.sum():,} of {len(outcomes):,} failed"
        need, got = "have answers to compare", f"none of {shown(name)}: {failed}"
        hint = "Ask it again, or leave it out."
        raise InputError("compare", "every system", need, got, hint)


def gave_nothing(outcomes: Outcomes) -> bool:
    """Whether there is no guess at all, and not because all was declined.

    Examples
    --------
    >>> import demur
    >>> columns = {"correct": [None, None], "kind": ["failed", "idk"]}
    >>> gave_nothing(demur.Outcomes.from_arrays(**columns))
    True
    """
    silent = bool((outcomes.outcome == UNANSWERED).all())
    return silent and bool(outcomes.failed.any())
