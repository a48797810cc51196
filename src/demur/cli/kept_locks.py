"""Locks that commands take: a file, or a kept run that was kept with one."""

from demur.decisions.locks import Locks, locks_of, read_locks
from demur.formats.reading import kept_run


def locks_at(place: str) -> Locks:
    """The locks in a file, or those that a run was kept with.

    Raises
    ------
    InputError
        If there are none.
    """
    named = kept_run(place)
    if named is None:
        return read_locks(place)
    from demur.store.kept_tables import lock_text

    return locks_of(lock_text(named), place)
