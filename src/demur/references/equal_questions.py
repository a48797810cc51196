"""Questions that are asked again: whether their references say the same.

Queries are compared as they are read, not as they are typed: blanks, capitals of words
and names, and quotes around names make no difference.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import PurePath
from typing import Any, Final

from demur.answers.normalisations import Normalisation
from demur.answers.values import json_text
from demur.errors import shown
from demur.outcomes.contexts import class_of, context_of
from demur.references.findings import Finding
from demur.sql.clauses import LONGEST, tree_of
from demur.sql.execution.databases import dialect_of

_QUESTION: Final = Normalisation(("nfkc", "casefold", "punctuation", "whitespace"))
_ANSWERS: Final = ("reference", "references", "min", "max")
_QUERIES: Final = ("sql", "sqls")

_Placed = tuple[str, Mapping[str, Any]]


def repeated_questions(
    placed: Sequence[_Placed], *, hidden: bool = False
) -> Iterator[Finding]:
    """Questions that occur again, each against the first that is like it.

    Parameters
    ----------
    placed : sequence of (place, mapping)
        References, in order.
    hidden : bool
        Whether findings quote no answer.

    Yields
    ------
    Finding
        The checks are "same-question" and "conflicting-reference".

    Examples
    --------
    >>> asked = {"input": "Who flies?", "sql": "SELECT code FROM airline"}
    >>> again = {"input": "who flies", "sql": 'select "code" from Airline;'}
    >>> placed = [("a:1", {"item": "q1", **asked}), ("a:2", {"item": "q2", **again})]
    >>> print(*repeated_questions(placed))
    a:2: q2: same-question: the question of q1 (a:1), with the same answer
    """
    inputs = {str(record["item"]): record.get("input") for _, record in placed}
    first: dict[Any, _Placed] = {}
    for place, record in placed:
        if record.get("input") in (None, "") or _leans_somewhere(record):
            continue
        there, other = first.setdefault(_question(record, inputs), (place, record))
        if other is record:
            continue
        item, which = str(record["item"]), str(other["item"])
        which += f" ({there})" if there else ""
        differing = _conflict(other, record)
        if differing is None:
            text = f"the question of {which}, with the same answer"
            yield Finding(item, "same-question", text, place)
        else:
            before, now = map(shown, differing)
            text = f"another answer to the question of {which}"
            text += "" if hidden else f": {before} there, {now} here"
            yield Finding(item, "conflicting-reference", text, place)


def _leans_somewhere(record: Mapping[str, Any]) -> bool:
    """Whether a question leans on others, and nobody has said on which."""
    return class_of(record) == "D" and not context_of(record.get("context"))


def _question(record: Mapping[str, Any], inputs: Mapping[str, Any]) -> Any:
    """What makes two questions the same: words, what they lean on, the database."""
    before = context_of(record.get("context"))
    texts = [_words(inputs.get(item, item)) for item in before]
    database = PurePath(str(record.get("db") or "")).name
    return _words(record["input"]), tuple(texts), database


def _words(value: Any) -> str:
    return _QUESTION(json_text(value))


def _conflict(
    there: Mapping[str, Any], here: Mapping[str, Any]
) -> tuple[Any, Any] | None:
    """What two references say differently; answers count more than queries."""
    whether = [record.get("answerable") is not False for record in (there, here)]
    if whether[0] != whether[1]:
        names = {True: "answerable", False: "not answerable"}
        return names[whether[0]], names[whether[1]]
    for form in (_ANSWERS, _QUERIES):
        both = [_answer_fields(record, form) for record in (there, here)]
        if all(both):
            texts = [_compared(*pair) for pair in zip(both, (there, here), strict=True)]
            return None if texts[0] == texts[1] else (_one(both[0]), _one(both[1]))
    return None


def _answer_fields(record: Mapping[str, Any], form: Sequence[str]) -> dict[str, Any]:
    """What a record has in some fields; one alternative is a list of one."""
    held = {name: record[name] for name in form if record.get(name) is not None}
    for one, several in (("reference", "references"), ("sql", "sqls")):
        if one in held:
            held[several] = [held.pop(one)]
    return held


def _compared(held: Mapping[str, Any], record: Mapping[str, Any]) -> str:
    """Answers as they are compared: queries as they are read, without their order."""
    texts = dict(held)
    if isinstance(texts.get("sqls"), (list, tuple)):
        database = record.get("db")
        one = database[0] if isinstance(database, list) and database else database
        dialect = dialect_of(str(one or ""))
        texts["sqls"] = [_plain(query, dialect) for query in texts["sqls"]]
    if record.get("weights") is None and "max" not in texts:
        for name in ("references", "sqls"):  # in any order
            if isinstance(texts.get(name), list):
                texts[name] = sorted(texts[name], key=json_text)
    return json_text(texts)


def _plain(query: Any, dialect: str) -> Any:
    if isinstance(query, Mapping):
        return {**query, "value": _plain(query.get("value"), dialect)}
    return plain_query(query, dialect) if isinstance(query, str) else query


@lru_cache(maxsize=4096)
def plain_query(sql: str, dialect: str = "sqlite") -> str:
    """A query in one way of writing it: blanks, capitals, quotes of names, comments.

    Capitals of quoted names count, since in SQLite they may be texts. What cannot be
    read is the same only if it is typed the same.

    Examples
    --------
    >>> plain_query("select  A from T where x=='GREY';")
    "SELECT a FROM t WHERE x = 'GREY'"
    >>> plain_query('SELECT "a" FROM [t] WHERE X != 7 -- all of them')
    'SELECT a FROM t WHERE x <> 7'
    """
    from sqlglot import exp

    tree = tree_of(sql, dialect) if len(sql) <= LONGEST else None
    if tree is None:
        return sql.strip()
    for name in tree.find_all(exp.Identifier):
        if not name.args.get("quoted"):
            name.set("this", name.name.lower())
        name.set("quoted", False)
    plain: str = tree.sql(dialect=dialect, comments=False)
    return plain


def _one(record: Mapping[str, Any]) -> Any:
    values = list(record.values())
    if len(values) > 1:
        return dict(record)
    alone = values[0]
    return alone[0] if isinstance(alone, list) and len(alone) == 1 else alone
