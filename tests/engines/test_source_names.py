"""Names that columns, folders and headers have in sources, sound and hostile."""

import io
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

from demur.engines.duckdb_engine import DuckdbConnection
from demur.engines.sources import open_sources
from demur.errors import InputError, ParseError
from demur.formats.reading import read_outcomes


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(path, **columns):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    columns = columns or {"item": [1, 2]}
    parquet.write_table(pyarrow.table(columns), path)


def rows_of(*sources, columns="*"):
    connection = DuckdbConnection(threads=1)
    relation = open_sources(connection, sources)
    return sorted(connection.rows(f"SELECT {columns} FROM {relation.sql}"), key=repr)


def refused(*sources):
    """What is said of sources, in one line."""
    with pytest.raises(InputError) as caught:
        rows_of(*sources)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# -- folders -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("folder", "inner"),
    [("g=9/sub", "g={}"), ("g={}", "g=7"), ("g={}", "G=7"), ("G=9", "x/g={}")],
)
def test_a_partition_named_twice_in_a_path_is_refused(folder, inner):
    for value in (1, 2):
        write(f"logs/{folder}/{inner}/a.parquet".format(value, value))
    source = "logs/g=9/sub" if "sub" in folder else "logs"
    source = "logs/G=9" if "G=9" in folder else source
    said = refused(source)
    assert "/a.parquet: its folders must name each column once; got '" in said
    assert "g' 2 times" in said.lower()


def test_folders_above_a_source_tell_nothing():
    for value in (1, 2):
        write(f"day=3/day=4/g={value}/a.parquet")
    assert rows_of("day=3/day=4", columns="g")[::2] == [("1",), ("2",)]


@pytest.mark.parametrize("folder", ["g=a=b", "g=1?2", "g=1\\x=2", "g=1\n2", "g?=1"])
def test_a_folder_that_tells_no_one_value_is_refused_by_name(folder):
    write(f"logs/{folder}/a.parquet")
    write(f"logs/{folder}/b.parquet")
    assert ": its folder must be NAME=VALUE" in refused("logs")
    assert len(rows_of(f"logs/{folder}")) == 4


@pytest.mark.parametrize("column", ["g", "G"])
def test_a_column_beside_a_partition_of_its_name_is_refused(column):
    write("p/g=1/a.parquet", item=[1], **{column: [2]})
    Path("c/g=1").mkdir(parents=True)
    Path("c/g=1/a.csv").write_text(f"item,{column}\nq,2\n")
    Path("j/g=1").mkdir(parents=True)
    Path("j/g=1/a.jsonl").write_text(f'{{"item": 1, "{column}": 2}}\n')
    for place in ("p/g=1/a.parquet", "c/g=1/a.csv", "j/g=1/a.jsonl"):
        said = f"{place}: the file must not have a column '{column}', which its folder"
        assert refused(place[0]).startswith(said)


def test_a_source_of_no_name_is_refused():
    assert refused("").startswith("count_outcomes: a source must be named; got")


def test_of_two_kinds_the_file_without_an_ending_is_the_odd_one():
    write("logs/a.parquet")
    Path("logs/README").write_text("What is here.")
    assert refused("logs").startswith("logs/README: the file must be Parquet, as logs")


@pytest.mark.parametrize("memory", ["400", "much", "-1MB", "", "1 GB!"])
def test_memory_without_a_unit_is_refused(memory):
    with pytest.raises(
        InputError, match=r"^DuckDB: memory must be a size with its unit"
    ):
        DuckdbConnection(memory=memory)


# -- columns -----------------------------------------------------------------------


@pytest.mark.parametrize("column", ["filename", "file_", "Filename", "index", "c0"])
def test_columns_of_any_name_are_read(column):
    write("a.parquet", **{"item": [1], column: ["x"]})
    Path("a.csv").write_text(f"item,{column}\n1,x\n")
    Path("a.jsonl").write_text(f'{{"item": 1, "{column}": "x"}}\n')
    assert rows_of("a.parquet", columns=f'item, "{column}"') == [(1, "x")]
    assert rows_of("a.csv", columns=f'item, "{column}"') == [("1", "x")]
    assert rows_of("a.jsonl", columns=f'item, "{column}"') == [("1", '"x"')]
    for name in (column, "demur_file_"):
        write(f"{name}/{name}=3/a.parquet")
    assert rows_of(column, columns=f'"{column}"') == [("3",), ("3",)]
    assert "not have a column demur_file_, which the engine" in refused("demur_file_")


def test_a_column_of_the_name_that_the_engine_adds_is_refused():
    write("a.parquet", item=[1], Demur_file_=["x"])
    Path("a.csv").write_text("item,demur_file_\n1,x\n")
    Path("a.jsonl").write_text('{"item": 1, "demur_file_": 2}\n')
    for name in ("a.parquet", "a.csv", "a.jsonl"):
        said = f"{name}: the file must not have a column demur_file_, which the engine"
        assert refused(name).startswith(said)


def test_a_column_without_a_name_is_left_out():
    for name in ("a", "b"):
        write(f"{name}.parquet", **{"item": [1], "": ["x"], "z": ["y"]})
        Path(f"{name}.jsonl").write_text('{"item": 1, "": 2}\n')
    columns = "* EXCLUDE demur_file_"
    assert rows_of("a.parquet", "b.parquet", columns=columns) == [(1, "y")] * 2
    assert rows_of("a.jsonl", "b.jsonl", columns=columns) == [("1",)] * 2


def test_two_columns_of_one_name_are_refused():
    table = pyarrow.Table.from_arrays([[1], [2]], ["item", "item"])
    parquet.write_table(table, "a.parquet")
    said = "a.parquet: the columns must differ in more than case; got 'item', 'item'."
    assert refused("a.parquet").startswith(said)


NOTHING = pyarrow.array([None, None], pyarrow.null())


@pytest.mark.parametrize("empty", ["a", "ab", "c", "abc"])
def test_a_file_without_a_value_in_a_column_takes_the_type_of_the_others(empty):
    for name in "abc":
        weight = NOTHING if name in empty else [0.5, 2.0]
        write(f"{name}.parquet", item=[1, 2], weight=weight)
    there = [(0.5,), (2.0,)] * (3 - len(empty))
    rows = rows_of("a.parquet", "b.parquet", "c.parquet", columns="weight")
    assert rows == sorted([*there, *[(None,)] * (2 * len(empty))], key=repr)


def test_the_file_that_gave_the_type_is_named():
    write("a.parquet", item=[1, 2], weight=NOTHING)
    write("b.parquet", item=[1, 2], weight=[1.5, 2.5])
    write("c.parquet", item=[1, 2], weight=["x", "y"])
    said = refused("a.parquet", "b.parquet", "c.parquet")
    assert said.startswith("c.parquet: 'weight' must hold DOUBLE, as b.parquet has")


# -- headers -----------------------------------------------------------------------

HEADERS = [
    'item,"a\nb",z', 'item,"a\n\nb",z', '\n \nitem,"a\nb",z', '"sep=;"\nitem;"a\nb";z',
    'item,"a""\n""b",z', '\ufeff\n"item","\na\n","z\n"', 'item\t"x\n\ty"\tz',
]  # fmt: skip


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("header", HEADERS)
def test_no_row_is_lost_behind_a_header_of_several_lines(header, ends):
    sign = next(sign for sign in ";\t," if sign in header)
    text = "\n".join([header, *(f"q{n}{sign}x{sign}y" for n in range(5)), ""])
    Path("a.csv").write_bytes(text.replace("\n", ends).encode())
    assert rows_of("a.csv", columns="item") == [(f"q{n}",) for n in range(5)]


MIXED = [
    b"\nitem,a\r\n,z\nq0,x\nq1,x\n", b"item,x\r\nq0,x\nq1,x\n",
    b'\r\nitem, ""  a,z\r\nq0,x,x\r\nq1,x,x\r\n', b" \nitem,a\r,z\nq0,x\nq1,x\n",
]  # fmt: skip


@pytest.mark.parametrize("text", MIXED)
def test_a_header_that_duckdb_reads_otherwise_is_refused(text):
    Path("a.csv").write_bytes(text)
    assert refused("a.csv").startswith("a.csv")


def test_a_header_of_nothing_is_refused():
    Path("a.csv").write_text("sep=,\n\nitem,x\nq1,2\n")
    assert refused("a.csv").startswith("a.csv: the header must name every column; got")


def test_a_file_with_a_hole_is_refused_with_its_line():
    text = b"correct,item\n" + b"true,q\n" * 9 + b"true,q\0\0\0\0q\ntrue,q\n"
    Path("a.csv").write_bytes(text)
    said = refused("a.csv")
    assert said.startswith("a.csv:11: the text must be UTF-8; got a NUL byte.")
    with pytest.raises(ParseError) as caught:
        read_outcomes(io.BytesIO(text))
    assert str(caught.value).partition(":11: ")[2] == said.partition(":11: ")[2]


def test_a_fault_in_line_404_is_no_missing_file():
    lines = ["item,x", *(f"q{n},x" for n in range(20_000))]
    lines[10403] = "q"
    Path("run404.csv").write_text("\n".join(lines))
    said = "run404.csv:10404: the row must be delimited text in UTF-8; got Expected"
    assert refused("run404.csv").startswith(said)
    Path("run404.parquet").write_bytes(b"PAR1 nonsense, and too long")
    said = "run404.parquet: the file must be whole, readable Parquet"
    assert refused("run404.parquet").startswith(said)


def test_mixed_line_ends_are_refused_for_that():
    Path("a.csv").write_bytes(b"item,x\nq0,x\n" + b"q,x\r\n" * 30_000)
    said = "a.csv: the text must have line ends of one kind; got several."
    assert refused("a.csv").startswith(said)
