"""Whether a file of answers is whole: every question answered once, and nothing else.

Only the questions are needed, no answer: a team finds out the same as who takes its
file in, and whoever scores it reads it in the same way.
"""

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from demur.campaigns.packs import QuestionPack
from demur.checks import did_you_mean, names_shown
from demur.errors import InputError, ParseError, shown
from demur.formats.json_faults import in_records
from demur.formats.json_lines import RAISED, check_keys, counted_keys
from demur.formats.streams import opened
from demur.outcomes.context_rules import RULE_COLUMN
from demur.outcomes.fields import names_of
from demur.outcomes.records import Response, as_response
from demur.outcomes.values import LongDecimal, checked
from demur.references.findings import Finding, findings_table
from demur.results import Result, Table, count, printable

FIELDS: Final = tuple(n for n in names_of("response") if n not in ("setting", "repeat"))
"""What a team may say of an answer; nothing else is read."""

BESIDE: Final = (
    *(RULE_COLUMN, "reply", "finish_reason", "model", "seconds", "cost"),
    *("prompt_tokens", "completion_tokens", "cached_tokens"),
)
"""What `demur.run` writes beside answers: it may stay, and is not read."""

MOST_BYTES: Final = 1 << 28
"""Of a file of answers, also unpacked: 256 MiB."""

MOST_SHOWN: Final = 20
"""Of each kind so many faults are shown."""

MOST_FAULTS: Final = 10_000
"""After so many, the rest of a file is not read: a packed one may hold millions."""

FAULTS: Final[Mapping[str, str]] = {
    "unreadable": "lines that cannot be read",
    "columns": "lines with a field that is not read",
    "values": "lines with a value that cannot be read",
    "foreign": "answers to what is not asked",
    "again": "answers to what was answered before",
    "systems": "lines of another system",
    "confidences": "guesses with a confidence or without, unlike the others",
    "missing": "questions without an answer",
}
"""What may be wrong, by a code; none of it depends on what would be right."""

_OBJECT: Final = msgspec.json.Decoder(dict[str, Any], float_hook=LongDecimal.read)


@dataclass(frozen=True, eq=False, repr=False)
class AnswersCheck(Result):
    """What a file of answers holds, and what is wrong with it.

    Parameters
    ----------
    name : str
        Of the file.
    items : int
        Questions that are asked.
    answered, unanswered : int
        Of them with a guess, and with null or a failure.
    declined : int
        Guesses that the system decided not to give.
    confidences : bool
        Whether guesses have confidences.
    system : str
        What the file calls the system, if it does.
    faults : tuple of Finding
        The first `MOST_SHOWN` of each kind, in order of lines.
    counts : mapping of str to int
        All of them, by a code of `FAULTS`.
    measure : str
        What ranks, if the pack says so.
    """

    KINDS = (
        count("items", "questions that are asked"),
        count("answered", "questions with a guess"),
        count("unanswered", "questions without one"),
        count("declined", "guesses that the system decided not to give"),
        count("n_faults", "faults of the file", better="lower"),
    )

    name: str
    items: int
    answered: int
    unanswered: int
    declined: int
    confidences: bool
    system: str
    faults: tuple[Finding, ...]
    counts: Mapping[str, int]
    measure: str = ""

    @property
    def n_faults(self) -> int:
        """How many faults there are."""
        return sum(self.counts.values())

    @property
    def is_whole(self) -> bool:
        """Whether the file can be handed in."""
        return not self.counts

    def sentence(self) -> str:
        """Whether it is whole, and what it holds."""
        if not self.is_whole:
            listed = [f"{FAULTS[code]}: {n:,}" for code, n in self.counts.items()]
            return f"{self.name} is not whole: {'; '.join(listed)}."
        none = "" if self.confidences else ", without confidences"
        return (
            f"{self.name} is whole: {self.items:,} questions, {self.answered:,} with a "
            f"guess ({self.declined:,} of them declined){none}, {self.unanswered:,} "
            "without."
        )

    def tables(self) -> tuple[Table, ...]:
        """What is wrong, line by line."""
        return (findings_table(self.faults),) if self.faults else ()

    @property
    def unranked(self) -> str:
        """Why no rank will come of it, as far as can be told without answers."""
        if self.confidences or not self.answered or "@" not in self.measure:
            return ""
        return f"no rank without confidences: the campaign ranks by {self.measure}"

    @property
    def notes(self) -> tuple[str, ...]:
        """How many faults are not shown, and whether confidences are needed."""
        hidden = self.n_faults - len(self.faults)
        more = f"{hidden:,} more faults are not shown: {MOST_SHOWN} of each kind"
        return tuple(text for text in (more if hidden else "", self.unranked) if text)


def check_answers(
    path: str | os.PathLike[str], pack: QuestionPack, *, name: str | None = None
) -> AnswersCheck:
    """Look whether a file of answers is whole.

    Parameters
    ----------
    path : path
        JSON Lines, plain or packed by gzip or zstd.
    pack : QuestionPack
        The questions.
    name : str, optional
        What messages call the file.

    Returns
    -------
    AnswersCheck

    Raises
    ------
    InputError
        If the file is not there, or cannot be opened.
    """
    name = printable(os.fspath(path)) if name is None else name
    gathered = _AnswersRead(pack, name)
    try:
        for number, line in _lines(path, name):
            gathered.add(number, line)
            gathered.check_worth_reading(number)
    except _Unreadable as stop:
        gathered.stop(stop.error)
    return gathered.result()


def read_answers(path: str | os.PathLike[str]) -> Iterator[Response]:
    """The answers of a file that has been checked, for whoever judges them.

    Raises
    ------
    InputError
        If a line is not what it must be: the file is another one.
    """
    name = printable(os.fspath(path))
    try:
        for number, line in _lines(path, name):
            yield _response(_record(line, number, name), f"{name}:{number}")
    except _Unreadable as stop:
        raise stop.error from None


# -- lines -----------------------------------------------------------------------------


class _Unreadable(Exception):
    """The file cannot be read any further."""

    def __init__(self, error: InputError) -> None:
        super().__init__(str(error))
        self.error = error


def _lines(path: str | os.PathLike[str], name: str) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, each with its number."""
    check_plain_file(path, name)
    size = Path(path).stat().st_size
    if size > MOST_BYTES:
        need, got = f"hold at most {MOST_BYTES >> 20} MiB", f"{size:,} bytes"
        raise _Unreadable(ParseError(name, "the file", need, got))
    try:
        with opened(path, MOST_BYTES) as stream:
            if not stream.head.startswith(b"{"):
                need = "be JSON Lines, an object with item and response on each line"
                got = shown(stream.head[:20].decode("utf-8", "replace"))
                raise ParseError(name, "the file", need, got)
            for first, block in stream.blocks():
                lines = enumerate(block.split(b"\n"), first)
                yield from ((n, line) for n, line in lines if line.strip())
    except InputError as error:
        if "--max-size" in error.hint:  # which no command of a campaign has
            error = error.with_hint("")
        raise _Unreadable(error) from None


def check_plain_file(path: str | os.PathLike[str], name: str) -> None:
    """Refuse what is no file to be read whole: a folder, a device, a pipe, nothing.

    Raises
    ------
    InputError
        That says what it is.
    """
    with suppress(OSError, ValueError):
        if Path(path).is_file():
            return
    got = "nothing"
    with suppress(OSError, ValueError):
        got = "a folder, a device or a pipe" if Path(path).exists() else got
    raise InputError(name, "the file", "be a file that can be read", got)


def _record(line: bytes, number: int, name: str) -> dict[str, Any]:
    try:
        record: dict[str, Any] = _OBJECT.decode(line)
    except RAISED:
        raise in_records([(number, line)], f"{name}:") from None
    check_keys(line, [number], counted_keys([record]), f"{name}:")
    return record


def _response(record: Mapping[str, Any], place: str) -> Response:
    """The answer of a record, each of its fields checked."""
    typed = {n: checked(n, record[n], place) for n in FIELDS if n in record}
    return as_response({"item": None, **typed}, place)


class _AnswersRead:
    """What has been read of a file so far."""

    def __init__(self, pack: QuestionPack, name: str) -> None:
        self._pack, self._name = pack, name
        self._line_of: dict[str, int] = {}
        self._unknown: set[tuple[str, ...]] = set()
        self._faults: list[tuple[int, Finding]] = []
        self._counts: Counter[str] = Counter()
        self._with: list[int] = []
        self._without: list[int] = []
        self._answered = self._declined = 0
        self._system: str | None = None
        self._stopped = False

    def add(self, number: int, line: bytes) -> None:
        """Take a line."""
        place = f"{self._name}:{number}"
        try:
            record = _record(line, number, self._name)
        except InputError as error:
            self._fault("unreadable", number, _words(error))
            return
        unknown = tuple(key for key in record if key not in (*FIELDS, *BESIDE))
        item = self._item(record, number)
        self._check_rule(record.get(RULE_COLUMN), number, item)
        if unknown:
            hint = did_you_mean(unknown[0], FIELDS) or "Leave it out."
            text = f"{names_shown(map(shown, unknown))} is not read. {hint}"
            if unknown in self._unknown:  # it is said once, and counted each time
                self._counts["columns"] += 1
            else:
                self._fault("columns", number, text, item)
            self._unknown.add(unknown)
        try:
            response = _response({k: record[k] for k in record if k in FIELDS}, place)
        except InputError as error:
            self._fault("values", number, _words(error), item)
            return
        self._count(response, number, item)

    def check_worth_reading(self, number: int) -> None:
        """Stop at a line behind which nobody would look."""
        if self._counts.total() >= MOST_FAULTS:
            need, got = f"have fewer than {MOST_FAULTS:,} faults", "as many"
            place, hint = f"{self._name}:{number}", "What follows was not read."
            raise _Unreadable(ParseError(place, "the file", need, got, hint))

    def stop(self, error: InputError) -> None:
        """Nothing more can be read."""
        line = error.where.rpartition(":")[2]
        number = int(line) if line.isascii() and line.isdigit() else 0
        self._fault("unreadable", number, _words(error))
        self._stopped = True

    def result(self) -> AnswersCheck:
        """All that was read, and what is missing."""
        self._check_confidences()
        if not self._stopped:
            for item in self._pack.asked:
                if item not in self._line_of:
                    text = "is not answered; null says that there is no guess"
                    self._fault("missing", 0, text, item)
        n_items = len(self._pack.asked)
        ordered = sorted(self._faults, key=lambda pair: pair[0] or 1 << 62)
        return AnswersCheck(
            name=self._name,
            items=n_items,
            answered=self._answered,
            unanswered=n_items - self._answered,
            declined=self._declined,
            confidences=bool(self._with),
            system=self._system or "",
            faults=tuple(finding for _, finding in ordered),
            counts={code: self._counts[code] for code in FAULTS if self._counts[code]},
            measure=self._pack.measure,
        )

    def _item(self, record: Mapping[str, Any], number: int) -> str:
        """The item of a record; "" if it is none that is asked and not yet answered."""
        try:
            item: str = checked("item", record.get("item"), "")
        except InputError:
            return ""  # said with the values
        if item in self._line_of:
            text = f"is answered in line {self._line_of[item]} already"
            self._fault("again", number, text, item)
        elif item in self._pack.asked:
            self._line_of[item] = number
            return item
        else:
            self._fault("foreign", number, self._why_foreign(item), item)
        return ""

    def _why_foreign(self, item: str) -> str:
        if item in self._pack.others:
            return f"is not asked: {self._pack.others[item]}"
        if self._counts["foreign"] >= MOST_SHOWN:  # nobody will read it
            return ""
        return f"is no question of the pack. {did_you_mean(item, self._pack.asked)}"

    def _count(self, response: Response, number: int, item: str) -> None:
        system = response.system or ""
        if self._system is None:
            self._system = system
        elif system != self._system:
            text = f"is of {shown(system)}, and the first line of {shown(self._system)}"
            self._fault("systems", number, text, item)
        if response.response is None or response.failed or not item:
            return
        self._answered += 1
        self._declined += bool(response.declined)
        if not response.error:
            had = response.confidence is not None
            (self._with if had else self._without).append(number)

    def _check_rule(self, rule: object, number: int, item: str) -> None:
        """What `demur run --context` writes: the rule must be that of the campaign."""
        if rule not in (None, self._pack.context):
            text = f"was asked under the rule of context {shown(rule)}, and the "
            text += f"campaign's is {shown(self._pack.context)}"
            self._fault("values", number, text, item)

    def _check_confidences(self) -> None:
        if not (self._with and self._without):
            return
        fewer = min(self._without, self._with, key=len)
        if fewer is self._without:
            text = f"has no confidence, and {len(self._with):,} guesses have one"
        else:
            text = f"has a confidence, and {len(self._without):,} guesses have none"
        for number in fewer:
            self._fault("confidences", number, text)

    def _fault(self, code: str, number: int, text: str, item: str = "") -> None:
        self._counts[code] += 1
        if self._counts[code] <= MOST_SHOWN:
            place = f"{self._name}:{number}" if number else self._name
            finding = Finding(printable(item), code, text.strip(), place)
            self._faults.append((number, finding))


def _words(error: InputError) -> str:
    """What an error says, without the place."""
    return f"{error.what} must {error.must}; got {error.got}. {error.hint}".strip()
