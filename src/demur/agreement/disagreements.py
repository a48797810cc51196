"""Who disagrees, on what, and which units to look at first."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from demur.agreement.alphas import Disagreement, LabelCounts, pairs_within
from demur.agreement.annotations import Annotations
from demur.agreement.distances import Distances, Metric
from demur.agreement.intervals import alpha_of, without_each
from demur.results import Result


@dataclass(frozen=True, eq=False, repr=False)
class LabelAgreement(Result):
    """How far annotators agree about one label.

    Parameters
    ----------
    label : any
        A text, a number or a frozenset.
    count : int
        How often it was given, to units with two labels or more.
    agreed : float
        If one annotator gave it, the chance that another one of the unit did.
    confused_with : any
        The label that others gave most often in its place, or None.
    confused : float
        The chance that another one gave that label.
    """

    SAYS = "Where one annotator says {label}, another one agrees with chance {agreed}."

    label: Any
    count: int
    agreed: float
    confused_with: Any
    confused: float

    @property
    def label_text(self) -> str | None:
        """The label on one line."""
        return label_text(self.label)

    @property
    def confused_text(self) -> str | None:
        """The other label on one line."""
        return label_text(self.confused_with)

    @property
    def confused_share(self) -> float | None:
        """The chance, if there is another label."""
        return None if self.confused_with is None else self.confused


@dataclass(frozen=True, eq=False, repr=False)
class AnnotatorAgreement(Result):
    """How far one annotator agrees with the others.

    Parameters
    ----------
    annotator : str
        By name.
    count : int
        Labels that were given.
    distance : float or None
        The mean distance to the labels that others gave the same units; None if there
        are none.
    alpha_without : float or None
        Alpha of the others alone; None if it is undefined.
    """

    SAYS = (
        "The labels of {annotator} are {distance} from those of the others on "
        "average; without them alpha is {alpha_without}."
    )

    annotator: str
    count: int
    distance: float | None
    alpha_without: float | None


@dataclass(frozen=True, eq=False, repr=False)
class UnitDisagreement(Result):
    """A unit that annotators disagree about.

    Parameters
    ----------
    unit : any
        As the annotations call it.
    distance : float
        The mean distance of two labels of it.
    labels : dict of annotator to label
        All that it was given.
    """

    SAYS = "The labels of unit {unit} are {distance} from each other on average."

    unit: Any
    distance: float
    labels: dict[str, Any]

    @property
    def labels_text(self) -> str:
        """Who gave which label."""
        given = self.labels.items()
        return ", ".join(f"{who}: {label_text(label)}" for who, label in given)


_LONGEST_LABEL = 60


def label_text(label: Any) -> str | None:
    """A label on one line; a set with its members in order.

    Examples
    --------
    >>> label_text(frozenset({"b", "a"})), label_text(1), label_text(None)
    ('{a, b}', '1', None)
    """
    if isinstance(label, frozenset):
        return f"{{{', '.join(sorted(map(str, label)))}}}"[:_LONGEST_LABEL]
    return None if label is None else str(label)[:_LONGEST_LABEL]


Shares = dict[int, dict[int, float]]
"""Of each label the chance that another annotator of the unit gave each label."""


def shares_of(cells: LabelCounts) -> Shares:
    """The chance of each label, if another annotator of the unit gave one."""
    counts = cells.marginals()
    scale = cells.count / (cells.size - 1)[cells.unit]
    agreed = np.bincount(cells.label, scale * (cells.count - 1), cells.n_labels)
    shares: Shares = {
        int(label): {int(label): float(agreed[label] / counts[label])}
        for label in np.flatnonzero(counts)
    }
    for first, second in pairs_within(cells.unit):
        weight = scale[first] * cells.count[second]
        key = cells.label[first] * np.int64(cells.n_labels) + cells.label[second]
        pairs, place = np.unique(key, return_inverse=True)
        for pair, value in zip(pairs, np.bincount(place, weight), strict=True):
            one, other = divmod(int(pair), cells.n_labels)
            for a, b in ((one, other), (other, one)):
                shares[a][b] = shares[a].get(b, 0.0) + float(value / counts[a])
    return shares


def _by_count(cells: LabelCounts) -> list[int]:
    """The labels that were given, the most frequent first."""
    counts = cells.marginals()
    given = np.flatnonzero(counts).tolist()
    return sorted(given, key=lambda label: (-counts[label], label))


def by_label(
    annotations: Annotations, cells: LabelCounts
) -> tuple[LabelAgreement, ...]:
    """Each label, the most frequent first."""
    counts, shares = cells.marginals(), shares_of(cells)
    return tuple(
        _label(annotations, label, int(counts[label]), shares[label])
        for label in _by_count(cells)
    )


def coincidences(
    annotations: Annotations, cells: LabelCounts, limit: int
) -> tuple[tuple[Any, tuple[float, ...]], ...]:
    """The most frequent labels, each with its shares of the same labels."""
    shares, chosen = shares_of(cells), _by_count(cells)[:limit]
    return tuple(
        (annotations.labels[a], tuple(shares[a].get(b, 0.0) for b in chosen))
        for a in chosen
    )


def _label(
    annotations: Annotations, label: int, count: int, shares: dict[int, float]
) -> LabelAgreement:
    others = {other: share for other, share in shares.items() if other != label}
    most = min(others, key=lambda other: (-others[other], other), default=None)
    return LabelAgreement(
        label=annotations.labels[label],
        count=count,
        agreed=shares[label],
        confused_with=None if most is None else annotations.labels[most],
        confused=0.0 if most is None else others[most],
    )


def by_annotator(
    annotations: Annotations, cells: LabelCounts, metric: Metric
) -> tuple[AnnotatorAgreement, ...]:
    """Each annotator, in their order."""
    n = len(annotations.annotators)
    distances = Distances(metric, annotations.labels, cells.marginals())
    apart, pairs = np.zeros(n), np.zeros(n)
    for first, second in pairs_within(annotations.unit):
        between = distances.pairs(annotations.label[first], annotations.label[second])
        for rows in (first, second):
            who = annotations.annotator[rows]
            apart += np.bincount(who, between, n)
            pairs += np.bincount(who, minlength=n)
    counts = np.bincount(annotations.annotator, minlength=n)
    others: list[float | None] = [None] * n
    if n > 2:
        others = list(map(alpha_of(metric), without_each(annotations)))
    return tuple(
        AnnotatorAgreement(
            annotator=name,
            count=int(counts[who]),
            distance=float(apart[who] / pairs[who]) if pairs[who] else None,
            alpha_without=others[who],
        )
        for who, name in enumerate(annotations.annotators)
    )


def units_first(
    annotations: Annotations, cells: LabelCounts, apart: Disagreement, limit: int
) -> tuple[UnitDisagreement, ...]:
    """The units with the highest mean distance, then those with more labels."""
    distance = apart.within / cells.size
    order = np.lexsort((cells.units, -cells.size, -distance))[:limit]
    listed = []
    for place in order:
        if distance[place] <= 0:
            break
        number = int(cells.units[place])
        rows = slice(*np.searchsorted(annotations.unit, [number, number + 1]))
        pairs = zip(annotations.annotator[rows], annotations.label[rows], strict=True)
        listed.append(
            UnitDisagreement(
                unit=annotations.units[number],
                distance=float(distance[place]),
                labels={
                    annotations.annotators[who]: annotations.labels[label]
                    for who, label in pairs
                },
            )
        )
    return tuple(listed)
