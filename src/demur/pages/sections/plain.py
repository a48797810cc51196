"""Any other result: the table that its command prints."""

from collections.abc import Sequence

from demur.pages.parts import Section, Source
from demur.results import Result


def section(results: Sequence[Result], source: Source) -> Section:
    """The text of the results."""
    del source
    name = type(results[0]).__name__
    signatures = (getattr(each, "signature", "") for each in results)
    return Section(
        heading=name,
        sentence="",
        texts=tuple(map(str, results)),
        signatures=tuple(dict.fromkeys(filter(None, signatures))),
    )
