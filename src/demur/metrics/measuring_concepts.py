"""The verbs about concepts: concept error rate, and what a grammar lets through."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from demur import checks
from demur.arrays import Positions
from demur.checks import check_level, choice
from demur.errors import InputError, shown
from demur.metrics.concept_scores import (
    ALSO_ANSWERED,
    SCORE_KINDS,
    Concept,
    ConceptScore,
    concept_scores,
    score_table,
)
from demur.metrics.counted_items import (
    CountedErrors,
    UnitRate,
    answered_of,
    clusters_of,
    counted_kinds,
    two_sides,
)
from demur.metrics.precision_recall import score_figures
from demur.metrics.word_alignments import count_edits
from demur.outcomes.gaps import is_absent, is_gap
from demur.outcomes.labels import label_columns
from demur.outcomes.named_columns import NamedColumns, unpacked
from demur.outcomes.value_kinds import kind_of, reread, value_text
from demur.results import Column, Figure, FigureKind, Result, Table, count, exactly
from demur.results.text import interval_text
from demur.spellings import composed
from demur.statistics.ratios import ratio_interval
from demur.statistics.units import FEWEST_UNITS, too_few

SLOT_CLASSES: Final = ("non-concept", "value-insensitive", "value-sensitive")
"""Left out on both sides; compared by name; compared by name and value."""
ORDERS: Final = ("sequence", "bag")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ConceptErrors(CountedErrors):
    """The concept error rate of one system, with precision, recall and F.

    Parameters
    ----------
    system : str
        Its name; "" if there is one alone.
    utterances, declined : int
        All, and those without a hypothesis, which count as wholly deleted.
    cer, cer_answered : UnitRate
        Over all utterances, and over those with a hypothesis.
    substitutions, deletions, insertions : int
        Of the utterances with a hypothesis.
    empty_references, clipped : int
        Utterances without a concept; with more errors than concepts.
    scores : tuple of ConceptScore
        One for each way to match: the same ``concept``; by the distance of values in
        ``word`` and in ``character``; and ``slu``, these two together.
    level : float
        Of the intervals.
    recipe : mapping of str to str
        How the numbers came about.
    counted : CountedItems
        Errors and units of each item, for `outcomes`.
    """

    SHORT = "cer"
    UNIT = "concept"
    KINDS = (*counted_kinds("cer", "concept"), *SCORE_KINDS)

    cer: UnitRate
    cer_answered: UnitRate
    scores: tuple[ConceptScore, ...]

    def score(self, match: str) -> ConceptScore:
        """The score of one way to match."""
        scores = {score.match: score for score in self.scores}
        return scores[choice("concept_errors", "match", match, scores)]

    def figures(self) -> Iterator[Figure]:
        """Rates and counts; then precision, recall and F, such as "f slu"."""
        yield from super().figures()
        kinds = {kind.name: kind for kind in self.KINDS}
        for name, value, ends in score_figures(self.scores, "match", ALSO_ANSWERED):
            yield self.figure(kinds[name], value, ends)

    def tables(self) -> tuple[Table, ...]:
        """Counts and rates in one row; and ways to match one below the other."""
        return (*super().tables(), score_table(self.system, self.scores))


@checks.by_name("references", "hypotheses")
def concept_errors(
    table: Any = None,
    *,
    hypotheses: Sequence[Any] | None = None,
    references: Sequence[Any] | None = None,
    classes: Mapping[str, str] | None = None,
    order: str = "sequence",
    system: str = "",
    level: float = 0.95,
) -> ConceptErrors:
    """Substituted, deleted and inserted concepts / concepts of the reference; and F.

    Parameters
    ----------
    table : table, optional
        With columns ``ref`` and ``hyp`` and maybe ``item``, ``cluster``, ``confidence``
        and ``declined``. Or both of the next two are given by name.
    hypotheses : sequence, optional
        For each utterance the concepts that were understood; None where the system
        declined.
    references : sequence, optional
        For each utterance its concepts, a list of (name, value), of names, or of
        objects with ``type`` and ``filler``, as SLURP has entities.
    classes : mapping of name to class, optional
        ``non-concept`` (left out on both sides, such as politeness), ``value-
        insensitive`` (the name is enough, such as yes) or ``value-sensitive`` (the
        default).
    order : {"sequence", "bag"}
        Aligned in order with the fewest errors; or matched in any order, left ones of
        one name being substitutions. By words and characters they are always matched
        in any order.
    system : str
        Its name; "" if there is one alone.
    level : float
        Of the intervals.

    Returns
    -------
    ConceptErrors
        A rate may be above 1.

    Raises
    ------
    InputError
        If concepts are no such lists, or a class is not known.

    References
    ----------
    Chotimongkol and Rudnicky (2001), as Porzel and Malaka (2004, section 2) describe
    it; how concepts are aligned is not said there. Bastianelli et al. (2020), "SLURP",
    for SLU-F1.

    Examples
    --------
    >>> import demur
    >>> found = demur.concept_errors(
    ...     hypotheses=[[("yes", "yes"), ("city", "Mannheim")]],
    ...     references=[[("yes", "yeah"), ("city", "Heidelberg")]],
    ...     classes={"yes": "value-insensitive"})
    >>> found.cer.value, found.substitutions
    (0.5, 1)
    >>> found.score("concept").f, round(found.score("slu").f, 2)
    (0.5, 0.68)
    """
    where = "concept_errors"
    check_level(where, level)
    choice(where, "order", order, ORDERS)
    if classes is not None:
        checks.mapping(where, "classes", classes)
    class_of = {
        name: choice(where, f"the class of {name}", kind, SLOT_CLASSES)
        for name, kind in (classes or {}).items()
    }
    sides = two_sides(where, table, hypotheses, references)
    answered = answered_of(sides, sides.columns["hyp"])
    typed: dict[str, set[str]] = {}
    reading = class_of, typed
    pairs = [
        (
            _concepts(sides, row, "ref", reading),
            _concepts(sides, row, "hyp", reading) if given else [],
        )
        for row, given in enumerate(answered.tolist())
    ]
    if typed:
        pairs = [(_reread(left, typed), _reread(right, typed)) for left, right in pairs]
    counts = count_edits(pairs) if order == "sequence" else _count_bags(pairs)
    shown_classes = ", ".join(f"{name} {kind}" for name, kind in class_of.items())
    return ConceptErrors.of_edits(
        sides,
        counts,
        answered,
        {"order": order, "classes": shown_classes or "all sensitive"},
        scores=concept_scores(pairs, counts, answered, clusters_of(sides), level),
        system=system,
        level=level,
    )


def _concepts(
    table: NamedColumns,
    row: int,
    column: str,
    reading: tuple[Mapping[str, str], dict[str, set[str]]],
) -> list[Concept]:
    """The concepts of one side, by their classes; kinds of values that are no texts."""
    texts = _pairs_of_texts(table.columns[column][row], reading[0])
    return _any_concepts(table, row, column, reading) if texts is None else texts


def _any_concepts(
    table: NamedColumns,
    row: int,
    column: str,
    reading: tuple[Mapping[str, str], dict[str, set[str]]],
) -> list[Concept]:
    """The same, whatever their names and values are."""
    classes, typed = reading
    place = table.place(row)
    value = unpacked(place, column, table.columns[column][row])
    if is_gap(value):
        need, hint = "list its concepts", "Of an utterance without concepts []."
        raise InputError(place, column, need, shown(value), hint)
    if isinstance(value, Mapping):
        value = list(value.items())
    if not isinstance(value, (list, tuple)):
        need = "be a list of concepts, each a name or a name with a value"
        raise InputError(place, column, need, shown(value), _HINT)
    concepts: list[Concept] = []
    for concept in value:
        pair = _pair(concept)
        if len(pair) not in (1, 2) or not isinstance(pair[0], str):
            need = "hold names, or pairs of a name and a value"
            raise InputError(place, column, need, shown(concept), _HINT)
        name = pair[0]
        kind = classes.get(name, "value-sensitive")
        if kind == "non-concept":
            continue
        bare = kind == "value-insensitive" or len(pair) == 1 or is_absent(pair[1])
        if not bare and not isinstance(pair[1], str):
            typed.setdefault(name, set()).add(kind_of(pair[1]))
        concepts.append((name, None if bare else value_text(pair[1])))
    return concepts


def _pairs_of_texts(value: Any, classes: Mapping[str, str]) -> list[Concept] | None:
    """The same of a list of pairs of texts, as most are, quickly; None of others."""
    if type(value) is not list:
        return None
    concepts: list[Concept] = []
    for pair in value:
        if type(pair) not in _PAIRS or len(pair) != 2:
            return None
        name, text = pair
        if type(name) is not str or type(text) is not str or name in classes:
            return None
        concepts.append((name, composed(text)))
    return concepts


_PAIRS: Final = (list, tuple)


def _pair(concept: Any) -> Sequence[Any]:
    """A name with its value; SLURP has objects with type and filler."""
    if isinstance(concept, (list, tuple)):
        return concept
    if isinstance(concept, Mapping) and {"type", "filler"} <= concept.keys():
        return concept["type"], concept["filler"]
    return concept, None


def _reread(concepts: list[Concept], typed: Mapping[str, set[str]]) -> list[Concept]:
    """Texts as numbers and flags where values of the same name are such."""
    return [
        (name, value and reread(value, sorted(typed.get(name, ()))))
        for name, value in concepts
    ]


_HINT: Final = 'Such as [["city", "Rome"], "yes"].'


def _count_bags(pairs: Iterable[tuple[list[Concept], list[Concept]]]) -> Positions:
    """The same as `count_edits` gives, of concepts in any order."""
    counts = []
    for first, second in pairs:
        left, right = Counter(first), Counter(second)
        missing = Counter(name for name, _ in (left - right).elements())
        extra = Counter(name for name, _ in (right - left).elements())
        # One name left over on both sides is one value taken for another.
        paired = (missing & extra).total()
        edits = paired, missing.total() - paired, extra.total() - paired
        counts.append((*edits, len(first)))
    return np.array(counts, np.int64)


# -- what a grammar lets through -------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class GrammarOutcomes(Result):
    """What a recogniser with a grammar did, by LumenVox's classes and one more.

    Parameters
    ----------
    items : int
        Utterances, in the grammar or not.
    match : int
        The concept was in the grammar and was returned.
    mismatch : int
        It was, and another one was returned.
    false_reject : int
        It was, and nothing was returned. LumenVox has no name for this: without it
        declining looks free.
    out_of_grammar_match : int
        Nothing in the grammar was said, and nothing was returned.
    out_of_grammar_mismatch : int
        Nothing in the grammar was said, and something was returned.
    correct_rate : float
        Both matches / items.
    notes : tuple of str
        What was read otherwise than it stands, and kinds of concepts that differ.
    system : str
        Its name; "" if there is one alone.
    interval : (float, float) or None
        Of the rate, over items or clusters.
    level : float
        Of the interval.
    recipe : mapping of str to str
        How the numbers came about.
    """

    items: int
    match: int
    mismatch: int
    false_reject: int
    out_of_grammar_match: int
    out_of_grammar_mismatch: int
    correct_rate: float
    notes: tuple[str, ...] = ()
    system: str = ""
    interval: tuple[float, float] | None = None
    level: float = 0.95
    recipe: Mapping[str, str] = field(default_factory=dict)

    KINDS = (
        FigureKind("correct_rate", "the share of right items", better="higher"),
        count("items", "items"),
        count("match", "matches", better="higher"),
        count("mismatch", "mismatches", better="lower"),
        count("false_reject", "in grammar, and nothing returned", better="lower"),
        count("out_of_grammar_match", "out-of-grammar matches", better="higher"),
        count("out_of_grammar_mismatch", "out-of-grammar mismatches", better="lower"),
    )

    def sentence(self) -> str:
        """The share of right items, and how sure it is."""
        of = f" of {self.system}" if self.system else ""
        right = self.match + self.out_of_grammar_match
        ends = interval_text(self.interval, self.level)
        return (
            f"The share of right items{of} is {self.correct_rate:.3f}{ends}: {right} "
            f"of {self.items}."
        )

    def figures(self) -> Iterator[Figure]:
        """The rate with its interval, and counts."""
        for figure in super().figures():
            if figure.called == "correct_rate" and self.interval is not None:
                low, high = self.interval
                name = f"{100 * self.level:g} % interval"
                figure = replace(figure, low=low, high=high, interval=name)
            yield figure

    def tables(self) -> tuple[Table]:
        """The rate and the classes in one row."""
        columns = (
            Column("system"),
            Column("items", "", "count", "in the grammar or not"),
            Column("correct_rate", "correct", "share", "both matches / items"),
            Column("interval", "", "share", "over clusters or items"),
            Column("match", "", "count", "in the grammar, and returned"),
            Column("mismatch", "", "count", "in the grammar, and another was returned"),
            Column(
                *("false_reject", "false reject", "count"),
                "in the grammar, and nothing was returned",
            ),
            Column(
                *("out_of_grammar_match", "OOG match", "count"),
                "not in the grammar, and nothing was returned",
            ),
            Column(
                *("out_of_grammar_mismatch", "OOG mismatch", "count"),
                "not in the grammar, and something was returned",
            ),
        )
        return (Table.of("", columns, [self]),)


@checks.by_name("references", "hypotheses", said="references", returned="hypotheses")
def grammar_outcomes(
    table: Any = None,
    *,
    hypotheses: Sequence[str | None] | None = None,
    references: Sequence[str | None] | None = None,
    system: str = "",
    level: float = 0.95,
) -> GrammarOutcomes:
    """Matches and mismatches, in and out of a grammar, and false rejects.

    Parameters
    ----------
    table : table, optional
        With columns ``ref`` and ``hyp`` and maybe ``cluster`` (the speaker) and
        ``declined``. Or both of the next two are given by name.
    hypotheses : sequence of str or None, optional
        What the application took; None if it returned nothing, or discarded it.
        Concepts are compared as labels are.
    references : sequence of str or None, optional
        The concept that was said; None if the grammar has none for it.
    system : str
        Its name; "" if there is one alone.
    level : float
        Of the interval.

    Returns
    -------
    GrammarOutcomes

    Raises
    ------
    InputError
        If there are not as many, or none.

    References
    ----------
    LumenVox's four classes as in Porzel and Malaka (2004), section 2.

    Examples
    --------
    >>> import demur
    >>> found = demur.grammar_outcomes(
    ...     hypotheses=["yes", None, "no"], references=["yes", "yes", None])
    >>> found.match, found.false_reject, found.out_of_grammar_mismatch
    (1, 1, 1)
    """
    where = "grammar_outcomes"
    check_level(where, level)
    sides = two_sides(where, table, hypotheses, references)
    answered = answered_of(sides, sides.columns["hyp"]).tolist()
    # Two signs for nothing agree, whatever they are: NaN and NA equal nothing.
    meant = [None if is_gap(value) else value for value in sides.columns["ref"]]
    pairs = zip(sides.columns["hyp"], answered, strict=True)
    returned = [value if given else None for value, given in pairs]
    named = {"hypotheses": returned, "references": meant}
    labels = label_columns(
        NamedColumns(named, sides.places), "hypotheses", "references"
    )
    # Whether there is a concept, whether one was returned, and whether they agree.
    cases = [
        (a is not None, b is not None, a == b)
        for b, a in zip(*labels.columns, strict=True)
    ]
    counts = Counter(cases)
    match, oog = counts[True, True, True], counts[False, False, True]
    cluster = clusters_of(sides)
    right = np.array([agree for _, _, agree in cases], float)
    how: dict[str, Any] = {"level": level, "share": True}
    interval = ratio_interval(right, np.ones(len(cases)), cluster, **how)
    return GrammarOutcomes(
        items=len(cases),
        match=match,
        mismatch=counts[True, True, False],
        false_reject=counts[True, False, False],
        out_of_grammar_match=oog,
        out_of_grammar_mismatch=counts[False, True, False],
        correct_rate=(match + oog) / len(cases),
        notes=(*labels.notes, *_few(len(cases), cluster)),
        system=system,
        interval=interval,
        level=level,
        recipe={
            "measure": "grammar outcomes",
            "units": "items" if cluster is None else "clusters",
            "level": exactly(level),
            "n": str(len(cases)),
        },
    )


def _few(n_items: int, cluster: Positions | None) -> Iterator[str]:
    """Why there is no interval."""
    n_units = n_items if cluster is None else len(np.unique(cluster))
    if n_units < FEWEST_UNITS:
        yield f"no interval: {too_few(n_units, clustered=cluster is not None)}"
