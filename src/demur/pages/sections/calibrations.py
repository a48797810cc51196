"""Calibration: how often guesses of each stated confidence are right."""

from collections.abc import Sequence

from demur.calibration.calibrating import Calibration
from demur.decisions.choice_tables import FEW
from demur.figures.calibrations import calibration_picture
from demur.pages.parts import PageTable, Section, Source, distinct, names_of
from demur.pages.svg import drawn
from demur.results import NONE


def section(calibrations: Sequence[Calibration], source: Source) -> Section:
    """What the stated confidences are worth."""
    systems = [each.system for each in calibrations]
    names, looks = names_of(systems), source.looks_of(systems)
    stated = [each for each in calibrations if each.brier is not None]
    shown = any(
        each.reliability is not None and each.reliability.stated
        for each in calibrations
    )
    return Section(
        heading="Calibration",
        sentence=_sentence(calibrations, names),
        pictures=drawn(calibration_picture(calibrations, looks=looks, curves=False))
        if shown
        else (),
        grids=(_scores(stated), _blocks(calibrations, names)) if stated else (),
        notes=distinct(
            [
                [f"{name}: {note}" for note in each.notes]
                for each, name in zip(calibrations, names, strict=True)
            ]
        ),
        signatures=distinct([[each.signature] for each in calibrations]),
        source=source.line("curve", "demur.calibration_by(outcomes)", "--calibration"),
        lines=tuple(
            line
            for line, each in zip(
                zip(names, looks, strict=True), calibrations, strict=True
            )
            if each.reliability is not None and each.reliability.stated
        ),
    )


def _sentence(calibrations: Sequence[Calibration], names: Sequence[str]) -> str:
    split = [
        (each.brier.miscalibration, name)
        for each, name in zip(calibrations, names, strict=True)
        if each.brier is not None
    ]
    if len(split) > FEW:
        (least, best), (most, worst) = min(split), max(split)
        return (
            f"Recalibrating would take least off the Brier score of {best} "
            f"({least:.4f}) and most off that of {worst} ({most:.4f})."
        )
    said = []
    for each, name in zip(calibrations, names, strict=True):
        if each.brier is None:
            said.append(
                f"{name} states no probabilities, so there is nothing to calibrate."
            )
            continue
        off = each.brier.miscalibration
        sure = each.brier.p_calibrated
        luck = (
            ""
            if sure is None
            else ", which luck may explain"
            if sure > 1 - each.brier.level
            else ", beyond luck"
        )
        said.append(
            f"{name}: recalibrating would take {off:.4f} off a Brier score of "
            f"{each.brier.brier:.4f}{luck}."
        )
    return " ".join(said)


def _scores(calibrations: Sequence[Calibration]) -> PageTable:
    rows = []
    for each, name in zip(
        calibrations, names_of([each.system for each in calibrations]), strict=True
    ):
        split = each.brier
        if split is None:
            continue
        parts = (
            split.brier,
            split.miscalibration,
            split.discrimination,
            split.uncertainty,
        )
        sure = NONE if split.p_calibrated is None else f"{split.p_calibrated:.2g}"
        rows.append((name, str(split.items), *(f"{part:.4f}" for part in parts), sure))
    header = ["system", "guesses", "Brier", "miscalibration", "discrimination"]
    header += ["uncertainty", "p of calibrated"]
    caption = "Brier score = miscalibration - discrimination + uncertainty"
    return PageTable(caption, tuple(header), tuple(rows))


def _blocks(calibrations: Sequence[Calibration], names: Sequence[str]) -> PageTable:
    rows = [
        (
            name,
            f"{block.low:.3f} to {block.high:.3f}",
            str(block.count),
            f"{block.estimate:.3f}",
        )
        for each, name in zip(calibrations, names, strict=True)
        if each.reliability is not None
        for block in each.reliability.blocks
    ]
    header = ("system", "confidence", "guesses", "right")
    return PageTable(
        "How often guesses of each confidence are right", header, tuple(rows)
    )
