"""Pictures as data: what is drawn, and where; how it looks is the renderers'."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Picture:
    """A picture of a result.

    Parameters
    ----------
    name, title, description : str
        Of letters, digits and hyphens; above it; for screen readers.
    """

    name: str
    title: str
    description: str
