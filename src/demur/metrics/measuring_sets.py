"""The verb about sets of labels: items that may have none, one or several."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, Final

import numpy as np

from demur import checks
from demur.arrays import Flags, Positions
from demur.checks import check_level
from demur.errors import InputError, shown
from demur.metrics.counted_items import (
    CountedResult,
    answered_of,
    clusters_of,
    counted_items,
    two_sides,
)
from demur.metrics.precision_recall import (
    LABEL_COLUMNS,
    ClassScore,
    class_score,
    f_measure,
    macro_score,
)
from demur.outcomes.gaps import is_absent, is_gap
from demur.outcomes.labels import label_columns
from demur.outcomes.named_columns import NamedColumns, unpacked
from demur.outcomes.table import Outcomes
from demur.outcomes.value_kinds import a_kind
from demur.results import Column, Figure, FigureKind, Table, count, exactly
from demur.results.text import interval_text
from demur.statistics.ratios import Ends, ratio_interval


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SetScores(CountedResult):
    """Sets of labels of one system against the true ones.

    Parameters
    ----------
    system : str
        Its name; "" if there is one alone.
    items, declined : int
        All; those without an answer, whose true labels are missing.
    subset_accuracy : float
        Items whose labels are the true ones, all and no other / items.
    interval : (float, float) or None
        Of it, over clusters.
    subset_accuracy_answered : float or None
        Of the items with an answer.
    hamming_loss : float
        Labels that are missing or too many / (items * different labels).
    jaccard, f_samples : float
        Means over items: labels on both sides / labels on either; and F. 1 where both
        sides are empty.
    micro, macro : ClassScore
        Pooled; and means over labels that are true somewhere.
    jaccard_interval, f_samples_interval, micro_interval : (float, float) or None
        Of the Jaccard index, and of both F, over clusters.
    classes : tuple of ClassScore
        One for each label, by name.
    alpha, level : float
        How much precision counts in F; of the intervals.
    recipe : mapping of str to str
        How the numbers came about.
    counted : CountedItems
        Errors of each item, for `outcomes`.
    notes : tuple of str
        What was read otherwise than it stands.
    """

    KINDS = (
        FigureKind("subset_accuracy", "the share of right sets", better="higher"),
        FigureKind(
            "subset_accuracy_answered", "right sets of those answered", better="higher"
        ),
        FigureKind("hamming_loss", "the Hamming loss", better="lower"),
        FigureKind("jaccard", "the mean Jaccard index", better="higher"),
        FigureKind("f samples", "the mean F of items", better="higher"),
        FigureKind("f micro", "F, pooled over labels", better="higher"),
        FigureKind("f macro", "the mean F of labels", better="higher"),
        FigureKind("f weighted", "the mean F of items' labels", better="higher"),
        FigureKind("precision", "precision, pooled over labels", better="higher"),
        FigureKind("recall", "recall, pooled over labels", better="higher"),
        count("items", "items"),
        count("declined", "items without an answer", better="lower"),
    )

    items: int
    declined: int
    subset_accuracy: float
    interval: Ends
    subset_accuracy_answered: float | None
    hamming_loss: float
    jaccard: float
    jaccard_interval: Ends
    f_samples: float
    f_samples_interval: Ends
    micro: ClassScore
    micro_interval: Ends
    macro: ClassScore
    classes: tuple[ClassScore, ...]
    alpha: float
    level: float
    notes: tuple[str, ...] = ()

    @property
    def weighted_f(self) -> float | None:
        """Mean F of labels, by how many items have each; None without any."""
        true = self.micro.true
        return sum((c.f or 0.0) * c.true for c in self.classes) / true if true else None

    def sentence(self) -> str:
        """The share of right sets, and how near the others come."""
        name = f"{self.system} gives" if self.system else "The system gives"
        declined = f", {self.declined} declined" if self.declined else ""
        return (
            f"{name} the right set of labels to {self.subset_accuracy:.3f} of "
            f"{self.items} items{interval_text(self.interval, self.level)}{declined}; "
            f"of the labels on either side {self.jaccard:.3f} are on both, on average."
        )

    def figures(self) -> Iterator[Figure]:
        """Shares, losses and means; and F, pooled and over labels."""
        values: dict[str, tuple[Any, Ends]] = {
            "subset_accuracy": (self.subset_accuracy, self.interval),
            "jaccard": (self.jaccard, self.jaccard_interval),
            "f samples": (self.f_samples, self.f_samples_interval),
            "f micro": (self.micro.f, self.micro_interval),
            "f macro": (self.macro.f, None),
            "f weighted": (self.weighted_f, None),
            "precision": (self.micro.precision, None),
            "recall": (self.micro.recall, None),
        }
        for kind in self.KINDS:
            value = values.get(kind.name)
            yield self.figure(kind, *(value or (getattr(self, kind.name), None)))

    def tables(self) -> tuple[Table, Table]:
        """The system; and its labels, the most frequent first."""
        row = (
            *(self.system, self.items, self.declined, self.subset_accuracy),
            *(self.interval, self.subset_accuracy_answered, self.hamming_loss),
            *(self.jaccard, self.f_samples, self.micro.precision, self.micro.recall),
            *(self.micro.f, self.macro.f, self.weighted_f),
        )
        cells = attrgetter(*(column.key for column in LABEL_COLUMNS))
        by_size = sorted(self.classes, key=lambda label: -label.true)
        return (
            Table("", _COLUMNS, (row,)),
            Table("Labels", LABEL_COLUMNS, tuple(map(cells, by_size)), most=_SHOWN),
        )

    def outcomes(self) -> Outcomes:
        """Items as outcomes: credit is the Jaccard index, and all weigh alike."""
        return replace(super().outcomes(), weight=None, notes=())


_COLUMNS: Final = (
    Column("system"),
    Column("items", cells="count", explained="also those declined"),
    Column("declined", cells="count", explained="without an answer"),
    Column("subset_accuracy", cells="share", explained="right sets / all"),
    Column("interval", cells="share", explained="of the subset accuracy"),
    Column(
        "subset_accuracy_answered", "answered", "share", "right sets / those answered"
    ),
    Column("hamming_loss", cells="share", explained="errors / (items * labels)"),
    Column("jaccard", cells="share", explained="mean of both / either, over items"),
    Column("f_samples", "F samples", "share", "mean F of items"),
    *LABEL_COLUMNS[-3:],
    Column(
        "macro_f", "macro F", "share", "mean F of the labels that are true somewhere"
    ),
    Column("weighted_f", "weighted F", "share", "mean F of labels, by their items"),
)
_SHOWN: Final = 20


@checks.by_name("references", "hypotheses")
def set_scores(
    table: Any = None,
    *,
    hypotheses: Sequence[Any] | None = None,
    references: Sequence[Any] | None = None,
    separator: str | None = None,
    alpha: float = 0.5,
    system: str = "",
    level: float = 0.95,
) -> SetScores:
    """Right sets, Hamming loss, Jaccard index and F of items with several labels.

    Parameters
    ----------
    table : table, optional
        With columns ``ref`` and ``hyp`` and maybe ``item``, ``cluster``, ``confidence``
        and ``declined``. Or both of the next two are given by name.
    hypotheses : sequence, optional
        For each item the labels that were given, a list or a set; None where the system
        declined. An empty one is an answer.
    references : sequence, optional
        For each item its true labels, compared as `label_scores` does.
    separator : str, optional
        What parts labels where they stand in one text, such as ``|``. Without it such
        texts are refused, unless they are lists in JSON.
    alpha : float
        How much precision counts in F.
    system : str
        Its name; "" if there is one alone.
    level : float
        Of the intervals.

    Returns
    -------
    SetScores

    Raises
    ------
    InputError
        If there are not as many, or one is no set of labels.

    References
    ----------
    Tsoumakas and Katakis (2007), "Multi-label classification: an overview", for the
    measures of items; for the others as of single labels.

    Examples
    --------
    >>> import demur
    >>> found = demur.set_scores(
    ...     hypotheses=[["a"], ["b", "c"], None], references=[["a"], ["b"], ["a", "c"]])
    >>> round(found.subset_accuracy, 3), found.jaccard, round(found.micro.f, 3)
    (0.333, 0.5, 0.571)
    """
    where = "set_scores"
    check_level(where, level)
    f_measure(1.0, 1.0, alpha)  # which checks alpha
    if separator is not None:
        checks.filled(where, "separator", separator)
    sides = two_sides(where, table, hypotheses, references)
    answered = answered_of(sides, sides.columns["hyp"])
    names, true, given, notes = _coded(sides, answered, separator)
    how: dict[str, Any] = {"alpha": alpha, "level": level, "system": system}
    recipe = {
        "measure": "sets of labels",
        "credit": "Jaccard",
        **({} if separator is None else {"separator": separator}),
        "alpha": f"{alpha:g}",
        "declined": "missing",
        "level": exactly(level),
        "n": str(len(sides)),
    }
    both = np.intersect1d(true, given, assume_unique=True)
    classes = _classes(names, (both, given, true), alpha)
    further = _of_items(sides, answered, (both, given, true), max(len(names), 1), how)
    return SetScores(
        items=len(sides),
        declined=int((~answered).sum()),
        micro=class_score("micro", len(both), len(given), len(true), alpha),
        macro=macro_score(classes),
        classes=classes,
        recipe=recipe,
        notes=notes,
        **how,
        **further,
    )


def _of_items(
    sides: NamedColumns,
    answered: Flags,
    pairs: tuple[Positions, Positions, Positions],
    n_labels: int,
    how: dict[str, Any],
) -> dict[str, Any]:
    """What is counted item by item, from rows * labels + label of each side."""
    n, cluster, alpha = len(sides), clusters_of(sides), how["alpha"]
    right, put, of = (np.bincount(keys // n_labels, minlength=n) for keys in pairs)
    either, size = of + put - right, alpha * put + (1 - alpha) * of
    same, empty = answered & (either == right), answered & (either == 0)
    jaccard, f = (
        np.where(empty, 1.0, right / np.where(below > 0, below, 1))
        for below in (either, size)
    )

    def ends(above: Any, below: Any) -> Ends:
        return ratio_interval(above, below, cluster, how["level"], share=True)

    ones, some = np.ones(n), np.maximum(either, 1)
    # Of an empty set one unit is right, or missed where nothing was answered.
    errors = np.where(answered, either - right, some)
    return {
        "subset_accuracy": float(same.mean()),
        "interval": ends(same, ones),
        "subset_accuracy_answered": (
            float(same[answered].mean()) if answered.any() else None
        ),
        "hamming_loss": float((either - right).sum() / (n * n_labels)),
        "jaccard": float(jaccard.mean()),
        "jaccard_interval": ends(jaccard, ones),
        "f_samples": float(f.mean()),
        "f_samples_interval": ends(f, ones),
        "micro_interval": ends(right, size),
        "counted": counted_items(sides, errors, some, answered, how["system"]),
    }


def _classes(
    names: Sequence[str], pairs: Sequence[Positions], alpha: float
) -> tuple[ClassScore, ...]:
    """Each label, from rows * labels + label of right, given and true ones."""
    n = len(names)
    right, given, true = (
        np.bincount(keys % max(n, 1), minlength=n).tolist() for keys in pairs
    )
    rows = zip(names, right, given, true, strict=True)
    return tuple(class_score(name, r, g, t, alpha) for name, r, g, t in rows)


def _coded(
    table: NamedColumns, answered: Flags, separator: str | None
) -> tuple[list[str], Positions, Positions, tuple[str, ...]]:
    """Names of labels, and row * labels + label of each side, each once; and notes."""
    listed: dict[str, list[Any]] = {"ref": [], "hyp": []}
    rows: dict[str, list[int]] = {"ref": [], "hyp": []}
    for name, labels in listed.items():
        for row in range(len(table)):
            if name == "ref" or answered[row]:
                of_row = _labels_of(table, row, name, separator)
                labels += of_row
                rows[name] += [row] * len(of_row)
    n_true, n_given = len(listed["ref"]), len(listed["hyp"])
    flat = NamedColumns(
        {
            "ref": listed["ref"] + [None] * n_given,
            "hyp": [None] * n_true + listed["hyp"],
        },
        [table.place(row) for row in rows["ref"] + rows["hyp"]],
    )
    _refuse_indicators(table, listed, rows)
    labels_of = label_columns(flat, "hyp", "ref")
    given, true = labels_of.columns[0][n_true:], labels_of.columns[1][:n_true]
    names = sorted({*filter(None, true), *filter(None, given)})
    codes: dict[str | None, int] = {name: code for code, name in enumerate(names)}
    keys, repeated = {}, 0
    for name, texts in (("ref", true), ("hyp", given)):
        coded = np.fromiter(map(codes.__getitem__, texts), np.int64, len(texts))
        keys[name] = np.unique(np.array(rows[name], np.int64) * len(names) + coded)
        repeated += len(coded) - len(keys[name])
    notes = labels_of.notes
    if repeated:
        notes += (f"labels that stand again in the same set count once: {repeated}",)
    return names, keys["ref"], keys["hyp"], notes


def _refuse_indicators(
    table: NamedColumns, listed: Mapping[str, list[Any]], rows: Mapping[str, list[int]]
) -> None:
    """Refuse rows of 0 and 1, which say of each label in turn whether it is there."""
    sizes = {*Counter(rows["ref"]).values(), *Counter(rows["hyp"]).values()}
    values = listed["ref"] + listed["hyp"]
    flags = all(isinstance(value, (int, float)) and value in (0, 1) for value in values)
    if flags and len(sizes) == 1 and sizes != {1}:
        need = "be labels"
        got = f"a 0 or 1 for each of {sizes.pop()} labels in each item"
        hint = "Give the names of those that are there: {name for name, there in ...}."
        raise InputError(table.place(0), "the sets", need, got, hint)


def _labels_of(
    table: NamedColumns, row: int, name: str, separator: str | None
) -> list[Any]:
    """The labels of one side of an item."""
    place = table.place(row)
    value = unpacked(place, name, table.columns[name][row])
    if is_gap(value):
        need, hint = "be a set of labels", "Write [] for an item without labels."
        raise InputError(place, name, need, shown(value), hint)
    if isinstance(value, str) and separator:
        value = [part.strip() for part in value.split(separator)]
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, (list, tuple, Set)):
        need, hint = "be a list or a set of labels", ""
        if isinstance(value, str):
            hint = "Name what parts labels in a text: separator='|' (--separator)."
        raise InputError(place, name, need, a_kind(value), hint)
    for label in value:
        if is_gap(label) if isinstance(label, str) else is_absent(label):
            need, hint = "have no empty label", "Leave it out."
            raise InputError(place, name, need, shown(label), hint)
    return [*value]
