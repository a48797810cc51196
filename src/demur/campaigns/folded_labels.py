"""Labels of annotators, folded into one agreed class for each question.

What all say is the class; else what more than half of them say; else the question is
disputed, and is not asked before somebody has decided.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from demur.agreement.agreeing import Agreement, agreement
from demur.agreement.annotations import NAMES, of_records
from demur.checks import did_you_mean, names_shown
from demur.errors import InputError, shown
from demur.outcomes.contexts import class_of
from demur.outcomes.gaps import is_gap

DISPUTED: Final = "disputed"
"""The class of a question on which annotators do not agree."""

RULES: Final = ("unanimous", "majority", DISPUTED)
"""How a class came about, in the order in which it is tried."""


@dataclass(frozen=True)
class FoldedLabels:
    """One class for each question that has labels.

    Parameters
    ----------
    classes : mapping of item to str
        What was agreed, or "disputed".
    rules : mapping of str to int
        How many classes are unanimous, by majority, and disputed.
    agreement : Agreement
        With alpha, by nominal distances.
    left_out : int
        Labels of questions that are not collected because their site's file is broken.
    """

    classes: Mapping[str, str]
    rules: Mapping[str, int]
    agreement: Agreement
    left_out: int = 0


def agreed_class(labels: Sequence[str]) -> tuple[str, str]:
    """The class that labels of one question agree on, and by which rule.

    Examples
    --------
    >>> agreed_class(["A", "A"]), agreed_class(["A", "D", "A"])
    (('A', 'unanimous'), ('A', 'majority'))
    >>> agreed_class(["A", "D"]), agreed_class(["A", "A", "D", "X"])
    (('disputed', 'disputed'), ('disputed', 'disputed'))
    """
    label, number = Counter(labels).most_common(1)[0]
    if number == len(labels):
        return label, RULES[0]
    return (label, RULES[1]) if 2 * number > len(labels) else (DISPUTED, DISPUTED)


def fold_labels(
    placed: Iterable[tuple[str, Mapping[str, Any]]],
    items: Mapping[str, str],
    absent: Iterable[str] = (),
) -> FoldedLabels | None:
    """Fold the labels of a long table.

    Parameters
    ----------
    placed : iterable of (place, record)
        Each with ``unit`` (or ``item``), ``annotator`` and ``label``, as
        `demur.agreement` reads them. Capitals and blanks around labels do not count.
    items : mapping of item to contributed id
        The questions. A unit is an item, or a contributed id that only one site uses.
    absent : iterable of str
        Sites that are not collected: their labels are counted and left out.

    Returns
    -------
    FoldedLabels or None
        None if there is no label.

    Raises
    ------
    InputError
        If a label is of an unknown question, or an annotator gave a question two.

    Examples
    --------
    >>> table = [(f"labels:{at}", {"unit": "q1", "annotator": who, "label": "a"})
    ...          for at, who in enumerate(("ann", "bo"), 1)]
    >>> folded = fold_labels(table, {"bbn/q1": "q1"})
    >>> folded.classes, folded.rules["unanimous"]
    ({'bbn/q1': 'A'}, 1)
    """
    known = _LabelledQuestions(items, absent)
    rows: list[tuple[str, dict[str, Any]]] = []
    given: dict[str, list[str]] = {}
    left_out = 0
    for place, record in placed:
        unit, annotator, label = _cells(record, place)
        item = known.item(unit, place)
        if is_gap(label) or not str(label).strip():
            continue
        if item is None:
            left_out += 1
            continue
        label = class_of({"class": label})
        rows.append((place, {"unit": item, "annotator": annotator, "label": label}))
        given.setdefault(item, []).append(label)
    if not rows:
        return None
    agreed = agreement(of_records(rows), "nominal")
    folded = {item: agreed_class(labels) for item, labels in given.items()}
    counted = Counter(rule for _, rule in folded.values())
    return FoldedLabels(
        classes={item: label for item, (label, _) in folded.items()},
        rules={rule: counted[rule] for rule in RULES},
        agreement=agreed,
        left_out=left_out,
    )


def _cells(record: Mapping[str, Any], place: str) -> tuple[str, str, Any]:
    """Unit, annotator and label of a record."""
    cells = {"unit": record.get("item"), **record}
    for name in NAMES:
        if name not in cells or (name != "label" and is_gap(cells[name])):
            need, got = f"have a {name}", names_shown(record)
            hint = "Labels are a long table: unit, annotator, label."
            raise InputError(place, "a label", need, got, hint)
    return str(cells["unit"]), str(cells["annotator"]), cells["label"]


class _LabelledQuestions:
    """The questions that labels may be of."""

    def __init__(self, items: Mapping[str, str], absent: Iterable[str]) -> None:
        self._items = items
        self._absent = tuple(f"{site}/" for site in absent)
        self._called: dict[str, list[str]] = {}
        for item, called in items.items():
            self._called.setdefault(called, []).append(item)

    def item(self, unit: str, place: str) -> str | None:
        """The item that is meant; None if its site is not collected."""
        if unit in self._items:
            return unit
        if unit.startswith(self._absent or ("\0",)):
            return None
        meant = self._called.get(unit, [])
        if len(meant) == 1:
            return meant[0]
        need, got = "be of a question that is collected", shown(unit)
        hint = did_you_mean(unit, [*self._items, *self._called])
        if len(meant) > 1:
            need, hint = "be of one question", f"Name it as {' or '.join(meant)}."
        elif self._absent:
            return None
        raise InputError(place, "a label", need, got, hint)
