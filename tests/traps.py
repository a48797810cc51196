"""Tables in which engines could go astray, and what each of them makes of one."""

import dataclasses
import datetime
import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from pyarrow import csv, parquet

import demur
from demur.curves.blocks import Blocks
from demur.curves.counted import CountedPart
from demur.curves.counted_outcomes import CountedOutcomes
from demur.outcomes.fields import OUTCOMES

BY: tuple[tuple[str, ...], ...] = (
    (),
    ("topic", "Topic", "when"),
    ("whole", "flag", "odd . name"),
)
"""Columns that cut the table of traps into groups."""

WHERE: tuple[dict[str, Any], ...] = (
    {"topic": ["it's", "back\\slash"], "Topic": "A", "odd . name": ["", "é"]},
    {"when": "2026-03-29 00:30:00.000001+00:00", "whole": 2**53 + 1, "flag": "true"},
)
"""Which rows of it are wanted."""

_UTC = datetime.timezone.utc  # noqa: UP017  (what a zone is called)

_TIMES = (
    datetime.datetime(2026, 3, 29, 0, 30, 0, 1, _UTC),
    datetime.datetime(2026, 3, 29, 1, 30, 0, 1, _UTC),  # an hour that Berlin skips
    datetime.datetime(1969, 12, 31, 23, 59, 59, 999_999, _UTC),
    None,
)


def trap_table(seed: int = 0, n: int = 400) -> pyarrow.Table:
    """Ties, zeros of two signs, infinities, gaps, names that differ in case only."""
    rng = np.random.default_rng(seed)
    outcome = rng.choice(["right", "wrong", "unanswered", "ungraded"], n)
    levels = [
        -np.inf,
        -2.5,
        -0.0,
        0.0,
        0.1,
        0.25,
        0.3,
        1 / 3,
        0.7,
        1e-300,
        5e300,
        np.inf,
    ]
    confidence = rng.choice(levels, n)
    confidence[rng.random(n) < 0.3] = rng.random()
    columns = {
        "item": pyarrow.array(2**63 - 1 - rng.permutation(n)),
        "system": pyarrow.array(rng.choice(["a", "A", "ä"], n)),
        "outcome": pyarrow.array(outcome),
        "confidence": pyarrow.array(confidence, mask=outcome == "unanswered"),
        "weight": pyarrow.array(rng.choice([1.0, 0.5, 2.25, 0.1], n)),
        "credit": _some(rng.choice([1.0, 0.5, 0.3], n), outcome == "right"),
        "answerable": pyarrow.array((rng.random(n) < 0.8) | ~_may_be_hopeless(outcome)),
        "declined": pyarrow.array((rng.random(n) < 0.2) | (outcome == "unanswered")),
        "topic": pyarrow.array(rng.choice(["x", "it's", "back\\slash", ""], n)),
        "Topic": pyarrow.array(rng.choice(["A", "b\\n", '"quoted"'], n)),
        "when": pyarrow.array(
            [_TIMES[one] for one in rng.integers(len(_TIMES), size=n)],
            pyarrow.timestamp("us", "UTC"),
        ),
        "whole": pyarrow.array(rng.choice([2**53, 2**53 + 1, -1], n)),
        "flag": pyarrow.array(rng.random(n) < 0.5),
        "odd . name": _some(rng.choice(["`", "é"], n), rng.random(n) < 0.5),
    }
    return pyarrow.table(columns)


def _may_be_hopeless(outcome: Any) -> Any:
    return (outcome == "wrong") | (outcome == "unanswered")


def _some(values: Any, given: Any) -> pyarrow.Array:
    return pyarrow.array(values.tolist(), mask=~np.asarray(given))


def plain_table(seed: int, n: int = 30) -> pyarrow.Table:
    """Few columns, some of them missing in some tables."""
    rng = np.random.default_rng(seed)
    table = trap_table(seed, n)
    kept = [
        one
        for one in ("weight", "credit", "answerable", "declined")
        if rng.random() < 0.5
    ]
    return table.select(["item", "system", "outcome", "confidence", *kept, "topic"])


def written(table: pyarrow.Table, path: Path) -> str:
    """The path of a table that was written as the ending says."""
    if path.suffix == ".parquet":
        parquet.write_table(table, path, row_group_size=64)
    else:
        csv.write_csv(table, path)
    return str(path)


def assert_same(
    counted: CountedOutcomes, expected: CountedOutcomes, by: tuple[str, ...] = ()
) -> None:
    """Counts that are equal bit for bit, and rates to the last digit."""
    mine, theirs = counted.counts(by), expected.counts(by)
    places = {_name(part): place for place, part in enumerate(mine.parts)}
    assert {*places} == {_name(part) for part in theirs.parts}
    for there, part in enumerate(theirs.parts):
        here = places[_name(part)]
        other = mine.parts[here]
        assert (other.kinds, other.partial) == (part.kinds, part.partial)
        assert _sums(other) == _sums(part)
        blocks, wanted = mine.blocks(here), theirs.blocks(there)
        assert blocks.low.tolist() == wanted.low.tolist()
        assert blocks.high.tolist() == wanted.high.tolist()
        assert _amounts(other, blocks) == _amounts(part, wanted)
    groups = [one for one in by if one != "system"]
    curves = {_named(one): one for one in demur.curve_by(counted, by=groups)}
    for curve in demur.curve_by(expected, by=groups):
        assert _numbers(curves[_named(curve)]) == _numbers(curve)


def _sums(part: CountedPart) -> tuple[list[int], list[int]]:
    """Numbers of items; and amounts, in the largest unit of which all are multiples."""
    totals = dataclasses.asdict(part.totals)
    counts = [totals.pop(one) for one in ("items", *OUTCOMES)]
    return counts, _reduced([*totals.values(), *part.declined])


def _reduced(amounts: list[int]) -> list[int]:
    return [one // (math.gcd(*amounts) or 1) for one in amounts]


def _amounts(part: CountedPart, blocks: Blocks) -> tuple[list[Any], list[int]]:
    counts, amounts = np.split(blocks.amounts, [4], axis=1)
    return counts.tolist(), _reduced([part.totals.weight, *amounts.ravel().tolist()])


def _name(part: CountedPart) -> tuple[Any, ...]:
    return part.system, tuple(part.group.items())


def _named(curve: demur.Curve) -> tuple[Any, ...]:
    return curve.system, tuple(curve.group.items())


def _numbers(curve: demur.Curve) -> dict[str, Any]:
    return {key: value for key, value in curve.to_dict().items() if key != "signature"}
