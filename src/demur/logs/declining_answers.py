"""Answers of a log that its tool counts as wrong, and that say there is no answer."""

from collections.abc import Callable
from typing import Any

from demur.answers.refusals import NoAnswers
from demur.errors import shown
from demur.logs.readers import LogNotes
from demur.outcomes.refusals import (
    MOST_LOOKED_AT,
    REFUSALS,
    looks_like_refusal,
    refusal_language,
)


class DecliningAnswers:
    """Tells them, if asked to; else a note says how they can be counted.

    Parameters
    ----------
    reader : str
        What reads the log, for the note.
    no_answer : str
        ``refusals``, a regular expression that a whole answer matches, or nothing.
    notes : LogNotes

    Examples
    --------
    >>> notes = LogNotes()
    >>> declines = DecliningAnswers("promptfoo", "", notes)
    >>> declines("I don't know."), declines("Oslo"), len(notes)
    (False, False, 1)
    >>> DecliningAnswers("promptfoo", "refusals", notes)("I don't know.")
    True
    """

    def __init__(self, reader: str, no_answer: str, notes: LogNotes) -> None:
        self._told = NoAnswers(no_answer) if no_answer else None
        self._left = MOST_LOOKED_AT
        self._reader, self._notes = reader, notes

    def __call__(self, response: Any) -> bool:
        """Whether an answer counts as none."""
        if self._told is None:
            if response is None or self._looks(response, looks_like_refusal):
                self._say(
                    "answers that are empty or look like a refusal count as the log "
                    f"says; --log '{self._reader}(no_answer={REFUSALS})' counts those "
                    "that are wrong as unanswered"
                )
            return False
        declines = self._told("" if response is None else response)
        if (
            not declines
            and self._told.phrases
            and self._looks(response, refusal_language)
        ):
            self._say(
                f"{shown(response)} looks like a refusal, and does not say so surely "
                f"enough for no_answer={REFUSALS}: it counts as the log says; --log "
                f"'{self._reader}(no_answer=PATTERN)' counts wrong answers that match "
                "a pattern of yours"
            )
        return declines

    def _looks(self, response: Any, like: Callable[[str], object]) -> bool:
        """Whether one of the first texts looks like a refusal, until one is noted."""
        if self._left <= 0 or not isinstance(response, str):
            return False
        self._left -= 1
        return bool(like(response))

    def _say(self, note: str) -> None:
        if self._left > 0:
            self._left = 0
            self._notes.add(note)
