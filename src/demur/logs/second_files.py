"""A second file that an option of a reader names: references, scores, judgements."""

from collections.abc import Iterator
from typing import Any

from demur.errors import InputError, ParseError
from demur.formats.json_documents import json_mapping, json_value
from demur.formats.streams import Stream, opened


def json_file(path: str, max_size: int, kind: Any = None) -> Any:
    """The JSON document of a file, within the limits of the first one.

    Parameters
    ----------
    path : str
        Relative to the current folder.
    max_size : int
        As for the log itself.
    kind : type, optional
        What it holds, as msgspec takes it; without it an object whose keys are names.
    """
    with opened(path, max_size) as stream:
        return json_whole(stream, kind)


def json_whole(stream: Stream, kind: Any = None) -> Any:
    """The JSON document of a stream; as `json_file` takes it."""
    if not stream.head:
        raise ParseError(stream.name, "the file", "hold JSON", "an empty file")
    if kind is None:
        return json_mapping(stream.name, stream.whole())
    return json_value(stream.name, stream.whole(), kind)


def text_lines(stream: Stream) -> Iterator[tuple[int, str]]:
    """The lines of a stream that are not blank, with their numbers."""
    for first, block in stream.blocks():
        for number, line in enumerate(block.decode().split("\n"), first):
            if line.strip():
                yield number, line


def lines_of_file(path: str, max_size: int) -> list[tuple[str, str]]:
    """The lines of a file that are not blank, each with its place."""
    with opened(path, max_size) as stream:
        return [(f"{stream.name}:{n}", line) for n, line in text_lines(stream)]


def needed(place: str, reader: str, option: str, what: str, example: str) -> InputError:
    """The error for a second file that was not named."""
    hint = f"Type --log '{reader}({option}={example})'."
    return InputError(place, what, f"be named, as {option}", "none", hint)
