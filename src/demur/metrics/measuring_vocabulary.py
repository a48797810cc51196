"""The verbs about words that are known: out of the vocabulary, and perplexity."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from demur import checks
from demur.arrays import Positions
from demur.errors import InputError, shown
from demur.metrics.alternatives import unread_note
from demur.metrics.word_alignments import READINGS, steps_of
from demur.outcomes.named_columns import NamedColumns, cluster_codes
from demur.results import (
    Column,
    Figure,
    FigureKind,
    Result,
    Table,
    count,
    exactly,
    with_noun,
)
from demur.results.text import interval_text
from demur.spellings import composed
from demur.statistics.ratios import Ends, ratio_interval
from demur.statistics.units import FEWEST_UNITS, too_few, unit_sums

"""An interval; None where there are too few independent units."""


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
    oov, oov_types : int
        Of these those that are not in the vocabulary.
    interval, missed_interval : (float, float) or None
        Of the rates of running words, over texts or clusters.
    level : float
        Of the intervals.
    recipe : mapping of str to str
        How the numbers came about.
    notes : tuple of str
        What a reader must know.
    """

    oov_rate: float
    oov_type_rate: float
    missed_rate: float | None
    words: int
    types: int
    oov: int = 0
    oov_types: int = 0
    interval: Ends = None
    missed_interval: Ends = None
    level: float = 0.95
    recipe: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    KINDS = (
        FigureKind("oov_rate", "the out-of-vocabulary rate of running words"),
        FigureKind("oov_type_rate", "the out-of-vocabulary rate of different words"),
        FigureKind("missed_rate", "the share of known words that were missed"),
        count("words", "running words"),
        count("types", "different words"),
        count("oov", "running words not in the vocabulary", better="lower"),
        count("oov_types", "different words not in the vocabulary", better="lower"),
    )

    def sentence(self) -> str:
        """The rate of running words, and how sure it is."""
        ends = interval_text(self.interval, self.level)
        words, types = with_noun(self.words, "word"), f"{self.types} different ones"
        start = (
            f"The out-of-vocabulary rate is {self.oov_rate:.3f}{ends}: {self.oov} of "
            f"{words}, and {self.oov_types} of {types}, are not in the vocabulary"
        )
        if self.missed_rate is None:
            return f"{start}."
        ends = interval_text(self.missed_interval, self.level)
        return f"{start}; of those that are, {self.missed_rate:.3f}{ends} were missed."

    def figures(self) -> Iterator[Figure]:
        """The rates with their intervals, and counts."""
        intervals = {"oov_rate": self.interval, "missed_rate": self.missed_interval}
        for figure in super().figures():
            ends = intervals.get(figure.called)
            if ends is None:
                yield figure
            else:
                name = f"{100 * self.level:g} % interval"
                yield replace(figure, low=ends[0], high=ends[1], interval=name)

    def tables(self) -> tuple[Table]:
        """Rates and counts in one row."""
        at = f"at {self.level:g}, over texts or clusters"
        columns = (
            Column(
                *("oov_rate", "OOV", "share"),
                "running words out of the vocabulary / words",
            ),
            Column("interval", "", "share", at),
            Column(
                *("oov_type_rate", "OOV types", "share"),
                "different words out of the vocabulary / different words",
            ),
            Column(
                *("missed_rate", "missed", "share"),
                "words in the vocabulary that were not recognised / those in it",
            ),
            Column("missed_interval", "interval", "share", at),
            Column("words", "", "count"),
            Column("oov", "OOV words", "count", "out of the vocabulary"),
            Column("types", "", "count", "different words"),
        )
        return (Table.of("", columns, [self]),)


@checks.by_name("vocabulary", "references", "hypotheses")
def out_of_vocabulary(
    vocabulary: Iterable[str],
    *,
    hypotheses: Sequence[str] | None = None,
    references: Sequence[str],
    cluster: Sequence[Any] | None = None,
    level: float = 0.95,
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
    cluster : sequence, optional
        The document or speaker of each text, over which intervals are.
    level : float
        Of the intervals.

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
    checks.check_level(where, level)
    split = READINGS["as-written"]
    spoken = [split(text) for text in references]
    sizes = np.array([len(words) for words in spoken], np.int64)
    if not sizes.sum():
        raise InputError(where, "the references", "hold words", "none")
    codes = None if cluster is None else _codes(where, cluster, len(spoken))
    oov = np.array([sum(word not in known for word in words) for words in spoken])
    inside = sizes - oov
    how: dict[str, Any] = {"cluster": codes, "level": level, "share": True}
    missed_rate = missed_interval = None
    if hypotheses is not None:
        heard = _heard(where, hypotheses, len(spoken))
        pairs = zip(spoken, map(split, heard), strict=True)
        missed = np.array([_missed(*pair, known) for pair in pairs])
        if inside.any():
            missed_rate = float(missed.sum() / inside.sum())
            missed_interval = ratio_interval(missed, inside, **how)
    types = {word for words in spoken for word in words}
    return OutOfVocabulary(
        oov_rate=float(oov.sum() / sizes.sum()),
        oov_type_rate=len(types - known) / len(types),
        missed_rate=missed_rate,
        words=int(sizes.sum()),
        types=len(types),
        oov=int(oov.sum()),
        oov_types=len(types - known),
        interval=ratio_interval(oov, sizes, **how),
        missed_interval=missed_interval,
        level=level,
        recipe={
            "measure": "out of vocabulary",
            "units": "texts" if codes is None else "clusters",
            "level": exactly(level),
            "n": str(len(spoken)),
        },
        notes=(*unread_note(references, ""), *_few(sizes, codes)),
    )


def _heard(where: str, hypotheses: Any, n_texts: int) -> list[str]:
    heard = list(checks.texts(where, "hypotheses", hypotheses))
    if len(heard) != n_texts:
        need = f"be as many as references, {n_texts}"
        raise InputError(where, "hypotheses", need, str(len(heard)))
    return heard


def _few(sizes: Positions, codes: Positions | None) -> Iterator[str]:
    """Why there is no interval."""
    n_units = int(np.count_nonzero(unit_sums(sizes.astype(float), codes)))
    if n_units < FEWEST_UNITS:
        yield f"no interval: {too_few(n_units, clustered=codes is not None)}"


def _missed(reference: Sequence[str], heard: Sequence[str], known: set[str]) -> int:
    """Known words of a reference that were not recognised."""
    return sum(
        tag != "equal" and word is not None and word in known
        for tag, word, _ in steps_of(reference, heard)
    )


def _codes(where: str, cluster: Any, n_texts: int) -> Positions | None:
    names = checks.listed(where, "cluster", cluster)
    if len(names) != n_texts:
        need = f"be as many as texts, {n_texts}"
        raise InputError(where, "cluster", need, str(len(names)))
    return cluster_codes(NamedColumns({"cluster": names}), "cluster")


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
