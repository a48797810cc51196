"""Agreement: the coefficients, who disagrees, on what, and judges against people."""

from collections.abc import Sequence
from dataclasses import replace

from demur.agreement.agreeing import Agreement
from demur.pages.parts import PageTable, Section, Source, distinct
from demur.pages.svg import drawn
from demur.results import NONE, rate


def section(found: Sequence[Agreement], source: Source) -> Section:
    """How far annotators agree, one set of tables for each agreement."""
    return Section(
        heading="Agreement",
        sentence=" ".join(map(_sentence, found)),
        pictures=tuple(
            svg
            for number, agreement in enumerate(found)
            for picture in agreement.pictures()
            for svg in drawn(replace(picture, name=f"agreement-{number}"))
        ),
        grids=tuple(grid for each in found for grid in _grids(each)),
        notes=distinct([each.notes for each in found]),
        signatures=distinct([[each.signature] for each in found]),
        source=source.line("agree", "demur.agreement(annotations)"),
    )


def _sentence(found: Agreement) -> str:
    first = found.coefficients[0]
    if first.value is None:
        return f"{first.name} is undefined: {first.undefined}"
    between = ""
    if first.interval is not None:
        between = f" ({first.interval[0]:.3f} to {first.interval[1]:.3f})"
    return (
        f"{first.name} is {first.value:.3f}{between}, of {found.annotators} annotators "
        f"and {found.compared} units with two labels or more."
    )


def _grids(found: Agreement) -> list[PageTable]:
    grids = [_coefficients(found), _annotators(found), _labels(found)]
    if found.judges:
        grids.append(_judges(found))
    return [grid for grid in grids if grid.rows]


def _coefficients(found: Agreement) -> PageTable:
    rows = tuple(
        (
            each.name,
            NONE if each.value is None else f"{each.value:.4f}",
            *(
                [NONE] * 2
                if each.interval is None
                else [f"{end:.4f}" for end in each.interval]
            ),
            each.undefined or NONE,
        )
        for each in found.coefficients
    )
    header = ("coefficient", "value", "from", "to", "undefined because")
    return PageTable("1 is full agreement, 0 what chance gives", header, rows)


def _annotators(found: Agreement) -> PageTable:
    rows = tuple(
        (
            each.annotator,
            str(each.count),
            rate(each.distance),
            rate(each.alpha_without),
        )
        for each in found.by_annotator
    )
    header = ("annotator", "labels", "distance to others", "alpha without")
    return PageTable("Who disagrees", header, rows)


def _labels(found: Agreement) -> PageTable:
    rows = tuple(
        (
            str(each.label),
            str(each.count),
            rate(each.agreed),
            NONE if each.confused_with is None else str(each.confused_with),
            rate(each.confused),
        )
        for each in found.by_label
    )
    header = (
        "label",
        "times",
        "another says so too",
        "most often instead",
        "how often",
    )
    return PageTable("On what annotators disagree", header, rows)


def _judges(found: Agreement) -> PageTable:
    rows = []
    for each in found.judges:
        shares = (each.sensitivity, each.specificity)
        rows.append(
            (
                each.judge,
                NONE if each.group is None else str(each.group),
                str(each.units),
                rate(each.key_rate),
                rate(each.judge_rate),
                *(
                    NONE if s is None else f"{s[0]:.3f} ({s[1]:.3f} to {s[2]:.3f})"
                    for s in shares
                ),
            )
        )
    errors = ("error by the key", "error by the judge")
    header = ("judge", "group", "units", *errors, "sensitivity", "specificity")
    return PageTable("Judges against the key", header, tuple(rows))
