"""Where queries run, and what each may take."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final

from demur import checks
from demur.errors import InputError, shown
from demur.executors import check_alone
from demur.sql.execution import (
    Query,
    QueryAnswer,
    check_root,
    public_name,
    run_all,
)
from demur.sql.execution.caching import Cache

if TYPE_CHECKING:
    from concurrent.futures import Executor

_NAME: Final = re.compile(r"[\w.-]+")

_PATH: Final = re.compile(r"(://(?:[^?]*@)?[^/?]*)(/[^?]*)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Databases:
    """Where queries run, and what each may take.

    Parameters
    ----------
    root : str or Path, optional
        The folder that ``db`` of references starts from; by default that of the file
        of references. Or one database for all: a file, or a server,
        ``postgresql://user@host/name``, of which ``db`` may name another database.
    timeout : float
        Seconds for each query.
    max_rows : int
        Rows that are kept of a result; what has more is not judged.
    max_memory : int
        Bytes for each query.
    max_lost : float
        The share of answers that may be ungraded because a server went down; more are
        an error.
    cache : str or Path, optional
        A folder for results; an interrupted run resumes from it. Those of servers are
        kept only until a run has ended. Whoever can write there can decide verdicts.
    workers : int, optional
        Processes at a time; as many as there are cores if left out.
    executor : Executor, optional
        Of `concurrent.futures`: queries are run by its workers, which must find the
        files under the same paths. The results are the same.
    progress : callable, optional
        Called with the numbers of queries that are done and of all.

    Raises
    ------
    InputError
        If the root is a URL of another kind of server, or a limit is no share.

    Examples
    --------
    >>> import demur
    >>> demur.Databases(root="databases", timeout=5).max_rows
    1000000
    """

    root: str | Path | None = None
    timeout: float = 30.0
    max_rows: int = 1_000_000
    max_memory: int = 1 << 30
    max_lost: float = 0.01
    cache: str | Path | None = None
    workers: int | None = None
    executor: "Executor | None" = None
    progress: Callable[[int, int], None] | None = None

    def __post_init__(self) -> None:
        if self.root is not None:
            check_root(str(self.root))
        checks.number("databases", "max_lost", self.max_lost, 0, 1)
        check_alone("databases", self.executor, "workers", self.workers)

    def run(self, queries: Iterable[Query]) -> Iterator[QueryAnswer]:
        """What each query returns, in their order."""
        return run_all(
            queries,
            timeout=self.timeout,
            max_rows=self.max_rows,
            max_memory=self.max_memory,
            cache=self.cache,
            workers=self.workers,
            executor=self.executor,
            progress=self.progress,
            resume=True,
        )

    def unfinished(self) -> int:
        """How many results of servers are left of a run that did not end."""
        return 0 if self.cache is None else Cache(self.cache).n_unfinished

    def finish(self) -> None:
        """Forget them: nobody can tell whether the servers will give them again."""
        if self.cache is not None:
            Cache(self.cache).forget_unfinished()

    @property
    def is_one(self) -> bool:
        """Whether the root is a database, so that ``db`` need not name one."""
        if self.root is None:
            return False
        return "://" in str(self.root) or not Path(self.root).is_dir()

    def named(self, db: Any, place: str) -> str:
        """The database that a reference means.

        Parameters
        ----------
        db : str or None
            What the reference says.
        place : str
            Where the reference was read, such as ``FILE:LINE``.

        Raises
        ------
        InputError
            If it does not name one inside the root.

        Examples
        --------
        >>> import demur
        >>> demur.Databases(root="data").named("rail.sqlite", "a.jsonl:1")
        'data/rail.sqlite'
        >>> demur.Databases(root="postgresql://host/air").named("rail", "a.jsonl:1")
        'postgresql://host/rail'
        """
        if self.root is not None and "://" in str(self.root):
            return _on_server(str(self.root), db, place)
        if self.is_one and (db is None or Path(str(self.root)).is_file()):
            return str(self.root)
        if db is None:
            need = "name a database"
            hint = "Or give one database for all (--db-root FILE)."
            raise InputError(place, "db", need, "nothing", hint)
        parts = PurePath(db).parts if isinstance(db, str) else ()
        if not parts or "://" in db or PurePath(db).is_absolute() or ".." in parts:
            need = "be a path inside the folder of databases"
            hint = "The place of the databases (--db-root) is the folder, or a server."
            raise InputError(place, "db", need, shown(seen(db)), hint)
        root = Path(place.rpartition(":")[0]).parent if self.root is None else self.root
        path = Path(root) / db
        if not _is_within(path, Path(root)):
            need = "be a path inside the folder of databases"
            hint = "A link leads out of it; name the folder it leads to (--db-root)."
            raise InputError(place, "db", need, shown(db), hint)
        return str(path)


def _is_within(path: Path, root: Path) -> bool:
    try:
        return path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError):  # a loop of links, or NUL: not opened
        return True


def seen(db: Any) -> Any:
    """What a reference says of its database, as people may see it.

    Examples
    --------
    >>> seen("postgresql://me:secret@host/air"), seen("rail.sqlite"), seen(7)
    ('postgresql://host/air', 'rail.sqlite', 7)
    """
    return public_name(db) if isinstance(db, str) else db


def _on_server(url: str, db: Any, place: str) -> str:
    if db is None:
        return url
    if not (isinstance(db, str) and _NAME.fullmatch(db)):
        need = "be the name of a database of the server"
        raise InputError(place, "db", need, shown(seen(db)))
    return _PATH.sub(rf"\g<1>/{db}", url, count=1)
