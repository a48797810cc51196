"""Which engine reads a database, and which version: what a signature names."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from demur.sql.execution.databases import find_database
from demur.sql.execution.queries import Query, QueryFailed, SqlFailure
from demur.sql.execution.running import QueryAnswer

_ASK: Final = "SELECT current_setting('server_version')"


def engines_of(
    names: Iterable[str], run: Callable[[Iterable[Query]], Iterator[QueryAnswer]]
) -> dict[str, str | SqlFailure]:
    """Engine and version behind each of some databases.

    Parameters
    ----------
    names : iterable of str
        Paths or URLs.
    run : callable
        Runs queries, such as `run_all`; servers are asked for their versions.

    Returns
    -------
    dict of name to str or SqlFailure
        Such as ``sqlite 3.40.1``; the failure if there is no such database, or its
        server does not answer.

    Examples
    --------
    >>> from demur.sql.execution import run_all
    >>> print(engines_of(["no/such.sqlite"], run_all)["no/such.sqlite"])
    unreadable: no/such.sqlite: No such file or directory
    """
    engines: dict[str, str | SqlFailure] = {}
    servers = []
    for name in names:
        try:
            database = find_database(name)
        except QueryFailed as failed:
            engines[name] = failed.failure
            continue
        if database.engine == "postgresql":
            servers.append(Query(name, _ASK))
        else:
            engines[name] = database.version()
    for answer in run(servers) if servers else ():
        engines[answer.query.database] = _version(answer)
    return engines


def _version(answer: QueryAnswer) -> str | SqlFailure:
    if answer.result is None:
        return answer.failure or SqlFailure("unreadable", "it does not answer")
    [(said,)] = answer.result.rows()
    return f"postgresql {said.split()[0]}"
