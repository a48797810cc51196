"""Which labels a system takes for which: the confusion matrix, in shares of rows."""

from dataclasses import replace

import numpy as np

from demur.figures.looks import row_axis
from demur.metrics.measuring_labels import LabelScores
from demur.results.pictures import Matrix, Panel, Picture

MOST_LABELS = 20
"""Of more labels those that take part in most confusions are shown."""

_OTHER, _DECLINED = "(other)", "(declined)"


def confusion_picture(scores: LabelScores) -> Picture:
    """Shares of the items of each label that were given each label."""
    kept, columns = _shown(scores)
    place = {name: number for number, name in enumerate(kept)}
    counts = np.zeros((len(kept), len(columns)))
    of_label = {one.label: one for one in scores.classes}
    for name, row in place.items():
        counts[row, row] = of_label[name].right
    for pair in scores.confused:
        if pair.true in place:
            # Behind the labels stand others, if any, and last what was declined.
            column = -1 if pair.given is None else place.get(pair.given, len(kept))
            counts[place[pair.true], column] += pair.items
    size = np.array([of_label[name].true for name in kept], float)[:, None]
    shares = np.divide(counts, size, out=np.zeros_like(counts), where=size > 0)
    few = len(kept) < len(scores.classes)
    which = f"the {len(kept)} that take part in most confusions" if few else "all"
    across = row_axis(columns)
    return Picture(
        "confusions",
        "Labels that are confused",
        "Rows are true labels, columns what their items were given, in shares of the "
        f"row; {which} of {len(scores.classes)} labels.",
        (
            Panel(
                (Matrix(shares),),
                replace(across, low=across.high, high=across.low),
                replace(row_axis(kept), label="true label"),
                title="label that was given",
            ),
        ),
        (3.2 + 0.28 * len(columns), 1.8 + 0.26 * len(kept)),
    )


def _shown(scores: LabelScores) -> tuple[list[str], list[str]]:
    """Labels of rows, and those of columns, which have more."""
    names = [one.label for one in scores.classes]
    part = dict.fromkeys(names, 0)
    for pair in scores.confused:
        part[pair.true] += pair.items
        if pair.given is not None:
            part[pair.given] += pair.items
    first = set(sorted(names, key=lambda name: -part[name])[:MOST_LABELS])
    kept = [name for name in names if name in first]
    others = [_OTHER] if len(kept) < len(names) else []
    return kept, [*kept, *others, *([_DECLINED] if scores.declined else [])]
