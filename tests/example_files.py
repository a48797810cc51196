"""The files that examples of the help name, beside those of ``demur demo``."""

import csv
import json
import random
import sqlite3
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any

from builders import run

SEASON = """
name = "2027"
[scoring]
by = "text"
[[phases]]
name = "test"
opens = 2020-03-01T00:00:00Z
closes = 2120-03-15T00:00:00Z
submissions = 2
[board]
accepts = ["leak"]
"""

PIPELINE = """
dialogues = "dialogues.jsonl"
declines = ["ask"]
[[module]]
name = "nlu"
call = "bot.py:understand"
[[module]]
name = "dm"
call = "bot.py:decide"
"""

BOT = '''
"""A bot and the modules of a pipeline."""


def answer(text):
    return "hours" if "open" in text.lower() else None


def understand(text):
    return "time" if "open" in text else "greet"


def decide(acts):
    return ["tell"] if "time" in acts else ["ask"]
'''

GATES = """
[[gate]]
run = "outcomes.jsonl"
fail_if = ["letters: error@0.2 > 0.7"]
"""


def write_demo(folder: Path) -> None:
    """What ``demur demo`` writes, but for the pictures and the page."""
    for name in ("references.jsonl", "responses.jsonl"):
        (folder / name).write_bytes(files("demur.cli.demo").joinpath(name).read_bytes())
    run(
        *("judge", folder / "responses.jsonl", folder / "references.jsonl"),
        *("--by", "label", "-o", folder / "outcomes.jsonl"),
    )


def write_examples(folder: Path) -> None:
    """Small files of each kind that an example names."""
    write_demo(folder)
    texts = {
        "bot.py": BOT,
        "pipeline.toml": PIPELINE,
        "demur.toml": GATES,
        "ref.txt": "good morning\nwhen do you open\n",
        "hyp.txt": "good morning\nwhen did you open\n",
        "words.txt": "good\nmorning\nwhen\nyou\nopen\n",
        "train.txt": "good morning\ngood evening\nwhen do you open\n" * 5,
        "test.txt": "good morning\nwhen do you close\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    for name, rows in {**_tables(), **_judged()}.items():
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    for name, records in {**_records(), **_of_campaign()}.items():
        (folder / name).write_text("".join(map(_line, records)), "utf-8")
    _write_database(folder / "shop.sqlite")


def _line(record: Any) -> str:
    return json.dumps(record) + "\n"


def _tables() -> dict[str, list[dict[str, Any]]]:
    chance = random.Random(0)
    people = [
        {"unit": f"u{n}", "ann": "ab"[n % 2], "ben": "ab"[n % 2], "carla": "abb"[n % 3]}
        for n in range(12)
    ]
    senses = [
        {"lemma": lemma, "sense": chance.choice("xxy"), "cluster": f"d{n % 3}"}
        for n in range(20)
        for lemma in ("bank", "plant")
    ]
    systems = [
        {"item": f"i{item}", "system": f"s{system}"}
        | {"outcome": chance.choice(["right", "right", "wrong"])}
        for system in range(12)
        for item in range(8)
    ]
    results = [{"id": n, "ok": n % 3 > 0, "score": n / 30} for n in range(30)]
    classes = [{"ref": "abc"[n % 3], "hyp": "abb"[n % 3]} for n in range(12)]
    grammar = [{"ref": "yes", "hyp": "yes"}, {"ref": "no", "hyp": "yes"}]
    steps = [
        {"ref_agent": "planner", "ref_step": n, "hyp_agent": "planner", "hyp_step": 2}
        for n in range(4)
    ]
    turns = [
        {"dialogue": f"d{n // 4}", "speaker": "user", "seconds": n} for n in range(12)
    ]
    dialogues = [
        {"liked": n % 5, "kappa": (n * 7) % 11, "turns": (n * 5) % 13}
        for n in range(30)
    ]
    return {
        "labels.csv": people,
        "tokens.csv": senses,
        "outcomes.csv": systems,
        "results.csv": results,
        "classes.csv": classes,
        "grammar.csv": grammar,
        "steps.csv": steps,
        "turns.csv": turns,
        "dialogues.csv": dialogues,
    }


def _judged() -> dict[str, list[dict[str, Any]]]:
    """Verdicts of two judges, and of people."""
    chance = random.Random(1)
    rows = []
    for n in range(60):
        people = chance.choice(["right", "wrong"])
        other = {"right": "wrong", "wrong": "right"}[people]
        row = {"item": f"q{n}", "people": people}
        for judge, errs in (("small", 0.3), ("large", 0.1)):
            row[judge] = other if chance.random() < errs else people
            row[f"{judge}_confidence"] = str(round(chance.random(), 3))
        rows.append(row)
    return {"judged.csv": rows}


def _records() -> dict[str, Iterable[Any]]:
    more = [
        {"item": f"n{n}", "input": f"question {n}?", "reference": "hours"}
        for n in range(3)
    ]
    concepts = [
        {"ref": [["time", "ten"]], "hyp": [["time", "two"]]},
        {"ref": [], "hyp": []},
    ]
    document = {"doc_key": "d1", "clusters": [[[0, 1], [3, 4]]]}
    turn = {"input": "are you open", "target": {"nlu": "time", "dm": ["tell"]}}
    turn["annotations"] = {"human": {"nlu": "time"}}
    other = {"input": "hello", "target": {"nlu": "greet", "dm": ["ask"]}}
    other["annotations"] = {"human": {"nlu": "greet"}}
    chance = random.Random(2)
    actions = [
        {"item": f"i{n}", "part": f"p{part}", "confidence": round(chance.random(), 3)}
        | {"outcome": chance.choice(["right"] * 9 + ["wrong"])}
        for n in range(40)
        for part in range(2)
    ]
    return {
        "more.jsonl": more,
        "sets.jsonl": [{"ref": ["a", "b"], "hyp": ["a"]}, {"ref": ["c"], "hyp": ["c"]}],
        "concepts.jsonl": concepts,
        "spans.jsonl": [{"ref": [["city", 0, 2]], "hyp": [["city", 0, 1]]}],
        "key.jsonl": [document],
        "response.jsonl": [document],
        "states.jsonl": [
            {"dialogue": "d1", "ref": {"to": "Rome"}, "hyp": {"to": "Rome"}},
            {"dialogue": "d1", "ref": {"to": "Oslo"}, "hyp": {"to": "Rome"}},
        ],
        "dialogues.jsonl": [
            {"dialogue": f"d{n}", "turns": [turn, other]} for n in range(4)
        ],
        "actions.jsonl": actions,
        "questions.jsonl": [
            {"item": "a", "input": "Dear things?", "db": "shop.sqlite"}
            | {"sql": "SELECT name FROM things WHERE price > 2"}
        ],
        "queries.jsonl": [
            {"item": "a", "response": "SELECT name FROM things WHERE price >= 3"}
        ],
    }


def _of_campaign() -> dict[str, Iterable[Any]]:
    north, south = (
        [
            {"item": f"{site}{n}", "input": f"{site} question {n}?", "reference": "yes"}
            | {"subject": f"{site}{n}"}
            for n in range(4)
        ]
        for site in ("n", "s")
    )
    decision = {
        "item": "north/n0",
        "by": "ann",
        "why": "as agreed",
        "set": {"reference": "no"},
    }
    return {"north.jsonl": north, "south.jsonl": south, "decisions.jsonl": [decision]}


def _write_database(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE things (name TEXT PRIMARY KEY, price INTEGER)")
        rows = [("cup", 1), ("pot", 3), ("pan", 5)]
        database.executemany("INSERT INTO things VALUES (?, ?)", rows)
    database.close()
