"""SQL on databases: read-only, limited, in processes that can be killed, cached."""

from demur.execution.databases import check_root, public_name
from demur.execution.queries import FAILURES, Query, SqlFailure
from demur.execution.results import SqlResult
from demur.execution.running import Answer, run_all
from demur.execution.versions import engines_of

__all__ = [
    "FAILURES",
    "Answer",
    "Query",
    "SqlFailure",
    "SqlResult",
    "check_root",
    "engines_of",
    "public_name",
    "run_all",
]
