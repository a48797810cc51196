"""Folders of engines that pass with the process, also where a signal ends it."""

import atexit
import shutil
import tempfile
from typing import Final

_FOLDERS: Final[set[str]] = set()


def passing_folder(prefix: str) -> str:
    """A new temporary folder, which nobody else may read.

    Examples
    --------
    >>> import os
    >>> folder = passing_folder("demur-")
    >>> os.path.isdir(folder)
    True
    >>> drop_folder(folder)
    >>> os.path.isdir(folder)
    False
    """
    folder = tempfile.mkdtemp(prefix=prefix)
    _FOLDERS.add(folder)
    return folder


def drop_folder(folder: str) -> None:
    """Remove one of these folders with all that is in it, as far as that can be."""
    _FOLDERS.discard(folder)
    shutil.rmtree(folder, ignore_errors=True)


def drop_folders() -> None:
    """Remove all that are left; called when Python ends."""
    for folder in list(_FOLDERS):
        drop_folder(folder)


atexit.register(drop_folders)
