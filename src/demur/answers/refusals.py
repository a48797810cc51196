"""Responses that say there is no answer, in words."""

import re
from collections.abc import Iterable
from typing import Any, Final

from demur.patterns import UserPattern

REFUSALS: Final = "refusals"
"""The name that stands for the phrases below."""

_LONGEST: Final = 300

_PHRASES: Final = re.compile(
    r"""(?:i\s+am\s+sorry|i['\u2019]m\s+sorry|sorry|unfortunately|as\s+an\s+ai\b[^.!?,]*)?
    [\s,.:;!-]*(?:but\s+)?
    (?:(?:i|we)\s+(?:do\s+not|don['\u2019]?t|can\s*not|can['\u2019]?t|am\s+not\s+able\s+to
            |am\s+unable\s+to|could\s+not|couldn['\u2019]?t)
         \s+(?:know|tell|say|answer|help|find|determine|provide|assist|have)\b
      |i(?:\s+am|['\u2019]m)\s+(?:not\s+(?:sure|certain|able)|unsure|unable)\b
      |i\s+have\s+no\s+(?:idea|answer|information)\b
      |(?:there\s+is\s+)?not\s+enough\s+information\b
      |(?:it\s+|this\s+)?(?:can\s*not|can['\u2019]t)\s+be\s+(?:answered|determined|known)\b
      |(?:the\s+)?(?:question|answer)\s+(?:is\s+)?(?:unknown|unanswerable|not\s+known)\b
      |(?:idk|dunno|no\s+idea|no\s+answer|unanswerable|unknown|not\s+known
         |not\s+available|n/?a|none|null|\?+|-+)\s*[.!?]*$
    )""",
    re.IGNORECASE | re.VERBOSE,
)


def looks_like_refusal(response: Any) -> bool:
    """Whether a response is empty, or begins like a refusal in English.

    Examples
    --------
    >>> [looks_like_refusal(each) for each in ["I don't know.", " ", "Oslo", "None"]]
    [True, True, False, True]
    """
    if not isinstance(response, str):
        return False
    text = response.strip().strip("\"'`*().").strip()
    return not text or (len(text) <= _LONGEST and _PHRASES.match(text) is not None)


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
        If a pattern is no regular expression.

    Examples
    --------
    >>> told = NoAnswers([r"no comment.*", "refusals"])
    >>> told("No comment!"), told("I have no idea"), told("Rome")
    (True, True, False)
    """

    def __init__(self, patterns: str | Iterable[str] = ()) -> None:
        listed = [patterns] if isinstance(patterns, str) else list(patterns)
        self.phrases = REFUSALS in listed
        flags = re.IGNORECASE | re.DOTALL
        self.patterns = [
            UserPattern(pattern, flags, "judge", "no_answer")
            for pattern in listed
            if pattern != REFUSALS
        ]
        self.text = ", ".join(listed)

    def __call__(self, response: Any) -> bool:
        """Whether a response says that there is no answer."""
        if not isinstance(response, str):
            return False
        text = response.strip()
        if any(pattern.fullmatch(text) for pattern in self.patterns):
            return True
        return self.phrases and looks_like_refusal(response)
