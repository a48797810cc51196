"""Why there is no answer, or none that could be right: a verdict for each kind."""

from typing import Any, Final

from demur.answers.reply_forms import refusal_text, said_message, spoken
from demur.outcomes.fields import UNANSWERED, WRONG
from demur.outcomes.reasons import (
    FAILED,
    FILTER,
    FORMAT,
    IDK,
    REFUSAL,
    TRUNCATED,
)
from demur.outcomes.records import Response, Verdict
from demur.outcomes.refusals import refuses_to_answer

NO_ANSWER: Final = "says that there is no answer"
SAID_NONE: Final = Verdict(UNANSWERED, 0.0, NO_ANSWER, "no_answer")
NO_RESPONSE: Final = Verdict(UNANSWERED, 0.0, "no response", "no_response")
TOO_DEEP: Final = Verdict(WRONG, 0.0, "nested too deeply", "not_an_answer")
NOT_ASKED: Final = Verdict(WRONG, 0.0, "nobody asked for this part", "not_asked")
UNANSWERABLE: Final = Verdict(WRONG, 0.0, "unanswerable", "unanswerable")
_NO_GUESS: Final = Verdict(UNANSWERED, 0.0, "no guess", "no_guess")

_WORDS: Final = {
    IDK: NO_ANSWER,
    REFUSAL: "refuses to answer",
    FILTER: "filtered",
    TRUNCATED: "truncated: cut off before an answer",
    FORMAT: "holds no answer in the form asked for",
}
_OF_KIND: Final = {
    kind: Verdict(UNANSWERED, 0.0, words, kind) for kind, words in _WORDS.items()
}
OF_RESPONSES: Final = frozenset({FAILED, IDK, REFUSAL})
"""Codes of verdicts that are also the kind of an item, where none is given."""


def no_guess(kind: str | None) -> Verdict:
    """The verdict of an item without a guess, by its kind.

    Examples
    --------
    >>> no_guess("truncated").code, no_guess(None).reason
    ('truncated', 'no guess')
    """
    return _OF_KIND.get(kind or "", _NO_GUESS)


def said_none(response: Response) -> Verdict:
    """The verdict of a response that says that there is no answer, or refuses.

    Examples
    --------
    >>> texts = ["I don't know.", "I'm sorry, I can't help with that.", ""]
    >>> [said_none(Response(item="q", response=text)).code for text in texts]
    ['idk', 'refusal', 'no_answer']
    """
    return _OF_KIND[_kind(response.response)] if response.response else SAID_NONE


def _kind(value: Any) -> str:
    message = said_message(value)
    if message is not None and refusal_text(message):
        return REFUSAL
    return REFUSAL if refuses_to_answer(str(spoken(value))) else IDK


def because(outcome: int, name: str, why: str) -> Verdict:
    """That of an error or a failure; a bare "true" gives no further reason.

    Examples
    --------
    >>> because(UNANSWERED, FAILED, "time-out").reason
    'failed: time-out'
    """
    return Verdict(outcome, 0.0, name if why == name else f"{name}: {why}", name)
