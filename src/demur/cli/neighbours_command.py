"""``demur neighbours``: further instances of the databases of references."""

import os
import shlex
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

from demur import formats
from demur.cli import BROKEN_GATE, Parser, database_options, say, shared, typed
from demur.cli.streams import progress
from demur.sql.databases import Databases
from demur.sql.neighbours.making import neighbours
from demur.sql.neighbours.results import Neighbours


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur neighbours``."""
    command.description = (
        "Make further instances of SQLite and DuckDB databases, on which queries fall "
        "that are right on the original by luck."
    )
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
    database_options.add_databases(command, "their file")
    shared.add_max_size(command)
    shared.add_result_options(command, "'living > 20'")


def run(arguments: Namespace) -> int:
    """Make them, write, and print how many mutants they kill."""
    shared.check_asked(arguments, Neighbours.KINDS, arguments.references)
    databases = Databases(
        root=arguments.db_root or os.environ.get("DEMUR_DB_ROOT") or None,
        timeout=arguments.timeout or 30.0,
        cache=arguments.cache,
    )
    made = neighbours(
        formats.iter_records(*arguments.references, max_size=arguments.max_size),
        arguments.output,
        databases=databases,
        progress=progress("databases"),
        **shared.named(arguments, "by", "instances", "rows", "seed"),
    )
    note = f"judge by the new references: {_judging(arguments)}"
    code = shared.finish(replace(made, notes=(*made.notes, note)), arguments)
    for problem in made.problems:
        say(f"no neighbours: {problem}")
    return BROKEN_GATE if made.problems else code


def _judging(arguments: Namespace) -> str:
    """The command that judges on the instances, wherever others may be looked for."""
    folder = arguments.output
    words = [str(Path(folder, "references.jsonl")), "--by", str(arguments.by)]
    return f"demur judge RESPONSES {shlex.join([*words, '--db-root', folder])}"
