"""Answers joined by their numbers to references that stand in another order."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from demur.answers import Label, Text
from demur.judging.join import References, Rows
from demur.judging.readings import Readings
from demur.outcomes.doubts import ORDERS
from demur.outcomes.fields import RIGHT

_FEWEST: Final = 10
"""Answers of fewer items tell no order from chance."""

_SURE: Final = 2
"""Standard deviations by which a right order gives more than chance does, at least."""

_COULD: Final = 6
"""And by which the best order does, so that it is worth looking for."""


def are_numbers(items: Sequence[str]) -> bool:
    """Whether items are called by their places, from 0 or from 1.

    Examples
    --------
    >>> are_numbers(["1", "2", "3"]), are_numbers(["0", "1"]), are_numbers(["q1", "q2"])
    (True, True, False)
    """
    return any(
        items[0] == str(start)
        and all(item == str(number) for number, item in enumerate(items, start))
        for start in (0, 1)
    )


def order_note(pairs: Iterable[tuple[Any, Iterable[Any]]], n_right: int) -> str:
    """What is said where a random order of the references would do as well.

    References in a random order are right so often by chance: each answer at the share
    of items that accept it. That has a mean and a variance in closed form, whatever
    the answers are, so a system that answers everything alike, or that is poor but
    better than chance, is not taken for one.

    Parameters
    ----------
    pairs : iterable of (answer, iterable of acceptable answers)
        Of each item that was answered, as they are compared; an item that was not
        answered has None, which nothing accepts.
    n_right : int
        How many are right as they stand.

    Returns
    -------
    str
        Empty if they are right more often than by chance, or could not be.

    Examples
    --------
    >>> towns = [f"town {n}" for n in range(50)]
    >>> order_note(zip(towns, [[town] for town in towns[1:] + towns[:1]]), 0)
    '0 of 50 right is no more than a random order gives (about 1): the files may
    be in different orders; 50 answers are right for other items'
    >>> order_note(zip(towns, [[town] for town in towns]), 50)
    ''
    """
    listed = [(answer, {*known}) for answer, known in pairs]
    n_items = len(listed)
    if n_items < _FEWEST:
        return ""
    given = Counter(answer for answer, _ in listed if answer is not None)
    wanted = Counter(value for _, known in listed for value in known)
    mean = sum(n * wanted[answer] for answer, n in given.items()) / n_items
    of_answers = sum(n * wanted[answer] ** 2 for answer, n in given.items())
    of_items = sum(sum(given[value] for value in known) ** 2 for _, known in listed)
    squares = mean * n_items - (of_answers + of_items) / n_items + mean**2
    deviation = math.sqrt(max(squares, 0.0) / (n_items - 1))
    could = sum(min(n, wanted[answer]) for answer, n in given.items())
    if n_right > mean + _SURE * deviation or could <= mean + _COULD * deviation:
        return ""
    others = sum(
        answer not in known and answer in wanted
        for answer, known in listed
        if answer is not None
    )
    return (
        f"{n_right:,} of {n_items:,} right is no more than a random order gives (about "
        f"{mean:.0f}): {ORDERS}; {others:,} answers are right for other items"
    )


def order_notes(references: References, rows: Rows, readings: Readings) -> list[str]:
    """What is said of each run whose items are called by their places.

    Parameters
    ----------
    references : References
        Before what the comparator made of them is forgotten.
    rows : Rows
        All responses, judged.
    readings : Readings
        How answers are taken out of responses, and compared. Labels and texts alone
        are looked at.
    """
    comparator = readings.comparator
    plain = isinstance(comparator, (Label, Text))
    if not plain or not are_numbers(references.items):
        return []
    runs, outcomes = np.asarray(rows.run), np.asarray(rows.outcome)
    notes = []
    for run in np.unique(runs).tolist():
        places = np.flatnonzero(runs == run).tolist()
        pairs = [
            (
                _as_compared(readings, rows.response[row]),
                {value for value, _ in references.read(number, comparator)},
            )
            for row in places
            if (number := rows.reference[row]) < references.n_asked
        ]
        notes.append(order_note(pairs, int((outcomes[places] == RIGHT).sum())))
    how = "items are numbers of rows: join by a column that both files have, --columns "
    how += "'item=COLUMN' (of logs --log 'READER(item=PATH)') --reference-columns "
    how += "'item=COLUMN'"
    return [f"{note}; {how}" for note in dict.fromkeys(notes) if note]


def _as_compared(readings: Readings, response: Any) -> Any:
    guess = None if response is None else readings.extraction(response)
    try:
        return None if guess is None else readings.comparator.read(guess)
    except RecursionError:  # a text that is read as a nested value
        return None
