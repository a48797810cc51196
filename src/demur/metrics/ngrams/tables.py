"""Tables of n-grams with their probabilities, and how words are looked up in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from demur.arrays import Floats, Positions
from demur.metrics.ngrams.counting import CountedOrder, Tokens
from demur.metrics.ngrams.smoothing import Smoothed


@dataclass(frozen=True, eq=False)
class NgramTable:
    """The n-grams of one order that a model lists, by context and word.

    Parameters
    ----------
    context : array of int, shape (n_ngrams,)
        Row of all words but the last in the table one shorter; 0 for words alone.
    word : array of int, shape (n_ngrams,)
        The last word. Words alone stand in the order of their numbers.
    log10 : array of float, shape (n_ngrams,)
        Logarithms of their probabilities to base 10; -inf for 0.
    backoff : array of float, shape (n_ngrams,)
        Of the weight that each has as a context, for words not listed after it.
    """

    context: Positions
    word: Positions
    log10: Floats
    backoff: Floats

    def __len__(self) -> int:
        return len(self.word)

    def rows_of(self, context: Positions, word: Positions, n_words: int) -> Positions:
        """Rows of n-grams; -1 for what is not listed."""
        if not len(self):
            return np.full(len(word), -1)
        keys = self.context * n_words + self.word
        wanted = context * n_words + word
        row = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where((context >= 0) & (keys[row] == wanted), row, -1)


def log10_of(tokens: Tokens, tables: Sequence[NgramTable]) -> Floats:
    """Logarithms of probabilities to base 10, of each token after those before.

    Parameters
    ----------
    tokens : Tokens
        Numbers of words.
    tables : sequence of NgramTable
        From words alone to the longest n-grams.

    Returns
    -------
    array of float, shape (n_tokens,)
        -inf where it is 0, as at the start of a sentence.
    """
    word, n_words = tokens.word, len(tables[0])
    row, log10 = word, tables[0].log10[word]
    for length, (shorter, table) in enumerate(pairwise(tables), 1):
        # Rows of contexts; -1 where a sentence is too short, or none is listed.
        context = np.concatenate([[-1], row[:-1]])
        context[tokens.before < length] = -1
        if len(shorter):
            log10 = np.where(context >= 0, log10 + shorter.backoff[context], log10)
        row = table.rows_of(context, word, n_words)
        if len(table):
            log10 = np.where(row >= 0, table.log10[row], log10)
    return log10


def smoothed_tables(
    orders: Sequence[CountedOrder], smoothed: Smoothed
) -> tuple[NgramTable, ...]:
    """Tables of what a smoothing lists."""
    tables = []
    new_row: Any = np.zeros(1, np.int64)
    weights = [*smoothed.weights, None]
    parts = zip(orders, smoothed.probabilities, weights, smoothed.listed, strict=True)
    for order, probability, weight, listed in parts:
        backoff = np.ones(len(order)) if weight is None else weight
        tables.append(
            NgramTable(
                new_row[order.context[listed]],
                order.word[listed],
                logarithms(probability[listed]),
                logarithms(backoff[listed]),
            )
        )
        new_row = np.cumsum(listed) - 1
    return tuple(tables)


def logarithms(values: Floats) -> Floats:
    """Logarithms to base 10; -inf of 0."""
    with np.errstate(divide="ignore"):
        return np.log10(values)
