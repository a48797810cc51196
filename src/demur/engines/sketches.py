"""Sketches: what was counted of outcomes, as a file that is checked when it is read.

A sketch holds counts, never items. It is written line by line: what it is of, then each
part with its blocks, and last how many lines there are.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, astuple, dataclass, field
from fractions import Fraction
from operator import methodcaller
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np

from demur import checks
from demur.curves.blocks import AMOUNTS, Blocks, Cut
from demur.curves.counted import CountedPart
from demur.curves.counting import ItemKinds, Totals
from demur.engines.sketch_checks import (
    FORMAT,
    GROUP_LINES,
    MOST_BLOCK,
    MOST_LINE,
    VERSION,
    SketchPlace,
    check_head,
    check_least,
    check_plain,
    check_together,
    checked,
    checked_blocks,
    parsed,
)
from demur.errors import ParseError, shown
from demur.files import new_file
from demur.results import Column, FigureKind, Result, Table, count
from demur.version import __version__

NO_HASHES: Final = (
    "whether sketches share items cannot be seen here: no hashes of items are kept"
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Sketch(Result):
    """What was counted of some outcomes, without their items.

    Made by `demur.sketch`, or read from files by `demur.read_sketches`.

    Parameters
    ----------
    items : int
        How many rows were counted.
    by : tuple of str
        Columns that cut them into parts.
    fields : tuple of str
        Which of the columns with a meaning there are.
    data : tuple of str
        Of each table a hash of its items, in any order; of its counts, where items are
        mere numbers of rows.
    versions : tuple of str
        Of demur, which has counted.
    least_count : int
        How many guesses each block has at least, because few may tell of a person; 0
        if that was not asked for.
    hashes : tuple of str
        Hashes of some items, always the same ones; empty if none are kept.
    cuts : tuple of Cut
        How confidences were cut.
    parts : tuple of CountedPart
        Systems, settings and groups, with their totals.
    blocks : tuple of Blocks
        Of each part the guesses by confidence.
    clusters : tuple of int or None
        Into how many clusters the items of each part fall; None: each stands alone.
    recipe : mapping of str to str
        How the outcomes were read.
    """

    KINDS: ClassVar[tuple[FigureKind, ...]] = (
        count("items", "items"),
        count("n_blocks", "blocks of confidences", better="neither"),
    )

    items: int
    by: tuple[str, ...]
    fields: tuple[str, ...]
    data: tuple[str, ...]
    versions: tuple[str, ...] = (__version__,)
    least_count: int = 0
    hashes: tuple[str, ...] = field(default=(), repr=False)
    cuts: tuple[Cut, ...] = field(default=(), repr=False)
    parts: tuple[CountedPart, ...] = field(repr=False)
    clusters: tuple[int | None, ...] = field(repr=False)
    blocks: tuple[Blocks, ...] = field(repr=False)
    recipe: Mapping[str, str] = field(default_factory=dict)

    @property
    def n_blocks(self) -> int:
        """How many blocks all parts have."""
        return sum(map(len, self.blocks))

    @property
    def exact(self) -> bool:
        """Whether every confidence is counted apart, so that nothing has bounds."""
        return all(bool(blocks.single.all()) for blocks in self.blocks)

    def sentence(self) -> str:
        """How much was counted, and how finely."""
        how = "each of one confidence" if self.exact else "most of several confidences"
        parts = f"{len(self.parts)} part{'s' * (len(self.parts) > 1)}"
        kept = f"; hashes of {len(self.hashes)} items are kept" if self.hashes else ""
        return f"{self.items} items in {parts} and {self.n_blocks} blocks, {how}{kept}."

    def tables(self) -> tuple[Table]:
        """A row for each part."""
        columns = (
            Column("system"),
            *map(Column, self.by),
            Column("items", cells="count"),
            Column("guesses", cells="count"),
            Column("blocks", cells="count"),
        )
        rows = tuple(
            (
                part.system or None,
                *(part.group.get(name) for name in self.by),
                part.totals.items,
                part.totals.items - part.totals.unanswered,
                len(blocks),
            )
            for part, blocks in zip(self.parts, self.blocks, strict=True)
        )
        return (Table("", columns, rows, key=1 + len(self.by)),)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is not to be seen in it."""
        notes = () if self.hashes else (NO_HASHES,)
        if self.least_count:
            few = f"each block has at least {self.least_count} guesses"
            notes = (*notes, f"{few}; totals and counts of errors may be smaller")
        return notes

    def write(self, path: str | Path) -> None:
        """Write a file that `demur.read_sketches` and ``demur curve`` read.

        Parameters
        ----------
        path : str or Path
            Of the file, which is written over.
        """
        checks.path("write", path)
        with new_file(path) as file:
            n_lines = 0
            for line in _lines(self):
                file.write(line.encode())
                n_lines += 1
            file.write(f'{{"end": {n_lines}}}\n'.encode())


# -- writing ---------------------------------------------------------------------------


def _lines(sketch: Sketch) -> Iterator[str]:
    head = {
        FORMAT: VERSION,
        "demur": list(sketch.versions),
        "items": sketch.items,
        "by": list(sketch.by),
        "fields": list(sketch.fields),
        "recipe": dict(sketch.recipe),
        "data": list(sketch.data),
        "hashes": list(sketch.hashes),
        "cuts": [
            [_plain(cut.low), _plain(cut.high), _plain(cut.width)]
            for cut in sketch.cuts
        ],
        "least_count": sketch.least_count,
        "parts": len(sketch.parts),
    }
    yield json.dumps(head) + "\n"
    for part, clusters, blocks in zip(
        sketch.parts, sketch.clusters, sketch.blocks, strict=True
    ):
        yield json.dumps(part_table(part, clusters, len(blocks))) + "\n"
        ends = (map(_plain, array.tolist()) for array in (blocks.low, blocks.high))
        for low, high, amounts in zip(*ends, blocks.amounts.tolist(), strict=True):
            yield json.dumps([low, high, *amounts]) + "\n"


def part_table(
    part: CountedPart, clusters: int | None, n_blocks: int
) -> dict[str, Any]:
    """A part as plain values."""
    return {
        "system": part.system,
        "group": dict(part.group),
        "unit": str(part.unit),
        "totals": {name: int(n) for name, n in asdict(part.totals).items()},
        "declined": [int(amount) for amount in part.declined],
        "confident": part.confident,
        "became": _rows_of(part.became),
        "kinds": {kind: int(n) for kind, n in part.kinds.items()},
        "failed": part.failed,
        "partial": part.partial,
        "clusters": clusters,
        "blocks": n_blocks,
    }


def _rows_of(became: ItemKinds) -> list[list[int]]:
    """Each different thing that became of items, and how often."""
    columns = map(methodcaller("tolist"), astuple(became))
    return [[*map(int, row)] for row in zip(*columns, strict=True)]


def _plain(number: float) -> float | str:
    """A number as JSON has it; infinities are texts there."""
    return number if abs(number) < float("inf") else str(number)


# -- reading ---------------------------------------------------------------------------


def read_sketch(path: str | Path) -> Sketch:
    """The sketch in one file, checked throughout.

    Parameters
    ----------
    path : str or Path
        What `Sketch.write` or ``demur sketch`` has written.

    Raises
    ------
    ParseError
        If it is no sketch, of another version, cut off, or its counts do not add up;
        the message names file and line.
    """
    checks.path("read_sketch", path)
    try:
        with Path(path).open("rb") as file:
            lines = _SketchLines(str(path), file)
            sketch = _read(lines)
    except OSError as problem:
        need, got = "be a file that can be read", problem.strerror or str(problem)
        raise ParseError(str(path), "the sketch", need, got) from None
    return sketch


class _SketchLines:
    """The lines of a file, with where they stand."""

    def __init__(self, path: str, file: Any) -> None:
        self.place = SketchPlace(path)
        self._file = file

    def next(self, most: int = MOST_LINE) -> bytes:
        line: bytes = self._file.readline(most + 1)
        self.place.line += 1
        if self.place.line == 1:
            check_plain(self.place, line)
        if len(line) > most:
            raise self.place.error("the line", f"hold at most {most} bytes", "more")
        if not line.endswith(b"\n"):
            hint = "It was cut off: copy it again."
            got = "the end of the file" if not line else "a part of a line"
            raise self.place.error("the sketch", "go on to its last line", got, hint)
        return line


def _read(lines: _SketchLines) -> Sketch:
    head = checked(lines.place, "head", parsed(lines.place, lines.next()))
    check_head(lines.place, head)
    parts, clusters, blocks = [], [], []
    for _ in range(head.pop("parts")):
        part, n_clusters, n_blocks = _part_of(lines)
        parts.append(part)
        clusters.append(n_clusters)
        first = lines.place.line + 1
        blocks.append(_blocks_of(lines, n_blocks))
        check_together(lines.place, part, n_clusters, blocks[-1])
        check_least(lines.place, head["least_count"], first, blocks[-1])
    before = lines.place.line
    end = checked(lines.place, "end", parsed(lines.place, lines.next()))
    if end["end"] != before:
        raise lines.place.error("end", f"be {before}, the lines above", str(end["end"]))
    if lines._file.read(1):
        raise lines.place.error("the sketch", "end here", "further lines")
    _check_parts(lines.place, head, parts)
    head.pop(FORMAT)
    cuts = tuple(Cut(*cut) for cut in head.pop("cuts"))
    versions = head.pop("demur")
    return Sketch(
        parts=tuple(parts),
        clusters=tuple(clusters),
        blocks=tuple(blocks),
        cuts=cuts,
        versions=versions,
        **head,
    )


def _part_of(lines: _SketchLines) -> tuple[CountedPart, int | None, int]:
    table = checked(lines.place, "part", parsed(lines.place, lines.next()))
    totals = Totals(**checked(lines.place, "totals", table.pop("totals")))
    n_blocks, unit = table.pop("blocks"), Fraction(table.pop("unit"))
    clusters = table.pop("clusters")
    table["became"] = _item_kinds(table["became"])
    return CountedPart(totals=totals, unit=unit, **table), clusters, n_blocks


def _item_kinds(rows: list[list[int]]) -> ItemKinds:
    outcome, *flags, times = np.array(rows, np.int64).T
    given, hopeless, empty = (flag.astype(bool) for flag in flags)
    return ItemKinds(outcome.astype(np.uint8), given, hopeless, empty, times)


def _blocks_of(lines: _SketchLines, n_blocks: int) -> Blocks:
    """The blocks of a part, many lines at a time."""
    listed = [Blocks(np.empty(0), np.empty(0), np.empty((0, len(AMOUNTS)), np.int64))]
    for start in range(0, n_blocks, GROUP_LINES):
        first = lines.place.line + 1
        some = [
            lines.next(MOST_BLOCK) for _ in range(min(GROUP_LINES, n_blocks - start))
        ]
        listed.append(checked_blocks(lines.place, first, some, listed[-1]))
    return Blocks(
        *(
            np.concatenate([getattr(blocks, name) for blocks in listed])
            for name in ("low", "high", "amounts")
        )
    )


def _check_parts(
    place: SketchPlace, head: Mapping[str, Any], parts: list[CountedPart]
) -> None:
    """Raise unless the parts are different ones, and are all items."""
    seen = set[tuple[str, ...]]()
    for part in parts:
        if tuple(part.group) != head["by"]:
            got = ", ".join(part.group) or "none"
            raise place.error("the groups of a part", "be those of the head", got)
        key = part.system, *part.group.values()
        if key in seen:
            got = f"{shown(', '.join(key))} twice"
            raise place.error("the parts", "be different ones", got)
        seen.add(key)
        worth = {"weight", "credit"} & {*head["fields"]} or part.partial
        if part.unit != 1 and not worth:
            need = "be 1 where fields have no weight and no credit"
            raise place.error("the unit of a part", need, str(part.unit))
    items = sum(part.totals.items for part in parts)
    if items != head["items"]:
        need = f"be {items}, as many as those of its parts"
        raise place.error("items", need, str(head["items"]))
