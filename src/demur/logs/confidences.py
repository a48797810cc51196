"""Where the confidence stands in a log that has no fixed place for it."""

import math
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
LOGPROBS: Final = "logprobs"
PRODUCT: Final = "the product of the probabilities of the answer's tokens"
"""What a confidence is that is called `LOGPROBS`."""

_WORDS: Final = re.compile(r"conf|cert|prob|p_true|sure", re.IGNORECASE)
_LOOKED_AT: Final = 20
_LISTED: Final = 3
Record = Mapping[str, Any]


def product_of(log_probabilities: Iterable[float]) -> float:
    """The product of the probabilities of tokens, by their logarithms.

    Examples
    --------
    >>> product_of([-0.5, -0.25]) == math.exp(-0.75)
    True
    """
    return math.exp(min(0.0, math.fsum(log_probabilities)))


def _none(_: Record) -> None:
    """No record has tokens."""


def _any(_: Record) -> bool:
    """Every record may have a confidence."""
    return True


def confidence_reader(
    reader: str,
    path: str,
    records: Iterable[Record],
    notes: LogNotes,
    within: Sequence[str] = (),
    *,
    tokens: Callable[[Record], float | None] = _none,
    answered: Callable[[Record], bool] = _any,
) -> tuple[Callable[[Record, str], float | None], Iterator[Record]]:
    """What takes the confidence out of a record of a log, and all its records.

    Parameters
    ----------
    reader : str
        What reads the log, for messages.
    path : str
        Where it stands; ``none`` to read none; ``logprobs`` for what ``tokens`` makes;
        empty to take the one number that is called confidence in the first records, if
        there is just one.
    records : iterable of mapping
        Of which the first are looked at. A path that none has is refused, if others may
        be meant.
    notes : LogNotes
        Takes what was found and taken, or only found.
    within : sequence of str
        The fields in which it is looked for, all if there is none.
    tokens : callable
        From a record to the product of the probabilities of the tokens of its answer,
        None where the log does not have them; by default no record has any.
    answered : callable
        Whether a record may have a confidence.

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
    candidates = partial(_candidates, within=within, tokens=tokens)
    if not path:
        path = _found(reader, first, notes, candidates)
        if not path and not any(map(candidates, first)):
            rows = _without_confidence(rows, reader, notes, within, tokens)
    read = _reading(reader, path, tokens)
    such = f"Such as: --log '{reader}(confidence={LOGPROBS})', {PRODUCT}."
    such = such if tokens is not _none else ""
    met = held = path in ("", NONE)

    def confidence(record: Record, place: str) -> float | None:
        nonlocal met, held
        value = read(record)
        met = met or value is not UNSET
        nothing = value is UNSET or value is None or value == "" or value != value
        number = None if nothing else _number(value, path, place, such)
        held = held or number is not None
        return number

    def every() -> Iterator[Record]:
        could = False
        for record in chain(first, rows):
            could = could or answered(record)
            yield record
        if could and not held:
            there = _listed(first, candidates) or _listed(first, _candidates)
            _say_absent(reader, path, [] if met else there, notes)

    return confidence, every()


def proposed_confidence(
    first: Sequence[Record],
    within: Sequence[str] = (),
    tokens: Callable[[Record], float | None] = _none,
) -> str:
    """The path that a reader would propose; empty if it takes one itself, or none.

    Examples
    --------
    >>> proposed_confidence([{"p_true": 0.5}]), proposed_confidence([{"confidence": 1}])
    ('p_true', '')
    """
    paths = _listed(first, partial(_candidates, within=within, tokens=tokens))
    return "" if len(_called(paths)) == 1 else next(iter(paths), "")


def _called(paths: Sequence[str]) -> list[str]:
    return [path for path in paths if path.rpartition(".")[2].lower() == "confidence"]


def _reading(
    reader: str, path: str, tokens: Callable[[Record], float | None]
) -> Callable[[Record], Any]:
    """What takes out of a record what stands at a path; `UNSET` where nothing does."""
    if path in ("", NONE):
        return lambda _: UNSET
    if path != LOGPROBS or tokens is _none:
        return path_reader(f"{reader}: confidence", path)

    def read(record: Record) -> Any:
        number = tokens(record)
        return UNSET if number is None else number

    return read


def absent(path: str) -> str:
    """The note on a path at which nothing stands."""
    return f"nothing in the file has {path}, so no confidence is read of it"


def _say_absent(reader: str, path: str, there: Sequence[str], notes: LogNotes) -> None:
    """Refuse a path that no record has, if others may be meant; else only say so."""
    if there:
        need = "be the path to a number of the log"
        hint = f"Numbers that may be one: {names_shown(there)}."
        raise InputError(reader, "confidence", need, shown(path), hint)
    notes.add(absent(path))


def _listed(
    first: Sequence[Record], candidates: Callable[[Record], list[str]]
) -> list[str]:
    return list(dict.fromkeys(chain.from_iterable(map(candidates, first))))


def _found(
    reader: str,
    first: list[Record],
    notes: LogNotes,
    candidates: Callable[[Record], list[str]],
) -> str:
    """The one path that is called confidence; others are only named."""
    paths = _listed(first, candidates)
    called = _called(paths)
    if len(called) == 1:
        notes.chosen["confidence"] = called[0]
        notes.add(f"confidence is {called[0]}")
        return called[0]
    if paths:
        notes.add(_may_be(reader, paths))
    return ""


def _candidates(
    record: Record,
    within: Sequence[str] = (),
    tokens: Callable[[Record], float | None] = _none,
) -> list[str]:
    """The paths to numbers that may be a confidence."""
    looked_at = {name: record.get(name) for name in within or record}
    of_tokens = [LOGPROBS] if tokens(record) is not None else []
    return number_paths(looked_at, _WORDS) + of_tokens


def _without_confidence(
    rows: Iterator[Record],
    reader: str,
    notes: LogNotes,
    within: Sequence[str],
    tokens: Callable[[Record], float | None],
) -> Iterator[Record]:
    """Records after those that hold no confidence; none of them may hold one."""
    for number, record in enumerate(rows, _LOOKED_AT + 1):
        paths = _candidates(record, within)
        if paths:
            need = "be named where the first records hold none"
            hint = f"Such as: --log '{reader}(confidence={paths[0]})', or none."
            got = f"{paths[0]} in record {number}"
            raise InputError(reader, "the confidence", need, got, hint)
        if tokens(record) is not None:
            notes.add(_may_be(reader, [LOGPROBS]))
        yield record


def _may_be(reader: str, paths: Sequence[str]) -> str:
    listed = [*paths[:_LISTED]]
    if LOGPROBS in paths and LOGPROBS not in listed:
        listed[-1] = LOGPROBS
    words = (f"{path}, {PRODUCT}" if path == LOGPROBS else path for path in listed)
    return (
        f"no confidence is read; numbers that may be one: {', '.join(words)} "
        f"(--log '{reader}(confidence={paths[0]})')"
    )


def _number(value: Any, path: str, place: str, of_lists: str) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        with suppress(OverflowError):  # of whole numbers with hundreds of digits
            return float(value)
    if isinstance(value, str) and (number := plain_float(value)) is not None:
        return number
    written = written_confidence(value) if isinstance(value, str) else None
    if written is None:
        need = "be a number, or a text such as 0.9 or 90 %"
        hint = of_lists if isinstance(value, (list, dict)) else ""
        raise InputError(place, path, need, shown(value), hint)
    return written
