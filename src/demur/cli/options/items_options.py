"""The options of ``demur items``."""

from demur.cli.options import choices, shared, typed
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur items``."""
    command.description = (
        "List items by what was right and what was decided, the surest first: wrong "
        "and answered, right and withheld, declined, failed."
    )
    command.common = ("--outcome", "--decision", "--cutoff", "--where", "--output")
    command.examples = (
        "demur items outcomes.jsonl --outcome wrong --cutoff 0.8 --where system=words",
    )
    command.option("OUTCOMES: files of outcomes, or logs of other tools", nargs="+")
    command.option(
        "--outcome OUTCOME: only these; may be repeated",
        several=True,
        choices=choices.OUTCOMES,
    )
    command.option(
        "--decision DECISION: only these; withheld are guesses below the cutoff, "
        "declined what the system itself did not answer; may be repeated",
        several=True,
        choices=choices.DECISIONS,
    )
    command.option(
        "--cutoff T: guesses of at least this confidence are answered (default: the "
        "systems' own decisions)",
        type=typed.cutoff,
    )
    command.option(
        "--against SYSTEM: only items that this system did not end in the same way, "
        "with what it did"
    )
    command.option(
        "-o --output FILE: write the rows as outcomes, all of them; the format is told "
        "by the ending (.jsonl .json .csv .tsv .parquet, also .gz .zst)",
        type=typed.target,
    )
    shared.add_selection(command, "outcomes")
    shared.add_repeated(command)
    shared.add_hiding(command)
    shared.add_result_options(command, "'items > 10'")
