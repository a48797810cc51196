"""What every reader of annotated files gives, and what it is asked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

from demur.formats.json_documents import json_objects
from demur.formats.streams import Stream

Kind = Literal["spans", "labels"]

WORDS: Final = "words"
CHARACTERS: Final = "characters"


class Asked(NamedTuple):
    """What is wanted of a file.

    Parameters
    ----------
    kind : {"spans", "labels"}
        Spans of texts, or a label for each text.
    alone : bool
        Whether the file must have both sides.
    layer : str, optional
        Whose annotations, of a file with those of several layers or controls.
    follows : str, optional
        The layer that the first file was read by, which another may lack.
    """

    kind: Kind
    alone: bool = False
    layer: str | None = None
    follows: str | None = None


class Answer(NamedTuple):
    """What an annotator or a model says of a text.

    Parameters
    ----------
    by : str
        Who; "" if nobody is named.
    value : list of str, list of Span, tuple of str, or None
        Tags, spans or labels; None if there is no label.
    best : bool
        Whether it was marked as the true one among several.
    """

    by: str
    value: Any
    best: bool = False


@dataclass(frozen=True)
class AnnotatedText:
    """A text with what is said of it.

    Parameters
    ----------
    place : str
        Where it was read.
    name : str
        By which it is found in another file; "" if it has none.
    text : tuple of str, str, mapping of str to str, or None
        Its words, itself, or its parts by their places, the same in another file.
    annotated, predicted : list of Answer
        By annotators, and by models. None are there of a text that was left out.
    document : str
        Of which it is a part; "" if of none.
    """

    place: str
    name: str
    text: Any
    annotated: list[Answer]
    predicted: list[Answer] = field(default_factory=list)
    document: str = ""


@dataclass(frozen=True)
class AnnotatedFile:
    """All texts of a file.

    Parameters
    ----------
    name : str
    form : str
        Whose file it is, in words.
    unit : str
        What spans are counted in.
    texts : list of AnnotatedText
    notes : list of str
        What was left out.
    in_order : bool
        Whether texts are found in another file by their order.
    layer : str, optional
        Whose annotations were read, which other files must follow.
    """

    name: str
    form: str
    unit: str
    texts: list[AnnotatedText]
    notes: list[str] = field(default_factory=list)
    in_order: bool = False
    layer: str | None = None


def lines_of(stream: Stream) -> Iterator[tuple[int, str]]:
    """The lines of a text with their numbers."""
    for number, line in enumerate(stream.whole().decode().split("\n"), 1):
        yield number, line.removesuffix("\r")


def first_lines(head: bytes, most: int = 50) -> list[str]:
    """Whole lines that a file begins with."""
    lines = head.decode("utf-8", "replace").split("\n")[: most + 1]
    return [line.removesuffix("\r") for line in lines[:most] if line.strip()]


def placed_objects(stream: Stream) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The objects of a JSON file, each with a place of its own."""
    before = 0
    for number, (line, held) in enumerate(json_objects(stream), 1):
        place = f"{stream.name}:{line}"
        yield f"{place}, object {number}" if line == before else place, held
        before = line
