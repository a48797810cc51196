"""The options of ``demur neighbours``."""

from demur.cli.options import databases, shared, typed
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur neighbours``."""
    command.description = (
        "Make further instances of SQLite and DuckDB databases, on which queries fall "
        "that are right on the original by luck."
    )
    command.common = ("--output", "--instances", "--rows", "--by", "--db-root")
    command.examples = ("demur neighbours questions.jsonl -o neighbours --rows 20",)
    command.option("REFERENCES: files of references", nargs="+")
    command.option(
        "-o --output DIR: a new folder: the databases, their neighbours, "
        "references.jsonl, whose db lists both, and living.jsonl, with the mutants "
        "that live",
        type=typed.new_folder,
        required=True,
    )
    command.option(
        "--by COMPARATOR: how answers will be compared: sql, with its options",
        type=typed.comparator,
        usual="sql",
    )
    command.option(
        "--instances N: how many are made of each database, at most; fewer if no more "
        "mutants fall",
        type=typed.count,
        usual=3,
    )
    command.option("--rows N: rows of a table, at most", type=typed.count, usual=200)
    shared.add_seed(command, "of the draws")
    databases.add_databases(command.part("databases"), "their file")
    shared.add_max_size(command)
    shared.add_result_options(command, "'living > 20'")
