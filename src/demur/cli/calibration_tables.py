"""``demur curve --calibration``: what stated confidences are worth, for people."""

from collections.abc import Sequence

from demur.brier import PARTS, BrierSplit
from demur.calibrating import Calibration
from demur.calibration import Trust
from demur.cli import tables
from demur.errors import printable


def report(calibrations: Sequence[Calibration]) -> str:
    """Tables of the Brier scores and of trust, and how to read them.

    Parameters
    ----------
    calibrations : sequence of Calibration
        At least one.
    """
    blocks = [_scores(calibrations)]
    if any(each.trust for each in calibrations):
        blocks.append(_trust(calibrations))
    blocks.append("\n".join(printable(line) for line in _remarks(calibrations)))
    return "\n\n".join(blocks)


def _scores(calibrations: Sequence[Calibration]) -> str:
    header = ["system", "guesses", "Brier score", *PARTS[1:]]
    return tables.table(
        header,
        [
            [
                each.system or tables.NONE,
                str(each.guesses),
                *(_part(each.brier, name) for name in PARTS),
            ]
            for each in calibrations
        ],
    )


def _part(split: BrierSplit | None, name: str) -> str:
    """One part of the score, with its interval."""
    if split is None:
        return tables.NONE
    value = f"{getattr(split, name):.4f}"
    if split.intervals is None:
        return value
    low, high = split.intervals[name]
    return f"{value} [{low:.4f}, {high:.4f}]"


def _trust(calibrations: Sequence[Calibration]) -> str:
    header = ["system", "target", "error", "nonreturn", "cost"]
    header += ["best cutoff", "error", "nonreturn", "cost", "trust costs"]
    rows = [
        [each.system or tables.NONE, *_prices(trust)]
        for each in calibrations
        for trust in each.trust
    ]
    return tables.table(header, rows)


def _prices(trust: Trust) -> list[str]:
    points = trust.trusted, trust.best
    trusted, best = (
        [tables.span(*point.bounds), tables.rate(point.nonreturn)] for point in points
    )
    cutoff = trust.best.cutoff
    return [
        f"{trust.target:g}",
        *(*trusted, f"{trust.cost:.4f}"),
        "never answer" if cutoff is None else str(cutoff),
        *(*best, f"{trust.best_cost:.4f}"),
        f"{trust.difference:.4f}",
    ]


def _remarks(calibrations: Sequence[Calibration]) -> list[str]:
    """What the columns are, what was left out, and the recipe."""
    lines = [
        "Brier score: mean of (confidence - credit) squared over graded guesses = "
        "miscalibration - discrimination + uncertainty.",
        "miscalibration: what recalibrating would take off (isotonic, no bins); "
        "discrimination: what it then saves against one confidence for all.",
    ]
    splits = [each.brier for each in calibrations if each.brier is not None]
    if any(split.intervals for split in splits):
        drawn = "clusters" if any(each.units < each.items for each in splits) else ""
        lines.append(
            f"[low, high]: {splits[0].level:.0%} intervals, each by itself "
            f"({splits[0].replicates} draws of {drawn or 'items'})."
        )
    if any(each.trust for each in calibrations):
        lines.append(
            "trust at target t: give guesses from confidence t on; cost = error + "
            "(1 - t) x nonreturn, at that cutoff and at the one where it is least."
        )
    own = [[n for n in c.notes if n not in c.curve.notes] for c in calibrations]
    common = [note for note in own[0] if all(note in notes for notes in own)]
    lines += [f"note: {note}" for note in common]
    lines += [
        f"note: {each.system}: {note}"
        for each, notes in zip(calibrations, own, strict=True)
        for note in notes
        if note not in common
    ]
    recipes = (each.signature.rpartition("|")[0] for each in calibrations)
    recipes = (recipe.partition("|calibration:")[2] for recipe in recipes)
    lines += [f"signature: calibration:{each}" for each in dict.fromkeys(recipes)]
    return lines
