"""``demur neighbours``: further instances of the databases of references."""

import os
import shlex
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

from demur import formats
from demur.cli import BROKEN_GATE, say, shared
from demur.cli.streams import progress
from demur.sql.databases import Databases
from demur.sql.neighbours.making import neighbours
from demur.sql.neighbours.results import Neighbours


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
