"""What a judge is shown, how it is asked, and what it says: three plain values."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

RIGHT_VERDICT = "right"
PARTLY = "partly_right"
WRONG_VERDICT = "wrong"
CANNOT_TELL = "cannot_tell"
DECLINED = "declined"
FAILED_VERDICT = "failed"


@dataclass(frozen=True, slots=True)
class JudgeCase:
    """What a judge is shown of one answer, and nothing else of it.

    Parameters
    ----------
    response : Any
        The answer that is judged: a text, or any JSON value.
    question : Any
        What was asked; None if it is not known.
    references : tuple of (value, weight)
        Acceptable answers, with the credit that each earns.
    answerable : bool
        Whether the question has an answer.
    text : str or None
        What the answer must be supported by, where a rubric asks for that.
    """

    response: Any
    question: Any = None
    references: tuple[tuple[Any, float], ...] = ()
    answerable: bool = True
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Asking:
    """How a judge is asked, beside what it is shown.

    Parameters
    ----------
    turned : bool
        The choices, and the references, stand in the opposite order.
    with_references : bool
        False leaves the references out.
    repeat : int
        How often the same was asked before: another number is another sample.
    """

    turned: bool = False
    with_references: bool = True
    repeat: int = 0


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """What a judge says of one answer.

    Parameters
    ----------
    credit : float or None
        1 is right, 0 is wrong, between them is partly right; None is no verdict.
    code : str
        ``right``, ``partly_right``, ``wrong``; ``declined``, if the answer declines to
        answer; ``cannot_tell``; or ``failed``, if the judge could not be had.
    reason : str
        Why, in its own words; of a failure, what the server said.
    confidence : float or None
        How sure the judge is of it; None if it does not say.
    choice : str
        The word of the rubric that it is; empty if there is none. No part of what two
        verdicts are compared by.
    """

    credit: float | None
    code: str
    reason: str = ""
    confidence: float | None = None
    choice: str = field(default="", repr=False, compare=False)


@runtime_checkable
class CaseJudge(Protocol):
    """Anything that gives verdicts on cases, one for each and in their order."""

    def verdicts(
        self, cases: Sequence[JudgeCase], asking: Asking = ...
    ) -> list[JudgeVerdict]:
        """Verdicts; equal cases asked in the same way get the same one."""
