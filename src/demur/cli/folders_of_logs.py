"""Folders of logs of other tools, which are named one by one."""

import shlex
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Final

from demur.errors import DemurError, InputError

_LOOKED_AT: Final = 100
_NAMED: Final = 5


def refuse_folders_of_logs(sources: Iterable[str]) -> None:
    """Raise if a folder holds logs: engines count folders of our own files alone.

    Parameters
    ----------
    sources : iterable of str
        What was named; files and addresses are left alone.

    Raises
    ------
    InputError
        Which names the logs in it.
    """
    for source in sources:
        if Path(source).is_dir():
            held = islice(sorted(Path(source).rglob("*")), _LOOKED_AT)
            logs = {str(file): title for file in held if (title := _title(file))}
            if logs:
                need = "be a file, or a folder of files with our own columns"
                got = f"a folder that holds {next(iter(logs.values()))}"
                names = shlex.join(list(logs)[:_NAMED])
                more = "" if len(logs) <= _NAMED else " ..."
                hint = f"Name the logs in it that you mean: {names}{more}."
                raise InputError(source, "what is read", need, got, hint)


def _title(file: Path) -> str:
    """What a file is if it is a log of another tool; empty if it is not."""
    from demur.formats.beginnings import are_ours, keys_of
    from demur.formats.streams import opened
    from demur.logs import recognised

    if not file.is_file():
        return ""
    try:
        with opened(file) as stream:
            keys = keys_of(stream.head, stream.file)
            reader = recognised(keys, stream.head)
    except (DemurError, OSError):
        return ""
    return "" if reader is None or are_ours(keys, begun=False) else reader.title
