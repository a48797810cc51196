"""What flows through demur: responses, references, verdicts and the outcome codes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

OUTCOMES: Final = ("right", "wrong", "unanswered", "ungraded")
"""The four outcomes of a forced choice; a code is a position in this tuple."""

RIGHT: Final = 0
WRONG: Final = 1
UNANSWERED: Final = 2
UNGRADED: Final = 3

KINDS: Final = (
    "idk",
    "refusal",
    "filter",
    "truncated",
    "format",
    "timeout",
    "clarify",
    "other",
)
"""Why there was no answer (the optional column ``kind``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What one system said to one item.

    Parameters
    ----------
    item : str or int
        Identifies the input; responses and references are joined by it.
    response : any JSON value
        The guess; None is no guess at all.
    system : str
        Who said it.
    confidence : float, optional
        Higher is surer, on any scale that is monotone within the system.
    declined : bool, optional
        The system's own decision not to give this guess to its user.
    error : str, optional
        Why the answer could not be executed (counts as wrong).
    failed : str, optional
        Why the system gave nothing: time-out, crash (counts as unanswered).
    kind : str, optional
        Why there is no answer, one of `KINDS`.
    setting, repeat : str, optional
        One system under several prompts or targets; several runs of one item.
    extra : mapping
        Any further columns.
    place : str
        Where it was read, such as ``FILE:LINE``, for messages.

    Examples
    --------
    >>> Response(item="q1", system="a", response="Paris", confidence=0.9).declined
    """

    item: str | int
    response: Any = None
    system: str = ""
    confidence: float | None = None
    declined: bool | None = None
    error: str | None = None
    failed: str | None = None
    kind: str | None = None
    setting: str | None = None
    repeat: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    place: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """What would be right for one item.

    Parameters
    ----------
    item : str or int
        Identifies the input.
    alternatives : tuple of (value, weight)
        Acceptable answers; the weight, in (0, 1], is the credit an answer earns.
    answerable : bool
        False if declining is the only correct reaction: every guess is wrong.
    input : any JSON value
        The question, for display.
    cluster : str, optional
        What drives resampling: dialogue, speaker, sentence.
    weight : float, optional
        How much the item counts; positive and finite.
    extra : mapping
        Any further columns.
    place : str
        Where it was read, such as ``FILE:LINE``, for messages.

    Examples
    --------
    Paris is right, France half right; the second question has no answer:

    >>> one = Reference(item="q1", alternatives=(("Paris", 1.0), ("France", 0.5)))
    >>> two = Reference(item="q2", answerable=False)
    >>> one.answerable, two.answerable
    (True, False)
    """

    item: str | int
    alternatives: tuple[tuple[Any, float], ...] = ()
    answerable: bool = True
    input: Any = None
    cluster: str | None = None
    weight: float | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    place: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of one guess.

    Parameters
    ----------
    outcome : int
        `RIGHT`, `WRONG`, `UNANSWERED` or `UNGRADED`.
    credit : float
        1 for a fully right answer, less for a weaker alternative, 0 otherwise.
    reason : str
        Why, in a few words.
    """

    outcome: int
    credit: float
    reason: str
