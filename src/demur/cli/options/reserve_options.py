"""The options of ``demur reserve``."""

from demur.cli.options import shared, typed
from demur.cli.options.parsing import Parser


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur reserve``."""
    command.description = (
        "Cut references into training and test, so that no subject (or "
        "dialogue, or whatever --by names) is in both."
    )
    command.common = ("--by", "--share", "--train", "--test", "--stratify")
    command.examples = (
        "demur reserve references.jsonl --by cluster --train a.jsonl --test b.jsonl",
    )
    command.option("REFERENCES: files of references", nargs="+")
    command.option(
        "--by COLUMN: items with the same value stay together; may be repeated (any "
        "suffices)",
        action="append",
        required=True,
    )
    command.option(
        "--share SHARE: of the items, reserved for the test",
        type=typed.share,
        usual=0.3,
    )
    command.option(
        "--stratify COLUMN: aim at that share of each value of this column, such as "
        "class"
    )
    command.option(
        "--train FILE: where the references for training go (.jsonl, also .gz .zst)",
        type=typed.record_file,
        required=True,
    )
    command.option(
        "--test FILE: where the reserved references go (.jsonl, also .gz .zst)",
        type=typed.record_file,
        required=True,
    )
    shared.add_seed(command, "of the draw")
    shared.add_selection(command, "references")
    shared.add_result_options(command, "'share < 0.25'")
