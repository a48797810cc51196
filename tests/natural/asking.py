"""What a user types: a call, a command line with its files, a chat with its reply."""

from __future__ import annotations

import contextlib
import io
import json
import shlex
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import demur
import demur.cli
from natural.ends import Refusal, Shown

# -- what is seen of a result ------------------------------------------------------


def shown_of(value: Any) -> Shown | Refusal:
    """Figures by the names of their JSON keys; nested ones as in ``cer value``."""
    if isinstance(value, Shown | Refusal):
        return value
    if isinstance(value, demur.Outcomes):
        columns = value.to_columns()
        verdicts = [str(verdict) for verdict in columns["outcome"]]
        figures = {
            **value.counts(),
            "verdicts": " ".join(verdicts),
            "items": [plain(item) for item in columns["item"]],
            "signature": value.signature,
        }
        return Shown(figures, "\n".join(value.notes))
    if isinstance(value, demur.Result):
        notes = "\n".join(getattr(value, "notes", ()))
        return Shown(figures_of(value.to_dict()), notes)
    return Shown(dict(value))


def plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def figures_of(result: Any) -> dict[str, Any]:
    """Of two figures of one name the first stays: counts stand before points."""
    figures: dict[str, Any] = {}
    for name, value in flat(result):
        figures.setdefault(name, value)
    return figures


def flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from flat(part, f"{name} {key}".strip())
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        alone = len(value) == 1
        for part in value:
            title = part.get("match") or part.get("name") or part.get("system") or ""
            yield from flat(part, str(title) or ("" if alone else "one of several"))
    else:
        yield name, value


# -- the command line --------------------------------------------------------------


def lines(*records: Any) -> str:
    """Records as JSON Lines."""
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records)


def shell(line: str, **files: str | bytes) -> Callable[[], Shown | Refusal]:
    """A command line; ``t_csv="..."`` is a file t.csv in the folder where it runs."""

    def run() -> Shown | Refusal:
        for name, content in files.items():
            data = content if isinstance(content, bytes) else content.encode()
            Path(name.replace("_", ".")).write_bytes(data)
        return typed(line)

    return run


def typed(line: str) -> Shown | Refusal:
    """Run a line without its ``demur``; with --json the notes are those of the JSON."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = demur.cli.main(shlex.split(line))
        except SystemExit as end:
            code = int(end.code or 0)
    if code in (demur.cli.BAD_INPUT, 2):
        return Refusal(err.getvalue())
    if code != demur.cli.FINE:
        return Refusal(f"exit code {code}: {err.getvalue()}", by_house=False)
    if "--json" not in line:
        return Shown({}, out.getvalue() + err.getvalue())
    result = json.loads(out.getvalue())
    notes = [
        note for name, part in flat(result) if name.endswith("notes") for note in part
    ]
    return Shown(figures_of(result), "\n".join((err.getvalue(), *notes)).strip())


# -- judging -----------------------------------------------------------------------


def judged(
    responses: Iterable[Any], references: Iterable[Any], **options: Any
) -> demur.Outcomes:
    """Responses and references in the order of their items, q1, q2, ..."""
    return demur.judge(
        [{"item": f"q{n}", "response": one} for n, one in enumerate(responses, 1)],
        [{"item": f"q{n}", "reference": one} for n, one in enumerate(references, 1)],
        **options,
    )


# -- a chat ------------------------------------------------------------------------


class Chat(BaseHTTPRequestHandler):
    """An endpoint of the OpenAI shape that replies what was put down for a question."""

    replies: ClassVar[dict[str, tuple[str, str]]] = {}

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        prompt = str(json.loads(self.rfile.read(length))["messages"])
        text, finish = next(
            reply for question, reply in self.replies.items() if question in prompt
        )
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": finish}
        usage = {"prompt_tokens": 9, "completion_tokens": 9}
        body = json.dumps({"model": "m", "choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_parts: Any) -> None:
        pass


@cache
def chat_url() -> str:
    """The address of the one server that all cases share; it ends with the process."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Chat)
    serve = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
    )
    serve.start()
    return f"http://127.0.0.1:{server.server_port}/v1"


def replied(text: str, finish: str = "stop") -> Shown:
    """What becomes of one reply of a language model."""
    question = f"question {len(Chat.replies)} of the table?"
    Chat.replies[question] = text, finish
    system = demur.ChatSystem("m", chat_url(), confidence="verbalised")
    [answer] = system.respond([demur.Input("q1", question)])
    figures = {
        "response": answer.response,
        "confidence": answer.confidence,
        "kind": answer.kind,
        "declined": bool(answer.declined),
        "failed": answer.failed,
    }
    return Shown(figures)
