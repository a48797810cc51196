"""Submissions to the shared task EHRSQL 2024: a query for each question, or "null"."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from demur.errors import InputError, ParseError, shown
from demur.formats.json_documents import json_mapping
from demur.formats.streams import ZIP, Stream
from demur.formats.zips import Archive
from demur.logs.readers import MEANINGS, ItemReader, LogNotes
from demur.logs.second_files import json_file, json_whole

_NONE: Final = "null"
_MEMBER: Final = "prediction.json"


@dataclass(frozen=True, repr=False)
class EhrsqlFile(ItemReader):
    """Submissions to EHRSQL 2024, a JSON object or the archive that holds it.

    Parameters
    ----------
    labels : str
        The file of right queries (``label.json``), which says what is unanswerable.
    scores : str
        The scores by item, as the scoring program gives them: 1, 0 or -1.
    missing : {"unanswered", "wrong", "right", "ungraded", "leave_out"}
        What a labelled question that is not in the submission means.
    """

    name: ClassVar[str] = "ehrsql"
    title: ClassVar[str] = "a submission to EHRSQL"
    rows: ClassVar[str] = "question"
    archives: ClassVar[bool] = True
    statuses: ClassVar[Mapping[str, tuple[str, ...]]] = {"missing": MEANINGS}

    labels: str = ""
    scores: str = ""
    missing: str = "unanswered"

    def items(
        self, stream: Stream, notes: LogNotes
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """The questions, judged if there are scores."""
        if stream.head.startswith(ZIP):
            place = f"{stream.name}: {_MEMBER}"
            given = json_mapping(place, Archive(stream).read(_MEMBER))
        else:
            given = json_whole(stream)
        labels = json_file(self.labels, stream.max_size) if self.labels else {}
        scores = json_file(self.scores, stream.max_size) if self.scores else {}
        foreign = given.keys() - labels.keys() if labels else ()
        if foreign:
            notes.add(f"{len(foreign):,} questions have no label: left out")
        absent = len(labels.keys() - given.keys())
        if absent:
            notes.add(f"{absent:,} questions have no prediction: {self.missing}")
        for number, item in enumerate(labels or given, 1):
            place = f"{stream.name}: question {item}"
            record: dict[str, Any] = {"item": item, "response": None}
            if item in labels:
                label = _query(labels[item], f"{self.labels}: {item}")
                record |= {"answerable": label is not None}
                record |= {} if label is None else {"sql": label}
            if item not in given:
                yield number, record | {"outcome": self.missing}
                continue
            query = _query(given[item], place)
            record["response"] = query
            if self.scores:
                record |= _judged(query, scores.get(item), f"{self.scores}: {item}")
            yield number, record


def _query(value: Any, place: str) -> str | None:
    """A query, None for the text null, which stands for no answer."""
    if not isinstance(value, str):
        raise ParseError(place, "the query", 'be a text, or "null"', shown(value))
    return None if value.strip().lower() in ("", _NONE) else value


def _judged(query: str | None, score: Any, place: str) -> dict[str, Any]:
    if isinstance(score, bool) or score not in (1, 0, -1):
        raise InputError(place, "the score", "be 1, 0 or -1", shown(score))
    if query is None:
        return {"outcome": "unanswered", "answerable": score == 0}
    return {"outcome": "right" if score == 1 else "wrong"}
