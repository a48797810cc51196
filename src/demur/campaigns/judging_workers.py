"""A process that judges submissions, one after the other, and may be ended at any time.

It reads the hidden references, so that nothing of them is where an error is said: what
goes wrong comes back as a code. It writes no file.
"""

import os
import pickle
import selectors
import struct
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple, cast

from demur.errors import InputError, RunError

if TYPE_CHECKING:
    from demur.outcomes.table import Outcomes

CODES: Final = {
    "changed": "the file is not the one that was taken",
    "unreadable": "the answers do not join with the items",
    "comparator": "the comparator failed",
    "memory": "there was not enough memory",
    "time": "it was not judged in time",
    "died": "the process that judged it ended",
    "internal": "something else failed",
}
"""Why a submission could not be judged; none says anything of what is right."""

_LENGTH: Final = struct.Struct(">Q")
_CODE: Final = "from demur.campaigns.judging_workers import serve; serve()"


@dataclass(frozen=True)
class JudgingTask:
    """A submission to be judged.

    Parameters
    ----------
    number : int
    path : str
        Of its answers; "" asks what a blind guesser gets instead.
    system : str
        What it is called in its verdicts.
    """

    number: int
    path: str
    system: str


class JudgingReply(NamedTuple):
    """What became of a submission.

    ``code`` is "" if it was judged; ``verdicts`` are then the lines of its outcomes.
    ``reason`` is for the organiser alone: it may say what is right.
    """

    number: int
    code: str
    verdicts: bytes
    reason: str
    floor: str = ""


class JudgingProcess:
    """One of the processes, and what it works on.

    Parameters
    ----------
    references : str
        Path of the hidden references.
    how : mapping
        Arguments of `demur.judge`.
    """

    def __init__(self, references: str, how: Mapping[str, Any]) -> None:
        self.task: JudgingTask | None = None
        self._number, self._began = 0, 0.0
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _CODE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
        self._orders = cast(IO[bytes], self._process.stdin)
        self._replies = cast(IO[bytes], self._process.stdout)
        self._send({"references": references, "how": dict(how)})

    def begin(self, task: JudgingTask) -> None:
        """Hand it a submission."""
        self.task, self._number, self._began = task, task.number, time.monotonic()
        self._send(task)

    def fileno(self) -> int:
        """Where its replies come from."""
        return self._replies.fileno()

    def late(self, limit: float) -> bool:
        """Whether it has worked for longer on one submission."""
        return self.task is not None and time.monotonic() - self._began > limit

    def reply(self) -> JudgingReply:
        """What became of its submission; waits until all of it is there."""
        try:
            reply: JudgingReply = _received(self._replies)
        except (EOFError, pickle.UnpicklingError):
            return JudgingReply(self._number, "died", b"", "")
        self.task = None
        return reply

    def close(self) -> None:
        """End it, whatever it does."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._orders, self._replies):
            with suppress(OSError):
                pipe.close()

    def _send(self, message: Any) -> None:
        with suppress(OSError):  # it is gone, which its reply will show
            _sent(self._orders, message)


def judged_by_processes(
    tasks: list[JudgingTask],
    references: str,
    how: Mapping[str, Any],
    *,
    workers: int,
    limit: float,
) -> Iterator[JudgingReply]:
    """Judge submissions in processes of their own, in whatever order they are done.

    Parameters
    ----------
    tasks : list of JudgingTask
    references, how
        As of `JudgingProcess`.
    workers : int
        How many at a time.
    limit : float
        Seconds for each; what takes longer is ended.
    """
    left = list(reversed(tasks))
    crew: list[JudgingProcess] = []
    try:
        while left or crew:
            while left and len(crew) < workers:
                process = JudgingProcess(references, how)
                crew.append(process)
                process.begin(left.pop())
            for process, reply in _replies(crew, limit):
                yield reply
                if process.task is None and left:
                    process.begin(left.pop())
                else:
                    crew.remove(process)
                    process.close()
    finally:
        for process in crew:
            process.close()


def _replies(
    crew: list[JudgingProcess], limit: float
) -> list[tuple[JudgingProcess, JudgingReply]]:
    """What has come back within a moment, and who is late."""
    with selectors.DefaultSelector() as ready:
        for process in crew:
            ready.register(process, selectors.EVENT_READ)
        there = [key.fileobj for key, _ in ready.select(timeout=0.2)]
    replies = [(process, process.reply()) for process in crew if process in there]
    for process in crew:
        if process not in there and process.late(limit) and process.task is not None:
            late = JudgingReply(process.task.number, "time", b"", "")
            replies.append((process, late))
    return replies


# -- messages --------------------------------------------------------------------------


def _sent(pipe: IO[bytes], message: Any) -> None:
    data = pickle.dumps(message)
    pipe.write(_LENGTH.pack(len(data)) + data)
    pipe.flush()


def _received(pipe: IO[bytes]) -> Any:
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    data = pipe.read(length)
    if len(data) < length:
        raise EOFError
    return pickle.loads(data)


# -- in the process --------------------------------------------------------------------


def serve() -> None:
    """Judge what comes on standard input until it ends."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that prints gets between the replies
    orders = sys.stdin.buffer
    settings = _received(orders)
    known: list[Any] = []
    while True:
        try:
            task: JudgingTask = _received(orders)
        except EOFError:
            return
        _sent(replies, _done(task, settings, known))


def _done(
    task: JudgingTask, settings: Mapping[str, Any], known: list[Any]
) -> JudgingReply:
    try:
        if not known:
            from demur import formats

            known += formats.iter_references(settings["references"])
        return judged(task, known, settings["how"])
    except InputError:
        code = "unreadable"
    except RunError:
        code = "comparator"
    except MemoryError:
        code = "memory"
    except Exception:  # noqa: BLE001  (one submission must not stop the others)
        code = "internal"
    return JudgingReply(task.number, code, b"", traceback.format_exc())


def judged(
    task: JudgingTask, references: list[Any], how: Mapping[str, Any]
) -> JudgingReply:
    """The verdicts of a submission as lines of outcomes, nothing of references in them.

    Parameters
    ----------
    task : JudgingTask
    references : list of Reference
    how : mapping
        Arguments of `demur.judge`.
    """
    from io import BytesIO

    from demur import formats
    from demur.answers.floors import BEGINS
    from demur.judging.judging import judge
    from demur.outcomes.records import Response

    if not task.path:
        # An answer, whatever it says: without one the queries of references do not run.
        blind = [Response(item=one.item, response="0") for one in references]
        outcomes = judge(blind, references, **how)
        notes = [note for note in outcomes.notes if note.startswith(BEGINS)]
        return JudgingReply(task.number, "", b"", "", (notes or [""])[0])
    lines = BytesIO()
    formats.write_outcomes(judged_outcomes(task, references, how), lines)
    return JudgingReply(task.number, "", lines.getvalue(), "")


def judged_outcomes(
    task: JudgingTask, references: list[Any], how: Mapping[str, Any]
) -> "Outcomes":
    """The verdicts of a submission, without its responses and without references.

    Parameters
    ----------
    task, references, how
        As of `judged`.
    """
    from demur.campaigns.checking import read_answers
    from demur.judging.judging import judge

    responses = [
        replace(response, system=task.system, setting=None, repeat=None, extra={})
        for response in read_answers(task.path)
    ]
    outcomes: Outcomes = judge(responses, references, hide_references=True, **how)
    return replace(outcomes, response=None)
