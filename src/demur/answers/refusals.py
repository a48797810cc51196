"""Responses that say there is no answer, in words."""

import re
from collections.abc import Iterable
from typing import Any

from demur.answers.reply_forms import has_calls, refusal_text, said_message, spoken
from demur.checks import did_you_mean
from demur.errors import InputError
from demur.outcomes.refusals import REFUSALS, looks_like_refusal
from demur.patterns import UserPattern


class NoAnswers:
    """What counts as no answer: patterns, or the phrases of `looks_like_refusal`.

    Parameters
    ----------
    patterns : str, or iterable of str
        ``"refusals"``, or regular expressions that a whole response must match,
        capitals and outer blanks aside.

    Raises
    ------
    InputError
        If a pattern is no regular expression, or empty.

    Examples
    --------
    >>> told = NoAnswers([r"no comment.*", "refusals"])
    >>> told("No comment!"), told("I have no idea"), told("Rome")
    (True, True, False)
    """

    def __init__(self, patterns: str | Iterable[str] = ()) -> None:
        listed = [patterns] if isinstance(patterns, str) else list(patterns)
        if "" in listed:
            need = "hold something"
            hint = f"'{REFUSALS}' also counts empty responses, '^$' only those."
            raise InputError("judge", "no_answer (--no-answer)", need, "''", hint)
        self.phrases = REFUSALS in listed
        flags = re.IGNORECASE | re.DOTALL
        self.patterns = [
            UserPattern(pattern, flags, "judge", "no_answer")
            for pattern in listed
            if pattern != REFUSALS
        ]
        self.text = ", ".join(listed)

    @property
    def is_nearly_phrases(self) -> bool:
        """Whether a word asks for refusals as a pattern, and not by their name."""
        words = self.text.casefold().split(", ")
        return not self.phrases and any(did_you_mean(it, [REFUSALS]) for it in words)

    def __call__(self, response: Any) -> bool:
        """Whether a response, or a message, says that there is no answer."""
        message = said_message(response) if self.phrases else None
        if message is not None and not has_calls(message) and refusal_text(message):
            return True
        response = spoken(response)
        if not isinstance(response, str):
            return False
        text = response.strip()
        if any(pattern.fullmatch(text) for pattern in self.patterns):
            return True
        return self.phrases and looks_like_refusal(response)
