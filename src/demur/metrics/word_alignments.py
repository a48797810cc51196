"""Words of two texts, aligned with the fewest errors."""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from demur.arrays import Positions
from demur.results.text import padded, width_of
from demur.spellings import composed, words


def _written(text: str) -> list[str]:
    return composed(text).split()


READINGS: Final[dict[str, Callable[[str], list[str]]]] = {
    "as-written": _written,
    "letters": words,
}
"""How texts become words: parted at spaces; or in small letters without signs but the
apostrophe."""


class LazyWords(Sequence[list[str]]):
    """Texts that are parted into words when these are asked for.

    Rows of ``known`` have these words.
    """

    def __init__(
        self,
        texts: Sequence[str],
        split: Callable[[str], list[str]],
        known: Mapping[int, list[str]] | None = None,
    ) -> None:
        self._texts, self._split, self._known = texts, split, known or {}

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, row: Any) -> Any:
        if row in self._known:
            return self._known[row]
        return self._split(self._texts[row])


def count_edits(pairs: Iterable[tuple[Sequence[Any], Sequence[Any]]]) -> Positions:
    """Substitutions, deletions and insertions of each pair, by the fewest errors.

    Parameters
    ----------
    pairs : iterable of (reference, hypothesis)
        Their words, or concepts.

    Returns
    -------
    array of int, shape (n_pairs, 4)
        The last column has how many the reference has.
    """
    from rapidfuzz.distance import Levenshtein

    edits = Levenshtein.editops
    counts = array("q")
    for reference, hypothesis in pairs:
        total = deleted = inserted = 0
        if reference != hypothesis:
            operations = edits(reference, hypothesis).as_list()
            total = len(operations)
            for tag, _, _ in operations:
                if tag == "delete":
                    deleted += 1
                elif tag == "insert":
                    inserted += 1
        changed = total - deleted - inserted
        counts.extend((changed, deleted, inserted, len(reference)))
    return np.array(counts, np.int64).reshape(-1, 4)


def steps_of(
    reference: Sequence[str], hypothesis: Sequence[str]
) -> list[tuple[str, str | None, str | None]]:
    """The alignment word by word: what was done, and the words on both sides.

    Examples
    --------
    >>> steps_of(["a", "b"], ["a", "c", "b"])
    [('equal', 'a', 'a'), ('insert', None, 'c'), ('equal', 'b', 'b')]
    """
    from rapidfuzz.distance import Levenshtein

    steps: list[tuple[str, str | None, str | None]] = []
    for step in Levenshtein.opcodes(reference, hypothesis):
        left: list[str | None] = [*reference[step.src_start : step.src_end]]
        right: list[str | None] = [*hypothesis[step.dest_start : step.dest_end]]
        width = max(len(left), len(right))
        left, right = left or [None] * width, right or [None] * width
        steps += [(step.tag, a, b) for a, b in zip(left, right, strict=True)]
    return steps


def alignment_text(
    reference: Sequence[str],
    hypothesis: Sequence[str],
    left_out: Sequence[tuple[int, str]] = (),
) -> str:
    """Three lines: the reference, the hypothesis, and S, D or I below each error.

    Optional words that were left out stand in brackets, and are no errors; each comes
    with how many words of the reference stand before it.

    Examples
    --------
    >>> print(alignment_text("the cat sat".split(), "the bat sat down".split()))
    reference   the cat sat ****
    hypothesis  the bat sat down
                    S       I
    >>> print(alignment_text(["I", "go"], ["I", "go"], [(1, "do")]))
    reference   I (do) go
    hypothesis  I **** go
    """
    signs = {"equal": "", "replace": "S", "delete": "D", "insert": "I"}
    steps = steps_of(reference, hypothesis)
    waiting, place = list(left_out)[::-1], 0
    columns = []
    for tag, left, right in [*steps, ("end", None, None)]:
        # In front of what is inserted there.
        while waiting and waiting[-1][0] == place:
            columns.append(_column(f"({waiting.pop()[1]})", None, ""))
        if tag != "end":
            columns.append(_column(left, right, signs[tag]))
            place += left is not None
    names = ("reference   ", "hypothesis  ", "            ")
    rows = zip(*columns, strict=True) if columns else [()] * 3
    return "\n".join(
        (name + " ".join(cells)).rstrip()
        for name, cells in zip(names, rows, strict=True)
    )


def _column(left: str | None, right: str | None, sign: str) -> list[str]:
    width = max(width_of(left or ""), width_of(right or ""), 1)
    words = [word if word is not None else "*" * width for word in (left, right)]
    return [padded(cell, width) for cell in (*words, sign)]
