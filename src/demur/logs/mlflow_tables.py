"""Tables of MLflow: those of its evaluations, and those that are logged."""

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import chain, islice
from typing import Any, ClassVar, Final

from demur.errors import InputError, shown
from demur.formats.json_documents import json_value
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
from demur.outcomes.fields import OUTCOMES, also_called

_QUESTIONS: Final = ("inputs", "input", "request", "question")
_ANSWERS: Final = ("outputs", "predictions", "prediction", "response", "answer")
_REFERENCES: Final = (
    *("ground_truth", "targets", "target", "reference", "expected_response/value"),
)
_IDS: Final = (*IDS, "client_request_id", "trace_id")
_VERDICTS: Final = ("correct", *also_called("correct"))
_ENDINGS: Final = ("/score", "/value")
_LOOKED_AT: Final = 50
_LONGEST: Final = 10_000
_NO_OUTCOME: Final = {"none": "unanswered", "declined": "unanswered"}


@dataclass(frozen=True, repr=False)
class MLflowTable(MetricReader):
    """Tables of MLflow: split (``columns``, ``data``), or as pandas wrote them.

    Parameters
    ----------
    item : str
        Where the item stands, or ``row``, its number.
    metric, threshold, declined, no_answer, confidence, ungraded
        As for `MetricReader`, of columns: ``correct`` is ``correct/value`` too.
    """

    name: ClassVar[str] = "mlflow"
    title: ClassVar[str] = "a table of MLflow"
    parquet: ClassVar[bool] = True
    rows: ClassVar[str] = "row"

    item: str = ""

    def items(
        self, stream: Stream, notes: LogNotes
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rows of a table; those that stand there again are left out."""
        rows = _rows(stream, notes)
        first = list(islice(rows, _LOOKED_AT))
        metrics = {} if any("outcome" in row for row in first) else _metrics(first)
        if first and not metrics:
            known = (*_QUESTIONS, *_ANSWERS, "outcome")
            check_columns(stream.name, chain.from_iterable(first), known)
        scores = MetricScores(self.name, asdict(self), notes)
        wanted = scores.metric({**metrics, **_short(metrics, self.metric)}, stream.name)
        metric = wanted if wanted in metrics else f"{wanted}/value"
        metric = metric if metric in metrics else f"{wanted}/score"
        items = ItemColumn(self.name, self.item, _IDS, notes)
        sure, every = confidence_reader(
            self.name, self.confidence, chain(first, rows), notes
        )
        for number, row in enumerate(every, 1):
            place = f"{stream.name}: row {number}"
            response = _plain(first_of(row, _ANSWERS))
            record = {
                "item": items.item(row, number, place),
                "input": _plain(first_of(row, _QUESTIONS)),
                "response": response,
                "reference": _plain(first_of(row, _REFERENCES)),
                "confidence": sure(row, place),
            }
            record = {k: v for k, v in record.items() if v is not None}
            record.setdefault("response", None)
            if wanted:
                record |= scores.outcome(row.get(metric), response, row, place)
            elif "outcome" in row:
                record["outcome"] = _outcome(row["outcome"])
            yield number, record


def _metrics(first: list[Mapping[str, Any]]) -> dict[str, None]:
    """Columns that hold scores, by their names and what stands in them."""
    names = dict.fromkeys(chain.from_iterable(first))
    return {
        name: None
        for name in names
        if (name in _VERDICTS or name.endswith(_ENDINGS))
        and not name.startswith(("expected_", "guidelines"))
        and all(is_score(row.get(name)) for row in first)
    }


def _short(metrics: Mapping[str, None], wanted: str) -> dict[str, None]:
    """The metric that is wanted, if it is named without the end of its column."""
    short = {name.removesuffix(end) for name in metrics for end in _ENDINGS}
    return {wanted: None} if wanted in short else {}


def _outcome(value: Any) -> Any:
    text = str(value).lower() if value is not None else "none"
    return text if text in OUTCOMES else _NO_OUTCOME.get(text, value)


def _rows(stream: Stream, notes: LogNotes) -> Iterator[Mapping[str, Any]]:
    head = stream.head
    if not (head.startswith(b"{") and b'"columns"' in head and b'"data"' in head):
        yield from table_rows(stream, notes)
        return
    table = json_value(stream.name, stream.whole())
    columns, data = table.get("columns"), table.get("data")
    if not (isinstance(columns, list) and isinstance(data, list)):
        need, got = "have a list of columns and one of data", shown(columns)
        raise InputError(stream.name, "the table", need, got)
    seen: set[str] = set()
    for number, row in enumerate(data, 1):
        if not isinstance(row, list) or len(row) != len(columns):
            need = f"have {len(columns)} values"
            raise InputError(f"{stream.name}: row {number}", "it", need, shown(row))
        text = json.dumps([_alike(value) for value in row])
        if text not in seen:
            yield dict(zip(map(str, columns), row, strict=True))
        seen.add(text)
    if len(seen) < len(data):
        again = f"{len(data) - len(seen):,} rows that stand there again are left out"
        notes.add(f"{again} (log_table appends)")


def _alike(value: Any) -> Any:
    """A value in which 1, 1.0 and true are one; large whole numbers stay exact."""
    is_whole = isinstance(value, float) and value.is_integer()
    return int(value) if is_whole or isinstance(value, bool) else value


def _plain(value: Any) -> Any:
    """The one text in an object, or in what Python writes for it."""
    is_written = isinstance(value, str) and value.startswith("{") and value[-1:] == "}"
    if is_written and len(value) < _LONGEST:
        try:
            value = ast.literal_eval(value)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return value
    if isinstance(value, dict) and len(value) == 1:
        return next(iter(value.values()))
    return value
