"""What ``demur judge --explain`` shows: one item, and how each guess was judged."""

from collections.abc import Iterable, Iterator, Set
from typing import Any, TypeVar

from demur import answers
from demur.errors import InputError, printable
from demur.judging import NO_ANSWER
from demur.outcomes import Outcomes
from demur.records import Reference, Response

_Record = TypeVar("_Record", Response, Reference)


def keeping(
    records: Iterable[_Record],
    item: str | None,
    kept: list[_Record],
    *,
    whole: object = None,
) -> Iterator[_Record]:
    """The same records, while those of one item are kept, or all if asked for one."""
    for record in records:
        if item is not None and (whole or str(record.item) == item):
            kept.append(record)
        yield record


def explained(
    comparator: Any, responses: list[Response], references: list[Reference]
) -> dict[tuple[str, ...], str]:
    """What a comparator that explains itself says of each guess, by its key."""
    said: dict[tuple[str, ...], str] = {}
    if not isinstance(comparator, answers.ReferenceReader) or not references:
        return said
    for response in responses:
        guess = response.response
        if guess is None or response.error or not references[0].answerable:
            continue
        if guess == NO_ANSWER or comparator.is_no_guess(guess):
            continue
        key = _key(response.system, response.setting, response.repeat)
        text = comparator.explain(guess, references[0])
        said[key] = f"{said[key]}\n{text}" if key in said else text
    return said


def _key(*parts: Any) -> tuple[str, ...]:
    return tuple("" if part is None else str(part) for part in parts)


def explanation(
    outcomes: Outcomes, item: str, said: dict[tuple[str, ...], str]
) -> dict[str, Any]:
    """The item, and what became of each system's guess, and why."""
    rows = [row for row, name in enumerate(outcomes.item) if str(name) == item]
    if not rows:
        hint = "Item ids are compared as text, capitals and blanks included."
        got = repr(item)
        raise InputError(
            "judge", "--explain", "name an item that was judged", got, hint
        )
    columns = {name: [each[row] for row in rows] for name, each in _shown(outcomes)}
    shared = {
        name
        for name, values in columns.items()
        if name not in _OF_GUESSES and all(value == values[0] for value in values)
    }
    executed = said and outcomes.recipe.get("comparator", "").startswith("sql/")
    # The explanations have the queries.
    asked = _fields(columns, 0, shared - _ASKED if executed else shared)
    judged = [
        _fields(columns, index, columns.keys() - shared) for index in range(len(rows))
    ]
    keys = [_key(*key) for key in zip(*_keys(outcomes, rows), strict=True)]
    for each, key in zip(judged, keys, strict=True):
        if key in said:
            each["explanation"] = said[key]
    return {"fields": asked, "judged": judged}


def explanation_lines(found: dict[str, Any]) -> str:
    """The explanation for people: the item first, and a paragraph for each guess."""
    parts = [found["fields"], *found["judged"]]
    return "\n\n".join(
        "\n".join(line for field in part.items() for line in _field_lines(*field))
        for part in parts
    )


def _field_lines(name: str, value: Any) -> Iterator[str]:
    if name != "explanation":
        yield f"{name}: {printable(str(value))}"
        return
    yield "explanation:"
    for line in value.split("\n"):
        yield f"  {printable(line)}"


_OF_GUESSES = frozenset(
    {
        *("system", "setting", "repeat", "outcome", "credit"),
        *("confidence", "declined", "kind", "reason", "response"),
    }
)
_ASKED = frozenset(["db", "sql", "sqls", "max_sql", "max_sqls"])


def _shown(outcomes: Outcomes) -> list[tuple[str, list[Any]]]:
    """Columns in the order of reading: what was given, then what became of it."""
    columns = list(outcomes.to_columns().items())
    last = [each for each in columns if each[0] == "reason"]
    return [each for each in columns if each[0] != "reason"] + last


def _keys(outcomes: Outcomes, rows: list[int]) -> list[list[Any]]:
    columns = (outcomes.system, outcomes.setting, outcomes.repeat)
    return [
        [None] * len(rows) if each is None else [each[row] for row in rows]
        for each in columns
    ]


def _fields(
    columns: dict[str, list[Any]], index: int, names: Set[str]
) -> dict[str, Any]:
    """What some columns hold in one row."""
    return {
        name: values[index]
        for name, values in columns.items()
        if name in names and values[index] is not None
    }
