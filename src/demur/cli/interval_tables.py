"""Intervals and bands of ``demur curve``: made, and shown to people."""

from argparse import Namespace
from collections.abc import Sequence

from demur.bands import Band
from demur.cli import tables
from demur.errors import InputError, UndefinedRate
from demur.estimating import band, interval
from demur.intervals import Interval
from demur.outcomes import Outcomes

Named = Sequence[tuple[str, Outcomes]]


def intervals_of(
    part: Outcomes, at: Sequence[float], level: float
) -> list[tuple[str, Interval | None]]:
    """The errors at nonreturn rates and the area; None where there is no interval."""
    wanted = [("error", rate) for rate in at] + [("area", None)]
    found: list[tuple[str, Interval | None]] = []
    for quantity, rate in wanted:
        name = quantity if rate is None else f"{quantity}@{rate:g}"
        try:
            found.append((name, interval(part, quantity, rate, level=level)))
        except UndefinedRate:
            found.append((name, None))
    return found


def intervals_table(parts: Named, at: Sequence[float], level: float) -> str:
    """One row for each system and number."""
    rows = []
    for system, part in parts:
        for name, found in intervals_of(part, at, level):
            values = [tables.NONE] * 4
            if found is not None:
                ends = found.value, found.low, found.high, found.standard_error
                values = [f"{value:.4f}" for value in ends]
            rows.append([system or tables.NONE, name, *values])
    header = ["system", "number", "value", "from", "to", "standard error"]
    lines = [
        f"intervals at {level:g}, each by itself: Wilson's for errors, t for areas, "
        "from influence values; ungraded answers count as errors; "
        f"{tables.NONE}: no curve there, or one item or cluster only.",
        units(parts),
    ]
    return tables.table(header, rows) + "\n\n" + "\n".join(filter(None, lines))


def units(parts: Named) -> str:
    """What was taken as independent, if not the items."""
    if any(part.cluster is not None for _, part in parts):
        return "independent units: clusters."
    if any(part.repeat is not None for _, part in parts):
        return "independent units: items (their repeats belong together)."
    return ""


def bands_of(parts: Named, arguments: Namespace) -> list[Band | None]:
    """A band for each curve, if asked for; None for a system without a curve."""
    if arguments.band is None:
        return []
    if not (arguments.plot or arguments.json):
        must, hint = (
            "come with --plot or --json",
            "A band is a picture or many numbers.",
        )
        raise InputError("curve", "--band", must, arguments.band, hint)
    found: list[Band | None] = []
    for _, part in parts:
        try:
            found.append(
                band(
                    part,
                    method=arguments.band,
                    level=arguments.level,
                    seed=arguments.seed,
                )
            )
        except UndefinedRate:  # no confidences, or one item or cluster alone
            found.append(None)
    return found
