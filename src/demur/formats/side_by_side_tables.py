"""Tables with several systems side by side, read as one record for each system."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from demur.checks import choice
from demur.formats.paths import path_fields, whole_name
from demur.formats.record_blocks import blocks_of
from demur.formats.side_by_side import Sides, apart
from demur.formats.streams import RecordFile, RowBlock, Wanted


class SideBySideTable(RecordFile):
    """A table of several systems, each row as one record for each of them.

    The path of a field with its braces is a field of these records.

    Parameters
    ----------
    file : RecordFile
        What is read.
    sides : mapping
        As `sides_of` gives it.
    system : str
        The field that is to hold the name of the system.

    Raises
    ------
    InputError
        If the file lacks a column that is named.
    """

    words: ClassVar[str] = "any"

    def __init__(self, file: RecordFile, sides: Sides, system: str = "system") -> None:
        self.name, self.prefix, self.judged = file.name, file.prefix, file.judged
        self.of_texts = file.of_texts  # type: ignore[misc]
        self._file, self._sides, self._system = file, sides, system
        self.per_row = len(next(iter(sides.values())))
        present = file.names() or [
            *dict.fromkeys(n for r in file.beginning() for n in r)
        ]
        for path in (path for paths in sides.values() for path in paths.values()):
            if present and not {*path_fields(path)} & {*present}:
                choice(self.name, "a column in braces", path, present)

    @staticmethod
    def recognises(head: bytes) -> bool:  # noqa: ARG004  (it reads no file itself)
        """False: it is never looked for."""
        return False

    @property
    def notes(self) -> Sequence[str]:  # type: ignore[override]
        """Those of the file."""
        return self._file.notes

    @property
    def recipe(self) -> Mapping[str, str]:  # type: ignore[override]
        """How the file was read."""
        return self._file.recipe

    def names(self) -> list[str]:
        """Names of the columns, those with braces among them."""
        return [
            *self._file.names(),
            *(whole_name(path) or path for path in self._sides),
        ]

    def beginning(self) -> list[dict[str, Any]]:
        """The first records, one for each system."""
        return [
            one
            for row in self._file.beginning()
            for one in apart(row, self._sides, self._system)
        ]

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The records one by one, each with the number of its row."""
        return self._apart(self._file.records())

    def cells(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The same as they stand."""
        return self._apart(self._file.cells())

    def _apart(
        self, rows: Iterable[tuple[int, Mapping[str, Any]]]
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        for number, row in rows:
            for one in apart(row, self._sides, self._system):
                yield number, one

    def blocks(self, wanted: Wanted) -> Iterator[RowBlock]:
        """The records as columns."""
        return blocks_of(self.records(), wanted, self.prefix)
