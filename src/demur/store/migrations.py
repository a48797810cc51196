"""The tables of a store, and the steps from one version of them to the next."""

from typing import Final

from demur.errors import InputError
from demur.store.connections import NO_STORE, StoreConnection, damage_named

_FIRST: Final = (
    """CREATE TABLE runs (
        number BIGINT PRIMARY KEY,
        kept_at TEXT NOT NULL,
        note TEXT NOT NULL,
        signature TEXT NOT NULL,
        recipe TEXT NOT NULL,
        notes TEXT NOT NULL,
        data_hash TEXT NOT NULL,
        n_rows BIGINT NOT NULL,
        n_columns BIGINT NOT NULL,
        lock_text TEXT,
        judged_from BIGINT REFERENCES runs (number),
        forgotten_at TEXT
    )""",
    """CREATE TABLE run_systems (
        run BIGINT NOT NULL REFERENCES runs (number),
        place BIGINT NOT NULL,
        system TEXT NOT NULL,
        setting TEXT,
        n_items BIGINT NOT NULL,
        n_right BIGINT NOT NULL,
        n_wrong BIGINT NOT NULL,
        n_unanswered BIGINT NOT NULL,
        n_ungraded BIGINT NOT NULL,
        n_failed BIGINT NOT NULL,
        error_low DOUBLE PRECISION,
        error_high DOUBLE PRECISION,
        own_nonreturn DOUBLE PRECISION,
        own_low DOUBLE PRECISION,
        own_high DOUBLE PRECISION,
        area_low DOUBLE PRECISION,
        area_high DOUBLE PRECISION,
        PRIMARY KEY (run, place)
    )""",
    """CREATE TABLE run_tags (
        run BIGINT NOT NULL REFERENCES runs (number),
        tag TEXT NOT NULL,
        put_on TEXT NOT NULL,
        taken_off TEXT
    )""",
    """CREATE TABLE run_columns (
        run BIGINT NOT NULL REFERENCES runs (number),
        place BIGINT NOT NULL,
        part TEXT NOT NULL,
        name TEXT NOT NULL,
        hash TEXT NOT NULL,
        PRIMARY KEY (run, place)
    )""",
    """CREATE TABLE blobs (
        hash TEXT NOT NULL,
        piece BIGINT NOT NULL,
        coding TEXT NOT NULL,
        content BLOB NOT NULL,
        PRIMARY KEY (hash, piece)
    )""",
    "CREATE INDEX tags_of_runs ON run_tags (tag, run)",
    "CREATE INDEX columns_by_hash ON run_columns (hash)",
)

STEPS: list[tuple[str, ...]] = [_FIRST]
"""What makes each version of the tables of the one before; the first of nothing."""

VERSION_TABLE: Final = "demur_store"
"""The table that holds the version: one row."""


def version_of(connection: StoreConnection) -> int:
    """The version of a store's tables; 0 if there are none.

    Raises
    ------
    InputError
        If the database is somebody else's, or of a newer demur.
    """
    tables = connection.tables()
    if VERSION_TABLE not in tables:
        if not tables:
            return 0
        got = f"a database of something else, with the table {min(tables)}"
        hint = "Name another file, or another database."
        raise InputError(connection.name, "the store", "be one of demur", got, hint)
    listed = connection.rows(f"SELECT version FROM {VERSION_TABLE}")
    with damage_named(connection.name):
        version = int(listed[0][0]) if listed else 0
    if version < 1:  # it is made with the others, in one transaction
        got = f"the table {VERSION_TABLE} with the version {version}"
        hint = "It is of something else, or half made: name another file."
        raise InputError(connection.name, "the store", "be whole", got, hint)
    if version > len(STEPS):
        need = f"have tables of version {len(STEPS)} or older"
        hint = "A newer demur has written it: pip install --upgrade demur."
        got = f"version {version}"
        raise InputError(connection.name, "the store", need, got, hint)
    return version


def migrate(connection: StoreConnection, *, make: bool = False) -> None:
    """Bring the tables to the newest version, each step in one transaction.

    Raises
    ------
    InputError
        If there are none, and none are to be made.
    """
    if not version_of(connection) and not make:
        need, got = "hold runs", "an empty database"
        raise InputError(connection.name, "the store", need, got, NO_STORE)
    connection.settle()
    while (version := version_of(connection)) < len(STEPS):
        with connection.writing():
            if version_of(connection) != version:  # another process was faster
                continue
            if not version:
                column = "(version BIGINT NOT NULL)"
                connection.rows(f"CREATE TABLE {VERSION_TABLE} {column}")
                connection.rows(f"INSERT INTO {VERSION_TABLE} VALUES (0)")
            for statement in STEPS[version]:
                connection.rows(statement)
            connection.rows(f"UPDATE {VERSION_TABLE} SET version = ?", version + 1)
