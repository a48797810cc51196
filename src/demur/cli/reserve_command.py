"""``demur reserve``: references cut into training and test, no subject in both."""

from argparse import Namespace

from demur import formats
from demur.cli import Parser, shared, typed
from demur.references.reserving import Reservation, reserve


def add_arguments(command: Parser) -> None:
    """The arguments of ``demur reserve``."""
    command.description = (
        "Cut references into training and test, so that no subject (or "
        "dialogue, or whatever --by names) is in both."
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


def run(arguments: Namespace) -> int:
    """Cut, write both files, and print what is where."""
    files = arguments.references
    shared.check_asked(arguments, Reservation.KINDS, files, ["train", "test"])
    placed = list(formats.iter_records(*files, **shared.how_read(arguments)))
    for place, record in placed:
        formats.reference_of(record, place)  # refuses what is no reference
    records = [record for _, record in placed]
    how = shared.named(arguments, "by", "share", "stratify", "seed")
    reservation = reserve(placed, **how)
    sides = {arguments.train: reservation.train, arguments.test: reservation.test}
    formats.write_record_files(
        {path: [records[row] for row in side.rows] for path, side in sides.items()}
    )
    return shared.finish(reservation, arguments)
