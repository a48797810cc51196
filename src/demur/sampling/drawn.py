"""What was drawn to be labelled: how much it will show, the sheet, the key to it."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from demur.outcomes.table import Outcomes
from demur.results import (
    Column,
    Figure,
    FigureKind,
    Result,
    Table,
    count,
    plain_values,
)
from demur.sampling.judged_pairs import JudgedPair

_WHAT: Final = {
    "recheck": "the upper bound of {of} will lie about {width} above it",
    "cutoff": "{of} will be known to about ±{width}",
    "compare": "{of} will be known to about ±{width}",
    "judge": "{of} will be known to about ±{width}",
}
_OF_WHAT: Final = {
    "recheck": "answers at the cutoff",
    "cutoff": "answers",
    "compare": "items",
    "judge": "items that were judged",
}
_WIDTHS: Final = (
    *(Column("drawn"), Column("labels", cells="count")),
    Column("half_width", "half-width", "share", "expected, of interval or bound"),
    Column(
        *("for_this_width", "labels for this width", "count"),
        "that give the half-width of this draw",
    ),
)
_PARTS: Final[tuple[Column, ...]] = (
    *(Column("part"), Column("items", cells="count", explained="that need a label")),
    *(Column("drawn", cells="count"), Column("labels", cells="count")),
    Column("label_weight", "", "number", "items that a drawn one stands for, mean"),
)
_OF_WHOLES: Final = {
    "part": Column("part", "which"),
    "items": Column("items", "wholes", "count", "of which a part needs a label"),
    "label_weight": Column(
        *("label_weight", "", "number", "wholes that a drawn one stands for, mean")
    ),
}


@dataclass(frozen=True, eq=False, repr=False)
class DrawnPart(Result):
    """How many items of a kind are drawn.

    Parameters
    ----------
    part : str
        Which: a fifth of confidences, a verdict of the judge, what two systems return.
    items, drawn, labels : int
        That need a label; that are drawn; labels they take.
    label_weight : float or None
        How many items each drawn one stands for, on average.
    """

    SAYS = "{part}: {labels} labels for {items} items."

    part: str
    items: int
    drawn: int
    labels: int
    label_weight: float | None


@dataclass(frozen=True, eq=False, repr=False)
class Drawn(Result):
    """Answers drawn to be labelled, and what their labels will show.

    Made by `demur.sample`.

    Parameters
    ----------
    purpose : {"recheck", "cutoff", "compare", "judge"}
        What the labels are for.
    of : str
        What is estimated.
    budget : int
        Labels at most.
    items, labels : int
        Items that are drawn, and the labels they take: rows of the sheet.
    needed, needed_labels : int
        Items that need a label, and all labels that these would take.
    level : float
        Of the interval, or of the one-sided bound.
    half_width, uniform_half_width : float
        Expected: half the width of the interval, or how far the bound lies beyond the
        error; by this draw, and by as many labels drawn uniformly.
    uniform_labels : int or None
        How many labels, drawn uniformly, give the half-width of this draw.
    assumed : str
        What these expectations rest on.
    parts : tuple of DrawnPart
        Where the labels go.
    outcomes : Outcomes
        All rows, of each system the drawn ones first, as they stand in the sheet: not
        in the order that was given. Drawn ones have `label_weight`, one over the chance
        of being drawn, and in the column ``label_key`` their row of the sheet.
    sheet : tuple of dict
        What annotators get, in random order: key, input, response, reference, verdict,
        note. Neither who answered nor how sure is in it.
    pair : JudgedPair or None
        For a judge of two systems: the difference that it sees, and about how many
        labels would show it.
    notes : tuple of str
        What a reader must know.
    recipe : mapping of str to str
        For the signature.
    """

    KINDS: ClassVar = (
        FigureKind("half_width", "the expected half-width", most=math.inf),
        FigureKind(
            "uniform_half_width", "the half-width by a uniform draw", most=math.inf
        ),
        FigureKind(
            "uniform_labels", "uniform labels for this width", "count", most=math.inf
        ),
        count("items", "items that are drawn"),
        count("labels", "labels to buy"),
        count("needed", "items that need a label"),
    )

    purpose: str
    of: str
    budget: int
    items: int
    labels: int
    needed: int
    needed_labels: int
    level: float
    half_width: float
    uniform_half_width: float
    uniform_labels: int | None
    assumed: str
    parts: tuple[DrawnPart, ...]
    outcomes: Outcomes
    sheet: tuple[Mapping[str, Any], ...]
    pair: JudgedPair | None = None
    notes: tuple[str, ...] = ()
    recipe: Mapping[str, str] = field(default_factory=dict)

    def sentence(self) -> str:
        """How much is drawn, how much it will show, and uniform drawing beside it.

        For a judge of two systems also how many labels show the difference it sees.
        """
        return f"{self._drawn()}{self._to_show()}"

    def _drawn(self) -> str:
        what = _OF_WHAT[self.purpose]
        if self.of.endswith("wholes"):
            what = "wholes of which the cutoff returns a part"
        if self.items == self.needed:
            return (
                f"All {self.needed:,} {what} that need a label are drawn, for "
                f"{self.labels:,} labels: {self._shows(self.half_width)}."
            )
        sentence = (
            f"{self.items:,} of the {self.needed:,} {what} are drawn, for "
            f"{self.labels:,} labels: {self._shows(self.half_width)} "
            f"({100 * self.level:g} %)."
        )
        if self.uniform_half_width == self.half_width:
            return sentence
        wide = f"{self.uniform_half_width:.3f}"
        uniform = f"Drawn uniformly, as many labels would leave {wide} open"
        if self.uniform_labels is not None:
            uniform += f", and it would take {self.uniform_labels:,} to do as well"
        return f"{sentence} {uniform}."

    def _to_show(self) -> str:
        """About how many labels would show the difference that a judge sees."""
        if self.pair is None:
            return ""
        (first, second), pair = self.pair.systems, self.pair
        if not pair.difference:
            return f" The judge sees no difference of {first} and {second}."
        sees = f" The judge sees {first} err {pair.difference:.3f} less than {second}"
        if pair.items is None or pair.items > self.needed:
            return f"{sees}: labels of more items than there are would show that."
        return (
            f"{sees}: to show that takes about {pair.labels:,} labels of "
            f"{pair.items:,} items, drawn uniformly."
        )

    def _shows(self, width: float) -> str:
        return _WHAT[self.purpose].format(width=f"{width:.3f}", of=self.of)

    def figures(self) -> Iterator[Figure]:
        """The expected half-widths and the counts."""
        for kind in self.KINDS:
            value, why = getattr(self, kind.name), "every item is alike"
            yield Figure(kind, value, why_undefined=why)

    def tables(self) -> Sequence[Table]:
        """The draw and a uniform one; where the labels go."""
        ways = (
            ("as here", self.labels, self.half_width, self.labels),
            (
                *("uniformly", self.labels, self.uniform_half_width),
                self.uniform_labels,
            ),
        )
        title, columns = "Where the labels go", _PARTS
        if self.of.endswith("wholes"):
            columns = tuple(_OF_WHOLES.get(column.key, column) for column in _PARTS)
        return Table("", _WIDTHS, ways), Table.of(title, columns, self.parts)

    def to_dict(self) -> dict[str, Any]:
        """The draw as plain values for JSON, without outcomes and sheet."""
        names = [kind.name for kind in self.KINDS]
        return {
            "purpose": self.purpose,
            "budget": self.budget,
            **{name: getattr(self, name) for name in names},
            "needed_labels": self.needed_labels,
            "level": self.level,
            "assumed": self.assumed,
            "pair": None if self.pair is None else plain_values(self.pair._asdict()),
            "parts": [part.to_dict() for part in self.parts],
            "notes": list(self.notes),
            "signature": self.signature,
        }

    def write_sheet(self, path: str) -> None:
        """Write the sheet for annotators.

        Parameters
        ----------
        path : str or path
            Ends in .csv, .tsv or .jsonl. Cells that a spreadsheet would run as
            formulas begin with an apostrophe; `demur.take_labels` takes it away.

        Raises
        ------
        InputError
            If the ending is another one, or a sheet with verdicts stands there.
        """
        from demur.sampling.sheets import write_sheet

        write_sheet(self.sheet, path)
