"""Errors with the whole line to type, made of the one that was typed."""

import os
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from demur.errors import DemurError, InputError

if TYPE_CHECKING:
    from demur.outcomes.records import Response

Row = Mapping[str, Any]

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
        return str(error).replace(error.judged_by, _judging(error, argv))
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


def _judging(error: InputError, argv: Sequence[str]) -> str:
    """The command that judges a file, and behind it the one that was typed.

    A file with right answers that was typed beside it is what it is judged by.
    """
    named = error.where.partition(":")[0]
    file = next((w for w in argv[1:] if w and os.path.normpath(w) == named), "")
    if not file:
        return error.judged_by
    judging, words = error.judged_by, _without(argv, _OF_FILES)
    if judging.endswith(f" {_REFERENCES}"):
        log = _value_of("--log", argv)
        answers = _answers(file, log or None)
        items = {str(answer.item) for answer in answers}
        references, form = _references_of(argv, file, items)
        judging = shlex.join(["demur", "judge", file])
        judging += f" {shlex.quote(references)}" if references else f" {_REFERENCES}"
        judging += f" --reference-columns {form}" if form else ""
        judging += f" --log {shlex.quote(log)}" if log else ""
        judging += "".join(f" {option}" for option in _policies(answers))
        words = [word for word in words if word != references]
    words = ["judged.jsonl" if word == file else word for word in words]
    return f"{judging} -o judged.jsonl && {shlex.join(['demur', *words])}"


def _value_of(option: str, argv: Sequence[str]) -> str:
    """What was typed for an option; empty if it was not."""
    for word, value in zip(argv, [*argv[1:], ""], strict=True):
        name, sign, joined = word.partition("=")
        if name == option:
            return joined if sign else value
    return ""


def _references_of(
    argv: Sequence[str], judged: str, items: Set[str]
) -> tuple[str, str]:
    """The one file beside another that holds right answers, and how it is read.

    Both are empty if there is none; how is empty where its names are ours.
    """
    from demur.cli.options.parsing import build_parser

    files = vars(build_parser(argv).parse_args(argv)).get("outcomes")
    others = [file for file in files or () if file != judged]
    forms = {file: _reference_form(file, items) for file in others}
    held = [(file, form) for file, form in forms.items() if form is not None]
    return held[0] if len(held) == 1 else ("", "")


def _reference_form(path: str, items: Set[str]) -> str | None:
    """What is typed so that a file gives references; None if it does not hold any."""
    from demur.formats.headings import COLUMNS
    from demur.formats.record_reading import iter_records, iter_references

    rows: list[Row] = []
    try:
        rows += (row for _, row in islice(iter_records(path), _LOOKED_AT))
        for _ in iter_references(path):
            break
    except InputError as error:
        if not rows or _is_judged(rows) or error.what != COLUMNS:
            return None
        typed = _REFERENCE_FORM.search(error.hint)
        return _joined(typed[1] if typed else "''", rows, items)
    except (DemurError, OSError):
        return None
    return None if _is_judged(rows) else ""


def _is_judged(rows: Sequence[Row]) -> bool:
    return any(name in row for row in rows[:1] for name in ("outcome", "correct"))


def _joined(form: str, rows: Sequence[Row], items: Set[str]) -> str | None:
    """How rows are read, by the column that names the items of the answers.

    None if nothing says that they hold right answers.
    """
    shared = {
        name: len(items & {str(row.get(name)) for row in rows})
        for name in rows[0]
        if _PLAIN.fullmatch(name)
    }
    best = max(shared, key=shared.__getitem__, default="")
    best = best if best and shared[best] else ""
    if "reference" in form or "reference" in rows[0]:
        by = re.compile(r"(?<=\bitem=)[^,']+")
        return by.sub(lambda row: best or row[0], form, count=1)
    if not best:
        return None
    others = [name for name in shared if name != best]
    right = others[0] if len(others) == 1 else "COLUMN"
    return f"'item={best}, reference={right}'"


def _answers(path: str, log: str | None) -> list["Response"]:
    """Answers of a file, as far as they can be read."""
    from demur.formats.record_reading import iter_responses

    try:
        return [*islice(iter_responses(path, log=log), _LOOKED_AT)]
    except (DemurError, OSError):
        return []


def _policies(answers: Iterable["Response"]) -> list[str]:
    """Options of judge that answers need: some look like refusals, some are unsure."""
    from demur.outcomes.refusals import looks_like_refusal

    given = [one for one in answers if one.response is not None and not one.failed]
    guesses = [one for one in given if not looks_like_refusal(one.response)]
    options = ["--no-answer refusals"] if len(guesses) < len(given) else []
    sure = {one.confidence is not None for one in guesses}
    return options + (["--unsure lowest"] if len(sure) > 1 else [])


_REFERENCES: Final = "REFERENCES"
_LOOKED_AT: Final = 100_000
_PLAIN: Final = re.compile(r"[^,='\"()]+")
_REFERENCE_FORM: Final = re.compile(r"--reference-columns ('[^']*')")
