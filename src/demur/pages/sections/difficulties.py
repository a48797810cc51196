"""Difficulty: how hard tasks are, and the markables that are hardest."""

from collections.abc import Sequence

from demur.difficulty.measuring import Difficulty
from demur.figures.difficulties import difficulty_picture
from demur.pages.parts import PageTable, Section, Source, distinct
from demur.pages.svg import drawn
from demur.results import NONE, rate

_SHOWN = 20


def section(found: Sequence[Difficulty], source: Source) -> Section:
    """Baselines, bits and perplexity of each task, one below the other."""
    return Section(
        heading="How hard the task is",
        sentence=_sentence(found[0]),
        pictures=drawn(difficulty_picture(found[0])),
        grids=(_tasks(found), _markables(found[0]), _strata(found[0])),
        notes=distinct([each.notes for each in found]),
        signatures=distinct([[each.signature] for each in found]),
        source=source.line("difficulty", "demur.difficulty(tokens, ...)"),
    )


def _sentence(found: Difficulty) -> str:
    return (
        f"Always taking a markable's most frequent value is right on "
        f"{100 * found.baseline:.3g} % of {found.items:,} items; {found.entropy:.3f} "
        "bits an item are left to decide."
    )


def _tasks(found: Sequence[Difficulty]) -> PageTable:
    rows = tuple(
        (
            "; ".join(each.steps) or "whole",
            f"{each.items:,}",
            f"{each.markables:,}",
            rate(each.baseline),
            _ends(each.baseline_interval),
            f"{each.entropy:.3f}",
            _ends(each.entropy_interval),
            f"{each.total_bits:,.1f}",
            f"{each.perplexity:.2f}",
            f"{each.chao_shen:.3f}",
        )
        for each in found
    )
    header = ("task", "items", "markables", "baseline", "between", "bits per item")
    more = ("between", "total bits", "perplexity", "Chao-Shen")
    return PageTable("Read off the items themselves", (*header, *more), rows)


def _ends(ends: tuple[float, float] | None) -> str:
    return NONE if ends is None else f"{ends[0]:.3f} to {ends[1]:.3f}"


def _markables(found: Difficulty) -> PageTable:
    listed = sorted(found.per_markable, key=lambda each: -each.items * each.entropy)
    rows = tuple(
        (
            each.markable,
            str(each.items),
            str(each.values),
            each.majority,
            rate(each.baseline),
            f"{each.entropy:.3f}",
        )
        for each in listed[:_SHOWN]
    )
    header = ("markable", "items", "values", "most frequent", "baseline", "entropy")
    return PageTable("Markables with most bits in all", header, rows)


def _strata(found: Difficulty) -> PageTable:
    rows = tuple(
        ("more" if bits is None else f"up to {bits:g}", str(items))
        for bits, items in found.strata
    )
    return PageTable("Items by their bits", ("bits", "items"), rows)
