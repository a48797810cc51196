"""Logs of Inspect (``.eval``, ``.json``): a sample is an item, an epoch a repeat."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, ClassVar, Final

import msgspec

from demur.errors import InputError, ParseError, shown
from demur.formats.json_documents import json_value
from demur.formats.paths import path_reader
from demur.formats.streams import ZIP, Stream
from demur.formats.zips import Archive
from demur.logs.confidences import NONE, confidence_reader
from demur.logs.credits import Credits
from demur.logs.declining_answers import DecliningAnswers
from demur.logs.inspect_tokens import token_confidence
from demur.logs.readers import MEANINGS, ItemReader, LogNotes

ANSWER: Final = "answer"
COMPLETION: Final = "completion"

_SAMPLE: Final = re.compile(r"samples/(.+)_epoch_(\d+)(?:/sample)?\.json", re.DOTALL)
_SUMMARIES: Final = "summaries.json"
_WITHIN: Final = ("score", "metadata")
_ATTACHED: Final = "attachment://"
_MEAN: Final = "mean"
_FILTERED: Final = "content_filter"
_LOOKED_AT: Final = 20

_GRADES: Final[Mapping[str, float]] = {
    **{"C": 1.0, "I": 0.0, "P": 0.5},
    **{"correct": 1.0, "incorrect": 0.0, "partial": 0.5},
    **{"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0},
}
"""What the grades of Inspect are worth; N, no answer, is worth none."""

_KINDS: Final[Mapping[str, str]] = {
    "refusal": "refusal",
    _FILTERED: "filter",
    "max_tokens": "truncated",
    "model_length": "truncated",
    "invalid_response_format": "format",
    "time": "timeout",
    "working": "timeout",
    **dict.fromkeys(("token", "context", "message", "turn", "cost"), "truncated"),
}
"""Why there is no answer, of the reason of a score, a stop or a limit."""


class _Message(msgspec.Struct):
    """What is read of a message: its text, or the parts of it."""

    role: str | None = None
    content: str | list[dict[str, Any]] | None = None

    def text(self) -> str | None:
        """The text of all parts."""
        if isinstance(self.content, list):
            return "\n".join(str(part.get("text") or "") for part in self.content)
        return self.content


class _Choice(msgspec.Struct):
    """What is read of a reply."""

    message: _Message | None = None
    stop_reason: str | None = None
    logprobs: Any = None


class _Output(msgspec.Struct):
    """What is read of an output."""

    completion: str | None = None
    choices: list[_Choice] | None = None

    def text(self) -> str | None:
        """What the model said; None if that is nothing."""
        message = self.choices[0].message if self.choices else None
        return self.completion or (message and message.text()) or None

    def stop_reason(self) -> str | None:
        """Why it ended."""
        return self.choices[0].stop_reason if self.choices else None


_NO_OUTPUT: Final = _Output()


class _Sample(msgspec.Struct):
    """What is read of a sample; all else, such as its events, is skipped."""

    id: str | int
    epoch: int = 1
    input: str | list[_Message] | None = None
    target: Any = None
    choices: Any = None
    output: dict[str, Any] | None = None
    scores: dict[str, Any] | None = None
    score: Any = None  # of logs before 2024, which had one scorer
    metadata: dict[str, Any] | None = None
    store: dict[str, Any] | None = None
    attachments: dict[str, str] | None = None
    error: dict[str, Any] | None = None
    limit: dict[str, Any] | None = None
    invalidation: dict[str, Any] | None = None
    brief: bool = False
    whole_output: dict[str, Any] | None = None  # of one that is read in brief


class _SampleSummary(msgspec.Struct):
    """What is read of the summary of a sample."""

    id: str | int
    epoch: int = 1
    scores: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
    error: Any = None
    limit: Any = None

    def as_sample(self) -> _Sample:
        """A sample without what was said."""
        error = None if self.error is None else {"message": str(self.error)}
        limit = None if self.limit is None else {"type": str(self.limit)}
        return _Sample(
            id=self.id,
            epoch=self.epoch,
            scores=self.scores,
            metadata=self.metadata,
            error=error,
            limit=limit,
            brief=True,
        )


class _Config(msgspec.Struct):
    """What is read of how a task was run."""

    epochs: int | None = None
    epochs_reducer: list[str] | None = None


class _Eval(msgspec.Struct):
    """What is read of the task."""

    task: Any = None
    model: Any = None
    scorers: Any = None
    config: _Config | None = None


class _Log(msgspec.Struct):
    """What is read of a log in JSON, and of the header of one in a zip archive."""

    eval: _Eval
    status: str = "success"
    invalidated: bool = False
    results: Any = None
    samples: list[_Sample] | None = None

    def scorers(self) -> list[str]:
        """The scorers of all samples, as they are called there; none if not said."""
        results = self.results if isinstance(self.results, dict) else {}
        listed = results.get("scores") or self.eval.scorers or ()
        held = [one for one in listed if isinstance(one, dict)]
        # Of a score with several values each has a result, called by the value.
        names = [str(one.get("scorer") or one.get("name")) for one in held]
        return list(dict.fromkeys(name.rpartition("/")[2] for name in names))


@dataclass(frozen=True, repr=False)
class InspectLog(ItemReader):
    """Logs of Inspect, as `inspect eval` and `inspect score` write them.

    Parameters
    ----------
    scorer : str
        Whose scores are read; needed where there are several.
    value : str
        Which value is read of scores that have several.
    threshold : str
        Numbers from this one on are right, others wrong; without it a number from 0
        to 1 is a credit.
    confidence : str
        Where the confidence stands: a path into the sample, or into the score as
        ``score``; ``logprobs``, the product of the probabilities of the answer's
        tokens; none reads no confidence.
    response : {"answer", "completion"}
        What the answer is: what the scorer took for it, if it says so, or all that the
        model said.
    no_answer : str
        Which wrong answers are none by their words: ``refusals``, or a pattern.
    not_answered : {"unanswered", "wrong", "right", "ungraded", "leave_out"}
        What the grade N means.
    refusal : {"unanswered", "wrong", "right", "ungraded", "leave_out"}
        What a wrong answer means that a content filter ended (``stop_reason``).
    bad_format : {"wrong", "unanswered", "right", "ungraded", "leave_out"}
        What the reason ``invalid_response_format`` of a score that is not right means.
    ungraded : {"ungraded", "unanswered", "wrong", "right", "leave_out"}
        What a score that is NaN, or whose grader failed, means.
    error : {"unanswered", "ungraded", "wrong", "right", "leave_out"}
        What a sample that ended in an error means.
    """

    name: ClassVar[str] = "inspect"
    title: ClassVar[str] = "an Inspect log"
    rows: ClassVar[str] = "sample"
    archives: ClassVar[bool] = True
    statuses: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "response": (ANSWER, COMPLETION),
        **dict.fromkeys(
            ("not_answered", "refusal", "bad_format", "ungraded", "error"), MEANINGS
        ),
    }

    scorer: str = ""
    value: str = ""
    threshold: str = ""
    confidence: str = ""
    response: str = ANSWER
    no_answer: str = ""
    not_answered: str = "unanswered"
    refusal: str = "unanswered"
    bad_format: str = "wrong"
    ungraded: str = "ungraded"
    error: str = "unanswered"

    def items(
        self, stream: Stream, notes: LogNotes
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """The samples of a log."""
        yield from self._records(stream, notes, brief=False)

    def verdicts(
        self, stream: Stream, notes: LogNotes
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """The samples as their summaries have them, without most of what was said."""
        told = not self.confidence or self.confidence.startswith((NONE, "score."))
        yield from self._records(stream, notes, brief=told and not self.no_answer)

    def _records(
        self, stream: Stream, notes: LogNotes, *, brief: bool
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        peek = not self.confidence
        head, samples = _read(stream, brief=brief, peek=peek)
        if head.status != "success":
            notes.add(f"the run has the status {shown(head.status)}: it may be partial")
        reading = _InspectSamples(self, stream.name, head, notes)
        yield from reading.records(samples)


class _InspectSamples:
    """One log on its way to records."""

    def __init__(
        self, reader: InspectLog, name: str, head: _Log, notes: LogNotes
    ) -> None:
        self.reader, self.name, self.notes = reader, name, notes
        self.of_all = {
            "system": _text(head.eval.model),
            "task": _text(head.eval.task),
        }
        config = head.eval.config or _Config()
        self.repeated = (config.epochs or 1) > 1
        reducers = [name for name in config.epochs_reducer or () if name != _MEAN]
        if self.repeated and reducers:
            notes.add(
                "epochs are repeats, each with an outcome of its own: what Inspect "
                f"makes of them ({', '.join(reducers)}) is not read"
            )
        self.limits: Counter[str] = Counter()
        self.scored_errors = self.invalidated = self.unscored = 0
        self.scorer = ""  # of logs that nobody has judged
        self.scorers = head.scorers()
        self.met: dict[str, str] = {}  # scorers, each with its first sample
        self.credits = Credits(reader.name, reader.threshold, notes)
        self.declines = DecliningAnswers(reader.name, reader.no_answer, notes)

    def records(
        self, samples: Iterable[_Sample]
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """The samples as records."""
        read = (_fields(one, self._place(n)) for n, one in enumerate(samples, 1))
        first = list(islice(read, _LOOKED_AT))
        self._choose(first)
        scored = map(self._scored, chain(first, read))
        path = self.reader.confidence
        confidence, rows = confidence_reader(
            *(self.reader.name, path, scored, self.notes, _WITHIN),
            tokens=self._of_tokens,
            answered=lambda held: held["error"] is None,
        )
        for number, held in enumerate(rows, 1):
            place = held["place"]
            record = self._record(held, place)
            given = confidence(held, place)
            if given is not None:
                record["confidence"] = given
            yield number, record
        self._tell()

    def _tell(self) -> None:
        """Say at the end what was counted.

        Raises
        ------
        InputError
            If the scorer that is wanted has scored nothing.
        """
        if self.met and self.scorer not in self.met:
            raise self._no_scorer(next(iter(self.met.values())), self.met)
        others = self.met.keys() - {self.scorer, *self.scorers}
        if others and not self.reader.scorer:
            self.notes.add(
                f"scores by scorers that come late are not read: {', '.join(others)} "
                "(--log 'inspect(scorer=...)' names one)"
            )
        if self.scored_errors:
            self.notes.add(
                f"samples that broke and have a score all the same, which is not read: "
                f"{self.scored_errors:,} (error={self.reader.error})"
            )
        if self.unscored:
            self.notes.add(
                f"samples without a score by {self.scorer}: {self.unscored:,} "
                f"(ungraded={self.reader.ungraded})"
            )
        if self.invalidated:
            self.notes.add(
                f"samples that were declared invalid in the log: {self.invalidated:,} "
                f"(ungraded={self.reader.ungraded})"
            )
        for limit, count in self.limits.items():
            self.notes.add(
                f"samples that were stopped by a limit ({limit}), and count as they "
                f"were scored: {count:,}"
            )

    def _place(self, number: int) -> str:
        return f"{self.name}: sample {number}"

    def _choose(self, first: Sequence[Mapping[str, Any]]) -> None:
        """The scorer that is read: the one that is wanted, or the only one."""
        met = {name: None for held in first for name in held["scores"]}
        if not met:
            return
        wanted, names = self.reader.scorer, [*dict.fromkeys([*self.scorers, *met])]
        place = next(held["place"] for held in first if held["scores"])
        if wanted and self.scorers and wanted not in names:
            raise self._no_scorer(place, names)
        if not wanted and len(names) > 1:
            need, hint = "be named where there are several", _typed(names)
            raise InputError(place, "the scorer", need, ", ".join(names), hint)
        self.scorer = wanted or names[0]
        if not wanted:
            self.notes.chosen["scorer"] = self.scorer

    def _no_scorer(self, place: str, names: Iterable[str]) -> InputError:
        need = f"be one of its scorers: {', '.join(names)}"
        return InputError(place, "the scorer", need, shown(self.reader.scorer))

    def _scored(self, held: dict[str, Any]) -> dict[str, Any]:
        """The sample, with the score that is read of it as ``score``."""
        if not self.scorer:
            self._choose([held])
        for name in held["scores"]:
            self.met.setdefault(name, held["place"])
        held["score"] = held["scores"].get(self.scorer)
        return held

    def _of_tokens(self, held: Mapping[str, Any]) -> float | None:
        output = held["said"]
        if held["whole_output"]:
            output = _output(held["whole_output"], held["place"])
        choice = output.choices[0] if output.choices else None
        if choice is None or choice.message is None or held["error"] is not None:
            return None
        answer = (held["score"] or {}).get("answer")
        whole = self.reader.response == COMPLETION
        content = choice.message.content
        return token_confidence(content, choice.logprobs, answer, whole=whole)

    def _record(self, held: Mapping[str, Any], place: str) -> dict[str, Any]:
        score = held["score"] or {}
        epoch = held["epoch"]
        answer, completion = score.get("answer"), held["said"].text()
        shown_first = answer if self.reader.response == ANSWER else None
        record: dict[str, Any] = {
            "item": held["id"],
            **self.of_all,
            "repeat": str(epoch) if self.repeated or epoch > 1 else None,
            "input": held["input"],
            "response": completion if shown_first is None else shown_first,
            **_references(held["target"]),
        }
        if held["error"] is not None:
            message = _text(held["error"].get("message")) or "an error"
            reason = {"reason": f"failed: {message}", "reason_code": "failed"}
            silent = {"response": None, "failed": message, "outcome": self.reader.error}
            self.scored_errors += bool(held["scores"])
            return record | silent | reason
        if held["invalidation"] is not None:
            self.invalidated += 1
            why = _text(held["invalidation"].get("reason")) or "no reason"
            reason = {"reason": f"declared invalid: {why}"}
            return record | {"outcome": self.reader.ungraded} | reason
        if not self.scorer:
            return record
        if self.scorer not in held["scores"]:
            self.unscored += 1
            return record | {"outcome": self.reader.ungraded, "reason": "not scored"}
        if limit := (held["limit"] or {}).get("type"):
            self.limits[str(limit)] += 1
        return record | self._judged(score, held, record["response"], place)

    def _judged(
        self,
        score: Mapping[str, Any],
        held: Mapping[str, Any],
        response: Any,
        place: str,
    ) -> dict[str, Any]:
        """Outcome, credit and kind of a scored sample."""
        value, why = self._value(score.get("value"), place), score.get("reason")
        explained = {"reason": _text(score.get("explanation") or why)}
        limit = (held["limit"] or {}).get("type")
        stopped = held["said"].stop_reason()
        reasons = (_KINDS.get(str(status)) for status in (why, limit, stopped))
        kind = next(filter(None, reasons), None)
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return {"outcome": self.reader.ungraded, **explained}
        if value == "N":
            meaning = self.reader.not_answered
            return {"outcome": meaning, "kind": kind, **explained}
        credit = self._credit(value, place)
        if stopped == _FILTERED and not credit:
            outcome = self.reader.refusal
            kind = _KINDS[_FILTERED] if outcome == "unanswered" else None
            return {"outcome": outcome, "kind": kind, **explained}
        if why == "invalid_response_format" and not credit:
            outcome = self.reader.bad_format
            kind = "format" if outcome == "unanswered" else None
            return {"outcome": outcome, "kind": kind, **explained}
        if credit:
            return {"outcome": "right", "credit": credit, **explained}
        if not (held["brief"] and response is None) and self.declines(response):
            return {"outcome": "unanswered", "kind": kind or "refusal", **explained}
        return {"outcome": "wrong", **explained}

    def _value(self, value: Any, place: str) -> Any:
        """The value that is read of a score."""
        if not isinstance(value, (dict, list)):
            return value
        path = self.reader.value
        names = list(value) if isinstance(value, dict) else range(len(value))
        need = "be named where a score has several"
        if not path:
            listed = ", ".join(map(str, names))
            hint = f"Such as: --log 'inspect(value={next(iter(names), '')})'."
            raise InputError(place, "the value", need, listed, hint)
        held = path_reader("inspect: value", path)(
            {"0": value} if isinstance(value, list) else value
        )
        if held is msgspec.UNSET:
            need = f"be one of {', '.join(map(str, names))}"
            raise InputError(place, "the value", need, shown(path))
        return held

    def _credit(self, value: Any, place: str) -> float:
        """What an answer is worth, from 0 to 1."""
        if isinstance(value, str):
            known = _GRADES.get(value, _GRADES.get(value.lower()))
            if known is not None:
                return known
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            need = "be a grade of Inspect (C, I, P, N) or a number"
            raise InputError(place, "the score", need, shown(value)) from None
        return self.credits(number, place) or 0.0


def _typed(scorers: Sequence[str]) -> str:
    return f"Such as: --log 'inspect(scorer={scorers[0]})'."


# -- the file --------------------------------------------------------------------------


def _read(stream: Stream, *, brief: bool, peek: bool) -> tuple[_Log, Iterable[_Sample]]:
    if not stream.head.startswith(ZIP):
        log: _Log = json_value(stream.name, stream.whole(), _Log)
        return log, log.samples or ()
    archive = Archive(stream)
    names = archive.names()
    head = next((n for n in ("header.json", "_journal/start.json") if n in names), "")
    if not head:
        need, got = "hold a header.json", "none"
        raise InputError(stream.name, "an Inspect log", need, got)
    log = json_value(f"{stream.name}: {head}", archive.read(head), _Log)
    if head != "header.json":
        log.status = "started"
    samples = [name for name in names if _SAMPLE.fullmatch(name)]
    # Summaries do not say which samples were declared invalid.
    if brief and _SUMMARIES in names and not log.invalidated:
        place = f"{archive.name}: {_SUMMARIES}"
        summaries: list[_SampleSummary] = json_value(
            place, archive.read(_SUMMARIES), list[_SampleSummary]
        )
        if len(summaries) == len(samples):
            return log, _summarised(archive, summaries, set(samples), peek=peek)
    return log, _samples(archive, samples)


def _summarised(
    archive: Archive, listed: list[_SampleSummary], known: set[str], *, peek: bool
) -> Iterator[_Sample]:
    """The samples in brief; those whose kind is not told by that, whole.

    The first reply is looked at if asked to, for what summaries do not have.
    """
    for summary in listed:
        name = f"samples/{summary.id}_epoch_{summary.epoch}"
        wholes = [n for n in (f"{name}.json", f"{name}/sample.json") if n in known][:1]
        is_silent = any(map(_is_silent, (summary.scores or {}).values()))
        sample = summary.as_sample()
        for one in wholes if is_silent or (peek and summary.error is None) else ():
            place = f"{archive.name}: {one}"
            whole: _Sample = json_value(place, archive.read(one), _Sample)
            sample.whole_output, peek = whole.output, False
            sample = whole if is_silent else sample
        yield sample


def _is_silent(score: Any) -> bool:
    """Whether a score leaves open if there was an answer, or why there was none.

    That is so of all that may be wrong; which numbers are is for a threshold to say.
    """
    value = score.get("value") if isinstance(score, dict) else score
    if value == "N":
        return not (isinstance(score, dict) and score.get("reason"))
    return value is not True and not (isinstance(value, str) and _GRADES.get(value))


def _samples(archive: Archive, names: list[str]) -> Iterator[_Sample]:
    """The samples of an archive one by one; no name of one is a path here."""
    for name in names:
        place = f"{archive.name}: {name}"
        sample: _Sample = json_value(place, archive.read(name), _Sample)
        yield sample


def _fields(sample: _Sample, place: str) -> dict[str, Any]:
    held = msgspec.structs.asdict(sample)
    # Attachments are large, and of use for nothing else.
    held["input"] = _question(sample.input, held.pop("attachments"))
    held["output"] = held["output"] or {}
    held["place"] = place
    held["said"] = _output(held["output"], place)
    held["scores"] = {
        name: score if isinstance(score, dict) else {"value": score}
        for name, score in (held["scores"] or {}).items()
    }
    if not held["scores"] and held["score"] is not None:
        score = held["score"]
        held["scores"] = {
            "score": score if isinstance(score, dict) else {"value": score}
        }
    return held


def _output(output: dict[str, Any], place: str) -> _Output:
    try:
        return msgspec.convert(output, _Output) if output else _NO_OUTPUT
    except msgspec.ValidationError as error:
        raise ParseError(place, "the output", "be one of Inspect", str(error)) from None


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else str(value)


def _question(
    asked: str | list[_Message] | None, attachments: Mapping[str, str] | None
) -> str | None:
    """What the user asked: a text, or the last message of theirs."""
    if isinstance(asked, list):
        of_user = [message for message in asked if message.role == "user"]
        last = (of_user or asked)[-1:]
        asked = last[0].text() if last else None
    if asked is not None and asked.startswith(_ATTACHED):
        return (attachments or {}).get(asked.removeprefix(_ATTACHED), asked)
    return asked


def _references(target: Any) -> dict[str, Any]:
    if isinstance(target, list):
        return {"references": target} if target else {}
    return {} if target is None else {"reference": target}
