"""What a page carries for its controls: vertices, rows, and texts up to a budget.

Rates are the library's own: the page divides whole amounts by the total weight only
where that division gives back the same number, and carries the numbers themselves
where it does not.
"""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demur.arrays import Floats, Positions, shortest
from demur.curves.curves import Curve
from demur.figures.looks import COLOURS_IN_ALL, thinned
from demur.outcomes.refusals import several
from demur.outcomes.table import NO_VALUE, Outcomes
from demur.pages.collecting import Explored
from demur.results import printable

LONGEST: Final = 2000
"""So many characters of a text are carried at least, if any; all, if there is room."""

MOST_VERTICES: Final = 120_000
"""Vertices of all curves together; of more, each curve keeps some across its width."""

RATES: Final = (
    *("nonreturn", "error", "right", "missed", "ungraded"),
    *("avoided", "correct_decline", "no_guess"),
)
"""What is carried of each vertex: rates at it, and what becomes of all items.

``ungraded`` is what is answered and ungraded; the bar of the page takes the ungraded
share of all items from the split (``all_ungraded``).
"""

_Words = dict[str, Any]


def packed(array: npt.NDArray[Any]) -> _Words:
    """An array as its type and its bytes in base64, little-endian."""
    array = np.ascontiguousarray(array)
    kind = {"u1": "Uint8", "u2": "Uint16", "u4": "Uint32", "f8": "Float64"}
    name = kind[array.dtype.str[1:]]
    raw = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
    return {"type": name, "data": base64.b64encode(raw).decode()}


def _smallest(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Whole numbers in the fewest bytes."""
    highest = int(numbers.max(initial=0))
    fits = "u1" if highest < 2**8 else "u2" if highest < 2**16 else "u4"
    return numbers.astype(fits)


def rates_packed(rates: Floats, weight: Any) -> _Words:
    """Rates as whole amounts over the weight where that gives them back exactly.

    One number if all are the same.
    """
    if len(rates) and (rates == rates[0]).all():
        return {"same": float(rates[0])}
    amounts = np.rint(rates * weight)
    if amounts.max(initial=0) < 2**32 and (amounts / weight == rates).all():
        return {"over": float(weight), **packed(_smallest(amounts))}
    return packed(rates.astype(np.float64))


# -- curves ----------------------------------------------------------------------------


def curve_words(curve: Curve, most: int) -> _Words:
    """A curve for the page: its vertices (some of them, if there are very many)."""
    decided = curve.operating_point
    words: _Words = {
        "own": {
            "nonreturn": decided.nonreturn,
            "error": decided.error,
            "right": decided.right,
            "missed": decided.missed,
            "ungraded": decided.ungraded,
            "failed": curve.gave_nothing,
        },
        "vertices": 0,
    }
    if curve.ladder is None:
        return words
    kept = listed_vertices(curve, most)
    split, weight = curve.split, curve.totals.weight
    words["vertices"] = len(kept)
    words["all"] = len(kept) == len(curve.cutoff)
    cutoffs = [shortest(value) for value in curve.cutoff[kept[:-1]]]
    words["cutoffs"] = packed(np.array(cutoffs, np.float64))
    words["single"] = curve.cutoff.dtype.itemsize == 4
    words["rates"] = {
        name: rates_packed(
            getattr(curve if name in RATES[:5] else split, name)[kept], weight
        )
        for name in RATES
    }
    words["rates"]["all_ungraded"] = rates_packed(split.ungraded[kept], weight)
    return words


def listed_vertices(curve: Curve, most: int) -> Positions:
    """Places of the vertices that a page carries; the first and the last are always."""
    every = np.arange(len(curve.cutoff))
    if len(every) <= most:
        return every
    return thinned(curve.nonreturn, columns=max(most // 2, 2))


# -- rows ------------------------------------------------------------------------------


def rows_words(
    part: Outcomes,
    curve: Curve,
    most: int,
    place: dict[Any, int],
    groups: dict[Any, Any],
    repeats: Sequence[str] = (),
) -> _Words:
    """Outcome, rank and group of every row of one system, and which repeat it is.

    The rank is the number of listed cutoffs at or below the confidence: at the n-th
    listed cutoff (from 0) a row is answered if its rank is above n. Confidences that
    are all from 0 to 1 may be typed as percentages.
    """
    failed, confidence = part.failed, part.confidence
    item = np.array([place[key] for key in item_keys(part)], np.int64)
    words: _Words = {
        "item": None
        if np.array_equal(item, np.arange(len(place)))
        else packed(_smallest(item)),
        "outcome": packed(part.outcome.codes),
        "declined": None
        if part.declined is None or not part.declined.any()
        else packed(part.declined.astype("u1")),
        "failed": packed(failed.astype("u1")) if failed.any() else None,
        "fractions": confidence is not None
        and bool(np.nanmin(confidence, initial=0) >= 0)
        and bool(np.nanmax(confidence, initial=1) <= 1),
        "repeat": None
        if not repeats
        else packed(_smallest(np.array([*map(repeats.index, _keys(part, "repeat"))]))),
        "rank": None,
        "groups": {
            column: packed(
                _smallest(np.array([codes[key] for key in _keys(part, column)]))
            )
            for column, codes in groups.items()
        },
    }
    if curve.ladder is not None and confidence is not None:
        words["rank"] = packed(_smallest(ranks(part, curve, most)))
    return words


def ranks(part: Outcomes, curve: Curve, most: int) -> Positions:
    """How many listed cutoffs each row's confidence reaches; 0 without a guess."""
    confidence = part.confidence
    if confidence is None:
        return np.zeros(len(part), np.int64)
    cutoffs = curve.cutoff[listed_vertices(curve, most)][:-1]
    silent = np.isnan(confidence)
    known = np.where(silent, -np.inf, confidence)
    reached: Positions = np.searchsorted(cutoffs, known, "right")
    return np.where(silent, 0, reached)


def item_keys(part: Outcomes) -> list[Any]:
    """What each row is about on the page: an item, or one part of it.

    Examples
    --------
    >>> import demur
    >>> outcomes = demur.Outcomes.from_arrays(
    ...     item=["a", "b"], part=["x", None], correct=[1, None])
    >>> item_keys(outcomes)
    [('a', 'x'), 'b']
    """
    items: list[Any] = part.item.tolist()
    if part.part is None:
        return items
    names = zip(items, part.part.tolist(), strict=True)
    return [item if name is None else (item, name) for item, name in names]


def _item_name(key: Any) -> str:
    return ", ".join(key) if isinstance(key, tuple) else str(key)


def _keys(part: Outcomes, column: str) -> list[Any]:
    return [_key(value) for value in part.column(column).tolist()]


def _key(value: Any) -> str:
    return NO_VALUE if value is None or value != value else str(value)


def group_codes(
    parts: Sequence[Outcomes], columns: Sequence[str]
) -> dict[str, dict[str, int]]:
    """For each column its values, numbered in order of appearance."""
    return {
        column: {
            value: number
            for number, value in enumerate(
                dict.fromkeys(key for part in parts for key in _keys(part, column))
            )
        }
        for column in columns
    }


def repeats_of(parts: Sequence[Outcomes]) -> list[str]:
    """The names of repeats, in order of appearance; none if every item stands alone."""
    if all(part.repeat is None for part in parts):
        return []
    return list(dict.fromkeys(key for part in parts for key in _keys(part, "repeat")))


# -- texts -----------------------------------------------------------------------------


def text(value: Any) -> str | None:
    """A display value as text, a dialogue turn by turn; None if there is none."""
    if value is None or (isinstance(value, float) and value != value):
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(map(_is_turn, value)):
        return "\n\n".join(map(_turn, value))
    return _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _is_turn(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("role"), str)


def _turn(turn: Mapping[str, Any]) -> str:
    """Who speaks, and what; a turn that holds more than words as JSON."""
    rest = {name: part for name, part in turn.items() if name != "role"}
    plain = rest.keys() == {"content"} and isinstance(rest["content"], str)
    return f"{turn['role']}: {rest['content'] if plain else _json(rest)}"


def shortened(words: str | None) -> str | None:
    """A text cut at `LONGEST` characters, saying so.

    Examples
    --------
    >>> shortened("x" * 2005)[-23:]
    'xx… [5 more characters]'
    """
    if words is None or len(words) <= LONGEST:
        return words
    return f"{words[:LONGEST]}… [{len(words) - LONGEST:,} more characters]"


def order_of_items(explored: Explored, place: dict[Any, int], most: int) -> list[int]:
    """Items from the one whose texts matter most.

    Those come first on which systems differ, then those nearest to the cutoff at which
    the page opens.
    """
    n = len(place)
    first = np.full(n, -1)
    differ = np.zeros(n, bool)
    near = np.full(n, np.inf)
    for part, curve in zip(explored.parts, explored.curves, strict=True):
        item = np.array([place[key] for key in item_keys(part)], np.int64)
        seen = first[item]
        differ[item] |= (seen >= 0) & (part.outcome != seen)
        first[item] = part.outcome.codes
        if curve.ladder is None or part.confidence is None:
            continue
        listed = listed_vertices(curve, most)
        opened = opening_vertex(curve.nonreturn[listed], explored.at)
        distance = np.abs(ranks(part, curve, most) - opened - 0.5) / max(len(listed), 1)
        np.minimum.at(near, item, distance)
    order: list[int] = np.lexsort((np.arange(n), near, ~differ)).tolist()
    return order


def opening_vertex(nonreturn: Floats, at: float) -> int:
    """The last vertex with no more nonreturn than wanted, or the first."""
    return max(int(np.searchsorted(nonreturn, at + 1e-12, "right")) - 1, 0)


FIELDS: Final = ("input", "reference")
ROW_FIELDS: Final = ("response", "reason")


_Texts = dict[str, list[str | None]]


def texts_words(
    explored: Explored, place: dict[Any, int], budget: int, order: Sequence[int]
) -> tuple[_Words, int, int]:
    """Texts within the budget; how many items have none, and how many have beginnings.

    Long texts are shortened at first, so that as many items as can be have some; what
    the budget then still holds goes to whole texts.

    Parameters
    ----------
    explored : Explored
        Whose outcomes have the texts.
    place : mapping of item to int
        Its number.
    budget : int
        Bytes of JSON.
    order : sequence of int
        Numbers of items, from the most important one.
    """
    of_items, of_rows = _whole_texts(explored, place)
    items: _Texts = {}
    rows: list[_Texts] = [{} for _ in place]
    spent = left_out = cut = 0
    for at in order:
        short = [shortened(words) for words in of_items[at]]
        short_rows = {key: [*map(shortened, of)] for key, of in of_rows[at].items()}
        if not (short_rows or any(short)):
            continue
        size = _size({str(at): short}) + _size(short_rows)
        if spent + size > budget:
            left_out += 1
            continue
        spent += size
        items[str(at)], rows[at] = short, short_rows
    for at in map(int, items):
        listed = [of_items[at], *of_rows[at].values()]
        if not any(words and len(words) > LONGEST for of in listed for words in of):
            continue
        whole = {str(at): of_items[at]}
        before = spent - _size({str(at): items[str(at)]}) - _size(rows[at])
        letters = sum(len(words) for of in listed for words in of if words)
        after = before + letters  # at least: what is far too long is not even encoded
        if after <= budget:
            after = before + _size(whole) + _size(of_rows[at])
        if after > budget:
            cut += 1
            continue
        spent = after
        items |= whole
        rows[at] = of_rows[at]
    kept = {key: of for at in map(int, items) for key, of in rows[at].items()}
    return {"items": items, "rows": kept}, left_out, cut


def _whole_texts(
    explored: Explored, place: dict[Any, int]
) -> tuple[list[list[str | None]], list[_Texts]]:
    """The texts of each item, and for each item those of its rows."""
    of_items: list[list[str | None]] = [[None] * len(FIELDS) for _ in place]
    of_rows: list[_Texts] = [{} for _ in place]
    for number, part in enumerate(explored.parts):
        shown = [getattr(part, name) for name in FIELDS]
        columns = [getattr(part, name) for name in ROW_FIELDS]
        for row, key in enumerate(item_keys(part)):
            at = place[key]
            for field, column in enumerate(shown):
                if column is not None and of_items[at][field] is None:
                    of_items[at][field] = text(column[row])
            texts = [
                None if column is None else text(column[row]) for column in columns
            ]
            if any(texts):
                of_rows[at][f"{number}:{row}"] = texts
    return of_items, of_rows


def _size(texts: Mapping[str, Sequence[str | None]]) -> int:
    """Bytes that texts take in the page."""
    return len(as_data(dict(texts)).encode())


# -- all of it -------------------------------------------------------------------------


def explored_words(explored: Explored, budget: int) -> tuple[_Words, list[str]]:
    """The page's data as plain values, and what is said of what is left out."""
    of_groups = (curve for group in explored.groups for curve in group.curves)
    curves = [*explored.curves, *(curve for curve in of_groups if curve is not None)]
    drawn = sum(curve.ladder is not None for curve in curves)
    most = max(MOST_VERTICES // max(drawn, 1), 100)
    place: dict[Any, int] = {}
    for part in explored.parts:
        for key in item_keys(part):
            place.setdefault(key, len(place))
    columns = tuple(dict.fromkeys(group.column for group in explored.groups))
    codes = group_codes(explored.parts, columns)
    repeats = repeats_of(explored.parts)
    order = order_of_items(explored, place, most)
    texts, left_out, cut = texts_words(explored, place, budget, order)
    compared = ((one.comparison.a, one.comparison.b) for one in explored.pairs)
    number = {name: place for place, name in enumerate(explored.names)}
    words = {
        "names": [printable(name) or "the system" for name in explored.names],
        "at": explored.at,
        "colours": COLOURS_IN_ALL,
        "order": explored.order,
        "digest": digest(explored, place),
        "items": [_item_name(key) for key in place],
        "clusters": clusters_words(explored.parts, place),
        "repeats": repeats,
        "systems": [
            {
                "curve": curve_words(curve, most),
                **rows_words(part, curve, most, place, codes, repeats),
            }
            for part, curve in zip(explored.parts, explored.curves, strict=True)
        ],
        "groups": [
            {
                "column": group.column,
                "value": group.value,
                "curves": [
                    None if c is None else curve_words(c, most) for c in group.curves
                ],
            }
            for group in explored.groups
        ],
        "codes": {column: list(values) for column, values in codes.items()},
        "pairs": [[number[a], number[b]] for a, b in compared if {a, b} <= {*number}],
        "texts": texts,
    }
    return words, _notes(curves, most, (left_out, cut), budget)


def digest(explored: Explored, place: Mapping[Any, int]) -> str:
    """What tells these items and verdicts from others: notes on them are kept by it."""
    known = hashlib.sha256(as_data([*explored.names, *map(str, place)]).encode())
    for part in explored.parts:
        known.update(part.outcome.codes.tobytes())
    return known.hexdigest()[:16]


def clusters_words(
    parts: Sequence[Outcomes], place: Mapping[Any, int]
) -> _Words | None:
    """The names of clusters, and which one each item is in; None if each is alone.

    Parts of one item are together where no clusters are given.
    """
    of_items: dict[int, str] = {}
    for part in parts:
        column = "item" if part.cluster is None else "cluster"
        if part.cluster is None and part.part is None:
            continue
        for key, cluster in zip(item_keys(part), _keys(part, column), strict=True):
            if cluster != NO_VALUE:
                of_items.setdefault(place[key], cluster)
    number = {name: at for at, name in enumerate(dict.fromkeys(of_items.values()))}
    if len(number) == len(of_items):
        return None
    none = len(number)
    of = [number[of_items[at]] if at in of_items else none for at in range(len(place))]
    return {"names": list(number), "of": packed(_smallest(np.array(of)))}


def _notes(
    curves: Sequence[Curve], most: int, without: tuple[int, int], budget: int
) -> list[str]:
    """What is said of curves, and of texts that are left out or cut."""
    left_out, cut = without
    notes = []
    if any(curve.ladder is not None and len(curve.cutoff) > most for curve in curves):
        notes.append(
            f"Curves with more than {most} cutoffs carry {most} of them, spread over "
            "their width; the next one is taken for any other."
        )
    if left_out:
        notes.append(
            f"Texts of {left_out} items are left out, since texts may take "
            f"{budget:,} bytes; items on which systems differ, and those near the "
            "cutoff, come first."
        )
    if cut:
        notes.append(
            f"Long texts of {several(cut, 'item')} are cut at {LONGEST:,} characters, "
            f"since texts may take {budget:,} bytes; each cut text says how much is "
            "missing."
        )
    return notes


def as_data(words: Any) -> str:
    """JSON for a script element: nothing in it can end the element or start another."""
    plain_text = json.dumps(
        words, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )
    for mark in "<>&\u2028\u2029":
        plain_text = plain_text.replace(mark, f"\\u{ord(mark):04x}")
    return plain_text.encode("utf-8", "replace").decode("utf-8")
