"""CoNLL columns: a token in each line, its tag last, sentences between empty lines."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from demur.errors import InputError, shown
from demur.formats.streams import Stream
from demur.metrics.annotated_files.texts import (
    WORDS,
    AnnotatedFile,
    AnnotatedText,
    Answer,
    Asked,
    first_lines,
    lines_of,
)

FORM: Final = "CoNLL columns"
_TAG: Final = re.compile(r"O|[BIESLU]-\S+")
_BLANKS: Final = re.compile(r"[ \t]+")
_MANY: Final = 10
"""Tags of spans from which two columns without a common type are not of one kind."""
_DOCUMENT: Final = "-DOCSTART-"
_HINT: Final = "A line is a token and its columns, the tag last; it may be cut off."


def recognises(head: bytes, asked: Asked) -> bool:
    """Whether most of the first lines, and the first, end with a tag."""
    if asked.kind != "spans" or head[:1] in (b"{", b"["):
        return False
    rows = [_fields(line, "\t" in line) for line in first_lines(head)]
    rows = [row for row in rows if not row[0].startswith(_DOCUMENT)]
    tagged = [_is_row(row) for row in rows if _is_row(row) or row[0][:1] != "#"]
    return tagged[:1] == [True] and 2 * sum(tagged) > len(tagged)


def read(stream: Stream, asked: Asked) -> AnnotatedFile:
    """Sentences with the tags of the last column, and, alone, of the one before.

    Raises
    ------
    InputError
        If a line has another number of columns than the first, or ends with no tag.
    """
    reading = _ColumnsReading(stream.name, asked)
    for number, line in lines_of(stream):
        reading.add(number, line)
    reading.end()
    texts = reading.texts
    if reading.documents == 1:  # which is all that there is
        texts = [replace(text, document="") for text in texts]
    if reading.numbered:
        words = zip(texts, reading.seconds, strict=True)
        texts = [replace(text, text=second) for text, second in words]
    if asked.alone:
        _check_alike(texts)
    notes = [f"{stream.name}: {note}" for note in reading.notes()]
    return AnnotatedFile(stream.name, FORM, WORDS, texts, notes, in_order=True)


class _ColumnsReading:
    """Lines as they come, put together as sentences."""

    def __init__(self, name: str, asked: Asked) -> None:
        self.name, self.alone = name, asked.alone
        self.texts: list[AnnotatedText] = []
        self.documents = 0
        self.numbered = True
        self.seconds: list[tuple[str, ...]] = []
        """Words of sentences whose first column numbers them, while all do."""
        self._further = False
        self._rows: list[Sequence[str]] = []
        self._first = self._width = 0
        self._tabs = False

    def add(self, number: int, line: str) -> None:
        """A token; or what ends a sentence, or a comment."""
        if not line.strip(" \t"):
            self.end()
        elif line.startswith(_DOCUMENT):
            self.end()
            self.documents += 1
        else:
            self._tabs = "\t" in line if not self._width else self._tabs
            row = _fields(line, self._tabs)
            if line[:1] != "#" or _is_row(row):
                self._check(f"{self.name}:{number}", row)
                self._first = self._first if self._rows else number
                self._rows.append(row)

    def _check(self, place: str, row: Sequence[str]) -> None:
        self._width = self._width or len(row)
        least = 3 if self.alone else 2
        if len(row) != self._width or len(row) < least:
            need = f"have {self._width} columns, as the first line has"
            hint = _HINT
            if self._width < least:
                need = "have a token, the true tag and the system's, as conlleval reads"
                hint = "Of two files, name both: GOLD SYSTEM."
            raise InputError(place, "the line", need, str(len(row)), hint)
        for tag in row[-2:] if self.alone else row[-1:]:
            if not _TAG.fullmatch(tag):
                need = "be O or a mark such as B- or I- with a type"
                raise InputError(place, "a tag", need, shown(tag), _HINT)

    def end(self) -> None:
        """A sentence ends, if one has begun."""
        if not self._rows:
            return
        words, before, last = ([row[n] for row in self._rows] for n in (0, -2, -1))
        self.numbered &= self._width > 2 + self.alone and words == [
            str(n) for n in range(1, len(words) + 1)
        ]
        if self.numbered:
            self.seconds.append(tuple(row[1] for row in self._rows))
        self._further |= any(tag != "O" and _TAG.fullmatch(tag) for tag in before)
        annotated = before if self.alone else last
        self.texts.append(
            AnnotatedText(
                place=f"{self.name}:{self._first}",
                name=f"sentence {len(self.texts) + 1}",
                text=tuple(words),
                annotated=[Answer("", annotated)],
                predicted=[Answer("", last)] if self.alone else [],
                document=f"document {self.documents}" if self.documents else "",
            )
        )
        self._rows = []

    def notes(self) -> list[str]:
        """Which columns are read, where others have tags too."""
        if self.alone:
            true, given = self._width - 1, self._width
            return [f"true tags are in column {true}, the system's in column {given}"]
        if self._further and self._width > 2:
            unread = f"those of column {self._width - 1} are not read"
            return [f"tags are in column {self._width}; {unread}"]
        return []


def _fields(line: str, tabs: bool) -> list[str]:  # noqa: FBT001  (of one line)
    if tabs:
        return [cell.strip(" ") for cell in line.rstrip(" \t").split("\t")]
    return _BLANKS.split(line.strip(" \t"))


def _is_row(row: Sequence[str]) -> bool:
    return len(row) > 1 and _TAG.fullmatch(row[-1]) is not None


def _check_alike(texts: Sequence[AnnotatedText]) -> None:
    """Refuse two columns without a type in common, such as chunks beside names."""
    true, given = (
        [tag[2:] for text in texts for tag in getattr(text, side)[0].value if tag[2:]]
        for side in ("annotated", "predicted")
    )
    if min(len(true), len(given)) >= _MANY and not {*true} & {*given}:
        need = "be the true tags and the system's, of the same types"
        got = f"{shown(min(true))} and {shown(min(given))}"
        hint = "Of two files with one tag in each line, name both: GOLD SYSTEM."
        raise InputError(texts[0].place, "the last two columns", need, got, hint)
