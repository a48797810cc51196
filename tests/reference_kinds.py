"""A slow plain twin of cutoffs by kind: every vector, every whole by itself.

A row is (whole, kind, confidence or None, outcome); a vector maps kinds to cutoffs,
None where nothing of a kind is returned.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

Row = tuple[str, str, float | None, str]
Vector = Mapping[str, float | None]


def returned(row: Row, vector: Vector) -> bool:
    _, kind, confidence, outcome = row
    cutoff = vector.get(kind)
    if outcome == "unanswered" or confidence is None or cutoff is None:
        return False
    return confidence >= cutoff


def whole_error(rows: Sequence[Row], vector: Vector, kind: str = "") -> Fraction:
    """Wholes with a bad returned part, of one kind if it is named / all wholes."""
    bad = {
        row[0]
        for row in rows
        if row[3] in ("wrong", "ungraded")
        and returned(row, vector)
        and kind in ("", row[1])
    }
    return Fraction(len(bad), len({row[0] for row in rows}))


def withheld(rows: Sequence[Row], vector: Vector, kind: str = "") -> Fraction:
    """Parts withheld / all parts, of one kind if it is named."""
    those = [row for row in rows if kind in ("", row[1])]
    out = [row for row in those if not returned(row, vector)]
    return Fraction(len(out), len(those))


def cost(rows: Sequence[Row], vector: Vector, costs: Mapping[str, int]) -> int:
    """What the withheld parts cost together."""
    out = [row for row in rows if not returned(row, vector)]
    return sum(costs.get(row[1], 1) for row in out)


def vectors(rows: Sequence[Row]) -> Iterator[Vector]:
    kinds = sorted({row[1] for row in rows})
    cutoffs: list[list[float | None]] = [
        [*sorted({r[2] for r in rows if r[1] == kind and r[2] is not None}), None]
        for kind in kinds
    ]
    for chosen in product(*cutoffs):
        yield dict(zip(kinds, chosen, strict=True))


def least_cost(
    rows: Sequence[Row], target: Fraction, costs: Mapping[str, int], *, common: bool
) -> int:
    """The least cost of a vector with so few errors; of one cutoff for all kinds."""
    tried: Iterator[Vector] | list[Vector] = vectors(rows)
    if common:
        kinds = {row[1] for row in rows}
        seen = [*{row[2] for row in rows if row[2] is not None}, None]
        tried = [dict.fromkeys(kinds, cutoff) for cutoff in seen]
    return min(
        cost(rows, vector, costs)
        for vector in tried
        if whole_error(rows, vector) <= target
    )
