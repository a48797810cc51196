"""``demur doctor``: what is installed, what for, and what to install."""

import platform
import re
from argparse import Namespace
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from shutil import which
from typing import Final

from demur.cli import shared
from demur.cli.versions import everything
from demur.results import Column, Result, Table, count

_PURPOSES: Final = {
    "plot": "pictures (--plot)",
    "learn": "reference systems, trained methods",
    "parquet": "Parquet files",
    "excel": "workbooks (.xlsx)",
    "zstd": "files packed by zstd",
    "completion": "completion in the shell",
    "math": "the comparator math",
    "schema": "JSON Schema in the comparator json",
    "sql": "SQL on DuckDB and servers",
    "postgres": "PostgreSQL: answers, and the store",
    "mysql": "SQL on MySQL",
    "snowflake": "SQL on Snowflake",
    "bigquery": "SQL on BigQuery",
    "scale": "counting in DuckDB (--engine duckdb)",
    "spark": "counting in Spark (--engine spark)",
}
"""What the extras are for; `all` is most of them."""

_PROGRAMS: Final = {
    "chromium": "a picture of a page by a browser of yours",
    "java": "the extra spark",
}
_PLUGS: Final = (
    *("inspect-ai", "lm-eval", "mlflow", "mlflow-skinny", "pytest", "scikit-learn"),
)
"""Packages that demur plugs into."""

_EXTRA: Final = re.compile(r"extra\s*==\s*['\"]([^'\"]+)['\"]")
_NEED: Final = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?\s*(?:>=\s*([0-9.]+))?")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class InstalledExtra(Result):
    """What an extra of demur brings, and whether it is there.

    Parameters
    ----------
    extra, purpose : str
        Its name, and what it is for.
    there : tuple of str
        Packages with their versions.
    missing : tuple of str
        Packages that are not there, or too old.
    """

    extra: str
    purpose: str
    there: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def installed(self) -> str:
        """Yes, or which packages are missing."""
        return f"no {', '.join(self.missing)}" if self.missing else "yes"

    @property
    def packages(self) -> str:
        """Those that are there, with their versions."""
        return ", ".join(self.there)


_COLUMNS: Final = (
    Column("extra"),
    Column("purpose", "for"),
    Column("installed"),
    Column("packages", wide=True),
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Installation(Result):
    """What is installed.

    Parameters
    ----------
    versions : str
        One line for a bug report.
    extras : tuple of InstalledExtra
        Each extra.
    notes : tuple of str
        What to type for an extra, and what else is missing.
    """

    KINDS = (count("missing", "extras that are not installed"),)

    versions: str
    extras: tuple[InstalledExtra, ...]
    notes: tuple[str, ...] = ()

    @property
    def missing(self) -> int:
        """How many extras lack a package."""
        return sum(bool(one.missing) for one in self.extras)

    def sentence(self) -> str:
        """The versions, and whether anything is missing."""
        most = "everything is installed"
        if self.missing:
            n_extras = len(self.extras)
            most = f"{n_extras - self.missing} of {n_extras} extras are installed"
        return f"{self.versions}\nThe main job needs no extra; {most}."

    def tables(self) -> tuple[Table]:
        """A row for each extra."""
        return (Table.of("", _COLUMNS, self.extras),)


def run(arguments: Namespace) -> int:
    """Look, and say."""
    shared.check_asked(arguments, Installation.KINDS, [])
    return shared.finish(installation(), arguments)


def installation() -> Installation:
    """What is installed here."""
    notes = [
        f"there is no {name} on the path, for {purpose}"
        for name, purpose in _PROGRAMS.items()
        if which(name) is None
    ]
    try:
        needs = requires("demur") or []
    except PackageNotFoundError:
        needs = []
        notes.append("demur runs from a folder: what its extras need is not known")
    tools, _ = _looked_up(dict.fromkeys(_PLUGS, "0"))
    if tools:
        listed = ", ".join(tools)
        notes.append(f"demur plugs into tools that are here (docs/plugs.md): {listed}")
    extras = tuple(_extras(needs))
    lacking = next((one.extra for one in extras if one.missing), None)
    if lacking is not None:
        typed = f'pip install "demur[{lacking}]"'
        notes.append(f"an extra is installed by its name: {typed}")
    return Installation(versions=everything(), extras=extras, notes=tuple(notes))


def _extras(needs: list[str]) -> Iterator[InstalledExtra]:
    by_extra: dict[str, dict[str, str]] = {}
    for need in needs:
        marker, package = _EXTRA.search(need), _NEED.match(need)
        if marker and package and _applies(need):
            by_extra.setdefault(marker[1], {})[package[1]] = package[2] or "0"
    for extra, purpose in _PURPOSES.items():
        there, missing = _looked_up(by_extra.get(extra, {}))
        yield InstalledExtra(extra=extra, purpose=purpose, there=there, missing=missing)


def _applies(need: str) -> bool:
    """Whether a package is needed by this Python; one marker is in use."""
    newest = re.search(r"python_version\s*<\s*['\"]([0-9.]+)['\"]", need)
    return newest is None or _parts(platform.python_version()) < _parts(newest[1])


def _looked_up(needs: Mapping[str, str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    there, missing = [], []
    for name, least in needs.items():
        try:
            has = version(name)
        except PackageNotFoundError:
            missing.append(name)
            continue
        if _parts(has) < _parts(least):
            missing.append(f"{name} {least} or newer (there is {has})")
        else:
            there.append(f"{name} {has}")
    return tuple(there), tuple(missing)


def _parts(text: str) -> tuple[int, ...]:
    """A version as numbers, as far as it is made of them."""
    numbers = re.match(r"\d+(?:\.\d+)*", text)
    return tuple(map(int, numbers[0].split("."))) if numbers else ()
