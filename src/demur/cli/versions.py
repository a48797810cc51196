"""Versions of demur and of what it runs on, for a bug report."""

import platform
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from demur.version import __version__


def everything() -> str:
    """The versions of demur, Python, the system and the packages, on one line."""
    parts = [
        f"demur {__version__}",
        f"{platform.python_implementation()} {platform.python_version()}",
        f"{platform.system()} {platform.machine()}",
    ]
    for name in _PACKAGES:
        with suppress(PackageNotFoundError):
            parts.append(f"{name} {version(name)}")
    return ", ".join(parts)


_PACKAGES: Final = (
    *("numpy", "scipy", "narwhals", "msgspec", "sqlglot", "matplotlib", "duckdb"),
    *("pyarrow", "scikit-learn", "pyspark"),
)
"""Packages whose versions are told; those that are there."""
