"""What comparators have, and what one says about one response and one value."""

from typing import Any, ClassVar, Final, NamedTuple, Protocol, runtime_checkable

from demur.outcomes.records import Reference


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


@runtime_checkable
class ReferenceReader(Protocol):
    """What a comparator also has if a reference may say how it is to be compared.

    ``instead`` names fields that may stand in place of acceptable values.
    """

    instead: ClassVar[tuple[str, ...]]

    def read_reference(self, reference: Reference) -> tuple[tuple[Any, float], ...]:
        """The alternatives of a reference in the form that is compared, and weights."""

    def is_no_guess(self, value: Any) -> bool:
        """Whether a response says in its own way that there is no guess."""

    def explain(self, response: Any, reference: Reference) -> str:
        """How a response stands to each alternative, in lines for people."""
