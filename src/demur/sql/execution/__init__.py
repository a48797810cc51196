"""SQL on databases: read-only, limited, in processes that can be killed, cached."""

from demur.sql.execution.databases import check_root as check_root
from demur.sql.execution.databases import public_name as public_name
from demur.sql.execution.queries import FAILURES as FAILURES
from demur.sql.execution.queries import Query as Query
from demur.sql.execution.queries import SqlFailure as SqlFailure
from demur.sql.execution.results import SqlResult as SqlResult
from demur.sql.execution.running import QueryAnswer as QueryAnswer
from demur.sql.execution.running import engines_of as engines_of
from demur.sql.execution.running import run_all as run_all
