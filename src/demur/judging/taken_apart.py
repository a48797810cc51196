"""Answers that are sets, slots or calls, judged part by part."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from demur.answers.alternatives import Alternatives
from demur.answers.answer_parts import NOT_ASKED, AnswerPart, Separable, f1
from demur.errors import InputError, shown
from demur.outcomes.columns import objects
from demur.outcomes.fields import RIGHT, UNANSWERED, UNGRADED, WRONG
from demur.outcomes.records import Response, Verdict

_SILENT = Verdict(UNANSWERED, 0.0, "no parts, and none asked for", "both_empty")


class JudgedPart(NamedTuple):
    """A part as it becomes a row.

    Parameters
    ----------
    part : str or None
        Its name; None for a whole that has no parts.
    verdict : Verdict
        What it is.
    response : Response
        The whole response, with the confidence of the part.
    value : any
        What it says.
    """

    part: str | None
    verdict: Verdict
    response: Response
    value: Any


class TakenApart:
    """What makes rows of the parts of an answer.

    Parameters
    ----------
    comparator : Comparator
        That of sets, slots or calls.

    Raises
    ------
    InputError
        If it is another one.

    Examples
    --------
    >>> from demur.answers import slots
    >>> apart = TakenApart(slots())
    >>> response = Response(item="t", response={"city": "Rome", "day": "Monday"},
    ...                     confidence={"city": 0.9, "day": 0.4})
    >>> read = slots().read({"city": "Rome", "stars": 4})
    >>> whole = Verdict(WRONG, 0.0, "differs")
    >>> for row in apart.rows(response, response, whole, [(read, 1.0)], "here"):
    ...     print(row.part, row.verdict.reason, row.response.confidence)
    city equal 0.9
    day nobody asked for this part 0.4
    stars not given None
    """

    def __init__(self, comparator: Any) -> None:
        if not isinstance(comparator, Separable):
            need = "be slots or tool_call, whose answers have parts"
            hint = "Parts that have rows of their own are judged without parts=True."
            raise InputError("judge", "by", need, str(comparator), hint)
        self._comparator = comparator
        self._empty: Any = comparator.read([])  # type: ignore[attr-defined]
        self._parts: list[str | None] = []
        self._due: list[bool] = []

    def rows(
        self,
        response: Response,
        read: Response,
        verdict: Verdict,
        alternatives: Alternatives,
        place: str,
    ) -> Iterator[JudgedPart]:
        """The rows of one response.

        Parameters
        ----------
        response, read : Response
            As it was given, and with the answer that is compared.
        verdict : Verdict
            That on the whole.
        alternatives : sequence of (value, weight)
            What is acceptable, as read; empty if nothing is.
        place : str
            Where the response comes from.
        """
        if verdict.outcome == UNGRADED:
            yield self._row(None, verdict, response, response.response)
            return
        silent = verdict.outcome == UNANSWERED
        value = None if silent or response.error else read.response
        unreadable = not silent and (bool(response.error) or not self._is_set(value))
        weight, parts = self._nearest(value, alternatives)
        sure = self._confidences(
            response.confidence, None if unreadable else value, place
        )
        is_due = any(part.code != NOT_ASKED for part in parts)
        if not parts:
            whole = verdict if unreadable else _SILENT
            response = replace(response, confidence=sure(None))
            yield self._row(None, whole, response, None, is_due=unreadable)
        for part in parts:
            judged = _verdict(part, weight)
            if not part.is_given and (silent or unreadable):
                judged = verdict
            sureness = sure(None if unreadable else part)
            yield self._row(
                *(part.name, judged, self._with(response, part, sureness), part.value),
                is_due=is_due,
            )

    def _row(
        self,
        part: str | None,
        verdict: Verdict,
        response: Response,
        value: Any,
        *,
        is_due: bool = True,
    ) -> JudgedPart:
        self._parts.append(part)
        self._due.append(is_due)
        return JudgedPart(part, verdict, response, value)

    def _with(self, response: Response, part: AnswerPart, sureness: Any) -> Response:
        row = replace(response, confidence=sureness)
        column = self._comparator.of_parts
        return replace(row, extra={column: part.short, **row.extra}) if column else row

    def column(self) -> Any:
        """The part of each row."""
        return objects(self._parts, len(self._parts))

    def due(self) -> Any:
        """Whether anything was asked for in the whole of each row."""
        return np.array(self._due, bool)

    def _parted(self, value: Any, reference: Any) -> list[AnswerPart] | None:
        return self._comparator.taken_apart(response=value, reference=reference)

    def _is_set(self, value: Any) -> bool:
        return self._parted(value, self._empty) is not None

    def _nearest(
        self, value: Any, alternatives: Alternatives
    ) -> tuple[float, list[AnswerPart]]:
        """The parts by the alternative that earns most, the first of equal ones."""
        best: tuple[float, list[AnswerPart]] | None = None
        most = -1.0
        for reference, weight in alternatives or [(self._empty, 1.0)]:
            parts = self._parted(value, reference)
            if parts is None:  # nothing that could be read
                parts = self._parted(None, reference) or []
            if (near := weight * f1(parts)) > most:
                best, most = (weight, parts), near
        return best or (1.0, [])

    def _confidences(self, given: Any, value: Any, place: str) -> Any:
        """What tells the confidence of each part, and of what has none (None)."""
        listed = isinstance(given, list | tuple)
        if not (listed or isinstance(given, Mapping)):
            return lambda part: given if part is None or part.is_given else None
        surest = max(given if listed else given.values(), default=None)
        if not listed:
            named = {self._comparator.part_name(str(k)): v for k, v in given.items()}
            return lambda part: surest if part is None else _of_name(named, part)
        if value is not None and len(given) != self._comparator.n_elements(value):
            need = (
                f"have a number for each of {self._comparator.n_elements(value)} parts"
            )
            raise InputError(place, "confidence", need, shown(list(given)))
        return lambda part: (
            surest
            if part is None
            else max((given[k] for k in part.places), default=None)
        )


def _of_name(named: Mapping[str, Any], part: AnswerPart) -> Any:
    if not part.is_given:
        return None
    names = (part.name, part.short, part.name.partition("=")[0])
    return next((named[name] for name in names if name in named), None)


def _verdict(part: AnswerPart, weight: float) -> Verdict:
    if part.is_right:
        return Verdict(RIGHT, weight, part.reason, part.code)
    outcome = WRONG if part.is_given else UNANSWERED
    return Verdict(outcome, 0.0, part.reason, part.code)
