"""The verb that asks a system all inputs: several at a time, and each only once.

What has been answered is kept in a journal as it comes, so that a run that was
interrupted, or killed, goes on where it was.
"""

import hashlib
import json
import os
import queue
import threading
from collections import deque
from collections.abc import (
    Callable,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from demur import checks
from demur.errors import DemurError, InputError, RunError, problem_text, shown
from demur.executors import as_done, check_alone
from demur.formats.writing import write_records
from demur.outcomes.context_rules import RULE_COLUMN
from demur.outcomes.records import Response, item_text
from demur.systems.conversations import Conversations, Record
from demur.systems.journals import JOURNAL, Journal, head_of, plain_response
from demur.systems.protocol import Input, RepeatedInput, System

if TYPE_CHECKING:
    from concurrent.futures import Executor

GIVE_UP: Final = 20
"""If so many inputs fail one after another, the run ends: something else is wrong."""

Progress = Callable[[int, int], None]
_Record = TypeVar("_Record", Input, Response)


class RunResponses(list[Response]):
    """The responses of a run, in the order of the inputs.

    Attributes
    ----------
    notes : list of str
        What a user must know of how they came.
    not_asked : dict of str to int
        How many turns were not asked under the rule of context, by a code of
        `demur.outcomes.contexts.NOT_ASKED`.
    """

    def __init__(
        self,
        responses: Iterable[Response],
        notes: Sequence[str],
        not_asked: Mapping[str, int] | None = None,
    ) -> None:
        super().__init__(responses)
        self.notes, self.not_asked = list(notes), dict(not_asked or {})


def run(  # noqa: PLR0913  (options are independent of each other)
    system: System,
    inputs: Iterable[Input | tuple[Any, Any] | Record],
    *,
    context: str | None = None,
    path: str | os.PathLike[str] | None = None,
    concurrency: int = 1,
    batch: int = 1,
    executor: "Executor | None" = None,
    keep: Iterable[Response] = (),
    progress: Progress | None = None,
    give_up: int | None = GIVE_UP,
) -> RunResponses:
    """Ask a system all inputs.

    Parameters
    ----------
    system : System
        From `as_system`, or of your own. With a concurrency it is asked from several
        threads.
    inputs : iterable of Input
        Or of pairs (item, input). Nothing else reaches the system.
    context : {"dialogue", "excluded", "alone"}, optional
        The rule of when context is reset. The inputs are records then (mappings or
        `Reference`), in the order in which each ``dialogue`` (else ``cluster``) was
        held; the system is given the turns before with its own answers to them, as
        `Input.context`. Excluded turns, and questions whose context was reset away, are
        not asked.
    path : path, optional
        Where the responses go, as JSON Lines in the order of the inputs. Until all are
        there they are kept in a journal beside it; a run with the same system and
        inputs goes on from there, and asks again what has failed.
    concurrency : int
        How many requests are open at a time.
    batch : int
        How many inputs a request has; turns of one conversation never share one.
    executor : Executor, optional
        Of `concurrent.futures`: the system is asked by its workers, and the responses
        are the same. It is sent to them with each request, so that it forgets what it
        learns there.
    keep : iterable of Response
        Responses from before: their items are not asked again.
    progress : callable, optional
        Called with the numbers of inputs that are done and of all.
    give_up : int, optional
        If so many inputs fail one after another, the run ends; None never ends it.

    Returns
    -------
    list of Response
        One for each input that is asked, in their order. What could not be had has
        ``failed``. Its ``notes`` say what was not asked, and what was wrong with the
        journal. With a rule each has the further column ``context_rule``.

    Raises
    ------
    InputError
        If an item stands twice, or the journal is of another run, damaged in a line
        that is none of its own, or written by a run that is still at work.
    RunError
        If ``give_up`` inputs fail one after another, or the system answers what it was
        not asked.

    Examples
    --------
    >>> import demur
    >>> system = demur.as_system(lambda text: text.title() if text else None)
    >>> answers = demur.run(system, [("q1", "oslo"), ("q2", "")])
    >>> [(answer.item, answer.response) for answer in answers]
    [('q1', 'Oslo'), ('q2', None)]
    """
    checks.of_kind("run", "system", system, System)
    for name, number in (("concurrency", concurrency), ("batch", batch)):
        checks.whole("run", name, number, 1)
    check_alone("run", executor, "concurrency", concurrency)
    checks.function("run", "progress", progress)
    if give_up is not None:
        checks.whole("run", "give_up", give_up, 1)
    listed = checks.listed("run", "inputs", inputs, "Give (item, input) pairs.")
    questions = _questions(system, listed, context, batch)
    asked = questions.asked
    getattr(system, "check", _unchecked)(questions.words)
    kept = _kept(keep, context)
    with ExitStack() as at_end:
        journal = None
        if path is not None:
            checks.path("run", path)
            beside = Path(f"{os.fspath(path)}{JOURNAL}")
            head = head_of(system, questions.head())
            journal = at_end.enter_context(Journal(beside, head))
        journaled = {} if journal is None else journal.responses
        done = questions.keep(_from_before(asked, kept, journaled))
        at_end.callback(getattr(system, "close", _nothing))
        asking = _answers(system, questions, concurrency, executor)
        at_end.enter_context(closing(asking))
        for answers in _until(give_up, len(asked) - len(done), asking):
            done |= _by_item(answers, "a response")
            if journal is not None:
                journal.add(answers)
            questions.add(answers)
            if progress is not None:
                progress(len(done), len(asked))
        responses = [questions.marked(done[key]) for key in asked]
        if path is not None and journal is not None:
            write_records(map(plain_response, responses), path)
            journal.remove()  # only now: until the file is there, the journal has all
    notes = [*questions.notes(), *(journal.notes if journal else ())]
    return RunResponses(responses, notes, questions.not_asked)


def _questions(
    system: System, inputs: Iterable[Any], context: str | None, batch: int
) -> "_PlainQuestions | Conversations":
    if context is None:
        return _PlainQuestions(inputs, batch)
    conversations = Conversations(inputs, context, batch=batch)
    conversations.check(system)
    return conversations


class _PlainQuestions:
    """Inputs that are asked in any order, as requests; see `Conversations`."""

    def __init__(self, inputs: Iterable[Any], batch: int) -> None:
        self.asked, self._batch = _checked(inputs), batch
        self.words = [*self.asked.values()]
        self.not_asked: dict[str, int] = {}
        self._left: deque[list[Input]] = deque()

    def head(self) -> dict[str, str]:
        """What the journal says of them."""
        digest = hashlib.sha256()
        for question in self.words:
            digest.update(json.dumps(question, default=str).encode())
        return {"inputs": digest.hexdigest()[:16]}

    def notes(self) -> Sequence[str]:
        """All are asked."""
        return ()

    def keep(self, answers: dict[str, Response]) -> dict[str, Response]:
        """Answers from before; what has none is asked."""
        left = [asked for key, asked in self.asked.items() if key not in answers]
        starts = range(0, len(left), self._batch)
        self._left.extend(left[at : at + self._batch] for at in starts)
        return answers

    def add(self, answers: Iterable[Response]) -> None:
        """None waits for another."""

    def marked(self, response: Response) -> Response:
        """It was asked under no rule."""
        return response

    def __len__(self) -> int:
        return len(self._left)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> list[Input]:
        if not self._left:
            raise StopIteration
        return self._left.popleft()


def _kept(keep: Any, context: str | None) -> dict[str, Response]:
    """Responses from before; those that were asked otherwise are refused."""
    kept = checks.all_of_kind("run", "keep", keep, Response)
    for response in kept:
        rule = response.extra.get(RULE_COLUMN)
        if rule != context:
            under = f"under context={context}" if context else "without a context"
            need = f"be asked {under}, as this run asks"
            got = "none" if rule is None else shown(rule)
            hint = "Ask under that rule (--context), or ask all anew (--replace)."
            place = response.place or f"item {shown(response.item)}"
            raise InputError(place, "a response that is kept", need, got, hint)
    return _by_item(kept, "keep")


def _from_before(
    asked: Iterable[str],
    kept: Mapping[str, Response],
    journaled: Mapping[str, Response],
) -> dict[str, Response]:
    """Responses from before, in the order in which they came."""
    answers = {key: kept[key] for key in asked if key in kept}
    for key, response in journaled.items():
        answers.pop(key, None)
        answers[key] = response
    return answers


def _by_item(records: Iterable[_Record], place: str) -> dict[str, _Record]:
    return {item_text(record.item, place): record for record in records}


def _unchecked(_: Sequence[Input]) -> None:
    """What is done before by a system that takes any input."""


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
        asked[key] = given if isinstance(given, RepeatedInput) else Input(*pair)
    return asked


# -- asking --------------------------------------------------------------------------


def _until(
    give_up: int | None, n_inputs: int, answers: Iterator[list[Response]]
) -> Iterator[list[Response]]:
    """The responses, until too many of them in a row are none.

    Where some were answered and all have been asked, there is nothing to give up.
    """
    in_a_row, answered = 0, False
    for some in answers:
        yield some
        n_inputs -= len(some)
        for answer in some:
            in_a_row = in_a_row + 1 if answer.failed else 0
            answered |= not answer.failed
        if answered and not n_inputs:
            return
        if give_up is not None and in_a_row >= give_up:
            which = f"the first {in_a_row} inputs all failed"
            if answered:
                which = f"{in_a_row} inputs failed one after another"
            raise RunError(f"{which}: {some[-1].failed}")


def _answers(
    system: System,
    requests: "_PlainQuestions | Conversations",
    concurrency: int,
    executor: "Executor | None",
) -> Generator[list[Response]]:
    """The responses to each request as they come.

    There may be more requests once the responses to others have been taken.
    """
    if executor is not None:
        yield from as_done("run", partial(_group, system), requests, executor)
        return
    groups: Iterator[list[Input]] = iter(requests)
    with _Askers(system, min(concurrency, len(requests))) as askers:
        while True:
            # One for each thread, and the next only once an answer has been taken and
            # kept: a kill loses no more requests than are open at a time.
            for group in islice(groups, concurrency - askers.n_open):
                askers.give(group)
            if not askers.n_open:
                return
            try:
                answers = askers.take()
            except RunError:  # such as a budget: what is under way has its price, too
                yield from askers.rest()
                raise
            yield answers


class _Askers:
    """Threads that ask; where the run ends early, nobody waits for them."""

    def __init__(self, system: System, count: int) -> None:
        self.n_open, self._count = 0, count
        self._groups: queue.SimpleQueue[Sequence[Input] | None] = queue.SimpleQueue()
        self._ready: queue.SimpleQueue[list[Response] | BaseException] = (
            queue.SimpleQueue()
        )
        for _ in range(count):
            how = {"target": self._work, "args": (system,), "daemon": True}
            threading.Thread(name="demur-run", **how).start()  # type: ignore[arg-type]

    def _work(self, system: System) -> None:
        while (group := self._groups.get()) is not None:
            try:
                self._ready.put(_group(system, group))
            except BaseException as problem:  # noqa: BLE001  (raised by take)
                self._ready.put(problem)

    def give(self, group: Sequence[Input]) -> None:
        """Have a request asked."""
        self.n_open += 1
        self._groups.put(group)

    def take(self) -> list[Response]:
        """The responses to the request that is answered next."""
        answers = self._ready.get()
        self.n_open -= 1
        if isinstance(answers, BaseException):
            raise answers
        return answers

    def rest(self) -> Iterator[list[Response]]:
        """The responses to requests that are under way, where they have any."""
        self._forget()
        while self.n_open:
            with suppress(RunError):
                yield self.take()

    def _forget(self) -> None:
        """What nobody has begun is not asked."""
        with suppress(queue.Empty):
            while True:
                self._groups.get_nowait()
                self.n_open -= 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._forget()
        for end in [None] * self._count:
            self._groups.put(end)


def _group(system: System, group: Sequence[Input]) -> list[Response]:
    """The responses to one request, one for each input."""
    open_ = _by_item(group, "input")
    try:
        answers = list(system.respond(group))
    except DemurError:  # wrong settings would fail for all: the run ends
        raise
    except (Exception, SystemExit) as problem:  # noqa: BLE001  (the user's code)
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
