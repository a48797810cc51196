"""The verb that asks a system all inputs: several at a time, and each only once.

What has been answered is kept in a journal as it comes, so that a run that was
interrupted, or killed, goes on where it was.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

from demur import checks
from demur.errors import DemurError, InputError, RunError, problem_text, shown
from demur.formats.writing import write_records
from demur.outcomes import fields
from demur.outcomes.records import Response, item_text
from demur.systems.protocol import Input, System

JOURNAL: Final = ".unfinished"
"""What the name of a journal ends in."""

GIVE_UP: Final = 20
"""If so many inputs at the start all fail, the run ends: something else is wrong."""

Progress = Callable[[int, int], None]
_Record = TypeVar("_Record", Input, Response)


def run(
    system: System,
    inputs: Iterable[Input | tuple[Any, Any]],
    *,
    path: str | os.PathLike[str] | None = None,
    concurrency: int = 1,
    batch: int = 1,
    keep: Iterable[Response] = (),
    progress: Progress | None = None,
) -> list[Response]:
    """Ask a system all inputs.

    Parameters
    ----------
    system : System
        From `as_system`, or of your own. With a concurrency it is asked from several
        threads.
    inputs : iterable of Input
        Or of pairs (item, input). Nothing else reaches the system.
    path : path, optional
        Where the responses go, as JSON Lines in the order of the inputs. Until all are
        there they are kept in a journal beside it; a run with the same system and
        inputs goes on from there.
    concurrency : int
        How many requests are open at a time.
    batch : int
        How many inputs a request has.
    keep : iterable of Response
        Responses from before: their items are not asked again.
    progress : callable, optional
        Called with the numbers of inputs that are done and of all.

    Returns
    -------
    list of Response
        One for each input, in their order. What could not be had has ``failed``.

    Raises
    ------
    InputError
        If an item stands twice, or the journal is of another run.
    RunError
        If the first inputs all fail, or the system answers what it was not asked.

    Examples
    --------
    >>> import demur
    >>> system = demur.as_system(lambda text: text.title() if text else None)
    >>> answers = demur.run(system, [("q1", "oslo"), ("q2", "")])
    >>> [(answer.item, answer.response) for answer in answers]
    [('q1', 'Oslo'), ('q2', None)]
    """
    checks.of_kind("run", "system", system, System)
    asked = _checked(
        checks.listed("run", "inputs", inputs, "Give (item, input) pairs.")
    )
    checks.whole("run", "concurrency", concurrency, 1)
    checks.whole("run", "batch", batch, 1)
    checks.function("run", "progress", progress)
    kept = checks.all_of_kind("run", "keep", keep, Response)
    done = _by_item(kept, "keep")
    journal = None
    if path is not None:
        checks.path("run", path)
        journal = _Journal(Path(f"{os.fspath(path)}{JOURNAL}"), _head(system, asked))
        done |= journal.responses
    left = [question for key, question in asked.items() if key not in done]
    n_done = len(asked) - len(left)
    with ExitStack() as at_end:
        at_end.callback(getattr(system, "close", _nothing))
        if journal is not None:
            at_end.callback(journal.close)
        for answers in _answers(system, left, concurrency, batch):
            done |= _by_item(answers, "a response")
            if journal is not None:
                journal.add(answers)
            n_done += len(answers)
            if progress is not None:
                progress(n_done, len(asked))
    responses = [done[key] for key in asked]
    if path is not None and journal is not None:
        write_records(map(plain_response, responses), path)
        journal.remove()  # only now: until the file is there, the journal has all
    return responses


def _by_item(records: Iterable[_Record], place: str) -> dict[str, _Record]:
    return {item_text(record.item, place): record for record in records}


def _nothing() -> None:
    """What is done at the end by a system that needs no end."""


def _checked(inputs: Iterable[Input | tuple[Any, Any]]) -> dict[str, Input]:
    asked: dict[str, Input] = {}
    for number, given in enumerate(inputs, 1):
        pair = tuple(given) if isinstance(given, (tuple, list)) else ()
        if len(pair) != 2:
            need = "be a pair (item, input)"
            raise InputError("run", f"input {number}", need, shown(given))
        key = item_text(pair[0], f"input {number}")
        if key in asked:
            need, hint = "stand once", "Give repeated questions items of their own."
            raise InputError("run", f"item {shown(key)}", need, "twice", hint)
        asked[key] = Input(*pair)
    return asked


# -- asking --------------------------------------------------------------------------


def _answers(
    system: System, inputs: Sequence[Input], concurrency: int, batch: int
) -> Iterator[list[Response]]:
    """The responses to each request as they come; not all at the start may fail."""
    groups = (inputs[at : at + batch] for at in range(0, len(inputs), batch))
    n_failed, answered = 0, False
    with ThreadPoolExecutor(concurrency, "demur-run") as pool:
        open_: set[Future[list[Response]]] = set()
        try:
            while True:
                # Twice as many as there are threads: none waits for us to come by,
                # and answers of batches that nobody wants any more are few.
                room = 2 * concurrency - len(open_)
                open_ |= {pool.submit(_group, system, g) for g in islice(groups, room)}
                if not open_:
                    return
                ready, open_ = wait(open_, return_when=FIRST_COMPLETED)
                for request in ready:
                    answers = request.result()
                    yield answers
                    n_failed += len(answers)
                    answered |= not all(answer.failed for answer in answers)
                    if n_failed >= GIVE_UP and not answered:
                        why = f"the first {n_failed} inputs all failed"
                        raise RunError(f"{why}: {answers[-1].failed}")
        finally:
            for request in open_:
                request.cancel()


def _group(system: System, group: Sequence[Input]) -> list[Response]:
    """The responses to one request, one for each input."""
    open_ = _by_item(group, "input")
    try:
        answers = list(system.respond(group))
    except DemurError:  # wrong settings would fail for all: the run ends
        raise
    except Exception as problem:  # noqa: BLE001  (whatever the user's code raises)
        return [asked.answered("", failed=problem_text(problem)) for asked in group]
    matched = []
    for answer in answers:
        key = item_text(answer.item, "a response")
        if key not in open_:
            raise RunError(
                f"the system answers item {shown(answer.item)}, which it was not asked "
                "or has answered before"
            )
        matched.append(replace(answer, item=open_.pop(key).item))
    name = matched[0].system if matched else ""
    missing = [left.answered(name, failed="no response") for left in open_.values()]
    return matched + missing


# -- keeping -------------------------------------------------------------------------


def plain_response(response: Response) -> dict[str, Any]:
    """A response as a record, with the fields that it has.

    Examples
    --------
    >>> plain_response(Response(item="q1", response=None, declined=True))
    {'item': 'q1', 'response': None, 'declined': True}
    """
    first = ("item", "system", "response")
    names = dict.fromkeys((*first, *fields.names_of("response")))
    columns = {name: getattr(response, name) for name in names}
    kept = {
        name: value
        for name, value in columns.items()
        if name in ("item", "response") or value not in (None, "")
    }
    record: dict[str, Any] = _writable({**kept, **response.extra})
    return record


def _writable(value: Any) -> Any:
    """A value in which halves of a surrogate pair are question marks, as in files."""
    if isinstance(value, str):
        whole = value.isascii() or value.encode("utf-8", "replace").decode() == value
        return value if whole else value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_writable(name): _writable(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_writable(part) for part in value]
    return value


def _head(system: System, asked: Mapping[str, Input]) -> dict[str, str]:
    """What a journal is of."""
    digest = hashlib.sha256()
    for question in asked.values():
        digest.update(json.dumps(question, default=str).encode())
    # An object without a ``__str__`` of its own shows its place in memory, which no
    # later run would have.
    described = str(system) if type(system).__str__ is not object.__str__ else ""
    return {
        "system": described or type(system).__qualname__,
        "inputs": digest.hexdigest()[:16],
    }


class _Journal:
    """The responses of an unfinished run, in the order in which they came."""

    def __init__(self, path: Path, head: dict[str, str]) -> None:
        self.path = path
        self.responses: dict[str, Response] = {}
        size = self._read_back(head) if path.exists() else 0
        self._empty = not self.responses
        # What follows the last whole line was cut off by a kill, and is written anew.
        self._file = path.open("r+b" if size else "wb")
        self._file.seek(size)
        self._file.truncate()
        if not size:
            self._write({"demur": "unfinished run", **head})

    def _read_back(self, head: dict[str, str]) -> int:
        """Read what is whole; gives its size. The last line may have been cut off."""
        size = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file):
                if not line.endswith(b"\n"):
                    break
                try:
                    record = json.loads(line)
                except ValueError:
                    break
                if number == 0:
                    self._check(record, head)
                else:
                    known = record.keys() & set(fields.names_of("response"))
                    columns = {name: record.pop(name) for name in known}
                    key = item_text(columns["item"], str(self.path))
                    self.responses[key] = Response(**columns, extra=record)
                size += len(line)
        return size

    def _check(self, record: Any, head: dict[str, str]) -> None:
        known = record if isinstance(record, dict) else {}
        for name, value in head.items():
            if known.get(name) != value:
                need = f"be of this run ({name})"
                hint = "Remove it to begin anew, or name another output."
                got = shown(known.get(name))
                raise InputError(str(self.path), "the journal", need, got, hint)

    def _write(self, record: Mapping[str, Any]) -> None:
        text = json.dumps(record, ensure_ascii=True)
        self._file.write(text.encode() + b"\n")
        self._file.flush()

    def add(self, responses: Iterable[Response]) -> None:
        """Keep responses."""
        for response in responses:
            self._write(plain_response(response))
            self._empty = False

    def close(self) -> None:
        """Close the file; it stays if it holds anything."""
        self._file.close()
        if self._empty:
            self.remove()

    def remove(self) -> None:
        """Remove the file: the run has ended."""
        self.path.unlink(missing_ok=True)
