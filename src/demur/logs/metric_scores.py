"""Logs whose answers have scores by several metrics: which is read, what it means."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from demur.errors import InputError, shown
from demur.formats.column_forms import value_of
from demur.logs.credits import Credits
from demur.logs.declining_answers import DecliningAnswers
from demur.logs.readers import MEANINGS, ItemReader, LogNotes
from demur.outcomes.values import plain_float

_WORDS: Final[Mapping[str, float | None]] = {
    **dict.fromkeys(("true", "yes", "pass", "correct"), 1.0),
    **dict.fromkeys(("false", "no", "fail", "incorrect"), 0.0),
    **dict.fromkeys(("", "nan", "none", "null"), None),
}


@dataclass(frozen=True, repr=False)
class MetricReader(ItemReader):
    """What readers of logs with several metrics have in common.

    Parameters
    ----------
    metric : str
        Which metric is read as the verdict; needed where there are several.
    threshold : str
        From which score on an answer is right; without it one from 0 to 1 is a credit.
    declined : str
        What says that an answer declines: ``answered < 0.5``.
    no_answer : str
        Which wrong answers are none by their words: ``refusals``, or a pattern.
    confidence : str
        Where it stands; ``none`` reads none.
    ungraded : {"ungraded", "unanswered", "wrong", "right", "leave_out"}
        What an empty score, NaN, or a metric that failed means.
    """

    statuses: ClassVar[Mapping[str, tuple[str, ...]]] = {"ungraded": MEANINGS}

    metric: str = ""
    threshold: str = ""
    declined: str = ""
    no_answer: str = ""
    confidence: str = ""
    ungraded: str = "ungraded"


class MetricScores:
    """From the score of an answer to its outcome.

    Parameters
    ----------
    reader : str
        What reads the log, for messages.
    options : mapping
        Those of the reader: ``metric``, ``threshold``, ``declined``, ``no_answer`` and
        ``ungraded``.
    notes : LogNotes
        Takes which metric is read.
    """

    def __init__(
        self, reader: str, options: Mapping[str, str], notes: LogNotes
    ) -> None:
        self._reader, self._options, self._notes = reader, options, notes
        self._credit = Credits(reader, options["threshold"], notes)
        self._declines = DecliningAnswers(reader, options["no_answer"], notes)
        declined = options["declined"]
        self._declined = value_of(declined) if declined else None

    def metric(self, names: Iterable[str], place: str) -> str:
        """The metric that is read; empty if there is none.

        Raises
        ------
        InputError
            If there are several and none is named, or the one that is named is absent.
        """
        listed, wanted = list(names), self._options["metric"]
        if not wanted and len(listed) > 1:
            need, such = "be named where there are several", listed[0]
            hint = f"Such as: --log '{self._reader}(metric={such})'."
            got = ", ".join(listed)
            raise InputError(place, "the metric", need, got, hint)
        if wanted and wanted not in listed:
            need = f"be one of {', '.join(listed) or 'none'}"
            raise InputError(place, "the metric", need, shown(wanted))
        name: str = wanted or next(iter(listed), "")
        if name and not wanted:
            self._notes.chosen["metric"] = name
        return name

    def outcome(
        self, score: Any, response: Any, row: Mapping[str, Any], place: str
    ) -> dict[str, Any]:
        """Outcome and credit of an answer.

        Parameters
        ----------
        score : any
            By the metric that is read; None if there is none.
        response : any
            The answer.
        row : mapping
            All that may say that it declines.
        place : str
            For messages.
        """
        credit = self._credit(_number(score), place)
        if credit is None:
            return {"outcome": self._options["ungraded"]}
        if self._declined is not None and self._declined(row, 0) is True:
            return {"outcome": "unanswered"}
        if credit:
            return {"outcome": "right", "credit": credit}
        declines = self._declines(response)
        return {"outcome": "unanswered" if declines else "wrong"}


def _number(score: Any) -> Any:
    """A score that a table holds as text, as a number; None where it holds nothing."""
    if not isinstance(score, str):
        return score
    text = score.strip().lower()
    if text in _WORDS:
        return _WORDS[text]
    number = plain_float(text)
    return score if number is None else number


def is_score(value: Any) -> bool:
    """Whether a cell may be a score: a number, true or false, a word for it, or empty.

    Examples
    --------
    >>> [is_score(value) for value in (0.5, "1.0", "yes", None, "Oslo", [])]
    [True, True, True, True, False, False]
    """
    return not isinstance(_number(value), (str, list, dict))
