"""Contrasts: what other fields print of the same counts."""

from collections.abc import Sequence

from demur.curves.contrasts import AURC_DEFINITIONS, Contrast
from demur.figures.contrasts import contrasts_picture
from demur.pages.parts import PageTable, Section, Source, distinct, names_of
from demur.pages.svg import drawn
from demur.results import NONE, rate


def section(contrasts: Sequence[Contrast], source: Source) -> Section:
    """ROC and risk-coverage curves, and the numbers that go with them."""
    systems = [each.system for each in contrasts]
    names, looks = names_of(systems), source.looks_of(systems)
    curved = any(each.curve.ladder is not None for each in contrasts)
    return Section(
        heading="What others print",
        sentence=_sentence(contrasts, names),
        pictures=_pictures(contrasts, looks) if curved else (),
        grids=(_numbers(contrasts, names),),
        notes=distinct([_why(each) for each in contrasts]),
        signatures=distinct([[each.signature] for each in contrasts]),
        source=source.line("curve", "demur.contrast(curve)", "--contrast"),
        lines=tuple(zip(names, looks, strict=True)) if curved else (),
    )


def _sentence(contrasts: Sequence[Contrast], names: Sequence[str]) -> str:
    best = max(range(len(contrasts)), key=lambda i: contrasts[i].f_own)
    return (
        f"By the F of SimpleQA and QALD-1, which rewards guessing, {names[best]} "
        f"stands first with {contrasts[best].f_own:.3f}."
    )


def _pictures(contrasts: Sequence[Contrast], looks: Sequence[int]) -> tuple[str, ...]:
    only = ("ROC", "risk and coverage")
    return drawn(contrasts_picture(contrasts, looks=looks, only=only))


def _why(contrast: Contrast) -> list[str]:
    return [f"{what}: {why}" for what, why in contrast.undefined.items()]


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
