"""Traces of agents as dialogues: steps are turns, tool calls and results outputs."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from demur.errors import ParseError, shown
from demur.formats.reading import iter_json
from demur.formats.streams import MAX_SIZE
from demur.pipelines.target_dialogues import (
    TARGET,
    Failed,
    TargetDialogue,
    TargetTurn,
)

CALL: Final = "call"
RESULT: Final = "result"
REPLY: Final = "reply"

_SCALARS: Final = ("stringValue", "boolValue", "doubleValue", "bytesValue")


def read_agent_traces(
    path: Any, *, source: str = "agent", max_size: int = MAX_SIZE
) -> list[TargetDialogue]:
    r"""Traces of agents, from OpenTelemetry spans as JSON.

    Read are OTLP in JSON, as collectors write it (``resourceSpans``), and spans with
    their attributes as an object, as the console exporters print them; each with the
    attributes of the semantic conventions for generative AI. A trace is a dialogue, and
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
    traces: dict[str, tuple[str, list[tuple[int, int, dict[str, Any]]]]] = {}
    order = 0
    for place, record in iter_json(path, max_size=max_size):
        for span in _spans(place, record):
            begun, own = _begun(place, span), _attributes(place, span)
            trace = _trace(place, span)
            order += 1
            step = {"own": own, "error": _error(span), "name": span.get("name", "")}
            traces.setdefault(trace, (place, []))[1].append((begun, order, step))
    found = []
    for trace, (place, spans) in traces.items():
        turns = list(_turns([step for *_, step in sorted(spans, key=_by_time)], source))
        if turns:
            found.append(TargetDialogue(trace, turns, (), place))
    if not found:
        hint = "Steps have gen_ai.operation.name execute_tool or chat."
        raise ParseError("the traces", "spans", "hold a step", "none", hint)
    return found


def _by_time(span: tuple[int, int, Any]) -> tuple[int, int]:
    return span[0], span[1]


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
    told = span.get("startTimeUnixNano", span.get("start_time"))
    if isinstance(told, int) or (isinstance(told, str) and told.isdigit()):
        return int(told)
    try:
        return int(datetime.fromisoformat(str(told)).timestamp() * 1e9)
    except ValueError:
        hint = "Steps are put in order by it."
        what, need = "the start of a span", "be a time"
        raise ParseError(place, what, need, shown(told), hint) from None


def _attributes(place: str, span: Mapping[str, Any]) -> dict[str, Any]:
    given = span.get("attributes", [])
    if isinstance(given, dict):
        return given
    if not isinstance(given, list):
        hint = "An object, or a list of key and value."
        raise ParseError(place, "attributes", "be a list", shown(given), hint)
    return {
        str(each.get("key")): _plain(each.get("value"))
        for each in given
        if isinstance(each, dict)
    }


def _plain(value: Any) -> Any:
    """A value of OTLP as a plain one."""
    if not isinstance(value, dict):
        return value
    for name in _SCALARS:
        if name in value:
            return value[name]
    if "intValue" in value:
        return int(value["intValue"])
    if "arrayValue" in value:
        return [_plain(each) for each in value["arrayValue"].get("values", [])]
    if "kvlistValue" in value:
        pairs = value["kvlistValue"].get("values", [])
        return {each.get("key"): _plain(each.get("value")) for each in pairs}
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


def _turns(steps: list[dict[str, Any]], source: str) -> Iterator[TargetTurn]:
    heard: Any = None
    for step in steps:
        own = step["own"]
        heard = _heard(own) or heard
        outputs: dict[str, Any] | None = None
        if own.get("gen_ai.operation.name") == "execute_tool":
            outputs = _tool(step)
        elif own.get("gen_ai.operation.name") in ("chat", "text_completion"):
            text, calls = _said(own)
            if step["error"]:
                outputs = {REPLY: Failed(step["error"])}
            elif text and not calls:
                outputs = {REPLY: text}
        if outputs is None:
            continue
        if source == TARGET:
            kept = {n: o for n, o in outputs.items() if not isinstance(o, Failed)}
            yield TargetTurn(input=heard, target=kept)
        else:
            yield TargetTurn(input=heard, annotations={source: outputs})


def _tool(step: Mapping[str, Any]) -> dict[str, Any]:
    own = step["own"]
    call = {
        "tool": own.get("gen_ai.tool.name") or str(step["name"]).split()[-1],
        "arguments": _json(own.get("gen_ai.tool.call.arguments")),
    }
    outputs: dict[str, Any] = {CALL: call}
    if step["error"]:
        outputs[RESULT] = Failed(step["error"])
    elif "gen_ai.tool.call.result" in own:
        outputs[RESULT] = _json(own["gen_ai.tool.call.result"])
    return outputs


def _json(value: Any) -> Any:
    """JSON in a text, or the value as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _messages(value: Any) -> list[dict[str, Any]]:
    found = _json(value)
    if not isinstance(found, list):
        return []
    return [each for each in found if isinstance(each, dict)]


def _text(message: Mapping[str, Any]) -> str:
    parts = message.get("parts")
    if isinstance(parts, list):
        texts = [
            str(part.get("content", ""))
            for part in parts
            if isinstance(part, dict) and part.get("type", "text") == "text"
        ]
        return "\n".join(text for text in texts if text)
    content = message.get("content")
    return content if isinstance(content, str) else ""


def _heard(own: Mapping[str, Any]) -> str | None:
    """What the user last said, of the messages that a span was given."""
    messages = _messages(own.get("gen_ai.input.messages"))
    texts = [_text(each) for each in messages if each.get("role") == "user"]
    said = [text for text in texts if text]
    return said[-1] if said else None


def _said(own: Mapping[str, Any]) -> tuple[str, bool]:
    """The text that a model gave, and whether it calls tools."""
    messages = _messages(own.get("gen_ai.output.messages"))
    parts = [
        part
        for each in messages
        for part in (each.get("parts") or ())
        if isinstance(part, dict)
    ]
    calls = any(part.get("type") == "tool_call" for part in parts)
    calls = calls or any(each.get("tool_calls") for each in messages)
    return "\n".join(filter(None, map(_text, messages))), calls
