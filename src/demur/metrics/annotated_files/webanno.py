"""WebAnno TSV 3, which INCEpTION writes too: a token in each line, layers beside."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from demur.checks import names_shown
from demur.errors import InputError, shown
from demur.formats.streams import Stream
from demur.metrics.annotated_files.texts import (
    CHARACTERS,
    AnnotatedFile,
    AnnotatedText,
    Answer,
    Asked,
    lines_of,
)
from demur.metrics.tag_schemes import Span

FORM: Final = "WebAnno TSV"
_BEGINS: Final = b"#FORMAT=WebAnno TSV 3"
_LAYER: Final = re.compile(r"#T_(SP|RL|CH)=([^|]*)(?:\|(.*))?")
_TOKEN: Final = re.compile(r"(\d+)-(\d+(?:\.\d+)?)\t(\d+)-(\d+)\t")
_PARTED: Final = re.compile(r"(?<!\\)(?:\\\\)*\|")
_NUMBERED: Final = re.compile(r"(.*?)(?<!\\)\[(\d+)\]", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\(->|.)", re.DOTALL)
_NAMES: Final = "NamedEntity"
_LEAST: Final = 3
"""Columns before those of layers."""


class _Feature(NamedTuple):
    """A feature of a layer of spans, and the column where it stands."""

    layer: str
    name: str
    column: int


def recognises(head: bytes, asked: Asked) -> bool:
    """Whether a file says that it is one."""
    return asked.kind == "spans" and head.startswith(_BEGINS)


def read(stream: Stream, asked: Asked) -> AnnotatedFile:
    """Sentences with the spans of one layer, in characters of the document.

    Raises
    ------
    InputError
        If there are several layers and none is named, or a line is cut off.
    """
    features: list[_Feature] = []
    column = _LEAST
    chosen: _Feature | None = None
    reading = _WebAnnoReading(stream.name)
    for number, line in lines_of(stream):
        place = f"{stream.name}:{number}"
        if line[:1] == "#" and chosen is None:
            if layer := _LAYER.fullmatch(line):
                kind, name, rest = layer.groups()
                parts = (rest or "").split("|")
                short = name.rpartition(".")[2]
                if kind == "SP":
                    features += [
                        _Feature(short, part, column + n)
                        for n, part in enumerate(parts)
                        if not _is_link(parts, n)
                    ]
                column += len(parts)
        elif not line.strip():
            reading.end()
        elif line[:1] != "#" or _TOKEN.match(line):
            chosen = chosen or _chosen(stream.name, features, asked)
            reading.add(place, line, chosen, column)
    reading.end()
    notes, of = [], None
    if chosen is not None:
        of = f"{chosen.layer}.{chosen.name}" if chosen.name else chosen.layer
        says = "spans are those of" if chosen.column else "no spans, as it lacks"
        notes.append(f"{stream.name}: {says} {of}")
    return AnnotatedFile(
        stream.name, FORM, CHARACTERS, reading.texts(), notes, in_order=True, layer=of
    )


def _is_link(parts: Sequence[str], place: int) -> bool:
    """Whether a feature links spans, or is the layer of such a link behind it."""
    return any(
        part.startswith("ROLE_") for part in parts[max(place - 1, 0) : place + 1]
    )


def _chosen(name: str, features: Sequence[_Feature], asked: Asked) -> _Feature:
    """The feature that holds the types: `value`, or the first of the layer.

    That of the first file in others; in column 0 if a file lacks its layer.
    """
    layers = dict.fromkeys(feature.layer for feature in features)
    wanted = asked.follows or asked.layer
    layer, _, feature = (wanted or "").partition(".")
    if wanted is None:
        layer = next(iter(layers), "") if len(layers) == 1 else _NAMES
    if asked.follows and layer not in layers:
        return _Feature(layer, feature, 0)  # WebAnno writes layers in use alone
    if not layers:
        hint = "WebAnno writes layers in use alone: annotate a span, or name others."
        raise InputError(name, "the file", "hold a layer of spans", "none", hint)
    if layer not in layers:
        need = f"be one of {names_shown(layers)}"
        hint = "Name it: --layer NAME, or LAYER.FEATURE."
        got = "several" if wanted is None else shown(wanted)
        raise InputError(name, "the layer", need, got, hint)
    its = [entry for entry in features if entry.layer == layer]
    if not feature:
        return next((entry for entry in its if entry.name == "value"), its[0])
    named = next((entry for entry in its if entry.name == feature), None)
    if named is None:
        names = [f"{layer}.{entry.name}" for entry in its]
        need = f"be one of {names_shown(names)}"
        raise InputError(name, "the layer", need, shown(wanted))
    return named


class _WebAnnoReading:
    """Tokens as they come, put together as sentences with their spans."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._sentences: list[tuple[str, list[str]]] = []
        self._spans: list[list[Span]] = []
        self._open: dict[str, tuple[int, int, int]] = {}
        self._goes_on = False
        self._token = 0

    def add(self, place: str, line: str, feature: _Feature, columns: int) -> None:
        """A token: its words, and the spans that begin or go on at it."""
        token = _TOKEN.match(line)
        cells = line.split("\t")
        if cells[-1] == "" and len(cells) == columns + 1:
            cells.pop()
        if token is None or len(cells) != columns:
            need = f"be a token with {columns} columns, such as 1-1<TAB>0-4<TAB>Rome"
            hint = "It may be cut off."
            got = f"{len(cells)}: {shown(line)}"
            raise InputError(place, "the line", need, got, hint)
        if not self._goes_on:
            self._sentences.append((place, []))
            self._spans.append([])
            self._goes_on = True
        begin, end = int(token[3]), int(token[4])
        if begin > end:
            need = "end after it begins"
            raise InputError(place, "a token", need, shown(cells[1]))
        if "." not in token[2]:  # which is a part of the token before
            self._sentences[-1][1].append(f"{cells[2]} {cells[1]}")
            self._token += 1
        if feature.column and cells[feature.column] != "_":
            for kind, key in _annotations(cells[feature.column], feature.layer):
                self._cover(kind, key, begin, end)

    def _cover(self, kind: str, key: str, begin: int, end: int) -> None:
        """A span of this token; or that with its number, if it reached the last one."""
        sentence, place, last = self._open.get(key, (0, 0, -1))
        if key and self._token - last <= 1:
            known, first, after = self._spans[sentence][place]
            if known == kind:
                widened = (kind, min(first, begin), max(after, end))
                self._spans[sentence][place] = widened
                self._open[key] = sentence, place, self._token
                return
        self._spans[-1].append((kind, begin, end))
        if key:
            place = len(self._spans[-1]) - 1
            self._open[key] = len(self._spans) - 1, place, self._token

    def end(self) -> None:
        """A sentence ends."""
        self._goes_on = False

    def texts(self) -> list[AnnotatedText]:
        """All sentences."""
        return [
            AnnotatedText(
                place=place,
                name=f"sentence {number}",
                text=tuple(words),
                annotated=[Answer("", spans)],
            )
            for number, ((place, words), spans) in enumerate(
                zip(self._sentences, self._spans, strict=True), 1
            )
        ]


def _annotations(cell: str, layer: str) -> list[tuple[str, str]]:
    """Types with the numbers of their spans, "" for a span of this token alone."""
    listed = []
    for part in _unescaped_parts(cell):
        numbered = _NUMBERED.fullmatch(part)
        kind, key = (numbered[1], numbered[2]) if numbered else (part, "")
        name = layer if kind in ("*", "_") else _ESCAPED.sub(r"\1", kind)
        listed.append((name, key))
    return listed


def _unescaped_parts(cell: str) -> list[str]:
    """A cell at its bars, but for those behind an odd number of backslashes."""
    if "|" not in cell:
        return [cell]
    parts, begin = [], 0
    for bar in _PARTED.finditer(cell):
        parts.append(cell[begin : bar.end() - 1])
        begin = bar.end()
    return [*parts, cell[begin:]]
