"""Test runs and evaluation results of DeepEval."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Final, Literal

import msgspec

from demur.errors import InputError, shown
from demur.formats.json_documents import json_value
from demur.formats.streams import Stream
from demur.logs.confidences import confidence_reader
from demur.logs.metric_scores import MetricReader, MetricScores
from demur.logs.readers import LogNotes

OWN: Final = "success"
"""A threshold that is the one of the metric in the log."""


def _cases(rename: Literal["camel"] | None) -> Any:
    """A test case with its metrics; one of the two files writes names in camel case."""
    names = ("name", "threshold", "success", "score", "reason", "error")
    fields: list[Any] = [(name, Any, None) for name in names]
    metric = msgspec.defstruct("MetricData", fields, rename=rename)
    names = ("name", "order", "index", "input", "actual_output", "expected_output")
    fields = [(name, Any, None) for name in names]
    fields.append(("metadata", dict[str, Any] | None, None))
    fields.append(("additional_metadata", dict[str, Any] | None, None))
    fields.append(("metrics_data", list[metric] | None, None))  # type: ignore[valid-type]
    fields.append(("turns", msgspec.Raw | None, None))
    return msgspec.defstruct("TestCase", fields, rename=rename)


class _Run(msgspec.Struct):
    """What is read of a file; it has the first or the second."""

    testCases: list[_cases("camel")] | None = None  # type: ignore[valid-type]  # noqa: N815
    test_results: list[_cases(None)] | None = None  # type: ignore[valid-type]
    identifier: Any = None
    hyperparameters: dict[str, Any] | None = None
    conversationalTestCases: list[msgspec.Raw] | None = None  # noqa: N815


@dataclass(frozen=True, repr=False)
class DeepEvalRun(MetricReader):
    """Test runs of DeepEval (``results_folder``) and dumps of ``EvaluationResult``.

    Parameters
    ----------
    metric, threshold, declined, no_answer, confidence, ungraded
        As for `MetricReader`. The threshold may be ``success``: as the metric says.
        What declines is said of scores and metadata, and so is the confidence:
        ``Answered < 0.5``, ``metadata.confidence``.
    """

    name: ClassVar[str] = "deepeval"
    title: ClassVar[str] = "a test run of DeepEval"
    rows: ClassVar[str] = "test case"

    def items(
        self, stream: Stream, notes: LogNotes
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """The test cases of a run."""
        run = json_value(stream.name, stream.whole(), _Run)
        cases = [*(run.testCases or ()), *(run.test_results or ())]
        talks = [case for case in cases if case.turns and bytes(case.turns) != b"null"]
        n_talks = len(talks) + len(run.conversationalTestCases or ())
        if n_talks:
            notes.add(f"left out, as they are conversations: {n_talks:,} test cases")
        system = run.identifier or (run.hyperparameters or {}).get("model")
        options = asdict(self)
        if self.threshold == OWN:
            options["threshold"] = ""
        scores = MetricScores(self.name, options, notes)
        held = (_fields(case) for case in cases if case not in talks)
        path = self.confidence
        confidence, rows = confidence_reader(
            self.name, path, held, notes, ("metadata",)
        )
        for number, case in enumerate(rows, 1):
            place = f"{stream.name}: test case {number}"
            record = self._record(case, scores, number, place)
            if system is not None:
                record["system"] = str(system)
            sure = confidence(case, place)
            yield number, record if sure is None else record | {"confidence": sure}

    def _record(
        self, case: Mapping[str, Any], scores: MetricScores, number: int, place: str
    ) -> dict[str, Any]:
        name, response = case["name"], case["actual_output"]
        record = {
            "item": name if isinstance(name, (str, int)) else number,
            "input": case["input"],
            "response": response,
        }
        if case["expected_output"] is not None:
            record["reference"] = case["expected_output"]
        if not case["metrics"]:
            return record
        data = case["metrics"][scores.metric(case["metrics"], place)]
        row = {**(case["metadata"] or {}), **case["scores"]}
        score = self._score(data, place)
        reason = data.error or data.reason
        reasons = {"reason": None if reason is None else str(reason)}
        return record | reasons | scores.outcome(score, response, row, place)

    def _score(self, data: Any, place: str) -> Any:
        if data.error or data.score is None:
            return None
        if self.threshold == OWN:
            return bool(data.success)
        passed = [data.score, data.threshold, data.success]
        if all(isinstance(value, (int, float)) for value in passed):
            reached = data.score >= data.threshold
            if reached is not bool(data.success) and not self.threshold:
                need = "be a credit: higher is better"
                got = f"{shown(data.name)}, of which lower scores succeed"
                hint = "As it says itself: --log 'deepeval(threshold=success)'."
                raise InputError(place, "the metric", need, got, hint)
        return data.score


def _fields(case: Any) -> dict[str, Any]:
    held: dict[str, Any] = {
        name: getattr(case, name)
        for name in ("name", "input", "actual_output", "expected_output")
    }
    held["metadata"] = case.metadata or case.additional_metadata
    held["metrics"] = {str(metric.name): metric for metric in case.metrics_data or ()}
    held["scores"] = {name: metric.score for name, metric in held["metrics"].items()}
    return held
