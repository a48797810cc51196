"""The verb about how well a model of n-grams foretells texts: their perplexity."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from demur import checks
from demur.arrays import Floats, Positions
from demur.errors import InputError, shown
from demur.metrics.ngrams.models import NgramModel, refuse_marks
from demur.metrics.ngrams.tables import log10_of
from demur.outcomes.gaps import is_gap
from demur.outcomes.named_columns import codes_of
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
from demur.spellings import unspaced
from demur.statistics.ratios import Ends, ratio_interval
from demur.statistics.units import FEWEST_UNITS, too_few

"""An interval; None where there are too few independent units."""

_MOST_BITS: Final = 1023.0
"""Two to more bits is no number."""
_BITS: Final = math.log2(10)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TextPerplexity(Result):
    """How well a model of n-grams foretells texts; lower is better.

    Parameters
    ----------
    perplexity : float
        Two to the bits of each token, over all tokens: KenLM's "including OOVs".
    interval : (float, float) or None
        Over texts, or clusters; None if there are fewer than five.
    perplexity_known : float
        Without words that are not in the vocabulary: KenLM's "excluding OOVs", and
        SRILM's ppl.
    interval_known : (float, float) or None
        Of that.
    perplexity_per_word : float or None
        The bits of known tokens for each known word, ends of sentences not counted:
        SRILM's ppl1. None without such words.
    bits_per_token : float
        The logarithm of ``perplexity`` to base 2.
    oov_rate : float or None
        Words that are not in the vocabulary / words. None without words.
    texts, tokens, words, oov : int
        Texts; words and ends of texts; words; words not in the vocabulary.
    impossible : int
        Known tokens to which the model gives probability 0.
    level : float
        Of the intervals.
    recipe : mapping of str to str
        How the numbers came about.
    notes : tuple of str
        What a reader must know.
    bits, lengths : array, shape (n_texts,)
        Bits and tokens of each text.
    """

    KINDS = (
        *(
            FigureKind(name, title, "number", least=1.0, most=math.inf)
            for name, title in (
                ("perplexity", "the perplexity"),
                ("perplexity_known", "the perplexity of known words"),
                ("perplexity_per_word", "the perplexity per known word"),
            )
        ),
        FigureKind("bits_per_token", "bits per token", "bits", most=math.inf),
        FigureKind("oov_rate", "the out-of-vocabulary rate of running words"),
        count("texts", "texts"),
        count("tokens", "words and ends of texts"),
        count("words", "words"),
        count("oov", "words not in the vocabulary", better="lower"),
        count("impossible", "known words of probability 0", better="lower"),
    )

    perplexity: float
    interval: Ends
    perplexity_known: float
    interval_known: Ends
    perplexity_per_word: float | None
    bits_per_token: float
    oov_rate: float | None
    texts: int
    tokens: int
    words: int
    oov: int
    impossible: int
    level: float
    recipe: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    bits: Any = field(repr=False, compare=False)
    lengths: Any = field(repr=False, compare=False)

    def sentence(self) -> str:
        """The perplexity, of how much, and without unknown words."""
        ends = interval_text(self.interval, self.level)
        start = f"The perplexity is {self.perplexity:.4g}{ends}"
        tokens = with_noun(self.tokens, "token")
        how_many = f"{tokens}, {self.texts} of them ends of texts"
        if not self.oov:
            return f"{start}: {how_many}; all words are in the vocabulary."
        unknown, are = with_noun(self.oov, "word"), "is" if self.oov == 1 else "are"
        known = f"{self.perplexity_known:.4g} without the {unknown} that {are} not"
        return f"{start}: {how_many}; {known} in the vocabulary."

    def figures(self) -> Iterator[Figure]:
        """The perplexities with their intervals, and counts."""
        intervals = {
            "perplexity": self.interval,
            "perplexity_known": self.interval_known,
        }
        for figure in super().figures():
            ends = intervals.get(figure.called)
            if ends is None:
                yield figure
            else:
                name = f"{100 * self.level:g} % interval"
                yield replace(figure, low=ends[0], high=ends[1], interval=name)

    def tables(self) -> tuple[Table]:
        """Perplexities and counts in one row."""
        at = f"at {self.level:g}, over texts or clusters"
        columns = (
            Column("perplexity", "", "number", "of all tokens (KenLM: including OOVs)"),
            Column("interval", "", "number", at),
            Column(
                *("perplexity_known", "known", "number"),
                "without words out of the vocabulary (KenLM: excluding; SRILM: ppl)",
            ),
            Column("interval_known", "interval", "number", at),
            Column(
                *("perplexity_per_word", "per word", "number"),
                "of known tokens, ends of texts not counted (SRILM: ppl1)",
            ),
            Column("bits_per_token", "bits", "number", "per token, over all tokens"),
            Column("oov_rate", "OOV", "share", "words out of the vocabulary / words"),
            Column("texts", "", "count"),
            Column("tokens", "", "count", "words, and an end of each text"),
            Column("words", "", "count"),
            Column("oov", "OOV words", "count", "out of the vocabulary"),
        )
        return (Table.of("", columns, [self]),)


def text_perplexity(
    texts: Sequence[str],
    model: NgramModel,
    *,
    cluster: Sequence[Any] | None = None,
    level: float = 0.95,
) -> TextPerplexity:
    """The perplexity of texts by a model of n-grams, and words that it does not know.

    Each text is a sentence; its end is foretold, and counts as a token. A word that is
    not in the vocabulary has the probability of ``<unk>``, with which it also stands
    before others.

    Parameters
    ----------
    texts : sequence of str
        Not those that the model was trained on.
    model : NgramModel
        Of `ngram_model`, or of an ARPA file (`read_arpa`).
    cluster : sequence, optional
        The document or speaker of each text, over which intervals are.
    level : float
        Of the intervals.

    Returns
    -------
    TextPerplexity

    Raises
    ------
    InputError
        If there are no texts, or an argument is not what it must be.

    References
    ----------
    Porzel and Malaka (2004), section 3. The programs query of KenLM, and ngram(1) of
    SRILM, for what is counted.

    Examples
    --------
    >>> import demur
    >>> model = demur.ngram_model(
    ...     ["the cat sat", "the dog sat", "a cat ran"],
    ...     order=2, smoothing="witten-bell")
    >>> found = demur.text_perplexity(["the cat ran", "a bird sat"], model)
    >>> round(found.perplexity, 2), round(found.perplexity_known, 2), found.oov
    (3.96, 2.81, 1)
    """
    where = "text_perplexity"
    texts = checks.texts(where, "texts", texts)
    checks.of_kind(where, "model", model, NgramModel)
    checks.check_level(where, level)
    if not texts:
        raise InputError(where, "the texts", "hold at least one", "none")
    refuse_marks(where, texts)
    codes = None if cluster is None else _codes(where, cluster, len(texts))
    counted = _counted(texts, model)
    words, oov = counted["words"], counted["oov"]
    units = len(texts) if codes is None else int(codes.max()) + 1
    few = too_few(units, clustered=codes is not None) if units < FEWEST_UNITS else ""
    per_token, known = _bits(*counted["all"]), counted["known"]
    known_bits = float(known[0].sum())
    return TextPerplexity(
        perplexity=_power(per_token),
        interval=_ends(counted["all"], codes, level),
        perplexity_known=_power(_bits(*known)),
        interval_known=_ends(known, codes, level),
        perplexity_per_word=_power(known_bits / (words - oov)) if words > oov else None,
        bits_per_token=per_token,
        oov_rate=oov / words if words else None,
        texts=len(texts),
        tokens=words + len(texts),
        words=words,
        oov=oov,
        impossible=counted["impossible"],
        level=level,
        recipe={
            "measure": "perplexity",
            **model.recipe,
            "units": "texts" if codes is None else "clusters",
            "level": exactly(level),
            "n": str(len(texts)),
        },
        notes=tuple(_notes(model, texts, oov, counted["impossible"], few)),
        bits=counted["all"][0],
        lengths=counted["all"][1].astype(np.int64),
    )


def _counted(texts: Sequence[str], model: NgramModel) -> dict[str, Any]:
    """Bits and tokens of each text, of all and of known tokens; and how many words."""
    tokens = model.tokens_of(texts)
    log10 = log10_of(tokens, model.tables)
    foretold, unknown = tokens.before > 0, tokens.word == 0
    bits, known = np.where(foretold, -_BITS * log10, 0.0), foretold & ~unknown
    rows = tokens.sentence
    return {
        "all": (np.bincount(rows, bits), np.bincount(rows, foretold)),
        "known": (
            np.bincount(rows, np.where(known, bits, 0.0)),
            np.bincount(rows, known),
        ),
        "words": int(foretold.sum()) - len(texts),
        "oov": int(unknown.sum()),
        "impossible": int((known & np.isneginf(log10)).sum()),
    }


def _bits(bits: Floats, tokens: Floats) -> float:
    return float(bits.sum() / tokens.sum())


def _codes(where: str, cluster: Any, n_texts: int) -> Positions:
    names = checks.listed(where, "cluster", cluster)
    if len(names) != n_texts:
        need = f"be as many as texts, {n_texts}"
        raise InputError(where, "cluster", need, str(len(names)))
    for row, name in enumerate(names):
        if is_gap(name):
            need, hint = "be a name", "Every text is of one cluster."
            raise InputError(where, f"cluster of row {row}", need, shown(name), hint)
    return codes_of(names)[0]


def _power(bits: float) -> float:
    """Two to the bits; infinite above all numbers."""
    return 2.0**bits if bits <= _MOST_BITS else math.inf


def _ends(sums: tuple[Floats, Floats], codes: Positions | None, level: float) -> Ends:
    """The interval of the perplexity; None also where a text is impossible."""
    bits, tokens = sums
    if not np.isfinite(bits).all():
        return None
    ends = ratio_interval(bits, tokens, codes, level, share=False)
    return None if ends is None else (_power(ends[0]), _power(ends[1]))


def _notes(
    model: NgramModel, texts: Sequence[str], oov: int, impossible: int, few: str
) -> Iterator[str]:
    yield from model.notes
    if impossible:
        yield (
            f"the model gives {with_noun(impossible, 'known token')} probability 0, so "
            "that perplexities are infinite: another smoothing, such as kneser-ney, "
            "has none"
        )
    if oov and np.isneginf(model.tables[0].log10[0]):
        yield (
            "the model gives words out of the vocabulary probability 0, so that the "
            "perplexity of all tokens is infinite: look at that of known words, or "
            "take another smoothing, such as kneser-ney"
        )
    elif oov:
        yield (
            "all words out of the vocabulary share the probability of <unk>, so that a "
            "smaller vocabulary looks better: compare models of the same words"
        )
    if few:
        yield f"no interval: {few}"
    number = sum(map(unspaced, texts))
    if number:
        yield (
            f"texts in a script without spaces between words: {number}; put spaces "
            "between their words first"
        )
