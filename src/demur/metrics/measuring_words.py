"""The verbs about words: word error rates, and which of two recognisers has fewer."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final

from demur import checks
from demur.arrays import Positions
from demur.checks import check_level, choice
from demur.errors import InputError, shown
from demur.metrics.alternatives import (
    NOTATIONS,
    ChosenWords,
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
from demur.results import Column, FigureKind, with_noun
from demur.spellings import unspaced


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
    choices : mapping of int to ChosenWords
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
    choices: Mapping[int, ChosenWords] = field(
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

    @property
    def read_as_nothing(self) -> int:
        """References whose @ was chosen, so that they have no words."""
        return sum(not (one.words or one.left_out) for one in self.choices.values())

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
        references, hypotheses = self.words
        return alignment_text(references[row], hypotheses[row], left_out)

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
            need = "be one of these texts"
            hint = "Items without names are numbered from 0."
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
            if many := self.read_as_nothing:
                are = "is" if many == 1 else "are"
                notes.append(
                    f"{with_noun(many, 'reference')} {are} read as nothing, as @ "
                    "allows; outcomes leave out such items"
                )
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
    choices = _chosen(texts, second, reading) if notation == "nist" else {}
    counts = _counted(first, second, split, choices)
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


def _chosen(
    table: NamedColumns, heard: Sequence[str], reading: str
) -> dict[int, ChosenWords]:
    """Readings of the references that have alternatives or optional words."""
    split = READINGS[reading]
    return {
        row: chosen(table.place(row), text, split(heard[row]), split)
        for row, text in enumerate(table.columns["ref"])
        if has_marks(text)
    }


def _counted(
    references: Sequence[str],
    hypotheses: Sequence[str],
    split: Callable[[str], list[str]],
    choices: Mapping[int, ChosenWords],
) -> Positions:
    """The edits of each utterance; optional words that were left out count as words."""
    known = {row: its.words for row, its in choices.items()}
    words: Iterable[list[str]] = map(split, references)
    if known:
        words = (
            known[row] if row in known else split(text)
            for row, text in enumerate(references)
        )
    counts = count_edits(zip(words, map(split, hypotheses), strict=True))
    for row, its in choices.items():
        counts[row, 3] += len(its.left_out)
    return counts


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
