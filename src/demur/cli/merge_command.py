"""``demur merge``: references of several contributors in one file."""

import sys
from argparse import Namespace

from demur import formats
from demur.cli import Parser, reader_may_go, shared, typed
from demur.references.merging import Merged, contributors_of, merge


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur merge``."""
    command.description = (
        "Merge challenge sets: every reference is kept and says who contributed "
        "it; equal questions and conflicting references are reported."
    )
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


def run(arguments: Namespace) -> int:
    """Merge, write, and print what was found."""
    shared.check_asked(arguments, Merged.KINDS, arguments.references, ["output"])
    names = contributors_of(arguments.references, arguments.contributors)
    sets = {
        name: list(formats.iter_records(path, max_size=arguments.max_size))
        for name, path in zip(names, arguments.references, strict=True)
    }
    merged = merge(sets, **shared.named(arguments, "apart", "hide_references"))
    report = sys.stdout
    if arguments.output == "-":
        with reader_may_go(sys.stdout):
            formats.write_records(merged.records, sys.stdout)
        report = sys.stderr
    else:
        formats.write_records(merged.records, arguments.output)
    return shared.finish(merged, arguments, report)
