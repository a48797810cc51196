"""An answer taken apart: its parts, and those of the reference that it lacks."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

NOT_ASKED: Final = "not_asked"
"""The code of a part that the reference does not have."""

NOT_GIVEN: Final = "not_given"
"""The code of a part of the reference that the answer does not have."""


class AnswerPart(NamedTuple):
    """One part of an answer, or one that it lacks.

    Parameters
    ----------
    name : str
        What tells it from the others of the answer.
    is_right : bool
        Whether the reference has it.
    places : tuple of int
        Where it stands in the answer; empty if the answer lacks it.
    reason : str
        Why it is right or wrong, or that it is lacking.
    code : str
        The class of the reason.
    value : any
        What the answer says.
    short : str
        A name that other parts may share, such as that of a tool.
    """

    name: str
    is_right: bool
    places: tuple[int, ...]
    reason: str
    code: str
    value: Any = None
    short: str = ""

    @property
    def is_given(self) -> bool:
        """Whether the answer has it."""
        return bool(self.places)


@runtime_checkable
class Separable(Protocol):
    """What a comparator also has if answers are sets whose elements are parts.

    ``of_parts`` names a further column for what parts may share; empty if there is
    none.
    """

    of_parts: str

    def taken_apart(self, *, response: Any, reference: Any) -> list[AnswerPart] | None:
        """The parts of a response, as it stands, and of a reference, as read.

        None if the response is no set; None as a response is an empty one.
        """

    def n_elements(self, response: Any) -> int:
        """How many elements a response has as it stands, empty ones too."""

    def part_name(self, text: str) -> str:
        """The name of a part in the form that parts have."""


def lacking(name: str, short: str = "") -> AnswerPart:
    """A part of the reference that the answer does not give.

    Examples
    --------
    >>> lacking("city").is_given
    False
    """
    return AnswerPart(name, False, (), "not given", NOT_GIVEN, short=short)


def unasked(
    name: str, places: tuple[int, ...], value: Any, short: str = ""
) -> AnswerPart:
    """A part of the answer that the reference does not have.

    Examples
    --------
    >>> unasked("city", (0,), "Rome").reason
    'nobody asked for this part'
    """
    reason = "nobody asked for this part"
    return AnswerPart(name, False, places, reason, NOT_ASKED, value, short)


def f1(parts: Iterable[AnswerPart]) -> float:
    """How far an answer is its reference: 2 right / (given + asked).

    1 if both are empty.

    Examples
    --------
    >>> right = AnswerPart("a", True, (0,), "equal", "equal")
    >>> f1([right, unasked("b", (1,), "x")]), f1([])
    (0.6666666666666666, 1.0)
    """
    codes = Counter(part.code for part in parts)
    right = codes["equal"]
    both = 2 * (codes.total() - codes[NOT_ASKED] - codes[NOT_GIVEN])
    total = both + codes[NOT_ASKED] + codes[NOT_GIVEN]
    return 2 * right / total if total else 1.0


def with_own_names(parts: Iterable[AnswerPart]) -> Iterator[AnswerPart]:
    """The same parts, of which no two have one name.

    Examples
    --------
    >>> [part.name for part in with_own_names([lacking("a"), lacking("a")])]
    ['a', 'a (2)']
    """
    names: Counter[str] = Counter()
    for part in parts:
        name = part.name
        while names[name]:
            names[part.name] += 1
            name = f"{part.name} ({names[part.name]})"
        names[name] += 1
        yield part._replace(name=name)


def paired_rows(fits: Sequence[Sequence[bool]]) -> list[int | None]:
    """The column that each row is paired with, so that most rows have one.

    Every row that fits takes a free column, or one whose row finds another. A row that
    has none could not have one beside those before it.

    Examples
    --------
    >>> paired_rows([[True, True], [True, False], [True, True]])
    [1, 0, None]
    """
    row_of: dict[int, int] = {}

    def place(row: int, tried: set[int]) -> bool:
        for column, does in enumerate(fits[row]):
            if does and column not in tried:
                tried.add(column)
                if column not in row_of or place(row_of[column], tried):
                    row_of[column] = row
                    return True
        return False

    for row in range(len(fits)):
        place(row, set())
    column_of = {row: column for column, row in row_of.items()}
    return [column_of.get(row) for row in range(len(fits))]
