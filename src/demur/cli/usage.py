"""How a command may be called: which options go together, and where results may go."""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from demur.errors import InputError
from demur.results import printable


class WrongUsage(InputError):
    """Options that are wrong by themselves, whatever the data: exit code 2."""


def check_outputs(
    command: str, outputs: Mapping[str, str | None], sources: Iterable[str | None]
) -> None:
    """Refuse to write over what is read, twice to one file, or to no folder.

    Parameters
    ----------
    command : str
        For messages.
    outputs : mapping of option to path or None
        Where results go; ``-`` is standard output, None is nowhere.
    sources : iterable of path or None
        What is read.

    Raises
    ------
    WrongUsage
        With the name of the option.
    """
    given = {option: path for option, path in outputs.items() if path}
    read = [source for source in sources if source]
    for option, path in given.items():
        got = printable(path)
        if any(same_file(path, source) for source in read):
            must, hint = "not be a file that is read", "Name another file."
            raise WrongUsage(command, option, must, got, hint)
        _check_place(command, option, path)
    options = list(given)
    for at, option in enumerate(options):
        for other in options[:at]:
            if same_file(given[option], given[other]):
                got = printable(f"{given[other]} and {given[option]}")
                must = "go to two files"
                raise WrongUsage(command, f"{other} and {option}", must, got)


def _check_place(command: str, option: str, path: str) -> None:
    if path == "-":
        return
    got, folder = printable(path), Path(path).parent
    if "\0" in path:
        raise WrongUsage(command, option, "hold no NUL", got)
    if Path(path).is_dir():
        raise WrongUsage(command, option, "name a file", f"{got}, a directory")
    if not folder.is_dir():
        must, hint = "lie in a directory that exists", f"Make it: mkdir -p {folder}"
        raise WrongUsage(command, option, must, got, printable(hint))
    if not Path(path).exists() and not os.access(folder, os.W_OK):
        must = "lie in a directory that can be written to"
        raise WrongUsage(command, option, must, got)


def same_file(first: str, second: str) -> bool:
    """Whether two paths lead to one file, there or yet to be written; "-" is none.

    Examples
    --------
    >>> same_file("a.jsonl", "./b/../a.jsonl"), same_file("-", "-")
    (True, False)
    """
    if "-" in (first, second):
        return False
    with suppress(OSError, ValueError):
        return Path(first).samefile(second)
    return os.path.realpath(first) == os.path.realpath(second)
