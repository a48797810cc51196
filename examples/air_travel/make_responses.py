"""Let three simple systems answer the air-travel questions and write their SQL.

All three read with ``template_system.py``:

- ``template`` declines a question of which it understands too little;
- ``bold`` never declines, whatever it understood;
- ``wide`` declines like ``template`` and shows all columns that it has.

Run ``python make_responses.py`` to write ``systems/*.jsonl``,
``python make_responses.py --check`` to compare the files with new responses.
"""

import argparse
import json
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from template_system import TemplateSystem, write_sql

Record = dict[str, Any]

FOLDER = Path(__file__).resolve().parent
# The share of words that a system must understand to answer; and all columns or not.
SYSTEMS = {"template": (0.75, False), "bold": (0.0, False), "wide": (0.75, True)}


def respond(name: str, system: TemplateSystem, questions: list[Record]) -> list[Record]:
    """Let one system answer all questions, each dialogue in its order.

    Parameters
    ----------
    name : str
        A key of ``SYSTEMS``.
    system : TemplateSystem
        What reads the questions.
    questions : list of dict
        Records with ``item``, ``cluster`` and ``input``; nothing else is looked at.

    Returns
    -------
    list of dict
        One response record per question, in the same order.
    """
    needed, wide = SYSTEMS[name]
    before: dict[str, dict[str, str]] = {}
    records = []
    for question in questions:
        dialogue = question["cluster"]
        slots, confidence = system.read(question["input"], before.get(dialogue, {}))
        record = {"item": question["item"], "system": name, "response": "NO_ANSWER"}
        if confidence >= needed:
            record["response"] = write_sql(slots, wide=wide)
            record["confidence"] = confidence
            before[dialogue] = slots
        else:
            record["kind"] = "idk"
        records.append(record)
    return records


def responses() -> Iterator[tuple[Path, str]]:
    """Yield the path and the text of each file of responses."""
    lines = (FOLDER / "questions.jsonl").read_text("utf-8").splitlines()
    questions = [json.loads(line) for line in lines]
    database = f"{(FOLDER / 'air_travel.sqlite').as_uri()}?mode=ro"
    with closing(sqlite3.connect(database, uri=True)) as connection:
        system = TemplateSystem(connection)
    for name in SYSTEMS:
        records = respond(name, system, questions)
        text = "".join(json.dumps(record) + "\n" for record in records)
        yield FOLDER / "systems" / f"{name}.jsonl", text


def main(argv: Sequence[str] | None = None) -> int:
    """Write the responses, or check the stored ones.

    Returns
    -------
    int
        The exit code: 1 if ``--check`` found a difference, else 0.
    """
    parser = argparse.ArgumentParser(description="Responses to air-travel questions.")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args(argv).check
    faults = 0
    for path, text in responses():
        if not check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        same = path.read_text("utf-8") == text
        faults += not same
        print(f"{path.name}: {'as computed' if same else 'differs'}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
