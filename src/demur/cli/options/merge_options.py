"""The options of ``demur merge``."""

from demur.cli.options import shared, typed
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur merge``."""
    command.description = (
        "Merge challenge sets: every reference is kept and says who contributed "
        "it; equal questions and conflicting references are reported."
    )
    command.common = ("--output", "--contributors", "--apart", "--json", "--fail-if")
    command.examples = ("demur merge references.jsonl more.jsonl -o all.jsonl",)
    command.option(
        "REFERENCES: files of references, one for each contributor", nargs="+"
    )
    command.option(
        "-o --output FILE: where the merged references go (.jsonl, also .gz .zst), or "
        "- for standard output; the report then goes to standard error",
        type=typed.record_target,
        required=True,
    )
    command.option(
        "--contributors NAME,NAME: names of the contributors, one for each file "
        "(default: the files' names)",
        type=typed.names,
    )
    command.option(
        "--apart COLUMN: a further column, such as subject, whose values are of one "
        "contributor each and are kept apart like those of cluster; may be repeated",
        several=True,
    )
    shared.add_hiding(command)
    shared.add_max_size(command)
    shared.add_result_options(command, "'in_conflict > 0'")
