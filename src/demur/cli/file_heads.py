"""What files begin with, for the completion of a line that is being typed.

Only the head of a file is read, and nothing is loaded that reads files whole: a shell
waits for the answer.
"""

import csv
import gzip
import io
import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

_HEAD: Final = 1 << 18
"""So many bytes of a file are looked at."""

_DELIMITERS: Final = (",", "\t", ";", "|")

_BINARY: Final = (".parquet", ".xlsx", ".zst")
"""Endings of files that only their own readers open."""

_MAPPED: Final = (
    *("item", "outcome", "correct", "confidence", "response", "reference", "system"),
)
"""The columns whose names in a file are proposed."""

_MOST_VALUES: Final = 12
"""A column with more different values than this is not for picking one."""

_LONGEST: Final = 40
"""Characters of a value that is proposed."""


def named_files(words: Iterable[str]) -> list[str]:
    """Those words of a line, as the shell has them, that name a file.

    Examples
    --------
    >>> named_files(["demur", "curve", "no-such-file.csv", "--by"])
    []
    """
    paths = []
    for word in words:
        with suppress(ValueError, OSError):  # a quote that is still open
            forms = (word, "".join(shlex.split(word)))  # shells differ in quotes
            named = (Path(form).expanduser() for form in forms if form)
            paths += [str(path) for path in named if path.is_file()][:1]
    return paths


def columns_of(paths: Iterable[str]) -> list[str]:
    """The columns of files, each once, in their order."""
    return list(dict.fromkeys(name for path in paths for name in _names(path)))


def systems_of(paths: Iterable[str]) -> list[str]:
    """The systems that are named in the heads of files, in their order."""
    values = (row.get("system") for path in paths for row in rows_of(path))
    return list(dict.fromkeys(str(value) for value in values if value))


def pairs_of(paths: Iterable[str]) -> list[str]:
    """``COLUMN=VALUE`` of the columns that have few values."""
    values: dict[str, dict[str, None]] = {}
    for path in paths:
        for row in rows_of(path):
            for name, value in row.items():
                if isinstance(value, (str, int)):
                    text = str(value).lower() if isinstance(value, bool) else str(value)
                    values.setdefault(name, {})[text] = None
    return [
        f"{name}={value}"
        for name, listed in values.items()
        if len(listed) <= _MOST_VALUES
        for value in listed
        if value and len(value) <= _LONGEST and value.isprintable()
    ]


def mappings_of(paths: Iterable[str]) -> list[str]:
    """``NAME=COLUMN`` for what every table of outcomes has, under other names."""
    columns = columns_of(paths)
    return [f"{name}={column}" for name in _MAPPED for column in columns]


def _names(path: str) -> Iterable[str]:
    if not path.endswith(_BINARY):
        return [name for row in rows_of(path) for name in row]
    from demur.errors import DemurError, MissingExtra
    from demur.formats.reading import open_own_table

    with suppress(DemurError, MissingExtra, OSError), open_own_table(path) as table:
        return list(table.names())
    return []


def rows_of(path: str) -> Iterator[Mapping[str, Any]]:
    """The rows that a file begins with; none of a file that is no such table."""
    text, whole = _head(path)
    if text.lstrip()[:1] in ("{", "["):
        yield from _records(text)
    elif text and "\0" not in text:
        yield from _cells(text if whole else text.rpartition("\n")[0])


def _head(path: str) -> tuple[str, bool]:
    """The text that a file begins with, and whether that is all of it."""
    try:
        opener: Any = gzip.open if path.endswith(".gz") else open
        with opener(path, "rb") as file:
            head = file.read(_HEAD + 1)
    except (OSError, EOFError):
        return "", True
    text = head[:_HEAD].decode("utf-8-sig", errors="replace")
    return text, len(head) <= _HEAD


def _records(text: str) -> Iterator[Mapping[str, Any]]:
    """The objects of JSON Lines, or of a list, as far as they are whole."""
    decoder, at = json.JSONDecoder(), 0
    with suppress(ValueError, RecursionError):
        while True:
            while at < len(text) and text[at] in " \t\r\n[,":
                at += 1
            record, at = decoder.raw_decode(text, at)
            if isinstance(record, dict):
                yield record


def _cells(text: str) -> Iterator[Mapping[str, Any]]:
    """The rows of delimited text; which sign parts cells is told by the first line."""
    first = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    with suppress(csv.Error):
        for row in csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter):
            yield {name: value for name, value in row.items() if name}
