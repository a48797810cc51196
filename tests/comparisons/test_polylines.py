"""Signs of differences too small for floating point."""

from fractions import Fraction

import numpy as np
import pytest

from demur.comparisons.polylines import Polyline, PolylinePair, excess, pair_of, pieces

WIDTH, TOP = 2**41 - 21, 2**41 - 23  # no common factor


@pytest.mark.parametrize("by", [-1, 1])
def test_one_part_in_the_square_of_the_unit_decides(by: int) -> None:
    # The line from (0, TOP) to (WIDTH, 0) passes a grid point at x by / WIDTH.
    x = (pow(TOP, -1, WIDTH) * by) % WIDTH
    y = Fraction(TOP * (WIDTH - x) + by, WIDTH)
    assert y.denominator == 1
    line = Polyline(np.array([0, WIDTH]), np.array([TOP, 0]))
    bent = Polyline(np.array([0, x, WIDTH]), np.array([TOP, int(y), 0]))
    pair = pair_of(bent, line, over=(WIDTH, WIDTH), slack=0)
    assert not pair.short
    assert np.sign(excess(pair, "linear")[1]).tolist() == [0, by, 0]
    assert pieces(pair, "linear")[2] == [by]
    assert pieces(PolylinePair(line, bent, WIDTH, 0.0), "linear")[2] == [-by]
