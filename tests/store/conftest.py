"""Stores to test on: a file, and a schema of its own on a real server."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import count

import pytest

import demur

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
_SCHEMAS = count()


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def fresh_schema(server: str) -> Callable[[], str]:
    """Addresses of schemas of the server that nobody has used."""
    psycopg = pytest.importorskip("psycopg")

    def made() -> str:
        name = f"store_{next(_SCHEMAS)}"
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}")
        return f"{server}&options=-csearch_path%3D{name}"

    return made


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path) -> str:
    """Where there is no store yet."""
    if request.param == "sqlite":
        return str(tmp_path / "runs.sqlite")
    return request.getfixturevalue("fresh_schema")()


@pytest.fixture
def store(address: str) -> Iterator[demur.Store]:
    with demur.Store(address, make=True) as opened:
        yield opened
