"""A task, further versions of it, and what methods make of them: one result."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from demur.difficulty.measuring import TASK_COLUMNS, Difficulty
from demur.difficulty.scaling import Scalability
from demur.difficulty.trying_methods import MethodScores
from demur.results import Column, Figure, Result, Table

WHOLE: Final = "whole"
"""How the task without further pruning is called among versions."""


@dataclass(frozen=True, eq=False, repr=False)
class TaskVersions(Result):
    """How hard a task and its versions are, and whether methods scale with them.

    Parameters
    ----------
    versions : mapping of name to Difficulty
        The task itself first.
    methods : mapping of name to MethodScores
        What methods make of a version; empty if none was tried.
    scalability : Scalability or None
        Over the versions, if there are several and methods.
    lacking : tuple of str or None
        What of another table's task this one does not try; None if none was given.
    """

    KINDS = Difficulty.KINDS

    versions: Mapping[str, Difficulty]
    methods: Mapping[str, MethodScores] = field(default_factory=dict)
    scalability: Scalability | None = None
    lacking: tuple[str, ...] | None = None

    @property
    def first(self) -> Difficulty:
        """The task itself."""
        return next(iter(self.versions.values()))

    @property
    def tried(self) -> MethodScores | None:
        """What methods make of the task itself."""
        return next(iter(self.methods.values()), None)

    def sentence(self) -> str:
        """That of the task, of scalability or methods, and what is lacking."""
        lines = [self.first.sentence()]
        if self.scalability is not None:
            lines.append(self.scalability.sentence())
        elif self.tried:
            lines.append(self.tried.sentence())
        if self.lacking is not None:
            number = len(self.lacking)
            words = f"Lacking of the other table's task: {number} parts."
            lines.append(
                words if number else "It lacks nothing of the other table's task."
            )
        return "\n".join(lines)

    def figures(self) -> Iterator[Figure]:
        """Those of the task itself."""
        return self.first.figures()

    def tables(self) -> Sequence[Table]:
        """The task, or a row for each version; methods; what is lacking."""
        tables = list(self.first.tables())
        if len(self.versions) > 1:
            rows = tuple((name, *one.row()) for name, one in self.versions.items())
            tables = [Table("", (Column("task"), *TASK_COLUMNS), rows)]
        if self.scalability is not None:
            tables += self.scalability.tables()
        elif self.tried:
            tables += self.tried.tables()
        if self.lacking:
            rows = tuple((part,) for part in self.lacking)
            tables.append(Table("Lacking", (Column("lacking"),), rows))
        return tables

    @property
    def notes(self) -> tuple[str, ...]:
        """Those of every version after its name, and of scalability."""
        several = len(self.versions) > 1
        notes = [
            f"{name}: {note}" if several else note
            for name, version in self.versions.items()
            for note in version.notes
        ]
        further = self.scalability.notes if self.scalability is not None else ()
        return (*notes, *further)

    @property
    def signature(self) -> str:
        """That of the task, of its versions after their names, and of the methods."""
        parts = [
            one.signature if name == WHOLE else f"{name}: {one.signature}"
            for name, one in self.versions.items()
        ]
        if self.scalability is not None:
            parts.append(f"scalability: {self.scalability.signature}")
        if self.tried:
            parts.append(f"methods: {self.tried[-1].signature}")
        return "; ".join(parts)

    def with_recipe(self, **parts: str) -> Self:
        """All of them with more in their recipes."""
        versions = {n: one.with_recipe(**parts) for n, one in self.versions.items()}
        methods = {n: one.with_recipe(**parts) for n, one in self.methods.items()}
        return replace(self, versions=versions, methods=methods)

    def to_dict(self) -> dict[str, Any]:
        """The task at the top; versions, methods and the rest under their keys."""
        further = {name: one for name, one in self.versions.items() if name != WHOLE}
        return {
            **self.first.to_dict(),
            "notes": list(self.notes),
            "versions": {name: one.to_dict() for name, one in further.items()},
            "methods": {
                name: [score.to_dict() for score in scores]
                for name, scores in self.methods.items()
            },
            "scalability": self.scalability and self.scalability.to_dict(),
            "lacking": list(self.lacking or ()),
        }
