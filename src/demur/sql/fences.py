"""SQL taken out of the code fence that a language model puts around it."""

import re
from bisect import bisect_right
from typing import Final

_OPENING: Final = re.compile(
    r"[ \t]*(?P<mark>`{3,}+|~{3,}+)[ \t]*(?P<language>[\w+-]*)[^`]*"
)
_CLOSING: Final = re.compile(r"[ \t]*(?P<mark>`{3,}+|~{3,}+)[ \t]*")
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
    if "```" not in text and "~~~" not in text:
        return text
    lines = text.replace("\r\n", "\n").split("\n")
    closings: dict[str, list[int]] = {}  # where each mark may end a fence
    for number, line in enumerate(lines):
        if closing := _CLOSING.fullmatch(line):
            closings.setdefault(closing["mark"], []).append(number)
    fenced, number = text, 0
    while number < len(lines):
        opening = _OPENING.fullmatch(lines[number])
        ends = closings.get(opening["mark"], []) if opening else []
        at = bisect_right(ends, number)
        if opening and at < len(ends):
            if opening["language"].lower() in _SQL:
                fenced = "\n".join(lines[number + 1 : ends[at]]).strip()
            number = ends[at]
        number += 1
    return fenced
