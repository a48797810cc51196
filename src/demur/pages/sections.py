"""Sections of a page: what results say, draw, list and note of themselves."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

import numpy as np

from demur.curves.curves import Curve
from demur.curves.of_outcomes import Curves
from demur.figures.looks import with_looks
from demur.pages.parts import Source
from demur.pages.svg import drawn
from demur.results import Result, Results, Table
from demur.results.defaults import words_of_class
from demur.results.text import explanations

HEADINGS: Final[Mapping[str, tuple[str, str]]] = {
    "Attribution": ("Where the loss comes from", "attribute_loss(pipeline, dialogues)"),
    "Calibration": ("Calibration", "calibration_by(outcomes)"),
    "Choice": ("Chosen cutoffs", "choose(outcomes, ...)"),
    "Comparison": ("Side by side", "compare(a, b, at=...)"),
    "Contrast": ("What others print", "contrast(curve)"),
    "CorrectedCurve": ("Errors corrected by people", "corrected_curve(outcomes, gold)"),
    "Curve": ("Operating points and errors", "curve_by(outcomes)"),
    "CutoffSweep": ("Cutoffs inside the pipeline", "sweep_cutoff(pipeline, ...)"),
    "GroupedCurves": ("Groups", "curve_by(outcomes, by=...)"),
    "Outcomes": ("Verdicts", "judge(responses, references)"),
    "PipelineEvaluation": (
        "Sources in the place of modules",
        "evaluate_pipeline(pipeline, dialogues, replace=...)",
    ),
    "PlantedErrors": ("How far an error reaches", "plant_errors(pipeline, ...)"),
    "Price": ("What is cheapest", "price_list(curves)"),
    "Scores": ("Scores", "score(outcomes)"),
    "SideBySide": ("Side by side", "compare(a, b, at=...)"),
    "WholeCurve": ("Wholes", "whole_curve_by(outcomes)"),
}
"""Of a class its heading, and the verb of `demur` that gives such a result.

The heading of any other class is its name in words.
"""

MOST_ROWS: Final = 500
"""Of so many rows of a table a page shows some, spread evenly."""


@dataclass(frozen=True)
class Section:
    """One section of a page.

    Parameters
    ----------
    heading : str
        What stands above it.
    sentence : str
        What was found, in plain words.
    pictures : tuple of str
        SVG, as of `demur.pages.svg.drawn`.
    tables : tuple of Table
        Of very many rows some, spread evenly.
    explained : str
        What their columns are.
    notes : tuple of str
        What a reader must know.
    signatures : tuple of str
        The recipes of the numbers.
    source : tuple of str
        The lines of Python, or the commands, that give the numbers.
    """

    heading: str
    sentence: str
    pictures: tuple[str, ...]
    tables: tuple[Table, ...]
    explained: str
    notes: tuple[str, ...]
    signatures: tuple[str, ...]
    source: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Shown:
    """A result, and the words of the command that gives it.

    Parameters
    ----------
    result : Result
        One, or several in one.
    command : tuple of str
        Its name and its options, without files; empty if there is none.
    """

    result: Result
    command: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """Its class; of several results in one, theirs if that has a heading here.

        Several that have no class of their own are of the kind that each is.
        """
        several = self.result[:1] if isinstance(self.result, Results) else ()
        names = [type(result).__name__ for result in (self.result, *several)]
        usual = names[-1] if type(self.result) is Results else names[0]
        return next((name for name in names if name in HEADINGS), usual)

    @property
    def heading(self) -> str:
        """What stands above it."""
        kind = self.kind
        return HEADINGS[kind][0] if kind in HEADINGS else words_of_class(kind)


def section(listed: Sequence[Shown], source: Source, name: str) -> Section:
    """What results of one heading say of themselves.

    Parameters
    ----------
    listed : sequence of Shown
        At least one.
    source : Source
        Where the numbers come from.
    name : str
        Of the section, which no other one on the page has.
    """
    heading, kind = listed[0].heading, listed[0].kind
    results = _together([shown.result for shown in listed])
    whole = results[0] if len(results) == 1 else Results(results)
    tables = [t.without_empty() for t in _tables(results) if t.rows]
    pictures = (
        with_looks(replace(picture, name=f"{name}-{picture.name}"), source.looks)
        for picture in whole.pictures()
    )
    verb = HEADINGS[kind][1] if kind in HEADINGS else ""
    python = f"demur.{verb}" if verb else ""
    return Section(
        heading=heading,
        sentence=" ".join(result.sentence() for result in results).replace("\n", " "),
        pictures=tuple(chain.from_iterable(map(drawn, pictures))),
        tables=tuple(map(_spread, tables)),
        explained="; ".join(explanations(tables, wide=True)),
        notes=_distinct(whole.notes),
        signatures=_distinct(result.signature for result in results),
        source=_distinct(source.line(shown.command, python) for shown in listed),
    )


def _together(results: Sequence[Result]) -> Sequence[Result]:
    """Curves of their own are shown as one result, as the command shows them."""
    curves = [result for result in results if isinstance(result, Curve)]
    return [Curves(curves)] if len(curves) == len(results) else results


def _tables(results: Sequence[Result]) -> Sequence[Table]:
    """Tables of several results as one, if there are names to tell rows apart."""
    # Outcomes have systems, and no name that tells them from other results.
    if any(name for name in Results(results).names if isinstance(name, str)):
        return Results(results).tables()
    return [table for result in results for table in result.tables()]


def _spread(table: Table) -> Table:
    """The table, or of very many rows some from its first to its last."""
    n = len(table.rows)
    if n <= MOST_ROWS:
        return table
    places = np.linspace(0, n - 1, MOST_ROWS).astype(int)
    return replace(
        table,
        title=f"{table.title} ({MOST_ROWS} of {n:,} rows)",
        rows=tuple(table.rows[place] for place in places),
    )


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, texts)))
