"""The verb about spans: strict, exact, partial and type matches."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

import numpy as np

from demur.arrays import Flags, Floats
from demur.checks import by_name, check_level, choice
from demur.errors import InputError, shown
from demur.metrics.counted_items import (
    CountedResult,
    answered_of,
    clusters_of,
    counted_items,
    two_sides,
)
from demur.metrics.precision_recall import (
    f_measure,
    precision_recall_f,
    score_figures,
    score_kinds,
    score_rows,
)
from demur.metrics.span_values import ENDS, check_sizes, spans_of_row
from demur.metrics.tag_schemes import LENIENT, SCHEMES, Span
from demur.metrics.tagged_spans import tagged_counts
from demur.outcomes.gaps import is_gap
from demur.outcomes.named_columns import NamedColumns
from demur.results import (
    Column,
    Figure,
    Result,
    Table,
    count,
    exactly,
    with_noun,
)
from demur.results.text import interval_text
from demur.statistics.ratios import no_intervals, ratio_interval

MATCHES: Final = ("strict", "exact", "partial", "type")
"""Same words and type; same words; overlapping words, half as much; overlapping words
and the same type."""


@dataclass(frozen=True, eq=False, repr=False)
class SpanScore(Result):
    """Precision, recall and F of one way to match spans.

    Parameters
    ----------
    match : {"strict", "exact", "partial", "type"}
        What must be the same: `MATCHES`.
    right : float
        Spans that match; partial ones count a half.
    given, true : int
        Spans that the system gives; spans of the references.
    precision, recall, f : float or None
        None if nothing is given, nothing is true, or either.
    precision_interval, recall_interval, f_interval : (float, float) or None
        Over clusters.
    recall_answered : float or None
        Of the sentences that were not declined.
    """

    SAYS = (
        "By {match} matches {right} spans are right, of {given} given and {true} "
        "true; F is {f}."
    )

    match: str
    right: float
    given: int
    true: int
    precision: float | None
    recall: float | None
    f: float | None
    precision_interval: tuple[float, float] | None
    recall_interval: tuple[float, float] | None
    f_interval: tuple[float, float] | None
    recall_answered: float | None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SpanScores(CountedResult):
    """Spans of one system against the true ones.

    Parameters
    ----------
    system : str
        Its name; "" if there is one alone.
    sentences, declined : int
        All; those without spans because the system declined: their true spans are
        missing.
    scores : tuple of SpanScore
        One for each way to match.
    by_type : tuple of (type, true, given, right, f)
        By strict matches.
    level : float
        Of the intervals.
    recipe : mapping of str to str
        How the numbers came about.
    no_spans : (int, int)
        Runs of tags that are no span by the scheme, of references and hypotheses.
    counted : CountedItems
        Strict errors: substituted, missing and further spans.
    """

    KINDS = (
        *score_kinds({match: f"of {match} matches" for match in MATCHES}),
        count("sentences", "sentences"),
        count("declined", "sentences that were declined", better="lower"),
    )

    sentences: int
    declined: int
    scores: tuple[SpanScore, ...]
    by_type: tuple[tuple[str, int, int, int, float], ...]
    level: float
    no_spans: tuple[int, int] = (0, 0)

    def score(self, match: str) -> SpanScore:
        """The score of one way to match."""
        scores = {score.match: score for score in self.scores}
        return scores[choice("span_scores", "match", match, scores)]

    def sentence(self) -> str:
        """F of strict matches, and how sure it is."""
        strict = self.score("strict")
        name = f"{self.system}: of" if self.system else "Of"
        if strict.f is None:
            return f"{name} {self.sentences} sentences none has a span on either side."
        declined = f", {self.declined} declined" if self.declined else ""
        return (
            f"{name} {strict.true} spans, {strict.right:g} are found with their words "
            f"and type, and {strict.given} are given: F is {strict.f:.3f}"
            f"{interval_text(strict.f_interval, self.level)}; {self.sentences} "
            f"sentences{declined}."
        )

    def figures(self) -> Iterator[Figure]:
        """F, precision and recall of each way to match, such as "f strict"."""
        kinds = {kind.name: kind for kind in self.KINDS}
        for name, value, ends in score_figures(self.scores, "match"):
            yield self.figure(kinds[name], value, ends)
        for name in ("sentences", "declined"):
            yield self.figure(kinds[name], getattr(self, name))

    def tables(self) -> tuple[Table, Table]:
        """Ways to match one below the other; and the types by strict matches."""
        rows = score_rows(self.system, self.scores, _SCORE_COLUMNS)
        return (
            Table("", _SCORE_COLUMNS, tuple(rows), key=2),
            Table("Types, by strict matches", _TYPE_COLUMNS, self.by_type, most=_SHOWN),
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What the ways to match are, and what declined sentences do."""
        notes = [
            "strict: same words and type; exact: same words; partial: overlapping "
            "words count a half; type: overlapping words, same type"
        ]
        if self.declined:
            notes.append(
                f"{self.declined} of {self.sentences} sentences are declined, and "
                "their spans are missing"
            )
        rates = ((score.match, score.f, score.f_interval) for score in self.scores)
        units = "sentences" if self.counted.cluster is None else "clusters"
        notes += no_intervals(rates, units)
        if any(self.no_spans):
            true, given = self.no_spans
            notes.append(
                f"by {self.recipe['scheme']} {with_noun(true, 'run')} of tags of the "
                f"references and {given} of those given are no spans; maybe the tags "
                "are of another scheme"
            )
        return tuple(notes)


_SCORE_COLUMNS: Final = (
    Column("system"),
    Column("match"),
    Column("precision", cells="share", explained="right / given"),
    Column("recall", cells="share", explained="right / true"),
    Column("f", "F", "share", "of precision and recall"),
    Column("f_interval", "interval", "share", "of F, over clusters or items"),
    Column("right", cells="number", explained="spans that match"),
    Column("given", cells="count", explained="spans that were given"),
    Column("true", cells="count", explained="spans of the references"),
    Column(
        "recall_answered", "", "share", "recall in sentences that were not declined"
    ),
)
_TYPE_COLUMNS: Final = (
    Column("type"),
    Column("true", cells="count", explained="spans of the references"),
    Column("given", cells="count", explained="spans that were given"),
    Column("right", cells="count", explained="spans that match"),
    Column("f", "F", "share", "of precision and recall"),
)


@by_name("references", "hypotheses")
def span_scores(  # noqa: PLR0913  (a table, or both sides)
    table: Any = None,
    *,
    hypotheses: Sequence[Any] | None = None,
    references: Sequence[Any] | None = None,
    scheme: str = "iob",
    ends: str = "after",
    alpha: float = 0.5,
    system: str = "",
    level: float = 0.95,
) -> SpanScores:
    """Precision, recall and F of spans, matched in four ways.

    Spans are paired one to one, in four rounds from left to right: the same words and
    type, the same words, overlapping words of one type, overlapping words. A pair
    counts for each way of matching that it fulfils; for ``type``, pairs of the same
    words and other types are left out, as they count for nothing there.

    Parameters
    ----------
    table : table, optional
        With columns ``ref`` and ``hyp`` and maybe ``item``, ``cluster``, ``confidence``
        and ``declined``. Or both of the next two are given by name.
    hypotheses : sequence, optional
        For each sentence what was found, as in the references; None where the system
        declined.
    references : sequence, optional
        For each sentence its tags, as a list or parted at spaces, or its spans: (type,
        first word, word after the last), (first, after the last, type), or mappings
        with ``label``, ``start`` and ``end``, in words or in characters.
    scheme : str
        Of tags: ``iob``, ``ioe``, ``bioes-lenient`` and ``bilou-lenient`` take what
        begins or ends amiss (an orphan I-) for a span, as conlleval does; ``iob2-
        strict``, ``ioe2-strict``, ``bioes`` and ``bilou`` do not.
    ends : {"after", "last"}
        What the end of a span is: the word after its last, or the last itself, as
        nervaluate has it.
    alpha : float
        How much precision counts in F.
    system : str
        Its name; "" if there is one alone.
    level : float
        Of the intervals.

    Returns
    -------
    SpanScores

    Raises
    ------
    InputError
        If a tag is not of the scheme, or a sentence has another number of tags.

    References
    ----------
    Tjong Kim Sang and De Meulder (2003) for strict matches; SemEval-2013 task 9 for the
    four ways.

    Examples
    --------
    >>> import demur
    >>> found = demur.span_scores(
    ...     hypotheses=["B-per O O"], references=["B-per I-per O"])
    >>> [(each.match, each.right) for each in found.scores]
    [('strict', 0.0), ('exact', 0.0), ('partial', 0.5), ('type', 1.0)]
    """
    where = "span_scores"
    check_level(where, level)
    f_measure(1.0, 1.0, alpha)  # which checks alpha
    choice(where, "scheme", scheme, SCHEMES)
    choice(where, "ends", ends, ENDS)
    sides = two_sides(where, table, hypotheses, references)
    _refuse_tokens(sides)
    answered = answered_of(sides, sides.columns["hyp"])
    counts, types = _counts(sides, answered, scheme, ends)
    by_size = sorted(types.items(), key=lambda item: (-item[1][0], item[0]))
    cluster = clusters_of(sides)
    matched, true, put = counts[:, :4].T, counts[:, 4], counts[:, 5]
    errors = np.maximum(true, put) - matched[0]
    return SpanScores(
        system=system,
        sentences=len(sides),
        declined=int((~answered).sum()),
        scores=tuple(
            _score(match, (right, put, true), answered, cluster, (alpha, level))
            for match, right in zip(MATCHES, matched, strict=True)
        ),
        by_type=tuple(
            (name, t, g, r, precision_recall_f(r, g, t, alpha)[2] or 0.0)
            for name, (t, g, r) in by_size
        ),
        level=level,
        no_spans=_no_spans(sides, answered, (scheme, ends), counts),
        recipe={
            "measure": "spans",
            "scheme": scheme,
            **({} if ends == "after" else {"ends": ends}),
            "alpha": f"{alpha:g}",
            "declined": "missing",
            "level": exactly(level),
            "n": str(len(sides)),
        },
        counted=counted_items(sides, errors, true, answered, system),
    )


def _refuse_tokens(table: NamedColumns) -> None:
    """Refuse one token in each row, which shows where a span goes on in the next."""
    before = "O"
    for row, value in enumerate(table.columns["ref"]):
        tags = value.split() if isinstance(value, str) else value
        if is_gap(value):
            tags = ["O"]
        if not isinstance(tags, (list, tuple)) or len(tags) != 1:
            return
        tag = tags[0] if isinstance(tags[0], str) else "O"
        goes_on = before[:1] in ("B", "I") and tag[:1] in ("I", "E", "L")
        if goes_on and before[1:] == tag[1:]:
            need = "be sentences, each with all of its tags"
            got = f"one token in each: {shown(before)}, then {shown(tag)}"
            hint = "Join the tags of a sentence with spaces: B-city I-city O."
            raise InputError(table.place(row), "the rows", need, got, hint)
        before = tag


def _counts(
    table: NamedColumns, answered: Flags, scheme: str, ends: str
) -> tuple[Floats, dict[str, list[int]]]:
    """Of each sentence its matches, true and given spans; and these of each type."""
    both = table.columns["ref"], table.columns["hyp"]
    tagged = tagged_counts(*both, answered, scheme)
    if tagged is not None:
        return tagged
    counts = np.zeros((len(table), 6))
    types: dict[str, list[int]] = {}
    for row, given in enumerate(answered.tolist()):
        first, size = spans_of_row(table, row, "ref", scheme, ends)
        second: list[Span] = []
        if given:
            second, other = spans_of_row(table, row, "hyp", scheme, ends)
            check_sizes(table.place(row), (first, second), (size, other))
        right = _matched(first, second)
        counts[row] = *right, len(first), len(second)
        _count_types(types, first, second)
    return counts, types


def _no_spans(
    table: NamedColumns, answered: Flags, how: tuple[str, str], counts: Floats
) -> tuple[int, int]:
    """Runs of tags that a scheme takes for none, of both sides."""
    scheme, ends = how
    if scheme not in LENIENT:
        return 0, 0
    runs, _ = _counts(table, answered, LENIENT[scheme], ends)
    true, given = (runs - counts)[:, 4:].sum(axis=0).astype(int).tolist()
    return true, given


def _matched(
    first: list[Span], second: list[Span]
) -> tuple[float, float, float, float]:
    """Matches of each way: strict, exact, partial, type."""
    if first == second:
        n = float(len(first))
        return n, n, n, n
    both = Counter(first) & Counter(second)
    left, right = _without(first, both), _without(second, both)
    # Of this way no pair of the same words may take what a span of its type needs.
    typed = len(_paired(left, right, _ROUNDS[1][0]))
    exact = half = 0
    for test, same_words in _ROUNDS:
        paired = _paired(left, right, test)
        left = [span for place, span in enumerate(left) if place not in paired]
        used = set(paired.values())
        right = [span for place, span in enumerate(right) if place not in used]
        exact += same_words * len(paired)
        half += (not same_words) * len(paired)
    strict = float(both.total())
    return strict, strict + exact, strict + exact + half / 2, strict + typed


def _without(spans: list[Span], gone: Counter[Span]) -> list[Span]:
    """Those that are left, each gone as often as it is counted."""
    remaining, kept = gone.copy(), []
    for span in spans:
        if remaining[span] > 0:
            remaining[span] -= 1
        else:
            kept.append(span)
    return kept


def _paired(
    left: list[Span], right: list[Span], test: Callable[[Span, Span], bool]
) -> dict[int, int]:
    """The place of each left span's partner: the first right one that passes the test.

    Only spans that overlap may pass.
    """
    order = sorted(range(len(right)), key=lambda place: right[place][1])
    starts = [right[place][1] for place in order]
    furthest = list(accumulate((right[place][2] for place in order), max))
    paired: dict[int, int] = {}
    used: set[int] = set()
    for place, span in enumerate(left):
        near = bisect_left(starts, span[2])
        partner = len(right)
        # Those before begin earlier; where none reaches the span, none further does.
        while near and furthest[near - 1] > span[1]:
            near -= 1
            other = order[near]
            if other < partner and other not in used and test(span, right[other]):
                partner = other
        if partner < len(right):
            paired[place] = partner
            used.add(partner)
    return paired


def _overlap(a: Span, b: Span) -> bool:
    return a[1] < b[2] and b[1] < a[2]


_ROUNDS: Final[tuple[tuple[Callable[[Span, Span], bool], bool], ...]] = (
    (lambda a, b: a[1:] == b[1:], True),
    (lambda a, b: a[0] == b[0] and _overlap(a, b), False),
    (_overlap, False),
)
"""What pairs spans, round by round, and whether words are the same then."""


def _count_types(
    types: dict[str, list[int]], first: list[Span], second: list[Span]
) -> None:
    """Count true, given and strictly right spans of each type."""
    sides = Counter(first), Counter(second)
    # Of two equal spans, one true span is a match for one only.
    for column, spans in enumerate((*sides, sides[0] & sides[1])):
        for span, number in spans.items():
            types.setdefault(span[0], [0, 0, 0])[column] += number


def _score(
    match: str, counts: tuple[Any, Any, Any], answered: Any, cluster: Any, asked: Any
) -> SpanScore:
    """One way of matching, from the right, given and true spans of each sentence."""
    right, given, true = counts
    alpha, level = asked
    n_right, n_given, n_true = (float(spans.sum()) for spans in counts)
    heard = float(true[answered].sum())
    below = given, true, alpha * given + (1 - alpha) * true
    rates = precision_recall_f(n_right, n_given, n_true, alpha)
    named: dict[str, Any] = {}
    for name, value, size in zip(
        ("precision", "recall", "f"), rates, below, strict=True
    ):
        ends = ratio_interval(right, size, cluster, level, share=True)
        named |= {name: value, f"{name}_interval": ends}
    return SpanScore(
        match=match,
        right=n_right,
        given=int(n_given),
        true=int(n_true),
        recall_answered=float(right[answered].sum() / heard) if heard else None,
        **named,
    )


_SHOWN: Final = 20
