"""What was read out of replies before comparing, and what a rule left out of sight."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from demur.answers import (
    Comparator,
    Extraction,
    Number,
    Slots,
    Text,
    TokenF1,
    ToolCall,
    read_all,
    verdict,
)
from demur.answers.extracting import Extracted
from demur.answers.reply_forms import kind_of_end, marked_answer, spoken
from demur.answers.units import PERCENT, SIZES
from demur.errors import shown
from demur.outcomes.reasons import FAILED, TRUNCATED
from demur.outcomes.records import Response, Verdict
from demur.outcomes.refusals import several
from demur.outcomes.thoughts import holds_thoughts

_TELLING: Final = re.compile(
    r"[+#<>=^~%]|(?<!\w)[-\u2212](?=[\d.])|(?<=\d)\.(?=\d)|(?<=\d),(?=\d)(?!\d{3}\b)"
)
"""Signs that make another answer of what they stand in: C++, -5, 1.5, 3 %."""


_CLOSED: Final = ("boxed", "json")
"""Steps that read an answer which ends by itself."""

_FINISH: Final = ("finish_reason", "stop_reason", "finishReason")
"""Columns that say what ended a reply, as services call them."""

_DEEPEST: Final = 100

_Read = tuple[str, Any]
"""A step of an extraction, and what it left."""


def shallow(response: Response) -> Response:
    """A response; of a value nested more than 100 deep its beginning, as text.

    Examples
    --------
    >>> deep = [1]
    >>> for _ in range(200):
    ...     deep = [deep]
    >>> shallow(Response(item="q", response=deep)).response[:12]
    'nested too d'
    """
    level = [response.response]
    for _ in range(_DEEPEST):
        level = [part for value in level for part in _parts(value)]
        if not level:
            return response
    return replace(response, response=f"nested too deeply: {'[' * 10}...")


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, (list, tuple)) else ()


class Readings:
    r"""Counts of answers that steps took out of replies, and of what decided unseen.

    Parameters
    ----------
    extraction : Extraction
        What is done to each response before it is compared.
    comparator : Comparator
        Those that drop signs say where that made an answer right.

    Examples
    --------
    >>> from demur import answers
    >>> readings = Readings(answers.extraction("boxed"), answers.text())
    >>> for reply in (r"It is \boxed{4}", "5"):
    ...     response = readings.read(Response(item="q", response=reply))
    >>> response.response, list(readings.notes())
    ('5', ['extract: boxed: 1 of 2 responses; the other one was compared as it stands'])
    """

    def __init__(self, extraction: Extraction, comparator: Comparator) -> None:
        self.extraction = extraction
        self._by_step: Counter[str] = Counter()
        self._in_fences = self._in_thoughts = 0
        self._ended: Counter[str] = Counter()
        self._columns: dict[str, None] = {}
        self.is_of_log: Callable[[], bool] = lambda: False  # which takes ends in itself
        self._missing: Counter[str] = Counter()
        self._guesses = self._read = 0
        self._drops_signs = (
            isinstance(comparator, (Text, TokenF1))
            and "punctuation" in comparator.normalise.steps
        )
        self.comparator = comparator
        self._unseen: list[tuple[str, str]] = []
        self._strict: Slots | None = None
        if isinstance(comparator, Slots) and comparator.types == "loose":
            self._strict = replace(comparator, types="strict")
        self._untyped: list[tuple[Any, Any]] = []
        self._signed: ToolCall | None = None
        if isinstance(comparator, ToolCall) and comparator.drops_signs:
            self._signed = replace(comparator, normalise="default")
        self._unsigned: list[tuple[Any, Any]] = []
        self._reads_units = isinstance(comparator, Number) and (
            comparator.written != "no"
        )
        self._with_units: list[tuple[Any, Any]] = []

    def read(self, response: Response) -> Response:
        """A response with the answer that is compared in place of the reply."""
        guess = response.response
        if response.failed or response.error:
            return response
        value, trace, kind = Extracted(guess, [])
        if guess is not None:
            value, trace, kind = self.extraction.read(guess)
        column = next(filter(response.extra.get, _FINISH), "")
        ended = self._kind_of_end(response, response.extra.get(column), value, trace)
        if ended is not None:
            self._ended[ended] += 1
            self._columns.setdefault(column)
            failed = response.extra[column] if ended == FAILED else response.failed
            kind = None if ended == FAILED else ended
            return replace(response, response=None, kind=kind, failed=failed)
        if not self.extraction.steps or guess is None:
            return response
        self._guesses += 1
        if kind is not None:
            self._missing[kind] += 1
            return replace(response, response=None, kind=response.kind or kind)
        self._read += bool(trace)
        self._by_step.update(step for step, _ in trace)
        return replace(response, response=value)

    def _kind_of_end(
        self, response: Response, finish: Any, value: Any, trace: Sequence[_Read]
    ) -> str | None:
        """Why a reply is none by what ended it; None if it may be one.

        A reply that stands in a column of its own has been read.
        """
        if not finish or response.kind is not None or "reply" in response.extra:
            return None
        reply = spoken(response.response)
        text = reply if isinstance(reply, str) else ""
        kind = kind_of_end(finish, text, marked_answer(text))
        is_whole = any(step.startswith(_CLOSED) for step, _ in trace) or not (
            value is None or isinstance(reply, str)
        )
        is_whole = is_whole or _is_ended(text, trace)
        if kind is None or (kind == TRUNCATED and is_whole) or self.is_of_log():
            return None
        return kind

    def shown_in(self, verdict: Verdict, guess: Any, reply: Any) -> Verdict:
        """A verdict whose reason says what was read of a reply that says more."""
        if guess is None or not self.extraction.steps or guess == reply:
            return verdict
        return replace(verdict, reason=f"{verdict.reason}; read {shown(guess)}")

    def add_wrong(self, guess: Any) -> None:
        """Look at a wrong guess: whether it is packed up."""
        if isinstance(guess, str):
            self._in_fences += guess.lstrip().startswith("```")
            self._in_thoughts += holds_thoughts(guess)

    @property
    def looks(self) -> bool:
        """Whether right guesses are looked at."""
        stricter = self._strict or self._signed
        return self._drops_signs or self._reads_units or stricter is not None

    def add_right(
        self, guess: Any, alternatives: Sequence[tuple[Any, float]], credit: float
    ) -> None:
        """Look at a right guess: whether what was left out of sight tells it apart."""
        values = [value for value, _ in alternatives]
        if self._reads_units:
            self._look_at_units(guess, values)
        elif self._signed is not None:
            read = read_all(self._signed, alternatives)
            if verdict(self._signed, guess, read).credit < credit:
                self._unsigned.append((guess, values[0]))
        elif self._strict is None:
            if isinstance(guess, str):
                self._look_at_signs(guess, values)
        elif any(map(_has_types, [guess, *values])):
            read = read_all(self._strict, alternatives)
            if verdict(self._strict, guess, read).credit < credit:
                self._untyped.append((guess, values[0]))

    def _look_at_signs(self, guess: str, values: Sequence[Any]) -> None:
        signs = _signs(guess)
        texts = [value for value in values if isinstance(value, str)]
        if not texts or any(_signs(text) == signs for text in texts):
            return
        same = self.comparator.read(guess)
        equal = (text for text in texts if self.comparator.read(text) == same)
        value = next(equal, None)
        if value is not None:
            self._unseen.append((guess, value))

    def _look_at_units(self, guess: Any, values: Sequence[Any]) -> None:
        read, *known = map(self.comparator.read, [guess, *values])
        named = any(number is None or number.unit for number in known)
        if read.unit not in ("", PERCENT, *SIZES) and not named:
            self._with_units.append((guess, values[0]))

    def notes(self) -> Iterator[str]:
        """How many replies each step read, and what was right without its signs."""
        if self._guesses:
            counts = [
                f"{step}: {self._by_step[step]}"
                for step in map(str, self.extraction.steps)
            ]
            counts[-1] += f" of {several(self._guesses, 'response')}"
            if self._missing:
                without = several(self._missing.total(), "response")
                kinds = ", ".join(f"{kind} {n}" for kind, n in self._missing.items())
                counts[-1] += f"; {without} without an answer ({kinds}): unanswered"
            rest = self._guesses - self._read - self._missing.total()
            as_are = {
                0: "",
                1: "; the other one was compared as it stands",
            }.get(rest, f"; the other {rest} were compared as they stand")
            yield f"extract: {', '.join(counts)}{as_are}"
        if self._ended:
            kinds = ", ".join(f"{kind} {n}" for kind, n in self._ended.items())
            many = several(self._ended.total(), "response")
            yield (
                f"{many} without an answer by {', '.join(self._columns)} ({kinds}): "
                "unanswered; "
                "rename that column to judge what was begun"
            )
        yield from self._right_notes()

    def _right_notes(self) -> Iterator[str]:
        """How many answers are right only by what was left out of sight."""
        for pairs, why, cure in (
            (self._unseen, f"{self.comparator} drops signs", "by=text (--by text)"),
            (
                self._unsigned,
                "tool_call compares texts without blanks and signs, as BFCL does",
                "by='tool_call(normalise=default)'",
            ),
        ):
            if pairs:
                guess, value = map(shown, pairs[0])
                many = several(len(pairs), "right answer")
                yield (
                    f"{many} only because {why}, such as {guess} for {value}: "
                    f"{cure} keeps them"
                )
        if self._with_units:
            guess, value = self._with_units[0]
            many = several(len(self._with_units), "right answer")
            whose = "its reference does" if len(self._with_units) == 1 else ""
            yield (
                f"{many} with a unit that {whose or 'their references do'} not name, "
                f"such as {shown(guess)} for {shown(value)}: write it there ({guess}), "
                "and others are wrong"
            )
        if self._untyped:
            guess, value = map(shown, self._untyped[0])
            many = several(len(self._untyped), "right answer")
            yield (
                f"{many} only because slots takes a number or a flag for its text "
                f"({guess} for {value}): by='slots(types=strict)' tells them apart"
            )

    def wrong_notes(self) -> Iterator[str]:
        """How many wrong guesses are packed up, and what unpacks them."""
        if self._in_thoughts:
            hold = "that holds" if self._in_thoughts == 1 else "that hold"
            yield (
                f"{several(self._in_thoughts, 'wrong answer')} {hold} thoughts: "
                "extract=reply (--extract reply) reads what stands behind them"
            )
        if self._in_fences:
            hint = "extract='fence' (--extract fence) takes the answer out of it"
            if str(self.comparator).startswith("sql"):
                hint = "by='sql(code_fences=true)' takes SQL out of it"
            fenced = several(self._in_fences, "wrong answer")
            yield f"{fenced} in a code fence: {hint}"


def _is_ended(text: str, trace: Sequence[_Read]) -> bool:
    """Whether the sentence of the answer, or the tags of it, end within a reply."""
    step, value = trace[0] if trace else ("", "")
    if step != "final" or not isinstance(value, str):
        return False
    behind = text[text.rfind(value) + len(value) :] if value in text else ""
    return "\n" in behind or behind.lstrip().startswith("</answer>")


def _signs(text: str) -> list[str]:
    return sorted(_TELLING.findall(text))


def _has_types(value: Any) -> bool:
    """Whether slots or acts may hold a value that is no text."""
    if isinstance(value, str):
        return value.lstrip()[:1] in ("[", "{")
    if isinstance(value, Mapping):
        return not all(isinstance(one, str) for one in value.values())
    if not isinstance(value, (list, tuple)):
        return False
    ends = (act[-1] if isinstance(act, (list, tuple)) and act else act for act in value)
    return not all(isinstance(end, str) for end in ends)
