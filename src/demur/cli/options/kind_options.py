"""Options of ``demur choose`` for kinds of parts."""

from demur.cli.options import typed
from demur.cli.parsing import Parser


def add_kinds(command: Parser) -> None:
    """The options of ``demur choose`` for kinds of parts."""
    part = command.part("cutoffs for kinds of parts")
    part = command.part("cutoffs for kinds of parts")
    part.option(
        "--kinds COLUMN: with --max-error and --of wholes: a cutoff for each value of "
        "this column, such as the tool that a part calls, chosen together; with "
        "--certainty searched on --split of the wholes (default: 0.5) and certified on "
        "the rest"
    )
    part.option(
        "--kind-cost KIND=COST: with --kinds: what it costs to withhold a part of this "
        "kind (default: 1); may be repeated",
        several=True,
        type=typed.kind_cost,
    )
