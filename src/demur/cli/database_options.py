"""What ``demur judge --by sql`` makes of its options."""

import os
import sys
from argparse import Namespace
from dataclasses import replace
from typing import Any, Final

from demur import answers
from demur.errors import InputError

_LIMITS: Final = ("timeout", "max_rows", "cache", "workers")
_CLEAR: Final = "\r\x1b[K"


def with_databases(arguments: Namespace) -> Any:
    """The comparator of ``--by``; with its databases, if it needs any.

    Raises
    ------
    InputError
        If there are options for databases, and it needs none.
    """
    limits = {name: getattr(arguments, name) for name in _LIMITS}
    given = {name: value for name, value in limits.items() if value is not None}
    by, root, maximum = arguments.by, arguments.db_root, arguments.maximum
    if not isinstance(by, answers.Sql):
        options = [*(["db_root"] if root else []), *given]
        options += ["maximum"] if maximum else []
        if options:
            name = "--" + options[0].replace("_", "-")
            raise InputError("judge", name, "be given with --by sql", f"--by {by}")
        return by
    from demur.querying import Databases, Executed

    databases = Databases(
        root=root or os.environ.get("DEMUR_DB_ROOT") or None,
        progress=show_progress if sys.stderr.isatty() else None,
        **given,
    )
    return Executed(replace(by, maximum=maximum) if maximum else by, databases)


def show_progress(done: int, count: int) -> None:
    """A line that is written over, and gone at the end."""
    if done == count:
        sys.stderr.write(_CLEAR)
    elif done % 50 < 2:
        sys.stderr.write(f"{_CLEAR}{done:,} of {count:,} queries")
    sys.stderr.flush()
