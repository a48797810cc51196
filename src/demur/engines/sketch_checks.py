"""What the lines of a sketch must hold, told by file and line where they do not."""

import codecs
import gzip
import itertools
import json
import math
import re
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from demur.curves.blocks import AMOUNTS, Blocks
from demur.curves.counted import CountedPart
from demur.curves.counting import Totals
from demur.engines.item_hashes import FIELDS, LENGTH, SAMPLED
from demur.errors import ParseError, shown
from demur.formats.json_lines import SKETCH
from demur.outcomes.fields import OUTCOMES

FORMAT, VERSION = "demur-sketch", 1
MOST: Final = 2**62
"""Counts and amounts are below this, so that sums of two fit 64 bits."""

MOST_LINE: Final = 1 << 22
"""Bytes of one line."""

MOST_BLOCK: Final = 1 << 10
"""Bytes of the line of a block, which holds numbers only."""

GROUP_LINES: Final = 1 << 12
"""So many lines of blocks are parsed together."""

AGAIN: Final = "Write the sketch again with demur sketch."


_START: Final = SKETCH.decode()
_WRAPPED: Final = {
    "compressed": gzip.compress(b"")[:2],
    "UTF-8 behind a byte-order mark": codecs.BOM_UTF8,
    "UTF-16": codecs.BOM_UTF16_LE,
}
"""How else a file may begin behind which there is a sketch, as nobody wrote it."""


def is_sketch(source: object) -> bool:
    """Whether a file begins as a sketch does, also if something has wrapped it since.

    Examples
    --------
    >>> is_sketch("no/such/file")
    False
    """
    if not isinstance(source, (str, Path)):
        return False
    try:
        if not Path(source).is_file():
            return False
        with Path(source).open("rb") as file:
            begins = file.read(4 * len(_START))
            if begins.startswith(_WRAPPED["compressed"]):
                file.seek(0)
                begins = gzip.GzipFile(fileobj=file).read(len(_START))
    except (OSError, EOFError, ValueError, zlib.error):
        return False
    encoding = "utf-16" if begins.startswith(codecs.BOM_UTF16_LE) else "utf-8-sig"
    return begins.decode(encoding, "ignore").startswith(_START)


def check_plain(place: "SketchPlace", begins: bytes) -> None:
    """Raise `ParseError` if a file is wrapped in something that a sketch is not."""
    for how, sign in _WRAPPED.items():
        if begins.startswith(sign):
            hint = "Unpack it, or copy it again as it was written."
            raise place.error("the sketch", "be plain text", how, hint)


@dataclass
class SketchPlace:
    """Where a reader stands in a file.

    Parameters
    ----------
    path : str
        Of the file.
    line : int
        The last that was read, from 1 on.
    """

    path: str
    line: int = 0

    def error(self, what: str, need: str, got: str, hint: str = AGAIN) -> ParseError:
        """What is wrong there, on one line."""
        return ParseError(f"{self.path}:{self.line}", what, need, got, hint)


def parsed(place: SketchPlace, line: bytes) -> Any:
    """The value of a line of JSON, without what JSON does not have."""
    try:
        return json.loads(
            line, parse_constant=_no_constant, object_pairs_hook=_each_key_once
        )
    except _NotPlain as problem:
        raise place.error("the line", "be JSON", str(problem)) from None
    except RecursionError:
        raise place.error("the line", "be JSON", "lists in lists") from None
    except ValueError:  # bytes that are no UTF-8, and numbers too long, among them
        got = shown(line[:80].decode("utf-8", "replace").rstrip())
        raise place.error("the line", "be JSON", got) from None


class _NotPlain(ValueError):
    """What Python's reader takes, but JSON has not, or not in one way only."""


def _no_constant(name: str) -> None:
    raise _NotPlain(name)


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise _NotPlain(f"the key {shown(twice)} twice")
    return table


# -- tables ----------------------------------------------------------------------------


class KeyKind(NamedTuple):
    """What a key may hold: in words, as a test, and as what it is read."""

    need: str
    holds: Callable[[Any], Any]
    made: Callable[[Any], Any] = lambda value: value


def _is_text(value: Any) -> bool:
    """Whether it is a text that can be written in UTF-8."""
    if not isinstance(value, str):
        return False
    return value.isascii() or not _SURROGATE.search(value)


_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < MOST


def _is_unit(value: Any) -> bool:
    return isinstance(value, str) and bool(_UNIT.fullmatch(value))


_UNIT: Final = re.compile("[1-9][0-9]{0,999}(/[1-9][0-9]{0,999})?")
"""A fraction above 0; without exponents, which could make it any size."""


def _is_number(value: Any) -> bool:
    """Whether it is a number that fits in a double, or an infinity as a text."""
    if value in ("inf", "-inf"):
        return True
    return type(value) in (int, float) and abs(value) <= sys.float_info.max


def _are(*tests: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A list whose values hold in turn, or all of them if there is one test."""

    def holds(value: Any) -> bool:
        if not isinstance(value, list) or (len(tests) > 1 and len(value) != len(tests)):
            return False
        each_test = tests if len(tests) > 1 else tests * len(value)
        return all(test(one) for test, one in zip(each_test, value, strict=True))

    return holds


def _names(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    def holds(value: Any) -> bool:
        return isinstance(value, dict) and all(map(test, value.values()))

    return holds


def _are_different(test: Callable[[Any], Any]) -> Callable[[Any], bool]:
    """A list of texts of a kind, each once."""

    def hold(value: Any) -> bool:
        return _are(_is_text)(value) and _each_once(value) and all(map(test, value))

    return hold


def _each_once(values: Sequence[str]) -> bool:
    return len({*values}) == len(values)


def _are_hashes(value: Any) -> bool:
    if not _are_different(_HASH.fullmatch)(value):
        return False
    return len(value) <= SAMPLED and value == sorted(value)


_HASH: Final = re.compile(f"[0-9a-f]{{{LENGTH}}}")
_DIGEST: Final = re.compile("[0-9a-f]{32}")


def _are_cuts(value: Any) -> bool:
    """Cuts that rise, and whose widths are powers of two that their ends can bear."""
    if not _are(_are(_is_number, _is_number, _is_number))(value):
        return False
    cuts = [tuple(map(float, cut)) for cut in value]
    widths_fit = all(
        low < high
        and (width in (0, math.inf) or _is_width(width, max(abs(low), abs(high))))
        for low, high, width in cuts
    )
    return widths_fit and all(a[1] <= b[0] for a, b in itertools.pairwise(cuts))


def _is_width(width: float, farthest: float) -> bool:
    power_of_two = width > 0 and math.frexp(width)[0] == 1 / 2
    return power_of_two and farthest < width * 2.0**64


def _are_item_kinds(value: Any) -> bool:
    flag = (0, 1).__contains__
    one = _are(range(len(OUTCOMES)).__contains__, flag, flag, flag, _is_count)
    if not value or not _are(_are(_is_count))(value) or not _are(one)(value):
        return False
    kinds = [kind for *kind, _ in value]
    return all(a < b for a, b in itertools.pairwise(kinds))


_TEXTS: Final = KeyKind("be a list of texts", _are(_is_text), tuple)
_COUNT: Final = KeyKind("be a whole number from 0 to below 2**62", _is_count)
_SOME: Final = KeyKind(
    "be a whole number from 1 to below 2**62", lambda value: _is_count(value) and value
)

_TABLES: Final[Mapping[str, Mapping[str, KeyKind]]] = {
    "head": {
        FORMAT: KeyKind(
            f"be {VERSION}", lambda value: type(value) is int and value == VERSION
        ),
        "demur": _TEXTS,
        "by": KeyKind(
            "be a list of columns, each once, without system",
            _are_different(lambda name: name != "system"),
            tuple,
        ),
        "fields": KeyKind(
            f"be a list of some of {', '.join(FIELDS)}",
            _are_different(FIELDS.__contains__),
            tuple,
        ),
        "data": KeyKind(
            "be a list of different hashes of 32 digits, at least one",
            lambda value: value and _are_different(_DIGEST.fullmatch)(value),
            tuple,
        ),
        "hashes": KeyKind(
            f"be at most {SAMPLED} different hashes of {LENGTH} digits, rising",
            _are_hashes,
            tuple,
        ),
        "recipe": KeyKind("be texts by name", _names(_is_text)),
        "cuts": KeyKind(
            "be a list of rising ends with a width, a power of two",
            _are_cuts,
            lambda value: tuple(tuple(map(float, cut)) for cut in value),
        ),
        **dict.fromkeys(("items", "parts"), _SOME),
        "least_count": _COUNT,
    },
    "part": {
        "system": KeyKind("be a text of whole characters", _is_text),
        "group": KeyKind("be texts by name", _names(_is_text)),
        "unit": KeyKind("be a fraction above 0 as a text", _is_unit),
        "totals": KeyKind("be counts by name", _names(_is_count)),
        "declined": KeyKind("be three counts", _are(*3 * (_is_count,)), tuple),
        **dict.fromkeys(
            ("confident",),
            KeyKind("be true or false", lambda value: isinstance(value, bool)),
        ),
        "clusters": KeyKind(
            "be null or a whole number from 1 to below 2**62",
            lambda value: value is None or _SOME.holds(value),
        ),
        "became": KeyKind(
            "be lists of an outcome from 0 to 3, three flags and a count, rising",
            _are_item_kinds,
        ),
        "kinds": KeyKind("be counts by name", _names(_is_count)),
        **dict.fromkeys(("failed", "partial", "blocks"), _COUNT),
    },
    "totals": {field.name: _COUNT for field in fields(Totals)},
    "end": {"end": _COUNT},
}
"""What each line that is no block holds, by key."""


def checked(place: SketchPlace, name: str, value: Any) -> dict[str, Any]:
    """The values of a table, each checked and made.

    Raises
    ------
    ParseError
        If a key is absent, not known, or holds something else.
    """
    kinds = _TABLES[name]
    if not isinstance(value, dict) or (name == "head" and FORMAT not in value):
        what = "the line" if name != "head" else "the content"
        need = f"be the {name} of a sketch of demur"
        raise place.error(what, need, shown(value))
    if name == "head" and not kinds[FORMAT].holds(value[FORMAT]):
        hint = "Another version of demur has written it: write it again with this one."
        raise place.error(FORMAT, kinds[FORMAT].need, shown(value[FORMAT]), hint)
    for key in (*kinds, *value):
        if (key in value) != (key in kinds):
            need = "be there" if key in kinds else "not be there"
            got = "nothing" if key in kinds else shown(value[key])
            raise place.error(f"the key {shown(key)}", need, got)
    for key, kind in kinds.items():
        if not kind.holds(value[key]):
            raise place.error(key, kind.need, shown(value[key]))
    return {key: kind.made(value[key]) for key, kind in kinds.items()}


# -- blocks ----------------------------------------------------------------------------

_COLUMNS: Final = 2 + len(AMOUNTS)


def checked_blocks(
    place: SketchPlace, first: int, lines: Sequence[bytes], before: Blocks
) -> Blocks:
    """Blocks from lines, in order and possible each by itself.

    Parameters
    ----------
    place : SketchPlace
        Of the last of the lines.
    first : int
        The number of the first of them.
    lines : sequence of bytes
        As they stand in the file.
    before : Blocks
        Some that stand above, the last of them right above; or none.
    """
    rows = [
        _row(SketchPlace(place.path, first + at), line) for at, line in enumerate(lines)
    ]
    ends = np.array([row[:2] for row in rows], np.float64).reshape(-1, 2) + 0.0
    amounts = np.array([row[2:] for row in rows], np.int64).reshape(-1, len(AMOUNTS))
    blocks = Blocks(ends[:, 0].copy(), ends[:, 1].copy(), amounts)
    for need, holds in _faults(blocks, before):
        if not holds.all():
            row = int(np.argmin(holds))
            where = SketchPlace(place.path, first + row)
            raise where.error("the block", need, shown(rows[row]))
    return blocks


def _row(place: SketchPlace, line: bytes) -> list[Any]:
    row = parsed(place, line)
    if not isinstance(row, list) or len(row) != _COLUMNS:
        need = f"be a block: {_COLUMNS} numbers in a list"
        raise place.error("the line", need, shown(row))
    if not (_is_number(row[0]) and _is_number(row[1])):
        raise place.error("the ends of a block", "be numbers", shown(row[:2]))
    if not all(map(_is_count, row[2:])):
        need = "be whole numbers from 0 to below 2**62"
        raise place.error("the counts of a block", need, shown(row[2:]))
    return row


def _faults(blocks: Blocks, before: Blocks) -> list[tuple[str, Any]]:
    """What must hold of blocks, and of which it does."""
    right, wrong, ungraded, partial, weight, loss, unclear, hopeless = blocks.amounts.T
    single = blocks.single
    above = np.concatenate(([-np.inf], before.high, blocks.high))[-len(single) - 1 : -1]
    alone = np.concatenate(([False], before.single, single))[-len(single) - 1 : -1]
    rising = np.where(alone, blocks.low > above, blocks.low >= above)
    return [
        ("begin at or below its end", blocks.low <= blocks.high),
        ("lie above the one before", rising),
        ("hold a guess", right + wrong + ungraded > 0),
        ("have no more partial than right answers", partial <= right),
        ("lose no more than its guesses weigh", loss + unclear <= weight),
        ("have no more hopeless weight than its guesses weigh", hopeless <= weight),
        ("weigh something", weight > 0),
        ("lose nothing without an error", (loss == 0) | (wrong + partial > 0)),
        ("be unclear by ungraded guesses", (unclear > 0) == (ungraded > 0)),
    ]


def check_together(
    place: SketchPlace, part: CountedPart, clusters: int | None, blocks: Blocks
) -> None:
    """Raise unless a part's totals, own decisions and blocks fit together."""
    total = part.totals
    guesses = total.right + total.wrong + total.ungraded
    loss, unclear, withheld = part.declined
    known = part.confident and guesses > 0
    sums = dict(zip(AMOUNTS, map(_exact_sum, blocks.amounts.T), strict=True))
    wanted = {
        "right": total.right,
        "wrong": total.wrong,
        "ungraded": total.ungraded,
        "partial": part.partial,
        "weight": total.weight - total.no_guess,
        "loss": total.loss,
        "unclear": total.unclear,
    }
    for name, amount in wanted.items():
        if sums[name] != (amount if known else 0):
            got, need = f"{sums[name]}", f"be {amount if known else 0} in all blocks"
            raise place.error(f"{name} of {shown(part.system)}", need, got)
    parts = total.credit + total.loss + total.unclear + total.no_guess
    fitting = {
        "items": total.items == guesses + total.unanswered and total.items > 0,
        "weight": total.weight == parts and total.weight > 0,
        "no_guess_unanswerable": total.no_guess_unanswerable <= total.no_guess,
        "partial": part.partial <= total.right,
        "failed": part.failed <= total.items,
        "became": _outcomes_of(part)
        == [total.right, total.wrong, total.unanswered, total.ungraded],
        "clusters": (clusters or 0) <= total.items,
        "kinds": sum(part.kinds.values()) <= total.items,
        "declined": loss <= total.loss
        and unclear <= total.unclear
        and total.no_guess <= withheld <= total.weight,
    }
    for name, fits in fitting.items():
        if not fits:
            need = "fit the other totals"
            raise place.error(f"{name} of {shown(part.system)}", need, "other counts")


def _outcomes_of(part: CountedPart) -> list[int]:
    """How many items have each outcome, by what became of them."""
    became = part.became
    return [
        _exact_sum(became.times[became.outcome == outcome])
        for outcome in range(len(OUTCOMES))
    ]


def check_head(place: SketchPlace, head: Mapping[str, Any]) -> None:
    """Raise unless there is a hash of each item, or of as many as are kept."""
    wanted, got = min(head["items"], SAMPLED), len(head["hashes"])
    if got not in (0, wanted):
        need = f"be {wanted}, or none"
        raise place.error("the hashes of items", need, str(got))


def check_least(place: SketchPlace, least: int, first: int, blocks: Blocks) -> None:
    """Raise unless each block from a line on has as many guesses as promised."""
    few = blocks.guesses < least
    if few.any():
        row = int(np.argmax(few))
        where = SketchPlace(place.path, first + row)
        need = f"hold at least {least} guesses, as the head says"
        raise where.error("the block", need, str(int(blocks.guesses[row])))


def _exact_sum(amounts: Any) -> int:
    """Sums that 64 bits may not hold."""
    return sum(amounts.tolist())
