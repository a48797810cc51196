"""Answers of a log that its tool counts as wrong, and that say there is no answer."""

from typing import Any

from demur.answers.refusals import NoAnswers
from demur.logs.readers import LogNotes
from demur.outcomes.refusals import MOST_LOOKED_AT, REFUSALS, looks_like_refusal


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
        self._left = 0 if no_answer else MOST_LOOKED_AT
        self._reader, self._notes = reader, notes

    def __call__(self, response: Any) -> bool:
        """Whether an answer counts as none."""
        if self._told is not None:
            return self._told("" if response is None else response)
        if self._left:
            self._left -= 1
            if response is None or looks_like_refusal(response):
                self._left = 0
                self._notes.add(
                    "answers that are empty or look like a refusal count as the log "
                    f"says; --log '{self._reader}(no_answer={REFUSALS})' counts those "
                    "that are wrong as unanswered"
                )
        return False
