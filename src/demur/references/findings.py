"""What a check of references has found, for a person to look at."""

from collections.abc import Iterable
from dataclasses import dataclass

from demur.results import Column, Result, Table

_COLUMNS = tuple(map(Column, ("check", "place", "item", "message")))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Finding(Result):
    """One thing about one item that somebody should look at.

    Parameters
    ----------
    item : str
        The item, or whatever else has an id of its own.
    check : str
        The name of the check.
    message : str
        What was found.
    place : str
        Where it was read, such as ``FILE:LINE``.

    Examples
    --------
    >>> import demur
    >>> text = "cites M9, which is not there"
    >>> print(demur.Finding("q1", "unknown-meaning", text, "a:1"))
    a:1: q1: unknown-meaning: cites M9, which is not there
    """

    item: str
    check: str
    message: str
    place: str = ""

    def sentence(self) -> str:
        """Where, which item, which check, and what was found."""
        parts = (self.place, self.item, self.check, self.message)
        return ": ".join(part for part in parts if part)

    def __str__(self) -> str:
        return self.sentence()


def findings_table(findings: Iterable[Finding]) -> Table:
    """Findings as a table, one below the other."""
    rows = ((one.check, one.place, one.item, one.message) for one in findings)
    return Table("Findings", _COLUMNS, tuple(rows), listed=True)
