"""What to type where runs of a pipeline are compared: as it is, not as replaced."""

import re
import shlex
from collections.abc import Iterable, Sequence
from typing import Final

from demur.errors import InputError

_CONFIG: Final = ".toml"
_AS_IT_IS: Final = re.compile(r"actual, (free-running|corrected)(?=, |$)")
_REPLACED: Final = re.compile(r"[^=,]+=.+, (free-running|corrected)(, |$)")


def compare_line(files: Sequence[str], system: str) -> str:
    """The command that compares one system of several files.

    Examples
    --------
    >>> compare_line(["old.jsonl", "OTHER"], "actual, free-running")
    "demur compare old.jsonl OTHER --where 'system=actual, free-running'"
    """
    return shlex.join(["demur", "compare", *files, "--where", f"system={system}"])


def line_as_it_is(files: Sequence[str], systems: Iterable[str]) -> str:
    """What compares pipelines as they are, if some systems have modules replaced.

    Examples
    --------
    >>> names = [f"{of}, corrected, {run}" for of in ("actual", "nlu=target")
    ...     for run in ("old", "new")]
    >>> line_as_it_is(["old.jsonl", "new.jsonl"], names)
    "demur compare old.jsonl new.jsonl --where 'system=actual, corrected'"
    """
    listed = list(systems)
    unchanged = [match[0] for name in listed if (match := _AS_IT_IS.match(name))]
    if len(files) < 2 or not unchanged or not any(map(_REPLACED.match, listed)):
        return ""
    free = "actual, free-running"
    return compare_line(files, free if free in unchanged else unchanged[0])


def check_no_configs(files: Sequence[str]) -> None:
    """Refuse configs of pipelines, which are to be run first.

    Raises
    ------
    InputError
        With the commands that run them and compare what came out.
    """
    for path in files:
        if path.lower().endswith(_CONFIG):
            written = [re.sub(r"(?i)\.toml$", ".jsonl", file) for file in files]
            runs = [
                shlex.join(["demur", "pipeline", file, "-o", out])
                for file, out in zip(files, written, strict=True)
                if file != out
            ]
            line = compare_line(written, "actual, free-running")
            need, got = "hold outcomes", "a config, as of a pipeline"
            hint = f"Run each with demur pipeline -o: {'; '.join(runs)}; then {line}."
            raise InputError("compare", path, need, got, hint)
