"""Traces of agents as dialogues: steps are turns, tool calls and results outputs."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from demur.errors import ParseError
from demur.formats.record_reading import iter_json
from demur.formats.streams import MAX_SIZE
from demur.logs.readers import DialogueReader, ReadLog, noted
from demur.logs.trace_spans import (
    TraceSpan,
    spans_by_trace,
    tool_outputs,
    unpacked,
)
from demur.outcomes.target_dialogues import (
    TARGET,
    Failed,
    TargetDialogue,
    TargetTurn,
)

REPLY: Final = "reply"

FAILED: Final = "failed"
DECLINED: Final = "declined"


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


def _messages(value: Any) -> list[dict[str, Any]]:
    messages = unpacked(value)
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
