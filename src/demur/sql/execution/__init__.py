"""SQL on databases: read-only, limited, in processes that can be killed, cached."""

from demur.sql.execution.databases import check_root, public_name
from demur.sql.execution.queries import FAILURES, Query, SqlFailure
from demur.sql.execution.results import SqlResult
from demur.sql.execution.running import QueryAnswer, engines_of, run_all

__all__ = [
    "FAILURES",
    "Query",
    "QueryAnswer",
    "SqlFailure",
    "SqlResult",
    "check_root",
    "engines_of",
    "public_name",
    "run_all",
]
