"""Answers in the form of QALD, compared as sets with those of a gold file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import msgspec

from demur.errors import InputError, ParseError, shown
from demur.formats.streams import Stream
from demur.logs.readers import MEANINGS, ItemReader, LogNotes
from demur.logs.second_files import json_file, json_whole

_CREDIT: Final = "credit"

_Set = frozenset[tuple[str, ...]]


class _Questions(msgspec.Struct):
    questions: list[dict[str, Any]]


@dataclass(frozen=True, repr=False)
class QaldFile(ItemReader):
    """Answers to QALD, as its challenges take them.

    Parameters
    ----------
    gold : str
        The file with the right answers; without it answers are not judged.
    partly : {"wrong", "credit"}
        What an answer with some of the right values means: wrong, or right with its F1
        as credit.
    missing : {"unanswered", "wrong", "right", "ungraded", "leave_out"}
        What a question without an answer means; a query that finds nothing is one.
    """

    name: ClassVar[str] = "qald"
    title: ClassVar[str] = "answers of QALD"
    rows: ClassVar[str] = "question"
    statuses: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "partly": ("wrong", _CREDIT),
        "missing": MEANINGS,
    }

    gold: str = ""
    partly: str = "wrong"
    missing: str = "unanswered"

    def items(
        self, stream: Stream, notes: LogNotes
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """The questions with what the system answered."""
        answered = _by_id(stream.name, json_whole(stream, _Questions))
        if not self.gold:
            for number, (item, question) in enumerate(answered.items(), 1):
                values = _values(question, f"{stream.name}: question {item}")
                rows = None if values is None else _shown(values)
                record = {"item": item, "input": _asked(question), "response": rows}
                yield number, record
            return
        gold = _by_id(self.gold, json_file(self.gold, stream.max_size, _Questions))
        foreign = answered.keys() - gold.keys()
        if foreign:
            notes.add(f"{len(foreign):,} questions are not in the gold file: left out")
        absent = len(gold.keys() - answered.keys())
        if absent:
            notes.add(f"{absent:,} questions are not in the file: {self.missing}")
        for number, (item, question) in enumerate(gold.items(), 1):
            right = _values(question, f"{self.gold}: question {item}") or frozenset()
            record = {"item": item, "input": _asked(question)}
            given = answered.get(item, {})
            values = _values(given, f"{stream.name}: question {item}")
            yield (
                number,
                record | {"reference": _shown(right)} | self._judged(values, right),
            )

    def _judged(self, values: _Set | None, right: _Set) -> dict[str, Any]:
        if values is None:
            return {"response": None, "outcome": self.missing}
        both, either = len(values & right), len(values) + len(right)
        credit = 2 * both / either if either else 1.0
        record: dict[str, Any] = {"response": _shown(values)}
        if credit == 1 or (credit and self.partly == _CREDIT):
            return record | {"outcome": "right", "credit": credit}
        return record | {"outcome": "wrong"}


def _by_id(name: str, held: _Questions) -> dict[str, dict[str, Any]]:
    questions: dict[str, dict[str, Any]] = {}
    for number, question in enumerate(held.questions, 1):
        item = question.get("id")
        if not isinstance(item, (str, int)) or str(item) in questions:
            need = "be a text or a number, each once"
            raise InputError(f"{name}: question {number}", "id", need, shown(item))
        questions[str(item)] = question
    return questions


def _asked(question: Mapping[str, Any]) -> str | None:
    """The question in English, or in its first language."""
    texts = question.get("question")
    listed = (
        [t for t in texts if isinstance(t, dict)] if isinstance(texts, list) else []
    )
    english = [text for text in listed if text.get("language") == "en"]
    text = (english or listed or [{}])[0].get("string")
    return text if isinstance(text, str) else None


def _values(question: Mapping[str, Any], place: str) -> _Set | None:
    """The rows of an answer as a set; None if there is no answer."""
    answers = question.get("answers")
    if not answers:
        return None
    try:
        [answer] = answers
        if "boolean" in answer:
            return frozenset([("true" if answer["boolean"] else "false",)])
        bindings = answer["results"]["bindings"]
        if not bindings and not (question.get("query") or {}).get("sparql"):
            return None
        return frozenset(
            tuple(str(row[name]["value"]) for name in sorted(row)) for row in bindings
        )
    except (TypeError, KeyError, ValueError, AttributeError):
        need = "be a list of one result of SPARQL in JSON"
        raise ParseError(place, "answers", need, shown(answers)) from None


def _shown(values: _Set) -> list[Any]:
    return [row[0] if len(row) == 1 else list(row) for row in sorted(values)]
