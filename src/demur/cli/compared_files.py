"""What stands in the way of comparing some files, told all at once."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from demur.errors import InputError
from demur.formats.columns_of_files import with_all_files, with_confidences
from demur.formats.reading import read_outcomes
from demur.outcomes.repeated_keys import places_shown
from demur.outcomes.values import UNKNOWN

COMMON: Final = "--items common"
LAST: Final = "--repeated last"

_TYPED: Final = re.compile(r"Type --columns '([^']+)'\.")
_OPEN: Final = (UNKNOWN, "LIMIT", "COLUMN")
"""What stands for what only a user knows."""
_LISTED: Final = 3
_LONG: Final = 900
"""Characters that a message may have, so that it is read."""


def told_at_once(
    error: InputError, paths: Sequence[str], how: Mapping[str, Any], items: str
) -> InputError:
    """The error for one of several files, with all that is to be typed for all of them.

    What would be refused next is tried out: items with several rows, and items that
    not all files have.

    Parameters
    ----------
    error : InputError
        What was raised for one of them.
    paths : sequence of path
        The files.
    how : mapping
        How they were read, as keywords of `read_outcomes`.
    items : {"equal", "common"}
        On which items they are compared.
    """
    error = with_all_files(error, paths, how)
    typed = _TYPED.findall(error.hint)
    complete = len(typed) == 1 and not any(word in error.hint for word in _OPEN)
    if "-" in paths or not (complete or error.repeated):
        return error
    columns = typed[0] if complete else how["columns"]
    try:
        further = _further(error, paths, {**how, "columns": columns})
    except InputError:  # which another run will tell
        return error
    if items == "common":
        further.pop(COMMON, None)
    if not further:
        return error
    options = f"{' '.join(further)}: {'; '.join(further.values())}."
    if complete:
        hint = error.hint.replace(f"'{columns}'.", f"'{columns}' {options}")
    else:
        hint = f"{error.hint} Type {options}"
    return error.with_hint(hint) if len(str(error)) + len(options) < _LONG else error


def _further(
    error: InputError, paths: Sequence[str], how: Mapping[str, Any]
) -> dict[str, str]:
    """Options that are needed beside the columns, each with the reason."""
    further = {}
    fault = error
    if not error.repeated:
        try:
            tables = [read_outcomes(path, **how) for path in paths]
        except InputError as next_fault:
            if not next_fault.repeated:
                raise
            fault = next_fault
    if fault.repeated:
        which = "the last row of each counts, with --repeated first the first"
        further[LAST] = which if error.repeated else f"{_several_rows(fault)}: {which}"
        tables = [read_outcomes(path, **{**how, "repeated": "last"}) for path in paths]
    held = [set(map(str, table.item.tolist())) for table in tables]
    common = set.intersection(*held)
    alone = {path: len(has - common) for path, has in zip(paths, held, strict=True)}
    if common and any(alone.values()) and all(len(t.systems) < 2 for t in tables):
        counts = ", ".join(f"{n:,} of {path}" for path, n in alone.items() if n)
        further[COMMON] = f"items that not all files have are left out, {counts}"
    silent = [table.confidence is None for table in tables]
    typed, otherwise = with_confidences(paths, silent, how)
    if not otherwise:
        return further
    named = f"{', '.join(otherwise)}: confidences have another name"
    return {f"--columns '{typed}'": named, **further}


def _several_rows(fault: InputError) -> str:
    """How many items have rows that differ, and where the first of them stand."""
    groups = [[place for _, place in group] for group in fault.repeated]
    first = "; ".join(map(places_shown, groups[:_LISTED]))
    more = "; ..." if len(groups) > _LISTED else ""
    have = "1 item has" if len(groups) == 1 else f"{len(groups):,} items have"
    return f"{have} rows that differ ({first}{more})"
