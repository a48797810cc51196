"""Formats at their borders: lists that are cut, counts of one, sizes that just fit."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import demur
from builders import json_lines, parquet, refuses, write_records
from demur import formats
from demur.formats import headings, json_faults
from demur.formats import json_lines as lines_of_json
from demur.formats.delimited import _delimiter, _first_line
from demur.formats.parquet import _array, _without_views
from demur.formats.reading import file_names
from demur.formats.selection import Selection
from demur.formats.streams import Wanted
from demur.formats.writing import check_record_ending, formula_cells

read = demur.read_outcomes


def held(text: str) -> io.BytesIO:
    return io.BytesIO(text.encode())


# -- JSON --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[1]", 1),
        ("\n\n[1]", 3),
        ("[\n1]", 2),
        ('\n[{"a": [\n1]},\n 2]', 4),
        ('[{"a":\n1}, 2]', 2),
    ],
)
def test_an_element_that_is_no_object_is_found_on_its_line(text, line):
    error = json_faults.in_array(text.encode(), "a:")
    assert str(error).startswith(f"a:{line}: the line must be a JSON object; got ")
    assert json_faults.in_array(b"[{}, {}]", "a:").where == "a:1"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1', "a whole JSON object; got '{\"a\": 1'. It ends too early"),
        ('{"a": "x', "It ends too early"),
        ('{"a" 1}', "Expecting ':' delimiter at column 6."),
        ("[1]", "got [1]. Such as"),
        ("x" * 3, "Expecting value at column 1."),
        (json.dumps("y" * 57), f'got "{"y" * 57}". Such as'),
        (json.dumps("y" * 58), f'got "{"y" * 56}.... Such as'),
        ("[" * 100_000, "values nested too deeply. No record needs"),
        ("1" * 5000, "a number of too many digits. No record"),
        ('{"a": NaN}', "a must be a number; got NaN."),
        ('{"confidence": 1e999}', 'got 1e999. JSON has no infinity: write "inf"'),
        ('{"a": [1, {"b": -Infinity}]}', "got -Infinity. JSON has no such number."),
        ('{"a": "\\ud83d"}', "An escape such as"),
    ],
)
def test_what_is_wrong_with_a_line_is_said(text, said):
    error = json_faults.in_records([(1, b"{}"), (7, text.encode())], "a:")
    assert str(error).startswith("a:7: ")
    assert said in " ".join(str(error).split())


@pytest.mark.parametrize("n", [50, 51])
def test_keys_are_sought_however_many_there_are(n):
    record = {f"k{at}": at for at in range(n)}
    good = json.dumps(record)
    twice = good[:-1] + ', "k7": 1}'
    counts = dict.fromkeys(record, 2)
    lines_of_json.check_keys(f"{good}\n{good}".encode(), [3, 4], counts, "a:")
    with pytest.raises(demur.ParseError, match="a:4: the key 'k7' must stand once"):
        lines_of_json.check_keys(f"{good}\n{twice}".encode(), [3, 4], counts, "a:")


@pytest.mark.parametrize(
    "text",
    [
        '{"\\u0069tem": 1, "item": 2}',
        '{"item": {"a": 1, "a": 2}}',
        '{"é": 1, "\\u00e9": 2, "item": 1}',
    ],
)
def test_keys_that_are_written_otherwise_are_found_twice(text):
    counts = {"item": 1, "a": 1, "é": 1}
    with pytest.raises(demur.ParseError, match="must stand once in an object"):
        lines_of_json.check_keys(text.encode(), [1], counts, "a:")
    fine = '{"item": "\\u0069tem", "b": "\\"item\\": 1"}'
    lines_of_json.check_keys(fine.encode(), [1], {"item": 1, "b": 1}, "a:")


def test_fields_that_some_records_leave_out_are_gaps():
    told = read(
        held('{"item": 1, "correct": 1, "x": "a"}\n{"item": 2, "correct": 0}'),
        groups=["x"],
    )
    assert told.column("x").tolist() == ["a", None]
    for first in ({}, {"x": None}, {"x": "b"}):
        rows = [{"item": 1, "correct": 1, **first}, {"item": 2, "correct": 1, "x": "a"}]
        for groups in (["x"], None):
            table = read(held(json_lines(rows)), groups=groups)
            assert table.column("x").tolist() == [first.get("x"), "a"]
    lacking = [{"item": 1, "correct": 1}, {"correct": 0}]
    refuses("stream:2: item must be present", read, held(json_lines(lacking)))


# -- tables ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "delimiter"),
    [
        ("a,b", ","),
        ("a\tb,c\td", "\t"),
        ("a;b", ";"),
        ("a", ","),
        ("a,b,c;item;d", ";"),
        ('"item",x;y;z;v', ","),
        ("item ;x,y,z\r\n", ";"),
        ("item,outcome;x", ","),
    ],
)
def test_the_delimiter_is_the_one_that_makes_most_of_a_header(header, delimiter):
    assert _delimiter(header) == delimiter


def test_blank_lines_before_a_header_are_counted():
    assert _first_line(iter([])) == (0, "")
    assert _first_line(iter(["a\n"])) == (0, "a\n")
    assert _first_line(iter(["\n", " \n", "a\n"])) == (2, "a\n")
    refuses("stream:4: the row must have 2 cells", read, held("\n\nitem,correct\na\n"))
    for column, text in ((1, ",correct"), (2, "item, ,correct")):
        said = f"stream:2: the header must .* got no name for column {column}"
        refuses(said, read, held(f"\n{text}\na,1\n"))
    refuses("got 'item' twice", read, held("item,item\na,1\n"))
    refuses("a header and no rows", read, held("item,correct\n\n"))
    refuses("stream:3: item must be", read, held("item,correct\na,1\n,1\n"))
    assert len(read(held("item,correct\n\na,1\n \nb,0\n"))) == 2


@pytest.mark.parametrize(
    ("needed", "present", "said"),
    [
        ([["item"]], [], "include item; got none. Rename the column"),
        ([["item"]], ["id"], "got id. Is 'id' what is called item here?"),
        ([["item"]], ["ID"], "Is 'ID' what is called item here?"),
        ([["item"]], ["itme"], "Is 'itme' what is called item here?"),
        ([["item"]], ["xyz"], "Rename the column that holds it, or add one."),
        ([["x"], ["item"]], ["id"], "include x, and item; got id. Rename"),
        (
            [["outcome", "correct"]],
            ["corect"],
            "include outcome or correct; got corect.",
        ),
    ],
)
def test_a_column_that_is_lacking_may_have_another_name(needed, present, said):
    assert said in " ".join(str(headings.lacking_columns("a", needed, present)).split())


# -- Parquet -----------------------------------------------------------------------


def test_parquet_columns_may_just_fit():
    data = parquet(
        {"item": ["a", "b"], "correct": [1, 0], "text": ["x" * 999, "y" * 999]}
    )
    groups = pyarrow.parquet.ParquetFile(io.BytesIO(data)).metadata.row_group(0)
    sizes = [groups.column(at).total_uncompressed_size for at in range(3)]
    wanted = sum(sizes[:2])
    assert len(read(io.BytesIO(data), max_size=wanted)) == 2
    refuses("columns must hold at most", read, io.BytesIO(data), max_size=wanted - 1)
    every = {"groups": ["text"]}
    assert len(read(io.BytesIO(data), max_size=sum(sizes), **every)) == 2
    refuses(
        *(f"at most {sum(sizes) - 1:,} bytes", read, io.BytesIO(data)),
        max_size=sum(sizes) - 1,
        **every,
    )


def test_rows_of_parquet_are_numbered_through_batches(monkeypatch):
    monkeypatch.setattr("demur.formats.parquet._BATCH", 2)
    rows = {"item": [*"abcde"], "correct": [1, 0, 1, 0, 1], "t": [*"xyxyx"]}
    data = parquet(rows)
    table = read(io.BytesIO(data), where={"t": "x"}, groups=["t"])
    assert table.item.tolist() == ["a", "c", "e"]
    places = [place for place, _ in formats.iter_records(io.BytesIO(data))]
    assert places == [f"stream:row {row}" for row in range(1, 6)]
    rows["correct"][4] = 3
    refuses("stream:row 5: correct", read, io.BytesIO(parquet(rows)), where={"t": "x"})


def test_nulls_of_arrow_are_filled():
    numbers = pyarrow.array([None, 1.5, None, 2.5])
    assert _array(numbers, -1.0).tolist() == [-1.0, 1.5, -1.0, 2.5]
    assert _array(numbers[1:], -1.0).tolist() == [1.5, -1.0, 2.5]
    assert _array(pyarrow.array([1, 2])).tolist() == [1, 2]
    views = pyarrow.array(["a", None], pyarrow.string_view())
    batch = pyarrow.record_batch({"x": views, "y": pyarrow.array([1, 2])})
    assert _without_views(batch).schema.types == [pyarrow.string(), pyarrow.int64()]


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ({"declined": pyarrow.array([None, True])}, [False, True]),
        ({"answerable": pyarrow.array([None, False])}, [True, False]),
        ({"confidence": pyarrow.array([1, 2])}, [1.0, 2.0]),
        ({"weight": pyarrow.array([1.5, 2])}, [1.5, 2.0]),
        (
            {"confidence": pyarrow.array([1, 2]).cast(pyarrow.decimal128(21, 1))},
            [1.0, 2.0],
        ),
        ({"kind": pyarrow.array(["idk", None]).dictionary_encode()}, ["idk", None]),
        ({"kind": pyarrow.array([None, "other"])}, [None, "other"]),
    ],
)
def test_columns_of_parquet_are_those_of_other_formats(column, values):
    made = parquet({"item": ["a", "b"], "correct": [1, 0], **column})
    (name,) = column
    assert getattr(read(io.BytesIO(made)), name).tolist() == values


# -- several files, selections, endings --------------------------------------------


@pytest.mark.parametrize(("n", "more"), [(2, ""), (5, ""), (6, ", ...")])
def test_five_files_are_named(n, more, tmp_path):
    rows = [{"item": 1, "correct": 1}]
    paths = [write_records(tmp_path / f"s{at}.jsonl", rows) for at in range(n)]
    table = read(*paths)
    assert table.systems == tuple(f"s{at}" for at in range(n))
    listed = ", ".join(f"s{at}" for at in range(min(n, 5)))
    assert table.notes == (f"systems are named by their files: {listed}{more}",)
    assert read(paths[0]).systems == ("",)


def test_files_without_a_common_item_are_one_system(tmp_path):
    paths = [
        write_records(tmp_path / f"{at}.jsonl", [{"item": at, "correct": 1}])
        for at in range(2)
    ]
    assert read(*paths).systems == ("",)
    assert file_names(["a.b.csv", ".csv", "c"]) == ["a", ".csv", "c"]


def test_places_are_those_of_the_file_of_a_row(tmp_path):
    paths = [
        write_records(
            tmp_path / "a.jsonl", [{"item": row, "correct": 1} for row in "ab"]
        ),
        write_records(
            tmp_path / "b.jsonl", [{"item": row, "correct": 1} for row in "cb"]
        ),
    ]
    for system in ("", "s"):
        for path, items in zip(paths, ("ab", "cb"), strict=True):
            rows = [
                {"item": row, "correct": 1, "system": system or "t"} for row in items
            ]
            write_records(Path(path), rows)
        refuses("b.jsonl:2", read, *paths)


def test_outcomes_and_credits_of_several_files_are_united(tmp_path):
    one = write_records(
        tmp_path / "a.jsonl", [{"item": 1, "outcome": "right", "credit": 0.25}]
    )
    rows = [(2, 1), (3, 0), (4, 0.5), (5, None)]
    other = write_records(
        tmp_path / "b.jsonl", [{"item": item, "correct": value} for item, value in rows]
    )
    table = read(one, other)
    assert [*table.to_columns()["outcome"]] == [
        *("right", "right", "wrong", "right", "unanswered")
    ]
    assert np.asarray(table.credit).tolist() == [0.25, 1.0, 0.0, 0.5, 0.0]


@pytest.mark.parametrize(
    ("n", "listed"),
    [(8, "'v0', 'v1', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7'."), (9, "'v7', ....")],
)
def test_eight_values_of_a_column_are_listed(n, listed):
    selection = Selection({"x": "none", "y": "a"})
    selection.rows({"x": [f"v{at}" for at in range(n)], "y": ["a"] * n}, n)
    with pytest.raises(demur.InputError) as problem:
        selection.check("f")
    assert listed in str(problem.value)
    assert "Values of y" not in str(problem.value)


def test_a_selection_counts_what_it_let_through():
    selection = Selection({"x": ["a", "b"]})
    assert selection.rows({"x": ["a", None, "c"]}, 3).tolist() == [True, False, False]
    assert selection.note() == "1 of 3 rows selected by x=a or b"
    refuses("match at least one row, each of several values", selection.check, "f")
    assert [selection.has({"x": "b"}), selection.has({})] == [True, False]
    assert (selection.kept, selection.total) == (2, 5)
    selection.check("f")
    both = Selection({"x": "a", "y": ""})
    assert both.rows({"x": ["a", "a"], "y": [None, "b"]}, 2).tolist() == [True, False]
    assert both.rows({"x": ["a"]}, 1).tolist() == [True]
    assert [both.has({"x": "a"}), both.has({"x": "a", "y": "b"})] == [True, False]
    apart = Selection({"x": "a", "y": "b"})
    apart.rows({"x": ["a", "c"], "y": ["c", "b"]}, 2)
    refuses("Each value occurs, but no row has all of them", apart.check, "f")
    everything = Selection()
    assert everything.rows({}, 2) is None
    assert (everything.kept, everything.total) == (2, 2)
    everything.check("f")


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [
        (Wanted(), {"item", "fold"}),
        (Wanted(groups=("topic",)), {"item", "fold", "topic"}),
        (Wanted(groups=("input",)), {"item", "fold", "input"}),
        (Wanted(groups=None), {"item", "fold", "topic", "other"}),
        (Wanted(display=True), {"item", "fold", "input"}),
    ],
)
def test_columns_are_kept_that_are_wanted(wanted, kept):
    names = "item", "fold", "topic", "input", "other"
    assert {name for name in names if wanted.keeps(name)} == kept
    assert set(wanted.own()) >= kept - {"topic", "other"}


@pytest.mark.parametrize(
    ("name", "fine"),
    [
        *(("a.jsonl", True), ("a.ndjson", True), ("A.JSONL.GZ", True)),
        *(("a.jsonl.zst", True), ("a.json", False), ("a.gz", False), ("a", False)),
    ],
)
def test_records_are_written_as_lines_of_json(name, fine):
    if fine:
        check_record_ending(name)
    else:
        refuses("end in .jsonl, with or without .gz, .zst", check_record_ending, name)


def test_formulas_are_counted_in_delimited_text_alone():
    texts = ["=1", "+1", "@a", "\ta", "\ra", "-1", " =1", "", "a=1"]
    table = demur.Outcomes.from_arrays(
        item=[f"q{at}" for at in range(9)], correct=[1] * 9, response=texts
    )
    for name, cells in (("a.csv", 5), ("a.TSV.gz", 5), ("a.jsonl", 0), ("csv", 0)):
        assert formula_cells(table, name) == cells


def test_what_is_written_piece_by_piece_is_one_file(tmp_path, monkeypatch):
    for name in ("_AT_ONCE", "_GROUP"):
        monkeypatch.setattr(f"demur.formats.writing.{name}", 2)
    confidence: Any = [0.5, np.inf, -np.inf, 1.0, None]
    table = demur.Outcomes.from_arrays(
        item=[*"abcde"], correct=[1, 0, 1, 0, None], confidence=confidence
    )
    for ending in ("jsonl", "json", "csv", "tsv", "parquet"):
        path = tmp_path / f"o.{ending}"
        demur.write_outcomes(table, path)
        assert read(path).to_columns() == table.to_columns()
    groups = pyarrow.parquet.ParquetFile(tmp_path / "o.parquet").metadata
    assert groups.num_row_groups == 3
    assert (tmp_path / "o.csv").read_bytes().count(b"\n") == 6
    assert json.loads((tmp_path / "o.json").read_text())[1]["confidence"] == "inf"
    assert (tmp_path / "o.json").read_bytes()[:3] == b"[\n{"


def test_a_file_without_selected_rows_names_no_system(tmp_path):
    paths = [
        write_records(
            tmp_path / f"{name}.jsonl", [{"item": 1, "correct": 1, "t": name}]
        )
        for name in "abc"
    ]
    for kept in (["a", "c"], ["b", "c"]):
        assert read(*paths, where={"t": kept}).systems == tuple(kept)
