"""Results of Ragas, as ``to_pandas`` gives them and pandas writes them."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import chain, islice
from typing import Any, ClassVar, Final

from demur.formats.streams import Stream
from demur.logs.confidences import confidence_reader
from demur.logs.metric_scores import MetricReader, MetricScores, is_score
from demur.logs.metric_tables import (
    IDS,
    ItemColumn,
    check_columns,
    first_of,
    table_rows,
)
from demur.logs.readers import LogNotes

_QUESTIONS: Final = ("user_input", "question")
_ANSWERS: Final = ("response", "answer")
_REFERENCES: Final = ("reference", "ground_truth")
_OF_SAMPLES: Final = frozenset(
    [
        *(*_QUESTIONS, *_ANSWERS, *_REFERENCES, *IDS, "confidence", "system"),
        *("retrieved_contexts", "reference_contexts", "contexts", "ground_truths"),
        *("retrieved_context_ids", "reference_context_ids", "multi_responses"),
        *("rubrics", "persona_name", "query_style", "query_length"),
        *("reference_tool_calls", "reference_topics", "synthesizer_name"),
    ]
)
"""Columns that are no metric."""

_LOOKED_AT: Final = 50


@dataclass(frozen=True, repr=False)
class RagasTable(MetricReader):
    """Results of Ragas as a table, in whatever form pandas wrote it.

    Parameters
    ----------
    item : str
        Where the item stands, or ``row``, its number.
    metric, threshold, declined, no_answer, confidence, ungraded
        As for `MetricReader`, of columns.
    """

    name: ClassVar[str] = "ragas"
    title: ClassVar[str] = "a table of Ragas"
    parquet: ClassVar[bool] = True
    rows: ClassVar[str] = "row"

    item: str = ""

    def items(
        self, stream: Stream, notes: LogNotes
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows of a table."""
        rows = table_rows(stream, notes)
        first = list(islice(rows, _LOOKED_AT))
        names = dict.fromkeys(chain.from_iterable(first))
        if first:
            check_columns(stream.name, names, (*_QUESTIONS, *_ANSWERS))
        held = {name: [row.get(name) for row in first] for name in names}
        metrics = [
            name
            for name, values in held.items()
            if name not in _OF_SAMPLES and all(map(is_score, values))
        ]
        scores = MetricScores(self.name, asdict(self), notes)
        metric = scores.metric(metrics, stream.name)
        items = ItemColumn(self.name, self.item, IDS, notes)
        sure, every = confidence_reader(
            self.name, self.confidence, chain(first, rows), notes
        )
        for number, row in enumerate(every, 1):
            place = f"{stream.name}: row {number}"
            response = first_of(row, _ANSWERS)
            record = {
                "item": items.item(row, number, place),
                "input": first_of(row, _QUESTIONS),
                "response": response,
                "reference": first_of(row, _REFERENCES),
                "confidence": sure(row, place),
            }
            if row.get("system"):
                record["system"] = row["system"]
            if metric:
                record |= scores.outcome(row.get(metric), response, row, place)
            yield number, {k: v for k, v in record.items() if _kept(k, v)}


def _kept(name: str, value: Any) -> bool:
    return value is not None or name in ("item", "response")
