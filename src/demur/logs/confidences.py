"""Where the confidence stands in a log that has no fixed place for it."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from typing import Any, Final

from msgspec import UNSET

from demur.checks import names_shown
from demur.errors import InputError, shown
from demur.formats.paths import number_paths, path_reader
from demur.logs.readers import LogNotes
from demur.outcomes.values import plain_float
from demur.outcomes.written_confidences import written_confidence

NONE: Final = "none"

_WORDS: Final = re.compile(r"conf|cert|prob|p_true|sure", re.IGNORECASE)
_LOOKED_AT: Final = 20
_LISTED: Final = 3

Record = Mapping[str, Any]


def confidence_reader(
    reader: str,
    path: str,
    records: Iterable[Record],
    notes: LogNotes,
    within: Sequence[str] = (),
) -> tuple[Callable[[Record, str], float | None], Iterator[Record]]:
    """What takes the confidence out of a record of a log, and all its records.

    Parameters
    ----------
    reader : str
        What reads the log, for messages.
    path : str
        Where it stands; ``none`` to read none; empty to take the one number that is
        called confidence in the first records, if there is just one.
    records : iterable of mapping
        Of which the first are looked at. A path that none has is refused, if others may
        be meant.
    notes : LogNotes
        Takes what was found and taken, or only found.
    within : sequence of str
        The fields in which it is looked for, all if there is none.

    Examples
    --------
    >>> notes = LogNotes()
    >>> held = [{"item": 1, "metadata": {"confidence": 0.5}}]
    >>> confidence, records = confidence_reader("inspect", "", held, notes)
    >>> [confidence(record, "sample 1") for record in records], notes.chosen
    ([0.5], {'confidence': 'metadata.confidence'})
    """
    rows = iter(records)
    first = list(islice(rows, _LOOKED_AT))
    if not path:
        path = _found(reader, first, notes, within)
        if not path and not any(map(partial(_candidates, within=within), first)):
            rows = _without_confidence(rows, reader, within)
    read = None if path in ("", NONE) else path_reader(f"{reader}: confidence", path)
    met = read is None

    def confidence(record: Record, place: str) -> float | None:
        nonlocal met
        value = UNSET if read is None else read(record)
        met = met or value is not UNSET
        nothing = value is UNSET or value is None or value == "" or value != value
        return None if nothing else _number(value, path, place)

    def every() -> Iterator[Record]:
        yield from chain(first, rows)
        if first and not met:
            _say_absent(reader, path, first, notes, within)

    return confidence, every()


def _say_absent(
    reader: str,
    path: str,
    first: Sequence[Record],
    notes: LogNotes,
    within: Sequence[str],
) -> None:
    """Refuse a path that no record has, if others may be meant; else only say so."""
    there = _paths(first, within) or _paths(first, ())
    if there:
        need = "be the path to a number of the log"
        hint = f"Numbers that may be one: {names_shown(there)}."
        raise InputError(reader, "confidence", need, shown(path), hint)
    notes.add(f"nothing in the file has {path}, so no confidence is read of it")


def _paths(first: Sequence[Record], within: Sequence[str]) -> list[str]:
    listed = (path for record in first for path in _candidates(record, within))
    return list(dict.fromkeys(listed))


def _found(
    reader: str, first: list[Record], notes: LogNotes, within: Sequence[str]
) -> str:
    """The one path that is called confidence; others are only named."""
    paths = _paths(first, within)
    called = [path for path in paths if path.rpartition(".")[2].lower() == "confidence"]
    if len(called) == 1:
        notes.chosen["confidence"] = called[0]
        notes.add(f"confidence is {called[0]}")
        return called[0]
    if paths:
        listed = ", ".join(list(paths)[:_LISTED])
        notes.add(
            f"no confidence is read; numbers that may be one: {listed} "
            f"(--log '{reader}(confidence={next(iter(paths))})')"
        )
    return ""


def _candidates(record: Record, within: Sequence[str]) -> list[str]:
    """The paths to numbers that may be a confidence."""
    looked_at = {name: record.get(name) for name in within or record}
    return number_paths(looked_at, _WORDS)


def _without_confidence(
    rows: Iterator[Record], reader: str, within: Sequence[str]
) -> Iterator[Record]:
    """Records after those that hold no confidence; none of them may hold one."""
    for number, record in enumerate(rows, _LOOKED_AT + 1):
        paths = _candidates(record, within)
        if paths:
            need = "be named where the first records hold none"
            hint = f"Such as: --log '{reader}(confidence={paths[0]})', or none."
            got = f"{paths[0]} in record {number}"
            raise InputError(reader, "the confidence", need, got, hint)
        yield record


def _number(value: Any, path: str, place: str) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        with suppress(OverflowError):  # of whole numbers with hundreds of digits
            return float(value)
    if isinstance(value, str) and (number := plain_float(value)) is not None:
        return number
    written = written_confidence(value) if isinstance(value, str) else None
    if written is None:
        need = "be a number, or a text such as 0.9 or 90 %"
        raise InputError(place, path, need, shown(value))
    return written
