"""Columns that a question asks for by name, and its SQL does not show.

Only what is certain is said: a list such as "name, date and result" that is longer than
the select list, and of which one part is the name of a column that is nowhere shown.
The words are English.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from sqlglot import exp

from demur.sql.clauses import branches_of, tree_of
from demur.sql.schemas import Schema

_ASKS: Final = re.compile(
    r"(?:what (?:is|are|was|were)|(?:show|list|find|give|return|tell|display|report)"
    r"(?: me| us)?|(?:show|list) both) (?P<asked>.*)",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(
    r"\b(?:of|for|in|at|from|on|that|which|who|whose|with|where|when|how|what|by|to|as"
    r"|along|including|ordered|sorted|sort|used|corresponding|having|instead)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_PARTS: Final = re.compile(r"\s*,\s*(?:and\b)?|\s+and\s+|\s*&\s*", re.IGNORECASE)
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_SENTENCE: Final = re.compile(r"[.?!;:]\s*")
_PASSED_OVER: Final = re.compile(
    r"the|an?|all|each|every|its|their|his|her|different|distinct|unique|also|both|then"
)
_LONGEST: Final = 4  # words of one part


def asks_for_several(question: str) -> bool:
    """Whether a question lists what it asks for.

    Examples
    --------
    >>> asks_for_several("List the name and size of each."), asks_for_several("Why?")
    (True, False)
    """
    return next(_lists(question), None) is not None


def not_shown(question: str, sql: str, dialect: str, schema: Schema) -> list[str]:
    """The columns that a question asks for and a query does not show.

    Parameters
    ----------
    question : str
        In English.
    sql : str
        The canonical query.
    dialect : str
        Of SQL, as sqlglot names it.
    schema : mapping
        The tables of the database.

    Returns
    -------
    list of str
        As the question calls them.

    Examples
    --------
    >>> from demur.sql.schemas import TableColumns
    >>> schema = {"battle": TableColumns(("id", "name", "day", "result"))}
    >>> asked = "List the name, day and result of each battle."
    >>> not_shown(asked, "SELECT name, day FROM battle", "sqlite", schema)
    ['result']
    >>> not_shown(asked, "SELECT name, day, result FROM battle", "sqlite", schema)
    []
    """
    asked = [part for parts in _lists(question) for part in parts]
    if not asked:
        return []
    _, first = branches_of(sql, dialect)[0]
    query = tree_of(first, dialect)
    shown = _shown(query)
    if shown is None or len(query.expressions) >= len(asked):
        return []
    return [
        " ".join(part)
        for part in asked
        if not {*map(_singular, part)} & shown and _is_column(part, query, schema)
    ]


def _lists(question: str) -> Iterator[list[list[str]]]:
    """Lists of what is asked for, each part as its words; one for a sentence."""
    for sentence in _SENTENCE.split(question):
        asks = _ASKS.fullmatch(sentence.strip())
        if asks is None:
            continue
        parts = [
            [word for word in part.lower().split() if not _PASSED_OVER.fullmatch(word)]
            for part in _PARTS.split(_ENDS.sub("", asks["asked"]).strip())
        ]
        parts = [part for part in parts if part]
        if len(parts) > 1 and all(len(part) <= _LONGEST for part in parts):
            yield parts


def _shown(query: Any) -> set[str] | None:
    """The words of all that the select list holds; None if it holds a star."""
    if not isinstance(query, exp.Select) or query.is_star:
        return None
    return {word for part in query.expressions for word in _words(part.sql())}


def _is_column(part: Sequence[str], query: Any, schema: Schema) -> bool:
    """Whether words are the name of a column of one of the tables of a query."""
    words = [_singular(word) for word in part]
    for table in query.find_all(exp.Table):
        columns = schema.get(table.name.lower())
        of_table = {*_words(table.name)}
        for name in columns.names if columns is not None else ():
            if _beyond(words, of_table) == _beyond(_words(name), of_table):
                return True
    return False


def _beyond(words: Sequence[str], of_table: set[str]) -> list[str]:
    """The words without those of the table that stand first: document_name is name."""
    words = list(words)
    while len(words) > 1 and words[0] in of_table:
        del words[0]
    return words


def _words(name: str) -> list[str]:
    """The words of a name, as document_name and AirportName write them."""
    return [_singular(word.lower()) for word in _WORD.findall(name)]


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word
