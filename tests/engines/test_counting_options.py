"""Options beside engines: honoured, or refused by name before any work."""

import json

import duckdb
import pyarrow
import pytest
from pyarrow import parquet

import demur
from demur.cli import BAD_INPUT, FINE, WRONG_USAGE, main
from demur.errors import InputError

CELLS = "item,correct,confidence\na,true,1\nb,false,0\n"


@pytest.fixture(autouse=True)
def rows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "logs").mkdir()
    for name in ("rows.csv", "logs/a.csv"):
        (tmp_path / name).write_text(CELLS)


def told(capsys, *words):
    code = main([*words])
    return code, capsys.readouterr().err


@pytest.mark.parametrize("source", ["logs", "logs/*.csv", "s3://logs/a.csv"])
@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("curve {} --calibration", "--calibration"),
        ("curve {} --max-size 1GB", "--max-size"),
        ("curve {} --engine memory", "--engine memory"),
        ("score {} --leave-out a=b", "--leave-out"),
        ("compare {} rows.csv --band", "--band"),
        ("choose {} --max-error 0.1 --split 0.5", "--split"),
        ("sketch {} -o a.sketch --log inspect", "--log"),
    ],
)
def test_sources_for_engines_are_refused_where_rows_must_be_in_memory(
    source, words, option, capsys
):
    words = words.format(source).split()
    code, said = told(capsys, *words)
    assert code == WRONG_USAGE
    assert said.startswith(f"demur: {words[0]}: {option} must come with files, whose")
    assert f"got {source}, a" in said
    assert f"or leave {option} out." in said


def test_a_size_beside_an_engine_is_refused_and_alone_keeps_rows_in_memory(capsys):
    words = "curve", "rows.csv", "--max-size", "1GB"
    code, said = told(capsys, *words, "--engine", "duckdb")
    assert code == WRONG_USAGE
    assert "--engine must come without --max-size, which needs rows in memory" in said
    assert told(capsys, *words, "--engine", "memory")[0] == FINE
    assert told(capsys, *words)[0] == FINE


@pytest.mark.parametrize(
    ("option", "engine", "wanted"),
    [
        ("memory", "memory", "duckdb"),
        ("memory", "spark", "duckdb"),
        ("master", "memory", "spark"),
        ("master", "duckdb", "spark"),
    ],
)
def test_an_option_of_another_engine_is_refused(option, engine, wanted):
    said = f"^count_outcomes: {option} must come with engine='{wanted}'; got '2GB'"
    with pytest.raises(InputError, match=said):
        demur.count_outcomes("rows.csv", engine=engine, **{option: "2GB"})


def test_rows_in_memory_are_checked_for_repeats_whatever_is_said(tmp_path):
    (tmp_path / "twice.csv").write_text(CELLS + "a,true,0.5\n")
    with pytest.raises(InputError, match=r"^twice\.csv:4: the key"):
        demur.count_outcomes("twice.csv", engine="memory", check_items=True)


@pytest.mark.parametrize("option", ["where", "columns", "memory", "master"])
def test_sketches_are_counted_already(option):
    demur.sketch(demur.read_outcomes("rows.csv")).write("a.sketch")
    value = {"item": "a"} if option == "where" else "item=a"
    with pytest.raises(InputError, match=f"{option} must come without sketches"):
        demur.count_outcomes("a.sketch", **{option: value})


@pytest.mark.parametrize("source", ["no*.csv", "logs", "s3://logs/a.csv"])
def test_readers_of_rows_say_what_counts_folders_patterns_and_addresses(source, capsys):
    code, said = told(capsys, "items", source)
    assert code == BAD_INPUT
    assert said.startswith(f"demur: {source}: the ")
    assert "demur curve (--page) counts patterns, folders and addresses." in said


def test_a_picture_goes_to_this_machine(capsys):
    code, said = told(capsys, "curve", "rows.csv", "--plot", "s3://logs/a.png")
    assert code == WRONG_USAGE
    assert said.startswith("demur: curve: --plot must name a file on this machine; got")


@pytest.mark.parametrize("scheme", ["s3a", "gs", "hf", "abfss", "ftp"])
def test_an_address_that_duckdb_does_not_read_here_is_refused(scheme, capsys):
    code, said = told(capsys, "curve", f"{scheme}://logs/a.csv")
    assert code == BAD_INPUT
    assert "the address must begin with s3://, http:// or https://; got" in said


# -- what columns are called, by pattern of file -----------------------------------

OTHERWISE = "item,correct,human,p\n" + "".join(
    f"{{0}}{at},{at % 2},{int(at % 5 > 0)},0.{at}\n" for at in range(1, 10)
)
BY_FILE = {"runs/*.csv": {"correct": "human", "confidence": "p"}}


@pytest.fixture
def runs(tmp_path):
    (tmp_path / "runs").mkdir()
    for name in "ab":
        (tmp_path / "runs" / f"{name}.csv").write_text(OTHERWISE.format(name))
    (tmp_path / "demur.toml").write_text(
        '[columns."runs/*.csv"]\ncorrect = "human"\nconfidence = "p"\n'
    )


@pytest.mark.parametrize("sources", [["runs/a.csv", "runs/b.csv"], ["runs"], ["r*s/"]])
@pytest.mark.usefixtures("runs")
def test_columns_that_demur_toml_names_are_those_that_an_engine_counts(sources, capsys):
    assert main(["curve", "runs/a.csv", "runs/b.csv", "--json"]) == FINE
    (read,) = json.loads(capsys.readouterr().out)["systems"]
    assert main(["curve", *sources, "--engine", "duckdb", "--json"]) == FINE
    answer = json.loads(capsys.readouterr().out)
    (counted,) = answer["systems"]
    assert counted["at"] == read["at"]
    assert counted["area"] == read["area"]
    assert demur.count_outcomes("runs", columns=BY_FILE).recipe["columns"] == (
        "correct=human, confidence=p"
    )


@pytest.mark.usefixtures("runs")
def test_columns_named_for_some_files_alone_are_refused_where_all_are_read_alike():
    by_file = {"runs/b.csv": BY_FILE["runs/*.csv"]}
    with pytest.raises(InputError) as caught:
        demur.count_outcomes("runs", columns=by_file)
    assert str(caught.value) == (
        "runs/b.csv: the names of its columns must be those of runs/a.csv (none); got "
        "correct=human, confidence=p. An engine reads all files alike: --columns, or "
        "count each apart."
    )


# -- what is said of what cannot be counted ----------------------------------------


def test_where_without_a_match_lists_values_on_an_engine_as_in_memory(capsys, tmp_path):
    rows = "item,correct,confidence,topic,site\nr,1,1,travel,x\ns,0,0.5,billing,y\n"
    (tmp_path / "t.csv").write_text(rows)
    for wanted, hint in (
        (["topic=nope"], "got topic=nope. Values of topic are 'billing', 'travel'."),
        (["topic=travl"], "Did you mean 'travel'?"),
        (["topic=travel", "site=y"], "Each value occurs, but no row has all of them."),
    ):
        words = [word for one in wanted for word in ("--where", one)]
        code, said = told(capsys, "curve", "t.csv", "--engine", "duckdb", *words)
        assert code == BAD_INPUT
        assert "t.csv: where must match at least one row" in said
        assert hint in said


@pytest.mark.parametrize("column", ["topic", "number", "share"])
def test_each_of_several_values_must_occur_on_an_engine_too(column, capsys, tmp_path):
    rows = "item,correct,confidence,topic,number,share\nr,1,1,a,5,0.5\ns,0,0.5,b,,2.5\n"
    (tmp_path / "t.csv").write_text(rows)
    columns = {"number": pyarrow.array([5, None]), "share": [0.5, 2.5]}
    table = {"item": ["r", "s"], "correct": [True, False], "topic": ["a", "b"]}
    parquet.write_table(pyarrow.table({**table, **columns}), tmp_path / "t.parquet")
    first, second = {"topic": "ab", "number": ("5", ""), "share": ("0.5", "2.5")}[
        column
    ]
    for file in ("t.csv", "t.parquet"):
        asked = "curve", file, "--engine", "duckdb", "--where", f"{column}={first}"
        assert told(capsys, *asked, "--where", f"{column}={second}")[0] == FINE
        code, said = told(capsys, *asked, "--where", f"{column}=7")
        assert code == BAD_INPUT
        assert f"{file}: where must match at least one row, each of several" in said
        assert f"Values of {column} are " in said


def test_items_in_several_files_may_be_systems_that_need_a_column(capsys, tmp_path):
    (tmp_path / "logs" / "b.csv").write_text(CELLS.replace("true", "false"))
    code, said = told(capsys, "curve", "logs/")
    assert code == BAD_INPUT
    assert said.startswith("demur: logs/b.csv:")
    assert " again, first at logs/a.csv:" in said
    assert said.rstrip().endswith(
        "Files of one system each need a column system, or fit in memory and are named "
        "one by one with --engine memory."
    )
    (tmp_path / "twice.csv").write_text(CELLS + "a,true,1\n")
    code, said = told(capsys, "curve", "twice.csv", "--engine", "duckdb")
    assert code == BAD_INPUT
    assert "a column system" not in said


@pytest.mark.parametrize("engine", [[], ["--engine", "duckdb"]])
def test_a_database_without_a_table_is_answered_with_its_tables(
    engine, capsys, tmp_path
):
    with duckdb.connect(tmp_path / "svc.duckdb") as connection:
        connection.execute("CREATE TABLE answers AS SELECT 1 AS item")
        connection.execute('CREATE VIEW "My View" AS SELECT * FROM answers')
    code, said = told(capsys, "curve", "svc.duckdb", *engine)
    assert code == BAD_INPUT
    assert said == (
        "demur: svc.duckdb: the database must name a table, as svc.duckdb:TABLE; got "
        "My View, answers.\n"
    )
    code, said = told(capsys, "items", "svc.duckdb")
    assert code == BAD_INPUT
    assert "got a database of DuckDB. Name a table: svc.duckdb:TABLE." in said


def test_names_inside_of_objects_that_nothing_asks_for_are_passed_over(
    capsys, tmp_path
):
    row = '{{"item": {}, "correct": {}, "confidence": 0.{}, "meta": {{"a": "x"}}}}\n'
    lines = [row.format(at, "true" if at % 2 else "false", at) for at in range(9)]
    (tmp_path / "n.jsonl").write_text("".join(lines))
    asked = "curve", "n.jsonl", "--columns", "topic=meta.a", "--json"
    told_by = []
    for engine in ("memory", "duckdb"):
        assert main([*asked, "--engine", engine]) == FINE
        (system,) = json.loads(capsys.readouterr().out)["systems"]
        told_by.append((system["area"], system["at"]))
    assert told_by[0] == told_by[1]
    code, said = told(capsys, *asked, "--engine", "duckdb", "--by", "topic")
    assert code == BAD_INPUT
    assert "columns: topic must be a column as it is; got meta.a." in said
    wrong = "curve", "n.jsonl", "--columns", "topic=mta.a", "--engine", "duckdb"
    assert told(capsys, *wrong)[0] == BAD_INPUT
