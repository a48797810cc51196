"""The verb about two recognisers: which one has fewer word errors, or by luck."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from demur import checks
from demur.arrays import Floats, Positions
from demur.errors import InputError
from demur.metrics.alternatives import ChosenWords
from demur.metrics.matched_pairs import (
    FEWEST_SEGMENTS,
    MatchedPairs,
    matched_pairs,
)
from demur.metrics.measuring_words import WordErrors
from demur.metrics.word_alignments import READINGS, LazyWords
from demur.results import Column, Figure, FigureKind, Result, Table, p_text
from demur.statistics.equal_units import equal_units
from demur.statistics.paired_tests import (
    REPLICATES,
    DifferenceTest,
    by_bootstrap,
    by_influence,
)
from demur.statistics.resampling import draws
from demur.statistics.units import FEWEST_UNITS, left_out, unit_sums


@dataclass(frozen=True, eq=False, repr=False)
class WordComparison(Result):
    """Two recognisers on the same utterances; differences are b less a.

    Parameters
    ----------
    a, b : str
        Names of the recognisers.
    wer_a, wer_b : float
        Over all utterances, those declined counted as deleted.
    difference : float
        Of the two rates.
    interval : (float, float) or None
        Of the difference, over clusters.
    p_value : float or None
        That the word error rates are equal, over clusters.
    bootstrap : (float, float) or None
        Percentiles of the difference over draws of clusters, the same for both.
    bootstrap_p : float or None
        From the same draws.
    segments : MatchedPairs
        The test of matched pairs of segments (MAPSSWE).
    level : float
        Of the intervals.
    recipe : mapping of str to str
        How the numbers came about.
    few_units : str
        Why there is neither interval nor p over clusters; "" if there are.
    """

    KINDS = (
        FigureKind("wer_a", "the word error rate of a", most=math.inf),
        FigureKind("wer_b", "the word error rate of b", most=math.inf),
        FigureKind(
            *("difference", "the difference of word error rates, b less a"),
            least=-math.inf,
            most=math.inf,
            better="neither",
        ),
        FigureKind("p_value", "the chance of such a difference", better="neither"),
    )

    a: str
    b: str
    wer_a: float
    wer_b: float
    difference: float
    interval: tuple[float, float] | None
    p_value: float | None
    bootstrap: tuple[float, float] | None
    bootstrap_p: float | None
    segments: MatchedPairs
    level: float
    recipe: dict[str, str] = field(default_factory=dict)
    few_units: str = field(default="", repr=False, compare=False)

    def sentence(self) -> str:
        """Which recogniser has fewer errors, and whether that is luck."""
        a, b = self.a or "a", self.b or "b"
        if self.difference == 0:
            return f"{a} and {b} have the same word error rate, {self.wer_a:.3f}."
        rates = {a: self.wer_a, b: self.wer_b}
        better, worse = (b, a) if self.difference < 0 else (a, b)
        start = (
            f"{better} has fewer word errors than {worse}, {rates[better]:.3f} against "
            f"{rates[worse]:.3f}"
        )
        if self.p_value is None:
            return f"{start}; too few speakers or utterances to say whether by luck."
        luck = self.p_value > 1 - self.level
        words = ", but luck may explain that" if luck else ", beyond luck"
        return f"{start}{words} ({p_text(self.p_value)})."

    def tables(self) -> tuple[Table]:
        """The three tests."""
        columns = (
            Column("test"),
            Column("difference", "", "difference", "b less a"),
            Column("interval", "", "difference", f"at {self.level:g}"),
            Column("p_value", "p", "p", "two-sided"),
        )
        segments = f"errors in each of {self.segments.segments} segments (MAPSSWE)"
        over = "over clusters, or utterances"
        drawn = self.bootstrap, self.bootstrap_p
        rows = (
            (f"word error rate, {over}", self.difference, self.interval, self.p_value),
            ("the same, by the bootstrap", self.difference, *drawn),
            (segments, self.segments.mean, None, self.segments.p_value),
        )
        return (Table(f"{self.b or 'b'} less {self.a or 'a'}", columns, rows),)

    @property
    def notes(self) -> tuple[str, ...]:
        """What MAPSSWE takes as independent, and when it has no p value."""
        where = "segments stand between two words or more that both have right"
        listed = [f"{where}, and are taken as independent, also those of one speaker"]
        if self.recipe.get("units") == "clusters":
            listed = [f"{where}; MAPSSWE {INDEPENDENT}"]
        if self.segments.p_value is None:
            listed.append(
                f"MAPSSWE has no p value: {self.segments.segments} segments are too "
                f"few, at least {FEWEST_SEGMENTS} are needed"
            )
        if self.few_units:
            listed.append(f"no test over {self.recipe['units']}: {self.few_units}")
        return tuple(listed)

    def figures(self) -> Iterator[Figure]:
        """The rates, and p; why there is none."""
        for figure in super().figures():
            why = self.few_units.rstrip(".") if figure.value is None else ""
            yield replace(figure, why_undefined=why)


INDEPENDENT: Final = (
    "counts them as independent, also those of one speaker, and finds differences "
    "where few speakers differ: see the test over clusters"
)
"""What to know of segments where speakers are known."""


_READ_BY: Final = ("reading", "notation")
"""What both recipes say alike, or not at all."""


def _drawn_rates(
    errors: Sequence[Floats], words: Sequence[Floats], seed: int
) -> Floats:
    """Differences of errors per word over units that are drawn anew, for both."""
    units = np.column_stack([*errors, *words])
    drawn = []
    for counts in draws(len(units), REPLICATES, seed):
        sums = counts @ units
        # A draw of utterances without words has no errors per word: they count as 1.
        rates = sums[:, :2] / np.maximum(sums[:, 2:], 1)
        drawn.append(rates[:, 1] - rates[:, 0])
    return np.concatenate(drawn)


def _chosen_by_both(
    a: WordErrors, b: WordErrors, rows: Sequence[int]
) -> dict[int, tuple[ChosenWords, ChosenWords]]:
    if not a.choices:
        return {}
    return {
        row: (a.choices[row], b.choices[other])
        for row, other in enumerate(rows)
        if row in a.choices
    }


def _tests(
    wrong: Sequence[Floats],
    words: Sequence[Floats],
    cluster: Positions | None,
    *,
    level: float,
    seed: int,
) -> tuple[DifferenceTest | None, DifferenceTest | None]:
    """The test by influence, and by the bootstrap; none over too few units."""
    sizes = [unit_sums(units, cluster) for units in words]
    if np.count_nonzero(sizes[0]) < FEWEST_UNITS:
        return None, None
    rates = [
        errors.sum() / units.sum() for errors, units in zip(wrong, words, strict=True)
    ]
    moved = [
        (errors - rate * units) / units.sum()
        for errors, units, rate in zip(wrong, words, rates, strict=True)
    ]
    pulled = left_out(moved[1] - moved[0], words[0], cluster)
    worth = equal_units(sizes[0][sizes[0] > 0])
    errors = [unit_sums(counts, cluster) for counts in wrong]
    how: dict[str, Any] = {"level": level, "bounded": False}
    return (
        by_influence(float(rates[1] - rates[0]), pulled, worth=worth, **how),
        by_bootstrap(_drawn_rates(errors, sizes, seed), n_units=worth, **how),
    )


def compare_words(a: WordErrors, b: WordErrors, *, seed: int = 0) -> WordComparison:
    """Which of two recognisers has fewer word errors, and whether that is luck.

    The difference of the pooled rates over clusters (speakers, if a column says so;
    else utterances), by influence with Student's t and by the paired bootstrap; and
    matched pairs of segments (MAPSSWE), whose segments are taken as independent, also
    of one speaker.

    Parameters
    ----------
    a, b : WordErrors
        Of the same utterances, read alike: of one item each if both have names of
        items, else in the same order.
    seed : int
        Of the bootstrap, of 2,000 draws.

    Returns
    -------
    WordComparison

    Raises
    ------
    InputError
        If items, references or readings differ.

    References
    ----------
    Gillick and Cox (1989), "Some statistical issues in the comparison of speech
    recognition algorithms"; Bisani and Ney (2004) for intervals over utterances.

    Examples
    --------
    >>> import demur
    >>> texts = ["the cat sat on the mat"] * 12
    >>> a = demur.word_errors(hypotheses=texts, references=texts)
    >>> heard = ["the bat sat on the mat"] * 12
    >>> b = demur.word_errors(hypotheses=heard, references=texts)
    >>> found = demur.compare_words(a, b)
    >>> round(found.difference, 3), found.segments.segments
    (0.167, 12)
    """
    where = "compare_words"
    checks.of_kind(where, "a", a, WordErrors)
    checks.of_kind(where, "b", b, WordErrors)
    checks.whole(where, "seed", seed)
    rows = b.counted.rows_as_in(a.counted)
    said, heard = ([side[row] for row in rows.tolist()] for side in b.texts)
    alike = all(a.recipe.get(how) == b.recipe.get(how) for how in _READ_BY)
    if [*a.texts[0]] != said or not alike:
        need = "have the same references in the same order, read alike"
        raise InputError(where, "both recognisers", need, "different ones")
    # Of alternatives both may have chosen others, with more words or fewer.
    words = [a.counted.units.astype(float), b.counted.units[rows].astype(float)]
    wrong = [a.counted.errors.astype(float), b.counted.errors[rows].astype(float)]
    totals = [float(units.sum()) for units in words]
    if not all(totals):
        raise InputError(where, "the references", "have words", "none")
    cluster = a.counted.cluster
    rates = [float(wrong[side].sum() / totals[side]) for side in (0, 1)]
    difference = rates[1] - rates[0]
    tested, drawn = _tests(wrong, words, cluster, level=a.level, seed=seed)
    return WordComparison(
        a=a.system,
        b=b.system,
        wer_a=rates[0],
        wer_b=rates[1],
        difference=difference,
        interval=None if tested is None else tested.interval,
        p_value=None if tested is None else tested.p_value,
        bootstrap=None if drawn is None else drawn.interval,
        bootstrap_p=None if drawn is None else drawn.p_value,
        segments=matched_pairs(
            *a.words,
            LazyWords(heard, READINGS[a.recipe["reading"]]),
            _chosen_by_both(a, b, rows.tolist()),
        ),
        level=a.level,
        few_units=a.counted.few_units(),
        recipe={
            **a.recipe,
            "units": "utterances" if cluster is None else "clusters",
            "replicates": str(REPLICATES),
            "seed": str(seed),
        },
    )
