"""The figures of a curve that gates may hold, by name."""

from collections.abc import Iterator, Mapping
from typing import Final

from demur.results import Figure, FigureKind, count

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
