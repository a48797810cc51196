"""Answers that are SQL, judged on DuckDB files and on a PostgreSQL server."""

import sqlite3
from typing import NamedTuple

import pytest

import demur
from builders import judge_files, judge_one, printed, printed_json, stderr_of
from demur import Databases, InputError, answers
from demur.sql.executed import Executed
from sql_cases import FARES, only_late

duckdb = pytest.importorskip("duckdb")
pytest.importorskip("sqlglot")
pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # what starts the server forks
    pytest.mark.usefixtures("kept_workers"),
]

CENTS = "SELECT flight, cents FROM fare"
ENDLESS = (
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
    "SELECT count(*) FROM n"
)


class Place(NamedTuple):
    """Two databases of one engine: the second has one flight more."""

    root: str
    one: str
    two: str
    engine: str


@pytest.fixture(scope="module", params=["duckdb", "postgresql"])
def place(request, tmp_path_factory):
    if request.param == "postgresql":
        url = request.getfixturevalue("server")
        return Place(url, "postgres", "rail", "postgresql")
    folder = tmp_path_factory.mktemp("duckdb")
    for name, more in (("one.duckdb", ""), ("two.duckdb", "('TGV', 4500, NULL)")):
        with duckdb.connect(str(folder / name)) as connection:
            connection.execute(FARES)
            if more:
                connection.execute(f"INSERT INTO fare VALUES {more}")
    return Place(str(folder), "one.duckdb", "two.duckdb", "duckdb")


def judged(place, response, reference, by="sql", **limits):
    """Outcome and reason of one answer."""
    return judged_all(place, [(reference, response)], by, **limits)[0]


def judged_all(place, pairs, by="sql", **limits):
    """Outcome and reason for each pair of a reference and a response."""
    references = [{"sql": each} if isinstance(each, str) else each for each, _ in pairs]
    outcomes = demur.judge(
        [{"item": at, "response": response} for at, (_, response) in enumerate(pairs)],
        [{"item": at, "db": place.one, **each} for at, each in enumerate(references)],
        by=by,
        databases=Databases(root=place.root, workers=1, **limits),
    )
    names = ("right", "wrong", "unanswered", "ungraded")
    found = [names[each] for each in outcomes.outcome]
    return list(zip(found, outcomes.reason, strict=True))


# -- verdicts ------------------------------------------------------------------------


VERDICTS = [
    ("SELECT DISTINCT cents, flight FROM fare", CENTS, "right", "equal"),
    (
        "SELECT DISTINCT cents, meal, flight FROM fare",
        CENTS,
        "wrong",
        "beyond the maximum: column 2",
    ),
    (
        "SELECT flight, cents + 1 FROM fare",
        CENTS,
        "wrong",
        'missing ("AA 17" 12000); extra ("AA 17" 12001)',
    ),
    ("SELECT price FROM fare", CENTS, "wrong", "sql error: "),
    ("DELETE FROM fare", CENTS, "wrong", "forbidden: DELETE"),
    ("SELECT 1; SELECT 2", CENTS, "wrong", "forbidden: "),
    ("SELECT 1", "SELECT price FROM fare", "ungraded", "reference: sql error: "),
    ("SELECT 1", "DROP TABLE fare", "ungraded", "reference: forbidden: DROP"),
    (None, CENTS, "unanswered", "no guess"),
    ("SELECT 'YES'", "SELECT count(*) > 2 FROM fare", "right", "equal"),
    ("SELECT count(*) < 2 FROM fare", "SELECT true", "wrong", "missing (TRUE)"),
    ("SELECT 1", "SELECT true", "wrong", "missing (TRUE); extra (1)"),
]


def test_what_a_query_returns_decides(place):
    found = judged_all(place, [(each[1], each[0]) for each in VERDICTS])
    for (response, _, outcome, reason), (got, why) in zip(VERDICTS, found, strict=True):
        assert (response, got) == (response, outcome)
        assert why.startswith(reason)


def test_time_and_rows_are_limited(place, monkeypatch):
    only_late(monkeypatch, ENDLESS)
    late = judged(place, ENDLESS, CENTS, timeout=0.5)
    assert late == ("wrong", "timeout: it ran for more than 0.5 s")
    late = judged(place, CENTS, ENDLESS, timeout=0.5)
    assert late == ("ungraded", "reference: timeout: it ran for more than 0.5 s")
    assert judged(place, CENTS, "SELECT 1", max_rows=2) == (
        "wrong",
        "more than 2 rows; the reference has 1",
    )


def test_several_instances_must_all_match(place):
    both = {"db": [place.one, place.two], "sql": "SELECT min(cents) FROM fare"}
    same = "SELECT cents FROM fare ORDER BY cents LIMIT 1"
    assert judged(place, same, both) == ("right", "equal")
    lucky = "SELECT cents FROM fare WHERE flight = 'DL 5'"
    said = f"missing (4500); extra (9000) (in {place.two})"
    assert judged(place, lucky, both) == ("wrong", said)
    gone = both | {"db": [place.one, "gone"]}
    outcome, reason = judged(place, same, gone)
    assert outcome == "ungraded"
    assert reason.startswith("reference: unreadable: ")
    assert reason.endswith("(in gone)")


TYPES = [
    # numbers of the engine: reals with tolerance, integers exactly
    ("SELECT 2.50", "SELECT CAST(2.5001 AS DECIMAL(9, 4))", "right"),
    ("SELECT 2.50", "SELECT CAST(2.51 AS DECIMAL(9, 2))", "wrong"),
    ("SELECT CAST(2.5 AS DOUBLE PRECISION)", "SELECT 2.500", "right"),
    ("SELECT sum(cents) FROM fare", "SELECT 30000", "right"),
    ("SELECT sum(cents) FROM fare", "SELECT 30001", "wrong"),
    ("SELECT avg(cents) FROM fare", "SELECT 10000", "right"),
    ("SELECT CAST(2 AS SMALLINT)", "SELECT CAST(2 AS BIGINT)", "right"),
    (
        "SELECT CAST('99999999999999999999999' AS DECIMAL(38, 0))",
        "SELECT CAST('99999999999999999999998' AS DECIMAL(38, 0))",
        "wrong",
    ),
    # days and times: as ISO text
    ("SELECT DATE '2026-01-31'", "SELECT '2026-01-31'", "right"),
    ("SELECT DATE '2026-01-31'", "SELECT TIMESTAMP '2026-01-31 00:00'", "right"),
    ("SELECT DATE '2026-01-31'", "SELECT TIMESTAMP '2026-01-31 07:30'", "wrong"),
    ("SELECT TIMESTAMP '2026-01-31 07:30'", "SELECT '2026-01-31 07:30:00'", "right"),
    (
        "SELECT TIMESTAMPTZ '2026-01-31 07:30+02'",
        "SELECT TIMESTAMPTZ '2026-01-31 05:30+00'",
        "right",
    ),
    ("SELECT TIME '07:30'", "SELECT '07:30:00'", "right"),
    ("SELECT INTERVAL '1 day'", "SELECT INTERVAL '24 hours'", "right"),
    ("SELECT INTERVAL '1 day'", "SELECT INTERVAL '25 hours'", "wrong"),
    # booleans are no numbers; identifiers are text; bytes are bytes
    ("SELECT flight, true FROM fare", "SELECT flight, 1 FROM fare", "wrong"),
    (
        "SELECT flight, meal IS NULL FROM fare",
        "SELECT flight, NOT (meal IS NOT NULL) FROM fare",
        "right",
    ),
    (
        "SELECT CAST('0000000A-0000-0000-0000-000000000001' AS UUID)",
        "SELECT '0000000a-0000-0000-0000-000000000001'",
        "right",
    ),
    # lists and JSON: by what they hold
    ("SELECT ARRAY[1, 2]", "SELECT ARRAY[1.0, 2.00]", "right"),
    ("SELECT ARRAY[1, 2]", "SELECT ARRAY[2, 1]", "wrong"),
    ("SELECT ARRAY['a', NULL]", "SELECT ARRAY['a', 'None']", "wrong"),
    ("SELECT ARRAY[DATE '2026-01-31']", "SELECT ARRAY['2026-01-31']", "right"),
    (
        """SELECT CAST('{"b": 1, "a": [1.50]}' AS JSON)""",
        """SELECT CAST('{"a":[1.5],"b":1}' AS JSON)""",
        "right",
    ),
    ("""SELECT CAST('{"a": 1}' AS JSON)""", """SELECT CAST('{}' AS JSON)""", "wrong"),
    ("""SELECT CAST('"x"' AS JSON)""", "SELECT 'x'", "right"),
    # what cannot be read is the fault of whoever asked for it
    ("SELECT 1", "SELECT INTERVAL '3000000 years'", "wrong"),
    ("SELECT INTERVAL '3000000 years'", "SELECT 1", "ungraded"),
    ("SELECT INTERVAL '3000000 years'", "SELECT INTERVAL '3000000 years'", "ungraded"),
    # NULL beside NaN
    (
        "SELECT CAST('NaN' AS DOUBLE PRECISION) UNION ALL SELECT NULL",
        "SELECT CAST('NaN' AS DOUBLE PRECISION) UNION ALL SELECT 0.0",
        "wrong",
    ),
    (
        "SELECT CAST('NaN' AS DOUBLE PRECISION) UNION ALL SELECT NULL",
        "SELECT NULL UNION ALL SELECT CAST('NaN' AS DOUBLE PRECISION)",
        "right",
    ),
]


def check_types(place, cases):
    found = judged_all(place, [each[:2] for each in cases])
    for (canonical, response, outcome), (got, why) in zip(cases, found, strict=True):
        assert (canonical, response, got) == (canonical, response, outcome), why
        unread = "unsupported: a value cannot be read: "
        if outcome == "ungraded":
            assert why.startswith(f"reference: {unread}")
        elif canonical == "SELECT 1":
            assert why.startswith(unread)


def test_types_of_the_engine(place):
    check_types(place, TYPES)


def test_types_of_duckdb_alone(tmp_path):
    with duckdb.connect(str(tmp_path / "one.duckdb")) as connection:
        connection.execute(FARES)
    here = Place(str(tmp_path), "one.duckdb", "", "duckdb")
    cases = [
        (
            "SELECT 170141183460469231731687303715884105727 AS n",
            "SELECT 170141183460469231731687303715884105727",
            "right",
        ),
        ("SELECT 10::HUGEINT ** 3", "SELECT 1000", "right"),
        (
            "SELECT 99999999999999999999::HUGEINT",
            "SELECT 99999999999999999998",
            "wrong",
        ),
        ("SELECT {'a': 1, 'b': 2.0}", "SELECT {'b': 2, 'a': 1}", "right"),
        ("SELECT {'a': 1, 'b': 2}", "SELECT {'a': 1, 'b': 3}", "wrong"),
        ("SELECT MAP {DATE '2026-01-31': 1}", "SELECT MAP {'2026-01-31': 1}", "right"),
        ("SELECT 'x'::BLOB", "SELECT '\\x78'::BLOB", "right"),
        ("SELECT 'x'::BLOB", "SELECT 'x'", "wrong"),
        ("SELECT ['x'::BLOB]", "SELECT ['y'::BLOB]", "wrong"),
        ("SELECT 'null'::JSON", "SELECT NULL", "right"),
    ]
    check_types(here, cases)


def test_a_missing_module_for_times_is_nobodys_fault(tmp_path):
    from demur.sql.execution.duckdb_engine import DuckdbEngine

    with duckdb.connect(str(tmp_path / "one.duckdb")) as connection:
        message = (
            "Invalid Input Error: Required module 'pytz' failed to import, due to ..."
        )
        error = duckdb.InvalidInputException(message)
        assert DuckdbEngine.explain(connection, error) == ("unreadable", message)


def test_types_of_postgresql_alone(server):
    here = Place(server, "postgres", "", "postgresql")
    cases = [
        ("SELECT 'x'::bytea", "SELECT '\\x78'::bytea", "right"),
        ("SELECT DATE 'infinity'", "SELECT 1", "ungraded"),
        ("SELECT 1", "SELECT DATE '0044-03-15 BC'", "wrong"),
        ("SELECT 1", "SELECT 'infinity'::date", "wrong"),
        ("SELECT power(10::numeric, 5000)", "SELECT 1", "ungraded"),
        ("SELECT 'NaN'::numeric", "SELECT 'NaN'::float8", "right"),
        ("SELECT '{\"a\": 1}'::jsonb", "SELECT '{\"a\":1.0}'::json", "right"),
        ("SELECT 'AA'::char(5)", "SELECT 'AA'", "right"),
    ]
    check_types(here, cases)


# -- the derived maximum -------------------------------------------------------------


def test_a_maximum_is_derived_in_the_dialect_of_the_engine(place):
    by = "sql(maximum=derived)"
    special = {
        "duckdb": "SELECT flight FROM fare WHERE cents::VARCHAR GLOB '9*'",
        "postgresql": "SELECT flight FROM fare WHERE cents::text SIMILAR TO '9%'",
    }[place.engine]
    asked = "SELECT flight, cents FROM fare WHERE cents = 9000"
    more = "SELECT flight, meal FROM fare WHERE cents = 9000"
    assert judged(place, asked, special, by) == ("right", "equal")
    assert judged(place, more, special, "sql(maximum=none)") == ("right", "equal")
    said = ("wrong", "beyond the maximum: column 2")
    assert judged(place, more, special, by) == said
    ilike = "SELECT flight FROM fare WHERE meal ILIKE 's%' OR meal IS NULL"
    assert judged(place, more.partition(" WHERE")[0], ilike, by) == ("right", "equal")
    assert judged(place, CENTS, ilike, by) == said


def test_one_text_has_a_maximum_in_each_dialect(tmp_path):
    text = "SELECT flight FROM fare WHERE [meal] = 'S'"  # a name, or a list
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        connection.execute(FARES)
    connection = sqlite3.connect(tmp_path / "b.sqlite")
    connection.executescript(FARES)
    connection.close()
    executed = Executed(answers.sql(maximum="derived"), Databases(root=tmp_path))
    maxima = {}
    for name in ("b.sqlite", "a.duckdb"):
        reference = demur.outcomes.records.Reference(
            item="q", extra={"db": name, "sql": text}
        )
        said = executed.explain("SELECT flight, 1 FROM fare", reference).splitlines()
        maxima[name] = said[2].removeprefix("maximum: ")
    assert maxima == {
        "b.sqlite": "SELECT flight, \"meal\" FROM fare WHERE [meal] = 'S'",
        "a.duckdb": "SELECT flight, meal FROM fare WHERE [meal] = 'S'",
    }


# -- the command line ----------------------------------------------------------------


def files(folder, place, *responses, **more):
    """Files of responses by systems a, b, ... and of one reference."""
    rows = [
        {"item": "q", "system": system, "response": response}
        for system, response in zip("abc", responses, strict=False)
    ]
    reference = {"item": "q", "db": place.one, "sql": CENTS, **more}
    return [*judge_files(folder, rows, [reference]), "--by", "sql"]


def test_the_command_judges(place, tmp_path, monkeypatch):
    one = "SELECT cents FROM fare"
    command = files(tmp_path, place, CENTS, one, "SELECT cents FROM far")
    target = str(tmp_path / "outcomes.jsonl")
    options = ["--db-root", place.root, "--timeout", "500", "--max-rows", "50", "-o"]
    found = printed_json(*command, *options, target)
    assert (found["right"], found["wrong"]) == (1, 2)
    assert f"|engine:{place.engine} " in found["signature"]
    assert "|timeout:500|max_rows:50|" in found["signature"]
    reasons = demur.read_outcomes(target).reason.tolist()
    assert reasons[:2] == ["equal", "1 column instead of 2"]
    assert reasons[2].startswith("sql error: ")
    monkeypatch.setenv("DEMUR_DB_ROOT", place.root)
    out = printed(*command, "--explain", "q", "--maximum", "derived")
    assert f"canonical SQL: {CENTS}" in out
    assert "1 (flight) is 1 (flight), 2 (cents) is 2 (cents) of the response" in out
    where = next(line for line in out.splitlines() if "database: " in line)
    assert where.endswith(place.one)
    assert "postgres@" not in where


def test_the_command_keeps_results_of_files_alone(place, tmp_path):
    command = files(tmp_path, place, CENTS)
    cache = tmp_path / "cache"
    options = ["--db-root", place.root, "--cache", str(cache), "--json"]
    first = printed(*command, *options)
    kept = [each for each in cache.rglob("*") if each.is_file()]
    assert bool(kept) is (place.engine == "duckdb")
    assert printed(*command, *options) == first


def test_a_reference_names_no_server(place, tmp_path):
    command = files(tmp_path, place, CENTS, db="postgresql://evil/x")
    assert "db must be" in stderr_of(*command, "--db-root", place.root)


# -- the signature -------------------------------------------------------------------


def test_the_signature_names_every_engine(tmp_path):
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        connection.execute(FARES)
    for name in ("b.sqlite", "c.sqlite"):
        connection = sqlite3.connect(tmp_path / name)
        connection.executescript(FARES)
        connection.close()

    def engine(*names):
        executed = Executed(answers.sql(), Databases(root=tmp_path))
        rows = list(enumerate(names))
        outcomes = demur.judge(
            [{"item": item, "response": CENTS} for item, _ in rows],
            [{"item": item, "db": name, "sql": CENTS} for item, name in rows],
            by=executed,
        )
        return outcomes.recipe["engine"]

    lite, duck = f"sqlite {sqlite3.sqlite_version}", f"duckdb {duckdb.__version__}"
    assert engine("b.sqlite") == engine(["b.sqlite", "c.sqlite"], "gone") == lite
    assert engine("b.sqlite", "a.duckdb") == f"{duck}, {lite}"
    assert engine(["c.sqlite", "a.duckdb"]) == f"{duck}, {lite}"


def test_the_signature_names_the_version_of_the_server(server):
    outcomes = judge_one(
        CENTS,
        {"sql": "SELECT current_setting('server_version_num')"},
        by="sql",
        databases=server,
    )
    engine, version = outcomes.recipe["engine"].split()
    assert engine == "postgresql"
    assert float(version) >= 10


def test_a_server_that_is_not_there_has_no_version():
    with pytest.raises(InputError, match=r"//127.0.0.1:1/air must answer; got"):
        judge_one(
            CENTS,
            {"sql": CENTS},
            by="sql",
            databases="postgresql://me:secret@127.0.0.1:1/air",
        )


# -- names and keys from the catalogue -------------------------------------------------

CLUB = """
CREATE TABLE club ("Id" INT PRIMARY KEY, "Club Name" TEXT, town TEXT, active BOOLEAN);
INSERT INTO club VALUES (1, 'A', 'Rome', true), (2, 'B', 'Oslo', true),
    (3, 'C', 'Oslo', false);
CREATE TABLE "Game" (no INT PRIMARY KEY, club INT REFERENCES club ("Id"), goals INT);
INSERT INTO "Game" VALUES (1, 1, 4), (2, 2, 6), (3, 1, 5);
CREATE TABLE prize (sort VARCHAR(9), amount INT, game INT REFERENCES "Game",
    id INT PRIMARY KEY);
INSERT INTO prize VALUES ('cup', 500, 1, 1), ('medal', 20, 1, 2);
"""
JOINED = 'FROM "Game" g JOIN club c ON c."Id" = g.club'
FAIR = [
    # Names to which a foreign key points, and the one text of a table.
    (f'SELECT c."Club Name", goals {JOINED}', 'SELECT goals FROM "Game"', True),
    (f"SELECT c.town, goals {JOINED}", 'SELECT goals FROM "Game"', False),
    (
        f'SELECT c."Id", c."Club Name", sum(goals) {JOINED} GROUP BY 1, 2',
        'SELECT club, sum(goals) FROM "Game" GROUP BY club',
        True,
    ),
    (
        "SELECT sort, amount FROM prize WHERE amount > 99",
        "SELECT max(amount) FROM prize",
        True,
    ),
    ("SELECT 'medal', max(amount) FROM prize", "SELECT max(amount) FROM prize", False),
    (
        'SELECT "Id", "Club Name" FROM club WHERE "Id" = 3',
        'SELECT "Id" FROM club EXCEPT SELECT club FROM "Game"',
        True,
    ),
    ('SELECT "Id", "Club Name", active FROM club', "SELECT active FROM club", True),
    ("SELECT town, active FROM club", "SELECT active FROM club", False),
    (
        "SELECT town, count(*), true FROM club WHERE active AND town = 'Oslo' "
        "GROUP BY town",
        "SELECT count(*) FROM club WHERE active AND town = 'Oslo'",
        True,
    ),
    (
        'SELECT town, count("Id") FROM club GROUP BY town HAVING count(*) > 1',
        "SELECT town FROM club GROUP BY town HAVING count(*) > 1",
        True,
    ),
    (
        "SELECT town, 7 FROM club GROUP BY town HAVING count(*) > 1",
        "SELECT town FROM club GROUP BY town HAVING count(*) > 1",
        False,
    ),
    (
        'SELECT c.town, max(c."Club Name") FROM club c GROUP BY c.town',
        "SELECT c.town FROM club c GROUP BY c.town",
        False,
    ),
]


@pytest.fixture
def clubs(place, tmp_path):
    """A place whose database has clubs."""
    if place.engine == "duckdb":
        with duckdb.connect(str(tmp_path / "one.duckdb")) as connection:
            connection.execute(CLUB)
        yield place._replace(root=str(tmp_path))
        return
    import psycopg

    with psycopg.connect(place.root, autocommit=True) as connection:
        connection.execute(CLUB)
        yield place
        connection.execute('DROP TABLE prize, "Game", club')


def test_a_maximum_knows_names_and_keys(clubs):
    found = judged_all(clubs, [(sql, response) for response, sql, _ in FAIR])
    for (response, sql, right), (outcome, why) in zip(FAIR, found, strict=True):
        assert (response, outcome == "right") == (response, right), (sql, why)


@pytest.mark.parametrize("mode", ["test-suite", "test-suite-keep-distinct", "bird-ex"])
def test_modes_of_other_evaluators_say_whose_values_they_compare(place, mode):
    def notes(by):
        return judge_one(
            CENTS, {"db": place.one, "sql": CENTS}, by=by, databases=place.root
        ).notes

    said = f"{mode} on {place.engine}: compares values as demur reads them"
    assert notes(f"sql(mode={mode})")[0].startswith(said)
    assert notes("sql(mode=bag)") == ()
