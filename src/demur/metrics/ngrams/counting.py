"""N-grams of sentences, counted order by order."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from demur.arrays import Flags, Positions

UNKNOWN: Final = "<unk>"
START: Final = "<s>"
END: Final = "</s>"
MARKS: Final = (UNKNOWN, START, END)
"""What is in every vocabulary, by number: any other word, a sentence's start, its end.

The start is never predicted."""

_UNKNOWN, _START, _END = range(len(MARKS))


@dataclass(frozen=True, eq=False)
class Tokens:
    """Sentences one behind the other, each from its start to its end.

    Parameters
    ----------
    word : array of int, shape (n_tokens,)
        Numbers of words.
    before : array of int, shape (n_tokens,)
        Tokens of the same sentence before each; 0 for its start.
    sentence : array of int, shape (n_tokens,)
        Which one, from 0.
    """

    word: Positions
    before: Positions
    sentence: Positions


def numbered(sentences: Iterable[Sequence[str]], known: Mapping[str, int]) -> Tokens:
    """Sentences as numbers of their words.

    Examples
    --------
    >>> numbered([["a", "b"], []], {"a": 3}).word.tolist()
    [1, 3, 0, 2, 1, 2]
    """
    words: list[int] = []
    lengths: list[int] = []
    for sentence in sentences:
        words.append(_START)
        words.extend(known.get(word, _UNKNOWN) for word in sentence)
        words.append(_END)
        lengths.append(len(sentence) + 2)
    length = np.array(lengths, np.int64)
    first = np.cumsum(length) - length
    before = np.arange(len(words)) - np.repeat(first, length)
    sentence_of = np.repeat(np.arange(len(lengths)), length)
    return Tokens(np.array(words, np.int64), before, sentence_of)


@dataclass(frozen=True, eq=False)
class CountedOrder:
    """The n-grams of one order, in the order of their contexts and words.

    Parameters
    ----------
    context : array of int, shape (n_ngrams,)
        Row of all words but the last among the n-grams one shorter; 0 for words alone.
    word : array of int, shape (n_ngrams,)
        The last word.
    suffix : array of int, shape (n_ngrams,)
        Row of all words but the first among the n-grams one shorter.
    count : array of int, shape (n_ngrams,)
        How often each stands there; 0 for the start of a sentence alone.
    initial : array of bool, shape (n_ngrams,)
        Whether it begins with the start of a sentence.
    n_contexts : int
        N-grams one shorter; 1 for words alone.
    """

    context: Positions
    word: Positions
    suffix: Positions
    count: Positions
    initial: Flags
    n_contexts: int

    def __len__(self) -> int:
        return len(self.word)


def vocabulary_of(sentences: Iterable[Sequence[str]]) -> dict[str, int]:
    """Numbers of words, as they are met; first the marks.

    Examples
    --------
    >>> vocabulary_of([["b", "a"], ["b"]])
    {'<unk>': 0, '<s>': 1, '</s>': 2, 'b': 3, 'a': 4}
    """
    words = dict.fromkeys(MARKS)
    for sentence in sentences:
        words.update(dict.fromkeys(sentence))
    return {word: number for number, word in enumerate(words)}


def count_ngrams(tokens: Tokens, order: int, n_words: int) -> list[CountedOrder]:
    """The n-grams of each order up to one.

    Parameters
    ----------
    tokens : Tokens
        Of training.
    order : int
        Words of the longest n-grams.
    n_words : int
        Of the vocabulary.

    Examples
    --------
    >>> one, two = count_ngrams(numbered([["a", "a"]], {"a": 3}), 2, 4)
    >>> one.count.tolist(), list(zip(two.context.tolist(), two.word.tolist()))
    ([0, 0, 1, 2], [(1, 3), (3, 2), (3, 3)])
    """
    word, before = tokens.word, tokens.before
    all_words = np.arange(n_words)
    counts = np.bincount(word, minlength=n_words)
    counts[_START] = 0
    none, first = np.zeros(n_words, np.int64), all_words == _START
    orders = [CountedOrder(none, all_words, none, counts, first, 1)]
    row = word  # of the n-gram that ends at each token
    for length in range(2, order + 1):
        ends = np.flatnonzero(before >= length - 1)
        keys = row[ends - 1] * n_words + word[ends]
        unique, met, inverse = np.unique(keys, return_index=True, return_inverse=True)
        at = ends[met]
        orders.append(
            CountedOrder(
                context=unique // n_words,
                word=unique % n_words,
                suffix=row[at],
                count=np.bincount(inverse, minlength=len(unique)),
                initial=before[at] == length - 1,
                n_contexts=len(orders[-1]),
            )
        )
        row = np.full(len(word), -1)
        row[ends] = inverse
    return orders


def continuations(orders: Sequence[CountedOrder]) -> list[Positions]:
    """Counts as Kneser and Ney adjust them: of shorter n-grams, what precedes them.

    The longest n-grams, and those from the start of a sentence, which nothing precedes,
    keep their counts.
    """
    adjusted = []
    for shorter, longer in pairwise(orders):
        preceding = np.bincount(longer.suffix, minlength=len(shorter))
        adjusted.append(np.where(shorter.initial, shorter.count, preceding))
    return [*adjusted, orders[-1].count]
