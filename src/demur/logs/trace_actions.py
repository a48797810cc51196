"""Traces of agents as answers made of parts: each tool call is a part of its run."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from demur.errors import ParseError, shown
from demur.formats.json_documents import json_objects
from demur.formats.streams import Stream
from demur.logs.readers import ItemReader, LogNotes
from demur.logs.trace_spans import CALL, TraceSpan, spans_by_trace, tool_outputs
from demur.outcomes.fields import OUTCOMES, RIGHT, UNANSWERED, UNGRADED, WRONG
from demur.outcomes.reasons import FAILED, UNLABELLED
from demur.outcomes.verdict_words import LOSSES, word_of

_APPROVALS: Final = {
    **dict.fromkeys(("approved", "accepted", "ok"), 0.0),
    **dict.fromkeys(("rejected", "denied", "declined"), 1.0),
}
"""What people write who approve actions, beside right and wrong."""


@dataclass(frozen=True, repr=False)
class TraceActions(ItemReader):
    """The tool calls in OpenTelemetry spans, as parts: an item is a trace.

    A part is called by its number and tool (``2 pay``); the tool is a further column,
    and the response is the call, its name and arguments. A trace without tool calls is
    a whole without parts. Where no attribute holds verdicts, the calls of a run are one
    answer, to be judged by ``tool_call`` and taken apart by ``--parts``.

    Parameters
    ----------
    verdict : str
        The attribute of the span that says whether the call was right, such as
        ``approval.decision``: right, wrong, true, false, approved, rejected and the
        like. A call without it is unlabelled.
    confidence : str
        The attribute that says how sure the agent was of the call.
    error : {"failed", "wrong", "right"}
        What a call is whose span has the status ERROR: that there was none because
        something broke, or a wrong or right one that broke later.
    """

    name: ClassVar[str] = "actions"
    title: ClassVar[str] = "traces of an agent, as spans in JSON"
    rows: ClassVar[str] = "span"
    statuses: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "error": (FAILED, OUTCOMES[WRONG], OUTCOMES[RIGHT])
    }

    verdict: str = ""
    confidence: str = ""
    error: str = FAILED

    def items(
        self, stream: Stream, notes: LogNotes
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """The calls of each trace, as they began."""
        records = (
            (f"{stream.name}:{line}", record) for line, record in json_objects(stream)
        )
        number = n_without = 0
        for trace, (place, spans) in spans_by_trace(records).items():
            calls = [
                span
                for span in spans
                if span.attributes.get("gen_ai.operation.name") == "execute_tool"
            ]
            number += 1
            n_without += not calls
            if not self.verdict:
                yield number, self._unjudged(trace, calls)
            elif not calls:
                none = {"part": None, "response": None, "outcome": _NONE}
                yield number, {"item": trace, **none}
            else:
                for nth, span in enumerate(calls, 1):
                    yield number, self._call(trace, nth, span, place)
        if not number:
            hint = "Steps have gen_ai.operation.name execute_tool."
            raise ParseError(stream.name, "spans", "hold a trace", "none", hint)
        if n_without:
            notes.add(
                f"traces without a tool call, wholes without parts: {n_without:,}"
            )

    def _unjudged(self, trace: str, calls: list[TraceSpan]) -> dict[str, Any]:
        """All calls of a run as one answer, to be taken apart when they are judged."""
        listed = [_named(span) for span in calls]
        row: dict[str, Any] = {"item": trace, "response": listed or None}
        if self.confidence and calls:
            row["confidence"] = [span.attributes.get(self.confidence) for span in calls]
        return row

    def _call(
        self, trace: str, nth: int, span: TraceSpan, place: str
    ) -> dict[str, Any]:
        call = _named(span)
        row: dict[str, Any] = {
            "item": trace,
            "part": f"{nth} {call['name']}".strip(),
            "tool": call["name"] or None,
            "response": call,
        }
        if self.confidence:
            row["confidence"] = span.attributes.get(self.confidence)
        if span.error and self.error == FAILED:
            broke = {"response": None, "failed": span.error, "outcome": _NONE}
            return {**row, **broke, **({"confidence": None} if self.confidence else {})}
        row["outcome"] = self._outcome(span, place)
        return row

    def _outcome(self, span: TraceSpan, place: str) -> str:
        """What the span says of its call."""
        if span.error:
            return self.error
        word = word_of(span.attributes.get(self.verdict))
        if not word:
            return UNLABELLED
        if word == OUTCOMES[UNGRADED]:
            return word
        loss = {**LOSSES, **_APPROVALS}.get(word)
        if loss is None:
            need, hint = "say right or wrong", "Also true, false, approved, rejected."
            raise ParseError(
                place, f"the attribute {self.verdict}", need, shown(word), hint
            )
        return OUTCOMES[WRONG if loss else RIGHT]


_NONE: Final = OUTCOMES[UNANSWERED]


def _named(span: TraceSpan) -> dict[str, Any]:
    """A call as the comparator ``tool_call`` reads it."""
    call = tool_outputs(span)[CALL]
    return {"name": call["tool"], "arguments": call["arguments"] or {}}
