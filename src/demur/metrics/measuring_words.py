"""The verbs about words: word error rates, and which of two recognisers has fewer."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Final

import numpy as np

from demur import checks
from demur.arrays import Floats
from demur.checks import check_level, choice
from demur.errors import InputError, shown
from demur.metrics.alternatives import (
    NOTATIONS,
    Choice,
    chosen,
    has_marks,
    notation_notes,
    unread_note,
)
from demur.metrics.counted_items import (
    CountedErrors,
    UnitRate,
    answered_of,
    counted_kinds,
    two_sides,
)
from demur.metrics.matched_pairs import (
    FEWEST_SEGMENTS,
    MatchedPairs,
    matched_pairs,
)
from demur.metrics.token_rows import token_rows_note, unseen_signs_note
from demur.metrics.utterance_ids import utterances_of
from demur.metrics.word_alignments import (
    READINGS,
    LazyWords,
    alignment_text,
    count_edits,
)
from demur.outcomes.gaps import is_absent, is_written_gap, written_gap_note
from demur.outcomes.named_columns import NamedColumns, name_text
from demur.outcomes.value_kinds import a_kind, kind_of
from demur.results import Column, Figure, FigureKind, Result, Table, p_text
from demur.spellings import unspaced
from demur.statistics.equal_units import equal_units
from demur.statistics.paired_tests import REPLICATES, by_bootstrap, by_influence
from demur.statistics.resampling import draws
from demur.statistics.units import FEWEST_UNITS, left_out, unit_sums


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class WordErrors(CountedErrors):
    """The word error rate of one recogniser.

    Parameters
    ----------
    system : str
        Its name; "" if there is one alone.
    utterances, declined : int
        All, and those without a hypothesis, which count as wholly deleted.
    wer, wer_answered : UnitRate
        Over all utterances, and over those with a hypothesis.
    substitutions, deletions, insertions : int
        Of the utterances with a hypothesis.
    sentence_error : float
        Utterances with an error, or declined / all.
    empty_references, clipped : int
        Utterances whose reference is empty; whose errors are more than its words.
    level : float
        Of the intervals.
    recipe : mapping of str to str
        How the numbers came about.
    counted : CountedItems
        Errors and units of each item, for `outcomes`.
    texts : pair of sequences of str
        References and hypotheses.
    choices : mapping of int to Choice
        Rows whose reference has alternatives or optional words: what was chosen.
    """

    SHORT = "wer"
    UNIT = "word"
    KINDS = (
        *counted_kinds("wer", "word"),
        FigureKind("sentence_error", "the sentence error rate", can_be_undefined=False),
    )

    wer: UnitRate
    wer_answered: UnitRate
    sentence_error: float
    texts: Any = field(repr=False, compare=False, default=((), ()))
    choices: Mapping[int, Choice] = field(
        repr=False, compare=False, default_factory=dict
    )

    def to_dict(self) -> dict[str, Any]:
        """As plain values, with what scripts read at the top."""
        plain = super().to_dict()
        whole = plain["wer"]
        return {
            **plain,
            "wer": whole["value"],
            "interval": whole["interval"],
            "reference_words": whole["units"],
        }

    @property
    def words(self) -> tuple["LazyWords", "LazyWords"]:
        """The words of references and hypotheses, as they were read."""
        split = READINGS[self.recipe["reading"]]
        known = {row: its.words for row, its in self.choices.items()}
        return LazyWords(self.texts[0], split, known), LazyWords(self.texts[1], split)

    def alignment(self, item: Any) -> str:
        """Reference and hypothesis of an utterance, word below word.

        Raises
        ------
        InputError
            If there is no such utterance, or it was declined.
        """
        if not self.has_hypothesis(item):
            need, got = "have a hypothesis", "none"
            raise InputError("alignment", f"utterance {item}", need, got)
        row = self._row(item)
        left_out = self.choices[row].left_out if row in self.choices else ()
        return alignment_text(*(words[row] for words in self.words), left_out)

    def has_hypothesis(self, item: Any) -> bool:
        """Whether an utterance has one, and so an alignment; else it was declined.

        Raises
        ------
        InputError
            If there is no such utterance.
        """
        return bool(self.counted.answered[self._row(item)])

    def _row(self, item: Any) -> int:
        rows = {name_text(name): row for row, name in enumerate(self.counted.item)}
        row = rows.get(name_text(item))
        if row is None:
            need, hint = "be one of these texts", "Items without names are numbered."
            raise InputError("alignment", "the utterance", need, shown(item), hint)
        return row

    def further_columns(self) -> list[tuple[Column, Any]]:
        """Utterances with an error."""
        what = "utterances with an error, or declined / all"
        return [(Column("sentence_error", "", "share", what), self.sentence_error)]

    @property
    def notes(self) -> tuple[str, ...]:
        """Those of all measures, and that words of some scripts are not told apart."""
        notes = list(super().notes)
        number = sum(map(unspaced, self.texts[0]))
        if number:
            start = f"references in a script without spaces between words: {number}"
            notes.append(
                f"{start}; each character of it counts as a word, also where spaces "
                "stand"
                if self.recipe["reading"] == "letters"
                else f"{start}; put spaces between their words first, or count "
                "characters by reading=letters (--reading letters)"
            )
        read = utterances_of(self.texts[0])
        if read is not None:
            notes.append(
                f"references {read.form} what looks like ids, such as "
                f"{shown(next(iter(read.texts)))}, which count as words; demur metrics "
                "words FILE FILE joins files by them"
            )
        if "notation" in self.recipe:
            notes.extend(notation_notes(self.texts[0], self.choices.values()))
        else:
            notes.extend(unread_note(self.texts[0]))
        notes.extend(token_rows_note(self.texts[0]))
        if self.recipe["reading"] == "as-written":
            notes.extend(unseen_signs_note(chain(*self.texts)))
        pairs = zip(*self.texts, strict=True)
        gap = next((h for r, h in pairs if h != r and is_written_gap(h)), None)
        if gap is not None:
            notes.append(written_gap_note(gap))
        return tuple(notes)


@checks.by_name("references", "hypotheses")
def word_errors(
    table: Any = None,
    *,
    hypotheses: Sequence[str | None] | None = None,
    references: Sequence[str] | None = None,
    reading: str = "as-written",
    notation: str = "as-written",
    system: str = "",
    level: float = 0.95,
) -> WordErrors:
    """Substituted, deleted and inserted words / words of the reference.

    Utterances are aligned with the fewest errors, each counting 1. Other alignments
    (sclite's costs 4, 3, 3) part the same errors otherwise, and may find more. Errors
    are pooled, so that long utterances count more. An utterance without a hypothesis
    (None, or an empty text) was declined: over all it counts as deleted, and the rate
    over those with one stands beside it. An empty reference adds its insertions and no
    words.

    Parameters
    ----------
    table : table, optional
        With columns ``ref`` and ``hyp`` and maybe ``item``, ``cluster`` (the speaker),
        ``confidence`` and ``declined``. Or both of the next two are given by name.
    hypotheses : sequence of str or None, optional
        What was heard; None, NaN or an empty text where the system declined.
    references : sequence of str, optional
        What was said, as many.
    reading : {"as-written", "letters"}
        Words are what stands between spaces; or small letters with their marks,
        digits and apostrophes, in any language. Of scripts without spaces between
        words, by letters, each character is one. How Unicode composes a letter, and by
        letters which apostrophe is typed, makes no difference.
    notation : {"as-written", "nist"}
        What signs are in references: words as others; or, as in NIST's transcripts and
        as sclite -D scores them, ``{ a / b c / @ }`` alternatives of which the one with
        the fewest errors counts (``@`` is nothing), and ``(d)`` a word that may be left
        out, which then counts as right.
    system : str
        Its name; "" if there is one alone.
    level : float
        Of the intervals.

    Returns
    -------
    WordErrors

    Raises
    ------
    InputError
        If there are not as many hypotheses, or a reference is missing.

    Examples
    --------
    >>> import demur
    >>> found = demur.word_errors(
    ...     hypotheses=["the bat sat", None], references=["the cat sat", "hello"])
    >>> found.wer.value, found.wer_answered.value
    (0.5, 0.3333333333333333)
    >>> print(found.alignment(0))
    reference   the cat sat
    hypothesis  the bat sat
                    S
    """
    where = "word_errors"
    check_level(where, level)
    choice(where, "reading", reading, READINGS)
    choice(where, "notation", notation, NOTATIONS)
    texts = two_sides(where, table, hypotheses, references)
    heard = texts.columns["hyp"]
    answered = answered_of(texts, heard)
    need = "be a text, or nothing if it was declined"
    _check_texts(texts, "hyp", need, "An empty text is nothing, too.")
    _check_texts(texts, "ref", "be a text", "An empty reference is ''.")
    first, split = list(texts.columns["ref"]), READINGS[reading]
    second = [
        text if given else ""
        for text, given in zip(heard, answered.tolist(), strict=True)
    ]
    choices = {}
    if notation == "nist":
        choices = {
            row: chosen(texts.place(row), text, split(second[row]), split)
            for row, text in enumerate(first)
            if has_marks(text)
        }
    known = {row: its.words for row, its in choices.items()}
    said = LazyWords(first, split, known) if known else map(split, first)
    counts = count_edits(zip(said, map(split, second), strict=True))
    for row, its in choices.items():
        counts[row, 3] += len(its.left_out)
    # Where nothing was said, declining misses nothing; elsewhere it deletes all words.
    wrong = counts[:, :3].any(axis=1)
    return WordErrors.of_edits(
        texts,
        counts,
        answered,
        {
            "alignment": "Levenshtein",
            "reading": reading,
            **({} if notation == "as-written" else {"notation": notation}),
        },
        system=system,
        level=level,
        sentence_error=float(wrong.mean()),
        texts=(first, second),
        choices=choices,
    )


def _check_texts(table: NamedColumns, name: str, need: str, hint: str) -> None:
    for row, text in enumerate(table.columns[name]):
        declined = name == "hyp" and is_absent(text)
        if not (isinstance(text, str) or declined):
            if kind_of(text) in _PACKED:
                hint = _PACKED[kind_of(text)]
            raise InputError(table.place(row), name, need, a_kind(text), hint)


_PACKED: Final = {
    "list": "Join its words: ' '.join(words).",
    "bytes": "Decode it: value.decode().",
}


# -- two recognisers -------------------------------------------------------------------


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
) -> dict[int, tuple[Choice, Choice]]:
    if not a.choices:
        return {}
    return {
        row: (a.choices[row], b.choices[other])
        for row, other in enumerate(rows)
        if row in a.choices
    }


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
    sizes = [unit_sums(units, cluster) for units in words]
    tested = drawn = None
    if np.count_nonzero(sizes[0]) >= FEWEST_UNITS:
        first, second = (
            (wrong[side] - rates[side] * words[side]) / totals[side] for side in (0, 1)
        )
        moved = left_out(second - first, words[0], cluster)
        worth = equal_units(sizes[0][sizes[0] > 0])
        how: dict[str, Any] = {"level": a.level, "bounded": False}
        tested = by_influence(difference, moved, worth=worth, **how)
        errors = [unit_sums(counts, cluster) for counts in wrong]
        drawn = by_bootstrap(_drawn_rates(errors, sizes, seed), n_units=worth, **how)
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
