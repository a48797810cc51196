"""Addresses of files elsewhere: which can be read, and what reads them."""

import os
import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from demur.engines.sql_counts import literal
from demur.errors import InputError, MissingExtra, masked

_REMOTE: Final = re.compile(r"(s3|https?)://", re.IGNORECASE)


def is_remote(path: str) -> bool:
    """Whether a source is an address and not a path.

    Examples
    --------
    >>> is_remote("s3://logs/a.parquet"), is_remote("logs/a.parquet")
    (True, False)
    """
    return _REMOTE.match(path) is not None


def check_address(address: str) -> None:
    """Raise `InputError` where an address holds keys."""
    if "...@" in masked(address):
        need, hint = (
            "hold no keys",
            "Keys are read from AWS_ACCESS_KEY_ID and the like.",
        )
        raise InputError(address, "the address", need, "some", hint)


def read_remote(connection: Any, purpose: str) -> None:
    """Let a connection read addresses, with the keys of the environment.

    Parameters
    ----------
    connection : DuckDB connection
        Which loads its extension httpfs.
    purpose : str
        What it is needed for, as messages say it.

    Raises
    ------
    MissingExtra
        If there is no httpfs for this version of DuckDB.
    """
    import duckdb

    if not _loaded(connection, "httpfs"):
        version = f"of the same version as duckdb, {duckdb.__version__}"
        package = f"duckdb-extension-httpfs ({version})"
        raise MissingExtra(package, purpose, package=True)
    connection.execute("SET enable_external_file_cache = true")
    if secret := _secret(os.environ):
        options = ", ".join(f"{name} {value}" for name, value in secret.items())
        connection.execute(f"CREATE OR REPLACE SECRET demur_s3 (TYPE s3, {options})")


def _loaded(connection: Any, extension: str) -> bool:
    """Whether an extension is there: of a user's own, or from its package."""
    import duckdb

    for place in (extension, _packaged(extension)):
        try:
            if place:
                connection.execute(f"LOAD {literal(place)}")
                return True
        except duckdb.Error:  # not there, or of another version
            continue
    return False


def _packaged(extension: str) -> str:
    """The file of an extension in the package that brings it; nothing without."""
    import duckdb

    try:
        module = import_module(f"duckdb_extension_{extension}")
    except ImportError:
        return ""
    folder = Path(str(module.__file__)).parent / "extensions" / f"v{duckdb.__version__}"
    return str(folder / f"{extension}.duckdb_extension")


def _secret(environment: Mapping[str, str]) -> dict[str, str]:
    """What DuckDB calls the settings that everyone names in the environment.

    Examples
    --------
    >>> _secret({"AWS_REGION": "eu-west-1", "AWS_ENDPOINT_URL": "http://host:9000"})
    {'REGION': "'eu-west-1'", 'ENDPOINT': "'host:9000'", 'USE_SSL': 'false',
     'URL_STYLE': "'path'"}
    """
    names = {
        "KEY_ID": ("AWS_ACCESS_KEY_ID",),
        "SECRET": ("AWS_SECRET_ACCESS_KEY",),
        "SESSION_TOKEN": ("AWS_SESSION_TOKEN",),
        "REGION": ("AWS_REGION", "AWS_DEFAULT_REGION"),
    }
    secret = {
        option: literal(value)
        for option, variables in names.items()
        if (value := next(filter(None, map(environment.get, variables)), None))
    }
    endpoint = environment.get("AWS_ENDPOINT_URL_S3") or environment.get(
        "AWS_ENDPOINT_URL"
    )
    if endpoint:
        kind, _, host = endpoint.rpartition("://")
        secret["ENDPOINT"] = literal(host.rstrip("/"))
        secret["USE_SSL"] = "false" if kind == "http" else "true"
        secret["URL_STYLE"] = literal("path")
    return secret
