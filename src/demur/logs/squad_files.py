"""Predictions for SQuAD 2.0 and for squad_v2 of Hugging Face, with their data."""

import re
import string
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from demur.errors import InputError, ParseError, shown
from demur.formats.beginnings import keys_of
from demur.formats.json_documents import json_mapping
from demur.formats.streams import Stream, opened
from demur.logs.readers import MEANINGS, ItemReader, LogNotes
from demur.logs.second_files import json_file, json_whole, text_lines
from demur.outcomes.values import plain_float

_ARTICLES: Final = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION: Final = frozenset(string.punctuation)

_Question = dict[str, Any]
_Prediction = tuple[int, str, str | None, float | None]
"""Its line or number, the item, the text, and the chance that there is no answer."""


@dataclass(frozen=True, repr=False)
class SquadFile(ItemReader):
    """Predictions as the evaluation script of SQuAD 2.0 and squad_v2 take them.

    Parameters
    ----------
    data : str
        The data set in the form of SQuAD 2.0, or references of squad_v2 as JSON Lines;
        without it predictions are not judged.
    na_prob : str
        The file with the chance that there is no answer, by item.
    threshold : str
        Answers with a chance of none above it are withheld, as by the script.
    empty : {"unanswered", "wrong", "right", "ungraded", "leave_out"}
        What an empty prediction means.
    missing : {"unanswered", "wrong", "right", "ungraded", "leave_out"}
        What a question without a prediction means.
    """

    name: ClassVar[str] = "squad2"
    title: ClassVar[str] = "predictions of SQuAD 2.0"
    statuses: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "empty": MEANINGS,
        "missing": MEANINGS,
    }

    data: str = ""
    na_prob: str = ""
    threshold: str = ""
    empty: str = "unanswered"
    missing: str = "unanswered"

    def items(
        self, stream: Stream, notes: LogNotes
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """The predictions, judged if there are data; of data alone the questions."""
        questions, predictions = _parts(stream)
        if questions:
            yield from enumerate(questions.values(), 1)
            return
        chances = self._chances(stream.max_size)
        predictions = [
            (n, item, text, chances.get(item, chance))
            for n, item, text, chance in predictions
        ]
        if not self.data:
            for number, item, text, chance in predictions:
                yield number, {"item": item, "response": text} | _sure(chance)
            return
        with opened(self.data, stream.max_size) as second:
            known, _ = _parts(second)
        if not known:
            need = "be the data of SQuAD 2.0, or references of squad_v2"
            raise InputError(self.name, "data", need, shown(self.data))
        order = {item: at for at, item in enumerate(chances)}
        yield from self._judged(predictions, known, order, notes)

    def _chances(self, max_size: int) -> dict[str, float]:
        if not self.na_prob:
            return {}
        held = json_file(self.na_prob, max_size)
        return {
            item: _chance(value, self.na_prob, item) for item, value in held.items()
        }

    def _judged(
        self,
        predictions: Sequence[_Prediction],
        known: Mapping[str, _Question],
        order: Mapping[str, int],
        notes: LogNotes,
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        limit = _limit(self.threshold)
        scored: list[_Scored] = []
        met: set[str] = set()
        partly = 0
        for number, item, text, chance in predictions:
            if item not in known:
                need, hint = "be one of the data", "Is it the right file of data?"
                raise InputError(f"{self.name}: {item}", "item", need, "none", hint)
            met.add(item)
            question = known[item]
            right = _is_right(text or "", question)
            partly += not right and _shares_words(text or "", question)
            if chance is not None:
                at = chance, order.get(item, len(scored))
                scored.append((at, bool(question["answerable"]), right, bool(text)))
            withheld = limit is not None and chance is not None and chance > limit
            record = {**question, "response": text} | _sure(chance)
            yield number, record | self._outcome(text, right=right, withheld=withheld)
        for number, item in enumerate(known.keys() - met, len(predictions) + 1):
            yield number, {**known[item], "response": None, "outcome": self.missing}
        if len(known) > len(met):
            count = len(known) - len(met)
            notes.add(f"{count:,} questions have no prediction: {self.missing}")
        if partly:
            notes.add(
                f"wrong although they share words with a right answer: {partly:,} "
                "(right is the exact match of the script, not its F1)"
            )
        if scored and len(scored) == len(met):
            unanswerable = sum(
                not question["answerable"] for question in known.values()
            )
            notes.add(_best_threshold(scored, unanswerable))

    def _outcome(
        self, text: str | None, *, right: bool, withheld: bool
    ) -> dict[str, Any]:
        if withheld:
            return {"outcome": "unanswered", "kind": "idk", "confidence": None}
        if not _normalised(text or ""):  # to the script "the" and "." are empty
            return {"outcome": self.empty, "confidence": None, "response": None}
        return {"outcome": "right" if right else "wrong"}


def _parts(stream: Stream) -> tuple[dict[str, _Question], list[_Prediction]]:
    """The questions of data, or the predictions of a file of them."""
    keys = keys_of(stream.head)
    if "id" in keys and keys & {"prediction_text", "answers"}:
        return _of_lines(stream)
    held = json_whole(stream)
    if isinstance(held.get("data"), list):
        return _of_articles(stream.name, held["data"]), []
    return {}, [
        (number, item, _said(text, f"{stream.name}: {item}"), None)
        for number, (item, text) in enumerate(held.items(), 1)
    ]


def _of_lines(stream: Stream) -> tuple[dict[str, _Question], list[_Prediction]]:
    questions: dict[str, _Question] = {}
    predictions: list[_Prediction] = []
    for number, line in text_lines(stream):
        place = f"{stream.name}:{number}"
        held = json_mapping(place, line.encode())
        item = _item(held, place)
        if "prediction_text" in held:
            chance = held.get("no_answer_probability")
            chance = None if chance is None else _chance(chance, place, item)
            text = _said(held["prediction_text"], place)
            predictions.append((number, item, text, chance))
        else:
            _add(questions, _question(held, place), place)
    return questions, predictions


def _of_articles(name: str, articles: list[Any]) -> dict[str, _Question]:
    questions: dict[str, _Question] = {}
    for article in articles:
        try:
            asked = [qa for part in article["paragraphs"] for qa in part["qas"]]
        except (TypeError, KeyError, AttributeError):
            need = "have paragraphs with qas, as SQuAD 2.0"
            raise ParseError(name, "the data", need, shown(article)) from None
        for qa in asked:
            place = f"{name}: {_item(qa, name)}"
            _add(questions, _question(qa, place), place)
    return questions


def _add(questions: dict[str, _Question], question: _Question, place: str) -> None:
    if questions.setdefault(question["item"], question) is not question:
        need, got = "be listed once", f"{shown(question['item'])} again"
        raise InputError(place, "id", need, got)


def _item(held: Any, place: str) -> str:
    item = held.get("id") if isinstance(held, dict) else None
    if not isinstance(item, (str, int)) or item == "":
        raise ParseError(place, "id", "be a text", shown(item))
    return str(item)


def _question(held: Mapping[str, Any], place: str) -> _Question:
    """Data of one question; of a list of answers or of one with lists in it."""
    answers = held.get("answers", [])
    if isinstance(answers, dict):
        texts = answers.get("text")
    else:
        is_list = isinstance(answers, list)
        texts = (
            [a.get("text") if isinstance(a, dict) else a for a in answers]
            if (is_list)
            else None
        )
    if not isinstance(texts, list) or not all(isinstance(t, str) for t in texts):
        raise ParseError(place, "answers", "hold texts", shown(answers))
    question = held.get("question")
    record: _Question = {
        "item": _item(held, place),
        "input": question if isinstance(question, str) else None,
        "answerable": bool(texts),
    }
    # Data repeat an answer that several annotators gave.
    return record | ({"references": list(dict.fromkeys(texts))} if texts else {})


def _said(text: Any, place: str) -> str | None:
    if text is not None and not isinstance(text, str):
        hint = "Predictions are one object: its names are items, its values texts."
        raise ParseError(place, "a prediction", "be a text", shown(text), hint)
    return text or None


def _chance(value: Any, place: str, item: str) -> float:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not abs(value) <= sys.float_info.max:
        where = f"{place}: {item}"
        raise ParseError(where, "the chance of no answer", "be a number", shown(value))
    return float(value)


def _limit(text: str) -> float | None:
    if not text:
        return None
    limit = plain_float(text)
    if limit is None or limit != limit:
        raise InputError("squad2", "threshold", "be a number", shown(text))
    return limit


def _sure(chance: float | None) -> dict[str, float]:
    return {} if chance is None else {"confidence": 1 - chance}


# -- what the evaluation script says ---------------------------------------------------


def _normalised(text: str) -> str:
    """A text as the script compares it."""
    kept = "".join(sign for sign in text.lower() if sign not in _PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", kept).split())


def _is_right(text: str, question: _Question) -> bool:
    """Exact match; nothing is right where there is no answer."""
    texts = question.get("references", [])
    golds = list(filter(None, map(_normalised, texts))) or [""]
    return _normalised(text) in golds


def _shares_words(text: str, question: _Question) -> bool:
    """Whether the F1 of the script is more than 0."""
    golds = question.get("references", [])
    words = set(_normalised(text).split())
    return any(words & set(_normalised(gold).split()) for gold in golds)


_Scored = tuple[tuple[float, int], bool, bool, bool]
"""The chance of no answer and where it stands in its file; whether there is an answer,
whether the prediction is right, and whether there is one."""


def _best_threshold(scored: list[_Scored], unanswerable: int) -> str:
    """The threshold that the script finds, what it reports, and what applying it gives.

    The script goes through items one by one, ties too, in the order of the chances'
    file, and counts the one that it reaches as answered; but a set of equal chances is
    answered or withheld as a whole. It counts all questions without an answer, and
    divides by the number of predictions.
    """
    current = best = unanswerable
    threshold = 0.0
    for (chance, _), answerable, right, given in sorted(scored, key=lambda one: one[0]):
        current += right if answerable else -given
        if current > best:
            best, threshold = current, chance
    applied = sum(
        not answerable if chance > threshold else right
        for (chance, _), answerable, right, _ in scored
    )
    reported, holds = 100 * best / len(scored), 100 * applied / len(scored)
    what = f"best exact of the script: {reported:.2f} at na_prob {threshold:g}"
    if best == applied:
        return f"{what}, found on these same items; applying it gives the same"
    return f"{what}, but applying it gives {holds:.2f}"
