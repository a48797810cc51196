"""The options of ``demur lint``."""

from demur.cli.options import databases, shared
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur lint``."""
    command.description = (
        "Check references before systems are judged by them: answers, SQL and "
        "its results, agreed meanings, context, signs against class A."
    )
    command.common = ("--db-root", "--meanings", "--signs", "--json", "--fail-if")
    command.examples = ("demur lint references.jsonl --fail-if 'findings > 200'",)
    command.option("REFERENCES: files of references", nargs="+")
    databases.add_databases(command.part("databases"), "their file")
    command.option(
        "--meanings FILE: what was agreed on the meaning of words: records with id and "
        "meaning; may be repeated",
        action="append",
    )
    command.option(
        "--signs FILE: signs against class A: records with id, pattern, suggests, why; "
        "may be repeated (default: some for English)",
        action="append",
    )
    shared.add_max_size(command)
    shared.add_result_options(command, "'findings > 0', 'tie-at-limit > 0'")
