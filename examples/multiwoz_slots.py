r"""Turns of MultiWOZ as wholes of slots: what nine systems vote for, and the reference.

Each of nine published systems says how a turn of the user changes the state of the
dialogue: slots and their values. A slot gets the value that most of them give it, with
their share as confidence; a slot that any of them fills is a part of the turn. What the
turn changed in truth is that of MultiWOZ 2.4, where a slot may have several right
values. A turn in which nothing changed has one row without a part.

The data (Budzianowski et al. 2018 and its later versions) are not part of demur. Give
the folder that holds ``test.jsonl.gz``, or set DEMUR_DATA to the folder above it::

    python examples/multiwoz_slots.py --data PATH/multiwoz_sources slots
    demur judge slots/responses.jsonl slots/references.jsonl --by text \
        --unmatched wrong --missing unanswered -o slots/outcomes.jsonl
"""

import argparse
import gzip
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def main() -> None:
    """Write responses and references."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the files go")
    parser.add_argument("--data", type=Path, help="that of test.jsonl.gz")
    options = parser.parse_args()
    data = options.data or Path(os.environ.get("DEMUR_DATA", ""), "multiwoz_sources")
    if not (data / "test.jsonl.gz").exists():
        sys.exit(f"{data}: there is no test.jsonl.gz; see the head of this script")
    responses, references = turns(data)
    options.folder.mkdir(exist_ok=True, parents=True)
    write(options.folder / "responses.jsonl", responses)
    write(options.folder / "references.jsonl", references)


def records(path: Path) -> Iterator[Row]:
    """The objects of a file with one in each line."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def write(path: Path, rows: Iterable[Row]) -> None:
    """A line of JSON for each row."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")


def turns(data: Path) -> tuple[list[Row], list[Row]]:
    """The parts of all turns, as the systems vote and as the reference has them."""
    canon = json.loads((data / "canon.json").read_text("utf-8"))

    def spelt(slot: str, value: str) -> str:
        return str(canon.get(slot, {}).get(value, value))

    responses, references = [], []
    dialogues = zip(
        records(data / "test.jsonl.gz"), records(data / "systems.jsonl.gz"), strict=True
    )
    for dialogue, outputs in dialogues:
        given = [said for said in outputs["systems"].values() if said is not None]
        for number, turn in enumerate(dialogue["turns"]):
            item = f"{dialogue['id']}-{number + 1}"
            changes = [said[number][0] for said in given]
            votes = Counter(
                (slot, spelt(slot, value))
                for change in changes
                for slot, value in change.items()
                if value is not None
            )
            responses += voted(item, votes, len(given))
            right = {
                slot: [spelt(slot, one) for one in re.split(r"[|>]", value)]
                for slot, value in turn["st"]["v24"].items()
                if value is not None
            }
            references += wanted(item, dialogue["id"], right)
    return responses, references


def voted(item: str, votes: Counter[tuple[str, str]], n_systems: int) -> list[Row]:
    """For each slot the value with most votes; of as many the first by its letters."""
    best: dict[str, tuple[int, str]] = {}
    for (slot, value), n_votes in sorted(votes.items()):
        if n_votes > best.get(slot, (0, ""))[0]:
            best[slot] = n_votes, value
    if not best:
        return [{"item": item, "part": None, "response": None, "confidence": None}]
    return [
        {
            "item": item,
            "part": slot,
            "response": value,
            "confidence": round(n_votes / n_systems, 4),
        }
        for slot, (n_votes, value) in sorted(best.items())
    ]


def wanted(item: str, dialogue: str, right: dict[str, list[str]]) -> list[Row]:
    """The reference of each slot; none where nothing is to be answered."""
    whole = {"item": item, "cluster": dialogue}
    if not right:
        return [{**whole, "answerable": False}]
    return [
        {**whole, "part": slot, "references": values}
        for slot, values in sorted(right.items())
    ]


if __name__ == "__main__":
    main()
