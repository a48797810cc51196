"""Files, folders, tables and addresses opened in DuckDB, sound and hostile."""

import contextlib
import dataclasses
import gc
import gzip
import importlib.util
import os
import random
import stat
import subprocess
import tempfile
from pathlib import Path

import duckdb
import pytest

import demur
from demur.cli import main
from demur.cli.shared import engine_of
from demur.engines.duckdb_engine import DuckdbConnection
from demur.engines.sources import open_sources
from demur.errors import InputError, MissingExtra, ParseError, masked

ROWS = "SELECT i AS item, i / 7 AS confidence, 'right' AS outcome FROM range({}) t(i)"
CELLS = "item,outcome,confidence\n" + "".join(f"q{i},right,0.{i}\n" for i in range(99))
RECORDS = "".join(f'{{"item": {i}, "correct": true}}\n' for i in range(99))


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def parquet(path, query=None, n_rows=3):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    target = str(path).replace("'", "''")
    duckdb.execute(
        f"COPY ({query or ROWS.format(n_rows)}) TO '{target}' (FORMAT parquet)"
    )


def rows_of(*sources, columns="*"):
    connection = DuckdbConnection()
    relation = open_sources(connection, sources)
    rows = connection.rows(f"SELECT {columns} FROM {relation.sql}")
    relation.check_rows(len(rows))
    return sorted(rows, key=repr)


def refused(*sources):
    """What is said of sources, in one line."""
    with pytest.raises(InputError) as caught:
        rows_of(*sources)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# -- which files -------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["it's.parquet", "a b.parquet", "<b>&amp;.parquet", "ü ß.parquet", "f\\g.parquet",
     "b[1].parquet", "c*.parquet", "e?x.parquet", '"; DROP TABLE x --.parquet'],
)  # fmt: skip
def test_a_file_is_read_by_its_very_name(name):
    parquet(name, "SELECT 1 AS item")
    for other in ("b1.parquet", "cx.parquet", "eux.parquet"):
        parquet(other, "SELECT 2 AS item")
    (row,) = rows_of(name, columns="item, demur_file_")
    assert (row[0], os.path.normpath(row[1])) == (1, name)


def test_a_name_with_a_line_break_is_said_on_one_line():
    Path("a\nb.parquet").write_bytes(b"PAR1 nonsense, and too long")
    assert refused("a\nb.parquet").startswith(r"a\nb.parquet: the file must be whole")


def test_folders_and_globs_are_read_with_all_files_in_them():
    for name in ("logs/a.parquet", "logs/deep/b.parquet", "logs/c.parquet"):
        parquet(name, f"SELECT '{name}' AS item")
    Path("logs/_SUCCESS").touch()
    Path("logs/.a.crc").write_text("x")
    names = [("logs/a.parquet",), ("logs/c.parquet",), ("logs/deep/b.parquet",)]
    assert rows_of("logs", columns="item") == names
    assert rows_of("logs/*.parquet", columns="item") == names[:2]
    assert rows_of("lo*", columns="item") == names
    assert rows_of("logs/**/*.parquet", columns="item") == names
    assert rows_of("logs/a.parquet", "logs/deep", columns="item") == names[::2]


def test_partitions_are_columns_of_text_below_the_source():
    for topic in ("01", "a", "b%20c", "__HIVE_DEFAULT_PARTITION__"):
        parquet(f"day=3/topic={topic}/p.parquet", f"SELECT '{topic}' AS item")
    topics = [("'01'",), ("'a'",), ("'b c'",), ("NULL",)]
    shown = "coalesce('''' || topic || '''', 'NULL') AS topic"
    for source in ("day=3", "day=3/*", "day=3/topic=*/*.parquet"):
        assert sorted(rows_of(source, columns=shown)) == topics
    connection = DuckdbConnection()
    relation = open_sources(connection, ["day=3"])
    assert relation.columns == {"item": "VARCHAR", "topic": "VARCHAR"}
    assert "topic" not in open_sources(connection, ["day=3/topic=a"]).columns


def test_partitions_of_text_files_have_the_form_of_their_cells():
    for form, text in (("csv", "item,correct\nq,true\n"), ("jsonl", '{"item": "q"}\n')):
        Path(f"{form}/topic=a").mkdir(parents=True)
        Path(f"{form}/topic=a/p").write_text(text)
    assert rows_of("csv", columns="topic, item") == [("a", "q")]
    assert rows_of("jsonl", columns="topic, item") == [('"a"', '"q"')]


def test_a_folder_with_a_link_to_itself_is_read_once():
    parquet("logs/a.parquet")
    Path("logs/loop").symlink_to("../logs")
    assert len(rows_of("logs")) == 3


@pytest.mark.parametrize(
    ("sources", "said"),
    [
        (["none.parquet"], "none.parquet: the file must exist; got nothing. Did you"),
        (["none*.csv"], "none*.csv: the glob must match a file; got nothing."),
        (["no/*.csv"], "no/*.csv: the glob must match a file; got nothing. There is"),
        (["empty"], "empty: the folder must hold files of data; got none."),
        (["one.parquet", "./one.parquet"], "./one.parquet: the file must be named o"),
        (["one.parquet", "a.csv"], "a.csv: the file must be Parquet, as one.parquet"),
        (["blank.csv"], "blank.csv: the file must hold at least one record; got"),
        (["-"], "stdin: the source must be a file"),
        (["pipe"], "pipe: the source must be a file; got a pipe or a device."),
        (["array.json"], "array.json: the file must hold a record on each line; got a"),
        (["wide.csv"], "wide.csv: the text must be UTF-8; got UTF-16."),
        (["delta"], "delta: the folder must hold files that all count; got a Delta"),
        (["mixed"], "mixed/b.parquet: the file must be in folders named topic=..., as"),
        ([3], "count_outcomes: a source must be a path, an address or a relation"),
    ],
)  # fmt: skip
def test_what_is_no_source_is_said_by_name(sources, said):
    parquet("one.parquet")
    Path("nine.parquet").touch()
    Path("empty").mkdir()
    Path("empty/_SUCCESS").touch()
    Path("a.csv").write_text(CELLS)
    Path("blank.csv").write_text(" \n")
    Path("array.json").write_text('[{"item": 1}]')
    Path("wide.csv").write_text(CELLS, encoding="utf-16")
    os.mkfifo("pipe")
    parquet("delta/_delta_log/x.parquet")
    parquet("mixed/a/topic=a/b.parquet")
    parquet("mixed/a/topic=b/b.parquet")
    parquet("mixed/b.parquet")
    assert refused(*sources).startswith(said)


# -- one schema --------------------------------------------------------------------

FOREIGN = {
    "1 AS item": "b.parquet: the file must have a column 'confidence', as a.parquet",
    "1 AS item, 'x' AS confidence": "b.parquet: 'confidence' must hold DOUBLE, as a.p",
    "1 AS item, 1 AS confidence": "b.parquet: 'confidence' must hold DOUBLE, as a.pa",
    "1 AS item, 0.5::DECIMAL(3, 1) AS confidence": "b.parquet: 'confidence' must hold",
    "1 AS item, 0.5::DOUBLE AS confidence, 3 AS z": "b.parquet: the file must have the",
    "1 AS Item, 0.5::DOUBLE AS confidence": "b.parquet: the file must have a column 'i",
}


@pytest.mark.parametrize("foreign", FOREIGN)
def test_a_file_with_another_schema_is_named(foreign):
    for name in ("a.parquet", "c.parquet"):
        parquet(name, "SELECT 1 AS item, 0.5::DOUBLE AS confidence")
    parquet("b.parquet", f"SELECT {foreign}")
    assert refused("b.parquet", "a.parquet", "c.parquet").startswith(FOREIGN[foreign])


def test_numbers_of_one_kind_are_read_in_the_widest_type():
    parquet("a.parquet", "SELECT 0.25::FLOAT AS confidence, 1::INTEGER AS item")
    parquet("b.parquet", "SELECT 2::UBIGINT AS item, 0.1::DOUBLE AS confidence")
    connection = DuckdbConnection()
    relation = open_sources(connection, ["a.parquet", "b.parquet"])
    assert relation.columns == {"confidence": "DOUBLE", "item": "HUGEINT"}
    assert rows_of("a.parquet", "b.parquet", columns="confidence, item") == [
        (0.1, 2),
        (0.25, 1),
    ]


def test_columns_that_differ_in_case_only_are_refused():
    Path("a.csv").write_text("item,Item\na,b\n")
    Path("a.jsonl").write_text('{"item": 1, "Item": 2}\n')
    for name in ("a.csv", "a.jsonl"):
        said = f"{name}: the columns must differ in more than case; got 'item', 'Item'"
        assert refused(name).lower().startswith(said[:60].lower())


def test_text_files_of_other_columns_are_named():
    for name in ("a", "c"):
        Path(f"{name}.csv").write_text("item,correct\nq,true\n")
        Path(f"{name}.jsonl").write_text('{"item": 1, "correct": true}\n')
    Path("b.csv").write_text("item\nq\n")
    Path("b.jsonl").write_text('{"item": 1}\n')
    assert "b.csv: the file must have a column 'correct'" in refused("*.csv")
    assert "b.jsonl: the records must have a field 'correct'" in refused("*.jsonl")


# -- text --------------------------------------------------------------------------


def test_cells_are_texts_as_our_own_reader_has_them():
    Path("a.csv").write_text('item;outcome;response\n"a;b";right;"x ""y""\nz"\n c ;;\n')
    Path("b.csv").write_text("\ufeff\nresponse,item,outcome\n0.10,01,TRUE\n\n")
    rows = rows_of("a.csv", "b.csv", columns="item, outcome, response")
    assert rows == [
        (" c ", None, None),
        ("01", "TRUE", "0.10"),
        ("a;b", "right", 'x "y"\nz'),
    ]


def test_an_index_without_a_name_is_left_out():
    Path("a.csv").write_text(",item,correct\n0,q1,true\n1,q2,false\n")
    assert rows_of("a.csv", columns="* EXCLUDE demur_file_") == [
        ("q1", "true"),
        ("q2", "false"),
    ]


def test_values_of_json_stay_apart():
    Path("a.jsonl").write_text(
        '{"item": 1, "correct": true}\n\n{"item": "1", "correct": "right"}\n'
        '{"item": 9007199254740993, "correct": 0.5}\n{"item": null, "correct": null}\n'
    )
    assert rows_of("a.jsonl", columns="item, correct") == [
        ('"1"', '"right"'),
        ("1", "true"),
        ("9007199254740993", "0.5"),
        (None, None),
    ]


def test_a_field_that_only_a_late_record_has_is_there():
    Path("a.jsonl").write_text(
        '{"item": 1, "correct": true}\n' * 1500 + '{"item": 2, "declined": true}\n'
    )
    connection = DuckdbConnection()
    relation = open_sources(connection, ["a.jsonl"])
    assert set(relation.columns) == {"item", "correct", "declined"}
    query = f"SELECT item FROM {relation.sql} WHERE declined = 'true'"
    assert connection.rows(query) == [("2",)]


@pytest.mark.parametrize("pack", ["gzip", "zstd"])
@pytest.mark.parametrize("text", [CELLS, RECORDS])
def test_packed_text_is_read_whole_or_refused(pack, text):
    packed = packer(pack)(text.encode())
    Path("a").write_bytes(packed)
    assert len(rows_of("a")) == 99
    Path("a").write_bytes(packed + packer(pack)(b"\n"))
    assert len(rows_of("a")) == 99
    for cut in (3, 8, 9, len(packed) // 2):
        Path("a").write_bytes(packed[:-cut])
        assert f"a: the file must be a whole, readable {pack} file" in refused("a")
    Path("a").write_bytes(packed + b"something else")
    assert f"a: the file must be a whole, readable {pack} file" in refused("a")


def packer(pack):
    if pack == "gzip":
        return gzip.compress
    zstd = pytest.importorskip("backports.zstd", reason="no zstd here")
    return zstd.compress


def test_gzip_with_another_checksum_is_refused():
    packed = gzip.compress(CELLS.encode())
    Path("a").write_bytes(packed[:-8] + b"\0\0\0\0" + packed[-4:])
    assert refused("a").startswith("a: the file must be a whole, readable gzip file")


BROKEN = {
    "Expected Number": b"a,b\n",
    "Invalid unicode": b"\xe4,b,1\n",
    "Value with unterminated": b'"a,b,1\n',
}


@pytest.mark.parametrize("said", BROKEN)
def test_a_broken_row_is_named_with_its_line(said):
    cells = CELLS + CELLS.partition("\n")[2] * 99
    Path("a.csv").write_bytes(cells.encode() + BROKEN[said])
    Path("b.csv").write_text(CELLS)
    place = "a.csv:9902: the row must be delimited text in UTF-8; got "
    assert refused("b.csv", "a.csv").startswith(f"{place}{said}")


@pytest.mark.parametrize("broken", ['{"item": 1', "x", '{"item": 1, "item": 2}', "[1]"])
def test_a_broken_record_is_named_with_its_file(broken):
    Path("a.jsonl").write_text(RECORDS + broken)
    Path("b.jsonl").write_text(RECORDS)
    said = refused("b.jsonl", "a.jsonl")
    what = "the file must be whole, readable JSON Lines; got "
    if broken.count("item") > 1:
        what = "the key 'item' must stand once in an object; got it twice"
    assert said.startswith(f"a.jsonl: {what}")
    assert " line " in said


# -- damage ------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 3, 10, 600, -9])
def test_parquet_that_is_cut_off_is_named(size):
    for name in ("logs/a.parquet", "logs/b.parquet", "logs/c.parquet"):
        parquet(name, n_rows=500)
    whole = Path("logs/b.parquet").read_bytes()
    Path("logs/b.parquet").write_bytes(whole[:size])
    assert refused("logs").startswith("logs/b.parquet: the file must ")


def test_no_damage_to_parquet_gives_fewer_rows_or_another_error():
    names = [f"logs/{name}.parquet" for name in "abc"]
    for name in names:
        parquet(name, n_rows=2_000)
    n_rows = 6_000
    whole, random_ = Path(names[1]).read_bytes(), random.Random(7)
    n_refused = 0
    for round_ in range(40):
        damaged = bytearray(whole)
        first = len(whole) - 900 if round_ % 2 else 4
        for _ in range(8):
            damaged[random_.randrange(first, len(whole) - 8)] = random_.randrange(256)
        Path(names[1]).write_bytes(damaged)
        said = None
        try:
            assert len(rows_of("logs", columns="confidence")) == n_rows
        except InputError as error:
            said = str(error)
            n_refused += 1
        assert said is None or ("logs/b.parquet" in said and "\n" not in said)
    assert n_refused > 30


def test_rows_are_held_against_footers():
    for name in ("a.parquet", "b.parquet"):
        parquet(name, n_rows=500)
    relation = open_sources(DuckdbConnection(), ["a.parquet", "b.parquet"])
    assert relation.files == (("a.parquet", 500), ("b.parquet", 500))
    relation.check_rows(1000)
    counted = {"a.parquet": 500, "b.parquet": 400}
    relation = dataclasses.replace(relation, count_files=lambda: counted)
    with pytest.raises(ParseError, match=r"b.parquet: .* hold the 500 rows .* got 400"):
        relation.check_rows(900)
    with pytest.raises(InputError, match="must hold at least one row; got none"):
        relation.check_rows(0)


CHANGES = {
    "fewer rows": lambda path: parquet(path, n_rows=400),
    "other rows": lambda path: parquet(path, ROWS.format(500).replace("/ 7", "/ 9")),
    "other columns": lambda path: parquet(path, "SELECT 1 AS x FROM range(500)"),
    "cut off": lambda path: os.truncate(path, 100),
    "written anew": lambda path: os.utime(path, ns=(1, 1)),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("is_begun", [True, False])
def test_a_file_that_changes_while_it_is_counted_is_named(change, is_begun):
    for at, name in enumerate("abc"):
        query = ROWS.format(500).replace("i AS", f"i + {at * 1000} AS")
        parquet(f"logs/{name}.parquet", query)
    counted = demur.count_outcomes("logs")
    if is_begun:
        assert len(counted.counts().parts) == 1
    CHANGES[change]("logs/b.parquet")
    said = "^logs/b.parquet: the file must stay as it is while it is counted; got"
    with pytest.raises(InputError, match=said):
        demur.error_return(counted)


def test_a_file_that_vanishes_between_passes_is_named():
    for name in ("logs/a.parquet", "logs/b.parquet"):
        parquet(name)
    connection = DuckdbConnection()
    relation = open_sources(connection, ["logs"])
    Path("logs/b.parquet").unlink()
    said = "logs/b.parquet: the file must exist until it is counted; got nothing"
    with pytest.raises(InputError, match=said):
        connection.rows(f"SELECT sum(confidence) FROM {relation.sql}")


@contextlib.contextmanager
def powerless():
    """Within it, the superuser is somebody else, who may not read all files."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_files_and_folders_that_may_not_be_read_are_named(monkeypatch):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        monkeypatch.chdir(folder)
        parquet("logs/a.parquet")
        connection = DuckdbConnection()
        relation = open_sources(connection, ["logs"])
        Path("shut").mkdir(mode=0)
        Path("logs/a.parquet").chmod(0)
        with powerless():
            said = "logs/a.parquet: the file must be readable; got Permission denied."
            assert refused("logs") == said
            with pytest.raises(InputError, match=f"^{said}$"):
                connection.rows(f"SELECT sum(confidence) FROM {relation.sql}")
            said = "shut: the folder must be readable; got Permission denied."
            assert refused("shut") == said
        monkeypatch.undo()


# -- limits ------------------------------------------------------------------------


@contextlib.contextmanager
def small_disk(folder):
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no small disk can be made here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


SPILLS = (
    "SELECT count(*) FROM (SELECT i::VARCHAR || repeat('x', 20) AS a, count(*) "
    "FROM range(400000) t(i) GROUP BY a)"
)


def test_a_full_temporary_disk_is_said(here, monkeypatch):
    with small_disk(here / "small"):
        monkeypatch.setattr("tempfile.tempdir", str(here / "small"))
        connection = DuckdbConnection(memory="16MB", threads=1)
        said = "^DuckDB: the temporary folder must have room for what memory does not"
        with pytest.raises(InputError, match=said):
            connection.rows(SPILLS)
        connection.connection.close()


def test_too_little_memory_is_said():
    connection = DuckdbConnection(memory="8MB", threads=1)
    query = "SELECT length(list(i)::VARCHAR) FROM range(3000000) t(i)"
    said = "^DuckDB: what is counted must fit into 8MB; got .*Allow more memory"
    with pytest.raises(InputError, match=said):
        connection.rows(query)


def test_what_is_put_on_disk_is_for_nobody_else_and_passes(here, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(here))
    connection = DuckdbConnection(memory="16MB", threads=1)
    (folder,) = here.iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert connection.rows("SELECT current_setting('temp_directory')") == [
        (str(folder),)
    ]
    assert connection.rows(SPILLS) == [(400_000,)]
    del connection
    gc.collect()
    assert not list(here.iterdir())


def test_no_temporary_folder_is_said(here, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(here / "none"))
    with pytest.raises(InputError, match=r"^DuckDB: the temporary folder must be one"):
        DuckdbConnection()


def test_nothing_is_taken_from_variables_or_the_network():
    item = [1, 2]  # noqa: F841  (which DuckDB would else read as a table)
    connection = DuckdbConnection()
    with pytest.raises(InputError):
        connection.rows("SELECT * FROM item")
    (setting,) = connection.rows(
        "SELECT current_setting('autoinstall_known_extensions')"
    )
    assert setting == (False,)


# -- tables and relations ----------------------------------------------------------


@pytest.fixture
def database(here):
    with duckdb.connect("a.duckdb") as connection:
        connection.execute(
            "CREATE SCHEMA s; CREATE TABLE s.\"a b\" AS SELECT 'q' AS item"
        )
        connection.execute(f"CREATE TABLE answers AS {ROWS.format(3)}")
        connection.execute("CREATE VIEW few AS SELECT * FROM answers WHERE item > 0")
    return here


@pytest.mark.usefixtures("database")
def test_tables_and_views_of_a_database_are_read():
    assert len(rows_of("a.duckdb:answers")) == 3
    assert len(rows_of("a.duckdb:few")) == 2
    assert rows_of("a.duckdb:s.a b") == [("q",)]
    assert engine_of(["a.duckdb:answers"]) == "duckdb"
    assert engine_of(["a.csv:answers"]) == "memory"


@pytest.mark.usefixtures("database")
def test_what_is_no_table_is_said_by_name():
    said = "a.duckdb:none: the table must be in the database; got answers"
    assert refused("a.duckdb:none").startswith(said)
    assert refused("a.duckdb") == (
        "a.duckdb: the database must name a table, as a.duckdb:TABLE; got answers, "
        "few, s.a b."
    )
    assert refused("b.duckdb:none").startswith("b.duckdb:none: the file must exist")
    assert "must be one table, or files" in refused("a.duckdb:few", "a.duckdb:answers")
    head = Path("a.duckdb").read_bytes()[:5000]
    Path("a.duckdb").write_bytes(head)
    assert refused("a.duckdb:answers").startswith("a.duckdb: the file must be whole")


def test_a_relation_is_counted_where_it_lives():
    owner = duckdb.connect()
    owner.execute(f"CREATE TABLE answers AS {ROWS.format(9)}")
    relation = owner.sql("SELECT * FROM answers WHERE item > 2")
    connection = DuckdbConnection()
    opened = open_sources(connection, [relation])
    assert opened.columns["item"] == "BIGINT"
    assert connection.rows(f"SELECT count(*) FROM {opened.sql}") == [(6,)]
    columns = connection.columns(f"SELECT item FROM {opened.sql} ORDER BY item")
    assert columns["item"].tolist() == [3, 4, 5, 6, 7, 8]
    with pytest.raises(InputError, match="must be one relation, or files"):
        open_sources(DuckdbConnection(), [relation, "a.csv"])


# -- addresses ---------------------------------------------------------------------

SIGNED = "https://me:pass@host/a.parquet?X-Amz-Signature=0af1&token=tkn#x"


def test_keys_in_addresses_are_masked(monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hush/hush")
    slashes = "http://KEYID:pa/@pass@host/a"
    for text in (
        *(SIGNED, f"'{SIGNED}'", slashes),
        *("s3://KEYID:pass@logs/a", "HTTP 403 hush/hush"),
    ):
        shown = masked(text)
        for secret in ("me:", "pass", "0af1", "tkn", "KEYID", "hush"):
            assert secret not in shown
    assert masked("s3://logs/a=b/c.parquet") == "s3://logs/a=b/c.parquet"
    assert masked("logs/a@b?.csv") == "logs/a@b?.csv"
    for plain in ("http://host:9000/a@b.csv", "s3://logs/a@b.csv"):
        assert masked(plain) == plain


def httpfs():
    """Whether DuckDB of this version has httpfs here."""
    from demur.engines.sources.addresses import _loaded

    return _loaded(DuckdbConnection().connection, "httpfs")


@pytest.mark.parametrize("address", ["s3://KEYID:pass@logs/a", SIGNED])
def test_without_httpfs_the_package_is_named(monkeypatch, address):
    monkeypatch.setattr("demur.engines.sources.addresses._loaded", lambda *_: False)
    with pytest.raises(MissingExtra) as caught:
        rows_of(address)
    package = "duckdb-extension-httpfs (of the same version as duckdb, "
    assert f"needs a package: pip install {package}" in str(caught.value)
    assert "pass" not in str(caught.value)
    assert "0af1" not in str(caught.value)


@pytest.fixture(scope="module")
def bucket(tmp_path_factory):
    """A bucket on this machine, and the address of its server."""
    if importlib.util.find_spec("moto") is None:
        pytest.skip('no S3 server here: pip install "moto[server]"')
    if not httpfs():
        package = f"duckdb-extension-httpfs=={duckdb.__version__}"
        pytest.skip(f"no httpfs here: pip install {package}")
    import boto3
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    url = f"http://{host}:{port}"
    names = {"aws_access_key_id": "KEYID", "aws_secret_access_key": "hush"}
    client = boto3.client("s3", endpoint_url=url, region_name="us-east-1", **names)
    client.create_bucket(Bucket="logs")
    local = tmp_path_factory.mktemp("bucket") / "a.parquet"
    parquet(local, n_rows=99)
    for key in ("d/topic=a/p.parquet", "d/topic=b/p.parquet", "x[1].parquet", "d/_x/q"):
        client.upload_file(str(local), "logs", key)
    client.put_object(Bucket="logs", Key="bad.parquet", Body=local.read_bytes()[:-9])
    client.put_object(Bucket="logs", Key="a.csv.gz", Body=gzip.compress(CELLS.encode()))
    client.put_object(Bucket="logs", Key="a.jsonl", Body=RECORDS.encode())
    yield url
    server.stop()


@pytest.fixture
def signed_in(bucket, monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "KEYID")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hush/hush")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", bucket)
    return bucket


def test_buckets_are_read_as_folders_are(signed_in):
    for source in ("s3://logs/d", "s3://logs/d/*/p.parquet", "s3://logs/d/topic=*/*"):
        rows = sorted(rows_of(source, columns="topic, item"))
        assert rows == [(topic, item) for topic in "ab" for item in range(99)]
    assert len(rows_of("s3://logs/x[1].parquet")) == 99
    assert len(rows_of("s3://logs/a.csv.gz")) == 99
    assert len(rows_of("s3://logs/a.jsonl")) == 99
    assert len(rows_of(f"{signed_in}/logs/x%5B1%5D.parquet?X-Amz-Signature=0")) == 99


def test_what_is_wrong_in_a_bucket_is_named_without_keys(signed_in):
    assert refused("s3://logs/none/*").startswith(
        "s3://logs/none/*: the address must ma"
    )
    assert refused("s3://none/*.parquet").startswith(
        "s3://none/*.parquet: the file must"
    )
    assert refused("s3://logs/no.parquet").startswith(
        "s3://logs/no.parquet: the file mu"
    )
    said = "s3://logs/bad.parquet: the file must be whole, readable Parquet"
    assert refused("s3://logs/bad.parquet", "s3://logs/x[1].parquet").startswith(said)
    assert refused("s3://KEYID:hush@logs/a").startswith(
        "s3://...@logs/a: the address mus"
    )
    said = refused(f"{signed_in}/logs/none.parquet?X-Amz-Signature=0af1")
    assert "none.parquet?X-Amz-Signature=...: the file must exist" in said
    assert "0af1" not in said


@pytest.mark.parametrize(
    "command",
    ["curve {} --json", "curve {} --plot a.svg", "choose {} --max-error 0.5 --lock a",
     "score {}", "sketch {} -o a.sketch", "compare {} {}", "report {} -o b.html"],
)  # fmt: skip
def test_what_is_counted_at_a_signed_address_shows_no_key(
    command, signed_in, here, capsys
):
    address = f"{signed_in}/logs/x%5B1%5D.parquet?X-Amz-Signature=0af1&token=hush"
    words = command.replace("{}", address).split()
    code = main([*words, *([] if "-o b.html" in command else ["--page", "a.html"])])
    told = capsys.readouterr()
    assert not code or command.startswith(("compare", "report"))
    written = [path.read_text("latin-1") for path in here.iterdir()]
    for text in (told.out, told.err, *written):
        assert "hush" not in text
        assert "0af1" not in text


# -- through to the curve ----------------------------------------------------------

ANSWERS = """
    SELECT i AS item, (i * 7919 % 100) / 100 AS confidence, 'g' || (i % 3) AS topic,
        CASE WHEN i % 10 = 0 THEN 'unanswered' WHEN i % 3 = 0 THEN 'wrong'
             ELSE 'right' END AS outcome
    FROM range(500) t(i)
"""

WRITTEN = {
    "a.parquet": "FORMAT parquet",
    "folder": "FORMAT parquet, PARTITION_BY (topic)",
    "a.csv": "FORMAT csv",
    "a.csv.gz": "FORMAT csv",
    "a.jsonl": "FORMAT json",
    "a.jsonl.zst": "FORMAT json, COMPRESSION zstd",
}


@pytest.mark.parametrize("name", [*WRITTEN, "a.duckdb:answers"])
def test_every_source_gives_the_curve_that_rows_in_memory_give(name):
    duckdb.execute(f"COPY ({ANSWERS}) TO 'rows.csv'")
    if name in WRITTEN:
        duckdb.execute(f"COPY ({ANSWERS}) TO '{name}' ({WRITTEN[name]})")
    else:
        with duckdb.connect("a.duckdb") as connection:
            connection.execute(f"CREATE TABLE answers AS {ANSWERS}")
    curves = [
        demur.curve_by(outcomes, by="topic").to_dict()
        for outcomes in (
            demur.count_outcomes(name),
            demur.read_outcomes("rows.csv", groups=["topic"]),
        )
    ]
    assert curves[0] == curves[1]
