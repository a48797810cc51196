"""Traces of agents as dialogues: steps are turns, tool calls and results outputs."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Final

from demur.errors import ParseError, shown
from demur.formats.record_reading import iter_json
from demur.formats.streams import MAX_SIZE
from demur.logs.readers import DialogueReader, ReadLog, noted
from demur.outcomes.target_dialogues import (
    TARGET,
    Failed,
    TargetDialogue,
    TargetTurn,
)

CALL: Final = "call"
RESULT: Final = "result"
REPLY: Final = "reply"

FAILED: Final = "failed"
DECLINED: Final = "declined"

_SCALARS: Final = ("stringValue", "boolValue", "doubleValue", "bytesValue")


def read_agent_traces(
    path: Any, *, source: str = "agent", max_size: int = MAX_SIZE
) -> list[TargetDialogue]:
    r"""Traces of agents, from OpenTelemetry spans as JSON.

    Read are OTLP in JSON, as collectors write it (``resourceSpans``), and spans with
    their attributes as an object, as console exporters print them (an object on each
    line: ``span.to_json(indent=None)``); each with the attributes of the semantic
    conventions for generative AI. A trace is a dialogue, and
    each step of it a turn, in the order in which they began:

    - ``execute_tool``: module ``call`` has the name and arguments of the tool, module
      ``result`` what it gave (`Failed` if the span has an error);
    - ``chat`` that says something and calls no tool: module ``reply`` has its text.

    The input of a turn is what the user last said before it, null if the trace does not
    tell. Other spans are no steps.

    Parameters
    ----------
    path : path, "-" for the standard input, or binary file
    source : str
        Whose annotations these are; ``target`` for a trace as it should be.
    max_size : int
        As for `read_outcomes`.

    Returns
    -------
    list of TargetDialogue
        Compare the outputs of ``call`` and ``result`` as ``whole``.

    Raises
    ------
    InputError
        If a line has no span, or there is no step at all.

    References
    ----------
    OpenTelemetry, "Semantic conventions for generative AI systems" (gen_ai.*) and the
    OTLP specification. Contents of messages and tools are only there if the agent was
    told to record them.

    Examples
    --------
    >>> import io, demur, json
    >>> span = {"name": "execute_tool search", "start_time": "2026-01-01T10:00:00Z",
    ...     "context": {"trace_id": "0x1", "span_id": "0x2"},
    ...     "attributes": {"gen_ai.operation.name": "execute_tool",
    ...         "gen_ai.tool.name": "search", "gen_ai.tool.call.arguments": '{"q": 1}',
    ...         "gen_ai.tool.call.result": "found"}}
    >>> [trace] = demur.read_agent_traces(io.BytesIO(json.dumps(span).encode()))
    >>> trace.turns[0].annotations["agent"]["call"]
    {'tool': 'search', 'arguments': {'q': 1}}
    """
    reader = AgentTraces(source=source)
    return reader.read(path, max_size=max_size).dialogues


@dataclass(frozen=True, slots=True)
class TraceSpan:
    """A span of a trace: when it began in nanoseconds, and why it failed, if it did."""

    begun: int
    name: str
    error: str
    attributes: Mapping[str, Any]


@dataclass(frozen=True, repr=False)
class AgentTraces(DialogueReader):
    """The reader behind `read_agent_traces`.

    Parameters
    ----------
    source : str
        Whose annotations these are; ``target`` for a trace as it should be.
    error : {"failed", "declined"}
        What a span with the status ERROR means: that the tool or the model broke, or
        that it declined to answer.
    """

    name: ClassVar[str] = "traces"
    statuses: ClassVar[Mapping[str, tuple[str, ...]]] = {"error": (FAILED, DECLINED)}

    source: str = "agent"
    error: str = FAILED

    def read_log(self, path: Any, max_size: int) -> ReadLog:
        """The traces of a file."""
        traces = spans_by_trace(iter_json(path, max_size=max_size))
        dialogues, n_errors = [], 0
        for trace, (place, spans) in traces.items():
            steps = [*_steps(spans)]
            n_errors += sum(_is_error(outputs) for _, outputs in steps)
            if steps:
                turns = [self._turn(heard, outputs) for heard, outputs in steps]
                dialogues.append(TargetDialogue(trace, turns, (), place))
        if not dialogues:
            hint = "Steps have gen_ai.operation.name execute_tool or chat."
            raise ParseError("the traces", "spans", "hold a step", "none", hint)
        notes = noted(
            (n_errors, f"steps with an error (error={self.error})"),
            (len(traces) - len(dialogues), "traces without a step, left out"),
        )
        return ReadLog(dialogues, notes)

    def _turn(self, heard: Any, outputs: Mapping[str, Any]) -> TargetTurn:
        if self.error == DECLINED:
            outputs = {
                module: None if isinstance(output, Failed) else output
                for module, output in outputs.items()
            }
        if self.source != TARGET:
            return TargetTurn(input=heard, annotations={self.source: outputs})
        # What broke is no example of what should come out.
        target = {n: o for n, o in outputs.items() if not isinstance(o, Failed)}
        return TargetTurn(input=heard, target=target)


def spans_by_trace(
    records: Iterable[tuple[str, Mapping[str, Any]]],
) -> dict[str, tuple[str, list[TraceSpan]]]:
    """The spans of each trace as they began, and where its first stands.

    Raises
    ------
    ParseError
        If a record is no span, or lacks a trace or a time.
    """
    traces: dict[str, tuple[str, list[TraceSpan]]] = {}
    for place, record in records:
        for span in _spans(place, record):
            read = TraceSpan(
                begun=_begun(place, span),
                name=str(span.get("name", "")),
                error=_error(span),
                attributes=_attributes(place, span),
            )
            traces.setdefault(_trace(place, span), (place, []))[1].append(read)
    for _, spans in traces.values():
        # Sorting is stable: spans of one moment keep the order of the file.
        spans.sort(key=lambda span: span.begun)
    return traces


def _spans(place: str, record: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The spans of a record of either form."""
    if "resourceSpans" not in record:
        if "attributes" not in record:
            need, hint = "be a span", "It has attributes, or resourceSpans."
            raise ParseError(place, "the record", need, shown(list(record)), hint)
        yield record
        return
    for resource in _listed(place, record, "resourceSpans"):
        for scope in _listed(place, resource, "scopeSpans"):
            yield from _listed(place, scope, "spans")


def _listed(place: str, record: Any, name: str) -> list[Any]:
    value = record.get(name, []) if isinstance(record, dict) else None
    if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
        hint = "See the OTLP specification, JSON encoding."
        raise ParseError(place, name, "be a list of objects", shown(value), hint)
    return value


def _trace(place: str, span: Mapping[str, Any]) -> str:
    context = span.get("context")
    trace = span.get("traceId") or span.get("trace_id")
    if trace is None and isinstance(context, dict):
        trace = context.get("trace_id") or context.get("traceId")
    if not isinstance(trace, str) or not trace:
        hint = "Spans belong together by it."
        raise ParseError(place, "the trace id", "be a text", shown(trace), hint)
    return trace


def _begun(place: str, span: Mapping[str, Any]) -> int:
    """When a span began, in nanoseconds."""
    time = span.get("startTimeUnixNano", span.get("start_time"))
    # JSON of OTLP writes 64-bit integers as texts, since many readers of it round them.
    try:
        if isinstance(time, int) or (isinstance(time, str) and time.isdecimal()):
            return int(time)
        return int(datetime.fromisoformat(str(time)).timestamp() * 1e9)
    except (ValueError, OverflowError):
        hint = "Steps are put in order by it."
        what, need = "the start of a span", "be a time"
        raise ParseError(place, what, need, shown(time), hint) from None


def _attributes(place: str, span: Mapping[str, Any]) -> dict[str, Any]:
    given = span.get("attributes", [])
    if isinstance(given, dict):
        return given
    if not isinstance(given, list):
        hint = "An object, or a list of key and value."
        raise ParseError(place, "attributes", "be a list", shown(given), hint)
    try:
        return {
            str(attribute.get("key")): _plain(attribute.get("value"))
            for attribute in given
            if isinstance(attribute, dict)
        }
    except (TypeError, ValueError, AttributeError, RecursionError):
        need, hint = "be of OTLP", "Such as stringValue, or intValue with digits."
        raise ParseError(place, "the values", need, shown(given), hint) from None


def _plain(value: Any) -> Any:
    """A value of OTLP as a plain one; raises what a value that is none makes Python."""
    if not isinstance(value, dict):
        return value
    for name in _SCALARS:
        if name in value:
            return value[name]
    if "intValue" in value:
        return int(value["intValue"])
    if "arrayValue" in value:
        return [_plain(item) for item in value["arrayValue"].get("values", [])]
    if "kvlistValue" in value:
        pairs = value["kvlistValue"].get("values", [])
        return {pair.get("key"): _plain(pair.get("value")) for pair in pairs}
    return None


def _error(span: Mapping[str, Any]) -> str:
    """Why a span failed; empty if it did not."""
    status = span.get("status")
    if not isinstance(status, dict):
        return ""
    code = status.get("code", status.get("status_code"))
    if code not in (2, "2", "STATUS_CODE_ERROR", "ERROR"):
        return ""
    return str(status.get("message") or status.get("description") or "error")


def _steps(spans: Iterable[TraceSpan]) -> Iterator[tuple[Any, dict[str, Any]]]:
    """What the user said before each step, and what the step put out."""
    heard: Any = None
    for span in spans:
        heard = _heard(span.attributes) or heard  # not every span repeats it
        operation = span.attributes.get("gen_ai.operation.name")
        if operation == "execute_tool":
            yield heard, tool_outputs(span)
        elif operation in ("chat", "text_completion"):
            text, calls = _reply(span.attributes)
            if span.error:
                yield heard, {REPLY: Failed(span.error)}
            elif text and not calls:
                yield heard, {REPLY: text}


def _is_error(outputs: Mapping[str, Any]) -> bool:
    return any(isinstance(output, Failed) for output in outputs.values())


def tool_outputs(span: TraceSpan) -> dict[str, Any]:
    """The call of a tool and what it gave, by module."""
    attributes = span.attributes
    call = {
        # Spans of tools are called "execute_tool NAME".
        "tool": attributes.get("gen_ai.tool.name") or (span.name.split() or [""])[-1],
        "arguments": _unpacked(attributes.get("gen_ai.tool.call.arguments")),
    }
    outputs: dict[str, Any] = {CALL: call}
    if span.error:
        outputs[RESULT] = Failed(span.error)
    elif "gen_ai.tool.call.result" in attributes:
        outputs[RESULT] = _unpacked(attributes["gen_ai.tool.call.result"])
    return outputs


def _unpacked(value: Any) -> Any:
    """JSON in a text, or the value as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _messages(value: Any) -> list[dict[str, Any]]:
    messages = _unpacked(value)
    if not isinstance(messages, list):
        return []
    return [message for message in messages if isinstance(message, dict)]


def _parts(message: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """The parts of a message; None if it has none, as older conventions write it."""
    parts = message.get("parts")
    if not isinstance(parts, list):
        return None
    return [part for part in parts if isinstance(part, dict)]


def _message_text(message: Mapping[str, Any]) -> str:
    parts = _parts(message)
    if parts is None:
        content = message.get("content")
        return content if isinstance(content, str) else ""
    texts = [
        str(part.get("content", ""))
        for part in parts
        if part.get("type", "text") == "text"
    ]
    return "\n".join(text for text in texts if text)


def _heard(attributes: Mapping[str, Any]) -> str | None:
    """What the user last said, of the messages that a span was given."""
    messages = _messages(attributes.get("gen_ai.input.messages"))
    texts = [_message_text(m) for m in messages if m.get("role") == "user"]
    return next((text for text in reversed(texts) if text), None)


def _reply(attributes: Mapping[str, Any]) -> tuple[str, bool]:
    """The text that a model gave, and whether it calls tools."""
    messages = _messages(attributes.get("gen_ai.output.messages"))
    calls = any(
        message.get("tool_calls")
        or any(part.get("type") == "tool_call" for part in _parts(message) or ())
        for message in messages
    )
    return "\n".join(filter(None, map(_message_text, messages))), calls
