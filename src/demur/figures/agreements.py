"""Which labels annotators confuse, and how far each annotator is from the others."""

from dataclasses import replace
from typing import Any

import numpy as np

from demur.agreement.agreeing import Agreement
from demur.errors import UndefinedRate
from demur.figures.looks import row_axis
from demur.results.pictures import Axis, Bars, Matrix, Panel, Picture


def agreement_picture(agreement: Agreement) -> Picture:
    """Coincidences of labels, and the mean distance of each annotator to the others."""
    if not agreement.by_label:
        raise UndefinedRate(
            "no unit has two labels to compare.", where="plot_agreement"
        )
    return Picture(
        "agreement",
        "Labels that annotators confuse",
        "Rows are what one annotator gave, columns what another gave the same unit; "
        "beside it the mean distance of each annotator to the others.",
        (_coincidences(agreement), _annotators(agreement)),
        (9.6, 4.4),
        2,
    )


def _coincidences(agreement: Agreement) -> Panel:
    labels = row_axis([_name(label) for label, _ in agreement.coincidences])
    shares = np.array([row for _, row in agreement.coincidences])
    return Panel(
        (Matrix(shares),),
        replace(labels, low=labels.high, high=labels.low),
        replace(labels, label="if one annotator said"),
        title="what another one said",
    )


def _annotators(agreement: Agreement) -> Panel:
    known = [a for a in agreement.by_annotator if a.distance is not None]
    distances = np.array([annotator.distance or 0.0 for annotator in known])
    words = tuple(f"{distance:.3f}" for distance in distances)
    most = float(max(distances)) or 1.0
    return Panel(
        (Bars(np.arange(1.0 * len(known)), distances, 1, lying=True, words=words),),
        Axis("mean distance of labels of the same units", 0.0, 1.2 * most),
        row_axis([annotator.annotator for annotator in known]),
        title=f"distance to the others ({agreement.metric})",
    )


def _name(label: Any) -> str:
    if isinstance(label, frozenset):
        return "{" + ", ".join(sorted(map(str, label))) + "}"
    return str(label)
