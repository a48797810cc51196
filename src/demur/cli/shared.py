"""What several commands share: conditions, gates, JSON, and lines on stderr."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterable, Sequence
from typing import Any

from demur.cli import tables
from demur.curves import Curve
from demur.errors import InputError
from demur.gates import Gate


def conditions(arguments: Namespace) -> dict[str, str]:
    """The conditions on rows, each column once."""
    where: dict[str, str] = {}
    for column, value in arguments.where:
        if where.setdefault(column, value) != value:
            got = f"{column}={where[column]} and {column}={value}"
            hint = "Several conditions must all hold."
            raise InputError("--where", "a column", "have one value", got, hint)
    return where


def check_gates(gates: Iterable[Gate], curves: Sequence[Curve]) -> int:
    """Say which gates are broken; 1 if any is."""
    broken = [(gate, line) for gate in gates for line in gate.broken_by(curves)]
    for gate, line in broken:
        say(f"gate broken: {line}  [--fail-if {gate.text!r}]")
    return 1 if broken else 0


def say(text: str) -> None:
    """A line for the person at the terminal, on stderr."""
    print(f"demur: {tables.printable(text)}", file=sys.stderr)


def as_json(value: Any) -> str:
    """One line of JSON, without what JSON does not have."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
