"""A program that reads inputs and writes responses, line by line, as a system."""

import json
import os
import queue
import shlex
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from demur.errors import InputError, RunError, shown
from demur.outcomes.records import Response
from demur.systems.adapters.functions import response_of
from demur.systems.protocol import Input, plain_input

_LONGEST_LINE: Final = 64 << 20


class CommandSystem:
    """A program as a system.

    It gets one line ``{"item": ..., "input": ...}`` for each input, and writes one line
    ``{"item": ..., "response": ..., "confidence": ...}`` for each, in any order, and
    flushes it. It is started when it is first asked, and again if it has ended. Where
    the run has a rule of context, each line has ``context``, the list of turns before.

    Parameters
    ----------
    command : str or sequence of str
        The program and its arguments; a text is split as a shell does, but no shell
        runs.
    name : str
        Of the system.
    timeout : float
        Seconds without any line after which it is ended, and what is open has failed.

    Raises
    ------
    InputError
        If the command is empty, or there is no such program.
    """

    def __init__(
        self, command: str | Sequence[str], *, name: str = "", timeout: float = 60.0
    ) -> None:
        try:
            split = shlex.split(command) if isinstance(command, str) else list(command)
        except ValueError as problem:
            need, got = "be quoted as in a shell", str(problem)
            raise InputError("as_system", "the command", need, got) from None
        if not split:
            raise InputError("as_system", "the command", "name a program", "nothing")
        self.command, self.name, self.timeout = split, name, timeout
        self._process: Any = None
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._lock = threading.Lock()

    def __str__(self) -> str:
        return f"command({shlex.join(self.command)})"

    __repr__ = __str__

    def respond(self, inputs: Sequence[Input]) -> list[Response]:
        """Ask the program; one caller at a time."""
        with self._lock:
            return self._ask(inputs)

    def close(self) -> None:
        """End the program."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(OSError):
            process.stdin.close()  # the end of its input is how it learns of the end
        try:
            process.wait(1)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()

    def _ask(self, inputs: Sequence[Input]) -> list[Response]:
        open_ = {str(question.item): question for question in inputs}
        answers: list[Response] = []
        why = ""
        self._send(inputs)
        deadline = time.monotonic() + self.timeout
        while open_:
            try:
                line = self._lines.get(timeout=max(deadline - time.monotonic(), 0))
            except queue.Empty:
                why = f"no line for {self.timeout:g} seconds"
                break
            if line is None:
                why = self._ended()
                break
            # Any line, even an empty one, is a sign of life.
            deadline = time.monotonic() + self.timeout
            if line.strip():
                answers.append(self._answer(line, open_))
        if why:
            self.close()  # what it may still write belongs to none of the next inputs
        failed = [left.answered(self.name, failed=why) for left in open_.values()]
        return answers + failed

    def _send(self, inputs: Sequence[Input]) -> None:
        """Write the inputs from a thread: the program may answer while it reads."""
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._start()
        process = self._process
        lines = b"".join(
            json.dumps(plain_input(question)).encode() + b"\n" for question in inputs
        )

        def write() -> None:
            with suppress(OSError, ValueError):  # it has ended: its output says so
                process.stdin.write(lines)
                process.stdin.flush()

        threading.Thread(target=write, daemon=True).start()

    def _start(self) -> None:
        try:
            process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except OSError as problem:
            need, got = "be a program that starts", str(problem)
            name = self.command[0]
            is_here = os.sep not in name and Path(name).is_file()
            hint = f"One of this folder is cmd:./{name}." if is_here else ""
            raise InputError("as_system", "the command", need, got, hint) from None
        self._process = process
        output: Any = process.stdout
        # A queue of its own: the thread of a program before may still write to its own.
        lines: queue.Queue[bytes | None] = queue.Queue()
        self._lines = lines

        def read() -> None:
            with suppress(ValueError):  # closed
                while line := output.readline(_LONGEST_LINE):
                    lines.put(line)
            lines.put(None)

        threading.Thread(target=read, daemon=True).start()

    def _ended(self) -> str:
        code = None if self._process is None else self._process.wait()
        return f"the program ended with code {code}"

    def _answer(self, line: bytes, open_: dict[str, Input]) -> Response:
        """One line as the response to an input that is open.

        Raises
        ------
        RunError
            If it is no record, or of an item that was not asked.
        """
        try:
            record: Any = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            got = shown(line[:60].decode("utf-8", "replace"))
            raise RunError(f"{self} must write one JSON object a line; got {got}")
        key = str(record.get("item"))
        if key not in open_:
            raise RunError(
                f"{self} answers item {shown(record.get('item'))}, which is not open: "
                "one line for each input, with its item"
            )
        question = open_.pop(key)
        # The item as it was asked: a program may give back 7 as "7".
        return response_of({**record, "item": question.item}, question, self.name)
