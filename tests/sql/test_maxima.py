"""What answers may show beside what they must: fair to people, and no use to cheats."""

import pytest

import demur
from builders import judge_one
from demur.sql import schemas
from demur.sql.maxima import derived_maximum
from demur.sql.schemas import schema_of
from sql_cases import sqlite_file

pytest.importorskip("sqlglot")
pytestmark = pytest.mark.usefixtures("kept_workers")

HARBOURS = """
CREATE TABLE kinds (code TEXT PRIMARY KEY, description VARCHAR(40));
INSERT INTO kinds VALUES ('T', 'tanker'), ('F', 'ferry'), ('Y', 'yacht');
CREATE TABLE ships (
    ship_id INTEGER PRIMARY KEY, ship TEXT, kind TEXT REFERENCES kinds,
    built INTEGER, flag TEXT, owner TEXT
);
INSERT INTO ships VALUES (1, 'Ada', 'T', 1990, 'NO', 'Berg'),
    (2, 'Bea', 'F', 2001, 'IT', 'Rossi'), (3, 'Cyd', 'F', 2001, 'NO', 'Berg'),
    (4, 'Ada', 'F', 2015, 'GR', 'Pappas');
CREATE TABLE ports (port_id INTEGER PRIMARY KEY, port_name TEXT, land TEXT, depth REAL);
INSERT INTO ports VALUES (1, 'Oslo', 'NO', 12.5), (2, 'Genoa', 'IT', 15.0),
    (3, 'Pylos', 'GR', 8.0);
CREATE TABLE calls (
    ship_id INTEGER, port_id INTEGER, day TEXT, tons INTEGER,
    FOREIGN KEY (ship_id) REFERENCES ships (ship_id),
    FOREIGN KEY (port_id) REFERENCES ports (port_id)
);
INSERT INTO calls VALUES (1, 1, '2024-05-01', 70), (1, 2, '2024-05-09', 20),
    (2, 2, '2024-05-02', 30), (3, 1, '2024-06-01', 40), (3, 2, '2024-06-03', 10);
CREATE TABLE people (person_id INTEGER PRIMARY KEY, name TEXT, height INTEGER);
INSERT INTO people VALUES (1, 'Kari', 170), (2, 'Luca', 180), (3, 'Nils', 175);
CREATE TABLE captains (
    captain_id INTEGER PRIMARY KEY, person_id INTEGER REFERENCES people (person_id),
    ship_id INTEGER REFERENCES ships (ship_id), pay INTEGER
);
INSERT INTO captains VALUES (1, 1, 1, 900), (2, 2, 2, 700);
CREATE TABLE fees (fee_id INTEGER PRIMARY KEY, sort TEXT, amount INTEGER);
INSERT INTO fees VALUES (1, 'pilot', 300), (2, 'crane', 500), (3, 'water', 20);
"""

FAIR = [
    # Names of joined tables, and of those that a foreign key points to.
    (
        "SELECT c.ship_id, c.tons FROM calls c JOIN ships s ON s.ship_id = c.ship_id",
        "SELECT s.ship, c.ship_id, c.tons FROM calls c JOIN ships s USING (ship_id)",
    ),
    (
        "SELECT pay FROM captains",
        "SELECT p.name, c.pay FROM captains c JOIN people p USING (person_id)",
    ),
    (
        "SELECT kind, count(*) FROM ships GROUP BY kind",
        "SELECT k.code, k.description, count(*) FROM ships s JOIN kinds k "
        "ON k.code = s.kind GROUP BY k.code",
    ),
    (
        "SELECT port_id FROM calls GROUP BY port_id ORDER BY sum(tons) DESC LIMIT 1",
        "SELECT p.port_id, p.port_name, sum(c.tons) FROM ports p JOIN calls c "
        "USING (port_id) GROUP BY p.port_id ORDER BY 3 DESC LIMIT 1",
    ),
    (
        "SELECT max(pay) FROM captains WHERE ship_id = 1",
        "SELECT p.name, c.pay FROM captains c JOIN people p USING (person_id) "
        "WHERE c.ship_id = 1",
    ),
    # A column called like its table, and the one text of a table, name a row.
    ("SELECT built FROM ships", "SELECT ship, built FROM ships"),
    ("SELECT amount FROM fees", "SELECT sort, amount FROM fees"),
    # DISTINCT.
    ("SELECT DISTINCT flag FROM ships", "SELECT ship_id, ship, flag FROM ships"),
    (
        "SELECT DISTINCT kind FROM ships",
        "SELECT DISTINCT k.code, k.description FROM ships s JOIN kinds k "
        "ON k.code = s.kind",
    ),
    # Keys of what is grouped by a name, where a name has one.
    (
        "SELECT s.ship, count(*) FROM ships s JOIN calls c ON c.ship_id = s.ship_id "
        "GROUP BY s.ship",
        "SELECT s.ship_id, s.ship, count(*) FROM ships s JOIN calls c "
        "USING (ship_id) GROUP BY s.ship_id",
    ),
    # The place of each row.
    (
        "SELECT ship FROM ships ORDER BY built, ship_id DESC",
        "SELECT row_number() OVER (ORDER BY built, ship_id DESC), ship FROM ships",
    ),
    (
        "SELECT flag AS f FROM ships GROUP BY flag ORDER BY count(*) DESC, f LIMIT 2",
        "SELECT flag, count(*), rank() OVER (ORDER BY count(*) DESC, flag) FROM ships "
        "GROUP BY flag ORDER BY 2 DESC, 1 LIMIT 2",
    ),
    # Whose the greatest or least is.
    (
        "SELECT max(amount) FROM fees",
        "SELECT sort, amount FROM fees ORDER BY amount DESC LIMIT 1",
    ),
    (
        "SELECT land, min(depth) FROM ports GROUP BY land",
        "SELECT port_id, port_name, land, depth FROM ports",
    ),
    # Set operations.
    (
        "SELECT ship_id FROM ships EXCEPT SELECT ship_id FROM calls",
        "SELECT ship_id, ship FROM ships WHERE ship_id = 4",
    ),
    (
        "SELECT s.ship FROM ships s JOIN calls c ON c.ship_id = s.ship_id "
        "WHERE c.port_id = 1 INTERSECT SELECT s.ship FROM ships s JOIN calls c "
        "ON c.ship_id = s.ship_id WHERE c.port_id = 2",
        "SELECT ship_id, ship FROM ships WHERE ship_id IN (1, 3)",
    ),
    (
        "SELECT ship_id FROM calls WHERE port_id = 1 INTERSECT SELECT ship_id "
        "FROM captains",
        "SELECT s.ship_id, s.ship FROM ships s WHERE s.ship_id = 1",
    ),
    (
        "SELECT ship FROM ships WHERE flag = 'GR' UNION SELECT ship FROM ships "
        "WHERE flag = 'IT' ORDER BY ship",
        "SELECT ship_id, ship, flag FROM ships WHERE flag IN ('GR', 'IT')",
    ),
    (
        "SELECT ship_id FROM calls GROUP BY ship_id HAVING count(*) > 1 "
        "UNION SELECT ship_id FROM captains",
        "SELECT ship_id, ship FROM ships WHERE ship_id < 4",
    ),
]

NOT_ASKED = [
    ("SELECT pay FROM captains", "SELECT p.height, c.pay FROM captains c JOIN people p "
     "USING (person_id)"),
    ("SELECT built FROM ships", "SELECT built, owner FROM ships"),
    (
        "SELECT ship FROM ships",
        "SELECT ship, description FROM ships JOIN kinds ON kind = code",
    ),
    ("SELECT DISTINCT flag FROM ships", "SELECT flag, built FROM ships"),
    ("SELECT DISTINCT kind FROM ships LIMIT 5", "SELECT kind, ship FROM ships"),
    ("SELECT max(amount) FROM fees", "SELECT 'pilot', max(amount) FROM fees"),
    ("SELECT max(depth) FROM ports", "SELECT land, max(depth) FROM ports"),
    ("SELECT sum(amount) FROM fees", "SELECT sum(amount), sort FROM fees"),
    (
        "SELECT max(amount), min(amount) FROM fees",
        "SELECT max(amount), min(amount), 'crane' FROM fees",
    ),
    (
        "SELECT ship_id FROM ships EXCEPT SELECT ship_id FROM calls",
        "SELECT ship_id, owner FROM ships WHERE ship_id = 4",
    ),
    (
        "SELECT flag FROM ships WHERE built < 2000 INTERSECT SELECT flag FROM ships "
        "WHERE built > 2000",
        "SELECT flag, built FROM ships WHERE flag = 'NO' AND built < 2000",
    ),
    (
        "SELECT ship FROM ships UNION SELECT port_name FROM ports",
        "SELECT ship, ship_id FROM ships UNION SELECT port_name, port_id FROM ports",
    ),
    (
        "SELECT ship FROM ships UNION SELECT ship FROM ships LIMIT 9",
        "SELECT ship, ship_id FROM ships",
    ),
]  # fmt: skip

CHEATS = [
    "SELECT " + ", ".join(map(str, range(300))),
    "SELECT 'Ada', 'Bea', 'Cyd', 'NO', 'IT', 'T', 'F', 'pilot', 'crane', 500, 900, 1",
    "SELECT * FROM ships, ports, captains, fees LIMIT 40",
    "SELECT *, 1, 2, 3, 4 FROM ships",
]


def outcomes_of(folder, pairs):
    """Which answers are right, as numbers of outcomes."""
    references = [
        {"item": str(at), "sql": sql, "db": "one.sqlite"}
        for at, (sql, _) in enumerate(pairs)
    ]
    responses = [
        {"item": str(at), "response": response}
        for at, (_, response) in enumerate(pairs)
    ]
    outcomes = demur.judge(responses, references, by="sql", databases=folder)
    return dict(zip(pairs, outcomes.outcome.tolist(), strict=True))


def test_what_a_reader_would_not_call_too_much_is_right(folder_of):
    found = outcomes_of(folder_of(HARBOURS), FAIR)
    assert [pair for pair, outcome in found.items() if outcome != 0] == []


def test_what_was_not_asked_stays_wrong(folder_of):
    found = outcomes_of(folder_of(HARBOURS), NOT_ASKED)
    assert [pair for pair, outcome in found.items() if outcome != 1] == []


def test_answers_that_show_everything_get_nothing(folder_of):
    golds = [sql for sql, _ in (*FAIR, *NOT_ASKED)]
    pairs = [(sql, cheat) for cheat in CHEATS for sql in dict.fromkeys(golds)]
    found = outcomes_of(folder_of(HARBOURS), pairs)
    assert [pair for pair, outcome in found.items() if outcome != 1] == []


@pytest.mark.parametrize(
    ("sql", "window"),
    [
        ("SELECT a FROM t ORDER BY b DESC, 1", "(ORDER BY b DESC, a)"),
        ("SELECT a FROM t ORDER BY b COLLATE NOCASE", "(ORDER BY b COLLATE NOCASE)"),
        ("SELECT f(a) n FROM t ORDER BY n", "(ORDER BY f(a))"),
        ("SELECT f(a) n FROM t ORDER BY -n", None),
        ("SELECT DISTINCT a FROM t ORDER BY a", None),
        ("SELECT a FROM t", None),
    ],
)
def test_the_place_of_a_row_is_that_of_the_sort_keys(sql, window):
    most = derived_maximum(sql)
    assert most.partition(", rank() OVER ")[2].partition(", row_number")[0] == (
        window or ""
    )


WORKERS = """
CREATE TABLE workers (id INTEGER PRIMARY KEY, name TEXT, pay INTEGER,
    boss INTEGER REFERENCES workers (id));
INSERT INTO workers VALUES (1, 'Ann', 9, NULL), (2, 'Bob', 5, 1), (3, 'Cas', 5, 1),
    (4, 'Dag', 3, 2);
CREATE TABLE towns (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO towns VALUES (1, 'Oslo'), (2, 'Rome'), (3, 'Nice');
CREATE TABLE roads (id INTEGER PRIMARY KEY, a INT REFERENCES towns (id),
    b INT REFERENCES towns (id));
INSERT INTO roads VALUES (1, 1, 2), (2, 1, 3), (3, 2, 3);
"""
TABLES = [
    (made.split()[2], made.strip())
    for made in WORKERS.split(";")
    if "CREATE TABLE" in made
]
BOSSES = (
    "SELECT w.name, b.name FROM workers w JOIN workers b ON b.id = w.boss",
    "SELECT w.name, 'Bob' FROM workers w WHERE boss IS NOT NULL",
)
ENDS = (
    "SELECT r.id, d.name FROM roads r JOIN towns c ON c.id = r.a "
    "JOIN towns d ON d.id = r.b WHERE c.name = 'Oslo'",
    "SELECT r.id, d.name FROM roads r JOIN towns d ON d.id <> r.a AND d.id <> r.b "
    "WHERE r.a = 1",
)


@pytest.mark.parametrize(
    ("sql", "right", "wrong"),
    [
        ("SELECT name FROM workers WHERE boss IS NOT NULL", *BOSSES),
        (
            "SELECT r.id FROM roads r JOIN towns c ON c.id = r.a WHERE c.name = 'Oslo'",
            *ENDS,
        ),
        (
            "SELECT roads.id FROM towns, roads WHERE towns.id = a AND name = 'Oslo'",
            *ENDS,
        ),
    ],
)
def test_a_key_points_to_another_row_of_a_table_of_the_query(
    folder_of, sql, right, wrong
):
    pairs = [(sql, right), (sql, wrong)]
    assert [*outcomes_of(folder_of(WORKERS), pairs).values()] == [0, 1]


def test_names_that_a_join_shows_are_not_looked_up_again():
    schema = schema_of(TABLES, "sqlite")
    for on in ("ON t.id = r.a", "ON r.a = t.id"):
        most = derived_maximum(
            f"SELECT r.id, b FROM roads r JOIN towns t {on}", schema=schema
        )
        assert most.count("linked WHERE") == 1


@pytest.mark.parametrize(
    ("sql", "extreme"),
    [
        ("SELECT max(pay) FROM workers WHERE boss > 0", "pay = 5"),
        ("SELECT min(pay) AS least FROM workers WHERE id < 4;", "pay = 5"),
        ("SELECT max(pay), boss FROM workers WHERE boss = 1 GROUP BY boss", "pay = 5"),
        ("WITH u AS (SELECT 9) SELECT max(pay) FROM workers WHERE boss > 0", "pay = 5"),
    ],
)
def test_of_rows_that_are_all_greatest_each_may_be_named(folder_of, sql, extreme):
    boss = ", boss" if "boss FROM" in sql else ""
    shown = f"SELECT name, pay{boss} FROM workers WHERE {extreme}"
    answers = [shown, f"{shown} AND name = 'Bob'", f"{shown} AND name = 'Cas'"]
    answers.append(shown.replace("name", "'Dag'"))
    pairs = [(sql, answer) for answer in answers]
    assert [*outcomes_of(folder_of(WORKERS), pairs).values()] == [0, 0, 0, 1]


def test_canonical_answers_are_within_their_maxima(folder_of):
    golds = {sql for sql, _ in (*FAIR, *NOT_ASKED)}
    found = outcomes_of(folder_of(HARBOURS), [(sql, sql) for sql in sorted(golds)])
    assert [pair for pair, outcome in found.items() if outcome != 0] == []


@pytest.mark.parametrize(
    "made",
    [
        "(id INTEGER PRIMARY KEY, name TEXT, size INT) WITHOUT ROWID",
        "(id INTEGER PRIMARY KEY, name, size)",
        "(id INTEGER PRIMARY KEY ON CONFLICT REPLACE, name TEXT, size INT)",
        "(id INT, name, size, CONSTRAINT k PRIMARY KEY (id DESC))",
        "(id INTEGER PRIMARY KEY, name TEXT, size INT) STRICT, WITHOUT ROWID",
    ],
)
def test_tables_are_known_in_whatever_form_sqlite_made_them(made):
    table = schema_of([("T", f"CREATE TABLE T {made}")], "sqlite")["t"]
    assert (table.names, table.key) == (("id", "name", "size"), ("id",))


def test_of_a_table_whose_making_cannot_be_read_nothing_is_known(capsys):
    rows = [("a", "CREATE VIRTUAL TABLE a USING fts5(x)"), ("b", "CREATE TABLE b ((")]
    assert schema_of(rows, "sqlite") == {}
    assert not any(capsys.readouterr())


def test_a_foreign_key_of_a_column_without_a_type(tmp_path):
    path = sqlite_file(
        tmp_path / "city.sqlite",
        "CREATE TABLE land(code TEXT PRIMARY KEY, name TEXT);"
        "CREATE TABLE city(id INTEGER PRIMARY KEY, name, land,"
        " FOREIGN KEY(land) REFERENCES land(code));"
        "INSERT INTO land VALUES ('I', 'Italy');"
        "INSERT INTO city VALUES (1, 'Rome', 'I');",
    )
    reference = {"sql": "SELECT name FROM city WHERE land = 'I'", "db": path.name}
    wider = "SELECT name, id FROM city WHERE land = 'I'"
    databases = demur.Databases(root=tmp_path)
    judged = judge_one(wider, reference, by="sql", databases=databases)
    assert judged.counts()["right"] == 1


@pytest.mark.parametrize("name", ["", " AS part"])
def test_a_query_in_from_needs_no_name(name, tmp_path):
    path = sqlite_file(
        tmp_path / "city.sqlite",
        "CREATE TABLE city(id INTEGER PRIMARY KEY, name TEXT, size INTEGER);"
        "INSERT INTO city VALUES (1, 'Rome', 3), (2, 'Bari', 2);",
    )
    inner = f"(SELECT name, size * 2 AS big FROM city){name}"
    reference = {"sql": f"SELECT name FROM {inner} WHERE big > 5", "db": path.name}
    wider = "SELECT name, size * 2 FROM city WHERE size * 2 > 5"
    databases = demur.Databases(root=tmp_path)
    judged = judge_one(wider, reference, by="sql", databases=databases)
    assert judged.counts()["right"] == 1
    wrong = "SELECT name, size * 3 FROM city WHERE size * 2 > 5"
    judged = judge_one(wrong, reference, by="sql", databases=databases)
    assert judged.counts()["wrong"] == 1


def test_of_tables_that_are_not_known_no_maximum_stops_a_run(tmp_path, monkeypatch):
    monkeypatch.setattr(schemas, "_created", lambda _: None)
    path = sqlite_file(
        tmp_path / "odd.sqlite",
        "CREATE TABLE a(x INTEGER, y TEXT); INSERT INTO a VALUES (1, 'u');"
        "CREATE TABLE b(x INTEGER, y TEXT); INSERT INTO b SELECT * FROM a;",
    )
    for sql in (
        "SELECT b.x FROM b JOIN a ON a.x = b.x",
        "SELECT b.x FROM b EXCEPT SELECT a.x + 1 FROM a",
        "SELECT max(b.x) FROM b",
    ):
        judged = judge_one(
            sql.replace("SELECT b.x", "SELECT b.x, b.y"),
            {"sql": sql, "db": path.name},
            by="sql",
            databases=demur.Databases(root=tmp_path),
        )
        assert judged.counts()["ungraded"] == 0
