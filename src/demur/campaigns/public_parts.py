"""What of a question teams may see: short lists of columns, never a list of secrets.

A column that nobody thought of is not sent out.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

PUBLIC: Final = ("item", "dialogue", "input", "db", "excluded", "reset")
"""Columns of a question in the test part."""

ANSWERS: Final = (
    *("reference", "references", "min", "max", "sql", "sqls", "max_sql", "max_sqls"),
    *("answerable", "weight", "weights", "mode", "ordered", "order_by", "rules"),
    *("coerce_numeric_text", "relative", "choices", "schema"),
)
"""What says which answers are right."""

TRAINING: Final = (
    *PUBLIC,
    *("contributor", "contributed_id", "subject", "class", "context", "meanings"),
    *ANSWERS,
)
"""Columns of a question in the training part, which goes out with its answers."""

TOLD: Final = (
    *("item", "input", "db", "excluded", "reset", "dialogue", "cluster", "context"),
    *("contributor", "contributed_id", "subject", "meanings"),
)
"""Fields that are no secret: they are sent out, or name what is."""

REFERENCE: Final = (
    *("contributor", "contributed_id", "cluster", "subject", "class", "context"),
    "meanings",
)
"""Further columns of the hidden references, for tables by contributor and intervals."""


def public_question(record: Mapping[str, Any]) -> dict[str, Any]:
    """A question without its answer.

    Examples
    --------
    >>> record = {"item": "q1", "cluster": "d1", "input": "Who?", "sql": "SELECT 1",
    ...           "notes": "it is BF", "excluded": False, "db": ["a.db", "hidden.db"]}
    >>> public_question(record)
    {'item': 'q1', 'dialogue': 'd1', 'input': 'Who?', 'db': 'a.db'}
    """
    return _kept(record, PUBLIC)


def training_question(record: Mapping[str, Any]) -> dict[str, Any]:
    """A question with its answer, as the training part has it.

    Examples
    --------
    >>> training_question({"item": "q1", "input": "Who?", "sql": "SELECT 1", "x": 2})
    {'item': 'q1', 'input': 'Who?', 'sql': 'SELECT 1'}
    """
    return _kept(record, TRAINING)


def dialogue_of(record: Mapping[str, Any]) -> Any:
    """The dialogue of a question: ``dialogue``, else ``cluster``; None is none.

    Examples
    --------
    >>> dialogue_of({"cluster": "d1"}), dialogue_of({"item": "q1", "dialogue": ""})
    ('d1', None)
    """
    for name in ("dialogue", "cluster"):
        if record.get(name) not in (None, ""):
            return record[name]
    return None


def in_order_of_dialogues(
    records: Iterable[Mapping[str, Any]],
) -> list[Mapping[str, Any]]:
    """Records with the turns of a dialogue together, in the order of its first turn.

    Examples
    --------
    >>> turns = [{"item": 1, "cluster": "a"}, {"item": 2}, {"item": 3, "cluster": "a"}]
    >>> [turn["item"] for turn in in_order_of_dialogues(turns)]
    [1, 3, 2]
    """
    dialogues: dict[Any, list[Mapping[str, Any]]] = {}
    for number, record in enumerate(records):
        dialogue = dialogue_of(record)
        key = (number,) if dialogue is None else str(dialogue)
        dialogues.setdefault(key, []).append(record)
    return [record for turns in dialogues.values() for record in turns]


def _kept(record: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    database = record.get("db")
    if isinstance(database, (list, tuple)):
        database = database[0] if database else None
    plain = {**record, "dialogue": dialogue_of(record), "db": database}
    kept = {name: plain[name] for name in names if plain.get(name) is not None}
    for mark in ("excluded", "reset"):
        if not kept.get(mark):
            kept.pop(mark, None)
    return kept
