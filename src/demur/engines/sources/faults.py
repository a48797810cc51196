"""What DuckDB says when it fails, as errors of ours that name the file."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from demur.engines.sources.source_files import (
    TYPED,
    SourceFile,
    literal_path,
    state_of,
)
from demur.engines.sql_counts import literal
from demur.errors import InputError, ParseError, one_line, shown

Fails = Callable[[SourceFile], bool]
"""Whether a file cannot be read by itself."""

_NO_DISK: Final = re.compile(
    r"no space left|offload data block|max_temp_directory_size|could not write"
    r"|disk quota|truncate file",
    re.IGNORECASE,
)
_CSV_LINE: Final = re.compile(r"CSV Error on Line: (\d+)")
_JSON_LINE: Final = re.compile(r"Malformed JSON in file .* in line (\d+): ([\w -]+)")
"""DuckDB counts the end of a broken record as a line, or not."""

_FAILED: Final = re.compile(r'Failed to read file "(.*?)"')
"""Which of several it was; others may be named as what it differs from."""

_JSON_TWICE: Final = re.compile(
    r'in line (\d+): .* has duplicate key "(.*?)"', re.DOTALL
)

_GONE: Final = re.compile(
    r"No files found|No such file|Stale file|NoSuchKey|NoSuchBucket", re.IGNORECASE
)
_NOT_THERE: Final = re.compile(r"\b404\b")
_REFUSED: Final = re.compile(r"\b(401|403)\b|AccessDenied|InvalidAccessKey")
_BEGINS: Final = re.compile(r"^[\w ]*(?:Error|Exception): ")
_WHOLE_HINT: Final = "It may be cut off or damaged: copy it again."


@contextmanager
def engine_errors(
    files: Sequence[SourceFile] = (), fails: Fails | None = None, memory: str = ""
) -> Iterator[None]:
    """Make errors of DuckDB ours: one line that names the file.

    Parameters
    ----------
    files : sequence of SourceFile
        Which are read.
    fails : callable, optional
        Tries one, to find which it was.
    memory : str
        How much DuckDB may hold, for messages.
    """
    import duckdb

    try:
        yield
        for file in files:
            _check_unchanged(file)
    except (duckdb.Error, UnicodeDecodeError) as error:
        kind, text = type(error).__name__, str(error)
        if kind == "InterruptException":
            raise KeyboardInterrupt from None
        raise _ours(kind, text, files, fails, memory) from None
    except RuntimeError as error:
        if "interrupted" in str(error).lower():
            raise KeyboardInterrupt from None
        raise


def fails_alone(execute: Callable[[str], Any], file: SourceFile) -> bool:
    """Whether a file of Parquet cannot be read to its end."""
    import duckdb

    path = literal(literal_path(file))
    if file.kind != TYPED:
        return False
    try:
        for query in (
            f"SELECT * FROM parquet_file_metadata({path})",
            f"SELECT * FROM parquet_schema({path})",
            f"SELECT bit_xor(hash(COLUMNS(*))) FROM read_parquet({path})",
        ):
            execute(query).fetchall()
    except (duckdb.Error, UnicodeDecodeError):
        return True
    return False


def _ours(
    kind: str,
    text: str,
    files: Sequence[SourceFile],
    fails: Fails | None,
    memory: str,
) -> InputError:
    got = _first_line(text)
    if _NO_DISK.search(text):
        need, hint = (
            "have room for what memory does not hold",
            "Free some, or set TMPDIR.",
        )
        return InputError("DuckDB", "the temporary folder", need, got, hint)
    if kind == "OutOfMemoryException":
        need = f"fit into {memory}" if memory else "fit into memory"
        hint = "Allow more memory, or fewer groups."
        return InputError("DuckDB", "what is counted", need, got, hint)
    for file in files:
        if (lost := _lost(file)) is not None:
            return lost
        try:
            _check_unchanged(file)
        except InputError as changed:
            return changed
    culprit = _named(text, files) or (files[0] if len(files) == 1 else None)
    if culprit is None and fails is not None:
        culprit = next(filter(fails, files), None)
    return _of_file(kind, text, culprit)


def _of_file(kind: str, text: str, file: SourceFile | None) -> InputError:
    name, got = file.name if file else "DuckDB", _first_line(text)
    # Numbers in the name, or of a line, are no answers of a server.
    answer = _CSV_LINE.sub("", text.replace(file.path, "")) if file else text
    is_remote = file is not None and file.is_remote
    if is_remote and _REFUSED.search(answer):
        hint = "Keys are read from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
        return InputError(name, "the address", "be open to you", got, hint)
    if _GONE.search(answer) or (is_remote and _NOT_THERE.search(answer)):
        hint = "Was it moved while it was counted?"
        return InputError(name, "the file", "exist until it is counted", got, hint)
    if file is None:
        return InputError(name, "what is counted", "be readable", got)
    if file.is_remote and kind in ("HTTPException", "IOException"):
        return InputError(name, "the address", "be readable", got)
    return _of_text(name, text, file.kind)


def _of_text(name: str, text: str, kind: str) -> ParseError:
    """What is wrong within a file that is there."""
    if "reached an invalid state" in text:
        need, hint = "have line ends of one kind", "Write it again, or as Parquet."
        return ParseError(name, "the text", need, "several", hint)
    if line := _CSV_LINE.search(text):
        return _of_row(name, line[1], text)
    if twice := _JSON_TWICE.search(text):
        got = f"it twice about line {twice[1]}"
        what, need = f"the key {shown(twice[2])}", "stand once in an object"
        return ParseError(name, what, need, got, "Rename one.")
    got = _first_line(text)
    if broken := _JSON_LINE.search(text):
        number = max(int(broken[1]) - 1, 1)  # DuckDB counts the end of the broken one
        got = f"{broken[2].rstrip(' .')} about line {number}"
    need = f"be whole, readable {kind}"
    return ParseError(name, "the file", need, got, _WHOLE_HINT)


def _of_row(name: str, line: str, text: str) -> ParseError:
    hint = ""
    for begin, todo in _OF_ROWS.items():
        if (at := text.find(begin)) >= 0:
            got, hint = text[at:].splitlines()[0].rstrip(" ."), todo
            break
    else:
        got = "a fault in its form"
    need = "be delimited text in UTF-8"
    return ParseError(f"{name}:{line}", "the row", need, got, hint)


_QUOTES: Final = "A cell that holds the delimiter or a line break needs quotes."
_OF_ROWS: Final = {
    "Expected Number": _QUOTES,
    "Value with unterminated": _QUOTES,
    "Invalid unicode": "Convert it, for example with: iconv -f latin1 -t utf-8.",
    "Maximum line size": "Write it as Parquet.",
}
"""What DuckDB says of rows, and what to do about it."""


def _first_line(text: str) -> str:
    """What DuckDB says in its first line, without keys and without its own advice."""
    lines = [line for line in text.splitlines() if line.strip()] or ["nothing"]
    fault = _BEGINS.sub("", _BEGINS.sub("", lines[0]))
    return one_line(fault.rstrip(" .:"))


def _named(text: str, files: Sequence[SourceFile]) -> SourceFile | None:
    """The file that a message names; of several, the one with the longest name."""
    if failed := _FAILED.search(text):
        text = failed[1]
    named = [file for file in files if file.path in text]
    return max(named, key=lambda file: len(file.path), default=None)


def _check_unchanged(file: SourceFile) -> None:
    """Raise where a file is another one than when it was found."""
    try:
        changed = file.state is not None and state_of(file.path) != file.state
    except OSError:  # it is gone, after all was read
        return
    if changed:
        need = "stay as it is while it is counted"
        hint = "Count a copy, or a time range that is complete."
        raise InputError(file.name, "the file", need, "another size or time", hint)


def _lost(file: SourceFile) -> InputError | None:
    """What is wrong with a file that is not there any more, or may not be read."""
    if file.is_remote:
        return None
    try:
        with Path(file.path).open("rb"):
            return None
    except FileNotFoundError:
        need, hint = "exist until it is counted", "Was it moved while it was counted?"
        return InputError(file.name, "the file", need, "nothing", hint)
    except OSError as error:
        got = str(error.strerror)
        return InputError(file.name, "the file", "be readable", got)
