"""The side of the parent: processes that run SQL, killed when they are late or ill."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Final

from demur.errors import RunError
from demur.sql.execution.databases import Database
from demur.sql.execution.messages import GRACE, read_message, write_message
from demur.sql.execution.queries import Limits, SqlFailure
from demur.sql.execution.results import failure_payload

_TICK: Final = 0.25  # seconds

_CODE: Final = "from demur.sql.execution.serving import serve; serve()"


class Worker:
    """A process that has one database open.

    Parameters
    ----------
    database : Database
        To be opened.
    limits : Limits
        Of each query.
    folder : str
        Where it may find copies of databases.
    """

    def __init__(self, database: Database, limits: Limits, folder: str) -> None:
        self.database = database
        self._limits = limits
        self._late = False
        self.died = False
        """Whether it ended, or was ended for being late, before it answered."""
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _CODE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )
        self._task = json.dumps(
            {
                "place": database.place,
                "engine": database.engine,
                "folder": folder,
                "limits": asdict(limits),
            }
        ).encode()

    def open(self) -> bytes:
        """Open the database; nothing, or the failure of every query on it.

        Raises
        ------
        RunError
            If Python itself does not start.
        """
        reply = self._exchange(self._task, self._limits.timeout + 4 * GRACE)
        if reply is not None:
            return reply
        if (self._process.returncode or 0) > 0:
            raise RunError(f"{sys.executable} cannot run the processes that read SQL")
        if self._late:
            return _failed("unreadable", "it does not open in time")
        return _failed("unreadable", f"opening it {_ending(self._process.returncode)}")

    def ask(self, sql: str) -> bytes:
        """The payload that answers a query."""
        text = sql.encode("utf-8", "surrogatepass")
        reply = self._exchange(text, self._limits.timeout + GRACE)
        if reply is not None:
            return reply
        if self._late:
            message = f"it ran for more than {self._limits.timeout:g} s and was killed"
            return _failed("timeout", message)
        return _failed("crashed", f"the process {_ending(self._process.returncode)}")

    @property
    def was_killed(self) -> bool:
        """Whether something else ended it, such as a system short of memory."""
        ended = self._process.returncode in (-signal.SIGKILL, -signal.SIGTERM)
        return self.died and ended and not self._late

    def kill(self) -> None:
        """End the process; it may have ended already."""
        self._process.kill()

    def close(self) -> None:
        """End the process and forget it."""
        self.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):  # what was not sent is not needed any more
                    pipe.close()

    def _exchange(self, message: bytes, seconds: float) -> bytes | None:
        """Send a message and wait for its answer; None if the process is gone."""
        pipes = self._process.stdin, self._process.stdout
        answered = threading.Event()
        watch = threading.Thread(target=self._watch, args=(seconds, answered))
        watch.daemon = True
        watch.start()
        try:
            write_message(pipes[0], message)  # type: ignore[arg-type]
            return read_message(pipes[1])  # type: ignore[arg-type]
        except (OSError, EOFError):
            self.died = True
            self._process.wait()
            return None
        finally:
            answered.set()

    def _watch(self, seconds: float, answered: threading.Event) -> None:
        """Kill the process if it does not answer in time."""
        if is_late(seconds, answered.wait):
            self._late = True
            self.kill()


def is_late(seconds: float, answered: Callable[[float], bool]) -> bool:
    """Whether no answer comes within some seconds.

    They are counted in ticks: while something stalls this process, no answer is read,
    and that time is not the worker's.

    Parameters
    ----------
    seconds : float
        How long to wait.
    answered : callable
        Waits for the answer as long as it is told, and says whether it has come.

    Examples
    --------
    >>> is_late(0.01, threading.Event().wait)
    True
    """
    while seconds > 0:
        if answered(min(seconds, _TICK)):
            return False
        seconds -= _TICK
    return True


def _environment() -> dict[str, str]:
    """That of this process, with its way to find modules, and one time zone."""
    path = os.pathsep.join(str(Path(folder).resolve()) for folder in sys.path)
    return {**os.environ, "PYTHONPATH": path, "TZ": "UTC"}


def _ending(code: int | None) -> str:
    if code is None or code >= 0:
        return f"ended with code {code}"
    name = signal.Signals(-code).name
    return f"was ended by {name}"


def _failed(kind: str, message: str) -> bytes:
    return failure_payload(SqlFailure(kind, message))
