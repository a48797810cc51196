"""Sketches as what a command reads."""

from argparse import Namespace
from collections.abc import Iterable
from typing import Any

from demur.cli.shared import WrongUsage, option_name


def sketched(arguments: Namespace, sources: Iterable[str], asked: Iterable[str]) -> Any:
    """The outcomes that sketches hold.

    Parameters
    ----------
    arguments : Namespace
        With the options of `shared.add_engine`.
    sources : iterable of str
        Sketches.
    asked : iterable of str
        Options, as attributes, for which rows have to be in memory.

    Raises
    ------
    WrongUsage
        If something is asked for that takes items.
    """
    refused = (
        *asked,
        "engine",
        "where",
        "columns",
        "master",
        "check_items",
    )
    for name in refused:
        if getattr(arguments, name, None):
            need, hint = "come without sketches", "Sketches hold counts, not items."
            got = "a file of demur sketch"
            raise WrongUsage(arguments.command, option_name(name), need, got, hint)
    from demur.engines.counting_outcomes import count_outcomes

    return count_outcomes(*sources)
