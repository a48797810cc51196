"""Prodigy's JSONL: a text in each line, with spans or choices, and an answer."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from demur.errors import InputError, shown
from demur.formats.beginnings import keys_of
from demur.formats.streams import Stream
from demur.metrics.annotated_files.texts import (
    CHARACTERS,
    AnnotatedFile,
    AnnotatedText,
    Answer,
    Asked,
    placed_objects,
)
from demur.metrics.span_values import read_spans
from demur.results import with_noun

FORM: Final = "a Prodigy export"
_ANSWERS: Final = ("accept", "reject", "ignore")
_HINT: Final = "Write it with prodigy db-out."


def recognises(head: bytes, asked: Asked) -> bool:
    """Whether the first object has a text and what Prodigy says of it."""
    if head[:1] not in (b"{", b"["):
        return False
    keys = keys_of(head)
    held = {"accept", "label"} if asked.kind == "labels" else {"spans"}
    its = not keys.isdisjoint({"answer", "_input_hash"}) or "spans" in held & keys
    return "text" in keys and its and keys.isdisjoint({"ref", "hyp", "annotator"})


def read(stream: Stream, asked: Asked) -> AnnotatedFile:
    """Texts with their spans in characters, or what was chosen for them.

    Raises
    ------
    InputError
        If a line is not as Prodigy writes it.
    """
    left_out: Counter[str] = Counter()
    texts = []
    for place, record in placed_objects(stream):
        answer = record.get("answer", "accept")
        if answer not in _ANSWERS:
            need = f"be one of {', '.join(_ANSWERS)}"
            raise InputError(place, "answer", need, shown(answer), _HINT)
        binary = _is_binary(record, asked)
        value = None
        if answer == "accept" or (answer == "reject" and binary):
            value = (answer,) if binary else _found(place, record, asked)
        else:
            left_out[answer] += 1
        texts.append(_text(place, record, binary=binary, value=value))
    words = {"accept": "without a choice", "reject": "rejected", "ignore": "ignored"}
    notes = [
        f"{stream.name}: {with_noun(many, 'text')} left out, {words[answer]}"
        for answer, many in left_out.items()
    ]
    empty = sum(not text.annotated for text in texts) - left_out.total()
    if empty:
        notes.append(
            f"{stream.name}: {with_noun(empty, 'text')} left out, {words['accept']}"
        )
    return AnnotatedFile(stream.name, FORM, CHARACTERS, texts, notes)


def _text(
    place: str, record: Mapping[str, Any], *, binary: bool, value: Any
) -> AnnotatedText:
    key = record.get("_input_hash")
    name = "" if key is None else str(key)
    if binary:
        name = f"{name or record.get('text')} {record['label']}"
    by = record.get("_annotator_id") or record.get("_session_id") or ""
    return AnnotatedText(
        place=place,
        name=name,
        text=record.get("text"),
        annotated=[] if value is None else [Answer(str(by), value)],
    )


def _is_binary(record: Mapping[str, Any], asked: Asked) -> bool:
    """Whether a label is asked about, and the answer says yes or no."""
    return (
        asked.kind == "labels"
        and "accept" not in record
        and isinstance(record.get("label"), str)
    )


def _found(place: str, record: Mapping[str, Any], asked: Asked) -> Any:
    name = "spans" if asked.kind == "spans" else "accept"
    listed = record.get(name) or []
    if not isinstance(listed, list):
        raise InputError(place, name, "be a list", shown(listed), _HINT)
    if asked.kind == "spans":
        return [span for entry in listed for span in read_spans(place, entry)]
    return tuple(map(str, listed)) or None
