"""BRAT standoff: spans of characters in .ann files, one for each document."""

import re
from collections import Counter
from pathlib import Path
from typing import Final

from demur.errors import InputError, shown
from demur.formats.streams import Stream, opened
from demur.metrics.annotated_files.texts import (
    CHARACTERS,
    AnnotatedFile,
    AnnotatedText,
    Answer,
    Asked,
    first_lines,
    lines_of,
)
from demur.metrics.tag_schemes import Span
from demur.results import with_noun

FORM: Final = "BRAT standoff"
_SPAN: Final = re.compile(r"(T\d\S*)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(\t.*)?")
_OTHERS: Final = re.compile(r"(?:[ERAMN#]\d\S*|\*)\t")
_HINT: Final = "Such as T1<TAB>City 0 4<TAB>Rome."


def recognises(head: bytes, asked: Asked) -> bool:
    """Whether a file begins with such a line."""
    first = first_lines(head)[:1]
    return asked.kind == "spans" and any(
        _SPAN.fullmatch(line) or _OTHERS.match(line) for line in first
    )


def read(stream: Stream, asked: Asked) -> AnnotatedFile:  # noqa: ARG001
    """The spans of one document."""
    seen: Counter[str] = Counter()
    text = _document(stream, "", seen)
    return AnnotatedFile(
        stream.name, FORM, CHARACTERS, [text], _notes(stream.name, seen), in_order=True
    )


def read_folder(folder: Path, max_size: int) -> AnnotatedFile:
    """The spans of all documents of a folder, by the names of its files.

    Raises
    ------
    InputError
        If there is no .ann file in it, or one is not as BRAT writes it.
    """
    seen: Counter[str] = Counter()
    texts = []
    for path in sorted(folder.rglob("*.ann")):
        if any(part.startswith(".") for part in path.relative_to(folder).parts):
            seen["hidden"] += 1
            continue
        name = path.relative_to(folder).with_suffix("").as_posix()
        with opened(path, max_size) as stream:
            texts.append(_document(stream, name, seen))
    where = str(folder)
    return AnnotatedFile(where, FORM, CHARACTERS, texts, _notes(where, seen))


def _notes(name: str, seen: Counter[str]) -> list[str]:
    notes = []
    if seen["parted"]:
        many = with_noun(seen["parted"], "span")
        notes.append(
            f"{name}: {many} of several parts, compared from the first character to "
            "the last"
        )
    if seen["others"]:
        many = with_noun(seen["others"], "line")
        notes.append(f"{name}: {many} of relations, events, attributes or notes unread")
    if seen["hidden"]:
        many = with_noun(seen["hidden"], "hidden file")
        notes.append(f"{name}: {many} left out, of names that begin with a dot")
    return notes


def _document(stream: Stream, name: str, seen: Counter[str]) -> AnnotatedText:
    spans: list[Span] = []
    names: set[str] = set()
    bare = ""
    texts = 0
    covered: dict[str, str] = {}
    for number, line in lines_of(stream):
        place = f"{stream.name}:{number}"
        match = _SPAN.fullmatch(line)
        if match is None:
            if line.strip() and not _OTHERS.match(line):
                need = "be a span, or another annotation, of BRAT"
                raise InputError(place, "the line", need, shown(line), _HINT)
            seen["others"] += bool(line.strip())
            continue
        key, kind, offsets, text = match.groups()
        if key in names:
            hint = "Leave one of the lines out."
            raise InputError(place, f"{key}", "stand once", "again", hint)
        names.add(key)
        ends = [int(end) for part in offsets.split(";") for end in part.split()]
        if any(a >= b for a, b in zip(ends[::2], ends[1::2], strict=True)):
            need, got = "end after it begins", shown(offsets)
            raise InputError(place, "a span", need, got, _HINT)
        seen["parted"] += len(ends) > 2
        bare = bare or ("" if text else place)
        texts += bool(text)
        if text:
            covered[offsets] = text[1:]
        spans.append((kind, min(ends), max(ends)))
    if texts and bare:
        need, got = "have its text, as others have", "none"
        raise InputError(bare, "a span", need, got, "It may be cut off.")
    return AnnotatedText(stream.name, name, covered, [Answer("", spans)])
