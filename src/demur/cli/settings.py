"""The file ``demur.toml`` of a folder: what columns are called in its files.

Its gates are read by ``demur gate`` alone.
"""

import glob
import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from demur.checks import names_shown
from demur.errors import InputError, ParseError, shown
from demur.files import small_file
from demur.formats.column_mappings import column_mapping, mapping_of

NAME: Final = "demur.toml"

OF_GATES: Final = ("store", "gate")
"""What demur gate reads in it."""

_SUCH_AS: Final = 'Such as [columns."results/*.csv"] and below it item = "id".'


def columns_by_file(given: Iterable[Any]) -> dict[str, dict[str, str]] | None:
    """What columns are called, by pattern of file; None where that concerns no file.

    Parameters
    ----------
    given : iterable
        Arguments of a command, lists of them too; some of them are files.

    Raises
    ------
    ParseError
        If it is no TOML, or holds something else.
    """
    path = Path(NAME)
    if not path.exists():
        return None
    if not path.is_file():  # a pipe would wait for somebody who writes
        need, got = "be a file that can be read", "a folder, a device or a pipe"
        raise InputError(NAME, "the file", need, got)
    try:
        settings = tomllib.loads(small_file(NAME).decode("utf-8-sig"))
    except OSError as problem:
        need, got = "be a file that can be read", problem.strerror or str(problem)
        raise InputError(NAME, "the file", need, got) from None
    except (ValueError, RecursionError) as problem:  # of TOML, UTF-8, endless digits
        got = " ".join(str(problem).split())
        raise ParseError(NAME, "the file", "be TOML", got, _SUCH_AS) from None
    columns = settings.pop("columns", {})
    unknown = [name for name in settings if name not in OF_GATES]
    if unknown:
        need, got = "be columns, or gate, or store", shown(unknown[0])
        raise ParseError(NAME, "a table", need, got, _SUCH_AS)
    if not isinstance(columns, dict) or not all(map(_is_mapping, columns.values())):
        need, got = "name files, and the columns of each as texts", shown(columns)
        raise ParseError(NAME, "columns", need, got, _SUCH_AS)
    texts = [text for value in given for text in _texts(value)]
    by_file = {pattern: column_mapping(named) for pattern, named in columns.items()}
    return {p: named for p, named in by_file.items() if _fits(p, named, texts)} or None


def check_patterns(typed: Mapping[str, Any], given: Iterable[Any], option: str) -> None:
    """Raise for a pattern that no file of a command fits: it would say nothing.

    Parameters
    ----------
    typed : mapping
        What columns are called, by pattern of file, as it is typed.
    given : iterable
        Arguments of the command, lists of them too; some of them are files.
    option : str
        Where it is typed.

    Raises
    ------
    InputError
        For the first such pattern.
    """
    texts = [text for value in given for text in _texts(value)]
    for pattern, named in typed.items():
        if not _fits(pattern, named, texts):
            hint = "Patterns are of paths, such as results/b.csv or '*/b.csv'."
            files = [text for text in texts if os.path.lexists(text)]
            need = f"fit a file ({names_shown(files)})" if files else "fit a file"
            raise InputError(option, "what stands before ':'", need, pattern, hint)


def _fits(pattern: str, named: Mapping[str, str], texts: Iterable[str]) -> bool:
    return any(
        mapping_of({pattern: named}, path) for text in texts for path in _paths(text)
    )


def _paths(text: str) -> Iterator[str]:
    """The files that an argument may stand for: itself, or those of a folder."""
    yield text
    if os.path.lexists(text):
        for folder, _, names in os.walk(text):
            yield from (os.path.join(folder, name) for name in names)  # noqa: PTH118
    elif glob.has_magic(text):
        for path in glob.iglob(text, recursive=True):  # noqa: PTH207
            yield from _paths(path)


def _texts(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [text for text in values if isinstance(text, str) and text]


def _is_mapping(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(v, str) for v in value.values())
