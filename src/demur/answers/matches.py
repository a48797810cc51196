"""What every comparator has, and what it says about one response and one value."""

from typing import Any, ClassVar, Final, NamedTuple, Protocol, runtime_checkable


class Match(NamedTuple):
    """How far a response equals one acceptable value.

    Parameters
    ----------
    credit : float or None
        1 is equal, 0 is not, between them is partly; None is "cannot be judged".
    reason : str
        Why, in a few words.
    """

    credit: float | None
    reason: str


EQUAL: Final = Match(1.0, "equal")
DIFFERENT: Final = Match(0.0, "differs")


@runtime_checkable
class Comparator(Protocol):
    """Compares values in two steps, so that a reference is read only once.

    ``str(comparator)`` is its canonical name with options; ``version`` changes when
    the same options may give another verdict.
    """

    version: ClassVar[str]

    def read(self, value: Any) -> Any:
        """A value in the form that is compared."""

    def compare(self, response: Any, reference: Any) -> Match:
        """Compare a response with one acceptable value, both as read."""
