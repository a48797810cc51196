"""The verb about labels: precision, recall and F, per class, micro and macro."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

import numpy as np

from demur import checks
from demur.arrays import Positions
from demur.checks import check_level
from demur.errors import InputError, shown
from demur.metrics.confusions import Confusion, confusions, counted_codes, matthews
from demur.metrics.counted_items import (
    CountedResult,
    clusters_of,
    counted_items,
    not_declined,
    two_sides,
)
from demur.metrics.mean_f import mean_f_interval
from demur.metrics.precision_recall import (
    LABEL_COLUMNS,
    ClassScore,
    class_score,
    f_measure,
    macro_score,
)
from demur.outcomes.dressings import Dressings
from demur.outcomes.gaps import is_written_gap, written_gap_note
from demur.outcomes.labels import label_columns
from demur.outcomes.named_columns import NamedColumns
from demur.results import Column, Figure, FigureKind, Table, count, exactly
from demur.results.text import interval_text
from demur.statistics.ratios import ratio_interval


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class LabelScores(CountedResult):
    """Labels of one system against the true ones.

    Parameters
    ----------
    system : str
        Its name; "" if there is one alone.
    items, declined : int
        All; those without a label, which are missing in recall and not in precision.
    accuracy, accuracy_answered : float or None
        Right items / all, and / those with a label.
    interval, interval_answered : (float, float) or None
        Over clusters.
    micro, macro : ClassScore
        Pooled; and means over labels that are true somewhere, 0 where a label is never
        given.
    micro_interval, macro_interval : (float, float) or None
        Of their F, over clusters.
    matthews : float or None
        Correlation of true labels and those given, what is declined being a label of
        its own; None where either side has one label alone (scikit-learn prints 0).
    confused : tuple of Confusion
        True labels and others that were given, the most frequent first.
    classes : tuple of ClassScore
        One for each label, by name.
    alpha, level : float
        How much precision counts in F; of the intervals.
    recipe : mapping of str to str
        How the numbers came about.
    counted : CountedItems
        Errors and units of each item, for `outcomes`.
    notes : tuple of str
        What was read otherwise than it stands, and kinds of labels that differ.
    """

    KINDS = (
        FigureKind("accuracy", "the accuracy", better="higher"),
        FigureKind(
            "accuracy_answered", "the accuracy of those answered", better="higher"
        ),
        FigureKind("f micro", "F, pooled over labels", better="higher"),
        FigureKind("f macro", "the mean F of labels", better="higher"),
        FigureKind("f weighted", "the mean F of items' labels", better="higher"),
        FigureKind("balanced_accuracy", "the mean recall of labels", better="higher"),
        FigureKind("matthews", "the Matthews correlation", least=-1, better="higher"),
        FigureKind("precision", "precision, pooled over labels", better="higher"),
        FigureKind("recall", "recall, pooled over labels", better="higher"),
        count("items", "items"),
        count("declined", "items without a label", better="lower"),
    )

    items: int
    declined: int
    accuracy: float
    interval: tuple[float, float] | None
    accuracy_answered: float | None
    interval_answered: tuple[float, float] | None
    micro: ClassScore
    macro: ClassScore
    micro_interval: tuple[float, float] | None
    macro_interval: tuple[float, float] | None
    matthews: float | None
    confused: tuple[Confusion, ...]
    classes: tuple[ClassScore, ...]
    alpha: float
    level: float
    notes: tuple[str, ...] = ()

    @property
    def balanced_accuracy(self) -> float | None:
        """Mean recall of the labels that are true somewhere."""
        return self.macro.recall

    @property
    def weighted_f(self) -> float:
        """Mean F of labels, by how many items have each."""
        return sum((c.f or 0.0) * c.true for c in self.classes) / self.items

    def sentence(self) -> str:
        """The share of right labels, and how sure it is."""
        name = f"{self.system} gives" if self.system else "The system gives"
        declined = ""
        if self.declined and self.accuracy_answered is not None:
            declined = (
                f"; of those that it did not decline ({self.items - self.declined}) "
                f"{self.accuracy_answered:.3f}"
            )
        return (
            f"{name} the right label to {self.accuracy:.3f} of {self.items} items"
            f"{interval_text(self.interval, self.level)}{declined}."
        )

    def figures(self) -> Iterator[Figure]:
        """Accuracies; and precision, recall and F, pooled and over labels."""
        values = {
            "accuracy": (self.accuracy, self.interval),
            "accuracy_answered": (self.accuracy_answered, self.interval_answered),
            "f micro": (self.micro.f, self.micro_interval),
            "f macro": (self.macro.f, self.macro_interval),
            "f weighted": (self.weighted_f, None),
            "balanced_accuracy": (self.balanced_accuracy, None),
            "matthews": (self.matthews, None),
            "precision": (self.micro.precision, None),
            "recall": (self.micro.recall, None),
            "items": (self.items, None),
            "declined": (self.declined, None),
        }
        for kind in self.KINDS:
            yield self.figure(kind, *values[kind.name])

    def tables(self) -> tuple[Table, Table, Table]:
        """The system; its labels, the most frequent first; and what it confuses."""
        row = (
            *(self.system, self.items, self.declined, self.accuracy, self.interval),
            *(self.accuracy_answered, self.micro.precision, self.micro.recall),
            *(self.micro.f, self.macro.f, self.weighted_f),
            *(self.balanced_accuracy, self.matthews),
        )
        by_class = sorted(self.classes, key=lambda label: -label.true)
        cells = attrgetter(*(column.key for column in LABEL_COLUMNS))
        rows = map(cells, by_class)
        pairs = ((c.true, c.given or "-", c.items, c.share) for c in self.confused)
        return (
            Table("", _COLUMNS, (row,)),
            Table("Labels", LABEL_COLUMNS, tuple(rows), most=_SHOWN),
            Table("Confused labels", _CONFUSED_COLUMNS, tuple(pairs), most=_CONFUSED),
        )


_COLUMNS: Final = (
    Column("system"),
    Column("items", cells="count", explained="also those declined"),
    Column("declined", cells="count", explained="without a label"),
    Column("accuracy", cells="share", explained="right items / all"),
    Column("interval", cells="share", explained="over clusters or items"),
    Column("accuracy_answered", cells="share", explained="right / those with a label"),
    *LABEL_COLUMNS[-3:],
    Column(
        "macro_f", "macro F", "share", "mean F of the labels that are true somewhere"
    ),
    Column("weighted_f", "weighted F", "share", "mean F of labels, by their items"),
    Column(
        "balanced_accuracy",
        cells="share",
        explained="mean recall of the labels that are true somewhere",
    ),
    Column(
        "matthews",
        cells="difference",
        explained="correlation of true labels and those given",
    ),
)
_CONFUSED_COLUMNS: Final = (
    Column("true"),
    Column("given", explained="- where the system declined"),
    Column("items", cells="count"),
    Column("share", cells="share", explained="of all items with this true label"),
)
_SHOWN: Final = 20
_CONFUSED: Final = 10


@checks.by_name("references", "hypotheses", labels="references", given="hypotheses")
def label_scores(
    table: Any = None,
    *,
    hypotheses: Sequence[Any] | None = None,
    references: Sequence[Any] | None = None,
    alpha: float = 0.5,
    system: str = "",
    level: float = 0.95,
) -> LabelScores:
    """Precision, recall and F of labels, per class, micro and macro.

    Parameters
    ----------
    table : table, optional
        With columns ``ref`` and ``hyp`` and maybe ``item``, ``cluster``, ``confidence``
        and ``declined``. Or both of the next two are given by name.
    hypotheses : sequence, optional
        The labels that were given; None where the system declined.
    references : sequence, optional
        The true labels, as many. Numbers are compared as numbers (1 and 1.0 are one
        label, also as texts), flags as flags: True is not 1.
    alpha : float
        How much precision counts in F.
    system : str
        Its name; "" if there is one alone.
    level : float
        Of the intervals.

    Returns
    -------
    LabelScores

    Raises
    ------
    InputError
        If there are not as many, a true label is missing, or one is a list, a set or an
        object.

    Examples
    --------
    >>> import demur
    >>> found = demur.label_scores(
    ...     hypotheses=["a", "b", "b", None], references=["a", "a", "b", "b"])
    >>> found.accuracy, found.micro.precision, round(found.micro.f, 3)
    (0.5, 0.6666666666666666, 0.571)
    """
    where = "label_scores"
    check_level(where, level)
    f_measure(1.0, 1.0, alpha)  # which checks alpha
    sides = two_sides(where, table, hypotheses, references)
    names, first, second, notes = _codes(sides)
    answered, right = second >= 0, first == second
    classes = _classes(names, first, second, alpha)
    cluster = clusters_of(sides)
    n_right, n_given = int(right.sum()), int(answered.sum())
    ones = np.ones(len(right))
    return LabelScores(
        system=system,
        items=len(right),
        declined=len(right) - n_given,
        accuracy=n_right / len(right),
        interval=ratio_interval(right, ones, cluster, level, share=True),
        accuracy_answered=n_right / n_given if n_given else None,
        interval_answered=ratio_interval(right, answered, cluster, level, share=True),
        micro=class_score("micro", n_right, n_given, len(right), alpha),
        macro=macro_score(classes),
        micro_interval=ratio_interval(
            right, alpha * answered + (1 - alpha), cluster, level, share=True
        ),
        macro_interval=mean_f_interval(
            first, second, cluster, alpha=alpha, level=level
        ),
        matthews=matthews(names, first, second),
        confused=confusions(names, first, second),
        classes=classes,
        alpha=alpha,
        level=level,
        recipe={
            "measure": "labels",
            "alpha": f"{alpha:g}",
            "declined": "missing in recall",
            "level": exactly(level),
            "n": str(len(right)),
        },
        counted=counted_items(sides, ~right, ones, answered, system),
        notes=notes,
    )


def _codes(
    table: NamedColumns,
) -> tuple[list[str], Positions, Positions, tuple[str, ...]]:
    """All labels; which each item has, and is given, -1 where declined; and notes."""
    labels = label_columns(table, "hyp", "ref")
    hypotheses, true = labels.columns
    if None in true:
        row = true.index(None)
        need, hint = "be a label", "Only hyp may be empty: it was declined."
        got = shown(table.columns["ref"][row])
        raise InputError(table.place(row), "ref", need, got, hint)
    names: list[Any] = sorted({*true, *hypotheses} - {None})
    codes: dict[str | None, int] = {name: code for code, name in enumerate(names)}
    codes[None] = -1
    coded, given = (
        np.fromiter(map(codes.__getitem__, side), np.int64, len(side))
        for side in (true, hypotheses)
    )
    notes = (*labels.notes, *_dress_notes(names, coded, given))
    return names, coded, np.where(not_declined(table, given >= 0), given, -1), notes


def _dress_notes(
    names: Sequence[str], true: Positions, given: Positions
) -> Iterator[str]:
    """What stands about labels in wrong answers, or how else all are written."""
    n = len(names)
    pairs, times = counted_codes((given * n + true)[given >= 0], n * n)
    listed = zip(pairs.tolist(), times.tolist(), strict=True)
    answers = {(names[pair // n], names[pair % n]): many for pair, many in listed}
    dressings, known = Dressings(), {names[code] for code in np.unique(true).tolist()}
    for (put, reference), many in answers.items():
        if put != reference:
            # A label that is right elsewhere is confused, not written otherwise.
            dressings.add(None if put in known else put, [reference], many)
    yield from dressings.notes(sum(answers.values()))
    gaps = [put for put, of in answers if put != of and is_written_gap(put)]
    if gaps:
        yield written_gap_note(gaps[0])


def _classes(
    names: Sequence[str], true: Positions, given: Positions, alpha: float
) -> tuple[ClassScore, ...]:
    n = len(names)
    right = np.bincount(true[true == given], minlength=n)
    put = np.bincount(given[given >= 0], minlength=n)
    of = np.bincount(true, minlength=n)
    rows = zip(names, right.tolist(), put.tolist(), of.tolist(), strict=True)
    return tuple(class_score(*row, alpha) for row in rows)
