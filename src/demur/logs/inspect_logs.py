"""Logs of Inspect (``.eval``, ``.json``): a sample is an item, an epoch a repeat."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, ClassVar, Final

import msgspec

from demur.calls import call_text
from demur.errors import InputError, ParseError, shown
from demur.formats.paths import path_reader
from demur.formats.streams import Stream
from demur.logs.confidences import NONE, confidence_reader, proposed_confidence
from demur.logs.credits import Credits
from demur.logs.declining_answers import DecliningAnswers
from demur.logs.inspect_files import (
    GRADES,
    NO_OUTPUT,
    InspectConfig,
    InspectHead,
    InspectMessage,
    InspectOutput,
    InspectSample,
    read_inspect,
)
from demur.logs.inspect_tokens import token_confidence
from demur.logs.readers import MEANINGS, ItemReader, LogNotes
from demur.outcomes.refusals import REFUSALS, looks_like_refusal

ANSWER: Final = "answer"
COMPLETION: Final = "completion"

_WITHIN: Final = ("score", "metadata")
_ATTACHED: Final = "attachment://"
_MEAN: Final = "mean"
_FILTERED: Final = "content_filter"
_LOOKED_AT: Final = 20
_PROPOSED_BY: Final = 2000
"""Samples that are looked at for what may be typed."""

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
        head, samples = read_inspect(stream, brief=brief, peek=peek)
        if head.status != "success":
            notes.add(f"the run has the status {shown(head.status)}: it may be partial")
        reading = _InspectSamples(self, stream.name, head, notes)
        yield from reading.records(samples)


class _InspectSamples:
    """One log on its way to records."""

    def __init__(
        self, reader: InspectLog, name: str, head: InspectHead, notes: LogNotes
    ) -> None:
        self.reader, self.name, self.notes = reader, name, notes
        self.of_all = {
            "system": _text(head.eval.model),
            "task": _text(head.eval.task),
        }
        config = head.eval.config or InspectConfig()
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
        self, samples: Iterable[InspectSample]
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """The samples as records."""
        read = (_fields(one, self._place(n)) for n, one in enumerate(samples, 1))
        first = list(islice(read, _LOOKED_AT))
        self._choose(first, read)
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

    def _choose(
        self, first: Sequence[dict[str, Any]], rest: Iterable[dict[str, Any]] = ()
    ) -> None:
        """The scorer that is read: the one that is wanted, or the only one."""
        met = {name: None for held in first for name in held["scores"]}
        if not met:
            return
        wanted, names = self.reader.scorer, [*dict.fromkeys([*self.scorers, *met])]
        place = next(held["place"] for held in first if held["scores"])
        if wanted and self.scorers and wanted not in names:
            raise self._no_scorer(place, names)
        if not wanted and len(names) > 1:
            need = "be named where there are several"
            typed = self._proposed(names[0], islice(chain(first, rest), _PROPOSED_BY))
            hint = f"Such as: --log '{typed}'."
            raise InputError(place, "the scorer", need, ", ".join(names), hint)
        self.scorer = wanted or names[0]
        if not wanted:
            self.notes.chosen["scorer"] = self.scorer

    def _proposed(self, scorer: str, samples: Iterable[dict[str, Any]]) -> str:
        """What may be typed for one scorer, with all else that will be asked for."""
        held = [{**one, "score": one["scores"].get(scorer)} for one in samples]
        options = {"scorer": scorer}
        sure = proposed_confidence(held[:_LOOKED_AT], _WITHIN, self._of_tokens)
        if sure and not self.reader.confidence:
            options["confidence"] = sure
        wrong = [one for one in held if one["score"] and _is_wrong(one["score"])]
        answers = (one["score"].get("answer") or one["said"].text() for one in wrong)
        if not self.reader.no_answer and any(map(looks_like_refusal, answers)):
            options["no_answer"] = REFUSALS
        return call_text(self.reader.name, options)

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
            known = GRADES.get(value, GRADES.get(value.lower()))
            if known is not None:
                return known
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            need = "be a grade of Inspect (C, I, P, N) or a number"
            raise InputError(place, "the score", need, shown(value)) from None
        return self.credits(number, place) or 0.0


def _is_wrong(score: Mapping[str, Any]) -> bool:
    """Whether a score is surely worth nothing, whatever a threshold says."""
    value = score.get("value")
    worth = GRADES.get(value) if isinstance(value, str) else value
    return isinstance(worth, (bool, int, float)) and worth == 0


# -- fields of a sample --------------------------------------------------------------


def _fields(sample: InspectSample, place: str) -> dict[str, Any]:
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


def _output(output: dict[str, Any], place: str) -> InspectOutput:
    try:
        return msgspec.convert(output, InspectOutput) if output else NO_OUTPUT
    except msgspec.ValidationError as error:
        raise ParseError(place, "the output", "be one of Inspect", str(error)) from None


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else str(value)


def _question(
    asked: str | list[InspectMessage] | None, attachments: Mapping[str, str] | None
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
