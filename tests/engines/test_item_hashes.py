"""Hashes of items: the same from memory and from engines, and seen if shared."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

import demur
from builders import stderr_of, write_records
from demur import InputError, Outcomes
from demur.curves.counted import Identity
from demur.engines.item_hashes import SAMPLED, identity_of_rows
from demur.engines.merging import merged


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def identity(engine: str, *paths: str, **how: Any) -> Identity:
    return demur.count_outcomes(*paths, engine=engine, **how).engine.identity()


def record(item: Any, **values: Any) -> dict[str, Any]:
    return {"item": item, "correct": True, "confidence": 0.5, **values}


RECORDS: dict[str, list[dict[str, Any]]] = {
    "texts": [record('é"x\\'), record("tab\t"), record("日本"), record(" b ")],
    "mixed": [record(7), record("8"), record("x"), record(2**63 + 5)],
    "zeros": [record("01"), record("2")],
    "null": [record("null"), record("b", system=None), record("c", system="s")],
    "systems": [record("a", system=5), record("a", system="6"), record("a")],
    "settings": [record("a", setting=0.5), record("a", setting=1)],
    "repeats": [record("a", repeat=0), record("a", repeat=1.0)],
}


@pytest.mark.parametrize("name", RECORDS)
def test_hashes_of_json_are_those_of_rows_in_memory(name):
    path = write_records(Path("a.jsonl"), RECORDS[name])
    known = identity("duckdb", path)
    assert known == identity("memory", path)
    assert len(known.hashes) == len(RECORDS[name])
    assert known.fields == ("confidence",)


@pytest.mark.parametrize(
    "cells",
    [
        'item,correct,system\n a,true,s\n"b""x",false,\n07,true,s\n',
        "item,correct,repeat\na,true,1\na,false,2\n",
        "item,correct,setting\na,true,1.0\na,false,2\n",
        "item,correct\n+1,true\n2,false\n",
    ],
)
def test_hashes_of_cells_are_those_of_rows_in_memory(cells):
    Path("a.csv").write_text(cells)
    known = identity("duckdb", "a.csv")
    assert known == identity("memory", "a.csv")
    assert known.hashes


@pytest.mark.parametrize(
    "columns",
    [
        {"item": pyarrow.array([5, 9], pyarrow.int8())},
        {"item": pyarrow.array([5, 2**64 - 1], pyarrow.uint64())},
        {"item": pyarrow.array(["a", "b"]).dictionary_encode()},
        {"item": ["a", "a"], "system": [0.5, 1e20]},
        {"item": ["a", "a"], "repeat": pyarrow.array([1, None])},
        {"item": [0, 1, 3, 3], "system": ["a", "a", "a", "b"]},
    ],
)
def test_hashes_of_types_are_those_of_rows_in_memory(columns):
    table = pyarrow.table({**columns, "correct": [True] * len(columns["item"])})
    parquet.write_table(table, "a.parquet")
    known = identity("duckdb", "a.parquet")
    assert known == identity("memory", "a.parquet")
    assert known.hashes


@pytest.mark.parametrize(
    "records",
    [
        [record(0), record(1), record(2)],
        [record("1"), record("2")],
        [record(n, system=system) for n in (0, 1) for system in "ab"],
        [record(n, system="ab"[n > 1]) for n in range(4)],
    ],
)
def test_mere_numbers_of_rows_have_no_hashes_anywhere(records):
    path = write_records(Path("a.jsonl"), records)
    assert identity("duckdb", path) == identity("memory", path)
    assert identity("memory", path).hashes == ()


def test_of_many_items_the_least_hashes_are_kept_and_some_rows_can_be_left_out():
    n_items = 3 * SAMPLED
    names = [f"q{n}" for n in range(n_items)]
    topics = ["x", "y", "y"] * SAMPLED
    columns = {"item": names, "correct": [True] * n_items, "topic": topics}
    parquet.write_table(pyarrow.table(columns), "a.parquet")
    for where in (None, {"topic": "y"}):
        known = identity("duckdb", "a.parquet", where=where)
        assert known == identity("memory", "a.parquet", where=where)
        assert len(known.hashes) == SAMPLED
        assert [*known.hashes] == sorted(known.hashes)


def test_the_hash_of_the_data_is_that_of_its_items_in_any_order():
    def data(items: list[str], correct: list[int]) -> tuple[str, ...]:
        table = Outcomes.from_arrays(item=items, correct=correct)
        return identity_of_rows(table).data

    assert data(["a", "b"], [1, 0]) == data(["b", "a"], [1, 1])
    assert data(["a", "b"], [1, 0]) != data(["a", "c"], [1, 0])
    assert data(["a", "b"], [1, 0]) != data(["a"], [1])


# -- what two sketches share ---------------------------------------------------------


def shards(share: float, n_items: int = 20_000) -> tuple[str, str]:
    """Two files of outcomes that have a share of their items in common, shuffled."""
    rng = np.random.default_rng(0)
    paths = []
    for start in (0, round(n_items * (1 - share))):
        order = rng.permutation(n_items)
        paths.append(f"{start}.jsonl")
        lines = (
            json.dumps(record(f"q{start + n}", confidence=float(level)))
            for n, level in zip(order, rng.random(n_items).round(3), strict=True)
        )
        Path(paths[-1]).write_text("\n".join(lines) + "\n")
    return paths[0], paths[1]


@pytest.mark.parametrize("engines", [("duckdb", "duckdb"), ("memory", "duckdb")])
@pytest.mark.parametrize("share", [0.01, 0.5, 1])
def test_shared_items_are_noticed_whatever_has_counted(engines, share):
    for engine, path in zip(engines, shards(share), strict=True):
        counted = demur.count_outcomes(path, engine=engine)
        demur.sketch(counted).write(f"{engine}{path}.sketch")
    files = sorted(map(str, Path().glob("*.sketch")))
    if share == 1:  # under another file name, in another order
        Path("other.jsonl").write_bytes(Path("0.jsonl").read_bytes())
        demur.sketch(demur.count_outcomes("other.jsonl")).write("other.sketch")
        files = [files[0], "other.sketch"]
    said = stderr_of("curve", *files)
    assert "must be others than those of" in said or "must be other data" in said
    assert said.count("\n") == 1


def test_items_without_names_are_refused_if_all_counts_are_the_same():
    columns = {"item": [*range(9)], "correct": [True, False, False] * 3}
    confidence = [n / 16 for n in range(9)]
    for name, values in (("a", confidence), ("b", confidence), ("c", confidence[::-1])):
        table = pyarrow.table({**columns, "confidence": values})
        parquet.write_table(table, f"{name}.parquet")
    sketches = [
        demur.sketch(demur.count_outcomes(f"{name}.parquet", engine=engine))
        for name, engine in (("a", "memory"), ("b", "duckdb"), ("c", "duckdb"))
    ]
    assert all(sketch.data and not sketch.hashes for sketch in sketches)
    with pytest.raises(InputError, match=r"b: the sketch must be other data; .* as a"):
        merged(sketches[:2], "ab")
    assert merged(sketches[1:], "bc").items == 18


def test_a_sketch_of_sketches_keeps_what_tells_their_items():
    tables = [
        Outcomes.from_arrays(item=[f"{name}{n}" for n in range(5)], correct=[1] * 5)
        for name in "ab"
    ]
    for name, table in zip("ab", tables, strict=True):
        demur.sketch(table).write(f"{name}.sketch")
    both = demur.sketch(demur.count_outcomes("a.sketch", "b.sketch"))
    with pytest.raises(InputError, match=r"b: the sketch must be other data; .* as ab"):
        merged([both, demur.sketch(tables[1])], ["ab", "b"])
