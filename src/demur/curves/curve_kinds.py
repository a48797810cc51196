"""The figures of a curve that gates may hold, by name."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from demur.errors import UndefinedRate
from demur.results import BOUNDS, Figure, FigureKind, Result, count
from demur.results.gates import NAMELESS, Gate

_LOOK_UPS: Final = ("nonreturn", "error", "cutoff")

FAILURES: Final = (
    count("failed", "items of which the system gave nothing", better="lower"),
    FigureKind("failed_rate", "the share of those items", can_be_undefined=False),
)
"""What gates may hold of requests that failed, whatever else they look at."""


def failures_figures(failed: Mapping[str, tuple[int, int]]) -> Iterator[Figure]:
    """Both figures of each system, from how many of how many items failed."""
    for system, (n_failed, items) in failed.items():
        for kind, value in zip(FAILURES, (n_failed, n_failed / items), strict=True):
            yield Figure(kind, value, of=system)


CURVE_KINDS: Final = (
    FigureKind("error", "the error", at=_LOOK_UPS, most_at="answered"),
    FigureKind("nonreturn", "the nonreturn", at=_LOOK_UPS),
    FigureKind("missed", "the missed chance", at=_LOOK_UPS, most_at="declined"),
    FigureKind("area", "the area under the curve"),
    FigureKind("forced_choice_error", "the error in forced choice"),
    count("items", "items"),
    count("right", "right answers", better="higher"),
    count("wrong", "wrong answers", better="lower"),
    count("unanswered", "items without a guess", better="lower"),
    count("ungraded", "guesses that nobody could judge", better="lower"),
    *FAILURES,
)
"""What gates may hold of a curve; without a look-up, by the system's own decisions."""

CERTIFIED: Final = FigureKind(
    "certified_error",
    "the certified error",
    at=("cutoff",),
    needs_look_up=True,
    certainty=True,
)
OUTCOMES_KINDS: Final = (
    CERTIFIED,
    FigureKind(
        "corrected_error",
        "the error corrected by people's verdicts",
        at=("nonreturn", "cutoff"),
        most_at="answered",
    ),
)
"""What gates may hold where the outcomes are there too."""


class LookedUpFigures(Result):
    """A curve of one system, whose figures are looked up where a gate says."""

    if TYPE_CHECKING:

        @property
        def system(self) -> str:
            """Whose curve it is."""

    def _value(self, name: str, look_up: tuple[str, float] | None) -> tuple[Any, ...]:
        """A figure, and its bounds if it has any."""
        raise NotImplementedError

    def figures(self) -> Iterator[Figure]:
        """By the system's own decisions, of the whole curve, and the counts."""
        yield from (self._figure(kind, None) for kind in self.KINDS)

    def figures_for(self, gate: Gate) -> Iterator[Figure]:
        """The figure that a gate is about; of other systems nothing is looked up."""
        meant = gate.system in (None, self.system.strip() or NAMELESS)
        for kind in self.KINDS:
            if kind.name == gate.name:
                none = Figure(kind, None, of=self.system)
                yield self._figure(kind, gate.look_up) if meant else none

    def _figure(self, kind: FigureKind, look_up: tuple[str, float] | None) -> Figure:
        try:
            value, low, high = self._value(kind.name, look_up)
        except UndefinedRate as problem:
            why = str(problem).removesuffix(".")
            return Figure(kind, None, of=self.system, why_undefined=why)
        if low is None:
            why = "left of the curve's start" if value is None else ""
            return Figure(kind, value, of=self.system, why_undefined=why)
        return Figure(kind, value, low, high, BOUNDS, of=self.system)
