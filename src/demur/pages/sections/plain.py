"""The section that any result has: its sentence, pictures, tables and notes."""

from collections.abc import Sequence

from demur.pages.parts import Section, Source
from demur.pages.svg import drawn
from demur.results import Result, Results
from demur.results.defaults import words_of_class


def section(results: Sequence[Result], source: Source) -> Section:
    """What the results say of themselves; several of one class share their tables."""
    result = results[0] if len(results) == 1 else Results(results)
    name = type(results[0]).__name__
    return Section(
        heading=words_of_class(name),
        sentence=" ".join(result.sentence().split("\n")),
        pictures=tuple(
            svg for picture in result.pictures() for svg in drawn(picture, names=True)
        ),
        grids=tuple(result.tables()),
        notes=tuple(dict.fromkeys(result.notes)),
        signatures=tuple(filter(None, [result.signature])),
        source=source.line("", ""),
    )
