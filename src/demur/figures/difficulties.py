"""Markables by items and entropy, and scores against the difficulty of a task."""

from typing import Final

import numpy as np

from demur.difficulty.measuring import Difficulty
from demur.difficulty.scaling import Scalability
from demur.figures.looks import axis_around
from demur.results.pictures import Axis, Dots, Entry, Level, Line, Mark, Panel, Picture
from demur.results.text import short_names

_NAMED: Final = 8
"""So many markables with most bits in all have their names."""

_AXES: Final = {
    "entropy": "difficulty (bits per item)",
    "baseline": "proportional baseline (share of items)",
    "perplexity": "perplexity (equally likely values)",
    "total_bits": "total bits",
}


def difficulty_picture(difficulty: Difficulty) -> Picture:
    """Each markable by its items and its entropy."""
    markables = difficulty.per_markable
    items = np.array([markable.items for markable in markables], float)
    bits = np.array([markable.entropy for markable in markables])
    hardest = np.argsort(-items * bits, kind="stable")[:_NAMED]
    names = tuple(short_names([markables[place].markable])[0] for place in hardest)
    named = Dots(items[hardest], bits[hardest], 0, "o", 4, faint=True, words=names)
    words = f"task: {difficulty.entropy:.2f} bits"
    panel = Panel(
        (
            Dots(items, bits, 0, "o", 4, faint=True),
            named,
            Level(difficulty.entropy, "y", 1, words),
        ),
        Axis("items", items.min() / 1.6, 2.2 * items.max(), log=True),
        Axis("entropy of the markable (bits)", 0, 1.08 * max(bits.max(), 0.1)),
    )
    return Picture(
        "difficulty",
        "Markables by items and entropy",
        "A dot for each markable: how often it occurs, and how many bits are left to "
        "decide. The level is that of the whole task.",
        (panel,),
        (6.4, 4.6),
    )


def scalability_picture(scalability: Scalability) -> Picture:
    """The score of each system against the difficulty of each version."""
    points = scalability.points
    x_of = {point.version: getattr(point, scalability.x) for point in points}
    systems = list(dict.fromkeys(point.system for point in points))
    marks: list[Mark] = [
        Level(x, "x", "region", name)
        for name, x in zip(short_names(list(x_of)), x_of.values(), strict=True)
    ]
    names: list[Entry] = []
    ends: list[float] = []
    labels = short_names([system or "system" for system in systems])
    for look, system in enumerate(systems):
        places = sorted(
            (x_of[point.version], point.score, point.interval)
            for point in points
            if point.system == system and point.score is not None
        )
        x, y = np.array([place[:2] for place in places], float).reshape(-1, 2).T
        marks += [Line(x, y, look, name=labels[look])]
        spread = [(place, bounds) for place, _, bounds in places if bounds is not None]
        for place, bounds in spread:
            ends += bounds
            marks.append(Line(np.array([place, place]), np.array(bounds), look, "thin"))
        marks.append(Dots(x, y, look))
        ends += y.tolist()
        names.append(Entry(labels[look], (marks[-1], Line(x, y, look))))
    return Picture(
        "scalability",
        "Scores against difficulty",
        f"{scalability.y} of each system against {scalability.x} of each version of "
        "the task. The table has the numbers.",
        (
            Panel(
                tuple(marks),
                axis_around(_AXES[scalability.x], x_of.values(), 0.08),
                axis_around(scalability.y, ends, 0.12),
                names=tuple(names),
                signs_title=f"bars: {100 * scalability.level:g} % intervals",
            ),
        ),
        (6.4, 4.8),
        systems=tuple(systems),
    )
