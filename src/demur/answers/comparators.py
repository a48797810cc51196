"""What comparators have, and what one says about one response and one value."""

from collections.abc import Iterable, Mapping
from typing import (
    Any,
    ClassVar,
    Final,
    NamedTuple,
    NoReturn,
    Protocol,
    runtime_checkable,
)

from demur.errors import InputError, shown
from demur.outcomes import reasons
from demur.outcomes.records import Reference, Response


class Match(NamedTuple):
    """How far a response equals one acceptable value.

    Parameters
    ----------
    credit : float or None
        1 is equal, 0 is not, between them is partly; None is "cannot be judged".
    reason : str
        Why, in a few words.
    code : str, optional
        The class of the reason, such as those of `demur.outcomes.reasons.REASONS`.
    """

    credit: float | None
    reason: str
    code: str | None = None


EQUAL: Final = Match(1.0, "equal", "equal")
BOTH_EMPTY: Final = Match(1.0, "both empty", reasons.BOTH_EMPTY)
DIFFERENT: Final = Match(0.0, "differs", "differs")
"""The match that says nothing more than that it is none."""


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


class OnlyNamed:
    """What a comparator is that says how to compare, and cannot do it here.

    `demur.judge` puts one in its place that can. ``name`` and ``does`` are for the
    message.
    """

    __slots__ = ()
    name: ClassVar[str]
    does: ClassVar[str]

    def read(self, value: Any) -> NoReturn:
        """A response has no value here.

        Raises
        ------
        InputError
            Always.
        """
        need = "be used by demur.judge"
        raise InputError(self.name, "the comparator", need, shown(value), self.does)

    def compare(self, response: Any, reference: Any) -> NoReturn:  # noqa: ARG002
        """As `read`.

        Raises
        ------
        InputError
            Always.
        """
        self.read(response)


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


@runtime_checkable
class Ranker(Protocol):
    """What a comparator also has if it can say which acceptable value is nearest."""

    def distance(self, response: Any, reference: Any) -> Any:
        """How far a wrong response is from one acceptable value, both as read.

        Of several values the one with the least is the nearest, the first of equal
        ones; None is too far to be called near.
        """


@runtime_checkable
class Explainer(Protocol):
    """What a comparator also has if it can say more of a verdict than its reason."""

    def explain(self, response: Any, reference: Reference) -> str:
        """How a response stands to each alternative, in lines for people."""


@runtime_checkable
class Preparer(Protocol):
    """What a comparator also has if it must see all answers before the first verdict.

    `demur.judge` calls ``prepare`` once, then compares, and takes ``recipe`` (what
    decided the verdicts beside the options) and ``notes`` (what a reader must know)
    into the outcomes.
    """

    recipe: Mapping[str, str]
    notes: Iterable[str]

    def prepare(
        self, responses: Iterable[Response], references: Iterable[Reference]
    ) -> None:
        """Do once what the verdicts on these responses need."""
