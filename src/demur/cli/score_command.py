"""``demur score``: right, wrong and not answered, weighed, per system and group."""

import argparse
from argparse import Namespace

from demur import formats
from demur.cli import shared
from demur.cli.shared import check_gates, how_read
from demur.cli.streams import as_json, show
from demur.comparisons.score_tables import score_tables
from demur.comparisons.scoring import (
    score,
    scored_rows,
)
from demur.curves.of_outcomes import named_curve
from demur.outcomes.parts import named_parts
from demur.version import __version__


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The arguments of ``demur score``."""
    command.description = (
        "Counts and the weighted error of each system, by its own decisions to "
        "answer, and which system is best at which weight."
    )
    command.add_argument(
        "outcomes", nargs="+", metavar="OUTCOMES", help="files of outcomes"
    )
    command.add_argument(
        "--by",
        action="append",
        default=[],
        metavar="GROUP",
        help="a row for each value of this column, such as class; may be repeated",
    )
    command.add_argument(
        "--weights",
        type=shared.weights,
        default=[2.0],
        metavar="W,W",
        help="what a wrong answer costs, if an answer not given costs 1; several with "
        "commas (default: 2)",
    )
    command.add_argument(
        "--score",
        action="append",
        default=[],
        type=shared.named_score,
        metavar="NAME",
        help="a named score as well, such as omniscience-index or "
        "'reliability-score(c=10)'; may be repeated",
    )
    command.add_argument(
        "--leave-out",
        action="append",
        default=[],
        type=shared.condition,
        metavar="COL=VALUE",
        help="do not score the outcomes with this value, even if answered; may be "
        "repeated (any suffices)",
    )
    shared.add_seed(command, "of intervals")
    shared.add_level(command, "of intervals")
    shared.add_selection(command, "outcomes")
    shared.add_gates(command)


def run(arguments: Namespace) -> int:
    """Score, and print."""
    leave_out: dict[str, list[str]] = {}
    for column, value in arguments.leave_out:
        leave_out.setdefault(column, []).append(value)
    outcomes = formats.read_outcomes(
        *arguments.outcomes,
        groups=list(dict.fromkeys([*arguments.by, *leave_out])),
        **how_read(arguments),
    )
    scores = score(
        outcomes,
        by=arguments.by,
        weights=arguments.weights,
        named=arguments.score,
        leave_out=leave_out,
        level=arguments.level,
        seed=arguments.seed,
    )
    if arguments.json:
        show(as_json({"demur": __version__, **scores.to_dict()}))
    else:
        show("\n\n".join(score_tables(scores)))
    if not arguments.fail_if:
        return 0
    kept, _ = scored_rows(outcomes, leave_out)
    parts = named_parts(kept)
    if arguments.by:
        parts += named_parts(kept, groups=arguments.by)
    curves = [named_curve(*each) for each in parts]
    return check_gates(arguments.fail_if, curves, [part for _, part in parts])
