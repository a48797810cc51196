"""Where the numbers of a page come from, and names that fit it."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from demur.results.text import short_names


@dataclass(frozen=True)
class Source:
    """Where the numbers of a page come from, for the lines that give them again.

    Parameters
    ----------
    files : tuple of str
        The files of outcomes, if it was made by the command; else the lines are Python.
    options : tuple of str
        Further words of every command, such as ``--where topic=art``.
    looks : mapping of system to int
        The look that each system has on the page.
    typed : str
        The command that makes the whole page, or, where there are files, what is shown
        without a command of its own; else sections name theirs.
    """

    files: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    looks: Mapping[str, int] = field(default_factory=dict)
    typed: str = ""

    def line(self, command: Sequence[str], python: str) -> str:
        """The command with its files and words, or the line of Python."""
        if not (self.files and command):
            return self.typed or python
        verb, *words = command
        return shlex.join(["demur", verb, *self.files, *words, *self.options])


def names_of(systems: Sequence[str]) -> tuple[str, ...]:
    """Names short enough for tables, different ones different."""
    return tuple(short_names([name or "the system" for name in systems]))
