"""``demur merge``: references of several contributors in one file."""

import sys
from argparse import Namespace

from demur import formats
from demur.cli import tables
from demur.cli.shared import as_json, check_not_read, reader_may_go, show
from demur.errors import printable
from demur.references.merging import Merged, contributors_of, merge
from demur.version import __version__


def run(arguments: Namespace) -> int:
    """Merge, write, and print what was found."""
    check_not_read("merge", "--output", arguments.output, arguments.references)
    names = contributors_of(arguments.references, arguments.contributors)
    sets = {
        name: list(formats.iter_records(path))
        for name, path in zip(names, arguments.references, strict=True)
    }
    merged = merge(sets, apart=arguments.apart)
    report = sys.stdout
    if arguments.output == "-":
        with reader_may_go(sys.stdout):
            formats.write_records(merged.records, sys.stdout)
        report = sys.stderr
    else:
        formats.write_records(merged.records, arguments.output)
    if arguments.json:
        show(as_json({"demur": __version__, **merged.to_dict()}), report)
    else:
        show(_table(merged), report)
    return 0


def _table(merged: Merged) -> str:
    again = {each.item for each in merged.findings}
    conflicts = {
        each.item for each in merged.findings if each.check == "conflicting-reference"
    }
    whose = {str(each["item"]): str(each["contributor"]) for each in merged.records}
    rows = [
        [
            name,
            str(count),
            str(sum(whose[item] == name for item in again)),
            str(sum(whose[item] == name for item in conflicts)),
        ]
        for name, count in merged.contributed.items()
    ]
    header = ["contributor", "items", "asked before", "of these in conflict"]
    lines = [str(each) for each in merged.findings]
    lines += [f"note: {note}" for note in merged.notes]
    lines.append(f"items: {len(merged.records)}, all kept")
    return tables.table(header, rows) + "\n\n" + "\n".join(map(printable, lines))
