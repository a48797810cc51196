"""``demur judge``: responses and references become outcomes."""

import sys
from argparse import Namespace
from typing import Any

from demur import formats
from demur.cli import tables
from demur.cli.adjudication_tables import Rejudging
from demur.cli.database_options import with_databases
from demur.cli.item_explanations import (
    explained,
    explanation,
    explanation_lines,
    keeping,
)
from demur.cli.shared import (
    as_json,
    check_gates,
    check_not_read,
    conditions,
    reader_may_go,
    show,
)
from demur.errors import printable
from demur.judging import judge
from demur.outcomes import Outcomes
from demur.records import Reference, Response
from demur.verbs import named_curve, named_parts
from demur.version import __version__


def run(arguments: Namespace) -> int:
    """Judge, write, and print counts or one explanation."""
    where = conditions(arguments)
    by = with_databases(arguments)
    responses: list[Response] = []
    references: list[Reference] = []
    item = arguments.explain
    again = Rejudging(arguments.adjudications) if arguments.adjudications else None
    if arguments.output:
        read = [*arguments.responses, arguments.references]
        read += [arguments.adjudications] if arguments.adjudications else []
        check_not_read("judge", "--output", arguments.output, read)
    outcomes = (again or judge)(
        keeping(
            formats.iter_responses(*arguments.responses, where=where), item, responses
        ),
        keeping(
            formats.iter_references(arguments.references), item, references, whole=again
        ),
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
    if item is not None:
        now = again.changed(references) if again else references
        judged_by = [each for each in now if str(each.item) == item]
        found = explanation(outcomes, item, explained(by, responses, judged_by))
        text = as_json({"demur": __version__, **found}) if arguments.json else None
        show(text or explanation_lines(found), report)
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
