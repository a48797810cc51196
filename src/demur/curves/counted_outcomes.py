"""Outcomes that are counted where they lie, as verbs take them in place of a table."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demur.curves.counted import CountedPart, CountingEngine, Counts


class CountedOutcomes:
    """Outcomes that an engine counts where they lie; made by `demur.count_outcomes`.

    The verbs `demur.error_return`, `demur.curve_by`, `demur.choose`, `demur.lock`,
    `demur.recheck`, `demur.score` and `demur.compare` take it in place of
    `demur.Outcomes`.

    Parameters
    ----------
    engine : CountingEngine
        What counts.
    """

    def __init__(self, engine: "CountingEngine") -> None:
        self.engine = engine
        self.system: int | None = None
        self._counts: dict[tuple[str, ...], Counts] = {}

    def systems(self) -> "list[CountedOutcomes]":
        """The same outcomes of one system and setting each, counted together."""
        alone = []
        for number in range(len(self.counts().parts)):
            one = CountedOutcomes(self.engine)
            one.system, one._counts = number, self._counts
            alone.append(one)
        return alone

    def counts(self, by: Sequence[str] = ()) -> "Counts":
        """The counts of systems, settings and groups, which become finer when asked."""
        from demur.curves.counted import Counts

        key = tuple(by)
        if key not in self._counts:
            self._counts[key] = Counts(self.engine, key)
        return self._counts[key]

    @cached_property
    def common(self) -> int | None:
        """How many items all systems have in common; None if all the same."""
        return self.engine.common()

    def of_part(self, part: "CountedPart") -> "CountedOutcomes":
        """Those of one of the parts alone."""
        of_system = {"system": part.system} if part.system else {}
        values = {**of_system, **part.group}
        return CountedOutcomes(self.engine.restricted(values))

    def named(self, system: str) -> "CountedOutcomes":
        """The same, of a system without a name that is called so."""
        from demur.curves.counted import Counts

        counts = Counts(self.engine)
        counts.parts = tuple(replace(part, system=system) for part in counts.parts)
        alike = CountedOutcomes(self.engine)
        alike._counts[()] = counts
        return alike

    @property
    def recipe(self) -> Mapping[str, str]:
        """Where the outcomes come from, for signatures."""
        return self.engine.recipe

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know of what was read."""
        return self.engine.notes

    def __repr__(self) -> str:
        items = sum(part.totals.items for part in self.counts().parts)
        return f"CountedOutcomes({items} rows, counted by {self.engine.name})"
