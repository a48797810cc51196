"""``demur sketch``: counts of outcomes for elsewhere, without the items."""

from argparse import Namespace

from demur.cli import say, shared
from demur.cli.shared import WrongUsage
from demur.engines.sketch_checks import is_sketch
from demur.engines.sketches import Sketch, read_sketch
from demur.engines.sketching import sketch
from demur.formats.reading import read_outcomes
from demur.results import printable


def run(arguments: Namespace) -> int:
    """Count, write, and say what was counted."""
    sources = arguments.outcomes
    shared.check_asked(arguments, Sketch.KINDS, [*sources, arguments.like], ["output"])
    for source in sources:
        if is_sketch(source):
            need, hint = "be outcomes", "demur curve puts sketches together."
            got = f"{printable(source)}, a sketch"
            raise WrongUsage("sketch", "OUTCOMES", need, got, hint)
    outcomes = shared.counted(arguments, sources, ["log"])
    if outcomes is None:
        how = shared.how_read(arguments)
        outcomes = read_outcomes(*sources, groups=arguments.by, **how)
    counted = sketch(
        outcomes,
        by=arguments.by,
        blocks=arguments.blocks,
        like=read_sketch(arguments.like) if arguments.like else None,
        least_count=arguments.least_count,
        hashes=not arguments.no_item_hashes,
    )
    counted.write(arguments.output)
    say(f"wrote {arguments.output}")
    for note in outcomes.notes:
        say(f"note: {note} (this stays here)")
    return shared.finish(counted, arguments)
