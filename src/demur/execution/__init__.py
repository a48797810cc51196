"""SQL on databases: read-only, limited, in processes that can be killed, cached."""

from demur.execution.queries import FAILURES, Query, SqlFailure
from demur.execution.results import SqlResult
from demur.execution.running import Answer, run_all

__all__ = ["FAILURES", "Answer", "Query", "SqlFailure", "SqlResult", "run_all"]
