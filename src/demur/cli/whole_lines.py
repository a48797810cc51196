"""Errors with the whole line to type, made of the one that was typed."""

import os
import re
import shlex
from collections.abc import Sequence
from typing import Final

from demur.errors import InputError

_OF_FILES: Final = frozenset(("--columns", "--log"))
"""Options, each with its value, on how a file is read that is not in our form."""

_PROPOSED: Final = re.compile(r"--log ('[^']*'(?:\"'\"'[^']*')*)")
"""What a hint proposes for a log, as a shell reads it."""


def told(error: InputError, argv: Sequence[str]) -> str:
    """An error as it is printed, with the whole line in place of a part of it.

    Parameters
    ----------
    error : InputError
    argv : sequence of str
        What was typed, without the program's name.

    Examples
    --------
    >>> error = InputError("a.json", "a", "be b", "c", "Type --log 'inspect(value=x)'.")
    >>> print(told(error, ["curve", "a.json", "--log", "inspect"]))
    a.json: a must be b; got c. Type demur curve a.json --log 'inspect(value=x)'.
    """
    if error.judged_by:
        judging = f"{error.judged_by}{_on_what_is_judged(error.where, argv)}"
        return str(error).replace(error.judged_by, judging)
    proposed = set(_PROPOSED.findall(error.hint))
    if len(proposed) != 1:
        return str(error)
    typed = f"--log {proposed.pop()}"
    line = shlex.join(["demur", *_without(argv, {"--log"})])
    return str(error).replace(typed, f"{line} {typed}", 1)


def _without(argv: Sequence[str], options: frozenset[str] | set[str]) -> list[str]:
    """What was typed, but for some options and their values."""
    words, before = [], ""
    for word in argv:
        if not ({word.partition("=")[0], before} & options):
            words.append(word)
        before = word
    return words


def _on_what_is_judged(place: str, argv: Sequence[str]) -> str:
    """What goes behind a command that judges a file: the command that was typed."""
    named = place.partition(":")[0]
    file = next((w for w in argv[1:] if w and os.path.normpath(w) == named), "")
    if not file:
        return ""
    words = ["judged.jsonl" if w == file else w for w in _without(argv, _OF_FILES)]
    return f" -o judged.jsonl && {shlex.join(['demur', *words])}"
