"""Two rows with one key: in what they differ, and which column tells them apart."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from demur.checks import names_shown
from demur.errors import Proposed, shown
from demur.outcomes.fields import OUTCOMES, columns, names_of

if TYPE_CHECKING:
    from demur.outcomes.table import Outcomes

_NAMED: Final = 4  # columns in a message
_MEANT: Final = {
    "repeat": "repeat repetition replicate epoch run seed trial sample attempt "
    "iteration iter round try fold lauf durchlauf wiederholung versuch epoche",
    "setting": "setting prompt template temperature temp config configuration "
    "variant target shot shots language lang variante vorlage sprache",
    "system": "system model modell provider anbieter engine bot checkpoint version "
    "candidate",
    "item": "id uid nr no index idx key",
}
"""Words in names of columns by what they may be here."""

Pairs = dict[str, tuple[Any, Any]]


def differing(
    table: Mapping[str, Any], first: int, second: int, key: Sequence[str]
) -> Pairs:
    """The columns in which two rows differ, with both values; further ones first.

    One of ours that holds what a further one does was made of it, and is left out.

    Examples
    --------
    >>> table = {"item": ["q1", "q1"], "credit": None, "prompt": ["a", "b"]}
    >>> differing(table | {"response": ["a", "b"]}, 0, 1, ["item"])
    {'prompt': ('a', 'b')}
    """
    pairs = {
        name: (_value(name, values[first]), _value(name, values[second]))
        for name, values in table.items()
        if values is not None and name not in key
    }
    known = columns()
    pairs = {name: pair for name, pair in pairs.items() if str(pair[0]) != str(pair[1])}
    further = [_texts(pair) for name, pair in pairs.items() if name not in known]
    pairs = {
        name: pair
        for name, pair in pairs.items()
        if name not in known or _texts(pair) not in further
    }
    return dict(sorted(pairs.items(), key=lambda pair: pair[0] in known))


def _texts(pair: tuple[Any, Any]) -> tuple[str, str]:
    return str(pair[0]), str(pair[1])


def _value(name: str, value: Any) -> Any:
    if name == "outcome":
        return OUTCOMES[value]
    if isinstance(value, (float, np.floating)) and np.isnan(value):
        return None
    return value


def given_again(
    repeated: Sequence[Sequence[tuple[int, str]]],
    cells: Iterable[tuple[str, Any]],
    which: str = "error",
) -> tuple[frozenset[int], str]:
    """Rows that say nothing new: all they hold stands in one of their key and file.

    Where most rows are repeated this is no slip: their key is not complete.

    Parameters
    ----------
    repeated : sequence of sequences of (int, str)
        Rows that have one key, each with its place.
    cells : iterable of (str, object)
        All rows as they stand in their files, each with its place.
    which : {"error", "first", "last"}
        Which row of each key counts, whatever the others hold.

    Returns
    -------
    (rows, note)
        Those to be left out, and what a user must know of them.

    Examples
    --------
    >>> cells = [("a.csv:2", "q1,1"), ("a.csv:3", "q2,1"), ("a.csv:4", "q1,1")]
    >>> given_again([[(0, "a.csv:2"), (2, "a.csv:4")]], cells)
    (frozenset({2}), '1 row says the same as one before it and is left out: a.csv:4')
    """
    if which != "error":
        others = slice(1, None) if which == "first" else slice(None, -1)
        gone = sorted(one for group in repeated for one in group[others])
        items = "1 item is" if len(repeated) == 1 else f"{len(repeated):,} items are"
        at = places_shown([place for _, place in gone])
        note = f"{items} given more than once: the {which} counts; left out: {at}"
        return frozenset(row for row, _ in gone), note
    wanted = {place for group in repeated for _, place in group}
    held: dict[str, list[Any]] = {}
    n_rows = 0
    for place, cell in cells:
        n_rows += 1
        if place in wanted:
            held.setdefault(place, []).append(cell)
    again = [
        (row, place)
        for (_, first), *others in repeated
        for row, place in others
        if place.rpartition(":")[0] == first.rpartition(":")[0]  # two files, two runs
        if place in held and repr(held[place]) == repr(held.get(first))
    ]
    if not again or 2 * len(again) >= n_rows:
        return frozenset(), ""
    again.sort()
    says = "row says" if len(again) == 1 else "rows say"
    left = "is left out" if len(again) == 1 else "are left out"
    at = places_shown([place for _, place in again])
    note = f"{len(again):,} {says} the same as one before it and {left}: {at}"
    return frozenset(row for row, _ in again), note


def repeat_notes(outcomes: "Outcomes") -> list[str]:
    """Of systems that answered items several times by ``repeat``: how often.

    Who answers some items more often than others gives these more weight.

    Examples
    --------
    >>> import demur
    >>> twice = demur.Outcomes.from_arrays(
    ...     item=["q1", "q1", "q2"], repeat=["1", "2", "1"], correct=[1, 1, 0])
    >>> repeat_notes(twice)
    ['1 of 2 items is answered more often than others, up to 2 times (repeat): it
    counts more']
    """
    if outcomes.repeat is None:
        return []
    columns = (outcomes.system, outcomes.setting)
    nothing = [None] * len(outcomes)
    runs = zip(*(nothing if c is None else c.tolist() for c in columns), strict=True)
    times: dict[Any, Counter[Any]] = {}
    for run, item in zip(runs, outcomes.item.tolist(), strict=True):
        times.setdefault(run, Counter())[item] += 1
    notes = [_repeat_note(counts) for counts in times.values()]
    if len(times) == 1:
        return [note for note in notes if note]
    names = [" setting ".join(filter(None, run)) for run in times]
    whose: dict[str, list[str]] = {}
    for name, note in zip(names, notes, strict=True):
        if note:
            whose.setdefault(note, []).append(name)
    return [f"{names_shown(systems)}: {note}" for note, systems in whose.items()]


def _repeat_note(times: Counter[Any]) -> str:
    least, most = min(times.values()), max(times.values())
    if most == 1:
        return ""
    if least == most:
        return f"each of {len(times)} items is answered {most} times (repeat)"
    more = sum(count > least for count in times.values())
    are, count = ("is", "it counts") if more == 1 else ("are", "they count")
    return (
        f"{more} of {len(times)} items {are} answered more often than others, up to "
        f"{most} times (repeat): {count} more"
    )


def apart_hint(pairs: Pairs) -> str:
    """In what two rows of one key differ, and what may tell them apart.

    Examples
    --------
    >>> apart_hint({"prompt": ("a", "b")})
    "They differ in prompt ('a', 'b'). A column part, setting or repeat tells rows
    apart; or select some."
    >>> apart_hint({})
    'Both rows are the same: leave one out.'
    """
    if not pairs:
        return "Both rows are the same: leave one out."
    some = list(pairs.items())[:_NAMED]
    parts = [f"{name} ({shown(a)}, {shown(b)})" for name, (a, b) in some]
    more = f" and {len(pairs) - _NAMED} more columns" if len(pairs) > _NAMED else ""
    return (
        f"They differ in {names_shown(parts)}{more}. A column part, setting or repeat "
        "tells rows apart; or select some."
    )


def repeated_items(
    items: Sequence[Any], rows: Sequence[Sequence[tuple[int, str]]]
) -> str:
    """How many items are given more than once, and where the first of them stand.

    Parameters
    ----------
    items : sequence of str
        Those that are repeated.
    rows : sequence of sequences of (int, str)
        Of each item its rows, each with its place.

    Returns
    -------
    str
        Empty for a single one that is given twice: the message has named its rows.

    Examples
    --------
    >>> rows = [[(0, "a.csv:2"), (3, "a.csv:5")], [(1, "a.csv:3"), (7, "a.csv:9")]]
    >>> repeated_items(["q1", "q2"], rows)
    "2 items are given more than once: 'q1' (a.csv:2, 5), 'q2' (a.csv:3, 9)."
    """
    if len(rows) == 1 and len(rows[0]) == _TWICE:
        return ""
    parts = [
        f"{shown(item)} ({places_shown([place for _, place in group])})"
        for item, group in zip(items[:_LISTED], rows[:_LISTED], strict=True)
    ]
    more = f" and {len(rows) - _LISTED:,} more" if len(rows) > _LISTED else ""
    are = "item is" if len(rows) == 1 else "items are"
    least = "At least " if len(rows) == MOST_REPEATED else ""
    return f"{least}{len(rows):,} {are} given more than once: {', '.join(parts)}{more}."


MOST_REPEATED: Final = 10_000
"""At most so many are looked at."""
_TWICE: Final = 2
_LISTED: Final = 5


def places_shown(places: Sequence[str]) -> str:
    """Where rows stand; a file is named once.

    Examples
    --------
    >>> places_shown(["a.csv:2", "a.csv:5", "b.csv:7"])
    'a.csv:2, 5, b.csv:7'
    """
    listed, before = [], ""
    for place in places[:_LISTED]:
        file, sign, row = place.rpartition(":")
        listed.append(row if sign and file == before else place)
        before = file
    return ", ".join(listed + (["..."] if len(places) > _LISTED else []))


def telling_apart(pairs: Pairs, key: Collection[str] = ()) -> Proposed:
    """What ``--columns`` may say of two rows that differ, beside the key they have.

    Examples
    --------
    >>> telling_apart({"runEpoch": (1, 2), "outcome": ("right", "wrong")})
    (('repeat', 'runEpoch', ''),)
    >>> telling_apart({"Modell": ("a", "b")})
    (('system', 'Modell', ''),)
    >>> telling_apart({"seed": (1, 2)}, ["item", "repeat"])
    ()
    """
    known = {*columns(), *names_of("response")}
    taken = {*key} - {
        "item"
    }  # a finer name of the item takes the place of a coarse one
    for field, words in _MEANT.items():
        if field in taken:
            continue
        for name in pairs:
            parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)
            meant = {part.casefold() for part in parts} & set(words.split())
            if meant and name not in known:
                return ((field, name, ""),)
    return ()
