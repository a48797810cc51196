"""What many tests need: outcomes, files of records, a command and what it printed."""

import argparse
import contextlib
import io
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import demur
import demur.cli

# -- real data ---------------------------------------------------------------------

DATA = Path(os.environ.get("DEMUR_DATA") or "no data")
needs_data = pytest.mark.skipif(
    "DEMUR_DATA" not in os.environ, reason="DEMUR_DATA names no folder of real data"
)


# -- outcomes ----------------------------------------------------------------------


def graded(correct: Any, confidence: Any = None, **columns: Any) -> demur.Outcomes:
    """Outcomes of responses that are right (1) or wrong (0), and further columns."""
    given = {"correct": correct, "confidence": confidence, **columns}
    return demur.Outcomes.from_arrays(**given)


def by_outcome(outcome: Any, confidence: Any = None, **columns: Any) -> demur.Outcomes:
    """Outcomes by their names (right, wrong, unanswered, ungraded)."""
    given = {"outcome": outcome, "confidence": confidence, **columns}
    return demur.Outcomes.from_arrays(**given)


def drawn(
    seed: Any,
    n: int,
    chance: Callable[[Any], Any],
    digits: int | None = None,
    **columns: Any,
) -> demur.Outcomes:
    """Outcomes of items that are right with a chance, given their confidence.

    The seed is a number, or a generator that is drawn from.
    """
    rng = np.random.default_rng(seed)
    confidence = rng.random(n)
    if digits is not None:
        confidence = confidence.round(digits)
    items = {"item": [f"q{row}" for row in range(n)], **columns}
    return graded(rng.random(n) < chance(confidence), confidence, **items)


def judge_one(response: Any, reference: dict[str, Any], **how: Any) -> demur.Outcomes:
    """Outcomes of one response, against a reference without its item."""
    return demur.judge(
        [{"item": "q", "response": response}], [{"item": "q", **reference}], **how
    )


# -- files -------------------------------------------------------------------------


def json_lines(records: Iterable[Any]) -> str:
    """Records as text, each on a line of its own."""
    return "".join(json.dumps(record) + "\n" for record in records)


def write_records(path: Path, records: Iterable[Any]) -> str:
    """Write records as JSON lines; the path, as a command takes it."""
    path.write_text(json_lines(records), "utf-8")
    return str(path)


def judge_files(
    folder: Path, responses: Iterable[Any], references: Iterable[Any]
) -> list[str]:
    """Write both as JSON lines; the command that judges them."""
    given = write_records(folder / "responses.jsonl", responses)
    return ["judge", given, write_records(folder / "references.jsonl", references)]


def read_records(path: Path | str) -> list[Any]:
    """The records of a file of JSON lines."""
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]


def parquet(table: Any, **options: Any) -> bytes:
    """A table, or a dict of its columns, as the bytes of a Parquet file."""
    columns = pyarrow.table(table) if isinstance(table, dict) else table
    file = io.BytesIO()
    pyarrow.parquet.write_table(columns, file, **options)
    return file.getvalue()


# -- commands ----------------------------------------------------------------------


class Ended(NamedTuple):
    """A command that has ended: its exit code, and what it printed."""

    code: int
    out: str
    err: str


def run(*words: object) -> Ended:
    """Run a command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = demur.cli.main([str(word) for word in words])
        except SystemExit as end:
            code = int(end.code or 0)
    return Ended(code, out.getvalue(), err.getvalue())


def printed(*words: object) -> str:
    """What a command printed that ended well."""
    code, out, err = run(*words)
    assert code == 0, err
    return out


def printed_json(*words: object) -> Any:
    """The JSON of a command that ended well."""
    return json.loads(printed(*words, "--json"))


def stderr_of(*words: object, code: int = 4) -> str:
    """What a command said on stderr that ended with this code."""
    ended = run(*words)
    assert ended.code == code, ended.err
    return ended.err


def python(*words: object, **how: Any) -> subprocess.CompletedProcess[str]:
    """A process of Python that has ended: its exit code, and what it printed."""
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **how)


def parsers(
    parser: argparse.ArgumentParser,
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command without commands of its own, with the words that call it."""
    tables = [
        action.choices
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
    ]
    if not tables:
        yield parser.prog.partition(" ")[2], parser
    for command in (command for table in tables for command in table.values()):
        yield from parsers(command)


# -- refusals ----------------------------------------------------------------------


def refuses(message: str, function: Any, /, *arguments: Any, **options: Any) -> None:
    """A call that is bad input, and whose error matches the message."""
    with pytest.raises(demur.InputError, match=message):
        function(*arguments, **options)


def undefined(message: str, function: Any, /, *arguments: Any, **options: Any) -> None:
    """A call that asks for a ratio of nothing, and whose error matches the message."""
    with pytest.raises(demur.UndefinedRate, match=message):
        function(*arguments, **options)


# -- results -----------------------------------------------------------------------


def carries(result: Any, *names: str) -> None:
    """A result that has these fields, but neither shows nor compares them."""
    plain = result.to_dict()
    for name in names:
        assert name not in plain
        assert getattr(result, name) is not None
        assert replace(result, **{name: None}) == result


# -- storms ------------------------------------------------------------------------


def storm(cases: Iterable[Any], *, sample: int) -> list[Any]:
    """Cases for parametrize; all but the first few are left to ``make stress``."""
    return [
        case
        if number < sample
        else pytest.param(
            *(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.stress
        )
        for number, case in enumerate(cases)
    ]


def damaged_value(draw: random.Random, value: Any) -> Any:
    """The same with something in it deleted or of another type."""
    if isinstance(value, (dict, list)) and value and draw.random() < 0.8:
        keys = list(value) if isinstance(value, dict) else range(len(value))
        key = draw.choice(keys)
        if draw.random() < 0.3:
            del value[key]
        else:
            value[key] = damaged_value(draw, value[key])
        return value
    return draw.choice([None, float("nan"), -1, 2**70, "", "x", [], {}, [[]], True])
