"""Two systems whose items and confidences are hostile, and what comparing them says."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
from pyarrow import csv, parquet

import demur
from demur.curves.counted_outcomes import CountedOutcomes
from demur.engines.memory import MemoryEngine
from demur.errors import InputError, UndefinedRate

SYSTEMS = ("a", "A")

LEVELS = (
    *(-np.inf, -2.5, -0.0, 0.0, 1e-300, 0.1, 0.25, 0.3, 1 / 3, 0.7, 5e300, np.inf),
)

ODD = (
    *("e\u0301", "\u00e9", " x", "x", "0", "00", "-0", "it's", '"q"', "a\\b", "1.0"),
    *("\u00df", "SS", "ss", "null", "None", "nan", "1", "\U0001f600"),
)
"""Names that are another as soon as they are trimmed, folded or read as numbers."""


def hostile(seed: int) -> tuple[list[pyarrow.Table], dict[str, Any]]:
    """Tables of two systems, each of which may lack items, and what is asked."""
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(12, 60))
    items = {
        "great": pyarrow.array(2**63 - 1 - rng.permutation(rows)),
        "case": [f"{'qQ'[row % 2]}{row // 2}" for row in range(rows)],
        "odd": [*ODD, *(f"z{row}" for row in range(rows))][:rows],
        "text": [str(row) for row in range(rows)],
    }[["great", "case", "odd", "text"][seed % 4]]
    sure = {0: rng.choice(LEVELS, (2, rows)), 1: rng.random((2, rows)).round(3)}
    shared = {"weight": rng.choice([1.0, 0.5, 2.25, 0.1], rows)} if seed % 3 else {}
    tables = [
        _system(rng, seed, name, {"item": items, **shared}, sure.get(seed // 4 % 3))
        for name in SYSTEMS
    ]
    if seed % 5:
        tables = [table.slice(int(rng.integers(rows // 3))) for table in tables]
    asked: list[dict[str, Any]] = [
        {"at": [0.1, 0.3, 0.5], "correction": "bonferroni"},
        {"area": (0.3, 0.6), "method": "influence"},
        {"at_error": 0.2, "margin": 0.1},
        {"at": 0.4, "method": "bootstrap"},
    ]
    return tables, {"items": "common" if seed % 5 else "equal", **asked[seed // 3 % 4]}


def _system(
    rng: Any, seed: int, name: str, columns: dict[str, Any], sure: Any
) -> pyarrow.Table:
    rows, open_ = len(columns["item"]), 0.1 * (seed % 7 < 2)
    chances = [0.5, 0.4 - open_, 0.1, open_]
    outcome = rng.choice(["right", "wrong", "unanswered", "ungraded"], rows, p=chances)
    silent = outcome == "unanswered"
    listed = {**columns, "system": [name] * rows, "outcome": outcome}
    if sure is not None:
        confidence = sure[SYSTEMS.index(name)]
        listed["confidence"] = pyarrow.array(confidence, mask=silent)
    if seed % 3 == 2:
        part = rng.choice([1.0, 0.5, 0.3, 0.9], rows)
        listed["credit"] = pyarrow.array(part, mask=outcome != "right")
    if seed % 4 > 1:
        listed["declined"] = (rng.random(rows) < 0.2) | silent
    return pyarrow.table(listed).take(rng.permutation(rows))


def written(table: pyarrow.Table, path: Path) -> str:
    """Where a table was written, in the form that the ending names."""
    if path.suffix == ".parquet":
        parquet.write_table(table, path, row_group_size=16)
    elif path.suffix == ".csv":
        csv.write_csv(table, path)
    elif path.suffix == ".jsonl":
        rows = table.to_pylist()
        for row in rows:
            if math.isinf(row.get("confidence") or 0):
                row["confidence"] = str(row["confidence"])
        lines = (json.dumps(row, ensure_ascii=len(rows) % 2 > 0) for row in rows)
        path.write_text("\n".join(lines), "utf-8")
    else:
        import duckdb

        with duckdb.connect(str(path)) as database:
            database.register("given", table)
            database.execute("CREATE TABLE answers AS FROM given")
        return f"{path}:answers"
    return str(path)


def as_outcomes(table: pyarrow.Table) -> demur.Outcomes:
    """The rows in memory."""
    return demur.Outcomes.from_frame(table)


DRAWN = ("p_value", "p_error", "low", "high", "interval", "adjusted_p", "bounded_p")
"""What depends on draws, where a method draws: of kinds of items, not of items."""


def hold(
    counted: Sequence[Any], rows: Sequence[demur.Outcomes], how: dict[str, Any]
) -> None:
    """Hold a comparison on an engine against that of rows in memory.

    What is drawn is held against draws of the same kinds of items, counted in memory.
    """
    expected = _either(rows, how)
    found = _either(counted, how)
    if isinstance(expected, str):
        assert found == expected
        return
    twins = _either([CountedOutcomes(MemoryEngine(table)) for table in rows], how)
    _same(found.to_dict(), twins.to_dict(), ("recipe", "signature"), exact=True)
    draws = any(one.method in ("bootstrap", "sign flips") for one in expected.tested())
    _same(
        found.to_dict(),
        expected.to_dict(),
        ("signature", "notes", "recipe", *(DRAWN if draws else ())),
    )
    if not draws:
        assert found.sentence() == expected.sentence()
        assert [*found.notes] == [*expected.notes]


def _either(systems: Sequence[Any], how: dict[str, Any]) -> Any:
    try:
        return demur.compare(*systems, **how)
    except (InputError, UndefinedRate) as error:
        return str(error)


RATES = ("error_a", "error_b", "nonreturn_a", "nonreturn_b", "point_a", "point_b")
"""What is the same to the last digit."""


def _same(
    ours: Any, theirs: Any, but: Sequence[str], name: str = "", *, exact: bool = False
) -> None:
    if isinstance(theirs, dict):
        assert ours.keys() == theirs.keys(), name
        for key in theirs.keys() - {*but}:
            _same(ours[key], theirs[key], but, key, exact=exact or key in RATES)
    elif isinstance(theirs, list):
        assert len(ours) == len(theirs), name
        for one, other in zip(ours, theirs, strict=True):
            _same(one, other, but, name, exact=exact)
    elif isinstance(theirs, float) and not exact:
        assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-12), name
    else:
        assert ours == theirs, name
