"""Run the SQL of the air-travel questions and write the answers next to it.

For each question in ``questions.jsonl`` that has SQL, its answer is written in the
Common Answer Specification, CAS: as ``reference``; as ``references`` if the readings
have weights; as ``min`` and ``max`` if there is SQL for the largest answer that is
still right. Several readings of equal weight are joined by OR.

Run ``python make_answers.py`` to write them, ``python make_answers.py --check`` to
compare them with new ones. Needs nothing but Python.
"""

import argparse
import json
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

Record = dict[str, Any]
Row = tuple[Any, ...]

QUESTIONS = Path(__file__).resolve().parent / "questions.jsonl"
ANSWERS = ("reference", "references", "min", "max")


def as_value(value: Any) -> str:
    """Write one value of the database in CAS.

    Examples
    --------
    >>> as_value(None), as_value(152), as_value("152"), as_value(63.0)
    ('NIL', '152', '"152"', '63.0')
    """
    if value is None:
        return "NIL"
    if isinstance(value, str):
        if '"' in value:
            raise SystemExit(f"a text must hold no quotation mark; got {value}")
        return f'"{value}"'
    return format(Decimal(repr(value)), "f")


def as_cas(rows: Sequence[Row], question: Record) -> str:
    """Write the result of one query in CAS.

    YES and NO are booleans. Where the question names the rules of a year, a single
    value is written as such, otherwise as a table of one line.

    Parameters
    ----------
    rows : sequence of tuple
        What SQL returned.
    question : dict
        Says whether order (``ordered``) and repeated rows (``mode``) count; if not,
        rows are sorted and repeated ones dropped.

    Returns
    -------
    str
    """
    if len(rows) == 1 and len(rows[0]) == 1:
        (value,) = rows[0]
        if value in ("YES", "NO"):
            return str(value)
        if "rules" in question:
            return as_value(value)
    lines = [" ".join(map(as_value, row)) for row in rows]
    if not question.get("ordered"):
        lines.sort()
        if question.get("mode") != "bag":
            lines = list(dict.fromkeys(lines))
    return "(" + " ".join(f"({line})" for line in lines) + ")"


def readings(question: Record, name: str) -> list[Any]:
    """Return the alternatives in field ``name``, or in its plural."""
    return [question[name]] if name in question else question.get(f"{name}s", [])


def either(answers: Sequence[str]) -> str:
    """Join alternatives by OR; one alone stays as it is."""
    return answers[0] if len(answers) == 1 else f"({' OR '.join(answers)})"


def answers(question: Record, connection: sqlite3.Connection) -> Record:
    """Return the fields that hold the answers of one question; none without SQL."""

    def cas(sql: str) -> str:
        return as_cas(connection.execute(sql).fetchall(), question)

    least = readings(question, "sql")
    if not least:
        return {}
    if isinstance(least[0], dict):
        return {"references": [{**each, "value": cas(each["value"])} for each in least]}
    most = readings(question, "max_sql")
    if not most:
        return {"reference": either([cas(sql) for sql in least])}
    return {
        "min": either([cas(sql) for sql in least]),
        "max": either([cas(sql) for sql in most]),
    }


def answered(question: Record) -> Record:
    """Return a question with the answers that its SQL finds now."""
    if "db" not in question:
        return question
    path = QUESTIONS.parent / question["db"]
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        found = answers(question, connection)
    return {name: value for name, value in question.items() if name not in ANSWERS} | (
        found
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Write the answers, or check the stored ones.

    Returns
    -------
    int
        The exit code: 1 if ``--check`` found a difference, else 0.
    """
    parser = argparse.ArgumentParser(description="Answers to air-travel questions.")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args(argv).check
    old = [json.loads(line) for line in QUESTIONS.read_text("utf-8").splitlines()]
    new = [answered(question) for question in old]
    if not check:
        text = "".join(json.dumps(question) + "\n" for question in new)
        QUESTIONS.write_text(text, encoding="utf-8", newline="\n")
        print(f"wrote answers into {QUESTIONS.name}")
        return 0
    pairs = zip(old, new, strict=True)
    differ = [here["item"] for here, now in pairs if here != now]
    print(f"differ: {', '.join(differ)}" if differ else f"{len(old)} answers as stored")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
