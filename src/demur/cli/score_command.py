"""``demur score``: right, wrong and not answered, weighed, per system and group."""

from argparse import Namespace

from demur import formats
from demur.cli import shared
from demur.comparisons.scoring import score
from demur.comparisons.selective_scores import named_score, needs_rows
from demur.comparisons.system_scores import score_kinds


def run(arguments: Namespace) -> int:
    """Score, print, and break gates."""
    weights, named = arguments.weights, arguments.score
    shared.check_asked(arguments, score_kinds(weights, named), arguments.outcomes)
    shared.check_hiding(arguments)
    how = shared.named(arguments, "by", "weights", "level", "seed")
    counted = shared.counted(arguments, arguments.outcomes, _need_rows(arguments))
    if counted is not None:
        return shared.finish(score(counted, named=named, **how), arguments)
    leave_out = shared.by_column(arguments.leave_out)
    outcomes = formats.read_outcomes(
        *arguments.outcomes,
        groups=list(dict.fromkeys([*arguments.by, *leave_out])),
        **shared.how_counted(arguments),
    )
    outcomes = shared.hiding(arguments, outcomes, *arguments.by, *leave_out)
    scores = score(outcomes, named=named, leave_out=leave_out, **how)
    return shared.finish(scores, arguments)


def _need_rows(arguments: Namespace) -> list[str]:
    """Which options take rows in memory, as they are typed."""
    by_rows = any(map(needs_rows, map(named_score, arguments.score)))
    scored = ["score"] if by_rows else []
    return ["log", "leave_out", *scored]
