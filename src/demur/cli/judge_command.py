"""``demur judge``: responses and references become outcomes."""

import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
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
        lines = _explanation(outcomes, item)
        lines += _explained(by, responses, references)
        show("\n".join(lines), report)
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
) -> list[str]:
    """What a comparator that explains itself has to say about guesses of one item."""
    if not isinstance(comparator, answers.ReferenceReader) or not references:
        return []
    reference, lines = references[0], []
    for response in responses:
        guess = response.response
        if guess is None or response.error or not reference.answerable:
            continue
        if guess == NO_ANSWER or comparator.is_no_guess(guess):
            continue
        whose = f"explanation of {response.system or 'the response'}:"
        said = comparator.explain(guess, reference).split("\n")
        lines += ["", printable(whose), *(f"  {printable(line)}" for line in said)]
    return lines


def _explanation(outcomes: Outcomes, item: str) -> list[str]:
    """Everything there is to know about the judgements of one item."""
    rows = [row for row, name in enumerate(outcomes.item) if str(name) == item]
    if not rows:
        hint = "Item ids are compared as text, capitals and blanks included."
        got = repr(item)
        raise InputError(
            "judge", "--explain", "name an item that was judged", got, hint
        )
    columns = outcomes.to_columns()
    lines = []
    for row in rows:
        lines += [
            f"{name}: {printable(str(values[row]))}"
            for name, values in columns.items()
            if values[row] is not None
        ]
        lines.append("")
    return lines[:-1]
