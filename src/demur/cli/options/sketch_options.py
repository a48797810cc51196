"""The options of ``demur sketch``."""

from demur.cli.options import choices, shared, typed
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur sketch``."""
    command.description = (
        "Count outcomes that may not travel: a file of counts, without items, that "
        "demur curve puts together with those of other places."
    )
    command.common = ("--output", "--by", "--least-count", "--blocks", "--like")
    command.examples = ("demur sketch outcomes.jsonl -o here.sketch --least-count 5",)
    command.option(
        f"OUTCOMES: files of outcomes ({choices.READABLE}, compressed too; - is "
        "standard input)",
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
