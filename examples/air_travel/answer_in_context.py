"""Answer air-travel questions in their context, as a program that demur run starts.

It reads a line ``{"item": ..., "input": ..., "context": [...]}`` for each question and
writes a line with its SQL, its confidence, and whether it would rather decline. The
context are the turns before it in the dialogue that count, as ``demur run --context``
hands them over: they are read anew, and the program remembers nothing.

Run ``python answer_in_context.py NAME``, where NAME is one of the systems of
``make_responses.py``; ``--learnt`` runs it as it is after a year of work.
"""

import argparse
import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from make_responses import SYSTEMS
from template_system import TemplateSystem, write_sql

Record = dict[str, Any]

FOLDER = Path(__file__).resolve().parent
# What a year of work with the training part has brought: rules for the words that were
# misread there, what must be understood to answer, and no columns that nobody wants.
LEARNT = [
    (r"after midnight|overnight", "night time", "arrival_time<departure_time days>0"),
    # A bare hour is read as one in the afternoon, 1200 too late.
    (r"around (\d\d?) in the morning", "time", "{clock} BETWEEN {0}-1255 AND {0}-1185"),
    (r"(?:nor|not|leave out|without).*weekends?(?: only)?", "day", "days <> '67'"),
    (r"no round trip price", "limit", "round_trip IS NULL"),
    (r"no one-way price", "limit", "one_way IS NULL"),
]
LEARNT_SYSTEMS = SYSTEMS | {"template": (0.8, False), "wide": (0.75, False)}


class InContext:
    """One of the systems, which is told the turns before.

    Parameters
    ----------
    name : str
        A key of ``SYSTEMS``.
    learnt : bool
        Whether it is as a year of work has made it.
    """

    def __init__(self, name: str, *, learnt: bool = False) -> None:
        self.needed, self.wide = (LEARNT_SYSTEMS if learnt else SYSTEMS)[name]
        database = f"{(FOLDER / 'air_travel.sqlite').as_uri()}?mode=ro"
        with closing(sqlite3.connect(database, uri=True)) as connection:
            self.system = TemplateSystem(connection, LEARNT if learnt else ())

    def answer(self, question: Record) -> Record:
        """Answer a question, a dict with ``item``, ``input`` and ``context``."""
        before: dict[str, str] = {}
        for turn in question.get("context", ()):
            slots, confidence = self.system.read(turn["input"], before)
            before = slots if confidence >= self.needed else before
        slots, confidence = self.system.read(question["input"], before)
        return {
            "item": question["item"],
            "response": write_sql(slots, wide=self.wide),
            "confidence": confidence,
            "declined": confidence < self.needed,
        }


def main() -> None:
    """Answer line by line until there are no more."""
    parser = argparse.ArgumentParser(description="Answer questions in their context.")
    parser.add_argument("name", choices=SYSTEMS, help="of the system")
    parser.add_argument("--learnt", action="store_true", help="after a year of work")
    options = parser.parse_args()
    system = InContext(options.name, learnt=options.learnt)
    for line in sys.stdin:
        print(json.dumps(system.answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
