"""Figures: the numbers of a result that a gate can hold and a table can show."""

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Final

from demur.errors import UndefinedRate

UNITS: Final = (
    *("share", "count", "bits", "seconds", "number"),
    *("verdict", "claim"),
)
"""What a figure may be measured in.

A verdict is 1 if it is so and 0 if not; a claim, that one system is worse than another,
has no number and is asked of `Result.claim_broken`.
"""

BOUNDS: Final = "bounds"
"""What `Figure.interval` says where low and high are what the value may be."""


@dataclass(frozen=True, slots=True)
class FigureKind:
    """What a number of a result is: said once for each class, known before any work.

    Parameters
    ----------
    name : str
        The word of gates and tables, such as ``wer``. A name that ends with ``*``
        stands for all that begin like it, where the data decide which there are.
    title : str
        What a reader sees, such as "word error rate".
    unit : {"share", "count", "bits", "seconds", "number", "verdict", "claim"}
        What it is measured in: see `UNITS`.
    least, most : float
        The possible range, ends included; infinite where nothing bounds it.
    better : {"lower", "higher", "neither"}
        Which way is better.
    at : tuple of str
        What it may be looked up at, of "nonreturn", "error" and "cutoff".
    needs_look_up : bool
        Whether it has no value without a look-up.
    most_at : {"", "answered", "declined"}
        How the range ends at a nonreturn x: at 1 - x (a share of what is answered), or
        at x (of what is declined).
    can_be_undefined : bool
        Whether there may be no value, as of a ratio whose denominator is empty.
    certainty : bool
        Whether a gate may name one: ``(cutoff=0.7, certainty=0.99)``.

    Examples
    --------
    >>> import demur
    >>> kind = demur.FigureKind("wer", "word error rate", most=float("inf"))
    >>> kind.range_at(None)
    (0.0, inf)
    """

    name: str
    title: str
    unit: str = "share"
    least: float = 0.0
    most: float = 1.0
    better: str = "lower"
    at: tuple[str, ...] = ()
    needs_look_up: bool = False
    most_at: str = ""
    can_be_undefined: bool = True
    certainty: bool = False

    def covers(self, name: str) -> bool:
        """Whether a figure of this name is of this kind."""
        if self.name.endswith("*"):
            return name.startswith(self.name[:-1])
        return name == self.name

    def range_at(self, look_up: tuple[str, float] | None) -> tuple[float, float]:
        """The least and the greatest value that is possible at a place."""
        if look_up is not None and look_up[0] == self.name == "error":
            return self.least, look_up[1]  # where the error is at most that
        if look_up is None or look_up[0] != "nonreturn" or not self.most_at:
            return self.least, self.most
        declined = Fraction(str(look_up[1]))  # 0.2 is 1/5, so that 1 - 0.2 is 0.8
        most = declined if self.most_at == "declined" else 1 - declined
        return self.least, float(most)


def count(name: str, title: str, better: str = "neither") -> FigureKind:
    """The kind of a number of things, from 0 upwards, which is always known."""
    return FigureKind(
        name, title, "count", most=inf, better=better, can_be_undefined=False
    )


@dataclass(frozen=True, slots=True)
class Figure:
    """One value of one kind.

    Parameters
    ----------
    kind : FigureKind
        What the number is.
    value : float or None
        None where it is undefined.
    low, high : float or None
        Ends of the interval, or bounds.
    interval : str
        Which these are: "95 % interval", or "bounds" of what the value may be.
    name : str
        Where the kind stands for several names: which one it is.
    of : str
        The system, version or module that it is about; "" if there is only one.
    why_undefined : str
        Why there is no value.
    why : str
        Of a verdict: why it is so.
    """

    kind: FigureKind
    value: float | None
    low: float | None = None
    high: float | None = None
    interval: str = ""
    name: str = ""
    of: str = ""
    why_undefined: str = ""
    why: str = ""

    @property
    def called(self) -> str:
        """The word of gates and tables."""
        return self.name or self.kind.name

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the greatest that the value may be, for gates.

        Bounds where there are any, else the value twice: an interval tells of other
        samples, and bounds of these very items.

        Raises
        ------
        UndefinedRate
            If there is none: what is undefined passes no gate.
        """
        if self.interval == BOUNDS and self.low is not None and self.high is not None:
            return float(self.low), float(self.high)
        if self.value is None or self.value != self.value:
            whose = f"{self.of}: " if self.of else ""
            why = f": {self.why_undefined}" if self.why_undefined else ""
            raise UndefinedRate(f"{whose}{self.called} is undefined{why}.")
        return float(self.value), float(self.value)


def with_noun(number: int, noun: str) -> str:
    """A number of things, in the singular or the plural.

    Examples
    --------
    >>> with_noun(1, "error"), with_noun(5871, "error")
    ('1 error', '5871 errors')
    """
    return f"{number} {noun}" + ("" if number == 1 else "s")
