"""Spans of traces as OpenTelemetry writes them, and the tool calls among them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from demur.errors import ParseError, shown
from demur.outcomes.target_dialogues import Failed

CALL: Final = "call"
RESULT: Final = "result"

_SCALARS: Final = ("stringValue", "boolValue", "doubleValue", "bytesValue")


@dataclass(frozen=True, slots=True)
class TraceSpan:
    """A span of a trace: when it began in nanoseconds, and why it failed, if it did."""

    begun: int
    name: str
    error: str
    attributes: Mapping[str, Any]


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


def tool_outputs(span: TraceSpan) -> dict[str, Any]:
    """The call of a tool and what it gave, by module."""
    attributes = span.attributes
    call = {
        # Spans of tools are called "execute_tool NAME".
        "tool": attributes.get("gen_ai.tool.name") or (span.name.split() or [""])[-1],
        "arguments": unpacked(attributes.get("gen_ai.tool.call.arguments")),
    }
    outputs: dict[str, Any] = {CALL: call}
    if span.error:
        outputs[RESULT] = Failed(span.error)
    elif "gen_ai.tool.call.result" in attributes:
        outputs[RESULT] = unpacked(attributes["gen_ai.tool.call.result"])
    return outputs


def unpacked(value: Any) -> Any:
    """JSON in a text, or the value as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value
