"""Pictures of results as data: which function makes them, loaded when it is asked."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from demur.results import Result
    from demur.results.pictures import Picture

PICTURES: Final[Mapping[str, str]] = {}
"""Of each class of results with a picture the module and the function that make it."""


def pictures_of(result: "Result") -> "Sequence[Picture]":
    """The pictures of a result as data; none if there are none of its kind."""
    home = PICTURES.get(type(result).__name__)
    if home is None:
        return ()
    module, _, function = home.partition(":")
    pictures: Sequence[Picture] = getattr(import_module(module), function)(result)
    return pictures
