"""Precision, recall and F of concepts: the same ones, or by how far values differ."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from demur.arrays import Flags, Floats, Positions
from demur.metrics.precision_recall import (
    NAMED,
    precision_recall_f,
    score_kinds,
    score_rows,
)
from demur.results import Column, Result, Table
from demur.statistics.ratios import Ends, ratio_interval

MATCHES: Final = ("concept", "word", "character", "slu")
"""The same concept; the same name, less the distance of values in words, or in
characters; these two counted together (SLU-F1)."""

Concept = tuple[str, str | None]


@dataclass(frozen=True, eq=False, repr=False)
class ConceptScore(Result):
    """Precision, recall and F of one way to match concepts.

    Parameters
    ----------
    match : {"concept", "word", "character", "slu"}
        What counts as right: `MATCHES`.
    right : float
        Concepts that are matched.
    further, missing : float
        Given without a match, and true without one; and the distances of those matched.
    precision, recall, f : float or None
        right / (right + further); right / (right + missing); and of both. None where
        nothing is given, nothing is true, or either.
    precision_interval, recall_interval, f_interval : (float, float) or None
        Over clusters.
    recall_answered, f_answered : float or None
        Of the items that were not declined; precision is the same there.
    f_answered_interval : (float, float) or None
        Over clusters.
    """

    SAYS = (
        "By {match}, {right} concepts are right, {further} too many and {missing} "
        "missing; F is {f}."
    )

    match: str
    right: float
    further: float
    missing: float
    precision: float | None
    recall: float | None
    f: float | None
    precision_interval: Ends
    recall_interval: Ends
    f_interval: Ends
    recall_answered: float | None
    f_answered: float | None
    f_answered_interval: Ends


ALSO_ANSWERED: Final = {**NAMED, "f_answered": "F of those answered,"}
SCORE_KINDS: Final = score_kinds(
    {
        "concept": "by same concepts",
        "word": "by values in words",
        "character": "by values in characters",
        "slu": "by words and characters (SLU-F1)",
    },
    ALSO_ANSWERED,
)
_COLUMNS: Final = (
    Column("system"),
    Column("match"),
    Column("precision", cells="share", explained="right / (right + further)"),
    Column("recall", cells="share", explained="right / (right + missing)"),
    Column("f", "F", "share", "of precision and recall"),
    Column("f_interval", "interval", "share", "of F, over clusters"),
    Column("right", "", "number", "concepts that match", digits=0),
    Column("further", "", "number", "given ones too many, and distances", digits=1),
    Column(
        "missing", "", "number", "true ones without a match, and distances", digits=1
    ),
    Column("recall_answered", "", "share", "recall in items that were not declined"),
    Column("f_answered", "F answered", "share", "F in these"),
)


def score_table(system: str, scores: Sequence[ConceptScore]) -> Table:
    """Ways to match one below the other."""
    rows = tuple(score_rows(system, scores, _COLUMNS))
    return Table("Precision, recall and F", _COLUMNS, rows, key=2)


def concept_scores(
    pairs: Sequence[tuple[list[Concept], list[Concept]]],
    edits: Positions,
    answered: Flags,
    cluster: Positions | None,
    level: float,
) -> tuple[ConceptScore, ...]:
    """Each way to match.

    Parameters
    ----------
    pairs : sequence of (reference, hypothesis)
        The concepts of each item; an empty hypothesis where it was declined.
    edits : array of int, shape (n_items, 4)
        Substitutions, deletions, insertions, and concepts of the reference.
    answered : array of bool, shape (n_items,)
        Whether there is an answer.
    cluster : array of int, shape (n_items,), or None
        Numbers from 0; None if every item stands alone.
    level : float
        Of the intervals.
    """
    substituted, deleted, inserted, true = edits.T
    missing, further = substituted + deleted, substituted + inserted
    same = np.column_stack([true - missing, further, missing]).astype(np.float64)
    by_word, by_character = _counts(pairs, same)
    listed = same, by_word, by_character, by_word + by_character
    return tuple(
        _score(match, counts, answered, cluster, level)
        for match, counts in zip(MATCHES, listed, strict=True)
    )


def _score(
    match: str, counts: Floats, answered: Flags, cluster: Positions | None, level: float
) -> ConceptScore:
    """From right, further and missing ones of each item."""

    def of_items(kept: Flags) -> tuple[tuple[float | None, ...], list[Ends]]:
        units = cluster
        if cluster is not None:  # those wholly declined leave no unit of their own
            units = np.unique(cluster[kept], return_inverse=True)[1]
        right, further, missing = counts[kept].T
        below = right + further, right + missing, right + (further + missing) / 2
        ends = [ratio_interval(right, of, units, level, share=True) for of in below]
        given, true = float(below[0].sum()), float(below[1].sum())
        return precision_recall_f(float(right.sum()), given, true, 0.5), ends

    right, further, missing = counts.sum(axis=0).tolist()
    (precision, recall, f), ends = of_items(np.ones(len(counts), bool))
    (_, recall_answered, f_answered), ends_answered = of_items(answered)
    return ConceptScore(
        match=match,
        right=right,
        further=further,
        missing=missing,
        precision=precision,
        recall=recall,
        f=f,
        precision_interval=ends[0],
        recall_interval=ends[1],
        f_interval=ends[2],
        recall_answered=recall_answered,
        f_answered=f_answered,
        f_answered_interval=ends_answered[2],
    )


# -- the nearest of one name -----------------------------------------------------------

Distance = Callable[[str, str], float]


def _counts(
    pairs: Sequence[tuple[list[Concept], list[Concept]]], same: Floats
) -> tuple[Floats, Floats]:
    """Right, further and missing concepts of each item, in words and in characters."""
    by_word, by_character = same.copy(), same.copy()
    differ = [row for row, (true, given) in enumerate(pairs) if true != given]
    for counts, distance in ((by_word, _in_words()), (by_character, _in_characters())):
        of_rows = [_nearest(*pairs[row], distance) for row in differ]
        counts[differ] = np.array(of_rows, np.float64).reshape(-1, 3)
    return by_word, by_character


def _nearest(
    true: list[Concept], given: list[Concept], distance: Distance
) -> tuple[float, float, float]:
    """Each given concept takes the nearest true one of its name that is left."""
    left, apart = [*true], 0.0
    for name, value in given:
        near = [
            (0.0 if value == other else distance(other or "", value or ""), place)
            for place, (of, other) in enumerate(left)
            if of == name
        ]
        if near:
            least, place = min(near)
            apart += least
            del left[place]
    right = len(true) - len(left)
    return right, len(given) - right + apart, len(left) + apart


def _in_words() -> Distance:
    """Word errors / words of the true value; 1 if that has none, and the other some."""
    from rapidfuzz.distance import Levenshtein

    edits: Any = Levenshtein.distance

    def distance(true: str, given: str) -> float:
        words, others = true.split(), given.split()
        if not words:
            return float(bool(others))
        return float(edits(words, others)) / len(words)

    return distance


def _in_characters() -> Distance:
    """Changed characters / those of the longer value."""
    from rapidfuzz.distance import Levenshtein

    distance: Distance = Levenshtein.normalized_distance
    return distance
