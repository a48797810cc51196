"""A model of n-grams: how probable each word is after those before it."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from demur import checks
from demur.errors import InputError, shown
from demur.formats.streams import MAX_SIZE, Source
from demur.metrics.ngrams.arpa import read_tables, write_tables
from demur.metrics.ngrams.counting import (
    END,
    START,
    Tokens,
    count_ngrams,
    numbered,
    vocabulary_of,
)
from demur.metrics.ngrams.smoothing import SMOOTHINGS
from demur.metrics.ngrams.tables import NgramTable, log10_of, smoothed_tables
from demur.metrics.word_alignments import READINGS
from demur.results import exactly


@dataclass(frozen=True, eq=False, repr=False)
class NgramModel:
    """How probable words are after those before them: `demur.ngram_model` makes one.

    Parameters
    ----------
    words : tuple of str
        Its vocabulary: unknown words, a sentence's start and end, then the words.
    tables : tuple of NgramTable
        From words alone to the longest n-grams.
    recipe : mapping of str to str
        How it came about.
    notes : tuple of str
        What a reader must know.
    """

    words: tuple[str, ...]
    tables: tuple[NgramTable, ...]
    recipe: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        how = self.recipe.get("smoothing", "unknown")
        return f"NgramModel(order={self.order}, {how}, words={len(self.words)})"

    @property
    def order(self) -> int:
        """Words of the longest n-grams."""
        return len(self.tables)

    @property
    def ngrams(self) -> tuple[int, ...]:
        """How many are listed, of each order."""
        return tuple(map(len, self.tables))

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words)}

    def probability(self, word: str, history: str = "") -> float:
        """How probable a word is after others; also ``</s>``, and ``<unk>``.

        Parameters
        ----------
        word : str
            One word; what is not in the vocabulary counts as ``<unk>``.
        history : str
            Words before it, parted at spaces; ``<s>`` is the start of a sentence.

        Returns
        -------
        float
            From 0 to 1; those of all words but ``<s>`` add up to 1.

        Examples
        --------
        >>> import demur
        >>> model = demur.ngram_model(
        ...     ["a b", "a c"], order=2, smoothing="maximum-likelihood")
        >>> model.probability("b", "a"), model.probability("a", "<s>")
        (0.5, 1.0)
        """
        number = self.numbers.get
        row = [number(text, 0) for text in (*history.split(), *word.split())]
        if len(word.split()) != 1:
            raise InputError("probability", "word", "be one word", shown(word))
        row = row[-self.order :]
        place = np.arange(len(row))
        tokens = Tokens(np.array(row, np.int64), place, np.zeros(len(row), np.int64))
        return float(10.0 ** log10_of(tokens, self.tables)[-1])

    def tokens_of(self, texts: Sequence[str]) -> Tokens:
        """Texts as numbers of words, each from its start to its end."""
        split = READINGS[self.recipe.get("reading", "as-written")]
        return numbered(map(split, texts), self.numbers)

    def write_arpa(self, path: str | os.PathLike[str]) -> None:
        r"""Write the model as an ARPA file, which KenLM, SRILM and others read.

        Logarithms have 9 digits, so that reading gives the same to one in a billion.
        A probability of 0 is written as -99.

        Parameters
        ----------
        path : str or path
            Compressed if it ends in .gz or .zst.

        Raises
        ------
        InputError
            If it cannot be written.

        Examples
        --------
        >>> import demur, pathlib, tempfile
        >>> model = demur.ngram_model(["a b"], order=1, smoothing="witten-bell")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "model.arpa")
        ...     model.write_arpa(path)
        ...     print(path.read_text().replace("\t", " "))
        \data\
        ngram 1=5
        <BLANKLINE>
        \1-grams:
        -0.903089987 <unk>
        -99 <s>
        -0.535113202 </s>
        ...
        """
        checks.path("write_arpa", path)
        write_tables(path, self.words, self.tables)


def refuse_marks(where: str, texts: Sequence[str]) -> None:
    """Refuse texts that hold the names of what every model has.

    Raises
    ------
    InputError
        With the row of the first one.

    Examples
    --------
    >>> refuse_marks("ngram_model", ["a b", "a < b"])
    """
    for row, text in enumerate(texts):
        if "<" in text and (marks := set(text.split()) & {START, END}):
            hint = "Each text is a sentence, and gets its start and end by itself."
            need, got = f"hold no {START} and {END}", shown(min(marks))
            raise InputError(where, f"row {row} of the texts", need, got, hint)


MOST_WORDS = 5
"""Of the longest n-grams that are counted."""


def ngram_model(
    texts: Sequence[str],
    *,
    order: int = 3,
    smoothing: str = "kneser-ney",
    add: float = 1.0,
    reading: str = "as-written",
) -> NgramModel:
    """A model of the n-grams of texts.

    Each text is a sentence, with a start and an end of its own. The vocabulary are its
    words, the end of a sentence, and ``<unk>`` for all other words.

    Parameters
    ----------
    texts : sequence of str
        To learn from.
    order : int
        Words of the longest n-grams, from 1 to 5.
    smoothing : str
        ``kneser-ney`` (interpolated and modified, as KenLM has it), ``katz`` (backed
        off, with Good and Turing's discounts and the defaults of SRILM),
        ``witten-bell`` and ``absolute`` (interpolated), ``add-k``,
        ``maximum-likelihood`` (none: what was not seen has probability 0).
    add : float
        What ``add-k`` adds to each count: 1 is Laplace's, less is Lidstone's.
    reading : {"as-written", "letters"}
        How texts become words, as for `word_errors`.

    Returns
    -------
    NgramModel

    Raises
    ------
    InputError
        If there are no texts, or an argument is not what it must be.

    References
    ----------
    Chen and Goodman (1998), An empirical study of smoothing techniques for language
    modeling. Heafield et al. (2013), Scalable modified Kneser-Ney language model
    estimation. The manual page ngram-discount(7) of SRILM.

    Examples
    --------
    Jurafsky and Martin, Speech and Language Processing, section 3.1:

    >>> import demur
    >>> model = demur.ngram_model(
    ...     ["I am Sam", "Sam I am", "I do not like green eggs and ham"],
    ...     order=2, smoothing="maximum-likelihood")
    >>> round(model.probability("I", "<s>"), 2), model.probability("Sam", "am")
    (0.67, 0.5)
    """
    where = "ngram_model"
    texts = checks.texts(where, "texts", texts)
    checks.whole(where, "order", order, 1)
    if order > MOST_WORDS:
        raise InputError(where, "order", f"be at most {MOST_WORDS}", shown(order))
    checks.choice(where, "smoothing", smoothing, SMOOTHINGS)
    checks.choice(where, "reading", reading, READINGS)
    checks.number(where, "add", add, 0)
    if not add > 0:
        hint = "Without any addition it is maximum-likelihood."
        raise InputError(where, "add", "be above 0", shown(add), hint)
    if not texts:
        raise InputError(where, "the texts", "hold at least one", "none")
    refuse_marks(where, texts)
    sentences = [*map(READINGS[reading], texts)]
    words = vocabulary_of(sentences)
    orders = count_ngrams(numbered(sentences, words), order, len(words))
    smoothed = SMOOTHINGS[smoothing](orders, add)
    recipe = {"smoothing": smoothing, "order": str(order), "reading": reading}
    if smoothing == "add-k":
        recipe["add"] = exactly(add)
    recipe["trained on"] = str(len(texts))
    tables = smoothed_tables(orders, smoothed)
    return NgramModel(tuple(words), tables, recipe, smoothed.notes)


def read_arpa(path: Source, *, max_size: int = MAX_SIZE) -> NgramModel:
    r"""Read a model of n-grams from an ARPA file.

    Parameters
    ----------
    path : path, "-" for the standard input, or binary file
        As KenLM, SRILM and `NgramModel.write_arpa` write them; perhaps compressed.
    max_size : int
        As for `read_outcomes`.

    Returns
    -------
    NgramModel

    Raises
    ------
    InputError
        With file and line: if counts are not those of the sections, a number is none, a
        probability is above 1, a section is unknown or missing, or an n-gram begins
        with words that are not listed.

    References
    ----------
    The manual page ngram-format(5) of SRILM.

    Examples
    --------
    >>> import demur, io
    >>> model = demur.read_arpa(io.BytesIO(
    ...     b"\\data\\\nngram 1=3\n\n\\1-grams:\n-99 <s>\n-0.30103 </s>\n-0.30103 a\n\n"
    ...     b"\\end\\\n"))
    >>> round(model.probability("a"), 4)
    0.5
    """
    words, tables = read_tables(path, max_size=max_size)
    recipe = {"smoothing": "of a file", "order": str(len(tables))}
    return NgramModel(words, tables, recipe)
