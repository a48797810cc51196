"""``demur show``: the runs of the store, or all that one of them holds."""

import sys
from argparse import Namespace
from typing import Final, TextIO

from demur import formats
from demur.cli import reader_may_go, say, shared
from demur.cli.shared import WrongUsage
from demur.cli.stores_opened import opened
from demur.errors import InputError
from demur.files import new_file
from demur.store.keeping import KeptRuns, kept_runs
from demur.store.kept_runs import KeptRun
from demur.store.stores import Store


def run(arguments: Namespace) -> int:
    """List all runs, or show one and write what it holds."""
    shared.check_asked(arguments, KeptRuns.KINDS, [], ["output", "lock"])
    name = arguments.run
    for option in ("output", "lock") if name is None else ("tag", "system"):
        if getattr(arguments, option):
            need = "come with RUN" if name is None else "come without RUN"
            got = "none" if name is None else name
            raise WrongUsage("show", shared.option_name(option), need, got)
    with opened(arguments) as store:
        if name is None:
            which = shared.named(arguments, "tag", "system")
            return shared.finish(kept_runs(store, **which), arguments)
        kept = store.run(name)
        if arguments.fail_if:
            need, hint = "come without RUN", "demur gate holds runs to limits."
            raise WrongUsage("show", "--fail-if", need, name, hint)
        _write_lock(kept, arguments.lock)
        stream = _written(store, kept, arguments) if arguments.output else sys.stdout
    return shared.finish(kept, arguments, stream)


def _written(store: Store, kept: KeptRun, arguments: Namespace) -> TextIO:
    """Write the outcomes of a run; where the report goes."""
    outcomes = shared.hiding(arguments, store.outcomes(kept))
    if arguments.output == "-":
        with reader_may_go(sys.stdout):
            formats.write_outcomes(outcomes, sys.stdout)
        return sys.stderr
    formats.write_outcomes(outcomes, arguments.output)
    say(f"wrote {arguments.output}")
    return sys.stdout


def _write_lock(kept: KeptRun, path: str | None) -> None:
    if path is None:
        return
    if kept.lock is None:
        need = "have a lock"
        raise InputError("show", f"run {kept.number}", need, "none", _KEEPS_LOCKS)
    with new_file(path) as file:
        file.write(kept.lock.encode("utf-8"))
    say(f"wrote {path}")


_KEEPS_LOCKS: Final = "demur keep --lock FILE keeps one."
