"""``demur reserve``: references cut into training and test, no subject in both."""

from argparse import Namespace

from demur import formats
from demur.cli import shared
from demur.references.reserving import Reservation, reserve


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
