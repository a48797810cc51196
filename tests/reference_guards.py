"""Slow plain twins of rechecks, rates by group and pooled folds, by definition."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, takewhile

import reference
from reference import Row

# -- bounds ------------------------------------------------------------------------


def at_most(k: int, n: int, rate: float) -> float:
    """Chance of at most k errors."""
    wrong, right = math.log(rate), math.log1p(-rate)
    return sum(
        math.exp(log_ways(n, i) + i * wrong + (n - i) * right) for i in range(k + 1)
    )


def log_ways(n: int, k: int) -> float:
    """Of choosing k of n: the number itself is soon beyond what a float holds."""
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def clopper_pearson(k: int, n: int, certainty: float) -> tuple[float, float]:
    """One-sided bounds, by bisection of the definition."""
    upper = 1.0 if k == n else bisect(lambda r: at_most(k, n, r) > 1 - certainty)
    lower = (
        0.0 if k == 0 else bisect(lambda r: 1 - at_most(k - 1, n, r) < 1 - certainty)
    )
    return lower, upper


def bisect(below) -> float:  # type: ignore[no-untyped-def]
    low, high = 0.0, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) else (low, middle)
    return high


def wilson(share: float, size: float, z: float) -> tuple[float, float]:
    """Rates that are just z standard errors, their own, from the share."""

    def far(rate: float) -> bool:
        return (share - rate) ** 2 > z**2 * rate * (1 - rate) / size

    low = 0.0 if share == 0 else bisect(lambda r: r < share and far(r))
    high = 1.0 if share == 1 else bisect(lambda r: r < share or not far(r))
    return low, high


# -- drift -------------------------------------------------------------------------


def fisher(k1: int, n1: int, k2: int, n2: int) -> float:
    """Chance, given all margins, of a table no likelier than the one seen."""
    both = k1 + k2

    def chance(k: int) -> Fraction:
        ways = math.comb(n1, k) * math.comb(n2, both - k)
        return Fraction(ways, math.comb(n1 + n2, both))

    possible = range(max(0, both - n2), min(both, n1) + 1)
    return float(sum(chance(k) for k in possible if chance(k) <= chance(k1)))


def mix(rows: Sequence[Row], edges: Sequence[float]) -> list[int]:
    """Items without a guess, then guesses below, between and from the edges on."""
    counts = [0] * (len(edges) + 2)
    for row in rows:
        if row.guessed:
            counts[1 + sum(row.confidence >= edge for edge in edges)] += 1
        else:
            counts[0] += 1
    return counts


# -- who gets declined -------------------------------------------------------------


def declining(rows: Sequence[Row], answered: Sequence[bool]) -> dict[str, Fraction]:
    """Weight of each fate, every item in its own box; half credits are halves."""
    boxes = dict.fromkeys(
        (
            *("items", "answered", "declined", "error", "rightly_declined"),
            *("over_declined", "no_guess", "declined_ungraded"),
        ),
        Fraction(0),
    )
    for row, given in zip(rows, answered, strict=True):
        boxes["items"] += row.weighs
        boxes["answered" if given else "declined"] += row.weighs
        if given:
            loss = Fraction(1) if row.outcome == "ungraded" else 1 - row.earned
            boxes["error"] += row.weighs * loss
        elif row.outcome == "ungraded":
            boxes["declined_ungraded"] += row.weighs
        elif row.guessed:
            boxes["over_declined"] += row.weighs * row.earned
            boxes["rightly_declined"] += row.weighs * (1 - row.earned)
        else:
            box = "no_guess" if row.answerable else "rightly_declined"
            boxes[box] += row.weighs
    return boxes


# -- folds -------------------------------------------------------------------------


def error_at(rows: Sequence[Row], nonreturn: Fraction) -> Fraction:
    """Error, ungraded ones included, linear between vertices; level left of them."""
    points = [
        (vertex["nonreturn"], vertex["error"] + vertex["ungraded"])
        for vertex in reference.vertices(rows)
    ]
    if nonreturn <= points[0][0]:
        return points[0][1]
    for (x0, y0), (x1, y1) in pairwise(points):
        if nonreturn <= x1:
            return y0 + (y1 - y0) * (nonreturn - x0) / (x1 - x0)
    raise AssertionError


def average_area(folds: Sequence[Sequence[Row]]) -> Fraction:
    """Area under the average, by weight, of the folds' curves, piece by piece."""
    bends = {
        vertex["nonreturn"] for rows in folds for vertex in reference.vertices(rows)
    }
    grid = sorted({Fraction(0), *bends})
    total = sum(reference.total(rows) for rows in folds)

    def mean(x: Fraction) -> Fraction:
        parts = (reference.total(rows) * error_at(rows, x) for rows in folds)
        return sum(parts, Fraction(0)) / total

    heights = [mean(x) for x in grid]
    pairs = grid[:-1], grid[1:], heights[:-1], heights[1:]
    pieces = ((x1 - x0) * (y0 + y1) / 2 for x0, x1, y0, y1 in zip(*pairs, strict=True))
    return sum(pieces, Fraction(0))


def mid_ranks(rows: Sequence[Row]) -> list[Fraction | None]:
    """Share of the weight ranked below each guess, ties and itself counting half."""
    total = reference.total(rows)
    ranks: list[Fraction | None] = []
    for row in rows:
        below = [
            other
            for other in rows
            if not other.guessed or (row.guessed and other.confidence < row.confidence)
        ]
        tied = [
            other
            for other in rows
            if other.guessed and row.guessed and other.confidence == row.confidence
        ]
        share = (reference.total(below) + reference.total(tied) / 2) / total
        ranks.append(share if row.guessed else None)
    return ranks


def error_by_labels(cells, *, cutoff, of):
    """The error at a cutoff, where labels stand for others; None without a label.

    Cells are (outcome, confidence, what a label stands for). What labels stand for is
    added up answer by answer (Horvitz and Thompson), over what they stand for in all
    (Hajek), times the share that is answered.
    """
    answered = lost = whole = 0
    for outcome, confidence, stands in cells:
        if outcome == "unanswered" or confidence < cutoff:
            continue
        answered += 1
        if outcome != "unlabelled":
            whole += stands
            lost += stands * (outcome != "right")
    if not whole:
        return None
    return lost / whole * (answered / len(cells) if of == "all" else 1)


def carried_down(
    wrong: Sequence[bool], answered: Sequence[int], target: float, risk: float
) -> int:
    """How many of the surest items are answered by twenty starts that share a risk.

    Item by item: ``wrong`` from the surest down, ``answered`` at each cutoff.
    """
    if not answered:
        return 0

    def passes_by_luck(items: int, share: float) -> float:
        chances = (at_most(k, items, target) for k in range(items + 1))
        return max(takewhile(lambda chance: chance <= share, chances), default=0.0)

    brings = dict.fromkeys(answered, 0.0)
    for twentieth in range(1, 21):
        start = min(a for a in answered if 20 * a >= twentieth * answered[-1])
        brings[start] = passes_by_luck(start, risk / 20)
    left = risk - sum(brings.values())
    extra = start_of_what_is_left(answered[-1], target, left)
    for start in [a for a in answered if a >= extra][:1]:
        brings[start] += left
    lowest, carried = 0, 0.0
    for cutoff in answered:
        carried += brings[cutoff]
        if carried and at_most(sum(wrong[:cutoff]), cutoff, target) <= carried:
            lowest = cutoff
        else:
            carried = 0.0
    return lowest


def start_of_what_is_left(guesses: int, target: float, risk: float) -> int:
    """Three times as many as pass with none wrong, at most half; or as good fewer."""

    def errors(items: int) -> int:
        return next(k for k in range(items + 1) if at_most(k, items, target) > risk)

    least = next(n for n in range(1, 10**6) if errors(n))
    wanted = max(least, min(3 * least, guesses // 2))
    return next(n for n in range(least, wanted + 1) if errors(n) >= errors(wanted))


def bonferroni(
    wrong: Sequence[bool], answered: Sequence[int], target: float, risk: float
) -> int:
    """How many twenty equal cutoffs answer with a twentieth of the risk each."""
    starts = {
        min(a for a in answered if 20 * a >= twentieth * answered[-1])
        for twentieth in range(1, 21)
    }
    passed = [a for a in starts if at_most(sum(wrong[:a]), a, target) <= risk / 20]
    return max(passed, default=0)
