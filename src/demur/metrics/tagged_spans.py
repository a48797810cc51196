"""Spans of many sentences with tags, matched at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from demur.arrays import Flags, Floats, Positions
from demur.metrics.tag_schemes import SCHEMES, Scheme

Counts = tuple[Floats, dict[str, list[int]]]
"""Of each sentence strict, exact, partial and type matches, true and given spans; and
true, given and strictly right spans of each type."""


def tagged_counts(
    references: Sequence[Any], hypotheses: Sequence[Any], answered: Flags, scheme: str
) -> Counts | None:
    """Matches of sentences with tags; None if one has others, or is not sound.

    Spans of tags never overlap on one side, so that most are paired by where they
    begin.

    Examples
    --------
    >>> counts, types = tagged_counts(
    ...     ["B-x I-x O", "B-y"], ["B-x O O", None], np.array([True, False]), "iob")
    >>> counts[0].tolist(), types
    ([0.0, 0.0, 0.5, 1.0, 1.0, 1.0], {'x': [1, 1, 0], 'y': [1, 0, 0]})
    """
    true = _parted(references)
    if true is None:
        return None
    if not answered.all():
        pairs = zip(hypotheses, true, answered.tolist(), strict=True)
        hypotheses = [tags if heard else ["O"] * len(of) for tags, of, heard in pairs]
    given = _parted(hypotheses)
    if given is None or [*map(len, true)] != [*map(len, given)]:
        return None
    rules, tags = SCHEMES[scheme], _Codes()
    try:
        coded = [
            np.fromiter(map(tags.__getitem__, chain.from_iterable(side)), np.int64)
            for side in (true, given)
        ]
    except TypeError:  # a list or an object, which is no tag
        return None
    if not all(map(rules.is_sound, tags)):
        return None
    sizes = np.fromiter(map(len, true), np.int64)
    sentence = np.repeat(np.arange(len(sizes)), sizes)
    begins = np.append(True, sentence[1:] != sentence[:-1])[: len(sentence)]
    types = _Codes()
    first, second = (_spans([*tags], codes, begins, rules, types) for codes in coded)
    return _matched(first, second, sentence, len(sizes), [*types])


def _parted(sentences: Sequence[Any]) -> Sequence[Any] | None:
    """The tags of each sentence; None where one is neither a text nor a list."""
    kinds = set(map(type, sentences))
    if kinds <= {list, tuple}:
        return sentences
    if not kinds <= {list, tuple, str}:
        return None
    parted = [tags.split() if type(tags) is str else tags for tags in sentences]
    # A text without signs is a gap, and no sentence.
    gaps = (type(a) is str and not b for a, b in zip(sentences, parted, strict=True))
    return None if any(gaps) else parted


class _Codes(dict[Any, int]):
    """Numbers of what is looked up, by first appearance."""

    def __missing__(self, key: Any) -> int:
        self[key] = len(self)
        return self[key]


@dataclass(frozen=True, eq=False)
class _Spans:
    """Spans of one side, by places in all sentences one behind the other.

    Parameters
    ----------
    kind, start, end : array of int, shape (n_spans,)
        Number of the type; first word; word after the last.
    """

    kind: Positions
    start: Positions
    end: Positions

    def __getitem__(self, kept: Flags) -> "_Spans":
        return _Spans(self.kind[kept], self.start[kept], self.end[kept])


def _spans(
    tags: list[str], codes: Positions, begins: Flags, rules: Scheme, types: _Codes
) -> _Spans:
    """The spans of one side, from numbers of tags and whether a sentence begins."""
    marks = rules.marks
    pairs = [(a, b) for a in marks for b in marks]
    goes_on, whole = (
        np.array([test(a, b) for a, b in pairs]).reshape(len(marks), len(marks))
        for test in (lambda a, b: a + b in rules.goes_on, rules.is_whole)
    )
    mark = np.array([marks.index(tag[0]) for tag in tags], np.int64)[codes]
    kind = np.array([types[tag[2:]] for tag in tags], np.int64)[codes]
    same = ~begins
    same[1:] &= (kind[1:] == kind[:-1]) & goes_on[mark[:-1], mark[1:]]
    runs = mark != marks.index("O")
    last = runs.copy()
    last[:-1] &= ~same[1:]
    start, end = np.flatnonzero(runs & ~same), np.flatnonzero(last)
    kept = whole[mark[start], mark[end]]
    return _Spans(kind[start], start, end + 1)[kept]


def _matched(
    first: _Spans, second: _Spans, sentence: Positions, n: int, types: list[str]
) -> Counts:
    """Matches of both sides, in the rounds of `demur.span_scores`."""
    there = np.full(len(sentence), -1)
    there[second.start] = np.arange(len(second.start))
    partner = there[first.start]
    of_partner = second[partner] if len(second.start) else first[partner]
    same_words = (partner >= 0) & (of_partner.end == first.end)
    strict = same_words & (of_partner.kind == first.kind)
    free = np.ones(len(second.start), bool)
    free[partner[same_words]] = False
    left = first[~same_words]
    typed, halves = _overlapping(left, second[free])

    def of_sentences(start: Positions) -> Positions:
        return np.bincount(sentence[start], minlength=n)

    right = of_sentences(first.start[strict])
    exact = of_sentences(first.start[same_words])
    kinds = of_sentences(left.start[typed])
    half = (kinds + of_sentences(left.start[halves])) / 2
    sizes = of_sentences(first.start), of_sentences(second.start)
    counts = np.stack([right, exact, exact + half, right + kinds, *sizes], axis=1)
    of_types = (
        np.bincount(kind, minlength=len(types)).tolist()
        for kind in (first.kind, second.kind, first.kind[strict])
    )
    rows = zip(types, *of_types, strict=True)
    return counts, {name: [t, g, r] for name, t, g, r in rows if t or g}


def _overlapping(left: _Spans, right: _Spans) -> tuple[list[int], list[int]]:
    """Which left spans are paired with one of their type, and which with another."""
    low = np.searchsorted(right.end, left.start, "right")
    many = np.searchsorted(right.start, left.end, "left") - low
    meets = np.repeat(np.arange(len(many)), many)
    met = np.arange(len(meets)) + np.repeat(low + many - np.cumsum(many), many)
    same = left.kind[meets] == right.kind[met]
    free_left, free_right = [True] * len(left.start), [True] * len(right.start)
    paired: list[list[int]] = []
    for kept in (same, ~same):
        paired.append([])
        for a, b in zip(meets[kept].tolist(), met[kept].tolist(), strict=True):
            if free_left[a] and free_right[b]:
                free_left[a] = free_right[b] = False
                paired[-1].append(a)
    return paired[0], paired[1]
