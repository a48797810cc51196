"""``demur judge``: responses and references become outcomes."""

import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Set
from typing import Any, TypeVar

from demur import answers, formats
from demur.cli import tables
from demur.cli.adjudication_tables import Rejudging
from demur.cli.database_options import with_databases
from demur.cli.shared import as_json, check_gates, conditions, reader_may_go, show
from demur.errors import InputError, printable
from demur.judging import NO_ANSWER, judge
from demur.outcomes import Outcomes
from demur.records import Reference, Response
from demur.verbs import named_curve, named_parts
from demur.version import __version__

_Record = TypeVar("_Record", Response, Reference)


def run(arguments: Namespace) -> int:
    """Judge, write, and print counts or one explanation."""
    where = conditions(arguments)
    by = with_databases(arguments)
    responses: list[Response] = []
    references: list[Reference] = []
    item = arguments.explain
    again = Rejudging(arguments.adjudications) if arguments.adjudications else None
    outcomes = (again or judge)(
        _keeping(
            formats.iter_responses(*arguments.responses, where=where), item, responses
        ),
        _keeping(formats.iter_references(arguments.references), item, references),
        by=by,
        missing=arguments.missing,
        unmatched=arguments.unmatched,
        repeated=arguments.repeated,
    )
    report = sys.stdout
    if arguments.output == "-":
        with reader_may_go(sys.stdout):
            formats.write_outcomes(outcomes, sys.stdout)
        report = sys.stderr
    elif arguments.output:
        formats.write_outcomes(outcomes, arguments.output)
    if arguments.explain is not None:
        found = _explanation(outcomes, item, _explained(by, responses, references))
        text = as_json({"demur": __version__, **found}) if arguments.json else None
        show(text or _explanation_lines(found), report)
    elif arguments.json:
        show(as_json(_judged(outcomes) | (again.to_dict() if again else {})), report)
    else:
        changes = again.tables() if again else []
        show("\n\n".join([_judged_table(outcomes), *changes]), report)
    if not arguments.fail_if:
        return 0
    parts = named_parts(outcomes)
    curves = [named_curve(*each) for each in parts]
    return check_gates(arguments.fail_if, curves, [part for _, part in parts])


def _judged(outcomes: Outcomes) -> dict[str, Any]:
    recipe = outcomes.recipe
    signature = {"demur": __version__, **recipe, "items": str(len(outcomes))}
    return {
        "demur": __version__,
        "items": len(outcomes),
        **outcomes.counts(),
        "systems": [
            {"system": name, "items": len(part), **part.counts()}
            for (name,), part in outcomes.parts(["system"])
        ],
        "comparator": recipe.get("comparator", ""),
        "notes": list(outcomes.notes),
        "signature": "|".join(f"{key}:{value}" for key, value in signature.items()),
    }


def _judged_table(outcomes: Outcomes) -> str:
    judged = _judged(outcomes)
    names = ("items", "right", "wrong", "unanswered", "ungraded")
    rows = [
        [part["system"] or tables.NONE, *(str(part[name]) for name in names)]
        for part in judged["systems"]
    ]
    lines = [f"note: {note}" for note in judged["notes"]]
    lines.append(f"signature: {judged['signature']}")
    body = "\n".join(printable(line) for line in lines)
    return tables.table(["system", *names], rows) + "\n\n" + body


def _keeping(
    records: Iterable[_Record], item: str | None, kept: list[_Record]
) -> Iterator[_Record]:
    """The same records, while those of one item are kept."""
    for record in records:
        if item is not None and str(record.item) == item:
            kept.append(record)
        yield record


def _explained(
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


def _explanation(
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


def _explanation_lines(found: dict[str, Any]) -> str:
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
