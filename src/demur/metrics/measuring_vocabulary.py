"""The verbs about words that are known: out of the vocabulary, and perplexity."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from demur import checks
from demur.errors import InputError, shown
from demur.metrics.word_alignments import READINGS, steps_of
from demur.results import FigureKind, Result, count
from demur.spellings import composed


@dataclass(frozen=True, eq=False, repr=False)
class OutOfVocabulary(Result):
    """Words that a recogniser cannot know, and words that it knows and misses.

    Parameters
    ----------
    oov_rate, oov_type_rate : float
        Running words, and different words, of the references that are not in the
        vocabulary / all.
    missed_rate : float or None
        Words in the vocabulary that were not recognised / words in the vocabulary:
        what Porzel and Malaka (2004) call OOV. None without hypotheses.
    words, types : int
        Running words, and different words, of the references.
    """

    oov_rate: float
    oov_type_rate: float
    missed_rate: float | None
    words: int
    types: int

    KINDS = (
        FigureKind("oov_rate", "the out-of-vocabulary rate of running words"),
        FigureKind("oov_type_rate", "the out-of-vocabulary rate of different words"),
        FigureKind("missed_rate", "the share of known words that were missed"),
        count("words", "running words"),
        count("types", "different words"),
    )


@checks.by_name("vocabulary", "references", "hypotheses")
def out_of_vocabulary(
    vocabulary: Iterable[str],
    *,
    hypotheses: Sequence[str] | None = None,
    references: Sequence[str],
) -> OutOfVocabulary:
    """Both meanings of out of vocabulary: not known, and known but not recognised.

    Parameters
    ----------
    vocabulary : iterable of str
        Words that the recogniser knows.
    hypotheses : sequence of str, optional
        For words that are known and missed.
    references : sequence of str
        Texts, parted at spaces.

    Returns
    -------
    OutOfVocabulary

    Raises
    ------
    InputError
        If the references hold no words.

    Examples
    --------
    >>> import demur
    >>> found = demur.out_of_vocabulary(
    ...     ["a", "b", "c"], hypotheses=["a c z a"], references=["a b z a q"])
    >>> found.oov_rate, found.oov_type_rate, round(found.missed_rate, 3)
    (0.4, 0.5, 0.333)
    """
    where = "out_of_vocabulary"
    known = set(map(composed, checks.texts(where, "vocabulary", vocabulary)))
    references = checks.texts(where, "references", references)
    if hypotheses is not None:
        hypotheses = checks.texts(where, "hypotheses", hypotheses)
    split = READINGS["as-written"]
    first = [split(text) for text in references]
    words = [word for text in first for word in text]
    if not words:
        raise InputError(where, "the references", "hold words", "none")
    missed = None
    if hypotheses is not None:
        second = [split(text) for text in hypotheses]
        if len(second) != len(first):
            need = f"be as many as references, {len(first)}"
            raise InputError(where, "hypotheses", need, str(len(second)))
        inside = [
            tag != "equal"
            for a, b in zip(first, second, strict=True)
            for tag, word, _ in steps_of(a, b)
            if word is not None and word in known
        ]
        missed = sum(inside) / len(inside) if inside else None
    types = set(words)
    return OutOfVocabulary(
        oov_rate=sum(word not in known for word in words) / len(words),
        oov_type_rate=len(types - known) / len(types),
        missed_rate=missed,
        words=len(words),
        types=len(types),
    )


def perplexity(log_probabilities: Sequence[float], *, base: float = math.e) -> float:
    """Two to the mean bits of the words, from their logarithms of probabilities.

    Parameters
    ----------
    log_probabilities : sequence of float
        Of each word given those before it; 0 or below.
    base : float
        Of the logarithms: e (the default), 2 or 10.

    Returns
    -------
    float
        As if each word were one of so many that are equally likely.

    Raises
    ------
    InputError
        If there are none, or one is above 0.

    References
    ----------
    Porzel and Malaka (2004), section 3.

    Examples
    --------
    >>> import demur, math
    >>> round(demur.perplexity([math.log(p) for p in (0.5, 0.25, 0.125, 0.125)]), 4)
    4.7568
    """
    given = checks.numbers("perplexity", "log_probabilities", log_probabilities)
    checks.number("perplexity", "base", base)
    logs = np.asarray(given, float)
    if not len(logs) or not (logs <= 0).all():
        need = "be at least one number, 0 or below"
        hint, got = "Logarithms of probabilities, not the probabilities.", given[:3]
        raise InputError(
            "perplexity", "log_probabilities", need, shown(list(got)), hint
        )
    if not base > 1:
        raise InputError("perplexity", "base", "be above 1", shown(base))
    return float(base ** -logs.mean())
