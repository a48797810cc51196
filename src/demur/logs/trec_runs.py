"""Runs of TREC with judgements: a query is an item, its first document the answer."""

import math
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from demur.errors import InputError, ParseError, shown
from demur.formats.streams import Stream
from demur.logs.readers import MEANINGS, ItemReader, LogNotes
from demur.logs.second_files import lines_of_file, needed, text_lines
from demur.outcomes.values import plain_float

_CELLS: Final = 6
_JUDGED: Final = 4

_Top = tuple[float, str, int, float]
"""Score of a document as the tools hold it, its name, its line, and the score."""


@dataclass(frozen=True, repr=False)
class TrecRun(ItemReader):
    """Runs as trec_eval and ir_measures read them, judged by their first document.

    First is the document of the highest score, whatever its rank says; of equal scores
    the last name, as the tools have it.

    Parameters
    ----------
    qrels : str
        The file of judgements, ``QUERY 0 DOCUMENT GRADE``.
    relevant : str
        From which grade on a document is right.
    missing : {"unanswered", "wrong", "right", "ungraded", "leave_out"}
        What a query of the judgements without a document in the run means.
    """

    name: ClassVar[str] = "trec"
    title: ClassVar[str] = "a run of TREC"
    statuses: ClassVar[Mapping[str, tuple[str, ...]]] = {"missing": MEANINGS}

    qrels: str = ""
    relevant: str = "1"
    missing: str = "unanswered"

    def items(
        self, stream: Stream, notes: LogNotes
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """The queries that were judged, each with the first document of the run."""
        if not self.qrels:
            what = "the judgements"
            raise needed(stream.name, self.name, "qrels", what, "FILE.qrels")
        judged = self._judgements(stream.max_size)
        runs, ties, last = _first_documents(stream)
        foreign = {query for tops in runs.values() for query in tops} - judged.keys()
        if ties:
            rule = "the last name is first, as trec_eval has it"
            notes.add(
                f"{ties:,} queries have several documents of the best score: {rule}"
            )
        if foreign:
            notes.add(f"{len(foreign):,} queries have no judgements: left out")
        for system, tops in runs.items():
            absent = len(judged.keys() - tops.keys())
            if absent:
                notes.add(
                    f"{absent:,} queries have no document of {system}: {self.missing}"
                )
            for query, right in judged.items():
                number = tops[query][2] if query in tops else last
                yield number, self._record(system, query, tops.get(query), right)

    def _judgements(self, max_size: int) -> dict[str, list[str]]:
        """The relevant documents of each query."""
        limit = plain_float(self.relevant)
        if limit is None or math.isnan(limit):
            need = "be a number"
            raise InputError(self.name, "relevant", need, shown(self.relevant))
        judged: dict[str, list[str]] = {}
        for place, line in lines_of_file(self.qrels, max_size):
            cells = line.split()
            grade = plain_float(cells[3]) if len(cells) == _JUDGED else None
            if grade is None or math.isnan(grade):
                need = "be QUERY 0 DOCUMENT GRADE"
                raise ParseError(place, "the line", need, shown(line.strip()))
            documents = judged.setdefault(cells[0], [])
            if grade >= limit:
                documents.append(cells[2])
        return judged

    def _record(
        self, system: str, query: str, top: _Top | None, right: list[str]
    ) -> dict[str, Any]:
        record: dict[str, Any] = {"item": query, "system": system}
        if right:
            record["references"] = right
        if top is None:
            return record | {"response": None, "outcome": self.missing}
        _, document, _, score = top
        outcome = "right" if document in right else "wrong"
        return record | {
            "response": document,
            "confidence": score,
            "outcome": outcome,
        }


def _single(score: float) -> float:
    """A score as trec_eval holds it, in single precision, in which more are equal."""
    return array("f", [score])[0]


def _first_documents(stream: Stream) -> tuple[dict[str, dict[str, _Top]], int, int]:
    """First documents by run and query; how many are tied; the last line."""
    runs: dict[str, dict[str, _Top]] = {}
    tied: set[tuple[str, str]] = set()
    last = 1
    for number, line in text_lines(stream):
        cells = line.split()
        score = plain_float(cells[4]) if len(cells) == _CELLS else None
        if score is None or not math.isfinite(score):
            need = "be QUERY Q0 DOCUMENT RANK SCORE RUN"
            place = f"{stream.name}:{number}"
            raise ParseError(place, "the line", need, shown(line.strip()))
        query, document, system, last = cells[0], cells[2], cells[5], number
        tops = runs.setdefault(system, {})
        before = tops.get(query)
        held = _single(score)
        if before is None or (held, document) > before[:2]:
            tops[query] = (held, document, number, score)
        if before is not None and held >= before[0]:
            same = held == before[0]
            (tied.add if same else tied.discard)((system, query))
    return runs, len(tied), last
