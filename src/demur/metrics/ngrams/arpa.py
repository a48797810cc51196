r"""ARPA files: n-grams with logarithms of probabilities and back-off weights.

::

    \data\
    ngram 1=3

    \1-grams:
    -0.3    word    -0.1

    \end\

Logarithms are to base 10; a back-off weight that is not there is 0. -99 and below, as
of ``<s>``, which is never predicted, stand for a probability of 0.
"""

import math
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from itertools import islice, repeat
from pathlib import Path
from typing import Any, Final, NoReturn

import numpy as np

from demur.arrays import Floats
from demur.errors import InputError, shown
from demur.files import new_file
from demur.formats.compression import PACKERS
from demur.formats.streams import MAX_SIZE, Source, opened
from demur.metrics.ngrams.counting import END, MARKS, START, UNKNOWN
from demur.metrics.ngrams.tables import NgramTable
from demur.spellings import composed

_DATA: Final = "\\data\\"
_END: Final = "\\end\\"
_COUNT: Final = re.compile(r"ngram\s+(\d+)\s*=\s*(\d+)")
_SECTION: Final = re.compile(r"\\(\d+)-grams:")
_DIGITS: Final = 9
_ZERO: Final = -99.0
_UNKNOWN_NAMES: Final = (UNKNOWN, UNKNOWN.upper())

# -- reading ---------------------------------------------------------------------------


def read_tables(
    source: Source, *, max_size: int = MAX_SIZE
) -> tuple[tuple[str, ...], tuple[NgramTable, ...]]:
    """Words and tables of an ARPA file: see `demur.read_arpa`."""
    with opened(source, max_size) as stream:
        lines = stream.whole().decode().split("\n")
    return _ArpaLines(stream.name, lines).read()


class _ArpaLines:
    """The lines of a file, taken one after the other."""

    def __init__(self, name: str, lines: list[str]) -> None:
        self.name, self.lines, self.at = name, lines, 0

    def read(self) -> tuple[tuple[str, ...], tuple[NgramTable, ...]]:
        """All that the file holds."""
        counts = self._counts()
        words: dict[str, int] = {}
        tables: list[NgramTable] = []
        rows: dict[tuple[str, ...], int] = {}
        for order, count in enumerate(counts, 1):
            self._heading(order)
            listed = [*self._entries(order, count)]
            if order == 1:
                words, table = self._words(listed)
                rows = {(word,): number for word, number in words.items()}
            else:
                table, rows = self._ngrams(listed, words, rows)
            tables.append(table)
        self._end(len(counts))
        return tuple(words), tuple(tables)

    def _fail(self, what: str, need: str, got: str, hint: str = "") -> NoReturn:
        line = min(self.at + 1, max(len(self.lines), 1))
        raise InputError(f"{self.name}:{line}", what, need, got, hint)

    def _line(self) -> str | None:
        """The next line that is not blank, not yet taken; None at the end."""
        while self.at < len(self.lines):
            text = self.lines[self.at].strip()
            if text:
                return text
            self.at += 1
        return None

    def _counts(self) -> list[int]:
        start = next((n for n, t in enumerate(self.lines) if t.strip() == _DATA), None)
        if start is None:
            hint = "ARPA files begin like that; binary models of KenLM are no such."
            self._fail("the file", f"have a line {_DATA}", "none", hint)
        self.at = start + 1
        counts: list[int] = []
        while (text := self._line()) is not None and not text.startswith("\\"):
            match = _COUNT.fullmatch(text)
            if match is None:
                self._fail("a count", "be as ngram 1=100", shown(text))
            if int(match[1]) != len(counts) + 1:
                need = f"be of {len(counts) + 1}-grams"
                self._fail("the next count", need, f"of {match[1]}-grams")
            counts.append(int(match[2]))
            self.at += 1
        if not counts:
            self._fail("the file", "say how many n-grams it has", "nothing of it")
        return counts

    def _heading(self, order: int) -> None:
        text, need = self._line(), f"be \\{order}-grams:"
        if text is None:
            self._fail("the next section", need, "the end of the file", _TRUNCATED)
        match = _SECTION.fullmatch(text)
        if match is None or int(match[1]) != order:
            self._fail("the next section", need, shown(text))
        self.at += 1

    def _entries(
        self, order: int, count: int
    ) -> Iterator[tuple[float, tuple[str, ...], float, int]]:
        """Logarithm, words, back-off weight and number of the line of each."""
        many = 0
        while (text := self._line()) is not None and not (
            text.startswith("\\") and (text == _END or _SECTION.fullmatch(text))
        ):
            parts = composed(text).split()
            if len(parts) not in (order + 1, order + 2):
                need = f"have a logarithm, {order} words and maybe a back-off weight"
                self._fail("the entry", need, shown(text))
            if many == count:
                need = f"have the {count} entries that {_DATA} says"
                self._fail(f"the section \\{order}-grams:", need, "more")
            log10 = self._number(parts[0], "the logarithm of a probability")
            if log10 > 0:
                need = "be 0 or below"
                self._fail("the logarithm of a probability", need, shown(parts[0]))
            last = parts[order + 1 :]
            weight = self._number(last[0], "the back-off weight") if last else 0.0
            many += 1
            self.at += 1
            yield log10, tuple(parts[1 : order + 1]), weight, self.at
        if many < count:
            need = f"have the {count} entries that {_DATA} says"
            hint = _TRUNCATED if text is None else ""
            self._fail(f"the section \\{order}-grams:", need, str(many), hint)

    def _number(self, text: str, what: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if math.isnan(value) or value == math.inf:
            self._fail(what, "be a number", shown(text))
        return -math.inf if value <= _ZERO else value

    def _words(self, listed: Sequence[Any]) -> tuple[dict[str, int], NgramTable]:
        words = dict.fromkeys(MARKS)
        lines: dict[str, int] = {}
        for _, (text,), _, line in listed:
            word = UNKNOWN if text in _UNKNOWN_NAMES else text
            self._once(word, lines, line)
            words[word] = None
        if END not in lines:
            self._fail("the words", f"hold {END}, the end of a sentence", "none")
        numbers = {word: number for number, word in enumerate(words)}
        log10, weight = np.full(len(words), -np.inf), np.zeros(len(words))
        for log, (text,), backoff, _ in listed:
            row = numbers[UNKNOWN if text in _UNKNOWN_NAMES else text]
            log10[row], weight[row] = log, backoff
        log10[numbers[START]] = -np.inf  # whatever the file says: it is not predicted
        none = np.zeros(len(words), np.int64)
        return numbers, NgramTable(none, np.arange(len(words)), log10, weight)

    def _once(self, key: Any, lines: dict[Any, int], line: int) -> None:
        if key in lines:
            self.at = line - 1
            name = key if isinstance(key, str) else " ".join(key)
            got = f"{shown(name)} again, first in line {lines[key]}"
            self._fail("an n-gram", "stand there once", got)
        lines[key] = line

    def _ngrams(
        self,
        listed: Sequence[Any],
        words: dict[str, int],
        rows: dict[tuple[str, ...], int],
    ) -> tuple[NgramTable, dict[tuple[str, ...], int]]:
        lines: dict[tuple[str, ...], int] = {}
        context, last = [], []
        names = []
        for _, texts, _, line in listed:
            name = tuple(UNKNOWN if t in _UNKNOWN_NAMES else t for t in texts)
            self._once(name, lines, line)
            row, number = rows.get(name[:-1]), words.get(name[-1])
            if row is None or number is None:
                self.at = line - 1
                part = " ".join(name[:-1] if row is None else name[-1:])
                what = f"{shown(part)}, which the n-gram holds,"
                self._fail(what, "be listed among shorter ones", "no such")
            context.append(row)
            last.append(number)
            names.append(name)
        contexts, numbers = np.array(context, np.int64), np.array(last, np.int64)
        by_key = np.lexsort((numbers, contexts))
        log10 = np.array([entry[0] for entry in listed], float)
        weight = np.array([entry[2] for entry in listed], float)
        table = NgramTable(
            contexts[by_key], numbers[by_key], log10[by_key], weight[by_key]
        )
        return table, {names[old]: new for new, old in enumerate(by_key.tolist())}

    def _end(self, orders: int) -> None:
        text = self._line()
        if text is None:
            self._fail("the file", f"end with {_END}", "no such line", _TRUNCATED)
        if text != _END:
            need = f"be {_END} after {orders}-grams"
            self._fail("the next section", need, shown(text))


_TRUNCATED: Final = "The file is cut off."

# -- writing ---------------------------------------------------------------------------


def write_tables(
    path: str | os.PathLike[str], words: Sequence[str], tables: Sequence[NgramTable]
) -> None:
    """Write a model: see `NgramModel.write_arpa`."""
    packed = PACKERS.get(Path(path).suffix, nullcontext)
    with new_file(path) as file, packed(file) as inner:
        inner.writelines(map(str.encode, _lines(words, tables)))


def _lines(words: Sequence[str], tables: Sequence[NgramTable]) -> Iterator[str]:
    # A model that does not know unknown words has none in its file.
    unknown = bool(tables[0].log10[0] > -np.inf)
    yield f"{_DATA}\n"
    for order, table in enumerate(tables, 1):
        yield f"ngram {order}={len(table) - (order == 1 and not unknown)}\n"
    names: list[str] = []
    for order, table in enumerate(tables, 1):
        yield f"\n\\{order}-grams:\n"
        last = [words[number] for number in table.word.tolist()]
        contexts = table.context.tolist()
        before = (f"{names[row]} " for row in contexts) if names else repeat("")
        names = [f"{first}{word}" for first, word in zip(before, last, strict=False)]
        longest = order == len(tables)
        weights = repeat("") if longest else _weights(table.backoff)
        entries = zip(_texts(table.log10), names, weights, strict=False)
        skipped = int(order == 1 and not unknown)
        for log10, name, weight in islice(entries, skipped, None):
            yield f"{log10}\t{name}{weight}\n"
    yield f"\n{_END}\n"


def _texts(logs: Floats) -> list[str]:
    return [f"{max(log, _ZERO):.{_DIGITS}g}" for log in logs.tolist()]


def _weights(backoff: Floats) -> list[str]:
    """Weights behind a tab; none where it is 1."""
    texts = zip(backoff.tolist(), _texts(backoff), strict=True)
    return [f"\t{text}" if weight else "" for weight, text in texts]
