"""DuckDB reads each word, number and gap as the reader of rows in memory does."""

import datetime
import json
import re
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

import demur
from demur import errors
from demur.engines import readings

pytest.importorskip("duckdb")

BASE = {
    "item": ["a", "b", "c", "d"],
    "outcome": ["right", "wrong", "right", "unanswered"],
    "confidence": [0.9, 0.8, 0.7, None],
}
CORRECT = {name: BASE[name] for name in ("item", "confidence")}
NAN, INF = float("nan"), float("inf")
UTC = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)

TYPED: dict[str, dict[str, Any]] = {
    "as they are": {},
    "NaN of a guess": {"confidence": [0.9, NAN, 0.7, None]},
    "NaN of no guess": {"confidence": [0.9, 0.8, 0.7, NAN]},
    "some without": {"confidence": [0.9, None, 0.7, None]},
    "none with one": {"confidence": [None] * 4},
    "one that is ignored": {"confidence": [0.9, 0.8, 0.7, 0.6]},
    "infinities": {"confidence": [INF, -INF, -0.0, None]},
    "too large": {"confidence": [2**53 + 1, 2, 3, None]},
    "too large, no sign": {
        "confidence": pa.array([2**63 + 1, 2, 3, None], pa.uint64())
    },
    "whole numbers": {"confidence": [5, 2, 3, None]},
    "32 bits": {"confidence": pa.array([0.1, 0.7, 0.3, None], pa.float32())},
    "decimals": {"confidence": [Decimal("0.1"), Decimal("0.7"), Decimal("0.3"), None]},
    "texts": {"confidence": ["0.1", "0.7", "0.3", None]},
    "infinite texts": {"confidence": ["inf", "-inf", "inf", None]},
    "flags": {"confidence": [True, False, True, None]},
    "a word": {"outcome": ["right", "wrog", "right", "unanswered"]},
    "no outcome": {"outcome": ["right", None, "right", "unanswered"]},
    "a dictionary": {"outcome": pa.array(BASE["outcome"]).dictionary_encode()},
    "items beyond floats": {"item": [2**63 - 1, 2, 3, 4]},
    "no item": {"item": ["a", None, "c", "d"]},
    "an item twice": {"item": ["a", "a", "c", "d"]},
    "weights": {"weight": [1, 2, 3.5, 1]},
    "weight 0": {"weight": [1, 0, 3.5, 1]},
    "no weight": {"weight": [1, None, 3.5, 1]},
    "weight inf": {"weight": [1, INF, 3.5, 1]},
    "weights far apart": {"weight": [1, 1e13, 3.5, 1]},
    "one weight": {"weight": [3.5] * 4},
    "great weights": {"weight": [1e300, 2e300, 1e300, 1e300]},
    "credits": {"credit": [1, 0, 0.5, 0]},
    "credit of an error": {"credit": [1, 0.5, 0.5, 0]},
    "declined": {"declined": [True, False, None, False]},
    "unanswerable": {"answerable": [True, False, None, False]},
    "unanswerable, right": {"answerable": [False, False, None, False]},
    "kinds": {"kind": [None, None, None, "idk"]},
    "a kind that is none": {"kind": [None, None, None, "idkk"]},
    "failed": {"failed": [None, None, None, "timeout"]},
    "answered": {"answered": [True, True, False, False]},
    "systems that are numbers": {"system": [1, 2, 1, 2]},
    "settings": {"setting": ["p", "q", "p", None]},
    "repeats": {"repeat": ["1", "2", "1", "1"], "item": ["a", "a", "c", "d"]},
    "ungraded": {"outcome": ["right", "ungraded", "right", "unanswered"]},
    "odd names": {'we"ird; DROP': [1, 2, 3, 4], "wēird": ["x"] * 4},
}
VERDICTS: dict[str, list[Any]] = {
    "flags": [True, False, True, None],
    "whole numbers": [1, 0, 1, None],
    "credits": [1, 0, 0.5, None],
    "NaN": [1, 0, NAN, None],
    "beyond 1": [1, 0, 2.0, None],
    "texts": ["true", "false", "true", None],
}
CELLS = {
    "great whole numbers": "item,correct,confidence\nq1,true,9007199254740993\n"
    "q2,false,9007199254740992\n",
    "plain": "item,correct,confidence,topic\nq1,true,0.9,x\nq2,false,.4,y\nq3,,,x\n",
    "words": "item,correct,confidence\nq1,yes,inf\nq2,no,-inf\n",
    "percents": "item,correct,confidence\nq1,true,90 %\nq2,false,40 %\n",
    "underscores": "item,correct,confidence\nq1,true,1_000\nq2,false,.4\n",
    "NA": "item,correct,confidence\nq1,true,NA\nq2,false,.4\n",
    "credits": "item,correct,confidence,weight\nq1,0.5,.5,2\nq2,0,.4,1\nq3,1,.6,1\n",
    "quotes": 'item,correct,confidence\n"q,1",true,.5\n"a ""b""\nc",false,.4\n',
    "a word": "item,outcome,confidence\nq1,rigth,.5\nq2,wrong,.4\n",
}
LINES = {
    "whole numbers that are no floats": '{"item":1,"correct":true,"confidence":0.9}\n'
    '{"item":2,"correct":false,"confidence":9007199254740993}\n',
    "whole numbers beyond 38 digits": '{"item":1,"correct":true,"confidence":0.9}\n'
    f'{{"item":2,"correct":false,"confidence":{10**40 + 1}}}\n',
    "great whole numbers": '{"item":1,"correct":true,"confidence":0.9}\n'
    f'{{"item":2,"correct":false,"confidence":-{2**63}}}\n',
    "weights that are no floats": '{"item":1,"correct":true,"weight":9007199254740992}'
    "\n"
    '{"item":2,"correct":false,"weight":9007199254740993}\n',
    "plain": '{"item":"q1","correct":true,"confidence":0.9}\n'
    '{"item":2,"correct":false,"confidence":0.5}\n{"item":"q3","correct":null}\n',
    "texts": '{"item":"q1","correct":"true","confidence":0.9}\n'
    '{"item":2,"correct":false,"confidence":0.5}\n',
    "infinite": '{"item":"q1","correct":true,"confidence":"-inf"}\n'
    '{"item":2,"correct":false,"confidence":0.5}\n',
    "quoted numbers": '{"item":"q1","correct":true,"confidence":"0.9"}\n'
    '{"item":2,"correct":false,"confidence":0.5}\n',
    "systems": '{"item":"q1","outcome":"right","confidence":1,"system":"caf\\u00e9"}\n'
    '{"item":2,"outcome":"wrong","confidence":2,"system":"café"}\n',
}


def read_by(engine: str, path: Any, **how: Any) -> Any:
    """The curves of a file, or why there are none, without the number of a row."""
    try:
        if engine == "memory":
            outcomes: Any = demur.read_outcomes(path, **how)
        else:
            outcomes = demur.count_outcomes(path, engine=engine, **how)
        plain = demur.curve_by(outcomes).to_dict()
    except demur.InputError as problem:
        text = re.sub(r":(row )?\d+: ", ": ", str(problem))
        # Which row is named first depends on their order.
        return re.sub(
            r"got ('?true|'?false|none for|null|nothing|item|1.0).*", "", text
        )
    listed = [system.pop("notes") for system in plain["systems"]]
    notes = {frozenset(re.sub(r": \d+ % .*", "", one) for one in its) for its in listed}
    named = sorted(plain["systems"], key=lambda system: system["system"])
    return [{**system, "signature": ""} for system in named], notes


def same_by_both(path: Any, **how: Any) -> Any:
    counted, read = (read_by(engine, path, **how) for engine in ("duckdb", "memory"))
    assert counted == read
    return read


@pytest.mark.parametrize("name", TYPED)
def test_columns_of_types(name, tmp_path):
    parquet.write_table(pa.table({**BASE, **TYPED[name]}), tmp_path / "a.parquet")
    same_by_both(tmp_path / "a.parquet")


@pytest.mark.parametrize("name", VERDICTS)
def test_verdicts(name, tmp_path):
    columns = {**CORRECT, "correct": VERDICTS[name]}
    parquet.write_table(pa.table(columns), tmp_path / "a.parquet")
    read = same_by_both(tmp_path / "a.parquet")
    assert isinstance(read, str) == (name in ("NaN", "beyond 1", "texts"))


@pytest.mark.parametrize("name", CELLS)
def test_cells(name, tmp_path):
    (tmp_path / "a.csv").write_text(CELLS[name], "utf-8")
    same_by_both(tmp_path / "a.csv")


@pytest.mark.parametrize("name", LINES)
def test_lines(name, tmp_path):
    (tmp_path / "a.jsonl").write_text(LINES[name], "utf-8")
    same_by_both(tmp_path / "a.jsonl")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        (["x", "y", "x", "y"], "x"),
        (["x", "y", None, "y"], ""),
        (["x", "y", None, "y"], ["", "y"]),
        (["it's", 'a "b"', "x' OR 'x'='x", "y"], "it's"),
        ([True, False, None, True], "true"),
        ([1.0, 0.1, None, 2], ["1.0", "0.1"]),
        ([7, 8, 7, 9], "7"),
        ([UTC] * 4, "2026-01-01 00:00:00+00:00"),
    ],
)
def test_where(column, value, tmp_path):
    table = pa.table({**BASE, "topic": column})
    parquet.write_table(table, tmp_path / "a.parquet")
    same_by_both(tmp_path / "a.parquet", where={"topic": value})


def test_columns_that_are_called_otherwise(tmp_path):
    columns = {
        "id": [*"abcd"],
        "verdict": ["pass", "fail"] * 2,
        "p": [0.1, 0.2, 0.3, 1],
    }
    parquet.write_table(pa.table(columns), tmp_path / "a.parquet")
    named = "item=id, outcome=cases(verdict, pass=right, fail=wrong), confidence=p"
    curves, _ = same_by_both(tmp_path / "a.parquet", columns=named)
    assert curves[0]["right"] == 2


def test_labels_of_a_part_are_refused_by_name(tmp_path):
    for further in (
        {"outcome": ["right", "unlabelled", "right", "unanswered"]},
        {"label_weight": [1.0, 2.0, 1.0, None]},
    ):
        parquet.write_table(pa.table({**BASE, **further}), tmp_path / "a.parquet")
        text = read_by("duckdb", tmp_path / "a.parquet")
        assert "labels of a part" in text
        assert "--engine memory" in text


def test_a_note_on_mixed_scales_is_made_of_all_rows(tmp_path):
    columns = {
        "item": [*"abcdef"],
        "correct": [True] * 6,
        "confidence": [0.5, 0.6, 0.7, 50, 60, 70.0],
    }
    parquet.write_table(pa.table(columns), tmp_path / "a.parquet")
    _, notes = same_by_both(tmp_path / "a.parquet")
    assert any("mixed (0.7, 70)" in note for (note,) in notes)


RENAMED = "item=id,confidence=sure,correct=ok"


def _nested(path):
    """Rows with a field in an object, beside a field of that name outside of it."""
    rows = [
        {
            "id": f"q{number}",
            "sure": number / 10,
            "ok": number % 2 > 0,
            "topic": f"outer {number % 2}",
            "meta": {"topic": "ab"[number % 3 > 0]},
        }
        for number in range(9)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


@pytest.mark.parametrize("further", [",setting=topic", ",system=topic"])
def test_columns_of_another_name_select_and_group_alike(tmp_path, further):
    path, name = _nested(tmp_path / "a.jsonl"), further[1:].partition("=")[0]
    asked = {"columns": RENAMED + further, "where": {name: "outer 1"}}
    counted, known = (
        demur.count_outcomes(path, engine=engine, **asked)
        for engine in ("duckdb", "memory")
    )
    ours, theirs = (demur.curve_by(one, by=name) for one in (counted, known))
    assert counted.engine.recipe == known.engine.recipe
    assert [one.group for one in ours] == [one.group for one in theirs]
    assert [one.totals for one in ours] == [one.totals for one in theirs]
    assert [one.totals.items for one in ours] == [4]


@pytest.mark.parametrize("name", ["system", "repeat", "cluster", "topic"])
@pytest.mark.parametrize("where", [None, {"topic": "outer 1"}])
def test_names_inside_of_objects_are_refused_by_name(tmp_path, name, where):
    """Where a column of that name stands outside, it is not taken instead."""
    path = _nested(tmp_path / "a.jsonl")
    columns = f"{RENAMED},{name}=meta.topic"
    counted = demur.count_outcomes(path, engine="duckdb", columns=columns, where=where)
    with pytest.raises(errors.InputError, match=rf"columns: {name} must be a column"):
        demur.curve_by(counted, by="topic")


def _weighted(path, light, heavy):
    """Two groups of odd weights, light and heavy ones."""
    rows = [
        {"item": number, "correct": number % 3 > 0, "confidence": number / 9}
        | {"topic": topic, "weight": weight * (1 + number / 7)}
        for number, topic, weight in zip(
            range(40), ["light", "heavy"] * 20, [light, heavy] * 20, strict=True
        )
    ]
    parquet.write_table(pa.Table.from_pylist(rows), path)
    return str(path)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_weights_that_rounding_would_change_much_are_refused(tmp_path, engine):
    path = _weighted(tmp_path / "a.parquet", 1e-7, 1e4)
    with pytest.raises(demur.InputError, match="no short decimals and rounded") as told:
        demur.curve_by(demur.count_outcomes(path, engine=engine), by="topic")
    assert "--where" in str(told.value)
    light = demur.count_outcomes(path, engine=engine, where={"topic": "light"})
    known = demur.read_outcomes(path, where={"topic": "light"})
    error = demur.error_return(known).error
    assert demur.error_return(light).error == pytest.approx(error, rel=1e-9)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_note_says_how_much_rounding_changes_light_weights(tmp_path, engine):
    path = _weighted(tmp_path / "a.parquet", 1e-5, 1e3)
    counted = demur.count_outcomes(path, engine=engine)
    light, _ = demur.curve_by(counted, by="topic")
    (said,) = [note for note in counted.engine.notes if "rounded" in note]
    off = float(said.split()[-4])
    known, _ = demur.curve_by(demur.read_outcomes(path, groups=["topic"]), by="topic")
    assert light.error == pytest.approx(known.error, rel=2 * off)
    assert off < 1e-3


def test_weights_of_about_the_same_size_need_no_note(tmp_path):
    counted = demur.count_outcomes(_weighted(tmp_path / "a.parquet", 1, 2))
    demur.error_return(counted)
    assert not counted.engine.notes


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("size", [1e-300, 1e-290])
def test_tiny_weights_are_counted(tmp_path, engine, size):
    columns = {**BASE, "weight": [size, 2 * size, 3 * size, size]}
    parquet.write_table(pa.table(columns), tmp_path / "a.parquet")
    counted = demur.count_outcomes(tmp_path / "a.parquet", engine=engine)
    known = demur.error_return(demur.read_outcomes(tmp_path / "a.parquet"))
    error = demur.error_return(counted).error
    assert error == pytest.approx(known.error, rel=1e-8)


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_weights_beyond_what_can_be_scaled_are_refused(tmp_path, engine):
    columns = {**BASE, "weight": [5e-324, 1.5e-323, 5e-324, 5e-324]}
    parquet.write_table(pa.table(columns), tmp_path / "a.parquet")
    with pytest.raises(demur.InputError, match="weight must be at"):
        demur.error_return(demur.count_outcomes(tmp_path / "a.parquet", engine=engine))


def test_more_groups_do_not_pass_over_all_rows_again(tmp_path, monkeypatch):
    passes = []
    one = readings._RelationReader._aggregate

    def counted(reader, which):
        passes.append(which)
        return one(reader, which)

    monkeypatch.setattr(readings._RelationReader, "_aggregate", counted)
    for groups in (2, 200):
        columns = {
            "item": [*range(400)],
            "correct": [at % 3 > 0 for at in range(400)],
            "confidence": [at / 400 for at in range(400)],
            "g": [str(at % groups) for at in range(400)],
        }
        path = tmp_path / f"{groups}.parquet"
        parquet.write_table(pa.table(columns), path)
        curves = demur.curve_by(demur.count_outcomes(path), by="g")
        assert len(curves) == groups
        passes.append("")
    half = len(passes) // 2
    assert passes[:half] == passes[half:]
