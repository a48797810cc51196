"""SQL taken out of the code fence that a language model puts around it."""

from typing import Final

from demur.answers.reply_forms import last_fence

_SQL: Final = frozenset(
    {*("", "sql", "sqlite", "sqlite3", "postgres", "postgresql", "psql", "pgsql")}
    | {*("duckdb", "mysql", "snowflake", "bigquery")}
)


def without_fence(text: str) -> str:
    r"""The SQL in the last code fence of a text; the text if it has none.

    Fences marked with another language, such as ``python``, are passed over. The last
    one is taken, because what comes before it is often a draft.

    Examples
    --------
    >>> without_fence("Here it is:\n```sql\nSELECT 1\n```\nI hope that helps.")
    'SELECT 1'
    >>> without_fence("SELECT 1")
    'SELECT 1'
    """
    fenced = last_fence(text, languages=_SQL)
    return text if fenced is None else fenced
