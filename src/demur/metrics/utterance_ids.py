"""Ids of utterances in text files, at the end of lines (trn) or in front (Kaldi)."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath
from typing import Final, NamedTuple

from demur.errors import InputError, shown

_END: Final = "end with"
_FRONT: Final = "begin with"
_LONG: Final = 6
"""Signs of an id without a hyphen, so that "2nd" and "mp3" are words."""
_COUNTED: Final = 3
"""Lines that are counted 1, 2, 3; of two, the numbers may be words."""
_LONGEST: Final = 20
"""Digits from which a number counts no lines."""
_COMMENT: Final = ";;"

_TABLES: Final = {".csv", ".tsv", ".jsonl"}
_CELLS: Final = re.compile(r"([^|,;]+)([|,;])\S")
"""An id with the next cell of a table behind it."""

_FIRST: Final = 20
"""Lines that are looked at first: where these have no ids, others are not read."""


@dataclass(frozen=True)
class Utterances:
    """Lines of text by the ids of their utterances.

    Parameters
    ----------
    form : {"end with", "begin with"}
        Where lines have their ids: as sclite writes them, or as Kaldi does.
    texts : dict of id to text
        In the order of the lines, without the ids.
    firm : bool
        Whether ids can hardly be words: `utt1` and `001` may be some.
    """

    form: str
    texts: dict[str, str]
    firm: bool = True


class _Line(NamedTuple):
    """A line that is not blank; "" if it has no id."""

    number: int
    name: str
    text: str
    firm: bool


def utterances_of(lines: Sequence[str]) -> Utterances | None:
    """Lines by their ids, if each that is not blank has one of its own; else None.

    An id at the end has a digit, or a sign such as ``-``, so that "(laughs)" is none;
    one in front a digit beside such a sign, or all are counted, such as utt1, utt2.
    Lines that begin with ``;;`` are comments.

    Examples
    --------
    >>> utterances_of(["the cat sat (spk1-001)", "(spk1-002)"]).texts
    {'spk1-001': 'the cat sat', 'spk1-002': ''}
    >>> utterances_of(["spk1-001 the cat sat", "spk1-002"]).form
    'begin with'
    >>> utterances_of(["the cat sat", "hello"]) is None
    True
    """
    for form, read in _FORMS.items():
        if not all(part.name for part in read(lines[:_FIRST])):
            continue
        parts = read(lines)
        texts = {part.name: part.text for part in parts}
        # The first word of a single line may be anything.
        fewest = 1 if form == _END else 2
        if fewest <= len(texts) == len(parts) and all(texts):
            return Utterances(form, texts, all(part.firm for part in parts))
    return None


def is_trn(lines: Sequence[str]) -> bool:
    """Whether the first lines end with ids, as sclite's trn files do.

    Examples
    --------
    >>> is_trn(["the cat sat (spk1-001)"]), is_trn(["spk1-001 a", "spk1-002 b"])
    (True, False)
    """
    read = utterances_of([line for _, line in islice(_written(lines), _FIRST)])
    return read is not None and read.form == _END


def check_texts(
    names: Sequence[str], files: Sequence[Sequence[str]], hint: str
) -> None:
    """Refuse files whose lines are rows of a table.

    They are known by their name, or by their first lines: objects of JSON, or ids with
    a sign and the next cell behind them, such as ``LJ001-0001|the cat``.

    Raises
    ------
    InputError
        If one is a table.

    Examples
    --------
    >>> check_texts(["a.txt"], [["u-1|hello", "u-2|yes"]], "")
    Traceback (most recent call last):
    ...
    demur.errors.InputError: a.txt:1: the lines must be texts; got cells parted by '|'.
    """
    for name, lines in zip(names, files, strict=True):
        written = [*islice(_written(lines), _FIRST)]
        got = _table_of(name, [line for _, line in written])
        if got:
            place = f"{name}:{written[0][0]}"
            raise InputError(place, "the lines", "be texts", got, hint)


def _table_of(name: str, lines: Sequence[str]) -> str:
    if not lines:
        return ""
    with suppress(ValueError, RecursionError):
        if isinstance(json.loads(lines[0]), dict):
            return "JSON"
    endings = [ending.lower() for ending in PurePath(name).suffixes[-2:]]
    if _TABLES & {*endings}:
        return f"a table ({next(one for one in endings if one in _TABLES)})"
    cells = [_CELLS.match(line) for line in lines]
    parting = {cell[2] for cell in cells if cell and _is_firm(cell[1])}
    if len(parting) == 1 and all(cell and _is_firm(cell[1]) for cell in cells):
        return f"cells parted by {shown(parting.pop())}"
    return ""


def places_of(name: str, lines: Sequence[str], *, blank: bool) -> list[str]:
    """Where utterances stand in a file; with blank lines, or without them.

    Examples
    --------
    >>> places_of("r.txt", [";; by hand", "hello", "", "yes"], blank=False)
    ['r.txt:2', 'r.txt:4']
    """
    return [
        f"{name}:{number}"
        for number, line in enumerate(lines, 1)
        if not line.startswith(_COMMENT) and (blank or line.strip())
    ]


def without_comments(lines: Sequence[str]) -> list[str]:
    """Lines but those that begin with ``;;``, as sclite leaves them out.

    Examples
    --------
    >>> without_comments([";; by hand", "hello"])
    ['hello']
    """
    return [line for line in lines if not line.startswith(_COMMENT)]


def _written(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith(_COMMENT):
            yield number, line.strip()


def _at_end(lines: Sequence[str]) -> list[_Line]:
    parts = []
    for number, line in _written(lines):
        text, bracket, rest = line.rpartition("(")
        name = rest.removesuffix(")").strip()
        signs = "-" in name or "_" in name or _has_digit(name)
        closed = bracket and rest.endswith(")")
        sound = signs and closed and len(name.split()) == 1
        parts.append(_Line(number, name if sound else "", text.strip(), firm=True))
    return parts


def _in_front(lines: Sequence[str]) -> list[_Line]:
    names = [*_first_words(lines)]
    firm = [_is_firm(name) for name in names]
    counted = not all(firm) and _are_counted(names)
    parts = []
    for (number, line), name, known in zip(_written(lines), names, firm, strict=True):
        text = line[len(name) :].lstrip()
        parts.append(_Line(number, name if known or counted else "", text, known))
    return parts


_FORMS: Final = {_END: _at_end, _FRONT: _in_front}


def _is_firm(name: str) -> bool:
    digits = _has_digit(name)
    long = len(name) >= _LONG and not name.isdigit()
    return digits and ("-" in name or "_" in name or long)


def _are_counted(names: Sequence[str]) -> bool:
    """Whether words are one name with numbers, or numbers that count the lines."""
    heads = {name.rstrip("0123456789") for name in names}
    tails = {_tail(name) for name in names}
    if len(heads) != 1 or not all(0 < len(tail) < _LONGEST for tail in tails):
        return False
    [head] = heads
    if head:
        return head.isalpha()
    numbers = sorted(map(int, tails))
    padded = any(tail[0] == "0" and len(tail) > 1 for tail in tails)
    if padded and len(set(map(len, tails))) == 1:
        return True
    counting = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    return counting and len(numbers) >= _COUNTED


def _tail(name: str) -> str:
    return name[len(name.rstrip("0123456789")) :]


def joined_utterances(
    names: Sequence[str], files: Sequence[Sequence[str]]
) -> tuple[list[str], list[list[str]]] | None:
    """Texts of several files joined by the ids in their lines.

    Parameters
    ----------
    names : sequence of str
        Of the files, for messages.
    files : sequence of sequence of str
        Their lines, the references first.

    Returns
    -------
    (ids, texts) or None
        Texts of each file in the order of the references; None if no file has ids, or
        only one what may be words.

    Raises
    ------
    InputError
        If an id stands twice, or one file has ids and another has none, or others.

    Examples
    --------
    >>> files = [["a (x-1)", "b (x-2)"], ["b (x-2)", "c (x-1)"]]
    >>> joined_utterances(["r.trn", "h.trn"], files)
    (['x-1', 'x-2'], [['a', 'b'], ['c', 'b']])
    """
    read = [utterances_of(lines) for lines in files]
    for name, lines, its in zip(names, files, read, strict=True):
        if its is None:
            _check_once(name, lines)
    known = [its for its in read if its is not None]
    if not known or not (len(known) == len(read) or any(its.firm for its in known)):
        return None
    leading = next((its for its in known if its.firm), known[0])
    first = names[read.index(leading)]
    for row, (name, its) in enumerate(zip(names, read, strict=True)):
        if its is None or its.form != leading.form:
            raise _without_ids(name, files[row], leading, first)
        _check_alike(name, its, first, leading)
    ids = list(known[0].texts)
    return ids, [[its.texts[key] for key in ids] for its in known]


def _without_ids(
    name: str, lines: Sequence[str], leading: Utterances, first: str
) -> InputError:
    """What is said of the first line without an id, or of a file that has none."""
    example = shown(next(iter(leading.texts)))
    hint = "Give all files with ids or none; a table with ref and hyp has none."
    parts = _FORMS[leading.form](lines)
    lacking = [part.number for part in parts if not part.name]
    if not 0 < len(lacking) < len(parts):
        need = f"{leading.form} ids, as those of {first} do ({example})"
        return InputError(name, "the lines", need, "lines without", hint)
    need = f"{leading.form} an id, as those of {first} do ({example})"
    got = shown(lines[lacking[0] - 1])
    return InputError(f"{name}:{lacking[0]}", "the line", need, got, hint)


def _check_once(name: str, lines: Sequence[str]) -> None:
    """Refuse an id that two lines have, where all lines have one that is no word."""
    for form, read in _FORMS.items():
        if not all(part.name for part in read(lines[:_FIRST])):
            continue
        parts = read(lines)
        first = {part.name: part.number for part in reversed(parts)}
        fewest = 1 if form == _END else 2
        if len(first) < fewest or not all(part.name and part.firm for part in parts):
            continue
        for part in parts:
            if first[part.name] != part.number:
                got = f"{shown(part.name)} again, first in line {first[part.name]}"
                hint = "Texts are joined by it; leave one of the lines out."
                place, what = f"{name}:{part.number}", "the id of an utterance"
                raise InputError(place, what, "stand in one line", got, hint)


def _first_words(lines: Sequence[str]) -> Iterator[str]:
    return (line.split(None, 1)[0] for _, line in _written(lines))


def _has_digit(word: str) -> bool:
    return any(sign.isdigit() for sign in word)


def _having(parts: Sequence[_Line]) -> list[_Line]:
    return [part for part in parts if part.name]


def _check_alike(name: str, its: Utterances, first: str, leading: Utterances) -> None:
    hint = "An utterance that was not recognised stands with its id alone."
    for lacking, those, other in (
        (name, leading.texts.keys() - its.texts.keys(), first),
        (first, its.texts.keys() - leading.texts.keys(), name),
    ):
        if those:
            need = f"be those of {other}"
            got = f"none for {shown(min(those))}"
            raise InputError(lacking, "the ids of the utterances", need, got, hint)


def doubtful_ids(names: Sequence[str], files: Sequence[Sequence[str]]) -> Iterator[str]:
    """What is said of files that `joined_utterances` does not join.

    Examples
    --------
    >>> print(*doubtful_ids(["r", "h"], [["1 a", "2 b"], ["2 b", "1 a"]]))
    all lines of r and h begin with the same words, such as '1': if they are ids, write
    them as utt-1, or cut them off; they count as words, and texts are joined by line
    """
    for name, lines in zip(names, files, strict=True):
        for form, read in _FORMS.items():
            having = _having(parts := read(lines[:_FIRST]))
            if len(parts) < 2 * len(having):
                having = _having(parts := read(lines))
            if len(parts) < 2 * len(having) > 2:
                example, many = shown(having[0].name), len(having)
                without = next((p.number for p in parts if not p.name), None)
                but = "" if without is None else f", line {without} with none"
                yield (
                    f"{many} of {len(parts)} lines of {name} {form} what looks like "
                    f"ids, such as {example}{but}: they count as words, and texts are "
                    "joined by line; give each line an id of its own, or none"
                )
                return
    for name, lines in zip(names, files, strict=True):
        ends = [_last_brackets(line) for line in lines if line.strip()]
        if name.lower().endswith(".trn") and ends and all(ends):
            yield (
                f"all lines of {name} end with {ends[0]}, which is no id: one has a "
                "digit, - or _, and no blank; they count as words, and texts are "
                "joined by line"
            )
            return
    if _begin_alike(files):
        first = next(_first_words(files[0]))
        yield (
            f"all lines of {' and '.join(names)} begin with the same words, such as "
            f"{shown(first)}: if they are ids, write them as utt-1, or cut them "
            "off; they count as words, and texts are joined by line"
        )


def _last_brackets(line: str) -> str:
    _, bracket, rest = line.rstrip().rpartition("(")
    return bracket + rest if rest.endswith(")") else ""


def _begin_alike(files: Sequence[Sequence[str]]) -> bool:
    """Whether lines begin with the same words, as words that were heard do not."""
    if len(files) < 2:
        return False
    leading = [*_first_words(files[0])]
    if len(set(leading)) != len(leading):
        return False
    others = [[*_first_words(lines)] for lines in files[1:]]
    if not leading or any(sorted(words) != sorted(leading) for words in others):
        return False
    if len(leading) == 1:
        return _is_firm(leading[0])
    moved = any(words != leading for words in others)
    return moved or all(map(_has_digit, leading))
