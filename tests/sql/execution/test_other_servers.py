"""MySQL, Snowflake and BigQuery on stubs of SQLAlchemy: no such server is at hand."""

import types

import pytest

from demur import Databases, InputError, MissingExtra
from demur.sql.execution import databases
from demur.sql.execution.databases import find_database
from demur.sql.execution.other_servers import KINDS, OtherServer
from demur.sql.execution.queries import Limits, QueryFailed

sqlalchemy = pytest.importorskip("sqlalchemy")
LIMITS = Limits(timeout=2.5, max_rows=10, max_memory=1 << 30)
URLS = {
    "mysql": "mysql://me:secret@host/air",
    "snowflake": "snowflake://me:secret@account/air/public",
    "bigquery": "bigquery://project/air",
}


class Result:
    def __init__(self, rows):
        self.rows = rows

    def keys(self):
        return ["a"] if self.rows else []

    def fetchmany(self, count):
        taken, self.rows = self.rows[:count], self.rows[count:]
        return taken


class Connection:
    """Keeps what it is asked, and answers SELECT with two rows."""

    def __init__(self):
        self.asked, self.rolled_back = [], 0

    def exec_driver_sql(self, sql, execution_options=None):
        self.asked.append(sql)
        if execution_options is not None:
            assert execution_options["no_parameters"]
        return Result([(1,), (2,)] if sql.startswith("SELECT") else [])

    def rollback(self):
        self.rolled_back += 1


@pytest.fixture
def connected(monkeypatch):
    """A server of any kind, made from a URL, with what it was given."""
    connection, made = Connection(), []

    def create_engine(target, poolclass):
        assert poolclass is sqlalchemy.NullPool
        made.append(target.render_as_string(hide_password=True))
        return types.SimpleNamespace(connect=lambda: connection)

    monkeypatch.setattr(sqlalchemy, "create_engine", create_engine)
    return connection, made


@pytest.mark.parametrize("kind", URLS)
def test_a_session_is_read_only_and_limited(connected, kind):
    connection, made = connected
    server = OtherServer(URLS[kind], LIMITS, "")
    assert connection.asked == list(KINDS[kind].session(3))
    assert made[0].startswith("mysql+pymysql://" if kind == "mysql" else f"{kind}://")
    names, chunks = server.select("SELECT a FROM t")
    assert (names, [row for rows in chunks for row in rows]) == (["a"], [(1,), (2,)])
    before = connection.rolled_back
    server.finish()
    assert connection.rolled_back == before + 1


def test_what_the_statements_say():
    mysql = " ".join(KINDS["mysql"].session(30))
    assert "READ ONLY" in mysql
    assert "max_execution_time = 30000" in mysql
    assert "STATEMENT_TIMEOUT_IN_SECONDS = 30" in KINDS["snowflake"].session(30)[0]


@pytest.mark.parametrize(
    ("kind", "sql"),
    [
        ("mysql", "SELECT load_file('/etc/passwd')"),
        ("mysql", "SELECT 1 INTO OUTFILE '/tmp/x'"),
        ("mysql", "SELECT sleep(100)"),
        ("snowflake", "SELECT SYSTEM$CANCEL_QUERY('x')"),
        ("bigquery", "SELECT * FROM EXTERNAL_QUERY('c', 'DROP TABLE t')"),
    ],
)
@pytest.mark.usefixtures("connected")
def test_what_leads_around_the_limits_is_refused(kind, sql):
    server = OtherServer(URLS[kind], LIMITS, "")
    with pytest.raises(QueryFailed, match=r"forbidden: .* is not allowed"):
        server.select(sql)


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("(1064, 'You have an error in your SQL syntax')", "error"),
        ("(3024, 'Query execution was interrupted, maximum statement ...')", "timeout"),
        ("(2013, 'Lost connection to MySQL server during query')", "lost"),
        ("(1792, 'Cannot execute statement in a READ ONLY transaction.')", "forbidden"),
    ],
)
@pytest.mark.usefixtures("connected")
def test_failures_have_the_same_names_as_elsewhere(message, kind):
    server = OtherServer(URLS["mysql"], LIMITS, "")
    assert server.explain(Exception(message)) == (kind, message)


@pytest.mark.parametrize("kind", URLS)
def test_urls_are_known_and_their_drivers_wanted(kind, monkeypatch):
    root = Databases(root=URLS[kind])
    assert root.is_one
    with pytest.raises(MissingExtra, match=rf"demur\[{kind}\]"):
        find_database(URLS[kind])
    monkeypatch.setattr(databases, "_is_installed", lambda _: True)
    database = find_database(URLS[kind])
    assert (database.engine, database.is_file) == (kind, False)
    assert database.version() == f"{kind} untested"
    with pytest.raises(InputError, match="Also known, but untested: mysql://"):
        Databases(root="oracle://me@host/air")
