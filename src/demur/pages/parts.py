"""What a section of a page is made of."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from demur.results import Table
from demur.results.text import short_names


@dataclass(frozen=True)
class PageTable:
    """A table of a page.

    Parameters
    ----------
    caption : str
        What it shows.
    header : tuple of str
    rows : tuple of tuple of str
        As many cells as the header has.
    """

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Section:
    """One section of a page.

    Parameters
    ----------
    heading : str
    sentence : str
        What was found, in plain words.
    pictures : tuple of str
        SVG, as of `demur.pages.svg.Picture`.
    grids : tuple of PageTable or Table
        The numbers of the pictures, and more.
    texts : tuple of str
        Shown as they are, letters of one width.
    notes : tuple of str
        What a reader must know.
    signatures : tuple of str
        The recipes of the numbers.
    source : str
        The line of Python, or the command, that gives the numbers.
    lines : tuple of (name, look)
        Whose lines the pictures show, and which look each has.
    """

    heading: str
    sentence: str
    pictures: tuple[str, ...] = ()
    grids: tuple[PageTable | Table, ...] = ()
    texts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()
    source: str = ""
    lines: tuple[tuple[str, int], ...] = ()


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
        The command that makes the whole page, if it is one; else sections name theirs.
    """

    files: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    looks: Mapping[str, int] = field(default_factory=dict)
    typed: str = ""

    def line(self, command: str, python: str, *words: str) -> str:
        """The command with its files and words, or the line of Python."""
        if self.typed:
            return self.typed
        if not self.files:
            return python
        return shlex.join(["demur", command, *self.files, *words, *self.options])

    def looks_of(self, systems: Sequence[str]) -> list[int]:
        """The looks of systems: those they have on the page, else by their order."""
        return [self.looks.get(name, index) for index, name in enumerate(systems)]


def names_of(systems: Sequence[str]) -> tuple[str, ...]:
    """Names short enough for tables, different ones different."""
    return tuple(short_names([name or "the system" for name in systems]))


def distinct(lists: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """All texts of several lists, each once."""
    return tuple(dict.fromkeys(text for listed in lists for text in listed))
