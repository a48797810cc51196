"""Label Studio's JSON export: tasks with annotations and predictions."""

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
from demur.metrics.tag_schemes import Span
from demur.results import with_noun

FORM: Final = "a Label Studio export"
_SIDES: Final = ("annotations", "predictions")
_HINT: Final = "Export it from Label Studio as JSON."


def recognises(head: bytes, asked: Asked) -> bool:  # noqa: ARG001
    """Whether the first object is a task with annotations or predictions."""
    if head[:1] not in (b"{", b"["):
        return False
    keys = keys_of(head)
    if "ref" in keys or "hyp" in keys:
        return False
    return any(f"{side}.result" in keys or keys >= {side, "data"} for side in _SIDES)


def read(stream: Stream, asked: Asked) -> AnnotatedFile:
    """Tasks with their spans in characters, or their choices.

    Raises
    ------
    InputError
        If a task is not as Label Studio writes it, or choices are of several controls
        and none is named.
    """
    reading = _TasksReading(asked)
    texts = [reading.task(place, task) for place, task in placed_objects(stream)]
    if len(reading.controls) > 1 and asked.kind == "labels" and not asked.layer:
        need = "be of one control, or --layer NAME one"
        got = ", ".join(sorted(reading.controls))
        raise InputError(stream.name, "the choices", need, got)
    if asked.layer and asked.layer not in reading.controls:
        need = "be the name of a control with such annotations"
        hint = f"There are {', '.join(sorted(reading.controls)) or 'none'}."
        raise InputError(stream.name, "--layer", need, shown(asked.layer), hint)
    notes = [
        f"{stream.name}: {with_noun(many, noun)} left out{why}"
        for (noun, why), many in reading.left_out.items()
    ]
    if reading.beyond:
        many = with_noun(reading.beyond, "span")
        notes.append(f"{stream.name}: {many} beyond the end of the text, counted")
    return AnnotatedFile(stream.name, FORM, CHARACTERS, texts, notes)


class _TasksReading:
    """What was left out, and whose annotations there are, while tasks are read."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.left_out: Counter[tuple[str, str]] = Counter()
        self.controls: set[str] = set()
        self.beyond = 0

    def task(self, place: str, task: Mapping[str, Any]) -> AnnotatedText:
        data = task.get("data")
        texts = [value for value in _mapping(data).values() if isinstance(value, str)]
        name = task.get("id")
        text = _mapping(data).get("text", texts[0] if len(texts) == 1 else None)
        annotated = [
            self._answer(place, entry, _who(entry.get("completed_by")))
            for entry in self._listed(place, task, "annotations")
            if not self._is_cancelled(entry)
        ]
        predicted = [
            self._answer(place, entry, str(entry.get("model_version") or ""))
            for entry in self._listed(place, task, "predictions")
        ]
        if self.asked.kind == "spans" and isinstance(text, str):
            size = len(text.encode("utf-16-le", "surrogatepass")) // 2  # as browsers do
            for answer in (*annotated, *predicted):
                self.beyond += sum(end > size for _, _, end in answer.value)
        return AnnotatedText(
            place=place,
            name="" if name is None else str(name),
            text=text,
            annotated=[entry for entry in annotated if entry.value is not None],
            predicted=predicted,
        )

    def _listed(
        self, place: str, task: Mapping[str, Any], side: str
    ) -> list[Mapping[str, Any]]:
        listed = task.get(side) or []
        if not isinstance(listed, list):
            raise InputError(place, side, "be a list", shown(listed), _HINT)
        whole = [entry for entry in listed if isinstance(entry, Mapping)]
        if len(whole) < len(listed):  # a short export has their numbers alone
            without = len(listed) - len(whole)
            self.left_out[side[:-1], ", without a result"] += without
        return whole

    def _is_cancelled(self, entry: Mapping[str, Any]) -> bool:
        if entry.get("was_cancelled"):
            self.left_out["annotation", ", cancelled"] += 1
            return True
        return False

    def _answer(self, place: str, entry: Mapping[str, Any], by: str) -> Answer:
        regions = entry.get("result") or []
        if not isinstance(regions, list) or not all(
            isinstance(region, Mapping) for region in regions
        ):
            raise InputError(place, "result", "be a list of objects", shown(regions))
        spans: list[Span] = []
        labels: list[str] = []
        of_spans = self.asked.kind == "spans"
        for region in regions:
            value = _mapping(region.get("value"))
            kinds = value.get("labels", value.get("hypertextlabels"))
            if (kinds is None) if of_spans else not _is_choice(value):
                self.left_out["result", ", of another kind"] += 1
                continue
            if of_spans and kinds == []:
                self.left_out["result", ", without a label"] += 1
                continue
            control = str(region.get("from_name") or "")
            self.controls.add(control)
            if self.asked.layer not in (None, control):
                continue
            if of_spans:
                offsets = _mapping(value.get("globalOffsets"))  # its own are paths
                spans += read_spans(place, {**value, "labels": kinds, **offsets})
            else:
                labels += map(str, value["choices"])
        held: Any = spans if of_spans else tuple(labels) or None
        return Answer(by, held, best=bool(entry.get("ground_truth")))


def _is_choice(value: Mapping[str, Any]) -> bool:
    """Whether it is about the whole text."""
    return isinstance(value.get("choices"), list) and "start" not in value


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _who(value: Any) -> str:
    """An annotator: a number, or an object with a mail address."""
    held = _mapping(value)
    if held:
        value = held.get("email") or held.get("id")
    return "" if value is None else str(value)
