"""Contrasts: what other fields print of the same counts."""

from collections.abc import Sequence

import numpy as np

from demur.curves.contrasts import AURC_DEFINITIONS, Contrast
from demur.pages.parts import PageTable, Section, Source, distinct, names_of
from demur.pages.svg import Picture
from demur.results import NONE, rate


def section(contrasts: Sequence[Contrast], source: Source) -> Section:
    """ROC and risk-coverage curves, and the numbers that go with them."""
    systems = [each.system for each in contrasts]
    names, looks = names_of(systems), source.looks_of(systems)
    drawn = [each for each in contrasts if each.curve.ladder is not None]
    pictures = (
        (_roc(contrasts, names, looks), _risk(contrasts, names, looks)) if drawn else ()
    )
    return Section(
        heading="What others print",
        sentence=_sentence(contrasts, names),
        pictures=tuple(map(str, pictures)),
        grids=(_numbers(contrasts, names),),
        notes=distinct([_why(each) for each in contrasts]),
        signatures=distinct([[each.signature] for each in contrasts]),
        source=source.line("curve", "demur.contrast(curve)", "--contrast"),
        lines=tuple(zip(names, looks, strict=True)) if drawn else (),
    )


def _sentence(contrasts: Sequence[Contrast], names: Sequence[str]) -> str:
    best = max(range(len(contrasts)), key=lambda i: contrasts[i].f_own)
    return (
        f"By the F of SimpleQA and QALD-1, which rewards guessing, {names[best]} "
        f"stands first with {contrasts[best].f_own:.3f}."
    )


def _why(contrast: Contrast) -> list[str]:
    return [f"{what}: {why}" for what, why in contrast.undefined.items()]


def _roc(
    contrasts: Sequence[Contrast], names: Sequence[str], looks: Sequence[int]
) -> Picture:
    picture = Picture(
        name="roc",
        title="ROC curves",
        description=f"Right guesses answered against wrong guesses answered, for "
        f"{', '.join(names)}. They do not show how many guesses are wrong.",
        x_label="wrong guesses answered",
        y_label="right guesses answered",
        size=(420, 380),
        diagonal=True,
    )
    for index, each in zip(looks, contrasts, strict=True):
        known = ~np.isnan(each.false_alarm + each.hit)
        if known.any():
            x, y = each.false_alarm[known][::-1], each.hit[known][::-1]
            picture.line(x, y, index)
    return picture


def _risk(
    contrasts: Sequence[Contrast], names: Sequence[str], looks: Sequence[int]
) -> Picture:
    picture = Picture(
        name="risk-coverage",
        title="Risk-coverage curves",
        description=f"Wrong among answered against share answered, for "
        f"{', '.join(names)}.",
        x_label="coverage (share answered)",
        y_label="risk (wrong among answered)",
        size=(420, 380),
    )
    for index, each in zip(looks, contrasts, strict=True):
        known = ~np.isnan(each.risk)
        if known.any():
            picture.line(each.coverage[known][::-1], each.risk[known][::-1], index)
    return picture


def _numbers(contrasts: Sequence[Contrast], names: Sequence[str]) -> PageTable:
    rows = []
    for each, name in zip(contrasts, names, strict=True):
        areas = (
            NONE if each.aurc is None else f"{each.aurc[kind]:.4f}"
            for kind in AURC_DEFINITIONS
        )
        rows.append(
            (name, rate(each.auroc), *areas, rate(each.f_own), rate(each.f_best))
        )
    header = ("system", "AUROC", *(f"AURC {kind}" for kind in AURC_DEFINITIONS))
    caption = "Areas under other curves, and F = 2 right / (answered + all)"
    return PageTable(caption, (*header, "own F", "best F"), tuple(rows))
