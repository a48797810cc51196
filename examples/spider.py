"""Questions, SQL and predictions of Spider and SParC as files that demur reads.

Writes into the output folder::

    references.jsonl      item, cluster, input, sql, db: one line for each question
    responses.jsonl       item, system, response: what the systems predicted
    turns.jsonl           the same of the turns of SParC; the interaction is the cluster
    turn_responses.jsonl

and, with ``--agreement SYSTEM`` (may be repeated), ``agreement.jsonl``: the responses
of that system with a confidence, the share of the other systems whose queries return
the same. No system of these files states how sure it is, and this costs nothing but
time; it needs the other systems, though.

The data sets are not part of demur (Spider: Yu et al. 2018, SParC: Yu et al. 2019, both
CC BY-SA 4.0). FOLDER holds ``questions.jsonl`` (id, db_id, question, query),
``predictions/SYSTEM.jsonl`` (id, sql) and ``database/DB.sqlite``, and for the turns
``sparc_turns.jsonl`` (interaction, turn, db_id, query, prediction); or, as Spider is
published, ``dev.json``, ``predictions/SYSTEM.txt`` with a query on each line, and
``database/DB/DB.sqlite``::

    python examples/spider.py PATH/spider-dev19 --output spider --agreement din_sql_gpt4
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import demur

Record = dict[str, Any]


def main() -> int:
    """Write the files; 2 if the folder does not hold what is needed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--output", type=Path, default=Path("spider"))
    parser.add_argument("--agreement", action="append", default=[], metavar="SYSTEM")
    parser.add_argument("--cache", type=Path, help="keep results of queries here")
    options = parser.parse_args()
    references = spider_references(options.folder)
    responses = spider_responses(options.folder, [each["item"] for each in references])
    files = {"references.jsonl": references, "responses.jsonl": responses}
    files |= sparc_files(options.folder)
    names = {each["system"] for each in responses}
    for system in options.agreement:
        if system not in names:
            parser.error(f"no predictions of {system}; there are {sorted(names)}")
    if options.agreement:
        databases = demur.Databases(root=str(options.folder), cache=options.cache)
        files["agreement.jsonl"] = [
            record
            for system in options.agreement
            for record in with_agreement(system, responses, references, databases)
        ]
    options.output.mkdir(parents=True, exist_ok=True)
    for name, records in files.items():
        write(options.output / name, records)
        print(f"{name}: {len(records):,} lines")
    return 0


def spider_references(folder: Path) -> list[Record]:
    """The questions with their canonical SQL; item is the position in dev.json.

    Most questions are asked twice in other words: those with the same query are one
    cluster, named by the first of them.
    """
    published = folder / "dev.json"
    if published.exists():
        questions = json.loads(published.read_text("utf-8"))
    elif (folder / "questions.jsonl").exists():
        questions = read_lines(folder / "questions.jsonl")
    else:
        sys.exit(f"{folder} holds neither dev.json nor questions.jsonl")
    first: dict[tuple[str, str], str] = {}
    references = []
    for number, each in enumerate(questions):
        item, key = str(each.get("id", number)), (each["db_id"], each["query"])
        references.append(
            {
                "item": item,
                "cluster": first.setdefault(key, item),
                "input": each["question"],
                "db": database(folder, each["db_id"]),
                "sql": each["query"],
            }
        )
    return references


def spider_responses(folder: Path, items: list[str]) -> list[Record]:
    """What each system predicted, joined by id, or line by line with dev.json."""
    responses = []
    for path in sorted((folder / "predictions").iterdir()):
        if path.suffix == ".jsonl":
            pairs = [(str(each["id"]), each["sql"]) for each in read_lines(path)]
        else:
            lines = path.read_text("utf-8").rstrip("\n").split("\n")
            if len(lines) != len(items):
                sys.exit(f"{path}: {len(lines)} lines for {len(items)} questions")
            pairs = list(zip(items, lines, strict=True))
        responses += [
            {"item": item, "system": path.stem, "response": sql} for item, sql in pairs
        ]
    return responses


def sparc_files(folder: Path) -> dict[str, list[Record]]:
    """Turns and their predictions, where there are any."""
    path = folder / "sparc_turns.jsonl"
    turns = read_lines(path) if path.exists() else []
    references, responses = [], []
    for each in turns:
        interaction, number = each["interaction"], each["turn"]
        item = f"{interaction}-{number}"
        references.append(
            {
                "item": item,
                "cluster": str(interaction),
                "turn": number,
                "class": "A" if number == 1 else "D",
                "context": [f"{interaction}-{before}" for before in range(1, number)],
                "db": database(folder, each["db_id"]),
                "sql": each["query"],
            }
        )
        responses.append({"item": item, "response": each["prediction"]})
    if not turns:
        return {}
    return {"turns.jsonl": references, "turn_responses.jsonl": responses}


def with_agreement(
    system: str,
    responses: list[Record],
    references: list[Record],
    databases: demur.Databases,
) -> list[Record]:
    """A system's responses; the confidence is the share of others that agree.

    The system's own queries take the place of the canonical ones, and the other systems
    are judged by them.
    """
    own = {each["item"]: each for each in responses if each["system"] == system}
    others = [
        each for each in responses if each["system"] != system and each["item"] in own
    ]
    outcomes = demur.judge(
        others,
        [
            each | {"sql": own[each["item"]]["response"]}
            for each in references
            if each["item"] in own
        ],
        by="sql(maximum=none)",
        databases=databases,
    )
    columns = outcomes.to_columns()
    agreeing = Counter(
        item
        for item, outcome in zip(columns["item"], columns["outcome"], strict=True)
        if outcome == "right"
    )
    count = len({each["system"] for each in others})
    return [each | {"confidence": agreeing[item] / count} for item, each in own.items()]


def database(folder: Path, name: str) -> str:
    """The path of a database inside the folder, in either layout."""
    flat = f"database/{name}.sqlite"
    return flat if (folder / flat).exists() else f"database/{name}/{name}.sqlite"


def read_lines(path: Path) -> list[Record]:
    """The records of a file of JSON Lines."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def write(path: Path, records: Iterable[Record]) -> None:
    """A file of JSON Lines."""
    lines = (json.dumps(each, ensure_ascii=False) + "\n" for each in records)
    path.write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
