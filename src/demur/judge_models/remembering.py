"""Replies of a judge that are kept as they come, so that none is paid for twice."""

import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from demur.outcomes.records import Response, as_response
from demur.systems.adapters.kept_answers import KeptAnswers, request_key
from demur.systems.journals import head_of, plain_response
from demur.systems.protocol import Input, System

_SPENT = ("prompt_tokens", "cached_tokens", "completion_tokens", "cost")


class RememberedReplies:
    """A system whose responses are kept as they come, in memory and in a file.

    Parameters
    ----------
    system : System
    cache : path, optional
        A file (SQLite), shared by runs; what failed is not in it. A system is known
        there by how it prints, and by its name: a function is known by that alone.
    name : str
        By default the system's own.

    Examples
    --------
    >>> import demur
    >>> asked = []
    >>> judge = demur.as_system(lambda text: asked.append(text) or "Ja")
    >>> system = RememberedReplies(judge)
    >>> for _ in range(2):
    ...     [answer] = system.respond([Input("k", "Right?")])
    >>> answer.response, asked
    ('Ja', ['Right?'])
    """

    def __init__(
        self,
        system: System,
        cache: str | os.PathLike[str] | None = None,
        name: str = "",
    ) -> None:
        self.system = system
        self.name = name or str(getattr(system, "name", ""))
        self.spent: dict[str, float] = {}
        self.kept = 0
        self._known: dict[str, Response] = {}
        self._lock = threading.Lock()
        self._file = None if cache is None else KeptAnswers(cache)

    def __str__(self) -> str:
        return head_of(self.system, {})["system"]

    __repr__ = __str__

    def check(self, inputs: Sequence[Input]) -> None:
        """As the system checks what it is asked."""
        check = getattr(self.system, "check", None)
        if check is not None:
            check(inputs)

    def close(self) -> None:
        """Close the connections of the system; it can be asked again."""
        close = getattr(self.system, "close", None)
        if close is not None:
            close()

    def respond(self, inputs: Sequence[Input]) -> list[Response]:
        """What is known is not asked."""
        answers, new = [], []
        for asked in inputs:
            known = self._find(asked)
            if known is None:
                new.append(asked)
            else:
                answers.append(known)
        if not new:
            return answers
        questions = {str(asked.item): asked for asked in new}
        for answer in self.system.respond(new):
            question = questions.get(str(answer.item))
            if question is not None and not answer.failed:
                self._keep(question, answer)
            answers.append(answer)
        return answers

    def _find(self, asked: Input) -> Response | None:
        with self._lock:
            known = self._known.get(str(asked.item))
        if known is not None or self._file is None:
            return known
        record = self._file.find(self._key(asked))
        if record is None:
            return None
        with suppress(ValueError, TypeError):  # damaged: ask again
            given: Any = record["answer"]
            known = as_response({**given, "item": asked.item}, self._file.path)
            with self._lock:
                self.kept += 1
                self._known[str(asked.item)] = known
        return known

    def _keep(self, asked: Input, answer: Response) -> None:
        if self._file is not None:
            record = {"answer": plain_response(answer), "seconds": 0.0}
            self._file.keep(self._key(asked), record)
        fresh = asked.item not in getattr(self.system, "from_cache", ())
        with self._lock:
            self._known[str(asked.item)] = answer
            self.kept += not fresh
            for name in _SPENT if fresh else ():
                value = answer.extra.get(name)
                if isinstance(value, (int, float)) and not isinstance(value, bool):
                    self.spent[name] = self.spent.get(name, 0) + value

    def _key(self, asked: Input) -> str:
        body = str(asked.input).encode("utf-8", "replace")
        return request_key(f"{self}\n{self.name}", body, asked.repeat)
