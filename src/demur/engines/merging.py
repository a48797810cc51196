"""Sketches put together, and counted as if their outcomes were in one place."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from functools import reduce
from math import gcd
from operator import mul
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from demur.arrays import Floats
from demur.checks import did_you_mean
from demur.curves import blocks as blocks_
from demur.curves.blocks import AMOUNTS, Blocks, Cut
from demur.curves.counted import CountedPart, Identity, Sums
from demur.curves.counting import ItemKinds, Totals
from demur.engines.item_hashes import SAMPLED
from demur.engines.sketches import NO_HASHES, Sketch, read_sketch
from demur.errors import InputError, shown

_KEYS: Final = tuple(field.name for field in fields(Totals))
_COUNTED: Final = _KEYS[:5]
"""Totals that are numbers of items; the others are in a unit of weight."""

MOST: Final = 2**62


def read_sketches(*paths: str | Path) -> Sketch:
    """The sketches in files, put together as one.

    Parameters
    ----------
    *paths : str or path
        What ``demur sketch`` has written, each of other items.

    Returns
    -------
    Sketch
        Where blocks of confidences differ, the coarser ones.

    Raises
    ------
    ParseError
        If a file is no sketch, or is broken.
    InputError
        If sketches are of the same data, share items, or were read otherwise.

    Examples
    --------
    >>> import demur, os, tempfile
    >>> one, other = (
    ...     demur.Outcomes.from_arrays(item=[item], correct=[1], confidence=[0.9])
    ...     for item in "ab")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     paths = [os.path.join(folder, name) for name in ("1.sketch", "2.sketch")]
    ...     demur.sketch(one).write(paths[0])
    ...     demur.sketch(other).write(paths[1])
    ...     demur.read_sketches(*paths).items
    2
    """
    if not paths:
        raise InputError("read_sketches", "the sketches", "be at least one", "none")
    return merged([read_sketch(path) for path in paths], [*map(str, paths)])


def merged(sketches: Sequence[Sketch], names: Sequence[str]) -> Sketch:
    """Sketches of other items put together.

    Parameters
    ----------
    sketches : sequence of Sketch
        At least one.
    names : sequence of str
        What they are called in messages, such as their files.

    Raises
    ------
    InputError
        If they do not belong together; the message names two of them.
    """
    first = sketches[0]
    for sketch, name in zip(sketches[1:], names[1:], strict=True):
        _check_alike(first, sketch, names[0], name)
    if len(sketches) == 1:
        return first
    _check_apart(sketches, names)
    items = sum(sketch.items for sketch in sketches)
    if items >= MOST:
        need = "be fewer than 2**62 with those before"
        raise InputError(names[-1], "the items", need, str(items))
    listed = [
        _Held(part, clusters, blocks, name)
        for sketch, name in zip(sketches, names, strict=True)
        for part, clusters, blocks in zip(
            sketch.parts, sketch.clusters, sketch.blocks, strict=True
        )
    ]
    held = _grouped(listed, first.by)
    hashed = all(sketch.hashes for sketch in sketches)
    hashes = {one for sketch in sketches for one in sketch.hashes} if hashed else ()
    return replace(
        first,
        items=items,
        data=_together(sketches, "data"),
        fields=_together(sketches, "fields"),
        versions=_together(sketches, "versions"),
        least_count=min(sketch.least_count for sketch in sketches),
        hashes=tuple(sorted(hashes)[:SAMPLED]),
        parts=tuple(one.part for one in held),
        clusters=tuple(one.clusters for one in held),
        blocks=tuple(one.blocks for one in held),
    )


def _together(sketches: Sequence[Sketch], name: str) -> tuple[str, ...]:
    """All texts that sketches have under a name, each once."""
    listed = (text for sketch in sketches for text in getattr(sketch, name))
    return tuple(dict.fromkeys(listed))


# -- whether they belong together ------------------------------------------------------


def _check_alike(first: Sketch, sketch: Sketch, before: str, name: str) -> None:
    """Raise `InputError` unless outcomes were read and cut in the same way."""
    if sketch.by != first.by:
        need = f"be cut by {_listed(first.by)}, as {before}"
        hint = "demur sketch --by cuts items into groups."
        raise InputError(name, "the items", need, _listed(sketch.by), hint)
    for key in {**first.recipe, **sketch.recipe}:
        wanted, got = (one.recipe.get(key) for one in (first, sketch))
        if wanted != got:
            need = f"be {shown(wanted)}, as in {before}" if wanted else "not be there"
            hint = "Read all parts in the same way."
            what = f"the reading ({key})"
            raise InputError(name, what, need, shown(got) if got else "none", hint)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "no column"


def _check_apart(sketches: Sequence[Sketch], names: Sequence[str]) -> None:
    """Raise `InputError` if two sketches are of the same items, or share some."""
    data, items = dict[str, str](), dict[str, str]()
    for sketch, name in zip(sketches, names, strict=True):
        same = [data[one] for one in sketch.data if one in data]
        if same:
            need, got = "be other data", f"the same as {same[0]}"
            raise InputError(name, "the sketch", need, got, "Give each part once.")
        seen = [items[one] for one in sketch.hashes if one in items]
        if seen:
            need = f"be others than those of {seen[0]}"
            got = f"{len(seen)} of {len(sketch.hashes)} that were looked at in both"
            hint = "An item that is counted twice makes every rate wrong."
            raise InputError(name, "the items", need, got, hint)
        data |= dict.fromkeys(sketch.data, name)
        items |= dict.fromkeys(sketch.hashes, name)


# -- sums ------------------------------------------------------------------------------


class _Held(NamedTuple):
    """A part of a sketch, and where it comes from."""

    part: CountedPart
    clusters: int | None
    blocks: Blocks
    name: str


def _grouped(listed: Sequence[_Held], by: Sequence[str]) -> list[_Held]:
    """Parts that have the same system and values of some columns, added up."""
    alike: dict[tuple[str, ...], list[_Held]] = {}
    for held in listed:
        group = {key: held.part.group[key] for key in by}
        key = held.part.system, *group.values()
        part = replace(held.part, group=group)
        alike.setdefault(key, []).append(held._replace(part=part))
    return [_added(some) for some in alike.values()]


def _added(listed: Sequence[_Held]) -> _Held:
    """One part of several."""
    if len(listed) == 1:
        return listed[0]
    _check_confident(listed)
    unit = reduce(_common, (held.part.unit for held in listed))
    scales = [int(held.part.unit / unit) for held in listed]
    weights = [held.part.totals.weight for held in listed]
    if sum(map(mul, weights, scales)) >= MOST:
        part, name = listed[-1].part, listed[-1].name
        need = "have a common unit, in which their sum is below 2**62"
        units = sorted({str(held.part.unit) for held in listed})
        got = f"those of {shown(part.system)} in units of {shown(', '.join(units))}"
        raise InputError(name, "the weights", need, got)
    pairs = [
        _scaled(held.part, held.blocks, scale)
        for held, scale in zip(listed, scales, strict=True)
    ]
    parts, blocks_of_parts = zip(*pairs, strict=True)
    part = replace(_sum_of(parts), unit=unit)
    return _Held(part, _clusters_of(listed), blocks_.joined(blocks_of_parts), "")


def _sum_of(parts: Sequence[CountedPart]) -> CountedPart:
    """Parts in one unit, added up."""
    totals = {name: sum(getattr(part.totals, name) for part in parts) for name in _KEYS}
    kinds: dict[str, int] = {}
    for part in parts:
        for kind, n_items in part.kinds.items():
            kinds[kind] = kinds.get(kind, 0) + n_items
    loss, unclear, withheld = map(sum, zip(*(p.declined for p in parts), strict=True))
    return replace(
        parts[0],
        totals=Totals(**totals),
        declined=(loss, unclear, withheld),
        confident=any(part.confident for part in parts),
        kinds=kinds,
        failed=sum(part.failed for part in parts),
        partial=sum(part.partial for part in parts),
        became=_items_together([part.became for part in parts]),
    )


def _items_together(listed: Sequence[ItemKinds]) -> ItemKinds:
    """What became of the items of several parts."""
    *columns, times = (
        np.concatenate([getattr(became, field.name) for became in listed])
        for field in fields(ItemKinds)
    )
    kinds, place = np.unique(np.column_stack(columns), axis=0, return_inverse=True)
    total = np.zeros(len(kinds), np.int64)
    np.add.at(total, place.ravel(), times)
    outcome, *flags = kinds.T
    given, hopeless, empty = (flag.astype(bool) for flag in flags)
    return ItemKinds(outcome.astype(np.uint8), given, hopeless, empty, total)


def _clusters_of(listed: Sequence[_Held]) -> int | None:
    """Of several parts together; no cluster is in two of them."""
    if all(held.clusters is None for held in listed):
        return None
    clusters = (
        held.part.totals.items if held.clusters is None else held.clusters
        for held in listed
    )
    return sum(clusters)


def _common(first: Fraction, other: Fraction) -> Fraction:
    """The greatest weight of which two are multiples."""
    over = gcd(first.numerator * other.denominator, other.numerator * first.denominator)
    return Fraction(over, first.denominator * other.denominator)


def _scaled(
    part: CountedPart, blocks: Blocks, scale: int
) -> tuple[CountedPart, Blocks]:
    """A part whose amounts are so many times as great, in a smaller unit."""
    if scale == 1:
        return part, blocks
    totals = {
        name: getattr(part.totals, name) * (1 if name in _COUNTED else scale)
        for name in _KEYS
    }
    loss, unclear, withheld = (amount * scale for amount in part.declined)
    factors = [1 if name in AMOUNTS[:4] else scale for name in AMOUNTS]
    return (
        replace(part, totals=Totals(**totals), declined=(loss, unclear, withheld)),
        replace(blocks, amounts=blocks.amounts * np.array(factors, np.int64)),
    )


def _check_confident(listed: Sequence[_Held]) -> None:
    """Raise `InputError` if only some of a system's guesses have confidences."""
    known: dict[bool, tuple[str, str]] = {}
    for part, _, _, name in listed:
        if part.totals.unanswered < part.totals.items:
            known.setdefault(part.confident, (name, part.system))
    if len(known) > 1:
        name, system = known[False]
        need, got = f"have confidences, as in {known[True][0]}", "none"
        raise InputError(name, f"guesses of {shown(system)}", need, got)


# -- as an engine ----------------------------------------------------------------------


class SketchEngine:
    """Counts what sketches hold; what lies inside of their blocks it does not know.

    Parameters
    ----------
    sketch : Sketch
        One, or several put together.
    place : str
        What it is called in messages.
    """

    name = "sketches"

    def __init__(self, sketch: Sketch, place: str = "the sketch") -> None:
        self._sketch, self._place = sketch, place
        self._grouped: dict[tuple[str, ...], list[_Held]] = {}

    @property
    def recipe(self) -> Mapping[str, str]:
        """How the outcomes were read, and in how many blocks they were counted."""
        recipe = dict(self._sketch.recipe)
        if not self._sketch.exact:
            recipe["blocks"] = str(self._sketch.n_blocks)
        return recipe

    @property
    def notes(self) -> tuple[str, ...]:
        """Which cutoffs are known, and what is not to be seen."""
        notes = () if self._sketch.hashes else (NO_HASHES,)
        if len({part.system for part in self._sketch.parts}) > 1:
            notes = (*notes, "sketches do not say whether systems have the same items")
        if self._sketch.exact:
            return notes
        known = (
            f"confidences are counted in {self._sketch.n_blocks} blocks: what is "
            "said of cutoffs at their ends is exact, what lies between has bounds "
            "(a to b)"
        )
        return (*notes, known)

    def parts(self, by: Sequence[str]) -> tuple[CountedPart, ...]:
        """The systems, settings and groups, with their totals."""
        return tuple(held.part for held in self._held(by))

    units = None
    """Sketches hold no weights of single items, and no clusters."""

    def common(self) -> None:
        """Not known: sketches hold no items, and systems of one have the same."""

    def restricted(self, values: Mapping[str, str]) -> "SketchEngine":
        """Not to be had: systems of a sketch cannot be joined by item."""
        need, got = "come without sketches", ", ".join(values.values())
        raise InputError("compare", "the systems", need, got, "They hold no items.")

    def clusters(self, by: Sequence[str]) -> list[int | None]:
        """How many clusters the items of each part fall into."""
        return [held.clusters for held in self._held(by)]

    def identity(self) -> Identity:
        """What tells the outcomes from others, as the sketches say."""
        sketch = self._sketch
        return Identity(sketch.hashes, sketch.data, sketch.fields)

    def _held(self, by: Sequence[str]) -> list[_Held]:
        sketch = self._sketch
        for name in by:
            if name not in (*sketch.by, "system"):
                need = f"be among those of the sketch, {_listed(sketch.by)}"
                hint = did_you_mean(name, sketch.by) or "demur sketch --by keeps it."
                raise InputError("curve_by", "by", need, shown(name), hint)
        if tuple(by) not in self._grouped:
            columns = [*(["setting"] if "setting" in sketch.by else []), *by]
            columns = [name for name in dict.fromkeys(columns) if name != "system"]
            parts = zip(sketch.parts, sketch.clusters, sketch.blocks, strict=True)
            listed = [_Held(*part, self._place) for part in parts]
            self._grouped[tuple(by)] = _grouped(listed, columns)
        return self._grouped[tuple(by)]

    def ends(self) -> None:
        """They are not known."""

    def distinct(self, low: float, high: float) -> int:
        """None that can be told apart further than its blocks do."""
        del low, high
        return 0

    def sample(self) -> Floats:
        """It holds no confidences of single guesses."""
        return np.empty(0)

    def count(self, by: Sequence[str], cuts: Sequence[Cut]) -> Sums:
        """The blocks that there are, whatever the cuts."""
        del cuts
        listed = [held.blocks for held in self._held(by)]
        part = np.repeat(np.arange(len(listed)), [len(blocks) for blocks in listed])
        low, high, amounts = (
            np.concatenate([getattr(blocks, name) for blocks in listed])
            for name in ("low", "high", "amounts")
        )
        return Sums(part, low, amounts, high)
