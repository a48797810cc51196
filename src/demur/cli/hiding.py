"""``--hide-references``: what participants may not see is not written."""

from argparse import Namespace

from demur.cli import Options
from demur.cli.shared import WrongUsage
from demur.outcomes.table import Outcomes


def add_option(command: Options) -> None:
    """``--hide-references``, for what participants may see."""
    command.option(
        "--hide-references: write nothing of what would be right: no column, reason or "
        "note that may quote a reference",
    )


def shown_of(arguments: Namespace, outcomes: Outcomes, *keep: str) -> Outcomes:
    """Outcomes without references, if asked for; further columns to keep are named."""
    if not arguments.hide_references:
        return outcomes
    from demur.outcomes.hidden_references import without_references

    return without_references(outcomes, keep=keep)


def check(arguments: Namespace) -> None:
    """Refuse ``--by`` of a column that says what would be right, if that is hidden."""
    if not arguments.hide_references:
        return
    from demur.outcomes.hidden_references import ANSWERS

    for name in arguments.by:
        if name in ANSWERS:
            need, got = "name no column of answers with --hide-references", name
            raise WrongUsage(arguments.command, "--by", need, got)
