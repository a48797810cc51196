"""The options of ``demur show``."""

from demur.cli.options import shared, stores, typed
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur show``."""
    command.description = (
        "Show the runs of the store, the newest last, or all that one of them holds."
    )
    command.common = ("--tag", "--system", "--output", "--store", "--json")
    command.examples = ("demur show main",)
    command.option(
        "RUN: a number, or a tag: the newest run that bears it (default: all runs)",
        nargs="?",
    )
    stores.add_store(command)
    command.option("--tag TAG: of all runs those that bear it")
    command.option("--system NAME: of all runs those of this system")
    command.option(
        "-o --output FILE: write the outcomes of RUN; the format is told by the ending "
        "(.jsonl .json .csv .tsv .parquet, also .gz .zst; - is standard output)",
        type=typed.target,
    )
    command.option("--lock FILE: write the lock of RUN")
    shared.add_hiding(command)
    shared.add_result_options(command, "'runs < 1'")
