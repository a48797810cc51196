"""``demur merge``: references of several contributors in one file."""

import sys
from argparse import Namespace

from demur import formats
from demur.cli import reader_may_go, shared
from demur.references.merging import Merged, contributors_of, merge


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
