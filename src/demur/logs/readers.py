"""What every reader of logs has, and what it gives."""

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Final, Protocol

from demur.calls import call_text, unusual
from demur.checks import choice
from demur.errors import InputError, ParseError, shown
from demur.formats.record_blocks import blocks_of
from demur.formats.streams import (
    MAX_SIZE,
    PARQUET,
    ZIP,
    RecordFile,
    RowBlock,
    Stream,
    Wanted,
    nothing,
)
from demur.outcomes.fields import OUTCOMES, UNANSWERED
from demur.outcomes.reasons import FAILED
from demur.outcomes.target_dialogues import TargetDialogue

LEAVE_OUT: Final = "leave_out"

MEANINGS: Final = (*OUTCOMES, LEAVE_OUT)
"""What a status of a log may mean: an outcome, or that the row is left out."""


class LogReader(Protocol):
    """Reads logs of one kind. Each is a frozen dataclass whose fields are its options.

    ``name`` is what it is called by. ``statuses`` are those of its options that say
    what a status of the log means (answered, declined, failed), each with the meanings
    that it may have.
    """

    name: ClassVar[str]
    statuses: ClassVar[Mapping[str, tuple[str, ...]]]

    def __post_init__(self) -> None:
        for option, meanings in self.statuses.items():
            choice(self.name, option, getattr(self, option), meanings)

    def __repr__(self) -> str:
        return call_text(self.name, unusual(self))

    @property
    def recipe(self) -> str:
        """The reader as signatures name it: what statuses mean is always said."""
        return self.recipe_with({})

    def recipe_with(self, chosen: Mapping[str, str]) -> str:
        """The same, with what was chosen for options that were not given."""
        named = {*unusual(self), *self.statuses, *chosen}
        options = {
            option.name: chosen.get(option.name, getattr(self, option.name))
            for option in fields(self)  # type: ignore[arg-type]  # a dataclass, above
            if option.name in named
        }
        return call_text(self.name, options)

    def whole(self, text: str) -> str:
        """A text whose proposals of the reader keep what was typed for it.

        Readers propose one option at a time; what is typed instead of the last one must
        be all of them.
        """

        def merged(proposal: re.Match[str]) -> str:
            pairs = (part.partition("=") for part in proposal[1].split(","))
            proposed = {name.strip(): value.strip() for name, _, value in pairs}
            typed = {**unusual(self), **proposed}
            return shlex.quote(call_text(self.name, typed))

        return re.sub(rf"'{self.name}\(([^']*)\)'", merged, text)


# -- logs of dialogues -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReadLog:
    """What a log of dialogues holds.

    Parameters
    ----------
    dialogues : list of TargetDialogue
    notes : tuple of str
        What a user must know of how it was read, such as what was left out.
    """

    dialogues: list[TargetDialogue]
    notes: tuple[str, ...] = ()


class DialogueReader(LogReader, Protocol):
    """Reads logs of dialogues, for pipelines."""

    def read_log(self, path: Any, max_size: int) -> ReadLog:
        """Read a file, with what must be known of it: what each reader has to write."""

    def read(self, path: Any, *, max_size: int = MAX_SIZE) -> ReadLog:
        """Read a file; its dialogues say in signatures how they were read."""
        log = self.read_log(path, max_size)
        recipe = self.recipe
        dialogues = [replace(dialogue, log=recipe) for dialogue in log.dialogues]
        return ReadLog(dialogues, log.notes)


def noted(*counts: tuple[int, str]) -> tuple[str, ...]:
    """The notes on what there is any of.

    Examples
    --------
    >>> noted((2, "traces without a step"), (0, "steps with an error"))
    ('traces without a step: 2',)
    """
    return tuple(f"{words}: {count:,}" for count, words in counts if count)


# -- logs of single answers ------------------------------------------------------------


class LogNotes(list[str]):
    """What a user must know of how a log was read, and what was chosen for them.

    Attributes
    ----------
    chosen : dict of str to str
        Options that were not given, with what they are for this file.
    """

    def __init__(self) -> None:
        super().__init__()
        self.chosen: dict[str, str] = {}

    def add(self, note: str) -> None:
        """Take a note, once."""
        if note not in self:
            self.append(note)


class ItemReader(LogReader, Protocol):
    """Reads logs of single answers, judged or not, for everything but pipelines.

    ``title`` is what users call such a file; ``rows`` what messages call a row of it,
    nothing if they are lines. ``archives`` is whether it may be a zip archive,
    ``parquet`` whether it may be Parquet. ``apart`` is the option that tells rows with
    one key apart, if there is any.
    """

    title: ClassVar[str]
    rows: ClassVar[str] = ""
    archives: ClassVar[bool] = False
    parquet: ClassVar[bool] = False
    apart: ClassVar[Mapping[str, str]] = {}

    def items(
        self, stream: Stream, notes: LogNotes
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """The answers: what each reader has to write.

        Parameters
        ----------
        stream : Stream
            The file.
        notes : LogNotes
            Takes what a user must know, while the file is read.

        Yields
        ------
        (int, dict)
            The number of a row, and its fields, called as ours are: ``item``,
            ``response``, ``reference``, ``outcome`` or ``correct`` if it was judged,
            ``failed`` if there was none because something broke, and so on; what has
            no meaning here is a further column. An outcome that is `LEAVE_OUT` leaves
            the row out.
        """

    def verdicts(
        self, stream: Stream, notes: LogNotes
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """The same where nothing that was said is wanted: a reader may leave it out."""
        return self.items(stream, notes)

    def table(self, stream: Stream) -> RecordFile:
        """The file as a table of records.

        Raises
        ------
        ParseError
            If it is no text, and the reader reads nothing else.
        """
        is_archive = stream.head.startswith(ZIP)
        is_parquet = stream.head.startswith(PARQUET)
        if (is_parquet and not self.parquet) or (is_archive and not self.archives):
            got = "a zip archive" if is_archive else "a Parquet file"
            raise ParseError(stream.name, "the file", f"be {self.title}", got)
        return LogTable(self, stream)


class LogTable(RecordFile):
    """A log of single answers, open for reading once.

    Parameters
    ----------
    reader : ItemReader
    stream : Stream
    """

    words: ClassVar[str] = "logs"
    judged: bool = True

    def __init__(self, reader: ItemReader, stream: Stream) -> None:
        self.name = stream.name
        rows = f" {reader.rows} " if reader.rows else ""
        self.prefix = f"{stream.name}:{rows}"
        self._reader, self._stream = reader, stream
        if reader.apart:
            options = {**unusual(reader), **reader.apart}
            self.apart = call_text(reader.name, options)
        self._notes = LogNotes()
        self._names: dict[str, None] = {}
        self._counts: Counter[str] = Counter()
        self._failure = ""

    @staticmethod
    def recognises(head: bytes) -> bool:  # noqa: ARG004  (it is told by its reader)
        """False: `demur.logs.recognised` tells logs."""
        return False

    def names(self) -> list[str]:
        """Names of the fields that were met."""
        return list(self._names)

    @property
    def recipe(self) -> dict[str, str]:  # type: ignore[override]
        """The reader, with what was chosen for this file."""
        return {"log": self._reader.recipe_with(self._notes.chosen)}

    @property
    def notes(self) -> list[str]:  # type: ignore[override]
        """What a user must know: first of all what is no answer."""
        counts, notes = self._counts, [*self._notes]
        if counts["failed"]:
            failed = f"{counts['failed']:,} of {counts['rows']:,} requests failed"
            first = f"(the first: {shown(self._failure)})"
            notes.insert(0, f"{failed}: not answers {first}")
        if counts[LEAVE_OUT]:
            notes.append(f"left out, as {self._reader}: {counts[LEAVE_OUT]:,}")
        return [*map(self._reader.whole, notes)]

    def records(self, *, brief: bool = False) -> Iterator[tuple[int, dict[str, Any]]]:
        """The answers one by one, each with its number.

        Parameters
        ----------
        brief : bool
            Whether what was said may be left out.
        """
        for number, record in self._read(brief=brief):
            self._count(record)
            # One that counts as wrong has no kind: kinds are of what is unanswered.
            silent = record.get("outcome") in (None, OUTCOMES[UNANSWERED])
            if record.get("failed") and silent and record.get("kind") is None:
                record["kind"] = FAILED
            if record.get("outcome") != LEAVE_OUT:
                yield number, record
        if not self._counts["rows"]:
            raise nothing(self.name, f"{self._reader.title} without answers")

    def _read(self, *, brief: bool) -> Iterator[tuple[int, dict[str, Any]]]:
        """What the reader yields; what it proposes in errors is whole."""
        read = self._reader.verdicts if brief else self._reader.items
        try:
            yield from read(self._stream, self._notes)
        except InputError as error:
            hint = self._reader.whole(error.hint)
            if hint == error.hint:
                raise
            raise error.with_hint(hint) from None

    def _count(self, record: dict[str, Any]) -> None:
        self._counts["rows"] += 1
        if record.get("outcome") == LEAVE_OUT:
            self._counts[LEAVE_OUT] += 1
        if record.get("failed"):
            self._failure = self._failure or str(record["failed"])
            self._counts["failed"] += 1
        if not record.keys() <= self._names.keys():
            self._names.update(dict.fromkeys(record))

    def blocks(self, wanted: Wanted) -> Iterator[RowBlock]:
        """The judged answers as columns.

        Raises
        ------
        InputError
            If nobody has judged them.
        """
        brief = wanted.groups == () and not (wanted.display or wanted.responses)
        brief &= wanted.selection is None
        yield from blocks_of(self._judged(brief=brief), wanted, self.prefix)

    def _judged(self, *, brief: bool) -> Iterator[tuple[int, dict[str, Any]]]:
        for number, record in self.records(brief=brief):
            if "outcome" not in record:
                need = "hold answers that somebody has judged"
                got = f"{self._reader.title}, not judged"
                judging = f"demur judge {self.name} REFERENCES"
                hint = f"Judge them: {judging}."
                error = InputError(self.name, "the file", need, got, hint)
                error.judged_by = judging
                raise error
            yield number, record
