"""What to type for several files whose columns are called otherwise: all at once."""

import glob
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

from msgspec import UNSET

from demur.errors import InputError
from demur.formats.column_forms import value_of
from demur.formats.column_mappings import (
    column_mapping,
    mapped_table,
    mapping_of,
    mapping_text,
)
from demur.formats.headings import COLUMNS_OF_FILE
from demur.formats.proposed_columns import proposed_columns
from demur.formats.reading import FORMATS, kept_run, open_own_table, open_table
from demur.formats.side_by_side import sides_of
from demur.formats.streams import RecordFile

_NEEDED: Final = (("item",), ("outcome", "correct"))
_TYPED: Final = re.compile(r"(?<!\S)--columns '([^']+)'")
"""What a message says is to be typed."""
_UNTYPABLE: Final = re.compile(r"[=;'\"]")
"""What no file may hold that is named in an option."""
_SHOWN: Final = frozenset(("input", "reference", "references"))
"""What lists and sheets show beside an answer that is judged; no rate needs it."""


def with_confidences(
    sources: Sequence[str], silent: Sequence[bool], how: Mapping[str, Any]
) -> tuple[str, list[str]]:
    """Of files without confidences beside some with: what to type for all of them.

    Parameters
    ----------
    sources : sequence of path
        The files.
    silent : sequence of bool
        Which of them have no confidences.
    how : mapping
        How they were read: columns, log and max_size of `read_outcomes`.

    Returns
    -------
    (typed, files)
        The mapping, and the files in which confidences are called otherwise.
    """
    if not any(silent) or all(silent):
        return "", []
    whole = _mappings(sources, how)
    typed = in_one_line(whole) if whole else ""
    pairs = zip(sources, silent, strict=True)
    return typed, [
        source
        for source, without in pairs
        if typed and without and whole and "confidence" in whole[source]
    ]


ABSENT: Final = "there is no column confidence"
"""How a note begins on a file without confidences."""


def with_all_files(
    error: InputError, sources: Sequence[str], how: Mapping[str, Any]
) -> InputError:
    """The error for one of several files, with what to type for all of them.

    Parameters
    ----------
    error : InputError
        What was raised for one of them.
    sources : sequence of path
        The files.
    how : mapping
        How they were read: columns, log and max_size of `read_outcomes`.
    """
    failed = [one for one in sources if f"{error.where}:".startswith(f"{one}:")]
    unknown = error.must == COLUMNS_OF_FILE and error.what != "where"
    typed = _TYPED.findall(error.hint)
    if not failed or not (unknown or typed) or "demur judge" in error.hint:
        return error
    whole = _mappings(sources, how)
    if not whole or not in_one_line(whole):
        return error
    if unknown:
        return error.with_hint(f"{error.hint} Type --columns '{in_one_line(whole)}'.")

    def widened(its: re.Match[str]) -> str:
        named = {**whole[failed[0]], **_to_count(column_mapping(its[1]))}
        return f"--columns '{in_one_line({**whole, failed[0]: named})}'"

    return error.with_hint(_TYPED.sub(widened, error.hint))


def in_one_line(by_file: Mapping[str, Mapping[str, str]]) -> str:
    """What columns of each file are called, as it is typed; empty if it cannot be.

    Examples
    --------
    >>> in_one_line({"a.csv": {"item": "id"}, "b.csv": {"item": "id", "correct": "ok"}})
    'item=id; b.csv: correct=ok'
    """
    if any(map(_UNTYPABLE.search, by_file)):
        return ""
    first, *others = by_file.values()
    of_all = {
        name: form
        for name, form in first.items()
        if all(named.get(name) == form for named in others)
    }
    apart = {
        glob.escape(file): {n: form for n, form in named.items() if n not in of_all}
        for file, named in by_file.items()
    }
    parts = [mapping_text(of_all)] if of_all else []
    return "; ".join(parts + [f"{f}: {mapping_text(n)}" for f, n in apart.items() if n])


def _mappings(
    sources: Sequence[str], how: Mapping[str, Any]
) -> dict[str, dict[str, str]] | None:
    """What each file needs; None where one of them is read in another way."""
    if len(sources) < 2 or "-" in sources or how["log"] is not None:
        return None
    whole = {}
    for source in sources:
        try:
            needs = _needs(source, how)
        except (InputError, OSError):
            return None
        if needs is None or {"COLUMN"} & {*needs.values()}:
            return None
        whole[source] = needs
    return whole


def _needs(source: str, how: Mapping[str, Any]) -> dict[str, str] | None:
    """What columns of a file must be called; None where that is not known."""
    given = how["columns"] and mapping_of(how["columns"], source)
    named = column_mapping(given) if given else {}
    if sides_of(named):
        return None
    with _own_table(source, how["max_size"], named=bool(named)) as table:
        if table is None:
            return {}
        next(iter(table.cells()), None)  # its beginning is known then
        records = table.beginning()
        kept = {n: form for n, form in named.items() if _fits(form, table, records)}
        mapped = mapped_table(table, kept) if kept else table
        present, records = mapped.names(), mapped.beginning()
    lacking = [any_of for any_of in _NEEDED if not {*any_of} & {*present}]
    proposed = proposed_columns(lacking, records, "response", of_texts=table.of_texts)
    if not lacking:
        absent = {"confidence"} - {*present}
        proposed = {name: proposed[name] for name in absent & proposed.keys()}
    if {*named} - {*present, *proposed}:
        return None
    return kept | _to_count(proposed)


def _to_count(proposed: Mapping[str, str]) -> dict[str, str]:
    """Of what is proposed that which counts; a response may be a refusal."""
    return {name: form for name, form in proposed.items() if name not in _SHOWN}


@contextmanager
def _own_table(
    source: str, max_size: int, *, named: bool
) -> Iterator[RecordFile | None]:
    """A file as a table of its own columns; None for a log, and for a kept run."""
    if kept_run(source):
        yield None
    elif named:  # then no log is looked for
        with open_own_table(source, max_size) as table:
            yield table
    else:
        with open_table(source, max_size) as table:
            yield table if isinstance(table, FORMATS) else None


def _fits(form: str, table: RecordFile, records: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a file holds what a form is made of."""
    value = value_of(form)
    if not value.fields or {*value.fields} & {*table.names()}:
        return True
    with suppress(InputError):
        return any(value(one, row) is not UNSET for row, one in enumerate(records, 1))
    return True
