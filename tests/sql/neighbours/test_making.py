"""The verb: its counts against plain SQLite, its references against judge."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import demur
from builders import read_records, refuses
from demur.sql.neighbours.mutants import Telling, mutants_of
from neighbour_cases import AIR, REFERENCES, air, dump, rows_of

PARTNERS = frozenset(
    {
        ("flight", "origin", "airport", "code"),
        ("crew", "flight", "flight", "id"),
    }
)


LEFT = [
    {"item": "value", "reference": "yes"},
    {"item": "none", "db": "air.sqlite", "sql": "SELECT 1", "answerable": False},
    {"item": "stored", "db": "air.sqlite", "sql": "SELECT 1", "max": [[1]]},
    {"item": "random", "db": "air.sqlite", "sql": "SELECT random()"},
    {"item": "fails", "db": "air.sqlite", "sql": "SELECT nothing FROM nowhere"},
    {"item": "beside", "db": "air.sqlite", "sqls": ["SELECT 1", "SELECT no FROM no"]},
    {"item": "odd", "db": "odd.sqlite", "sql": "SELECT 1"},
]
"""References of which nothing can be learned."""


@pytest.fixture(autouse=True)
def few_candidates(monkeypatch):
    """Each takes a process."""
    monkeypatch.setattr("demur.sql.neighbours.distilling._CANDIDATES", 2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the original is."""
    path = tmp_path_factory.mktemp("air")
    air(path)
    (path / "odd.sqlite").write_text("no database")
    return path


@pytest.fixture(scope="module")
def made(folder: Path) -> demur.Neighbours:
    """Two instances at most, in the folder ``more``."""
    path = folder / "more"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("demur.sql.neighbours.distilling._CANDIDATES", 3)
        given = [*REFERENCES, *LEFT]
        return demur.neighbours(given, path, databases=folder, instances=2)


@pytest.fixture(scope="module")
def mutants() -> list[tuple[str, str, str]]:
    """Every mutant that runs: its reference, its fault, its text."""
    listed = []
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(AIR)
        for reference in REFERENCES:
            text = reference["sql"]
            for mutant in mutants_of(text, "sqlite", Telling(partners=PARTNERS)):
                connection.execute(mutant.sql)
                listed.append((reference["item"], mutant.fault, mutant.sql))
    return listed


def killers(made, folder, mutants):
    """Of each mutant the first instance on which plain SQLite tells it apart."""
    texts = {reference["item"]: reference["sql"] for reference in REFERENCES}
    first = {}
    for item, fault, mutant in mutants:
        record = next(one for one in made.records if one["item"] == item)
        names = record["db"] if isinstance(record["db"], list) else [record["db"]]
        first[item, fault, mutant] = next(
            (
                name
                for name in names
                if rows_of(folder / "more" / name, texts[item])
                != rows_of(folder / "more" / name, mutant)
            ),
            None,
        )
    return first


def test_every_count_is_what_plain_sqlite_gives(made, folder, mutants):
    first = killers(made, folder, mutants)
    names = list(first.values())
    assert made.total("mutants") == len(mutants) > 50
    assert made.total("killed_before") == names.count("air.sqlite") > 20
    assert made.total("living") == names.count(None) < len(mutants) / 4
    assert len(made.instances) == 2
    for instance in made.instances:
        assert instance.killed == names.count(instance.instance) > 0
    for counts in made.faults:
        of_fault = [name for key, name in first.items() if key[1] == counts.name]
        before, living = of_fault.count("air.sqlite"), of_fault.count(None)
        assert (counts.mutants, counts.killed_before) == (len(of_fault), before)
        assert counts.living == living
    assert sum(counts.mutants for counts in made.faults) == len(mutants)
    living = {(one.item, one.fault, one.mutant) for one in made.still}
    assert living == {key for key, name in first.items() if name is None}


def test_judge_finds_wrong_what_is_killed_and_the_references_right(
    made, folder, mutants
):
    golds = [(one["item"], "", one["sql"]) for one in REFERENCES]
    responses = [
        {"item": item, "system": f"s{number}", "response": sql}
        for number, (item, _, sql) in enumerate([*golds, *mutants])
    ]
    path = folder / "more" / "references.jsonl"
    assert read_records(path) == [dict(record) for record in made.records]
    references = demur.read_references(path)
    outcomes = demur.judge(responses, references, by="sql", missing="leave_out")
    judged = outcomes.to_columns()
    by_system = dict(zip(judged["system"], judged["outcome"], strict=True))
    living = {(one.item, one.mutant) for one in made.still}
    for number, (item, fault, sql) in enumerate([*golds, *mutants]):
        right = not fault or (item, sql) in living
        assert by_system[f"s{number}"] == ("right" if right else "wrong"), sql


def test_what_lives_stands_in_a_file(made, folder):
    records = read_records(folder / "more" / "living.jsonl")
    assert records == [one.to_dict() for one in made.still]
    assert {*records[0]} == {"item", "database", "fault", "mutant", "sql"}


def test_the_original_is_copied_and_instances_are_small(made, folder):
    names = ["air.sqlite", *(instance.instance for instance in made.instances)]
    assert names == ["air.sqlite", "air-1.sqlite", "air-2.sqlite"]
    written = {path.name for path in (folder / "more").iterdir()}
    assert written == {*names, "odd.sqlite", "references.jsonl", "living.jsonl"}
    copied = (folder / "more" / "air.sqlite").read_bytes()
    assert copied == (folder / "air.sqlite").read_bytes()


def test_references_of_which_nothing_is_learned_stay_as_they_are(made):
    assert [*made.records[-len(LEFT) :]] == LEFT
    assert "2 references left out: no SQL, or not answerable" in made.notes
    assert "1 reference left out: a maximum that is a stored result" in made.notes
    assert "1 reference left out: SQL that reads the clock or draws at random" in (
        made.notes
    )
    why = "SQL that gives no result, or cannot be read"
    assert f"3 references left out: {why}" in made.notes
    assert any(
        "no neighbours: " in note and "odd.sqlite" in note for note in made.notes
    )
    [problem] = made.problems
    assert "odd.sqlite: the database must be readable; got " in problem


def test_a_seed_gives_the_same_again_and_stands_in_the_signature(
    made, folder, tmp_path
):
    again = demur.neighbours(
        REFERENCES, tmp_path / "again", databases=folder, instances=1
    )
    for part in (
        "instances:1",
        "rows:200",
        "seed:0",
        "timeout:30",
        "comparator:sql/",
        "by:sql(",
    ):
        assert part in again.signature
    assert [one.to_dict() for one in again.instances] == [
        one.to_dict() for one in made.instances[:1]
    ]
    name = "air-1.sqlite"
    assert dump(tmp_path / "again" / name) == dump(folder / "more" / name)
    other = demur.neighbours(
        *(REFERENCES[:2], tmp_path / "other"),
        **{"databases": folder, "instances": 1, "rows": 4, "seed": 7},
        by="sql(mode=bag)",
    )
    assert "by:sql(mode=bag" in other.signature
    assert "rows:4|seed:7" in other.signature
    assert dump(tmp_path / "other" / name) != dump(folder / "more" / name)
    assert other.instances[0].rows <= 12
    assert any(counts.name == "distinct" for counts in other.faults)


def test_what_would_be_right_by_chance_is_not_judged_there(tmp_path):
    with closing(sqlite3.connect(tmp_path / "t.sqlite")) as connection:
        connection.execute("CREATE TABLE t (a, b)")
        connection.execute("INSERT INTO t VALUES (1, 7), (2, 2), (3, NULL)")
        connection.commit()
    texts = [
        "SELECT a FROM t WHERE b > 1 ORDER BY b LIMIT 1",
        "SELECT count(*) FROM t WHERE b = (SELECT b FROM t ORDER BY b DESC LIMIT 1)",
        "SELECT a, b, count(*) FROM t GROUP BY a",
        "SELECT a FROM t ORDER BY b DESC LIMIT 2",
        "SELECT count(*) FROM t WHERE b > 4",
    ]
    references = [
        {"item": f"q{number}", "db": "t.sqlite", "sql": sql}
        for number, sql in enumerate(texts)
    ]
    how = {"databases": tmp_path, "instances": 1}
    made = demur.neighbours(references, tmp_path / "more", **how)
    checks = [
        {"item": f"{record['item']} {name}", "sql": record["sql"], "db": name}
        for record in made.records
        for name in record["db"]
    ]
    lints = demur.lint(checks, db_root=tmp_path / "more").checks
    assert not {"tie-at-limit", "null-first", "bare-column"} & {*lints}
    assert any("LIMIT cut a tie, or the like: " in note for note in made.notes)


def test_a_reference_is_judged_where_all_its_queries_are_sure(tmp_path):
    air(tmp_path)
    sqls = [REFERENCES[0]["sql"], "SELECT count(id) FROM flight WHERE cents > 10000"]
    (tmp_path / "two").mkdir()
    air(tmp_path / "two")
    names = ["air.sqlite", "two/air.sqlite"]
    record = {"item": "q", "db": names, "sqls": sqls}
    made = demur.neighbours(
        [record], tmp_path / "more", databases=tmp_path, instances=1
    )
    assert made.records[0] == {**record, "db": [*names, "air-1.sqlite"]}
    assert made.databases[0].name == "air.sqlite, two/air.sqlite"
    assert made.total("queries") == 2


def test_what_cannot_be_done_is_refused(folder, tmp_path):
    def refused(message, references=REFERENCES, path=tmp_path / "x", **how):
        how = {"databases": folder, **how}
        refuses(message, demur.neighbours, references, path, **how)
        assert not (tmp_path / "x").exists()

    refused("more: the folder must be new, or empty", path=folder / "more")
    refused("neighbours: by must be sql, with its options; got 'label'", by="label")
    server = "postgresql://me:secret@host/air"
    refused("must be SQLite or DuckDB files; got postgresql://host", databases=server)
    refused("no SQL, or not answerable .1", LEFT[:1])
    refused("neither a SQLite nor a DuckDB file", LEFT[-1:])
    refused("air.sqlite: the database must be readable; got ", databases=tmp_path)
    refused("db must be a path inside the folder", [{**REFERENCES[0], "db": "../x"}])
    assert not list(tmp_path.rglob("*"))


@pytest.mark.parametrize(
    "name", ["references.jsonl", "living.jsonl", "living.jsonl/a.sqlite"]
)
def test_a_database_is_not_called_like_a_file_that_is_written(name, tmp_path):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    air(tmp_path).rename(tmp_path / name)
    references = [{**REFERENCES[0], "db": name}]
    message = f"db must name one database alone; got {name} for what neighbours writes"
    refuses(message, demur.neighbours, references, tmp_path / "x", databases=tmp_path)


def test_one_duckdb_file_for_all_references(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "air.duckdb"
    with duckdb.connect(str(path)) as connection:
        for statement in AIR.split(";")[:-1]:
            connection.execute(statement)
    references = [
        {"item": one["item"], "sql": one["sql"]}
        for one in (REFERENCES[0], REFERENCES[3])
    ]
    made = demur.neighbours(references, tmp_path / "x", databases=path, instances=1)
    names = ["air.duckdb", "air-1.duckdb"]
    assert [record["db"] for record in made.records][:1] == [names]
    assert made.total("killed_after") == made.instances[0].killed > 0
    assert "engine:duckdb" in made.signature
    responses = [{"item": one["item"], "response": one["sql"]} for one in references]
    written = demur.read_references(tmp_path / "x" / "references.jsonl")
    outcomes = demur.judge(responses, written, by="sql")
    assert outcomes.to_columns()["outcome"] == ["right"] * 2
