"""Reports of Rasa: messages with their intents, or their keys of responses."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from demur.errors import InputError, shown
from demur.formats.json_documents import json_objects
from demur.formats.streams import Stream
from demur.logs.readers import MEANINGS, ItemReader, LogNotes
from demur.outcomes.values import plain_float

_FORMS: Final = (
    ("intent", "intent_prediction"),
    ("intent_response_key_target", "intent_response_key_prediction"),
)
_TEXT: Final = "text"
_TEXT_AND_INTENT: Final = "text_and_intent"
_DECLINED: Final = "declined"


@dataclass(frozen=True, repr=False)
class RasaReports(ItemReader):
    """Messages of ``rasa test nlu --successes``: errors and successes, both files.

    Parameters
    ----------
    threshold : str
        That of the FallbackClassifier: less sure predictions are declined. The test of
        Rasa undoes it, so it is applied again here.
    fallback : str
        The intent that means no answer.
    item : {"text", "text_and_intent"}
        What names a message: its text, and its intent where texts recur.
    below : {"unanswered", "declined", "wrong", "right", "ungraded", "leave_out"}
        What a prediction below the threshold means; declined keeps its verdict, and
        says that the system did not give it.
    no_intent : {"unanswered", "wrong", "right", "ungraded", "leave_out"}
        What it means if no intent, or the fallback, is predicted.
    """

    name: ClassVar[str] = "rasa"
    title: ClassVar[str] = "a report of Rasa"
    apart: ClassVar[Mapping[str, str]] = {"item": _TEXT_AND_INTENT}
    statuses: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "item": (_TEXT, _TEXT_AND_INTENT),
        "below": (*MEANINGS, _DECLINED),
        "no_intent": MEANINGS,
    }

    threshold: str = ""
    fallback: str = "nlu_fallback"
    item: str = _TEXT
    below: str = "unanswered"
    no_intent: str = "unanswered"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.threshold and plain_float(self.threshold) is None:
            need = "be a number"
            raise InputError(self.name, "threshold", need, shown(self.threshold))

    def items(
        self, stream: Stream, notes: LogNotes
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """The messages."""
        limit = plain_float(self.threshold) if self.threshold else None
        seen: dict[tuple[str, str], int] = {}
        is_right = False
        for number, row in json_objects(stream, dict[str, Any]):
            place = f"{stream.name}:{number}"
            text, intent, predicted, confidence = _message(row, place)
            name = f"{text} [{intent}]" if self.item != _TEXT else text
            time = seen[text, intent] = seen.get((text, intent), 0) + 1
            record: dict[str, Any] = {
                "item": name,
                "repeat": None if time == 1 else str(time),
                "input": text,
                "response": predicted or None,
                "reference": intent,
                "confidence": confidence,
                "outcome": "right" if predicted == intent else "wrong",
                "intent": intent,
            }
            is_right |= predicted == intent
            if predicted != intent and predicted in ("", self.fallback):
                record["outcome"] = self.no_intent
            elif limit is not None and confidence is not None:
                below = confidence < limit
                if self.below == _DECLINED:
                    record["declined"] = below
                elif below:
                    record["outcome"] = self.below
            yield number, record
        if seen and not is_right:
            notes.add(
                f"{stream.name} holds errors alone; what was right is in the file of "
                "successes (rasa test nlu --successes), and both go together"
            )
        if limit is None:
            notes.add(
                "Rasa's test takes back what its FallbackClassifier declines: "
                "--log 'rasa(threshold=0.3)' declines again, by the threshold of the "
                "pipeline's config.yml"
            )


def _message(row: Mapping[str, Any], place: str) -> tuple[str, str, str, float | None]:
    """Text, what is right, what was predicted, and how sure that was."""
    for target, prediction in _FORMS:
        if target in row and prediction in row:
            break
    else:
        need, got = "have an intent and its prediction", shown(list(row)[:5])
        raise InputError(place, "a message", need, got)
    held = row[prediction]
    if not isinstance(held, dict):
        raise InputError(place, prediction, "be an object", shown(held))
    texts = {"text": row.get("text"), target: row[target], "name": held.get("name")}
    for name, value in texts.items():
        if not isinstance(value, str) and (value is not None or name == "text"):
            raise InputError(place, name, "be a text", shown(value))
    confidence = held.get("confidence")
    is_number = isinstance(confidence, (int, float)) and not isinstance(
        confidence, bool
    )
    if confidence is not None and not is_number:
        raise InputError(place, "confidence", "be a number", shown(confidence))
    if confidence is not None and confidence != confidence:
        confidence = None
    return row["text"], row[target] or "", held.get("name") or "", confidence
