"""``demur sketch``: counts of outcomes for elsewhere, without the items."""

from argparse import Namespace

from demur.cli import Parser, say, shared, typed
from demur.cli.shared import WrongUsage
from demur.engines.sketch_checks import is_sketch
from demur.engines.sketches import Sketch, read_sketch
from demur.engines.sketching import sketch
from demur.formats.reading import READABLE, read_outcomes
from demur.results import printable


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur sketch``."""
    command.description = (
        "Count outcomes that may not travel: a file of counts, without items, that "
        "demur curve puts together with those of other places."
    )
    command.option(
        f"OUTCOMES: files of outcomes ({READABLE}, compressed too; - is standard "
        "input)",
        nargs="+",
    )
    command.option(
        "-o --output FILE: where the counts go, such as part.sketch",
        type=typed.sketch_file,
        required=True,
    )
    command.option(
        "--by GROUP: count each value of this column apart; may be repeated",
        several=True,
    )
    finer = command.add_mutually_exclusive_group()
    finer.option(
        "--blocks N: cut confidences into about N blocks, if there are more different "
        "ones (default: each has its own up to 1048576, more are cut into about 65536)",
        type=typed.blocks,
    )
    finer.option(
        "--like SKETCH: cut confidences as in this file, from another place, and with "
        "its --least-count"
    )
    command.option(
        "--least-count N: put blocks together until each has so many guesses",
        type=typed.count,
        default=0,
    )
    command.option(
        "--no-item-hashes: keep no hashes of items, by which whoever can guess an "
        "item's name finds out whether it is there; items that two sketches share are "
        "then not seen"
    )
    shared.add_selection(command, "outcomes")
    shared.add_engine(command)
    shared.add_result_options(command, "'items < 1000'")


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
