"""Pictures of results, drawn with matplotlib."""

from typing import TYPE_CHECKING, Any

from demur.errors import InputError

if TYPE_CHECKING:
    from demur.results import Result


def plot_result(result: "Result", *, ax: Any = None, **options: Any) -> Any:
    """Draw what a result has to draw.

    Raises
    ------
    InputError
        If it has no picture.
    """
    del ax, options
    must, got = "have a picture", f"a {type(result).__name__}"
    raise InputError("plot", "the result", must, got, "to_frame() gives its numbers.")
