"""Cut the air-travel questions into what a campaign of three sites begins with.

``python make_campaign.py FOLDER`` writes into the folder

- for each site the questions of three speakers, with answers and without classes
  (``SITE.jsonl``), and what it means by words (``SITE-meanings.jsonl``);
- the classes that three annotators gave to all questions (``labels.jsonl``), which are
  not always those of ``questions.jsonl``.
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

Record = dict[str, Any]

FOLDER = Path(__file__).resolve().parent
# The speakers whose questions a site has collected.
SITES = {
    "aldermoor": ("s1", "s2", "s3"),
    "eastmere": ("s4", "s5", "s6"),
    "greyhaven": ("s7", "s8", "s9"),
}
ANNOTATORS = ("ann", "bo", "cy")
# Where annotators saw it differently: two agree, or nobody does.
OTHER_LABELS = {
    "air-02-4": {"bo": "D"},
    "air-05-5": {"cy": "D"},
    "air-09-5": {"ann": "X"},
    "air-14-2": {"bo": "D"},
    "air-10-6": {"ann": "A", "bo": "D", "cy": "X"},
}
# A word that one site understands in another way, until it is agreed on.
OTHER_MEANING = ("greyhaven", "M4", "Before 11 in the morning.")


def read(name: str) -> list[Record]:
    """Read the records of a file of this folder."""
    return [json.loads(line) for line in (FOLDER / name).read_text().splitlines()]


def write(path: Path, records: Iterable[Record]) -> None:
    """Write records as JSON Lines."""
    text = "".join(json.dumps(record) + "\n" for record in records)
    path.write_text(text, encoding="utf-8", newline="\n")


def write_sites(folder: Path) -> None:
    """Write the sites' questions and meanings, and the annotators' labels."""
    questions, meanings = read("questions.jsonl"), read("meanings.jsonl")
    for site, speakers in SITES.items():
        of_site = [one for one in questions if one["subject"] in speakers]
        cited = {name for one in of_site for name in one.get("meanings", ())}
        write(folder / f"{site}.jsonl", map(without_class, of_site))
        write(
            folder / f"{site}-meanings.jsonl",
            [as_site_says(one, site) for one in meanings if one["id"] in cited],
        )
    write(
        folder / "labels.jsonl",
        [
            {
                "unit": one["item"],
                "annotator": annotator,
                "label": OTHER_LABELS.get(one["item"], {}).get(annotator, one["class"]),
            }
            for one in questions
            for annotator in ANNOTATORS
        ],
    )


def without_class(question: Record) -> Record:
    """Leave out what the annotators are to say."""
    return {k: v for k, v in question.items() if k not in ("class", "why")}


def as_site_says(meaning: Record, site: str) -> Record:
    """Return a meaning as a site has it."""
    if (site, meaning["id"]) == OTHER_MEANING[:2]:
        return meaning | {"meaning": OTHER_MEANING[2]}
    return meaning


def main(argv: Sequence[str] | None = None) -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description="Files for an air-travel campaign.")
    parser.add_argument("folder", type=Path, help="where they go")
    folder = parser.parse_args(argv).folder
    folder.mkdir(parents=True, exist_ok=True)
    write_sites(folder)


if __name__ == "__main__":
    main()
